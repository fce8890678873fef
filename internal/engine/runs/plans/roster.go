package plans

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// Roster is the family on one problem: the methods that run, and their settings. Its fields are bound to a scene's
// parameters.
type Roster struct {
	*runs.Roster[*Course]
	runs.Settings

	Eta         float64
	K           int    // number of steps with the same plan
	Step        string // a transport.StepKind
	WeightDecay float64
	Scale       string // a transport.Scale

	Tau         float64 // in units of the mean loss
	Curriculum  string  // a transport.Curriculum
	Temperature float64
	A, B        []float64 // the marginals; empty for equal shares

	Solver string // Exact, IPOT or Sinkhorn
	Eps    float64
	Beta   float64
	Limit  int // maximum number of rounds of Sinkhorn and IPOT; 0 means no limit

	Mixtures         int // number of MosT-E's mixtures
	Shape            float64
	WithoutOriginals bool // whether the mixtures omit the objectives themselves, which otherwise come first

	Repulsion float64 // MOO-SVGD's repulsion

	ProxMu float64 // FedProx's μ
	Near   float64 // FedMGDA+'s ε
}

// Names of the transport solvers.
const (
	Exact    = "exact"
	IPOT     = "ipot"
	Sinkhorn = "sinkhorn"
)

// New returns settings for the offered methods. The argument on lists the methods that run. There is no curriculum, τ
// has the paper's value, and the scale makes steps as long as in methods without a plan.
func New(offered []string, on ...string) *Roster {
	r := &Roster{
		Eta: 0.2, K: 1, Step: string(transport.PlainStep), Scale: string(transport.ColumnCount),
		Tau: transport.DefaultTau, Curriculum: string(transport.ConstantMarginals), Temperature: 1,
		Solver: Exact, Eps: transport.DefaultEpsilon, Beta: transport.DefaultBeta,
		Mixtures: 20, Shape: 1, Repulsion: descent.DefaultRepulsion,
		ProxMu: 1, Near: 0.1,
	}
	r.Speed, r.Axis = "30", kinds.Rounds
	family := slices.DeleteFunc(r.family(), func(m runs.Method[*Course]) bool { return !slices.Contains(offered, m.ID) })
	r.Roster = runs.New(family, nil, on...)
	runs.Live(r.Roster, "eta", stepSized.SetStepSize)
	runs.Live(r.Roster, "tau", (*transport.MosT).SetTau, withPlan(WithoutR)...)
	return r
}

// stepSized is implemented by the steppers of all methods in this package.
type stepSized interface{ SetStepSize(eta float64) error }

// BindMethods binds "method", the choice of methods.
func (r *Roster) BindMethods(l *param.List) {
	r.Roster.BindMethods(l, 0, "The methods to run, all from the same start points. Each method moves all solutions together.")
}

// BindStepSettings binds the settings of a step: eta and K.
func (r *Roster) BindStepSettings(l *param.List) {
	l.Number(&r.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.0001, Max: 5, Scale: param.Log, Effect: param.Live,
		Help: "How far one step goes: θ ← θ − η·direction. (Algorithm 1, line 5.)"})
	l.Integer(&r.K, param.Descriptor{Name: "K", Symbol: "K", Label: "Steps per plan", Min: 1, Max: 20, Step: 1, Effect: param.Rerun,
		Unit: "steps", Help: "The number of steps that each solution takes before a new plan is made. Methods without a plan take the same " +
			"number, except MOO-SVGD, which takes one. The paper does not give a number; our default is 1. (Algorithm 1, line 4.)"})
}

// BindStepKind binds "step", the kind of step.
func (r *Roster) BindStepKind(l *param.List) {
	l.Choice(&r.Step, param.Descriptor{Name: "step", Label: "Step", Effect: param.Rerun,
		Help: "How a step is computed from a direction.",
		Options: []param.Option{
			{Value: string(transport.PlainStep), Label: "plain", Help: "The step follows the direction itself, as in the paper."},
			{Value: string(transport.SignStep), Label: "signs", Help: "Each objective’s gradient is replaced by its signs. This equals the first " +
				"step of Adam, which the published code restarts for every objective in every round. MOO-SVGD has one direction per solution and " +
				"uses Adam’s steps."},
			{Value: string(transport.AdamStep), Label: "Adam", Help: "Adam with its usual constants computes a step from each solution’s " +
				"direction (Kingma & Ba 2015)."},
		}})
}

// BindScale binds "scale", the divisor of a direction.
func (r *Roster) BindScale(l *param.List) {
	l.Choice(&r.Scale, param.Descriptor{Name: "scale", Label: "Scale of the directions", Effect: param.Rerun,
		Help: "How directions are scaled. A plan’s masses sum to 1, so directions weighted by them are short. The choice does not affect " +
			"MosT(L), whose weights sum to 1, or methods without a plan.",
		Options: []param.Option{
			{Value: string(transport.Column), Label: "by mass", Help: "Divides by the solution’s mass, the sum of its column. Steps are shorter " +
				"the more objectives the solution serves."},
			{Value: string(transport.ColumnCount), Label: "by mean mass", Help: "Divides by the mean mass of the objectives that the solution " +
				"serves. Steps are as long as in methods without a plan."},
			{Value: string(transport.Raw), Label: "as printed", Help: "No division, as printed in Algorithm 1."},
		}})
}

// BindTransport binds the settings that determine how plans are computed: tau, solver, eps and beta.
func (r *Roster) BindTransport(l *param.List) {
	l.Number(&r.Tau, param.Descriptor{Name: "tau", Symbol: "τ", Label: "Reward: one solution per objective", Min: 0, Max: 2, Step: 0.01,
		Effect: param.Live, Unit: "mean losses",
		Help: "The weight of R(Γ) = −Σᵢ maxⱼ Γᵢⱼ in the plan’s cost, in units of the mean loss of the round. 0 ignores this term; large " +
			"values push each objective towards a single solution. (Equation (5).)"})
	l.Choice(&r.Solver, param.Descriptor{Name: "solver", Label: "Transport", Effect: param.Rerun,
		Help: "The solver that finds the plan of every round.",
		Options: []param.Option{
			{Value: Exact, Label: "exact", Help: "A network simplex method. Its plans have at most n + m − 1 positive masses."},
			{Value: IPOT, Label: "IPOT", Help: "Proximal steps (Xie et al. 2020), the paper’s choice. They end near an exact plan with traces " +
				"of mass elsewhere. These traces affect MGDA’s weights, but hardly MosT(L)’s."},
			{Value: Sinkhorn, Label: "Sinkhorn", Help: "An entropy term blurs the plan (Cuturi 2013): every solution serves every objective a " +
				"little."},
		}})
	l.Number(&r.Eps, param.Descriptor{Name: "eps", Symbol: "ε", Label: "Sinkhorn’s blur", Min: 0.001, Max: 10, Scale: param.Log,
		Effect: param.Rerun, Unit: "ranges of the losses",
		Only: &param.Only{Name: "solver", Values: []string{Sinkhorn}},
		Help: "The weight of the entropy in Sinkhorn’s cost, in units of the losses’ range. Larger values blur the plan more."})
	l.Number(&r.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "IPOT’s proximal weight", Min: 0.001, Max: 10, Scale: param.Log,
		Effect: param.Rerun, Unit: "ranges of the losses",
		Only: &param.Only{Name: "solver", Values: []string{IPOT}},
		Help: "The weight of the distance from the previous plan in each of IPOT’s steps, in units of the losses’ range. All values lead to " +
			"nearly the same plan."})
}

// BindCurriculum binds the settings for the change of the marginals during a run: curriculum and temperature.
func (r *Roster) BindCurriculum(l *param.List) {
	paperOnly := &param.Only{Name: "curriculum", Values: []string{string(transport.PaperCurriculum)}}
	l.Choice(&r.Curriculum, param.Descriptor{Name: "curriculum", Label: "Curriculum", Effect: param.Rerun,
		Help: "How the marginals change over the budget, with s falling from 1 to 0. The paper does not define performance-based marginals; " +
			"the options describe our marginals.",
		Options: []param.Option{
			{Value: string(transport.ConstantMarginals), Label: "none", Help: "Both marginals keep their set values."},
			{Value: string(transport.PaperCurriculum), Label: "as we read the paper", Help: "At first, objectives are weighted by how well " +
				"they are served, a ∝ exp(−lowest loss/temperature); in the end, solutions are weighted by how many objectives they win. " +
				"Each marginal is mixed with 10 % equal shares."},
			{Value: string(transport.PublishedCurriculum), Label: "as published", Help: "The reverse, as in the public code: at first, " +
				"solutions are weighted by the sum of the smallest tenth of their losses; in the end, objectives are weighted by their lowest loss."},
		}})
	l.Number(&r.Temperature, param.Descriptor{Name: "temperature", Label: "Temperature", Min: 0.1, Max: 10, Scale: param.Log,
		Effect: param.Rerun, Only: paperOnly, Unit: "mean lowest losses",
		Help: "How evenly objectives are weighted at first. Larger values make the weights more equal."})
}

// BindMarginals binds a and b, the masses of objectives and of solutions. The arguments objectives and solutions are
// the names of the Integer parameters that count them.
func (r *Roster) BindMarginals(l *param.List, objectives, solutions string, mostObjectives, mostSolutions int) {
	l.Simplex(&r.A, param.Descriptor{Name: "a", Symbol: "a", Label: "Masses of the objectives", Count: objectives, AtMost: mostObjectives,
		Effect: param.Rerun,
		Help: "The share of all service that each objective receives (the paper’s α). At 0, no solution serves it. An objective whose share " +
			"exceeds one solution’s mass needs a second solution."})
	l.Simplex(&r.B, param.Descriptor{Name: "b", Symbol: "b", Label: "Masses of the solutions", Count: solutions, AtMost: mostSolutions,
		Effect: param.Rerun,
		Help:   "The share of all service that each solution provides (the paper’s β)."})
}

// shared returns the configuration that all methods share.
func (r *Roster) shared(c *Course) (transport.Config, error) {
	config := transport.Config{
		Problem: c.Problem, Starts: c.Starts, A: given(c.A), B: given(c.B), Tau: r.Tau, Restarts: transport.DefaultRestarts,
		Temperature: r.Temperature, Horizon: c.Horizon, Inner: r.K, StepSize: r.Eta, WeightDecay: r.WeightDecay, Seed: c.Seed,
		Curriculum: transport.Curriculum(r.Curriculum), Scale: transport.Scale(r.Scale), Step: transport.StepKind(r.Step),
	}
	var err error
	config.Solver, err = r.solver()
	return config, err
}

// given returns shares, or nil if they are empty.
func given(shares []float64) []float64 {
	if len(shares) == 0 {
		return nil
	}
	return shares
}

// solver creates a solver for one run.
func (r *Roster) solver() (transport.Solver, error) {
	switch r.Solver {
	case Exact:
		return transport.NewExact(), nil
	case IPOT:
		return transport.NewIPOT(transport.IPOTConfig{Beta: r.Beta, Limit: r.Limit})
	case Sinkhorn:
		return transport.NewSinkhorn(transport.SinkhornConfig{Epsilon: r.Eps, Limit: r.Limit})
	}
	return nil, &algo.RangeError{Name: "solver", Value: r.Solver, Allowed: "it must be exact, ipot or sinkhorn"}
}
