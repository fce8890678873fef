package blocksmoo

import (
	"math"
	"slices"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
)

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

// timedMean is the mean of those numbers.
func (s *Tables) timedMean(c contender, column int) float64 {
	return statistics.WithInterval(s.timedValues(c, column)).Mean
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

// frontValue is the mean of a measure with its interval.
func (s *Tables) frontValue(f *Front, method, measure int) experiment.Estimate {
	return statistics.WithInterval(s.frontValues(f, method, measure))
}
