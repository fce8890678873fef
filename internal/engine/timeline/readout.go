package timeline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Readout is the table that shows visitors the tracks at the marker.
type Readout struct {
	Columns []Column     `json:"columns"`
	Rows    []ReadoutRow `json:"rows"`
}

// Column is the heading of a column.
type Column struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
}

// ReadoutRow is the row of one track.
type ReadoutRow struct {
	Run    string   `json:"run"`
	Method string   `json:"method"`
	Label  string   `json:"label"`
	Cells  []string `json:"cells"`
	// Exact holds the full numbers of cells that show 0 only because their numbers are rounding errors relative to the rest
	// of the column. The entry of every other cell is "".
	Exact []string `json:"exact,omitempty"`
}

// Sign sets the symbol of the column with the given label, for scenes where the usual symbol has another meaning.
func (t *Timeline) Sign(label, symbol string) {
	if t.symbols == nil {
		t.symbols = map[string]string{}
	}
	t.symbols[label] = symbol
}

// Omit removes the columns with the given labels, for scenes where these columns would be empty.
func (t *Timeline) Omit(labels ...string) { t.omitted = append(t.omitted, labels...) }

// Readout returns the table of the tracks at the marker. The weights belong to the step that starts at the marker or, at
// the end of a run, to the last step. The table has no stationarity column if no run records stationarity.
func (t *Timeline) Readout() Readout {
	out := Readout{Rows: []ReadoutRow{}, Columns: []Column{
		{Symbol: "k", Label: "iteration"}, {Symbol: "x", Label: "variables"}, {Symbol: "f", Label: "objectives"},
		{Symbol: "λ", Label: "weights"}, {Symbol: "ω", Label: stationarity}, {Symbol: "BP", Label: "backpropagations"}, {Symbol: "",
			Label: "status"},
	}}
	var table [][]cell
	for i, column := range out.Columns {
		if symbol, ok := t.symbols[column.Label]; ok {
			out.Columns[i].Symbol = symbol
		}
	}
	if len(t.runs) > 0 {
		t.runs[0].row(0).Further(func(e Extra, _ []float64) {
			if e.Label != "" {
				out.Columns = append(out.Columns, Column{Symbol: e.Symbol, Label: e.Label})
			}
		})
	}
	for _, track := range t.tracks {
		row := t.AtMarker(track)
		cells := []cell{
			{text: strconv.Itoa(row.K)}, list(row.X), list(row.F), {}, besides(row.Stationarity, track), {text: strconv.Itoa(row.BP)},
			{text: track.status.String()},
		}
		row.each(track.AtPoint, row.atPoint, func(e Extra, values []float64) { cells = further(cells, e, values) })
		// A replayed row is valid only until the next replay.
		step := t.ShownStep(track)
		cells[3] = list(step.Weights)
		step.each(track.OfStep, step.ofStep, func(e Extra, values []float64) { cells = further(cells, e, values) })
		if d := track.divergence; d.Quantity != "" {
			cells[6].text = fmt.Sprintf("diverged at k = %d: %s", d.K, d.Quantity)
		}
		if why := track.Why(); why != "" {
			cells[6].text += ": " + why
		}
		table = append(table, cells)
		out.Rows = append(out.Rows, ReadoutRow{Run: track.Name(), Method: track.Method, Label: track.Label()})
	}
	for i := range out.Rows {
		for j, c := range table[i] {
			var size float64
			for _, cells := range table {
				size = max(size, cells[j].size(), cells[j].beside)
			}
			text, exact := c.write(size), c.full()
			if text == exact {
				exact = ""
			}
			out.Rows[i].Cells, out.Rows[i].Exact = append(out.Rows[i].Cells, text), append(out.Rows[i].Exact, exact)
		}
	}
	if len(t.runs) > 0 && !slices.ContainsFunc(t.runs, (*Run).knowsStationarity) {
		out.omit(stationarity)
	}
	for _, label := range t.omitted {
		out.omit(label)
	}
	return out
}

func (o *Readout) omit(label string) {
	i := slices.IndexFunc(o.Columns, func(c Column) bool { return c.Label == label })
	o.Columns = slices.Delete(o.Columns, i, i+1)
	for j := range o.Rows {
		o.Rows[j].Cells, o.Rows[j].Exact = slices.Delete(o.Rows[j].Cells, i, i+1), slices.Delete(o.Rows[j].Exact, i, i+1)
	}
}

// stationarity is the label of the stationarity column, which some scenes lack.
const stationarity = "stationarity"

// knowsStationarity reports whether a run records stationarity. The result is the same at every iteration, so the column
// stays while the marker moves.
func (r *Run) knowsStationarity() bool {
	return !math.IsNaN(r.Kept(0).Stationarity) || !math.IsNaN(r.Kept(r.Len()-1).Stationarity)
}

// further appends the cell of an Extra, if the Extra has a column.
func further(cells []cell, e Extra, values []float64) []cell {
	switch {
	case e.Label == "":
		return cells
	case e.Size > 0 || values == nil:
		return append(cells, list(values))
	}
	return append(cells, number(values[0]))
}

// cell is a table cell. It holds a text or, if the text is empty, numbers.
type cell struct {
	text    string
	numbers []float64
	list    bool
	beside  float64 // size of the numbers whose rounding errors the cell may contain; 0 for none
}

func list(v []float64) cell {
	if v == nil {
		return cell{text: none}
	}
	return cell{numbers: slices.Clone(v), list: true} // a replayed row is valid only until the next replay
}

func number(v float64) cell { return cell{numbers: []float64{v}} }

// besides returns the cell of a track's stationarity v. The number counts as a rounding error if it is tiny relative to the
// stationarity at the track's start.
func besides(v float64, r Track) cell {
	c := number(v)
	c.beside = number(r.Kept(0).Stationarity).size()
	return c
}

// size returns the largest absolute value of the cell's finite numbers.
func (c cell) size() (most float64) {
	for _, v := range c.numbers {
		if a := math.Abs(v); a-a == 0 {
			most = max(most, a)
		}
	}
	return most
}

// write returns the cell's text in a column whose numbers have the given size. It writes rounding errors as 0.
func (c cell) write(size float64) string {
	return c.spelled(func(v float64) string { return Number(Besides(v, size)) })
}

// full returns the cell's text with rounding errors in full.
func (c cell) full() string {
	return c.spelled(func(v float64) string {
		if text := Number(v); text != "0" || v == 0 {
			return text
		}
		return numeral.Minus(strconv.FormatFloat(v, 'e', 3, 64))
	})
}

// spelled returns the cell's text, with write formatting its numbers.
func (c cell) spelled(write func(v float64) string) string {
	switch {
	case c.text != "":
		return c.text
	case c.list:
		return Spelled(c.numbers, maxCell, write)
	}
	return write(c.numbers[0])
}

// maxCell is the maximum number of entries in a cell.
const maxCell = 4

// Rounding is a fraction. A number that is smaller than this fraction of the numbers around it may be only a rounding
// error.
const Rounding = 1e-14

// Besides returns v, or 0 if v may be only a rounding error relative to numbers of the given size.
func Besides(v, size float64) float64 {
	if math.Abs(v) < Rounding*size {
		return 0
	}
	return v
}

const none = "–"

// Number formats v with four significant digits.
func Number(v float64) string {
	return numeral.Format(v, 4)
}

// Significant formats v with three significant digits.
func Significant(v float64) string {
	return numeral.Format(v, 3)
}

// Apart returns a function that formats the numbers of two points. It uses enough decimals, at most six, to show the
// difference.
func Apart(from, to []float64) func(float64) string {
	const least, limit = 2, 6
	count := least
	if way := floats.Distance(from, to, math.Inf(1)); way > 0 && !math.IsInf(way, 1) {
		count = min(max(1-int(math.Floor(portable.Log10(way))), least), limit)
	}
	return func(v float64) string {
		return numeral.Fixed(v, count)
	}
}

// Vector formats v as "(a, b, …)" with at most four entries, or as "–" if v is nil. It writes 0 for entries that may be
// only rounding errors relative to the others.
func Vector(v []float64) string {
	c := list(v)
	return c.write(c.size())
}

// Cleared formats v like Spelled, but writes 0 for entries of at most rest times the largest entry.
func Cleared(v []float64, most int, rest float64, write func(float64) string) string {
	var size float64
	for _, x := range v {
		size = max(size, math.Abs(x))
	}
	return Spelled(v, most, func(x float64) string {
		if math.Abs(x) <= rest*size {
			x = 0
		}
		return write(x)
	})
}

// Spelled formats v as "(a, b, …)" with at most the given number of entries.
func Spelled(v []float64, most int, write func(float64) string) string {
	texts := make([]string, 0, most+1)
	for i, x := range v {
		if i == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, write(x))
	}
	return "(" + strings.Join(texts, ", ") + ")"
}
