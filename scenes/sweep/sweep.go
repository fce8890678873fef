// Package sweep implements the scene that sweeps over all frequency vectors. Block-SMOO and its competitors run for one
// vector after another, and the points where their runs end form fronts.
package sweep

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// objectives is the number of objectives, q. A front of three objectives can be drawn in space.
const objectives = 3

// Scene holds the state of one visitor's sweep. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	grid    grid
	optima  []optimum // optima of the grid's vectors
	start   [2][]float64
	low     [2]float64 // lowest mean loss of an optimum
	ends    []*ends    // ends of the runs, in the order of the runs
	changes int        // counts the builds of the runs

	summaries []*summary // by number of vectors, from 0; nil until requested
	summed    shown      // the state that the summaries describe

	passed brush.Memo[string, *passing] // at the marker

	panels []axes.Panel
	space  *kinds.Space
}

// optimum holds the minimum of a vector's weighted sum.
type optimum struct {
	losses [2][]float64
	sum    float64 // F_m at the minimum, on the training examples
}

// These are the sets of examples on which losses are computed.
const (
	train = iota
	test
)

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.space = s.frontPanel()
	s.panels = []axes.Panel{s.space, s.vectorsPanel(), s.qualityPanel(), s.runPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// course holds what all methods' runs share.
type course struct {
	problem *problem.ReducedRank
	start   []float64
	blocks  [][]int
	vectors [][]int
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	if v.Batch > v.N {
		return &algo.RangeError{Name: "batch", Value: v.Batch, Allowed: fmt.Sprintf("at most the number of examples, %d", v.N)}
	}
	learn, check, err := problem.RandomRegression(problem.RegressionConfig{Train: v.N, Test: max(1, v.N/4), Features: v.D,
		Responses: objectives, TrueRank: objectives, Noise: v.Sigma, UnitResponses: true, Seed: v.Seed, Yielder: s.Timeline().Maker()})
	if err != nil {
		return err
	}
	var on [2]*problem.ReducedRank
	for i, data := range []*problem.Regression{learn, check} {
		if on[i], err = problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: v.R}); err != nil {
			return err
		}
	}
	c := course{problem: on[train], start: on[train].Start(v.Seed, 0), blocks: v.partition(), vectors: vectorsOf(v.P)}
	runs, err := v.Runs(v.On, [][]float64{c.start}, func(int) *course { return &c })
	if err != nil {
		return err
	}
	grid := newGrid(c.vectors)
	optima, err := optimaOf(grid, on, s.Timeline().Maker())
	if err != nil {
		return err
	}
	s.grid, s.optima, s.ends = grid, optima, nil
	s.changes++
	s.summaries = nil
	for i, p := range on {
		s.start[i] = make([]float64, objectives)
		p.Values(s.start[i], c.start)
		s.low[i] = math.Inf(1)
		for _, o := range optima {
			s.low[i] = min(s.low[i], mean(o.losses[i]))
		}
	}
	for _, run := range runs {
		s.listen(run, on[test])
	}
	s.setEnd()
	s.Timeline().Reset(runs, log)
	return nil
}

// setEnd sets the runs' end: when every vector has had its passes, or when the budget is used up.
func (s *Scene) setEnd() {
	s.Timeline().SetEnd(min(s.values.Budget, len(s.grid.vectors)*s.values.Passes), 0)
}

// optimaOf returns the minima of the vectors' weighted sums. It yields before each minimisation.
func optimaOf(g grid, on [2]*problem.ReducedRank, yielder *algo.Yielder) ([]optimum, error) {
	// The work is roughly the number of multiplications, both in a minimisation, which has a product for every feature and
	// objective, and in the losses at the minimum.
	work := on[train].LossLabour() + on[test].LossLabour()
	out := make([]optimum, len(g.vectors))
	for i, w := range g.weights {
		yielder.Yield(work)
		x, err := on[train].Minimum(w)
		if err != nil {
			return nil, err
		}
		for j, p := range on {
			out[i].losses[j] = make([]float64, objectives)
			p.Values(out[i].losses[j], x)
		}
		out[i].sum = sweeps.Weighted(w, out[i].losses[train])
	}
	return out, nil
}

// These are the names of the records that only this scene keeps.
const (
	vectorName = "vector" // number of the current vector, from 1
	timesName  = "m"
	passName   = "pass" // number of the pass with that vector
	testName   = "test" // losses on the test examples
)

// listen sets up a run to record its vector's state, and stores the vectors' ends.
func (s *Scene) listen(run *timeline.Run, on *problem.ReducedRank) {
	stepper := run.Stepper.(*blocks.Sweep)
	e := &ends{run: run, weights: s.grid.weights, passes: s.values.Passes}
	s.ends = append(s.ends, e)
	run.Name, run.Label = run.Method, run.Title
	run.AtPoint = []timeline.Extra{
		{Name: vectorName, Label: "vector", Whole: true}, {Name: timesName, Size: objectives, Label: "frequencies", Symbol: "m", Whole: true},
		{Name: passName, Label: "pass", Whole: true}, {Name: testName, Size: objectives, Label: "test losses"},
	}
	run.MeasurePoint = func(v algo.View, _, further []float64) {
		i, m := stepper.Vector()
		further[0] = float64(i + 1)
		for k, times := range m {
			further[1+k] = float64(times)
		}
		further[1+objectives] = float64(stepper.Pass())
		on.Values(further[2+objectives:], v.X)
	}
	f := make([]float64, objectives)
	run.Observe = func(v algo.View) {
		on.Values(f, v.X)
		e.add(v.F, f, stepper.Diverged())
	}
}

// Displayed updates the runs' end after a change of the parameters.
func (s *Scene) Displayed() error {
	s.setEnd()
	return nil
}

// Panels returns the scene's linked panels.
func (s *Scene) Panels() []axes.Panel { return s.panels }

// Drag turns the camera or moves the time marker, depending on the handle.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	switch handle {
	case kinds.CameraHandle:
		return "camera", kinds.Camera(s.values.Camera).Turn(x, y).Text()
	case kinds.MarkerHandle:
		s.Timeline().SetMarker(s.iterationAt(x))
	}
	return "", ""
}

// iterationAt returns the iteration at which a given number of vectors has ended.
func (s *Scene) iterationAt(vectors float64) int {
	return int(math.Round(min(max(vectors*float64(s.values.Passes), 0), float64(s.Timeline().Latest()))))
}

// Work computes the summaries of the vectors so far.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	for n := 1; n <= s.finished(s.Timeline().Latest()); n++ {
		if s.known(n) {
			continue
		}
		if !more() {
			return true, nil
		}
		s.summary(n)
	}
	return false, nil
}

// family returns the methods. Each sweeps over its course's vectors.
func family(p *Params) []runs.Method[*course] {
	var out []runs.Method[*course]
	for _, m := range sweeps.Methods() {
		out = append(out, runs.Method[*course]{Method: m, Bind: func(*param.List) func(*course) (algo.Stepper, error) {
			return func(c *course) (algo.Stepper, error) { return p.stepper(m.ID, c) }
		}})
	}
	return out
}

// stepper returns the stepper of a method.
func (p *Params) stepper(method string, c *course) (algo.Stepper, error) {
	run := sweeps.Special(method, blocks.Config{Problem: c.problem, Start: c.start, Blocks: c.blocks,
		StepSize: p.Alpha, Order: blocks.Order(p.Order),
		Batch: p.Batch, Seed: p.Seed})
	return blocks.NewSweep(blocks.SweepConfig{Run: run, Vectors: c.vectors, Passes: p.Passes, Outer: p.Pass == passOuter})
}

// partition returns the blocks of variables: U and V, or U and each row of V.
func (p *Params) partition() [][]int {
	stretch := func(from, count int) []int {
		out := make([]int, count)
		for i := range out {
			out[i] = from + i
		}
		return out
	}
	border := p.D * p.R
	out := [][]int{stretch(0, border)}
	if p.Partition == partitionFactors {
		return append(out, stretch(border, p.R*objectives))
	}
	for row := range p.R {
		out = append(out, stretch(border+row*objectives, objectives))
	}
	return out
}
