package smooth

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// Roster is the family on one problem: the methods that run, their settings, and the settings that all runs share. Its
// fields are bound to a scene's parameters.
type Roster struct {
	*runs.Roster[*Course]
	runs.Settings

	R                int
	Weighting        string // rule that PSMGD evaluates every R iterations
	Momentum         float64
	MomentumSchedule string
	CRMOGMMomentum   float64
	LSWeights        string  // EqualWeights, RandomWeights or, for two objectives, GivenWeights
	LSLambda         float64 // the first of two given weights
	Repulsion        float64 // MOO-SVGD's repulsion
	// Unused names the rules' parameters that have no meaning on the problem, in addition to those that no scene uses.
	Unused map[string]bool

	Eta         float64
	EtaSchedule string
	runs.Optimizing
	Clip float64 // length to which longer directions are cut; 0 turns this off

	Sigma float64 // standard deviation of the gradients' noise

	// Limit is the ε-constraint's limit, for two objectives. If it is nil, the parameter is a list of limits.
	Limit *Limit

	objectives int
	// defaults replaces the rules' default values of parameters such as "cagrad.c".
	defaults map[string]string
	rules    map[string]weighting.Constructor
	// preferences maps the name of each rule that has a preference to that preference.
	preferences map[string]*preference
	// refresh maps a method's name to the cost of one decision, in backpropagations.
	refresh map[string]int
}

// preference is a rule's preference among the objectives.
type preference struct {
	first float64   // share of the first of two objectives; the other has 1 − first
	all   []float64 // shares with sum 1, if the number of objectives is not two
}

// Limit is a limit on one of two objectives. The other objective is minimised.
type Limit struct {
	Min, Max float64 // range of the limit
	Value    float64
	Limited  string // number of the limited objective, "1" or "2"
}

// Choices of weights for linear scalarization.
const (
	EqualWeights  = "equal"
	RandomWeights = "random"
	GivenWeights  = "given"
)

// New returns the initial settings of a scene with the given number of objectives. absent maps methods that cannot be
// chosen to the reason, which is listed with them. defaults replaces the rules' defaults for the methods' parameters.
// The argument on lists the methods that run.
func New(objectives int, absent, defaults map[string]string, on ...string) *Roster {
	r := &Roster{
		R: descent.DefaultPeriod, Weighting: mgda, MomentumSchedule: string(descent.Constant),
		CRMOGMMomentum: descent.DefaultCRMOGMMomentum, LSWeights: RandomWeights, LSLambda: 0.5, Repulsion: descent.DefaultRepulsion,
		Eta: 0.3, EtaSchedule: string(descent.Constant), Optimizing: runs.PlainSteps(),
		objectives: objectives, defaults: defaults, rules: map[string]weighting.Constructor{}, preferences: map[string]*preference{},
	}
	r.Axis = kinds.Iterations
	r.Roster = runs.New(r.family(), absent, on...)
	runs.Live(r.Roster, "eta", stepSized.SetStepSize)
	runs.Live(r.Roster, "R", func(s periodic, value float64) error { return s.SetPeriod(int(value)) }, psmgd)
	runs.Live(r.Roster, "momentum", periodic.SetMomentum, psmgd)
	runs.Live(r.Roster, "crmogm.momentum", periodic.SetMomentum, crmogm)
	return r
}

// stepSized is implemented by the steppers of all methods in this package.
type stepSized interface{ SetStepSize(eta float64) error }

// periodic is [descent.PSMGD], possibly inside a wrapper that ends runs by a scene's own criterion.
type periodic interface {
	algo.Stepper
	SetPeriod(period int) error
	SetMomentum(alpha float64) error
	Sample() *algo.Sample
}

var _ periodic = (*descent.PSMGD)(nil)

// family returns the methods in the order of lists and legends: first those with special settings, then the other rules
// in the list of weightings, and last the methods that move several points together.
func (r *Roster) family() []runs.Method[*Course] {
	out := []runs.Method[*Course]{
		{Method: described(psmgd), Bind: r.bindPSMGD},
		{Method: described(mgda), Bind: r.bindRule(mgda)},
		{Method: described(crmogm), Bind: r.bindCRMOGM},
		{Method: described(ls), Bind: r.bindLS},
	}
	for _, w := range weighting.Methods {
		if w.Name != mgda && w.Name != ls {
			out = append(out, runs.Method[*Course]{Method: described(w.Name), Bind: r.bindRule(w.Name)})
		}
	}
	return append(out, runs.Method[*Course]{Method: described(moosvgd), Bind: r.bindMOOSVGD, Together: true})
}

// SetObjectives changes the number of objectives that was passed to New. Preferences among objectives become equal.
func (r *Roster) SetObjectives(m int) { r.objectives = m }

// shown is the number of methods that are never folded. Others are folded unless they run by default.
const shown = 4

// BindMethods binds "method", the choice of methods.
func (r *Roster) BindMethods(l *param.List) {
	r.Roster.BindMethods(l, shown, "The methods to compare. All run from the same start points and with the same noise.")
}

// BindStepSettings binds the settings of a step: R, eta and the momenta of weights.
func (r *Roster) BindStepSettings(l *param.List) {
	l.Integer(&r.R, param.Descriptor{Name: "R", Symbol: "R", Label: "Period", Min: 1, Max: 64, Step: 1, Scale: param.Log,
		Effect: param.Live, Method: psmgd,
		Unit: "iterations", Help: "How often PSMGD computes new weights: every R iterations. In between it keeps them, and one " +
			"backpropagation is enough. R = 1 without weight momentum is MGDA. (PSMGD, Algorithm 1.)"})
	l.Number(&r.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.0001, Max: 5, Scale: param.Log, Effect: param.Live,
		Help: "How far one step goes: x ← x − η·direction, after the optimizer has transformed the direction. A schedule starts from this " +
			"value if it uses η."})
	l.Number(&r.Momentum, param.Descriptor{Name: "momentum", Symbol: "α", Label: "Weight momentum", Min: 0, Max: 0.99, Step: 0.01,
		Effect: param.Live, Method: psmgd,
		Help: "The share of the old weights at a refresh: λ ← α λ + (1 − α) λ̂. The paper’s experiments use 0.9. On a front that bulges away " +
			"from the origin, this value makes runs collapse to the front’s ends, so the default is 0. (PSMGD, Algorithm 1, line 5.)"})
	l.Number(&r.CRMOGMMomentum, param.Descriptor{Name: "crmogm.momentum", Symbol: "α", Label: "CR-MOGM’s weight momentum", Min: 0,
		Max: 0.99, Step: 0.01, Effect: param.Live, Method: crmogm,
		Help: "The momentum of the weights in CR-MOGM, which is PSMGD with R = 1 (Zhou et al. 2022). At 0, CR-MOGM is MGDA."})
}

// BindOptimizer binds the settings that transform a direction before it is subtracted.
func (r *Roster) BindOptimizer(l *param.List) {
	r.Optimizing.BindOptimizer(l, "x", "η")
	l.Number(&r.Clip, param.Descriptor{Name: "clip", Label: "Maximum direction length", Min: 0, Max: 100, Step: 0.1,
		Help: "Longer directions are shortened to this length before the optimizer uses them. At 0 no direction is shortened."})
}

// schedules describes how each schedule changes η and α.
var schedules = []struct {
	schedule            descent.Schedule
	label, step, weight string
}{
	{descent.Constant, "constant", "The step size is η in every iteration.", "The momentum is α at every refresh."},
	{descent.Theorem35, "Theorem 3.5, non-convex", "Falls slowly: η/√(t+1).",
		"Grows towards 1: 1 − α = min(1/√(t+1), 1/((t+1)·max|λ̂ − λ|))."},
	{descent.Theorem36, "Theorem 3.6, convex", "Falls slowly: 1/√(t+1). η is not used.", "Grows as the step size falls: 1 − α equals the " +
		"step size."},
	{descent.Theorem37, "Theorem 3.7, strongly convex", "Falls fast: η/(t+1), but never above 1/L, where L is the gradients’ Lipschitz " +
		"constant.",
		"Grows fast: 1 − α = min(1, step size²)."},
	{descent.AsPrinted, "Theorem 3.7 as printed",
		"The step size is η/T in every iteration. The error then shrinks by a factor that does not depend on T, so this is not the default.",
		"Stays the same, like the step size: 1 − α equals the step size."},
}

// BindSchedules binds the schedules of η and α.
func (r *Roster) BindSchedules(l *param.List) {
	var steps, weights []param.Option
	for _, s := range schedules {
		steps = append(steps, param.Option{Value: string(s.schedule), Label: s.label, Help: s.step})
		weights = append(weights, param.Option{Value: string(s.schedule), Label: s.label, Help: s.weight})
	}
	l.Choice(&r.EtaSchedule, param.Descriptor{Name: "etaschedule", Label: "Step size schedule",
		Help: "How the step size η changes with the iteration t.", Options: steps})
	l.Choice(&r.MomentumSchedule, param.Descriptor{Name: "momentumschedule", Label: "Weight momentum schedule", Method: psmgd,
		Help: "How the weight momentum α changes with the iteration t.", Options: weights})
}

// BindOwn binds the methods' parameters as "method.name". The rules come in the order of their list.
func (r *Roster) BindOwn(l *param.List) {
	order := []string{psmgd, ls}
	for _, w := range weighting.Methods {
		order = append(order, w.Name)
	}
	r.Roster.BindOwn(l, order...)
}

// bindPSMGD binds the rule whose coefficients PSMGD keeps for R iterations.
func (r *Roster) bindPSMGD(l *param.List) func(*Course) (algo.Stepper, error) {
	var options []param.Option
	for _, m := range weighting.Methods {
		reason := r.Absent(m.Name)
		switch {
		case m.Name == ls:
			reason = "The rule’s weights never change, so there is nothing to compute every R iterations."
		case !m.Promises.Effective && reason == "":
			reason = runs.NothingToHold
		}
		options = append(options, param.Option{Value: m.Name, Label: m.Title, Help: m.Help, Disabled: reason})
	}
	l.Choice(&r.Weighting, param.Descriptor{Name: "psmgd.weighting", Label: "PSMGD’s weighting", Method: psmgd, Options: options,
		Help: "The rule whose coefficients PSMGD computes every R iterations. These are the rule’s weights, or the coefficients of its " +
			"direction if the direction is not the weighted sum. The paper uses MGDA; any rule with such coefficients works."})
	return func(c *Course) (algo.Stepper, error) {
		config := r.config(c)
		config.MomentumSchedule, config.Period, config.Momentum = descent.Schedule(r.MomentumSchedule), r.R, r.Momentum
		return r.weighted(psmgd, r.Weighting, config, c)
	}
}

// bindCRMOGM binds nothing, because BindStepSettings binds CR-MOGM's momentum.
func (r *Roster) bindCRMOGM(*param.List) func(*Course) (algo.Stepper, error) {
	return func(c *Course) (algo.Stepper, error) {
		config := r.config(c)
		config.Momentum = r.CRMOGMMomentum
		r.refresh[crmogm] = r.objectives
		return descent.NewPSMGD(config)
	}
}

// bindLS binds the fixed weights of linear scalarization. For two objectives, one slider sets both weights.
func (r *Roster) bindLS(l *param.List) func(*Course) (algo.Stepper, error) {
	options := []param.Option{
		{Value: RandomWeights, Label: "random", Help: "The weights are drawn once for each start, uniformly among weights with sum 1."},
		{Value: EqualWeights, Label: "equal", Help: "Descends the mean of the objectives."},
	}
	two := r.objectives == 2
	if two {
		options = append(options, param.Option{Value: GivenWeights, Label: "given", Help: "Uses the weights that you set for all starts."})
	}
	l.Choice(&r.LSWeights, param.Descriptor{Name: "ls.weights", Label: "Fixed weights", Method: ls, Options: options,
		Help: "The fixed weights of linear scalarization, which never change during a run."})
	if two {
		l.Number(&r.LSLambda, param.Descriptor{Name: "ls.lambda", Symbol: "λ", Label: "Weight of the first objective", Method: ls,
			Max: 1, Step: 0.01, Only: &param.Only{Name: "ls.weights", Values: []string{GivenWeights}},
			Help: "How much the first objective counts in linear scalarization, which descends λf₁ + (1 − λ)f₂ from every start. At 0 only f₂ " +
				"counts, at 1 only f₁."})
	}
	return func(c *Course) (algo.Stepper, error) {
		config := r.config(c)
		r.refresh[ls] = 1
		return descent.NewPSMGD(descent.LinearScalarization(config, r.FixedWeights(c.Seed, c.Start)))
	}
}

// bindMOOSVGD binds the strength of the repulsion between points.
func (r *Roster) bindMOOSVGD(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.Repulsion, param.Descriptor{Name: "moosvgd.repulsion", Symbol: "a", Label: "MOO-SVGD’s repulsion", Min: 0, Max: 10,
		Step: 0.1, Method: moosvgd,
		Help: "How strongly points with similar losses push each other away. At 0 each point only follows the common descent."})
	return func(c *Course) (algo.Stepper, error) {
		config := r.config(c)
		r.refresh[moosvgd] = r.objectives
		return descent.NewMOOSVGD(descent.MOOSVGDConfig{
			Problem: c.Problem, Starts: c.Starts, Repulsion: r.Repulsion, StepSize: config.StepSize, StepSizeSchedule: config.StepSizeSchedule,
			Horizon: c.Horizon, Optimizer: config.Optimizer, Seed: c.Seed,
		})
	}
}

// bindRule returns a function that binds the parameters of a rule in the list of weightings, with the scene's defaults.
func (r *Roster) bindRule(name string) func(*param.List) func(*Course) (algo.Stepper, error) {
	return func(l *param.List) func(*Course) (algo.Stepper, error) {
		rule, ok := weighting.Lookup(name)
		if !ok {
			panic("smooth: unknown rule " + name)
		}
		own := new(param.List)
		build := rule.Bind(own, rule.Name+".")
		for parameter, text := range r.defaults {
			if _, bound := own.Lookup(parameter); bound {
				if err := own.Assign(parameter, text); err != nil {
					panic("smooth: " + err.Error())
				}
			}
		}
		two := r.objectives == 2
		l.Include(own, func(d param.Descriptor) bool {
			// The problem provides the lower bounds of its losses. With two objectives, each has only one other, so an
			// order of the others is redundant.
			return d.Name != name+"."+rule.Bounds && !(two && d.Name == name+"."+rule.Order) && !r.Unused[d.Name] &&
				d.Name != preferenceOf(name) && !(r.Limit != nil && limiting[d.Name])
		})
		if d, has := own.Lookup(preferenceOf(name)); has {
			build = r.bindPreference(l, own, d, build)
		}
		if name == epsilon && r.Limit != nil {
			build = r.bindLimit(l, own, build)
		}
		r.rules[name] = build
		return func(c *Course) (algo.Stepper, error) {
			config := r.config(c)
			return r.weighted(name, name, config, c)
		}
	}
}

// preferenceOf returns the name of the parameter for a rule's preference.
func preferenceOf(rule string) string { return rule + ".preference" }

// bindPreference binds a rule's preference to l: one share for two objectives, otherwise a point of the simplex. d is
// the preference in own, the rule's parameter list. The returned constructor first copies the values to own.
func (r *Roster) bindPreference(l, own *param.List, d param.Descriptor, build weighting.Constructor) weighting.Constructor {
	const least = 0.01
	p := &preference{0.5, param.Shares(nil, r.objectives)}
	r.preferences[d.Method] = p
	rule, _ := weighting.Lookup(d.Method)
	text := func() string { return fmt.Sprintf("%v,%v", p.first, 1-p.first) }
	bound := param.Descriptor{Name: d.Name, Symbol: d.Symbol, Label: rule.Title + "’s preference", Min: least, Step: 0.01, Method: d.Method}
	if r.objectives == 2 {
		bound.Symbol, bound.Max, bound.Help = d.Symbol+"₁", 1-least, rule.Preference.OfTwo
		l.Number(&p.first, bound)
	} else {
		bound.Help = rule.Preference.OfMany
		l.Simplex(&p.all, bound)
		text = func() string { return param.FormatShares(p.all) }
	}
	boundFor := r.objectives
	return func(c weighting.Context) (algo.Weighting, error) {
		given := text()
		if c.Objectives != boundFor { // the values in l are for a different number of objectives
			given = param.FormatShares(param.Shares(nil, c.Objectives))
		}
		if err := own.Assign(d.Name, given); err != nil {
			return nil, err
		}
		return build(c)
	}
}

// limiting names the ε-constraint's parameters that a single limit replaces.
var limiting = map[string]bool{epsilon + ".limits": true, epsilon + ".objective": true}

// bindLimit binds two parameters to l: the limit, and the number of the limited objective. The returned constructor
// first copies their values to own, the rule's parameter list.
func (r *Roster) bindLimit(l, own *param.List, build weighting.Constructor) weighting.Constructor {
	l.Number(&r.Limit.Value, param.Descriptor{Name: runs.Limit, Symbol: "ε", Label: "Limit", Min: r.Limit.Min, Max: r.Limit.Max,
		Step: (r.Limit.Max - r.Limit.Min) / 100, Method: epsilon,
		Help: "The limit that one objective must not exceed, or must fall to, while the other objective is minimised (Haimes, Lasdon & " +
			"Wismer 1971)."})
	l.Choice(&r.Limit.Limited, param.Descriptor{Name: runs.Limited, Label: "Limited objective", Method: epsilon,
		Help: "The objective that has the limit. The other objective is minimised.",
		Options: []param.Option{
			{Value: "1", Label: "f₁", Help: "f₂ is minimised."}, {Value: "2", Label: "f₂", Help: "f₁ is minimised."},
		}})
	return func(c weighting.Context) (algo.Weighting, error) {
		limits, objective := runs.LimitOf(r.Limit.Value, r.Limit.Limited)
		if err := own.Assign(epsilon+".limits", limits); err != nil {
			return nil, err
		}
		if err := own.Assign(epsilon+".objective", objective); err != nil {
			return nil, err
		}
		return build(c)
	}
}
