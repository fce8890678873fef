package orders

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// bound returns a roster of all orders and its parameters, with the given values.
func bound(t testing.TB, values map[string]string) (*Roster, *param.List) {
	t.Helper()
	r, l := New(names()...), new(param.List)
	r.BindMethods(l)
	r.BindOrder(l)
	r.BindStepSettings(l)
	r.BindOwn(l)
	r.BindAxis(l)
	l.Integer(&r.Batch, param.Descriptor{Name: "batch", Min: 1, Max: 10})
	for name, text := range values {
		if err := l.Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return r, l
}

func names() (all []string) {
	for _, m := range Methods() {
		all = append(all, m.ID)
	}
	return all
}

// Sizes of the samples in these tests.
const (
	objectives = 3
	samples    = 12
	variables  = 4
)

// course returns a least-squares problem for orders to run on.
func course(t testing.TB) Course {
	t.Helper()
	p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: objectives, Examples: samples, Variables: variables,
		Condition: 4, Heterogeneity: 0.5, Noise: 0.5, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return Course{Problem: p, Start: []float64{1, -1, 0.5, 2}, Epochs: 5, Seed: 7}
}

// timelineOf returns runs at k = 0 with the given values, and their roster.
func timelineOf(t testing.TB, limit, budget int, values map[string]string) (*timeline.Timeline, *Roster) {
	t.Helper()
	r, _ := bound(t, values)
	runs, err := r.Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(limit)
	line.SetEnd(budget, 0)
	line.Reset(runs, nil)
	return line, r
}

// play takes n steps, or plays to the end if n is −1.
func play(t testing.TB, line *timeline.Timeline, n int) {
	t.Helper()
	for ; n != 0 && line.Running(); n-- {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMethods checks that every order has a description, a kind and a distinct look. Balancing orders must differ
// between objectives unless all objectives share one order.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	offered := map[ordering.Kind]bool{}
	for _, m := range Methods() {
		if seen[m.ID] || m.Title == "" || m.Paper == "" || !strings.HasSuffix(m.Help, ".") {
			t.Errorf("%+v", m)
		}
		seen[m.ID] = true
		if brush.Light.Look(m.ID).Hue == brush.Light.Ink {
			t.Errorf("%s has no colour, marker and dash. %s", m.ID, drawtest.FreeLooks(t, m.ID))
		}
		kind, own := Kind(m.ID)
		offered[kind] = true
		base, own2 := strings.CutSuffix(m.ID, "-own")
		if !kind.Balances() && (base != string(kind) || own != own2) || kind.Balances() && m.ID != string(kind) {
			t.Errorf("%s is %v, own %v", m.ID, kind, own)
		}
	}
	if len(offered) != 7 {
		t.Errorf("got %d offered kinds, want 7", len(offered))
	}
	defer func() {
		if recover() == nil {
			t.Error("got a kind of an unknown order")
		}
	}()
	Kind("sorted")
}

// TestRuns checks that there is a run for every order and seed, all from the same start. Each run must record its epoch
// and spend the expected backpropagations.
func TestRuns(t *testing.T) {
	line, r := timelineOf(t, timeline.DefaultLimit, 30, map[string]string{"seeds": "2"})
	play(t, line, -1)
	if len(line.Runs()) != 2*len(Methods()) {
		t.Fatalf("%d runs", len(line.Runs()))
	}
	for i, run := range line.Runs() {
		m := Methods()[i/2]
		if run.Name != fmt.Sprintf("%s-%d", m.ID, i%2+1) || run.Label != fmt.Sprintf("%s, seed %d", m.Title, i%2+1) || run.StartIndex != i%2 ||
			!slices.Equal(run.Starts[0], course(t).Start) || Examples(run) != samples {
			t.Errorf("run %d is %s, %q, seed %d from %v", i, run.Name, run.Label, run.StartIndex, run.Starts)
		}
		each := objectives
		if kind, own := Kind(m.ID); !kind.Balances() && !own {
			each = 1
		}
		for i := range run.Len() {
			row := run.Kept(i)
			if row.Number(EpochName) != float64(row.K/samples) || row.BP != each*row.K || !algo.Finite(row.X) || !(row.Stationarity > 0) {
				t.Errorf("%s: row %+v of epoch %v", run.Name, row, row.Number(EpochName))
			}
			if row.K < 30 && !slices.Equal(row.Weights, []float64{1. / 3, 1. / 3, 1. / 3}) {
				t.Errorf("%s at %d has the weights %v", run.Name, row.K, row.Weights)
			}
		}
	}
	if one, _ := timelineOf(t, timeline.DefaultLimit, 1, nil); one.Runs()[0].Label != "Random" || one.Runs()[0].Name != "random-1" {
		t.Errorf("single seed: got label %q", one.Runs()[0].Label)
	}
	if got := r.MostBackpropagations(line); got != 30*objectives {
		t.Errorf("got at most %d backpropagations", got)
	}
}

// TestSharedDraws checks that runs with the same seed share random draws in all orders. All methods that begin with one
// common order must have the same first epoch, and so must all that begin with separate orders. Another seed must give
// different draws.
func TestSharedDraws(t *testing.T) {
	line, _ := timelineOf(t, timeline.DefaultLimit, 2*samples, map[string]string{"seeds": "2"})
	play(t, line, -1)
	first := map[string][]float64{}
	for _, run := range line.Runs() {
		own := "shared"
		if _, is := Kind(run.Method); is {
			own = "own"
		}
		key := fmt.Sprint(own, run.StartIndex)
		x := run.Kept(samples).X
		// Balancing orders add up the gradients one by one, so the last digits may differ.
		if before, there := first[key]; there && !floats.EqualApprox(before, x, 1e-14) {
			t.Errorf("%s: got %v after an epoch, want %v as with its seed's other orders", run.Name, x, before)
		}
		first[key] = x
		if run.Method == Once || run.Method == OnceOwn {
			continue
		}
		once := line.FindFrom(map[bool]string{false: Once, true: OnceOwn}[own == "own"], run.StartIndex)
		if floats.EqualApprox(run.Kept(2*samples).X, once.Kept(2*samples).X, 1e-6) {
			t.Errorf("%s repeats the first epoch's order", run.Name)
		}
	}
	for i, key := range []string{"shared0", "shared1", "own0", "own1"} {
		for _, other := range []string{"shared0", "shared1", "own0", "own1"}[:i] {
			if floats.EqualApprox(first[key], first[other], 1e-3) {
				t.Errorf("%s and %s are the same", key, other)
			}
		}
	}
}

// TestEpochs checks that kept epochs agree with a replay of the same epochs, wherever the marker is and however long
// the run is.
func TestEpochs(t *testing.T) {
	line, r := timelineOf(t, timeline.DefaultLimit, 3*samples+5, map[string]string{"weighting": "mgda"})
	check := func() {
		t.Helper()
		for _, run := range line.Runs() {
			epochs := r.Epochs(run)
			if want := run.Last()/samples + 1; len(epochs) != want {
				t.Fatalf("%s has %d epochs after %d steps", run.Name, len(epochs), run.Last())
			}
			meter, squares := ordering.NewMeter(course(t).Problem, 1), 0.0
			for k := range run.Last() + 1 {
				e := epochs[k/samples]
				if k%samples == 0 {
					row := run.Kept(k)
					squares += row.Stationarity * row.Stationarity
					if e.Number != k/samples || e.Omega != row.Stationarity || !slices.Equal(e.F, row.F) ||
						!near(e.MeanSquare, squares/float64(e.Number+1)) {
						t.Errorf("%s: epoch %+v begins with %+v", run.Name, e, row)
					}
					if k == run.Last() && (e.Steps != 0 || !math.IsNaN(e.H+e.Drift+e.Wobble)) {
						t.Errorf("%s: an epoch that has not begun is %+v", run.Name, e)
					}
				}
				err := line.Visit(run, k, func(s algo.Stepper) {
					heard := meter.Hear(s.(*ordering.Descent))
					if heard == nil || heard.Steps < samples && k < run.Last() {
						return
					}
					e := epochs[heard.Number]
					kind, _ := Kind(run.Method)
					if e.Steps != heard.Steps || e.H != heard.H || e.Drift != heard.Drift || !same(e.Wobble, heard.Wobble) ||
						!same(e.SignBound, heard.SignBound) || kind.Balances() == math.IsNaN(e.SignBound) ||
						(e.Steps == samples) == math.IsNaN(e.Wobble) {
						t.Errorf("%s: %+v, visited %+v", run.Name, e, heard)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, n := range []int{0, 1, samples - 1, 1, samples / 2, -1} {
		play(t, line, n)
		check()
	}
	line.SetMarker(samples + 3)
	check()
	if r.Epochs(new(timeline.Run)) != nil {
		t.Error("got epochs of a run of another roster")
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// TestManyEpochs checks that long runs omit some epochs while the mean still covers all epochs.
func TestManyEpochs(t *testing.T) {
	const budget = 3*maxEpochs + 1
	r, _ := bound(t, map[string]string{"method": "grab-shared"})
	p, err := problem.NewLeastSquares([][][]float64{{{1, 0}}, {{0, 1}}}, [][]float64{{1}, {1}})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := r.Runs(Course{Problem: p, Start: []float64{0, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(budget, 0)
	line.Reset(runs, nil)
	squares := 0.0
	for k := range budget + 1 {
		squares += runs[0].Kept(k).Stationarity * runs[0].Kept(k).Stationarity
		play(t, line, 1)
	}
	epochs := r.Epochs(runs[0])
	last := epochs[len(epochs)-1]
	if len(epochs) > maxEpochs || len(epochs) < maxEpochs/2 || last.Number != budget || !near(last.MeanSquare, squares/(budget+1)) {
		t.Errorf("%d epochs up to %d, mean square %g, want %g", len(epochs), last.Number, last.MeanSquare, squares/(budget+1))
	}
	for i, e := range epochs[:len(epochs)-1] {
		if e.Number != 4*i || e.Steps != 1 || e.Omega != runs[0].Kept(e.Number).Stationarity {
			t.Errorf("epoch %d is %+v", i, e)
		}
	}
}

// TestLive checks that changes of alpha and R act from the next step on, for the weightings that use them. Replays
// within an epoch must restore the earlier state.
func TestLive(t *testing.T) {
	for _, w := range []string{"ls", "mgda", "modo"} {
		t.Run(w, func(t *testing.T) {
			values := map[string]string{"weighting": w, "sign": "selfbalancing"}
			line, r := timelineOf(t, timeline.DefaultLimit, 5*samples, values)
			tight, _ := timelineOf(t, 1, 5*samples, values)
			for _, l := range []*timeline.Timeline{line, tight} {
				play(t, l, samples+5)
				l.Change(samples+5, "alpha", "0.01")
				l.Change(samples+5, "R", "4")
				play(t, l, -1)
			}
			for i, run := range line.Runs() {
				other := tight.Runs()[i]
				refreshed := 0
				for k := range run.Last() {
					row := run.Kept(k)
					if want := map[bool]float64{false: 0.05, true: 0.01}[k >= samples+5]; row.StepSize != want {
						t.Errorf("%s: step %d: got size %g", run.Name, k, row.StepSize)
					}
					if row.Refreshed {
						refreshed++
					}
					again, err := tight.At(other, k)
					if err != nil || !slices.Equal(again.X, row.X) || again.Number(EpochName) != row.Number(EpochName) {
						t.Fatalf("%s: replayed is %v at %d, was %v, error %v", run.Name, again.X, k, row.X, err)
					}
				}
				after := 0 // refreshes after R changes to 4
				for k := samples + 5; k < 5*samples; k++ {
					if k%4 == 0 {
						after++
					}
				}
				if want := samples + 5 + after; w != "ls" && refreshed != want || w == "ls" && refreshed != 0 {
					t.Errorf("%s: got %d refreshes, want %d", run.Name, refreshed, want)
				}
				visits(t, line, run, tight, other)
			}
			r.R = 4
			if most, last := r.MostBackpropagations(line), line.Runs()[len(line.Runs())-1]; most < last.Kept(last.Len()-1).BP {
				t.Errorf("at most %d backpropagations, %s has spent %d", most, last.Name, last.Kept(last.Len()-1).BP)
			}
		})
	}
}

// visits compares the orders, signs and sums within a run's epochs with those of the same run on another timeline. It
// reads the two runs in different sequences.
func visits(t *testing.T, line *timeline.Timeline, run *timeline.Run, tight *timeline.Timeline, other *timeline.Run) {
	t.Helper()
	ks := []int{4*samples + 7, samples + 5, samples, 3, 5 * samples, 2*samples + 1}
	state := func(line *timeline.Timeline, run *timeline.Run, k int) (text string) {
		err := line.Visit(run, k, func(at algo.Stepper) {
			s := at.(*ordering.Descent)
			next, left, right := s.Next()
			text = fmt.Sprint(s.Epoch(), s.Position(), s.Orders(), next, left, right, s.Signs(), s.Sum(0), s.View().X)
		})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want := map[int]string{}
	for _, k := range ks {
		want[k] = state(line, run, k)
	}
	slices.Sort(ks)
	for _, k := range ks {
		if got := state(tight, other, k); got != want[k] {
			t.Errorf("%s at %d: %s, want %s", run.Name, k, got, want[k])
		}
	}
}

// TestWeightings checks that every offered weighting runs with every kind of order, and that its parameters are shown
// when it is chosen. All other weightings must be refused.
func TestWeightings(t *testing.T) {
	_, l := bound(t, nil)
	d, _ := l.Lookup("weighting")
	if len(d.Options) != len(weighting.Methods) || d.Options[0].Value != equal {
		t.Errorf("got options %+v", d.Options)
	}
	for _, o := range d.Options {
		if o.Disabled != "" {
			if err := l.Assign("weighting", o.Value); err == nil {
				t.Errorf("%s can be chosen", o.Value)
			}
			r, _ := bound(t, nil)
			r.Weighting = o.Value
			if _, err := r.Runs(course(t)); err == nil {
				t.Errorf("%s runs", o.Value)
			}
			continue
		}
		t.Run(o.Value, func(t *testing.T) {
			period := "3"
			if m, _ := weighting.Lookup(o.Value); !m.Promises.Effective {
				r, l := bound(t, map[string]string{"weighting": o.Value, "R": period})
				_, err := r.Runs(course(t))
				if sound := l.Check(); err == nil || sound == nil || !strings.Contains(sound.Error(), runs.NothingToHold[:40]) {
					t.Errorf("beside R = %s: %v, to make runs %v", period, sound, err)
				}
				period = "1"
			}
			line, r := timelineOf(t, timeline.DefaultLimit, 2*samples+3, map[string]string{"weighting": o.Value, "R": period, "batch": "2",
				"alpha": "0.01", "method": "random,random-own,grab-shared,grab-separate,jogba"})
			play(t, line, -1)
			most := 0
			for _, run := range line.Runs() {
				last := run.Kept(run.Len() - 1)
				if run.Status() != algo.Budget || !algo.Finite(last.X) || Examples(run) != samples/2 {
					t.Errorf("%s ends with status %v at %v", run.Name, run.Status(), last.X)
				}
				most = max(most, last.BP)
			}
			if got := r.MostBackpropagations(line); got != most {
				t.Errorf("got at most %d backpropagations, want %d", most, got)
			}
		})
	}
	for _, d := range l.Descriptors() {
		rule, _, own := strings.Cut(d.Name, ".")
		shown := d.Only != nil && d.Only.Name == "weighting" && slices.Equal(d.Only.Values, []string{rule})
		if own && (d.Method != "" || !shown) {
			t.Errorf("%s belongs to %q, shown with %+v", d.Name, d.Method, d.Only)
		}
	}
}

// TestSchedules checks that step sizes follow the schedule. The theorems' schedules must use constants estimated at the
// start.
func TestSchedules(t *testing.T) {
	c := course(t)
	constants, err := ordering.Estimate(c.Problem, c.Start, 1, ordering.PerObjective, ordering.SelfBalancing)
	if err != nil {
		t.Fatal(err)
	}
	for schedule, want := range map[string]func(epoch int) float64{
		"constant":  func(int) float64 { return 0.05 },
		"invsqrt":   func(epoch int) float64 { return 0.05 / math.Sqrt(float64(epoch+1)) },
		"theorem36": func(int) float64 { return constants.RandomStepSize(samples, c.Epochs) },
		"theorem39": func(int) float64 { return constants.JoGBaStepSize(samples, c.Epochs) },
	} {
		line, _ := timelineOf(t, timeline.DefaultLimit, 3*samples,
			map[string]string{"schedule": schedule, "centring": "perobjective", "sign": "selfbalancing"})
		play(t, line, -1)
		for _, run := range line.Runs() {
			for k := range run.Last() {
				if got := run.Kept(k).StepSize; got != want(k/samples) {
					t.Fatalf("%s, %s: step %d has the size %g, want %g", schedule, run.Name, k, got, want(k/samples))
				}
			}
		}
	}
}

// TestRefused checks that an invalid setting causes an error that names the setting.
func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*Roster){
		"batch": func(r *Roster) { r.Batch = 5 }, "alpha": func(r *Roster) { r.Alpha = 0 }, "schedule": func(r *Roster) { r.Schedule = "none" },
		"centring": func(r *Roster) { r.Centring = "none" }, "sign": func(r *Roster) { r.Sign = "none" },
		"first": func(r *Roster) { r.First = "none" }, "optimizer": func(r *Roster) { r.Optimizer = "none" },
		"period R": func(r *Roster) { r.Weighting, r.R = "mgda", -1 }, "weighting": func(r *Roster) { r.Weighting = "none" },
	} {
		r, _ := bound(t, nil)
		change(r)
		_, err := r.Runs(course(t))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	r, _ := bound(t, map[string]string{"schedule": "theorem39"})
	at := course(t)
	at.Start = nil
	var refused *algo.RangeError
	if _, err := r.Runs(at); !errors.As(err, &refused) || refused.Name != "start" {
		t.Errorf("without a start: got error %v", err)
	}
}

// TestResults checks that files contain every epoch, that a state contains the epoch at the marker, and that both
// agree.
func TestResults(t *testing.T) {
	line, r := timelineOf(t, timeline.DefaultLimit, 2*samples+4, map[string]string{"seeds": "2", "sign": "selfbalancing"})
	p := course(t).Problem
	if all, err := r.All(line, p); err != nil || len(all["jogba-1"].Epochs) != 0 || all["jogba-1"].Drawn != nil {
		t.Errorf("before a step: %+v, %v", all["jogba-1"], err)
	}
	if m := marked(t, r, line)["jogba-1"]; m.Epochs[0].Steps != 0 || len(m.Epochs[0].Order) != objectives || len(m.Epochs[0].Signs) != 0 ||
		m.Epochs[0].H != nil || !slices.Equal(m.Epochs[0].W, course(t).Start) {
		t.Errorf("at the start: %+v", m)
	}
	play(t, line, -1)
	all, err := r.All(line, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range line.Runs() {
		kind, _ := Kind(run.Method)
		epochs := all[run.Name].Epochs
		if len(epochs) != 3 || epochs[2].Steps != 4 || epochs[2].Wobble != nil || epochs[1].Wobble == nil {
			t.Fatalf("%s: epochs %+v", run.Name, epochs)
		}
		for i, e := range epochs {
			end := min((i+1)*samples, run.Last())
			if e.Epoch != i || len(e.Order) != objectives || len(e.Signs) != e.Steps || !slices.Equal(e.W, run.Kept(end).X) ||
				e.H == nil || e.Drift == nil || (e.SignBound != nil) != kind.Balances() {
				t.Errorf("%s: epoch %d is %+v", run.Name, i, e)
			}
			for _, row := range e.Signs {
				for _, sign := range row {
					if math.Abs(sign) != map[bool]float64{true: 1}[kind.Balances()] {
						t.Errorf("%s: got signs %v", run.Name, row)
					}
				}
			}
		}
		drawn := 0
		switch run.Method {
		case GraBShared:
			drawn = run.Last()
		case GraBSeparate, JoGBa:
			drawn = objectives * run.Last()
		}
		if got := all[run.Name]; drawn == 0 && got.Drawn != nil || drawn > 0 && (*got.Drawn != drawn || *got.Clipped < 0) {
			t.Errorf("%s has drawn %v signs, want %d", run.Name, got.Drawn, drawn)
		}
	}
	for k, epoch := range map[int]int{0: 0, 1: 0, samples: 0, samples + 1: 1, 2 * samples: 1, 2*samples + 4: 2} {
		line.SetMarker(k)
		now := marked(t, r, line)
		if len(now) != len(Methods()) {
			t.Errorf("got %d runs in a state", len(now))
		}
		for name, m := range now {
			want, got := text(t, all[name].Epochs[epoch]), text(t, m.Epochs[0])
			if len(m.Epochs) != 1 || got != want {
				t.Errorf("%s at %d: %s, want %s", name, k, got, want)
			}
		}
	}
	line.Select("jogba-2")
	if now := marked(t, r, line); len(now) != len(Methods()) || now["jogba-1"].Epochs != nil || now["random-2"].Epochs == nil {
		t.Error("got runs of another seed than the selected run's")
	}
}

func marked(t *testing.T, r *Roster, line *timeline.Timeline) map[string]Result {
	t.Helper()
	out, err := r.Marked(line)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestClock checks that the clock counts the current runs' epochs, steps or backpropagations.
func TestClock(t *testing.T) {
	line, r := timelineOf(t, timeline.DefaultLimit, 2*samples, nil)
	clock := r.Clock(line)
	row := line.Runs()[0].Kept(0)
	row.K, row.BP = 3*samples, 9
	if c := clock(); c.Name != Epochs || c.Of(row) != 3 || c.End() != 2 || clock() != c {
		t.Errorf("%+v says %g", c, c.Of(row))
	}
	r.Axis = kinds.Iterations
	if c := clock(); c.Of(row) != 3*samples || c.End() != 2*samples {
		t.Errorf("%+v", c)
	}
	r.Axis = kinds.Backpropagations
	if c := clock(); c.Of(row) != 9 || c.End() != 2*samples*objectives {
		t.Errorf("%+v ends at %g", c, c.End())
	}
	r.Axis = Epochs
	line.Reset(nil, nil)
	if c := clock(); c.End() != 2 {
		t.Errorf("without runs: got %g epochs", c.End())
	}
}

// TestHearsWithoutAllocating checks that recording allocates nothing within an epoch.
func TestHearsWithoutAllocating(t *testing.T) {
	r, _ := bound(t, map[string]string{"method": "jogba"})
	runs, err := r.Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	heard, s := r.records[runs[0]], runs[0].Stepper
	hear := func() {
		v := s.View()
		heard.hear(&v, 1)
	}
	hear()
	for range samples + 1 {
		if _, err := s.Step(); err != nil {
			t.Fatal(err)
		}
		hear()
	}
	n := testing.AllocsPerRun(samples-3, func() {
		if _, err := s.Step(); err != nil {
			t.Fatal(err)
		}
		hear()
	})
	if n != 0 {
		t.Errorf("got %g allocations per step, want 0", n)
	}
}
