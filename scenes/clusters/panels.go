package clusters

import (
	"fmt"
	"math"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// trackOf names the selected run's solution j, or returns "" if there is none.
func (s *Scene) trackOf(j int) string {
	r := s.Timeline().Selected().Run
	if r == nil || j >= r.Solutions() {
		return ""
	}
	return timeline.Track{Run: r, Solution: j}.Name()
}

// planPanel shows the plan as a matrix.
func (s *Scene) planPanel() axes.Panel {
	m := &kinds.PlanMatrix{Name: "plan", Heading: "Plan Γ: goals to solutions",
		Plan: func() ([]float64, int) {
			now := s.shown()
			return now.mass, len(now.x)
		},
		Wanted: func() (rows, columns []float64) {
			now := s.shown()
			return now.a, now.b
		},
		Column: (*brush.Theme).NumberedSolution, Run: s.trackOf, RowName: goalName, ColumnName: solutionName,
		Lines: func(i, j int) []string {
			return []string{"loss " + timeline.Number(s.lossAt(i, s.shown().x[j]))}
		},
		Key: func() string {
			return fmt.Sprint(s.shown().served)
		},
	}
	m.Text = func() string {
		now := s.shown()
		if now.x == nil {
			return s.waiting()
		}
		if !now.carried {
			return now.of.run.Title + " has no plan: every goal belongs to the solution that is best for it."
		}
		zero := 0
		for _, v := range now.mass {
			if v <= 0 {
				zero++
			}
		}
		return fmt.Sprintf("The plan of %s at round %d carries %s (rows) to %s (columns). The number of zeros among its %d entries is %d. "+
			"Bars show the sums of rows and columns; marks show their targets.",
			now.of.run.Title, now.of.k, numeral.Counted(len(s.centres), "goal"), numeral.Counted(len(now.x), "solution"), len(now.mass), zero)
	}
	p := m.Panel()
	p.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "mass", Area: t.Ramp(1)}, {Label: "sum of a row or column", Area: t.Ramp(0.45)}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if now := s.shown(); now.x != nil && !now.carried {
			return []axes.Entry{{Label: "no plan: best solution of each goal", Area: t.Ramp(1)}}
		}
		return []axes.Entry{{Label: "little mass", Area: t.Ramp(0.1)}, {Label: "much", Area: t.Ramp(1)},
			{Label: "sum of a row or column", Area: t.Ramp(0.45)},
			{Label: "its target", Stroke: brush.Stroke{Color: t.Ink, Width: 1.5}}}
	}
	return p
}

// newBars creates the panels of the two marginals.
func (s *Scene) newBars() {
	s.goals = &kinds.Bars{Name: "a", Heading: "Mass of each goal, a", Label: "goal",
		Shares: func() []float64 { return param.Shares(s.values.A, s.goalCount()) }, Of: goalName,
		Text: func() string {
			return s.describeShares("goal", param.Shares(s.values.A, s.goalCount()))
		}}
	s.columns = &kinds.Bars{Name: "b", Heading: "Mass of each solution, b", Label: "solution",
		Look: (*brush.Theme).NumberedSolution, Run: s.trackOf, Of: solutionName,
		Shares: func() []float64 { return param.Shares(s.values.B, s.values.M) },
		Text: func() string {
			return s.describeShares("solution", param.Shares(s.values.B, s.values.M))
		}}
}

// describeShares describes how the mass is distributed over the goals or the solutions.
func (s *Scene) describeShares(what string, shares []float64) string {
	least, most := 0, 0
	for i, v := range shares {
		if v < shares[least] {
			least = i
		}
		if v > shares[most] {
			most = i
		}
	}
	if shares[least] == shares[most] {
		return fmt.Sprintf("Every %s has the same mass, %s. Drag a bar to change a mass.", what, timeline.Number(shares[0]))
	}
	return fmt.Sprintf("The masses of the %s. The largest, %s, belongs to %s %d; the smallest, %s, belongs to %s %d. If all were "+
		"equal, each would be %s.",
		numeral.Counted(len(shares), what), timeline.Number(shares[most]), what, most+1, timeline.Number(shares[least]), what, least+1,
		timeline.Number(1/float64(len(shares))))
}

// history returns a panel with the rounds on its horizontal axis and a line for every run. The caller sets what the
// lines show.
func (s *Scene) history(name, heading string) *kinds.History {
	return &kinds.History{Name: name, Heading: heading, Timeline: s.Timeline(), Unticked: true, Fixed: true, Clock: s.clock,
		Symbol: s.Params().Symbol,
		Shown:  func(r timeline.Track) bool { return r.Solution == 0 },
	}
}

// extent is the range of the positive values that runs record under one name. It covers all rows read so far except each
// run's last row, which may still change.
type extent struct {
	version uint64 // of the timeline
	seen    []int  // rows read, by run
	lo, hi  float64
}

// extent returns the range of the positive values over the rows of all runs.
func (s *Scene) extent(name string) (lo, hi float64) {
	t := s.Timeline()
	e := s.extents[name]
	if e == nil || e.version != t.Version() {
		e = &extent{version: t.Version(), seen: make([]int, len(t.Runs())), lo: math.Inf(1)}
		s.extents[name] = e
	}
	widen := func(lo, hi, v float64) (float64, float64) {
		if v > 0 && !math.IsInf(v, 1) {
			return min(lo, v), max(hi, v)
		}
		return lo, hi
	}
	for i, r := range t.Runs() {
		for ; e.seen[i] < r.Len()-1; e.seen[i]++ {
			e.lo, e.hi = widen(e.lo, e.hi, r.Kept(e.seen[i]).Number(name))
		}
	}
	lo, hi = e.lo, e.hi
	for _, r := range t.Runs() {
		lo, hi = widen(lo, hi, r.Kept(r.Len()-1).Number(name))
	}
	if hi == 0 {
		return 0.1, 1
	}
	return lo, hi
}
