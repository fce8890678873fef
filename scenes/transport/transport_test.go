package transport

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/scenetest"
)

// TestSteppers: solvers that are watched are steppers like all others.
func TestSteppers(t *testing.T) {
	for _, m := range Methods {
		for _, values := range []map[string]string{
			{"cost": costRandom}, {"cost": costRandom, "n": "6", "m": "20", "tau": "0.2"}, {"cost": costTies},
		} {
			s := card(t, "")
			for name, text := range values {
				if err := s.Params().Assign(name, text); err != nil {
					t.Fatal(err)
				}
			}
			algotest.Stepper(t, func() algo.Stepper {
				p, err := s.values.newProblem(nil)
				if err != nil {
					t.Fatal(err)
				}
				inner, err := s.values.newSolver(m.ID)
				if err != nil {
					t.Fatal(err)
				}
				w, err := watch(inner, p)
				if err != nil {
					t.Fatal(err)
				}
				return w
			})
		}
	}
}

// TestFirstIteration by hand: of two rows and two columns at distance 0 or 1, with equal
// masses, Sinkhorn's plan has entries that stand as 1 to e^{−1/ε}, after one iteration,
// and its marginals are met.
func TestFirstIteration(t *testing.T) {
	s := card(t, "", "solver", "sinkhorn", "n", "2", "m", "2", "eps", "0.5")
	scenetest.Step(t, s, 1)
	row := s.Timeline().Find(sinkhorn).Kept(1)
	high := 0.5 / (1 + math.Exp(-2))
	is(t, "entry 1", row.X[0], high, 1e-15)
	is(t, "entry 2", row.X[1], 0.5-high, 1e-15)
	is(t, "the marginal error", row.F[marginalError], 0, 1e-15)
	is(t, "the gap", row.F[gap], 2*(0.5-high), 1e-15)
	is(t, "the cost", row.Number("cost"), 2*(0.5-high), 1e-15)
}

func TestFacts(t *testing.T) {
	s := end(t, "", "solver", "ipot,sinkhorn")
	if v := fact(t, s, "gap.exact"); !math.IsNaN(v) {
		t.Errorf("a solver that does not run has the gap %v", v)
	}
	s.Timeline().SetMarker(0)
	is(t, "the iteration at the marker", fact(t, s, "iteration.ipot"), 0, 0)
	results := s.Results().(map[string]any)
	runs := results["runs"].([]RunResult)
	s.Timeline().SetMarker(s.Timeline().Latest())
	for _, r := range runs {
		is(t, r.Run+"'s gap", fact(t, s, "gap."+r.Solver), r.Gap, 0)
		is(t, r.Run+"'s iterations", fact(t, s, "iteration."+r.Solver), float64(r.Iterations), 0)
		if r.Status != "converged" {
			t.Errorf("%s is %s", r.Run, r.Status)
		}
	}
	if plan := results["exact"].(map[string]any)["plan"].([][]float64); len(runs) != 2 || len(plan) != 16 || len(plan[0]) != 10 {
		t.Errorf("results: %+v", results)
	}
}

// TestDragging: bars and costs are dragged, and nothing else is.
func TestDragging(t *testing.T) {
	s := card(t, "")
	name, text := s.Drag("b-4", 3, 0.4)
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	is(t, "the share that was dragged", s.problem.task.B[3], 0.4, 1e-12)
	is(t, "another", s.problem.task.B[0], 0.6/9, 1e-5)
	for _, handle := range []string{"", "b-11", "b-0", "c-1", "plan", "a"} {
		if name, text := s.Drag(handle, 0, 0); name != "" {
			t.Errorf("%q sets %s = %s", handle, name, text)
		}
	}

	name, text = s.Drag(paintHandle, 9.3, 14.6) // from the bottom: row 1 is at 15
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(s.problem.cost)
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	for k, c := range s.problem.cost {
		want := before[k]
		if k == 9 {
			want = s.values.Brush
		}
		is(t, "cost "+strconv.Itoa(k), c, want, 0.0005)
	}
	if name, _ := s.Drag(paintHandle, 9, 15); name != "" {
		t.Errorf("painting the same again sets %q", name)
	}
	for _, at := range [][2]float64{{-1, 0}, {0, -1}, {10, 0}, {0, 16}} {
		if name, _ := s.Drag(paintHandle, at[0], at[1]); name != "" {
			t.Errorf("painting at %v sets %q", at, name)
		}
	}
	if name, _ := card(t, "", "n", "31").Drag(paintHandle, 0, 0); name != "" {
		t.Errorf("painting 31 rows sets %q", name)
	}
}

func brought(t *testing.T, text string) *exchange.Pasted {
	t.Helper()
	r := exchange.NewReader(exchange.Costs)
	if _, err := r.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	p, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPasting: costs, masses and τ of a file are shown; those that it lacks are equal, 0.
func TestPasting(t *testing.T) {
	s := card(t, "")
	text := `{"cost": [[1e150,3e150],[2e150,3e150],[5e150,1e150]], "a": [1,1,2], "b": [3,1], "tau": 1e149}`
	if err := s.Paste(brought(t, text)); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	p := s.problem
	if !s.ShowsPasted() || p.n != 3 || p.m != 2 ||
		!slices.Equal(p.task.A, []float64{0.25, 0.25, 0.5}) || !slices.Equal(p.task.B, []float64{0.75, 0.25}) {
		t.Errorf("%+v", p)
	}
	is(t, "τ", s.values.Tau, 0.025, 1e-15)
	scenetest.Step(t, s, -1)
	for _, r := range s.Timeline().Runs() {
		if r.Status() != algo.Converged {
			t.Errorf("%s is %v", r.Name, r.Status())
		}
	}
	scenetest.Draw(t, s, 1200, 800, panel.Light)
	if err := s.Paste(brought(t, "0,1,2\n1,0,1\n")); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.problem.m != 3 || len(s.values.A) != 0 || s.values.Tau != 0 {
		t.Errorf("%+v", s.values)
	}
	if err := s.Paste(brought(t, `{"cost": [[0,1]], "tau": 100}`)); err == nil || !strings.Contains(err.Error(), "tau") {
		t.Errorf("error %v", err)
	}
	if err := s.Paste(brought(t, "1e308,-1e308\n")); err == nil || !strings.Contains(err.Error(), "scale them down") {
		t.Errorf("error %v", err)
	}
	if s.problem.m != 3 || s.values.M != 3 {
		t.Error("a file that is refused has changed something")
	}
	for name, text := range map[string]string{"n": "4", "m": "2"} { // what the file lacks is a distance
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 1, 1, 0, 2 * 4. / 9, 2 * 1. / 9, 2, 0}; !near(s.problem.cost, want) {
		t.Errorf("costs %v, want %v", s.problem.cost, want)
	}
	fresh := New()
	fresh.values.Cost = costFile
	if err := fresh.Restart(nil); err != nil {
		t.Fatalf("without the file: %v", err)
	}
	if runs := fresh.Timeline().Runs(); len(runs) != 0 {
		t.Errorf("without the file there are %d runs", len(runs))
	}
	for _, view := range []string{viewMasses, viewCosts} {
		fresh.values.View = view
		scenetest.Draw(t, fresh, 1200, 800, panel.Light)
		scenetest.Draw(t, fresh, 360, 500, panel.Dark)
	}
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

// TestDrawing: every view is drawn, at sizes from one to the most, at the start and at
// the end.
func TestDrawing(t *testing.T) {
	for _, view := range []string{viewMasses, viewCosts} {
		for _, values := range [][]string{
			{}, {"n", "1", "m", "1"}, {"n", "100", "m", "100", "budget", "3"}, {"n", "1", "m", "7"}, {"cost", costTies, "n", "5", "m", "2"},
			{"cost", costPainted, "painted", "1,1;1,1", "n", "2", "m", "2"}, {"tau", "1", "cost", costRandom, "budget", "20"},
		} {
			s := card(t, "", append(values, "view", view, "solver", "ipot,sinkhorn,exact")...)
			for range 2 {
				for _, theme := range []*panel.Theme{panel.Light, panel.Dark} {
					scenetest.Draw(t, s, 1200, 800, theme)
					scenetest.Draw(t, s, 360, 500, theme)
				}
				scenetest.Step(t, s, -1)
				s.Timeline().SetMarker(s.Timeline().Latest())
			}
		}
	}
}
