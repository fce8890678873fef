package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

// Method describes one rule of this package.
type Method struct {
	Name     string // on the command line, in links and files
	Title    string
	Paper    string     // source, with algorithm or equation number
	Help     string     // one sentence: what it does
	Needs    algo.Needs // with the default parameters
	Promises Promises

	configure func(*scope) Constructor
}

// Promises are the properties a rule has with its default parameters, on every
// finite input on which its status is not NoSolution. All rules promise a finite
// result and a direction of exact zeros where every gradient is zero.
type Promises struct {
	Weights        bool // there are weights, not only a direction
	Combination    bool // the direction is Gᵀ·Weights
	Simplex        bool // the weights are at least 0 and have sum 1
	Permutation    bool // the order of the objectives does not matter
	NonConflicting bool // subtracting the direction increases no objective to first order
	Homogeneous    bool // multiplying all gradients by c > 0 multiplies the direction by c
}

// Methods are all rules, in the order in which they are offered.
var Methods = []Method{
	{
		Name: "ls", Title: "Linear scalarization", Paper: "—",
		Help:      "Fixed weights, here equal ones.",
		Promises:  Promises{Weights: true, Combination: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureLS,
	},
	{
		Name: "mgda", Title: "MGDA", Paper: "Désidéri 2012; Sener & Koltun 2018, equation (3)",
		Help:      "The shortest vector in the convex hull of the gradients.",
		Promises:  Promises{Weights: true, Combination: true, Simplex: true, Permutation: true, NonConflicting: true, Homogeneous: true},
		configure: configureMGDA,
	},
}

// Lookup returns the method called name.
func Lookup(name string) (Method, bool) {
	for _, m := range Methods {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Context is what a rule is constructed for.
type Context struct {
	Objectives int    // m
	Seed       uint64 // of the run
	Start      int    // number of the start within the run
}

// Constructor makes a rule with the values its parameters have at that time. An
// error names the parameter, its value and what is allowed.
type Constructor func(Context) (algo.Weighting, error)

// Bind adds the method's parameters, with their defaults, to l and returns the
// constructor that reads them. Their names get prefix in front: "" for the names
// of weigh, "cagrad." and the like in a scene with several methods.
func (m Method) Bind(l *param.List, prefix string) Constructor {
	return m.configure(&scope{list: l, prefix: prefix, method: m.Name})
}

// Parameters describes the method's parameters, with their defaults.
func (m Method) Parameters() []param.Descriptor {
	var l param.List
	m.Bind(&l, "")
	return l.Descriptors()
}

// scope is where a method's parameters are bound.
type scope struct {
	list   *param.List
	prefix string
	method string
}

// describe completes d for the method that it belongs to.
func (s *scope) describe(d param.Descriptor) param.Descriptor {
	d.Name = s.prefix + d.Name
	d.Method = s.method
	return d
}
