//go:build !js || picture

package code

import (
	"fmt"
	"strings"

	"paretoplay/algo/problem"
)

// asked describes how a Python program computes a rule's decision with TorchJD.
type asked struct {
	class string // name of the class in TorchJD
	from  string // the torchjd module of the class: "aggregation" or "scalarization"
	make  string // expression that constructs the rule
	// decides names what the rule takes or returns. A "gramian" rule returns weights from the Gramian, and a "rows" rule
	// returns weights from the gradients. A "losses" rule is a function of the losses, whose derivatives are the weights.
	// A "direction" rule returns a direction without weights.
	decides string
	times   string // factor of the weights, with its sign; "" for 1
	setup   string // line before the rules are constructed
	// before and after are the lines to run before and after a function of the losses is called.
	before, after []string
}

// torchJD returns a description of how a program computes a rule's decision with TorchJD and the run's settings.
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
			return a, fmt.Errorf("the Python program supports only sdmgrad.stochastic = false")
		}
		// With TorchJD's default lr of 10, the weights jump between the vertices.
		set("lr=1, n_iter=1000, lambda_=%s", number(r.value("sdmgrad.kappa")))
	case "modo":
		set("gamma=%s, rho=0", number(r.value("modo.gamma")))
	case "excessmtl":
		a.decides, a.times = "rows", " * 2"
		set("robust_step_size=%s, n_warmup_steps=1", number(r.value("excessmtl.gamma")))
	case "gls":
		a.decides = "losses"
	case "stch":
		if r.Params.Text("stch.log") == "true" {
			return a, fmt.Errorf("the Python program supports only stch.log = false")
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
		a.before = []string{"if start in SEEN:  # the rule learns from the effect of its last step", "    rule.update(losses)", "SEEN.add(start)"}
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

// bounds returns the argument that passes the lower bounds of the losses to a call, or "" if the problem has none.
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

func (a *asked) imports() string {
	out := fmt.Sprintf("from torchjd.%s import %s", a.from, a.class)
	if strings.Contains(a.make, "QuadprogProjector") {
		out += "\nfrom torchjd.linalg import QuadprogProjector"
	}
	return out
}

// call returns the Python expression that applies the rule to the gradients g.
func (a *asked) call(rule string) string {
	switch a.decides {
	case "gramian":
		return rule + "(g @ g.T).numpy()" + a.times
	default:
		return rule + "(g).numpy()" + a.times
	}
}

// function returns the code of a Python function that decides with TorchJD. Each start point has a separate rule,
// because many rules keep state.
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

// comparison returns Python code that replaces the function weights with TorchJD's weights if the program is started
// with the word "torchjd". The lines in normalize, if any, first normalize the gradients.
func (a *asked) comparison(normalize string) string {
	lines := []string{"def weights_of_torchjd(g, x, start):",
		fmt.Sprintf(
			`    """Return TorchJD's weights by %s. Run pip install "torchjd[full]==0.18.0" and start with the word torchjd."""`, a.class),
		"    import torch", "    " + strings.ReplaceAll(a.imports(), "\n", "\n    ")}
	if normalize != "" {
		lines = append(lines, normalize)
	}
	return strings.Join(append(lines, "    g = torch.tensor(g)", "    return "+a.call(a.make), "", "",
		`if sys.argv[1:] == ["torchjd"]:`, "    weights = weights_of_torchjd"), "\n")
}

// libraryNote returns a Python comment with the rule's name in other libraries.
func (r *Run) libraryNote(rule string) string {
	c := classes[rule]
	if r.Method == crmogm {
		c = classes[crmogm]
	}
	out := "# In TorchJD 0.18 it is " + c.torchJD
	switch {
	case rule == "alignedmtl":
		out += "; LibMTL’s version does not run with PyTorch 2."
	case c.libMTL == "":
		out += "; LibMTL does not have this rule."
	case c.packaged:
		out += ", in LibMTL " + c.libMTL + ", which works only inside LibMTL’s own models."
	default:
		out += ", in LibMTL’s repository (not its package) " + c.libMTL + ", which works only inside LibMTL’s own models."
	}
	if remark := remarks[rule]; remark != "" {
		out += "\n# " + remark
	}
	return out
}

// remarks maps a rule to a sentence on how TorchJD's decision differs from the page's, if the difference exceeds
// rounding errors.
var remarks = map[string]string{
	"rlw":       "PyTorch draws other random numbers than the page, so this run is similar, but not the same.",
	"graddrop":  "PyTorch draws other random numbers than the page, so this run is similar, but not the same.",
	"nashmtl":   "On some conflicting gradients, TorchJD’s solver gives up without a warning and returns weights of 1.",
	"fairgrad":  "TorchJD’s solver stops earlier than the page’s, and long steps amplify the small differences.",
	"cagrad":    "TorchJD’s solver is accurate to about five digits.",
	"upgrad":    "TorchJD adds 1e-4 to the diagonal of the scaled Gramian, unless the program says otherwise.",
	"excessmtl": "TorchJD adds 1e-7 under square roots, which matters if gradients are short.",
	"dualproj":  "TorchJD adds 1e-4 to the diagonal of the scaled Gramian; the page adds nothing.",
}
