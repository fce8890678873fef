package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The contests in the kept tables from which claims are read, each order with its best step
// size.
const (
	largeContest  = "problem=leastsquares,M=2,K=512,optimizer=plain,alphas=0.001 0.002 0.005 0.01 0.02 0.05"
	planeContest  = "problem=leastsquares,M=2,K=128,optimizer=plain,alphas=0.001 0.002 0.005 0.01 0.02 0.05 0.1"
	classContest  = "problem=logistic,optimizer=plain"
	sharedContest = "problem=regression,K=512,optimizer=plain"
	equalSteps    = "problem=leastsquares,M=2,K=512,optimizer=plain,alphas=0.02"
)

// theirWeightings are the weightings that the paper combines with orders.
var theirWeightings = []string{"mgda", "pcgrad", "cagrad", "nashmtl"}

// ofJoGBa are the claims of the paper on JoGBa.
var ofJoGBa = []Claim{
	{
		Name: "balanced", Paper: "JoGBa", Section: "4.1, Figures 2 and 3", kept: keptOrders,
		Says:  "In as many epochs JoGBa’s orders come nearer than random ones.",
		Check: link("ordering", "many"), Stated: "lower losses with each of four weightings",
		numbers: func(l *lab) (out []float64) {
			for _, weighting := range append([]string{"ls"}, theirWeightings...) {
				row := l.order(largeContest, weighting, "jogba")
				out = append(out, l.number(row, "ratio"), l.number(row, "ratio_high"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every([]float64{v[1], v[3], v[5], v[7], v[9]}, func(high float64) bool { return high < 1 })
			return fmt.Sprintf("ω is ×%.2f of random’s with equal weights, ×%.2f with MGDA, ×%.2f with PCGrad, ×%.2f with CAGrad, ×%.2f with "+
				"Nash-MTL",
				v[0], v[2], v[4], v[6], v[8]), graded(all, some)
		},
	},
	{
		Name: "jogba-first", Paper: "JoGBa", Section: "4.1 and 4.2, Tables 1 and 2", kept: keptOrders,
		Says:  "JoGBa is ahead of GraB, which balances the weighted gradients, with every weighting.",
		Check: "paretoplay experiment ordering", Stated: "Δm% 0.2 to 2.5 points lower on QM9",
		numbers: func(l *lab) (out []float64) {
			for _, weighting := range theirWeightings {
				out = append(out, l.against(largeContest, weighting)...)
			}
			return append(out, l.against(classContest, "ls")...)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every([]float64{v[1], v[3], v[5], v[7], v[9]}, func(high float64) bool { return high < 1 })
			return fmt.Sprintf("its ω is ×%.2f of GraB’s with MGDA, ×%.2f, ×%.2f and ×%.2f with the others on least squares, ×%.2f on "+
				"logistic regression with equal weights", v[0], v[2], v[4], v[6], v[8]), graded(all, some)
		},
	},
	{
		Name: "own-orders", Paper: "JoGBa", Section: "3.1 and 4.4, Figure 4, Table 4", kept: keptOrders,
		Says:  "An order of its own for every objective is better than one for all.",
		Check: link("ordering", "each"), Stated: "Table 4, which repeats Table 1 digit for digit",
		numbers: func(l *lab) []float64 {
			var out []float64
			for _, c := range [][2]string{{largeContest, "ls"}, {planeContest, "mgda"}, {sharedContest, "ls"}} {
				row := l.order(c[0], c[1], "random-own")
				out = append(out, l.number(row, "ratio"), l.number(row, "ratio_high"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every([]float64{v[1], v[3], v[5]}, func(high float64) bool { return high < 1 })
			return fmt.Sprintf("random orders, one each: ω is ×%.2f with equal weights, ×%.2f with MGDA in two variables, ×%.2f where "+
				"objectives share inputs",
				v[0], v[2], v[4]), graded(all, some)
		},
	},
	{
		Name: "separate-strays", Paper: "JoGBa", Section: "3.3, Propositions 3.8 and 3.10", kept: keptOrders,
		Says:  "Balancing each objective by itself strays farther than balancing all jointly.",
		Check: link("ordering", "stray"), Stated: "bounds MAF and AF: M times",
		numbers: func(l *lab) (out []float64) {
			for _, order := range []string{"jogba", "grab-separate", "random"} {
				out = append(out, l.number(l.order(equalSteps, "ls", order), "H"))
			}
			return out
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("H is %.2f with JoGBa, %.2f with separate orders, %.2f with random ones", v[0], v[1], v[2]),
				graded(v[1] > v[0], false)
		},
	},
	{
		Name: "order-rates", Paper: "JoGBa", Section: "3.3, Theorems 3.6 and 3.9", kept: toldOfOrders,
		Says:  "ω² falls as K to the power of -2/3 with JoGBa, of -1/2 with random orders.",
		Check: link("ordering", "theorems"), Stated: "-0.67 and -0.50",
		numbers: func(l *lab) []float64 {
			return l.told(toldOfOrders, `as K to the power of (-[\d.]+) ± ([\d.]+), -[\d.]+ ± [\d.]+ and (-[\d.]+) ± ([\d.]+\d)`)
		},
		words: func(v []float64) (string, Verdict) {
			steeper := v[2]+v[3] < v[0]-v[1]
			near := math.Abs(v[2]+2./3) < 2*v[3] && math.Abs(v[0]+1./2) < 2*v[1]
			return fmt.Sprintf("%.2f ± %.2f and %.2f ± %.2f: steeper, as claimed, but neither as steep as that", v[2], v[3], v[0], v[1]),
				graded(steeper && near, steeper)
		},
	},
	{
		Name: "order-bounds", Paper: "JoGBa", Section: "3.3, Theorems 3.6 and 3.9", kept: toldOfOrders,
		Says:  "The mean of ω² stays below the bounds.",
		Check: link("ordering", "theorems"), Stated: "4 terms",
		numbers: func(l *lab) []float64 {
			return append(l.told(toldOfOrders, `Theorem 3\.6 promises ([\d.]+), .* Theorem 3\.9 ([\d.]+), of which`),
				l.told(toldOfOrders, `measured are ([\d.]+) and ([\d.]+)\.`)...)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every([]float64{v[2] / v[0], v[3] / v[1]}, func(share float64) bool { return share <= 1 })
			return fmt.Sprintf("they are %.2g and %.2g, measured are %.2g and %.2g with the best step sizes (K = 512, T = 1000)", v[0], v[1],
					v[2], v[3]),
				graded(all, some)
		},
	},
	{
		Name: "order-time", Paper: "JoGBa", Section: "4.3, Table 3", kept: toldOfOrders,
		Says:  "Ordering takes a negligible share of a step’s time.",
		Check: link("ordering", "cost"), Stated: "0.05 s of 1.2 to 1.6 s",
		numbers: func(l *lab) []float64 {
			return l.told(toldOfOrders, `adds (\d+), (\d+) and (\d+) % to the update for .* with single samples, and (\d+), (\d+) and (\d+) %`)
		},
		words: func(v []float64) (string, Verdict) {
			all, some := every(v, func(share float64) bool { return share <= 12 })
			return fmt.Sprintf("%g, %g and %g %% for examples of one sample, %g, %g and %g %% for examples of 64, with 10, 1000 and 100,000 "+
				"variables",
				v[0], v[1], v[2], v[3], v[4], v[5]), graded(all, some)
		},
	},
	{
		Name: "flipflop", Paper: "JoGBa", Section: "4.1 and 4.2, Tables 1 and 2", kept: keptOrders,
		Says:  "FlipFlop is behind random orders.",
		Check: link("ordering", "flipflop"), Stated: "but with PCGrad on one data set",
		numbers: func(l *lab) []float64 {
			behind, ahead := 0., 0.
			rows := where(l.table(keptOrders), "part=orders", "order=flipflop", "variant=", "optimizer=plain")
			for _, row := range rows {
				if l.number(row, "ratio_low") > 1 {
					behind++
				}
				if l.number(row, "ratio_high") < 1 {
					ahead++
				}
			}
			return []float64{behind, ahead, float64(len(rows))}
		},
		words: func(v []float64) (string, Verdict) {
			return fmt.Sprintf("behind in %g of %g comparisons, ahead in %g, within the error else", v[0], v[2], v[1]),
				graded(v[0] > v[2]/2 && v[1] == 0, v[0] > v[1])
		},
	},
	{
		Name: "order-networks", Paper: "JoGBa", Section: "4, Tables 1, 2 and 4",
		Says:    "With JoGBa’s orders networks come out better on NYUv2 and QM9.",
		Stated:  "the least Δm% with every weighting",
		because: "it takes networks and their data",
	},
}

// order returns the line of an order in a contest.
func (l *lab) order(contest, weighting, order string) line {
	values := append(strings.Split(contest, ","), "part=orders", "variant=", "weighting="+weighting, "order="+order)
	return l.the(l.table(keptOrders), values...)
}

// against returns the ratio of JoGBa's ω to shared GraB's, from the mean of the runs'
// logarithms, and the upper end of its 95 % interval.
func (l *lab) against(contest, weighting string) []float64 {
	a, b := l.each(l.order(contest, weighting, "jogba")), l.each(l.order(contest, weighting, "grab-shared"))
	if len(a) != len(b) || len(a) < 2 {
		l.fail(fmt.Errorf("%s: %d and %d runs", contest, len(a), len(b)))
		return []float64{math.NaN(), math.NaN()}
	}
	var sum, squares float64
	for i := range a {
		sum += a[i] - b[i]
	}
	mean, n := sum/float64(len(a)), float64(len(a))
	for i := range a {
		squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean)
	}
	const t = 2.093 // of Student's distribution with 19 degrees of freedom
	return []float64{math.Pow(10, mean), math.Pow(10, mean+t*math.Sqrt(squares/(n-1)/n))}
}

// each are the decimal logarithms of the runs' ω.
func (l *lab) each(row line) (out []float64) {
	if l.err != nil {
		return nil
	}
	for text := range strings.SplitSeq(row["each"], ";") {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			l.fail(err)
		}
		out = append(out, v)
	}
	return out
}
