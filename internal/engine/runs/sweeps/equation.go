package sweeps

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Equations returns the step equations of the family: one for a step down the gradient of one objective, and one for a
// step down the gradient of the weighted sum of all objectives. StepNumbers returns their numbers.
func Equations() []scene.Equation {
	const (
		step    = `x_b \leftarrow x_b - \alpha_t\, %s`
		numbers = `\begin{array}{l} \text{@due} \\ \text{@x} = \text{@from} - \text{@alpha}\;\text{@gradient} \end{array}`
		rest    = " The variables of the other blocks do not move."
	)
	return []scene.Equation{
		{ID: "one", Methods: []string{BlockSMOO, FunctionAlternate}, Symbols: fmt.Sprintf(step, `\nabla_b f_k(x)`), Numbers: numbers,
			Text: "The current block’s variables descend their part of one objective’s gradient." + rest},
		{ID: "sum", Methods: []string{WeightedSum, BlockAlternate},
			Symbols: fmt.Sprintf(step, `\sum_k \frac{m_k}{p}\, \nabla_b f_k(x)`), Numbers: numbers,
			Text: "The current block’s variables descend their part of the weighted sum of all objectives’ gradients." + rest},
	}
}

const (
	maxSpelled = 3    // maximum number of a vector's coordinates that are written
	rounding   = 1e-9 // fraction of the whole below which a part is rounding error and counts as 0
)

// StepNumbers returns the numbers in the equation of a track's method, for the step that led to iteration k. They are
// the values that the stepper itself computed.
func StepNumbers(t *timeline.Timeline, track timeline.Track, k int) (map[string]string, error) {
	if k < 1 || k > track.Last() {
		return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", track.Last())}
	}
	row, err := t.At(track.Run, k-1)
	if err != nil {
		return nil, err
	}
	before := slices.Clone(row.X) // a replayed row is valid only until the next one
	out := map[string]string{}
	err = t.Visit(track.Run, k, func(s algo.Stepper) { describe(out, s.(*blocks.Alternation), before) })
	return out, err
}

// describe adds to out the numbers of a stepper's last step. before is the point at which that step began.
func describe(out map[string]string, s *blocks.Alternation, before []float64) {
	move, _ := s.Move()
	v := s.View()
	part := func(of []float64) []float64 {
		own := make([]float64, len(move.Coordinates))
		for i, c := range move.Coordinates {
			own[i] = of[c]
		}
		return own
	}
	x, from := part(v.X), part(before)
	point := timeline.Apart(from, x)
	out["x"], out["from"], out["alpha"] = spelled(x, point), spelled(from, point), timeline.Number(v.StepSize)
	out["gradient"] = spelled(part(v.Direction), timeline.Significant)
	out["due"] = due(move, len(before))
}

// due describes which of the n variables a step moves, and which gradient it follows.
func due(m blocks.Move, n int) string {
	goal := "of all objectives"
	if m.Objective != blocks.Together {
		goal = fmt.Sprintf("of objective %d", m.Objective+1)
	}
	if len(m.Coordinates) == n {
		return fmt.Sprintf("t = %d: all variables, %s", m.T, goal)
	}
	numbers := make([]string, 0, maxSpelled+1)
	for i, c := range m.Coordinates {
		if i == maxSpelled {
			numbers = append(numbers, "…")
			break
		}
		numbers = append(numbers, fmt.Sprint(c+1))
	}
	return fmt.Sprintf("t = %d: block %d (x%s), %s", m.T, m.Block+1, strings.Join(numbers, ", x"), goal)
}

// spelled writes the first coordinates of a point or a gradient.
func spelled(v []float64, write func(float64) string) string {
	return timeline.Cleared(v, maxSpelled, rounding, write)
}
