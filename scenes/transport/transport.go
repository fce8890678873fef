// Package transport is the scene of the solvers of transport themselves: Sinkhorn’s
// scalings, the proximal steps of IPOT and the pivots of the transportation simplex are
// watched, one iteration at a time, beside the exact plan.
package transport

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Scene is one visitor's problem of transport. It implements scene.Scene and scene.Guest.
type Scene struct {
	scene.Base
	values Params

	problem *problem
	version int            // of the problem, for pictures that are kept
	file    *algo.Jacobian // costs that the visitor brought, nil for none

	rows, columns *panel.Bars
	errors        *panel.History
	views         map[string][]panel.Panel
	facts         []scene.Fact
}

var _ scene.Guest = (*Scene)(nil)

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.rows = s.bars("a", "Masses of the rows", "row", func() []float64 { return s.problem.task.A })
	s.columns = s.bars("b", "Masses of the columns", "column", func() []float64 { return s.problem.task.B })
	s.errors = s.errorHistory()
	s.MarkOn(s.errors)
	plan, exactPlan, errors, gap := s.planPanel(), s.exactPanel(), s.errorPanel(), s.gapPanel()
	s.views = map[string][]panel.Panel{
		viewMasses: {plan, exactPlan, s.rows.Panel(), errors, gap, s.columns.Panel()},
		viewCosts:  {plan, exactPlan, s.costPanel(), errors, gap, s.potentialsPanel()},
	}
	s.facts = s.listFacts()
	return s
}

// Restart solves the problem exactly and builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	p, err := v.newProblem(s.file)
	if err != nil {
		return err
	}
	var runs []*timeline.Run
	solvers := v.Solvers
	if s.waits() {
		solvers = nil
	}
	for _, name := range solvers {
		inner, err := v.newSolver(name)
		if err != nil {
			return err
		}
		w, err := watch(inner, p)
		if err != nil {
			return err
		}
		title := titleOf(name)
		runs = append(runs, &timeline.Run{
			Name: name, Method: name, Title: title, Label: title, Starts: [][]float64{slices.Clone(w.plan.Mass)}, Stepper: w,
			AtPoint: []timeline.Extra{{Name: "cost", Symbol: "Σ Γ_ij C_ij", Label: "cost"}, {Name: "bound", Label: "bound by potentials"},
				{Name: "zeros", Label: "share of zeros"}, {Name: "u", Size: p.n}, {Name: "v", Size: p.m}},
			MeasurePoint: func(_ algo.View, _, further []float64) { w.measure(further) },
		})
	}
	s.problem = p
	s.version++
	s.Timeline().SetEnd(v.Budget, 0)
	s.Timeline().Reset(runs, log)
	return nil
}

// measure stores what a run records of its plan beside what every run does.
func (w *watched) measure(further []float64) {
	further[0] = w.plan.Cost
	further[1] = w.problem.dual(w.plan.U, w.plan.V)
	further[2] = zeros(w.plan.Mass)
	copy(further[3:], w.plan.U)
	copy(further[3+len(w.plan.U):], w.plan.V)
}

// zeros is the share of entries below 1e-6 of the largest of all.
func zeros(mass []float64) float64 {
	count, largest := 0, slices.Max(mass)
	for _, v := range mass {
		if v < 1e-6*largest {
			count++
		}
	}
	return float64(count) / float64(len(mass))
}

func titleOf(solver string) string {
	return Methods[slices.IndexFunc(Methods, func(m param.Method) bool { return m.ID == solver })].Title
}

// Panels are the linked pictures of the view.
func (s *Scene) Panels() []panel.Panel { return s.views[s.values.View] }

// Drag implements scene.Scene for the bars, for the costs, and for the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if shares, ok := s.rows.Drag(handle, x, y); ok {
		return "a", param.FormatShares(shares)
	}
	if shares, ok := s.columns.Drag(handle, x, y); ok {
		return "b", param.FormatShares(shares)
	}
	if handle == paintHandle {
		return s.paint(x, y)
	}
	return s.Base.Drag(handle, x, y)
}

// paint sets the cost under a point of the picture of costs, and shows what is painted.
func (s *Scene) paint(x, y float64) (name, text string) {
	i, j := s.problem.n-1-int(math.Round(y)), int(math.Round(x))
	if !s.paintable() || i < 0 || j < 0 || i >= s.problem.n || j >= s.problem.m {
		return "", ""
	}
	rows := make([][]float64, s.problem.n)
	lo, hi := slices.Min(s.problem.cost), slices.Max(s.problem.cost)
	scale := 1.0
	if s.values.Cost == costFile && hi > lo { // others are between 0 and 1
		scale = hi - lo
	} else {
		lo = 0
	}
	for k := range rows {
		rows[k] = make([]float64, s.problem.m)
		for l, c := range s.problem.cost[k*s.problem.m : (k+1)*s.problem.m] {
			rows[k][l] = math.Round((c-lo)/scale*1000) / 1000 // links stay short
		}
	}
	if s.values.Cost == costPainted && rows[i][j] == s.values.Brush {
		return "", ""
	}
	rows[i][j] = s.values.Brush
	s.values.Cost = costPainted
	return "painted", param.FormatRows(rows)
}

func (s *Scene) paintable() bool { return max(s.problem.n, s.problem.m) <= mostPaint }

// Takes implements scene.Guest.
func (s *Scene) Takes() *exchange.Layout { return exchange.Costs }

// Paste implements scene.Guest: the file gives costs, their number, the masses and τ.
func (s *Scene) Paste(p *exchange.Pasted) error {
	in, err := exchange.CostsOf(p)
	if err != nil {
		return err
	}
	v := &s.values
	n, m := len(in.Task.A), len(in.Task.B)
	least, largest := slices.Min(in.Task.Cost), slices.Max(in.Task.Cost)
	span := largest - least
	if math.IsInf(span, 1) {
		return errors.New("cost: the range of the costs is too large for double precision; scale them down")
	}
	var tau float64
	if in.Tau > 0 && span > 0 {
		tau = in.Tau / span
	}
	if d, _ := s.Params().Lookup("tau"); tau > d.Max {
		return fmt.Errorf("tau = %g: it is at most %g times the range of the costs here", in.Tau, d.Max)
	}
	v.N, v.M, v.Cost, v.Tau = n, m, costFile, tau
	v.A, v.B = normalized(p.List(exchange.RowMassName)), normalized(p.List(exchange.ColumnMassName))
	s.file = p.Matrix(exchange.CostName)
	return nil
}

// normalized are masses divided by their sum.
func normalized(mass []float64) []float64 {
	var sum float64
	for _, v := range mass {
		sum += v
	}
	out := make([]float64, len(mass))
	for i, v := range mass {
		out[i] = v / sum
	}
	return out
}

// Brought implements scene.Guest.
func (s *Scene) Brought() []string { return []string{"n", "m", "a", "b", "tau"} }

// waits says that what is shown needs a file that is not here.
func (s *Scene) waits() bool { return s.ShowsPasted() && s.file == nil }

// ShowsPasted implements scene.Guest.
func (s *Scene) ShowsPasted() bool { return s.values.Cost == costFile }

// RunResult is what became of a run.
type RunResult struct {
	Run        string  `json:"run"`
	Solver     string  `json:"solver"`
	Status     string  `json:"status"`
	Iterations int     `json:"iterations"`
	Cost       float64 `json:"cost"`
	Gap        float64 `json:"gap"` // |cost − least cost|, relative to the range of the costs
	Marginal   float64 `json:"marginal_error"`
	Zeros      float64 `json:"zeros"`
}

// Results are the outcomes of the runs and the exact plan.
func (s *Scene) Results() any {
	p := s.problem
	runs := []RunResult{}
	for _, r := range s.Timeline().Tracks() {
		row := r.Kept(r.Len() - 1)
		runs = append(runs, RunResult{
			Run: r.Name(), Solver: r.Method, Status: r.Status().String(), Iterations: row.K, Cost: row.Number("cost"),
			Gap: row.F[gap], Marginal: row.F[marginalError], Zeros: row.Number("zeros"),
		})
	}
	plan := make([][]float64, p.n)
	for i := range plan {
		plan[i] = p.exact.Mass[i*p.m : (i+1)*p.m]
	}
	return map[string]any{"runs": runs, "exact": map[string]any{
		"plan": plan, "cost": p.exact.Cost, "duals": map[string]any{"u": p.exact.U, "v": p.exact.V}, "iterations": p.exact.Iterations,
	}}
}
