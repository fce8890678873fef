// Package cleaning implements the hyper-cleaning scene. The scene has two small data sets of points in the plane,
// and some of the points have wrong labels. Two-level methods learn a weight for every sample.
package cleaning

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/hypercleaning"
)

// Scene is the hyper-cleaning scene of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	problem *problem.HyperCleaning
	// chosen holds, for each run, every iterate that was the best when the run reached it. The last one is reported.
	chosen    map[*timeline.Run][]marks
	reference *reference
	surfaces  [problem.HyperCleaningSets]surface // surfaces of the selected run's model

	table *hypercleaning.Tables // nil until first displayed

	accuracy *kinds.History
	panels   []axes.Panel          // all panels but the last, which shows the chosen curve
	curves   map[string]axes.Panel // by measure
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.accuracy = s.accuracyHistory()
	s.MarkOn(s.accuracy)
	s.panels = []axes.Panel{
		s.dataPanel(0), s.dataPanel(1), s.weightsPanel(),
		s.accuracyPanel(), s.detectionPanel(),
	}
	s.curves = make(map[string]axes.Panel, len(measures))
	for name := range measures {
		s.curves[name] = s.curvePanel(name)
	}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the data and the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	p, err := problem.NewHyperCleaning(v.problem())
	if err != nil {
		return err
	}
	runs, err := v.Runs(p, [][]float64{p.Start()}, markedBy(p))
	if err != nil {
		return err
	}
	if s.problem == nil || s.problem.Config() != p.Config() || s.reference == nil {
		if s.reference, err = newReference(p.Config()); err != nil {
			return err
		}
	}
	s.problem, s.chosen = p, make(map[*timeline.Run][]marks, len(runs))
	for _, r := range runs {
		r.Label = r.Title // no number, because all runs start at the same point
		r.Observe = func(algo.View) { s.judge(r) }
	}
	s.Timeline().SetEnd(v.Budget, 0)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return twolevel.StepNumbers(s.Timeline(), s.problem, t, k)
}

// Displayed creates the table when the table is first displayed.
func (s *Scene) Displayed() error {
	if s.values.View != viewTable || s.table != nil {
		return nil
	}
	t, err := hypercleaning.New(hypercleaning.Page())
	s.table = t
	return err
}

// Panels returns the linked panels of the runs, or the table's.
func (s *Scene) Panels() []axes.Panel {
	if s.values.View == viewTable && s.table != nil {
		return s.table.Panels()
	}
	return append(slices.Clone(s.panels), s.curves[s.values.Curve])
}

// Work computes the table while it is displayed. Otherwise it trains the reference model.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.values.View == viewTable && s.table != nil {
		return s.table.Work(more)
	}
	if !s.values.Reference || s.reference == nil {
		return false, nil
	}
	return s.reference.work(more)
}

// Outcome holds a run's scores at one of its iterations.
type Outcome struct {
	K         int        `json:"k"`
	Selection float64    `json:"selection"` // mean accuracy on validation 2 over the data sets
	Accuracy  [2]float64 `json:"accuracy"`  // accuracy on the test samples of each data set
	F1        [2]float64 `json:"f1"`
	AUC       *float64   `json:"auc"`       // AUC of the weights as a detector of wrong labels; null if no labels or all labels are wrong
	Clean     *float64   `json:"clean"`     // mean weight of the samples with right labels, null if there are none
	Corrupted *float64   `json:"corrupted"` // mean weight of the samples with wrong labels, null if there are none
}

// RunResult holds a run's cost and its outcomes, for the session's state and for files.
type RunResult struct {
	Run    string  `json:"run"`
	Method string  `json:"method"`
	Status string  `json:"status"`
	BP     int     `json:"bp"`
	HVP    int     `json:"hvp"`
	Chosen Outcome `json:"chosen"` // outcome at the first iteration with the best accuracy on validation 2
	Last   Outcome `json:"last"`
}

// Results returns the outcomes of the runs, and the table if it has been displayed. It also returns the test accuracy,
// on each data set, of a model of the same kind trained with all labels right. This accuracy is null until the model is
// trained.
func (s *Scene) Results() any {
	results := []RunResult{}
	for _, r := range s.Timeline().Tracks() {
		row := r.Kept(r.Len() - 1)
		results = append(results, RunResult{
			Run: r.Name(), Method: r.Method, Status: r.Status().String(), BP: row.BP,
			HVP: int(twolevel.ProductsOf(row)), Chosen: s.reported(r.Run).outcome(), Last: marksOf(row).outcome(),
		})
	}
	out := map[string]any{"runs": results, "reference": nil}
	if s.reference != nil && s.reference.done() {
		out["reference"] = s.reference.accuracy
	}
	if s.table != nil {
		out["table"] = s.table.Records()
	}
	return out
}
