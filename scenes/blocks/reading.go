package blocks

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/timeline"
)

// outputs are what a run would return at an iteration.
type outputs struct {
	last, average, uniform []float64 // the latter are nil before an outer iteration is complete
	t                      int       // of uniform
}

// outputsNow returns the outputs of the selected run at the marker, nil where there is none.
func (s *Scene) outputsNow() *outputs {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	key := s.rowKey(r)
	return s.outputs.Of(key, func() *outputs { return s.readOutputs(r, key.k) })
}

// rowKey names where a run is at the marker.
type rowKey struct {
	version uint64
	run     *timeline.Run
	k       int
}

func (s *Scene) rowKey(r *timeline.Run) rowKey {
	return rowKey{s.Timeline().Version(), r, min(s.Timeline().Marker(), r.Last())}
}

// readOutputs reads what a run would return at iteration k.
func (s *Scene) readOutputs(r *timeline.Run, k int) *outputs {
	out := new(outputs)
	read := func(a *blocks.Alternation) {
		out.last, out.average = slices.Clone(a.Last()), slices.Clone(a.Average())
		x, t := a.Uniform()
		out.uniform, out.t = slices.Clone(x), t
	}
	if k == r.Last() {
		read(r.Stepper.(*blocks.Alternation))
		return out
	}
	if err := s.Timeline().Visit(r, k, func(stepper algo.Stepper) { read(stepper.(*blocks.Alternation)) }); err != nil {
		panic(err) // the run's own steps have made it once
	}
	return out
}

// ---- the way, outer iteration by outer iteration

// way is what was measured of a run where its outer iterations ended, as it went on.
type way struct {
	meter *blocks.Meter
	turns []turn // after t = 0, 1, … outer iterations
	f     []float64
}

// turn is where a run stood after some outer iterations: how far F_m was above its least value
// at the last iterate, at the average one and on average at the random one, and what the
// theorems' bounds are made of.
type turn struct {
	last, average, random float64
	squared               float64 // the mean of ‖∇F_m‖² at the random one
	sigma, reach          float64
}

// hear takes where a run is, which goes to g.
func (w *way) hear(s *Scene, g *goal, a *blocks.Alternation) {
	m := w.meter.Hear(a)
	k := a.View().K
	if k%a.OuterSteps() != 0 {
		return
	}
	if k == 0 {
		w.turns = w.turns[:0]
	}
	value := func(x []float64) float64 {
		if x == nil {
			return math.NaN()
		}
		s.problem.Values(w.f, x)
		return max(0, g.sum(w.f)-g.least)
	}
	t := turn{last: value(a.Last()), average: value(a.Average()), random: math.NaN(), squared: math.NaN(), sigma: m.Sigma, reach: m.Reach}
	if m.T > 0 {
		t.random, t.squared = max(0, m.Loss-g.least), m.SquaredGradient
	}
	w.turns = append(w.turns, t)
}

// observe makes the runs tell their ways.
func (s *Scene) observe(runs []*timeline.Run) {
	s.ways = map[*timeline.Run]*way{}
	for _, r := range runs {
		a := r.Stepper.(*blocks.Alternation)
		w := &way{meter: blocks.NewMeter(s.problem, s.goal.weights, s.goal.minimiser), f: make([]float64, len(s.goal.f))}
		s.ways[r] = w
		r.Observe = func(algo.View) { w.hear(s, &s.goal, a) }
	}
}

// turnsOf returns the turns of a run up to the marker.
func (s *Scene) turnsOf(r *timeline.Run) []turn {
	done := min(s.Timeline().Marker(), r.Last()) / sweeps.Steps(r)
	return s.ways[r].turns[:min(done+1, len(s.ways[r].turns))]
}

// ---- where a run stays

// round is where a run goes round: how far the mean of x^{t,0,0} is from the minimiser of F_m,
// and how far apart two points of an outer iteration are at most, over the second half of the
// outer iterations before the marker.
type round struct{ bias, width float64 }

// roundOf returns the round of a run, NaN before there is one.
func (s *Scene) roundOf(r *timeline.Run) round {
	key := s.rowKey(r)
	if known, ok := s.rounds[key]; ok {
		return known
	}
	if len(s.rounds) > 2*len(s.Timeline().Runs()) {
		clear(s.rounds)
	}
	s.rounds[key] = s.readRound(r, key.k)
	return s.rounds[key]
}

// readRound reads where a run goes round before iteration k, from the rows that are kept.
func (s *Scene) readRound(r *timeline.Run, k int) round {
	const (
		least  = 4  // outer iterations
		widest = 50 // of these the width is read
		points = 64 // of each of them
	)
	steps := sweeps.Steps(r)
	done := k / steps
	if done < least {
		return round{math.NaN(), math.NaN()}
	}
	track := timeline.Track{Run: r}
	mean, number := make([]float64, len(s.Start)), 0
	var width, widths float64
	var lap [][]float64
	for i := r.Index(done / 2 * steps); i < r.Len() && r.Kept(i).K <= done*steps; i++ {
		row := track.Kept(i)
		if row.K%steps == 0 {
			number++
			for j, v := range row.X {
				mean[j] += (v - mean[j]) / float64(number)
			}
			if len(lap) > 0 {
				width += diameter(lap)
				widths++
			}
			lap = lap[:0]
		}
		if row.K >= (done-widest)*steps && row.K%max(1, steps/points) == 0 {
			lap = append(lap, row.X)
		}
	}
	if widths > 0 {
		width /= widths
	}
	return round{distance(mean, s.goal.minimiser), width}
}

// diameter is the largest distance of two of the points.
func diameter(points [][]float64) (most float64) {
	for i, a := range points {
		for _, b := range points[:i] {
			most = max(most, distance(a, b))
		}
	}
	return most
}
