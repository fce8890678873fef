package sampleorder

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene/scenetest"
)

// actions returns the drawing calls that a panel makes in a frame.
func actions(p axes.Panel, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	return r.Actions
}

// calls returns the drawing calls of all panels as text.
func calls(s *Scene) string {
	var b strings.Builder
	for _, p := range s.Panels() {
		for _, a := range actions(p, brush.Frame{Width: 500, Height: 400, Theme: brush.Light}) {
			b.WriteString(a.Call())
			b.WriteByte('\n')
		}
		b.WriteString(p.Describe() + "\n")
	}
	return b.String()
}

// wordsOn returns the texts on a panel, with non-breaking spaces replaced by ordinary ones.
func wordsOn(p axes.Panel, f brush.Frame) (out []string) {
	for _, a := range actions(p, f) {
		if w, ok := a.(*recorder.FillString); ok {
			out = append(out, strings.ReplaceAll(w.String, "\u00a0", " "))
		}
	}
	return out
}

// shownPanel returns the panel with the given ID.
func shownPanel(t testing.TB, s *Scene, id string) axes.Panel {
	t.Helper()
	for _, p := range s.Panels() {
		if p.ID() == id {
			return p
		}
	}
	t.Fatalf("there is no panel %s", id)
	return nil
}

var full = brush.Frame{Width: 600, Height: 500, Theme: brush.Light}

// TestPictures checks that every panel draws at every level of detail, in every theme, width and state, that it
// describes what it shows, and that it neither draws nor writes invalid numbers.
func TestPictures(t *testing.T) {
	states := []struct {
		values map[string]string
		steps  int
	}{
		{map[string]string{"problem": orders.Yours}, 0},
		{map[string]string{"K": "8"}, 0},
		{map[string]string{"K": "8"}, 1},
		{map[string]string{"K": "8", "seeds": "3"}, 20},
		{map[string]string{"K": "1", "d": "1", "M": "1"}, 3},
		{map[string]string{"K": "2", "d": "2", "M": "3", "walk": walkNorm}, 4},
		{map[string]string{"K": "5", "d": "7", "M": "5", "weighting": "mgda", "batch": "2", "problem": orders.Diagonal}, 12},
		{map[string]string{"K": "6", "problem": orders.Logistic, "heterogeneity": "0"}, 13},
		{map[string]string{"K": "6", "problem": orders.Diagonal, "noise": "0", "heterogeneity": "0"}, 20},
		{map[string]string{"K": "8", "alpha": "5", "condition": "1"}, 200}, // diverges
	}
	frames := []brush.Frame{
		{Width: 900, Height: 600, Theme: brush.Light}, {Width: 374, Height: 330, Theme: brush.Dark, Touch: true},
		{Width: 280, Height: 140, Theme: brush.Light, Detail: brush.Mini}, {Width: 320, Height: 200, Theme: brush.Dark, Detail: brush.Thumbnail},
		{Width: 30, Height: 20, Theme: brush.Light},
	}
	for i, state := range states {
		for j, view := range []string{viewOmega, viewLosses, viewHerding, viewDrift, viewRates, viewCost} {
			if i%2 != j%2 && i != 3 { // skip half of the states of each view, but never state 3
				continue
			}
			s := New()
			state.values["view"], state.values["method"], state.values["budget"] = view, every(), "200"
			scenetest.Open(t, s, state.values)
			scenetest.Step(t, s, state.steps)
			for _, method := range []string{orders.Random, orders.GraBSeparate, orders.JoGBa} {
				s.Timeline().Select(method + "-1")
				for _, p := range s.Panels() {
					if text := p.Describe(); text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
						t.Errorf("%v, %s, %s: %s says %q", state.values, view, method, p.ID(), text)
					}
					for _, f := range frames {
						for _, a := range actions(p, f) {
							if !scenetest.Drawable(a) {
								t.Fatalf("%v, %s, %s: %s draws %s", state.values, view, method, p.ID(), a.Call())
							}
						}
						p.Pick(f, vg.Point{X: f.Width / 2, Y: f.Height / 2})
						for _, h := range p.Handles(f) {
							if h.At.X < 0 || h.At.Y < 0 || h.At.X > f.Width || h.At.Y > f.Height {
								t.Errorf("%s: handle %s at %v", p.ID(), h.ID, h.At)
							}
						}
						if l, ok := p.(axes.Linking).Mark(f, axes.Pick{Run: method + "-1", K: state.steps / 2}); ok {
							var r recorder.Canvas
							l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
						}
					}
				}
			}
		}
	}
}

func always() bool { return true }

// TestScrubbing checks that the picture of an iteration does not depend on what was shown before, nor on whether the
// marker was dragged there or the runs have just arrived. Live changes and another seed must change the picture.
func TestScrubbing(t *testing.T) {
	values := map[string]string{"K": "8", "method": "random,grab-separate,jogba", "budget": "160", "seeds": "2"}
	open := func() *Scene { return scenetest.Open(t, New(), values) }
	s := open()
	s.Timeline().Select("jogba-2")
	scenetest.Step(t, s, 50)
	s.Timeline().Change(50, "alpha", "0.01")
	if err := s.Params().Assign("alpha", "0.01"); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, -1)
	marks := []int{160, 8, 3, 57, 56, 49, 0, 120, 1, 160, 81}
	var want []string
	for _, k := range marks {
		s.Timeline().SetMarker(k)
		want = append(want, calls(s))
	}
	other := open()
	if err := other.Restart(s.Timeline().Log()); err != nil {
		t.Fatal(err)
	}
	other.Timeline().Select("jogba-2")
	scenetest.Step(t, other, -1)
	for i := len(marks) - 1; i >= 0; i-- {
		other.Timeline().SetMarker(marks[i])
		other.read.On(other.problem, other.values.Batch)
		if got := calls(other); got != want[i] {
			t.Errorf("at %d it depends on what was shown before", marks[i])
			a, b := strings.Split(got, "\n"), strings.Split(want[i], "\n")
			for j := range a {
				if j >= len(b) || a[j] != b[j] {
					t.Log(len(a), len(b), j, a[j][:min(300, len(a[j]))], b[j][:min(300, len(b[j]))])
					break
				}
			}
		}
	}
	s.Timeline().SetMarker(160)
	for name, text := range map[string]string{"seed": "5", "K": "9", "problem": orders.Diagonal} {
		before := calls(s)
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		scenetest.Step(t, s, -1)
		if calls(s) == before {
			t.Errorf("with %s = %s the pictures are what they were", name, text)
		}
	}
	// After rows are dropped, pictures must read their data again.
	tight := open()
	tight.Timeline().SetLimit(20_000)
	tight.Timeline().Select("jogba-2")
	scenetest.Step(t, tight, -1)
	whole := open()
	whole.Timeline().Select("jogba-2")
	scenetest.Step(t, whole, -1)
	for _, k := range []int{160, 77, 8} {
		for _, one := range []*Scene{tight, whole} {
			one.Timeline().SetMarker(k)
			one.read.Read(always)
		}
		for _, r := range whole.read.Shown() {
			a, b := tight.read.Walk(tight.Timeline().Find(r.Name()).Run), whole.read.Walk(r.Run)
			if !slices.Equal(a.Points, b.Points) {
				t.Errorf("%s at %d walks elsewhere where rows are dropped", r.Name(), k)
			}
		}
	}
}

// TestLinks checks that a point found in one panel is marked in the others.
func TestLinks(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "method": "random,grab-shared,jogba", "budget": "160"})
	scenetest.Step(t, s, 53)
	s.Timeline().Select("jogba-1")
	calls(s)
	w := s.read.Walk(s.Timeline().Selected().Run)
	marked := func(id, run string, k int) int {
		l, ok := shownPanel(t, s, id).(axes.Linking).Mark(full, axes.Pick{Run: run, K: k})
		if !ok {
			return 0
		}
		var r recorder.Canvas
		l.Draw(draw.NewCanvas(&r, full.Width, full.Height))
		return len(r.Actions)
	}
	walk := shownPanel(t, s, "walk")
	found := map[int]bool{}
	for x := vg.Length(0); x < full.Width; x += 3 {
		for y := vg.Length(0); y < full.Height; y += 3 {
			pick, ok := walk.Pick(full, vg.Point{X: x, Y: y})
			if !ok || pick.Run != "jogba-1" {
				continue
			}
			if pick.K < w.Epoch*8 || pick.K > w.Epoch*8+8 {
				t.Fatalf("in epoch %d is %+v", w.Epoch, pick)
			}
			found[pick.K] = true
		}
	}
	if len(found) < 5 {
		t.Errorf("on the walk are the iterations %v", found)
	}
	for _, k := range []int{49, 52} {
		for _, id := range []string{"walk", "strip", "balance", "path", "curve"} {
			if marked(id, "jogba-1", k) == 0 {
				t.Errorf("iteration %d is not marked in %s", k, id)
			}
		}
		for _, id := range []string{"walk", "path", "curve"} { // other panels have no strip
			if marked(id, "random-1", k) == 0 {
				t.Errorf("iteration %d of another run is not marked in %s", k, id)
			}
		}
	}
	for _, id := range []string{"walk", "strip", "balance", "path", "curve"} {
		if marked(id, "none-1", 49) != 0 {
			t.Errorf("%s marks a run that does not exist", id)
		}
	}
	if marked("walk", "jogba-1", 3) != 0 || marked("balance", "jogba-1", 3) != 0 {
		t.Error("a step of another epoch is marked in the walk")
	}
}

// TestUndecided checks that, for orders without signs, the panel of the balanced sum says that there is no such sum,
// and why.
func TestUndecided(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "budget": "20", "method": every()})
	scenetest.Step(t, s, 9)
	for _, m := range Methods {
		s.Timeline().Select(m.ID + "-1")
		p := shownPanel(t, s, "balance")
		words := strings.Join(wordsOn(p, full), " ")
		kind, _ := orders.Kind(m.ID)
		if undecided := strings.Contains(words, "uses no signs"); undecided == kind.Balances() {
			t.Errorf("%s: it says %q", m.ID, words)
		}
		if kind.Balances() && !strings.Contains(words, "to the front") && !strings.Contains(words, "to the back") {
			t.Errorf("%s: it says %q", m.ID, words)
		}
	}
}

// TestPathWindow checks that the window contains the paths of the epoch, and does not change while the start is
// dragged.
func TestPathWindow(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "16", "budget": "320"})
	scenetest.Step(t, s, 100)
	for _, k := range []int{0, 1, 40, 100} {
		s.Timeline().SetMarker(k)
		w := s.Window()
		for _, r := range s.read.Shown() {
			for from, to := s.pathRows(r.Run); from <= to; from++ {
				x, y := runs.Flat(r.Kept(from).X)
				if k > 0 && (math.Abs(x-w.X) > w.Half || math.Abs(y-w.Y) > w.Half) {
					t.Errorf("at %d, (%v, %v) is not in %+v", k, x, y, w)
				}
			}
		}
	}
	before := s.Window()
	for _, x := range []float64{0.1, 0.5, 3} {
		name, text := s.Drag("start-1", x, -0.25)
		if name != "start" {
			t.Fatalf("the drag sets %q", name)
		}
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		if s.Start[0] != x || s.Start[1] != -0.25 || s.Window() != before {
			t.Errorf("the start is %v, in %+v, which was %+v", s.Start, s.Window(), before)
		}
	}
	s.Released()
	if w := s.Window(); w == before || math.Abs(s.Start[0]-w.X) > w.Half {
		t.Errorf("after the drag %+v", w)
	}
}

// TestLandscapeIsFinite checks that no landscape is drawn if its losses are not finite, as after a run has diverged.
func TestLandscapeIsFinite(t *testing.T) {
	s := opened(t, map[string]string{"alpha": "5", "budget": "3000", "method": "random"})
	if status := s.Timeline().Runs()[0].Status(); status != algo.Diverged {
		t.Fatalf("the run is %v", status)
	}
	if l := s.landscape(); l.Value != nil {
		t.Errorf("losses from %v to %v are drawn", l.Low, l.High)
	}
}

// TestDrift checks that drift and its curves cover only completed epochs.
func TestDrift(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "seeds": "4", "budget": "80", "method": "random,jogba", "view": viewDrift})
	scenetest.Step(t, s, 43)
	for _, c := range s.gather().Curves {
		if len(c.X) != 5 {
			t.Errorf("%d epochs of drift", len(c.X))
		}
	}
	scenetest.Step(t, s, 5)
	for _, c := range s.gather().Curves {
		if len(c.X) != 6 {
			t.Errorf("%d epochs of drift after the sixth", len(c.X))
		}
	}
}

// TestNoRatioAtZero checks that no ratio is stated if ω is 0, for example because all gradients can cancel.
func TestNoRatioAtZero(t *testing.T) {
	s := opened(t, map[string]string{"K": "16", "M": "3", "budget": "320", "method": "random,once,flipflop,jogba"})
	zeros := 0
	for _, r := range s.Timeline().Runs() {
		for _, e := range s.values.Epochs(r) {
			if e.Omega > 0 {
				continue
			}
			zeros++
			if c, ok := s.values.Compared(s.Timeline(), r.Method, e.Number); ok {
				t.Errorf("epoch %d of %s has ω = 0 and is compared: %v", e.Number, r.Method, c)
			}
		}
	}
	if zeros == 0 {
		t.Error("ω is never 0")
	}
}

// TestRates checks that a slope is drawn if the other term of its bound is smaller. Otherwise the panel must say in
// which epoch that term would become smaller.
func TestRates(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "64", "view": viewRates})
	scenetest.Step(t, s, 200)
	words := strings.Join(wordsOn(shownPanel(t, s, "curve"), full), " ")
	if !strings.Contains(words, "is not visible") || !strings.Contains(words, "4095") {
		t.Errorf("it says %q", words)
	}
	s = scenetest.Open(t, New(), map[string]string{"K": "4", "view": viewRates, "budget": "3000"})
	scenetest.Step(t, s, -1)
	p := shownPanel(t, s, "curve")
	if words := strings.Join(wordsOn(p, full), " "); strings.Contains(words, "is not visible") || !strings.Contains(words, "is smaller") {
		t.Errorf("it says %q", words)
	}
	if text := p.Describe(); strings.Contains(text, "{") || strings.Contains(text, "is not visible") {
		t.Errorf("it is described as %q", text)
	}
	// The mean is over the first points of T epochs of K steps each.
	c := s.gather().Curves[0]
	if c.X[0] != 4 || c.X[len(c.X)-1] != 3004 {
		t.Errorf("the curve goes from %v to %v", c.X[0], c.X[len(c.X)-1])
	}
}

// TestCost checks that the two steppers of each order take turns until all are measured, and that the stated results
// are numbers.
func TestCost(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "view": viewCost, "method": "random,grab-shared,jogba", "budget": "16",
		"schedule": "theorem39"})
	for n := 0; ; n++ {
		slice := 3
		pending, err := s.Work(func() bool { slice--; return slice >= 0 })
		if err != nil {
			t.Fatal(err)
		}
		if !pending {
			break
		}
		if n > 10_000 {
			t.Fatal("it does not end")
		}
	}
	for _, c := range s.costNow().Methods {
		if !c.Own.Done() || !c.Kept.Done() {
			t.Errorf("%s: %d and %d batches", c.Method, len(c.Own.Times), len(c.Kept.Times))
		}
		if update, order := c.Split(); !(update > 0) || !(order >= 0) {
			t.Errorf("%s: %v and %v", c.Method, update, order)
		}
	}
	p := shownPanel(t, s, "curve")
	if text := p.Describe(); !strings.Contains(text, "on this machine") || !strings.Contains(text, "JoGBa") {
		t.Errorf("it says %q", text)
	}
	// A restart discards the measurement, because it belongs to the previous runs.
	measured := s.costNow()
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if s.costNow() == measured {
		t.Error("after a restart the measurement is the former one")
	}
}

// TestGhosts checks that the ghosts of pinned runs are drawn beneath the runs, in grey and with their letters.
func TestGhosts(t *testing.T) {
	live := scenetest.Open(t, New(), map[string]string{"K": "8", "budget": "80"})
	other := scenetest.Open(t, New(), map[string]string{"K": "8", "budget": "80", "seed": "9"})
	for _, s := range []*Scene{live, other} {
		scenetest.Step(t, s, 30)
		s.read.Read(always)
	}
	for _, id := range []string{"walk", "path", "curve"} {
		p := shownPanel(t, live, id).(axes.Ghosted)
		before := len(actions(p, full))
		p.SetGhosts([]axes.Ghost{{Letter: "A", Panel: shownPanel(t, other, id)}})
		if !slices.Contains(wordsOn(p, full), "A") || len(actions(p, full)) <= before {
			t.Errorf("%s shows no ghost", id)
		}
		p.SetGhosts(nil)
	}
}

// TestCachedPicturesHaveKeys checks that each panel has enough layers that have a key and are therefore cached between
// frames.
func TestCachedPicturesHaveKeys(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "budget": "80"})
	scenetest.Step(t, s, 30)
	s.Timeline().Select("jogba-1")
	s.Timeline().SetMarker(21)
	calls(s)
	for id, least := range map[string]int{"walk": 2, "strip": 2, "path": 3, "curve": 2} {
		keyed := 0
		for _, l := range shownPanel(t, s, id).Layers(full) {
			if l.Key != "" {
				keyed++
			}
		}
		if keyed < least {
			t.Errorf("%s has %d layers that are kept", id, keyed)
		}
	}
}

// BenchmarkFrame measures the drawing of a frame after a few steps, fewer than an epoch has. It draws only the layers
// that have changed or are not cached.
func BenchmarkFrame(b *testing.B) {
	for _, values := range []map[string]string{{}, {"K": "512", "d": "400", "problem": orders.Regression, "alpha": "0.005"}} {
		b.Run(fmt.Sprint(values), func(b *testing.B) {
			values["budget"] = "50000"
			s := scenetest.Open(b, New(), values)
			s.Timeline().Select("jogba-1")
			kept := map[string]string{}
			for b.Loop() {
				b.StopTimer()
				scenetest.Step(b, s, 7)
				b.StartTimer()
				for i, p := range s.Panels() {
					f := brush.Frame{Width: 300, Height: 200, Theme: brush.Light, Detail: brush.Mini}
					if i == 0 {
						f = full
					}
					for j, l := range p.Layers(f) {
						id := fmt.Sprint(p.ID(), j)
						if l.Key == "" || kept[id] != l.Key {
							var r recorder.Canvas
							l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
						}
						kept[id] = l.Key
					}
				}
			}
		})
	}
}

// TestWalksFillTheirPicture checks that the axes are the same in all epochs, and that walks extend over at least a
// third and at most twice the length of the axes.
func TestWalksFillTheirPicture(t *testing.T) {
	s := opened(t, nil)
	wide, high := s.walkReach()
	for epoch := 0; epoch < 30; epoch++ {
		s.Timeline().SetMarker(epoch*64 + 40)
		s.read.Read(func() bool { return true })
		x, y := s.walkAxes()
		if x.Max != wide || y.Max != high {
			t.Errorf("epoch %d: the axes go to %g and %g, at first to %g and %g", epoch, x.Max, y.Max, wide, high)
		}
		tall, most := 0.0, 0.0
		for _, w := range s.read.Walks() {
			tall, most = max(tall, w.Tall), max(most, w.Most)
		}
		if !(tall <= 2*y.Max && tall > y.Max/3 && most <= 2*x.Max && most > x.Max/3) {
			t.Errorf("epoch %d: walks get %g off and %g up, axes to %g and %g", epoch, most, tall, x.Max, y.Max)
		}
	}
}

// TestWalkIsNamed checks that the picture of walks shows the epoch and the number of epochs, and says that nearer to
// the middle is better and how far each method strays. The description must start with the walks that stray farthest
// and least.
func TestWalkIsNamed(t *testing.T) {
	s := opened(t, nil)
	s.Timeline().SetMarker(3*64 + 40)
	s.read.Read(func() bool { return true })
	all := strings.Join(drawtest.Texts(actions(s.pictures.walk[0], full)), " ")
	for _, words := range []string{"epoch 4 of 30", "Nearer to the middle is better", "Random ±9.09", "JoGBa ±2.13", "GraB, shared ±3.64"} {
		if !strings.Contains(all, words) {
			t.Errorf("the picture does not say %q but %q", words, all)
		}
	}
	const want = "In epoch 4 of 30, Random strays farthest from the middle (9.09) and JoGBa least (2.13). "
	if got := s.describeWalk(); !strings.HasPrefix(got, want) {
		t.Errorf("the walk is described as %q, want it to begin with %q", got, want)
	}
}
