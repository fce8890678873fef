package fairness

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// few holds settings for fast runs.
var few = map[string]string{"samples": "200", "budget": "20"}

func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	all := maps.Clone(few)
	maps.Copy(all, values)
	return scenetest.Open(t, New(), all)
}

// TestMiddle checks that solutions at the ends of the front are outside its middle, and that solutions with both
// objectives below the mean of the two ends are inside.
func TestMiddle(t *testing.T) {
	s := with(t, map[string]string{"method": plans.MosT, "m": "3", "budget": "1"})
	for i, place := range map[int]int{0: 0, len(s.front.theta) - 1: 0, len(s.front.theta) / 2: 3} {
		var start []string
		for range 3 {
			start = append(start, fmt.Sprintf("%g,%g", s.front.theta[i][0], s.front.theta[i][1]))
		}
		at := with(t, map[string]string{"method": plans.MosT, "m": "3", "budget": "1", "start": strings.Join(start, ";")})
		if got := scenetest.Number(t, at, "middle.most"); got != float64(place) {
			t.Errorf("point %d of the front: %g of 3 solutions are in its middle, want %d", i, got, place)
		}
	}
}

// TestRecords compares each run's records with numbers recomputed from its solutions.
func TestRecords(t *testing.T) {
	s := with(t, map[string]string{"method": strings.Join(offered, ","), "m": "3"})
	scenetest.Step(t, s, -1)
	for _, r := range s.Timeline().Runs() {
		if r.Solutions() != 3 {
			t.Fatalf("%s has %d solutions", r.Name, r.Solutions())
		}
		for i := range r.Len() {
			whole := r.Kept(i)
			var points [][]float64
			for j := range 3 {
				row := timeline.Track{Run: r, Solution: j}.Kept(i)
				points = append(points, row.F)
				if got, want := row.Number(accuracy), s.sample.Accuracy(row.X); got != want {
					t.Errorf("%s, k = %d: accuracy %v, want %v", r.Name, row.K, got, want)
				}
				without, with := s.sample.PositiveShares(row.X)
				if got := row.Number(ratio); got != min(without/with, with/without) {
					t.Errorf("%s, k = %d: ratio %v of %v and %v", r.Name, row.K, got, without, with)
				}
			}
			want, err := pareto.Hypervolume(points, s.front.reference)
			if err != nil {
				t.Fatal(err)
			}
			if got := whole.Number(volume); math.Abs(got-100*want) > 1e-12 {
				t.Errorf("%s, k = %d: hypervolume %v, want %v", r.Name, whole.K, got, 100*want)
			}
			if got := whole.Number(volume); got > 100*s.front.most()*1.02 { // most leaves out the gaps between the front's points
				t.Errorf("%s, k = %d: hypervolume %v, the front has %v", r.Name, whole.K, got, 100*s.front.most())
			}
			if math.IsNaN(whole.Number(plans.OracleLoss)) {
				t.Errorf("%s, k = %d: no oracle loss", r.Name, whole.K)
			}
		}
	}
}

func TestDifferent(t *testing.T) {
	reference := []float64{1, 2}
	for want, points := range map[int][][]float64{
		1: {{0, 0}, {0.04, 0.09}},
		2: {{0, 0}, {0.06, 0}, {0.05, 0.05}},
		3: {{0, 0}, {0.06, 0}, {0, 0.11}},
	} {
		if got := different(points, reference); got != want {
			t.Errorf("%v are of %d kinds, want %d", points, got, want)
		}
	}
}

// TestRatio compares the ratio with values computed by hand, and checks where it is undefined.
func TestRatio(t *testing.T) {
	half := &problem.FairnessSample{X: []float64{1, 0, -1, 0, 1, 0, 1, 0}, Y: []float64{1, 1, 1, 1}, Z: []float64{0, 0, 1, 1}}
	if got := ratioOf(half, []float64{1, 0}); got != 0.5 {
		t.Errorf("ratio %v, want 1/2", got)
	}
	none := &problem.FairnessSample{X: []float64{-1, 0, -1, 0}, Y: []float64{1, 1}, Z: []float64{0, 1}}
	if got := ratioOf(none, []float64{1, 0}); got != 1 {
		t.Errorf("ratio %v where nobody gets +1", got)
	}
	all := &problem.FairnessSample{X: []float64{1, 0}, Y: []float64{1}, Z: []float64{1}}
	if got := ratioOf(all, []float64{1, 0}); !math.IsNaN(got) {
		t.Errorf("ratio %v where all have the attribute", got)
	}
}

// TestFront checks that the front's points go from the lowest loss to zero covariance, that the reference point is beyond
// both ends, and that the facts of an end describe this end.
func TestFront(t *testing.T) {
	for _, phi := range []string{"-170", "-45", "0", "45", "80", "180"} {
		s := with(t, map[string]string{"phi": phi})
		f := s.front.f
		for i := 1; i < len(f); i++ {
			if f[i][0] < f[i-1][0]-1e-12 || f[i][1] > f[i-1][1]+1e-12 {
				t.Errorf("φ = %s°: %v after %v", phi, f[i], f[i-1])
			}
		}
		if f[len(f)-1][1] > 1e-20 || s.front.reference[0] <= f[len(f)-1][0] || s.front.reference[1] <= f[0][1] {
			t.Errorf("φ = %s°: the front ends at %v, its reference is %v", phi, f[len(f)-1], s.front.reference)
		}
		if got, want := scenetest.Fact(t, s.Facts(), "accuracy.accurate"), 100*s.sample.Accuracy(s.front.theta[0]); got != want {
			t.Errorf("φ = %s°: accuracy %v, want %v", phi, got, want)
		}
	}
}

// TestKeptFront checks that a change of the start points keeps the front, and that a change of the data recomputes it.
func TestKeptFront(t *testing.T) {
	s := with(t, nil)
	before := s.front
	if err := s.Params().Assign("start", "0.5,0.5;0.25,-0.5"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.starts[1], []float64{0.25, -0.5}) || s.front != before {
		t.Errorf("starts %v", s.starts)
	}
	if err := s.Params().Assign("phi", "46"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.front == before {
		t.Error("other data have the same front")
	}
}

// TestSharesOfPositives checks that the panel of who gets +1 has two bars for each line of the selected run, and that
// the tooltip states their shares. Points that get +1 must stand out.
func TestSharesOfPositives(t *testing.T) {
	s := with(t, map[string]string{"method": "most", "m": "3"})
	scenetest.Step(t, s, -1)
	gets := s.panels[4]
	f := brush.Frame{Width: 800, Height: 600, Theme: brush.Light}
	for j, row := range s.shown() {
		pick, ok := gets.Pick(f, vg.Point{X: 200, Y: 60 + 520*(2.5-vg.Length(j))/3})
		without, with := s.sample.PositiveShares(row.X)
		want := fmt.Sprintf("with the attribute %.0f %%, without %.0f %%", 100*with, 100*without)
		if !ok || pick.Lines[0] != solutionName(j) || pick.Lines[1] != want {
			t.Errorf("over line %d is %q, want %q", j+1, pick.Lines, want)
		}
	}
	strong := 0
	for _, eight := range s.decisions() {
		strong += bits.OnesCount8(eight)
	}
	without, with := s.sample.PositiveShares(s.chosen())
	have := 0.0
	for _, z := range s.sample.Z {
		have += z
	}
	if want := with*have + without*(float64(s.sample.Len())-have); math.Abs(want-float64(strong)) > 1e-9 {
		t.Errorf("%d points stand out, %v get +1", strong, want)
	}
	texts, _ := scenetest.Draw(t, s, 1600, 1000, brush.Light)
	for _, want := range []string{"gets +1:", fmt.Sprintf("%.0f %%", 100*with), fmt.Sprintf("%.0f %%", 100*without), "fairest"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the pictures do not say %q", want)
		}
	}
	if s.panels[0].Describe() == "" || gets.Describe() == "" {
		t.Error("a panel says nothing")
	}
}

// TestMixtures checks that the rows of MosT-E's plan are ordered by their weights and labelled with them.
func TestMixtures(t *testing.T) {
	s := with(t, map[string]string{"method": "most-e", "extended": "6"})
	if s.objectiveName(0) != "f₁, loss" || s.objectiveName(5) != "f₂, covariance²" || !strings.Contains(s.objectiveName(2), " loss + ") {
		t.Errorf("%q, %q, %q", s.objectiveName(0), s.objectiveName(2), s.objectiveName(5))
	}
	scenetest.Step(t, s, 3)
	row := s.stepShown(s.Timeline().Runs()[0])
	if mass, m, ok := plans.PlanOf(s.Timeline().Runs()[0], row); !ok || m != 5 || len(mass) != 30 {
		t.Errorf("a plan of %d masses in %d columns", len(mass), m)
	}
	s = with(t, map[string]string{"method": "most"})
	if s.objectiveName(0) != "f₁, loss" || s.objectiveName(1) != "f₂, covariance²" {
		t.Errorf("%q, %q", s.objectiveName(0), s.objectiveName(1))
	}
}

// TestDrawn checks that every panel draws, with a description, at every size and with every method selected. It covers the time before
// the first round, during and after the runs, and a run that diverges.
func TestDrawn(t *testing.T) {
	for _, values := range []map[string]string{
		{"method": strings.Join(offered, ",")},
		{"method": "linearization", "m": "1"},
		{"method": "most", "m": "10", "samples": "100", "phi": "-90"},
		{"method": "mgda,most", "start": "0,0", "m": "2"},
		{"method": "most", "eta": "5", "start": "5,5;-5,5;5,-5;-5,-5;5,0"},
	} {
		s := with(t, values)
		for _, steps := range []int{0, 3, -1} {
			scenetest.Step(t, s, steps)
			for _, track := range s.Timeline().Tracks() {
				if track.Solution > 1 {
					continue
				}
				s.Timeline().Select(track.Name())
				for _, size := range [][2]vg.Length{{1280, 800}, {320, 480}, {60, 40}} {
					for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
						if _, calls := scenetest.Draw(t, s, size[0], size[1], theme); calls == 0 {
							t.Errorf("%v: nothing is drawn", values)
						}
					}
				}
			}
		}
		if data, err := json.Marshal(s.Results()); err != nil || !strings.Contains(string(data), "hypervolume") {
			t.Errorf("%v: results %s, error %v", values, data, err)
		}
	}
}

// TestFindPoint checks that the tooltip describes the point under the pointer and lists the lines that decide +1 for it.
func TestFindPoint(t *testing.T) {
	s := with(t, nil)
	p := s.panels[0]
	f := brush.Frame{Width: 800, Height: 800, Theme: brush.Light}
	classes := map[string]bool{}
	for x := vg.Length(60); x < 780; x += 6 {
		for y := vg.Length(60); y < 700; y += 6 {
			pick, ok := p.Pick(f, vg.Point{X: x, Y: y})
			if !ok || pick.Handle != "" {
				continue
			}
			if len(pick.Lines) != 3 {
				t.Fatalf("%q", pick.Lines)
			}
			classes[pick.Lines[1]] = true
		}
	}
	if len(classes) != 4 {
		t.Errorf("found are %v", classes)
	}
}

// TestAttributeIsTurned checks that the attribute's handle is in the direction in which points most likely have the
// attribute, and that dragging and arrow keys turn it in whole degrees.
func TestAttributeIsTurned(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"method": "most"})
	for phi := -180; phi <= 180; phi++ {
		s.values.Phi = float64(phi)
		g := s.attributeGrip()[0]
		if name, text := s.Drag(g.ID, 3*g.X, 3*g.Y); name != "phi" || text != strconv.Itoa(phi) && !(phi == 180 && text == "-180") {
			t.Errorf("at φ = %d the handle means %s = %s", phi, name, text)
		}
	}
	s.values.Phi = 45
	x, y := s.attribute()
	var with, without float64
	for j, z := range s.sample.Z {
		if along := float64(x*s.sample.X[2*j]) + float64(y*s.sample.X[2*j+1]); z > 0 {
			with += along
		} else {
			without += along
		}
	}
	if with < 500 || without > -500 {
		t.Errorf("points with the attribute lie %g along it together, those without %g", with, without)
	}
	scenetest.Nudge(t, s, attributeHandle, 1, 0)
	if s.values.Phi >= 45 || s.values.Phi < 40 {
		t.Errorf("an arrow key to the right turns the attribute from 45° to %g°", s.values.Phi)
	}
	scenetest.Step(t, s, 20)
	scenetest.Says(t, s, "data", scenetest.Full, "class −1, with the attribute", "the 5 lines of MosT", "more have the attribute (φ = ")
}
