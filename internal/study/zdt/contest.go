package zdt

import (
	"math"
	"slices"

	"paretoplay/internal/engine/runs/plans"
)

// even is linearization whose weights are spread evenly in place of being drawn, as EPO's
// preferences are: the trivial way to several solutions for two objectives.
const even = "linearization-even"

// shapeless are the methods that are compared but for MosT-E, in the order of tables and
// legends.
var shapeless = []string{plans.MGDA, plans.Linearization, even, plans.MOOSVGD, plans.EPO, plans.MosT}

// evenSums are the weights of even, a row for each of m solutions.
func evenSums(m int) [][]float64 {
	out := make([][]float64, m)
	for j := range out {
		w := (float64(j) + 0.5) / float64(m)
		out[j] = []float64{w, 1 - w}
	}
	return out
}

// References are the reference points of ZDT1 to ZDT3 in the authors' public code.
var References = [...][]float64{{0.99022638, 6.39358545}, {0.99022638, 7.71577261}, {0.99022638, 6.54635266}}

// BestFive are the largest hypervolumes that five points of the fronts of ZDT1 to ZDT3
// have below References.
var BestFive = [...]float64{5.900, 6.895, 6.420}

// Usual is the reference point that the literature mostly takes.
var Usual = []float64{1.1, 1.1}

// apart is how far in one objective solutions of two kinds are apart.
const apart = 0.01

// Kinds is how many of some points in objective space can be chosen so that any two
// are further than 0.01 apart in some objective, as many as the first ones allow.
func Kinds(points [][]float64) int {
	var chosen [][]float64
	for _, p := range points {
		near := func(q []float64) bool {
			for i, v := range p {
				if math.Abs(v-q[i]) > apart {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(chosen, near) {
			chosen = append(chosen, p)
		}
	}
	return len(chosen)
}

// LowerBounds are numbers below which the objectives of ZDT1, ZDT2 or ZDT3 do not fall:
// what EPO counts losses from, which have to be positive.
func LowerBounds(number int) []float64 {
	if number == 3 {
		return []float64{0, -1}
	}
	return []float64{0, 0}
}
