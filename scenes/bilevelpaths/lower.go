package bilevelpaths

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// momentHandle is the ID of the handle that moves the moment of the step.
const momentHandle = "moment"

// window returns the part of the plane of ω that the panel must show. If the panel's aspect ratio differs from the
// window's, the panel shows more.
func (s *Scene) window() (x0, x1, y0, y1 float64) {
	t := s.step()
	if s.values.Zoom == zoomWhole || t == nil {
		return s.lo, s.hi, s.lo, s.hi
	}
	target := s.near(t)
	reach := target.distance(t.omega)
	for _, p := range t.loop {
		reach = math.Max(reach, target.distance(p))
	}
	if t.made {
		reach = math.Max(reach, target.distance(vector(t.to[1:])))
		if next := s.bottom(t.to[0], target); next[0]-next[0] == 0 {
			reach = math.Max(reach, target.distance(next))
		}
	}
	reach = niceReach(reach)
	return target[0] - reach, target[0] + reach, target[1] - reach, target[1] + reach
}

// near returns the bottom of the valley in which a step starts, or the step's start if there is no bottom.
func (s *Scene) near(t *step) vector {
	if bottom := s.bottom(t.alpha, t.omega); bottom[0]-bottom[0] == 0 {
		return bottom
	}
	return t.omega
}

// Margins for text above and below the window, relative to the window's height.
const wordsAbove, wordsBelow = 0.2, 0.2

// niceReach rounds a size up to a round number, so that axes rarely change.
func niceReach(size float64) float64 {
	const least, limit = 1e-3, 1e250 // below least, tick labels would be too long
	return axes.RoundUp(math.Max(least, math.Min(1.1*size, limit)), 1, 1.5, 2, 3, 5, 7)
}

// alphaHandle is the ID of the handle that moves the valley. It sets α of the selected run's start.
const alphaHandle = "alpha"

// valleyGrip returns the handle of the valley. It exists only at k = 0, where the step starts at a start point.
func (s *Scene) valleyGrip(t *step) (axes.Grip, bool) {
	if t.k > 0 || s.own() { // a custom valley does not follow the pointer
		return axes.Grip{}, false
	}
	key := 0.05 * (s.hi - s.lo)
	return axes.Grip{ID: alphaHandle, Label: fmt.Sprintf("α of start point %d: moves the valley", t.run.StartIndex()+1),
		Value: "α = " + numeral.Fixed(t.alpha, 2), Run: t.run.Name(), X: t.alpha, Y: t.alpha, StepX: key, StepY: key,
		Look: brush.Look{Shape: brush.Plus}}, true
}

// dragValley sets α of the selected run's start so that the valley's bottom is as near as possible to a point.
func (s *Scene) dragValley(x, y float64) (name, text string) {
	t := s.step()
	if t == nil || s.own() {
		return "", ""
	}
	return s.values.Drag(s.Params(), runs.StartHandle(t.run.StartIndex()), s.starts, func(z []float64) { z[0] = (x + y) / 2 })
}

// momentAt returns the moment for a position on the horizontal axis of the plane of ω.
func (s *Scene) momentAt(x float64) float64 {
	x0, x1, _, _ := s.window()
	return moments * share((x-x0)/(x1-x0), 0)
}

// lowerPanel returns the panel of the plane of ω for the selected run: the lower level's valley, its loop, and the
// parts of the step.
func (s *Scene) lowerPanel() axes.Panel {
	p := &axes.Plane{Name: "lower", Heading: "One step in the plane of ω", Equal: true}
	p.Axes = func() (axes.Axis, axes.Axis) {
		x0, x1, y0, y1 := s.window()
		// Leave room for text above the window, and for the stages below it.
		height := y1 - y0
		return axes.Axis{Min: x0, Max: x1}.Named("what settles, 1", "ω_{1}"),
			axes.Axis{Min: y0 - float64(wordsBelow*height), Max: y1 + float64(wordsAbove*height)}.Named("what settles, 2", "ω_{2}")
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawLower}} }
	p.Grips = func() []axes.Grip {
		t := s.step()
		if t == nil {
			return nil
		}
		// Place the handle far below the window, so that every panel shows it at its lower edge.
		x0, x1, y0, y1 := s.window()
		grips := []axes.Grip{{ID: momentHandle, Label: "moment of the step", Value: s.stageText(t),
			X: x0 + float64((x1-x0)*s.values.Moment/moments), Y: y0 - float64(100*(y1-y0)), StepX: 0.1 * (x1 - x0) / moments}}
		if valley, there := s.valleyGrip(t); there {
			grips = append(grips, valley)
		}
		return grips
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		out := []axes.Entry{
			{Label: "loop", Shape: brush.Circle, Fill: t.Ink},
			{Label: "bottom ω*(α)", Shape: brush.Plus, Fill: t.Ink},
			{Label: "step", Stroke: stepStroke(t, r.Method)},
			{Label: "best for a goal F", Shape: brush.RingDiamond, Fill: t.Objective(0, 2)},
		}
		if s.own() {
			return out[:3]
		}
		return out
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil || s.own() {
			return nil
		}
		return []axes.Entry{
			{Label: "step of the thick path", Stroke: stepStroke(t, r.Method)},
			{Label: "bottom", Shape: brush.Plus, Fill: t.Ink},
			{Label: "best for a goal", Shape: brush.RingDiamond, Fill: t.Objective(0, 2)},
			{Label: "solutions", Stroke: brush.Stroke{Color: t.Optimum, Width: 8}},
		}
	}
	p.Text = func() string {
		t := s.step()
		if t == nil {
			return "No run."
		}
		finding := "The lower level is above the bottom of its valley"
		bottom := s.bottom(t.alpha, t.omega)
		if bottom[0]-bottom[0] != 0 {
			finding = "The bottom of the lower level’s valley was not found"
		} else if t.omega.distance(bottom) <= nearby {
			finding = "The lower level is at the bottom of its valley"
		}
		shape := "The valley is round, and α moves"
		if s.own() {
			shape = "α moves"
		}
		return fmt.Sprintf("%s: %s. %s its bottom along the dashed line. Shown: %s; %s.", t.title(), finding, shape, s.stageText(t),
			s.slopesAt(t).text())
	}
	return p
}

// title returns the names of the run and the step.
func (t *step) title() string { return fmt.Sprintf("%s, step from k = %d", t.run.Label(), t.k) }

func stepStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: t.Look(method).Hue, Width: 3}
}

// valley lists the radii of the contours of f in the plane of ω, relative to the window's size.
var valley = [...]float64{1.4, 1.1, 0.85, 0.625, 0.425, 0.25, 0.1}

func (s *Scene) drawLower(b *brush.Brush) {
	t := s.step()
	if t == nil {
		return
	}
	names := axes.NewNames(b)
	area := b.Canvas
	// Keep names clear of the text at the top and the stages at the bottom.
	names.Keep(vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: area.Max.Y - 40}, Max: vg.Point{X: area.Min.X + 190, Y: area.Max.Y}})
	names.Keep(vg.Rectangle{Min: area.Min, Max: vg.Point{X: area.Max.X, Y: area.Min.Y + 28}})
	moment := s.values.Moment
	weighs := moment > stageWeights && moment <= stageStep && t.made && t.family != interiorPoint &&
		(t.lambda != nil || t.family == differentiated)
	var chart axes.Inset
	if weighs {
		avoided := [][2]float64{t.omega, t.end(), s.near(t)}
		if !s.own() {
			avoided = append(avoided, vector{firstOptimum, t.alpha}, vector{secondOptimum, t.alpha})
		}
		chart = axes.NewInset(b, avoided...)
		names.Keep(chart.Frame())
	}
	s.drawLandscape(b, t)
	if moment > stageSlope && t.made {
		s.drawSlope(names, b, t)
	}
	s.drawLoop(names, b, t)
	if moment > stageStep && t.made {
		s.drawStep(names, b, t)
	}
	points := []axes.Name{
		{X: t.omega[0], Y: t.omega[1], Text: "ω_k", Sides: []brush.Align{{X: -1, Y: 1}, {X: -1}, {Y: 1}, {X: 1, Y: 1}}},
	}
	bottom := s.bottom(t.alpha, t.omega)
	found := bottom[0]-bottom[0] == 0
	if found {
		points = append(points, axes.Name{X: bottom[0], Y: bottom[1], Text: "ω*", Sides: axes.Downward})
	}
	if t.looped(moment) == t.steps {
		end := t.end()
		points = append(points, axes.Name{X: end[0], Y: end[1], Text: "ω̃^T", Sides: axes.Rightward})
	}
	if !s.own() {
		for i := range 2 {
			points = append(points, axes.Name{X: float64(firstOptimum + i), Y: t.alpha, Text: fmt.Sprintf("F_%d", i+1), Sides: axes.Downward})
		}
	}
	names.PutPoints(points)
	names.Draw()
	look := b.Theme.Look(t.run.Method)
	b.Marker(t.omega[0], t.omega[1], look.Shape, 6, look.Hue, true)
	if found { // drawn on top of the run, which comes to rest there
		b.Marker(bottom[0], bottom[1], brush.Plus, 4, b.Theme.Ink, true)
	}
	if weighs {
		s.drawDual(chart, t)
	}
	s.drawStages(b, t)
}

// drawLandscape draws the lower level's valley and the optima of both levels.
func (s *Scene) drawLandscape(b *brush.Brush, t *step) {
	if s.own() {
		s.drawOwnLandscape(b, t)
		return
	}
	theme := b.Theme
	x0, x1, y0, y1 := b.Bounds()
	a := t.alpha
	w0, w1, _, _ := s.window()
	b.Box(x0, y0, x1, y1, theme.Field(1))
	for i, r := range valley {
		radius := r * (w1 - w0)
		at := func(i int) (float64, float64) { p := circle(a, radius, i); return p[0], p[1] }
		b.Polygon(circlePoints, at, theme.Field(1-float64(i+1)/float64(len(valley))))
		b.Line(circlePoints+1, at, brush.Stroke{Color: brush.Faded(theme.Rule, 0.5), Width: 0.75})
	}
	// For every α, the bottom of the valley is at (α, α). Draw the line of these bottoms.
	from, to := math.Min(x0, y0), math.Max(x1, y1)
	b.Line(2, func(i int) (float64, float64) { v := [2]float64{from, to}[i]; return v, v },
		brush.Stroke{Color: theme.Ink, Width: 1, Dash: []vg.Length{6, 3}})
	optima := [2]float64{firstOptimum, secondOptimum}
	b.Line(2, func(i int) (float64, float64) { return optima[i], optima[i] }, brush.Stroke{Color: theme.Optimum, Width: 11})
	b.Line(2, func(i int) (float64, float64) { return optima[i], a }, brush.Stroke{Color: theme.Rule, Width: 1})
	for i, x := range optima {
		b.Marker(x, a, brush.RingDiamond, 4, theme.Objective(i, 2), true)
	}
}

// drawLoop draws the lower level's loop up to the moment, and the backward pass through it.
func (s *Scene) drawLoop(names *axes.Names, b *brush.Brush, t *step) {
	moment, theme := s.values.Moment, b.Theme
	made := t.looped(moment)
	for _, p := range apart(b, t.loop[:made+1]) {
		b.Marker(p[0], p[1], brush.Circle, 2, theme.Ink, false)
	}
	if made == t.steps {
		end := t.end()
		b.Marker(end[0], end[1], brush.Ring, 4.5, theme.Ink, false)
	}
	if t.family != differentiated || !t.made || moment <= stageSlope || moment > stageWeights {
		return
	}
	n := int(math.Round(share(moment, stageSlope) * float64(t.steps)))
	from := t.loop[t.steps-n]
	for _, p := range apart(b, t.loop[t.steps-n:]) {
		b.Marker(p[0], p[1], brush.Ring, 3, theme.Look(t.run.Method).Hue, false)
	}
	for i := range t.back {
		names.Arrow(from, from.plus(t.back[i][n].times(-arrowScale)), fmt.Sprintf("−v_%d", i+1),
			brush.Stroke{Color: theme.Objective(i, 2), Width: 2})
	}
}

// apart returns points without the first one, and without points that would overlap the previous one.
func apart(b *brush.Brush, points []vector) []vector {
	const least = 1.5 // pixels
	var out []vector
	at := b.At(points[0][0], points[0][1])
	for _, p := range points[1:] {
		q := b.At(p[0], p[1])
		if d := q.Sub(at); portable.Hypot(float64(d.X), float64(d.Y)) >= least {
			out, at = append(out, p), q
		}
	}
	return out
}

// arrowScale is the scale of drawn vectors that are not part of a step.
const arrowScale = 0.3

// drawSlope draws the direction of descent of q̃, or of the barrier.
func (s *Scene) drawSlope(names *axes.Names, b *brush.Brush, t *step) {
	theme := b.Theme
	switch t.family {
	case valueFunction:
		if s.values.Moment > stageStep {
			return // drawStep draws the part that the step uses
		}
		names.Arrow(t.omega, t.omega.plus(vector{t.slope[1], t.slope[2]}.times(-t.mu[1])), "−μ∇q̃", pullStroke(theme))
		if s.values.Moment > stageWeights {
			for i, g := range t.upper {
				names.Arrow(t.omega, t.omega.plus(vector{g[1], g[2]}.times(-t.mu[1])), fmt.Sprintf("−μ∇F_%d", i+1),
					brush.Stroke{Color: theme.Objective(i, 2), Width: 2})
			}
		}
	case interiorPoint:
		radius := math.Sqrt(t.bound)
		if s.own() {
			b.Contours(s.parts(), s.parts(), func(x, y float64) float64 { return s.lowerAt(t.alpha, vector{x, y}) }, []float64{t.bound},
				pullStroke(theme))
		} else {
			b.Line(circlePoints+1, func(i int) (float64, float64) { p := circle(t.alpha, radius, i); return p[0], p[1] }, pullStroke(theme))
		}
		b.Marker(t.to[1], t.to[2], brush.Diamond, 4, theme.Look(t.run.Method).Hue, true)
	}
}

// pullStroke returns the stroke for the constraint's effect.
func pullStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 2, Dash: []vg.Length{4, 3}}
}

// acrossStroke returns the stroke for the objectives' part of a step.
func acrossStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Ink, Width: 1.5} }

// drawStep draws the step in ω with its parts, and how the step moves α and thus the valley.
func (s *Scene) drawStep(names *axes.Names, b *brush.Brush, t *step) {
	theme := b.Theme
	to := vector(t.to[1:])
	b.Arrow(t.omega[0], t.omega[1], to[0], to[1], stepStroke(theme, t.run.Method))
	if t.family == valueFunction {
		d := t.weighted(t.weights)
		across := t.omega.plus(vector{d[1], d[2]}.times(-t.mu[1]))
		if t.nu > 0 {
			names.Arrow(across, across.plus(vector{t.slope[1], t.slope[2]}.times(-t.mu[1]*t.nu)), "−μν∇q̃", pullStroke(theme))
		}
		names.Arrow(t.omega, across, "−μΣλ̃∇F", acrossStroke(theme))
	}
	thin := stepStroke(theme, t.run.Method)
	thin.Width = 1.5
	if here, there := s.bottom(t.alpha, t.omega), s.bottom(t.to[0], to); here[0]-here[0] == 0 && there[0]-there[0] == 0 {
		b.Arrow(here[0], here[1], there[0], there[1], thin)
	}
}
