package sweeps

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// bound returns a roster of all methods, with the given parameter values.
func bound(t testing.TB, values map[string]string) *Roster {
	t.Helper()
	r, l := New(names()...), new(param.List)
	q := 3
	l.Integer(&q, param.Descriptor{Name: "q", Min: 1, Max: 6})
	r.BindMethods(l)
	r.BindFrequencies(l, 6)
	r.BindStepSettings(l)
	r.BindOrder(l)
	r.BindSeeds(l, 5)
	r.BindAxis(l)
	for name, text := range values {
		if err := l.Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func names() (all []string) {
	for _, m := range Methods() {
		all = append(all, m.ID)
	}
	return all
}

const (
	variables  = 4
	objectives = 3
)

// course returns a course with three bowls in four variables. One of its blocks has two variables that are not
// adjacent.
func course(t testing.TB) Course {
	t.Helper()
	p, err := problem.NewQuadratics(0.1,
		problem.QuadraticObjective{A: []float64{2, 0.3, 0, 0.1, 0.3, 1, 0, 0, 0, 0, 1, 0.2, 0.1, 0, 0.2, 1}, Center: []float64{1, 0, 0, 1}},
		problem.QuadraticObjective{A: []float64{1, 0, 0, 0.5, 0, 1, 0.2, 0, 0, 0.2, 2, 0, 0.5, 0, 0, 1}, Center: []float64{0, 1, -1, 0}},
		problem.QuadraticObjective{A: []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3}, Center: []float64{0, 0, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return Course{Problem: p, Start: []float64{1, -1, 0.5, 2}, Blocks: [][]int{{0, 3}, {1, 2}}, Budget: 60, Seed: 7}
}

// played plays runs with the given parameter values for n steps.
func played(t testing.TB, limit, n int, values map[string]string) (*timeline.Timeline, *Roster) {
	t.Helper()
	r := bound(t, values)
	runs, err := r.Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(limit)
	line.SetEnd(n, 0)
	line.Reset(runs, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return line, r
}

// TestMethods checks that every method has a description and a distinct look.
func TestMethods(t *testing.T) {
	for _, m := range Methods() {
		if m.Title == "" || m.Paper == "" || !strings.HasSuffix(m.Help, ".") || brush.Light.Look(m.ID).Hue == brush.Light.Ink {
			t.Errorf("%+v", m)
		}
		if Parts(m.ID) != (m.ID == BlockSMOO || m.ID == BlockAlternate) {
			t.Errorf("%s parts the variables: %v", m.ID, Parts(m.ID))
		}
	}
	if _, err := bound(t, nil).Config("smoo", course(t)); err == nil || Parts("smoo") {
		t.Error("got a configuration of an unknown method")
	}
}

// TestRuns checks that there is a run for every method and seed. Each run must record the block and the objective of
// each step, and the cost of each point. Clocks must end where the runs end.
func TestRuns(t *testing.T) {
	const turns = 6 // p
	line, r := played(t, timeline.DefaultLimit, 48, map[string]string{"seeds": "2", "m": "1,2,3", "order": "contiguous",
		"blockorder": "listed"})
	if len(line.Runs()) != 2*len(Methods()) {
		t.Fatalf("%d runs", len(line.Runs()))
	}
	objectiveOf := []float64{0, 1, 1, 2, 2, 2}
	for i, run := range line.Runs() {
		m := Methods()[i/2]
		if run.Name != fmt.Sprintf("%s-%d", m.ID, i%2+1) || run.Label != fmt.Sprintf("%s, seed %d", m.Title, i%2+1) || run.StartIndex != i%2 {
			t.Errorf("run %d is %s, %q, seed %d", i, run.Name, run.Label, run.StartIndex)
		}
		want := map[string]struct{ steps, cost int }{BlockSMOO: {2 * turns, 2}, WeightedSum: {1, variables * objectives},
			FunctionAlternate: {turns, variables}, BlockAlternate: {2 * turns, 2 * objectives}}[m.ID]
		if Steps(run) != want.steps {
			t.Errorf("%s: got %d steps per outer iteration, want %d", m.ID, Steps(run), want.steps)
		}
		for k := range run.Len() {
			row := timeline.Track{Run: run}.Kept(k)
			if row.BP != k || row.Number(CoordinatesName) != float64(k*want.cost) || math.IsNaN(row.Stationarity) {
				t.Errorf("%s at %d: %d gradients, %g coordinates, ω %g", m.ID, k, row.BP, row.Number(CoordinatesName), row.Stationarity)
			}
			if k+1 == run.Len() {
				if !math.IsNaN(row.Number(OuterName)) || !math.IsNaN(row.Number(BlockName)) || !math.IsNaN(row.Number(ObjectiveName)) {
					t.Errorf("%s records a step that was not made", m.ID)
				}
				continue
			}
			block, objective := 0.0, objectiveOf[k%turns]
			if Parts(m.ID) {
				block = float64(k / turns % 2)
			}
			if m.ID == WeightedSum || m.ID == BlockAlternate {
				objective = blocks.Together
			}
			if row.Number(OuterName) != float64(k/want.steps) || row.Number(BlockName) != block || row.Number(ObjectiveName) != objective {
				t.Errorf("%s at %d: t = %g, block %g, objective %g; want %d, %g, %g", m.ID, k, row.Number(OuterName), row.Number(BlockName),
					row.Number(ObjectiveName), k/want.steps, block, objective)
			}
		}
	}
	for axis, end := range map[string]float64{kinds.Iterations: 48, OuterClock: 48, CoordinatesName: 48 * variables * objectives} {
		r.Axis = axis
		clock := r.Clock(line)()
		if clock.Name != axis || clock.End() != end {
			t.Errorf("the clock %s of %s ends at %g, want %g", clock.Name, axis, clock.End(), end)
		}
		for _, run := range line.Runs() {
			if at := clock.Of(timeline.Track{Run: run}.Kept(run.Len() - 1)); at > end {
				t.Errorf("%s: %s goes on to %g beyond %g", axis, run.Name, at, end)
			}
		}
	}
}

// TestSameWay checks that Block-SMOO with one block takes the same steps as Function-Alternate.
func TestSameWay(t *testing.T) {
	c := course(t)
	c.Blocks = nil
	runs, err := bound(t, nil).Runs(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		for _, run := range runs {
			if _, err := run.Stepper.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if a, b := runs[0].Stepper.View().X, runs[2].Stepper.View().X; !slices.Equal(a, b) {
		t.Errorf("with one block Block-SMOO is at %v, Function-Alternate at %v", a, b)
	}
}

var schedules = []blocks.Schedule{blocks.Constant, blocks.InverseSqrt, blocks.Printed, blocks.Safe}

// TestReplay checks for every method, order, schedule and update that replayed rows equal the original ones to the last
// bit.
func TestReplay(t *testing.T) {
	var settings []map[string]string
	for _, schedule := range schedules {
		settings = append(settings, map[string]string{"schedule": string(schedule)})
	}
	for _, order := range []blocks.Order{blocks.RandomOrder, blocks.Contiguous, blocks.Cyclic} {
		settings = append(settings, map[string]string{"order": string(order), "blockorder": "listed"})
	}
	for _, update := range []blocks.Update{blocks.GaussSeidel, blocks.Jacobi} {
		settings = append(settings, map[string]string{"update": string(update), "m": "0,3,1"})
	}
	for _, values := range settings {
		t.Run(fmt.Sprint(values), func(t *testing.T) {
			values["seeds"] = "2"
			full, _ := played(t, timeline.DefaultLimit, 200, values)
			thin, _ := played(t, 1, 200, values)
			for i, run := range full.Runs() {
				again := thin.Runs()[i]
				if last := run.Kept(run.Len() - 1); !algo.Finite(last.X) || last.K != 200 {
					t.Fatalf("%s ends at %+v", run.Name, last)
				}
				for _, k := range []int{0, 1, 47, 100, 199} {
					want, err := full.At(run, k)
					if err != nil {
						t.Fatal(err)
					}
					got, err := thin.At(again, k)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.X, want.X) || got.Number(CoordinatesName) != want.Number(CoordinatesName) ||
						got.Number(ObjectiveName) != want.Number(ObjectiveName) || got.Number(BlockName) != want.Number(BlockName) {
						t.Errorf("%s at %d: replay got %v, want %v", run.Name, k, got.X, want.X)
					}
				}
			}
		})
	}
}

// TestNoAllocations checks that steps allocate only their records.
func TestNoAllocations(t *testing.T) {
	runs, err := bound(t, nil).Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		stationarity, further := make([]float64, 1), make([]float64, len(run.AtPoint))
		step := make([]float64, len(run.OfStep))
		one := func() {
			if _, err := run.Stepper.Step(); err != nil {
				t.Fatal(err)
			}
			v := run.Stepper.View()
			run.MeasurePoint(v, stationarity, further)
			run.MeasureStep(v.X, v, step)
		}
		one()
		if n := testing.AllocsPerRun(50, one); n != 0 {
			t.Errorf("%s: got %g allocations per step", run.Name, n)
		}
	}
}

// TestLiveStepSize checks that a new step size acts from the next step on, but only with a constant schedule.
func TestLiveStepSize(t *testing.T) {
	for _, schedule := range schedules {
		runs, err := bound(t, map[string]string{"schedule": string(schedule)}).Runs(course(t))
		if err != nil {
			t.Fatal(err)
		}
		line := timeline.New(timeline.DefaultLimit)
		line.SetEnd(2, 0)
		line.Reset(runs, []timeline.Change{{K: 1, Name: "alpha", Text: "0.02"}})
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for _, run := range runs {
			if changed := run.Kept(1).StepSize == 0.02; changed != (schedule == blocks.Constant) {
				t.Errorf("%v, %s: got size %g of the second step", schedule, run.Name, run.Kept(1).StepSize)
			}
		}
	}
}

// TestBadSettings checks that settings that allow no valid run give an error that names the setting.
func TestBadSettings(t *testing.T) {
	for name, change := range map[string]func(*Roster, *Course){
		"alpha":      func(r *Roster, _ *Course) { r.Alpha = 0 },
		"schedule":   func(r *Roster, _ *Course) { r.Schedule = "none" },
		"order":      func(r *Roster, _ *Course) { r.Order = "none" },
		"blockorder": func(r *Roster, _ *Course) { r.BlockOrder = "none" },
		"update":     func(r *Roster, _ *Course) { r.Update = "none" },
		"start":      func(_ *Roster, c *Course) { c.Start = []float64{math.NaN(), 0, 0, 0} },
	} {
		r, c := bound(t, nil), course(t)
		change(r, &c)
		var refused *algo.RangeError
		if _, err := r.Runs(c); !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestEquations checks that each method has one formula.
func TestEquations(t *testing.T) {
	for _, m := range family {
		count := 0
		for _, e := range Equations() {
			if slices.Contains(e.Methods, m.ID) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%s has %d formulas", m.ID, count)
		}
	}
}

// TestStepNumbersAddUp checks for every method and option that the numbers of a step add up within rounding and fill
// all placeholders of the formula.
func TestStepNumbersAddUp(t *testing.T) {
	for _, values := range []map[string]string{nil, {"schedule": "safe"}, {"update": "jacobi"}, {"order": "cyclic", "m": "3,0,2"}} {
		line, _ := played(t, timeline.DefaultLimit, 40, values)
		for _, track := range line.Tracks() {
			for _, k := range []int{1, 2, 17, 40} {
				numbers, err := StepNumbers(line, track, k)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"due", "x", "from", "alpha", "gradient"} {
					if numbers[name] == "" || len(numbers) != 5 {
						t.Fatalf("%s at %d: %v", track.Name(), k, numbers)
					}
				}
				// The text shows only three of the four variables.
				read := func(name string) []scenetest.Rounded {
					return scenetest.Read(t, strings.ReplaceAll(numbers[name], ", …", ""), name == "x" || name == "from")
				}
				x, from, alpha, gradient := read("x"), read("from"), read("alpha")[0], read("gradient")
				for i := range x {
					want := from[i].Value - alpha.Value*gradient[i].Value
					off := from[i].Off + x[i].Off + alpha.Value*gradient[i].Off + alpha.Off*math.Abs(gradient[i].Value)
					if len(x) != len(gradient) || math.Abs(x[i].Value-want) > off+1e-12 {
						t.Errorf("%s at %d does not add up: %v", track.Name(), k, numbers)
					}
				}
				row := track.Kept(k - 1)
				who := "of all objectives"
				if objective := row.Number(ObjectiveName); objective >= 0 {
					who = fmt.Sprintf("of objective %g", objective+1)
				}
				if !strings.HasSuffix(numbers["due"], who) || Parts(track.Method) != strings.Contains(numbers["due"],
					fmt.Sprintf("block %g", row.Number(BlockName)+1)) {
					t.Errorf("%s at %d: %q, want %q", track.Name(), k, numbers["due"], who)
				}
			}
		}
		for _, k := range []int{0, 41} {
			if _, err := StepNumbers(line, line.Tracks()[0], k); err == nil {
				t.Errorf("step %d has numbers", k)
			}
		}
	}
}
