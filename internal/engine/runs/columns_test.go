package runs_test

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// TestColumns checks that a column shows its parts stacked, its title below and its note above. A text must replace
// unknown columns, and the pointer must find a column's method.
func TestColumns(t *testing.T) {
	var list []runs.Column
	c := runs.Columns{Name: "cost", Heading: "Cost", Timeline: timeline.New(timeline.DefaultLimit), Label: "method",
		List: func() []runs.Column { return list }, Lacks: func() string { return "No data." }, Unknown: "Not measured yet.",
		Y: func(list []runs.Column) axes.Axis {
			axis := axes.Axis{Label: "time", Max: 1}
			for i := range list {
				axis.Max = max(axis.Max, list[i].Top())
			}
			return axis
		},
		Tints: []float64{1, 0.4}, Radius: 4, Text: func() string { return "Costs." },
	}
	p := c.Panel()
	if _, texts := drawn(p); !slices.Contains(texts, "No data.") {
		t.Errorf("without columns: got %q", texts)
	}
	list = []runs.Column{{Method: "mgda", Title: "First", Lines: []string{"first"}}, {Method: "ls", Title: "Second"}}
	if _, texts := drawn(p); !slices.Contains(texts, "Not measured yet.") || !slices.Contains(texts, "First") {
		t.Errorf("before any column is known: got %q", texts)
	}
	list[0].Parts, list[0].Note = []float64{6, 2}, "3 times"
	r, texts := drawn(p)
	if slices.Contains(texts, "Not measured yet.") || !slices.Contains(texts, "3 times") || !slices.Contains(texts, "Second") {
		t.Errorf("got texts %q", texts)
	}
	if list[0].Top() != 8 || list[1].Top() != 0 {
		t.Errorf("got heights %g and %g", list[0].Top(), list[1].Top())
	}
	// The parts are boxes in the method's colours. Each starts where the previous one ends.
	hue := brush.Light.Look("mgda").Hue
	var last any
	var ends [][2]vg.Length
	for _, a := range r.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			last = a.Color
		case *recorder.Fill:
			if want := []any{hue, brush.Light.Tint(hue, 0.4)}; len(ends) < len(want) && last == want[len(ends)] && len(a.Path) >= 4 {
				lo, hi := a.Path[0].Pos.Y, a.Path[0].Pos.Y
				for _, corner := range a.Path[:4] {
					lo, hi = min(lo, corner.Pos.Y), max(hi, corner.Pos.Y)
				}
				ends = append(ends, [2]vg.Length{lo, hi})
			}
		}
	}
	if len(ends) != 2 || ends[0][1] != ends[1][0] || !(ends[0][1]-ends[0][0] > 2.9*(ends[1][1]-ends[1][0])) {
		t.Errorf("got ends of parts %v", ends)
	}
	if pick, ok := p.Pick(frame, at(p, 0.2, 4)); !ok || !slices.Equal(pick.Lines, []string{"first"}) || pick.Run != "" || pick.K != -1 {
		t.Errorf("on the first column: got %+v, %v", pick, ok)
	}
	if pick, ok := p.Pick(frame, vg.Point{X: frame.Width / 2, Y: 1}); ok {
		t.Errorf("below the axis: got %+v", pick)
	}
}
