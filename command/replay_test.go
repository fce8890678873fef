package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"paretoplay/algo/runlog"
	"paretoplay/scenes/exchange"
)

var shippedLogs = []string{"digits-two", "digits-eight", "digits-units"}

func shippedLog(name string) string {
	return filepath.Join("..", "algo", "runlog", "digits", name+".npz")
}

// TestReplayVerdict: without files to write, replay says at most a screen of plain words, with what a log cannot say.
func TestReplayVerdict(t *testing.T) {
	for _, name := range shippedLogs {
		for _, flags := range [][]string{nil, {"-method", "all"}, {"-method", "upgrad,mgda", "-window", "20", "-from", "200"}} {
			out := succeeds(t, "", append([]string{"replay", shippedLog(name)}, flags...)...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(lines) > 24 {
				t.Errorf("%s %v: %d lines are more than a screen", name, flags, len(lines))
			}
			for _, line := range lines {
				if utf8.RuneCountInString(line) > 80 {
					t.Errorf("%s: %q is wider than a screen", name, line)
				}
			}
			said := strings.Join(strings.Fields(out), " ")
			if !strings.HasSuffix(said, runlog.Limits) || strings.Count(out, "\n- ") != 7 {
				t.Errorf("%s %v says\n%s", name, flags, out)
			}
		}
	}
	for name, says := range map[string][]string{
		"digits-two": {"49 % of all pairs of gradients on single batches, 0 % averaged over 50 records. It is mostly noise",
			"nothing here for a method to mend", "in 30 % on an independent one; equal weights in 31 % there"},
		"digits-eight": {"55 % of all pairs of gradients on single batches, 51 % averaged", "43 % of the records, harm .048",
			"in 83 % on an independent one; equal weights in 90 % there", "than of equal ones: not even two records"},
		"digits-units": {"55 % of all pairs of gradients on single batches, 72 % averaged", "The scale decides before any method does",
			"in 66 % on an independent one; equal weights in 71 % there", "than of equal ones: R = 32"},
	} {
		said := strings.Join(strings.Fields(succeeds(t, "", "replay", shippedLog(name))), " ")
		for _, want := range says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, said)
			}
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
	want := "absent conflict_share equal methods names norm_ratio objectives omega pairs records signal stride verdict"
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
		if fields(sentence) != "holds id text" {
			t.Errorf("a sentence %v", sentence)
		}
		ids = append(ids, sentence["id"].(string))
	}
	if got := strings.Join(ids, " "); got != "pairs sum promise age units fixed end" {
		t.Errorf("sentences %s", got)
	}
	table := succeeds(t, "", "replay", "-periods", "1,2", "-csv", "-", shippedLog("digits-two"))
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 5 || strings.Join(rows[0], " ") != "method weights R hurt harm independent backprops" {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestReplayRefusals(t *testing.T) {
	log := shippedLog("digits-two")
	broken := filepath.Join(t.TempDir(), "broken.npz")
	if err := os.WriteFile(broken, []byte("PK\x03\x04 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, says string }{
		{"", "no log is named"}, {log + " " + log, "one log is read"}, {"no-such-file", "no-such-file"}, {broken, "cut off"}, {"..", "folder"},
		{log + " -method newton", `"newton" is no method`}, {log + " -method mgda,mgda", "twice"}, {log + " -set ls.weights=1,0", "ls.weights"},
		{log + " -method ls -set ls.weights=1", "there are 1"}, {log + " -method cagrad -set cagrad.c=-1", "c"},
		{log + " -periods 0", `"0" is no whole number`}, {log + " -periods a", `"a" is no whole number`}, {log + " -window 0", "-window 0"},
		{log + " -bound 2", "bound = 2"}, {log + " -bound NaN", "bound = NaN"}, {log + " -from 3000", "at least two are needed"},
		{log + " -to x", `-to "x"`},
		{log + " -json " + log, "the log reads this file"}, {"- -json -", "empty"},
	} {
		out, said, status := invoke(t, "", append([]string{"replay"}, strings.Fields(c.args)...)...)
		if status != 2 || out != "" || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q, want one line with %q", c.args, status, out, said, c.says)
		}
	}
}

// TestWeighStream: a stream's answers are those of weigh to single inputs, and methods remember earlier lines.
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
	var all []map[string]any
	decodeJSON(t, succeeds(t, gramian, "weigh", "-stream", "-method", "all"), &all)
	if len(all) < 20 {
		t.Errorf("%d methods answer a Gramian", len(all))
	}
	for _, c := range []struct{ input, args, says string }{
		{gramian + `{"gramian": [[1]]}`, "-method mgda", "line 2: 1 objectives, in the first line there are 2"},
		{gramian + jacobian, "-method mgda", "line 2: the Jacobian has 2 columns"},
		{`{"gramian": [[1, 2], [2, 1]]}`, "-method mgda", "line 1: gramian: the least eigenvalue"},
		{`{"gramian": [[1]]}`, "-method dwa", "line 1: losses: dwa needs them"},
		{gramian, "-method famo", "line 1: after: famo needs"}, {gramian, "-method graddrop", "line 1: gramian: graddrop reads coordinates"},
		{gramian, "-method moco", "line 1: gramian: moco averages vectors"}, {gramian, "-method mgda,ls -set a=1", "-set belongs to one method"},
		{gramian, "-method mgda,mgda", "mgda is there twice"}, {gramian, "-method mgda,newton", `"newton" is no method`},
		{gramian, "-method mgda -fields weight", `-fields: "weight" is no field`},
		{gramian, "-method mgda -fields gap,gap", "-fields: gap is there twice"},
		{`{"losses": [1]}`, "-method mgda", "line 1: there is neither"}, {"{", "-method mgda", "line 1: the line ends"},
	} {
		_, said, status := invoke(t, c.input, append([]string{"weigh", "-stream"}, strings.Fields(c.args)...)...)
		if status != 2 || !strings.Contains(said, c.says) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s on %q: status %d, %q, want one line with %q", c.args, c.input, status, said, c.says)
		}
	}
	if out, said, status := invoke(t, "", "weigh", "-stream", "-method", "mgda"); out != "" || said != "" || status != 0 {
		t.Errorf("no lines: %q, %q, %d", out, said, status)
	}
}

// blanks is a reader of many lines of spaces, then of a line.
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

// TestWeighEndlessStream: a stream may be longer than what other commands read.
func TestWeighEndlessStream(t *testing.T) {
	var out, said bytes.Buffer
	in := &blanks{exchange.MaxBytes + 1, strings.NewReader(`{"gramian": [[1]]}`)}
	if status := new(Program).Run([]string{"weigh", "-stream", "-method", "ls"}, in, &out, &said); status != 0 || out.Len() == 0 {
		t.Errorf("status %d, %q, %q", status, out.String(), said.String())
	}
}

// BenchmarkWeighStream is a line of a 40×40 Gramian, all answers in one process.
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
