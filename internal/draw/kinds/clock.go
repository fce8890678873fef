package kinds

import (
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/timeline"
)

// These are the names of the clocks, which are a parameter's options.
const (
	Iterations       = "iterations"
	Backpropagations = "backpropagations"
	Rounds           = "rounds"
)

// Clock defines the horizontal axis of panels over time, and the unit of time, such as iterations or epochs. The time
// never decreases along a run.
type Clock struct {
	Name  string // name, unique in a panel
	Label string // label of the axis
	// Of returns the time of a row, and End returns the end of the axis. Both are called for every picture.
	Of  func(timeline.Row) float64
	End func() float64
	// Exact is true if the time of iteration k is k.
	Exact bool
	// Fractional allows ticks at fractions of the clock's unit.
	Fractional bool
}

// IterationClock returns a clock that counts iterations, up to a budget.
func IterationClock(budget func() int) *Clock {
	return stepClock(Iterations, "iteration k", 1, budget)
}

// RoundClock returns a clock that counts iterations and calls them rounds.
func RoundClock(budget func() int) *Clock { return stepClock(Rounds, "round", 1, budget) }

// EpochClock returns a clock that counts epochs of the given number of iterations.
func EpochClock(iterations int, budget func() int) *Clock {
	return stepClock("epochs", "epoch", iterations, budget)
}

func stepClock(name, label string, iterations int, budget func() int) *Clock {
	return &Clock{Name: name, Label: label, Exact: iterations == 1,
		Of:  func(r timeline.Row) float64 { return float64(r.K) / float64(iterations) },
		End: func() float64 { return float64(budget()) / float64(iterations) },
	}
}

// BackpropagationClock returns a clock that counts backpropagations, up to the maximum of all tracks.
func BackpropagationClock(most func() int) *Clock {
	return SpentClock(Backpropagations, "backpropagations", func(r timeline.Row) float64 { return float64(r.BP) },
		func() float64 { return float64(most()) })
}

// CoordinateClock returns a clock that counts coordinates of gradients, which the runs record under the given name.
func CoordinateClock(recorded string, most func() float64) *Clock {
	return SpentClock("coordinates", "gradient coordinates", func(r timeline.Row) float64 { return r.Number(recorded) }, most)
}

// SpentClock returns a clock whose time is the amount that a track has spent up to a row. The axis ends at the maximum
// of all tracks, which most returns.
func SpentClock(name, label string, spent func(timeline.Row) float64, most func() float64) *Clock {
	return &Clock{Name: name, Label: label, Of: spent, End: most}
}

// Axis returns the horizontal axis of a panel over time.
func (c *Clock) Axis() axes.Axis {
	return axes.Axis{Label: c.Label, Min: 0, Max: c.End(), Integer: !c.Fractional}
}

// iterationAt returns the iteration of a track that is nearest to a time.
func (c *Clock) iterationAt(r timeline.Track, x float64) int {
	best, k := math.Inf(1), 0
	for i := range r.Len() {
		row := r.Kept(i)
		if d := math.Abs(c.Of(row) - x); d < best {
			best, k = d, row.K
		}
	}
	return k
}

// step returns the change in time that an arrow key causes at iteration k of a track. The key reaches the next
// iteration, and the opposite key returns to k.
func (c *Clock) step(r timeline.Track, k int) float64 {
	if c.Exact {
		return 1
	}
	i := r.Index(min(k, r.Last()))
	here, ahead, back := c.Of(r.Kept(i)), 0.0, 0.0
	if i+1 < r.Len() {
		ahead = c.Of(r.Kept(i+1)) - here
	}
	if i > 0 {
		back = here - c.Of(r.Kept(i-1))
	}
	const overHalf = 0.51
	switch {
	case back > 2*ahead:
		return overHalf * back
	case ahead > 0:
		return ahead
	}
	return 1
}
