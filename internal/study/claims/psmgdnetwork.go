package claims

import (
	"fmt"
	"strings"
)

// keptNetworks is the file of the experiment "network".
const keptNetworks = "network.csv"

// Phrases that describe settings on networks.
const (
	networksSetting = "a network of 9,608 parameters on pictures of two digits, 500 steps of Adam on batches of 64, step sizes tuned for " +
		"each method"
	networksHere    = networksSetting + ", 20 seeds"
	networksChoices = "the network, its data, the length of training and the tuning of step sizes; the loss is the mean cross-entropy over " +
		"the tasks on test pairs"
)

// onNetworks lists the PSMGD paper's claims about networks. These claims are tested on a small network.
var onNetworks = []Claim{
	{
		Name: "network-time", Paper: "PSMGD", Section: "4, Tables 2 and 3", kept: keptNetworks,
		Says:    "PSMGD with R = 8 takes a fraction of MGDA’s time.",
		Stated:  "12.94 over 2.23 on QM9, which is 5.8 times less; with fixed weights 1.70",
		Setting: "networks on QM9, S = 11, and others, R = 8",
		Here:    "the time of a step, S = 40 and R = 8; " + networksHere,
		Choices: networksChoices + "; by the count of backpropagations the factor is SR/(S + R − 1), 6.8",
		Check:   "paretoplay experiment network",
		numbers: []string{"MGDA’s time over PSMGD’s, S = 40", "PSMGD’s time over equal weights’, S = 40"},
		measure: func(l *lab) []Number {
			time := func(of string) []float64 { return l.networks("part=time,S=40,"+of, "times") }
			return []Number{ratio(time(plainMGDA), time(psmgdEvery(8))), ratio(time(psmgdEvery(8)), time(equalWeights))}
		},
		parts: []part{
			{of: "less time than MGDA", says: "MGDA takes %.1[1]x as long; PSMGD takes %.1[2]x as long as equal weights", is: above(1, 1)},
			{of: "at least 5.8 times less", says: "%.1[1]x", is: atLeast(1, 5.8)},
		},
	},
	{
		Name: "network-race", Paper: "PSMGD", Section: "4.1 and 4.2, Tables 3 and 5", kept: keptNetworks,
		Says:    "PSMGD reaches a given loss in the shortest time.",
		Stated:  "a test loss below 100 and below 75 in the shortest overall time",
		Setting: "a network on QM9, S = 11, R = 8",
		Here:    "S = 8 and 40, R = 8; " + networksHere,
		Choices: networksChoices + "; the given loss is one method’s final loss: the other reaches it sooner if it " +
			"ends lower after the same number of steps, none of which takes longer",
		Check:    "paretoplay experiment network",
		settings: []string{"against equal weights, S = 8", "against equal weights, S = 40", "against MGDA, S = 8", "against MGDA, S = 40"},
		numbers:  []string{"PSMGD’s loss minus the other’s", "PSMGD’s time per step over the other’s"},
		measure: func(l *lab) (out []Number) {
			for _, other := range []string{equalWeights, plainMGDA} {
				for _, tasks := range []string{"S=8,", "S=40,"} {
					of := func(part, method, column string) []float64 { return l.networks("part="+part+","+tasks+method, column) }
					out = append(out, difference(of("table", psmgdEvery(8), "losses"), of("table", other, "losses")),
						ratio(of("time", psmgdEvery(8), "times"), of("time", other, "times")))
				}
			}
			return out
		},
		parts: []part{{says: "its loss differs by %.3[1]s from the other’s after the same number of steps, each in %.2[2]x of the time",
			is: func(v []Number) Verdict {
				return decided(v[0].High <= 0 && v[1].High <= 1, v[0].Low > 0 && v[1].Low >= 1)
			}}},
	},
	{
		Name: "network-level", Paper: "PSMGD", Section: "4 and B.3, Tables 2 and 6", kept: keptNetworks,
		Says:    "PSMGD’s results are as good as MGDA’s or better.",
		Stated:  "Δm% 92.4 and 120.5 on QM9, 2.60 and 14.85 on CelebA",
		Setting: "networks on QM9, S = 11, and CelebA, S = 40, R = 8",
		Here:    "S = 2, 8 and 40, R = 8; " + networksHere,
		Choices: networksChoices + "; “as good” means a difference of at most a twentieth of MGDA’s loss; α, which is 0.9 in the paper, " +
			"and 0 here",
		Check:    "paretoplay experiment network",
		settings: []string{"S = 2", "S = 8", "S = 40"},
		numbers:  []string{"PSMGD’s loss minus MGDA’s", "MGDA’s loss"},
		measure: func(l *lab) (out []Number) {
			for _, tasks := range networkTasks {
				mgda := l.networks(tasks+","+plainMGDA, "losses")
				out = append(out, difference(l.networks(tasks+","+psmgdEvery(8), "losses"), mgda), mean(mgda))
			}
			return out
		},
		parts: []part{{says: "a difference of %.3[1]s, where MGDA’s loss is %.3[2]s",
			is: func(v []Number) Verdict { return v[0].atMost(v[1].Value / 20) }}},
	},
	{
		Name: "network-sum", Paper: "PSMGD", Section: "4 and B.3, Tables 2 and 6", kept: keptNetworks,
		Says:     "PSMGD’s results are better than linear scalarization’s.",
		Stated:   "Δm% 92.4 and 177.6 on QM9, 2.60 and 4.15 on CelebA; mean rank 5.60 and 7.55 there",
		Setting:  "networks on QM9, S = 11, and CelebA, S = 40, R = 8; whether the step size of linear scalarization is tuned is not stated",
		Here:     "S = 2, 8 and 40, R = 8, against equal weights; " + networksHere,
		Choices:  networksChoices + "; α, which is 0.9 in the paper, and 0 here",
		Check:    cardLink("network", "forty"),
		settings: []string{"S = 2", "S = 8", "S = 40"},
		numbers:  []string{"PSMGD’s loss minus equal weights’", "equal weights’ loss"},
		measure: func(l *lab) (out []Number) {
			for _, tasks := range networkTasks {
				sum := l.networks(tasks+","+equalWeights, "losses")
				out = append(out, difference(l.networks(tasks+","+psmgdEvery(8), "losses"), sum), mean(sum))
			}
			return out
		},
		parts: []part{{says: "a difference of %.3[1]s, where the loss of equal weights is %.3[2]s", is: below(1, 0)}},
	},
	{
		Name: "network-periods", Paper: "PSMGD", Section: "B.4, Figure 7, Table 7", kept: keptNetworks,
		Says:     "The final result with R = 8 is as good as with R = 4, and with R = 16 and 32 it is worse.",
		Stated:   "Δm% 88.2, 92.4, 109.7, 116.2 with R = 4, 8, 16, 32",
		Setting:  "a network on QM9, S = 11, α = 0.9, 3 seeds",
		Here:     "S = 8 and 40; " + networksHere,
		Choices:  networksChoices + "; “as good” means a loss at most a twentieth larger; α = 0",
		Check:    "paretoplay experiment network",
		settings: []string{"S = 8", "S = 40"},
		numbers: []string{"loss with R = 4", "loss with R = 8", "loss with R = 16", "loss with R = 32",
			"loss with R = 8 over loss with R = 4", "loss with R = 16 over loss with R = 8", "loss with R = 32 over loss with R = 8"},
		measure: func(l *lab) (out []Number) {
			for _, tasks := range networkTasks[1:] {
				var at [4][]float64
				for i, period := range fourPeriods {
					at[i] = l.networks(tasks+","+psmgdEvery(period), "losses")
					out = append(out, mean(at[i]))
				}
				out = append(out, ratio(at[1], at[0]), ratio(at[2], at[1]), ratio(at[3], at[1]))
			}
			return out
		},
		parts: []part{
			{of: "{}: 8 as good as 4", says: "a loss of %.3[1]s with R = 4 and %.3[2]s with 8, %.2[5]x", is: atMost(5, 1.05)},
			{of: "{}: 16 and 32 worse than 8", says: "%.3[3]s with R = 16 and %.3[4]s with 32, %.2[6]x and %.2[7]x of that with 8",
				is: all(above(6, 1), above(7, 1))},
		},
	},
	{
		Name: "network-momentum", Paper: "PSMGD", Section: "3.3 and B.3", kept: keptNetworks,
		Says:     "By the loss on validation data, momentum of the weights with α = 0.9 is the better choice.",
		Stated:   "α = 0.9, chosen on validation data",
		Setting:  "networks on five data sets, R = 4 or 8",
		Here:     "S = 8 and 40, R = 8; " + networksHere,
		Choices:  networksChoices + "; the loss is on validation pairs",
		Check:    "paretoplay experiment network",
		settings: []string{"S = 8", "S = 40"},
		numbers:  []string{"loss without momentum", "loss with α = 0.5 minus loss without", "loss with α = 0.9 minus loss without"},
		measure: func(l *lab) (out []Number) {
			for _, tasks := range networkTasks[1:] {
				at := func(alpha string) []float64 {
					return l.networks(tasks+",method=psmgd,R=8,normalize=none,optimizer=adam,momentum="+alpha, "validations")
				}
				none := at("0")
				out = append(out, mean(none), difference(at("0.5"), none), difference(at("0.9"), none))
			}
			return out
		},
		parts: []part{{says: "%.3[3]s with α = 0.9, and %.3[2]s with 0.5, of a loss of %.3[1]s without", is: below(3, 0)}},
	},
}

// networkTasks selects the lines of each set of tasks in the kept table.
var networkTasks = []string{"part=table,S=2", "part=table,S=8", "part=table,S=40"}

// These values select a method's lines in the kept table, with the optimiser Adam.
const (
	equalWeights = "method=ls,optimizer=adam"
	plainMGDA    = "method=mgda,normalize=none,optimizer=adam"
)

// psmgdEvery selects PSMGD with a period, without momentum.
func psmgdEvery(r int) string {
	return fmt.Sprintf("method=psmgd,R=%d,momentum=0,normalize=none,optimizer=adam", r)
}

// networks returns the numbers in a column of a line in the kept table of networks, one per run, by seed. The argument
// of, a comma-separated list of column=value pairs, selects the line.
func (l *lab) networks(of, column string) []float64 {
	return l.list(l.the(l.table(keptNetworks), strings.Split(of, ",")...), column)
}
