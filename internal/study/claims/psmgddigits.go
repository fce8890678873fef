package claims

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/problem/network/pictures"
	"paretoplay/algo/runlog/digits"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/networkgrid"
)

// Phrases that describe settings on two digits.
const (
	digitsTheirs = "a network on Multi-MNIST, S = 2, R = 4, 100 epochs of Adam on batches of 256, 10 seeds"
	digitsHere   = "the left and the right digit of a pair, S = 2; a network of 9,608 parameters, Adam on batches of 256"
)

// onDigits lists the PSMGD paper's claims about networks that learn two digits.
var onDigits = []Claim{
	{
		Name: "digit-weights", Paper: "PSMGD", Section: "1, 3.2 and B.2, Figure 6",
		Says: "During training, MGDA’s weights keep their average, and most are between 0.4 and 0.6, so they do not " +
			"change drastically.",
		Stated:  "[0.4, 0.6]; low variability",
		Setting: digitsTheirs,
		Here:    digitsHere + ", 160 steps of MGDA with η = 0.005, ten epochs, 20 seeds; and the log digits-two, a training run in PyTorch",
		Choices: "the network, its data and the length of training; “most” means more than half; averages are over epochs, " +
			"and “keep” means that they deviate by at most 0.05; a drastic change exceeds 0.2 from one step to the next, " +
			"and the claim allows it " +
			"in one of ten steps",
		Check: "paretoplay claims digit-weights -quick",
		numbers: []string{"share of MGDA’s weights between 0.4 and 0.6", "share of MGDA’s weights between 0.4 and 0.6, digits-two",
			"deviation of the averages of epochs", "share of the steps that change a weight by at most 0.2",
			"mean change of a weight from one step to the next"},
		measure: func(l *lab) []Number {
			var within, averages, calm, change []float64
			for _, r := range l.trained("mgda") {
				within = append(within, shareOf(r.weights, evenly))
				var means []float64
				for epoch := range slices.Chunk(r.weights, digitEpoch) {
					if len(epoch) == digitEpoch {
						means = append(means, experiment.WithInterval(epoch).Mean)
					}
				}
				averages = append(averages, deviation(means))
				changes := make([]float64, len(r.weights)-1)
				for k := range changes {
					changes[k] = math.Abs(r.weights[k+1] - r.weights[k])
				}
				calm = append(calm, shareOf(changes, func(v float64) bool { return v <= 0.2 }))
				change = append(change, experiment.WithInterval(changes).Mean)
			}
			return []Number{mean(within), exact(shareOf(l.loggedWeights("two"), evenly)), mean(averages), mean(calm), mean(change)}
		},
		parts: []part{
			{of: "within 0.4 and 0.6", says: "%.2[1]s of the weights", is: above(1, 0.5)},
			{of: "within 0.4 and 0.6, the log", says: "%.2[2]s of the weights", is: above(2, 0.5)},
			{of: "the average is kept", says: "the averages of epochs deviate by %.3[3]s", is: atMost(3, 0.05)},
			{of: "no drastic change", says: "%.2[4]s of the steps change a weight by at most 0.2, the mean step by %.3[5]s",
				is: atLeast(4, nearlyAll)},
		},
	},
	{
		Name: "conflicts", Paper: "PSMGD", Section: "2",
		Says:     "With fixed weights, conflicts between objectives, ⟨∇f_s, ∇f_s’⟩ < 0, are not uncommon.",
		Stated:   "not uncommon",
		Setting:  "linear scalarization of several objectives, in general",
		Here:     "the logs digits-two and digits-eight, trainings in PyTorch with equal weights, of two and of eight losses",
		Choices:  "the trainings, one of each; “not uncommon” means in at least a tenth of the records",
		Check:    "paretoplay claims conflicts -quick",
		settings: []string{"two losses", "eight losses"},
		numbers:  []string{"share of the records in which two losses conflict", "share of the pairs that conflict"},
		measure:  func(l *lab) []Number { return append(l.conflicts("two"), l.conflicts("eight")...) },
		parts:    []part{{says: "in %.2[1]f of the records at least two losses conflict; of the pairs, %.2[2]f do", is: atLeast(1, 0.1)}},
	},
	{
		Name: "digits-cost", Paper: "PSMGD", Section: "B.2, Figure 5(b)",
		Says:    "On two digits too, linear scalarization takes the most steps to converge, and PSMGD the fewest backpropagations.",
		Stated:  "a figure; in time PSMGD 7.19 s, the shortest",
		Setting: digitsTheirs + "; until both accuracies on the validation set are 0.9",
		Here:    digitsHere + ", R = 4, until both accuracies on 1024 validation pairs are 0.9, checked every 4 steps; 20 seeds",
		Choices: "the network and its data; each method’s step size from docs/network.csv, 0.005 for MGDA and PSMGD " +
			"and 0.002 for equal weights, and " +
			"also 0.005 for all, because the smaller one takes more steps; α = 0; equal weights for " +
			"linear scalarization; a run that takes longer than 160 steps counts as 160",
		Check: "paretoplay claims digits-cost -quick",
		numbers: []string{"steps, equal weights", "steps, MGDA", "steps, PSMGD", "steps, equal weights minus MGDA",
			"steps, equal weights minus PSMGD", "backpropagations, equal weights", "backpropagations, MGDA", "backpropagations, PSMGD",
			"backpropagations, PSMGD minus equal weights", "backpropagations, PSMGD minus MGDA", "steps, equal weights with η = 0.005",
			"steps, equal weights with η = 0.005 minus MGDA", "steps, equal weights with η = 0.005 minus PSMGD",
			"backpropagations, PSMGD minus equal weights with η = 0.005"},
		measure: func(l *lab) []Number {
			var steps, paid [4][]float64
			for i, method := range []string{"ls", "mgda", "psmgd", longerSteps} {
				for _, r := range l.trained(method) {
					steps[i], paid[i] = append(steps[i], r.steps), append(paid[i], r.paid)
				}
			}
			return []Number{
				mean(steps[0]), mean(steps[1]), mean(steps[2]), difference(steps[0], steps[1]), difference(steps[0], steps[2]),
				mean(paid[0]), mean(paid[1]), mean(paid[2]), difference(paid[2], paid[0]), difference(paid[2], paid[1]),
				mean(steps[3]), difference(steps[3], steps[1]), difference(steps[3], steps[2]), difference(paid[2], paid[3]),
			}
		},
		parts: []part{
			{of: "equal weights take the most steps", says: "they take %.0[1]s, MGDA %.0[2]s, PSMGD %.0[3]s", is: all(above(4, 0), above(5, 0))},
			{of: "equal weights take the most steps, all with η = 0.005", says: "they take %.0[11]s", is: all(above(12, 0), above(13, 0))},
			{of: "PSMGD takes fewer backpropagations than equal weights", says: "it takes %.0[8]s, equal weights %.0[6]s, a difference of %.0[9]s",
				is: below(9, 0)},
			{of: "PSMGD takes fewer backpropagations than equal weights, all with η = 0.005", says: "a difference of %.0[14]s", is: below(14, 0)},
			{of: "PSMGD takes fewer backpropagations than MGDA", says: "MGDA takes %.0[7]s, a difference of %.0[10]s", is: below(10, 0)},
		},
	},
	{
		Name: "digits-level", Paper: "PSMGD", Section: "B.2, Figure 4(a)", kept: keptNetworks,
		Says:    "On two digits, no method’s mean accuracy is ahead of the others’.",
		Stated:  "0.935 to 0.95, overlapping intervals",
		Setting: digitsTheirs,
		Here:    "S = 2, R = 8; " + networksHere,
		Choices: "the network, its data, the length of training and the tuning of step sizes; accuracy on test pairs, mean of " +
			"both digits; “not ahead” " +
			"means that PSMGD’s differs by at most a point",
		Check:    "paretoplay experiment network",
		settings: []string{"equal weights", "MGDA", "CAGrad", "Nash-MTL", "FAMO"},
		numbers:  []string{"points of accuracy, PSMGD minus the other"},
		measure: func(l *lab) (out []Number) {
			percent := func(of string) []float64 {
				accuracies := l.networks("part=table,S=2,"+of, "accuracies")
				for i := range accuracies {
					accuracies[i] *= 100
				}
				return accuracies
			}
			for _, of := range []string{equalWeights, plainMGDA, "method=cagrad", "method=nashmtl", "method=famo"} {
				out = append(out, difference(percent(psmgdEvery(8)), percent(of)))
			}
			return out
		},
		parts: []part{{of: "level with {}", says: "%.2[1]s points", is: within(1, -1, 1)}},
	},
	{
		Name: "digits-wider", Paper: "PSMGD", Section: "B.2, Figure 5(a)", kept: keptNetworks,
		Says:    "PSMGD’s accuracies are more widely distributed than linear scalarization’s.",
		Stated:  "a wider accuracy distribution in both tasks",
		Setting: digitsTheirs + "; linear scalarization by a grid of weights draws the front",
		Here:    "S = 2, R = 8; " + networksHere,
		Choices: "the network, its data, the length of training and the tuning of step sizes; equal weights instead of a grid; " +
			"the mean of both " +
			"digits’ accuracies on test pairs, run by run from the kept table; width is the mean distance from the median",
		Check:   "paretoplay experiment network",
		numbers: []string{"width of PSMGD’s accuracies", "width of equal weights’", "PSMGD’s width minus equal weights’"},
		measure: func(l *lab) []Number {
			away := func(of string) []float64 {
				accuracies := l.networks("part=table,S=2,"+of, "accuracies")
				middle := experiment.Median(accuracies)
				for i, v := range accuracies {
					accuracies[i] = 100 * math.Abs(v-middle)
				}
				return accuracies
			}
			psmgd, equal := away(psmgdEvery(8)), away(equalWeights)
			return []Number{mean(psmgd), mean(equal), difference(psmgd, equal)}
		},
		parts: []part{{says: "%.2[1]s points against %.2[2]s, a difference of %.2[3]s", is: above(3, 0)}},
	},
	{
		Name: "step-time", Paper: "PSMGD", Section: "4.1 and B.2, Table 3, Figure 4(b, c)", kept: keptNetworks,
		Says:    "PSMGD’s step takes longer than linear scalarization’s, but less time than every other method’s.",
		Stated:  "3.58 ms an iteration; 1.44 s an epoch",
		Setting: digitsTheirs,
		Here:    "the time of a step, S = 2 and R = 8; " + networksHere,
		Choices: "the network and its data; times depend on the machine; methods without gradients per objective, which cost as " +
			"little, are left out",
		Check:    "paretoplay experiment network",
		settings: []string{"equal weights", "MGDA", "CAGrad", "Nash-MTL", "FAMO"},
		numbers:  []string{"the other’s time over PSMGD’s"},
		measure: func(l *lab) (out []Number) {
			time := func(of string) []float64 { return l.networks("part=time,S=2,"+of, "times") }
			for _, of := range []string{equalWeights, plainMGDA, "method=cagrad", "method=nashmtl", "method=famo"} {
				out = append(out, ratio(time(of), time(psmgdEvery(8))))
			}
			return out
		},
		decide: func(v []Number) (out []Part) {
			for i, title := range []string{"equal weights take less", "MGDA takes longer", "CAGrad takes longer", "Nash-MTL takes longer",
				"FAMO takes longer"} {
				is := v[i].above(1)
				if i == 0 {
					is = v[i].below(1)
				}
				out = append(out, Part{title, v[i].times(2) + " of its time", is})
			}
			return out
		},
	},
	{
		Name: "period-time", Paper: "PSMGD", Section: "B.4, Table 7", kept: keptNetworks,
		Says:     "The longer the period R, the less time training takes.",
		Stated:   "2.61, 2.23, 2.13, 2.07 minutes an epoch with R = 4, 8, 16, 32",
		Setting:  "a network on QM9, S = 11",
		Here:     "the time of a step, S = 8 and 40; " + networksHere,
		Choices:  "the network and its data; times depend on the machine",
		Check:    "paretoplay experiment network",
		settings: []string{"S = 8", "S = 40"},
		numbers:  []string{"time with R = 8 over R = 4", "time with R = 16 over R = 8", "time with R = 32 over R = 16"},
		measure: func(l *lab) (out []Number) {
			for _, tasks := range []string{"8", "40"} {
				for i, period := range fourPeriods[1:] {
					time := func(r int) []float64 { return l.networks("part=time,S="+tasks+","+psmgdEvery(r), "times") }
					out = append(out, ratio(time(period), time(fourPeriods[i])))
				}
			}
			return out
		},
		parts: []part{{says: "%.2[1]x from R = 4 to 8, %.2[2]x to 16 and %.2[3]x to 32", is: all(below(1, 1), below(2, 1), below(3, 1))}},
	},
}

// Sizes in the training runs on two digits: the paper's batch size, the number of steps per pass over the training
// pairs, and the number of steps per run.
const (
	digitBatch = 256
	digitEpoch = network.DefaultTrain / digitBatch
	digitSteps = 10 * digitEpoch
)

// evenly reports whether a weight is about one half.
func evenly(w float64) bool { return w >= 0.4 && w <= 0.6 }

// shareOf returns the share of the values for which holds returns true.
func shareOf(values []float64, holds func(v float64) bool) float64 {
	n := 0
	for _, v := range values {
		if holds(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// deviation returns the standard deviation of values.
func deviation(values []float64) float64 {
	middle, sum := experiment.WithInterval(values).Mean, 0.
	for _, v := range values {
		sum += float64((v - middle) * (v - middle))
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// training is the result of a training run of the network on two digits.
type training struct {
	weights     []float64 // weight of the first task, step by step
	steps, paid float64   // until both validation accuracies are 0.9; paid counts backpropagations
}

// longerSteps is the key for runs with equal weights and the other methods' step size.
const longerSteps = "ls, η = 0.005"

// trained trains the network on two digits and returns the training runs by seed. The methods are equal weights (ls),
// longerSteps, mgda, and psmgd with R = 4. MGDA trains for digitSteps. The others train until both accuracies are 0.9,
// or for at most digitSteps. The lab caches the results.
func (l *lab) trained(method string) []training {
	if of := l.digits[method]; of != nil {
		return of
	}
	variant := networkgrid.Variant{Method: method, R: 1, Normalize: "none", Optimizer: descent.Adam}
	rule, settings, period := method, []string{}, 1
	eta := networkgrid.StepSize(network.TwoDigits, variant)
	switch method {
	case longerSteps:
		rule, eta = "ls", 0.005
	case "psmgd":
		rule, settings, period, variant.R = "mgda", []string{"normalize=none"}, 4, 8
		eta = networkgrid.StepSize(network.TwoDigits, variant)
	case "mgda":
		settings = []string{"normalize=none"}
	}
	pictured := must(pictures.Read())
	var out []training
	for _, seed := range l.seedList() {
		n := must(network.New(network.Config{Digits: pictured, Tasks: network.TwoDigits, Seed: seed}))
		s := must(descent.NewPSMGD(descent.Config{
			Problem: n, Start: n.Start(seed), Period: period, StepSize: eta, Seed: seed,
			Weighting: must(weighting.NewFor(weighting.Context{Objectives: network.TwoDigits, Seed: seed}, rule, settings...)),
			Optimizer: descent.Optimizer{Kind: descent.Adam}, Batch: digitBatch, ConstantBatch: true, ValuesEvery: digitSteps,
			Watched: n.Watch(64), Frugal: true,
		}))
		var run training
		for k := 1; k <= digitSteps && (run.steps == 0 || method == "mgda"); k++ {
			if status := must(s.Step()); status != algo.Running {
				fail(fmt.Errorf("%s with seed %d ended as %v after %d steps", method, seed, status, k))
			}
			v := s.View()
			run.weights = append(run.weights, v.Weights[0])
			if run.steps > 0 || k%4 > 0 {
				continue
			}
			var score network.Score
			score.Reset(n)
			n.Judge(&score, v.X, network.Validation, 0, n.Size(network.Validation))
			if least, _ := score.Least(score.Accuracy); least >= 0.9 {
				run.steps, run.paid = float64(k), float64(v.Cost.Backpropagations)
			}
		}
		if run.steps == 0 {
			run.steps, run.paid = digitSteps, float64(s.View().Cost.Backpropagations)
		}
		out = append(out, run)
	}
	if l.digits == nil {
		l.digits = map[string][]training{}
	}
	l.digits[method] = out
	return out
}

// conflicts returns two shares in a log of digits: the share of the records in which some pair of gradients has a
// negative product, and the share of such pairs among all pairs.
func (l *lab) conflicts(name string) []Number {
	log := must(digits.Read(name))
	n := log.Objectives()
	products := make([]float64, n*n)
	var records, pairs, negative float64
	for k := range log.Records() {
		log.Products(products, k)
		before := negative
		for i := range n {
			for j := range i {
				if pairs++; products[i*n+j] < 0 {
					negative++
				}
			}
		}
		if negative > before {
			records++
		}
	}
	return exactly(records/float64(log.Records()), negative/pairs)
}

// loggedWeights returns MGDA's weight of the first loss in each record of a log of digits.
func (l *lab) loggedWeights(name string) (out []float64) {
	log := must(digits.Read(name))
	products := make([]float64, log.Objectives()*log.Objectives())
	for k := range log.Records() {
		log.Products(products, k)
		rule := must(weighting.NewFor(weighting.Context{Objectives: log.Objectives()}, "mgda", "normalize=none"))
		out = append(out, must(weighting.FromGramian(rule, products, nil)).Weights[0])
	}
	return out
}
