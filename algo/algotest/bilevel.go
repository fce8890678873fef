package algotest

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
)

const (
	hessianStep    = 6e-6  // step of central differences along a unit vector, about ε^(1/3)
	solvedRelative = 1e-10 // allowed rounding error of the lower level's solution
)

// Bilevel checks p at the given points (α, ω) and at random ones, drawn from [−1.2, 1.2]^(n+p). It checks that
//   - objectives and gradients of both levels are finite, written in full, and
//     repeat bit for bit;
//   - the upper Jacobian and ∇f agree with central differences (at random points), and LowerGradientOmega agrees with
//     the ω part of ∇f;
//   - z and the vectors passed with it are not modified, and nothing is allocated.
//
// If p is an algo.LowerHessian, its products must agree with central differences of ∇f. If it is an algo.LowerSolved,
// ∇_ω f must vanish at ω*(α), and the value of f at ω*(α) must equal f*(α) and must not exceed f(z). If it is an
// algo.SolutionSet, Distance must be finite and not negative, and must differ between two points by at most their
// distance.
func Bilevel(t T, p algo.Bilevel, points ...[]float64) {
	t.Helper()
	n, lower, m := p.Dims()
	if n < 1 || lower < 1 || m < 1 {
		t.Errorf("Dims = %d, %d, %d: all must be positive", n, lower, m)
		return
	}
	length := n + lower
	rng := newRand()
	random := make([][]float64, randomPoints)
	for i := range random {
		random[i] = make([]float64, length)
		for j := range random[i] {
			random[i][j] = randomHalfWidth * (2*float64(rng.Float64()) - 1)
		}
	}
	hessian, hasHessian := p.(algo.LowerHessian)
	solved, isSolved := p.(algo.LowerSolved)
	known, isKnown := p.(algo.SolutionSet)
	for _, z := range random {
		checkGradients(of{t, "upper level: "}, upperLevel{p}, z)
		checkGradients(of{t, "lower level: "}, lowerLevel{p}, z)
		if hasHessian {
			checkHessian(t, hessian, z, rng)
		}
	}
	var previous []float64
	for _, z := range append(random, points...) {
		if len(z) != length {
			t.Errorf("point %v has length %d, the problem has %d+%d variables", z, len(z), n, lower)
			continue
		}
		checkExact(of{t, "upper level: "}, upperLevel{p}, z)
		checkExact(of{t, "lower level: "}, lowerLevel{p}, z)
		checkOmegaPart(t, p, z)
		if isSolved {
			checkSolved(t, solved, z)
		}
		if isKnown {
			checkDistance(t, known, z, previous)
		}
		previous = z
	}
}

// of is a T that prefixes failures with the name of the tested object.
type of struct {
	T
	what string
}

func (t of) Errorf(format string, args ...any) {
	t.Helper()
	t.T.Errorf("%s"+format, append([]any{t.what}, args...)...)
}

// upperLevel and lowerLevel present the two levels as problems in z.
type upperLevel struct{ algo.Bilevel }

func (l upperLevel) Dims() (n, m int) {
	n, lower, m := l.Bilevel.Dims()
	return n + lower, m
}

type lowerLevel struct{ p algo.Bilevel }

func (l lowerLevel) Dims() (n, m int) {
	n, lower, _ := l.p.Dims()
	return n + lower, 1
}

func (l lowerLevel) Values(f, z []float64) { f[0] = l.p.Lower(z) }

func (l lowerLevel) Jacobian(jac *algo.Jacobian, z []float64) { l.p.LowerGradient(jac.Data, z) }

// checkOmegaPart compares the result of LowerGradientOmega with the ω part of ∇f.
func checkOmegaPart(t T, p algo.Bilevel, z []float64) {
	t.Helper()
	n, lower, _ := p.Dims()
	before := clone(z)
	whole, part, again := make([]float64, n+lower), make([]float64, lower), make([]float64, lower)
	poison(part)
	p.LowerGradientOmega(part, z)
	p.LowerGradient(whole, z)
	p.LowerGradientOmega(again, z)
	if !sameBits(part, again) {
		t.Errorf("LowerGradientOmega(%v) gives %v, then %v", z, part, again)
	}
	if e := maxDifference(part, whole[n:]); !(e <= combinationRelative*maxAbs(whole)) {
		t.Errorf("LowerGradientOmega(%v) is %v, LowerGradient ends in %v", z, part, whole[n:])
	}
	noAllocations(t, "LowerGradientOmega", func() { p.LowerGradientOmega(part, z) })
	if !sameBits(z, before) {
		t.Errorf("z was modified: %v, was %v", z, before)
	}
}

// checkHessian compares the lower Hessian's products with differences of ∇f along unit vectors.
func checkHessian(t T, p algo.LowerHessian, z []float64, rng *rand.Rand) {
	t.Helper()
	n, lower, _ := p.Dims()
	before := clone(z)
	gradient := make([]float64, n+lower)
	p.LowerGradient(gradient, z)
	for _, product := range []struct {
		name     string
		f        func(dst, z, v []float64)
		from, to [2]int // half-open ranges of the coordinates of z to which v and the product belong
	}{
		{"HessianOmegaOmega", p.HessianOmegaOmega, [2]int{n, n + lower}, [2]int{n, n + lower}},
		{"HessianAlphaOmega", p.HessianAlphaOmega, [2]int{n, n + lower}, [2]int{0, n}},
		{"HessianOmegaAlpha", p.HessianOmegaAlpha, [2]int{0, n}, [2]int{n, n + lower}},
	} {
		v := make([]float64, product.from[1]-product.from[0])
		var length float64
		for i := range v {
			v[i] = rng.NormFloat64()
			length = math.Hypot(length, v[i])
		}
		for i := range v {
			v[i] /= length
		}
		keep := clone(v)
		got, again := make([]float64, product.to[1]-product.to[0]), make([]float64, product.to[1]-product.to[0])
		poison(got)
		product.f(got, z, v)
		product.f(again, z, v)
		want := differenceAlong(p, z, v, product.from[0])
		part := want[product.to[0]:product.to[1]]
		tolerance := float64(gradientRelative*maxAbs(want)) + float64(gradientByValue*maxAbs(gradient))
		if e := maxDifference(got, part); !(e <= tolerance) || !algo.Finite(got) {
			t.Errorf("%s at %v with %v is %v, finite differences give %v (difference %.3g, allowed %.3g)",
				product.name, z, v, got, part, e, tolerance)
		}
		if !sameBits(got, again) {
			t.Errorf("%s at %v gives %v, then %v", product.name, z, got, again)
		}
		noAllocations(t, product.name, func() { product.f(got, z, v) })
		if !sameBits(z, before) || !sameBits(v, keep) {
			t.Errorf("%s modified its arguments: %v and %v, were %v and %v", product.name, z, v, before, keep)
		}
	}
}

// differenceAlong returns the central difference of ∇f along v, whose entries belong to z[first:first+len(v)].
func differenceAlong(p algo.Bilevel, z, v []float64, first int) []float64 {
	ahead, behind := make([]float64, len(z)), make([]float64, len(z))
	point := clone(z)
	for i, a := range v {
		point[first+i] = z[first+i] + float64(hessianStep*a)
	}
	p.LowerGradient(ahead, point)
	for i, a := range v {
		point[first+i] = z[first+i] - float64(hessianStep*a)
	}
	p.LowerGradient(behind, point)
	for i, a := range ahead {
		ahead[i] = (a - behind[i]) / (2 * hessianStep)
	}
	return ahead
}

// checkSolved checks ω*(α) and f*(α) for the α of z.
func checkSolved(t T, p algo.LowerSolved, z []float64) {
	t.Helper()
	n, lower, _ := p.Dims()
	before := clone(z)
	point, gradient, elsewhere := clone(z), make([]float64, lower), make([]float64, lower)
	poison(point[n:])
	p.LowerSolution(point[n:], z[:n])
	if !algo.Finite(point) {
		t.Errorf("LowerSolution(%v) is not finite or not all written: %v", z[:n], point[n:])
		return
	}
	// A gradient at ω* contains the rounding errors of its terms. These errors are about as large as the rounding
	// errors of the gradient one unit away.
	p.LowerGradientOmega(gradient, point)
	shifted := clone(point)
	for i := range shifted[n:] {
		shifted[n+i]++
	}
	p.LowerGradientOmega(elsewhere, shifted)
	if e := maxAbs(gradient); !(e <= solvedRelative*maxAbs(elsewhere)*max(1, maxAbs(point))) {
		t.Errorf("the gradient at LowerSolution(%v) = %v is %v, it must vanish", z[:n], point[n:], gradient)
	}
	least := p.LowerMinimum(z[:n])
	if at := p.Lower(point); !(math.Abs(at-least) <= solvedRelative*max(math.Abs(at), p.Lower(shifted)-at)) {
		t.Errorf("LowerMinimum(%v) is %v, the lower objective at LowerSolution is %v", z[:n], least, at)
	}
	if f := p.Lower(z); !(f >= least-float64(solvedRelative*math.Abs(least))) {
		t.Errorf("the lower objective at %v is %v, below LowerMinimum = %v", z, f, least)
	}
	noAllocations(t, "LowerSolution", func() { p.LowerSolution(point[n:], z[:n]) })
	noAllocations(t, "LowerMinimum", func() { p.LowerMinimum(z[:n]) })
	if !sameBits(z, before) {
		t.Errorf("alpha was modified: %v, was %v", z[:n], before[:n])
	}
}

// checkDistance checks the distance of z from the solutions. Unless other is nil, it also compares this distance with
// the distance of the point other.
func checkDistance(t T, p algo.SolutionSet, z, other []float64) {
	t.Helper()
	before := clone(z)
	d := p.Distance(z)
	if !(d >= 0) || math.IsInf(d, 1) {
		t.Errorf("Distance(%v) = %v, it must be finite and not negative", z, d)
	}
	if again := p.Distance(z); math.Float64bits(again) != math.Float64bits(d) {
		t.Errorf("Distance(%v) is %v, then %v", z, d, again)
	}
	if other != nil {
		var between float64
		for i, v := range z {
			between = math.Hypot(between, v-other[i])
		}
		if e := p.Distance(other); !(math.Abs(d-e) <= between+float64(solvedRelative*(d+e))) {
			t.Errorf("Distance is %v at %v and %v at %v, which are only %v apart", d, z, e, other, between)
		}
	}
	noAllocations(t, "Distance", func() { p.Distance(z) })
	if !sameBits(z, before) {
		t.Errorf("z was modified by Distance: %v, was %v", z, before)
	}
}
