package comparison

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// run is one method in a separate scene, with one step size and one seed.
type run struct {
	step  float64
	scene scene.Scene
	fact  func() float64
	cost  func() float64 // nil if the scene does not count costs
	// starts is true if start points are solutions. In this case, a run whose end is dominated by its start has failed.
	starts  bool
	failure Failure
	stopped bool // whether one of the run's points stopped because the rule had no solution there
	passage
}

// Failure is the reason why a run counts as failed, or "".
type Failure string

// These are the reasons for failure. A run that ends in a flat place is stationary there, but its start dominates it.
// If a run's rule has no solution near the front, the run has not failed, and its last value counts.
const (
	Diverged  Failure = "diverged"
	Vanished  Failure = "ended where the gradients have vanished"
	Dominated Failure = "ended dominated by its start"
	Unknown   Failure = "ended without a value"
)

// checkpoints is the number of iterations at which a run's fact is read. The ratio between successive checkpoints is
// constant.
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

// work continues the run while more() is true. It reports whether the run has ended.
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

// fails returns the reason why the run has failed, or "" if it has not. If several of its solutions failed, the first
// one's reason counts.
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

// look records the fact and the cost at the marker, which must be at iteration k.
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

// final returns the fact at the end, or NaN if the run failed.
func (r *run) final() float64 { return r.values[len(r.values)-1] }

// spent returns the cost of the whole run.
func (r *run) spent() float64 { return r.passage.spent[len(r.passage.spent)-1] }
