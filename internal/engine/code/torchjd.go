//go:build !js || picture

package code

import (
	"fmt"
	"strings"

	"paretoplay/algo/problem"
)

// asked says how a program in Python asks TorchJD for a rule's decision.
type asked struct {
	class string // of TorchJD
	from  string // the module of torchjd that contains it: "aggregation" or "scalarization"
	make  string // the expression that constructs the rule
	// decides says what the rule takes or returns. "gramian" and "rows" return weights from the Gramian and from the gradients.
	// "losses" is a function of the losses, whose derivatives are the weights. "direction" returns a direction without weights.
	decides string
	times   string // the factor of the weights, with its sign; "" for 1
	setup   string // a line before the rules are constructed
	// before and after are lines around the call of a function of the losses.
	before, after []string
}

// torchJD returns how to ask TorchJD for a rule with the settings of the run.
func (r *Run) torchJD(rule string) (asked, error) {
	a := asked{class: classes[rule].torchJD, from: "aggregation", decides: "gramian"}
	arguments := ""
	set := func(format string, values ...any) { arguments = fmt.Sprintf(format, values...) }
	switch rule {
	case ls:
		a.decides = "rows"
		set("torch.tensor(WEIGHTS[start])")
	case "rlw":
		a.decides, a.setup = "rows", "torch.manual_seed("+r.Params.Text("seed")+")"
	case "graddrop":
		a.decides, a.setup = "direction", "torch.manual_seed("+r.Params.Text("seed")+")"
		set("leak=torch.full((2,), %s, dtype=torch.float64)", number(r.value("graddrop.leak")))
	case "config":
		a.decides = "direction"
	case "cagrad":
		c := number(r.value("cagrad.c"))
		set("c=%s", c)
		switch r.Params.Text("cagrad.rescale") {
		case "sq":
			a.times = fmt.Sprintf(" / (1 + %s ** 2)", c)
		case "lin":
			a.times = fmt.Sprintf(" / (1 + %s)", c)
		}
	case "pcgrad":
		if r.Params.Text("pcgrad.reduction") == "mean" {
			a.times = " / 2"
		}
	case "upgrad":
		if own := r.value("upgrad.regularization"); own > 0 {
			set("projector=QuadprogProjector(reg_eps=%s)", number(own))
		}
	case "alignedmtl":
		if r.Params.Text("alignedmtl.scale") == "sum" {
			a.times = " * 2"
		}
	case "gradvac":
		set("beta=%s, eps=0", number(r.value("gradvac.beta")))
	case "nashmtl":
		a.decides = "rows"
		set("n_tasks=2, max_norm=%s", number(r.value("nashmtl.maxnorm")))
	case "fairgrad":
		set("alpha=%s", number(r.value("fairgrad.alpha")))
	case "sdmgrad":
		if r.Params.Text("sdmgrad.stochastic") == "true" {
			return a, fmt.Errorf("the program in Python supports only sdmgrad.stochastic = false")
		}
		set("lr=1, n_iter=1000, lambda_=%s", number(r.value("sdmgrad.kappa"))) // its default lr of 10 jumps between the vertices
	case "modo":
		set("gamma=%s, rho=0", number(r.value("modo.gamma")))
	case "excessmtl":
		a.decides, a.times = "rows", " * 2"
		set("robust_step_size=%s, n_warmup_steps=1", number(r.value("excessmtl.gamma")))
	case "gls":
		a.decides = "losses"
	case "stch":
		if r.Params.Text("stch.log") == "true" {
			return a, fmt.Errorf("the program in Python supports only stch.log = false")
		}
		first := r.value("stch.preference")
		set("mu=%s, weights=torch.tensor([%s, %s], dtype=torch.float64)%s", number(r.value("stch.mu")), number(2*first), number(2*(1-first)),
			r.bounds("reference"))
		a.decides = "losses"
	case "dwa":
		set("temperature=%s", number(r.value("dwa.temperature")))
		a.decides, a.after = "losses", []string{"rule.step()"}
	case "famo":
		set("2, lr=%s, weight_decay=%s%s", number(r.value("famo.lr")), number(r.value("famo.gamma")), r.bounds("min_losses"))
		a.decides = "losses"
		a.before = []string{"if start in SEEN:  # it learns from what its last step did", "    rule.update(losses)", "SEEN.add(start)"}
		a.setup = "SEEN = set()"
	case "uw":
		set("2")
		a.decides = "losses"
		a.after = []string{"with torch.no_grad():", fmt.Sprintf("    rule.log_var -= %s * rule.log_var.grad", number(r.value("uw.lr"))),
			"rule.log_var.grad = None"}
	}
	if a.decides == "losses" {
		a.from = "scalarization"
	}
	a.make = a.class + "(" + arguments + ")"
	switch rule {
	case "nashmtl":
		a.make += ".weighting"
	case "famo", "uw":
		a.make += ".double()"
	}
	return a, nil
}

// bounds returns an argument with the lower bounds of the losses, or "" if the problem gives none.
func (r *Run) bounds(name string) string {
	if r.Scene != "toy" {
		return ""
	}
	toy, err := problem.NewToy(r.value("scale"), 0)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %s=torch.tensor([%s], dtype=torch.float64)", name, rows([][]float64{toy.LowerBounds()}, "", ""))
}

// imports returns the lines that import the rule.
func (a *asked) imports() string {
	out := fmt.Sprintf("from torchjd.%s import %s", a.from, a.class)
	if strings.Contains(a.make, "QuadprogProjector") {
		out += "\nfrom torchjd.linalg import QuadprogProjector"
	}
	return out
}

// call returns the expression that applies the rule to the gradients g.
func (a *asked) call(rule string) string {
	switch a.decides {
	case "gramian":
		return rule + "(g @ g.T).numpy()" + a.times
	default:
		return rule + "(g).numpy()" + a.times
	}
}

// function returns a function that decides by TorchJD. Each start point has a separate rule, because many rules keep state.
func (a *asked) function(r *Run) string {
	name := "weights"
	if a.decides == "direction" {
		name = "direction"
	}
	lines := []string{"RULES = [" + a.make + " for _ in STARTS]", "", "", "def " + name + "(g, x, start):",
		fmt.Sprintf(`    """%s of TorchJD: pip install "torchjd[full]==0.18.0"."""`, a.class)}
	if a.setup != "" {
		lines = append([]string{a.setup}, lines...)
	}
	body := []string{"g = torch.tensor(g)", "return " + a.call("RULES[start]")}
	if a.decides == "losses" {
		body = []string{"rule, losses = RULES[start], torch.tensor(values(x), requires_grad=True)"}
		body = append(body, a.before...)
		body = append(body, "rule(losses).backward()")
		body = append(body, a.after...)
		body = append(body, "return losses.grad.numpy()")
	}
	return strings.Join(lines, "\n") + "\n    " + strings.Join(body, "\n    ")
}

// comparison returns code that decides by TorchJD instead of the function weights when the program is started with "torchjd". The
// lines in normalize, if any, normalize the gradients first.
func (a *asked) comparison(normalize string) string {
	lines := []string{"def weights_of_torchjd(g, x, start):",
		fmt.Sprintf(`    """The same by %s of TorchJD: pip install "torchjd[full]==0.18.0", and start this with the word torchjd."""`, a.class),
		"    import torch", "    " + strings.ReplaceAll(a.imports(), "\n", "\n    ")}
	if normalize != "" {
		lines = append(lines, normalize)
	}
	return strings.Join(append(lines, "    g = torch.tensor(g)", "    return "+a.call(a.make), "", "",
		`if sys.argv[1:] == ["torchjd"]:`, "    weights = weights_of_torchjd"), "\n")
}

// libraryNote returns a comment with the rule's name in other libraries.
func (r *Run) libraryNote(rule string) string {
	c := classes[rule]
	if r.Method == crmogm {
		c = classes[crmogm]
	}
	out := "# In TorchJD 0.18 it is " + c.torchJD
	switch {
	case rule == "alignedmtl":
		out += "; LibMTL’s does not run with PyTorch 2."
	case c.libMTL == "":
		out += "; LibMTL does not have it."
	case c.packaged:
		out += ", in LibMTL " + c.libMTL + ", which works inside LibMTL’s own models alone."
	default:
		out += ", in LibMTL’s repository (not its package) " + c.libMTL + ", which works inside LibMTL’s own models alone."
	}
	if remark := remarks[rule]; remark != "" {
		out += "\n# " + remark
	}
	return out
}

// remarks says where TorchJD's decision differs from the page's by more than rounding.
var remarks = map[string]string{
	"rlw":       "PyTorch draws other numbers than the page: this run is similar, but not the same.",
	"graddrop":  "PyTorch draws other numbers than the page: this run is similar, but not the same.",
	"nashmtl":   "On some gradients in conflict TorchJD’s solver gives up without a warning, and the weights are 1.",
	"fairgrad":  "TorchJD’s solver stops earlier than the page’s: long steps make small differences large.",
	"cagrad":    "TorchJD’s solver is accurate to about five digits.",
	"upgrad":    "TorchJD adds 1e-4 to the diagonal of the scaled Gramian, unless the program says otherwise.",
	"excessmtl": "TorchJD adds 1e-7 below the roots, which matters if gradients are short.",
	"dualproj":  "TorchJD adds 1e-4 to the diagonal of the scaled Gramian; the page adds nothing.",
}
