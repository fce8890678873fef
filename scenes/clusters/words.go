package clusters

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "clusters",
	Title:    "Clusters: many goals, few solutions",
	Question: "Which solution is to serve which goal?",
	Summary: "Circles are goals, the larger signs are solutions, and lines say which goals each solution is given in this round: all mass " +
		"of the goals is carried to the solutions as cheaply as can be. Then every solution steps towards its goals, and the next round begins.",
	Try: "Drag a circle away from its group: the lines say who serves it now. It must be served, however far it is.",
	DataSummary: "Goals of your own in the plane, and the solutions that share them: lines say which goals each solution is given in this " +
		"round.",
	DataTry: "Bring a file of up to 200 goals, then change the number of solutions. What you bring stays in this browser.",
	Data: &scene.DataWords{Button: "Bring your own goals", Title: "Your own goals", Example: "0, 0.5\n-0.3, 1\n1, 1",
		Format: "One goal a row, as CSV or as JSON, {\"centres\": [[x, y], …], \"a\": […], \"b\": […], \"starts\": [[x, y], …]}: up to 200 " +
			"goals and, if you like, the masses of goals and solutions and where the solutions start. What you bring stays in this browser; a " +
			"link to what you see holds only its SHA-256."},
	Paper:   "Many-Objective Multi-Solution Transport, Algorithm 1; the goals are ours",
	Group:   scene.ManyGoals,
	Hero:    "plane",
	Keys:    []string{"a", "b", "m", "method"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets(),
	Facts:   factKinds.Help(),
	Several: true,
	New:     func() scene.Scene { return New() },

	Equations: plans.Equations(letters, Methods),
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The round: a plan, and then a step of every solution, or K of them. k = 0 is the start.", Source: "MosT, Algorithm 1"},
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
	{Sign: "BP", Text: "Backpropagations: gradients of one objective at one solution. A round costs one for each goal that a solution is " +
		"given, K times.", Source: "PSMGD, Table 1"},
}

// goals of the cards.
const (
	cardGoals     = 30
	cardSolutions = 5
	outlier       = "0,3" // where goal 1 is alone
)

// one gives the first of n the share of all, and to the others what is left alike.
func one(n int, share float64) string {
	return param.FormatShares(param.WithShare(param.Shares(nil, n), 0, share, 0))
}

// cluster gives the first of the cards’ clusters the share of all, and to the others what
// is left alike.
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

// presets are the one-click cards. What they say of medians is of seeds 1 to 20.
func presets() []scene.Preset {
	return []scene.Preset{
		{ID: "one", Title: "Can one solution serve thirty goals?", Selected: "most-1",
			Keys: []string{"m", "method"},
			Text: "One solution has 30 goals on a ring to serve. Wherever it stops most are far away: its loss is 2.4 with MosT and 2.1 with " +
				"MosT(L), which takes it to the middle of them all (medians of 20 seeds).",
			Values: map[string]string{"layout": layoutRing, "m": "1", "method": "most,most-l"}},
		{ID: "each", Title: "Does each solution find its own cluster?", Selected: "most-1",
			Keys: []string{"m", "method", "seed"},
			Text: "Five solutions share the same goals, each with a fifth of the mass. The oracle loss, of the best solution for each goal, " +
				"comes down to 0.21 with MosT and to 0.073 with MosT(L), medians of 20 seeds; in 11 of the 20 each of MosT’s solutions has a " +
				"cluster of its own, in 19 each of MosT(L)’s. The mean over all solutions rises to 1.4 times what it was: who serves one cluster " +
				"leaves the others.",
			Values: map[string]string{"layout": layoutRing, "method": "most,most-l", "seed": "4"}},
		{ID: "collapse", Title: "What if all start in one corner?", Selected: "most-o-1",
			Keys: []string{"starts", "method", "seed"},
			Text: "Where each goal chooses its solution, MosT(O), one that is a little nearer takes nine goals in ten or more, in 14 of 20 " +
				"seeds; those that are never the best for any goal never move. Where each solution chooses its goal, MosT(M), all run to the same " +
				"one. Transport keeps both marginals and with them five winners: after 20 rounds its oracle loss is 8 times lower than MosT(O)’s.",
			Values: map[string]string{"starts": startsCorner, "method": "most,most-o,most-m", "budget": "20"}},
		{ID: "edge", Title: "Who stops at the edge of its goals?", Selected: "most-1",
			Keys: []string{"method", "seed"},
			Text: "MosT(L) ends at half of MosT’s loss, 0.044 against 0.086 (medians of 20 seeds). MGDA stops a solution where no direction " +
				"helps all the goals that it is given, at the edge of them; MosT(L)’s weights are the plan’s own masses, and lead on to their " +
				"middle.",
			Values: map[string]string{"method": "most,most-l", "seed": "7"}},
		{ID: "paper", Title: "Should well-served goals count more at first?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Text: "Goals that are served well count more at first, solutions that win more are given more at last. That makes things worse here: " +
				"the oracle loss is 0.115 where 0.086 is reached without a curriculum, on the ring 0.49 instead of 0.21 (medians of 20 seeds).",
			Values: map[string]string{"curriculum": "paper", "method": "most,most-nocl"}},
		{ID: "published", Title: "Or badly served goals more at last?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Text: "The public code does the reverse: goals that are served badly count more at last. That helps a little here, 0.080 instead of " +
				"0.086, and not on the ring, 0.29 instead of 0.21 (medians of 20 seeds).",
			Values: map[string]string{"curriculum": "published", "method": "most,most-nocl", "seed": "5"}},
		{ID: "tau", Title: "What if some goals must be shared?", Selected: "most-1",
			Hero: "plan", Keys: []string{"tau", "n", "method"},
			Text: "34 goals cannot be dealt out to five equal solutions: some must be shared. With τ = 1 they are shared as unevenly as can be, " +
				"and the largest masses of the goals add up to 0.976, against 0.965 without. The loss of 34 goals gains by it, that of 31 does not; " +
				"with 30, where nothing need be shared, τ changes nothing.",
			Values: map[string]string{"n": "34", "tau": "1", "method": "most,most-noreg"}},
		{ID: "starved", Title: "An outlier without mass starves", Selected: "most-1",
			Keys: []string{"a", "method"},
			Text: "Goal 1 lies apart, and has no mass: it is nobody’s business. Its best loss is 2.5 with MosT and 2.3 with MosT(L), medians of " +
				"20 seeds. Amid the others it would hardly have noticed, 0.067 instead of 0.059: whoever serves its neighbours is near.",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0), "method": "most,most-l"}},
		{ID: "served", Title: "How much mass buys an outlier a solution?", Selected: "most-1",
			Keys: []string{"a", "method"},
			Text: "Goal 1 has a mass of 0.2, as much as a solution has to give: now one is its own, and its loss is 0. With MosT it jumps there: " +
				"at 0.18 it is 1.8 still. With MosT(L) it glides: 1.6 with an equal share, 0.49 at 0.1, 0.11 at 0.15, 0.016 at 0.18. MosT’s other " +
				"29 pay, 0.17 instead of the 0.10 where goal 1 has nothing (medians of 20 seeds).",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0.2), "method": "most,most-l"}},
		{ID: "cluster", Title: "A cluster without mass starves too", Selected: "most-1",
			Keys: []string{"a", "method"},
			Text: "The upper cluster of the ring has no mass, and nobody comes: its loss is 1.4 with MosT and 2.2 with MosT(L), where equal " +
				"masses give it 0.15 and 0.056. Had it 0.6 of all mass, it would have 0.030 and 0.021, and the other clusters 0.85 and 0.76 instead " +
				"of 0.23 and 0.077 (medians of 20 seeds).",
			Values: map[string]string{"layout": layoutRing, "a": cluster(0), "method": "most,most-l", "seed": "4"}},
		{ID: "greedy", Title: "Does a greedy solution win more goals?", Selected: "most-1",
			Hero: "won", Keys: []string{"b", "method"},
			Text: "Solution 1 has 0.6 of all mass and is given 18 of the 30 goals. To be given goals is not to win them: it is best for 10, and " +
				"with MosT(L) for 12 (medians of 20 seeds). The others pay: the oracle loss is 0.118 instead of 0.086.",
			Values: map[string]string{"b": one(cardSolutions, 0.6), "method": "most,most-l"}},
		{ID: "many", Title: "Does it work with two hundred goals?", Selected: "most-1",
			Keys: []string{"n", "m", "k", "method"},
			Text: "Ten solutions share 200 goals in ten clusters, and nine entries of the plan in ten are zero from the first round on. With MosT " +
				"and MosT(L) all ten win some; the oracle loss is 0.072 and 0.038, MosT(O)’s 0.15 (medians of five seeds).",
			Values: map[string]string{"n": "200", "m": "10", "k": "10", "method": "most,most-o,most-l"}},
	}
}
