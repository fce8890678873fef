package claims

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/staleness"
)

// ofPSMGD are the claims of the paper on PSMGD.
var ofPSMGD = []Claim{
	{
		Name: "fixed-weights", Paper: "PSMGD", Section: "3.2, Observation 1, Figure 1(a)",
		Says:  "Fixed random weights end at one of the two ends of Fonseca’s front, whatever they are.",
		Check: link("fonseca", "middle"), Stated: "two points, in 10 runs",
		numbers: func(l *lab) []float64 { return l.card("fonseca", "middle").facts("collapsed.ls", "runs.ls") },
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%g of %g runs are at an end", v[0], v[1]), graded(v[0] == v[1], v[0] > v[1]/2)
		},
	},
	{
		Name: "well-spread", Paper: "PSMGD", Section: "3.2, Observation 1, Figure 1(b, c)",
		Says:  "MGDA and PSMGD with R = 4 end all along that front.",
		Check: "paretoplay run -scene fonseca -set starts=20 -set method=mgda,psmgd", Stated: "spread, in 10 runs",
		numbers: func(l *lab) []float64 {
			return l.run("fonseca", "starts=20", "method=mgda,psmgd").facts("collapsed.mgda", "collapsed.psmgd", "runs.mgda")
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v[:2], func(n float64) bool { return n <= v[2]/4 })
			return fmt.Sprintf("%g and %g of %g runs are at an end, the others in between", v[0], v[1], v[2]), graded(all, some)
		},
	},
	{
		Name: "weights-settle", Paper: "PSMGD", Section: "3.2, Observation 2, Figure 1(d)",
		Says:  "MGDA’s weights settle within five iterations and then stay.",
		Check: link("fonseca", "settle"), Stated: "5 iterations",
		numbers: func(l *lab) []float64 {
			return []float64{l.settled("eta=1"), l.settled("eta=0.3")}
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(k float64) bool { return k <= 5 })
			return fmt.Sprintf("all of ten runs within 0.01 of their last weights after %g iterations with η = 1, after %g with η = 0.3",
					v[0], v[1]),
				graded(all, some)
		},
	},
	{
		Name: "momentum", Paper: "PSMGD", Section: "3.3 and 4",
		Says:  "A momentum of 0.9, which the experiments use, stabilises the weights.",
		Check: link("fonseca", "collapse") + "&R=8", Stated: "α = 0.9, R = 8",
		numbers: func(l *lab) []float64 {
			return append(l.card("fonseca", "collapse", "R=8").facts("collapsed.psmgd", "runs.psmgd"),
				l.card("fonseca", "collapse", "R=8", "momentum=0").fact("collapsed.psmgd"))
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("they act as fixed ones: %g of %g runs are at an end with it, %g without", v[0], v[1], v[2]),
				graded(v[0] <= v[2], v[0] <= v[1]/2)
		},
	},
	{
		Name: "noise", Paper: "PSMGD", Section: "3.3, Algorithm 1",
		Says:  "Weights of noisy gradients find trade-offs as exact ones do.",
		Check: link("fonseca", "favourite"), Stated: "Figure 1 has no noise",
		numbers: func(l *lab) []float64 {
			return append(l.card("fonseca", "favourite").facts("collapsed.mgda", "runs.mgda"),
				l.card("fonseca", "favourite", "sigma=0").fact("collapsed.mgda"))
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%g of MGDA’s %g runs drift to an end with σ = 0.1 in 30 variables, %g without noise", v[0], v[1], v[2]),
				graded(v[0] <= v[2], v[0] <= v[1]/2)
		},
	},
	{
		Name: "speedup", Paper: "PSMGD", Section: "3.4, Remark 3.9",
		Says:  "PSMGD costs R times fewer backpropagations: a linear speed-up.",
		Check: link("fonseca", "period"), Stated: "R times",
		numbers: func(l *lab) []float64 {
			var out []float64
			for _, period := range []string{"4", "32"} {
				s := l.card("fonseca", "period", "R="+period, "budget=320")
				out = append(out, s.fact("bp.mgda")/s.fact("bp.psmgd"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%.2f times fewer with R = 4, %.2f with R = 32: SR/(S + R − 1) with S objectives, so at most S = 2", v[0], v[1]),
				graded(v[0] > 3.9 && v[1] > 31, v[0] > 1.1)
		},
	},
	{
		Name: "any-number", Paper: "PSMGD", Section: "3.4, Remark 3.10",
		Says:  "With R ≥ S the backpropagations of a step do not grow with the number S of objectives.",
		Check: "go test ./algo/descent -run TestCostPerStepIsBounded", Stated: "O(1)",
		numbers: func(l *lab) []float64 { return []float64{l.perStep(2), l.perStep(64)} },
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(n float64) bool { return n <= 2 })
			return fmt.Sprintf("%.2f a step with S = R = 2, %.2f with 64", v[0], v[1]), graded(all, some)
		},
	},
	{
		Name: "longer-periods", Paper: "PSMGD", Section: "B.4, Figure 7, Table 7",
		Says:  "Longer periods are cheaper and, from some length on, worse.",
		Check: "paretoplay experiment fonseca-staleness", Stated: "Δm% 88, 92, 110, 116 with R = 4, 8, 16, 32",
		numbers: func(l *lab) (out []float64) {
			file, err := compute(&staleness.Experiment, experiment.Options{Seeds: 1, Jobs: l.options.Jobs})
			if err != nil {
				l.fail(err)
				return nil
			}
			rows, err := lines(file)
			if err != nil {
				l.fail(err)
			}
			for _, period := range []string{"4", "8", "16", "32"} {
				out = append(out, l.number(l.the(rows, "R="+period, "momentum=0", "eta=0.3"), "collapsed"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("%g, %g, %g and %g of 60 runs on Fonseca collapse (η = 0.3)", v[0], v[1], v[2], v[3]),
				graded(slices.IsSorted(v[1:]) && v[3] > 2*v[0], v[3] > v[0])
		},
	},
	{
		Name: "constant-over-T", Paper: "PSMGD", Section: "3.4, Theorem 3.7",
		Says:  "On strongly convex objectives the constant step size c/T brings the error down as 1/T.",
		Check: "paretoplay run -scene fonseca -set problem=quadratic -set etaschedule=asprinted -set budget=1000", Stated: "O(1/T)",
		numbers: func(l *lab) (out []float64) {
			for _, budget := range []string{"100", "10000"} {
				s := l.run("fonseca", "problem=quadratic", "etaschedule=asprinted", "budget="+budget)
				out = append(out, s.fact("stationarity.psmgd"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("ω ends at %.3g with T = 100 and at %.3g with T = 10,000: all the steps together are as long whatever T is; "+
				"the proof’s bound is that of c/(t + 1)", v[0], v[1]), graded(v[1] < v[0]/20, v[1] < v[0]/2)
		},
	},
	{
		Name: "psmgd-rates", Paper: "PSMGD", Section: "3.4, Theorems 3.5 and 3.6",
		Says:   "The error falls as 1/√T on convex and on other objectives.",
		Stated: "O(1/√T)",
		because: "a bound on the worst case: on problems as small as these ω falls geometrically without noise, and with it " +
			"comes to rest at a height that the step size sets",
	},
	{
		Name: "psmgd-networks", Paper: "PSMGD", Section: "4 and B, Tables 2 to 6",
		Says:    "PSMGD is level with the best on QM9, NYUv2, CityScapes, CelebA and Multi-MNIST, in less time.",
		Stated:  "comparable or better mean rank and Δm%",
		because: "it takes networks and their data",
	},
}

// settled returns the number of iterations after which MGDA's weights stay within 0.01 of their
// last values in all runs, with the card and one further value.
func (l *lab) settled(value string) (most float64) {
	for _, r := range l.card("fonseca", "settle", value, "budget=100").runs("mgda") {
		var weights [][]float64
		for _, i := range r.Iterates {
			if w := l.vector(i.Weights); w != nil {
				weights = append(weights, w)
			}
		}
		k := len(weights) - 1
		for k > 0 && math.Abs(weights[k-1][0]-weights[len(weights)-1][0]) <= 0.01 {
			k--
		}
		most = max(most, float64(k))
	}
	return most
}

// perStep returns the backpropagations of a step of PSMGD with R = S on so many objectives.
func (l *lab) perStep(objectives int) float64 {
	const steps = 64 * 10
	of := make([]problem.QuadraticObjective, objectives)
	for k := range of {
		of[k] = problem.QuadraticObjective{A: []float64{1, 0, 0, 1}, Center: []float64{math.Cos(float64(k)), math.Sin(float64(k))}}
	}
	p, err := problem.NewQuadratics(0, of...)
	if err != nil {
		l.fail(err)
		return math.NaN()
	}
	s, err := descent.NewPSMGD(descent.Config{Problem: algo.Exact(p), Start: []float64{2, 2}, Period: objectives, StepSize: 0.01})
	if err != nil {
		l.fail(err)
		return math.NaN()
	}
	view, _, err := algo.Run(s, steps, func(algo.View) bool { return false })
	if err != nil {
		l.fail(err)
	}
	return float64(view.Cost.Backpropagations) / float64(view.K)
}
