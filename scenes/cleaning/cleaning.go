// Package cleaning is the scene of hyper-cleaning: two small data sets of points in
// the plane, part of whose labels are wrong, and methods on two levels that learn a
// weight for every sample.
package cleaning

import (
	"slices"
	"strings"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/scenes/bilevelroster"
	"paretoplay/scenes/experiment/hypercleaning"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// Scene is one visitor's hyper-cleaning scene. It implements scenes.Scene.
type Scene struct {
	values   Params
	params   param.List
	timeline *timeline.Timeline

	problem   *problem.HyperCleaning
	judges    map[*timeline.Run]*judge
	reference *reference
	surfaces  [problem.HyperCleaningSets]surface // of the selected run's model

	table *hypercleaning.Tables // nil until it is first shown

	accuracy *panel.History
	panels   []panel.Panel          // but the last, which is one of curves
	curves   map[string]panel.Panel // by what they show
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{values: defaults(), timeline: timeline.New(timeline.DefaultLimit)}
	s.values.bind(&s.params)
	s.accuracy = s.accuracyHistory()
	s.panels = []panel.Panel{
		s.dataPanel(0), s.dataPanel(1), s.weightsPanel(),
		s.accuracyPanel(), s.detectionPanel(),
	}
	s.curves = make(map[string]panel.Panel, len(measures))
	for name := range measures {
		s.curves[name] = s.curvePanel(name)
	}
	return s
}

// Params lists the parameters.
func (s *Scene) Params() *param.List { return &s.params }

// Presets are the one-click cards.
func (s *Scene) Presets() []param.Preset { return presets }

// Timeline holds the runs, one for each method.
func (s *Scene) Timeline() *timeline.Timeline { return s.timeline }

// Restart builds data and runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	p, err := problem.NewHyperCleaning(v.problem())
	if err != nil {
		return err
	}
	var judges []*judge
	runs, err := v.Runs(&bilevelroster.Course{
		Problem: p, Starts: [][]float64{p.Start()}, Seed: v.Seed,
		Beside: func(stepper bilevel.Stepper) timeline.Extras {
			judges = append(judges, newJudge(p, stepper))
			return judges[len(judges)-1].extras()
		},
	})
	if err != nil {
		return err
	}
	if s.problem == nil || s.problem.Config() != p.Config() || s.reference == nil {
		if s.reference, err = newReference(p.Config()); err != nil {
			return err
		}
	}
	s.problem, s.judges = p, make(map[*timeline.Run]*judge, len(runs))
	for i, r := range runs {
		r.Label, _, _ = strings.Cut(r.Label, ", start ") // all start at the same point
		s.judges[r] = judges[i]
	}
	s.timeline.SetEnd(v.Budget, 0)
	s.timeline.Reset(runs, log)
	return s.Displayed()
}

// Displayed makes the table when it is first asked for.
func (s *Scene) Displayed() error {
	if s.values.View != viewTable || s.table != nil {
		return nil
	}
	t, err := hypercleaning.New(hypercleaning.Page())
	s.table = t
	return err
}

// Panels are the linked pictures of the runs, or those of the table.
func (s *Scene) Panels() []panel.Panel {
	if s.values.View == viewTable && s.table != nil {
		return s.table.Panels()
	}
	return append(slices.Clone(s.panels), s.curves[s.values.Curve])
}

// Drag moves the time marker.
func (s *Scene) Drag(handle string, x, _ float64) (name, text string) {
	if handle == panel.MarkerHandle {
		s.timeline.SetMarker(s.accuracy.IterationAt(x))
	}
	return "", ""
}

// Work computes the table while it is shown, and else trains the model that is drawn
// for reference.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.values.View == viewTable && s.table != nil {
		return s.table.Work(more)
	}
	if !s.values.Reference || s.reference == nil {
		return false, nil
	}
	return s.reference.work(more)
}

// Outcome is what a run found at one of its iterations.
type Outcome struct {
	K         int        `json:"k"`
	Selection float64    `json:"selection"` // accuracy on validation 2, mean of the data sets
	Accuracy  [2]float64 `json:"accuracy"`  // on the test samples of each data set
	F1        [2]float64 `json:"f1"`
	AUC       *float64   `json:"auc"`       // of the weights as a detector of wrong labels; null where none or all are wrong
	Clean     *float64   `json:"clean"`     // mean weight of the samples with right labels, null for none
	Corrupted *float64   `json:"corrupted"` // of those with wrong ones
}

// RunResult is what became of a run.
type RunResult struct {
	Run    string  `json:"run"`
	Method string  `json:"method"`
	Status string  `json:"status"`
	BP     int     `json:"bp"`
	HVP    int     `json:"hvp"`
	Chosen Outcome `json:"chosen"` // at the first of the iterations with the best accuracy on validation 2
	Last   Outcome `json:"last"`
}

// Results are the outcomes of the runs, the test accuracy that the same model reaches
// on each data set with all labels right, null until it is trained, and the table where
// it has been shown.
func (s *Scene) Results() any {
	results := []RunResult{}
	for _, r := range s.timeline.Runs() {
		j, row := s.judges[r], r.Kept(r.Len()-1)
		results = append(results, RunResult{
			Run: r.Name, Method: r.Method, Status: r.Status().String(), BP: row.BP,
			HVP: int(bilevelroster.AtPoint(r, row, bilevelroster.Products)), Chosen: j.chosen.outcome(), Last: marksOf(row).outcome(),
		})
	}
	out := map[string]any{"runs": results, "reference": nil}
	if s.reference != nil && s.reference.done() {
		out["reference"] = s.reference.accuracy
	}
	if s.table != nil {
		out["table"] = s.table.Cells()
	}
	return out
}
