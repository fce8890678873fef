package cleaning

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/bilevelroster"
)

// Summary says what one sees.
const Summary = "Half of the labels of two small data sets are wrong. Methods on two levels learn a weight for every training sample, so that a model trained with these weights does well on a few clean ones: points fade as their weights fall, and the borders between the classes move."

// Try says what to do first.
const Try = "Play, and watch the ringed points fade. Then select another method, and raise the share of wrong labels."

// Methods are the scene's methods in the order of lists and legends.
var Methods = bilevelroster.Methods(offered...)

// Symbols explains what is on screen.
var Symbols = []param.Symbol{
	{Sign: "k", Text: "The iteration of the upper level: k = 0 is the start, where all weights are ½.", Source: "FORUM, Algorithm 1"},
	{Sign: "α", Text: "One number for each training sample: the upper variables.", Source: "FORUM, section 5.1"},
	{Sign: "σ(α)", Text: "The weight of a sample, 1/(1 + e^−α), between 0 and 1.", Source: "FORUM, section 5.1"},
	{Sign: "ω", Text: "The model: a softmax head for each data set, on the points themselves or on a shared layer of tanh units. The lower variables.", Source: "FORUM, section 5.1"},
	{Sign: "F₁, F₂", Text: "The upper objectives: the model’s mean losses on the clean validation samples of each data set.", Source: "FORUM, section 5.1"},
	{Sign: "f", Text: "The lower objective: the weighted losses of the training samples, and (r/2)‖ω‖², which the paper does not have.", Source: "FORUM, section 5.1"},
	{Sign: "acc", Text: "The share of test samples that the model gets right.", Source: "FORUM, Table 1"},
	{Sign: "F1", Text: "Macro F1: the mean over the classes of 2tp/(2tp + fp + fn).", Source: "FORUM, Table 1"},
	{Sign: "AUC", Text: "The chance that a sample with a wrong label weighs less than one with a right label, ties counting ½: 1 detects all, ½ none.", Source: "area under the ROC curve of −σ(α)"},
	{Sign: "val 2", Text: "A second clean validation set, which no method sees. The first iteration with the best accuracy there is the one that is reported.", Source: "FORUM, section 5.1"},
	{Sign: "λ", Text: "The weights of the two data sets’ gradients.", Source: "FORUM, Algorithm 1"},
	{Sign: "q̃", Text: "By how much f is above what T steps of the lower level reach: FORUM’s and BOME’s constraint asks it to fall.", Source: "FORUM, equation (6)"},
	{Sign: "ν", Text: "The multiplier of that constraint.", Source: "FORUM, equations (9) and (17)"},
	{Sign: "T", Text: "The steps of the lower level’s loop.", Source: "FORUM, Algorithm 1"},
	{Sign: "η", Text: "The step size of the lower level’s loop: 0.3 in the paper.", Source: "FORUM, appendix D.1"},
	{Sign: "μ, μ_ω", Text: "The step sizes of α, 10 in the paper, and of ω where FORUM and BOME step in it, 0.3.", Source: "FORUM, appendix D.1"},
	{Sign: "ρ", Text: "How fast FORUM asks q̃ to fall.", Source: "FORUM, problem (7)"},
	{Sign: "BP, HVP", Text: "Gradients of one scalar function and products of the lower Hessian with a vector, spent so far.", Source: "FORUM, section 4.1"},
}

// presets are the one-click cards.
var presets = []param.Preset{}
