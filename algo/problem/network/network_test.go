package network_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/problem/network/pictures"
	"paretoplay/algo/weighting"
)

func digits(t testing.TB) *network.Digits {
	t.Helper()
	d, err := pictures.Read()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// made returns the network with the given configuration and the embedded digits.
func made(t testing.TB, c network.Config) *network.Network {
	t.Helper()
	c.Digits = digits(t)
	n, err := network.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// small returns the configuration of a network that is small enough for all checks of gradients.
func small(tasks int, a network.Activation) network.Config {
	return network.Config{Tasks: tasks, Hidden: [2]int{5, 4}, Activation: a, Train: 70, Validation: 3, Test: 80, Seed: 3}
}

// TestContracts checks that values, gradients, batches and weighted sums pass the checks of algotest, and that
// gradients agree with differences.
func TestContracts(t *testing.T) {
	for _, tasks := range []int{2, 8} {
		n := made(t, small(tasks, network.Tanh))
		t.Run(fmt.Sprint(tasks), func(t *testing.T) { algotest.Problem(t, n, n.Start(1)) })
	}
}

// TestGradientsOfReLU compares gradients with differences at a random point. At kinks the two disagree, but most
// coordinates must agree.
func TestGradientsOfReLU(t *testing.T) {
	n := made(t, network.Config{Tasks: 20, Hidden: [2]int{12, 7}, Train: 6, Seed: 5})
	x := n.Start(2)
	size, m := n.Dims()
	jac, below, above := algo.NewJacobian(m, size), make([]float64, m), make([]float64, m)
	n.Jacobian(jac, x)
	const step = 1e-6
	off := 0
	for i := range x {
		was := x[i]
		x[i] = was - step
		n.Values(below, x)
		x[i] = was + step
		n.Values(above, x)
		x[i] = was
		for s := range m {
			if want := (above[s] - below[s]) / (2 * step); math.Abs(jac.Row(s)[i]-want) > 1e-7 {
				off++
			}
		}
	}
	if off > size*m/200 {
		t.Errorf("%d of %d derivatives differ from differences", off, size*m)
	}
}

// TestSharedParts checks that a weighting gets the beginning of every row of the Jacobian, and that each head gets the
// end of its task's row. A single sweep for all tasks and a separate sweep for each task must give the same results,
// for batches of any size.
func TestSharedParts(t *testing.T) {
	for _, c := range []network.Config{small(2, network.ReLU), small(8, network.Tanh), {Tasks: 40, Train: 300}} {
		n := made(t, c)
		size, m := n.Dims()
		k := n.Shared()
		x := n.Start(4)
		for _, batch := range [][]int{nil, {7}, {3, 1, 3}, n.Watch(65), n.Watch(64)} {
			s := &algo.Sample{Batch: batch}
			whole := algo.NewJacobian(m, size)
			n.JacobianAt(whole, x, s)
			w, dst := make([]float64, m), make([]float64, size)
			for i := range w {
				w[i] = math.Sin(float64(i + 1))
			}
			n.SharedGradientAt(dst, w, x, s)
			sum := make([]float64, size)
			whole.Combine(sum, w)
			for _, ask := range []func(*algo.Jacobian, []float64, []float64, *algo.Sample){n.SharedJacobianAt, n.JacobianBySweeps} {
				jac, own := algo.NewJacobian(m, k), make([]float64, size-k)
				ask(jac, own, x, s)
				for i := range m {
					if !floats.EqualApprox(jac.Row(i), whole.Row(i)[:k], 1e-15) {
						t.Errorf("%d tasks: row %d differs", m, i)
					}
				}
				for j, v := range own {
					of := 0.0 // all other rows are zero there
					for i := range m {
						of += whole.Row(i)[k+j]
					}
					if math.Abs(v-of) > 1e-15 || v != dst[k+j] {
						t.Errorf("variable %d follows %v, %v, not %v", k+j, v, dst[k+j], of)
					}
				}
			}
			if !floats.EqualApprox(dst[:k], sum[:k], 1e-14) {
				t.Error("the weighted gradient is not the rows' sum")
			}
		}
	}
}

// TestFirstStepByHand compares the results of a network on one picture with numbers computed by hand. The network has
// one unit per layer and equal weights.
func TestFirstStepByHand(t *testing.T) {
	n := made(t, network.Config{Tasks: 8, Hidden: [2]int{1, 1}, Train: 1})
	size, m := n.Dims()
	x := make([]float64, size)
	for i := range x {
		x[i] = 0.01
	}
	ink := floats.Sum(n.Picture(network.Training, 0))
	h1 := 0.01*ink + 0.01
	h2 := 0.01*h1 + 0.01
	p := 1 / (1 + math.Exp(-(0.01*h2 + 0.01)))
	f := make([]float64, m)
	n.Values(f, x)
	jac := algo.NewJacobian(m, size)
	n.Jacobian(jac, x)
	for s := range m {
		y := float64(n.Answer(network.Training, 0, s))
		loss := -math.Log(p)
		if y == 0 {
			loss = -math.Log(1 - p)
		}
		if math.Abs(f[s]-loss) > 1e-14 {
			t.Errorf("loss %d is %v, not %v", s, f[s], loss)
		}
		error := p - y
		for i, u := range n.Picture(network.Training, 0) {
			if want := error * 0.01 * 0.01 * u; math.Abs(jac.Row(s)[i]-want) > 1e-16 {
				t.Fatalf("task %d: the derivative for pixel %d is %v, not %v", s, i, jac.Row(s)[i], want)
			}
		}
		head := n.Shared() + 2*s
		for at, want := range map[int]float64{network.Pixels: error * 1e-4, network.Pixels + 1: error * 0.01 * h1,
			network.Pixels + 2: error * 0.01, head: error * h2, head + 1: error} {
			if math.Abs(jac.Row(s)[at]-want) > 1e-16 {
				t.Errorf("task %d: the derivative for variable %d is %v, not %v", s, at, jac.Row(s)[at], want)
			}
		}
	}
}

// TestOneSweepHasSameBits checks that one sweep for all tasks gives bit for bit the same gradients as one sweep per
// task. This must hold for batches of any length, and for layers with more units than a word has bits. After the first
// call, nothing may be allocated.
func TestOneSweepHasSameBits(t *testing.T) {
	for _, a := range []network.Activation{network.ReLU, network.Tanh} {
		for _, hidden := range [][2]int{{}, {70, 5}, {3, 130}} {
			for _, tasks := range network.Sets {
				n := made(t, network.Config{Tasks: tasks, Hidden: hidden, Activation: a, Train: 150, Seed: 5})
				size, m := n.Dims()
				jac, want := algo.NewJacobian(m, n.Shared()), algo.NewJacobian(m, n.Shared())
				own, wantOwn := make([]float64, size-n.Shared()), make([]float64, size-n.Shared())
				x := n.Start(2)
				for _, batch := range []int{3, 64, 150} {
					s := &algo.Sample{Batch: n.Watch(batch)}
					n.SharedJacobianAt(jac, own, x, s)
					n.JacobianBySweeps(want, wantOwn, x, s)
					if !sameBits(jac.Data, want.Data) || !sameBits(own, wantOwn) {
						t.Errorf("%s, %v, %d tasks, %d examples: other bits", a, n.Hidden(), tasks, batch)
					}
				}
				if count := testing.AllocsPerRun(1, func() { n.SharedJacobianAt(jac, own, x, &algo.Sample{Batch: n.Watch(3)}) }); count > 0 {
					t.Errorf("%d tasks: %v allocations", tasks, count)
				}
			}
		}
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// TestExtremes checks that outputs of any size give finite losses and gradients, with the correct limits.
func TestExtremes(t *testing.T) {
	for _, tasks := range []int{2, 8} {
		n := made(t, small(tasks, network.ReLU))
		size, m := n.Dims()
		f, jac := make([]float64, m), algo.NewJacobian(m, size)
		for _, by := range []float64{0, 1e-8, 1e4, 1e8, -1e8} {
			x := n.Start(1)
			floats.Scale(by, x)
			n.Values(f, x)
			n.Jacobian(jac, x)
			if !algo.Finite(f) || !algo.Finite(jac.Data) {
				t.Errorf("parameters times %g: losses %v", by, f)
			}
			if by == 0 && math.Abs(f[0]-math.Log(float64(n.Classes(0)))) > 1e-14 {
				t.Errorf("at zero the loss is %v", f[0])
			}
		}
		x := n.Start(1)
		x[n.Shared()-1] = math.NaN() // a bias, which is not multiplied by a zero
		if n.Values(f, x); algo.Finite(f) {
			t.Error("what is not a number does not show")
		}
	}
}

// TestScores checks that answers judged in two parts give the same scores as answers counted one by one, and that the
// mean loss equals the loss from Values.
func TestScores(t *testing.T) {
	for _, tasks := range []int{2, 40} {
		n := made(t, network.Config{Tasks: tasks, Train: 100, Test: 130, Seed: 9})
		x := n.Start(7)
		var s network.Score
		s.Reset(n)
		n.Judge(&s, x, network.Training, 0, 33)
		n.Judge(&s, x, network.Training, 33, 100)
		f := make([]float64, tasks)
		n.Values(f, x)
		p := make([]float64, n.Outputs())
		for task := range tasks {
			if math.Abs(s.Loss(task)-f[task]) > 1e-13 {
				t.Errorf("task %d: loss %v, not %v", task, s.Loss(task), f[task])
			}
			right, asked, found := 0, make([]float64, n.Classes(task)), make([]float64, n.Classes(task))
			for i := range n.Size(network.Training) {
				n.Probabilities(p, x, network.Training, i)
				first, count := n.Output(task)
				answer := 0
				if count == 1 && p[first] > 0.5 {
					answer = 1
				} else if count > 1 {
					answer = floats.MaxIdx(p[first:][:count])
					if sum := floats.Sum(p[first:][:count]); math.Abs(sum-1) > 1e-14 {
						t.Errorf("probabilities have the sum %v", sum)
					}
				}
				want := n.Answer(network.Training, i, task)
				asked[want]++
				if answer == want {
					right++
					found[want]++
				}
			}
			balanced, classes := 0.0, 0.0
			for c, a := range asked {
				if a > 0 {
					balanced += found[c] / a
					classes++
				}
			}
			if s.Accuracy(task) != float64(right)/100 || math.Abs(s.Balanced(task)-balanced/classes) > 1e-15 {
				t.Errorf("task %d: accuracy %v, balanced %v; not %v, %v", task, s.Accuracy(task),
					s.Balanced(task), float64(right)/100, balanced/classes)
			}
		}
		least, at := s.Least(s.Accuracy)
		if s.Count() != 100 || s.Tasks() != tasks || s.Accuracy(at) != least || s.Mean(s.Accuracy) < least {
			t.Errorf("%d pairs, %d tasks, least %v", s.Count(), s.Tasks(), least)
		}
	}
}

// TestPictures checks that overlapping digits show the larger grey value, that tasks match their names, and that no
// digit picture is in two splits.
func TestPictures(t *testing.T) {
	n := made(t, network.Config{Tasks: 40})
	names := n.Names()
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != 40 {
		t.Error("two tasks have one name")
	}
	yes := func(a, b int, name string) bool {
		of := map[bool]int{true: a, false: b}[strings.HasPrefix(name, "left")]
		switch rest := strings.TrimPrefix(strings.TrimPrefix(name, "left "), "right "); rest {
		case "even":
			return of%2 == 0
		case "prime":
			return slices.Contains([]int{2, 3, 5, 7}, of)
		case "has a loop":
			return slices.Contains([]int{0, 6, 8, 9}, of)
		case "larger":
			return a > b
		case "sum above nine":
			return a+b > 9
		case "above four":
			return of > 4
		case "multiple of three":
			return of%3 == 0
		case "same parity":
			return (a+b)%2 == 0
		case "sum multiple of three":
			return (a+b)%3 == 0
		case "at most two apart":
			return a-b <= 2 && b-a <= 2
		case "equal":
			return a == b
		case "a square":
			return slices.Contains([]int{0, 1, 4, 9}, of)
		case "both have a loop":
			return slices.Contains([]int{0, 6, 8, 9}, a) && slices.Contains([]int{0, 6, 8, 9}, b)
		case "product even":
			return a*b%2 == 0
		default:
			var digit int
			if _, err := fmt.Sscanf(rest, "is %d", &digit); err != nil {
				t.Fatalf("nobody knows %q", name)
			}
			return of == digit
		}
	}
	seen := map[string]network.Split{}
	for split := network.Training; split <= network.Test; split++ {
		for i := range n.Size(split) {
			a, b := n.Labels(split, i)
			picture := n.Picture(split, i)
			if len(picture) != network.Rows*network.Cols || floats.Min(picture) < 0 || floats.Max(picture) > 1 {
				t.Fatalf("picture %d", i)
			}
			var sides [2]string
			for row := range network.Rows {
				sides[0] += fmt.Sprint(picture[row*network.Cols:][:4]) // no other digit is there
				sides[1] += fmt.Sprint(picture[row*network.Cols+8:][:4])
			}
			for side, what := range sides {
				what = fmt.Sprint(side, what)
				if was, before := seen[what]; before && was != split {
					t.Errorf("half of a picture of %v is in %v too", split, was)
				}
				seen[what] = split
			}
			for task, name := range names {
				if got := n.Answer(split, i, task) == 1; got != yes(a, b, name) {
					t.Fatalf("%d and %d: %s is %v", a, b, name, got)
				}
			}
		}
	}
}

// TestRefusals checks that errors name the field, and that ReadDigits rejects an invalid file.
func TestRefusals(t *testing.T) {
	d := digits(t)
	for want, c := range map[string]network.Config{
		"digits": {Tasks: 8}, "tasks S": {Digits: d, Tasks: 3}, `activation "sine"`: {Digits: d, Tasks: 8, Activation: "sine"},
		"hidden units of layer 2": {Digits: d, Tasks: 8, Hidden: [2]int{1, 257}}, "Train": {Digits: d, Tasks: 8, Train: -1},
		"Test": {Digits: d, Tasks: 8, Test: 1 << 17},
	} {
		if _, err := network.New(c); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v", want, err)
		}
	}
	pack := func(data []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	const size = network.Count * 65
	label, grey := make([]byte, size), make([]byte, size)
	label[size-1], grey[3] = 10, 17
	for want, data := range map[string][]byte{"gzip": []byte("these are not digits"), "does not hold": pack(make([]byte, size+1)),
		"unexpected EOF": pictures.Packed[:1000], "label 10": pack(label), "grey value 17": pack(grey)} {
		if _, err := network.ReadDigits(bytes.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// stepper returns a stepper that trains a small network with the given rule.
func stepper(t testing.TB, rule string, change func(*descent.Config)) descent.Resting {
	t.Helper()
	n := made(t, small(8, network.ReLU))
	w, err := weighting.New(rule, 8)
	if err != nil {
		t.Fatal(err)
	}
	c := descent.Config{Problem: n, Start: n.Start(1), Weighting: w, StepSize: 0.5, Batch: 16, ConstantBatch: true, Seed: 2, ValuesEvery: 3,
		Watched: n.Watch(20), Frugal: true}
	change(&c)
	s, err := descent.NewPSMGD(c)
	if err != nil {
		t.Fatal(err)
	}
	return descent.Resting{PSMGD: s}
}

// TestSteppers checks that training passes the checks for steppers, even if its steps yield.
func TestSteppers(t *testing.T) {
	for rule, change := range map[string]func(*descent.Config){
		"mgda":   func(c *descent.Config) { c.Period = 4 },
		"famo":   func(*descent.Config) {},
		"moco":   func(*descent.Config) {},
		"modo":   func(*descent.Config) {},
		"upgrad": func(c *descent.Config) { c.Momentum = 0.5 },
	} {
		t.Run(rule, func(t *testing.T) {
			algotest.Stepper(t, func() algo.Stepper { return stepper(t, rule, change) })
		})
	}
}

// BenchmarkNetwork measures the gradients in a step of the default network on a batch of 64. It measures three
// computations: all gradients of 40 tasks in one sweep, the same gradients in one sweep per task, and one weighted
// gradient.
func BenchmarkNetwork(b *testing.B) {
	for _, tasks := range []int{2, 8, 40} {
		n := made(b, network.Config{Tasks: tasks})
		size, m := n.Dims()
		x, s := n.Start(1), &algo.Sample{Batch: n.Watch(64)}
		jac, own, dst, w := algo.NewJacobian(m, n.Shared()), make([]float64, size-n.Shared()), make([]float64, size), make([]float64, m)
		for i := range w {
			w[i] = 1 / float64(m)
		}
		gram := make([]float64, m*m)
		for name, f := range map[string]func(){
			"all":      func() { n.SharedJacobianAt(jac, own, x, s) },
			"sweeps":   func() { n.JacobianBySweeps(jac, own, x, s) },
			"weighted": func() { n.SharedGradientAt(dst, w, x, s) },
			"gramian":  func() { jac.Gram(gram) },
			"losses":   func() { n.ValuesAt(w, x, s) },
		} {
			b.Run(fmt.Sprintf("%s/S=%d", name, tasks), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
	}
}
