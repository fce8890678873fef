package network

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// digest summarises a gradient computed by autograd: the length of the gradient, its scalar product with the numbers
// of spread, and some of its entries. docs/recorder/network.py writes the digests.
type digest struct {
	Norm, Sum float64
	At        []float64
}

// autogradCase holds a network and a batch of pairs of digits, with the results of PyTorch's autograd in float64.
type autogradCase struct {
	Tasks      int
	Activation string
	Pairs      [][2]uint16
	At         []int // indices of the given entries of gradients for the trunk
	Losses     []float64
	Shared     []digest    // of each task, for the trunk
	Gramian    [][]float64 // lower triangle, for the gradients in Shared
	Own        []digest    // of each task, for its head, with the first and the last entry
	Weighted   digest      // for the trunk, with weights that rise with the task's number
}

// spread returns number i of a sequence from -1 to 1 that Go and Python compute identically, to the last bit.
// docs/recorder/network.py has the same function.
func spread(i int) float64 { return float64(i*(i+7)%1009-504) / 504 }

// autogradRelative is the allowed relative error. It allows for sums of up to 1e5 products in a different order, and
// for rounding to thirteen digits.
const autogradRelative = 1e-10

// TestGradientsAreAutograds compares the losses, the weighted gradient and the gradients of every task, computed in
// three ways, with results of PyTorch. The PyTorch code implements the network and its tasks from their definitions.
func TestGradientsAreAutograds(t *testing.T) {
	data, err := os.ReadFile("testdata/autograd.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct{ Cases []autogradCase }
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	digits := readDigits(t)
	seen := map[int]bool{}
	for _, c := range recorded.Cases {
		seen[c.Tasks] = true
		t.Run(fmt.Sprintf("%d %s, %d pairs", c.Tasks, c.Activation, len(c.Pairs)), func(t *testing.T) { c.compare(t, digits) })
	}
	for _, tasks := range []int{2, 8, 40} {
		if !seen[tasks] {
			t.Errorf("nothing is recorded of %d tasks", tasks)
		}
	}
}

func readDigits(t testing.TB) *Digits {
	t.Helper()
	packed, err := os.Open("pictures/digits.gz") // the package that embeds the file imports this package
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	digits, err := ReadDigits(packed)
	if err != nil {
		t.Fatal(err)
	}
	return digits
}

func (c *autogradCase) compare(t *testing.T, digits *Digits) {
	n, err := New(Config{Digits: digits, Tasks: c.Tasks, Activation: Activation(c.Activation), Train: len(c.Pairs)})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range c.Pairs {
		n.pairs[Training][i] = pair{p[0], p[1]}
	}
	size, objectives := n.Dims()
	if len(c.Losses) != objectives || len(c.Shared) != objectives || len(c.Gramian) != objectives || len(c.Own) != objectives ||
		len(c.At) != 12 {
		t.Fatalf("the record of %d tasks is not whole", c.Tasks)
	}
	x := make([]float64, size)
	for i := range x {
		x[i] = 0.25 * spread(i)
	}
	shared := n.Shared()

	losses := make([]float64, objectives)
	n.Values(losses, x)
	for s, v := range losses {
		near(t, "loss", s, v, c.Losses[s], 0)
	}

	for name, compute := range map[string]func(jac *algo.Jacobian, own, x []float64, s *algo.Sample){
		"at once": n.SharedJacobianAt, "by sweeps": n.JacobianBySweeps,
		"whole": func(jac *algo.Jacobian, own, x []float64, s *algo.Sample) {
			whole := algo.NewJacobian(objectives, size)
			n.JacobianAt(whole, x, s)
			for i, h := range n.heads {
				row, end := whole.Row(i), h.biases+n.tasks[i].outputs
				copy(jac.Row(i), row[:shared])
				copy(own[h.weights-shared:end-shared], row[h.weights:end])
			}
		},
	} {
		jac, own := algo.NewJacobian(objectives, shared), make([]float64, size-shared)
		compute(jac, own, x, &algo.Sample{})
		for s := range objectives {
			row, h := jac.Row(s), n.heads[s]
			c.Shared[s].compare(t, name, s, row, c.At)
			for other, want := range c.Gramian[s] {
				near(t, name+", product of gradients", s, floats.Dot(row, jac.Row(other)), want, c.Shared[s].Norm*c.Shared[other].Norm)
			}
			head := own[h.weights-shared : h.biases+n.tasks[s].outputs-shared]
			c.Own[s].compare(t, name+", own", s, head, []int{0, len(head) - 1})
		}
	}

	weights := make([]float64, objectives)
	for s := range weights {
		weights[s] = 2 * float64(s+1) / float64(objectives*(objectives+1))
	}
	for name, compute := range map[string]func(dst, w, x []float64, s *algo.Sample){
		"weighted": n.SharedGradientAt, "weighted, heads too": n.WeightedGradientAt,
	} {
		dst := make([]float64, size)
		compute(dst, weights, x, &algo.Sample{})
		c.Weighted.compare(t, name, 0, dst[:shared], c.At)
		for s, h := range n.heads {
			head, scale := dst[h.weights:h.biases+n.tasks[s].outputs], 1.0
			if name != "weighted" {
				scale = weights[s]
			}
			want := digest{Norm: scale * c.Own[s].Norm, Sum: scale * c.Own[s].Sum}
			for _, v := range c.Own[s].At {
				want.At = append(want.At, scale*v)
			}
			want.compare(t, name+", own", s, head, []int{0, len(head) - 1})
		}
	}
}

// compare checks a gradient of task s against the digest. The argument at holds the indices of the digest's entries.
func (d *digest) compare(t *testing.T, what string, s int, gradient []float64, at []int) {
	t.Helper()
	sum := 0.0
	for i, v := range gradient {
		sum += v * spread(i)
	}
	if !(d.Norm > 0) || len(d.At) != len(at) {
		t.Fatalf("%s, task %d: the record is not whole", what, s)
	}
	near(t, what+", length", s, math.Sqrt(floats.Dot(gradient, gradient)), d.Norm, 0)
	near(t, what+", product", s, sum, d.Sum, d.Norm)
	for k, i := range at {
		near(t, what+", entry", s, gradient[i], d.At[k], d.Norm)
	}
}

// near compares a number with autograd's result. If the number is a sum whose terms may cancel, scale is the size of
// the terms.
func near(t *testing.T, what string, s int, got, want, scale float64) {
	t.Helper()
	if !(math.Abs(got-want) <= autogradRelative*max(math.Abs(want), scale/1000)) {
		t.Errorf("%s of task %d: %v, autograd has %v", what, s, got, want)
	}
}

// BenchmarkAllGradients measures all gradients of 40 tasks on a batch of 64. The network's parameters are uniformly
// distributed with the variances of Start. The benchmark reports the norm of all gradients for the trunk as "norm", for
// comparison in bench/peers.
func BenchmarkAllGradients(b *testing.B) {
	const tasks, batch = 40, 64
	n, err := New(Config{Digits: readDigits(b), Tasks: tasks, Train: batch})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n.pairs[Training] {
		draw := func(side int) uint16 { return uint16(algotest.Draw(1, 2*i+side) * Count) }
		n.pairs[Training][i] = pair{draw(0), draw(1)}
	}
	size, _ := n.Dims()
	x := make([]float64, size)
	fill := func(lo, hi, inputs int, gain float64) {
		for i := lo; i < hi; i++ {
			x[i] = math.Sqrt(3*gain/float64(inputs)) * (2*algotest.Draw(2, i) - 1)
		}
	}
	fill(0, n.bias1, Pixels, 2)
	fill(n.start2, n.bias2, n.hidden[0], 2)
	for _, h := range n.heads {
		fill(h.weights, h.biases, n.hidden[1], 1)
	}
	jac, own := algo.NewJacobian(tasks, n.shared), make([]float64, size-n.shared)
	b.ReportAllocs()
	for b.Loop() {
		n.SharedJacobianAt(jac, own, x, &algo.Sample{})
	}
	b.ReportMetric(math.Sqrt(floats.Dot(jac.Data, jac.Data)), "norm")
}
