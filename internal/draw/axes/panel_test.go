package axes

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

var frame = brush.Frame{Width: 400, Height: 300, Theme: brush.Light}

// plain returns a Plane with the given axes and one uncached sheet.
func plain(x, y Axis, sheet func(b *brush.Brush)) *Plane {
	return &Plane{
		Name: "plain", Heading: "Plain",
		Axes:   func() (Axis, Axis) { return x, y },
		Sheets: func() []Sheet { return []Sheet{{Draw: sheet}} },
	}
}

func TestWorldAndScreen(t *testing.T) {
	for _, axes := range [][2]Axis{
		{{Min: -2, Max: 2}, {Min: 0, Max: 1e4}},
		{{Min: 1e-8, Max: 10, Log: true}, {Min: 0.2, Max: 0.7, Log: true}},
		{{Min: 0, Max: 3, Integer: true, Label: "k"}, {Min: 1e6, Max: 1e6 + 1, Label: "f_1"}},
	} {
		p := plain(axes[0], axes[1], func(*brush.Brush) {})
		b := p.brush(p.layout(frame), nil)
		trX, trY := gonumAxes(axes[0], axes[1], vg.Point{}).Transforms(&b.Canvas)
		for _, u := range []float64{-0.2, 0, 0.3, 1, 1.1} {
			at := vg.Point{X: b.Canvas.X(u), Y: b.Canvas.Y(1 - u)}
			x, y := p.World(frame, "", at)
			if back := b.At(x, y); math.Hypot(float64(back.X-at.X), float64(back.Y-at.Y)) > 1e-6 {
				t.Errorf("%v: %v came back as %v", axes, at, back)
			}
			if math.Abs(float64(trX(x)-at.X)) > 1e-6 || math.Abs(float64(trY(y)-at.Y)) > 1e-6 {
				t.Errorf("%v: gonum/plot has %v, %v at %v", axes, trX(x), trY(y), at)
			}
		}
		xmin, xmax, ymin, ymax := b.Bounds()
		if xmin != axes[0].Min || xmax != axes[0].Max || ymin != axes[1].Min || ymax != axes[1].Max {
			t.Errorf("bounds %v %v %v %v of %v", xmin, xmax, ymin, ymax, axes)
		}
	}
}

func TestEqualUnits(t *testing.T) {
	for _, size := range []vg.Point{{X: 700, Y: 300}, {X: 320, Y: 480}, {X: 400, Y: 400}} {
		p := plain(Axis{Label: "x_1", Min: -1.3, Max: 2}, Axis{Label: "x_2", Min: 10, Max: 12}, func(*brush.Brush) {})
		p.Equal = true
		f := brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Dark}
		b := p.brush(p.layout(f), nil)
		if r := b.X.Factor() / b.Y.Factor(); math.Abs(r-1) > 0.01 {
			t.Errorf("%v: ratio of units %v", size, r)
		}
		xmin, xmax, ymin, ymax := b.Bounds()
		if xmin > -1.3 || xmax < 2 || ymin > 10 || ymax < 12 {
			t.Errorf("%v: a range shrank: %v %v %v %v", size, xmin, xmax, ymin, ymax)
		}
	}
}

// TestAnythingCanBeDrawn checks that every drawing method passes valid coordinates to back-ends, whatever numbers it
// gets.
func TestAnythingCanBeDrawn(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1, 1e300, -1e300, 5e-324, 0.5}
	at := func(i int) (float64, float64) { return odd[i%len(odd)], odd[(i/len(odd))%len(odd)] }
	everything := func(b *brush.Brush) {
		s := brush.Stroke{Color: b.Theme.Ink, Width: 1}
		n := len(odd) * len(odd)
		b.Line(n, at, s)
		b.Polygon(n, at, b.Theme.Accent)
		b.Ticks(n, func(i int) float64 { return odd[i%len(odd)] }, s)
		for i := range n {
			x, y := at(i)
			b.Marker(x, y, brush.Shape(i%int(brush.Plus+1)), 4, b.Theme.Ink, true)
			b.Arrow(x, y, y, x, s)
			b.ArrowHead(x, y, 1, b.Theme.Ink)
			b.Label(x, y, "λ_1", 11, b.Theme.Ink, brush.Above)
			b.VLine(x, s)
			b.HLine(y, s)
			b.Band(x, y, b.Theme.Rule)
		}
		calls := 0
		f := func(_, _ float64) float64 {
			calls++
			return odd[calls*7%len(odd)]
		}
		b.Field(9, 7, f, 0, 1)
		b.Field(3, 3, f, 1, 1)
		b.Contours(9, 7, f, odd, s)
		b.Cells(3, 4, func(r, c int) (float64, bool) { return odd[(4*r+c)%len(odd)], c != 1 }, 0, 1)
		b.Cells(0, 0, nil, 0, 1)
	}
	axes := []Axis{
		{Max: 1}, {Min: 1, Max: 1}, {Min: math.NaN(), Max: 2}, {Min: 2, Max: -2}, {Min: math.Inf(-1), Max: math.Inf(1)},
		{Log: true}, {Log: true, Min: -3, Max: 5}, {Log: true, Min: 5, Max: 5}, {Log: true, Min: 1e-300, Max: 1e300},
		{Min: 1e15, Max: 1e15 + 0.1}, {Min: -1e299, Max: 1e299}, {Min: 3, Max: 3.2, Integer: true}, {Min: -1e-300, Max: 1e-300},
	}
	for _, a := range axes {
		for _, f := range []brush.Frame{frame, {Width: 320, Height: 200, Theme: brush.Dark}, {Width: 20, Height: 10, Theme: brush.Light}} {
			p := plain(a, a, everything)
			p.Equal = true
			p.Legend = func(*brush.Theme) []Entry { return []Entry{{Label: "one", Fill: f.Theme.Ink}, {Label: "two"}} }
			p.Grips = func() []Grip {
				var g []Grip
				for i := range 100 {
					x, y := at(i)
					g = append(g, Grip{ID: fmt.Sprint(i), X: x, Y: y})
				}
				return g
			}
			var rec recorder.Canvas
			whole := vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}
			Draw(draw.NewCanvas(&rec, f.Width, f.Height), []Placed{{Panel: p, Rect: whole}}, f.Theme, false)
			for _, action := range rec.Actions {
				for _, q := range points(action) {
					if !brush.Finite(q) || math.Abs(float64(q.X)) > 1e4 || math.Abs(float64(q.Y)) > 1e4 {
						t.Fatalf("axis %+v on %v×%v: %v in %T", a, f.Width, f.Height, q, action)
					}
				}
			}
			for _, h := range p.Handles(f) {
				if !drawtest.Within(p.layout(f).data, h.At) {
					t.Errorf("handle %s at %v", h.ID, h.At)
				}
			}
		}
	}
}

// points returns the coordinates in a recorded call.
func points(a recorder.Action) []vg.Point {
	var path vg.Path
	switch a := a.(type) {
	case *recorder.Stroke:
		path = a.Path
	case *recorder.Fill:
		path = a.Path
	case *recorder.FillString:
		return []vg.Point{a.Point}
	case *recorder.DrawImage:
		return []vg.Point{a.Rectangle.Min, a.Rectangle.Max}
	}
	var all []vg.Point
	for _, comp := range path {
		all = append(all, comp.Pos)
	}
	return all
}

func TestPick(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*brush.Brush) {})
	p.Grips = func() []Grip {
		return []Grip{
			{ID: "a", Label: "start of run 1", Value: "x_1 = 0.5", Run: "r", X: 0.5, Y: 0.5, StepX: 0.1},
			{ID: "b", X: 0.5, Y: 0.5},
			{ID: "far", X: 7, Y: 0.5},
			{ID: "lost", X: math.NaN()},
		}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (Pick, bool) {
		x, _ := b.World(at)
		return Pick{Run: "found", K: 3, Values: map[string]string{"x": fmt.Sprintf("%.2f", x)}}, x < 0.2
	}
	handles := p.Handles(frame)
	if len(handles) != 3 || handles[0].X != 0.5 || handles[0].StepX != 0.1 || handles[0].Value != "x_1 = 0.5" {
		t.Fatalf("handles %+v", handles)
	}
	at := handles[0].At
	for _, test := range []struct {
		dx    vg.Length
		touch bool
		want  string
	}{{0, false, "b"}, {11.9, false, "b"}, {12.1, false, ""}, {21.9, true, "b"}, {22.1, true, ""}} {
		f := frame
		f.Touch = test.touch
		got, ok := p.Pick(f, at.Add(vg.Point{X: test.dx}))
		if got.Handle != test.want || ok != (test.want != "") {
			t.Errorf("%+v: %+v, %v", test, got, ok)
		}
	}
	// A point that was dragged out of the axes must still be grabbable at their edge.
	if got, _ := p.Pick(frame, vg.Point{X: p.layout(frame).data.Max.X, Y: at.Y}); got.Handle != "far" || got.K != -1 {
		t.Errorf("at the edge: %+v", got)
	}
	q := p.brush(p.layout(frame), nil).At(0.1, 0.9)
	if got, ok := p.Pick(frame, q); !ok || got.Run != "found" || got.Values["x"] != "0.10" {
		t.Errorf("found %+v, %v", got, ok)
	}
}

func TestLayerKeys(t *testing.T) {
	max := 1.0
	p := &Plane{
		Name: "p", Heading: "P",
		Axes: func() (x, y Axis) { return Axis{Max: max}, Axis{Max: 1} },
		Sheets: func() []Sheet {
			return []Sheet{{Key: "a", Draw: func(*brush.Brush) {}}, {Draw: func(*brush.Brush) {}}}
		},
	}
	keys := func() (k []string) {
		for _, l := range p.Layers(frame) {
			k = append(k, l.Key)
		}
		return k
	}
	first := keys()
	if first[0] == "" || first[1] == "" || first[0] == first[1] || first[2] != "" {
		t.Fatalf("keys %q", first)
	}
	if again := keys(); !slices.Equal(again, first) {
		t.Error("keys change by themselves")
	}
	max = 2
	if moved := keys(); moved[0] == first[0] || moved[1] == first[1] {
		t.Error("the axes changed and the keys did not")
	}
}

func TestArrange(t *testing.T) {
	for n := 1; n <= 6; n++ {
		var panels []Panel
		for i := range n {
			p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*brush.Brush) {})
			p.Name = fmt.Sprint("p", i)
			panels = append(panels, p)
		}
		for _, w := range []vg.Length{320, 360, 699, 700, 768, 1024, 1280, 1920, 2560} {
			for _, h := range []vg.Length{240, 420, 640, 900, 1400} {
				placed := Arrange(w, h, panels, "p1")
				want := n
				if w < Narrow {
					want = 1
				}
				if len(placed) != want {
					t.Fatalf("%d panels on %v×%v: %d placed", n, w, h, len(placed))
				}
				if w < Narrow && n > 1 && placed[0].Panel.ID() != "p1" {
					t.Errorf("shows %s", placed[0].Panel.ID())
				}
				canvas := vg.Rectangle{Max: vg.Point{X: w, Y: h}}
				for i, a := range placed {
					if !drawtest.Within(canvas, a.Rect.Min) || !drawtest.Within(canvas, a.Rect.Max) || a.Rect.Size().X < 100 || a.Rect.Size().Y < 30 {
						t.Errorf("%d on %v×%v: panel %d at %v", n, w, h, i, a.Rect)
					}
					for _, b := range placed[:i] {
						if overlap(a.Rect.Min.X-8, a.Rect.Max.X+8, b.Rect.Min.X, b.Rect.Max.X) &&
							overlap(a.Rect.Min.Y-8, a.Rect.Max.Y+8, b.Rect.Min.Y, b.Rect.Max.Y) {
							t.Errorf("%d on %v×%v: %v and %v are closer than 8 pixels", n, w, h, a.Rect, b.Rect)
						}
					}
				}
			}
		}
	}
	if got := Arrange(800, 600, nil, ""); got != nil {
		t.Errorf("no panels: got %v", got)
	}
	if got := Arrange(400, 600, samplePanels(brush.Light, 1, 2), "unknown"); got[0].Panel.ID() != "decision" {
		t.Errorf("unknown panel: got %s", got[0].Panel.ID())
	}
	four := Arrange(1000, 640, samplePanels(brush.Light, 1, 2), "")
	if four[0].Rect.Min.Y != four[1].Rect.Min.Y || four[0].Rect.Min.X != four[2].Rect.Min.X || four[0].Rect.Min.Y < four[2].Rect.Max.Y {
		t.Errorf("four panels: got %v, want a grid in reading order", four)
	}
}

// TestTextIsLegible draws the sample in many sizes. It checks that no text is smaller than 11 pixels or starts outside
// its panel. The texts of the axes, the heading and the legend must never overlap.
func TestTextIsLegible(t *testing.T) {
	for _, w := range []vg.Length{320, 360, 480, 700, 1024, 1600} {
		for _, h := range []vg.Length{240, 320, 480, 900} {
			for _, placed := range Arrange(w, h, samplePanels(brush.Light, 5, 10), "weights") {
				size := placed.Rect.Size()
				f := brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Light}
				var rec recorder.Canvas
				placed.Panel.Layers(f)[0].Draw(draw.NewCanvas(&rec, size.X, size.Y))
				checkTexts(t, &rec, f, placed.Panel.ID())
			}
		}
	}
}

func checkTexts(t *testing.T, rec *recorder.Canvas, f brush.Frame, id string) {
	t.Helper()
	var boxes []vg.Rectangle
	var texts []string
	rotated := 0
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.Push:
			rotated++ // only the label of the vertical axis is rotated
		case *recorder.Pop:
			rotated--
		case *recorder.FillString:
			if a.Size < brush.SmallText {
				t.Errorf("%s: %q is %v pixels", id, a.String, a.Size)
			}
			if rotated > 0 {
				continue
			}
			face := brush.Text.Fonts.Lookup(a.Font, a.Size)
			box := vg.Rectangle{Min: a.Point, Max: a.Point.Add(vg.Point{X: face.Width(a.String), Y: brush.CapHeight * a.Size})}
			if box.Min.X < 0 || box.Max.X > f.Width || box.Min.Y < 0 || box.Max.Y > f.Height {
				t.Errorf("%s on %v×%v: %q at %v leaves the panel", id, f.Width, f.Height, a.String, box)
			}
			for i, b := range boxes {
				if overlap(box.Min.X+0.1, box.Max.X-0.1, b.Min.X, b.Max.X) && overlap(box.Min.Y+0.1, box.Max.Y-0.1, b.Min.Y, b.Max.Y) {
					t.Errorf("%s on %v×%v: %q overlaps %q", id, f.Width, f.Height, a.String, texts[i])
				}
			}
			boxes, texts = append(boxes, box), append(texts, a.String)
		}
	}
	if len(texts) == 0 {
		t.Errorf("%s: no text", id)
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		axis   Axis
		length vg.Length
		want   string
	}{
		{Axis{Min: -2, Max: 2}, 300, "−2 −1 0 1 2"},
		{Axis{Min: 0, Max: 1}, 400, "0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{Min: 0, Max: 3, Integer: true}, 900, "0 1 2 3"},
		{Axis{Min: 0, Max: 3e-6}, 200, "0 1·10^{−6} 2·10^{−6} 3·10^{−6}"},
		{Axis{Min: 0, Max: 2e6}, 200, "0 1·10^{6} 2·10^{6}"},
		{Axis{Min: 1e-3, Max: 10, Log: true}, 400, "10^{−3} 10^{−2} 10^{−1} 10^{0} 10^{1}"},
		{Axis{Min: 2, Max: 9, Log: true}, 400, "2 5"},
	} {
		var labels []string
		for _, tick := range test.axis.Ticks(test.length, 64) {
			if tick.Value < test.axis.Min || tick.Value > test.axis.Max {
				t.Errorf("%+v: tick at %v", test.axis, tick.Value)
			}
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%+v: %q, want %q", test.axis, got, test.want)
		}
	}
}

func TestTooltipStaysInside(t *testing.T) {
	long := strings.Repeat("a long line ", 20)
	for _, lines := range [][]string{{"k = 3"}, {"psmgd", "x_1 = 0.5", "x_2 = 1"}, {long, "short"}} {
		for _, at := range []vg.Point{{}, {X: 320}, {Y: 200}, {X: 320, Y: 200}, {X: 160, Y: 100}} {
			var rec recorder.Canvas
			DrawTooltip(draw.NewCanvas(&rec, 320, 200), brush.Dark, Pick{Lines: lines}, at)
			texts := 0
			for _, a := range rec.Actions {
				for _, q := range points(a) {
					if a, ok := a.(*recorder.Fill); ok && a.Path[len(a.Path)-1].Type == vg.CloseComp && q == (vg.Point{}) {
						continue // closing has no point
					}
					if q.X < 0 || q.X > 320 || q.Y < 0 || q.Y > 200 {
						t.Errorf("%d lines at %v: %s", len(lines), at, a.Call())
					}
				}
				if _, ok := a.(*recorder.FillString); ok {
					texts++
				}
			}
			if texts < len(lines) {
				t.Errorf("%d lines at %v: %d texts", len(lines), at, texts)
			}
		}
	}
	var rec recorder.Canvas
	DrawTooltip(draw.NewCanvas(&rec, 320, 200), brush.Dark, Pick{}, vg.Point{})
	if len(rec.Actions) > 0 {
		t.Error("got a drawing of an empty tooltip")
	}
}

func TestLegendCountsWhatItLeavesOut(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*brush.Brush) {})
	p.Legend = func(*brush.Theme) []Entry {
		var e []Entry
		for _, name := range pictured {
			e = append(e, EntryOf(brush.Light.Look(name), name))
		}
		return e
	}
	f := brush.Frame{Width: 320, Height: 240, Theme: brush.Light}
	l := p.layout(f)
	last := l.legend[len(l.legend)-1].Label
	if want := fmt.Sprintf("+%d", len(pictured)-len(l.legend)+1); last != want {
		t.Errorf("got last entry %q, want %q", last, want)
	}
	if share := l.data.Size().Y / f.Height; share < 0.35 {
		t.Errorf("the axes keep %.2f of the panel", float64(share))
	}
	var rec recorder.Canvas
	p.Layers(f)[0].Draw(draw.NewCanvas(&rec, f.Width, f.Height))
	checkTexts(t, &rec, f, "crowded")
}

func TestWritePNG(t *testing.T) {
	placed := Arrange(400, 300, samplePanels(brush.Light, 2, 50), "")
	var b bytes.Buffer
	if err := WritePNG(&b, 400, 300, 2, brush.Light, placed); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != 800 || img.Bounds().Dy() != 600 {
		t.Errorf("size %v", img.Bounds())
	}
	for _, bad := range [][3]float64{{0, 10, 1}, {10, math.NaN(), 1}, {10, 10, 0}, {1e9, 1e9, 1}} {
		if err := WritePNG(io.Discard, vg.Length(bad[0]), vg.Length(bad[1]), bad[2], brush.Light, nil); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	placed := Arrange(1280, 800, samplePanels(brush.Light, 10, 2000), "")
	b.Run("recorder", func(b *testing.B) {
		b.ReportAllocs()
		var rec recorder.Canvas
		for b.Loop() {
			rec.Reset()
			liveLayers(draw.NewCanvas(&rec, 1280, 800), placed)
		}
	})
	b.Run("vgimg", func(b *testing.B) {
		b.ReportAllocs()
		c := vgimg.NewWith(vgimg.UseWH(1280, 800), vgimg.UseDPI(72))
		for b.Loop() {
			liveLayers(draw.New(c), placed)
		}
	})
	b.Run("all-vgimg", func(b *testing.B) {
		b.ReportAllocs()
		c := vgimg.NewWith(vgimg.UseWH(1280, 800), vgimg.UseDPI(72))
		for b.Loop() {
			Draw(draw.New(c), placed, brush.Light, false)
		}
	})
}

// liveLayers draws the layers that a caching back-end redraws in every frame.
func liveLayers(c draw.Canvas, placed []Placed) {
	for _, p := range placed {
		size := p.Rect.Size()
		for _, l := range p.Panel.Layers(brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Light}) {
			if l.Key == "" {
				l.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: p.Rect})
			}
		}
	}
}

// TestManyGripsAreKept checks that the layer of many grips is redrawn only if a grip has changed.
func TestManyGripsAreKept(t *testing.T) {
	for _, n := range []int{1, 50} {
		grips := make([]Grip, n)
		for i := range grips {
			grips[i] = Grip{ID: fmt.Sprint(i), X: 0.01 * float64(i), Look: brush.Look{Hue: color.Black}}
		}
		p := &Plane{Name: "p", Axes: func() (Axis, Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
			Grips: func() []Grip { return grips }}
		key := func() string {
			layers := p.Layers(frame)
			return layers[len(layers)-1].Key
		}
		first := key()
		if (first != "") != (n > fewGrips) || key() != first {
			t.Errorf("%d grips have the key %q, then %q", n, first, key())
		}
		for name, change := range map[string]func(g *Grip){
			"place": func(g *Grip) { g.Y = 0.5 }, "shape": func(g *Grip) { g.Look.Shape++ }, "colour": func(g *Grip) { g.Look.Hue = color.White },
		} {
			former := key()
			if change(&grips[0]); n > fewGrips && key() == former {
				t.Errorf("another %s does not change the picture", name)
			}
		}
	}
}

// drawn draws a panel in a frame and returns the drawing calls.
func drawn(p Panel, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	return r.Actions
}
