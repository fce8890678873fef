package zdt

import (
	"math"

	"paretoplay/internal/engine/runs/plans"
)

// paperTable5 is the paper's hypervolumes on ZDT1 to ZDT3, m = 5. It has MosT once, and
// says nowhere that it is the extended one; five solutions spread as evenly as its
// figure shows them are not without.
var paperTable5 = map[string][3]float64{
	plans.MGDA:          {4.02, 4.63, 4.53},
	plans.Linearization: {5.72, 6.65, 6.27},
	plans.MOOSVGD:       {5.54, 6.65, 5.77},
	plans.EPO:           {4.40, 6.65, 4.53},
	plans.MosT:          {5.87, 6.88, 6.39},
	plans.Extended:      {5.87, 6.88, 6.39},
}

// paperStep is the step size of the paper; it names no style.
const paperStep = 0.005

// paper is the paper's hypervolume of a cell's method, NaN for a step size or a method that
// is not the paper's.
func (c *Cell) paper() float64 {
	row, has := paperTable5[c.Method]
	if !has || c.Style.Eta != paperStep {
		return math.NaN()
	}
	return row[c.Problem-1]
}
