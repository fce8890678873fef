package weighting

import (
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// Names returns the names of all rules, in the order of Methods.
func Names() []string {
	out := make([]string, len(Methods))
	for i, m := range Methods {
		out[i] = m.Name
	}
	return out
}

// New returns the rule with the given name, one of Names, for m ≥ 1 objectives. Each setting has the form
// "parameter=value", as in the weigh command, for example "c=0.4" for cagrad, or "seed=3" for a rule with random draws.
// All other parameters keep their defaults. The error names the invalid value and the allowed values.
func New(name string, m int, settings ...string) (algo.Weighting, error) {
	return NewFor(Context{Objectives: m}, name, settings...)
}

// NewFor is like New, but takes a Context with the number of objectives, seed, start and lower bounds of the losses.
// A setting "seed=…" overrides the Context's seed.
func NewFor(c Context, name string, settings ...string) (algo.Weighting, error) {
	method, ok := Lookup(name)
	if !ok {
		return nil, &algo.RangeError{Name: "rule", Value: name, Allowed: "available rules: " + strings.Join(Names(), " ")}
	}
	if c.Objectives < 1 {
		return nil, &algo.RangeError{Name: "objectives", Value: c.Objectives, Allowed: "there must be at least one"}
	}
	var params param.List
	construct := method.BindAll(&params)
	params.Seed(&c.Seed, param.Descriptor{
		Name: "seed", Label: "Seed", Help: "Determines a method's random draws.", Effect: param.Restart,
	})
	for _, setting := range settings {
		parameter, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, &algo.RangeError{Name: "setting", Value: setting, Allowed: "it must have the form parameter=value"}
		}
		if err := params.Assign(parameter, value); err != nil {
			return nil, err
		}
	}
	return construct(c)
}

// Direction applies a rule to the gradients of one step, an m×n matrix, and returns its decision in new storage. The
// result has the Direction, the Weights and the Effective coefficients. The caller subtracts the Direction. Weights and
// Effective are nil if the rule has none. losses, of length m, may be nil if the rule does not need them. If the rule
// needs further samples, Direction uses the gradients for them. Rules with a history remember earlier calls. For FAMO,
// call Observe with the losses after the step.
//
// To avoid allocations, keep an algo.Input and an algo.Result and call Weigh.
func Direction(rule algo.Weighting, gradients *algo.Jacobian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: the rule is missing")
	}
	if gradients == nil || gradients.Rows < 1 || gradients.Cols < 1 || len(gradients.Data) != gradients.Rows*gradients.Cols {
		return algo.Result{}, inputErrorf("weighting: the gradients must be a matrix with one row per objective")
	}
	in := algo.Input{Losses: losses}
	in.SetGradients(gradients)
	for range rule.Needs().Extra {
		in.Extra = append(in.Extra, gradients)
	}
	out := algo.Result{
		Direction: make([]float64, gradients.Cols), Weights: make([]float64, gradients.Rows), Effective: make([]float64, gradients.Rows),
	}
	err := rule.Weigh(&out, &in)
	return out, err
}

// FromGramian applies a rule to gradients of which only the Gramian is known. The Gramian is m×m; entry i·m + j is the
// product of gradients i and j. The result has no Direction; Effective contains the coefficients of the direction.
// losses is the same as in Direction.
//
// FromGramian returns an *InputError if the matrix is not symmetric and positive semidefinite. Deviations of entries
// G_ij by up to 1e-9 of √(G_ii·G_jj) are allowed. It also returns an *InputError for a rule that reads coordinates,
// such as GradDrop and ExcessMTL: see Method.Coordinates.
func FromGramian(rule algo.Weighting, gramian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: the rule is missing")
	}
	if _, reads := rule.(coordinateReader); reads {
		return algo.Result{}, inputErrorf("weighting: the rule needs the gradients' coordinates, which a Gramian does not contain")
	}
	if err := checkGramian(gramian); err != nil {
		return algo.Result{}, err
	}
	var in GramianInput
	if in.Set(gramian); in.mended {
		return algo.Result{}, inputErrorf("weighting: the Gramian is not positive semidefinite: no gradients have such products")
	}
	m := in.rows.Rows
	out := algo.Result{Weights: make([]float64, m), Effective: make([]float64, m)}
	err := in.Decide(&out, rule, losses, nil, 0)
	return out, err
}
