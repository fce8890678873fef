package problem_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

// finiteSum is the common interface of all finite sums.
type finiteSum interface {
	algo.Partial
	Examples() int
	Minimum(lambda []float64) ([]float64, error)
	SampleSmoothness() float64
	LowerBounds() []float64
}

func newLeastSquares(t testing.TB, a [][][]float64, y [][]float64) *problem.LeastSquares {
	t.Helper()
	p, err := problem.NewLeastSquares(a, y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomLeastSquares(t testing.TB, c problem.LeastSquaresConfig) *problem.LeastSquares {
	t.Helper()
	p, err := problem.RandomLeastSquares(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newDiagonalSum(t testing.TB, d, c [][][]float64) *problem.DiagonalSum {
	t.Helper()
	p, err := problem.NewDiagonalSum(d, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomDiagonalSum(t testing.TB, c problem.DiagonalSumConfig) *problem.DiagonalSum {
	t.Helper()
	p, err := problem.RandomDiagonalSum(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomLogistic(t testing.TB, c problem.LogisticConfig) *problem.Logistic {
	t.Helper()
	p, err := problem.RandomLogistic(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// finiteSums returns finite sums of every kind and shape.
func finiteSums(t testing.TB) map[string]finiteSum {
	least := func(m, k, d int, shared bool) problem.LeastSquaresConfig {
		return problem.LeastSquaresConfig{
			Objectives: m, Examples: k, Variables: d, Condition: 11, Heterogeneity: 0.7, Noise: 0.5, SharedInputs: shared, Seed: 3,
		}
	}
	diagonal := func(m, k, d int) problem.DiagonalSumConfig {
		return problem.DiagonalSumConfig{
			Objectives: m, Examples: k, Variables: d, Condition: 11, Heterogeneity: 0.7, Noise: 0.5, Seed: 3,
		}
	}
	return map[string]finiteSum{
		"least squares, one number":          randomLeastSquares(t, least(1, 1, 1, false)),
		"least squares":                      randomLeastSquares(t, least(3, 16, 2, false)),
		"least squares, more variables":      randomLeastSquares(t, least(2, 9, 15, false)),
		"least squares, no Hessians":         randomLeastSquares(t, least(2, 7, 40, false)),
		"least squares, long":                randomLeastSquares(t, least(2, 20, 37, false)),
		"least squares, targets":             randomLeastSquares(t, least(3, 12, 5, true)),
		"least squares, targets, no Hessian": randomLeastSquares(t, least(3, 5, 33, true)),
		"diagonal, one number":               randomDiagonalSum(t, diagonal(1, 1, 1)),
		"diagonal":                           randomDiagonalSum(t, diagonal(3, 16, 2)),
		"diagonal, long":                     randomDiagonalSum(t, diagonal(2, 6, 40)),
		"logistic":                           randomLogistic(t, problem.LogisticConfig{Examples: 20, Heterogeneity: 0.7, Seed: 3}),
		"logistic, one point":                randomLogistic(t, problem.LogisticConfig{Examples: 1, Seed: 4}),
	}
}

// TestFiniteSumConformance compares gradients with finite differences. It also compares means over batches with means
// over all examples, among other checks.
func TestFiniteSumConformance(t *testing.T) {
	for name, p := range finiteSums(t) {
		t.Run(name, func(t *testing.T) {
			n, _ := p.Dims()
			far, near := make([]float64, n), make([]float64, n)
			for j := range far {
				far[j], near[j] = 40*math.Cos(float64(j)), 1e-9*math.Sin(float64(j))
			}
			algotest.Problem(t, p, far, near)
		})
	}
}

// TestFiniteSumBatches checks that results over all examples, which quadratics compute in closed form, equal the mean
// over a batch of all examples. An example listed twice must count twice.
func TestFiniteSumBatches(t *testing.T) {
	for name, p := range finiteSums(t) {
		n, m := p.Dims()
		everything := make([]int, p.Examples())
		for k := range everything {
			everything[k] = k
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, size := range []float64{1e-6, 1, 1e6} {
			x := make([]float64, n)
			for j := range x {
				x[j] = size * rng.NormFloat64()
			}
			f, g := make([]float64, m), make([]float64, m)
			whole, mean := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
			p.Values(f, x)
			p.Jacobian(whole, x)
			p.ValuesAt(g, x, &algo.Sample{Batch: everything})
			p.JacobianAt(mean, x, &algo.Sample{Batch: everything})
			for i := range f {
				if math.Abs(f[i]-g[i]) > 1e-13*g[i] {
					t.Errorf("%s at size %g: value %v, over all examples %v", name, size, f[i], g[i])
				}
				if e := distance(whole.Row(i), mean.Row(i)); e > 1e-13*(1+size)*p.SampleSmoothness()*math.Sqrt(float64(n)) {
					t.Errorf("%s at size %g: the gradient is off by %g", name, size, e)
				}
			}
		}
		last := p.Examples() - 1
		once, twice, x := algo.NewJacobian(m, n), algo.NewJacobian(m, n), make([]float64, n)
		p.JacobianAt(once, x, &algo.Sample{Batch: []int{last}})
		p.JacobianAt(twice, x, &algo.Sample{Batch: []int{last, last}})
		if !slices.Equal(once.Data, twice.Data) {
			t.Errorf("%s: example %d alone %v, twice %v", name, last, once.Data, twice.Data)
		}
	}
}

func distance(a, b []float64) float64 {
	var s float64
	for j, v := range a {
		s = math.Hypot(s, v-b[j])
	}
	return s
}

// TestFiniteSumMinimum checks that the gradient of a weighted sum is 0 at the minimiser of the sum, relative to the
// terms of the gradient, and that no nearby point has a smaller sum. Only the ratios of the weights may matter.
func TestFiniteSumMinimum(t *testing.T) {
	for name, p := range finiteSums(t) {
		n, m := p.Dims()
		rng := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			lambda := make([]float64, m)
			for i := range lambda {
				lambda[i] = rng.Float64() + 1e-3
			}
			lambda[rng.IntN(m)] = rng.Float64() * float64(rng.IntN(2))
			if slices.Max(lambda) == 0 {
				continue
			}
			w, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			if e, allowed := slope(p, lambda, w), 1e-13*parts(p, lambda, w); e > allowed {
				t.Errorf("%s, λ = %v: the gradient is %g at the minimiser, %g is rounding", name, lambda, e, allowed)
			}
			least := sum(p, lambda, w)
			x := make([]float64, n)
			for j := range x {
				x[j] = w[j] + 1e-3*rng.NormFloat64()
			}
			if v := sum(p, lambda, x); v < least*(1-1e-15) {
				t.Errorf("%s, λ = %v: %v near the minimum %v", name, lambda, v, least)
			}
			for i := range lambda {
				lambda[i] *= 0x1p-900
			}
			again, err := p.Minimum(lambda)
			if err != nil || distance(w, again) > 1e-12*(1+distance(w, make([]float64, n))) {
				t.Errorf("%s: with tiny weights the minimiser is %v, not %v: %v", name, again, w, err)
			}
		}
		for i, least := range p.LowerBounds() {
			lambda := make([]float64, m)
			lambda[i] = 1
			w, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			if v := sum(p, lambda, w); math.Abs(v-least) > 1e-14*(least+sum(p, lambda, make([]float64, n))) {
				t.Errorf("%s: the minimum of objective %d is %v, at the minimiser it is %v", name, i, least, v)
			}
		}
	}
}

// slope returns the length of the gradient of the weighted sum, computed from the examples.
func slope(p finiteSum, lambda, w []float64) float64 {
	n, _ := p.Dims()
	g, all := make([]float64, n), make([]int, p.Examples())
	for k := range all {
		all[k] = k
	}
	p.WeightedGradientAt(g, lambda, w, &algo.Sample{Batch: all})
	return distance(g, make([]float64, n))
}

// parts returns a scale for rounding errors of the weighted sum's gradient: the length of the gradients at 0 plus a
// bound on their change from 0 to w.
func parts(p finiteSum, lambda, w []float64) float64 {
	n, m := p.Dims()
	jac := algo.NewJacobian(m, n)
	origin := make([]float64, n)
	p.Jacobian(jac, origin)
	var s float64
	for i, l := range lambda {
		s += l * (distance(jac.Row(i), origin) + p.SampleSmoothness()*(1+distance(w, origin)))
	}
	return s
}

func sum(p finiteSum, lambda, w []float64) float64 {
	f := make([]float64, len(lambda))
	p.Values(f, w)
	var s float64
	for i, l := range lambda {
		s += l * f[i]
	}
	return s
}

// TestFiniteSumSmoothness checks that no gradient of an example changes faster than SampleSmoothness states. For
// quadratics, some gradient must change at exactly this rate.
func TestFiniteSumSmoothness(t *testing.T) {
	for name, p := range finiteSums(t) {
		n, m := p.Dims()
		rng := rand.New(rand.NewPCG(5, 6))
		x, y := make([]float64, n), make([]float64, n)
		a, b := make([]float64, n), make([]float64, n)
		var fastest float64
		for range 100 {
			for j := range x {
				x[j] = rng.NormFloat64()
			}
			for i := range m {
				for k := range p.Examples() {
					s := algo.Sample{Batch: []int{k}}
					p.GradientAt(a, i, 0, n, x, &s)
					// The step is along the gradient or along one variable. The gradient of least squares changes fastest in the
					// first direction. The gradient of a diagonal quadratic may change fastest in the second direction.
					copy(y, x)
					y[rng.IntN(n)] += 0.1
					if rng.IntN(2) == 0 {
						for j, v := range a {
							y[j] = x[j] - v
						}
					}
					p.GradientAt(b, i, 0, n, y, &s)
					if d := distance(x, y); d > 0 {
						fastest = max(fastest, distance(a, b)/d)
					}
				}
			}
		}
		limit := p.SampleSmoothness()
		if _, bound := p.(*problem.Logistic); fastest > limit*(1+1e-9) || fastest < limit*(1-1e-9) && !bound || fastest < limit/20 {
			t.Errorf("%s: gradients change by %v times the distance, said is %v", name, fastest, limit)
		}
	}
}

// TestDiagonalSumOracle reads examples from an independent oracle and compares results with values of the expanded
// formula f = ½(ΣDw² − 2ΣDCw + ΣDC²).
func TestDiagonalSumOracle(t *testing.T) {
	var oracle struct{ D, C [][][]float64 }
	data, err := os.ReadFile("testdata/diagonalsum.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	p := newDiagonalSum(t, oracle.D, oracle.C)
	n, m := p.Dims()
	if n != 4 || m != 3 || p.Examples() != 16 {
		t.Fatalf("%d variables, %d objectives, %d examples", n, m, p.Examples())
	}
	w := []float64{0.3, -1.2, 2.5, 0.7}
	f, whole := make([]float64, m), make([]float64, m)
	jac, mean := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	p.Values(whole, w)
	p.Jacobian(mean, w)
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-13*(1+math.Abs(want)) {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	for i := range m {
		var values float64
		gradients := make([]float64, n)
		for k := range p.Examples() {
			s := algo.Sample{Batch: []int{k}}
			p.ValuesAt(f, w, &s)
			p.JacobianAt(jac, w, &s)
			var value float64
			for j, x := range w {
				d, c := oracle.D[i][k][j], oracle.C[i][k][j]
				value += (d*x*x - 2*d*c*x + d*c*c) / 2
				gradient := d*x - d*c
				gradients[j] += gradient / 16
				near(fmt.Sprintf("f_%d%d's gradient [%d]", i, k, j), jac.Row(i)[j], gradient)
			}
			values += value / 16
			near(fmt.Sprintf("f_%d%d", i, k), f[i], value)
		}
		near(fmt.Sprintf("L_%d", i), whole[i], values)
		for j, want := range gradients {
			near(fmt.Sprintf("L_%d's gradient [%d]", i, j), mean.Row(i)[j], want)
		}
	}
}

// TestFiniteSumsRefuse checks that errors name the invalid value.
func TestFiniteSumsRefuse(t *testing.T) {
	one := [][][]float64{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
	labels := [][]float64{{1, 2}, {3, 4}}
	least := func(change func(*problem.LeastSquaresConfig)) func() error {
		return func() error {
			c := problem.LeastSquaresConfig{Objectives: 2, Examples: 3, Variables: 2, Condition: 1}
			change(&c)
			_, err := problem.RandomLeastSquares(c)
			return err
		}
	}
	given := func(a [][][]float64, y [][]float64) func() error {
		return func() error { _, err := problem.NewLeastSquares(a, y); return err }
	}
	diagonal := func(d, c [][][]float64) func() error {
		return func() error { _, err := problem.NewDiagonalSum(d, c); return err }
	}
	logistic := func(c problem.LogisticConfig) func() error {
		return func() error { _, err := problem.RandomLogistic(c); return err }
	}
	minimum := func(lambda ...float64) func() error {
		return func() error { _, err := newLeastSquares(t, one, labels).Minimum(lambda); return err }
	}
	for _, c := range []struct {
		name string
		make func() error
	}{
		{"objectives", least(func(c *problem.LeastSquaresConfig) { c.Objectives = 0 })},
		{"examples", least(func(c *problem.LeastSquaresConfig) { c.Examples = -1 })},
		{"variables", least(func(c *problem.LeastSquaresConfig) { c.Variables = 0 })},
		{"objectives × examples × variables", least(func(c *problem.LeastSquaresConfig) { c.Examples, c.Variables = 1<<40, 1<<40 })},
		{"condition", least(func(c *problem.LeastSquaresConfig) { c.Condition = 0.5 })},
		{"condition", least(func(c *problem.LeastSquaresConfig) { c.Condition = math.Inf(1) })},
		{"heterogeneity", least(func(c *problem.LeastSquaresConfig) { c.Heterogeneity = 1.5 })},
		{"heterogeneity", least(func(c *problem.LeastSquaresConfig) { c.Heterogeneity = math.NaN() })},
		{"noise", least(func(c *problem.LeastSquaresConfig) { c.Noise = -1 })},
		{"noise", least(func(c *problem.LeastSquaresConfig) { c.Noise = math.Inf(1) })},
		{"noise", func() error {
			_, err := problem.RandomDiagonalSum(problem.DiagonalSumConfig{
				Objectives: 1, Examples: 1, Variables: 1, Condition: 1, Noise: math.NaN(),
			})
			return err
		}},
		{"objectives", func() error { _, err := problem.RandomDiagonalSum(problem.DiagonalSumConfig{}); return err }},
		{"examples", logistic(problem.LogisticConfig{})},
		{"heterogeneity", logistic(problem.LogisticConfig{Examples: 1, Heterogeneity: -1})},
		{"A", given(nil, nil)},
		{"A", given([][][]float64{{}}, nil)},
		{"A", given([][][]float64{{{}}}, nil)},
		{"A[1]", given([][][]float64{one[0], one[1][:1]}, labels)},
		{"A[1][0]", given([][][]float64{one[0], {{1}, {2}}}, labels)},
		{"A[0][1][0]", given([][][]float64{{{1}, {math.NaN()}}}, [][]float64{{1, 2}})},
		{"A[0][0][0]", given([][][]float64{{{-1e76}, {1}}}, [][]float64{{1, 2}})},
		{"y", given(one, labels[:1])},
		{"y[1]", given(one, [][]float64{labels[0], {1}})},
		{"y[0][1]", given(one, [][]float64{{1, math.Inf(-1)}, labels[1]})},
		{"D[1][0][1]", diagonal([][][]float64{one[0], {{5, -6}, {7, 8}}}, one)},
		{"D", diagonal(nil, one)},
		{"C", diagonal(one, one[:1])},
		{"C[0][0][1]", diagonal(one, [][][]float64{{{1, math.NaN()}, {3, 4}}, one[1]})},
		{"weight 1", minimum(1, -1)},
		{"weight 0", minimum(math.NaN(), 1)},
		{"weights", minimum(0, 0)},
		{"variables", func() error {
			p := randomLeastSquares(t, problem.LeastSquaresConfig{
				Objectives: 1, Examples: 1, Variables: problem.LeastSquaresSolvable + 1, Condition: 1,
			})
			if p.LowerBounds() != nil {
				t.Error("minima of very many variables are known")
			}
			_, err := p.Minimum([]float64{1})
			return err
		}},
	} {
		err := c.make()
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Name != c.name {
			t.Errorf("%s: %v", c.name, err)
		} else if len(err.Error()) > 300 {
			t.Errorf("%s: the message has %d bytes", c.name, len(err.Error()))
		}
	}
	for name, f := range map[string]func(){
		"an empty batch": func() {
			newLeastSquares(t, one, labels).ValuesAt(make([]float64, 2), make([]float64, 2), &algo.Sample{Batch: []int{}})
		},
		"one weight of two": func() { minimum(1)() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

// TestFiniteSumBits checks that random data and results are the same on every machine, to the last bit.
func TestFiniteSumBits(t *testing.T) {
	const want = 0x4e88b5e40338a40d
	h := fnv.New64a()
	add := func(v []float64) {
		for _, x := range v {
			h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	sums := finiteSums(t)
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		p := sums[name]
		n, m := p.Dims()
		lambda, x := make([]float64, m), make([]float64, n)
		for i := range lambda {
			lambda[i] = 1 / float64(i+2)
		}
		w, err := p.Minimum(lambda)
		if err != nil {
			t.Fatal(err)
		}
		add(w)
		add(p.LowerBounds())
		add([]float64{p.SampleSmoothness()})
		jac, f, g := algo.NewJacobian(m, n), make([]float64, m), make([]float64, n)
		for k := range p.Examples() {
			for j := range x {
				x[j] += 1 / float64(3+j+k)
			}
			s := algo.Sample{Batch: []int{k}}
			for range 3 {
				p.ValuesAt(f, x, &s)
				p.JacobianAt(jac, x, &s)
				p.WeightedGradientAt(g, lambda, x, &s)
				add(f)
				add(jac.Data)
				add(g)
				s.Batch = append(s.Batch, (k*k+1)%p.Examples())
			}
			s.Batch = nil
			p.ValuesAt(f, x, &s)
			p.JacobianAt(jac, x, &s)
			p.WeightedGradientAt(g, lambda, x, &s)
			add(f)
			add(jac.Data)
			add(g)
		}
	}
	if got := h.Sum64(); got != want {
		t.Errorf("the hash of the results is %#x, not %#x", got, uint64(want))
	}
}

// BenchmarkFiniteSums measures the gradient of one example and the values over all examples. The gradient of one
// example is the unit in which package ordering counts work.
func BenchmarkFiniteSums(b *testing.B) {
	for _, c := range []struct{ k, d int }{{512, 2}, {512, 10}, {512, 1000}, {64, 100_000}, {100_000, 10}, {128, 400}} {
		least := randomLeastSquares(b, problem.LeastSquaresConfig{Objectives: 2, Examples: c.k, Variables: c.d, Condition: 11, Seed: 1})
		diagonal := randomDiagonalSum(b, problem.DiagonalSumConfig{Objectives: 2, Examples: c.k, Variables: c.d, Condition: 11, Seed: 1})
		x, g, f := make([]float64, c.d), make([]float64, c.d), make([]float64, 2)
		for i, p := range []finiteSum{least, diagonal} {
			name := fmt.Sprintf("%s/K=%d,d=%d/", [...]string{"leastsquares", "diagonal"}[i], c.k, c.d)
			b.Run(name+"example", func(b *testing.B) {
				s := algo.Sample{Batch: []int{0}}
				for b.Loop() {
					s.Batch[0] = (s.Batch[0] + 1) % c.k
					p.GradientAt(g, 0, 0, c.d, x, &s)
				}
			})
			b.Run(name+"values", func(b *testing.B) {
				for b.Loop() {
					p.Values(f, x)
				}
			})
		}
	}
}
