package weigh

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
	"paretoplay/internal/engine/data"
)

// Transported is the output of the transport command.
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
	Converged     bool    `json:"converged"` // whether the solver's own criterion is met; for exact: whether the gap is only rounding
	// Bound is the dual bound Σ a_i u_i + Σ b_j v_j, a lower bound on the cost of any plan. Gap is Cost − Bound. Both are
	// nil for τ > 0, because the potentials then bound another objective.
	Bound *float64 `json:"bound"`
	Gap   *float64 `json:"gap"`
	// Reg is Sinkhorn's ε in the unit of the costs, which POT calls reg and ott calls epsilon. It is nil for other
	// solvers.
	Reg *float64 `json:"reg,omitempty"`
	// Values holds the plan's values as other libraries define them. It is nil for τ > 0 and for IPOT, because those
	// libraries do not define the objectives in these cases.
	Values *PeerValues `json:"values,omitempty"`
}

// ReadTransport reads and validates the input of the transport command, {"cost", "a", "b", "tau"}. tau may be absent or
// null.
func ReadTransport(r io.Reader) (*data.TransportInput, error) {
	in, err := data.Read(r, data.CostsObject)
	if err != nil {
		return nil, err
	}
	return in.Transport()
}

// Solvers returns the solver names that Transport accepts.
func Solvers() []string {
	var out []string
	for _, m := range transport.Methods {
		out = append(out, m.ID)
	}
	return out
}

// Transport solves a transport problem with the given solver. Settings map parameter names to texts. Transport scales b to
// the sum of a.
func Transport(solver string, settings map[string]string, in *data.TransportInput) (*Transported, error) {
	method, ok := transport.Lookup(solver)
	if !ok {
		return nil, fmt.Errorf("unknown solver %q; available: %s", solver, strings.Join(Solvers(), " "))
	}
	var params param.List
	regularization := method.Default
	if method.Regularization.Name != "" {
		params.Number(&regularization, method.Regularization)
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if len(params.Names()) == 0 {
			return nil, fmt.Errorf("unknown parameter %q: %s has no parameters", name, solver)
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
	out.Converged = plan.Converged
	if in.Tau == 0 {
		bound := plan.Cost - plan.Gap
		out.Bound, out.Gap = &bound, &plan.Gap
	}
	if in.Tau > 0 {
		out.Objective -= float64(in.Tau * transport.RowMaxima(plan.Mass, len(in.B)))
	}
	var reg float64
	if solver == "sinkhorn" {
		reg = float64(regularization * (slices.Max(in.Cost) - slices.Min(in.Cost)))
		out.Reg = &reg
	}
	checked := []float64{out.Objective, out.Cost, out.MarginalError, plan.Gap, reg}
	if in.Tau == 0 && solver != "ipot" {
		out.Values = peerValues(in, &plan, reg)
		checked = slices.AppendSeq(checked, maps.Values(out.Values.POT))
		checked = slices.AppendSeq(checked, maps.Values(out.Values.OTT))
	}
	out.Duals.U, out.Duals.V = plan.U, plan.V
	for row := range slices.Chunk(plan.Mass, len(in.B)) {
		out.Plan = append(out.Plan, row)
	}
	if !algo.Finite(plan.U) || !algo.Finite(plan.V) || !algo.Finite(checked) {
		return nil, errors.New("cost: sums of costs are too large for double precision; scale the costs down")
	}
	return out, nil
}
