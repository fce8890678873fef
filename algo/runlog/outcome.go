package runlog

import (
	"errors"
	"fmt"
	"math"
)

// MaxOutcomes is the maximum number of outcomes in a log.
const MaxOutcomes = 100

// Outcome is the result of another training run, on the same problem and from the same start as the recorded run.
type Outcome struct {
	Name   string `json:"name"` // the name used in sentences, such as "PSMGD"
	Rule   string `json:"rule"` // the rule's name in package weighting; "ls" means equal weights, "" any other method
	Period int    `json:"R"`    // R ≥ 1; weights are computed at every R-th step
	// Backprops is the cost of the training run, in backpropagations of one objective.
	Backprops float64   `json:"backprops"`
	Losses    []float64 `json:"losses"`             // S losses, on data that was not used for training
	Accuracy  []float64 `json:"accuracy,omitempty"` // S numbers from 0 to 1, on the same data; nil if there are none
	// Steps is the number of steps of a trial, which starts from a state of the recorded run. 0 means a whole training run.
	Steps int `json:"steps,omitempty"`
}

// outcomes contains the outcomes of a log. Each list has one entry per training run.
type outcomes struct {
	count                       int
	names, rules                []string
	periods                     []int64
	steps                       []int64 // nil if all are whole training runs
	backprops, losses, accuracy *block
}

// Outcomes returns the results of other training runs, or nil if the log has none. The slice must not be modified.
func (l *Log) Outcomes() []Outcome {
	if l.outcomes == nil {
		return nil
	}
	o := l.outcomes
	out := make([]Outcome, o.count)
	for i := range out {
		out[i] = Outcome{Name: o.names[i], Rule: o.rules[i], Period: int(o.periods[i]), Backprops: o.backprops.at(i),
			Losses: o.losses.row(make([]float64, o.losses.width), i)}
		if o.steps != nil {
			out[i].Steps = int(o.steps[i])
		}
		if o.accuracy != nil {
			out[i].Accuracy = o.accuracy.row(make([]float64, o.accuracy.width), i)
		}
	}
	return out
}

// newOutcomes converts a list of outcomes to a log's storage, for s objectives.
func newOutcomes(list []Outcome, s int) (*outcomes, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if len(list) > MaxOutcomes {
		return nil, fmt.Errorf("%d outcomes; at most %d are allowed", len(list), MaxOutcomes)
	}
	o := &outcomes{count: len(list), backprops: &block{width: 1}, losses: &block{width: s}}
	if list[0].Accuracy != nil {
		o.accuracy = &block{width: s}
	}
	for i, one := range list {
		if len(one.Losses) != s || (one.Accuracy != nil) != (o.accuracy != nil) || one.Accuracy != nil && len(one.Accuracy) != s {
			return nil, fmt.Errorf("outcome %d: it has %d losses and %d accuracies for %d objectives", i, len(one.Losses), len(one.Accuracy), s)
		}
		o.names, o.rules = append(o.names, one.Name), append(o.rules, one.Rule)
		o.periods = append(o.periods, int64(one.Period))
		if one.Steps != 0 && o.steps == nil {
			o.steps = make([]int64, len(list))
		}
		if o.steps != nil {
			o.steps[i] = int64(one.Steps)
		}
		o.backprops.double = append(o.backprops.double, one.Backprops)
		o.losses.double = append(o.losses.double, one.Losses...)
		if o.accuracy != nil {
			o.accuracy.double = append(o.accuracy.double, one.Accuracy...)
		}
	}
	return o, o.check()
}

// check returns an error if an outcome is invalid.
func (o *outcomes) check() error {
	for _, a := range []struct {
		name string
		lack bool
	}{
		{outcomeNames, o.names == nil}, {outcomeRules, o.rules == nil}, {outcomePeriods, o.periods == nil},
		{outcomeBackprops, o.backprops == nil}, {outcomeLosses, o.losses == nil},
	} {
		if a.lack {
			return fmt.Errorf("%s: the array is missing, although the log has other arrays of outcomes", a.name)
		}
	}
	if err := errors.Join(checkTexts(outcomeNames, o.names), checkTexts(outcomeRules, o.rules)); err != nil {
		return err
	}
	for i := range o.count {
		if r := o.periods[i]; r < 1 || r > MaxRecords {
			return arrayError(outcomePeriods, i, "%d is not a valid period; it must be from 1 to %d", r, MaxRecords)
		}
		if o.steps != nil && (o.steps[i] < 0 || o.steps[i] > math.MaxInt32) {
			return arrayError(outcomeSteps, i, "%d is not a valid number of steps; it must be from 0 to %d", o.steps[i], math.MaxInt32)
		}
		if v := o.backprops.at(i); !(v >= 0 && v <= math.MaxFloat64) {
			return arrayError(outcomeBackprops, i, "%g is not a valid number of backpropagations", v)
		}
		for j := range o.losses.width {
			if v := o.losses.at(i*o.losses.width + j); v-v != 0 {
				return arrayError(outcomeLosses, i, "entry (%d) is %v, which is not finite", j, v)
			}
			if o.accuracy == nil {
				continue
			}
			if v := o.accuracy.at(i*o.losses.width + j); !(v >= 0 && v <= 1) {
				return arrayError(outcomeAccuracy, i, "entry (%d) is %v; it must be a fraction from 0 to 1", j, v)
			}
		}
	}
	return nil
}
