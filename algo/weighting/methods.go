package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

// Method describes one rule of this package.
type Method struct {
	Name     string // name on the command line, in links and in files
	Title    string
	Paper    string     // source, with algorithm or equation number
	Help     string     // one sentence that says what the rule does
	Needs    algo.Needs // requirements with the default parameters
	Promises Promises
	// Coordinates is true if the rule reads the coordinates of the gradients. The rule is then a coordinateReader. All
	// other rules depend only on lengths and angles, so the Gramian is sufficient: see FromGramian.
	Coordinates bool
	// Positive completes the sentence "the losses become negative, which …". It is empty unless the rule needs positive
	// losses.
	Positive string
	// Bounds is the name of the parameter for lower bounds of the losses. The parameter is redundant if the problem
	// states the bounds. Order is the name of the parameter for the order of the other objectives. This parameter is
	// redundant for two objectives. Bounds or Order is empty if the rule has no such parameter.
	Bounds, Order string
	// Preference describes the effect of the parameter preference, if the rule has that parameter.
	Preference Preference

	configure func(*scope) Constructor
}

// coordinateReader is implemented by rules that FromGramian rejects.
type coordinateReader interface{ readsCoordinates() }

// Preference describes, in one sentence, the point that a preference leads to. OfTwo is for two objectives, where one
// share, r₁ or p₁, suffices; OfMany is for one share per objective.
type Preference struct{ OfTwo, OfMany string }

// Promises lists properties of a rule with its default parameters. They hold for every finite input unless the status
// is NoSolution. All rules also promise a finite result, and a direction of exact zeros if every gradient is zero.
type Promises struct {
	Weights        bool // the rule returns weights, not only a direction
	Combination    bool // the direction is Gᵀ·Weights
	Effective      bool // at every decision the direction is Gᵀ·Effective, so later steps can reuse the coefficients
	Simplex        bool // the weights are at least 0 and have sum 1
	Permutation    bool // the order of the objectives does not matter
	NonConflicting bool // subtracting the direction increases no objective to first order
	Homogeneous    bool // multiplying all gradients by c > 0 multiplies the direction by c
}

// Methods lists all rules, in display order.
var Methods = []Method{
	ruleLS,
	ruleRLW,
	ruleSI,
	ruleDWA,
	ruleUW,
	ruleMGDA,
	ruleSMG,
	rulePCGrad,
	ruleGradVac,
	ruleGradDrop,
	ruleCAGrad,
	ruleIMTLG,
	ruleNashMTL,
	ruleFAMO,
	ruleFairGrad,
	ruleSDMGrad,
	ruleMoCo,
	ruleMoDo,
	ruleUPGrad,
	ruleAlignedMTL,
	ruleEPO,
	ruleConFIG,
	ruleDualProj,
	ruleGLS,
	ruleSTCH,
	ruleEpsilon,
	ruleDBMTL,
	ruleGradNorm,
	ruleExcessMTL,
}

// Lookup returns the method with the given name, and reports whether there is one.
func Lookup(name string) (Method, bool) {
	for _, m := range Methods {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Context describes the run for which a rule is constructed.
type Context struct {
	Objectives int    // m
	Seed       uint64 // seed of the run
	Start      int    // number of the start within the run
	// LowerBounds contains, for each objective, a number strictly below all values of that objective. It is nil if the
	// problem states no such bounds.
	LowerBounds []float64
}

// Constructor returns a rule with the current values of its parameters. Its error names the parameter, the value and
// the allowed values.
type Constructor func(Context) (algo.Weighting, error)

// Bind adds the method's parameters, with their defaults, to l, and returns the constructor that reads them. The
// parameters' names start with prefix, which is "" in the weigh command and, for example, "cagrad." in a scene with
// several methods.
func (m Method) Bind(l *param.List, prefix string) Constructor {
	return m.configure(&scope{list: l, prefix: prefix, method: m.Name})
}

// BindAll is like Bind, but also binds the parameters that select other libraries' variants of the rules, such as the
// initial log-variance of UW. Scenes do not need them, so Bind omits them. New and the weigh command accept all
// parameters.
func (m Method) BindAll(l *param.List) Constructor {
	return m.configure(&scope{list: l, method: m.Name, all: true})
}

// Parameters describes the method's parameters, with their defaults.
func (m Method) Parameters() []param.Descriptor {
	var l param.List
	m.Bind(&l, "")
	return l.Descriptors()
}

// scope contains the list to which a method's parameters are bound, and the prefix of their names.
type scope struct {
	list   *param.List
	prefix string
	method string
	all    bool // whether to bind the additional parameters of BindAll
}

// describe returns d with the prefix added to its name, and with its method set.
func (s *scope) describe(d param.Descriptor) param.Descriptor {
	d.Name = s.prefix + d.Name
	d.Method = s.method
	return d
}
