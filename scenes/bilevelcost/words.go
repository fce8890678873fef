package bilevelcost

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "bilevelcost",
	Title:    "Cost of differentiating",
	Question: "What does it cost to differentiate through a loop?",
	Summary: "To know what an early choice did to the end, one can keep notes of every step on the way, or look at the end alone; here " +
		"are the bills of both. From short loops to long ones, points show what a step costs, counted or measured in steps that are made " +
		"while you look; lines show what the theory predicts. FORUM uses gradients alone, and a longer inner loop takes it no more " +
		"memory; MOML and MoCo differentiate through the loop, and at each step of it multiply with the Hessian, the table of all second " +
		"derivatives.",
	Try: "Raise the number of upper objectives, m, from 2 to 4: MOML and MoCo in reverse mode make twice as many products, forward mode and " +
		"FORUM no more.",
	Done:    "In reverse mode the products of MOML and MoCo have grown with m; in forward mode, and FORUM’s, they have not.",
	Tried:   condition.AtLeast("m", 4),
	Paper:   "FORUM, section 4.1 and Figure 1",
	Group:   scene.TwoLevels,
	Hero:    "evaluations-over-t",
	Beside:  []string{"time-over-t", "floats-over-t"},
	Keys:    []string{"m", "n", "largestT", "method", "mode"},
	Counts:  "step",
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Facts:   factKinds.Help(),
	New:     func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(measured...)

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "T", Text: "How many steps the lower level’s loop makes, anew in every upper step.", Source: "FORUM, Algorithm 1"},
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
	{ID: "figure1", Title: "The paper’s Figure 1: who pays how much?", Keys: []string{"largestT", "p", "method", "count"},
		Lead: "MOML and MoCo make two products for every step of the loop, one for each objective; FORUM makes none.",
		Text: "Together with the gradients these are 2.4 to 2.9 times as many evaluations as FORUM’s. Their floats grow with T, FORUM’s do " +
			"not.",
		Values: map[string]string{"mode": modeReverse, "T": "64", "largestT": "128", "largestp": "64", "axis": axisLog}},
	{ID: "upper", Title: "What do many upper variables cost?", Keys: []string{"n", "mode", "method"},
		Lead: "With 32 upper variables forward mode makes by far the most products; reverse mode does not mind.",
		Text: "It makes 32 of them for each lower step, and its largest sizes take too long to be measured here. FORUM makes " +
			"none.",
		Values: map[string]string{"n": "32", "largestT": "64", "largestp": "64", "T": "8"}},
	{ID: "objectives", Title: "What do many objectives cost?", Keys: []string{"m", "mode", "method"},
		Lead:   "With eight objectives MOML and MoCo go back through the loop eight times, FORUM not once.",
		Text:   "It only adds one upper gradient for each objective more, which is cheap beside the loop.",
		Values: map[string]string{"mode": modeReverse, "m": "8", "largestT": "128", "largestp": "64"}},
	{ID: "memory", Title: "What does a long loop keep in memory?", Hero: "floats-over-t", Keys: []string{"largestT", "p", "axis"},
		Lead:   "Reverse mode stores every point of the loop and climbs; forward mode and FORUM stay level.",
		Text:   "Forward mode keeps a block of numbers that does not grow with the loop, FORUM not even that.",
		Values: map[string]string{"axis": axisLinear, "largestT": "512", "p": "12"}},
	{ID: "price", Title: "What if a product costs three gradients?", Keys: []string{"hvpprice", "count", "largestT"},
		Lead: "If a product costs three gradients, a long step of MOML or MoCo costs as much as seven of FORUM.",
		Text: "Automatic differentiation may take as much. Were a product as cheap as a gradient, it would be " +
			"three.",
		References: []axes.Reference{axes.Upright("evaluations-over-t", 128, "seven to one")},
		Values:     map[string]string{"mode": modeReverse, "largestT": "128", "largestp": "64", "count": countBoth, "hvpprice": "3"}},
	{ID: "short", Title: "Is a short loop dear as well?", Keys: []string{"largestT", "T", "method"},
		Lead: "With loops of up to eight steps MOML and MoCo make at most 2.4 times as many evaluations as FORUM.",
		Text: "The loop’s points are few, too: below T = 4 FORUM holds more floats than MOML, for ∇f at both ends of the " +
			"loop.",
		Values: map[string]string{"T": "2", "largestT": "8", "mode": modeReverse, "count": countBoth}},
}
