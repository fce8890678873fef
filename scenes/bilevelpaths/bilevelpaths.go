// Package bilevelpaths implements the scene in which FORUM and its rivals run on the quadratic bilevel problem of
// FORUM's paper.
package bilevelpaths

import (
	"fmt"
	"math"
	"strconv"

	"paretoplay/algo"
	levels "paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene holds the state of one visitor's bilevel scene. It implements scene.Scene.
type Scene struct {
	scene.Base
	runs.SlowMotion
	values Params

	problem  algo.LowerHessian
	reading  *reading     // parsed formulas; nil before the first parse
	bottoms  [][3]float64 // bottoms of the valleys of a custom problem, along α
	point    [3]float64
	jacobian *algo.Jacobian // Jacobian of the upper objectives at the last computed point
	starts   [][]float64
	lo, hi   float64 // visible range of each coordinate

	space   *kinds.Space
	weights *kinds.History
	panels  []axes.Panel

	steps brush.Memo[now, *step]
	rows  brush.Memo[now, timeline.Row]
}

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), problem: problem.NewQuadraticBilevel(), jacobian: algo.NewJacobian(2, 3)}
	names := stageNames[another]
	s.SlowMotion = runs.NewSlowMotion(s.Timeline(), &s.values.Settings, &s.values.Moment, names[:], func() []float64 { return durations[:] })
	s.Ahead = true
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	// In this scene ω and f belong to the lower level, so these labels need other symbols.
	for label, symbol := range map[string]string{"variables": "α, ω", "objectives": "F", "weights": "λ̃", "stationarity": "√KKT"} {
		s.Timeline().Sign(label, symbol)
	}
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
	s.space = s.spacePanel()
	s.panels = []axes.Panel{s.space, s.lowerPanel(), s.objectivePanel(), s.measuresPanel(), s.weightsPanel(), s.costPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	for i, z := range v.Moved {
		if len(z) != 0 && len(z) != 3 {
			return fmt.Errorf("start point %d has %d coordinates; give three: α, ω1 and ω2", i+1, len(z))
		}
	}
	if len(s.Faults()) == 0 {
		s.problem = s.read().problem
	}
	starts := v.startPoints()
	runs, err := v.Runs(s.problem, starts, tracked)
	if err != nil {
		return err
	}
	s.starts = starts
	s.lo, s.hi = extent(starts)
	if s.own() {
		s.findBottoms()
	}
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// The shown range of coordinates always contains the range between these ends.
const (
	leastShown = -0.5
	maxShown   = 3.5
)

// extent returns a range of coordinates that contains all start points. It is rounded to whole steps, so that it rarely
// changes while a start is dragged.
func extent(starts [][]float64) (lo, hi float64) {
	lo, hi = leastShown, maxShown
	for _, z := range starts {
		for _, v := range z {
			lo, hi = math.Min(lo, leastShown-math.Ceil(leastShown-v)), math.Max(hi, maxShown+math.Ceil(v-maxShown))
		}
	}
	return lo, hi
}

// trackedName names MoCo's tracked hypergradients in a run's record.
const trackedName = "tracked"

// tracked records MoCo's y_i for the step that led to a point.
var tracked = twolevel.Beside{
	List: []timeline.Extra{{Name: trackedName, Size: 2}},
	Measure: func(s levels.Stepper, _ algo.View, further []float64) {
		if moco, is := s.(*levels.MoCo); is && moco.Tracked() != nil {
			copy(further, moco.Tracked().Data)
		}
	},
}

// Displayed shows whole steps again when slow motion ends.
func (s *Scene) Displayed() error {
	s.EndIfOff()
	return nil
}

// Panels returns the scene's linked panels. The first two show one step.
func (s *Scene) Panels() []axes.Panel {
	if s.values.View == viewStep {
		return s.panels[:2]
	}
	return s.panels
}

// Drag moves the dragged object: a start point in the plane of the view, its valley along the line of bottoms, the
// camera, the moment of the step, or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	switch handle {
	case kinds.MarkerHandle:
		return s.Base.Drag(handle, x, y)
	case momentHandle:
		return "moment", strconv.FormatFloat(math.Round(100*s.momentAt(x))/100, 'g', -1, 64)
	case alphaHandle:
		return s.dragValley(x, y)
	case kinds.CameraHandle:
		return "camera", kinds.Camera(s.values.Camera).Turn(x, y).Text()
	}
	return s.values.Drag(s.Params(), handle, s.starts, func(z []float64) {
		_, _, near := s.space.Project([3]float64(z))
		at := s.space.Place(x, y, near)
		copy(z, at[:])
	})
}

// now is the cache key for the step that the selected run takes from the marker. It contains everything that the step
// depends on.
type now struct {
	run timeline.Track
	key string
}

func (s *Scene) now() now {
	line := s.Timeline()
	return now{line.Selected(), fmt.Sprint(line.SelectedName(), line.Marker(), line.Latest(), line.Version(), line.Log())}
}

// step returns the displayed step, or nil if there are no runs.
func (s *Scene) step() *step {
	now := s.now()
	return s.steps.Of(now, func() *step {
		if now.run.Run == nil {
			return nil
		}
		return s.stepAt(now.run, s.Timeline().Marker())
	})
}

// row returns the selected run's row at the marker, including the step that starts there.
func (s *Scene) row() timeline.Row {
	now := s.now()
	return s.rows.Of(now, func() timeline.Row {
		row, _, _ := s.Timeline().Ahead(now.run.Run, s.Timeline().Marker())
		return row
	})
}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return twolevel.StepNumbers(s.Timeline(), s.problem, t, k)
}

// ---- slow motion

// moments is the number of stages of a step. It is also the moment at which the whole step is shown.
const moments = 4

// durations lists the times in seconds for which slow motion shows each stage.
var durations = [moments]float64{2.4, 1.4, 2.2, 1.4}

// Moment returns the number of the displayed stage, or moments if the whole step is shown.
func (s *Scene) Moment() string { return strconv.Itoa(s.Stage()) }
