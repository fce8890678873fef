package gradientlab

import (
	"fmt"
	"image/color"
	"math"
	"paretoplay/internal/engine/analysis"
	"paretoplay/internal/portable"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// arrow returns the drawn direction of a decision. ok is false if there is nothing to draw.
func (s *Scene) arrow(d *analysis.Decision) (v []float64, ok bool) {
	if d.Err != nil || d.Size <= s.arrows.Rest() {
		return nil, false
	}
	v = append([]float64(nil), d.Direction...)
	if s.values.Lengths == lengthsEqual {
		floats.Scale(equalShare/reachShare*s.axes.reach/d.Norm, v)
	}
	return v, true
}

func directionStroke(t *brush.Theme, method string) brush.Stroke {
	return t.Look(method).Stroke(2.5)
}

func gradientStroke(t *brush.Theme, i, m int) brush.Stroke {
	return brush.Stroke{Color: t.Objective(i, m), Width: 1.75}
}

func coneColor(t *brush.Theme) color.NRGBA { return brush.Faded(t.Accent, 0.12) }

// drawTip highlights a draggable tip.
func drawTip(b *brush.Brush, x, y float64) {
	if b.Frame.Detail == brush.Full && !b.Theme.Print {
		b.Marker(x, y, brush.Circle, 7, b.Theme.Accent, true)
	}
}

// gradientLook returns the look of a draggable tip in the given colour.
func gradientLook(t color.Color) brush.Look { return brush.Look{Hue: t, Shape: brush.Circle} }

func (s *Scene) legend(t *brush.Theme, withCone bool) []axes.Entry {
	var out []axes.Entry
	for i := range s.arrows.Decisions {
		d := &s.arrows.Decisions[i]
		out = append(out, axes.EntryOf(t.Look(d.Method.Name), d.Method.Title))
	}
	if s.values.Hull {
		out = append(out,
			axes.Entry{Label: "hull of the gradients", Area: brush.Faded(t.Ink, 0.1)},
			axes.Entry{Label: "the hull’s shortest point", Shape: brush.Ring, Fill: t.Ink},
		)
		if s.arrows.Circled() {
			out = append(out, axes.Entry{Label: "circle around the origin, radius ω", Stroke: circleStroke(t)})
		}
	}
	if withCone {
		out = append(out, axes.Entry{Label: "no objective gets worse", Area: coneColor(t)})
	}
	if slices.ContainsFunc(s.arrows.Decisions, s.arrows.Harms) {
		out = append(out, axes.Entry{Label: "makes one worse", Shape: brush.Cross, Fill: t.Ink})
	}
	return out
}

// drawHarm marks the tip of a direction that makes an objective worse.
func (s *Scene) drawHarm(b *brush.Brush, d *analysis.Decision, tip []float64) {
	if s.arrows.Harms(*d) && b.Contains(tip[0], tip[1]) {
		b.Marker(tip[0], tip[1], brush.Cross, 5, b.Theme.Ink, true)
	}
}

// planePanel shows the gradients in the plane and the methods' directions.
func (s *Scene) planePanel() axes.Panel {
	p := &axes.Plane{Name: "arrows", Heading: "Gradients and directions", Equal: true, Text: s.describeArrows}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Min: s.axes.x0, Max: s.axes.x1}.Named("slope along variable 1", "∂/∂x_{1}"),
			axes.Axis{Min: s.axes.y0, Max: s.axes.y1}.Named("slope along variable 2", "∂/∂x_{2}")
	}
	p.Legend = func(t *brush.Theme) []axes.Entry { return s.legend(t, true) }
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawPlane}} }
	p.Grips = func() []axes.Grip {
		var grips []axes.Grip
		for i, g := range s.gradients() {
			grips = append(grips, axes.Grip{ID: tipHandle(i), Label: fmt.Sprintf("gradient %d", i+1), Value: timeline.Vector(g),
				X: g[0], Y: g[1], StepX: s.axes.reach / 100, StepY: s.axes.reach / 100, Look: gradientLook(nil)})
		}
		return grips
	}
	return p
}

func (s *Scene) drawPlane(b *brush.Brush) {
	a, t := s.arrows, b.Theme
	drawCone(b, analysis.CommonDescent(s.gradients()), s.axes.reach)
	thin := brush.Stroke{Color: t.Hairline, Width: 1}
	b.HLine(0, thin)
	b.VLine(0, thin)
	corners := analysis.Hull(a.UnitRows())
	at := func(i int) (float64, float64) {
		p := corners[i%len(corners)]
		return math.Ldexp(p[0], a.Input.Exponent), math.Ldexp(p[1], a.Input.Exponent)
	}
	small := b.Frame.Detail == brush.Thumbnail // draws only the arrows, the hull and the cone
	hull := s.values.Hull || small
	if len(corners) > 2 && hull {
		b.Polygon(len(corners), at, brush.Faded(t.Ink, 0.1))
	}
	if len(corners) > 1 && hull {
		b.Line(len(corners)+1, at, brush.Stroke{Color: t.Rule, Width: 1})
	}
	if a.Circled() && s.values.Hull && !small {
		s.drawCircle(b)
		drawTangent(b, a.Shortest)
	}
	flat := func(v []float64) []float64 { return v }
	if !s.values.Hull && !small {
		s.drawSteps(b, flat)
	}
	for i, g := range s.gradients() {
		grown := s.grown(g, gradientsFrom)
		b.Arrow(0, 0, grown[0], grown[1], gradientStroke(t, i, a.Jacobian.Rows))
		drawTip(b, g[0], g[1])
	}
	for i := range a.Decisions {
		d := &a.Decisions[i]
		v, ok := s.arrow(d)
		if v = s.grown(v, directionsFrom); !ok || s.unfolded.Share() < directionsFrom {
			continue
		}
		look := t.Look(d.Method.Name)
		b.Arrow(0, 0, v[0], v[1], directionStroke(t, d.Method.Name))
		if small {
			continue
		}
		// Put the marker on a visible part of the shaft: long directions leave the picture.
		at := 0.72
		for ; at > 0.1 && !b.Contains(at*v[0]*1.05, at*v[1]*1.05); at *= 0.9 {
		}
		b.Marker(at*v[0], at*v[1], look.Shape, 4.5, look.Hue, true)
		s.drawHarm(b, d, v)
	}
	if small {
		return
	}
	if s.values.Hull {
		b.Marker(a.Shortest[0], a.Shortest[1], brush.Ring, 6, t.Ink, true)
		s.drawArc(b, flat)
	}
	s.nameArrows(b, s.gradients(), flat)
	hint := "drag the tips g; a method steps against its arrow"
	if s.values.Lengths == lengthsEqual && s.values.Hull {
		hint += "; methods’ arrows are drawn equally long"
	}
	b.Hint(hint)
}

// When the scene opens, an animation unfolds its picture. The gradients, the directions and the steps start to
// grow at these shares of the duration. Each part ends where the next starts.
const gradientsFrom, directionsFrom, stepsFrom = 0, 0.25, 0.5

// unfolding is the duration of the opening animation, in seconds.
const unfolding = 6

// grown returns an arrow at its current length. from is the share of the animation's time at which arrows of its kind start to grow.
func (s *Scene) grown(v []float64, from float64) []float64 {
	const takes = 0.25
	part := s.unfolded.Part(from, from+takes)
	if v == nil || part == 1 {
		return v
	}
	out := slices.Clone(v)
	floats.Scale(part, out)
	return out
}

// stepShare is the drawn length of a step, relative to its arrow.
const stepShare = 0.55

// drawSteps draws each method's step from the origin, in the direction opposite to the method's arrow.
func (s *Scene) drawSteps(b *brush.Brush, flat func(v []float64) []float64) {
	part := s.unfolded.Part(stepsFrom, 1)
	if part == 0 {
		return
	}
	var lowest []float64
	for i := range s.arrows.Decisions {
		d := &s.arrows.Decisions[i]
		v, ok := s.arrow(d)
		if !ok {
			continue
		}
		to := slices.Clone(v)
		floats.Scale(-stepShare*part, to)
		at, look := flat(to), b.Theme.Look(d.Method.Name)
		b.Line(2, func(k int) (float64, float64) { return float64(k) * at[0], float64(k) * at[1] },
			brush.Stroke{Color: look.Hue, Width: 1.5, Dash: []vg.Length{2, 3}})
		b.Marker(at[0], at[1], look.Shape, 4.5, look.Hue, true)
		if lowest == nil || at[1] < lowest[1] {
			lowest = at
		}
	}
	b.Marker(0, 0, brush.Circle, 4, b.Theme.Ink, true)
	if lowest != nil && b.Frame.Detail == brush.Full {
		at := b.At(lowest[0], lowest[1]).Add(vg.Point{X: 4, Y: -4})
		b.LabelAt(at, "where each step leads", brush.LabelText, b.Theme.Ink, brush.Align{X: 1, Y: -1})
	}
}

// wideEnough is the minimum width of a panel, in pixels, in which gradients are labelled with their goals' names.
const wideEnough = 600

// nameArrows labels the tips of all gradients and, where a label covers no arrow, those of methods. Neighbouring tips share
// a label. flat projects a vector to the picture.
func (s *Scene) nameArrows(b *brush.Brush, gradients [][]float64, flat func(v []float64) []float64) {
	names := axes.NewNames(b)
	for i, g := range gradients {
		tip := flat(g)
		name := fmt.Sprintf("g_%d", i+1)
		if !s.values.Hull && b.Frame.Width >= wideEnough {
			name = fmt.Sprintf("goal %d (g_%d)", i+1, i+1)
		}
		names.Keep(label(b, tip, name, 16))
		names.KeepArrow([2]float64{}, [2]float64(tip))
	}
	var methods []axes.Name
	for i := range s.arrows.Decisions {
		v, ok := s.arrow(&s.arrows.Decisions[i])
		if !ok || s.unfolded.Share() < stepsFrom { // names of methods appear only after their directions have grown
			continue
		}
		tip, sides := flat(v), axes.Upward
		names.KeepArrow([2]float64{}, [2]float64(tip))
		if tip[1] < 0 {
			sides = axes.Downward
		}
		sides = slices.Concat(sides, []brush.Align{{X: 1, Y: -1}, {X: -1, Y: -1}})
		if b.Contains(tip[0], tip[1]) {
			methods = append(methods, axes.Name{X: tip[0], Y: tip[1], Text: s.arrows.Decisions[i].Method.Title, Sides: sides})
		}
	}
	names.PutPoints(methods)
	names.Draw()
}

// label writes text beyond the tip of an arrow and returns the covered area. away is the text's distance from the tip,
// in pixels.
func label(b *brush.Brush, tip []float64, text string, away float64) (area vg.Rectangle) {
	length := portable.Hypot(tip[0], tip[1])
	if length == 0 {
		return area
	}
	xmin, xmax, _, _ := b.Bounds()
	pixel := (xmax - xmin) / float64(b.Canvas.Size().X)
	ux, uy := tip[0]/length, tip[1]/length
	align := func(u float64) float64 {
		if math.Abs(u) < 0.4 {
			return 0
		}
		return math.Copysign(1, u)
	}
	at := b.At(tip[0]+float64(away*pixel*ux), tip[1]+float64(away*pixel*uy))
	side := brush.Align{X: align(ux), Y: align(uy)}
	b.LabelAt(at, text, brush.LabelText, b.Theme.Ink, side)
	return b.LabelArea(at, text, brush.LabelText, side)
}

// drawCone shades the directions that make no objective worse.
func drawCone(b *brush.Brush, c analysis.Cone, reach float64) {
	fill := coneColor(b.Theme)
	edge := brush.Stroke{Color: brush.Faded(b.Theme.Accent, 0.6), Width: 1}
	far := 100 * reach
	end := func(angle float64) (float64, float64) { return far * portable.Cos(angle), far * portable.Sin(angle) }
	segment := func(from, to float64, both bool) {
		b.Line(2, func(i int) (float64, float64) {
			if i == 1 {
				return end(to)
			}
			if both {
				return end(from + math.Pi)
			}
			return 0, 0
		}, edge)
	}
	switch c.Kind {
	case analysis.Everything:
		xmin, xmax, _, _ := b.Bounds()
		b.Band(xmin, xmax, fill)
	case analysis.Line:
		edge.Width = 4
		segment(c.From, c.To, true)
	case analysis.Ray:
		edge.Width = 4
		segment(0, c.To, false)
	case analysis.Sector:
		// Three intermediate points make a polygon that bends around the corner.
		b.Polygon(5, func(i int) (float64, float64) {
			if i == 0 {
				return 0, 0
			}
			return end(c.From + (c.To-c.From)*float64(i-1)/3)
		}, fill)
		segment(0, c.From, false)
		segment(0, c.To, false)
	}
}

// spacePanel shows the gradients in space.
func (s *Scene) spacePanel() axes.Panel {
	p := &kinds.Space{Labels: [3]string{"∂/∂x_1", "∂/∂x_2", "∂/∂x_3"},
		Camera: func() kinds.Camera { return s.values.Camera },
		Reach:  func() float64 { return s.axes.reach },
		Draw:   s.drawSpace,
	}
	p.Name, p.Heading, p.Text = "arrows", "Gradients and directions", s.describeArrows
	p.Legend = func(t *brush.Theme) []axes.Entry { return s.legend(t, analysis.SpaceCone(s.arrows.UnitRows()) != nil) }
	p.Grips = func() []axes.Grip {
		camera := kinds.Camera(s.values.Camera)
		var grips []axes.Grip
		for i, g := range s.gradients() {
			x, y, _ := camera.Project([3]float64(g))
			grips = append(grips, axes.Grip{ID: tipHandle(i), Label: fmt.Sprintf("gradient %d", i+1), Value: timeline.Vector(g),
				X: x, Y: y, StepX: s.axes.reach / 100, StepY: s.axes.reach / 100, Look: gradientLook(nil)})
		}
		return grips
	}
	return p.Build()
}

func (s *Scene) drawSpace(b *kinds.SpaceBrush) {
	a, t := s.arrows, b.Theme
	if rays := analysis.SpaceCone(a.UnitRows()); rays != nil {
		edge := brush.Stroke{Color: brush.Faded(t.Accent, 0.6), Width: 1}
		for i, r := range rays {
			q := rays[(i+1)%len(rays)]
			face := [][3]float64{{}, scaled(r, s.axes.reach), scaled(q, s.axes.reach)}
			b.Face(face, brush.Stroke{Color: t.Accent}, 0.08)
			b.Segment([3]float64{}, face[1], edge)
		}
	}
	gradients := s.gradients()
	hull := s.values.Hull || b.Frame.Detail == brush.Thumbnail
	for i, g := range gradients {
		for j, h := range gradients[:i] {
			if !hull {
				break
			}
			b.Segment([3]float64(g), [3]float64(h), brush.Stroke{Color: t.Rule, Width: 1})
			for _, k := range gradients[:j] {
				b.Face([][3]float64{[3]float64(g), [3]float64(h), [3]float64(k)}, brush.Stroke{Color: t.Ink}, 0.06)
			}
		}
	}
	for i, g := range s.gradients() {
		tip := [3]float64(g)
		// A vertical line to the floor shows the tip's height.
		b.Segment(tip, [3]float64{tip[0], tip[1], 0}, brush.Stroke{Color: t.Rule, Width: 0.75, Dash: t.Look("rlw").Dash})
		b.Vector([3]float64(s.grown(g, gradientsFrom)), gradientStroke(t, i, a.Jacobian.Rows))
		x, y := b.Flat(tip)
		drawTip(b.Brush, x, y)
	}
	for i := range a.Decisions {
		d := &a.Decisions[i]
		v, ok := s.arrow(d)
		if v = s.grown(v, directionsFrom); !ok || s.unfolded.Share() < directionsFrom {
			continue
		}
		look := t.Look(d.Method.Name)
		b.Vector([3]float64(v), directionStroke(t, d.Method.Name))
		if b.Frame.Detail == brush.Thumbnail {
			continue
		}
		b.Dot(scaled([3]float64(v), 0.72), look.Shape, 4.5, brush.Stroke{Color: look.Hue})
		x, y := b.Flat([3]float64(v))
		s.drawHarm(b.Brush, d, []float64{x, y})
	}
	if b.Frame.Detail == brush.Thumbnail {
		return
	}
	camera := kinds.Camera(s.values.Camera)
	flat := func(v []float64) []float64 {
		x, y, _ := camera.Project([3]float64(v))
		return []float64{x, y}
	}
	if s.values.Hull {
		if a.Circled() { // a ball; only its rim is visible
			s.drawCircle(b.Brush)
		}
		b.Dot([3]float64(a.Shortest), brush.Ring, 6, brush.Stroke{Color: t.Ink})
		s.drawArc(b.Brush, flat)
	} else {
		s.drawSteps(b.Brush, flat)
	}
	s.nameArrows(b.Brush, s.gradients(), flat)
	b.Hint("drag the tips g, or drag the background to turn")
}

func scaled(p [3]float64, by float64) [3]float64 { return [3]float64{by * p[0], by * p[1], by * p[2]} }

// describeArrows describes the picture of the arrows.
func (s *Scene) describeArrows() string {
	a := s.arrows
	text := worseWords(a) + " " + conflictWords(a)
	switch {
	case s.values.View == viewPlane:
		text += " " + coneWords(analysis.CommonDescent(s.gradients()))
	case !a.Circled():
		text += " The shortest point of the hull is the origin: no step helps every objective."
	}
	return text
}

// conflictWords states how many pairs of gradients conflict.
func conflictWords(a *analysis.Analysis) string {
	switch n, pairs := a.Conflicts(); {
	case n == 0 && pairs == 1:
		return "The two gradients do not conflict: they are at most 90° apart."
	case pairs == 1:
		return "The two gradients conflict: they are more than 90° apart."
	case n == 0:
		return "No two gradients conflict: all are at most 90° apart."
	default:
		return fmt.Sprintf("Of %d pairs of gradients, %d conflict: their gradients are more than 90° apart.", pairs, n)
	}
}

func coneWords(c analysis.Cone) string {
	switch c.Kind {
	case analysis.Everything:
		return "All gradients are zero."
	case analysis.Line:
		return "Only two opposite directions make no objective worse."
	case analysis.Ray:
		return "Only one direction makes no objective worse."
	case analysis.Sector:
		return fmt.Sprintf("Directions in a sector of %.0f° make no objective worse.", (c.To-c.From)*180/math.Pi)
	}
	return "Every direction makes an objective worse: this point is Pareto-stationary."
}

// worseWords describes which methods make which objectives worse.
func worseWords(a *analysis.Analysis) string {
	var all []string
	for i := range a.Decisions {
		d := &a.Decisions[i]
		if d.Err != nil {
			continue
		}
		if list := a.Worsened(d); len(list) > 0 {
			all = append(all, fmt.Sprintf("%s makes %s worse", d.Method.Title, numbered(list)))
		}
	}
	if all == nil {
		return "No method’s direction makes an objective worse."
	}
	return strings.Join(all, "; ") + "."
}

// numbered lists objectives or, if there are many, says only how many there are.
func numbered(list []int) string {
	const limit = 4
	if len(list) > limit {
		return fmt.Sprintf("%d objectives", len(list))
	}
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = plain(v)
	}
	return strings.Join(names, ", ")
}

func objective(i int) string { return fmt.Sprintf("f_{%d}", i+1) }
