package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/algo/runlog"
)

// TestRunLog checks that run writes a run's log in addition to other files, and that replay reads the log.
func TestRunLog(t *testing.T) {
	folder := t.TempDir()
	read := func(name string) *runlog.Log {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		l, err := runlog.Read(bytes.NewReader(data), runlog.PageBytes)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	noisy := []string{"run", "-scene", "fonseca", "-set", "sigma=0.3", "-steps", "150"}
	run := func(args ...string) string { return succeeds(t, "", append(noisy, args...)...) }
	if out := run("-log", file("a.npz"), "-csv", file("a.csv")); out != "" {
		t.Errorf("it says %q", out)
	}
	l := read("a.npz")
	if l.Records() != 150 || l.Objectives() != 2 || l.Stride() != 1 || !l.HasCross() || !l.HasAfter() || !l.HasWeights() {
		t.Errorf("%d records of %d objectives, every %d steps", l.Records(), l.Objectives(), l.Stride())
	}
	table, err := os.ReadFile(file("a.csv"))
	if err != nil || !strings.HasPrefix(string(table), "run,method,k,") {
		t.Errorf("the table is %.40q, %v", table, err)
	}
	run("-log", file("b.npz"), "-every", "10", "-run", "psmgd-2")
	if other := read("b.npz"); other.Records() != 15 || other.Stride() != 10 || other.Losses(nil, 0)[0] == l.Losses(nil, 0)[0] {
		t.Errorf("%d records of another run, every %d steps", other.Records(), other.Stride())
	}
	data, err := os.ReadFile(file("a.npz"))
	if err != nil || run("-log", "-") != string(data) {
		t.Errorf("standard output has another log: %v", err)
	}
	said := strings.Join(strings.Fields(succeeds(t, "", "replay", file("a.npz"))), " ")
	if !strings.HasPrefix(said, "150 records of 2 objectives, steps 0 to 149: f1, f2.") || !strings.Contains(said, "Whose batch? MGDA hurts") {
		t.Errorf("replay says %s", said)
	}
	for want, args := range map[string][]string{
		"the scene toy has no training log to write; available: ": {"run", "-scene", "toy", "-log", file("c.npz")},
		`unknown run "nobody"`:                   append(noisy, "-log", file("c.npz"), "-run", "nobody"),
		"has taken only one step; a log needs":   {"run", "-scene", "fonseca", "-steps", "1", "-log", file("c.npz")},
		"fewer than two records":                 append(noisy, "-log", file("c.npz"), "-every", "150"),
		"-run psmgd-1: there is no log to write": append(noisy, "-run", "psmgd-1"),
		"-try and -log":                          append(noisy, "-log", file("c.npz"), "-try", "R"),
		"there is no log of MOO-SVGD":            append(noisy, "-set", "method=moosvgd", "-log", file("c.npz")),
		"so it has no weights":                   append(noisy, "-set", "method=moco", "-log", file("c.npz")),
		"-log is empty":                          append(noisy, "-log", ""),
		"writes to the same place":               append(noisy, "-log", file("c.npz"), "-json", file("c.npz")),
	} {
		out, fault, status := invoke(t, "", args...)
		if status != 2 || out != "" || !strings.Contains(fault, want) || strings.Count(fault, "\n") != 1 {
			t.Errorf("%v: status %d, %q, want %q", args, status, fault, want)
		}
	}
	if _, err := os.Stat(file("c.npz")); err == nil {
		t.Error("a refused log left a file")
	}
}
