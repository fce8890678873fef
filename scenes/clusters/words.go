package clusters

import (
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "clusters",
	Title:    "Clusters: many goals, few solutions",
	Question: "Which solution is to serve which goal?",
	Summary: "A town has many houses and can pay for a few bus stops: who walks to which stop, and where should the stops be? Circles " +
		"are the houses, or goals, the larger signs are the stops, or solutions, and lines say who goes where in this round, so " +
		"that all the ways together cost as little as can be. Then every solution steps towards its goals, and the next round " +
		"begins.",
	Try:   "Drag a circle away from its group: the lines say who serves it now. It must be served, however far it is.",
	Done:  "It has a line still, however far it is: the plan must give every circle its share.",
	Tried: condition.And(condition.Dragged(goalHandle), condition.FactAtLeast("served.most", 1)),
	DataSummary: "Goals of your own in the plane, and the solutions that share them: lines say which goals each solution is given in this " +
		"round.",
	DataTry: "Bring a file of up to 200 goals, then change the number of solutions. What you bring stays in this browser.",
	Data: &scene.DataWords{Button: "Bring your own goals", Title: "Your own goals", Example: "0, 0.5\n-0.3, 1\n1, 1",
		Format: "One goal a row, as a table, as an array of NumPy or as JSON, {\"centres\": [[x, y], …], \"a\": […], \"b\": […], " +
			"\"starts\": [[x, y], …]}: up to 200 goals and, if you like, the masses of goals and solutions and where the solutions " +
			"start. What you bring stays in this browser; a link to what you see holds only its SHA-256."},
	Takes:      data.Places,
	Brought:    []string{"a", "b", "start"},
	Paper:      "Many-Objective Multi-Solution Transport, Algorithm 1; the goals are ours",
	Group:      scene.ManyGoals,
	Hero:       "plane",
	Beside:     []string{"plan", "won"},
	Keys:       []string{"a", "b", "m", "method"},
	Comparison: &scene.Comparison{Fact: "oracle", Log: true, Step: "eta", Baseline: "linearization"},
	Counts:     "round",
	Methods:    Methods,
	Symbols:    symbols,
	Presets:    presets(),
	Facts:      factKinds.Help(),
	Several:    true,
	New:        func() scene.Scene { return New() },

	Equations: plans.Equations(letters, Methods),
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The round: a plan, and then a step of every solution, or K of them. k = 0 is the start.",
		Source: "MosT, Algorithm 1"},
	{Sign: "θ_j", Text: "Solution j, a point of the plane.", Source: "MosT, section 3.1"},
	{Sign: "L_i", Text: "The objective of goal i: half of the squared distance from it, or a well.", Source: "test problem"},
	{Sign: "Γ", Text: "The plan: Γ_ij is how much of goal i solution j is given. Its rows have the sums a, its columns the sums b.",
		Source: "MosT, equation (1)"},
	{Sign: "a, b", Text: "The masses of goals and of solutions, each with sum 1; α and β in the paper.", Source: "MosT, equation (1)"},
	{Sign: "λ", Text: "The weights of the objectives that a solution is given: MGDA’s, of the gradients times their mass.",
		Source: "MosT, Algorithm 1, line 4"},
	{Sign: "d_j", Text: "The direction that solution j goes against.", Source: "MosT, Algorithm 1, line 5"},
	{Sign: "R(Γ)", Text: "−Σᵢ maxⱼ Γᵢⱼ, which τ weighs in the plan’s cost: it is least where every goal has one solution.",
		Source: "MosT, equation (5)"},
	{Sign: "oracle loss", Text: "The mean over the goals of the loss of the solution that is best for each, whoever the plan gives it to.",
		Source: "MosT, section 5"},
	{Sign: "KL", Text: "The symmetric Kullback–Leibler divergence between two plans that follow each other.", Source: "MosT, appendix D.1"},
	{Sign: "BP", Text: "Backpropagations: gradients of one objective at one solution. A round costs one for each goal that a solution " +
		"is given, K times.", Source: "PSMGD, Table 1"},
}

// Goals of the cards.
const (
	cardGoals     = 30
	cardSolutions = 5
	outlier       = "0,3" // where goal 1 is alone
	greedyShare   = 0.6   // of all mass
)

// one gives the first of n a share, and divides the rest equally among the others.
func one(n int, share float64) string {
	return param.FormatShares(param.WithShare(param.Shares(nil, n), 0, share, 0))
}

// cluster gives the first of the cards’ clusters a share, and divides the rest equally among the others.
func cluster(share float64) string {
	shares := make([]float64, cardGoals)
	for i := range shares {
		shares[i] = (1 - share) / (cardGoals - cardGoals/cardSolutions)
		if i%cardSolutions == 0 {
			shares[i] = share / (cardGoals / cardSolutions)
		}
	}
	return param.FormatShares(shares)
}

// presets are the one-click cards.
func presets() []scene.Preset {
	return []scene.Preset{
		{ID: "one", Title: "Can one solution serve thirty goals?", Selected: "most-l-1",
			Keys:   []string{"m", "method"},
			Lead:   "Wherever the one solution stops, most of its thirty goals are far away.",
			Text:   "The goals lie on a ring. MosT(L) takes the solution to the middle of them all, and yet its loss stays above 1.8, as with MosT.",
			Values: map[string]string{"layout": layoutRing, "m": "1", "method": "most,most-l"}},
		{ID: "each", Title: "Does each solution find its own cluster?", Selected: "most-l-1",
			Keys: []string{"m", "method", "seed"},
			Lead: "With MosT(L) each of five solutions finds a cluster of its own.",
			Text: "They share the goals, each with a fifth of the mass. The oracle loss, of the best solution for each goal, falls; MosT’s mean " +
				"over all solutions rises, for who serves one cluster leaves the others.",
			Seeds: "With MosT each finds a cluster on 20 of 40 layouts. The oracle loss falls to less than an eighth with MosT(L); MosT’s mean " +
				"rises by a quarter or more.",
			Values: map[string]string{"layout": layoutRing, "method": "most,most-l", "seed": "4"}},
		{ID: "collapse", Title: "What if all start in one corner?", Selected: "most-o-1",
			Keys: []string{"starts", "method", "seed"},
			Lead: "Where each goal chooses its solution, one or two take all goals, and some never move.",
			Text: "That is MosT(O): those that are never the best for any goal stay where they start. Where each solution chooses its goal, " +
				"MosT(M), all run to one place or two. Transport keeps both marginals and with them five winners.",
			Seeds:  "After 20 rounds MosT’s oracle loss is less than a third of MosT(O)’s and of MosT(M)’s.",
			Values: map[string]string{"starts": startsCorner, "method": "most,most-o,most-m", "budget": "20"}},
		{ID: "edge", Title: "Who stops at the edge of its goals?", Selected: "most-1",
			Keys: []string{"method", "seed"},
			Lead: "MosT stops at the edge of its goals; MosT(L) goes on to their middle and ends lower.",
			Text: "MGDA stops a solution where no direction helps all the goals that it is given; MosT(L)’s weights are the plan’s own masses. " +
				"Plans are exact unless you choose another solver. IPOT, the paper’s, leaves solutions traces of goals that others serve, and MGDA " +
				"heeds each of them.",
			Seeds: "MosT(L) ends on average at half of MosT’s loss (geometric mean of 40 layouts). With IPOT MosT ends higher, MosT(L) at the " +
				"same loss.",
			Values: map[string]string{"method": "most,most-l", "seed": "7"}},
		{ID: "paper", Title: "Should well-served goals count more at first?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Lead: "Here the paper’s curriculum makes the loss of the goals larger than no curriculum does.",
			Text: "Goals that are served well count more at first, solutions that win more are given more at last.",
			Seeds: "On average the oracle loss is 1.3 ± 0.1 times what it is without a curriculum, on the ring 2.1 ± 0.2 times (geometric means " +
				"of 40 layouts).",
			Values: map[string]string{"curriculum": "paper", "method": "most,most-nocl"}},
		{ID: "published", Title: "Or badly served goals more at last?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Lead: "Here the public code’s curriculum makes the loss of the goals smaller than no curriculum does.",
			Text: "It does the reverse of the paper’s: goals that are served badly count more at last.",
			Seeds: "On average that helps a little, to 0.86 ± 0.03 times the oracle loss without a curriculum; on the ring no gain shows, 1.1 ± " +
				"0.1 times (geometric means of 40 layouts).",
			Values: map[string]string{"curriculum": "published", "method": "most,most-nocl", "seed": "5"}},
		{ID: "tau", Title: "What if some goals must be shared?", Selected: "most-1",
			Hero: "plan", Keys: []string{"tau", "n", "method"},
			Lead: "34 goals cannot be dealt out to five equal solutions, so that some must be shared.",
			Text: "With τ = 1 they are shared more unevenly, and with τ = 2 as unevenly as can be. With 30 goals, where nothing need be shared, τ " +
				"changes nothing.",
			Seeds: "The loss gains nothing that 40 layouts could show: with τ = 1 it is 0.99 ± 0.03 times what it is without, with 31 goals 0.99 " +
				"± 0.04 times (geometric means).",
			Values: map[string]string{"n": "34", "tau": "1", "method": "most,most-noreg"}},
		{ID: "starved", Title: "An outlier without mass starves", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "An outlier without mass is nobody’s business, and no solution comes to it.",
			Text: "Goal 1 lies apart, and its best loss stays above 1.4 with MosT and with MosT(L). Amid the others it would have less than a " +
				"quarter of that without any mass, for whoever serves its neighbours is near.",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0), "method": "most,most-l"}},
		{ID: "served", Title: "How much mass buys an outlier a solution?", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "With as much mass as a solution has to give, the outlier has one of its own.",
			Text: "Goal 1 has a mass of 0.2, and its loss is 0. Give it less: with MosT its solution stays away for long, with MosT(L) it comes " +
				"bit by bit.",
			Seeds: "With MosT the loss is above 1 at 0.18 still. With MosT(L) it is below 1 at 0.1, below 0.25 at 0.15 and below 0.04 at 0.18. " +
				"MosT(L)’s other 29 pay: their loss is 1.5 ± 0.1 times what it is where goal 1 has nothing (geometric mean of 40 layouts).",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0.2), "method": "most,most-l"}},
		{ID: "cluster", Title: "A cluster without mass starves too", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "A whole cluster without mass starves, too, for nobody comes.",
			Text: "The upper cluster of the ring has none, and its loss is higher than with equal masses. Had it 0.6 of all mass, its loss would " +
				"be lower, and with MosT(L) that of the others far higher.",
			Seeds: "With MosT(L) the cluster’s loss is more than 10 times as high as with equal masses; where it has 0.6 of all mass, that of the " +
				"others more than 5 times.",
			Values: map[string]string{"layout": layoutRing, "a": cluster(0), "method": "most,most-l", "seed": "4"}},
		{ID: "greedy", Title: "Does a greedy solution win more goals?", Selected: "most-1",
			Hero: "won", Keys: []string{"b", "method"},
			Lead: "Solution 1 is given 18 of the 30 goals, and is best for fewer.",
			Text: "It has 0.6 of all mass, but to be given goals is not to win them.",
			Seeds: "With MosT(L) the others pay: the oracle loss is 2.0 ± 0.1 times what it is with equal masses (geometric mean of 40 " +
				"layouts).",
			References: []axes.Reference{axes.Level("won", greedyShare, "what solution 1 is given")},
			Values:     map[string]string{"b": one(cardSolutions, greedyShare), "method": "most,most-l"}},
		{ID: "many", Title: "Does it work with two hundred goals?", Selected: "most-1",
			Keys: []string{"n", "m", "k", "method"},
			Lead: "With MosT and MosT(L) all ten solutions win some of the two hundred goals.",
			Text: "They lie in ten clusters, and nine entries of the plan in ten are zero from the first round on. MosT(L)’s oracle loss is the " +
				"least, MosT(O)’s the largest.",
			Seeds:  "MosT(L)’s is less than 0.8 of MosT’s.",
			Values: map[string]string{"n": "200", "m": "10", "k": "10", "method": "most,most-o,most-l"}},
	}
}
