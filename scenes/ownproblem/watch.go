package ownproblem

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// watched is the problem as runs ask it. It keeps the points at which objectives or gradients are not finite: a
// run that diverges ends before them.
type watched struct {
	*formula.Problem
	lost [][]float64
}

// watchedBox is watched in a box.
type watchedBox struct {
	*watched
	algo.Bounded
}

// maxLost bounds how many points are kept: more runs than that do not diverge on one page.
const maxLost = 256

// watch returns the problem of a reading for runs, and what keeps the points.
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

// keep keeps a point; a run that is visited again asks for it again.
func (w *watched) keep(x []float64) {
	if len(w.lost) < maxLost && !slices.ContainsFunc(w.lost, func(at []float64) bool { return slices.Equal(at, x) }) {
		w.lost = append(w.lost, slices.Clone(x))
	}
}

// blame returns the point, of those that were kept, that is nearest to where a track ended, and the part of the formulas that is
// not finite there; nil where none was kept.
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
