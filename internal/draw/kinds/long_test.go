package kinds

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// restless is a stepper that never stops moving. It jumps back and forth, in a way that depends on its kind.
type restless struct {
	k, kind int
	x, f    [2]float64
}

const restlessKinds = 5

func (s *restless) Step() (algo.Status, error) {
	s.k++
	return algo.Running, nil
}

func (s *restless) View() algo.View {
	k, side := float64(s.k), float64(1-2*(s.k%2))
	random := func(by float64) float64 { return math.Mod(math.Abs(1e4*math.Sin(by*(k+1))), 1) - 0.5 }
	at := 0.04 * float64(s.kind/restlessKinds)
	switch s.kind % restlessKinds {
	case 0: // between two places
		s.x = [2]float64{0.3*side + at, at + 0.1*side}
	case 1: // among many
		s.x = [2]float64{random(12.9898) + at, random(78.233)}
	case 2: // across a valley, along which it creeps
		s.x = [2]float64{k/5e4 - 1, 0.4*side*math.Exp(-k/4e4) + at}
	case 3: // in circles that shrink
		sin, cos := math.Sincos(k / 50)
		r := 0.9 * math.Exp(-k/5e4)
		s.x = [2]float64{r * cos, r * sin}
	case 4: // between four places that drift
		sin, cos := math.Sincos(math.Pi/2*k + k/3e4)
		s.x = [2]float64{0.5 * cos, 0.5*sin - at}
	}
	s.f = [2]float64{s.x[0] + s.x[1], s.x[0] - s.x[1]}
	return algo.View{K: s.k, Solutions: 1, X: s.x[:], F: s.f[:]}
}

func (s *restless) Save(to *algo.Snapshot)   { to.PutInt(s.k) }
func (s *restless) Load(from *algo.Snapshot) { s.k = from.GetInt() }

// restlessRuns returns a timeline of restless runs and four pictures of them: decision and objective space, and the two
// losses over time.
func restlessRuns(tb testing.TB, runs, budget int) (*timeline.Timeline, []*axes.Plane) {
	tb.Helper()
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(budget, 0)
	var all []*timeline.Run
	for i := range runs {
		all = append(all, &timeline.Run{Name: fmt.Sprintf("a-%d", i+1), Method: []string{"mgda", "ls", "cagrad"}[i%3], Label: "a",
			Stepper: &restless{kind: i}, Starts: [][]float64{{0, 0}}})
	}
	line.Reset(all, nil)
	square := func() (axes.Axis, axes.Axis) { return axes.Axis{Min: -1, Max: 1}, axes.Axis{Min: -1, Max: 1} }
	space := func(name string, of func(timeline.Row) []float64) *axes.Plane {
		track := &Tracks{Name: name, Timeline: line, Point: func(r timeline.Row) (float64, float64) { return of(r)[0], of(r)[1] }}
		return &axes.Plane{Name: name, Find: track.Find, Sheets: track.Sheets, Axes: square}
	}
	over := func(name string, i int) *axes.Plane {
		return (&History{Name: name, Timeline: line, Unticked: true, Symbol: func(name string) string { return name },
			Value: func(r timeline.Row) float64 { return r.F[i] }, Y: func() axes.Axis { return axes.Axis{Min: -1, Max: 1} }}).Panel()
	}
	return line, []*axes.Plane{
		space("x", func(r timeline.Row) []float64 { return r.X }), space("f", func(r timeline.Row) []float64 { return r.F }),
		over("f1", 0), over("f2", 1),
	}
}

func advance(tb testing.TB, line *timeline.Timeline, iterations int) {
	tb.Helper()
	for range iterations {
		if _, err := line.Step(); err != nil {
			tb.Fatal(err)
		}
	}
}

var longFrame = brush.Frame{Width: 640, Height: 400, Theme: brush.Light}

// longLines returns the lines of a picture's data, and the total number of their dashes.
func longLines(p *axes.Plane) (paths []vg.Path, dashes float64) {
	var r recorder.Canvas
	for _, l := range p.Layers(longFrame)[1:] {
		l.Draw(draw.NewCanvas(&r, longFrame.Width, longFrame.Height))
	}
	period := 0.0
	for _, a := range r.Actions {
		switch a := a.(type) {
		case *recorder.SetLineDash:
			period = 0
			for _, d := range a.Dashes {
				period += float64(d)
			}
		case *recorder.Stroke:
			paths = append(paths, a.Path)
			for i, c := range a.Path {
				if period > 0 && c.Type == vg.LineComp {
					dashes += brush.Distance(a.Path[i-1].Pos, c.Pos) / period
				}
			}
		}
	}
	return paths, dashes
}

// TestLongRunsAreBounded checks that longer runs increase neither the drawing calls of a picture nor the size of its
// file.
func TestLongRunsAreBounded(t *testing.T) {
	for _, runs := range []int{1, 50} {
		line, planes := restlessRuns(t, runs, 100_000)
		for _, k := range []int{20_000, 100_000} {
			advance(t, line, k-line.Latest())
			for _, p := range planes {
				paths, dashes := longLines(p)
				points := 0
				for _, q := range paths {
					points += len(q)
				}
				if points > 100_000 || dashes > 2*maxDashes {
					t.Errorf("%d runs of %d: %s draws %d points, %.0f dashes", runs, k, p.Name, points, dashes)
				}
			}
		}
		var b bytes.Buffer
		placed := axes.Arrange(1120, 720, []axes.Panel{planes[0], planes[1], planes[2], planes[3]}, "")
		if err := (&axes.Figure{Width: 1120, Height: 720, Theme: brush.Light, Placed: placed}).WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 4<<20 {
			t.Errorf("%d runs: the SVG has %d bytes", runs, b.Len())
		}
	}
}

// plotted holds the pixels that lines pass through.
type plotted struct {
	width, height int
	on            []bool
}

// ink draws lines and returns the pixels that they pass through.
func ink(draws func(b *brush.Brush), p *axes.Plane) plotted {
	var r recorder.Canvas
	draws(p.Brush(longFrame, &r))
	out := plotted{width: int(longFrame.Width), height: int(longFrame.Height)}
	out.on = make([]bool, out.width*out.height)
	half := 0.0
	for _, a := range r.Actions {
		if w, is := a.(*recorder.SetLineWidth); is {
			half = float64(w.Width) / 2
		}
		s, is := a.(*recorder.Stroke)
		if !is {
			continue
		}
		for i, c := range s.Path {
			if c.Type != vg.LineComp {
				continue
			}
			from := s.Path[i-1].Pos
			n := vg.Length(math.Ceil(brush.Distance(from, c.Pos))) + 1
			for u := range int(n) + 1 {
				at := from.Add(c.Pos.Sub(from).Scale(vg.Length(u) / n))
				for v := -half; v <= half; v += 0.75 {
					for u := -half; u <= half; u += 0.75 {
						x, y := int(float64(at.X)+u), int(float64(at.Y)+v)
						out.on[min(max(y, 0), out.height-1)*out.width+min(max(x, 0), out.width-1)] = true
					}
				}
			}
		}
	}
	return out
}

// missing returns the number of pixels of one picture that have no pixel of the other picture within the given
// distance. It also returns the number of all pixels of the first picture.
func missing(in, of plotted, within int) (lost, inked int) {
	for y := range of.height {
		for x := range of.width {
			if !of.on[y*of.width+x] {
				continue
			}
			inked++
			found := false
			for v := max(y-within, 0); v <= min(y+within, of.height-1) && !found; v++ {
				for u := max(x-within, 0); u <= min(x+within, of.width-1) && !found; u++ {
					found = in.on[v*of.width+u]
				}
			}
			if !found {
				lost++
			}
		}
	}
	return lost, inked
}

// TestReducedLinesShowTheSame checks that the drawn line of a long run covers nearly the same pixels as a line through
// all its rows, for every position of the marker.
func TestReducedLinesShowTheSame(t *testing.T) {
	black := brush.Stroke{Color: color.Black, Width: 1.5}
	const iterations = 12_000
	for _, runs := range []int{restlessKinds, 60} {
		line, planes := restlessRuns(t, runs, iterations)
		advance(t, line, iterations)
		for _, marker := range []int{iterations, 4321} {
			line.SetMarker(marker)
			for kind := range restlessKinds {
				for i, p := range planes {
					track := line.Tracks()[kind]
					tracks, until := &Tracks{Timeline: line, OverTime: i > 1}, marker
					switch i {
					case 0:
						tracks.Point = func(r timeline.Row) (float64, float64) { return r.X[0], r.X[1] }
					case 1:
						tracks.Point = func(r timeline.Row) (float64, float64) { return r.F[0], r.F[1] }
					default:
						tracks.Point = func(r timeline.Row) (float64, float64) { return float64(r.K), r.F[i-2] }
						until = iterations
					}
					reduced := ink(func(b *brush.Brush) { tracks.line(b, track, 0, until, black) }, p)
					full := ink(func(b *brush.Brush) {
						at := func(n int) (float64, float64) { return tracks.Point(track.Kept(n)) }
						n := track.Index(until) + 1
						if !tracks.OverTime {
							b.Line(n, at, black)
							return
						}
						b.Line(2*n-1, func(n int) (float64, float64) {
							x, _ := at((n + 1) / 2)
							_, y := at(n / 2)
							return x, y
						}, black)
					}, p)
					within := 4
					if runs > restlessKinds {
						within = 8
					}
					lost, inked := missing(reduced, full, within)
					more, _ := missing(full, reduced, within)
					allowed := inked / 100
					if kind == 3 {
						allowed = inked / 5 // areas filled by hundreds of circles have holes
					}
					if inked == 0 || lost > allowed || more > allowed {
						t.Errorf("%d runs, kind %d, %s to %d: of %d pixels %d are lost, %d are new", runs, kind, p.Name, until, inked, lost, more)
					}
				}
			}
		}
	}
}

// BenchmarkLongRuns measures a frame of four pictures with 50 runs past their 100,000th iteration. The runs advance by
// 25 iterations in every frame, and cached layers are redrawn when they change.
func BenchmarkLongRuns(b *testing.B) {
	line, planes := restlessRuns(b, 50, 200_000)
	advance(b, line, 100_000)
	keys := map[string]string{}
	var c counter
	frame := func() {
		for _, p := range planes {
			for i, l := range p.Layers(longFrame) {
				if id := fmt.Sprint(p.Name, i); l.Key == "" || l.Key != keys[id] {
					keys[id] = l.Key
					l.Draw(draw.NewCanvas(&c, longFrame.Width, longFrame.Height))
				}
			}
		}
	}
	frame()
	c.points = 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		advance(b, line, 25)
		b.StartTimer()
		frame()
	}
	b.ReportMetric(float64(c.points)/float64(b.N), "points/op")
}

// counter is a canvas that counts the points of the lines drawn on it.
type counter struct {
	recorder.Canvas
	points int
}

func (c *counter) Stroke(p vg.Path) {
	c.points += len(p)
	c.Reset()
}

// TestManyTracksTakeNoPassEach checks that only a few lines are translucent, because each translucent line takes a
// separate pass on the screen.
func TestManyTracksTakeNoPassEach(t *testing.T) {
	for _, c := range []struct{ runs, translucent int }{{15, 14}, {50, 0}} { // the selected line is never translucent
		line, planes := restlessRuns(t, c.runs, 100)
		advance(t, line, 100)
		var r recorder.Canvas
		planes[0].Layers(longFrame)[2].Draw(draw.NewCanvas(&r, longFrame.Width, longFrame.Height))
		translucent, strokes := 0, 0
		var now color.Color
		for _, a := range r.Actions {
			switch a := a.(type) {
			case *recorder.SetColor:
				now = a.Color
			case *recorder.Stroke:
				strokes++
				if _, _, _, alpha := now.RGBA(); alpha < 0xffff {
					translucent++
				}
			}
		}
		if strokes != c.runs || translucent != c.translucent {
			t.Errorf("%d runs: %d of %d strokes are translucent, want %d", c.runs, translucent, strokes, c.translucent)
		}
	}
}

// TestManyChanges checks that of a thousand live changes, a picture shows only as many as fit.
func TestManyChanges(t *testing.T) {
	line, planes := restlessRuns(t, 1, 2000)
	for k := range 1000 {
		line.Change(k, "a", fmt.Sprint(k))
		advance(t, line, 1)
	}
	var r recorder.Canvas
	for _, l := range planes[2].Layers(longFrame)[1:] {
		l.Draw(draw.NewCanvas(&r, longFrame.Width, longFrame.Height))
	}
	var lines, texts int
	for _, a := range r.Actions {
		switch a := a.(type) {
		case *recorder.Stroke:
			if len(a.Path) == 2 && a.Path[0].Pos.X == a.Path[1].Pos.X {
				lines++
			}
		case *recorder.FillString:
			texts++
		}
	}
	if width := int(longFrame.Width); lines < 100 || lines > width || texts < 20 || texts > 4*width/12 {
		t.Errorf("got %d lines and %d labels", lines, texts)
	}
}
