package claims

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"paretoplay/scenes"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/session"
)

// quick returns the results with all long experiments read from files.
func quick(t *testing.T) []Row {
	t.Helper()
	var heard []float64
	rows, err := Test(Options{Kept: os.DirFS("../.."), Quick: true, Jobs: 1, Progress: func(done float64) { heard = append(heard, done) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(heard) != len(rows)+1 || heard[0] != 0 || heard[len(rows)] != 1 || !slices.IsSorted(heard) {
		t.Errorf("progress is %v", heard)
	}
	return rows
}

// others are numbers of each claim with which it would have another verdict.
var others = map[string][]float64{
	"fixed-weights": {9, 20}, "well-spread": {2, 15, 20}, "weights-settle": {5, 4}, "momentum": {2, 20, 2}, "noise": {0, 6, 0},
	"speedup": {4, 32}, "any-number": {2, 33}, "longer-periods": {4, 4, 4, 4}, "constant-over-T": {0.1, 0.001},
	"solutions": {1e-9, 0.1}, "first-order": {10, 20, 20}, "memory": {310, 620, 450, 4290, 450}, "time": {0.9, 0.8}, "dual": {1},
	"cleaning": {2.2, 0.4, 2.4, 0.4, 2, 0.6, 2, 0.6}, "pull": {0.5, 0.4, 0.8, 0.5},
	"few-entries": {24, 23}, "sparse": {0.2, 0.8, 6}, "specialists": {1.4, 0.2, 1.1, 0.3}, "collapse": {5, 1, 1, 5, 1, 1}, "two-kinds": {3, 4},
	"theorem-1": {6e-5, 5e-5}, "accuracy": {5, 2, 1, 1, 1, 1}, "own-weights": {-1, -1, -1, 0.1, 0.1, 0.1}, "curriculum": {-3, -3, -3, 1, 1, 1},
	"regularisation": {-1, -1, -1, 2, 2, 2}, "transport-time": {0.5, 0.6, 1.2}, "hypervolume": {1, 1, 1, 1, 1, 5, 6, 6},
	"fair": {0.9, 0.5, 0.4, 0.3}, "ten-mixtures": {0.99, 0.98},
	"balanced": {0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9}, "jogba-first": {1.2, 1.3, 1.2, 1.3, 1.2, 1.3, 1.2, 1.3, 1.2, 1.3},
	"own-orders": {0.9, 0.95, 0.9, 0.95, 0.9, 0.95}, "separate-strays": {1, 2, 3}, "order-rates": {-0.5, 0.05, -0.66, 0.05},
	"order-bounds": {18, 29, 0.003, 30}, "order-time": {3, 3, 3, 3, 3, 3}, "flipflop": {20, 0, 33},
	"alternation-bounds": {10, 0.5, 10, 17, 10}, "lost-factor": {1, 1}, "frequencies": {0, 0, 0, 0}, "cheaper-steps": {1.1, 0.3, 1.2, 0.1},
	"early-descent": {4, 6, 2, 3}, "outpaced": {4, 5, 6, 3, 4, 5}, "two-turns": {14, 12, 14, 15},
	"early-full-size": {0.9, 0.6, 0.9, 0.8}, "purity-full-size": {0.7, 0.5, 0.7, 0.5}, "purity": {0.9, 0.8, 1, 0.1},
	"spread": {0.6, 0.5, 1.2, 1.21},
}

// TestClaims: every claim is whole, and its verdict follows from its numbers: with others it has
// another one.
func TestClaims(t *testing.T) {
	rows := quick(t)
	seen := map[string]bool{}
	for i, c := range All() {
		r := rows[i]
		if seen[c.Name] || c.Name == "" || c.Section == "" || c.Stated == "" || !strings.HasSuffix(c.Says, ".") || r.Ours == "" {
			t.Errorf("%+v", r)
		}
		seen[c.Name] = true
		if !slices.Contains([]string{"PSMGD", "FORUM", "MosT", "JoGBa", "Block-SMOO"}, c.Paper) || !slices.Contains(verdicts, r.Verdict) {
			t.Errorf("%s: paper %s, verdict %s", c.Name, c.Paper, r.Verdict)
		}
		if strings.ContainsAny(c.Section+c.Says+c.Check+c.Stated+r.Ours, "|'\n") {
			t.Errorf("%s has a sign that a table cannot show", c.Name)
		}
		if c.because != "" {
			if r.Verdict != Untestable || r.Source != "" || c.Check != "" || c.measure != nil || c.judge != nil {
				t.Errorf("%s is not testable, and is tested: %+v", c.Name, r)
			}
			continue
		}
		if c.Check == "" || r.Verdict == Untestable || r.Source == "" {
			t.Errorf("%s: %+v", c.Name, r)
		}
		numbers, has := others[c.Name]
		if !has {
			t.Errorf("%s: with which numbers would it have another verdict?", c.Name)
			continue
		}
		if ours, verdict := c.judge(numbers); verdict == r.Verdict || ours == r.Ours {
			t.Errorf("%s: with %v it would be the same: %s, %s", c.Name, numbers, verdict, ours)
		}
	}
	for name := range others {
		if !seen[name] {
			t.Errorf("%s is no claim", name)
		}
	}
}

// TestLinks: what links name is there, and opens without a notice.
func TestLinks(t *testing.T) {
	links := 0
	for _, c := range All() {
		if !strings.HasPrefix(c.Check, "#") {
			continue
		}
		links++
		settings, notices := session.ParseHash(c.Check)
		s, err := session.New(scenes.All, settings.Scene)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if err := s.Load(settings); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		state, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		if notices = append(notices, state.Notices...); len(notices) > 0 {
			t.Errorf("%s: %s: %q", c.Name, c.Check, notices)
		}
		if card := strings.Contains(c.Check, "&card="); card != (state.Card != "") {
			t.Errorf("%s: %s opens the card %q", c.Name, c.Check, state.Card)
		}
	}
	if links < 15 {
		t.Errorf("there are only %d links", links)
	}
}

// TestWrite: all rows are written, each verdict with how many there are.
func TestWrite(t *testing.T) {
	rows := []Row{
		{Name: "a", Paper: "P", Section: "1", Claim: "It is.", Check: "#a", Stated: "2", Ours: "3", Verdict: Holds, Source: "computed now",
			Numbers: []float64{3}},
		{Name: "b", Paper: "P", Section: "2", Claim: "So is it.", Check: "go", Stated: "4", Ours: "5", Verdict: InPart, Source: "kept in " +
			"docs/b.csv",
			Numbers: []float64{5}},
		{Name: "c", Paper: "Q", Section: "3", Claim: "And this.", Stated: "6", Ours: "it takes data", Verdict: Untestable, Numbers: []float64{}},
	}
	var text, table, data bytes.Buffer
	for _, err := range []error{WriteText(&text, rows), WriteMarkdown(&table, rows), WriteJSON(&data, rows)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "P\n\n  1  It is.\n    paper    2\n    ours     3  [computed now]\n    verdict  holds\n    check    #a\n\n" +
		"  2  So is it.\n    paper    4\n    ours     5  [kept in docs/b.csv]\n    verdict  holds in part\n    check    go\n\n" +
		"Q\n\n  3  And this.\n    paper    6\n    verdict  not testable here: it takes data\n\n" +
		"  1 holds\n  1 holds in part\n  0 does not hold\n  1 not testable here\n"
	if text.String() != want {
		t.Errorf("the text is\n%s", text.String())
	}
	want = "| paper | claim | the paper’s figure | ours | verdict | shown by |\n|---|---|---|---|---|---|\n" +
		"| P, 1 | It is. | 2 | 3 | **holds** | `#a` |\n| P, 2 | So is it. | 4 | 5 (docs/b.csv) | **holds in part** | `go` |\n" +
		"| Q, 3 | And this. | 6 | it takes data | **not testable here** |  |\n"
	if table.String() != want {
		t.Errorf("the table is\n%s", table.String())
	}
	var back []Row
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || len(back) != 3 || back[1].Numbers[0] != 5 || back[2].Numbers == nil {
		t.Errorf("JSON is %s, read with the error %v", data.String(), err)
	}
}

// TestFaults: what cannot be measured is an error that names the claim.
func TestFaults(t *testing.T) {
	if _, err := Test(Options{Kept: fstest.MapFS{}, Quick: true, Jobs: 1}); err == nil || !strings.Contains(err.Error(), "claim cleaning") {
		t.Errorf("without tables the error is %v", err)
	}
	for what, ask := range map[string]func(l *lab) float64{
		"no fact":     func(l *lab) float64 { return l.card("fonseca", "middle").fact("nothing") },
		"no card":     func(l *lab) float64 { return l.card("fonseca", "nothing").fact("ended") },
		"nothing":     func(l *lab) float64 { return l.run("nothing").fact("ended") },
		"param":       func(l *lab) float64 { return l.run("fonseca", "nothing=1").fact("ended") },
		"no run":      func(l *lab) float64 { return float64(len(l.run("fonseca").runs("nothing"))) },
		"0 lines":     func(l *lab) float64 { return l.number(l.the(nil, "a=b"), "c") },
		"column":      func(l *lab) float64 { return l.number(line{"a": "x"}, "a") },
		"say":         func(l *lab) float64 { return float64(len(l.told("docs/ordering.md", "no such words"))) },
		"is NaN":      func(*lab) float64 { return experiment.Median(nil) },
		"docs/no.csv": func(l *lab) float64 { return float64(len(l.table("docs/no.csv"))) },
	} {
		c := Claim{measure: func(l *lab) []float64 { return []float64{ask(l)} }}
		l := newLab(Options{Kept: os.DirFS("../.."), Quick: true})
		if _, err := c.test(l); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
}

// TestMinutes: what takes minutes is computed where there is time for it, and reads like its file.
func TestMinutes(t *testing.T) {
	for _, c := range All() {
		file := c.kept
		if file == "" {
			continue
		}
		l := newLab(Options{Kept: os.DirFS("../..")})
		if got, want := l.recomputes(file), file == keptCleaning || file == keptZDT; got != want {
			t.Errorf("%s: it is computed: %t", file, got)
		}
		if l.options.Quick = true; l.recomputes(file) {
			t.Errorf("%s is computed where things are quick", file)
		}
	}
}
