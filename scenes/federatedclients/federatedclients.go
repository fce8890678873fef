// Package federatedclients implements the scene in which a few models serve many clients. Clients with different data train
// every solution locally, and each method combines their updates in its own way.
package federatedclients

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the federated scene of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	clock  func() *kinds.Clock
	panels []axes.Panel          // all panels but the last, which is a curve
	curves map[string]axes.Panel // by view
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	rounds := kinds.RoundClock(s.Timeline().Budget)
	s.clock = func() *kinds.Clock { return rounds }
	accuracy := s.accuracyHistory()
	s.MarkOn(accuracy)
	s.panels = []axes.Panel{s.clientsPanel(), s.planPanel(), s.chosenPanel(), s.accuracyPanel(accuracy)}
	s.curves = map[string]axes.Panel{viewLosses: s.lossPanel(), viewDivergence: s.divergencePanel(), viewWorst: s.worstPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// course draws new data. It returns the description of the runs and the clients that hold the data.
func (p *Params) course() (plans.Course, *federated.Clients, error) {
	data, err := federated.Syn(p.data())
	if err != nil {
		return plans.Course{}, nil, err
	}
	training := federated.Config{Data: data, Epochs: p.LocalEpochs, Batch: p.Batch, Rate: p.Eta}
	clients, err := federated.NewClients(training)
	if err != nil {
		return plans.Course{}, nil, err
	}
	return plans.Course{
		Problem: clients, Starts: clients.Starts(p.M, p.Seed), Shares: data.Shares(), Horizon: p.Budget, Seed: p.Seed,
		Drawn: func(mu float64) (algo.Partial, error) {
			drawn := training
			drawn.Prox = mu
			return federated.NewClients(drawn)
		},
	}, clients, nil
}

// Restart draws the clients' data and builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	course, clients, err := v.course()
	if err != nil {
		return err
	}
	runs, err := v.Runs(course)
	if err != nil {
		return err
	}
	for _, r := range runs {
		record(r, clients, v.M, s.Timeline().YieldMeasure)
	}
	s.Timeline().SetEnd(v.Budget, 0)
	s.Timeline().Reset(runs, log)
	return nil
}

// Panels returns the panels of the clients, the plan, the clients' choices and a curve over the rounds.
func (s *Scene) Panels() []axes.Panel {
	return append(slices.Clone(s.panels), s.curves[s.values.View])
}

// Result extends plans.MethodResult with this scene's results of a run.
type Result struct {
	plans.MethodResult
	Accuracy   float64   `json:"accuracy"` // share of correct test samples, mean over the clients, in [0, 1]
	Validation float64   `json:"validation"`
	WorstFifth float64   `json:"worstFifth"` // accuracy of the worst fifth of the clients
	Clients    []float64 `json:"clients"`    // accuracy of each client
	Chosen     []float64 `json:"chosen"`     // the solution that each client chooses, from 1
	Divergence float64   `json:"divergence"` // divergence of predictions, mean over pairs of solutions
}

// Results returns the results of the runs, keyed by the runs' names.
func (s *Scene) Results() any {
	out := map[string]Result{}
	for name, result := range plans.Results(s.Timeline()) {
		r := s.Timeline().Find(name).Run
		row := r.Kept(r.Len() - 1)
		out[name] = Result{MethodResult: result, Accuracy: row.Number(accuracyName), Validation: row.Number(validationName),
			WorstFifth: worstFifth(row), Clients: slices.Clone(row.Value(clientsName)), Chosen: slices.Clone(row.Value(chosenName)),
			Divergence: row.Number(divergenceName)}
	}
	return out
}
