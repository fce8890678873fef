package bilevel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/timeline"
)

// Moments at which the stages of a step begin; the first is the lower level's loop.
const (
	stageSlope   = 1 // ∇q̃, or the way back through the loop
	stageWeights = 2
	stageStep    = 3
)

// stageNames are what the stages are called.
var stageNames = map[family][moments]string{
	another:        {"loop", "direction", "weights", "step"},
	valueFunction:  {"loop", "slope", "weights", "step"},
	differentiated: {"loop", "way back", "weights", "step"},
	interiorPoint:  {"loop", "barrier", "pull", "step"},
}

// share is how much of a stage has passed, from 0 to 1.
func share(moment, stage float64) float64 { return math.Max(0, math.Min(moment-stage, 1)) }

// looped is how many steps the lower level's loop has made at a moment.
func (t *step) looped(moment float64) int {
	return min(int(math.Round(share(moment, 0)*float64(t.steps))), len(t.loop)-1)
}

// momentHandle is the handle by which the moment of the step is moved.
const momentHandle = "moment"

// window is the part of the plane of ω that is asked for; the panel shows more where
// its shape is another.
func (s *Scene) window() (x0, x1, y0, y1 float64) {
	t := s.step()
	if s.values.Zoom == zoomWhole || t == nil {
		return s.lo, s.hi, s.lo, s.hi
	}
	target := vector{t.alpha, t.alpha}
	reach := target.distance(t.omega)
	for _, p := range t.loop {
		reach = math.Max(reach, target.distance(p))
	}
	if t.made {
		reach = math.Max(reach, target.distance(vector(t.to[1:])))
		reach = math.Max(reach, target.distance(vector{t.to[0], t.to[0]}))
	}
	reach = niceReach(reach)
	return t.alpha - reach, t.alpha + reach, t.alpha - reach, t.alpha + reach
}

// Room for words above and below the window, in its heights.
const wordsAbove, wordsBelow = 0.2, 0.2

// niceReach rounds a size up to one of a few round numbers, so that axes change
// seldom.
func niceReach(size float64) float64 {
	const least, most = 1e-9, 1e250
	size = math.Max(least, math.Min(1.1*size, most))
	power := math.Pow(10, math.Floor(math.Log10(size)))
	for _, m := range []float64{1, 1.5, 2, 3, 5, 7} {
		if m*power >= size {
			return m * power
		}
	}
	return 10 * power
}

// alphaHandle is the handle by which the valley is moved: α of the selected run's start.
const alphaHandle = "alpha"

// valleyGrip is where the valley is taken hold of. Only at k = 0 its bottom is that of a
// start.
func (s *Scene) valleyGrip(t *step) (panel.Grip, bool) {
	if t.k > 0 {
		return panel.Grip{}, false
	}
	key := 0.04 * (s.hi - s.lo)
	return panel.Grip{ID: alphaHandle, Label: fmt.Sprintf("α of start point %d: moves the valley", t.run.StartIndex()+1),
		Value: fmt.Sprintf("α = %.2f", t.alpha), Run: t.run.Name(), X: t.alpha, Y: t.alpha, StepX: key, StepY: key,
		Look: panel.Look{Shape: panel.Plus}}, true
}

// dragValley moves the start of the selected run to the valley whose bottom is nearest to
// a point.
func (s *Scene) dragValley(x, y float64) (name, text string) {
	t := s.step()
	if t == nil {
		return "", ""
	}
	return s.values.Drag(s.Params(), race.StartHandle(t.run.StartIndex()), s.starts, func(z []float64) { z[0] = (x + y) / 2 })
}

// momentAt is the moment at a place on the horizontal axis of the plane of ω.
func (s *Scene) momentAt(x float64) float64 {
	x0, x1, _, _ := s.window()
	return moments * share((x-x0)/(x1-x0), 0)
}

// lowerPanel shows the plane of ω for the selected run: the lower level's valley,
// its loop, and how the step comes about.
func (s *Scene) lowerPanel() panel.Panel {
	p := &panel.Plane{Name: "lower", Heading: "One step in the plane of ω", Equal: true}
	p.Axes = func() (panel.Axis, panel.Axis) {
		x0, x1, y0, y1 := s.window()
		// Words stand above what is asked for, and the stages below.
		height := y1 - y0
		return panel.Axis{Label: "ω_1", Min: x0, Max: x1}, panel.Axis{Label: "ω_2", Min: y0 - wordsBelow*height, Max: y1 + wordsAbove*height}
	}
	p.Sheets = func() []panel.Sheet { return []panel.Sheet{{Draw: s.drawLower}} }
	p.Grips = func() []panel.Grip {
		t := s.step()
		if t == nil {
			return nil
		}
		// Far below, which is at the lower edge whatever the panel's shape.
		x0, x1, y0, y1 := s.window()
		grips := []panel.Grip{{ID: momentHandle, Label: "moment of the step", Value: s.stageText(t),
			X: x0 + (x1-x0)*s.values.Moment/moments, Y: y0 - 100*(y1-y0), StepX: 0.1 * (x1 - x0) / moments}}
		if valley, there := s.valleyGrip(t); there {
			grips = append(grips, valley)
		}
		return grips
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		return []panel.Entry{
			{Label: "loop", Shape: panel.Circle, Fill: t.Ink},
			{Label: "bottom ω*(α)", Shape: panel.Plus, Fill: t.Ink},
			{Label: "best for a goal F", Shape: panel.RingDiamond, Fill: t.Objective(0, 2)},
			{Label: "step", Stroke: stepStroke(t, r.Method)},
		}
	}
	p.Text = func() string {
		t := s.step()
		if t == nil {
			return "No run."
		}
		finding := "The lower level lies above the bottom of its valley"
		if t.omega.distance(vector{t.alpha, t.alpha}) <= nearby {
			finding = "The lower level lies at the bottom of its valley"
		}
		return fmt.Sprintf("%s: %s. The valley is round, and α moves its bottom along the dashed line. Shown: %s; %s.", t.title(), finding,
			s.stageText(t), s.slopesAt(t).text())
	}
	return p
}

// title names the run and the step.
func (t *step) title() string { return fmt.Sprintf("%s, step from k = %d", t.run.Label(), t.k) }

func stepStroke(t *panel.Theme, method string) panel.Stroke {
	return panel.Stroke{Color: t.Look(method).Hue, Width: 3}
}

// stageText says what the moment shows, with the numbers.
func (s *Scene) stageText(t *step) string {
	moment := s.values.Moment
	number := timeline.Number
	if !t.made {
		return fmt.Sprintf("loop, %d of %d steps; no step can be made", t.looped(moment), t.steps)
	}
	switch {
	case moment <= stageSlope:
		return fmt.Sprintf("loop: t = %d of T = %d", t.looped(moment), t.steps)
	case moment <= stageWeights:
		switch t.family {
		case valueFunction:
			return fmt.Sprintf("q̃ = %s, φ = %s", short(t.q), short(t.phi))
		case differentiated:
			n := int(math.Round(share(moment, stageSlope) * float64(t.steps)))
			return fmt.Sprintf("back %d of %d steps: %d HVP", n, t.steps, t.products(n))
		case interiorPoint:
			return fmt.Sprintf("barrier where f = %s", short(t.bound))
		}
		return fmt.Sprintf("after %d steps of the loop", t.steps)
	case moment <= stageStep:
		switch {
		case t.family == differentiated:
			return fmt.Sprintf("h = %s, λ = %s", pair(t.hyper[:]), pair(t.weights))
		case t.lambda != nil:
			return fmt.Sprintf("λ = %s, λ̃ = %s, ν = %s", pair(t.lambda), pair(t.weights), short(t.nu))
		case t.family == another:
			return "λ = " + pair(t.weights)
		}
		return "ν = " + short(t.nu)
	}
	switch t.family {
	case valueFunction:
		if t.nu == 0 {
			return "down the weighted goals; no pull, ν = 0"
		}
		return fmt.Sprintf("down the weighted goals, pulled by ν = %s", short(t.nu))
	case differentiated:
		return fmt.Sprintf("α from %s to %s, ω to the loop’s end", number(t.alpha), number(t.to[0]))
	}
	return fmt.Sprintf("α from %s to %s", number(t.alpha), number(t.to[0]))
}

// short writes a number in three digits.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if size := math.Abs(v); size >= 0.01 && size < 1000 || v == 0 {
		return minus(fmt.Sprintf("%.3g", v))
	}
	return minus(fmt.Sprintf("%.1e", v))
}

func pair(v []float64) string {
	if len(v) != 2 {
		return "–"
	}
	return "(" + short(v[0]) + ", " + short(v[1]) + ")"
}

// minus writes the sign as wide as a digit.
func minus(text string) string {
	if text[0] == '-' {
		return "−" + text[1:]
	}
	return text
}

// labels are names beside points. Those that would lie on others are left out; the
// rest is written at the end, above everything.
type labels struct {
	b     *panel.Brush
	taken []vg.Rectangle
	names []func()
}

// keep reserves a place in pixels.
func (l *labels) keep(area vg.Rectangle) { l.taken = append(l.taken, area) }

// keepPoint reserves the place of a marker.
func (l *labels) keepPoint(p vector) {
	const half = 6 // pixels, of the largest markers
	at := l.b.At(p[0], p[1])
	l.keep(vg.Rectangle{Min: at.Sub(vg.Point{X: half, Y: half}), Max: at.Add(vg.Point{X: half, Y: half})})
}

// write writes the names.
func (l *labels) write() {
	for _, name := range l.names {
		name()
	}
}

// name is one of a point, with the sides of it that are tried in turn.
type name struct {
	at    vector
	text  string
	sides []panel.Align
}

// together are the names, those of points that lie on each other as one.
func together(b *panel.Brush, all []name) []name {
	const near = 14 // pixels: names stand clear of points that are farther apart
	var out []name
	for _, n := range all {
		at := b.At(n.at[0], n.at[1])
		i := slices.IndexFunc(out, func(o name) bool {
			d := b.At(o.at[0], o.at[1]).Sub(at)
			return math.Hypot(float64(d.X), float64(d.Y)) < near
		})
		if i < 0 {
			out = append(out, n)
		} else {
			out[i].text += ", " + n.text
		}
	}
	return out
}

// put places a name where there is room for it.
func (l *labels) put(p vector, text string, size vg.Length, sides ...panel.Align) {
	// The patch of paper that Brush.Label draws, with letters of a usual width.
	const away, letter, capital = 5, 0.6, 0.69
	const further = 4 // pixels, past the marker of the point
	wide, high := letter*size*vg.Length(len([]rune(text))), capital*size
	for _, side := range sides {
		at := l.b.At(p[0], p[1]).Add(vg.Point{X: vg.Length(side.X), Y: vg.Length(side.Y)}.Scale(further))
		left := at.X + vg.Length(side.X)*away + vg.Length(side.X-1)/2*wide
		base := at.Y + vg.Length(side.Y)*away + vg.Length(side.Y-1)/2*high
		area := vg.Rectangle{Min: vg.Point{X: left - 3, Y: base - 0.28*size}, Max: vg.Point{X: left + wide + 3, Y: base + high + 0.2*size}}
		if slices.ContainsFunc(l.taken, func(r vg.Rectangle) bool {
			return area.Min.X < r.Max.X && r.Min.X < area.Max.X && area.Min.Y < r.Max.Y && r.Min.Y < area.Max.Y
		}) {
			continue
		}
		l.keep(area)
		l.names = append(l.names, func() {
			x, y := l.b.World(at)
			l.b.Label(x, y, text, size, l.b.Theme.Ink, side)
		})
		return
	}
}

// The sides of a point, the preferred ones first.
var (
	rightward = []panel.Align{{X: 1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {Y: 1}, {Y: -1}, {X: -1}}
	upward    = []panel.Align{{Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	downward  = []panel.Align{{Y: -1}, {X: 1, Y: -1}, {X: -1, Y: -1}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1}}
)

// valley are the radii of the contours of f in the plane of ω, in windows.
var valley = [...]float64{1.4, 1.1, 0.85, 0.625, 0.425, 0.25, 0.1}

func (s *Scene) drawLower(b *panel.Brush) {
	t := s.step()
	if t == nil {
		return
	}
	l := &labels{b: b}
	area := b.Canvas
	l.keep(vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: area.Max.Y - 40}, Max: vg.Point{X: area.Min.X + 190, Y: area.Max.Y}}) // what is shown
	l.keep(vg.Rectangle{Min: area.Min, Max: vg.Point{X: area.Max.X, Y: area.Min.Y + 28}})                                     // the stages
	moment := s.values.Moment
	weighs := moment > stageWeights && moment <= stageStep && t.made && t.family != interiorPoint &&
		(t.lambda != nil || t.family == differentiated)
	var chart inset
	if weighs {
		chart = newInset(b, t.omega, t.end(), vector{t.alpha, t.alpha}, vector{1, t.alpha}, vector{2, t.alpha})
		l.keep(chart.frame())
	}
	s.drawLandscape(b, t)
	if moment > stageSlope && t.made {
		s.drawSlope(l, t)
	}
	s.drawLoop(l, t)
	if moment > stageStep && t.made {
		s.drawStep(l, t)
	}
	named := []name{
		{t.omega, "ω_k", []panel.Align{{X: -1, Y: 1}, {X: -1}, {Y: 1}, {X: 1, Y: 1}}},
		{vector{t.alpha, t.alpha}, "ω*", downward},
	}
	if t.looped(moment) == t.steps {
		named = append(named, name{t.end(), "ω̃^T", rightward})
	}
	for i := range 2 {
		named = append(named, name{vector{float64(firstOptimum + i), t.alpha}, fmt.Sprintf("F_%d", i+1), downward})
	}
	for _, n := range together(b, named) {
		l.keepPoint(n.at)
	}
	for _, n := range together(b, named) {
		l.put(n.at, n.text, panel.LabelText, n.sides...)
	}
	l.write()
	b.Marker(t.alpha, t.alpha, panel.Plus, 6, b.Theme.Ink, true)
	look := b.Theme.Look(t.run.Method)
	b.Marker(t.omega[0], t.omega[1], look.Shape, 6, look.Hue, true)
	if weighs {
		s.drawDual(chart, t)
	}
	s.drawStages(b, t)
}

// drawLandscape draws the valley of the lower level and the optima of both.
func (s *Scene) drawLandscape(b *panel.Brush, t *step) {
	theme := b.Theme
	x0, x1, y0, y1 := b.Bounds()
	a := t.alpha
	w0, w1, _, _ := s.window()
	box := [4][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	b.Polygon(4, func(i int) (float64, float64) { return box[i][0], box[i][1] }, theme.Field(1))
	for i, r := range valley {
		radius := r * (w1 - w0)
		at := func(i int) (float64, float64) { p := circle(a, radius, i); return p[0], p[1] }
		b.Polygon(circlePoints, at, theme.Field(1-float64(i+1)/float64(len(valley))))
		b.Line(circlePoints+1, at, panel.Stroke{Color: panel.Faded(theme.Rule, 0.5), Width: 0.75})
	}
	// The bottoms of the valleys of every α, of which this one's is (α, α).
	from, to := math.Min(x0, y0), math.Max(x1, y1)
	b.Line(2, func(i int) (float64, float64) { v := [2]float64{from, to}[i]; return v, v },
		panel.Stroke{Color: theme.Ink, Width: 1, Dash: []vg.Length{6, 3}})
	b.Line(2, func(i int) (float64, float64) {
		v := float64(firstOptimum + i*(secondOptimum-firstOptimum))
		return v, v
	},
		panel.Stroke{Color: theme.Optimum, Width: 11})
	b.Line(2, func(i int) (float64, float64) { return float64(firstOptimum + i*(secondOptimum-firstOptimum)), a },
		panel.Stroke{Color: theme.Rule, Width: 1})
	for i := range 2 {
		x := float64(firstOptimum + i)
		b.Marker(x, a, panel.RingDiamond, 4, theme.Objective(i, 2), true)
	}
}

// drawLoop draws the steps that the lower level's loop has made, and the way back
// through them.
func (s *Scene) drawLoop(l *labels, t *step) {
	b := l.b
	moment, theme := s.values.Moment, b.Theme
	made := t.looped(moment)
	for _, p := range apart(b, t.loop[:made+1]) {
		b.Marker(p[0], p[1], panel.Circle, 2, theme.Ink, false)
	}
	if made == t.steps {
		end := t.end()
		b.Marker(end[0], end[1], panel.Ring, 4.5, theme.Ink, false)
	}
	if t.family != differentiated || !t.made || moment <= stageSlope || moment > stageWeights {
		return
	}
	n := int(math.Round(share(moment, stageSlope) * float64(t.steps)))
	from := t.loop[t.steps-n]
	for _, p := range apart(b, t.loop[t.steps-n:]) {
		b.Marker(p[0], p[1], panel.Ring, 3, theme.Look(t.run.Method).Hue, false)
	}
	for i := range t.back {
		l.arrow(from, from.plus(t.back[i][n].times(-arrowScale)), fmt.Sprintf("−v_%d", i+1), panel.Stroke{Color: theme.Objective(i, 2), Width: 2})
	}
}

// apart leaves out the first point, and those that would lie on the one before.
func apart(b *panel.Brush, points []vector) []vector {
	const least = 1.5 // pixels
	var out []vector
	at := b.At(points[0][0], points[0][1])
	for _, p := range points[1:] {
		q := b.At(p[0], p[1])
		if d := q.Sub(at); math.Hypot(float64(d.X), float64(d.Y)) >= least {
			out, at = append(out, p), q
		}
	}
	return out
}

// arrowScale is the length at which vectors are drawn that are no part of a step.
const arrowScale = 0.3

// drawSlope draws the direction in which q̃ falls, or the barrier.
func (s *Scene) drawSlope(l *labels, t *step) {
	b, theme := l.b, l.b.Theme
	switch t.family {
	case valueFunction:
		if s.values.Moment > stageStep {
			return // the step shows how much of it is taken
		}
		l.arrow(t.omega, t.omega.plus(vector{t.slope[1], t.slope[2]}.times(-t.mu[1])), "−μ∇q̃", pullStroke(theme))
		if s.values.Moment > stageWeights {
			for i, g := range t.upper {
				l.arrow(t.omega, t.omega.plus(vector{g[1], g[2]}.times(-t.mu[1])), fmt.Sprintf("−μ∇F_%d", i+1),
					panel.Stroke{Color: theme.Objective(i, 2), Width: 2})
			}
		}
	case interiorPoint:
		radius := math.Sqrt(t.bound)
		b.Line(circlePoints+1, func(i int) (float64, float64) { p := circle(t.alpha, radius, i); return p[0], p[1] }, pullStroke(theme))
		b.Marker(t.to[1], t.to[2], panel.Diamond, 4, theme.Look(t.run.Method).Hue, true)
	}
}

// pullStroke is how what the constraint does is drawn.
func pullStroke(t *panel.Theme) panel.Stroke {
	return panel.Stroke{Color: t.Ink, Width: 2, Dash: []vg.Length{4, 3}}
}

// acrossStroke is how the objectives' part of a step is drawn.
func acrossStroke(t *panel.Theme) panel.Stroke { return panel.Stroke{Color: t.Ink, Width: 1.5} }

// drawStep draws where the step leads in ω, of what it is made up, and where it
// takes α and with it the valley.
func (s *Scene) drawStep(l *labels, t *step) {
	b, theme := l.b, l.b.Theme
	to := vector(t.to[1:])
	b.Arrow(t.omega[0], t.omega[1], to[0], to[1], stepStroke(theme, t.run.Method))
	if t.family == valueFunction {
		d := t.weighted(t.weights)
		across := t.omega.plus(vector{d[1], d[2]}.times(-t.mu[1]))
		if t.nu > 0 {
			l.arrow(across, across.plus(vector{t.slope[1], t.slope[2]}.times(-t.mu[1]*t.nu)), "−μν∇q̃", pullStroke(theme))
		}
		l.arrow(t.omega, across, "−μΣλ̃∇F", acrossStroke(theme))
	}
	thin := stepStroke(theme, t.run.Method)
	thin.Width = 1.5
	b.Arrow(t.alpha, t.alpha, t.to[0], t.to[0], thin)
}

// arrow draws an arrow and writes its name beside its middle, where it is long enough
// to be seen.
func (l *labels) arrow(from, to vector, name string, stroke panel.Stroke) {
	const least = 24 // pixels
	l.b.Arrow(from[0], from[1], to[0], to[1], stroke)
	d := l.b.At(to[0], to[1]).Sub(l.b.At(from[0], from[1]))
	if math.Hypot(float64(d.X), float64(d.Y)) < least {
		return
	}
	sides := rightward
	if math.Abs(float64(d.X)) > math.Abs(float64(d.Y)) {
		sides = upward
	}
	l.put(from.plus(to).times(0.5), name, panel.SmallText, sides...)
}

// inset is a small chart inside the plane of ω, in pixels.
type inset struct {
	b    *panel.Brush
	area vg.Rectangle
}

// at is the world's place of a share of the chart's width and height.
func (c inset) at(u, v float64) (x, y float64) {
	size := c.area.Size()
	return c.b.World(vg.Point{X: c.area.Min.X + vg.Length(u)*size.X, Y: c.area.Min.Y + vg.Length(v)*size.Y})
}

// frame is the chart with its words.
func (c inset) frame() vg.Rectangle {
	return vg.Rectangle{Min: c.area.Min.Sub(vg.Point{X: 6, Y: 20}), Max: c.area.Max.Add(vg.Point{X: 6, Y: 18})}
}

func (c inset) line(n int, at func(i int) (u, v float64), s panel.Stroke) {
	c.b.Line(n, func(i int) (float64, float64) { return c.at(at(i)) }, s)
}

// newInset finds room on the right, above or below, where fewer of the points lie.
func newInset(b *panel.Brush, points ...vector) inset {
	size := b.Canvas.Size()
	wide, high := max(0.42*size.X, 136), 0.3*size.Y
	place := func(bottom vg.Length) vg.Rectangle {
		corner := vg.Point{X: b.Canvas.Max.X - wide - 10, Y: bottom}
		return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: wide, Y: high})}
	}
	above, below := place(b.Canvas.Max.Y-high-60), place(b.Canvas.Min.Y+50)
	hidden := func(area vg.Rectangle) (n int) {
		for _, p := range points {
			if q := b.At(p[0], p[1]); q.X > area.Min.X && q.X < area.Max.X && q.Y > area.Min.Y && q.Y < area.Max.Y {
				n++
			}
		}
		return n
	}
	if hidden(above) <= hidden(below) {
		return inset{b, above}
	}
	return inset{b, below}
}

// dualPoints is the number of points that the curve of the weights' problem is drawn
// with.
const dualPoints = 61

// drawDual draws the small problem that decides the weights: its value over λ_1, its
// solution, and the weights that the step uses.
func (s *Scene) drawDual(c inset, t *step) {
	b, theme := c.b, c.b.Theme
	frame := c.frame()
	box := [5]vg.Point{frame.Min, {X: frame.Max.X, Y: frame.Min.Y}, frame.Max, {X: frame.Min.X, Y: frame.Max.Y}, frame.Min}
	corner := func(i int) (float64, float64) { return b.World(box[i]) }
	b.Polygon(4, corner, panel.Faded(theme.Paper, 0.94))
	b.Line(5, corner, panel.Stroke{Color: theme.Rule, Width: 0.75})

	lo, hi := math.Inf(1), math.Inf(-1)
	var values [dualPoints]float64
	for i := range values {
		values[i] = t.dual(float64(i) / (dualPoints - 1))
		lo, hi = math.Min(lo, values[i]), math.Max(hi, values[i])
	}
	height := func(v float64) float64 {
		if !(hi > lo) {
			return 0.5
		}
		return 0.06 + 0.74*(v-lo)/(hi-lo)
	}
	c.line(dualPoints, func(i int) (float64, float64) { return float64(i) / (dualPoints - 1), height(values[i]) },
		panel.Stroke{Color: theme.Ink, Width: 1.5})
	c.line(2, func(i int) (float64, float64) { return float64(i), 0 }, panel.Stroke{Color: theme.Rule, Width: 1})
	text := func(u, v float64, words string, color panel.Align) {
		x, y := c.at(u, v)
		b.Text(x, y, words, panel.SmallText, theme.Muted, color)
	}
	text(0, 0, "λ_1 = 0", panel.Align{X: 1, Y: -1})
	text(1, 0, "1", panel.Align{X: -1, Y: -1})
	heading := "½‖Σλ∇F + γ∇q̃‖² − γφ"
	if t.family == differentiated {
		heading = "½(Σλh)²"
		if t.run.Method == twolevel.MoCo {
			heading = "½(Σλy)², one step of λ"
		}
	}
	text(0, 1, heading, panel.Align{X: 1, Y: 1})
	mark := func(l float64, shape panel.Shape, radius vg.Length, name string, side panel.Align) {
		x, y := c.at(l, height(t.dual(l)))
		b.Marker(x, y, shape, radius, theme.Look(t.run.Method).Hue, true)
		b.Label(x, y, name, panel.SmallText, theme.Ink, side)
	}
	if t.weights == nil {
		return
	}
	used := t.weights[0]
	former, name, names := math.NaN(), "λ", "before"
	switch {
	case t.lambda != nil:
		former, name, names = t.lambda[0], "λ̃", "λ"
	case t.prior != nil:
		former = t.prior[0]
	}
	// Names stand towards the middle, and one above the other point's.
	inwards := func(l float64) float64 { return math.Copysign(1, 0.5-l) }
	if math.Abs(former-used) < closeWeights {
		names, name = "", names+" = "+name
	}
	if !math.IsNaN(former) {
		mark(former, panel.Ring, 5, names, panel.Align{X: inwards(former), Y: -1})
	}
	mark(used, panel.Circle, 4, name, panel.Align{X: inwards(used), Y: 1})
}

// closeWeights is how near two weights are to be named together.
const closeWeights = 0.03

// roomForTitle is the height of the plane below which the step's title is left out.
const roomForTitle = 150

// drawStages writes what is shown, and marks the stages along the lower edge, where
// the handle of the moment slides.
func (s *Scene) drawStages(b *panel.Brush, t *step) {
	theme, area := b.Theme, b.Canvas
	top := area.Max.Y - 2
	lines := []string{t.title(), s.stageText(t), s.slopesAt(t).text()}
	switch {
	case b.Frame.Detail != panel.Full:
		lines = nil
	case area.Size().Y < roomForTitle:
		lines = lines[1:2]
	}
	if _, there := s.valleyGrip(t); there && len(lines) > 1 {
		lines = append(lines, "drag the + to move the valley")
	}
	for _, words := range lines {
		x, y := b.World(vg.Point{X: area.Min.X + 2, Y: top})
		b.Label(x, y, words, panel.SmallText, theme.Ink, panel.Align{X: 1, Y: -1})
		top -= 18
	}
	if b.Frame.Detail != panel.Full {
		return
	}
	x0, x1, _, _ := s.window()
	names := stageNames[t.family]
	for i, name := range names {
		left, right := b.At(x0+(x1-x0)*float64(i)/moments, 0).X, b.At(x0+(x1-x0)*float64(i+1)/moments, 0).X
		done := s.done(i)
		bar := func(to vg.Length, stroke panel.Stroke) {
			b.Line(2, func(k int) (float64, float64) {
				return b.World(vg.Point{X: []vg.Length{left + 1, to}[k], Y: area.Min.Y + 1.5})
			}, stroke)
		}
		bar(right-1, panel.Stroke{Color: theme.Hairline, Width: 3})
		if done > 0 {
			bar(left+1+vg.Length(done)*(right-left-2), panel.Stroke{Color: theme.Accent, Width: 3})
		}
		color := theme.Muted
		if s.values.Moment >= float64(i) && (s.values.Moment < float64(i+1) || i == moments-1 && s.values.Moment == moments) {
			color = theme.Ink
		}
		x, y := b.World(vg.Point{X: (left + right) / 2, Y: area.Min.Y + 9})
		b.Label(x, y, name, panel.SmallText, color, panel.Above)
	}
}
