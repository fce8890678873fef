package pareto_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/pareto"
)

// TestManyRows checks that, for many gradients, the measure agrees with the solver that uses all of them at once, and
// that the weights reproduce the measure.
func TestManyRows(t *testing.T) {
	var measure pareto.Stationarity
	var solver minnorm.Solver
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(4)
		rows := 4*n + 17 + r.IntN(150)
		jac := algo.NewJacobian(rows, n)
		scale := []float64{1, 1e-8, 1e8, 1e-200, 1e150}[seed%5]
		shift := []float64{0, 0.5, 3}[seed%3]
		for i := range jac.Data {
			jac.Data[i] = scale * (r.NormFloat64() + shift)
		}
		switch seed % 7 {
		case 1: // duplicates
			for i := range rows / 2 {
				copy(jac.Row(2*i), jac.Row(2*i+1))
			}
		case 2: // opposite
			for i := range rows / 2 {
				for c, v := range jac.Row(2*i + 1) {
					jac.Row(2 * i)[c] = -v
				}
			}
		case 3: // a zero
			clear(jac.Row(5))
		case 4: // of very different lengths
			for i := range rows {
				for c := range n {
					jac.Row(i)[c] *= math.Pow(10, -float64(i%9))
				}
			}
		}
		weights, direction := make([]float64, rows), make([]float64, n)
		if _, status := solver.SolveJacobian(weights, jac); status != algo.Converged {
			t.Fatal(status)
		}
		jac.Combine(direction, weights)
		var want, largest float64
		for _, v := range direction {
			want = math.Hypot(want, v)
		}
		for _, v := range jac.Data {
			largest = max(largest, math.Abs(v))
		}
		got := measure.Measure(jac)
		what := fmt.Sprintf("seed %d, %d×%d", seed, rows, n)
		if math.Abs(got-want) > 1e-12*largest {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
		jac.Combine(direction, measure.Weights())
		var sum, length float64
		for _, w := range measure.Weights() {
			if !(w >= 0) {
				t.Fatalf("%s: weights %v", what, measure.Weights())
			}
			sum += w
		}
		for _, v := range direction {
			length = math.Hypot(length, v)
		}
		if math.Abs(sum-1) > 1e-12 || math.Abs(length-got) > 1e-12*largest {
			t.Fatalf("%s: weights of sum %v make %v, not %v", what, sum, length, got)
		}
	}
	jac := algo.NewJacobian(100, 2)
	for i := range jac.Data {
		jac.Data[i] = 1 + float64(i)
	}
	if allocations := testing.AllocsPerRun(20, func() { measure.Measure(jac) }); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
	jac.Data[77] = math.NaN()
	if v := measure.Measure(jac); !math.IsNaN(v) {
		t.Errorf("%v of gradients that are not finite", v)
	}
}

func BenchmarkStationarityOfMany(b *testing.B) {
	for _, rows := range []int{2, 30, 200} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 3))
			jac := algo.NewJacobian(rows, 2)
			for i := range jac.Data {
				jac.Data[i] = r.NormFloat64() + 1
			}
			var measure pareto.Stationarity
			for b.Loop() {
				measure.Measure(jac)
			}
		})
	}
}
