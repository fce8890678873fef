package survey_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/pareto"
)

const hatch = "f1 = x1 + 120*x2\n" +
	"f2 = max(sb/700 - 1, 0) + max(1800/x2/450 - 1, 0) + max(562000/(E*x1*x2^2)/1.5 - 1, 0) + max(sb/(E*x1^2/100) - 1, 0)\n" +
	"E = 700000\nsb = 4500/(x1*x2)\nx1 in [0.5, 4]\nx2 in [0.5, 50]"

// hatchFront returns the minimum f2 of the hatch cover for a given f1. The front uses the thinnest plates up to x1 =
// 4, and then the thickest flange. From x2 = 45/28 on it follows the kink x1·x2 = 45/7, where the bending stress
// reaches its limit.
func hatchFront(f1 float64) float64 {
	x1, x2 := f1-60, 0.5
	switch {
	case f1 > 4+120*45/28.0:
		x2 = (f1 + math.Sqrt(f1*f1-480*45/7.0)) / 240
		return 4/x2 - 1
	case x1 > 4:
		x1, x2 = 4, (f1-4)/120
	}
	sb := 4500 / (x1 * x2)
	return max(sb/700-1, 0) + max(4/x2-1, 0) + max(562000/(700000*x1*x2*x2)/1.5-1, 0) + max(sb/(7000*x1*x1)-1, 0)
}

// TestAlongKinks checks that fronts along kinks are complete: every point is on the front, no gap is wide, and both
// ends are exact.
func TestAlongKinks(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		front func(f1 float64) float64 // the minimum f2
		ends  [2][2]float64
	}{
		"hatch": {text: hatch, front: hatchFront, ends: [2][2]float64{{60.5, hatchFront(60.5)}, {45/28.0 + 480, 0}}},
		// On x2 = x1² both differences vanish, and only x1 matters.
		"a bent kink": {text: "f1 = (x1-1)^2 + 2*abs(x2-x1^2)\nf2 = (x1+1)^2 + abs(x2-x1^2)\nx in [-2, 2]",
			front: func(f float64) float64 { d := 2 - math.Sqrt(f); return d * d }, ends: [2][2]float64{{0, 4}, {4, 0}}},
		// On x2 = x1 the gradients are (2x, 2x) and (−1−s, s) with s in [−1, 1] across the kink. They cancel at s =
		// −1/2.
		"a straight kink": {text: "f1 = x1^2 + x2^2\nf2 = abs(x1-1) + abs(x2-x1)\nx in [-2, 2]",
			front: func(f float64) float64 { return 1 - math.Sqrt(f/2) }, ends: [2][2]float64{{0, 1}, {2, 0}}},
		// Two kinks meet at every point of the front. f1 has its minimum 1 at x1 = 1, x2 = 0, and f2 has its minimum
		// 0 at x1 = x2 = 0.
		"a corner": {text: "f1 = abs(x1-1) + abs(x2) + 1\nf2 = x1^2 + 3*abs(x2)\nx in [-2, 2]",
			front: func(f float64) float64 { return (2 - f) * (2 - f) }, ends: [2][2]float64{{1, 1}, {2, 0}}},
		// Below x1 = 1/2, f2 has its minimum 0. There f1 = (x1−2)² is smallest at the boundary x1 = 1/2.
		"a floor": {text: "f1 = (x1-2)^2 + x2^2\nf2 = max(x1-0.5, 0)^2\nx in [-3, 3]",
			front: func(f float64) float64 { d := 1.5 - math.Sqrt(f); return d * d }, ends: [2][2]float64{{0, 2.25}, {2.25, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			p, lo, hi := boxed(t, c.text)
			kinds := map[string]algo.Problem{"Hessians": p}
			if name != "hatch" { // walks by differences take long there
				kinds["differences"] = gradients{p.(algo.Bounded), p}
			}
			for kind, p := range kinds {
				all := front(t, p, lo, hi).Points()
				first, last := all[0].F, all[len(all)-1].F
				width, height := c.ends[1][0]-c.ends[0][0], c.ends[0][1]-c.ends[1][1]
				for i, end := range [][]float64{first, last} {
					if math.Abs(end[0]-c.ends[i][0]) > 1e-6*width || math.Abs(end[1]-c.ends[i][1]) > 1e-6*height {
						t.Errorf("%s: an end is at %.10g, not %.10g", kind, end, c.ends[i])
					}
				}
				for i, q := range all {
					f1 := min(max(q.F[0], c.ends[0][0]), c.ends[1][0])
					if off := q.F[1] - c.front(f1); math.Abs(off) > 1e-6*height {
						t.Errorf("%s: %.10g is %g off the front", kind, q.F, off)
					}
					if i > 0 {
						before := all[i-1].F
						if gap := math.Hypot((q.F[0]-before[0])/width, (q.F[1]-before[1])/height); gap > 0.03 {
							t.Errorf("%s: a gap of %g from %v to %v", kind, gap, before, q.F)
						}
					}
				}
			}
		})
	}
}

// gradients is a problem without second derivatives.
type gradients struct {
	algo.Bounded
	algo.Problem
}

// TestPieces checks disconnected fronts with and without kinks. No points may be between the pieces, and each piece
// must be complete.
func TestPieces(t *testing.T) {
	for name, text := range map[string]string{
		"ZDT3":             "g = 1 + 9*x2\nf1 = x1\nf2 = g*(1 - sqrt(x1/g) - x1/g*sin(10*pi*x1))\nx1 in [0.0001, 1]\nx2 in [0, 1]",
		"ZDT3 with a kink": "g = 1 + 9*abs(x2 - x1)\nf1 = x1\nf2 = g*(1 - sqrt(x1/g) - x1/g*sin(10*pi*x1))\nx1 in [0.0001, 1]\nx2 in [0, 1]",
	} {
		t.Run(name, func(t *testing.T) {
			p, lo, hi := boxed(t, text)
			all := front(t, p, lo, hi).Points()
			curve := func(f float64) float64 { return 1 - math.Sqrt(f) - f*math.Sin(10*math.Pi*f) }
			// The front consists of the points where the curve is lower than at all smaller f1.
			var exact [][2]float64
			lowest := math.Inf(1)
			for k := range 100_001 {
				f := 0.0001 + 0.9999*float64(k)/100_000
				if v := curve(f); v < lowest {
					lowest = v
					exact = append(exact, [2]float64{f, v})
				}
			}
			width, height := exact[len(exact)-1][0]-exact[0][0], exact[0][1]-lowest
			for _, q := range all {
				if off := q.F[1] - curve(q.F[0]); math.Abs(off) > 1e-6*height {
					t.Errorf("%v is %g off the curve", q.F, off)
				}
				for _, r := range exact {
					if r[0] < q.F[0] && r[1] < q.F[1]-1e-5*height {
						t.Errorf("%v is worse than %v", q.F, r)
						break
					}
				}
			}
			for _, r := range exact {
				nearest := math.Inf(1)
				for _, q := range all {
					nearest = min(nearest, math.Hypot((q.F[0]-r[0])/width, (q.F[1]-r[1])/height))
				}
				if nearest > 0.02 {
					t.Errorf("%v of the front is %g from any point", r, nearest)
					break
				}
			}
			gaps := 0
			for i := range all[1:] {
				if all[i+1].F[0]-all[i].F[0] > 0.05 {
					gaps++
				}
			}
			if gaps != 4 {
				t.Errorf("%d gaps, not 4", gaps)
			}
		})
	}
}

// piecewise is a problem whose variables are from −1 to 1. Each objective is the maximum of several linear functions.
type piecewise struct {
	n      int
	slopes [][][]float64 // by objective and function
	levels [][]float64
}

func (p *piecewise) Dims() (n, m int) { return p.n, len(p.slopes) }

func (p *piecewise) Bounds() (lo, hi []float64) {
	return slices.Repeat([]float64{-1}, p.n), slices.Repeat([]float64{1}, p.n)
}

func (p *piecewise) greatest(i int, x []float64) (value float64, which int) {
	value = math.Inf(-1)
	for k, a := range p.slopes[i] {
		v := p.levels[i][k]
		for c := range x {
			v += a[c] * x[c]
		}
		if v > value {
			value, which = v, k
		}
	}
	return value, which
}

func (p *piecewise) Values(f, x []float64) {
	for i := range f {
		f[i], _ = p.greatest(i, x)
	}
}

func (p *piecewise) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.slopes {
		_, k := p.greatest(i, x)
		copy(jac.Row(i), p.slopes[i][k])
	}
}

// least returns the minimum of a weighted sum of the objectives subject to a limit on each objective. It uses a
// linear program whose variables, all nonnegative, are x + 1 and each objective plus bound. It returns ok = false if no
// point satisfies the limits.
func (p *piecewise) least(weights, limits []float64) (value float64, ok bool) {
	const bound = 100
	n, m := p.n, len(p.slopes)
	size := n + m
	var rows []float64
	var right []float64
	for i := range m {
		for k, a := range p.slopes[i] { // a·x + level ≤ f_i
			row := make([]float64, size)
			right = append(right, -p.levels[i][k]-bound)
			for c, v := range a {
				row[c] = v
				right[len(right)-1] += v
			}
			row[n+i] = -1
			rows = append(rows, row...)
		}
		if !math.IsInf(limits[i], 1) {
			row := make([]float64, size)
			row[n+i] = 1
			rows, right = append(rows, row...), append(right, limits[i]+bound)
		}
	}
	for c := range n {
		row := make([]float64, size)
		row[c] = 1
		rows, right = append(rows, row...), append(right, 2)
	}
	// Slack variables turn the inequalities into equations.
	count := len(right)
	a, cost := mat.NewDense(count, size+count, nil), make([]float64, size+count)
	for r := range count {
		sign := 1.0
		if right[r] < 0 {
			sign = -1
		}
		for c := range size {
			a.Set(r, c, sign*rows[r*size+c])
		}
		a.Set(r, size+r, sign)
		right[r] *= sign
	}
	copy(cost[n:], weights)
	value, _, err := lp.Simplex(cost, a, right, 1e-12, nil)
	if err != nil {
		return 0, false
	}
	for _, w := range weights {
		value -= bound * w
	}
	return value, true
}

// TestPiecewiseLinear checks the fronts of random piecewise-linear convex problems against the solutions of linear
// programs. It must be impossible to improve a point, each end must minimise one objective and then the other, and no
// part may be missing.
func TestPiecewiseLinear(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for trial := range 10 {
		p := &piecewise{n: 2 + trial%3}
		for range 2 {
			var slopes [][]float64
			var levels []float64
			for range 3 + random.IntN(5) {
				a := make([]float64, p.n)
				for c := range a {
					a[c] = random.NormFloat64()
				}
				slopes, levels = append(slopes, a), append(levels, 0.5*random.NormFloat64())
			}
			p.slopes, p.levels = append(p.slopes, slopes), append(p.levels, levels)
		}
		lo, hi := p.Bounds()
		all := front(t, p, lo, hi).Points()
		t.Run(fmt.Sprint(trial), func(t *testing.T) { p.compare(t, all) })
	}
}

func (p *piecewise) compare(t *testing.T, all []pareto.Point) {
	free := []float64{math.Inf(1), math.Inf(1)}
	var ends [2][2]float64
	for i := range 2 {
		w, limits := []float64{0, 0}, slices.Clone(free)
		w[i] = 1
		low, ok := p.least(w, limits)
		if !ok {
			t.Fatal("no program")
		}
		limits[i] = low + 1e-11
		other, ok := p.least([]float64{w[1], w[0]}, limits)
		if !ok {
			t.Fatal("no program")
		}
		ends[i][i], ends[i][1-i] = low, other
	}
	width, height := ends[1][0]-ends[0][0], ends[0][1]-ends[1][1]
	if width < 1e-6 || height < 1e-6 {
		if len(all) != 1 {
			t.Errorf("%d points of a front of one", len(all))
		}
		return
	}
	for i, q := range []pareto.Point{all[0], all[len(all)-1]} {
		if math.Abs(q.F[0]-ends[i][0]) > 1e-6*width || math.Abs(q.F[1]-ends[i][1]) > 1e-6*height {
			t.Errorf("an end is at %.9g, not %.9g", q.F, ends[i])
		}
	}
	for i, q := range all {
		best, ok := p.least([]float64{0, 1}, []float64{q.F[0] + 1e-11, math.Inf(1)})
		if ok && q.F[1]-best > 1e-6*height {
			// Near a steep part of the front, compare the first objective instead.
			if best, ok = p.least([]float64{1, 0}, []float64{math.Inf(1), q.F[1] + 1e-11}); ok && q.F[0]-best > 1e-6*width {
				t.Errorf("%v is not on the front: %g", q.F, best)
			}
		}
		if i > 0 {
			before := all[i-1].F
			if gap := math.Hypot((q.F[0]-before[0])/width, (q.F[1]-before[1])/height); gap > 0.04 {
				t.Errorf("a gap of %g from %v to %v", gap, before, q.F)
			}
		}
	}
}

// TestBadRegions checks that an invalid region gives no front, no panic and no endless search.
func TestBadRegions(t *testing.T) {
	p, err := formula.Parse("f1 = abs(x1) + x2^2\nf2 = abs(x1-1) + x2^2", 0)
	if err != nil {
		t.Fatal(err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range [][2][]float64{
		{{nan, nan}, {nan, nan}}, {{-1, nan}, {1, 1}}, {{-inf, -1}, {inf, 1}}, {{0, 0}, {0, 0}}, {{1, 1}, {-1, -1}}, {{0, -1}, {0, 1}},
		{{-1e300, -1}, {1e300, 1}},
	} {
		for _, q := range front(t, p, c[0], c[1]).Points() {
			if !algo.Finite(q.F) || !algo.Finite(q.X) {
				t.Errorf("from %v to %v: %v at %v", c[0], c[1], q.F, q.X)
			}
		}
	}
}

// BenchmarkKinks measures the time for a front along a kink.
func BenchmarkKinks(b *testing.B) {
	p, lo, hi := boxed(b, hatch)
	for b.Loop() {
		front(b, p, lo, hi)
	}
}
