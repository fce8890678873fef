package data

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/transport"
	"paretoplay/internal/portable"
)

// MaxMasses is the maximum number of rows and of columns that the transport command reads. With random costs, the exact
// solver takes seconds for a problem of this size, and a minute with τ > 0.
const MaxMasses = 1000 // of rows, and of columns

// MaxPastedMasses is the corresponding limit for a visitor's file. It is lower than MaxMasses because a scene solves
// the problem repeatedly during a drag.
const MaxPastedMasses = 40

// TransportInput is the input of the transport command, and the content of a file in the Costs layout.
type TransportInput struct {
	transport.Task
	Tau   float64 // weight, ≥ 0, of the reward for not dividing rows among columns
	Notes []string
}

// saidDifference is the relative difference between the sums of two lists of masses above which the scaling of one list
// is reported. The limit exceeds the rounding error of double precision.
const saidDifference = 1e-9

// scaling returns a note saying that b is scaled to the sum of a, or "" if rounding error explains the difference
// between the sums.
func scaling(a, b []float64) string {
	from, to := portable.Sum(b), portable.Sum(a)
	difference := math.Abs(from-to) / max(from, to)
	if !(difference > saidDifference) {
		return ""
	}
	return fmt.Sprintf("the sums of a and b differ by a relative %.1e, as in single precision; b is scaled to the sum of a", difference)
}

// CostName and TauName are the names of a transport problem's fields other than the masses of rows and columns.
const (
	CostName = "cost"
	TauName  = "tau"
)

// costFields returns the fields of a transport problem with at most the given number of rows and of columns.
func costFields(most int, massesToo bool) []field {
	return []field{
		{name: CostName, what: matrix, rows: most, columns: most},
		{name: RowMassName, what: list, rows: most, optional: !massesToo},
		{name: ColumnMassName, what: list, rows: most, optional: !massesToo},
		{name: TauName, what: number, optional: true},
	}
}

func checkCosts(p *Pasted) (string, error) {
	in, err := p.Transport()
	if err != nil {
		return "", err
	}
	p.Notes = append(p.Notes, in.Notes...)
	return fmt.Sprintf("%d rows of %d costs", len(in.A), len(in.B)), nil
}

// Costs is the layout of a matrix of costs, optionally with the masses of its rows and columns, and with τ.
var Costs = &Layout{
	noun: "file", content: "costs are expected, as JSON or CSV", fields: costFields(MaxPastedMasses, false), check: checkCosts,
}

// Transport returns the problem in a file with the Costs layout. Missing masses get equal values that add up to the sum
// of the given masses, or to 1 if none are given. Transport returns an error if the problem is invalid.
func (p *Pasted) Transport() (*TransportInput, error) {
	cost := p.Matrix(CostName)
	in := &TransportInput{Tau: p.Number(TauName)}
	in.Cost, in.A, in.B = cost.Data, p.List(RowMassName), p.List(ColumnMassName)
	if in.A != nil && len(in.A) != cost.Rows {
		return nil, fmt.Errorf("a: got %d masses for %d rows of costs", len(in.A), cost.Rows)
	}
	if in.B != nil && len(in.B) != cost.Cols {
		return nil, fmt.Errorf("b: got %d masses for %d columns of costs", len(in.B), cost.Cols)
	}
	total := 1.0
	switch {
	case in.A != nil:
		total = portable.Sum(in.A)
	case in.B != nil:
		total = portable.Sum(in.B)
	}
	if in.A == nil {
		in.A = equal(cost.Rows, total)
	}
	if in.B == nil {
		in.B = equal(cost.Cols, total)
	}
	if in.Tau < 0 {
		return nil, &algo.RangeError{Name: TauName, Value: in.Tau, Allowed: "at least 0"}
	}
	if text := scaling(in.A, in.B); text != "" {
		in.Notes = []string{text}
	}
	return in, in.Check()
}

// ShareOfSum returns masses divided by their sum, so that they add up to 1.
func ShareOfSum(masses []float64) []float64 {
	var sum float64
	for _, v := range masses {
		sum += v
	}
	out := make([]float64, len(masses))
	for i, v := range masses {
		out[i] = v / sum
	}
	return out
}

// equal returns n equal masses with the given sum.
func equal(n int, total float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = total / float64(n)
	}
	return out
}
