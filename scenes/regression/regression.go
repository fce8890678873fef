// Package regression implements the scene about reduced-rank regression. It compares the test losses that alternating
// methods reach with the cost of their gradients.
package regression

import (
	"math"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene holds the state of one visitor's scene. It implements scene.Scene and scene.DataTaker.
type Scene struct {
	scene.Base
	values Params

	table *data.Table               // the visitor's table; nil until one is opened
	data  *sets                     // data of the current runs; nil while something is missing
	lacks string                    // what is missing
	spent map[*timeline.Run]float64 // work of each run at its end; missing if the run diverges

	clock    func() *kinds.Clock
	time     *kinds.History // the panel that carries the time marker
	pictures []axes.Panel
	watch    func() time.Duration

	kinds    []kind // kinds of steps
	builds   int    // counts the builds of the runs
	curves   curves
	shown    brush.Memo[string, *matrices]
	measured *measured
}

// sets holds the training and test data.
type sets struct {
	key         string // identifies the settings that define the data
	train, test *problem.ReducedRank
	names       []string // names of the responses
	optimum     float64  // test loss of the least-squares solution that has the problem's rank
}

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), watch: runs.Stopwatch()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.clock = s.newClock()
	s.time = &kinds.History{Timeline: s.Timeline(), Clock: s.clock}
	s.MarkOn(s.time)
	s.pictures = s.newPictures()
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// These are the names of the test results in the runs' records.
const (
	lossName  = "loss" // mean test loss over the responses
	testsName = "test" // test loss of each response
)

// Restart builds the runs at k = 0. It builds none while something is missing.
func (s *Scene) Restart(log []timeline.Change) error {
	v, t := &s.values, s.Timeline()
	d, lacks, err := s.read()
	if err != nil {
		return err
	}
	if d == nil {
		s.data, s.lacks = nil, lacks
		t.SetEnd(v.Budget, 0)
		t.Reset(nil, log)
		return nil
	}
	course := s.course(d)
	runs, err := v.Runs(course)
	if err != nil {
		return err
	}
	s.builds++
	s.kinds = v.kindsOf(d)
	s.data, s.lacks, s.spent = d, "", map[*timeline.Run]float64{}
	most := 1
	for _, run := range runs {
		steps, work := alternation(run).StepsFor(course.Work, v.Budget)
		most, s.spent[run] = max(most, steps), float64(work)
	}
	t.SetEnd(most, 0)
	t.Reset(runs, log)
	return nil
}

// course returns the problem and the settings that all methods share.
func (s *Scene) course(d *sets) sweeps.Course {
	v, q := &s.values, len(d.names)
	c := sweeps.Course{Problem: d.train, Start: d.train.Start(v.Seed, 0), Blocks: blocksOf(d.train, v.Partition), Batch: v.batchOf(d),
		Budget: v.Budget, Seed: v.Seed}
	c.Spending = sweeps.Spending{Work: int(v.Work * million),
		Draw:    func(draw int) []float64 { return d.train.Start(v.Seed, draw) },
		Further: []timeline.Extra{{Name: lossName, Label: "test loss"}, {Name: testsName, Size: q}},
		Measure: func(x, further []float64) {
			tests := further[1:]
			if d.test.Values(tests, x); !algo.Finite(tests) {
				further[0] = math.NaN()
				return
			}
			further[0] = runs.Average(tests)
		}}
	if v.Share {
		c.Shared = make([]bool, len(c.Blocks))
		for b := 1; b < len(c.Shared); b++ {
			c.Shared[b] = true
		}
		c.Partitioned = func() algo.Partial { return d.keeping() }
	}
	return c
}

// batchOf returns the number of examples in a batch.
func (p *Params) batchOf(d *sets) int { return min(p.Batch, d.train.Examples()) }

const million = 1e6

// blocksOf returns the blocks of a partition. U is the first block.
func blocksOf(p *problem.ReducedRank, partition string) [][]int {
	d, q, r := p.Data().Features(), p.Data().Responses(), p.Rank()
	stretch := func(lo, hi int) []int {
		list := make([]int, hi-lo)
		for i := range list {
			list[i] = lo + i
		}
		return list
	}
	n := (d + q) * r
	if partition == twoBlocks {
		return [][]int{stretch(0, d*r), stretch(d*r, n)}
	}
	list := [][]int{stretch(0, d*r)}
	for lo := d * r; lo < n; lo += q {
		list = append(list, stretch(lo, lo+q))
	}
	return list
}

// Displayed does nothing, because panels read the parameters themselves.
func (s *Scene) Displayed() error { return nil }

// Panels returns the scene's linked panels.
func (s *Scene) Panels() []axes.Panel { return s.pictures }

// Work measures step times.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.values.Axis != secondsAxis {
		return false, nil
	}
	if m := s.measuredNow(); m != nil {
		return m.Work(more)
	}
	return false, nil
}

// newPictures returns the panels, starting with the hero.
func (s *Scene) newPictures() []axes.Panel {
	return []axes.Panel{s.lossPanel(), s.responsesPanel(), s.matrixPanel(), s.wherePanel(), s.costPanel()}
}
