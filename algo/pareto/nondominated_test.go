package pareto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// undominated returns the indices of the points that no other point dominates. It applies the definition directly.
func undominated(points [][]float64) []int {
	var kept []int
	for i, p := range points {
		if !slices.ContainsFunc(points, func(q []float64) bool { return Dominates(q, p) }) {
			kept = append(kept, i)
		}
	}
	return kept
}

// shapes holds functions that draw a point of m objectives.
var shapes = map[string]func(r *rand.Rand, m int) []float64{
	"front": sphere,
	"cube":  cube,
	"ties": func(r *rand.Rand, m int) []float64 {
		p := make([]float64, m)
		for k := range p {
			p[k] = float64(r.IntN(4))
		}
		return p
	},
	"a plane of whole numbers": func(r *rand.Rand, m int) []float64 {
		p := make([]float64, m)
		for range 6 {
			p[r.IntN(m)]++
		}
		return p
	},
	"a chain": func(r *rand.Rand, m int) []float64 { return slices.Repeat([]float64{float64(r.IntN(50))}, m) },
	"opposites": func(r *rand.Rand, m int) []float64 {
		p := make([]float64, m)
		for k := range p {
			p[k] = r.Float64()
		}
		if m > 1 {
			p[m-1] = -p[0]
		}
		return p
	},
	"ends of the range": func(r *rand.Rand, m int) []float64 {
		p := make([]float64, m)
		for k := range p {
			p[k] = []float64{math.Inf(-1), -math.MaxFloat64, math.Copysign(0, -1), 0, 5e-324, 1, math.MaxFloat64, math.Inf(1)}[r.IntN(8)]
		}
		return p
	},
}

func TestNonDominatedAgainstDefinition(t *testing.T) {
	for shape, draw := range shapes {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 300 {
			m, n := 1+r.IntN(7), r.IntN(40)
			switch {
			case i%30 == 0:
				n = 300 + r.IntN(300)
			case i%30 == 1:
				m, n = 8+r.IntN(70), 300 // ranks of so many objectives lose bits
			}
			points := make([][]float64, n)
			for i := range points {
				points[i] = draw(r, m)
			}
			if got, err := NonDominated(points); err != nil || !slices.Equal(got, undominated(points)) {
				t.Fatalf("%s, %v: got %v, %v; want %v", shape, points, got, err, undominated(points))
			}
		}
	}
}

// TestNonDominatedOfVeryMany checks that only the front is kept if there are very many points. The first points
// dominate all others.
func TestNonDominatedOfVeryMany(t *testing.T) {
	const all, best = 100_000, 200
	want := make([]int, best)
	for i := range want {
		want[i] = i
	}
	for _, m := range []int{2, 3, 5} {
		r := rand.New(rand.NewPCG(13, uint64(m)))
		points := make([][]float64, all)
		for i := range points {
			points[i] = sphere(r, m)
			if i < best {
				continue
			}
			for k, v := range points[r.IntN(best)] {
				points[i][k] = v + 0.01*r.Float64()
			}
		}
		if got, err := NonDominated(points); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d objectives: %d points are kept, there are %d; %v", m, len(got), best, err)
		}
	}
}

// FuzzNonDominated compares the results of NonDominated and undominated for arbitrary points.
func FuzzNonDominated(f *testing.F) {
	f.Add(uint8(1), []byte{0})
	f.Add(uint8(2), []byte{3, 1, 2, 2, 1, 3})
	f.Add(uint8(3), []byte{1, 2, 3, 3, 2, 1, 2, 2, 2, 3, 3, 3, 2, 2, 2})
	f.Add(uint8(4), []byte("equal points equal points and others"))
	f.Add(uint8(6), slices.Repeat([]byte{7}, 60))
	f.Fuzz(func(t *testing.T, m uint8, numbers []byte) {
		if m == 0 || m > 8 || len(numbers) > 2000 {
			return
		}
		var points [][]float64
		for row := range slices.Chunk(numbers, int(m)) {
			if len(row) < int(m) {
				break
			}
			p := make([]float64, m)
			for k, v := range row {
				p[k] = float64(v%32) - 16
			}
			points = append(points, p)
		}
		if got, err := NonDominated(points); err != nil || !slices.Equal(got, undominated(points)) {
			t.Errorf("%v: got %v, %v; want %v", points, got, err, undominated(points))
		}
	})
}

// BenchmarkNonDominated runs the cases of bench/peers.
func BenchmarkNonDominated(b *testing.B) {
	for _, c := range []struct {
		shape  string
		spread func(n, m int) [][]float64
	}{{"front", spreadFront}, {"cube", spread}} {
		for m, sizes := range [][]int{
			2: {10_000, 20_000, 40_000, 80_000, 160_000},
			3: {231, 10_000, 20_000, 40_000, 80_000, 100_000, 160_000},
			4: {100_000},
			5: {2500, 5000, 10_000, 20_000, 40_000},
			8: {100_000},
		} {
			for _, n := range sizes {
				b.Run(fmt.Sprintf("%s/%dD/%d", c.shape, m, n), func(b *testing.B) {
					points := c.spread(n, m)
					var kept []int
					for b.Loop() {
						var err error
						if kept, err = NonDominated(points); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(len(kept)), "kept")
				})
			}
		}
	}
}

// cube draws a point of the unit cube.
func cube(r *rand.Rand, m int) []float64 {
	p := make([]float64, m)
	for k := range p {
		p[k] = r.Float64()
	}
	return p
}
