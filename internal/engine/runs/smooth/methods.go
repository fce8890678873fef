// Package smooth is the family of methods that descend on a smooth problem. It contains the list of methods, their
// shared settings, and the records of their runs.
package smooth

import (
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Names of the methods that need special treatment in this package.
const (
	psmgd   = "psmgd"
	crmogm  = "crmogm"
	ls      = "ls"
	mgda    = "mgda"
	epsilon = "epsilon"
	moosvgd = "moosvgd"
)

// own describes the methods that are not in the list of weightings, and replaces the descriptions of some that are.
var own = []param.Method{
	{ID: psmgd, Title: "PSMGD", Paper: "Periodic Stochastic Multi-Gradient Descent, Algorithm 1",
		Help: "Computes new weights every R iterations, by default with MGDA, and keeps them in between."},
	{ID: crmogm, Title: "CR-MOGM", Paper: "Zhou et al. 2022, Algorithm 1",
		Help: "MGDA with weights that are averaged with the previous iteration’s weights."},
	{ID: ls, Title: "Linear scalarization", Paper: "a fixed weighted sum",
		Help: "Descends a weighted sum whose weights are set once for each start and never change."},
	{ID: moosvgd, Title: "MOO-SVGD", Paper: "Liu, Tong & Liu 2021, equation (9) and Algorithm 1",
		Help: "Moves all start points together. Each point follows the MGDA directions of all points, and is pushed away from points with " +
			"similar losses."},
}

// Methods returns every method, in the order of lists and legends. Each help text ends with the method's guarantees.
func Methods() []param.Method {
	var out []param.Method
	for _, m := range new(Roster).family() {
		out = append(out, m.Method)
	}
	return out
}

// described returns a method's description, with its guarantees. A description in own replaces the rule's.
func described(name string) param.Method {
	out := param.Method{ID: name}
	if i := slices.IndexFunc(own, func(m param.Method) bool { return m.ID == name }); i >= 0 {
		out = own[i]
	} else if w, ok := weighting.Lookup(name); ok {
		out.Title, out.Paper, out.Help = w.Title, w.Paper, w.Help
	}
	out.Help += " Guaranteed: " + Guarantees(name) + "."
	return out
}

// Guarantees returns in words what a method guarantees for the direction of one step.
func Guarantees(method string) string {
	switch method {
	case psmgd:
		return "the guarantees of its weighting, in iterations that compute new weights"
	case crmogm:
		return onSimplex
	case ls: // the weights may be unequal, so the order matters
		return onSimplex + "; " + homogeneous
	case moosvgd:
		return "nothing for an individual point; a lone point takes MGDA’s steps"
	}
	w, ok := weighting.Lookup(method)
	if !ok {
		panic("smooth: unknown method " + method)
	}
	var list []string
	for _, promise := range []struct {
		kept bool
		text string
	}{
		{w.Promises.Simplex, onSimplex},
		{!w.Promises.Weights, "a direction without weights"},
		{w.Promises.NonConflicting, "no objective rises to first order"},
		{w.Promises.Permutation, "the same direction for any order of the objectives"},
		{w.Promises.Homogeneous, homogeneous},
	} {
		if promise.kept {
			list = append(list, promise.text)
		}
	}
	if list == nil {
		return "a finite step"
	}
	return strings.Join(list, "; ")
}

const (
	onSimplex   = "weights ≥ 0 with sum 1"
	homogeneous = "a direction that scales with the gradients"
)
