package problem_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// TestLeastSquaresByHand compares two examples of two objectives at (1, 1) with numbers computed by hand. The first
// objective has residuals 1·1 + 2·1 − 1 = 2 and 3 − 1 = 2, and the second has 1 − 5 = −4 and 1 + 1 − 4 = −2.
func TestLeastSquaresByHand(t *testing.T) {
	p := newLeastSquares(t,
		[][][]float64{{{1, 2}, {3, 0}}, {{0, 1}, {1, 1}}},
		[][]float64{{1, 1}, {5, 4}})
	w, f, jac := []float64{1, 1}, make([]float64, 2), algo.NewJacobian(2, 2)
	same := func(what string, got []float64, want ...float64) {
		t.Helper()
		if distance(got, want) > 1e-14*float64(len(want))*10 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	p.Values(f, w)
	p.Jacobian(jac, w)
	same("values", f, (4.0+4)/4, (16.0+4)/4)
	same("Jacobian", jac.Data, (2*1+2*3)/2., (2*2+2*0)/2., (0-2)/2., (-4-2)/2.)
	s := algo.Sample{Batch: []int{1}}
	p.ValuesAt(f, w, &s)
	p.JacobianAt(jac, w, &s)
	same("values of example 1", f, 2, 2)
	same("Jacobian of example 1", jac.Data, 6, 0, -2, -2)
	// The first objective is 0 at w = (1/3, 1/3), and the second is 0 at (−1, 5).
	same("minima", p.LowerBounds(), 0, 0)
	for i, want := range [][]float64{{1. / 3, 1. / 3}, {-1, 5}} {
		lambda := make([]float64, 2)
		lambda[i] = 7
		w, err := p.Minimum(lambda)
		if err != nil {
			t.Fatal(err)
		}
		same("minimiser", w, want...)
	}
	// The Hessian is ½(H_1 + H_2) = ½([5 1; 1 2] + [½ ½; ½ 1]), and the right-hand side is ½((2, 1) + (2, 4½)).
	w, err := p.Minimum([]float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	determinant := 5.5*3 - 1.5*1.5
	same("minimiser of the sum", w, (4*3-1.5*5.5)/determinant, (5.5*5.5-1.5*4)/determinant)
	if l := p.SampleSmoothness(); l != 9 {
		t.Errorf("Lipschitz constant %v, want ‖(3, 0)‖² = 9", l)
	}
}

// TestLeastSquaresScales multiplies rows and labels by factors of up to a hundred million. Values and gradients must
// change by the square of the factor, and minimisers must not change. The unit of one variable must affect only that
// variable.
func TestLeastSquaresScales(t *testing.T) {
	c := problem.LeastSquaresConfig{Objectives: 2, Examples: 12, Variables: 4, Condition: 100, Heterogeneity: 1, Noise: 0.5, Seed: 5}
	p := randomLeastSquares(t, c)
	scaled := func(rows float64, units []float64) *problem.LeastSquares {
		a, y := make([][][]float64, 2), make([][]float64, 2)
		for i := range a {
			for k := range c.Examples {
				row, label := p.Example(i, k)
				row = append([]float64(nil), row...)
				for j := range row {
					row[j] *= rows * units[j]
				}
				a[i], y[i] = append(a[i], row), append(y[i], rows*label)
			}
		}
		return newLeastSquares(t, a, y)
	}
	x, z, lambda := []float64{0.3, -1, 2, 0.5}, make([]float64, 4), []float64{0.3, 0.7}
	minimum, err := p.Minimum(lambda)
	if err != nil {
		t.Fatal(err)
	}
	f, g := make([]float64, 2), make([]float64, 2)
	jac, other := algo.NewJacobian(2, 4), algo.NewJacobian(2, 4)
	p.Values(f, x)
	p.Jacobian(jac, x)
	for _, rows := range []float64{1e-8, 1, 1e8, 1e-60, 1e60} {
		for _, units := range [][]float64{{1, 1, 1, 1}, {1e8, 1, 1e-8, 1}} {
			q := scaled(rows, units)
			for j, u := range units {
				z[j] = x[j] / u
			}
			q.Values(g, z)
			q.Jacobian(other, z)
			for i := range 2 {
				if e := math.Abs(g[i]/(rows*rows)/f[i] - 1); e > 1e-12 {
					t.Errorf("rows times %g, units %g: value off by %g", rows, units, e)
				}
				for j, u := range units {
					if want := jac.Row(i)[j]; math.Abs(other.Row(i)[j]/(rows*rows)/u-want) > 1e-12*math.Abs(want)+1e-13 {
						t.Errorf("rows times %g, units %g: entry %d of gradient %d is %v, not %v", rows, units, j, i, other.Row(i)[j], want)
					}
				}
				if e := q.LowerBounds()[i]/(rows*rows)/p.LowerBounds()[i] - 1; math.Abs(e) > 1e-12 {
					t.Errorf("rows times %g, units %g: minimum off by %g", rows, units, e)
				}
			}
			w, err := q.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			for j, u := range units {
				if math.Abs(w[j]*u-minimum[j]) > 1e-11 {
					t.Errorf("rows times %g, units %g: minimiser %v, not %v", rows, units, w, minimum)
				}
			}
		}
	}
}

// TestLeastSquaresDegenerate checks rows of zeros, duplicate rows and variables that occur in no row. There must be a
// minimum, all numbers must be finite, and the complete objective must be the mean over the examples.
func TestLeastSquaresDegenerate(t *testing.T) {
	for name, p := range map[string]*problem.LeastSquares{
		"zeros":           newLeastSquares(t, [][][]float64{{{0, 0}, {0, 0}}}, [][]float64{{1, 3}}),
		"a row of zeros":  newLeastSquares(t, [][][]float64{{{1, 2}, {0, 0}, {2, -1}}}, [][]float64{{1, 3, 2}}),
		"one row, twice":  newLeastSquares(t, [][][]float64{{{1, 2}, {1, 2}, {1, 2}}}, [][]float64{{1, 3, 3}}),
		"a variable less": newLeastSquares(t, [][][]float64{{{1, 0, 0}, {2, 0, 1e-9}}}, [][]float64{{1, 3}}),
		"proportional":    newLeastSquares(t, [][][]float64{{{0.1, 0.3}, {0.2, 0.6}, {0.7, 2.1}}}, [][]float64{{1, 2, 3}}),
	} {
		n, m := p.Dims()
		w, err := p.Minimum([]float64{1})
		if err != nil {
			t.Fatal(err)
		}
		f, jac := make([]float64, m), algo.NewJacobian(m, n)
		p.Values(f, w)
		p.Jacobian(jac, w)
		if !algo.Finite(f) || !algo.Finite(jac.Data) || !algo.Finite(w) || math.Abs(f[0]-p.LowerBounds()[0]) > 1e-15 {
			t.Errorf("%s: at the minimiser %v values %v, least %v, Jacobian %v", name, w, f, p.LowerBounds(), jac.Data)
		}
		if e, allowed := slope(p, []float64{1}, w), 1e-13*parts(p, []float64{1}, w); e > allowed {
			t.Errorf("%s: the gradient at the minimiser %v is %g, more than %g", name, w, e, allowed)
		}
	}
	p := newLeastSquares(t, [][][]float64{{{1, 2}, {1, 2}, {1, 2}}}, [][]float64{{1, 3, 3}})
	// The labels 1, 3, 3 have the mean 7/3.
	if v, want := p.LowerBounds()[0], (16./9+4./9+4./9)/6; math.Abs(v-want) > 1e-15 {
		t.Errorf("the minimum is %v, want %v", v, want)
	}
	// The square of 1e-165, and thus a curvature, underflows to 0. The slope, half of 1e-165·(0−3), does not.
	p = newLeastSquares(t, [][][]float64{{{1e-165, 1}, {1e-165, 0}}}, [][]float64{{1, 3}})
	jac, g := algo.NewJacobian(1, 2), make([]float64, 2)
	p.Jacobian(jac, []float64{0, 1})
	p.WeightedGradientAt(g, []float64{2}, []float64{0, 1}, &algo.Sample{})
	if math.Abs(jac.Data[0]+1.5e-165) > 1e-175 || math.Abs(g[0]+3e-165) > 1e-175 || jac.Data[1] != 0 {
		t.Errorf("where a curvature is too small for a number, the slopes are %v and %v", jac.Data, g)
	}
	// On a line of minimisers, values are only rounding errors, but must not be negative.
	p = newLeastSquares(t, [][][]float64{{{0.1, 0.3}, {0.2, 0.6}, {0.7, 2.1}}}, [][]float64{{0.1, 0.2, 0.7}})
	f := make([]float64, 1)
	for i := range 100 {
		far := 1.7 * float64(i*i)
		if p.Values(f, []float64{1 - 3*far, far}); !(f[0] >= 0 && f[0] <= 1e-15*far*far+1e-30) {
			t.Errorf("%v from the minimiser along the line the value is %v", far, f[0])
		}
	}
}

// TestLeastSquaresWithoutHessians checks that results are the same with Hessians, without them, and with shared
// inputs given separately for each objective.
func TestLeastSquaresWithoutHessians(t *testing.T) {
	const limit = 512
	for _, d := range []int{limit, limit + 1} {
		c := problem.LeastSquaresConfig{Objectives: 2, Examples: d/2 + 1, Variables: d, Condition: 3, Heterogeneity: 1, Noise: 0.1, Seed: 2}
		p := randomLeastSquares(t, c)
		c.SharedInputs = true
		shared := randomLeastSquares(t, c)
		a, y := make([][][]float64, 2), make([][]float64, 2)
		for i := range a {
			for k := range c.Examples {
				row, label := shared.Example(i, k)
				a[i], y[i] = append(a[i], row), append(y[i], label)
				if first, _ := shared.Example(0, k); &first[0] != &row[0] {
					t.Fatal("shared inputs are kept twice")
				}
				if i == 0 {
					if own, _ := p.Example(0, k); distance(own, row) != 0 {
						t.Fatal("the inputs of the first objective are others where they are shared")
					}
				}
			}
		}
		given := newLeastSquares(t, a, y)
		x, f, g := make([]float64, d), make([]float64, 2), make([]float64, 2)
		for j := range x {
			x[j] = math.Sin(float64(j))
		}
		lambda, u, v := []float64{0.4, 0.6}, make([]float64, d), make([]float64, d)
		for _, batch := range [][]int{nil, {3}, {5, 1, 1}} {
			s := &algo.Sample{Batch: batch}
			shared.ValuesAt(f, x, s)
			given.ValuesAt(g, x, s)
			shared.WeightedGradientAt(u, lambda, x, s)
			given.WeightedGradientAt(v, lambda, x, s)
			if e := distance(f, g); e > 1e-12*f[0] {
				t.Errorf("d = %d, batch %v: values are %v and %v", d, batch, f, g)
			}
			if e := distance(u, v); e > 1e-12*distance(u, make([]float64, d)) {
				t.Errorf("d = %d, batch %v: gradients are %g apart", d, batch, e)
			}
		}
	}
}

// TestRandomLeastSquares checks that random examples have the configured covariance and spread of minimisers, within
// five standard errors. A changed setting must not affect the other parts of the data.
func TestRandomLeastSquares(t *testing.T) {
	const k = 20_000
	c := problem.LeastSquaresConfig{Objectives: 2, Examples: k, Variables: 3, Condition: 25, Heterogeneity: 0.6, Seed: 8}
	p := randomLeastSquares(t, c)
	for i := range 2 {
		var square [3][3]float64
		for e := range k {
			a, _ := p.Example(i, e)
			for r := range a {
				for s := range a {
					square[r][s] += a[r] * a[s] / k
				}
			}
		}
		deviation := [3]float64{1, 0.6, 0.2}
		for r := range square {
			for s, v := range square[r] {
				want, standard := 0.0, deviation[r]*deviation[s]/math.Sqrt(k)
				if r == s {
					want, standard = deviation[r]*deviation[r], math.Sqrt2*standard
				}
				if math.Abs(v-want) > 5*standard {
					t.Errorf("objective %d: covariance [%d][%d] is %v, want %v ± %v", i, r, s, v, want, standard)
				}
			}
		}
	}
	// Without noise, each objective is 0 at its w*. √(1−h²)z_0 + h·z_m has unit variance, and two of these vectors
	// have correlation 1 − h².
	if low := p.LowerBounds(); low[0] > 1e-28 || low[1] > 1e-28 {
		t.Errorf("without noise the minima are %v", low)
	}
	var variance, product float64
	const problems = 4000
	for seed := range uint64(problems) {
		q := randomLeastSquares(t, problem.LeastSquaresConfig{
			Objectives: 2, Examples: 2, Variables: 1, Condition: 1, Heterogeneity: 0.6, Seed: seed,
		})
		var w [2]float64
		for i := range w {
			a, y := q.Example(i, 0)
			w[i] = y / a[0]
		}
		variance += (w[0]*w[0] + w[1]*w[1]) / (2 * problems)
		product += w[0] * w[1] / problems
	}
	if e := 5 * math.Sqrt(2./problems); math.Abs(variance-1) > e || math.Abs(product-0.64) > e {
		t.Errorf("variance %v and covariance %v of the minimisers, want 1 and 0.64 within %v", variance, product, e)
	}

	c = problem.LeastSquaresConfig{Objectives: 2, Examples: 5, Variables: 3, Condition: 25, Heterogeneity: 0.6, Noise: 0.5, Seed: 8}
	more := c
	more.Objectives, more.Examples = 4, 9
	noisier := c
	noisier.Noise = 2
	few, many, loud := randomLeastSquares(t, c), randomLeastSquares(t, more), randomLeastSquares(t, noisier)
	noiseless := c
	noiseless.Noise = 0
	silent := randomLeastSquares(t, noiseless)
	for i := range c.Objectives {
		for k := range c.Examples {
			a, y := few.Example(i, k)
			if b, z := many.Example(i, k); distance(a, b) != 0 || y != z {
				t.Errorf("example %d of objective %d is another among more", k, i)
			}
			b, z := loud.Example(i, k)
			_, exact := silent.Example(i, k)
			if distance(a, b) != 0 || math.Abs((z-exact)-4*(y-exact)) > 1e-13 {
				t.Errorf("example %d of objective %d is another with more noise: %v, %v and %v", k, i, exact, y, z)
			}
		}
	}
}

// TestLeastSquaresHeterogeneity checks that the minimisers are the same if all objectives agree. With shared inputs
// and without noise, the minimisers of weighted sums must be on straight lines between the objectives' minimisers.
func TestLeastSquaresHeterogeneity(t *testing.T) {
	c := problem.LeastSquaresConfig{Objectives: 2, Examples: 10, Variables: 3, Condition: 9, Seed: 4}
	apart := func(c problem.LeastSquaresConfig) (a, b, middle []float64) {
		p := randomLeastSquares(t, c)
		var points [][]float64
		for _, lambda := range [][]float64{{1, 0}, {0, 1}, {1, 1}} {
			w, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			points = append(points, w)
		}
		return points[0], points[1], points[2]
	}
	if a, b, _ := apart(c); distance(a, b) > 1e-13 {
		t.Errorf("minimisers of objectives that agree: %v and %v", a, b)
	}
	c.Heterogeneity, c.SharedInputs = 1, true
	a, b, middle := apart(c)
	for j := range middle {
		if math.Abs(middle[j]-(a[j]+b[j])/2) > 1e-13 {
			t.Errorf("between %v and %v lies %v", a, b, middle)
		}
	}
	if distance(a, b) < 0.1 {
		t.Errorf("minimisers of objectives that do not agree: %v and %v", a, b)
	}
}

// TestLeastSquaresIllConditioned checks that the accuracy of the minimiser is limited by the condition number of the
// inputs, and not by its square. If two variables differ by a millionth, ten digits must be correct, not four.
func TestLeastSquaresIllConditioned(t *testing.T) {
	const k, near = 30, 1e-6
	rng := rand.New(rand.NewPCG(1, 1))
	want := []float64{1.5, -0.25, 2}
	a, y := make([][]float64, k), make([]float64, k)
	for i := range a {
		u := rng.NormFloat64()
		a[i] = []float64{u, u + near*rng.NormFloat64(), rng.NormFloat64()}
		for j, v := range a[i] {
			y[i] += v * want[j]
		}
	}
	w, err := newLeastSquares(t, [][][]float64{a}, [][]float64{y}).Minimum([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if e := distance(w, want); e > 1e-9 {
		t.Errorf("the minimiser %v is off by %g", w, e)
	}
}

// TestLeastSquaresOfHalfTheRank checks that Minimum finds a minimiser even if half of the variables are copies of the
// others in different units.
func TestLeastSquaresOfHalfTheRank(t *testing.T) {
	const k, d = 100, 60
	rng := rand.New(rand.NewPCG(2, 2))
	a, y := make([][]float64, k), make([]float64, k)
	for i := range a {
		a[i] = make([]float64, d)
		for j := range d / 2 {
			a[i][j] = rng.NormFloat64()
			a[i][d-1-j] = math.Pow(10, float64(j%9)-4) * a[i][j]
		}
		y[i] = rng.NormFloat64()
	}
	p := newLeastSquares(t, [][][]float64{a}, [][]float64{y})
	w, err := p.Minimum([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	zeros := 0
	for _, v := range w {
		if v == 0 {
			zeros++
		}
	}
	if zeros != d/2 {
		t.Errorf("%d variables are not needed, %d are not used", d/2, zeros)
	}
	if e, allowed := slope(p, []float64{1}, w), 1e-13*parts(p, []float64{1}, w); e > allowed {
		t.Errorf("the gradient at the minimiser is %g, more than %g", e, allowed)
	}
}
