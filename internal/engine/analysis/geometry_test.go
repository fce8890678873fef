package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// TestCone checks that a direction is in the cone if and only if none of its products with gradients is negative.
func TestCone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	kinds := map[ConeKind]int{}
	for range 2000 {
		g := make([][]float64, 2+r.IntN(5))
		for i := range g {
			g[i] = []float64{r.NormFloat64(), r.NormFloat64() + 0.8}
		}
		c := CommonDescent(g)
		kinds[c.Kind]++
		for range 40 {
			angle := 2 * math.Pi * r.Float64()
			least := math.Inf(1)
			for _, v := range g {
				least = min(least, v[0]*math.Cos(angle)+v[1]*math.Sin(angle))
			}
			middle := (c.From + c.To) / 2
			inside := c.Kind == Sector && math.Abs(math.Remainder(angle-middle, 2*math.Pi)) <= (c.To-c.From)/2
			if math.Abs(least) > 1e-9 && inside != (least > 0) {
				t.Fatalf("%v: cone %+v, angle %v, least product %v", g, c, angle, least)
			}
		}
	}
	if kinds[Sector] < 100 || kinds[OnlyZero] < 100 {
		t.Errorf("kinds %v", kinds)
	}
	for _, c := range []struct {
		gradients [][]float64
		want      Cone
	}{
		{[][]float64{{1, 0}, {-1, 0}}, Cone{Line, math.Pi / 2, math.Pi / 2}},
		{[][]float64{{1, 0}, {-1, 0}, {0, 1}}, Cone{Ray, math.Pi / 2, math.Pi / 2}},
		{[][]float64{{1, 0}, {-1, 0}, {0, -1}}, Cone{Ray, -math.Pi / 2, -math.Pi / 2}},
		{[][]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}}, Cone{}},
		{[][]float64{{0, 0}, {0, 0}}, Cone{Kind: Everything}},
		{[][]float64{{1, 0}, {0, 0}}, Cone{Sector, -math.Pi / 2, math.Pi / 2}},
		{[][]float64{{1, 0}, {0, 1}}, Cone{Sector, 0, math.Pi / 2}},
	} {
		got := CommonDescent(c.gradients)
		if got.Kind != c.want.Kind || math.Abs(got.From-c.want.From) > 1e-9 || math.Abs(got.To-c.want.To) > 1e-9 {
			t.Errorf("%v: %+v, want %+v", c.gradients, got, c.want)
		}
	}
}

// TestSpaceCone checks that each ray is in the cone, and that the mean of the rays is in the cone's interior.
func TestSpaceCone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	open := 0
	for range 500 {
		g := make([][]float64, 3+r.IntN(4))
		for i := range g {
			g[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64() + 1}
		}
		rays := SpaceCone(g)
		if rays == nil {
			continue
		}
		open++
		var mean [3]float64
		for _, ray := range rays {
			for k := range mean {
				mean[k] += ray[k]
			}
			for _, v := range g {
				if dot3(v, ray[:]) < -1e-9 {
					t.Fatalf("%v: ray %v leaves the cone", g, ray)
				}
			}
		}
		for _, v := range g {
			if dot3(v, mean[:]) <= 0 {
				t.Fatalf("%v: the mean of the rays is not inside", g)
			}
		}
	}
	if open < 50 {
		t.Errorf("got only %d cones with an interior", open)
	}
	unit := SpaceCone([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
	if len(unit) != 3 {
		t.Errorf("first octant: got rays %v", unit)
	}
}

// TestHull checks that the corners are in order around the hull, and that a hull without an interior has at most two
// corners.
func TestHull(t *testing.T) {
	got := Hull([][]float64{{0, 0}, {2, 0}, {1, 0.5}, {2, 2}, {0, 2}, {1, 0}})
	if want := "0,0;2,0;2,2;0,2"; param.FormatRows(got) != want {
		t.Errorf("got %s, want %s", param.FormatRows(got), want)
	}
	for _, degenerate := range [][][]float64{{{1, 1}, {1, 1}}, {{0, 0}, {1, 1}, {2, 2}}} {
		if got := Hull(degenerate); len(got) > 2 {
			t.Errorf("%v: got hull %v", degenerate, got)
		}
	}
}

// TestArc checks that the arc leads from one gradient to the other at the given radius.
func TestArc(t *testing.T) {
	jac := algo.NewJacobian(2, 3)
	copy(jac.Data, []float64{1, 2, 3, -3, 0, 1})
	a := New(jac, []float64{1, 1}, 1, nil)
	a.Finish(func() bool { return true })
	arc := a.Arc(0, 1, 2)
	for i, share := range []float64{0, 1} {
		want := unit(a.Jacobian.Row(i))
		floats.Scale(2, want)
		if got := arc(share); floats.Distance(got, want, 2) > 1e-12 {
			t.Errorf("got an arc that ends at %v, want %v", got, want)
		}
	}
	if got := floats.Norm(arc(0.37), 2); math.Abs(got-2) > 1e-12 {
		t.Errorf("the arc is %v from the origin", got)
	}
}
