// Package gradientlab implements the scene of a single decision. A visitor drags gradients or loads them from a file, and sees every
// method's direction. The scene has no runs.
package gradientlab

import (
	"fmt"
	"math"
	"paretoplay/internal/engine/analysis"
	"paretoplay/internal/portable"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the gradient lab of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	arrows  *analysis.Analysis // analysis of the draggable gradients
	shown   string             // the view in which the arrows are shown
	lengths string             // the chosen kind of lengths for which the axes were computed
	axes    arrowExtent
	dragged bool // true during a drag, when the axes can only grow
	holds   bool // true while a tip is dragged and the bars' axes are fixed

	pasted *data.Pasted
	data   *analysis.Analysis // analysis of pasted; nil without data

	plane, space axes.Panel
	bars         []axes.Panel // shown in every view
	charts       []*bars      // the charts that bars and matrices contain
	matrices     []axes.Panel // replace the arrows while pasted data are shown

	unfolded *scene.Unfolding
}

// New returns the scene with default parameters; Restart computes its decisions.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), unfolded: scene.NewUnfolding(unfolding)}
	s.values.bind(s.Params())
	s.plane, s.space = s.planePanel(), s.spacePanel()
	s.bars = []axes.Panel{s.weightsPanel(), s.changePanel(), s.cosinesPanel()}
	s.matrices = []axes.Panel{s.cosinesPanel(), s.weightsPanel(), s.changePanel(), s.anglesPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart computes the decisions on the arrows at once. Work computes those on pasted data.
func (s *Scene) Restart([]timeline.Change) error {
	s.unfolded.End() // show the effect of the change at once
	methods := s.chosen()
	rows := s.values.Plane
	if s.values.View == viewSpace {
		rows = s.values.Space
	}
	jac := algo.NewJacobian(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(jac.Row(i), row)
	}
	floats.Scale(s.values.Unit, jac.Row(0))
	a := analysis.New(jac, s.values.lossesFor(jac.Rows), s.values.Seed, methods)
	a.Finish(always)
	s.arrows = a
	if !s.dragged || s.shown != s.values.View {
		s.fit()
		s.holds = false
	}
	s.shown, s.dragged = s.values.View, false
	if s.data != nil {
		s.data.Choose(s.seedOfData(), methods)
	}
	return nil
}

// gradients returns the arrows' current values. The first is scaled by the first objective's unit.
func (s *Scene) gradients() [][]float64 {
	rows := s.values.Plane
	if s.values.View == viewSpace {
		rows = s.values.Space
	}
	out := slices.Clone(rows)
	out[0] = slices.Clone(rows[0])
	floats.Scale(s.values.Unit, out[0])
	return out
}

func always() bool { return true }

// fit recomputes the axes so that they fit the arrows and the chosen kind of lengths.
func (s *Scene) fit() { s.axes, s.lengths = axesOf(s.arrows, s.values.Lengths), s.values.Lengths }

// Released implements scene.Scene. After a drag, the axes of the bars fit the new values. The axes of the arrows stay, because
// otherwise the tip would leave the pointer. They change only if an arrow is beyond them.
func (s *Scene) Released() {
	if s.holds && s.beyond() {
		s.fit()
	}
	s.holds = false
}

// beyond reports whether the axes cut off an arrow that they could show.
func (s *Scene) beyond() bool {
	wanted := axesOf(s.arrows, s.values.Lengths)
	if s.values.View == viewSpace {
		return wanted.reach > s.axes.reach*reachShare
	}
	inner := wanted.inner()
	return inner.x0 < s.axes.x0 || inner.x1 > s.axes.x1 || inner.y0 < s.axes.y0 || inner.y1 > s.axes.y1
}

// hold fixes the axes of the bars at their current ranges until the dragged tip is released.
func (s *Scene) hold() {
	if s.holds {
		return
	}
	for _, p := range s.charts {
		p.held.lo, p.held.hi = p.extent(s.arrows)
	}
	s.holds = true
}

// Displayed recomputes the decisions if the view has changed.
func (s *Scene) Displayed() error {
	if s.shown != s.values.View {
		return s.Restart(nil)
	}
	if s.lengths != s.values.Lengths {
		s.fit()
	}
	return nil
}

// arrowExtent is the extent of the arrows' picture. In space the picture extends by reach in every direction; in the
// plane it fits the arrows.
type arrowExtent struct {
	reach          float64
	x0, x1, y0, y1 float64
	margin         float64 // margin around the arrows, included in the extent
}

const (
	reachShare  = 1.1          // minimum reach in space, relative to the longest gradient
	equalShare  = 0.45         // length of equally long arrows, relative to the longest gradient
	longestSeen = maxGradients // length of the longest arrow that still fits, relative to the longest gradient
	nameShare   = 0.09         // margin for labels around the arrows, relative to the width of their extent
)

// axesOf returns axes that fit the gradients, their sums and the drawn directions. Directions many times longer than
// the gradients, such as those that grow as the gradients shrink, extend beyond the picture. Otherwise nothing else
// would be visible.
func axesOf(a *analysis.Analysis, lengths string) arrowExtent {
	longest := slices.Max(a.Norms)
	if longest == 0 {
		longest = 1
	}
	var out arrowExtent
	size := longest
	add := func(v []float64, length float64) {
		shrink := min(1, longestSeen*longest/length)
		size = max(size, shrink*length)
		out.x0, out.x1 = min(out.x0, v[0]*shrink), max(out.x1, v[0]*shrink)
		out.y0, out.y1 = min(out.y0, v[1]*shrink), max(out.y1, v[1]*shrink)
	}
	for i, length := range a.Norms {
		if length > 0 {
			add(a.Jacobian.Row(i), length)
		}
	}
	for _, d := range a.Decisions {
		switch {
		case d.Err != nil || d.Size <= a.Rest():
		case lengths == lengthsEqual:
			at := equalShare * longest / d.Norm
			add([]float64{at * d.Direction[0], at * d.Direction[1]}, equalShare*longest)
		default:
			add(d.Direction, d.Norm)
		}
	}
	out.reach = max(reachShare*longest, size)
	out.margin = max(0.28*longest, nameShare*max(out.x1-out.x0, out.y1-out.y0))
	out.x0, out.x1 = out.x0-out.margin, out.x1+out.margin
	out.y0, out.y1 = out.y0-out.margin, out.y1+out.margin
	return out
}

// inner returns the axes without the margin around the arrows.
func (v arrowExtent) inner() arrowExtent {
	v.x0, v.x1, v.y0, v.y1 = v.x0+v.margin, v.x1-v.margin, v.y0+v.margin, v.y1-v.margin
	return v
}

// push returns the axes after a tip has been dragged to (x, y), and the tip's position within them. The axes grow if
// the tip is at their edge.
func (v arrowExtent) push(x, y float64) (arrowExtent, float64, float64) {
	const edge, growth = 0.03, 0.04
	w, h := v.x1-v.x0, v.y1-v.y0
	x, y = max(v.x0, min(x, v.x1)), max(v.y0, min(y, v.y1))
	if x < v.x0+float64(edge*w) || x > v.x1-float64(edge*w) || y < v.y0+float64(edge*h) || y > v.y1-float64(edge*h) {
		v.x0, v.x1, v.y0, v.y1 = v.x0-float64(growth*w), v.x1+float64(growth*w), v.y0-float64(growth*h), v.y1+float64(growth*h)
	}
	return v, x, y
}

// Paste shows a visitor's data.
func (s *Scene) Paste(p *data.Pasted) error {
	s.pasted, s.values.View = p, viewData
	losses := p.Losses()
	if losses == nil {
		losses = make([]float64, p.Jacobian().Rows)
		for i := range losses {
			losses[i] = 1
		}
	}
	s.data = analysis.New(p.Jacobian(), losses, s.seedOfData(), s.chosen())
	return nil
}

// seedOfData returns the file's seed, or the parameter's seed if the file has none.
func (s *Scene) seedOfData() uint64 {
	if seed := s.pasted.Seed(); seed != 0 {
		return seed
	}
	return s.values.Seed
}

// ShowsPasted reports whether the scene shows, or waits for, a visitor's data.
func (s *Scene) ShowsPasted() bool { return s.values.View == viewData }

// Work continues computing the decisions on pasted data while they are displayed.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if !s.ShowsPasted() || s.data == nil {
		return false, nil
	}
	s.data.Finish(more)
	return !s.data.Done(), nil
}

// current returns the displayed analysis, or nil until there are data.
func (s *Scene) current() *analysis.Analysis {
	if s.ShowsPasted() {
		return s.data
	}
	return s.arrows
}

// Panels returns the panels of the chosen view.
func (s *Scene) Panels() []axes.Panel {
	switch s.values.View {
	case viewSpace:
		return append([]axes.Panel{s.space}, s.bars...)
	case viewData:
		return s.matrices
	}
	return append([]axes.Panel{s.plane}, s.bars...)
}

// tipHandle is the handle of the tip of gradient i, from 0.
func tipHandle(i int) string { return "g-" + strconv.Itoa(i+1) }

// Drag moves the tip of a gradient or turns the camera. In space the tip moves within the plane of the view.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.CameraHandle {
		return "camera", kinds.Camera(s.values.Camera).Turn(x, y).Text()
	}
	number, ok := strings.CutPrefix(handle, "g-")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 1 || i > s.arrows.Jacobian.Rows || s.ShowsPasted() {
		return "", ""
	}
	name, rows := "gradients", slices.Clone(s.values.Plane)
	tip := []float64{x, y}
	if s.values.View == viewSpace {
		name, rows = "gradients3", slices.Clone(s.values.Space)
		camera := kinds.Camera(s.values.Camera)
		_, _, near := camera.Project([3]float64(s.gradients()[i-1]))
		p := camera.Place(x, y, near)
		tip = p[:]
		size := portable.Length(tip)
		if most := 1.05 * s.axes.reach; size > most {
			tip = []float64{tip[0] * most / size, tip[1] * most / size, tip[2] * most / size}
			s.axes.reach *= 1.04
		}
	} else {
		s.axes, tip[0], tip[1] = s.axes.push(x, y)
	}
	unit := 1.0
	if i == 1 {
		unit = s.values.Unit
	}
	for k := range tip {
		tip[k] = rounded(max(-maxEntry, min(tip[k]/unit, maxEntry)), s.axes.reach/unit)
	}
	rows[i-1] = tip
	s.hold()
	s.dragged = true
	return name, param.FormatRows(rows)
}

// rounded rounds to a thousandth of the axes' reach. Dragging is no more precise than that, and links stay short.
func rounded(v, reach float64) float64 {
	step := portable.Pow(10, math.Floor(portable.Log10(reach))-2) / 2
	decimals := max(0, int(math.Ceil(-portable.Log10(step))))
	r, err := strconv.ParseFloat(strconv.FormatFloat(math.Round(v/step)*step, 'f', decimals, 64), 64)
	if err != nil {
		panic(err) // cannot happen: strconv parses its own output
	}
	return r + 0 // avoids −0
}

// waiting describes what a picture still needs. It returns "" if nothing is missing.
func (s *Scene) waiting() string {
	switch a := s.current(); {
	case a == nil:
		return "No data yet. Paste a Jacobian or choose a file."
	case !a.Done():
		what := "Computing"
		if i, ok := a.Next(); ok {
			what += " " + a.Methods[i].Method.Title
		}
		return fmt.Sprintf("%s, %.0f %%.", what, 100*a.Progress())
	}
	return ""
}
