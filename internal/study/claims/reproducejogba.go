package claims

import (
	"fmt"

	"paretoplay/internal/study/orderinggrid"
)

// ofOrders describes the table for the experiment "ordering".
var ofOrders = reproduction{
	elsewhere: true,
	paper:     "JoGBa", theirs: ordersPaper + "; Δm%, lower is better, and seconds of processor time",
	here:  ordersSetting + "; ω late in the run. *Our choices*: " + ordersChoices,
	lacks: "NYUv2 and QM9 themselves; Table 4, which repeats Table 1 digit for digit",
	kept:  keptOrders, readAs: []string{keptOrders}, fill: fillOrders,
}

// comparedOrders lists the orders that the paper compares with random ones.
var comparedOrders = []struct{ name, title string }{
	{"jogba", "JoGBa"}, {"grab-shared", "GraB"}, {"randomflipflop", "Random FlipFlop"}, {"flipflop", "FlipFlop"},
}

func fillOrders(t *table) {
	runs := t.outcome.Runs()
	for i, name := range []string{"NYUv2", "QM9"} {
		place, decimals := fmt.Sprint("Table ", i+1), 2-i // as printed
		t.begin(fmt.Sprintf("ω over ω with random orders; the paper: Δm%% on %s", name), "ratio of ω", true)
		for _, w := range weightingTitles[1:] { // the paper's weightings
			for _, o := range comparedOrders {
				a, b := orderinggrid.Published(i+1, w.name, o.name), orderinggrid.Published(i+1, w.name, "random")
				if a == b {
					t.put(Comparison{Of: o.title + ", " + w.title, Place: place, Says: "Δm% " + differenceText(a, b, decimals) +
						"; “alike” means from 0.95 to 1.05", Figure: none(), asked: alike, bounds: [2]float64{0.95, 1.05}, decimals: 2},
						func() measured { return over(t.against(largeContest, w.name, o.name, "random"), runs) })
					continue
				}
				t.toward(o.title+", "+w.title, place, "Δm% "+differenceText(a, b, decimals), side(a, b), 1, 2,
					func() measured { return over(t.against(largeContest, w.name, o.name, "random"), runs) })
			}
		}
	}
	t.begin("JoGBa’s power of K in ω² minus the power of random orders", "difference of powers", false)
	for _, c := range rateContests {
		if c.against != "random" {
			continue
		}
		t.put(Comparison{Of: c.title, Place: "Theorems 3.6 and 3.9", Says: "−2/3 − (−1/2) = −1/6", Figure: exact(-2./3 + 1./2), asked: less,
			decimals: 2}, func() measured {
			return gap(t.slopes(c.near, c.weighting, "jogba"), t.slopes(c.near, c.weighting, "random"))
		})
	}
	t.begin("Ordering’s share of a step’s time, MGDA", "percent", false)
	for _, batch := range []string{"1", "64"} {
		for _, d := range []struct{ name, title string }{{"10", "10"}, {"1000", "1000"}, {"100000", "100,000"}} {
			samples := "one sample"
			if batch != "1" {
				samples = batch + " samples"
			}
			t.put(Comparison{Of: fmt.Sprintf("%s, d = %s", samples, d.title), Place: "Table 3", Says: "0.05 s of 1.2 to 1.6 s, 3 to 4 %",
				Figure: Number{3.5, 3, 4}, asked: level, decimals: 1}, func() measured {
				var shares []float64
				for _, took := range t.rows(t.row("part=cost", "d="+d.name, "batch="+batch), "each") {
					shares = append(shares, 100*(took[1]/took[0]-1))
				}
				return average(shares)
			})
		}
	}
}
