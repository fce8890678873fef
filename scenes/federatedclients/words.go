package federatedclients

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "federated",
	Title:    "Federated clients",
	Question: "Can a few models serve many different clients?",
	Summary: "Twenty clinics train five models together without sharing patient data. Each clinic then uses the model that suits its own " +
		"patients best. The clinics are the clients; each has its own data and chooses a model by its validation samples. Each line is a " +
		"method. It shows the accuracy of each client, with the worst client on the left and a bar at the mean of the worst fifth.",
	Try:  "Set the number of solutions (models) to 1: MosT’s line drops, because no single model can serve all these clients well.",
	Done: "MosT’s line is now below FedAvg’s: its single model serves the clients worse than FedAvg’s.",
	Tried: condition.And(condition.AtMost("m", 1), condition.FactAtLeast("iteration", 20),
		condition.Below(condition.Fact("accuracy.most"), condition.Plus(condition.Fact("accuracy.fedavg"), -0.02))),
	Paper:      "Many-Objective Multi-Solution Transport, section 6.2",
	Group:      scene.ManyGoals,
	Hero:       "clients",
	Beside:     []string{"chosen", "accuracy"},
	Keys:       []string{"method", "m", "rho2", "localepochs"},
	Comparison: &scene.Comparison{Fact: "accuracy", Higher: true, Step: "eta", Baseline: "fedavg"},
	Counts:     "round",
	Methods:    Methods,
	Symbols:    symbols,
	Presets:    presets,
	Facts:      factKinds.Help(),
	Several:    true,
	New:        func() scene.Scene { return New() },

	Equations: plans.Equations(letters, Methods),
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "n, m", Text: "The numbers of clients and of solutions. The clients are the objectives.", Source: "MosT, section 3"},
	{Sign: "θ", Text: "A solution: the weights of a linear model with a softmax.", Source: "MosT, appendix D.2"},
	{Sign: "L", Text: "The loss of a solution on a client’s training samples.", Source: "MosT, section 6.2"},
	{Sign: "Γ", Text: "The transport plan: how much each solution serves each client. It is the cheapest plan with costs L and the " +
		"given row and column sums.", Source: "MosT, equation (3)"},
	{Sign: "τ, R(Γ)", Text: "The reward for serving each client with only one solution. If n is a multiple of m and all masses are " +
		"equal, every cheapest plan already does so, and τ has no effect.", Source: "MosT, equation (5)"},
	{Sign: "η", Text: "The step size of the clients’ training.", Source: "MosT, appendix D.2"},
	{Sign: "E", Text: "The number of passes of a client through its samples before it sends back the trained solution.",
		Source: "McMahan et al. 2017"},
	{Sign: "ρ₂", Text: "The standard deviation of the clients’ feature means.", Source: "Li et al. 2020, section 5.1"},
	{Sign: "ρ₁", Text: "The standard deviation of the means of the models that generate the clients’ labels.",
		Source: "Li et al. 2020, section 5.1"},
	{Sign: "acc", Text: "The share of a client’s test samples that its chosen solution classifies correctly. The client chooses the " +
		"solution that classifies the most validation samples correctly, with ties broken by the lower validation " +
		"loss.", Source: "MosT, section 6.2"},
	{Sign: "KL", Text: "The symmetric Kullback–Leibler divergence between the predictions of two solutions, averaged over pairs and clients.",
		Source: "MosT, section 6.2"},
	{Sign: "BP", Text: "The number of local training runs so far. In one local training run, one client trains one solution for one round.",
		Source: "MosT, appendix F"},
}

// withoutDrift is FedAvg's accuracy after thirty rounds with one local epoch each, on the first seed.
const withoutDrift = 0.744

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "plan", Title: "What if each client trains only one model?", Selected: plans.MosT,
		Hero: "plan", Keys: []string{"method", "m", "seed"},
		Lead: "The plan gives each client one model to train, and no client ever changes its model.",
		Text: "With MGDA and FedAvg, every client trains all five. The losses of the random start models decide MosT’s assignment for good, " +
			"yet MosT’s clients get more test samples right.",
		Seeds:  "On average over 20 draws, MosT gets 81 of 100 samples right, MGDA 76 and FedAvg 75 (worst fifth: 53, 45 and 40).",
		Values: map[string]string{"method": "most,mgda,fedavg", "view": viewWorst}},
	{ID: "alike", Title: "Five models become one", Selected: plans.FedAvg,
		Hero: "curve", Keys: []string{"method", "m"},
		Lead:       "FedAvg’s five models become one; MosT’s stay apart.",
		Text:       "Averaging over all clients pulls the models together, so five models serve hardly better than one.",
		Seeds:      "With five models instead of one, FedAvg gains 0.7 ± 0.2 percentage points and MosT 19 ± 1 (means of 20 draws).",
		References: []axes.Reference{axes.Level("curve", hardlyApart, "hardly apart: 0.01"), axes.Level("curve", farApart, "far apart: 1.5")},
		Values:     map[string]string{"method": "fedavg,most", "view": viewDivergence}},
	{ID: "experts", Title: "Do models serve only their own clients?", Selected: plans.MosT,
		Hero: "curve", Keys: []string{"method", "m"},
		Lead: "Each of MosT’s models gets better for its own clients and worse for the others.",
		Text: "The loss of the best model for each client falls, while the dotted mean over all models rises. FedAvg lowers both losses, and " +
			"they meet.",
		Values: map[string]string{"method": "most,fedavg", "view": viewLosses}},
	{ID: "one", Title: "Can a single model serve every client?", Selected: plans.MosT,
		Hero: "accuracy", Keys: []string{"m", "method"},
		Lead: "With one model for all clients, MosT equals MGDA, and both fall behind.",
		Text: "With one solution, the plan leaves no choice. MGDA’s steps must help every client at once. FedAvg’s and MosT(L)’s weights do " +
			"not require this, so their steps sometimes oppose a client’s update.",
		Seeds:  "On average over 20 draws, FedAvg gets 74 of 100 test samples right, MosT(L) 75 and MGDA 62.",
		Values: map[string]string{"method": "most,most-l,mgda,fedavg", "m": "1", "view": viewWorst}},
	{ID: "weights", Title: "Weights from the plan, or from MGDA?", Selected: plans.Weights,
		Hero: "accuracy", Keys: []string{"method", "seed"},
		Lead:   "MosT(L), which weighs all of a solution’s clients equally, is ahead of MosT.",
		Text:   "MosT uses MGDA’s weights, which favour clients with short updates. In the paper, MosT is ahead by one to two points (Table E).",
		Seeds:  "Over 20 draws, MosT(L) is ahead by 3.0 ± 0.6 percentage points, and by 6 ± 1 for the worst fifth.",
		Values: map[string]string{"method": "most,most-l", "view": viewWorst}},
	{ID: "greedy", Title: "What if every model takes just one client?", Selected: plans.Models,
		Keys:   []string{"method", "m"},
		Lead:   "MosT(M) trains each model with just one client and falls far behind MosT.",
		Text:   "Every solution takes the client that it serves best, so at most five clients contribute per round.",
		Seeds:  "On average over 20 draws, MosT(M) gets 54 of 100 test samples right, and 12 for the worst fifth of the clients.",
		Values: map[string]string{"method": "most-m,most,most-o", "view": viewWorst}},
	{ID: "differ", Title: "What if the clients’ features differ?", Selected: plans.MosT,
		Hero: "accuracy", Keys: []string{"rho2", "curriculum", "method"},
		Lead: "If the clients’ features are far apart, MosT(L) is ahead of MosT and MGDA.",
		Text: "With ρ₂ = 2, the weights matter most. Try the curriculum “as we read the paper”.",
		Seeds: "Over 40 draws, MGDA trails MosT(L) by 10.1 ± 0.7 percentage points and MosT by 3.3 ± 0.6 (3.4 ± 0.4 with ρ₂ = 0). The " +
			"curriculum improves MosT by 1.6 ± 0.6 percentage points, and by 0.6 ± 0.4 with ρ₂ = 0.",
		Values: map[string]string{"method": "most,most-l,mgda", "rho2": "2", "view": viewWorst}},
	{ID: "drift", Title: "What if clients train longer on their own?", Selected: plans.FedAvg,
		Hero: "accuracy", Keys: []string{"localepochs", "method"},
		Lead: "If clients train longer on their own, FedAvg gets worse and MosT stays ahead.",
		Text: "With ten local epochs, a client’s update is twice as long as with one. FedProx keeps the clients’ models near the shared model " +
			"and is ahead of FedAvg. MosT, with four clients per model, is ahead of both.",
		Seeds:      "On average over 20 draws, FedAvg gets 63 of 100 test samples right (71 with one local epoch), FedProx 70 and MosT 78.",
		References: []axes.Reference{axes.Level("accuracy", withoutDrift, "FedAvg with one local epoch, after 30 rounds")},
		Values:     map[string]string{"method": "fedavg,fedprox,most", "localepochs": "10", "budget": "30", "view": viewWorst}},
	{ID: "rho1", Title: "A setting that changes nothing at all", Selected: plans.MosT,
		Keys: []string{"rho1", "method"},
		Lead: "With another ρ₁, the runs are the same to the last bit.",
		Text: "ρ₁ shifts the mean of the model that generates a client’s labels. The shift adds equally to all classes’ scores and changes " +
			"no label.",
		Values: map[string]string{"method": "most,fedavg", "rho1": "3"}},
}

// Divergences of predictions that a card compares.
const (
	hardlyApart = 0.01
	farApart    = 1.5
)
