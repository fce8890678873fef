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
	randomHalfWidth = 1.2 // of the cube of random points where the problem has no box

	// A central difference with step h = ε^(1/3) ≈ 6e-6 is off by about
	// h²f‴/6 + εf/h: the first is allowed for relative to the row, the second
	// relative to the value, both with room for third derivatives of order 1e4.
	gradientRelative = 1e-6
	gradientByValue  = 1e-9

	combinationRelative = 1e-12 // of Σ|w_i|·max|row i|: rounding only

	meanSamples   = 400
	meanDeviation = 6 // standard errors; the seeds are fixed, so this cannot flicker
)

// Problem checks p at the given points and at random ones, drawn from its box or
// from [−1.2, 1.2]^n. It asks that
//   - values and Jacobian are finite, written in full, and repeat bit for bit;
//   - rows agree with central differences of the values (at random points);
//   - x is not modified and nothing is allocated.
//
// If p is an algo.Sampled it asks further that
//   - the same Sample gives the same bits, in whatever order the methods are
//     called and whatever other samples were used in between;
//   - the Sample is not modified;
//   - WeightedGradientAt is the combination of JacobianAt's rows;
//   - the mean of JacobianAt over samples is the exact Jacobian.
func Problem(t T, p algo.Problem, points ...[]float64) {
	t.Helper()
	n, m := p.Dims()
	if n < 1 || m < 1 {
		t.Errorf("Dims = %d, %d: both must be positive", n, m)
		return
	}
	rng := newRand()
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
	}
	if isSampled {
		checkMean(t, sampled, random[0])
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
				margin := 1e-3 * (h[i] - l[i])
				lo, hi = l[i]+margin, h[i]-margin
			}
		}
		x[i] = lo + (hi-lo)*rng.Float64()
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
		tolerance := gradientRelative*maxAbs(difference) + gradientByValue*math.Abs(f[i])
		// Written so that NaN fails.
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
		// The uses between must not matter: another sample, the other method.
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
			tolerance += combinationRelative * math.Abs(wi) * maxAbs(jac.Row(i))
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

// testWeights returns weights inside the simplex, at each of its vertices, and
// of both signs.
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
			squares[i] += e * e
		}
	}
	for i := range sum {
		mean := sum[i] / meanSamples
		deviation := math.Sqrt(squares[i] / meanSamples)
		allowed := meanDeviation*deviation/math.Sqrt(meanSamples) + combinationRelative*maxAbs(exact.Data)
		if !(math.Abs(mean) <= allowed) {
			t.Errorf("the mean of JacobianAt(%v)[%d][%d] over %d samples is off by %.3g, allowed %.3g",
				x, i/n, i%n, meanSamples, mean, allowed)
		}
	}
}

func noAllocations(t T, what string, f func()) {
	t.Helper()
	if a := testing.AllocsPerRun(allocationRuns, f); a != 0 {
		t.Errorf("%s allocates %v times a call", what, a)
	}
}
