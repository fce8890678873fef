package ownproblem

import (
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "yours",
	Title:    "Your own objectives",
	Question: "What does your own problem look like?",
	Summary: "A light bridge bends, and a stiff bridge is heavy. Enter what you want to minimise as two to four formulas. The picture " +
		"shows the front, and the valleys where no step lowers every formula. Every method runs on your formulas. Here, two bowls conflict; " +
		"one of them contains a wave. The dots are runs that start all over the plane, coloured by where they end.",
	Try:     "Change a number in f₁, for example the wave’s 0.3 to 1: the valley bends, and the runs end elsewhere.",
	Done:    "The map now shows your formula, and the runs have descended on it from the same starts.",
	Tried:   condition.And(condition.Changed("f1"), condition.FactAtLeast("iteration", 20)),
	Paper:   "Hillermeier 2001; Kerschke & Grimme 2017",
	Group:   scene.YourOwn,
	Hero:    "decision",
	Tally:   &scene.Tally{Fact: "still", Word: "settled"},
	Beside:  []string{"objective", "weights"},
	Keys:    []string{"f1", "f2", "method", "eta"},
	Methods: Methods,
	Symbols: symbols,
	Presets: append(presets, ready...),
	Comparison: &scene.Comparison{Fact: "stationarity", Log: true, Step: "eta", Baseline: "ls",
		Values: map[string]string{"ls.weights": "equal"}},
	Facts:     factKinds.Help(),
	Texts:     Texts,
	Equations: smooth.Equations(),
	Several:   true,
	Opens:     map[string]string{"swarm": "3000"},
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = smooth.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration: the number of steps a run has taken. A run starts at k = 0.", Source: "PSMGD, Algorithm 1"},
	{Sign: "x", Text: "A point: the variables x1, x2, … that your formulas use, or x and y.", Source: "your formulas"},
	{Sign: "f₁, f₂", Text: "Your objectives, all to be minimised.", Source: "your formulas"},
	{Sign: "λ", Text: "The weights: how much each objective’s gradient counts in a step.", Source: "PSMGD, equation (2)"},
	{Sign: "ω", Text: "How much all objectives can still improve together: the length of the shortest mixture of the gradients. It is 0 " +
		"only where no step helps all objectives.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The cost: the number of single-function gradients computed.", Source: "PSMGD, Table 1"},
	{Sign: "η", Text: "The step size: how far a step goes along its direction.", Source: "PSMGD, Algorithm 1"},
	{Sign: "R", Text: "The period: PSMGD computes new weights at every R-th step.", Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the previous weights kept when new weights are computed.",
		Source: "PSMGD, Algorithm 1, line 5"},
}

// These are four engineering problems of Tanabe & Ishibuchi 2020 that have a box but no other constraints.
var (
	truss = map[string]string{
		"f1": "u*L*(2*x1 + sqrt(2)*x2 + sqrt(x3) + x4)",
		"f2": "F*L/E*(2/x1 + 2*sqrt(2)/x2 - 2*sqrt(2)/x3 + 2/x4)",
		"define": "u = 1\nL = 200\nF = 10\nE = 200000\nx1 in [1, 3]\nx2 in [1.4142135623730951, 3]\nx3 in [1.4142135623730951, 3]\n" +
			"x4 in [1, 3]",
		"method": "nashmtl", "eta": "0.03", "starts": "6",
	}
	hatch = map[string]string{
		"f1":     "x1 + 120*x2",
		"f2":     "max(sb/700 - 1, 0) + max(1800/x2/450 - 1, 0) + max(562000/(E*x1*x2^2)/1.5 - 1, 0) + max(sb/(E*x1^2/100) - 1, 0)",
		"define": "E = 700000\nsb = 4500/(x1*x2)\nx1 in [0.5, 4]\nx2 in [0.5, 50]", "method": "ls", "eta": "0.01", "starts": "6",
	}
	crash = map[string]string{
		"f1": "1640.2823 + 2.3573285*x1 + 2.3220035*x2 + 4.5688768*x3 + 7.7213633*x4 + 4.4559504*x5",
		"f2": "6.5856 + 1.15*x1 - 1.0427*x2 + 0.9738*x3 + 0.8364*x4 - 0.3695*x1*x4 + 0.0861*x1*x5 + 0.3628*x2*x4 - 0.1106*x1^2 - " +
			"0.3437*x3^2 + 0.1764*x4^2",
		"f3": "-0.0551 + 0.0181*x1 + 0.1024*x2 + 0.0421*x3 - 0.0073*x1*x2 + 0.024*x2*x3 - 0.0118*x2*x4 - 0.0204*x3*x4 - 0.008*x3*x5 - " +
			"0.0241*x2^2 + 0.0109*x4^2",
		"box": "1, 3", "method": "mgda", "eta": "0.05", "starts": "8",
	}
	rocket = map[string]string{
		"f1": "0.692 + 0.477*x1 - 0.687*x2 - 0.08*x3 - 0.065*x4 - 0.167*x1^2 - 0.0129*x1*x2 + 0.0796*x2^2 - 0.0634*x1*x3 - 0.0257*x2*x3 + " +
			"0.0877*x3^2 - 0.0521*x1*x4 + 0.00156*x2*x4 + 0.00198*x3*x4 + 0.0184*x4^2",
		"f2": "0.153 - 0.322*x1 + 0.396*x2 + 0.424*x3 + 0.0226*x4 + 0.175*x1^2 + 0.0185*x1*x2 - 0.0701*x2^2 - 0.251*x1*x3 + 0.179*x2*x3 + " +
			"0.015*x3^2 + 0.0134*x1*x4 + 0.0296*x2*x4 + 0.0752*x3*x4 + 0.0192*x4^2",
		"f3": "0.37 - 0.205*x1 + 0.0307*x2 + 0.108*x3 + 1.019*x4 - 0.135*x1^2 + 0.0141*x1*x2 + 0.0998*x2^2 + 0.208*x1*x3 - 0.0301*x2*x3 - " +
			"0.226*x3^2 + 0.353*x1*x4 - 0.0497*x3*x4 - 0.423*x4^2 + 0.202*x1^2*x2 - 0.281*x1^2*x3 - 0.342*x1*x2^2 - 0.245*x2^2*x3 + " +
			"0.281*x2*x3^2 - 0.184*x1*x4^2 - 0.281*x1*x2*x3",
		"box": "0, 1", "method": "mgda", "eta": "0.05", "starts": "8",
	}
)

// with returns a copy of values plus the entries in others. others alternates names and values.
func with(values map[string]string, others ...string) map[string]string {
	out := map[string]string{}
	for name, text := range values {
		out[name] = text
	}
	for i := 0; i < len(others); i += 2 {
		out[others[i]] = others[i+1]
	}
	return out
}

var presets = []scene.Preset{
	{ID: "spheres", Title: "Two spheres: the simplest conflict",
		Lead:   "All runs reach the line between the two minima, where every point is critical.",
		Text:   "Each objective is the squared distance from a point. Where the two gradients are opposite, no step helps both objectives.",
		Values: map[string]string{"f1": "(x-1)^2 + y^2", "f2": "(x+1)^2 + y^2", "eta": "0.1"}},
	{ID: "truss", Title: "A truss: what does one goal cost the other?",
		Lead: "A lighter truss bends more, and the ring on the front shows by how much.",
		Text: "Four bars carry a load. f₁ is their volume in cm³ (in m³ with u = 0.000001); f₂ is the joint’s displacement. Move the ring " +
			"with the arrow keys.",
		Hero:   "objective",
		Keys:   []string{"walk", "define"},
		Values: with(truss, "walking", "true", "walk", "60")},
	{ID: "hatch", Title: "A hatch cover: limits as an objective",
		Lead:   "Covers that are too light violate limits; f₂ measures the violation, and the front ends where it reaches 0.",
		Text:   "f₁ is the weight of a ship’s hatch cover; f₂ is the total excess over the allowed stresses and bending.",
		Values: hatch},
	{ID: "crash", Title: "A crash: mass, impact, dent",
		Lead: "With three objectives, the front is a surface, and you can trade in two directions.",
		Text: "The thicknesses of five parts of a car’s front determine the mass, the passengers’ acceleration and the toe board’s intrusion.",
		Hero: "space", Values: crash},
	{ID: "rocket", Title: "A rocket’s injector: three ways to fail",
		Lead: "Lines across the axes show which of the three objectives each run sacrifices.",
		Text: "f₁ and f₃ are temperatures of the injector’s face and tip; f₂ is the combustion length.",
		Hero: "goals", Values: rocket},
	{ID: "valley", Title: "A bent valley against a bowl",
		Lead: "From one minimum, the critical set follows the floor of Rosenbrock’s bent valley.",
		Text: "Along the floor f₁ hardly changes, so the bowl f₂ decides; across the floor, only f₁ matters.",
		Values: map[string]string{"f1": "(1-x)^2 + a*(y-x^2)^2", "f2": "(x+1)^2 + (y+0.5)^2", "define": "a = 10", "eta": "0.01", "budget": "1000",
			"region": "2"}},
	{ID: "himmelblau", Title: "Four dips against a slope",
		Lead: "Most of the valleys are pale, because points elsewhere are better in both objectives.",
		Text: "Himmelblau’s function has four minima; the slope f₂ prefers one side. Each run ends in the first valley that it reaches.",
		Values: map[string]string{"f1": "((x^2+y-11)^2 + (x+y^2-7)^2)/100", "f2": "(x+y)/4", "box": "-5, 5", "eta": "0.05", "starts": "12",
			"define": ""}},
	{ID: "units", Title: "One objective in other units",
		Lead: "With f₁ in thousandths, equal weights follow almost only f₁’s long gradient.",
		Text: "This is the problem of the two spheres and has the same critical set. MGDA takes the shortest mixture and follows f₂’s gradient.",
		Values: map[string]string{"f1": "u*((x-1)^2 + y^2)", "f2": "(x+1)^2 + y^2", "define": "u = 1000", "eta": "0.0005", "method": "mgda,ls",
			"ls.weights": "equal", "budget": "1000", "speed": "1000"}},
	{ID: "dtlz", Title: "Three objectives on a sphere",
		Lead: "The front of these three objectives is an eighth of a sphere.",
		Text: "DTLZ2 with four variables: two set the direction, the other two the distance outside the sphere.",
		Hero: "space",
		Values: map[string]string{"f1": "(1+g)*cos(x1*pi/2)*cos(x2*pi/2)", "f2": "(1+g)*cos(x1*pi/2)*sin(x2*pi/2)", "f3": "(1+g)*sin(x1*pi/2)",
			"define": "n = 4\ng = sum(i, 3, n, (x[i]-0.5)^2)", "box": "0, 1", "eta": "0.05", "method": "mgda"}},
}
