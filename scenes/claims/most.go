package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"paretoplay/scenes/experiment"
)

// tests is the number of layouts of clusters on which claims are tested.
const tests = 20

// ofMosT are the claims of the paper on MosT.
var ofMosT = []Claim{
	{
		Name: "few-entries", Paper: "MosT", Section: "4, Proposition 1",
		Says:  "An exact plan of n objectives and m solutions has at most n + m − 1 entries that are not zero.",
		Check: link("transport", "pivots"), Stated: "n + m − 1",
		numbers: func(l *lab) []float64 {
			s := l.card("transport", "pivots")
			return []float64{s.fact("nonzeros.exact"), 12 + 12 - 1}
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%g of 144, where n + m − 1 is %g", v[0], v[1]), graded(v[0] <= v[1], false)
		},
	},
	{
		Name: "sparse", Paper: "MosT", Section: "5, Figure 2(a)",
		Says:  "The plan becomes sparse while it is learnt, and soon stops changing.",
		Check: "#v=1&scene=clusters&view=zeros", Stated: "about 75 % zeros in the end",
		numbers: func(l *lab) []float64 {
			var first, last, change []float64
			for seed := range tests {
				r := l.run("clusters", fmt.Sprint("seed=", seed+1)).runs("most")
				if r == nil {
					return nil
				}
				var zeros []float64
				latest := 0
				for k, i := range r[0].Iterates {
					if i.Zeros != nil {
						zeros = append(zeros, *i.Zeros)
					}
					if i.KL != nil && *i.KL > 0 {
						latest = k
					}
				}
				first, last = append(first, zeros[0]), append(last, zeros[len(zeros)-1])
				change = append(change, float64(latest))
			}
			return []float64{experiment.Median(first), experiment.Median(last), experiment.Median(change)}
		},
		words: func(v []float64) (string, Verdict) {
			ours := fmt.Sprintf("%.0f %% zeros in the first round and %.0f %% in the last: exact plans are sparse from the start. The last "+
				"change comes after %g of 40 rounds (medians of %d layouts)", 100*v[0], 100*v[1], v[2], tests)
			return ours, graded(v[1] > v[0]+0.05 && v[1] >= 0.7, v[1] >= 0.7)
		},
	},
	{
		Name: "specialists", Paper: "MosT", Section: "5, Figure 2(b)",
		Says:  "The mean loss over all solutions rises while that of the best solution for each objective falls.",
		Check: link("clusters", "each"), Stated: "as learning proceeds",
		numbers: func(l *lab) (out []float64) {
			for _, layout := range []string{"layout=ring", "layout=random"} {
				var rises, falls []float64
				for seed := range tests {
					for _, r := range l.run("clusters", layout, fmt.Sprint("seed=", seed+1)).runs("most") {
						start, end := r.Iterates[0], r.Iterates[len(r.Iterates)-1]
						rises, falls = append(rises, end.MeanLoss/start.MeanLoss), append(falls, end.OracleLoss/start.OracleLoss)
					}
				}
				out = append(out, experiment.Median(rises), experiment.Median(falls))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			so := func(i int) bool { return v[i] > 1 && v[i+1] < 1 }
			return fmt.Sprintf("on a ring of clusters the mean comes to %.1f times what it was and the best to %.2f, on random clusters to "+
				"%.1f and %.2f times (medians of %d layouts)", v[0], v[1], v[2], v[3], tests), graded(so(0) && so(2), so(0) || so(2))
		},
	},
	{
		Name: "collapse", Paper: "MosT", Section: "E.1, Figure 7",
		Says:  "Where goals choose, MosT(O), or solutions choose, MosT(M), few solutions serve all; two marginals keep all of them busy.",
		Check: link("clusters", "collapse"), Stated: "one or two solutions win nearly all",
		numbers: func(l *lab) (out []float64) {
			for _, starts := range []string{"starts=corner", "starts=scattered"} {
				var most, goals, models []float64
				for seed := range tests {
					s := l.card("clusters", "collapse", starts, fmt.Sprint("seed=", seed+1))
					most, goals = append(most, s.fact("winners.most")), append(goals, s.fact("winners.most-o"))
					models = append(models, s.fact("places.most-m"))
				}
				out = append(out, experiment.Median(most), experiment.Median(goals), experiment.Median(models))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			so := func(i int) bool { return v[i] == 5 && v[i+1] <= 2 && v[i+2] <= 2 }
			return fmt.Sprintf("from one corner goals are won by %g of MosT’s 5 solutions and by %g of MosT(O)’s, and MosT(M)’s come to %g "+
					"different point(s); from scattered starts it is %g, %g and %g (medians of %d layouts)", v[0], v[1], v[2], v[3], v[4], v[5], tests),
				graded(so(0) && so(3), so(0) || so(3))
		},
	},
	{
		Name: "two-kinds", Paper: "MosT", Section: "3.2",
		Says:  "With two objectives MosT’s solutions are of two kinds, and MosT-E’s spread.",
		Check: link("fronts", "kinds"), Stated: "2 kinds",
		numbers: func(l *lab) []float64 {
			var most, extended []float64
			for seed := range tests {
				s := l.card("fronts", "kinds", fmt.Sprint("seed=", seed+1))
				most, extended = append(most, s.fact("kinds.most")), append(extended, s.fact("kinds.most-e"))
			}
			return []float64{slices.Max(most), slices.Min(extended)}
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("of four solutions %g kinds at most, and %g at least, with %d seeds", v[0], v[1], tests),
				graded(v[0] <= 2 && v[1] > 2, v[0] <= 2)
		},
	},
	{
		Name: "theorem-1", Paper: "MosT", Section: "4.1, Theorem 1",
		Says:  "The running mean of the directions’ squared lengths, Σ b_j‖d_j‖², falls as 1/T.",
		Check: "#v=1&scene=clusters&scale=raw&eta=0.5&view=theorem", Stated: "O(ν/T)",
		numbers: func(l *lab) (out []float64) {
			for _, budget := range []string{"100", "400"} {
				out = append(out, l.run("clusters", "scale=raw", "eta=0.5", "budget="+budget).fact("bd2.most"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%.1e after 100 rounds, and %.1f times smaller after 400", v[0], v[0]/v[1]), graded(v[1] <= v[0]/3.5, v[1] < v[0])
		},
	},
	{
		Name: "accuracy", Paper: "MosT", Section: "6.2, Table 1", kept: keptSyn,
		Says:  "Five models of MosT serve thirty clients better than those of MGDA and of weighted sums.",
		Check: "paretoplay experiment syn", Stated: "7.0, 2.9, 1.7 points over MGDA, 8.3, 2.8, 2.3 over linearization with ρ = 0, 0.5, 1",
		numbers: func(l *lab) []float64 {
			return append(l.gains("most", "over_mgda"), l.gains("most", "over_linearization")...)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(gain float64) bool { return gain > 0 })
			return fmt.Sprintf("%.1f, %.1f, %.1f over MGDA, %.1f, %.1f, %.1f over linearization", v[0], v[1], v[2], v[3], v[4], v[5]),
				graded(all, some)
		},
	},
	{
		Name: "own-weights", Paper: "MosT", Section: "E.4, Table E", kept: keptSyn,
		Says:  "MGDA’s weights are better than the plan’s own masses, MosT(L).",
		Check: link("federated", "weights"), Stated: "by 1.6, 1.1, 0.9 points",
		numbers: func(l *lab) []float64 {
			return append(l.gains("most-l", "over_most"), l.gains("most-l", "over_most_se")...)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v[:3], func(gain float64) bool { return gain < 0 })
			return fmt.Sprintf("worse by %.1f ± %.1f, %.1f ± %.1f, %.1f ± %.1f: MGDA stops where no step serves all", v[0], v[3], v[1], v[4],
					v[2], v[5]),
				graded(all, some)
		},
	},
	{
		Name: "curriculum", Paper: "MosT", Section: "3.3 and E.2, Table E", kept: keptSyn,
		Says:  "A curriculum of the marginals helps.",
		Check: "paretoplay experiment syn", Stated: "2.3, 1.8, 1.0 points",
		numbers: func(l *lab) []float64 {
			return append(l.gains("most-nocl", "over_most"), l.gains("most-nocl", "over_most_se")...)
		},
		words: func(v []float64) (string, Verdict) { return gainsOf(v) },
	},
	{
		Name: "regularisation", Paper: "MosT", Section: "4 and E.3, Tables 1 and E", kept: keptSyn,
		Says:  "The regularisation R(Γ) helps.",
		Check: "paretoplay experiment syn", Stated: "1.2, 0.9, 0.5 points",
		numbers: func(l *lab) []float64 {
			return append(l.gains("most-noreg", "over_most"), l.gains("most-noreg", "over_most_se")...)
		},
		words: func(v []float64) (string, Verdict) { return gainsOf(v) },
	},
	{
		Name: "transport-time", Paper: "MosT", Section: "6.6 and F, Table 4", kept: keptSyn,
		Says:  "Transport takes less than 1 % of the time.",
		Check: "paretoplay experiment syn", Stated: "0.4 to 0.5 %",
		numbers: func(l *lab) []float64 { return l.gains("most", "transport_share") },
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(share float64) bool { return share < 1 })
			return fmt.Sprintf("%.2f, %.2f, %.2f %%", v[0], v[1], v[2]), graded(all, some)
		},
	},
	{
		Name: "hypervolume", Paper: "MosT", Section: "C.1, Table 5", kept: keptZDT,
		Says:  "Five solutions of MosT-E cover the fronts of ZDT1 to ZDT3 better than those of every baseline.",
		Check: link("fronts", "table"), Stated: "5.87, 6.88, 6.39",
		numbers: func(l *lab) []float64 {
			rows := l.table(keptZDT)
			var out, best []float64
			for _, style := range [][]string{
				{"step=sign", "decay=0.0005"}, {"step=sign", "decay=0"}, {"step=plain", "eta=0.005"}, {"step=plain", "eta=0.05"}, {"step=adam"},
			} {
				margin := math.Inf(1)
				for _, problem := range []string{"problem=zdt1", "problem=zdt2", "problem=zdt3"} {
					cells := where(where(rows, style...), problem)
					ours := l.most(where(cells, "method=most-e"), "hypervolume")
					var theirs []line
					for _, method := range []string{"mgda", "linearization", "moosvgd", "epo"} {
						theirs = append(theirs, where(cells, "method="+method)...)
					}
					margin = min(margin, ours-l.most(theirs, "hypervolume"))
					if len(out) == 0 {
						best = append(best, ours)
					}
				}
				out = append(out, margin)
			}
			return append(out, best...)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v[:5], func(margin float64) bool { return margin > 0 })
			n := 0
			for _, margin := range v[:5] {
				if margin > 0 {
					n++
				}
			}
			return fmt.Sprintf("in %d of 5 kinds of steps, those along signs with the mixtures’ shape chosen on each problem; there %.2f, "+
				"%.2f, %.2f, where five points can have 5.90, 6.89, 6.42", n, v[5], v[6], v[7]), graded(all, some)
		},
	},
	{
		Name: "fair", Paper: "MosT", Section: "C.2, Table 7", kept: keptFairness,
		Says:  "Between accuracy and fairness MosT-E covers most, then linearization, MosT, MGDA and EPO.",
		Check: "paretoplay experiment fairness", Stated: "shares of MosT-E’s hypervolume 0.88, 0.49, 0.43, 0.32",
		numbers: func(l *lab) (out []float64) {
			rows := where(l.table(keptFairness), "batch=10", "chosen=1")
			whole := l.number(l.the(rows, "method=most-e"), "hypervolume")
			for _, method := range []string{"linearization", "most", "mgda", "epo"} {
				out = append(out, l.number(l.the(rows, "method="+method), "hypervolume")/whole)
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("shares of %.2f, %.2f, %.2f, %.2f", v[0], v[1], v[2], v[3]),
				graded(v[0] < 1 && slices.IsSortedFunc(v, func(a, b float64) int { return cmp.Compare(b, a) }), slices.Max(v) < 1)
		},
	},
	{
		Name: "ten-mixtures", Paper: "MosT", Section: "D.3", kept: keptFairness,
		Says:  "Ten extended objectives do about as well as twenty.",
		Check: "paretoplay experiment fairness", Stated: "about as well",
		numbers: func(l *lab) (out []float64) {
			rows := where(l.table(keptFairness), "batch=10", "method=most-e", "eta=0.08")
			for _, shape := range []string{"shape=1", "shape=0.1"} {
				out = append(out, l.number(l.the(rows, shape, "extended=10"), "hypervolume")/l.number(l.the(rows, shape, "extended=20"), "hypervolume"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%.0f %% of the hypervolume with shape 1, %.0f %% with 0.1", 100*v[0], 100*v[1]),
				graded(min(v[0], v[1]) > 0.97, max(v[0], v[1]) > 0.97)
		},
	},
	{
		Name: "most-networks", Paper: "MosT", Section: "6.3 and 6.4, Tables 2 and 3",
		Says:    "MosT is ahead in multi-task learning and mixtures of prompts.",
		Stated:  "ahead of all baselines",
		because: "it takes networks and their data",
	},
}

// gains returns a column of a method's for the three kinds of clients.
func (l *lab) gains(method, column string) (out []float64) {
	rows := where(l.table(keptSyn), "method="+method, "clients=30")
	for _, rho := range []string{"rho=0", "rho=0.5", "rho=1"} {
		out = append(out, l.number(l.the(rows, rho, "most=0"), column))
	}
	return out
}

// gainsOf judges what MosT gains on three kinds of clients by leaving a part out: v holds three
// differences of MosT without that part from MosT, and their standard errors.
func gainsOf(v []float64) (string, Verdict) {
	all, some := true, true
	for i := range 3 {
		all, some = all && -v[i] > 2*v[i+3], some && -v[i] > 0
	}
	return fmt.Sprintf("%.1f ± %.1f, %.1f ± %.1f, %.1f ± %.1f", -v[0], v[3], -v[1], v[4], -v[2], v[5]), graded(all, some)
}

// most is the largest number of a column.
func (l *lab) most(rows []line, column string) float64 {
	largest := math.Inf(-1)
	for _, row := range rows {
		largest = max(largest, l.number(row, column))
	}
	return largest
}
