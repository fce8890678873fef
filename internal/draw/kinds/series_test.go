package kinds

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/timeline"
)

// meansOf returns curves over the epochs of a run that stops moving. An epoch has 20 iterations.
func meansOf(t testing.TB, curves ...Curve) (*timeline.Timeline, *Series) {
	line, _, _ := restingRun(t, 100)
	return line, &Series{Name: "means", Heading: "Means", Timeline: line, Key: func() string { return "" },
		Curves: func() []Curve { return curves },
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Axis{Label: "epoch", Max: 5}, axes.Axis{Label: "mean", Min: 0.01, Max: 10, Log: true}
		},
		Time: func(k int) float64 { return float64(k) / 20 }, Iteration: func(x float64) int { return int(math.Round(20 * x)) },
		Symbol: func(name string) string { return name }, Text: func() string { return "Means." },
	}
}

func falling(method string) Curve {
	c := Curve{Method: method, Run: "a", Label: "mean of " + method}
	for i := range 5 {
		y := math.Pow(2, -float64(i))
		c.X, c.Y = append(c.X, float64(i)), append(c.Y, y)
		c.Low, c.High = append(c.Low, 0.8*y), append(c.High, 1.25*y)
	}
	c.Lines = func(i int) []string { return []string{fmt.Sprint("point ", i)} }
	return c
}

// TestSeries checks that the pointer finds points at their places, with their iterations, and that the marker has a
// handle. Curves without points, with one point, or with gaps must be drawable.
func TestSeries(t *testing.T) {
	gap := falling("ls")
	gap.Y[2], gap.Low[2], gap.High[2] = math.NaN(), math.NaN(), math.NaN()
	one := Curve{Method: "mgda", X: []float64{1}, Y: []float64{1}, Low: []float64{1}, High: []float64{1}}
	line, s := meansOf(t, falling("psmgd"), gap, one, Curve{Method: "moco"})
	p := s.Panel()
	for _, f := range []brush.Frame{
		{Width: 600, Height: 400, Theme: brush.Light}, {Width: 280, Height: 140, Theme: brush.Dark, Detail: brush.Mini},
		{Width: 320, Height: 200, Theme: brush.Light, Detail: brush.Thumbnail},
	} {
		for _, a := range drawn(p, f) {
			if strings.Contains(a.Call(), "NaN") {
				t.Fatalf("it draws %s", a.Call())
			}
		}
	}
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	b := p.Brush(f, nil)
	pick, ok := p.Pick(f, b.At(3, 0.125).Add(vg.Point{X: 4}))
	if !ok || pick.Run != "a" || pick.K != 60 || !slices.Equal(pick.Lines, []string{"point 3"}) {
		t.Errorf("at the third epoch: got %+v", pick)
	}
	if pick, ok := p.Pick(f, b.At(4.8, 9)); ok {
		t.Errorf("far from all curves: got %+v", pick)
	}
	line.SetMarker(40)
	handles := p.Handles(f)
	if len(handles) != 1 || handles[0].ID != MarkerHandle || handles[0].X != 2 || math.Abs(handles[0].StepX-0.05) > 1e-12 {
		t.Errorf("got handles %+v", handles)
	}
	if words := drawtest.Texts(drawn(p, f)); !slices.Contains(words, "mean of psmgd") {
		t.Errorf("got %q", words)
	}
	s.Fixed = true
	if handles := p.Handles(f); len(handles) != 0 {
		t.Errorf("fixed marker: got handles %+v", handles)
	}
}

// TestSeriesNames checks that names do not overlap if their curves end near each other.
func TestSeriesNames(t *testing.T) {
	var curves []Curve
	for i := range 5 {
		c := falling("psmgd")
		c.Label = fmt.Sprint("name ", i)
		for j := range c.Y {
			c.Y[j] *= 1 + 0.001*float64(i)
		}
		curves = append(curves, c)
	}
	_, s := meansOf(t, curves...)
	var heights []float64
	for _, a := range drawn(s.Panel(), brush.Frame{Width: 600, Height: 400, Theme: brush.Light}) {
		if w, ok := a.(*recorder.FillString); ok && strings.HasPrefix(w.String, "name") {
			heights = append(heights, float64(w.Point.Y))
		}
	}
	slices.Sort(heights)
	for i := 1; i < len(heights); i++ {
		if heights[i]-heights[i-1] < float64(brush.SmallText) {
			t.Errorf("got names at %v", heights)
		}
	}
	if len(heights) != 5 {
		t.Errorf("got %d names", len(heights))
	}
}

// TestCurveAt checks that At returns the last point at or before a place.
func TestCurveAt(t *testing.T) {
	c := falling("psmgd")
	for x, want := range map[float64]int{-1: -1, 0: 0, 0.99: 0, 1: 1, 1 - 1e-15: 1, 4: 4, 100: 4} {
		if got := c.At(x); got != want {
			t.Errorf("at %v: got %d, want %d", x, got, want)
		}
	}
}

// TestSeriesLinks checks that a run under the pointer in another panel gets a ring on its method's curve. A ghost of
// other runs must be grey, and the axes must include it.
func TestSeriesLinks(t *testing.T) {
	faint := falling("psmgd")
	faint.Faint = true
	_, s := meansOf(t, falling("psmgd"), falling("ls"), faint)
	p, f := s.Panel(), brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	l, ok := p.Mark(f, axes.Pick{Run: "a", K: 45})
	if !ok {
		t.Fatal("got no mark")
	}
	strokes := 0
	for _, a := range layerActions(l, f) {
		if _, is := a.(*recorder.Stroke); is {
			strokes++
		}
	}
	if strokes != 3 { // a thin line, and a ring with its edge
		t.Errorf("got %d strokes", strokes)
	}
	if l, ok := p.Mark(f, axes.Pick{Run: "none", K: 45}); ok && len(layerActions(l, f)) != 0 {
		t.Error("got a mark of an unknown run")
	}

	_, other := meansOf(t, falling("psmgd"))
	other.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "epoch", Max: 9}, axes.Axis{Label: "mean", Min: 0.01, Max: 10, Log: true}
	}
	p.SetGhosts([]axes.Ghost{{Letter: "B", Panel: other.Panel()}})
	_, last, _, _ := p.Brush(f, nil).Bounds()
	if words := drawtest.Texts(drawn(p, f)); !slices.Contains(words, "B") || last != 9 {
		t.Errorf("with a ghost: got %q up to %v", words, last)
	}
	for _, layer := range p.Layers(f) {
		if strings.Contains(layer.Key, "ghost B") &&
			slices.Contains(drawtest.Colours(layerActions(layer, f)), fmt.Sprint(brush.Light.Look("psmgd").Hue)) {
			t.Error("the ghost has the method’s colour")
		}
	}
}
