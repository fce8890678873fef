package fairness

import (
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "fairness",
	Title:    "Fair or accurate",
	Question: "How much accuracy does fairness cost?",
	Summary: "A firm draws a line through its applicants’ marks to decide whom to hire. The most accurate line hires one group more than " +
		"twice as often as the other. Points are people of two classes, some with a sensitive attribute, and each line decides who gets +1. " +
		"Each method searches for five lines at once, from the most accurate line to one whose decisions do not correlate with the attribute.",
	Try:  "Turn the attribute to 80° with its ring in the picture or with the φ slider: now a line can be fair and nearly as accurate.",
	Done: "A line that treats both groups alike is now nearly as accurate: it misjudges at most four more people in a hundred.",
	Tried: condition.And(condition.AtLeast("phi", 80), condition.FactAtLeast("ratio.fair", 90),
		condition.NotBelow(condition.Plus(condition.Fact("accuracy.fair"), 4), condition.Fact("accuracy.accurate"))),
	Paper:      "MosT, appendix C.2 and Table 7; Zafar et al. 2017, section 4.1",
	Group:      scene.ManyGoals,
	Hero:       "data",
	Beside:     []string{"objective", "gets"},
	Keys:       []string{"method", "phi", "m", "extended"},
	Comparison: &scene.Comparison{Fact: "hypervolume", Higher: true, Step: "eta", Baseline: "linearization"},
	Counts:     "round",
	Methods:    Methods,
	Symbols:    symbols,
	Presets:    presets,
	Facts:      factKinds.Help(),
	Several:    true,
	New:        func() scene.Scene { return New() },

	Equations: plans.Equations(letters, Methods),
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The round: a new plan, then steps of every solution.", Source: "MosT, Algorithm 1"},
	{Sign: "x", Text: "A point: two features that decisions may use.", Source: "Zafar et al. 2017, section 4.1"},
	{Sign: "z", Text: "The sensitive attribute, 1 or 0, which decisions may not use.", Source: "Zafar et al. 2017, section 2"},
	{Sign: "θ", Text: "A solution: it decides +1 for x if θᵀx ≥ 0. So θ is the normal of its line and points to the +1 side.",
		Source: "Zafar et al. 2017, section 3.2"},
	{Sign: "f₁", Text: "The mean logistic loss, log(1 + e^{−yθᵀx}).", Source: "Zafar et al. 2017, section 3.2"},
	{Sign: "f₂", Text: "The squared covariance of z and θᵀx, which is smooth. The paper bounds the covariance’s absolute value instead.",
		Source: "Zafar et al. 2017, equation (2)"},
	{Sign: "acc", Text: "The share of points that a line classifies correctly.", Source: "Zafar et al. 2017, section 4"},
	{Sign: "p %", Text: "The shares of points with and without the attribute that get +1: the smaller divided by the larger. The 80 % " +
		"rule requires 0.8.", Source: "Zafar et al. 2017, section 2.1"},
	{Sign: "hypervolume", Text: "The area that a method’s solutions dominate below the reference point, times 100. The reference point " +
		"is beyond the front’s ends by a tenth of its range; the paper uses the largest values of any method.", Source: "MosT, appendix C"},
	{Sign: "Γ", Text: "The plan: the mass carried from each objective (row) to each solution (column).", Source: "MosT, problem (2)"},
	{Sign: "n′", Text: "The number of objectives of MosT-E: the original two and random mixtures of them.", Source: "MosT, section 3.2"},
	{Sign: "λ", Text: "The weights of the two gradients in a solution’s step.", Source: "MosT, Algorithm 1"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the two gradients: 0 at Pareto-stationary points.",
		Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The number of gradients computed so far, each of one objective at one solution.", Source: "PSMGD, Table 1"},
	{Sign: "η", Text: "The step size: 0.08 or 0.1 in the paper, whose steps use batches.", Source: "MosT, appendix D.3"},
	{Sign: "K", Text: "The number of steps that each solution takes with one plan.", Source: "MosT, Algorithm 1"},
	{Sign: "m", Text: "The number of solutions of each method.", Source: "MosT, section 3"},
	{Sign: "φ", Text: "The angle by which points are rotated before their attribute is drawn; π/4 in the paper.",
		Source: "Zafar et al. 2017, section 4.1"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "accurate", Title: "Accurate is not fair", Selected: "most-1",
		Keys: []string{"phi", "method"},
		Lead: "The line with the lowest loss gives +1 more than twice as often to people with the attribute.",
		Text: "The 80 % rule requires nearly equal shares. The line without covariance has them, but costs 10 to 20 points of accuracy: " +
			"press its symbol.",
		Seeds: "On average over 20 draws, the line with the lowest loss gets 88 of 100 points right, with a ratio of 42 %; the line without " +
			"covariance gets 72 right, with a ratio of 95 %.",
		Values: map[string]string{"method": "most"}},
	{ID: "two", Title: "Two goals give only two kinds of lines", Selected: "most-2",
		Hero: "objective", Keys: []string{"m", "method"},
		Lead: "Two solutions end as the same line, two as lines without covariance, and none in between.",
		Text: "MosT has two objectives for four solutions, so each solution receives only one. Solutions that receive only the covariance stop " +
			"wherever their covariance is 0; one of them is wrong on 76 of 100 points here.",
		Seeds: "On 16 of 20 draws, one solution is wrong more often than right. After three rounds, the hypervolume was more than twice its " +
			"final value.",
		Values: map[string]string{"method": "most", "m": "4"}},
	{ID: "spread", Title: "Mixtures of both goals spread the lines", Selected: "most-e-1",
		Hero: "objective", Keys: []string{"method", "extended", "m"},
		Lead: "Mixtures of both goals spread MosT-E’s lines along the front; MosT falls behind.",
		Text: "Of twenty mixtures of the two objectives, each solution serves a few similar ones. Only the solution that serves the pure " +
			"covariance stops as soon as its covariance is 0, even if it errs often: here its square symbol is off the front.",
		Seeds: "MosT-E’s five lines have 91 % of the whole front’s hypervolume, MosT’s 15 % (medians of 40 draws); on 5 of these draws MosT " +
			"has more than half of the front’s. On 17 of 20 draws, MosT has less than half of MosT-E’s.",
		Values: map[string]string{"method": "most,most-e"}},
	{ID: "mixtures", Title: "Which mixtures, and how many?", Selected: "most-e-1",
		Hero: "objective", Keys: []string{"shape", "extended", "method"},
		Lead: "If most mixtures are nearly a single goal, MosT-E falls behind plain weighted sums.",
		Text: "With shape 0.1, most mixtures are nearly a single goal. With shape 1, MosT-E’s hypervolume is larger than with 0.1, and ten " +
			"objectives in total do about as well as twenty.",
		Seeds:  "MosT-E is behind linearization on 18 of 20 draws with shape 0.1, and ahead of it on 11 with shape 1.",
		Values: map[string]string{"method": "most-e,linearization", "shape": "0.1"}},
	{ID: "hard", Title: "When is a fair line no better than a coin?", Selected: "most-4",
		Keys: []string{"phi", "method"},
		Lead: "If the attribute follows the class, a fair line is hardly better than a coin.",
		Text: "At φ = 0°, the attribute follows the class as closely as the features allow. The line without covariance gets at most 54 of " +
			"100 points right.",
		Seeds: "On average over 20 draws, the line without covariance gets 51 of 100 points right, and the line with the lowest loss " +
			"has a ratio of 14 %.",
		Values: map[string]string{"method": "most", "phi": "0"}},
	{ID: "easy", Title: "When can a line be fair and accurate?", Selected: "most-e-4",
		Keys: []string{"phi", "method"},
		Lead: "With another attribute, a line can be fair and nearly as accurate as the best line.",
		Text: "The points are the same as at φ = 0°. The data, not the method, decide how hard the choice is.",
		Seeds: "On average over 20 draws, the line without covariance gets 85 of 100 points right, with a ratio of 96 %. It costs at most " +
			"six points of accuracy.",
		Values: map[string]string{"method": "most-e", "phi": "80"}},
	{ID: "table", Title: "Do we reproduce the paper’s ranking?", Selected: "most-e-1",
		Hero: "volume", Keys: []string{"method", "samples"},
		Lead: "EPO is near the top here; in the paper it is last.",
		Text: "The paper ranks MosT-E first, then linearization, MosT, MGDA and EPO. In the paper, steps use batches, whose noise drives " +
			"MGDA to the fair end; here steps use all points.",
		Seeds: "In the experiment fairness, with 20 draws of data and batches of ten, the hypervolumes relative to MosT-E’s are: linearization " +
			"0.96 (paper 0.88), MosT 0.51 (0.49), MGDA 0.42 (0.43), but EPO 0.98 (0.32). With all points, MGDA’s value ranges from 0.04 to 1.0 " +
			"over 40 draws.",
		Values: map[string]string{"method": "most-e,most,mgda,linearization,epo", "samples": "2000"}},
}
