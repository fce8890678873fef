package ownproblem

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// makePanels creates all panels. shown selects those for the current problem.
func (s *Scene) makePanels() {
	s.decision, s.objective = s.decisionPanel(), s.objectivePanel()
	s.variables = s.parallelPanel("variables", "Variables, side by side", func() int { return s.n }, "x",
		func(i int) axisRange { return axisRange{s.lo[i], s.hi[i]} },
		func(r timeline.Row) []float64 { return r.X }, func(p frontPoint) []float64 { return p.x })
	s.goals = s.parallelPanel("goals", "Objectives, side by side", func() int { return s.m }, "f",
		func(i int) axisRange { return s.ranges[i] },
		func(r timeline.Row) []float64 { return r.F }, func(p frontPoint) []float64 { return p.f })
	s.space = s.spacePanel()
	s.omega, s.share = s.omegaPanel(), s.weights.Panel()
	s.share.Key = s.weights.TickKey
}

// shown returns the panels that suit the problem's numbers of variables and objectives.
func (s *Scene) shown() (out []axes.Panel) {
	if s.n <= 2 {
		out = append(out, s.decision)
	} else {
		out = append(out, s.variables)
	}
	switch s.m {
	case 3:
		out = append(out, s.space, s.goals)
	case 4:
		out = append(out, s.goals)
	}
	return append(out, s.objective, s.share, s.omega)
}

// decisionPanel shows the decision space: the field, the front's points, the runs and their starts.
func (s *Scene) decisionPanel() *axes.Plane {
	d := &runs.DecisionPlane{Timeline: s.Timeline(), Methods: Methods, Pair: s.pair, Walk: &s.values.Walk, Step: 0.02,
		Range:     func() (lo, hi float64) { return s.lo[0], s.hi[0] },
		Landscape: s.landscape, Set: s.setSheet,
		Starts: func() [][]float64 { return s.starts },
		Text:   func() string { return s.whereRuns() + " " + s.frontWords() },
	}
	p := d.Panel()
	p.Stretched = true
	legend := p.Legend
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := legend(t)
		for i := range s.m {
			if s.contoured() {
				out = append(out, axes.Entry{Label: fmt.Sprintf("equal f_%d", i+1), Stroke: contourStroke(t, i)})
			}
		}
		return out
	}
	given := p.Axes
	p.Axes = func() (axes.Axis, axes.Axis) {
		x, y := given()
		if _, up := s.pair(); up == 1 {
			y.Min, y.Max = s.lo[1], s.hi[1]
		} else {
			y.Min, y.Max = -1, 1
		}
		if s.lettered {
			x, y = x.Variable(1, "x"), y.Variable(2, "y")
		}
		return x, y
	}
	s.values.Swarm.InPlane(p, 2, axes.Sheet{Draw: s.nameSet})
	return p
}

// nameSet labels the Pareto set at its end with the smallest f₁.
func (s *Scene) nameSet(b *brush.Brush) {
	if s.n == 2 && s.m == 2 && len(s.points) > 0 && b.Frame.Detail == brush.Full {
		x, side := s.points[0].x, brush.Align{X: 1, Y: -1}
		if x[0] > (s.lo[0]+s.hi[0])/2 {
			side.X = -1
		}
		b.LabelAt(b.At(x[0], x[1]).Sub(vg.Point{Y: 6}), "Pareto set: no step helps both", 12, b.Theme.Muted, side)
	}
}

// landscape returns the layer that is drawn behind the runs: the chosen field.
func (s *Scene) landscape() kinds.Landscape {
	if s.problem == nil || s.n > 2 {
		return kinds.Landscape{}
	}
	x, f := make([]float64, s.n), make([]float64, s.m)
	objective := func(i int) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			x[s.n-1] = b
			x[0] = a
			s.problem.Values(f, x)
			return f[i]
		}
	}
	key := fmt.Sprint(s.surveyed, s.reach, s.values.Field)
	switch s.values.Field {
	case fieldCritical:
		const floor = 0.01
		return kinds.Landscape{Key: key, Nodes: s.grid.Nodes, Low: portable.Log10(floor), High: 0,
			Label: "log_{10} of the unit gradients’ shortest mixture",
			Value: func(a, b float64) float64 { return portable.Log10(max(s.length(a, b), floor)) }}
	case fieldF1, fieldF2:
		i := 0
		if s.values.Field == fieldF2 {
			i = 1
		}
		low, high := s.extremes(i)
		l := kinds.Landscape{Key: key, Nodes: gridNodes, Label: "f_" + fmt.Sprint(i+1), Value: objective(i), Low: low, High: high}
		l.SetLevels(10)
		return l
	case fieldBasins:
		if s.basins == nil || s.n != 2 {
			return kinds.Landscape{}
		}
		r := s.ranges[0]
		return kinds.Landscape{Key: fmt.Sprint(key, s.basins.key, s.basins.at), Nodes: basinCells, Low: r.lo, High: r.hi,
			Label: "f_1 where " + s.values.Title(s.basins.method) + " ends", Value: s.basinAt}
	}
	return kinds.Landscape{}
}

// length returns the grid's value at the node nearest to a point. The value is the length of the shortest mixture of
// the unit gradients there.
func (s *Scene) length(a, b float64) float64 {
	return s.grid.Length[s.node(a, b)]
}

// node returns the index of the grid node nearest to a point.
func (s *Scene) node(a, b float64) int {
	index := func(v float64, i int) int {
		u := (v - s.lo[i]) / (s.hi[i] - s.lo[i]) * float64(s.grid.Nodes-1)
		return min(max(int(math.Round(u)), 0), s.grid.Nodes-1)
	}
	if s.n == 1 {
		return index(a, 0)
	}
	return index(b, 1)*s.grid.Nodes + index(a, 0)
}

// Basin returns f1 at the end of the first method's run from a point. It returns NaN while that end is unknown. The
// runs are computed only while the page displays basins.
func (s *Scene) Basin(x, y float64) float64 {
	if s.basins == nil || s.n != 2 {
		return math.NaN()
	}
	return s.basinAt(x, y)
}

// basinAt returns f1 at the end of the run that starts in a point's cell, or NaN until this run has been computed.
func (s *Scene) basinAt(a, b float64) float64 {
	index := func(v float64, i int) int {
		return min(max(int((v-s.lo[i])/(s.hi[i]-s.lo[i])*basinCells), 0), basinCells-1)
	}
	if i := index(b, 1)*basinCells + index(a, 0); i < len(s.basins.ends) {
		return s.basins.ends[i]
	}
	return math.NaN()
}

// extremes returns the ends of an objective's colour range: its minimum on the grid, and its maximum there without
// the highest tenth of its values.
func (s *Scene) extremes(i int) (low, high float64) {
	var values []float64
	for node := range s.grid.Length {
		if v := s.grid.At(node)[i]; v-v == 0 {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 0, 1
	}
	slices.Sort(values)
	low, high = values[0], values[len(values)*9/10]
	if !(high > low) {
		high = low + 1
	}
	return low, high
}

// setSheet draws the front's points in the decision space, the points that they dominate, and the objectives' contours.
func (s *Scene) setSheet() axes.Sheet {
	return axes.Sheet{Key: fmt.Sprint("set ", s.fronts, s.reach, s.values.Field), Draw: func(b *brush.Brush) {
		if s.problem == nil || s.n > 2 {
			return
		}
		s.drawSurpassed(b)
		for i := range s.m {
			if s.contoured() && b.Frame.Detail != brush.Thumbnail {
				s.drawContours(b, i)
			}
		}
		place := func(p frontPoint) (x, y float64) {
			if s.n == 2 {
				y = p.x[1]
			}
			return p.x[0], y
		}
		for _, part := range s.branches() {
			if len(part) == 1 {
				x, y := place(part[0])
				b.Marker(x, y, brush.Circle, 4, b.Theme.Optimum, false)
			}
			b.Optima(len(part), func(i int) (x, y float64) { return place(part[i]) })
		}
	}}
}

// drawSurpassed greys out critical points if another point is better in all objectives.
func (s *Scene) drawSurpassed(b *brush.Brush) {
	if !s.contoured() || !s.grid.Done() {
		return
	}
	dx, dy := float64((s.hi[0]-s.lo[0])/float64(s.grid.Nodes-1)/2), float64((s.hi[1]-s.lo[1])/float64(s.grid.Nodes-1)/2)
	x := make([]float64, 2)
	grey := brush.Faded(b.Theme.Paper, 0.6)
	for node, length := range s.grid.Length {
		if length < critical && s.grid.Surpassed[node] {
			s.grid.Node(x, node)
			b.Box(x[0]-dx, x[1]-dy, x[0]+dx, x[1]+dy, grey)
		}
	}
}

// contourDashes holds the dash patterns that distinguish the objectives' contours.
var contourDashes = [maxObjectives][]vg.Length{nil, {5, 3}, {1.5, 3}, {8, 3, 2, 3}}

// contoured reports whether the plane shows every objective's contours on top of the critical points.
func (s *Scene) contoured() bool { return s.values.Field == fieldCritical && s.n == 2 }

func contourStroke(t *brush.Theme, i int) brush.Stroke {
	return brush.Stroke{Color: brush.Faded(t.Rule, 0.7), Width: 0.75, Dash: contourDashes[i]}
}

func (s *Scene) drawContours(b *brush.Brush, i int) {
	low, high := s.extremes(i)
	l := kinds.Landscape{Low: low, High: high}
	l.SetLevels(7)
	x, f := make([]float64, s.n), make([]float64, s.m)
	b.Contours(gridNodes/2, gridNodes/2, func(a, c float64) float64 {
		x[0], x[1] = a, c
		s.problem.Values(f, x)
		return f[i]
	}, l.Levels, contourStroke(b.Theme, i))
}

// objectivePanel shows the front and the runs in the first two objectives.
func (s *Scene) objectivePanel() *axes.Plane {
	f := &runs.FrontPlane{Timeline: s.Timeline(), Methods: Methods, Walk: &s.values.Walk}
	f.Axes = func() (axes.Axis, axes.Axis) {
		axis := func(i int) axes.Axis {
			r := axisRange{0, 1}
			if i < len(s.ranges) {
				r = s.ranges[i]
			}
			const room, beyond = 0.1, 2 // relative to the front's ranges; starts farther away are omitted
			size, most := r.hi-r.lo, r.hi
			f := make([]float64, s.m)
			for _, x := range s.starts {
				if s.problem.Values(f, x); i < s.m && f[i] < math.Inf(1) {
					most = max(most, min(f[i], r.hi+beyond*size))
				}
			}
			return axes.Axis{Min: r.lo - float64(room*size), Max: most + float64(room*(most-r.lo))}.Goal(i+1, fmt.Sprintf("f_{%d}", i+1))
		}
		return axis(0), axis(1)
	}
	f.Front = func() axes.Sheet {
		return axes.Sheet{Key: fmt.Sprint("front ", s.fronts), Draw: s.drawFront}
	}
	f.Text = func() string { return s.whereRuns() + " " + s.frontWords() }
	p := f.Panel()
	s.values.Swarm.InObjectives(p, 1, axes.Sheet{Draw: s.nameFront})
	return p
}

// drawFront draws the front. With two objectives, lines join neighbours that are near each other.
func (s *Scene) drawFront(b *brush.Brush) {
	for part := range s.stretches() {
		if len(part) == 1 {
			b.Marker(part[0].f[0], part[0].f[1], brush.Circle, 4, b.Theme.Optimum, false)
		}
		b.Optima(len(part), func(i int) (x, y float64) { return part[i].f[0], part[i].f[1] })
	}
}

func (s *Scene) nameFront(b *brush.Brush) {
	if s.m == 2 && len(s.points) > 0 && b.Frame.Detail == brush.Full {
		const words, apart = "front, approximately", 24
		middle, end := s.points[len(s.points)/2].f, s.points[0].f
		at, side := b.At(middle[0], middle[1]), brush.Align{X: -1, Y: -1}
		// The swarm's bars are drawn below the front. The front's name is then above the bars, beside the front's upper end,
		// if there is room there. Otherwise the name is beyond the bars.
		switch top := b.At(end[0], end[1]); {
		case !s.values.Swarm.On():
		case top.X-b.Canvas.Min.X > b.Width(words)+apart:
			at, side.Y = top, 1
		default:
			at = at.Sub(vg.Point{X: 14, Y: 14})
		}
		b.LabelAt(at, words, 12, b.Theme.Muted, side)
	}
}

// stretches yields the front's points in groups that lines can join. With two objectives, a group consists of
// consecutive points that are close to each other. Otherwise every point is a group of its own.
func (s *Scene) stretches() iter.Seq[[]frontPoint] {
	return func(yield func([]frontPoint) bool) {
		for from := 0; from < len(s.points); {
			to := from + 1
			for s.m == 2 && to < len(s.points) && s.apart(to-1, to) < stretch {
				to++
			}
			if !yield(s.points[from:to]) {
				return
			}
			from = to
		}
	}
}

// branches groups the front's points into lines in the decision space. Neighbours on the front may be in distant valleys; each valley
// then has its own line.
func (s *Scene) branches() (out [][]frontPoint) {
	const near = 0.1 // share of the picture
	if s.m > 2 {
		return slices.Collect(s.stretches())
	}
	var last []int // last point of each branch so far
	for i, p := range s.points {
		to, least := -1, near
		for b, end := range last {
			square := 0.0
			for c, v := range p.x {
				d := (v - s.points[end].x[c]) / (s.hi[c] - s.lo[c])
				square += float64(d * d)
			}
			if d := math.Sqrt(square); d < least && s.apart(i, end) < stretch {
				to, least = b, d
			}
		}
		if to < 0 {
			out, last = append(out, nil), append(last, i)
			to = len(out) - 1
		}
		out[to], last[to] = append(out[to], p), i
	}
	return out
}

// stretch is the maximum distance between neighbours that a line joins, relative to the objectives' ranges.
const stretch = 0.06

// apart returns the distance between two points of the front, relative to the front's ranges.
func (s *Scene) apart(i, j int) float64 {
	var square float64
	for k, r := range s.ranges {
		d := (s.points[i].f[k] - s.points[j].f[k]) / (r.hi - r.lo)
		square += float64(d * d)
	}
	return math.Sqrt(square)
}

// parallelPanel shows points in parallel coordinates: each point is a line that crosses one axis per coordinate.
func (s *Scene) parallelPanel(name, heading string, count func() int, symbol string, ranged func(i int) axisRange,
	of func(timeline.Row) []float64, front func(frontPoint) []float64) *axes.Plane {
	p := &axes.Plane{Name: name, Heading: heading}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Min: -0.3, Max: float64(max(count(), 2)) - 0.7}, axes.Axis{Min: -0.12, Max: 1.14}
	}
	p.Bare = true
	at := func(values []float64) func(i int) (x, y float64) {
		return func(i int) (x, y float64) {
			r := ranged(i)
			return float64(i), (values[i] - r.lo) / (r.hi - r.lo)
		}
	}
	p.Moving = func(v []float64, k, most int) []float64 {
		tracks := s.Timeline().Tracks()
		for i := 0; i < len(tracks); i += axes.Every(count()*len(tracks), most) {
			r := tracks[i]
			place := at(of(r.Kept(r.Index(min(k, r.Last())))))
			for j := range count() {
				x, y := place(j)
				v = append(v, x, y)
			}
		}
		return v
	}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{
			{Key: fmt.Sprint(name, s.fronts, s.reach), Draw: func(b *brush.Brush) {
				if s.problem == nil {
					return
				}
				for i := range count() {
					r := ranged(i)
					b.Line(2, func(k int) (x, y float64) { return float64(i), float64(k) }, brush.Stroke{Color: b.Theme.Rule, Width: 1})
					if b.Frame.Detail == brush.Thumbnail {
						continue
					}
					b.Text(float64(i), 1, fmt.Sprintf("%s_{%d} = %s", symbol, i+1, timeline.Number(rounded(r.hi, r))), 11, b.Theme.Muted,
						brush.Align{Y: 1})
					b.Text(float64(i), 0, timeline.Number(rounded(r.lo, r)), 11, b.Theme.Muted, brush.Align{Y: -1})
				}
				const lines = 12 // this many overlapping lines are as dark as one opaque line
				hue := brush.Faded(b.Theme.Rule, min(0.5, lines/float64(len(s.points)+1)))
				for _, q := range s.points {
					b.Line(count(), at(front(q)), brush.Stroke{Color: hue, Width: 1})
				}
			}},
			{Draw: func(b *brush.Brush) {
				for _, r := range s.Timeline().Tracks() {
					stroke := b.Theme.Look(r.Method).Stroke(1.75)
					if r == s.Timeline().Selected() {
						stroke.Width = 3
					}
					values := of(s.Timeline().Shown(r))
					b.Line(count(), at(values), stroke)
					for i := range count() { // in grey, many hues look the same
						x, y := at(values)(i)
						b.Marker(x, y, b.Theme.Look(r.Method).Shape, 3.5, stroke.Color, true)
					}
				}
			}},
		}
	}
	p.Text = func() string {
		return s.whereRuns() + " Each line is a point; it crosses each axis at one of the point’s values."
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return append(kinds.MethodEntries(t, Methods, s.Timeline()),
			axes.Entry{Label: "front", Stroke: brush.Stroke{Color: t.Optimum, Width: 2}})
	}
	return p
}

// rounded rounds the number at an end of an axis to the decimal place of the third significant digit of the axis's
// range.
func rounded(v float64, r axisRange) float64 {
	if !(r.hi > r.lo) {
		return v
	}
	unit := portable.Pow(10, math.Floor(portable.Log10(r.hi-r.lo))-2)
	return math.Round(v/unit) * unit
}

// spacePanel shows three objectives in space.
func (s *Scene) spacePanel() *kinds.Space {
	p := &kinds.Space{Labels: [3]string{"f_1", "f_2", "f_3"},
		Words:  [3]string{"worse in goal 1 (f_{1})", "worse in goal 2 (f_{2})", "worse in goal 3 (f_{3})"},
		Camera: func() kinds.Camera { return s.values.Camera },
		Reach:  func() float64 { return 0.8 },
		Box: func() [3]axes.Axis {
			side := axes.Axis{Max: 1}
			return [3]axes.Axis{side, side, side}
		},
	}
	p.Name, p.Heading = "space", "Three objectives, from minimum to maximum on the front"
	scaled := func(f []float64) (at [3]float64) {
		for i := range at {
			at[i] = (f[i] - s.ranges[i].lo) / (s.ranges[i].hi - s.ranges[i].lo)
		}
		return at
	}
	flat := func(b *kinds.SpaceBrush, f []float64) (x, y float64) { return b.Flat(scaled(f)) }
	p.Moving = (&kinds.Tracks{Timeline: s.Timeline(), Point: func(r timeline.Row) (x, y float64) {
		x, y, _ = p.Project(scaled(r.F))
		return x, y
	}}).Moving
	p.Between = func() []axes.Sheet {
		return []axes.Sheet{{Key: fmt.Sprint("front ", s.values.Camera, s.fronts), Draw: func(b *brush.Brush) {
			for _, q := range s.points {
				x, y := flat(p.On(b), q.f)
				b.Marker(x, y, brush.Circle, 2.5, b.Theme.Optimum, false)
			}
		}}}
	}
	p.Draw = func(b *kinds.SpaceBrush) {
		for _, r := range s.Timeline().Tracks() {
			look := b.Theme.Look(r.Method)
			row := s.Timeline().Shown(r)
			x, y := flat(b, row.F)
			b.Marker(x, y, look.Shape, 4.5, look.Hue, true)
		}
		b.Hint("drag to turn")
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return append(kinds.MethodEntries(t, Methods, s.Timeline()), axes.Entry{Label: "front", Shape: brush.Circle, Fill: t.Optimum})
	}
	p.Text = func() string { return s.whereRuns() + " " + s.frontWords() }
	p.Build()
	return p
}

// weightsHistory returns the panel that plots f1's share of the weights over time.
func (s *Scene) weightsHistory() *kinds.History {
	h := s.values.WeightsHistory(s.Timeline(), s.Params(), "Weights: the share of f_1")
	h.Text = func() string {
		if r := s.Timeline().Selected(); r.Run != nil && s.m == 2 {
			return smooth.DescribeWeights(r)
		}
		return "The first objective’s share in the weights of the first two objectives, over time."
	}
	return h
}

// omegaPanel shows the distance from stationarity over time.
func (s *Scene) omegaPanel() *axes.Plane {
	const floor = 1e-12
	h := s.values.History(s.Timeline(), s.Params(), "omega", "Distance from stationarity")
	h.Fixed = true
	h.Value = func(r timeline.Row) float64 { return max(runs.Stationarity(r), floor) }
	h.Y = func() axes.Axis {
		return axes.Axis{Min: floor, Max: 100, Log: true}.Named("how much all can still improve", "ω")
	}
	h.Text = func() string {
		return "The length of the shortest mixture of the gradients for each run over time. It is 0 where no step helps all objectives."
	}
	return h.Panel()
}

// whereRuns states how many runs are at points where no step helps.
func (s *Scene) whereRuns() string {
	tracks := s.Timeline().Tracks()
	if len(tracks) == 0 {
		return "No run."
	}
	there := 0
	for _, r := range tracks {
		if runs.Stationarity(s.Timeline().Shown(r)) <= still {
			there++
		}
	}
	return fmt.Sprintf("%d of %d runs are at points where no step helps all objectives much.", there, len(tracks))
}

// still is the largest ω at which a point counts as one where no step helps.
const still = 1e-3
