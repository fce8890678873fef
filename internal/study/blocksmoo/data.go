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

// Data describes the data to learn: drawn for each seed, or the user's table.
type Data struct {
	Drawn problem.RegressionConfig // the seed comes from the run
	Table *data.Prepared           // if not nil, used instead, for all seeds
}

// shape returns the numbers of training examples, features and responses.
func (d *Data) shape() (examples, features, responses int) {
	if d.Table != nil {
		return d.Table.Train.Examples(), d.Table.Train.Features(), d.Table.Train.Responses()
	}
	return d.Drawn.Train, d.Drawn.Features, d.Drawn.Responses
}

// standIn returns a few examples for checks: runs with this rank and batch can start on them if and only if they can
// start on the full data.
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

// mark identifies a table in files. It is "" for drawn data.
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
					sum.Write(word[:]) // writing to a hash never fails
				}
			}
		}
	}
	return fmt.Sprintf("%08x", sum.Sum32())
}

// examples are the training and test examples.
type examples struct{ train, test *problem.Regression }

// draw contains the examples for a seed.
type draw struct {
	of problem.RegressionConfig
	examples
}

// store caches the most recently used examples, because many runs share them.
type store struct {
	lock  sync.Mutex
	draws []draw // ascending by last use
}

// keptDraws is the number of draws that a store keeps: for two neighbouring cells, and for choosing settings. A draw
// for Figure 1 takes 56 MB.
const keptDraws = 4

// take returns the examples for a seed. It draws them if the store does not contain them.
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

// settingNames lists the settings that describe how to read a table.
var settingNames = []string{"responses", "without", "order", "train", "rank"}

// usualTrain is the default share of rows for training.
const usualTrain = 0.7

// with returns the configuration for the user's table. Unless remark is nil, it calls remark with each note on how it
// has read the table.
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
			return c, fmt.Errorf("-set train=%s: not a number", text)
		}
	}
	prepared, err := read.Table().Prepare(split)
	if err != nil {
		return c, fmt.Errorf("-set %w", err)
	}
	return c.about(prepared, settings["rank"])
}

// Limits for the sweeps over a user's table.
const (
	maxResponses = 20
	maxVectors   = 300
)

// about returns the configuration for a table. The argument rank is r as text, or "" for the default.
func (c Config) about(table *data.Prepared, rank string) (Config, error) {
	data := Data{Table: table}
	examples, d, q := data.shape()
	if q < 2 || q > maxResponses {
		return c, fmt.Errorf("-set responses: there are %d; allowed are 2 to %d", q, maxResponses)
	}
	usualRank := c.Rank
	c.Race, c.Rank, c.Batch = data, min(usualRank, d, q), min(c.Batch, examples)
	if rank != "" {
		var err error
		if c.Rank, err = strconv.Atoi(rank); err != nil || c.Rank < 1 || c.Rank > min(d, q) {
			return c, fmt.Errorf("-set rank=%s: must be from 1 to %d, the smaller of the numbers of features and responses", rank, min(d, q))
		}
	}
	// Responses have variance 1. Costs are counted until the weighted sum has taken the same number of steps as on
	// the paper's data.
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
	// The number of vectors is about the same as in the paper.
	sum := c.Fronts[0].Sum
	for sum > 1 && vectors(sum, q) > maxVectors {
		sum--
	}
	fronts := c.Fronts
	c.Fronts = nil
	for _, f := range fronts {
		f.Data, f.Sum = data, sum
		switch f.Rank {
		case 3: // the number of responses, as for the drawn data
			f.Rank = q
		case 2: // the largest rank below the number of responses
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

// vectors returns the number of vectors of q whole numbers ≥ 0 with the given sum.
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
