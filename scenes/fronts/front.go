package fronts

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/study/zdt"
)

// Names of the problems.
const (
	zdt1       = "zdt1"
	zdt2       = "zdt2"
	zdt3       = "zdt3"
	quadratics = "quadratics"
)

// front is a problem with two objectives and its known Pareto front.
type front struct {
	name    string
	problem algo.Partial
	d       int // number of variables
	// Each variable of a start point is uniform between middle − region and middle + region. lo and hi are the ends of
	// the colour scale of variables.
	middle, region float64
	lo, hi         float64
	x, y           axes.Axis     // axes of the objectives
	pieces         [][][]float64 // pieces of the Pareto front, each from left to right
	boundary       [][]float64   // the lower left edge of the attainable set; nil if it equals the front
	reference      []float64     // default reference point of the hypervolume
	farthest       float64       // roughly the largest second objective of a start point
	lower          []float64     // lower bounds of the objectives
	excess         func(x []float64) float64
	// excessLabel and mostExcess are the label and the upper end of the axis that shows the excess.
	excessLabel string
	mostExcess  float64
}

// frontPoints is the number of points on each piece of a front, for drawing and searching.
const frontPoints = 161

// newFront returns the named problem with d variables. The two quadratics always have two variables.
func newFront(name string, d int) (*front, error) {
	if name == quadratics {
		return newQuadratics()
	}
	number := map[string]int{zdt1: 1, zdt2: 2, zdt3: 3}[name]
	p, err := problem.NewZDT(number, d)
	if err != nil {
		return nil, err
	}
	f := &front{
		name: name, problem: algo.Exact(p), d: d, middle: 0.5, region: 0.5, lo: 0, hi: 1,
		x:      axes.Axis{Min: -0.03, Max: 1.2}.Goal(1, "f_{1}"),
		pieces: p.Front(frontPoints), reference: zdt.References[number-1], farthest: zdtFarthest, lower: zdt.LowerBounds(number),
		excess: p.Remainder, excessLabel: "Σ x_i, i ≥ 2", mostExcess: float64(d-1) * 0.7,
	}
	if number == 3 {
		f.boundary = p.Boundary(4 * frontPoints)
	}
	f.frame()
	return f, nil
}

// quadraticsApart is the distance between the minima of the two quadratics ½‖x − c_i‖² in the plane. Their front goes from (0, 2) to
// (2, 0).
const quadraticsApart = 2.0

// quadraticsReference is the hypervolume's reference point for two quadratics, a tenth beyond the front's range.
var quadraticsReference = []float64{2.2, 2.2}

// These are, roughly, the largest values of the second objective at random starts: for ZDT with 30 variables, and for
// two quadratics, whose maximum is at the far corner of the start region.
const (
	zdtFarthest        = 6.4
	quadraticsFarthest = 4.25
)

func newQuadratics() (*front, error) {
	const half = quadraticsApart / 2
	p, err := problem.NewClusters([][]float64{{-half, 0}, {half, 0}}, problem.Quadratic)
	if err != nil {
		return nil, err
	}
	piece := make([][]float64, frontPoints)
	for i := range piece {
		x := []float64{-half + quadraticsApart*float64(i)/(frontPoints-1), 0}
		piece[i] = make([]float64, 2)
		p.Values(piece[i], x)
	}
	f := &front{
		name: quadratics, problem: algo.Exact(p), d: 2, region: 1.5, lo: -1.5, hi: 1.5,
		x:      axes.Axis{Min: -0.12, Max: 3.2}.Goal(1, "f_{1}"),
		pieces: [][][]float64{piece}, reference: quadraticsReference, farthest: quadraticsFarthest, lower: []float64{0, 0},
		excess: func(x []float64) float64 {
			beyond := max(math.Abs(x[0])-half, 0)
			// Use math.Hypot, because the results of stored links must stay the same to the last bit.
			return math.Hypot(beyond, x[1])
		},
		excessLabel: "distance from the Pareto set", mostExcess: 1.7,
	}
	f.frame()
	return f, nil
}

// frame sets the vertical axis so that the front fills most of the picture's height. Above a knee the axis is compressed to include the
// start points and the reference point.
func (f *front) frame() {
	const (
		filled, below, loft = 0.62, 0.05, 0.25 // shares of the height
		room                = 1.12             // factor that leaves room for the ring around the reference point
	)
	low, high := math.Inf(1), math.Inf(-1)
	for _, piece := range f.pieces {
		for _, p := range piece {
			low, high = min(low, p[1]), max(high, p[1])
		}
	}
	height := (high - low) / filled
	f.y = axes.Axis{Min: low - float64(below*height), Loft: loft}.Goal(2, "f_{2}")
	f.y.Knee = f.y.Min + float64((1-loft)*height)
	f.y.Max = room * max(f.farthest, f.reference[1])
}

// least returns the point of the front that minimises a weighted sum of the objectives.
func (f *front) least(w []float64) (best []float64) {
	value := math.Inf(1)
	for _, piece := range f.pieces {
		for _, p := range piece {
			if v := float64(w[0]*p[0]) + float64(w[1]*p[1]); v < value {
				value, best = v, p
			}
		}
	}
	return best
}

// optimum returns the hypervolume of all points with which the front is drawn, up to a reference point.
func (f *front) optimum(reference []float64) float64 {
	var all [][]float64
	for _, piece := range f.pieces {
		all = append(all, piece...)
	}
	return volume(all, reference)
}

// volume returns the hypervolume of points up to a reference point. It returns NaN if the hypervolume is undefined, for
// example for points that are not finite.
func volume(points [][]float64, reference []float64) float64 {
	v, err := pareto.Hypervolume(points, reference)
	if err != nil {
		return math.NaN()
	}
	return v
}
