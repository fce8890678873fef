package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Summary contains the measurements of a cell's runs. Every run measures the same quantities.
type Summary struct {
	// Mean and Deviation contain the mean and the sample standard deviation of each number over the runs. They are
	// nil until all runs are complete. The deviation of a single run is NaN.
	Mean, Deviation []float64
	Wanted          int  // number of runs, ≥ 1
	Runs            int  // number of complete runs
	Done            bool // whether all runs are complete

	// measured contains one row per run. In rows read from a file, numbers that the file lacks are NaN.
	measured Rows
}

// Parts returns the numbers of finished and wanted runs, for Plan.
func (s *Summary) Parts() (done, wanted int) { return s.Runs, s.Wanted }

// Add adds the measurements of the next run.
func (s *Summary) Add(measured []float64) {
	s.measured.Add(slices.Clone(measured))
	if s.Runs++; s.Runs < s.Wanted {
		return
	}
	s.clear(len(measured))
	for i := range measured {
		s.Mean[i], s.Deviation[i] = MeanAndDeviation(s.Each(i))
	}
	s.Done = true
}

func (s *Summary) clear(numbers int) {
	s.Mean, s.Deviation = make([]float64, numbers), make([]float64, numbers)
}

// Each returns the measurement with the given number from every finished run, in order.
func (s *Summary) Each(number int) []float64 { return s.measured.Number(number) }

// Differences returns the measurement with the given number minus the same measurement of another cell, for each pair
// of runs with the same seed. It returns nil until all runs of both cells are complete.
func (s *Summary) Differences(other *Summary, number int) []float64 {
	if s == other || !s.Done || !other.Done {
		return nil
	}
	return Differences(s.Each(number), other.Each(number))
}

// Over returns the mean of the Differences with its standard error as the spread.
func (s *Summary) Over(other *Summary, number int) Estimate {
	return WithError(s.Differences(other, number))
}

// Estimate returns the mean of the measurement with the given number, and its deviation. The estimate is unknown until
// all runs are complete.
func (s *Summary) Estimate(number int) Estimate {
	if !s.Done {
		return Unknown()
	}
	return Estimate{s.Mean[number], s.Deviation[number]}
}

// SummaryColumns returns two columns for each name: the mean and the deviation (name_sd) over the runs of a cell, from
// its Summary. The function unknown reports whether a cell may lack number i. If unknown is nil, all cells have all
// numbers.
func SummaryColumns[C any](names []string, of func(c *C) *Summary, unknown func(c *C, i int) bool) []Column[C] {
	var out []Column[C]
	add := func(name string, i int, least float64, number func(s *Summary) *float64, lack func(c *C) bool) {
		value := func(c *C) any {
			if s := of(c); s.Mean != nil {
				return *number(s)
			}
			return math.NaN()
		}
		out = append(out, Value(name, value, func(c *C, text string) error {
			s := of(c)
			if s.Mean == nil {
				s.clear(len(names))
			}
			s.Runs, s.Done = s.Wanted, true
			if text == "" && lack(c) {
				*number(s) = math.NaN()
				return nil
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(v-v) {
				return fmt.Errorf("%s %q is not a number", names[i], text)
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
		add(name+"_sd", i, 0, func(s *Summary) *float64 { return &s.Deviation[i] }, func(c *C) bool { return of(c).Wanted == 1 || lack(c) })
	}
	return out
}

// EachColumn returns a column with one number of every run. Summary.Over needs this column for cells read from a file.
// The column must come after the SummaryColumns. The function unknown reports whether a cell may lack the number. If
// unknown is nil, all cells have the number.
func EachColumn[C any](name string, number int, of func(c *C) *Summary, unknown func(c *C, i int) bool) Column[C] {
	lacks := func(c *C) bool { return unknown != nil && unknown(c, number) }
	return Value(name, func(c *C) any { return of(c).Each(number) }, func(c *C, text string) error {
		if lacks(c) && text == "" {
			return nil
		}
		s := of(c)
		each, err := SplitNumbers(text, s.Wanted)
		if err != nil {
			return err
		}
		if s.measured == nil {
			s.measured = make(Rows, s.Wanted)
			for run := range s.measured {
				s.measured[run] = slices.Repeat([]float64{math.NaN()}, len(s.Mean))
			}
		}
		for run, v := range each {
			s.measured[run][number] = v
		}
		return nil
	})
}

// EstimateColumns returns two columns for an estimate that follows from other columns: the mean, called name, and the
// spread, called name plus suffix.
func EstimateColumns[C any](name, suffix string, of func(c *C) Estimate) []Column[C] {
	return []Column[C]{
		Shown(name, func(c *C) any { return of(c).Mean }),
		Shown(name+suffix, func(c *C) any { return of(c).Spread }),
	}
}
