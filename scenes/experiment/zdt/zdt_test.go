package zdt

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
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/experimenttest"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/plans"
)

var (
	slow      = Style{transport.PlainStep, 0.005, 0}
	large     = Style{transport.PlainStep, 0.05, 0}
	sign      = Style{transport.SignStep, 0.005, transport.DefaultWeightDecay}
	undecayed = Style{transport.SignStep, 0.005, 0}
	adam      = Style{transport.AdamStep, 0.005, 0}
)

// small are tables that take no time.
func small() Config {
	c := Default()
	c.Problems, c.Styles, c.Shape = []int{1, 3}, []Style{large, sign, adam}, []float64{0.5}
	c.Extended, c.D, c.M, c.Rounds, c.Runs = 6, 4, 3, 70, 2
	return c
}

// tables makes them for tests.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid }}

// TestKept: the kept tables equal the computed ones, to the last digit, and so does the text
// beside them.
func TestKept(t *testing.T) {
	s, file := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
	again := tables.Begin(t, Default())
	for i := range again.Cells() {
		if i%11 != 0 { // all methods, styles and problems within reasonable time
			continue
		}
		c := &again.Cells()[i]
		for !c.Done {
			experimenttest.Run(t, c, again.begin)
		}
	}
	for _, line := range strings.SplitAfter(experimenttest.CSV(t, again), "\n") {
		if !strings.Contains(file, line) {
			t.Errorf("computed is %q, which is not what is kept", line)
		}
	}
}

// mean is the hypervolume of a method in tables.
func mean(t *testing.T, s *Tables, number int, style Style, method string, shape float64) float64 {
	t.Helper()
	c := s.find(number, style, method, shape)
	if c == nil || !c.Done {
		t.Fatalf("no %s on ZDT%d with %s", method, number, style.title())
	}
	return c.Mean[hypervolume]
}

// TestOrder holds what docs/findings.md says of the full tables: the paper's order comes with sign
// steps alone, the shape of the mixtures being chosen on each problem; and no method
// reaches the paper's numbers for MosT.
func TestOrder(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	for _, style := range s.config.Styles {
		chosen, with, known := s.leads(style)
		if !known {
			t.Fatal("the tables are not complete")
		}
		if got, want := all(chosen), style.Kind == transport.SignStep; got != want {
			t.Errorf("%s: MosT-E leads on %v", style.title(), chosen)
		}
		if one := slices.ContainsFunc(with, all); one && style != undecayed {
			t.Errorf("%s: one shape leads on every problem", style.title())
		}
		for _, number := range s.config.Problems {
			best := s.best(number, style, func(entry) bool { return true }).Mean[hypervolume]
			if most := paperTable5[plans.MosT][number-1]; best > most {
				t.Errorf("%s on ZDT%d: %v, the paper has %v", style.title(), number, best, most)
			}
			if best > BestFive[number-1] {
				t.Errorf("%s on ZDT%d: %v is more than five points can have", style.title(), number, best)
			}
		}
	}
	if v := s.Verdict(); !strings.Contains(v, "for all: sign 0.005, no decay; with") ||
		!strings.HasSuffix(v, "problem: sign 0.005; sign 0.005, no decay.") {
		t.Error(v)
	}
	// The best shape on each problem.
	for number, shape := range map[int]float64{1: 0.5, 2: 0.1, 3: 0.1} {
		if best := s.best(number, sign, func(entry) bool { return true }); best.Method != plans.Extended || best.Shape != shape {
			t.Errorf("ZDT%d: the best is %s, shape %v", number, best.Method, best.Shape)
		}
	}
}

// TestStyles holds what docs/findings.md says of the styles: plain steps of the paper's size have
// arrived nowhere after 1000 rounds; with plain steps MGDA stops far from the front; and
// with sign steps it is the weight decay alone that brings MGDA and MosT there.
func TestStyles(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	for _, number := range s.config.Problems {
		for _, e := range s.config.entries() {
			c := s.find(number, slow, e.method, e.shape)
			if e.method != plans.EPO && c.Mean[remainder] < 1.5 {
				t.Errorf("%s on ZDT%d: after slow plain steps Σ x_i is %v", e.title(), number, c.Mean[remainder])
			}
			if e.method == plans.EPO {
				continue
			}
			if r := s.find(number, sign, e.method, e.shape).Mean[remainder]; r > 1e-6 {
				t.Errorf("%s on ZDT%d: after sign steps Σ x_i is %v", e.title(), number, r)
			}
		}
		for _, method := range []string{plans.MGDA, plans.MosT} {
			with, without := s.find(number, sign, method, 0).Mean, s.find(number, undecayed, method, 0).Mean
			if !(without[remainder] > 8 && without[hypervolume] < with[hypervolume]-2) {
				t.Errorf("%s on ZDT%d: %v with weight decay, %v without", method, number, with, without)
			}
		}
		if r := s.find(number, large, plans.MGDA, 0).Mean[remainder]; r < 5 {
			t.Errorf("MGDA on ZDT%d: after plain steps Σ x_i is %v", number, r)
		}
	}
	// Linearization misses ZDT2's concave front: all its points are at the ends.
	if c := s.find(2, sign, plans.Linearization, 0); c.Mean[kinds] > 2 || math.Abs(c.Mean[hypervolume]-6.65) > 0.005 {
		t.Errorf("linearization on ZDT2: %v", c.Mean)
	}
	if a, b := mean(t, s, 2, sign, plans.Extended, 0.1), mean(t, s, 2, sign, plans.Linearization, 0); a < b+0.1 {
		t.Errorf("ZDT2: MosT-E has %v, linearization %v", a, b)
	}
}

// TestBestFive computes the largest hypervolume of five points of each front, on a grid
// of its first objective, by dynamic programming: points from left to right each add the
// rectangle to the right of it and below the one before.
func TestBestFive(t *testing.T) {
	const nodes = 1500
	for number := 1; number <= 3; number++ {
		p, err := problem.NewZDT(number, 2)
		if err != nil {
			t.Fatal(err)
		}
		var front [][]float64
		for _, piece := range p.Front(nodes) {
			for i, f := range piece {
				if i%len(p.ParetoIntervals()) == 0 && f[0] < References[number-1][0] {
					front = append(front, f)
				}
			}
		}
		width := func(i int) float64 { return References[number-1][0] - front[i][0] }
		best := make([]float64, len(front))
		for i, f := range front {
			best[i] = width(i) * (References[number-1][1] - f[1])
		}
		for range 4 {
			next := slices.Clone(best)
			for i := range front {
				for before := range i {
					next[i] = max(next[i], best[before]+width(i)*(front[before][1]-front[i][1]))
				}
			}
			best = next
		}
		if got := slices.Max(best); math.Abs(got-BestFive[number-1]) > 0.001 {
			t.Errorf("ZDT%d: %v, stated is %v", number, got, BestFive[number-1])
		}
	}
}

func TestKinds(t *testing.T) {
	for want, points := range map[int][][]float64{
		0: nil,
		1: {{0, 0}, {0.005, -0.01}},
		2: {{0, 0}, {0, 0.02}, {0.01, 0}},
		3: {{0, 0}, {0.02, 0}, {0, 1}},
	} {
		if got := Kinds(points); got != want {
			t.Errorf("%v are of %d kinds, want %d", points, got, want)
		}
	}
}

// TestCells: each cell runs the method of its name, from the common starts.
func TestCells(t *testing.T) {
	c := small()
	s := tables.Begin(t, c)
	for _, e := range c.entries() {
		cell := s.find(1, large, e.method, e.shape)
		stepper, err := s.stepper(cell, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := stepper.View().X
		for j := range c.M {
			source := algo.Stream(c.Seed+1, j, 0, algo.StartPoints)
			for k := range c.D {
				if want := float64(source.Uint64()<<11>>11) / (1 << 53); x[j*c.D+k] != want {
					t.Errorf("%s starts at %v", e.title(), x)
				}
			}
		}
	}
	// Sign steps of linearization go along the signs of the weighted sum's gradient.
	cell := s.find(1, sign, plans.Linearization, 0)
	stepper, err := s.stepper(cell, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := problem.NewZDT(1, c.D)
	if err != nil {
		t.Fatal(err)
	}
	from := slices.Clone(stepper.View().X)
	if _, err := stepper.Step(); err != nil {
		t.Fatal(err)
	}
	for j := range c.M {
		x, to, g := from[j*c.D:(j+1)*c.D], stepper.View().X[j*c.D:(j+1)*c.D], make([]float64, c.D)
		p.WeightedGradient(g, race.RandomWeights(c.Seed, j, 2), x)
		for k, v := range to {
			want := min(max(x[k]-sign.Eta*math.Copysign(1, g[k]+sign.Decay*x[k]), 0), 1)
			if math.Abs(v-want) > 1e-15 {
				t.Errorf("solution %d goes from %v to %v, the gradient is %v", j, x, to, g)
				break
			}
		}
	}
	// And so do MOO-SVGD's: at one point alone it makes MGDA's steps.
	c.M = 1
	s = tables.Begin(t, c)
	for _, style := range c.Styles {
		var ends [2][]float64
		for i, method := range []string{plans.MGDA, plans.MOOSVGD} {
			stepper, err := s.stepper(s.find(3, style, method, 0), 0)
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				if _, err := stepper.Step(); err != nil {
					t.Fatal(err)
				}
			}
			ends[i] = slices.Clone(stepper.View().X)
		}
		for k, v := range ends[0] {
			if math.Abs(v-ends[1][k]) > 1e-12 {
				t.Errorf("%s: MGDA comes to %v, MOO-SVGD with one particle to %v", style.title(), ends[0], ends[1])
				break
			}
		}
	}
}

// TestMeasures: the measures belong to the solutions at the end.
func TestMeasures(t *testing.T) {
	c := small()
	c.Runs = 1
	s := tables.Begin(t, c)
	cell := s.find(3, sign, plans.Extended, 0.5)
	stepper, err := s.stepper(cell, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range c.Rounds {
		if _, err := stepper.Step(); err != nil {
			t.Fatal(err)
		}
	}
	v := stepper.View()
	var points [][]float64
	var rest float64
	for j := range c.M {
		points = append(points, v.F[2*j:2*j+2])
		for _, x := range v.X[j*c.D+1 : (j+1)*c.D] {
			rest += x
		}
	}
	want := [measures]float64{remainder: rest / float64(c.M), kinds: float64(Kinds(points))}
	for i, reference := range map[int][]float64{hypervolume: References[2], usual: {1.1, 1.1}} {
		if want[i], err = pareto.Hypervolume(points, reference); err != nil {
			t.Fatal(err)
		}
	}
	experimenttest.Run(t, cell, s.begin)
	for i, v := range cell.Mean {
		if math.Abs(v-want[i]) > 1e-14 || !math.IsNaN(cell.Deviation[i]) {
			t.Errorf("%s is %v, want %v", names[i], v, want[i])
		}
	}
}

// TestPieces: the outcome depends neither on jobs nor on how the work is cut.
func TestPieces(t *testing.T) {
	cells := len(tables.Begin(t, small()).Cells())
	tables.Pieces(t, small(), 7, cells*2*4/2, 1, 5, 1000)
}

// TestResume: what the file of an earlier call holds is not computed again, and a file
// of other tables is an error that says where.
func TestResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, small(), 2))
	lines := strings.SplitAfter(full, "\n")
	fields := strings.Split(lines[2], ",")
	fields[11] = "7"
	marked := strings.Join(fields, ",")
	s := tables.Begin(t, small())
	if err := experiment.Run(s.Grid, experiment.Options{Resume: strings.NewReader(lines[0] + marked)}); err != nil {
		t.Fatal(err)
	}
	lines[2] = marked
	if got := experimenttest.CSV(t, s); got != strings.Join(lines, "") {
		t.Errorf("resumed: %s", got)
	}
	other := small()
	other.Rounds++
	if err := experiment.Resume(tables.Begin(t, other).Grid, strings.NewReader(full)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("other tables: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(c *Config){
		"runs":     func(c *Config) { c.Runs = 0 },
		"rounds":   func(c *Config) { c.Rounds = 0 },
		"m":        func(c *Config) { c.M = 0 },
		"number":   func(c *Config) { c.Problems = []int{4} },
		"d":        func(c *Config) { c.D = 1 },
		"shape":    func(c *Config) { c.Shape = []float64{0} },
		"eta":      func(c *Config) { c.Styles = []Style{{}} },
		"extended": func(c *Config) { c.Extended = 0 },
	} {
		c := small()
		change(&c)
		_, err := New(c)
		var refused *algo.RangeError
		if err == nil || errors.As(err, &refused) && refused.Name != what {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestShown: the picture and the files are written whatever is computed.
func TestShown(t *testing.T) {
	for _, s := range []*Tables{tables.Begin(t, small()), tables.Complete(t, small(), 2)} {
		var svg, record, text bytes.Buffer
		if err := errors.Join(s.WriteSVG(&svg), s.WriteJSON(&record), s.WriteText(&text)); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(record.Bytes()) || !strings.Contains(text.String(), "MosT-E, shape 0.5") {
			t.Errorf("%s\n%s", record.String(), text.String())
		}
		for _, p := range s.Panels() {
			if strings.Contains(p.Describe(), "MGDA") != s.Finished() {
				t.Errorf("%s: %s", p.ID(), p.Describe())
			}
		}
	}
}
