package orders

import (
	"math"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// Measure is a number of an epoch that is drawn as a curve over the epochs.
type Measure struct {
	Name  string // name in tooltips
	Label string // label beside the curve; "" for none
	Value func(Epoch) float64
	Faint bool
	// Geometric selects geometric means, for numbers that are compared by ratio.
	Geometric bool
	// Complete is true if only complete epochs have the number.
	Complete bool
}

// Means holds curves of measures, averaged over the runs of each method. The curves grow with the runs.
type Means struct {
	Curves []kinds.Curve
	Lo, Hi float64 // range of all shown values; +Inf and −Inf if there are none

	roster  *Roster
	columns []*Column
	log     bool // whether the axis is logarithmic, so that only positive values are shown
}

// Column is one curve of a method's runs, with the epochs' numbers as keys.
type Column struct {
	kinds.MeanCurve
	Measure
}

// Means returns an empty curve for each running method and each measure. If log is true, the axis is logarithmic and
// only positive values are shown.
func (r *Roster) Means(t *timeline.Timeline, measures []Measure, log bool, lines func(c *Column, i int) []string) *Means {
	out := &Means{roster: r, log: log}
	for _, group := range runs.ByMethod(t) {
		for _, one := range measures {
			c := &Column{Measure: one}
			c.Runs, c.Mean = group, kinds.Mean
			if one.Geometric {
				c.Mean = kinds.GeometricMean
			}
			c.Curve = kinds.Curve{Method: group[0].Method, Run: timeline.Track{Run: group[0]}.Name(), Label: one.Label, Faint: one.Faint,
				Lines: func(i int) []string { return lines(c, i) }}
			out.columns = append(out.columns, c)
		}
	}
	return out
}

// Extend updates the curves. The function at returns the position of a run's epoch on the horizontal axis.
func (m *Means) Extend(at func(run *timeline.Run, number int) float64) {
	m.Curves, m.Lo, m.Hi = m.Curves[:0], math.Inf(1), math.Inf(-1)
	for _, c := range m.columns {
		of := make([][]Epoch, len(c.Runs))
		for i, run := range c.Runs {
			of[i] = m.roster.Epochs(run)
		}
		number := func(i int) int { return of[0][i].Number }
		c.Extend(len(of[0]), number, func(i int, values []float64) float64 {
			for j, epochs := range of {
				values[j] = math.NaN()
				if i < len(epochs) && epochs[i].Number == number(i) && !(c.Complete && epochs[i].Steps != Examples(c.Runs[j])) {
					values[j] = c.Value(epochs[i])
				}
				if m.log && !(values[j] > 0) {
					values[j] = math.NaN() // the axis cannot show this value
				}
			}
			return at(c.Runs[0], number(i))
		})
		m.Curves = append(m.Curves, c.Curve)
		lo, hi := c.Range(m.log)
		m.Lo, m.Hi = min(m.Lo, lo), max(m.Hi, hi)
	}
}
