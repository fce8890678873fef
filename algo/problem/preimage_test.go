package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

// preimages is implemented by problems whose objectives can be inverted.
type preimages interface {
	algo.Problem
	Preimage(x, f []float64, most float64)
}

func inverted(t *testing.T, d int) map[string]preimages {
	t.Helper()
	f, err := NewFonseca(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, err := NewTwoQuadratics(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]preimages{"Fonseca": f, "quadratics": q}
}

// TestPreimage checks that Preimage moves a nearby point to given objectives and keeps it on its side of the line
// through the minimisers.
func TestPreimage(t *testing.T) {
	for _, d := range []int{1, 2, 3, 30} {
		for name, p := range inverted(t, d) {
			t.Run(fmt.Sprint(name, " ", d), func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, 2))
				want, got := make([]float64, 2), make([]float64, 2)
				for range 200 {
					x, y := make([]float64, d), make([]float64, d)
					spread := 1.5 / math.Sqrt(float64(d))
					for i := range x {
						x[i] = spread * (2*random.Float64() - 1)
						y[i] = x[i] + 1e-3*(2*random.Float64()-1)
					}
					p.Values(want, x)
					p.Preimage(y, want, 10)
					p.Values(got, y)
					for i := range want {
						if math.Abs(got[i]-want[i]) > 1e-9 {
							t.Fatalf("asked for %v, %v has %v", want, y, got)
						}
					}
					away := 0.0
					for i := range x {
						away = max(away, math.Abs(x[i]-y[i]))
					}
					if d <= 2 && away > 0.02 {
						t.Fatalf("%v moves to %v", x, y)
					}
				}
			})
		}
	}
}

// TestPreimageOutside checks that Preimage takes the nearest objectives if no point has the requested objectives. No
// point of a grid may have nearer objectives. A small change of the requested objectives must change the result only a
// little, except where two points of the front are equally near.
func TestPreimageOutside(t *testing.T) {
	const reach = 4
	for name, p := range inverted(t, 2) {
		t.Run(name, func(t *testing.T) {
			f := make([]float64, 2)
			for _, want := range [][]float64{{0.2, 0.25}, {0, 0}, {-1, 0.5}, {0.9, -0.3}, {0.05, 1.4}, {1.2, 1.1}, {40, 3}, {30, 30}, {1, 1}} {
				x := []float64{0.5, -0.25}
				p.Preimage(x, want, reach)
				if !inBox(x, reach) {
					t.Errorf("%v: %v is outside", want, x)
				}
				p.Values(f, x)
				got := math.Hypot(f[0]-want[0], f[1]-want[1])
				const nodes = 400
				for i := range nodes + 1 {
					for j := range nodes + 1 {
						node := []float64{reach * (2*float64(i)/nodes - 1), reach * (2*float64(j)/nodes - 1)}
						p.Values(f, node)
						if d := math.Hypot(f[0]-want[0], f[1]-want[1]); d < got-1e-6 {
							t.Fatalf("%v: %v is %v away, %v only %v", want, x, got, node, d)
						}
					}
				}
				if want[0] == want[1] && want[0] < 0.5 {
					continue
				}
				again := []float64{0.5, -0.25}
				p.Preimage(again, []float64{want[0] + 1e-7, want[1] - 1e-7}, reach)
				g := make([]float64, 2)
				p.Values(f, x)
				p.Values(g, again)
				if d := math.Hypot(f[0]-g[0], f[1]-g[1]); d > 1e-3 {
					t.Errorf("%v: a little beside it is %v away", want, d)
				}
			}
		})
	}
}

// TestPreimageOnLine checks that Preimage always leaves the line through the minimisers to the same side.
func TestPreimageOnLine(t *testing.T) {
	for name, p := range inverted(t, 2) {
		for _, x := range [][]float64{{0, 0}, {0.3, 0.3}} {
			f := make([]float64, 2)
			p.Values(f, []float64{0.6, -0.2})
			p.Preimage(x, f, 10)
			if math.Abs(x[0]-0.6) > 1e-9 || math.Abs(x[1]+0.2) > 1e-9 {
				t.Errorf("%s: it goes to %v", name, x)
			}
		}
	}
}
