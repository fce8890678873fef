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

// TestTrial: a trial leaves the training as it was to the last bit, every way sees the same, and its rules are those of the program.
func TestTrial(t *testing.T) {
	python := torch(t)
	if exec.Command(python, "-c", "import scipy").Run() != nil {
		t.Skip("SKIPPED: what docs/recorder/paretotrial.py promises, for want of scipy; install python3-scipy to run it")
	}
	said, err := exec.Command(python, "-B", "docs/recorder/test_paretotrial.py").CombinedOutput()
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
