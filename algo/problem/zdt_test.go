package problem_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newZDT(t testing.TB, number, d int) *problem.ZDT {
	t.Helper()
	p, err := problem.NewZDT(number, d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestZDTConformance(t *testing.T) {
	for number := 1; number <= 3; number++ {
		for _, d := range []int{2, 3, 30, 57} {
			corner := make([]float64, d)
			algotest.Problem(t, newZDT(t, number, d), corner)
		}
	}
}

func TestZDTOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/zdt.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		ZDT []struct {
			Problem string
			X, F    []float64
			First   []float64 `json:"grad_f1"`
			Second  []float64 `json:"grad_f2"`
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.ZDT) != 15 {
		t.Fatalf("%d points, want 15", len(oracle.ZDT))
	}
	for i, c := range oracle.ZDT {
		p := newZDT(t, int(c.Problem[3]-'0'), len(c.X))
		f, jac := make([]float64, 2), algo.NewJacobian(2, len(c.X))
		p.Values(f, c.X)
		p.Jacobian(jac, c.X)
		for _, pair := range [][2][]float64{{f, c.F}, {jac.Row(0), c.First}, {jac.Row(1), c.Second}} {
			for k, want := range pair[1] {
				if got := pair[0][k]; math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) {
					t.Errorf("%s, point %d: %v, want %v", c.Problem, i, got, want)
				}
			}
		}
	}
}

// TestZDTFront compares points of each front with numbers computed by hand. No point of a fine sample of the curve g
// = 1 may dominate these front points.
func TestZDTFront(t *testing.T) {
	for number, at := range map[int]float64{1: 0.5, 2: 0.75, 3: 0.5 - 0.25*math.Sin(2.5*math.Pi)} {
		p := newZDT(t, number, 30)
		x, f := make([]float64, 30), make([]float64, 2)
		x[0] = 0.25
		if number == 2 {
			x[0] = 0.5
		}
		p.Values(f, x)
		if math.Abs(f[1]-at) > 1e-15 {
			t.Errorf("ZDT%d: f2 = %v, want %v", number, f[1], at)
		}
		boundary := p.Boundary(2001)
		pieces, intervals := p.Front(101), p.ParetoIntervals()
		if want := map[int]int{1: 1, 2: 1, 3: 5}[number]; len(pieces) != want || len(intervals) != want {
			t.Fatalf("ZDT%d: %d pieces in %d intervals, want %d", number, len(pieces), len(intervals), want)
		}
		for k, piece := range pieces {
			if first, last := piece[0][0], piece[100][0]; first != intervals[k][0] || last != intervals[k][1] {
				t.Errorf("ZDT%d: piece %d goes from %v to %v, its interval is %v", number, k, first, last, intervals[k])
			}
			for i, point := range piece {
				x[0] = point[0]
				p.Values(f, x)
				if math.Abs(f[0]-point[0])+math.Abs(f[1]-point[1]) > 1e-15 {
					t.Errorf("ZDT%d: front point %v, values %v", number, point, f)
				}
				if i == 0 && k > 0 {
					// The piece must begin at the height at which the previous piece ends.
					if before := pieces[k-1][100][1]; math.Abs(point[1]-before) > 1e-12 {
						t.Errorf("ZDT%d: piece %d begins at %v, the one before ends at %v", number, k, point[1], before)
					}
					continue
				}
				for _, other := range boundary {
					if other[0] < point[0]-1e-9 && other[1] < point[1]-1e-9 {
						t.Fatalf("ZDT%d: %v of the front is dominated by %v", number, point, other)
					}
				}
			}
		}
		// Points between the pieces must be dominated.
		for k := 1; k < len(intervals); k++ {
			x[0] = (intervals[k-1][1] + intervals[k][0]) / 2
			p.Values(f, x)
			if end := pieces[k-1][100]; !(end[0] < f[0] && end[1] < f[1]) {
				t.Errorf("ZDT%d: %v lies between pieces and is not dominated by %v", number, f, end)
			}
		}
	}
}

func TestZDTRemainder(t *testing.T) {
	p := newZDT(t, 1, 30)
	x := make([]float64, 30)
	x[0], x[1], x[29] = 0.3, 0.75, 0.5
	if r := p.Remainder(x); r != 1.25 {
		t.Errorf("Σ x_i beyond the first is %v, want 1.25", r)
	}
}

func TestZDTRefuses(t *testing.T) {
	for _, c := range []struct {
		number, d int
		name      string
	}{{0, 30, "number"}, {4, 30, "number"}, {1, 1, "d"}, {1, problem.ZDTMaxDims + 1, "d"}} {
		var refused *algo.RangeError
		if _, err := problem.NewZDT(c.number, c.d); !errors.As(err, &refused) || refused.Name != c.name {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
