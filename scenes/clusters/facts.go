package clusters

import (
	"math"
	"slices"

	"paretoplay/algo/transport"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: of every method at the marker, NaN for one that does not
// run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) newFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func(of *runFacts) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				if r := s.Timeline().FindFrom(m.ID, 0); r.Run != nil {
					return value(s.factsOf(r.Run))
				}
				return math.NaN()
			}})
		}
		add("oracle", "oracle loss, mean over the goals of the best solution’s", "", func(of *runFacts) float64 {
			return of.point.Number(plans.OracleLoss)
		})
		add("mean", "mean loss over goals and solutions", "", func(of *runFacts) float64 { return of.point.Number(plans.MeanLoss) })
		add("worst", "oracle loss of the fifth of the goals that is served worst", "", func(of *runFacts) float64 {
			return of.point.Value(plans.Worst)[0]
		})
		add("largest", "largest share of the goals that a solution wins", "", func(of *runFacts) float64 {
			most := 0.0
			for _, v := range of.won {
				most = max(most, v)
			}
			return most
		})
		add("winners", "solutions that win any goal", "solutions", func(of *runFacts) float64 {
			n := 0
			for _, v := range of.won {
				if v > 0 {
					n++
				}
			}
			return float64(n)
		})
		add("first", "share of the goals that solution 1 wins", "", func(of *runFacts) float64 { return of.won[0] })
		add("owned", "solutions that win exactly one cluster, all of it", "solutions", func(of *runFacts) float64 {
			return float64(of.owned(s.values.Groups))
		})
		add("moved", "solutions that have moved by 0.05 or more", "solutions", func(of *runFacts) float64 { return float64(of.moved()) })
		add("given", "goals that solution 1 is given", "goals", func(of *runFacts) float64 { return of.given(0) })
		add("places", "places that solutions are at, those closer than 0.05 counted once", "", func(of *runFacts) float64 { return of.places() })
		add("goal", "best loss of goal 1", "", func(of *runFacts) float64 { return of.best[0] })
		add("others", "mean of the best losses of the other goals", "", func(of *runFacts) float64 {
			return mean(of.best, func(i int) bool { return i > 0 })
		})
		add("cluster", "mean of the best losses of the first cluster", "", func(of *runFacts) float64 {
			return mean(of.best, func(i int) bool { return i%s.values.Groups == 0 })
		})
		add("rest", "mean of the best losses of the other clusters", "", func(of *runFacts) float64 {
			return mean(of.best, func(i int) bool { return i%s.values.Groups != 0 })
		})
		add("served", "solutions that goal 1 is given to", "solutions", func(of *runFacts) float64 { return of.served(0) })
		add("zeros", "share of the plan’s entries that are zero", "", func(of *runFacts) float64 { return of.step.Number(plans.Zeros) })
		add("kl", "divergence of the plan from the one before", "", func(of *runFacts) float64 { return of.step.Number(plans.Change) })
		add("rowmaxima", "Σᵢ maxⱼ Γᵢⱼ, −R(Γ)", "", func(of *runFacts) float64 { return of.rowMaxima() })
		add("bd2", "running mean of Σ b_j‖d_j‖²", "", func(of *runFacts) float64 { return of.step.Number(plans.BD2Mean) })
		add("bp", "backpropagations", "backpropagations", func(of *runFacts) float64 { return race.Spent(of.point) })
	}
	return out
}

// runFacts is what the facts of a run at the marker are read from.
type runFacts struct {
	point, step timeline.Row // of the whole run
	run         *timeline.Run
	won, best   []float64 // by solution, by goal
	winner      []int     // by goal
	x           [][]float64
	plan        [][]float64 // by solution; nil where there is none
}

func (s *Scene) factsOf(r *timeline.Run) *runFacts {
	t := s.Timeline()
	out := &runFacts{run: r, best: make([]float64, len(s.centres)), winner: make([]int, len(s.centres))}
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

// owned counts solutions that win exactly the goals of one of so many clusters.
func (of *runFacts) owned(clusters int) (count int) {
	goals := make([][]int, len(of.x)) // won by each solution
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

// near is the distance below which places count as one.
const near = 0.05

func (of *runFacts) moved() (count int) {
	for j, x := range of.x {
		from := of.run.Starts[j]
		if math.Hypot(x[0]-from[0], x[1]-from[1]) >= near {
			count++
		}
	}
	return count
}

// given is how many goals a solution is given, NaN without a plan.
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

// places counts those that are apart.
func (of *runFacts) places() float64 {
	n := 0
	for j, x := range of.x {
		apart := true
		for _, y := range of.x[:j] {
			apart = apart && math.Hypot(x[0]-y[0], x[1]-y[1]) >= near
		}
		if apart {
			n++
		}
	}
	return float64(n)
}

// served is how many solutions a goal is given to, NaN without a plan.
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

// rowMaxima is NaN without a plan.
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

// mean is that of the values at some indices, NaN of none.
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

// Results says by run where the runs have come to.
func (s *Scene) Results() any { return plans.Results(s.Timeline()) }
