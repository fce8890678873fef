package transport

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "transport",
	Title:    "Transport",
	Question: "How does one find the cheapest plan?",
	Summary: "Masses of rows are carried to columns as cheaply as can be. Sinkhorn and IPOT scale rows and columns in turn, an iteration " +
		"at a time: Sinkhorn comes to a plan that ε blurs, IPOT to an exact one.",
	Try: "Play to the end, then drag ε: the smaller it is, the sharper Sinkhorn’s plan and the more iterations it takes. Drag the bars, and " +
		"paint costs in the other view.",
	DataSummary: "Your own costs, and your masses where the file has some: the exact plan, and how Sinkhorn and IPOT come to it or to a " +
		"blurred one.",
	DataTry: "Play, then drag ε and β. Masses of the file are divided by their sum; errors and gaps are relative to it and to the range " +
		"of the costs.",
	Data: &scene.DataWords{Button: "Paste your own costs", Title: "Your own costs", Example: "0, 1, 2\n1, 0, 1",
		Form: "One row of the plan a line, as CSV or as JSON, {\"cost\": [[…], …], \"a\": […], \"b\": […], \"tau\": 0}, the last three if you " +
			"like: up to 100 rows of 100 costs. What you paste stays in this browser; a link to what you see holds only its SHA-256."},
	Paper:   "MosT, section 3.1; Xie et al. 2020",
	Hero:    "plan",
	Keys:    []string{"solver", "eps", "beta", "cost"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	New:     func() scene.Scene { return New() },
}

// Methods are the solvers in the order of lists and legends.
var Methods = []param.Method{
	{ID: ipot, Title: "IPOT", Paper: "Xie et al. 2020, Algorithm 1",
		Help: "Proximal steps, each with one scaling of rows and columns, to an exact plan whatever β is."},
	{ID: sinkhorn, Title: "Sinkhorn", Paper: "Cuturi 2013", Help: "Scales rows and columns in turn, to a plan that ε blurs."},
	{ID: exact, Title: "Exact", Paper: "Dantzig 1951", Help: "The transportation simplex: an iteration brings one entry in and takes one " +
		"out."},
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration: one scaling of rows and columns, or one pivot of the exact solver.", Source: "Xie et al. 2020, " +
		"Algorithm 1"},
	{Sign: "Γ", Text: "The plan: Γ_ij is the mass carried from row i to column j.", Source: "MosT, problem (2)"},
	{Sign: "a, b", Text: "The masses of rows and columns, each with sum 1: what the rows and columns of Γ should sum to. MosT calls them " +
		"α and β.",
		Source: "MosT, equation (3)"},
	{Sign: "C", Text: "The cost of a unit of mass. In MosT C_ij is the loss of solution j on objective i.", Source: "MosT, problem (2)"},
	{Sign: "u, v", Text: "Potentials of rows and columns. With u_i + v_j ≤ C_ij for all, no plan costs less than Σ a_i u_i + Σ b_j v_j; " +
		"where an exact plan has mass both sides are equal.", Source: "duality of linear programs"},
	{Sign: "ε", Text: "How much Sinkhorn is paid for a plan that is spread out, relative to the range of the costs.", Source: "Cuturi 2013"},
	{Sign: "β", Text: "How much IPOT pays for each step away from the plan before, relative to the range of the costs.",
		Source: "Xie et al. 2020, Algorithm 1"},
	{Sign: "τ", Text: "MosT’s reward for rows that are not divided, τ Σ_i max_j Γ_ij, relative to the range of the costs.",
		Source: "MosT, equations (2) and (4)"},
	{Sign: "‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁", Text: "The marginal error: by how much rows and columns miss their masses, altogether.",
		Source: "defined here"},
	{Sign: "gap", Text: "How far the cost of the plan is from the least, relative to the range of the costs.", Source: "defined here"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "blurred", Title: "Blurred and quick", Selected: sinkhorn,
		Text:   "With ε = 0.3 Sinkhorn is done after 5 iterations. No entry of its plan is zero, and the plan costs 65 times as much as it need.",
		Values: map[string]string{"solver": sinkhorn, "eps": "0.3", "speed": "3"}},
	{ID: "sharp", Title: "Sharp and slow", Selected: sinkhorn,
		Text: "With ε = 0.001 Sinkhorn takes 466 iterations. Four of five entries are zero, and the cost is within 0.1 % of the least. Drag " +
			"ε up: the plan spreads.",
		Values: map[string]string{"solver": sinkhorn, "eps": "0.001"}},
	{ID: "proximal", Title: "Exact for every β", Selected: ipot,
		Text: "IPOT comes to the exact plan whatever β is; β only says how soon. With β = 1 it takes 1802 iterations, with β = 3 three times " +
			"as many, and below 0.3 nothing is gained: 541 to 767.",
		Values: map[string]string{"solver": ipot, "beta": "1", "budget": "20000", "speed": "200"}},
	{ID: "marginals", Title: "Marginals are not enough", Selected: ipot,
		Text: "IPOT begins with abᵀ, whose marginals are right and whose cost is 130 times the least. Sinkhorn with ε = 0.3 also ends with " +
			"right marginals, at 65 times the least. So IPOT goes on until its potentials prove the cost, too.",
		Values: map[string]string{"solver": "ipot,sinkhorn", "eps": "0.3", "view": viewCosts}},
	{ID: "ties", Title: "Many cheapest plans", Selected: ipot,
		Text: "Costs are 0 or 1, and many plans cost nothing. The exact solver comes to a corner with 25 entries, n + m − 1. IPOT and " +
			"Sinkhorn come to the same plan: it spreads over the 94 entries that cheapest plans can use.",
		Values: map[string]string{"solver": "ipot,sinkhorn,exact", "cost": costTies, "view": viewCosts, "speed": "10"}},
	{ID: "crawl", Title: "Where Sinkhorn crawls", Selected: sinkhorn,
		Text: "Six rows, six columns and equal masses: the exact plan matches them one to one. At ε = 0.01 Sinkhorn is not done after 3000 " +
			"iterations, here and with seeds 2 and 3; IPOT is after 24, the exact solver after 3 pivots.",
		Values: map[string]string{"solver": "ipot,sinkhorn,exact", "cost": costRandom, "n": "6", "m": "6", "budget": "3000", "speed": "200"}},
	{ID: "pivots", Title: "Pivot by pivot", Selected: exact,
		Text: "Every plan on the way of the exact solver meets its marginals and has at most 25 entries. Each pivot lowers the cost, or " +
			"leaves it: 25 of them bring it from 0.146 to 0.097.",
		Values: map[string]string{"solver": exact, "cost": costRandom, "speed": "3", "view": viewCosts}},
	{ID: "hills", Title: "Two hills to one", Selected: sinkhorn,
		Text: "The rows hold two hills of mass, the columns one. With squared distances nothing crosses: in the exact plan no row goes " +
			"further left than the row above. Drag the bars.",
		Values: map[string]string{"solver": "ipot,sinkhorn", "eps": "0.02",
			"a": "0.02,0.05,0.1,0.14,0.1,0.05,0.02,0.02,0.02,0.02,0.05,0.1,0.14,0.1,0.05,0.02",
			"b": "0.02,0.04,0.09,0.15,0.2,0.2,0.15,0.09,0.04,0.02"}},
	{ID: "empty", Title: "Without mass", Selected: ipot,
		Text: "Rows 1 to 4 and column 10 hold nothing: their entries are zero in every plan. They have potentials all the same, and these are " +
			"feasible: they say up to which cost nothing would be carried there.",
		Values: map[string]string{"solver": "ipot,sinkhorn,exact", "cost": costRandom, "view": viewCosts,
			"a": "0,0,0,0,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.05,0.05,0.05,0.05", "b": "0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.2,0"}},
	{ID: "whole", Title: "Rows undivided", Selected: ipot,
		Text: "With τ = 0.1 the best plan that is found keeps 85 % of the mass in the largest entries of their rows, without τ 82.5 %. It " +
			"costs 0.7 % more. Up to τ = 3 no more is found.",
		Values: map[string]string{"solver": ipot, "cost": costRandom, "tau": "0.1"}},
}
