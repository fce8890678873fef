package panel

import (
	"fmt"

	"paretoplay/scenes/timeline"
)

// Names of clocks that a parameter chooses among.
const (
	Iterations       = "iterations"
	Backpropagations = "backpropagations"
)

// Clock is what panels over time have for time. It never runs backwards along a run.
type Clock struct {
	Name  string // unique among those of a panel
	Label string // of the axis
	// Of is the time of a row, and End where the axis ends; both are called whenever
	// the picture is drawn.
	Of  func(timeline.Row) float64
	End func() float64
	// Exact says that iterations are one unit of time apart.
	Exact bool
}

// IterationClock counts iterations, up to a budget.
func IterationClock(budget func() int) *Clock {
	return stepClock(Iterations, "iteration k", 1, budget)
}

// RoundClock counts iterations that the method calls rounds.
func RoundClock(budget func() int) *Clock { return stepClock("rounds", "round", 1, budget) }

// EpochClock counts epochs of so many iterations.
func EpochClock(iterations int, budget func() int) *Clock {
	return stepClock("epochs", "epoch", iterations, budget)
}

func stepClock(name, label string, iterations int, budget func() int) *Clock {
	return &Clock{Name: name, Label: label, Exact: iterations == 1,
		Of:  func(r timeline.Row) float64 { return float64(r.K) / float64(iterations) },
		End: func() float64 { return float64(budget()) / float64(iterations) },
	}
}

// BackpropagationClock counts backpropagations, up to the most that a track spends.
func BackpropagationClock(most func() int) *Clock {
	return SpentClock(Backpropagations, "backpropagations", func(r timeline.Row) float64 { return float64(r.BP) }, func() float64 { return float64(most()) })
}

// CoordinateClock counts coordinates of gradients, which the runs record under that
// name.
func CoordinateClock(recorded string, most func() float64) *Clock {
	return SpentClock("coordinates", "gradient coordinates", func(r timeline.Row) float64 { return r.Number(recorded) }, most)
}

// SecondClock shows measured seconds, which the runs record under that name.
func SecondClock(recorded string, most func() float64) *Clock {
	return SpentClock("seconds", "seconds measured", func(r timeline.Row) float64 { return r.Number(recorded) }, most)
}

// SpentClock shows what has been spent to reach a row, up to the most that a track
// spends.
func SpentClock(name, label string, spent func(timeline.Row) float64, most func() float64) *Clock {
	return &Clock{Name: name, Label: label, Of: spent, End: most}
}

// Axis is the horizontal axis of a panel over time.
func (c *Clock) Axis() Axis { return Axis{Label: c.Label, Min: 0, Max: c.End(), Integer: true} }

// key names what the places of rows depend on.
func (c *Clock) key() string { return fmt.Sprintf("%s %v", c.Name, c.Exact) }
