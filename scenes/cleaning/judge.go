package cleaning

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
)

// marks holds the scores of a point's model and weights.
type marks struct {
	k                int
	selection        float64
	accuracy, f1     [problem.HyperCleaningSets]float64
	auc              float64
	clean, corrupted float64 // mean weights of samples with right and wrong labels
}

// markedBy returns a measurement that makes runs on a problem record the marks of every point. The numbers are listed in
// the order in which fill stores them.
func markedBy(p *problem.HyperCleaning) twolevel.Beside {
	return twolevel.Beside{
		List: []timeline.Extra{
			{Name: "accuracy", Size: problem.HyperCleaningSets, Symbol: "acc", Label: "test accuracy, both data sets"},
			{Name: "f1", Size: problem.HyperCleaningSets, Symbol: "F1", Label: "test macro F1, both data sets"},
			{Name: "auc", Symbol: "AUC", Label: "detection of wrong labels"},
			{Name: "selection", Symbol: "val 2", Label: "accuracy on validation 2"},
			{Name: "clean"}, {Name: "corrupted"},
		},
		Measure: func(_ bilevel.Stepper, v algo.View, further []float64) {
			m := markPoint(p, v.K, v.X)
			m.fill(further)
		},
	}
}

func (m *marks) fill(dst []float64) {
	copy(dst, m.accuracy[:])
	copy(dst[2:], m.f1[:])
	dst[4], dst[5], dst[6], dst[7] = m.auc, m.selection, m.clean, m.corrupted
}

// marksOf reads the marks that fill stored in a row.
func marksOf(row timeline.Row) marks {
	return marks{
		k: row.K, accuracy: [2]float64(row.Value("accuracy")), f1: [2]float64(row.Value("f1")),
		auc: row.Number("auc"), selection: row.Number("selection"), clean: row.Number("clean"), corrupted: row.Number("corrupted"),
	}
}

// mean averages a number over the data sets.
func mean(v [problem.HyperCleaningSets]float64) float64 { return float64((v[0] + v[1]) / 2) }

func (m marks) outcome() Outcome {
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return Outcome{K: m.k, Selection: m.selection, Accuracy: m.accuracy, F1: m.f1, AUC: number(m.auc), Clean: number(m.clean),
		Corrupted: number(m.corrupted)}
}

func markPoint(p *problem.HyperCleaning, k int, z []float64) marks {
	m := marks{k: k, auc: p.Detection(z)}
	m.clean, m.corrupted = p.MeanWeights(z)
	for set := range problem.HyperCleaningSets {
		chosen, _ := p.Score(z, set, problem.Selection)
		m.selection += float64(chosen / problem.HyperCleaningSets)
		m.accuracy[set], m.f1[set] = p.Score(z, set, problem.Test)
	}
	return m
}

// judge keeps the marks of a run's latest point if they are the best so far on validation 2.
func (s *Scene) judge(r *timeline.Run) {
	latest := marksOf(r.Kept(r.Len() - 1))
	if latest.k == 0 || latest.selection > s.reported(r).selection {
		s.chosen[r] = append(s.chosen[r], latest)
	}
}

// reported returns the marks of the reported point, which is the first of a run's points so far with the best score on
// validation 2.
func (s *Scene) reported(r *timeline.Run) marks { return s.reportedBy(r, r.Last()) }

// reportedBy is like reported, but considers only the points up to iteration k.
func (s *Scene) reportedBy(r *timeline.Run, k int) marks {
	best := s.chosen[r]
	for len(best) > 1 && best[len(best)-1].k > k {
		best = best[:len(best)-1]
	}
	return best[len(best)-1]
}

// reference is a model of the same kind, trained on the same points with all labels right, by minimising the lower level
// alone. Its accuracy is the best that cleaning can reach.
type reference struct {
	problem  *problem.HyperCleaning
	stepper  *bilevel.LowerOnly
	accuracy [problem.HyperCleaningSets]float64 // accuracy on the test samples after the training
}

// The reference is trained for referenceRounds rounds of referenceSteps gradient steps. Work is interrupted only between
// rounds.
const (
	referenceRounds   = 60
	referenceSteps    = 25
	referenceStepSize = 0.5
)

func newReference(c problem.HyperCleaningConfig) (*reference, error) {
	c.Corruption = 0
	p, err := problem.NewHyperCleaning(c)
	if err != nil {
		return nil, err
	}
	s, err := bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: p.Start(),
		Loop: bilevel.Loop{Steps: referenceSteps, StepSize: referenceStepSize}})
	if err != nil {
		return nil, err
	}
	return &reference{problem: p, stepper: s}, nil
}

// done reports whether the training has ended or cannot continue.
func (r *reference) done() bool {
	v := r.stepper.View()
	return v.K >= referenceRounds || v.Diverged.Quantity != ""
}

// work continues the training while more() is true.
func (r *reference) work(more func() bool) (pending bool, err error) {
	for !r.done() {
		if !more() {
			return true, nil
		}
		status, err := r.stepper.Step()
		if err != nil || status != algo.Running {
			return false, err
		}
		if r.done() {
			for set := range problem.HyperCleaningSets {
				r.accuracy[set], _ = r.problem.Score(r.stepper.View().X, set, problem.Test)
			}
		}
	}
	return false, nil
}
