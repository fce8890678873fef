package transport

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"paretoplay/algo/algotest"
)

// drawn returns a task with n rows and m columns. The task depends only on seed, kind and size. For kind "square", the
// costs are squared distances between points in the unit square. The points are drawn for the n rows first, x before y.
// For kind "random", the costs are drawn row by row. Masses are 1/n and 1/m. If the kind begins with "unequal", each
// mass is instead ½ plus a random number; the rows' masses and the columns' masses are then divided by their sums.
// These numbers are drawn after the costs, first for the rows.
func drawn(kind string, seed, n, m int) *Task {
	t := &Task{Cost: make([]float64, n*m), A: make([]float64, n), B: make([]float64, m)}
	unequal := kind == "unequal square" || kind == "unequal random"
	next := n * m
	if kind == "random" || kind == "unequal random" {
		for i := range t.Cost {
			t.Cost[i] = algotest.Draw(seed, i)
		}
	} else {
		next = 2 * (n + m)
		for i := range n {
			for j := range m {
				dx := algotest.Draw(seed, 2*i) - algotest.Draw(seed, 2*(n+j))
				dy := algotest.Draw(seed, 2*i+1) - algotest.Draw(seed, 2*(n+j)+1)
				t.Cost[i*m+j] = float64(dx*dx) + float64(dy*dy)
			}
		}
	}
	for _, mass := range [][]float64{t.A, t.B} {
		for i := range mass {
			mass[i] = 1
			if unequal {
				mass[i] = 0.5 + algotest.Draw(seed, next)
				next++
			}
		}
		by := sum(mass)
		for i := range mass {
			mass[i] /= by
		}
	}
	return t
}

// BenchmarkExact solves tasks of seeds 1 to 4 in turn, each from a cold start. "warm" solves a task of seed 1 whose
// costs alternate from call to call between two versions that differ by one part in 10,000. The metric "cost" is the
// least cost of the first task; bench/peers compares its results with it.
func BenchmarkExact(b *testing.B) {
	for _, size := range [][2]int{{5, 5}, {30, 5}, {206, 5}, {5, 206}, {300, 20}, {200, 10}} {
		r := rand.New(rand.NewPCG(9, 10))
		var tasks []*Task
		for k := range 20 {
			tasks = append(tasks, random(r, size[0], size[1], k%2 == 0))
		}
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) { benchmarkExact(b, tasks, true) })
	}
	for _, kind := range []string{"square", "random", "unequal square", "unequal random"} {
		for _, size := range [][2]int{
			{5, 5}, {30, 5}, {206, 5}, {20, 20}, {50, 50}, {200, 50}, {200, 200}, {500, 500}, {1000, 1000}, {2000, 50},
		} {
			name := fmt.Sprintf("%s/%d", kind, size[0])
			if size[0] != size[1] {
				name = fmt.Sprintf("%s/%dx%d", kind, size[0], size[1])
			}
			b.Run(name, func(b *testing.B) {
				var tasks []*Task
				for seed := 1; seed <= 4; seed++ {
					tasks = append(tasks, drawn(kind, seed, size[0], size[1]))
				}
				benchmarkExact(b, tasks, true)
			})
		}
		for _, size := range [][2]int{{30, 5}, {206, 5}, {200, 50}, {200, 200}, {500, 500}, {1000, 1000}} {
			b.Run(fmt.Sprintf("warm %s/%dx%d", kind, size[0], size[1]), func(b *testing.B) {
				tasks := []*Task{drawn(kind, 1, size[0], size[1]), drawn(kind, 1, size[0], size[1])}
				for i := range tasks[1].Cost {
					tasks[1].Cost[i] *= 1 + float64(1e-4*(algotest.Draw(2, i)-0.5))
				}
				benchmarkExact(b, tasks, false)
			})
		}
	}
}

func benchmarkExact(b *testing.B, tasks []*Task, cold bool) {
	b.ReportAllocs()
	e := NewExact()
	var p Plan
	k, pivots := 0, 0
	if !cold {
		solved(b, e, tasks[1])
	}
	for b.Loop() {
		if cold {
			e.Forget()
		}
		if err := e.Solve(&p, tasks[k%len(tasks)]); err != nil {
			b.Fatal(err)
		}
		k++
		pivots += p.Iterations
	}
	b.ReportMetric(float64(pivots)/float64(k), "pivots/op")
	b.ReportMetric(solved(b, e, tasks[0]).Cost, "cost")
}
