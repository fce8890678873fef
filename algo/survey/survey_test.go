package survey_test

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/problem"
	"paretoplay/algo/survey"
)

func boxed(t testing.TB, text string) (algo.Problem, []float64, []float64) {
	t.Helper()
	p, err := formula.Parse(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, ok := p.Boxed()
	if !ok {
		t.Fatal("the formulas have no box")
	}
	lo, hi := b.Bounds()
	return b, lo, hi
}

func front(t testing.TB, p algo.Problem, lo, hi []float64) *survey.Front {
	t.Helper()
	f := survey.NewFront(p, lo, hi, 1)
	for i := 0; !f.Done(); i++ {
		if i > 10_000 {
			t.Fatal("it does not end")
		}
		f.Advance()
	}
	return f
}

// TestKnownFronts checks problems with known fronts: every point is on the front, and no gap is wide.
func TestKnownFronts(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		f2    func(f1 float64) float64
		least float64 // of f1
		most  float64
	}{
		"spheres": {"f1 = x1^2 + x2^2\nf2 = (x1-1)^2 + x2^2\nx in [-2, 2]",
			func(f float64) float64 { d := 1 - math.Sqrt(f); return d * d }, 0, 1},
		"other units": {"f1 = 1e6*(x1^2 + x2^2)\nf2 = 1e-6*((x1-1)^2 + x2^2)\nx in [-2, 2]",
			func(f float64) float64 { d := 1 - math.Sqrt(f/1e6); return 1e-6 * d * d }, 0, 1e6},
		"ZDT1": {"n = 4\ng = 1 + 9*sum(i, 2, n, x[i])/(n-1)\nf1 = x1\nf2 = g*(1 - sqrt(x1/g))\nx in [0, 1]\nx1 in [0.01, 1]",
			func(f float64) float64 { return 1 - math.Sqrt(f) }, 0.01, 1},
		"ZDT2": {"n = 4\ng = 1 + 9*sum(i, 2, n, x[i])/(n-1)\nf1 = x1\nf2 = g*(1 - (x1/g)^2)\nx in [0, 1]",
			func(f float64) float64 { return 1 - f*f }, 0, 1},
		"one variable": {"f1 = x^2\nf2 = (x-2)^2\nx in [-3, 4]", func(f float64) float64 { d := 2 - math.Sqrt(f); return d * d }, 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			p, lo, hi := boxed(t, c.text)
			all := front(t, p, lo, hi).Points()
			if len(all) < 50 {
				t.Fatalf("%d points", len(all))
			}
			width := c.most - c.least
			height := c.f2(c.least) - c.f2(c.most)
			for i, q := range all {
				if off := q.F[1] - c.f2(q.F[0]); math.Abs(off) > 1e-5*height {
					t.Errorf("%v is %g off the front", q.F, off)
				}
				if i > 0 {
					before := all[i-1].F
					if gap := math.Hypot((q.F[0]-before[0])/width, (q.F[1]-before[1])/height); gap > 0.04 {
						t.Errorf("a gap of %g from %v to %v", gap, before, q.F)
					}
				}
			}
			if first, last := all[0].F[0], all[len(all)-1].F[0]; math.Abs(first-c.least) > 1e-3*width || math.Abs(last-c.most) > 1e-2*width {
				t.Errorf("it goes from %g to %g", first, last)
			}
		})
	}
}

// TestGrid checks the grid for Fonseca's problem: the diagonal between the minima must be critical, but not the far
// corners.
func TestGrid(t *testing.T) {
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	g := survey.NewGrid(p, []float64{-1, -1}, []float64{1, 1}, 41)
	for i := 0; !g.Done(); i++ {
		if i > 100 {
			t.Fatal("it does not end")
		}
		g.Advance()
	}
	x := make([]float64, 2)
	for node := range g.Length {
		g.Node(x, node)
		if on := x[0] == x[1] && math.Abs(x[0]) < 0.705; on != (g.Length[node] < 1e-9) {
			t.Errorf("at %v the length is %g", x, g.Length[node])
		}
		if x[0] == x[1] && math.Abs(x[0]) < 0.705 && g.Surpassed[node] {
			t.Errorf("%v is called surpassed", x)
		}
	}
	if !g.Surpassed[40] { // (1, −1) is worse in both objectives than the middle
		t.Error("a corner is not surpassed")
	}
}

// TestAnything checks that unusual values, unusual gradients and dominated points cause no failure.
func TestAnything(t *testing.T) {
	for _, text := range []string{
		"f1 = log(x1)\nf2 = (x1-1)^2\nx in [-1, 2]", "f1 = 1\nf2 = 1\nx in [0, 1]", "f1 = x1\nf2 = x1\nx in [0, 1]",
		"f1 = log(-1-x1^2)\nf2 = x1\nx in [0, 1]",
		"f1 = abs(x1) + x2^2\nf2 = abs(x1-1) + x2^2\nx in [-2, 2]", "f1 = exp(1000*x1)\nf2 = -x1\nx in [-1, 1]",
		"f1 = x1\nf2 = x2\nf3 = 1 - x1 - x2\nx in [0, 1]",
	} {
		p, lo, hi := boxed(t, text)
		for _, q := range front(t, p, lo, hi).Points() {
			if !algo.Finite(q.F) {
				t.Errorf("%q: %v", text, q.F)
			}
		}
		g := survey.NewGrid(p, lo, hi, 21)
		for i := 0; !g.Done() && i < 100; i++ {
			g.Advance()
		}
		if !g.Done() {
			t.Errorf("%q: the grid does not end", text)
		}
	}
}

// BenchmarkPicture measures the grid with 96 nodes in each direction, and the front. The page must complete this
// picture within half a second after the last key press.
func BenchmarkPicture(b *testing.B) {
	for _, text := range []string{"f1 = (x1-1)^2 + x2^2\nf2 = (x1+1)^2 + x2^2\nx in [-2, 2]"} {
		p, lo, hi := boxed(b, text)
		b.Run("grid", func(b *testing.B) {
			for b.Loop() {
				for g := survey.NewGrid(p, lo, hi, 96); !g.Done(); {
					g.Advance()
				}
			}
		})
		b.Run("front", func(b *testing.B) {
			for b.Loop() {
				front(b, p, lo, hi)
			}
		})
	}
}

func ExampleFront() {
	p, err := formula.Parse("f1 = x1^2 + x2^2\nf2 = (x1-1)^2 + x2^2\nx in [-2, 2]", 0)
	if err != nil {
		panic(err)
	}
	b, _ := p.Boxed()
	lo, hi := b.Bounds()
	f := survey.NewFront(b, lo, hi, 1)
	for !f.Done() {
		f.Advance()
	}
	all := f.Points()
	fmt.Printf("from (%.2f, %.2f) to (%.2f, %.2f)\n", all[0].F[0], all[0].F[1], all[len(all)-1].F[0], all[len(all)-1].F[1])
	// Output: from (0.00, 1.00) to (1.00, 0.00)
}
