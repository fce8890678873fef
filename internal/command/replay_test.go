package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/data"
)

var shippedLogs = []string{"digits-two", "digits-eight", "digits-units"}

func shippedLog(name string) string {
	return filepath.Join("..", "..", "algo", "runlog", "digits", name+".npz")
}

// TestReplayVerdict checks that replay without output files prints at most 36 lines in plain words, including the log's
// limits.
func TestReplayVerdict(t *testing.T) {
	for _, name := range shippedLogs {
		for _, flags := range [][]string{nil, {"-method", "all"}, {"-method", "upgrad,mgda", "-window", "20", "-from", "200"}} {
			out := succeeds(t, "", append([]string{"replay", shippedLog(name)}, flags...)...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(lines) > 36 {
				t.Errorf("%s %v: %d lines", name, flags, len(lines))
			}
			for _, line := range lines {
				if utf8.RuneCountInString(line) > 80 {
					t.Errorf("%s: %q is wider than a screen", name, line)
				}
			}
			said := strings.Join(strings.Fields(out), " ")
			if !strings.HasSuffix(said, runlog.Limits) || strings.Count(out, "\n- ") != 9 {
				t.Errorf("%s %v says\n%s", name, flags, out)
			}
		}
	}
	for name, says := range map[string][]string{
		"digits-two": {"0 % of all pairs of gradients conflict if averaged over 50 records, 49 % on single batches. The conflict is mostly noise",
			"keep the sum of the losses",
			"there is nothing for a method to improve", "in 30 % on an independent batch. There, equal weights do so in 31 %"},
		"digits-eight": {"51 % of all pairs of gradients conflict if averaged over 50 records, 55 % on single batches",
			"in 43 % of single records (mean harm .048)",
			"in 83 % on an independent batch. There, equal weights do so in 90 %", "CAGrad, UPGrad or fixed weights",
			"If held for 8 records, their harm is .105"},
		"digits-units": {"72 % of all pairs of gradients conflict if averaged over 50 records, 55 % on single batches",
			"multiply the losses by .39 2.37 .23", "The scale of the losses matters more than the method",
			"in 66 % on an independent batch. There, equal weights do so in 71 %", "If held for 8 records, their harm is .032"},
	} {
		said := strings.Join(strings.Fields(succeeds(t, "", "replay", shippedLog(name))), " ")
		for _, want := range says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, said)
			}
		}
	}
}

// TestReplayTrial checks that the program for trying the verdict's advice uses the log's weights, and only rules that
// paretotrial.py supports.
func TestReplayTrial(t *testing.T) {
	said := succeeds(t, "", "replay", shippedLog("digits-units"), "-trial", "-")
	rules, err := os.ReadFile(filepath.Join("..", "..", "docs", "recorder", "paretotrial.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#   “task 0”\n#   “task 1”\n", "    \"scaled\": [0.393, 2.37, 0.234],\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	for _, rule := range []string{"cagrad", "upgrad"} {
		if !strings.Contains(said, fmt.Sprintf("    %q: %q,\n", rule, rule)) || !strings.Contains(string(rules), "\ndef "+rule+"(gramian") {
			t.Errorf("%s is not in\n%s", rule, said)
		}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		run := exec.Command(python, "-c", "import sys; compile(sys.stdin.read(), 'trial', 'exec')")
		run.Stdin = strings.NewReader(said)
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestReplayFiles(t *testing.T) {
	data, err := os.ReadFile(shippedLog("digits-units"))
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	decodeJSON(t, succeeds(t, string(data), "replay", "-", "-method", "mgda,graddrop,ls", "-set", "ls.weights=0.2,0.3,0.5",
		"-periods", "4,2", "-json", "-"), &report)
	want := "absent conflict_share equal loss_ends methods names norm_ratio objectives omega pairs records scaled_weights signal stride " +
		"verdict"
	if got := fields(report); got != want {
		t.Errorf("fields %s, want %s", got, want)
	}
	methods := report["methods"].([]any)
	method := methods[0].(map[string]any)
	want = "fixed harm hurt independent mean_weights method stale undecided"
	if got := fields(method); got != want || method["method"] != "mgda" {
		t.Errorf("fields of a method %s, want %s", got, want)
	}
	if stale := method["stale"].([]any); len(stale) != 3 || fields(stale[2].(map[string]any)) != "R backprops harm hurt" {
		t.Errorf("stale %v", stale)
	}
	if w := methods[1].(map[string]any)["mean_weights"].([]any); len(w) != 3 || w[2].(float64) < 0.4999 || w[2].(float64) > 0.5001 {
		t.Errorf("given weights come to %v", w)
	}
	if absent := report["absent"].([]any); len(absent) != 1 || fields(absent[0].(map[string]any)) != "method why" {
		t.Errorf("absent %v", absent)
	}
	var ids []string
	for _, s := range report["verdict"].([]any) {
		sentence := s.(map[string]any)
		got := fields(sentence)
		if got == "claim confirmed holds id text" {
			got = strings.TrimPrefix(got, "claim confirmed ") + strings.TrimPrefix(fields(sentence["confirmed"].(map[string]any)), "of right")
		}
		if got != "holds id text" {
			t.Errorf("a sentence %v", sentence)
		}
		ids = append(ids, sentence["id"].(string))
	}
	if got := strings.Join(ids, " "); got != "advice pairs sum promise age units fixed trade end" {
		t.Errorf("sentences %s", got)
	}
	table := succeeds(t, "", "replay", "-periods", "1,2", "-csv", "-", shippedLog("digits-two"))
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 5 || strings.Join(rows[0], " ") != "method weights R hurt harm independent backprops" {
		t.Errorf("%v, %v", rows, err)
	}
}

// sheet returns the title and the texts of an SVG file. It fails the test if the file is missing.
func sheet(t *testing.T, svg string) (title, said string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	var within []string
	var words []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return title, strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			within = append(within, e.Name.Local)
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			switch {
			case len(within) == 0:
			case within[len(within)-1] == "title":
				title += string(e)
			case within[len(within)-1] == "text":
				words = append(words, string(e))
			}
		}
	}
}

// TestReplaySheet checks that -svg draws every panel of the scene, with the whole verdict beside the panels. The cases
// are a sheet with and without other outputs, a sheet for a part of a log, and a sheet for many objectives with long
// names.
func TestReplaySheet(t *testing.T) {
	panels := []string{"Conflict over the steps", "Who is hurt", "How old may weights be?", "Weights of the method",
		"Lengths of the gradients", "Losses", "Gradients at the marker", "The verdict"}
	var many strings.Builder
	const objectives = 14
	for k := range 6 {
		names, losses, rows := make([]string, objectives), make([]string, objectives), make([]string, objectives)
		for i := range objectives {
			names[i], losses[i] = fmt.Sprintf("\"the loss with a long name, <%d> & others\"", i), "1"
			row := make([]string, objectives)
			for j := range row {
				row[j] = "-0.05"
			}
			row[i] = fmt.Sprint(i + k + 1)
			rows[i] = "[" + strings.Join(row, ",") + "]"
		}
		list := func(parts []string) string { return "[" + strings.Join(parts, ",") + "]" }
		fmt.Fprintf(&many, "{\"losses\": %s, \"gramian\": %s, \"cross\": %s", list(losses), list(rows), list(rows))
		if k == 0 {
			fmt.Fprintf(&many, ", \"names\": %s", list(names))
		}
		many.WriteString("}\n")
	}
	for _, c := range []struct {
		input, log string
		flags      []string
		says       []string
	}{
		{"", shippedLog("digits-two"), nil, []string{"32 (1.03,", "paretoplay replay digits-two.npz"}},
		{"", shippedLog("digits-eight"), []string{"-from", "200", "-to", "800", "-window", "20", "-bound", "0.1", "-periods", "2,64"},
			[]string{"steps 200 to 800", "averaged over 20 records", "64 (1.11", "-from 200"}},
		{"", shippedLog("digits-units"), []string{"-method", "all"}, []string{"UPGrad", "CR-MOGM", "PSMGD", "DualProj"}},
		{"", shippedLog("digits-units"), []string{"-method", "ls", "-set", "ls.weights=0.2,0.3,0.5"},
			[]string{"Linear scalarization", "-set ls.weights=0.2,0.3,0.5"}},
		{"", shippedLog("digits-two"), []string{"-method", "famo"}, []string{"FAMO is absent"}},
		{many.String(), "-", []string{"-window", "2"}, []string{"Pairs at the marker", "above: mean of steps 0 to 1"}},
	} {
		args := append([]string{"replay", c.log, "-svg", "-"}, c.flags...)
		title, said := sheet(t, succeeds(t, c.input, args...))
		if !strings.Contains(title, "objectives, steps") {
			t.Errorf("%v: the title is %q", c.flags, title)
		}
		for _, want := range append(c.says, panels...) {
			if !strings.Contains(said, want) {
				t.Errorf("%s %v: %q is not in the picture, which says\n%s", c.log, c.flags, want, said)
			}
		}
		var report struct{ Verdict []runlog.Sentence }
		decodeJSON(t, succeeds(t, c.input, append([]string{"replay", c.log, "-json", "-"}, c.flags...)...), &report)
		for _, sentence := range append(report.Verdict, runlog.Sentence{Text: runlog.Limits}) {
			if !strings.Contains(said, sentence.Text) {
				t.Errorf("%s %v: the sentence %q is not in the picture", c.log, c.flags, sentence.Text)
			}
		}
	}
	folder := t.TempDir()
	picture, report := filepath.Join(folder, "a.svg"), filepath.Join(folder, "a.json")
	if out := succeeds(t, "", "replay", shippedLog("digits-two"), "-svg", picture, "-json", report); out != "" {
		t.Errorf("%q is said besides the files", out)
	}
	for _, name := range []string{picture, report} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReplayPicture checks that the picture in the documentation matches the output of replay for the picture's log.
func TestReplayPicture(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join("..", "..", "docs", "runlog.svg"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"replay", shippedLog("digits-units"), "-method", "mgda,upgrad,pcgrad,cagrad", "-svg", "-"}
	_, kept := sheet(t, string(picture))
	if _, now := sheet(t, succeeds(t, "", args...)); now != kept {
		t.Errorf("docs/runlog.svg is out of date: paretoplay %s docs/runlog.svg", strings.Join(args[:len(args)-1], " "))
	}
}

// TestReplayDrawn checks that a picture that needs too much memory is rejected before the work starts.
func TestReplayDrawn(t *testing.T) {
	log, err := runlog.Read(strings.NewReader(strings.Repeat(`{"gramian": [[1]], "losses": [1]}`+"\n", 3)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkDrawn(log, 25); err != nil {
		t.Error(err)
	}
	if err := checkDrawn(log, drawnBytes/72); err == nil || !strings.Contains(err.Error(), "at most 2 records, not 3") {
		t.Errorf("%v", err)
	}
}

func TestReplayRefusals(t *testing.T) {
	log := shippedLog("digits-two")
	broken := filepath.Join(t.TempDir(), "broken.npz")
	if err := os.WriteFile(broken, []byte("PK\x03\x04 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, says string }{
		{"", "no log is named"}, {log + " " + log, "is named twice"}, {"no-such-file", "no-such-file"}, {broken, "cut off"}, {"..", "folder"},
		{log + " -method newton", `unknown method "newton"`}, {log + " -method mgda,mgda", "twice"}, {log + " -set ls.weights=1,0", "ls.weights"},
		{log + " -method ls -set ls.weights=1", "there are 1"}, {log + " -method cagrad -set cagrad.c=-1", "c"},
		{log + " -periods 0", `"0" is not a whole number`}, {log + " -periods a", `"a" is not a whole number`}, {log + " -window 0", "-window 0"},
		{log + " -bound 2", "bound = 2"}, {log + " -bound NaN", "bound = NaN"}, {log + " -from 3000", "at least two are needed"},
		{log + " -to x", `-to "x"`},
		{log + " -json " + log, "the log reads this file"}, {log + " -svg " + log, "the log reads this file"}, {log + " -svg .", "folder"},
		{log + " -svg a.svg -json a.svg", "a.svg"}, {log + " -svg - -method newton", "unknown method"},
		{log + " -svg - -from 3000", "at least two"}, {log + " -svg - -panel age", "panel"}, {log + " -svg - -theme dark", "theme"},
		{"- -json -", "empty"},
	} {
		out, said, status := invoke(t, "", append([]string{"replay"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want one line with %q", c.args, status, out, said, c.says)
		}
	}
}

// TestReplayLeavesOut checks that records without information are omitted, and that the verdict says so. A log with only
// such records must be rejected.
func TestReplayLeavesOut(t *testing.T) {
	record := func(step int, losses, gramian string) string {
		return fmt.Sprintf(`{"step": %d, "losses": %s, "gramian": %s}`+"\n", step, losses, gramian)
	}
	const good, impossible = "[[1, -0.5], [-0.5, 4]]", "[[1, -0.009], [-0.009, 0]]"
	var log, bad strings.Builder
	for k := range 100 {
		bad.WriteString(record(k, "[1, 1]", impossible))
		switch k {
		case 7:
			log.WriteString(record(k, "[NaN, 1]", good))
		case 9:
			log.WriteString(record(k, "[1, 1]", impossible))
		default:
			log.WriteString(record(k, "[1, 1]", good))
		}
	}
	out, said, status := invoke(t, log.String()+record(50, "[1, 1]", good)+record(51, "[1, 1]", good), "replay", "-")
	text := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"50 records of 2 objectives, steps 0 to 51", "Left out 52 records: 1, step 7 (a number is not finite)",
		"1, step 9 (no gradients have such a Gramian", "50 from step 50 on (the run was resumed", "unevenly spaced, 1 to 2 steps apart"} {
		if status != 0 || !strings.Contains(text, want) {
			t.Errorf("status %d, %q, %q does not say %q", status, said, text, want)
		}
	}
	out, said, status = invoke(t, bad.String(), "replay", "-")
	if status != 2 || out != "" || !strings.Contains(said, "0 of 100 records can be used") ||
		!strings.Contains(said, "no gradients have such") {
		t.Errorf("impossible records alone: status %d, %q, %q", status, out, said)
	}
}

// TestReplayJoins checks that the parts of a resumed run form one log. If two parts record the same step, the later
// record must count.
func TestReplayJoins(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	run := []string{"run", "-scene", "fonseca", "-set", "sigma=0.3", "-steps"}
	succeeds(t, "", append(run, "60", "-log", file("a.npz"))...)
	succeeds(t, "", append(run, "150", "-log", file("b.npz"), "-every", "10")...)
	out := strings.Join(strings.Fields(succeeds(t, "", "replay", file("a.npz"), file("b.npz"))), " ")
	const want = "15 records of 2 objectives, steps 0 to 140: f1, f2. Left out 60 records: 60 from step 0 on (the run was resumed"
	if !strings.HasPrefix(out, want) {
		t.Errorf("it says %s", out)
	}
	var lines strings.Builder
	for k := range 3 {
		fmt.Fprintf(&lines, `{"step": %d, "names": ["f1", "f2"], "losses": [1, 2], "gramian": [[1, -0.5], [-0.5, 4]]}`+"\n", 58+k)
	}
	first, rest, _ := strings.Cut(lines.String(), "\n")
	short := first + "\n" + strings.ReplaceAll(rest, `"names": ["f1", "f2"], `, "")
	plain := strings.ReplaceAll(short, `"step": `, `"other": `)
	for _, c := range []struct{ input, args, says string }{
		{"", file("a.npz") + " " + shippedLog("digits-two"), "a.npz has the objectives f1, f2, and "},
		{short, file("a.npz") + " -", "a.npz has cross, and standard input has none: the parts of a run have the same arrays"},
		{plain, file("a.npz") + " -", "standard input: it has no steps, which are needed to join the parts of a run"},
		{"no log", file("a.npz") + " -", "standard input: line 1: a JSON object is expected"},
		{"", file("a.npz") + " -names f1,f3", "a.npz: the losses are f1,f2, but the given order names f1,f3"},
		{"", file("a.npz") + " -window 3 b.npz -bound", `put flags before or after all files`},
		{short, "- -", "-: the log is named twice"},
	} {
		out, said, status := invoke(t, c.input, append([]string{"replay"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want one line with %q", c.args, status, out, said, c.says)
		}
	}
	alone := strings.Join(strings.Fields(succeeds(t, short, "replay", "-")), " ")
	if !strings.HasPrefix(alone, "3 records of 2 objectives, steps 58 to 60") {
		t.Errorf("it says %s", alone)
	}
}

// TestReplayTrackers checks that replay reads files and folders of trackers, and reports what information the trackers
// have lost.
func TestReplayTrackers(t *testing.T) {
	samples := filepath.Join("..", "..", "algo", "runlog", "testdata", "trackers")
	const names = " -names train/depth,tiny,huge"
	for _, c := range []struct{ args, says string }{
		{"trackio-metrics.jsonl", "Left out 7 records: 6 from step 6 on"}, {"mlflow-file" + names, "Left out 7 records: 6 from step 6 on"},
		{"clearml-offline-metrics.jsonl", "ClearML writes 0 for NaN: 1 records"},
		{"wandb-offline-1.wandb" + names, "Left out 1 record: 1, step 3"},
		{"lightning-csvlogger-leg0.csv" + names, "6 from step 1 on (not all of their numbers were kept"},
	} {
		args := strings.Fields(c.args)
		args[0] = filepath.Join(samples, args[0])
		out := strings.Join(strings.Fields(succeeds(t, "", append([]string{"replay"}, args...)...)), " ")
		if !strings.Contains(out, "3 objectives") || !strings.Contains(out, ": train/depth, tiny, huge.") || !strings.Contains(out, c.says) {
			t.Errorf("%s: it says %s", c.args, out)
		}
	}
	for name, says := range map[string]string{"mlflow-file": "-names huge,tiny,train/depth", ".": "files of several trackers",
		"tensorboard-torch": "gramian/2_2 is infinite at 12 of 12 steps"} {
		out, said, status := invoke(t, "", "replay", filepath.Join(samples, name))
		if status != 2 || out != "" || !strings.Contains(said, says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want one line with %q", name, status, out, said, says)
		}
	}
}

// TestWeighStream checks that weigh gives the same answers for a stream as for single inputs, and that methods remember
// earlier lines.
func TestWeighStream(t *testing.T) {
	const gramian = `{"gramian": [[1, -2], [-2, 5]], "losses": [1, 2], "step": 7}` + "\n"
	const jacobian = `{"jacobian": [[1, 0], [-2, 1]], "losses": [1, 2]}` + "\n"
	var one map[string]any
	for _, input := range []string{gramian, jacobian} {
		one = nil
		var single map[string]any
		decodeJSON(t, succeeds(t, strings.Replace(input, `, "step": 7`, "", 1), "weigh", "-method", "upgrad"), &single)
		if (single["direction"] == nil) != (input == gramian) {
			t.Errorf("direction %v", single["direction"])
		}
		decodeJSON(t, succeeds(t, input, "weigh", "-stream", "-method", "upgrad"), &one)
		want := "cosines effective method rates status weights"
		if input == gramian {
			want = "cosines effective method rates status step weights"
		}
		if got := fields(one); got != want {
			t.Errorf("fields %s, want %s", got, want)
		}
		for _, name := range strings.Fields("cosines effective rates weights") {
			for i := range 2 {
				a, b := one[name].([]any)[i].(float64), single[name].([]any)[i].(float64)
				if a-b > 1e-12 || b-a > 1e-12 {
					t.Errorf("%s of a line %v, of the input alone %v", name, one[name], single[name])
				}
			}
		}
	}
	changed := strings.Replace(gramian, "5]]", "4.5]]", 1)
	out := succeeds(t, strings.Repeat(gramian, 3)+changed, "weigh", "-stream", "-method", "mgda,crmogm", "-fields", "weights")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d answers to 4 lines: %s", len(lines), out)
	}
	var last []struct {
		Method  string
		Weights []float64
	}
	decodeJSON(t, lines[3], &last)
	if last[1].Method != "crmogm" || last[0].Weights[0] == 0.7 || last[1].Weights[0]-(0.9*0.7+0.1*last[0].Weights[0]) > 1e-12 {
		t.Errorf("after three equal lines %+v", last)
	}
	// A direction uses the weights in effect, which may be reused or averaged, and not only the weights from its own
	// line.
	rows := `{"jacobian": [[1,0],[0,1]]}` + "\n" + `{"jacobian": [[3,0],[0,1]]}` + "\n"
	kept := strings.Split(succeeds(t, rows, "weigh", "-stream", "-method", "psmgd,crmogm", "-fields", "direction,rates"), "\n")
	var moved []struct{ Direction, Rates []float64 }
	decodeJSON(t, kept[1], &moved)
	for i, want := range []float64{0.5, 0.9*0.5 + 0.1*0.1} {
		if d := moved[i].Direction; math.Abs(d[0]-3*want) > 1e-12 || math.Abs(d[1]-(1-want)) > 1e-12 ||
			math.Abs(moved[i].Rates[0]+9*want) > 1e-12 {
			t.Errorf("the second line has %+v, weight %v in use", moved[i], want)
		}
	}
	var all []map[string]any
	decodeJSON(t, succeeds(t, gramian, "weigh", "-stream", "-method", "all"), &all)
	if len(all) < 20 {
		t.Errorf("%d methods answer a Gramian", len(all))
	}
	for _, c := range []struct{ input, args, says string }{
		{gramian + `{"gramian": [[1]]}`, "-method mgda", "line 2: 1 objectives, but the first line has 2"},
		{gramian + jacobian, "-method mgda", "line 2: the Jacobian has 2 columns"},
		{`{"gramian": [[1, 2], [2, 1]]}`, "-method mgda", "line 1: gramian: entry (1, 0) is 2 times the product of the two lengths"},
		{`{"gramian": [[1]]}`, "-method dwa", "line 1: losses: dwa needs losses"},
		{gramian, "-method famo", "line 1: after: famo needs"},
		{gramian, "-method graddrop", "line 1: gramian: graddrop reads the gradients' coordinates"},
		{gramian, "-method moco", "line 1: gramian: moco averages vectors"}, {gramian, "-method mgda,ls -set a=1", "-set applies to one method"},
		{gramian, "-method mgda,mgda", "mgda is given twice"}, {gramian, "-method mgda,newton", `unknown method "newton"`},
		{gramian, "-method cagrad -set c=-1", "c = -1"}, {gramian, "-method cagrad -set d=1", "d"},
		{gramian, "-method mgda -fields weight", `-fields: unknown field "weight"`},
		{gramian, "-method mgda -fields gap,gap", "-fields: gap is given twice"},
		{`{"losses": [1]}`, "-method mgda", "line 1: gramian and jacobian are missing"}, {"{", "-method mgda", "line 1: the line ends"},
	} {
		_, said, status := invoke(t, c.input, append([]string{"weigh", "-stream"}, strings.Fields(c.args)...)...)
		if status != 2 || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s on %q: status %d, %q, want one line with %q", c.args, c.input, status, said, c.says)
		}
	}
	// A stream accepts the same settings of methods as replay does for a log. Invalid settings must end the stream at
	// its first line.
	for set, want := range map[string]string{"ls weights=0.2,0.8": "[0.2,0.8]", "psmgd R=2": "[0.7,0.3]", "crmogm momentum=0.5": "[0.7,0.3]"} {
		method, setting, _ := strings.Cut(set, " ")
		out := succeeds(t, gramian, "weigh", "-stream", "-method", method, "-set", setting, "-fields", "weights")
		if !strings.Contains(out, `"weights":`+want) {
			t.Errorf("%s answers %s", set, out)
		}
	}
	if out, said, status := invoke(t, gramian+gramian, "weigh", "-stream", "-method", "ls", "-set", "weights=1"); out != "" || status != 2 ||
		!strings.Contains(said, "line 1: weights of ls: there are 1") {
		t.Errorf("weights of another number: %q, %q, %d", out, said, status)
	}
	// An invalid line must be answered with its error, and must have no other effect.
	bad := []string{"{", `{"losses": [1]}`, `{"gramian": [[1]]}`, strings.Replace(gramian, "[1, 2]", "[1, -2]", 1),
		"[1]", `{"gramian": [[1, 1e999], [1, 1]]}`}
	whole := succeeds(t, strings.Repeat(gramian, 4)+changed, "weigh", "-stream", "-method", "crmogm,epo,si")
	var mixed strings.Builder
	for i := range 4 {
		fmt.Fprintln(&mixed, bad[i])
		mixed.WriteString(gramian)
	}
	mixed.WriteString(strings.Join(bad[4:], "\n") + "\n" + changed)
	out, said, status := invoke(t, mixed.String(), "weigh", "-stream", "-method", "crmogm,epo,si")
	var answers []string
	var refused []int
	for line := range strings.Lines(out) {
		var fault struct {
			Line  int
			Error string
		}
		if json.Unmarshal([]byte(line), &fault) == nil && fault.Error != "" {
			refused = append(refused, fault.Line)
			continue
		}
		answers = append(answers, line)
	}
	if got := strings.Join(answers, ""); got != whole {
		t.Errorf("among lines that are refused the others have\n%s\nalone\n%s", got, whole)
	}
	if !slices.Equal(refused, []int{1, 3, 5, 7, 10, 11}) || status != 2 ||
		!strings.Contains(said, "6 lines are invalid; the first is line 1") {
		t.Errorf("status %d, %q, refused are the lines %v", status, said, refused)
	}
	if out, said, status := invoke(t, "", "weigh", "-stream", "-method", "mgda"); out != "" || said != "" || status != 0 {
		t.Errorf("no lines: %q, %q, %d", out, said, status)
	}
}

// blanks is a reader that supplies many lines of spaces and then one line of text.
type blanks struct {
	left int
	line *strings.Reader
}

func (b *blanks) Read(p []byte) (int, error) {
	if b.left == 0 {
		return b.line.Read(p)
	}
	n := min(b.left, len(p))
	copy(p, bytes.Repeat([]byte(" "), n))
	p[n-1] = '\n'
	b.left -= n
	return n, nil
}

// TestWeighAs checks that -as follows and explains a library's conventions for one method, for all methods, and in a
// stream.
func TestWeighAs(t *testing.T) {
	const input = `{"jacobian": [[3,0],[0,4]], "losses": [1,1]}`
	type answer struct {
		Method, As, Version string
		Differs             *string
		NotImitated         *string `json:"not_imitated"`
		Direction           []float64
	}
	var one, set answer
	decodeJSON(t, succeeds(t, input, "weigh", "-method", "ls", "-as", "libmtl"), &one)
	if one.As != "libmtl 1.1.5" || one.Version != "commit 4336804" || one.Differs == nil ||
		*one.Differs != "the gradients are added, not averaged" || one.NotImitated != nil || one.Direction[1] != 4 {
		t.Errorf("%+v", one)
	}
	decodeJSON(t, succeeds(t, input+"\n", "weigh", "-stream", "-method", "nashmtl", "-as", "torchjd", "-set", "maxnorm=2",
		"-fields", "direction"), &set)
	if set.As != "torchjd 0.18" || set.Differs != nil || set.NotImitated == nil || math.Abs(set.Direction[0]-1) > 1e-12 {
		t.Errorf("%+v", set)
	}
	var all []answer
	decodeJSON(t, succeeds(t, input, "weigh", "-method", "all", "-as", "torchjd"), &all)
	for _, a := range all {
		if a.As != "torchjd 0.18" || a.Method == "moco" {
			t.Errorf("%+v", a)
		}
	}
	out, said, status := invoke(t, input, "weigh", "-method", "moco", "-as", "libmtl", "-h")
	if help := out + said; status != 0 || !strings.Contains(help, "lengths=losses") || !strings.Contains(help, "not imitated") {
		t.Errorf("status %d, %s", status, help)
	}
	for args, want := range map[string]string{
		"-method moco -as torchjd":            "TorchJD has no moco; available: ls",
		"-method ls -as jax":                  `-as: unknown library "jax"; available: torchjd libmtl`,
		"-stream -method ls,moco -as torchjd": "TorchJD has no moco",
	} {
		_, said, status := invoke(t, input, append([]string{"weigh"}, strings.Fields(args)...)...)
		if status != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d, %s", args, status, said)
		}
	}
}

// TestWeighEndlessStream checks that a stream may be longer than the maximum input of other commands.
func TestWeighEndlessStream(t *testing.T) {
	var out, said bytes.Buffer
	in := &blanks{data.MaxBytes + 1, strings.NewReader(`{"gramian": [[1]]}`)}
	if status := new(Program).Run([]string{"weigh", "-stream", "-method", "ls"}, in, &out, &said); status != 0 || out.Len() == 0 {
		t.Errorf("status %d, %q, %q", status, out.String(), said.String())
	}
}

// BenchmarkWeighStream times one process that answers lines with a 40×40 Gramian.
func BenchmarkWeighStream(b *testing.B) {
	var row, line bytes.Buffer
	for i := range 40 {
		row.Reset()
		for j := range 40 {
			v := -0.01
			if i == j {
				v = 1 + 0.1*float64(i)
			}
			fmt.Fprintf(&row, ", %v", v)
		}
		fmt.Fprintf(&line, ", [%s]", row.String()[2:])
	}
	text := fmt.Sprintf("{\"gramian\": [%s]}\n", line.String()[2:])
	input := strings.NewReader(strings.Repeat(text, b.N))
	b.ResetTimer()
	var out, said bytes.Buffer
	if status := new(Program).Run([]string{"weigh", "-stream", "-method", "mgda"}, input, &out, &said); status != 0 {
		b.Fatal(said.String())
	}
}
