package fairness

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

func solutionName(j int) string { return "solution " + strconv.Itoa(j+1) }

// look returns the look of solution j in panels of one run.
func look(t *brush.Theme, j int) brush.Look { return t.Solution(j) }

// Symbols of the points. Shape and lightness show the class; whether the symbol is filled or hollow shows the attribute.
var signs = [2][2]brush.Shape{{brush.RingSquare, brush.Square}, {brush.Ring, brush.Circle}}

// classOf returns 1 for class +1, otherwise 0.
func classOf(y float64) int {
	if y > 0 {
		return 1
	}
	return 0
}

// signColor returns the colour of a class.
func signColor(t *brush.Theme, class int) color.NRGBA { return t.Objective(1-class, 2) }

// shown returns the solutions of the selected run at the marker, with all their records.
func (s *Scene) shown() []timeline.Row {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	out := make([]timeline.Row, r.Solutions())
	for j := range out {
		out[j] = s.Timeline().Shown(timeline.Track{Run: r, Solution: j})
	}
	return out
}

// dataPanel shows the points and the decision lines of the selected run's solutions.
func (s *Scene) dataPanel() axes.Panel {
	p := &axes.Plane{Name: "data", Heading: "Points and decision lines", Equal: true, Find: s.findPoint, Text: s.OfSelected(s.describeData),
		Moving: s.linesMove}
	p.Axes = func() (axes.Axis, axes.Axis) {
		const reach = problem.FairnessView
		return axes.Axis{Min: -reach, Max: reach}.Named("feature 1", "x_{1}"), axes.Axis{Min: -reach, Max: reach}.Named("feature 2", "x_{2}")
	}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{
			{Draw: s.drawSide},
			{Draw: s.drawEnds},
			{Draw: s.drawAttribute},
			{Key: fmt.Sprintf("points %+v %x", s.values.problem(), s.decisions()), Draw: s.drawPoints},
			{Draw: s.drawLines},
			{Draw: s.drawWords},
		}
	}
	p.Grips = s.attributeGrip
	p.Legend = func(t *brush.Theme) []axes.Entry {
		var out []axes.Entry
		for _, class := range []int{1, 0} {
			name := [...]string{"−1", "+1"}[class]
			out = append(out,
				axes.Entry{Label: "class " + name + ", with the attribute", Shape: signs[class][1], Fill: signColor(t, class)},
				axes.Entry{Label: "without", Shape: signs[class][0], Fill: signColor(t, class)})
		}
		if r := s.Timeline().Selected(); r.Run != nil {
			one := look(t, r.Solution)
			out = append(out, axes.Entry{Label: linesLabel(r), Shape: one.Shape, Fill: one.Hue, Stroke: one.Stroke(1.75)})
		}
		return append(out, axes.Entry{Label: "the front’s ends", Stroke: endStroke(t)},
			axes.Entry{Label: "the selected line decides +1", Area: s.sideColor(t)})
	}
	return p
}

// linesLabel states how many lines the selected run has.
func linesLabel(r timeline.Track) string {
	n := r.Run.Solutions()
	if n == 1 {
		return "the line of " + r.Title
	}
	return fmt.Sprintf("the %d lines of %s", n, r.Title)
}

// attributeHandle is the handle that turns the attribute's direction.
const attributeHandle = "attribute"

// Position of the attribute's handle: its distance from the origin, and its angle at φ = 0°, the direction from one
// class to the other. Points are rotated by φ before their attribute is drawn at random.
const (
	attributeAt   = 0.93 * problem.FairnessView
	attributeFrom = 45 // degrees
)

// attribute returns the direction in which the attribute becomes more likely.
func (s *Scene) attribute() (x, y float64) {
	y, x = portable.Sincos((attributeFrom + s.values.Phi) * math.Pi / 180)
	return x, y
}

// attributeGrip returns the handle that turns the attribute.
func (s *Scene) attributeGrip() []axes.Grip {
	const step = 0.4
	x, y := s.attribute()
	return []axes.Grip{{ID: attributeHandle, Label: "rotation of the attribute", Value: fmt.Sprintf("φ = %s°", numeral.Fixed(s.values.Phi, 0)),
		X: attributeAt * x, Y: attributeAt * y, StepX: step, StepY: step}}
}

// turned returns the φ, in whole degrees from −180 to 180, that puts the handle in the direction of (x, y).
func turned(x, y float64) float64 {
	phi := math.Round(portable.Atan2(y, x)*180/math.Pi) - attributeFrom
	if phi < -180 {
		phi += 360
	}
	return phi
}

// drawAttribute draws an arrow to the handle. It points in the direction in which more points have the attribute.
func (s *Scene) drawAttribute(b *brush.Brush) {
	if b.Frame.Detail == brush.Thumbnail {
		return
	}
	const short = 0.94
	x, y := s.attribute()
	b.Arrow(0, 0, short*attributeAt*x, short*attributeAt*y, brush.Stroke{Color: b.Theme.Accent, Width: 1.25, Dash: []vg.Length{6, 3}})
}

// nameAttribute labels the handle. It returns the areas of the label and the handle.
func (s *Scene) nameAttribute(b *brush.Brush) []vg.Rectangle {
	const clear = brush.GripRadius
	x, y := s.attribute()
	handle := b.At(attributeAt*x, attributeAt*y)
	side, room := brush.RightOf, b.Frame.Width-handle.X
	if x < 0 {
		side, room = brush.LeftOf, handle.X-b.Canvas.Min.X
	}
	at := handle.Add(vg.Point{X: vg.Length(clear * side.X)})
	words := fmt.Sprintf("more have the attribute (φ = %s°)", numeral.Fixed(s.values.Phi, 0))
	if room < b.Width(words)+2*clear {
		words = "attribute"
	}
	b.LabelAt(at, words, brush.SmallText, b.Theme.Accent, side)
	ring := vg.Point{X: clear, Y: clear}
	return []vg.Rectangle{b.LabelArea(at, words, brush.SmallText, side), {Min: handle.Sub(ring), Max: handle.Add(ring)}}
}

// chosen returns the selected line, or nil without a run.
func (s *Scene) chosen() []float64 {
	if s.Timeline().Selected().Run == nil {
		return nil
	}
	return s.Timeline().Shown(s.Timeline().Selected()).X
}

// sideColor returns the tint of the side where the selected line decides +1.
func (s *Scene) sideColor(t *brush.Theme) color.NRGBA {
	return t.Tint(look(t, s.Timeline().Selected().Solution).Hue, 0.13)
}

// endStroke returns the stroke of the lines at the front's ends. It is wide, so that a selected line on top does not hide it.
func endStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Optimum, Width: 9} }

func (s *Scene) drawSide(b *brush.Brush) {
	theta := s.chosen()
	if theta == nil {
		return
	}
	length := portable.Hypot(theta[0], theta[1])
	if length == 0 {
		return
	}
	n := [2]float64{theta[0] / length * far, theta[1] / length * far}
	corners := [4][2]float64{{n[1], -n[0]}, {-n[1], n[0]}, {n[0] - n[1], n[1] + n[0]}, {n[0] + n[1], n[1] - n[0]}}
	b.Polygon(4, func(i int) (x, y float64) { return corners[i][0], corners[i][1] }, s.sideColor(b.Theme))
}

// Points for which the selected line decides +1 stand out.
const (
	pointRadius        = 3
	decided, undecided = 0.8, 0.42 // opacities
)

// decides reports whether a line decides +1 for point j.
func (s *Scene) decides(theta []float64, j int) bool {
	return float64(theta[0]*s.sample.X[2*j])+float64(theta[1]*s.sample.X[2*j+1]) >= 0
}

// decisions returns the selected line's decisions, one bit per point, or nil without a run. The picture of the points is redrawn only
// if a decision changes.
func (s *Scene) decisions() []byte {
	theta := s.chosen()
	if theta == nil {
		return nil
	}
	bits := make([]byte, (s.sample.Len()+7)/8)
	for j := range s.sample.Y {
		if s.decides(theta, j) {
			bits[j/8] |= 1 << (j % 8)
		}
	}
	return bits
}

func (s *Scene) drawPoints(b *brush.Brush) {
	theta := s.chosen()
	for j, y := range s.sample.Y {
		class, opacity := classOf(y), undecided
		if theta != nil && s.decides(theta, j) {
			opacity = decided
		}
		shape, color := signs[class][int(s.sample.Z[j])], brush.Faded(signColor(b.Theme, class), opacity)
		b.Marker(s.sample.X[2*j], s.sample.X[2*j+1], shape, pointRadius, color, false)
	}
}

// far is a distance beyond any view.
const far = 4 * problem.FairnessView

// drawLine draws the line θᵀx = 0 and returns its upward unit direction, or zeros for a zero θ, which has none.
func drawLine(b *brush.Brush, theta []float64, stroke brush.Stroke) [2]float64 {
	length := portable.Hypot(theta[0], theta[1])
	if length == 0 {
		return [2]float64{}
	}
	u, v := -theta[1]/length, theta[0]/length
	if v < 0 || v == 0 && u < 0 {
		u, v = -u, -v
	}
	b.Line(2, func(i int) (float64, float64) { return far * u * float64(2*i-1), far * v * float64(2*i-1) }, stroke)
	return [2]float64{u, v}
}

// linesMove appends, for each of the selected run's lines, the point near the frame at which the line's symbol is
// drawn.
func (s *Scene) linesMove(v []float64, k, most int) []float64 {
	r := s.Timeline().Selected().Run
	if r == nil {
		return v
	}
	row := r.Kept(r.Index(min(k, r.Last())))
	for j := 0; j < r.Solutions(); j += axes.Every(r.Solutions(), most) {
		const reach = 0.87 * problem.FairnessView
		theta := timeline.Track{Run: r, Solution: j}.Of(row).X
		length := portable.Hypot(theta[0], theta[1])
		v = append(v, -theta[1]/length*reach, theta[0]/length*reach)
	}
	return v
}

func (s *Scene) drawEnds(b *brush.Brush) {
	for _, theta := range s.endLines() {
		drawLine(b, theta, endStroke(b.Theme))
	}
}

// drawLines draws the selected run's lines with their solutions' symbols. The selected line is bold, with an arrow to the side of +1.
func (s *Scene) drawLines(b *brush.Brush) {
	chosen := s.Timeline().Selected().Solution
	rows := s.shown()
	order := make([]int, 0, len(rows)) // the selected line is drawn last
	for j := range rows {
		if j != chosen {
			order = append(order, j)
		}
	}
	if chosen < len(rows) {
		order = append(order, chosen)
	}
	ways := make([][2]float64, len(rows)) // upward unit directions; zero for lines without a direction
	for _, j := range order {
		look, width := look(b.Theme, j), vg.Length(1.25)
		if j == chosen {
			width = 4
		}
		ways[j] = drawLine(b, rows[j].X, brush.Stroke{Color: look.Hue, Width: width, Dash: look.Dash})
	}
	for _, j := range order {
		look, radius := look(b.Theme, j), vg.Length(4.5)
		if j == chosen {
			radius = 7
		}
		u, v := ways[j][0], ways[j][1]
		if v == 0 && u == 0 {
			continue
		}
		// Draw the symbols of coinciding lines side by side.
		at := 0.87*problem.FairnessView - float64(0.7*float64(j))
		x, y := float64(at*u), float64(at*v)
		if j == chosen {
			const arrow = 1.6
			nx, ny := v, -u // the side of +1
			if float64(nx*rows[j].X[0])+float64(ny*rows[j].X[1]) < 0 {
				nx, ny = -nx, -ny
			}
			b.Arrow(x, y, x+float64(arrow*nx), y+float64(arrow*ny), brush.Stroke{Color: look.Hue, Width: 2.5})
		}
		b.Marker(x, y, look.Shape, radius, look.Hue, true)
	}
}

// endLines returns the most accurate line and the fairest line.
func (s *Scene) endLines() [2][]float64 {
	return [2][]float64{s.front.theta[0], s.front.theta[len(s.front.theta)-1]}
}

// drawWords draws the texts in a large picture: the selected line's shares, and the names of the handle and of the front's ends.
func (s *Scene) drawWords(b *brush.Brush) {
	if b.Frame.Detail == brush.Full {
		shares := s.drawShares(b)
		s.nameEnds(b, append(s.nameAttribute(b), shares))
	}
}

// nameEnds labels the lines of the front's ends. It puts the labels where they cover the fewest other lines and points,
// and no taken area.
func (s *Scene) nameEnds(b *brush.Brush, taken []vg.Rectangle) {
	const size, line, area = brush.SmallText, 100, 1000 // costs of covering a line and a taken area; a covered point costs 1
	lines := s.lines()
	for i, theta := range s.endLines() {
		length := portable.Hypot(theta[0], theta[1])
		if length == 0 {
			continue
		}
		words := [...]string{"most accurate", "fairest"}[i]
		var best vg.Point
		var side brush.Align
		least := math.MaxInt
		for _, along := range []float64{-0.9, 0.9, -0.75, 0.75, -0.6, 0.6} {
			reach := along * problem.FairnessView / length
			at := b.At(-theta[1]*reach, theta[0]*reach)
			for _, a := range []brush.Align{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
				patch := b.LabelArea(at, words, size, a)
				cost := s.pointsIn(b, patch) + line*crossing(b, patch, lines)
				for _, r := range taken {
					if brush.Overlap(patch, r) {
						cost += area
					}
				}
				if cost < least {
					best, side, least = at, a, cost
				}
			}
		}
		b.LabelAt(best, words, size, b.Theme.Ink, side)
	}
}

// pointsIn returns the number of points in an area of the panel.
func (s *Scene) pointsIn(b *brush.Brush, area vg.Rectangle) (n int) {
	left, low := b.World(area.Min)
	right, high := b.World(area.Max)
	for j := range s.sample.Y {
		if x, y := s.sample.X[2*j], s.sample.X[2*j+1]; left < x && x < right && low < y && y < high {
			n++
		}
	}
	return n
}

// drawShares draws bars of the selected line: who gets +1, and how many points it gets right. The bars are in the corner that the
// fewest lines cross. It returns their area.
func (s *Scene) drawShares(b *brush.Brush) (area vg.Rectangle) {
	theta := s.chosen()
	if theta == nil {
		return area
	}
	// The sizes are in pixels.
	const (
		names, room = 122, 40 // widths of the names and of a percentage
		row, bar    = 19, 11  // heights of a row and of a bar
		rows        = 4
	)
	long := min(90, b.Canvas.Size().X-names-room) // length of a bar of 100 %
	const maxShare = 0.6                          // share of the width; in narrower pictures, bars would cover points
	if long <= 0 || names+long+room > maxShare*b.Canvas.Size().X {
		area = vg.Rectangle{Min: b.Canvas.Min, Max: b.Canvas.Min}
		if without, with := s.sample.PositiveShares(theta); !b.Theme.Print {
			top := b.Footnote(fmt.Sprintf("gets +1: %.0f %% with, %.0f %% without the attribute", 100*with, 100*without))
			area.Max = vg.Point{X: b.Canvas.Max.X, Y: top}
		}
		return area
	}
	area = s.emptiest(b, vg.Point{X: names + long + room, Y: (rows + 0.5) * row})
	at := func(x, y vg.Length) (float64, float64) {
		return b.World(area.Min.Add(vg.Point{X: x + names, Y: y}))
	}
	box := func(x0, y0, x1, y1 vg.Length, fill color.NRGBA) {
		left, low := at(x0, y0)
		right, high := at(x1, y1)
		b.Box(left, low, right, high, fill)
	}
	box(-names, 4, long+room, (rows+0.5)*row, b.Theme.Paper)
	x, y := at(0, rows*row-0.25*row)
	b.Text(x, y, "gets +1:", brush.SmallText, b.Theme.Ink, brush.LeftOf)
	without, with := s.sample.PositiveShares(theta)
	for i, of := range []struct {
		name  string
		share float64
		fill  color.NRGBA
	}{
		{"with the attribute", with, withColor(b.Theme)}, {"without", without, withoutColor(b.Theme)},
		{"points decided right", s.sample.Accuracy(theta), b.Theme.Tint(look(b.Theme, s.Timeline().Selected().Solution).Hue, 0.6)},
	} {
		middle := vg.Length((rows - 1.25 - vg.Length(i)) * row)
		x, y := at(0, middle)
		b.Text(x, y, of.name, brush.SmallText, b.Theme.Ink, brush.LeftOf)
		if math.IsNaN(of.share) {
			continue
		}
		end := vg.Length(long * vg.Length(of.share))
		box(0, middle-bar/2, end, middle+bar/2, of.fill)
		x, y = at(end, middle)
		b.Text(x, y, fmt.Sprintf("%.0f %%", 100*of.share), brush.SmallText, b.Theme.Ink, brush.RightOf)
	}
	return area
}

// lines returns the normals of all lines in the picture, and of the arrow to the handle.
func (s *Scene) lines() [][]float64 {
	ends := s.endLines()
	all := ends[:]
	for _, row := range s.shown() {
		all = append(all, row.X)
	}
	x, y := s.attribute()
	return append(all, []float64{-y, x})
}

// crossing returns the number of lines through the origin, given by their normals, that cross an area of the panel.
func crossing(b *brush.Brush, area vg.Rectangle, lines [][]float64) (n int) {
	size := area.Size()
	for _, theta := range lines {
		var above, below bool
		for i := range 4 {
			x, y := b.World(area.Min.Add(vg.Point{X: size.X * vg.Length(i%2), Y: size.Y * vg.Length(i/2)}))
			if float64(x*theta[0])+float64(y*theta[1]) > 0 {
				above = true
			} else {
				below = true
			}
		}
		if above && below {
			n++
		}
	}
	return n
}

// emptiest returns a box of the given size in the corner of the picture where the fewest lines cross it. Ties go to the
// lower left corner, then the lower right, then the upper corners.
func (s *Scene) emptiest(b *brush.Brush, size vg.Point) (best vg.Rectangle) {
	area, lines := b.Canvas.Rectangle, s.lines()
	fewest := len(lines) + 1
	for _, corner := range [...]vg.Point{area.Min, {X: area.Max.X - size.X, Y: area.Min.Y}, {X: area.Min.X, Y: area.Max.Y - size.Y},
		area.Max.Sub(size)} {
		box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
		if n := crossing(b, box, lines); n < fewest {
			best, fewest = box, n
		}
	}
	return best
}

// findPoint returns the point under the pointer, and the solutions' decisions on it.
func (s *Scene) findPoint(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, best := b.Nearest(at), 0
	for j := range s.sample.Y {
		if near.Closer(s.sample.X[2*j], s.sample.X[2*j+1]) {
			best = j
		}
	}
	if !near.Found {
		return axes.Pick{}, false
	}
	x1, x2 := s.sample.X[2*best], s.sample.X[2*best+1]
	what := "class −1"
	if s.sample.Y[best] > 0 {
		what = "class +1"
	}
	if s.sample.Z[best] > 0 {
		what += ", with the sensitive attribute"
	} else {
		what += ", without the sensitive attribute"
	}
	var for1 []string
	for j, row := range s.shown() {
		if s.decides(row.X, best) {
			for1 = append(for1, strconv.Itoa(j+1))
		}
	}
	decided := "no solution decides +1"
	if for1 != nil {
		decided = "decided +1 by " + strings.Join(for1, ", ")
	}
	return axes.Pick{K: -1, At: b.At(x1, x2), Lines: []string{
		fmt.Sprintf("x = (%s, %s)", numeral.Fixed(x1, 2), numeral.Fixed(x2, 2)), what, decided}}, true
}

func (s *Scene) describeData(r timeline.Track) string {
	row := s.Timeline().Shown(r)
	return fmt.Sprintf("The selected line, %s of %s, gets %.0f %% of the %d points right at round %d. Of the two shares that get +1, "+
		"with and without the attribute, the smaller is %.0f %% of the larger. All %d lines of the method go through the origin.%s",
		solutionName(r.Solution), r.Title, 100*row.Number(accuracy), s.sample.Len(), row.K, 100*row.Number(ratio), r.Run.Solutions(),
		runs.DescribeDiverged(s.Timeline()))
}
