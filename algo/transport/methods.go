package transport

import "paretoplay/algo/param"

// Method describes a solver that is available by name.
type Method struct {
	param.Method
	// Regularization describes the solver's parameter, with the full range that the constructor accepts. Its Name
	// is empty if the solver has no parameter. Its Default is the parameter's default value.
	Regularization param.Descriptor
	Default        float64
	// New returns a solver whose iterations can be watched. A solver without a parameter ignores regularization.
	New func(regularization float64) (Iterative, error)
}

// Methods lists the solvers in the order in which they are shown.
var Methods = []Method{
	{
		Method: param.Method{ID: "exact", Title: "Exact", Paper: "Dantzig 1951; Charnes 1952",
			Help: "Walks from vertex to vertex of the set of plans until it reaches a plan of least cost (transportation simplex)."},
		New: func(float64) (Iterative, error) { return NewExact(), nil },
	},
	{
		Method: param.Method{ID: "ipot", Title: "IPOT", Paper: "Xie et al. 2020, Algorithm 1",
			Help: "Multiplies the current plan by exp(−C/β), then scales its rows and columns. The plan approaches an exact plan (proximal steps)."},
		Regularization: param.Descriptor{Name: "beta", Symbol: "β", Label: "Proximal weight", Min: leastRegularization,
			Max: maxRegularization, Scale: param.Log,
			Help: "How much IPOT penalises the change of the plan in one step, relative to the range of the costs. A larger β means smaller steps."},
		Default: DefaultBeta,
		New:     func(beta float64) (Iterative, error) { return asIterative(NewIPOT(IPOTConfig{Beta: beta})) },
	},
	{
		Method: param.Method{ID: "sinkhorn", Title: "Sinkhorn", Paper: "Cuturi 2013",
			Help: "Scales rows and columns of exp(−C/ε) in turn. The plan minimises the cost minus ε times its entropy, which blurs it."},
		Regularization: param.Descriptor{Name: "eps", Symbol: "ε", Label: "Blur", Min: leastRegularization,
			Max: maxRegularization, Scale: param.Log,
			Help: "How strongly Sinkhorn rewards the plan’s entropy, relative to the range of the costs. A larger ε blurs the plan more."},
		Default: DefaultEpsilon,
		New: func(epsilon float64) (Iterative, error) {
			return asIterative(NewSinkhorn(SinkhornConfig{Epsilon: epsilon}))
		},
	},
}

// asIterative converts s to an Iterative. It keeps a nil pointer from becoming a non-nil interface.
func asIterative[S Iterative](s S, err error) (Iterative, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Lookup returns the method with the given name, and reports whether it exists.
func Lookup(name string) (Method, bool) {
	for _, m := range Methods {
		if m.ID == name {
			return m, true
		}
	}
	return Method{}, false
}
