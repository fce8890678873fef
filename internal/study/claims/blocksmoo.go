package claims

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/portable"
)

// ofBlockSMOO lists the claims of the paper on Block-SMOO.
var ofBlockSMOO = []Claim{
	{
		Name: "alternation-bounds", Paper: "Block-SMOO", Section: "3.1 to 3.3, Theorems 3.1 to 3.3",
		Says:   "‖∇F_m‖² and the gap of F_m stay below the bounds.",
		Stated: "O(1/√T), O(1/√T), O(1/T)",
		Setting: "objectives with Lipschitz gradients, convex or under the PL condition; stochastic gradients; T outer iterations with α " +
			"= 1/√T, 1/√T and 2/(μ(t + 1))",
		Here: "two quadratics in the plane; gradients without noise; T = 400; 20 sets of reshuffled orders",
		Choices: "the problem, m = (1, 3) and two blocks of one variable; σ and Δ are measured along the run, because gradients of " +
			"quadratics are not bounded",
		Check: cardLink("blocks", "theorems"),
		numbers: []string{"Theorem 3.1: bound over the mean of ‖∇F_m‖²", "Theorem 3.2: bound over the gap of the average",
			"Theorem 3.3: bound over the gap of the last iterate",
			"Theorem 3.3: largest distance from the minimiser, divided by the start’s"},
		measure: (*lab).loosenesses,
		decide: func(v []Number) []Part {
			part := func(i int, further string) Part {
				return Part{fmt.Sprintf("Theorem 3.%d", i+1), fmt.Sprintf("the bound is %.2g times the bounded quantity, at least %.2g%s",
					v[i].Value, v[i].Low, further), v[i].above(1)}
			}
			return []Part{part(0, ""), part(1, ""),
				part(2, fmt.Sprintf("; its step size first leads %.3g times as far away as the start", v[3].Value))}
		},
	},
	{
		Name: "block-rates", Paper: "Block-SMOO", Section: "3.1 to 3.3, Theorems 3.1 to 3.3",
		Says: "With the theorems’ step sizes the mean of ‖∇F_m‖² and the gap of the average fall at least as fast as 1/√T, and " +
			"the gap of the " +
			"last iterate as 1/T.",
		Stated: "O(1/√T), O(1/√T), O(1/T)",
		Setting: "objectives with Lipschitz gradients, convex or under the PL condition; stochastic gradients; bounds on the " +
			"worst case, which a " +
			"problem can meet or break",
		Here: "two quadratics in the plane, m = (1, 3), two blocks of one variable, noise of deviation 0.1 in each entry of a " +
			"gradient; T = 100 to " +
			"6400; 20 sets of reshuffled orders; the fitted power of T",
		Choices: "the problem, frequencies, blocks and noise; the mean over all t equals the random output’s expectation",
		Check:   "paretoplay claims block-rates -quick",
		numbers: []string{"power of T, Theorem 3.1", "power of T, Theorem 3.2", "power of T, Theorem 3.3"},
		measure: (*lab).blockPowers,
		parts: []part{
			{of: "Theorem 3.1, the mean of ‖∇F_m‖²", says: "as T to the power of %.2[1]s", is: atMost(1, -0.5)},
			{of: "Theorem 3.2, the gap of the average", says: "as T to the power of %.2[2]s", is: atMost(2, -0.5)},
			{of: "Theorem 3.3, the gap of the last iterate", says: "as T to the power of %.2[3]s", is: atMost(3, -1)},
		},
	},
	{
		Name: "lost-factor", Paper: "Block-SMOO", Section: "appendix B, (B.1)",
		Says:    "In its p steps, a block follows gradients that add up to ∇F_m.",
		Stated:  "Σ_j ∇f_π(j) = ∇F_m",
		Setting: "any objectives and frequencies, all gradients at the same point",
		Here:    "two quadratics, m = (1, 3), the first coordinate at (1.5, 1.5)",
		Check:   cardLink("blocks", "theorems"),
		numbers: []string{"sum of the steps’ gradients over ∇F_m"},
		measure: func(l *lab) []Number {
			m := []int{1, 3}
			p := l.pair()
			jac, x := algo.NewJacobian(2, 2), []float64{1.5, 1.5}
			p.Jacobian(jac, x)
			var along, whole float64 // first coordinates of the sum of the steps' gradients and of ∇F_m
			for k, times := range m {
				along += float64(float64(times) * jac.Row(k)[0])
				whole += float64(float64(times) / 4 * jac.Row(k)[0])
			}
			return exactly(along / whole)
		},
		parts: []part{{says: "they add up to p∇F_m, %[1]g times as much with p = 4", is: within(1, 1-1e-9, 1+1e-9)}},
	},
	{
		Name: "theorem-survives", Paper: "Block-SMOO", Section: "3.1 and appendix B, Theorem 3.1",
		Says:    "The bound of Theorem 3.1 holds for all objectives and frequencies.",
		Stated:  "its proof loses the factor p in (B.1)",
		Setting: "objectives with Lipschitz gradients that are bounded below; α = 1/√T; the random output",
		Here:    "20 drawn pairs of quadratics in four variables; T = 400; the mean over all t, which equals the random output’s expectation",
		Choices: "the problems, m = (1, 1), (1, 3), (4, 4) and (5, 15), two blocks of two variables; we put the factor p " +
			"back into the bound",
		Check: "paretoplay claims theorem-survives -quick",
		numbers: []string{"smallest ratio of the printed bound to the bound with the factor p",
			"bound with the factor p over the bounded quantity"},
		measure: (*lab).survival,
		decide: func(v []Number) []Part {
			return whole(both(v[0].atLeast(1), v[1].above(1)), fmt.Sprintf("with the factor put back, the proof gives a smaller bound, so the "+
				"theorem holds: the printed bound is at least %.1f times as large; the smaller one is %.0f times the bounded quantity, at least %.0f",
				v[0].Value, v[1].Value, v[1].Low))
		},
	},
	{
		Name: "frequencies", Paper: "Block-SMOO", Section: "2 and 3",
		Says:    "Only the ratios of the frequencies m determine the goal F_m.",
		Stated:  "F_m = Σ (m_k/p) f_k",
		Setting: "the orders of objectives and blocks are reshuffled in every cycle; step sizes that go to 0",
		Here:    "two quadratics in the plane; m = (1, 3), (2, 6) and (5, 15); the constant α = 0.1; 20 runs of 4000 outer iterations",
		Choices: "the problem; a constant step size; the contiguous order, which the scene starts with because it is easy to follow",
		Check:   cardLink("blocks", "ways"),
		numbers: slices.Concat(named([]string{"m = (1, 3)", "m = (2, 6)", "m = (5, 15)"},
			"reshuffled: distance of the mean of x over α", "reshuffled: root of the mean square distance over α"),
			named([]string{"m = (1, 3)", "m = (2, 6)", "m = (5, 15)"}, "contiguous: distance of the runs’ ends over α"),
			[]string{"reshuffled: distance of the mean of x over α, α/10 relative to α, m = (5, 15)"}),
		measure: func(l *lab) (out []Number) {
			var contiguous []Number
			for _, m := range [][]int{{1, 3}, {2, 6}, {5, 15}} {
				off, square := l.reshuffled(m, constantStep)
				out = append(out, mean(off), mean(square))
				contiguous = append(contiguous, exact(l.bias(m, constantStep)/constantStep))
			}
			off, _ := l.reshuffled([]int{5, 15}, constantStep)
			less, _ := l.reshuffled([]int{5, 15}, constantStep/10)
			return append(append(out, contiguous...), ratio(less, off))
		},
		decide: func(v []Number) []Part {
			// The settings count as equal if m = (5, 15) is at most as far off as (1, 3).
			same := func(small, large Number) Verdict { return decided(large.High <= small.High, large.Low > small.High) }
			three := func(a, b, c Number) string { return a.text(2) + "α, " + b.text(2) + "α and " + c.text(2) + "α" }
			return []Part{
				{"reshuffled, the mean of x", "it is off by " + three(v[0], v[2], v[4]) + ", no more with a larger m", same(v[0], v[4])},
				{"reshuffled, the root of the mean square", "x is off by " + three(v[1], v[3], v[5]) + ": a larger m gives larger cycles",
					same(v[1], v[5])},
				{"contiguous", "runs end off by " + three(v[6], v[7], v[8]) + ": scaling m has the effect of scaling α", same(v[6], v[8])},
				{"as α goes to 0", "with a tenth of α, the distance over α is " + v[9].times(1) + " of its value with α, so ten times smaller in total",
					v[9].within(0.5, 2)},
			}
		},
	},
	{
		Name: "every-point", Paper: "Block-SMOO", Section: "3.2",
		Says:    "On convex problems every Pareto point belongs to some m: sufficiently dense vectors m/p approximate the whole front.",
		Stated:  "a collection of m such that m/p discretizes the simplex",
		Setting: "convex objectives; the average output; T to infinity",
		Here:    "20 drawn pairs of quadratics in four variables; all m with sum p; the last iterate of 4000 steps per block",
		Choices: "the problems; α = 0.005 in place of 1/√T; distance of the farthest Pareto point from all ends, as a share of the front’s " +
			"length; p = 40 is dense if this is below a tenth, and below half the value with p = 10",
		Check: "paretoplay claims every-point -quick",
		numbers: []string{"share of the length to the farthest Pareto point, p = 10",
			"share of the length to the farthest Pareto point, p = 40", "share with p = 40 over the share with p = 10"},
		measure: (*lab).covered,
		parts: []part{{says: "its distance is %.3[1]s of the length with p = 10 and %.3[2]s with p = 40, %.2[3]x of that",
			is: all(below(3, 0.5), below(2, 0.1))}},
	},
	{
		Name: "cheaper-steps", Paper: "Block-SMOO", Section: "1.2",
		Says:    "A step along one objective on one block costs less than one along the weighted sum.",
		Stated:  "lower cost per iteration",
		Setting: "reduced-rank regression with d = 400, q = 5, r = 3, batches of 512; seconds",
		Here:    "the same",
		Choices: "multiply-adds by formula instead of seconds, which depend on the machine",
		Check:   "go test ./algo/blocks -run ^$ -bench PartialStep",
		numbers: named([]string{"on U", "on V", "on both", "on V with a shared batch"},
			"multiply-adds over the weighted gradient’s"),
		measure: func(l *lab) []Number {
			data, _, err := problem.RandomRegression(problem.RegressionConfig{
				Train: 512, Test: 1, Features: 400, Responses: 5, TrueRank: 3, Seed: 1,
			})
			check(err)
			p := must(problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: 3}))
			kept := must(problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: 3, KeepProduct: true}))
			const batch, u, all = 512, 400 * 3, 405 * 3
			full := float64(p.WeightedWork(batch, 0, all, false))
			return exactly(float64(p.Work(batch, 0, 0, u, false))/full, float64(p.Work(batch, 0, u, all, false))/full,
				float64(p.Work(batch, 0, 0, all, false))/full, float64(kept.Work(batch, 0, u, all, true))/full)
		},
		parts: []part{{says: "a step on U takes %.2[1]f of the weighted gradient’s multiply-adds, one on V %.2[2]f, but both together %.2[3]f: " +
			"blocks save nothing over Function-Alternate unless steps on V share a batch, " +
			"which is our addition: %.4[4]f", is: all(below(1, 1), below(2, 1))}},
	},
	{
		Name: "early-descent", Paper: "Block-SMOO", Section: "4.4, Figure 1",
		Says:    "Initially, Block-SMOO’s loss falls much faster than the weighted sum’s, each with its best step size.",
		Stated:  "the most rapid initial descent",
		Setting: figure1,
		Here:    smallRace,
		Choices: raceChoices,
		Check:   cardLink("regression", "best"),
		numbers: named([]string{"all with α = 0.01", "each at its best"}, "Block-SMOO’s multiply-adds to a loss of 100 over the "+
			"weighted sum’s"),
		measure: func(l *lab) (out []Number) {
			for _, card := range []string{"equal", "best"} {
				race := l.sprint(card)
				out = append(out, ratio(race[0], race[1]))
			}
			return out
		},
		parts: []part{
			{of: "all with α = 0.01", says: "%.2[1]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(1, 1)},
			{of: "each at its best, as in the paper", says: "%.2[2]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(2, 1)},
		},
	},
	{
		Name: "early-full-size", Paper: "Block-SMOO", Section: "4.4, Figure 1", kept: toldOfAlternation,
		Says:    "It does so too on 16,384 rows of 400 features, the paper’s size.",
		Stated:  "the most rapid initial descent",
		Setting: figure1,
		Here:    "the same size and grid of step sizes, m_k = 2, {U, V}; 10 seeds, step sizes chosen with 4 other seeds",
		Choices: raceChoices,
		Check:   "paretoplay experiment block-smoo",
		numbers: append(named([]string{"all with α = 0.005", "each at its best"},
			"Block-SMOO’s multiply-adds to a loss of 100 over the weighted sum’s"),
			named([]string{"all with α = 0.005", "each at its best"},
				"Function-Alternate’s multiply-adds to a loss of 100 over the weighted sum’s")...),
		measure: func(l *lab) []Number {
			interval := `×([\d.]+) \[([\d.]+), ([\d.]+)\]`
			equal := l.told(toldOfAlternation, "are "+interval+", ×[^ ]+ \\[[^]]*\\] and "+interval+" of the weighted sum’s")
			best := l.told(toldOfAlternation, "Function-Alternate’s costs to 100 are "+interval+" and Block-SMOO’s "+interval+" of the weighted")
			read := func(v []float64) Number { return Number{v[0], v[1], v[2]} }
			return []Number{read(equal[3:]), read(best[3:]), read(equal), read(best)}
		},
		parts: []part{
			{of: "all with α = 0.005", says: "%.2[1]x of the weighted sum’s multiply-adds to a test loss of 100; Function-Alternate’s " +
				"are %.2[3]x", is: below(1, 1)},
			{of: "each at its best, as in the paper", says: "%.2[2]x of the weighted sum’s multiply-adds to a test loss of 100; " +
				"Function-Alternate’s are %.2[4]x", is: below(2, 1)},
		},
	},
	{
		Name: "outpaced", Paper: "Block-SMOO", Section: "4.4, Figure 1",
		Says:     "Initially, Block-SMOO outpaces Function-Alternate and Block-Alternate.",
		Stated:   "consistently",
		Setting:  figure1,
		Here:     smallRace,
		Choices:  raceChoices + "; Block-Alternate uses Block-SMOO’s p",
		Check:    cardLink("regression", "equal"),
		settings: []string{"all with α = 0.01", "each at its best"},
		numbers: []string{"Block-SMOO’s multiply-adds to a loss of 100 over Function-Alternate’s",
			"Block-SMOO’s multiply-adds to a loss of 100 over Block-Alternate’s"},
		measure: func(l *lab) (out []Number) {
			for _, card := range []string{"equal", "best"} {
				race := l.sprint(card)
				out = append(out, ratio(race[0], race[2]), ratio(race[0], race[3]))
			}
			return out
		},
		parts: []part{
			{of: "Function-Alternate, {}", says: "%.2[1]x of its multiply-adds to a test loss of 100", is: below(1, 1)},
			{of: "Block-Alternate, {}", says: "%.2[2]x of its multiply-adds to a test loss of 100", is: below(2, 1)},
		},
	},
	{
		Name: "moderate", Paper: "Block-SMOO", Section: "4.4, Figure 1",
		Says:     "Function-Alternate and Block-Alternate offer moderate improvements over the weighted sum.",
		Stated:   "moderate",
		Setting:  figure1,
		Here:     smallRace,
		Choices:  raceChoices + "; Block-Alternate uses Block-SMOO’s p",
		Check:    cardLink("regression", "equal"),
		settings: []string{"all with α = 0.01", "each at its best"},
		numbers: []string{"Function-Alternate’s multiply-adds to a loss of 100 over the weighted sum’s",
			"Block-Alternate’s multiply-adds to a loss of 100 over the weighted sum’s"},
		measure: func(l *lab) (out []Number) {
			for _, card := range []string{"equal", "best"} {
				race := l.sprint(card)
				out = append(out, ratio(race[2], race[1]), ratio(race[3], race[1]))
			}
			return out
		},
		parts: []part{
			{of: "Function-Alternate, {}", says: "%.2[1]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(1, 1)},
			{of: "Block-Alternate, {}", says: "%.2[2]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(2, 1)},
		},
	},
	{
		Name: "moderate-full-size", Paper: "Block-SMOO", Section: "4.4, Figure 1", kept: keptAlternation,
		Says:     "They do so too on 16,384 rows of 400 features, the paper’s size.",
		Stated:   "moderate",
		Setting:  figure1,
		Here:     "the same size and grid of step sizes, m_k = 2, {U, V}; 10 seeds, step sizes chosen with 4 other seeds",
		Choices:  raceChoices,
		Check:    "paretoplay experiment block-smoo",
		settings: []string{"all with α = 0.005", "each at its best"},
		numbers: []string{"Function-Alternate’s multiply-adds to a loss of 100 over the weighted sum’s",
			"Block-Alternate’s multiply-adds to a loss of 100 over the weighted sum’s"},
		measure: func(l *lab) (out []Number) {
			const equal, longest = 2, 4 // indices of step sizes: 0.005, and 0.02, the best for the weighted sum and Block-Alternate
			for _, alpha := range []int{equal, longest} {
				sum := l.toHundred("weightedsum", alpha)
				out = append(out, ratio(l.toHundred("functionalternate", equal), sum), ratio(l.toHundred("blockalternate", alpha), sum))
			}
			return out
		},
		parts: []part{
			{of: "Function-Alternate, {}", says: "%.2[1]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(1, 1)},
			{of: "Block-Alternate, {}", says: "%.2[2]x of the weighted sum’s multiply-adds to a test loss of 100", is: below(2, 1)},
		},
	},
	{
		Name: "early-clock", Paper: "Block-SMOO", Section: "4.4, Figure 1", kept: keptAlternation,
		Says:    "Measured in time, as in Figure 1, Block-SMOO has the most rapid initial descent.",
		Stated:  "the most rapid; consistently",
		Setting: figure1,
		Here: "the same size, time budget and grid of step sizes; 10 seeds, settings chosen with 4 other seeds; the test loss " +
			"after 0.2 s of " +
			"processor time, without the measurements",
		Choices:  "“initial” means the first time at which the paper records a loss; times depend on the machine",
		Check:    "paretoplay experiment block-smoo",
		settings: []string{"all with α = 0.005", "each at its lowest loss after 2 s, as in the paper"},
		numbers: []string{"Block-SMOO’s loss after 0.2 s over the weighted sum’s", "Block-SMOO’s loss after 0.2 s over Function-Alternate’s",
			"Block-SMOO’s loss after 0.2 s over Block-Alternate’s"},
		measure: func(l *lab) []Number { return append(l.clocked(clockedEqual, 6), l.clocked(clockedBest, 6)...) },
		parts: []part{
			{of: "than the weighted sum, {}", says: "its loss is %.2[1]x", is: below(1, 1)},
			{of: "than Function-Alternate, {}", says: "its loss is %.2[2]x", is: below(2, 1)},
			{of: "than Block-Alternate, {}", says: "its loss is %.2[3]x", is: below(3, 1)},
		},
	},
	{
		Name: "comparable-end", Paper: "Block-SMOO", Section: "4.4, Figure 1", kept: keptAlternation,
		Says:    "At the end of the time budget, Block-SMOO’s performance is comparable to the baselines’.",
		Stated:  "comparable throughout the entire duration, on the air of Beijing",
		Setting: "air of Beijing, 265,000 rows of 35 features, 4 seconds; the best step size of a grid; 10 seeds",
		Here: "drawn regression, 16,384 rows, d = 400, 2 seconds; each method with its best settings at that time, chosen " +
			"with 4 other seeds; 10 " +
			"seeds",
		Choices: "the paper’s other data; “comparable” means within 10 %; times depend on the machine",
		Check:   "paretoplay experiment block-smoo",
		numbers: []string{"Block-SMOO’s loss after 2 s over the weighted sum’s", "Block-SMOO’s loss after 2 s over Function-Alternate’s",
			"Block-SMOO’s loss after 2 s over Block-Alternate’s"},
		measure: func(l *lab) []Number { return l.clocked(clockedBest, 15) },
		parts: []part{
			{of: "with the weighted sum", says: "its loss is %.2[1]x", is: within(1, 1/1.1, 1.1)},
			{of: "with Function-Alternate", says: "its loss is %.2[2]x", is: within(2, 1/1.1, 1.1)},
			{of: "with Block-Alternate", says: "its loss is %.2[3]x", is: within(3, 1/1.1, 1.1)},
		},
	},
	{
		Name: "two-turns", Paper: "Block-SMOO", Section: "4.3",
		Says:     "m_k = 2 is the most efficient of 1, 2, 4 and 8.",
		Stated:   "empirically",
		Setting:  figure1 + "; efficiency by the loss after that time",
		Here:     smallRace + ", α = 0.01",
		Choices:  raceChoices,
		Check:    cardLink("regression", "finer"),
		settings: []string{"against m_k = 1", "against m_k = 4", "against m_k = 8"},
		numbers:  []string{"share of the draws in which m_k = 2 is faster"},
		measure: func(l *lab) []Number {
			var out []Number
			two := l.sprint("equal")[0] // m_k = 2
			for _, m := range []string{"m=1,1,1,1,1", "m=4,4,4,4,4", "m=8,8,8,8,8"} {
				sooner := 0
				for draw, other := range l.paced(m) {
					if two[draw] < other || math.IsNaN(other) { // NaN if the run diverged
						sooner++
					}
				}
				out = append(out, share(sooner, len(two)))
			}
			return out
		},
		parts: []part{{says: "reaches a test loss of 100 faster in %.2[1]s of the draws", is: above(1, 0.5)}},
	},
	{
		Name: "two-turns-full-size", Paper: "Block-SMOO", Section: "4.3", kept: keptAlternation,
		Says:     "It is so too on 16,384 rows of 400 features, the paper’s size.",
		Stated:   "empirically",
		Setting:  figure1 + "; efficiency by the loss after that time",
		Here:     "the same size, α = 0.005, which suits all m_k, {U, V}; 4 seeds",
		Choices:  raceChoices + "; few seeds, because settings were chosen on these runs",
		Check:    "paretoplay experiment block-smoo",
		settings: []string{"m_k = 1", "m_k = 4", "m_k = 8"},
		numbers:  []string{"multiply-adds to a loss of 0.01 with m_k = 2 over those with another"},
		measure: func(l *lab) []Number {
			two := l.turnCosts("2")
			return []Number{ratio(two, l.turnCosts("1")), ratio(two, l.turnCosts("4")), ratio(two, l.turnCosts("8"))}
		},
		parts: []part{{of: "against {}", says: "%.2[1]x of its multiply-adds to a test loss of 0.01", is: below(1, 1)}},
	},
	{
		Name: "partition", Paper: "Block-SMOO", Section: "4.3",
		Says:     "Of the two partitions tried, {U, V} and {U, rows of V}, one is better for each method.",
		Stated:   "the better one is shown, which it is unstated",
		Setting:  figure1,
		Here:     smallRace + ", α = 0.01, m_k = 2",
		Choices:  raceChoices,
		Check:    cardLink("regression", "finer"),
		settings: []string{"Block-SMOO", "Block-Alternate"},
		numbers:  []string{"multiply-adds to a loss of 100 with rows of V over those with {U, V}"},
		measure: func(l *lab) []Number {
			coarse := l.sprint("equal")
			fine := begunAbove(l.draws("regression", []string{"method=blocksmoo,blockalternate", "partition=rows", "work=24", "seeds=1"},
				"reach.blocksmoo.hundred", "reach.blockalternate.hundred"))
			return []Number{ratio(fine[0], coarse[0]), ratio(fine[1], coarse[3])}
		},
		parts: []part{{says: "rows take %.2[1]x of the multiply-adds that {U, V} takes to a test loss of 100", is: func(v []Number) Verdict {
			return decided(v[0].High < 1 || v[0].Low > 1, v[0].within(0.95, 1.05) == Holds)
		}}},
	},
	{
		Name: "purity", Paper: "Block-SMOO", Section: "4.5, Table 1",
		Says:    "A larger share of Block-SMOO’s front than of the weighted sum’s is not dominated by the other front.",
		Stated:  "purity 0.69 and 0.51",
		Setting: table1,
		Here:    "drawn data, d = 20, q = 3, batches of 32, 20 passes; 20 draws",
		Choices: "data, sizes and both readings of a pass: the paper states neither r nor the meaning of a pass; Σm = 10 and N = 1024 with r < " +
			"q, Σm = 5 and N = 512 with r = q",
		Check: cardLink("sweep", "pass"),
		numbers: named([]string{"r = 1, every step takes a batch", "r = 3, one batch per outer iteration"},
			"purity of Block-SMOO", "purity of the weighted sum", "difference of the purities, Block-SMOO minus weighted sum"),
		measure: func(l *lab) []Number {
			steps, outer := l.fronts(), l.draws("sweep", []string{"p=5", "r=3", "pass=outer", "alpha=0.02", "N=512"}, "purity.blocksmoo",
				"purity.weightedsum")
			return []Number{mean(steps[0]), mean(steps[1]), difference(steps[0], steps[1]), mean(outer[0]), mean(outer[1]),
				difference(outer[0], outer[1])}
		},
		parts: []part{
			{of: "r = 1 < q, every inner step takes a batch, α = 0.05", says: "%.2[1]f and %.2[2]f, a difference of %.2[3]s", is: above(3, 0)},
			{of: "r = q, one batch per outer iteration, in which Block-SMOO takes 10 steps and the weighted sum one, α = 0.02",
				says: "%.2[4]f and %.2[5]f, a difference of %.2[6]s", is: above(6, 0)},
		},
	},
	{
		Name: "purity-full-size", Paper: "Block-SMOO", Section: "4.5, Table 1", kept: keptAlternation,
		Says:    "It is so too for 231 frequency vectors, with 16,384 rows.",
		Stated:  "purity 0.69 and 0.51",
		Setting: table1,
		Here:    "drawn data of the same size, d = 35, Σm = 20, α = 0.02, 20 passes; 5 draws with r = 2, 3 with r = 3",
		Choices: "the data; r and the meaning of a pass, which the paper does not state; purity shows which method is further ahead",
		Check:   "paretoplay experiment block-smoo",
		settings: []string{"as many steps, r = 2", "as many multiply-adds, r = 2", "as many steps, r = 3",
			"as many multiply-adds, r = 3"},
		numbers: []string{"purity of Block-SMOO", "purity of the weighted sum",
			"difference of the purities, Block-SMOO minus weighted sum"},
		measure: func(l *lab) (out []Number) {
			for _, rank := range []string{"r=2", "r=3"} {
				for _, pass := range []string{"pass=step", "pass=cost"} {
					ours, theirs := l.frontNumbers(rank, pass, 0)
					out = append(out, mean(ours), mean(theirs), difference(ours, theirs))
				}
			}
			return out
		},
		parts: []part{{says: "%.2[1]f and %.2[2]f, a difference of %.2[3]s", is: above(3, 0)}},
	},
	{
		Name: "spread", Paper: "Block-SMOO", Section: "4.5, Table 1",
		Says:    "The weighted sum’s front has the smaller gaps Γ, and both have a similar spread Δ.",
		Stated:  "Γ 0.50 and 0.29, Δ 1.18 and 1.15",
		Setting: table1,
		Here:    "drawn data, N = 1024, d = 20, q = 3, r = 1, Σm = 10, batches of 32, 20 passes, α = 0.05; 20 draws",
		Choices: "data and sizes; every inner step takes a batch; “similar” means within 10 %",
		Check:   cardLink("sweep", "front"),
		numbers: named([]string{"Γ", "Δ"}, "Block-SMOO’s over the weighted sum’s"),
		measure: func(l *lab) []Number {
			front := l.fronts()
			return []Number{ratio(front[2], front[3]), ratio(front[4], front[5])}
		},
		parts: []part{
			{of: "Γ", says: "Block-SMOO’s is %.2[1]x of the weighted sum’s", is: above(1, 1)},
			{of: "Δ", says: "Block-SMOO’s is %.2[2]x of the weighted sum’s", is: within(2, 1/1.1, 1.1)},
		},
	},
	{
		Name: "air", Paper: "Block-SMOO", Section: "4.4 and 4.5, Figures 1 and 2",
		Says:    "On the Beijing air data, Block-SMOO initially has the lowest loss.",
		Stated:  "consistently",
		Setting: "265,000 rows of 35 features, six pollutants",
		because: "it requires the data, which are not included",
	},
}

// Descriptions of the settings in the paper's experiments and in ours.
const (
	figure1 = "drawn regression, 16,384 rows, d = 400, q = 5, r = 3, batches of 512; seconds; the best step size of a grid, m_k and " +
		"partition by the loss after two of them; 10 seeds"
	smallRace = "the same with N = 2048, d = 100, batches of 128; 20 draws, none used to choose a step size, without draws " +
		"whose initial loss is already below the target"
	raceChoices = "multiply-adds by formula instead of seconds, which depend on the machine"
	table1      = "air of Beijing, 16,384 rows of 35 features, q = 3, 231 vectors with Σm = 20, α = 0.02, 20 passes, one run"
)

// pair returns two quadratics in the plane.
func (l *lab) pair() *problem.Quadratics { return l.noisyPair(0) }

// noisyPair returns pair with noise of standard deviation sigma in the gradients.
func (l *lab) noisyPair(sigma float64) *problem.Quadratics {
	return l.quadratics(sigma, problem.QuadraticObjective{A: []float64{2, 0.6, 0.6, 0.8}, Center: []float64{-1, 0.5}},
		problem.QuadraticObjective{A: []float64{0.7, -0.3, -0.3, 1.6}, Center: []float64{1, -0.5}})
}

func (l *lab) quadratics(sigma float64, objectives ...problem.QuadraticObjective) *problem.Quadratics {
	return must(problem.NewQuadratics(sigma, objectives...))
}

// drawnVariables is the number of variables in drawnPair.
const drawnVariables = 4

// drawnPair returns two quadratics with matrices BBᵀ/n + 0.3 I. The minima and the entries of B are standard normal.
func (l *lab) drawnPair(seed uint64) *problem.Quadratics {
	return l.quadratics(0, drawnObjectives(seed)...)
}

// drawnObjectives returns the two objectives of drawnPair.
func drawnObjectives(seed uint64) []problem.QuadraticObjective {
	const n = drawnVariables
	source := algo.Stream(seed, 0, 0, algo.Data)
	normal := func(count int) []float64 {
		v := make([]float64, count)
		for i := range v {
			v[i] = portable.Normal(&source)
		}
		return v
	}
	objectives := make([]problem.QuadraticObjective, 2)
	for o := range objectives {
		b, a := normal(n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += float64(float64(b[i*n+k]*b[j*n+k]) / n)
				}
			}
			a[i*n+i] += 0.3
		}
		objectives[o] = problem.QuadraticObjective{A: a, Center: normal(n)}
	}
	return objectives
}

// onDrawn configures a run on drawnPair with two blocks and the paper's reshuffled orders.
func onDrawn(p *problem.Quadratics, m []int, seed uint64) blocks.Config {
	return blocks.Config{Problem: p, Start: slices.Repeat([]float64{1.5}, drawnVariables), Blocks: [][]int{{0, 1}, {2, 3}}, Frequencies: m,
		StepSize: 1, Seed: seed}
}

// alternation configures a run on pair with one block per variable, in fixed orders.
func alternation(p *problem.Quadratics, m []int, alpha float64) blocks.Config {
	return blocks.Config{
		Problem: p, Start: []float64{1.5, 1.5}, Blocks: [][]int{{0}, {1}}, Frequencies: m, Order: blocks.Contiguous,
		BlockOrder: blocks.ListedBlocks, StepSize: alpha,
	}
}

// reshuffle adds the paper's reshuffled orders to a run.
func reshuffle(c blocks.Config, seed uint64) blocks.Config {
	c.Order, c.BlockOrder, c.Seed = blocks.RandomOrder, blocks.RandomBlocks, seed
	return c
}

// constantStep is the constant step size for the claim "frequencies".
const constantStep = 0.1

// bias returns the distance between the minimiser of F_m and the end of a run on pair, with a constant step size and
// fixed orders.
func (l *lab) bias(m []int, alpha float64) float64 {
	p := l.pair()
	goal := must(sweeps.NewGoal(p, m))
	cycle := must(blocks.NewCycle(alternation(p, m, alpha)))
	return goal.Away(cycle.Points[0])
}

// reshuffled returns two results per seed for runs on pair with a constant step size and reshuffled orders. off is
// the distance between the mean of x^{t,0,0} and the minimiser of F_m. square is the root of the mean squared
// distance. Both are in units of the step size.
func (l *lab) reshuffled(m []int, alpha float64) (off, square []float64) {
	const turns, settled = 4000, 20 // settled/α outer iterations are enough to reach the neighbourhood of the end
	p := l.pair()
	goal := must(sweeps.NewGoal(p, m))
	for _, seed := range l.seedList() {
		s := must(blocks.New(reshuffle(alternation(p, m, alpha), seed)))
		l.advance(s, int(settled/alpha))
		var x, y, squares float64
		for range turns {
			l.advance(s, 1)
			at := s.Last()
			dx, dy := at[0]-goal.Minimiser[0], at[1]-goal.Minimiser[1]
			x, y, squares = x+dx/turns, y+dy/turns, squares+(float64(dx*dx)+float64(dy*dy))/turns
		}
		off, square = append(off, portable.Hypot(x, y)/alpha), append(square, math.Sqrt(squares)/alpha)
	}
	return off, square
}

// advance runs the given number of outer iterations.
func (l *lab) advance(s *blocks.Alternation, turns int) {
	must(s.Advance(turns * s.OuterSteps()))
}

// heard runs outer iterations with a meter attached and returns the last measure.
func (l *lab) heard(s *blocks.Alternation, p *problem.Quadratics, goal *sweeps.Goal, turns int) blocks.Measured {
	meter := blocks.NewMeter(p, goal.Weights, goal.Minimiser)
	measured := meter.Hear(s)
	for range turns * s.OuterSteps() {
		must(s.Step())
		measured = meter.Hear(s)
	}
	return measured
}

// bounded is the number of outer iterations in runs that are compared with bounds.
const bounded = 400

// loosenesses returns the factors by which the bounds of Theorems 3.1 to 3.3 are too large, in runs on pair with m =
// (1, 3) and reshuffled orders. The last number is the largest distance from the minimiser that the third theorem's
// printed step size causes, in units of the start's distance.
func (l *lab) loosenesses() []Number {
	p, m := l.pair(), []int{1, 3}
	goal := must(sweeps.NewGoal(p, m))
	f := make([]float64, 2)
	above := func(x []float64) float64 {
		p.Values(f, x)
		return goal.Above(f)
	}
	var bounds, found [3][]float64
	var reach, start []float64
	for _, seed := range l.seedList() {
		c := reshuffle(alternation(p, m, 1), seed)
		run := func() (s *blocks.Alternation, of blocks.Constants, measured blocks.Measured) {
			s = must(blocks.New(c))
			measured = l.heard(s, p, goal, bounded)
			return s, goal.Constants(p, c.Start, measured, 2, 4), measured
		}
		add := func(i int, bound, of float64) { bounds[i], found[i] = append(bounds[i], bound), append(found[i], of) }
		c.Schedule, c.Horizon = blocks.InverseSqrt, bounded
		s, constants, measured := run()
		add(0, constants.Theorem31(bounded), measured.SquaredGradient)
		add(1, constants.Theorem32(bounded), above(s.Average()))
		c.Schedule = blocks.Printed
		s, constants, measured = run()
		add(2, constants.Theorem33(bounded), above(s.Last()))
		reach, start = append(reach, measured.Reach), append(start, constants.Distance)
	}
	return []Number{ratio(bounds[0], found[0]), ratio(bounds[1], found[1]), ratio(bounds[2], found[2]), ratio(reach, start)}
}

// blockPowers returns the fitted powers of T for the quantities that Theorems 3.1 to 3.3 bound, in runs on noisyPair with m = (1, 3)
// and reshuffled orders.
func (l *lab) blockPowers() []Number {
	p, m := l.noisyPair(0.1), []int{1, 3}
	goal := must(sweeps.NewGoal(p, m))
	f := make([]float64, 2)
	above := func(x []float64) float64 {
		p.Values(f, x)
		return goal.Above(f)
	}
	lengths := []int{100, 400, 1600, 6400}
	var powers [3][]float64
	for _, seed := range l.seedList() {
		var logT []float64
		var left [3][]float64
		add := func(i int, of float64) { left[i] = append(left[i], portable.Log(of)) }
		c := reshuffle(alternation(p, m, 1), seed)
		c.Schedule = blocks.Printed
		last := must(blocks.New(c))
		made := 0
		for _, turns := range lengths {
			logT = append(logT, portable.Log(float64(turns)))
			c.Schedule, c.Horizon = blocks.InverseSqrt, turns
			s := must(blocks.New(c))
			add(0, l.heard(s, p, goal, turns).SquaredGradient)
			add(1, above(s.Average()))
			l.advance(last, turns-made)
			made = turns
			add(2, above(last.Last()))
		}
		for i := range powers {
			powers[i] = append(powers[i], experiment.Exponent(logT, left[i]))
		}
	}
	return []Number{mean(powers[0]), mean(powers[1]), mean(powers[2])}
}

// survival returns the smallest ratio of the bound in Theorem 3.1 to the bound with the factor p. It also returns the
// factor by which the latter bound is too large on drawn pairs. For each pair, this factor uses whichever of four
// vectors m makes the latter bound tightest.
func (l *lab) survival() []Number {
	least := math.Inf(1)
	var bounds, found []float64
	for _, seed := range l.seedList() {
		p := l.drawnPair(seed)
		tightest, bound, of := math.Inf(1), 0., 0.
		for _, m := range [][]int{{1, 1}, {1, 3}, {4, 4}, {5, 15}} {
			c := onDrawn(p, m, seed)
			c.Schedule, c.Horizon = blocks.InverseSqrt, bounded
			goal := must(sweeps.NewGoal(p, m))
			s := must(blocks.New(c))
			measured := l.heard(s, p, goal, bounded)
			constants := goal.Constants(p, c.Start, measured, 2, m[0]+m[1])
			with := constants.Theorem31WithP(bounded)
			least = min(least, constants.Theorem31(bounded)/with)
			if with/measured.SquaredGradient < tightest {
				tightest, bound, of = with/measured.SquaredGradient, with, measured.SquaredGradient
			}
		}
		bounds, found = append(bounds, bound), append(found, of)
	}
	return []Number{exact(least), ratio(bounds, found)}
}

// covered returns three numbers. The first two are the largest distance from a Pareto point of a drawn pair to the
// nearest end of a run, as a share of the front's length, for Σm = 10 and for Σm = 40. The third is the second divided
// by the first.
func (l *lab) covered() []Number {
	const steps, points = 4000, 200
	sums := []int{10, 40}
	gaps := make([][]float64, len(sums))
	for _, seed := range l.seedList() {
		p := l.drawnPair(seed)
		front := make([][]float64, points+1)
		var length float64
		for i := range front {
			front[i] = make([]float64, drawnVariables)
			w := float64(i) / points
			check(p.ParetoPoint(front[i], []float64{w, 1 - w}))
			if i > 0 {
				length += portable.Distance(front[i], front[i-1])
			}
		}
		for i, sum := range sums {
			nearest := slices.Repeat([]float64{math.Inf(1)}, len(front))
			for turns := range sum + 1 {
				c := onDrawn(p, []int{turns, sum - turns}, seed)
				c.StepSize = 0.005
				s := must(blocks.New(c))
				l.advance(s, steps/sum)
				for k, point := range front {
					nearest[k] = min(nearest[k], portable.Distance(point, s.Last()))
				}
			}
			gaps[i] = append(gaps[i], slices.Max(nearest)/length)
		}
	}
	return []Number{mean(gaps[0]), mean(gaps[1]), ratio(gaps[1], gaps[0])}
}

// draws opens a scene once per draw and returns the given facts by draw.
func (l *lab) draws(id string, values []string, facts ...string) [][]float64 {
	return l.cardDraws(id, "", values, facts...)
}

// cardDraws opens a card of a scene once per draw and returns the given facts by draw. It caches its results.
func (l *lab) cardDraws(id, card string, values []string, facts ...string) [][]float64 {
	key := fmt.Sprint(id, card, values, facts)
	if l.drawn[key] == nil {
		out := make([][]float64, len(facts))
		for _, seed := range l.seedList() {
			for k, v := range l.card(id, card, append(slices.Clone(values), fmt.Sprint("seed=", seed))...).facts(facts...) {
				out[k] = append(out[k], v)
			}
		}
		l.drawn[key] = out
	}
	return l.drawn[key]
}

// sprint runs the methods on a card of the scene regression. It returns, by draw, how many million multiply-adds a run
// takes until the test loss is 100, for Block-SMOO, Weighted-Sum, Function-Alternate and Block-Alternate in this order.
func (l *lab) sprint(card string) [][]float64 {
	return begunAbove(l.cardDraws("regression", card, []string{"seeds=1", "work=8"}, "reach.blocksmoo.hundred", "reach.weightedsum.hundred",
		"reach.functionalternate.hundred", "reach.blockalternate.hundred"))
}

// begunAbove drops the draws in which every method costs 0, because the initial loss is already at the target. The
// dropped draws are the same for all methods and settings, because all start at the same point.
func begunAbove(costs [][]float64) [][]float64 {
	out := make([][]float64, len(costs))
	for k, of := range costs {
		for draw, cost := range of {
			if costs[0][draw] != 0 {
				out[k] = append(out[k], cost)
			}
		}
	}
	return out
}

// paced returns, by draw, how many million multiply-adds Block-SMOO takes to reach a test loss of 100 with the given
// values.
func (l *lab) paced(values ...string) []float64 {
	return begunAbove(l.draws("regression", append(values, "method=blocksmoo", "seeds=1", "work=8"), "reach.blocksmoo.hundred"))[0]
}

// fronts returns purity, Γ and Δ for Block-SMOO and Weighted-Sum, by draw.
func (l *lab) fronts() [][]float64 {
	return l.draws("sweep", nil, "purity.blocksmoo", "purity.weightedsum", "gamma.blocksmoo", "gamma.weightedsum", "delta.blocksmoo",
		"delta.weightedsum")
}

// turnCosts returns, by seed, how many million multiply-adds Block-SMOO takes to reach a test loss of 0.01 at the
// paper's size with α = 0.005 and the given number of turns.
func (l *lab) turnCosts(turns string) (out []float64) {
	const alpha, level = 2, 2 // indices of the third step size and the third level
	rows := where(l.table(keptAlternation), "part=count", "method=blocksmoo", "shared=false", "partition=U V", "m="+turns)
	for _, row := range rows {
		if seed := l.number(row, "seed"); seed > 4 {
			continue // only m_k = 2 has additional seeds
		}
		out = append(out, l.cell(row, alpha, level))
	}
	return out
}

// toHundred returns how many million multiply-adds a method takes to reach a test loss of 100 at the paper's size. The
// argument alpha is the index of a step size in the grid. The result covers only the seeds that were not used to choose
// settings.
func (l *lab) toHundred(method string, alpha int) (out []float64) {
	partition := "partition=U V"
	if method == "weightedsum" || method == "functionalternate" {
		partition = "partition="
	}
	m := "m=2"
	if method == "weightedsum" {
		m = "m=1"
	}
	for _, row := range where(l.table(keptAlternation), "part=count", "method="+method, "shared=false", partition, m) {
		if l.number(row, "seed") > 4 {
			out = append(out, l.cell(row, alpha, 0))
		}
	}
	return out
}

// Rows in the kept timed runs: Block-SMOO, its variant, the weighted sum, Function-Alternate and Block-Alternate. The
// first rows use each method's best settings; the rows from clockedEqual on use common settings.
const clockedBest, clockedEqual = 0, 5

// clocked returns Block-SMOO's loss at the record with index time, divided by the losses of the weighted sum,
// Function-Alternate and Block-Alternate. The argument first is the first row of the settings to use.
func (l *lab) clocked(first, time int) (out []Number) {
	const losses = 2 // a row starts with its steps and its work
	at := func(contender int) (out []float64) {
		for _, row := range where(l.table(keptAlternation), "part=time") {
			out = append(out, l.cell(row, first+contender, losses+time))
		}
		return out
	}
	for _, other := range []int{2, 3, 4} {
		out = append(out, ratio(at(0), at(other)))
	}
	return out
}

// frontNumbers returns one number for the fronts of Block-SMOO and Weighted-Sum at the paper's size, by draw. The
// argument number selects purity, Γ or Δ, in the order of the experiment's rows.
func (l *lab) frontNumbers(rank, pass string, number int) (ours, theirs []float64) {
	for _, row := range where(l.table(keptAlternation), "part=front", rank, pass) {
		ours, theirs = append(ours, l.cell(row, 0, number)), append(theirs, l.cell(row, 1, number))
	}
	return ours, theirs
}
