package blocksmoo

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// Data says which data are learned: drawn for each seed, or the visitor's own.
type Data struct {
	Drawn problem.RegressionConfig // its seed is the run's
	Table *data.Prepared           // in its place, the same for all seeds; nil for none
}

// shape is the numbers of examples to learn from, of features and of responses.
func (d *Data) shape() (examples, features, responses int) {
	if d.Table != nil {
		return d.Table.Train.Examples(), d.Table.Train.Features(), d.Table.Train.Responses()
	}
	return d.Drawn.Train, d.Drawn.Features, d.Drawn.Responses
}

// standIn is a few examples that runs with this r can be made on if they can be on the data,
// whose batches are of that many.
func (d *Data) standIn(rank, batch int) (examples, error) {
	var e examples
	if d.Table != nil {
		e = examples{d.Table.Train, d.Table.Test}
	} else {
		c := d.Drawn
		c.Train, c.Test, c.Features = min(c.Train, 2), min(c.Test, 1), min(c.Features, max(c.TrueRank, rank))
		var err error
		if e.train, e.test, err = problem.RandomRegression(c); err != nil {
			return e, err
		}
	}
	if n, _, _ := d.shape(); batch < 1 || batch > n {
		return e, &algo.RangeError{Name: "batch", Value: batch, Allowed: fmt.Sprintf("from 1 to the number of examples, %d", n)}
	}
	return e, nil
}

// mark tells a table's data from other tables'; "" for drawn data.
func (d *Data) mark() string {
	if d.Table == nil {
		return ""
	}
	sum := crc32.NewIEEE()
	var word [8]byte
	for _, part := range []*problem.Regression{d.Table.Train, d.Table.Test} {
		for i := range part.Examples() {
			x, y := part.Example(i)
			for _, list := range [][]float64{x, y} {
				for _, v := range list {
					binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
					sum.Write(word[:]) // a hash never fails
				}
			}
		}
	}
	return fmt.Sprintf("%08x", sum.Sum32())
}

// examples are those to learn from and those to be tested on.
type examples struct{ train, test *problem.Regression }

// draw is the examples of a seed.
type draw struct {
	of problem.RegressionConfig
	examples
}

// store keeps the examples that were used last, since many runs share them.
type store struct {
	lock  sync.Mutex
	draws []draw // the last one used is the last
}

// keptDraws is how many draws a store keeps: those that two cells beside each other need, and
// those with which settings are chosen. One of Figure 1 takes 56 MB.
const keptDraws = 4

// take returns the examples of a seed.
func (s *store) take(d *Data, seed uint64) (examples, error) {
	if d.Table != nil {
		return examples{d.Table.Train, d.Table.Test}, nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	taken := draw{of: d.Drawn}
	taken.of.Seed = seed
	if i := slices.IndexFunc(s.draws, func(known draw) bool { return known.of == taken.of }); i >= 0 {
		taken = s.draws[i]
		s.draws = slices.Delete(s.draws, i, i+1)
	} else {
		var err error
		if taken.train, taken.test, err = problem.RandomRegression(taken.of); err != nil {
			return taken.examples, err
		}
	}
	if s.draws = append(s.draws, taken); len(s.draws) > keptDraws {
		s.draws = slices.Delete(s.draws, 0, 1)
	}
	return taken.examples, nil
}

// settingNames names the settings that say how a table is read.
var settingNames = []string{"responses", "without", "order", "train", "rank"}

// usualTrain is the share of the rows to learn from.
const usualTrain = 0.7

// with returns the configuration for a table of the visitor's. remark hears how the table was understood, unless it is nil.
func (c Config) with(file io.Reader, settings map[string]string, remark func(text string)) (Config, error) {
	read, err := data.Read(file, data.Rows)
	if err != nil {
		return c, fmt.Errorf("-data: %w", err)
	}
	for _, note := range read.Notes {
		if remark != nil {
			remark(note)
		}
	}
	list := func(name string) []string {
		if settings[name] == "" {
			return nil
		}
		return strings.Split(settings[name], ",")
	}
	split := data.Split{Responses: list("responses"), Without: list("without"), Order: list("order"), Train: usualTrain}
	if text, given := settings["train"]; given {
		if split.Train, err = strconv.ParseFloat(text, 64); err != nil {
			return c, fmt.Errorf("-set train=%s: it is no number", text)
		}
	}
	prepared, err := read.Table().Prepare(split)
	if err != nil {
		return c, fmt.Errorf("-set %w", err)
	}
	return c.about(prepared, settings["rank"])
}

// Bounds of what a table is swept for.
const (
	maxResponses = 20
	maxVectors   = 300
)

// about returns the configuration for a table, with r as text, "" for the usual one.
func (c Config) about(table *data.Prepared, rank string) (Config, error) {
	data := Data{Table: table}
	examples, d, q := data.shape()
	if q < 2 || q > maxResponses {
		return c, fmt.Errorf("-set responses: there are %d; from 2 to %d can be traded off", q, maxResponses)
	}
	usualRank := c.Rank
	c.Race, c.Rank, c.Batch = data, min(usualRank, d, q), min(c.Batch, examples)
	if rank != "" {
		var err error
		if c.Rank, err = strconv.Atoi(rank); err != nil || c.Rank < 1 || c.Rank > min(d, q) {
			return c, fmt.Errorf("-set rank=%s: from 1 to %d, the lesser of features and responses", rank, min(d, q))
		}
	}
	// Responses have the variance 1. Costs are taken up to where the weighted sum has made as
	// many steps as on the paper's data.
	c.Levels = []float64{0.9, 0.7, 0.5}
	step, err := problem.NewReducedRank(table.Train, problem.ReducedRankConfig{Rank: c.Rank})
	if err != nil {
		return c, err
	}
	const steps = 320
	n, _ := step.Dims()
	most := steps * float64(step.WeightedWork(c.Batch, 0, n, false)) / million
	c.Checkpoints = []float64{most / 16, most / 8, most / 4, most / 2, most}
	for i, v := range c.Checkpoints {
		c.Checkpoints[i] = experiment.Rounded(v, 3)
	}
	// As many vectors as about the paper has.
	sum := c.Fronts[0].Sum
	for sum > 1 && vectors(sum, q) > maxVectors {
		sum--
	}
	fronts := c.Fronts
	c.Fronts = nil
	for _, f := range fronts {
		f.Data, f.Sum = data, sum
		switch f.Rank {
		case 3: // of the drawn data: all objectives at once
			f.Rank = q
		case 2: // as many as can be without that
			f.Rank = min(q-1, d)
		}
		if f.Rank <= min(d, q) && !slices.ContainsFunc(c.Fronts, func(other Front) bool {
			return other.Rank == f.Rank && other.Reading == f.Reading && other.Passes == f.Passes
		}) {
			c.Fronts = append(c.Fronts, f)
		}
	}
	return c, nil
}

// vectors is the number of vectors of q whole numbers with this sum.
func vectors(sum, q int) int {
	count := 1
	for i := 1; i < q; i++ {
		count = count * (sum + i) / i
		if count > 1<<30 {
			return count
		}
	}
	return count
}
