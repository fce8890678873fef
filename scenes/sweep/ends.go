package sweep

import (
	"math"
	"slices"

	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
)

// ends holds a run's losses after every pass of every vector.
type ends struct {
	run     *timeline.Run
	weights [][]float64 // of the vectors
	passes  int
	losses  [2][]float64 // three losses for the start and for every pass
	sums    []float64    // F_m of the current vector on the training examples, for the start and for every pass
	failed  []int        // vectors whose runs diverged, in order; they have no end
}

// add records the losses after another pass, and whether the run has diverged.
func (e *ends) add(learn, check []float64, diverged bool) {
	vector := max(len(e.sums)-1, 0) / e.passes
	if diverged && !e.lost(vector) {
		e.failed = append(e.failed, vector)
	}
	e.sums = append(e.sums, sweeps.Weighted(e.weights[vector], learn))
	e.losses[train] = append(e.losses[train], learn...)
	e.losses[test] = append(e.losses[test], check...)
}

// row returns the losses at iteration k.
func (e *ends) row(which, k int) []float64 { return e.losses[which][objectives*k : objectives*(k+1)] }

// lost reports whether the run of vector i diverged.
func (e *ends) lost(i int) bool { return slices.Contains(e.failed, i) }

// end returns the losses at the end of vector i, whose run must not have diverged.
func (e *ends) end(which, i int) []float64 { return e.row(which, e.passes*(i+1)) }

// finished returns the number of vectors whose runs have ended at iteration k.
func (e *ends) finished(k int) int { return min(k, len(e.sums)-1) / e.passes }

// standing says whether a point is dominated and, if so, whether a point of the same method dominates it.
type standing int

const (
	diverged  standing = iota // the vector's run diverged, and there is no point
	beaten                    // dominated by a point of its own method
	overtaken                 // on its method's front, but dominated by another method's point
	kept                      // not dominated
)

// summary holds each run's results on the first vectors of the sweep.
type summary struct {
	points    [][][]float64 // by vector, nil if its run diverged
	standings [][]standing
	qualities []pareto.Quality
	means     []float64 // mean over all losses of all points
}

// finished returns the number of vectors that have ended at iteration k in at least one run.
func (s *Scene) finished(k int) (n int) {
	for _, e := range s.ends {
		n = max(n, e.finished(k))
	}
	return n
}

// done returns the number of vectors that have ended at the marker in at least one run.
func (s *Scene) done() int { return s.finished(s.Timeline().Marker()) }

// shown is the cache key of points and summaries. It holds everything that they depend on, except for the number of
// vectors.
type shown struct {
	changes int
	loss    string
}

func (s *Scene) shown() shown { return shown{s.changes, s.values.Loss} }

// known reports whether the summary of n vectors has been computed.
func (s *Scene) known(n int) bool {
	return s.summed == s.shown() && n < len(s.summaries) && s.summaries[n] != nil
}

// summary returns the results of the first n vectors.
func (s *Scene) summary(n int) *summary {
	if now := s.shown(); s.summed != now || s.summaries == nil {
		s.summed, s.summaries = now, make([]*summary, len(s.grid.vectors)+1)
	}
	if s.summaries[n] == nil {
		s.summaries[n] = s.sumUp(n)
	}
	return s.summaries[n]
}

// sumUp computes the summary of the first n vectors, which compares the runs' points.
func (s *Scene) sumUp(n int) *summary {
	which := s.values.shown()
	out := &summary{}
	sets := make([][][]float64, len(s.ends)) // points of the vectors whose runs did not diverge
	var union [][]float64
	for run, e := range s.ends {
		points := make([][]float64, min(n, e.finished(len(e.sums))))
		var sum float64
		for i := range points {
			if e.lost(i) {
				continue
			}
			points[i] = e.end(which, i)
			sets[run] = append(sets[run], points[i])
			for _, f := range points[i] {
				sum += f
			}
		}
		out.points = append(out.points, points)
		out.means = append(out.means, sum/float64(objectives*len(sets[run]))) // NaN without points
		union = append(union, sets[run]...)
	}
	all := front(union)
	for run, points := range out.points {
		own := front(sets[run])
		standings := make([]standing, len(points))
		for i, point := range points {
			if point == nil {
				continue
			}
			switch {
			case all[0]:
				standings[i] = kept
			case own[0]:
				standings[i] = overtaken
			default:
				standings[i] = beaten
			}
			all, own = all[1:], own[1:]
		}
		out.standings = append(out.standings, standings)
	}
	var err error
	if out.qualities, _, err = pareto.Compare(sets...); err != nil { // too many points to measure
		out.qualities = make([]pareto.Quality, len(s.ends))
		for i := range out.qualities {
			out.qualities[i] = pareto.Quality{Purity: math.NaN(), Gamma: math.NaN()}
		}
	}
	return out
}

// front reports for each point whether no other point dominates it.
func front(points [][]float64) []bool {
	out := make([]bool, len(points))
	list, err := pareto.NonDominated(points)
	if err != nil { // a point that is not finite is on no front
		return out
	}
	for _, i := range list {
		out[i] = true
	}
	return out
}

// quality returns the value in a summary that a view shows, or NaN if there is none.
func (m *summary) quality(view string, run int) float64 {
	q := &m.qualities[run]
	switch {
	case m.count(run, beaten) == 0:
		return math.NaN()
	case view == viewPurity:
		return q.Purity
	case view == viewGamma:
		return q.Gamma
	case view == viewMean:
		return m.means[run]
	case q.HasDelta:
		return q.Delta
	}
	return math.NaN()
}

// count returns the number of a run's points with at least the given standing.
func (m *summary) count(run int, least standing) (n int) {
	for _, v := range m.standings[run] {
		if v >= least {
			n++
		}
	}
	return n
}

// excess returns how far a run's F_m is above its minimum at iteration k, as a share of the minimum.
func (s *Scene) excess(e *ends, k int) float64 {
	vector := max(k-1, 0) / e.passes
	return s.above(vector, e.sums[k])
}

// above returns how far a value of a vector's F_m is above its minimum, as a share of the minimum.
func (s *Scene) above(vector int, sum float64) float64 {
	least := s.optima[vector].sum
	return (sum - least) / least
}

// meanExcess returns the mean excess over the vectors, among the first n, in which every objective has turns. It
// returns NaN if there are no such vectors.
func (s *Scene) meanExcess(e *ends, n int) float64 {
	var sum, count float64
	for i := range min(n, e.finished(len(e.sums))) {
		if s.grid.inner(i) && !e.lost(i) {
			sum += s.excess(e, e.passes*(i+1))
			count++
		}
	}
	return sum / count
}
