package transport

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPivotsMoveTheirPart checks that recomputing everything after a pivot gives the same depths, potentials and
// branches.
func TestPivotsMoveTheirPart(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 1))
	for k := range 40 {
		task := random(r, 1+r.IntN(40), 1+r.IntN(40), k%2 == 0)
		if k%4 == 1 {
			for i := range task.Cost {
				task.Cost[i] = float64(r.IntN(3))
			}
		}
		e := NewExact()
		begin(t, e, task)
		for !e.Done() {
			e.Iterate()
			v, depth := slices.Clone(e.v), slices.Clone(e.depth)
			e.arrange()
			e.potentials()
			if !slices.Equal(v, e.v) || !slices.Equal(depth, e.depth) {
				t.Fatalf("task %d, pivot %d: potentials %v, anew %v; depths %v, anew %v", k, e.pivots, v, e.v, depth, e.depth)
			}
			var anew branches
			anew.resize(e.rows, e.cols)
			anew.grow(e.up, e.over)
			for _, pair := range [][2]*lists{{&e.branches.columns, &anew.columns}, {&e.branches.rows, &anew.rows}} {
				for list := range pair[0].first {
					if got, want := members(pair[0], list), members(pair[1], list); !slices.Equal(got, want) {
						t.Fatalf("task %d, pivot %d: %v hang from %d, want %v", k, e.pivots, got, list, want)
					}
				}
			}
		}
	}
}

// members returns the numbers in a list, sorted.
func members(l *lists, list int) []int {
	var found []int
	for x := l.first[list]; x >= 0; x = l.next[x] {
		found = append(found, x)
	}
	slices.Sort(found)
	return found
}
