package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// arrows holds the geometry of one step of the selected run. All vectors are coordinates in the plane spanned by the two
// gradients.
type arrows struct {
	run       timeline.Track
	k         int    // the step leads from iteration k
	g1, g2    vector // the gradients that the method saw
	shortest  vector // the min-norm point of their hull
	taken     vector // the method's direction, if hasTaken
	hasTaken  bool
	update    vector  // the optimizer's update, as drawn
	hasUpdate bool    // true if the update differs from the direction
	length    float64 // the update's length
	shortened bool    // true if the update is drawn shorter than it is
	angle     float64 // angle between the gradients, in degrees; NaN if one is 0
	projected bool    // true if d > 2; the plane then does not show coordinates of x
	size      float64 // length of the longest arrow
}

// geometryKey holds everything that a step's geometry depends on.
type geometryKey struct {
	run  timeline.Track
	line string
}

type vector struct{ x, y float64 }

func (v vector) norm() float64 { return portable.Hypot(v.x, v.y) }

// arrows returns the geometry of the displayed step. ok is false if no run is selected. The step is read once, not in every frame.
func (s *Scene) arrows() (a *arrows, ok bool) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return new(arrows), false
	}
	// Changes are logged at the latest iteration or later, so they do not affect the steps already taken. The key
	// includes the changes because, before the first step, the next step is computed ahead.
	line := s.Timeline()
	key := fmt.Sprint(line.Marker(), r.Last(), line.Version(), line.Log())
	return s.geometry.Of(geometryKey{r, key}, func() *arrows { return s.arrowsOf(r) }), true
}

// arrowsOf computes the geometry of a track's displayed step.
func (s *Scene) arrowsOf(r timeline.Track) *arrows {
	row := s.Timeline().ShownStep(r)
	a := &arrows{run: r, k: row.K}
	jac := algo.NewJacobian(2, s.values.D)
	seen := false
	readStep := func(stepper algo.Stepper) {
		seen = smooth.StepGradients(jac, s.problem, row.X, stepper, r.Solution)
	}
	// While runs play, the displayed step is the one that the stepper has just taken.
	if r.Stepper.View().K == row.K+1 {
		readStep(r.Stepper)
	}
	// For a run at its start, compute the first step ahead. If that fails, show the exact gradients.
	if !seen {
		if err := s.Timeline().Visit(r.Run, row.K+1, readStep); err != nil || !seen {
			s.problem.Jacobian(jac, row.X)
		}
	}
	basis := span(jac)
	a.projected = s.values.D > 2
	a.g1, a.g2 = basis.of(jac.Row(0)), basis.of(jac.Row(1))

	var measure pareto.Stationarity
	measure.Measure(jac)
	a.shortest = basis.of(measure.Direction())
	if row.Direction != nil {
		a.taken, a.hasTaken = basis.of(row.Direction), true
	}
	a.angle = math.NaN()
	if n1, n2 := a.g1.norm(), a.g2.norm(); n1 > 0 && n2 > 0 {
		cos := (float64(a.g1.x*a.g2.x) + float64(a.g1.y*a.g2.y)) / (n1 * n2)
		a.angle = portable.Acos(max(-1, min(1, cos))) * 180 / math.Pi
	}
	a.size = max(a.g1.norm(), a.g2.norm(), a.taken.norm())
	if update := smooth.UpdateOf(row); update != nil {
		a.update, a.hasUpdate, a.length = basis.of(update), true, portable.Length(update)
		// Adam's updates do not scale with the gradients. Without a limit, small gradients would be invisible beside an
		// update.
		if n := a.update.norm(); a.size > 0 && n > longestUpdate*a.size {
			a.update.x *= longestUpdate * a.size / n
			a.update.y *= longestUpdate * a.size / n
			a.shortened = true
		}
		a.size = max(a.size, a.update.norm())
	}
	return a
}

// longestUpdate is the maximum drawn length of an update, relative to the longest other arrow.
const longestUpdate = 2

// title returns the run's name and the step.
func (a *arrows) title() string {
	if !a.hasTaken {
		return fmt.Sprintf("%s, k = %d", a.run.Label(), a.k)
	}
	return fmt.Sprintf("%s, step from k = %d", a.run.Label(), a.k)
}

// frame2 is an orthonormal basis of a plane in R^d.
type frame2 struct{ e1, e2 []float64 }

func (b frame2) of(v []float64) vector { return vector{portable.Dot(b.e1, v), portable.Dot(b.e2, v)} }

// span returns the coordinate axes for d ≤ 2. Otherwise it returns an orthonormal basis of the rows' span. The first
// vector of the basis is parallel to the first row.
func span(jac *algo.Jacobian) frame2 {
	d := jac.Cols
	b := frame2{make([]float64, d), make([]float64, d)}
	if d <= 2 {
		b.e1[0] = 1
		if d == 2 {
			b.e2[1] = 1
		}
		return b
	}
	for i, e := range [2][]float64{b.e1, b.e2} {
		copy(e, jac.Row(i))
		// Two passes make the basis orthogonal up to rounding errors.
		for range 2 * i {
			portable.AddScaled(e, -portable.Dot(b.e1, e), b.e1)
		}
		if n := portable.Length(e); n > 1e-12*portable.Length(jac.Row(i)) {
			floats.Scale(1/n, e)
		} else {
			clear(e)
		}
	}
	return b
}

// geometryPanel shows the gradients at the selected run, their hull, the min-norm point, the direction and the optimizer's
// update.
func (s *Scene) geometryPanel() axes.Panel {
	p := &axes.Plane{Name: "geometry", Heading: "Gradients of the selected run", Equal: true}
	p.Axes = func() (axes.Axis, axes.Axis) {
		a, _ := s.arrows()
		reach := niceReach(a.size)
		x, y := axes.Axis{Min: -reach, Max: reach}.Named("slope along variable 1", "∂/∂x_{1}"),
			axes.Axis{Min: -reach, Max: reach}.Named("slope along variable 2", "∂/∂x_{2}")
		switch {
		case s.values.D == 1:
			y.Label = ""
		case a.projected:
			x.Label, y.Label = "along ∇f_1", "across ∇f_1, towards ∇f_2"
		}
		return x, y
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawArrows}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		entries := []axes.Entry{{Label: "direction taken", Stroke: takenStroke(t, r.Method)}}
		if r.OfStep != nil {
			entries = []axes.Entry{
				{Label: "direction", Stroke: takenStroke(t, r.Method)},
				{Label: "the optimizer’s update", Stroke: updateStroke(t, r.Method)},
			}
		}
		return append(entries, axes.Entry{Label: "hull", Stroke: hullStroke(t)},
			axes.Entry{Label: "shortest point", Shape: brush.Ring, Fill: t.Ink})
	}
	p.Text = func() string {
		a, ok := s.arrows()
		if !ok {
			return "No run."
		}
		text := a.title() + ": "
		switch {
		case math.IsNaN(a.angle):
			text += "one gradient is zero, so no step helps its objective."
		case a.shortest.norm() < 0.01*min(a.g1.norm(), a.g2.norm()):
			text += "the gradients point in opposite directions, so no step helps both objectives."
		case min(a.g1.norm(), a.g2.norm()) < 0.01*max(a.g1.norm(), a.g2.norm()):
			text += "one gradient is almost zero compared with the other, so the shortest mixture is almost zero, too."
		case a.angle > 90:
			text += fmt.Sprintf("the gradients are %.0f° apart: the objectives conflict, but a step can still help both.", a.angle)
		default:
			text += fmt.Sprintf("the gradients are %.0f° apart: a step that helps one objective can help the other.", a.angle)
		}
		if !a.hasTaken {
			return text
		}
		text += " The thick arrow is the method’s direction"
		if !a.hasUpdate {
			return text + ", and the step goes against it."
		}
		text += fmt.Sprintf("; the step goes against the update that the optimizer computes from it (length %s)", timeline.Number(a.length))
		if a.shortened {
			text += ", drawn shorter"
		}
		return text + "."
	}
	return p
}

// niceReach rounds a size up to 1, 2 or 5 times a power of ten, so that the axes rarely change.
func niceReach(size float64) float64 {
	size *= 1.15
	if !(size > 1e-12) {
		return 1e-12
	}
	return axes.RoundUp(size, 1, 2, 5)
}

func (s *Scene) drawArrows(b *brush.Brush) {
	a, ok := s.arrows()
	if !ok {
		return
	}
	t := b.Theme
	b.Origin()
	// The hull of two gradients is the segment between their tips.
	hull := [2]vector{a.g1, a.g2}
	b.Line(2, func(i int) (float64, float64) { return hull[i].x, hull[i].y }, hullStroke(t))
	gradient := brush.Stroke{Color: t.Objective(0, 2), Width: 2}
	b.Arrow(0, 0, a.g1.x, a.g1.y, gradient)
	gradient.Color = t.Objective(1, 2)
	b.Arrow(0, 0, a.g2.x, a.g2.y, gradient)
	if a.hasTaken {
		b.Arrow(0, 0, a.taken.x, a.taken.y, takenStroke(t, a.run.Method))
	}
	if a.hasUpdate {
		b.Arrow(0, 0, a.update.x, a.update.y, updateStroke(t, a.run.Method))
	}
	b.Marker(a.shortest.x, a.shortest.y, brush.Ring, 6, t.Ink, true)
	label := func(v vector, text string) {
		b.Label(v.x, v.y, text, 12, t.Ink, brush.Align{X: sign(v.x), Y: sign(v.y)})
	}
	label(a.g1, "∇f_1")
	label(a.g2, "∇f_2")
	// Label v only if no other label is near.
	apart := func(v vector, others ...vector) bool {
		for _, o := range others {
			if portable.Hypot(v.x-o.x, v.y-o.y) < 0.15*a.size {
				return false
			}
		}
		return true
	}
	nameDirection := a.hasTaken && portable.Hypot(a.taken.x-a.shortest.x, a.taken.y-a.shortest.y) > 0.05*a.size && apart(a.taken, a.g1, a.g2)
	if nameDirection && b.Frame.Detail == brush.Full { // otherwise the panel is too small
		label(a.taken, "direction")
	}
	if b.Frame.Detail != brush.Full {
		return
	}
	note := "the step goes against the direction"
	if a.hasUpdate {
		note = "the step goes against the update"
		if apart(a.update, a.g1, a.g2) && !(nameDirection && !apart(a.update, a.taken)) {
			label(a.update, a.updateLabel())
		}
	}
	if !math.IsNaN(a.angle) {
		note = fmt.Sprintf("angle %.0f°; ", a.angle) + note
	}
	xmin, xmax, ymin, ymax := b.Bounds()
	// Keep the note clear of the lowest arrow's label.
	low := a.g1
	for _, v := range [2]vector{a.g2, a.update} {
		if v.y < low.y {
			low = v
		}
	}
	if low.x < 0 {
		b.Text(xmax, ymin, note, 11, t.Muted, brush.Align{X: -1, Y: 1})
	} else {
		b.Text(xmin, ymin, note, 11, t.Muted, brush.Align{X: 1, Y: 1})
	}
	b.Text(xmin, ymax, a.title(), 12, t.Ink, brush.Align{X: 1, Y: -1})
}

// updateLabel returns the update's label, which states the update's length if the arrow is drawn shorter.
func (a *arrows) updateLabel() string {
	if !a.shortened {
		return "update"
	}
	return "update, of length " + timeline.Number(a.length)
}

func takenStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: t.Look(method).Hue, Width: 3}
}

func updateStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: t.Look(method).Hue, Width: 2, Dash: []vg.Length{5, 3}}
}

func hullStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Optimum, Width: 7} }

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
