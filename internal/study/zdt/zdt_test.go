package zdt

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
)

var (
	slow      = Style{transport.PlainStep, 0.005, 0}
	large     = Style{transport.PlainStep, 0.05, 0}
	sign      = Style{transport.SignStep, 0.005, transport.DefaultWeightDecay}
	undecayed = Style{transport.SignStep, 0.005, 0}
	adam      = Style{transport.AdamStep, 0.005, 0}
)

// small returns a configuration that runs in almost no time.
func small() Config {
	c := Default()
	c.Problems, c.Styles, c.Shape = []int{1, 3}, []Style{large, sign, adam}, []float64{0.5, 1}
	c.Extended, c.D, c.M, c.Rounds, c.Runs, c.Trials = 6, 4, 3, 70, 2, 1
	return c
}

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid }}

// TestKept checks that the kept tables and their text equal the computed ones exactly.
func TestKept(t *testing.T) {
	s, file := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
	again := tables.Begin(t, Default())
	for i := range again.Cells() {
		c := &again.Cells()[i]
		if i%13 != 0 { // samples all methods, styles and problems within reasonable time
			c.Tried = s.Cells()[i].Tried // choosing needs the trials of all cells
			continue
		}
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

// TestOrder checks the statements in docs/findings.md and docs/zdt.md about the full tables. If the mixtures' shape is
// chosen on other runs, MosT-E is above the paper's baselines on every problem only with sign steps. Linearization with
// even weights equals MosT-E on ZDT1 and is behind it on the other problems. MosT equals MosT-E on ZDT2. All methods
// stay below the paper's numbers for MosT.
func TestOrder(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	for _, style := range s.config.Styles {
		above, surely, known := s.leads(style, baselines)
		if !known {
			t.Fatal("the tables are not complete")
		}
		if got, want := all(above), style.Kind == transport.SignStep; got != want {
			t.Errorf("%s: MosT-E leads on %v", style.title(), above)
		}
		if got, want := all(surely), style == undecayed; got != want {
			t.Errorf("%s: MosT-E surely leads on %v", style.title(), surely)
		}
		for _, number := range s.config.Problems {
			best := s.best(number, style).Mean[hypervolume]
			if most := Published(plans.MosT, number).Mean; best > most {
				t.Errorf("%s on ZDT%d: %v, the paper has %v", style.title(), number, best, most)
			}
			if best > BestFive[number-1] {
				t.Errorf("%s on ZDT%d: %v is more than five points can have", style.title(), number, best)
			}
		}
	}
	for _, style := range []Style{sign, undecayed} {
		if e := s.over(1, style, even); math.Abs(e.Mean) > e.Spread {
			t.Errorf("%s on ZDT1: MosT-E less linearization with even weights is %s", style.title(), e.Signed(3))
		}
		for _, number := range []int{2, 3} {
			if e := s.over(number, style, even); e.Mean < e.Spread {
				t.Errorf("%s on ZDT%d: MosT-E less linearization with even weights is %s", style.title(), number, e.Signed(3))
			}
		}
		for number, shape := range map[int]float64{1: 0.5, 2: 0.1, 3: 0.1} {
			if chosen := s.chosen(number, style); chosen.Shape != shape {
				t.Errorf("%s on ZDT%d: shape %v is chosen", style.title(), number, chosen.Shape)
			}
		}
	}
	for _, number := range []int{2, 3} {
		if e := s.over(number, sign, plans.MOOSVGD); math.Abs(e.Mean) > e.Spread {
			t.Errorf("ZDT%d: MosT-E less MOO-SVGD is %s", number, e.Signed(3))
		}
	}
	if e := s.over(2, sign, plans.MosT); e.Mean > 0 {
		t.Errorf("ZDT2: MosT-E less MosT is %s", e.Signed(3))
	}
	if v := s.Verdict(); !strings.Contains(v, "every problem: sign 0.005; sign 0.005, no decay;\n") ||
		!strings.Contains(v, "each interval: sign 0.005, no decay;") || !strings.HasSuffix(v, "even weights as well: with no style.") {
		t.Error(v)
	}
}

// TestTrials checks that only trials choose shapes, and that their seeds differ from all compared runs' seeds.
func TestTrials(t *testing.T) {
	c := small()
	s := tables.Complete(t, c, 2)
	for _, style := range c.Styles {
		var best float64
		chosen := s.chosen(1, style)
		for i := range s.Cells() {
			cell := &s.Cells()[i]
			if cell.Problem != 1 || cell.Style != style {
				continue
			}
			if want := map[bool]int{true: c.Trials}[cell.Method == plans.Extended]; len(cell.Tried) != want {
				t.Errorf("%s: %d trials", cell.Method, len(cell.Tried))
			}
			for _, v := range cell.Tried {
				best = max(best, v)
			}
			for run, v := range cell.Each(hypervolume) {
				alone := c
				alone.Runs, alone.Seed, alone.Trials = 1, c.Seed+uint64(run), 0
				other := tables.Begin(t, alone)
				again := other.find(1, style, cell.Method, cell.Shape)
				experimenttest.Run(t, again, other.begin)
				if got := again.Each(hypervolume)[0]; got != v {
					t.Errorf("%s: run %d comes to %v, seed %d alone to %v", cell.Method, run+1, v, alone.Seed, got)
				}
			}
		}
		if chosen.Tried[0] != best {
			t.Errorf("%s: the best trial got %v, the chosen shape's %v", style.title(), best, chosen.Tried[0])
		}
		chosen.Tried[0] = 0 // the compared runs do not matter
		if s.chosen(1, style) == chosen {
			t.Errorf("%s: a shape with a worthless trial is chosen", style.title())
		}
	}
	for _, o := range []experiment.Options{{Seeds: 1}, {Seeds: 1, Quick: true}, {Seeds: 40}} {
		c := configFor(o)
		if c.Trials < 1 || c.TrialSeed < c.Seed+uint64(c.Runs) {
			t.Errorf("%+v: %d runs from seed %d, %d trials from seed %d", o, c.Runs, c.Seed, c.Trials, c.TrialSeed)
		}
	}
}

// TestStepLengths checks that scaling the plan makes no method's steps shorter. From the common starts, the first
// steps of MosT and MosT-E are on average between half and twice as long as linearization's. (MGDA's direction is the
// shortest vector in the hull of its gradients; EPO and MOO-SVGD follow other rules.)
func TestStepLengths(t *testing.T) {
	s := tables.Begin(t, Default())
	length := func(number int, style Style, e entry, seed uint64) (mean float64) {
		stepper, err := s.stepper(s.find(number, style, e.method, e.shape), seed)
		if err != nil {
			t.Fatal(err)
		}
		from := slices.Clone(stepper.View().X)
		if _, err := stepper.Step(); err != nil {
			t.Fatal(err)
		}
		for j := range s.config.M {
			x := stepper.View().X
			at, to := j*s.config.D, (j+1)*s.config.D
			mean += floats.Distance(from[at:to], x[at:to], 2) / float64(s.config.M)
		}
		return mean
	}
	for _, number := range s.config.Problems {
		for _, style := range []Style{slow, sign} {
			means := map[string]float64{}
			for seed := uint64(1); seed <= 20; seed++ {
				for _, e := range s.config.entries() {
					if !plans.HasPlan(e.method) && e.method != plans.Linearization {
						continue
					}
					means[e.title()] += length(number, style, e, seed) / 20
				}
			}
			usual := means[entry{plans.Linearization, math.NaN()}.title()]
			for title, mean := range means {
				if mean < usual/2 || mean > usual*2 {
					t.Errorf("%s on ZDT%d: steps of %s are %v long, linearization's %v", style.title(), number, title, mean, usual)
				}
			}
		}
	}
}

// TestThrown checks why some runs of MosT-E on ZDT1 with plain steps of 0.05 have a small hypervolume: in exactly
// these runs, a step throws a solution far along x₁.
func TestThrown(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	cell := s.find(1, large, plans.Extended, 1)
	for run, v := range cell.Each(hypervolume) {
		stepper, err := s.stepper(cell, s.config.Seed+uint64(run))
		if err != nil {
			t.Fatal(err)
		}
		thrown := false
		for range s.config.Rounds {
			from := slices.Clone(stepper.View().X)
			if _, err := stepper.Step(); err != nil {
				t.Fatal(err)
			}
			for j := range s.config.M {
				thrown = thrown || stepper.View().X[j*s.config.D]-from[j*s.config.D] > 0.5
			}
		}
		if thrown != (v < 5) {
			t.Errorf("seed %d: hypervolume %v; thrown: %v", s.config.Seed+uint64(run), v, thrown)
		}
	}
}

// TestStyles checks the statements in docs/findings.md about the styles. Plain steps of the paper's size do not reach
// the front within 1000 rounds. With plain steps, MGDA stops far from the front. With sign steps, only weight decay
// brings MGDA and MosT to the front.
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
		if r := s.find(number, undecayed, plans.MOOSVGD, 0).Mean[remainder]; r < 8 {
			t.Errorf("MOO-SVGD on ZDT%d: without weight decay Σ x_i is %v", number, r)
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
	// Linearization misses ZDT2's concave front: all its points are at the two ends.
	if c := s.find(2, sign, plans.Linearization, 0); c.Mean[kinds] > 2 || math.Abs(c.Mean[hypervolume]-6.65) > 0.005 {
		t.Errorf("linearization on ZDT2: %v", c.Mean)
	}
	if e := s.over(2, sign, plans.Linearization); e.Mean < e.Spread {
		t.Errorf("ZDT2: MosT-E less linearization is %s", e.Signed(3))
	}
}

// TestBestFive computes the largest hypervolume of five points on each front by dynamic programming, on a grid of the
// first objective. From left to right, each point adds the rectangle to its right and below the previous point.
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

// TestCells checks that each cell runs its method from the start points that all cells share.
func TestCells(t *testing.T) {
	c := small()
	s := tables.Begin(t, c)
	for _, e := range c.entries() {
		cell := s.find(1, large, e.method, e.shape)
		stepper, err := s.stepper(cell, c.Seed+1)
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
	// The sign steps of linearization follow the signs of the weighted sum's gradient.
	cell := s.find(1, sign, plans.Linearization, 0)
	stepper, err := s.stepper(cell, c.Seed)
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
		p.WeightedGradient(g, runs.RandomWeights(c.Seed, j, 2), x)
		for k, v := range to {
			want := min(max(x[k]-sign.Eta*math.Copysign(1, g[k]+sign.Decay*x[k]), 0), 1)
			if math.Abs(v-want) > 1e-15 {
				t.Errorf("solution %d goes from %v to %v, the gradient is %v", j, x, to, g)
				break
			}
		}
	}
	// At a single point, MOO-SVGD takes MGDA's steps.
	c.M = 1
	s = tables.Begin(t, c)
	for _, style := range c.Styles {
		var ends [2][]float64
		for i, method := range []string{plans.MGDA, plans.MOOSVGD} {
			stepper, err := s.stepper(s.find(3, style, method, 0), c.Seed)
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

// TestMeasures checks that the measures match the final solutions.
func TestMeasures(t *testing.T) {
	c := small()
	c.Runs = 1
	s := tables.Begin(t, c)
	cell := s.find(3, sign, plans.Extended, 0.5)
	stepper, err := s.stepper(cell, c.Seed)
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

// TestPieces checks that the result depends neither on the number of jobs nor on how the work is divided.
func TestPieces(t *testing.T) {
	cells := len(tables.Begin(t, small()).Cells())
	tables.Pieces(t, small(), 7, cells*2*4/2, 1, 5, 1000)
}

// TestResume checks that the cells of an earlier file are not computed again. A file of other tables gives an error
// that names the line.
func TestResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, small(), 2))
	lines := strings.SplitAfter(full, "\n")
	fields := strings.Split(lines[2], ",")
	fields[12] = "7"
	marked := strings.Join(fields, ",")
	s := tables.Begin(t, small())
	if err := experiment.Run(s.Grid, experiment.Options{Resume: strings.NewReader(lines[0] + marked)}); err != nil {
		t.Fatal(err)
	}
	fields[12] = "7.0" // the earlier and the present format
	lines[2] = strings.Join(fields, ",")
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
		"trials":   func(c *Config) { c.Trials = -1 },
		"seeds":    func(c *Config) { c.TrialSeed = c.Seed + 1 },
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

// TestShown checks that the picture and the files can be written at any stage of the computation.
func TestShown(t *testing.T) {
	for _, s := range []*Tables{tables.Begin(t, small()), tables.Complete(t, small(), 2)} {
		var svg, record, text bytes.Buffer
		if err := errors.Join(s.Picture(0).WriteSVG(&svg), s.WriteJSON(&record), s.WriteText(&text)); err != nil {
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
