// Package code writes the run of a method as a program that repeats it: in Go with the packages below algo, to
// the last bit, and in Python with numpy alone. A program is put together from the templates beside it.
package code

import (
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Languages are the names of the languages, which are kinds of exports too.
var Languages = []string{"go", "python"}

// Run is what a program repeats: one method from every start point of a scene.
type Run struct {
	Scene  string
	Params *param.List // with their values at k = 0
	Method string
	Title  string // of the method
	Starts [][]float64
	Steps  int // at least 1
	// Data are numbers and lists of numbers that the scene adds, by the names of slots.
	Data map[string]any
	Link string // to the run on the page
}

// smooth are the scenes of methods that descend on a smooth problem.
var smooth = []string{"fonseca", "toy", yours}

// yours is the scene of formulas: its data are "formulas", their text, "objectives", how many there are, and
// "boxed", whether there are bounds.
const yours = "yours"

// ruled are the methods of smooth scenes that Python has a template for, python/weights-NAME.txt: PSMGD and
// CR-MOGM follow other rules.
var ruled = []string{"ls", "mgda", "cagrad", "pcgrad", "imtlg", "upgrad"}

// whole are the methods that have a template for the whole program, python/SCENE-NAME.txt, by scene; those of
// clusters share one.
var whole = map[string][]string{
	"bilevel": {"forum"}, "blocks": {"blocksmoo"}, "ordering": {"jogba"},
	"clusters": {"most", "most-noreg", "most-nocl", "most-o", "most-m"},
}

// For returns the languages in which there is code for a method of a scene.
func For(scene, method string) []string {
	switch {
	case slices.Contains(smooth, scene):
		if method == psmgd || method == crmogm || slices.Contains(ruled, method) {
			return Languages
		}
		return Languages[:1]
	case slices.Contains(whole[scene], method):
		return Languages[1:]
	}
	return nil
}

const (
	psmgd   = "psmgd"
	crmogm  = "crmogm"
	ls      = "ls"
	moosvgd = "moosvgd"
)

// LibMTL's package on PyPI is an older library than its repository, both of which call themselves 1.1.5.
const (
	torchjd    = "TorchJD"
	libmtl     = "LibMTL"
	repository = "LibMTL’s repository (not its package)"
	both       = torchjd + " and " + libmtl
	bothNewer  = torchjd + " and " + repository
	libmoon    = "LibMOON"
)

// libraries are other people's libraries for Python that have a method: TorchJD 0.18, LibMTL at commit 4336804. The Aligned-MTL of the
// latter does not run with PyTorch 2.
var libraries = map[string]string{
	"rlw": both, "dwa": both, "uw": both, "mgda": both, "pcgrad": both, "gradvac": both, "graddrop": both, "cagrad": both, "imtlg": both,
	"gls": both, "nashmtl": bothNewer, "famo": bothNewer, "fairgrad": bothNewer, "sdmgrad": bothNewer, "upgrad": bothNewer, "stch": bothNewer,
	"excessmtl": bothNewer, "modo": bothNewer, "moco": repository, "dbmtl": repository, "gradnorm": libmtl, "alignedmtl": torchjd,
	"config": torchjd, "dualproj": torchjd, "crmogm": torchjd, "epo": libmoon, "moosvgd": libmoon,
}

// Instead says where a method can be had that has no code in Python here.
func Instead(method string) string {
	if name, has := libraries[method]; has {
		return "No short program in Python; " + verb(name) + " it."
	}
	if _, rule := weighting.Lookup(method); rule {
		return "No short program in Python, and no library that we know of has it."
	}
	return "No program, and no library that we know of has it in this form."
}

func verb(libraries string) string {
	if strings.Contains(libraries, " and ") {
		return libraries + " have"
	}
	return libraries + " has"
}
