package bilevelcost

import (
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "bilevelcost",
	Title:    "Cost of differentiating",
	Question: "What does it cost to differentiate through a loop?",
	Summary: "Upper steps of FORUM, MOML and MoCo are measured while you look: points are measured, lines are what the theory predicts. " +
		"FORUM uses gradients alone and holds the same number of floats whatever T is; MOML and MoCo differentiate through the T steps of the " +
		"lower level’s loop and pay for it.",
	Try: "Hold the pointer over a point, or tap it, to read its formula. Then raise m or n and see who pays: reverse mode for every " +
		"objective, forward mode for every upper variable.",
	Paper:   "FORUM, section 4.1 and Figure 1",
	Group:   scene.TwoLevels,
	Hero:    "evaluations-over-t",
	Keys:    []string{"method", "n", "m", "T"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	New:     func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(measured...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "T", Text: "The number of steps of the lower level’s loop, made anew in every upper step.", Source: "FORUM, Algorithm 1"},
	{Sign: "p", Text: "The number of lower variables, the length of ω.", Source: "FORUM, section 4.1"},
	{Sign: "n", Text: "The number of upper variables, the length of α.", Source: "FORUM, section 4.1"},
	{Sign: "m", Text: "The number of upper objectives.", Source: "FORUM, section 4.1"},
	{Sign: "time", Text: "The median of the batches’ times for one upper step, with quartiles. It differs from one measurement to the next; " +
		"ratios hardly do. The line counts multiplications, p(n + p) for each gradient of f, value of f and product and n + p for each upper " +
		"gradient, and has one fitted factor in each picture; small sizes lie above it, where other work counts.", Source: "measured here; " +
		"FORUM, Figure 1 (a) and (b)"},
	{Sign: "gradients", Text: "Gradients of one scalar function that a step evaluates: T + m + 1 in FORUM, T + m in MOML and MoCo.",
		Source: "FORUM, Algorithm 1"},
	{Sign: "HVP", Text: "Hessian-vector products: the rows of ω in the lower Hessian times one vector, mT in reverse mode, nT in forward " +
		"mode and none in FORUM. The lower Hessian is dense here, so that one costs as much as a gradient of f, O(p(n + p)); in a neural " +
		"network it costs a small multiple of a gradient.", Source: "FORUM, section 4.1"},
	{Sign: "floats", Text: "Numbers that a step holds at once beside the problem’s own, counted from the method’s definition: (m + 4)(n + " +
		"p) + 2p + 3m in FORUM, (m + 2)(n + p) + p + m and pT in reverse or np in forward mode in MOML, mn more in MoCo. The paper states O(mn " +
		"+ mpT) for MOML; storing the loop’s points once for all objectives needs only pT + mp.", Source: "FORUM, section 4.1 and Figure 1 " +
		"(c) and (d)"},
	{Sign: "O(·)", Text: "The paper’s times are O(mn + p(m + T)) for FORUM, with gradients of f in O(p), and O(mp(n + p)T) for MOML and " +
		"MoCo, with products in O(p(n + p)). Where both cost O(p(n + p)), as here, the ratio of the two is about 1 + m in reverse mode and 1 + " +
		"n in forward mode.", Source: "FORUM, section 4.1"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "figure1", Title: "The paper’s Figure 1",
		Text: "Two objectives, T up to 128, and T = 64 where p varies. MOML and MoCo make 2.4 to 2.9 times as many evaluations as " +
			"FORUM, two products beside each lower gradient; their floats grow with T, FORUM’s do not.",
		Values: map[string]string{"mode": modeReverse, "T": "64", "largestT": "128", "largestp": "64"}},
	{ID: "upper", Title: "Many upper variables",
		Text: "With n = 32, forward mode makes 32 products for each lower step, and its largest sizes take too long to be measured here. " +
			"Reverse mode does not mind, and FORUM makes none.",
		Values: map[string]string{"n": "32", "largestT": "64", "largestp": "64", "T": "8"}},
	{ID: "objectives", Title: "Many objectives",
		Text: "With m = 8, reverse mode goes back through the loop eight times. FORUM only adds one upper gradient for each objective " +
			"more, which is cheap beside the loop.",
		Values: map[string]string{"mode": modeReverse, "m": "8", "largestT": "128", "largestp": "64"}},
	{ID: "memory", Title: "Long loops",
		Text: "Linear axes and T up to 512: reverse mode stores every point of the loop, forward mode a table that does not grow with T, and " +
			"FORUM neither.",
		Values: map[string]string{"axis": axisLinear, "largestT": "512", "p": "12"}},
	{ID: "price", Title: "The price of a product",
		Text: "Gradients and products counted together, with three gradients for a product, as automatic differentiation may take: then a " +
			"step of MOML or MoCo costs seven of FORUM at T = 128, where it would be three with a product for a gradient.",
		Values: map[string]string{"mode": modeReverse, "largestT": "128", "largestp": "64", "count": countBoth, "hvpprice": "3"}},
	{ID: "short", Title: "Short loops",
		Text: "With T up to 8, MOML and MoCo make at most 2.4 times as many evaluations as FORUM. The loop’s points are few: below T = 4 FORUM " +
			"holds more floats than MOML, for ∇f at both ends of the loop.",
		Values: map[string]string{"T": "2", "largestT": "8", "mode": modeReverse}},
}
