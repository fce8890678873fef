package zdt

import (
	"math"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/plans"
)

// paperTable5 contains the paper's hypervolumes on ZDT1 to ZDT3 with m = 5, as means with their deviation over three
// runs. The paper lists MosT only once and does not state that this is the extended form. Without the extension,
// however, five solutions do not spread as evenly as in the paper's figure.
var paperTable5 = map[string][3]experiment.Estimate{
	plans.MGDA:          {{Mean: 4.02, Spread: 0.92}, {Mean: 4.63, Spread: 0.94}, {Mean: 4.53, Spread: 0.83}},
	plans.Linearization: {{Mean: 5.72, Spread: 0.01}, {Mean: 6.65}, {Mean: 6.27, Spread: 0.02}},
	plans.MOOSVGD:       {{Mean: 5.54, Spread: 0.12}, {Mean: 6.65}, {Mean: 5.77, Spread: 0.15}},
	plans.EPO:           {{Mean: 4.40, Spread: 0.01}, {Mean: 6.65}, {Mean: 4.53, Spread: 0.68}},
	plans.MosT:          {{Mean: 5.87}, {Mean: 6.88}, {Mean: 6.39, Spread: 0.03}},
	plans.Extended:      {{Mean: 5.87}, {Mean: 6.88}, {Mean: 6.39, Spread: 0.03}},
}

// paperStep is the paper's step size. The paper does not state the style.
const paperStep = 0.005

// Published returns a method's hypervolume from the paper's Table 5 on ZDT1, 2 or 3, with its deviation over three
// runs. The result is unknown for methods that the table lacks.
func Published(method string, number int) experiment.Estimate {
	row, has := paperTable5[method]
	if !has {
		return experiment.Unknown()
	}
	return row[number-1]
}

// paper returns the paper's hypervolume for a cell's method, or NaN for step sizes and methods that the paper lacks.
func (c *Cell) paper() float64 {
	if c.Style.Eta != paperStep {
		return math.NaN()
	}
	return Published(c.Method, c.Problem).Mean
}
