package gradientlab

import (
	"fmt"
	"math"
	"paretoplay/internal/engine/analysis"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// maxBars is the maximum number of objectives shown as bars. More objectives are shown as a matrix.
const maxBars = 6

// objectiveShapes mark the ends of the bars, because greys alone do not distinguish six objectives.
var objectiveShapes = [maxBars]brush.Shape{brush.Circle, brush.Square, brush.Triangle, brush.Diamond, brush.DownTriangle, brush.Ring}

// methodNames returns the categories of an axis from bottom to top. The first method is on top.
func methodNames(a *analysis.Analysis) []string {
	names := make([]string, len(a.Decisions))
	for i, d := range a.Decisions {
		names[len(names)-1-i] = d.Method.Title
	}
	return names
}

// place returns the position of decision i on an axis with the categories of methodNames.
func place(a *analysis.Analysis, i int) float64 { return float64(len(a.Decisions) - 1 - i) }

// bars draws one group for each method, with one bar from 0 for each objective. value returns the length of a bar; if
// its ok is false, the bar is left out, and notes explain why.
type bars struct {
	scene *Scene
	value func(a *analysis.Analysis, d *analysis.Decision, i int) (v float64, ok bool)
	mark  func(a *analysis.Analysis, d *analysis.Decision, i int) bool // whether a bar gets the conflict symbol
	note  func(a *analysis.Analysis, d *analysis.Decision) []string    // notes beside the group; the first that fits is drawn
	full  func(a *analysis.Analysis, d *analysis.Decision) []string    // notes shown only in a large panel; may be nil
	least float64                                                      // minimum reach of the axis
	held  extent                                                       // the range displayed when a drag began
}

// extent is a range of an axis.
type extent struct{ lo, hi float64 }

// shown returns the axis range. It is fixed while a tip is dragged.
func (p *bars) shown(a *analysis.Analysis) (lo, hi float64) {
	if p.scene.holds {
		return p.held.lo, p.held.hi
	}
	return p.extent(a)
}

// extent returns the range of the bars, with room for the notes.
func (p *bars) extent(a *analysis.Analysis) (lo, hi float64) {
	hi = p.least
	for i := range a.Decisions {
		d := &a.Decisions[i]
		for j := range a.Jacobian.Rows {
			if v, ok := p.value(a, d, j); ok {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if hi-lo == 0 {
		hi = 1
	}
	room := float64(0.06 * (hi - lo))
	if lo < 0 {
		lo -= room
	}
	return lo, hi + room
}

func (p *bars) draw(b *brush.Brush) {
	a, t := p.scene.current(), b.Theme
	m := a.Jacobian.Rows
	xmin, xmax, _, _ := b.Bounds()
	pixel := (xmax - xmin) / float64(b.Canvas.Size().X)
	for i := range a.Decisions {
		d := &a.Decisions[i]
		y := place(a, i)
		if i > 0 {
			b.Line(2, func(k int) (float64, float64) { return []float64{xmin, xmax}[k], y + 0.5 }, brush.Stroke{Color: t.Hairline, Width: 1})
		}
		for j := range m {
			v, ok := p.value(a, d, j)
			if !ok {
				continue
			}
			high := y + 0.4 - 0.8*float64(j)/float64(m)
			low := high - float64(0.8/float64(m)*0.85)
			b.Box(0, low, v, high, t.Objective(j, m))
			radius := max(3.5, min(0.5*math.Abs(float64(b.At(0, high).Y-b.At(0, low).Y)), 7))
			inside := max(xmin+float64(3*radius*pixel), min(v, xmax-float64(3*radius*pixel)))
			if v >= xmin && v <= xmax {
				inside = v
			}
			b.Marker(inside, (low+high)/2, objectiveShapes[j], vg.Length(radius), t.Objective(j, m), true)
			// Mark a bar that continues beyond the axis.
			switch middle := (low + high) / 2; {
			case v > xmax:
				b.ArrowHead(xmax-float64(0.002*(xmax-xmin)), middle, 0, t.Ink)
			case v < xmin:
				b.ArrowHead(xmin+float64(0.002*(xmax-xmin)), middle, math.Pi, t.Ink)
			}
			if p.mark != nil && p.mark(a, d, j) {
				const cross = 3.5
				away := float64((radius + 6) * pixel)
				at := v + away
				if at+float64(cross*pixel) > xmax { // no room beyond the bar; the other side of 0 is empty
					at = -away
				}
				b.Marker(at, (low+high)/2, brush.Cross, cross, t.Ink, false)
			}
		}
		notes := p.note(a, d)
		if p.full != nil && len(notes) == 0 && b.Frame.Detail == brush.Full {
			notes = p.full(a, d)
		}
		if len(notes) > 0 {
			const letter, share = 5, 0.5 // pixels per letter, and the share of the bars that notes may cover
			at, width := 0, float64(b.Canvas.Size().X)
			for at < len(notes)-1 && letter*float64(utf8.RuneCountInString(notes[at])) > share*width {
				at++
			}
			b.Label(xmax, y, notes[at], brush.SmallText, t.Muted, brush.LeftOf)
		}
	}
	b.VLine(0, brush.Stroke{Color: t.Rule, Width: 1})
}

// objectiveLegend returns the legend entries of the objectives.
func (s *Scene) objectiveLegend(t *brush.Theme, more ...axes.Entry) []axes.Entry {
	a := s.current()
	if s.waiting() != "" || a.Jacobian.Rows > maxBars {
		return nil
	}
	var out []axes.Entry
	for i := range a.Jacobian.Rows {
		out = append(out, axes.Entry{Label: objective(i), Stroke: brush.Stroke{Color: t.Objective(i, a.Jacobian.Rows), Width: 4},
			Shape: objectiveShapes[i], Fill: t.Objective(i, a.Jacobian.Rows)})
	}
	return append(out, more...)
}

// methodMap is a heat map with a row for each method and a column for each gradient.
type methodMap struct {
	kinds.HeatMap
	axis     string                              // label of the columns
	rowNames func(a *analysis.Analysis) []string // from bottom to top
}

// groups returns a panel of bars, or a matrix if there are too many objectives.
func (s *Scene) groups(name, heading, label string, p *bars, m methodMap, more func(t *brush.Theme) []axes.Entry) *axes.Plane {
	p.scene = s
	s.charts = append(s.charts, p)
	wide := func() bool { return s.current().Jacobian.Rows > maxBars }
	out := &axes.Plane{Name: name, Heading: heading}
	out.Axes = func() (axes.Axis, axes.Axis) {
		if s.waiting() != "" {
			return nothing, nothing
		}
		a := s.current()
		if wide() {
			x := axes.NumberedAxis(a.Jacobian.Rows, "g", false)
			x.Label = m.axis
			return x, axes.Axis{Categories: m.rowNames(a)}
		}
		lo, hi := p.shown(a)
		return axes.Axis{Label: label, Min: lo, Max: hi}, axes.Axis{Categories: methodNames(a)}
	}
	out.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Key: s.sheetKey(), Draw: func(b *brush.Brush) {
			switch {
			case s.waiting() != "":
				s.drawWaiting(b)
			case wide():
				m.Draw(b, len(s.current().Decisions), s.current().Jacobian.Rows)
			default:
				p.draw(b)
			}
		}}}
	}
	out.Legend = func(t *brush.Theme) []axes.Entry {
		if s.waiting() == "" && wide() {
			return m.Legend(t)
		}
		return s.objectiveLegend(t, more(t)...)
	}
	out.Key = func(t *brush.Theme) []axes.Entry {
		if s.waiting() == "" && wide() {
			return m.Legend(t)
		}
		out := s.objectiveLegend(t)
		for i := range out {
			out[i].Stroke = brush.Stroke{} // there is room only for the symbol
		}
		return out
	}
	return out
}

func (s *Scene) drawWaiting(b *brush.Brush) {
	b.Text(0, 0, s.waiting(), brush.HeadingText, b.Theme.Muted, brush.Centred)
}

// maxNoted is the maximum length of a list of numbers beside a bar.
const maxNoted = 3

// weightsPanel shows the effective weights, which are the coefficients of the direction. If their sum is not 1, the
// panel shows them as shares. If the method's own weights differ, the panel also shows those.
func (s *Scene) weightsPanel() axes.Panel {
	value := func(_ *analysis.Analysis, d *analysis.Decision, i int) (float64, bool) {
		v, _, ok := d.Share(i)
		return v, ok && d.Decided()
	}
	p := &bars{value: value, least: 1, note: func(_ *analysis.Analysis, d *analysis.Decision) []string {
		_, _, ok := d.Share(0)
		switch {
		case d.Err != nil:
			return []string{"rejects these values"}
		case d.Status == algo.NoSolution:
			return []string{"no solution here"}
		case d.Status == algo.Diverged:
			return []string{"not finite here"}
		case !ok:
			return []string{"direction without weights"}
		}
		return nil
	}, full: func(_ *analysis.Analysis, d *analysis.Decision) []string {
		var sum []string
		if _, total, _ := d.Share(0); math.Abs(total-1) > analysis.Tolerance {
			sum = []string{"weights sum to " + timeline.Number(total)}
		}
		if !d.Differ() {
			return sum
		}
		const short = "its own weights differ"
		if len(d.Weights) > maxNoted {
			return []string{strings.Join(append(sum, short), ", "), short}
		}
		own := "its own weights λ = " + timeline.Vector(d.Weights)
		return []string{strings.Join(append(sum, own), ", "), own, short}
	}}
	m := methodMap{HeatMap: kinds.HeatMap{
		Value: func(r, c int) float64 {
			d := &s.current().Decisions[r]
			if d.Err != nil || d.Effective == nil {
				return math.NaN()
			}
			largest := 0.0
			for _, w := range d.Effective {
				largest = max(largest, math.Abs(w))
			}
			if largest == 0 {
				return 0
			}
			return math.Abs(d.Effective[c]) / largest
		},
		Low: 0, High: 1, LowText: "0", HighText: "the method’s largest weight"},
		axis: "gradient", rowNames: methodNames,
	}
	out := s.groups("weights", "The weights behind each direction", "share of the weight", p, m,
		func(*brush.Theme) []axes.Entry { return nil })
	out.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		a := s.current()
		var said []string
		for i := range a.Decisions {
			d := &a.Decisions[i]
			switch out := d.LeftOut(); {
			case !d.Decided():
				said = append(said, d.Method.Title+": "+d.StatusText())
			case d.Effective == nil:
				said = append(said, d.Method.Title+" has no weights")
			case len(d.Effective) > maxBars:
				said = append(said, fmt.Sprintf("%s gives weight to %d of %d objectives", d.Method.Title, nonZero(d.Effective), len(d.Effective)))
			case len(out) > 0:
				said = append(said, d.Method.Title+" leaves out "+numbered(out))
			}
			if d.Decided() && d.Effective != nil && len(d.Effective) <= maxBars && d.Differ() {
				said = append(said, d.Method.Title+" has its own weights λ, which differ from c")
			}
		}
		if said == nil {
			return "Every method gives weight to all objectives."
		}
		return strings.Join(said, "; ") + "."
	}
	return out
}

func nonZero(v []float64) int {
	n := 0
	for _, x := range v {
		if x != 0 {
			n++
		}
	}
	return n
}

// largestShown is the largest change that is drawn as a bar. Axes must extend beyond it.
const largestShown = 1e300

// changePanel shows how much one step changes every objective, to first order.
func (s *Scene) changePanel() axes.Panel {
	value := func(a *analysis.Analysis, d *analysis.Decision, i int) (float64, bool) {
		if !d.Decided() {
			return 0, false
		}
		v := s.change(a, d, i)
		return v, math.Abs(v) <= largestShown
	}
	p := &bars{value: value, mark: (*analysis.Analysis).Worse, note: func(a *analysis.Analysis, d *analysis.Decision) []string {
		var largest float64
		for i := range d.Slopes {
			largest = max(largest, math.Abs(s.change(a, d, i)))
		}
		switch {
		case d.Err != nil:
			return []string{"rejects these values"}
		case d.Status == algo.NoSolution:
			return []string{"no solution here: no step"}
		case d.Status == algo.Diverged:
			return []string{"not finite here: no step"}
		case d.Size <= a.Rest():
			return []string{"takes no step"}
		case largest > largestShown:
			return []string{"too large to show"}
		case largest == 0 && floats.Norm(d.Slopes, math.Inf(1)) > 0:
			return []string{"too small to show"}
		}
		return nil
	}}
	m := methodMap{HeatMap: kinds.HeatMap{
		Value: func(r, c int) float64 {
			if d := &s.current().Decisions[r]; d.Err == nil {
				return analysis.Degrees(d.Cosines[c])
			}
			return math.NaN()
		},
		Flag: func(r, c int) bool {
			a := s.current()
			return a.Decisions[r].Err == nil && a.Worse(&a.Decisions[r], c)
		},
		Low: 180, High: 0, LowText: "180°", HighText: "0°", FlagText: "gets worse", Degrees: true},
		axis: "angle between the direction and each gradient", rowNames: func(a *analysis.Analysis) []string {
			names := methodNames(a)
			for i := range a.Decisions {
				if d := &a.Decisions[i]; d.Err == nil {
					names[len(names)-1-i] += fmt.Sprintf(": %d worse", a.WorseCount(d))
				}
			}
			return names
		},
	}
	out := s.groups("change", "How a step changes each objective", "left of 0: better", p, m, func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "gets worse", Shape: brush.Cross, Fill: t.Ink}}
	})
	out.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		return worseWords(s.current()) + " The changes are first-order estimates."
	}
	return out
}
