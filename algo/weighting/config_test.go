package weighting

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"paretoplay/algo"
)

// furtherCase holds one set of gradients and several rules' decisions for it, computed with 60 digits.
type furtherCase struct {
	Name             string
	G                [][]float64
	Losses           []float64
	Mu               float64
	Config, DualProj []float64
	GLS, STCH        struct{ Weights, Direction []float64 }
	DBMTL            struct {
		Beta, Sigma        float64
		G                  [][][]float64
		Losses, Directions [][]float64
	}
}

func furtherCases(t *testing.T) []furtherCase {
	t.Helper()
	data, err := os.ReadFile("testdata/moreaggregators.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []furtherCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 24 {
		t.Fatalf("%d cases, want 24", len(file.Cases))
	}
	return file.Cases
}

// furtherTolerance is the allowed error, relative to the length of the direction, or to the longest gradient if the
// direction is zero.
const furtherTolerance = 1e-9

// expectDirection compares a direction with the oracle's direction.
func expectDirection(t *testing.T, name string, got, want []float64, rows [][]float64) {
	t.Helper()
	size := length(want)
	if size < 1e-14*longest(rows) {
		size = longest(rows)
	}
	if e := relative(got, want) * length(want) / size; !(e <= furtherTolerance) {
		t.Errorf("%s: off by %.3g: %v, want %v", name, e, got, want)
	}
}

func TestConFIGOracle(t *testing.T) {
	for _, c := range furtherCases(t) {
		in, r := input(c.G, nil)
		if err := NewConFIG().Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		expectDirection(t, c.Name, r.Direction, c.Config, c.G)
		in.Jacobian = nil
		alone := &algo.Result{Weights: make([]float64, len(c.G))}
		if err := NewConFIG().Weigh(alone, in); err != nil {
			t.Fatal(err)
		}
		// If rows are dependent, several weights give the same direction.
		in, _ = input(c.G, nil)
		in.Jacobian.Combine(r.Direction, alone.Weights)
		if e := relative(r.Direction, c.Config); !(e <= 1e-7) {
			t.Errorf("%s: off by %.3g from the Gramian alone", c.Name, e)
		}
	}
}

func TestConFIGByHand(t *testing.T) {
	for _, c := range []struct {
		name               string
		rows               [][]float64
		weights, direction []float64
		status             algo.Status
		worsens            bool // some objective
	}{
		// u = (1, 1)/√2, Σ g_i·u = 3/√2.
		{"lengths 1 and 2", [][]float64{{1, 0}, {0, 2}}, []float64{1.5, 0.75}, []float64{1.5, 1.5}, algo.Converged, false},
		{"a zero row", [][]float64{{1, 0}, {0, 0}, {0, 2}}, []float64{1.5, 0, 0.75}, []float64{1.5, 1.5}, algo.Converged, false},
		{"equal rows", [][]float64{{1, 2}, {1, 2}}, []float64{1, 1}, []float64{2, 4}, algo.Converged, false},
		{"collinear rows", [][]float64{{1, 2}, {3, 6}}, []float64{2, 2. / 3}, []float64{4, 8}, algo.Converged, false},
		{"opposite rows", [][]float64{{1, 0}, {-3, 0}}, []float64{0, 0}, []float64{0, 0}, algo.NoSolution, false},
		// Two against one: U⁺1 = 1/3, Σ g_i = 1, and the third objective gets worse.
		{"two against one", [][]float64{{1}, {1}, {-1}}, []float64{1. / 3, 1. / 3, -1. / 3}, []float64{1}, algo.Converged, true},
		{"three around the origin", [][]float64{{2, 0}, {-1, math.Sqrt(3)}, {-1, -math.Sqrt(3)}}, []float64{0, 0, 0}, []float64{0, 0},
			algo.NoSolution, false},
	} {
		in, r := input(c.rows, nil)
		for range 2 {
			if err := NewConFIG().Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			if r.Status != c.status || !near(r.Weights, c.weights, 1e-14) {
				t.Errorf("%s: weights %v, status %v", c.name, r.Weights, r.Status)
			}
			if r.Direction == nil {
				break
			}
			if !near(r.Direction, c.direction, 1e-14) {
				t.Errorf("%s: direction %v", c.name, r.Direction)
			}
			if worsened(c.rows, r.Direction) != c.worsens {
				t.Errorf("%s: direction %v makes an objective worse: %v", c.name, r.Direction, !c.worsens)
			}
			in.Jacobian, r.Direction = nil, nil
		}
	}
}

// worsened reports whether a step against d makes some objective worse.
func worsened(rows [][]float64, d []float64) bool {
	for _, row := range rows {
		if dot(row, d) < -1e-12*length(row)*length(d) {
			return true
		}
	}
	return false
}

// TestConFIGPointsWhereIMTLGDoes checks that ConFIG and IMTL-G have the same direction up to length for independent
// gradients of any size. The direction must harm no objective and have equal products with all unit gradients.
func TestConFIGPointsWhereIMTLGDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for trial := range 300 {
		m := 2 + r.IntN(8)
		rows := randomRows(r, m, m+r.IntN(6))
		for _, row := range rows {
			scale := math.Pow(10, 8*(2*r.Float64()-1))
			for c := range row {
				row[c] *= scale
			}
		}
		in, a := input(rows, nil)
		if err := NewConFIG().Weigh(a, in); err != nil {
			t.Fatal(err)
		}
		in, b := input(rows, nil)
		if err := NewIMTLG().Weigh(b, in); err != nil {
			t.Fatal(err)
		}
		if cosine := math.Abs(dot(a.Direction, b.Direction)) / length(a.Direction) / length(b.Direction); !(cosine >= 1-1e-9) {
			t.Errorf("trial %d: cosine %v", trial, cosine)
		}
		if worsened(rows, a.Direction) {
			t.Errorf("trial %d: %v makes an objective worse", trial, a.Direction)
		}
		share := dot(rows[0], a.Direction) / length(rows[0])
		for _, row := range rows {
			if got := dot(row, a.Direction) / length(row); !(math.Abs(got-share) <= 1e-8*length(a.Direction)) {
				t.Errorf("trial %d: shares %v and %v", trial, share, got)
			}
		}
	}
}
