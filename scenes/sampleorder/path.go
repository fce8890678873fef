package sampleorder

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/timeline"
)

// windowKey is the cache key of the window of the panel of paths.
type windowKey struct {
	version      uint64
	marker, last int
	selected     *timeline.Run
}

// fitting returns the window of the panel of paths. The window shows the whole problem until the second half of the
// runs' paths so far fits in a window a quarter as wide. The window therefore rarely changes.
func (s *Scene) fitting() runs.Window {
	t := s.Timeline()
	if t.Marker() == 0 {
		return s.behind.Reach
	}
	w := s.window.Of(windowKey{t.Version(), t.Marker(), t.Latest(), t.Selected().Run}, s.findWindow)
	whole := s.behind.Reach
	epoch, _ := orders.Place(t.Runs()[0], t.Marker())
	if w.Half < whole.Half && (w.Half > whole.Half/4 || epoch < settledEpochs) && whole.Holds(w) {
		return whole
	}
	return w
}

// settledEpochs is the number of epochs after which runs are assumed to have settled.
const settledEpochs = 4

func (s *Scene) findWindow() runs.Window {
	const least = 32 // number of points read from each earlier epoch, or all if there are fewer
	box := runs.NewBox()
	for _, r := range s.read.Shown() {
		from, to := s.pathRows(r.Run)
		for i := from; i <= to; i++ {
			box.Add(r.Kept(i).X)
		}
		for i, step := r.Index(r.Kept(from).K/2), max(1, s.read.Examples()/least); i < from; i += step {
			box.Add(r.Kept(i).X)
		}
	}
	return runs.WindowAbout(box)
}

// pathRows returns the range of the kept rows of a run's epoch at the marker.
func (s *Scene) pathRows(r *timeline.Run) (from, to int) {
	epoch, _ := s.read.Now(r)
	k := orders.Examples(r)
	return r.Index(epoch * k), r.Index(min((epoch+1)*k, r.Last()))
}

// pathPanel returns the panel of the runs' paths in the epoch at the marker, in the plane of the first two variables.
func (s *Scene) pathPanel() *axes.Plane {
	p := &axes.Plane{Name: "path", Heading: "The path within the epoch", Text: s.describePath, Find: s.findPath,
		Marks: s.markPath}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{s.landscape().Sheet(), {Key: fmt.Sprint("set ", s.Timeline().Version()), Draw: s.behind.Draw},
			{Draw: s.drawPaths, Ghost: s.ghostPath}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return slices.Concat(kinds.MethodEntries(t, Methods, s.Timeline()), s.behind.Entries(t), s.landscape().Entries())
	}
	return s.StartPanel(p, s.Timeline(), s.waiting)
}

// landscape returns the mean of the losses in the window. The landscape is empty unless there are exactly two variables
// and all losses are finite.
func (s *Scene) landscape() kinds.Landscape {
	if s.problem == nil || len(s.Start) != 2 {
		return kinds.Landscape{}
	}
	w := s.Window()
	key := fmt.Sprint(s.Timeline().Version(), w)
	return s.field.Of(key, func() kinds.Landscape { return runs.MeanLandscape(key, s.problem, w) })
}

func (s *Scene) drawPaths(b *brush.Brush) {
	marker := s.pointNow()
	for _, r := range s.read.Shown() {
		from, to := s.pathRows(r.Run)
		stroke := s.walkStroke(b.Theme, r)
		line := func(from, to int, stroke brush.Stroke) {
			b.Line(to-from+1, func(i int) (float64, float64) { return runs.Flat(r.Kept(from + i).X) }, stroke)
		}
		now := max(from, min(to, r.Index(min(marker, r.Last()))))
		line(now, to, brush.Stroke{Color: brush.Faded(stroke.Color, 0.35), Width: 1})
		line(from, now, stroke)
	}
	for _, r := range s.read.Shown() {
		from, _ := s.pathRows(r.Run)
		x, y := runs.Flat(r.Kept(from).X)
		b.Marker(x, y, brush.Ring, 4, s.walkStroke(b.Theme, r).Color, true)
		x, y = runs.Flat(r.Kept(r.Index(min(marker, r.Last()))).X)
		s.drawEnd(b, r, x, y)
	}
	s.drawMoment(b)
	if s.problem != nil && len(s.Start) > 2 && b.Frame.Detail == brush.Full && !s.Partway() {
		xmin, _, ymin, _ := b.Bounds()
		b.Label(xmin, ymin, fmt.Sprintf("the first two of %d variables", len(s.Start)), brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
	}
}

// ghostPath draws the path of the selected run, with a letter at its end, as the ghost of a pinned run.
func (s *Scene) ghostPath(b *brush.Brush, stroke brush.Stroke, letter string) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return
	}
	from, to := s.pathRows(r.Run)
	b.Line(to-from+1, func(i int) (float64, float64) { return runs.Flat(r.Kept(from + i).X) }, stroke)
	x, y := runs.Flat(r.Kept(to).X)
	b.Marker(x, y, brush.Ring, 3, b.Theme.Muted, true)
	b.Label(x, y, letter, brush.SmallText, b.Theme.Muted, brush.RightOf)
}

func (s *Scene) findPath(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, marker := b.Nearest(at), s.Timeline().Marker()
	var found timeline.Track
	var row timeline.Row
	for _, r := range s.read.Shown() {
		from, to := s.pathRows(r.Run)
		for i := from; i <= to; i++ {
			kept := r.Kept(i)
			x, y := runs.Flat(kept.X)
			// If a run rests at one point, prefer its iteration at the marker.
			if near.Closer(x, y) || found == r && kept.K <= marker && near.Level(x, y) {
				found, row = r, kept
			}
		}
	}
	if found.Run == nil {
		return axes.Pick{}, false
	}
	epoch, steps := orders.Place(found.Run, row.K)
	return axes.Pick{Run: found.Name(), K: row.K, At: near.At, Lines: []string{
		fmt.Sprintf("%s, epoch %d, after %s", found.Label(), epoch, orders.OfSteps(steps, orders.Examples(found.Run))),
		"w = " + timeline.Vector(row.X), "L = " + timeline.Vector(row.F), "ω = " + timeline.Number(row.Stationarity),
	}}, true
}

// markPath draws a ring at a run's point at an iteration.
func (s *Scene) markPath(b *brush.Brush, run string, k int) {
	r := s.read.Find(run)
	if r.Run == nil {
		return
	}
	if k < 0 {
		k = s.Timeline().Marker()
	}
	x, y := runs.Flat(r.Kept(r.Index(min(k, r.Last()))).X)
	b.Ring(x, y, b.Theme.Look(r.Method).Hue)
}

func (s *Scene) describePath() string {
	chosen := s.Timeline().Selected()
	if chosen.Run == nil {
		return s.waiting()
	}
	epoch, _ := s.read.Now(chosen.Run)
	var parts []string
	for _, r := range s.read.Shown() {
		from, to := s.pathRows(r.Run)
		parts = append(parts, fmt.Sprintf("%s %s", r.Title, orders.Rounded(floats.Distance(r.Kept(from).X, r.Kept(to).X, math.Inf(1)))))
	}
	text := fmt.Sprintf("The paths of the runs in epoch %d. A ring marks the epoch’s start. ", epoch)
	if words := s.FirstTwo(); words != "" {
		text += words + " "
	}
	return text + "Largest coordinate of the move from the first point to the latest one: " + strings.Join(parts, ", ") + "."
}
