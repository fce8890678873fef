package panel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// gonumAxes are the axes as gonum/plot has them in an area of this size, with our
// fonts, ticks and distances.
func gonumAxes(x, y Axis, size vg.Point) *plot.Plot {
	g := plot.New()
	g.BackgroundColor = nil
	plain := text.Plain{Fonts: handler.fonts}
	for _, a := range []struct {
		axis    *plot.Axis
		from    Axis
		length  vg.Length
		spacing vg.Length
	}{{&g.X, x, size.X, tickSpacingX}, {&g.Y, y, size.Y, tickSpacingY}} {
		a.axis.Min, a.axis.Max = a.from.Min, a.from.Max
		a.axis.Padding = 0
		if a.from.Log {
			a.axis.Scale = plot.LogScale{}
		}
		a.axis.LineStyle = draw.LineStyle{Color: Light.Rule, Width: axisWidth}
		a.axis.Tick.LineStyle = a.axis.LineStyle
		a.axis.Tick.Length = tickSize
		a.axis.Tick.Label.Font, a.axis.Tick.Label.Handler = tickFont, plain
		a.axis.Label.TextStyle.Font, a.axis.Label.TextStyle.Handler = labelFont, plain
		a.axis.Label.Text = a.from.Label
		a.axis.Label.Padding = labelGap
		var ticks plot.ConstantTicks
		for _, k := range a.from.ticks(a.length, a.spacing) {
			ticks = append(ticks, plot.Tick{Value: k.Value, Label: k.Label})
		}
		a.axis.Tick.Marker = ticks
	}
	g.Y.Tick.Label.YAlign = upperShare - 1
	return g
}

// strokesAndTexts lists what was drawn: lines piece by piece, and texts with their
// places.
func strokesAndTexts(actions []recorder.Action) (lines [][2]vg.Point, texts []recorder.FillString) {
	for _, a := range actions {
		switch a := a.(type) {
		case *recorder.Stroke:
			for i, comp := range a.Path {
				if comp.Type == vg.LineComp {
					lines = append(lines, [2]vg.Point{a.Path[i-1].Pos, comp.Pos})
				}
			}
		case *recorder.FillString:
			texts = append(texts, *a)
		}
	}
	return lines, texts
}

// TestAxesStandWhereGonumHasThem: the axes stand where gonum/plot draws them.
func TestAxesStandWhereGonumHasThem(t *testing.T) {
	all := []Axis{
		{Min: 0, Max: 1},
		{Min: 0, Max: 1e4, Label: "backpropagations"},
		{Min: -1.3, Max: 2.1, Label: "x"},
		{Min: 2, Max: 3.3, Log: true, Label: "ω"},
		{Min: 0.15, Max: 0.9, Log: true, Label: "stationarity"},
		{Min: 3, Max: 7, Integer: true, Label: "k"},
		{Categories: []string{"a", "", "second", "third one"}, Label: "m"},
	}
	space := vg.Rectangle{Min: vg.Point{X: 4, Y: 4}}
	near := func(p, q vg.Point) bool { return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) < 1e-6 }
	for _, size := range []vg.Point{{X: 640, Y: 400}, {X: 300, Y: 200}, {X: 130, Y: 90}} {
		space.Max = space.Min.Add(size)
		for i := range all {
			for j := range all {
				x, y := all[i].repaired(), all[j].repaired()
				name := fmt.Sprint(size, x, y)
				ours, theirs := newAxes(x, y, space, false), gonumAxes(x, y, size)
				data := theirs.DataCanvas(draw.Canvas{Rectangle: space}).Rectangle
				if !near(ours.data.Min, data.Min) || !near(ours.data.Max, data.Max) {
					t.Errorf("%s: data in %v, gonum/plot has them in %v", name, ours.data, data)
				}
				var got, want recorder.Canvas
				ours.draw(&got, Light)
				theirs.Draw(draw.Canvas{Canvas: &want, Rectangle: space})
				lines, texts := strokesAndTexts(got.Actions)
				wantLines, wantTexts := strokesAndTexts(want.Actions)
				if !slices.EqualFunc(lines, wantLines, func(a, b [2]vg.Point) bool { return near(a[0], b[0]) && near(a[1], b[1]) }) {
					t.Errorf("%s: lines\n%v, gonum/plot has\n%v", name, lines, wantLines)
				}
				if !slices.EqualFunc(texts, wantTexts, func(a, b recorder.FillString) bool {
					return a.String == b.String && a.Font == b.Font && near(a.Point, b.Point)
				}) {
					t.Errorf("%s: texts\n%v, gonum/plot has\n%v", name, texts, wantTexts)
				}
			}
		}
	}
}
