package gradientlab

import (
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "lab",
	Title:    "Gradient lab: one decision",
	Question: "Which way to step when gradients disagree?",
	Summary: "Three people carry a table, and each points the way that would make things worse for one of them fastest: these arrows, " +
		"which you can drag, are the gradients of three objectives. The others are what methods make of them. A step goes " +
		"against its arrow: to first order no objective gets worse inside the shaded cone, and some does outside it.",
	Try: "The mean, in grey, lies outside the cone: a step against it makes the third objective worse. Drag the tip of g₃ to the right " +
		"until the mean is inside.",
	Done:  "The mean lies inside the cone now: a step against it makes no objective worse.",
	Tried: condition.And(condition.Dragged("g"), condition.FactIs("worse.ls", 0)),
	DataSummary: "A Jacobian of your own, one gradient a row: which of its gradients conflict, what weights each method gives them, and " +
		"which objectives a step against each direction makes better or worse.",
	DataTry: "Paste or choose a file, of up to 200 gradients in 10,000 variables, then look for crosses: an objective that a method " +
		"makes worse. What you bring stays in this browser.",
	Data: &scene.DataWords{Button: "Bring your own Jacobian", Title: "Your own Jacobian", Example: "1, 0.5\n-0.3, 1",
		Format: "One gradient a row, as a table, as an array of NumPy or as JSON, {\"jacobian\": [[…], …], \"losses\": […]}: up to 200 rows " +
			"of 10,000 numbers. What you paste stays in this browser; a link to what you see holds only its SHA-256."},
	Takes:     data.Gradients,
	Paper:     "Each method’s own",
	Group:     scene.OneStep,
	Hero:      "arrows",
	Beside:    []string{"weights", "change"},
	Keys:      []string{"gradients", "gradients3", "method", "view", "lengths"},
	Opens:     map[string]string{hullName: "false"},
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets(),
	Facts:     factKinds.Help(),
	Equations: equations,
	New:       func() scene.Scene { return New() },
}

// Methods are all weightings, in the order of their list. The only linear scalarization here is the mean, with its own name.
var Methods = methods()

func methods() []param.Method {
	out := make([]param.Method, len(weighting.Methods))
	for i, m := range weighting.Methods {
		out[i] = param.Method{ID: m.Name, Title: m.Title, Paper: m.Paper, Help: m.Help}
		if m.Name == "ls" {
			out[i].Title, out[i].Help = "Mean", "The mean of the gradients: linear scalarization with equal weights."
		}
	}
	return out
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "g", Text: "A gradient: the direction in which one objective grows fastest, and how fast. Each has a row in the matrix G.",
		Source: "Désidéri 2012"},
	{Sign: "d", Text: "A method’s direction. A step goes against it, x ← x − η·d, and changes objective i by −η⟨gᵢ, d⟩ to first order.",
		Source: "all papers"},
	{Sign: "λ", Text: "The weights of the gradients. Where d = Gᵀλ the direction is their weighted sum; some methods have no weights.",
		Source: "each method’s paper"},
	{Sign: "c", Text: "The effective weights: how often each gradient is in the direction, d = Gᵀc. Where a method’s own weights λ are " +
		"others, they are named beside these.", Source: "worked out here"},
	{Sign: "λ ∈ Δ", Text: "The weights are at least 0 and have sum 1.", Source: "PSMGD, equation (2)"},
	{Sign: "Gᵀλ", Text: "The direction is the weighted sum of the gradients.", Source: "each method’s paper"},
	{Sign: "Gd ≥ 0", Text: "A step makes no objective worse to first order: the direction lies in the shaded cone.",
		Source: "Désidéri 2012; Quinton & Rey 2024"},
	{Sign: "order", Text: "The direction does not depend on the order of the objectives.", Source: "tried out here"},
	{Sign: "scale", Text: "Gradients twice as long give a direction twice as long.", Source: "tried out here"},
	{Sign: "ω", Text: "The radius of the dashed circle: the length of the shortest point of the gradients’ hull. All gradients lie beyond " +
		"the line that touches it there; it is 0 exactly where no direction helps every objective.", Source: "Désidéri 2012"},
	{Sign: "°", Text: "The angle between two arrows. Two gradients conflict where they are more than 90° apart; the arc shows the widest " +
		"angle.",
		Source: "Yu et al. 2020, Definition 1"},
	{Sign: "η", Text: "The step size: how far a step goes along its direction.", Source: "all papers"},
	{Sign: "Δf", Text: "The predicted change of the objective that gains least: above 0 it gets worse.", Source: "first-order Taylor"},
}

// presets are the one-click cards.
func presets() []scene.Preset {
	arrows := []string{"gradients", "method", "lengths"}
	return []scene.Preset{
		{ID: "opposite", Title: "Two goals pull opposite ways: who stops?", Keys: arrows, Hero: "change",
			Lead:   "Where two gradients are opposite, MGDA and PCGrad stand still, and the mean walks on over the shorter one.",
			Text:   "What helps one objective hurts the other. Nash-MTL has no solution.",
			Values: map[string]string{"gradients": "2,0;-1,0", "method": "ls,mgda,pcgrad,nashmtl"}},
		{ID: "huge", Title: "Who follows the loudest gradient?", Keys: arrows,
			Lead:   "The mean follows the long gradient and makes the other objective worse; MGDA turns to the short one.",
			Text:   "IMTL-G treats both alike whatever their lengths.",
			Values: map[string]string{"gradients": "6,1;-0.6,0.8", "method": "ls,mgda,imtlg"}},
		{ID: "pcgrad", Title: "Mending conflicts in pairs is not enough", Keys: []string{"gradients3", "method", "pcgrad.order", "camera"},
			Lead:   "PCGrad, which removes conflicts pair by pair, still leaves the cone and makes one objective worse.",
			Text:   "With three objectives it can do so in any order of the pairs; UPGrad stays inside the cone.",
			Values: map[string]string{"view": viewSpace, "gradients3": pcgradConflict, "method": "mgda,pcgrad,upgrad"}},
		{ID: "cagrad", Title: "One dial from the mean to MGDA", Keys: []string{"cagrad.c", "gradients", "method"},
			Lead:   "At c = 0 CAGrad’s arrow lies on the mean’s.",
			Text:   "Raise c: it turns towards MGDA’s.",
			Values: map[string]string{"cagrad.c": "0", "method": "ls,mgda,cagrad"}},
		{ID: "vertex", Title: "When does one gradient speak for all?", Keys: arrows,
			Lead: "MGDA follows the first gradient alone, the corner of the hull that is nearest to the origin.",
			Text: "Going against it serves the others even more. UPGrad and the mean look at all three, and are the same where no two " +
				"gradients conflict.",
			Values: map[string]string{"gradients": "1,0.3;2,1.6;2.4,-0.9", "method": "ls,mgda,upgrad"}},
		{ID: "nash", Title: "One dial towards equal gains for all", Keys: []string{"fairgrad.alpha", "gradients", "method"},
			Lead:   "With α = 1 FairGrad is Nash-MTL, and the two arrows lie on each other.",
			Text:   "Raise α: FairGrad turns to MGDA’s direction, which here gives both objectives the same.",
			Values: map[string]string{"fairgrad.alpha": "1", "gradients": "2.5,0.4;-0.4,1.2", "method": "mgda,nashmtl,fairgrad"}},
		{ID: "equal", Title: "Equal shares: one way, two lengths", Keys: arrows,
			Lead: "IMTL-G and ConFIG, with equal shares of every gradient, point the same way and differ in length.",
			Text: "Their way stays the same whatever the gradients’ lengths. Make g₁ twice as long: ConFIG’s arrow grows by two thirds, " +
				"IMTL-G’s by a fifth.",
			Values: map[string]string{"gradients": "2.4,0.7;-0.75,1", "method": "ls,imtlg,config", "lengths": lengthsTrue}},
	}
}

// pcgradConflict are three gradients on which every order of PCGrad makes an objective worse, although a cone of common descent exists.
const pcgradConflict = "0.2,2.7,-0.6;0.3,-2.5,-0.8;-2.4,-0.1,1.7"
