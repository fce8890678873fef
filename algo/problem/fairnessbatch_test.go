package problem_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newBatches(t testing.TB, p *problem.Fairness, size int) *problem.FairnessBatches {
	t.Helper()
	b, err := problem.NewFairnessBatches(p, size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sample(iteration int) *algo.Sample {
	return &algo.Sample{Noise: algo.Stream(3, 0, iteration, algo.Noise)}
}

func TestFairnessBatchesConformance(t *testing.T) {
	algotest.Problem(t, newBatches(t, newFairness(t, zafar(1)), 10), []float64{0.3, -0.2})
}

// TestFairnessBatchGradients compares the gradients of a batch with differences of its values. All methods must give
// the same gradients for the same sample, and different gradients for another sample.
func TestFairnessBatchGradients(t *testing.T) {
	b := newBatches(t, newFairness(t, zafar(2)), 7)
	theta, f := []float64{0.4, -0.3}, make([]float64, 2)
	jac, other := algo.NewJacobian(2, 2), algo.NewJacobian(2, 2)
	b.JacobianAt(jac, theta, sample(1))
	b.JacobianAt(other, theta, sample(2))
	for i := range 2 {
		value := func(x []float64) float64 {
			b.ValuesAt(f, x, sample(1))
			return f[i]
		}
		for k, want := range fd.Gradient(nil, value, theta, &fd.Settings{Formula: fd.Central}) {
			if got := jac.Row(i)[k]; math.Abs(got-want) > 1e-6*(1+math.Abs(want)) || got == other.Row(i)[k] {
				t.Errorf("f%d: entry %d of the gradient is %v and %v with another batch, differences give %v", i+1, k, got, other.Row(i)[k], want)
			}
			var one [1]float64
			if b.GradientAt(one[:], i, k, k+1, theta, sample(1)); one[0] != jac.Row(i)[k] {
				t.Errorf("f%d: entry %d alone is %v", i+1, k, one[0])
			}
		}
	}
	sum, want := make([]float64, 2), make([]float64, 2)
	b.WeightedGradientAt(sum, []float64{0.2, 0.8}, theta, sample(1))
	jac.Combine(want, []float64{0.2, 0.8})
	if sum[0] != want[0] || sum[1] != want[1] {
		t.Errorf("weighted %v, want %v", sum, want)
	}
}

// TestFairnessBatchesOnAverage checks that on average f1 equals its value over all points, within five standard
// errors, and that f2 is larger by the variance of a batch's covariance.
func TestFairnessBatchesOnAverage(t *testing.T) {
	p := newFairness(t, zafar(4))
	b := newBatches(t, p, 10)
	const batches = 4000
	theta, whole, f := []float64{0.5, 0.2}, make([]float64, 2), make([]float64, 2)
	p.Values(whole, theta)
	var mean, square [2]float64
	for i := range batches {
		b.ValuesAt(f, theta, sample(i))
		for k, v := range f {
			mean[k] += v / batches
			square[k] += v * v / batches
		}
	}
	if d := math.Sqrt((square[0] - mean[0]*mean[0]) / batches); math.Abs(mean[0]-whole[0]) > 5*d {
		t.Errorf("f1 is %v on average, %v on all points", mean[0], whole[0])
	}
	if d := math.Sqrt((square[1] - mean[1]*mean[1]) / batches); mean[1] < 1.05*whole[1]+5*d {
		t.Errorf("f2 is %v ± %v on average, %v on all points", mean[1], d, whole[1])
	}
}

func TestFairnessBatchesRefuse(t *testing.T) {
	var refused *algo.RangeError
	if _, err := problem.NewFairnessBatches(newFairness(t, zafar(1)), 0); !errors.As(err, &refused) || refused.Name != "batch" {
		t.Errorf("%v", err)
	}
}
