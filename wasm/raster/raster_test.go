package raster

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/loop"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

const width, height = 860, 640

func always() bool { return true }

func never() bool { return false }

// visit opens a scene on a canvas and runs some iterations.
func visit(t testing.TB, id string) *session.Session {
	t.Helper()
	s, err := session.New(scenes.All, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range [][2]string{
		{"layout", fmt.Sprintf(`{"width":%d,"height":%d,"touch":false,"alone":false}`, width, height)}, {"step", `{"n":40}`},
	} {
		if _, err := s.Call(call[0], []byte(call[1])); err != nil {
			t.Fatal(err)
		}
	}
	for {
		pending, err := s.Work(always)
		if err != nil {
			t.Fatal(err)
		}
		if !pending {
			return s
		}
	}
}

// silent returns a listener for a loop that must not fail.
func silent(t testing.TB) loop.Listener {
	return loop.Listener{Updated: func() {}, Drawn: func() {}, Failed: func(err error) { t.Error(err) }}
}

// unlike returns the difference between two pictures of the same size, averaged over pixels and colours, from 0 to 1.
func unlike(t *testing.T, a, b image.Image) float64 {
	t.Helper()
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		t.Fatalf("pictures of %v and %v", size, b.Bounds().Size())
	}
	sum := 0.
	for y := range size.Y {
		for x := range size.X {
			r, g, u, _ := a.At(x, y).RGBA()
			s, h, v, _ := b.At(x, y).RGBA()
			sum += math.Abs(float64(r)-float64(s)) + math.Abs(float64(g)-float64(h)) + math.Abs(float64(u)-float64(v))
		}
	}
	return sum / 0xffff / float64(3*size.X*size.Y)
}

// TestScenesLookAsExported checks that every scene looks the same as its exported file.
func TestScenesLookAsExported(t *testing.T) {
	for _, e := range scenes.All {
		s := visit(t, e.ID)
		g := NewGame(s, silent(t))
		got := g.Frame(width, height, 1, always)
		if got == nil {
			t.Fatalf("%s: the frame is not complete", e.ID)
		}
		placed, theme, _, _ := s.View()
		var file bytes.Buffer
		if err := axes.WritePNG(&file, width, height, 1, theme, placed); err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		// In this package, panels are aligned to whole pixels, so the pictures differ slightly.
		if d := unlike(t, got, want); d > 0.01 {
			t.Errorf("%s differs from its file by %.4f", e.ID, d)
		}
		if g.Due() {
			t.Errorf("%s: another frame is due although nothing has changed", e.ID)
		}
	}
}

// fake is a model whose panels count how often they are drawn.
type fake struct {
	panels   []*plain
	pictures uint64
	hovers   uint64
	theme    *brush.Theme
	over     bool
	plays    bool
}

type plain struct {
	axes.Panel // no other method is called
	id         string
	drawn      int
	fails      bool
}

func (p *plain) ID() string { return p.id }

func (p *plain) Layers(brush.Frame) []axes.Layer {
	return []axes.Layer{{Draw: func(c draw.Canvas) {
		if p.drawn++; p.fails {
			panic(p.id + " fails")
		}
		c.SetColor(color.NRGBA{R: uint8(40 * p.drawn), A: 0xff})
		c.FillPolygon(color.NRGBA{R: uint8(40 * p.drawn), A: 0xff}, []vg.Point{{X: 5, Y: 5}, {X: 20, Y: 5}, {X: 20, Y: 20}, {X: 5, Y: 20}})
	}}}
}

func (m *fake) Advance(float64, func() bool) error { return nil }
func (m *fake) Playing() bool                      { return m.plays }
func (m *fake) Version() uint64                    { return m.pictures + m.hovers }
func (m *fake) Pictures() uint64                   { return m.pictures }

func (m *fake) Tooltip() (p axes.Pick, at vg.Point, ok bool) {
	return axes.Pick{Lines: []string{"word"}}, vg.Point{X: 30, Y: 30}, m.over
}

func (m *fake) View() (placed []axes.Placed, theme *brush.Theme, touch, still bool) {
	for i, p := range m.panels {
		x := vg.Length(100 * i)
		placed = append(placed, axes.Placed{Panel: p, Rect: vg.Rectangle{Min: vg.Point{X: x}, Max: vg.Point{X: x + 90, Y: 100}}})
	}
	return placed, m.theme, false, false
}

func (m *fake) draws() (n []int) {
	for _, p := range m.panels {
		n = append(n, p.drawn)
	}
	return n
}

func newFake() *fake {
	return &fake{panels: []*plain{{id: "a"}, {id: "b"}, {id: "c"}}, theme: brush.Light, pictures: 1}
}

// TestPanelByPanel checks that Frame can return after every panel, and that the picture is the same as one drawn at
// once.
func TestPanelByPanel(t *testing.T) {
	at, byTurns := newFake(), newFake()
	want := NewGame(at, silent(t)).Frame(300, 100, 1, always)
	drawn := 0
	l := silent(t)
	l.Drawn = func() { drawn++ }
	g := NewGame(byTurns, l)
	for i := range 2 {
		if g.Frame(300, 100, 1, never) != nil || drawn != 0 || !g.Due() {
			t.Fatalf("after %d panels of three the frame is complete", i+1)
		}
	}
	got := g.Frame(300, 100, 1, never)
	if got == nil || drawn != 1 || g.Due() {
		t.Fatal("the frame is not complete after three panels")
	}
	if !bytes.Equal(got.Pix, want.Pix) {
		t.Error("drawn in turns, the picture differs")
	}
	if n := byTurns.draws(); !slices.Equal(n, []int{1, 1, 1}) {
		t.Errorf("panels were drawn %v times", n)
	}
}

// TestHoverDrawsNoPanel checks that hovering draws no panel and leaves no trace in the picture.
func TestHoverDrawsNoPanel(t *testing.T) {
	m := newFake()
	g := NewGame(m, silent(t))
	before := bytes.Clone(g.Frame(300, 100, 1, always).Pix)
	m.over, m.hovers = true, 1
	if !g.Due() {
		t.Fatal("no frame is due")
	}
	if bytes.Equal(g.Frame(300, 100, 1, never).Pix, before) {
		t.Error("nothing explains what the pointer hovers over")
	}
	m.over, m.hovers = false, 2
	if !bytes.Equal(g.Frame(300, 100, 1, never).Pix, before) {
		t.Error("the picture differs from before")
	}
	if n := m.draws(); !slices.Equal(n, []int{1, 1, 1}) {
		t.Errorf("panels were drawn %v times", n)
	}
}

// TestNothingChanged checks that, if an iteration takes longer than a frame, nothing is drawn until the iteration is
// finished.
func TestNothingChanged(t *testing.T) {
	m := newFake()
	g := NewGame(m, silent(t))
	g.Frame(300, 100, 1, always)
	m.plays = true
	if !g.Due() || g.Frame(300, 100, 1, always) != nil || !g.Due() || !slices.Equal(m.draws(), []int{1, 1, 1}) {
		t.Errorf("panels were drawn %v times", m.draws())
	}
	m.pictures++
	if g.Frame(300, 100, 1, always) == nil || !slices.Equal(m.draws(), []int{2, 2, 2}) {
		t.Errorf("with an iteration panels were drawn %v times", m.draws())
	}
	m.plays = false
	if g.Frame(300, 100, 1, always); g.Due() {
		t.Error("a frame is due at rest")
	}
}

// TestChangesUnderWay checks that a change in the middle of a frame appears in the next frame, and that a new size,
// theme or arrangement restarts the frame.
func TestChangesUnderWay(t *testing.T) {
	m := newFake()
	g := NewGame(m, silent(t))
	g.Frame(300, 100, 1, never)
	m.pictures++
	if g.Frame(300, 100, 1, always) == nil || !g.Due() {
		t.Fatal("a change in the middle of a frame is lost")
	}
	if g.Frame(300, 100, 1, always); g.Due() || !slices.Equal(m.draws(), []int{2, 2, 2}) {
		t.Errorf("panels were drawn %v times", m.draws())
	}
	m.pictures++
	g.Frame(300, 100, 1, never)
	m.theme = brush.Dark
	m.panels = m.panels[:2]
	got := g.Frame(300, 100, 2, always)
	if got == nil || got.Rect.Size() != image.Pt(600, 200) {
		t.Fatalf("the picture is %v", got.Rect)
	}
	paper := color.RGBAModel.Convert(brush.Dark.Paper)
	for _, x := range []int{185, 590} {
		if c := got.At(x, 100); c != paper {
			t.Errorf("at %d it is %v, not the paper %v", x, c, paper)
		}
	}
	if n := m.draws(); !slices.Equal(n, []int{4, 3}) {
		t.Errorf("panels were drawn %v times", n)
	}
}

// TestFailure checks that a panel that fails is reported once, and that the loop continues when the panel works again.
func TestFailure(t *testing.T) {
	m := newFake()
	m.panels[1].fails = true
	var failed []string
	l := silent(t)
	l.Failed = func(err error) { failed = append(failed, err.Error()) }
	g := NewGame(m, l)
	g.Frame(300, 100, 1, always)
	m.pictures++
	g.Frame(300, 100, 1, always)
	if !slices.Equal(failed, []string{"b fails"}) {
		t.Errorf("reported were %q", failed)
	}
	m.panels[1].fails = false
	m.pictures++
	if got := g.Frame(300, 100, 1, always); got == nil || g.Due() || m.panels[2].drawn != 1 {
		t.Errorf("after the repair, panels were drawn %v times", m.draws())
	}
}

// TestSizes checks that lines, dashes, fills and letters have the right sizes at every ratio of pixels to units, whole
// or fractional.
func TestSizes(t *testing.T) {
	line := func(c vg.Canvas) {
		var p vg.Path
		p.Move(vg.Point{X: 10, Y: 20})
		p.Line(vg.Point{X: 90, Y: 20})
		c.SetLineWidth(4)
		c.Stroke(p)
	}
	for name, test := range map[string]struct {
		draw func(c vg.Canvas)
		area float64
	}{
		"line":   {line, 4 * 80},
		"dashes": {func(c vg.Canvas) { c.SetLineDash([]vg.Length{5, 15}, 0); line(c) }, 4 * 20},
		"fill": {func(c vg.Canvas) {
			c.Fill(vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 60, Y: 30}}.Path())
		}, 50 * 20},
	} {
		for _, ratio := range []float64{0.5, 1, 1.1, 1.33, 2, 3} {
			on := newSheet(image.Pt(int(100*ratio), int(50*ratio)))
			painter{}.Paint(on, ratio, test.draw)
			sum := 0.
			for i := 3; i < len(on.Pix); i += 4 {
				sum += float64(on.Pix[i]) / 0xff
			}
			if want := test.area * ratio * ratio; math.Abs(sum-want) > 0.03*want {
				t.Errorf("%s at ratio %g covers %.1f dots, want %.1f", name, ratio, sum, want)
			}
		}
	}
}

// BenchmarkFrame measures the drawing of every scene: once with all panels, as during play, and once with the hero
// panel alone.
func BenchmarkFrame(b *testing.B) {
	for _, e := range scenes.All {
		s := visit(b, e.ID)
		for _, what := range []string{"all", "hero"} {
			if what == "hero" {
				if _, err := s.Call("layout", fmt.Appendf(nil, `{"width":%d,"height":%d,"touch":false,"alone":true}`, width, height)); err != nil {
					b.Fatal(err)
				}
			}
			g := NewGame(s, silent(b))
			g.Frame(width, height, 1, always)
			b.Run(e.ID+"/"+what, func(b *testing.B) {
				for b.Loop() {
					g.drawn = 0
					g.Frame(width, height, 1, always)
				}
			})
		}
	}
}
