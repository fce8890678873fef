package sampleorder

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/orders"
)

// ShowsPasted reports whether the samples come from a file. It returns true even if the file is still missing.
func (s *Scene) ShowsPasted() bool { return s.values.Problem == orders.Yours }

// Paste reads the samples from a file, in batches of the current size.
func (s *Scene) Paste(p *data.Pasted) error {
	v := &s.values
	given, err := orders.Pasted(p, v.Batch)
	if err != nil {
		return err
	}
	s.given = given
	v.Problem = orders.Yours
	v.Count(given, v.Batch)
	return nil
}

// brought returns the samples in the visitor's file. While these samples are displayed, visitors cannot change their
// number, but another batch size gives a different number of examples.
func (s *Scene) brought() (ordering.Problem, error) {
	v := &s.values
	if err := orders.Divides(v.Batch, s.given); err != nil {
		return nil, err
	}
	if s.problem != s.given {
		return s.given, nil
	}
	there := v.Samples
	there.Count(s.given, v.Batch)
	for _, c := range []struct {
		name      string
		is, there int
	}{{"M", v.M, there.M}, {"K", v.K, there.K}, {"d", v.D, there.D}} {
		if c.is != c.there && (c.name != "K" || v.Batch == s.batch) {
			return nil, &algo.RangeError{Name: c.name, Value: c.is, Allowed: fmt.Sprintf("%d, as in the file", c.there)}
		}
	}
	return s.given, nil
}

// waiting returns the text shown while there are no runs.
func (s *Scene) waiting() string { return "No samples yet: open a file, or choose another problem." }
