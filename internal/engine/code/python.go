//go:build !js || picture

package code

import (
	"fmt"
	"slices"
	"strings"
)

func (r *Run) inPython() (string, error) {
	if slices.Contains(whole[r.Scene], r.Method) {
		return r.wholeProgram()
	}
	rule := r.rule()
	if r.Method == ls {
		rule = ls
	}
	ours := slices.Contains(ruled, rule)
	if !ours && !inTorchJD(rule) {
		return "", fmt.Errorf("%s with the weighting %s: %s", r.Title, rule, Instead(r.Scene, rule))
	}
	values := r.common()
	values["starts"], values["eta"] = "["+rows(r.Starts, "[", "]")+"]", number(r.value("eta"))
	var err error
	kind := r.Scene
	if kind == "fonseca" {
		kind = r.Params.Text("problem")
	}
	slots := map[string]string{"scale": r.Params.Text("scale")}
	if r.Scene == yours {
		if slots["formulas"], slots["values"], err = r.formulas(); err != nil {
			return "", err
		}
	}
	problem, err := part("python/problem-"+kind+".txt", slots)
	if err != nil {
		return "", err
	}
	sampled := "\n\n\nsampled = gradients"
	values["notes"] = r.libraryNote(rule)
	if sigma := r.sigma(); sigma > 0 {
		if sampled, err = part("python/sampled.txt", map[string]string{"seed": values["seed"], "sigma": number(sigma)}); err != nil {
			return "", err
		}
		values["notes"] += "\n# The gradients have noise. numpy draws other random numbers than the page, " +
			"so this run is similar, but not the same."
	}
	values["problem code"] = problem + sampled
	ask, err := r.torchJD(rule)
	if err != nil {
		return "", err
	}
	values["first imports"], values["imports"] = "", ""
	if ours {
		own := r.ofRule(rule)
		if values["weights"], err = part("python/weights-"+rule+".txt", own); err != nil {
			return "", err
		}
		values["first imports"] = "import sys\n"
		values["weights"] += "\n\n\n" + ask.comparison(own["normalize"])
	} else {
		if r.Method == psmgd && ask.decides == "direction" {
			return "", fmt.Errorf("%s with the weighting %s: TorchJD returns a direction, but no weights to keep", r.Title, rule)
		}
		values["imports"] = "import torch\n" + ask.imports()
		values["weights"] = ask.function(r)
	}
	r.coefficients(values, ask.decides == "direction")
	r.move(values)
	if stop := r.value("stop"); stop > 0 {
		shortest, err := part("python/stationarity.txt", nil)
		if err != nil {
			return "", err
		}
		values["weights"] += "\n\n\n" + shortest
		values["stop"] = fmt.Sprintf("        if stationarity(x) <= %s:\n            break", number(stop))
	}
	return fill("python/descent.txt", values)
}

// formulas translates a problem given as formulas. It returns the lines of the formulas, and the objectives as
// expressions.
func (r *Run) formulas() (lines, values string, err error) {
	if m := r.objectives(); m != 2 {
		return "", "", fmt.Errorf("the Python program supports only two objectives; the problem has %d", m)
	}
	if bounded, _ := r.Data["boxed"].(bool); bounded {
		return "", "", fmt.Errorf("the Python program does not support bounds on variables")
	}
	text, _ := r.Data["formulas"].(string)
	return formulasInPython(text)
}

// ofRule returns the values for the slots in a rule's template.
func (r *Run) ofRule(rule string) map[string]string {
	out := map[string]string{}
	switch rule {
	case ls:
		out["weights"] = "[" + rows(r.fixedWeights(), "[", "]") + "]"
	case "mgda":
		size, loss := "g = g / np.maximum(np.linalg.norm(g, axis=1, keepdims=True), 1e-300)", "g = g / values(x)[:, None]"
		switch r.Params.Text("mgda.normalize") {
		case "l2":
			out["normalize"] = "    " + size
		case "loss":
			out["normalize"] = "    " + loss
		case "loss+":
			out["normalize"] = "    " + size + "\n    " + loss
		default:
			out["normalize"] = ""
		}
		if r.Method == crmogm {
			out["normalize"] = ""
		}
	case "cagrad":
		c := r.value("cagrad.c")
		out["c"], out["rescale"] = number(c), ""
		switch r.Params.Text("cagrad.rescale") {
		case "sq":
			out["rescale"] = fmt.Sprintf(" / (1 + %s ** 2)", number(c))
		case "lin":
			out["rescale"] = fmt.Sprintf(" / (1 + %s)", number(c))
		}
	case "pcgrad":
		out["reduction"], out["share"] = r.Params.Text("pcgrad.reduction"), ""
		if out["reduction"] == "mean" {
			out["share"] = " / 2"
		}
	case "upgrad":
		out["regularization"] = number(r.value("upgrad.regularization"))
	}
	return out
}

// coefficients fills in the lines that compute the coefficients c of the gradients g in a step, and the step's
// direction d. direct is true if the rule returns a direction without weights.
func (r *Run) coefficients(values map[string]string, direct bool) {
	period, momentum, schedule := r.holding()
	names, begin := "", ""
	lines := []string{"g = sampled(x)"}
	switch {
	case direct:
		lines = append(lines, "d = direction(g, x, start)")
	case period == 1 && momentum == 0 && schedule == constant:
		lines = append(lines, "c = weights(g, x, start)")
	default:
		names, begin = ", c", ", None"
		if period > 1 {
			lines = append(lines, fmt.Sprintf("if c is None or k %% %d == 0:  # keep the weights in between", period),
				"    new = weights(g, x, start)")
		} else {
			lines = append(lines, "if True:", "    new = weights(g, x, start)")
		}
		alpha := map[string]string{
			constant:    number(momentum),
			"theorem35": "1 - min(1 / np.sqrt(k + 1), 1 / max((k + 1) * np.abs(new - c).max(), 1e-300))",
			"theorem36": "1 - min(1, {{step size}})", "asprinted": "1 - min(1, {{step size}})",
			"theorem37": "1 - min(1, ({{step size}}) ** 2)",
		}[schedule]
		alpha = strings.ReplaceAll(alpha, "{{step size}}", r.stepSize())
		if alpha == "0" {
			lines = append(lines, "    c = new")
		} else {
			lines = append(lines, "    if c is not None:", "        alpha = "+alpha, "        new = alpha * c + (1 - alpha) * new",
				"    c = new")
		}
		if period == 1 { // weights do not persist between steps
			lines = slices.Delete(lines, 1, 2)
			for i := range lines[1:] {
				lines[i+1] = strings.TrimPrefix(lines[i+1], "    ")
			}
		}
	}
	if !direct {
		lines = append(lines, "d = c @ g")
	}
	values["coefficients"] = "        " + strings.Join(lines, "\n        ")
	values["state names"], values["state values"] = names, begin
}

// stepSize returns the step size η of step k as a Python expression.
func (r *Run) stepSize() string {
	lipschitz := "2" // the scene rejects the theorem's step sizes if the problem has no Lipschitz constant
	if r.Params.Text("problem") == "quadratic" {
		lipschitz = "0.5"
	}
	return map[string]string{
		constant: "ETA", "theorem35": "ETA / np.sqrt(k + 1)", "theorem36": "1 / np.sqrt(k + 1)",
		"theorem37": "min(ETA / (k + 1), 1 / " + lipschitz + ")", "asprinted": "ETA / " + r.Params.Text("budget"),
	}[r.Params.Text("etaschedule")]
}

// move fills in the lines that take a step along the direction d.
func (r *Run) move(values map[string]string) {
	var lines []string
	if clip := r.value("clip"); clip > 0 {
		lines = append(lines, fmt.Sprintf("d = d * min(1, %s / max(np.linalg.norm(d), 1e-300))", number(clip)))
	}
	switch r.Params.Text("optimizer") {
	case "heavyball":
		values["state names"] += ", v"
		values["state values"] += ", 0"
		lines = append(lines, fmt.Sprintf("d = v = %s * v + d", number(r.value("beta"))))
	case "adam":
		values["state names"] += ", m, v"
		values["state values"] += ", 0, 0"
		lines = append(lines, "m, v = 0.9 * m + 0.1 * d, 0.999 * v + 0.001 * d * d",
			"d = m / (1 - 0.9 ** (k + 1)) / (np.sqrt(v / (1 - 0.999 ** (k + 1))) + 1e-8)")
	}
	values["optimizer"], values["step size"] = "", r.stepSize()
	if lines != nil {
		values["optimizer"] = "        " + strings.Join(lines, "\n        ")
	}
}
