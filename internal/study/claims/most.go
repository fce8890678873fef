package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// fairnessRuns is the number of runs in the fairness table.
const fairnessRuns = 20

// Descriptions of the settings in the paper's experiments with clients and in ours.
const (
	synPaper = "Syn(ρ, ρ) with ρ = 0, 0.5, 1: 30 clients, five models, 400 epochs, the best of four step sizes; 3 seeds"
	synHere  = "the same, 3 seeds (docs/syn.csv), and a smaller version: 15 clients with at most 120 samples, 60 epochs, 2 step sizes, " +
		"20 seeds that were not used to choose the step size"
	synSmall = "a smaller version: 15 clients with at most 120 samples, 60 epochs, 2 step sizes; 20 seeds that were not used to choose the " +
		"step size"
	synChoices = "one local epoch per round with batches of ten, Γ on the local updates, exact plans, our reading of the curriculum’s " +
		"marginals, new data for every seed"
	clientsHere    = "ten clients with at most 60 samples, 20 features and five classes, ρ = 0, five models, η = 0.1, 40 rounds; 20 draws"
	clientsChoices = "sizes; one local epoch per round with batches of ten, Γ on the local updates, exact plans without R(Γ), " +
		"new data for every seed"
	clustersHere = "30 goals in five clusters of the plane; each loss is half the squared distance; five solutions with η = 0.2; 20 layouts"
)

// ofMosT lists the claims of the paper on MosT.
var ofMosT = []Claim{
	{
		Name: "few-entries", Paper: "MosT", Section: "4, Proposition 1",
		Says:    "An exact plan of n objectives and m solutions has at most n + m − 1 non-zero entries.",
		Stated:  "n + m − 1",
		Setting: "τ = 0, any costs",
		Here:    "20 drawn tasks with 12 objectives and 12 solutions, 20 with 30 and 5; the same sizes with equal costs",
		Choices: "uniform costs and masses; the transportation simplex, which ends at a vertex, and other plans of the same cost",
		Check:   cardLink("transport", "pivots"),
		numbers: append(named([]string{"n = m = 12", "n = 30, m = 5"}, "largest number of non-zero entries, simplex"),
			named([]string{"n = m = 12", "n = 30, m = 5"}, "entries of the product of the marginals, an exact plan for equal costs")...),
		measure: func(l *lab) []Number {
			return exactly(l.mostEntries(12, 12), l.mostEntries(30, 5), l.tiedEntries(12, 12), l.tiedEntries(30, 5))
		},
		parts: []part{
			{of: "a vertex", says: "at most %[1]g, where n + m − 1 is 23, and %[2]g, where it is 34",
				is: all(atMost(1, 12+12-1), atMost(2, 30+5-1))},
			{of: "any exact plan", says: "if costs are equal, the product of the marginals costs no more and has %[3]g and %[4]g entries",
				is: all(atMost(3, 12+12-1), atMost(4, 30+5-1))},
		},
	},
	{
		Name: "sparse", Paper: "MosT", Section: "5, Figure 2(a)",
		Says:    "The plan becomes sparse during training and soon stops changing.",
		Stated:  "about 75 % zeros in the end",
		Setting: "clients’ models; plans by IPOT",
		Here:    clustersHere + ", 40 rounds, 20 with IPOT",
		Choices: "the problem; exact plans and IPOT’s, without R(Γ); “soon” means in the first half of the rounds; a zero is below " +
			"1e-12 of its column’s largest entry",
		Check: "#v=1&scene=clusters&view=zeros",
		numbers: []string{"points of zeros, last round minus first, exact", "percent of zeros in the last round, exact",
			"round of the last change, exact", "points of zeros, last round minus first, IPOT",
			"percent of zeros in the last round, IPOT"},
		measure: func(l *lab) []Number {
			first, last, change := l.zeros("exact", "40")
			ipotFirst, ipotLast, _ := l.zeros("ipot", "20")
			return []Number{difference(last, first), mean(last), mean(change), difference(ipotLast, ipotFirst), mean(ipotLast)}
		},
		parts: []part{
			{of: "becomes sparser, exact", says: "%.1[1]s points more zeros in the last round than in the first: plans are sparse " +
				"from the start", is: above(1, 0)},
			{of: "becomes sparser, IPOT", says: "%.1[4]s points more zeros in the last round than in the first", is: above(4, 0)},
			{of: "70 to 80 % zeros in the end", says: "%.0[2]s %% exact, %.0[5]s %% IPOT", is: all(within(2, 70, 80), within(5, 70, 80))},
			{of: "soon stops changing", says: "the last change comes after %.0[3]s of 40 rounds", is: below(3, 20)},
		},
	},
	{
		Name: "specialists", Paper: "MosT", Section: "5, Figure 2(b)",
		Says:     "The mean loss over all solutions first rises and then falls, while each objective’s loss at its best solution falls.",
		Stated:   "initially increases and then decreases; the caption of the figure has it rise",
		Setting:  "clients’ models, test losses",
		Here:     clustersHere + ", 40 rounds",
		Choices:  "the problem and the starts, near the middle of a ring or scattered",
		Check:    cardLink("clusters", "each"),
		settings: []string{"a ring of clusters", "random clusters"},
		numbers: []string{"mean loss, end over start", "loss at the best solution, end over start", "mean loss, highest over start",
			"mean loss, end over highest"},
		measure: func(l *lab) (out []Number) {
			for _, layout := range []string{"layout=ring", "layout=random"} {
				var before, after, highest, bestBefore, bestAfter []float64
				for _, seed := range l.seedList() {
					for _, r := range l.run("clusters", layout, fmt.Sprint("seed=", seed)).runs("most") {
						start, end := r.Iterates[0], r.Iterates[len(r.Iterates)-1]
						before, after = append(before, start.MeanLoss), append(after, end.MeanLoss)
						peak := start.MeanLoss
						for _, i := range r.Iterates {
							peak = max(peak, i.MeanLoss)
						}
						highest = append(highest, peak)
						bestBefore, bestAfter = append(bestBefore, start.OracleLoss), append(bestAfter, end.OracleLoss)
					}
				}
				out = append(out, ratio(after, before), ratio(bestAfter, bestBefore), ratio(highest, before), ratio(after, highest))
			}
			return out
		},
		parts: []part{
			{of: "the mean rises, {}", says: "it reaches %.2[1]x of its start value, and at most %.2[3]x", is: above(3, 1)},
			{of: "then it falls, {}", says: "to %.2[4]x of its maximum", is: below(4, 1)},
			{of: "the best falls, {}", says: "to %.2[2]x", is: below(2, 1)},
		},
	},
	{
		Name: "collapse", Paper: "MosT", Section: "E.1, Figure 7", kept: keptSynSmall,
		Says: "If only goals choose, MosT(O), or only solutions, MosT(M), few solutions serve all goals. Two marginals keep all solutions " +
			"in use.",
		Stated:  "two models dominate with (O), one with (M)",
		Setting: "Syn(0, 0), 30 clients, five models; the share of clients that each model is best for on validation",
		Here:    synSmall,
		Choices: synChoices + "; “few” means at most two",
		Check:   "paretoplay experiment syn",
		numbers: named([]string{"MosT", "MosT(O)", "MosT(M)"}, "models that any client chooses",
			"percent of the clients that choose the first model"),
		measure: func(l *lab) (out []Number) {
			for _, method := range []string{"most", "most-o", "most-m"} {
				out = append(out, mean(l.small(method, "0", "winners_each")), mean(l.small(method, "0", "largest_each")))
			}
			return out
		},
		parts: []part{
			{of: "(O)", says: "clients choose %.1[3]s of five models, and %.0[4]s %% of them choose the first; with MosT %.1[1]s and %.0[2]s " +
				"%% with MosT", is: all(above(1, 4), atMost(3, 2))},
			{of: "(M)", says: "clients choose %.1[5]s of five models, and %.0[6]s %% of them choose the first; with MosT %.1[1]s and %.0[2]s " +
				"%% with MosT", is: all(above(1, 4), atMost(5, 2))},
		},
	},
	{
		Name: "collapse-clusters", Paper: "MosT", Section: "E.1, Figure 7",
		Says:    "It is so too on clusters in the plane.",
		Stated:  "two models dominate with (O), one with (M)",
		Setting: "Syn(0, 0), 30 clients, five models; the share of clients that each model is best for on validation",
		Here:    "30 goals in five clusters, five solutions, 20 rounds; 20 layouts",
		Choices: "the problem and the starts: all in one corner, which shows it most clearly, or scattered; “few” means at most two",
		Check:   cardLink("clusters", "collapse"),
		numbers: named([]string{"from one corner", "scattered starts"}, "solutions that win any goal, MosT",
			"solutions that win any goal, MosT(O)", "points that the solutions reach, MosT(M)"),
		measure: func(l *lab) (out []Number) {
			for _, starts := range []string{"starts=corner", "starts=scattered"} {
				for _, few := range l.cardDraws("clusters", "collapse", []string{starts}, "winners.most", "winners.most-o", "places.most-m") {
					out = append(out, mean(few))
				}
			}
			return out
		},
		parts: []part{
			{of: "(O), from one corner", says: "%.1[2]s of five solutions win any goal, %.1[1]s with MosT", is: all(above(1, 4), atMost(2, 2))},
			{of: "(M), from one corner", says: "the solutions reach %.1[3]s points; %.1[1]s win any goal with MosT",
				is: all(above(1, 4), atMost(3, 2))},
			{of: "(O), scattered starts", says: "%.1[5]s of five solutions win any goal, %.1[4]s with MosT", is: all(above(4, 4), atMost(5, 2))},
			{of: "(M), scattered starts", says: "the solutions reach %.1[6]s points; %.1[4]s win any goal with MosT",
				is: all(above(4, 4), atMost(6, 2))},
		},
	},
	{
		Name: "two-kinds", Paper: "MosT", Section: "3.2",
		Says:    "With two objectives, the plan can collapse MosT’s solutions to two kinds; MosT-E’s solutions spread.",
		Stated:  "2 kinds are possible",
		Setting: "n = 2, uniform marginals",
		Here:    "two quadratics, four solutions; 20 seeds",
		Choices: "the problem; solutions are of different kinds if they differ by more than 0.01 in some objective",
		Check:   cardLink("fronts", "kinds"),
		numbers: named([]string{"MosT", "MosT-E"}, "kinds of solutions"),
		measure: func(l *lab) []Number {
			kinds := l.cardDraws("fronts", "kinds", nil, "kinds.most", "kinds.most-e")
			return []Number{mean(kinds[0]), mean(kinds[1])}
		},
		parts: []part{{says: "%.1[1]s kinds with MosT, %.1[2]s with MosT-E", is: all(atMost(1, 2), above(2, 2))}},
	},
	{
		Name: "theorem-1", Paper: "MosT", Section: "4.1, Theorem 1",
		Says:    "The running mean of the directions’ squared lengths, Σ b_j‖d_j‖², falls as 1/T.",
		Stated:  "O(ν/T)",
		Setting: "ν-smooth objectives, full gradients, η = 1/(2ν), directions as printed",
		Here:    "clusters, where ν = 1: η = 0.5, directions as printed; 20 layouts; exact plans",
		Choices: "the problem; “as 1/T” means to a quarter, at most 1/3.5, in four times as many rounds",
		Check:   "#v=1&scene=clusters&scale=raw&eta=0.5&view=theorem",
		numbers: []string{"running mean of Σ b_j‖d_j‖², after 400 rounds over after 100"},
		measure: func(l *lab) []Number {
			after := func(rounds string) []float64 {
				return l.draws("clusters", []string{"scale=raw", "eta=0.5", "method=most-noreg", "budget=" + rounds}, "bd2.most-noreg")[0]
			}
			return []Number{ratio(after("400"), after("100"))}
		},
		parts: []part{{says: "after 400 rounds %.3[1]x of its value after 100", is: atMost(1, 1/3.5)}},
	},
	{
		Name: "theorem-2", Paper: "MosT", Section: "B.1, Theorem 2",
		Says:    "Once the plan is stable, each solution’s squared distance from its end point shrinks by 1 − μηε per round.",
		Stated:  "(1 − μηε) to the power of TK, ε the least entry of Γ",
		Setting: "μ-strongly convex, ν-smooth objectives, full gradients, η ≤ 1/ν, directions as printed",
		Here:    "clusters, where μ = ν = 1: η = 1, K = 1, directions as printed; 20 layouts; exact plans",
		Choices: "the problem; the end is the position after 3000 rounds",
		Check:   "paretoplay claims theorem-2 -quick",
		numbers: []string{"largest squared distance over its bound",
			"median solution’s decrease per round over the bound’s"},
		measure: (*lab).shrinking,
		parts: []part{{says: "the squared distance is at most %.2[1]g of the bound; the median solution’s decreases %.1[2]x as fast as " +
			"the bound guarantees", is: atMost(1, 1+1e-9)}},
	},
	{
		Name: "row-maxima", Paper: "MosT", Section: "4, after Proposition 1",
		Says: "With τ > 0 the sum of the objectives’ largest masses, Σ_i max_j Γ_ij, is at least as large as with τ = 0, and the plan is more " +
			"diverse.",
		Stated:  "obvious; R(Γ) is called the negative of Definition 1’s diversity, which it is not",
		Setting: "any costs; exact minimisers",
		Here:    "20 drawn tasks with 34 objectives and 5 solutions, τ = 0.05, 0.2 and 1 mean costs",
		Choices: "uniform costs, equal masses; the best plan of 20 local searches, because R(Γ) creates many minima",
		Check:   cardLink("clusters", "tau"),
		numbers: []string{"smallest increase of Σ max Γ over τ = 0", "mean increase of Σ max Γ, τ = 1",
			"mean increase of the sum of the columns’ cosines, τ = 1"},
		measure: (*lab).rowMaxima,
		parts: []part{
			{of: "Σ max Γ", says: "at least %.2[1]g more in each task, on average %.4[2]s with τ = 1", is: atLeast(1, -1e-12)},
			{of: "more diverse by Definition 1", says: "with τ = 1 the sum of the columns’ cosines is %.3[3]s larger", is: below(3, 0)},
		},
	},
	{
		Name: "regular-partition", Paper: "MosT", Section: "3, after equation (4)",
		Says: "Minimising R(Γ) gives max_j Γ_ij = 1/n and zeros elsewhere in each row, and cosines of 0 between columns; if n is a " +
			"multiple of m, each column has n/m entries.",
		Stated:   "1/n, 0, n/m",
		Setting:  "uniform marginals, any costs; exact minimisers",
		Here:     "20 drawn tasks with 30 objectives and 5 solutions, 20 with 34 and 5; τ = 100 mean costs",
		Choices:  "uniform costs; τ so large that R(Γ) dominates; the best plan of 20 local searches",
		Check:    "paretoplay claims regular-partition -quick",
		settings: []string{"n = 30, m = 5", "n = 34, m = 5"},
		numbers: []string{"smallest Σ max Γ, 1 if every largest mass is 1/n", "largest sum of the columns’ cosines", "fewest " +
			"entries of a column",
			"most entries of a column"},
		measure: func(l *lab) []Number { return append(l.regular(30, 5), l.regular(34, 5)...) },
		parts: []part{{says: "Σ max Γ is at least %.3[1]f, the columns’ cosines sum to at most %.2[2]g, and a column has " +
			"%[3]g to %[4]g entries",
			is: func(v []Number) Verdict {
				return both(v[0].atLeast(1-1e-9), v[1].atMost(1e-9), decided(v[2].Value == v[3].Value, v[2].Value < v[3].Value))
			}}},
	},
	{
		Name: "common-descent", Paper: "MosT", Section: "3.1 and A, Lemma 2",
		Says: "The direction d_j guarantees that every objective with Γ_ij > 0 improves or stays equal, with Γ_ij⟨∇L_i, d_j⟩ at least " +
			"half of ‖d_j‖² downwards.",
		Stated:   "improved or the same; ½‖d_j‖²",
		Setting:  "any objectives, full gradients; by Theorem 1 η = 1/(2ν)",
		Here:     "clusters, where ν = 1: directions as printed, exact plans, 60 rounds; 20 layouts; η = 1/(2ν), and also η = 40",
		Choices:  "the problem; η = 40, because the sentence states no step size and directions as printed are short",
		Check:    "paretoplay claims common-descent -quick",
		settings: []string{"η = 0.5", "η = 40"},
		numbers:  []string{"percent of the served losses that a step increases", "smallest Γ_ij⟨∇L_i, d_j⟩ over ‖d_j‖²"},
		measure:  func(l *lab) []Number { return append(l.descents(0.5), l.descents(40)...) },
		parts: []part{
			{of: "improves or stays, {}", says: "a step increases %.1[1]s %% of the losses that its solution serves", is: atMost(1, 0)},
			{of: "to first order, {}", says: "at least %.2[2]f of ‖d_j‖²", is: atLeast(2, 0.5-1e-9)},
		},
	},
	{
		Name: "any-solver", Paper: "MosT", Section: "3.1 and 6.6",
		Says:    "Any optimal transport solver can compute the plan.",
		Stated:  "off the shelf, for example IPOT",
		Setting: "solved exactly, by IPOT",
		Here: clustersHere + ", 20 rounds, without R(Γ); IPOT with β = 0.01 ranges of the costs against the transportation " +
			"simplex, our default",
		Choices: "IPOT stops at a marginal error of 1e-9 and a duality gap of 1e-6; the compared loss is the mean over the goals " +
			"of their best solution’s loss; “the same” means within 10 %",
		Check: "#v=1&scene=clusters&solver=ipot&method=most-noreg",
		numbers: named([]string{"MosT", "MosT(L)"}, "loss with IPOT", "loss with the simplex",
			"loss with IPOT over the loss with the simplex"),
		measure: func(l *lab) (out []Number) {
			for _, method := range []string{"most-noreg", "most-l"} {
				var of [2][]float64
				for i, solver := range []string{"ipot", "exact"} {
					of[i] = l.draws("clusters", []string{"budget=20", "tau=0", "method=" + method, "solver=" + solver}, "oracle."+method)[0]
				}
				out = append(out, mean(of[0]), mean(of[1]), ratio(of[0], of[1]))
			}
			return out
		},
		parts: []part{
			{of: "MosT", says: "a loss of %.3[1]f with IPOT, %.3[2]f with the simplex, %.2[3]x: IPOT leaves small masses, and MGDA " +
				"considers every objective with any mass", is: within(3, 1/1.1, 1.1)},
			{of: "MosT(L), whose weights are the masses", says: "a loss of %.3[4]f with IPOT, %.3[5]f with the simplex, %.2[6]x",
				is: within(6, 1/1.1, 1.1)},
		},
	},
	{
		Name: "accuracy", Paper: "MosT", Section: "6.2, Table 1", kept: keptSynSmall,
		Says: "Five MosT models serve thirty clients better than models from MGDA, weighted sums and averages.",
		Stated: "with ρ = 0, 0.5, 1: 7.0, 2.9, 1.7 points over MGDA, 8.3, 2.8, 2.3 over linearization, 8.5, 3.7, 4.1 over FedAvg, " +
			"8.6, 3.9, 4.6 over FedProx, 9.0, 4.8, 5.0 over FedMGDA+",
		Setting: synPaper,
		Here:    synHere,
		Choices: synChoices,
		Check:   "paretoplay experiment syn",
		numbers: overBaselines(func(b baseline, _ int) []string { return gainNames("MosT minus " + b.title) }),
		measure: func(l *lab) []Number {
			return overBaselines(func(b baseline, _ int) []Number { return l.gains("most", b.method) })
		},
		parts: overBaselines(func(b baseline, i int) []part { return gainsOf("over "+b.title, 6*i) }),
	},
	{
		Name: "fairness", Paper: "MosT", Section: "6.2, Figure 3(c)", kept: keptSynSmall,
		Says:     "MosT serves the worst 20, 40, 60 and 80 % of the clients better than the baselines, and by a larger margin than all clients.",
		Stated:   "outperforms the baselines by a larger margin",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1",
		Choices:  synChoices,
		Check:    "paretoplay experiment syn",
		settings: overBaselines(func(b baseline, _ int) []string { return []string{"over " + b.title} }),
		numbers: []string{"points of accuracy for the worst 20 %", "points of accuracy for the worst 40 %",
			"points of accuracy for the worst 60 %", "points of accuracy for the worst 80 %",
			"additional points for the worst 20 %, compared with all"},
		measure: func(l *lab) (out []Number) {
			for _, b := range baselines {
				gap := func(column string) []float64 {
					return experiment.Differences(l.pooled("most", column), l.pooled(b.method, column))
				}
				for _, share := range []string{"20", "40", "60", "80"} {
					out = append(out, mean(gap("worst"+share+"_each")))
				}
				out = append(out, difference(gap("worst20_each"), gap("accuracies")))
			}
			return out
		},
		parts: []part{
			{of: "the worst 20 %, {}", says: "%.1[1]s points", is: above(1, 0)},
			{of: "the worst 40 %, {}", says: "%.1[2]s points", is: above(2, 0)},
			{of: "the worst 60 %, {}", says: "%.1[3]s points", is: above(3, 0)},
			{of: "the worst 80 %, {}", says: "%.1[4]s points", is: above(4, 0)},
			{of: "a larger margin, {}", says: "%.1[5]s points more for the worst 20 %% than for all", is: all(above(5, 0), above(1, 0))},
		},
	},
	{
		Name: "diversity", Paper: "MosT", Section: "6.2 and E.3, Figures 3(b) and 9", kept: keptSynSmall,
		Says:     "MosT’s models stay diverse whereas the baselines’ models converge to each other, and R(Γ) makes them more diverse.",
		Stated:   "the divergence of the predictions of each pair",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1; the mean divergence of pairs at the end",
		Choices:  synChoices,
		Check:    "paretoplay experiment syn",
		settings: append(overBaselines(func(b baseline, _ int) []string { return []string{"than " + b.title + "’s"} }), "than without R(Γ)"),
		numbers:  []string{"MosT’s divergence of pairs over it"},
		measure: func(l *lab) (out []Number) {
			most := l.pooled("most", "divergence_each")
			for _, b := range append(slices.Clone(baselines), baseline{method: "most-noreg"}) {
				out = append(out, ratio(most, l.pooled(b.method, "divergence_each")))
			}
			return out
		},
		parts: []part{{says: "MosT’s is %.2[1]x of the other’s", is: above(1, 1)}},
	},
	{
		Name: "random-weights", Paper: "MosT", Section: "E.1, Table E", kept: keptSynSmall,
		Says:    "Transport weights work better than random weights, w-MGDA.",
		Stated:  "by 7.5, 3.8, 2.9 points",
		Setting: synPaper,
		Here:    synHere,
		Choices: synChoices + "; random weights are uniform, scaled to the marginals and drawn once per run",
		Check:   "paretoplay experiment syn",
		numbers: gainNames("MosT minus w-MGDA"),
		measure: func(l *lab) []Number { return l.gains("most", "wmgda") },
		parts:   gainsOf("", 0),
	},
	{
		Name: "own-weights", Paper: "MosT", Section: "E.4, Table E", kept: keptSynSmall,
		Says:    "MGDA’s weights are better than the plan’s own masses, MosT(L).",
		Stated:  "by 1.6, 1.1, 0.9 points",
		Setting: synPaper,
		Here:    synHere,
		Choices: synChoices + "; (L) divides by a model’s mass, because the printed average would shrink the model",
		Check:   cardLink("federated", "weights"),
		numbers: gainNames("MosT minus MosT(L)"),
		measure: func(l *lab) []Number { return l.gains("most", "most-l") },
		parts:   gainsOf("", 0),
	},
	{
		Name: "curriculum", Paper: "MosT", Section: "3.3 and E.2, Table E", kept: keptSynSmall,
		Says:    "A curriculum of the marginals helps.",
		Stated:  "2.3, 1.8, 1.0 points",
		Setting: synPaper + "; the marginals that follow the performance are not defined",
		Here:    synHere,
		Choices: synChoices + "; the public code’s curriculum does the reverse and is tested too",
		Check:   "paretoplay experiment syn",
		numbers: slices.Concat(gainNames("curriculum as we read it minus none"),
			gainNames("curriculum as published minus none")),
		measure: func(l *lab) []Number {
			return append(l.gains("most", "most-nocl"), l.gains("most-published", "most-nocl")...)
		},
		parts: append(gainsOf("as we read it", 0), gainsOf("as published", 6)...),
	},
	{
		Name: "regularisation", Paper: "MosT", Section: "4 and E.3, Tables 1 and E", kept: keptSynSmall,
		Says:    "The regularisation R(Γ) helps.",
		Stated:  "1.2, 0.9, 0.5 points",
		Setting: synPaper + "; τ is not stated",
		Here:    synHere,
		Choices: synChoices + "; τ is a tenth of the mean loss, the plan the best of 20 local searches",
		Check:   "paretoplay experiment syn",
		numbers: gainNames("with R(Γ) minus without"),
		measure: func(l *lab) []Number { return l.gains("most", "most-noreg") },
		parts:   gainsOf("", 0),
	},
	{
		Name: "without-regularisation", Paper: "MosT", Section: "3, 4 and E.3, Table 1", kept: keptSynSmall,
		Says: "Even without R(Γ), five models serve the clients better than the baselines’ models.",
		Stated: "with ρ = 0, 0.5, 1: 5.9, 2.0, 1.2 points over MGDA, 7.2, 1.9, 1.8 over linearization, 7.4, 2.8, 3.6 over " +
			"FedAvg, 7.5, 2.9, 4.1 " +
			"over FedProx, 7.8, 3.9, 4.5 over FedMGDA+",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1",
		Choices:  synChoices,
		Check:    "paretoplay experiment syn",
		settings: overBaselines(func(b baseline, _ int) []string { return []string{"over " + b.title} }),
		numbers:  []string{"points of accuracy"},
		measure:  func(l *lab) []Number { return l.pooledGains("most-noreg") },
		parts:    []part{{says: "%.1[1]s points", is: above(1, 0)}},
	},
	{
		Name: "without-curriculum", Paper: "MosT", Section: "E.2, Table E", kept: keptSynSmall,
		Says: "Even without the curriculum MosT outperforms the other algorithms.",
		Stated: "with ρ = 0, 0.5, 1: 4.8, 1.1, 0.7 points over MGDA, 6.1, 1.0, 1.4 over linearization, 6.3, 1.9, 3.1 over " +
			"FedAvg, 6.4, 2.1, 3.7 " +
			"over FedProx, 6.7, 3.0, 4.1 over FedMGDA+",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1",
		Choices:  synChoices,
		Check:    "paretoplay experiment syn",
		settings: overBaselines(func(b baseline, _ int) []string { return []string{"over " + b.title} }),
		numbers:  []string{"points of accuracy"},
		measure:  func(l *lab) []Number { return l.pooledGains("most-nocl") },
		parts:    []part{{says: "%.1[1]s points", is: above(1, 0)}},
	},
	{
		Name: "one-sided", Paper: "MosT", Section: "E.1, Table E", kept: keptSynSmall,
		Says:    "Matching in both directions is more accurate than MosT(O) and MosT(M), which each drop one marginal.",
		Stated:  "with ρ = 0, 0.5, 1: 7.6, 3.1, 1.8 points over (O), 16.6, 11.0, 17.0 over (M)",
		Setting: synPaper,
		Here:    synHere,
		Choices: synChoices,
		Check:   "paretoplay experiment syn",
		numbers: slices.Concat(gainNames("MosT minus MosT(O)"), gainNames("MosT minus MosT(M)")),
		measure: func(l *lab) []Number { return append(l.gains("most", "most-o"), l.gains("most", "most-m")...) },
		parts:   append(gainsOf("over (O)", 0), gainsOf("over (M)", 6)...),
	},
	{
		Name: "faster", Paper: "MosT", Section: "6.2, Figure 3(a)", kept: keptSynSmall,
		Says:     "MosT’s training loss is below the baselines’.",
		Stated:   "a lower training loss, called faster convergence",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1; the training loss of each client’s best model at the end",
		Choices:  synChoices + "; losses at the end instead of curves",
		Check:    "paretoplay experiment syn",
		settings: overBaselines(func(b baseline, _ int) []string { return []string{"than " + b.title + "’s"} }),
		numbers:  []string{"MosT’s training loss over the other’s"},
		measure: func(l *lab) (out []Number) {
			most := l.pooled("most", "oracle_loss_each")
			for _, b := range baselines {
				out = append(out, ratio(most, l.pooled(b.method, "oracle_loss_each")))
			}
			return out
		},
		parts: []part{{says: "MosT’s is %.2[1]x of the other’s", is: below(1, 1)}},
	},
	{
		Name: "sparse-diverse", Paper: "MosT", Section: "4 and E.3, Figure 9", kept: keptSynSmall,
		Says:     "Even without R(Γ), sparse plans give more diverse models than the baselines.",
		Stated:   "the divergence of the predictions of each pair",
		Setting:  synPaper,
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1; the mean divergence of pairs at the end",
		Choices:  synChoices,
		Check:    "paretoplay experiment syn",
		settings: overBaselines(func(b baseline, _ int) []string { return []string{"than " + b.title + "’s"} }),
		numbers:  []string{"divergence of pairs without R(Γ) over the other’s"},
		measure: func(l *lab) (out []Number) {
			sparse := l.pooled("most-noreg", "divergence_each")
			for _, b := range baselines {
				out = append(out, ratio(sparse, l.pooled(b.method, "divergence_each")))
			}
			return out
		},
		parts: []part{{says: "MosT’s is %.2[1]x of the other’s", is: above(1, 1)}},
	},
	{
		Name: "keeps-diversity", Paper: "MosT", Section: "6.2 and E.3, Figures 3(b) and 9",
		Says:    "Initially all models differ; the baselines’ models converge to each other during training, and MosT’s stay apart.",
		Stated:  "a notable decrease, and high throughout",
		Setting: synPaper,
		Here:    "a smaller version: " + clientsHere,
		Choices: clientsChoices + "; the mean divergence of pairs, end over start; the paper’s other baselines are left out",
		Check:   "paretoplay claims keeps-diversity -quick",
		numbers: named([]string{"MGDA", "linearization", "FedAvg", "MosT"}, "divergence of pairs, end over start"),
		measure: func(l *lab) (out []Number) {
			for _, method := range []string{"mgda", "linearization", "fedavg", "most"} {
				var before, after []float64
				for _, r := range l.clients()[method] {
					before, after = append(before, *r.Iterates[0].Divergence), append(after, *r.Iterates[len(r.Iterates)-1].Divergence)
				}
				out = append(out, ratio(after, before))
			}
			return out
		},
		parts: []part{
			{of: "MGDA’s converge to each other", says: "to %.2[1]x of the divergence at the start", is: below(1, 1)},
			{of: "linearization’s converge to each other", says: "to %.2[2]x", is: below(2, 1)},
			{of: "FedAvg’s converge to each other", says: "to %.2[3]x", is: below(3, 1)},
			{of: "MosT’s stay apart", says: "to %.2[4]x", is: atLeast(4, 0.9)},
		},
	},
	{
		Name: "curriculum-stability", Paper: "MosT", Section: "6.5 and E.2, Figure 6(a)",
		Says:    "The curriculum of the marginals makes training more stable.",
		Stated:  "curves of the training loss and the test accuracy",
		Setting: synPaper + "; the marginals that follow the performance are not defined",
		Here:    "a smaller version: " + clientsHere,
		Choices: clientsChoices + "; our reading of the curriculum’s marginals; instability is the mean change of " +
			"a curve from one " +
			"round to the next in the second half of the rounds",
		Check: "paretoplay claims curriculum-stability -quick",
		numbers: []string{"mean change of the training loss with the curriculum over without",
			"mean change of the test accuracy in points, with the curriculum minus without"},
		measure: func(l *lab) []Number {
			runs := l.clients()
			change := func(method string, of func(i iterate) float64) (out []float64) {
				for _, r := range runs[method] {
					sum, half := 0.0, len(r.Iterates)/2
					for k := half + 1; k < len(r.Iterates); k++ {
						sum += math.Abs(of(r.Iterates[k]) - of(r.Iterates[k-1]))
					}
					out = append(out, sum/float64(len(r.Iterates)-1-half))
				}
				return out
			}
			loss, accuracy := func(i iterate) float64 { return i.OracleLoss }, func(i iterate) float64 { return float64(100 * *i.Accuracy) }
			return []Number{ratio(change(withCurriculum, loss), change("most", loss)),
				difference(change(withCurriculum, accuracy), change("most", accuracy))}
		},
		parts: []part{
			{of: "the training loss", says: "its change is %.2[1]x of its change without", is: below(1, 1)},
			{of: "the test accuracy", says: "its change is %.2[2]s points larger", is: below(2, 0)},
		},
	},
	{
		Name: "regularisation-fair", Paper: "MosT", Section: "6.5 and E.3, Figure 6(b)", kept: keptSynSmall,
		Says:     "R(Γ) makes MosT fairer: the worst clients gain.",
		Stated:   "contributes to the fairness",
		Setting:  synPaper + "; τ is not stated",
		Here:     synSmall + "; means over ρ = 0, 0.5 and 1",
		Choices:  synChoices + "; τ is a tenth of the mean loss, the plan the best of 20 local searches",
		Check:    "paretoplay experiment syn",
		settings: []string{"the worst 20 %", "the worst 40 %", "the worst 60 %", "the worst 80 %"},
		numbers:  []string{"points of accuracy with R(Γ) minus without"},
		measure: func(l *lab) (out []Number) {
			for _, share := range []string{"20", "40", "60", "80"} {
				column := "worst" + share + "_each"
				out = append(out, difference(l.pooled("most", column), l.pooled("most-noreg", column)))
			}
			return out
		},
		parts: []part{{says: "%.1[1]s points", is: above(1, 0)}},
	},
	{
		Name: "comparable-time", Paper: "MosT", Section: "6.6 and F, Tables 4 and 8",
		Says:    "MosT’s running time is comparable to the baselines’.",
		Stated:  "with ρ = 0 217.6 s, MGDA 219.9, linearization 225.9, FedAvg 222.2",
		Setting: "Syn and FEMNIST; seconds on a graphics card",
		Here:    "a smaller version: " + clientsHere + "; local trainings, counted",
		Choices: clientsChoices + "; trainings instead of seconds, which depend on the machine: a client trains a model only " +
			"if the plan gives " +
			"the model a part of it; “comparable” means at most a tenth more; linearization, whose clients train one sum, is left out",
		Check:    "paretoplay claims comparable-time -quick",
		settings: []string{"MGDA", "FedAvg"},
		numbers:  []string{"MosT’s local trainings over the other’s"},
		measure: func(l *lab) (out []Number) {
			runs := l.clients()
			spent := func(method string) (out []float64) {
				for _, r := range runs[method] {
					out = append(out, r.Iterates[len(r.Iterates)-1].BP)
				}
				return out
			}
			for _, method := range []string{"mgda", "fedavg"} {
				out = append(out, ratio(spent("most"), spent(method)))
			}
			return out
		},
		parts: []part{{of: "than {}", says: "%.2[1]x of its trainings", is: atMost(1, 1.1)}},
	},
	{
		Name: "transport-time", Paper: "MosT", Section: "6.6 and F, Table 4", kept: keptSyn,
		Says:     "Transport takes less than 1 % of the time.",
		Stated:   "0.4 to 0.5 %",
		Setting:  "Syn and FEMNIST, IPOT, a graphics card",
		Here:     "Syn with ρ = 0, 0.5, 1, two processors; 3 runs",
		Choices:  "exact plans, and 20 local searches per round for R(Γ), without which the share is a fifth; times depend on the machine",
		Check:    "paretoplay experiment syn",
		settings: []string{"ρ = 0", "ρ = 0.5", "ρ = 1"},
		numbers:  []string{"percent of the time that transport takes"},
		measure: func(l *lab) (out []Number) {
			for _, rho := range rhos {
				out = append(out, l.summary(l.full("most", rho), "transport_share"))
			}
			return out
		},
		parts: []part{{says: "%.2[1]s %%", is: below(1, 1)}},
	},
	{
		Name: "mgda-time", Paper: "MosT", Section: "F, Table 8", kept: keptSyn,
		Says:     "MGDA’s min-norm problem takes negligible time too.",
		Stated:   "0.23 to 0.44 s of 201 to 261 s, 0.1 to 0.2 %",
		Setting:  "Syn, a graphics card",
		Here:     "Syn with ρ = 0, 0.5, 1, two processors; 3 runs",
		Choices:  "times depend on the machine; “negligible” means below 1 %",
		Check:    "paretoplay experiment syn",
		settings: []string{"ρ = 0", "ρ = 0.5", "ρ = 1"},
		numbers:  []string{"percent of the time that MGDA’s problem takes"},
		measure: func(l *lab) (out []Number) {
			for _, rho := range rhos {
				out = append(out, l.summary(l.full("most", rho), "mgda_share"))
			}
			return out
		},
		parts: []part{{says: "%.2[1]s %%", is: below(1, 1)}},
	},
	{
		Name: "preferences-many", Paper: "MosT", Section: "1 and 2",
		Says:    "Methods with preference vectors do not suit many objectives.",
		Stated:  "do not generalize well to the setting where there are many objectives",
		Setting: "many objectives, in general",
		Here:    clustersHere + ", 150 rounds; EPO with five preferences against MosT without R(Γ)",
		Choices: "the problem; EPO, with preferences uniform on the simplex; the loss is the mean over the goals of their best solution’s loss",
		Check:   "paretoplay claims preferences-many -quick",
		numbers: []string{"loss with EPO", "loss with MosT", "loss with EPO over the loss with MosT"},
		measure: (*lab).manyPreferences,
		parts:   []part{{says: "a loss of %.3[1]s with EPO, %.3[2]s with MosT, %.2[3]x", is: above(3, 1)}},
	},
	{
		Name: "preference-kinds", Paper: "MosT", Section: "2", kept: keptZDT,
		Says:    "Solutions with diverse preferences may not be diverse in the solution space.",
		Stated:  "may not translate",
		Setting: "a few objectives, two or three",
		Here: "EPO with five preferences on ZDT1 to ZDT3, sign steps with weight decay, which put all solutions on the front; " +
			"20 seeds",
		Choices: "EPO, with preferences on rays that divide the right angle evenly; solutions are of different kinds if they differ by " +
			"more than 0.01 in some objective",
		Check:    cardLink("fronts", "table"),
		settings: []string{"ZDT1", "ZDT2", "ZDT3"},
		numbers:  []string{"kinds of EPO’s five solutions"},
		measure: func(l *lab) (out []Number) {
			for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
				rows := where(l.table(keptZDT), append(strings.Split(stepKinds[2], ","), problem, "m=5")...)
				out = append(out, l.summary(l.the(rows, "method=epo"), "kinds"))
			}
			return out
		},
		parts: []part{{says: "%.1[1]s kinds of five", is: below(1, 5)}},
	},
	{
		Name: "svgd-arrives", Paper: "MosT", Section: "C.1, Figure 4", kept: keptZDT,
		Says:     "On ZDT, SVGD may not reach the front.",
		Stated:   "lacking guaranteed convergence to Pareto-optimal solutions",
		Setting:  "30 variables, five solutions, 1000 epochs, a step size of 0.005; 3 seeds",
		Here:     "the same with three kinds of steps; 20 seeds",
		Choices:  "MOO-SVGD; the distance from the front is the sum of all variables except the first, 0 on the front; mean of the solutions",
		Check:    cardLink("fronts", "table"),
		settings: []string{"plain steps of 0.005", "signs, with weight decay", "Adam"},
		numbers:  []string{"distance of SVGD’s solutions, ZDT1", "distance of SVGD’s solutions, ZDT2", "distance of SVGD’s solutions, ZDT3"},
		measure: func(l *lab) (out []Number) {
			for _, step := range []int{0, 2, 4} {
				for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
					rows := where(l.table(keptZDT), append(strings.Split(stepKinds[step], ","), problem, "m=5")...)
					out = append(out, l.summary(l.the(rows, "method=moosvgd"), "remainder"))
				}
			}
			return out
		},
		parts: []part{{says: "%.1[1]s from the front of ZDT1, %.1[2]s of ZDT2, %.1[3]s of ZDT3", is: func(v []Number) Verdict {
			return decided(v[0].Low > 0 || v[1].Low > 0 || v[2].Low > 0, v[0].High <= 0 && v[1].High <= 0 && v[2].High <= 0)
		}}},
	},
	{
		Name: "one-loss", Paper: "MosT", Section: "C.1, Figure 4",
		Says:     "On ZDT, EPO and SVGD prioritise reducing one loss.",
		Stated:   "prioritize reducing one loss, potentially resulting in biased trade-offs",
		Setting:  "30 variables, five solutions, 1000 epochs, a step size of 0.005; 3 seeds",
		Here:     "the same with sign steps of 0.02, 200 rounds; 20 seeds",
		Choices:  "the smaller loss counts as preferred; “prioritise” means that at least four of five solutions prefer the same loss",
		Check:    cardLink("fronts", "signs"),
		settings: named([]string{"ZDT1", "ZDT2"}, "EPO", "SVGD"),
		numbers:  []string{"percent of the solutions that prefer the more popular loss"},
		measure: func(l *lab) (out []Number) {
			for _, problem := range []string{"problem=zdt1", "problem=zdt2"} {
				for _, method := range []string{"epo", "moosvgd"} {
					out = append(out, mean(l.eachSeed(func(seed uint64) float64 {
						ends := l.card("fronts", "signs", problem, "method="+method, "budget=200", fmt.Sprint("seed=", seed)).runs(method)
						first, all := 0, 0
						for _, r := range ends {
							var losses [][]float64
							check(json.Unmarshal(r.Iterates[len(r.Iterates)-1].F, &losses))
							for _, f := range losses {
								all++
								if f[0] < f[1] {
									first++
								}
							}
						}
						return 100 * float64(max(first, all-first)) / float64(all)
					})))
				}
			}
			return out
		},
		parts: []part{{says: "%.0[1]s %% of the solutions prefer one loss", is: atLeast(1, 80)}},
	},
	{
		Name: "mass-by-loss", Paper: "MosT", Section: "3.1",
		Says:     "Transport gives a large Γ_ij to a small loss.",
		Stated:   "tends to result in a large Γ_ij for a small L_i(θ_j)",
		Setting:  "any losses and solvers",
		Here:     "20 drawn tasks with 30 objectives and 5 solutions, solved exactly and by IPOT with β = 0.1 and 0.01",
		Choices:  "uniform costs, equal masses; a goal counts as served if its mass exceeds 1e-12 of its column’s largest",
		Check:    "paretoplay claims mass-by-loss -quick",
		settings: []string{"exact", "IPOT, β = 0.1", "IPOT, β = 0.01"},
		numbers:  []string{"mean loss weighted by Γ over the plain mean", "mean loss weighted by Γ over the plain mean of the served losses"},
		measure:  (*lab).massByLoss,
		parts: []part{
			{of: "of all, {}", says: "weighted by Γ, the mean loss is %.2[1]x of the plain mean", is: below(1, 1)},
			{of: "of served goals, {}", says: "weighted by Γ, it is %.3[2]x of the plain mean", is: below(2, 1-1e-9)},
		},
	},
	{
		Name: "heterogeneous", Paper: "MosT", Section: "D.2",
		Says:    "Larger ρ₁ or ρ₂ make clients more heterogeneous.",
		Stated:  "larger ρ₁ or ρ₂ introduces more heterogeneity",
		Setting: "Syn(ρ₁, ρ₂), 30 clients",
		Here:    "the same, 15 clients with at most 120 samples, ρ from 0 to 1; 20 draws",
		Choices: "with ρ₁ clients differ in their labels, with ρ₂ in their features, by the mean squared distance of their mean features",
		Check:   cardLink("federated", "rho1"),
		numbers: []string{"percent of the labels that ρ₁ = 1 changes", "squared distance of the clients’ mean features, ρ₂ = 1 over ρ₂ = 0"},
		measure: (*lab).heterogeneity,
		parts: []part{
			{of: "ρ₁", says: "it changes %.0[1]s %% of the labels: it adds the same number to the scores of all classes", is: above(1, 0)},
			{of: "ρ₂", says: "the distance of the clients’ mean features is %.2[2]x as large", is: above(2, 1)},
		},
	},
	{
		Name: "zdt-diverse", Paper: "MosT", Section: "C.1, Figure 4", kept: keptZDT,
		Says:     "On ZDT, linearization’s solutions are not a satisfactory set of trade-offs; MosT’s are distributed over the front.",
		Stated:   "evident from the fronts; evenly distributed",
		Setting:  "30 variables, five solutions, 1000 epochs, a step size of 0.005; 3 seeds",
		Here:     "the same, sign steps with weight decay, which put all solutions on the front; 20 seeds",
		Choices:  "25 mixtures, with a shape chosen for each problem; solutions are of different kinds if they differ by more than 0.01",
		Check:    cardLink("fronts", "table"),
		settings: []string{"ZDT1", "ZDT2", "ZDT3"},
		numbers:  []string{"kinds of MosT-E’s solutions", "kinds of linearization’s", "difference of the kinds, MosT-E minus linearization"},
		measure: func(l *lab) (out []Number) {
			for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
				rows := where(l.table(keptZDT), append(strings.Split(stepKinds[2], ","), problem)...)
				most, sum := l.summary(l.chosenShape(where(rows, "method=most-e")), "kinds"), l.summary(l.the(rows, "method=linearization"), "kinds")
				out = append(out, most, sum, apartBy(most, sum))
			}
			return out
		},
		parts: []part{{says: "%.1[1]s kinds of five with MosT-E, %.1[2]s with linearization, %.1[3]s more", is: above(3, 0)}},
	},
	{
		Name: "hypervolume", Paper: "MosT", Section: "C.1, Table 5", kept: keptZDT,
		Says:    "Five solutions of MosT-E cover the fronts of ZDT1 to ZDT3 better than the solutions of every baseline.",
		Stated:  "5.87, 6.88, 6.39 against at most 5.72, 6.65, 6.27",
		Setting: "30 variables, five solutions, 1000 epochs, a step size of 0.005; 3 seeds",
		Here:    "the same, five kinds of steps; the least certain lead over all baselines and the three problems",
		Choices: "25 mixtures, as in the public code, with a shape chosen for each problem; exact plans; the scale of MosT-E’s steps; the " +
			"reference points of the public code, which also uses sign steps",
		Check:    cardLink("fronts", "table"),
		settings: []string{"plain steps of 0.005", "plain steps of 0.05", "signs, with weight decay", "signs, without weight decay", "Adam"},
		numbers:  []string{"least certain lead of MosT-E in hypervolume"},
		measure:  (*lab).leads,
		parts:    []part{{says: "%.3[1]s", is: above(1, 0)}},
	},
	{
		Name: "more-epo", Paper: "MosT", Section: "C.1, Table 6",
		Says:    "EPO gains from more solutions, but still falls short of five MosT-E solutions.",
		Stated:  "4.40, 6.65, 4.53 with five, 4.46, 6.65, 6.09 with 100, MosT 5.87, 6.88, 6.39",
		Setting: "ZDT1 to ZDT3, 30 variables, 1000 epochs",
		Here:    "the same, 20 solutions instead of 100; sign steps of 0.02, 200 rounds; 20 seeds",
		Choices: "the number of solutions, the scene’s maximum; mixtures of shape 0.5; our EPO uses its gradients, which the public " +
			"code clears before use",
		Check: cardLink("fronts", "concave"),
		numbers: named([]string{"ZDT1", "ZDT2", "ZDT3"}, "hypervolume, 20 EPO solutions minus five",
			"hypervolume, five MosT-E solutions minus 20 of EPO"),
		measure: func(l *lab) (out []Number) {
			for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
				of := func(method, m string) []float64 {
					return l.cardDraws("fronts", "signs", []string{problem, "method=" + method, m, "budget=200", "shape=0.5"}, "hypervolume."+method)[0]
				}
				five, twenty, extended := of("epo", "m=5"), of("epo", "m=20"), of("most-e", "m=5")
				out = append(out, difference(twenty, five), difference(extended, twenty))
			}
			return out
		},
		parts: []part{
			{of: "gains by more, ZDT1", says: "%.2[1]s", is: above(1, 0)},
			{of: "gains by more, ZDT2", says: "%.2[3]s", is: above(3, 0)},
			{of: "gains by more, ZDT3", says: "%.2[5]s", is: above(5, 0)},
			{of: "short of MosT-E, ZDT1", says: "%.2[2]s", is: above(2, 0)},
			{of: "short of MosT-E, ZDT2", says: "%.2[4]s", is: above(4, 0)},
			{of: "short of MosT-E, ZDT3", says: "%.2[6]s", is: above(6, 0)},
		},
	},
	{
		Name: "extended-time", Paper: "MosT", Section: "F, Tables 11 and 12",
		Says: "MosT-E, which has more objectives, takes more time than the baselines.",
		Stated: "Table 12, on fairness and accuracy: 1159 s, MGDA 889, EPO 79, linearization 43; Table 11, on ZDT, has MosT alone, 38 s, " +
			"MGDA 124",
		Setting: "synthetic data with fairness, five solutions; seconds on a graphics card",
		Here:    "ZDT1, five solutions, 25 mixtures, 100 rounds",
		Choices: "a different problem than in Table 12; backpropagations instead of seconds, which depend on the machine: a mixture’s gradient " +
			"combines the gradients of its two objectives",
		Check:   cardLink("fronts", "signs"),
		numbers: named([]string{"over MGDA’s", "over EPO’s", "over linearization’s"}, "MosT-E’s backpropagations"),
		measure: func(l *lab) []Number {
			s := l.card("fronts", "signs", "method=most-e,mgda,epo,linearization", "budget=100")
			bp := s.facts("bp.most-e", "bp.mgda", "bp.epo", "bp.linearization")
			return exactly(bp[0]/bp[1], bp[0]/bp[2], bp[0]/bp[3])
		},
		parts: []part{
			{of: "than MGDA", says: "%.1[1]x of its backpropagations", is: above(1, 1)},
			{of: "than EPO", says: "%.1[2]x of its backpropagations", is: above(2, 1)},
			{of: "than linearization", says: "%.1[3]x of its backpropagations", is: above(3, 1)},
		},
	},
	{
		Name: "fair", Paper: "MosT", Section: "C.2, Table 7", kept: toldOfFairness,
		Says:    "Between accuracy and fairness, MosT-E covers the most, followed by linearization, MosT, MGDA and EPO.",
		Stated:  "7.65, 6.70, 3.78, 3.28, 2.44",
		Setting: "synthetic data of 2000 points, five solutions, 20 epochs, the best of two step sizes on validation",
		Here:    "the same; 20 draws; hypervolume × 100, paired",
		Choices: "batches of ten, starts, the squared covariance and the scale of MosT’s steps, which the paper does not state",
		Check:   "paretoplay experiment fairness",
		numbers: append(named([]string{"minus linearization", "minus MosT", "minus MGDA", "minus EPO"},
			"hypervolume × 100, MosT-E"), "hypervolume × 100, linearization, minus EPO"),
		measure: func(l *lab) (out []Number) {
			for _, method := range []string{"Linearization", "MosT", "MGDA", "EPO"} {
				v := l.told(toldOfFairness, "Batches of 10: .*? "+method+` η [\d.]+ [\d.]+ ± [\d.]+ ([+-][\d.]+) ± ([\d.]+)`)
				out = append(out, withError(v[0], v[1], fairnessRuns))
			}
			// The two leads are not independent; the run-by-run difference would have a narrower interval.
			spread := portable.Hypot(out[3].High-out[3].Value, out[0].High-out[0].Value)
			return append(out, around(experiment.Estimate{Mean: out[3].Value - out[0].Value, Spread: spread}))
		},
		parts: []part{
			{of: "MosT-E above linearization", says: "by %.2[1]s", is: above(1, 0)},
			{of: "MosT-E above MosT", says: "by %.2[2]s", is: above(2, 0)},
			{of: "MosT-E above MGDA", says: "by %.2[3]s", is: above(3, 0)},
			{of: "MosT-E above EPO", says: "by %.2[4]s", is: above(4, 0)},
			{of: "EPO covers less than linearization", says: "less by %.2[5]s", is: above(5, 0)},
		},
	},
	{
		Name: "ten-mixtures", Paper: "MosT", Section: "D.3", kept: toldOfFairness,
		Says:     "Ten extended objectives do about as well as twenty.",
		Stated:   "about as well",
		Setting:  "synthetic data of 2000 points, five solutions, 20 epochs; shapes 0.1, 0.5, 1",
		Here:     "the same with η = 0.08; 20 draws; the paired difference as a share of the hypervolume with twenty",
		Choices:  "batches of ten; “about as well” means within 5 %",
		Check:    "paretoplay experiment fairness",
		settings: []string{"shape 0.1", "shape 0.5", "shape 1"},
		numbers:  []string{"ten mixtures minus twenty, percent of the hypervolume with twenty"},
		measure: func(l *lab) (out []Number) {
			rows := where(l.table(keptFairness), "batch=10", "method=most-e", "eta=0.08", "extended=20")
			for _, shape := range []string{"0.1", "0.5", "1"} {
				v := l.told(toldOfFairness, `at η = 0\.08, paired, ± standard error: .*?([+-][\d.]+) ± ([\d.]+) with shape `+shape+`[ ,.]`)
				twenty := l.number(l.the(rows, "shape="+shape), "hypervolume")
				out = append(out, withError(100*v[0]/twenty, 100*v[1]/twenty, fairnessRuns))
			}
			return out
		},
		parts: []part{{says: "%.1[1]s %%", is: within(1, -5, 5)}},
	},
	{
		Name: "most-networks", Paper: "MosT", Section: "6.3 and 6.4, Tables 2 and 3",
		Says:    "MosT is ahead in multi-task learning and mixtures of prompts.",
		Stated:  "ahead of all baselines",
		Setting: "Office-Caltech10, DomainNet, prompts for language models",
		because: "it requires networks and their data",
	},
}

// rhos lists the values of ρ1 = ρ2 for the clients' data.
var rhos = []string{"0", "0.5", "1"}

// full returns a method's row at the paper's size.
func (l *lab) full(method, rho string) line {
	return l.the(where(l.table(keptSyn), "method="+method, "clients=30", "most=0"), "rho="+rho)
}

// small returns a column's numbers for a method in the smaller version, by seed. It omits the first seed, which was
// used to choose the step size.
func (l *lab) small(method, rho, column string) []float64 {
	all := l.list(l.the(where(l.table(keptSynSmall), "method="+method), "rho="+rho), column)
	return all[min(1, len(all)):]
}

// pooled returns a column's means over all ρ for a method in the smaller version, by seed.
func (l *lab) pooled(method, column string) []float64 {
	var out []float64
	for _, rho := range rhos {
		for i, v := range l.small(method, rho, column) {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] += v / float64(len(rhos))
		}
	}
	return out
}

// gains returns how many points more accurate a method is than another, for each ρ. The first numbers are at the
// paper's size, the others in the smaller version.
func (l *lab) gains(method, other string) (out []Number) {
	for _, rho := range rhos {
		out = append(out, difference(l.list(l.full(method, rho), "accuracies"), l.list(l.full(other, rho), "accuracies")))
	}
	for _, rho := range rhos {
		out = append(out, difference(l.small(method, rho, "accuracies"), l.small(other, rho, "accuracies")))
	}
	return out
}

// gainNames returns the names of the numbers in gains.
func gainNames(of string) (out []string) {
	for _, size := range []string{"the paper’s size", "smaller"} {
		for _, rho := range rhos {
			out = append(out, "points of accuracy, "+of+", "+size+", ρ = "+rho)
		}
	}
	return out
}

// gainsOf returns the verdicts on gains. The gains start at index i of the claim's numbers, counted from 0.
func gainsOf(of string, i int) (out []part) {
	if of != "" {
		of += ", "
	}
	for _, size := range []string{"the paper’s size", "smaller"} {
		for _, rho := range rhos {
			i++
			out = append(out, part{of + size + ", ρ = " + rho, fmt.Sprintf("%%.1[%d]s points", i), above(i, 0)})
		}
	}
	return out
}

// pooledGains returns how many points more accurate a method is than each baseline in the smaller version, as means
// over all ρ.
func (l *lab) pooledGains(method string) []Number {
	return overBaselines(func(b baseline, _ int) []Number {
		return []Number{difference(l.pooled(method, "accuracies"), l.pooled(b.method, "accuracies"))}
	})
}

// withCurriculum is the key of runs of MosT with a curriculum.
const withCurriculum = "most, curriculum"

// clients returns the runs with clients, by method and draw. It caches its results.
func (l *lab) clients() map[string][]recorded {
	if l.federated == nil {
		l.federated = map[string][]recorded{}
		for _, seed := range l.seedList() {
			values := []string{"n=10", "samples=60", "budget=40", "tau=0", fmt.Sprint("seed=", seed)}
			s := l.run("federated", append(slices.Clone(values), "method=most,mgda,linearization,fedavg")...)
			for _, method := range []string{"most", "mgda", "linearization", "fedavg"} {
				l.federated[method] = append(l.federated[method], s.runs(method)...)
			}
			s = l.run("federated", append(values, "method=most", "curriculum=paper")...)
			l.federated[withCurriculum] = append(l.federated[withCurriculum], s.runs("most")...)
		}
	}
	return l.federated
}

// uniform returns random numbers from 0 to 1.
func uniform(draw *rand.Rand, count int) []float64 {
	v := make([]float64, count)
	for i := range v {
		v[i] = draw.Float64()
	}
	return v
}

// drawnTask returns a transport problem with uniformly drawn costs. Its masses are equal if equal is true, and
// uniformly drawn otherwise.
func drawnTask(n, m int, seed uint64, equal bool) *transport.Task {
	source := algo.Stream(seed, 0, 0, algo.Data)
	draw := rand.New(&source)
	t := &transport.Task{Cost: uniform(draw, n*m), A: uniform(draw, n), B: uniform(draw, m)}
	for _, mass := range [][]float64{t.A, t.B} {
		if equal {
			for i := range mass {
				mass[i] = 1
			}
		}
		floats.Scale(1/portable.Sum(mass), mass)
	}
	return t
}

// baseline is a method that the paper compares with MosT on clients.
type baseline struct{ method, title string }

var baselines = []baseline{
	{"mgda", "MGDA"}, {"linearization", "linearization"}, {"fedavg", "FedAvg"}, {"fedprox", "FedProx"}, {"fedmgda", "FedMGDA+"},
}

// overBaselines calls its argument with each baseline and concatenates the results.
func overBaselines[T any](of func(b baseline, i int) []T) (out []T) {
	for i, b := range baselines {
		out = append(out, of(b, i)...)
	}
	return out
}

// tiedEntries returns the number of entries in the product of the marginals, which is one plan for n objectives and m
// solutions with equal costs. It panics if this plan costs more than an exact plan.
func (l *lab) tiedEntries(n, m int) float64 {
	task := drawnTask(n, m, l.seedList()[0], false)
	for i := range task.Cost {
		task.Cost[i] = 1
	}
	var plan transport.Plan
	check(transport.NewExact().Solve(&plan, task))
	exact, product, entries := 0.0, 0.0, 0.0
	for i, a := range task.A {
		for j, b := range task.B {
			exact += float64(plan.Mass[i*m+j] * task.Cost[i*m+j])
			product += float64(a * b * task.Cost[i*m+j])
			entries++
		}
	}
	if product > exact*(1+1e-12) {
		fail(fmt.Errorf("the product of the marginals costs %g, but an exact plan costs %g", product, exact))
	}
	return entries
}

// mostEntries returns the largest number of non-zero entries in exact plans for drawn tasks.
func (l *lab) mostEntries(n, m int) (most float64) {
	solver := transport.NewExact()
	for _, seed := range l.seedList() {
		var plan transport.Plan
		check(solver.Solve(&plan, drawnTask(n, m, seed, false)))
		solver.Forget()
		most = max(most, math.Round((1-transport.Zeros(plan.Mass, m))*float64(n*m)))
	}
	return most
}

// zeros returns three numbers per layout for runs of MosT without R(Γ) on clusters: the percentages of zeros in the
// first and in the last plan, and the round of the last change.
func (l *lab) zeros(solver, rounds string) (first, last, change []float64) {
	for _, seed := range l.seedList() {
		r := l.run("clusters", "budget="+rounds, "tau=0", "method=most-noreg", "solver="+solver,
			fmt.Sprint("seed=", seed)).runs("most-noreg")
		var zeros []float64
		latest := 0
		for k, i := range r[0].Iterates {
			if i.Zeros != nil {
				zeros = append(zeros, 100**i.Zeros)
			}
			if i.KL != nil && *i.KL > 0 {
				latest = k
			}
		}
		first, last, change = append(first, zeros[0]), append(last, zeros[len(zeros)-1]), append(change, float64(latest))
	}
	return first, last, change
}

// shrinking returns the largest ratio of a solution's squared distance from its end to the bound in Theorem 2. It
// also returns how many times faster than the bound a layout's median solution approaches its end.
func (l *lab) shrinking() []Number {
	const objectives, solutions, rounds, settling, near = 30, 5, 3000, 1000, 1e-9
	worst := 0.0
	var faster []float64
	for _, seed := range l.seedList() {
		layout := problem.ClusterLayout{Objectives: objectives, Clusters: solutions, Extent: problem.ScatteredExtent,
			Spread: problem.ScatteredSpread, Seed: seed}
		centres := must(layout.Centres())
		p := must(problem.NewClusters(centres, problem.Quadratic))
		s := must(transport.NewMosT(transport.Config{Problem: algo.Exact(p), Starts: layout.Starts(solutions, problem.ScatteredStarts),
			Scale: transport.Raw, StepSize: 1}))
		way := make([][]float64, rounds)
		from := 0
		for k := range way {
			must(s.Step())
			way[k] = slices.Clone(s.View().X)
			if round, _ := s.Round(); round.Change > 0 {
				from = k
			}
		}
		least := 1.0
		round, _ := s.Round()
		for _, mass := range round.Plan.Mass {
			if mass > 0 {
				least = min(least, mass)
			}
		}
		if from > settling {
			fail(fmt.Errorf("layout %d: the plan changes in round %d", seed, from))
		}
		end := way[rounds-1]
		var rates []float64
		for j := range solutions {
			square := func(k int) float64 {
				return portable.Pow(portable.Distance(way[k][2*j:2*j+2], end[2*j:2*j+2]), 2)
			}
			start := square(from)
			if start == 0 {
				continue
			}
			for k := from + 1; k < rounds && square(k) > near*start; k++ {
				worst = max(worst, square(k)/(start*portable.Pow(1-least, float64(k-from))))
				rates = append(rates, portable.Log(square(k)/start)/portable.Log(1-least)/float64(k-from))
			}
		}
		faster = append(faster, experiment.Median(rates))
	}
	return []Number{exact(worst), mean(faster)}
}

// regular returns four numbers for plans of drawn tasks in which R(Γ) dominates: the smallest Σ max Γ, the largest
// sum of the columns' cosines, and the fewest and the most entries in a column.
func (l *lab) regular(n, m int) []Number {
	least, cosines, fewest, most := math.Inf(1), math.Inf(-1), n, 0
	for _, seed := range l.seedList() {
		task := drawnTask(n, m, seed, true)
		solver := must(transport.NewConcave(transport.NewExact(), transport.DefaultRestarts, seed))
		var plan transport.Plan
		check(solver.Solve(&plan, task, 100*portable.Sum(task.Cost)/float64(n*m)))
		least, cosines = min(least, transport.RowMaxima(plan.Mass, m)), max(cosines, transport.Diversity(plan.Mass, m))
		for j := range m {
			entries := 0
			for i := range n {
				if plan.Mass[i*m+j] > 1e-12 {
					entries++
				}
			}
			fewest, most = min(fewest, entries), max(most, entries)
		}
	}
	return exactly(least, cosines, float64(fewest), float64(most))
}

// descents returns two numbers for MosT with the directions as printed in the paper, on clusters. The first is the
// percentage of the served losses that a step increases. The second is the smallest Γ_ij⟨∇L_i, d_j⟩ over ‖d_j‖², where
// d_j points downwards.
func (l *lab) descents(eta float64) []Number {
	const objectives, solutions, rounds = 30, 5, 60
	least := math.Inf(1)
	raised := l.eachSeed(func(seed uint64) float64 {
		layout := problem.ClusterLayout{Objectives: objectives, Clusters: solutions, Extent: problem.ScatteredExtent,
			Spread: problem.ScatteredSpread, Seed: seed}
		centres := must(layout.Centres())
		s := must(transport.NewMosT(transport.Config{Problem: algo.Exact(must(problem.NewClusters(centres, problem.Quadratic))),
			Starts: layout.Starts(solutions, problem.ScatteredStarts), Scale: transport.Raw, StepSize: eta}))
		var rose, served float64
		for range rounds {
			before := slices.Clone(s.View().X)
			must(s.Step())
			after := s.View().X
			round, _ := s.Round()
			for j := range solutions {
				from, to := before[2*j:2*j+2], after[2*j:2*j+2]
				down := []float64{(from[0] - to[0]) / eta, (from[1] - to[1]) / eta}
				if square := dot(down, down); square > 1e-20 { // smaller values are dominated by rounding errors
					for i, c := range centres {
						mass := round.Plan.Mass[i*solutions+j]
						if mass <= 0 {
							continue
						}
						least = min(least, mass*dot([]float64{from[0] - c[0], from[1] - c[1]}, down)/square)
						if served++; portable.Distance(to, c) > portable.Distance(from, c)*(1+1e-12) {
							rose++
						}
					}
				}
			}
		}
		return 100 * rose / served
	})
	return []Number{mean(raised), exact(least)}
}

// rowMaxima returns three numbers for drawn tasks: the smallest gain in Σ max Γ for τ > 0, the mean gain in Σ max Γ for
// the largest τ, and the change of the sum of the columns' cosines for that τ.
func (l *lab) rowMaxima() []Number {
	const n, m = 34, 5
	least := math.Inf(1)
	var gains, cosines []float64
	for _, seed := range l.seedList() {
		task := drawnTask(n, m, seed, true)
		solver := must(transport.NewConcave(transport.NewExact(), transport.DefaultRestarts, seed))
		var gain, more float64
		var without transport.Plan
		check(solver.Solve(&without, task, 0))
		for _, tau := range []float64{0.05, 0.2, 1} {
			var with transport.Plan
			check(solver.Solve(&with, task, tau*portable.Sum(task.Cost)/(n*m)))
			gain = transport.RowMaxima(with.Mass, m) - transport.RowMaxima(without.Mass, m)
			more = transport.Diversity(with.Mass, m) - transport.Diversity(without.Mass, m)
			least = min(least, gain)
		}
		gains, cosines = append(gains, gain), append(cosines, more)
	}
	return []Number{exact(least), mean(gains), mean(cosines)}
}

// stepKinds lists the kinds of steps in the ZDT table, in the order of the claim's settings.
var stepKinds = []string{"step=plain,eta=0.005,decay=0", "step=plain,eta=0.05,decay=0", "step=sign,eta=0.005,decay=0.0005",
	"step=sign,eta=0.005,decay=0", "step=adam,eta=0.005,decay=0"}

// leads returns, for each kind of step, the hypervolume of MosT-E minus that of a baseline. The problem and the
// baseline are those with the strongest evidence against a lead. The shape of MosT-E's mixtures is chosen for each
// problem.
func (l *lab) leads() (out []Number) {
	for _, kind := range stepKinds {
		var least Number
		against := func(n Number) int { return slices.Index([]Verdict{Holds, Undecided, DoesNotHold}, n.above(0)) }
		first := true
		for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
			rows := where(l.table(keptZDT), append(strings.Split(kind, ","), problem)...)
			extended := l.chosenShape(where(rows, "method=most-e"))
			for _, method := range []string{"mgda", "linearization", "moosvgd", "epo"} {
				lead := l.lead(extended, l.the(rows, "method="+method))
				if a, b := against(lead), against(least); first || a > b || a == b && lead.Low < least.Low {
					least, first = lead, false
				}
			}
		}
		out = append(out, least)
	}
	return out
}

// chosenShape returns MosT-E's row with the chosen shape. If the table does not state the choice, it returns the row
// with the largest mean.
func (l *lab) chosenShape(rows []line) (best line) {
	if chosen := where(rows, "chosen=1"); len(chosen) > 0 {
		return l.the(chosen)
	}
	for _, row := range rows {
		if best == nil || l.number(row, "hypervolume") > l.number(best, "hypervolume") {
			best = row
		}
	}
	return best
}

// lead returns the hypervolume of row minus that of other. It compares run by run if the table contains every run, and
// otherwise uses means and deviations.
func (l *lab) lead(row, other line) Number {
	if row["each"] != "" {
		return difference(l.list(row, "each"), l.list(other, "each"))
	}
	return apartBy(l.summary(row, "hypervolume"), l.summary(other, "hypervolume"))
}

// apartBy returns a − b for two means over unpaired runs.
func apartBy(a, b Number) Number {
	return around(experiment.Estimate{Mean: a.Value - b.Value, Spread: portable.Hypot(a.High-a.Value, b.High-b.Value)})
}

// massByLoss returns two ratios for plans of drawn tasks, for each of three solvers. The numerator of both is the mean
// cost, weighted by the plan. The denominators are the mean cost of all entries, and the mean cost of the entries with
// mass.
func (l *lab) massByLoss() (out []Number) {
	const n, m, traces = 30, 5, 1e-12
	for _, solver := range []transport.Solver{transport.NewExact(), must(transport.NewIPOT(transport.IPOTConfig{Beta: 0.1})),
		must(transport.NewIPOT(transport.IPOTConfig{Beta: 0.01}))} {
		var weighted, plain, served []float64
		for _, seed := range l.seedList() {
			task := drawnTask(n, m, seed, true)
			var plan transport.Plan
			check(solver.Solve(&plan, task))
			solver.Forget()
			var all, some, count, mass float64
			for j := range m {
				largest := 0.0
				for i := range n {
					largest = max(largest, plan.Mass[i*m+j])
				}
				for i := range n {
					k := i*m + j
					all += task.Cost[k]
					mass += plan.Mass[k]
					if plan.Mass[k] > traces*largest {
						some += task.Cost[k]
						count++
					}
				}
			}
			weighted = append(weighted, portable.Dot(plan.Mass, task.Cost)/mass)
			plain, served = append(plain, all/(n*m)), append(served, some/count)
		}
		out = append(out, ratio(weighted, plain), ratio(weighted, served))
	}
	return out
}

// heterogeneity returns the percentage of clients' labels that ρ₁ = 1 changes. It also returns the factor by which ρ₂
// = 1 increases the mean squared distance between the feature means of two clients.
func (l *lab) heterogeneity() []Number {
	const clients, most = 15, 120
	draw := func(seed uint64, rho1, rho2 float64) *federated.Data {
		return must(federated.Syn(federated.SynConfig{Rho1: rho1, Rho2: rho2, Clients: clients, Most: most, Seed: seed}))
	}
	distance := func(d *federated.Data) (out float64) {
		var means [][]float64
		for i := range d.Clients {
			s := &d.Clients[i][federated.Training]
			width := len(s.X) / s.Len()
			mean := make([]float64, width)
			for j := range s.Len() {
				portable.AddScaled(mean, 1/float64(s.Len()), s.X[j*width:(j+1)*width])
			}
			means = append(means, mean)
		}
		for i, a := range means {
			for _, b := range means[:i] {
				apart := portable.Distance(a, b)
				out += float64(apart * apart)
			}
		}
		return out
	}
	var changed, far, near []float64
	for _, seed := range l.seedList() {
		plain, first, second := draw(seed, 0, 0), draw(seed, 1, 0), draw(seed, 0, 1)
		different, all := 0, 0
		for i := range plain.Clients {
			for split := range federated.Splits {
				for j, label := range plain.Clients[i][split].Label {
					all++
					if first.Clients[i][split].Label[j] != label {
						different++
					}
				}
			}
		}
		changed = append(changed, 100*float64(different)/float64(all))
		far, near = append(far, distance(second)), append(near, distance(plain))
	}
	return []Number{mean(changed), ratio(far, near)}
}

// manyPreferences returns three numbers on clusters: the loss of EPO with one preference per solution, the loss of
// MosT, and their ratio. The loss is the mean, over the goals, of the loss of each goal's best solution.
func (l *lab) manyPreferences() []Number {
	const objectives, solutions, rounds, eta = 30, 5, 150, 0.2
	loss := func(seed uint64, change func(c *transport.Config)) float64 {
		layout := problem.ClusterLayout{Objectives: objectives, Clusters: solutions, Extent: problem.ScatteredExtent,
			Spread: problem.ScatteredSpread, Seed: seed}
		c := transport.Config{Problem: algo.Exact(must(problem.NewClusters(must(layout.Centres()), problem.Quadratic))),
			Starts: layout.Starts(solutions, problem.ScatteredStarts), Scale: transport.ColumnCount, StepSize: eta}
		change(&c)
		s := must(transport.NewMosT(c))
		for range rounds {
			must(s.Step())
		}
		f, best := s.View().F, 0.0
		for i := range objectives {
			least := math.Inf(1)
			for j := range solutions {
				least = min(least, f[j*objectives+i])
			}
			best += least / objectives
		}
		return best
	}
	epo := l.eachSeed(func(seed uint64) float64 {
		preferences := must(transport.DirichletMixtures(objectives, solutions, 1, false, seed))
		return loss(seed, func(c *transport.Config) {
			c.Matching = transport.Unmatched
			c.Weighting = func(j int) (algo.Weighting, error) { return weighting.NewEPO(preferences[j]) }
		})
	})
	most := l.eachSeed(func(seed uint64) float64 { return loss(seed, func(*transport.Config) {}) })
	return []Number{mean(epo), mean(most), ratio(epo, most)}
}
