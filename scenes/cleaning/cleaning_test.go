package cleaning

import (
	"encoding/json"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// with returns the scene at k = 0 with some values changed.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

type decoded struct {
	Runs      []RunResult
	Reference *[2]float64
}

// results returns the scene's results, by method.
func results(t testing.TB, s *Scene) (runs map[string]RunResult, reference *[2]float64) {
	t.Helper()
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var d decoded
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	runs = map[string]RunResult{}
	for _, r := range d.Runs {
		runs[r.Method] = r
	}
	return runs, d.Reference
}

// marksAt returns the marks of a run at an iteration.
func marksAt(t testing.TB, s *Scene, run string, k int) marks {
	t.Helper()
	row, err := s.Timeline().At(s.Timeline().Find(run).Run, k)
	if err != nil {
		t.Fatal(err)
	}
	return marksOf(row)
}

// TestAccuracyInsideAxis checks that no run's accuracy is outside its axis, even if all labels are wrong.
func TestAccuracyInsideAxis(t *testing.T) {
	for _, corruption := range []string{"0", "1"} {
		s := with(t, map[string]string{"corruption": corruption, "budget": "40", "T": "4"})
		scenetest.Step(t, s, -1)
		axis := s.accuracy.Y()
		for _, r := range s.Timeline().Runs() {
			t.Run(r.Name+", corruption "+corruption, func(t *testing.T) {
				for k := range r.Len() {
					if a := s.accuracy.Value(r.Kept(k)); !(a >= axis.Min && a <= axis.Max) {
						t.Fatalf("%s: accuracy %v at %d is outside %+v", r.Name, a, k, axis)
					}
				}
			})
		}
	}
}

// TestChosen checks that the reported iterate is the first with the best score on validation 2, whichever rows are kept.
// Computing a past iteration again must not change it.
func TestChosen(t *testing.T) {
	values := map[string]string{"method": "forum,moco", "budget": "120", "T": "4"}
	full := with(t, values)
	scenetest.Step(t, full, -1)
	thin := New()
	thin.Timeline().SetLimit(60_000) // keeps only a few rows
	thin = scenetest.Open(t, thin, values)
	scenetest.Step(t, thin, -1)
	if thin.Timeline().Runs()[0].Len() == full.Timeline().Runs()[0].Len() {
		t.Fatal("all rows are kept")
	}
	for i, r := range full.Timeline().Runs() {
		t.Run(r.Name, func(t *testing.T) {
			best := marksOf(r.Kept(0))
			for k := range r.Len() {
				if m := marksOf(r.Kept(k)); m.selection > best.selection {
					best = m
				}
			}
			other := thin.Timeline().Runs()[i]
			if _, err := thin.Timeline().At(other, 77); err != nil {
				t.Fatal(err)
			}
			if full.reported(r) != best || thin.reported(other) != best {
				t.Errorf("%s: chosen %+v and %+v, want %+v", r.Name, full.reported(r), thin.reported(other), best)
			}
			// The records must agree with the scores that the problem gives the point.
			row, last := r.Kept(50), marksAt(t, full, r.Name, 50)
			accuracy, f1 := full.problem.Score(row.X, 1, problem.Test)
			if last.accuracy[1] != accuracy || last.f1[1] != f1 || last.auc != full.problem.Detection(row.X) {
				t.Errorf("%s: recorded %+v", r.Name, last)
			}
		})
	}
}

// TestObserved checks that the reported iterate is always one that the run has reached. A run's observer must hear of
// every iteration once, and of none that is computed only to look ahead or back.
func TestObserved(t *testing.T) {
	s := New()
	s.Timeline().SetLimit(60_000) // so few rows are kept that past iterations must be computed again
	s = scenetest.Open(t, s, map[string]string{"method": "moco", "budget": "120", "T": "4"})
	line := s.Timeline()
	r := line.Runs()[0]
	var heard []int
	observe := r.Observe
	r.Observe = func(v algo.View) {
		heard = append(heard, v.K)
		observe(v)
	}
	look := func() {
		t.Helper()
		before, times := s.reported(r), len(heard)
		for _, k := range []int{r.Last(), r.Last() / 2, 0} {
			line.Ahead(r, k)
			if _, err := line.At(r, k); err != nil {
				t.Fatal(err)
			}
			for _, to := range []int{k, k + 1} {
				visited := -1
				if err := line.Visit(r, to, func(at algo.Stepper) { visited = at.View().K }); err != nil || visited != to {
					t.Fatalf("a visit to %d comes to %d, error %v", to, visited, err)
				}
			}
		}
		line.SetMarker(r.Last())
		line.Readout()
		if s.reported(r) != before || len(heard) != times {
			t.Fatalf("at k = %d looking makes %+v of the chosen %+v, and %v is heard", r.Last(), s.reported(r), before, heard[times:])
		}
	}
	later := 0 // how often the next iteration would have been chosen
	for line.Running() {
		look()
		k := r.Last()
		if chosen := s.reported(r).k; chosen > k {
			t.Fatalf("at k = %d the chosen iterate is %d, which it has not made", k, chosen)
		}
		scenetest.Step(t, s, 1)
		if k == 2 && s.reported(r).k != 3 {
			t.Fatal("k = 3 is not the best so far: the test checks nothing")
		}
		if s.reported(r).k == k+1 {
			later++
		}
	}
	look()
	if want := len(heard); want != 120 || !slices.IsSorted(heard) || len(slices.Compact(slices.Clone(heard))) != want || r.Len() == want+1 {
		t.Errorf("heard of %v, %d rows are kept", heard, r.Len())
	}
	if later < 3 {
		t.Errorf("the chosen iterate is a new one %d times only", later)
	}
}

// TestLive checks that a change of T, η, μ or ρ takes effect at the next iteration in the runs that use it, and only in
// those. Rebuilding the runs from the log must give the same bits.
func TestLive(t *testing.T) {
	values := map[string]string{"budget": "40", "method": "forum,moml,moco,bome,bvfim,nocleaning", "bvfim.tau": "0.1"}
	plain := with(t, values)
	scenetest.Step(t, plain, -1)
	for name, text := range map[string]string{"T": "3", "eta": "0.1", "mu": "2", "rho": "0.9"} {
		s := with(t, values)
		scenetest.Step(t, s, 20)
		s.Timeline().Change(20, name, text)
		scenetest.Step(t, s, -1)
		again := with(t, values)
		if err := again.Restart(s.Timeline().Log()); err != nil {
			t.Fatal(err)
		}
		scenetest.Step(t, again, -1)
		for i, r := range s.Timeline().Runs() {
			t.Run(name+", "+r.Name, func(t *testing.T) {
				before, without := plain.Timeline().Runs()[i], plain.Timeline().Runs()[i]
				if !slices.Equal(r.Kept(20).X, before.Kept(20).X) {
					t.Errorf("%s: %s has changed before", name, r.Name)
				}
				if !slices.Equal(r.Kept(40).X, again.Timeline().Runs()[i].Kept(40).X) {
					t.Errorf("%s: %s differs after a rebuild", name, r.Name)
				}
				concerned := name == "T" || name == "eta" || name == "mu" && r.Method != "nocleaning" || name == "rho" && r.Method == "forum"
				if changed := !slices.Equal(r.Kept(40).X, without.Kept(40).X); changed != concerned {
					t.Errorf("%s: %s changed is %v", name, r.Name, changed)
				}
			})
		}
	}
}

// TestReference checks that the reference is trained in pieces, only once for the same data, and only if it is
// displayed.
func TestReference(t *testing.T) {
	s := with(t, map[string]string{"method": "nocleaning", "budget": "3"})
	pieces := 0
	for pending := true; pending; pieces++ {
		left := 7
		var err error
		if pending, err = s.Work(func() bool { left--; return left >= 0 }); err != nil {
			t.Fatal(err)
		}
	}
	if want := (referenceRounds + 6) / 7; pieces != want {
		t.Errorf("%d pieces, want %d", pieces, want)
	}
	trained := s.reference
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.reference != trained {
		t.Error("the same reference is trained again")
	}
	for i := range problem.HyperCleaningSets {
		a, _ := trained.problem.Score(trained.stepper.View().X, i, problem.Test)
		if trained.accuracy[i] != a || a < 0.8 {
			t.Errorf("accuracy %v", trained.accuracy)
		}
		// The reference's points are the scene's points.
		if !slices.Equal(trained.problem.Samples(i, problem.Training).X, s.problem.Samples(i, problem.Training).X) {
			t.Error("the reference has other points")
		}
	}
	scenetest.Open(t, s, map[string]string{"reference": "false", "seed": "2"})
	if s.reference == trained {
		t.Error("other data have the same reference")
	}
	if pending, err := s.Work(func() bool { t.Error("it is trained unseen"); return false }); pending || err != nil {
		t.Errorf("%v %v", pending, err)
	}
	if _, reference := results(t, s); reference != nil {
		t.Errorf("there is a reference %v", reference)
	}
}

// TestTable checks that the table is computed in pieces, and only while it is displayed. Tests of the experiment check
// the card's statements about the table.
func TestTable(t *testing.T) {
	s := with(t, map[string]string{"view": viewTable})
	if texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light); !slices.Contains(texts, "0 of 21 computed") {
		t.Errorf("an empty table says %q", texts)
	}
	work := func(steps int) {
		t.Helper()
		if pending, err := s.Work(func() bool { steps--; return steps >= 0 }); !pending || err != nil {
			t.Fatalf("%v %v", pending, err)
		}
	}
	work(250) // of the first cell's 300
	s.values.View = viewRuns
	if pending, err := s.Work(func() bool { return true }); pending || err != nil || s.table.Cells()[0].Done || !s.reference.done() {
		t.Errorf("beside the runs: %v, error %v", pending, err)
	}
	s.values.View = viewTable
	work(100)
	if cells := s.table.Cells(); !cells[0].Done || cells[1].Done {
		t.Errorf("after 350 steps: %+v", cells[:2])
	}
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Table []struct{ Accuracy *float64 }
	}
	if err := json.Unmarshal(data, &d); err != nil || len(d.Table) != 21 || d.Table[0].Accuracy == nil || d.Table[1].Accuracy != nil {
		t.Errorf("the table %s, error %v", data, err)
	}
	if texts, _ := scenetest.Draw(t, s, 320, 300, brush.Dark); !slices.Contains(texts, "1 of 21 computed") {
		t.Errorf("a table under way says %q", texts)
	}
}

// TestDraws checks that every panel draws in both themes, at sizes from phone to desktop, at the start, halfway and at the end, for
// every curve and all samples.
func TestDraws(t *testing.T) {
	for _, values := range []map[string]string{
		{}, {"hidden": "3"}, {"classes": "5"}, {"classes": "2", "corruption": "1"}, {"corruption": "0"}, {"truth": "false", "reference": "false"},
		{"samples": "validation"}, {"samples": "test", "hidden": "2"}, {"train": "10", "validation": "5", "spread": "0.8"}, {"eta": "10",
			"ridge": "0.1"},
	} {
		values = maps.Clone(values)
		values["budget"], values["T"], values["method"] = "40", "4", "forum,moml,moco,bome,nocleaning"
		s := with(t, values)
		for _, steps := range []int{0, 7, -1} {
			scenetest.Step(t, s, steps)
			if steps == 7 {
				s.Timeline().Change(7, "mu", "3")
			}
			if steps == -1 {
				if _, err := s.Work(func() bool { return true }); err != nil {
					t.Fatal(err)
				}
			}
			for _, marker := range []int{s.Timeline().Latest(), 3} {
				s.Timeline().SetMarker(marker)
				theme, size := brush.Light, [2]vg.Length{320, 240}
				if marker == 3 {
					theme, size = brush.Dark, [2]vg.Length{1120, 720}
				}
				if _, calls := scenetest.Draw(t, s, size[0], size[1], theme); calls < 200 {
					t.Errorf("%v, %v: %d calls", values, size, calls)
				}
			}
		}
	}
	s := with(t, map[string]string{"budget": "20", "T": "2", "method": "forum,moml,nocleaning"})
	scenetest.Step(t, s, -1)
	d, _ := s.Params().Lookup("curve")
	if len(d.Options) != len(measures) {
		t.Errorf("there are %d curves and %d options", len(measures), len(d.Options))
	}
	for _, o := range d.Options {
		s.values.Curve = o.Value
		texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
		// A letter with a tilde is drawn in parts.
		if heading := measures[o.Value].heading; !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, heading) }) {
			t.Errorf("%s: there is no heading %q among %q", o.Value, heading, texts)
		}
	}
}

// TestDiverges checks that a diverged run is drawn and described as diverged.
func TestDiverges(t *testing.T) {
	s := with(t, map[string]string{"mu": "100", "muomega": "10", "eta": "10", "ridge": "0.1", "hidden": "8", "T": "64",
		"method": "forum,moml", "budget": "30"})
	scenetest.Step(t, s, -1)
	if _, calls := scenetest.Draw(t, s, 1120, 720, brush.Light); calls < 200 {
		t.Errorf("%d calls", calls)
	}
	if _, err := json.Marshal(s.Results()); err != nil {
		t.Error(err)
	}
}

func frame() brush.Frame { return brush.Frame{Width: 480, Height: 480, Theme: brush.Light} }

// TestFinds checks that the pointer finds the nearest sample, with its labels and weight.
func TestFinds(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "budget": "60"})
	scenetest.Step(t, s, -1)
	z := s.point()
	for set := range problem.HyperCleaningSets {
		p := s.Panels()[set].(*axes.Plane)
		var r recorder.Canvas
		for _, l := range p.Layers(frame()) {
			l.Draw(draw.NewCanvas(&r, 480, 480))
		}
		samples := s.problem.Samples(set, problem.Training)
		wrong := 0
		for j := range samples.Len() {
			lines := strings.Join(s.sampleLines(set, j), "\n")
			if !strings.Contains(lines, fmt.Sprintf("training sample %d of data set %d", j+1, set+1)) ||
				!strings.Contains(lines, "weight "+timeline.Number(s.problem.Weight(z, set, j))) {
				t.Errorf("sample %d: %q", j, lines)
			}
			if samples.Corrupted(j) {
				wrong++
				if !strings.Contains(lines, fmt.Sprintf("labelled class %d, true class %d", samples.Given[j]+1, samples.True[j]+1)) {
					t.Errorf("wrong sample %d: %q", j, lines)
				}
			}
		}
		if wrong != 20 {
			t.Errorf("data set %d has %d wrong labels", set+1, wrong)
		}
	}
	// Some positions on a coarse grid must hit a sample or a weight's dot. Tooltips must not mention hidden data.
	for _, i := range []int{0, 1, 2} {
		found := 0
		for x := vg.Length(0); x <= 480; x += 8 {
			for y := vg.Length(0); y <= 480; y += 8 {
				if pick, ok := s.Panels()[i].Pick(frame(), vg.Point{X: x, Y: y}); ok {
					found++
					if len(pick.Lines) < 3 || pick.K != -1 {
						t.Errorf("panel %d at %v, %v: %+v", i, x, y, pick)
					}
				}
			}
		}
		if found < 50 {
			t.Errorf("panel %d: %d places with something", i, found)
		}
	}
	s.values.Truth = false
	for j := range 40 {
		if lines := strings.Join(s.sampleLines(0, j), "\n"); strings.Contains(lines, "truly") {
			t.Errorf("sample %d tells %q", j, lines)
		}
	}
	s.values.Samples = samplesTest
	if lines := strings.Join(s.sampleLines(1, 399), "\n"); !strings.Contains(lines, "test sample 400 of data set 2") ||
		strings.Contains(lines, "weight") {
		t.Errorf("a test sample tells %q", lines)
	}
}

// TestSurface checks that regions and borders belong to the given model, even if another model's are cached.
func TestSurface(t *testing.T) {
	for _, hidden := range []string{"0", "4"} {
		s := with(t, map[string]string{"method": "forum,nocleaning", "budget": "30", "hidden": hidden})
		scenetest.Step(t, s, -1)
		var of surface // caches one model after the other
		for _, run := range []string{"forum-1", "nocleaning-1", "forum-1"} {
			z := s.Timeline().Shown(s.Timeline().Find(run)).X
			of.update(s.problem, z, 1)
			want := make([]float64, 3)
			for _, at := range [][2]int{{0, 0}, {nodes - 1, 0}, {7, 33}} {
				s.problem.Scores(want, z, 1, place(at[0]), place(at[1]))
				if !slices.Equal(of.at(at[0], at[1]), want) {
					t.Errorf("%s hidden, %s: %v at %v, want %v", hidden, run, of.at(at[0], at[1]), at, want)
				}
			}
		}
	}
}

// TestFades checks that a sample's symbol is nearly invisible at weight 0.05 and strong at 0.95, in both themes, and that no class
// looks fainter than another.
func TestFades(t *testing.T) {
	s := with(t, map[string]string{"classes": "5", "method": "forum", "budget": "1"})
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		contrasts := func(weight float64) (least, most float64) {
			least = math.Inf(1)
			for class := range maxClasses {
				behind := s.tint(theme, class)
				over := signColor(theme, weight)
				a := float64(over.A) / 255
				blend := func(top, below uint8) uint8 { return uint8(math.Round(a*float64(top) + (1-a)*float64(below))) }
				c := brush.Contrast(color.NRGBA{R: blend(over.R, behind.R), G: blend(over.G, behind.G), B: blend(over.B, behind.B), A: 255}, behind)
				least, most = min(least, c), max(most, c)
			}
			return least, most
		}
		if _, most := contrasts(0.05); most > 1.35 {
			t.Errorf("%s: at weight 0.05 a contrast of %.2f", theme.Name, most)
		}
		if least, _ := contrasts(0.95); least < 7 {
			t.Errorf("%s: at weight 0.95 a contrast of %.2f", theme.Name, least)
		}
	}
}

// TestDrag checks that the marker moves along the iterations and that nothing else is draggable.
func TestDrag(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "budget": "30"})
	scenetest.Step(t, s, -1)
	if name, _ := s.Drag(kinds.MarkerHandle, 11.7, 0); name != "" || s.Timeline().Marker() != 12 {
		t.Errorf("%q, marker at %d", name, s.Timeline().Marker())
	}
	if name, _ := s.Drag("zzz", 1, 1); name != "" || s.Timeline().Marker() != 12 {
		t.Errorf("zzz moves %q", name)
	}
}

// TestRefuses checks that values out of range are errors, and that no values in range break the data.
func TestRefuses(t *testing.T) {
	for name, text := range map[string]string{"classes": "1", "train": "5", "corruption": "1.5", "hidden": "-1", "spread": "0", "method": ""} {
		if err := New().Params().Assign(name, text); err == nil {
			t.Errorf("%s = %q is accepted", name, text)
		}
	}
	for _, values := range []map[string]string{
		{"classes": "5", "train": "10", "validation": "5"}, {"train": "200", "validation": "200", "hidden": "16", "classes": "5"},
	} {
		values["budget"], values["T"] = "2", "2"
		s := with(t, values)
		scenetest.Step(t, s, -1)
		if s.Timeline().Latest() != 2 {
			t.Errorf("%v: the runs end at %d", values, s.Timeline().Latest())
		}
	}
}

// BenchmarkIteration measures one iteration of the default runs, including its recording.
func BenchmarkIteration(b *testing.B) {
	for _, hidden := range []string{"0", "8"} {
		b.Run("hidden="+hidden, func(b *testing.B) {
			s := with(b, map[string]string{"budget": "2000", "hidden": hidden})
			b.ReportAllocs()
			for b.Loop() {
				if !s.Timeline().Running() {
					if err := s.Restart(nil); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := s.Timeline().Step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDraw measures drawing everything that changes with every iteration. It alternates between two models, so that no cache
// helps.
func BenchmarkDraw(b *testing.B) {
	for _, hidden := range []string{"0", "8"} {
		s := with(b, map[string]string{"hidden": hidden})
		scenetest.Step(b, s, 63)
		for _, p := range s.Panels() {
			b.Run("hidden="+hidden+"/"+p.ID(), func(b *testing.B) {
				f := frame()
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.Timeline().SetMarker(62 + i%2)
					var r recorder.Canvas
					for _, l := range p.Layers(f) {
						if l.Key == "" {
							l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
						}
					}
				}
			})
		}
	}
}

// TestBordersAreNamed checks that the picture of a data set says whose borders are drawn and what is faint. The accuracy panel says why
// FORUM's accuracy dips.
func TestBordersAreNamed(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 20)
	if _, ok := dipOf(s.Timeline().Selected(), 20); ok {
		t.Error("the accuracy is said to dip before it rises again")
	}
	scenetest.Step(t, s, 80)
	scenetest.Says(t, s, "circle", scenetest.Full, "borders of FORUM", "ring: wrong label", "faint: weighs little",
		"borders with all labels right")
	scenetest.Says(t, s, "accuracy", scenetest.Small, "dips until weights help", "best on other clean samples")
	low, ok := dipOf(s.Timeline().Selected(), 100)
	if !ok || low.K < 20 || low.K > 60 || accuracy(low) > 0.87 {
		t.Errorf("the lowest accuracy is %g at %d: %v", accuracy(low), low.K, ok)
	}
}
