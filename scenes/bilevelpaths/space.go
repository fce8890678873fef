package bilevelpaths

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// spacePanel returns the panel of the space (α, ω1, ω2). It shows the optima of each level alone, the solutions where
// they meet, the runs, and their start points.
func (s *Scene) spacePanel() *kinds.Space {
	track := &kinds.Tracks{Timeline: s.Timeline(), Name: "space", Lines: s.describeRow,
		Stroke: func(t *brush.Theme, r timeline.Track) brush.Stroke { // the strongest stroke in this picture
			if r == s.Timeline().Selected() {
				return t.Look(r.Method).Stroke(3.5)
			}
			return t.Look(r.Method).Stroke(2.25)
		}}
	shadow := &kinds.Tracks{Timeline: s.Timeline(), Name: "shadow", Secondary: true,
		Stroke: func(t *brush.Theme, r timeline.Track) brush.Stroke {
			return brush.Stroke{Color: brush.Faded(t.Look(r.Method).Hue, 0.2), Width: 1}
		}}
	p := &kinds.Space{Labels: [3]string{"α", "ω_1", "ω_2"}, Words: [3]string{"you steer (α)", "settles (ω_{1})", "settles (ω_{2})"},
		Camera: func() kinds.Camera { return s.values.Camera },
		Reach:  func() float64 { return 0.74 * (s.hi - s.lo) },
		Box: func() [3]axes.Axis {
			side := axes.Axis{Min: s.lo, Max: s.hi}
			return [3]axes.Axis{side, side, side}
		},
	}
	p.Name, p.Heading, p.Moving = "space", "What you steer, and what settles", track.Moving
	view := func() string { return fmt.Sprint(s.values.Camera, s.lo, s.hi, s.read().of) }
	track.Key, shadow.Key = view, view
	flat := func(z [3]float64) (x, y float64) {
		x, y, _ = p.Project(z)
		return x, y
	}
	track.Point = func(r timeline.Row) (float64, float64) { return flat([3]float64(r.X)) }
	shadow.Point = func(r timeline.Row) (float64, float64) { return flat(s.onFloor(r.X)) }

	p.Between = func() []axes.Sheet {
		sheets := []axes.Sheet{{Key: "sets " + view(), Draw: func(b *brush.Brush) { s.drawSets(p.On(b)) }}}
		sheets = append(sheets, shadow.Sheets()...)
		sheets = append(sheets, axes.Sheet{Draw: func(b *brush.Brush) {
			if b.Frame.Detail != brush.Thumbnail && s.detailed() {
				s.drawValley(p.On(b))
			}
		}})
		return append(sheets, track.Sheets()...)
	}
	p.Draw = func(b *kinds.SpaceBrush) {
		if b.Frame.Detail != brush.Thumbnail {
			s.drawThreads(b)
			if s.detailed() {
				s.drawStepInSpace(b)
			}
		}
		track.Heads(b.Brush)
		track.Ends(b.Brush)
		b.Hint("drag the starts, or the background to turn")
	}
	p.Grips = func() []axes.Grip {
		step := 0.02 * (s.hi - s.lo)
		return runs.Grips(s.Timeline(), s.starts, step, func(z []float64) (x, y float64, value string) {
			x, y = flat([3]float64(z))
			return x, y, fmt.Sprintf("α = %s, ω1 = %s, ω2 = %s", numeral.Fixed(z[0], 2), numeral.Fixed(z[1], 2), numeral.Fixed(z[2], 2))
		})
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := append(kinds.MethodEntries(t, Methods, s.Timeline()),
			axes.Entry{Label: "paths seen from above", Stroke: brush.Stroke{Color: brush.Faded(t.Muted, 0.5), Width: 1}},
			axes.Entry{Label: "valley floor ω*(α)", Stroke: optimaStroke(t)})
		if s.own() {
			return out
		}
		return append(out, axes.Entry{Label: "best for the goals alone", Area: brush.Faded(t.Rule, sheetShade)})
	}
	p.Text = func() string {
		if s.own() {
			return s.arrivedOwn() + runs.DescribeDiverged(s.Timeline())
		}
		return s.arrived() + " The solutions are where the dashed valley floor meets the grey sheet, which would be best for the " +
			"goals alone." + runs.DescribeDiverged(s.Timeline())
	}
	p.Build()
	turn := p.Find
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		pick, ok := turn(b, at)
		if !ok {
			return pick, false
		}
		if run, found := track.Find(b, at); found {
			run.Handle = pick.Handle // dragging still turns the view
			return run, true
		}
		return pick, true
	}
	return p
}

// describeRow returns the tooltip lines for a point of a run.
func (s *Scene) describeRow(r timeline.Track, row timeline.Row) []string {
	return []string{
		fmt.Sprintf("%s, k = %d", r.Label(), row.K),
		"α = " + timeline.Number(cleared(row.X[0])) + ", ω = " + timeline.Vector([]float64{cleared(row.X[1]), cleared(row.X[2])}),
		"F = " + timeline.Vector(row.F),
		s.slopesOf(row.X).text(),
		"E = " + timeline.Number(row.Number(twolevel.Distance)) + ", q = " + timeline.Number(row.Number(twolevel.QExact)),
		"λ̃ = " + timeline.Vector(row.Weights) + ", ν = " + timeline.Number(row.Number(twolevel.Nu)),
		fmt.Sprintf("gradients %s, HVP %s", numeral.Count(row.BP), numeral.Fixed(twolevel.ProductsOf(row), 0)),
	}
}

// cleared returns v, or 0 if v is only a rounding error.
func cleared(v float64) float64 {
	if math.Abs(v) < 1e-9 {
		return 0
	}
	return v
}

// nearby is the maximum distance from the solutions at which a run counts as having reached them.
const nearby = 0.01

// arrived returns a text that says how many runs have reached the solutions, and with which methods.
func (s *Scene) arrived() string {
	total, there := 0, 0
	var methods []string
	for _, method := range runs.MethodsOf(s.Timeline()) {
		count := runs.Runs(s.Timeline(), method)
		reached := runs.Count(s.Timeline(), method, (*timeline.Timeline).Shown, func(row timeline.Row) bool {
			return row.Number(twolevel.Distance) <= nearby
		})
		total, there = total+int(count), there+int(reached)
		methods = append(methods, fmt.Sprintf("%s %.0f of %.0f", s.Timeline().FindFrom(method, 0).Title, reached, count))
	}
	switch {
	case total == 0:
		return "No run."
	case s.Timeline().Marker() == 0:
		return "No step has been taken yet."
	case there == total:
		return "All runs have reached the solutions."
	case there == 0:
		return "No run has reached the solutions."
	}
	return "Some runs have reached the solutions: " + strings.Join(methods, ", ") + "."
}

// onFloor projects a point vertically onto the floor.
func (s *Scene) onFloor(z []float64) [3]float64 { return [3]float64{z[0], z[1], s.lo} }

// These values of ω1 are the ends of the segment of solutions and of the upper level's optima.
const (
	firstOptimum  = 1
	secondOptimum = 2
)

// drawSets draws the optima of each level and the solutions, where they meet.
func (s *Scene) drawSets(b *kinds.SpaceBrush) {
	t := b.Theme
	if s.own() {
		s.drawBottoms(b.Line, b.Flat, optimaStroke(t))
		return
	}
	// The upper level alone is optimal for ω1 in [1, 2] and ω2 = α.
	sheet := [][3]float64{{s.lo, firstOptimum, s.lo}, {s.lo, secondOptimum, s.lo}, {s.hi, secondOptimum, s.hi}, {s.hi, firstOptimum, s.hi}}
	b.Face(sheet, brush.Stroke{Color: t.Rule, Width: 0.75}, sheetShade)
	b.Segment([3]float64{s.lo, s.lo, s.lo}, [3]float64{s.hi, s.hi, s.hi}, optimaStroke(t))
	from, to := [3]float64{firstOptimum, firstOptimum, firstOptimum}, [3]float64{secondOptimum, secondOptimum, secondOptimum}
	bar := brush.Stroke{Color: t.Optimum, Width: 11}
	if b.Frame.Detail == brush.Full { // wider than the markers that come to rest on it
		bar.Width = 18
	}
	b.Segment(from, to, bar)
	s.nameSets(b)
}

// nameSets writes labels for the valley floor and the solutions. It places them clear of the runs, and uses words only in
// a wide panel.
func (s *Scene) nameSets(b *kinds.SpaceBrush) {
	const wide = 600 // panel width in pixels
	write := func(at [3]float64, down vg.Length, words string, side brush.Align) {
		b.LabelAt(b.At(b.Flat(at)).Sub(vg.Point{Y: down}), words, brush.SmallText, b.Theme.Ink, side)
	}
	const beyond = secondOptimum + 0.1
	if b.Frame.Detail != brush.Full || b.Frame.Width < wide {
		write([3]float64{beyond, beyond, beyond}, 0, "solutions", brush.Align{X: 1, Y: -1})
		return
	}
	const lead = 14 // pixels between lines
	write([3]float64{beyond, beyond, beyond}, 0, "solutions: settled, and best for the goals", brush.Align{X: 1, Y: -1})
	write([3]float64{s.hi, s.hi, s.hi}, 0, "valley floor: the lower", brush.RightOf)
	write([3]float64{s.hi, s.hi, s.hi}, lead, "level has settled", brush.RightOf)
}

// detailed reports whether the picture shows the details of a step: the lower level's plane, its loop, and the parts of
// the step.
func (s *Scene) detailed() bool { return s.values.View == viewStep || s.InSlowMotion() }

// sheetShade is the opacity of the sheet of the upper level's optima.
const sheetShade = 0.14

// optimaStroke is the stroke of the line of lower-level optima.
func optimaStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 2.25, Dash: []vg.Length{6, 3}}
}

// circlePoints is the number of points on a drawn circle.
const circlePoints = 72

// circle returns point i on a circle about (α, α) in the plane of ω.
func circle(alpha, radius float64, i int) vector {
	sin, cos := portable.Sincos(2 * math.Pi * float64(i) / circlePoints)
	return vector{alpha + float64(radius*cos), alpha + float64(radius*sin)}
}

// valleyRadii lists the radii of the contours of f in space. The value of f is the squared radius.
var valleyRadii = [...]float64{0.5, 1}

// drawValley draws the plane of the selected run's lower level, with contours of f about its optimum.
func (s *Scene) drawValley(b *kinds.SpaceBrush) {
	t := s.step()
	if t == nil || t.alpha < s.lo || t.alpha > s.hi {
		return
	}
	hue := b.Theme.Look(t.run.Method).Hue
	a := t.alpha
	b.Face([][3]float64{{a, s.lo, s.lo}, {a, s.hi, s.lo}, {a, s.hi, s.hi}, {a, s.lo, s.hi}},
		brush.Stroke{Color: brush.Faded(hue, 0.3), Width: 0.75}, 0.04)
	if s.own() {
		if bottom := s.bottom(a, t.omega); bottom[0]-bottom[0] == 0 {
			b.Dot(space(a, bottom), brush.Plus, 4, brush.Stroke{Color: b.Theme.Ink})
		}
		return
	}
	for _, radius := range valleyRadii {
		b.Line(circlePoints+1, func(i int) (float64, float64) {
			p := circle(a, radius, i)
			if math.Min(p[0], p[1]) < s.lo || math.Max(p[0], p[1]) > s.hi {
				return math.NaN(), 0
			}
			return b.Flat(space(a, p))
		}, brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.7), Width: 0.75})
	}
	b.Dot([3]float64{a, a, a}, brush.Plus, 4, brush.Stroke{Color: b.Theme.Ink})
}

// drawThreads draws a vertical line from each run to the floor, to show the run's height.
func (s *Scene) drawThreads(b *kinds.SpaceBrush) {
	for _, r := range s.Timeline().Tracks() {
		x := s.Timeline().Shown(r).X
		color := brush.Faded(b.Theme.Look(r.Method).Hue, 0.6)
		b.Segment([3]float64(x), s.onFloor(x), brush.Stroke{Color: color, Width: 1, Dash: []vg.Length{2, 3}})
		fx, fy := b.Flat(s.onFloor(x))
		b.Marker(fx, fy, brush.Circle, 1.5, color, false)
	}
}

// drawStepInSpace draws the part of the selected run's step up to the moment: the lower level's loop, and where the step leads.
func (s *Scene) drawStepInSpace(b *kinds.SpaceBrush) {
	t := s.step()
	if t == nil {
		return
	}
	thin := brush.Stroke{Color: brush.Faded(b.Theme.Ink, 0.7), Width: 1}
	points := t.loop[:t.looped(s.values.Moment)+1]
	b.Line(len(points), func(i int) (float64, float64) { return b.Flat(space(t.alpha, points[i])) }, thin)
	if len(points) > 1 {
		b.Dot(space(t.alpha, points[len(points)-1]), brush.Circle, 2, brush.Stroke{Color: b.Theme.Ink})
	}
	if !t.made || s.values.Moment <= stageStep {
		return
	}
	from := space(t.alpha, t.omega)
	b.ArrowFrom(from, t.to, stepStroke(b.Theme, t.run.Method))
	if t.family != valueFunction {
		return
	}
	// Draw the two parts of the step: across, towards the objectives, and back into the valley.
	across := from
	for i, d := range t.weighted(t.weights) {
		across[i] -= float64(t.mu[min(i, 1)] * d)
	}
	back := across
	for i, d := range t.slope {
		back[i] -= float64(t.mu[min(i, 1)] * t.nu * d)
	}
	names := axes.NewNames(b.Brush)
	names.Arrow(flatVector(b, from), flatVector(b, across), "−μΣλ̃∇F", acrossStroke(b.Theme))
	if t.nu > 0 {
		names.Arrow(flatVector(b, across), flatVector(b, back), "−μν∇q̃", pullStroke(b.Theme))
	}
	names.Draw()
}

// flatVector projects a point into the plane of the view.
func flatVector(b *kinds.SpaceBrush, p [3]float64) vector {
	x, y := b.Flat(p)
	return vector{x, y}
}
