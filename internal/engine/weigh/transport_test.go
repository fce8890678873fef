package weigh

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/internal/engine/data"
)

func readTransport(t testing.TB, text string) *data.TransportInput {
	t.Helper()
	in, err := ReadTransport(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// transportText writes a problem as JSON.
func transportText(t testing.TB, cost [][]float64, a, b []float64, tau float64) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"cost": cost, "a": a, "b": b, "tau": tau})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTransportExact compares plans with the optima that two other programs have found. The tolerance is 1e-12 of the
// largest cost. It also checks the potentials that prove optimality.
func TestTransportExact(t *testing.T) {
	data, err := os.ReadFile("../../../algo/transport/testdata/ot.json")
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Cases []struct {
			Name        string
			C           [][]float64
			Alpha, Beta []float64
			Cost        float64
		}
		Reg []struct {
			C           [][]float64
			Alpha, Beta []float64
			Tau, Obj    float64
			Unreg       float64 `json:"unreg_plan_objective"`
			Gap         float64 `json:"milp_gap"`
		} `json:"reg_cases"`
	}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Cases) < 20 || len(o.Reg) < 20 {
		t.Fatalf("got %d and %d cases", len(o.Cases), len(o.Reg))
	}
	for _, c := range o.Cases {
		out, err := Transport("exact", nil, readTransport(t, transportText(t, c.C, c.Alpha, c.Beta, 0)))
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		largest := max(slices.Max(slices.Concat(c.C...)), -slices.Min(slices.Concat(c.C...)))
		if math.Abs(out.Cost-c.Cost) > 1e-12*largest || out.Objective != out.Cost || out.MarginalError > 1e-14 {
			t.Errorf("%s: cost %v, objective %v, marginal error %g; want cost %v", c.Name, out.Cost, out.Objective, out.MarginalError, c.Cost)
		}
		var dual float64
		for i, u := range out.Duals.U {
			dual += c.Alpha[i] * u
			for j, v := range out.Duals.V {
				slack := c.C[i][j] - u - v
				if slack < -1e-12*largest || out.Plan[i][j] > 0 && slack > 1e-12*largest {
					t.Errorf("%s: entry (%d, %d) with mass %v: got slack %v", c.Name, i, j, out.Plan[i][j], slack)
				}
			}
		}
		for j, v := range out.Duals.V {
			dual += c.Beta[j] * v
		}
		if math.Abs(dual-c.Cost) > 1e-12*largest {
			t.Errorf("%s: got dual value %v, want %v", c.Name, dual, c.Cost)
		}
	}
	reached := 0
	for i, c := range o.Reg {
		out, err := Transport("exact", nil, readTransport(t, transportText(t, c.C, c.Alpha, c.Beta, c.Tau)))
		if err != nil {
			t.Fatal(err)
		}
		var most float64
		for _, row := range out.Plan {
			most += slices.Max(row)
		}
		if math.Abs(out.Objective-(out.Cost-c.Tau*most)) > 1e-14 || out.Objective > c.Unreg+1e-12 || out.Objective < c.Obj-c.Gap-1e-12 {
			t.Errorf("case %d with τ = %v: cost %v, row maxima %v, objective %v; the optimum is %v, without τ it is %v", i, c.Tau, out.Cost,
				most, out.Objective, c.Obj, c.Unreg)
		}
		if out.Objective < c.Obj+1e-9 {
			reached++
		}
	}
	t.Logf("%d of %d objectives with τ reach the optimum", reached, len(o.Reg))
	if 10*reached < 9*len(o.Reg) {
		t.Errorf("only %d of %d objectives with τ reach the optimum", reached, len(o.Reg))
	}
}

// TestTransportJSON checks the fields that programs rely on, with a problem solved by hand. Two rows have mass ½ each.
// The first row sends .4 to the first column at cost 1. The rest goes to the second column, at cost 2 from the first row
// and 1 from the second.
func TestTransportJSON(t *testing.T) {
	const text = `{"cost": [[1,2],[3,1]], "a": [0.5,0.5], "b": [0.4,0.6]}`
	out, err := Transport("exact", nil, readTransport(t, text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(got, &m); err != nil {
		t.Fatal(err)
	}
	for name := range m {
		if !slices.Contains([]string{"solver", "plan", "objective", "cost", "duals", "iterations",
			"marginal_error", "converged", "bound", "gap", "values"}, name) {
			t.Errorf("got unexpected field %s", name)
		}
	}
	d, ok := m["duals"].(map[string]any)
	if len(m) != 11 || !ok || len(d) != 2 || len(d["u"].([]any)) != 2 || len(d["v"].([]any)) != 2 {
		t.Errorf("got %s", got)
	}
	for i, want := range []float64{0.4, 0.1, 0, 0.5} {
		if math.Abs(out.Plan[i/2][i%2]-want) > 1e-16 {
			t.Errorf("got plan %v", out.Plan)
		}
	}
	if math.Abs(out.Cost-1.1) > 1e-15 || out.Solver != "exact" {
		t.Errorf("got solver %s with cost %v", out.Solver, out.Cost)
	}
	// Undivided rows earn τ per unit. Here the first row goes to the second column, and the second row is split into .4 and .1. The
	// cost is 1 + 1.2 + .1, and .9 is earned.
	whole, err := Transport("exact", nil, readTransport(t, strings.Replace(text, `{`, `{"tau": 1, `, 1)))
	if err != nil || math.Abs(whole.Objective-(1.1-0.9)) > 1e-15 {
		t.Errorf("with τ = 1: %+v, %v", whole, err)
	}
	// The solvers must use the ε and β in the settings.
	blurred := map[string]float64{}
	for _, set := range []string{"0.01", "10"} {
		s, err := Transport("sinkhorn", map[string]string{"eps": set}, readTransport(t, text))
		if err != nil || s.MarginalError > 1e-9 {
			t.Fatalf("ε = %s: %+v, %v", set, s, err)
		}
		blurred[set] = s.Cost
	}
	if !(blurred["0.01"] < blurred["10"]-0.1) || math.Abs(blurred["0.01"]-1.1) > 1e-6 {
		t.Errorf("ε = 0.01 and 10: got costs %v", blurred)
	}
	near, err := Transport("ipot", map[string]string{"beta": "0.1"}, readTransport(t, text))
	if err != nil || math.Abs(near.Cost-1.1) > 1e-5 {
		t.Errorf("IPOT: %+v, %v", near, err)
	}
	far, err := Transport("ipot", map[string]string{"beta": "10"}, readTransport(t, text))
	if err != nil || far.Iterations <= near.Iterations {
		t.Errorf("IPOT: got %d iterations with β = 10, %d with 0.1; error %v", far.Iterations, near.Iterations, err)
	}
}

// TestTransportErrors checks that the error for a bad input names the problem and its place.
func TestTransportErrors(t *testing.T) {
	const rest = `"a": [1], "b": [1]}`
	for text, want := range map[string]string{
		"":                                      "the input is empty; a JSON object is expected",
		"{":                                     "line 1, column 2: the input ends in the middle; a name is expected",
		"[[1]]":                                 `unexpected "["; "{" is expected`,
		"1,2":                                   `; "{" is expected`,
		`{}`:                                    "cost: at least one row with one number is needed",
		`{"cost": [], ` + rest:                  `column 11: unexpected "]"; "[" before a row is expected`,
		`{"cost": [[]], ` + rest:                `column 12: unexpected "]"; a number is expected`,
		`{"cost": [[1]]}`:                       `a: a list of numbers is needed, "a": [...]`,
		`{"cost": [[1]], "a": [1]}`:             `b: a list of numbers is needed, "b": [...]`,
		`{"cost": [[1]], "a": null`:             `unexpected "null"; "[" before a list of numbers is expected`,
		`{"cost": [[1,2],[3]], ` + rest:         "row 2 has 1 numbers, row 1 has 2",
		`{"cost": [[1]], "a": [1,1], "b": [2]}`: "a: got 2 masses for 1 rows of costs",
		`{"cost": [[1]], "a": [1], "b": [.5,.5]}`:                             `".5" is not a JSON number`,
		`{"cost": [[1]], "a": [1], "b": [0.5,0.5]}`:                           "b: got 2 masses for 1 columns of costs",
		`{"cost": [[1],[1]], "a": [1,-1], "b": [0]}`:                          "a[1] = -1: finite and not negative",
		`{"cost": [[1]], "a": [1], "b": [1.00001]}`:                           "sums of a and b = [1 1.00001]",
		`{"cost": [[1]], "a": [0], "b": [0]}`:                                 "sums of a and b",
		`{"cost": [[1],[1]], "a": [1e308,1e308], "b": [1e308]}`:               "sums of a and b",
		`{"cost": [[1e999]], ` + rest:                                         `"1e999" is too large for double precision`,
		`{"cost": [[1e308,-1e308]], "a": [1e10], "b": [5e9,5e9]}`:             "too large for double precision",
		`{"cost": [[1]], "tau": -1, ` + rest:                                  "tau = -1",
		`{"cost": [[1]], "tau": [[1]], ` + rest:                               `unexpected "["; a number is expected`,
		`{"cost": [[1]], "tau": "1", ` + rest:                                 `unexpected text "1"; a number is expected`,
		`{"cost": [[1]], "tau": 1, "tau": 1, ` + rest:                         `"tau" appears twice`,
		`{"cost": [[1e308]], "tau": 1e308, ` + rest:                           "tau",
		`{"cost": [[1]], "eps": 1, ` + rest:                                   `unknown name "eps"; available: cost a b tau`,
		`{"cost": [[1]], ` + rest + `{`:                                       `unexpected "{"; nothing more is expected`,
		"\xff\xfe{\x00":                                                       "UTF-16; save it as UTF-8",
		`{"cost": [[` + strings.Repeat("1,", data.MaxMasses) + `1]], ` + rest: "row 1 has more than 1000 numbers",
	} {
		in, err := ReadTransport(strings.NewReader(text))
		var out *Transported
		if err == nil {
			out, err = Transport("exact", nil, in)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %+v, error %v, want one with %q", text, out, err, want)
		}
	}
	in := readTransport(t, `{"cost": [[1]], "tau": null, `+rest)
	for _, c := range []struct {
		solver, name, value, want string
	}{
		{"newton", "", "", `unknown solver "newton"; available: exact ipot sinkhorn`},
		{"exact", "eps", "1", `unknown parameter "eps": exact has no parameters`},
		{"ipot", "eps", "1", `unknown parameter "eps"; available: beta`},
		{"sinkhorn", "eps", "0", "eps = 0"},
		{"sinkhorn", "eps", "NaN", "eps"},
		{"ipot", "beta", "1e10", "beta = 1e10"},
	} {
		var settings map[string]string
		if c.name != "" {
			settings = map[string]string{c.name: c.value}
		}
		if out, err := Transport(c.solver, settings, in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s=%s: %+v, error %v, want one with %q", c.solver, c.name, c.value, out, err, c.want)
		}
	}
}

// TestTransportReadingStops checks that input of the wrong shape is rejected as soon as the error is apparent.
func TestTransportReadingStops(t *testing.T) {
	for _, c := range []struct {
		begin, repeat, want string
	}{
		{`{"cost": [[1]`, `,[1]`, "more than 1000 rows"},
		{`{"cost": [[1`, `,1`, "row 1 has more than 1000 numbers"},
		{`{"a": [1`, `,1`, "more than 1000 a"},
		{`{"tau": 1`, `1`, "too long for a number"},
	} {
		e := endless{begin: c.begin, repeat: c.repeat}
		const limit = 64 << 10
		if _, err := ReadTransport(&e); err == nil || !strings.Contains(err.Error(), c.want) || e.read > limit {
			t.Errorf("%s%s...: error %v after %d bytes, want %q", c.begin, c.repeat, err, e.read, c.want)
		}
	}
}

// TestTransportSums checks that the two sums of masses are made equal if they agree to 1e-9, and that masses may be
// zero.
func TestTransportSums(t *testing.T) {
	for _, text := range []string{
		`{"cost": [[1,2],[3,1]], "a": [5,5], "b": [4,6.000000001]}`,
		`{"cost": [[1,2],[3,1]], "a": [5e-200,5e-200], "b": [4e-200,6e-200]}`,
		`{"cost": [[1,2,9],[3,1,9],[0,0,0]], "a": [0.5,0.5,0], "b": [0.4,0.6,0]}`,
	} {
		in := readTransport(t, text)
		for _, solver := range Solvers() {
			out, err := Transport(solver, nil, in)
			if err != nil {
				t.Fatal(err)
			}
			total := in.A[0] + in.A[1]
			if math.Abs(out.Plan[0][1]/total-0.1) > 0.05 || out.MarginalError > 1e-8*total {
				t.Errorf("%s by %s: %+v", text, solver, out)
			}
		}
	}
}

// FuzzTransport checks that no input causes a crash, and that a plan has finite numbers and the given masses.
func FuzzTransport(f *testing.F) {
	for _, text := range []string{`{"cost": [[1,2],[3,1]], "a": [0.5,0.5], "b": [0.4,0.6]}`,
		`{"cost": [[1e300,-1e300,0]], "a": [1], "b": [0,1,0], "tau": 1e299}`, `{"cost": [[1e-300]], "a": [1e300], "b": [1e300]}`,
		`{"cost": [[0,0],[0,0]], "a": [1,0], "b": [1,0], "tau": 1}`, `{"cost": [[null]]}`, "", "{"} {
		f.Add(text, "eps", "0.01")
		f.Add(text, "", "")
	}
	f.Fuzz(func(t *testing.T, text, name, value string) {
		in, err := ReadTransport(strings.NewReader(text))
		if err != nil || len(in.Cost) > 100 {
			return
		}
		var settings map[string]string
		if name != "" {
			settings = map[string]string{name: value}
		}
		for _, solver := range Solvers() {
			out, err := Transport(solver, settings, in)
			if err != nil {
				continue
			}
			what := solver + " of " + strconv.Quote(text)
			if !algo.Finite(slices.Concat(out.Plan...)) || !algo.Finite(out.Duals.U) || !algo.Finite(out.Duals.V) {
				t.Errorf("%s: %+v", what, out)
			}
			var total float64
			for _, a := range in.A {
				total += a
			}
			if solver == "exact" && !(out.MarginalError <= 1e-12*total) {
				t.Errorf("%s: marginal error %g of %g", what, out.MarginalError, total)
			}
			if _, err := json.Marshal(out); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// TestTransportProof checks that an answer reports convergence and the dual bound, and that a note says when masses in
// single precision have been scaled.
func TestTransportProof(t *testing.T) {
	const text = `{"cost": [[0,1],[1,0]], "a": [0.5,0.5], "b": [0.2,0.8]}`
	for _, c := range []struct {
		solver    string
		settings  map[string]string
		converged bool
	}{{"exact", nil, true}, {"ipot", nil, true}, {"sinkhorn", map[string]string{"eps": "1e-9"}, false}, {"sinkhorn", nil, true}} {
		out, err := Transport(c.solver, c.settings, readTransport(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if out.Converged != c.converged || out.Bound == nil || *out.Bound > 0.3+1e-12 ||
			c.solver == "exact" && (*out.Bound != 0.3 || *out.Gap != 0) {
			t.Errorf("%s %v: converged %t, bound %v, gap %v", c.solver, c.settings, out.Converged, *out.Bound, *out.Gap)
		}
	}
	out, err := Transport("exact", nil, readTransport(t, `{"cost": [[0,1],[1,0]], "a": [0.5,0.5], "b": [0.2,0.8], "tau": 0.1}`))
	if err != nil || out.Bound != nil || out.Gap != nil || !out.Converged {
		t.Errorf("with tau: %+v, %v", out, err)
	}
	fifth := strconv.FormatFloat(float64(float32(0.2)), 'g', -1, 64)
	single := readTransport(t, `{"cost": [[1],[2],[3],[4],[5]], "a": [`+strings.Repeat(fifth+",", 4)+fifth+`], "b": [1]}`)
	if len(single.Notes) != 1 || !strings.Contains(single.Notes[0],
		"the sums of a and b differ by a relative 1.5e-08, as in single precision; b is scaled to the sum of a") {
		t.Errorf("single precision: %q", single.Notes)
	}
	if out, err := Transport("exact", nil, single); err != nil ||
		math.Abs(out.Cost-15*float64(float32(0.2))) > 1e-12 || out.MarginalError > 1e-15 {
		t.Errorf("single precision: %+v, %v", out, err)
	}
}
