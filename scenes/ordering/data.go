package ordering

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/scenes/exchange"
)

// Takes is the layout of samples.
func (s *Scene) Takes() *exchange.Layout { return exchange.Samples }

// Brought names what a file says beside the samples.
func (s *Scene) Brought() []string { return []string{"M", "K", "d"} }

// ShowsPasted reports whether the samples are, or wait to be, those of a file.
func (s *Scene) ShowsPasted() bool { return s.values.Problem == yours }

// Paste takes over the samples of a file, in batches of the size that there is.
func (s *Scene) Paste(p *exchange.Pasted) error {
	given, err := ofFile(p)
	if err != nil {
		return err
	}
	v := &s.values
	if err := dividedBy(v.Batch, given); err != nil {
		return err
	}
	s.given, s.batch = given, v.Batch
	v.Problem, v.K = yours, given.Examples()/v.Batch
	v.D, v.M = given.Dims()
	return nil
}

// ofFile is the problem whose samples a file has.
func ofFile(p *exchange.Pasted) (ordering.Problem, error) {
	if a := p.Stack(exchange.InputsName); a != nil {
		return problem.NewLeastSquares(a, p.Rows(exchange.TargetsName))
	}
	return problem.NewDiagonalSum(p.Stack(exchange.CurvaturesName), p.Stack(exchange.BottomsName))
}

// dividedBy refuses batches that leave samples over.
func dividedBy(batch int, p ordering.Problem) error {
	if p.Examples()%batch == 0 {
		return nil
	}
	return &algo.RangeError{Name: "batch", Value: batch, Allowed: fmt.Sprintf("it must divide the number of samples, %d", p.Examples())}
}

// brought are the samples of a visitor's file, of which the parameters that count them must
// be true. Another size of batches makes another number of examples.
func (s *Scene) brought() (p ordering.Problem, examples int, err error) {
	v := &s.values
	if err := dividedBy(v.Batch, s.given); err != nil {
		return nil, 0, err
	}
	d, m := s.given.Dims()
	k := s.given.Examples() / v.Batch
	for _, c := range []struct {
		name      string
		is, there int
	}{{"M", v.M, m}, {"K", v.K, k}, {"d", v.D, d}} {
		if c.is != c.there && !(c.name == "K" && v.Batch != s.batch) {
			return nil, 0, &algo.RangeError{Name: c.name, Value: c.is, Allowed: fmt.Sprintf("%d, as the file has it", c.there)}
		}
	}
	return s.given, k, nil
}

// waiting says what is missing where there are no runs.
func (s *Scene) waiting() string { return "No samples yet: bring a file, or choose another problem." }
