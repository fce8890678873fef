package blocks

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/timeline"
)

// fitting is the window that holds what the plane shows.
func (s *Scene) fitting() race.Window {
	const room, least = 1.18, 1e-7
	b := race.NewBox()
	if r := s.Timeline().Selected().Run; s.values.Zoom == zoomEnd && r != nil {
		b.Add(s.goal.minimiser)
		k := min(s.Timeline().Marker(), r.Last())
		for i := r.Index(max(0, k-2*sweeps.Steps(r))); i <= r.Index(k); i++ {
			b.Add(timeline.Track{Run: r}.Kept(i).X)
		}
		const grain = 0.25
		return b.Window(room, least, grain)
	}
	b.Add(s.Start)
	for _, x := range s.reach {
		b.Add(x)
	}
	return b.Window(room, least, 0)
}

// planePanel is the hero: where the runs go, in the plane of the first two variables, and of
// the selected run which objective's gradient it followed, on which block.
func (s *Scene) planePanel() *panel.Plane {
	track := &panel.Tracks{Timeline: s.Timeline(), Name: "plane",
		Point: s.pointOf,
		Key: func() string {
			long := ""
			if s.Timeline().Marker() > mostDrawn {
				long = "long "
			}
			if !s.Partway() {
				return long
			}
			return long + fmt.Sprint(s.Timeline().Marker(), s.moved())
		},
		Shown: func(r timeline.Track) bool { return race.FromSelectedStart(s.Timeline(), r) },
		Lines: s.planeLines,
		Stroke: func(theme *panel.Theme, r timeline.Track) panel.Stroke {
			look := theme.Look(r.Method)
			switch {
			case s.stepwise(r):
				return panel.Stroke{Color: panel.Faded(look.Hue, 0)}
			case r != s.Timeline().Selected():
				return look.Stroke(1.5)
			case alternates(r.Method):
				return panel.Stroke{Color: panel.Faded(look.Hue, 0.4), Width: 1}
			}
			return look.Stroke(2.75)
		},
	}
	p := &panel.Plane{Name: "plane", Heading: "Where the steps lead", Equal: true, Stretched: true, Find: track.Find, Text: s.describePlane}
	p.Axes = func() (panel.Axis, panel.Axis) { return s.Axes(s.Window(s.fitting)) }
	p.Sheets = func() []panel.Sheet {
		if s.problem == nil {
			return panel.WordSheets(s.waiting())
		}
		sheets := []panel.Sheet{s.levels(), {Key: fmt.Sprint("set ", s.Timeline().Version()), Draw: s.drawSet}}
		sheets = append(sheets, track.Sheets()...)
		return append(sheets, panel.Sheet{Draw: func(b *panel.Brush) {
			s.drawSteps(b)
			s.drawOutputs(b)
			track.Ends(b)
			s.drawMoment(b)
		}})
	}
	p.Grips = func() []panel.Grip { return s.Grips(s.Timeline(), s.Window(s.fitting)) }
	p.Legend = func(t *panel.Theme) []panel.Entry {
		if s.problem == nil {
			return nil
		}
		out := panel.MethodEntries(t, Methods, s.Timeline())
		_, q := s.problem.Dims()
		for k := range q {
			look := t.Goal(k)
			out = append(out, panel.Entry{Label: fmt.Sprintf("for f_%d", k+1), Stroke: look.Stroke(ages[0].width), Shape: look.Shape,
				Fill: look.Hue})
		}
		out = append(out, panel.Entry{Label: "least F_m", Shape: panel.Plus, Fill: t.Ink})
		for _, sign := range s.outputSigns() {
			out = append(out, panel.Entry{Label: sign.name, Shape: sign.shape, Fill: t.Ink})
		}
		return out
	}
	return p
}

// objectiveDashes tell level sets of the objectives apart beside their colours.
var objectiveDashes = [][]vg.Length{nil, {5, 2.5}, {1.5, 2.5}, {8, 3, 2, 3}, {12, 4}, {2, 2, 6, 2}}

const (
	// mostDrawn is up to how many steps of the selected run all are drawn one by one.
	mostDrawn = 1200
	goalSign  = 3.5 // radius of the sign of an objective at the end of a step
)

// ages are how steps are drawn: those of so many outer iterations before that of the marker, and
// older ones.
var ages = [...]struct{ before, width, sign vg.Length }{{1, 4, goalSign}, {4, 3, 3}, {math.MaxInt32, 2.25, 2.5}}

// stepwise reports whether all steps of a run are drawn one by one, in place of its path.
func (s *Scene) stepwise(r timeline.Track) bool {
	return r == s.Timeline().Selected() && alternates(r.Method) && s.Timeline().Marker() <= mostDrawn
}

// drawSteps draws the last steps of the selected run where objectives take turns, each in the
// colour of its objective and with its sign at the end: strong in the outer iteration of the
// marker, thinner before it. Where steps of a visit of a block go back, all keep to the right, so
// that forth and back are told apart.
func (s *Scene) drawSteps(b *panel.Brush) {
	r := s.Timeline().Selected()
	if r.Run == nil || !alternates(r.Method) {
		return
	}
	_, q := s.problem.Dims()
	k := min(s.Timeline().Marker(), r.Last())
	steps := sweeps.Steps(r.Run)
	now := max(0, k-1) / steps // the outer iteration of the step that led here
	strokes := s.clearStrokes(q)
	last, from := r.Index(k), 0
	if !s.stepwise(r) { // the path shows the others
		from = max(0, now-int(ages[1].before)+1) * steps
	}
	for i := r.Index(from); i < last; {
		row := r.Kept(i)
		outer, block := row.K/steps, row.Number(sweeps.BlockName)
		end := i + 1
		for end < last && r.Kept(end).K/steps == outer && r.Kept(end).Number(sweeps.BlockName) == block {
			end++
		}
		age := 0
		for vg.Length(now-outer) >= ages[age].before {
			age++
		}
		aside := vg.Length(0)
		if s.turnsBack(b, r, i, end) {
			const apart = 0.6 // of the width of a step
			aside = apart * ages[age].width
		}
		for ; i < end; i++ {
			row, next := r.Kept(i), r.Kept(i+1)
			objective := row.Number(sweeps.ObjectiveName)
			if !(objective >= 0) || next.K != row.K+1 || next.K == k && s.moved() == 0 {
				continue
			}
			from, to := onTheRight(b.At(s.pointOf(row)), b.At(s.pointOf(next)), aside)
			const least = 1.5 // pixels: shorter ones that are past make a blot
			if d := to.Sub(from); age > 0 && max(math.Abs(float64(d.X)), math.Abs(float64(d.Y))) < least {
				continue
			}
			x0, y0 := b.World(from)
			x1, y1 := b.World(to)
			of := &strokes[age*q+int(objective)]
			*of = append(*of, [4]float64{x0, y0, x1, y1})
			if next.K == k && b.Frame.Detail == panel.Full {
				s.nameStep(b, from, to, goalName(objective))
			}
		}
	}
	for age := len(ages) - 1; age >= 0; age-- {
		for j := range q {
			list := strokes[age*q+j]
			b.Segments(len(list), func(i int) (x0, y0, x1, y1 float64) { return list[i][0], list[i][1], list[i][2], list[i][3] },
				b.Theme.Goal(j).Stroke(ages[age].width))
		}
		s.signSteps(b, strokes[age*q:(age+1)*q], ages[age].sign)
	}
}

// signSteps draws the signs of objectives at the ends of those steps that are longer than a sign.
func (s *Scene) signSteps(b *panel.Brush, strokes [][][4]float64, radius vg.Length) {
	for j, list := range strokes {
		look := b.Theme.Goal(j)
		for _, step := range list {
			d := b.At(step[2], step[3]).Sub(b.At(step[0], step[1]))
			if vg.Length(math.Hypot(float64(d.X), float64(d.Y))) > 3*radius {
				b.Marker(step[2], step[3], look.Shape, radius, look.Hue, true)
			}
		}
	}
}

// turnsBack reports whether a step of those from the rows of index from up to end goes against
// the first.
func (s *Scene) turnsBack(b *panel.Brush, r timeline.Track, from, end int) bool {
	var first vg.Point
	for i := from; i < end; i++ {
		d := b.At(s.pointOf(r.Kept(i + 1))).Sub(b.At(s.pointOf(r.Kept(i))))
		if first == (vg.Point{}) {
			first = d
		}
		if first.Dot(d) < 0 {
			return true
		}
	}
	return false
}

// clearStrokes are the strokes of q objectives in every age, without steps.
func (s *Scene) clearStrokes(q int) [][][4]float64 {
	if len(s.strokes) != q*len(ages) {
		s.strokes = make([][][4]float64, q*len(ages))
	}
	for i := range s.strokes {
		s.strokes[i] = s.strokes[i][:0]
	}
	return s.strokes
}

// onTheRight are the ends of a step on the screen, moved so many pixels to its right.
func onTheRight(from, to vg.Point, aside vg.Length) (at, end vg.Point) {
	d := to.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if !(length > 0) {
		return from, to
	}
	right := vg.Point{X: aside * d.Y / length, Y: -aside * d.X / length}
	return from.Add(right), to.Add(right)
}

// goalName is whose gradient a step followed.
func goalName(objective float64) string {
	if objective == blocks.Together {
		return "F_m"
	}
	return fmt.Sprintf("f_%d", int(objective)+1)
}

// nameStep writes beside the middle of a step whose gradient it followed.
func (s *Scene) nameStep(b *panel.Brush, from, to vg.Point, name string) {
	d := to.Sub(from)
	length := math.Hypot(float64(d.X), float64(d.Y))
	const least = 10 // pixels
	if !(length >= least) {
		return
	}
	x, y := b.World(from.Add(to).Scale(0.5))
	b.Label(x, y, name, panel.LabelText, b.Theme.Ink, panel.Align{X: math.Abs(float64(d.Y)) / length, Y: math.Abs(float64(d.X)) / length})
}

// outputSign is how an output of the selected run is marked.
type outputSign struct {
	name  string
	shape panel.Shape
	of    func(o *outputs) []float64
}

// outputSigns are the signs of the outputs where the curves are about them, else none.
func (s *Scene) outputSigns() []outputSign {
	if s.values.View != viewOutputs && s.values.View != viewBounds {
		return nil
	}
	return []outputSign{
		{"random", panel.RingTriangle, func(o *outputs) []float64 { return o.uniform }},
		{"average", panel.RingSquare, func(o *outputs) []float64 { return o.average }},
		{"last", panel.Ring, func(o *outputs) []float64 { return o.last }},
	}
}

// drawOutputs marks what the selected run would return at the marker.
func (s *Scene) drawOutputs(b *panel.Brush) {
	signs := s.outputSigns()
	if signs == nil {
		return
	}
	o := s.outputsNow()
	if o == nil || o.average == nil {
		return
	}
	for _, sign := range signs {
		x, y := race.Flat(sign.of(o))
		b.Marker(x, y, sign.shape, 6, b.Theme.Ink, true)
	}
}

// setPoints are points of the Pareto set between two objectives.
const setPoints = 40

// paretoSet are the minimisers of weighted sums of each pair of objectives, in order from the
// first of a pair.
func (s *Scene) paretoSet() (pairs [][][]float64, err error) {
	n, q := s.problem.Dims()
	weights := make([]float64, q)
	for i := range q {
		for j := i + 1; j < q; j++ {
			points := make([][]float64, setPoints+1)
			for k := range points {
				clear(weights)
				weights[j] = float64(k) / setPoints
				weights[i] = 1 - weights[j]
				points[k] = make([]float64, n)
				if err := s.problem.ParetoPoint(points[k], weights); err != nil {
					return nil, err
				}
			}
			pairs = append(pairs, points)
		}
	}
	return pairs, nil
}

// drawSet draws the Pareto set, by pairs of objectives, their lowest points and that of F_m.
func (s *Scene) drawSet(b *panel.Brush) {
	if _, q := s.problem.Dims(); q == 3 && len(s.Start) == 2 {
		b.Polygon(3*setPoints, func(i int) (float64, float64) {
			switch j := i % setPoints; i / setPoints {
			case 0:
				return race.Flat(s.pairs[0][j]) // from f1 to f2
			case 1:
				return race.Flat(s.pairs[2][j]) // to f3
			default:
				return race.Flat(s.pairs[1][setPoints-j]) // and back
			}
		}, panel.Faded(b.Theme.Optimum, 0.6))
	}
	for _, pair := range s.pairs {
		b.Optima(len(pair), func(i int) (float64, float64) { return race.Flat(pair[i]) })
	}
	_, q := s.problem.Dims()
	for k := range q {
		at := s.lowest(k)
		x, y := race.Flat(at)
		look := b.Theme.Goal(k)
		b.Marker(x, y, look.Shape, 5, look.Hue, true)
		if b.Frame.Detail == panel.Full {
			b.Label(x, y, fmt.Sprintf("f_%d", k+1), panel.LabelText, b.Theme.Muted, panel.RightOf)
		}
	}
	x, y := race.Flat(s.goal.minimiser)
	b.Marker(x, y, panel.Plus, 7, b.Theme.Ink, true)
}

// lowest is where objective k is least: an end of the set of a pair.
func (s *Scene) lowest(k int) []float64 {
	if k == 0 {
		return s.pairs[0][0]
	}
	return s.pairs[k-1][setPoints]
}

// levelNodes counts the nodes of the grid of level sets, in each direction.
const levelNodes = 64

// levels are level sets behind the paths, where both variables are shown.
func (s *Scene) levels() panel.Sheet {
	w := s.Window(s.fitting)
	key := fmt.Sprint("levels ", s.Timeline().Version(), s.values.Field, w)
	if len(s.Start) != 2 || s.values.Field == fieldNone {
		return panel.Sheet{Key: key, Draw: func(*panel.Brush) {}}
	}
	_, q := s.problem.Dims()
	f, at := make([]float64, q), make([]float64, 2)
	values := func(x, y float64) []float64 {
		at[0], at[1] = x, y
		s.problem.Values(f, at)
		return f
	}
	if s.values.Field == fieldSum {
		return s.landscape(key, "F_m", func(x, y float64) float64 { return s.goal.sum(values(x, y)) }, s.goal.least, w).Sheet()
	}
	return panel.Sheet{Key: key, Draw: func(b *panel.Brush) {
		for k := range q {
			l := s.landscape(key, "", func(x, y float64) float64 { return values(x, y)[k] }, 0, w)
			stroke := panel.Stroke{Color: panel.Faded(b.Theme.Goal(k).Hue, 0.7), Width: 1, Dash: objectiveDashes[k%len(objectiveDashes)]}
			b.Contours(levelNodes, levelNodes, l.Value, l.Levels, stroke)
		}
	}}
}

// landscape is a function of two variables in a window, least at that value.
func (s *Scene) landscape(key, label string, value func(x, y float64) float64, least float64, w race.Window) panel.Landscape {
	l := panel.Landscape{Key: key, Label: label, Value: value, Nodes: levelNodes, Low: least, High: least}
	for _, d := range [][2]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		l.High = max(l.High, value(w.X+d[0]*w.Half, w.Y+d[1]*w.Half))
	}
	const lines = 12
	l.SetLevels(lines)
	return l
}

// planeLines say what there is to know of a row.
func (s *Scene) planeLines(r timeline.Track, row timeline.Row) []string {
	lines := []string{
		fmt.Sprintf("%s, k = %d", r.Label(), row.K),
		"x = " + timeline.Vector(row.X),
		"f = " + timeline.Vector(row.F),
		"above the least sum by " + timeline.Number(s.gap(row.F)),
	}
	if o := row.Number(sweeps.ObjectiveName); !math.IsNaN(o) {
		lines = append(lines, fmt.Sprintf("next: block %d, %s", int(row.Number(sweeps.BlockName))+1, strings.ReplaceAll(goalName(o), "_", "")))
	}
	return lines
}

// gap is how far F_m of losses is above its least value, which rounding may exceed.
func (s *Scene) gap(f []float64) float64 { return max(0, s.goal.sum(f)-s.goal.least) }

func (s *Scene) describePlane() string {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return s.waiting()
	}
	row := s.Timeline().Shown(r)
	if text := s.momentText(); text != "" {
		return fmt.Sprintf("A step of %s, moment by moment: %s.", r.Label(), strings.ReplaceAll(text, "_", ""))
	}
	text := fmt.Sprintf("%s is %s from where the weighted sum is least, the plus sign.", r.Label(),
		timeline.Number(distance(row.X, s.goal.minimiser)))
	if len(s.Start) > 2 {
		text += fmt.Sprintf(" Shown are the first two of %d variables.", len(s.Start))
	}
	return text + race.DescribeDiverged(s.Timeline())
}

// distance returns the distance of two points.
func distance(a, b []float64) float64 {
	var d float64
	for i, v := range a {
		d = math.Hypot(d, v-b[i])
	}
	return d
}
