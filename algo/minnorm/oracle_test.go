package minnorm

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
)

type oracle struct {
	Name    string
	G       [][]float64
	V       []float64 `json:"min_norm_vec"`
	Norm    float64   `json:"min_norm"`
	W       []float64
	Support []int
	Unique  bool `json:"weights_unique"`
}

// oracles returns cases whose min-norm points were computed in 120-digit arithmetic.
func oracles(t *testing.T) []oracle {
	t.Helper()
	data, err := os.ReadFile("testdata/min_norm.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []oracle }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 29 {
		t.Fatalf("%d cases, want 29", len(file.Cases))
	}
	return file.Cases
}

func jacobian(rows [][]float64, scale float64) *algo.Jacobian {
	j := algo.NewJacobian(len(rows), len(rows[0]))
	for i, r := range rows {
		for k, v := range r {
			j.Row(i)[k] = v * scale
		}
	}
	return j
}

// lengthened inserts columns of zeros between the columns of j and after them. The rows are then long, but have the
// same point of least norm.
func lengthened(j *algo.Jacobian) *algo.Jacobian {
	l := algo.NewJacobian(j.Rows, 3*j.Cols+longRow)
	for i := range j.Rows {
		for c, v := range j.Row(i) {
			l.Row(i)[3*c+1] = v
		}
	}
	return l
}

func norm(v []float64) float64 {
	var h float64
	for _, a := range v {
		h = math.Hypot(h, a)
	}
	return h
}

func largestRow(j *algo.Jacobian) float64 {
	var n float64
	for i := range j.Rows {
		n = max(n, norm(j.Row(i)))
	}
	return n
}

// distance returns ‖Gᵀλ − v‖ relative to ‖v‖, or relative to the longest row if v is 0.
func distance(j *algo.Jacobian, weights, v []float64) float64 {
	d := make([]float64, j.Cols)
	j.Combine(d, weights)
	for i := range d {
		d[i] -= v[i]
	}
	unit := norm(v)
	if unit == 0 {
		unit = largestRow(j)
	}
	if unit == 0 {
		unit = 1
	}
	return norm(d) / unit
}

func onSimplex(t *testing.T, weights []float64) {
	t.Helper()
	var sum float64
	for i, w := range weights {
		if !(w >= 0) {
			t.Fatalf("weight %d = %g", i, w)
		}
		sum += w
	}
	if math.Abs(sum-1) > 1e-14*float64(len(weights)) {
		t.Fatalf("weights sum to 1%+g", sum-1)
	}
}

func TestOracle(t *testing.T) {
	var s Solver
	for _, c := range oracles(t) {
		// For powers of two, scaling the rows scales the minimum exactly.
		for _, scale := range []float64{1, 0x1p27, 0x1p-27} {
			j := jacobian(c.G, scale)
			v := make([]float64, len(c.V))
			for i := range v {
				v[i] = c.V[i] * scale
			}
			gram := make([]float64, j.Rows*j.Rows)
			j.Gram(gram)
			weights := make([]float64, j.Rows)
			for _, way := range []string{"Jacobian", "long Jacobian", "Gramian"} {
				var gap float64
				var status algo.Status
				switch way {
				case "Jacobian":
					gap, status = s.SolveJacobian(weights, j)
				case "long Jacobian":
					gap, status = s.SolveJacobian(weights, lengthened(j))
				default:
					gap, status = s.Solve(weights, gram)
				}
				onSimplex(t, weights)
				if status != algo.Converged || !(gap >= 0 && gap <= 1e-13) {
					t.Errorf("%s ×%g from the %s: status %v, gap %g", c.Name, scale, way, status, gap)
				}
				d := distance(j, weights, v)
				t.Logf("%s ×%g from the %s: %.1e gap %.1e", c.Name, scale, way, d, gap)
				if !(d <= 1e-10) {
					t.Errorf("%s ×%g from the %s: off by %.2e", c.Name, scale, way, d)
				}
				if unique(c) && !nearly(weights, c.W, 1e-9) {
					t.Errorf("%s ×%g from the %s: weights %v, want %v", c.Name, scale, way, weights, c.W)
				}
			}
		}
	}
}

// TestOracleDecimalScales checks scaling by powers of ten. Scaling rounds the rows, and may move the minimum by no more
// than this rounding.
func TestOracleDecimalScales(t *testing.T) {
	var s Solver
	for _, c := range oracles(t) {
		for _, scale := range []float64{1e8, 1e-8} {
			j := jacobian(c.G, scale)
			v := make([]float64, len(c.V))
			for i := range v {
				v[i] = c.V[i] * scale
			}
			weights := make([]float64, j.Rows)
			s.SolveJacobian(weights, j)
			if d := distance(j, weights, v); !(d <= 1e-10) {
				t.Errorf("%s ×%g: off by %.2e", c.Name, scale, d)
			}
			s.SolveJacobian(weights, lengthened(j))
			if d := distance(j, weights, v); !(d <= 1e-10) {
				t.Errorf("%s ×%g with long rows: off by %.2e", c.Name, scale, d)
			}
		}
	}
}

// unique reports whether λ* is unique: no row outside the support touches the supporting plane, and c.Unique says
// that the support itself is independent.
func unique(c oracle) bool {
	touching := 0
	for _, g := range c.G {
		if dot(g, c.V) <= c.Norm*c.Norm*(1+1e-9) {
			touching++
		}
	}
	return c.Unique && touching == len(c.Support)
}

func nearly(a, b []float64, tolerance float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance) {
			return false
		}
	}
	return true
}
