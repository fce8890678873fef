package claims

import (
	"fmt"
	"math"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/forumcost"
)

// ofFORUM are the claims of the paper on FORUM.
var ofFORUM = []Claim{
	{
		Name: "solutions", Paper: "FORUM", Section: "C, Figure 2",
		Says:  "From every start FORUM comes to the solutions, and q to 0.",
		Check: link("bilevel", "paper"), Stated: "E, K and q go to 0",
		numbers: func(l *lab) []float64 {
			var e, q float64
			for _, r := range l.card("bilevel", "paper").runs("forum") {
				end := r.Iterates[len(r.Iterates)-1]
				e, q = max(e, end.E), max(q, end.Excess)
			}
			return []float64{e, q}
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(far float64) bool { return far < 1e-3 })
			return fmt.Sprintf("from three starts, at worst E = %.1e and q = %.1e after 200 iterations", v[0], v[1]), graded(all, some)
		},
	},
	{
		Name: "first-order", Paper: "FORUM", Section: "3.2, Algorithm 1",
		Says:  "It needs gradients alone, where MOML and MoCo need second derivatives.",
		Check: link("bilevel", "paper"), Stated: "no Hessian-vector product",
		numbers: func(l *lab) []float64 {
			s := l.card("bilevel", "paper")
			out := s.facts("hvp.forum", "hvp.moml", "hvp.moco")
			for i := range out {
				out[i] /= 200 * float64(len(s.runs("forum")))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%g products in a step, MOML %g and MoCo %g", v[0], v[1], v[2]),
				graded(v[0] == 0 && min(v[1], v[2]) > 0, v[0] < min(v[1], v[2]))
		},
	},
	{
		Name: "memory", Paper: "FORUM", Section: "4.1",
		Says:  "FORUM’s memory does not depend on the length T of the inner loop; that of MOML and MoCo grows with it.",
		Check: link("bilevelcost", "memory"), Stated: "O(mn + mp) and O(mn + mpT)",
		numbers: func(l *lab) (out []float64) {
			rows := l.costs()
			for _, of := range [][]line{where(rows, "method=forum"), where(rows, "method=moml", "mode=reverse")} {
				for _, steps := range []string{"T=8", "T=128"} {
					out = append(out, l.number(l.the(of, steps, "p=32"), "floats"))
				}
			}
			return append(out, l.number(l.the(rows, "method=moml", "mode=forward", "T=128", "p=32"), "floats"))
		},
		words: func(v []float64) (string, Verdict) {
			ours := fmt.Sprintf("%g numbers with T = 8 and %g with T = 128, MOML %g and %g; pT + mp, not mpT, suffice, and in forward mode %g",
				v[0], v[1], v[2], v[3], v[4])
			return ours, graded(v[1] == v[0] && v[3] > 4*v[2], v[1] == v[0])
		},
	},
	{
		Name: "time", Paper: "FORUM", Section: "4.1, Figure 1(a)",
		Says:  "The longer the inner loop, the more FORUM saves.",
		Check: link("bilevelcost", "figure1"), Stated: "time grows as p(m + T), theirs as mp(n + p)T",
		numbers: func(l *lab) (out []float64) {
			rows := l.costs()
			for _, steps := range []string{"T=8", "T=128"} {
				theirs := l.the(rows, "method=moml", "mode=reverse", steps, "p=32")
				out = append(out, (l.number(theirs, "gradients")+l.number(theirs, "hvp"))/l.number(l.the(rows, "method=forum", steps, "p=32"),
					"gradients"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("MOML makes %.2f times its evaluations with T = 8 and %.2f with T = 128, at most 1 + m = 3", v[0], v[1]),
				graded(v[0] > 1 && v[1] > v[0], v[1] > 1)
		},
	},
	{
		Name: "dual", Paper: "FORUM", Section: "3.2 and A.2, equations (9) and (17)",
		Says:  "The multiplier solves the dual of problem (7).",
		Check: link("bilevel", "multiplier"), Stated: "2φ in π",
		numbers: func(l *lab) []float64 {
			s := l.card("bilevel", "multiplier")
			printed, exact := s.runs("forum"), s.runs("forumexact")
			least := math.Inf(1)
			for i := range min(len(printed), len(exact)) {
				a, b := printed[i].Iterates, exact[i].Iterates
				least = min(least, b[len(b)-1].E/a[len(a)-1].E)
			}
			return []float64{least}
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("the dual has φ; as printed the pull is twice as strong, and E after 200 iterations at least %.0f times smaller",
				math.Floor(v[0])), graded(math.Abs(v[0]-1) < 1e-6, false)
		},
	},
	{
		Name: "cleaning", Paper: "FORUM", Section: "5.1, Table 1", kept: keptCleaning,
		Says:  "FORUM cleans labels better than MOML and MoCo.",
		Check: "paretoplay experiment hyper-cleaning", Stated: "2.2 and 2.4 points ahead with T = 16",
		numbers: func(l *lab) (out []float64) {
			rows := where(l.table(keptCleaning), "part=table")
			for _, steps := range []string{"T=16", "T=1"} {
				for _, method := range []string{"method=moml", "method=moco"} {
					row := l.the(rows, method, steps)
					out = append(out, -l.number(row, "over_forum"), l.number(row, "over_forum_se"))
				}
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			ahead := func(i int) bool { return v[i] > 2*v[i+1] }
			return fmt.Sprintf("%.1f ± %.1f and %.1f ± %.1f points ahead with T = 16, %.1f ± %.1f and %.1f ± %.1f with T = 1",
				v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), graded(ahead(0) && ahead(2), ahead(4) && ahead(6))
		},
	},
	{
		Name: "pull", Paper: "FORUM", Section: "E, Table 5", kept: keptCleaning,
		Says:  "With ρ > 0 it cleans better than with ρ = 0.",
		Check: "paretoplay experiment hyper-cleaning", Stated: "2.6 points with ρ = 0.5, T = 16",
		numbers: func(l *lab) (out []float64) {
			rows := where(l.table(keptCleaning), "part=table", "method=forum", "rho=0.5")
			for _, steps := range []string{"T=16", "T=1"} {
				row := l.the(rows, steps)
				out = append(out, l.number(row, "over_rho0"), l.number(row, "over_rho0_se"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%.1f ± %.1f points with T = 16, %.1f ± %.1f with T = 1", v[0], v[1], v[2], v[3]),
				graded(v[0] > 2*v[1], v[2] > 2*v[3])
		},
	},
	{
		Name: "forum-rate", Paper: "FORUM", Section: "4.2, Theorem 4.3",
		Says:    "The KKT residual falls as K to the power of -1/4, up to what T lower steps leave.",
		Stated:  "O(K^(-1/4) + Γ(T))",
		because: "a bound on the worst case: on problem (24) the residual falls geometrically",
	},
	{
		Name: "forum-networks", Paper: "FORUM", Section: "5.2, Tables 2 to 4",
		Says:    "FORUM is ahead of other methods of multi-task learning on Office-31, NYUv2 and QM9.",
		Stated:  "the best average of all",
		because: "it takes networks and their data",
	},
}

// costs returns the costs of the bilevel methods' steps, by T
// and p.
func (l *lab) costs() []line {
	const name = "forum-cost -quick"
	if rows, has := l.tables[name]; has || l.err != nil {
		return rows
	}
	file, err := compute(&forumcost.Experiment, experiment.Options{Seeds: 1, Quick: true, Jobs: l.options.Jobs})
	if err == nil {
		l.tables[name], err = lines(file)
	}
	if err != nil {
		l.fail(err)
	}
	return l.tables[name]
}
