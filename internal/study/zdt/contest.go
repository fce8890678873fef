package zdt

import (
	"math"
	"slices"

	"paretoplay/internal/engine/runs/plans"
)

// even is the name of linearization with weights that are not drawn but evenly spread, like EPO's preferences. Such
// weights are the simplest way to get several solutions for two objectives.
const even = "linearization-even"

// shapeless lists the compared methods except MosT-E, in the order of tables and legends.
var shapeless = []string{plans.MGDA, plans.Linearization, even, plans.MOOSVGD, plans.EPO, plans.MosT}

// evenSums returns the weights for even, with one row for each of the m solutions.
func evenSums(m int) [][]float64 {
	out := make([][]float64, m)
	for j := range out {
		w := (float64(j) + 0.5) / float64(m)
		out[j] = []float64{w, 1 - w}
	}
	return out
}

// References are the reference points for ZDT1 to ZDT3 in the authors' public code.
var References = [...][]float64{{0.99022638, 6.39358545}, {0.99022638, 7.71577261}, {0.99022638, 6.54635266}}

// BestFive lists the largest hypervolumes of five points on the fronts of ZDT1 to ZDT3 with References.
var BestFive = [...]float64{5.900, 6.895, 6.420}

// Usual is the most common reference point in the literature.
var Usual = []float64{1.1, 1.1}

// apart is the difference in one objective beyond which two solutions are of different kinds.
const apart = 0.01

// Kinds returns the number of points that differ pairwise by more than 0.01 in some objective. It visits the points
// in order and keeps each point that differs from all kept points.
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

// LowerBounds returns lower bounds for the objectives of ZDT1, ZDT2 or ZDT3. EPO requires positive losses, so these
// bounds are subtracted from the objectives.
func LowerBounds(number int) []float64 {
	if number == 3 {
		return []float64{0, -1}
	}
	return []float64{0, 0}
}
