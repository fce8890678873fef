package claims

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"paretoplay/docs"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

// usual returns the results, with all long experiments read from files, and checks the reported progress. It computes
// the results only once.
var usual = sync.OnceValues(func() ([]Row, error) {
	var heard []float64
	rows, err := Test(Options{Kept: docs.Tables, Quick: true, Jobs: 1, SeedBase: UsualSeedBase,
		Progress: func(done float64) { heard = append(heard, done) }})
	if err == nil && (len(heard) != len(rows)+1 || heard[0] != 0 || heard[len(rows)] != 1 || !slices.IsSorted(heard)) {
		err = fmt.Errorf("progress is %v", heard)
	}
	return rows, err
})

// quick returns the results with all long experiments read from files.
func quick(t *testing.T) []Row {
	t.Helper()
	rows, err := usual()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// otherBase is a seed base that differs from the usual one.
const otherBase = 5000

// TestOtherSeeds checks that with another seed base no verdict of a part changes between holding and not holding. With
// the flag -short, this test is skipped unless new seeds are requested.
func TestOtherSeeds(t *testing.T) {
	base := otherBase
	if scenetest.Fresh() {
		base = scenetest.SeedList(1)[0] - 1
	} else if testing.Short() {
		t.Skip("verdicts on other seeds: make test-long")
	}
	rows, err := Test(Options{Kept: docs.Tables, Quick: true, Jobs: 1, SeedBase: base})
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for i, r := range quick(t) {
		if !slices.Equal(r.Numbers, rows[i].Numbers) {
			drawn++
		}
		for k, p := range r.Parts {
			other := rows[i].Parts[k]
			switch {
			case other.Verdict == p.Verdict:
			case other.Verdict == Undecided || p.Verdict == Undecided:
				t.Logf("%s, %s: %s in place of %s: %s, usually %s", r.Name, p.Of, other.Verdict, p.Verdict, other.Ours, p.Ours)
			default:
				t.Errorf("%s, %s: %s in place of %s: %s, usually %s", r.Name, p.Of, other.Verdict, p.Verdict, other.Ours, p.Ours)
			}
		}
	}
	if drawn < 40 {
		t.Errorf("the numbers of %d claims depend on the seed base", drawn)
	}
}

// others returns, for each claim, numbers that change its verdict.
func others() map[string][]Number {
	all := map[string][]Number{}
	for _, paper := range []map[string][]Number{othersPSMGD, othersDigits, othersFORUM, othersMosT, othersJoGBa, othersBlockSMOO} {
		maps.Copy(all, paper)
	}
	return all
}

// TestClaims checks that every claim is complete, and that other numbers change its verdict.
func TestClaims(t *testing.T) {
	rows := quick(t)
	seen, others := map[string]bool{}, others()
	for i, c := range All() {
		r := rows[i]
		if seen[c.Name] || c.Name == "" || c.Section == "" || c.Stated == "" || !strings.HasSuffix(c.Says, ".") {
			t.Errorf("%+v", r)
		}
		seen[c.Name] = true
		if !slices.Contains([]string{"PSMGD", "FORUM", "MosT", "JoGBa", "Block-SMOO"}, c.Paper) || !slices.Contains(verdicts, r.Verdict) {
			t.Errorf("%s: paper %s, verdict %s", c.Name, c.Paper, r.Verdict)
		}
		said := c.Section + c.Says + c.Check + c.Stated + c.Setting + c.Here + c.Choices + c.because
		for _, p := range r.Parts {
			said += p.Of + p.Ours
			named, decided := (p.Of == "") == (len(r.Parts) == 1), slices.Contains([]Verdict{Holds, DoesNotHold, Undecided}, p.Verdict)
			if p.Ours == "" || !named || !decided {
				t.Errorf("%s: part %+v of %d", c.Name, p, len(r.Parts))
			}
		}
		if strings.Contains(said, "%!") {
			t.Errorf("%s has a format that does not fit its numbers: %q", c.Name, r.Parts)
		}
		if strings.ContainsAny(said, "|'\n") {
			t.Errorf("%s has a sign that a table cannot show", c.Name)
		}
		if c.because != "" {
			tested := r.Source+c.Check+c.Here+c.Choices != "" || len(r.Parts) > 0 || c.measure != nil || c.parts != nil || c.decide != nil
			if r.Verdict != Untestable || tested {
				t.Errorf("%s is not testable, and is tested: %+v", c.Name, r)
			}
			continue
		}
		if c.Check == "" || r.Verdict == Untestable || r.Source == "" || c.Setting == "" || c.Here == "" {
			t.Errorf("%s: %+v", c.Name, r)
		}
		names := map[string]bool{}
		for _, n := range r.Numbers {
			if strings.TrimSpace(n.Name) == "" || names[n.Name] {
				t.Errorf("%s: two numbers are called %q, or one has no name", c.Name, n.Name)
			}
			names[n.Name] = true
		}
		numbers, has := others[c.Name]
		if !has {
			t.Errorf("%s: with which numbers would it have another verdict?", c.Name)
			continue
		}
		parts := c.judge(numbers)
		if len(numbers) != len(r.Numbers) || overall(parts) == r.Verdict || slices.Equal(parts, r.Parts) {
			t.Errorf("%s: with %v it would be the same: %v", c.Name, numbers, parts)
		}
	}
	for name := range others {
		if !seen[name] {
			t.Errorf("unknown claim %s", name)
		}
	}
}

// TestNumbersHaveNames checks that numbers are written with their names, and that a number without a name is an
// error.
func TestNumbersHaveNames(t *testing.T) {
	c := Claim{numbers: []string{"one"}, measure: func(*lab) []Number { return exactly(1, 2) }}
	if _, err := c.test(newLab(Options{})); err == nil || err.Error() != "2 numbers have 1 names" {
		t.Errorf("of two numbers with one name the error is %v", err)
	}
	var data bytes.Buffer
	if err := WriteJSON(&data, []Row{{Numbers: []Named{{"height", Number{2, 1, 3}}}}}); err != nil {
		t.Fatal(err)
	}
	var back []struct{ Numbers []map[string]any }
	if err := json.Unmarshal(data.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"name": "height", "value": 2., "low": 1., "high": 3.}
	if !reflect.DeepEqual(back[0].Numbers[0], want) {
		t.Errorf("JSON has %v, want %v", back[0].Numbers[0], want)
	}
}

// TestLinks checks that links lead to existing scenes and cards, and open without a notice.
func TestLinks(t *testing.T) {
	links := 0
	for _, c := range All() {
		if !strings.HasPrefix(c.Check, "#") {
			continue
		}
		links++
		settings, notices := link.Parse(c.Check)
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

// TestNumbers compares verdicts from intervals with verdicts worked out by hand.
func TestNumbers(t *testing.T) {
	n := Number{2, 1, 3}
	for i, c := range []struct{ got, want Verdict }{
		{n.above(0.5), Holds}, {n.above(1), Undecided}, {n.above(2), Undecided}, {n.above(3), DoesNotHold},
		{n.below(3.5), Holds}, {n.below(3), Undecided}, {n.below(1), DoesNotHold},
		{n.atLeast(1), Holds}, {n.atLeast(3), Undecided}, {n.atLeast(4), DoesNotHold},
		{n.atMost(3), Holds}, {n.atMost(1), Undecided}, {n.atMost(0.5), DoesNotHold},
		{n.within(1, 3), Holds}, {n.within(1.5, 2.5), Undecided}, {n.within(2, 9), Undecided}, {n.within(3.5, 9), DoesNotHold},
		{exact(1).above(1), DoesNotHold}, {exact(1).below(1), DoesNotHold}, {exact(1).atLeast(1), Holds}, {exact(1).atMost(1), Holds},
		{both(Holds, Holds), Holds}, {both(Holds, Undecided), Undecided}, {both(Undecided, DoesNotHold), DoesNotHold},
		{overall([]Part{{Verdict: Undecided}, {Verdict: Undecided}}), Undecided},
		{overall([]Part{{Verdict: Holds}, {Verdict: Undecided}}), InPart},
		{overall([]Part{{Verdict: DoesNotHold}, {Verdict: Undecided}, {Verdict: Holds}}), InPart},
		{overall([]Part{{Verdict: Undecided}, {Verdict: DoesNotHold}}), DoesNotHold}, {overall(whole(Holds, "")), Holds},
	} {
		if c.got != c.want {
			t.Errorf("case %d: %s, want %s", i, c.got, c.want)
		}
	}
	near := func(what string, got Number, value, low, high float64) {
		if max(math.Abs(got.Value-value), math.Abs(got.Low-low), math.Abs(got.High-high)) > 1e-3 {
			t.Errorf("%s is %+v, want %g [%g, %g]", what, got, value, low, high)
		}
	}
	near("difference", difference([]float64{2, 4}, []float64{1, 1}), 2, 2-12.706, 2+12.706) // Student's quantile for one degree of freedom
	near("mean of two with the error 1", withError(2, 1, 2), 2, 2-12.706, 2+12.706)
	near("ratio", ratio([]float64{2, 8}, []float64{1, 4}), 2, 2, 2)
	near("share", share(0, 20), 0, 0, 0.1684)
	for what, n := range map[string]Number{
		"one value": mean([]float64{1}), "no pairs": difference([]float64{1, 2}, []float64{1}), "share of none": share(0, 0),
		"ratio of 0": ratio([]float64{0, 1}, []float64{1, 1}), "outside": {1, 2, 3}, "infinite": exact(math.Inf(1)),
	} {
		if n.known() {
			t.Errorf("%s: %+v is known", what, n)
		}
	}
	for got, want := range map[string]string{
		n.text(1): "2.0 [1.0, 3.0]", exact(3).text(0): "3", exact(-0.01).text(1): "0.0", n.times(0): "×2 [1, 3]",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOnly checks that a claim has the same result whether it is tested alone or with all others.
func TestOnly(t *testing.T) {
	rows, err := Test(Options{Kept: docs.Tables, Only: "few-entries", Quick: true, Jobs: 1, SeedBase: UsualSeedBase})
	if err != nil || len(rows) != 1 || rows[0].Name != "few-entries" {
		t.Errorf("%+v, %v", rows, err)
	}
	const want = `unknown claim "no-such"; available: fixed-weights`
	if _, err := Test(Options{Only: "no-such"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
	for _, base := range []int{-1, MostSeedBase + 1} {
		if _, err := Test(Options{SeedBase: base}); err == nil || !strings.Contains(err.Error(), "allowed is 0 to 1000000000") {
			t.Errorf("with the seed base %d the error is %v", base, err)
		}
	}
}

// TestWrite checks that all rows are written, and that every verdict is written with its count.
func TestWrite(t *testing.T) {
	rows := []Row{
		{Name: "a", Paper: "P", Section: "1", Claim: "It is.", Check: "#a", Stated: "2", Setting: "d = 9", Here: "d = 2", Choices: "d",
			Verdict: Holds, Parts: whole(Holds, "3"), Source: "computed now", Numbers: []Named{{"n", exact(3)}}},
		{Name: "b", Paper: "P", Section: "2", Claim: "So is it.", Check: "go", Stated: "4", Setting: "q = 1", Here: "q = 1", Verdict: InPart,
			Parts: []Part{{"T = 1", "5", Holds}, {"T = 2", "6", Undecided}}, Source: "kept in docs/b.csv", Numbers: []Named{{"n", Number{5, 4, 6}}}},
		{Name: "c", Paper: "Q", Section: "3", Claim: "And this.", Stated: "6", Setting: "data", Verdict: Untestable, Because: "it takes data",
			Parts: []Part{}, Numbers: []Named{}},
	}
	var text, table, data bytes.Buffer
	for _, err := range []error{WriteText(&text, rows), WriteMarkdown(&table, rows), WriteJSON(&data, rows)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "P\n\n  a (1)  It is.\n    paper    2; d = 9\n    here     d = 2\n    choices  d\n    found    3  [computed now]\n" +
		"    verdict  holds\n    check    #a\n\n" +
		"  b (2)  So is it.\n    paper    4; q = 1\n    here     q = 1\n    found    T = 1: holds: 5  [kept in docs/b.csv]\n" +
		"    found    T = 2: undecided here: 6  [kept in docs/b.csv]\n    verdict  holds in part\n    check    go\n\n" +
		"Q\n\n  c (3)  And this.\n    paper    6; data\n    verdict  not testable here: it takes data\n\n" +
		"  1 holds\n  1 holds in part\n  0 does not hold\n  0 undecided here\n  1 not testable here\n"
	if text.String() != want {
		t.Errorf("the text is\n%s", text.String())
	}
	const head = "| claim | by | setting | figure | verdict |\n|---|---|---|---|---|\n"
	want = "## P\n\n" + head + "| `a` (1): It is. | paper | d = 9 | 2 |  |\n" +
		"| shown by `#a` | here | d = 2. *Our choices*: d | 3 | **holds** |\n" +
		"| `b` (2): So is it. | paper | q = 1 | 4 |  |\n| shown by `go` | here | q = 1 | from docs/b.csv | **holds in part** |\n" +
		"|  |  | – T = 1 | 5 | holds |\n|  |  | – T = 2 | 6 | undecided here |\n\n" +
		"## Q\n\n" + head + "| `c` (3): And this. | paper | data | 6 |  |\n|  | here |  | it takes data | **not testable here** |\n"
	if table.String() != want {
		t.Errorf("the table is\n%s", table.String())
	}
	var back []Row
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || !reflect.DeepEqual(back, rows) {
		t.Errorf("JSON is %s, read with the error %v", data.String(), err)
	}
}

// TestFaults checks that a failed measurement gives an error that names the claim.
func TestFaults(t *testing.T) {
	_, err := Test(Options{Kept: fstest.MapFS{}, Quick: true, Jobs: 1})
	if err == nil || !strings.Contains(err.Error(), "claim network-time") {
		t.Errorf("without tables the error is %v", err)
	}
	for what, ask := range map[string]func(l *lab) float64{
		"unknown fact": func(l *lab) float64 { return l.card("fonseca", "middle").fact("nothing") },
		"no card":      func(l *lab) float64 { return l.card("fonseca", "nothing").fact("ended") },
		"nothing":      func(l *lab) float64 { return l.run("nothing").fact("ended") },
		"param":        func(l *lab) float64 { return l.run("fonseca", "nothing=1").fact("ended") },
		"no run":       func(l *lab) float64 { return float64(len(l.run("fonseca").runs("nothing"))) },
		"0 lines":      func(l *lab) float64 { return l.number(l.the(nil, "a=b"), "c") },
		"column":       func(l *lab) float64 { return l.number(line{"a": "x"}, "a") },
		"contain":      func(l *lab) float64 { return float64(len(l.told("ordering.md", "no such words"))) },
		"from NaN":     func(*lab) float64 { return experiment.Median(nil) },
		"no.csv":       func(l *lab) float64 { return float64(len(l.table("no.csv"))) },
	} {
		c := Claim{numbers: []string{"asked"}, measure: func(l *lab) []Number { return exactly(ask(l)) }}
		l := newLab(Options{Kept: docs.Tables, Quick: true})
		if _, err := c.test(l); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
}

// TestMinutes checks that without Quick, experiments that take minutes are computed and agree with their files.
func TestMinutes(t *testing.T) {
	for _, c := range All() {
		file := c.kept
		if file == "" {
			continue
		}
		l := newLab(Options{Kept: docs.Tables})
		if got, want := l.recomputes(file), file == keptCleaning || file == keptZDT; got != want {
			t.Errorf("%s: it is computed: %t", file, got)
		}
		if l.options.Quick = true; l.recomputes(file) {
			t.Errorf("%s is computed where things are quick", file)
		}
	}
}
