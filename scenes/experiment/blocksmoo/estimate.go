package blocksmoo

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"paretoplay/scenes/experiment"
)

// Estimate is a mean over runs, with half of its 95 % interval; NaN for what is not known.
type Estimate struct{ Mean, Half float64 }

// confidence of intervals.
const confidence = 0.95

// estimate is that of the mean of values of runs, by Student's distribution.
func estimate(values []float64) Estimate {
	if len(values) == 0 {
		return Estimate{math.NaN(), math.NaN()}
	}
	mean, deviation := experiment.MeanAndDeviation(values)
	e := Estimate{mean, math.NaN()}
	if n := len(values); n > 1 {
		student := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}
		e.Half = student.Quantile((1+confidence)/2) * deviation / math.Sqrt(float64(n))
	}
	return e
}

// plusMinus writes a mean with half of its interval.
func (e Estimate) plusMinus(decimals int) string {
	if math.IsNaN(e.Mean) {
		return "–"
	}
	text := strconv.FormatFloat(e.Mean, 'f', decimals, 64)
	if !math.IsNaN(e.Half) {
		text += " ± " + strconv.FormatFloat(e.Half, 'f', decimals, 64)
	}
	return text
}

// ratio writes e to the power of an estimate, with its interval.
func (e Estimate) ratio() string {
	if math.IsNaN(e.Mean) {
		return "–"
	}
	power := func(exponent float64) string {
		if v := math.Exp(exponent); v >= 0.1 && v < 1000 {
			return strconv.FormatFloat(v, 'f', 2, 64)
		}
		return significant(math.Exp(exponent), 2)
	}
	text := "×" + power(e.Mean)
	if !math.IsNaN(e.Half) {
		text += fmt.Sprintf(" [%s, %s]", power(e.Mean-e.Half), power(e.Mean+e.Half))
	}
	return text
}

// paired is the estimate of the mean logarithm of the ratio of two lists, run by run; not
// known where a number is infinite or not above 0.
func paired(list, to []float64) Estimate {
	var logs []float64
	for i, v := range list {
		log := math.Log(v / to[i])
		if log-log != 0 {
			return estimate(nil)
		}
		logs = append(logs, log)
	}
	return estimate(logs)
}

// median of values of which some may be infinite; NaN of none.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	if n%2 == 1 {
		return sorted[n/2]
	}
	low, high := sorted[n/2-1], sorted[n/2]
	if math.IsInf(high, 1) {
		return high
	}
	return (low + high) / 2
}

// finite is how many of the values are.
func finite(values []float64) (n int) {
	for _, v := range values {
		if v-v == 0 {
			n++
		}
	}
	return n
}

// timedValues are the numbers of a column of the rows that a contender has in timed cells, one of
// every seed; nil until all are computed.
func (s *Tables) timedValues(c contender, column int) (out []float64) {
	row := slices.Index(contenders(), c)
	for cell := range s.Each {
		if cell.Part != timed {
			continue
		}
		if cell.Rows == nil {
			return nil
		}
		out = append(out, cell.Rows[row][column])
	}
	return out
}

// lossOverTime is the loss of a contender at record i.
func (s *Tables) lossOverTime(c contender, i int) []float64 { return s.timedValues(c, 2+i) }

// countedValues are the numbers of a column that a trial has in counting cells, one of every seed:
// of those for choosing, or of the further ones; nil until all are computed.
func (s *Tables) countedValues(t trial, column int, choosing bool) (out []float64) {
	row := slices.Index(s.config.Alphas, t.Alpha)
	for cell := range s.Each {
		if cell.Part != counting || cell.Setting != t.Setting || cell.Seed < s.config.further(0) != choosing {
			continue
		}
		if cell.Rows == nil {
			return nil
		}
		out = append(out, cell.Rows[row][column])
	}
	return out
}

// never is what a run that does not get to a level counts where step sizes are chosen, as a
// multiple of the last checkpoint.
const never = 2

// cheapest is the trial with a setting that gets to a level at the least cost on average
// with the seeds for choosing; ok is false before these are computed, and where no run gets
// there.
func (s *Tables) cheapest(setting Setting, level int) (best trial, ok bool) {
	checkpoints := s.config.Checkpoints
	last := checkpoints[len(checkpoints)-1]
	least := never * last
	for _, alpha := range s.config.Alphas {
		t := trial{setting, alpha}
		values := s.countedValues(t, level, true)
		if values == nil {
			return t, false
		}
		var mean float64
		for _, v := range values {
			if math.IsInf(v, 1) {
				v = never * last
			}
			mean += v / float64(len(values))
		}
		if mean < least {
			best, least, ok = t, mean, true
		}
	}
	return best, ok
}

// Columns of counting cells.
func (s *Tables) workTo(level int) int        { return level }
func (s *Tables) coordinatesTo(level int) int { return len(s.config.Levels) + level }
func (s *Tables) lossAt(checkpoint int) int   { return 2*len(s.config.Levels) + checkpoint }

// frontValues are the numbers of a measure that a method, of those that are swept, has in the
// cells of a front, one of every seed; nil until all are computed.
func (s *Tables) frontValues(f *Front, method, measure int) (out []float64) {
	for cell := range s.Each {
		if cell.Part != sweeping || cell.Rank != f.Rank || cell.Reading != f.Reading || cell.Passes != f.Passes {
			continue
		}
		if cell.Rows == nil {
			return nil
		}
		out = append(out, cell.Rows[method][measure])
	}
	return out
}
