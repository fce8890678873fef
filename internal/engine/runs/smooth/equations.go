package smooth

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Equations returns the step equations of the family for two objectives: one for weights kept for some steps, one for
// weights computed in the step, and one for methods whose direction is not a weighted sum of the gradients. StepNumbers
// returns their numbers.
func Equations() []scene.Equation {
	var weighted, others []string
	for _, m := range Methods() {
		switch {
		case m.ID == psmgd: // PSMGD has a separate equation
		case summed(m.ID):
			weighted = append(weighted, m.ID)
		default:
			others = append(others, m.ID)
		}
	}
	const (
		from = `\text{@x} = \text{@from} - \text{@eta}\,\text{@made}\,`
		sum  = from + `\left(\text{@w1}\,\text{@g1} + \text{@w2}\,\text{@g2}\right)`
		made = " If an optimizer is selected, it transforms the sum first."
	)
	return []scene.Equation{
		{ID: "kept", Methods: []string{psmgd},
			Symbols: `x_k = x_{k-1} - \eta\left(\lambda_1(x_j)\,\nabla f_1 + \lambda_2(x_j)\,\nabla f_2\right)`,
			Numbers: sum + `,\quad j = \text{@j}`,
			Text: "From the previous point the step goes against the weighted sum of both gradients. The weights are from iteration j, the latest " +
				"iteration that computed weights." + made},
		{ID: "weighted", Methods: weighted,
			Symbols: `x_k = x_{k-1} - \eta\left(\lambda_1\,\nabla f_1 + \lambda_2\,\nabla f_2\right)`, Numbers: sum,
			Text: "From the previous point the step goes against the sum of both gradients, weighted with this step’s weights." + made},
		{ID: "direction", Methods: others, Symbols: `x_k = x_{k-1} - \eta\,d`, Numbers: from + `\text{@d}`,
			Text: "From the previous point the step goes against the method’s direction, which is not a weighted sum of the " +
				"gradients." + strings.ReplaceAll(made, "sum", "direction")},
	}
}

// StepNumbers returns the numbers in the equation of a track's method, for the step that led to iteration k: the values
// that the step itself used and computed. p is the runs' problem.
func (r *Roster) StepNumbers(t *timeline.Timeline, p algo.Sampled, track timeline.Track, k int) (map[string]string, error) {
	if k < 1 || k > track.Last() {
		return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", track.Last())}
	}
	at := func(k int) (timeline.Row, error) {
		row, err := t.At(track.Run, k)
		return track.Of(row), err
	}
	next, err := at(k)
	if err != nil {
		return nil, err
	}
	out := map[string]string{"k": strconv.Itoa(k), "x": point(next.X)}
	row, err := at(k - 1)
	if err != nil {
		return nil, err
	}
	out["from"], out["eta"], out["made"] = point(row.X), number(row.StepSize), ""
	// A replayed row is valid only until the next one is replayed.
	direction := slices.Clone(row.Direction)
	x, weights, sum, taken := slices.Clone(row.X), slices.Clone(row.Weights), slices.Clone(row.Direction), slices.Clone(UpdateOf(row))
	refreshed := row.Refreshed
	if taken == nil {
		taken = slices.Clone(row.Direction)
	}
	size := 0.0 // length of the terms; a remainder that is small relative to it may be rounding error
	if weights != nil {
		n, m := p.Dims()
		jac, seen := algo.NewJacobian(m, n), false
		err := t.Visit(track.Run, k, func(s algo.Stepper) { seen = StepGradients(jac, p, x, s, track.Solution) })
		if err != nil {
			return nil, err
		}
		if !seen {
			return nil, fmt.Errorf("%s shows no step at iteration %d", track.Name(), k)
		}
		for i, w := range weights {
			out["w"+strconv.Itoa(i+1)], out["g"+strconv.Itoa(i+1)] = number(w), point(jac.Row(i))
			size += float64(math.Abs(w) * portable.Length(jac.Row(i)))
		}
		if summed(track.Method) {
			jac.Combine(sum, weights)
		}
	}
	write := func(v float64) string { return number(timeline.Besides(v, size)) }
	out["d"] = timeline.Spelled(direction, maxShown, write)
	if track.Method == psmgd {
		j := k - 1
		for anew := refreshed; !anew && j > 0; anew = row.Refreshed {
			j--
			if row, err = at(j); err != nil {
				return nil, err
			}
		}
		out["j"] = strconv.Itoa(j)
	}
	if !floats.EqualApprox(taken, sum, float64(1e-9*(portable.Length(taken)+portable.Length(sum)))+float64(timeline.Rounding*size)) {
		out["made"] = timeline.Spelled(taken, maxShown, write) + " ⟵ " + r.maker(track.Method)
	}
	return out, nil
}

// summed reports whether a method's equation contains a weighted sum of the gradients.
func summed(method string) bool {
	w, rule := weighting.Lookup(method)
	return method == psmgd || method == crmogm || rule && w.Promises.Combination
}

// maker returns words that relate an update to the weighted sum from which it differs, such as "Adam of" or "cut from".
func (r *Roster) maker(method string) string {
	switch {
	case r.Optimizer == string(descent.Adam):
		return "Adam of"
	case r.Optimizer == string(descent.HeavyBall):
		return "heavy ball of"
	case r.Clip != 0:
		return "cut from"
	case method == psmgd:
		return r.Title(r.Weighting) + " instead of"
	}
	return r.Title(method) + " instead of"
}

// number writes v with three decimals, or with three significant digits if |v| < 0.1.
func number(v float64) string {
	if a := math.Abs(v); a == 0 || a >= 0.1 {
		return numeral.Minus(strconv.FormatFloat(math.Round(1e3*v)/1e3, 'f', -1, 64))
	}
	mantissa, exponent, small := strings.Cut(strconv.FormatFloat(v, 'g', 3, 64), "e")
	if small {
		mantissa += "·10" + raised("-"+strings.TrimLeft(exponent, "-0"))
	}
	return numeral.Minus(mantissa)
}

// raised writes an integer as a superscript.
func raised(number string) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9",
		"⁹").Replace(number)
}

// point writes the first coordinates of a point.
func point(v []float64) string { return timeline.Spelled(v, maxShown, number) }

// maxShown is the maximum number of coordinates that are written.
const maxShown = 3
