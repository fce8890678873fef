package panel

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"
)

func TestContrast(t *testing.T) {
	if got := Contrast(color.Black, color.White); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white: %v, want 21", got)
	}
	// The example of WCAG 2.2's understanding document: #767676 on white.
	if got := Contrast(rgb(0x767676), color.White); math.Abs(got-4.54) > 0.005 {
		t.Errorf("#767676 on white: %.3f, want 4.54", got)
	}
	for _, theme := range []*Theme{Light, Dark} {
		check := func(what string, a, b color.Color, least float64) {
			t.Helper()
			if c := Contrast(a, b); c < least {
				t.Errorf("%s: %s has contrast %.2f, want %v", theme.Name, what, c, least)
			}
		}
		for _, on := range []color.NRGBA{theme.Paper, theme.Surface} {
			check("ink", theme.Ink, on, 4.5)
			check("muted", theme.Muted, on, 4.5)
		}
		check("rule", theme.Rule, theme.Surface, 3)
		check("accent", theme.Accent, theme.Paper, 3)
		for _, f := range append(theme.field[:], theme.Paper) {
			check("ink on the field", theme.Ink, f, 4.5)
			check("rule on the field", theme.Rule, f, 3)
			check("accent on the field", theme.Accent, f, 3)
			for name, l := range theme.looks {
				check(name, l.Hue, f, 3)
			}
			for k := range goals {
				check(fmt.Sprintf("goal %d", k), theme.Goal(k).Hue, f, 3)
			}
			for m := 1; m <= 10; m++ {
				for i := range m {
					check(fmt.Sprintf("objective %d of %d", i, m), theme.Objective(i, m), f, 3)
				}
			}
		}
		for i := range 256 {
			fill := theme.Ramp(float64(i) / 255)
			check("value in a cell", OnColor(fill), fill, 4.5)
		}
	}
}

func TestRampIsMonotone(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		up := theme == Dark
		for i := 1; i < 256; i++ {
			a, b := luminance(theme.ramp[i-1]), luminance(theme.ramp[i])
			if a != b && (b > a) != up {
				t.Fatalf("%s: step %d goes the wrong way", theme.Name, i)
			}
		}
		if theme.Ramp(-1) != theme.ramp[0] || theme.Ramp(2) != theme.ramp[255] || theme.Ramp(math.NaN()) != theme.ramp[0] {
			t.Errorf("%s: values outside the range", theme.Name)
		}
	}
}

func TestLooksAreUnique(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		if len(theme.looks) != len(methods) {
			t.Errorf("%s: %d looks of %d methods", theme.Name, len(theme.looks), len(methods))
		}
		seen := make(map[string]string)
		for name, l := range theme.looks {
			if l.Shape == Cross {
				t.Errorf("%s: %s has the sign of a diverged run", theme.Name, name)
			}
			key := fmt.Sprint(l.Hue, l.Shape, l.Dash)
			if other, dup := seen[key]; dup {
				t.Errorf("%s: %s looks like %s", theme.Name, name, other)
			}
			seen[key] = name
		}
	}
	if c := Light.Look("psmgd"); c.Hue != rgb(0x0072b2) || c.Shape != Circle {
		t.Errorf("psmgd is %v", c)
	}
	if c := Light.Look("mgda"); c.Hue != rgb(0xd55e00) || c.Shape != Diamond {
		t.Errorf("mgda is %v", c)
	}
	if c := Dark.Look("ls"); c.Hue != rgb(0x999999) || c.Shape != Ring {
		t.Errorf("ls is %v", c)
	}
}

func TestThemeNamed(t *testing.T) {
	for _, want := range []*Theme{Light, Dark} {
		if got, err := ThemeNamed(want.Name); err != nil || got != want {
			t.Errorf("%s: %v, %v", want.Name, got, err)
		}
	}
	if _, err := ThemeNamed("sepia"); err == nil || !strings.Contains(err.Error(), "sepia") {
		t.Errorf("sepia: %v", err)
	}
}

// TestGlyphs checks that the font has whatever our notation hands to it.
func TestGlyphs(t *testing.T) {
	for _, f := range []font.Font{sans, bold} {
		face := handler.fonts.Lookup(f, 12)
		var buf sfnt.Buffer
		for _, p := range split("ηαλωσΓμ∇‖−₁₂ₛ≤·×²½→⁻⁰⁹ⁿ τβγρθφνπΣq̃…–±≈≥\u00a0x_s^{12}") {
			if sign(p.text) {
				continue
			}
			for _, r := range p.text {
				if g, err := face.Face.GlyphIndex(&buf, r); err != nil || g == 0 {
					t.Errorf("%s has no %q (%v)", face.Name(), r, err)
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []part
	}{
		{"", nil},
		{"plain", []part{{"plain", 0}}},
		{"λ_1", []part{{"λ", 0}, {"1", -1}}},
		{"λ₁₂", []part{{"λ", 0}, {"12", -1}}},
		{"10^{−3} s", []part{{"10", 0}, {"−3", 1}, {" s", 0}}},
		{"x_{12}y", []part{{"x", 0}, {"12", -1}, {"y", 0}}},
		{"a_", []part{{"a_", 0}}},
		{"a_{b", []part{{"a", 0}, {"{", -1}, {"b", 0}}},
		{"a∇∇f", []part{{"a", 0}, {"∇", 0}, {"∇", 0}, {"f", 0}}},
		{"q̃ λ̃_1", []part{{"q", 0}, {"\u0303", 0}, {" λ", 0}, {"\u0303", 0}, {"1", -1}}},
		{"10⁻³", []part{{"10", 0}, {"−3", 1}}},
	} {
		if got := split(test.in); !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.in, got, test.want)
		}
	}
}

var frame = Frame{Width: 400, Height: 300, Theme: Light}

// plain is a Plane with the given axes and one live sheet.
func plain(x, y Axis, sheet func(b *Brush)) *Plane {
	return &Plane{
		Name: "plain", Heading: "Plain",
		Axes:   func() (Axis, Axis) { return x, y },
		Sheets: func() []Sheet { return []Sheet{{Draw: sheet}} },
	}
}

// record draws the sheets of a plane, without its axes, and returns the calls.
func record(p *Plane, f Frame) (*recorder.Canvas, vg.Rectangle) {
	var rec recorder.Canvas
	for _, l := range p.Layers(f)[1:] {
		l.Draw(draw.NewCanvas(&rec, f.Width, f.Height))
	}
	return &rec, p.layout(f).data
}

// strokes returns the points of all stroked paths, each path's pieces apart.
func strokes(rec *recorder.Canvas) (lines [][]vg.Point) {
	for _, a := range rec.Actions {
		s, ok := a.(*recorder.Stroke)
		if !ok {
			continue
		}
		for _, comp := range s.Path {
			switch comp.Type {
			case vg.MoveComp:
				lines = append(lines, []vg.Point{comp.Pos})
			case vg.LineComp:
				lines[len(lines)-1] = append(lines[len(lines)-1], comp.Pos)
			}
		}
	}
	return lines
}

func within(r vg.Rectangle, p vg.Point) bool {
	const slack = 1e-6
	return p.X >= r.Min.X-slack && p.X <= r.Max.X+slack && p.Y >= r.Min.Y-slack && p.Y <= r.Max.Y+slack
}

func TestWorldAndScreen(t *testing.T) {
	for _, axes := range [][2]Axis{
		{{Min: -2, Max: 2}, {Min: 0, Max: 1e4}},
		{{Min: 1e-8, Max: 10, Log: true}, {Min: 0.2, Max: 0.7, Log: true}},
		{{Min: 0, Max: 3, Integer: true, Label: "k"}, {Min: 1e6, Max: 1e6 + 1, Label: "f_1"}},
	} {
		p := plain(axes[0], axes[1], func(*Brush) {})
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
		p := plain(Axis{Label: "x_1", Min: -1.3, Max: 2}, Axis{Label: "x_2", Min: 10, Max: 12}, func(*Brush) {})
		p.Equal = true
		f := Frame{Width: size.X, Height: size.Y, Theme: Dark}
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

func TestLineIsThinned(t *testing.T) {
	const n = 5000
	at := func(i int) (float64, float64) {
		u := float64(i) / (n - 1)
		return u, 0.5 + 0.3*math.Sin(20*u)
	}
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(b *Brush) { b.Line(n, at, Stroke{Color: b.Theme.Ink, Width: 1}) })
	rec, _ := record(p, frame)
	lines := strokes(rec)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want 1", len(lines))
	}
	line := lines[0]
	if len(line) > n/3 {
		t.Errorf("kept %d of %d points", len(line), n)
	}
	for i := 1; i < len(line)-1; i++ {
		if d := math.Hypot(float64(line[i].X-line[i-1].X), float64(line[i].Y-line[i-1].Y)); d < Resolution-1e-9 {
			t.Fatalf("points %v and %v are %.3f apart", line[i-1], line[i], d)
		}
	}
	b := p.brush(p.layout(frame), nil)
	if line[0] != b.At(at(0)) || line[len(line)-1] != b.At(at(n-1)) {
		t.Error("the ends moved")
	}
}

func TestLineIsClipped(t *testing.T) {
	// Through the box, out on the right, and back in from above.
	xs := []float64{-1, 2, 0.5, 0.5}
	ys := []float64{0.5, 0.5, 3, 0.2}
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(b *Brush) {
		b.Line(4, func(i int) (float64, float64) { return xs[i], ys[i] }, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	rec, area := record(p, frame)
	lines := strokes(rec)
	if len(lines) != 2 {
		t.Fatalf("%d pieces, want 2: %v", len(lines), lines)
	}
	for _, line := range lines {
		for _, q := range line {
			if !within(area, q) {
				t.Errorf("%v lies outside %v", q, area)
			}
		}
	}
	if d := lines[0][1].X - lines[0][0].X; math.Abs(float64(d-area.Size().X)) > 1e-6 {
		t.Errorf("the first piece is %v wide, the axes %v", d, area.Size().X)
	}
	if d := lines[1][1].Y - lines[1][0].Y; math.Abs(float64(d+0.8*area.Size().Y)) > 1e-6 {
		t.Errorf("the second piece goes down %v of %v", -d, area.Size().Y)
	}
}

// TestFarLineIsClipped: what comes from far away stays inside as well, where sums have
// lost their precision.
func TestFarLineIsClipped(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(b *Brush) {
		for _, far := range []float64{1e8, 1e16, 1e80, 1e150} {
			b.Line(4, func(i int) (float64, float64) {
				return []float64{0.3, far, -0.7 * far, 0.5}[i], []float64{0.2, 0.6 * far, -far, 0.9}[i]
			}, Stroke{Color: b.Theme.Ink, Width: 1})
		}
	})
	rec, area := record(p, frame)
	lines := strokes(rec)
	if len(lines) == 0 {
		t.Fatal("nothing is drawn")
	}
	for _, line := range lines {
		for _, q := range line {
			if q.X < area.Min.X || q.X > area.Max.X || q.Y < area.Min.Y || q.Y > area.Max.Y {
				t.Errorf("%v lies outside %v", q, area)
			}
		}
	}
}

func TestLineBreaksAtNaN(t *testing.T) {
	y := []float64{0.1, 0.2, math.NaN(), 0.4, math.Inf(1), 0.6, 0.7, 0.8}
	p := plain(Axis{Max: 7}, Axis{Max: 1}, func(b *Brush) {
		b.Line(len(y), func(i int) (float64, float64) { return float64(i), y[i] }, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	rec, _ := record(p, frame)
	var lengths []int
	for _, l := range strokes(rec) {
		lengths = append(lengths, len(l))
	}
	if !slices.Equal(lengths, []int{2, 3}) {
		t.Errorf("pieces of %v points, want [2 3]", lengths)
	}
}

// TestAnythingCanBeDrawn feeds every kind of number to every verb and looks for
// coordinates that no back-end can take.
func TestAnythingCanBeDrawn(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1, 1e300, -1e300, 5e-324, 0.5}
	at := func(i int) (float64, float64) { return odd[i%len(odd)], odd[(i/len(odd))%len(odd)] }
	everything := func(b *Brush) {
		s := Stroke{Color: b.Theme.Ink, Width: 1}
		n := len(odd) * len(odd)
		b.Line(n, at, s)
		b.Polygon(n, at, b.Theme.Accent)
		b.Ticks(n, func(i int) float64 { return odd[i%len(odd)] }, s)
		for i := range n {
			x, y := at(i)
			b.Marker(x, y, Shape(i%int(Plus+1)), 4, b.Theme.Ink, true)
			b.Arrow(x, y, y, x, s)
			b.ArrowHead(x, y, 1, b.Theme.Ink)
			b.Label(x, y, "λ_1", 11, b.Theme.Ink, Above)
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
		for _, f := range []Frame{frame, {Width: 320, Height: 200, Theme: Dark}, {Width: 20, Height: 10, Theme: Light}} {
			p := plain(a, a, everything)
			p.Equal = true
			p.Legend = func(*Theme) []Entry { return []Entry{{Label: "one", Fill: f.Theme.Ink}, {Label: "two"}} }
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
					if !Finite(q) || math.Abs(float64(q.X)) > 1e4 || math.Abs(float64(q.Y)) > 1e4 {
						t.Fatalf("axis %+v on %v×%v: %v in %T", a, f.Width, f.Height, q, action)
					}
				}
			}
			for _, h := range p.Handles(f) {
				if !within(p.layout(f).data, h.At) {
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

func TestContourOfACircle(t *testing.T) {
	p := plain(Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1}, func(b *Brush) {
		b.Contours(41, 41, math.Hypot, []float64{0.5, 1.2}, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	rec, area := record(p, frame)
	b := p.brush(p.layout(frame), nil)
	lines := strokes(rec)
	if len(lines) != 5 { // a loop and four corners
		t.Fatalf("%d lines, want 5", len(lines))
	}
	for i, line := range lines {
		want := 1.2
		if i == 0 {
			want = 0.5
			if line[0] != line[len(line)-1] {
				t.Error("the circle is not closed")
			}
		}
		for _, q := range line {
			if x, y := b.World(q); math.Abs(math.Hypot(x, y)-want) > 2e-3 {
				t.Fatalf("line %d passes %v, %v", i, x, y)
			}
			if !within(area, q) {
				t.Fatalf("%v lies outside", q)
			}
		}
	}
}

func TestContourOfASaddle(t *testing.T) {
	// x·y = ±0.1 has two branches each, which never touch the axes.
	p := plain(Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1}, func(b *Brush) {
		b.Contours(30, 30, func(x, y float64) float64 { return x * y }, []float64{-0.1, 0.1}, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	rec, _ := record(p, frame)
	if lines := strokes(rec); len(lines) != 4 {
		t.Errorf("%d branches, want 4", len(lines))
	}
}

func TestFieldIsTheRightWayUp(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Min: 1, Max: 100, Log: true}, func(b *Brush) {
		b.Field(4, 2, func(x, y float64) float64 {
			if x < 0.25 && y < 10 {
				return math.NaN()
			}
			return y
		}, 1, 100)
	})
	rec, area := record(p, frame)
	for _, a := range rec.Actions {
		d, ok := a.(*recorder.DrawImage)
		if !ok {
			continue
		}
		if d.Rectangle != area {
			t.Errorf("field on %v, axes on %v", d.Rectangle, area)
		}
		img := d.Image.(*image.RGBA)
		if top, want := img.RGBAAt(1, 0), color.RGBA(Light.Field((math.Pow(10, 1.5)-1)/99)); top != want {
			t.Errorf("top %v, want %v", top, want)
		}
		if img.RGBAAt(0, 1).A != 0 || img.RGBAAt(0, 0).A == 0 {
			t.Error("NaN is not blank at the lower left only")
		}
		return
	}
	t.Error("no image")
}

func TestArrowHeadKeepsItsSize(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(b *Brush) {
		for _, y := range []float64{0.3, 0.9} {
			b.Arrow(0.1, 0.1, 0.1, y, Stroke{Color: b.Theme.Ink, Width: 2})
		}
		b.Arrow(0.5, 0.5, 0.5, 2, Stroke{Color: b.Theme.Ink, Width: 2})
	})
	rec, _ := record(p, frame)
	var heights []float64
	for _, a := range rec.Actions {
		if f, ok := a.(*recorder.Fill); ok {
			heights = append(heights, float64(f.Path[0].Pos.Y-f.Path[1].Pos.Y))
		}
	}
	if len(heights) != 2 || math.Abs(heights[0]-10) > 1e-9 || math.Abs(heights[1]-10) > 1e-9 {
		t.Errorf("heads of %v, want two of 10: the third arrow's tip lies outside", heights)
	}
}

func TestPick(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*Brush) {})
	p.Grips = func() []Grip {
		return []Grip{
			{ID: "a", Label: "start of run 1", Value: "x_1 = 0.5", Run: "r", X: 0.5, Y: 0.5, StepX: 0.1},
			{ID: "b", X: 0.5, Y: 0.5},
			{ID: "far", X: 7, Y: 0.5},
			{ID: "lost", X: math.NaN()},
		}
	}
	p.Find = func(b *Brush, at vg.Point) (Pick, bool) {
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
	// What was dragged out of the axes is still within reach, at their edge.
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
			return []Sheet{{Key: "a", Draw: func(*Brush) {}}, {Draw: func(*Brush) {}}}
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
			p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*Brush) {})
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
					if !within(canvas, a.Rect.Min) || !within(canvas, a.Rect.Max) || a.Rect.Size().X < 100 || a.Rect.Size().Y < 30 {
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
		t.Errorf("no panels: %v", got)
	}
	if got := Arrange(400, 600, samplePanels(Light, 1, 2), "unknown"); got[0].Panel.ID() != "decision" {
		t.Errorf("unknown panel: %s", got[0].Panel.ID())
	}
	four := Arrange(1000, 640, samplePanels(Light, 1, 2), "")
	if four[0].Rect.Min.Y != four[1].Rect.Min.Y || four[0].Rect.Min.X != four[2].Rect.Min.X || four[0].Rect.Min.Y < four[2].Rect.Max.Y {
		t.Errorf("four panels are no grid in reading order: %v", four)
	}
}

// TestTextIsLegible draws the sample at many sizes: no text is below 11 pixels
// or starts outside its panel, and no two texts of the axes, heading and legend
// lie on each other.
func TestTextIsLegible(t *testing.T) {
	for _, w := range []vg.Length{320, 360, 480, 700, 1024, 1600} {
		for _, h := range []vg.Length{240, 320, 480, 900} {
			for _, placed := range Arrange(w, h, samplePanels(Light, 5, 10), "weights") {
				size := placed.Rect.Size()
				f := Frame{Width: size.X, Height: size.Y, Theme: Light}
				var rec recorder.Canvas
				placed.Panel.Layers(f)[0].Draw(draw.NewCanvas(&rec, size.X, size.Y))
				checkTexts(t, &rec, f, placed.Panel.ID())
			}
		}
	}
}

func checkTexts(t *testing.T, rec *recorder.Canvas, f Frame, id string) {
	t.Helper()
	var boxes []vg.Rectangle
	var texts []string
	rotated := 0
	for _, a := range rec.Actions {
		switch a := a.(type) {
		case *recorder.Push:
			rotated++ // only the label of the vertical axis is
		case *recorder.Pop:
			rotated--
		case *recorder.FillString:
			if a.Size < SmallText {
				t.Errorf("%s: %q is %v pixels", id, a.String, a.Size)
			}
			if rotated > 0 {
				continue
			}
			face := handler.fonts.Lookup(a.Font, a.Size)
			box := vg.Rectangle{Min: a.Point, Max: a.Point.Add(vg.Point{X: face.Width(a.String), Y: CapHeight * a.Size})}
			if box.Min.X < 0 || box.Max.X > f.Width || box.Min.Y < 0 || box.Max.Y > f.Height {
				t.Errorf("%s on %v×%v: %q at %v leaves the panel", id, f.Width, f.Height, a.String, box)
			}
			for i, b := range boxes {
				if overlap(box.Min.X+0.1, box.Max.X-0.1, b.Min.X, b.Max.X) && overlap(box.Min.Y+0.1, box.Max.Y-0.1, b.Min.Y, b.Max.Y) {
					t.Errorf("%s on %v×%v: %q lies on %q", id, f.Width, f.Height, a.String, texts[i])
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
		for _, tick := range test.axis.ticks(test.length, 64) {
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
			DrawTooltip(draw.NewCanvas(&rec, 320, 200), Dark, Pick{Lines: lines}, at)
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
	DrawTooltip(draw.NewCanvas(&rec, 320, 200), Dark, Pick{}, vg.Point{})
	if len(rec.Actions) > 0 {
		t.Error("an empty tooltip is drawn")
	}
}

func TestLegendCountsWhatItLeavesOut(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(*Brush) {})
	p.Legend = func(*Theme) []Entry {
		var e []Entry
		for _, m := range methods {
			e = append(e, EntryOf(Light.Look(m.name), m.name))
		}
		return e
	}
	f := Frame{Width: 320, Height: 240, Theme: Light}
	l := p.layout(f)
	last := l.legend[len(l.legend)-1].Label
	if want := fmt.Sprintf("+%d", len(methods)-len(l.legend)+1); last != want {
		t.Errorf("the last entry is %q, want %q", last, want)
	}
	if share := l.data.Size().Y / f.Height; share < 0.35 {
		t.Errorf("the axes keep %.2f of the panel", float64(share))
	}
	var rec recorder.Canvas
	p.Layers(f)[0].Draw(draw.NewCanvas(&rec, f.Width, f.Height))
	checkTexts(t, &rec, f, "crowded")
}

func TestWritePNG(t *testing.T) {
	placed := Arrange(400, 300, samplePanels(Light, 2, 50), "")
	var b bytes.Buffer
	if err := WritePNG(&b, 400, 300, 2, Light, placed); err != nil {
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
		if err := WritePNG(io.Discard, vg.Length(bad[0]), vg.Length(bad[1]), bad[2], Light, nil); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestArcsBecomeCurves(t *testing.T) {
	centre := vg.Point{X: 3, Y: 4}
	var p vg.Path
	p.Move(vg.Point{X: 5, Y: 4})
	p.Arc(centre, 2, 0, 2*math.Pi)
	curves := 0
	for _, comp := range withoutArcs(p) {
		if comp.Type == vg.ArcComp {
			t.Fatal("an arc is left")
		}
		if d := comp.Pos.Sub(centre); math.Abs(math.Hypot(float64(d.X), float64(d.Y))-2) > 1e-12 {
			t.Errorf("%v is not on the circle", comp.Pos)
		}
		if comp.Type == vg.CurveComp {
			curves++
		}
	}
	if curves != 4 {
		t.Errorf("%d curves, want 4", curves)
	}
}

func BenchmarkFrame(b *testing.B) {
	placed := Arrange(1280, 800, samplePanels(Light, 10, 2000), "")
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
			Draw(draw.New(c), placed, Light, false)
		}
	})
}

// liveLayers draws what a back-end with a cache draws in every frame.
func liveLayers(c draw.Canvas, placed []Placed) {
	for _, p := range placed {
		size := p.Rect.Size()
		for _, l := range p.Panel.Layers(Frame{Width: size.X, Height: size.Y, Theme: Light}) {
			if l.Key == "" {
				l.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: p.Rect})
			}
		}
	}
}
