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
	// Coordinates says that the rule reads the gradients' coordinates; it is then a coordinateReader. All others
	// look at lengths and angles alone, so that a Gramian is enough: see FromGramian.
	Coordinates bool
	// Positive ends the sentence "the losses become negative, which …" for a rule that needs positive ones, "" for others.
	Positive string
	// Bounds names the parameter with lower bounds of the losses, which has no use where the problem states them, and Order
	// the one with an order of the other objectives, which has none where there is one other; "" if there is none.
	Bounds, Order string
	// Preference says what the parameter "preference" aims for, if there is one.
	Preference Preference

	configure func(*scope) Constructor
}

// coordinateReader is a rule that FromGramian refuses.
type coordinateReader interface{ readsCoordinates() }

// Preference says in a sentence where a preference leads: a share r₁ or p₁ of two objectives, or a share of each.
type Preference struct{ OfTwo, OfMany string }

// Promises are the properties a rule has with its default parameters, on every
// finite input on which its status is not NoSolution. All rules promise a finite
// result and a direction of exact zeros where every gradient is zero.
type Promises struct {
	Weights        bool // there are weights, not only a direction
	Combination    bool // the direction is Gᵀ·Weights
	Effective      bool // at every decision the direction is Gᵀ·Effective, so that coefficients can be held for other steps
	Simplex        bool // the weights are at least 0 and have sum 1
	Permutation    bool // the order of the objectives does not matter
	NonConflicting bool // subtracting the direction increases no objective to first order
	Homogeneous    bool // multiplying all gradients by c > 0 multiplies the direction by c
}

// Methods are all rules, in the order in which they are offered.
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

// Lookup returns the method called name.
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
	Seed       uint64 // of the run
	Start      int    // number of the start within the run
	// LowerBounds are strictly below every value of each objective, if the problem states such
	// bounds; otherwise nil.
	LowerBounds []float64
}

// Constructor makes a rule with the current values of its parameters. An error names the
// parameter, its value and what is allowed.
type Constructor func(Context) (algo.Weighting, error)

// Bind adds the method's parameters, with their defaults, to l and returns the constructor
// that reads them. Their names begin with prefix: "" on the command line of weigh, for instance
// "cagrad." in a scene with several methods.
func (m Method) Bind(l *param.List, prefix string) Constructor {
	return m.configure(&scope{list: l, prefix: prefix, method: m.Name})
}

// BindAll is Bind for callers that also need the parameters by which other libraries decide differently, such as the
// initial log-variance of UW. Bind leaves these out: scenes have no use for them. New takes all, and so does the
// command line's weigh.
func (m Method) BindAll(l *param.List) Constructor {
	return m.configure(&scope{list: l, method: m.Name, all: true})
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
	all    bool // bind the parameters of BindAll too
}

// describe completes d for its method.
func (s *scope) describe(d param.Descriptor) param.Descriptor {
	d.Name = s.prefix + d.Name
	d.Method = s.method
	return d
}
