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
	Summary: "A firm draws a line through its applicants’ marks to decide whom it hires, and the most accurate line takes one group " +
		"more than twice as often as the other. Points are people of two classes, some of them with a sensitive attribute, and " +
		"each line decides who gets +1. Each method looks for five lines at once, from the most accurate to one whose decisions " +
		"do not go along with the attribute.",
	Try:  "Turn the attribute to 80°, by its ring in the picture or by the slider of φ: now a line can be fair and nearly as accurate.",
	Done: "A line that decides alike for both groups is nearly as accurate now: at most four more people in a hundred are judged wrongly.",
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
	{Sign: "k", Text: "The round: a plan, and a step of every solution.", Source: "MosT, Algorithm 1"},
	{Sign: "x", Text: "A point: two features, which decisions may depend on.", Source: "Zafar et al. 2017, section 4.1"},
	{Sign: "z", Text: "The sensitive attribute, 1 or 0, which they may not.", Source: "Zafar et al. 2017, section 2"},
	{Sign: "θ", Text: "A solution: the decision on x is +1 where θᵀx ≥ 0, so θ is the normal of its line and points to that side.",
		Source: "Zafar et al. 2017, section 3.2"},
	{Sign: "f₁", Text: "The mean logistic loss, log(1 + e^{−yθᵀx}).", Source: "Zafar et al. 2017, section 3.2"},
	{Sign: "f₂", Text: "The square of the covariance of z and θᵀx, which is smooth; the paper bounds its size.",
		Source: "Zafar et al. 2017, equation (2)"},
	{Sign: "acc", Text: "The share of the points that a line decides as their class.", Source: "Zafar et al. 2017, section 4"},
	{Sign: "p %", Text: "The smaller of the shares of points with and without the attribute that get +1, divided by the larger; the 80 % " +
		"rule asks for 0.8.", Source: "Zafar et al. 2017, section 2.1"},
	{Sign: "hypervolume", Text: "The area that a method’s solutions dominate below the reference point, times 100. The point lies a tenth " +
		"beyond the front’s ends; the paper takes the largest values of any method.", Source: "MosT, appendix C"},
	{Sign: "Γ", Text: "The plan: how much of each objective, a row, is carried to each solution, a column.", Source: "MosT, problem (2)"},
	{Sign: "n′", Text: "How many objectives MosT-E matches: the two, and random mixtures of them.", Source: "MosT, section 3.2"},
	{Sign: "λ", Text: "The weights of the two gradients in a solution’s step.", Source: "MosT, Algorithm 1"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the two gradients: 0 at Pareto-stationary points.",
		Source: "Désidéri 2012"},
	{Sign: "BP", Text: "Gradients of one objective at one solution, spent so far.", Source: "PSMGD, Table 1"},
	{Sign: "η", Text: "The step size: 0.08 or 0.1 in the paper, which makes steps on batches.", Source: "MosT, appendix D.3"},
	{Sign: "K", Text: "The steps of each solution with one plan.", Source: "MosT, Algorithm 1"},
	{Sign: "m", Text: "The solutions of each method.", Source: "MosT, section 3"},
	{Sign: "φ", Text: "The angle by which points are turned before their attribute is drawn, π/4 in the paper.",
		Source: "Zafar et al. 2017, section 4.1"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "accurate", Title: "Accurate is not fair", Selected: "most-1",
		Keys: []string{"phi", "method"},
		Lead: "The line of least loss gives +1 more than twice as often to those with the attribute.",
		Text: "The 80 % rule asks for shares that are nearly alike. The line without covariance has them, and costs 10 to 20 points of " +
			"accuracy: press its sign.",
		Seeds: "On average over 20 draws the line of least loss gets 88 of 100 points right, with the ratio 42 %, and the line without " +
			"covariance 72, with 95 %.",
		Values: map[string]string{"method": "most"}},
	{ID: "two", Title: "Two goals give only two kinds of lines", Selected: "most-2",
		Hero: "objective", Keys: []string{"m", "method"},
		Lead: "Two solutions end as the same line, two as lines without covariance, and none between.",
		Text: "MosT has two objectives for four solutions, so that each gets one alone. Those with the covariance alone stop wherever they " +
			"have none left, one of them here wrong on 76 of 100 points.",
		Seeds: "On 16 of 20 draws one of them is wrong more often than right. After three rounds the hypervolume was more than twice what " +
			"it is at the end.",
		Values: map[string]string{"method": "most", "m": "4"}},
	{ID: "spread", Title: "Mixtures of both goals spread the lines", Selected: "most-e-1",
		Hero: "objective", Keys: []string{"method", "extended", "m"},
		Lead: "Mixtures of both goals spread MosT-E’s lines along the front, and MosT falls behind.",
		Text: "Each solution serves a few neighbours among twenty mixtures of the two objectives. Only the one that serves the covariance " +
			"itself stops as soon as there is none left, however much it errs: here its square is off the front.",
		Seeds: "Its five lines have 91 % of the hypervolume of the whole front, MosT’s 15 %, medians of 40 draws; in 5 of these MosT has " +
			"more than half of it. On 17 of 20 MosT has less than half of what MosT-E has.",
		Values: map[string]string{"method": "most,most-e"}},
	{ID: "mixtures", Title: "Which mixtures, and how many?", Selected: "most-e-1",
		Hero: "objective", Keys: []string{"shape", "extended", "method"},
		Lead: "With mixtures that are nearly one goal alone MosT-E falls behind plain weighted sums.",
		Text: "With shape 0.1 most mixtures are of that kind. With shape 1 MosT-E has more hypervolume than with 0.1, and ten objectives in " +
			"all do about as well as twenty.",
		Seeds:  "It is behind linearization on 18 of 20 draws with shape 0.1, and ahead of it on 11 with shape 1.",
		Values: map[string]string{"method": "most-e,linearization", "shape": "0.1"}},
	{ID: "hard", Title: "When is a fair line no better than a coin?", Selected: "most-4",
		Keys: []string{"phi", "method"},
		Lead: "Where the attribute goes with the class, a fair line is hardly better than a coin.",
		Text: "At φ = 0° the attribute goes with the class as far as a point tells it. The line without covariance gets 54 of 100 points right " +
			"at most.",
		Seeds:  "On average over 20 draws it gets 51 right, and the line of least loss has the ratio 14 %.",
		Values: map[string]string{"method": "most", "phi": "0"}},
	{ID: "easy", Title: "When can a line be fair and accurate?", Selected: "most-e-4",
		Keys: []string{"phi", "method"},
		Lead: "With another attribute a line can be fair and nearly as accurate as the best.",
		Text: "The points are the same as at φ = 0°. How hard the choice is, is decided by the data before any method begins.",
		Seeds: "On average over 20 draws the line without covariance gets 85 of 100 points right and comes to 96 %. It costs six points of " +
			"accuracy at most.",
		Values: map[string]string{"method": "most-e", "phi": "80"}},
	{ID: "table", Title: "Do we find the paper’s ranking?", Selected: "most-e-1",
		Hero: "volume", Keys: []string{"method", "samples"},
		Lead: "EPO is near the top here, where the paper has it last.",
		Text: "The paper has MosT-E first, then linearization, MosT, MGDA and EPO. Its steps are made on batches, whose noise takes MGDA to " +
			"the fair end; here they see all points.",
		Seeds: "In experiment fairness, on 20 draws of data and with batches of ten, they have these shares of MosT-E’s hypervolume: " +
			"linearization 0.96, in the paper 0.88; MosT 0.51, there 0.49; MGDA 0.42, there 0.43; but EPO 0.98, there 0.32. With all points " +
			"MGDA’s share is from 0.04 to 1.0 over 40 draws, as the draw has it.",
		Values: map[string]string{"method": "most-e,most,mgda,linearization,epo", "samples": "2000"}},
}
