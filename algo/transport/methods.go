package transport

import "paretoplay/algo/param"

// Method describes a solver that can be chosen by name.
type Method struct {
	param.Method
	// Regularization describes the solver's parameter, with the full range that its constructor accepts. Its Name is
	// empty if the solver has no parameter. Default is the parameter's default value.
	Regularization param.Descriptor
	Default        float64
	// New returns a solver that can be watched. A solver without a parameter ignores the number.
	New func(regularization float64) (Iterative, error)
}

// Methods lists the solvers in the order in which they are shown.
var Methods = []Method{
	{
		Method: param.Method{ID: "exact", Title: "Exact", Paper: "Dantzig 1951; Charnes 1952",
			Help: "The transportation simplex: walks along the vertices of all plans to one of least cost."},
		New: func(float64) (Iterative, error) { return NewExact(), nil },
	},
	{
		Method: param.Method{ID: "ipot", Title: "IPOT", Paper: "Xie et al. 2020, Algorithm 1",
			Help: "Proximal steps: scales rows and columns of the plan so far times exp(−C/β), and nears an exact plan."},
		Regularization: param.Descriptor{Name: "beta", Symbol: "β", Label: "Proximal weight", Min: leastRegularization,
			Max: maxRegularization, Scale: param.Log,
			Help: "How much a step of IPOT costs, relative to the range of the costs: a larger β makes smaller steps."},
		Default: DefaultBeta,
		New:     func(beta float64) (Iterative, error) { return asIterative(NewIPOT(IPOTConfig{Beta: beta})) },
	},
	{
		Method: param.Method{ID: "sinkhorn", Title: "Sinkhorn", Paper: "Cuturi 2013",
			Help: "Scales rows and columns of exp(−C/ε) in turn: the plan of least cost less ε times its entropy, a blurred one."},
		Regularization: param.Descriptor{Name: "eps", Symbol: "ε", Label: "Blur", Min: leastRegularization,
			Max: maxRegularization, Scale: param.Log,
			Help: "Sinkhorn’s weight of the entropy, relative to the range of the costs: a larger ε blurs the plan more."},
		Default: DefaultEpsilon,
		New: func(epsilon float64) (Iterative, error) {
			return asIterative(NewSinkhorn(SinkhornConfig{Epsilon: epsilon}))
		},
	},
}

// asIterative keeps a nil pointer from becoming an Iterative that is not nil.
func asIterative[S Iterative](s S, err error) (Iterative, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Lookup returns the method with the given name, and whether it exists.
func Lookup(name string) (Method, bool) {
	for _, m := range Methods {
		if m.ID == name {
			return m, true
		}
	}
	return Method{}, false
}
