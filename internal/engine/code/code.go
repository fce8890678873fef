// Package code writes a program that repeats a run of one method. A Go program uses the packages below algo and gives
// the same numbers, to the last bit. A Python program uses only numpy, or numpy and TorchJD's rules. The templates of
// all programs are in this folder.
package code

import (
	"slices"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Languages lists the names of the programming languages, which are also kinds of exports.
var Languages = []string{"go", "python"}

// Run describes the run that a program repeats: one method from every start point of a scene.
type Run struct {
	Scene  string
	Params *param.List // parameters with their values at k = 0
	Method string
	Title  string // the method's title
	Starts [][]float64
	Steps  int // number of steps; at least 1
	// Data holds numbers and lists of numbers from the scene, keyed by the names of the templates' slots.
	Data map[string]any
	Link string // link to the run on the page
}

// smooth lists the scenes whose methods descend on a smooth problem.
var smooth = []string{"fonseca", "toy", yours}

// yours is the scene whose problem the visitor types. Its data are "formulas", the text; "objectives", the number of
// objectives; and "boxed", which is true if the variables have bounds.
const yours = "yours"

// ruled lists the methods of smooth scenes that have a Python template, python/weights-NAME.txt. PSMGD and CR-MOGM use
// the templates of other rules.
var ruled = []string{"ls", "mgda", "cagrad", "pcgrad", "imtlg", "upgrad"}

// whole lists, by scene, the methods that have a template for the whole program, python/SCENE-NAME.txt. The methods of
// clusters share one template.
var whole = map[string][]string{
	"bilevel": {"forum"}, "blocks": {"blocksmoo"}, "ordering": {"jogba"},
	"clusters": {"most", "most-noreg", "most-nocl", "most-o", "most-m"},
}

// For returns the languages in which programs are available for a method of a scene.
func For(scene, method string) []string {
	switch {
	case slices.Contains(smooth, scene):
		if method == psmgd || method == crmogm || slices.Contains(ruled, method) || inTorchJD(method) {
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

// class holds a method's names in TorchJD 0.18 and in LibMTL at commit 4336804. A name is "" if the library lacks the
// method, or if its version of the method does not run. LibMTL's Aligned-MTL, for example, does not run with PyTorch 2.
type class struct {
	torchJD, libMTL string
	packaged        bool // also in LibMTL's PyPI package, which is older than the repository although both have version 1.1.5
}

var classes = map[string]class{
	"ls":         {"ConstantWeighting", "EW", true},
	"rlw":        {"RandomWeighting", "RLW", true},
	"dwa":        {"DWA", "DWA", true},
	"uw":         {"UW", "UW", true},
	"mgda":       {"MGDAWeighting", "MGDA", true},
	"pcgrad":     {"PCGradWeighting", "PCGrad", true},
	"gradvac":    {"GradVacWeighting", "GradVac", true},
	"graddrop":   {"GradDrop", "GradDrop", true},
	"cagrad":     {"CAGradWeighting", "CAGrad", true},
	"imtlg":      {"IMTLGWeighting", "IMTL", true},
	"gls":        {"GeometricMean", "GLS", true},
	"gradnorm":   {"", "GradNorm", true},
	"nashmtl":    {"NashMTL", "Nash_MTL", false},
	"famo":       {"FAMO", "FAMO", false},
	"fairgrad":   {"FairGradWeighting", "FairGrad", false},
	"sdmgrad":    {"SDMGradWeighting", "SDMGrad", false},
	"upgrad":     {"UPGradWeighting", "UPGrad", false},
	"stch":       {"STCH", "STCH", false},
	"excessmtl":  {"ExcessMTLWeighting", "ExcessMTL", false},
	"modo":       {"MoDoWeighting", "MoDo", false},
	"moco":       {"", "MoCo", false},
	"dbmtl":      {"", "DB_MTL", false},
	"alignedmtl": {"AlignedMTLWeighting", "", false},
	"config":     {"ConFIG", "", false},
	"dualproj":   {"DualProjWeighting", "", false},
	crmogm:       {"CRMOGMWeighting", "", false},
}

// inTorchJD reports whether Python programs can compute a rule's decision with TorchJD.
func inTorchJD(rule string) bool { return classes[rule].torchJD != "" }

var libMOON = []string{"epo", moosvgd}

// Instead returns a sentence about a method without a Python program here. It says which libraries have the method.
// Two-level methods may share names with weightings, but are not weightings.
func Instead(scene, method string) string {
	_, rule := weighting.Lookup(method)
	if libraries := classes[method].libraries(); libraries != "" && scene != "bilevel" {
		return "There is no short Python program; " + libraries + " this method."
	}
	switch {
	case scene == "bilevel" && method == "moml":
		return "There is no short Python program; LibMTL’s repository (not its package) has this method, but only for task weights."
	case slices.Contains(libMOON, method):
		return "There is no short Python program; LibMOON has this method."
	case rule && scene != "bilevel":
		return "There is no short Python program, and we know of no library with this method."
	}
	return "There is no program, and we know of no library with this form of the method."
}

// libraries returns the names of the libraries that have a method, followed by "has" or "have". It returns "" if there
// are none.
func (c class) libraries() string {
	var names []string
	if c.torchJD != "" {
		names = append(names, "TorchJD")
	}
	switch {
	case c.packaged:
		names = append(names, "LibMTL")
	case c.libMTL != "":
		names = append(names, "LibMTL’s repository (not its package)")
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " has"
	}
	return names[0] + " and " + names[1] + " have"
}
