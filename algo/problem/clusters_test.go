package problem_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newClusters(t testing.TB, basin problem.Basin, centres ...[]float64) *problem.Clusters {
	t.Helper()
	p, err := problem.NewClusters(centres, basin)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestClustersConformance(t *testing.T) {
	drawn, err := problem.ClusterLayout{Objectives: 30, Clusters: 5, Extent: 1.2, Spread: 0.25, Seed: 1}.Centres()
	if err != nil {
		t.Fatal(err)
	}
	for _, basin := range []problem.Basin{problem.Quadratic, problem.Well} {
		algotest.Problem(t, newClusters(t, basin, drawn...), drawn[3], []float64{40, -40})
		algotest.Problem(t, newClusters(t, basin, []float64{0.5}))
		algotest.Problem(t, newClusters(t, basin, []float64{1, 2, 3}, []float64{1, 2, 3}, []float64{0, 0, 0}))
	}
}

// TestClustersByHand compares an objective at distance 5 from its centre with numbers computed by hand.
func TestClustersByHand(t *testing.T) {
	x, f, jac := []float64{3, 4}, make([]float64, 2), algo.NewJacobian(2, 2)
	p := newClusters(t, problem.Quadratic, []float64{0, 0}, []float64{3, 3})
	p.Values(f, x)
	p.Jacobian(jac, x)
	if f[0] != 12.5 || f[1] != 0.5 || jac.Data[0] != 3 || jac.Data[1] != 4 || jac.Data[2] != 0 || jac.Data[3] != 1 {
		t.Errorf("values %v, Jacobian %v", f, jac.Data)
	}
	p = newClusters(t, problem.Well, []float64{0, 0}, []float64{3, 3})
	p.Values(f, x)
	p.Jacobian(jac, x)
	near, far := math.Exp(-0.5), math.Exp(-12.5)
	for i, e := range []float64{
		f[0] - (1 - far), f[1] - (1 - near), jac.Data[0] - 3*far, jac.Data[1] - 4*far, jac.Data[2], jac.Data[3] - near,
	} {
		if math.Abs(e) > 1e-15 {
			t.Errorf("number %d is off by %g", i, e)
		}
	}
	if l := p.Lipschitz(); l != 1 {
		t.Errorf("Lipschitz constant %v", l)
	}
}

// TestClustersMove checks that moving a centre moves its objective and does not change the caller's rows.
func TestClustersMove(t *testing.T) {
	centres := [][]float64{{1, 0}, {0, 1}}
	p := newClusters(t, problem.Quadratic, centres...)
	if err := p.SetCentre(1, []float64{0, 3}); err != nil {
		t.Fatal(err)
	}
	f := make([]float64, 2)
	p.Values(f, []float64{0, 0})
	if f[0] != 0.5 || f[1] != 4.5 || centres[1][1] != 1 || p.Centre(1)[1] != 3 {
		t.Errorf("values %v, rows %v", f, centres)
	}
	for _, c := range [][]float64{{1}, {math.NaN(), 0}, {math.Inf(1), 0}} {
		var refused *algo.RangeError
		if err := p.SetCentre(0, c); !errors.As(err, &refused) || refused.Name != "centre 0" {
			t.Errorf("centre %v: %v", c, err)
		}
	}
	if p.Centre(0)[0] != 1 {
		t.Error("a refused centre moved one")
	}
}

func TestClustersRefuse(t *testing.T) {
	for name, make := range map[string]func() error{
		"basin":    func() error { _, err := problem.NewClusters([][]float64{{1}}, 2); return err },
		"centres":  func() error { _, err := problem.NewClusters(nil, problem.Well); return err },
		"centre 1": func() error { _, err := problem.NewClusters([][]float64{{1}, {1, 2}}, problem.Well); return err },
		"arrangement": func() error {
			_, err := problem.ClusterLayout{Arrangement: 2, Objectives: 1, Clusters: 1}.Centres()
			return err
		},
		"objectives": func() error { _, err := problem.ClusterLayout{Clusters: 1}.Centres(); return err },
		"clusters":   func() error { _, err := problem.ClusterLayout{Objectives: 1}.Centres(); return err },
		"extent": func() error {
			_, err := problem.ClusterLayout{Objectives: 1, Clusters: 1, Extent: math.NaN()}.Centres()
			return err
		},
		"spread": func() error {
			_, err := problem.ClusterLayout{Objectives: 1, Clusters: 1, Spread: -1}.Centres()
			return err
		},
	} {
		var refused *algo.RangeError
		if err := make(); !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// deviation estimates the standard deviation of the centres around the middle of their cluster, in a single variable.
func deviation(centres [][]float64, k int) float64 {
	var sum float64
	count := 0
	for j := range k {
		var mean [2]float64
		members := 0
		for i := j; i < len(centres); i += k {
			mean[0] += centres[i][0]
			mean[1] += centres[i][1]
			members++
		}
		for i := j; i < len(centres); i += k {
			for c := range mean {
				e := centres[i][c] - mean[c]/float64(members)
				sum += e * e
				count++
			}
		}
		count -= 2 // the mean used as many degrees of freedom
	}
	return math.Sqrt(sum / float64(count))
}

func TestClusterLayout(t *testing.T) {
	l := problem.ClusterLayout{Objectives: 2000, Clusters: 5, Extent: problem.ScatteredExtent, Spread: problem.ScatteredSpread, Seed: 3}
	drawn, err := l.Centres()
	if err != nil {
		t.Fatal(err)
	}
	if s := deviation(drawn, 5); math.Abs(s-0.25) > 0.02 {
		t.Errorf("deviation %v, want 0.25", s)
	}
	few := l
	few.Objectives = 7
	again, err := few.Centres()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range again {
		if c[0] != drawn[i][0] || c[1] != drawn[i][1] {
			t.Errorf("centre %d is at %v among 7, at %v among 2000", i, c, drawn[i])
		}
	}
	l.Spread = 0
	middles, err := l.Centres()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range middles {
		if max(math.Abs(c[0]), math.Abs(c[1])) > 1.2 || c[0] != middles[i%5][0] {
			t.Fatalf("middle %d is at %v", i, c)
		}
	}
	l.Arrangement, l.Extent = problem.Ring, problem.RingExtent
	ring, err := l.Centres()
	if err != nil {
		t.Fatal(err)
	}
	side := 4 * math.Sin(math.Pi/5) // of the pentagon in a circle of radius 2
	for i, c := range ring[:5] {
		next := ring[i+1]
		if math.Abs(math.Hypot(c[0], c[1])-2) > 1e-14 || math.Abs(math.Hypot(c[0]-next[0], c[1]-next[1])-side) > 1e-14 {
			t.Errorf("middle %d of the ring is at %v, the next at %v", i, c, next)
		}
	}
	l.Seed++
	if other, err := l.Centres(); err != nil || other[3][0] != ring[3][0] {
		t.Errorf("the ring turns with the seed, or %v", err)
	}
}

func TestClusterStarts(t *testing.T) {
	for _, c := range []struct {
		arrangement      problem.Arrangement
		from             problem.ClusterStart
		middle, farthest float64
	}{
		{problem.Scattered, problem.ScatteredStarts, 0, 1.5}, {problem.Ring, problem.ScatteredStarts, 0, 1},
		{problem.Scattered, problem.CornerStarts, 2.5, 0.2}, {problem.Ring, problem.CornerStarts, 2.5, 0.2},
	} {
		l := problem.ClusterLayout{Arrangement: c.arrangement, Seed: 8}
		starts := l.Starts(200, c.from)
		var farthest float64
		for _, x := range starts {
			farthest = max(farthest, math.Abs(x[0]-c.middle), math.Abs(x[1]-c.middle))
		}
		if !(farthest <= c.farthest && farthest > 0.95*c.farthest) {
			t.Errorf("%+v: the farthest is %v from the middle", c, farthest)
		}
		if fewer := l.Starts(3, c.from); fewer[2][1] != starts[2][1] || fewer[1][0] == fewer[2][0] {
			t.Errorf("%+v: starts %v among 3, %v among 200", c, fewer, starts[:3])
		}
	}
}

func BenchmarkClustersJacobian(b *testing.B) {
	for name, basin := range map[string]problem.Basin{"quadratic": problem.Quadratic, "well": problem.Well} {
		b.Run(name, func(b *testing.B) {
			l := problem.ClusterLayout{Objectives: 200, Clusters: 5, Extent: 1.2, Spread: 0.25}
			centres, err := l.Centres()
			if err != nil {
				b.Fatal(err)
			}
			p, jac := newClusters(b, basin, centres...), algo.NewJacobian(200, 2)
			for b.Loop() {
				p.Jacobian(jac, centres[0])
			}
		})
	}
}
