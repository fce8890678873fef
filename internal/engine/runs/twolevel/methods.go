// Package twolevel is the family of methods for bilevel problems. It contains the list of methods, their shared
// settings, and the records of their runs.
package twolevel

import (
	"errors"
	"slices"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
)

// Names of the methods.
const (
	FORUM      = "forum"
	FORUMExact = "forumexact" // FORUM with the exact dual, which runs beside the published version
	// FORUMReleased is FORUM as in its authors' code. It runs beside the paper's version.
	FORUMReleased = "forumreleased"

	MOML       = "moml"
	MoCo       = "moco"
	BOME       = "bome"
	BVFIM      = "bvfim"
	NoCleaning = "nocleaning"

	ValidationOnly = "validationonly"
)

// Differs explains to visitors where FORUM's published multiplier departs from the exact dual.
const Differs = "The paper’s equations (9) and (17) print 2φ, although the exact dual of its problem (7) has φ. The published code, " +
	"the paper’s experiments and the default here use the printed version."

// Departs explains to visitors where the authors' code departs from FORUM's paper, and what effect that has.
const Departs = "It scales the upper gradients to length 1 and adds 1e-8 to ‖∇q̃‖² in φ and π. This weakens the pull near the bottom " +
	"of the valley: after 1000 steps E is still above 1e-5. At the bottom itself, the problem for the weights has no minimum, so the run " +
	"ends. (Baijiong-Lin/FORUM, commit 318607c.)"

// family returns the methods in the order of lists and legends.
func (r *Roster) family() []runs.Method[*Course] {
	return []runs.Method[*Course]{
		{Bind: r.bindFORUM, Method: param.Method{ID: FORUM, Title: "FORUM", Paper: "FORUM, Algorithm 1",
			Help: "Treats the lower level as the constraint q(z) ≤ 0, and moves α and ω together, with gradients only."}},
		{Bind: r.bindFORUMExact, Beside: true, Method: param.Method{ID: FORUMExact, Title: "FORUM, exact dual", Paper: "FORUM, problem (7)",
			Help: "FORUM with the multiplier of the exact dual: φ in π, where the paper prints 2φ."}},
		{Bind: r.bindFORUMReleased, Beside: true, Method: param.Method{ID: FORUMReleased, Title: "FORUM, as released",
			Paper: "the authors’ code", Help: "FORUM as in its authors’ code, with upper gradients of length 1 and 1e-8 added to ‖∇q̃‖²."}},
		{Bind: r.bindMOML, Method: param.Method{ID: MOML, Title: "MOML", Paper: "Ye et al. 2021, Algorithm 1",
			Help: "Differentiates through the lower level’s loop with Hessian-vector products, and weighs the hypergradients like MGDA."}},
		{Bind: r.bindMoCo, Method: param.Method{ID: MoCo, Title: "MoCo", Paper: "Fernando et al. 2023",
			Help: "Differentiates like MOML, averages the hypergradients over time, and moves the weights step by step."}},
		{Bind: r.bindBOME, Method: param.Method{ID: BOME, Title: "BOME", Paper: "Liu et al. 2022, Algorithm 1",
			Help: "A first-order method for one upper objective, here the mean of all upper objectives. It uses equal weights."}},
		{Bind: r.bindBVFIM, Method: param.Method{ID: BVFIM, Title: "BVFIM", Paper: "Liu et al. 2021, Algorithm 1",
			Help: "A first-order method for one upper objective, here the mean of all upper objectives. A shrinking barrier keeps the " +
				"lower objective below its regularised minimum."}},
		{Bind: r.bindNoCleaning, Method: param.Method{ID: NoCleaning, Title: "No cleaning", Paper: "training on all labels with equal weights",
			Help: "Runs only the lower level’s loop. Every training sample keeps its weight."}},
		{Bind: r.bindValidationOnly, Method: param.Method{ID: ValidationOnly, Title: "Validation only", Paper: "training on clean samples alone",
			Help: "Takes as many steps as the lower level’s loop, but only on the clean validation samples. The training samples are not used."}},
	}
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

// multiplierBoth is the option that runs FORUM once with each multiplier.
const multiplierBoth = "both"

// variantBoth is the option that runs FORUM once as in the paper and once as in the released code.
const variantBoth = "both"

// bindFORUM binds the pull of the constraint, the averaging of the weights, the multiplier and the variant.
func (r *Roster) bindFORUM(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.Rho, param.Descriptor{Name: "rho", Symbol: "ρ", Label: "Pull of the constraint", Min: 0, Max: 1, Step: 0.01,
		Effect: param.Live, Method: FORUM,
		Help: "How strongly a step is pulled into the valley, where the excess q̃ is 0: FORUM’s step lowers q̃ at least at the rate φ = " +
			"(ρ/2)‖∇q̃‖². At 0 a step must not raise q̃, but need not lower it. (FORUM, problem (7).)"})
	averagings := []param.Option{
		{Value: string(bilevel.PublishedAveraging), Label: "(k+1)^(−3/4), the paper’s"},
		{Value: string(bilevel.SquareRootAveraging), Label: "(k+1)^(−1/2)"},
		{Value: string(bilevel.MeanAveraging), Label: "1/(k+1), the mean of all weights"},
		{Value: string(bilevel.NoAveraging), Label: "1, none"},
	}
	l.Choice(&r.BetaSchedule, param.Descriptor{Name: "betaschedule", Symbol: "βₖ", Label: "Averaging of the weights", Options: averagings,
		Method: FORUM,
		Help:   "The share βₖ of the new weights in the averaged weights: λ̃ ← (1 − βₖ) λ̃ + βₖ λ. (FORUM, Algorithm 1.)"})
	l.Choice(&r.Multiplier, param.Descriptor{Name: "multiplier", Symbol: "ν", Label: "Multiplier", Method: FORUM,
		Only: &param.Only{Name: "variant", Values: []string{string(bilevel.Paper), variantBoth}},
		Help: "How the multiplier of the constraint follows from the weights. " + Differs,
		Options: []param.Option{
			{Value: string(bilevel.AsPublished), Label: "as published", Help: "π = (2φ − ⟨∇q̃, ∇F⟩)/‖∇q̃‖²: twice the pull that problem (7) " +
				"requires."},
			{Value: string(bilevel.ExactDual), Label: "exact dual", Help: "π = (φ − ⟨∇q̃, ∇F⟩)/‖∇q̃‖²: the dual of problem (7)."},
			{Value: multiplierBoth, Label: "both, side by side", Help: "FORUM runs twice from every start."},
		}})
	l.Choice(&r.Variant, param.Descriptor{Name: "variant", Label: "Variant of FORUM", Method: FORUM,
		Help: "The version of FORUM to run. The authors’ code differs from their paper. " + Departs,
		Options: []param.Option{
			{Value: string(bilevel.Paper), Label: "the paper’s", Help: "Algorithm 1."},
			{Value: string(bilevel.Released), Label: "the released code’s", Help: "Upper gradients have length 1, φ and π use ‖∇q̃‖² plus 1e-8, " +
				"and the averaging counts epochs."},
			{Value: variantBoth, Label: "both, side by side", Help: "FORUM runs twice from every start."},
		}})
	l.Integer(&r.Epoch, param.Descriptor{Name: "epoch", Label: "Length of an epoch", Min: 1, Max: 1000, Step: 1, Scale: param.Log,
		Unit: "steps", Method: FORUM,
		Only: &param.Only{Name: "variant", Values: []string{string(bilevel.Released), variantBoth}},
		Help: "In the released code, k in βₖ counts epochs, so βₖ stays the same throughout an epoch. Here a step uses all samples, so " +
			"an epoch is one step."})
	return func(c *Course) (algo.Stepper, error) {
		multiplier := bilevel.AsPublished
		switch {
		case r.Variant == string(bilevel.Released):
			return r.released(c)
		case r.Multiplier != multiplierBoth:
			multiplier = bilevel.Multiplier(r.Multiplier)
		}
		return r.forum(c, multiplier)
	}
}

// bindFORUMReleased binds nothing, because it uses FORUM's parameters.
func (r *Roster) bindFORUMReleased(*param.List) func(*Course) (algo.Stepper, error) {
	return r.released
}

func (r *Roster) released(c *Course) (algo.Stepper, error) {
	loop, upper := r.levels()
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: c.Problem, Start: c.Start, Loop: loop, Upper: upper,
		Rho: r.Rho, Averaging: bilevel.Averaging(r.BetaSchedule), Variant: bilevel.Released, Epoch: r.Epoch})
}

// bindFORUMExact binds nothing, because it uses FORUM's parameters.
func (r *Roster) bindFORUMExact(*param.List) func(*Course) (algo.Stepper, error) {
	return func(c *Course) (algo.Stepper, error) { return r.forum(c, bilevel.ExactDual) }
}

func (r *Roster) forum(c *Course, multiplier bilevel.Multiplier) (algo.Stepper, error) {
	loop, upper := r.levels()
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: c.Problem, Start: c.Start, Loop: loop, Upper: upper,
		Rho: r.Rho, Averaging: bilevel.Averaging(r.BetaSchedule), Multiplier: multiplier})
}

// bindMOML binds the rule that weights the hypergradients, and the mode of differentiation, which MoCo shares.
func (r *Roster) bindMOML(l *param.List) func(*Course) (algo.Stepper, error) {
	var rules []param.Option
	build := map[string]weighting.Constructor{}
	for _, m := range weighting.Methods {
		// The rules' parameters keep their defaults.
		build[m.Name] = m.Bind(new(param.List), "")
		rules = append(rules, param.Option{Value: m.Name, Label: m.Title, Help: m.Help, Folded: m.Name != "mgda"})
	}
	l.Choice(&r.Weighting, param.Descriptor{Name: "moml.weighting", Label: "MOML’s weighting", Method: MOML, Options: rules,
		Help: "The rule that weighs the hypergradients. MOML uses MGDA; any other rule works."})
	l.Choice(&r.Mode, param.Descriptor{Name: "mode", Label: "Differentiation", Effect: param.Restart,
		Help: "How MOML and MoCo differentiate through the lower level’s loop. The results agree, but the costs differ.",
		Options: []param.Option{
			{Value: string(bilevel.Reverse), Label: "reverse", Help: "Stores the loop’s points and goes back through them once for each " +
				"objective: m·T Hessian-vector products."},
			{Value: string(bilevel.Forward), Label: "forward", Help: "Computes the α-derivative along with the loop: n·T Hessian-vector " +
				"products, and memory that does not grow with T."},
		}})
	return func(c *Course) (algo.Stepper, error) {
		problem, loop, upper, err := r.differentiating(c)
		if err != nil {
			return nil, err
		}
		_, _, m := c.Problem.Dims()
		rule, err := build[r.Weighting](weighting.Context{Objectives: m, Seed: c.Seed, Start: c.StartIndex})
		if err != nil {
			return nil, err
		}
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: problem, Start: c.Start, Loop: loop, Upper: upper,
			Mode: bilevel.Mode(r.Mode), Weighting: rule})
	}
}

// bindMoCo binds MoCo's parameters: tracking, weight step, decay and regularization.
func (r *Roster) bindMoCo(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "MoCo’s tracking", Min: 0.001, Max: 1, Scale: param.Log, Method: MoCo,
		Help: "The share of the new hypergradients in the averages that MoCo tracks. At 1 there is no averaging. (Fernando et al. 2023.)"})
	l.Number(&r.Gamma, param.Descriptor{Name: "gamma", Symbol: "γ", Label: "MoCo’s weight step", Min: 0.0001, Max: 10, Scale: param.Log,
		Method: MoCo,
		Help:   "The step size of MoCo’s weights."})
	l.Choice(&r.Decay, param.Descriptor{Name: "decay", Label: "MoCo’s decay", Method: MoCo,
		Options: []param.Option{{Value: "0", Label: "none"}, {Value: "0.5", Label: "β and γ fall as 1/√(k+1)"}},
		Help:    "Whether β and γ fall over the iterations."})
	l.Number(&r.MoCoRho, param.Descriptor{Name: "moco.rho", Symbol: "ρ", Label: "MoCo’s regularization", Min: 0, Max: 1, Step: 0.01,
		Method: MoCo,
		Help:   "How strongly MoCo’s weights are pulled towards equal weights. At 0 there is no pull."})
	return func(c *Course) (algo.Stepper, error) {
		problem, loop, upper, err := r.differentiating(c)
		if err != nil {
			return nil, err
		}
		decay, err := strconv.ParseFloat(r.Decay, 64)
		if err != nil {
			return nil, err
		}
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: problem, Start: c.Start, Loop: loop, Upper: upper, Mode: bilevel.Mode(r.Mode),
			Beta: r.Beta, Gamma: r.Gamma, Decay: decay, Rho: r.MoCoRho})
	}
}

// differentiating returns the configuration of the methods that differentiate through the loop.
func (r *Roster) differentiating(c *Course) (problem algo.LowerHessian, loop bilevel.Loop, upper bilevel.Upper, err error) {
	problem, ok := c.Problem.(algo.LowerHessian)
	if !ok {
		return nil, loop, upper, errors.New("the problem has no Hessian-vector products")
	}
	loop, upper = r.levels()
	loop.Optimizer, upper.OmegaStepSize = descent.Optimizer{}, 0
	return problem, loop, upper, nil
}

// bindBOME binds BOME's pull.
func (r *Roster) bindBOME(l *param.List) func(*Course) (algo.Stepper, error) {
	l.Number(&r.BOMERho, param.Descriptor{Name: "bome.rho", Symbol: "ρ", Label: "BOME’s pull", Min: 0, Max: 5, Step: 0.01, Method: BOME,
		Help: "The rate at which BOME has to lower q̃: φ = ρ‖∇q̃‖². (Liu et al. 2022.)"})
	return func(c *Course) (algo.Stepper, error) {
		loop, upper := r.levels()
		return bilevel.NewBOME(bilevel.BOMEConfig{Problem: c.Problem, Start: c.Start, Loop: loop, Upper: upper, Rho: r.BOMERho})
	}
}

// bindBVFIM binds BVFIM's constants.
func (r *Roster) bindBVFIM(l *param.List) func(*Course) (algo.Stepper, error) {
	for _, p := range []struct {
		field             *float64
		name, sign, label string
		least, most       float64
		help              string
	}{
		{&r.BVFIM.Regularization, "mu1", "μ₁", "BVFIM’s regularization", 0.0001, 10,
			"The weight of ‖ω‖² in the lower level’s regularised minimum."},
		{&r.BVFIM.Offset, "mu2", "μ₂", "BVFIM’s offset", 0.0001, 10, "How far the barrier is above the regularised minimum."},
		{&r.BVFIM.Theta, "theta", "θ", "BVFIM’s upper regularization", 0.0001, 10, "The weight of ‖ω‖² added to the upper objective."},
		{&r.BVFIM.Tau, "tau", "τ", "BVFIM’s barrier", 0.0001, 10, "The weight of the barrier −ln(f_reg − f)."},
		{&r.BVFIM.Shrink, "shrink", "r", "BVFIM’s decay", 0.5, 1, "The factor by which μ₁, μ₂, θ and τ are multiplied after every step. " +
			"At 1 they stay the same."},
	} {
		l.Number(p.field, param.Descriptor{Name: "bvfim." + p.name, Symbol: p.sign, Label: p.label, Min: p.least, Max: p.most, Scale: param.Log,
			Method: BVFIM, Help: p.help})
	}
	return func(c *Course) (algo.Stepper, error) {
		config := r.BVFIM
		config.Loop, config.Upper = r.levels()
		config.Upper.OmegaStepSize = 0
		config.Problem, config.Start = c.Problem, c.Start
		return bilevel.NewBVFIM(config)
	}
}

// bindNoCleaning binds nothing, because the method uses only the loop's parameters.
func (r *Roster) bindNoCleaning(*param.List) func(*Course) (algo.Stepper, error) {
	return func(c *Course) (algo.Stepper, error) {
		loop, _ := r.levels()
		return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: c.Problem, Start: c.Start, Loop: loop})
	}
}

// bindValidationOnly binds nothing, because the method uses only the loop's parameters.
func (r *Roster) bindValidationOnly(*param.List) func(*Course) (algo.Stepper, error) {
	return func(c *Course) (algo.Stepper, error) {
		loop, _ := r.levels()
		return bilevel.NewUpperOnly(bilevel.UpperOnlyConfig{Problem: c.Problem, Start: c.Start, Loop: loop})
	}
}
