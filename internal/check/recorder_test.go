package check

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRecorderIsShort: people copy the recorder into their projects, so it stays what one reads before doing so.
func TestRecorderIsShort(t *testing.T) {
	const limit = 150 // lines that are code
	documentation := regexp.MustCompile(`(?s)""".*?"""`)
	lines := 0
	for line := range strings.Lines(documentation.ReplaceAllString(documentText(t, "docs/recorder/paretolog.py"), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	if lines > limit || lines < limit/2 {
		t.Errorf("the recorder has %d lines of code, expected at most %d", lines, limit)
	}
}

// torch is a Python that has PyTorch; without one the test is skipped.
func torch(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import torch, numpy").Run() == nil {
			return python
		}
	}
	t.Skip("SKIPPED: what docs/recorder promises, for want of PyTorch; install python3-torch to run it")
	return ""
}

// TestRecorder: a training is the same to the last bit with and without the recorder, which costs what it says and
// leaves a file whole. The checks are in Python, beside the recorder.
func TestRecorder(t *testing.T) {
	said, err := exec.Command(torch(t), "-B", "docs/recorder/test_paretolog.py").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "\nOK") || strings.Contains(string(said), "Ran 0 tests") {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestAutograd: PyTorch computes anew what is recorded of the network's gradients, and the digits are scikit-learn's.
func TestAutograd(t *testing.T) {
	python := torch(t)
	const recorded = "algo/problem/network/testdata/autograd.json"
	anew := filepath.Join(t.TempDir(), "autograd.json")
	arguments := []string{"-B", "docs/recorder/network.py", "-digits", "algo/problem/network/pictures/digits.gz", "-o", anew}
	if exec.Command(python, "-c", "import sklearn").Run() == nil {
		arguments = append(arguments, "-check")
	}
	if said, err := exec.Command(python, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var was, is struct{ Cases any }
	for file, record := range map[string]any{recorded: &was, anew: &is} {
		if err := json.Unmarshal([]byte(documentText(t, file)), record); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if is.Cases == nil || !alike(was.Cases, is.Cases) {
		t.Errorf("%s is not what docs/recorder/network.py writes", recorded)
	}
}

// TestTimingsAgree: the ways to compute gradients whose times docs/network.md compares compute the same.
func TestTimingsAgree(t *testing.T) {
	said, err := exec.Command(torch(t), "-B", "docs/recorder/timings.py", "-digits", "algo/problem/network/pictures/digits.gz", "-rounds", "1",
		"-samples", "1").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "| all gradients | PyTorch, ") {
		t.Errorf("%v\n%s", err, said)
	}
}

// alike compares what was read from JSON, numbers but for rounding: versions of PyTorch add up in orders of their own.
func alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= 1e-10*max(1, math.Abs(a))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, alike)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, alike)
	}
	return a == b
}

// trained is what docs/recorder/retrained.csv holds of a method at one learning rate: losses by seed.
type trained struct {
	rate             string
	validation, test map[string][]float64
}

// worse reports whether a comes after b: fewer seeds that ended, then larger losses on validation data.
func (a *trained) worse(b *trained) bool {
	if len(a.test) != len(b.test) {
		return len(a.test) < len(b.test)
	}
	return level(a.validation) > level(b.validation)
}

// level is the sum of logarithms of losses: the geometric mean is what units do not change.
func level(losses map[string][]float64) float64 {
	sum := 0.0
	for _, seed := range slices.Sorted(maps.Keys(losses)) {
		for _, loss := range losses[seed] {
			sum += math.Log(loss)
		}
	}
	return sum
}

// numbers are the losses that a cell of the table holds.
func numbers(t *testing.T, cell string) []float64 {
	t.Helper()
	var out []float64
	for field := range strings.FieldsSeq(cell) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || v <= 0 {
			t.Fatalf("%q: %v", cell, err)
		}
		out = append(out, v)
	}
	return out
}

// retrained reads a table of docs/recorder/retrain.py: trainings and methods in their order, and the runs of each by
// learning rate.
func retrained(t *testing.T, file string) (order [][2]string, runs map[[2]string][]*trained) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(documentText(t, file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	runs = map[[2]string][]*trained{}
	for _, line := range lines[1:] {
		if line[4] != "trained" {
			continue
		}
		key := [2]string{line[0], line[1]}
		at := slices.IndexFunc(runs[key], func(r *trained) bool { return r.rate == line[2] })
		if at < 0 {
			if len(runs[key]) == 0 {
				order = append(order, key)
			}
			at = len(runs[key])
			runs[key] = append(runs[key], &trained{rate: line[2], validation: map[string][]float64{}, test: map[string][]float64{}})
		}
		runs[key][at].validation[line[3]], runs[key][at].test[line[3]] = numbers(t, line[5]), numbers(t, line[6])
	}
	return order, runs
}

// geometric is the geometric mean of losses.
func geometric(losses []float64) float64 {
	sum := 0.0
	for _, loss := range losses {
		sum += math.Log(loss)
	}
	return math.Exp(sum / float64(len(losses)))
}

// oldWeightsRows compare MGDA with weights held for eight steps to MGDA with new ones, where a log warns against them.
func oldWeightsRows(t *testing.T) []string {
	_, runs := retrained(t, "docs/recorder/retrained-eight.csv")
	rows := []string{"| learning rate × | seeds | R = 8 to R = 1, all losses | seed by seed | the worst loss | R = 8 ends lower |",
		"|---|---|---|---|---|---|"}
	for k, fresh := range runs[[2]string{"eight", "mgda R=1"}] {
		old := runs[[2]string{"eight", "mgda R=8"}][k]
		if old.rate != fresh.rate {
			t.Fatalf("learning rates %s and %s", fresh.rate, old.rate)
		}
		lower := 0
		var all, worst []float64
		for _, seed := range slices.Sorted(maps.Keys(fresh.test)) {
			ratio := geometric(old.test[seed]) / geometric(fresh.test[seed])
			all, worst = append(all, ratio), append(worst, slices.Max(old.test[seed])/slices.Max(fresh.test[seed]))
			if ratio < 1 {
				lower++
			}
		}
		rows = append(rows, fmt.Sprintf("| %s | %d | %.2f | %.2f to %.2f | %.2f | in %d of %d seeds |", fresh.rate, len(all), geometric(all),
			slices.Min(all), slices.Max(all), geometric(worst), lower, len(all)))
	}
	return rows
}

// retrainedRows are the results of docs/recorder/retrain.py: of each method the learning rate that is best on validation
// data, and its test losses to those of equal weights, geometric means over losses, seeds or both.
func retrainedRows(t *testing.T) []string {
	order, runs := retrained(t, "docs/recorder/retrained.csv")
	best := map[[2]string]*trained{}
	for _, key := range order {
		for _, r := range runs[key] {
			if best[key] == nil || best[key].worse(r) {
				best[key] = r
			}
		}
	}
	rows := []string{"| training | method | learning rate × | test losses, to equal weights’ | seed by seed | the losses one by one |",
		"|---|---|---|---|---|---|"}
	for _, key := range order {
		r, equal := best[key], best[[2]string{key[0], "equal"}]
		seeds := slices.Sorted(maps.Keys(r.test))
		each := make([]string, len(seeds))
		losses := make([]float64, len(r.test[seeds[0]]))
		for k, seed := range seeds {
			sum := 0.0
			for i, loss := range r.test[seed] {
				ratio := math.Log(loss / equal.test[seed][i])
				sum += ratio / float64(len(losses))
				losses[i] += ratio / float64(len(seeds))
			}
			each[k] = fmt.Sprintf("%.2f", math.Exp(sum))
		}
		all := 0.0
		for _, ratio := range losses {
			all += ratio / float64(len(losses))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %.2f | %s | %.2f to %.2f |", key[0], key[1], r.rate, math.Exp(all),
			strings.Join(each, ", "), math.Exp(slices.Min(losses)), math.Exp(slices.Max(losses))))
	}
	return rows
}
