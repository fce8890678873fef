package federated

import (
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "federated",
	Title:    "Federated clients",
	Question: "Can a few models serve many clients that differ?",
	Summary: "Twenty clients train five models on data of their own, and each takes the model that is best on its validation samples. A " +
		"line is a method: the accuracy of each client, the worst served first.",
	Try:     "Set the number of solutions, the models, to 1: MosT’s line comes down, for no model can serve all these clients well.",
	Tried:   condition.AtMost("m", 1),
	Paper:   "Many-Objective Multi-Solution Transport, section 6.2",
	Group:   scene.ManyGoals,
	Hero:    "clients",
	Keys:    []string{"method", "m", "rho2", "localepochs"},
	Counts:  "round",
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Facts:   factKinds.Help(),
	Several: true,
	New:     func() scene.Scene { return New() },

	Equations: plans.Equations(letters, Methods),
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "n, m", Text: "The number of clients, which are the objectives, and of solutions.", Source: "MosT, section 3"},
	{Sign: "θ", Text: "A solution: the weights of a linear model with a softmax.", Source: "MosT, appendix D.2"},
	{Sign: "L", Text: "The loss of a solution on a client’s training samples.", Source: "MosT, section 6.2"},
	{Sign: "Γ", Text: "The plan of transport: how much of each solution’s service each client gets, the cheapest by L whose rows and " +
		"columns have given sums.", Source: "MosT, equation (3)"},
	{Sign: "τ, R(Γ)", Text: "The reward for clients that are served by one solution. Where n is a multiple of m and all masses are equal, " +
		"every cheapest plan is of that kind, and it changes nothing.", Source: "MosT, equation (5)"},
	{Sign: "η", Text: "The step size of the clients’ training.", Source: "MosT, appendix D.2"},
	{Sign: "E", Text: "How often a client passes through its samples before it sends what became of a solution.",
		Source: "McMahan et al. 2017"},
	{Sign: "ρ₂", Text: "The standard deviation of the clients’ means of their features.", Source: "Li et al. 2020, section 5.1"},
	{Sign: "ρ₁", Text: "The standard deviation of the means of the models that give clients their labels.",
		Source: "Li et al. 2020, section 5.1"},
	{Sign: "acc", Text: "The share of a client’s test samples that are right with the solution that it chose: the one with the most right " +
		"validation samples and, among equals, the least loss on them.", Source: "MosT, section 6.2"},
	{Sign: "KL", Text: "The symmetric Kullback–Leibler divergence between the predictions of two solutions, mean over pairs and clients.",
		Source: "MosT, section 6.2"},
	{Sign: "BP", Text: "Local trainings so far: of one solution by one client in one round each.", Source: "MosT, appendix F"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "plan", Title: "What if each client trains only one model?", Selected: plans.MosT,
		Hero: "plan", Keys: []string{"method", "m", "seed"},
		Text: "The plan gives every solution four clients, so that a client trains one model a round where MGDA and FedAvg let it " +
			"train five. No client ever changes hands: what it loses with the random models of the start decides for good. MosT’s " +
			"clients get more test samples right than those of both: on average over 20 draws 81 of 100, MGDA’s 76 and FedAvg’s " +
			"75; of the worst fifth 53, 45 and 40.",
		Values: map[string]string{"method": "most,mgda,fedavg", "view": viewWorst}},
	{ID: "alike", Title: "Five models become one", Selected: plans.FedAvg,
		Hero: "curve", Keys: []string{"method", "m"},
		Text: "FedAvg starts from five models, and the average of all clients draws them together: in the end their predictions " +
			"diverge by less than 0.01, MosT’s by 1.5 or more. So five models serve hardly better than one, by 0.7 ± 0.2 points " +
			"over 20 draws, where MosT gains 19 ± 1.",
		Values: map[string]string{"method": "fedavg,most", "view": viewDivergence}},
	{ID: "experts", Title: "Good for its own, worse for others", Selected: plans.MosT,
		Hero: "curve", Keys: []string{"method", "m"},
		Text: "The loss of the best model for each client falls, and the dotted mean over all models rises: each of MosT’s models " +
			"gets better for its own clients and worse for the others. FedAvg lowers both, and they meet.",
		Values: map[string]string{"method": "most,fedavg", "view": viewLosses}},
	{ID: "one", Title: "Can a single model serve every client?", Selected: plans.MosT,
		Hero: "curve", Keys: []string{"m", "method"},
		Text: "With one solution the plan leaves no choice, and MosT is MGDA. Its steps must serve every client at once; those of FedAvg " +
			"and MosT(L), whose weights do not ask for that, at times go against some client’s, and both get more test samples right: on " +
			"average over 20 draws 74 and 75 of 100, MGDA 62.",
		Values: map[string]string{"method": "most,most-l,mgda,fedavg", "m": "1", "view": viewLosses}},
	{ID: "weights", Title: "Weights from the plan, or from MGDA?", Selected: plans.Weights,
		Hero: "curve", Keys: []string{"method", "seed"},
		Text: "MosT(L) moves a solution by the mean of its clients’ updates, MosT by MGDA’s weights of them, which a client with " +
			"short updates gets most of. MosT(L) is ahead, by 3.0 ± 0.6 points over 20 draws, and by 6 ± 1 for the worst fifth; in " +
			"the paper MosT is, by one to two points (Table E).",
		Values: map[string]string{"method": "most,most-l", "view": viewLosses}},
	{ID: "greedy", Title: "What if every model takes just one client?", Selected: plans.Models,
		Hero: "chosen", Keys: []string{"method", "m"},
		Text: "In MosT(M) every solution takes the client that it serves best and trains with that one alone, so that five clients " +
			"at most are heard in a round. MosT’s clients get more than ten points more right: on average over 20 draws MosT(M) " +
			"gets 54 of 100 test samples, and 12 for the worst fifth of the clients.",
		Values: map[string]string{"method": "most-m,most,most-o", "view": viewWorst}},
	{ID: "differ", Title: "What if the clients’ features differ?", Selected: plans.MosT,
		Hero: "curve", Keys: []string{"rho2", "curriculum", "method"},
		Text: "With ρ₂ = 2 clients lie far apart, and what counts are the weights: MosT(L) is ahead of MGDA, " +
			"by 10.8 ± 0.9 over 20 draws. MosT gains 3.7 ± 0.9, about what it gains with ρ₂ = 0, 4.4 ± 0.7. Try the " +
			"curriculum as we read the paper: it gives MosT 1.4 ± 0.8 points over these draws, and none with ρ₂ = 0.",
		Values: map[string]string{"method": "most,most-l,mgda", "rho2": "2", "view": viewLosses}},
	{ID: "drift", Title: "What if clients train long on their own?", Selected: plans.FedAvg,
		Hero: "curve", Keys: []string{"localepochs", "method"},
		Text: "Clients go twice as far on their own before they send what they have. After thirty rounds FedAvg has lost by it, " +
			"FedProx, which draws clients back, is ahead of it, and MosT, whose models have four clients each, is ahead of both. " +
			"On average over 20 draws FedAvg gets 63 of 100 test samples, with one local epoch 71; FedProx gets 70, and MosT 78.",
		Values: map[string]string{"method": "fedavg,fedprox,most", "localepochs": "10", "budget": "30", "view": viewLosses}},
	{ID: "rho1", Title: "A setting that changes nothing at all", Selected: plans.MosT,
		Keys: []string{"rho1", "method"},
		Text: "ρ₁ moves the mean of the model that gives a client its labels. That adds the same to the scores of all classes and changes no " +
			"label: with ρ₁ = 3 the runs are those with ρ₁ = 0, to the last bit.",
		Values: map[string]string{"method": "most,fedavg", "rho1": "3"}},
}
