package fonseca

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// boundaryPoints is the number of points with which each part of the attainable set's boundary is drawn.
const boundaryPoints = 120

// objectivePanel shows the attainable set, the true front, the runs and their ends. If the selected run has fixed weights, it
// also shows the weighted sum.
func (s *Scene) objectivePanel() axes.Panel {
	p := &runs.FrontPlane{Timeline: s.Timeline(), Ticked: true, Methods: Methods, Walk: &s.values.Walk}
	p.Axes = func() (axes.Axis, axes.Axis) {
		most := s.mostObjective()
		return axes.Axis{Min: 0, Max: most}.Goal(1, "f_{1}"), axes.Axis{Min: 0, Max: most}.Goal(2, "f_{2}")
	}
	p.Front = func() axes.Sheet {
		return axes.Sheet{Key: s.frontKey(), Draw: s.drawFront}
	}
	p.Text = s.finding
	plane := p.Panel()
	walk := plane.Grips
	plane.Grips = func() []axes.Grip { return append(walk(), s.objectiveGrips()...) }
	sheets := plane.Sheets
	plane.Sheets = func() []axes.Sheet {
		all := sheets()
		beneath := axes.Sheet{Draw: s.drawSum} // below the sheet of the runs' ends
		return slices.Insert(all, len(all)-1, beneath)
	}
	s.values.Swarm.InObjectives(plane, 1, axes.Sheet{Draw: s.drawFrontNames})
	return plane
}

// frontKey returns the cache key of the picture of the front.
func (s *Scene) frontKey() string { return fmt.Sprintf("front %s %d", s.values.Problem, s.values.D) }

// objectiveStart is the name prefix of the start points' handles in the objective space.
const objectiveStart = "start-f-"

// objectiveSteps is the number of arrow-key presses from one end of an axis to the other.
const objectiveSteps = 50

// objectiveGrips returns the start points' handles in the objective space.
func (s *Scene) objectiveGrips() []axes.Grip {
	f := make([]float64, 2)
	grips := runs.Grips(s.Timeline(), s.starts, s.mostObjective()/objectiveSteps, func(x []float64) (right, up float64, value string) {
		s.problem.Values(f, x)
		return f[0], f[1], fmt.Sprintf("f1 = %.2f, f2 = %.2f", f[0], f[1])
	})
	for i := range grips {
		grips[i].ID = objectiveStart + strconv.Itoa(i+1)
	}
	return grips
}

// dragStart moves a start point to the pointer: in the decision space to the coordinates (x, y), in the objective space
// to a point whose objectives are (x, y).
func (s *Scene) dragStart(handle string, x, y float64) (name, text string) {
	end := s.mostObjective()
	if number, is := strings.CutPrefix(handle, objectiveStart); is {
		d, _ := s.Params().Lookup("start")
		name, text = s.values.Drag(s.Params(), runs.StartPrefix+number, s.starts, func(point []float64) {
			s.problem.Preimage(point, []float64{x, y}, d.Max)
		})
	} else {
		h, v := s.values.pair()
		name, text = s.values.Drag(s.Params(), handle, s.starts, runs.InPlane(h, v, x, y))
	}
	if name != "" {
		s.heldObjective = end // the axes stay fixed until the start point is released
	}
	return name, text
}

// Released unfreezes the axes of the objectives.
func (s *Scene) Released() { s.heldObjective = 0 }

// mostObjective returns the upper end of both axes. They show the whole front and every start.
func (s *Scene) mostObjective() float64 {
	if s.heldObjective > 0 {
		return s.heldObjective
	}
	most, f := 0.96, make([]float64, 2)
	for _, x := range s.starts {
		s.problem.Values(f, x)
		most = max(most, f[0], f[1])
	}
	return 1.06 * most
}

// near returns the distance from the Pareto set below which a run counts as having reached the front. The distance grows
// with the noise, which keeps runs away from the set.
func (s *Scene) near() float64 {
	return 0.02 + float64(0.5*s.values.Sigma*math.Sqrt(float64(s.values.D)))
}

// finding describes where each method's runs are. If there are many methods, it describes all of them together.
func (s *Scene) finding() string {
	line := s.Timeline()
	tracks := line.Tracks()
	if len(tracks) == 0 {
		return "No run."
	}
	if line.Marker() == 0 {
		return fmt.Sprintf("The two objectives at the start points of %s, before the first step. The thick curve is the front, where "+
			"neither objective can fall unless the other rises.", numeral.Counted(len(tracks), "run"))
	}
	methods := runs.MethodsOf(line)
	const few = 4
	if len(methods) > few {
		return s.whereabouts(tracks, fmt.Sprintf("the %d methods", len(methods)))
	}
	var out []string
	for _, m := range methods {
		var own []timeline.Track
		for _, r := range tracks {
			if r.Method == m {
				own = append(own, r)
			}
		}
		name := ""
		if len(methods) > 1 {
			name = own[0].Title
		}
		out = append(out, s.whereabouts(own, name))
	}
	return strings.Join(out, " ")
}

// whereabouts returns a sentence that says how many tracks are at the front and how many at its ends.
func (s *Scene) whereabouts(tracks []timeline.Track, of string) string {
	front, ends := 0, 0
	for _, r := range tracks {
		row := s.Timeline().Shown(r)
		switch {
		case s.collapsed(row):
			ends++
			front++
		case s.distance(row) < s.near():
			front++
		}
	}
	if of != "" {
		of = " of " + of
	}
	switch n := len(tracks); {
	case n == 1 && front == 0:
		return "The run" + of + " has not reached the front."
	case n == 1 && ends == 1:
		return "The run" + of + " reached the front, at one of its ends."
	case n == 1:
		return "The run" + of + " reached the front, away from its ends."
	case front == 0:
		return fmt.Sprintf("None of the %d runs%s has reached the front.", n, of)
	case front == n:
		return fmt.Sprintf("All %d runs%s reached the front, %s.", n, of, howMany(ends, front))
	default:
		return fmt.Sprintf("%d of %d runs%s reached the front, %s.", front, n, of, howMany(ends, front))
	}
}

// howMany describes how many runs are at the front's ends.
func howMany(ends, all int) string {
	switch ends {
	case 0:
		return "none at its ends"
	case all:
		return "all at its ends"
	}
	return fmt.Sprintf("%d of them at its ends", ends)
}

func (s *Scene) drawFront(b *brush.Brush) {
	boundary := s.problem.AttainableBoundary(boundaryPoints)
	at := func(i int) (float64, float64) { return boundary[i][0], boundary[i][1] }
	if s.values.D > 1 {
		b.Polygon(len(boundary), at, brush.Faded(b.Theme.Rule, 0.15))
	}
	b.Line(len(boundary), at, brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.6), Width: 1})
	front := s.problem.Front(boundaryPoints)
	b.Optima(len(front), func(i int) (float64, float64) { return front[i][0], front[i][1] })
}

// drawFrontNames labels the front and the regions on both sides of it.
func (s *Scene) drawFrontNames(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	const words = "Pareto front"
	front := s.problem.Front(boundaryPoints)
	// The label is beside a steep part of the front, so that it does not cover the front.
	name, side := front[len(front)*5/8], brush.LeftOf
	_, summed := s.weightedSum()
	switch {
	case summed && s.values.Problem == problemFonseca: // keeps the name clear of the sum's label
		name = front[len(front)*13/16]
	case s.values.Problem == problemQuadratic: // no room below
		name, side = front[len(front)/8], brush.RightOf
	case s.values.Swarm.On(): // keeps clear of the swarm's bars: beside the upper end or, in a narrow panel, beyond the bars
		const apart = 12
		if name = front[0]; b.At(name[0], name[1]).X-b.Canvas.Min.X < b.Width(words)+apart {
			end := front[len(front)*3/4]
			name = []float64{end[0] - 0.1, end[1] - 0.05}
		}
	}
	b.Label(name[0], name[1], words, 12, b.Theme.Muted, side)
	label := "attainable"
	if s.values.D == 1 {
		label = "attainable: on this line"
	}
	_, xmax, _, ymax := b.Bounds()
	write := b.Text
	if s.values.Swarm.On() {
		write = b.Label
	}
	height := 0.66
	if summed { // below the label of the sum's ridge
		height = 0.56
	}
	write(0.945*xmax, height*ymax, label, 12, b.Theme.Muted, brush.LeftOf)
	if s.values.Problem == problemFonseca && s.values.D > 1 {
		b.Text(0.3*xmax, 0.3*ymax, "out of reach: better than the front", 12, b.Theme.Muted, brush.Align{})
	}
}

// weightedSum describes the weighted sum of objectives that the selected run descends, if its weights are fixed.
type weightedSum struct {
	lambda float64
	f      []float64 // the run's objectives
	value  float64   // the weighted sum of f
	// least holds the points where a line of equal sum touches the front from below. They are local minima of the sum. most
	// is the sum's maximum on the front, or nil if the maximum is at an end of the front.
	least    [][]float64
	most     []float64
	interior bool
}

// weightedSum returns the sum that the selected run descends. ok is false if the run's weights are not fixed.
func (s *Scene) weightedSum() (sum weightedSum, ok bool) {
	r := s.Timeline().Selected()
	if r.Run == nil || r.Method != "ls" {
		return sum, false
	}
	weights := s.values.FixedWeights(s.values.Seed, r.StartIndex())
	of := func(f []float64) float64 { return float64(weights[0]*f[0]) + float64(weights[1]*f[1]) }
	sum = weightedSum{lambda: weights[0], f: s.Timeline().Shown(r).F}
	sum.value = of(sum.f)
	front := s.problem.Front(1001)
	last := len(front) - 1
	for i, f := range front {
		before, after := front[max(i-1, 0)], front[min(i+1, last)]
		switch here := of(f); {
		case here <= of(before) && here <= of(after) && (i == 0 || i == last || here < of(before)):
			sum.least = append(sum.least, f)
		case i > 0 && i < last && here > of(before) && here >= of(after):
			sum.most, sum.interior = f, true
		}
	}
	return sum, true
}

// drawSum draws the line of equal sum through the selected run, and the points where parallel lines touch the front.
func (s *Scene) drawSum(b *brush.Brush) {
	sum, ok := s.weightedSum()
	if !ok {
		return
	}
	xmin, xmax, ymin, ymax := b.Bounds()
	w1, w2 := sum.lambda, 1-sum.lambda
	// along returns a line of equal sum through f. The line extends by the given length on each side of f.
	along := func(f []float64, length float64) func(i int) (x, y float64) {
		n := portable.Hypot(w1, w2)
		return func(i int) (float64, float64) {
			way := length * float64(2*i-1) / n
			return f[0] + float64(way*w2), f[1] - float64(way*w1)
		}
	}
	t := b.Theme
	b.Line(2, along(sum.f, 2*(xmax-xmin+ymax-ymin)), brush.Stroke{Color: t.Ink, Width: 1.5})
	for _, f := range sum.least {
		b.Line(2, along(f, 0.13*xmax), brush.Stroke{Color: t.Ink, Width: 1.5, Dash: []vg.Length{5, 3}})
	}
	if sum.interior {
		b.Line(2, along(sum.most, 0.13*xmax), brush.Stroke{Color: t.Ink, Width: 1.5, Dash: []vg.Length{1.5, 3}})
	}
	if b.Frame.Detail != brush.Full {
		return
	}
	for _, f := range sum.least {
		align := brush.Align{X: 1, Y: -1}
		if f[0] > f[1] { // here the front is at the lower right, and there is room on the left
			align = brush.Align{X: -1, Y: 1}
		}
		b.Label(f[0], f[1], "least", 12, t.Ink, align)
	}
	if sum.interior {
		b.Label(sum.most[0], sum.most[1], "ridge: the sum’s maximum", 12, t.Ink, brush.Align{X: 1, Y: 1})
	}
	// Label the middle of the line's visible part, on the side away from the runs.
	const pieces = 100
	first, last := -1, -1
	on := along(sum.f, 2*xmax)
	piece := func(i int) (x, y float64) {
		u := float64(i) / pieces
		x0, y0 := on(0)
		x1, y1 := on(1)
		return x0 + float64(u*(x1-x0)), y0 + float64(u*(y1-y0))
	}
	for i := range pieces + 1 {
		if x, y := piece(i); b.Contains(x, y) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first >= 0 {
		x, y := piece((first + last) / 2)
		text := fmt.Sprintf("%s f_1 + %s f_2 = %s along this line", short(w1), short(w2), short(sum.value))
		align := brush.Align{X: -1, Y: -1}
		if s.values.Problem == problemQuadratic { // here the runs are below
			align = brush.Align{X: 1, Y: 1}
		} else if x < 0.4*xmax {
			align.X = 1
		}
		b.Label(x, y, text, 12, t.Ink, align)
	}
}

// short formats a number with two decimals.
func short(v float64) string { return timeline.Number(math.Round(100*v) / 100) }
