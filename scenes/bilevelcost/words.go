package bilevelcost

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "bilevelcost",
	Title:    "Cost of differentiating",
	Question: "What does it cost to differentiate through a loop?",
	Summary: "To learn how an early choice affected the result, one can keep notes of every step, or look only at the result. This scene " +
		"compares the costs of both. Points show the cost of a step, from short loops to long ones, counted or measured while you watch; " +
		"lines show the theory’s predictions. FORUM uses gradients alone, and needs no more memory for a longer loop. MOML and MoCo " +
		"differentiate through the loop, and in each of its steps they multiply by the Hessian, the table of all second derivatives.",
	Try: "Raise the number of upper objectives, m, from 2 to 4. In reverse mode, MOML and MoCo compute twice as many products; forward " +
		"mode and FORUM need no more.",
	Done:    "With a larger m, MOML and MoCo compute more products in reverse mode, but not in forward mode; FORUM still computes none.",
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

// Methods lists the scene's methods in the order of lists and legends.
var Methods = twolevel.Methods(measured...)

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "T", Text: "How many steps the lower level’s loop takes in every upper step.", Source: "FORUM, Algorithm 1"},
	{Sign: "p", Text: "The number of lower variables: the length of ω.", Source: "FORUM, section 4.1"},
	{Sign: "n", Text: "The number of upper variables: the length of α.", Source: "FORUM, section 4.1"},
	{Sign: "m", Text: "The number of upper objectives.", Source: "FORUM, section 4.1"},
	{Sign: "time", Text: "The median time of one upper step over the batches, with quartiles. It varies between measurements, but ratios " +
		"of times hardly do. The line counts multiplications: p(n + p) for each gradient of f, value of f and product, and n + p for each " +
		"upper gradient. One factor is fitted per picture; points for small sizes are above the line because of overhead.",
		Source: "measured here; " +
			"FORUM, Figure 1 (a) and (b)"},
	{Sign: "gradients", Text: "The gradients of one scalar function that a step evaluates: T + m + 1 for FORUM, T + m for MOML and MoCo.",
		Source: "FORUM, Algorithm 1"},
	{Sign: "HVP", Text: "Hessian-vector products: the ω rows of the lower Hessian times a vector. A step takes mT products in reverse " +
		"mode, nT in forward mode, and none with FORUM. The lower Hessian is dense here, so a product costs as much as a gradient of f, " +
		"O(p(n + p)). In a neural network it costs a small multiple of a gradient.", Source: "FORUM, section 4.1"},
	{Sign: "floats", Text: "The numbers that a step holds at once, in addition to the problem’s data, counted from the method’s " +
		"definition. FORUM holds (m + 4)(n + p) + 2p + 3m; MOML holds (m + 2)(n + p) + p + m plus pT in reverse or np in forward mode; MoCo " +
		"holds mn more. The paper states O(mn + mpT) for MOML, but storing the loop’s points once for all objectives needs only " +
		"pT + mp.", Source: "FORUM, section 4.1 and Figure 1 " +
		"(c) and (d)"},
	{Sign: "O(·)", Text: "The paper’s times are O(mn + p(m + T)) for FORUM, with gradients of f in O(p), and O(mp(n + p)T) for MOML and " +
		"MoCo, with products in O(p(n + p)). If gradients and products both cost O(p(n + p)), as here, the ratio of the times is about 1 + m " +
		"in reverse mode and 1 + n in forward mode.", Source: "FORUM, section 4.1"},
}

// presets lists the one-click cards.
var presets = []scene.Preset{
	{ID: "figure1", Title: "The paper’s Figure 1: who pays how much?", Keys: []string{"largestT", "p", "method", "count"},
		Lead: "MOML and MoCo compute two products for every step of the loop, one for each objective; FORUM computes none.",
		Text: "Including gradients, MOML and MoCo need 2.4 to 2.9 times as many evaluations as FORUM. Their float counts grow with T, but " +
			"FORUM’s do not.",
		Values: map[string]string{"mode": modeReverse, "T": "64", "largestT": "128", "largestp": "64", "axis": axisLog}},
	{ID: "upper", Title: "What do many upper variables cost?", Keys: []string{"n", "mode", "method"},
		Lead: "With 32 upper variables, forward mode computes by far the most products; reverse mode’s count stays the same.",
		Text: "Forward mode needs 32 products for each lower step, and its largest problems take too long to measure here. FORUM " +
			"computes none.",
		Values: map[string]string{"n": "32", "largestT": "64", "largestp": "64", "T": "8"}},
	{ID: "objectives", Title: "What do many objectives cost?", Keys: []string{"m", "mode", "method"},
		Lead:   "With eight objectives, MOML and MoCo go back through the loop eight times; FORUM never does.",
		Text:   "FORUM needs only one more upper gradient for each additional objective, which is cheap compared with the loop.",
		Values: map[string]string{"mode": modeReverse, "m": "8", "largestT": "128", "largestp": "64"}},
	{ID: "memory", Title: "What does a long loop keep in memory?", Hero: "floats-over-t", Keys: []string{"largestT", "p", "axis"},
		Lead:   "Reverse mode stores every point of the loop, so its memory grows; forward mode’s and FORUM’s memory does not.",
		Text:   "Forward mode keeps a block of numbers that does not grow with the loop; FORUM does not even need such a block.",
		Values: map[string]string{"axis": axisLinear, "largestT": "512", "p": "12"}},
	{ID: "price", Title: "What if a product costs three gradients?", Keys: []string{"hvpprice", "count", "largestT"},
		Lead:       "If a product costs three gradients, a long loop costs MOML or MoCo seven times as much as FORUM.",
		Text:       "With automatic differentiation, a product may cost three gradients. If it cost one gradient, the factor would be three.",
		References: []axes.Reference{axes.Upright("evaluations-over-t", 128, "seven to one")},
		Values:     map[string]string{"mode": modeReverse, "largestT": "128", "largestp": "64", "count": countBoth, "hvpprice": "3"}},
	{ID: "short", Title: "Is a short loop expensive, too?", Keys: []string{"largestT", "T", "method"},
		Lead: "With loops of up to eight steps, MOML and MoCo need at most 2.4 times as many evaluations as FORUM.",
		Text: "Short loops also store few points. Below T = 4, FORUM holds more floats than MOML, because it needs ∇f at both ends of " +
			"the loop.",
		Values: map[string]string{"T": "2", "largestT": "8", "mode": modeReverse, "count": countBoth}},
}
