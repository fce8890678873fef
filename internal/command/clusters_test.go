package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClustersFile compares trajectories with those of an independent program that computes with 100 digits. The file
// sets goals, masses and starts.
func TestClustersFile(t *testing.T) {
	data, err := os.ReadFile("../../algo/transport/testdata/most.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Cases []struct {
			Name, Method    string
			K, T            int
			Eta             float64
			Scale           string
			Tau             struct{ Value float64 }
			Curriculum      struct{ Kind string }
			Centres, Starts [][]float64
			A, B            []float64
			Rows            []struct {
				K    int
				X, F [][]float64
				Plan [][]float64
				A, B []float64
				Tau  float64
			}
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	curricula := map[string]string{"none": "none", "linear": "paper"}
	checked := 0
	for _, c := range oracle.Cases {
		if c.Method == "linearization" { // the method's weights are part of the case
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "goals.json")
			text, err := json.Marshal(map[string]any{"centres": c.Centres, "a": c.A, "b": c.B, "starts": c.Starts})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"run", "-scene", "clusters", "-data", file, "-steps", fmt.Sprint(c.T), "-json", "-"}
			for name, value := range map[string]any{"method": c.Method, "eta": c.Eta, "K": c.K, "scale": c.Scale, "tau": c.Tau.Value,
				"curriculum": curricula[c.Curriculum.Kind]} {
				args = append(args, "-set", fmt.Sprintf("%s=%v", name, value))
			}
			var out, fault bytes.Buffer
			if status := program.Run(args, strings.NewReader(""), &out, &fault); status != 0 {
				t.Fatalf("status %d: %s", status, fault.String())
			}
			var got struct {
				Runs []struct {
					Method   string
					Iterates []struct {
						K    int
						X, F [][]float64
						Plan [][]float64
						A, B []float64
						Tau  *float64
					}
				}
				Results map[string]struct{ OracleLoss, MeanLoss *float64 }
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Runs) != 1 || got.Runs[0].Method != c.Method || got.Results[c.Method].OracleLoss == nil {
				t.Fatalf("%d runs, results %v", len(got.Runs), got.Results)
			}
			for _, row := range c.Rows {
				at := got.Runs[0].Iterates[row.K]
				if at.K != row.K {
					t.Fatalf("iterate %d is %d", row.K, at.K)
				}
				alike(t, fmt.Sprintf("x at %d", row.K), at.X, row.X)
				alike(t, fmt.Sprintf("f at %d", row.K), at.F, row.F)
				if at.Plan == nil || row.Plan == nil { // as in the last row, which has no plan, and in a degenerate round
					continue
				}
				checked++
				alike(t, fmt.Sprintf("plan at %d", row.K), at.Plan, row.Plan)
				alike(t, fmt.Sprintf("a, b and τ at %d", row.K), [][]float64{at.A, at.B, {*at.Tau}}, [][]float64{row.A, row.B, {row.Tau}})
			}
		})
	}
	if checked < 50 {
		t.Errorf("%d plans are checked", checked)
	}
}

// alike fails the test unless all numbers agree within 1e-9.
func alike(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s: row %d has %d numbers, want %d", what, i, len(got[i]), len(want[i]))
		}
		for j, v := range want[i] {
			if !(math.Abs(got[i][j]-v) <= 1e-9*max(1, math.Abs(v))) {
				t.Fatalf("%s: %v in row %d, column %d, want %v", what, got[i][j], i, j, v)
			}
		}
	}
}

// TestClustersContradiction checks that settings may supply what the file omits, but may not contradict the file.
func TestClustersContradiction(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	goals := file("goals.csv", "x,y\n0,0\n1,0\n0,1\n")
	whole := file("whole.json", `{"centres": [[0,0],[1,0],[0,1]], "a": [2,1,1], "b": [3,1], "starts": [[0.5,0.5],[1,1]]}`)
	run := func(data string, more ...string) []string {
		return append([]string{"run", "-scene", "clusters", "-steps", "3", "-data", data, "-json", "-"}, more...)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{run(goals, "-set", "n=30"), "n = 30 contradicts the data; leave it out, or set it to 3"},
		{run(goals, "-set", "layout=ring"), "layout = ring contradicts the data"},
		{run(goals, "-set", "a=0.5,0.5"), "a has 2 shares, but n = 3 needs 3"},
		{run(whole, "-set", "m=3"), "m = 3 contradicts the data; leave it out, or set it to 2"},
		{run(whole, "-start", "0,0", "-start", "1,1"), "start = 0,0;1,1 contradicts"},
		{run(whole, "-start", "0,0"), "m = 1 contradicts"},
		{run(whole, "-set", "m=2", "-set", "b=0.5,0.5"), "b = 0.5,0.5 contradicts"},
		{run(file("bad.json", `{"centres": [[0,0]], "a": [-1]}`)), "a[0]"},
		{run(file("short.json", `{"centres": [[0,0]], "b": [0.5,0.6], "a": [1]}`)), "sums of a and b"},
		{[]string{"run", "-scene", "clusters", "-set", "n=12", "-set", "a=0.5,0.5"}, "a has 2 shares, but n = 12 needs 12"},
		{[]string{"run", "-scene", "clusters", "-set", "b=0.5,0.6"}, "b = 0.5,0.6"},
	} {
		_, stderr, status := invoke(t, "", c.args...)
		if status != 2 || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: status %d, %q, want %q", c.args, status, stderr, c.want)
		}
	}
	var got struct {
		Runs []struct {
			Start    [][]float64
			Iterates []struct{ A, B []float64 }
		}
	}
	decodeJSON(t, succeeds(t, "", run(whole, "-set", "n=3", "-set", "m=2")...), &got)
	if first := got.Runs[0]; fmt.Sprint(first.Start) != "[[0.5 0.5] [1 1]]" || fmt.Sprint(first.Iterates[0].A, first.Iterates[0].B) !=
		"[0.5 0.25 0.25] [0.75 0.25]" {
		t.Errorf("of the whole file: %+v", first.Start)
	}
	decodeJSON(t, remarks(t, "heading: x, y", run(goals, "-start", "0.25,0", "-start", "0,0.25", "-set", "b=0.9,0.1")...), &got)
	if first := got.Runs[0]; fmt.Sprint(first.Start) != "[[0.25 0] [0 0.25]]" || fmt.Sprint(first.Iterates[0].B) != "[0.9 0.1]" {
		t.Errorf("with starts of the command line: %+v", first)
	}
}
