package twolevel

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Equations returns the step equations of the offered methods, for two upper objectives: with a constraint on the lower
// level, with hypergradients, with MoCo's averages of hypergradients, and with a barrier. StepNumbers returns their
// numbers.
func Equations(offered ...string) []scene.Equation {
	const (
		z     = `\text{@x} = \text{@from} - \text{@mu}\,\text{@made}`
		goals = `\text{@w1}\,\text{@g1} + \text{@w2}\,\text{@g2}`
		made  = " If an optimizer or another rule transforms the sum, the step uses the result."
	)
	var out []scene.Equation
	for _, e := range []scene.Equation{
		{ID: "constrained", Methods: []string{FORUM, FORUMExact, FORUMReleased, BOME},
			Symbols: `z_k = z_{k-1} - \mu\left(\lambda_1 \nabla F_1 + \lambda_2 \nabla F_2 + \nu\,\nabla q\right)`,
			Numbers: z + `\left(` + goals + ` + \text{@nu}\,\text{@slope}\right)`,
			Text: "Upper and lower variables step together: down the weighted goals and, by ν times the slope of q, down towards the bottom " +
				"of the valley." + made},
		{ID: "differentiated", Methods: []string{MOML},
			Symbols: `\alpha_k = \alpha_{k-1} - \mu\left(\lambda_1 h_1 + \lambda_2 h_2\right) \qquad \omega_k = \tilde\omega`,
			Numbers: z + `\left(` + goals + `\right) \qquad \omega_k = \text{@bottom}`,
			Text: "The upper variables step down the weighted hypergradients, which include the reaction of the lower level. The lower " +
				"variables move to the end of their loop." + made},
		{ID: "tracked", Methods: []string{MoCo},
			Symbols: `\alpha_k = \alpha_{k-1} - \mu\left(\lambda_1 y_1 + \lambda_2 y_2\right) \qquad \omega_k = \tilde\omega`,
			Numbers: z + `\left(` + goals + `\right) \qquad \omega_k = \text{@bottom}`,
			Text: "The upper variables step down averages of the hypergradients over time, with weights that move a little in every step. The " +
				"lower variables move to the end of their loop." + made},
		{ID: "barrier", Methods: []string{BVFIM},
			Symbols: `\alpha_k = \alpha_{k-1} - \mu\left(\lambda_1 \nabla_\alpha F_1 + \lambda_2 \nabla_\alpha F_2 + ` +
				`\nu\left(\nabla_\alpha f(\omega_k) - \nabla_\alpha f(y)\right)\right)`,
			Numbers: z + `\left(` + goals + ` + \text{@nu}\left(\text{@here} - \text{@there}\right)\right)`,
			Text: "The upper variables step down the mean of the goals. With factor ν, they also reduce the lower level’s height at ω " +
				"above the regularised minimum y." + made},
	} {
		if e.Methods = slices.DeleteFunc(e.Methods, func(id string) bool { return !slices.Contains(offered, id) }); len(e.Methods) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// StepNumbers returns the numbers in the equation of a track's method, for the step that led to iteration k: the values
// that the stepper itself computed. The problem must have two upper objectives.
func StepNumbers(t *timeline.Timeline, problem algo.Bilevel, track timeline.Track, k int) (map[string]string, error) {
	if k < 1 || k > track.Last() {
		return nil, &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("1 to %d", track.Last())}
	}
	out := map[string]string{}
	err := t.Visit(track.Run, k, func(s algo.Stepper) { describe(out, track.Method, problem, s.(bilevel.Stepper)) })
	if err != nil {
		return nil, err
	}
	if out["x"] == "" {
		return nil, fmt.Errorf("cannot describe the step of %s to iteration %d", track.Name(), k)
	}
	return out, nil
}

// describe adds to out the numbers of a stepper's last step.
func describe(out map[string]string, method string, problem algo.Bilevel, s bilevel.Stepper) {
	trace, v := s.Trace(), s.View()
	n, p, m := problem.Dims()
	if trace.From == nil || v.Weights == nil || m != 2 {
		return
	}
	length, of := n, (*algo.Jacobian)(nil) // the number of variables in the formula, and the gradients that it weights
	switch method {
	case FORUM, FORUMExact, FORUMReleased, BOME:
		length, of = n+p, s.UpperJacobian()
	case MOML, MoCo:
		of = trace.Weighed
		out["bottom"] = point(v.X[n:])
	case BVFIM:
		of = s.UpperJacobian()
	}
	if of == nil {
		return
	}
	sum := make([]float64, length)
	for i, w := range v.Weights {
		row := of.Row(i)[:length]
		out["w"+strconv.Itoa(i+1)], out["g"+strconv.Itoa(i+1)] = number(w), factor(row)
		portable.AddScaled(sum, w, row)
	}
	nu := trace.Nu
	if math.IsNaN(nu) {
		nu = 0
	}
	switch method {
	case FORUM, FORUMExact, FORUMReleased, BOME:
		out["nu"], out["slope"] = number(nu), point(trace.QGradient)
		portable.AddScaled(sum, nu, trace.QGradient)
	case BVFIM:
		here, there := lowerSlope(problem, trace.From[:n], v.X[n:]), lowerSlope(problem, trace.From[:n], trace.Omega)
		out["nu"], out["here"], out["there"] = number(nu), factor(here), factor(there)
		portable.AddScaled(sum, nu, here)
		portable.AddScaled(sum, -nu, there)
	}
	out["x"], out["from"], out["mu"], out["made"] = point(v.X[:length]), point(trace.From[:length]), number(trace.StepSize), ""
	if length > n && trace.OmegaStepSize != trace.StepSize {
		out["mu"] += " (of ω " + number(trace.OmegaStepSize) + ")"
	}
	if taken := trace.Update[:length]; !floats.EqualApprox(taken, sum, 1e-9*(portable.Length(taken)+portable.Length(sum))) {
		out["made"] = point(taken) + " ⟵ "
	}
}

// lowerSlope returns the gradient of the lower objective with respect to the upper variables.
func lowerSlope(problem algo.Bilevel, alpha, omega []float64) []float64 {
	gradient := make([]float64, len(alpha)+len(omega))
	problem.LowerGradient(gradient, slices.Concat(alpha, omega))
	return gradient[:len(alpha)]
}

// number writes v with four digits. Values below 1e-9 are rounding error and become 0.
func number(v float64) string {
	if math.Abs(v) < 1e-9 {
		v = 0
	}
	return timeline.Number(v)
}

// factor writes v like point, for use after a sign or a number: it also puts a single negative number in brackets.
func factor(v []float64) string {
	if len(v) == 1 && v[0] < 0 {
		return "(" + point(v) + ")"
	}
	return point(v)
}

// point writes the first coordinates of v, without brackets if there is only one.
func point(v []float64) string {
	if len(v) == 1 {
		return number(v[0])
	}
	const limit = 4
	return timeline.Spelled(v, limit, number)
}
