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
	Question: "Which methods reach the front, where on it, and at what cost?",
	Summary: "Hikers with different habits leave the same huts for a lake far below. Below the two upper huts are narrow gorges. " +
		"The lake is the thick line at the bottom, where neither of two goals can improve unless the other gets worse. How a method weighs " +
		"the two gradients determines whether it gets there, where it ends and what it costs. The dots are hikers who start all over the " +
		"plane, coloured by where they end.",
	Try: "See which methods get stuck in the valleys above. Then drag the upper left start down to the height of the lower left start: from " +
		"there, every method arrives.",
	Done: "No method is stuck on the left now: from the moved start, every method reaches the front.",
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
	{Sign: "x", Text: "A point: the two variables that the steps change.", Source: "CAGrad, appendix B, which calls it θ"},
	{Sign: "f₁, f₂", Text: "The two goals, both to be minimised. They have narrow valleys above x₂ = 0 and wide basins around (−7, −8) " +
		"and (7, −8) below.",
		Source: "CAGrad, appendix B"},
	{Sign: "λ", Text: "The weights: how much each goal’s gradient counts in a step. The picture shows the first goal’s share, because " +
		"some methods’ weights do not sum to 1.", Source: "PSMGD, equation (2)"},
	{Sign: "gap", Text: "The distance to the front: how much both goals, the first divided by its scale, can fall at once. It is 0 on " +
		"the front.",
		Source: "additive ε-indicator, Zitzler et al. 2003"},
	{Sign: "ω", Text: "How much both goals can still improve together: the length of the shortest mixture of the exact gradients. It is " +
		"0 only where no step helps both goals.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The cost: the number of single-function gradients computed. Computing weights costs one gradient per goal; a " +
		"step that keeps its weights costs one.", Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: PSMGD computes new weights at every R-th step.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size, which multiplies Adam’s update: 0.001 in the papers.", Source: "Kingma & Ba 2015, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the previous weights kept when new weights are computed.",
		Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "β", Text: "The heavy ball’s memory: the share of the previous velocity that each step keeps.", Source: "Polyak 1964"},
	{Sign: "c", Text: "CAGrad’s radius: how far its direction may be from the mean gradient, relative to the mean gradient’s length.",
		Source: "CAGrad, equation (4)"},
	{Sign: "γ", Text: "FAMO’s decay: how strongly it pulls its weights back to equal weights.", Source: "FAMO, Algorithm 1"},
	{Sign: "scale", Text: "The factor that multiplies the first goal: 1 in CAGrad, 0.1 in Nash-MTL, FAMO and FairGrad.",
		Source: "published code of FAMO"},
	{Sign: "σ", Text: "The standard deviation of the noise in each entry of each gradient.", Source: "test problem"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "stall", Title: "The plain mean gets stuck in a valley", Selected: "ls-1", Keys: []string{"method", "optimizer", "startset"},
		Lead: "Linear scalarization gets stuck between the steep walls of both valleys above; MGDA gets through to the front.",
		Text: "Between the walls the mean gradient gets thousands of times as long as MGDA’s direction ever is. Adam divides every step by the " +
			"gradient lengths so far. MGDA reaches the front after 18,000 iterations.",
		References: []axes.Reference{axes.Level("decision", 2.5, "above this after 30,000 iterations: stuck")},
		Values:     map[string]string{"method": "mgda,ls", "budget": "30000"}},
	{ID: "early", Title: "MGDA stops where it meets the front", Selected: "mgda-2", Hero: "objective",
		Keys: []string{"method", "startset", "cagrad.c"},
		Lead: "MGDA stops where it first meets the front; from the lower left start, that is the front’s very end.",
		Text: "At this end the first goal has hardly fallen. CAGrad continues along the front to the middle.",
		References: []axes.Reference{axes.Upright("objective", 4.1, "start"), axes.Upright("objective", -0.4, "MGDA"),
			axes.Upright("objective", -20, "least")},
		Values: map[string]string{"method": "mgda,cagrad", "startset": "all", "budget": "20000"}},
	{ID: "middle", Title: "Staying near the mean leads to the middle", Selected: "cagrad-1",
		Keys:       []string{"cagrad.c", "method", "startset"},
		Lead:       "From all three starts, CAGrad ends where the mean of the losses is lowest.",
		Text:       "CAGrad stays near the mean gradient, but takes more than 50,000 iterations to get through the valleys.",
		References: []axes.Reference{axes.Upright("decision", 0, "lowest mean")},
		Values:     map[string]string{"method": "cagrad", "budget": "100000", "speed": "20000"}},
	{ID: "cost", Title: "The same front for five eighths of the cost", Selected: "psmgd-1", Hero: "gap",
		Keys:       []string{"R", "axis", "startset"},
		Lead:       "From every start, PSMGD reaches the front first, and its runs cost five eighths of MGDA’s.",
		Text:       "PSMGD with R = 4 computes weights only at every fourth step. All runs of both methods end on the same front.",
		References: []axes.Reference{axes.Level("gap", 0.1, "rings: at the front")},
		Values:     map[string]string{"method": "psmgd,mgda", "startset": "famo", "budget": "20000", "axis": kinds.Backpropagations}},
	{ID: "scale", Title: "What if one goal is ten times smaller?", Selected: "famo-1",
		Keys: []string{"scale", "method", "startset"},
		Lead: "Linear scalarization and CAGrad follow the larger goal to one side; IMTL-G and FAMO reach the front from every start.",
		Text: "Here f₁ is ten times smaller. IMTL-G and FAMO balance relative progress, and FAMO ends nearest to the middle. From (9, 9), " +
			"linear scalarization and CAGrad have not arrived after 50,000 iterations.",
		References: []axes.Reference{axes.Upright("decision", -5.7, "larger goal")},
		Values:     map[string]string{"method": "ls,cagrad,imtlg,famo", "startset": "famo", "scale": "0.1", "budget": "50000", "speed": "20000"}},
	{ID: "newcomers", Title: "Shares, cone, worst goal: which arrives?", Selected: "stch-1", Keys: []string{"method", "startset", "stch.mu"},
		Lead: "STCH descends the larger loss and reaches the middle of the front from all three starts.",
		Text: "From above, ConFIG (equal shares of both gradients) and DualProj (the mean moved into the cone) take more than twice as " +
			"long as STCH. ExcessMTL is still in both valleys after 60,000 iterations.",
		References: []axes.Reference{axes.Upright("decision", 0, "both losses −15.1")},
		Values:     map[string]string{"method": "config,dualproj,stch,excessmtl", "budget": "60000", "speed": "20000"}},
	{ID: "all", Title: "Twenty-two methods: which get through?", Selected: "psmgd-1", Hero: "arrivals",
		Keys:       []string{"method", "tolerance", "eta"},
		Lead:       "Nine of twenty-two methods get through the narrow valley within 35,000 iterations; seven are still in it at the end.",
		Text:       "All runs start at the upper left. Which methods get through, and where do the others end?",
		References: []axes.Reference{axes.Upright("arrivals", 35_000, "nine by here")},
		Values: map[string]string{"starts": "1", "budget": "50000", "speed": "20000",
			"method": everyone}},
}

// everyone lists the methods that the card compares: those that make sense on this problem and move one point at a
// time. The card's text states their number, so later methods are not added automatically.
const everyone = "psmgd,mgda,crmogm,ls,rlw,pcgrad,gradvac,graddrop,cagrad,imtlg,nashmtl,famo,fairgrad,sdmgrad,moco,modo,upgrad," +
	"alignedmtl,config,dualproj,stch,excessmtl"
