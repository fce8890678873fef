package fronts

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/zdt"
)

// with returns the scene at k = 0 with the given values changed.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

// ended returns a card at the end of its runs, or the default scene for "". further lists parameters to
// change, as alternating names and texts.
func ended(t testing.TB, id string, further ...string) *Scene {
	t.Helper()
	values := map[string]string{}
	if id != "" {
		p := scenetest.Preset(t, presets, id)
		for name, text := range p.Values {
			values[name] = text
		}
	}
	for i := 0; i < len(further); i += 2 {
		values[further[i]] = further[i+1]
	}
	s := with(t, values)
	scenetest.Step(t, s, -1)
	return s
}

func (s *Scene) fact(t testing.TB, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// last returns the last row of a method's run.
func last(t testing.TB, s *Scene, method string) timeline.Row {
	t.Helper()
	r := s.Timeline().FindFrom(method, 0)
	if r.Run == nil {
		t.Fatalf("%s does not run", method)
	}
	return r.Run.Kept(r.Run.Len() - 1)
}

// roundAt returns the round of MosT-E that led to iteration k.
func roundAt(t testing.TB, s *Scene, k int) (r transport.Round) {
	t.Helper()
	if err := s.Timeline().Visit(s.Timeline().FindFrom(plans.Extended, 0).Run, k, func(stepper algo.Stepper) {
		shown, ok := stepper.(*transport.MosT).Round()
		if !ok {
			t.Fatalf("no round %d", k)
		}
		r = transport.Round{Active: slices.Clone(shown.Active), Lambda: slices.Clone(shown.Lambda), BD2: slices.Clone(shown.BD2),
			Plan: &transport.Plan{Mass: slices.Clone(shown.Plan.Mass)}}
	}); err != nil {
		t.Fatal(err)
	}
	return r
}

// weighing describes the masses that solution j of five receives. weighed is their sum, each mass multiplied by the
// solution's own weight for the same row of the plan; least and largest are the smallest and the largest mass.
func weighing(r transport.Round, j int) (weighed, least, largest float64) {
	least = math.Inf(1)
	for at := j; at < len(r.Plan.Mass); at += 5 {
		mass, rows := r.Plan.Mass[at], len(r.Plan.Mass)/5
		weighed += r.Lambda[j*rows+at/5] * mass
		least, largest = min(least, mass), max(largest, mass)
	}
	return weighed, least, largest
}

// TestSelected checks that no card selects a run that does not exist.
func TestSelected(t *testing.T) {
	for _, p := range presets {
		if s := with(t, p.Values); p.Selected != "" && s.Timeline().Find(p.Selected).Run == nil {
			t.Errorf("%s selects %s, but there is no such run", p.ID, p.Selected)
		}
	}
}

// TestDraws checks that every view draws in both themes, wide and narrow, at the start, halfway and at the end.
func TestDraws(t *testing.T) {
	for _, values := range []map[string]string{
		{"problem": "zdt1"}, {"problem": "zdt2", "m": "20", "method": "epo,moosvgd"}, {"problem": "zdt3", "m": "1", "reference": "1.1,-1"},
		{"problem": "quadratics", "method": "most,linearization", "reference": "20,20"}, {"view": "table"},
	} {
		values["budget"] = "30"
		s := with(t, values)
		for _, k := range []int{0, 12, 30} {
			scenetest.Step(t, s, k-s.Timeline().Latest())
			for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
				for _, width := range []vg.Length{1280, 360} {
					if texts, calls := scenetest.Draw(t, s, width, 700, theme); len(texts) < 10 || calls < 40 {
						t.Errorf("%v at %d: %d texts in %d calls", values, k, len(texts), calls)
					}
				}
			}
		}
	}
}

// TestSlabs checks that the shaded area equals the hypervolume for any points.
func TestSlabs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		points := make([][]float64, random.IntN(8))
		for i := range points {
			points[i] = []float64{float64(random.IntN(6)), float64(random.IntN(6))}
		}
		reference := []float64{4.5, 3.5}
		var area float64
		for _, r := range slabs(points, reference) {
			if r.left >= r.right || r.low >= r.high {
				t.Errorf("%v: %+v", points, r)
			}
			area += (r.right - r.left) * (r.high - r.low)
		}
		if v := volume(points, reference); math.Abs(area-v) > 1e-12 {
			t.Errorf("%v: shaded %v, hypervolume %v", points, area, v)
		}
	}
}

// TestReference checks that moving the reference point changes the measures at once but leaves all runs unchanged.
func TestReference(t *testing.T) {
	s := ended(t, "", "budget", "50")
	before, x := s.fact(t, "hypervolume.most-e"), slices.Clone(last(t, s, plans.Extended).X)
	for _, move := range []struct {
		x, y float64
		text string
	}{{1.23456, 5, "1.235,5"}, {99, -99, "20,-1"}} {
		name, text := s.Drag(referenceHandle, move.x, move.y)
		if name != "reference" || text != move.text {
			t.Errorf("dragged to %v, %v: %s = %s", move.x, move.y, name, text)
		}
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if d, _ := s.Params().Lookup("reference"); d.Effect != param.Display {
		t.Error("the reference point changes runs")
	}
	if after := s.fact(t, "hypervolume.most-e"); after == before || !slices.Equal(x, last(t, s, plans.Extended).X) {
		t.Errorf("hypervolume was %v and is %v", before, after)
	}
	for problem, want := range map[string][]float64{
		zdt1: {0.99022638, 6.39358545}, zdt2: {0.99022638, 7.71577261}, zdt3: {0.99022638, 6.54635266}, quadratics: {2.2, 2.2},
	} {
		if r := with(t, map[string]string{"problem": problem}).reference(); !slices.Equal(r, want) {
			t.Errorf("%s: measured from %v, want %v", problem, r, want)
		}
	}
}

// TestFacts checks that facts agree with the displayed rows wherever the marker is, and with the results at the latest iteration.
func TestFacts(t *testing.T) {
	s := ended(t, "", "budget", "400", "eta", "0.2")
	for _, marker := range []int{0, 7, 250, 400} {
		s.Timeline().SetMarker(marker)
		for _, run := range s.Timeline().Runs() {
			var points [][]float64
			var excess, weak float64
			bp := 0
			for j := range run.Solutions() {
				row := s.Timeline().AtMarker(timeline.Track{Run: run, Solution: j})
				points = append(points, slices.Clone(row.F))
				sum := 0.0
				for _, v := range row.X[1:] {
					sum += v
				}
				excess += sum / 5
				if row.Stationarity <= stopped && sum > away {
					weak++
				}
				bp = row.BP
			}
			for name, want := range map[string]float64{
				"hypervolume.": volume(points, s.reference()), "excess.": excess, "weak.": weak, "bp.": float64(5 * bp),
			} {
				if got := s.fact(t, name+run.Method); math.Abs(got-want) > 1e-12*max(1, want) {
					t.Errorf("%s%s at %d is %v, want %v", name, run.Method, marker, got, want)
				}
			}
		}
	}
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var results struct {
		Runs  map[string]MethodResult
		Front float64
	}
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	for _, run := range s.Timeline().Runs() {
		r := results.Runs[run.Name]
		if r.Hypervolume != s.fact(t, "hypervolume."+run.Method) || float64(r.Weak) != s.fact(t, "weak."+run.Method) ||
			float64(r.Kinds) != s.fact(t, "kinds."+run.Method) || len(r.F) != 5 || len(r.Excess) != 5 {
			t.Errorf("%s: %+v", run.Name, r)
		}
	}
	if results.Front != s.fact(t, "front") || !(results.Front > zdt.BestFive[0]) {
		t.Errorf("the whole front has %v", results.Front)
	}
	if v := s.fact(t, "hypervolume.epo"); !math.IsNaN(v) {
		t.Errorf("a method that does not run has %v", v)
	}
}

// TestRefuses checks that values that define no problem cause errors, that given starts are used, and that the error
// for a start outside the box names the start.
func TestRefuses(t *testing.T) {
	s := New()
	for name, text := range map[string]string{"d": "1", "m": "21", "problem": "zdt4", "shape": "0"} {
		if err := s.Params().Assign(name, text); err == nil {
			t.Errorf("%s = %s is taken", name, text)
		}
	}
	given := with(t, map[string]string{"problem": "quadratics", "m": "2", "start": "1,1;-1.5,0.5"})
	if x := given.Timeline().Runs()[0].Starts; x[0][0] != 1 || x[1][0] != -1.5 {
		t.Errorf("the starts are %v", x)
	}
	if err := s.Params().Assign("start", "1.5,1"); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err == nil || !strings.Contains(err.Error(), "start 0") {
		t.Errorf("a start outside the box: %v", err)
	}
}

// TestFrontIsNamed checks that the picture labels the shaded area, the reference point and the compressed part of the
// axis. It also checks that the description says how much each method covers and whose solutions stopped above the
// front.
func TestFrontIsNamed(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Finish(t, s)
	scenetest.Says(t, s, "objective", scenetest.Full, "dominated by MosT-E’s solutions", "reference point", "scale squeezed",
		"the front: no point is better")
	const want = "MGDA’s 58 % with 5 kinds, 5 of 5 stopped above the front"
	if got, _, _ := strings.Cut(s.describe(), ". "); !strings.HasPrefix(got, "After 1000 rounds, ") || !strings.Contains(got, want) {
		t.Errorf("the first sentence is %q, want it to say %q", got, want)
	}
}
