package weighting

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// plainEpsilon returns a configuration with the given limits and the default rate and bound.
func plainEpsilon(limits ...float64) EpsilonConfig {
	return EpsilonConfig{Limits: limits, Rate: defaultEpsilonRate, Bound: defaultEpsilonBound}
}

func TestEpsilonByHand(t *testing.T) {
	two := [][]float64{{2, 0}, {-1, 1}}
	for _, c := range []struct {
		name    string
		limits  []float64
		losses  []float64
		weights []float64
	}{
		// ⟨g_1, g_2⟩ = −2 and ‖g_1‖² = 4, so u = (f_1 − ε_1 + 2)/4, clamped to [0, 10].
		{"above the limit", []float64{1, 0}, []float64{3, 7}, []float64{1, 1}},
		{"at the limit", []float64{1, 0}, []float64{1, 7}, []float64{0.5, 1}},
		{"below it", []float64{1, 0}, []float64{0.5, 7}, []float64{0.375, 1}},
		{"far below it", []float64{1, 0}, []float64{-1, 7}, []float64{0, 1}},
		{"farther", []float64{1, 0}, []float64{-1e6, 7}, []float64{0, 1}},
		{"far above it", []float64{1, 0}, []float64{100, 7}, []float64{10, 1}},
		{"farther above it", []float64{1, 0}, []float64{1e300, 7}, []float64{10, 1}},
		{"no limits: the first losses", nil, []float64{3, 7}, []float64{0.5, 1}},
	} {
		in, _ := input(two, c.losses)
		r := ask(t, must(NewEpsilon(plainEpsilon(c.limits...))), in)
		expect(t, c.name, r.Weights, c.weights)
		expect(t, c.name+", direction", r.Direction, []float64{2*c.weights[0] - 1, 1})
	}
	// With the first objective minimised, ‖g_2‖² = 2: u = (f_2 − ε_2 + 2)/2.
	config := plainEpsilon(0, 5)
	config.Objective = 1
	in, _ := input(two, []float64{3, 7})
	expect(t, "the first objective", ask(t, must(NewEpsilon(config)), in).Weights, []float64{1, 2})
	// With half the rate, the constraint requires half as much: u = (½·2 + 2)/2.
	config.Rate = 0.5
	expect(t, "half the rate", ask(t, must(NewEpsilon(config)), in).Weights, []float64{1, 1.5})
	// ⟨g_1, g_2⟩ = 0, ⟨g_i, g_3⟩ = −1, lengths 1: u = f − ε + 1 for both limits.
	in, _ = input([][]float64{{1, 0}, {0, 1}, {-1, -1}}, []float64{4, 4, 9})
	r := ask(t, must(NewEpsilon(plainEpsilon(4, 3, 0))), in)
	expect(t, "three", r.Weights, []float64{1, 2, 1})
	expect(t, "three, direction", r.Direction, []float64{0, 1})
	// An objective with a zero gradient cannot fall to its limit.
	in, _ = input([][]float64{{0, 0}, {-1, 1}}, []float64{4, 4})
	expect(t, "a zero row", ask(t, must(NewEpsilon(plainEpsilon(1, 0))), in).Weights, []float64{0, 1})
	// A single objective has no limits.
	in, _ = input([][]float64{{3, 4}}, []float64{4})
	expect(t, "alone", ask(t, must(NewEpsilon(plainEpsilon(1))), in).Direction, []float64{3, 4})
}

// TestEpsilonKeepsTheFirstLosses checks that without limits no loss except the minimised loss rises above its first
// value, even after Save and Load.
func TestEpsilonKeepsTheFirstLosses(t *testing.T) {
	rows := [][]float64{{2, 0}, {-1, 1}}
	rule := must(NewEpsilon(plainEpsilon()))
	in, _ := input(rows, []float64{3, 7})
	ask(t, rule, in)
	var kept algo.Snapshot
	rule.Save(&kept)
	other := must(NewEpsilon(plainEpsilon()))
	other.Load(&kept)
	in, _ = input(rows, []float64{2.5, 100})
	for _, r := range []algo.Weighting{rule, other} {
		expect(t, "half a unit below the first loss", ask(t, r, in).Weights, []float64{0.375, 1})
	}
	in, result := input([][]float64{{1}, {2}, {3}}, []float64{1, 2, 3})
	if err := rule.Weigh(result, in); err == nil || !strings.Contains(err.Error(), "3 objectives; earlier decisions had 2") {
		t.Errorf("another number of objectives: %v", err)
	}
}

// TestEpsilonIsOptimal checks that every weight satisfies the optimality conditions, for all kinds of rows. The
// constraint of a weight inside its range holds with equality. If the weight is 0, the constraint may have slack; if
// the weight is at its bound, the constraint may be violated.
func TestEpsilonIsOptimal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for trial := range 1500 {
		rows := structured(random)
		m := len(rows)
		config := plainEpsilon(make([]float64, m)...)
		config.Objective = random.IntN(m + 1)
		losses := make([]float64, m)
		for i := range losses {
			losses[i], config.Limits[i] = random.NormFloat64(), random.NormFloat64()
		}
		in, r := input(rows, losses)
		if err := must(NewEpsilon(config)).Weigh(r, in); err != nil || !(r.Gap <= 1e-6) {
			t.Errorf("trial %d: %v, gap %g, status %v", trial, err, r.Gap, r.Status)
		}
		j := (config.Objective + m - 1) % m
		for i, u := range r.Weights {
			if i == j {
				if u != 1 && longest(rows) > 0 {
					t.Errorf("trial %d: the objective's weight is %g", trial, u)
				}
				continue
			}
			asked := config.Rate * (losses[i] - config.Limits[i])
			room := dot(rows[i], r.Direction) - asked
			small := 1e-8 * (math.Abs(asked) + length(rows[i])*(longest(rows)*(1+config.Bound*float64(m))))
			switch {
			case u < 0 || u > config.Bound:
				t.Errorf("trial %d: weight %g", trial, u)
			case u > 0 && room > small || u < config.Bound && room < -small && length(rows[i]) > 0:
				t.Errorf("trial %d: weight %g, room %g of %g", trial, u, room, small)
			}
		}
	}
}

// TestEpsilonHasUnits checks that changing the unit of a limited objective rescales its weight and keeps the direction,
// unless the weight reaches the bound.
func TestEpsilonHasUnits(t *testing.T) {
	want := []float64{-0.25, 1}
	for _, unit := range []float64{1e-8, 0.1, 1, 1e8} {
		config := plainEpsilon(unit, 0)
		config.Bound = 10 / unit
		in, _ := input([][]float64{{2 * unit, 0}, {-1, 1}}, []float64{0.5 * unit, 7})
		r := ask(t, must(NewEpsilon(config)), in)
		if !near(r.Direction, want, 1e-12) || !(math.Abs(r.Weights[0]*unit-0.375) <= 1e-12) {
			t.Errorf("unit %g: weights %v, direction %v", unit, r.Weights, r.Direction)
		}
	}
}

func TestEpsilonWithLimitsKeepsTheContract(t *testing.T) {
	algotest.Weighting(t, func() algo.Weighting {
		config := plainEpsilon()
		config.Bound = 3
		return must(NewEpsilon(config))
	}, algotest.RotationInvariant)
}

func TestEpsilonRefuses(t *testing.T) {
	for want, c := range map[string]EpsilonConfig{
		"limits = [NaN]": {Limits: []float64{math.NaN()}, Rate: 1, Bound: 1},
		"objective = -1": {Objective: -1, Rate: 1, Bound: 1},
		"rate = 0":       {Bound: 1},
		"bound = NaN":    {Rate: 1, Bound: math.NaN()},
	} {
		if _, err := NewEpsilon(c); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 2})
	for want, c := range map[string]EpsilonConfig{
		"limits = [1]: use one number for each of 2 objectives":          {Limits: []float64{1}, Rate: 1, Bound: 1},
		"objective = 3: use an objective from 1 to 2, or 0 for the last": {Objective: 3, Rate: 1, Bound: 1},
	} {
		if err := must(NewEpsilon(c)).Weigh(r, in); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestEpsilonAbove checks that Above returns the first objective whose loss is above its limit, but never the minimised
// objective. Without limits, Above must use the losses of the first decision.
func TestEpsilonAbove(t *testing.T) {
	config := plainEpsilon(1, 2, 3)
	config.Objective = 2
	limited := must(NewEpsilon(config)).(*Epsilon)
	for _, c := range []struct {
		losses    []float64
		objective int
		limit     float64
	}{{[]float64{1, 9, 3}, -1, 0}, {[]float64{1, 9, 3.5}, 2, 3}, {[]float64{1.5, 0, 4}, 0, 1}} {
		if i, limit := limited.Above(c.losses); i != c.objective || limit != c.limit {
			t.Errorf("%v: objective %d, limit %g", c.losses, i, limit)
		}
	}
	first := must(NewEpsilon(plainEpsilon())).(*Epsilon)
	if i, _ := first.Above([]float64{5, 5}); i != -1 {
		t.Errorf("before the first decision objective %d is above a limit", i)
	}
	in, _ := input([][]float64{{1, 0}, {0, 1}}, []float64{2, 3})
	ask(t, first, in)
	if i, limit := first.Above([]float64{2.5, 9}); i != 0 || limit != 2 {
		t.Errorf("objective %d is above the limit %g", i, limit)
	}
}
