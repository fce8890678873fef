package pareto

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// fractions returns, as fractions, the differences p − reference for all points p that are below the reference.
func fractions(points [][]float64, reference []float64) [][]*big.Rat {
	var below [][]*big.Rat
	for _, p := range points {
		if !StrictlyDominates(p, reference) {
			continue
		}
		q := make([]*big.Rat, len(p))
		for k, v := range p {
			q[k] = new(big.Rat).Sub(new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(reference[k]))
		}
		below = append(below, q)
	}
	return below
}

// exactVolume returns the volume between points and the origin in their first m objectives. It sums the volumes of
// slices along the last of these objectives.
func exactVolume(points [][]*big.Rat, m int) *big.Rat {
	total := new(big.Rat)
	if m == 1 {
		for _, p := range points {
			if v := new(big.Rat).Neg(p[0]); v.Cmp(total) > 0 {
				total = v
			}
		}
		return total
	}
	points = slices.Clone(points)
	slices.SortFunc(points, func(p, q []*big.Rat) int { return p[m-1].Cmp(q[m-1]) })
	for i, p := range points {
		end := new(big.Rat)
		if i+1 < len(points) {
			end = points[i+1][m-1]
		}
		if thickness := new(big.Rat).Sub(end, p[m-1]); thickness.Sign() > 0 {
			total.Add(total, thickness.Mul(thickness, exactVolume(points[:i+1], m-1)))
		}
	}
	return total
}

// TestHypervolumeAgainstFractions compares volumes with exact arithmetic. For two and three objectives, sums of up
// to 60 numbers are rounded at every addition; for more objectives, the sum is compensated.
func TestHypervolumeAgainstFractions(t *testing.T) {
	for shape, draw := range shapes {
		if shape == "ends of the range" {
			continue
		}
		r := rand.New(rand.NewPCG(21, 22))
		for i := range 300 {
			m := 2 + r.IntN(6)
			var points [][]float64
			for range r.IntN([]int{2: 60, 3: 40, 4: 20, 5: 12, 6: 8, 7: 6}[m]) {
				points = append(points, draw(r, m))
				if r.IntN(8) == 0 {
					points = append(points, slices.Clone(points[r.IntN(len(points))]))
				}
			}
			reference := make([]float64, m)
			for k := range reference {
				reference[k] = []float64{1, 1.1, 3, 60}[i%4]
			}
			got, err := Hypervolume(points, reference)
			if err != nil {
				t.Fatal(err)
			}
			want := exactVolume(fractions(points, reference), m)
			if want.Sign() == 0 {
				if got != 0 {
					t.Errorf("%s, %v below %v: %g, want 0", shape, points, reference, got)
				}
				continue
			}
			far := new(big.Rat).Sub(new(big.Rat).SetFloat64(got), want)
			wrong, _ := far.Quo(far, want).Float64()
			if tolerance := []float64{2: 1e-15, 3: 1e-15, 4: 4e-16, 5: 4e-16, 6: 4e-16, 7: 5e-16}[m]; !(math.Abs(wrong) <= tolerance) {
				t.Errorf("%s, %v below %v: %.17g is wrong by %.2g", shape, points, reference, got, wrong)
			}
		}
	}
}

// TestHypervolumeOfManySlabs checks, for four objectives, that the hypervolume of hundreds of points is as accurate as
// that of a few. The points dominate prisms above a front of two objectives.
func TestHypervolumeOfManySlabs(t *testing.T) {
	for n := 100; n <= 400; n += 50 {
		points := spreadFront(n, 2)
		base := exactVolume(fractions(points, []float64{1.1, 1.1}), 2)
		for i, p := range points {
			points[i] = append(p, 0.25, -0.75)
		}
		got, err := Hypervolume(points, []float64{1.1, 1.1, 1, 1})
		want := base.Mul(base, big.NewRat(21, 16))
		far := new(big.Rat).Sub(new(big.Rat).SetFloat64(got), want)
		if wrong, _ := far.Quo(far, want).Float64(); err != nil || !(math.Abs(wrong) <= 4e-16) {
			t.Errorf("%d points: %.17g is wrong by %.2g, %v", n, got, wrong, err)
		}
	}
}

// TestHypervolumeByBoxesAndSlices checks that boxes and slices give the same volumes for any number of objectives.
// For whole numbers they must be exactly equal.
func TestHypervolumeByBoxesAndSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, c := range []struct{ m, n int }{{4, 40}, {5, 30}, {6, 20}, {7, 60}, {9, 60}, {12, 15}, {16, 6}, {33, 1}, {40, 3}} {
		points := make([][]float64, c.n)
		for i := range points {
			points[i] = make([]float64, c.m)
			for range c.m {
				points[i][r.IntN(c.m)] -= float64(r.IntN(3))
			}
		}
		reference := slices.Repeat([]float64{1}, c.m)
		var g gains
		if err := g.read(points, reference); err != nil {
			t.Fatal(err)
		}
		few := points[:min(c.n, 10)]
		if got, err := Hypervolume(few, reference); err != nil || got != inclusionExclusion(few, reference) {
			t.Errorf("%v: %.17g, %v; want %.17g", few, got, err, inclusionExclusion(few, reference))
		}
		bySlices := g.slices()
		if !fits(c.m-1, c.n) {
			continue
		}
		g.transpose()
		if byBoxes, ok := g.inBoxes(); !ok || byBoxes != bySlices {
			t.Errorf("%d points of %d objectives: %.17g by boxes, %v; %.17g by slices", c.n, c.m, byBoxes, ok, bySlices)
		}
	}
}

// TestHypervolumeOfTooManyBoxes checks that slices compute the volume if the boxes need too much storage.
func TestHypervolumeOfTooManyBoxes(t *testing.T) {
	defer func(words int) { maxBoxWords = words }(maxBoxWords)
	r := rand.New(rand.NewPCG(25, 26))
	for _, m := range []int{4, 5, 7} {
		points := make([][]float64, 40)
		for i := range points {
			points[i] = sphere(r, m)
		}
		reference := slices.Repeat([]float64{1.1}, m)
		maxBoxWords = 8 << 20
		want, err := Hypervolume(points, reference)
		if err != nil {
			t.Fatal(err)
		}
		maxBoxWords = 60
		if got, err := Hypervolume(points, reference); err != nil || !(math.Abs(got-want) <= 1e-14*want) {
			t.Errorf("%d objectives: %.17g with little storage, %v; want %.17g", m, got, err, want)
		}
		var g gains
		if err := g.read(points, reference); err != nil {
			t.Fatal(err)
		}
		g.transpose()
		if _, ok := g.inBoxes(); ok {
			t.Errorf("%d objectives: boxes take more storage than they may", m)
		}
	}
}

// TestSift checks that points covered by others are removed before the slices are computed. Such points then cost no
// time.
func TestSift(t *testing.T) {
	g := gains{n: 6, m: 2, rows: []float64{-1, -4, -1, -1, -4, -1, -1, -4, -3, -2, -2, -2}}
	if g.sift(); g.n != 3 || !slices.Equal(g.rows, []float64{-1, -4, -4, -1, -3, -2}) {
		t.Errorf("%d points are left: %v", g.n, g.rows)
	}
}

// TestHypervolumeOverflows checks that a volume beyond the largest number is infinite.
func TestHypervolumeOverflows(t *testing.T) {
	for m := 2; m <= 6; m++ {
		points := [][]float64{slices.Repeat([]float64{-1e200}, m), slices.Repeat([]float64{-1e200}, m), slices.Repeat([]float64{-2e200}, m)}
		points[0][0], points[1][m-1] = -3e200, -3e200
		if got, err := Hypervolume(points, make([]float64, m)); err != nil || !math.IsInf(got, 1) {
			t.Errorf("%d objectives: %g, %v", m, got, err)
		}
	}
}

// TestHypervolumeKeepsItsStorage checks that computations allocate nothing if an earlier one had the same size.
func TestHypervolumeKeepsItsStorage(t *testing.T) {
	for _, m := range []int{2, 3, 4, 6, 12} {
		var g gains
		points, reference := spreadFront(20, m), slices.Repeat([]float64{1.1}, m)
		measure := func() {
			if err := g.read(points, reference); err != nil {
				t.Fatal(err)
			}
			g.volume()
		}
		measure()
		if n := testing.AllocsPerRun(5, measure); n != 0 {
			t.Errorf("%d objectives: %g allocations", m, n)
		}
	}
}

// spread returns n points in the unit cube of m dimensions. Their coordinates are the output of SplitMix64 with seed
// m, so that programs in any language can compute the same points.
func spread(n, m int) [][]float64 {
	points := make([][]float64, n)
	state := uint64(m)
	for i := range points {
		points[i] = make([]float64, m)
		for k := range points[i] {
			state += 0x9E3779B97F4A7C15
			z := state
			z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
			z = (z ^ z>>27) * 0x94D049BB133111EB
			points[i][k] = float64((z^z>>31)>>11) * 0x1p-53
		}
	}
	return points
}

// spreadFront returns n points of the part of the unit sphere around (1, …, 1) that faces the origin. Their
// directions come from spread.
func spreadFront(n, m int) [][]float64 {
	points := spread(n, m)
	for _, p := range points {
		var square float64
		for _, v := range p {
			square += float64(v * v)
		}
		for k, v := range p {
			p[k] = 1 - v/math.Sqrt(square)
		}
	}
	return points
}

// BenchmarkHypervolume runs the cases of bench/peers.
func BenchmarkHypervolume(b *testing.B) {
	for m, sizes := range [][]int{
		2:  {1000, 2000, 4000, 8000, 10_000, 16_000},
		3:  {300, 1000, 2000, 4000, 8000, 10_000, 16_000},
		4:  {250, 300, 500, 1000, 2000, 3000, 4000},
		5:  {50, 100, 200, 300, 400, 800},
		6:  {30, 60, 120, 240, 480},
		8:  {30, 60},
		10: {20, 50},
	} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%dD/%d", m, n), func(b *testing.B) {
				points, reference := spreadFront(n, m), slices.Repeat([]float64{1.1}, m)
				var volume float64
				for b.Loop() {
					var err error
					if volume, err = Hypervolume(points, reference); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(volume, "volume")
			})
		}
	}
}
