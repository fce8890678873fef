//go:build !js || picture

package code

import (
	"encoding/json"
	"fmt"
	"strings"
)

// wholeProgram returns the program of a method that has a template for the whole program.
func (r *Run) wholeProgram() (string, error) {
	values := r.common()
	for name, value := range r.Data {
		list, err := json.Marshal(value) // Python writes lists of numbers like JSON
		if err != nil {
			return "", err
		}
		values[name] = strings.ReplaceAll(string(list), ",", ", ")
	}
	values["starts"], values["start"] = "["+rows(r.Starts, "[", "]")+"]", rows(r.Starts[:1], "[", "]")
	name := r.Method
	var err error
	switch r.Scene {
	case "bilevel":
		err = r.forum(values)
	case "blocks":
		err = r.blockSMOO(values)
	case "ordering":
		err = r.joGBa(values)
	case "clusters":
		name = "most"
		err = r.most(values)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.Title, err)
	}
	return fill("python/"+r.Scene+"-"+name+".txt", values)
}

// only returns an error unless the parameter has the given value, which is the only value that the template supports.
func (r *Run) only(name, value string) error {
	if _, has := r.Params.Lookup(name); !has {
		return nil
	}
	if text := r.Params.Text(name); text != value {
		return fmt.Errorf("the Python program supports only %s = %s; its value is %s", name, value, text)
	}
	return nil
}

// onlyThese applies r.only to each pair of a parameter name and a value.
func (r *Run) onlyThese(pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if err := r.only(pairs[i], pairs[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) forum(values map[string]string) error {
	values["eta"], values["lower steps"], values["mu"] = number(r.value("eta")), r.Params.Text("T"), number(r.value("mu"))
	omega, rho := r.value("muomega"), r.value("rho")
	if omega == 0 {
		omega = r.value("mu")
	}
	values["mu omega"], values["rho"], values["asked"] = number(omega), number(rho), "RHO"
	if r.Params.Text("multiplier") == "exact" {
		values["asked"] = "RHO / 2"
	}
	values["loop start"] = "first"
	if r.Params.Text("warm") == "true" {
		values["loop start"] = "z[1:]"
	}
	shares := map[string]string{"published": "(k + 1) ** -0.75", "sqrt": "(k + 1) ** -0.5", "mean": "1 / (k + 1)", "none": "1"}
	values["share"] = shares[r.Params.Text("betaschedule")]
	if r.Params.Text("variant") == "released" { // with "both", this run uses the paper's variant
		return r.only("variant", "paper")
	}
	return r.onlyThese("loweroptimizer", "plain", "upperoptimizer", "plain", "stop", "0")
}

func (r *Run) blockSMOO(values map[string]string) error {
	values["alpha"], values["noise"], values["notes"] = number(r.value("alpha")), "", ""
	if sigma := r.value("sigma"); sigma > 0 {
		values["noise"] = fmt.Sprintf("\n\nrng, exact = np.random.default_rng(%s), gradient\n\n\ndef gradient(x, objective):\n"+
			"    return exact(x, objective) + %s * rng.standard_normal(x.shape)", values["seed"], number(sigma))
		values["notes"] = "# The gradients have noise. numpy draws other random numbers than the page, so this run is similar, but not the same."
	}
	values["again"] = ""
	if turns, is := r.Data["turns"].([][]int); is && len(turns) < r.Steps {
		values["again"] = ", repeated"
	}
	values["seen"] = "x"
	if r.Params.Text("update") == "jacobi" {
		values["seen"] = "np.where(own, x, outer)"
	}
	return r.onlyThese("schedule", constant, "seeds", "1")
}

func (r *Run) joGBa(values map[string]string) error {
	values["alpha"], values["step size"], values["part"] = number(r.value("alpha")), "ALPHA", ""
	if r.Params.Text("schedule") == "invsqrt" {
		values["step size"] = "ALPHA / np.sqrt((len(path) - 1) // K + 1)"
	} else if err := r.only("schedule", constant); err != nil {
		return err
	}
	if r.Params.Text("centring") == "perobjective" {
		values["part"] = " / M"
	}
	return r.onlyThese("weighting", ls, "sign", "greedy", "batch", "1", "seeds", "1", "optimizer", "plain")
}

// most fills in the template's values for MosT and its variants. It returns an error for R(Γ), because searching for
// plans from many starts takes too much code for a short program.
func (r *Run) most(values map[string]string) error {
	values["problem"] = "clusters of objectives"
	values["inner"], values["eta"] = r.Params.Text("K"), number(r.value("eta"))
	values["losses"], values["slope"] = "s / 2", "np.ones_like(s)"
	if r.Params.Text("basin") == "well" {
		values["losses"], values["slope"] = "-np.expm1(-s / 2)", "np.exp(-s / 2)"
	}
	scales := map[string]string{"raw": "", "column": " / gamma[:, j].sum()", "columncount": " / gamma[:, j].sum() * served.sum()"}
	values["scale"] = scales[r.Params.Text("scale")]
	plan := "transport"
	var err error
	switch r.Method {
	case "most":
		err = r.onlyThese("tau", "0", "curriculum", "none")
	case "most-nocl":
		err = r.only("tau", "0")
	case "most-noreg":
		err = r.onlyThese("curriculum", "none")
	case "most-o":
		plan, err = "objectives", r.only("curriculum", "none")
	case "most-m":
		plan, err = "models", r.only("curriculum", "none")
	}
	if plan == "transport" && err == nil {
		err = r.only("solver", "exact")
	}
	if err != nil {
		return err
	}
	values["plan code"], err = part("python/plan-"+plan+".txt", nil)
	return err
}
