// Package plans is the family of methods that move several solutions together: methods that match solutions and
// objectives by a transport plan, and baselines. It contains the list of methods, their shared settings, and the
// records of their runs.
package plans

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/portable"
)

// Names of the methods.
const (
	MosT          = "most"
	WithoutR      = "most-noreg"
	WithoutCL     = "most-nocl"
	Objectives    = "most-o"
	Models        = "most-m"
	Weights       = "most-l"
	RandomPlan    = "wmgda"
	Extended      = "most-e"
	Linearization = "linearization"
	MGDA          = "mgda"
	MOOSVGD       = "moosvgd"
	EPO           = "epo"
)

// paper is the title of the methods' paper.
const paper = "Many-Objective Multi-Solution Transport"

// family returns the methods in the order of lists and legends.
func (r *Roster) family() []runs.Method[*Course] {
	list := []runs.Method[*Course]{
		{Bind: r.bind(MosT), Method: param.Method{ID: MosT, Title: "MosT", Paper: paper + ", Algorithm 1",
			Help: "Matches solutions and objectives by the cheapest transport plan. MGDA then moves each solution down all the objectives that " +
				"it serves."}},
		{Bind: r.bind(WithoutR), Method: param.Method{ID: WithoutR, Title: "MosT without R(Γ)", Paper: paper + ", Table E",
			Help: "MosT with τ = 0: no term pushes an objective towards a single solution."}},
		{Bind: r.bind(WithoutCL), Method: param.Method{ID: WithoutCL, Title: "MosT without curriculum", Paper: paper + ", Table E",
			Help: "MosT with the same marginals in every round."}},
		{Bind: r.bind(Objectives), Method: param.Method{ID: Objectives, Title: "MosT(O)", Paper: paper + ", appendix E.1",
			Help: "Each objective goes to the solution that is best for it, regardless of how many objectives that solution already has."}},
		{Bind: r.bind(Models), Method: param.Method{ID: Models, Title: "MosT(M)", Paper: paper + ", appendix E.1",
			Help: "Each solution takes the objective that it is best at, even if others take the same one."}},
		{Bind: r.bind(Weights), Method: param.Method{ID: Weights, Title: "MosT(L)", Paper: paper + ", appendix E.4",
			Help: "MosT with the plan’s masses, instead of MGDA’s weights, as the weights of each solution’s objectives."}},
		{Bind: r.bind(RandomPlan), Method: param.Method{ID: RandomPlan, Title: "w-MGDA", Paper: paper + ", appendix E.1",
			Help: "MGDA with a random plan, drawn once per run, instead of a transport plan."}},
		{Bind: r.bindExtended, Method: param.Method{ID: Extended, Title: "MosT-E", Paper: paper + ", section 3.2",
			Help: "MosT on random mixtures of the objectives, for problems with fewer objectives than solutions."}},
		{Bind: r.bind(Linearization), Method: param.Method{ID: Linearization, Title: "Linearization",
			Paper: "a fixed weighted sum for each solution",
			Help:  "Each solution descends a different weighted sum of all objectives, with random weights drawn once."}},
		{Bind: r.bind(MGDA), Method: param.Method{ID: MGDA, Title: "MGDA", Paper: "Désidéri 2012; Sener & Koltun 2018, equation (3)",
			Help: "Each solution descends all objectives, regardless of the other solutions."}},
		{Bind: r.bindMOOSVGD, Method: param.Method{ID: MOOSVGD, Title: "MOO-SVGD",
			Paper: "Liu, Tong & Liu 2021, equation (9) and Algorithm 1",
			Help:  "Each solution follows the MGDA directions of all solutions, and is pushed away from solutions with similar losses."}},
		{Bind: r.bind(EPO), Method: param.Method{ID: EPO, Title: "EPO", Paper: "Mahapatra & Rajan 2020, Algorithm 1",
			Help: "Each solution seeks the Pareto-optimal point where its losses have given ratios, evenly spread for two objectives, " +
				"and otherwise drawn at random once."}},
	}
	list = append(list, r.federated()...)
	for i := range list {
		list[i].Together = true
	}
	return list
}

// Methods returns the named methods, or all if no names are given, in the order of lists and legends.
func Methods(names ...string) []param.Method {
	var out []param.Method
	for _, m := range new(Roster).family() {
		if names == nil || slices.Contains(names, m.ID) {
			out = append(out, m.Method)
		}
	}
	return out
}

// HasPlan reports whether a method matches solutions and objectives by a transport plan.
func HasPlan(method string) bool {
	return !slices.Contains([]string{Linearization, MGDA, MOOSVGD, EPO, FedAvg, FedProx, FedMGDA}, method)
}

// withPlan returns the methods with a plan, except for the named ones.
func withPlan(but ...string) (names []string) {
	for _, m := range Methods() {
		if HasPlan(m.ID) && !slices.Contains(but, m.ID) {
			names = append(names, m.ID)
		}
	}
	return names
}

// bind returns the Bind function of a method without parameters.
func (r *Roster) bind(name string) func(*param.List) func(*Course) (algo.Stepper, error) {
	return func(*param.List) func(*Course) (algo.Stepper, error) {
		return func(c *Course) (algo.Stepper, error) {
			config, err := r.config(c, name)
			if err != nil {
				return nil, err
			}
			return transport.NewMosT(config)
		}
	}
}

// config returns a method's configuration. τ and the curriculum apply to every method with a plan, except to the
// variants that omit one of them.
func (r *Roster) config(c *Course, name string) (transport.Config, error) {
	config, err := r.shared(c)
	if err != nil {
		return config, err
	}
	switch name {
	case WithoutR:
		config.Tau = 0
	case Objectives:
		config.Matching = transport.ObjectiveSelects
	case Models:
		config.Matching = transport.ModelSelects
	case RandomPlan:
		config.Matching = transport.RandomPlan
	case Weights:
		config.PlanAsWeights = true
	case Linearization:
		config.Matching, config.Mixtures = transport.Paired, ownSums(c)
		config.A = nil // the given masses refer to the problem's objectives
	case MGDA:
		config.Matching = transport.Unmatched
	case EPO:
		config.Matching = transport.Unmatched
		config.Weighting = func(solution int) (algo.Weighting, error) {
			rule, err := weighting.NewEPO(Preference(c, solution))
			return &above{Weighting: rule, bounds: c.LowerBounds}, err
		}
	}
	switch name {
	case WithoutCL, Objectives, Models, RandomPlan, Linearization, MGDA, EPO:
		config.Curriculum = transport.ConstantMarginals
	}
	return config, nil
}

// Preference returns EPO's preference for a solution, counted from 0. For two objectives, the solutions' rays divide
// the right angle between the axes into equal parts, with half a part at either end. On a solution's ray, the losses
// have the preferred ratio.
func Preference(c *Course, solution int) []float64 {
	_, n := c.Problem.Dims()
	if n != 2 {
		return runs.RandomWeights(c.Seed, solution, n)
	}
	sine, cosine := portable.Sincos(math.Pi / 2 * (float64(solution) + 0.5) / float64(len(c.Starts)))
	return []float64{cosine, sine}
}

// above is a rule that gets losses relative to their lower bounds. EPO compares ratios of losses, so these losses must
// be positive.
type above struct {
	algo.Weighting
	bounds, losses []float64
}

// Weigh calls the rule with the losses minus their lower bounds.
func (a *above) Weigh(r *algo.Result, in *algo.Input) error {
	if a.bounds == nil {
		return a.Weighting.Weigh(r, in)
	}
	a.losses = append(a.losses[:0], in.Losses...)
	for i, bound := range a.bounds {
		a.losses[i] -= bound
	}
	counted := *in
	counted.Losses = a.losses
	return a.Weighting.Weigh(r, &counted)
}

// bindExtended binds the number of MosT-E's mixtures and the distribution of their weights.
func (r *Roster) bindExtended(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Integer(&r.Mixtures, param.Descriptor{Name: "extended", Symbol: "n′", Label: "Extended objectives", Min: 2, Max: 100, Step: 1,
		Method: Extended,
		Help: "The total number of MosT-E’s objectives. The problem’s objectives come first; the others are mixtures Σ wᵢfᵢ of them with " +
			"random weights w. (Section 3.2 counts all these objectives; appendix C counts only the mixtures.)"})
	l.Number(&r.Shape, param.Descriptor{Name: "shape", Label: "Shape of the mixtures", Min: 0.05, Max: 5, Scale: param.Log, Method: Extended,
		Help: "The parameter of the Dirichlet distribution of the weights w. Below 1, most mixtures are near one objective; " +
			"at 1, w is uniform; above 1, most are near the mean. The paper uses 0.1, 0.5 and 1."})
	return func(c *Course) (algo.Stepper, error) {
		config, err := r.config(c, Extended)
		if err != nil {
			return nil, err
		}
		config.A = nil // the given masses refer to the problem's objectives
		if config.Mixtures, err = r.mixtures(c); err != nil {
			return nil, err
		}
		return transport.NewMosT(config)
	}
}

// ownSums returns linearization's weights on a course, one row for each solution.
func ownSums(c *Course) (out [][]float64) {
	if c.Sums != nil {
		return c.Sums
	}
	_, n := c.Problem.Dims()
	for j := range c.Starts {
		out = append(out, runs.RandomWeights(c.Seed, j, n))
	}
	return out
}

// MixturesOf returns the weighted sums of objectives that a method minimises on a course, as one row of weights for
// each sum. MosT-E has one sum for each mixture that it matches with solutions. Linearization has one sum for each
// solution. For other methods MixturesOf returns nil.
func (r *Roster) MixturesOf(method string, c Course) ([][]float64, error) {
	switch method {
	case Extended:
		return r.mixtures(&c)
	case Linearization:
		return ownSums(&c), nil
	}
	return nil, nil
}

// mixtures returns MosT-E's mixtures on a course.
func (r *Roster) mixtures(c *Course) ([][]float64, error) {
	if c.Mixtures != nil {
		return c.Mixtures, nil
	}
	_, n := c.Problem.Dims()
	return transport.DirichletMixtures(n, r.Mixtures, r.Shape, !r.WithoutOriginals, c.Seed)
}

// bindMOOSVGD binds the strength of the repulsion between points.
func (r *Roster) bindMOOSVGD(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.Repulsion, param.Descriptor{Name: "moosvgd.repulsion", Symbol: "a", Label: "MOO-SVGD’s repulsion", Min: 0, Max: 10,
		Step: 0.01, Method: MOOSVGD,
		Help: "How strongly points with similar losses repel each other. With 0, each point only follows the common descent."})
	return func(c *Course) (algo.Stepper, error) {
		step := transport.StepKind(r.Step)
		config := descent.MOOSVGDConfig{Problem: c.Problem, Starts: c.Starts, Repulsion: r.Repulsion, StepSize: r.Eta, Seed: c.Seed}
		if step == transport.AdamStep {
			config.Optimizer = descent.DefaultAdam()
		}
		if step == transport.SignStep || r.WeightDecay > 0 {
			config.Problem = seen(c.Problem, step == transport.SignStep, r.WeightDecay)
		}
		return descent.NewMOOSVGD(config)
	}
}

// seen returns the problem as MOO-SVGD gets it. MOO-SVGD's stepper supports neither sign steps nor weight decay, so the
// returned problem includes them.
func seen(p algo.Problem, signs bool, decay float64) algo.Sampled {
	c := changed{p, signs, decay}
	if bounded, ok := p.(algo.Bounded); ok {
		return algo.Exact(struct {
			changed
			algo.Bounded
		}{c, bounded})
	}
	return algo.Exact(c)
}

// changed is a problem with weight decay in its gradients. If signs is set, the gradients are then replaced by their
// signs.
type changed struct {
	algo.Problem
	signs bool
	decay float64
}

// Jacobian stores the changed gradients in jac.
func (c changed) Jacobian(jac *algo.Jacobian, x []float64) {
	c.Problem.Jacobian(jac, x)
	for i := range jac.Rows {
		row := jac.Row(i)
		for k := range row {
			row[k] += float64(c.decay * x[k])
			if !c.signs {
				continue
			}
			switch v := row[k]; {
			case v > 0:
				row[k] = 1
			case v < 0:
				row[k] = -1
			}
		}
	}
}
