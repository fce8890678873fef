package axes

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

	"paretoplay/internal/draw/brush"
)

// gonumAxes returns a gonum/plot plot for an area of the given size. The plot's axes have our fonts, ticks and
// distances.
func gonumAxes(x, y Axis, size vg.Point) *plot.Plot {
	g := plot.New()
	g.BackgroundColor = nil
	plain := text.Plain{Fonts: brush.Text.Fonts}
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
		a.axis.LineStyle = draw.LineStyle{Color: brush.Light.Rule, Width: axisWidth}
		a.axis.Tick.LineStyle = a.axis.LineStyle
		a.axis.Tick.Length = tickSize
		a.axis.Tick.Label.Font, a.axis.Tick.Label.Handler = tickFont, plain
		a.axis.Label.TextStyle.Font, a.axis.Label.TextStyle.Handler = labelFont, plain
		a.axis.Label.Text = a.from.Label
		a.axis.Label.Padding = labelGap
		var ticks plot.ConstantTicks
		for _, k := range a.from.Ticks(a.length, a.spacing) {
			ticks = append(ticks, plot.Tick{Value: k.Value, Label: k.Label})
		}
		a.axis.Tick.Marker = ticks
	}
	g.Y.Tick.Label.YAlign = upperShare - 1
	return g
}

// TestAxesStandWhereGonumHasThem checks that the axes are at the same places as gonum/plot's.
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
				x, y := all[i].Repaired(), all[j].Repaired()
				name := fmt.Sprint(size, x, y)
				ours, theirs := newAxes(x, y, space, false, false), gonumAxes(x, y, size)
				data := theirs.DataCanvas(draw.Canvas{Rectangle: space}).Rectangle
				if !near(ours.data.Min, data.Min) || !near(ours.data.Max, data.Max) {
					t.Errorf("%s: data in %v, gonum/plot has them in %v", name, ours.data, data)
				}
				var got, want recorder.Canvas
				ours.draw(&got, brush.Light)
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

// TestCategoriesInPrint checks that category names that would overlap in one row use several rows in print and on an
// axis with Tiers. If one row is enough, print must use only one.
func TestCategoriesInPrint(t *testing.T) {
	names := []string{"plain 0.005", "plain 0.05", "sign 0.005", "sign 0.005, no decay", "adam 0.005", "paper"}
	styles := func(tiers bool) *Plane {
		return &Plane{Name: "styles", Axes: func() (Axis, Axis) {
			return Axis{Label: "style", Min: -0.5, Max: 5.5, Categories: names, Tiers: tiers}, Axis{Label: "y", Min: 0, Max: 1}
		}}
	}
	p := styles(false)
	boxes := func(theme *brush.Theme, width vg.Length) (out []vg.Rectangle) {
		var c recorder.Canvas
		Draw(draw.NewCanvas(&c, width, 250), []Placed{{Panel: p, Rect: vg.Rectangle{Max: vg.Point{X: width, Y: 250}}}}, theme, false)
		for _, a := range c.Actions {
			if s, is := a.(*recorder.FillString); is && slices.Contains(names, s.String) {
				out = append(out, vg.Rectangle{Min: s.Point, Max: s.Point.Add(vg.Point{X: brush.Text.Width(s.String, tickFont), Y: 8})})
			}
		}
		return out
	}
	collisions := func(theme *brush.Theme, width vg.Length) (count int) {
		list := boxes(theme, width)
		if len(list) < len(names) {
			t.Fatalf("%s, %v: %d of %d names", theme.Name, width, len(list), len(names))
		}
		for i, a := range list {
			for _, b := range list[:i] {
				if overlap(a.Min.X, a.Max.X, b.Min.X, b.Max.X) && overlap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y) {
					count++
				}
			}
		}
		return count
	}
	if collisions(brush.Light, 331) == 0 {
		t.Error("the names do not overlap in one row either")
	}
	for _, width := range []vg.Length{331, 662, 1200} {
		if n := collisions(brush.Light.Printed(), width); n > 0 {
			t.Errorf("%v: %d collisions", width, n)
		}
	}
	p = styles(true)
	if n := collisions(brush.Light, 331); n > 0 {
		t.Errorf("%d collisions on an axis that asks for rows", n)
	}
	p = styles(false)
	rows := map[vg.Length]bool{}
	for _, b := range boxes(brush.Light.Printed(), 1200) {
		rows[b.Min.Y] = true
	}
	if len(rows) != 1 {
		t.Errorf("%d rows where one is enough", len(rows))
	}
}

// TestLongNameInPrint checks that a long name of the vertical axis stays within the panel, and does not reduce the
// height of the data area.
func TestLongNameInPrint(t *testing.T) {
	space := vg.Rectangle{Min: vg.Point{X: 4, Y: 4}, Max: vg.Point{X: 320, Y: 160}}
	y := Axis{Label: "F above its least, as a share of it at the start", Min: 1e-6, Max: 1, Log: true}
	x := Axis{Label: "pass", Min: 0, Max: 20}
	long := newAxes(x, y, space, false, true)
	y.Label = "F"
	if short := newAxes(x, y, space, false, true); long.data != short.data {
		t.Errorf("data at %v, with a short name at %v", long.data, short.data)
	}
	var c recorder.Canvas
	long.draw(&c, brush.Light.Printed())
	var turned, found bool
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.Rotate:
			turned = true
		case *recorder.Pop:
			turned = false
		case *recorder.FillString:
			if !turned {
				continue
			}
			found = true
			if to := a.Point.X + brush.Text.Width(a.String, labelFont); a.Point.X < space.Min.Y-1e-9 || to > space.Max.Y+1e-9 {
				t.Errorf("%q from %v to %v, outside %v", a.String, a.Point.X, to, space)
			}
		}
	}
	if !found {
		t.Error("the axis has no name")
	}
}

// strokesAndTexts returns the recorded pieces of lines, and the texts with their places.
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

// TestPrintedTicksLeaveRoom checks that a printed plane with long names has only as many ticks as the remaining space
// allows.
func TestPrintedTicksLeaveRoom(t *testing.T) {
	x := Axis{Min: 1e-6, Max: 1e6, Log: true, Label: "ratio"}.Repaired()
	y := Axis{Categories: []string{"Block-SMOO over Function-Alternate", "Function-Alternate over weighted sum"}}.Repaired()
	a := newAxes(x, y, vg.Rectangle{Max: vg.Point{X: 330, Y: 200}}, false, true)
	named := 0
	for _, tick := range a.xTicks {
		if tick.Label != "" {
			named++
		}
	}
	if left := a.data.Max.X - a.data.Min.X; left > 165 || named < 1 || float64(named) > float64(left/tickSpacingX)+1 {
		t.Errorf("%d names of ticks on %.0f pixels", named, float64(left))
	}
}

// TestSqueezed checks that a squeezed axis has ticks below and above the knee. It also checks the scale, the inverse of
// the scale, and the fractions that Places uses.
func TestSqueezed(t *testing.T) {
	a := Axis{Min: 0, Max: 5, Knee: 1, Loft: 0.25}
	s := a.scale(100, 500)
	for _, c := range []struct {
		v  float64
		at vg.Length
	}{{0, 100}, {0.5, 250}, {1, 400}, {3, 450}, {5, 500}, {-1, -200}, {9, 600}} {
		if at := s.At(c.v); math.Abs(float64(at-c.at)) > 1e-9 {
			t.Errorf("%g: got pixel %g, want %g", c.v, at, c.at)
		}
		if v := s.Value(c.at); math.Abs(v-c.v) > 1e-9 {
			t.Errorf("pixel %g: got %g, want %g", c.at, v, c.v)
		}
		if got, want := a.fraction(c.v), float64(c.at-100)/400; math.Abs(got-want) > 1e-9 {
			t.Errorf("%g: got fraction %g of the axis, want %g", c.v, got, want)
		}
	}
	var below, above int
	for _, tick := range a.Ticks(400, 36) {
		if tick.Value <= 1 {
			below++
		} else {
			above++
		}
	}
	if below < 5 || above < 2 {
		t.Errorf("got %d ticks below the knee and %d above", below, above)
	}
}
