package comparison

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/portable"
)

// run is one method's runs in a scene of its own, with one step size and seed.
type run struct {
	step  float64
	scene scene.Scene
	fact  func() float64
	cost  func() float64 // nil where the scene counts none
	passage
}

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
	r := &run{step: step, scene: s, fact: func() float64 { return math.NaN() }}
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
	return true, nil
}

// look records the fact and what has been spent at the marker, k.
func (r *run) look(k int) {
	v := r.fact()
	for _, track := range r.scene.Timeline().Tracks() {
		if track.Status() == algo.Diverged {
			v = math.NaN()
		}
	}
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	spent := float64(k)
	if r.cost != nil {
		spent = r.cost()
	}
	r.values, r.passage.spent = append(r.values, v), append(r.passage.spent, spent)
}

// final is the fact at the end, NaN where a run diverged.
func (r *run) final() float64 { return r.values[len(r.values)-1] }

// spent is what the run has spent at its end.
func (r *run) spent() float64 { return r.passage.spent[len(r.passage.spent)-1] }
