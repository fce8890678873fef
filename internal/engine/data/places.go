package data

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/transport"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Maximum size of a file in the Places layout.
const (
	MaxCentres   = 200
	MaxSolutions = 10
)

// Names of the fields of the Places layout.
const (
	CentresName    = "centres"
	StartsName     = "starts"
	RowMassName    = "a"
	ColumnMassName = "b"
)

// Places is the layout of goals in the plane, {"centres": [[x, y], …]}. The masses "a" of the goals, the masses "b" of
// the solutions, and the starting points "starts" of the solutions are optional. Masses define a transport problem:
// they must not be negative and, if both lists are given, the two sums must be equal. Each list is divided by its sum.
var Places = &Layout{
	noun: "file", content: "goals are expected, as JSON or CSV",
	fields: []field{
		{name: CentresName, what: matrix, rows: MaxCentres, columns: 2, exactly: true},
		{name: RowMassName, what: list, rows: MaxCentres, optional: true},
		{name: ColumnMassName, what: list, rows: MaxSolutions, optional: true},
		{name: StartsName, what: matrix, rows: MaxSolutions, columns: 2, exactly: true, optional: true},
	},
	check: func(p *Pasted) (string, error) {
		centres, starts := p.Matrix(CentresName), p.Matrix(StartsName)
		for _, m := range []struct {
			name string
			of   *algo.Jacobian
		}{{CentresName, centres}, {StartsName, starts}} {
			if m.of == nil {
				continue
			}
			const most = 1e6 // above this limit, squared distances may be too inaccurate to distinguish goals
			for _, v := range m.of.Data {
				if !(v >= -most && v <= most) {
					return "", fmt.Errorf("%s: %g is outside %g to %g", m.name, v, -most, most)
				}
			}
		}
		about := numeral.Counted(centres.Rows, "goal")
		if starts != nil {
			about += ", " + numeral.Counted(starts.Rows, "start")
		}
		return about, massesFit(p)
	},
}

func massesFit(p *Pasted) error {
	a, b := p.List(RowMassName), p.List(ColumnMassName)
	if n := p.Matrix(CentresName).Rows; a != nil && len(a) != n {
		return fmt.Errorf("a: got %d masses for %d centres", len(a), n)
	}
	if starts := p.Matrix(StartsName); starts != nil && b != nil && len(b) != starts.Rows {
		return fmt.Errorf("b: got %d masses for %d starts", len(b), starts.Rows)
	}
	if a == nil && b == nil {
		return nil
	}
	// If only one list of masses is given, a single place with the same total mass stands for the other list.
	if a == nil {
		a = []float64{portable.Sum(b)}
	} else if b == nil {
		b = []float64{portable.Sum(a)}
	}
	task := transport.Task{Cost: make([]float64, len(a)*len(b)), A: a, B: b}
	if text := scaling(a, b); text != "" {
		p.Notes = append(p.Notes, text)
	}
	return task.Check()
}
