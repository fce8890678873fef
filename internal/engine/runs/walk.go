package runs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Walk follows the set of Pareto-stationary points, starting near the selected run's point. It trades one objective for
// another. Its settings are bound to a scene's parameters, and the planes of this package draw it.
type Walk struct {
	On    bool
	Steps [maxTrades]int // steps that trade the first objective for objective j + 2; positive ones lower objective j + 2 and raise the first

	Timeline *timeline.Timeline
	// Course returns the problem and the range of each objective. One range corresponds to 100 steps.
	Course func() (p algo.Problem, ranges []float64)

	problem algo.Problem // problem of the current walker
	ranges  []float64    // ranges of the current walker
	walker  *pareto.Walker
	path    walkPath
}

// maxTrades is the maximum number of objectives for which the first objective can be traded.
const maxTrades = 3

// maxSteps is the maximum number of steps in each direction.
const maxSteps = 300

// Station is a point of a walk.
type Station struct {
	X, F, Weights []float64
}

// walkPath is a computed walk.
type walkPath struct {
	track   timeline.Track
	version uint64
	k       int
	steps   [maxTrades]int

	stations []Station // the points from the first to the current one
	end      string    // why the walk ended early; "" if it did not
}

var tradeNames = [maxTrades]string{"walk", "walk2", "walk3"}

// Bind binds the walk's settings, for problems with at most the given number of objectives.
func (w *Walk) Bind(l *param.List, objectives int) {
	l.Bool(&w.On, param.Descriptor{Name: "walking", Label: "Walk along the front", Effect: param.Display,
		Help: "Starts near the selected run, at the nearest point where no step helps all objectives, and moves along such points. Drag the " +
			"ring, or move it with the arrow keys. A label shows what one unit of an objective costs in units of another. (Hillermeier 2001.)"})
	for t := range objectives - 1 {
		other := Subscript(t + 1)
		l.Integer(&w.Steps[t], param.Descriptor{Name: tradeNames[t], Label: "Steps, f₁ for f" + other, Min: -maxSteps, Max: maxSteps, Step: 1,
			Effect: param.Display, Only: &param.Only{Name: "walking", Values: []string{"true"}},
			Help: "The length of the walk, in hundredths of the front’s range. To the right, f" + other + " falls and f₁ rises; to the left, " +
				"f₁ falls. A walk ends where an objective reaches its minimum."})
	}
}

// Subscript returns the number of objective i as a subscript, from ₁ for i = 0 to ₉ for i = 8.
func Subscript(i int) string { return string('₁' + rune(i)) }

// Path returns the stations of the walk, from the first point to the current one. end says why the walk ended early, or
// is "". There are no stations while the walk is off or if no stationary point is near.
func (w *Walk) Path() (stations []Station, end string) {
	if !w.On {
		return nil, ""
	}
	track := w.Timeline.Selected()
	if track.Run == nil {
		return nil, ""
	}
	key := walkPath{track: track, version: w.Timeline.Version(), k: min(w.Timeline.Marker(), track.Last()), steps: w.Steps}
	if k := &w.path; w.moved() || k.track != key.track || k.version != key.version || k.k != key.k || k.steps != key.steps {
		w.path = key
		w.path.stations, w.path.end = w.walk(w.Timeline.Shown(track).X, w.Steps)
	}
	return w.path.stations, w.path.end
}

// moved reports whether the problem or its ranges differ from those of the current walker.
func (w *Walk) moved() bool {
	p, ranges := w.Course()
	return p != w.problem || !slices.Equal(ranges, w.ranges)
}

// walk computes a walk that starts near the given point.
func (w *Walk) walk(from []float64, steps [maxTrades]int) (stations []Station, end string) {
	p, ranges := w.Course()
	if p == nil {
		return nil, ""
	}
	if w.walker == nil || w.moved() {
		walker, err := pareto.NewWalker(p, ranges)
		if err != nil {
			return nil, "No walk is possible: " + err.Error() + "."
		}
		w.problem, w.ranges, w.walker = p, ranges, walker
	}
	if err := w.walker.Start(from); err != nil {
		return nil, "No walk is possible from here: " + err.Error() + "."
	}
	_, m := p.Dims()
	stations = append(stations, w.station(m))
	for t, n := range steps[:min(m-1, maxTrades)] {
		lower, raise := 0, t+1
		if n > 0 {
			lower, raise = raise, lower
		}
		for range max(n, -n) {
			way, why := w.walker.Trade(lower, raise, stepLength)
			if way > 0 {
				stations = append(stations, w.station(m))
			}
			if why != pareto.Walked {
				end = endWords(why, lower)
				break
			}
		}
	}
	return stations, end
}

// stepLength is the length of one step as a fraction of the objectives' ranges.
const stepLength = 0.01

func (w *Walk) station(m int) Station {
	x, f := w.walker.Point()
	s := Station{X: slices.Clone(x), F: slices.Clone(f), Weights: make([]float64, m)}
	w.walker.Weights(s.Weights)
	return s
}

// endWords explains why a walk that lowers the given objective has ended.
func endWords(why pareto.End, lower int) string {
	f := "f" + Subscript(lower)
	switch why {
	case pareto.Lowest:
		return "The walk ends here: " + f + " is at a local minimum."
	case pareto.Idle:
		return "The walk ends at an edge: an objective that should keep its value now has weight 0, so it could fall too."
	case pareto.Turning:
		return "Here the curve of stationary points turns back: farther on, " + f + " would rise again."
	}
	return "The walk is stuck: there is no stationary point farther on, for instance because the objectives have a kink here."
}

// now returns the current point of the walk. ok is false if there is none.
func (w *Walk) now() (s Station, ok bool) {
	if w == nil {
		return s, false
	}
	all, _ := w.Path()
	if len(all) == 0 {
		return s, false
	}
	return all[len(all)-1], true
}

// Rate takes the numbers of two objectives, counted from 0. It returns the price of one unit of the first in units of
// the second, at the current point of the walk, or NaN without a walk.
func (w *Walk) Rate(of, in int) float64 {
	s, ok := w.now()
	if !ok || max(of, in) >= len(s.Weights) {
		return math.NaN()
	}
	return s.Weights[of] / s.Weights[in]
}

// Value returns an objective's value at the current point of the walk, or NaN without a walk.
func (w *Walk) Value(objective int) float64 {
	s, ok := w.now()
	if !ok || objective >= len(s.F) {
		return math.NaN()
	}
	return s.F[objective]
}

// rates returns a sentence that says how much of each other objective one unit of the first objective costs.
func (s *Station) rates() string {
	if s.Weights[0] == 0 {
		return "Here f₁ costs nothing: to first order, it can fall at no cost to the other objectives."
	}
	var costs []string
	for j := 1; j < len(s.Weights); j++ {
		if s.Weights[j] > 0 {
			costs = append(costs, fmt.Sprintf("%s of f%s", timeline.Number(s.Weights[0]/s.Weights[j]), Subscript(j)))
		}
	}
	if len(costs) == 0 {
		return "Here f₁ cannot fall, whatever the other objectives give up."
	}
	return "One unit of f₁ costs " + strings.Join(costs, ", or ") + " here."
}

func listed(values []float64) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = timeline.Number(v)
	}
	return strings.Join(out, ", ")
}

// Conclusions returns the walk's findings for the panel with the given ID. They are empty while the walk is off.
func (w *Walk) Conclusions(shownIn string) *scene.Conclusions {
	out := &scene.Conclusions{Sentences: w.sentences(shownIn)}
	if w.On {
		out.Heading = "Along the front"
	}
	return out
}

func (w *Walk) sentences(shownIn string) (out []scene.Conclusion) {
	all, end := w.Path()
	if len(all) == 0 {
		if end != "" {
			out = append(out, scene.Conclusion{ID: "end", Text: end, Panel: shownIn})
		}
		return out
	}
	first, last := all[0], all[len(all)-1]
	out = append(out,
		scene.Conclusion{ID: "rate", Text: last.rates(), Holds: true, Panel: shownIn},
		scene.Conclusion{ID: "weights", Text: "The weights at this point: " + listed(last.Weights) + ".", Panel: shownIn})
	if len(all) > 1 {
		out = append(out, scene.Conclusion{ID: "trade", Panel: shownIn,
			Text: fmt.Sprintf("Walked from (%s) to (%s).", listed(first.F), listed(last.F))})
	}
	if end != "" {
		out = append(out, scene.Conclusion{ID: "end", Text: end, Panel: shownIn})
	}
	return out
}

// text describes the walk for visitors who do not see the picture.
func (w *Walk) text() string {
	if w == nil {
		return ""
	}
	var out strings.Builder
	for _, c := range w.sentences("") {
		out.WriteString(" " + c.Text)
	}
	return out.String()
}

// Names of the walk's handles in the two planes.
const (
	walkInObjectives = "walk"
	walkInVariables  = "walk-x"
)

// grips returns the ring that moves the walk. The function at returns where the ring is drawn.
func (w *Walk) grips(id string, at func(s Station) (x, y float64), step func() (x, y float64)) []axes.Grip {
	s, ok := w.now()
	if !ok {
		return nil
	}
	x, y := at(s)
	stepX, stepY := step()
	return []axes.Grip{{ID: id, Label: "walk along the front", Value: s.rates(), X: x, Y: y, StepX: stepX, StepY: stepY, Plain: true}}
}

// sheet draws the walk up to its current point.
func (w *Walk) sheet(at func(s Station) (x, y float64), names bool) axes.Sheet {
	return axes.Sheet{Draw: func(b *brush.Brush) {
		all, _ := w.Path()
		if len(all) == 0 {
			return
		}
		point := func(i int) (float64, float64) { return at(all[i]) }
		b.Line(len(all), point, brush.Stroke{Color: b.Theme.Ink, Width: 3})
		if x, y := point(0); len(all) > 1 {
			b.Marker(x, y, brush.Diamond, 4, b.Theme.Ink, true)
		}
		last := all[len(all)-1]
		x, y := at(last)
		b.Marker(x, y, brush.Ring, 6, b.Theme.Ink, true)
		if !names || b.Frame.Detail != brush.Full {
			return
		}
		if rate := last.Weights[0] / last.Weights[1]; len(last.F) == 2 && rate > 0 && !math.IsInf(rate, 1) {
			b.Label(x, y, fmt.Sprintf("1 of f_1 costs %s of f_2", timeline.Number(rate)), 12, b.Theme.Ink, brush.Align{X: 1, Y: 1})
		}
	}}
}

// Drag moves the walk to the station nearest to the dragged handle, or by one step for an arrow key. It returns the
// parameter that changes and its new text. ok is false for other handles. With more than two objectives, only the arrow
// keys move the walk: right and left trade the second objective, up and down the third.
func (w *Walk) Drag(handle string, x, y float64, right, up int) (name, text string, ok bool) {
	if handle != walkInObjectives && handle != walkInVariables {
		return "", "", false
	}
	s, on := w.now()
	if !on {
		return "", "", true
	}
	_, ranges := w.Course()
	at, sizeX, sizeY := func(s Station) (float64, float64) { return s.F[0], s.F[1] }, ranges[0], ranges[1]
	if handle == walkInVariables {
		at = variables(right, up)
		sizeX, sizeY = 1, 1
	}
	x0, y0 := at(s)
	dx, dy := (x-x0)/sizeX, (y-y0)/sizeY
	if dx == 0 && dy == 0 {
		return "", "", true
	}
	trade := 0
	key := dx == 0 || dy == 0 // an arrow key changes only one coordinate
	var step int
	switch {
	case key && len(s.F) > 2:
		if dx == 0 {
			trade = 1
		}
		step = 1
		if dx < 0 || dy < 0 {
			step = -1
		}
	case key && handle == walkInObjectives:
		step = 1
		if dx < 0 || dy > 0 {
			step = -1
		}
	case key:
		step = w.along(at, dx, dy)
	case len(s.F) > 2:
		return "", "", true
	default:
		n := w.nearest(at, x, y, sizeX, sizeY)
		return tradeNames[0], fmt.Sprint(n), true
	}
	n := min(max(w.Steps[trade]+step, -maxSteps), maxSteps)
	return tradeNames[trade], fmt.Sprint(n), true
}

// along returns the step, 1 or −1, that leads in the given direction. It returns 1 if neither does.
func (w *Walk) along(at func(s Station) (float64, float64), dx, dy float64) int {
	x0, y0 := w.after(at, -1)
	x1, y1 := w.after(at, 1)
	if float64((x1-x0)*dx)+float64((y1-y0)*dy) < 0 {
		return -1
	}
	return 1
}

// after returns the position that the walk would have in a plane if the first trade took the given number of further
// steps.
func (w *Walk) after(at func(s Station) (float64, float64), more int) (x, y float64) {
	steps := w.Steps
	steps[0] += more
	all, _ := w.walk(w.Timeline.Shown(w.path.track).X, steps)
	return at(all[len(all)-1])
}

// nearest returns the number of steps to the station that is nearest to (x, y).
func (w *Walk) nearest(at func(s Station) (float64, float64), x, y, sizeX, sizeY float64) (steps int) {
	least := math.Inf(1)
	for _, sign := range []int{-1, 1} {
		all, _ := w.walk(w.Timeline.Shown(w.path.track).X, [maxTrades]int{sign * maxSteps})
		for i, s := range all {
			sx, sy := at(s)
			if d := portable.Hypot((sx-x)/sizeX, (sy-y)/sizeY); d < least {
				least, steps = d, sign*i
			}
		}
	}
	return steps
}

// InVariables adds the walk to a plane of two variables. pair returns the variables' numbers, counted from 0, which are
// equal if there is only one variable. An arrow key moves the walk's ring by step. A nil walk adds nothing.
func (w *Walk) InVariables(p *axes.Plane, pair func() (right, up int), step float64) {
	w.in(p, walkInVariables, func(s Station) (float64, float64) { return variables(pair())(s) },
		func() (x, y float64) { return step, step })
}

// variables returns a function for a station's position in the plane of two variables. right and up are the variables'
// numbers, which are equal if there is only one variable.
func variables(right, up int) func(s Station) (x, y float64) {
	return func(s Station) (float64, float64) {
		if right == up {
			return s.X[right], 0
		}
		return s.X[right], s.X[up]
	}
}

// InObjectives adds the walk to a plane of the first two objectives. A nil walk adds nothing.
func (w *Walk) InObjectives(p *axes.Plane) {
	w.in(p, walkInObjectives, func(s Station) (float64, float64) { return s.F[0], s.F[1] }, func() (x, y float64) {
		_, ranges := w.Course()
		return stepLength * ranges[0], stepLength * ranges[1]
	})
}

// in adds the walk to a plane.
func (w *Walk) in(p *axes.Plane, id string, at func(s Station) (x, y float64), step func() (x, y float64)) {
	if w == nil {
		return
	}
	sheets, grips, text := p.Sheets, p.Grips, p.Text
	p.Sheets = func() []axes.Sheet { return append(sheets(), w.sheet(at, id == walkInObjectives)) }
	p.Grips = func() []axes.Grip {
		all := w.grips(id, at, step)
		if grips != nil {
			all = append(all, grips()...)
		}
		return all
	}
	p.Text = func() string { return text() + w.text() }
}

// WalkFacts returns the kinds of facts about a scene's walk for the given number of objectives. While the walk is off,
// the facts have no values.
func WalkFacts[S any](objectives int, walk func(s S) *Walk) scene.FactKinds[S] {
	var others []scene.FactArgument
	for i := 1; i < objectives; i++ {
		others = append(others, scene.FactArgument{Name: strconv.Itoa(i + 1), Label: Subscript(i)})
	}
	return scene.FactKinds[S]{
		{Name: "walked", Of: []string{"objective"}, Text: "The objective’s value at the current point of the walk along the front.",
			Label: "f%s at the current point of the walk", Over: scene.Counted(objectives, Subscript),
			Value: func(s S, i int) float64 { return walk(s).Value(i) }},
		{Name: "rate", Of: []string{"objective"}, Text: "The cost of one unit of the first objective in units of this objective at the " +
			"current point of the walk, to first order.",
			Label: "units of f%s that one unit of f₁ costs", Over: others,
			Value: func(s S, i int) float64 { return walk(s).Rate(0, i+1) }},
	}
}
