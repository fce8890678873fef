package toymap

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene/scenetest"
)

// with returns the scene at k = 0 with some values changed.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

// endings returns the scene's results, by the run's name.
func endings(t testing.TB, s *Scene) map[string]Ending {
	t.Helper()
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var results struct{ Endings []Ending }
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	out := map[string]Ending{}
	for _, e := range results.Endings {
		if !algo.Finite(e.X) || !algo.Finite(e.F) || !(e.Gap >= 0) {
			t.Errorf("%s ends at %+v", e.Run, e)
		}
		out[e.Run] = e
	}
	return out
}

// TestTrajectories checks that, from stable starts, the scene's runs follow the published code for 2000 iterations. If
// a published solver is inexact, the runs need to follow that solver only until its errors matter.
func TestTrajectories(t *testing.T) {
	data, err := os.ReadFile("../../algo/problem/testdata/toy_cagrad.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Runs []struct {
			Source, Method string
			Params         map[string]any
			Scale          float64
			Init           []float64
			Traj           [][]float64
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	type setting struct {
		values    map[string]string
		until     int
		tolerance float64
	}
	settings := map[string]setting{
		// The published code minimises the sum of the losses, not their mean, so Adam's ε has half the effect.
		"FAMO ls":         {values: map[string]string{"method": "ls"}, until: 2000, tolerance: 1e-6},
		"FAMO pcgrad":     {values: map[string]string{"method": "pcgrad", "clip": "1"}, until: 2000, tolerance: 1e-6},
		"FAMO famo":       {values: map[string]string{"method": "famo"}, until: 2000, tolerance: 1e-6},
		"peer nash_exact": {values: map[string]string{"method": "nashmtl"}, until: 2000, tolerance: 1e-6},
		"CAGr sgd":        {values: map[string]string{"method": "ls"}, until: 2000, tolerance: 1e-6},
		"CAGr pcgrad":     {values: map[string]string{"method": "pcgrad", "pcgrad.reduction": "mean"}, until: 2000, tolerance: 1e-6},
		// To find the weights, both CAGrad codes use general minimizers at loose default tolerances.
		"FAMO cagrad": {values: map[string]string{"method": "cagrad", "cagrad.c": "0.4", "cagrad.rescale": "sq", "clip": "0.5"}, until: 2000,
			tolerance: 1e-5},
		"CAGr cagrad": {values: map[string]string{"method": "cagrad", "cagrad.c": "0.5", "cagrad.rescale": "lin"}, until: 2000, tolerance: 1e-3},
		// The MGDA codes keep the weights off the vertices or guard the denominator. The exact rule follows these codes until
		// their deviation matters. The weights of the first code sum to 2, so Adam's ε has half the effect: its second
		// moments are small here.
		"FAMO mgda": {values: map[string]string{"method": "mgda"}, until: 300, tolerance: 1e-4},
		"CAGr mgd":  {values: map[string]string{"method": "mgda"}, until: 1, tolerance: 1e-6},
	}
	compared := 0
	for _, r := range oracle.Runs {
		t.Run(fmt.Sprintf("%s of %s from %v, scale %g, %v", r.Method, r.Source[:4], r.Init, r.Scale, r.Params), func(t *testing.T) {
			set, ok := settings[r.Source[:4]+" "+r.Method]
			if !ok {
				t.Errorf("no setting for %s of %s", r.Method, r.Source)
				return
			}
			if r.Method == "mgda" && r.Init[0] == 0 { // the first step takes the vertex
				set.until = 1
			}
			values := map[string]string{"starts": "1", "start": fmt.Sprintf("%g,%g", r.Init[0], r.Init[1]), "scale": fmt.Sprint(r.Scale)}
			for name, text := range set.values {
				values[name] = text
			}
			if gamma, ok := r.Params["gamma"]; ok {
				values["famo.gamma"] = fmt.Sprint(gamma)
			}
			s := with(t, values)
			apart := 0.0
			for _, row := range r.Traj {
				k := int(row[0])
				if k > set.until {
					break
				}
				scenetest.Step(t, s, k-s.Timeline().Latest())
				got, err := s.Timeline().At(s.Timeline().Runs()[0], k)
				if err != nil {
					t.Fatal(err)
				}
				apart = max(apart, math.Abs(got.X[0]-row[1]), math.Abs(got.X[1]-row[2]), math.Abs(got.F[0]-row[3]), math.Abs(got.F[1]-row[4]))
				compared++
			}
			if !(apart <= set.tolerance) {
				t.Errorf("%s of %s from %v, scale %g: %g apart within %d iterations, allowed is %g", r.Method, r.Source, r.Init, r.Scale, apart,
					set.until, set.tolerance)
			}
		})
	}
	if compared < 300 {
		t.Errorf("%d rows were compared", compared)
	}
}

// TestAll checks that the card runs each method that its text counts. Methods that the page gained later are not added
// to the card, because its link, number and statements cover only the earlier methods.
func TestAll(t *testing.T) {
	s := scenetest.NewCard(About, "all").End(t).(*Scene)
	if want := strings.Split(everyone, ","); !slices.Equal(slices.Sorted(slices.Values(s.values.On)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%v run of %v", s.values.On, want)
	}
	for name, e := range endings(t, s) {
		t.Run(name, func(t *testing.T) {
			if e.Status != "budget" && e.Status != "no-solution" {
				t.Errorf("%s ends as %s at %+v", name, e.Status, e)
			}
			if e.Status == "no-solution" && e.Gap > 0.01 {
				t.Errorf("%s finds no solution at %+v", name, e)
			}
		})
	}
}

// TestNoLogarithms checks that methods that take logarithms of losses are not offered, because losses become negative.
func TestNoLogarithms(t *testing.T) {
	l := New().Params()
	if _, bound := l.Lookup("stch.log"); bound {
		t.Error("stch.log is offered")
	}
	if _, bound := l.Lookup("stch.mu"); !bound {
		t.Error("stch.mu is not offered")
	}
}

// TestAbsent checks that every unavailable method exists and is refused with its reason.
func TestAbsent(t *testing.T) {
	s := New()
	for name, reason := range absent {
		t.Run(name, func(t *testing.T) {
			if !slices.ContainsFunc(smooth.Methods(), func(m param.Method) bool { return m.ID == name }) {
				t.Errorf("there is no method %s", name)
			}
			if err := s.Params().Assign("method", name); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(reason, ".")) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestStarts checks that runs start from the points of the set, then from random points, and that points that the
// visitor has moved replace the original ones.
func TestStarts(t *testing.T) {
	all := problem.ToyStarts()
	for set, want := range map[string]int{setCAGrad: 3, setFAMO: 5, setAll: 6, setRandom: 6} {
		s := with(t, map[string]string{"startset": set})
		if len(s.starts) != want {
			t.Errorf("%s has %d points", set, len(s.starts))
		}
		for _, x := range s.starts {
			if known := slices.ContainsFunc(all, func(y []float64) bool { return slices.Equal(x, y) }); known == (set == setRandom) {
				t.Errorf("%s has %v", set, x)
			}
		}
	}
	s := with(t, map[string]string{"starts": "4", "region": "2"})
	if len(s.starts) != 4 || math.Abs(s.starts[3][0]) > 2 || math.Abs(s.starts[3][1]) > 2 {
		t.Errorf("starts %v", s.starts)
	}
	// A moved point may have one or two coordinates.
	s = with(t, map[string]string{"start": "3;1,2,4;;5"})
	if want := [][]float64{{3, all[0][1]}, {1, 2}, all[5]}; !slices.EqualFunc(s.starts, want, slices.Equal) {
		t.Errorf("starts %v, want %v", s.starts, want)
	}
	s = with(t, map[string]string{"starts": "4", "region": "2"})
	name, text := s.Drag("start-2", 1.23456, 99)
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.starts[1], []float64{1.2346, 10}) || !slices.Equal(s.starts[0], all[0]) {
		t.Errorf("starts %v", s.starts)
	}
	for _, id := range []string{"start-0", "start-5", "start-x", "start", "zzz", ""} {
		if name, _ := s.Drag(id, 0, 0); name != "" {
			t.Errorf("%q moves %s", id, name)
		}
	}
}

// TestGap checks that the gap is 0 on the front and that, elsewhere, it agrees with its definition, evaluated by brute
// force.
func TestGap(t *testing.T) {
	f, err := newFront()
	if err != nil {
		t.Fatal(err)
	}
	p, err := problem.NewToy(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	fine := p.Front(20_000)
	for _, point := range fine[:len(fine):len(fine)] {
		if g := f.gap(point[0], point[1]); math.Abs(g) > 1e-5 {
			t.Fatalf("gap %g on the front at %v", g, point)
		}
	}
	for _, at := range [][2]float64{{5, 5}, {-10, 3}, {3, -19}, {-15, -15}, {9, -19.999}, {-19.999, 9}, {30, -20}, {-20, 40}} {
		want := math.Inf(-1)
		for _, q := range fine {
			want = max(want, min(at[0]-q[0], at[1]-q[1]))
		}
		if g := f.gap(at[0], at[1]); math.Abs(g-want) > 2e-3 {
			t.Errorf("gap %g at %v, want %g", g, at, want)
		}
	}
}

// TestArrival checks that the first iteration within a tolerance is found regardless of the recorded rows, in both
// scales. It must stay the same when past iterations are replayed.
func TestArrival(t *testing.T) {
	for _, scale := range []string{"1", "0.1"} {
		s := with(t, map[string]string{"method": "mgda,ls", "startset": "all", "scale": scale, "budget": "3000", "eta": "0.01"})
		s.Timeline().SetLimit(200_000) // keeps only a few rows
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		scenetest.Step(t, s, -1)
		every := with(t, map[string]string{"method": "mgda,ls", "startset": "all", "scale": scale, "budget": "3000", "eta": "0.01"})
		scenetest.Step(t, every, -1)
		for i := range s.Timeline().Tracks() {
			t.Run(s.Timeline().Tracks()[i].Name()+", scale "+scale, func(t *testing.T) {
				thin, full := s.Timeline().Tracks()[i], every.Timeline().Tracks()[i]
				if thin.Len() == full.Len() {
					t.Fatal("all rows are kept")
				}
				for _, tolerance := range tolerances {
					s.values.Tolerance = fmt.Sprint(tolerance)
					want, there := Arrival{}, false
					for k := range full.Len() {
						if row := full.Kept(k); every.gap(row.F) <= tolerance {
							want, there = Arrival{row.K, row.BP}, true
							break
						}
					}
					if _, err := s.Timeline().At(thin.Run, 7); err != nil {
						t.Fatal(err)
					}
					if got, ok := s.arrivalOf(thin, thin.Last()); ok != there || got != want {
						t.Errorf("%s within %g: %v %v, want %v %v", thin.Name(), tolerance, got, ok, want, there)
					}
				}
			})
		}
	}
}

// TestReset checks that rebuilt runs equal those of a new scene, bit for bit, including live changes.
func TestReset(t *testing.T) {
	values := map[string]string{"method": "psmgd,rlw,famo,pcgrad,moosvgd,graddrop", "sigma": "0.1", "budget": "300"}
	s := with(t, values)
	scenetest.Step(t, s, 100)
	s.Timeline().Change(100, "R", "2")
	s.Timeline().Change(100, "eta", "0.002")
	scenetest.Step(t, s, -1)
	other := with(t, values)
	if err := other.Restart(s.Timeline().Log()); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, other, -1)
	changed := with(t, values)
	scenetest.Step(t, changed, -1)
	for i, r := range s.Timeline().Runs() {
		t.Run(r.Name, func(t *testing.T) {
			a, b, c := r.Kept(r.Len()-1), other.Timeline().Runs()[i], changed.Timeline().Runs()[i]
			if row := b.Kept(b.Len() - 1); !slices.Equal(a.X, row.X) || a.BP != row.BP {
				t.Errorf("%s: %v and %v", r.Name, a, row)
			}
			if row := c.Kept(c.Len() - 1); slices.Equal(a.X, row.X) {
				t.Errorf("%s does not hear of the live changes", r.Name)
			}
		})
	}
}

// TestDraws checks that every panel draws in both themes, at sizes from phone to desktop, at the start, halfway and at the end. It
// covers every field and both axes.
func TestDraws(t *testing.T) {
	for _, axis := range []string{kinds.Iterations, kinds.Backpropagations} {
		s := with(t, map[string]string{"axis": axis, "scale": "0.1", "method": "psmgd,ls,pcgrad,graddrop", "startset": "all", "eta": "0.02",
			"budget": "900"})
		for _, steps := range []int{0, 7, -1} {
			scenetest.Step(t, s, steps)
			if steps == 7 {
				s.Timeline().Change(7, "R", "2")
			}
			for _, marker := range []int{s.Timeline().Latest(), 3} {
				s.Timeline().SetMarker(marker)
				theme, size := brush.Light, [2]vg.Length{320, 240}
				if axis == kinds.Iterations {
					theme, size = brush.Dark, [2]vg.Length{1120, 720}
				}
				texts, calls := scenetest.Draw(t, s, size[0], size[1], theme)
				if calls < 200 || len(texts) < 20 || !slices.Contains(texts, "the lake: Pareto set") {
					t.Errorf("%v at %d: %d calls, %d texts", size, marker, calls, len(texts))
				}
			}
		}
		texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
		if over := slices.Contains(texts, "backpropagations"); over != (axis == kinds.Backpropagations) {
			t.Errorf("%s: the axis over time is called otherwise", axis)
		}
	}
	for _, o := range fieldOptions {
		scenetest.Draw(t, with(t, map[string]string{"field": o.Value}), 320, 400, brush.Dark)
	}
}

// TestLongRunsDrawQuickly checks that the pixels, not the iterations, bound the cost of drawing 20,000 iterations.
func TestLongRunsDrawQuickly(t *testing.T) {
	s := with(t, map[string]string{"method": "psmgd,rlw,pcgrad", "budget": "20000", "starts": "2"})
	scenetest.Step(t, s, -1)
	for _, p := range s.Panels() {
		var r recorder.Canvas
		c := draw.NewCanvas(&r, 400, 300)
		for _, l := range p.Layers(brush.Frame{Width: 400, Height: 300, Theme: brush.Light}) {
			l.Draw(c)
		}
		points := 0
		for _, a := range r.Actions {
			if stroke, ok := a.(*recorder.Stroke); ok {
				points += len(stroke.Path)
			}
		}
		// There are six runs. Over time each has at most eight points per pixel, one for each step of a stair.
		if points > 6*400*8+5000 {
			t.Errorf("%s strokes %d points", p.ID(), points)
		}
	}
}

// TestDefaultHues checks that the default methods differ in hue, not only in marker.
func TestDefaultHues(t *testing.T) {
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		seen := map[any]string{}
		for _, name := range New().values.On {
			hue := theme.Look(name).Hue
			if other, taken := seen[hue]; taken {
				t.Errorf("%s: %s and %s have one hue", theme.Name, name, other)
			}
			seen[hue] = name
		}
	}
}
