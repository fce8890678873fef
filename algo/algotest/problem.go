package algotest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"paretoplay/algo"
)

const (
	randomPoints    = 8
	randomHalfWidth = 1.2 // half the side length of the cube from which random points are drawn, if the problem has no box

	// A central difference with step h = ε^(1/3) ≈ 6e-6 has an error of about h²f‴/6 + εf/h. The first tolerance,
	// relative to the row, covers the first term. The second, relative to the value, covers the second term. Both allow
	// third derivatives of about 1e4.
	gradientRelative = 1e-6
	gradientByValue  = 1e-9

	combinationRelative = 1e-12 // relative to Σ|w_i|·max|row i|; covers only rounding errors

	meanSamples   = 400
	meanDeviation = 6 // in standard errors; seeds are fixed, so the outcome never varies
)

// Problem checks p at the given points and at random ones, drawn from its box or from [−1.2,
// 1.2]^n. It checks that
//   - values and Jacobian are finite, written in full, and repeat bit for bit;
//   - rows agree with central differences of the values (at random points);
//   - x is not modified and nothing is allocated.
//
// If p is an algo.Sampled, it also checks that
//   - the same Sample gives the same bits, independent of the order of the calls
//     and of other samples used in between;
//   - the Sample is not modified;
//   - WeightedGradientAt is the combination of JacobianAt's rows;
//   - the mean of JacobianAt over samples is the exact Jacobian;
//   - GradientAt of an algo.Partial gives, for any range of coordinates, the same entries
//     as JacobianAt on the same sample, bit for bit;
//   - values and gradients of an algo.FiniteSum over batches average to the values and gradients of the whole
//     problem, also with batches of several examples.
//
// If p is an algo.Bounded, its bounds must be valid, and values must be finite on its corners and
// faces too. The result of algo.Exact for p must pass the same checks, without noise.
func Problem(t T, p algo.Problem, points ...[]float64) {
	t.Helper()
	n, m := p.Dims()
	if n < 1 || m < 1 {
		t.Errorf("Dims = %d, %d: both must be positive", n, m)
		return
	}
	rng := newRand()
	if bounded, ok := p.(algo.Bounded); ok && !checkBox(t, p, bounded) {
		return
	}
	random := make([][]float64, randomPoints)
	for i := range random {
		random[i] = randomPoint(rng, p, n)
	}
	for _, x := range random {
		checkGradients(t, p, x)
	}
	sampled, isSampled := p.(algo.Sampled)
	for _, x := range append(random, points...) {
		if len(x) != n {
			t.Errorf("point %v has length %d, the problem has %d variables", x, len(x), n)
			continue
		}
		checkExact(t, p, x)
		if isSampled {
			checkSampled(t, sampled, x, rng)
		}
		if partial, ok := p.(algo.Partial); ok {
			checkPartial(t, partial, x, rng)
		}
		checkWhole(t, p, x, rng)
	}
	if isSampled {
		checkMean(t, sampled, random[0])
	}
	if sum, ok := p.(algo.FiniteSum); ok {
		checkBatches(t, sum, random[0], rng)
	}
}

func randomPoint(rng *rand.Rand, p algo.Problem, n int) []float64 {
	x := make([]float64, n)
	bounded, isBounded := p.(algo.Bounded)
	for i := range x {
		lo, hi := -randomHalfWidth, randomHalfWidth
		if isBounded {
			l, h := bounded.Bounds()
			if !math.IsInf(l[i], 0) && !math.IsInf(h[i], 0) {
				// The margin keeps finite differences inside the box.
				margin := float64(1e-3 * (h[i] - l[i]))
				lo, hi = l[i]+margin, h[i]-margin
			}
		}
		x[i] = lo + float64((hi-lo)*rng.Float64())
	}
	return x
}

func checkGradients(t T, p algo.Problem, x []float64) {
	t.Helper()
	n, m := p.Dims()
	jac, f := algo.NewJacobian(m, n), make([]float64, m)
	p.Jacobian(jac, x)
	p.Values(f, x)
	difference, scratch := make([]float64, n), make([]float64, m)
	for i := range m {
		fd.Gradient(difference, func(x []float64) float64 {
			p.Values(scratch, x)
			return scratch[i]
		}, x, &fd.Settings{Formula: fd.Central})
		row := jac.Row(i)
		tolerance := float64(gradientRelative*maxAbs(difference)) + float64(gradientByValue*math.Abs(f[i]))
		// The condition is written so that NaN fails the check.
		if e := maxDifference(row, difference); !(e <= tolerance) || !algo.Finite(row) {
			t.Errorf("gradient of objective %d at %v is %v, finite differences give %v (difference %.3g, allowed %.3g)",
				i, x, row, difference, e, tolerance)
		}
	}
}

func checkExact(t T, p algo.Problem, x []float64) {
	t.Helper()
	n, m := p.Dims()
	before := clone(x)
	f, again := make([]float64, m), make([]float64, m)
	jac, jacAgain := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	poison(f)
	poison(jac.Data)
	p.Values(f, x)
	p.Jacobian(jac, x)
	if !algo.Finite(f) {
		t.Errorf("values at %v are not finite or not all written: %v", x, f)
	}
	if !algo.Finite(jac.Data) {
		t.Errorf("Jacobian at %v is not finite or not all written: %v", x, jac.Data)
	}
	p.Jacobian(jacAgain, x)
	p.Values(again, x)
	if !sameBits(f, again) || !sameBits(jac.Data, jacAgain.Data) {
		t.Errorf("values or Jacobian at %v do not repeat", x)
	}
	if jac.Rows != m || jac.Cols != n {
		t.Errorf("Jacobian changed its shape to %d×%d, want %d×%d", jac.Rows, jac.Cols, m, n)
	}
	noAllocations(t, "Values", func() { p.Values(f, x) })
	noAllocations(t, "Jacobian", func() { p.Jacobian(jac, x) })
	if !sameBits(x, before) {
		t.Errorf("x was modified: %v, was %v", x, before)
	}
}

func checkSampled(t T, p algo.Sampled, x []float64, rng *rand.Rand) {
	t.Helper()
	n, m := p.Dims()
	before := clone(x)
	first, other := sampleNumber(1), sampleNumber(2)
	s := first

	jac, jacAgain := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	f, g := make([]float64, m), make([]float64, n)
	poison(jac.Data)
	p.JacobianAt(jac, x, &s)
	if !algo.Finite(jac.Data) {
		t.Errorf("JacobianAt(%v) is not finite or not all written: %v", x, jac.Data)
	}
	poison(f)
	p.ValuesAt(f, x, &s)
	if !algo.Finite(f) {
		t.Errorf("ValuesAt(%v) are not finite or not all written: %v", x, f)
	}

	for _, w := range testWeights(rng, m) {
		keep := clone(w)
		poison(g)
		p.WeightedGradientAt(g, w, x, &s)
		// Calls in between, with another sample or to another method, must not change the result.
		p.JacobianAt(jacAgain, x, &other)
		p.ValuesAt(make([]float64, m), x, &other)
		again := make([]float64, n)
		p.WeightedGradientAt(again, w, x, &s)
		if !sameBits(g, again) {
			t.Errorf("WeightedGradientAt(%v) on one sample gives %v, then %v", x, g, again)
		}
		p.JacobianAt(jacAgain, x, &s)
		if !sameBits(jac.Data, jacAgain.Data) {
			t.Errorf("JacobianAt(%v) on one sample gives %v, then %v", x, jac.Data, jacAgain.Data)
		}
		if !sameBits(w, keep) {
			t.Errorf("WeightedGradientAt modified the weights: %v, were %v", w, keep)
		}
		combination := make([]float64, n)
		jac.Combine(combination, w)
		var tolerance float64
		for i, wi := range w {
			tolerance += float64(combinationRelative * math.Abs(wi) * maxAbs(jac.Row(i)))
		}
		if e := maxDifference(g, combination); !(e <= tolerance) || !algo.Finite(g) {
			t.Errorf("WeightedGradientAt(%v) with weights %v is %v, the rows of JacobianAt combine to %v", x, w, g, combination)
		}
	}

	fAgain := make([]float64, m)
	p.ValuesAt(fAgain, x, &other)
	p.ValuesAt(fAgain, x, &s)
	if !sameBits(f, fAgain) {
		t.Errorf("ValuesAt(%v) on one sample gives %v, then %v", x, f, fAgain)
	}
	if s.Noise != first.Noise {
		t.Errorf("the Sample was modified")
	}
	w := testWeights(rng, m)[0]
	noAllocations(t, "ValuesAt", func() { p.ValuesAt(f, x, &s) })
	noAllocations(t, "JacobianAt", func() { p.JacobianAt(jac, x, &s) })
	noAllocations(t, "WeightedGradientAt", func() { p.WeightedGradientAt(g, w, x, &s) })
	if !sameBits(x, before) {
		t.Errorf("x was modified by a sampled method: %v, was %v", x, before)
	}
}

// testWeights returns weights inside the simplex, weights at each of its vertices, and weights of mixed signs.
func testWeights(rng *rand.Rand, m int) [][]float64 {
	inside, signed := make([]float64, m), make([]float64, m)
	var sum float64
	for i := range m {
		inside[i] = rng.ExpFloat64()
		sum += inside[i]
		signed[i] = rng.NormFloat64()
	}
	for i := range inside {
		inside[i] /= sum
	}
	weights := [][]float64{inside, signed}
	for i := range m {
		vertex := make([]float64, m)
		vertex[i] = 1
		weights = append(weights, vertex)
	}
	return weights
}

func checkMean(t T, p algo.Sampled, x []float64) {
	t.Helper()
	n, m := p.Dims()
	jac, exact := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	p.Jacobian(exact, x)
	sum, squares := make([]float64, m*n), make([]float64, m*n)
	for k := range meanSamples {
		s := sampleNumber(k)
		p.JacobianAt(jac, x, &s)
		for i, v := range jac.Data {
			e := v - exact.Data[i]
			sum[i] += e
			squares[i] += float64(e * e)
		}
	}
	for i := range sum {
		mean := sum[i] / meanSamples
		deviation := math.Sqrt(squares[i] / meanSamples)
		allowed := meanDeviation*deviation/math.Sqrt(meanSamples) + float64(combinationRelative*maxAbs(exact.Data))
		if !(math.Abs(mean) <= allowed) {
			t.Errorf("the mean of JacobianAt(%v)[%d][%d] over %d samples is off by %.3g, allowed %.3g",
				x, i/n, i%n, meanSamples, mean, allowed)
		}
	}
}

// boxPoints is the number of points checked on the boundary of a box, in addition to its two extreme corners.
const boxPoints = 8

// checkBox checks that the bounds of p are valid, and that values are finite inside the bounds. It reports whether
// the bounds are valid.
func checkBox(t T, p algo.Problem, b algo.Bounded) bool {
	t.Helper()
	rng := newRand()
	n, m := p.Dims()
	lo, hi := b.Bounds()
	if len(lo) != n || len(hi) != n {
		t.Errorf("Bounds have lengths %d and %d, the problem has %d variables", len(lo), len(hi), n)
		return false
	}
	for i, l := range lo {
		if !(l <= hi[i]) || math.IsInf(l, 1) || math.IsInf(hi[i], -1) {
			t.Errorf("x[%d] is bounded by %v and %v", i, l, hi[i])
			return false
		}
	}
	f := make([]float64, m)
	for k := range boxPoints + 2 {
		x := randomPoint(rng, p, n)
		for i := range x {
			switch side := rng.IntN(3); {
			case (k == 0 || k > 1 && side == 0) && !math.IsInf(lo[i], 0):
				x[i] = lo[i]
			case (k == 1 || k > 1 && side == 1) && !math.IsInf(hi[i], 0):
				x[i] = hi[i]
			}
		}
		poison(f)
		p.Values(f, x)
		if !algo.Finite(f) {
			t.Errorf("values at %v, which is in the box, are not finite: %v", x, f)
		}
	}
	if again, after := b.Bounds(); !sameBits(lo, again) || !sameBits(hi, after) {
		t.Errorf("Bounds are %v and %v, then %v and %v", lo, hi, again, after)
	}
	return true
}

// maxRanges is the maximum number of coordinate ranges to check. It covers all ranges of up to six variables.
const maxRanges = 21

// ranges returns ranges of n coordinates. If there are more than maxRanges, it returns the whole range, the first and
// the last coordinate, and random ranges.
func ranges(rng *rand.Rand, n int) [][2]int {
	var all [][2]int
	if n*(n+1)/2 <= maxRanges {
		for lo := range n {
			for hi := lo + 1; hi <= n; hi++ {
				all = append(all, [2]int{lo, hi})
			}
		}
		return all
	}
	all = [][2]int{{0, n}, {0, 1}, {n - 1, n}}
	for len(all) < maxRanges {
		a, b := rng.IntN(n), rng.IntN(n)
		all = append(all, [2]int{min(a, b), max(a, b) + 1})
	}
	return all
}

// checkPartial compares GradientAt with the rows of JacobianAt.
func checkPartial(t T, p algo.Partial, x []float64, rng *rand.Rand) {
	t.Helper()
	n, m := p.Dims()
	before := clone(x)
	jac, other := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	storage := make([]float64, n)
	for k := range 2 {
		s, elsewhere := sampleNumber(k), sampleNumber(k+10)
		first := s
		p.JacobianAt(jac, x, &s)
		for _, r := range ranges(rng, n) {
			for i := range m {
				lo, hi := r[0], r[1]
				dst := storage[: hi-lo : hi-lo]
				poison(dst)
				p.GradientAt(dst, i, lo, hi, x, &s)
				if want := jac.Row(i)[lo:hi]; !sameBits(dst, want) {
					t.Errorf("GradientAt(%v) of objective %d, coordinates %d to %d, is %v, JacobianAt on the same sample has %v", x, i, lo, hi, dst, want)
				}
			}
		}
		// Calls in between must not change the result.
		p.GradientAt(storage, m-1, 0, n, x, &elsewhere)
		p.JacobianAt(other, x, &s)
		if !sameBits(jac.Data, other.Data) {
			t.Errorf("JacobianAt(%v) on one sample gives %v, then %v after GradientAt", x, jac.Data, other.Data)
		}
		if s.Noise != first.Noise {
			t.Errorf("the Sample was modified by GradientAt")
		}
	}
	s := sampleNumber(1)
	noAllocations(t, "GradientAt", func() { p.GradientAt(storage, m-1, 0, n, x, &s) })
	if !sameBits(x, before) {
		t.Errorf("x was modified by GradientAt: %v, was %v", x, before)
	}
}

// checkWhole compares the result of algo.Exact for p with p.
func checkWhole(t T, p algo.Problem, x []float64, rng *rand.Rand) {
	t.Helper()
	t = of{t, "Exact: "}
	n, m := p.Dims()
	e := algo.Exact(p)
	s := sampleNumber(3)
	jac, exact := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	f, fExact := make([]float64, m), make([]float64, m)
	p.Values(fExact, x)
	p.Jacobian(exact, x)
	e.ValuesAt(f, x, &s)
	e.JacobianAt(jac, x, &s)
	if !sameBits(f, fExact) || !sameBits(jac.Data, exact.Data) {
		t.Errorf("on a sample values and Jacobian at %v are %v and %v, the problem has %v and %v", x, f, jac.Data, fExact, exact.Data)
	}
	checkSampled(t, e, x, rng)
	checkPartial(t, e, x, rng)
	bounded, isBounded := p.(algo.Bounded)
	inBox, isInBox := e.(algo.Bounded)
	if isBounded != isInBox {
		t.Errorf("the problem has a box: %v; the result has one: %v", isBounded, isInBox)
		return
	}
	if isBounded {
		lo, hi := bounded.Bounds()
		if l, h := inBox.Bounds(); !sameBits(lo, l) || !sameBits(hi, h) {
			t.Errorf("the box is from %v to %v, want %v to %v", l, h, lo, hi)
		}
	}
}

// checkBatches checks that values and gradients averaged over batches equal those on all examples at once, with the
// same noise. The batches are single examples, one batch of all examples, or two batches of different sizes.
func checkBatches(t T, p algo.FiniteSum, x []float64, rng *rand.Rand) {
	t.Helper()
	n, m := p.Dims()
	count := p.Examples()
	if count < 1 {
		t.Errorf("Examples = %d, there must be at least one", count)
		return
	}
	s := sampleNumber(4)
	values, jac := make([]float64, m), algo.NewJacobian(m, n)
	p.ValuesAt(values, x, &s)
	p.JacobianAt(jac, x, &s)
	order := rng.Perm(count)
	singles := make([][]int, count)
	for i := range order {
		singles[i] = order[i : i+1]
	}
	partitions := [][][]int{singles, {order}}
	if count > 2 {
		cut := (count + 2) / 3
		partitions = append(partitions, [][]int{order[:cut], order[cut:]})
	}
	for _, batches := range partitions {
		mean := make([]float64, m+m*n) // values first, then gradients
		largest := make([]float64, m+m*n)
		part, partJac := make([]float64, m), algo.NewJacobian(m, n)
		for _, batch := range batches {
			keep := append([]int(nil), batch...)
			s.Batch = batch
			poison(part)
			poison(partJac.Data)
			p.ValuesAt(part, x, &s)
			p.JacobianAt(partJac, x, &s)
			checkBatchGradient(t, p, x, &s, partJac, rng)
			for i, b := range batch {
				if b != keep[i] {
					t.Errorf("the batch was modified: %v, was %v", batch, keep)
					return
				}
			}
			share := float64(len(batch)) / float64(count)
			for i := range mean {
				v := 0.0
				if i < m {
					v = part[i]
				} else {
					v = partJac.Data[i-m]
				}
				mean[i] += float64(share * v)
				largest[i] = max(largest[i], math.Abs(v))
			}
		}
		for i, v := range mean {
			want, what := 0.0, "value"
			if i < m {
				want = values[i]
			} else {
				want, what = jac.Data[i-m], "gradient"
			}
			if !(math.Abs(v-want) <= combinationRelative*float64(count)*largest[i]) {
				t.Errorf("the mean over %d batches of the %s is %v at %v, on the whole it is %v", len(batches), what, v, x, want)
			}
		}
	}
}

// checkBatchGradient compares WeightedGradientAt and GradientAt on a batch with the rows of JacobianAt.
func checkBatchGradient(t T, p algo.FiniteSum, x []float64, s *algo.Sample, jac *algo.Jacobian, rng *rand.Rand) {
	t.Helper()
	g, want := make([]float64, jac.Cols), make([]float64, jac.Cols)
	w := testWeights(rng, jac.Rows)[0]
	p.WeightedGradientAt(g, w, x, s)
	jac.Combine(want, w)
	if e := maxDifference(g, want); !(e <= combinationRelative*maxAbs(jac.Data)) {
		t.Errorf("WeightedGradientAt(%v) on batch %v is %v, the rows of JacobianAt combine to %v", x, s.Batch, g, want)
	}
	if partial, ok := p.(algo.Partial); ok {
		i := rng.IntN(jac.Rows)
		partial.GradientAt(g, i, 0, jac.Cols, x, s)
		if !sameBits(g, jac.Row(i)) {
			t.Errorf("GradientAt(%v) of objective %d on batch %v is %v, JacobianAt has %v", x, i, s.Batch, g, jac.Row(i))
		}
	}
}

func noAllocations(t T, what string, f func()) {
	t.Helper()
	if a := testing.AllocsPerRun(allocationRuns, f); a != 0 {
		t.Errorf("%s allocates %v times a call", what, a)
	}
}
