// Package fairness implements the scene about the trade-off between accuracy and fairness. Several lines separate two
// classes; some are more accurate, and others depend less on a sensitive attribute.
package fairness

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the fairness scene of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	problem  *problem.Fairness
	sample   *problem.FairnessSample
	front    *front
	starts   [][]float64
	mixtures [][]float64 // MosT-E’s objectives, by falling weight of the loss
	clock    func() *kinds.Clock

	panels []axes.Panel
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.clock = s.values.Clock(s.Timeline())
	volume := s.volumeHistory()
	s.MarkOn(volume)
	over := volume.Panel()
	over.Key = func(t *brush.Theme) []axes.Entry { return kinds.MethodEntries(t, Methods, s.Timeline()) }
	s.panels = []axes.Panel{s.dataPanel(), s.objectivePanel(), s.planPanel(), over, s.getsPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the data and the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	p, err := problem.NewFairness(v.problem())
	if err != nil {
		return err
	}
	starts := v.Points(v.Seed, nil, v.M, v.Uniform(2, 0))
	mixtures, err := transport.DirichletMixtures(2, v.Mixtures, v.Shape, true, v.Seed)
	if err != nil {
		return err
	}
	// Sort from the loss, which is the first objective, to the covariance, so that neighbours are similar.
	slices.SortStableFunc(mixtures, func(a, b []float64) int { return cmp.Compare(b[0], a[0]) })
	runs, err := v.Runs(plans.Course{Problem: algo.Exact(p), Starts: starts, Mixtures: mixtures, Horizon: v.Budget, Seed: v.Seed})
	if err != nil {
		return err
	}
	if s.front == nil || s.front.of != v.problem() {
		s.front = frontOf(p, v.problem(), s.Timeline().Maker())
	}
	s.mixtures = mixtures
	s.problem, s.sample, s.starts = p, p.Sample(problem.Training), starts
	for _, r := range runs {
		s.record(r)
	}
	s.Timeline().SetEnd(v.Budget, 0)
	s.Timeline().Reset(runs, log)
	return nil
}

// Names of the runs' records besides the common ones.
const (
	volume        = "hypervolume" // × 100
	solutionKinds = "kinds"       // number of kinds of solutions
	accuracy      = "accuracy"    // for each solution, from 0 to 1
	ratio         = "ratio"       // for each solution, from 0 to 1
)

// record makes a run record the scene's own numbers at each of its points, after the usual ones.
func (s *Scene) record(r *timeline.Run) {
	measure, sample, reference := r.MeasurePoint, s.sample, s.front.reference
	r.AtPoint = append(r.AtPoint,
		timeline.Extra{Name: volume, Label: "hypervolume × 100"}, timeline.Extra{Name: solutionKinds, Whole: true},
		timeline.Extra{Name: accuracy, Each: true, Symbol: "acc", Label: "accuracy"},
		timeline.Extra{Name: ratio, Each: true, Symbol: "p %", Label: "ratio of the shares that get +1"})
	r.MeasurePoint = func(v algo.View, stationarity, further []float64) {
		measure(v, stationarity, further)
		m := v.Solutions
		own := further[len(further)-2-2*m:]
		points := rows(v.F, m)
		if hv, err := pareto.Hypervolume(points, reference); err == nil { // the record stays NaN if a point is not finite
			own[0] = 100 * hv
		}
		own[1] = float64(different(points, reference))
		for j, theta := range rows(v.X, m) {
			own[2+j], own[2+m+j] = sample.Accuracy(theta), ratioOf(sample, theta)
		}
	}
}

// rows divides numbers into m rows of equal length.
func rows(numbers []float64, m int) [][]float64 {
	out := make([][]float64, m)
	n := len(numbers) / m
	for j := range out {
		out[j] = numbers[j*n : (j+1)*n]
	}
	return out
}

// apart is the minimum difference between two kinds of solutions in at least one objective, as a share of the distance between the
// front's ends.
const apart = 0.05

// different returns the number of kinds of points. It counts each point that is apart from all points counted before.
func different(points [][]float64, reference []float64) int {
	var chosen [][]float64
	for _, p := range points {
		near := false
		for _, q := range chosen {
			near = near || math.Abs(p[0]-q[0]) <= apart*reference[0] && math.Abs(p[1]-q[1]) <= apart*reference[1]
		}
		if !near {
			chosen = append(chosen, p)
		}
	}
	return len(chosen)
}

// ratioOf returns the ratio of the p % rule. It compares the shares that get +1 among points with and without the
// sensitive attribute, and divides the smaller by the larger. It is 1 if no point gets +1, and NaN if all points or
// none have the attribute.
func ratioOf(sample *problem.FairnessSample, theta []float64) float64 {
	without, with := sample.PositiveShares(theta)
	if without == 0 && with == 0 {
		return 1
	}
	return math.Min(without, with) / math.Max(without, with)
}

// Panels returns the linked panels.
func (s *Scene) Panels() []axes.Panel { return s.panels }

// Drag turns the attribute or moves the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle != attributeHandle {
		return s.Base.Drag(handle, x, y)
	}
	return "phi", strconv.Itoa(int(turned(x, y)))
}
