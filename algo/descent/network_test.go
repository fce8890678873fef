package descent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
)

// network is a problem with one hidden layer and two outputs. The squared error of each output is an objective. The
// variables are the hidden weights, row by row, and then the weights of the outputs.
type network struct {
	inputs [][]float64
	goals  [][2]float64
	hidden []float64
	all    []int
}

const (
	networkInputs, networkHidden = 16, 32
	networkSamples               = 512
)

func newNetwork() *network {
	rng := rand.New(rand.NewPCG(1, 0))
	n := &network{hidden: make([]float64, networkHidden)}
	for i := range networkSamples {
		x := make([]float64, networkInputs)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		n.inputs, n.all = append(n.inputs, x), append(n.all, i)
		n.goals = append(n.goals, [2]float64{math.Sin(x[0] + x[1]), x[0]*x[1] - x[2]})
	}
	return n
}

func (n *network) Dims() (int, int) { return networkHidden * (networkInputs + 2), 2 }
func (n *network) Examples() int    { return len(n.inputs) }

// outputs evaluates the network at one input and stores the hidden layer.
func (n *network) outputs(w, x []float64) (out [2]float64) {
	heads := w[networkHidden*networkInputs:]
	for h := range n.hidden {
		sum := 0.0
		for j, v := range x {
			sum += w[h*networkInputs+j] * v
		}
		n.hidden[h] = math.Tanh(sum)
		out[0] += heads[h] * n.hidden[h]
		out[1] += heads[networkHidden+h] * n.hidden[h]
	}
	return out
}

func (n *network) values(f, w []float64, batch []int) {
	clear(f)
	for _, i := range batch {
		for k, o := range n.outputs(w, n.inputs[i]) {
			f[k] += (o - n.goals[i][k]) * (o - n.goals[i][k]) / float64(len(batch))
		}
	}
}

// gradient adds to dst the gradient of the weighted sum of the objectives, with the weights c.
func (n *network) gradient(dst, w []float64, batch []int, c [2]float64) {
	heads, gradient := w[networkHidden*networkInputs:], dst[networkHidden*networkInputs:]
	for _, i := range batch {
		out := n.outputs(w, n.inputs[i])
		for k := range out {
			out[k] = 2 * c[k] * (out[k] - n.goals[i][k]) / float64(len(batch))
		}
		for h, v := range n.hidden {
			gradient[h] += out[0] * v
			gradient[networkHidden+h] += out[1] * v
			back := (out[0]*heads[h] + out[1]*heads[networkHidden+h]) * (1 - v*v)
			for j, x := range n.inputs[i] {
				dst[h*networkInputs+j] += back * x
			}
		}
	}
}

func (n *network) jacobian(jac *algo.Jacobian, w []float64, batch []int) {
	clear(jac.Data)
	n.gradient(jac.Row(0), w, batch, [2]float64{1, 0})
	n.gradient(jac.Row(1), w, batch, [2]float64{0, 1})
}

func (n *network) batch(s *algo.Sample) []int {
	if s.Batch == nil {
		return n.all
	}
	return s.Batch
}

func (n *network) Values(f, w []float64)                    { n.values(f, w, n.all) }
func (n *network) Jacobian(jac *algo.Jacobian, w []float64) { n.jacobian(jac, w, n.all) }
func (n *network) ValuesAt(f, w []float64, s *algo.Sample)  { n.values(f, w, n.batch(s)) }
func (n *network) JacobianAt(j *algo.Jacobian, w []float64, s *algo.Sample) {
	n.jacobian(j, w, n.batch(s))
}
func (n *network) WeightedGradientAt(dst, c, w []float64, s *algo.Sample) {
	clear(dst)
	n.gradient(dst, w, n.batch(s), [2]float64{c[0], c[1]})
}

// trained returns the outcome of training the network on batches of eight samples, always from the same initial
// weights.
func trained(tb testing.TB, every, steps int) *descent.Outcome {
	tb.Helper()
	n := newNetwork()
	rng := rand.New(rand.NewPCG(2, 0))
	size, _ := n.Dims()
	start := make([]float64, size)
	for i := range start {
		start[i] = 0.2 * rng.NormFloat64()
	}
	r, err := descent.Minimize(n, start, "psmgd", descent.Settings{StepSize: 0.02, Steps: steps, Batch: 8, Period: 10, ValuesEvery: every})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestNetworkTrains checks that training halves both errors, and that the result does not depend on how often the
// losses on all samples are computed.
func TestNetworkTrains(t *testing.T) {
	const steps = 500
	always, seldom := trained(t, 1, steps), trained(t, 100, steps)
	first := trained(t, 1, 1)
	for i, f := range always.F {
		if f != seldom.F[i] {
			t.Errorf("loss %d is %v, with fewer evaluations %v", i, f, seldom.F[i])
		}
		if f > first.F[i]/2 {
			t.Errorf("loss %d went from %v to %v only", i, first.F[i], f)
		}
	}
}

// BenchmarkNetwork trains the network for 6000 steps and computes the losses on all 512 samples after every step, or
// after every hundredth step.
func BenchmarkNetwork(b *testing.B) {
	for name, every := range map[string]int{"every": 1, "hundredth": 100} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				trained(b, every, 6000)
			}
		})
	}
}
