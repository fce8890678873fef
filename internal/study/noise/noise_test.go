package noise

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	c := Default()
	c.Sigma, c.Momentum, c.Runs, c.Steps, c.D = []float64{0, 0.2}, []float64{0, 0.9}, 3, 120, 5
	return c
}

// tables creates and computes the maps that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Map]{New: New, Grid: func(s *Map) *experiment.Grid[Cell] { return s.Grid }}

// collapsed returns the number of runs of a line that collapsed at a noise level.
func collapsed(t *testing.T, s *Map, method string, sigma float64) int {
	t.Helper()
	i := slices.IndexFunc(lines, func(l line) bool { return l.method == method })
	c := s.find(method, lines[i].period, lines[i].momentum, sigma)
	if c == nil || c.Done() != c.Runs {
		t.Fatalf("%s at σ = %g: %+v", method, sigma, c)
	}
	return c.Collapsed()
}

// TestNoiseCollapses checks the statements in docs/findings.md about the maps. Noise alone makes all 50 runs of MGDA,
// PSMGD, CR-MOGM and MoCo collapse at σ = 0.1; without noise at most one collapses. If weights use separate samples,
// as in MoDo and SDMGrad, no run collapses up to σ = 0.1. Runs with λ = ½ collapse at any noise.
func TestNoiseCollapses(t *testing.T) {
	s := tables.Complete(t, Default(), 2)
	for _, method := range []string{mgda, psmgd, crmogm, moco} {
		if quiet, noisy := collapsed(t, s, method, 0), collapsed(t, s, method, 0.1); quiet > 1 || noisy != 50 {
			t.Errorf("%s: %d runs collapse without noise, %d with", method, quiet, noisy)
		}
	}
	for _, sigma := range s.config.Sigma {
		if n := collapsed(t, s, ls, sigma); n != 50 {
			t.Errorf("λ = ½ at σ = %g: %d of 50", sigma, n)
		}
		for _, method := range []string{modo, sdmgrad} {
			if n := collapsed(t, s, method, sigma); sigma <= 0.1 && n > 0 || n > 2 {
				t.Errorf("%s at σ = %g: %d of 50", method, sigma, n)
			}
		}
	}
	// Without stale weights and noise, nothing collapses. Stale weights alone suffice at R = 4 with α = 0.9, but not
	// at R = 1.
	for _, c := range []struct {
		period          int
		momentum, sigma float64
		least, most     int
	}{{1, 0, 0.02, 0, 0}, {1, 0.9, 0.02, 0, 0}, {4, 0.5, 0.02, 0, 0}, {4, 0.9, 0, 50, 50}, {1, 0, 0.05, 35, 45}} {
		if n := s.find(called(c.period, c.momentum), c.period, c.momentum, c.sigma).Collapsed(); n < c.least || n > c.most {
			t.Errorf("R = %d, α = %g, σ = %g: %d of 50", c.period, c.momentum, c.sigma, n)
		}
	}
	// MGDA with noise acts like λ = ½: from the same start both reach the same end.
	same := 0
	for i, end := range s.find(ls, 1, 0, 0.1).Ends {
		if rune(s.find(mgda, 1, 0, 0.1).Ends[i]) == end {
			same++
		}
	}
	if same < 45 {
		t.Errorf("MGDA ends where λ = ½ does in %d of 50 runs", same)
	}
}

// TestWhy checks why noise makes MGDA collapse. At t = ½ the weight of the longer gradient, f1's, should be 0.289.
// Noise with σ = 0.1 lengthens both gradients, and the mean weight becomes 0.34 with the maps' 20 variables, and
// 0.358 with 30.
func TestWhy(t *testing.T) {
	const sigma, draws = 0.1, 2000
	for d, want := range map[int]float64{20: 0.340, 30: 0.358} {
		f, err := problem.NewFonseca(d, sigma)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, d)
		for i := range x {
			x[i] = 0.5 / math.Sqrt(float64(d))
		}
		jac, gram, weights := algo.NewJacobian(2, d), make([]float64, 4), make([]float64, 2)
		var solver minnorm.Solver
		weigh := func() (long float64) {
			jac.Gram(gram)
			solver.SolveRows(weights, gram, jac, nil)
			return weights[0]
		}
		f.Jacobian(jac, x)
		if a, b := floats.Norm(jac.Row(0), 2), floats.Norm(jac.Row(1), 2); !(a > b) {
			t.Fatalf("the gradients are %v and %v long", a, b)
		}
		if w := weigh(); math.Abs(w-0.289) > 0.0005 {
			t.Errorf("without noise it has %v", w)
		}
		mean := 0.0
		for i := range draws {
			f.JacobianAt(jac, x, &algo.Sample{Noise: algo.Stream(1, i, 0, algo.Noise)})
			mean += weigh() / draws
		}
		if math.Abs(mean-want) > 0.005 {
			t.Errorf("d = %d: with noise it has %v on average, want %v", d, mean, want)
		}
	}
}

// TestPaired checks that cells share starts and noise. PSMGD with R = 1 and no momentum equals MGDA, and a map with
// fewer runs contains the first runs of a map with more runs.
func TestPaired(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	more := small()
	more.Runs = 5
	for i, c := range tables.Complete(t, more, 3).Cells() {
		if want := s.Cells()[i]; c.Ends[:3] != want.Ends || c.Runs != 5 {
			t.Errorf("%s, σ = %g: %s of five runs, %s of three", c.Method, c.Sigma, c.Ends, want.Ends)
		}
	}
}

// TestPieces checks that the result depends neither on the number of jobs nor on how the work is divided.
func TestPieces(t *testing.T) {
	cells := len(tables.Begin(t, small()).Cells())
	tables.Pieces(t, small(), 7, cells*3*3/2, 1, 5, 1000)
}

// TestResume checks that the cells of an earlier file are not computed again. A file of other maps gives an error
// that names the line.
func TestResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, small(), 2))
	lines := strings.SplitAfter(full, "\n")
	if len(lines) != 1+2*2*2+4*2+1 || lines[0] != "method,R,momentum,sigma,d,eta,region,runs,steps,ends,collapsed,share\n" {
		t.Fatalf("%d lines, first %q", len(lines), lines[0])
	}
	// Ends that no run produces show which rows come from the file.
	fields := strings.Split(lines[2], ",")
	fields[9], fields[10], fields[11] = "1.2", "2", strconv.FormatFloat(2./3, 'g', -1, 64)+"\n"
	marked := strings.Join(fields, ",")
	s, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Resume(s.Grid, strings.NewReader(lines[0]+marked)); err != nil {
		t.Fatal(err)
	}
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if got := experimenttest.CSV(t, s); got != strings.Replace(full, lines[2], marked, 1) {
		t.Errorf("resumed, the maps are\n%s", got)
	}
	for _, c := range []struct{ text, where string }{
		{"", "line 1"}, {"method,R\n", "line 1"}, {lines[0] + strings.Replace(marked, "1.2", "1.3", 1), "line 2"},
		{lines[0] + lines[1] + strings.Replace(marked, "1.2", "1.21", 1), "line 3"},
		{lines[0] + strings.Replace(lines[1], ",120,", ",130,", 1), "line 2"}, {lines[0] + "mgda,1\n", "line 2"},
	} {
		s, err := New(small())
		if err != nil {
			t.Fatal(err)
		}
		if err := experiment.Resume(s.Grid, strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.where) {
			t.Errorf("%q: error %v, want one with %s", c.text, err, c.where)
		}
	}
}

// TestFiles checks that the JSON file has the same contents as the CSV file, that the SVG file is a picture, and that
// every panel has a description.
func TestFiles(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	var j, v bytes.Buffer
	if err := errors.Join(s.WriteJSON(&j), s.Picture(0).WriteSVG(&v)); err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Experiment string
		D, Steps   int
		Cells      []map[string]any
	}
	if err := json.Unmarshal(j.Bytes(), &decoded); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(experimenttest.CSV(t, s))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if decoded.Experiment != "fonseca-noise" || decoded.D != 5 || decoded.Steps != 120 || len(decoded.Cells) != len(rows)-1 {
		t.Errorf("JSON %s", j.String())
	}
	for i, cell := range decoded.Cells {
		if row := rows[i+1]; cell["method"] != row[0] || cell["ends"] != row[9] || data.Real(cell["sigma"].(float64)) != row[3] {
			t.Errorf("cell %d is %v in JSON and %v in CSV", i, cell, row)
		}
	}
	if text := v.String(); !strings.HasPrefix(text, "<?xml") || !strings.Contains(text, "Methods under noise") {
		t.Errorf("SVG starts with %.80q", text)
	}
	for _, p := range s.Panels() {
		if p.Describe() == "" {
			t.Errorf("%s has no words", p.ID())
		}
	}
	empty, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(empty.Picture(0).WriteSVG(&v), empty.WriteJSON(&j)); err != nil {
		t.Error(err)
	}
}

// TestPick checks that a point on a map or near a mark gives the cell and the settings with which it can be run.
func TestPick(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	found := map[string]map[string]string{}
	for _, p := range s.Panels() {
		for x := vg.Length(0); x < 400; x += 3 {
			for y := vg.Length(0); y < 300; y += 3 {
				if pick, ok := p.Pick(f, vg.Point{X: x, Y: y}); ok && pick.Values != nil {
					found[pick.Lines[0]] = pick.Values
				}
			}
		}
	}
	for what, want := range map[string]map[string]string{
		"α = 0.9, R = 4, σ = 0.2":            {"method": "psmgd", "R": "4", "momentum": "0.9", "sigma": "0.2", "d": "5", "view": "runs"},
		"α = 0, R = 1, σ = 0":                {"method": "psmgd", "R": "1", "momentum": "0", "sigma": "0"},
		"MoDo, σ = 0.2":                      {"method": "modo", "sigma": "0.2", "budget": "120", "eta": "0.1", "region": "0.3"},
		"λ = ½, σ = 0.2":                     {"method": "ls", "ls.weights": "equal"},
		"SDMGrad, separate samples, σ = 0.2": {"method": "sdmgrad", "sdmgrad.stochastic": "true"},
	} {
		values, ok := found[what]
		if !ok {
			t.Errorf("nowhere is %q: %v", what, found)
		}
		for name, text := range want {
			if values[name] != text {
				t.Errorf("%s sets %s to %q, want %q", what, name, values[name], text)
			}
		}
	}
}

// TestExperiment checks that repetitions add runs, that the smaller version has fewer runs, and that an unused input
// file is rejected.
func TestExperiment(t *testing.T) {
	_, err := Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Data: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("a file that is not read: %v", err)
	}
	outcome, err := Experiment.Run(experiment.Options{Seeds: 1, Quick: true, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := outcome.(*Map)
	if quiet, noisy := s.find(mgda, 1, 0, 0), s.find(mgda, 1, 0, 0.1); quiet.Collapsed() != 0 || noisy.Collapsed() != 10 {
		t.Errorf("of ten runs %d collapse without noise, %d with", quiet.Collapsed(), noisy.Collapsed())
	}
	// The description begins with the finding: which methods collapse and which do not, by their shares at the largest σ.
	said := s.Panels()[len(s.Panels())-1].Describe()
	lost, kept, ok := strings.Cut(said, ", and most stay between them with ")
	for _, l := range lines {
		cells := s.cellsOf(l)
		if in := map[bool]string{true: lost, false: kept}[cells[len(cells)-1].Share() > 0.5]; !ok || !strings.Contains(in, l.title) {
			t.Errorf("%s with share %g is not in %q", l.title, cells[len(cells)-1].Share(), in)
		}
	}
	if before, err := New(small()); err != nil || !strings.HasSuffix(before.Panels()[len(before.Panels())-1].Describe(),
		"nothing is computed yet.") {
		t.Error("before anything is computed something is found")
	}
}

// TestBadConfig checks that an invalid value gives an error that names the setting.
func TestBadConfig(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"runs = 0":     func(c *Config) { c.Runs = 0 },
		"steps = -1":   func(c *Config) { c.Steps = -1 },
		"region = NaN": func(c *Config) { c.Region = math.NaN() },
		"eta = -1":     func(c *Config) { c.Eta = -1 },
		"momentum = 1": func(c *Config) { c.Momentum[1] = 1 },
		"sigma = -1":   func(c *Config) { c.Sigma[1] = -1 },
		"d = 31":       func(c *Config) { c.D = 31 },
		"R = 0":        func(c *Config) { c.Period[1] = 0 },
	} {
		c := small()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
