package check

import (
	"encoding/json"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRecorderIsShort: people read the recorder before they copy it into their projects, so it must stay short.
func TestRecorderIsShort(t *testing.T) {
	const limit = 150 // lines of code
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

// torch returns a Python interpreter that has PyTorch. It skips the test if no such interpreter is installed.
func torch(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import torch, numpy").Run() == nil {
			return python
		}
	}
	t.Skip("SKIPPED: the recorder is not tested without PyTorch; install python3-torch")
	return ""
}

// TestRecorder: a training run with the recorder gives the same bits as one without. The recorder makes exactly as many
// backward passes as it claims, and leaves a complete file. The checks are in Python, beside the recorder.
func TestRecorder(t *testing.T) {
	said, err := exec.Command(torch(t), "-B", "docs/recorder/test_paretolog.py").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "\nOK") || strings.Contains(string(said), "Ran 0 tests") {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestTrial: a trial does not change a single bit of the training run, all ways of weighing start from the same state,
// and the trial's rules agree with the program's.
func TestTrial(t *testing.T) {
	python := torch(t)
	if exec.Command(python, "-c", "import scipy").Run() != nil {
		t.Skip("SKIPPED: the trial is not tested without scipy; install python3-scipy")
	}
	said, err := exec.Command(python, "-B", "docs/recorder/test_paretotrial.py").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "\nOK") || strings.Contains(string(said), "Ran 0 tests") {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestAutograd: PyTorch reproduces the recorded gradients of the network, and the digits are those of scikit-learn.
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
		t.Errorf("%s differs from the output of docs/recorder/network.py", recorded)
	}
}

// TestTimingsAgree: the ways to compute gradients that docs/network.md compares all give the same result.
func TestTimingsAgree(t *testing.T) {
	said, err := exec.Command(torch(t), "-B", "docs/recorder/timings.py", "-digits", "algo/problem/network/pictures/digits.gz", "-rounds", "1",
		"-samples", "1").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "| all gradients | PyTorch, ") {
		t.Errorf("%v\n%s", err, said)
	}
}

// alike reports whether two values read from JSON are equal, with numbers equal up to rounding. PyTorch's versions add
// in different orders.
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
