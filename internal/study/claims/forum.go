package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
	"paretoplay/internal/study/forumcost"
)

// Phrases that several claims about FORUM share in the descriptions of their settings.
const (
	syntheticTheirs = "problem (24) from (α, ω) = (0, 0, 3), (2, 0, 3) and (2, 3, 3), μ = ρ = 0.3, η = 0.05, T = 50, β_k = (k + 1)^(-3/4)"
	syntheticSame   = "the same"
	costTheirs      = "hyper-cleaning of two image data sets with a network of two shared layers, m = 2; Figure 1 on a GPU"
	costHere        = "random quadratics, n = 8, m = 2; T = 8 to 128 with p = 32, and p = 4 to 64 with T = 32"
	cleaningTheirs  = "MNIST and FashionMNIST, half of 5000 training labels wrong, 1000 clean samples, a network with 512 and " +
		"256 hidden units, " +
		"K = 1200, η = 0.3, ρ = 0.5, upper steps 10 for α and 0.3 for ω in all methods, 3 seeds"
	cleaningSetting = "two sets of points in the plane, 3 classes, half of 200 training labels wrong, 5 clean samples, 8 hidden " +
		"units, K = 60, η = 0.3"
	cleaningHere    = cleaningSetting + ", 20 seeds, compared on the same data"
	cleaningChoices = "the data, a ridge, and so few clean samples that cleaning is needed; each method’s upper step sizes, " +
		"the best of 3 to 12 " +
		"with T = 16 on 8 other seeds"
)

// ofFORUM lists the claims of the paper on FORUM.
var ofFORUM = []Claim{
	{
		Name: "solutions", Paper: "FORUM", Section: "C, Figure 2",
		Says:   "From every start FORUM reaches an optimal solution, E → 0, with K → 0 and q → 0; the start only slightly affects the speed.",
		Stated: "E, K and q go to 0", Setting: syntheticTheirs,
		Here: "the same, 200 iterations; also two random starts from each of 20 seeds",
		Choices: "the random starts, within 1.5 of (1.5, 1.5, 1.5); “0” means below 0.001; “slightly” means that none takes more than twice as " +
			"long as another; “from every start” means from nine in ten random starts",
		Check: cardLink("bilevel", "paper"),
		numbers: []string{"largest of E, K and q at the end, from the paper’s starts",
			"fewest iterations to E below 0.01, from the paper’s starts", "most iterations to E below 0.01, from the paper’s starts",
			"share of the random starts from which E, K and q go to 0", "largest of E, K and q at the end, from random starts"},
		measure: func(l *lab) []Number {
			theirs, ours := l.arrivals(problem.QuadraticBilevelStarts()), l.arrivals(l.bilevelStarts(2))
			return append([]Number{exact(theirs.worst), exact(slices.Min(theirs.steps)), exact(slices.Max(theirs.steps))},
				share(ours.arrived, len(ours.steps)), exact(ours.worst))
		},
		parts: []part{
			{of: "E, K, q → 0 from the paper’s starts", says: "at worst, the largest of them is %.1[1]e", is: below(1, 1e-3)},
			{of: "E, K, q → 0 from random starts", says: "from %.2[4]s of them; at worst, the largest value is %.1[5]e", is: atLeast(4, nearlyAll)},
			{of: "the start only slightly affects the speed", says: "E stays below 0.01 after %.0[2]s to %.0[3]s iterations from the " +
				"paper’s starts", is: func(v []Number) Verdict { return quotient(v[2], v[1]).atMost(2) }},
		},
	},
	{
		Name: "first-order", Paper: "FORUM", Section: "3.2, Algorithm 1",
		Says:   "It needs only gradients, whereas MOML and MoCo need second derivatives.",
		Stated: "no Hessian-vector product", Setting: syntheticTheirs, Here: syntheticSame + ", 200 iterations",
		Check:   cardLink("bilevel", "paper"),
		numbers: named([]string{"FORUM", "MOML", "MoCo"}, "Hessian-vector products in a step"),
		measure: func(l *lab) []Number {
			s := l.card("bilevel", "paper")
			out := s.facts("hvp.forum", "hvp.moml", "hvp.moco")
			for i := range out {
				out[i] /= 200 * float64(len(s.runs("forum")))
			}
			return exactly(out...)
		},
		parts: []part{{says: "FORUM takes %.0[1]s products per step, MOML %.0[2]s and MoCo %.0[3]s",
			is: all(atMost(1, 0), above(2, 0), above(3, 0))}},
	},
	{
		Name: "memory", Paper: "FORUM", Section: "4.1, Figure 1(c, d)",
		Says: "FORUM’s memory hardly depends on the length T of the inner loop and increases slightly with the number p of lower variables; " +
			"the memory of MOML and MoCo grows faster with T and in proportion to p.",
		Stated: "O(mn + mp), theirs O(mn + mpT) and O(2mn + mpT)", Setting: costTheirs + "; p varies with T = 64",
		Here: costHere + "; numbers held at once, counted",
		Choices: "the problem; numbers are counted, whereas the paper measures a GPU’s memory; MOML and MoCo differentiate the loop " +
			"backwards as in the paper; " +
			"“slightly” means that each variable costs at most a quarter as much as with MOML and MoCo",
		Check: cardLink("bilevelcost", "memory"),
		numbers: append(named([]string{"FORUM", "MOML", "MoCo"}, "numbers held with T = 8", "numbers held with T = 128",
			"numbers per additional lower variable, T = 32"), "numbers held with T = 128, MOML in forward mode"),
		measure: func(l *lab) (out []Number) {
			for _, of := range costLines {
				short, long := l.cost("floats", of, "T=8", "p=32"), l.cost("floats", of, "T=128", "p=32")
				few, many := l.cost("floats", of, "T=32", "p=4"), l.cost("floats", of, "T=32", "p=64")
				out = append(out, exactly(short, long, (many-few)/60)...)
			}
			return append(out, exactly(l.cost("floats", "method=moml,mode=forward", "T=128", "p=32"))...)
		},
		parts: []part{
			{of: "with T", says: "with T = 8 and 128, FORUM holds %.0[1]s and %.0[2]s numbers, MOML %.0[4]s and %.0[5]s, MoCo %.0[7]s " +
				"and %.0[8]s; in forward mode, MOML’s %.0[10]s numbers do not grow either", is: func(v []Number) Verdict {
				return both(quotient(v[1], v[0]).within(1, 1.1), quotient(v[4], v[3]).above(1.1), quotient(v[7], v[6]).above(1.1))
			}},
			{of: "with p", says: "each additional lower variable takes %.0[3]s numbers in FORUM, %.0[6]s in MOML and %.0[9]s in MoCo with T = " +
				"32", is: func(v []Number) Verdict {
				return both(quotient(v[2], v[5]).atMost(0.25), quotient(v[2], v[8]).atMost(0.25))
			}},
		},
	},
	{
		Name: "moco-memory", Paper: "FORUM", Section: "4.1",
		Says:   "MoCo’s momentum takes mn more numbers than MOML.",
		Stated: "O(2mn + mpT), MOML’s O(mn + mpT)", Setting: costTheirs,
		Here:    costHere + "; numbers held at once, counted",
		Choices: "the problem; numbers are counted",
		Check:   cardLink("bilevelcost", "memory"),
		numbers: []string{"additional numbers that MoCo holds, T = 8", "additional numbers that MoCo holds, T = 128"},
		measure: func(l *lab) (out []Number) {
			for _, steps := range []string{"T=8", "T=128"} {
				out = append(out, exact(l.cost("floats", costLines[2], steps, "p=32")-l.cost("floats", costLines[1], steps, "p=32")))
			}
			return out
		},
		parts: []part{{says: "%[1]g and %[2]g more numbers with T = 8 and 128; mn is 16", is: all(within(1, 16, 16), within(2, 16, 16))}},
	},
	{
		Name: "time", Paper: "FORUM", Section: "4.1, Figure 1(a, b)",
		Says:   "MOML and MoCo take longer than FORUM for every T and every p.",
		Stated: "O(mn + p(m + T)), theirs O(mp(n + p)T)", Setting: costTheirs + "; p varies with T = 64",
		Here: costHere + "; evaluations of gradients and of Hessian-vector products",
		Choices: "the problem; evaluations are counted, whereas the paper measures seconds; a product counts as one gradient, the minimum " +
			"cost; " +
			"by backpropagation it costs two to four",
		Check: cardLink("bilevelcost", "figure1"),
		numbers: named([]string{"T = 8, p = 32", "T = 16, p = 32", "T = 32, p = 32", "T = 64, p = 32", "T = 128, p = 32",
			"T = 32, p = 4", "T = 32, p = 8", "T = 32, p = 16", "T = 32, p = 64"}, "MOML’s evaluations over FORUM’s",
			"MoCo’s evaluations over FORUM’s"),
		measure: func(l *lab) (out []Number) {
			for _, of := range [][]string{{"T=8", "p=32"}, {"T=16", "p=32"}, {"T=32", "p=32"}, {"T=64", "p=32"}, {"T=128", "p=32"},
				{"T=32", "p=4"}, {"T=32", "p=8"}, {"T=32", "p=16"}, {"T=32", "p=64"}} {
				forum := l.cost("gradients", costLines[0], of...)
				for _, line := range costLines[1:] {
					out = append(out, exact((l.cost("gradients", line, of...)+l.cost("hvp", line, of...))/forum))
				}
			}
			return out
		},
		decide: func(v []Number) (out []Part) {
			for i, of := range []string{"for every T", "for every p"} {
				some := [][]Number{v[:10], v[10:]}[i]
				least := slices.MinFunc(some, byValue)
				out = append(out, Part{
					Of: of,
					Ours: fmt.Sprintf("theirs are at least %s and at most %s times FORUM’s; the possible maximum is 1 + m = 3", least.text(2),
						slices.MaxFunc(some, byValue).text(2)),
					Verdict: least.above(1),
				})
			}
			return out
		},
	},
	{
		Name: "dual", Paper: "FORUM", Section: "3.2 and A.2, equations (9) and (17)",
		Says:   "For given λ the multiplier ν = max(Σλ_iπ_i, 0), with 2φ in π, solves the dual (16) of problem (7).",
		Stated: "2φ in π", Setting: "any problem; " + syntheticTheirs, Here: "problem (24), one random start from each of 20 " +
			"seeds; also with μ = 0.1",
		Choices: "μ = 0.1 in addition to the paper’s value, to show the effect of the factor",
		Check:   cardLink("bilevel", "multiplier"),
		numbers: []string{"decrease of q̃ with (9), in units of φ", "E with 2φ over E with φ, μ = 0.3",
			"E with 2φ over E with φ, μ = 0.1"},
		measure: func(l *lab) []Number {
			asked := l.eachSeed(func(seed uint64) float64 { return l.askedDecrease(seed) })
			out := []Number{mean(asked)}
			for _, mu := range []float64{0.3, 0.1} {
				out = append(out, ratio(l.distances(mu, bilevel.AsPublished), l.distances(mu, bilevel.ExactDual)))
			}
			return out
		},
		parts: []part{{says: "(16) is minimal where the decrease ⟨∇q̃, −d⟩ is φ; with (9) the decrease is %.2[1]s times φ. After 200 " +
			"iterations, E is %.2[2]x of its value with φ at the paper’s μ = 0.3, and %.4[3]x " +
			"at μ = 0.1", is: within(1, 1-1e-6, 1+1e-6)}},
	},
	{
		Name: "decrease", Paper: "FORUM", Section: "3.2, problem (7)",
		Says:   "The dynamic φ_k ensures that the direction iteratively decreases q̃.",
		Stated: "⟨∇q̃, d⟩ ≤ −φ, and q̃ decreases consistently", Setting: syntheticTheirs,
		Here:    "problem (24), one random start from each of 20 seeds, μK = 60, while q is above 1e-12",
		Choices: "μ = 0.1; “consistently” means in nine of ten steps",
		Check:   cardLink("bilevel", "paper"),
		numbers: named([]string{"μ = 0.3, 2φ", "μ = 0.3, φ", "μ = 0.1, 2φ"}, "share of the steps with ⟨∇q̃, d⟩ ≤ −φ",
			"share of the steps in which q falls"),
		measure: func(l *lab) (out []Number) {
			for _, c := range decreaseCases {
				asked, falls := l.decreases(c.mu, c.multiplier)
				out = append(out, mean(asked), mean(falls))
			}
			return out
		},
		parts: []part{
			{of: "to first order", says: "⟨∇q̃, d⟩ ≤ −φ in %.2[1]s of the steps with μ = 0.3", is: atLeast(1, nearlyAll)},
			{of: "q itself, μ = 0.3", says: "it falls in %.2[2]s of the steps, and in %.2[4]s with φ instead of 2φ", is: atLeast(2, nearlyAll)},
			{of: "q itself, μ = 0.1", says: "it falls in %.3[6]s of the steps", is: atLeast(6, nearlyAll)},
		},
	},
	{
		Name: "averaging", Paper: "FORUM", Section: "3.2 and A.3",
		Says: "The momentum β_k generates a stable sequence of weights; solving (11) in each iteration alone " +
			"does not ensure.",
		Stated: "β_k → 0", Setting: "no figure; β_k = (k + 1)^(-3/4) in the experiments",
		Here:    "problem (24), μ = ρ = 0.3, 200 iterations, one random start from each of 20 seeds; that β_k and β_k = 1",
		Choices: "the problem; a weight is more stable if its total change is smaller",
		Check:   "#v=1&scene=bilevel&method=forum&betaschedule=none",
		numbers: []string{"total change of a weight without averaging", "total change of a weight with averaging",
			"difference of the total changes, with minus without"},
		measure: func(l *lab) []Number {
			alone, averaged := l.wander(bilevel.NoAveraging), l.wander(bilevel.PublishedAveraging)
			return []Number{mean(alone), mean(averaged), difference(averaged, alone)}
		},
		parts: []part{{says: "a weight’s total change is %.2[2]s with it and %.2[1]s without, a difference of %.2[3]s", is: below(3, 0)}},
	},
	{
		Name: "loop-error", Paper: "FORUM", Section: "A.1, Lemma A.1",
		Says:    "‖∇q̃ − ∇q‖ is at most L_f(1 − cη/2)^T‖ω̃⁰ − ω*‖, and so decays exponentially with T.",
		Stated:  "exponential in T",
		Setting: "f c-strongly convex in ω, ∇f L_f-Lipschitz, η ≤ 2/(L_f + c)",
		Here:    "random quadratics, n = 8, p = 32, c = 0.1, one problem and start from each of 20 seeds, η = 0.4, T = 1, 4, 16 and 64",
		Choices: "the problem; L_f replaced by its part in ω, 1, which makes the bound smaller",
		Check:   "paretoplay claims loop-error -quick",
		numbers: []string{"largest error over its bound", "error with T = 64 over the error with T = 16"},
		measure: func(l *lab) []Number {
			largest := 0.
			errors := map[int][]float64{}
			for _, steps := range loopLengths {
				errors[steps] = l.eachSeed(func(seed uint64) float64 {
					off, bound := l.loopError(seed, steps)
					largest = max(largest, off/bound)
					return off
				})
			}
			return []Number{exact(largest), ratio(errors[64], errors[16])}
		},
		parts: []part{{says: "at most %.2[1]f of the bound; with T = 64 the error is %.3[2]x of the error with T = 16",
			is: all(atMost(1, 1), below(2, 1))}},
	},
	{
		Name: "forum-rate", Paper: "FORUM", Section: "4.2, Theorem 4.3",
		Says:   "With μ = O(K^(-1/2)) and β = O(K^(-3/4)) the larger of min K(z_k) and q(z_K) falls at least as fast as K^(-1/4), up to Γ(T).",
		Stated: "O(K^(-1/4) + Γ(T))",
		Setting: "upper objectives with bounded gradients, a strongly convex lower level; a bound on the worst case, which a " +
			"problem can meet or break",
		Here: "problem (24), ρ = 0.3, T = 50, K = 16 to 1024, μ = K^(-1/2)/2, one random start from each of 20 seeds; the " +
			"fitted power of K",
		Choices: "the problem and the constant of μ; β_k = (k + 1)^(-3/4) as in the paper’s experiments",
		Check:   "paretoplay claims forum-rate -quick",
		numbers: []string{"power of K"},
		measure: func(l *lab) []Number { return []Number{mean(l.eachSeed(l.forumPower))} },
		parts:   []part{{says: "as K to the power of %.2[1]s", is: atMost(1, -0.25)}},
	},
	{
		Name: "cleaning", Paper: "FORUM", Section: "5.1, Table 1", kept: keptCleaning,
		Says:   "FORUM outperforms MOML and MoCo in data hyper-cleaning for T = 16, 32, 64 and 128.",
		Stated: "with T = 16 accuracies 86.6, 84.4 and 84.2 %, means of the two data sets", Setting: cleaningTheirs,
		Here:    cleaningHere + "; T = 16 and 64",
		Choices: cleaningChoices,
		Check:   "paretoplay experiment hyper-cleaning",
		numbers: named([]string{"T = 16", "T = 64", "T = 4", "T = 1"}, "points of accuracy, FORUM minus MOML",
			"points of accuracy, FORUM minus MoCo"),
		measure: func(l *lab) (out []Number) {
			for _, steps := range []string{"part=table,T=16", "part=beside,T=64", "part=table,T=4", "part=table,T=1"} {
				forum := l.accuracies("method=forum,rho=0.5,eta=0.3", steps)
				for _, method := range []string{"method=moml", "method=moco"} {
					out = append(out, difference(forum, l.accuracies(method, steps)))
				}
			}
			return out
		},
		parts: []part{
			{of: "MOML, T = 16", says: "%.1[1]s points ahead; with loops shorter than the paper’s, T = 4 and 1, %.1[5]s and %.1[7]s",
				is: above(1, 0)},
			{of: "MoCo, T = 16", says: "%.1[2]s points ahead; with loops shorter than the paper’s, T = 4 and 1, %.1[6]s and %.1[8]s",
				is: above(2, 0)},
			{of: "MOML, T = 64", says: "%.1[3]s points ahead", is: above(3, 0)},
			{of: "MoCo, T = 64", says: "%.1[4]s points ahead", is: above(4, 0)},
		},
	},
	{
		Name: "cleaning-f1", Paper: "FORUM", Section: "5.1, Table 1", kept: keptCleaning,
		Says:   "FORUM outperforms MOML and MoCo in the F1 score too.",
		Stated: "with T = 16 scores of 86.4, 84.2 and 83.9, means of the two data sets", Setting: cleaningTheirs,
		Here:    cleaningHere + "; T = 16 and 64",
		Choices: cleaningChoices + "; the table contains only means and deviations of F1, so runs are not paired",
		Check:   "paretoplay experiment hyper-cleaning",
		numbers: named([]string{"T = 16", "T = 64"}, "points of F1, FORUM minus MOML", "points of F1, FORUM minus MoCo"),
		measure: func(l *lab) (out []Number) {
			f1 := func(values ...string) Number {
				return l.summary(l.the(l.table(keptCleaning), strings.Split(strings.Join(values, ","), ",")...), "f1")
			}
			for _, steps := range []string{"part=table,T=16", "part=beside,T=64"} {
				for _, method := range []string{"method=moml", "method=moco"} {
					out = append(out, apartBy(f1("method=forum,rho=0.5,eta=0.3", steps), f1(method, steps)))
				}
			}
			return out
		},
		parts: []part{
			{of: "MOML, T = 16", says: "%.1[1]s points ahead", is: above(1, 0)},
			{of: "MoCo, T = 16", says: "%.1[2]s points ahead", is: above(2, 0)},
			{of: "MOML, T = 64", says: "%.1[3]s points ahead", is: above(3, 0)},
			{of: "MoCo, T = 64", says: "%.1[4]s points ahead", is: above(4, 0)},
		},
	},
	{
		Name: "pull", Paper: "FORUM", Section: "E, Table 5", kept: keptCleaning,
		Says:   "With ρ > 0 it cleans better than with ρ = 0.",
		Stated: "1.5, 2.6 and 3.0 points with ρ = 0.1, 0.5 and 0.9, T = 16", Setting: cleaningTheirs,
		Here:     cleaningHere + ", T = 16",
		Choices:  cleaningChoices,
		Check:    "paretoplay experiment hyper-cleaning",
		settings: []string{"ρ = 0.1", "ρ = 0.5", "ρ = 0.9"},
		numbers:  []string{"gain in points of accuracy over ρ = 0"},
		measure: func(l *lab) (out []Number) {
			without := l.accuracies("part=table,method=forum,T=16", "rho=0")
			for _, rho := range pulls {
				out = append(out, difference(l.accuracies("part=table,method=forum,T=16", rho), without))
			}
			return out
		},
		parts: []part{{says: "%.1[1]s points ahead", is: above(1, 0)}},
	},
	{
		Name: "large-pull", Paper: "FORUM", Section: "E, Table 5", kept: keptCleaning,
		Says:   "It is insensitive to a large ρ, such as 0.5, 0.7 and 0.9.",
		Stated: "accuracies of 86.6, 86.5 and 86.9 % with T = 16; with other T they differ by up to 0.6 points", Setting: cleaningTheirs,
		Here:    cleaningHere + ", T = 16, ρ = 0.5 and 0.9",
		Choices: cleaningChoices + "; “insensitive” means a difference of at most 0.6 points, as in the paper’s table",
		Check:   "paretoplay experiment hyper-cleaning",
		numbers: []string{"points of accuracy, ρ = 0.9 minus ρ = 0.5"},
		measure: func(l *lab) []Number {
			return []Number{difference(l.accuracies("part=table,method=forum,T=16,rho=0.9"), l.accuracies("part=table,method=forum,T=16,rho=0.5"))}
		},
		parts: []part{{says: "%.2[1]s points more with ρ = 0.9 than with 0.5", is: within(1, -0.6, 0.6)}},
	},
	{
		Name: "loop-steps", Paper: "FORUM", Section: "E, Table 5", kept: keptCleaning,
		Says:    "It is insensitive to the step size η of the inner loop.",
		Stated:  "accuracies of 86.6, 86.6 and 86.5 % with η = 0.1, 0.3 and 0.5, T = 16; with other T they differ by up to 0.3 points",
		Setting: cleaningTheirs, Here: cleaningHere + ", T = 16, ρ = 0.5, and η = 0.1 and 0.5",
		Choices:  cleaningChoices + "; “insensitive” means differences of at most 0.3 points from η = 0.3, as in the paper’s table",
		Check:    "paretoplay experiment hyper-cleaning",
		settings: []string{"η = 0.1", "η = 0.5"},
		numbers:  []string{"gain in points of accuracy over η = 0.3"},
		measure: func(l *lab) (out []Number) {
			same := l.accuracies("part=table,method=forum,T=16,rho=0.5")
			for _, eta := range []string{"eta=0.1", "eta=0.5"} {
				out = append(out, difference(l.accuracies("part=beside,method=forum,T=16", eta), same))
			}
			return out
		},
		parts: []part{{says: "%.2[1]s points more than with η = 0.3", is: within(1, -0.3, 0.3)}},
	},
	{
		Name: "forum-networks", Paper: "FORUM", Section: "5.2, Tables 2 to 4",
		Says:    "FORUM is ahead of other methods of multi-task learning on Office-31, NYUv2 and QM9.",
		Stated:  "the best average of all",
		Setting: "networks on three data sets, ρ = 0.1, T = 5, 3 seeds",
		because: "it requires networks and their data",
	},
}

// costLines selects FORUM, MOML and MoCo in the table of costs.
var costLines = []string{"method=forum,mode=", "method=moml,mode=reverse", "method=moco,mode=reverse"}

// pulls lists the values of ρ that are compared with 0.
var pulls = []string{"rho=0.1", "rho=0.5", "rho=0.9"}

// loopLengths lists the T for which the loop's error is measured.
var loopLengths = []int{1, 4, 16, 64}

// decreaseCases lists the settings in which the decrease of q is measured.
var decreaseCases = []struct {
	mu         float64
	multiplier bilevel.Multiplier
}{{0.3, bilevel.AsPublished}, {0.3, bilevel.ExactDual}, {0.1, bilevel.AsPublished}}

func byValue(a, b Number) int { return cmp.Compare(a.Value, b.Value) }

// costsOfQuick is the lab's key for the table of costs.
const costsOfQuick = "forum-cost -quick"

// costs returns the costs of the bilevel methods' steps, by T and p.
func (l *lab) costs() []line {
	const name = costsOfQuick
	if l.tables[name] == nil {
		l.tables[name] = lines(compute(&forumcost.Experiment, experiment.Options{Seeds: 1, Quick: true, Jobs: l.options.Jobs}))
	}
	return l.tables[name]
}

// cost returns the number in a column of a line of costs. The line is selected by method, which is one of costLines,
// and by further values.
func (l *lab) cost(column, method string, values ...string) float64 {
	return l.number(l.the(l.costs(), append(strings.Split(method, ","), values...)...), column)
}

// accuracies returns the accuracies of a line's runs in the kept tables, by seed. Each of values is a comma-separated
// list of column=value pairs.
func (l *lab) accuracies(values ...string) []float64 {
	return l.list(l.the(l.table(keptCleaning), strings.Split(strings.Join(values, ","), ",")...), "accuracies")
}

// bilevelStarts returns count random starts on problem (24) for each seed.
func (l *lab) bilevelStarts(count int) (out [][]float64) {
	for _, seed := range l.seedList() {
		out = append(out, startsAbout(seed, count, 3, 1.5, 1.5)...)
	}
	return out
}

// arrivals describes where FORUM's runs of 200 iterations with μ = 0.3 end.
type arrivals struct {
	steps   []float64 // by start: number of steps after which E stays below 0.01
	arrived int       // number of runs that end with E, K and q below 0.001
	worst   float64   // largest E, K or q at these ends
}

func (l *lab) arrivals(starts [][]float64) (out arrivals) {
	p := problem.NewQuadraticBilevel()
	measures := bilevel.NewMeasures(p)
	for _, x := range starts {
		last := 0
		s := l.forum(bilevel.FORUMConfig{Start: x, Upper: bilevel.Upper{StepSize: 0.3}}, 200, func(s *bilevel.FORUM) {
			if v := s.View(); p.Distance(v.X) >= 0.01 {
				last = v.K
			}
		})
		v := s.View()
		worst := max(p.Distance(v.X), measures.K(v.X, v.Weights, s.Trace().Nu), measures.Q(v.X))
		if worst < 1e-3 {
			out.arrived++
		}
		out.steps, out.worst = append(out.steps, float64(last)), max(out.worst, worst)
	}
	return out
}

// askedDecrease returns ⟨∇q̃, −d⟩ divided by φ in the first step with ν ≠ 0. The derivative of (16) with respect to ν
// is ⟨∇q̃, −d⟩ − φ, so the ratio is 1 if ν solves (16).
func (l *lab) askedDecrease(seed uint64) float64 {
	out := math.NaN()
	l.forum(bilevel.FORUMConfig{Start: bilevelStart(seed), Upper: bilevel.Upper{StepSize: 0.3}}, 200, func(s *bilevel.FORUM) {
		if t := s.Trace(); math.IsNaN(out) && t.Nu > 0 {
			out = dot(t.QGradient, s.View().Direction) / t.Phi
		}
	})
	return out
}

// dot returns the inner product of two vectors of equal length.
func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// distances returns E after 200 iterations, by seed.
func (l *lab) distances(mu float64, multiplier bilevel.Multiplier) []float64 {
	p := problem.NewQuadraticBilevel()
	return l.eachSeed(func(seed uint64) float64 {
		s := l.forum(bilevel.FORUMConfig{
			Start: bilevelStart(seed), Upper: bilevel.Upper{StepSize: mu}, Multiplier: multiplier,
		}, 200, nil)
		return p.Distance(s.View().X)
	})
}

// decreases returns, by seed, the share of the steps that decrease q̃ by φ to first order, and the share that
// decrease q. It ignores steps from a point with q ≤ 1e-12, because rounding errors dominate there.
func (l *lab) decreases(mu float64, multiplier bilevel.Multiplier) (asked, falls []float64) {
	measures := bilevel.NewMeasures(problem.NewQuadraticBilevel())
	falls = l.eachSeed(func(seed uint64) float64 {
		start := bilevelStart(seed)
		var steps, first, fell float64
		q := measures.Q(start)
		l.forum(bilevel.FORUMConfig{
			Start: start, Upper: bilevel.Upper{StepSize: mu}, Multiplier: multiplier,
		}, int(math.Round(60/mu)), func(s *bilevel.FORUM) {
			next, t := measures.Q(s.View().X), s.Trace()
			if q > 1e-12 {
				steps++
				if dot(t.QGradient, s.View().Direction) >= t.Phi*(1-1e-9) {
					first++
				}
				if next < q {
					fell++
				}
			}
			q = next
		})
		asked = append(asked, first/steps)
		return fell / steps
	})
	return asked, falls
}

// wander returns the total change of a weight, by seed.
func (l *lab) wander(averaging bilevel.Averaging) []float64 {
	return l.eachSeed(func(seed uint64) float64 {
		sum, last := 0., math.NaN()
		l.forum(bilevel.FORUMConfig{
			Start: bilevelStart(seed), Upper: bilevel.Upper{StepSize: 0.3}, Averaging: averaging,
		}, 200, func(s *bilevel.FORUM) {
			w := s.View().Weights[0]
			if !math.IsNaN(last) {
				sum += math.Abs(w - last)
			}
			last = w
		})
		return sum
	})
}

// loopError returns ‖∇q̃ − ∇q‖ at a random point of a random problem, and the bound in Lemma A.1 with 1 in place of
// L_f. L_f is larger than 1.
func (l *lab) loopError(seed uint64, steps int) (off, bound float64) {
	const n, p, condition, eta = 8, 32, 10, 0.4
	b := must(problem.NewRandomBilevel(problem.RandomBilevelConfig{N: n, P: p, M: 2, Condition: condition, Seed: seed}))
	z := startsAbout(seed, 1, n+p, 0, 2)[0]
	s := must(bilevel.NewFORUM(bilevel.FORUMConfig{
		Problem: b, Start: z, Loop: bilevel.Loop{Steps: steps, StepSize: eta}, Upper: bilevel.Upper{StepSize: 0.02}, Rho: 0.3,
	}))
	must(s.Step())
	omega := make([]float64, p)
	b.LowerSolution(omega, z[:n])
	least, _ := b.Curvature()
	return apart(s.Trace().QGradient, bilevel.NewMeasures(b).QGradient(z)),
		portable.Pow(1-float64(least*eta/2), float64(steps)) * apart(omega, z[n:])
}

// apart returns the distance between two points.
func apart(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += float64((v - b[i]) * (v - b[i]))
	}
	return math.Sqrt(sum)
}

// forumPower returns the exponent of K, fitted to the larger of min K(z_k) and q(z_K) after runs of K steps.
func (l *lab) forumPower(seed uint64) float64 {
	measures := bilevel.NewMeasures(problem.NewQuadraticBilevel())
	var logK, logLeft []float64
	for _, steps := range []int{16, 64, 256, 1024} {
		z := bilevelStart(seed)
		least := math.Inf(1)
		s := l.forum(bilevel.FORUMConfig{
			Start: bilevelStart(seed), Upper: bilevel.Upper{StepSize: 0.5 / math.Sqrt(float64(steps))},
		}, steps, func(s *bilevel.FORUM) {
			v := s.View()
			least = min(least, measures.K(z, v.Weights, s.Trace().Nu))
			copy(z, v.X)
		})
		logK, logLeft = append(logK, portable.Log(float64(steps))), append(logLeft, portable.Log(max(least, measures.Q(s.View().X))))
	}
	return experiment.Exponent(logK, logLeft)
}
