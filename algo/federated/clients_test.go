package federated_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/federated"
)

// tiny returns data with one feature and two classes, small enough to check by hand. One client has a single training
// sample, x = 2 of class 0. The other client has two training samples, x = ±1.
func tiny() *federated.Data {
	one := func(x float64, label int) federated.Samples {
		return federated.Samples{X: []float64{x, 1}, Label: []int{label}}
	}
	d := &federated.Data{Features: 1, Classes: 2, Clients: make([][federated.Splits]federated.Samples, 2)}
	for i := range d.Clients {
		for split := range federated.Splits {
			d.Clients[i][split] = one(2, 0)
		}
	}
	d.Clients[1][federated.Training] = federated.Samples{X: []float64{1, 1, -1, 1}, Label: []int{1, 0}}
	return d
}

func clients(t testing.TB, c federated.Config) *federated.Clients {
	t.Helper()
	p, err := federated.NewClients(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func syn(t testing.TB, c federated.SynConfig) *federated.Data {
	t.Helper()
	d, err := federated.Syn(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sample(seed uint64) *algo.Sample { return &algo.Sample{Noise: *rand.NewPCG(seed, 0)} }

func close(a, b []float64, tolerance float64) bool {
	return floats.EqualFunc(a, b, func(a, b float64) bool { return scalar.EqualWithinAbsOrRel(a, b, tolerance, tolerance) })
}

// TestConformance checks that clients send their exact gradients if there are no local epochs.
func TestConformance(t *testing.T) {
	algotest.Problem(t, clients(t, federated.Config{Data: tiny()}), make([]float64, 4), []float64{1e8, -1e8, 3, 1e-8})
	small := federated.SynConfig{Rho1: 1, Rho2: 1, Clients: 2, Most: 50, Seed: 3}
	algotest.Problem(t, clients(t, federated.Config{Data: syn(t, small)}))
}

// TestFirstStep compares the first updates with numbers computed by hand. At θ = 0 both classes have probability ½. The
// first client's only gradient is ½(−(2, 1), (2, 1)), and its second epoch starts with scores ±5η/2.
func TestFirstStep(t *testing.T) {
	const eta = 0.5
	zero := make([]float64, 4)
	f := make([]float64, 2)
	once := clients(t, federated.Config{Data: tiny(), Epochs: 1, Batch: 10, Rate: eta})
	once.Values(f, zero)
	if !close(f, []float64{math.Ln2, math.Ln2}, 1e-15) {
		t.Errorf("losses at 0 are %v, want ln 2", f)
	}
	got := make([]float64, 4)
	once.GradientAt(got, 0, 0, 4, zero, sample(1))
	if want := []float64{-1, -0.5, 1, 0.5}; !close(got, want, 1e-15) {
		t.Errorf("the first client sends %v, want %v", got, want)
	}
	// The second client's samples are x = 1 and −1 of classes 1 and 0. Its gradient is the mean of ½((1, 1), −(1, 1))
	// and ½(−(−1, 1), (−1, 1)).
	once.GradientAt(got, 1, 0, 4, zero, sample(1))
	if want := []float64{0.5, 0, -0.5, 0}; !close(got, want, 1e-15) {
		t.Errorf("the second client sends %v, want %v", got, want)
	}
	for _, prox := range []float64{0, 0.4} {
		twice := clients(t, federated.Config{Data: tiny(), Epochs: 2, Batch: 1, Rate: eta, Prox: prox})
		twice.GradientAt(got, 0, 0, 4, zero, sample(1))
		// After one epoch θ' is η(1, ½, −1, −½). The scores are ±2.5η, and class 1 has probability 1/(1 + e^5η). The
		// second gradient is this probability times (−(2, 1), (2, 1)), plus μθ'.
		p := 1 / (1 + math.Exp(5*eta))
		want := make([]float64, 4)
		for i, first := range []float64{-1, -0.5, 1, 0.5} {
			want[i] = first + 2*p*first - prox*eta*first
		}
		if !close(got, want, 1e-14) {
			t.Errorf("μ = %g: after two epochs the first client sends %v, want %v", prox, got, want)
		}
	}
	// With batches of one, in either order, the second client's second step uses the scores after its first step.
	single := clients(t, federated.Config{Data: tiny(), Epochs: 1, Batch: 1, Rate: eta})
	inOrder := func(first int) []float64 {
		theta, out := make([]float64, 4), make([]float64, 4)
		for _, s := range [][2]float64{{1, 1}, {-1, 0}}[first:] {
			descend(theta, s[0], int(s[1]), eta)
		}
		if first == 1 {
			descend(theta, 1, 1, eta)
		}
		for i, v := range theta {
			out[i] = -v / eta
		}
		return out
	}
	orders := [2]bool{}
	for seed := range uint64(20) {
		single.GradientAt(got, 1, 0, 4, zero, sample(seed))
		for first := range orders {
			orders[first] = orders[first] || close(got, inOrder(first), 1e-14)
		}
		if !close(got, inOrder(0), 1e-14) && !close(got, inOrder(1), 1e-14) {
			t.Errorf("seed %d: the second client sends %v, which is neither %v nor %v", seed, got, inOrder(0), inOrder(1))
		}
	}
	if !orders[0] || !orders[1] {
		t.Errorf("of 20 samples the orders (first, second) and (second, first) came up: %v, want both", orders)
	}
}

// descend takes a step on one sample with one feature and two classes.
func descend(theta []float64, x float64, label int, eta float64) {
	p := 1 / (1 + math.Exp(theta[0]*x+theta[1]-theta[2]*x-theta[3])) // of class 1
	r := p - float64(label)
	for i, g := range []float64{-r * x, -r, r * x, r} {
		theta[i] -= eta * g
	}
}

// TestLocalUpdates checks that training on one batch of all samples is a gradient step. The same sample gives the same
// bits regardless of previous calls, and another sample shuffles differently. A weighted gradient is the sum of the
// updates, a prox term shortens an update, and a part of a gradient equals that part of the whole.
func TestLocalUpdates(t *testing.T) {
	data := syn(t, federated.SynConfig{Rho1: 0.5, Rho2: 0.5, Clients: 4, Most: 120, Seed: 2})
	whole := clients(t, federated.Config{Data: data, Epochs: 1, Batch: 1000, Rate: 0.1})
	n, m := whole.Dims()
	x := whole.Starts(1, 7)[0]
	sent, gradient := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	whole.Jacobian(gradient, x)
	whole.JacobianAt(sent, x, sample(1))
	if d := floats.Distance(sent.Data, gradient.Data, math.Inf(1)); !(d <= 1e-12*floats.Norm(gradient.Data, math.Inf(1))) {
		t.Errorf("one step on all samples differs from the gradient by %g", d)
	}

	p := clients(t, federated.Config{Data: data, Epochs: 2, Batch: 10, Rate: 0.1})
	p.JacobianAt(sent, x, sample(1))
	first := slices.Clone(sent.Data)
	row := make([]float64, n)
	for i := m - 1; i >= 0; i-- {
		p.GradientAt(row, i, 0, n, x, sample(5))
		if slices.Equal(row, sent.Row(i)) {
			t.Errorf("client %d sends the same on another sample", i)
		}
		p.GradientAt(row[:7], i, 60, 67, x, sample(1))
		if !slices.Equal(row[:7], sent.Row(i)[60:67]) {
			t.Errorf("client %d: got a part that differs from the whole", i)
		}
	}
	p.JacobianAt(sent, x, sample(1))
	if !slices.Equal(first, sent.Data) {
		t.Error("the same sample gives other numbers")
	}
	w, sum, want := []float64{0.5, 0, -2, 0.25}, make([]float64, n), make([]float64, n)
	p.WeightedGradientAt(sum, w, x, sample(1))
	sent.Combine(want, w)
	if !close(sum, want, 1e-12) {
		t.Error("a weighted gradient is not the sum of what clients send")
	}
	drawn := clients(t, federated.Config{Data: data, Epochs: 2, Batch: 10, Rate: 0.1, Prox: 5})
	for i := range m {
		drawn.GradientAt(row, i, 0, n, x, sample(1))
		if near, far := floats.Norm(row, 2), floats.Norm(sent.Row(i), 2); !(near < 0.8*far) {
			t.Errorf("client %d: μ = 5 leaves an update of length %g, without it is %g", i, near, far)
		}
	}
}

// TestSumOfTrainings checks that a weighted sum costs one training run for each client with a non-zero weight. In other
// problems, it must cost one gradient.
func TestSumOfTrainings(t *testing.T) {
	p := clients(t, federated.Config{Data: tiny(), Epochs: 1, Batch: 1, Rate: 0.1})
	if all, one := algo.SumGradientsOf(p, []float64{0.3, 0.7}), algo.SumGradientsOf(p, []float64{0, 1}); all != 2 || one != 1 {
		t.Errorf("sums of two clients and of one cost %d and %d", all, one)
	}
	other, err := algo.Funcs{Variables: 1, Objectives: 2, Values: func(f, x []float64) { f[0], f[1] = x[0], -x[0] }}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	if cost := algo.SumGradientsOf(other, []float64{0.5, 0.5}); cost != 1 {
		t.Errorf("the sum of two functions costs %d", cost)
	}
}

// TestExtremes checks that all numbers stay finite for models so large that probabilities are 0 or 1, for models so
// small that all probabilities are equal, and for identical clients.
func TestExtremes(t *testing.T) {
	data := syn(t, federated.SynConfig{Clients: 2, Most: 60, Seed: 4})
	data.Clients[1] = data.Clients[0]
	p := clients(t, federated.Config{Data: data, Epochs: 1, Batch: 10, Rate: 0.1})
	n, m := p.Dims()
	for _, scale := range []float64{0, 1e-300, 1e-8, 1, 1e8, 1e100} {
		x := p.Starts(1, 1)[0]
		floats.Scale(scale, x)
		f, jac := make([]float64, m), algo.NewJacobian(m, n)
		p.Values(f, x)
		p.JacobianAt(jac, x, sample(1))
		if !algo.Finite(f) || !algo.Finite(jac.Data) || f[0] != f[1] || f[0] < 0 {
			t.Errorf("models of size %g: losses %v, updates finite: %v", scale, f, algo.Finite(jac.Data))
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	p := clients(t, federated.Config{Data: syn(t, federated.SynConfig{Clients: 3, Most: 60}), Epochs: 1, Batch: 7, Rate: 0.1, Prox: 1})
	n, m := p.Dims()
	starts := p.Starts(2, 1)
	x := slices.Concat(starts...)
	f, w, dst, jac, s := make([]float64, m), []float64{1, 2, 0}, make([]float64, n), algo.NewJacobian(m, n), sample(1)
	var o federated.Outcome
	apart := make([]float64, 4)
	all := func() {
		p.Values(f, starts[0])
		p.Jacobian(jac, starts[0])
		p.JacobianAt(jac, starts[0], s)
		p.WeightedGradientAt(dst, w, starts[0], s)
		p.Evaluate(&o, x)
		p.Divergence(apart, x)
	}
	all()
	if a := testing.AllocsPerRun(3, all); a != 0 {
		t.Errorf("%v allocations, want none", a)
	}
}

func TestRefused(t *testing.T) {
	broken := func(change func(d *federated.Data)) *federated.Data {
		d := tiny()
		change(d)
		return d
	}
	for name, c := range map[string]federated.Config{
		"epochs":              {Data: tiny(), Epochs: -1},
		"batch":               {Data: tiny(), Epochs: 1, Rate: 1},
		"eta":                 {Data: tiny(), Epochs: 1, Batch: 1, Rate: math.NaN()},
		"mu":                  {Data: tiny(), Prox: -1},
		"features":            {Data: broken(func(d *federated.Data) { d.Features = 0 })},
		"classes":             {Data: broken(func(d *federated.Data) { d.Classes = 1 })},
		"clients":             {Data: broken(func(d *federated.Data) { d.Clients = nil })},
		"label":               {Data: broken(func(d *federated.Data) { d.Clients[1][0].Label[0] = 2 })},
		"samples of client 0": {Data: broken(func(d *federated.Data) { d.Clients[0][2].Label = nil })},
		"samples of client 1": {Data: broken(func(d *federated.Data) { d.Clients[1][1].X[0] = math.Inf(1) })},
	} {
		_, err := federated.NewClients(c)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v, want one that names it", name, err)
		}
	}
	for name, c := range map[string]federated.SynConfig{
		"rho1": {Rho1: -1}, "rho2": {Rho2: math.Inf(1)}, "clients": {Clients: -1}, "most samples": {Most: 49},
		"features": {Features: -1}, "classes": {Classes: 1},
	} {
		_, err := federated.Syn(c)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v, want one that names it", name, err)
		}
	}
	if _, err := federated.NewClients(federated.Config{}); !errors.Is(err, algo.ErrNoProblem) {
		t.Errorf("without data: error %v", err)
	}
}
