//go:build !js || picture

package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/weighting"
)

// schedules maps the options of a scene's parameter to the step-size schedules of package descent.
var schedules = map[string]string{constant: "Constant", "theorem35": "Theorem35", "theorem36": "Theorem36", "theorem37": "Theorem37",
	"asprinted": "AsPrinted"}

func (r *Run) inGo() (string, error) {
	values := r.common()
	imports := []string{"paretoplay/algo", "paretoplay/algo/descent", "paretoplay/algo/problem"}
	sigma := number(r.sigma())
	values["made"], values["exact"] = "p", ""
	switch {
	case r.Scene == yours:
		imports = append(imports, "paretoplay/algo/formula")
		text, _ := r.Data["formulas"].(string)
		values["construct"] = "formula.Parse(" + quoted(strings.TrimSpace(text)) + ", 0)"
		values["made"], values["exact"] = "f", "\tp := algo.Exact(f)"
		if bounded, _ := r.Data["boxed"].(bool); bounded {
			values["exact"] = "\tbounded, _ := f.Boxed()\n\tp := algo.Exact(bounded)"
		}
		imports = slices.DeleteFunc(imports, func(path string) bool { return path == "paretoplay/algo/problem" })
	case r.Scene == "toy":
		values["construct"] = fmt.Sprintf("problem.NewToy(%s, %s)", number(r.value("scale")), sigma)
	case r.Params.Text("problem") == "quadratic":
		values["construct"] = fmt.Sprintf("problem.NewTwoQuadratics(%s, %s)", r.Params.Text("d"), sigma)
	default:
		values["construct"] = fmt.Sprintf("problem.NewFonseca(%s, %s)", r.Params.Text("d"), sigma)
	}
	values["starts"], values["eta"] = rows(r.Starts, "{", "}"), number(r.value("eta"))
	values["weights"], values["rule"] = "", ""
	var config []string
	add := func(format string, args ...any) { config = append(config, fmt.Sprintf(format, args...)) }
	if s := r.Params.Text("etaschedule"); s != constant {
		add("StepSizeSchedule: descent.%s", schedules[s])
		if s == "asprinted" {
			add("Horizon: %s", r.Params.Text("budget"))
		}
	}
	template := "go/descent.txt"
	switch rule := r.rule(); {
	case r.Method == moosvgd:
		template, values["repulsion"] = "go/moosvgd.txt", number(r.value("moosvgd.repulsion"))
	case r.Method == ls:
		values["weights"] = "\tweights := [][]float64{" + rows(r.fixedWeights(), "{", "}") + "}"
		add("FixedWeights: weights[i]")
	case rule != "mgda" || r.settings(rule) != nil && r.Method != crmogm:
		imports = append(imports, "paretoplay/algo/weighting")
		text, err := part("go/rule.txt", map[string]string{"context": r.context(rule), "rule": r.asked(rule)})
		if err != nil {
			return "", err
		}
		values["rule"] = text
		add("Weighting: rule")
	}
	if period, momentum, schedule := r.holding(); r.Method != moosvgd && r.Method != ls {
		if period != 1 {
			add("Period: %d", period)
		}
		if momentum != 0 {
			add("Momentum: %s", number(momentum))
		}
		if schedule != constant {
			add("MomentumSchedule: descent.%s", schedules[schedule])
		}
	}
	if text := r.optimizerInGo(); text != "" {
		add("Optimizer: descent.Optimizer{%s}", text)
	}
	values["config"] = ""
	if config != nil {
		values["config"] = strings.Join(config, ", ") + ","
	}
	if stop := r.value("stop"); stop > 0 {
		imports = append(imports, "paretoplay/algo/pareto")
		name := "go/stop.txt"
		if r.Method == moosvgd {
			name = "go/moosvgd-stop.txt"
		}
		text, err := part(name, map[string]string{"stop": number(stop)})
		if err != nil {
			return "", err
		}
		values["stop"] = text
	}
	slices.Sort(imports)
	values["imports"] = "\t\"fmt\"\n\t\"log\"\n\n"
	for i, path := range imports {
		if i > 0 {
			values["imports"] += "\n"
		}
		values["imports"] += "\t" + strconv.Quote(path)
	}
	text, err := fill(template, values)
	return strings.ReplaceAll(text, ", \n", ",\n"), err
}

// context returns the fields of the weighting.Context that describes the run to a rule, as Go code.
func (r *Run) context(rule string) string {
	out := fmt.Sprintf("Objectives: %d, Seed: ", r.objectives()) + r.Params.Text("seed") + ", Start: i"
	if method, _ := weighting.Lookup(rule); r.Scene == "toy" && method.Needs.Losses {
		out += ", LowerBounds: p.LowerBounds()"
	}
	return out
}

// asked returns a rule's name and settings as the arguments of a call in Go.
func (r *Run) asked(rule string) string {
	out := strconv.Quote(rule)
	for _, s := range r.settings(rule) {
		out += ", " + strconv.Quote(s)
	}
	return out
}

// quoted returns a multi-line text as a Go string literal.
func quoted(text string) string {
	if strings.Contains(text, "`") {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

func (r *Run) optimizerInGo() string {
	var out []string
	switch r.Params.Text("optimizer") {
	case "heavyball":
		out = append(out, "Kind: descent.HeavyBall", "Beta: "+number(r.value("beta")))
	case "adam":
		out = append(out, "Kind: descent.Adam")
	}
	if clip := r.value("clip"); clip > 0 {
		out = append(out, "ClipNorm: "+number(clip))
	}
	return strings.Join(out, ", ")
}
