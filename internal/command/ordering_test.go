package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// orderingFile writes samples to a file for -data.
func orderingFile(t *testing.T, content any) string {
	t.Helper()
	text, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "samples.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// orderingEpoch is one epoch of a run in JSON.
type orderingEpoch struct {
	Epoch, Steps     int
	Order            [][]int
	Signs            [][]float64
	W                []float64
	H, Drift, Wobble *float64
	SignBound        *float64 `json:"A_sign"`
}

// orderingRun is the output of run -json for the ordering scene.
type orderingRun struct {
	Runs []struct {
		Name, Method, Status string
		Start                []float64
		Iterates             []struct {
			K, Epoch int
			X        []float64
		}
	}
	Results map[string]struct {
		Epochs []orderingEpoch
	}
}

// TestOrderingFile compares orders, signs and points with those of an independent program. The samples come from a
// file; the orders and weights come from the command line.
func TestOrderingFile(t *testing.T) {
	data, err := os.ReadFile("../../algo/ordering/testdata/jogba.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		M, K, D int
		Given   [][][]float64 `json:"D"`
		C       [][][]float64
		Runs    []struct {
			Kind, Weights string
			Alpha         float64
			Centring      string
			Epochs        []struct {
				Order [][]int     `json:"order_used"`
				Signs [][]float64 // of every step; a single row if all share it
				W     []float64   `json:"w_after"`
				Drift float64     `json:"drift_inf"` // not divided by α
			}
		}
	}
	// D and d are different names here, but the standard library's decoder would accept either for both.
	var named map[string]json.RawMessage
	decodeJSON(t, string(data), &named)
	for name, into := range map[string]any{"M": &oracle.M, "K": &oracle.K, "d": &oracle.D, "D": &oracle.Given, "C": &oracle.C,
		"runs": &oracle.Runs} {
		decodeJSON(t, string(named[name]), into)
	}
	file := orderingFile(t, map[string]any{"D": oracle.Given, "C": oracle.C})
	words := map[string]string{"jogba": "jogba", "grab_separate": "grab-separate", "shared_grab": "grab-shared", "mgda": "mgda",
		"uniform": "ls", "as_published": "published", "per_objective": "perobjective"}
	for _, c := range oracle.Runs {
		for _, start := range [][]string{{"-set", "start=0"}, {"-start", strings.TrimSuffix(strings.Repeat("0,", oracle.D), ",")}} {
			t.Run(fmt.Sprint(c.Kind, " ", c.Weights, " ", c.Centring, start), func(t *testing.T) {
				method := words[c.Kind]
				var got orderingRun
				decodeJSON(t, succeeds(t, "", append([]string{"run", "-scene", "ordering", "-data", file, "-set", "method=" + method,
					"-set", "weighting=" + words[c.Weights], "-set", fmt.Sprint("alpha=", c.Alpha), "-set", "centring=" + words[c.Centring],
					"-set", "sign=greedy", "-set", "first=given", "-steps", fmt.Sprint(oracle.K * len(c.Epochs)), "-json", "-"}, start...)...), &got)
				run, epochs := got.Runs[0], got.Results[method+"-1"].Epochs
				if len(got.Runs) != 1 || run.Method != method || run.Status != "budget" || len(epochs) != len(c.Epochs) ||
					len(run.Iterates) != oracle.K*len(c.Epochs)+1 {
					t.Fatalf("%d runs, %s %s with %d epochs", len(got.Runs), run.Method, run.Status, len(epochs))
				}
				for i, want := range c.Epochs {
					e := epochs[i]
					if e.Epoch != i || e.Steps != oracle.K || !reflect.DeepEqual(e.Order, want.Order) {
						t.Errorf("epoch %d has the order %v, want %v", i, e.Order, want.Order)
					}
					for k, signs := range want.Signs {
						for m, sign := range e.Signs[k] {
							if sign != signs[min(m, len(signs)-1)] || len(e.Signs[k]) != oracle.M {
								t.Errorf("epoch %d, step %d has the signs %v, want %v", i, k, e.Signs[k], signs)
							}
						}
					}
					end := run.Iterates[(i+1)*oracle.K]
					if end.K != (i+1)*oracle.K || end.Epoch != i+1 || run.Iterates[i*oracle.K+1].Epoch != i {
						t.Errorf("iterate %d says epoch %d", end.K, end.Epoch)
					}
					for j, v := range want.W {
						if !(math.Abs(e.W[j]-v) <= 1e-12) || e.W[j] != end.X[j] {
							t.Errorf("w after epoch %d is %v, want %v", i, e.W, want.W)
						}
					}
					if !(math.Abs(*e.Drift*c.Alpha-want.Drift) <= 1e-12) || !(*e.H > 0) || !(*e.SignBound > 0) || !(*e.Wobble > 0) {
						t.Errorf("epoch %d drifts by %v, want %v/α", i, *e.Drift, want.Drift)
					}
				}
			})
		}
	}
}

// TestOrderingLeastSquares checks that the steps use a file's rows and targets, one by one or in batches.
func TestOrderingLeastSquares(t *testing.T) {
	file := orderingFile(t, map[string]any{"A": [][][]float64{{{1, 0}, {0, 2}}}, "y": [][]float64{{1, 4}}})
	var got orderingRun
	args := []string{"run", "-scene", "ordering", "-data", file, "-set", "first=given", "-set", "alpha=0.5", "-set", "method=random,jogba",
		"-json", "-"}
	decodeJSON(t, succeeds(t, "", append(args, "-steps", "2", "-set", "M=1", "-set", "K=2", "-set", "d=2")...), &got)
	for _, run := range got.Runs {
		// ∇½(a·w − y)² = (a·w − y)a: −(1, 0), then −4·(0, 2).
		if want := [][]float64{{0, 0}, {0.5, 0}, {0.5, 4}}; !reflect.DeepEqual([][]float64{run.Iterates[0].X, run.Iterates[1].X,
			run.Iterates[2].X}, want) {
			t.Errorf("%s goes %+v", run.Name, run.Iterates)
		}
	}
	if e := got.Results["random-1"].Epochs[0]; e.SignBound != nil || !reflect.DeepEqual(e.Signs, [][]float64{{0}, {0}}) ||
		!reflect.DeepEqual(e.Order, [][]int{{0, 1}}) {
		t.Errorf("a random order has %+v", e)
	}
	decodeJSON(t, succeeds(t, "", append(args, "-steps", "3", "-set", "batch=2", "-set", "K=1")...), &got)
	if x := got.Runs[0].Iterates[1].X; !reflect.DeepEqual(x, []float64{0.25, 2}) || got.Runs[0].Iterates[3].Epoch != 3 {
		t.Errorf("a batch of both goes to %v", x)
	}
}

// TestOrderingCSV checks that every row states its epoch, even if some rows are omitted.
func TestOrderingCSV(t *testing.T) {
	text := succeeds(t, "", "run", "-scene", "ordering", "-set", "K=8", "-set", "seeds=2", "-steps", "20", "-every", "5", "-csv", "-")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[0], ","); got != "run,method,k,x1,x2,f1,f2,weight1,weight2,stationarity,bp,epoch" {
		t.Errorf("the columns are %s", got)
	}
	if len(lines) != 1+3*2*5 || lines[2][2] != "5" || lines[2][11] != "0" || lines[5][11] != "2" || lines[6][0] != "random-2" {
		t.Errorf("%d lines: %v", len(lines), lines)
	}
}

// TestOrderingRefused checks that a one-line error results if settings are unknown or contradict the file, or if the
// file has no samples.
func TestOrderingRefused(t *testing.T) {
	bowls := orderingFile(t, map[string]any{"D": [][][]float64{{{1, 1}, {1, 2}}, {{1, 1}, {1, 1}}},
		"C": [][][]float64{{{1, 1}, {1, 1}}, {{0, 1}, {1, 1}}}})
	run := func(data string, more ...string) []string {
		return append([]string{"run", "-scene", "ordering", "-steps", "3", "-data", data, "-json", "-"}, more...)
	}
	raw := func(text string) string { return orderingFile(t, json.RawMessage(text)) }
	for _, c := range []struct {
		args []string
		want string
	}{
		{run(bowls, "-set", "M=3"), "M = 3 contradicts the data; leave it out, or set it to 2"},
		{run(bowls, "-set", "K=64"), "K = 64 contradicts the data; leave it out, or set it to 2"},
		{run(bowls, "-set", "d=4"), "d = 4 contradicts the data; leave it out, or set it to 2"},
		{run(bowls, "-set", "problem=logistic"), "problem = logistic contradicts the data"},
		{run(bowls, "-set", "batch=3"), "batch = 3: it must divide the number of samples, 2"},
		{run(bowls, "-set", "batch=2", "-set", "K=2"), "K = 2 contradicts the data; leave it out, or set it to 1"},
		{run(bowls, "-start", "0,0,0"), "start 0,0,0 has 3 coordinates; the scene has 2 variables"},
		{run(bowls, "-start", "0,0", "-start", "1,1"), "at most 1 points"},
		{run(raw(`{"D": [[[-1]]], "C": [[[0]]]}`)), "D[0][0][0] = -1"},
		{run(raw(`{"D": [[[1]]], "C": [[[1e80]]]}`)), "C[0][0][0] = 1e+80"},
		{run(raw(`{"D": [[[1]]], "C": [[[1], [2]]]}`)), "C: it is 1×2×1, and D is 1×1×1"},
		{run(raw(`{"D": [[[1]]], "y": [[1]]}`)), `the file must have "D" and "C", or "A" and "y"`},
		{run(raw(`[[[1]]]`)), `"{" is expected`},
		{[]string{"run", "-scene", "ordering", "-set", "method=sorted"}, "method"},
		{[]string{"run", "-scene", "ordering", "-set", "weighting=smg"}, "weighting"},
		{[]string{"run", "-scene", "ordering", "-set", "K=0"}, "K = 0"},
		{[]string{"run", "-scene", "ordering", "-set", "heterogeneity=2"}, "heterogeneity = 2"},
		{[]string{"run", "-scene", "ordering", "-set", "order=random"}, `unknown parameter "order"`},
	} {
		stdout, stderr, status := invoke(t, "", c.args...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 ||
			utf8.RuneCountInString(stderr) > 301 {
			t.Errorf("%q: status %d, %q, want %q", c.args, status, stderr, c.want)
		}
	}
}
