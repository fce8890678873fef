package exchange

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
)

func carried(t testing.TB, solver, text string, settings map[string]string) *Transported {
	t.Helper()
	in, err := ReadTransport(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := Transport(solver, settings, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTransport(t *testing.T) {
	const text = `{"cost": [[1,3],[2,3]], "a": [0.5,0.5], "b": [0.75,0.25], "tau": 2}`
	out := carried(t, "exact", text, nil)
	// The second row is halved, so that R = −(1/2 + 1/4).
	if fmt.Sprint(out.Plan) != "[[0.5 0] [0.25 0.25]]" || out.Cost != 1.75 || out.Objective != 0.25 || out.Status != algo.Converged {
		t.Errorf("%+v", out)
	}
	written, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(written, &members); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"solver", "plan", "objective", "cost", "duals", "iterations", "marginal_error", "status"} {
		if _, has := members[name]; !has {
			t.Errorf("%s is missing in %s", name, written)
		}
	}
	if len(members) != 8 || members["status"] != "converged" || members["solver"] != "exact" {
		t.Errorf("%s", written)
	}
	for solver, settings := range map[string]map[string]string{"ipot": {"beta": "0.5"}, "sinkhorn": {"eps": "0.01"}} {
		out := carried(t, solver, strings.Replace(text, `"tau": 2`, `"tau": null`, 1), settings)
		if !(math.Abs(out.Cost-1.75) < 1e-5) || !(out.MarginalError < 1e-8) || out.Objective != out.Cost || out.Solver != solver {
			t.Errorf("%+v", out)
		}
		if dual := 0.5*(out.Duals.U[0]+out.Duals.U[1]) + 0.75*out.Duals.V[0] + 0.25*out.Duals.V[1]; !(math.Abs(dual-1.75) < 0.02) {
			t.Errorf("%s: the potentials are worth %v", solver, dual)
		}
	}
	blurred := carried(t, "sinkhorn", text, map[string]string{"eps": "1e9"})
	for k, want := range []float64{0.375, 0.125, 0.375, 0.125} { // abᵀ
		if got := blurred.Plan[k/2][k%2]; !(math.Abs(got-want) < 1e-8) {
			t.Errorf("mass %d is %v, want %v", k, got, want)
		}
	}
}

// TestTransportEqualMasses: absent masses are equal, with the sum of those that are there.
func TestTransportEqualMasses(t *testing.T) {
	for text, want := range map[string]string{
		`{"cost": [[0,1],[1,0]]}`:                                    "[[0.5 0] [0 0.5]]",
		`{"cost": [[0,1],[1,0]], "a": null, "b": null, "tau": null}`: "[[0.5 0] [0 0.5]]",
		`{"cost": [[0,1],[1,0]], "b": [1,3]}`:                        "[[1 1] [0 2]]",
		`{"cost": [[0,1],[1,0]], "a": [1,3]}`:                        "[[1 0] [1 2]]",
		`{"cost": [[5]], "a": [4]}`:                                  "[[4]]",
	} {
		if out := carried(t, "exact", text, nil); fmt.Sprint(out.Plan) != want {
			t.Errorf("%s: %v, want %s", text, out.Plan, want)
		}
	}
}

func TestTransportErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "empty"}, {"{}", "cost: at least one row"}, {"[[1]]", "line 1"}, {`{"cost": [[1,2],[3]]}`, "row 2"},
		{`{"cost": [[1]], "a": [1,2]}`, "a: there are 2 masses for 1 rows"},
		{`{"cost": [[1]], "b": [1,2]}`, "b: there are 2 masses for 1 columns"},
		{`{"cost": [[1]], "a": [-1], "b": [1]}`, "a[0] = -1"}, {`{"cost": [[1]], "a": [1], "b": [2]}`, "sums of a and b"},
		{`{"cost": [[1,1]], "a": [0], "b": [0,0]}`, "sums of a and b"}, {`{"cost": [[1]], "tau": -0.5}`, "tau = -0.5"},
		{`{"cost": [[1]], "tau": "x"}`, "a number is expected"}, {`{"cost": [[1]], "tau": []}`, "a number is expected"},
		{`{"cost": [[1e999]]}`, "too large"}, {`{"cost": [[null]]}`, "null"}, {`{"cost": [[1]], "c": 1}`, "there are: cost a b tau"},
		{`{"cost": [[1]], "cost": [[1]]}`, "twice"}, {`{"cost": [[1]], "tau": 1, "tau": 1}`, "twice"},
		{`{"cost": [[1]], "tau": 1`, "ends in the middle"},
	} {
		if _, err := ReadTransport(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
	in, err := ReadTransport(strings.NewReader(`{"cost": [[1]]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ solver, name, value, want string }{
		{"simplex", "", "", "there are: exact ipot sinkhorn"}, {"exact", "eps", "1", "exact has no parameters"},
		{"ipot", "eps", "1", "there are: beta"}, {"sinkhorn", "beta", "1", "there are: eps"}, {"sinkhorn", "eps", "0", "eps"},
		{"sinkhorn", "eps", "NaN", "eps"}, {"ipot", "beta", "1e10", "beta"},
	} {
		settings := map[string]string{}
		if c.name != "" {
			settings[c.name] = c.value
		}
		if _, err := Transport(c.solver, settings, in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	in.Task.Cost[0] = 1.7e308
	in.Task.A[0], in.Task.B[0] = 10, 10
	if _, err := Transport("exact", nil, in); err == nil || !strings.Contains(err.Error(), "scale them down") {
		t.Errorf("error %v for a cost that is no number", err)
	}
}

// TestTransportLimits: the shape of what is too large is refused, where it shows.
func TestTransportLimits(t *testing.T) {
	costs := func(rows, columns int) string {
		row := "[" + strings.Repeat("1,", columns-1) + "1]"
		return `{"cost": [` + strings.Repeat(row+",", rows-1) + row + "]}"
	}
	for text, want := range map[string]string{
		costs(1001, 1): "more than 1000 rows", costs(1, 1001): "row 1 has more than 1000 numbers", costs(500, 201): "500 rows of 201 are " +
			"more than 100000",
	} {
		if _, err := ReadTransport(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if out := carried(t, "exact", costs(100, 1000), nil); out.Cost != 1 && !(math.Abs(out.Cost-1) < 1e-12) {
		t.Errorf("cost %v", out.Cost)
	}
}

func FuzzTransport(f *testing.F) {
	for _, text := range []string{`{"cost": [[1,3],[2,3]], "a": [0.5,0.5], "b": [0.75,0.25], "tau": 0.3}`,
		`{"cost": [[1e300,-1e300],[1e-300,0]]}`,
		`{"cost": [[1,1,1]], "a": [1e-300], "tau": 1e300}`, `{"cost": [[0,0],[0,0]], "a": [0,1], "b": [1,0]}`, "{"} {
		f.Add(text, "0.1")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		in, err := ReadTransport(strings.NewReader(text))
		if err != nil || len(in.Task.Cost) > 100 {
			return
		}
		for _, solver := range TransportSolvers() {
			settings := map[string]string{}
			if name := map[string]string{"ipot": "beta", "sinkhorn": "eps"}[solver]; name != "" {
				settings[name] = value
			}
			out, err := Transport(solver, settings, in)
			if err != nil {
				continue
			}
			all := slices.Concat(out.Plan...)
			if !algo.Finite(all) || slices.Min(all) < 0 {
				t.Errorf("%s of %s: %v", solver, strconv.Quote(text), out.Plan)
			}
			if _, err := json.Marshal(out); err != nil {
				t.Errorf("%s of %s: %v", solver, strconv.Quote(text), err)
			}
		}
	})
}
