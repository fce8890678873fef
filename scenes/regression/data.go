package regression

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
)

// ShowsPasted reports whether the data come from a table. It returns true even if the table is still missing.
func (s *Scene) ShowsPasted() bool { return s.values.Problem == yours }

// Paste reads a table. It drops selected responses that only the previous table had.
func (s *Scene) Paste(p *data.Pasted) error {
	v := &s.values
	table, responses := p.Table(), v.Responses
	if s.table != nil && slices.ContainsFunc(responses, func(name string) bool { return !slices.Contains(table.Numeric(), name) }) {
		responses = []string{}
	}
	of, err := prepared(table, responses, v.N)
	var refused *algo.RangeError
	switch {
	case err == nil:
		v.size(of)
	case len(responses) > 0 || !errors.As(err, &refused) || refused.Name != "responses":
		return err
	}
	s.table, v.Responses, v.Problem, s.data = table, responses, yours, nil
	return nil
}

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras { return scene.Extras{Lacks: s.lacks} }

// key returns the cache key of the data. It contains everything that the data depend on.
func (p *Params) key() string {
	return fmt.Sprint(p.Problem, p.R, p.N, p.D, p.Q, p.Sigma, p.Seed, p.Responses)
}

// read returns the selected data. If something is missing, d is nil and lacks says what.
func (s *Scene) read() (d *sets, lacks string, err error) {
	v := &s.values
	switch {
	case s.data != nil && s.data.key == v.key():
		return s.data, "", nil
	case v.Problem == synthetic:
		d, err = v.drawn(s.Timeline().Maker())
	case s.table == nil:
		return nil, "No table yet: open a CSV file, or choose drawn data.", nil
	case len(v.Responses) == 0:
		return nil, "Choose the responses, " + columns(s.table) + ".", nil
	default:
		d, err = v.brought(s.table)
	}
	if err != nil {
		return nil, "", err
	}
	d.key = v.key()
	best, err := d.train.Minimum(slices.Repeat([]float64{1}, len(d.names)))
	if err != nil {
		return nil, "", err
	}
	f := make([]float64, len(d.names))
	d.test.Values(f, best)
	d.optimum = runs.Average(f)
	return d, "", nil
}

// columns returns a text that lists the columns from which responses can be chosen.
func columns(t *data.Table) string {
	var refused *algo.RangeError
	_, err := t.Prepare(data.Split{Train: data.TrainShare})
	if !errors.As(err, &refused) {
		panic("regression: preparing a table without responses did not fail as expected")
	}
	return refused.Allowed
}

// drawn draws random data with the sizes, the noise and the seed that the parameters set.
func (p *Params) drawn(yielder *algo.Yielder) (*sets, error) {
	if most := min(p.D, p.Q); p.R > most {
		return nil, &algo.RangeError{Name: "r", Value: p.R, Allowed: fmt.Sprintf("at most %d, the smaller of d and q", most)}
	}
	if err := fits(p.N, p.D); err != nil {
		return nil, err
	}
	train, test, err := problem.RandomRegression(problem.RegressionConfig{
		Train: p.N, Test: p.N / testShare, Features: p.D, Responses: p.Q, TrueRank: p.R, Noise: p.Sigma, Seed: p.Seed, Yielder: yielder,
	})
	if err != nil {
		return nil, err
	}
	var names []string
	for k := range p.Q {
		names = append(names, fmt.Sprintf("y_%d", k+1))
	}
	return newData(train, test, p.R, names)
}

// brought returns the data in a table, and sets the parameters to the table's sizes.
func (p *Params) brought(t *data.Table) (*sets, error) {
	of, err := prepared(t, p.Responses, p.N)
	if err != nil {
		return nil, err
	}
	p.size(of)
	names := make([]string, len(of.Responses))
	for k, name := range of.Responses {
		names[k] = strings.NewReplacer("_", " ", "^", " ").Replace(name) // these characters would mark subscripts and superscripts
	}
	return newData(of.Train, of.Test, p.R, names)
}

// size sets the parameters to the table's size.
func (p *Params) size(of *data.Prepared) {
	p.D, p.Q = len(of.Features), len(of.Responses)
	p.R = min(p.R, p.D, p.Q)
	if len(p.M) != p.Q {
		p.M = []int{}
	}
}

// newData builds the training problem and the test problem from the two data sets.
func newData(train, test *problem.Regression, rank int, names []string) (d *sets, err error) {
	d = &sets{names: names}
	config := problem.ReducedRankConfig{Rank: rank}
	if d.train, err = problem.NewReducedRank(train, config); err != nil {
		return nil, err
	}
	d.test, err = problem.NewReducedRank(test, config)
	return d, err
}

// fits returns an error if computing the whole problem would be too expensive for the page.
func fits(n, d int) error {
	if most := maxFit / (d * d); n > most {
		return &algo.RangeError{Name: "N", Value: n, Allowed: fmt.Sprintf("at most %[2]d with %[1]d features", d, most)}
	}
	return nil
}

// prepared returns a table with the given responses. The first 70 % of its rows, but at most n rows, are for learning.
// The rows after these 70 % are for tests.
func prepared(t *data.Table, responses []string, n int) (*data.Prepared, error) {
	split := data.Split{Responses: responses, Train: data.TrainShare, MostTrain: 1, MostTest: 1}
	p, err := t.Prepare(split) // with one row, to count the features
	if err != nil {
		return nil, err
	}
	d := len(p.Features)
	if d > maxFeatures {
		return nil, &algo.RangeError{Name: "features", Value: d, Allowed: fmt.Sprintf("at most %d per table; in a column of words, each "+
			"distinct word but one counts as a feature", maxFeatures)}
	}
	if err := fits(min(n, t.Len()), d); err != nil {
		return nil, err
	}
	split.MostTrain, split.MostTest = n, cmp.Or(n/testShare, 1)
	return t.Prepare(split)
}

// keeping returns a version of the learning problem that reuses X·U in the next gradient if U and the batch have not
// changed.
func (d *sets) keeping() *problem.ReducedRank {
	p, err := problem.NewReducedRank(d.train.Data(), problem.ReducedRankConfig{Rank: d.train.Rank(), KeepProduct: true})
	if err != nil {
		panic(err) // cannot happen: the same problem has been built before
	}
	return p
}
