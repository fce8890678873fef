package fronts

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "fronts",
	Title:    "Fronts: a few solutions for two objectives",
	Question: "How can a few solutions spread along a front?",
	Summary: "A shop has room for five bicycles, from the cheapest to the lightest, and wants one for every type of buyer. Each method " +
		"moves five such solutions down two objectives, towards the grey front at the bottom. The shaded area, up to the reference point, " +
		"holds the points that the selected method’s solutions beat in both objectives. Its size, the hypervolume, measures how well they " +
		"cover the front.",
	Try: "See which solutions stop above the front. Then drag the reference point: the shaded area changes " +
		"with it.",
	Done:       "The shaded area now extends to the new reference point, and the hypervolume measures this area.",
	Tried:      condition.Dragged(referenceHandle),
	Paper:      "Many-Objective Multi-Solution Transport, appendix C.1 and Table 5",
	Group:      scene.TwoGoals,
	Hero:       "objective",
	Beside:     []string{"hypervolume", "excess"},
	Keys:       []string{"method", "problem", "m", "step"},
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

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The round: every solution takes one step per round. k = 0 is the start.", Source: "MosT, Algorithm 1"},
	{Sign: "m", Text: "The number of solutions that each method moves.", Source: "MosT, section 3"},
	{Sign: "x", Text: "The variables of a solution, θ in the paper.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "f₁, f₂", Text: "The two objectives.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "Σ x_i, i ≥ 2", Text: "The sum of all variables but the first: 0 on the front of ZDT.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "hypervolume", Text: "The area of all points that dominate the reference point and are dominated by at least one solution.",
		Source: "Zitzler & Thiele 1998"},
	{Sign: "Γ", Text: "The plan: how much of each objective each solution serves. Lines connect solutions to the mixtures they serve; " +
		"wider lines mean more mass.", Source: "MosT, equation (1)"},
	{Sign: "w", Text: "The weights of a mixture Σ w_i f_i. A ring marks the mixture’s minimum on the front.", Source: "MosT, section 3.2"},
	{Sign: "n′", Text: "The number of objectives of MosT-E: the original two and mixtures of them.", Source: "MosT, section 3.2"},
	{Sign: "c", Text: "The factor that scales a solution’s direction. By default it is the inverse of the mean mass that the solution " +
		"serves. Steps are then as long as in methods without a plan.", Source: "ours; c = 1 in MosT, Algorithm 1"},
	{Sign: "λ", Text: "The weights of the two gradients in a solution’s step.", Source: "MosT, Algorithm 1, line 4"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the exact gradients; entries that lead out of the box are set " +
		"to 0. It is also 0 at points that are only weakly Pareto optimal.", Source: "Désidéri 2012"},
	{Sign: "η", Text: "The step size: 0.005 in the paper.", Source: "MosT, appendix D.1"},
	{Sign: "τ", Text: "The reward for plans that serve each objective with only one solution. It is 0 here, as in the authors’ public code.",
		Source: "MosT, equation (5)"},
	{Sign: "BP", Text: "The number of single-function gradients computed so far.", Source: "MosT, Table 4"},
}

// signs adapts a card's values to sign steps, which reach the front within 400 rounds.
func signs(values map[string]string) map[string]string {
	values["step"], values["eta"], values["budget"] = "sign", "0.02", "400"
	return values
}

// exactThere is the round by which the solutions have reached the front with sign steps and exact plans.
const exactThere = 60

// These are median hypervolumes on ZDT3 over 20 seeds. A card marks them as references.
const (
	medianExtended      = 6.15
	medianLinearization = 5.92
)

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "weak", Title: "MGDA stops short of the front", Selected: "mgda-1",
		Keys: []string{"method", "problem", "reference"},
		Lead: "MGDA stops above the front, because the first objective cannot fall further.",
		Text: "On the front, all variables but x₁ are 0; here their sum is still 6 to 9.2. On ZDT2 MGDA stops short too. From the " +
			"reference point (1.1, 1.1), the five solutions’ hypervolume is 0.",
		References: []axes.Reference{axes.Place("objective", 0, 1, "on the front")},
		Values:     map[string]string{"method": "mgda"}},
	{ID: "concave", Title: "Weighted sums miss a front that bulges", Selected: "linearization-1",
		Keys: []string{"problem", "method", "reference"},
		Lead: "On a front that bulges, weighted sums end at its two ends; EPO’s solutions spread along it.",
		Text: "On ZDT2, a weighted sum is smallest at an end, whatever its weights; EPO seeks given ratios of the two losses. Yet the " +
			"hypervolume from this reference point prefers the ends; from (1.1, 1.1) it prefers EPO.",
		Values: map[string]string{"problem": "zdt2", "method": "linearization,epo"}},
	{ID: "kinds", Title: "Two goals give only two kinds of solutions", Selected: "most-1",
		Keys: []string{"m", "method", "extended"},
		Lead: "MosT’s four solutions end at two points; MosT-E’s end at four.",
		Text: "MosT’s plan divides two objectives among four solutions: two receive only f₁ and two only f₂; each objective’s solutions end " +
			"at its minimum. MosT-E adds 18 mixtures of the two objectives.",
		Seeds:  "MosT’s hypervolume is 0.84 with every seed; MosT-E’s median over 20 seeds is 3.52.",
		Values: map[string]string{"problem": "quadratics", "m": "4", "method": "most-e,most", "eta": "0.2", "budget": "150"}},
	{ID: "fifth", Title: "Where does a fifth solution go?", Selected: "most-e-1",
		Keys: []string{"shape", "extended", "m", "method"},
		Lead: "One of MosT’s five solutions must serve both objectives and stops between their minima.",
		Text: "MosT-E mixes f₁ and f₂ for all five solutions. With shape 0.1, most mixtures are close to one of the two objectives: try it.",
		Seeds: "Over 40 seeds, the median hypervolume is 3.69 for MosT-E, 3.64 for linearization, 3.38 for MGDA and 2.67 for MosT (half of " +
			"MosT’s runs reach 1.7 to 3.0). MosT-E is ahead of linearization in 25 of the 40. With shape 0.1, MosT-E’s median falls to 2.93, " +
			"and half of its runs reach 2.2 to 3.3; with 10 extended objectives instead of 20 (and the default shape), the median is 3.64.",
		Values: map[string]string{"problem": "quadratics", "method": "most-e,most,mgda,linearization", "eta": "0.2", "budget": "150"}},
	{ID: "signs", Title: "What if only the gradients’ signs count?", Selected: "most-e-1",
		Keys: []string{"method", "step", "eta"},
		Lead: "With only the gradients’ signs, every method reaches the front, even MGDA.",
		Text: "The authors’ public code uses signs: if a variable’s gradient entries have equal signs, it moves by η, whatever their size.",
		Seeds: "Five points can reach a hypervolume of 5.90. The medians over 20 seeds are 5.74 for MosT-E, 5.65 for linearization, 5.64 " +
			"for MosT and 5.06 for MGDA. MosT-E is ahead of linearization in 14 of the 20.",
		Values: signs(map[string]string{"method": "most-e,most,mgda,linearization"})},
	{ID: "decay", Title: "What does a little weight decay change?", Selected: "mgda-1",
		Keys: []string{"decay", "method", "step"},
		Lead: "Without weight decay, MGDA stops short of the front again.",
		Text: "The gradient of f₁ and its signs are 0 in all variables but x₁, unless weight decay adds something. So MGDA stops at x₁ = 0, " +
			"as do MosT’s solutions that serve only f₁. Set the weight decay to 0.0005 to compare.",
		Seeds:  "The median hypervolume over 20 seeds falls without weight decay: from 5.1 to 1.8 for MGDA and from 5.6 to 1.3 for MosT.",
		Values: signs(map[string]string{"method": "most,mgda", "decay": "0"})},
	{ID: "blur", Title: "A trace of mass slows all solutions down", Selected: "most-e-1",
		Hero: "excess", Keys: []string{"solver", "method", "problem"},
		Lead: "If each solution serves traces of every objective, all solutions slow down.",
		Text: "Sinkhorn’s plans leave such traces. The objective with the least mass then has the shortest gradient, and MGDA gives it " +
			"almost all the weight. Steps shrink in proportion to that objective’s share of the mass.",
		Seeds: "After 400 rounds, all variables but x₁ still sum to 3.8 (0 with exact plans), and the hypervolume is 5.34 instead of 5.74 " +
			"(medians of 20 seeds). On ZDT2 they sum to 3.0, on ZDT3 to 4.3. IPOT’s traces do the same: in 30 rounds IPOT lowers the sum from " +
			"14.5 to 11.6; exact plans lower it to 2.2.",
		References: []axes.Reference{axes.Upright("excess", exactThere, "exact plans reach the front by this round")},
		Values:     signs(map[string]string{"method": "most-e", "solver": "sinkhorn"})},
	{ID: "seeds", Title: "One run says little: use twenty seeds", Selected: "most-e-1",
		Hero: "hypervolume", Keys: []string{"seed", "method"},
		Lead: "With another seed, a method can reach a much larger or smaller hypervolume.",
		Text: "Each seed gives new starts and mixtures, and a solution does not leave the valley of f₂ that it is in. In this run MosT-E " +
			"reaches 6.0.",
		Seeds: "Of MosT-E’s 20 runs, 13 reach more than 6, and 2 stay below 5. The medians are 6.15 for MosT-E and 5.92 for linearization, " +
			"which is ahead in 6 of the 20.",
		References: []axes.Reference{axes.Level("hypervolume", medianExtended, "MosT-E, median of 20 seeds"),
			axes.Level("hypervolume", medianLinearization, "linearization, median")},
		Values: signs(map[string]string{"problem": "zdt3", "method": "most-e,linearization"})},
	{ID: "table", Title: "Which steps suit which method?",
		Keys: []string{"view"},
		Lead: "With sign steps, only MosT-E is above each of the paper’s baselines on all three problems.",
		Text: "The paper’s Table 5 beside our results: every method on ZDT1 to ZDT3 by step style. No method reaches the paper’s value for MosT.",
		Seeds: "These results hold over 20 seeds; the shape of MosT-E’s mixtures was chosen on other seeds. With evenly spread weights, " +
			"linearization equals MosT-E on ZDT1.",
		Values: map[string]string{"view": viewTable}},
}
