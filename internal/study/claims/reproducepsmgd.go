package claims

import (
	"fmt"

	"paretoplay/internal/study/networkgrid"
)

// ofStaleness describes the table for the experiment "fonseca-staleness".
var ofStaleness = reproduction{
	paper: "PSMGD",
	theirs: "Figure 1: Fonseca’s problem, 10 runs from random starts, d, η and α not stated. Table 7: Δm%, lower is better, of a network " +
		"on QM9 with α = 0.9, 3 seeds",
	here: "Fonseca’s problem, d = 2, starts uniform in [−1.2, 1.2]²; the share of the runs that end at an end of the front, a bad " +
		"result for trade-offs",
	lacks: "networks and their losses; `network` tests a small one",
	fill:  fillStaleness,
}

// collapsed returns how many of a line's runs stop at an end of the front, and the line's total number of runs.
func (t *table) collapsed(values ...string) (happened, runs int) {
	row := t.row(values...)
	return int(t.number(row, "collapsed")), int(t.number(row, "runs"))
}

// shareOf returns the share of a line's runs that end at an end of the front.
func (t *table) shareOf(values ...string) measured {
	happened, runs := t.collapsed(values...)
	return over(share(happened, runs), runs)
}

// moreThan returns the share for the line that values selects, minus the share for the line that other selects.
func (t *table) moreThan(values, other []string) measured {
	a, of := t.collapsed(values...)
	b, ofOther := t.collapsed(other...)
	return shareGap(a, of, b, ofOther)
}

// betweenEnds describes the paper's figures of methods that find trade-offs.
const betweenEnds = "a picture: runs end between the ends"

// asGoodShare is the largest difference at which two periods count as equally good. The compared quantity is the share
// of runs that stop at an end of the front. The claims use the same limit.
const asGoodShare = 0.1

// worse returns a text with two periods' Δm% in the paper's Table 7 and their difference.
func worse(r, other int) string {
	a, _ := networkgrid.PublishedPeriod(r)
	b, _ := networkgrid.PublishedPeriod(other)
	return "Δm% " + differenceText(a, b, 1)
}

func fillStaleness(t *table) {
	etas := t.values("eta")
	at := func(eta, alpha string, r int) []string {
		return []string{"eta=" + eta, "momentum=" + alpha, fmt.Sprint("R=", r)}
	}
	t.begin("Are most runs between the ends?", "share of the runs at an end", false)
	for _, m := range []struct {
		title, place, alpha string
		r                   int
	}{{"MGDA", "Figure 1(b)", "0", 1}, {"PSMGD, R = 4, α = 0", "Figure 1(c)", "0", 4}, {"PSMGD, R = 4, α = 0.9", "Figure 1(c)", "0.9", 4}} {
		for _, eta := range etas {
			t.toward(fmt.Sprintf("%s, η = %s", m.title, eta), m.place, betweenEnds, less, 0.5, 2,
				func() measured { return t.shareOf(at(eta, m.alpha, m.r)...) })
		}
	}
	for _, alpha := range []string{"0", "0.9"} {
		t.begin("How long can weights stay fixed? α = "+alpha, "difference of the shares at an end", false)
		for _, eta := range etas {
			against := func(r, other int) func() measured {
				return func() measured { return t.moreThan(at(eta, alpha, r), at(eta, alpha, other)) }
			}
			t.alike("R = 8 − R = 4, η = "+eta, "Table 7", "a minimal difference, "+worse(8, 4), -asGoodShare, asGoodShare, 2, against(8, 4))
			for _, r := range []int{16, 32} {
				t.toward(fmt.Sprintf("R = %d − R = 8, η = %s", r, eta), "Table 7", worse(r, 8), more, 0, 2, against(r, 8))
			}
		}
	}
}

// ofNoise describes the table for the experiment "fonseca-noise".
var ofNoise = reproduction{
	paper: "PSMGD",
	theirs: "Figure 1: Fonseca’s problem, 10 runs from random starts, no noise, neither d nor η stated. Section 3.3: momentum should " +
		"further stabilise the weights; no figure shows weights under noise",
	here: "Fonseca’s problem, d = 20, η = 0.1, starts uniform within 0.3 of the middle; noise of deviation σ in every entry of a gradient; " +
		"fixed weights are λ = ½",
	lacks: "all else: the paper has no experiment on noise",
	fill:  fillNoise,
}

func fillNoise(t *table) {
	t.begin("Without noise", "share of the runs at an end", false)
	silent := func(values ...string) func() measured {
		return func() measured { return t.shareOf(append(values, "sigma=0")...) }
	}
	t.put(Comparison{Of: "fixed weights", Place: "Figure 1(a)", Says: "10 of 10 runs, at one of two points", Figure: share(10, 10),
		asked: more, reference: 0.5, decimals: 2}, silent("method=ls"))
	t.toward("MGDA", "Figure 1(b)", betweenEnds, less, 0.5, 2, silent("method=mgda"))
	t.toward("PSMGD, R = 4", "Figure 1(c)", betweenEnds, less, 0.5, 2, silent("method=psmgd", "R=4", "momentum=0"))
	t.begin("Effect of momentum α = 0.9 under noise", "difference of the shares at an end", false)
	for _, r := range []string{"R=1", "R=4"} {
		for _, sigma := range t.values("sigma") {
			if sigma == "0.0" {
				continue
			}
			// The lines of the methods that are compared with the maps also have R = 1 and no momentum, so the method
			// must be selected too.
			at := func(alpha, method string) []string { return []string{method, r, "momentum=" + alpha, "sigma=" + sigma} }
			without, with := "method=mgda", "method=crmogm"
			if r != "R=1" {
				without, with = "method=psmgd", "method=psmgd"
			}
			t.toward(fmt.Sprintf("α = 0.9 − α = 0, %s, σ = %s", spaced(r), sigma), "3.3",
				"a sentence: momentum stabilises the weights; our reading: fewer runs drift to an end", less, 0, 2,
				func() measured { return t.moreThan(at("0.9", with), at("0", without)) })
		}
	}
}

// ofNetworks describes the table for the experiment "network".
var ofNetworks = reproduction{
	elsewhere: true,
	paper:     "PSMGD",
	theirs: "networks on QM9, S = 11, CelebA, S = 40, and Multi-MNIST, S = 2; Δm%, lower is better, and minutes per epoch; R = 8, or 4 " +
		"with S = 2; α = 0.9; 3 seeds, or 10 with S = 2",
	here:  networksSetting + "; R = 8 and α = 0; losses are compared run by run, times are per step",
	lacks: "QM9, CelebA, NYU-v2 and CityScapes themselves; Tables 4 and 5; Δm%, which requires training each task separately",
	kept:  keptNetworks, readAs: []string{keptNetworks}, fill: fillNetworks,
}

// otherNetworks lists the methods other than PSMGD that are compared with equal weights.
var otherNetworks = []struct{ name, title string }{
	{"mgda", "MGDA"}, {"rlw", "RLW"}, {"uw", "UW"}, {"cagrad", "CAGrad"}, {"nashmtl", "Nash-MTL"}, {"famo", "FAMO"},
}

// onNetwork selects a method's lines. For PSMGD it selects R = 8.
func onNetwork(method string) string {
	if method == "psmgd" {
		return psmgdEvery(8)
	}
	return "method=" + method + ",R=1,momentum=0,normalize=none,optimizer=adam"
}

func fillNetworks(t *table) {
	losses := func(s int, of string) []float64 {
		return t.networks(fmt.Sprintf("part=table,S=%d,%s", s, of), "losses")
	}
	for _, set := range []struct {
		tasks, theirs int
		place, name   string
		decimals      int // as printed
	}{{40, 40, "Table 6", "CelebA", 2}, {8, 11, "Table 2", "QM9", 1}} {
		t.begin(fmt.Sprintf("Test loss, %d tasks; the paper: %s", set.tasks, set.name), "difference in loss", false)
		against := func(title, method, other, otherTitle string) {
			a, b := networkgrid.PublishedLoss(set.theirs, method), networkgrid.PublishedLoss(set.theirs, other)
			t.toward(title+" − "+otherTitle, set.place, "Δm% "+differenceText(a, b, set.decimals), side(a, b), 0, 3,
				func() measured { return gap(losses(set.tasks, onNetwork(method)), losses(set.tasks, onNetwork(other))) })
		}
		against("PSMGD", "psmgd", "mgda", "MGDA")
		against("PSMGD", "psmgd", "ls", "equal weights")
		for _, m := range otherNetworks {
			against(m.title, m.name, "ls", "equal weights")
		}
	}
	t.begin("How long can weights stay fixed?", "ratio of test losses", true)
	const asGood = 1.05
	for _, tasks := range []int{8, 40} {
		against := func(r, other int) func() measured {
			return func() measured { return times(losses(tasks, psmgdEvery(r)), losses(tasks, psmgdEvery(other))) }
		}
		t.alike(fmt.Sprintf("R = 8 over R = 4, %d tasks", tasks), "Table 7", "a minimal difference, "+worse(8, 4), 1/asGood, asGood, 2,
			against(8, 4))
		for _, r := range []int{16, 32} {
			t.toward(fmt.Sprintf("R = %d over R = 8, %d tasks", r, tasks), "Table 7", worse(r, 8), more, 1, 2, against(r, 8))
		}
	}
	t.begin("Time, 8 tasks; the paper: 11", "ratio of times", true)
	seconds := func(of string) []float64 { return t.networks("part=time,S=8,"+of, "times") }
	ratioOf := func(title, place string, a, b float64, of, other string) {
		f := printedRatio(a, b, 2)
		t.put(Comparison{Of: title, Place: place, Says: fmt.Sprintf("%s/%s = %s", fixed(a, 2), fixed(b, 2), fixed(f.Value, 2)), Figure: f,
			asked: side(f.Value, 1), reference: 1, decimals: 2}, func() measured { return times(seconds(of), seconds(other)) })
	}
	minutes := networkgrid.PublishedMinutes
	for _, m := range otherNetworks {
		if minutes(m.name) == minutes(m.name) { // excludes RLW and UW
			ratioOf(m.title+" over PSMGD", "Table 3", minutes(m.name), minutes("psmgd"), onNetwork(m.name), psmgdEvery(8))
		}
	}
	ratioOf("PSMGD over equal weights", "Table 3", minutes("psmgd"), minutes("ls"), psmgdEvery(8), onNetwork("ls"))
	_, eight := networkgrid.PublishedPeriod(8)
	for _, r := range []int{4, 16, 32} {
		_, theirs := networkgrid.PublishedPeriod(r)
		ratioOf(fmt.Sprintf("R = %d over R = 8", r), "Table 7", theirs, eight, psmgdEvery(r), psmgdEvery(8))
	}
	t.begin("Correct answers, 2 tasks; the paper: Multi-MNIST", "share of correct answers", false)
	accuracies := func(method string) []float64 { return t.networks("part=table,S=2,"+onNetwork(method), "accuracies") }
	answered := []struct{ name, title string }{{"psmgd", "PSMGD"}, {"mgda", "MGDA"}, {"ls", "equal weights"}}
	for _, m := range answered {
		t.put(Comparison{Of: m.title, Place: "B.2, Figure 4", Says: "all methods from 0.935 to 0.95", Figure: Number{0.9425, 0.935, 0.95},
			asked: level, decimals: 3}, func() measured { return average(accuracies(m.name)) })
	}
	t.begin("Correct answers, PSMGD against others, 2 tasks", "difference of shares", false)
	const width = 0.95 - 0.935
	for _, m := range answered[1:] {
		t.alike("PSMGD − "+m.title, "B.2, Figure 4", "no method outperforms the others", -width, width, 3,
			func() measured { return gap(accuracies("psmgd"), accuracies(m.name)) })
	}
}
