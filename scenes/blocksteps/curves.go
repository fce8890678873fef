package blocksteps

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// gapHistory returns the history of F_m's height above its minimum.
func (s *Scene) gapHistory() *kinds.History {
	h := &kinds.History{Name: curvePanel, Heading: "How far the weighted sum is above its minimum", Timeline: s.Timeline(),
		Clock: s.values.Clock(s.Timeline()), Symbol: s.Params().Symbol, Unticked: true, Lines: s.planeLines}
	h.Value = func(r timeline.Row) float64 {
		if v := s.goal.Above(r.F); v > 0 {
			return v
		}
		return math.NaN()
	}
	h.Shown = func(r timeline.Track) bool { return runs.FromSelectedStart(s.Timeline(), r) }
	h.Above = axes.Sheet{Draw: func(b *brush.Brush) { s.drawBelow(b, h) }}
	h.Y = s.gapAxis
	h.Text = s.OfSelected(func(r timeline.Track) string {
		var parts []string
		for _, t := range s.Timeline().Tracks() {
			if h.Shown(t) {
				parts = append(parts, fmt.Sprintf("%s %s", t.Title, timeline.Number(s.goal.Above(s.Timeline().Shown(t).F))))
			}
		}
		return "How far the weighted sum is above its minimum: " + strings.Join(parts, ", ") + "."
	})
	return h
}

// drawBelow draws an arrow at the lower edge for each run whose gap at the marker is below the axis.
func (s *Scene) drawBelow(b *brush.Brush, h *kinds.History) {
	if b.Frame.Detail == brush.Thumbnail {
		return
	}
	const beneath, radius = 0.1, 3.5 // value of the arrow, relative to the axis's lower end, and its radius in pixels
	_, _, low, _ := b.Bounds()
	for _, r := range s.Timeline().Tracks() {
		row := s.Timeline().Shown(r)
		if !h.Shown(r) || s.goal.Above(row.F) >= low {
			continue
		}
		look := b.Theme.Look(r.Method)
		b.MarkerAt(b.Outward(h.At(row), beneath*low, 0, look.Hue), look.Shape, radius, look.Hue)
	}
}

// gapRange holds the range of the gaps in all rows so far.
type gapRange struct {
	version uint64
	seen    []int // rows read of each run
	axes.Decades
}

// gapAxis returns an axis that contains all gaps.
func (s *Scene) gapAxis() axes.Axis {
	runs, known := s.Timeline().Runs(), &s.gaps
	if v := s.Timeline().Version(); known.version != v || len(known.seen) != len(runs) {
		*known = gapRange{version: v, seen: make([]int, len(runs))}
	}
	for i, r := range runs {
		for ; known.seen[i] < r.Len(); known.seen[i]++ {
			known.Add(s.goal.Above(r.Kept(known.seen[i]).F))
		}
	}
	axis := known.Falling("F_m − least")
	axis.Short = "mixture above its minimum (F_m)"
	return axis
}

// curveView describes a panel of curves that are computed from runs.
type curveView struct {
	view, heading string
	label         string // of the vertical axis
	curves        func(r timeline.Track) []kinds.Curve
	x             func() axes.Axis
	above         func(b *brush.Brush) // draws above the curves; may be nil
	legend        func(t *brush.Theme) []axes.Entry
	text          func(r timeline.Track) string
}

// curvePanels returns the panels of curves by view.
func (s *Scene) curvePanels() map[string]axes.Panel {
	out := map[string]axes.Panel{}
	for _, v := range []curveView{
		{viewOutputs, "Quality of the outputs", "F_m − least", s.outputCurves, func() axes.Axis { return s.outerAxis(false) }, nil, nil,
			s.describeOutputs},
		{viewBounds, "The theorems’ bounds", "", s.boundCurves, func() axes.Axis { return s.outerAxis(true) },
			s.drawUnbounded, nil, s.describeBounds},
		{viewBias, "Distance from the optimum, by step size", "distance from the minimiser", s.biasCurves, s.stepSizeAxis, nil, s.biasEntries,
			s.describeBias},
	} {
		out[v.view] = s.curvePanel(v)
	}
	return out
}

// curvePanel returns the panel of a view, which shows the selected run.
func (s *Scene) curvePanel(v curveView) axes.Panel {
	p := &kinds.Series{Name: curvePanel, Heading: v.heading, Timeline: s.Timeline(), Above: v.above, Legend: v.legend, Fixed: true}
	p.Key = func() string {
		t := s.Timeline()
		return fmt.Sprint(v.view, t.Version(), t.SelectedName(), t.Latest(), t.Marker(), s.values.Alpha, s.cyclesDone())
	}
	var known brush.Memo[string, []kinds.Curve]
	p.Curves = func() []kinds.Curve {
		return known.Of(p.Key(), func() []kinds.Curve {
			if r := s.Timeline().Selected(); r.Run != nil {
				return v.curves(r)
			}
			return nil
		})
	}
	p.Axes = func() (axes.Axis, axes.Axis) {
		var y axes.Decades
		for _, c := range p.Curves() {
			for _, v := range c.Y {
				y.Add(v)
			}
		}
		if v.view == viewBias {
			return v.x(), y.Axis(v.label)
		}
		return v.x(), y.Falling(v.label)
	}
	p.Time, p.Iteration = s.outerTime, s.iterationAt
	if v.view == viewBias {
		p.Time, p.Iteration = func(int) float64 { return s.values.Alpha }, func(float64) int { return s.Timeline().Marker() }
	}
	p.Text = s.OfSelected(func(r timeline.Track) string {
		return v.text(r)
	})
	return p.Panel()
}

var (
	averageDash = []vg.Length{7, 3}
	randomDash  = []vg.Length{2, 3}
)

// turnCurve returns the curve of a value over the outer iterations of a run, from t = 1.
func (s *Scene) turnCurve(r timeline.Track, label string, dash []vg.Length, value func(of sweeps.Turn) float64) kinds.Curve {
	c := kinds.Curve{Method: r.Method, Run: r.Name(), Label: label, Dash: dash, Faint: dash != nil}
	for t, of := range s.ways.Turns(r.Run) {
		if v := value(of); t > 0 && v > 0 {
			c.X, c.Y = append(c.X, float64(t)), append(c.Y, v)
		}
	}
	c.Lines = func(i int) []string {
		return []string{fmt.Sprintf("%s, after %g outer iterations", r.Label(), c.X[i]), label + ": " + timeline.Number(c.Y[i])}
	}
	return c
}

// outerTime converts iteration k of the selected run to outer iterations.
func (s *Scene) outerTime(k int) float64 { return float64(k) / float64(s.steps()) }

// iterationAt is the inverse of outerTime, rounded.
func (s *Scene) iterationAt(t float64) int { return int(math.Round(t * float64(s.steps()))) }

// steps returns the number of steps in an outer iteration of the selected run, or 1 if there is no run.
func (s *Scene) steps() int {
	if r := s.Timeline().Selected().Run; r != nil {
		return sweeps.Steps(r)
	}
	return 1
}

// outerAxis returns an axis of the selected run's outer iterations.
func (s *Scene) outerAxis(log bool) axes.Axis {
	axis := axes.Axis{Label: "outer iterations t", Max: s.outerTime(s.Timeline().Budget())}
	if log {
		axis.Min, axis.Max, axis.Log = 1, max(2, axis.Max), true
	}
	return axis
}

// outputCurves returns the curves of a run's three outputs.
func (s *Scene) outputCurves(r timeline.Track) []kinds.Curve {
	return []kinds.Curve{
		s.turnCurve(r, "last", nil, func(of sweeps.Turn) float64 { return of.Last }),
		s.turnCurve(r, "average", averageDash, func(of sweeps.Turn) float64 { return of.Average }),
		s.turnCurve(r, "random, on average", randomDash, func(of sweeps.Turn) float64 { return of.Random }),
	}
}

func (s *Scene) describeOutputs(r timeline.Track) string {
	done, now := len(s.ways.Done(r.Run))-1, s.ways.Now(r.Run)
	return fmt.Sprintf("How far the weighted sum is above its minimum after %d outer iterations of %s: at the last iterate %s, at the "+
		"average of all earlier iterates %s, and at a random earlier iterate %s on average.", done, r.Label(), timeline.Number(now.Last),
		timeline.Number(now.Average), timeline.Number(now.Random))
}

// ---- the theorems' bounds

// theoremDashes maps theorems to the dashes of the outputs that they bound.
var theoremDashes = map[string][]vg.Length{"31": randomDash, "32": averageDash}

// constants returns the constants of the bounds, measured along a run so far.
func (s *Scene) constants(r *timeline.Run, now sweeps.Turn) blocks.Constants {
	_, p := s.turns()
	parts := 1
	if sweeps.Parts(r.Method) {
		parts = max(1, len(s.parts))
	}
	return s.goal.Constants(s.problem, s.Start, now.Measured, parts, p)
}

// boundCurves returns the curves of the bounds that hold for the current step-size schedule, and of the bounded
// quantities.
func (s *Scene) boundCurves(r timeline.Track) (out []kinds.Curve) {
	turns := s.ways.Turns(r.Run)
	c := s.constants(r.Run, turns[len(turns)-1])
	for _, th := range s.values.Theorems() {
		dash := theoremDashes[th.Name]
		out = append(out, s.turnCurve(r, th.What, dash, th.Measured))
		for j, of := range []func(*blocks.Constants, int) float64{th.Bound, th.Own} {
			if of == nil {
				continue
			}
			line := kinds.Curve{Label: [...]string{"Theorem " + th.Number(), "with p, ours"}[j], Dash: dash, Faint: true}
			last := s.outerAxis(true).Max
			const points = 24
			for k := range points + 1 {
				t := max(1, int(math.Round(portable.Pow(last, float64(k)/points))))
				line.X, line.Y = append(line.X, float64(t)), append(line.Y, of(&c, t))
			}
			line.Lines = func(i int) []string { return []string{line.Label, timeline.Number(line.Y[i])} }
			out = append(out, line)
		}
	}
	return out
}

// drawUnbounded writes why there are no bounds if no theorem covers the chosen step sizes.
func (s *Scene) drawUnbounded(b *brush.Brush) {
	if s.values.Theorems() == nil {
		b.Words("No theorem covers these step sizes. Choose the schedule 1/√T or 2/(μ(t+1)).")
	}
}

func (s *Scene) describeBounds(timeline.Track) string {
	var parts []string
	for _, th := range s.values.Theorems() {
		bound, measured := s.bounded(th)
		parts = append(parts, fmt.Sprintf("Theorem %s allows at most %s for %s, whose value is %s", th.Number(), timeline.Number(bound), th.What,
			timeline.Number(measured)))
	}
	if parts == nil {
		return "The theorems cover the schedules 1/√T and 2/(μ(t+1)), not a constant step size."
	}
	return strings.Join(parts, "; ") + "."
}

// bounded returns a theorem's bound for the selected run at the marker, and the bounded quantity. Both are NaN if the
// theorem covers other step sizes, and before the first outer iteration is complete.
func (s *Scene) bounded(th *sweeps.Theorem) (bound, measured float64) {
	r := s.Timeline().Selected().Run
	if r == nil || !slices.Contains(s.values.Theorems(), th) {
		return math.NaN(), math.NaN()
	}
	turns := s.ways.Done(r)
	t := len(turns) - 1
	if t < 1 {
		return math.NaN(), math.NaN()
	}
	c := s.constants(r, turns[t])
	return th.Bound(&c, t), th.Measured(turns[t])
}
