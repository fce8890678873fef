package blocksteps

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
)

// fitting returns the smallest window that contains everything that the plane shows.
func (s *Scene) fitting() runs.Window {
	const room, least = 1.18, 1e-7
	b := runs.NewBox()
	if r := s.Timeline().Selected().Run; s.values.Zoom == zoomEnd && r != nil {
		b.Add(s.goal.Minimiser)
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

// planePanel returns the hero panel: the runs in the plane of the first two variables. For the selected run it shows
// which objective's gradient each step followed, and on which block.
func (s *Scene) planePanel() *axes.Plane {
	track := &kinds.Tracks{Timeline: s.Timeline(), Name: "plane",
		Point: s.pointOf,
		Key: func() string {
			long := ""
			if s.path.Long() {
				long = "long "
			}
			if !s.Partway() {
				return long
			}
			return long + fmt.Sprint(s.Timeline().Marker(), s.moved())
		},
		Shown: func(r timeline.Track) bool { return runs.FromSelectedStart(s.Timeline(), r) },
		Lines: s.planeLines,
		Stroke: func(theme *brush.Theme, r timeline.Track) brush.Stroke {
			look := theme.Look(r.Method)
			switch {
			case s.path.Covers(r):
				return brush.Stroke{Color: brush.Faded(look.Hue, 0)}
			case r != s.Timeline().Selected():
				return look.Stroke(1.5)
			case sweeps.Alternates(r.Method):
				return brush.Stroke{Color: brush.Faded(look.Hue, 0.4), Width: 1}
			}
			return look.Stroke(2.75)
		},
	}
	p := &axes.Plane{Name: "plane", Heading: "Where the steps lead", Find: track.Find, Text: s.OfSelected(s.describePlane),
		Moving: track.Moving}
	p.Sheets = func() []axes.Sheet {
		sheets := []axes.Sheet{s.levels(), {Key: fmt.Sprint("set ", s.Timeline().Version()), Draw: s.drawSet}}
		sheets = append(sheets, track.Sheets()...)
		return append(sheets, axes.Sheet{Draw: func(b *brush.Brush) {
			s.path.Draw(b)
			s.drawOutputs(b)
			track.Ends(b)
			s.drawLeast(b)
			s.drawMoment(b)
		}})
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.problem == nil {
			return nil
		}
		out := kinds.MethodEntries(t, Methods, s.Timeline())
		_, q := s.problem.Dims()
		out = append(out, sweeps.StepEntries(t, q)...)
		out = append(out, axes.Entry{Label: "where the mixture is least (F_m)", Shape: brush.Plus, Fill: t.Ink})
		for _, sign := range s.outputMarkers() {
			out = append(out, axes.Entry{Label: sign.name, Shape: sign.shape, Fill: t.Ink})
		}
		return out
	}
	p = s.StartPanel(p, s.Timeline(), s.waiting)
	s.values.Walk.InVariables(p, s.pair, 0.02)
	return p
}

// pair returns the indices of the two variables in the plane, counted from 0. They are equal if there is only one
// variable.
func (s *Scene) pair() (right, up int) {
	if s.problem != nil {
		if n, _ := s.problem.Dims(); n > 1 {
			up = 1
		}
	}
	return 0, up
}

// objectiveDashes lists the dashes that, together with colours, distinguish the objectives' level sets.
var objectiveDashes = [][]vg.Length{nil, {5, 2.5}, {1.5, 2.5}, {8, 3, 2, 3}, {12, 4}, {2, 2, 6, 2}}

// outputMarker is the marker of one output of the selected run.
type outputMarker struct {
	name  string
	shape brush.Shape
	of    func(o *sweeps.Outputs) []float64
}

// outputsKey identifies a run's state at the marker.
type outputsKey struct {
	version uint64
	run     *timeline.Run
	k       int
}

// outputMarkers returns the markers of the outputs, or nil if the curves do not show outputs.
func (s *Scene) outputMarkers() []outputMarker {
	if s.values.View != viewOutputs && s.values.View != viewBounds {
		return nil
	}
	return []outputMarker{
		{"random", brush.RingTriangle, func(o *sweeps.Outputs) []float64 { return o.Uniform }},
		{"average", brush.RingSquare, func(o *sweeps.Outputs) []float64 { return o.Average }},
		{"last", brush.Ring, func(o *sweeps.Outputs) []float64 { return o.Last }},
	}
}

// outputsNow returns the selected run's outputs at the marker, or nil if there are none.
func (s *Scene) outputsNow() *sweeps.Outputs {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	key := outputsKey{s.Timeline().Version(), r, min(s.Timeline().Marker(), r.Last())}
	return s.outputs.Of(key, func() *sweeps.Outputs { return sweeps.OutputsOf(s.Timeline(), r) })
}

// drawOutputs marks the selected run's outputs at the marker.
func (s *Scene) drawOutputs(b *brush.Brush) {
	signs := s.outputMarkers()
	if signs == nil {
		return
	}
	o := s.outputsNow()
	if o == nil || o.Average == nil {
		return
	}
	for _, sign := range signs {
		x, y := runs.Flat(sign.of(o))
		b.Marker(x, y, sign.shape, 6, b.Theme.Ink, true)
	}
}

// setPoints is the number of computed points of the Pareto set between two objectives.
const setPoints = 40

// paretoSet returns, for each pair of objectives, the minimisers of their weighted sums, starting with the first
// objective's minimiser.
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

// drawSet draws the Pareto set between each pair of objectives, and the objectives' minimisers.
func (s *Scene) drawSet(b *brush.Brush) {
	if _, q := s.problem.Dims(); q == 3 && len(s.Start) == 2 {
		b.Polygon(3*setPoints, func(i int) (float64, float64) {
			switch j := i % setPoints; i / setPoints {
			case 0:
				return runs.Flat(s.pairs[0][j]) // from f1 to f2
			case 1:
				return runs.Flat(s.pairs[2][j]) // to f3
			default:
				return runs.Flat(s.pairs[1][setPoints-j]) // and back
			}
		}, brush.Faded(b.Theme.Optimum, 0.6))
	}
	for _, pair := range s.pairs {
		b.Optima(len(pair), func(i int) (float64, float64) { return runs.Flat(pair[i]) })
	}
	_, q := s.problem.Dims()
	for k := range q {
		at := s.lowest(k)
		x, y := runs.Flat(at)
		look := b.Theme.Goal(k)
		if b.Frame.Detail == brush.Full {
			const past = 3 // pixels beyond the marker
			beside := b.At(x, y).Add(vg.Point{X: past})
			b.LabelAt(beside, fmt.Sprintf("best for goal %d (f_%d)", k+1, k+1), brush.SmallText, b.Theme.Muted, brush.RightOf)
		}
		b.Marker(x, y, look.Shape, 5, look.Hue, true)
	}
}

// drawLeast marks the minimiser of F_m. The mark is on top of the runs, which come to rest there.
func (s *Scene) drawLeast(b *brush.Brush) {
	x, y := runs.Flat(s.goal.Minimiser)
	b.Marker(x, y, brush.Plus, 7, b.Theme.Ink, true)
}

// lowest returns the minimiser of objective k, at which the Pareto set of a pair of objectives ends.
func (s *Scene) lowest(k int) []float64 {
	if k == 0 {
		return s.pairs[0][0]
	}
	return s.pairs[k-1][setPoints]
}

// levelNodes is the number of grid nodes, in each direction, from which level sets are computed.
const levelNodes = 64

// levels returns the layer of level sets behind the paths. It is empty unless there are exactly two variables and level
// sets are selected.
func (s *Scene) levels() axes.Sheet {
	w := s.Window()
	key := fmt.Sprint("levels ", s.Timeline().Version(), s.values.Field, w)
	if len(s.Start) != 2 || s.values.Field == fieldNone {
		return axes.Sheet{Key: key, Draw: func(*brush.Brush) {}}
	}
	_, q := s.problem.Dims()
	f, at := make([]float64, q), make([]float64, 2)
	values := func(x, y float64) []float64 {
		at[0], at[1] = x, y
		s.problem.Values(f, at)
		return f
	}
	if s.values.Field == fieldSum {
		return s.landscape(key, "F_m", func(x, y float64) float64 { return s.goal.Sum(values(x, y)) }, s.goal.Least, w).Sheet()
	}
	return axes.Sheet{Key: key, Draw: func(b *brush.Brush) {
		for k := range q {
			l := s.landscape(key, "", func(x, y float64) float64 { return values(x, y)[k] }, 0, w)
			stroke := brush.Stroke{Color: brush.Faded(b.Theme.Goal(k).Hue, 0.7), Width: 1, Dash: objectiveDashes[k%len(objectiveDashes)]}
			b.Contours(levelNodes, levelNodes, l.Value, l.Levels, stroke)
		}
	}}
}

// landscape returns the level sets of a function of two variables in a window. least is the function's minimum.
func (s *Scene) landscape(key, label string, value func(x, y float64) float64, least float64, w runs.Window) kinds.Landscape {
	l := kinds.Landscape{Key: key, Label: label, Value: value, Nodes: levelNodes, Low: least, High: least}
	for _, d := range [][2]float64{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		l.High = max(l.High, value(w.X+float64(d[0]*w.Half), w.Y+float64(d[1]*w.Half)))
	}
	const lines = 12
	l.SetLevels(lines)
	return l
}

// planeLines returns the tooltip lines for a row.
func (s *Scene) planeLines(r timeline.Track, row timeline.Row) []string {
	lines := []string{
		fmt.Sprintf("%s, k = %d", r.Label(), row.K),
		"x = " + timeline.Vector(row.X),
		"f = " + timeline.Vector(row.F),
		"weighted sum above its minimum: " + timeline.Number(s.goal.Above(row.F)),
	}
	if o := row.Number(sweeps.ObjectiveName); !math.IsNaN(o) {
		lines = append(lines, fmt.Sprintf("next: block %d, %s", int(row.Number(sweeps.BlockName))+1,
			strings.ReplaceAll(sweeps.ObjectiveOf(o), "_", "")))
	}
	return lines
}

func (s *Scene) describePlane(r timeline.Track) string {
	row := s.Timeline().Shown(r)
	if text := s.momentText(); text != "" {
		return fmt.Sprintf("A step of %s, moment by moment: %s.", r.Label(), strings.ReplaceAll(text, "_", ""))
	}
	text := fmt.Sprintf("%s is %s away from the plus sign, where the weighted sum is least.", r.Label(),
		timeline.Number(s.goal.Away(row.X)))
	if words := s.FirstTwo(); words != "" {
		text += " " + words
	}
	return text + runs.DescribeDiverged(s.Timeline())
}
