package comparison

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// run is one method's runs in a scene of its own, with one step size and seed.
type run struct {
	step  float64
	scene scene.Scene
	fact  func() float64
	cost  func() float64 // nil where the scene counts none
	// starts reports whether starts are solutions: a run that ends dominated by its own has then failed.
	starts  bool
	failure Failure
	stopped bool // whether the rule had no solution for one of its solutions
	passage
}

// Failure is why a run counts as failed; "" for one that does not.
type Failure string

// The ways in which runs fail. A run that has left for a place where everything is flat is stationary there, and
// dominated by where it began. One whose rule has no solution near the front counts with what it has come to.
const (
	Diverged  Failure = "diverged"
	Vanished  Failure = "ended where the gradients have vanished"
	Dominated Failure = "ended dominated by its start"
	Unknown   Failure = "ended without a value"
)

// checkpoints is at how many iterations, in equal ratios, a run's fact is looked at.
const checkpoints = 60

func (c *Comparison) begin(method string, step float64, seed int) (*run, error) {
	s := c.plan.Scene.New()
	if err := c.assign(s, method, step, seed); err != nil {
		return nil, err
	}
	if err := s.Restart(nil); err != nil {
		return nil, err
	}
	r := &run{step: step, scene: s, fact: func() float64 { return math.NaN() }, starts: !c.plan.Scene.Comparison.StartsInfeasible}
	for _, f := range s.Facts() {
		switch f.Name {
		case c.plan.Scene.Comparison.Fact + "." + method:
			r.fact = f.Value
		case "bp." + method:
			r.cost = f.Value
		}
	}
	return r, nil
}

// work goes on while more() holds, and reports whether the run has ended.
func (r *run) work(more func() bool) (ended bool, err error) {
	t := r.scene.Timeline()
	if t.Running() {
		const piece = 1 << 20
		if _, err := t.Advance(piece, more); err != nil {
			return false, err
		}
		if t.Running() {
			return false, nil
		}
	}
	for i, last := 0, -1; i < checkpoints; i++ {
		k := int(math.Round(portable.Pow(float64(t.Latest()), float64(i+1)/checkpoints)))
		if k != last {
			r.look(t.SetMarker(k))
		}
		last = k
	}
	if r.failure = r.fails(); r.failure != "" {
		for i := range r.values {
			r.values[i] = math.NaN()
		}
	}
	return true, nil
}

// fails looks whether the run has failed: whether any of its solutions has.
func (r *run) fails() Failure {
	for _, track := range r.scene.Timeline().Tracks() {
		switch track.Status() {
		case algo.Diverged:
			return Diverged
		case algo.NoSolution:
			if track.Why() != "" {
				return Vanished
			}
			r.stopped = true
		}
		if first, last := track.Kept(0), track.Kept(track.Len()-1); r.starts && pareto.Dominates(first.F, last.F) {
			return Dominated
		}
	}
	if v := r.final(); math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
	}
	return ""
}

// look records the fact and what has been spent at the marker, k.
func (r *run) look(k int) {
	v := r.fact()
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	spent := float64(k)
	if r.cost != nil {
		spent = r.cost()
	}
	r.values, r.passage.spent = append(r.values, v), append(r.passage.spent, spent)
}

// final is the fact at the end, NaN where the run has failed.
func (r *run) final() float64 { return r.values[len(r.values)-1] }

// spent is what the run has spent at its end.
func (r *run) spent() float64 { return r.passage.spent[len(r.passage.spent)-1] }
