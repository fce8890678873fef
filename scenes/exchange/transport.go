package exchange

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
)

// Largest problems of transport that are read.
const (
	MaxCostRows    = 1000
	MaxCostColumns = 1000
	MaxCosts       = 100_000 // of a command; IPOT may take tens of seconds for as many

	MaxPastedCosts = 100 // rows, and columns, of a visitor's file
)

// Names of what a file of transport holds, beside those of masses.
const (
	CostName = "cost"
	TauName  = "tau"
)

// TransportInput is what transport reads.
type TransportInput struct {
	Task transport.Task
	Tau  float64 // ≥ 0, of the regularizer R(Γ)
}

// Transported is what transport writes.
type Transported struct {
	Solver    string      `json:"solver"`
	Plan      [][]float64 `json:"plan"`
	Objective float64     `json:"objective"` // cost + τ R(Γ)
	Cost      float64     `json:"cost"`
	// Duals are feasible potentials: u_i + v_j ≤ C_ij. With τ > 0 they are those of the
	// linear problem that the search ends with.
	Duals struct {
		U []float64 `json:"u"`
		V []float64 `json:"v"`
	} `json:"duals"`
	Iterations    int         `json:"iterations"`
	MarginalError float64     `json:"marginal_error"`
	Status        algo.Status `json:"status"` // converged, or budget where the iterations were not enough
}

var transportLayout = Layout{
	noun: "input", content: "a JSON object is expected", object: true, fields: costFields(MaxCostRows, MaxCostColumns),
	check: checkCosts,
}

// Costs is the layout of a visitor's problem of transport: {"cost": [[…], …]}, and, if one
// likes, the masses "a" of the rows and "b" of the columns, and "tau".
var Costs = &Layout{
	noun: "file", content: "costs are expected, as JSON or CSV", fields: costFields(MaxPastedCosts, MaxPastedCosts), check: checkCosts,
}

func costFields(rows, columns int) []field {
	return []field{
		{name: CostName, what: matrix, rows: rows, columns: columns},
		{name: RowMassName, what: list, rows: rows, optional: true},
		{name: ColumnMassName, what: list, rows: columns, optional: true},
		{name: TauName, what: single, optional: true},
	}
}

func checkCosts(p *Pasted) (string, error) {
	in, err := CostsOf(p)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("costs of %d by %d", len(in.Task.A), len(in.Task.B)), nil
}

// CostsOf is the problem that a file in the layout Costs holds. Masses that are absent
// are equal, with the sum of those that are there, or 1.
func CostsOf(p *Pasted) (*TransportInput, error) {
	cost := p.Matrix(CostName)
	n, m := cost.Rows, cost.Cols
	if n*m > MaxCosts {
		return nil, fmt.Errorf("cost: %d rows of %d are more than %d numbers", n, m, MaxCosts)
	}
	a, b := p.List(RowMassName), p.List(ColumnMassName)
	if a != nil && len(a) != n {
		return nil, fmt.Errorf("a: there are %d masses for %d rows", len(a), n)
	}
	if b != nil && len(b) != m {
		return nil, fmt.Errorf("b: there are %d masses for %d columns", len(b), m)
	}
	equal := func(n int, others []float64) []float64 {
		sum := 1.0
		if others != nil {
			sum = 0
			for _, v := range others {
				sum += v
			}
		}
		out := make([]float64, n)
		for i := range out {
			out[i] = sum / float64(n)
		}
		return out
	}
	given := a
	if a == nil {
		a = equal(n, b)
	}
	if b == nil {
		b = equal(m, given)
	}
	in := &TransportInput{Task: transport.Task{Cost: cost.Data, A: a, B: b}, Tau: p.Single(TauName)}
	if err := in.Task.Check(); err != nil {
		return nil, err
	}
	if in.Tau < 0 {
		return nil, fmt.Errorf("tau = %g: it is at least 0", in.Tau)
	}
	return in, nil
}

// ReadTransport reads and checks the input of transport, {"cost", "a", "b", "tau"}, of
// which the last three may be absent or null.
func ReadTransport(r io.Reader) (*TransportInput, error) {
	in, err := readObject(r, &transportLayout)
	if err != nil {
		return nil, err
	}
	return CostsOf(in)
}

// TransportSolvers are the names that Transport takes.
func TransportSolvers() []string { return []string{"exact", "ipot", "sinkhorn"} }

// Transport solves the problem, with settings as texts by name: eps for sinkhorn, beta
// for ipot. For τ > 0 it looks for a plan as transport.Concave does, with its default
// number of restarts.
func Transport(solver string, settings map[string]string, in *TransportInput) (*Transported, error) {
	inner, err := newSolver(solver, settings)
	if err != nil {
		return nil, err
	}
	search, err := transport.NewConcave(inner, transport.DefaultRestarts, 1)
	if err != nil {
		return nil, err
	}
	var p transport.Plan
	if err := search.Solve(&p, &in.Task, in.Tau); err != nil {
		return nil, err
	}
	m := len(in.Task.B)
	out := &Transported{
		Solver: solver, Objective: p.Cost - in.Tau*transport.RowMaxima(p.Mass, m), Cost: p.Cost,
		Iterations: p.Iterations, MarginalError: p.MarginalError, Status: algo.Budget,
	}
	if p.Converged {
		out.Status = algo.Converged
	}
	for i := range in.Task.A {
		out.Plan = append(out.Plan, p.Mass[i*m:(i+1)*m])
	}
	out.Duals.U, out.Duals.V = p.U, p.V
	if !algo.Finite(p.U) || !algo.Finite(p.V) || !algo.Finite([]float64{out.Objective, out.Cost, out.MarginalError}) {
		return nil, errors.New("cost: sums of costs are too large for double precision; scale them down")
	}
	return out, nil
}

func newSolver(name string, settings map[string]string) (transport.Solver, error) {
	var params param.List
	var sinkhorn transport.SinkhornConfig
	var ipot transport.IPOTConfig
	const least, most = transport.LeastRegularization, transport.MostRegularization
	switch name {
	case "exact":
		for name := range settings {
			return nil, fmt.Errorf("-set %s: exact has no parameters", name)
		}
		return transport.NewExact(), nil
	case "sinkhorn":
		sinkhorn.Epsilon = transport.DefaultEpsilon
		params.Number(&sinkhorn.Epsilon, param.Descriptor{Name: "eps", Label: "ε", Min: least, Max: most, Scale: param.Log,
			Help: "Relative to the range of the costs."})
	case "ipot":
		ipot.Beta = transport.DefaultBeta
		params.Number(&ipot.Beta, param.Descriptor{Name: "beta", Label: "β", Min: least, Max: most, Scale: param.Log,
			Help: "Relative to the range of the costs."})
	default:
		return nil, fmt.Errorf("%s is no solver; there are: %s", clipped(name), strings.Join(TransportSolvers(), " "))
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if err := params.Assign(name, settings[name]); err != nil {
			return nil, err
		}
	}
	if name == "ipot" {
		return transport.NewIPOT(ipot)
	}
	return transport.NewSinkhorn(sinkhorn)
}
