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
	// Coordinates says that the rule reads the gradients' coordinates. All others look at lengths and
	// angles alone, so that a Gramian is enough: see FromGramian.
	Coordinates bool

	configure func(*scope) Constructor
}

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
	{
		Name: "ls", Title: "Linear scalarization", Paper: "—",
		Help:      "Fixed weights, here equal ones.",
		Needs:     algo.Needs{Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureLS,
	},
	{
		Name: "rlw", Title: "Random loss weighting", Paper: "Lin et al. 2022, section 3",
		Help:      "Weights drawn anew in every iteration, whatever the gradients are.",
		Needs:     algo.Needs{Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Homogeneous: true},
		configure: configureRLW,
	},
	{
		Name: "si", Title: "Scale invariant", Paper: "Navon et al. 2022, section 5",
		Help:      "Follows the gradient of the sum of the logarithms of the losses, which must be positive.",
		Needs:     algo.Needs{Losses: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureSI,
	},
	{
		Name: "dwa", Title: "Dynamic weight average", Paper: "Liu, Johns & Davison 2019, equation 7",
		Help:      "Gives more weight to objectives whose losses fall slowly.",
		Needs:     algo.Needs{Losses: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureDWA,
	},
	{
		Name: "uw", Title: "Uncertainty weighting", Paper: "Kendall, Gal & Cipolla 2018, equation 7",
		Help:      "Learns a log-variance for each objective and weights by its inverse variance.",
		Needs:     algo.Needs{Losses: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureUW,
	},
	{
		Name: "mgda", Title: "MGDA", Paper: "Désidéri 2012; Sener & Koltun 2018, equation (3)",
		Help: "The shortest vector in the convex hull of the gradients.",
		Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, NonConflicting: true,
			Homogeneous: true},
		configure: configureMGDA,
	},
	{
		Name: "smg", Title: "SMG", Paper: "Liu & Vicente 2021, Algorithm 2",
		Help: "MGDA on batches that grow by a fixed number of examples in every step.",
		Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, NonConflicting: true,
			Homogeneous: true},
		configure: configureSMG,
	},
	{
		Name: "pcgrad", Title: "PCGrad", Paper: "Yu et al. 2020, Algorithm 1",
		Help:      "Projects each gradient off those that it conflicts with, one after the other, and adds the results.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Homogeneous: true},
		configure: configurePCGrad,
	},
	{
		Name: "gradvac", Title: "GradVac", Paper: "Wang et al. 2021, equations (2) and (3)",
		Help:      "Raises the cosine between each pair of gradients to the one they usually have.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Homogeneous: true},
		configure: configureGradVac,
	},
	{
		Name: "graddrop", Title: "GradDrop", Paper: "Chen et al. 2020, Algorithm 1",
		Help:        "Keeps in each coordinate only the entries of one sign, drawn by how much they outweigh the others.",
		Needs:       algo.Needs{Jacobian: true},
		Promises:    Promises{Permutation: true, Homogeneous: true},
		Coordinates: true,
		configure:   configureGradDrop,
	},
	{
		Name: "cagrad", Title: "CAGrad", Paper: "Liu et al. 2021, Algorithm 1",
		Help:      "Of all directions near the mean gradient the one that serves the worst-served objective best.",
		Promises:  Promises{Weights: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureCAGrad,
	},
	{
		Name: "imtlg", Title: "IMTL-G", Paper: "Liu et al. 2021 (ICLR), section 3.1",
		Help:      "The direction with equal projections on all unit gradients.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureIMTLG,
	},
	{
		Name: "nashmtl", Title: "Nash-MTL", Paper: "Navon et al. 2022, Claim 3.1",
		Help:      "The Nash bargaining solution, whatever the scale of each gradient.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true},
		configure: configureNashMTL,
	},
	{
		Name: "famo", Title: "FAMO", Paper: "Liu et al. 2023, Algorithm 1",
		Help:      "Lets the logarithms of all losses fall at equal rates, from the losses before and after each step alone.",
		Needs:     algo.Needs{Losses: true, After: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureFAMO,
	},
	{
		Name: "fairgrad", Title: "FairGrad", Paper: "Ban & Ji 2024, Algorithm 1",
		Help:      "The α-fair allocation of progress among the objectives.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true},
		configure: configureFairGrad,
	},
	{
		Name: "sdmgrad", Title: "SDMGrad", Paper: "Xiao, Ban & Ji 2023, equation 5 and Algorithm 1",
		Help:      "MGDA drawn to the mean gradient.",
		Promises:  Promises{Weights: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureSDMGrad,
	},
	{
		Name: "moco", Title: "MoCo", Paper: "Fernando et al. 2023, Algorithm 1",
		Help:      "Tracks the gradients to average out their noise, and moves the weights a step at a time.",
		Needs:     algo.Needs{Jacobian: true},
		Promises:  Promises{Weights: true, Simplex: true, Permutation: true},
		configure: configureMoCo,
	},
	{
		Name: "modo", Title: "MoDo", Paper: "Chen et al. 2024, Algorithm 1",
		Help:      "Moves the weights a step at a time by two independent samples of the gradients.",
		Needs:     algo.Needs{Extra: 2},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true},
		configure: configureMoDo,
	},
	{
		Name: "upgrad", Title: "UPGrad", Paper: "Quinton & Rey 2024, section 3",
		Help:      "The mean of the gradients, each projected so that it conflicts with no objective.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true, Homogeneous: true},
		configure: configureUPGrad,
	},
	{
		Name: "alignedmtl", Title: "Aligned-MTL", Paper: "Senushkin et al. 2023, Algorithm 1",
		Help:      "Gives the principal components of the gradients the same length.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureAlignedMTL,
	},
	{
		Name: "epo", Title: "EPO", Paper: "Mahapatra & Rajan 2020, Algorithm 1",
		Help:      "Moves to the Pareto-optimal point at which the losses have given ratios.",
		Needs:     algo.Needs{Losses: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureEPO,
	},
	{
		Name: "config", Title: "ConFIG", Paper: "Liu, Chu & Thuerey 2024, equation (2)",
		Help:      "The direction with equal products with all unit gradients, as long as the gradients are along it together.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureConFIG,
	},
	{
		Name: "dualproj", Title: "DualProj", Paper: "Lopez-Paz & Ranzato 2017 (GEM), equations (10) and (11)",
		Help:      "The mean gradient, moved as little as it takes to conflict with no objective.",
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true, Homogeneous: true},
		configure: configureDualProj,
	},
	{
		Name: "gls", Title: "GLS", Paper: "Chennupati et al. 2019, equation (2)",
		Help:      "Follows the gradient of the geometric mean of the losses, which must be positive.",
		Needs:     algo.Needs{Losses: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		configure: configureGLS,
	},
	{
		Name: "stch", Title: "STCH", Paper: "Lin et al. 2024, equation (9)",
		Help:      "Follows the gradient of a smooth maximum of the losses.",
		Needs:     algo.Needs{Losses: true, Blind: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
		configure: configureSTCH,
	},
	{
		Name: "epsilon", Title: "ε-constraint", Paper: "Haimes, Lasdon & Wismer 1971; Allibhoy & Cortés 2024",
		Help:      "Minimises one objective and keeps each other below a limit.",
		Needs:     algo.Needs{Losses: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true},
		configure: configureEpsilon,
	},
	{
		Name: "dbmtl", Title: "DB-MTL", Paper: "Lin et al. 2023, Algorithm 1",
		Help:      "Averages the gradients of the logarithms of the losses, which must be positive, and makes all as long as the longest.",
		Needs:     algo.Needs{Jacobian: true, Losses: true},
		Promises:  Promises{Weights: true, Permutation: true, Homogeneous: true},
		configure: configureDBMTL,
	},
	{
		Name: "gradnorm", Title: "GradNorm", Paper: "Chen et al. 2018, equation (2) and Algorithm 1",
		Help:      "Learns weights that lengthen the gradients of objectives whose losses, which must be positive, fall slowly.",
		Needs:     algo.Needs{Losses: true},
		Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true},
		configure: configureGradNorm,
	},
	{
		Name: "excessmtl", Title: "ExcessMTL", Paper: "He et al. 2024, Algorithm 1",
		Help:        "Gives more weight to objectives that, by their gradients, can still fall far.",
		Needs:       algo.Needs{Jacobian: true},
		Promises:    Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
		Coordinates: true,
		configure:   configureExcessMTL,
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
// that reads them. They come without labels and help, which belong to whoever shows them;
// param.List.Describe adds them. Their names begin with prefix: "" on the command line of
// weigh, for instance "cagrad." in a scene with several methods.
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

// describe completes d for its method.
func (s *scope) describe(d param.Descriptor) param.Descriptor {
	d.Name = s.prefix + d.Name
	d.Method = s.method
	return d
}
