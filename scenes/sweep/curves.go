package sweep

import (
	"fmt"
	"math"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// headings of what is drawn over the vectors, and the labels of its axes.
var headings = map[string][2]string{
	viewPurity: {"Purity, as vectors come in", "purity"},
	viewGamma:  {"The largest gap in each front, Γ", "Γ"},
	viewDelta:  {"How unevenly the fronts are spread, Δ", "Δ"},
	viewMean:   {"The mean loss of all points", "mean loss"},
}

// qualityPanel shows how the fronts compare, over the number of vectors that have ended.
func (s *Scene) qualityPanel() panel.Panel {
	p := &panel.Series{Name: "quality", Heading: "How the fronts compare", Timeline: s.Timeline()}
	p.Curves = func() []panel.Curve {
		n := s.finished(s.Timeline().Latest())
		out := make([]panel.Curve, len(s.ends))
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
		return fmt.Sprint(s.summaryKey(), s.values.View, known)
	}
	p.Axes = func() (panel.Axis, panel.Axis) {
		x := panel.Axis{Label: "vectors done", Max: float64(len(s.grid.vectors)), Integer: true, Time: true}
		y := panel.Axis{Label: headings[s.values.View][1], Max: 1.03}
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
	p.Legend = func(t *panel.Theme) []panel.Entry { return panel.MethodEntries(t, Methods, s.Timeline()) }
	p.Text = func() string {
		n := s.done()
		if n == 0 {
			return "No vector’s run has ended yet."
		}
		text := fmt.Sprintf("After %d vectors:", n)
		for run, e := range s.ends {
			m := s.summary(n)
			text += fmt.Sprintf(" %s has purity %s, Γ %s, Δ %s, mean loss %s.", e.run.Title, timeline.Number(m.quality(viewPurity, run)),
				timeline.Number(m.quality(viewGamma, run)), timeline.Number(m.quality(viewDelta, run)), timeline.Number(m.quality(viewMean, run)))
		}
		return text
	}
	return p.Panel()
}

// now is the vector whose runs are going on at the marker.
func (s *Scene) now() int { return max(s.Timeline().Marker()-1, 0) / s.values.Passes }

// runPanel shows how far the runs of one vector still are from the optimum of its weighted sum.
func (s *Scene) runPanel() panel.Panel {
	p := &panel.Series{Name: "run", Heading: "The run of one vector", Timeline: s.Timeline(), Fixed: true}
	p.Curves = func() []panel.Curve {
		vector := s.now()
		out := make([]panel.Curve, len(s.ends))
		for i, e := range s.ends {
			c := &out[i]
			c.Method, c.Run = e.run.Method, e.run.Name
			for pass := range s.values.Passes + 1 {
				k := vector*e.passes + pass
				if k >= len(e.sums) {
					break
				}
				value := s.excess(e, k)
				if pass == 0 {
					value = s.above(vector, weighted(s.grid.weights[vector], s.start[train]))
				}
				if !(value > 0) {
					value = math.NaN()
				}
				c.X, c.Y = append(c.X, float64(pass)), append(c.Y, value)
			}
			c.Lines = func(i int) []string {
				return []string{e.run.Title + fmt.Sprintf(", m = %s, pass %.0f", times(s.grid.vectors[vector]), c.X[i]),
					"F_m is " + timeline.Significant(c.Y[i]) + " of its least above it"}
			}
		}
		return out
	}
	p.Key = func() string {
		longest := 0
		for _, e := range s.ends {
			longest = max(longest, min(len(e.sums), (s.now()+1)*e.passes+1))
		}
		return fmt.Sprint(s.changes, s.now(), longest)
	}
	p.Axes = func() (panel.Axis, panel.Axis) {
		y := panel.Axis{Label: "F_m above its least, as a share", Min: 0.1, Max: 1, Log: true}
		for _, c := range p.Curves() {
			for _, v := range c.Y {
				if v-v == 0 {
					y.Min, y.Max = min(y.Min, v), max(y.Max, v)
				}
			}
		}
		y.Min, y.Max = max(tenth(y.Min), y.Max*1e-6), 10*tenth(y.Max)
		return panel.Axis{Label: "pass", Max: float64(s.values.Passes), Integer: true}, y
	}
	p.Time = func(k int) float64 { return float64(k - s.now()*s.values.Passes) }
	p.Iteration = func(x float64) int { return s.now()*s.values.Passes + int(math.Round(x)) }
	p.Above = func(b *panel.Brush) {
		if len(s.ends) > 0 && b.Frame.Detail == panel.Full {
			b.Footnote(fmt.Sprintf("vector %d of %d: m = %s", s.now()+1, len(s.grid.vectors), times(s.grid.vectors[s.now()])))
		}
	}
	p.Legend = func(t *panel.Theme) []panel.Entry { return panel.MethodEntries(t, Methods, s.Timeline()) }
	p.Text = func() string {
		if len(s.ends) == 0 {
			return "No run."
		}
		text := fmt.Sprintf("The runs of vector %d, m = %s:", s.now()+1, times(s.grid.vectors[s.now()]))
		for _, e := range s.ends {
			text += fmt.Sprintf(" at the marker F_m of %s is %s of its least above it.", e.run.Title,
				timeline.Significant(s.excess(e, min(s.Timeline().Marker(), len(e.sums)-1))))
		}
		return text
	}
	return p.Panel()
}

// tenth is the largest power of ten that is at most v > 0.
func tenth(v float64) float64 { return math.Pow(10, math.Floor(math.Log10(v))) }
