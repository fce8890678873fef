package clusters

import (
	"math"
	"slices"

	"paretoplay/algo/transport"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// factKinds are the facts of every method at the marker. They are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "oracle", Of: []string{"method"}, Text: "The mean over the goals of the best solution’s loss.",
		Label:    "oracle loss (mean over goals of the best solution’s loss)",
		OfMethod: read(func(of *runFacts) float64 { return of.point.Number(plans.OracleLoss) })},
	{Name: "mean", Of: []string{"method"}, Text: "The mean loss over all goals and solutions.",
		Label:    "mean loss over goals and solutions",
		OfMethod: read(func(of *runFacts) float64 { return of.point.Number(plans.MeanLoss) })},
	{Name: "worst", Of: []string{"method"}, Text: "The mean of the best losses over the worst-served fifth of the goals.",
		Label:    "oracle loss of the worst-served fifth of the goals",
		OfMethod: read(func(of *runFacts) float64 { return of.point.Value(plans.Worst)[0] })},
	{Name: "largest", Of: []string{"method"}, Text: "The largest share of goals for which one solution is best.",
		Label:    "largest share of the goals that a solution wins",
		OfMethod: read(func(of *runFacts) float64 { return max(0, slices.Max(of.won)) })},
	{Name: "winners", Of: []string{"method"}, Text: "The number of solutions that are best for at least one goal.",
		Label: "solutions that win a goal", Unit: "solutions",
		OfMethod: read((*runFacts).winners)},
	{Name: "first", Of: []string{"method"}, Text: "The share of the goals that solution 1 is best for.",
		Label:    "share of the goals that solution 1 wins",
		OfMethod: read(func(of *runFacts) float64 { return of.won[0] })},
	{Name: "owned", Of: []string{"method"}, Text: "The number of solutions that are best for exactly the goals of one cluster.",
		Label: "solutions that win exactly one whole cluster", Unit: "solutions",
		OfMethod: read(func(of *runFacts) float64 { return float64(of.owned(of.clusters)) })},
	{Name: "moved", Of: []string{"method"}, Text: "The number of solutions at least 0.05 away from their start points.",
		Label: "solutions that have moved by at least 0.05", Unit: "solutions",
		OfMethod: read(func(of *runFacts) float64 { return float64(of.moved()) })},
	{Name: "given", Of: []string{"method"}, Text: "The number of goals that solution 1 receives.",
		Label: "goals that solution 1 receives", Unit: "goals",
		OfMethod: read(func(of *runFacts) float64 { return of.given(0) })},
	{Name: "places", Of: []string{"method"}, Text: "The number of distinct solutions. Solutions less than 0.05 apart count as one.",
		Label:    "distinct solutions (those less than 0.05 apart count as one)",
		OfMethod: read((*runFacts).places)},
	{Name: "goal", Of: []string{"method"}, Text: "The best loss of goal 1.",
		Label:    "best loss of goal 1",
		OfMethod: read(func(of *runFacts) float64 { return of.best[0] })},
	{Name: "others", Of: []string{"method"}, Text: "The mean of the best losses of all goals except goal 1.",
		Label:    "mean of the best losses of all goals except goal 1",
		OfMethod: read(func(of *runFacts) float64 { return mean(of.best, func(i int) bool { return i > 0 }) })},
	{Name: "cluster", Of: []string{"method"}, Text: "The mean of the best losses of the first cluster.",
		Label:    "mean of the best losses of the first cluster",
		OfMethod: read(func(of *runFacts) float64 { return mean(of.best, func(i int) bool { return i%of.clusters == 0 }) })},
	{Name: "rest", Of: []string{"method"}, Text: "The mean of the best losses of all clusters except the first.",
		Label:    "mean of the best losses of all clusters except the first",
		OfMethod: read(func(of *runFacts) float64 { return mean(of.best, func(i int) bool { return i%of.clusters != 0 }) })},
	{Name: "served", Of: []string{"method"}, Text: "The number of solutions that receive goal 1.",
		Label: "solutions that receive goal 1", Unit: "solutions",
		OfMethod: read(func(of *runFacts) float64 { return of.served(0) })},
	{Name: "zeros", Of: []string{"method"}, Text: "The share of the plan’s entries that are zero.",
		Label:    "share of the plan’s entries that are zero",
		OfMethod: read(func(of *runFacts) float64 { return of.step.Number(plans.Zeros) })},
	{Name: "kl", Of: []string{"method"}, Text: "The divergence between the plan and the previous one.",
		Label:    "divergence of the plan from the previous one",
		OfMethod: read(func(of *runFacts) float64 { return of.step.Number(plans.Change) })},
	{Name: "rowmaxima", Of: []string{"method"}, Text: "The sum over the goals of the largest mass that one solution receives from the goal.",
		Label:    "Σᵢ maxⱼ Γᵢⱼ, −R(Γ)",
		OfMethod: read((*runFacts).rowMaxima)},
	{Name: "bd2", Of: []string{"method"}, Text: "The running mean of the directions’ squared lengths, weighted by the solutions’ masses.",
		Label:    "running mean of Σ b_j‖d_j‖²",
		OfMethod: read(func(of *runFacts) float64 { return of.step.Number(plans.BD2Mean) })},
	{Name: "bp", Of: []string{"method"}, Text: "The number of backpropagations so far.",
		Label: "backpropagations", Unit: "backpropagations",
		OfMethod: read(func(of *runFacts) float64 { return runs.Spent(of.point) })},
}

// read turns a function of a run at the marker into a fact of a method.
func read(value func(of *runFacts) float64) func(s *Scene, method string, _ int) float64 {
	return runs.OfFirst(func(s *Scene, r timeline.Track) float64 { return value(s.factsOf(r.Run)) })
}

// winners returns the number of solutions that win at least one goal.
func (of *runFacts) winners() float64 {
	n := 0
	for _, v := range of.won {
		if v > 0 {
			n++
		}
	}
	return float64(n)
}

// runFacts describes a run at the marker. Facts are computed from this description.
type runFacts struct {
	point, step timeline.Row // rows of the first solution, which hold the numbers of the whole run
	run         *timeline.Run
	won, best   []float64 // won by each solution; best loss of each goal
	winner      []int     // solution that wins each goal
	x           [][]float64
	plan        [][]float64 // mass by solution and goal; nil if there is no plan
	clusters    int
}

func (s *Scene) factsOf(r *timeline.Run) *runFacts {
	t := s.Timeline()
	out := &runFacts{run: r, clusters: s.values.Groups, best: make([]float64, len(s.centres)), winner: make([]int, len(s.centres))}
	for i := range out.best {
		out.best[i] = math.Inf(1)
	}
	for j := range r.Solutions() {
		track := timeline.Track{Run: r, Solution: j}
		row := t.AtMarker(track)
		out.won = append(out.won, row.Number(plans.Won))
		out.x = append(out.x, slices.Clone(row.X))
		for i, f := range row.F {
			if f < out.best[i] {
				out.best[i], out.winner[i] = f, j
			}
		}
		if column := t.ShownStep(track).List(plans.Plan); column != nil {
			out.plan = append(out.plan, slices.Clone(column))
		}
	}
	first := timeline.Track{Run: r}
	out.step, out.point = t.ShownStep(first), t.AtMarker(first)
	return out
}

// owned returns the number of solutions that win all goals of one cluster and no others.
func (of *runFacts) owned(clusters int) (count int) {
	goals := make([][]int, len(of.x)) // goals won by each solution
	for i, j := range of.winner {
		goals[j] = append(goals[j], i)
	}
	size := make([]int, clusters)
	for i := range of.winner {
		size[i%clusters]++
	}
	for _, mine := range goals {
		if len(mine) == 0 || len(mine) != size[mine[0]%clusters] {
			continue
		}
		if !slices.ContainsFunc(mine, func(i int) bool { return i%clusters != mine[0]%clusters }) {
			count++
		}
	}
	return count
}

// near is the distance below which the places of two solutions count as one.
const near = 0.05

func (of *runFacts) moved() (count int) {
	for j, x := range of.x {
		from := of.run.Starts[j]
		if portable.Hypot(x[0]-from[0], x[1]-from[1]) >= near {
			count++
		}
	}
	return count
}

// given returns the number of goals given to a solution, or NaN without a plan.
func (of *runFacts) given(solution int) float64 {
	if of.plan == nil {
		return math.NaN()
	}
	n := 0
	for _, v := range of.plan[solution] {
		if v > 0 {
			n++
		}
	}
	return float64(n)
}

// places returns the number of distinct places that the solutions occupy.
func (of *runFacts) places() float64 {
	n := 0
	for j, x := range of.x {
		apart := true
		for _, y := range of.x[:j] {
			apart = apart && portable.Hypot(x[0]-y[0], x[1]-y[1]) >= near
		}
		if apart {
			n++
		}
	}
	return float64(n)
}

// served returns the number of solutions that share the given goal, or NaN without a plan.
func (of *runFacts) served(goal int) float64 {
	if of.plan == nil {
		return math.NaN()
	}
	n := 0
	for _, column := range of.plan {
		if column[goal] > 0 {
			n++
		}
	}
	return float64(n)
}

// rowMaxima returns the sum, over the goals, of the largest mass that any solution receives from the goal. It is NaN
// without a plan.
func (of *runFacts) rowMaxima() float64 {
	if of.plan == nil {
		return math.NaN()
	}
	m := len(of.plan)
	mass := make([]float64, m*len(of.plan[0]))
	for j, column := range of.plan {
		for i, v := range column {
			mass[i*m+j] = v
		}
	}
	return transport.RowMaxima(mass, m)
}

// mean averages the values at the indices i for which of(i) is true. It returns NaN if there are no such indices.
func mean(values []float64, of func(i int) bool) float64 {
	sum, n := 0.0, 0
	for i, v := range values {
		if of(i) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}

// Results returns each run's latest state.
func (s *Scene) Results() any { return plans.Results(s.Timeline()) }
