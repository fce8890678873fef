package bilevelpaths

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "bilevel",
	Title:    "Quadratic bilevel: FORUM",
	Question: "How do you steer something that settles by itself?",
	Summary: "A town sets a toll, and then the traffic settles by itself. To choose well, the town must foresee where traffic settles. Each " +
		"path leads from a start, which you can drag, to the grey bar of solutions. There the lower level has settled at the bottom of its " +
		"valley, and neither of the two upper goals can gain without a loss to the other. FORUM takes a short cut with gradients alone and " +
		"is pulled back into the valley. MOML and MoCo run to its bottom first, and pay for second derivatives to learn how the bottom moves.",
	Try:  "Drag a start somewhere else and let the runs go. Every path reaches the grey bar again, FORUM’s path last.",
	Done: "Every path ends on the grey bar again, wherever it starts.",
	Tried: condition.And(condition.Dragged("start"), condition.FactAtMost("E.forum", 0.01), condition.FactAtMost("E.moml", 0.01),
		condition.FactAtMost("E.moco", 0.01)),
	Paper:  "FORUM, appendix C and Figure 2",
	Group:  scene.TwoLevels,
	Hero:   "space",
	Beside: []string{"lower", "cost"},
	Keys:   []string{"method", "T", "mu", "rho", "view"},
	Comparison: &scene.Comparison{Fact: "E", Log: true, Step: "eta", StartsInfeasible: true,
		Values: map[string]string{"startset": "random"}},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: twolevel.Equations(append([]string{twolevel.FORUMExact, twolevel.FORUMReleased}, offered...)...),
	New:       func() scene.Scene { return New() },
}

// Methods lists the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(append([]string{twolevel.FORUMExact, twolevel.FORUMReleased}, offered...)...)

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "α", Text: "The upper variable. It moves the lower level’s valley, whose bottom is at ω*(α) = (α, α).",
		Source: "FORUM, equation (24)"},
	{Sign: "ω", Text: "The two lower variables. The lower level minimises f = ‖ω − (α, α)‖² over them.", Source: "FORUM, equation (24)"},
	{Sign: "F₁, F₂", Text: "The two upper objectives, ‖ω − (1, α)‖² and ‖ω − (2, α)‖². Without the lower level they would be best at ω₁ " +
		"in [1, 2] and ω₂ = α.", Source: "FORUM, equation (24)"},
	{Sign: "ω̃ᵗ", Text: "The t-th point of the lower level’s loop, ω̃ ← ω̃ − η ∇f. Its end ω̃ᵀ approximates the bottom of the valley.",
		Source: "FORUM, equation (4)"},
	{Sign: "T", Text: "How many steps the lower level’s loop takes.", Source: "FORUM, Algorithm 1"},
	{Sign: "η", Text: "The step size of the lower level’s loop. Here every step multiplies the distance from the bottom by 1 − 2η.",
		Source: "FORUM, Algorithm 1"},
	{Sign: "μ", Text: "The step size of the upper level: z ← z − μ·direction.", Source: "FORUM, Algorithm 1"},
	{Sign: "q", Text: "How far the lower level is above the bottom of its valley: q(z) = f(z) − min f(α, ·), with z = (α, ω). A solution " +
		"has q = 0.", Source: "FORUM, equation (3)"},
	{Sign: "q̃", Text: "The excess q, computed with the loop’s end instead of the minimiser: q̃ = f(z) − f(α, ω̃ᵀ). Its gradient needs no " +
		"second derivatives.",
		Source: "FORUM, equation (5)"},
	{Sign: "ρ", Text: "How strongly FORUM is pulled into the valley. At 0, a step need not descend into the valley, but must not climb out.",
		Source: "FORUM, section 3.2"},
	{Sign: "φ", Text: "The rate at which a step has to lower q̃: φ = (ρ/2)‖∇q̃‖².", Source: "FORUM, problem (7)"},
	{Sign: "π", Text: "The pull into the valley that one objective alone would need, πᵢ = (2φ − ⟨∇q̃, ∇Fᵢ⟩)/‖∇q̃‖². " +
		twolevel.Differs, Source: "FORUM, equation (9)"},
	{Sign: "ν", Text: "The multiplier of the constraint on q̃, max(Σλ̃ᵢπᵢ, 0). A step adds ν times ∇q̃, the slope of the valley.",
		Source: "FORUM, equations (8) and (9)"},
	{Sign: "λ", Text: "The weights of the two objectives. They solve the small quadratic problem min ½‖Σλ∇F + γ∇q̃‖² − γφ, γ = " +
		"max(Σλπ, 0).", Source: "FORUM, equation (10)"},
	{Sign: "λ̃", Text: "The averaged weights, which the step uses: λ̃ ← (1 − βₖ) λ̃ + βₖ λ.", Source: "FORUM, Algorithm 1"},
	{Sign: "βₖ", Text: "The share of the new weights in the average. The paper uses (k + 1)^(−3/4).", Source: "FORUM, Algorithm 1"},
	{Sign: "K(z)", Text: "How far a point is from stationarity with the multipliers in use: ‖Σλ̃∇F + ν∇q‖² with the exact q. It is 0 at a " +
		"stationary point.", Source: "FORUM, section 4.2"},
	{Sign: "KKT", Text: "How far a point is from stationarity with the best possible multipliers. √KKT can " +
		"stop a run.", Source: "FORUM, appendix B.1"},
	{Sign: "E", Text: "The distance from the solutions α = ω₁ = ω₂ = c, c in [1, 2]. For MOML, MoCo and BVFIM it is measured at (α, ω̃ᵀ).",
		Source: "FORUM, Figure 2"},
	{Sign: "BP", Text: "The number of gradients of upper and lower objectives computed so far.", Source: "FORUM, section 4.1"},
	{Sign: "HVP", Text: "Products of the lower level’s second derivatives with a vector. MOML and MoCo need one for every step of the " +
		"loop and every objective. With backpropagation, a product costs as much as two to four gradients.", Source: "FORUM, section 4.1"},
}

// presets lists the one-click cards.
var presets = []scene.Preset{
	{ID: "paper", Title: "The paper’s three starts: which method is first?", Selected: "forum-2", Hero: "measures",
		Lead: "MOML and MoCo need fewer steps to reach the solutions, but FORUM gets there without a single second derivative.",
		Text: "From all three starts every method ends in the set of solutions. Each run of MOML and MoCo costs 20,000 Hessian-vector " +
			"products; FORUM’s runs cost none.",
		References: []axes.Reference{axes.Level("measures", nearby, "rings: within 0.01 of the solutions")},
		Values:     map[string]string{"method": "forum,moml,moco", "T": "50", "eta": "0.05", "mu": "0.3", "rho": "0.3", "speed": "30"}},
	{ID: "slow", Title: "What happens within one step?", Selected: "forum-2", Hero: "lower", Keys: []string{"moment", "method", "T", "zoom"},
		Lead:   "One step of FORUM runs the lower level’s loop, measures the valley’s slope, weighs the goals, and moves.",
		Text:   "A small optimisation problem sets the weights and the pull. Drag the mark below the plane of ω to go to any moment of the step.",
		Values: map[string]string{"method": "forum", "view": viewStep, "zoom": zoomClose, "speed": runs.Slow}},
	{ID: "rho", Title: "What if nothing pulls FORUM into the valley?", Selected: "forum-1", Keys: []string{"rho", "method", "view"},
		Lead:   "Without the pull FORUM stops off the valley floor, on the sheet of points best for the goals alone.",
		Text:   "With ρ = 0 a step need not descend into the valley, but it must not climb out. Where FORUM stops, √KKT is 0, but q is not.",
		Values: map[string]string{"method": "forum", "rho": "0", "speed": "30"}},
	{ID: "short", Title: "How short may the inner loop be?", Selected: "moml-1", Hero: "measures",
		Keys: []string{"T", "method", "budget", "curve"},
		Lead: "With an inner loop of one step, FORUM arrives first, MoCo second, and MOML much later.",
		Text: "After one step of the loop, MOML and MoCo see only a tenth of ω’s response to α. MOML goes past its end point and " +
			"turns back.",
		References: []axes.Reference{axes.Level("measures", nearby, "rings: within 0.01 of the solutions")},
		Values:     map[string]string{"T": "1", "budget": "600", "speed": "200"}},
	{ID: "large", Title: "When does the inner loop run away?", Selected: "forum-1", Hero: "lower", Keys: []string{"eta", "T", "method"},
		Lead: "With steps that are too large the inner loop swings ever farther out, and all methods diverge.",
		Text: "Every step multiplies the distance from the bottom by 1 − 2η = −1.1, so fifty steps multiply it by 117. At η = 0.9 the loop " +
			"swings as well, but inwards.",
		Values: map[string]string{"eta": "1.05", "zoom": zoomClose, "speed": "1"}},
	{ID: "multiplier", Title: "A factor of two in print: does it matter?", Selected: "forum-2", Hero: "measures",
		Keys: []string{"multiplier", "mu", "rho"},
		Lead: "Pulled twice as hard as with the exact dual, FORUM as printed gets much nearer the solutions within 200 steps.",
		Text: "With the paper’s μ = ρ = 0.3, both versions arrive within 200 steps. The paper prints 2φ in its multiplier, although the " +
			"dual of its problem has φ.",
		Seeds: "From random starts, too, FORUM as printed gets at least five times nearer than with the exact dual if μ = 0.1. From two of " +
			"the paper’s three starts the two versions end at different solutions, with either value of μ.",
		Values: map[string]string{"method": "forum", "multiplier": "both", "mu": "0.1", "speed": "30"}},
	{ID: "fixed", Title: "What if the loop always starts afresh?", Selected: "moml-1", Hero: "measures", Keys: []string{"warm", "T", "method"},
		Lead: "If the loop always starts afresh, all methods stall before they reach the solutions.",
		Text: "After the loop’s 50 steps from ω₀, 0.5 % of the distance to the bottom is left. From these starts, every run stalls between the " +
			"dotted lines.",
		References: []axes.Reference{axes.Level("measures", 0.012, "E = 0.012"), axes.Level("measures", 0.001, "E = 0.001")},
		Values:     map[string]string{"warm": "false", "speed": "30"}},
	{ID: "mean", Title: "The mean of two goals is only one goal", Selected: "bome-1", Hero: "objective",
		Keys:       []string{"method", "startset", "starts"},
		Lead:       "BOME descends the mean of the two goals and ends in the middle, wherever it starts.",
		Text:       "FORUM’s weights lead from each of these starts to a different solution.",
		References: []axes.Reference{axes.Place("objective", 0.25, 0.25, "the middle")},
		Values:     map[string]string{"method": "forum,bome", "speed": "30"}},
	{ID: "own", Title: "Your own formulas: what if the valley bends?", Selected: "forum-1", Hero: "lower",
		Keys: []string{textLower, textDefine, textF1, textF2, "method"},
		Lead: "Here the lower level is your own formula, whose valley bends, and every method reaches the bottom.",
		Text: "At the end points, 2 sin α is between 1 and 2, where one goal’s gain is the other goal’s loss. With another c, such as 3, c " +
			"sin α ends in that range, too.",
		Values: map[string]string{textLower: "(w1-c*sin(a1))^2 + (w2-a1)^2", textDefine: "c = 2", "speed": "30"}},
}
