package gradientlab

import (
	"strings"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// equations holds the equation of a direction, which is the same for all methods.
var equations = []scene.Equation{{
	ID:      "direction",
	Symbols: `d = \sum_i c_i\, g_i \qquad \Delta f_i \approx -\eta\,(g_i \cdot d)`,
	Numbers: `\text{@d} = \text{@sum} \qquad \text{@change} \approx -\text{@eta}\;\text{@slopes}`,
	Text: "The direction is the sum of the gradients times their effective weights. A step against it changes each objective by minus " +
		"the step size times the dot product of its gradient with the direction.",
}}

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras {
	return scene.Extras{Decision: s.decisionNumbers, Flow: s.unfolded}
}

// decisionNumbers returns the first method with effective weights, and the numbers in its equation. It returns no method
// unless the gradients are few and short enough to write out.
func (s *Scene) decisionNumbers() (method string, numbers map[string]string) {
	a := s.current()
	if a == nil || !a.Measured || a.Jacobian.Rows > maxGradients || a.Jacobian.Cols > maxSpelled {
		return "", nil
	}
	for i := range a.Decisions {
		d := &a.Decisions[i]
		if !d.Decided() || d.Effective == nil {
			continue
		}
		var sum []string
		var changes, slopes []float64
		for j, c := range d.Effective {
			sum = append(sum, timeline.Number(c)+" "+spelled(a.Jacobian.Row(j)))
			changes, slopes = append(changes, s.change(a, d, j)), append(slopes, a.Original(a.Cleaned(d, j)))
		}
		return d.Method.Name, map[string]string{
			"d": spelled(d.Direction), "sum": strings.Join(sum, " + "), "change": spelled(changes),
			"eta": timeline.Number(s.values.Eta), "slopes": spelled(slopes),
		}
	}
	return "", nil
}

// maxSpelled is the maximum length of a gradient that a formula writes out.
const maxSpelled = 3

// spelled writes out all entries of v. Entries that differ from 0 only by rounding become 0.
func spelled(v []float64) string {
	const rest = 1e-12 // relative to the largest entry
	return timeline.Cleared(v, len(v), rest, timeline.Number)
}
