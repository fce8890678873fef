package problem

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Split is a part of a data set of HyperCleaning.
type Split int

const (
	Training   Split = iota // samples for the lower level, some with wrong labels
	Validation              // clean samples for the upper level
	Selection               // clean samples for choosing an iterate
	Test                    // clean samples for assessing the chosen iterate

	Splits Split = iota // number of splits
)

const dimensions = 2

// HyperCleaningView is half the side of a window that contains data sets with the usual spread. Pictures show
// [−HyperCleaningView, HyperCleaningView] in both coordinates.
const HyperCleaningView = 2.25

// Samples holds points in the plane with labels. The caller must not modify the slices.
type Samples struct {
	X     []float64 // rows (x_1, x_2)
	Given []int     // labels available to a method, from 0 to C−1
	True  []int     // correct labels: the classes that the points were drawn from
}

// Len returns the number of samples.
func (s *Samples) Len() int { return len(s.Given) }

// Point returns the coordinates of a sample.
func (s *Samples) Point(j int) []float64 { return s.X[2*j : 2*j+2 : 2*j+2] }

// Corrupted reports whether the given label of a sample is wrong.
func (s *Samples) Corrupted(j int) bool { return s.Given[j] != s.True[j] }

// Samples returns a part of a data set, 0 ≤ set < HyperCleaningSets.
func (b *HyperCleaning) Samples(set int, split Split) *Samples { return &b.data[set][split] }

// In the second data set, each arm of the spiral goes from radius spiralFrom to spiralTo, and turns by spiralTurn.
const (
	spiralFrom, spiralTo = 0.35, 1.75
	spiralTurn           = 2.2
)

// draw returns a random part of a data set. Sample j is of class j mod C. Every part has a separate random stream, so
// that its size does not affect other parts.
func (c *HyperCleaningConfig) draw(set int, split Split) Samples {
	size := [Splits]int{c.Train, c.Validation, c.Selection, c.Test}[split]
	source := algo.Stream(c.Seed, set, int(split), algo.Data)
	draw := rand.New(&source)
	s := Samples{X: make([]float64, dimensions*size), Given: make([]int, size), True: make([]int, size)}
	for j := range size {
		class := j % c.Classes
		angle, radius, spread := 2*math.Pi*float64(class)/float64(c.Classes), 1.0, c.Spread
		if set == 0 {
			angle += math.Pi / 2
		} else {
			along := float64(draw.Float64())
			radius = spiralFrom + float64((spiralTo-spiralFrom)*along)
			angle += float64(spiralTurn * (along - 0.5))
			spread /= 2 // because the arms are closer together than the classes on the circle
		}
		sine, cosine := portable.Sincos(angle)
		s.X[2*j] = float64(radius*cosine) + float64(spread*portable.Normal(&source))
		s.X[2*j+1] = float64(radius*sine) + float64(spread*portable.Normal(&source))
		s.Given[j], s.True[j] = class, class
	}
	return s
}

// corrupt changes the labels of a random share of the samples, rounded to a whole number of samples. Each label becomes
// one of the other classes with equal probability.
func (s *Samples) corrupt(c HyperCleaningConfig, set int) {
	source := algo.Stream(c.Seed, set, int(Splits), algo.Data)
	draw := rand.New(&source)
	count := int(math.Round(c.Corruption * float64(s.Len())))
	for _, j := range draw.Perm(s.Len())[:count] {
		s.Given[j] = (s.True[j] + 1 + draw.IntN(c.Classes-1)) % c.Classes
	}
}
