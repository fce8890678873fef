// Package scenetest contains helpers for tests of scenes: they open, advance and draw scenes.
package scenetest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Playable is the part of scene.Scene that tests need to open, play and draw a scene.
type Playable interface {
	Params() *param.List
	Restart(log []timeline.Change) error
	Timeline() *timeline.Timeline
	Panels() []axes.Panel
}

// Open sets the given values by name and returns s at k = 0.
func Open[S Playable](t testing.TB, s S, values map[string]string) S {
	t.Helper()
	for name, text := range values {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// Preset returns the card with the given ID.
func Preset(t testing.TB, presets []scene.Preset, id string) scene.Preset {
	t.Helper()
	i := slices.IndexFunc(presets, func(p scene.Preset) bool { return p.ID == id })
	if i < 0 {
		t.Fatalf("unknown preset %s", id)
	}
	return presets[i]
}

// Fact returns the value of the named fact, which must have a label.
func Fact(t testing.TB, facts []scene.Fact, name string) float64 {
	t.Helper()
	for _, f := range facts {
		if f.Name == name {
			if f.Label == "" {
				t.Errorf("fact %s has no label", name)
			}
			return f.Value()
		}
	}
	t.Fatalf("unknown fact %s", name)
	return 0
}

// Step takes n iterations, or all of them if n is −1.
func Step(t testing.TB, s Playable, n int) {
	t.Helper()
	for ; n != 0 && s.Timeline().Running(); n-- {
		if _, err := s.Timeline().Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// Draw draws every panel on canvases of one size in pixels. It also requests each panel's text, the object at its centre, and
// its handles. The handles must be inside the panel. It returns the drawn texts and the number of drawing calls.
func Draw(t testing.TB, s Playable, width, height vg.Length, theme *brush.Theme) (texts []string, calls int) {
	t.Helper()
	each := s.Panels()
	if width >= axes.Narrow {
		each = each[:1] // a canvas this wide contains all panels at once
	}
	for _, only := range each {
		for _, placed := range axes.Arrange(width, height, s.Panels(), only.ID()) {
			size := placed.Rect.Size()
			f := brush.Frame{Width: size.X, Height: size.Y, Theme: theme}
			actions := record(t, placed.Panel, f)
			for _, a := range actions {
				if text, ok := a.(*recorder.FillString); ok {
					texts = append(texts, text.String)
				}
			}
			calls += len(actions)
			if placed.Panel.Describe() == "" {
				t.Errorf("%s has no text", placed.Panel.ID())
			}
			placed.Panel.Pick(f, vg.Point{X: f.Width / 2, Y: f.Height / 2})
		}
	}
	return texts, calls
}

// record returns the drawing calls of a panel in a frame. It checks that the panel's handles are inside the frame.
func record(t testing.TB, p axes.Panel, f brush.Frame) []recorder.Action {
	t.Helper()
	var r recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	for _, h := range p.Handles(f) {
		if h.At.X < 0 || h.At.Y < 0 || h.At.X > f.Width || h.At.Y > f.Height {
			t.Errorf("%s: handle %s at %v outside %g×%g", p.ID(), h.ID, h.At, f.Width, f.Height)
		}
	}
	return r.Actions
}

// Drawable reports whether the coordinates of a drawing call and the numbers in its text are finite.
func Drawable(a recorder.Action) bool {
	var path vg.Path
	switch a := a.(type) {
	case *recorder.Stroke:
		path = a.Path
	case *recorder.Fill:
		path = a.Path
	case *recorder.FillString:
		return !math.IsNaN(float64(a.Point.X+a.Point.Y)) && !strings.Contains(a.String, "NaN") && !strings.Contains(a.String, "Inf")
	}
	for _, c := range path {
		if sum := float64(c.Pos.X + c.Pos.Y); math.IsNaN(sum) || math.IsInf(sum, 0) {
			return false
		}
	}
	return true
}

// Full is a frame of about the size of a front panel on a desktop. Small is one of about the size of a panel beside it.
var (
	Full  = brush.Frame{Width: 780, Height: 590, Theme: brush.Light}
	Small = brush.Frame{Width: 328, Height: 270, Theme: brush.Light, Detail: brush.Mini}
)

// Says checks that the texts of a panel drawn in a frame contain all the given words. The texts are joined by vertical
// bars. Subscripts and superscripts are separate texts.
func Says(t testing.TB, s Playable, panel string, f brush.Frame, words ...string) {
	t.Helper()
	for _, p := range s.Panels() {
		if p.ID() != panel {
			continue
		}
		all := strings.ReplaceAll(strings.Join(drawtest.Texts(record(t, p, f)), "|"), "\u00a0", " ")
		for _, w := range words {
			if !strings.Contains(all, w) {
				t.Errorf("%s: got %[3]q, want %[2]q", panel, w, all)
			}
		}
		return
	}
	t.Errorf("unknown panel %s", panel)
}
