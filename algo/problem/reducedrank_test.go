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

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
	"paretoplay/internal/portable"
)

// regression returns random training data.
func regression(t testing.TB, examples, features, responses, rank int, noise float64) *problem.Regression {
	t.Helper()
	train, _, err := problem.RandomRegression(problem.RegressionConfig{
		Train: examples, Test: 1, Features: features, Responses: responses, TrueRank: rank, Noise: noise, Seed: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	return train
}

func reducedRank(t testing.TB, data *problem.Regression, rank int, keep bool) *problem.ReducedRank {
	t.Helper()
	p, err := problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: rank, KeepProduct: keep})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// newRegression returns a Regression with the given rows.
func newRegression(t testing.TB, x, y [][]float64) *problem.Regression {
	t.Helper()
	data, err := problem.NewRegression(len(x[0]), len(y[0]), slices.Concat(x...), slices.Concat(y...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// reducedRanks returns named problems of every kind and shape.
func reducedRanks(t testing.TB) map[string]*problem.ReducedRank {
	proportional := make([][]float64, 9)
	labels := make([][]float64, 9)
	for i := range proportional {
		a := portable.Sin(float64(i))
		proportional[i], labels[i] = []float64{a, 0, -3 * a, 1}, []float64{a + portable.Cos(float64(7*i)), 1 - a}
	}
	return map[string]*problem.ReducedRank{
		"one number":                  reducedRank(t, regression(t, 1, 1, 1, 1, 0.5), 1, false),
		"one feature":                 reducedRank(t, regression(t, 7, 1, 3, 1, 0.5), 1, false),
		"one response":                reducedRank(t, regression(t, 7, 3, 1, 1, 0.5), 1, true),
		"small":                       reducedRank(t, regression(t, 12, 4, 3, 2, 0.5), 2, false),
		"small, kept":                 reducedRank(t, regression(t, 12, 4, 3, 2, 0.5), 2, true),
		"of full rank":                reducedRank(t, regression(t, 20, 4, 3, 3, 0.5), 3, false),
		"long":                        reducedRank(t, regression(t, 50, 37, 4, 3, 0.5), 2, false),
		"long, kept":                  reducedRank(t, regression(t, 50, 37, 4, 3, 0.5), 2, true),
		"more features than examples": reducedRank(t, regression(t, 6, 40, 3, 2, 0.5), 2, false),
		"dependent features":          reducedRank(t, newRegression(t, proportional, labels), 1, false),
		"very many features":          reducedRank(t, regression(t, 3, problem.RegressionSolvable+1, 2, 1, 0.5), 1, true),
	}
}

// TestReducedRankConformance compares gradients with finite differences, parts of gradients with whole gradients, and
// means over batches with means over all examples, among other checks.
func TestReducedRankConformance(t *testing.T) {
	for name, p := range reducedRanks(t) {
		t.Run(name, func(t *testing.T) {
			n, _ := p.Dims()
			far, near := make([]float64, n), make([]float64, n)
			for j := range far {
				far[j], near[j] = 40*math.Cos(float64(j)), 1e-9*math.Sin(float64(j))
			}
			algotest.Problem(t, p, far, near, p.Start(1, 0))
		})
	}
}

// TestReducedRankWeightedParts checks that parts of the gradient of a weighted sum equal the same entries of the
// whole gradient.
func TestReducedRankWeightedParts(t *testing.T) {
	for name, p := range reducedRanks(t) {
		n, m := p.Dims()
		rng := rand.New(rand.NewPCG(1, 2))
		w, x, whole := make([]float64, m), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		for _, batch := range [][]int{nil, {0}, {p.Examples() - 1, 0, 0}} {
			s := algo.Sample{Batch: batch}
			p.WeightedGradientAt(whole, w, x, &s)
			for range 40 {
				a, b := rng.IntN(n), rng.IntN(n)
				lo, hi := min(a, b), max(a, b)+1
				part := slices.Repeat([]float64{math.NaN()}, hi-lo)
				p.WeightedGradientPartAt(part, w, lo, hi, x, &s)
				if !slices.Equal(part, whole[lo:hi]) {
					t.Fatalf("%s: from %d to %d on the batch %v: %v, want %v", name, lo, hi, batch, part, whole[lo:hi])
				}
			}
			if n := testing.AllocsPerRun(5, func() { p.WeightedGradientPartAt(whole, w, 0, n, x, &s) }); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	}
}

// TestReducedRankByHand compares two examples with numbers computed by hand: x = (1, 2) with y = (1, 0), and x = (0,
// 1) with y = (2, 4), at U = (1, −1)ᵀ and V = (2, 3). Both x·U are −1, the errors are (−3, −3) and (−4, −7), and g_0
// = (−3, −10) and g_1 = (−3, −13).
func TestReducedRankByHand(t *testing.T) {
	data := newRegression(t, [][]float64{{1, 2}, {0, 1}}, [][]float64{{1, 0}, {2, 4}})
	for _, keep := range []bool{false, true} {
		p := reducedRank(t, data, 1, keep)
		x, f, jac, g := []float64{1, -1, 2, 3}, make([]float64, 2), algo.NewJacobian(2, 4), make([]float64, 4)
		same := func(what string, got []float64, want ...float64) {
			t.Helper()
			if distance(got, want) > 1e-12 {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		for _, batch := range [][]int{nil, {1, 0}} {
			s := algo.Sample{Batch: batch}
			p.ValuesAt(f, x, &s)
			p.JacobianAt(jac, x, &s)
			same("values", f, 12.5, 29)
			same("Jacobian", jac.Data, -6, -20, 7, 0, -9, -39, 0, 10)
			p.WeightedGradientAt(g, []float64{1, 10}, x, &s)
			same("weighted", g, -96, -410, 7, 100)
		}
		p.ValuesAt(f, x, &algo.Sample{Batch: []int{1, 1}})
		same("values of the second example", f, 16, 49)
		p.GradientAt(g[:2], 1, 1, 3, x, &algo.Sample{Batch: []int{1}})
		same("a part of a gradient of it", g[:2], 2*-7*1*3, 0)
		// With as many examples as features, each response alone can be fitted exactly, but rank 1 cannot fit both.
		same("minima", p.LowerBounds(), 0, 0)
	}
}

type reducedRankOracle struct {
	Data struct{ X, Y, U0, V0 [][]float64 } `json:"rrr_data"`
	Form []struct {
		M            []float64
		W            [][]float64
		Losses       []float64
		Fm           float64
		Unrestricted []float64 `json:"unrestricted_losses"`
	} `json:"closed_form"`
	Trajectories []struct {
		Name    string
		Alpha   float64
		M, X0   []float64
		Blocks  [][]int
		Partial []struct {
			Block, Objective int
			X                []float64
		}
	}
}

func readReducedRank(t *testing.T) (o reducedRankOracle, data *problem.Regression) {
	t.Helper()
	text, err := os.ReadFile("testdata/reducedrank.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Form) != 3 || len(o.Trajectories) != 4 {
		t.Fatalf("%d closed forms and %d trajectories", len(o.Form), len(o.Trajectories))
	}
	return o, newRegression(t, o.Data.X, o.Data.Y)
}

// TestReducedRankSteps compares steps with those of an oracle, computed to forty digits. Each step starts where the
// previous one ended.
func TestReducedRankSteps(t *testing.T) {
	oracle, data := readReducedRank(t)
	all := make([]int, data.Examples())
	for i := range all {
		all[i] = i
	}
	for _, batch := range [][]int{nil, all} {
		for _, keep := range []bool{false, true} {
			p := reducedRank(t, data, 2, keep)
			for _, c := range oracle.Trajectories {
				x := slices.Clone(c.X0)
				weights := make([]float64, len(c.M))
				for k, m := range c.M {
					weights[k] = m / floats.Sum(c.M)
				}
				for step, want := range c.Partial {
					block := c.Blocks[want.Block]
					lo, hi := block[0], block[len(block)-1]+1
					g := make([]float64, hi-lo)
					s := algo.Sample{Batch: batch}
					if want.Objective < 0 {
						p.WeightedGradientPartAt(g, weights, lo, hi, x, &s)
					} else {
						p.GradientAt(g, want.Objective, lo, hi, x, &s)
					}
					for i, v := range g {
						x[lo+i] -= c.Alpha * v
					}
					if e := distance(x, want.X); e > 1e-13 {
						t.Fatalf("%s, step %d: off by %g", c.Name, step, e)
					}
				}
			}
		}
	}
}

// multiply returns the product U V for the variables x.
func multiply(p *problem.ReducedRank, x []float64) []float64 {
	d, q, r := p.Data().Features(), p.Data().Responses(), p.Rank()
	w := make([]float64, d*q)
	for a := range d {
		for b := range r {
			for k := range q {
				w[a*q+k] += x[a*r+b] * x[d*r+b*q+k]
			}
		}
	}
	return w
}

func TestReducedRankMinimumOracle(t *testing.T) {
	oracle, data := readReducedRank(t)
	p := reducedRank(t, data, 2, false)
	for _, c := range oracle.Form {
		x, err := p.Minimum(c.M)
		if err != nil {
			t.Fatal(err)
		}
		f := make([]float64, 3)
		p.Values(f, x)
		var sum, total float64
		for k, m := range c.M {
			sum, total = sum+m*f[k], total+m
		}
		if e := distance(multiply(p, x), slices.Concat(c.W...)); e > 1e-13 {
			t.Errorf("weights %v: U V is off by %g", c.M, e)
		}
		if e := distance(f, c.Losses); e > 1e-14 || math.Abs(sum/total-c.Fm) > 1e-14 {
			t.Errorf("weights %v: values %v, sum %v; want %v and %v", c.M, f, sum/total, c.Losses, c.Fm)
		}
		if e := distance(p.LowerBounds(), c.Unrestricted); e > 1e-14 {
			t.Errorf("minima of single responses %v, want %v", p.LowerBounds(), c.Unrestricted)
		}
	}
}

// TestReducedRankMinimumByFit compares the minimiser with one computed by gonum from the singular values of the fit
// to all examples.
func TestReducedRankMinimumByFit(t *testing.T) {
	const n, d, q = 80, 35, 4
	data := regression(t, n, d, q, 4, 0.5)
	inputs, targets := mat.NewDense(n, d, nil), mat.NewDense(n, q, nil)
	for i := range n {
		x, y := data.Example(i)
		inputs.SetRow(i, x)
		targets.SetRow(i, y)
	}
	for rank := 1; rank <= q; rank++ {
		p := reducedRank(t, data, rank, false)
		for _, lambda := range [][]float64{{1, 1, 1, 1}, {1, 2, 3, 40}, {1e-6, 1, 1e6, 1}} {
			x, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			root := mat.NewDiagDense(q, nil)
			inverse := mat.NewDiagDense(q, nil)
			for k, l := range lambda {
				root.SetDiag(k, math.Sqrt(l))
				inverse.SetDiag(k, 1/math.Sqrt(l))
			}
			var c, fit, weighted, right, want mat.Dense
			if err := c.Solve(inputs, targets); err != nil {
				t.Fatal(err)
			}
			fit.Mul(inputs, &c)
			weighted.Mul(&fit, root)
			var svd mat.SVD
			if !svd.Factorize(&weighted, mat.SVDThin) {
				t.Fatal("no singular values")
			}
			svd.VTo(&right)
			leading := right.Slice(0, q, 0, rank)
			want.Product(&c, root, leading, leading.T(), inverse)
			size := mat.Norm(&want, 2)
			if e := distance(multiply(p, x), want.RawMatrix().Data); e > 1e-9*size {
				t.Errorf("rank %d, weights %v: off by %g of %g", rank, lambda, e, size)
			}
		}
	}
}

// TestReducedRankMinimum checks minimisers: the gradient must be 0, each column of U must be as long as the
// corresponding row of V, and no random point nearby may have a smaller weighted sum. Only the ratios of weights may
// matter. If r = q, all positive weights must have the same minima. If r < q, the minima must depend on the weights.
func TestReducedRankMinimum(t *testing.T) {
	for name, p := range reducedRanks(t) {
		n, m := p.Dims()
		d, q, r := p.Data().Features(), p.Data().Responses(), p.Rank()
		lambda := make([]float64, m)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 10 {
			for k := range lambda {
				lambda[k] = rng.Float64() + 1e-3
			}
			if m > 1 {
				lambda[rng.IntN(m)] *= float64(rng.IntN(2))
			}
			x, err := p.Minimum(lambda)
			if d > problem.RegressionSolvable {
				if err == nil || p.LowerBounds() != nil {
					t.Errorf("%s: there is a minimiser, and minima are %v", name, p.LowerBounds())
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			f, g := make([]float64, m), make([]float64, n)
			value := func(x []float64) (sum float64) {
				p.Values(f, x)
				for k, l := range lambda {
					sum += l * f[k]
				}
				return sum
			}
			least := value(x)
			p.WeightedGradientAt(g, lambda, x, &algo.Sample{})
			if e := distance(g, make([]float64, n)); e > 1e-11*value(make([]float64, n)) {
				t.Errorf("%s, weights %v: at the minimiser the gradient is %g", name, lambda, e)
			}
			for b := range r {
				var u, v float64
				for a := range d {
					u = math.Hypot(u, x[a*r+b])
				}
				for k := range q {
					v = math.Hypot(v, x[d*r+b*q+k])
				}
				if math.Abs(u-v) > 1e-13*u {
					t.Errorf("%s: column %d of U has length %v, row of V %v", name, b, u, v)
				}
			}
			y := make([]float64, n)
			for range 30 {
				size := math.Pow(10, -4*rng.Float64())
				for i := range y {
					y[i] = x[i] + size*rng.NormFloat64()
				}
				if v := value(y); v < least*(1-1e-12)-1e-14 {
					t.Errorf("%s, weights %v: %v near the minimum %v", name, lambda, v, least)
				}
			}
			for k := range lambda {
				lambda[k] *= 0x1p-900
			}
			again, err := p.Minimum(lambda)
			if err != nil || distance(multiply(p, x), multiply(p, again)) > 1e-12*(1+distance(multiply(p, x), make([]float64, d*q))) {
				t.Errorf("%s: with tiny weights the minimiser is %v, not %v; %v", name, again, x, err)
			}
		}
	}
	apart := func(rank int) float64 {
		p := reducedRank(t, regression(t, 60, 8, 3, 3, 0.5), rank, false)
		f, g := make([]float64, 3), make([]float64, 3)
		for _, w := range []struct{ f, lambda []float64 }{{f, []float64{1, 1, 1}}, {g, []float64{10, 1, 1}}} {
			x, err := p.Minimum(w.lambda)
			if err != nil {
				t.Fatal(err)
			}
			p.Values(w.f, x)
		}
		return distance(f, g)
	}
	if e := apart(3); e > 1e-12 {
		t.Errorf("where r = q two weightings have minima %g apart", e)
	}
	for rank := 1; rank < 3; rank++ {
		if e := apart(rank); e < 0.05 {
			t.Errorf("for r = %d two weightings have minima %g apart", rank, e)
		}
	}
}

// TestReducedRankDescends checks that gradient descent from a random start reaches the minimum.
func TestReducedRankDescends(t *testing.T) {
	p := reducedRank(t, regression(t, 60, 8, 4, 3, 0.5), 2, false)
	n, _ := p.Dims()
	lambda := []float64{0.1, 0.2, 0.3, 0.4}
	x, g := p.Start(7, 0), make([]float64, n)
	for range 20_000 {
		p.WeightedGradientAt(g, lambda, x, &algo.Sample{})
		for i, v := range g {
			x[i] -= 0.01 * v
		}
	}
	best, err := p.Minimum(lambda)
	if err != nil {
		t.Fatal(err)
	}
	if e := distance(multiply(p, x), multiply(p, best)); e > 1e-9 {
		t.Errorf("descent ends %g from the minimiser", e)
	}
}

// TestReducedRankScales checks that the complete objective is the mean over all examples, in any units of features
// and responses.
func TestReducedRankScales(t *testing.T) {
	data := regression(t, 40, 5, 3, 2, 0.5)
	n := data.Examples()
	everything := make([]int, n)
	for i := range everything {
		everything[i] = i
	}
	p := reducedRank(t, data, 2, false)
	variables, m := p.Dims()
	x, f := p.Start(1, 0), make([]float64, m)
	p.Values(f, x)
	best, err := p.Minimum([]float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	least := make([]float64, m)
	p.Values(least, best)
	for _, unit := range []float64{1e-60, 1e-8, 1, 1e8, 1e60} {
		for _, feature := range []float64{1e-8, 1, 1e8} {
			inputs, targets := make([][]float64, n), make([][]float64, n)
			for i := range n {
				a, b := data.Example(i)
				a, b = slices.Clone(a), slices.Clone(b)
				a[1] *= feature
				for k := range b {
					b[k] *= unit
				}
				inputs[i], targets[i] = a, b
			}
			q := reducedRank(t, newRegression(t, inputs, targets), 2, false)
			y := slices.Clone(x)
			for i := range y {
				y[i] *= math.Sqrt(unit)
			}
			y[2], y[3] = y[2]/feature, y[3]/feature
			g, whole, mean := make([]float64, m), algo.NewJacobian(m, variables), algo.NewJacobian(m, variables)
			q.Values(g, y)
			q.Jacobian(whole, y)
			q.JacobianAt(mean, y, &algo.Sample{Batch: everything})
			for k := range g {
				if e := math.Abs(g[k]/unit/unit/f[k] - 1); e > 1e-12 {
					t.Errorf("units %g and %g: value %d is off by %g", unit, feature, k, e)
				}
				for i, v := range mean.Row(k) {
					if e := math.Abs(whole.Row(k)[i] - v); e > 1e-11*math.Abs(v) {
						t.Errorf("units %g and %g: gradient %d at %d is %v, over all examples %v", unit, feature, k, i, whole.Row(k)[i], v)
					}
				}
			}
			best, err := q.Minimum([]float64{1, 1, 1})
			if err != nil {
				t.Fatal(err)
			}
			q.Values(g, best)
			for k := range g {
				if e := math.Abs(g[k]/unit/unit/least[k] - 1); e > 1e-12 {
					t.Errorf("units %g and %g: minimum %d is off by %g", unit, feature, k, e)
				}
			}
		}
	}
}

// TestReducedRankDegenerate checks features that are always 0 or equal, responses that are always 0, and numbers
// whose squares underflow. Values, gradients and minimisers must be finite, and the complete objective must be the
// mean over the examples.
func TestReducedRankDegenerate(t *testing.T) {
	for name, data := range map[string]*problem.Regression{
		"no feature":          newRegression(t, [][]float64{{0, 0}, {0, 0}}, [][]float64{{1, 2}, {3, 4}}),
		"no response":         newRegression(t, [][]float64{{1, 2}, {3, 4}}, [][]float64{{0, 0}, {0, 0}}),
		"one response of two": newRegression(t, [][]float64{{1, 2}, {3, 4}, {5, 7}}, [][]float64{{0, 1}, {0, 2}, {0, -1}}),
		"equal responses":     newRegression(t, [][]float64{{1, 2}, {3, 4}, {5, 7}}, [][]float64{{1, 1}, {2, 2}, {-1, -1}}),
		"equal features":      newRegression(t, [][]float64{{1, 1}, {3, 3}, {5, 5}}, [][]float64{{1, 0}, {2, 2}, {-1, -1}}),
		"tiny":                newRegression(t, [][]float64{{1e-165, 1}, {1e-165, 0}}, [][]float64{{1, 0}, {3, 1e-170}}),
		"huge":                newRegression(t, [][]float64{{1e75, 1}, {-1e75, 0}}, [][]float64{{1e75, 0}, {3, 1}}),
	} {
		for rank := 1; rank <= 2; rank++ {
			p := reducedRank(t, data, rank, false)
			n, m := p.Dims()
			all := make([]int, data.Examples())
			for i := range all {
				all[i] = i
			}
			for _, lambda := range [][]float64{{1, 1}, {0, 1}, {1, 0}} {
				best, err := p.Minimum(lambda)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range [][]float64{best, p.Start(1, 0), make([]float64, n)} {
					f, g := make([]float64, m), make([]float64, m)
					whole, mean := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
					p.Values(f, x)
					p.ValuesAt(g, x, &algo.Sample{Batch: all})
					p.Jacobian(whole, x)
					p.JacobianAt(mean, x, &algo.Sample{Batch: all})
					zero := make([]float64, m)
					p.Values(zero, make([]float64, n))
					if !algo.Finite(x) || !algo.Finite(f) || !algo.Finite(whole.Data) || !algo.Finite(mean.Data) {
						t.Fatalf("%s, rank %d: at %v values %v, gradients %v", name, rank, x, f, whole.Data)
					}
					for k := range f {
						if math.Abs(f[k]-g[k]) > 1e-13*(g[k]+zero[k]) {
							t.Errorf("%s, rank %d: value %v, over the examples %v", name, rank, f[k], g[k])
						}
					}
				}
			}
		}
	}
}

// TestReducedRankWork compares the numbers of multiplications, as shares of those for the whole weighted gradient, with
// independent counts for the full-size problem.
func TestReducedRankWork(t *testing.T) {
	const batch, d, q, r = 512, 400, 5, 3
	data := regression(t, 2, d, q, r, 0)
	p, kept := reducedRank(t, data, r, false), reducedRank(t, data, r, true)
	const u, all = d * r, (d + q) * r
	whole := float64(p.WeightedWork(batch, 0, all, false))
	if want := 2*batch*d*r + 3*batch*r*q; whole != float64(want) {
		t.Errorf("the whole weighted gradient takes %v, want %d", whole, want)
	}
	for _, c := range []struct {
		name string
		work int
		want float64
	}{
		{"U", p.Work(batch, 1, 0, u, false), .329},
		{"V", p.Work(batch, 1, u, all, false), .329},
		{"V through X U", kept.Work(batch, 1, u, all, false), .493},
		{"V with X U", kept.Work(batch, 1, u, all, true), .0025},
		{"U and V", p.Work(batch, 1, 0, all, false), .330},
		{"half of U", p.Work(batch, 1, 0, u/2, false), .247},
		{"V but column 1", p.Work(batch, 1, u+2, u+6, false), 0},
		{"a row of V", p.Work(batch, 1, u+q, u+2*q, false), .328},
		{"U, all objectives", p.WeightedWork(batch, 0, u, false), .994},
		{"V, all objectives", p.WeightedWork(batch, u, all, false), .503},
		{"V, all objectives, with X U", kept.WeightedWork(batch, u, all, true), .0123},
		{"U and V, all objectives, kept", kept.WeightedWork(batch, 0, all, true), 1},
	} {
		if share := float64(c.work) / whole; math.Abs(share-c.want) > 0.0006*math.Max(1, c.want) || c.want == 0 && share != 0 {
			t.Errorf("%s takes %.5f of the whole, want %v", c.name, share, c.want)
		}
	}
}

// TestReducedRankKeepsProduct checks that with KeepProduct, gradients with respect to V change only by rounding errors,
// after any sequence of points and batches. They must be bit for bit the same whether a product was available or not.
func TestReducedRankKeepsProduct(t *testing.T) {
	const batch, n, d, q, r = 8, 50, 37, 4, 2
	data := regression(t, n, d, q, 3, 0.5)
	plain, kept := reducedRank(t, data, r, false), reducedRank(t, data, r, true)
	rng := rand.New(rand.NewPCG(5, 6))
	x := plain.Start(2, 0)
	samples := []algo.Sample{{Batch: rng.Perm(n)[:batch]}, {Batch: rng.Perm(n)[:batch+3]}, {Batch: []int{4}}, {}}
	a, b, c := make([]float64, r*q), make([]float64, r*q), make([]float64, r*q)
	w := []float64{1, -2, 3, 0.5}
	for step := range 400 {
		s, k := &samples[rng.IntN(len(samples))], rng.IntN(q)
		lo := d * r
		gradient := func(p *problem.ReducedRank, dst []float64) { p.GradientAt(dst, k, lo, lo+r*q, x, s) }
		if step%3 == 0 {
			gradient = func(p *problem.ReducedRank, dst []float64) { p.WeightedGradientPartAt(dst, w, lo, lo+r*q, x, s) }
		}
		gradient(plain, a)
		gradient(kept, b)
		gradient(reducedRank(t, data, r, true), c)
		if e := distance(a, b); e > 1e-12 {
			t.Fatalf("step %d: off by %g", step, e)
		}
		if !slices.Equal(b, c) {
			t.Fatalf("step %d: %v, and %v in a new problem", step, b, c)
		}
		switch rng.IntN(3) {
		case 0:
			x[rng.IntN(d*r)] += 0.1
		case 1:
			x[d*r+rng.IntN(r*q)] += 0.1
		}
	}
}

// TestRandomRegression checks that random data has the documented moments, within five standard errors. A changed
// setting must not affect the other parts of the data.
func TestRandomRegression(t *testing.T) {
	c := problem.RegressionConfig{Train: 6000, Test: 500, Features: 5, Responses: 3, TrueRank: 2, Noise: 0.3, Seed: 9}
	draw := func(c problem.RegressionConfig) (train, test *problem.Regression) {
		train, test, err := problem.RandomRegression(c)
		if err != nil {
			t.Fatal(err)
		}
		return train, test
	}
	train, test := draw(c)
	u, v := train.Truth()
	if len(u) != 10 || len(v) != 6 {
		t.Fatalf("U* has %d entries, V* %d", len(u), len(v))
	}
	var first, second, noise float64
	for i := range c.Train {
		x, y := train.Example(i)
		for _, a := range x {
			first, second = first+a, second+a*a
		}
		for k, e := range y {
			for a, xa := range x {
				for b := range 2 {
					e -= xa * u[a*2+b] * v[b*3+k]
				}
			}
			noise += e * e
		}
	}
	numbers := float64(c.Train * c.Features)
	if e := math.Abs(first / numbers); e > 5/math.Sqrt(numbers) {
		t.Errorf("the mean of features is %v", first/numbers)
	}
	if e := math.Abs(second/numbers - 1); e > 5*math.Sqrt(2/numbers) {
		t.Errorf("the variance of features is %v", second/numbers)
	}
	errors := float64(c.Train * c.Responses)
	if e := math.Abs(noise/errors/0.09 - 1); e > 5*math.Sqrt(2/errors) {
		t.Errorf("the variance of responses about the truth is %v", noise/errors)
	}
	var square float64
	const starts = 400
	p := reducedRank(t, test, 3, false)
	n, _ := p.Dims()
	for i := range starts {
		for _, a := range p.Start(1, i) {
			square += a * a
		}
	}
	if e := math.Abs(square/float64(n*starts)/0.01 - 1); e > 5*math.Sqrt(2/float64(n*starts)) {
		t.Errorf("the variance of starts is %v", square/float64(n*starts))
	}

	less := c
	less.Train, less.Test, less.Noise = 100, 50, 0.6
	few, fewer := draw(less)
	for _, pair := range [][2]*problem.Regression{{train, few}, {test, fewer}} {
		for i := range pair[1].Examples() {
			a, y := pair[0].Example(i)
			b, z := pair[1].Example(i)
			if !slices.Equal(a, b) {
				t.Fatalf("example %d is another among fewer", i)
			}
			for k := range y {
				var exact float64
				for f, xf := range a {
					for b := range 2 {
						exact += xf * u[f*2+b] * v[b*3+k]
					}
				}
				if e := math.Abs((z[k] - exact) - 2*(y[k]-exact)); e > 1e-13 {
					t.Fatalf("noise of example %d is another where there is twice as much", i)
				}
			}
		}
	}
	if a, _ := train.Example(0); slices.Equal(a, func() []float64 { b, _ := test.Example(0); return b }()) {
		t.Error("the examples for tests are those to learn from")
	}
}

// TestUnitResponses checks that unit responses are the original responses divided by their root mean square over the
// training examples. Without noise they must still equal x·U*V*.
func TestUnitResponses(t *testing.T) {
	c := problem.RegressionConfig{Train: 300, Test: 200, Features: 6, Responses: 3, TrueRank: 2, Noise: 0.1, Seed: 9}
	train, test, err := problem.RandomRegression(c)
	if err != nil {
		t.Fatal(err)
	}
	c.UnitResponses = true
	unit, others, err := problem.RandomRegression(c)
	if err != nil {
		t.Fatal(err)
	}
	_, v := train.Truth()
	u, w := unit.Truth()
	for k := range 3 {
		var square, largest float64
		size := v[k] / w[k]
		for i := range c.Train {
			_, y := unit.Example(i)
			square += y[k] * y[k] / float64(c.Train)
		}
		if math.Abs(square-1) > 1e-13 {
			t.Errorf("response %d has mean square %v", k, square)
		}
		for i := range c.Test {
			x, y := others.Example(i)
			z, raw := test.Example(i)
			if !slices.Equal(x, z) || math.Abs(size*y[k]-raw[k]) > 1e-12 {
				t.Fatalf("example %d is not the original divided by %v", i, size)
			}
			e := y[k]
			for a, xa := range x {
				for b := range 2 {
					e -= xa * u[a*2+b] * w[b*3+k]
				}
			}
			largest = max(largest, math.Abs(e))
		}
		if largest > 5*c.Noise/size {
			t.Errorf("response %d is up to %v off the truth, of noise %v", k, largest, c.Noise/size)
		}
	}
}

func TestReducedRankRefuses(t *testing.T) {
	drawn := func(change func(*problem.RegressionConfig)) func() error {
		return func() error {
			c := problem.RegressionConfig{Train: 3, Test: 3, Features: 4, Responses: 2, TrueRank: 1}
			change(&c)
			_, _, err := problem.RandomRegression(c)
			return err
		}
	}
	given := func(d, q int, x, y []float64) func() error {
		return func() error { _, err := problem.NewRegression(d, q, x, y); return err }
	}
	posed := func(rank int) func() error {
		return func() error {
			_, err := problem.NewReducedRank(regression(t, 3, 4, 2, 1, 0), problem.ReducedRankConfig{Rank: rank})
			return err
		}
	}
	minimum := func(p *problem.ReducedRank, lambda ...float64) func() error {
		return func() error { _, err := p.Minimum(lambda); return err }
	}
	small := reducedRank(t, regression(t, 3, 4, 2, 1, 0), 1, false)
	large := reducedRank(t, regression(t, 1, problem.RegressionSolvable+1, 2, 1, 0), 1, false)
	for _, c := range []struct {
		name string
		make func() error
	}{
		{"train", drawn(func(c *problem.RegressionConfig) { c.Train = 0 })},
		{"test", drawn(func(c *problem.RegressionConfig) { c.Test = -1 })},
		{"features", drawn(func(c *problem.RegressionConfig) { c.Features = 0 })},
		{"responses", drawn(func(c *problem.RegressionConfig) { c.Responses = 0 })},
		{"true rank", drawn(func(c *problem.RegressionConfig) { c.TrueRank = 0 })},
		{"true rank", drawn(func(c *problem.RegressionConfig) { c.TrueRank = 3 })},
		{"noise", drawn(func(c *problem.RegressionConfig) { c.Noise = math.NaN() })},
		{"noise", drawn(func(c *problem.RegressionConfig) { c.Noise = -1 })},
		{"examples × (features + responses)", drawn(func(c *problem.RegressionConfig) { c.Train, c.Features = 1<<40, 1<<40 })},
		{"features", given(0, 1, []float64{1}, []float64{1})},
		{"responses", given(1, 0, []float64{1}, nil)},
		{"examples", given(1, 1, nil, nil)},
		{"x[1][0]", given(1, 1, []float64{1, math.NaN()}, []float64{1, 2})},
		{"y[0][1]", given(1, 2, []float64{1}, []float64{1, 1e76})},
		{"rank", posed(0)},
		{"rank", posed(3)},
		{"weight 1", minimum(small, 1, -1)},
		{"weights", minimum(small, 0, 0)},
		{"features", minimum(large, 1, 1)},
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
		"an empty batch":   func() { small.ValuesAt(make([]float64, 2), make([]float64, 6), &algo.Sample{Batch: []int{}}) },
		"one weight":       func() { minimum(small, 1)() },
		"half an example":  func() { given(2, 1, []float64{1, 2, 3}, []float64{1})() },
		"a response short": func() { given(1, 2, []float64{1, 2}, []float64{1, 2, 3})() },
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

// TestReducedRankBits checks that random data and results are the same on every machine, to the last bit.
func TestReducedRankBits(t *testing.T) {
	const want = 0xc373d09f9249888b
	h := fnv.New64a()
	add := func(v []float64) {
		for _, x := range v {
			h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	problems := reducedRanks(t)
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		p := problems[name]
		n, m := p.Dims()
		x, w := p.Start(4, 2), make([]float64, m)
		for k := range w {
			w[k] = 1 / float64(k+2)
		}
		if p.LowerBounds() != nil {
			best, err := p.Minimum(w)
			if err != nil {
				t.Fatal(err)
			}
			add(best)
			add(p.LowerBounds())
		}
		jac, f, g := algo.NewJacobian(m, n), make([]float64, m), make([]float64, n)
		for _, batch := range [][]int{nil, {0}, {p.Examples() - 1, 0, p.Examples() / 2}} {
			s := algo.Sample{Batch: batch}
			p.ValuesAt(f, x, &s)
			p.JacobianAt(jac, x, &s)
			p.WeightedGradientAt(g, w, x, &s)
			add(f)
			add(jac.Data)
			add(g)
		}
	}
	if got := h.Sum64(); got != want {
		t.Errorf("the hash of the results is %#x, not %#x", got, uint64(want))
	}
}

// BenchmarkReducedRank measures gradients at full size. It reports the time per multiplication, as counted by Work and
// WeightedWork.
func BenchmarkReducedRank(b *testing.B) {
	const batch, n, d, q, r = 512, 1 << 12, 400, 5, 3
	data := regression(b, n, d, q, r, 0.05)
	rng := rand.New(rand.NewPCG(7, 8))
	order := rng.Perm(n)
	w := []float64{.2, .2, .2, .2, .2}
	const u, all = d * r, (d + q) * r
	for _, c := range []struct {
		name   string
		lo, hi int
		share  bool // whether all gradients share the batch, and thus X U
	}{{"U", 0, u, false}, {"V", u, all, false}, {"V,shared", u, all, true}, {"UV", 0, all, false}} {
		p := reducedRank(b, data, r, c.share)
		x, g := p.Start(1, 0), make([]float64, c.hi-c.lo)
		var s algo.Sample
		next := func(i int) *algo.Sample {
			if c.share {
				i = 0
			}
			from := i * batch % n
			s.Batch = order[from : from+batch]
			return &s
		}
		b.Run("objective/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				p.GradientAt(g, i%q, c.lo, c.hi, x, next(i))
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/float64(p.Work(batch, 0, c.lo, c.hi, true)), "ns/ma")
		})
		b.Run("weighted/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				p.WeightedGradientPartAt(g, w, c.lo, c.hi, x, next(i))
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/float64(p.WeightedWork(batch, c.lo, c.hi, true)), "ns/ma")
		})
	}
	p := reducedRank(b, data, r, false)
	x, f := p.Start(1, 0), make([]float64, q)
	b.Run("values", func(b *testing.B) {
		for b.Loop() {
			p.Values(f, x)
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			regression(b, n, d, q, r, 0.05)
		}
	})
}

func ExampleReducedRank() {
	train, test, err := problem.RandomRegression(problem.RegressionConfig{
		Train: 200, Test: 50, Features: 6, Responses: 3, TrueRank: 3, Noise: 0.05, Seed: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for rank := 1; rank <= 3; rank++ {
		p, err := problem.NewReducedRank(train, problem.ReducedRankConfig{Rank: rank})
		if err != nil {
			fmt.Println(err)
			return
		}
		x, err := p.Minimum([]float64{1, 1, 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		unseen, err := problem.NewReducedRank(test, problem.ReducedRankConfig{Rank: rank})
		if err != nil {
			fmt.Println(err)
			return
		}
		f := make([]float64, 3)
		unseen.Values(f, x)
		fmt.Printf("rank %d: errors %.3f\n", rank, f)
	}
	// Output:
	// rank 1: errors [0.458 1.847 14.762]
	// rank 2: errors [0.002 2.032 0.007]
	// rank 3: errors [0.002 0.003 0.002]
}
