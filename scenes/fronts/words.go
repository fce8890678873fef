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
	Question: "How does one spread a few solutions along a front?",
	Summary: "A shop has room for five bicycles, from the cheapest to the lightest, and wants something for every buyer. Each method " +
		"moves five such solutions down two objectives, towards the grey front at the bottom. The shaded area is what the " +
		"selected method’s solutions beat in both, up to the reference point: its size, the hypervolume, says how well they cover " +
		"the front.",
	Try: "See which solutions stop above the front, where they no longer move. Then drag the reference point: what is shaded changes with " +
		"it.",
	Done:       "What is shaded reaches to where the reference point is now, and so does the volume that counts it.",
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
	{Sign: "k", Text: "The round: in each, every solution makes a step; k = 0 is the start.", Source: "MosT, Algorithm 1"},
	{Sign: "m", Text: "How many solutions each method moves.", Source: "MosT, section 3"},
	{Sign: "x", Text: "The variables of a solution, θ in the paper.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "f₁, f₂", Text: "The two objectives.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "Σ x_i, i ≥ 2", Text: "The sum of all variables but the first: 0 on the front of ZDT.", Source: "Zitzler, Deb & Thiele 2000"},
	{Sign: "hypervolume", Text: "The area of the points that some solution dominates and that dominate the reference point.",
		Source: "Zitzler & Thiele 1998"},
	{Sign: "Γ", Text: "The plan: how much of each objective each solution serves. Lines lead from solutions to what they serve, the wider " +
		"the more.", Source: "MosT, equation (1)"},
	{Sign: "w", Text: "The weights of a mixture Σ w_i f_i. A ring marks where on the front it is least.", Source: "MosT, section 3.2"},
	{Sign: "n′", Text: "How many objectives MosT-E has: the two and mixtures of them.", Source: "MosT, section 3.2"},
	{Sign: "c", Text: "What a solution’s direction is multiplied by: by default the inverse of the mean of the masses that it serves, so " +
		"that its steps are as long as those of methods without a plan.", Source: "ours; c = 1 in MosT, Algorithm 1"},
	{Sign: "λ", Text: "The weights of the two gradients in a solution’s step.", Source: "MosT, Algorithm 1, line 4"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the exact gradients, entries that lead out of the box being 0. It " +
		"is 0 at weakly Pareto-optimal points too.", Source: "Désidéri 2012"},
	{Sign: "η", Text: "The step size: 0.005 in the paper.", Source: "MosT, appendix D.1"},
	{Sign: "τ", Text: "The reward for serving an objective by one solution only; 0 here, as in the authors’ public code.",
		Source: "MosT, equation (5)"},
	{Sign: "BP", Text: "Gradients of one scalar function, spent so far.", Source: "MosT, Table 4"},
}

// signs adapts a card's values to sign steps, which arrive within 400 rounds.
func signs(values map[string]string) map[string]string {
	values["step"], values["eta"], values["budget"] = "sign", "0.02", "400"
	return values
}

// exactThere is the round by which sign steps with exact plans have taken solutions to the front.
const exactThere = 60

// Hypervolumes on ZDT3, medians of 20 seeds, which a card marks.
const (
	medianExtended      = 6.15
	medianLinearization = 5.92
)

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "weak", Title: "MGDA stops short of the front", Selected: "mgda-1",
		Keys: []string{"method", "problem", "reference"},
		Lead: "MGDA stops above the front, where the first objective cannot fall any further.",
		Text: "On the front every variable but x₁ is 0; here the others still sum to 6 to 9.2. So it does on ZDT2. Measured from the reference " +
			"point (1.1, 1.1) the five are worth nothing.",
		References: []axes.Reference{axes.Place("objective", 0, 1, "on the front")},
		Values:     map[string]string{"method": "mgda"}},
	{ID: "concave", Title: "Weighted sums miss a front that bulges", Selected: "linearization-1",
		Keys: []string{"problem", "method", "reference"},
		Lead: "Weighted sums go to the two ends of a front that bulges; EPO’s solutions lie along it.",
		Text: "On ZDT2 a weighted sum is least at an end, whatever its weights; EPO looks for ratios of the two losses. Yet hypervolume from " +
			"this reference point prefers the ends, and from (1.1, 1.1) it is the other way round.",
		Values: map[string]string{"problem": "zdt2", "method": "linearization,epo"}},
	{ID: "kinds", Title: "Two goals give only two kinds of solutions", Selected: "most-1",
		Keys: []string{"m", "method", "extended"},
		Lead: "MosT’s four solutions end at two places, and MosT-E’s four at four.",
		Text: "A plan shares two objectives among four solutions: two get all of the one, two all of the other, and end at its minimum. MosT-E " +
			"has 18 mixtures of the two beside them.",
		Seeds:  "MosT’s hypervolume is 0.84 with every seed, MosT-E’s 3.52, the median of 20 seeds.",
		Values: map[string]string{"problem": "quadratics", "m": "4", "method": "most-e,most", "eta": "0.2", "budget": "150"}},
	{ID: "fifth", Title: "Where does a fifth solution go?", Selected: "most-e-1",
		Keys: []string{"shape", "extended", "m", "method"},
		Lead: "One of MosT’s five solutions has to serve both objectives, and rests between their minima.",
		Text: "MosT-E has mixtures of them for all five. With shape 0.1 most are nearly one of the two objectives: try it.",
		Seeds: "Over 40 seeds the median hypervolume is 3.69 for MosT-E, 3.64 for linearization, 3.38 for MGDA and 2.67 for MosT, half of " +
			"whose runs have 1.7 to 3.0. MosT-E is ahead of linearization in 25 of the 40. With shape 0.1 MosT-E’s median falls to 2.93, and half " +
			"of its runs have 2.2 to 3.3; with 10 extended objectives in place of 20 it is 3.64.",
		Values: map[string]string{"problem": "quadratics", "method": "most-e,most,mgda,linearization", "eta": "0.2", "budget": "150"}},
	{ID: "signs", Title: "What if only the gradients’ signs count?", Selected: "most-e-1",
		Keys: []string{"method", "step", "eta"},
		Lead: "With the signs of gradients alone every method comes down to the front, MGDA too.",
		Text: "The authors’ public code follows them: where gradients agree a variable moves by η, however steep they are.",
		Seeds: "Five points can have a hypervolume of 5.90; the medians of 20 seeds are 5.74 for MosT-E, 5.65 for linearization, 5.64 for MosT " +
			"and 5.06 for MGDA. MosT-E is ahead of linearization in 14 of the 20.",
		Values: signs(map[string]string{"method": "most-e,most,mgda,linearization"})},
	{ID: "decay", Title: "What does a little weight decay change?", Selected: "mgda-1",
		Keys: []string{"decay", "method", "step"},
		Lead: "Without a little weight decay MGDA stops short of the front again.",
		Text: "The gradient of f₁ is 0 in all variables but x₁, and so are its signs, unless weight decay adds something. So MGDA stops at x₁ " +
			"= 0, as do the solutions of MosT that serve f₁ alone. Set it to 0.0005 and see.",
		Seeds:  "Hypervolume falls from 5.1 and 5.6 to 1.8 and 1.3, medians of 20 seeds.",
		Values: signs(map[string]string{"method": "most,mgda", "decay": "0"})},
	{ID: "blur", Title: "A trace of mass slows everyone down", Selected: "most-e-1",
		Hero: "excess", Keys: []string{"solver", "method", "problem"},
		Lead: "Traces of every objective in each solution’s share slow the solutions down.",
		Text: "Sinkhorn’s plans leave such traces. MGDA then gives almost the whole weight to the objective with the least mass, whose " +
			"gradient is the shortest, and steps are as short as that mass is beside the others.",
		Seeds: "After 400 rounds the other variables still sum to 3.8, where exact plans take them to 0, and hypervolume is 5.34 in place of " +
			"5.74 (medians of 20 seeds). On ZDT2 they sum to 3.0, on ZDT3 to 4.3. IPOT’s traces do the same: in 30 rounds it takes the sum from " +
			"14.5 to 11.6, where exact plans take it to 2.2.",
		References: []axes.Reference{axes.Upright("excess", exactThere, "with exact plans they are there")},
		Values:     signs(map[string]string{"method": "most-e", "solver": "sinkhorn"})},
	{ID: "seeds", Title: "One run says little: ask twenty seeds", Selected: "most-e-1",
		Hero: "hypervolume", Keys: []string{"seed", "method"},
		Lead: "With another seed a method comes to much more or to much less.",
		Text: "Starts and mixtures are drawn anew, and f₂ has valleys that a solution does not leave. In this run MosT-E comes to 6.0.",
		Seeds: "Of 20 seeds 13 come to more than 6, and 2 to less than 5. The medians are 6.15 for MosT-E and 5.92 for linearization, which is " +
			"ahead in 6 of the 20.",
		References: []axes.Reference{axes.Level("hypervolume", medianExtended, "MosT-E, median of 20 seeds"),
			axes.Level("hypervolume", medianLinearization, "linearization, median")},
		Values: signs(map[string]string{"problem": "zdt3", "method": "most-e,linearization"})},
	{ID: "table", Title: "Which steps suit which method?",
		Keys: []string{"view"},
		Lead: "With sign steps only MosT-E is above each of the paper’s baselines on all three problems.",
		Text: "The paper’s Table 5, with ours beside it: every method on ZDT1 to ZDT3 by step style. No method reaches what the paper has for " +
			"MosT.",
		Seeds: "This is over 20 seeds, with the shape of its mixtures chosen on others. Linearization with weights that are spread evenly is " +
			"level with it on ZDT1 then.",
		Values: map[string]string{"view": viewTable}},
}
