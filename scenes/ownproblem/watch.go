package ownproblem

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// watched is the problem that the runs evaluate. It records the points at which objectives or gradients are not finite,
// because diverging runs end at such points.
type watched struct {
	*formula.Problem
	lost [][]float64
}

// watchedBox is a watched problem in a box.
type watchedBox struct {
	*watched
	algo.Bounded
}

// maxLost is the maximum number of recorded points. No page has more diverging runs.
const maxLost = 256

// watch returns the problem of a reading in the form that the runs evaluate, with its box if it has one. It also
// returns the watched problem itself, which records the points.
func watch(read *reading) (algo.Problem, *watched) {
	w := &watched{Problem: read.formula}
	if boxed, has := read.formula.Boxed(); has {
		return &watchedBox{w, boxed}, w
	}
	return w, w
}

// Values implements algo.Problem.
func (w *watched) Values(f, x []float64) {
	if w.Problem.Values(f, x); !algo.Finite(f) {
		w.keep(x)
	}
}

// Jacobian implements algo.Problem.
func (w *watched) Jacobian(jac *algo.Jacobian, x []float64) {
	if w.Problem.Jacobian(jac, x); !algo.Finite(jac.Data) {
		w.keep(x)
	}
}

// keep records a point unless it is already recorded: a revisited run evaluates its points again.
func (w *watched) keep(x []float64) {
	if len(w.lost) < maxLost && !slices.ContainsFunc(w.lost, func(at []float64) bool { return slices.Equal(at, x) }) {
		w.lost = append(w.lost, slices.Clone(x))
	}
}

// blame returns the recorded point nearest to a track's end, and the part of the formulas that is not finite there. It
// returns nil if no point was recorded.
func (w *watched) blame(t timeline.Track) (at []float64, part string) {
	end := t.Kept(t.Len() - 1).X
	for _, x := range w.lost {
		if at == nil || portable.Distance(x, end) < portable.Distance(at, end) {
			at = x
		}
	}
	if at == nil {
		return nil, ""
	}
	return at, w.Fault(at)
}
