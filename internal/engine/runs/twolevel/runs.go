package twolevel

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// Course is a problem for methods to run on, and one start.
type Course struct {
	Problem    algo.Bilevel
	Start      []float64 // start z_0 = (α_0, ω_0)
	StartIndex int       // number of the start, counted from 0
	Seed       uint64
}

// Beside describes additional values that a scene records at each point.
type Beside struct {
	List []timeline.Extra
	// Measure stores the values of List at the point of v.
	Measure func(s bilevel.Stepper, v algo.View, further []float64)
}

// Runs returns runs at k = 0 for every method that is on, from all starts. The runs also record the values that
// beside lists.
func (r *Roster) Runs(problem algo.Bilevel, starts [][]float64, beside Beside) ([]*timeline.Run, error) {
	runs, err := r.Roster.Runs(r.running(), starts, func(start int) *Course {
		return &Course{Problem: problem, Start: starts[start], StartIndex: start, Seed: r.Seed}
	})
	if err != nil {
		return nil, err
	}
	record := &recorder{measures: bilevel.NewMeasures(problem)}
	record.set, _ = problem.(algo.SolutionSet)
	n, p, m := problem.Dims()
	record.z, record.m = n+p, m
	for _, run := range runs {
		stepper := run.Stepper.(bilevel.Stepper)
		own := record.points()
		width := 0
		for _, e := range own {
			width += max(e.Size, 1)
		}
		run.AtPoint = append(slices.Clone(own), beside.List...)
		run.MeasurePoint = func(v algo.View, stationarity, further []float64) {
			stationarity[0] = record.measurePoint(stepper, v, further[:width])
			if beside.Measure != nil {
				beside.Measure(stepper, v, further[width:])
			}
		}
		run.OfStep = record.steps()
		run.MeasureStep = func(from []float64, v algo.View, further []float64) { record.measureStep(stepper, from, v, further) }
	}
	return runs, nil
}

// running returns the methods that run. It adds FORUM's exact dual and its released variant if requested.
func (r *Roster) running() []string {
	on := slices.Clone(r.On)
	i := slices.Index(on, FORUM)
	if i < 0 {
		return on
	}
	if r.Variant == variantBoth {
		on = slices.Insert(on, i+1, FORUMReleased)
	}
	if r.Multiplier == multiplierBoth && r.Variant != string(bilevel.Released) {
		on = slices.Insert(on, i+1, FORUMExact)
	}
	return on
}

// ProductsOf returns the number of Hessian-vector products spent to reach a row.
func ProductsOf(row timeline.Row) float64 { return row.Number(Products) }

// Spent returns the number of gradients and Hessian-vector products spent to reach a row.
func Spent(row timeline.Row) float64 { return runs.Spent(row) + ProductsOf(row) }

// Names of the recorded values.
const (
	Distance = "E"       // distance from the Pareto-optimal points
	Q        = "q"       // excess q̃ after T steps of the loop
	QExact   = "q_exact" // exact excess q
	KKT      = "kkt"
	// MeasuredAt is the point (α, ω) at which E, q_exact, kkt and the stationarity are measured. It is z_k or, for
	// methods whose ω_k belongs to the previous α, (α_k, ω̃^T).
	MeasuredAt = "measured_at"
	Products   = "hvp" // number of Hessian-vector products spent
	QNorm      = "gq_norm"
	Phi        = "phi"
	Nu         = "nu"
	K          = "K_z"    // value of K(z); "K" alone might be confused with the iteration "k"
	Lambda     = "lambda" // weights before averaging
	Pi         = "pi"
)

// recorder measures the points and steps of runs on one problem.
type recorder struct {
	measures *bilevel.Measures
	set      algo.SolutionSet // nil if the solutions are unknown
	z, m     int              // number of variables of both levels together, and number of upper objectives
}

// points lists the values that a run records at each point.
func (r *recorder) points() []timeline.Extra {
	var out []timeline.Extra
	if r.set != nil {
		out = append(out, timeline.Extra{Name: Distance, Symbol: "E", Label: "distance from the solutions"})
	}
	if r.measures.Exact() {
		out = append(out, timeline.Extra{Name: QExact, Symbol: "q", Label: "lower level’s excess"}, timeline.Extra{Name: KKT})
	}
	if out != nil {
		out = append(out, timeline.Extra{Name: MeasuredAt, Size: r.z})
	}
	return append(out, timeline.Extra{Name: Products, Symbol: "HVP", Label: "Hessian-vector products", Whole: true})
}

// measurePoint stores the values that points lists. It returns √KKT, or NaN if KKT is unknown.
func (r *recorder) measurePoint(s bilevel.Stepper, v algo.View, further []float64) (stationarity float64) {
	put := func(value float64) {
		further[0] = value
		further = further[1:]
	}
	stationarity = math.NaN()
	if r.set != nil || r.measures.Exact() { // computing the measured point may need a whole loop
		z := s.Measured()
		if r.set != nil {
			put(r.set.Distance(z))
		}
		if r.measures.Exact() {
			put(r.measures.Q(z))
			stationarity = r.measures.Stationarity(z)
			put(stationarity * stationarity)
		}
		further = further[copy(further, z):]
	}
	put(float64(v.Cost.HessianVectorProducts))
	return stationarity
}

// steps lists the values that a run records for each step.
func (r *recorder) steps() []timeline.Extra {
	return []timeline.Extra{
		{Name: Q, Symbol: "q̃", Label: "excess after T steps"}, {Name: QNorm}, {Name: Phi}, {Name: Nu, Symbol: "ν",
			Label: "multiplier"}, {Name: K},
		{Name: Lambda, Size: r.m}, {Name: Pi, Size: r.m},
	}
}

// measureStep stores the values that steps lists.
func (r *recorder) measureStep(s bilevel.Stepper, from []float64, v algo.View, further []float64) {
	t := s.Trace()
	further[0], further[2], further[3] = t.Q, t.Phi, t.Nu
	if t.QGradient != nil {
		var square float64
		for _, g := range t.QGradient {
			square += float64(g * g)
		}
		further[1] = math.Sqrt(square)
	}
	if v.Weights != nil && !math.IsNaN(t.Nu) {
		factors := v.Weights
		if t.Factors != nil {
			factors = t.Factors
		}
		further[4] = r.measures.K(from, factors, t.Nu)
	}
	copy(further[5:5+r.m], t.Lambda)
	copy(further[5+r.m:], t.Pi)
}
