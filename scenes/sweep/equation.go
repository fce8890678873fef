package sweep

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// equations returns the formulas for the steps of a pass.
func equations() []scene.Equation {
	const numbers = `\begin{array}{l} \text{@where} \\ F_m = \text{@sum} = \text{@value} \end{array}`
	const pass = " Below: the weighted sum of the three training losses after the pass."
	const sum = `, \qquad F_m = \sum_k \tfrac{m_k}{p}\, f_k`
	return []scene.Equation{
		{ID: "one", Methods: []string{sweeps.BlockSMOO}, Numbers: numbers,
			Symbols: `x_b \leftarrow x_b - \alpha\, \nabla_b f_k(x;\, \xi)` + sum,
			Text: "A pass has many steps, each on a new batch. In a step, one block moves against the gradient of one objective, which has m_k " +
				"turns on every block." + pass},
		{ID: "all", Methods: []string{sweeps.WeightedSum}, Numbers: numbers,
			Symbols: `x \leftarrow x - \alpha\, \nabla F_m(x;\, \xi)` + sum,
			Text:    "A pass has many steps, each on a new batch. In a step, all variables move against the gradient of the weighted sum." + pass},
		{ID: "function", Methods: []string{sweeps.FunctionAlternate}, Numbers: numbers,
			Symbols: `x \leftarrow x - \alpha\, \nabla f_k(x;\, \xi)` + sum,
			Text: "A pass has many steps, each on a new batch. In a step, all variables move against the gradient of one objective, which has " +
				"m_k turns." + pass},
		{ID: "block", Methods: []string{sweeps.BlockAlternate}, Numbers: numbers,
			Symbols: `x_b \leftarrow x_b - \alpha\, \nabla_b F_m(x;\, \xi)` + sum,
			Text:    "A pass has many steps, each on a new batch. In a step, one block moves against the gradient of the weighted sum." + pass},
	}
}

// StepNumbers implements scene.Scene. In this scene a step of the time line is a pass.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	for _, e := range s.ends {
		if e.run != t.Run {
			continue
		}
		if k < 1 || k >= len(e.sums) {
			break
		}
		vector := (k - 1) / e.passes
		text := ""
		for i, w := range s.grid.weights[vector] {
			if i > 0 {
				text += " + "
			}
			text += timeline.Significant(w) + " · " + timeline.Significant(e.row(train, k)[i])
		}
		return map[string]string{
			"where": fmt.Sprintf("m = %s, pass %d of %d", times(s.grid.vectors[vector]), k-vector*e.passes, e.passes),
			"sum":   text, "value": timeline.Significant(e.sums[k]),
		}, nil
	}
	return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", t.Last())}
}
