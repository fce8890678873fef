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

// Brought names no parameter: how many samples there are a link may say.
func (s *Scene) Brought() []string { return nil }

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
	s.given = given
	v.Problem = yours
	v.count(given)
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

// count makes the parameters say how many objectives, examples and variables samples have.
func (p *Params) count(samples ordering.Problem) {
	p.D, p.M = samples.Dims()
	p.K = samples.Examples() / p.Batch
}

// brought are the samples of a visitor's file. As long as they are shown nobody can say that
// there are more or fewer of them; with another size of batches they make another number of
// examples.
func (s *Scene) brought() (ordering.Problem, error) {
	v := &s.values
	if err := dividedBy(v.Batch, s.given); err != nil {
		return nil, err
	}
	if s.problem != s.given {
		return s.given, nil
	}
	there := *v
	there.count(s.given)
	for _, c := range []struct {
		name      string
		is, there int
	}{{"M", v.M, there.M}, {"K", v.K, there.K}, {"d", v.D, there.D}} {
		if c.is != c.there && (c.name != "K" || v.Batch == s.batch) {
			return nil, &algo.RangeError{Name: c.name, Value: c.is, Allowed: fmt.Sprintf("%d, as the file has it", c.there)}
		}
	}
	return s.given, nil
}

// waiting says what is missing where there are no runs.
func (s *Scene) waiting() string { return "No samples yet: bring a file, or choose another problem." }
