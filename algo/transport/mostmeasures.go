package transport

import (
	"math"
	"slices"

	"paretoplay/internal/portable"
)

// columns computes, for each column of a plan, the sum, the largest mass, and the number of
// masses that are not tiny.
func columns(sums, largest []float64, served []int, mass []float64) {
	clear(sums)
	clear(largest)
	clear(served)
	m := len(sums)
	for rest := mass; len(rest) >= m; rest = rest[m:] {
		for j, v := range rest[:m] {
			sums[j] += v
			if v > largest[j] {
				largest[j] = v
			}
		}
	}
	for rest := mass; len(rest) >= m; rest = rest[m:] {
		for j, v := range rest[:m] {
			if v > tiny*largest[j] {
				served[j]++
			}
		}
	}
}

// RowMaxima returns Σ_i max_j Γ_ij, which is −R(Γ), for a plan with m columns. It returns 0 for m < 1.
func RowMaxima(mass []float64, m int) (sum float64) {
	for ; m > 0 && len(mass) >= m; mass = mass[m:] {
		sum += slices.Max(mass[:m])
	}
	return sum
}

// Zeros returns the fraction of zeros in a plan with m columns. An entry counts as zero if it is at most 1e-12 times
// the largest entry in its column.
func Zeros(mass []float64, m int) float64 {
	served := 0
	for j := range m {
		var largest float64
		for i := j; i < len(mass); i += m {
			if mass[i] > largest {
				largest = mass[i]
			}
		}
		for i := j; i < len(mass); i += m {
			if mass[i] > tiny*largest {
				served++
			}
		}
	}
	return 1 - float64(served)/float64(len(mass))
}

// KL returns the symmetric Kullback-Leibler divergence (KL(p‖q) + KL(q‖p))/2 of two plans with the same length and sum.
// KL raises every mass to at least 1e-12 of the sum. Otherwise a mass that is zero in only one plan would make the
// divergence infinite.
//
// References:
//   - Many-Objective Multi-Solution Transport, appendix D.1.
func KL(p, q []float64) float64 {
	var total, sum float64
	for _, v := range p {
		total += v
	}
	floor := tiny * total
	for i, v := range p {
		v, w := max(v, floor), max(q[i], floor)
		if v != w {
			sum += float64((v - w) * portable.Log(v/w))
		}
	}
	return sum / 2
}

// Diversity returns the measure of Definition 1 in the paper, Σ_j Σ_{z≠j} cos(Γ_·j, Γ_·z), for a plan with m columns. A
// smaller value means a more diverse plan. The cosine with a column of zeros is 0.
func Diversity(mass []float64, m int) (sum float64) {
	for j := range m {
		for z := range j {
			var product, first, second float64
			for i := 0; i < len(mass); i += m {
				v, w := mass[i+j], mass[i+z]
				product += float64(v * w)
				first += float64(v * v)
				second += float64(w * w)
			}
			if first > 0 && second > 0 {
				sum += 2 * product / math.Sqrt(first) / math.Sqrt(second)
			}
		}
	}
	return sum
}

// BestLosses stores min_j L_i(θ_j) in dst, of length n. f contains one row per solution with its n losses, as in
// algo.View.F. If dst is empty, BestLosses does nothing.
func BestLosses(dst, f []float64) {
	copy(dst, f)
	for n := len(dst); n > 0 && len(f) >= n; f = f[n:] {
		for i := range dst {
			dst[i] = min(dst[i], f[i])
		}
	}
}

// OracleLoss returns the mean of the best losses. The best loss of an objective is its smallest loss over all
// solutions. See BestLosses for f.
func OracleLoss(f []float64, n int) (mean float64) {
	for i := range n {
		best := f[i]
		for at := i + n; at < len(f); at += n {
			best = min(best, f[at])
		}
		mean += best / float64(n)
	}
	return mean
}

// MeanLoss returns the mean loss over all objectives and solutions. See BestLosses for f.
func MeanLoss(f []float64) (mean float64) {
	for _, v := range f {
		mean += v / float64(len(f))
	}
	return mean
}

// Won stores in dst, of length m, the fraction of objectives that each solution is best for. If several solutions
// are equally good, the first counts. See BestLosses for f. If dst is empty, Won does nothing.
func Won(dst, f []float64) {
	m := len(dst)
	if m == 0 {
		return
	}
	n := len(f) / m
	clear(dst)
	for i := range n {
		dst[least(f[i:], n)] += 1 / float64(n)
	}
}

// Worst returns the mean of the largest values. share, from 0 to 1, is the fraction of the values to average. The
// number of averaged values is rounded up and at least one. Applied to BestLosses, Worst measures the worst-served
// objectives. Worst sorts values in place.
func Worst(values []float64, share float64) float64 {
	slices.Sort(values)
	// 0.6 of 5 values is 3, although 0.6·5 may round to a little more.
	count := min(max(int(math.Ceil(float64(share*float64(len(values)))-1e-9)), 1), len(values))
	var mean float64
	for _, v := range values[len(values)-count:] {
		mean += v / float64(count)
	}
	return mean
}
