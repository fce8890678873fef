package fairnessgrid

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	c := Default()
	c.Eta, c.Extended, c.Shape = []float64{0.1}, []int{4, 6}, []float64{0.5, 1}
	c.PerClass, c.M, c.Epochs, c.Runs = 50, 3, 5, 2
	return c
}

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid }}

// TestKept checks that the kept tables and their text equal the computed ones exactly.
func TestKept(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
	again := tables.Begin(t, Default())
	for i := range again.Cells() {
		c, want := &again.Cells()[i], &s.Cells()[i]
		if c.Batch > 0 && i%8 != 0 { // keeps the time reasonable
			continue
		}
		runs := 2
		if c.Batch > 0 {
			runs = 1
		}
		for number := range runs {
			experimenttest.Run(t, c, again.begin)
			if !slices.Equal(c.Solutions[number], want.Solutions[number]) {
				t.Errorf("%s, %s, batch %d, run %d: %v, kept is %v", c.Method, c.parameters(), c.Batch, number+1, c.Solutions[number],
					want.Solutions[number])
			}
		}
	}
}

// TestOrder checks the statements in docs/findings.md about the full tables. With batches the paper's order holds,
// except that EPO is second here. MosT-E is above every other method by several standard errors of the mean difference
// between paired runs. MosT and MGDA are far below linearization.
func TestOrder(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	const batch = 10
	best := s.chosen(batch, extended)
	for _, method := range methods[:4] {
		if d := s.over(best, s.chosen(batch, method)); d.Mean < 3*d.Spread {
			t.Errorf("MosT-E is above %s by %+v", method, d)
		}
	}
	share := func(method string) float64 {
		return s.hypervolume(s.chosen(batch, method), test).Mean / s.hypervolume(best, test).Mean
	}
	if l, e := share(linearization), share(epo); l < 0.9 || e < l || e > 1 {
		t.Errorf("linearization has %v of MosT-E's, EPO %v", l, e)
	}
	if g, m := share(mgda), share(most); g > m || m > 0.65 || g > 0.6 {
		t.Errorf("MosT has %v of MosT-E's, MGDA %v", m, g)
	}
	// With all points, twenty steps change little, so all methods are close to each other.
	for _, method := range methods {
		v := s.hypervolume(s.chosen(0, method), test).Mean / s.hypervolume(s.chosen(0, extended), test).Mean
		if v < 0.8 || v > 1 {
			t.Errorf("all points: %s has %v of MosT-E's", method, v)
		}
	}
}

// TestFewer checks the statement "extending the original 2 objectives to 10 yields results similar to those obtained
// with 20" at shape 1. The difference is within 2 % of the hypervolume, which is less than half of MosT-E's lead over
// linearization.
func TestFewer(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	if s.config.Runs < 10 {
		t.Fatal("too few runs")
	}
	const batch = 10
	d, best := s.fewer(batch, 1), s.chosen(batch, extended)
	gain := s.over(best, s.chosen(batch, linearization))
	if v := s.hypervolume(best, test).Mean; math.Abs(d.Mean) > 0.02*v || math.Abs(d.Mean) > gain.Mean/2 {
		t.Errorf("10 instead of 20: %+v of %v, MosT-E above linearization: %+v", d, v, gain)
	}
}

// TestCells checks that each cell runs its method from the start points that all cells share, with one round per batch.
func TestCells(t *testing.T) {
	c := small()
	s := tables.Begin(t, c)
	for i := range s.Cells() {
		cell := &s.Cells()[i]
		stepper, err := s.stepper(cell, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[int]int{0: 5, 10: 30}[cell.Batch]; s.rounds(cell) != want {
			t.Errorf("batches of %d: %d rounds, want %d", cell.Batch, s.rounds(cell), want)
		}
		x := stepper.View().X
		for j := range c.M {
			source := algo.Stream(c.Seed+1, j, 0, algo.StartPoints)
			for k := range 2 {
				u := float64(source.Uint64()<<11>>11) / (1 << 53)
				if want := (2*u - 1) * math.Sqrt(0.5); x[2*j+k] != want {
					t.Errorf("%s starts at %v", cell.Method, x)
				}
			}
		}
		rows, m := stepper.Matched()
		if want := max(2, cell.Extended); rows != want || m != c.M {
			t.Errorf("%s matches %d objectives to %d solutions, want %d", cell.Method, rows, m, want)
		}
	}
	// With all points, linearization steps along the gradient of its weighted sum.
	p := s.problems[0]
	stepper, err := s.stepper(&Cell{Method: linearization, Eta: 0.1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := transport.DirichletMixtures(2, c.M, 1, false, c.Seed)
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(stepper.View().X)
	if _, err := stepper.Step(); err != nil {
		t.Fatal(err)
	}
	jac := algo.NewJacobian(2, 2)
	for j, w := range weights {
		p.Jacobian(jac, before[2*j:2*j+2])
		for k := range 2 {
			want := before[2*j+k] - 0.1*(w[0]*jac.Row(0)[k]+w[1]*jac.Row(1)[k])
			if got := stepper.View().X[2*j+k]; math.Abs(got-want) > 1e-15 {
				t.Errorf("solution %d goes to %v, want %v", j, got, want)
			}
		}
	}
	for j, want := range [][2]float64{{math.Cos(math.Pi / 12), math.Sin(math.Pi / 12)}, {math.Sqrt(0.5), math.Sqrt(0.5)}} {
		if r := Preference(j, 3); math.Abs(r[0]-want[0]) > 1e-15 || math.Abs(r[1]-want[1]) > 1e-15 {
			t.Errorf("preference %d is %v, want %v", j, r, want)
		}
	}
}

// TestMeasures checks that hypervolumes match the solutions, with the largest objectives as the reference point. It also
// checks that the chosen parameters are the best on the validation points.
func TestMeasures(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	for _, batch := range []int{0, 10} {
		for number, p := range s.problems {
			for part, split := range []problem.Split{problem.Validation, problem.Test} {
				reference := []float64{0, 0}
				points := map[*Cell][][]float64{}
				for c := range s.Grid.Each {
					if c.Batch != batch {
						continue
					}
					for j := range s.config.M {
						f := make([]float64, 2)
						p.Sample(split).Values(f, c.Solutions[number][2*j:2*j+2])
						points[c] = append(points[c], f)
						for i, v := range f {
							reference[i] = max(reference[i], v)
						}
					}
				}
				for c, f := range points {
					want, err := pareto.Hypervolume(f, reference)
					if err != nil {
						t.Fatal(err)
					}
					if got := s.hypervolumes(c, part)[number]; got != 100*want {
						t.Errorf("batch %d, run %d, %s: %v, want %v", batch, number, c.Method, got, 100*want)
					}
				}
			}
		}
		for _, method := range methods {
			best := s.chosen(batch, method)
			for c := range s.Grid.Each {
				if c.Batch == batch && c.Method == method && s.hypervolume(c, validation).Mean > s.hypervolume(best, validation).Mean {
					t.Errorf("batch %d: %s with %s is better than what is chosen", batch, method, c.parameters())
				}
			}
		}
		// The paired difference, computed by hand.
		a, b := s.chosen(batch, extended), s.chosen(batch, mgda)
		x, y := s.hypervolumes(a, test), s.hypervolumes(b, test)
		first, second := x[0]-y[0], x[1]-y[1]
		d := s.over(a, b)
		if math.Abs(d.Mean-(first+second)/2) > 1e-12 || math.Abs(d.Spread-math.Abs(first-second)/2) > 1e-12 {
			t.Errorf("batch %d: differences %v and %v have %+v", batch, first, second, d)
		}
	}
}

// TestPieces checks that the result depends neither on the number of jobs nor on how the work is divided.
func TestPieces(t *testing.T) {
	tables.Pieces(t, small(), 7, 0, 1, 5, 1000)
}

// TestResume checks that values in an earlier file are not computed again, and that hypervolumes are computed from
// them. Files of other tables and malformed numbers give errors.
func TestResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, small(), 2))
	lines := strings.SplitAfter(full, "\n")
	at := strings.LastIndexByte(lines[2], ',')
	marked := lines[2][:at+1] + "1 2 3 4 5 6;7 8 9 10 11 12\n"
	s := tables.Begin(t, small())
	if err := experiment.Run(s.Grid, experiment.Options{Resume: strings.NewReader(lines[0] + marked)}); err != nil {
		t.Fatal(err)
	}
	got := strings.SplitAfter(experimenttest.CSV(t, s), "\n")
	for i, line := range lines {
		want := line
		if i == 2 {
			want = lines[2][:at+1] + "1.0 2.0 3.0 4.0 5.0 6.0;7.0 8.0 9.0 10.0 11.0 12.0\n" // the earlier and the present format
		}
		if tail := func(l string) string { return l[strings.LastIndexByte(l, ',')+1:] }; tail(got[i]) != tail(want) {
			t.Errorf("resumed: line %d is %s", i+1, got[i])
		}
	}
	for _, wrong := range []string{"", "1 2 3 4 5 6", "1 2 3 4 5;1 2 3 4 5 6", "1 2 3 4 5 x;1 2 3 4 5 6", "1 2 3 4 5 NaN;1 2 3 4 5 6",
		"1 2 3 4 5 1e+09;1 2 3 4 5 6", "1 2 3 4 5 6.00;1 2 3 4 5 6"} {
		err := experiment.Resume(tables.Begin(t, small()).Grid, strings.NewReader(lines[0]+lines[2][:at+1]+wrong+"\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	other := small()
	other.Epochs++
	if err := experiment.Resume(tables.Begin(t, other).Grid, strings.NewReader(full)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("other tables: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(c *Config){
		"runs":     func(c *Config) { c.Runs = 0 },
		"epochs":   func(c *Config) { c.Epochs = 0 },
		"m":        func(c *Config) { c.M = 0 },
		"region":   func(c *Config) { c.Region = 0 },
		"kept":     func(c *Config) { c.Kept = 0 },
		"perclass": func(c *Config) { c.PerClass = 0 },
		"shape":    func(c *Config) { c.Shape = []float64{0} },
		"eta":      func(c *Config) { c.Eta = []float64{0} },
		"extended": func(c *Config) { c.Extended = []int{1} },
		"batch":    func(c *Config) { c.Batch = []int{-1} },
	} {
		c := small()
		change(&c)
		_, err := New(c)
		var refused *algo.RangeError
		if err == nil || !errors.As(err, &refused) && !strings.Contains(err.Error(), what+" = ") || refused != nil && refused.Name != what {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestShown checks that pictures and files can be written at any stage of the computation.
func TestShown(t *testing.T) {
	half := tables.Begin(t, small())
	for i := range half.Cells() {
		c := &half.Cells()[i]
		for c.Batch == 10 && !c.Done() {
			experimenttest.Run(t, c, half.begin)
		}
	}
	for known, s := range map[string]*Tables{"none": tables.Begin(t, small()), "batches": half, "all": tables.Complete(t, small(), 2)} {
		var svg, record, text bytes.Buffer
		if err := errors.Join(s.Picture(0).WriteSVG(&svg), s.WriteJSON(&record), s.WriteText(&text)); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(record.Bytes()) {
			t.Errorf("%s: %s", known, record.String())
		}
		for title, want := range map[string]bool{"batches of 10": known != "none", "all points": known == "all"} {
			if got := strings.Contains(s.Panels()[0].Describe(), "MosT-E 1.00 ("+title+")"); got != want {
				t.Errorf("%s computed, %s shown is %v: %s", known, title, got, s.Panels()[0].Describe())
			}
		}
		if got := strings.Count(text.String(), "Order: "); got != map[string]int{"none": 0, "batches": 1, "all": 2}[known] {
			t.Errorf("%s: %s", known, text.String())
		}
	}
}

// TestQuick checks that the quick version has fewer runs and values, and that the full version contains all of its
// cells.
func TestQuick(t *testing.T) {
	full, quick := Default(), Default().quick()
	if quick.Runs != full.Runs/5 || !slices.Contains(full.Batch, quick.Batch[0]) || !slices.Contains(full.Eta, quick.Eta[0]) {
		t.Errorf("%+v", quick)
	}
	s := tables.Begin(t, full)
	for _, cell := range quick.cells() {
		found := false
		for c := range s.Grid.Each {
			found = found || c.Method == cell.Method && c.Batch == cell.Batch && c.Eta == cell.Eta && c.Extended == cell.Extended &&
				(c.Shape == cell.Shape || math.IsNaN(c.Shape) && math.IsNaN(cell.Shape))
		}
		if !found {
			t.Errorf("%s, %s is not in the full tables", cell.Method, cell.parameters())
		}
	}
}
