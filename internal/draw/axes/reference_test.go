package axes

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
)

func TestReferences(t *testing.T) {
	p := &Plane{Name: "plane", Heading: "Plane", Axes: func() (Axis, Axis) { return Axis{Max: 10}, Axis{Max: 1} }}
	p.Crossings = func(theme *brush.Theme, y float64) []Crossing {
		if y != 0.5 {
			t.Errorf("crossings of %v are asked for", y)
		}
		return []Crossing{{X: 4, Look: theme.Look("mgda")}}
	}
	frame := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	before := len(p.Layers(frame))
	p.Refer([]Reference{Level("plane", 0.5, "half"), Upright("plane", 3, "third step"), Place("plane", 2, 0.2, "least")})
	if got := len(p.Layers(frame)); got != before+1 {
		t.Errorf("%d layers with references, %d without", got, before)
	}
	frame.Detail = brush.Mini
	if got := len(p.Layers(frame)); got != before {
		t.Errorf("%d layers of a small panel, which shows no references, %d without", got, before)
	}
	var c recorder.Canvas
	frame.Detail = brush.Full
	for _, l := range p.Layers(frame) {
		l.Draw(draw.NewCanvas(&c, frame.Width, frame.Height))
	}
	_, texts := strokesAndTexts(c.Actions)
	for _, label := range []string{"half", "third step", "least", "4"} {
		if !slices.ContainsFunc(texts, func(s recorder.FillString) bool { return s.String == label }) {
			t.Errorf("%q is not drawn", label)
		}
	}
	if got, want := p.Describe(), "Plane Marked are: half; third step; least."; got != want {
		t.Errorf("it is described as %q, want %q", got, want)
	}
}

func TestCrossingsInThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{4: "4", 0.12345: "0.123", -12.34: "−12.3", 7966.2: "7970", 35_400: "35,400", 123.4: "123"} {
		if got := inThree(v); got != want {
			t.Errorf("%v is written as %q, want %q", v, got, want)
		}
	}
}
