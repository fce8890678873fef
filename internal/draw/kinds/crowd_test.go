package kinds

import (
	"fmt"
	"slices"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/timeline"
)

// TestCrowd checks runs of more methods than colours can distinguish. Only the selected run and the run under the
// pointer may have colour, and the legend must state the number of other methods.
func TestCrowd(t *testing.T) {
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	names := []string{"psmgd", "mgda", "cagrad", "pcgrad", "famo", "moco", "upgrad", "imtlg", "fairgrad", "modo"}
	for _, n := range []int{brush.MaxMethods, len(names)} {
		line := timeline.New(timeline.DefaultLimit)
		line.SetEnd(10, 0)
		var runs []*timeline.Run
		var methods []param.Method
		for _, name := range names[:n] {
			runs = append(runs, &timeline.Run{Name: name, Method: name, Label: name, Starts: [][]float64{{0, 0}}, Stepper: &resting{}})
			methods = append(methods, param.Method{ID: name, Title: name})
		}
		line.Reset(runs, nil)
		advance(t, line, 10)
		line.Select("mgda")
		track := &Tracks{Name: "plane", Timeline: line, Point: func(r timeline.Row) (x, y float64) { return r.X[0], r.X[1] }}
		p := &axes.Plane{Name: "plane", Axes: func() (x, y axes.Axis) { return axes.Axis{Min: -1, Max: 1}, axes.Axis{Min: -1, Max: 1} },
			Sheets: func() []axes.Sheet { return append(track.Sheets(), axes.Sheet{Draw: track.Ends}) }}
		own := func(name string) string { return fmt.Sprint(brush.Light.Look(name).Hue) }
		var seen []string
		for _, l := range p.Layers(f)[1:] {
			seen = append(seen, drawtest.Colours(layerActions(l, f))...)
		}
		crowd := n > brush.MaxMethods
		if !slices.Contains(seen, own("mgda")) || slices.Contains(seen, own("fairgrad")) || slices.Contains(seen, own("cagrad")) == crowd {
			t.Errorf("%d methods: colours %v", n, seen)
		}
		if l, ok := p.Mark(f, axes.Pick{Run: "cagrad", K: 3}); !ok || !slices.Contains(drawtest.Colours(layerActions(l, f)), own("cagrad")) {
			t.Errorf("%d methods: the run under the pointer has another colour", n)
		}
		entries := MethodEntries(brush.Light, methods, line)
		if !crowd {
			if len(entries) != n {
				t.Errorf("%d entries of %d methods", len(entries), n)
			}
			continue
		}
		if len(entries) != 2 || entries[0].Label != "mgda" || entries[1].Label != "and 9 more in grey" {
			t.Errorf("the legend is %+v", entries)
		}
	}
}

// TestMini checks that a small panel has a title, but no legend, no handles, and no text that is too long. A thumbnail
// must have no text.
func TestMini(t *testing.T) {
	_, plane, history := restingRun(t, 60)
	plane.Legend = func(t *brush.Theme) []axes.Entry { return []axes.Entry{{Label: "what is what"}} }
	sheets := plane.Sheets
	plane.Sheets = func() []axes.Sheet {
		return append(sheets(), axes.Sheet{Draw: func(b *brush.Brush) {
			b.Text(0, 0, "short", 12, b.Theme.Ink, brush.Centred)
			b.Text(0, 0, "a hint that takes more than half of the width of such a panel", 12, b.Theme.Ink, brush.Centred)
		}})
	}
	plane.Grips = func() []axes.Grip { return []axes.Grip{{ID: "grip", Label: "grip", Run: "a", X: 0.5, Y: -0.5}} }
	for _, p := range []*axes.Plane{plane, history} {
		f := brush.Frame{Width: 200, Height: 150, Theme: brush.Dark, Detail: brush.Mini}
		words := drawtest.Texts(drawn(p, f))
		if !slices.Contains(words, p.Heading) || slices.Contains(words, "what is what") {
			t.Errorf("%s says %q", p.Name, words)
		}
		if p == history && (!slices.Contains(words, "iteration k") || !slices.Contains(words, "k = 60")) { // its axis, and its marker
			t.Errorf("%s says %q", p.Name, words)
		}
		if p == plane && (!slices.Contains(words, "short") || slices.ContainsFunc(words, func(s string) bool { return len(s) > 20 })) {
			t.Errorf("%s says %q", p.Name, words)
		}
		b := p.Brush(f, nil)
		if pick, _ := p.Pick(f, b.At(0.5, -0.5)); pick.Handle != "" {
			t.Errorf("%s has the handle %q", p.Name, pick.Handle)
		}
		if f.Detail = brush.Thumbnail; len(drawtest.Texts(drawn(p, f))) > 0 {
			t.Errorf("the thumbnail of %s says %q", p.Name, drawtest.Texts(drawn(p, f)))
		}
	}
}
