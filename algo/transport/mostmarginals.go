package transport

import (
	"slices"

	"paretoplay/internal/portable"
)

// reserve is the fraction of a performance-dependent marginal that is distributed equally, so that each objective and
// each solution keeps some mass.
const reserve = 0.1

// schedule computes the marginals of the current round.
func (s *MosT) schedule() {
	copy(s.a, s.givenA)
	copy(s.b, s.givenB)
	if s.curriculum == ConstantMarginals {
		return
	}
	left := max(0, 1-float64(s.ledger.K)/float64(s.horizon))
	if s.curriculum == PaperCurriculum {
		s.followDifficulty()
		blend(s.a, s.byRow, left)
		s.followShares()
		blend(s.b, s.byColumn, 1-left)
		return
	}
	s.followLosses()
	blend(s.a, s.byRow, 1-left)
	s.followBestLosses()
	blend(s.b, s.byColumn, left)
}

// blend replaces dst by share·other + (1−share)·dst.
func blend(dst, other []float64, share float64) {
	for i, v := range other {
		dst[i] = float64(share*v) + float64((1-share)*dst[i])
	}
}

// followDifficulty stores masses of the objectives in byRow. An objective with a lower best loss gets more mass.
func (s *MosT) followDifficulty() {
	s.bestLosses()
	var mean float64
	lowest := s.byRow[0]
	for _, v := range s.byRow {
		mean += max(v, -v) / float64(s.rows)
		lowest = min(lowest, v)
	}
	temperature := s.temperature * mean
	var sum float64
	for i, v := range s.byRow {
		// At temperature 0 all exponents are 0.
		s.byRow[i] = 1
		if v > lowest {
			s.byRow[i] = portable.Exp((lowest - v) / temperature)
		}
		sum += s.byRow[i]
	}
	for i, v := range s.byRow {
		s.byRow[i] = float64((1-reserve)*(v/sum)) + reserve/float64(s.rows)
	}
}

// bestLosses stores min_j L_i(θ_j) in byRow.
func (s *MosT) bestLosses() {
	for i := range s.byRow {
		s.byRow[i] = slices.Min(row(s.task.Cost, i, s.m))
	}
}

// followShares stores masses of the solutions in byColumn. A solution that is best for more objectives gets more mass.
func (s *MosT) followShares() {
	clear(s.byColumn)
	for i := range s.rows {
		s.byColumn[least(row(s.task.Cost, i, s.m), 1)]++
	}
	for j, v := range s.byColumn {
		s.byColumn[j] = float64((1-reserve)*(v/float64(s.rows))) + reserve/float64(s.m)
	}
}

// followLosses stores masses of the objectives in byRow. An objective with a higher best loss gets more mass.
func (s *MosT) followLosses() {
	s.bestLosses()
	proportional(s.byRow)
}

// followBestLosses stores masses of the solutions in byColumn. A solution gets more mass if the smallest tenth of its
// losses is higher.
func (s *MosT) followBestLosses() {
	tenth := max(1, s.rows/10)
	for j := range s.m {
		for i := range s.rows {
			s.sorted[i] = s.task.Cost[i*s.m+j]
		}
		slices.Sort(s.sorted)
		s.byColumn[j] = 0
		for _, v := range s.sorted[:tenth] {
			s.byColumn[j] += v
		}
	}
	proportional(s.byColumn)
}

// proportional divides v by its sum. If an entry is negative, it first subtracts the smallest entry from all. If
// all entries are then 0, it makes them equal.
func proportional(v []float64) {
	lowest := min(0, slices.Min(v))
	var sum float64
	for i := range v {
		v[i] -= lowest
		sum += v[i]
	}
	for i := range v {
		if sum > 0 {
			v[i] /= sum
		} else {
			v[i] = 1 / float64(len(v))
		}
	}
}
