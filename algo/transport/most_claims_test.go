package transport

import (
	"math"
	"testing"
)

// TestWhoIsServed compares the methods on thirty wells in five clusters, with five solutions from scattered starts.
// With MosT, every objective is served. The loss is lower than if only the objectives or only the solutions choose, or
// if all solutions follow all objectives. The loss of MosT(L) is lower still. With MGDA, a solution stops at the edge
// of the hull of the centres that it serves; with fixed weights, it continues to the middle.
func TestWhoIsServed(t *testing.T) {
	const seeds, rounds, n, m = 40, 150, 30, 5
	type outcome struct{ oracle, largest, winners, worst float64 }
	run := func(change func(*Config)) (mean outcome) {
		for seed := range uint64(seeds) {
			c := clusters(100+seed, n, m)
			c.Scale = ColumnCount
			change(&c)
			s := newMosT(t, c)
			for range rounds {
				advance(t, s)
			}
			won, best := make([]float64, m), make([]float64, n)
			f := s.View().F
			Won(won, f)
			BestLosses(best, f)
			mean.oracle += OracleLoss(f, n) / seeds
			mean.worst += Worst(best, 0.2) / seeds
			var largest float64
			for _, w := range won {
				largest = max(largest, w)
				if w > 0 {
					mean.winners += 1.0 / seeds
				}
			}
			mean.largest += largest / seeds
		}
		return mean
	}
	most := run(func(*Config) {})
	fixed := run(func(c *Config) { c.PlanAsWeights = true })
	objectives := run(func(c *Config) { c.Matching = ObjectiveSelects })
	models := run(func(c *Config) { c.Matching = ModelSelects })
	everything := run(func(c *Config) { c.Matching, c.StepSize = Unmatched, 0.2 })
	paper := run(func(c *Config) { c.Curriculum, c.Horizon = PaperCurriculum, rounds })
	published := run(func(c *Config) { c.Curriculum, c.Horizon = PublishedCurriculum, rounds })
	regularized := run(func(c *Config) { c.Tau, c.Restarts = DefaultTau, 5 })
	for name, o := range map[string]outcome{"MosT": most, "(L)": fixed, "(O)": objectives, "(M)": models, "MGDA": everything, "paper": paper,
		"published": published, "τ = 0.1": regularized} {
		t.Logf("%-8s oracle loss %.3f, largest share %.2f, winners %.1f, worst 20 %% %.2f", name, o.oracle, o.largest, o.winners, o.worst)
	}
	if !(fixed.oracle < most.oracle && most.oracle < objectives.oracle && objectives.oracle < models.oracle) ||
		most.oracle > everything.oracle/2 {
		t.Error("the order of the oracle losses differs")
	}
	if !(published.oracle < most.oracle && most.oracle < paper.oracle) {
		t.Error("the published curriculum does not help, or the paper's curriculum does")
	}
	if most.largest > 0.4 || most.winners < 4.9 || objectives.largest < most.largest+0.08 || !(most.worst < objectives.worst) {
		t.Error("the shares differ")
	}
	if math.Abs(most.oracle-0.103) > 0.03 || math.Abs(fixed.oracle-0.051) > 0.02 {
		t.Error("the oracle losses differ from the sketch")
	}
}

// TestCorner starts all solutions in one corner. If only objectives choose, one solution usually serves over 90 % of
// the objectives, and three or four solutions do not move. If only solutions choose, all of them choose the same
// objective. With MosT, each of the five solutions remains the best for some objectives.
func TestCorner(t *testing.T) {
	const seeds, rounds, n, m = 40, 20, 30, 5
	collapsed, stayed, distinct, winners := 0, 0, 0.0, 0.0
	for seed := range uint64(seeds) {
		start := func(matching Matching) (*MosT, []float64) {
			c := clusters(300+seed, n, m)
			c.Scale, c.Matching = ColumnCount, matching
			for _, s := range c.Starts {
				s[0], s[1] = 2.5+0.2*s[0]/1.5, 2.5+0.2*s[1]/1.5
			}
			s := newMosT(t, c)
			before := append([]float64(nil), s.View().X...)
			for range rounds {
				advance(t, s)
			}
			return s, before
		}
		won := make([]float64, m)
		s, before := start(ObjectiveSelects)
		Won(won, s.View().F)
		for _, w := range won {
			if w > 0.9 {
				collapsed++
			}
		}
		for j := range m {
			if s.View().X[2*j] == before[2*j] {
				stayed++
			}
		}
		s, _ = start(ModelSelects)
		x := s.View().X
		for j := range m {
			alone := 1.0
			for i := range j {
				if math.Hypot(x[2*i]-x[2*j], x[2*i+1]-x[2*j+1]) < 0.1 {
					alone = 0
				}
			}
			distinct += alone / seeds
		}
		s, _ = start(Transported)
		Won(won, s.View().F)
		for _, w := range won {
			if w > 0 {
				winners += 1.0 / seeds
			}
		}
	}
	t.Logf("(O): one has over 90 %% in %d of %d, %d solutions stay; (M): %.1f distinct; MosT: %.1f winners", collapsed, seeds, stayed,
		distinct, winners)
	if collapsed < seeds/2 || stayed < 3*seeds || distinct > 2 || winners < 4.5 {
		t.Error("the numbers of winners differ")
	}
}
