package fonseca

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestFactHelp checks that the numbers in the facts' help texts agree with the problem.
func TestFactHelp(t *testing.T) {
	s := with(t, nil)
	middle := About.Facts[slices.IndexFunc(About.Facts, func(h scene.FactHelp) bool { return h.Name == "middle" })].Text
	if got := s.middleFrom; math.Round(100*got[0]) != 22 || math.Round(100*got[1]) != 89 ||
		!strings.Contains(middle, "between 0.22 and 0.89") {
		t.Errorf("the middle is from %v, and said to be: %s", got, middle)
	}
	if s.problem.End() != 0.05 {
		t.Errorf("an end is below %g", s.problem.End())
	}
}

// TestMeanWeights checks that mean weights cover all steps, regardless of the marker, and that methods without weights
// have none.
func TestMeanWeights(t *testing.T) {
	s := with(t, map[string]string{"method": "mgda,ls,graddrop,moosvgd", "ls.weights": "given", "ls.lambda": "0.3", "starts": "3",
		"budget": "50"})
	if v := scenetest.Fact(t, s.Facts(), "meanWeight.mgda.1"); !math.IsNaN(v) {
		t.Errorf("before any step it is %g", v)
	}
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(7)
	sum := 0.0
	for _, r := range scenetest.Tracks(t, s, "mgda") {
		for k := range 50 {
			sum += r.Kept(k).Weights[0] / 150
		}
	}
	for name, want := range map[string]float64{"meanWeight.mgda.1": sum, "meanWeight.mgda.2": 1 - sum, "meanWeight.ls.1": 0.3,
		"meanWeight.ls.2":       0.7,
		"meanWeight.graddrop.1": math.NaN()} {
		if got := scenetest.Fact(t, s.Facts(), name); !(math.Abs(got-want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	s.Timeline().Select("ls-1")
	if texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light); !slices.Contains(texts, "mean so far 0.30 (dashed)") {
		t.Errorf("the mean is not drawn: %q", texts)
	}
	if said := s.weights.Text(); !strings.Contains(said, "has kept the same weights since its first step") || !strings.Contains(said,
		"over all steps of the run is 0.3 ") {
		t.Error(said)
	}
}

// TestFrames checks that the larger of the start region and the Pareto set fills the decision plane, up to a small margin.
func TestFrames(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		size   float64
	}{
		{nil, 1.2}, {map[string]string{"region": "3"}, 3}, {map[string]string{"d": "30", "region": "0.3"}, 0.3},
		{map[string]string{"region": "0.1"}, 1.2 * math.Sqrt2 / 2},
	} {
		s := with(t, c.values)
		x, y := s.Panels()[0].(*axes.Plane).Axes()
		if x.Max < 1.02*c.size || x.Max > 1.1*c.size || x.Min != -x.Max || y.Min != x.Min || y.Max != x.Max {
			t.Errorf("%v: the axes are %+v and %+v", c.values, x, y)
		}
	}
	// On both problems the axes of the objectives contain the objectives of every start.
	for _, problem := range []string{problemFonseca, problemQuadratic} {
		s := with(t, map[string]string{"problem": problem, "region": "4", "starts": "20"})
		x, y := s.Panels()[1].(*axes.Plane).Axes()
		for _, r := range s.Timeline().Tracks() {
			if f := r.Kept(0).F; f[0] > x.Max || f[1] > y.Max || x.Max < 1 {
				t.Errorf("%s: %v is outside %+v", problem, f, x)
			}
		}
	}
}

// TestSumIsDrawn checks that the panel of a run with fixed weights shows the sum that the run descends, and where on
// the front the sum is smallest. The panels of other runs and small panels must show neither.
func TestSumIsDrawn(t *testing.T) {
	s := with(t, map[string]string{"method": "mgda,ls", "ls.weights": "given", "ls.lambda": "0.4"})
	scenetest.Step(t, s, 5)
	said := func(run string) string {
		s.Timeline().Select(run)
		texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Dark)
		return strings.Join(texts, " ")
	}
	for _, words := range []string{"along\u00a0this\u00a0line", "ridge", "least"} {
		if text := said("ls-2"); !strings.Contains(text, words) {
			t.Errorf("%q is not in %q", words, text)
		}
	}
	if text := said("mgda-2"); strings.Contains(text, "along\u00a0this\u00a0line") {
		t.Error(text)
	}
}

// TestFinding checks that the description of the objectives' panel agrees with the runs.
func TestFinding(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		steps  int
		want   string
	}{
		{nil, 0, "The two objectives at the start points of 10 runs, before the first step. "},
		{nil, 1, "None of the 10 runs has reached the front. "},
		{nil, -1, "All 10 runs reached the front, none at its ends. "},
		{map[string]string{"method": "mgda,ls", "ls.weights": "equal"}, -1, "All 10 runs of MGDA reached the front, none at its ends. " +
			"All 10 runs of Linear scalarization reached the front, all at its ends. "},
		{map[string]string{"R": "16"}, -1, "All 10 runs reached the front, 7 of them at its ends. "},
		{map[string]string{"starts": "1"}, 1, "The run has not reached the front. "},
		{map[string]string{"starts": "1"}, -1, "The run reached the front, away from its ends. "},
		{map[string]string{"starts": "1", "R": "32"}, -1, "The run reached the front, at one of its ends. "},
		{map[string]string{"method": "mgda,ls,pcgrad,cagrad,upgrad", "starts": "2"}, -1, "All 10 runs of the 5 methods reached the front, 6 " +
			"of them at its ends. "},
	} {
		s := with(t, c.values)
		scenetest.Step(t, s, c.steps)
		if said := s.finding() + " "; !strings.HasPrefix(said, c.want) {
			t.Errorf("%v after %d steps: %q, want %q", c.values, c.steps, said, c.want)
		}
	}
}

// TestMapsLeaveNoDeadControls checks that beside a map the page shows only the controls that choose the view or a position in the map.
func TestMapsLeaveNoDeadControls(t *testing.T) {
	kept := []string{"view", "R", "eta", "momentum"}
	for _, d := range New().Params().Descriptors() {
		alone := d.Only == nil
		onRuns := d.Only != nil && (d.Only.Name != "view" || slices.Equal(d.Only.Values, []string{viewRuns}))
		if alone != slices.Contains(kept, d.Name) || !alone && !onRuns {
			t.Errorf("%s is shown %+v", d.Name, d.Only)
		}
	}
	s := with(t, map[string]string{"view": viewStaleness, "R": "16"})
	age := s.Panels()[3].(*axes.Plane)
	if said := age.Describe(); !strings.HasSuffix(said, "With the current settings it is 2.25.") {
		t.Error(said)
	}
	if texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light); !slices.Contains(texts, "now: age 2.25") {
		t.Errorf("the age is not drawn: %q", texts)
	}
	if err := s.Params().Assign("method", "mgda"); err != nil {
		t.Fatal(err)
	}
	texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
	if slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, "now") }) {
		t.Error("without PSMGD an age is drawn")
	}
}

// TestBowls checks that, on the quadratic problem, every panel is drawn for any number of variables.
func TestBowls(t *testing.T) {
	for _, d := range []string{"1", "2", "5"} {
		for _, field := range fieldOptions {
			if field.Value != fieldNone && d != "2" {
				continue
			}
			s := with(t, map[string]string{"problem": problemQuadratic, "d": d, "method": "ls,mgda,psmgd", "field": field.Value, "budget": "20"})
			scenetest.Step(t, s, -1)
			for _, size := range [][2]vg.Length{{320, 240}, {1120, 720}} {
				if _, calls := scenetest.Draw(t, s, size[0], size[1], brush.Dark); calls < 150 {
					t.Errorf("d = %s, %s: %d calls", d, field.Value, calls)
				}
			}
		}
	}
	// A step size that violates the theorem's bound gives an error.
	s := New()
	for name, value := range map[string]string{"problem": problemQuadratic, "etaschedule": "theorem37"} {
		if err := s.Params().Assign(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); err == nil || len(err.Error()) < 20 {
		t.Errorf("error %v", err)
	}
}

// TestStepNumbersOfTheScene checks that the numbers in a step's formulas come from the scene's chosen problem.
func TestStepNumbersOfTheScene(t *testing.T) {
	s := with(t, map[string]string{"problem": problemQuadratic, "start": "0.5,-0.5", "starts": "1", "method": "ls",
		"ls.weights": "equal",
		"eta":        "1"})
	scenetest.Step(t, s, 1)
	got, err := s.StepNumbers(s.Timeline().Selected(), 1)
	want := map[string]string{"k": "1", "x": "(0.25, −0.25)", "from": "(0.5, −0.5)", "eta": "1", "w1": "0.5", "w2": "0.5",
		"g1": "(−0.104, −0.604)",
		"g2": "(0.604, 0.104)", "d": "(0.25, −0.25)", "made": ""}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %q, want %q", name, got[name], text)
		}
	}
	if err != nil || len(got) != len(want) {
		t.Errorf("%v, error %v", got, err)
	}
}
