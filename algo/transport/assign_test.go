package transport

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// byPivots solves a task by pivots alone, from the tree that Begin builds.
func byPivots(t testing.TB, task *Task) *Plan {
	t.Helper()
	e := NewExact()
	begin(t, e, task)
	for !e.Done() {
		e.Iterate()
	}
	p := &Plan{}
	e.Read(p)
	return p
}

// TestAssignment checks, with equal masses on both sides, that plans cost the same as plans found by pivots alone,
// and that their potentials prove them optimal. If only one plan has the least cost, both methods must find it.
func TestAssignment(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	for k := range 120 {
		n := leastAssignment + r.IntN(90)
		kinds := []string{"square", "random", "ties", "few points", "constant", "scaled down", "scaled up", "offset", "negative", "of a row",
			"zero", "equal columns"}
		kind := kinds[k%len(kinds)]
		from := "random"
		if kind == "square" {
			from = "square"
		}
		task := drawn(from, k, n, n)
		for i := range task.Cost {
			c := &task.Cost[i]
			switch kind {
			case "ties":
				*c = math.Floor(*c * 4)
			case "few points": // many points coincide
				*c = math.Abs(float64(i/n%5) - float64(i%n%7))
			case "constant":
				*c = 0.7
			case "scaled down":
				*c *= 1e-8
			case "scaled up":
				*c *= 1e8
			case "offset":
				*c = 1e6 + 1e-3**c
			case "negative":
				*c -= 2
			case "of a row": // every plan costs the same
				*c = task.Cost[i/n*n]
			case "zero":
				*c = 0
			case "equal columns":
				*c = task.Cost[i/n*n+i%n/2]
			}
		}
		mass := []float64{1, 0.1, 1.0 / 3, 1e8, 1e-8}[r.IntN(5)]
		for i := range n {
			task.A[i], task.B[i] = mass, mass
		}
		t.Run(fmt.Sprintf("%s %d", kind, n), func(t *testing.T) {
			p, want := solved(t, NewExact(), task), byPivots(t, task)
			checkPlan(t, p, task)
			if d := math.Abs(p.Cost - want.Cost); !(d <= 1e-13*largest(task.Cost)*mass*float64(n)) {
				t.Errorf("cost %v, by pivots %v", p.Cost, want.Cost)
			}
			for i, m := range p.Mass {
				if m != 0 && !(math.Abs(m-mass) <= 1e-12*mass) {
					t.Fatalf("mass %d: got %v, want %v", i, m, mass)
				}
				switch kind {
				case "square", "random", "scaled down", "scaled up", "negative":
					if !(math.Abs(m-want.Mass[i]) <= 1e-12*mass) {
						t.Fatalf("mass %d is %v, by pivots %v", i, m, want.Mass[i])
					}
				}
			}
		})
	}
}

// TestAssignmentStartsAtTheEnd checks that pivots only correct rounding errors after a cold start from an
// assignment.
func TestAssignmentStartsAtTheEnd(t *testing.T) {
	for _, kind := range []string{"square", "random"} {
		for seed := 1; seed <= 20; seed++ {
			if p := solved(t, NewExact(), drawn(kind, seed, 32+3*seed, 32+3*seed)); p.Iterations > 0 {
				t.Errorf("%s %d: %d pivots", kind, seed, p.Iterations)
			}
		}
	}
}

// TestAssignmentOfBlocks solves tasks that consist of small separate blocks. The cost must be the sum of the blocks'
// least costs, which come from trying every assignment.
func TestAssignmentOfBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	for range 20 {
		// Blocks of 4 are separated by expensive cells, so each block is a separate assignment.
		const n, block = 40, 4
		task := drawn("random", r.IntN(1000), n, n)
		var want float64
		for at := 0; at < n; at += block {
			best := math.Inf(1)
			for order := []int{0, 1, 2, 3}; order != nil; order = following(order) {
				var cost float64
				for i, j := range order {
					cost += task.Cost[(at+i)*n+at+j]
				}
				best = min(best, cost)
			}
			want += best / n
		}
		for i := range n {
			for j := range n {
				if i/block != j/block {
					task.Cost[i*n+j] += 1e4
				}
			}
		}
		if p := solved(t, NewExact(), task); !(math.Abs(p.Cost-want) <= 1e-12) {
			t.Errorf("cost %v, want %v", p.Cost, want)
		}
	}
}

// following returns the next permutation in lexicographic order, or nil after the last.
func following(v []int) []int {
	k := len(v) - 2
	for k >= 0 && v[k] > v[k+1] {
		k--
	}
	if k < 0 {
		return nil
	}
	j := len(v) - 1
	for v[j] < v[k] {
		j--
	}
	v[k], v[j] = v[j], v[k]
	slices.Reverse(v[k+1:])
	return v
}

// TestAssignmentForbidden checks that an assignment of least cost is also found next to very large costs, which
// mark forbidden cells.
func TestAssignmentForbidden(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 3))
	for _, forbidden := range []float64{1e6, 1e11, 1e14, 1e18} {
		for k := range 10 {
			n := leastAssignment + r.IntN(40)
			task, moderate := drawn("random", k, n, n), drawn("random", k, n, n)
			for i := range task.Cost {
				if k%2 == 0 {
					task.Cost[i] = math.Round(task.Cost[i]*8) / 8
				}
				moderate.Cost[i] = task.Cost[i]
				if r.IntN(4) > 0 && (i/n+k)%n != i%n {
					task.Cost[i], moderate.Cost[i] = forbidden, 1e3
				}
			}
			got, want := solved(t, NewExact(), task), byPivots(t, moderate)
			if !(math.Abs(got.Cost-want.Cost) <= 1e-12) || !got.Converged || got.Gap > 1e-10 {
				t.Errorf("forbidden cells of %g, problem %d: cost %v, want %v; gap %g, converged %t",
					forbidden, k, got.Cost, want.Cost, got.Gap, got.Converged)
			}
		}
	}
}
