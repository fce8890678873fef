package blocks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/timeline"
)

// gapHistory shows how far F_m is above its least value.
func (s *Scene) gapHistory() *panel.History {
	h := &panel.History{Name: "curve", Heading: "How far the weighted sum is above its least value", Timeline: s.Timeline(),
		Clock: s.values.Clock(s.Timeline()), Symbol: s.Params().Symbol, Unticked: true, Lines: s.planeLines}
	h.Value = func(r timeline.Row) float64 {
		if v := s.gap(r.F); v > 0 {
			return v
		}
		return math.NaN()
	}
	h.Shown = func(r timeline.Track) bool { return race.FromSelectedStart(s.Timeline(), r) }
	h.Y = func() panel.Axis {
		lo, hi := s.gaps()
		return panel.Axis{Label: "F_m − least", Min: lo, Max: hi, Log: true}
	}
	h.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return s.waiting()
		}
		var parts []string
		for _, t := range s.Timeline().Tracks() {
			if h.Shown(t) {
				parts = append(parts, fmt.Sprintf("%s %s", t.Title, timeline.Number(s.gap(s.Timeline().Shown(t).F))))
			}
		}
		return "How far the weighted sum is above its least value: " + strings.Join(parts, ", ") + "."
	}
	return h
}

// gapRange is what holds the gaps of all rows so far.
type gapRange struct {
	version uint64
	seen    []int // rows of each run
	lo, hi  float64
}

// gaps are the ends of an axis on which all gaps have a place.
func (s *Scene) gaps() (lo, hi float64) {
	runs, known := s.Timeline().Runs(), &s.known
	if v := s.Timeline().Version(); known.version != v || len(known.seen) != len(runs) {
		*known = gapRange{version: v, seen: make([]int, len(runs)), lo: math.Inf(1)}
	}
	for i, r := range runs {
		for ; known.seen[i] < r.Len(); known.seen[i]++ {
			if v := s.gap(r.Kept(known.seen[i]).F); v > 0 && v <= math.MaxFloat64 {
				known.lo, known.hi = min(known.lo, v), max(known.hi, v)
			}
		}
	}
	return decades(known.lo, known.hi)
}

// decades are the ends of a logarithmic axis about a range.
func decades(lo, hi float64) (from, to float64) {
	if !(lo <= hi) {
		return 0.01, 1
	}
	const most = 10 // what is below that share of the largest is no longer of interest
	lo = max(lo, hi*math.Pow(10, -most))
	from, to = math.Pow(10, math.Floor(math.Log10(lo))), math.Pow(10, math.Ceil(math.Log10(hi)))
	if to <= from {
		to = 10 * from
	}
	return from, to
}

// curvePanel is a panel of curves that are summed up from runs.
func (s *Scene) curvePanel(heading string, curves func() []panel.Curve, x func() panel.Axis, label string) *panel.Series {
	p := &panel.Series{Name: "curve", Heading: heading, Timeline: s.Timeline(), Curves: curves, Fixed: true}
	p.Axes = func() (panel.Axis, panel.Axis) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range curves() {
			for _, v := range c.Y {
				if v > 0 && v <= math.MaxFloat64 {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
		lo, hi = decades(lo, hi)
		return x(), panel.Axis{Label: label, Min: lo, Max: hi, Log: true}
	}
	p.Key = func() string {
		return fmt.Sprint(heading, s.Timeline().Latest(), s.Timeline().Marker(), s.values.Alpha, s.cyclesDone())
	}
	return p
}

var (
	averageDash = []vg.Length{7, 3}
	randomDash  = []vg.Length{2, 3}
)

// turnCurve is a number of the turns of the selected run, from t = 1.
func (s *Scene) turnCurve(label string, dash []vg.Length, value func(t int, of turn) float64) panel.Curve {
	r := s.Timeline().Selected()
	c := panel.Curve{Method: r.Method, Run: r.Name(), Label: label, Dash: dash, Faint: dash != nil}
	for t, of := range s.ways[r.Run].turns {
		if v := value(t, of); t > 0 && v > 0 {
			c.X, c.Y = append(c.X, float64(t)), append(c.Y, v)
		}
	}
	c.Lines = func(i int) []string {
		return []string{fmt.Sprintf("%s, after %g outer iterations", r.Label(), c.X[i]), label + ": " + timeline.Number(c.Y[i])}
	}
	return c
}

// turnSeries completes a panel over the outer iterations of the selected run.
func (s *Scene) turnSeries(p *panel.Series) *panel.Series {
	steps := func() int {
		if r := s.Timeline().Selected().Run; r != nil {
			return sweeps.Steps(r)
		}
		return 1
	}
	p.Time = func(k int) float64 { return float64(k) / float64(steps()) }
	p.Iteration = func(x float64) int { return int(math.Round(x * float64(steps()))) }
	return p
}

// outerAxis is that of the outer iterations of the selected run.
func (s *Scene) outerAxis(log bool) panel.Axis {
	most := 1.0
	if r := s.Timeline().Selected().Run; r != nil {
		most = float64(s.Timeline().Budget()) / float64(sweeps.Steps(r))
	}
	if log {
		return panel.Axis{Label: "outer iterations t", Min: 1, Max: max(2, most), Log: true, Time: true}
	}
	return panel.Axis{Label: "outer iterations t", Min: 0, Max: most, Time: true}
}

// outputsPanel shows what the three outputs of the selected run come to.
func (s *Scene) outputsPanel() panel.Panel {
	p := s.curvePanel("What the outputs come to", func() []panel.Curve {
		if s.Timeline().Selected().Run == nil {
			return nil
		}
		return []panel.Curve{
			s.turnCurve("last", nil, func(_ int, of turn) float64 { return of.last }),
			s.turnCurve("average", averageDash, func(_ int, of turn) float64 { return of.average }),
			s.turnCurve("random, on average", randomDash, func(_ int, of turn) float64 { return of.random }),
		}
	}, func() panel.Axis { return s.outerAxis(false) }, "F_m − least")
	p.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return s.waiting()
		}
		turns := s.turnsOf(r.Run)
		now := turns[len(turns)-1]
		return fmt.Sprintf("How far the weighted sum is above its least value after %d outer iterations of %s: at the last iterate %s, at the average of all "+
			"before it %s, at a random one of these %s on average.", len(turns)-1, r.Label(), timeline.Number(now.last), timeline.Number(now.average),
			timeline.Number(now.random))
	}
	return s.turnSeries(p).Panel()
}

// ---- what the theorems bound

// theorem is what one of them bounds, of the selected run.
type theorem struct {
	name, what string
	schedules  []blocks.Schedule // for which it is, or is meant
	dash       []vg.Length
	measured   func(turn) float64
	bound      func(c *blocks.Constants, t int) float64
	// own is our bound in its place, with the factor p that the paper's proof loses; nil for none.
	own func(c *blocks.Constants, t int) float64
}

var theorems = []theorem{
	{"31", "the squared gradient at the random iterate", []blocks.Schedule{blocks.InverseSqrt}, randomDash, func(t turn) float64 { return t.squared },
		(*blocks.Constants).Theorem31, (*blocks.Constants).Theorem31WithP},
	{"32", "what the average is above the least sum", []blocks.Schedule{blocks.InverseSqrt}, averageDash, func(t turn) float64 { return t.average },
		(*blocks.Constants).Theorem32, nil},
	{"33", "what the last is above the least sum", []blocks.Schedule{blocks.Printed, blocks.Safe}, nil, func(t turn) float64 { return t.last },
		(*blocks.Constants).Theorem33, (*blocks.Constants).Theorem33WithP},
}

// number is that of the theorem as it is printed.
func (t *theorem) number() string { return t.name[:1] + "." + t.name[1:] }

// applies reports whether the theorem is about the runs' step sizes.
func (t *theorem) applies(schedule string) bool {
	return slices.ContainsFunc(t.schedules, func(s blocks.Schedule) bool { return s.String() == schedule })
}

// constants are what the bounds are made of on the way of a run, as far as it has been measured.
func (s *Scene) constants(r *timeline.Run, now turn) blocks.Constants {
	n, _ := s.problem.Dims()
	_, p := s.turns()
	mu, err := s.problem.WeightedConvexity(s.goal.weights)
	if err != nil {
		panic(err) // the weights have been used
	}
	noise := s.problem.Sigma()
	c := blocks.Constants{Gap: s.gap(r.Kept(0).F), Distance: distance(s.start, s.goal.minimiser), Lipschitz: s.problem.Lipschitz(),
		Sigma: math.Sqrt(now.sigma*now.sigma + float64(n)*noise*noise), Reach: now.reach, Convexity: mu, Blocks: 1, Steps: p}
	if sweeps.Parts(r.Method) {
		c.Blocks = max(1, len(s.parts))
	}
	return c
}

// boundsPanel shows what the theorems about the schedule bound, and their bounds.
func (s *Scene) boundsPanel() panel.Panel {
	p := s.curvePanel("What the theorems bound, and their bounds", func() (out []panel.Curve) {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		turns := s.ways[r.Run].turns
		c := s.constants(r.Run, turns[len(turns)-1])
		for i := range theorems {
			th := &theorems[i]
			if !th.applies(s.values.Schedule) {
				continue
			}
			out = append(out, s.turnCurve(th.what, th.dash, func(_ int, of turn) float64 { return th.measured(of) }))
			bound := func(label string, of func(*blocks.Constants, int) float64) {
				line := panel.Curve{Label: label, Dash: th.dash, Faint: true}
				last := s.outerAxis(true).Max
				const points = 24
				for j := range points + 1 {
					t := max(1, int(math.Round(math.Pow(last, float64(j)/points))))
					line.X, line.Y = append(line.X, float64(t)), append(line.Y, of(&c, t))
				}
				line.Lines = func(i int) []string { return []string{label, timeline.Number(line.Y[i])} }
				out = append(out, line)
			}
			bound("Theorem "+th.number(), th.bound)
			if th.own != nil {
				bound("with p, ours", th.own)
			}
		}
		return out
	}, func() panel.Axis { return s.outerAxis(true) }, "")
	p.Above = func(b *panel.Brush) {
		if !slices.ContainsFunc(theorems, func(t theorem) bool { return t.applies(s.values.Schedule) }) {
			b.Words("The theorems are about other step sizes: choose the schedule 1/√T or 2/(μ(t+1)).")
		}
	}
	p.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return s.waiting()
		}
		var parts []string
		for i := range theorems {
			if th := &theorems[i]; th.applies(s.values.Schedule) {
				bound, measured := s.bounded(th)
				parts = append(parts, fmt.Sprintf("Theorem %s allows %s for %s, which is %s", th.number(), timeline.Number(bound), th.what,
					timeline.Number(measured)))
			}
		}
		if parts == nil {
			return "The theorems are about the schedules 1/√T and 2/(μ(t+1)), not about a constant step size."
		}
		return strings.Join(parts, "; ") + "."
	}
	return s.turnSeries(p).Panel()
}

// bounded is a theorem's bound at the marker, and what it bounds there, of the selected run;
// NaN for a theorem about other step sizes, and before an outer iteration is complete.
func (s *Scene) bounded(th *theorem) (bound, measured float64) {
	r := s.Timeline().Selected().Run
	if r == nil || !th.applies(s.values.Schedule) {
		return math.NaN(), math.NaN()
	}
	turns := s.turnsOf(r)
	t := len(turns) - 1
	if t < 1 {
		return math.NaN(), math.NaN()
	}
	c := s.constants(r, turns[t])
	return th.bound(&c, t), th.measured(turns[t])
}
