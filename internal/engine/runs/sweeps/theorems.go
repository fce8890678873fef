package sweeps

import (
	"math"
	"slices"

	"paretoplay/algo/blocks"
)

// Theorem describes one of the paper's theorems and the quantity that it bounds.
type Theorem struct {
	Name, What string
	schedules  []blocks.Schedule // schedules for which the theorem holds or is stated
	Measured   func(Turn) float64
	Bound      func(c *blocks.Constants, t int) float64
	// Own is our own version of the bound, with the factor p that the paper's proof loses. It is nil if there is none.
	Own func(c *blocks.Constants, t int) float64
}

// Theorems lists the theorems in the paper's order.
var Theorems = []Theorem{
	{"31", "the squared gradient norm at the random iterate", []blocks.Schedule{blocks.InverseSqrt}, Turn.squared,
		(*blocks.Constants).Theorem31, (*blocks.Constants).Theorem31WithP},
	{"32", "the average iterate’s excess over the minimum sum", []blocks.Schedule{blocks.InverseSqrt},
		func(t Turn) float64 { return t.Average },
		(*blocks.Constants).Theorem32, nil},
	{"33", "the last iterate’s excess over the minimum sum",
		[]blocks.Schedule{blocks.Printed, blocks.Safe}, func(t Turn) float64 { return t.Last },
		(*blocks.Constants).Theorem33, (*blocks.Constants).Theorem33WithP},
}

// squared returns the mean of ‖∇F_m‖² at the random iterate.
func (t Turn) squared() float64 {
	if t.Measured.T == 0 {
		return math.NaN()
	}
	return t.Measured.SquaredGradient
}

// Number returns the theorem's number as printed in the paper.
func (t *Theorem) Number() string { return t.Name[:1] + "." + t.Name[1:] }

// Theorems returns the theorems that apply to the runs' step sizes.
func (r *Roster) Theorems() (out []*Theorem) {
	for i := range Theorems {
		t := &Theorems[i]
		if slices.Contains(t.schedules, blocks.Schedule(r.Schedule)) {
			out = append(out, t)
		}
	}
	return out
}
