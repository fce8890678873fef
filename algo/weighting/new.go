package weighting

import (
	"math"
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
	construct := method.Bind(&params, "")
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
	switch rule.(type) {
	case *GradDrop, *ExcessMTL:
		return algo.Result{}, inputErrorf("weighting: the rule reads the gradients' coordinates, and a Gramian has none")
	}
	rows, err := rowsOf(gramian)
	if err != nil {
		return algo.Result{}, err
	}
	m := rows.Rows
	square := 0.0
	for i := range m {
		square = max(square, gramian[i*m+i])
	}
	if needs := rule.Needs(); needs.Jacobian || needs.Extra > 0 || square < leastSquare || square > mostSquare {
		out, err := Direction(rule, rows, losses)
		out.Direction = nil
		return out, err
	}
	out := algo.Result{Weights: make([]float64, m), Effective: make([]float64, m)}
	err = rule.Weigh(&out, &algo.Input{Gram: gramian, Losses: losses})
	return out, err
}

const (
	gramianTolerance = 1e-9 // on cosines

	// Beyond these squares of the longest gradient, products of two entries of a Gramian leave the range
	// of numbers.
	leastSquare, mostSquare = 0x1p-400, 0x1p400
)

// rowsOf returns m vectors in R^m with a Gramian, by a Cholesky factorization with pivots of the matrix of
// cosines.
func rowsOf(gramian []float64) (*algo.Jacobian, error) {
	m := int(math.Round(math.Sqrt(float64(len(gramian)))))
	if m < 1 || m*m != len(gramian) || !algo.Finite(gramian) {
		return nil, inputErrorf("weighting: a Gramian is a square of finite numbers, not %d entries", len(gramian))
	}
	lengths := make([]float64, m)
	for i := range lengths {
		if gramian[i*m+i] < 0 {
			return nil, inputErrorf("weighting: entry (%d, %d) of the Gramian is %v, the square of a length", i+1, i+1, gramian[i*m+i])
		}
		lengths[i] = math.Sqrt(gramian[i*m+i])
	}
	left := algo.NewJacobian(m, m) // cosines, less what the factor explains
	for i := range m {
		for j := range m {
			v, w := gramian[i*m+j], gramian[j*m+i]
			if lengths[i] == 0 || lengths[j] == 0 {
				if v != 0 {
					return nil, inputErrorf("weighting: entry (%d, %d) of the Gramian is %v, and one of its gradients is zero", i+1, j+1, v)
				}
				continue
			}
			cosine := v / lengths[i] / lengths[j]
			if !(math.Abs(cosine-w/lengths[i]/lengths[j]) <= gramianTolerance) || !(math.Abs(cosine) <= 1+gramianTolerance) {
				return nil, inputErrorf("weighting: entries (%d, %d) and (%d, %d) of the Gramian are %v and %v: no gradients have such products",
					i+1, j+1, j+1, i+1, v, w)
			}
			left.Row(i)[j] = cosine
		}
	}
	rows := algo.NewJacobian(m, m)
	for c := range m {
		pivot := 0
		for i := range m {
			if left.Row(i)[i] > left.Row(pivot)[pivot] {
				pivot = i
			}
		}
		most := left.Row(pivot)[pivot]
		if most <= gramianTolerance*gramianTolerance {
			break
		}
		column := make([]float64, m)
		for i := range m {
			column[i] = left.Row(i)[pivot] / math.Sqrt(most)
			rows.Row(i)[c] = column[i]
		}
		for i := range m {
			for j := range m {
				left.Row(i)[j] -= column[i] * column[j]
			}
		}
	}
	for i := range m {
		if left.Row(i)[i] < -float64(m)*gramianTolerance {
			return nil, inputErrorf("weighting: the Gramian is not positive semidefinite: no gradients have such products")
		}
		for j := range rows.Row(i) {
			rows.Row(i)[j] *= lengths[i]
		}
	}
	return rows, nil
}
