package command

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tableFileOf writes a file and returns its path.
func tableFileOf(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDecimalCommas checks that every command gives the same result for a table with decimal commas, and adds a remark
// about the commas.
func TestDecimalCommas(t *testing.T) {
	for name, text := range map[string]string{
		"semicolons.csv": "1,5;0\n0;1,5\n", "tabs.tsv": "1,5\t0\n0\t1,5\n", "r.csv": "\"\";\"f1\";\"f2\"\n\"1\";1,5;0\n\"2\";0;1,5\n",
	} {
		path := tableFileOf(t, name, text)
		var lab struct {
			Results struct {
				Variables int
				Methods   []struct{ Norm, Stationarity float64 }
			}
		}
		decodeJSON(t, remarks(t, "commas are decimal commas", "run", "-scene", "lab", "-data", path, "-set", "method=mgda", "-json", "-"), &lab)
		if r := lab.Results; r.Variables != 2 || len(r.Methods) != 1 || math.Abs(r.Methods[0].Norm-1.5/math.Sqrt2) > 1e-15 {
			t.Errorf("%s: lab %+v", name, r)
		}
		if out, stderr, status := invoke(t, "", "hypervolume", "-data", path, "-reference", "2,2"); status != 0 ||
			!strings.Contains(out, `{"hypervolume":1.75,"ignored":0}`) ||
			!strings.Contains(stderr, "hypervolume: commas are decimal commas\n") {
			t.Errorf("%s: hypervolume %s %s", name, out, stderr)
		}
		out, stderr, status := invoke(t, "", "transport", "-data", path, "-a", "1,1")
		var plan struct{ Cost float64 }
		if err := json.Unmarshal([]byte(out), &plan); err != nil || status != 0 || plan.Cost != 0 ||
			!strings.Contains(stderr, "commas are decimal commas\n") {
			t.Errorf("%s: transport %s %s", name, out, stderr)
		}
		remarks(t, "commas are decimal commas", "run", "-scene", "clusters", "-data", path, "-steps", "1", "-json", "-")
	}
}

// TestHypervolumeOfFiles checks that hypervolume reads a whole table, a part of it or some columns. Objectives may be
// minimised or maximised.
func TestHypervolumeOfFiles(t *testing.T) {
	front := tableFileOf(t, "front.dat", "0.25 0.5\n0.5 0.25\n")
	runs := tableFileOf(t, "runs.dat", "0.5 0.5\n0.6 0.4\n\n0.25 0.5\n0.5 0.25\n")
	named := tableFileOf(t, "named.csv", "g,f_1,f_2\nx,0.25,0.5\ny,0.5,0.25\n")
	gains := tableFileOf(t, "gains.csv", "0.25,-0.5\n0.5,-0.25\n")
	list := tableFileOf(t, "list.json", `{"F": [[0.25,0.5],[0.5,0.25]], "X": [[1],[2]]}`)
	beyond := tableFileOf(t, "beyond.csv", "1,0\n0.25,0.5\n2,2\n")
	both := tableFileOf(t, "both.json", `{"points": [[0.25,0.5],[0.5,0.25]], "reference": [1,1]}`)
	for _, c := range []struct {
		args   []string
		want   string
		stderr string
	}{
		{[]string{"-data", front, "-reference", "1,1"}, `{"hypervolume":0.5,"ignored":0}`, ""},
		{[]string{"-data", both}, `{"hypervolume":0.5,"ignored":0}`, ""},
		{[]string{"-data", runs, "-part", "2", "-reference", "1,1"}, `{"hypervolume":0.5,"ignored":0}`, ""},
		{[]string{"-data", named, "-columns", "f_1,f_2", "-reference", "1,1"},
			`{"hypervolume":0.5,"ignored":0}`, "line 1 is the heading: f_1, f_2"},
		{[]string{"-data", gains, "-reference", "1,-1", "-maximise", "2"}, `{"hypervolume":0.5,"ignored":0}`, ""},
		{[]string{"-data", list, "-part", "F", "-reference", "1,1"}, `{"hypervolume":0.5,"ignored":0}`, `"X" is left out`},
		{[]string{"-data", beyond, "-reference", "1,1", "-contributions"},
			`{"hypervolume":0.375,"ignored":2,"ignored_points":[1,3],"contributions":[0,0.375,0]}`, ""},
		{[]string{"-data", beyond, "-reference", "1,1"}, `{"hypervolume":0.375,"ignored":2,"ignored_points":[1,3]}`, ""},
		{[]string{"-data", beyond, "-reference", "0.2,0.2"}, `{"hypervolume":0,"ignored":3,"ignored_points":[1,2,3]}`,
			"every point is at or beyond the reference, so the volume is 0"},
	} {
		out, stderr, status := invoke(t, "", append([]string{"hypervolume"}, c.args...)...)
		if status != 0 || out != c.want+"\n" || stderr != "" && c.stderr == "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%v: status %d, %s %s, want %s %s", c.args, status, out, stderr, c.want, c.stderr)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-data", front}, "-reference is missing"},
		{[]string{"-reference", "1,1"}, "standard input contains the reference; to read points from a file, add -data"},
		{[]string{"-part", "1"}, "-part 1: there is no file to select from; add -data"},
		{[]string{"-data", front, "-reference", "1,1,1"}, "rows have 2 numbers, but the reference has 3; choose columns with -columns"},
		{[]string{"-data", front, "-reference", "1,x"}, `-reference 1,x: "x" is not a number`},
		{[]string{"-data", both, "-reference", "1,1"}, "-reference: the input also contains a reference"},
		{[]string{"-data", front, "-reference", "1,1", "-maximise", "3"}, "maximise = 3"},
		{[]string{"-data", front, "-reference", "1,1", "-maximise", "1,1"}, "maximise = 1"},
		{[]string{"-data", front, "-reference", "1,1", "-maximise", "f"}, `"f" is not a whole number`},
		{[]string{"-data", runs, "-reference", "1,1"},
			"there are 2 runs, separated by blank lines: 1 (2 rows), 2 (2 rows); name the part to read with -part"},
		{[]string{"-data", list, "-reference", "1,1"},
			`unknown name "F"; available: points reference; name it as the part to read if it is the points`},
	} {
		out, stderr, status := invoke(t, "", append([]string{"hypervolume"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: status %d, %s %s, want %s", c.args, status, out, stderr, c.want)
		}
	}
}

// TestTransportOfFiles checks that transport reads a table of costs, and takes the masses from the command line.
func TestTransportOfFiles(t *testing.T) {
	costs := tableFileOf(t, "costs.csv", "1,2\n3,1\n")
	masses := tableFileOf(t, "masses.json", `{"cost": [[1,2],[3,1]], "a": [1,1]}`)
	for _, c := range []struct {
		args       []string
		want, fail string
	}{
		{[]string{"-data", costs}, `"cost":1,`, ""},
		{[]string{"-data", costs, "-a", "0.2,0.8", "-b", "0.5,0.5"}, `"cost":1.6,`, ""},
		{[]string{"-data", masses}, `"cost":2,`, ""},
		{[]string{"-data", masses, "-a", "1,1"}, "", "a: the file also contains it"},
		{[]string{"-data", costs, "-a", "1,1,1"}, "", "a: got 3 masses for 2 rows of costs"},
		{[]string{"-a", "1,1"}, "", "-a 1,1: standard input contains the masses; to read costs from a file, add -data"},
	} {
		out, stderr, status := invoke(t, "", append([]string{"transport"}, c.args...)...)
		if c.fail == "" && (status != 0 || !strings.Contains(out, c.want) || stderr != "") ||
			c.fail != "" && (status != 2 || !strings.Contains(stderr, c.fail)) {
			t.Errorf("%v: status %d, %s %s, want %s %s", c.args, status, out, stderr, c.want, c.fail)
		}
	}
}

// TestUnconverged checks that a solver that reaches its limit adds a remark to its answer.
func TestUnconverged(t *testing.T) {
	out, stderr, status := invoke(t, `{"cost": [[0,1],[1,0]], "a": [0.5,0.5], "b": [0.2,0.8]}`,
		"transport", "-solver", "sinkhorn", "-set", "eps=1e-9")
	if status != 0 || !strings.Contains(out, `"converged":false`) ||
		stderr != "paretoplay transport: sinkhorn did not converge in 10000 iterations: "+
			"marginal error 0.6, cost 0, dual lower bound 4.15888e-06\n" {
		t.Errorf("status %d, %s %s", status, out, stderr)
	}
	out, stderr, status = invoke(t, `{"cost": [[0,1e300],[1e300,0.5]], "a": [0.5,0.5], "b": [0.2,0.8]}`, "transport")
	if status != 0 || !strings.Contains(out, `"converged":true`) || stderr != "" {
		t.Errorf("status %d, %s %s", status, out, stderr)
	}
}

// TestWrittenFiles checks that the commands read files that other libraries wrote, or reject them with one line that
// suggests a valid input.
func TestWrittenFiles(t *testing.T) {
	const folder = "../engine/data/testdata/written/"
	text, err := os.ReadFile(folder + "written.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		Data    [][]float64
		Refused string
		Part    string
		Columns []string
	}
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	for name, f := range files {
		args := []string{"-data", folder + name}
		if f.Part != "" {
			args = append(args, "-part", f.Part)
		}
		if f.Columns != nil {
			args = append(args, "-columns", strings.Join(f.Columns, ","))
		}
		for _, command := range [][]string{
			{"hypervolume", "-reference", "20,20"}, {"transport"}, {"run", "-scene", "lab", "-set", "method=mgda", "-json", "-"},
		} {
			if command[0] == "hypervolume" && f.Refused == "" && len(f.Data[0]) != 2 {
				continue
			}
			out, stderr, status := invoke(t, "", append(command, args...)...)
			switch {
			case f.Refused != "":
				if status != 2 || out != "" || !strings.Contains(stderr, f.Refused) || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%v %v: status %d, %q, want %q", command, args, status, stderr, f.Refused)
				}
			case status != 0:
				t.Errorf("%v %v: status %d, %q", command, args, status, stderr)
			case command[0] == "transport":
				var plan struct{ Plan [][]float64 }
				if err := json.Unmarshal([]byte(out), &plan); err != nil || len(plan.Plan) != len(f.Data) || len(plan.Plan[0]) != len(f.Data[0]) {
					t.Errorf("%v %v: %d rows, %v", command, args, len(plan.Plan), err)
				}
			case command[0] == "run":
				var lab struct {
					Results struct{ Objectives, Variables int }
				}
				if err := json.Unmarshal([]byte(out), &lab); err != nil ||
					lab.Results.Objectives != len(f.Data) || lab.Results.Variables != len(f.Data[0]) {
					t.Errorf("%v %v: %+v, %v", command, args, lab, err)
				}
			}
		}
	}
}
