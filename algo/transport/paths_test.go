package transport

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// byPaths returns the least cost for integer masses. It moves one unit at a time along a shortest path.
func byPaths(cost []float64, a, b []int) float64 {
	n, m := len(a), len(b)
	mass := make([]int, n*m)
	for i := range n {
		for range a[i] {
			// rows and cols hold distances from row i; over and up hold the previous node on each shortest path. Any
			// cell leads from its row to its column, and a cell with mass also leads back.
			rows, cols, over, up := make([]float64, n), make([]float64, m), make([]int, m), make([]int, n)
			for k := range rows {
				rows[k] = math.Inf(1)
			}
			for j := range cols {
				cols[j] = math.Inf(1)
			}
			rows[i] = 0
			for moved := true; moved; {
				moved = false
				for k := range n {
					for j := range m {
						c := cost[k*m+j]
						if d := rows[k] + c; d < cols[j]-1e-13 {
							cols[j], over[j], moved = d, k, true
						}
						if d := cols[j] - c; mass[k*m+j] > 0 && d < rows[k]-1e-13 {
							rows[k], up[k], moved = d, j, true
						}
					}
				}
			}
			end := -1
			for j, room := range b {
				if room > 0 && (end < 0 || cols[j] < cols[end]) {
					end = j
				}
			}
			b[end]--
			for j := end; ; j = up[over[j]] {
				k := over[j]
				mass[k*m+j]++
				if k == i {
					break
				}
				mass[k*m+up[k]]--
			}
		}
	}
	var sum float64
	for k, v := range mass {
		sum += float64(v) * cost[k]
	}
	return sum
}

// TestExactAgainstPaths compares least costs with the results of byPaths, for integer masses and several scales of the
// costs. Many masses are equal or have equal partial sums.
func TestExactAgainstPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 1))
	for k := range 60 {
		n, m := 1+r.IntN(40), 1+r.IntN(40)
		if k%3 == 0 {
			n = leastAssignment + r.IntN(10)
			m = n
		}
		kind := []string{"square", "random", "ties", "few points"}[k%4]
		from := "random"
		if kind == "square" {
			from = "square"
		}
		task := drawn(from, k, n, m)
		for i := range task.Cost {
			switch kind {
			case "ties":
				task.Cost[i] = math.Floor(task.Cost[i] * 4)
			case "few points":
				task.Cost[i] = math.Abs(float64(i/m%4) - float64(i%m%3))
			}
		}
		a, b := make([]int, n), make([]int, m)
		for range 2 * m {
			if k%3 > 0 {
				b[r.IntN(m)]++
			}
		}
		total := 0
		for j := range b {
			if k%3 == 0 {
				b[j] = 1
			}
			total += b[j]
		}
		for i := range a {
			if k%3 == 0 {
				a[i] = 1
			}
		}
		for left := total; k%3 > 0 && left > 0; left-- {
			a[r.IntN(n)]++
		}
		for i, v := range a {
			task.A[i] = float64(v)
		}
		for j, v := range b {
			task.B[j] = float64(v)
		}
		t.Run(fmt.Sprintf("%s %dx%d", kind, n, m), func(t *testing.T) {
			want := byPaths(task.Cost, a, b)
			for _, scale := range []float64{1, 1e8, 1e-8} {
				scaled := &Task{Cost: make([]float64, n*m), A: task.A, B: task.B}
				for i, c := range task.Cost {
					scaled.Cost[i] = c * scale
				}
				p := solved(t, NewExact(), scaled)
				checkPlan(t, p, scaled)
				if !(math.Abs(p.Cost-want*scale) <= 1e-12*scale*float64(total)) {
					t.Errorf("costs times %g: %v, want %v", scale, p.Cost, want*scale)
				}
			}
		})
	}
}
