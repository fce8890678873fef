package minnorm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// frankWolfe approximates the same minimum as Solver by conditional gradients with exact line search. Tests compare
// Solver with this second implementation.
//
// References:
//   - Jaggi (2013), Revisiting Frank-Wolfe, ICML.
//   - Lacoste-Julien & Jaggi (2015), On the global linear convergence of
//     Frank-Wolfe optimization variants, NeurIPS, Algorithm 2.
type frankWolfe struct {
	// pairwise makes a step move weight from the worst vertex in use to the best vertex, so that convergence is linear.
	// Otherwise a step moves all weights towards the best vertex. The error then falls like 1/steps if the minimum is
	// on a face.
	pairwise bool
	most     int     // maximum number of steps
	gap      float64 // relative gap at which it stops earlier
	y        []float64
}

// solve starts at the shortest row, and stores the final weights in weights. It returns the relative duality gap and
// the number of steps.
func (f *frankWolfe) solve(weights, gram []float64) (gap float64, steps int) {
	m := len(weights)
	clear(weights)
	f.y = make([]float64, m) // gram·λ
	start, largest := 0, 0.0
	for i := range m {
		if gram[i*m+i] < gram[start*m+start] {
			start = i
		}
		largest = max(largest, gram[i*m+i])
	}
	weights[start] = 1
	if largest == 0 {
		return 0, 0
	}
	for ; ; steps++ {
		// Recompute y in every step, because updating it would keep the rounding errors of large rows.
		clear(f.y)
		for j, w := range weights {
			if w != 0 {
				for i, g := range gram[j*m : (j+1)*m] {
					f.y[i] += w * (g / largest)
				}
			}
		}
		best, worst, square := 0, start, 0.0
		for i, y := range f.y {
			square += weights[i] * y
			if y < f.y[best] {
				best = i
			}
			if weights[i] > 0 && (weights[worst] == 0 || y > f.y[worst]) {
				worst = i
			}
		}
		gap = max(square-f.y[best], 0)
		if gap <= f.gap || steps == f.most {
			return gap, steps
		}
		move := f.towards
		if f.pairwise {
			move = f.between
		}
		if !move(weights, gram, best, worst, square, largest) {
			return gap, steps
		}
	}
}

// between moves weight from row worst to row best. It returns false if the gain is below rounding errors.
func (f *frankWolfe) between(weights, gram []float64, best, worst int, _, largest float64) bool {
	m := len(weights)
	gain := f.y[worst] - f.y[best]
	if best == worst || gain <= 0 {
		return false
	}
	curvature := (gram[best*m+best] + gram[worst*m+worst] - 2*gram[best*m+worst]) / largest
	step := weights[worst]
	if curvature*step > gain {
		step = gain / curvature
	}
	if step == weights[worst] {
		weights[worst] = 0
	} else {
		weights[worst] -= step
	}
	weights[best] += step
	return step > 0
}

// towards moves all weights towards row best. It returns false if the gain is below rounding errors.
func (f *frankWolfe) towards(weights, gram []float64, best, _ int, square, largest float64) bool {
	curvature := square - 2*f.y[best] + gram[best*len(weights)+best]/largest
	gain := square - f.y[best]
	step := 1.0
	if curvature > gain {
		step = gain / curvature
	}
	for i := range weights {
		weights[i] *= 1 - step
	}
	weights[best] += step
	return step > 0
}

func TestFrankWolfeAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 15))
	var s Solver
	pairwise := frankWolfe{pairwise: true, most: 20000, gap: 1e-13}
	classical := frankWolfe{most: 2000, gap: 1e-13}
	for _, f := range families {
		for range 10 {
			m := 2 + r.IntN(9)
			j := f.make(r, m, 6)
			gram := make([]float64, m*m)
			j.Gram(gram)
			w, u := make([]float64, m), make([]float64, m)
			s.Solve(w, gram)
			gap, steps := pairwise.solve(u, gram)
			onSimplex(t, u)
			// ‖v − v*‖² ≤ gap·max‖g‖² (Jaggi 2013), here with a margin for the solver's error.
			v := make([]float64, 6)
			j.Combine(v, w)
			diff := make([]float64, m)
			for i := range diff {
				diff[i] = u[i] - w[i]
			}
			d := make([]float64, 6)
			j.Combine(d, diff)
			if n := norm(d) / largestRow(j); n > math.Sqrt(gap)+1e-7 {
				t.Errorf("%s: parts by %g with gap %g after %d", f.name, n, gap, steps)
			}
			if f.name == "gaussian" || f.name == "shifted" {
				if gap > pairwise.gap {
					t.Errorf("%s: pairwise did not converge: gap %g after %d", f.name, gap, steps)
				}
			}
			slow, _ := classical.solve(u, gram)
			onSimplex(t, u)
			// Jaggi (2013), Theorem 2: gap ≤ 2β·C/(K + 2), with curvature C ≤ 2·diam² ≤ 8 max‖g‖² and β = 27/8.
			if slow > 2*27./8*8/2002 {
				t.Errorf("%s: classical gap %g after 2000 steps", f.name, slow)
			}
		}
	}
}

func TestFrankWolfeFirstStep(t *testing.T) {
	// From the smaller row (1,0) towards (0,2), the gain is 1 and the curvature 1+4. The step 1/5 reaches the
	// minimum.
	for _, pairwise := range []bool{false, true} {
		f := frankWolfe{pairwise: pairwise, most: 2, gap: 1e-15}
		w := make([]float64, 2)
		if gap, n := f.solve(w, []float64{1, 0, 0, 4}); gap > 1e-15 || n != 1 || !nearly(w, []float64{0.8, 0.2}, 1e-15) {
			t.Errorf("pairwise %v: weights %v, gap %g after %d", pairwise, w, gap, n)
		}
	}
}
