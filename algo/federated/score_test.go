package federated_test

import (
	"math"
	"slices"
	"testing"

	"paretoplay/algo/federated"
)

// TestEvaluate compares three solutions: one always predicts class 0, one always predicts class 1, and one predicts
// correctly. Each client must choose the solution with the highest validation accuracy and, among equals, with the
// smallest validation loss.
func TestEvaluate(t *testing.T) {
	part := func(x []float64, labels ...int) federated.Samples {
		var rows []float64
		for _, v := range x {
			rows = append(rows, v, 1)
		}
		return federated.Samples{X: rows, Label: labels}
	}
	train := part([]float64{1}, 0)
	d := &federated.Data{Features: 1, Classes: 2, Clients: [][federated.Splits]federated.Samples{
		// All validation samples are of class 1. The second and third solutions are right, and the second is more
		// confident.
		{train, part([]float64{1, 2}, 1, 1), part([]float64{1, -1, -2, 3}, 1, 0, 0, 1)},
		{train, part([]float64{1, -1}, 1, 0), part([]float64{4, -4}, 1, 0)},
		{train, part([]float64{1, 1}, 0, 0), part([]float64{1}, 1)},
	}}
	p := clients(t, federated.Config{Data: d})
	x := []float64{
		0, 9, 0, 0, // class 0
		0, 0, 0, 9, // class 1
		0, 0, 1, 0, // the sign of x
	}
	var o federated.Outcome
	p.Evaluate(&o, x)
	if want := []int{1, 2, 0}; !slices.Equal(o.Chosen, want) {
		t.Errorf("chosen are %v, want %v", o.Chosen, want)
	}
	if want := []float64{1, 1, 1}; !slices.Equal(o.Validation, want) {
		t.Errorf("accuracies on validation are %v, want %v", o.Validation, want)
	}
	if want := []float64{0.5, 1, 0}; !slices.Equal(o.Test, want) {
		t.Errorf("accuracies on test are %v, want %v", o.Test, want)
	}
	if want := []float64{0.5, 0.5, 1, 0.5, 0.5, 1, 0, 1, 1}; !slices.Equal(o.Each, want) {
		t.Errorf("accuracies of each solution are %v, want %v", o.Each, want)
	}
	if o.MeanTest() != 0.5 || o.MeanValidation() != 1 || !slices.Equal(o.Won(3), []int{1, 1, 1}) {
		t.Errorf("means %g and %g, won %v: want 0.5, 1 and one each", o.MeanTest(), o.MeanValidation(), o.Won(3))
	}

	// Compare the third solution with the first on the test samples. Client 0 has the samples x = 1, −1, −2, 3.
	apart := make([]float64, 9)
	p.Divergence(apart, x)
	var want float64
	for _, client := range [][]float64{{1, -1, -2, 3}, {4, -4}, {1}} {
		for _, v := range client {
			want += symmetric(1/(1+math.Exp(v)), 1/(1+math.Exp(-9))) / float64(len(client)) / 3
		}
	}
	if math.Abs(apart[2]-want) > 1e-13*want || apart[2] != apart[6] || apart[0] != 0 || apart[4] != 0 || apart[8] != 0 {
		t.Errorf("divergences are %v, want %g between the first and the third", apart, want)
	}
	if got, want := federated.MeanDivergence(apart, 3), (apart[1]+apart[2]+apart[5])/3; math.Abs(got-want) > 1e-14 {
		t.Errorf("mean divergence %g, want %g", got, want)
	}
	if got := federated.MeanDivergence([]float64{0}, 1); got != 0 {
		t.Errorf("mean divergence of one solution is %g", got)
	}
}

// symmetric returns ½(KL(P‖Q) + KL(Q‖P)) for P = (p, 1−p) and Q = (q, 1−q).
func symmetric(p, q float64) float64 {
	kl := func(p, q float64) float64 { return p*math.Log(p/q) + (1-p)*math.Log((1-p)/(1-q)) }
	return (kl(p, q) + kl(q, p)) / 2
}

func TestWorst(t *testing.T) {
	values := []float64{0.9, 0.1, 0.5, 0.3, 0.7}
	for share, want := range map[float64]float64{0.01: 0.1, 0.2: 0.1, 0.4: 0.2, 0.5: 0.3, 0.6: 0.3, 0.8: 0.4, 1: 0.5} {
		if got := federated.Worst(values, share); math.Abs(got-want) > 1e-15 {
			t.Errorf("the worst %g have %g, want %g", share, got, want)
		}
	}
	if values[0] != 0.9 {
		t.Error("the values were moved")
	}
}
