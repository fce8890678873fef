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

// New returns the rule called name, one of Names, for m ≥ 1 objectives. Each setting is "parameter=value",
// as the command line's weigh takes them, such as "c=0.4" for cagrad or "seed=3" for a rule that draws;
// parameters without a setting have their defaults. An error names what was refused and what is
// allowed.
func New(name string, m int, settings ...string) (algo.Weighting, error) {
	return NewFor(Context{Objectives: m}, name, settings...)
}

// NewFor is New for a run that says more of itself than the number of objectives: its seed, its start, and
// lower bounds of its losses. A setting "seed=…" takes precedence over the Context's seed.
func NewFor(c Context, name string, settings ...string) (algo.Weighting, error) {
	method, ok := Lookup(name)
	if !ok {
		return nil, &algo.RangeError{Name: "rule", Value: name, Allowed: "the rules are " + strings.Join(Names(), " ")}
	}
	if c.Objectives < 1 {
		return nil, &algo.RangeError{Name: "objectives", Value: c.Objectives, Allowed: "there must be at least one"}
	}
	var params param.List
	seed := c.Seed
	construct := method.BindAll(&params)
	params.Seed(&c.Seed, param.Descriptor{
		Name: "seed", Label: "Seed", Help: "Of the random draws of a method that makes some.", Effect: param.Restart,
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

// Direction asks a rule about the gradients of one step, m rows of n columns, and returns its decision in
// storage of its own: Direction, which is to be subtracted, Weights and Effective coefficients, each nil
// where the rule has none. Losses, of length m, may be nil for a rule that does not need them. Where a
// rule needs further samples, they are equal to the gradients. A rule with a history remembers from call
// to call; FAMO wants to be told the losses after the step, by Observe.
//
// Where the step must not allocate, keep an algo.Input and an algo.Result and call Weigh.
func Direction(rule algo.Weighting, gradients *algo.Jacobian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: there is no rule")
	}
	if gradients == nil || gradients.Rows < 1 || gradients.Cols < 1 || len(gradients.Data) != gradients.Rows*gradients.Cols {
		return algo.Result{}, inputErrorf("weighting: the gradients are not a matrix with a row an objective")
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

// FromGramian asks a rule about gradients of which only the Gramian is known: the product of row i and
// row j at i·m + j, m×m. There is no Direction then; Effective holds its coefficients. Losses are as in
// Direction. It works with every rule but those whose Method says Coordinates: lengths and angles decide.
//
// A matrix that no gradients have, since it is not symmetric and positive semidefinite, is an *InputError:
// its entries G_ij may be off by 1e-9 of √(G_ii·G_jj). So is a rule that reads coordinates of the
// gradients, as GradDrop and ExcessMTL do.
func FromGramian(rule algo.Weighting, gramian, losses []float64) (algo.Result, error) {
	if algo.Missing(rule) {
		return algo.Result{}, inputErrorf("weighting: there is no rule")
	}
	if _, reads := rule.(coordinateReader); reads {
		return algo.Result{}, inputErrorf("weighting: the rule reads the gradients' coordinates, and a Gramian has none")
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
