package blocks

import (
	"fmt"
	"math"

	"paretoplay/algo/param"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// turnsHandle is the handle of the frequencies.
const turnsHandle = "turns"

// turns are the frequencies of now, and their sum p.
func (s *Scene) turns() (m []int, p int) {
	m = s.values.Frequencies(s.problem)
	for _, times := range m {
		p += times
	}
	return m, p
}

// corner is where all turns are objective k's, among q: on a line of two, and in a triangle.
func corner(k, q int) (x, y float64) {
	if q == 2 {
		return float64(k), 0
	}
	return [3]float64{0, 1, 0.5}[k], [3]float64{0, 0, math.Sqrt(3) / 2}[k]
}

// placeOf is where weights stand among the corners.
func placeOf(weights []float64) (x, y float64) {
	for k, w := range weights {
		h, v := corner(k, len(weights))
		x += w * h
		y += w * v
	}
	return x, y
}

// turnsPanel shows the frequencies, to drag: for two objectives on a line, above which their
// values at the minimiser of F_m are, for three in a triangle.
func (s *Scene) turnsPanel() *panel.Plane {
	p := &panel.Plane{Name: "frequencies", Heading: "Who has how many turns", Text: s.describeTurns}
	p.Axes = func() (panel.Axis, panel.Axis) {
		if s.problem == nil || len(s.goal.weights) != 2 {
			return panel.Axis{Min: -0.15, Max: 1.15}, panel.Axis{Min: -0.15, Max: 1.05}
		}
		return panel.Axis{Label: "share of the turns that f_2 has", Min: 0, Max: 1}, panel.Axis{Label: "at the minimiser", Min: 0, Max: s.mostFront()}
	}
	p.Sheets = func() []panel.Sheet {
		switch {
		case s.problem == nil:
			return s.waitingSheets()
		case len(s.goal.weights) > 3:
			return []panel.Sheet{{Draw: func(b *panel.Brush) { b.Words("Set the frequencies beside the picture.") }}}
		}
		return []panel.Sheet{{Draw: s.drawTurns}}
	}
	p.Grips = func() []panel.Grip {
		if s.problem == nil || len(s.goal.weights) > 3 {
			return nil
		}
		m, total := s.turns()
		x, y := placeOf(s.goal.weights)
		g := panel.Grip{ID: turnsHandle, Label: "frequencies", Value: param.FormatFrequencies(m), X: x, Y: y, StepX: 1 / float64(total)}
		if len(m) == 3 {
			_, top := corner(2, 3)
			g.StepY = top / float64(total)
		}
		return []panel.Grip{g}
	}
	return p
}

// dragTurns is what the frequencies become where their handle is moved to a place; their sum
// stays.
func (s *Scene) dragTurns(x, y float64) (name, text string) {
	if s.problem == nil {
		return "", ""
	}
	m, total := s.turns()
	weights := []float64{1 - x, x}
	switch len(m) {
	case 2:
	case 3:
		_, top := corner(2, 3)
		third := y / top
		weights = []float64{1 - x - third/2, x - third/2, third}
	default:
		return "", ""
	}
	return "m", param.FormatFrequencies(divided(weights, total))
}

// divided parts a whole number in the proportion of weights, of which those below 0 count as 0:
// each gets what is below its share, and what is left goes to the largest remainders.
func divided(weights []float64, total int) []int {
	var sum float64
	for _, w := range weights {
		sum += max(w, 0)
	}
	out, rest := make([]int, len(weights)), make([]float64, len(weights))
	left := total
	for k, w := range weights {
		share := max(w, 0) / sum * float64(total)
		const slack = 1e-9 // of a share that is whole but for rounding
		out[k] = int(share + slack)
		rest[k] = share - float64(out[k])
		left -= out[k]
	}
	for ; left > 0; left-- {
		most := 0
		for k, r := range rest {
			if r > rest[most] {
				most = k
			}
		}
		out[most]++
		rest[most]--
	}
	return out
}

func (s *Scene) drawTurns(b *panel.Brush) {
	q := len(s.goal.weights)
	hairline := panel.Stroke{Color: b.Theme.Rule, Width: 1}
	if q == 2 {
		f := make([]float64, q)
		for k := range q {
			b.Line(setPoints+1, func(i int) (float64, float64) {
				s.problem.Values(f, s.pairs[0][i])
				return float64(i) / setPoints, f[k]
			}, objectiveStroke(b.Theme, k, q, 2))
			if b.Frame.Detail == panel.Full {
				b.Label(0.5, f[k], fmt.Sprintf("f_%d", k+1), panel.LabelText, b.Theme.Ink, panel.Above)
			}
		}
		x, _ := placeOf(s.goal.weights)
		b.VLine(x, hairline)
	} else {
		b.Line(4, func(i int) (float64, float64) { return corner(i%3, 3) }, hairline)
		for k := range q {
			x, y := corner(k, q)
			b.Text(x, y, fmt.Sprintf("f_%d", k+1), panel.LabelText, b.Theme.Ink, panel.Align{Y: []float64{-1, -1, 1}[k]})
		}
	}
}

func (s *Scene) describeTurns() string {
	if s.problem == nil {
		return s.waiting()
	}
	m, p := s.turns()
	return fmt.Sprintf("m = (%s), p = %d: at the minimiser of F_m f = %s.", param.FormatFrequencies(m), p, timeline.Vector(s.goal.f))
}
