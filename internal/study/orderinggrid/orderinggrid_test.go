package orderinggrid

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
	"paretoplay/internal/engine/runs/orders"
)

// small returns a configuration that runs in almost no time.
func small() Config {
	task := Task{Problem: leastSquares, M: 2, K: 8, D: 3, Epochs: 6}
	few := []Order{{Method: orders.Random}, {Method: orders.RandomOwn}, {Method: orders.GraBShared}, {Method: orders.JoGBa},
		{orders.JoGBa, perObjective}}
	return Config{
		Contests: []Contest{
			{Task: task, Weightings: []string{"ls", "mgda"}, Optimizer: plain, Alphas: []float64{0.01, 0.05}, Orders: few},
			{Task: task, Weightings: []string{"ls"}, Optimizer: plain, Alphas: []float64{0.02},
				Orders: append(few, Order{orders.JoGBa, selfBalancing})},
			{Task: task, Weightings: []string{"mgda"}, Optimizer: adam, Alphas: []float64{0.01, 0.05}, Orders: few},
			{Task: Task{Problem: logistic, M: 2, K: 8, D: 3, Epochs: 3}, Weightings: []string{"nashmtl"}, Optimizer: plain,
				Alphas: []float64{0.1, 0.2}, Orders: few[:2]},
			{Task: Task{Problem: diagonal, M: 2, K: 8, D: 3, Epochs: 3}, Weightings: []string{"pcgrad"}, Optimizer: plain,
				Alphas: []float64{0.1, 0.2}, Orders: few[:2]},
			{Task: Task{Problem: regression, M: 2, K: 4, D: 6, Epochs: 3}, Weightings: []string{"cagrad"}, Optimizer: plain,
				Alphas: []float64{0.01, 0.02}, Orders: few[:2]},
		},
		Rates: []Rate{{Contest: Contest{Task: Task{Problem: leastSquares, M: 2, D: 3, Near: 0.5}, Weightings: []string{"mgda"}, Optimizer: plain,
			Alphas: []float64{0.01, 0.05}, Orders: few[:4]}, Ks: []int{4, 8}, Horizons: []int{2, 32, 40}}},
		Costs:  []Size{{D: 3, Batch: 2, Steps: 4}},
		Tuning: 2, Runs: 3, Seed: 1,
	}
}

// timeless returns the small configuration without measured times.
func timeless() Config {
	c := small()
	c.Costs = nil
	return c
}

// TestRuns checks that each run of a cell has the cell's settings, and shares its data and random numbers with the
// runs of other cells.
func TestRuns(t *testing.T) {
	s := tables.Begin(t, timeless())
	for c := range experiment.Of[Cell](s.Grid) {
		r, err := c.begin(7, c.Alphas[0])
		if err != nil {
			t.Fatal(err)
		}
		kind, own := orders.Kind(c.Method)
		want := 1
		if own {
			want = c.M
		}
		if got := r.stepper.Orders(); len(got) != want || len(got[0]) != c.K {
			t.Errorf("%s: %d orders of %d, want %d of %d", c.title(), len(got), len(got[0]), want, c.K)
		}
		other := *c
		other.Order = Order{Method: orders.Random}
		q, err := other.begin(7, c.Alphas[0])
		if err != nil {
			t.Fatal(err)
		}
		if a, b := r.stepper.Orders()[0], q.stepper.Orders()[0]; !slices.Equal(a, b) {
			t.Errorf("%s begins with the order %v, random with %v", c.title(), a, b)
		}
		if a, b := r.stepper.View(), q.stepper.View(); !slices.Equal(a.F, b.F) || !slices.Equal(a.X, b.X) {
			t.Errorf("%s begins at %v with %v, random at %v with %v", c.title(), a.X, a.F, b.X, b.F)
		}
		if _, err := r.stepper.Step(); err != nil {
			t.Fatal(err)
		}
		if v := r.stepper.View(); (c.Weighting == "ls") != slices.Equal(v.Weights, []float64{0.5, 0.5}) {
			t.Errorf("%s: the weights are %v", c.title(), v.Weights)
		}
		if _, drawn := r.stepper.Clipped(); (drawn > 0) != (c.Variant == selfBalancing) {
			t.Errorf("%s: %d signs are drawn", c.title(), drawn)
		}
		if (r.stepper.Signs() != nil) != kind.Balances() {
			t.Errorf("%s: signs %v", c.title(), r.stepper.Signs())
		}
		if v := r.stepper.View(); slices.Equal(r.stepper.Update(), v.Direction) != (c.Optimizer == plain) {
			t.Errorf("%s: the optimizer makes %v of %v", c.title(), r.stepper.Update(), v.Direction)
		}
	}
}

// TestVariants checks that each variant has the effect that its name states.
func TestVariants(t *testing.T) {
	c := &Cell{Task: Task{Problem: leastSquares, M: 2, K: 16, D: 2, Epochs: 4}, Weighting: "ls", Optimizer: plain,
		Order: Order{Method: orders.JoGBa}}
	ends := map[string]float64{}
	for _, variant := range []string{"", perObjective, selfBalancing} {
		c.Variant = variant
		r, err := c.begin(1, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.problem(1)
		if err != nil {
			t.Fatal(err)
		}
		config := ordering.Config{Problem: p, Start: []float64{0, 0}, Kind: ordering.JoGBa, FixedWeights: []float64{0.5, 0.5},
			StepSize: 0.05, Seed: 1}
		if variant == perObjective {
			config.Centring = ordering.PerObjective
		}
		if variant == selfBalancing {
			config.Signs = ordering.SelfBalancing
		}
		want, err := ordering.New(config)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 * 16 {
			for _, stepper := range []*ordering.Descent{r.stepper, want} {
				if _, err := stepper.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := r.stepper.View().X, want.View().X; !slices.Equal(got, want) {
			t.Errorf("%q ends at %v, want %v", variant, got, want)
		}
		ends[variant] = r.stepper.View().X[0]
	}
	if ends[""] == ends[perObjective] || ends[""] == ends[selfBalancing] {
		t.Errorf("variants end alike: %v", ends)
	}
}

// TestStart checks that runs start on the line from the origin to the minimum of the objectives' mean.
func TestStart(t *testing.T) {
	task := Task{Problem: leastSquares, M: 2, K: 9, D: 3}
	p, err := task.problem(3)
	if err != nil {
		t.Fatal(err)
	}
	task.Near = 1
	w, err := task.start(p)
	if err != nil {
		t.Fatal(err)
	}
	jac := algo.NewJacobian(2, 3)
	p.Jacobian(jac, w)
	for j := range 3 {
		if a, b := jac.Row(0)[j], jac.Row(1)[j]; math.Abs(a+b) > 1e-12*(math.Abs(a)+math.Abs(b)) {
			t.Errorf("at the minimum the gradients have %v and %v", a, b)
		}
	}
	task.Near = 0.25
	part, err := task.start(p)
	if err != nil {
		t.Fatal(err)
	}
	for j := range part {
		if part[j] != 0.25*w[j] {
			t.Errorf("a quarter of the way is %v, the whole %v", part, w)
		}
	}
	if start, err := (&Task{}).start(p); err != nil || slices.Max(start) != 0 || slices.Min(start) != 0 {
		t.Errorf("%v, %v", start, err)
	}
}

// TestMeasures compares a run's measures with a step-by-step computation from their definitions.
func TestMeasures(t *testing.T) {
	c := &Cell{Part: contests, Task: Task{Problem: leastSquares, M: 2, K: 8, D: 3, Epochs: 7}, Weighting: "mgda", Optimizer: plain,
		Order: Order{orders.JoGBa, selfBalancing}, Alphas: []float64{0.3}}
	o, err := c.simulate(4, 0.3, 7, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.begin(4, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	omega, herd := pareto.StationarityOf(r.problem), ordering.NewHerding(r.problem, 1)
	var logs float64
	var want [measures]float64
	want[arrival] = math.NaN()
	for epoch := range 7 {
		from := slices.Clone(r.stepper.View().X)
		now := omega(from)
		if epoch == 0 {
			if got := 2 * math.Log10(now); got != o.first {
				t.Errorf("ω² at the start is 10^%v, want 10^%v", o.first, got)
			}
		}
		if math.IsNaN(want[arrival]) && now <= math.Pow(10, o.first/2)/20 {
			want[arrival] = float64(epoch)
		}
		var far, h float64
		path := [][]float64{from}
		for k := range 8 {
			if _, err := r.stepper.Step(); err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				h = herd.Walk(from, r.stepper.Orders(), nil)
			}
			path = append(path, slices.Clone(r.stepper.View().X))
		}
		if epoch < 5 { // the last third of seven epochs is two
			continue
		}
		logs += math.Log10(now) / 2
		var off float64
		for k, x := range path {
			for j, v := range x {
				far = max(far, math.Abs(v-from[j]))
				straight := from[j] + float64(k)/8*(path[8][j]-from[j])
				off = max(off, math.Abs(v-straight))
			}
		}
		want[herding] += h / 2
		want[drift] += far / 0.3 / 2
		want[wobble] += off / 0.3 / 2
		want[signBound] += r.stepper.SignBound() / 2
	}
	f := r.stepper.View().F
	want[loss] = (f[0] + f[1]) / 2
	if math.IsNaN(want[arrival]) {
		want[arrival] = 7
	}
	for i, v := range want {
		if math.Abs(o.measured[i]-v) > 1e-9*math.Abs(v) {
			t.Errorf("%s is %v, want %v", names[i], o.measured[i], v)
		}
	}
	if math.Abs(o.criteria[0]-logs) > 1e-9*math.Abs(logs) {
		t.Errorf("log ω is %v, want %v", o.criteria[0], logs)
	}
	if again, err := c.simulate(4, 0.3, 7, false); err != nil || again.criteria[0] != o.criteria[0] {
		t.Errorf("unmeasured: %v, %v, want %v", again, err, o.criteria[0])
	}
	c.Order = Order{Method: orders.Random}
	if o, err = c.simulate(4, 0.3, 7, true); err != nil || !math.IsNaN(o.measured[signBound]) || !math.IsNaN(o.measured[clippedPart]) {
		t.Errorf("signs of random orders: %v, %v", o, err)
	}
}

// TestHorizons checks that the mean of ω² over T epochs equals the mean over the first T epochs of a longer run.
func TestHorizons(t *testing.T) {
	c := &Cell{Part: rates, Task: Task{Problem: leastSquares, M: 2, K: 8, D: 3, Epochs: 5, Near: 0.5}, Weighting: "ls", Optimizer: plain,
		Order: Order{Method: orders.GraBShared}, Alphas: []float64{0.1}, Horizons: []int{2, 5}}
	o, err := c.simulate(4, 0.1, 5, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.begin(4, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	omega := pareto.StationarityOf(r.problem)
	var sum float64
	for epoch := range 5 {
		v := omega(r.stepper.View().X)
		sum += v * v
		for i, horizon := range c.Horizons {
			if want := math.Log10(sum / float64(horizon)); epoch+1 == horizon && math.Abs(o.criteria[i]-want) > 1e-12 {
				t.Errorf("T = %d: %v, want %v", horizon, o.criteria[i], want)
			}
		}
		for range 8 {
			if _, err := r.stepper.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTuning checks that the chosen step size has the smallest ω in runs with separate seeds, and that the further runs
// use it with other seeds.
func TestTuning(t *testing.T) {
	s := tables.Complete(t, timeless(), 2)
	for c := range experiment.Of[Cell](s.Grid) {
		if !c.tuned() {
			if len(c.Tried) > 0 || c.chosen(0) != 0 {
				t.Errorf("%s with one step size tried %v", c.title(), c.Tried)
			}
			continue
		}
		for i, alpha := range c.Alphas {
			want := make([]float64, c.criteria())
			for seed := range uint64(2) {
				o, err := c.simulate(1+seed, alpha, c.Epochs, false)
				if err != nil {
					t.Fatal(err)
				}
				for j, v := range o.criteria {
					want[j] += v / 2
				}
			}
			for j := range want {
				if got := c.Tried[i][j]; got != experiment.Rounded(want[j], digits) || got < c.Tried[c.chosen(j)][j] {
					t.Errorf("%s, α = %g: tried %v, want %v; chosen is number %d", c.title(), alpha, got, want[j], c.chosen(j))
				}
			}
		}
		for j := range c.criteria() {
			o, err := c.simulate(3, c.Alphas[c.chosen(j)], c.Epochs, false)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := c.Each[0][j], experiment.Rounded(o.criteria[j], digits); got != want {
				t.Errorf("%s: the first run came to %v, want %v", c.title(), got, want)
			}
		}
	}
}

// TestDiverged checks that a step size with a diverging run is not chosen. If no other step size is left, the error
// says so.
func TestDiverged(t *testing.T) {
	c := timeless()
	c.Rates, c.Contests = nil, c.Contests[:1]
	c.Contests[0].Epochs = 300
	c.Contests[0].Alphas = []float64{5, 0.05}
	s := tables.Complete(t, c, 1)
	for cell := range experiment.Of[Cell](s.Grid) {
		if !math.IsInf(cell.Tried[0][0], 1) || cell.chosen(0) != 1 {
			t.Errorf("%s: tried %v", cell.title(), cell.Tried)
		}
	}
	again := tables.Begin(t, c)
	if err := experiment.Resume(again.Grid, strings.NewReader(experimenttest.CSV(t, s))); err != nil || !again.Finished() {
		t.Error(err)
	}
	var record bytes.Buffer
	if err := s.WriteJSON(&record); err != nil || !json.Valid(record.Bytes()) {
		t.Error(err)
	}
	c.Contests[0].Alphas = []float64{5}
	err := experiment.Run(tables.Begin(t, c).Grid, experiment.Options{Jobs: 1})
	if err == nil || !strings.Contains(err.Error(), "diverges with the step size 5") {
		t.Error(err)
	}
}

// TestEstimates compares estimates with values computed by hand.
func TestEstimates(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	s := tables.Begin(t, timeless())
	contest := &s.config.Contests[0]
	a, b := s.cell(contests, contest, "ls", Order{Method: orders.JoGBa}), s.cell(contests, contest, "ls", Order{Method: orders.Random})
	if !math.IsNaN(s.againstRandom(a).Mean) {
		t.Error("a ratio is known before anything is computed")
	}
	for _, c := range []*Cell{a, b} {
		c.Tried = [][]float64{{1}, {0}}
	}
	a.Each, b.Each = [][]float64{{-2}, {-1}, {-3}}, [][]float64{{-1}, {-1}, {-1}}
	near("log ω", s.late(a).Mean, -2)
	r := s.againstRandom(a)
	near("log ratio", r.Mean, -1)
	near("its half", r.Spread, 4.303/math.Sqrt(3))

	rate := &s.config.Rates[0]
	for i, k := range rate.Ks {
		c := s.cell(rates, rate.at(k), "mgda", Order{Method: orders.Random})
		c.Tried = [][]float64{{0, 0, 0}, {1, 1, 1}}
		for run := range 3 {
			n := float64(run)
			// For K = 4 and 8, the exponent of T is −1−run, and the exponent of K is −run.
			c.Each = append(c.Each, []float64{9, -1 - n*float64(i)*math.Log10(2), -1 - n*float64(i)*math.Log10(2) - (1+n)*math.Log10(40./32), 0.5})
		}
	}
	c := s.cell(rates, rate.at(4), "mgda", Order{Method: orders.Random})
	near("exponent over T", s.overT(c).Mean, -2)
	near("exponent over K", s.overK(rate, "mgda", c.Order).Mean, -1)
	near("share of the start", s.firstShare(c), math.Pow(10, 0.5+1+2*math.Log10(40./32))/40)
	if !math.IsNaN(s.overK(rate, "mgda", Order{Method: orders.JoGBa}).Mean) {
		t.Error("an exponent is known of what is not computed")
	}

	constants := ordering.Constants{Gap: 2, Lipschitz: 3, Smoothness: 4, Deviation: 1, Balance: 5}
	random, joint := bound(orders.Random, &constants, 10, 20), bound(orders.JoGBa, &constants, 10, 20)
	near("α of Theorem 3.6", random.Alpha, math.Sqrt(2*2/(4*10*200.)))
	near("its first term", random.Terms[0], math.Sqrt(2*4*2*10/200.))
	near("its second", random.Terms[1], (1+math.Log(20))/20)
	near("its bound", random.total(), random.Terms[0]+random.Terms[1])
	near("α of Theorem 3.9", joint.Alpha, 1/(26*15*7.))
	for i, want := range []float64{11 * math.Cbrt(25*16*4*10/40_000.), 1 / 20., 65 * 2 * 7 / 20., 8 * 2 * 5 * 4 / 200.} {
		near(termNames[orders.JoGBa][i], joint.Terms[i], want)
	}
}

// TestResumed checks that tables resume from a part of their file, do not depend on the number of jobs, and reject
// files of other tables.
func TestResumed(t *testing.T) {
	s := tables.Complete(t, small(), 2)
	full := experimenttest.CSV(t, s)
	if alone := experimenttest.CSV(t, tables.Complete(t, timeless(), 1)); alone != full[:strings.LastIndex(full, "cost,")] {
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
	lines := strings.SplitAfter(full, "\n")
	part := tables.Begin(t, small())
	begun := strings.NewReader(strings.Join(lines[:9], "") + lines[len(lines)-2])
	if err := experiment.Run(part.Grid, experiment.Options{Jobs: 2, Resume: begun}); err != nil {
		t.Fatal(err)
	}
	if experimenttest.CSV(t, part) != full {
		t.Error("what goes on from a part is something else")
	}
	wrong := func(old, new string) {
		t.Helper()
		if !strings.Contains(lines[1], old) {
			t.Fatalf("%s lacks %q", lines[1], old)
		}
		err := experiment.Resume(tables.Begin(t, small()).Grid, strings.NewReader(lines[0]+strings.Replace(lines[1], old, new, 1)))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q for %q: %v", new, old, err)
		}
	}
	var tried, each string
	for cell := range experiment.Of[Cell](s.Grid) {
		tried, each = experiment.JoinRows(cell.Tried), experiment.JoinRows(cell.Each)
		break
	}
	wrong(","+tried+",", ",,")
	wrong(","+tried+",", ","+tried+";1,")
	wrong(","+tried+",", ",NaN;NaN,")
	wrong(","+tried+",", ","+tried+"1234,")
	wrong(","+each+",", ","+strings.Replace(each, ";", " 1;", 1)+",")
	wrong(","+each+",", ","+strings.Replace(each, ";", ";+Inf;", 1)+",")
	wrong(leastSquares, diagonal)
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(c *Config){
		"runs = 0":         func(c *Config) { c.Runs = 0 },
		"tuning = 0":       func(c *Config) { c.Tuning = 0 },
		"epochs = 0":       func(c *Config) { c.Contests[0].Epochs = 0 },
		"near = 2":         func(c *Config) { c.Contests[0].Near = 2 },
		"step sizes, 0":    func(c *Config) { c.Contests[0].Alphas = nil },
		"horizons = [3 2]": func(c *Config) { c.Rates[0].Horizons = []int{3, 2} },
		"horizons = []":    func(c *Config) { c.Rates[0].Horizons = nil },
		"steps = 0":        func(c *Config) { c.Costs[0].Steps = 0 },
		"alpha":            func(c *Config) { c.Contests[0].Alphas = []float64{-1} },
		"examples":         func(c *Config) { c.Contests[0].K = 0 },
		"weighting":        func(c *Config) { c.Contests[0].Weightings = []string{"none"} },
		"problem":          func(c *Config) { c.Contests[0].Problem = "none" },
	} {
		c := small()
		change(&c)
		_, err := New(c)
		var refused *algo.RangeError
		if err == nil || !errors.As(err, &refused) && !strings.Contains(err.Error(), what) || refused != nil && refused.Name != what {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestShown checks that pictures and files can be written at any stage of the computation.
func TestShown(t *testing.T) {
	half := tables.Begin(t, small())
	all := tables.Complete(t, small(), 2)
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
			if got, want := strings.Count(p.Describe(), "JoGBa") > 0, known == "all"; i == 0 && got != want && known != "half" {
				t.Errorf("%s computed: %s", known, p.Describe())
			}
		}
	}
}

// TestQuick checks that the quick version's contests are among the full version's, and that the runs of both are the
// same except for the step sizes.
func TestQuick(t *testing.T) {
	full, quick := Default(), Default().quick()
	if quick.Runs >= full.Runs || quick.Tuning >= full.Tuning || len(quick.Contests) == 0 || len(quick.Contests) >= len(full.Contests) {
		t.Errorf("%+v", quick)
	}
	for i := range quick.Contests {
		q := &quick.Contests[i]
		if !slices.ContainsFunc(full.Contests, func(c Contest) bool {
			return c.Task == q.Task && c.Optimizer == q.Optimizer && slices.Equal(c.Alphas, q.Alphas)
		}) {
			t.Errorf("%s is not in the full tables", q.title())
		}
	}
}
