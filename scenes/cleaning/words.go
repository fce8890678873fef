package cleaning

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "cleaning",
	Title:    "Hyper-cleaning",
	Question: "Can a few clean samples reveal which labels are wrong?",
	Summary: "Half of the jars on two shelves have wrong labels, and someone has tasted a few. Likewise, half of the labels of two small " +
		"data sets are wrong. Two-level methods learn a weight for every training sample, so that a model trained with these weights does " +
		"well on a few clean samples. Points fade as their weights fall, and the class borders move.",
	Try:  "Watch the ringed points fade: their labels are wrong, but no method knows this. Then raise the share of wrong labels.",
	Done: "More points are now ringed, and they fade as before: FORUM gives them less than half the weight of the other points.",
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
	{Sign: "k", Text: "The iteration of the upper level. k = 0 is the start, with all weights ½.", Source: "FORUM, Algorithm 1"},
	{Sign: "α", Text: "The upper variables: one number for each training sample.", Source: "FORUM, section 5.1"},
	{Sign: "σ(α)", Text: "The weight of a sample, 1/(1 + e^−α), between 0 and 1.", Source: "FORUM, section 5.1"},
	{Sign: "ω", Text: "The lower variables: the model. It has a softmax head for each data set, on the raw points or on a shared layer " +
		"of tanh units.", Source: "FORUM, section 5.1"},
	{Sign: "F₁, F₂", Text: "The upper objectives: the model’s mean losses on the clean validation samples of each data set.",
		Source: "FORUM, section 5.1"},
	{Sign: "f", Text: "The lower objective: the weighted losses of the training samples plus (r/2)‖ω‖². The paper does not use the " +
		"second term.",
		Source: "FORUM, section 5.1"},
	{Sign: "acc", Text: "The share of test samples that the model classifies correctly.", Source: "FORUM, Table 1"},
	{Sign: "F1", Text: "Macro F1: the mean over the classes of 2tp/(2tp + fp + fn).", Source: "FORUM, Table 1"},
	{Sign: "AUC", Text: "The probability that a sample with a wrong label weighs less than one with a right label (ties count ½). 1 " +
		"means perfect detection, ½ means none.", Source: "area under the ROC curve of −σ(α)"},
	{Sign: "val 2", Text: "A second clean validation set, which no method uses. The scene reports the first iteration with the best " +
		"accuracy on it.", Source: "FORUM, section 5.1"},
	{Sign: "λ", Text: "The weights of the two data sets’ gradients.", Source: "FORUM, Algorithm 1"},
	{Sign: "q̃", Text: "The excess of f over its value after T steps of the lower level. FORUM’s and BOME’s constraint makes it fall.",
		Source: "FORUM, equation (6)"},
	{Sign: "ν", Text: "The multiplier of FORUM’s and BOME’s constraint.", Source: "FORUM, equations (9) and (17)"},
	{Sign: "T", Text: "The number of steps of the lower level’s loop.", Source: "FORUM, Algorithm 1"},
	{Sign: "η", Text: "The step size of the lower level’s loop: 0.3 in the paper.", Source: "FORUM, appendix D.1"},
	{Sign: "μ, μ_ω", Text: "The step sizes of α (10 in the paper) and of FORUM’s and BOME’s direct steps in ω (0.3).",
		Source: "FORUM, appendix D.1"},
	{Sign: "ρ", Text: "How fast FORUM makes q̃ fall.", Source: "FORUM, problem (7)"},
	{Sign: "BP, HVP", Text: "The numbers of single-function gradients, and of products of the lower Hessian with a vector, computed so far.",
		Source: "FORUM, section 4.1"},
}

// fullLoop is the accuracy of FORUM with T = 16 on the first seed.
const fullLoop = 0.911

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "fade", Title: "Wrong labels fade", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption", "T"},
		Lead: "The ringed points, whose labels are wrong, fade, although no method knows which they are.",
		Text: "FORUM’s borders end close to those for clean labels, and it gets nine in ten test samples right. The thirty clean samples alone " +
			"do as well; add “Validation only” to see this.",
		Seeds:  "Trained equally on all labels, the same model gets 66 ± 1 of 100 test samples right on average over 40 draws.",
		Values: map[string]string{"method": "forum,nocleaning"}},
	{ID: "rivals", Title: "MOML favours one data set", Selected: "moml-1",
		Hero: "curve", Keys: []string{"method", "mu", "seed"},
		Lead: "MOML gives one data set more weight than the other; MoCo gives both nearly the same.",
		Text: "MGDA gives more weight to the data set with the shorter hypergradient; MoCo changes its weights gradually and does as well " +
			"as FORUM. Raise μ to 100: the first data set regains half of what it lost here.",
		Seeds:      "On 9 of 20 draws, the data set with less weight stays behind the other by at least two points of accuracy.",
		References: []axes.Reference{axes.Level("curve", 0.5, "equal weights")},
		Values:     map[string]string{"method": "forum,moml,moco", "curve": curveBalance}},
	{ID: "early", Title: "A model can be good before any cleaning", Selected: "forum-1",
		Hero: "accuracy", Keys: []string{"method", "rho", "T"},
		Lead: "FORUM’s model is good after one iteration, while the sample weights still carry no information.",
		Text: "FORUM also moves ω down the validation losses. Then the constraint pulls the model towards the result of weighted training, and " +
			"the accuracy dips until the weights are useful; the dip is nine points here.",
		Seeds:  "The dip is 3.7 ± 0.5 points of accuracy on average over 40 draws.",
		Values: map[string]string{"method": "forum,moco", "budget": "100", "speed": "30"}},
	{ID: "rho0", Title: "What if FORUM’s constraint is weaker?", Selected: "forum-1",
		Hero: "curve", Keys: []string{"rho", "T", "train"},
		Lead: "With ρ = 0, nothing reduces the lower level’s excess, which stays larger than with ρ = 0.5.",
		Text: "In the paper ρ = 0 costs two and a half points of accuracy (Table 5); with thirty clean samples it hardly matters. Raise ρ " +
			"during the run.",
		Seeds: "In the first hundred iterations, q̃ with ρ = 0 is 3.1 ± 0.2 times as large as with ρ = 0.5, on average over 40 draws. With " +
			"five clean samples, ρ = 0 costs one point (see “How much does cleaning gain?”).",
		Values: map[string]string{"method": "forum", "rho": "0", "hidden": "8", "T": "16", "curve": curveQ}},
	{ID: "one", Title: "Is one lower step per upper step enough?", Selected: "moml-1",
		Hero: "accuracy", Keys: []string{"T", "rho", "method"},
		Lead: "With one lower step per upper step, models have no time to follow the weights.",
		Text: "Wrong labels are detected nearly as well as with T = 16. FORUM’s steps down the validation losses compensate for T = 1 only " +
			"without the constraint’s pull: ρ = 0 gains FORUM fourteen points here.",
		Seeds:      "With ρ = 0, FORUM gets 88 of 100 test samples right on average over 40 draws; the pull of ρ = 0.5 costs 4.8 ± 0.5 of them.",
		References: []axes.Reference{axes.Level("accuracy", fullLoop, "FORUM with T = 16")},
		Values:     map[string]string{"T": "1"}},
	{ID: "hidden", Title: "A hidden layer lets the borders bend", Selected: "forum-1",
		Hero: "spiral", Keys: []string{"hidden", "method", "spread"},
		Lead:  "With eight hidden units, borders bend along the spiral, and FORUM gets more of the spiral’s points right.",
		Text:  "Both data sets share the tanh units, and three in ten labels are wrong.",
		Seeds: "Compared with straight borders, FORUM gains 4.3 ± 0.4 points of accuracy on average over 40 draws.",
		Values: map[string]string{"method": "forum,moco,nocleaning", "hidden": "8",
			"corruption": "0.3", "spread": "0.1", "train": "100", "validation": "60", "T": "16"}},
	{ID: "clean", Title: "What if all labels are right?", Selected: "forum-1",
		Hero: "weights", Keys: []string{"corruption", "method"},
		Lead:       "With all labels right, FORUM’s weights stay near ½, and no method loses accuracy.",
		Text:       "There is nothing to clean. MoCo’s weights spread more than FORUM’s.",
		References: []axes.Reference{axes.Upright("weights", 0.5, "½, the initial weight")},
		Values:     map[string]string{"corruption": "0"}},
	{ID: "most", Title: "What if four in five labels are wrong?", Selected: "forum-1",
		Hero: "circle", Keys: []string{"method", "corruption"},
		Lead: "With four in five labels wrong, cleaning raises accuracy from worse than guessing to nine in ten.",
		Text: "Wrong labels are now more common than right ones. The thirty clean samples alone also get nine in ten right: add “Validation " +
			"only”.",
		Seeds: "On average over 40 draws, FORUM gets 89.2 ± 0.4 of 100 test samples right, MoCo 88.0 ± 0.6, and MOML, which favours " +
			"one data set, 82 ± 1.",
		Values: map[string]string{"corruption": "0.8", "budget": "300"}},
	{ID: "table", Title: "How much does cleaning gain?",
		Keys: []string{"view"},
		Lead: "Every method that cleans does better than five clean samples alone, and better than no cleaning.",
		Text: "Each data set has five clean samples and 200 to clean. Each method has tuned step sizes and five runs. The gains’ whiskers " +
			"show standard errors of paired differences.",
		Seeds: "With T = 16 cleaning gains at least two points over the clean samples alone and five over no cleaning (means of 20 draws). ρ = " +
			"0 costs FORUM one point; in the paper it costs two and a half.",
		Values: map[string]string{"view": viewTable}},
}
