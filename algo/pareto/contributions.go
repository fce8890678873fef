package pareto

import (
	"math"
)

// Contributions returns the exclusive hypervolume of each point: how much the volume dominated by all points falls if
// the point is removed. The contribution is 0 for points that are not below the reference in every objective, for
// dominated points and for duplicates. The contribution of a point that dominates others excludes the volume that
// they dominate.
//
// It returns the same errors as Hypervolume. If a volume overflows, it is +Inf.
//
// For each point, a box encloses the region that only this point dominates. The box ends where another point is
// better in all objectives but one. Subtracting the volume of the other points from this box, rather than from the
// total volume, keeps the digits of a small region. The cost is O(m n²) for n points in m objectives, plus the volume
// of the few points in each box.
//
// Reference: Bradstreet, While & Barone (2008), A fast incremental hypervolume algorithm, IEEE Transactions on
// Evolutionary Computation 12, for computing exclusive hypervolumes from points limited to a box.
func Contributions(points [][]float64, reference []float64) ([]float64, error) {
	if err := checkVolume(points, reference); err != nil {
		return nil, err
	}
	var inside []int
	for i, p := range points {
		if !StrictlyDominates(p, reference) {
			continue
		}
		if err := checkNear(i, p, reference); err != nil {
			return nil, err
		}
		inside = append(inside, i)
	}
	out := make([]float64, len(points))
	e := exclusive{far: make([]float64, len(reference))}
	for _, i := range inside {
		if !e.enclose(points, inside, i, reference) {
			continue
		}
		volume, err := Hypervolume(e.limited, e.far)
		if err != nil {
			return nil, err
		}
		box := 1.0
		for k, v := range points[i] {
			box *= e.far[k] - v
		}
		if math.IsInf(box, 1) {
			out[i] = box
			continue
		}
		out[i] = max(0, box-volume)
	}
	return out, nil
}

// exclusive holds the box that encloses a point's exclusive region, and the points that dominate parts of this box.
type exclusive struct {
	far     []float64   // the corner of the box opposite the point
	limited [][]float64 // other points in the box, with every coordinate raised to at least that of the point
}

// enclose computes the box of point i. The argument inside lists the points below the reference. enclose returns false
// if another point dominates the whole box.
func (e *exclusive) enclose(points [][]float64, inside []int, i int, reference []float64) bool {
	p := points[i]
	copy(e.far, reference)
	for _, j := range inside {
		if j == i {
			continue
		}
		above, where := 0, 0
		for k, v := range points[j] {
			if v > p[k] {
				above++
				where = k
			}
		}
		switch above {
		case 0:
			return false
		case 1:
			e.far[where] = min(e.far[where], points[j][where])
		}
	}
	e.limited = e.limited[:0]
	for _, j := range inside {
		if j == i || !StrictlyDominates(points[j], e.far) {
			continue
		}
		q := make([]float64, len(p))
		for k, v := range points[j] {
			q[k] = max(v, p[k])
		}
		e.limited = append(e.limited, q)
	}
	return true
}
