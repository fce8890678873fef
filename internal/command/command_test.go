package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image/gif"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/site"
)

// program is a Program whose Serve does nothing.
var program = &Program{Serve: func(context.Context, ServeOptions, io.Writer, io.Writer) error { return nil }}

// invoke runs one command line as the built program does.
func invoke(t testing.TB, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	status = program.Run(args, strings.NewReader(stdin), &out, &err)
	return out.String(), err.String(), status
}

// succeeds runs a command line that must succeed and print nothing on stderr.
func succeeds(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	out, err, status := invoke(t, stdin, args...)
	if status != 0 || err != "" {
		t.Fatalf("%v: status %d, stderr %q", args, status, err)
	}
	return out
}

// remarks runs a command that must succeed and print one remark on stderr. The remark must end with the given words.
func remarks(t testing.TB, words string, args ...string) string {
	t.Helper()
	out, err, status := invoke(t, "", args...)
	if status != 0 || !strings.HasSuffix(err, words+"\n") || strings.Count(err, "\n") != 1 {
		t.Fatalf("%v: status %d, stderr %q, want one line that ends with %q", args, status, err, words)
	}
	return out
}

func fields(m map[string]any) string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func decodeJSON(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %.200q", err, text)
	}
}

// TestHeadlessScenes checks that the list of scenes contains everything that other programs need to draw controls.
func TestHeadlessScenes(t *testing.T) {
	var list []map[string]any
	decodeJSON(t, succeeds(t, "", "scenes"), &list)
	if list[0]["id"] != "fonseca" {
		t.Errorf("the first scene is %v", list[0]["id"])
	}
	for _, name := range []string{"id", "title", "methods", "params", "presets"} {
		if list[0][name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	for _, p := range list[0]["params"].([]any) {
		for _, name := range []string{"name", "label", "symbol", "type", "default", "unit", "help", "live"} {
			if _, ok := p.(map[string]any)[name]; !ok {
				t.Errorf("%v has no %s", p, name)
			}
		}
	}
}

// TestHeadlessRunJSON checks that the output has exactly the fields that programs rely on, and the numbers of the
// requested run.
func TestHeadlessRunJSON(t *testing.T) {
	var record map[string]any
	decodeJSON(t, succeeds(t, "", "run", "-scene", "fonseca", "-set", "R=4", "-set", "method=psmgd,ls", "-start", "0.5,-0.5", "-start",
		"1,1", "-steps", "10", "-json", "-"), &record)
	if got := fields(record); got != "params results runs scene" {
		t.Errorf("fields %s", got)
	}
	runs := record["runs"].([]any)
	if len(runs) != 4 || record["scene"] != "fonseca" || record["params"].(map[string]any)["R"] != 4.0 {
		t.Errorf("%d runs of %v", len(runs), record["scene"])
	}
	run := runs[0].(map[string]any)
	if got := fields(run); got != "iterates method name start status" || run["status"] != "budget" || run["name"] != "psmgd-1" {
		t.Errorf("fields %s of %v", got, run["name"])
	}
	iterates := run["iterates"].([]any)
	if len(iterates) != 11 {
		t.Fatalf("%d iterates of 10 steps", len(iterates))
	}
	for k, it := range iterates {
		it := it.(map[string]any)
		if got := fields(it); got != "bp f k stationarity weights x" || it["k"] != float64(k) || (it["weights"] == nil) != (k == 10) {
			t.Errorf("iterate %d: %v", k, it)
		}
		if want := float64(k + (k+3)/4); it["bp"] != want {
			t.Errorf("iterate %d: %v backpropagations, want %v", k, it["bp"], want)
		}
	}
	if x := iterates[0].(map[string]any)["x"].([]any); x[0] != 0.5 || x[1] != -0.5 {
		t.Errorf("the start is %v", x)
	}
	// The same command line gives the same bytes.
	args := []string{"run", "-scene", "fonseca", "-set", "sigma=0.1", "-steps", "20", "-json", "-"}
	if first := succeeds(t, "", args...); first != succeeds(t, "", args...) {
		t.Error("two calls differ")
	}
}

// TestHeadlessRunFiles checks that one run writes valid files of all kinds, and that "-" means standard output. -every
// must write every n-th iteration and the last.
func TestHeadlessRunFiles(t *testing.T) {
	dir := t.TempDir()
	args := []string{"run", "-scene", "fonseca", "-steps", "10", "-every", "4", "-set", "starts=1"}
	starts := map[string]string{"json": "{", "svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF-"}
	for kind := range starts {
		args = append(args, "-"+kind, filepath.Join(dir, "f."+kind))
	}
	lines, err := csv.NewReader(strings.NewReader(succeeds(t, "", append(args, "-csv", "-")...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var ks []string
	for _, line := range lines {
		ks = append(ks, line[2])
	}
	if !slices.Equal(ks, []string{"k", "0", "4", "8", "10"}) {
		t.Errorf("iterations %v", ks)
	}
	for kind, start := range starts {
		data, err := os.ReadFile(filepath.Join(dir, "f."+kind))
		if err != nil || !strings.HasPrefix(string(data), start) {
			t.Errorf("%s: %.20q, error %v", kind, data, err)
		}
	}
	light := succeeds(t, "", "run", "-scene", "fonseca", "-steps", "3", "-panel", "weights", "-svg", "-")
	dark := succeeds(t, "", "run", "-scene", "fonseca", "-steps", "3", "-panel", "weights", "-theme", "dark", "-svg", "-")
	if light == dark || strings.Contains(light, "Decision space") || !strings.Contains(light, "λ") {
		t.Error("panel or theme have no effect")
	}
	// Without a file, run prints a readable table.
	table := strings.Split(strings.TrimSpace(succeeds(t, "", "run", "-scene", "fonseca", "-set", "starts=2", "-steps", "3")), "\n")
	if len(table) != 3 || !strings.HasPrefix(table[0], "run") || !strings.HasPrefix(table[1], "psmgd-1") {
		t.Errorf("table %q", table)
	}
}

// TestHeadlessPDF checks that the same command line writes the same bytes on another day.
func TestHeadlessPDF(t *testing.T) {
	for scene, more := range map[string][]string{"fonseca": {"-steps", "40"}, "toy": {"-steps", "400"}, "lab": nil} {
		args := append([]string{"run", "-scene", scene, "-pdf", "-"}, more...)
		first := succeeds(t, "", args...)
		if first != succeeds(t, "", args...) {
			t.Errorf("%s: two calls differ", scene)
		}
		for _, entry := range []string{"/CreationDate (D:19700101000000)", "/ModDate (D:19700101000000)"} {
			if !strings.Contains(first, entry) || regexp.MustCompile(`/ID\s*\[`).MatchString(first) {
				t.Errorf("%s: there is no %s, or an ID", scene, entry)
			}
		}
	}
}

// TestHighSheet checks that a sheet higher than a page causes a remark that explains how to draw less. A sheet that
// fits must cause no remark.
func TestHighSheet(t *testing.T) {
	network := []string{"run", "-scene", "network", "-steps", "2", "-set", "method=mgda", "-width", "85mm",
		"-svg", filepath.Join(t.TempDir(), "a.svg")}
	remarks(t, "mm high, but an A4 page has 297 mm; -panel NAME draws only one: reading curve tasks weights age features", network...)
	succeeds(t, "", append(network, "-panel", "age")...)
}

// TestHeadlessPrinted checks that printed pictures have the requested width, and that unsupported widths are rejected.
func TestHeadlessPrinted(t *testing.T) {
	for width, points := range map[string]string{"85mm": "240.945pt", "170mm": "481.89pt"} {
		for _, call := range [][]string{
			{"run", "-scene", "fonseca", "-steps", "3", "-width", width, "-svg", "-"},
			{"run", "-scene", "fonseca", "-steps", "3", "-panel", "objective", "-width", width, "-svg", "-"},
			{"experiment", "fonseca-staleness", "-quick", "-width", width, "-svg", "-"},
		} {
			out, said, status := invoke(t, "", call...)
			if status != 0 || !strings.Contains(out, `<svg width="`+points+`"`) {
				t.Errorf("%v: status %d, %.200s", call, status, out)
			}
			const advice = "; -width 170mm puts the panels side by side\n"
			if high := call[0] == "experiment" && width == "85mm"; high != strings.HasSuffix(said, advice) ||
				!high && said != "" {
				t.Errorf("%v: %q", call, said)
			}
		}
	}
	about := succeeds(t, "", "experiment", "fonseca-staleness", "-quick", "-jobs", "2", "-seeds", "1", "-set", "weighting=cagrad", "-svg", "-")
	if want := "<desc>paretoplay experiment fonseca-staleness -quick -seeds 1 -set weighting=cagrad</desc>"; !strings.Contains(about, want) {
		t.Errorf("no %s in %.500s", want, about)
	}
}

// TestHeadlessErrorLength checks that an error is one line and quotes only a short part of the input.
func TestHeadlessErrorLength(t *testing.T) {
	huge := strings.Repeat("k", 100<<10)
	wild := "\x1b[31m\r\n\t\u2028" + strings.Repeat("\xff", 400)
	for _, text := range []string{huge, wild} {
		for _, c := range []struct {
			stdin string
			args  []string
		}{
			{"", []string{text}}, {"", []string{"-" + text}}, {"", []string{"build", "-" + text}}, {"", []string{"build", text}},
			{"", []string{"run", "-" + text}}, {"", []string{"run", text}},
			{"", []string{"run", "-scene", text}},
			{"", []string{"run", "-scene", "fonseca", "-set", text}}, {"", []string{"run", "-scene", "fonseca", "-set", text + "=1"}},
			{"", []string{"run", "-scene", "fonseca", "-set", "R=" + text}}, {"", []string{"run", "-scene", "fonseca", "-set", "method=" + text}},
			{"", []string{"run", "-scene", "fonseca", "-start", text}}, {"", []string{"run", "-scene", "fonseca", "-theme", text}},
			{"", []string{"run", "-scene", "fonseca", "-steps", text}}, {"", []string{"run", "-scene", "lab", "-data", text}},
			{"", []string{"run", "-scene", "lab", "-csv", "none/" + text}}, {"", []string{"run", "-scene", "lab", "-panel", text, "-svg", "-"}},
			{"", []string{"run", "-scene", "lab", "-set", "gradients=" + text}},
			{"", []string{"experiment", text}}, {"", []string{"experiment", "forum-cost", "-seeds", text}},
			{`{"jacobian": [[1]]}`, []string{"weigh", "-method", text}}, {`{"jacobian": [[1]]}`, []string{"weigh", "-method", "mgda", "-set", text}},
			{`{"jacobian": [[1]]}`, []string{"weigh", "-method", "mgda", "-set", text + "=1"}},
			{`{"jacobian": [[1]]}`, []string{"weigh", "-method", "mgda", "-set", "normalize=" + text}},
			{`{"` + text, []string{"weigh", "-method", "mgda"}}, {`{"` + text + `": 1}`, []string{"hypervolume"}}, {text, []string{"hypervolume"}},
			{`{"jacobian": [[` + text, []string{"weigh", "-method", "mgda"}},
			{`{"` + text, []string{"weigh", "-stream", "-method", "mgda"}}, {"", []string{"weigh", "-stream", "-method", "mgda," + text}},
			{"", []string{"weigh", "-method", "mgda", "-fields", text}}, {text, []string{"replay", "-"}}, {"", []string{"replay", text}},
			{"", []string{"replay", "-", "-method", text}}, {"", []string{"replay", "-", "-periods", text}},
			{`{"` + text + `": [1]}`, []string{"replay", "-"}}, {"", []string{"replay", "-", "-from", text}},
			{"", []string{"replay", "-", "-set", "mgda." + text + "=1"}},
			{"", []string{"replay", "-", "-method", "ls", "-set", "ls.weights=" + text}},
		} {
			out, said, status := invoke(t, c.stdin, c.args...)
			if slices.Contains(c.args, "-stream") && c.stdin != "" { // the answer to the line contains the error
				for line := range strings.Lines(out) {
					if utf8.RuneCountInString(line) > 350 || !strings.HasPrefix(line, `{"line":`) {
						t.Errorf("%.60q with %.20q is answered by %.400q", c.args, c.stdin, line)
					}
				}
				out = ""
			}
			if status != 2 || out != "" || utf8.RuneCountInString(said) > 301 || strings.Count(said, "\n") != 1 || !utf8.ValidString(said) ||
				strings.ContainsAny(said, "\x1b\r\u2028") {
				t.Errorf("%.60q with %.20q: status %d, stdout %.60q, stderr of %d bytes: %.400q", c.args, c.stdin, status, out, len(said), said)
			}
		}
	}
}

// TestHeadlessWeigh checks that weigh writes one object for one method, and a list for all methods.
func TestHeadlessWeigh(t *testing.T) {
	const jacobian = `{"jacobian": [[1,0],[0,2]]}`
	var one map[string]any
	decodeJSON(t, succeeds(t, jacobian, "weigh", "-method", "mgda", "-set", "normalize=l2"), &one)
	if got := fields(one); got != "cosines direction effective gap method norm rates stationarity status weights" || one["method"] != "mgda" ||
		one["weights"].([]any)[0] != 0.5 {
		t.Errorf("%s: %v", got, one)
	}
	var all []map[string]any
	decodeJSON(t, succeeds(t, jacobian, "weigh", "-method", "all"), &all)
	var names []string
	for _, o := range all {
		names = append(names, o["method"].(string))
	}
	for _, want := range []string{"ls", "mgda", "psmgd", "crmogm", "smg"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among all: %v", want, names)
		}
	}
}

// TestHeadlessHypervolume checks that hypervolume writes one number.
func TestHeadlessHypervolume(t *testing.T) {
	var solved map[string]any
	decodeJSON(t, succeeds(t, `{"cost": [[1,2],[3,1]], "a": [0.5,0.5], "b": [0.4,0.6], "tau": 0}`, "transport", "-solver", "sinkhorn",
		"-set", "eps=0.01"), &solved)
	if got := fields(solved); got != "bound converged cost duals gap iterations marginal_error objective plan reg solver values" ||
		solved["solver"] != "sinkhorn" {
		t.Errorf("transport writes %v", solved)
	}
	if got := succeeds(t, `{"points": [[0.25,0.5]], "reference": [1,1]}`, "hypervolume"); got != "{\"hypervolume\":0.375,\"ignored\":0}\n" {
		t.Errorf("%q", got)
	}
}

// TestHeadlessExperiment checks that experiment writes all kinds of files and resumes from a file.
func TestHeadlessExperiment(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	out := succeeds(t, "", "experiment", "fonseca-staleness", "-quick", "-jobs", "2", "-csv", path("a.csv"), "-json", path("a.json"),
		"-svg", path("a.svg"), "-pdf", path("a.pdf"))
	if out != "" {
		t.Errorf("beside files, standard output has %.80q", out)
	}
	full, err := os.ReadFile(path("a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(full), "\n")
	if err := os.WriteFile(path("b.csv"), []byte(strings.Join(lines[:20], "")), 0o666); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "", "experiment", "fonseca-staleness", "-quick", "-jobs", "1", "-resume", "-csv", path("b.csv"))
	resumed, err := os.ReadFile(path("b.csv"))
	if err != nil || string(resumed) != string(full) {
		t.Errorf("resumed, the file differs: error %v", err)
	}
	for name, start := range map[string]string{"a.json": `{"cells"`, "a.svg": "<?xml", "a.pdf": "%PDF-"} {
		data, err := os.ReadFile(path(name))
		if err != nil || !strings.HasPrefix(string(data), start) {
			t.Errorf("%s: %.20q, error %v", name, data, err)
		}
	}
	if out := succeeds(t, "", "experiment", "fonseca-staleness", "-quick", "-resume", "-csv", path("none.csv")); out != "" {
		t.Errorf("standard output has %.80q", out)
	}
	if again, err := os.ReadFile(path("none.csv")); err != nil || string(again) != string(full) {
		t.Errorf("from a file that was not there: error %v", err)
	}
	if out := succeeds(t, "", "experiment", "fonseca-staleness", "-quick"); out != string(full) {
		t.Error("without a file, CSV does not go to standard output")
	}
}

// TestHeadlessHelp checks that every command prints its help on standard output.
func TestHeadlessHelp(t *testing.T) {
	for name := range commands {
		for _, flag := range []string{"-h", "-help", "--help"} {
			out := succeeds(t, "", name, flag)
			if !strings.Contains(out, "paretoplay "+name) || len(strings.Fields(out)) < 10 {
				t.Errorf("%s %s: %q", name, flag, out)
			}
			for _, e := range Experiments {
				if name == "experiment" && !strings.Contains(out, e.Name+" ") {
					t.Errorf("%s %s does not name %s: %q", name, flag, e.Name, out)
				}
			}
		}
	}
}

// TestHeadlessBadInput checks that bad input causes exit status 2 and no standard output. Standard error must be one
// line that names the problem and its place.
func TestHeadlessBadInput(t *testing.T) {
	dir := t.TempDir()
	run := func(more ...string) []string { return append([]string{"run", "-scene", "fonseca"}, more...) }
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	csvFile, empty, ragged := write("g.csv", "1,0\n0,2\n"), write("empty.csv", "\n"), write("ragged.csv", "1,0\n2\n")
	wide := write("wide.csv", strings.Repeat("1,", data.MaxPastedColumns)+"1\n")
	const cell = "0.1,0,1,15,200,1,0.06666666666666667,0\n"
	twice := write("twice.csv", "eta,momentum,R,runs,steps,collapsed,share,age\n"+cell+cell)
	numPy := write("gradients.npy", "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }\n")
	utf16 := write("utf16.csv", "\xff\xfe1\x00,\x000\x00\n\x00")
	const jacobian = `{"jacobian": [[1,0],[0,2]]}`
	for _, c := range []struct {
		args  []string
		stdin string
		want  string
	}{
		{[]string{"zzz"}, "", `unknown command "zzz"`},
		{run("-width", "86mm", "-pdf", "-"), "", `-width: unknown width "86mm" of a printed figure; available: 85mm 170mm`},
		{run("-width", "", "-pdf", "-"), "", `-width: unknown width ""`},
		{run("-code", "perl"), "", "-code \"perl\": unknown language; available: go and python"},
		{run("-o", "x.go"), "", "-o x.go: there is no program to write"},
		{[]string{"run", "-scene", "toy", "-code", "go"}, "", "a program has one method, but 5 methods run"},
		{[]string{"run", "-scene", "clusters", "-set", "method=wmgda", "-code", "go"}, "", "there is no Go program for"},
		{run("-width", "85mm", "-csv", "-"), "", "-width 85mm: there is no picture output; add -svg or -png or -pdf"},
		{[]string{"experiment", "zdt", "-width", "9e9mm", "-pdf", "-"}, "", "-width: "},
		{[]string{"experiment", "zdt", "-width", "85mm"}, "", "-width 85mm: there is no picture output; add -svg or -pdf"},
		{[]string{"scenes", "-zzz"}, "", "-zzz"},
		{[]string{"scenes", "zzz"}, "", `"zzz"`},
		{[]string{"run"}, "", "-scene is missing"},
		{[]string{"run", "-scene", "zzz"}, "", `unknown scene "zzz"; available: fonseca`},
		{run("-zzz"), "", "-zzz"},
		{run("zzz"), "", `"zzz"`},
		{run("-set", "zzz=1"), "", `unknown parameter "zzz"; available: R `},
		{run("-set", "R"), "", "name=value"},
		{run("-set", "R=4", "-set", "R=4"), "", "R is given twice"},
		{run("-set", "R=0"), "", "R = 0: use a whole number from 1 to 64"},
		{run("-set", "R=1.5"), "", "R = 1.5"},
		{run("-set", "eta=NaN"), "", "eta = "},
		{run("-set", "eta=1e999"), "", "eta = "},
		{run("-set", "method=newton"), "", "method = "},
		{run("-set", "method=psmgd,newton"), "", "newton"},
		{run("-set", "method="), "", "method = "},
		{run("-set", "a\nb=1"), "", "unknown parameter"},
		{run("-start", "1"), "", "start 1 has 1 coordinates; the scene has 2 variables"},
		{run("-start", "1,2,3"), "", "3 coordinates"},
		{run("-start", "1,x"), "", "start = "},
		{run("-start", "1,1e9"), "", "start"},
		{run("-start", ""), "", "start"},
		{run("-start", "1,2;3,4"), "", "start"},
		{run("-steps", "0"), "", "-steps 0"},
		{run("-steps", "-1"), "", "-steps -1"},
		{run("-steps", "x"), "", "-steps"},
		{run("-steps", "1000000000"), "", "budget"},
		{[]string{"run", "-scene", "lab", "-steps", "3"}, "", "-steps 3: the scene lab has no step budget"},
		{run("-every", "0"), "", "-every 0"},
		{run("-steps", "3", "-steps", "4"), "", "twice"},
		{run("-scene", "toy"), "", "twice"},
		{[]string{"run", "-scene", "lab", "-data", utf16}, "", "utf16.csv: the text is UTF-16; save it as UTF-8"},
		{[]string{"run", "-scene", "lab", "-data", numPy}, "", "gradients.npy: the array: the file ends in the middle of it"},
		{[]string{"run", "-scene", "regression", "-set", "r=2", "-set", "problem=yours"}, "", "problem = yours needs -data, a file"},
		{[]string{"run", "-scene", "blocks", "-set", "problem=yours"}, "", "problem = yours needs -data, a file"},
		{[]string{"run", "-scene", "ordering", "-set", "problem=yours"}, "", "problem = yours needs -data, a file"},
		{[]string{"run", "-scene", "clusters", "-set", "layout=data"}, "", "layout = data needs -data, a file"},
		{[]string{"run", "-scene", "transport", "-set", "costs=data"}, "", "costs = data needs -data, a file"},
		{[]string{"run", "-scene", "lab", "-set", "view=data"}, "", "view = data needs -data, a file"},
		{run("-theme", "sepia"), "", "sepia"},
		{run("-steps", "1", "-panel", "zzz", "-svg", "-"), "", `unknown panel "zzz" of the scene fonseca; available: decision objective`},
		{run("-steps", "1", "-panel", "weights"), "", "there is no picture output"},
		{run("-steps", "1", "-json", "-", "-csv", filepath.Join(dir, "none", "f.csv")), "", "none"},
		{run("-data", csvFile), "", "the scene fonseca takes no data; scenes that do: lab"},
		{[]string{"run", "-scene", "lab", "-data", filepath.Join(dir, "none.csv")}, "", "none.csv: no such file"},
		{[]string{"run", "-scene", "lab", "-data", ""}, "", "-data"},
		{[]string{"run", "-scene", "lab", "-data", dir}, "", "-data " + dir},
		{[]string{"run", "-scene", "lab", "-data", empty}, "", "the file is empty"},
		{[]string{"run", "-scene", "lab", "-data", ragged}, "", "ragged.csv: line 2, column 2: row 2 has 1 numbers, row 1 has 2"},
		{[]string{"run", "-scene", "lab", "-data", wide}, "", "row 1 has more than 10000 numbers"},
		{[]string{"run", "-scene", "lab", "-data", csvFile, "-set", "view=plane"}, "", "view = plane contradicts the data"},
		{[]string{"run", "-scene", "lab", "-data", csvFile, "-set", "method=newton"}, "", "newton"},
		{[]string{"weigh"}, jacobian, "-method is missing; available: ls "},
		{[]string{"weigh", "-method", "newton"}, jacobian, `unknown method "newton"; available: ls `},
		{[]string{"weigh", "-method", "mgda"}, "", "empty"},
		{[]string{"weigh", "-method", "mgda"}, "{\n\"jacobian\": [[1,]]}", "line 2, column 17"},
		{[]string{"weigh", "-method", "mgda"}, `{"jacobian": [[1,2],[3]]}`, "row 2"},
		{[]string{"weigh", "-method", "mgda"}, `{"jacobian": [[NaN]]}`, "line 1"},
		{[]string{"weigh", "-method", "mgda"}, `{"jacobian": [[null]]}`, "null"},
		{[]string{"weigh", "-method", "mgda", "-set", "zzz=1"}, jacobian, `unknown parameter "zzz"`},
		{[]string{"weigh", "-method", "mgda", "-set", "normalize"}, jacobian, "name=value"},
		{[]string{"weigh", "-method", "mgda", "-set", "normalize=loss"}, jacobian, "losses"},
		{[]string{"weigh", "-method", "all", "-set", "normalize=l2"}, jacobian, "-set"},
		{[]string{"transport"}, "", "empty"},
		{[]string{"transport", "-solver", "newton"}, "", `unknown solver "newton"; available: exact ipot sinkhorn`},
		{[]string{"transport"}, `{"cost": [[1]], "a": [1], "b": [2]}`, "sums of a and b"},
		{[]string{"transport"}, `{"cost": [[1,2],[3]]}`, "row 2 has 1 numbers, row 1 has 2"},
		{[]string{"transport"}, `{"cost": [[1],[1]], "a": [2,-1], "b": [1]}`, "a[1] = -1"},
		{[]string{"transport", "-set", "eps=1"}, `{"cost": [[1]], "a": [1], "b": [1]}`, `unknown parameter "eps": exact has`},
		{[]string{"transport", "-solver", "ipot", "-set", "beta"}, "", "name=value"},
		{[]string{"transport", "zzz"}, "", `"zzz"`},
		{[]string{"hypervolume"}, "", "empty"},
		{[]string{"hypervolume"}, "{", "the input ends in the middle"},
		{[]string{"hypervolume"}, "\xff\xfe{\x00}\x00", "UTF-16"},
		{[]string{"weigh", "-method", "mgda"}, "\xfe\xff\x00{\x00}", "UTF-16"},
		{[]string{"experiment", "fonseca-staleness", "-resume", "-csv", utf16}, "", "-resume: the text is UTF-16"},
		{[]string{"hypervolume"}, `{"points": [[1,2],[1]], "reference": [3,3]}`, "1"},
		{[]string{"hypervolume", "-zzz"}, "", "-zzz"},
		{[]string{"help", "zzz"}, "", `unknown command "zzz"`},
		{[]string{"weigh", "-method", "mgda", "-set", "normalize=l2", "-set", "normalize=l2"}, jacobian, "normalize is given twice"},
		{[]string{"experiment", "fonseca-staleness", "-quick", "-resume", "-csv", twice}, "", "-resume: line 3: the same cell as line 2"},
		{[]string{"experiment"}, "", "available: fonseca-staleness"},
		{[]string{"experiment", "zzz"}, "", `unknown experiment "zzz"`},
		{[]string{"experiment", "fonseca-staleness", "-seeds", "0"}, "", "-seeds 0"},
		{[]string{"experiment", "fonseca-staleness", "-jobs", "0"}, "", "-jobs 0"},
		{[]string{"experiment", "fonseca-staleness", "-zzz"}, "", "-zzz"},
		{[]string{"experiment", "fonseca-noise", "-hvpprice", "2"}, "", "-hvpprice: fonseca-noise does not count"},
		{[]string{"experiment", "forum-cost", "-hvpprice", "0"}, "", "-hvpprice 0: allowed is 1 to 4"},
		{[]string{"experiment", "forum-cost", "-hvpprice", "4.5"}, "", "-hvpprice 4.5"},
		{[]string{"experiment", "fonseca-staleness", "zzz"}, "", `"zzz"`},
		{[]string{"experiment", "fonseca-staleness", "-data", filepath.Join(dir, "none")}, "", "none"},
		{[]string{"experiment", "fonseca-staleness", "-data", "command.go"}, "", "-data"},
		{[]string{"experiment", "fonseca-staleness", "-resume"}, "", "-csv"},
		{[]string{"experiment", "fonseca-staleness", "-resume", "-csv", "-"}, "", "-csv"},
		{[]string{"experiment", "fonseca-staleness", "-resume", "-csv", "command.go"}, "", "-resume"},
	} {
		before, err := os.Stat("command.go")
		if err != nil {
			t.Fatal(err)
		}
		out, text, status := invoke(t, c.stdin, c.args...)
		if status != 2 || out != "" || strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") ||
			!strings.HasPrefix(text, "paretoplay") || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, stdout %.60q, stderr %q, want one line with %q", strconv.Quote(strings.Join(c.args, " ")), status, out,
				text, c.want)
		}
		if after, err := os.Stat("command.go"); err != nil || after.Size() != before.Size() {
			t.Fatalf("%v changed its input", c.args)
		}
	}
}

// TestHeadlessLab checks that a scene without runs still writes results, a table and pictures.
func TestHeadlessLab(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "lab.png")
	var record struct {
		Runs    []any
		Params  map[string]any
		Results struct {
			Methods []struct {
				Method    string
				Weights   []float64
				Direction []float64
			}
		}
	}
	decodeJSON(t, succeeds(t, "", "run", "-scene", "lab", "-set", "gradients=1,0;0,1", "-set", "method=mgda,cagrad", "-set", "cagrad.c=0",
		"-json", "-", "-png", picture), &record)
	methods := record.Results.Methods
	if record.Runs == nil || len(record.Runs) != 0 || record.Params["cagrad.c"] != 0.0 || len(methods) != 2 {
		t.Fatalf("record %+v", record)
	}
	for _, m := range methods {
		if len(m.Direction) != 2 || m.Direction[0] != 0.5 || m.Direction[1] != 0.5 {
			t.Errorf("%s: %+v", m.Method, m)
		}
	}
	if data, err := os.ReadFile(picture); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("the picture: %v", err)
	}
	if table := succeeds(t, "", "run", "-scene", "lab"); !strings.Contains(table, "\nmgda ") {
		t.Errorf("table %s", table)
	}
	lines, err := csv.NewReader(strings.NewReader(succeeds(t, "", "run", "-scene", "lab", "-csv", "-"))).ReadAll()
	if err != nil || len(lines) != 5 || lines[0][0] != "method" {
		t.Errorf("csv %v, error %v", lines, err)
	}
	for _, args := range [][]string{{"-steps", "3"}, {"-start", "1,2"}, {"-set", "gradients=1,2"}, {"-set", "view=zzz"}} {
		if out, text, status := invoke(t, "", append([]string{"run", "-scene", "lab"}, args...)...); status != 2 || out != "" || text == "" {
			t.Errorf("%v: status %d, %q, %q", args, status, out, text)
		}
	}
}

// TestHeadlessData checks that a Jacobian from a file gives the same result as weigh, in every format that the page
// accepts.
func TestHeadlessData(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"g.csv":    "a,b,c\n1,2,3\n-4,0.5,6\n-1,-1,0\n",
		"g.json":   `{"jacobian": [[1,2,3],[-4,0.5,6],[-1,-1,0]], "losses": [1,1,1]}`,
		"bare.txt": "[[1,2,3],[-4,0.5,6],[-1,-1,0]]",
	} {
		file, picture := filepath.Join(dir, name), filepath.Join(dir, name+".svg")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var record struct {
			Params  map[string]any
			Results struct {
				Objectives, Variables, Conflicts int
				Pending                          bool
				Methods                          []struct {
					Method             string
					Weights, Direction []float64
				}
			}
		}
		args := []string{"run", "-scene", "lab", "-data", file, "-set", "method=mgda,upgrad", "-json", "-", "-svg", picture}
		if name == "g.csv" {
			decodeJSON(t, remarks(t, "g.csv: line 1 is the heading: a, b, c", args...), &record)
		} else {
			decodeJSON(t, succeeds(t, "", args...), &record)
		}
		r := record.Results
		if record.Params["view"] != "data" || r.Objectives != 3 || r.Variables != 3 || r.Conflicts != 1 || r.Pending || len(r.Methods) != 2 {
			t.Fatalf("%s: %+v", name, record)
		}
		for _, m := range r.Methods {
			var weighed struct{ Weights, Direction []float64 }
			decodeJSON(t, succeeds(t, `{"jacobian": [[1,2,3],[-4,0.5,6],[-1,-1,0]]}`, "weigh", "-method", m.Method), &weighed)
			if !slices.Equal(m.Weights, weighed.Weights) || !slices.Equal(m.Direction, weighed.Direction) {
				t.Errorf("%s: %s decides %+v, weigh %+v", name, m.Method, m, weighed)
			}
		}
		if drawn, err := os.ReadFile(picture); err != nil || !strings.Contains(string(drawn), "Angles between directions") {
			t.Errorf("%s: the picture: %v", name, err)
		}
	}
	if table := remarks(t, "heading: a, b, c", "run", "-scene", "lab", "-data", filepath.Join(dir, "g.csv"), "-set",
		"view=data"); !strings.Contains(table, "\nmgda ") {
		t.Errorf("table %s", table)
	}
	if help := succeeds(t, "", "run", "-h"); !strings.Contains(help, "-data file") || !strings.Contains(help, "-data jacobian.csv") {
		t.Errorf("help %s", help)
	}
}

// TestHeadlessCost checks that a measurement finishes, both in the scene and as an experiment. The experiment must
// print a table if no file is requested, and resume from its file.
func TestHeadlessCost(t *testing.T) {
	var record struct {
		Runs    []any
		Results struct {
			Pending bool
			Cells   []struct {
				Method string
				T, HVP int
				Time   float64
			}
		}
	}
	args := []string{"run", "-scene", "bilevelcost", "-set", "repetitions=1", "-set", "m=3"}
	decodeJSON(t, succeeds(t, "", append(args, "-json", "-")...), &record)
	if len(record.Runs) != 0 || record.Results.Pending || len(record.Results.Cells) != 36 {
		t.Fatalf("record %+v", record)
	}
	for _, c := range record.Results.Cells {
		if c.Method == "moco" && c.HVP != 3*c.T || !(c.Time > 0) {
			t.Errorf("cell %+v", c)
		}
	}
	if table := succeeds(t, "", args...); strings.Count(table, "\n") != 37 || !strings.Contains(table, "\nforum ") {
		t.Errorf("table %s", table)
	}
	if table := succeeds(t, "", "experiment", "forum-cost", "-quick"); !strings.Contains(table, "HVP") ||
		!strings.Contains(table, "\nMOML forward ") {
		t.Errorf("table %s", table)
	}
	file := filepath.Join(t.TempDir(), "cost.csv")
	resume := []string{"experiment", "forum-cost", "-quick", "-resume", "-csv", file}
	succeeds(t, "", resume...)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The file is complete: nothing is measured again, so all times stay the same.
	succeeds(t, "", resume...)
	if second, err := os.ReadFile(file); err != nil || string(second) != string(first) {
		t.Errorf("a finished file changes, error %v", err)
	}
	if _, text, status := invoke(t, "", "experiment", "forum-cost", "-resume", "-csv", file); status != 2 ||
		!strings.Contains(text, "line 2: not a cell of this figure") {
		t.Errorf("a file of other sizes: status %d, %q", status, text)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"-help"}, {"--help"}, {"help"}, {"help", "-h"}} {
		stdout, stderr, status := invoke(t, "", args...)
		if status != 0 || stderr != "" {
			t.Errorf("%q: status %d, %q", args, status, stderr)
		}
		for _, word := range []string{"build", "scenes", "run", "weigh", "transport", "hypervolume", "experiment", "claims", "licences",
			"-addr", "-open", "-o "} {
			if !strings.Contains(stdout, word) {
				t.Errorf("%q: the help lacks %q", args, word)
			}
		}
	}
}

// TestHelpListsCommands checks that help lists exactly the commands that exist.
func TestHelpListsCommands(t *testing.T) {
	listed := map[string]bool{"serve": true} // the help lists serve by its flags, without its name
	for _, match := range regexp.MustCompile(`paretoplay ([a-z]+)`).FindAllStringSubmatch(usageText, -1) {
		name := match[1]
		listed[name] = true
		if stdout, stderr, status := invoke(t, "", name, "-h"); status != 0 || stdout == "" || stderr != "" {
			t.Errorf("%s -h: status %d, %q, %q", name, status, stdout, stderr)
		}
	}
	for name := range commands {
		if !listed[name] {
			t.Errorf("the help does not list %s", name)
		}
	}
}

// TestWeighHelp checks that -h after a method explains all its parameters and their options.
func TestWeighHelp(t *testing.T) {
	for _, m := range weighting.Methods {
		help := succeeds(t, "", "weigh", "-method", m.Name, "-h")
		for _, d := range m.Parameters() {
			for _, part := range append([]param.Option{{Value: d.Name + "=", Help: d.Help}}, d.Options...) {
				if !strings.Contains(help, part.Value) || !strings.Contains(help, part.Help) {
					t.Errorf("-method %s -h does not explain %s", m.Name, part.Value)
				}
			}
		}
	}
	if plain := succeeds(t, "", "weigh", "-h"); strings.Contains(plain, "Parameters of") {
		t.Error("-h explains parameters of no method")
	}
	if held := succeeds(t, "", "weigh", "-method", "psmgd", "-h"); !strings.Contains(held, "Parameters of psmgd") {
		t.Error("-method psmgd -h does not explain MGDA's parameters, which it takes")
	}
}

// TestExitStatus checks that bad input causes exit status 2 and one line, and that a fault causes status 1 and its
// whole message.
func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
		says string
	}{
		{nil, 0, ""},
		{errors.New("no\nsuch thing"), 2, "paretoplay build: no; such thing\n"},
		{site.InputError{Err: errors.New("-o is taken")}, 2, "paretoplay build: -o is taken\n"},
		{Fault{errors.New("line 1\nline 2")}, 1, "paretoplay build: line 1\nline 2\n"},
		{Fault{fmt.Errorf("compiling: %w", context.Canceled)}, 1, "paretoplay build: interrupted\n"},
	} {
		var said strings.Builder
		if got := exitStatus("build", c.err, &said); got != c.want || said.String() != c.says {
			t.Errorf("%v: status %d, %q", c.err, got, said.String())
		}
	}
}

func TestTry(t *testing.T) {
	table := succeeds(t, "", "run", "-scene", "clusters", "-try", "K=2,5", "-csv", "-")
	if lines := strings.Split(strings.TrimSpace(table), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "K,") {
		t.Errorf("it writes %q", table)
	}
	if said := succeeds(t, "", "run", "-scene", "clusters", "-try", "method=most;most,mgda"); !strings.Contains(said, "most,mgda") {
		t.Errorf("it says %q", said)
	}
	for _, bad := range []string{"nothing", "K=1", "K=0,2", "start"} {
		if _, message, status := invoke(t, "", "run", "-scene", "clusters", "-try", bad); status != 2 || !strings.Contains(message, "-try "+bad) {
			t.Errorf("-try %s: status %d, %q", bad, status, message)
		}
	}
}

// TestRunWritesPrograms checks that -code writes the run as a program to standard output, or to the file that -o names.
// Other outputs must be written as well.
func TestRunWritesPrograms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.py")
	table := succeeds(t, "", "run", "-scene", "fonseca", "-steps", "20", "-code", "python", "-o", file, "-csv", "-")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "STEPS, ETA, STARTS = 20, 0.3,") || !strings.HasPrefix(table, "run,method,k") {
		t.Errorf("%v: %.100q beside %.60q", err, text, table)
	}
	beside := filepath.Join(t.TempDir(), "beside.py")
	succeeds(t, "", "run", "-scene", "fonseca", "-code", "python", beside, "-steps", "20")
	if same, err := os.ReadFile(beside); err != nil || string(same) != string(text) {
		t.Errorf("%v: with its file behind the language the program is another one", err)
	}
	if text := succeeds(t, "", "run", "-scene", "fonseca", "-steps", "20", "-code", "go"); !strings.HasPrefix(text, "// PSMGD on") ||
		!strings.Contains(text, "for range 20 {") {
		t.Errorf("the program is %.200q", text)
	}
}

// TestRunWritesClips checks that -gif writes a film of the default panel, or of the panel that -panel names. Every call
// must write the same bytes.
func TestRunWritesClips(t *testing.T) {
	args := []string{"run", "-scene", "fonseca", "-steps", "12", "-gif", "-"}
	front := succeeds(t, "", args...)
	film, err := gif.DecodeAll(strings.NewReader(front))
	if err != nil || len(film.Image) != 13 || succeeds(t, "", args...) != front {
		t.Errorf("%v, or two calls differ", err)
	}
	if weights := succeeds(t, "", append(args, "-panel", "weights")...); weights == front || !strings.HasPrefix(weights, "GIF89a") {
		t.Errorf("the clip of another panel begins with %q", weights[:6])
	}
}
