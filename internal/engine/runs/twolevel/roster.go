package twolevel

import (
	"slices"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// Roster is the family on one problem: the methods that run, and their settings. Its fields are bound to a scene's
// parameters.
type Roster struct {
	*runs.Roster[*Course]
	runs.Settings

	T              int     // number of steps in the lower level's loop
	Eta            float64 // step size of the loop
	Warm           bool    // whether the loop starts from ω_k instead of ω_0
	LowerOptimizer string

	Mu             float64 // step size of α, in the upper level
	MuOmega        float64 // step size of ω; 0 means Mu
	UpperOptimizer string
	HeavyBall      float64 // momentum of each optimizer that is a heavy ball

	Rho          float64 // FORUM's pull of the constraint
	BetaSchedule string
	Multiplier   string
	Variant      string
	Epoch        int // number of steps in an epoch of the released variant

	Weighting string // rule with which MOML weights the hypergradients
	Mode      string // mode of differentiation

	Beta, Gamma float64 // MoCo's parameters
	Decay       string
	MoCoRho     float64

	BOMERho float64
	BVFIM   bilevel.BVFIMConfig // BVFIM's constants
}

// New returns the settings of the paper's experiment on problem (24), for the offered methods. The argument on lists
// the methods that run.
func New(offered []string, on ...string) *Roster {
	r := &Roster{
		T: 50, Eta: 0.05, Warm: true, LowerOptimizer: string(descent.Plain),
		Mu: 0.3, UpperOptimizer: string(descent.Plain), HeavyBall: 0.9,
		Rho: 0.3, BetaSchedule: string(bilevel.PublishedAveraging), Multiplier: string(bilevel.AsPublished),
		Variant: string(bilevel.Paper), Epoch: 1,
		Weighting: "mgda", Mode: string(bilevel.Reverse),
		Beta: 0.5, Gamma: 0.1, Decay: "0",
		BOMERho: bilevel.DefaultBOMERho, BVFIM: bilevel.DefaultBVFIM(bilevel.BVFIMConfig{}),
	}
	r.Speed, r.Axis = "10", kinds.Iterations
	family := slices.DeleteFunc(r.family(), func(m runs.Method[*Course]) bool { return !m.Beside && !slices.Contains(offered, m.ID) })
	r.Roster = runs.New(family, nil, on...)
	runs.Live(r.Roster, "T", func(s bilevel.Stepper, value float64) error { return s.SetLoop(int(value), s.Loop().StepSize) })
	runs.Live(r.Roster, "eta", func(s bilevel.Stepper, value float64) error { return s.SetLoop(s.Loop().Steps, value) })
	runs.Live(r.Roster, "mu", bilevel.Stepper.SetStepSize)
	runs.Live(r.Roster, "rho", (*bilevel.FORUM).SetRho)
	return r
}

// BindMethods binds "method", the choice of methods.
func (r *Roster) BindMethods(l *param.List) {
	r.Roster.BindMethods(l, 0, "The methods to compare. All run from the same start points.")
}

// optimizers returns the options for the optimizers of both levels.
func optimizers() []param.Option {
	return []param.Option{
		{Value: string(descent.Plain), Label: "plain", Help: "The direction is used as it is."},
		{Value: string(descent.HeavyBall), Label: "heavy ball", Help: "Keeps part of its previous velocity: v ← βv + direction (Polyak 1964)."},
		{Value: string(descent.Adam), Label: "Adam", Help: "Adam with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma & Ba 2015)."},
	}
}

// BindLoop binds the settings of the lower level's loop: T, eta, warm and the loop's optimizer.
func (r *Roster) BindLoop(l *param.List) {
	l.Integer(&r.T, param.Descriptor{Name: "T", Symbol: "T", Label: "Lower-level steps", Min: 1, Max: 256, Step: 1, Scale: param.Log,
		Effect: param.Live,
		Unit:   "steps", Help: "How many gradient steps the lower level’s loop takes for every step of the upper level. More steps come " +
			"closer to the minimum of f, but cost more. (FORUM, Algorithm 1.)"})
	l.Number(&r.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Lower step size", Min: 0.0001, Max: 10, Scale: param.Log,
		Effect: param.Live,
		Help: "How far each step of the lower level’s loop goes: ω̃ ← ω̃ − η ∇f. For η above 2 divided by the largest curvature of f, the loop " +
			"diverges."})
	l.Bool(&r.Warm, param.Descriptor{Name: "warm", Label: "Warm start",
		Help: "If on, every loop starts from the current ω. If off, every loop starts from the run’s first ω. If T steps from the first ω " +
			"do not reach the minimum of f, ω can be better than ω̃. Then q̃ is negative, and FORUM, BOME and BVFIM may be misled."})
	l.Choice(&r.LowerOptimizer, param.Descriptor{Name: "loweroptimizer", Label: "Lower optimizer", Options: optimizers(),
		Help: "How the lower level’s loop transforms its gradients. Every loop starts without velocity. MOML and MoCo always use plain " +
			"gradient steps, through which they differentiate."})
}

// BindUpper binds the settings of a step in the upper level: mu, muomega and the level's optimizer.
func (r *Roster) BindUpper(l *param.List) {
	l.Number(&r.Mu, param.Descriptor{Name: "mu", Symbol: "μ", Label: "Upper step size", Min: 0.0001, Max: 100, Scale: param.Log,
		Effect: param.Live,
		Help: "How far a step of the upper level goes. FORUM moves α and ω with this step size; MOML and MoCo move only α. (FORUM, " +
			"Algorithm 1.)"})
	l.Number(&r.MuOmega, param.Descriptor{Name: "muomega", Symbol: "μ_ω", Label: "Upper step size of ω", Min: 0, Max: 10, Step: 0.01,
		Help: "The step size with which FORUM and BOME move ω. At 0, they use μ. The other methods move only α."})
	l.Choice(&r.UpperOptimizer, param.Descriptor{Name: "upperoptimizer", Label: "Upper optimizer", Options: optimizers(),
		Help: "How the upper level’s direction is transformed before it is scaled by μ."})
	heavyBall := []string{string(descent.HeavyBall)}
	l.Number(&r.HeavyBall, param.Descriptor{Name: "heavyball.beta", Symbol: "β", Label: "Heavy ball’s momentum", Min: 0, Max: 0.99, Step: 0.01,
		Only: &param.Only{Name: "loweroptimizer", Values: heavyBall, Or: &param.Only{Name: "upperoptimizer", Values: heavyBall}},
		Help: "The share of the previous velocity that the heavy ball keeps, in each level where it is selected. At 0, steps are plain."})
}

// levels returns the step settings of both levels. Methods that move only α ignore the step size of ω. Methods that
// differentiate the loop ignore its optimizer.
func (r *Roster) levels() (bilevel.Loop, bilevel.Upper) {
	lower := runs.Optimizing{Optimizer: r.LowerOptimizer, Beta: r.HeavyBall}
	upper := runs.Optimizing{Optimizer: r.UpperOptimizer, Beta: r.HeavyBall}
	return bilevel.Loop{Steps: r.T, StepSize: r.Eta, Fixed: !r.Warm, Optimizer: lower.Chosen()},
		bilevel.Upper{StepSize: r.Mu, OmegaStepSize: r.MuOmega, Optimizer: upper.Chosen()}
}
