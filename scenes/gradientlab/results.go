package gradientlab

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"paretoplay/internal/engine/analysis"
	"paretoplay/internal/engine/data"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/internal/engine/timeline"
)

// Results are the scene's results for the state and for files.
type Results struct {
	View         string         `json:"view"`
	Objectives   int            `json:"objectives"`
	Variables    int            `json:"variables"`
	Pending      bool           `json:"pending"` // whether some methods have not been computed yet
	Stationarity *float64       `json:"stationarity"`
	Shortest     []float64      `json:"shortest,omitempty"` // the min-norm point of the hull
	Conflicts    int            `json:"conflicts"`          // number of pairs of gradients
	Cosines      [][]*float64   `json:"cosines,omitempty"`
	Cone         *ConeResult    `json:"cone,omitempty"`
	Methods      []MethodResult `json:"methods"`
}

// ConeResult is the cone of common descent in the plane. Angles are in degrees.
type ConeResult struct {
	Kind string  `json:"kind"` // zero, ray, line, sector or everything
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// MethodResult is one method's result for the gradients.
type MethodResult struct {
	Method    string            `json:"method"`
	Status    string            `json:"status"` // the status from package weigh, or "refused"
	Reason    string            `json:"reason,omitempty"`
	Weights   []float64         `json:"weights"`   // the method's own weights, null if it has none
	Effective []float64         `json:"effective"` // coefficients c with direction = Gᵀc, null if undefined
	Direction []float64         `json:"direction,omitempty"`
	Norm      float64           `json:"norm"`
	Change    []float64         `json:"change,omitempty"`  // predicted change of each objective; absent if one overflows
	Cosines   []*float64        `json:"cosines,omitempty"` // cosines of the angles to the gradients, null for a zero vector
	Worse     []int             `json:"worse"`             // objectives that get worse, from 1
	Promises  map[string]string `json:"promises"`
}

// These are the maximum sizes of pasted data at which results contain all vectors. They are small, because a state is
// read several times a second.
const (
	maxShownRows    = 30
	maxShownColumns = 30
)

// Results returns the results, or nil while there are no data to show.
func (s *Scene) Results() any {
	a := s.current()
	if a == nil {
		return nil
	}
	m, n := a.Jacobian.Rows, a.Jacobian.Cols
	out := &Results{View: s.values.View, Objectives: m, Variables: n, Pending: !a.Done(), Methods: []MethodResult{}}
	if !a.Measured {
		return out
	}
	out.Stationarity = data.Known(a.Omega)
	out.Conflicts, _ = a.Conflicts()
	if n <= maxShownColumns {
		out.Shortest = a.Shortest
	}
	if m <= maxShownRows {
		for i := range m {
			row := make([]*float64, m)
			for j := range row {
				row[j] = data.Known(a.Cosine(i, j))
			}
			out.Cosines = append(out.Cosines, row)
		}
	}
	if s.values.View == viewPlane {
		c := analysis.CommonDescent(s.gradients())
		out.Cone = &ConeResult{[...]string{"zero", "ray", "line", "sector", "everything"}[c.Kind], c.From * 180 / math.Pi, c.To * 180 / math.Pi}
	}
	for i := range a.Decisions {
		out.Methods = append(out.Methods, s.methodResult(a, &a.Decisions[i]))
	}
	return out
}

func (s *Scene) methodResult(a *analysis.Analysis, d *analysis.Decision) MethodResult {
	out := MethodResult{Method: d.Method.Name, Status: d.Status.String(), Worse: []int{}, Promises: map[string]string{}}
	if d.Err != nil {
		out.Status, out.Reason = "refused", d.Err.Error()
		return out
	}
	out.Weights, out.Effective, out.Norm = d.Weights, d.Effective, min(d.Norm, math.MaxFloat64)
	for _, i := range a.Worsened(d) {
		out.Worse = append(out.Worse, i+1)
	}
	for _, p := range analysis.Promises {
		out.Promises[p.Symbol] = d.Verdict(p)
	}
	if a.Jacobian.Cols <= maxShownColumns {
		out.Direction = d.Direction
	}
	if a.Jacobian.Rows <= maxShownRows {
		for i := range d.Slopes {
			out.Change = append(out.Change, s.change(a, d, i))
			out.Cosines = append(out.Cosines, data.Known(d.Cosines[i]))
		}
	}
	if !algo.Finite(out.Change) {
		out.Change = nil
	}
	return out
}

// Readout returns the table of the methods.
func (s *Scene) Readout() timeline.Readout {
	out := timeline.Readout{Rows: []timeline.ReadoutRow{}, Columns: []timeline.Column{
		{Symbol: "c", Label: "effective weights"}, {Symbol: "λ", Label: "own weights"}, {Symbol: "‖d‖", Label: "length"},
		{Symbol: "Δf", Label: "change, worst"}, {Symbol: "worse", Label: "objectives"},
	}}
	for _, p := range analysis.Promises {
		out.Columns = append(out.Columns, timeline.Column{Symbol: p.Symbol, Label: p.Label})
	}
	out.Columns = append(out.Columns, timeline.Column{Label: "status"})
	a := s.current()
	if a == nil {
		return out
	}
	for i := range a.Decisions {
		d := &a.Decisions[i]
		cells := []string{"–", "–", "–", "–", "–"}
		if d.Err == nil {
			cells = []string{timeline.Vector(d.Effective), own(d), timeline.Number(d.Norm),
				fmt.Sprintf("%s of %s", timeline.Number(s.worst(a, d)), plain(d.WorstChange())), "none"}
			if list := a.Worsened(d); len(list) > 0 {
				cells[4] = "× " + numbered(list)
			}
		}
		for _, p := range analysis.Promises {
			cells = append(cells, d.Verdict(p))
		}
		out.Rows = append(out.Rows, timeline.ReadoutRow{Method: d.Method.Name, Label: d.Method.Title, Cells: append(cells, d.StatusText())})
	}
	return out
}

// own formats the method's own weights for a table of effective weights.
func own(d *analysis.Decision) string {
	switch {
	case d.Weights == nil:
		return "–"
	case d.Differ():
		return timeline.Vector(d.Weights)
	}
	return "the same"
}

// plain returns the name of objective i, counted from 0, for texts without subscript markup.
func plain(i int) string {
	return "f" + strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9",
		"₉").Replace(strconv.Itoa(i+1))
}

// WriteCSV writes one line per method: its status, length, own weights, predicted changes, direction and effective
// weights. The cells of missing and overflowing numbers are empty.
func (s *Scene) WriteCSV(w io.Writer) error {
	a := s.current()
	if a == nil {
		return nil
	}
	m, n := a.Jacobian.Rows, a.Jacobian.Cols
	head := []string{"method", "status", "norm"}
	for _, column := range []struct {
		name  string
		count int
	}{{"weight", m}, {"change", m}, {"direction", n}, {"effective", m}} {
		for i := range column.count {
			head = append(head, fmt.Sprintf("%s%d", column.name, i+1))
		}
	}
	rows := [][]string{head}
	number := func(v float64) string {
		if data.Known(v) == nil {
			return ""
		}
		return data.Real(v)
	}
	for i := range a.Decisions {
		d := &a.Decisions[i]
		line := make([]string, len(head))
		line[0], line[1] = d.Method.Name, "refused"
		if d.Err == nil {
			line[1], line[2] = d.Status.String(), number(d.Norm)
			for j, v := range d.Weights {
				line[3+j] = number(v)
			}
			for j := range d.Slopes {
				line[3+m+j] = number(s.change(a, d, j))
			}
			for j, v := range d.Direction {
				line[3+2*m+j] = number(v)
			}
			for j, v := range d.Effective {
				line[3+2*m+n+j] = number(v)
			}
		}
		rows = append(rows, line)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
