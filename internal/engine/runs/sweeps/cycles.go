package sweeps

import (
	"math"

	"paretoplay/algo/blocks"
	"paretoplay/internal/portable"
)

// Alternates reports whether a method treats objectives in turn.
func Alternates(method string) bool { return method == BlockSMOO || method == FunctionAlternate }

// Cycle computes where a method ends on a course, without running it. The frequencies m are multiplied by times, and
// the step size is always alpha. The result is the distance of x^{t,0,0} from the goal, and the width of an outer
// iteration. Both are NaN if runs move away from the goal. A value that is 0 up to rounding error is returned as NaN,
// too. Runs with random orders have no such end, so Cycle replaces these orders by contiguous turns and listed blocks.
func (r *Roster) Cycle(method string, on Course, g *Goal, times int, alpha float64) (Round, error) {
	config, err := r.Config(method, on)
	if err != nil {
		return NoRound, err
	}
	m := make([]int, len(config.Frequencies))
	for k, f := range config.Frequencies {
		m[k] = times * f
	}
	config.Frequencies, config.StepSize, config.Schedule, config.BlockOrder = m, alpha, blocks.Constant, blocks.ListedBlocks
	if config.Order == blocks.RandomOrder {
		config.Order = blocks.Contiguous
	}
	c, err := blocks.NewCycle(config)
	if err != nil || !(c.Radius < 1) { // runs move away, or to a point that is not finite
		return NoRound, nil
	}
	const rounding = 1e-12
	size := 1 + g.Away(make([]float64, len(g.Minimiser)))
	at := func(v float64) float64 {
		if v <= rounding*size {
			return math.NaN()
		}
		return v
	}
	return Round{at(g.Away(c.Points[0])), at(c.Diameter())}, nil
}

// Cycles holds the ends of runs with constant step sizes: a line for each method, and a point for each step size.
type Cycles struct {
	Lines []CycleLine
	Done  int // number of points computed, over all lines
}

// CycleLine is the line of one method whose frequencies m are multiplied by Times.
type CycleLine struct {
	Method string
	Times  int
	Ends   [CycleSteps]Round // one for each step size; NoRound if runs move away
}

// Range and number of the step sizes for which Cycles has points.
const (
	CycleLeast = 0.001
	CycleMost  = 0.2
	CycleSteps = 24
)

// CycleStep returns step size number i, counted from 0.
func CycleStep(i int) float64 {
	return CycleLeast * portable.Pow(CycleMost/CycleLeast, float64(i)/(CycleSteps-1))
}

// Add adds a line without points.
func (c *Cycles) Add(method string, times int) {
	line := CycleLine{Method: method, Times: times}
	for i := range line.Ends {
		line.Ends[i] = NoRound
	}
	c.Lines = append(c.Lines, line)
}

// Work computes points while more() is true. It reports whether work remains.
func (c *Cycles) Work(more func() bool, compute func(method string, times int, alpha float64) (Round, error)) (pending bool, err error) {
	for ; c.Done < len(c.Lines)*CycleSteps; c.Done++ {
		if !more() {
			return true, nil
		}
		line, i := &c.Lines[c.Done/CycleSteps], c.Done%CycleSteps
		if line.Ends[i], err = compute(line.Method, line.Times, CycleStep(i)); err != nil {
			return false, err
		}
	}
	return false, nil
}
