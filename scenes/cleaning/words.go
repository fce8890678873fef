package cleaning

import (
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "cleaning",
	Title:    "Hyper-cleaning",
	Question: "Can a few clean samples tell which labels are wrong?",
	Summary: "Half of the labels of two small data sets are wrong. Methods on two levels learn a weight for every training sample, so that " +
		"a model trained with these weights does well on a few clean ones: points fade as their weights fall, and the borders between the " +
		"classes move.",
	Try:       "Watch the ringed points fade: their labels are wrong, and no method was told. Then raise the share of wrong labels.",
	Tried:     condition.Changed("corruption"),
	Paper:     "FORUM, section 5.1",
	Group:     scene.TwoLevels,
	Hero:      "circle",
	Keys:      []string{"method", "corruption", "T", "rho"},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: twolevel.Equations(offered...),
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(append([]string{twolevel.FORUMExact}, offered...)...)

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

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "fade", Title: "Wrong labels fade", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption", "T"},
		Text: "Half of the labels are wrong. FORUM lets the ringed points fade, and its borders come close to where clean labels would have " +
			"them: it gets nine of ten test samples right. Trained on all labels alike the same model gets 65 of 100 on average over 20 draws. " +
			"The thirty clean samples alone would do as well: add “Validation only”.",
		Values: map[string]string{"method": "forum,nocleaning"}},
	{ID: "rivals", Title: "MOML leans to one data set", Selected: "moml-1",
		Hero: "curve", Keys: []string{"method", "mu", "seed"},
		Text: "MGDA gives more weight to the data set with the shorter hypergradient, and MOML leans to one of them. The other stays behind by " +
			"two points or more on 9 of 20 draws, here the first by 11; raise μ to 100 and half of that gap closes here. MoCo’s weights move a " +
			"step at a time and stay nearly equal: it does as well as FORUM.",
		Values: map[string]string{"method": "forum,moml,moco", "curve": curveBalance}},
	{ID: "early", Title: "A model can be good before it cleans", Selected: "forum-1",
		Hero: "accuracy", Keys: []string{"method", "rho", "T"},
		Text: "FORUM steps in ω along the validation losses too: after one iteration its model is good, while the weights still tell " +
			"nothing. Then the constraint draws the model to what the weights give, and accuracy dips until they clean: by four points on average " +
			"over 20 draws, here by nine.",
		Values: map[string]string{"method": "forum,moco", "budget": "100", "speed": "10"}},
	{ID: "rho0", Title: "What if FORUM is pulled less?", Selected: "forum-1",
		Hero: "curve", Keys: []string{"rho", "T", "train"},
		Text: "Nothing asks q̃ to fall beyond what it must: in the first hundred iterations it is larger than at ρ = 0.5, three times on " +
			"average over 20 draws. The paper loses two and a half points of accuracy by it (Table 5); with thirty clean samples it hardly shows, " +
			"with five it does (see “How much does cleaning gain?”). Raise ρ while it runs.",
		Values: map[string]string{"method": "forum", "rho": "0", "hidden": "8", "T": "16", "curve": curveQ}},
	{ID: "one", Title: "Is one lower step for each upper one enough?", Selected: "moml-1",
		Hero: "accuracy", Keys: []string{"T", "rho", "method"},
		Text: "One step of the lower level for each of the upper. Wrong labels are told nearly as well as with T = 16, but the models have " +
			"no time to follow the weights. FORUM’s steps along the validation losses make up for it only where nothing pulls: with ρ = 0 it gets " +
			"88 of 100 right on average over 20 draws, and the pull of ρ = 0.5 costs five of them, here fourteen.",
		Values: map[string]string{"T": "1"}},
	{ID: "hidden", Title: "A hidden layer lets the borders bend", Selected: "forum-1",
		Hero: "spiral", Keys: []string{"hidden", "method", "spread"},
		Text: "Eight tanh units shared by both data sets, three of ten labels wrong: borders bend along the spiral, and FORUM gets more of " +
			"it right than with straight ones, five points on average over 20 draws.",
		Values: map[string]string{"method": "forum,moco,nocleaning", "hidden": "8",
			"corruption": "0.3", "spread": "0.1", "train": "100", "validation": "60", "T": "16"}},
	{ID: "clean", Title: "What if all labels are right?", Selected: "forum-1",
		Hero: "weights", Keys: []string{"corruption", "method"},
		Text:   "There is nothing to clean: FORUM’s weights stay near ½, MoCo’s spread more, and no method loses accuracy by it.",
		Values: map[string]string{"corruption": "0"}},
	{ID: "most", Title: "What if four of five labels are wrong?", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption"},
		Text: "A wrong label is now more common than a right one, so training on all is worse than guessing. Every method that cleans turns " +
			"that round: on average over 20 draws FORUM gets 90 of 100 right, MoCo 89, and MOML, which leans to one data set, 83. The thirty " +
			"clean samples alone get nine of ten right. Add “Validation only”.",
		Values: map[string]string{"corruption": "0.8", "budget": "300"}},
	{ID: "table", Title: "How much does cleaning gain?",
		Keys: []string{"view"},
		Text: "Five clean samples and 200 to clean in each data set, five times over, with step sizes tuned for each method. At T = 16 every " +
			"method that cleans gains two points or more on the clean samples alone, means of 20 draws, and five on no cleaning; here two to " +
			"four, and four to five. ρ = 0 costs FORUM one point, in the paper two and a half. Whiskers of gains are standard errors of paired " +
			"differences.",
		Values: map[string]string{"view": viewTable}},
}
