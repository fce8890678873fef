package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestRecorderIsShort: people copy the recorder into their projects, so it stays what one reads before doing so.
func TestRecorderIsShort(t *testing.T) {
	const most = 60 // lines that are code
	documentation := regexp.MustCompile(`(?s)""".*?"""`)
	lines := 0
	for line := range strings.Lines(documentation.ReplaceAllString(documentText(t, "docs/recorder/paretolog.py"), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	if lines > most || lines < most/2 {
		t.Errorf("the recorder has %d lines of code, expected at most %d", lines, most)
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
	if err != nil || !strings.Contains(string(said), "\nOK\n") || strings.Contains(string(said), "Ran 0 tests") {
		t.Errorf("%v\n%s", err, said)
	}
}
