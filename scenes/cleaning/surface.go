package cleaning

import (
	"image"
	"image/color"
	"math"
	"slices"

	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
)

const (
	// nodes is the number of grid points of a surface in each direction.
	nodes = 41
	// dots is the number of dots, in each direction, in the picture of a surface's regions.
	dots = 48
)

// surface holds the classes' scores at grid nodes over the plane of a data set, for regions and borders. It is kept until another model
// is drawn.
type surface struct {
	problem *problem.HyperCleaning
	omega   []float64
	classes int
	scores  []float64 // nodes×nodes×classes, rows from the bottom
}

// update computes the scores of the model that the variables z contain, unless the surface already has these scores.
// All calls must pass the same data set.
func (s *surface) update(p *problem.HyperCleaning, z []float64, set int) {
	n, _, _ := p.Dims()
	if s.problem == p && slices.Equal(s.omega, z[n:]) {
		return
	}
	s.problem, s.omega, s.classes = p, append(s.omega[:0], z[n:]...), p.Config().Classes
	if size := nodes * nodes * s.classes; len(s.scores) != size {
		s.scores = make([]float64, size)
	}
	for j := range nodes {
		for i := range nodes {
			p.Scores(s.at(i, j), z, set, place(i), place(j))
		}
	}
}

// place converts the index of a node, along either axis, to a coordinate in the plane of the data.
func place(i int) float64 {
	return problem.HyperCleaningView * (2*float64(i)/(nodes-1) - 1)
}

// at returns the scores at a node.
func (s *surface) at(i, j int) []float64 {
	from := (j*nodes + i) * s.classes
	return s.scores[from : from+s.classes]
}

// drawRegions tints the plane by the class with the largest score. It interpolates the scores between nodes.
func (s *surface) drawRegions(b *brush.Brush, tint func(class int) color.NRGBA) {
	tints := make([]color.RGBA, s.classes)
	for class := range tints {
		tints[class] = color.RGBA(tint(class)) // opaque
	}
	img := image.NewRGBA(image.Rect(0, 0, dots, dots))
	row := make([]float64, nodes*s.classes) // scores along a row of dots
	for y := range dots {
		j, v := between(dots - 1 - y) // row 0 of an image is its top
		low, high := s.scores[j*len(row):(j+1)*len(row)], s.scores[(j+1)*len(row):(j+2)*len(row)]
		for k := range row {
			row[k] = float64((1-v)*low[k]) + float64(v*high[k])
		}
		for x := range dots {
			i, u := between(x)
			left, right := row[i*s.classes:(i+1)*s.classes], row[(i+1)*s.classes:(i+2)*s.classes]
			best, class := math.Inf(-1), 0
			for c, l := range left {
				if score := float64((1-u)*l) + float64(u*right[c]); score > best {
					best, class = score, c
				}
			}
			img.SetRGBA(x, y, tints[class])
		}
	}
	b.Picture(img)
}

// between returns the node before the middle of a dot, and the position of the middle between this node and the next, from 0 to 1.
func between(dot int) (node int, share float64) {
	at := float64((float64(dot) + 0.5) / dots * (nodes - 1))
	whole := math.Floor(at)
	return int(whole), at - whole
}

// drawBorders draws the borders of all regions except the last class's, whose borders are also borders of other
// regions.
func (s *surface) drawBorders(b *brush.Brush, stroke brush.Stroke) {
	lead := make([]float64, nodes*nodes) // how far the class's score is above the best other score
	for class := range s.classes - 1 {
		for n := range lead {
			scores, rival := s.scores[n*s.classes:(n+1)*s.classes], math.Inf(-1)
			for c, v := range scores {
				if c != class && v > rival {
					rival = v
				}
			}
			lead[n] = scores[class] - rival
		}
		b.GridContours(nodes, nodes, lead, []float64{0}, stroke)
	}
}
