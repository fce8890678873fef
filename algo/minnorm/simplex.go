package minnorm

import (
	"slices"

	"paretoplay/algo"
)

// Projector projects onto the probability simplex Δ = {λ ≥ 0, Σλ = 1}. The zero
// value is ready to use.
type Projector struct {
	sorted []float64
}

// Project stores in dst the point of Δ closest to x in the Euclidean norm. dst and x may be the same slice. It
// panics unless they have the same positive length. The status is Converged, or Diverged if x is not finite; dst is
// then zero.
//
// The projection is max(x − θ, 0), where θ is chosen so that the sum is 1. Relative to the largest coordinate, θ is
// in [−1, 0). Therefore only coordinates within 1 of the largest matter, and the sums cannot lose digits to a
// common offset.
//
// References:
//   - Held, Wolfe & Crowder (1974), Validation of subgradient optimization,
//     Mathematical Programming 6.
//   - Duchi, Shalev-Shwartz, Singer & Chandra (2008), Efficient projections onto
//     the ℓ1-ball for learning in high dimensions, ICML, Figure 1.
func (p *Projector) Project(dst, x []float64) algo.Status {
	if len(x) == 0 || len(dst) != len(x) {
		panic("minnorm: wrong length of projection")
	}
	if !algo.Finite(x) {
		clear(dst)
		return algo.Diverged
	}
	top := slices.Max(x)
	p.sorted = p.sorted[:0]
	for _, v := range x {
		if v-top > -1 {
			p.sorted = append(p.sorted, v-top)
		}
	}
	slices.Sort(p.sorted)
	sum, theta := 0.0, -1.0
	for j := len(p.sorted) - 1; j >= 0; j-- {
		sum += p.sorted[j]
		t := (sum - 1) / float64(len(p.sorted)-j)
		if p.sorted[j] <= t {
			break
		}
		theta = t
	}
	for i, v := range x {
		dst[i] = max(v-top-theta, 0)
	}
	return algo.Converged
}
