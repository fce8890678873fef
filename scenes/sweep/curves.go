package sweep

import (
	"fmt"
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// headings maps each view to the heading of the panel that compares the fronts, and to the label of its vertical axis.
var headings = map[string][2]string{
	viewPurity: {"Purity, by number of vectors", "undominated share of the front (purity)"},
	viewGamma:  {"Largest gap in each front, Γ", "Γ"},
	viewDelta:  {"Unevenness of the gaps, Δ", "Δ"},
	viewMean:   {"Mean loss of all points", "mean loss"},
}

// qualityPanel returns the panel that compares the fronts. It plots the chosen measure of each front against the number
// of finished vectors.
func (s *Scene) qualityPanel() axes.Panel {
	p := &kinds.Series{Name: "quality", Heading: "How the fronts compare", Timeline: s.Timeline()}
	p.Curves = func() []kinds.Curve {
		n := s.finished(s.Timeline().Latest())
		out := make([]kinds.Curve, len(s.ends))
		for run, e := range s.ends {
			c := &out[run]
			c.Method, c.Run = e.run.Method, e.run.Name
			for i := 1; i <= n; i++ {
				if s.known(i) && len(s.summaries[i].points[run]) == i {
					c.X = append(c.X, float64(i))
					c.Y = append(c.Y, s.summaries[i].quality(s.values.View, run))
				}
			}
			c.Lines = func(i int) []string {
				return []string{e.run.Title + fmt.Sprintf(", %.0f vectors", c.X[i]), headings[s.values.View][1] + " = " + timeline.Number(c.Y[i])}
			}
		}
		return out
	}
	p.Key = func() string {
		known := 0
		for n := range s.summaries {
			if s.known(n) {
				known++
			}
		}
		return fmt.Sprint(s.shown(), s.values.View, known)
	}
	p.Axes = func() (axes.Axis, axes.Axis) {
		x := axes.Axis{Label: "vectors done", Max: float64(len(s.grid.vectors)), Integer: true}
		y := axes.Axis{Label: headings[s.values.View][1], Max: 1.03}
		if s.values.View != viewPurity {
			for _, c := range p.Curves() {
				for _, v := range c.Y {
					if v-v == 0 {
						y.Max = max(y.Max, 1.05*v)
					}
				}
			}
		}
		return x, y
	}
	p.Time = func(k int) float64 { return float64(k) / float64(s.values.Passes) }
	p.Iteration = s.iterationAt
	p.Legend = func(t *brush.Theme) []axes.Entry { return kinds.MethodEntries(t, Methods, s.Timeline()) }
	p.Text = func() string {
		n := s.done()
		if n == 0 {
			return "No vector’s runs have ended yet."
		}
		text := "After " + numeral.Counted(n, "vector") + ":"
		for run, e := range s.ends {
			m := s.summary(n)
			text += fmt.Sprintf(" %s has purity %s, Γ %s, Δ %s, mean loss %s.", e.run.Title, timeline.Number(m.quality(viewPurity, run)),
				timeline.Number(m.quality(viewGamma, run)), timeline.Number(m.quality(viewDelta, run)), timeline.Number(m.quality(viewMean, run)))
		}
		return text
	}
	return p.Panel()
}

// now returns the index of the current vector at the marker.
func (s *Scene) now() int { return max(s.Timeline().Marker()-1, 0) / s.values.Passes }

// passing holds, for each run, how far F_m is above its minimum after each pass. own holds the values for the marker's
// vector. mean holds their mean over the earlier vectors in which every objective has turns.
type passing struct {
	own, mean [][]float64
	inner     int // number of vectors averaged in mean
}

// passesKey returns a cache key of everything that passes depends on: the marker and the runs.
func (s *Scene) passesKey() string { return fmt.Sprint(s.changes, s.Timeline().Marker()) }

// passes returns how far the runs are above their minima, up to the marker. It computes these values once per position
// of the marker.
func (s *Scene) passes() *passing { return s.passed.Of(s.passesKey(), s.sumPasses) }

func (s *Scene) sumPasses() *passing {
	n, out := s.done(), new(passing)
	for i := range n {
		if s.grid.inner(i) {
			out.inner++
		}
	}
	for _, e := range s.ends {
		own, means := []float64{}, make([]float64, e.passes+1)
		at := func(vector, pass int) float64 {
			if pass == 0 {
				return s.above(vector, sweeps.Weighted(s.grid.weights[vector], s.start[train]))
			}
			return s.excess(e, vector*e.passes+pass)
		}
		for pass := range means {
			if k := s.now()*e.passes + pass; k <= min(s.Timeline().Marker(), len(e.sums)-1) {
				own = append(own, at(s.now(), pass))
			}
			var count float64
			for i := range min(n, e.finished(len(e.sums))) {
				if s.grid.inner(i) && !e.lost(i) {
					means[pass] += at(i, pass)
					count++
				}
			}
			means[pass] /= count // NaN without vectors
		}
		out.own, out.mean = append(out.own, own), append(out.mean, means)
	}
	return out
}

// runPanel returns the panel that shows, after each pass, how far runs still are from the optimum of their weighted
// sum.
func (s *Scene) runPanel() axes.Panel {
	p := &kinds.Series{Name: "run", Heading: "Distance from the vector’s optimum", Timeline: s.Timeline(), Fixed: true}
	p.Curves = func() (out []kinds.Curve) {
		passed := s.passes()
		for i, e := range s.ends {
			add := func(values []float64, faint bool, whose string) {
				c := kinds.Curve{Method: e.run.Method, Run: e.run.Name, Faint: faint}
				for pass, v := range values {
					if !(v > 0) {
						v = math.NaN()
					}
					c.X, c.Y = append(c.X, float64(pass)), append(c.Y, v)
				}
				c.Lines = func(i int) []string {
					return []string{fmt.Sprintf("%s, %s, pass %.0f", e.run.Title, whose, c.X[i]),
						"relative excess of F_m over its minimum: " + timeline.Significant(c.Y[i])}
				}
				out = append(out, c)
			}
			add(passed.own[i], true, "m = "+times(s.grid.vectors[s.now()]))
			if passed.inner > 0 {
				add(passed.mean[i], false, fmt.Sprintf("mean of %d vectors", passed.inner))
			}
		}
		return out
	}
	p.Key = s.passesKey
	p.Axes = func() (axes.Axis, axes.Axis) {
		// The axis is the same for all vectors. If a weight is 0, the minimum is near 0, and runs start above the
		// picture.
		y := axes.Axis{Label: "relative excess of F_m over its minimum", Min: 1e-6, Max: 100, Log: true}
		return axes.Axis{Label: "pass", Max: float64(s.values.Passes), Integer: true}, y
	}
	p.Time = func(k int) float64 { return float64(k - max(k-1, 0)/s.values.Passes*s.values.Passes) } // number of the pass within its vector
	p.Iteration = func(x float64) int { return s.now()*s.values.Passes + int(math.Round(x)) }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := kinds.MethodEntries(t, Methods, s.Timeline())
		if len(s.ends) > 0 {
			out = append(out, axes.Entry{Label: "thin: m = " + times(s.grid.vectors[s.now()]), Stroke: brush.Stroke{Color: t.Muted, Width: 1}})
		}
		if n := s.passes().inner; n > 0 {
			out = append(out, axes.Entry{Label: fmt.Sprintf("mean of %d", n), Stroke: brush.Stroke{Color: t.Muted, Width: 2.5}})
		}
		return out
	}
	p.Text = func() string {
		if len(s.ends) == 0 {
			return "No run."
		}
		text := fmt.Sprintf("The runs of vector %d, m = %s:", s.now()+1, times(s.grid.vectors[s.now()]))
		passed := s.passes()
		for i, e := range s.ends {
			if own := passed.own[i]; len(own) > 0 {
				text += fmt.Sprintf(" F_m of %s exceeds its minimum by %s times that minimum.", e.run.Title, timeline.Significant(own[len(own)-1]))
			}
			if passed.inner > 0 {
				text += fmt.Sprintf(" Over the %d vectors so far in which every objective has turns, the mean relative excess is %s at the "+
					"ends of the runs of %s.", passed.inner,
					timeline.Significant(passed.mean[i][e.passes]), e.run.Title)
			}
		}
		return text
	}
	out := p.Panel()
	out.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "thin: current run", Stroke: brush.Stroke{Color: t.Muted, Width: 1}},
			{Label: "mean", Stroke: brush.Stroke{Color: t.Muted, Width: 2.5}}}
	}
	out.Moving = nil // curves start again for each vector, so playback keeps an even pace
	return out
}
