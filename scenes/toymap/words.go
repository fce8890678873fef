package toymap

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "toy",
	Title:    "Toy race: ways to weigh gradients",
	Question: "Who reaches the front, where on it, and at what price?",
	Summary: "Hikers with different habits leave the same huts for a lake far below, and under the two upper huts lie narrow gorges. " +
		"The lake is the thick line at the bottom, where neither of two goals can gain any more unless the other loses. How a " +
		"method weighs the two gradients decides whether it gets there, where it ends, and what it pays. " +
		"Dots are hikers from everywhere, in the colour of where they end.",
	Try: "See who is caught in the valleys above. Then drag the upper left start down to the height of the lower one: from there every " +
		"method arrives.",
	Done: "Nobody is caught on the left now: from there every method comes to the front.",
	Tried: condition.And(condition.Dragged("start"), condition.FactAtLeast("arrived.ls", 2), condition.FactAtLeast("arrived.pcgrad", 2),
		condition.FactAtLeast("arrived.cagrad", 2), condition.FactAtLeast("arrived.mgda", 2), condition.FactAtLeast("arrived.psmgd", 2)),
	Paper:  "Liu et al. 2021 (CAGrad), appendix B",
	Group:  scene.TwoGoals,
	Hero:   "decision",
	Tally:  &scene.Tally{Fact: "arrived", Word: "arrived"},
	Beside: []string{"objective", "weights"},
	Keys:   []string{"method", "startset", "scale", "R"},
	Comparison: &scene.Comparison{Fact: "gap", Log: true, Step: "eta", Baseline: "ls",
		Values: map[string]string{"startset": "random", "ls.weights": "equal"}},
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: smooth.Equations(),
	Several:   true,
	Opens:     map[string]string{"swarm": "300"},
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = smooth.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration: the number of steps a run has taken. A run starts at k = 0.", Source: "CAGrad, Algorithm 1"},
	{Sign: "x", Text: "A point: the two variables that the steps move.", Source: "CAGrad, appendix B, where they are θ"},
	{Sign: "f₁, f₂", Text: "The two goals, both to be made small: narrow valleys above x₂ = 0, wide basins around (−7, −8) and (7, −8) below.",
		Source: "CAGrad, appendix B"},
	{Sign: "λ", Text: "The weights: how much each goal’s gradient counts in a step. The picture shows the first one’s share, since those of " +
		"some methods do not add up to 1.", Source: "PSMGD, equation (2)"},
	{Sign: "gap", Text: "The distance to the front: by how much both goals, the first divided by its scale, can fall at once; 0 on it.",
		Source: "additive ε-indicator, Zitzler et al. 2003"},
	{Sign: "ω", Text: "How much both goals can still improve together: the length of the shortest mixture of the exact gradients. It is " +
		"0 only where no step helps both goals.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The price: gradients of one function that have been computed. Weighing costs one for each goal, a step with weights " +
		"that are kept one.", Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: PSMGD computes new weights at every R-th step.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size, with which Adam’s update is multiplied: 0.001 in the papers.", Source: "Kingma & Ba 2015, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the previous weights that a refresh keeps.",
		Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "β", Text: "The heavy ball’s memory: the share of the former velocity that it keeps.", Source: "Polyak 1964"},
	{Sign: "c", Text: "CAGrad’s radius: how far its direction may be from the mean gradient, relative to its length.",
		Source: "CAGrad, equation (4)"},
	{Sign: "γ", Text: "FAMO’s decay: how strongly its weights are pulled back to equal ones.", Source: "FAMO, Algorithm 1"},
	{Sign: "scale", Text: "The unit of the first goal, which it is multiplied by: 1 in CAGrad, 0.1 in Nash-MTL, FAMO and FairGrad.",
		Source: "published code of FAMO"},
	{Sign: "σ", Text: "The noise: the standard deviation in each entry of each gradient.", Source: "test problem"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "stall", Title: "The plain mean gets stuck in a valley", Selected: "ls-1", Keys: []string{"method", "optimizer", "startset"},
		Lead: "Linear scalarization gets stuck between the steep walls of both valleys above; MGDA comes through to the front.",
		Text: "Between the walls its gradient gets thousands of times as long as MGDA’s direction ever is, and Adam divides every step by the " +
			"lengths that it has seen. MGDA is at the front after 18,000 iterations.",
		References: []axes.Reference{axes.Level("decision", 2.5, "above this after 30,000 iterations: stuck")},
		Values:     map[string]string{"method": "mgda,ls", "budget": "30000"}},
	{ID: "early", Title: "MGDA stops where it meets the front", Selected: "mgda-2", Hero: "objective",
		Keys: []string{"method", "startset", "cagrad.c"},
		Lead: "MGDA stops where it first meets the front, from the lower left start at its very end.",
		Text: "There the first goal has hardly fallen. CAGrad goes on along the front to the middle.",
		References: []axes.Reference{axes.Upright("objective", 4.1, "start"), axes.Upright("objective", -0.4, "MGDA"),
			axes.Upright("objective", -20, "least")},
		Values: map[string]string{"method": "mgda,cagrad", "startset": "all", "budget": "20000"}},
	{ID: "middle", Title: "Who stays near the mean finds the middle", Selected: "cagrad-1",
		Keys:       []string{"cagrad.c", "method", "startset"},
		Lead:       "From all three starts CAGrad ends where the mean of the losses is lowest.",
		Text:       "It stays near the mean gradient, and takes its time through the valleys: more than 50,000 iterations.",
		References: []axes.Reference{axes.Upright("decision", 0, "lowest mean")},
		Values:     map[string]string{"method": "cagrad", "budget": "100000", "speed": "20000"}},
	{ID: "cost", Title: "The same front for five eighths of the cost", Selected: "psmgd-1", Hero: "gap",
		Keys:       []string{"R", "axis", "startset"},
		Lead:       "From every start PSMGD is at the front first, and it pays five eighths of what MGDA pays.",
		Text:       "With R = 4 it computes weights at every fourth step alone. Both methods end along the same set.",
		References: []axes.Reference{axes.Level("gap", 0.1, "rings: at the front")},
		Values:     map[string]string{"method": "psmgd,mgda", "startset": "famo", "budget": "20000", "axis": kinds.Backpropagations}},
	{ID: "scale", Title: "What if one goal is ten times smaller?", Selected: "famo-1",
		Keys: []string{"scale", "method", "startset"},
		Lead: "Linear scalarization and CAGrad follow the larger goal to one side; IMTL-G and FAMO arrive from every start.",
		Text: "Here f₁ is ten times smaller. IMTL-G and FAMO care for relative progress, and FAMO ends nearest to the middle; from (9, 9) the " +
			"first two have not arrived after 50,000 iterations.",
		References: []axes.Reference{axes.Upright("decision", -5.7, "larger goal")},
		Values:     map[string]string{"method": "ls,cagrad,imtlg,famo", "startset": "famo", "scale": "0.1", "budget": "50000", "speed": "20000"}},
	{ID: "newcomers", Title: "Shares, cone, worst goal: who arrives?", Selected: "stch-1", Keys: []string{"method", "startset", "stch.mu"},
		Lead: "STCH goes down the larger loss and arrives from all three starts, in the middle.",
		Text: "ConFIG, with equal shares of both gradients, and DualProj, the mean moved into the cone, take more than twice as long from " +
			"above. ExcessMTL is still in both valleys after 60,000 iterations.",
		References: []axes.Reference{axes.Upright("decision", 0, "both losses −15.1")},
		Values:     map[string]string{"method": "config,dualproj,stch,excessmtl", "budget": "60000", "speed": "20000"}},
	{ID: "all", Title: "Twenty-two methods: who gets through?", Selected: "psmgd-1", Hero: "arrivals",
		Keys:       []string{"method", "tolerance", "eta"},
		Lead:       "Nine of twenty-two methods come through the narrow valley within 35,000 iterations, seven are in it to the end.",
		Text:       "All start at the upper left. Which are they, and where do the others end?",
		References: []axes.Reference{axes.Upright("arrivals", 35_000, "nine by here")},
		Values: map[string]string{"starts": "1", "budget": "50000", "speed": "20000",
			"method": everyone}},
}

// everyone lists the methods that the card compares: those that make sense here and move one point at a time. The card's text counts
// them, so later methods do not join by themselves.
const everyone = "psmgd,mgda,crmogm,ls,rlw,pcgrad,gradvac,graddrop,cagrad,imtlg,nashmtl,famo,fairgrad,sdmgrad,moco,modo,upgrad," +
	"alignedmtl,config,dualproj,stch,excessmtl"
