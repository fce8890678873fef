// Package roster is the methods that race on a smooth problem: which there are,
// how they are set, their runs from shared starts, and what live changes do to
// them. Scenes bind it into their parameters and keep to pictures.
package roster

import (
	"fmt"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Names of methods that are more than a rule of the list of weightings.
const (
	psmgd   = "psmgd"
	crmogm  = "crmogm"
	ls      = "ls"
	mgda    = "mgda"
	moosvgd = "moosvgd"
)

// first are the methods with a text of their own, in the order of lists; the
// other weightings follow in theirs.
var first = []param.Method{
	{ID: psmgd, Title: "PSMGD", Paper: "Periodic Stochastic Multi-Gradient Descent, Algorithm 1", Help: "Computes new weights, MGDA’s unless told otherwise, every R iterations and keeps them in between."},
	{ID: mgda},
	{ID: crmogm, Title: "CR-MOGM", Paper: "Zhou et al. 2022, Algorithm 1", Help: "MGDA whose weights are averaged with those of the iteration before."},
	{ID: ls, Title: "Linear scalarization", Paper: "a fixed weighted sum", Help: "Descends a weighted sum whose weights are set once for each start and never change."},
}

// last runs on several points at once.
var last = param.Method{ID: moosvgd, Title: "MOO-SVGD", Paper: "Liu, Tong & Liu 2021, equation (9) and Algorithm 1",
	Help: "Moves all start points together: each follows the MGDA directions of all and is pushed away from points of like losses."}

// Methods returns every method, in the order of lists and legends. The help ends
// with what the method guarantees.
func Methods() []param.Method {
	var out []param.Method
	for _, m := range first {
		out = append(out, described(m))
	}
	for _, w := range weighting.Methods {
		if !in(out, w.Name) {
			out = append(out, described(param.Method{ID: w.Name}))
		}
	}
	return append(out, described(last))
}

func in(list []param.Method, id string) bool {
	for _, m := range list {
		if m.ID == id {
			return true
		}
	}
	return false
}

// described fills in what the list of weightings says of a method.
func described(m param.Method) param.Method {
	if w, ok := weighting.Lookup(m.ID); ok && m.Title == "" {
		m.Title, m.Paper, m.Help = w.Title, w.Paper, w.Help
	}
	m.Help += " Guaranteed: " + Guarantees(m.ID) + "."
	return m
}

// Guarantees says what a method guarantees of the direction of one step, as a
// list in words.
func Guarantees(method string) string {
	switch method {
	case psmgd:
		return "what its weighting guarantees, in the iterations that compute new weights"
	case crmogm:
		return onSimplex
	case ls: // its weights may be unequal, so that the order matters
		return onSimplex + "; " + homogeneous
	case moosvgd:
		return "nothing for a single point; one point alone takes MGDA’s steps"
	}
	w, ok := weighting.Lookup(method)
	if !ok {
		panic("roster: " + method + " is no method")
	}
	var list []string
	for _, promise := range []struct {
		kept bool
		text string
	}{
		{w.Promises.Simplex, onSimplex},
		{!w.Promises.Weights, "a direction without weights"},
		{w.Promises.NonConflicting, "no objective rises to first order"},
		{w.Promises.Permutation, "the same for any order of the objectives"},
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
	homogeneous = "scales with the gradients"
)

// title is the name of a method on screen.
func title(method string) string {
	for _, m := range Methods() {
		if m.ID == method {
			return m.Title
		}
	}
	panic(fmt.Sprintf("roster: %q is no method", method))
}
