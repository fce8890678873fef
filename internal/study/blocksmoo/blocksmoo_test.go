package blocksmoo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
	"paretoplay/internal/engine/runs/sweeps"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	race := Data{Drawn: problem.RegressionConfig{Train: 64, Test: 32, Features: 6, Responses: 3, TrueRank: 2, Noise: 0.05}}
	sweep := race
	sweep.Drawn.UnitResponses = true
	c := Config{
		Race: race, Rank: 2, Batch: 8, Alphas: []float64{0.01, 0.02}, Ms: []int{1, 2}, EqualAlpha: 0.01, EqualM: 2,
		Budget: 0.002, Records: []float64{0.001, 0.002}, Finalists: 2, Levels: []float64{10, 1}, Checkpoints: []float64{0.01, 0.03},
		Tuning: 2, Runs: 2, Seed: 1,
	}
	for _, reading := range readings {
		c.Fronts = append(c.Fronts, Front{Data: sweep, Rank: 1, Sum: 3, Alpha: 0.02, Passes: 2, Reading: reading, Seeds: 2})
	}
	return c
}

// timeless returns the tables' CSV without the values that depend on time.
func timeless(s *Tables) string {
	var out []string
	for c := range experiment.Of[cell[attempt]](s.Grid) {
		out = append(out, experiment.JoinRows(c.Rows))
	}
	for c := range experiment.Of[cell[sweep]](s.Grid) {
		out = append(out, experiment.JoinRows(c.Rows))
	}
	return strings.Join(out, "\n")
}

// TestForward checks that a run advanced in pieces equals a run of single steps, and that its cost is the sum of the
// costs that the formulas give for the steps.
func TestForward(t *testing.T) {
	c := small()
	s := tables.Begin(t, c)
	e, err := s.store.take(&c.Race, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods() {
		for _, setting := range c.settings(m) {
			r, err := s.begin(e, c.Rank, trial{setting, 0.01}, 5)
			if err != nil {
				t.Fatal(err)
			}
			for range 30 {
				if status, err := r.forward(2500); err != nil || status != algo.Running {
					t.Fatal(status, err)
				}
			}
			single, err := s.begin(e, c.Rank, trial{setting, 0.01}, 5)
			if err != nil {
				t.Fatal(err)
			}
			p, err := problem.NewReducedRank(e.train, problem.ReducedRankConfig{Rank: c.Rank, KeepProduct: m.Shared})
			if err != nil {
				t.Fatal(err)
			}
			work, kept, n := 0, false, 18
			for single.stepper.View().K < r.stepper.View().K {
				if _, err := single.stepper.Step(); err != nil {
					t.Fatal(err)
				}
				move, _ := single.stepper.Move()
				lo, hi := move.Coordinates[0], move.Coordinates[len(move.Coordinates)-1]+1
				kept = m.Shared && lo >= 12 && move.Turn > 0
				if move.Objective == blocks.Together {
					work += p.WeightedWork(c.Batch, lo, hi, kept)
				} else {
					work += p.Work(c.Batch, move.Objective, lo, hi, kept)
				}
				if wantBlocks := map[bool]int{false: 1, true: 2}[m.inBlocks()]; !setting.ByRows && hi-lo == n != (wantBlocks == 1) {
					t.Errorf("%+v moves %d of %d variables", setting, hi-lo, n)
				}
			}
			if !slices.Equal(single.stepper.View().X, r.stepper.View().X) {
				t.Errorf("%+v: in pieces it goes elsewhere", setting)
			}
			if r.work != work {
				t.Errorf("%+v: %d multiplications, want %d", setting, r.work, work)
			}
			turns := map[string]int{sweeps.WeightedSum: 1, sweeps.FunctionAlternate: 3 * setting.M}[m.ID]
			if m.inBlocks() {
				turns = 3 * setting.M * map[bool]int{false: 2, true: 3}[setting.ByRows]
			}
			if r.stepper.OuterSteps() != turns {
				t.Errorf("%+v has %d steps in an outer iteration, want %d", setting, r.stepper.OuterSteps(), turns)
			}
			// After whole outer iterations, the result of share is exact, not an approximation.
			whole, err := s.begin(e, c.Rank, trial{setting, 0.01}, 5)
			if err != nil {
				t.Fatal(err)
			}
			for whole.stepper.OuterIterations() < 2 {
				if _, err := whole.forward(1); err != nil {
					t.Fatal(err)
				}
			}
			if got := whole.share(whole.stepper.View().K) * million; math.Abs(got-float64(whole.work)) > 1e-6*got {
				t.Errorf("%+v: share says %v, made are %d", setting, got, whole.work)
			}
		}
	}
}

// TestCosts checks that the costs of reaching levels and the losses at checkpoints match the run.
func TestCosts(t *testing.T) {
	c := small()
	c.Levels, c.Checkpoints = []float64{1e9, 1, 1e-9}, []float64{0.01, 0.1, 0.2}
	s := tables.Begin(t, c)
	e, err := s.store.take(&c.Race, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods() {
		begin := func() *run {
			r, err := s.begin(e, c.Rank, trial{c.plain(m), 0.02}, 2)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		row, err := s.costs(begin())
		if err != nil {
			t.Fatal(err)
		}
		if row[0] != 0 || row[3] != 0 || !math.IsInf(row[2], 1) || !math.IsInf(row[5], 1) {
			t.Errorf("%s: %v", m.title(), row)
		}
		r := begin()
		var work, coordinates, loss float64
		for float64(r.work)/million < 0.2 {
			work, coordinates, loss = float64(r.work)/million, float64(r.stepper.View().Cost.GradientCoordinates)/thousand, r.loss()
			if _, err := r.forward(0.2 * million / looks); err != nil {
				t.Fatal(err)
			}
			now, then := float64(r.work)/million, float64(r.stepper.View().Cost.GradientCoordinates)/thousand
			if row[1] > work && row[1] <= now &&
				!(row[4] >= coordinates && row[4] <= then && min(loss, r.loss()) <= 1 && max(loss, r.loss()) >= 1) {
				t.Errorf("%s: to 1 it takes %v million and %v thousand, where the loss goes from %v to %v", m.title(), row[1], row[4], loss, r.loss())
			}
			for i, checkpoint := range c.Checkpoints {
				if got := row[6+i]; work < checkpoint && now >= checkpoint &&
					!(got >= min(loss, r.loss())*(1-1e-9) && got <= max(loss, r.loss())*(1+1e-9)) {
					t.Errorf("%s: at %v million the loss is %v, where it goes from %v to %v", m.title(), checkpoint, got, loss, r.loss())
				}
			}
		}
		if math.IsInf(row[1], 1) || row[8] > 1 {
			t.Errorf("%s: %v", m.title(), row)
		}
	}
	r, err := s.begin(e, c.Rank, trial{c.plain(baseline), 50}, 2)
	if err != nil {
		t.Fatal(err)
	}
	row, err := s.costs(r)
	if err != nil || !math.IsInf(row[workTo(1)], 1) || !math.IsInf(row[c.lossAt(2)], 1) {
		t.Errorf("a run that diverges: %v, %v", row, err)
	}
	again, err := s.begin(e, c.Rank, trial{c.plain(baseline), 50}, 2)
	if err != nil {
		t.Fatal(err)
	}
	o, err := again.race([]float64{0.01, 0.5})
	if err != nil || !math.IsInf(o[lossesFrom+1], 1) || o[steps] == 0 {
		t.Errorf("by the clock: %+v, %v", o, err)
	}
}

// TestRace checks that a timed run equals an untimed run with the same number of steps, no matter at which step the
// time runs out.
func TestRace(t *testing.T) {
	c := small()
	s := tables.Begin(t, c)
	e, err := s.store.take(&c.Race, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods() {
		r, err := s.begin(e, c.Rank, trial{c.plain(m), 0.01}, 3)
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.race([]float64{0.001, 0.002, 0.004})
		if err != nil {
			t.Fatal(err)
		}
		same, err := s.begin(e, c.Rank, trial{c.plain(m), 0.01}, 3)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := same.stepper.Advance(int(o[steps])); err != nil {
			t.Fatal(err)
		}
		if got, want := o[lossesFrom+2], same.loss(); got != want || o[steps] < 3 || o[work] != same.share(int(o[steps])) {
			t.Errorf("%s: %+v, want the loss %v", m.title(), o, want)
		}
	}
}

// TestChosen checks that the best trials with the first seed are tried again, and that the best of these is used in
// timed runs.
func TestChosen(t *testing.T) {
	c := small()
	s := tables.Complete(t, c, 1)
	for _, m := range methods() {
		var losses []float64
		for cell := range experiment.Of[cell[screened]](s.Grid) {
			if cell.Key.Method == m {
				losses = append(losses, cell.Rows.Number(0)...)
			}
		}
		trials := c.trials(m)
		if want := len(c.Alphas) * len(c.settings(m)); len(losses) != want || len(trials) != want {
			t.Fatalf("%s: %d of %d trials, want %d", m.title(), len(losses), len(trials), want)
		}
		for cell := range experiment.Of[cell[Method]](s.Grid) {
			if cell.Key != m {
				continue
			}
			best, least := -1., math.Inf(1)
			for i, row := range cell.Rows {
				below := 0
				for _, v := range losses {
					if v < losses[int(row[trialNumber])] {
						below++
					}
				}
				if below > i {
					t.Errorf("%s: finalist %d has %d before it", m.title(), i, below)
				}
				if row[trialLosses] < least {
					best, least = row[trialNumber], row[trialLosses]
				}
			}
			if got, ok := s.chosen(m); !ok || got != trials[int(best)] {
				t.Errorf("%s: chosen is %+v, want %+v", m.title(), got, trials[int(best)])
			}
		}
	}
	if _, ok := tables.Begin(t, c).chosen(baseline); ok {
		t.Error("a setting is chosen before anything is computed")
	}
	if _, err := tables.Begin(t, c).tune(baseline); err == nil {
		t.Error("settings are chosen before they are tried")
	}
	if _, err := tables.Begin(t, c).race(racing{3}); err == nil {
		t.Error("a method races before its setting is chosen")
	}
}

// TestCounted checks that every counted setting except the plain one differs from the plain one in one respect.
func TestCounted(t *testing.T) {
	c := Default()
	for m, want := range map[Method][2]int{baseline: {1, 1}, {ID: sweeps.FunctionAlternate}: {4, 4}, {ID: sweeps.BlockSMOO}: {8, 5}} {
		if got := [2]int{len(c.settings(m)), len(c.counted(m))}; got != want {
			t.Errorf("%s: %d settings, of %d costs are counted, want %v", m.title(), got[0], got[1], want)
		}
	}
}

// TestSweep checks that a front has a separate run for every vector, with the number of steps that the reading of a
// pass requires.
func TestSweep(t *testing.T) {
	if got := vectorsOf(2, 3); fmt.Sprint(got) != "[[0 0 2] [0 1 1] [0 2 0] [1 0 1] [1 1 0] [2 0 0]]" {
		t.Errorf("vectors %v", got)
	}
	for _, c := range [][3]int{{20, 3, 231}, {20, 2, 21}, {6, 5, 210}, {3, 1, 1}} {
		if vectors(c[0], c[1]) != c[2] || len(vectorsOf(c[0], c[1])) != c[2] {
			t.Errorf("of sum %d there are %d vectors of %d numbers, listed are %d", c[0], vectors(c[0], c[1]), c[1], len(vectorsOf(c[0], c[1])))
		}
	}
	c := small()
	s := tables.Begin(t, c)
	steps := map[string]int{byStep: 16, byVisit: 16 * 3, byOuter: 16 * 6}
	for _, f := range c.Fronts {
		e, err := s.store.take(&f.Data, 1)
		if err != nil {
			t.Fatal(err)
		}
		var sets [][][]float64
		for i, m := range swept {
			w, err := s.sweeper(&f, e, m, 1)
			if err != nil {
				t.Fatal(err)
			}
			p, err := problem.NewReducedRank(e.train, problem.ReducedRankConfig{Rank: 1, KeepProduct: w.shared != nil})
			if err != nil {
				t.Fatal(err)
			}
			config := blocks.Config{Problem: p, Start: p.Start(1, 0), Blocks: [][]int{{0, 1, 2, 3, 4, 5}, {6, 7, 8}}, StepSize: 0.02,
				Batch: 8, Seed: 1}
			want := 16
			if i == 0 {
				want = steps[f.Reading]
				if f.Reading == byVisit {
					config.Shared = []bool{true, true}
				}
				if f.Reading == byCost { // as many as cost no more than the weighted sum's passes
					per := func(w *sweeper) float64 {
						r, err := w.begin([]int{1, 1, 1})
						if err != nil {
							t.Fatal(err)
						}
						return r.share(1)
					}
					other, err := s.sweeper(&f, e, baseline, 1)
					if err != nil {
						t.Fatal(err)
					}
					if want = w.steps; float64(want)*per(w) > 16*per(other) || float64(want+1)*per(w) <= 16*per(other) {
						t.Errorf("%d steps of %v million, the weighted sum has 16 of %v", want, per(w), per(other))
					}
				}
			} else {
				config = blocks.WeightedSum(config)
			}
			if w.steps != want {
				t.Errorf("%s, %s: %d steps, want %d", m.title(), f.Reading, w.steps, want)
			}
			set, work, err := w.losses()
			if err != nil || work <= 0 {
				t.Fatal(err, work)
			}
			for j, frequencies := range vectorsOf(3, 3) {
				config.Frequencies = frequencies
				stepper, err := blocks.New(config)
				if err != nil {
					t.Fatal(err)
				}
				for range want {
					if _, err := stepper.Step(); err != nil {
						t.Fatal(err)
					}
				}
				test, err := problem.NewReducedRank(e.test, problem.ReducedRankConfig{Rank: 1})
				if err != nil {
					t.Fatal(err)
				}
				losses := make([]float64, 3)
				if test.Values(losses, stepper.View().X); !slices.Equal(losses, set[j]) {
					t.Errorf("%s, %s, m = %v: losses %v, want %v", m.title(), f.Reading, frequencies, set[j], losses)
				}
			}
			sets = append(sets, set)
		}
		rows, err := s.sweep(sweep{f, 1})
		if err != nil {
			t.Fatal(err)
		}
		qualities, _, err := pareto.Compare(sets...)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range qualities {
			var mean float64
			for _, losses := range sets[i] {
				mean += (losses[0] + losses[1] + losses[2]) / 3 / float64(len(sets[i]))
			}
			want := []float64{q.Purity, q.Gamma, q.Delta, float64(len(q.Front))}
			if r := rows[i]; !slices.Equal(r[:meanLoss], want) || math.Abs(r[meanLoss]-mean) > 1e-12 {
				t.Errorf("%s: %v, want %+v and %v", f.Reading, rows[i], q, mean)
			}
		}
	}
	far := c.Fronts[0]
	far.Alpha = 1e6
	if rows, err := s.sweep(sweep{far, 1}); err != nil || rows[1][points] != 0 {
		t.Errorf("where all diverge the fronts are %v, %v", rows, err)
	}
}

// TestStore checks that the store keeps draws only while they are needed.
func TestStore(t *testing.T) {
	c := small()
	var s store
	first, err := s.take(&c.Race, 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(keptDraws + 2) {
		if e, err := s.take(&c.Race, 1); err != nil || e != first {
			t.Fatalf("seed 1 is drawn again after %d others", seed)
		}
		if _, err := s.take(&c.Race, 10+seed); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.draws) != keptDraws {
		t.Errorf("%d draws are kept", len(s.draws))
	}
}

// TestTexts checks that the texts of costs and losses state how many runs reached a level and how many diverged.
func TestTexts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		values []float64
		text   string
	}{
		{[]float64{3, 1, 2}, "2.00"}, {[]float64{1, 4, 2, 9}, "3.00"}, {[]float64{inf, 1, 2}, "2.00 (2 of 3 runs)"},
		{[]float64{inf, 1, inf}, "never (1 of 3 runs)"}, {[]float64{1, inf}, "never (1 of 2 runs)"}, {[]float64{0, 0}, "0"},
	} {
		if got := costText(c.values); got != c.text {
			t.Errorf("the costs %v are written as %s, want %s", c.values, got, c.text)
		}
	}
	if costText(nil) != "–" || lossText([]float64{1, inf}) != "1 diverged" || lossText([]float64{1, 4}) != "2.00" {
		t.Error("texts of unknown or diverged values are wrong")
	}
}

// TestCheapest checks that the chosen step size has the smallest mean cost. The cost of a run that does not reach the
// level counts as twice the last checkpoint.
func TestCheapest(t *testing.T) {
	c := small() // up to 0.03 million
	s := tables.Begin(t, c)
	setting := c.plain(baseline)
	if _, ok := s.cheapest(setting, 0); ok {
		t.Error("a step size is chosen before anything is computed")
	}
	inf := math.Inf(1)
	costs := map[uint64][2]float64{1: {0.02, 0.01}, 2: {0.03, 0.05}} // by seed and step size; means 0.025 and 0.03
	set := func() {
		for cell := range experiment.Of[cell[attempt]](s.Grid) {
			if cell.Key.Setting == setting {
				cell.Rows = nil
				for _, v := range costs[cell.Key.Seed] {
					cell.Rows.Add([]float64{v, inf, 0, 0, 0, 0})
				}
			}
		}
	}
	set()
	if best, ok := s.cheapest(setting, 0); !ok || best.Alpha != 0.01 {
		t.Errorf("chosen is %+v", best)
	}
	costs[2] = [2]float64{inf, 0.05} // means 0.04 and 0.03
	set()
	if best, ok := s.cheapest(setting, 0); !ok || best.Alpha != 0.02 {
		t.Errorf("chosen is %+v", best)
	}
	if best, ok := s.cheapest(setting, 1); ok {
		t.Errorf("chosen is %+v where no run gets there", best)
	}
}

// TestResumed checks that tables resume from a part of their file and, except for times, do not depend on the number
// of jobs. Files of other tables are rejected.
func TestResumed(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	full := experimenttest.CSV(t, s)
	if alone := timeless(tables.Complete(t, small(), 1)); alone != timeless(s) {
		t.Error("one job computes something else than two")
	}
	again := tables.Begin(t, small())
	if err := experiment.Resume(again.Grid, strings.NewReader(full)); err != nil || !again.Finished() {
		t.Fatal(err)
	}
	if got := experimenttest.CSV(t, again); got != full {
		t.Errorf("read and written it is\n%s\nwas\n%s", got, full)
	}
	var before, after bytes.Buffer
	if err := errors.Join(s.WriteText(&before), again.WriteText(&after)); err != nil || before.String() != after.String() {
		t.Errorf("%v: the text is\n%s\nwas\n%s", err, after.String(), before.String())
	}
	// Interrupt after each part, in the order in which parts finish.
	stop := errors.New("stop")
	for _, interrupted := range []int{1, len(methods()) + 20, 45, len(s.Cells()) - 2} {
		var file string
		stored, shares := 0, []float64{}
		err := experiment.Run(tables.Begin(t, small()).Grid, experiment.Options{Jobs: 2, Partial: func(o experiment.Outcome) error {
			var b bytes.Buffer
			err := o.WriteCSV(&b)
			file = b.String()
			if stored++; stored == interrupted {
				return errors.Join(err, stop)
			}
			return err
		}, Progress: func(p experiment.Progress) { shares = append(shares, p.Done) }})
		if !errors.Is(err, stop) || !slices.IsSorted(shares) {
			t.Fatalf("error %v, progress %v", err, shares)
		}
		part := tables.Begin(t, small())
		var resumed experiment.Progress
		err = experiment.Run(part.Grid, experiment.Options{Jobs: 2, Resume: strings.NewReader(file), Progress: func(p experiment.Progress) {
			if resumed.Resumed = p.Resumed; p.Done < p.Resumed {
				t.Errorf("progress %+v", p)
			}
		}})
		if err != nil || resumed.Resumed == 0 || timeless(part) != timeless(s) {
			t.Errorf("interrupted after %d parts: what goes on is something else, %v", interrupted, err)
		}
		if got := experimenttest.CSV(t, part); !strings.HasPrefix(got, strings.SplitAfter(file, "\n")[0]) || !containsLines(got, file) {
			t.Errorf("interrupted after %d parts: what was done is computed again", interrupted)
		}
	}
	lines := strings.SplitAfter(full, "\n")
	wrong := func(line int, old, new string) {
		t.Helper()
		if !strings.Contains(lines[line], old) {
			t.Fatalf("%s lacks %q", lines[line], old)
		}
		err := experiment.Resume(tables.Begin(t, small()).Grid, strings.NewReader(lines[0]+strings.Replace(lines[line], old, new, 1)))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q for %q: %v", new, old, err)
		}
	}
	each := strings.TrimSpace(lines[1][strings.LastIndex(lines[1], ",")+1:])
	wrong(1, ","+each, ",")
	wrong(1, ","+each, ","+each+";1")
	wrong(1, ","+each, ","+each+" 1")
	wrong(1, ","+each, ",NaN;NaN")
	wrong(1, ","+each, ",-1;1")
	wrong(1, ","+each, ",1.23456;1")
	wrong(1, sweeps.BlockSMOO, "none")
	wrong(1, ",64,", ",65,")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "tune") })
	at := strings.LastIndex(lines[i], ",")
	wrong(i, lines[i][at:], ",99 1;0 1\n")
	wrong(i, lines[i][at:], ",0.5 1;0 1\n")
}

// containsLines reports whether all lines of a text are in another text.
func containsLines(text, lines string) bool {
	for line := range strings.Lines(lines) {
		if !strings.Contains(text, line) {
			return false
		}
	}
	return true
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(c *Config){
		"runs = 0":       func(c *Config) { c.Runs = 0 },
		"tuning = 1":     func(c *Config) { c.Tuning = 1 },
		"finalists = 0":  func(c *Config) { c.Finalists = 0 },
		"records = []":   func(c *Config) { c.Records = nil },
		"at most the":    func(c *Config) { c.Budget = 1 },
		"checkpoints =":  func(c *Config) { c.Checkpoints[0] = 1 },
		"levels =":       func(c *Config) { c.Levels[0] = 0.5 },
		"m = 7 must":     func(c *Config) { c.EqualM = 7 },
		"0.03 and m":     func(c *Config) { c.EqualAlpha = 0.03 },
		"alpha":          func(c *Config) { c.Alphas[1] = -1 },
		"batch":          func(c *Config) { c.Batch = 65 },
		"rank":           func(c *Config) { c.Rank = 4 },
		"train":          func(c *Config) { c.Race.Drawn.Train = 0 },
		"sum = 0":        func(c *Config) { c.Fronts[1].Sum = 0 },
		"passes = 0":     func(c *Config) { c.Fronts[1].Passes = 0 },
		"reading = \"\"": func(c *Config) { c.Fronts[1].Reading = "" },
		"m[0] = -1":      func(c *Config) { c.Ms = []int{2, -1} },
	} {
		c := small()
		change(&c)
		_, err := New(c)
		var refused *algo.RangeError
		if err == nil || !errors.As(err, &refused) && !strings.Contains(err.Error(), what) ||
			refused != nil && refused.Name != what && !strings.Contains(refused.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestShown checks that pictures and files can be written at any stage of the computation.
func TestShown(t *testing.T) {
	all := tables.Complete(t, small(), 2)
	half := tables.Begin(t, small())
	for i := range half.Cells() {
		if i%2 == 0 {
			half.Cells()[i] = all.Cells()[i]
		}
	}
	for known, s := range map[string]*Tables{"none": tables.Begin(t, small()), "half": half, "all": all} {
		var svg, record, text bytes.Buffer
		if err := errors.Join(s.Picture(0).WriteSVG(&svg), s.WriteJSON(&record), s.WriteText(&text)); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(record.Bytes()) || strings.Contains(text.String(), "NaN") || strings.Contains(svg.String(), "NaN") {
			t.Errorf("%s computed: %s\n%s", known, record.String(), text.String())
		}
		for i, p := range s.Panels() {
			if got, want := strings.Contains(p.Describe(), "Block-SMOO"), known == "all"; got != want && known != "half" {
				t.Errorf("%s computed, picture %d: %s", known, i, p.Describe())
			}
		}
	}
	for cell := range experiment.Of[cell[screened]](all.Grid) {
		cell.Rows[0][0] = math.Inf(1)
		break
	}
	for cell := range experiment.Of[cell[sweep]](all.Grid) {
		if cell.Key == (sweep{all.config.Fronts[len(all.config.Fronts)-1], 2}) {
			cell.Rows[0][purity] = math.Inf(1)
		}
	}
	var record, text bytes.Buffer
	if err := errors.Join(all.WriteJSON(&record), all.WriteText(&text)); err != nil || !json.Valid(record.Bytes()) {
		t.Error(err)
	}
}

// TestQuick checks that the quick version has the same parts as the full one, and that both are valid.
func TestQuick(t *testing.T) {
	full, quick := Default(), Default().quick()
	if quick.Runs >= full.Runs || quick.Tuning >= full.Tuning || len(quick.Fronts) == 0 || len(quick.Fronts) >= len(full.Fronts) {
		t.Errorf("%+v", quick)
	}
	tables.Begin(t, quick)
	if f := full.Fronts[0]; f.Rank >= f.Drawn.Responses || vectors(f.Sum, f.Drawn.Responses) != 231 || f.Passes != 20 || f.Alpha != 0.02 {
		t.Errorf("%+v", f)
	}
	for i, f := range full.Fronts {
		for _, other := range full.Fronts[:i] {
			if f.Rank == other.Rank && f.Reading == other.Reading && f.Passes == other.Passes {
				t.Errorf("there are two fronts of %+v", f)
			}
		}
	}
}
