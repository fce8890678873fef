package networkgrid

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/descent"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	c := Default()
	c.Tasks, c.Compared, c.Further = []int{2, 8}, []Variant{of(equal), every(usualPeriod), of(mgda), of("famo")}, nil
	c.Plain = []Variant{of(equal).plain(), of(mgda).plain()}
	c.Train = network.Config{Hidden: [2]int{6, 5}, Train: 200, Validation: 40, Test: 50}
	c.Steps, c.Batch, c.Runs, c.Timed, c.Clocked = 20, 8, 2, 0, 3
	c.Tuning = Tuning{Eta: []float64{0.01, 0.03}, PlainEta: []float64{1e9}, Runs: 1, Seed: 1000}
	return c
}

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid }}

// TestKept checks that the kept tables and their text equal the computed ones exactly, except for times, and that
// tuning finds the recorded step sizes. With -short, the test computes only every ninth cell with eight tasks.
func TestKept(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
	again, computed := tables.Begin(t, Default()), 0
	for i := range again.Cells() {
		c, want := &again.Cells()[i], &s.Cells()[i]
		switch {
		case testing.Short() && c.Part == inTable && (c.Tasks != 8 || i%9 > 0):
		case c.Part == inTable && (c.Tasks == 8 && i%3 == 0 || c.Tasks == network.AllTasks && c.Method == equal):
			experimenttest.Run(t, c, again.begin)
			computed++
			for _, p := range paired[:4] {
				if got, want := c.Each(p.measure)[0], want.Each(p.measure)[0]; got != want {
					t.Errorf("%s, S = %d: the %s are %v, kept is %v", c.title(), c.Tasks, names[p.measure], got, want)
				}
			}
		case c.Part == inTime:
			table := s.cell(inTable, c.Tasks, c.Variant)
			var tried []*Cell
			for tuning := range s.Each {
				if tuning.Part == inTuning && tuning.Tasks == c.Tasks && tuning.Variant == c.Variant {
					tried = append(tried, tuning)
				}
			}
			best := experiment.Largest(tried, func(c *Cell) float64 { return -c.Mean[validation] })
			if best.Eta != table.Eta {
				t.Errorf("%s, S = %d, optimizer %v: tuning finds η = %g, the table has %g", c.title(), c.Tasks, c.Optimizer, best.Eta, table.Eta)
			}
		}
	}
	if computed == 0 {
		t.Error("no cell was computed")
	}
}

// TestFindings checks the statements in docs/network.md and lesson 15 about the full tables.
func TestFindings(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	cell := func(tasks int, v Variant) *Cell {
		c := s.cell(inTable, tasks, v)
		if c == nil || c.Runs < 20 {
			t.Fatalf("%s, S = %d: too few runs", v.title(), tasks)
		}
		return c
	}
	for _, optimizer := range []func(Variant) Variant{func(v Variant) Variant { return v }, Variant.plain} {
		sum := cell(40, optimizer(of(equal)))
		for _, v := range []Variant{of(mgda), every(usualPeriod)} {
			other := cell(40, optimizer(v))
			for run, l := range other.Each(loss) {
				if sum.Each(loss)[run] >= l || sum.Each(accuracy)[run] <= other.Each(accuracy)[run] {
					t.Errorf("%s, %v, run %d: loss %v, equal weights’ %v", v.title(), v.Optimizer, run+1, l, sum.Each(loss)[run])
				}
			}
		}
	}
	sum, min := cell(40, of(equal)), cell(40, of(mgda))
	if 40*sum.Mean[cost] != min.Mean[cost] || math.Abs(cell(40, every(usualPeriod)).Mean[cost]/sum.Mean[cost]-6) > 0.2 {
		t.Error("costs are others")
	}
	if sum.Mean[course+3] > min.Mean[loss] || sum.Mean[course+2] < min.Mean[loss] {
		t.Errorf("equal weights go %v, MGDA ends at %v", sum.Mean[course:], min.Mean[loss])
	}
	far := s.over(min, loss).Mean
	for _, v := range s.config.Compared {
		rule, _ := weighting.Lookup(v.Method)
		if d := s.over(cell(40, v), loss); v.Method != equal && !rule.Needs.Blind && d.Mean < -2*d.Spread {
			t.Errorf("%s ends lower than equal weights by %+v", v.title(), d)
		}
	}
	for _, r := range []int{2, 4, 8, 16, 32} {
		if v := cell(40, every(r)).Mean[loss]; math.Abs(v/min.Mean[loss]-1) > 0.1 {
			t.Errorf("R = %d: loss %v, MGDA’s %v", r, v, min.Mean[loss])
		}
	}
	if d := s.over(cell(40, of(mgda).normalized(weighting.NormalizeL2)), loss).Mean; d > far/3 {
		t.Errorf("l2 ends %v above equal weights, MGDA %v", d, far)
	}
	own := s.over(cell(40, every(usualPeriod)), loss).Mean
	if d := s.over(cell(40, every(usualPeriod).moving(0.9)), loss).Mean; d > 0.55*own {
		t.Errorf("with α = 0.9 %v, without %v above equal weights", d, own)
	}
	for _, v := range []Variant{of("upgrad"), of(mgda).normalized(weighting.NormalizeL2), every(usualPeriod).moving(0.9)} {
		if d := s.over(cell(8, v), loss); math.Abs(d.Mean) > 2*d.Spread {
			t.Errorf("eight tasks: %s is %+v above equal weights", v.title(), d)
		}
	}
	if d := s.over(cell(8, of(mgda)), loss); d.Mean < 3*d.Spread || d.Mean > far {
		t.Errorf("eight tasks: MGDA is %+v above equal weights", d)
	}
	for _, v := range s.config.Compared[1:] {
		if d := s.over(cell(2, v), loss).Mean; math.Abs(d) > 0.1*cell(2, of(equal)).Mean[loss] {
			t.Errorf("two tasks: %s is %v from equal weights", v.title(), d)
		}
	}
	fast, slow := s.cell(inTime, 40, every(usualPeriod)).Mean[seconds], s.cell(inTime, 40, of(mgda)).Mean[seconds]
	if share := fast / slow; share < 0.15 || share > 0.25 {
		t.Errorf("PSMGD takes %v of MGDA’s time", share)
	}
}

// TestPieces checks that the file depends neither on the number of jobs nor on how the work is divided.
func TestPieces(t *testing.T) { tables.Pieces(t, small(), 2, 70, 1, 7) }

// TestCells checks that each cell trains by its rule and counts the right number of backpropagations. The final
// measures match the last measurement during the training run. A training run that diverges causes an error in a
// table, and loses against other step sizes in tuning.
func TestCells(t *testing.T) {
	c := small()
	c.Timed = 2
	s := tables.Complete(t, c, 2)
	for cell := range s.Each {
		switch cell.Part {
		case inTable:
			s, steps := float64(cell.Tasks), float64(c.Steps)
			want := steps
			if cell.Method == mgda {
				want = steps * s
			} else if cell.Method == psmgd {
				refreshes := math.Ceil(steps / usualPeriod)
				want = refreshes*s + steps - refreshes
			}
			if cell.Mean[cost] != want || cell.Deviation[cost] != 0 {
				t.Errorf("%s, S = %g: %v backpropagations, want %v", cell.title(), s, cell.Mean[cost], want)
			}
			if cell.Mean[loss] != cell.Mean[course+looks-1] || !(cell.Mean[worst] <= cell.Mean[balanced]) || !math.IsNaN(cell.Mean[seconds]) {
				t.Errorf("%s: %v", cell.title(), cell.Mean)
			}
		case inTime:
			if !(cell.Mean[seconds] > 0) || !math.IsNaN(cell.Mean[loss]) {
				t.Errorf("%s: %v", cell.title(), cell.Mean)
			}
		case inTuning:
			if !(cell.Mean[validation] > 0) || !math.IsNaN(cell.Mean[loss]) {
				t.Errorf("%s with η = %g: %v", cell.title(), cell.Eta, cell.Mean)
			}
		}
	}
	// The first runs of all cells start at the same point and use the same pairs.
	a, err := s.stepper(&Cell{Tasks: 8, Variant: of(mgda), Eta: 1}, 5)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.stepper(&Cell{Tasks: 8, Variant: of(equal), Eta: 0.1}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.View().X, b.View().X) || !slices.Equal(a.View().F, b.View().F) {
		t.Error("two methods begin apart")
	}
	wild := of(equal)
	wild.Optimizer = descent.Plain
	for _, part := range []string{inTable, inTuning} {
		cell := &Cell{Part: part, Tasks: 8, Variant: wild, Eta: 1e300, Summary: experiment.Summary{Wanted: 1}}
		r, err := s.begin(cell)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.Advance(func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		if err := r.End(cell); (err != nil) != (part == inTable) {
			t.Errorf("%s: a training run that diverges: %v", part, err)
		}
	}
}

// TestRefusals checks that invalid settings are rejected before anything is computed, with errors that name them.
func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"runs = 0": func(c *Config) { c.Runs = 0 }, "steps = 9": func(c *Config) { c.Steps = 9 }, "batch = 0": func(c *Config) { c.Batch = 0 },
		"tasks S = 3": func(c *Config) { c.Tasks = []int{3} }, "Train = -1": func(c *Config) { c.Train.Train = -1 },
	} {
		c := small()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestPictures checks that panels describe their contents in words, before and after the computation.
func TestPictures(t *testing.T) {
	for _, s := range []*Tables{tables.Begin(t, small()), tables.Complete(t, small(), 2)} {
		var svg bytes.Buffer
		if err := s.Picture(0).WriteSVG(&svg); err != nil {
			t.Fatal(err)
		}
		if pending := strings.Contains(svg.String(), " runs"); pending == s.Finished() {
			t.Errorf("finished: %v, the picture counts runs: %v", s.Finished(), pending)
		}
	}
}
