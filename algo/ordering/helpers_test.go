package ordering_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

func newRun(t testing.TB, c ordering.Config) *ordering.Descent {
	t.Helper()
	s, err := ordering.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steps(t testing.TB, s algo.Stepper, count int) {
	t.Helper()
	for range count {
		if status, err := s.Step(); err != nil || status != algo.Running {
			t.Fatalf("K = %d: %v, %v", s.View().K, status, err)
		}
	}
}

func near(got, want []float64, tolerance float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= tolerance) {
			return false
		}
	}
	return true
}

// refused fails the test unless err is a RangeError for the named parameter.
func refused(t *testing.T, err error, name string) {
	t.Helper()
	var e *algo.RangeError
	if !errors.As(err, &e) || e.Name != name || e.Allowed == "" {
		t.Errorf("error %v, as a RangeError %+v, want one that names %q", err, e, name)
	}
}

// kind is a Kind together with the choice between one order per objective and one order for all objectives.
type kind struct {
	ordering.Kind
	own bool
}

func (k kind) String() string {
	if k.own {
		return string(k.Kind) + "-own"
	}
	return string(k.Kind)
}

// orders returns the number of orders in a run with the given number of objectives.
func (k kind) orders(objectives int) int {
	if k.own || k.Kind == ordering.GraBSeparate || k.Kind == ordering.JoGBa {
		return objectives
	}
	return 1
}

// kinds returns all kinds, with shared and separate orders.
func kinds() []kind {
	var all []kind
	for _, k := range allKinds {
		all = append(all, kind{k, false})
		if !k.Balances() {
			all = append(all, kind{k, true})
		}
	}
	return all
}

func balancing() []ordering.Kind {
	return []ordering.Kind{ordering.GraBShared, ordering.GraBSeparate, ordering.JoGBa}
}

// diagonal returns a sum of random diagonal quadratics.
func diagonal(t testing.TB, objectives, examples, variables int) *problem.DiagonalSum {
	t.Helper()
	p, err := problem.RandomDiagonalSum(problem.DiagonalSumConfig{
		Objectives: objectives, Examples: examples, Variables: variables, Condition: 4, Heterogeneity: 0.8, Noise: 1, Seed: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// squares returns a random least-squares problem.
func squares(t testing.TB, c problem.LeastSquaresConfig) *problem.LeastSquares {
	t.Helper()
	p, err := problem.RandomLeastSquares(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// linear is a sum with given gradients: objective m is the mean of g_mk·w over the examples k.
type linear [][][]float64

func (l linear) Dims() (n, m int) { return len(l[0][0]), len(l) }
func (l linear) Examples() int    { return len(l[0]) }

func (l linear) Values(f, x []float64)                  { l.ValuesAt(f, x, &algo.Sample{}) }
func (l linear) Jacobian(j *algo.Jacobian, _ []float64) { l.JacobianAt(j, nil, &algo.Sample{}) }

func (l linear) ValuesAt(f, x []float64, s *algo.Sample) {
	for m := range l {
		f[m] = 0
		for j, v := range x {
			f[m] += l.mean(m, j, s) * v
		}
	}
}

func (l linear) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	for m := range l {
		l.GradientAt(jac.Row(m), m, 0, jac.Cols, x, s)
	}
}

func (l linear) WeightedGradientAt(dst, w, _ []float64, s *algo.Sample) {
	clear(dst)
	for m, v := range w {
		for j := range dst {
			dst[j] += v * l.mean(m, j, s)
		}
	}
}

func (l linear) GradientAt(dst []float64, i, lo, _ int, _ []float64, s *algo.Sample) {
	for j := range dst {
		dst[j] = l.mean(i, lo+j, s)
	}
}

// mean returns the mean of coordinate j over the sampled gradients of objective m.
func (l linear) mean(m, j int, s *algo.Sample) float64 {
	var sum float64
	if s.Batch == nil {
		for _, g := range l[m] {
			sum += g[j]
		}
		return sum / float64(len(l[m]))
	}
	for _, k := range s.Batch {
		sum += l[m][k][j]
	}
	return sum / float64(len(s.Batch))
}

// scaled multiplies the objectives of a problem by a number.
type scaled struct {
	ordering.Problem
	by float64
}

func (p scaled) times(v []float64) {
	for i := range v {
		v[i] *= p.by
	}
}

func (p scaled) Values(f, x []float64) {
	p.Problem.Values(f, x)
	p.times(f)
}

func (p scaled) Jacobian(j *algo.Jacobian, x []float64) {
	p.Problem.Jacobian(j, x)
	p.times(j.Data)
}

func (p scaled) ValuesAt(f, x []float64, s *algo.Sample) {
	p.Problem.ValuesAt(f, x, s)
	p.times(f)
}

func (p scaled) JacobianAt(j *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Problem.JacobianAt(j, x, s)
	p.times(j.Data)
}

func (p scaled) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	p.Problem.WeightedGradientAt(dst, w, x, s)
	p.times(dst)
}

func (p scaled) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	p.Problem.GradientAt(dst, i, lo, hi, x, s)
	p.times(dst)
}

func norm(v []float64) float64 { return distance(v, make([]float64, len(v))) }

func distance(a, b []float64) float64 {
	var sum float64
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return math.Sqrt(sum)
}

// mixture returns a random convex combination of points.
func mixture(source *rand.PCG, points [][]float64) []float64 {
	draw := rand.New(source)
	x, sum := make([]float64, len(points[0])), 0.0
	for _, p := range points {
		share := draw.Float64()
		sum += share
		for j, v := range p {
			x[j] += share * v
		}
	}
	for j := range x {
		x[j] /= sum
	}
	return x
}

var (
	allKinds = []ordering.Kind{ordering.Random, ordering.ShuffleOnce, ordering.FlipFlop, ordering.RandomFlipFlop, ordering.GraBShared,
		ordering.GraBSeparate, ordering.JoGBa}
	signRules = []ordering.SignRule{ordering.Greedy, ordering.SelfBalancing, ordering.InnerProduct, ordering.TwoNorm}
)
