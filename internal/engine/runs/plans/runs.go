package plans

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// Course is a problem for the methods to run on, with its settings.
type Course struct {
	Problem algo.Partial // the problem with its n objectives
	Starts  [][]float64  // starts of the m solutions
	// A and B are the masses of the n objectives and the m solutions. If they are empty, the masses are equal. MosT-E
	// matches mixtures, which have equal masses.
	A, B []float64
	// Mixtures are MosT-E's mixtures. If Mixtures is nil, they are drawn according to the parameters.
	Mixtures [][]float64
	// Sums are the weights of linearization's sums, one row for each solution. If Sums is nil, they are drawn.
	Sums [][]float64
	// LowerBounds are the n bounds from which EPO measures losses. nil means 0.
	LowerBounds []float64
	// Shares are the objectives' weights in averages, ≥ 0 with sum 1. If Shares is empty, the weights are equal.
	Shares []float64
	// Drawn returns FedProx's problem, which pulls clients' models back to the round's first model with strength μ. It is
	// nil if objectives are not clients.
	Drawn func(mu float64) (algo.Partial, error)

	Horizon int // planned number of rounds, for a curriculum
	Seed    uint64
}

// Names of the recorded values. They belong to a point or to the step that leaves it.
const (
	OracleLoss = "oracleLoss" // mean, over the objectives, of the best solution's loss
	MeanLoss   = "meanLoss"   // mean loss over all solutions and objectives
	Worst      = "worst"      // mean of the best solution's loss over the worst 20, 40, 60 and 80 % of the objectives
	Won        = "won"        // fraction of the objectives for which a solution is best

	Plan      = "plan"
	A         = "a" // masses of the objectives after the curriculum
	B         = "b"
	Tau       = "tau" // in units of the losses
	ColumnSum = "columnSum"
	Active    = "active"  // number of objectives that a solution serves
	Cost      = "cost"    // Σ Γ_ij L_ij
	BD2       = "bd2"     // Σ_j (column sum j)·‖d_j‖²
	BD2Mean   = "bd2Mean" // mean of bd2 over all rounds so far
	Zeros     = "zeros"   // fraction of the plan's entries that are zero
	Change    = "kl"      // Kullback–Leibler divergence between the plan and the previous round's
	Diversity = "diversity"
)

// worst lists the fractions of objectives for Worst.
var worst = [...]float64{0.2, 0.4, 0.6, 0.8}

// Runs returns a run at k = 0 for every method that is on. Each run covers all starts of the course.
func (r *Roster) Runs(c Course) ([]*timeline.Run, error) {
	runs, err := r.Roster.Runs(r.On, c.Starts, func(int) *Course { return &c })
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		d, n := c.Problem.Dims()
		record := &recorder{omega: pareto.StationarityOf(c.Problem), d: d, n: n, m: len(c.Starts), rows: n, best: make([]float64, n)}
		record.stepper, _ = run.Stepper.(*transport.MosT)
		if record.stepper != nil {
			record.rows, _ = record.stepper.Matched()
		}
		run.Member = "solution"
		run.AtPoint, run.MeasurePoint = record.points(), record.measurePoint
		run.OfStep, run.MeasureStep = record.steps(), record.measureStep
	}
	return runs, nil
}

// recorder measures the points and steps of one run.
type recorder struct {
	omega         func(x []float64) float64
	stepper       *transport.MosT // nil for methods without a transport stepper
	d, n, m, rows int             // numbers of variables, objectives, solutions and rows of the plan
	best          []float64
}

// points lists the values that a run records at each point.
func (r *recorder) points() []timeline.Extra {
	return []timeline.Extra{
		{Name: OracleLoss, Label: "oracle loss"}, {Name: MeanLoss, Label: "mean loss"}, {Name: Worst, Size: len(worst)},
		{Name: Won, Each: true, Label: "share won"},
	}
}

func (r *recorder) measurePoint(v algo.View, stationarity, further []float64) {
	for j := range stationarity {
		stationarity[j] = r.omega(v.X[j*r.d : (j+1)*r.d])
	}
	further[0], further[1] = transport.OracleLoss(v.F, r.n), transport.MeanLoss(v.F)
	transport.BestLosses(r.best, v.F)
	for i, share := range worst {
		further[2+i] = transport.Worst(r.best, share)
	}
	transport.Won(further[2+len(worst):], v.F)
}

// steps lists the values that a run records for each step.
func (r *recorder) steps() []timeline.Extra {
	return []timeline.Extra{
		{Name: Plan, Size: r.rows, Each: true, Table: true}, {Name: A, Size: r.rows}, {Name: B, Each: true}, {Name: Tau},
		{Name: ColumnSum, Each: true}, {Name: Active, Each: true, Whole: true}, {Name: Cost}, {Name: BD2}, {Name: BD2Mean},
		{Name: Zeros}, {Name: Change}, {Name: Diversity},
	}
}

func (r *recorder) measureStep(_ []float64, _ algo.View, further []float64) {
	if r.stepper == nil {
		return
	}
	round, ok := r.stepper.Round()
	if !ok {
		return
	}
	put := func(values ...float64) { further = further[copy(further, values):] }
	skip := func(count int) { further = further[count:] }
	if round.Plan == nil {
		skip(r.rows*r.m + r.rows + r.m + 1 + r.m + r.m + 1)
		put(round.BD2[0], round.BD2Mean)
		return
	}
	for j := range r.m {
		for i := range r.rows {
			further[j*r.rows+i] = round.Plan.Mass[i*r.m+j]
		}
	}
	skip(r.rows * r.m)
	put(round.A...)
	put(round.B...)
	put(round.Tau)
	put(round.ColumnSums...)
	for _, count := range round.Active {
		put(float64(count))
	}
	put(round.Plan.Cost, round.BD2[0], round.BD2Mean, transport.Zeros(round.Plan.Mass, r.m), round.Change,
		transport.Diversity(round.Plan.Mass, r.m))
}

// PlanOf returns the plan of the step that leaves the given row of a run. The row must not be that of a single
// solution. The plan has one column for each solution. ok is false if there is no plan.
func PlanOf(run *timeline.Run, row timeline.Row) (mass []float64, columns int, ok bool) {
	lists := row.List(Plan)
	if lists == nil {
		return nil, 0, false
	}
	m := run.Solutions()
	rows := len(lists) / m
	mass = make([]float64, len(lists))
	for j := range m {
		for i := range rows {
			mass[i*m+j] = lists[j*rows+i]
		}
	}
	return mass, m, true
}

// MethodResult describes a method's run in the scene's results.
type MethodResult struct {
	OracleLoss float64   `json:"oracleLoss"`
	MeanLoss   float64   `json:"meanLoss"`
	Worst      []float64 `json:"worst"` // for the worst 20, 40, 60 and 80 % of the objectives
	Won        []float64 `json:"won"`
	Zeros      *float64  `json:"zeros"` // for the last plan; null if there is none
	Change     *float64  `json:"kl"`    // between the last plan and the previous one
}

// Results returns the results of t's runs, keyed by the runs' names.
func Results(t *timeline.Timeline) map[string]MethodResult {
	out := map[string]MethodResult{}
	for _, run := range t.Runs() {
		row := run.Kept(run.Len() - 1)
		result := MethodResult{OracleLoss: row.Number(OracleLoss), MeanLoss: row.Number(MeanLoss),
			Worst: slices.Clone(row.Value(Worst)), Won: slices.Clone(row.Value(Won))}
		if run.Last() > 0 {
			step, _, _ := t.Ahead(run, run.Last()-1) // the step is known, because the run has taken it
			result.Zeros, result.Change = data.Known(step.Number(Zeros)), data.Known(step.Number(Change))
		}
		out[run.Name] = result
	}
	return out
}

// Clock returns the clock for the time axis of panels. r.Axis selects rounds or backpropagations.
func (r *Roster) Clock(t *timeline.Timeline) func() *kinds.Clock {
	rounds := kinds.RoundClock(t.Budget)
	spent := kinds.BackpropagationClock(func() int { return r.MostBackpropagations(t) })
	return func() *kinds.Clock {
		if r.Axis == spent.Name {
			return spent
		}
		return rounds
	}
}

// MostBackpropagations returns an upper bound on the cost of a single solution of any run within the budget. An axis of
// backpropagations can end at this number.
func (r *Roster) MostBackpropagations(t *timeline.Timeline) int {
	most := 0
	for _, run := range t.Runs() {
		row := run.Kept(0)
		m := run.Solutions()
		n := len(row.F) / m
		each := n
		if HasPlan(run.Method) && r.Solver == Exact && run.Method != RandomPlan && run.Method != Extended {
			each = min(n, (n+m-1+m-1)/m) // at most n+m−1 objectives are served in total
		}
		inner := r.K
		if run.Method == MOOSVGD {
			inner = 1
		}
		most = max(most, each*inner*t.Budget(), run.Kept(run.Len()-1).BP/m)
	}
	return most
}
