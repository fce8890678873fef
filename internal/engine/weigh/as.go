package weigh

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/runlog"
)

// Library describes another library of weightings. With its conventions, our methods give the same answers as its
// classes. Conventions include sums instead of means, defaults, clipping, and terms added to a diagonal. The
// library's random numbers and the errors of its solvers are not imitated. A nil *Library has no conventions: methods
// decide as in their papers.
type Library struct {
	Name    string // the value of -as
	Title   string
	Release string // the release named in answers
	Version string // the exact version
	methods map[string]convention
}

// convention describes how a library's class differs from our method.
type convention struct {
	class  string   // name of the class in the library
	set    []preset // parameters whose values differ from our defaults
	adjust *adjustment
	// apart names the parts of the class that are not imitated, such as its random numbers or its solver's errors. It is
	// "" if there are none.
	apart string
}

// preset is a value of our method's parameter that matches the library's behaviour.
type preset struct{ name, value, says string }

// adjustment changes a decision after the method has made it.
type adjustment struct {
	says  string
	apply func(r *algo.Result, in *algo.Input)
}

// Libraries lists the libraries whose conventions are available.
var Libraries = []*Library{torchJD, libMTL}

// These phrases apply to several classes.
const (
	drawn = "its random number generator"
	order = "its random order of the other gradients"
)

// These conventions follow torchjd 0.18.0's sources: aggregation/, scalarization/ and _linalg/_dual_cone.py.
var torchJD = &Library{Name: "torchjd", Title: "TorchJD", Release: "0.18", Version: "0.18.0", methods: map[string]convention{
	"ls":     {class: "Mean"},
	"rlw":    {class: "Random", apart: drawn},
	"dwa":    {class: "DWA"},
	"uw":     {class: "UW"},
	"mgda":   {class: "MGDA", apart: "its limit of 100 Frank-Wolfe steps from equal weights"},
	"crmogm": {class: "CRMOGMWeighting", apart: "its limit of 100 Frank-Wolfe steps from equal weights"},
	"pcgrad": {class: "PCGrad", apart: order},
	"gradvac": {class: "GradVac",
		apart: order + ", and the 1e-8 in its denominators"},
	"graddrop": {class: "GradDrop", apart: drawn},
	"cagrad": {class: "CAGrad", apart: "its solver’s stopping threshold of 2e-5",
		set:    []preset{{"rescale", "none", "the direction is not divided by 1 + c²"}},
		adjust: &adjustment{"the direction is 0 below norm_eps = 1e-4", vanish}},
	"imtlg": {class: "IMTLG", apart: "rounding errors of its pseudo-inverse if lengths differ greatly",
		set: []preset{{"dependent", "pseudoinverse", "the pseudo-inverse solves for dependent gradients"}}},
	"nashmtl": {class: "NashMTL", apart: "its iteration, which stalls on some conflicting gradients",
		set: []preset{{"maxnorm", "1", "directions longer than 1 are shortened to length 1"}}},
	"famo":     {class: "FAMO"},
	"fairgrad": {class: "FairGrad", apart: "its solver’s stopping point"},
	"sdmgrad": {class: "SDMGradWeighting", apart: "its 20 steps with learning rate 10, which may jump between vertices",
		adjust: &adjustment{"its weights are the direction’s coefficients", effectiveWeights}},
	"modo": {class: "MoDoWeighting", set: []preset{{"rho", "0.1", "ρ = 0.1 pulls the weights towards equal weights"}}},
	"upgrad": {class: "UPGrad", set: []preset{{"regularization", "1e-4", "1e-4 of the trace is added to the Gramian’s diagonal"}},
		adjust: &adjustment{"below a trace of norm_eps = 1e-4, the direction is the mean", average}},
	"alignedmtl": {class: "AlignedMTL", apart: "rounding errors of its Gramian’s eigenvalues"},
	"config":     {class: "ConFIG", apart: "rounding errors of its pseudo-inverse"},
	"dualproj": {class: "DualProj", set: []preset{{"regularization", "1e-4", "1e-4 of the trace is added to the Gramian’s diagonal"}},
		adjust: &adjustment{"below a trace of norm_eps = 1e-4, the direction is the mean", average}},
	"gls":  {class: "GeometricMean"},
	"stch": {class: "STCH", set: []preset{{"scale", "sum", "the preferences sum to 1"}}},
	"excessmtl": {class: "ExcessMTL", apart: "the 1e-7 that it adds under square roots",
		set: []preset{{"gamma", "1", "its step size is 1"},
			{"first", "excesses", "the first decision uses the excesses themselves as weights"}},
		adjust: &adjustment{"the weights sum to 1", perObjective}},
}}

// These conventions follow LibMTL's repository: LibMTL/weighting/ and the defaults in LibMTL/config.py. The PyPI package
// is older and has fewer classes, although its version is also 1.1.5.
var libMTL = &Library{Name: "libmtl", Title: "LibMTL", Release: "1.1.5", Version: "commit 4336804", methods: map[string]convention{
	"ls":  {class: "EW", adjust: &adjustment{"the gradients are added, not averaged", together}},
	"rlw": {class: "RLW", apart: drawn},
	"dwa": {class: "DWA", apart: "its averaging of losses over epochs"},
	"uw":  {class: "UW", set: []preset{{"initial", "-0.5", "log-variances start at −0.5"}}},
	"mgda": {class: "MGDA", apart: "its solver’s stopping point for three or more gradients",
		set: []preset{{"combine", "normalized", "if gradients are normalised, the direction combines the normalised gradients"},
			{"least", "0.001", "with two gradients, a weight of 0 becomes 0.001"}}},
	"pcgrad":  {class: "PCGrad", apart: order},
	"gradvac": {class: "GradVac", apart: order},
	"cagrad": {class: "CAGrad", set: []preset{{"c", "0.5", "c = 0.5"}},
		apart: "its solver’s stopping point, and the 1e-8 that it adds under square roots"},
	"imtlg":    {class: "IMTL", apart: "its learned scales of the losses, which start at 1"},
	"gls":      {class: "GLS", apart: "its reported weights, which differ from the weights that it applies"},
	"gradnorm": {class: "GradNorm", apart: "its mean losses over the first epoch, in which the weights are equal"},
	"nashmtl": {class: "Nash_MTL", apart: "its iteration, which stalls on some conflicting gradients",
		set: []preset{{"maxnorm", "1", "directions longer than 1 are shortened to length 1"}}},
	"famo":     {class: "FAMO"},
	"fairgrad": {class: "FairGrad", apart: "its solver’s stopping point", set: []preset{{"alpha", "1", "α = 1"}}},
	"sdmgrad":  {class: "SDMGrad", apart: "its 20 steps with learning rate 5, which may jump between vertices"},
	"moco": {class: "MoCo", set: []preset{{"lengths", "losses", "each gradient is scaled to the size of its loss"},
		{"simplex", "softmax", "a softmax replaces the projection"}, {"decay", "0.5", "β and γ are divided by √k"}}},
	"modo": {class: "MoDo", set: []preset{{"gamma", "0.001", "γ = 0.001"}, {"rho", "0.1", "ρ = 0.1 pulls the weights towards equal weights"}}},
	"upgrad": {class: "UPGrad", set: []preset{{"regularization", "1e-4", "1e-4 of the trace is added to the Gramian’s diagonal"}},
		adjust: &adjustment{"below a trace of norm_eps = 1e-4, the direction is the mean", average}},
	"alignedmtl": {class: "Aligned_MTL", apart: "its failure with PyTorch 2, which lacks symeig",
		set: []preset{{"scale", "sum", "the aligned gradients are added, not averaged"}}},
	"stch": {class: "STCH", apart: "its warm-up epochs, and its mean losses over the fifth epoch, which the first losses replace",
		set:    []preset{{"log", "true", "the rule uses the logarithms of the losses"}, {"mu", "1", "μ = 1"}},
		adjust: &adjustment{"the weights are multiplied by S", together}},
	"excessmtl": {class: "ExcessMTL", apart: "the 1e-7 that it adds under square roots"},
	"dbmtl":     {class: "DB_MTL", set: []preset{{"sigma", "0", "the memory does not decay"}}},
}}

// LookupLibrary returns the library with the given name. If the name is unknown, its error lists the available libraries.
func LookupLibrary(name string) (*Library, error) {
	var names []string
	for _, l := range Libraries {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return nil, fmt.Errorf("unknown library %q; available: %s", name, strings.Join(names, " "))
}

// Methods returns the names of our methods that the library provides, in the order of the function Methods. It returns
// all names if l is nil.
func (l *Library) Methods() []string {
	if l == nil {
		return Methods()
	}
	return slices.DeleteFunc(Methods(), func(name string) bool { return l.methods[name].class == "" })
}

// Check returns an error that lists the library's methods if the library lacks the given method.
func (l *Library) Check(method string) error {
	if l == nil || l.methods[method].class != "" {
		return nil
	}
	reason := ""
	if l == libMTL && method == "graddrop" {
		reason = " for a Jacobian (its GradDrop takes gradients of a representation and that representation’s signs)"
	}
	return fmt.Errorf("%s has no %s%s; available: %s", l.Title, method, reason, strings.Join(l.Methods(), " "))
}

// Differs returns a description of how the library's method differs from ours with the same settings. It returns "" if
// they agree.
func (l *Library) Differs(method string, settings map[string]string) string {
	c := l.methods[method]
	var parts []string
	for _, p := range c.set {
		if _, given := settings[p.name]; !given {
			parts = append(parts, p.says)
		}
	}
	if c.adjust != nil {
		parts = append(parts, c.adjust.says)
	}
	return strings.Join(parts, "; ")
}

// NotImitated returns the parts of a library's class that answers do not imitate, or "" if they imitate everything.
func (l *Library) NotImitated(method string) string { return l.methods[method].apart }

// settings returns the given settings, completed with the library's defaults.
func (l *Library) settings(method string, given map[string]string) map[string]string {
	if l == nil {
		return given
	}
	out := map[string]string{}
	for _, p := range l.methods[method].set {
		out[p.name] = p.value
	}
	maps.Copy(out, given)
	return out
}

// list returns the settings in the form that weighting.New accepts.
func (l *Library) list(method string, given map[string]string) []string {
	settings := l.settings(method, given)
	var out []string
	for _, parameter := range slices.Sorted(maps.Keys(settings)) {
		out = append(out, parameter+"="+settings[parameter])
	}
	return out
}

// Parameters returns a method's parameters for Apply, with the library's defaults. The list is empty for an unknown
// method.
func (l *Library) Parameters(method string) *param.List {
	out := Parameters(method)
	for name, value := range l.settings(method, nil) {
		if err := out.Assign(name, value); err != nil {
			panic("weigh: " + l.Name + ": " + err.Error())
		}
	}
	return out
}

// conform returns a rule that decides like the library's class. The given rule must have the library's settings.
func (l *Library) conform(method string, rule algo.Weighting) algo.Weighting {
	if l == nil || l.methods[method].adjust == nil {
		return rule
	}
	return &adjusted{rule, l.methods[method].adjust.apply}
}

// sign adds a description of the library's conventions to an answer that follows them.
func (l *Library) sign(w *Answer, settings map[string]string) {
	if l == nil {
		return
	}
	w.Convention = &Convention{As: l.Name + " " + l.Release, Version: l.Version, Differs: orNull(l.Differs(w.Method, settings)),
		NotImitated: orNull(l.NotImitated(w.Method))}
}

// orNull returns a pointer to text, or nil for "".
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Apply applies a method to the input with the library's conventions. Settings map parameter names to texts and override
// the library's defaults.
func (l *Library) Apply(method string, settings map[string]string, in *Input) (*Answer, error) {
	if err := l.Check(method); err != nil {
		return nil, err
	}
	out, err := l.apply(method, settings, in)
	if err == nil {
		l.sign(out, settings)
	}
	return out, err
}

// newLogRule returns the rule of runlog.NewRule with the library's conventions.
func (l *Library) newLogRule(method string, given map[string]string, objectives int, seed uint64) (algo.Weighting, error) {
	rule, err := runlog.NewRule(runlog.Choice{Name: method, Settings: l.list(method, given)}, objectives, seed)
	if err != nil {
		return nil, err
	}
	return l.conform(method, rule), nil
}

// adjusted is a rule with an adjustment of its decisions. It does not support rules that observe losses.
type adjusted struct {
	algo.Weighting
	adjust func(r *algo.Result, in *algo.Input)
}

// Weigh stores the adjusted decision. If the decision overflows, it stores zeros and the status Diverged.
func (a *adjusted) Weigh(r *algo.Result, in *algo.Input) error {
	if err := a.Weighting.Weigh(r, in); err != nil || r.Status == algo.Diverged {
		return err
	}
	a.adjust(r, in)
	if !algo.Finite(r.Weights) || !algo.Finite(r.Effective) || !algo.Finite(r.Direction) {
		clear(r.Weights)
		clear(r.Effective)
		clear(r.Direction)
		r.Status = algo.Diverged
	}
	return nil
}

func multiply(r *algo.Result, factor float64) {
	for _, list := range [][]float64{r.Weights, r.Effective, r.Direction} {
		for i := range list {
			list[i] *= factor
		}
	}
}

// together turns a mean over objectives into a sum over objectives.
func together(r *algo.Result, _ *algo.Input) { multiply(r, float64(len(r.Weights))) }

// perObjective turns a sum over objectives into a mean.
func perObjective(r *algo.Result, _ *algo.Input) { multiply(r, 1/float64(len(r.Weights))) }

// effectiveWeights replaces the weights by the direction's coefficients.
func effectiveWeights(r *algo.Result, _ *algo.Input) { copy(r.Weights, r.Effective) }

// normEps is TorchJD's norm_eps; LibMTL uses the same value.
const normEps = 1e-4

// trace returns the sum of the gradients' squared lengths, which may overflow.
func trace(in *algo.Input, m int) float64 {
	var sum float64
	for i := range m {
		sum += in.Gram[i*m+i]
	}
	return math.Ldexp(sum, 2*in.Exponent)
}

// average replaces the decision by the mean of the gradients if the gradients are short.
func average(r *algo.Result, in *algo.Input) {
	m := len(r.Weights)
	if trace(in, m) >= normEps {
		return
	}
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(m)
	}
	copy(r.Effective, r.Weights)
	if r.Direction != nil {
		in.Combine(r.Direction, r.Weights)
	}
}

// vanish sets the direction to 0 if the gradients are short, or if the vector that CAGrad adds to their mean has no direction.
func vanish(r *algo.Result, in *algo.Input) {
	m := len(r.Weights)
	var square, sum float64
	for i, w := range r.Weights {
		sum += in.Gram[i*m+i]
		for j, v := range r.Weights {
			square += float64(w * float64(v*in.Gram[i*m+j]))
		}
	}
	if trace(in, m) >= normEps && square >= normEps*normEps*sum {
		return
	}
	clear(r.Effective)
	clear(r.Direction)
}
