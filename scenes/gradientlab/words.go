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
	Question: "Which step should you take when gradients disagree?",
	Summary: "Three people carry a table. Each points in the direction that makes things worse for them fastest: these arrows, which you " +
		"can drag, are the gradients of three objectives. The other arrows are the methods’ directions. A method steps against its arrow. To " +
		"first order, a direction inside the shaded cone makes no objective worse; outside it, at least one gets worse.",
	Try: "The mean (grey) is outside the cone: a step against it makes the third objective worse. Drag the tip of g₃ to the right " +
		"until the mean is inside.",
	Done:  "The mean is now inside the cone: a step against it makes no objective worse.",
	Tried: condition.And(condition.Dragged("g"), condition.FactIs("worse.ls", 0)),
	DataSummary: "Your own Jacobian, one gradient per row. See which gradients conflict, which weights each method gives them, and which " +
		"objectives a step against each direction makes better or worse.",
	DataTry: "Paste up to 200 gradients in 10,000 variables, or choose a file. Then look for crosses: each marks an objective that a " +
		"method makes worse. Your data stay in this browser.",
	Data: &scene.DataWords{Button: "Load your own Jacobian", Title: "Your own Jacobian", Example: "1, 0.5\n-0.3, 1",
		Format: "One gradient per row, as a table, a NumPy array or JSON: {\"jacobian\": [[…], …], \"losses\": […]}. There may be up to 200 " +
			"rows of 10,000 numbers. Your data stay in this browser; a link to this view contains only their SHA-256."},
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

// Methods are all weightings in the order of their list. The only linear scalarization here is the mean, listed under its own name.
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
	{Sign: "g", Text: "A gradient: the direction in which one objective grows fastest, and its rate of growth. Each gradient is a row of " +
		"the matrix G.",
		Source: "Désidéri 2012"},
	{Sign: "d", Text: "A method’s direction. A step goes against it, x ← x − η·d, and changes objective i by −η⟨gᵢ, d⟩ to first order.",
		Source: "all papers"},
	{Sign: "λ", Text: "The weights of the gradients. If d = Gᵀλ, the direction is their weighted sum. Some methods have no weights.",
		Source: "each method’s paper"},
	{Sign: "c", Text: "The effective weights: the coefficients of the gradients in the direction, d = Gᵀc. If a method’s own weights λ " +
		"differ, they are shown as well.", Source: "derived here"},
	{Sign: "λ ∈ Δ", Text: "The weights are at least 0 and sum to 1.", Source: "PSMGD, equation (2)"},
	{Sign: "Gᵀλ", Text: "The direction is the weighted sum of the gradients.", Source: "each method’s paper"},
	{Sign: "Gd ≥ 0", Text: "To first order, a step makes no objective worse: the direction is in the shaded cone.",
		Source: "Désidéri 2012; Quinton & Rey 2024"},
	{Sign: "order", Text: "The direction does not depend on the order of the objectives.", Source: "tested here"},
	{Sign: "scale", Text: "Doubling the gradients’ lengths doubles the direction’s length.", Source: "tested here"},
	{Sign: "ω", Text: "The radius of the dashed circle: the length of the shortest point of the gradients’ hull. All gradients are " +
		"beyond the circle’s tangent at that point. ω is 0 exactly where no direction helps every objective.", Source: "Désidéri 2012"},
	{Sign: "°", Text: "The angle between two arrows. Two gradients conflict if they are more than 90° apart. The arc shows the widest angle.",
		Source: "Yu et al. 2020, Definition 1"},
	{Sign: "η", Text: "The step size: how far a step goes against the method’s direction.", Source: "all papers"},
	{Sign: "Δf", Text: "The predicted change of the objective that improves least. Above 0, it gets worse.", Source: "first-order Taylor"},
}

// presets are the one-click cards.
func presets() []scene.Preset {
	arrows := []string{"gradients", "method", "lengths"}
	return []scene.Preset{
		{ID: "opposite", Title: "Two opposite goals: which methods stop?", Keys: arrows, Hero: "change",
			Lead:   "With opposite gradients, MGDA and PCGrad take no step; the mean continues at the cost of the shorter gradient’s objective.",
			Text:   "What helps one objective hurts the other. Nash-MTL has no solution.",
			Values: map[string]string{"gradients": "2,0;-1,0", "method": "ls,mgda,pcgrad,nashmtl"}},
		{ID: "huge", Title: "Which method follows the longest gradient?", Keys: arrows,
			Lead:   "The mean follows the long gradient and makes the other objective worse; MGDA turns towards the short gradient.",
			Text:   "IMTL-G treats both gradients alike, regardless of their lengths.",
			Values: map[string]string{"gradients": "6,1;-0.6,0.8", "method": "ls,mgda,imtlg"}},
		{ID: "pcgrad", Title: "Resolving conflicts in pairs is not enough", Keys: []string{"gradients3", "method", "pcgrad.order", "camera"},
			Lead:   "PCGrad removes conflicts pair by pair, but still leaves the cone and makes one objective worse.",
			Text:   "With three objectives, PCGrad can leave the cone whatever the order of the pairs; UPGrad stays inside the cone.",
			Values: map[string]string{"view": viewSpace, "gradients3": pcgradConflict, "method": "mgda,pcgrad,upgrad"}},
		{ID: "cagrad", Title: "One dial from the mean to MGDA", Keys: []string{"cagrad.c", "gradients", "method"},
			Lead:   "At c = 0, CAGrad’s arrow coincides with the mean’s.",
			Text:   "Raise c: CAGrad’s arrow turns towards MGDA’s.",
			Values: map[string]string{"cagrad.c": "0", "method": "ls,mgda,cagrad"}},
		{ID: "vertex", Title: "When is one gradient enough for all objectives?", Keys: arrows,
			Lead: "MGDA follows only the first gradient, the hull’s corner nearest to the origin.",
			Text: "A step against g₁ improves the other objectives even more. UPGrad and the mean use all three gradients and are equal if no two " +
				"gradients conflict.",
			Values: map[string]string{"gradients": "1,0.3;2,1.6;2.4,-0.9", "method": "ls,mgda,upgrad"}},
		{ID: "nash", Title: "One dial towards equal gains for all", Keys: []string{"fairgrad.alpha", "gradients", "method"},
			Lead:   "With α = 1, FairGrad equals Nash-MTL, and the two arrows coincide.",
			Text:   "Raise α: FairGrad turns towards MGDA’s direction, which here improves both objectives equally.",
			Values: map[string]string{"fairgrad.alpha": "1", "gradients": "2.5,0.4;-0.4,1.2", "method": "mgda,nashmtl,fairgrad"}},
		{ID: "equal", Title: "Equal shares: one direction, two lengths", Keys: arrows,
			Lead: "IMTL-G and ConFIG give equal shares to all gradients; they point the same way but differ in length.",
			Text: "Their direction does not depend on the gradients’ lengths. Make g₁ twice as long: ConFIG’s arrow grows by two thirds, " +
				"IMTL-G’s by a fifth.",
			Values: map[string]string{"gradients": "2.4,0.7;-0.75,1", "method": "ls,imtlg,config", "lengths": lengthsTrue}},
	}
}

// pcgradConflict holds three gradients on which every order of PCGrad makes an objective worse, although a cone of
// common descent exists.
const pcgradConflict = "0.2,2.7,-0.6;0.3,-2.5,-0.8;-2.4,-0.1,1.7"
