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

// New returns the rule called name, one of Names, for m ≥ 1 objectives. Each setting is "parameter=value", as
// in the command weigh: for example "c=0.4" for cagrad, or "seed=3" for a rule with random draws. Other
// parameters have their defaults. The error names the refused value and what is allowed.
func New(name string, m int, settings ...string) (algo.Weighting, error) {
	return NewFor(Context{Objectives: m}, name, settings...)
}

// NewFor is New with a Context, which has the number of objectives, seed, start and lower bounds of the losses.
// A setting "seed=…" takes precedence over the Context's seed.
func NewFor(c Context, name string, settings ...string) (algo.Weighting, error) {
	method, ok := Lookup(name)
	if !ok {
		return nil, &algo.RangeError{Name: "rule", Value: name, Allowed: "available rules: " + strings.Join(Names(), " ")}
	}
	if c.Objectives < 1 {
		return nil, &algo.RangeError{Name: "objectives", Value: c.Objectives, Allowed: "there must be at least one"}
	}
	var params param.List
	seed := c.Seed
	construct := method.BindAll(&params)
	params.Seed(&c.Seed, param.Descriptor{
		Name: "seed", Label: "Seed", Help: "Determines a method's random draws.", Effect: param.Restart,
	})
	c.Seed = seed // binding stores the default
	for _, setting := range settings {
		parameter, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, &algo.RangeError{Name: "setting", Value: setting, Allowed: "it must be parameter=value"}
		}
		if err := params.Assign(parameter, value); err != nil {
			return nil, err
		}
	}
	return construct(c)
}

// Direction applies a rule to the gradients of one step, m rows of n columns, and returns its decision in new
// storage: Direction, which the caller subtracts, Weights, and Effective coefficients, each nil if the rule has
// none. Losses, of length m, may be nil for a rule that does not need them. If a rule needs further samples,
// they equal the gradients. A rule with a history remembers earlier calls. For FAMO, call Observe with the
// losses after the step.
//
// If a step must not allocate, keep an algo.Input and an algo.Result and call Weigh.
func Direction(rule algo.Weighting, gradients *algo.Jacobian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: there is no rule")
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

// FromGramian applies a rule to gradients of which only the Gramian is known. The Gramian is m×m; entry
// i·m + j is the product of rows i and j. The result has no Direction, but its coefficients in Effective.
// Losses are as in Direction.
//
// It returns an *InputError if the matrix is not symmetric and positive semidefinite, where entries G_ij may be
// off by 1e-9 of √(G_ii·G_jj). It also returns one for a rule whose Method says Coordinates, such as GradDrop
// and ExcessMTL.
func FromGramian(rule algo.Weighting, gramian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: there is no rule")
	}
	if _, reads := rule.(coordinateReader); reads {
		return algo.Result{}, inputErrorf("weighting: the rule needs the gradients' coordinates, which a Gramian does not have")
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
