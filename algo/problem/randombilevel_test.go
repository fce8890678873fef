package problem_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newRandomBilevel(t testing.TB, c problem.RandomBilevelConfig) *problem.RandomBilevel {
	t.Helper()
	p, err := problem.NewRandomBilevel(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// randomBilevels holds configurations of several shapes: more upper or more lower variables, one variable of each
// kind, one objective and several objectives.
var randomBilevels = []problem.RandomBilevelConfig{
	{N: 1, P: 1, M: 1, Condition: 1, Seed: 1},
	{N: 1, P: 2, M: 2, Condition: 10, Seed: 2},
	{N: 2, P: 5, M: 3, Condition: 1, Seed: 3},
	{N: 7, P: 2, M: 2, Condition: 100, Seed: 4},
	{N: 4, P: 16, M: 5, Condition: 1e4, Seed: 5},
}

func TestRandomBilevelConformance(t *testing.T) {
	for _, c := range randomBilevels {
		t.Run(fmt.Sprintf("n=%d,p=%d,m=%d", c.N, c.P, c.M), func(t *testing.T) {
			far := make([]float64, c.N+c.P)
			for i := range far {
				far[i] = 50 - 7*float64(i)
			}
			algotest.Bilevel(t, newRandomBilevel(t, c), far, make([]float64, c.N+c.P))
		})
	}
}

// hessian returns the Hessian of the lower objective in ω.
func hessian(p *problem.RandomBilevel) *mat.Dense {
	n, lower, _ := p.Dims()
	a := mat.NewDense(lower, lower, nil)
	z, unit, column := make([]float64, n+lower), make([]float64, lower), make([]float64, lower)
	for c := range lower {
		unit[c] = 1
		p.HessianOmegaOmega(column, z, unit)
		unit[c] = 0
		a.SetCol(c, column)
	}
	return a
}

func TestRandomBilevelCurvature(t *testing.T) {
	for _, c := range append(randomBilevels, problem.RandomBilevelConfig{N: 2, P: 63, M: 2, Condition: 1e6, Seed: 6}) {
		p := newRandomBilevel(t, c)
		a := hessian(p)
		var eigen mat.EigenSym
		symmetric := mat.NewSymDense(c.P, nil)
		for i := range c.P {
			for j := range c.P {
				if a.At(i, j) != a.At(j, i) {
					t.Fatalf("%+v: A[%d][%d] = %v, A[%d][%d] = %v", c, i, j, a.At(i, j), j, i, a.At(j, i))
				}
				symmetric.SetSym(i, j, a.At(i, j))
			}
		}
		if !eigen.Factorize(symmetric, false) {
			t.Fatalf("%+v: no eigenvalues", c)
		}
		values := eigen.Values(nil) // ascending
		least, most := p.Curvature()
		if math.Abs(values[0]-least) > 1e-13 || math.Abs(values[c.P-1]-most) > 1e-13 || least != 1/c.Condition || most != 1 {
			t.Errorf("%+v: eigenvalues from %v to %v, stated are %v and %v", c, values[0], values[c.P-1], least, most)
		}
		for i := 2; i < c.P; i++ {
			if a, b := values[i]/values[i-1], values[i-1]/values[i-2]; !(math.Abs(a/b-1) < 1e-6) {
				t.Errorf("%+v: the ratios of eigenvalues are %v and %v, want equal ones", c, b, a)
			}
		}
	}
}

// TestRandomBilevelMixes checks that the eigenvectors are not aligned with the axes: no eigenvector has most of its
// length in a few coordinates.
func TestRandomBilevelMixes(t *testing.T) {
	const p = 100
	a := hessian(newRandomBilevel(t, problem.RandomBilevelConfig{N: 1, P: p, M: 1, Condition: 1e3, Seed: 1}))
	symmetric := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			symmetric.SetSym(i, j, a.At(i, j))
		}
	}
	var eigen mat.EigenSym
	var vectors mat.Dense
	if !eigen.Factorize(symmetric, true) {
		t.Fatal("no eigenvectors")
	}
	eigen.VectorsTo(&vectors)
	for c := range p {
		var fourth float64
		for r := range p {
			fourth += math.Pow(vectors.At(r, c), 4)
		}
		// Σv⁴ is about 3/p for a unit vector in a random direction, and 1 for a unit vector along an axis.
		if fourth > 0.2 {
			t.Errorf("eigenvector %d has Σv⁴ = %v, it lies near a few axes", c, fourth)
		}
	}
}

func TestRandomBilevelIsDeterministic(t *testing.T) {
	c := problem.RandomBilevelConfig{N: 3, P: 4, M: 2, Condition: 7, Seed: 11}
	value := func(c problem.RandomBilevelConfig) float64 {
		return newRandomBilevel(t, c).Lower([]float64{1, 2, 3, 4, 5, 6, 7})
	}
	if a, b := value(c), value(c); a != b {
		t.Errorf("one seed gives %v and %v", a, b)
	}
	other := c
	other.Seed++
	if a, b := value(c), value(other); a == b {
		t.Errorf("two seeds give the same %v", a)
	}
}

// reducedGradient returns ∇Φ_i = ∇_αF_i + (dω*/dα)ᵀ∇_ωF_i at z for Φ_i(α) = F_i(α, ω*(α)). It computes dω*/dα from
// differences, which are exact because ω* is affine.
func reducedGradient(p *problem.RandomBilevel, z []float64) *algo.Jacobian {
	n, lower, m := p.Dims()
	full, reduced := algo.NewJacobian(m, n+lower), algo.NewJacobian(m, n)
	p.Jacobian(full, z)
	origin, response, alpha := make([]float64, lower), make([]float64, lower), make([]float64, n)
	p.LowerSolution(origin, alpha)
	for j := range n {
		alpha[j] = 1
		p.LowerSolution(response, alpha)
		alpha[j] = 0
		for i := range m {
			row := full.Row(i)
			s := row[j]
			for k, v := range response {
				s += (v - origin[k]) * row[n+k]
			}
			reduced.Row(i)[j] = s
		}
	}
	return reduced
}

func TestRandomBilevelSolution(t *testing.T) {
	for _, c := range randomBilevels {
		p := newRandomBilevel(t, c)
		lambda, z, omega, g := make([]float64, c.M), make([]float64, c.N+c.P), make([]float64, c.P), make([]float64, c.N)
		for i := range lambda {
			lambda[i] = 1 + float64(i*i)
		}
		for _, scale := range []float64{1, 1e8, 1e-8} {
			for i := range lambda {
				lambda[i] *= scale
			}
			if err := p.Solution(z, lambda); err != nil {
				t.Fatal(err)
			}
			p.LowerSolution(omega, z[:c.N])
			if !slicesNear(omega, z[c.N:], 0) {
				t.Errorf("%+v: the solution has ω = %v, ω*(α) is %v", c, z[c.N:], omega)
			}
			reduced := reducedGradient(p, z)
			reduced.Combine(g, lambda)
			var largest float64
			for i, l := range lambda {
				for _, v := range reduced.Row(i) {
					largest = max(largest, l*math.Abs(v))
				}
			}
			for _, v := range g {
				if !(math.Abs(v) <= 1e-13*largest+1e-15*scale) {
					t.Errorf("%+v: the gradient of the weighted sum with %v is %v, its terms are of size %v", c, lambda, g, largest)
					break
				}
			}
			for i := range lambda {
				lambda[i] /= scale
			}
		}
		if a := testing.AllocsPerRun(10, func() {
			if err := p.Solution(z, lambda); err != nil {
				t.Error(err)
			}
		}); a != 0 {
			t.Errorf("%+v: Solution allocates %v times", c, a)
		}
	}
}

func slicesNear(a, b []float64, tolerance float64) bool {
	for i, v := range a {
		if !(math.Abs(v-b[i]) <= tolerance) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestRandomBilevelSolutionIsNotDominated checks that no point that satisfies the lower level is better than a
// solution in every objective.
func TestRandomBilevelSolutionIsNotDominated(t *testing.T) {
	c := problem.RandomBilevelConfig{N: 3, P: 5, M: 2, Condition: 20, Seed: 8}
	p := newRandomBilevel(t, c)
	z, other := make([]float64, c.N+c.P), make([]float64, c.N+c.P)
	f, g := make([]float64, 2), make([]float64, 2)
	for _, l := range []float64{0, 0.2, 0.5, 0.9, 1} {
		if err := p.Solution(z, []float64{1 - l, l}); err != nil {
			t.Fatal(err)
		}
		p.Values(f, z)
		// For each distance, the directions come from sines of different frequencies.
		for k := range 500 {
			for j := range c.N {
				other[j] = z[j] + math.Pow(10, -float64(k%6))*math.Sin(float64((k+1)*(j+2)))
			}
			p.LowerSolution(other[c.N:], other[:c.N])
			p.Values(g, other)
			if g[0] < f[0] && g[1] < f[1] {
				t.Fatalf("λ = %v: F = %v at the solution %v, %v at %v", l, f, z, g, other)
			}
		}
	}
}

func TestRandomBilevelRefuses(t *testing.T) {
	ok := problem.RandomBilevelConfig{N: 2, P: 3, M: 2, Condition: 10}
	for want, change := range map[string]func(*problem.RandomBilevelConfig){
		"n = 0":            func(c *problem.RandomBilevelConfig) { c.N = 0 },
		"p = -1":           func(c *problem.RandomBilevelConfig) { c.P = -1 },
		"m = 0":            func(c *problem.RandomBilevelConfig) { c.M = 0 },
		"condition = 0.5":  func(c *problem.RandomBilevelConfig) { c.Condition = 0.5 },
		"condition = NaN":  func(c *problem.RandomBilevelConfig) { c.Condition = math.NaN() },
		"condition = +Inf": func(c *problem.RandomBilevelConfig) { c.Condition = math.Inf(1) },
	} {
		c := ok
		change(&c)
		if _, err := problem.NewRandomBilevel(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	one := ok
	one.P = 1
	if least, most := newRandomBilevel(t, one).Curvature(); least != 1 || most != 1 {
		t.Errorf("one lower variable has curvatures from %v to %v, want 1", least, most)
	}
	p := newRandomBilevel(t, ok)
	for _, w := range [][]float64{{0, 0}, {1, -1}, {1, math.NaN()}, {math.Inf(1), 1}} {
		if err := p.Solution(make([]float64, 5), w); err == nil {
			t.Errorf("weights %v are accepted", w)
		}
	}
}

func BenchmarkRandomBilevelGradient(b *testing.B) {
	for _, lower := range []int{16, 256} {
		b.Run(fmt.Sprintf("p=%d", lower), func(b *testing.B) {
			p := newRandomBilevel(b, problem.RandomBilevelConfig{N: 10, P: lower, M: 2, Condition: 10})
			dst, z := make([]float64, lower), make([]float64, 10+lower)
			b.ReportAllocs()
			for b.Loop() {
				p.LowerGradientOmega(dst, z)
			}
		})
	}
}

func BenchmarkNewRandomBilevel(b *testing.B) {
	for _, lower := range []int{16, 256} {
		b.Run(fmt.Sprintf("p=%d", lower), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newRandomBilevel(b, problem.RandomBilevelConfig{N: 10, P: lower, M: 2, Condition: 10})
			}
		})
	}
}
