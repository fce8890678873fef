package traininglog

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// curves is a panel that plots a value of each objective against the steps.
type curves struct {
	s             *Scene
	name, heading string
	label         string // label of the vertical axis
	log           bool
	value         func(objective, record int) float64 // NaN if there is no value
	beside        func(objective, record int) float64 // values of the dotted lines; nil if there are none
	entry         string                              // legend entry of the dotted lines
	missing       func() string
	text          func() string
	key           func() string
}

func (c *curves) panel() axes.Panel {
	s := c.s
	p := &axes.Plane{Name: c.name, Heading: c.heading, Text: c.text}
	var extent brush.Memo[string, [2]float64]
	p.Axes = func() (axes.Axis, axes.Axis) {
		y := axes.Axis{Label: c.label, Log: c.log, Max: 1, Min: 0}
		if c.log {
			y.Min = 0.1
		}
		if c.missing() == "" {
			e := extent.Of(c.key(), c.extent)
			y.Min, y.Max = e[0], e[1]
		}
		return s.stepAxis(), y
	}
	p.Sheets = func() []axes.Sheet {
		if text := c.missing(); text != "" {
			return axes.WordSheets(text)
		}
		return []axes.Sheet{{Key: c.name + " " + c.key(), Draw: c.draw}, {Draw: s.drawVeil}, {Draw: s.drawMarker}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if c.missing() != "" {
			return nil
		}
		var out []axes.Entry
		n := s.log.Objectives()
		if n <= maxPaired {
			for i, name := range s.log.Names() {
				out = append(out, axes.Entry{Label: name, Stroke: objectiveStroke(t, i, n)})
			}
		}
		if c.entry != "" {
			out = append(out, axes.Entry{Label: c.entry, Stroke: brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{2, 3}}})
		}
		return out
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		out, n := p.Legend(t), s.log.Objectives()
		if few := 3; n > few && len(out) >= n { // from dark to pale
			first, last := out[0], out[n-1]
			first.Stroke.Dash, last.Stroke.Dash = nil, nil
			last.Label = "to " + last.Label
			out = append([]axes.Entry{first, last}, out[n:]...)
		}
		return out
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if c.missing() != "" || !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		x, _ := b.World(at)
		k := s.recordAt(x)
		best, nearest := -1, math.Inf(1)
		for i := range s.log.Objectives() {
			if d := math.Abs(float64(b.At(x, c.value(i, k)).Y - at.Y)); d < nearest {
				best, nearest = i, d
			}
		}
		if best < 0 {
			return axes.Pick{}, false
		}
		return axes.Pick{K: -1, At: b.At(float64(s.log.Step(k)), c.value(best, k)), Lines: []string{
			fmt.Sprintf("step %d, %s", s.log.Step(k), s.log.Names()[best]), timeline.Number(c.value(best, k)),
		}, Values: map[string]string{"record": fmt.Sprint(k + 1)}}, true
	}
	return p
}

// extent returns the range of all positive values, for a logarithmic axis.
func (c *curves) extent() [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for k := range c.s.log.Records() {
		for i := range c.s.log.Objectives() {
			for _, of := range []func(int, int) float64{c.value, c.beside} {
				if of == nil {
					continue
				}
				if v := of(i, k); v-v == 0 && (!c.log || v > 0) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	switch {
	case lo > hi:
		return [2]float64{0.1, 1}
	case c.log:
		return [2]float64{lo / 1.2, hi * 1.2}
	}
	margin := float64(0.05*(hi-lo)) + float64(1e-12*math.Abs(hi))
	return [2]float64{lo - margin, hi + margin}
}

func objectiveStroke(t *brush.Theme, i, n int) brush.Stroke {
	dashes := [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	return brush.Stroke{Color: t.Objective(i, n), Width: 1.5, Dash: dashes[i%len(dashes)]}
}

func (c *curves) draw(b *brush.Brush) {
	s := c.s
	n := s.log.Objectives()
	line := func(of func(int, int) float64, i int, stroke brush.Stroke) {
		b.Line(s.log.Records(), func(k int) (float64, float64) { return float64(s.log.Step(k)), of(i, k) }, stroke)
	}
	for i := range n {
		if c.beside != nil {
			line(c.beside, i, brush.Stroke{Color: brush.Faded(b.Theme.Objective(i, n), 0.7), Width: 1, Dash: []vg.Length{2, 3}})
		}
		stroke := objectiveStroke(b.Theme, i, n)
		stroke.Dash = nil // noise would hide dashes
		line(c.value, i, stroke)
	}
}

// lengthsPanel shows the lengths of the gradients.
func (s *Scene) lengthsPanel() axes.Panel {
	var lengths []float64
	at := -1
	var of *runlog.Log
	c := &curves{s: s, name: "lengths", heading: "Lengths of the gradients", label: "length", log: true, missing: s.waiting,
		value: func(i, k int) float64 {
			if of != s.log {
				of, at, lengths = s.log, -1, make([]float64, s.log.Objectives())
			}
			if at != k {
				at = k
				s.log.Lengths(lengths, k)
			}
			if lengths[i] == 0 {
				return math.NaN()
			}
			return lengths[i]
		},
		key: func() string { return fmt.Sprintf("%p", s.log) },
	}
	c.text = func() string {
		switch text := s.pending(); {
		case text != "":
			return text
		case s.report.NormRatio == nil:
			return "In at least half of the records, a gradient is zero."
		}
		return fmt.Sprintf("The longest gradient is %s times as long as the shortest (median over the records).",
			timeline.Number(*s.report.NormRatio))
	}
	return c.panel()
}

// lossesPanel shows the losses.
func (s *Scene) lossesPanel() axes.Panel {
	var dst []float64
	missing := func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		if !s.log.HasLosses() {
			return "The log has only Gramians, no losses."
		}
		return ""
	}
	value := func(i, k int) float64 {
		if len(dst) != s.log.Objectives() {
			dst = make([]float64, s.log.Objectives())
		}
		if v := s.log.Losses(dst, k)[i]; v > 0 {
			return v
		}
		return math.NaN() // a logarithmic axis cannot show a loss that is not positive
	}
	c := &curves{s: s, name: "losses", heading: "Losses", label: "loss", log: true, missing: missing, value: value,
		key: func() string { return fmt.Sprintf("%p", s.log) }}
	c.text = func() string {
		if text := missing(); text != "" {
			return text
		}
		var parts []string
		for i, name := range s.log.Names() {
			parts = append(parts, fmt.Sprintf("%s %s to %s", name, timeline.Number(value(i, 0)), timeline.Number(value(i, s.log.Records()-1))))
		}
		return "The losses on each batch, from the first record to the last: " + strings.Join(parts, ", ") + "."
	}
	return c.panel()
}

// weightsPanel shows the method's weights over the steps, beside the weights that the run used.
func (s *Scene) weightsPanel() axes.Panel {
	var dst []float64
	missing := func() string {
		if text := s.pending(); text != "" {
			return text
		}
		return s.absent()
	}
	c := &curves{s: s, name: "weights", heading: "Weights of the method", label: "share of the direction", missing: missing,
		entry: "used by the run",
		value: func(i, k int) float64 { return s.method().Series.Weights[k*s.log.Objectives()+i] },
		beside: func(i, k int) float64 {
			n := s.log.Objectives()
			if len(dst) != n {
				dst = make([]float64, n)
			}
			w := s.log.Weights(dst, k)
			if w == nil {
				return 1 / float64(n)
			}
			sum := 0.0
			for _, v := range w {
				sum += math.Abs(v)
			}
			if sum == 0 { // the step had no solution
				return 0
			}
			return w[i] / sum
		},
		key: func() string { return fmt.Sprintf("%p", s.report) },
	}
	c.text = func() string {
		if text := missing(); text != "" {
			return text
		}
		var parts []string
		for i, v := range s.method().MeanWeights {
			parts = append(parts, fmt.Sprintf("%s %.2f", s.log.Names()[i], v))
		}
		return fmt.Sprintf("With new weights at every record, the mean weights of %s are %s.", title(s.values.Method), strings.Join(parts, ", "))
	}
	return c.panel()
}

// agePanel shows harm or hurt for each period of the weights, with the cost of each period below.
func (s *Scene) agePanel() axes.Panel {
	missing := func() string {
		if text := s.pending(); text != "" {
			return text
		}
		return s.absent()
	}
	of := func(f runlog.Figures) float64 {
		if s.values.Measure == measureHurt {
			return f.Hurt
		}
		return f.Harm
	}
	p := &axes.Plane{Name: "age", Heading: "How old may weights be?"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		x := axes.Axis{Label: "age of the weights (R), and backpropagations per step", Short: "age of the weights, in records (R)",
			Categories: []string{"1"}, Tiers: true}
		y := axes.Axis{Label: "harm: how far a step goes against a task", Max: 1}
		if s.values.Measure == measureHurt {
			y.Label = "hurt: share of records whose step hurts a task"
		}
		if missing() != "" {
			return x, y
		}
		m := s.method()
		x.Categories = nil
		most := of(s.report.Equal.Figures)
		if m.Fixed != nil {
			most = max(most, of(*m.Fixed))
		}
		for _, stale := range m.Stale {
			cost := numeral.Format(stale.Backprops, 3)
			if seconds := s.report.Seconds(stale.R); seconds > 0 {
				cost += ", " + duration(seconds)
			}
			x.Categories = append(x.Categories, fmt.Sprintf("%d (%s)", stale.R, cost))
			x.Brief = append(x.Brief, fmt.Sprint(stale.R))
			most = max(most, of(stale.Figures))
		}
		y.Max = float64(1.15*most) + 1e-12
		return x, y
	}
	p.Sheets = func() []axes.Sheet {
		if text := missing(); text != "" {
			return axes.WordSheets(text)
		}
		return []axes.Sheet{{Draw: func(b *brush.Brush) {
			m, t := s.method(), b.Theme
			level := func(v float64, words string, stroke brush.Stroke, side float64) {
				b.HLine(v, stroke)
				_, x1, _, _ := b.Bounds()
				b.Label(x1, v, words, brush.SmallText, t.Ink, brush.Align{X: -1, Y: side})
			}
			const row = 18 // pixels that a line of text needs
			equal, above := of(s.report.Equal.Figures), 1.0
			words := "equal weights"
			if m.Fixed != nil {
				const fixed = "fixed mean weights"
				other, said, below := of(*m.Fixed), fixed, -1.0 // labels are above the upper level and below the lower level
				if other > equal {
					above, below = -1, 1
				}
				floor := b.At(0, min(equal, other)).Y - b.Canvas.Min.Y
				switch apart := math.Abs(float64(b.At(0, equal).Y - b.At(0, other).Y)); {
				case floor >= row:
				case apart >= 2*row:
					above, below = 1, 1
				case other > equal: // there is no room for labels below the lower level or between the levels
					words, said = "", words+"; "+fixed
				default:
					words, said = words+"; "+fixed, ""
				}
				level(other, said, brush.Stroke{Color: t.Muted, Width: 1.5, Dash: []vg.Length{2, 3}}, below)
			}
			level(equal, words, brush.Stroke{Color: t.Look("ls").Hue, Width: 1.5, Dash: []vg.Length{6, 4}}, above)
			look := t.Look(m.Name)
			b.Line(len(m.Stale), func(i int) (float64, float64) { return float64(i), of(m.Stale[i].Figures) }, look.Stroke(2))
			for i, stale := range m.Stale {
				radius := vg.Length(4)
				if stale.R == s.values.R {
					radius = 7
				}
				b.Marker(float64(i), of(stale.Figures), look.Shape, radius, color.Color(look.Hue), true)
			}
		}}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if missing() != "" {
			return nil
		}
		return []axes.Entry{axes.EntryOf(t.Look(s.values.Method), title(s.values.Method))}
	}
	p.Key = p.Legend
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if missing() != "" || !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		x, _ := b.World(at)
		m := s.method()
		i := max(0, min(len(m.Stale)-1, int(math.Round(x))))
		stale := m.Stale[i]
		return axes.Pick{K: -1, At: b.At(float64(i), of(stale.Figures)), Lines: []string{fmt.Sprintf("R = %d", stale.R),
			"harm " + timeline.Number(stale.Harm), "hurt " + percent(stale.Hurt),
			timeline.Number(stale.Backprops) + " backpropagations per step"}, Values: map[string]string{"R": fmt.Sprint(stale.R)}}, true
	}
	p.Text = func() string {
		if text := missing(); text != "" {
			return text
		}
		m := s.method()
		var parts []string
		for _, stale := range m.Stale {
			parts = append(parts, fmt.Sprintf("R = %d harm %s, hurt %s", stale.R, timeline.Number(stale.Harm), percent(stale.Hurt)))
		}
		return fmt.Sprintf("%s: %s. Equal weights: harm %s, hurt %s.", title(m.Name), strings.Join(parts, "; "),
			timeline.Number(s.report.Equal.Harm), percent(s.report.Equal.Hurt))
	}
	return p
}

// duration formats a time in seconds, or a short time in milliseconds.
func duration(seconds float64) string {
	if seconds < 0.1 {
		return numeral.Format(1000*seconds, 2) + " ms"
	}
	return numeral.Format(seconds, 3) + " s"
}
