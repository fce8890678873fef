package claims

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// nearlyAll is the share of runs that must satisfy a claim about all runs: nine in ten.
const nearlyAll = 0.9

// Phrases that describe settings on Fonseca's problem.
const (
	fonsecaTheirs  = "Fonseca’s problem, 10 runs from random starts, no noise; d, η, T and α are not stated"
	fonsecaChoices = "d, η, T; starts uniform in [−1.2, 1.2]²; a run is at an end if f₁ or f₂ is below 0.05"
)

// ofPSMGD lists the claims of the paper on PSMGD.
var ofPSMGD = []Claim{
	{
		Name: "fixed-weights", Paper: "PSMGD", Section: "3.2, Observation 1, Figure 1(a)",
		Says:    "Fixed random weights can only converge to two points of Fonseca’s front, one for each objective.",
		Stated:  "two points",
		Setting: fonsecaTheirs,
		Here:    "d = 2, η = 0.3, T = 1000, 10 runs from each of 20 seeds",
		Choices: fonsecaChoices + "; “can only” means nine in ten runs",
		Check:   cardLink("fonseca", "middle"),
		numbers: []string{"share of the runs at an end of the front"},
		measure: func(l *lab) []Number {
			return []Number{l.ends(onFonseca{fixed: true, eta: 0.3, steps: 1000, starts: 10}).share()}
		},
		parts: []part{{says: "%.2[1]s of the runs are at one of the two ends", is: atLeast(1, nearlyAll)}},
	},
	{
		Name: "well-spread", Paper: "PSMGD", Section: "3.2, Observation 1, Figure 1(b, c)",
		Says:    "MGDA finds trade-offs between the ends, and PSMGD with R = 4 finds well-distributed ones.",
		Stated:  "points all along the front",
		Setting: fonsecaTheirs,
		Here:    "d = 2, ηT = 60, 10 runs from each of 20 seeds",
		Choices: fonsecaChoices + "; α, which is 0.9 in the paper’s other experiments; “finds trade-offs” means that fewer than a " +
			"quarter of the " +
			"runs are at an end; “well distributed” means runs in each tenth of the Pareto set",
		Check:    "paretoplay run -scene fonseca -set starts=20 -set method=mgda,psmgd",
		settings: []string{"MGDA, η = 0.3", "PSMGD, α = 0, η = 0.3", "PSMGD, α = 0.9, η = 0.03", "PSMGD, α = 0.9, η = 0.3"},
		numbers:  []string{"share of the runs at an end of the front", "tenths of the Pareto set with runs"},
		measure: func(l *lab) (out []Number) {
			for _, c := range []onFonseca{
				{period: 1, eta: 0.3, steps: 200, starts: 10}, {period: 4, eta: 0.3, steps: 200, starts: 10},
				{period: 4, momentum: 0.9, eta: 0.03, steps: 2000, starts: 10}, {period: 4, momentum: 0.9, eta: 0.3, steps: 200, starts: 10},
			} {
				e := l.ends(c)
				out = append(out, e.share(), exact(float64(e.tenths)))
			}
			return out
		},
		parts: []part{{says: "%.2[1]s of the runs are at an end; runs are in %.0[2]s tenths of the set",
			is: all(below(1, 0.25), atLeast(2, 10))}},
	},
	{
		Name: "weights-settle", Paper: "PSMGD", Section: "3.2, Observation 2, Figure 1(d)",
		Says:    "MGDA’s weights converge within five iterations and then do not change.",
		Stated:  "5 iterations, in 5 runs",
		Setting: "Fonseca’s problem, no noise; d and η are not stated",
		Here:    "d = 2, ηT = 100, 10 runs from each of 20 seeds",
		Choices: "d, η; starts uniform in [−1.2, 1.2]²; weights have converged if they stay within 0.01 of their last " +
			"values; the claim holds if " +
			"half of the runs’ weights do so within five iterations",
		Check:    cardLink("fonseca", "settle"),
		settings: []string{"η = 1", "η = 0.3", "η = 0.1"},
		numbers:  []string{"share of the runs that settle within five iterations", "median of the iterations to settle"},
		measure:  func(l *lab) []Number { return append(l.settled(1), append(l.settled(0.3), l.settled(0.1)...)...) },
		parts:    []part{{says: "%.2[1]s of the runs’ weights do so; the median is %.0[2]s iterations", is: atLeast(1, 0.5)}},
	},
	{
		Name: "momentum", Paper: "PSMGD", Section: "3.3 and B.3",
		Says:     "Momentum further stabilises the weights.",
		Stated:   "α = 0.9",
		Setting:  "stochastic gradients, networks on QM9 and others with α = 0.9 and R = 8; no figure shows the weights with and without it",
		Here:     "Fonseca’s problem, d = 2, R = 8, 800 iterations, 20 seeds; noise of deviation σ in each entry of a gradient",
		Choices:  "the problem, η and σ; stability is the mean change of a weight from one refresh to the next",
		Check:    cardLink("fonseca", "collapse") + "&R=8",
		settings: []string{"σ = 0.1, η = 0.3", "σ = 0.1, η = 0.03", "σ = 0, η = 0.3", "σ = 0, η = 0.03"},
		numbers: []string{"mean change of a weight without momentum", "mean change of a weight with momentum",
			"difference of the changes, with minus without", "runs at an end of the front without momentum",
			"runs at an end of the front with momentum"},
		measure: func(l *lab) (out []Number) {
			for _, c := range momentumCases {
				without, with := l.restless(c.sigma, c.eta, 0), l.restless(c.sigma, c.eta, 0.9)
				out = append(out, mean(without.changes), mean(with.changes), difference(with.changes, without.changes),
					exact(float64(without.atEnd)), exact(float64(with.atEnd)))
			}
			return out
		},
		parts: []part{{says: "a weight changes by %.4[2]s with it and by %.4[1]s without, a difference of %.4[3]s; %.0[5]s of 20 runs " +
			"end at an end of the front with it, %.0[4]s without", is: below(3, 0)}},
	},
	{
		Name: "backpropagations", Paper: "PSMGD", Section: "3.4, Remark 3.9",
		Says:    "PSMGD’s T iterations take (S + R − 1)T/R backpropagations; other methods take ST.",
		Stated:  "O(S/(εR) + (R − 1)/(εR)), of 1/ε iterations",
		Setting: "S objectives, any R",
		Here:    "quadratics, S = 2, 8 and 64, R = 4 and 32, T = 640",
		Check:   "go test ./algo/descent -run TestCostPerStepIsBounded",
		numbers: []string{"largest relative deviation from the formula"},
		measure: func(l *lab) []Number {
			farthest := 0.
			for _, objectives := range manyObjectives {
				for _, period := range twoPeriods {
					s, r := float64(objectives), float64(period)
					farthest = max(farthest, math.Abs(l.perStep(objectives, period)/((s+r-1)/r)-1))
				}
			}
			return exactly(farthest)
		},
		decide: func(v []Number) []Part {
			return whole(v[0].atMost(1e-9), fmt.Sprintf("the largest deviation from the formula is %.0f %%", 100*v[0].Value))
		},
	},
	{
		Name: "speedup", Paper: "PSMGD", Section: "3.4, Definition 3 and Remark 3.9",
		Says:    "Compared with other methods, PSMGD reaches ε with R times fewer backpropagations: a linear speed-up in R.",
		Stated:  "linear in R",
		Setting: "S objectives, any R; R = 4 and 8 with S = 2 to 40 in the experiments",
		Here:    "S random quadratics in 10 variables, η = 0.1, until ω is a hundredth of its start value, against MGDA, 20 seeds",
		Choices: "the problem, η and ε; “linear” means a speed-up of at least 0.9R. By the count of Remark 3.9 it is SR/(S + R − 1), " +
			"which is less than S and less than R",
		Check: "paretoplay claims speedup -quick",
		numbers: named([]string{"S = 2, R = 4", "S = 2, R = 32", "S = 8, R = 4", "S = 8, R = 32", "S = 64, R = 4",
			"S = 64, R = 32"}, "MGDA’s backpropagations over PSMGD’s"),
		measure: func(l *lab) (out []Number) {
			for _, objectives := range manyObjectives {
				mgda := l.eachSeed(func(seed uint64) float64 { return l.paid(objectives, 1, seed) })
				for _, period := range twoPeriods {
					out = append(out, ratio(mgda, l.eachSeed(func(seed uint64) float64 { return l.paid(objectives, period, seed) })))
				}
			}
			return out
		},
		parts: speedups(),
	},
	{
		Name: "least-cost", Paper: "PSMGD", Section: "B.2, Figure 5(b)",
		Says: "To converge, linear scalarization takes the most iterations, at one backpropagation each, and PSMGD the fewest " +
			"backpropagations.",
		Stated:  "a figure; in time PSMGD 7.19 s, the shortest",
		Setting: "a network on Multi-MNIST, S = 2, R = 4, until both accuracies on the validation set are 0.9, 10 seeds",
		Here: "Fonseca’s problem, d = 2, R = 4, η = 0.3, until ω is 0.01, 10 runs from each of 20 seeds, against MGDA and " +
			"random fixed weights",
		Choices: "the problem, η and α = 0; starts uniform in [−1.2, 1.2]²; ω, which is small where no step improves both objectives, also at " +
			"an end of the front",
		Check: "paretoplay run -scene fonseca -set method=psmgd,mgda,ls -set stop=0.01",
		numbers: []string{"iterations, fixed weights", "iterations, MGDA", "iterations, PSMGD",
			"iterations, fixed weights minus MGDA", "iterations, fixed weights minus PSMGD", "backpropagations, fixed weights",
			"backpropagations, MGDA", "backpropagations, PSMGD", "backpropagations, PSMGD minus fixed weights",
			"backpropagations, PSMGD minus MGDA"},
		measure: func(l *lab) []Number {
			psmgd := l.untilStationary(onFonseca{period: 4, eta: 0.3, starts: 10})
			mgda := l.untilStationary(onFonseca{period: 1, eta: 0.3, starts: 10})
			fixed := l.untilStationary(onFonseca{fixed: true, eta: 0.3, starts: 10})
			return []Number{
				mean(fixed.iterations), mean(mgda.iterations), mean(psmgd.iterations), difference(fixed.iterations, mgda.iterations),
				difference(fixed.iterations, psmgd.iterations), mean(fixed.paid), mean(mgda.paid), mean(psmgd.paid),
				difference(psmgd.paid, fixed.paid), difference(psmgd.paid, mgda.paid),
			}
		},
		parts: []part{
			{of: "fixed weights take the most iterations", says: "they take %.1[1]s, MGDA %.1[2]s, PSMGD %.1[3]s",
				is: all(above(4, 0), above(5, 0))},
			{of: "PSMGD takes fewer backpropagations than fixed weights", says: "it takes %.1[8]s, fixed weights %.1[6]s, a " +
				"difference of %.1[9]s", is: below(9, 0)},
			{of: "PSMGD takes fewer backpropagations than MGDA", says: "MGDA takes %.1[7]s, a difference of %.1[10]s", is: below(10, 0)},
		},
	},
	{
		Name: "any-number", Paper: "PSMGD", Section: "3.4, Remark 3.10",
		Says:    "With R = Ω(S) the number of backpropagations does not depend on the number S of objectives.",
		Stated:  "O(1/ε)",
		Setting: "S objectives, R = Ω(S)",
		Here:    "quadratics, S = 2, 8 and 64, R = S and R = S/2, T = 640",
		Choices: "“does not depend on S” means at most 3 per iteration for every S, which is 1 + S/R with R = S/2",
		Check:   "go test ./algo/descent -run TestCostPerStepIsBounded",
		numbers: named([]string{"S = 2", "S = 8", "S = 64"}, "backpropagations per iteration with R = S",
			"backpropagations per iteration with R = S/2"),
		measure: func(l *lab) (out []Number) {
			for _, objectives := range manyObjectives {
				out = append(out, exact(l.perStep(objectives, objectives)), exact(l.perStep(objectives, objectives/2)))
			}
			return out
		},
		parts: []part{{says: "an iteration takes %.2[1]s, %.2[3]s and %.2[5]s with R = S, and %.2[2]s, %.2[4]s and %.2[6]s with R = " +
			"S/2", is: all(atMost(1, 3), atMost(2, 3), atMost(3, 3), atMost(4, 3), atMost(5, 3), atMost(6, 3))}},
	},
	{
		Name: "longer-periods", Paper: "PSMGD", Section: "B.4, Figure 7, Table 7",
		Says:     "The final result with R = 8 is as good as with R = 4, and with R = 16 and 32 it is worse.",
		Stated:   "Δm% 88.2, 92.4, 109.7, 116.2 with R = 4, 8, 16, 32",
		Setting:  "a network on QM9, S = 11, α = 0.9, 3 seeds; the ratio of the step size to the curvature is unknown",
		Here:     "Fonseca’s problem, d = 2, ηT = 60, 5 runs from each of 20 seeds; a result is bad if runs are at an end of the front",
		Choices:  fonsecaChoices + "; α, which we also set to 0; “as good” means that at most a tenth more of the runs are at an end",
		Check:    "paretoplay experiment fonseca-staleness",
		settings: []string{"α = 0, η = 0.3", "α = 0, η = 0.1", "α = 0.9, η = 0.03"},
		numbers: []string{"share of the runs at an end, R = 4", "share of the runs at an end, R = 8", "share of the runs at an end, R = 16",
			"share of the runs at an end, R = 32", "difference of the shares, R = 8 minus R = 4", "difference of the shares, R = 16 minus R = 8",
			"difference of the shares, R = 32 minus R = 8"},
		measure: func(l *lab) (out []Number) {
			for _, c := range periodCases {
				var at [4]*ends
				for i, period := range fourPeriods {
					at[i] = l.ends(onFonseca{period: period, momentum: c.momentum, eta: c.eta, steps: int(math.Round(60 / c.eta)), starts: 5})
					out = append(out, at[i].share())
				}
				for _, pair := range [][2]int{{1, 0}, {2, 1}, {3, 1}} {
					out = append(out, difference(at[pair[0]].shares, at[pair[1]].shares))
				}
			}
			return out
		},
		parts: []part{
			{of: "{}: 8 as good as 4", says: "%.2[1]s of the runs are at an end with R = 4, %.2[2]s with 8", is: atMost(5, 0.1)},
			{of: "{}: 16 and 32 worse than 8", says: "%.2[6]s more with R = 16 than with 8, %.2[7]s more with 32",
				is: all(above(6, 0), above(7, 0))},
		},
	},
	{
		Name: "constant-over-T", Paper: "PSMGD", Section: "3.4, Theorem 3.7",
		Says:    "On strongly convex objectives, the step size c/T with c > 1/μ reduces the gap G(x_T, λ_T) − min G(·, λ_T) as 1/T.",
		Stated:  "O(1/T)",
		Setting: "μ-strongly convex objectives with bounded gradients and values, any R",
		Here:    "‖x ∓ c‖²/4 in two variables, where 1/μ = 2, c = 2.5, R = 4, no noise, 20 seeds",
		Choices: "the problem, R and c; 1 − α = η, which the theorem does not state; “as 1/T” means that the gap falls " +
			"to a fiftieth " +
			"at most while T grows a hundredfold",
		Check: "paretoplay run -scene fonseca -set problem=quadratic -set etaschedule=asprinted -set momentumschedule=asprinted " +
			"-set eta=2.5 -set budget=1000",
		numbers: []string{"gap after T = 100", "gap after T = 10,000", "gap after T = 10,000 over the gap after T = 100"},
		measure: func(l *lab) []Number {
			short, long := l.strongGaps(100), l.strongGaps(10_000)
			return []Number{mean(short), mean(long), ratio(long, short)}
		},
		parts: []part{{says: "the gap is %.4[1]s after T = 100 steps and %.4[2]s after T = 10,000, %.3[3]x: all steps together " +
			"have the same length for every T", is: atMost(3, 1./50)}},
	},
	{
		Name: "psmgd-rates", Paper: "PSMGD", Section: "3.4, Theorems 3.5 and 3.6",
		Says:    "With the theorems’ η_t and α_t the mean error falls at least as fast as 1/√T.",
		Stated:  "O(1/√T)",
		Setting: "objectives with bounded gradients; a bound on the worst case, which a problem can meet or break",
		Here:    "R = 4, T = 250 to 16,000, noise of deviation 0.1, 20 seeds; the fitted power of T of the mean error",
		Choices: "the problems, R and the noise; η = 0.3 as the constant of Theorem 3.5; x_* minimises G(·, λ_t)",
		Check:   "paretoplay run -scene fonseca -set etaschedule=theorem35 -set momentumschedule=theorem35 -set sigma=0.1 -set budget=1000",
		numbers: []string{"power of T, Theorem 3.5", "power of T, Theorem 3.6"},
		measure: func(l *lab) []Number {
			return []Number{l.errorPower(descent.Theorem35), l.errorPower(descent.Theorem36)}
		},
		parts: []part{
			{of: "Theorem 3.5, ‖∇G‖² on Fonseca’s problem", says: "as T to the power of %.2[1]s", is: atMost(1, -0.5)},
			{of: "Theorem 3.6, the gap of G on ‖x ∓ c‖²/4", says: "as T to the power of %.2[2]s", is: atMost(2, -0.5)},
		},
	},
	{
		Name: "psmgd-networks", Paper: "PSMGD", Section: "4 and B, Tables 2 to 6",
		Says:    "PSMGD matches the best methods on QM9, NYUv2, CityScapes, CelebA and Multi-MNIST, in less time.",
		Stated:  "comparable or better mean rank and Δm%",
		Setting: "networks on five data sets, R = 4 or 8, α = 0.9, 3 or 10 seeds",
		because: "it requires networks and their data",
	},
	{
		Name: "conflicts-slow", Paper: "PSMGD", Section: "2",
		Says:    "Conflicts between objectives slow down linear scalarization, and it performs poorly.",
		Stated:  "suffers from slow convergence and poor performance due to potential conflicts",
		Setting: "linear scalarization of several objectives, in general",
		Here: "two quadratics with the same matrix in four variables and minima at c and −c, against the same two with both minima at 0; " +
			"equal weights, η = 0.1; 20 draws",
		Choices: "the problem: the mean of the two losses is the same up to a constant with and without conflicts; “slow” counts the steps " +
			"until the mean loss is within a thousandth of its initial distance from the minimum; “poor” is a mean loss, which equal " +
			"weights minimise, above PSMGD’s with R = 4 after 1000 steps",
		Check: "paretoplay claims conflicts-slow -quick",
		numbers: []string{"share of the steps in which the gradients conflict, minima apart", "steps with minima apart over steps with both at 0",
			"mean loss of equal weights minus PSMGD’s, minima apart"},
		measure: (*lab).slowedByConflict,
		parts: []part{
			{of: "slow it down", says: "with conflicts in %.2[1]s of the steps, it takes %.3[2]x as many steps", is: above(2, 1)},
			{of: "performs poorly", says: "a mean loss of %.3[3]s against PSMGD’s", is: above(3, 0)},
		},
	},
}

var (
	// manyObjectives lists the S for which backpropagations are counted. PSMGD saves the least with two objectives.
	manyObjectives = []int{2, 8, 64}
	twoPeriods     = []int{4, 32}
	fourPeriods    = []int{4, 8, 16, 32}
)

// speedups returns the verdicts on how much less PSMGD costs.
func speedups() (out []part) {
	for _, objectives := range manyObjectives {
		for _, period := range twoPeriods {
			i, s, r := len(out)+1, float64(objectives), float64(period)
			out = append(out, part{fmt.Sprintf("S = %d, R = %d", objectives, period),
				fmt.Sprintf("%%.2[%d]s times fewer; SR/(S + R − 1) is %.2f", i, s*r/(s+r-1)), atLeast(i, 0.9*r)})
		}
	}
	return out
}

// momentumCases lists the settings for comparing weights with and without momentum.
var momentumCases = []struct{ sigma, eta float64 }{{0.1, 0.3}, {0.1, 0.03}, {0, 0.3}, {0, 0.03}}

// periodCases lists the settings in which PSMGD is compared for several periods R.
var periodCases = []struct{ momentum, eta float64 }{{0, 0.3}, {0, 0.1}, {0.9, 0.03}}

// settled returns the share of MGDA's runs whose weights stay within 0.01 of their last values after five iterations.
// It also returns the median number of iterations after which the weights stay that close.
func (l *lab) settled(eta float64) []Number {
	p := l.fonseca(0)
	var after []float64
	soon := 0
	for _, seed := range l.seedList() {
		for _, x := range startsAbout(seed, 10, 2, 0, halfSide) {
			var weights []float64
			l.descend(descent.Config{Problem: p, Start: x, StepSize: eta}, int(math.Round(100/eta)), func(v algo.View) {
				weights = append(weights, v.Weights[0])
			})
			k := len(weights) - 1
			for k > 0 && math.Abs(weights[k-1]-weights[len(weights)-1]) <= 0.01 {
				k--
			}
			if after = append(after, float64(k)); k <= 5 {
				soon++
			}
		}
	}
	return []Number{share(soon, len(after)), exact(experiment.Median(after))}
}

// restlessness contains the change of the weights by seed, and the number of runs that end at an end of the front.
type restlessness struct {
	changes []float64
	atEnd   int
}

// restless returns the mean change of a weight between two refreshes with R = 8, and the number of runs that end at an
// end of the front.
func (l *lab) restless(sigma, eta, momentum float64) (out restlessness) {
	p := l.fonseca(sigma)
	out.changes = l.eachSeed(func(seed uint64) float64 {
		var sum, last float64
		refreshes := 0
		v := l.descend(descent.Config{
			Problem: p, Start: startsAbout(seed, 1, 2, 0, halfSide)[0], StepSize: eta, Period: 8, Momentum: momentum, Seed: seed,
		}, 800, func(v algo.View) {
			if !v.Refreshed {
				return
			}
			if refreshes++; refreshes > 1 {
				sum += math.Abs(v.Weights[0] - last)
			}
			last = v.Weights[0]
		})
		if min(v.F[0], v.F[1]) < p.End() {
			out.atEnd++
		}
		return sum / float64(refreshes-1)
	})
	return out
}

// perStep returns PSMGD's backpropagations per step for the given number of objectives and the given period.
func (l *lab) perStep(objectives, period int) float64 {
	p, start := l.bowls(objectives, l.seedList()[0])
	const steps = 640 // a multiple of every period
	v := l.descend(descent.Config{Problem: algo.Exact(p), Start: start, StepSize: 0.1, Period: period}, steps, nil)
	return float64(v.Cost.Backpropagations) / steps
}

// bowlGap returns the gap G(x, λ) − min G(·, λ) for two quadratics ‖x ∓ c‖²/4. If the weights sum to 1, G has its
// minimum at the weighted mean of ±c, and the gap is a quarter of the squared distance from there.
func bowlGap(p *problem.TwoQuadratics, x, weights []float64) float64 {
	_, tip := p.ParetoInterval()
	var sum float64
	for _, v := range x {
		d := v - float64((weights[0]-weights[1])*tip)
		sum += float64(d * d)
	}
	return sum / 4
}

// twoBowls returns the problem for bowlGap, with noise of standard deviation sigma.
func (l *lab) twoBowls(sigma float64) *problem.TwoQuadratics {
	return must(problem.NewTwoQuadratics(2, sigma))
}

// strongGaps returns, by seed, the gap after a run with the given number of steps and the step size in Theorem 3.7.
func (l *lab) strongGaps(steps int) []float64 {
	p := l.twoBowls(0)
	return l.eachSeed(func(seed uint64) float64 {
		v := l.descend(descent.Config{
			Problem: p, Start: startsAbout(seed, 1, 2, 0, halfSide)[0], StepSize: 2.5, Horizon: steps, Period: 4,
			StepSizeSchedule: descent.AsPrinted, MomentumSchedule: descent.AsPrinted,
		}, steps, nil)
		return bowlGap(p, v.X, v.Weights)
	})
}

// errorPower returns the exponent of T, fitted to the mean error over T steps with a theorem's schedules. The error is
// ‖∇G(x_t, λ_t)‖² on Fonseca's problem for Theorem 3.5, and the gap on two bowls for Theorem 3.6.
func (l *lab) errorPower(theorem descent.Schedule) Number {
	const sigma = 0.1
	fonseca, bowls := l.fonseca(sigma), l.twoBowls(sigma)
	return mean(l.eachSeed(func(seed uint64) float64 {
		x := startsAbout(seed, 1, 2, 0, halfSide)[0]
		c := descent.Config{
			Problem: bowls, Start: x, StepSize: 0.3, Period: 4, Seed: seed, StepSizeSchedule: theorem, MomentumSchedule: theorem,
		}
		jac, gradient := algo.NewJacobian(2, 2), make([]float64, 2)
		if theorem == descent.Theorem35 {
			c.Problem = fonseca
		}
		var sum float64
		var logT, logError []float64
		l.descend(c, 16_000, func(v algo.View) {
			if theorem == descent.Theorem35 {
				fonseca.Jacobian(jac, x)
				jac.Combine(gradient, v.Weights)
				sum += float64(gradient[0]*gradient[0]) + float64(gradient[1]*gradient[1])
			} else {
				sum += bowlGap(bowls, x, v.Weights)
			}
			copy(x, v.X)
			if v.K == 250 || v.K == 1000 || v.K == 4000 || v.K == 16_000 {
				logT, logError = append(logT, portable.Log(float64(v.K))), append(logError, portable.Log(sum/float64(v.K)))
			}
		})
		return experiment.Exponent(logT, logError)
	}))
}

// slowedByConflict returns three numbers for equal weights on two quadratics whose sum does not depend on the distance
// between their minima. The first is the share of steps with conflicting gradients if the minima are apart. The second
// is the number of steps with the minima apart divided by the number of steps with equal minima. Steps are counted
// until the mean loss is within a thousandth of its initial distance from the minimum. The third is the mean loss minus
// PSMGD's mean loss, both after 1000 steps.
func (l *lab) slowedByConflict() []Number {
	const eta, steps, near = 0.1, 1000, 1e-3
	var shares, apart, together, ahead []float64
	for _, seed := range l.seedList() {
		drawn := drawnObjectives(seed)
		start := slices.Repeat([]float64{1.5}, drawnVariables)
		race := func(scale float64) (took, conflicts, end, other float64) {
			objectives := make([]problem.QuadraticObjective, 2)
			for o, sign := range []float64{scale, -scale} {
				c := slices.Clone(drawn[1].Center)
				for i := range c {
					c[i] *= sign
				}
				objectives[o] = problem.QuadraticObjective{A: drawn[0].A, Center: c}
			}
			p := l.quadratics(0, objectives...)
			mean := func(x []float64) float64 {
				f := make([]float64, 2)
				p.Values(f, x)
				return float64((f[0] + f[1]) / 2)
			}
			least := mean(make([]float64, drawnVariables))
			first := mean(start) - least
			jac := algo.NewJacobian(2, drawnVariables)
			config := descent.Config{Problem: p, Start: start, StepSize: eta}
			v := l.descend(descent.LinearScalarization(config, []float64{0.5, 0.5}), steps, func(v algo.View) {
				if took > 0 {
					return
				}
				p.Jacobian(jac, v.X)
				if portable.Dot(jac.Row(0), jac.Row(1)) < 0 {
					conflicts++
				}
				if mean(v.X)-least <= near*first {
					took = float64(v.K)
				}
			})
			if took == 0 {
				fail(fmt.Errorf("draw %d: equal weights have not converged after %d steps", seed, steps))
			}
			end = mean(v.X)
			config.Period = 4
			return took, conflicts / took, end, mean(l.descend(config, steps, nil).X)
		}
		took, share, end, other := race(1)
		alone, _, _, _ := race(0)
		shares, apart, together, ahead = append(shares, share), append(apart, took), append(together, alone), append(ahead, end-other)
	}
	return []Number{mean(shares), ratio(apart, together), mean(ahead)}
}
