package pareto_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
)

// corners is a problem with objectives ‖x − a_i‖²/2, whose Hessians are known.
type corners struct {
	at     [][]float64
	lo, hi []float64
}

func (p corners) Dims() (n, m int) { return len(p.at[0]), len(p.at) }

func (p corners) Values(f, x []float64) {
	for i, a := range p.at {
		f[i] = 0
		for c, v := range x {
			f[i] += (v - a[c]) * (v - a[c]) / 2
		}
	}
}

func (p corners) Jacobian(jac *algo.Jacobian, x []float64) {
	for i, a := range p.at {
		for c, v := range x {
			jac.Row(i)[c] = v - a[c]
		}
	}
}

func (p corners) HessianProduct(dst []float64, _ int, _, direction []float64) { copy(dst, direction) }

// boxed adds a box to the problem corners.
type boxed struct{ corners }

func (p boxed) Bounds() (lo, hi []float64) { return p.lo, p.hi }

// TestWalkByHand compares a walk with numbers computed by hand. On ‖x ∓ (1, 0)‖²/2 the stationary points are (t, 0),
// −1 ≤ t ≤ 1, with weights (1 + t)/2 and (1 − t)/2. The walk starts at t = 0 and lowers the first objective. It ends
// when both objectives have changed by as much as from (0.5, 0.5) to (0.32, 0.72), at t = 0.2.
func TestWalkByHand(t *testing.T) {
	p := corners{at: [][]float64{{1, 0}, {-1, 0}}}
	w, err := pareto.NewWalker(p, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start([]float64{0, 3}); err != nil {
		t.Fatal(err)
	}
	x, f := w.Point()
	if math.Abs(x[0]) > 1e-9 || math.Abs(x[1]) > 1e-9 || math.Abs(w.Rate(0, 1)-1) > 1e-9 {
		t.Fatalf("begins at %v, rate %g", x, w.Rate(0, 1))
	}
	for range 100 { // each a hundredth of the whole, because the length of a step is exact only to first order
		if _, end := w.Trade(0, 1, 0.01*math.Hypot(0.18, 0.22)); end != pareto.Walked {
			t.Fatal(end)
		}
	}
	weights := make([]float64, 2)
	w.Weights(weights)
	if math.Abs(x[0]-0.2) > 1e-3 || math.Abs(x[1]) > 1e-9 || math.Abs(weights[0]-(1+x[0])/2) > 1e-9 ||
		math.Abs(w.Rate(0, 1)-(1+x[0])/(1-x[0])) > 1e-9 || math.Abs(f[0]-(1-x[0])*(1-x[0])/2) > 1e-12 {
		t.Errorf("at %v, %v, weights %v, rate %g", x, f, weights, w.Rate(0, 1))
	}
	if way, end := w.Trade(0, 1, 10); end != pareto.Lowest || math.Abs(x[0]-1) > 1e-6 || way < 1 {
		t.Errorf("ends at %v after %g: %v", x, way, end)
	}
	if way, end := w.Trade(0, 1, 1); end != pareto.Lowest || way != 0 {
		t.Errorf("goes on by %g: %v", way, end)
	}
	if way, end := w.Trade(1, 0, 100); end != pareto.Lowest || math.Abs(x[0]+1) > 1e-6 || way < 2 {
		t.Errorf("the other end is %v after %g: %v", x, way, end)
	}
}

// TestWalkOnScenesProblems walks back and forth on problems that scenes show, and checks that the points stay on the
// known fronts.
func TestWalkOnScenesProblems(t *testing.T) {
	type fronted interface {
		algo.Problem
		DistanceToParetoSet(x []float64) float64
	}
	for _, d := range []int{1, 2, 5, 20} {
		fonseca, err := problem.NewFonseca(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		bowls, err := problem.NewTwoQuadratics(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range map[string]fronted{"fonseca": fonseca, "bowls": bowls} {
			t.Run(fmt.Sprint(name, d), func(t *testing.T) {
				w, err := pareto.NewWalker(p, []float64{1, 1})
				if err != nil {
					t.Fatal(err)
				}
				x0 := make([]float64, d)
				for c := range x0 {
					x0[c] = 0.3 - 0.05*float64(c%3)
				}
				if err := w.Start(x0); err != nil {
					t.Fatal(err)
				}
				x, f := w.Point()
				for i := range 2 {
					steps := 0
					for {
						before := f[i]
						way, end := w.Trade(i, 1-i, 0.02)
						if way > 0 && f[i] >= before {
							t.Fatalf("objective %d rose from %g to %g", i, before, f[i])
						}
						if off := p.DistanceToParetoSet(x); off > 1e-7 {
							t.Fatalf("at %v, %g off the set", x, off)
						}
						if end == pareto.Lowest {
							break
						}
						if end != pareto.Walked || math.Abs(way-0.02) > 0.01 {
							t.Fatalf("after %d steps: %v, %g at %v", steps, end, way, x)
						}
						steps++
					}
					if f[i] > 1e-9 {
						t.Errorf("objective %d is %g at its end", i, f[i])
					}
				}
			})
		}
	}
}

// TestWalkNearNought checks that second derivatives computed from differences are also accurate where variables are
// almost 0, so that no walk ends in the middle of Fonseca's front.
func TestWalkNearNought(t *testing.T) {
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pareto.NewWalker(p, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{0, 0}, {0.5, -0.5}, {1e-17, -1e-17}, {1e-9, 1e-300}} {
		for i := range 2 {
			if err := w.Start(x); err != nil {
				t.Fatal(err)
			}
			if way, end := w.Trade(i, 1-i, 0.1); end != pareto.Walked || math.Abs(w.Rate(i, 1-i)-0.825) > 0.001 {
				t.Errorf("from %v objective %d goes %g: %v, and costs %g", x, i, way, end, w.Rate(i, 1-i))
			}
		}
	}
}

// TestWalkOnToy walks on the toy problem, which provides no second derivatives, for two scales of the first objective.
func TestWalkOnToy(t *testing.T) {
	for _, scale := range []float64{1, 0.1} {
		p, err := problem.NewToy(scale, 0)
		if err != nil {
			t.Fatal(err)
		}
		w, err := pareto.NewWalker(p, []float64{20 * scale, 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start([]float64{1, -8}); err != nil {
			t.Fatal(err)
		}
		x, _ := w.Point()
		for i := range 2 {
			way, end := w.Trade(i, 1-i, 10)
			if end != pareto.Lowest || math.Abs(math.Abs(x[0])-7) > 1e-4 {
				t.Errorf("scale %g: objective %d at %v after %g: %v", scale, i, x, way, end)
			}
		}
	}
}

// TestWalkHoldsTheOthers trades two of three objectives, and checks that the third keeps its value until its weight is 0.
func TestWalkHoldsTheOthers(t *testing.T) {
	p := corners{at: [][]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}
	w, err := pareto.NewWalker(p, []float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start([]float64{0.3, 0.3, 1}); err != nil {
		t.Fatal(err)
	}
	_, f := w.Point()
	third := f[2]
	for range 10 {
		if _, end := w.Trade(0, 1, 0.005); end != pareto.Walked {
			t.Fatal(end)
		}
		if math.Abs(f[2]-third) > 1e-9 {
			t.Fatalf("the third went from %g to %g", third, f[2])
		}
	}
	if _, end := w.Trade(0, 1, 5); end != pareto.Idle && end != pareto.Lowest {
		t.Errorf("ends with %v", end)
	}
}

// TestWalkAlongABound checks that a walk follows a bound that the front meets, and leaves the bound where the weighted
// gradient no longer pushes against it.
func TestWalkAlongABound(t *testing.T) {
	// For minimisers at (−1, 1) and (1, 1), the box holds x2 at 0.5 on the whole set. For (−1, 1) and (1, −1), one
	// minimiser is inside the box, so the set leaves the bound.
	for _, second := range [][]float64{{1, 1}, {1, -1}} {
		p := boxed{corners{at: [][]float64{{-1, 1}, second}, lo: []float64{-2, -2}, hi: []float64{2, 0.5}}}
		w, err := pareto.NewWalker(p, []float64{1, 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start([]float64{-0.9, -2}); err != nil {
			t.Fatal(err)
		}
		x, _ := w.Point()
		if _, end := w.Trade(0, 1, 10); end != pareto.Lowest || math.Hypot(x[0]+1, x[1]-0.5) > 1e-6 {
			t.Errorf("towards the first: %v, %v", x, end)
		}
		for range 1000 {
			_, end := w.Trade(1, 0, 0.01)
			// At a fraction s of the way to the second minimiser, x1 is −1 + 2s, and x2 is min(½, 1 − 2s) if the set leaves
			// the bound, and otherwise ½.
			want := 0.5
			if second[1] < 0 {
				want = math.Min(0.5, -x[0])
			}
			if math.Abs(x[1]-want) > 1e-6 {
				t.Fatalf("at %v, x2 should be %g", x, want)
			}
			if end == pareto.Lowest {
				break
			}
			if end != pareto.Walked {
				t.Fatal(end)
			}
		}
		if math.Hypot(x[0]-1, x[1]-min(second[1], 0.5)) > 1e-5 {
			t.Errorf("ends at %v", x)
		}
	}
}

// inUnits is the problem corners with a different unit for the first objective.
type inUnits struct {
	corners
	unit float64
}

func (p inUnits) Values(f, x []float64) {
	p.corners.Values(f, x)
	f[0] *= p.unit
}

func (p inUnits) Jacobian(jac *algo.Jacobian, x []float64) {
	p.corners.Jacobian(jac, x)
	for c := range jac.Row(0) {
		jac.Row(0)[c] *= p.unit
	}
}

func (p inUnits) HessianProduct(dst []float64, i int, _, direction []float64) {
	copy(dst, direction)
	for c := range dst {
		if i == 0 {
			dst[c] *= p.unit
		}
	}
}

// TestWalkFromACorner walks from a corner of the box where an objective has its minimum. The walk must follow the
// edge on which the other objective falls most for each unit that the first rises.
func TestWalkFromACorner(t *testing.T) {
	p := boxed{corners{at: [][]float64{{-3, -3}, {3, 1}}, lo: []float64{-1, -1}, hi: []float64{2, 2}}}
	w, err := pareto.NewWalker(p, []float64{10, 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start([]float64{0, 0}); err != nil {
		t.Fatal(err)
	}
	x, f := w.Point()
	if _, end := w.Trade(0, 1, 10); end != pareto.Lowest || x[0] != -1 || x[1] != -1 {
		t.Fatalf("the end is %v: %v", x, end)
	}
	before := f[1]
	if way, end := w.Trade(1, 0, 0.1); end != pareto.Walked || math.Abs(way-0.1) > 0.02 || f[1] >= before {
		t.Errorf("from the corner by %g to %v: %v", way, x, end)
	}
	if _, end := w.Trade(1, 0, 10); end != pareto.Lowest || x[0] != 2 || math.Abs(x[1]-1) > 1e-6 {
		t.Errorf("the other end is %v: %v", x, end)
	}
}

// TestWalkBeginsAtBounds checks that a walk can begin at any point in the box of a truss problem, for any unit of
// volume, even if variables start at bounds or reach bounds during the search.
func TestWalkBeginsAtBounds(t *testing.T) {
	for _, unit := range []string{"1", "0.000001"} {
		p, err := formula.Parse("u = "+unit+"\nx1 in [1, 3]\nx2 in [1.4142135623730951, 3]\nx3 in [1.4142135623730951, 3]\nx4 in [1, 3]\n"+
			"f1 = u*200*(2*x1 + sqrt(2)*x2 + sqrt(x3) + x4)\nf2 = 0.01*(2/x1 + 2*sqrt(2)/x2 - 2*sqrt(2)/x3 + 2/x4)", 0)
		if err != nil {
			t.Fatal(err)
		}
		box, _ := p.Boxed()
		lo, hi := box.Bounds()
		low, high := make([]float64, 2), make([]float64, 2)
		p.Values(low, lo)
		p.Values(high, []float64{3, 3, lo[2], 3})
		w, err := pareto.NewWalker(box, []float64{high[0] - low[0], low[1] - high[1]})
		if err != nil {
			t.Fatal(err)
		}
		random, x := rand.New(rand.NewPCG(1, 0)), make([]float64, 4)
		for range 500 {
			for c := range x {
				x[c] = min(lo[c]+(hi[c]-lo[c])*max(0, 1.4*random.Float64()-0.2), hi[c])
			}
			if err := w.Start(x); err != nil {
				t.Fatalf("unit %s, from %v: %v", unit, x, err)
			}
		}
	}
}

// TestWalkUnits checks that a change of the objectives' units changes the rates accordingly and does not change the
// points.
func TestWalkUnits(t *testing.T) {
	for _, unit := range []float64{1e-8, 1, 1e8} {
		w, err := pareto.NewWalker(inUnits{corners{at: [][]float64{{1, 0}, {-1, 0}}}, unit}, []float64{unit, 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start([]float64{0.5, 1}); err != nil {
			t.Fatal(err)
		}
		x, _ := w.Point()
		for range 10 {
			if _, end := w.Trade(0, 1, 0.02); end != pareto.Walked {
				t.Fatal(end)
			}
			if want := (1 + x[0]) / (1 - x[0]) / unit; math.Abs(w.Rate(0, 1)/want-1) > 1e-6 {
				t.Errorf("unit %g: at %v the rate is %g, not %g", unit, x, w.Rate(0, 1), want)
			}
		}
	}
}

// TestWalkWithScalesThatDoNotFit checks that badly fitting scales do not make a point seem stationary. The problem f1 = 1000(x1
// + x2), f2 = (1/x1 + x2)/100 on [1, 3]² has stationary points only at x2 = 1. Weights are in the units of the objectives.
func TestWalkWithScalesThatDoNotFit(t *testing.T) {
	p, err := formula.Parse("f1 = 1000*(x1 + x2)\nf2 = (1/x1 + x2)/100\nx1 in [1, 3]\nx2 in [1, 3]", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range [][]float64{{1, 1}, {1e3, 1e-2}, {1e-6, 1e6}, {1e6, 1e-6}, {1, 1e-8}} {
		box, _ := p.Boxed()
		w, err := pareto.NewWalker(box, scale)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Start([]float64{2, 2}); err != nil {
			t.Fatalf("scale %v: %v", scale, err)
		}
		x, _ := w.Point()
		if math.Abs(x[1]-1) > 1e-9 || !(x[0] >= 1 && x[0] <= 3) {
			t.Errorf("scale %v: %v counts as stationary", scale, x)
		}
		if x[0] == 1 { // the minimum of f1
			continue
		}
		// λ1·1000 = λ2·0.01/x1²
		if want := 1e-5 / (x[0] * x[0]); math.Abs(w.Rate(0, 1)/want-1) > 1e-5 {
			t.Errorf("scale %v: at %v the rate is %g, not %g", scale, x, w.Rate(0, 1), want)
		}
	}
}

// plane is a problem with two objectives that are unbounded below.
type plane struct{ corners }

func (p plane) Values(f, x []float64) { f[0], f[1] = x[0], x[0]+x[1] }

func (p plane) Jacobian(jac *algo.Jacobian, _ []float64) { copy(jac.Data, []float64{1, 0, 1, 1}) }

func TestWalkRefuses(t *testing.T) {
	two := corners{at: [][]float64{{1, 0}, {-1, 0}}}
	for _, scale := range [][]float64{nil, {1}, {1, 0}, {1, math.NaN()}, {math.Inf(1), 1}} {
		if _, err := pareto.NewWalker(two, scale); err == nil {
			t.Errorf("scale %v is taken", scale)
		}
	}
	if _, err := pareto.NewWalker(corners{at: [][]float64{{1, 0}}}, []float64{1}); err == nil {
		t.Error("one objective is taken")
	}
	endless, err := pareto.NewWalker(plane{two}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := endless.Start([]float64{0, 0}); !errors.Is(err, pareto.ErrNotStationary) {
		t.Errorf("on a slope: %v", err)
	}
	w, err := pareto.NewWalker(two, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start([]float64{1}); err == nil {
		t.Error("a point of one variable is taken")
	}
	if err := w.Start([]float64{math.NaN(), 0}); !errors.Is(err, pareto.ErrNotStationary) {
		t.Errorf("from nowhere: %v", err)
	}
}

func TestWalkAllocations(t *testing.T) {
	p, err := problem.NewFonseca(5, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pareto.NewWalker(p, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	start := []float64{0.1, 0.1, 0.2, 0.1, 0}
	if err := w.Start(start); err != nil {
		t.Fatal(err)
	}
	i := 0
	if n := testing.AllocsPerRun(20, func() {
		w.Trade(i%2, 1-i%2, 0.05)
		i++
		if w.Start(start) != nil {
			t.Fatal("no start")
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Trade two paraboloids whose minima are 2 apart. Halfway, one unit of either costs one unit of the other. Closer to
// the first minimum, the first objective becomes more expensive to lower.
func ExampleWalker() {
	p := corners{at: [][]float64{{1, 0}, {-1, 0}}}
	w, err := pareto.NewWalker(p, []float64{2, 2})
	if err != nil {
		panic(err)
	}
	if err := w.Start([]float64{0, 1}); err != nil {
		panic(err)
	}
	for range 3 {
		_, f := w.Point()
		fmt.Printf("%.2f %.2f: one unit of the first costs %.2f of the second\n", f[0], f[1], w.Rate(0, 1))
		w.Trade(0, 1, 0.1)
	}
	// Output:
	// 0.50 0.50: one unit of the first costs 1.00 of the second
	// 0.37 0.65: one unit of the first costs 1.33 of the second
	// 0.26 0.82: one unit of the first costs 1.78 of the second
}
