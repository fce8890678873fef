package transportplan

import (
	"fmt"

	"paretoplay/algo/param"
	ot "paretoplay/algo/transport"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "transport",
	Title:    "Transport: who carries what to whom",
	Question: "How is mass carried from here to there at the least cost?",
	Summary: "Bakeries have bread, cafés want it, and every way between them has its price: who delivers to whom? Each picture is one " +
		"solver’s answer, from the rows above to the columns below as cheaply as can be: the wider a line, and the stronger the " +
		"colour of its cell, the more goes that way. Exact goes from plan to cheaper plan; IPOT and Sinkhorn scale rows and " +
		"columns in turn, IPOT towards an exact plan, Sinkhorn towards a blurred one.",
	Try:  "Move the slider of Sinkhorn’s blur, ε, down: its plan gets sharper, and takes more iterations.",
	Done: "Sinkhorn’s plan is nearer to the best one now, and has taken more than the 120 iterations of before.",
	Tried: condition.And(condition.AtMost("eps", 0.015), condition.FactAtMost("elsewhere.sinkhorn", 0.38),
		condition.FactAtLeast("iteration.sinkhorn", 121)),
	DataSummary: "The costs are those of your file, and so are the masses where it has any. Each map is a solver’s plan: how much of the " +
		"mass of each row it carries to each column.",
	DataTry: "Drag a cell of the costs: the picture changes, your file does not.",
	Data: &scene.DataWords{Button: "Bring your own costs", Title: "Your own costs", Example: "0, 1, 2\n1, 0, 1",
		Format: fmt.Sprintf("One row of costs a line, as a table, as an array of NumPy or as JSON, {\"cost\": [[…], …], \"a\": […], \"b\": […], "+
			"\"tau\": 0}, the last three if you like: up to %d rows of %d costs. What you paste stays in this browser; a link to what you see "+
			"holds only its SHA-256.",
			maxMasses, maxMasses)},
	Takes:   data.Costs,
	Brought: []string{"cost", "a", "b", "tau"},
	Paper:   "MosT, section 3.1; Xie et al. 2020",
	Group:   scene.ManyGoals,
	Hero:    "plans",
	Beside:  []string{"cost", "gap"},
	Keys:    []string{"solver", "eps", "beta", "costs", "tau"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Facts:   factKinds.Help(),
	New:     func() scene.Scene { return New() },
}

// Methods are the solvers in the order of lists and legends.
var Methods = methods()

func methods() []param.Method {
	var out []param.Method
	for _, m := range ot.Methods {
		out = append(out, m.Method)
	}
	return out
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration: a pivot of Exact, a scaling of all rows and all columns of the others.",
		Source: "Xie et al. 2020, Algorithm 1"},
	{Sign: "Γ", Text: "The plan: Γ_ij is the mass that is carried from row i to column j.", Source: "MosT, problem (2)"},
	{Sign: "a, b", Text: "The masses of rows and columns, each with sum 1: what the rows and the columns of Γ should sum to. The paper " +
		"calls them α and β.", Source: "MosT, section 3.1"},
	{Sign: "C", Text: "The costs: C_ij is that of carrying a unit of mass from row i to column j. In MosT it is the loss of solution j in " +
		"objective i.", Source: "MosT, problem (2)"},
	{Sign: "error", Text: "The marginal error ‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁: how far the sums of rows and columns are from a and b, all taken " +
		"together.",
		Source: "defined here"},
	{Sign: "gap", Text: "How far the objective of the plan is from that of the optimum, above it or below.", Source: "defined here"},
	{Sign: "u, v", Text: "The dual potentials. With u_i + v_j ≤ C_ij in all cells no plan costs less than Σ a_i u_i + Σ b_j v_j, the " +
		"bound; where an exact plan has mass both sides are equal.", Source: "duality of linear programs"},
	{Sign: "ε", Text: "How much Sinkhorn prefers plans that are spread out, relative to the range of the costs.", Source: "Cuturi 2013"},
	{Sign: "β", Text: "How much IPOT keeps to its plan of the iteration before, relative to the range of the costs.",
		Source: "Xie et al. 2020, equation (4)"},
	{Sign: "τ", Text: "The reward for rows that stay whole, relative to the mean cost: the objective is cost + τR(Γ), R(Γ) = −Σ_i max_j Γ_ij.",
		Source: "MosT, section 3.1"},
	{Sign: "Σmax", Text: "The largest entries of the rows, all taken together: 1 where no row is divided.", Source: "MosT, section 3.1"},
}

const (
	leastCost = 0.016794214876 // of the default problem
	millionth = 1e-6
	doneError = 1e-9 // of the mass: Sinkhorn is done below this marginal error
)

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "blurred", Title: "A blurred plan is quick, but costs more", Selected: "sinkhorn",
		Keys:   []string{"eps", "solver"},
		Lead:   "Sinkhorn’s plan sends mass everywhere, and costs four times as much as it need.",
		Text:   "With ε = 0.2 it is done after 12 iterations, with mass in every cell. Drag ε down.",
		Values: map[string]string{"solver": "sinkhorn,exact", "eps": "0.2", "speed": "3", "budget": "20"}},
	{ID: "sharp", Title: "A sharp plan costs little, but takes long", Selected: "sinkhorn",
		Keys:   []string{"eps", "solver"},
		Lead:   "With little blur Sinkhorn comes within a percent of the least cost, after thousands of iterations.",
		Text:   "With ε = 0.002 it is done after 2854, where ε = 0.02 takes 120.",
		Values: map[string]string{"solver": "sinkhorn,exact", "eps": "0.002", "speed": "500", "budget": "3000"}},
	{ID: "proximal", Title: "IPOT nears the exact plan, but how fast?", Selected: "ipot",
		Hero: "gap", Keys: []string{"beta", "solver"},
		Lead: "IPOT comes as near to the exact plan as you like, whatever β is, which only says how soon.",
		Text: "With β = 1 its potentials prove that it is within a millionth of the least cost after 1105 iterations, with 3 after " +
			"2988. A small β does not help: with 0.1 it takes 3870, because one scaling of rows and columns no longer follows such long steps.",
		References: []axes.Reference{axes.Level("gap", millionth*leastCost, "a millionth of the least cost")},
		Values:     map[string]string{"solver": "ipot,exact", "beta": "1", "budget": "4000"}},
	{ID: "marginals", Title: "The sums are right, the plan is wrong", Selected: "ipot",
		Keys: []string{"beta", "solver"},
		Lead: "The sums of IPOT’s plan are right to two millionths, and it still costs three times the optimum.",
		Text: "It begins with the plan abᵀ, which meets the masses exactly and costs seven times the optimum. So IPOT stops only when its " +
			"potentials prove the cost as well.",
		Values: map[string]string{"solver": "ipot,exact", "beta": "10", "budget": "100", "speed": "30"}},
	{ID: "ties", Title: "What if all plans cost the same?", Selected: "ipot",
		Keys: []string{"solver", "costs", "a", "b"},
		Lead: "Every plan costs the same here, so solvers end with plans that differ, and all are best.",
		Text: "All mass goes to the right, and the cost is the distance. IPOT and Sinkhorn are done after one iteration with the plan abᵀ, in " +
			"36 cells; Exact fills 7.",
		Values: map[string]string{"costs": costsDistance, "speed": "1", "budget": "10",
			"a": "0.2,0.2,0.2,0.2,0.1,0.1,0,0,0,0,0,0", "b": "0,0,0,0,0,0,0.1,0.1,0.2,0.2,0.2,0.2"}},
	{ID: "empty", Title: "What would mass be worth where none is?", Selected: "ipot",
		Hero: "duals", Keys: []string{"a", "b", "solver"},
		Lead: "A row and a column that hold nothing have potentials all the same.",
		Text: "No plan has mass in row 6 or column 9. The potential of row 6 less that of row 3 is what the optimum changes by, for each bit " +
			"of mass that moves from row 3 to row 6.",
		References: []axes.Reference{axes.Upright("duals", 5, "row 6: no mass"), axes.Upright("duals", 20, "column 9: no mass")},
		Values: map[string]string{
			"a": "0.02,0.1,0.2,0.15,0.04,0,0.04,0.1,0.15,0.12,0.06,0.02", "b": "0.01,0.03,0.06,0.11,0.16,0.19,0.19,0.16,0,0.06,0.02,0.01"}},
	{ID: "whole", Title: "What if rows should stay whole?", Selected: "exact",
		Keys: []string{"tau", "solver"},
		Lead: "A reward for whole rows divides fewer of them, and the plan costs a little more.",
		Text: "With τ = 0.2 IPOT and Exact end with 84 % of the mass in the largest entries of the rows, where 78 % are best without τ. Raise " +
			"τ to 0.5: the problem is not convex, and Exact stays at 84 %, though a plan with 89 % is better.",
		Values: map[string]string{"solver": "ipot,exact", "tau": "0.2", "budget": "5000", "speed": "500"}},
	{ID: "pivots", Title: "How does Exact find the best plan?", Selected: "exact",
		Keys: []string{"costs", "n", "m"},
		Lead: "Each pivot of Exact lets mass go another way, and lowers the cost.",
		Text: "It begins with a plan in which each row in turn takes the cheapest columns that have room, and is done after 11 pivots. Every " +
			"plan on its way meets the masses and has at most 23 cells with mass, n + m − 1.",
		Values: map[string]string{"solver": "exact", "speed": "3", "budget": "20"}},
	{ID: "crawl", Title: "When does Sinkhorn hardly get on?", Selected: "sinkhorn",
		Hero: "error", Keys: []string{"eps", "solver", "seed"},
		Lead: "Sinkhorn hardly gets on, where IPOT and Exact are done long before.",
		Text: "Six rows, six columns and equal masses: the optimum matches them one to one.",
		Seeds: "With ε = 0.01 Sinkhorn is not done after 5000 iterations on 18 of 20 seeds. IPOT is after fewer than 1000, Exact after fewer " +
			"than 20 pivots.",
		References: []axes.Reference{axes.Level("error", doneError, "Sinkhorn is done below this")},
		Values: map[string]string{"costs": costsRandom, "n": "6", "m": "6", "a": "", "b": "", "eps": "0.01",
			"budget": "5000", "speed": "1000"}},
}
