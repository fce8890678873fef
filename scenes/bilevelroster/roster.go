// Package bilevelroster is the methods that run on a problem with two levels:
// which there are, how they are set, their runs from shared starts, and what live
// changes do to them. Scenes bind it into their parameters and keep to pictures.
package bilevelroster

import (
	"fmt"
	"slices"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/scenes/roster"
)

// Names of the methods.
const (
	FORUM      = "forum"
	FORUMExact = "forumexact" // FORUM's runs with the exact dual, beside those as published
	MOML       = "moml"
	MoCo       = "moco"
	BOME       = "bome"
	BVFIM      = "bvfim"
	NoCleaning = "nocleaning"
)

// methods are all of them, in the order of lists and legends.
var methods = []param.Method{
	{ID: FORUM, Title: "FORUM", Paper: "FORUM, Algorithm 1", Help: "Takes the lower level as the constraint q(z) ≤ 0 and steps in α and ω at once, by gradients only."},
	{ID: FORUMExact, Title: "FORUM, exact dual", Paper: "FORUM, problem (7)", Help: "FORUM with the multiplier of the exact dual, φ in π where the paper prints 2φ."},
	{ID: MOML, Title: "MOML", Paper: "Ye et al. 2021, Algorithm 1", Help: "Differentiates through the lower level’s loop, by Hessian-vector products, and weighs the hypergradients as MGDA does."},
	{ID: MoCo, Title: "MoCo", Paper: "Fernando et al. 2023", Help: "Differentiates as MOML does, averages the hypergradients over time, and moves the weights a step at a time."},
	{ID: BOME, Title: "BOME", Paper: "Liu et al. 2022, Algorithm 1", Help: "First-order, for one upper objective: here the mean of all. It stays with equal weights."},
	{ID: BVFIM, Title: "BVFIM", Paper: "Liu et al. 2021, Algorithm 1", Help: "First-order, for one upper objective, here the mean of all: a barrier keeps the lower objective below its regularised minimum, and shrinks."},
	{ID: NoCleaning, Title: "No cleaning", Paper: "training on all labels alike", Help: "Only the lower level’s loop runs: every training sample keeps its weight."},
}

// AllMethods returns every method, in the order of lists and legends. The caller
// does not modify the slice.
func AllMethods() []param.Method { return methods }

// Methods returns the named methods, in the order of lists and legends.
func Methods(names ...string) []param.Method {
	return slices.DeleteFunc(slices.Clone(methods), func(m param.Method) bool { return !slices.Contains(names, m.ID) })
}

// title is the name of a method on screen.
func title(method string) string {
	for _, m := range methods {
		if m.ID == method {
			return m.Title
		}
	}
	panic(fmt.Sprintf("bilevelroster: %q is no method", method))
}

// multiplierBoth is the choice of FORUM's runs with either multiplier.
const multiplierBoth = "both"

// Differs says on a page where FORUM's published multiplier departs from the dual
// of its own problem.
const Differs = "The paper’s equations (9) and (17) print 2φ where the exact dual of its problem (7) has φ. Its published code and its experiments do as printed, and so does the default here."

// Roster is which methods run and how they are set. Its fields are bound to the
// parameters of a scene.
type Roster struct {
	On []string // the methods that run, in the order of lists

	T              int     // steps of the lower level's loop
	Eta            float64 // their size
	Warm           bool    // the loop starts from ω_k, not from ω_0
	LowerOptimizer string

	Mu             float64 // the upper level's step size, of α
	MuOmega        float64 // that of ω, 0 for μ
	UpperOptimizer string

	Rho          float64 // FORUM's
	BetaSchedule string
	Multiplier   string

	Weighting string // MOML's
	Mode      string // of differentiation

	Beta, Gamma float64 // MoCo's
	Decay       string
	MoCoRho     float64

	BOMERho float64
	BVFIM   bilevel.BVFIMConfig // its own constants

	roster.Pace

	constructors map[string]weighting.Constructor
}

// New returns the settings of the paper's experiment on problem (24), with the
// given methods running.
func New(on ...string) Roster {
	return Roster{
		On: on,
		T:  50, Eta: 0.05, Warm: true, LowerOptimizer: descent.Plain.String(),
		Mu: 0.3, UpperOptimizer: descent.Plain.String(),
		Rho: 0.3, BetaSchedule: bilevel.PublishedAveraging.String(), Multiplier: bilevel.AsPublished.String(),
		Weighting: "mgda", Mode: bilevel.Reverse.String(),
		Beta: 0.5, Gamma: 0.1, Decay: "0",
		BOMERho: bilevel.DefaultBOMERho, BVFIM: bilevel.DefaultBVFIM(bilevel.BVFIMConfig{}),
		Pace: roster.Pace{Speed: "10", Axis: roster.Iterations},
	}
}

// BindMethods binds the choice among the offered methods, "method".
func (r *Roster) BindMethods(l *param.List, offered ...string) {
	var options []param.Option
	for _, m := range Methods(offered...) {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Set(&r.On, param.Descriptor{Name: "method", Label: "Methods", Options: options, AtLeast: 1, Effect: param.Rerun,
		Help: "Which methods run, all from the same start points."})
}

// optimizers are what either level may make of its directions.
func optimizers() []param.Option {
	return []param.Option{
		{Value: descent.Plain.String(), Label: "plain", Help: "The direction itself."},
		{Value: descent.HeavyBall.String(), Label: "heavy ball", Help: "v ← 0.9 v + direction (Polyak 1964)."},
		{Value: descent.Adam.String(), Label: "Adam", Help: "Adam with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma & Ba 2015)."},
	}
}

const heavyBallBeta = 0.9

func optimizer(name string) (descent.Optimizer, error) {
	kind, err := descent.ParseOptimizerKind(name)
	if err != nil {
		return descent.Optimizer{}, err
	}
	switch kind {
	case descent.Adam:
		return descent.DefaultAdam(), nil
	case descent.HeavyBall:
		return descent.Optimizer{Kind: kind, Beta: heavyBallBeta}, nil
	}
	return descent.Optimizer{Kind: kind}, nil
}

// BindLoop binds the lower level's loop: T, eta, warm and its optimizer.
func (r *Roster) BindLoop(l *param.List) {
	l.Integer(&r.T, param.Descriptor{Name: "T", Symbol: "T", Label: "Lower-level steps", Min: 1, Max: 256, Step: 1, Scale: param.Log, Effect: param.Live,
		Unit: "steps", Help: "How many gradient steps the lower level’s loop makes for every step of the upper level. (FORUM, Algorithm 1.)"})
	l.Number(&r.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Lower step size", Min: 0.0001, Max: 10, Scale: param.Log, Effect: param.Live,
		Help: "The step size of the lower level’s loop: ω̃ ← ω̃ − η ∇f. Where it exceeds 2 divided by the largest curvature of f the loop diverges."})
	l.Bool(&r.Warm, param.Descriptor{Name: "warm", Label: "Warm start",
		Help: "The loop starts from the current ω; otherwise from the first one, every time. Where T steps from there do not reach the bottom, ω can be better than ω̃, q̃ is negative, and FORUM, BOME and BVFIM may go astray."})
	l.Choice(&r.LowerOptimizer, param.Descriptor{Name: "loweroptimizer", Label: "Lower optimizer", Options: optimizers(),
		Help: "What the lower level’s loop makes of its gradients, at rest at the start of every loop. MOML and MoCo differentiate plain gradient steps and keep to them."})
}

// BindUpper binds the step of the upper level: mu, muomega and its optimizer.
func (r *Roster) BindUpper(l *param.List) {
	l.Number(&r.Mu, param.Descriptor{Name: "mu", Symbol: "μ", Label: "Upper step size", Min: 0.0001, Max: 100, Scale: param.Log, Effect: param.Live,
		Help: "The step size of the upper level: FORUM moves α and ω with it, MOML and MoCo α alone. (FORUM, Algorithm 1.)"})
	l.Number(&r.MuOmega, param.Descriptor{Name: "muomega", Symbol: "μ_ω", Label: "Upper step size of ω", Min: 0, Max: 10, Step: 0.01,
		Help: "The step size of ω where FORUM and BOME move it; 0 takes μ. The others step in α alone."})
	l.Choice(&r.UpperOptimizer, param.Descriptor{Name: "upperoptimizer", Label: "Upper optimizer", Options: optimizers(),
		Help: "What is made of the upper level’s direction before it is multiplied with μ."})
}

// BindOwn binds the parameters that belong to one method each.
func (r *Roster) BindOwn(l *param.List) {
	l.Number(&r.Rho, param.Descriptor{Name: "rho", Symbol: "ρ", Label: "Pull of the constraint", Min: 0, Max: 1, Step: 0.01, Effect: param.Live, Method: FORUM,
		Help: "How fast q̃ is asked to fall: FORUM’s step lowers it at least at the rate φ = (ρ/2)‖∇q̃‖². (FORUM, problem (7).)"})
	averagings := make([]param.Option, 0, len(bilevel.Averagings()))
	for _, a := range bilevel.Averagings() {
		averagings = append(averagings, param.Option{Value: a.String(), Label: averagingLabels[a]})
	}
	l.Choice(&r.BetaSchedule, param.Descriptor{Name: "betaschedule", Symbol: "βₖ", Label: "Averaging of the weights", Options: averagings, Method: FORUM,
		Help: "The share βₖ of the new weights in λ̃ ← (1 − βₖ) λ̃ + βₖ λ. (FORUM, Algorithm 1.)"})
	l.Choice(&r.Multiplier, param.Descriptor{Name: "multiplier", Symbol: "ν", Label: "Multiplier", Method: FORUM,
		Help: "How the multiplier of the constraint follows from the weights. " + Differs,
		Options: []param.Option{
			{Value: bilevel.AsPublished.String(), Label: "as published", Help: "π = (2φ − ⟨∇q̃, ∇F⟩)/‖∇q̃‖²: twice the pull that problem (7) asks for."},
			{Value: bilevel.ExactDual.String(), Label: "exact dual", Help: "π = (φ − ⟨∇q̃, ∇F⟩)/‖∇q̃‖²: the dual of problem (7)."},
			{Value: multiplierBoth, Label: "both, side by side", Help: "FORUM runs twice from every start."},
		}})

	var rules []param.Option
	r.constructors = map[string]weighting.Constructor{}
	for _, m := range weighting.Methods {
		// The rules keep the parameters of their own that they have by default.
		r.constructors[m.Name] = m.Bind(new(param.List), "")
		rules = append(rules, param.Option{Value: m.Name, Label: m.Title, Help: m.Help, Folded: m.Name != "mgda"})
	}
	l.Choice(&r.Weighting, param.Descriptor{Name: "moml.weighting", Label: "MOML’s weighting", Method: MOML, Options: rules,
		Help: "The rule that weighs the hypergradients. MOML’s is MGDA; any other will do."})
	l.Choice(&r.Mode, param.Descriptor{Name: "mode", Label: "Differentiation", Effect: param.Restart,
		Help: "How MOML and MoCo differentiate the lower level’s loop. The numbers agree, the costs differ.",
		Options: []param.Option{
			{Value: bilevel.Reverse.String(), Label: "reverse", Help: "Stores the loop’s points and goes back through them once for each objective: m·T Hessian-vector products."},
			{Value: bilevel.Forward.String(), Label: "forward", Help: "Carries the derivative by α along: n·T Hessian-vector products, and memory that does not grow with T."},
		}})

	l.Number(&r.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "MoCo’s tracking", Min: 0.001, Max: 1, Scale: param.Log, Method: MoCo,
		Help: "The share of the new hypergradients in those that MoCo tracks. (Fernando et al. 2023.)"})
	l.Number(&r.Gamma, param.Descriptor{Name: "gamma", Symbol: "γ", Label: "MoCo’s weight step", Min: 0.0001, Max: 10, Scale: param.Log, Method: MoCo,
		Help: "The step size of MoCo’s weights."})
	l.Choice(&r.Decay, param.Descriptor{Name: "decay", Label: "MoCo’s decay", Method: MoCo,
		Options: []param.Option{{Value: "0", Label: "none"}, {Value: "0.5", Label: "β and γ fall as 1/√(k+1)"}},
		Help:    "Whether β and γ fall with the iteration."})
	l.Number(&r.MoCoRho, param.Descriptor{Name: "moco.rho", Symbol: "ρ", Label: "MoCo’s regularization", Min: 0, Max: 1, Step: 0.01, Method: MoCo,
		Help: "Draws MoCo’s weights towards equal ones."})

	l.Number(&r.BOMERho, param.Descriptor{Name: "bome.rho", Symbol: "ρ", Label: "BOME’s pull", Min: 0, Max: 5, Step: 0.01, Method: BOME,
		Help: "How fast BOME asks q̃ to fall: φ = ρ‖∇q̃‖². (Liu et al. 2022.)"})
	for _, p := range []struct {
		field             *float64
		name, sign, label string
		least, most       float64
		help              string
	}{
		{&r.BVFIM.Regularization, "mu1", "μ₁", "BVFIM’s regularization", 0.0001, 10, "The weight of ‖ω‖² in the lower level’s regularised minimum."},
		{&r.BVFIM.Offset, "mu2", "μ₂", "BVFIM’s offset", 0.0001, 10, "How far above the regularised minimum the barrier stands."},
		{&r.BVFIM.Theta, "theta", "θ", "BVFIM’s upper regularization", 0.0001, 10, "The weight of ‖ω‖² beside the upper objective."},
		{&r.BVFIM.Tau, "tau", "τ", "BVFIM’s barrier", 0.0001, 10, "The weight of the barrier −ln(f_reg − f)."},
		{&r.BVFIM.Shrink, "shrink", "r", "BVFIM’s decay", 0.5, 1, "What the four are multiplied by after every step."},
	} {
		l.Number(p.field, param.Descriptor{Name: "bvfim." + p.name, Symbol: p.sign, Label: p.label, Min: p.least, Max: p.most, Scale: param.Log, Method: BVFIM, Help: p.help})
	}
}

var averagingLabels = map[bilevel.Averaging]string{
	bilevel.PublishedAveraging:  "(k+1)^(−3/4), the paper’s",
	bilevel.SquareRootAveraging: "(k+1)^(−1/2)",
	bilevel.MeanAveraging:       "1/(k+1), the mean of all",
	bilevel.NoAveraging:         "1, none",
}
