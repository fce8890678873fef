package transport

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"paretoplay/algo"
)

// oracle is the content of testdata/ot.json: optimal plans that two other programs computed.
type oracle struct {
	Cases []struct {
		Name        string
		N, M        int
		C           [][]float64
		Alpha, Beta []float64
		Cost        float64
		IPOT        map[string]struct {
			Cost   *float64
			RowErr *float64 `json:"row_err"`
		}
	}
	Reg []struct {
		N, M        int
		Tau         float64
		C           [][]float64
		Alpha, Beta []float64
		UnregCost   float64 `json:"unreg_cost"`
		Obj         float64
		MilpGap     float64 `json:"milp_gap"`
	} `json:"reg_cases"`
}

func oracles(t testing.TB) (o oracle) {
	t.Helper()
	text, err := os.ReadFile("testdata/ot.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func flat(rows [][]float64) []float64 { return slices.Concat(rows...) }

// random returns a task with costs in [0, 1) and equal or random masses.
func random(r *rand.Rand, n, m int, uniform bool) *Task {
	t := &Task{Cost: make([]float64, n*m), A: make([]float64, n), B: make([]float64, m)}
	for i := range t.Cost {
		t.Cost[i] = r.Float64()
	}
	for _, mass := range [][]float64{t.A, t.B} {
		var sum float64
		for i := range mass {
			mass[i] = 1
			if !uniform {
				mass[i] = r.ExpFloat64()
			}
			sum += mass[i]
		}
		for i := range mass {
			mass[i] /= sum
		}
	}
	return t
}

func largest(v []float64) (s float64) {
	for _, x := range v {
		s = max(s, math.Abs(x))
	}
	return s
}

// checkPlan checks that a plan is optimal. It must meet the marginals and have at most n+m−1 non-zero masses. Its
// potentials must bound every cost, and equal the cost where the plan has mass.
func checkPlan(t testing.TB, p *Plan, task *Task) {
	t.Helper()
	n, m := len(task.A), len(task.B)
	scale := largest(task.Cost)
	total := 0.0
	for _, a := range task.A {
		total += a
	}
	if !p.Converged {
		t.Errorf("not converged after %d pivots", p.Iterations)
	}
	if !(p.MarginalError <= 1e-13*total) {
		t.Errorf("marginal error %v", p.MarginalError)
	}
	masses, dual, cost := 0, 0.0, 0.0
	rows, cols := make([]float64, n), make([]float64, m)
	for i := range n {
		dual += task.A[i] * p.U[i]
		for j := range m {
			mass, c := p.Mass[i*m+j], task.Cost[i*m+j]
			rows[i] += mass
			cols[j] += mass
			cost += mass * c
			reduced := c - p.U[i] - p.V[j]
			switch {
			case !(mass >= 0):
				t.Fatalf("mass[%d][%d] = %v", i, j, mass)
			case mass > 0 && !(math.Abs(reduced) <= 1e-12*scale):
				t.Errorf("the reduced cost of [%d][%d] with mass %v is %v of %v", i, j, mass, reduced, scale)
			case !(reduced >= -1e-12*scale):
				t.Errorf("the reduced cost of [%d][%d] is %v of %v", i, j, reduced, scale)
			}
			if mass > 0 {
				masses++
			}
		}
	}
	var off float64
	for j := range m {
		dual += task.B[j] * p.V[j]
		off += math.Abs(cols[j] - task.B[j])
	}
	for i := range n {
		off += math.Abs(rows[i] - task.A[i])
	}
	if !(off <= 3e-9*total) {
		t.Errorf("marginals are off by %v", off)
	}
	if masses > n+m-1 {
		t.Errorf("%d masses, %d are enough", masses, n+m-1)
	}
	if !(math.Abs(cost-p.Cost) <= 1e-13*scale*total) || !(math.Abs(dual-p.Cost) <= 3e-9*scale*total) {
		t.Errorf("cost %v, by the plan %v, by the potentials %v", p.Cost, cost, dual)
	}
}

func TestExactOracle(t *testing.T) {
	e := NewExact()
	for _, c := range oracles(t).Cases {
		t.Run(c.Name, func(t *testing.T) {
			task := &Task{flat(c.C), c.Alpha, c.Beta}
			var p Plan
			if err := e.Solve(&p, task); err != nil {
				t.Fatal(err)
			}
			checkPlan(t, &p, task)
			if d := math.Abs(p.Cost - c.Cost); !(d <= 1e-12*largest(task.Cost)) {
				t.Errorf("cost %v, want %v: off by %v", p.Cost, c.Cost, d)
			}
		})
	}
}

// TestExactByHand compares a plan and its potentials with numbers computed by hand. Column 1 is cheaper for both rows,
// and saves more for the first.
func TestExactByHand(t *testing.T) {
	var p Plan
	task := &Task{Cost: []float64{1, 3, 2, 3}, A: []float64{0.5, 0.5}, B: []float64{0.75, 0.25}}
	if err := NewExact().Solve(&p, task); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0.5, 0, 0.25, 0.25}; !slices.Equal(p.Mass, want) || p.Cost != 1.75 {
		t.Errorf("plan %v of cost %v, want %v", p.Mass, p.Cost, want)
	}
	// The second row gives v₂ − v₁ = 1, and the shift gives .75 v₁ + .25 v₂ = 0.
	if want := []float64{-0.25, 0.75}; !slices.Equal(p.V, want) || !slices.Equal(p.U, []float64{1.25, 2.25}) {
		t.Errorf("potentials %v %v, want v = %v", p.U, p.V, want)
	}
}

func TestExactProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 600 {
		n, m := 1+r.IntN(12), 1+r.IntN(8)
		switch k % 20 {
		case 0:
			n, m = 1+r.IntN(300), 1+r.IntN(20)
		case 1:
			n, m = 1+r.IntN(20), 1+r.IntN(300)
		}
		task := random(r, n, m, k%2 == 0)
		kind := []string{"plain", "ties", "constant", "zeros", "negative", "equal columns", "tiny masses", "offset", "one column"}[k%9]
		switch kind {
		case "ties":
			for i := range task.Cost {
				task.Cost[i] = float64(r.IntN(3))
			}
		case "constant":
			for i := range task.Cost {
				task.Cost[i] = 0.7
			}
		case "zeros":
			for _, mass := range [][]float64{task.A, task.B} {
				for i := range mass[1:] {
					if r.IntN(2) == 0 {
						mass[0] += mass[i+1]
						mass[i+1] = 0
					}
				}
			}
		case "negative":
			for i := range task.Cost {
				task.Cost[i] = r.NormFloat64()
			}
		case "equal columns":
			for i := range task.Cost {
				task.Cost[i] = task.Cost[i/m*m]
			}
		case "tiny masses":
			for i := range task.A {
				task.A[i] *= math.Pow(10, -20*r.Float64())
			}
			var a, b float64
			for _, v := range task.A {
				a += v
			}
			for j := range task.B {
				task.B[j] *= math.Pow(10, -20*r.Float64())
				b += task.B[j]
			}
			for j := range task.B {
				task.B[j] *= a / b
			}
		case "offset":
			for i := range task.Cost {
				task.Cost[i] = 1e6 + 1e-3*task.Cost[i]
			}
		case "one column":
			clear(task.B)
			task.B[r.IntN(m)] = 1
		}
		t.Run(fmt.Sprintf("%s %dx%d", kind, n, m), func(t *testing.T) {
			e := NewExact()
			var p Plan
			for range 3 { // cold; then warm with other costs; then warm with other masses
				if err := e.Solve(&p, task); err != nil {
					t.Fatal(err)
				}
				checkPlan(t, &p, task)
				var cold Plan
				if err := NewExact().Solve(&cold, task); err != nil {
					t.Fatal(err)
				}
				if d := math.Abs(cold.Cost - p.Cost); !(d <= 1e-12*largest(task.Cost)) {
					t.Errorf("warm %v, cold %v", p.Cost, cold.Cost)
				}
				for i := range task.Cost {
					task.Cost[i] += 0.1 * r.NormFloat64() * task.Cost[i]
				}
				if p.Iterations%2 == 0 {
					task.B[0], task.B[m-1] = task.B[m-1], task.B[0]
				}
			}
		})
	}
}

// TestExactScale checks that scaling the costs does not change the plan, and that scaling the masses scales the
// plan.
func TestExactScale(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		task := random(r, 1+r.IntN(30), 1+r.IntN(8), false)
		var want Plan
		if err := NewExact().Solve(&want, task); err != nil {
			t.Fatal(err)
		}
		for _, by := range []float64{1e150, 1e-150, 1e300, 1e-300, 0x1p-1040, -1e-8, 1e8} {
			scaled := &Task{Cost: slices.Clone(task.Cost), A: task.A, B: task.B}
			for i := range scaled.Cost {
				scaled.Cost[i] *= math.Abs(by)
			}
			var p Plan
			if err := NewExact().Solve(&p, scaled); err != nil {
				t.Fatal(err)
			}
			for i, mass := range p.Mass {
				if by != 0x1p-1040 && mass != want.Mass[i] {
					t.Fatalf("costs times %v: mass %d is %v, want %v", by, i, mass, want.Mass[i])
				}
			}
			if !algo.Finite(p.U) || !algo.Finite(p.V) || !p.Converged {
				t.Errorf("costs times %v: potentials %v %v", by, p.U, p.V)
			}
			masses := &Task{Cost: task.Cost, A: slices.Clone(task.A), B: slices.Clone(task.B)}
			for _, mass := range [][]float64{masses.A, masses.B} {
				for i := range mass {
					mass[i] *= math.Abs(by)
				}
			}
			if err := NewExact().Solve(&p, masses); err != nil {
				t.Fatal(err)
			}
			for i, mass := range p.Mass {
				if by != 0x1p-1040 && !(math.Abs(mass/math.Abs(by)-want.Mass[i]) <= 1e-14) {
					t.Fatalf("masses times %v: mass %d is %v, want %v", by, i, mass/by, want.Mass[i])
				}
			}
		}
	}
}

// TestExactRepeats checks that, after Load, repeated calls return the same results, bit for bit.
func TestExactRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][2]int{{30, 5}, {5, 30}, {4, 4}, {40, 40}} {
		e, again := NewExact(), NewExact()
		var p, q Plan
		tasks := make([]*Task, 6)
		for k := range tasks {
			tasks[k] = random(r, size[0], size[1], true)
		}
		for k, task := range tasks {
			var s algo.Snapshot
			e.Save(&s)
			if err := e.Solve(&p, task); err != nil {
				t.Fatal(err)
			}
			if k%2 == 0 {
				again = NewExact()
			}
			again.Load(&s)
			if err := again.Solve(&q, task); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.Mass, q.Mass) || !slices.Equal(p.U, q.U) || !slices.Equal(p.V, q.V) || p.Iterations != q.Iterations {
				t.Fatalf("%v, call %d: another plan after Load", size, k)
			}
		}
		cold := NewExact()
		if err := cold.Solve(&q, tasks[0]); err != nil {
			t.Fatal(err)
		}
		e.Forget()
		if err := e.Solve(&p, tasks[0]); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Mass, q.Mass) || p.Iterations != q.Iterations {
			t.Errorf("%v: another plan after Forget", size)
		}
	}
}

// TestExactZeros checks that masses that cancel are exactly 0. Otherwise rounding errors would count as masses.
func TestExactZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		m := 1 + r.IntN(6)
		n := m * (1 + r.IntN(6))
		task := random(r, n, m, true)
		var p Plan
		if err := NewExact().Solve(&p, task); err != nil {
			t.Fatal(err)
		}
		for i, mass := range p.Mass { // if n is a multiple of m, no row is split
			if mass != 0 && !(math.Abs(mass*float64(n)-1) < 1e-12) {
				t.Errorf("%dx%d: mass %d is %v of 1/%d", n, m, i, mass, n)
			}
		}
	}
}

// FuzzExact checks that every task that passes Check gets an optimal plan. The bytes encode costs and masses as
// small numbers with many ties.
func FuzzExact(f *testing.F) {
	f.Add(uint8(3), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1, 2, 0, 1})
	f.Add(uint8(1), []byte{0, 0, 0, 0, 255, 1})
	f.Fuzz(func(t *testing.T, columns uint8, bytes []byte) {
		m := int(columns%8) + 1
		n := (len(bytes) - m) / (m + 1)
		if n < 1 || n > 30 {
			return
		}
		task := &Task{Cost: make([]float64, n*m), A: make([]float64, n), B: make([]float64, m)}
		for i := range task.Cost {
			task.Cost[i] = float64(int8(bytes[i]))
		}
		var a, b float64
		for i := range task.A {
			task.A[i] = float64(bytes[n*m+i])
			a += task.A[i]
		}
		for j := range task.B {
			task.B[j] = float64(bytes[n*m+n+j])
			b += task.B[j]
		}
		if a == 0 || b == 0 {
			return
		}
		for j := range task.B {
			task.B[j] *= a / b
		}
		e := NewExact()
		for range 2 {
			checkPlan(t, solved(t, e, task), task)
		}
	})
}
