package claims

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// These settings select the lines that the claims read in the kept tables. Each order uses its best step size.
const (
	largeContest  = "problem=leastsquares,M=2,K=512,optimizer=plain,alphas=0.001 0.002 0.005 0.01 0.02 0.05"
	planeContest  = "problem=leastsquares,M=2,K=128,optimizer=plain,alphas=0.001 0.002 0.005 0.01 0.02 0.05 0.1"
	classContest  = "problem=logistic,optimizer=plain"
	sharedContest = "problem=regression,K=512,optimizer=plain"
	fittedContest = "problem=regression,K=128,optimizer=plain"
	equalSteps    = "problem=leastsquares,M=2,K=512,optimizer=plain,alphas=0.02"
)

// weightingTitles names the weightings in the tables. The paper combines orders with every weighting in this list
// except the first.
var weightingTitles = []struct{ name, title string }{
	{"ls", "equal weights"}, {"mgda", "MGDA"}, {"pcgrad", "PCGrad"}, {"cagrad", "CAGrad"}, {"nashmtl", "Nash-MTL"},
}

// Descriptions of the settings in the paper's experiments and in ours.
const (
	ordersPaper   = "networks on NYUv2 and QM9 with MGDA, PCGrad, CAGrad and Nash-MTL; 3 seeds"
	ordersSetting = "least squares with two objectives, K = 512 examples, d = 10, 12 epochs; each order with its best step size"
	ordersHere    = ordersSetting + "; 20 paired runs"
	ordersChoices = "small problems; plain descent instead of Adam; ω is compared at the first points of the last third of " +
		"the epochs, and step sizes are chosen in 12 other runs"
)

// ofJoGBa lists the claims of the paper on JoGBa.
var ofJoGBa = []Claim{
	{
		Name: "balanced", Paper: "JoGBa", Section: "4.1, Figures 2 and 3", kept: keptOrders,
		Says:     "In the same number of epochs, JoGBa’s orders get closer than random ones.",
		Stated:   "lower losses with each of four weightings",
		Setting:  ordersPaper,
		Here:     ordersHere,
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    cardLink("ordering", "many"),
		settings: weightingNames(),
		numbers:  []string{"JoGBa’s ω over random orders’"},
		measure: func(l *lab) []Number {
			return byWeighting(func(w string) Number { return l.againstRandom(largeContest, w, "jogba") })
		},
		parts: []part{{says: "ω is %.2[1]x of random’s", is: below(1, 1)}},
	},
	{
		Name: "jogba-first", Paper: "JoGBa", Section: "4.1 and 4.2, Tables 1 and 2", kept: keptOrders,
		Says:     "JoGBa is ahead of GraB, which balances the weighted gradients, with every weighting.",
		Stated:   "Δm% 0.2 to 2.5 points lower on QM9",
		Setting:  ordersPaper + "; test errors",
		Here:     ordersHere + "; and logistic regression, K = 128",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    "paretoplay experiment ordering",
		settings: append(weightingNames(), "equal weights, logistic regression"),
		numbers:  []string{"JoGBa’s ω over GraB’s"},
		measure: func(l *lab) []Number {
			return append(byWeighting(func(w string) Number { return l.against(largeContest, w, "jogba", "grab-shared") }),
				l.against(classContest, "ls", "jogba", "grab-shared"))
		},
		parts: []part{{says: "its ω is %.2[1]x of GraB’s", is: below(1, 1)}},
	},
	{
		Name: "grab-random", Paper: "JoGBa", Section: "1, 2.1 and 4.1, Figure 2", kept: keptOrders,
		Says: "GraB on the weighted gradients is often no better than random orders.",
		Stated: "often does not improve the performance; in Figure 2 generally worse, in Tables 1 and 2 GraB’s Δm% are 0.02 to 2.1 points " +
			"lower",
		Setting:  ordersPaper,
		Here:     ordersHere + "; and K = 128 examples, d = 2, 30 epochs",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four; “no better” means a gain of at most a tenth",
		Check:    "paretoplay experiment ordering",
		settings: slices.Concat(appended(weightingNames(), ", K = 512"), appended(weightingNames(), ", K = 128")),
		numbers:  []string{"GraB’s ω over random orders’"},
		measure: func(l *lab) []Number {
			return slices.Concat(byWeighting(func(w string) Number { return l.againstRandom(largeContest, w, "grab-shared") }),
				byWeighting(func(w string) Number { return l.againstRandom(planeContest, w, "grab-shared") }))
		},
		parts: []part{{says: "its ω is %.2[1]x of random’s", is: atLeast(1, 0.9)}},
	},
	{
		Name: "separate-random", Paper: "JoGBa", Section: "4.4, Table 4", kept: keptOrders,
		Says:     "If every objective has a separate order, GraB for each of them improves on random orders.",
		Stated:   "improves upon random; Figure 4 and section 1 say worse, or limited improvement; Table 4 repeats Table 1",
		Setting:  ordersPaper,
		Here:     ordersHere + "; random orders, also one for each objective",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    "paretoplay experiment ordering",
		settings: weightingNames(),
		numbers:  []string{"ω of GraB for each objective over ω of random orders for each"},
		measure: func(l *lab) []Number {
			return byWeighting(func(w string) Number { return l.against(largeContest, w, "grab-separate", "random-own") })
		},
		parts: []part{{says: "its ω is %.2[1]x of random orders’", is: below(1, 1)}},
	},
	{
		Name: "joint-random", Paper: "JoGBa", Section: "4.4, Figure 4, Table 4", kept: keptOrders,
		Says:     "If every objective has a separate order, JoGBa is ahead of random orders with every weighting.",
		Stated:   "the only one that consistently outperforms random; Table 4 repeats Table 1",
		Setting:  ordersPaper,
		Here:     ordersHere + "; random orders, also one for each objective",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    "paretoplay experiment ordering",
		settings: weightingNames(),
		numbers:  []string{"JoGBa’s ω over ω of random orders for each objective"},
		measure: func(l *lab) []Number {
			return byWeighting(func(w string) Number { return l.against(largeContest, w, "jogba", "random-own") })
		},
		parts: []part{{says: "its ω is %.2[1]x of random orders’", is: below(1, 1)}},
	},
	{
		Name: "own-flipflop", Paper: "JoGBa", Section: "4.4, Table 4", kept: keptOrders,
		Says:     "If every objective has a separate order, FlipFlop is behind random orders, and Random FlipFlop improves on them.",
		Stated:   "generally worse; improves; Table 4 repeats Table 1",
		Setting:  ordersPaper,
		Here:     ordersHere + "; all with one order per objective",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    "paretoplay experiment ordering",
		settings: weightingNames(),
		numbers: []string{"FlipFlop’s ω over random orders’, one for each objective",
			"Random FlipFlop’s ω over random orders’, one for each objective"},
		measure: func(l *lab) (out []Number) {
			for _, w := range weightingTitles {
				out = append(out, l.against(largeContest, w.name, "flipflop-own", "random-own"),
					l.against(largeContest, w.name, "randomflipflop-own", "random-own"))
			}
			return out
		},
		parts: []part{
			{of: "FlipFlop, {}", says: "ω is %.2[1]x of random’s", is: above(1, 1)},
			{of: "Random FlipFlop, {}", says: "ω is %.2[2]x of random’s", is: below(2, 1)},
		},
	},
	{
		Name: "smaller-bound", Paper: "JoGBa", Section: "3.3, after Theorem 3.9", kept: keptOrders,
		Says:    "A smaller balancing bound A leads to faster convergence.",
		Stated:  "a smaller A leads to faster convergence",
		Setting: "MGDA; the bound of Theorem 3.9",
		Here: "least squares with M = 2, K = 512, d = 10, 12 epochs, α = 0.02; signs by the greedy rule and by the " +
			"self-balancing walk; 20 runs",
		Choices: "the problem; A is measured along the run; the walk is another sign rule, for which a bound is proved; equal weights " +
			"in addition to MGDA",
		Check:    "paretoplay experiment ordering",
		settings: []string{"equal weights", "MGDA"},
		numbers:  []string{"A with the greedy rule", "A with the walk", "ω with the greedy rule over ω with the walk"},
		measure: func(l *lab) (out []Number) {
			for _, w := range []string{"ls", "mgda"} {
				greedy, walk := l.order(equalSteps, w, "jogba"), l.signs(equalSteps, w, "jogba", "selfbalancing")
				out = append(out, l.summary(greedy, "A"), l.summary(walk, "A"), l.between(greedy, walk))
			}
			return out
		},
		parts: []part{{says: "with A = %.2[1]s instead of %.2[2]s, ω is %.2[3]x as large", is: func(v []Number) Verdict {
			return both(decided(v[0].High < v[1].Low, v[0].Low > v[1].High), v[2].below(1))
		}}},
	},
	{
		Name: "separate-slower", Paper: "JoGBa", Section: "3.3 and 4.4, after Proposition 3.10", kept: keptOrders,
		Says:     "GraB for each objective separately is slower than JoGBa.",
		Stated:   "can be much slower",
		Setting:  ordersPaper + "; a bound with MGDA",
		Here:     ordersHere,
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    "paretoplay experiment ordering",
		settings: weightingNames(),
		numbers:  []string{"ω of GraB for each objective separately over JoGBa’s"},
		measure: func(l *lab) []Number {
			return byWeighting(func(w string) Number { return l.against(largeContest, w, "grab-separate", "jogba") })
		},
		parts: []part{{says: "its ω is %.2[1]x of JoGBa’s", is: above(1, 1)}},
	},
	{
		Name: "own-orders", Paper: "JoGBa", Section: "3.1 and 4.4, Figure 4, Table 4", kept: keptOrders,
		Says:    "A separate order for every objective is better than one order for all.",
		Stated:  "Table 4, which repeats Table 1 digit for digit",
		Setting: ordersPaper,
		Here:    "random orders, one per objective against one for all; least squares and regression, 20 paired runs",
		Choices: ordersChoices,
		Check:   cardLink("ordering", "each"),
		numbers: named([]string{"equal weights, K = 512, d = 10", "MGDA, K = 512, d = 10", "MGDA, K = 128, d = 2",
			"equal weights, shared inputs, K = 512"}, "ω of separate orders over ω of one order"),
		measure: func(l *lab) []Number {
			return []Number{l.againstRandom(largeContest, "ls", "random-own"), l.againstRandom(largeContest, "mgda", "random-own"),
				l.againstRandom(planeContest, "mgda", "random-own"), l.againstRandom(sharedContest, "ls", "random-own")}
		},
		parts: []part{
			{of: "equal weights, K = 512, d = 10", says: "ω is %.2[1]x of one order’s", is: below(1, 1)},
			{of: "MGDA, K = 512, d = 10", says: "ω is %.2[2]x of one order’s", is: below(2, 1)},
			{of: "MGDA, K = 128, d = 2", says: "ω is %.2[3]x of one order’s", is: below(3, 1)},
			{of: "equal weights where objectives share inputs, K = 512", says: "ω is %.2[4]x of one order’s", is: below(4, 1)},
		},
	},
	{
		Name: "separate-strays", Paper: "JoGBa", Section: "3.3, Propositions 3.8 and 3.10", kept: keptOrders,
		Says:     "Balancing each objective separately deviates further than balancing all jointly.",
		Stated:   "bounds MAF and AF: M times",
		Setting:  "Lipschitz objectives, any weights; the path within an epoch",
		Here:     "least squares with M = 2, K = 512, d = 10, α = 0.02; H, the deviation with w fixed; 20 runs",
		Choices:  "the problem; H instead of the path itself, which the descent lengthens",
		Check:    cardLink("ordering", "stray"),
		settings: []string{"equal weights", "MGDA"},
		numbers:  []string{"H with JoGBa", "H with separate orders", "H with random orders"},
		measure: func(l *lab) (out []Number) {
			for _, w := range []string{"ls", "mgda"} {
				for _, order := range []string{"jogba", "grab-separate", "random"} {
					out = append(out, l.summary(l.order(equalSteps, w, order), "H"))
				}
			}
			return out
		},
		parts: []part{{says: "H is %.2[1]s with JoGBa, %.2[2]s with separate orders, %.2[3]s with random ones",
			is: func(v []Number) Verdict { return decided(v[1].Low > v[0].High, v[1].High < v[0].Low) }}},
	},
	{
		Name: "stays-near", Paper: "JoGBa", Section: "3.3, Proposition 3.8",
		Says:    "Within an epoch of JoGBa no coordinate of w moves by more than AF.",
		Stated:  "AF, without the step size",
		Setting: "Lipschitz objectives, a balancing bound A, any step size",
		Here:    "least squares with M = 2, K = 128, d = 10, equal weights, 12 epochs; 20 runs",
		Choices: "the problem; A is the largest along the run, F at the start and the minimisers; in other units, losses are a thousandth " +
			"and α a thousand times as large, which is the same run",
		Check:   "paretoplay claims stays-near -quick",
		numbers: named([]string{"α = 0.02", "other units, α = 20"}, "largest movement of a coordinate over AF"),
		measure: (*lab).strayed,
		parts: []part{
			{of: "α = 0.02", says: "it moves by at most %.3[1]x of AF", is: atMost(1, 1)},
			{of: "the same runs in other units, α = 20", says: "it moves by at most %.3[2]x of AF", is: atMost(2, 1)},
		},
	},
	{
		Name: "order-rates", Paper: "JoGBa", Section: "3.3, Theorems 3.6 and 3.9", kept: keptOrders,
		Says:    "ω² falls faster in K with JoGBa’s orders than with random ones: as K to the power of -2/3 and of -1/2.",
		Stated:  "-0.67 and -0.50",
		Setting: "MGDA; bounds on the mean over T epochs, with the theorems’ step sizes",
		Here:    "least squares with M = 2, d = 10, K = 32, 128 and 512, T = 1000; the best step size for each; 20 paired runs",
		Choices: "the problem and where runs start; relative to ω² at the start; the theorems’ step sizes are far too small to be of use; " +
			"the bounds cover the worst case, so a single problem can contradict the comparison, but not the theorems",
		Check: cardLink("ordering", "theorems"),
		numbers: named([]string{"MGDA from the origin", "MGDA from the origin, separate random orders per objective",
			"equal weights from the origin", "equal weights from near the minimum"}, "power of K with JoGBa",
			"power of K with random orders", "difference of the powers, JoGBa minus random"),
		measure: func(l *lab) (out []Number) {
			for _, c := range rateContests {
				jogba, other := l.slopes(c.near, c.weighting, "jogba"), l.slopes(c.near, c.weighting, c.against)
				out = append(out, mean(jogba), mean(other), difference(jogba, other))
			}
			return out
		},
		parts: rateParts(),
	},
	{
		Name: "order-bounds", Paper: "JoGBa", Section: "3.3, Theorems 3.6 and 3.9", kept: toldOfOrders,
		Says:     "The mean of ω² stays below the bounds.",
		Stated:   "4 terms",
		Setting:  "MGDA; the theorems’ step sizes",
		Here:     "least squares with M = 2, K = 512, d = 10, T = 1000, from the origin; 20 runs",
		Choices:  "the problem; constants estimated for the first run; the best step sizes instead of the theorems’",
		Check:    cardLink("ordering", "theorems"),
		settings: []string{"Theorem 3.6, random orders", "Theorem 3.9, JoGBa"},
		numbers:  []string{"bound", "mean of ω²"},
		measure: func(l *lab) (out []Number) {
			bounds := append(l.told(toldOfOrders, `Theorem 3\.6 promises ([\d.]+), `), l.told(toldOfOrders, `Theorem 3\.9 ([\d.]+), of which`)...)
			for i, order := range []string{"random", "jogba"} {
				row := l.rate("0", "mgda", "512", order)
				horizons := strings.Fields(row["horizons"])
				var squares []float64
				for _, run := range l.rows(row, "each") {
					squares = append(squares, portable.Pow(10, run[len(horizons)-1]))
				}
				out = append(out, exact(bounds[i]), mean(squares))
			}
			return out
		},
		parts: []part{{says: "the bound is %[1]g, the mean %.4[2]s", is: func(v []Number) Verdict { return v[1].atMost(v[0].Value) }}},
	},
	{
		Name: "order-time", Paper: "JoGBa", Section: "4.3, Table 3", kept: toldOfOrders,
		Says:    "Ordering takes a negligible share of a step’s time.",
		Stated:  "0.05 s of 1.2 to 1.6 s of CPU time, 3 to 4 %",
		Setting: "networks on NYUv2; processor time, although the networks run on a graphics card",
		Here:    "least squares with M = 2, MGDA, one processor",
		Choices: "the problem, whose gradients are cheap compared with a network’s; “negligible” means at most 5 %",
		Check:   cardLink("ordering", "cost"),
		numbers: named([]string{"one sample, d = 10", "one sample, d = 1000", "one sample, d = 100,000", "64 samples, d = 10",
			"64 samples, d = 1000", "64 samples, d = 100,000"}, "percent that ordering adds to a step’s time"),
		measure: func(l *lab) []Number {
			three := `(\d+), (\d+) and (\d+) %`
			return exactly(l.told(toldOfOrders, "adds "+three+" to the update for .* with single samples, and "+three)...)
		},
		decide: func(v []Number) []Part {
			var parts []Part
			for i, samples := range []string{"one sample", "64 samples"} {
				for k, d := range []string{"10", "1000", "100,000"} {
					n := v[3*i+k]
					parts = append(parts, Part{"examples of " + samples + ", d = " + d, n.text(0) + " %", n.atMost(5)})
				}
			}
			dearest := exact(max(v[3].Value/v[0].Value, v[4].Value/v[1].Value, v[5].Value/v[2].Value))
			return append(parts, Part{"less than half the share where gradients cost more", "with 64 samples, at most " + dearest.times(2) +
				" of the share with one sample", dearest.below(0.5)})
		},
	},
	{
		Name: "flipflop", Paper: "JoGBa", Section: "4.1 and 4.2, Tables 1 and 2", kept: keptOrders,
		Says:     "FlipFlop is behind random orders.",
		Stated:   "generally worse",
		Setting:  ordersPaper,
		Here:     ordersHere + "; and regression on shared inputs that it can fit exactly, K = 128, d = 400",
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    cardLink("ordering", "flipflop"),
		settings: append(weightingNames(), "equal weights, shared inputs"),
		numbers:  []string{"FlipFlop’s ω over random orders’"},
		measure: func(l *lab) []Number {
			return append(byWeighting(func(w string) Number { return l.againstRandom(largeContest, w, "flipflop") }),
				l.againstRandom(fittedContest, "ls", "flipflop"))
		},
		parts: []part{{says: "ω is %.2[1]x of random’s", is: above(1, 1)}},
	},
	{
		Name: "random-flipflop", Paper: "JoGBa", Section: "4.1 and 4.2, Tables 1 and 2", kept: keptOrders,
		Says:     "Random FlipFlop is slightly better than random orders.",
		Stated:   "slightly better on NYUv2, comparable on QM9",
		Setting:  ordersPaper,
		Here:     ordersHere,
		Choices:  ordersChoices + "; equal weights in addition to the paper’s four",
		Check:    cardLink("ordering", "flipflop"),
		settings: weightingNames(),
		numbers:  []string{"Random FlipFlop’s ω over random orders’"},
		measure: func(l *lab) []Number {
			return byWeighting(func(w string) Number { return l.againstRandom(largeContest, w, "randomflipflop") })
		},
		parts: []part{{says: "ω is %.2[1]x of random’s", is: below(1, 1)}},
	},
	{
		Name: "order-networks", Paper: "JoGBa", Section: "4, Tables 1, 2 and 4",
		Says:    "With JoGBa’s orders, networks perform better on NYUv2 and QM9.",
		Stated:  "the least Δm% with every weighting",
		Setting: ordersPaper,
		because: "it requires networks and their data",
	},
}

// rateContests lists the settings in which exponents are compared.
var rateContests = []struct{ title, near, weighting, against string }{
	{"MGDA, as in the theorems, from the origin", "0", "mgda", "random"},
	{"MGDA, from the origin, against separate random orders per objective", "0", "mgda", "random-own"},
	{"equal weights, from the origin", "0", "ls", "random"},
	{"equal weights, from 0.97 of the way to the minimum", "0.97", "ls", "random"},
}

// weightingNames lists the names of the weightings in contests.
func weightingNames() (out []string) {
	for _, w := range weightingTitles {
		out = append(out, w.title)
	}
	return out
}

// byWeighting calls its argument with each weighting and returns the results.
func byWeighting(of func(weighting string) Number) (out []Number) {
	for _, w := range weightingTitles {
		out = append(out, of(w.name))
	}
	return out
}

// rateParts returns the verdicts on the settings in which exponents are compared.
func rateParts() (out []part) {
	for i, c := range rateContests {
		out = append(out, part{c.title, fmt.Sprintf("%%.2[%d]f and %%.2[%d]f, a difference of %%.2[%d]s", 3*i+1, 3*i+2, 3*i+3), below(3*i+3, 0)})
	}
	return out
}

// appended returns the texts, each with end appended.
func appended(texts []string, end string) []string {
	for i := range texts {
		texts[i] += end
	}
	return texts
}

// order returns the table's line for an order with the paper's rules for signs and centring.
func (l *lab) order(contest, weighting, order string) line {
	return l.signs(contest, weighting, order, "")
}

// signs returns the table's line for a variant of an order with another rule for signs or centring.
func (l *lab) signs(contest, weighting, order, variant string) line {
	values := append(strings.Split(contest, ","), "part=orders", "variant="+variant, "weighting="+weighting, "order="+order)
	return l.the(l.table(keptOrders), values...)
}

// rate returns the table's line for an order in the measurement of rates.
func (l *lab) rate(near, weighting, k, order string) line {
	return l.the(l.table(keptOrders), "part=rates", "variant=", "near="+near, "weighting="+weighting, "K="+k, "order="+order)
}

// againstRandom returns the ratio of an order's ω to random orders' ω.
func (l *lab) againstRandom(contest, weighting, order string) Number {
	row := l.order(contest, weighting, order)
	return Number{l.number(row, "ratio"), l.number(row, "ratio_low"), l.number(row, "ratio_high")}
}

// against returns the ratio of one order's ω to another's: the geometric mean over the runs.
func (l *lab) against(contest, weighting, order, other string) Number {
	return l.between(l.order(contest, weighting, order), l.order(contest, weighting, other))
}

// between returns the ratio of two lines' ω: the geometric mean over the runs.
func (l *lab) between(row, other line) Number {
	first := func(row line) (out []float64) {
		for _, run := range l.rows(row, "each") {
			out = append(out, run[0])
		}
		return out
	}
	n := difference(first(row), first(other))
	return Number{portable.Pow(10, n.Value), portable.Pow(10, n.Low), portable.Pow(10, n.High)}
}

// slopes returns, by run, the exponent of K fitted to a ratio: the mean of ω², divided by ω² at the start.
func (l *lab) slopes(near, weighting, order string) (out []float64) {
	var x []float64
	var y [][]float64 // by run, one value per K
	for _, k := range []string{"32", "128", "512"} {
		row := l.rate(near, weighting, k, order)
		x = append(x, portable.Log10(l.number(row, "K")))
		for run, numbers := range l.rows(row, "each") {
			if run == len(y) {
				y = append(y, nil)
			}
			last := len(numbers) - 1
			y[run] = append(y[run], numbers[last-1]-numbers[last])
		}
	}
	for _, run := range y {
		if len(run) != len(x) {
			fail(fmt.Errorf("%s with %s: a run has %d of %d K", order, weighting, len(run), len(x)))
		}
		out = append(out, experiment.Exponent(x, run))
	}
	return out
}

// strayed returns the largest movement of w within an epoch of JoGBa, in units of the bound in Proposition 3.8. The
// second number is the same quantity for losses a thousandth as large.
func (l *lab) strayed() []Number {
	const examples, variables, epochs, units = 128, 10, 12, 1000
	var moved, bounds []float64
	for _, seed := range l.seedList() {
		p := must(problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: 2, Examples: examples, Variables: variables, Condition: 11,
			Heterogeneity: 1, Noise: 0.5, Seed: seed}))
		start := make([]float64, variables)
		constants := must(ordering.Estimate(p, start, 1, ordering.AsPublished, ordering.Greedy))
		s := must(ordering.New(ordering.Config{Problem: p, Start: start, Kind: ordering.JoGBa, FixedWeights: []float64{0.5, 0.5},
			StepSize: 0.02, Seed: seed}))
		meter := ordering.NewMeter(p, 1)
		meter.Hear(s)
		var far, sign float64
		for range epochs * examples {
			must(s.Step())
			epoch := meter.Hear(s)
			far, sign = max(far, 0.02*epoch.Drift), max(sign, epoch.SignBound)
		}
		moved, bounds = append(moved, far), append(bounds, sign*constants.Lipschitz)
	}
	here := ratio(moved, bounds)
	return []Number{here, {units * here.Value, units * here.Low, units * here.High}}
}
