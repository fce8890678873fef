package transport

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestForbidden checks that the plan has the least cost, with a proof, even next to very large costs, which mark
// forbidden cells. If the precision does not suffice, Converged must be false.
func TestForbidden(t *testing.T) {
	ones := []float64{1, 1, 1}
	for _, c := range []struct {
		cost []float64
		want float64
	}{
		{[]float64{.25, .5, .25, 0, .75, .75, 1e14, 1e14, .5}, 1},
		{[]float64{0, 1e18, .25, .25, 0, 0, 0, 1e18, .75}, .25},
	} {
		var p Plan
		if err := NewExact().Solve(&p, &Task{c.cost, ones, ones}); err != nil || p.Cost != c.want || !p.Converged || p.Gap > 1e-12 {
			t.Errorf("%v: cost %g, want %g, gap %g, converged %t, %v", c.cost, p.Cost, c.want, p.Gap, p.Converged, err)
		}
	}
	const n, problems = 20, 40
	for _, forbidden := range []float64{1e11, 1e12, 1e13, 1e14, 1e18, 1e22} {
		r := rand.New(rand.NewPCG(39, 3))
		for k := range problems {
			// One permutation contains no forbidden cell. With masses of 1, an optimal plan is a permutation
			// and avoids these cells.
			rows, columns := n, n
			if k%4 == 1 {
				columns = 13
			}
			task := Task{Cost: make([]float64, rows*columns), A: make([]float64, rows), B: make([]float64, columns)}
			moderate := Task{Cost: make([]float64, rows*columns), A: task.A, B: task.B}
			for i := range rows {
				for j := range columns {
					c := math.Round(8*r.Float64()) / 8
					if k%2 == 1 {
						c = r.Float64()
					}
					task.Cost[i*columns+j], moderate.Cost[i*columns+j] = c, c
					if r.Float64() < 0.5 && (i+k)%columns != j && j > 0 {
						task.Cost[i*columns+j], moderate.Cost[i*columns+j] = forbidden, 1e3
					}
				}
			}
			var total float64
			for i := range rows {
				task.A[i] = 1
				if k%4 == 3 {
					task.A[i] = r.Float64()
				}
				total += task.A[i]
			}
			for j := range columns {
				task.B[j] = total / float64(columns)
			}
			var want, got Plan
			if err := NewExact().Solve(&want, &moderate); err != nil {
				t.Fatal(err)
			}
			if err := NewExact().Solve(&got, &task); err != nil {
				t.Fatal(err)
			}
			if want.Cost > 100 { // a forbidden cell is needed
				continue
			}
			if !(math.Abs(got.Cost-want.Cost) <= 1e-12*want.Cost) || forbidden < 1e20 && (!got.Converged || got.Gap > 1e-10) ||
				forbidden > 1e20 && (got.Converged || got.Gap > 1e-5) {
				t.Errorf("forbidden cells of %g, problem %d: cost %g, want %g, gap %g, converged %t",
					forbidden, k, got.Cost, want.Cost, got.Gap, got.Converged)
			}
		}
	}
	var p Plan
	if err := NewExact().Solve(&p, &Task{[]float64{.25, .5, .25, 0, .75, .75, 1e300, 1e300, .5}, ones, ones}); err != nil ||
		p.Converged || p.Gap < 0.5 {
		t.Errorf("costs of 1e300: cost %g, gap %g, converged %t, %v", p.Cost, p.Gap, p.Converged, err)
	}
}

// TestFine checks that sums of type fine keep the digits that double precision loses.
func TestFine(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 4))
	for range 1000 {
		large, small := math.Ldexp(r.Float64()-0.5, 40+r.IntN(40)), r.Float64()-0.5
		got := fine{high: large}.plus(fine{high: small}).minus(fine{high: large})
		if got.high != small || got.low != 0 {
			t.Fatalf("%g + %g − %g = %v", large, small, large, got)
		}
	}
	if !(fine{1, -0x1p-60}).below(fine{1, 0}) || (fine{1, 0}).below(fine{1, 0}) {
		t.Error("below")
	}
}
