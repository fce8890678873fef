package data

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
)

// Largest transport problem that the command reads. With random costs the exact solver
// takes seconds for it, with τ > 0 a minute.
const MaxMasses = 1000 // rows, and columns

// Largest transport problem of a visitor's file: a scene solves it again and again during
// a drag.
const MaxPastedMasses = 40

// TransportInput is the input of transport.
type TransportInput struct {
	transport.Task
	Tau float64 // ≥ 0, of the reward for rows that stay whole
}

// Transported is the output of transport.
type Transported struct {
	Solver    string      `json:"solver"`
	Plan      [][]float64 `json:"plan"`
	Objective float64     `json:"objective"` // cost + τ R(Γ)
	Cost      float64     `json:"cost"`
	Duals     struct {
		U []float64 `json:"u"`
		V []float64 `json:"v"`
	} `json:"duals"`
	Iterations    int     `json:"iterations"`
	MarginalError float64 `json:"marginal_error"`
}

// CostName and TauName are the fields of a transport problem, besides the masses of rows
// and columns.
const (
	CostName = "cost"
	TauName  = "tau"
)

// costFields are the fields of a transport problem of bounded size.
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
	return fmt.Sprintf("%d rows of %d costs", len(in.A), len(in.B)), nil
}

var transportLayout = Layout{
	noun: "input", content: "a JSON object is expected", object: true, fields: costFields(MaxMasses, true), check: checkCosts,
}

// Costs is the layout of a matrix of costs, optionally with the masses of its rows and
// columns, and τ.
var Costs = &Layout{
	noun: "file", content: "costs are expected, as JSON or CSV", fields: costFields(MaxPastedMasses, false), check: checkCosts,
}

// ReadTransport reads and checks the input of transport, {"cost", "a", "b", "tau"}; the
// last may be absent or null.
func ReadTransport(r io.Reader) (*TransportInput, error) {
	in, err := readObject(r, &transportLayout)
	if err != nil {
		return nil, err
	}
	return in.Transport()
}

// Transport returns the problem of a file in the layout Costs. Masses that are absent are
// equal, with the sum of the given ones, or 1. The error says why it is no problem.
func (p *Pasted) Transport() (*TransportInput, error) {
	cost := p.Matrix(CostName)
	in := &TransportInput{Tau: p.Number(TauName)}
	in.Cost, in.A, in.B = cost.Data, p.List(RowMassName), p.List(ColumnMassName)
	if in.A != nil && len(in.A) != cost.Rows {
		return nil, fmt.Errorf("a: there are %d masses for %d rows of costs", len(in.A), cost.Rows)
	}
	if in.B != nil && len(in.B) != cost.Cols {
		return nil, fmt.Errorf("b: there are %d masses for %d columns of costs", len(in.B), cost.Cols)
	}
	total := 1.0
	switch {
	case in.A != nil:
		total = floats.Sum(in.A)
	case in.B != nil:
		total = floats.Sum(in.B)
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
	return in, in.Check()
}

// equal returns n equal masses with that sum.
func equal(n int, total float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = total / float64(n)
	}
	return out
}

// TransportSolvers returns the names that Transport takes.
func TransportSolvers() []string {
	var out []string
	for _, m := range transport.Methods {
		out = append(out, m.ID)
	}
	return out
}

// Transport solves the problem, with settings as texts by name. It scales b to the sum of
// a.
func Transport(solver string, settings map[string]string, in *TransportInput) (*Transported, error) {
	method, ok := transport.Lookup(solver)
	if !ok {
		return nil, fmt.Errorf("%q is no solver; there are: %s", solver, strings.Join(TransportSolvers(), " "))
	}
	var params param.List
	regularization := method.Default
	if method.Regularization.Name != "" {
		params.Number(&regularization, method.Regularization)
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if len(params.Names()) == 0 {
			return nil, fmt.Errorf("%q is no parameter of %s, which has none", name, solver)
		}
		if err := params.Assign(name, settings[name]); err != nil {
			return nil, err
		}
	}
	inner, err := method.New(regularization)
	if err != nil {
		return nil, err
	}
	search, err := transport.NewConcave(inner, transport.DefaultRestarts, 0)
	if err != nil {
		return nil, err
	}
	var plan transport.Plan
	if err := search.Solve(&plan, &in.Task, in.Tau); err != nil {
		return nil, err
	}
	out := &Transported{
		Solver: solver, Objective: plan.Cost, Cost: plan.Cost, Iterations: plan.Iterations, MarginalError: plan.MarginalError,
	}
	if in.Tau > 0 {
		out.Objective -= in.Tau * transport.RowMaxima(plan.Mass, len(in.B))
	}
	out.Duals.U, out.Duals.V = plan.U, plan.V
	for row := range slices.Chunk(plan.Mass, len(in.B)) {
		out.Plan = append(out.Plan, row)
	}
	if !algo.Finite(plan.U) || !algo.Finite(plan.V) || !algo.Finite([]float64{out.Objective, out.Cost, out.MarginalError}) {
		return nil, errors.New("cost: sums of them are too large for double precision; scale them down")
	}
	return out, nil
}
