package minnorm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
)

// oneByOne does the same as Solve, but rows enter one by one, as Solve does for fewer than manyRows rows.
func oneByOne(weights, gram []float64) {
	var s Solver
	m := len(weights)
	s.grow(m)
	smallest := 0
	for i := range m {
		s.norm[i] = math.Sqrt(gram[i*m+i])
		if s.norm[i] < s.norm[smallest] {
			smallest = i
		}
	}
	for i, n := range s.norm {
		s.e[i] = s.norm[smallest] / n
		s.mu[i], s.passive[i], s.barred[i] = 0, true, false
		for k := range m {
			s.c[i*m+k] = gram[i*m+k] / n / s.norm[k]
		}
		s.c[i*m+i] = 1
	}
	s.append(smallest)
	s.minimise(-1)
	for range 20*m + 50 {
		s.products()
		i := s.violated()
		if i < 0 {
			break
		}
		s.enter(i)
	}
	var sum float64
	for _, i := range s.active {
		weights[i] = s.mu[i] * s.e[i]
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
}

// TestTogether checks that rows that enter together lead to the same point as rows that enter one by one, and that the
// point satisfies the conditions of a minimum.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 1))
	var s Solver
	for _, f := range families {
		for _, shape := range [][2]int{{manyRows, 20}, {manyRows, 60}, {64, 64}, {64, 300}, {100, 30}, {100, 130}, {150, 200}} {
			for k := range 4 {
				j := f.make(r, shape[0], shape[1])
				for i := range j.Rows {
					scaleRow(j.Row(i), []float64{1, 1e8, 1e-8, math.Exp(3 * r.NormFloat64())}[k])
				}
				gram, w, one := make([]float64, j.Rows*j.Rows), make([]float64, j.Rows), make([]float64, j.Rows)
				j.Gram(gram)
				gap, status := s.Solve(w, gram)
				onSimplex(t, w)
				if v := violation(j, w); status != algo.Converged || !(gap <= 1e-13 && v <= 1e-13) {
					t.Errorf("%s %v: gap %g, violation %g, status %v", f.name, shape, gap, v, status)
				}
				if slices.Contains(norms(j), 0) {
					continue
				}
				oneByOne(one, gram)
				if a, b := square(gram, w), square(gram, one); !(a <= b+1e-13*largestRow(j)*largestRow(j)) {
					t.Errorf("%s %v: a square of %g, one by one %g", f.name, shape, a, b)
				}
			}
		}
	}
}

// square returns λᵀGGᵀλ.
func square(gram, weights []float64) (sum float64) {
	m := len(weights)
	for i, v := range weights {
		for k, w := range weights {
			sum += v * w * gram[i*m+k]
		}
	}
	return sum
}

// TestTogetherTied checks the conditions of a minimum for equal, opposite and integer rows, many of which enter at
// once.
func TestTogetherTied(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 2))
	var s Solver
	for k := range 40 {
		m, n := manyRows+r.IntN(40), 2+r.IntN(80)
		j := algo.NewJacobian(m, n)
		for i := range m {
			switch {
			case i > 0 && r.IntN(3) == 0:
				copy(j.Row(i), j.Row(r.IntN(i)))
				scaleRow(j.Row(i), []float64{1, 1, 2, -1}[r.IntN(4)])
			default:
				for c := range j.Row(i) {
					j.Row(i)[c] = float64(r.IntN(5) - 1)
				}
				j.Row(i)[0]++
			}
		}
		gram, w := make([]float64, m*m), make([]float64, m)
		j.Gram(gram)
		gap, status := s.Solve(w, gram)
		onSimplex(t, w)
		if v := violation(j, w); status != algo.Converged || !(gap <= 1e-13 && v <= 1e-12) {
			t.Errorf("problem %d, %d rows of %d: gap %g, violation %g, status %v", k, m, n, gap, v, status)
		}
	}
}

// TestTogetherAllocatesNothing checks that nothing is allocated after the first problem of the same size.
func TestTogetherAllocatesNothing(t *testing.T) {
	gram, w := make([]float64, 64*64), make([]float64, 64)
	drawn("normal", 1, 64, 80).Gram(gram)
	var s Solver
	s.Solve(w, gram)
	if n := testing.AllocsPerRun(5, func() { s.Solve(w, gram) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
