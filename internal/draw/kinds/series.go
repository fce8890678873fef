package kinds

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Series is a panel of curves that summarize runs, such as means over several runs. It also shows bands around the
// curves, and the time marker.
type Series struct {
	Name, Heading string
	Timeline      *timeline.Timeline
	// Curves returns the current curves. Key returns a text that identifies everything that the curves depend on, except
	// the timeline's version and selection.
	Curves func() []Curve
	Key    func() string
	Axes   func() (x, y axes.Axis)
	// Time returns the place of iteration k on the horizontal axis. The place increases with k. Iteration returns the
	// iteration nearest to a place on that axis.
	Time      func(k int) float64
	Iteration func(x float64) int
	// Above draws items that lie above the curves and change together with the curves. It may be nil.
	Above func(b *brush.Brush)
	// Fixed omits the marker's handle, because only one panel of a scene shows the handle.
	Fixed bool
	// Symbol returns the symbol of a live parameter.
	Symbol func(name string) string
	Legend func(t *brush.Theme) []axes.Entry
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// Curve is one line of a Series.
type Curve struct {
	Method string
	Run    string // track that a click on the curve selects
	Label  string // text beside the curve's end; may be ""
	X, Y   []float64
	// Low and High are the band around the curve. They may be nil.
	Low, High []float64
	// Faint draws the curve thinner, and behind other curves of its method.
	Faint bool
	// Dash distinguishes the curve from other curves of its method. If it is nil, the curve has the dash of the method's
	// look.
	Dash []vg.Length
	// Still omits the curve's marker at the time marker, for curves that do not change with time.
	Still bool
	// Now returns the index of the point that gets the curve's marker at iteration k, or −1 if no point gets the
	// marker. Now is for horizontal axes on which the curves do not share one time. If Now is nil, the marker is at the
	// last point before the time marker.
	Now func(k int) int
	// Lines describes a point of the curve, for the tooltip.
	Lines func(i int) []string
}

// Panel returns the panel with the curves.
func (s *Series) Panel() *axes.Plane {
	p := &axes.Plane{Name: s.Name, Heading: s.Heading, Text: s.Text, Axes: s.Axes, Legend: s.Legend, Find: s.find, Marks: s.mark, Ends: s.ends,
		Crossings: s.crossings, Words: s.words, Moving: s.moving, Grows: true}
	p.Sheets = func() []axes.Sheet {
		key := fmt.Sprintf("series %s %d %s %s", s.Name, s.Timeline.Version(), s.Timeline.SelectedName(), s.Key())
		return []axes.Sheet{{Key: key, Draw: s.draw, Ghost: s.ghost}, {Draw: func(b *brush.Brush) {
			nameMarker(b, p.Grips(), s.Timeline.Marker(), s.drawMarker(b))
		}}}
	}
	p.Grips = func() []axes.Grip {
		if s.Timeline.Selected().Run == nil || s.Fixed {
			return nil
		}
		k := s.Timeline.Marker()
		x := s.Time(k)
		_, y := s.Axes()
		y = y.Repaired()
		top := y.Max - float64(0.05*(y.Max-y.Min))
		if y.Log {
			top = y.Max * portable.Pow(y.Min/y.Max, 0.05)
		}
		return []axes.Grip{{ID: MarkerHandle, Label: "time marker", Value: fmt.Sprintf("iteration %d", k), X: x, Y: top,
			StepX: s.step(k)}}
	}
	return p
}

// moving implements Moving of a Plane. It appends the current ends of the growing curves to v, or returns v unchanged
// if the horizontal axis is not time.
func (s *Series) moving(v []float64, k, most int) []float64 {
	if s.Timeline.Selected().Run == nil || s.Time(0) == s.Time(1) {
		return v
	}
	until := s.Time(k)
	curves := s.Curves()
	for i := 0; i < len(curves); i += axes.Every(len(curves), most) {
		c := &curves[i]
		at := sort.Search(len(c.X), func(i int) bool { return c.X[i] > until }) - 1
		if c.Still || at < 0 {
			continue
		}
		v = append(v, c.X[at], c.Y[at])
	}
	return v
}

// step returns the distance that an arrow key moves the marker on the horizontal axis. The key reaches the next
// iteration, and the opposite key returns to iteration k.
func (s *Series) step(k int) float64 {
	ahead := s.Time(k+1) - s.Time(k)
	if k > 0 {
		const overHalf = 0.51
		return max(ahead, overHalf*(s.Time(k)-s.Time(k-1)))
	}
	return ahead
}

func (s *Series) stroke(t *brush.Theme, c *Curve) brush.Stroke {
	selected := s.Timeline.Selected()
	look := t.Look(c.Method)
	if c.Dash != nil {
		look.Dash = c.Dash
	}
	switch chosen := selected.Run != nil && selected.Method == c.Method; {
	case !chosen && Crowded(s.Timeline):
		return brush.Stroke{Color: Grey(t), Width: 1}
	case c.Faint:
		return look.Stroke(1)
	case chosen:
		return look.Stroke(2.75)
	}
	return look.Stroke(1.75)
}

func (s *Series) draw(b *brush.Brush) {
	curves := s.Curves()
	for i := range curves {
		if c := &curves[i]; c.Low != nil && !(Crowded(s.Timeline) && s.Timeline.Selected().Method != c.Method) {
			c.band(b, brush.Faded(b.Theme.Look(c.Method).Hue, 0.16))
		}
	}
	for _, last := range []bool{false, true} { // the selected method's curves are above the others
		for i := range curves {
			c := &curves[i]
			if selected := s.Timeline.Selected(); (selected.Run != nil && selected.Method == c.Method) != last {
				continue
			}
			stroke := s.stroke(b.Theme, c)
			b.Line(len(c.X), func(j int) (float64, float64) { return c.X[j], c.Y[j] }, stroke)
			c.signs(b, stroke)
			if at := len(c.X) - 1; at >= fewPoints && c.Still && !c.Faint { // other curves get a marker at the time marker instead
				b.Marker(c.X[at], c.Y[at], b.Theme.Look(c.Method).Shape, 3.5, stroke.Color, true)
			}
		}
	}
	s.names(b, curves)
	if s.Above != nil {
		s.Above(b)
	}
}

// band fills the curve's band, stretch by stretch.
func (c *Curve) band(b *brush.Brush, fill color.Color) {
	for i := 0; i < len(c.X); {
		n := i
		for n < len(c.X) && c.Low[n]-c.Low[n] == 0 && c.High[n]-c.High[n] == 0 {
			n++
		}
		if length := n - i; length > 1 {
			b.Polygon(2*length, func(j int) (float64, float64) {
				if j < length {
					return c.X[i+j], c.Low[i+j]
				}
				j = 2*length - 1 - j
				return c.X[i+j], c.High[i+j]
			}, fill)
		}
		i = n + 1
	}
}

// fewPoints is the maximum number of points of a curve that has a marker at every point.
const fewPoints = 3

// signs draws markers at points that no line shows: isolated points, and all points of curves with few points.
func (c *Curve) signs(b *brush.Brush, stroke brush.Stroke) {
	alone := func(i int) bool {
		there := func(i int) bool { return i >= 0 && i < len(c.Y) && c.Y[i]-c.Y[i] == 0 }
		return len(c.X) <= fewPoints || there(i) && !there(i-1) && !there(i+1)
	}
	for i := range c.X {
		if alone(i) {
			b.Marker(c.X[i], c.Y[i], b.Theme.Look(c.Method).Shape, 3.5, stroke.Color, true)
		}
	}
}

// curveName is a curve's name and the place in the panel beside which to write it.
type curveName struct {
	c  *Curve
	at vg.Point
}

// named returns the names of curves, from the lowest to the highest, at places that do not overlap.
func named(b *brush.Brush, curves []Curve) (names []curveName) {
	const (
		apart          = 15 // distance between names; leaves room for subscripts, which extend below the line
		maxNamesOfMini = 3  // more names would hide the curves
	)
	if b.Frame.Detail == brush.Mini && len(curves) > maxNamesOfMini {
		return nil
	}
	for i := range curves {
		c := &curves[i]
		if n := len(c.Y); c.Label != "" && n > 0 && c.Y[n-1]-c.Y[n-1] == 0 && b.Contains(c.X[n-1], c.Y[n-1]) {
			names = append(names, curveName{c, b.At(c.X[n-1], c.Y[n-1])})
		}
	}
	slices.SortFunc(names, func(a, b curveName) int { return cmp.Compare(a.at.Y, b.at.Y) })
	last := vg.Length(math.Inf(-1))
	for i := range names {
		names[i].at.Y = max(names[i].at.Y, last+apart)
		last = names[i].at.Y
	}
	return names
}

// names writes the names of curves beside their ends.
func (s *Series) names(b *brush.Brush, curves []Curve) {
	for _, n := range named(b, curves) {
		b.LabelAt(n.at, n.c.Label, brush.SmallText, b.Theme.Ink, brush.LeftOf)
	}
}

func (s *Series) words(b *brush.Brush) (areas []vg.Rectangle) {
	for _, n := range named(b, s.Curves()) {
		areas = append(areas, b.LabelArea(n.at, n.c.Label, brush.SmallText, brush.LeftOf))
	}
	return areas
}

// drawMarker draws the time marker, live changes, and the curves' markers at the current iteration. It returns these
// markers' places in the panel.
func (s *Series) drawMarker(b *brush.Brush) (places []vg.Point) {
	if s.Symbol != nil {
		drawChanges(b, s.Timeline, s.Symbol, s.Time)
	}
	if s.Timeline.Selected().Run == nil {
		return nil
	}
	x := s.Time(s.Timeline.Marker())
	b.TimeMarker(x)
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		at := c.At(x)
		if c.Now != nil {
			at = c.Now(s.Timeline.Marker())
		}
		if at >= 0 && !c.Faint && !c.Still {
			look := b.Theme.Look(c.Method)
			b.Marker(c.X[at], c.Y[at], look.Shape, 3.5, s.stroke(b.Theme, c).Color, true)
			places = append(places, b.At(c.X[at], c.Y[at]))
		}
	}
	return places
}

// At returns the index of a curve's last point at or before a place on the horizontal axis, or −1 if there is no such
// point.
func (c *Curve) At(x float64) int {
	const slack = 1e-9
	i, found := slices.BinarySearch(c.X, x+float64(slack*math.Abs(x)))
	if !found {
		i--
	}
	return i
}

// find returns the curves' point nearest to a point of the panel.
func (s *Series) find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	reach := 1.5 * float64(brush.HitRadius(b.Frame.Touch))
	var found *Curve
	index := -1
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		for j := range c.X {
			if p := b.At(c.X[j], c.Y[j]); b.Inside(p) {
				if d := brush.Distance(p, at); d < reach {
					reach, found, index = d, c, j
				}
			}
		}
	}
	if found == nil {
		return axes.Pick{}, false
	}
	pick := axes.Pick{Run: found.Run, K: s.Iteration(found.X[index]), At: b.At(found.X[index], found.Y[index])}
	if found.Lines != nil {
		pick.Lines = found.Lines(index)
	}
	return pick, true
}

// mark draws rings on the curves of a run's method at an iteration, and a thin vertical line at that iteration.
func (s *Series) mark(b *brush.Brush, run string, k int) {
	r := s.Timeline.Find(run)
	if r.Run == nil {
		return
	}
	if k < 0 {
		k = s.Timeline.Marker()
	}
	x, hue := s.Time(k), b.Theme.Look(r.Method).Hue
	b.VLine(x, brush.Stroke{Color: brush.Faded(hue, 0.6), Width: 1})
	curves := s.Curves()
	for i := range curves {
		if c := &curves[i]; c.Method == r.Method && !c.Faint && !c.Still {
			if at := c.At(x); at >= 0 {
				b.Ring(c.X[at], c.Y[at], hue)
			}
		}
	}
}

// ghost draws the curves, except faint ones, as a ghost. The letter is at the end of the selected method's first curve.
func (s *Series) ghost(b *brush.Brush, stroke brush.Stroke, letter string) {
	lettered := false
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		if c.Faint || len(c.X) == 0 {
			continue
		}
		b.Line(len(c.X), func(j int) (float64, float64) { return c.X[j], c.Y[j] }, stroke)
		if selected := s.Timeline.Selected(); !lettered && selected.Run != nil && selected.Method == c.Method {
			lettered = true
			last := len(c.X) - 1
			b.Label(c.X[last], c.Y[last], letter, brush.SmallText, b.Theme.Muted, brush.Align{X: -1, Y: 1})
		}
	}
}
