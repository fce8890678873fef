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
	Question: "Which solution should serve which goal?",
	Summary: "A town with many houses can afford few bus stops: who walks to which stop, and where should the stops be? Circles are " +
		"the houses (goals); the larger symbols are the stops (solutions). Lines show who goes where in this round, at the lowest total " +
		"cost. Then every solution steps towards its goals, and the next round begins.",
	Try:   "Drag a circle away from its group: the lines show which solutions serve it now. However far away it is, it must be served.",
	Done:  "The circle still has a line, however far away it is: the plan must carry the full mass of every circle.",
	Tried: condition.And(condition.Dragged(goalHandle), condition.FactAtLeast("served.most", 1)),
	DataSummary: "Your own goals in the plane, and the solutions that share them. Lines show which goals each solution receives in this " +
		"round.",
	DataTry: "Load a file of up to 200 goals, then change the number of solutions. Your file stays in this browser.",
	Data: &scene.DataWords{Button: "Load your own goals", Title: "Your own goals", Example: "0, 0.5\n-0.3, 1\n1, 1",
		Format: "One goal per row, as a table, a NumPy array or JSON: {\"centres\": [[x, y], …], \"a\": […], \"b\": […], \"starts\": [[x, " +
			"y], …]}. There may be up to 200 goals. The goals’ masses a, the solutions’ masses b and the start points are optional. Your file " +
			"stays in this browser; a link to this view contains only its SHA-256."},
	Takes:      data.Places,
	Brought:    []string{"a", "b", "start"},
	Paper:      "Many-Objective Multi-Solution Transport, Algorithm 1; our own goals",
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
	{Sign: "k", Text: "The round: a new plan, then one step, or K steps, of every solution. k = 0 is the start.",
		Source: "MosT, Algorithm 1"},
	{Sign: "θ_j", Text: "Solution j, a point in the plane.", Source: "MosT, section 3.1"},
	{Sign: "L_i", Text: "The objective of goal i: half the squared distance from the goal, or a well.", Source: "test problem"},
	{Sign: "Γ", Text: "The plan: Γ_ij is the mass of goal i that solution j receives. Its row sums are a; its column sums are b.",
		Source: "MosT, equation (1)"},
	{Sign: "a, b", Text: "The masses of goals and of solutions, each with sum 1; α and β in the paper.", Source: "MosT, equation (1)"},
	{Sign: "λ", Text: "The weights of the objectives that a solution receives: MGDA’s weights for the gradients times the plan’s masses.",
		Source: "MosT, Algorithm 1, line 4"},
	{Sign: "d_j", Text: "The direction of solution j, which the solution’s step subtracts.", Source: "MosT, Algorithm 1, line 5"},
	{Sign: "R(Γ)", Text: "−Σᵢ maxⱼ Γᵢⱼ, a term of the plan’s cost with weight τ. It is smallest if every goal has only one solution.",
		Source: "MosT, equation (5)"},
	{Sign: "oracle loss", Text: "The mean over the goals of the lowest loss among all solutions, regardless of the plan.",
		Source: "MosT, section 5"},
	{Sign: "KL", Text: "The symmetric Kullback–Leibler divergence between consecutive plans.", Source: "MosT, appendix D.1"},
	{Sign: "BP", Text: "Backpropagations: gradients of one objective at one solution. A round costs K of them for each goal that a solution " +
		"receives.", Source: "PSMGD, Table 1"},
}

// Goals of the cards.
const (
	cardGoals     = 30
	cardSolutions = 5
	outlier       = "0,3" // where goal 1 is far from all others
	greedyShare   = 0.6   // share of all mass
)

// one returns n shares: the given one first, and the rest divided equally among the others.
func one(n int, share float64) string {
	return param.FormatShares(param.WithShare(param.Shares(nil, n), 0, share, 0))
}

// cluster returns the shares of the cards' goals. The first cluster has the given share; the other goals share the rest
// equally.
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
			Lead:   "Wherever the single solution stops, most of its thirty goals are far away.",
			Text:   "The goals form a ring. MosT(L) moves the solution to the middle of all goals, but its loss stays above 1.8, as with MosT.",
			Values: map[string]string{"layout": layoutRing, "m": "1", "method": "most,most-l"}},
		{ID: "each", Title: "Does each solution find its own cluster?", Selected: "most-l-1",
			Keys: []string{"m", "method", "seed"},
			Lead: "With MosT(L), each of the five solutions finds a different cluster.",
			Text: "Each solution receives a fifth of the mass. The oracle loss, that is, the loss of the best solution for each goal, falls. " +
				"MosT’s mean loss over all solutions rises, because a solution that serves one cluster moves away from the others.",
			Seeds: "With MosT, each solution finds its own cluster on 20 of 40 layouts. With MosT(L), the oracle loss falls to less than an " +
				"eighth; MosT’s mean loss rises by at least a quarter.",
			Values: map[string]string{"layout": layoutRing, "method": "most,most-l", "seed": "4"}},
		{ID: "collapse", Title: "What if all solutions start in one corner?", Selected: "most-o-1",
			Keys: []string{"starts", "method", "seed"},
			Lead: "If each goal chooses its solution, one or two solutions take all goals, and some never move.",
			Text: "This is MosT(O): solutions that are never the best for any goal stay at their start. If each solution chooses its goal, as " +
				"in MosT(M), all solutions move to one or two places. Transport keeps both marginals, so all five solutions win goals.",
			Seeds:  "After 20 rounds, MosT’s oracle loss is less than a third of MosT(O)’s and of MosT(M)’s.",
			Values: map[string]string{"starts": startsCorner, "method": "most,most-o,most-m", "budget": "20"}},
		{ID: "edge", Title: "Which method stops before the middle of its goals?", Selected: "most-1",
			Keys: []string{"method", "seed"},
			Lead: "MosT stops at the edge of its goals’ group; MosT(L) continues to the middle and ends with a lower loss.",
			Text: "MGDA stops a solution where no direction helps all its goals; MosT(L) uses the plan’s masses as weights. Plans are exact " +
				"unless you choose another solver. With IPOT, the paper’s solver, solutions keep traces of goals that others serve, and MGDA " +
				"takes each of them into account.",
			Seeds: "On average, MosT(L) ends at half of MosT’s loss (geometric mean of 40 layouts). With IPOT, MosT’s final loss rises and " +
				"MosT(L)’s stays the same.",
			Values: map[string]string{"method": "most,most-l", "seed": "7"}},
		{ID: "paper", Title: "Should well-served goals count more at first?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Lead: "Here the goals’ loss is larger with the paper’s curriculum than without.",
			Text: "At first, well-served goals count more; in the end, solutions that win more goals receive more mass.",
			Seeds: "On average, the oracle loss is 1.3 ± 0.1 times the loss without a curriculum; on the ring it is 2.1 ± 0.2 times (geometric " +
				"means of 40 layouts).",
			Values: map[string]string{"curriculum": "paper", "method": "most,most-nocl"}},
		{ID: "published", Title: "Should poorly served goals count more in the end?", Selected: "most-1",
			Hero: "curve", Keys: []string{"curriculum", "method", "layout"},
			Lead: "Here the goals’ loss is smaller with the public code’s curriculum than without.",
			Text: "The public code reverses the paper’s curriculum: in the end, poorly served goals count more.",
			Seeds: "On average, this curriculum helps a little: the oracle loss is 0.86 ± 0.03 times the loss without a curriculum. On the " +
				"ring it is 1.1 ± 0.1 times this loss, no visible gain (geometric means of 40 layouts).",
			Values: map[string]string{"curriculum": "published", "method": "most,most-nocl", "seed": "5"}},
		{ID: "tau", Title: "What if some goals must be shared?", Selected: "most-1",
			Hero: "plan", Keys: []string{"tau", "n", "method"},
			Lead: "Five equal solutions cannot divide 34 goals evenly, so some goals must be shared.",
			Text: "With τ = 1, goals are shared more unevenly, and with τ = 2 as unevenly as possible. With 30 goals, no sharing is needed and τ " +
				"has no effect.",
			Seeds: "τ = 1 brings no gain on 40 layouts: the loss is 0.99 ± 0.03 times the loss with τ = 0, and with 31 goals 0.99 ± 0.04 " +
				"times (geometric means).",
			Values: map[string]string{"n": "34", "tau": "1", "method": "most,most-noreg"}},
		{ID: "starved", Title: "An outlier without mass starves", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "No solution moves to an outlier without mass.",
			Text: "Goal 1 is far from the others, and its best loss stays above 1.4 with MosT and MosT(L). Among the others, its loss would be " +
				"less than a quarter as high even without mass, because a solution serves its neighbours.",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0), "method": "most,most-l"}},
		{ID: "served", Title: "How much mass buys an outlier a solution?", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "With the mass of one whole solution, the outlier gets a solution to itself.",
			Text: "Goal 1 has a mass of 0.2, and its loss is 0. Reduce its mass: with MosT, its solution then stays away; with MosT(L), it " +
				"stops farther away the smaller the mass is.",
			Seeds: "With MosT, goal 1’s loss is still above 1 at a mass of 0.18. With MosT(L), it is below 1 at 0.1, below 0.25 at 0.15 and " +
				"below 0.04 at 0.18. With MosT(L), the loss of the other 29 goals is 1.5 ± 0.1 times their loss when goal 1 has no mass " +
				"(geometric mean of 40 layouts).",
			Values: map[string]string{"centres": outlier, "a": one(cardGoals, 0.2), "method": "most,most-l"}},
		{ID: "cluster", Title: "A cluster without mass starves too", Selected: "most-1",
			Keys: []string{"a", "method"},
			Lead: "A whole cluster without mass starves too, because no solution moves to it.",
			Text: "The upper cluster of the ring has no mass, and its loss is higher than with equal masses. With 0.6 of all mass, its loss " +
				"would be lower, and with MosT(L) the other clusters’ loss would be far higher.",
			Seeds: "With MosT(L), the cluster’s loss is more than 10 times as high as with equal masses. If it has 0.6 of all mass, the " +
				"other clusters’ loss is more than 5 times as high.",
			Values: map[string]string{"layout": layoutRing, "a": cluster(0), "method": "most,most-l", "seed": "4"}},
		{ID: "greedy", Title: "Does a greedy solution win more goals?", Selected: "most-1",
			Hero: "won", Keys: []string{"b", "method"},
			Lead: "Solution 1 receives 18 of the 30 goals, but is best for fewer.",
			Text: "Solution 1 has 0.6 of all mass, but receiving goals does not mean being best for them.",
			Seeds: "MosT(L) serves the goals worse: the oracle loss is 2.0 ± 0.1 times the loss with equal masses (geometric mean of 40 " +
				"layouts).",
			References: []axes.Reference{axes.Level("won", greedyShare, "share that solution 1 receives")},
			Values:     map[string]string{"b": one(cardSolutions, greedyShare), "method": "most,most-l"}},
		{ID: "many", Title: "Does it work with two hundred goals?", Selected: "most-1",
			Keys: []string{"n", "m", "k", "method"},
			Lead: "With MosT and MosT(L), each of the ten solutions wins some of the two hundred goals.",
			Text: "The goals form ten clusters. From the first round on, nine in ten entries of the plan are zero. MosT(L)’s oracle loss is " +
				"the smallest, MosT(O)’s the largest.",
			Seeds:  "MosT(L)’s oracle loss is less than 0.8 times MosT’s.",
			Values: map[string]string{"n": "200", "m": "10", "k": "10", "method": "most,most-o,most-l"}},
	}
}
