package algotest_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// parts is bowls with partial gradients.
type parts struct {
	*bowls
	jacobian *algo.Jacobian
}

func newParts(broken string) parts { return parts{newBowls(broken), algo.NewJacobian(2, 3)} }

func (p parts) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	jac := p.jacobian
	if p.broken == "noise of the part" {
		p.Jacobian(jac, x)
		p.state = s.Noise
		for c := range 3 {
			jac.Row(i)[c] += p.normal.NormFloat64()
		}
	} else {
		p.JacobianAt(jac, x, s)
	}
	copy(dst, jac.Row(i)[lo:hi])
	switch p.broken {
	case "part of another objective":
		copy(dst, jac.Row(0)[lo:hi])
	case "last coordinate missing":
		if hi > lo+1 {
			dst[hi-lo-1] = math.NaN()
		}
	case "part from the start":
		copy(dst, jac.Row(i)[:hi-lo])
	case "part modifies x":
		x[0]++
	case "part allocates":
		sink = make([]float64, 3)
	case "part draws":
		s.Noise.Uint64()
	}
}

func TestPartialPasses(t *testing.T) {
	mustPass(t, func(r *recorder) { algotest.Problem(r, newParts(""), []float64{1, 2, 3}) })
}

func TestPartialFails(t *testing.T) {
	for broken, want := range map[string]string{
		"noise of the part":         "JacobianAt on the same sample has",
		"part of another objective": "GradientAt",
		"last coordinate missing":   "JacobianAt on the same sample has",
		"part from the start":       "JacobianAt on the same sample has",
		"part modifies x":           "x was modified by GradientAt",
		"part allocates":            "GradientAt allocates",
		"part draws":                "the Sample was modified by GradientAt",
	} {
		mustFail(t, broken, want, func(r *recorder) { algotest.Problem(r, newParts(broken), []float64{1, 2, 3}) })
	}
}

// sums has the objectives f_i = mean of ½(x − c − i)² over the examples c = 0..4.
type sums struct{ broken string }

func (s *sums) Dims() (n, m int) { return 1, 2 }

func (s *sums) Examples() int {
	if s.broken == "no examples" {
		return 0
	}
	return 5
}

func (s *sums) mean(batch []int, f func(c float64) float64) float64 {
	count, sum := 0, 0.0
	for j := range 5 {
		if batch == nil {
			sum += f(float64(j))
			count++
		}
	}
	for _, j := range batch {
		sum += f(float64(j))
		count++
	}
	if s.broken == "sum over the batch" && batch != nil {
		return sum / 5
	}
	return sum / float64(count)
}

func (s *sums) value(i int, x float64, batch []int) float64 {
	if s.broken == "values of the first" && batch != nil {
		batch = []int{0}
	}
	return s.mean(batch, func(c float64) float64 { return (x - c - float64(i)) * (x - c - float64(i)) / 2 })
}

func (s *sums) slope(i int, x float64, batch []int) float64 {
	if s.broken == "first example twice" && batch != nil {
		batch = append([]int{batch[0]}, batch...)
	}
	if s.broken == "batch sorted" && len(batch) > 1 {
		batch[0], batch[1] = min(batch[0], batch[1]), max(batch[0], batch[1])
	}
	return s.mean(batch, func(c float64) float64 { return x - c - float64(i) })
}

func (s *sums) Values(f, x []float64) { s.ValuesAt(f, x, &algo.Sample{}) }

func (s *sums) Jacobian(jac *algo.Jacobian, x []float64) { s.JacobianAt(jac, x, &algo.Sample{}) }

func (s *sums) ValuesAt(f, x []float64, sample *algo.Sample) {
	f[0], f[1] = s.value(0, x[0], sample.Batch), s.value(1, x[0], sample.Batch)
}

func (s *sums) JacobianAt(jac *algo.Jacobian, x []float64, sample *algo.Sample) {
	jac.Data[0], jac.Data[1] = s.slope(0, x[0], sample.Batch), s.slope(1, x[0], sample.Batch)
}

func (s *sums) WeightedGradientAt(dst, w, x []float64, sample *algo.Sample) {
	batch := sample.Batch
	if s.broken == "weighted gradient of the whole" {
		batch = nil
	}
	dst[0] = w[0]*s.slope(0, x[0], batch) + w[1]*s.slope(1, x[0], batch)
}

func (s *sums) GradientAt(dst []float64, i, lo, hi int, x []float64, sample *algo.Sample) {
	batch := sample.Batch
	if s.broken == "part of the whole" {
		batch = nil
	}
	dst[0] = s.slope(i, x[0], batch)
}

func TestFiniteSumPasses(t *testing.T) {
	mustPass(t, func(r *recorder) { algotest.Problem(r, &sums{}, []float64{2}) })
}

func TestFiniteSumFails(t *testing.T) {
	for broken, want := range map[string]string{
		"no examples":                    "there must be at least one",
		"sum over the batch":             "the mean over 5 batches",
		"values of the first":            "of the value is",
		"first example twice":            "of the gradient is",
		"batch sorted":                   "the batch was modified",
		"weighted gradient of the whole": "WeightedGradientAt",
		"part of the whole":              "GradientAt",
	} {
		mustFail(t, broken, want, func(r *recorder) { algotest.Problem(r, &sums{broken: broken}) })
	}
}

// crate is a problem with the objective x on a box.
type crate struct{ lo, hi []float64 }

func (crate) Dims() (n, m int)                       { return 2, 1 }
func (crate) Values(f, x []float64)                  { f[0] = math.Log(x[0]) + x[1] }
func (crate) Jacobian(j *algo.Jacobian, x []float64) { j.Data[0], j.Data[1] = 1/x[0], 1 }
func (c crate) Bounds() (lo, hi []float64)           { return c.lo, c.hi }

func TestBounded(t *testing.T) {
	inf := math.Inf(1)
	mustPass(t, func(r *recorder) { algotest.Problem(r, crate{[]float64{0.5, -inf}, []float64{2, inf}}) })
	for _, c := range []struct {
		lo, hi []float64
		want   string
	}{
		{[]float64{0, 0}, []float64{1, 1}, "which is in the box, are not finite"},
		{[]float64{1}, []float64{2, 2}, "have lengths 1 and 2"},
		{[]float64{2, 0}, []float64{1, 1}, "x[0] is bounded by 2 and 1"},
		{[]float64{1, math.NaN()}, []float64{2, 1}, "x[1] is bounded by NaN"},
		{[]float64{1, inf}, []float64{2, inf}, "x[1] is bounded by +Inf"},
	} {
		mustFail(t, c.want, c.want, func(r *recorder) { algotest.Problem(r, crate{c.lo, c.hi}) })
	}
}
