package runs

import (
	"fmt"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// NothingToHold says why the decision of a rule that does not promise effective coefficients cannot be
// kept for R steps.
const NothingToHold = "Its direction is no combination of the gradients of its step, so there are no coefficients to keep for R steps."

// BindRule binds the parameters of a weighting, as "method.parameter", with the
// page's words for them, and returns the constructor that reads them.
func BindRule(l *param.List, m weighting.Method) weighting.Constructor {
	construct := m.Bind(l, m.Name+".")
	for _, d := range m.Parameters() {
		name := m.Name + "." + d.Name
		text, known := ownTexts[name]
		if !known {
			panic(fmt.Sprintf("race: there is no text for %s in ownTexts (rules.go)", name))
		}
		l.Describe(name, text.label, text.help, text.options...)
	}
	return construct
}

// Limit and Limited are parameters of scenes with two objectives, in the place of the ε-constraint's own: its one
// limit, and the number of the objective that has it.
const (
	Limit   = "epsilon.limit"
	Limited = "epsilon.limited"
)

// LimitOf returns the ε-constraint's own settings for a limit of one of two objectives, "1" or "2".
func LimitOf(limit float64, limited string) (limits, objective string) {
	if limited == "1" {
		return fmt.Sprintf("%v,0", limit), "2"
	}
	return fmt.Sprintf("0,%v", limit), "1"
}

// ownText is how the page names and explains one parameter. Options belong to a
// choice, in any order.
type ownText struct {
	label, help string
	options     []param.Option
}

// ownTexts explains the weightings' own parameters, by "method.parameter".
var ownTexts = map[string]ownText{
	"si.normalize": {
		label: "Weights of sum 1",
		help:  "Divides the weights 1/f by their sum. Without it the direction is the gradient of Σ log f.",
	},
	"dwa.temperature": {
		label: "Temperature",
		help:  "How even the weights are: the larger, the more (Liu, Johns & Davison 2019, equation 7).",
	},
	"uw.lr": {
		label: "Learning rate of the log-variances",
		help:  "Step size with which each objective’s log-variance is learned.",
	},
	"mgda.normalize": {
		label: "Normalization",
		help: "What each gradient is divided by before the weights are computed (Sener & Koltun 2018, code). The direction " +
			"combines the gradients themselves.",
		options: []param.Option{
			{Value: "none", Label: "none", Help: "The gradients as they are."},
			{Value: "l2", Label: "gradient norm", Help: "Each gradient is divided by its length."},
			{Value: "loss", Label: "loss", Help: "Each gradient is divided by its loss, which must be positive."},
			{Value: "loss+", Label: "loss and gradient norm", Help: "Each gradient is divided by its length and its loss, which must be " +
				"positive."},
		},
	},
	"pcgrad.order": {
		label: "Order",
		help: "The order in which the other gradients, counted from 0, are taken: one list for each row, such as 1,2;2,0;0,1, or " +
			"one for all. An empty list is random.",
	},
	"pcgrad.reduction": {
		label: "Reduction",
		help:  "How the projected gradients are joined (Yu et al. 2020, Algorithm 1, has the sum).",
		options: []param.Option{
			{Value: "sum", Label: "sum", Help: "The changed gradients are added."},
			{Value: "mean", Label: "mean", Help: "The changed gradients are averaged."},
		},
	},
	"gradvac.beta": {
		label: "Rate of the cosine targets",
		help: "How far each target moves towards the cosine that was seen (Wang et al. 2021, equation (3), with 0.01; 0.5 is the " +
			"usual value in code).",
	},
	"gradvac.order": {
		label: "Order",
		help: "The order in which the other gradients, counted from 0, are taken: one list for each row, such as 1,2;2,0;0,1, or " +
			"one for all. An empty list is random.",
	},
	"graddrop.leak": {
		label: "Leak",
		help:  "What part of the entries of the sign not chosen stays (Chen et al. 2020, Algorithm 1).",
	},
	"cagrad.c": {
		label: "Radius",
		help: "How far the direction may be from the mean gradient, relative to its length (Liu et al. 2021); 0 is the mean " +
			"gradient.",
	},
	"cagrad.rescale": {
		label: "Rescaling",
		help:  "What the direction is divided by (Liu et al. 2021, code).",
		options: []param.Option{
			{Value: "none", Label: "none", Help: "The direction of the paper as it is."},
			{Value: "sq", Label: "1/(1 + c²)", Help: "The direction is divided by 1 + c²."},
			{Value: "lin", Label: "1/(1 + c)", Help: "The direction is divided by 1 + c, so that it is never longer than the mean gradient."},
		},
	},
	"nashmtl.maxnorm": {
		label: "Largest length",
		help:  "A longer direction is shortened to this length (Navon et al. 2022, code, has 1); 0 is no limit.",
	},
	"famo.lr": {
		label: "Learning rate of the logits",
		help:  "Step size with which the logits of the weights are learned (Liu et al. 2023).",
	},
	"famo.gamma": {
		label: "Decay of the logits",
		help:  "Pulls the weights back towards equal ones; 0 for none (Liu et al. 2023).",
	},
	"famo.epsilon": {
		label: "Guard of the logarithm",
		help:  "Added to each loss above its lower bound.",
	},
	"famo.b": {
		label: "Lower bounds of the losses",
		help: "One number for each objective, strictly below all its values. Where none are given they are those that the problem " +
			"states, or 0.",
	},
	"famo.optimizer": {
		label: "Optimizer of the logits",
		help:  "How the logits follow their gradient.",
		options: []param.Option{
			{Value: "adam", Label: "Adam", Help: "Adam with β1 = 0.9, β2 = 0.999 and ε = 1e-8, as in the published code."},
			{Value: "plain", Label: "plain", Help: "A gradient step, as the paper states it."},
		},
	},
	"fairgrad.alpha": {
		label: "Fairness",
		help:  "The exponent of α-fairness (Ban & Ji 2024): 1 is Nash-MTL, large values look after the objective that gains least.",
	},
	"sdmgrad.kappa": {
		label: "Pull to the mean gradient",
		help:  "0 is MGDA; large values follow the mean gradient (Xiao, Ban & Ji 2023, equation 5).",
	},
	"sdmgrad.stochastic": {
		label: "Stochastic form",
		help: "Moves the weights by gradients of independent samples instead of solving for them (Xiao, Ban & Ji 2023, Algorithm " +
			"1).",
	},
	"sdmgrad.gamma": {
		label: "Step size of the weights",
		help:  "How far one inner step of the stochastic form moves the weights.",
	},
	"sdmgrad.inner": {
		label: "Inner steps",
		help:  "Steps of the weights in each decision of the stochastic form; each takes two further Jacobians.",
	},
	"moco.beta": {
		label: "Tracking rate",
		help:  "How much of each new gradient enters the tracked one; 1 forgets the past (Fernando et al. 2023, Algorithm 1).",
	},
	"moco.gamma": {
		label: "Step size of the weights",
		help:  "How far one decision moves the weights (Fernando et al. 2023, Algorithm 1).",
	},
	"moco.decay": {
		label: "Decay of both",
		help:  "At decision k, from 0, β and γ are divided by (k+1) to this power; 0 keeps them.",
	},
	"moco.rho": {
		label: "Regularization",
		help:  "Pulls the weights towards equal ones (Fernando et al. 2023, equation 9).",
	},
	"modo.gamma": {
		label: "Step size of the weights",
		help:  "How far one decision moves the weights (Chen et al. 2024, Algorithm 1).",
	},
	"upgrad.regularization": {
		label: "Regularization",
		help: "Added to the diagonal of the Gramian of trace 1 before the projections (Quinton & Rey 2024, code, has 1e-4); 0 " +
			"projects exactly.",
	},
	"alignedmtl.scale": {
		label: "Scale",
		help:  "Whether the aligned gradients are averaged or added (Senushkin et al. 2023).",
		options: []param.Option{
			{Value: "mean", Label: "mean", Help: "The changed gradients are averaged."},
			{Value: "sum", Label: "sum", Help: "The changed gradients are added."},
		},
	},
	"epo.preference": {
		label: "Preference",
		help: "One number above 0 for each objective, such as 0.3,0.7: the run looks for the Pareto-optimal point where all r_i " +
			"f_i are equal (Mahapatra & Rajan 2020). None means equal ones.",
	},
	"stch.preference": {
		label: "Preference",
		help: "One number above 0 for each objective, such as 0.3,0.7: the larger it is, the more the objective counts in the maximum " +
			"(Lin et al. 2024). They are divided by their mean; none means equal ones.",
	},
	"stch.mu": {
		label: "Smoothness of the maximum",
		help: "The smaller, the more the largest loss counts alone (Lin et al. 2024, equation (9), whose preferences have sum 1 instead " +
			"of mean 1: there μ is this over the number of objectives).",
	},
	"stch.log": {
		label: "Logarithms of the losses",
		help: "Goes down a smooth maximum of log(fᵢ/nᵢ), nᵢ being the first loss that the rule sees in a run, so that units do not " +
			"matter. Every loss must be positive.",
	},
	"epsilon.limits": {
		label: "Limits",
		help: "One number for each objective, such as 0.3,0; the one that is minimised has no use for its own. None means the losses of " +
			"the first step: then no other objective may end above where it began.",
	},
	"epsilon.objective": {
		label: "Minimised objective",
		help:  "The number of the objective that is minimised, from 1; 0 is the last. Each other has a limit.",
	},
	"epsilon.rate": {
		label: "Approach to the limits",
		help: "To first order what a loss lacks to its limit shrinks by the part ηκ in a step of size η, and so does what it has too much " +
			"(Allibhoy & Cortés 2024, α there).",
	},
	"epsilon.bound": {
		label: "Largest weight",
		help: "How much a limited objective may weigh where the minimised one weighs 1. Where the front is steeper than this, a run ends " +
			"above the limit. (Ours: the reference has no bound.)",
	},
	"dbmtl.beta": {
		label: "Memory of the gradients",
		help:  "What share of the averaged gradients is kept at the first step (Lin et al. 2023, Algorithm 1).",
	},
	"dbmtl.sigma": {
		label: "Decay of the memory",
		help:  "At decision k, from 1, the share that is kept is divided by k to this power; 0 keeps it.",
	},
	"gradnorm.alpha": {
		label: "Pull to equal rates",
		help: "How much longer the gradient of a loss that falls slowly is to be; 0 makes all equally long (Chen et al. 2018, " +
			"equation (2)).",
	},
	"gradnorm.lr": {
		label: "Learning rate of the weights",
		help:  "Step size with which the weights are learned, for gradients of length 1 or so.",
	},
	"excessmtl.gamma": {
		label: "Step size of the weights",
		help:  "How fast weights grow with what their objectives can still fall (He et al. 2024, Algorithm 1).",
	},
}
