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
	Question: "How is mass moved at the lowest cost?",
	Summary: "Bakeries have bread, cafés want it, and every route between them has a cost: who delivers to whom? Each picture is one " +
		"solver’s plan, from the rows above to the columns below, as cheap as possible. Wider lines and darker cells carry more. Exact " +
		"goes from one plan to a cheaper one. IPOT and Sinkhorn scale rows and columns in turn, IPOT towards an exact plan, Sinkhorn towards a " +
		"blurred one.",
	Try:  "Move the slider of Sinkhorn’s blur, ε, down: its plan gets sharper but takes more iterations.",
	Done: "Sinkhorn’s plan is now closer to the best one, but took more than the previous 120 iterations.",
	Tried: condition.And(condition.AtMost("eps", 0.015), condition.FactAtMost("elsewhere.sinkhorn", 0.38),
		condition.FactAtLeast("iteration.sinkhorn", 121)),
	DataSummary: "The costs come from your file, and so do the masses if it has any. Each map is a solver’s plan: how much mass it " +
		"carries from each row to each column.",
	DataTry: "Drag a cell of the cost matrix: the picture changes, but your file does not.",
	Data: &scene.DataWords{Button: "Load your own costs", Title: "Your own costs", Example: "0, 1, 2\n1, 0, 1",
		Format: fmt.Sprintf("One row of costs per line, as a table, a NumPy array or JSON: {\"cost\": [[…], …], \"a\": […], \"b\": […], "+
			"\"tau\": 0}. Only cost is required. There may be up to %d rows of %d costs. Your data stay in this browser; a link to this "+
			"view contains only their SHA-256.",
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
	{Sign: "k", Text: "The iteration: one pivot of Exact, or one scaling of all rows and columns for the other solvers.",
		Source: "Xie et al. 2020, Algorithm 1"},
	{Sign: "Γ", Text: "The plan: Γ_ij is the mass carried from row i to column j.", Source: "MosT, problem (2)"},
	{Sign: "a, b", Text: "The masses of rows and columns, each with sum 1: the required row and column sums of Γ. The paper calls them α " +
		"and β.", Source: "MosT, section 3.1"},
	{Sign: "C", Text: "The costs: C_ij is the cost of carrying a unit of mass from row i to column j. In MosT it is the loss of solution " +
		"j in objective i.", Source: "MosT, problem (2)"},
	{Sign: "error", Text: "The marginal error ‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁: the total difference between the row and column sums and a, b.",
		Source: "defined here"},
	{Sign: "gap", Text: "The absolute difference between the objectives of the plan and the optimum.", Source: "defined here"},
	{Sign: "u, v", Text: "The dual potentials. If u_i + v_j ≤ C_ij in all cells, no plan costs less than the bound Σ a_i u_i + Σ b_j " +
		"v_j. In cells where an exact plan has mass, both sides are equal.", Source: "duality of linear programs"},
	{Sign: "ε", Text: "How strongly Sinkhorn prefers spread-out plans, relative to the range of the costs.", Source: "Cuturi 2013"},
	{Sign: "β", Text: "How strongly IPOT stays near its previous plan, relative to the range of the costs.",
		Source: "Xie et al. 2020, equation (4)"},
	{Sign: "τ", Text: "The reward for undivided rows, relative to the mean cost: the objective is cost + τR(Γ), R(Γ) = −Σ_i max_j Γ_ij.",
		Source: "MosT, section 3.1"},
	{Sign: "Σmax", Text: "The sum of the rows’ largest entries. It is 1 if no row is divided.", Source: "MosT, section 3.1"},
}

const (
	leastCost = 0.016794214876 // optimum of the default problem
	millionth = 1e-6
	doneError = 1e-9 // marginal error, as a share of the mass, below which Sinkhorn stops
)

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "blurred", Title: "A blurred plan is quick, but costs more", Selected: "sinkhorn",
		Keys:   []string{"eps", "solver"},
		Lead:   "Sinkhorn’s plan sends mass everywhere and costs four times the optimum.",
		Text:   "With ε = 0.2, Sinkhorn is done after 12 iterations, with mass in every cell. Drag ε down.",
		Values: map[string]string{"solver": "sinkhorn,exact", "eps": "0.2", "speed": "3", "budget": "20"}},
	{ID: "sharp", Title: "A sharp plan costs little, but is slow to find", Selected: "sinkhorn",
		Keys:   []string{"eps", "solver"},
		Lead:   "With little blur, Sinkhorn gets within one percent of the lowest cost, but only after thousands of iterations.",
		Text:   "With ε = 0.002, Sinkhorn takes 2854 iterations; with ε = 0.02, only 120.",
		Values: map[string]string{"solver": "sinkhorn,exact", "eps": "0.002", "speed": "500", "budget": "3000"}},
	{ID: "proximal", Title: "IPOT approaches the exact plan, but how fast?", Selected: "ipot",
		Hero: "gap", Keys: []string{"beta", "solver"},
		Lead: "For any β, IPOT gets arbitrarily close to the exact plan; β only affects how soon.",
		Text: "With β = 1, IPOT’s potentials prove after 1105 iterations that it is within a millionth of the lowest cost; with β = 3, after " +
			"2988. A small β does not help: with β = 0.1, IPOT takes 3870, because one scaling of rows and columns cannot follow such long steps.",
		References: []axes.Reference{axes.Level("gap", millionth*leastCost, "a millionth of the lowest cost")},
		Values:     map[string]string{"solver": "ipot,exact", "beta": "1", "budget": "4000"}},
	{ID: "marginals", Title: "The sums are right, the plan is wrong", Selected: "ipot",
		Keys: []string{"beta", "solver"},
		Lead: "The sums of IPOT’s plan are right to within two millionths, but it still costs three times the optimum.",
		Text: "IPOT starts with the plan abᵀ, which has the exact masses but costs seven times the optimum. So IPOT stops only when its " +
			"potentials prove that its cost is nearly minimal.",
		Values: map[string]string{"solver": "ipot,exact", "beta": "10", "budget": "100", "speed": "30"}},
	{ID: "ties", Title: "What if all plans cost the same?", Selected: "ipot",
		Keys: []string{"solver", "costs", "a", "b"},
		Lead: "Every plan costs the same here, so the solvers end with different plans, all of them optimal.",
		Text: "All mass moves to the right, and the cost is the distance. IPOT and Sinkhorn are done after one iteration; their plan abᵀ " +
			"fills 36 cells and Exact’s plan fills 7.",
		Values: map[string]string{"costs": costsDistance, "speed": "1", "budget": "10",
			"a": "0.2,0.2,0.2,0.2,0.1,0.1,0,0,0,0,0,0", "b": "0,0,0,0,0,0,0.1,0.1,0.2,0.2,0.2,0.2"}},
	{ID: "empty", Title: "What would mass be worth in an empty row?", Selected: "ipot",
		Hero: "duals", Keys: []string{"a", "b", "solver"},
		Lead: "Even an empty row and an empty column have potentials.",
		Text: "No plan has mass in row 6 or column 9. If a little mass moves from row 3 to row 6, the optimum changes by this mass times " +
			"the difference of their potentials, row 6 minus row 3.",
		References: []axes.Reference{axes.Upright("duals", 5, "row 6: no mass"), axes.Upright("duals", 20, "column 9: no mass")},
		Values: map[string]string{
			"a": "0.02,0.1,0.2,0.15,0.04,0,0.04,0.1,0.15,0.12,0.06,0.02", "b": "0.01,0.03,0.06,0.11,0.16,0.19,0.19,0.16,0,0.06,0.02,0.01"}},
	{ID: "whole", Title: "What if rows should stay undivided?", Selected: "exact",
		Keys: []string{"tau", "solver"},
		Lead: "With a reward for undivided rows, fewer rows are divided, and the plan costs slightly more.",
		Text: "With τ = 0.2, IPOT and Exact end with 84 % of the mass in the rows’ largest entries; without τ, 78 % is optimal. Raise τ to " +
			"0.5: the problem is not convex, and Exact stays at 84 %, although a plan with 89 % is better.",
		Values: map[string]string{"solver": "ipot,exact", "tau": "0.2", "budget": "5000", "speed": "500"}},
	{ID: "pivots", Title: "How does Exact find the best plan?", Selected: "exact",
		Keys: []string{"costs", "n", "m"},
		Lead: "Each pivot of Exact reroutes mass and lowers the cost.",
		Text: "In Exact’s first plan, each row in turn takes the cheapest columns with room. Exact is done after 11 pivots. Every intermediate " +
			"plan has the right masses and at most 23 cells with mass, n + m − 1.",
		Values: map[string]string{"solver": "exact", "speed": "3", "budget": "20"}},
	{ID: "crawl", Title: "When does Sinkhorn hardly progress?", Selected: "sinkhorn",
		Hero: "error", Keys: []string{"eps", "solver", "seed"},
		Lead: "Sinkhorn hardly progresses, even long after IPOT and Exact are done.",
		Text: "With six rows, six columns and equal masses, the optimum matches rows to columns one to one.",
		Seeds: "With ε = 0.01, Sinkhorn is not done after 5000 iterations for 18 of 20 seeds. IPOT is done after fewer than 1000 iterations, " +
			"Exact after fewer than 20 pivots.",
		References: []axes.Reference{axes.Level("error", doneError, "Sinkhorn is done below this")},
		Values: map[string]string{"costs": costsRandom, "n": "6", "m": "6", "a": "", "b": "", "eps": "0.01",
			"budget": "5000", "speed": "1000"}},
}
