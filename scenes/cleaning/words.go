package cleaning

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "cleaning",
	Title:    "Hyper-cleaning",
	Question: "Can a few clean samples tell which labels are wrong?",
	Summary: "Half of the jars on two shelves carry a wrong label, and somebody has tasted a few. So it is here: half of the labels of " +
		"two small data sets are wrong. Methods on two levels learn a weight for every training sample, so that a model trained " +
		"with these weights does well on a few clean ones: points fade as their weights fall, and the borders between the " +
		"classes move.",
	Try:  "Watch the ringed points fade: their labels are wrong, and no method was told. Then raise the share of wrong labels.",
	Done: "More points are ringed now, and they fade as before: FORUM gives them less than half the weight of the others.",
	Tried: condition.And(condition.AtLeast("corruption", 0.55),
		condition.Below(condition.Times(2, condition.Fact("corrupted.forum")), condition.Fact("clean.forum"))),
	Paper:      "FORUM, section 5.1",
	Group:      scene.TwoLevels,
	Hero:       "circle",
	Beside:     []string{"weights", "accuracy"},
	Keys:       []string{"method", "corruption", "T", "rho"},
	Comparison: &scene.Comparison{Fact: "accuracy", Higher: true, Step: "eta", StartsInfeasible: true, Baseline: "nocleaning"},
	Counts:     "step",
	Methods:    Methods,
	Symbols:    symbols,
	Presets:    presets,
	Facts:      factKinds.Help(),
	Equations:  twolevel.Equations(offered...),
	New:        func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(append([]string{twolevel.FORUMExact, twolevel.FORUMReleased}, offered...)...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration of the upper level: k = 0 is the start, where all weights are ½.", Source: "FORUM, Algorithm 1"},
	{Sign: "α", Text: "One number for each training sample: the upper variables.", Source: "FORUM, section 5.1"},
	{Sign: "σ(α)", Text: "The weight of a sample, 1/(1 + e^−α), between 0 and 1.", Source: "FORUM, section 5.1"},
	{Sign: "ω", Text: "The model: a softmax head for each data set, on the points themselves or on a shared layer of tanh units. The lower " +
		"variables.", Source: "FORUM, section 5.1"},
	{Sign: "F₁, F₂", Text: "The upper objectives: the model’s mean losses on the clean validation samples of each data set.",
		Source: "FORUM, section 5.1"},
	{Sign: "f", Text: "The lower objective: the weighted losses of the training samples, and (r/2)‖ω‖², which the paper does not have.",
		Source: "FORUM, section 5.1"},
	{Sign: "acc", Text: "The share of test samples that the model gets right.", Source: "FORUM, Table 1"},
	{Sign: "F1", Text: "Macro F1: the mean over the classes of 2tp/(2tp + fp + fn).", Source: "FORUM, Table 1"},
	{Sign: "AUC", Text: "The chance that a sample with a wrong label weighs less than one with a right label, ties counting ½: 1 detects " +
		"all, ½ none.", Source: "area under the ROC curve of −σ(α)"},
	{Sign: "val 2", Text: "A second clean validation set, which no method sees. The first iteration with the best accuracy there is the one " +
		"that is reported.", Source: "FORUM, section 5.1"},
	{Sign: "λ", Text: "The weights of the two data sets’ gradients.", Source: "FORUM, Algorithm 1"},
	{Sign: "q̃", Text: "By how much f is above what T steps of the lower level reach: FORUM’s and BOME’s constraint asks it to fall.",
		Source: "FORUM, equation (6)"},
	{Sign: "ν", Text: "The multiplier of that constraint.", Source: "FORUM, equations (9) and (17)"},
	{Sign: "T", Text: "The steps of the lower level’s loop.", Source: "FORUM, Algorithm 1"},
	{Sign: "η", Text: "The step size of the lower level’s loop: 0.3 in the paper.", Source: "FORUM, appendix D.1"},
	{Sign: "μ, μ_ω", Text: "The step sizes of α, 10 in the paper, and of ω where FORUM and BOME step in it, 0.3.",
		Source: "FORUM, appendix D.1"},
	{Sign: "ρ", Text: "How fast FORUM asks q̃ to fall.", Source: "FORUM, problem (7)"},
	{Sign: "BP, HVP", Text: "Gradients of one scalar function and products of the lower Hessian with a vector, spent so far.",
		Source: "FORUM, section 4.1"},
}

// fullLoop is the accuracy of FORUM with T = 16 on the first seed.
const fullLoop = 0.911

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "fade", Title: "Wrong labels fade", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption", "T"},
		Lead: "The ringed points fade, whose labels are wrong, though no method was told which.",
		Text: "FORUM’s borders come close to where clean labels would have them: it gets nine of ten test samples right. The thirty clean " +
			"samples alone would do as well: add “Validation only”.",
		Seeds:  "Trained on all labels alike the same model gets 66 ± 1 of 100 on average over 40 draws.",
		Values: map[string]string{"method": "forum,nocleaning"}},
	{ID: "rivals", Title: "MOML leans to one data set", Selected: "moml-1",
		Hero: "curve", Keys: []string{"method", "mu", "seed"},
		Lead: "MOML gives one data set more weight than the other, and MoCo nearly the same.",
		Text: "MGDA gives more weight to the data set with the shorter hypergradient; MoCo’s weights move a step at a time, and it does as " +
			"well as FORUM. Raise μ to 100, and half of what the first data set loses comes back here.",
		Seeds:      "The data set with less weight stays behind by two points or more on 9 of 20 draws.",
		References: []axes.Reference{axes.Level("curve", 0.5, "equal weights")},
		Values:     map[string]string{"method": "forum,moml,moco", "curve": curveBalance}},
	{ID: "early", Title: "A model can be good before it cleans", Selected: "forum-1",
		Hero: "accuracy", Keys: []string{"method", "rho", "T"},
		Lead: "FORUM’s model is good after one iteration, while its weights still tell nothing.",
		Text: "It steps in ω along the validation losses too. Then the constraint pulls the model to what the weights give, and accuracy dips " +
			"until they clean, here by nine points.",
		Seeds:  "The dip is 3.7 ± 0.5 points on average over 40 draws.",
		Values: map[string]string{"method": "forum,moco", "budget": "100", "speed": "30"}},
	{ID: "rho0", Title: "What if FORUM is pulled less?", Selected: "forum-1",
		Hero: "curve", Keys: []string{"rho", "T", "train"},
		Lead: "Where nothing asks the lower level’s excess to fall, it stays larger.",
		Text: "The paper loses two and a half points of accuracy by it (Table 5); with thirty clean samples it hardly shows. Raise ρ while it " +
			"runs.",
		Seeds: "In the first hundred iterations q̃ is 3.1 ± 0.2 times as large as at ρ = 0.5 on average over 40 draws. With five clean samples " +
			"ρ = 0 costs a point (see “How much does cleaning gain?”).",
		Values: map[string]string{"method": "forum", "rho": "0", "hidden": "8", "T": "16", "curve": curveQ}},
	{ID: "one", Title: "Is one lower step for each upper one enough?", Selected: "moml-1",
		Hero: "accuracy", Keys: []string{"T", "rho", "method"},
		Lead: "With one lower step for each upper one, models have no time to follow the weights.",
		Text: "Wrong labels are told nearly as well as with T = 16. FORUM’s steps along the validation losses make up for it only where " +
			"nothing pulls: ρ = 0 gains it fourteen points here.",
		Seeds:      "With ρ = 0 it gets 88 of 100 right on average over 40 draws, and the pull of ρ = 0.5 costs 4.8 ± 0.5 of them.",
		References: []axes.Reference{axes.Level("accuracy", fullLoop, "FORUM with T = 16")},
		Values:     map[string]string{"T": "1"}},
	{ID: "hidden", Title: "A hidden layer lets the borders bend", Selected: "forum-1",
		Hero: "spiral", Keys: []string{"hidden", "method", "spread"},
		Lead:  "With eight hidden units borders bend along the spiral, and FORUM gets more of it right.",
		Text:  "Both data sets share the units, of tanh, and three of ten labels are wrong.",
		Seeds: "On straight borders it gains 4.3 ± 0.4 points on average over 40 draws.",
		Values: map[string]string{"method": "forum,moco,nocleaning", "hidden": "8",
			"corruption": "0.3", "spread": "0.1", "train": "100", "validation": "60", "T": "16"}},
	{ID: "clean", Title: "What if all labels are right?", Selected: "forum-1",
		Hero: "weights", Keys: []string{"corruption", "method"},
		Lead:       "With all labels right FORUM’s weights stay near ½, and no method loses accuracy.",
		Text:       "There is nothing to clean. MoCo’s weights spread more.",
		References: []axes.Reference{axes.Upright("weights", 0.5, "½, where weights begin")},
		Values:     map[string]string{"corruption": "0"}},
	{ID: "most", Title: "What if four of five labels are wrong?", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption"},
		Lead: "With four of five labels wrong, cleaning makes nine of ten right of worse than guessing.",
		Text: "A wrong label is now more common than a right one. The thirty clean samples alone get nine of ten right too: add “Validation " +
			"only”.",
		Seeds:  "On average over 40 draws FORUM gets 89.2 ± 0.4 of 100 right, MoCo 88.0 ± 0.6, and MOML, which leans to one data set, 82 ± 1.",
		Values: map[string]string{"corruption": "0.8", "budget": "300"}},
	{ID: "table", Title: "How much does cleaning gain?",
		Keys: []string{"view"},
		Lead: "Every method that cleans gains on five clean samples alone, and on no cleaning.",
		Text: "Five clean samples and 200 to clean in each data set, five times over, with step sizes tuned for each method. Whiskers of gains " +
			"are standard errors of paired differences.",
		Seeds: "At T = 16 they gain two points or more on the clean samples alone, means of 20 draws, and five on no cleaning. ρ = 0 costs " +
			"FORUM one point, in the paper two and a half.",
		Values: map[string]string{"view": viewTable}},
}
