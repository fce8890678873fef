package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"paretoplay/scenes/exchange"
)

// Summary is what the runs of a cell measure, the same numbers in every run.
type Summary struct {
	// Mean and Deviation, the sample standard deviation, of each number over the runs,
	// nil until all are complete. A deviation of a single run is NaN.
	Mean, Deviation []float64
	Runs            int  // complete ones
	Done            bool // all are complete

	measured [][]float64 // of the runs of this call
}

// Add takes over what the next of a number of runs measures.
func (s *Summary) Add(measured []float64, runs int) {
	s.measured = append(s.measured, slices.Clone(measured))
	if s.Runs++; s.Runs < runs {
		return
	}
	s.clear(len(measured))
	values := make([]float64, runs)
	for i := range measured {
		for run, m := range s.measured {
			values[run] = m[i]
		}
		s.Mean[i], s.Deviation[i] = MeanAndDeviation(values)
	}
	s.Done = true
}

func (s *Summary) clear(numbers int) {
	s.Mean, s.Deviation = make([]float64, numbers), make([]float64, numbers)
}

// Estimate is the mean of a number with its deviation, unknown until all runs are complete.
func (s *Summary) Estimate(number int) Estimate {
	if !s.Done {
		return Unknown()
	}
	return Estimate{s.Mean[number], s.Deviation[number]}
}

// SummaryColumns are, for each of the names, the mean and the deviation (name_sd) over the
// runs of a cell, as many as runs says, in the Summary that of returns. unknown reports
// whether a cell may lack number i; nil says that none does.
func SummaryColumns[C any](names []string, runs func(c *C) int, of func(c *C) *Summary, unknown func(c *C, i int) bool) []Column[C] {
	var out []Column[C]
	add := func(name string, i int, least float64, number func(s *Summary) *float64, lack func(c *C) bool) {
		value := func(c *C) any { return *number(of(c)) }
		out = append(out, Value(name, value, func(c *C, text string) error {
			s := of(c)
			if s.Mean == nil {
				s.clear(len(names))
			}
			s.Runs, s.Done = runs(c), true
			if text == "" && lack(c) {
				*number(s) = math.NaN()
				return nil
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(v-v) {
				return fmt.Errorf("%s %q is no number", names[i], text)
			}
			if v < least {
				return fmt.Errorf("%s %q is below %g", name, text, least)
			}
			*number(s) = v
			return nil
		}))
	}
	for i, name := range names {
		lack := func(c *C) bool { return unknown != nil && unknown(c, i) }
		add(name, i, math.Inf(-1), func(s *Summary) *float64 { return &s.Mean[i] }, lack)
		add(name+"_sd", i, 0, func(s *Summary) *float64 { return &s.Deviation[i] }, func(c *C) bool { return runs(c) == 1 || lack(c) })
	}
	return out
}

// Record puts the means and deviations into a record for JSON, under the names of the
// columns, with null for what is not known.
func (s *Summary) Record(record map[string]any, names []string) {
	for i, name := range names {
		record[name], record[name+"_sd"] = nil, nil
		if s.Done {
			record[name], record[name+"_sd"] = exchange.Known(s.Mean[i]), exchange.Known(s.Deviation[i])
		}
	}
}
