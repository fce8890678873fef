package pareto

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// maxFar limits the magnitude of numbers in Compare, so that sums of differences are finite.
const maxFar = 1e300

// Quality measures how the front of one method compares with the fronts of others.
type Quality struct {
	// Front holds the method's N non-dominated points in lexicographic order, without duplicates. They share
	// storage with the given points.
	Front [][]float64
	// Purity is the fraction of the front that is part of the reference, from 0 to 1.
	Purity float64
	// Gamma is the largest gap in any objective, in the objective's units. In each objective, the minimum and maximum of
	// the reference count as ends of the front.
	Gamma float64
	// Delta measures how unevenly the front is spread. It is 0 if the front reaches both ends and all gaps between its
	// points are equal. If N < 2, or if the reference has a single value in every objective, Delta is undefined: it is
	// then 0 and HasDelta is false.
	Delta    float64
	HasDelta bool
}

// Compare measures the fronts of several methods against each other. sets holds all points of each method. The reference is the
// non-dominated union of the fronts, in the same order as Front. The Quality of a method without points is zero.
//
// Sort the front by objective j, put the ends before and after it, and let δ_ij be its gaps, i = 0…N. Then
//
//	Γ = max_ij δ_ij,   Δ = max_j (|δ_0j| + |δ_Nj| + Σ_{i=1}^{N−1} |δ_ij − δ̄_j|) / (|δ_0j| + |δ_Nj| + (N−1)δ̄_j)
//
// where δ̄_j is the mean of δ_1j … δ_{N−1,j}. A front that extends beyond the reference has a negative
// gap there. Γ ignores it, and Δ uses its absolute value. Δ omits an objective in which the reference
// has a single value.
//
// Compare returns an *algo.RangeError unless all points have the same length and coordinates of magnitude at most
// 1e300. The last point of a run that diverged may exceed this limit.
//
// References:
//   - Bandyopadhyay, Pal & Aruna (2004), Multiobjective GAs, quantitative indices, and pattern
//     classification, IEEE Transactions on Systems, Man, and Cybernetics B 34, for purity.
//   - Custódio, Madeira, Vaz & Vicente (2011), Direct multisearch for multiobjective optimization,
//     SIAM Journal on Optimization 21, for all three measures.
func Compare(sets ...[][]float64) (qualities []Quality, reference [][]float64, err error) {
	qualities = make([]Quality, len(sets))
	var union [][]float64
	for i, points := range sets {
		if err := checkSet(i, points, union); err != nil {
			return nil, nil, err
		}
		if qualities[i].Front, err = front(points); err != nil {
			return nil, nil, err
		}
		union = append(union, qualities[i].Front...)
	}
	if reference, err = front(union); err != nil {
		return nil, nil, err
	}
	for i := range qualities {
		if len(qualities[i].Front) > 0 {
			qualities[i].measure(reference)
		}
	}
	return qualities, reference, nil
}

// checkSet returns an error if Compare does not support points. The slice others holds points that Compare has already
// accepted.
func checkSet(set int, points, others [][]float64) error {
	refused := func(i int, allowed, text string) error {
		return &algo.RangeError{
			Name: fmt.Sprintf("set %d, point %d", set, i), Value: points[i], Allowed: allowed,
			Text: fmt.Sprintf("point %d of set %d %s", i, set, text),
		}
	}
	if len(others) == 0 {
		others = points
	}
	for i, p := range points {
		if len(p) != len(others[0]) {
			return refused(i, fmt.Sprintf("%d objectives, like the first point", len(others[0])),
				fmt.Sprintf("has %d objectives, the first point has %d", len(p), len(others[0])))
		}
		for k, v := range p {
			if !(math.Abs(v) <= maxFar) {
				return refused(i, fmt.Sprintf("finite, at most %g in size", maxFar),
					fmt.Sprintf("has %g in objective %d, it must be finite and at most %g in size", v, k, maxFar))
			}
		}
	}
	return nil
}

// front returns the non-dominated points, each once, in lexicographic order.
func front(points [][]float64) ([][]float64, error) {
	kept, err := NonDominated(points)
	if err != nil {
		return nil, err
	}
	var list [][]float64
	for _, i := range kept {
		list = append(list, points[i])
	}
	slices.SortFunc(list, slices.Compare[[]float64])
	return slices.CompactFunc(list, slices.Equal[[]float64]), nil
}

// measure compares the front, which must not be empty, with the reference.
func (q *Quality) measure(reference [][]float64) {
	shared := 0
	for _, p := range q.Front {
		if _, found := slices.BinarySearchFunc(reference, p, slices.Compare[[]float64]); found {
			shared++
		}
	}
	q.Purity = float64(shared) / float64(len(q.Front))
	values := make([]float64, len(q.Front))
	for j := range reference[0] {
		for i, p := range q.Front {
			values[i] = p[j]
		}
		slices.Sort(values)
		least, most := reference[0][j], reference[0][j]
		for _, p := range reference {
			least, most = min(least, p[j]), max(most, p[j])
		}
		q.objective(values, least, most)
	}
}

// objective updates Gamma and Delta with the sorted values of one objective. The reference's values range from least to most.
func (q *Quality) objective(values []float64, least, most float64) {
	n := len(values)
	first, last := values[0]-least, most-values[n-1]
	q.Gamma = max(q.Gamma, first, last)
	mean := (values[n-1] - values[0]) / float64(max(n-1, 1))
	var uneven float64
	for i := 1; i < n; i++ {
		gap := values[i] - values[i-1]
		q.Gamma = max(q.Gamma, gap)
		uneven += math.Abs(gap - mean)
	}
	if n < 2 || least == most {
		return
	}
	ends := math.Abs(first) + math.Abs(last)
	q.Delta, q.HasDelta = max(q.Delta, (ends+uneven)/(ends+(values[n-1]-values[0]))), true
}
