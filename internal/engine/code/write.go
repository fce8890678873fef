//go:build !js || picture

package code

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/pattern"
)

//go:embed go/*.txt python/*.txt
var templates embed.FS

// Write returns the program that repeats a run. If the templates do not support a setting, it returns an error that
// names the setting, because a program without the setting would be another run.
func Write(language string, r Run) (string, error) {
	switch {
	case !slices.Contains(Languages, language):
		return "", fmt.Errorf("unknown language %.40q; available: %s", language, strings.Join(Languages, " "))
	case !slices.Contains(For(r.Scene, r.Method), language):
		if language == Languages[0] {
			return "", fmt.Errorf("there is no Go program for %s in the scene %s; available for the methods of the scenes %s", r.Title,
				r.Scene, strings.Join(smooth, " and "))
		}
		return "", fmt.Errorf("%s: %s", r.Title, Instead(r.Scene, r.Method))
	case language == Languages[0]:
		return r.inGo()
	}
	return r.inPython()
}

var slot = pattern.Lazy(`\{\{([a-z][a-z ]*)\}\}`)

// fill returns the named template with values in its slots. If a line contains only a slot and the slot's value is
// empty, fill omits the line.
func fill(name string, values map[string]string) (string, error) {
	data, err := templates.ReadFile(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var missing string
	for line := range strings.Lines(string(data)) {
		filled := slot().ReplaceAllStringFunc(line, func(found string) string {
			value, has := values[found[2:len(found)-2]]
			if !has {
				missing = found
			}
			return value
		})
		if strings.TrimSpace(filled) != "" || strings.TrimSpace(line) == "" {
			b.WriteString(filled)
		}
	}
	if missing != "" {
		return "", fmt.Errorf("template %s: missing value for %s", name, missing)
	}
	return b.String(), nil
}

// part is like fill, but omits the final newline.
func part(name string, values map[string]string) (string, error) {
	text, err := fill(name, values)
	return strings.TrimRight(text, "\n"), err
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// rows returns points as text, each enclosed in an opening and a closing bracket.
func rows(points [][]float64, open, closing string) string {
	all := make([]string, len(points))
	for i, p := range points {
		numbers := make([]string, len(p))
		for j, v := range p {
			numbers[j] = number(v)
		}
		all[i] = open + strings.Join(numbers, ", ") + closing
	}
	return strings.Join(all, ", ")
}

func (r *Run) value(name string) float64 {
	switch v := r.Params.Value(name).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	}
	panic(fmt.Sprintf("code: the scene %s has no number %s", r.Scene, name))
}

// sigma returns the standard deviation of the noise in the gradients.
func (r *Run) sigma() float64 {
	if _, noisy := r.Params.Lookup("sigma"); noisy {
		return r.value("sigma")
	}
	return 0
}

// common returns the values of the slots that all programs share.
func (r *Run) common() map[string]string {
	return map[string]string{
		"title": r.Title, "problem": r.problem(), "link": r.Link, "steps": strconv.Itoa(r.Steps), "seed": r.Params.Text("seed"),
		"stop": "",
	}
}

func (r *Run) problem() string {
	switch {
	case r.Scene == yours:
		return "formulas"
	case r.Scene == "toy":
		return "the two-task toy problem"
	case r.Params.Text("problem") == "quadratic":
		return "two bowls"
	}
	return "Fonseca’s problem"
}

// rule returns the weighting that a smooth scene's method uses, or "" if it uses none.
func (r *Run) rule() string {
	switch r.Method {
	case psmgd:
		return r.Params.Text("psmgd.weighting")
	case crmogm:
		return "mgda"
	case ls, moosvgd:
		return ""
	}
	return r.Method
}

// objectives returns the number of objectives of a smooth problem.
func (r *Run) objectives() int {
	if m, is := r.Data["objectives"].(int); is {
		return m
	}
	return 2
}

// fixedWeights returns the fixed weights of linear scalarization for each start point.
func (r *Run) fixedWeights() [][]float64 {
	objectives := r.objectives()
	seed, _ := r.Params.Value("seed").(uint64)
	out := make([][]float64, len(r.Starts))
	for i := range out {
		switch r.Params.Text("ls.weights") {
		case "equal":
			out[i] = param.Shares(nil, objectives)
		case "given":
			first := r.value("ls.lambda")
			out[i] = []float64{first, 1 - first}
		default:
			out[i] = runs.RandomWeights(seed, i, objectives)
		}
	}
	return out
}

// holding returns the period and the momentum of the weights, and the momentum's schedule.
func (r *Run) holding() (period int, momentum float64, schedule string) {
	switch r.Method {
	case psmgd:
		return int(r.value("R")), r.value("momentum"), r.Params.Text("momentumschedule")
	case crmogm:
		return 1, r.value("crmogm.momentum"), constant
	}
	return 1, 0, constant
}

const constant = "constant"

// settings returns the rule's parameters that differ from their defaults, in the form that weighting.NewFor accepts.
func (r *Run) settings(rule string) []string {
	method, _ := weighting.Lookup(rule)
	var out []string
	for _, d := range method.Parameters() {
		name := rule + "." + d.Name
		if _, has := r.Params.Lookup(name); !has {
			continue
		}
		text := r.Params.Text(name)
		if first, share := r.Params.Value(name).(float64); share && d.Name == "preference" {
			if r.objectives() != 2 {
				continue // the preferences are equal
			}
			text = fmt.Sprintf("%v,%v", first, 1-first)
		} else if text == fmt.Sprint(d.Default) {
			continue
		}
		out = append(out, d.Name+"="+text)
	}
	if _, has := r.Params.Lookup(runs.Limit); has && rule == "epsilon" {
		limits, objective := runs.LimitOf(r.value(runs.Limit), r.Params.Text(runs.Limited))
		out = append(out, "limits="+limits, "objective="+objective)
	}
	return out
}
