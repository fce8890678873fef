package hypercleaning

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
)

// smallCleaning returns a configuration that runs in almost no time.
func smallCleaning() Config {
	c := Default()
	c.Problem.Hidden, c.Problem.Train, c.Problem.Selection, c.Problem.Test = 0, 20, 30, 60
	c.T, c.Rho, c.Runs, c.Steps = []int{2, 16}, []float64{0, 0.5}, 2, 30
	c.LongT, c.OtherEta = []int{20}, []float64{0.1}
	c.Tuning = Tuning{Mu: []float64{10, 100}, MuOmega: []float64{0.3, 3}, T: 2, Runs: 1, Seed: 1000}
	return c
}

// tables creates and computes the tables that the tests check.
var tables = experimenttest.Harness[Config, Cell, *Tables]{New: New, Grid: func(s *Tables) *experiment.Grid[Cell] { return s.Grid }}

// TestHyperCleaningClaims checks two claims with the command line's quick settings. Every method that cleans detects
// wrong labels and beats no cleaning. A larger ρ leaves a smaller excess in the lower level.
func TestHyperCleaningClaims(t *testing.T) {
	outcome, err := Experiment.Run(experiment.Options{Seeds: 1, Quick: true, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := outcome.(*Tables)
	for _, method := range []string{noCleaning, validationOnly} {
		if c := s.cell(method, 16, 0); c.Mean[detection] != 0.5 || c.Mean[lastDetection] != 0.5 {
			t.Errorf("%s detects %v", method, c.Mean[detection])
		}
	}
	for _, method := range []string{moml, moco, forum} {
		t.Run(method, func(t *testing.T) {
			c := s.cell(method, 16, 0.5)
			over := s.difference(c, overNone, accuracyBoth)
			if c.Mean[detection] < 0.85 || over.Mean < 2 {
				t.Errorf("%s detects %v and gains %+v", method, c.Mean[detection], over)
			}
		})
	}
	if without, with := s.cell(forum, 16, 0), s.cell(forum, 16, 0.5); !(without.Mean[lastQ] > 3*with.Mean[lastQ]) {
		t.Errorf("q̃ ends at %v with ρ = 0 and %v with 0.5", without.Mean[lastQ], with.Mean[lastQ])
	}
}

// TestPageHyperCleaning checks the text of the scene's card. At T = 16, every method that cleans gains two to four
// points over training on the clean samples alone and four to five over no cleaning. ρ = 0 costs about one point, which
// is within one and a half standard errors.
func TestPageHyperCleaning(t *testing.T) {
	c := Page()
	c.T, c.Rho = []int{16}, []float64{0, 0.5}
	s := tables.Complete(t, c, 2)
	for _, method := range []string{moml, moco, forum} {
		cell := s.cell(method, 16, 0.5)
		alone, none := s.difference(cell, overValidation, accuracyBoth), s.difference(cell, overNone, accuracyBoth)
		if r := math.Round(alone.Mean); r < 2 || r > 4 || alone.Mean < 1.5*alone.Spread {
			t.Errorf("%s gains %+v on the clean samples alone", method, alone)
		}
		if r := math.Round(none.Mean); r < 4 || r > 5 {
			t.Errorf("%s gains %+v on no cleaning", method, none)
		}
	}
	if d := s.difference(s.cell(forum, 16, 0.5), overRhoZero, accuracyBoth); math.Round(d.Mean) != 1 || d.Mean > 1.5*d.Spread {
		t.Errorf("FORUM gains %+v by ρ", d)
	}
	// These are the first runs of the command line's tables. Last digits may differ on machines that round
	// differently.
	whole := recorded(t)
	for _, method := range compared {
		here, there := s.cell(method, 16, 0.5), whole.cell(method, 16, 0.5).Each(accuracyBoth)[:c.Runs]
		if mean, _ := experiment.MeanAndDeviation(there); math.Abs(here.Mean[accuracyBoth]-mean) > 0.25 {
			t.Errorf("%s reaches %v, recorded is %v: write docs/hyper-cleaning.csv anew", method, here.Mean[accuracyBoth], mean)
		}
	}
	var text bytes.Buffer
	if err := s.Picture(0).WriteSVG(&text); err != nil || strings.Contains(text.String(), "computed") {
		t.Errorf("a complete table counts its cells, error %v", err)
	}
}

// recorded returns the cells of the command line's tables. Computing the tables takes a minute, so it reads them from
// the file written by
//
//	paretoplay experiment hyper-cleaning -csv docs/hyper-cleaning.csv
func recorded(t *testing.T) *Tables {
	t.Helper()
	file, err := os.Open("../../../docs/hyper-cleaning.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Resume(s.Grid, file); err != nil {
		t.Fatal(err)
	}
	if !s.Finished() {
		t.Fatal("docs/hyper-cleaning.csv is not whole")
	}
	return s
}

// TestTuned checks that the tables' step sizes are the best of those that tuning tried.
func TestTuned(t *testing.T) {
	s := recorded(t)
	for method, sizes := range s.config.Tuned {
		if best := s.best(method); best.StepSizes != sizes {
			t.Errorf("%s has %+v, the best are %+v", method, sizes, best.StepSizes)
		}
	}
}

// TestFindings checks that the numbers in docs/findings.md agree with the tables.
func TestFindings(t *testing.T) {
	data, err := os.ReadFile("../../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	s := recorded(t)
	accuracy := func(method string, lower int) float64 { return s.cell(method, lower, 0.5).Mean[accuracyBoth] }
	gain := func(method string, lower int, over string) string {
		return strings.TrimLeft(s.difference(s.cell(method, lower, 0.5), over, accuracyBoth).Signed(1), "+-")
	}
	tuned := func(muOmega float64) float64 {
		i := slices.IndexFunc(s.Cells(), func(c Cell) bool {
			return c.Part == inTuning && c.Method == forum && c.StepSizes == StepSizes{10, muOmega}
		})
		return s.Cells()[i].Mean[selectionBoth]
	}
	for _, want := range []string{
		fmt.Sprintf("%d runs with different data", s.config.Runs), fmt.Sprintf("on %d further data sets", s.config.Tuning.Runs),
		fmt.Sprintf("training without cleaning gets %.1f %% of the test samples right, the clean samples alone %.1f, "+
			"MOML %.1f, MoCo %.1f and FORUM %.1f",
			accuracy(noCleaning, 16), accuracy(validationOnly, 16), accuracy(moml, 16), accuracy(moco, 16), accuracy(forum, 16)),
		fmt.Sprintf("gains of %s, %s and %s over the clean samples alone", gain(moml, 16, overValidation), gain(moco, 16, overValidation),
			gain(forum, 16, overValidation)),
		fmt.Sprintf("With T = 1 FORUM still gets %.1f; MOML and MoCo are %s behind it", accuracy(forum, 1), gain(moco, 1, overFORUM)),
		fmt.Sprintf("MOML and MoCo are %s behind it", gain(moml, 1, overFORUM)), fmt.Sprintf("(%.1f there", accuracy(validationOnly, 1)),
		fmt.Sprintf("gains %s on ρ = 0 at T = 16 and %s at T = 1", gain(forum, 16, overRhoZero), gain(forum, 1, overRhoZero)),
		fmt.Sprintf("%s at T = 1; the paper has %.1f", gain(forum, 1, overRhoZero), paperTable5[0.5][16]-paperTable5[0][16]),
		fmt.Sprintf("μ_ω = 0.3 FORUM gets %.1f on the second clean set, with μ_ω = 1 %.1f", tuned(0.3), tuned(1)),
		fmt.Sprintf("an AUC of %.2f, MOML and MoCo with %.2f and %.2f", s.cell(forum, 16, 0.5).Mean[detection],
			s.cell(moml, 16, 0).Mean[detection], s.cell(moco, 16, 0).Mean[detection]),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/findings.md does not say %q", want)
		}
	}
	for _, method := range []string{moml, moco} {
		if d := s.difference(s.cell(method, 16, 0), overFORUM, accuracyBoth); math.Abs(d.Mean) > d.Spread {
			t.Errorf("%s is %+v apart from FORUM", method, d)
		}
		_, theirs := s.cell(method, 16, 0).paper()
		if _, forums := s.cell(forum, 16, 0.5).paper(); math.Round(forums-theirs) != 2 {
			t.Errorf("in the paper FORUM is %v points ahead of %s", forums-theirs, method)
		}
		if d := s.difference(s.cell(method, 1, 0), overValidation, accuracyBoth); d.Mean > d.Spread {
			t.Errorf("with T = 1 %s gains %+v on the clean samples alone", method, d)
		}
	}
}

// TestPaired checks that differences compare runs with the same data. Their error is the deviation divided by the
// root of the number of runs. All files contain the same differences.
func TestPaired(t *testing.T) {
	s := tables.Complete(t, smallCleaning(), 2)
	a, b := s.cell(forum, 16, 0.5), s.cell(validationOnly, 16, 0)
	each, last, alone := a.Each(accuracyBoth), a.Each(lastAccuracy), b.Each(accuracyBoth)
	if len(each) != 2 || (each[0]+each[1])/2 != a.Mean[accuracyBoth] || (last[0]+last[1])/2 != a.Mean[lastAccuracy] {
		t.Fatalf("of the runs %v and %v the mean is %v", each, last, a.Mean)
	}
	d := [2]float64{each[0] - alone[0], each[1] - alone[1]}
	want := experiment.Estimate{Mean: (d[0] + d[1]) / 2, Spread: math.Abs(d[0]-d[1]) / 2} // deviation |d₀−d₁|/√2, divided by √2
	got := s.difference(a, overValidation, accuracyBoth)
	if math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.Spread-want.Spread) > 1e-12 {
		t.Errorf("the difference is %+v, want %+v", got, want)
	}
	for name, cells := range map[string]*Cell{
		overNone: s.cell(noCleaning, 16, 0), overValidation: b, overFORUM: a, overRhoZero: s.cell(forum, 16, 0),
	} {
		if d := s.difference(cells, name, accuracyBoth); !math.IsNaN(d.Mean) || !math.IsNaN(d.Spread) {
			t.Errorf("%s is compared with itself: %+v", name, d)
		}
	}
	if d := s.difference(s.cell(moml, 16, 0), overRhoZero, accuracyBoth); !math.IsNaN(d.Mean) {
		t.Errorf("MOML has a ρ: %+v", d)
	}
	lines, err := csv.NewReader(strings.NewReader(experimenttest.CSV(t, s))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(lines[0], "over_validationonly")
	row := slices.IndexFunc(lines, func(l []string) bool { return l[0] == inTable && l[1] == forum && l[2] == "16" && l[3] == "0.5" })
	if lines[row][column] != experiment.Number(got.Mean) || lines[row][column+1] != experiment.Number(got.Spread) {
		t.Errorf("the file has %s and %s", lines[row][column], lines[row][column+1])
	}
	found := 0
	for _, d := range s.recordDifferences() {
		if d["method"] == forum && d["T"] == 16 && *d["rho"].(*float64) == 0.5 && d["over"] == overValidation && d["measure"] == "accuracy" {
			found++
			if d["mean"] != got.Mean || d["runs"] != 2 {
				t.Errorf("the record has %v", d)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d records", found)
	}
}

// TestTuning checks that step sizes are tried on separate data. The best step sizes must have the best accuracy on
// validation 2, and the default step sizes must be among the tried ones.
func TestTuning(t *testing.T) {
	s := tables.Complete(t, smallCleaning(), 2)
	counts := map[string]int{}
	for _, c := range s.Cells() {
		if c.Part != inTuning {
			continue
		}
		counts[c.Method]++
		if c.Runs != 1 || s.seed(&c) != s.config.Tuning.Seed || c.T != s.config.Tuning.T || len(c.Each(accuracyBoth)) != 1 {
			t.Errorf("%+v", c)
		}
		if best := s.best(c.Method); c.Mean[selectionBoth] > best.Mean[selectionBoth] {
			t.Errorf("%s: %+v is better than the best, %+v", c.Method, c.StepSizes, best.StepSizes)
		}
	}
	if counts[moml] != 2 || counts[moco] != 2 || counts[forum] != 4 || len(counts) != 3 {
		t.Errorf("step sizes are tried %v times", counts)
	}
	c := Default()
	last := c.Problem.Seed + 1000*uint64(c.Runs) // for the largest -seeds
	if c.Tuning.Seed <= last {
		t.Errorf("tuning begins at seed %d, the tables end at %d", c.Tuning.Seed, last)
	}
	for method, sizes := range c.Tuned {
		if !slices.Contains(c.Tuning.Mu, sizes.Mu) || (method == forum) != slices.Contains(c.Tuning.MuOmega, sizes.MuOmega) {
			t.Errorf("%s has %+v, which are not tried", method, sizes)
		}
	}
}

// TestHyperCleaningMeasures checks that a cell's numbers are means and sample deviations over its runs, whose data
// differ.
func TestHyperCleaningMeasures(t *testing.T) {
	s := tables.Complete(t, smallCleaning(), 1)
	c := s.cell(forum, 16, 0.5)
	first, second := cleaningMeasured(t, s, c, 0), cleaningMeasured(t, s, c, 1)
	if first == second {
		t.Error("two runs measure the same")
	}
	for i := range first {
		mean, deviation := (first[i]+second[i])/2, math.Abs(first[i]-second[i])/math.Sqrt2
		if math.Abs(c.Mean[i]-mean) > 1e-12*math.Abs(mean) || math.Abs(c.Deviation[i]-deviation) > 1e-12*math.Abs(mean) {
			t.Errorf("%s is %v ± %v, want %v ± %v", names[i], c.Mean[i], c.Deviation[i], mean, deviation)
		}
	}
	if mean := (first[accuracy1] + first[accuracy2]) / 2; first[accuracyBoth] != mean || first[chosenAt] > 30 || first[f11] > 100 {
		t.Errorf("a run measures %v", first)
	}
	config := smallCleaning()
	config.Runs = 1
	if c := tables.Complete(t, config, 1).cell(forum, 16, 0.5); !math.IsNaN(c.Deviation[accuracy1]) || !slices.Equal(c.Mean, first[:]) {
		t.Errorf("a single run gives %v ± %v", c.Mean, c.Deviation)
	}
}

func cleaningMeasured(t *testing.T, s *Tables, c *Cell, run int) (measured [measures]float64) {
	t.Helper()
	one := *c
	one.Summary = experiment.Summary{Runs: run, Wanted: run + 2}
	experimenttest.Run(t, &one, s.begin)
	for i := range measured {
		measured[i] = one.Each(i)[0]
	}
	return measured
}

// TestHyperCleaningInPieces checks that the result does not depend on how the work is divided.
func TestHyperCleaningInPieces(t *testing.T) {
	// In pieces of size 1, each call takes one step, so the work needs at least one call per step of every run.
	_, runs := tables.Begin(t, smallCleaning()).Parts()
	tables.Pieces(t, smallCleaning(), 1, runs*smallCleaning().Steps, 1, 17, 100000)
}

// TestHyperCleaningJobs checks that the result does not depend on the number of jobs, and that progress goes from 0 to
// 1.
func TestHyperCleaningJobs(t *testing.T) {
	want := experimenttest.CSV(t, tables.Complete(t, smallCleaning(), 1))
	for _, jobs := range []int{2, 5, 50} {
		if got := experimenttest.CSV(t, tables.Complete(t, smallCleaning(), jobs)); got != want {
			t.Errorf("%d jobs: %s", jobs, got)
		}
	}
	s, err := New(smallCleaning())
	if err != nil {
		t.Fatal(err)
	}
	last, calls := 0.0, 0
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 3, Progress: func(p experiment.Progress) {
		done := p.Done
		if done <= last {
			t.Errorf("progress goes from %g to %g", last, done)
		}
		last = done
		calls++
	}}); err != nil || last != 1 || calls != len(s.Cells()) {
		t.Errorf("progress ends at %g after %d calls, error %v", last, calls, err)
	}
	failure := errors.New("disk full")
	s, err = New(smallCleaning())
	if err != nil {
		t.Fatal(err)
	}
	err = experiment.Run(s.Grid, experiment.Options{Jobs: 2, Partial: func(experiment.Outcome) error { return failure }})
	if !errors.Is(err, failure) {
		t.Errorf("a part that cannot be written: %v", err)
	}
}

// TestHyperCleaningResume checks that a run does not repeat the cells of an earlier file. A file of other tables gives
// an error that names the line.
func TestHyperCleaningResume(t *testing.T) {
	full := experimenttest.CSV(t, tables.Complete(t, smallCleaning(), 2))
	lines := strings.SplitAfter(full, "\n")
	if len(lines) != 1+12+4+8+1 {
		t.Fatalf("there are %d lines", len(lines))
	}
	s, err := New(smallCleaning())
	if err != nil {
		t.Fatal(err)
	}
	// A number that no run produces shows which rows come from the file.
	const keys = ",0,20,5,2,1,30,0.3,"
	before, after, found := strings.Cut(lines[11], keys)
	if !found {
		t.Fatalf("line %q", lines[11])
	}
	marked := before + keys + "12.5" + after[strings.Index(after, ","):]
	part := lines[0] + lines[1] + lines[3] + marked + lines[15]
	if err := experiment.Resume(s.Grid, strings.NewReader(part)); err != nil {
		t.Fatal(err)
	}
	if done := len(experiment.Where(s.Each, isDone)); done != 4 {
		t.Errorf("%d cells are taken over", done)
	}
	// The other cell of the comparison may not have been computed yet.
	if got, want := withoutDifferences(t, experimenttest.CSV(t, s)), withoutDifferences(t, part); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("a part is written as %q", got)
	}
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if got := experimenttest.CSV(t, s); got != strings.Replace(full, lines[11], marked, 1) {
		t.Errorf("resumed, the tables are\n%s", got)
	}
	each := strings.Split(lines[1], ",")
	i := slices.Index(strings.Split(lines[0], ","), "accuracies")
	short, wrong := slices.Clone(each), slices.Clone(each)
	short[i], wrong[i] = strings.Fields(each[i])[0], strings.Replace(each[i], " ", " x", 1)
	below := slices.Clone(each)
	below[slices.Index(strings.Split(lines[0], ","), "accuracy_sd")] = "-1"
	for _, c := range []struct{ text, where string }{
		{"", "line 1"}, {"method,T\n", "line 1"}, {lines[0] + strings.Replace(lines[1], "nocleaning,2,", "nocleaning,3,", 1), "line 2"},
		{lines[0] + lines[1] + strings.Replace(lines[2], ",30,0.3,", ",31,0.3,", 1), "line 3"},
		{lines[0] + strings.Replace(lines[1], ",30,0.3,", ",30,0.3,x", 1), "line 2"},
		{lines[0] + before + keys + "NaN" + after, "line 2"},
		{lines[0] + strings.Join(short, ","), "line 2: 1 numbers, want 2"},
		{lines[0] + strings.Join(wrong, ","), "line 2: run \"x"},
		{lines[0] + strings.Join(below, ","), `line 2: accuracy_sd "-1" is below 0`},
		{lines[0] + "forum,2\n", "line 2"}, {"\"", "line 1"},
	} {
		s, err := New(smallCleaning())
		if err != nil {
			t.Fatal(err)
		}
		if err := experiment.Resume(s.Grid, strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.where) {
			t.Errorf("%q: error %v, want one with %s", c.text, err, c.where)
		}
	}
}

// withoutDifferences returns a file's fields except the fields that depend on several cells.
func withoutDifferences(t *testing.T, file string) [][]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range lines[0] {
		if strings.HasPrefix(name, "over_") {
			for _, line := range lines[1:] {
				line[i] = ""
			}
		}
	}
	return lines
}

// TestHyperCleaningFiles checks that the CSV file, the JSON file and the text agree, that the paper's numbers are
// separate, and that the SVG file is a picture.
func TestHyperCleaningFiles(t *testing.T) {
	s := tables.Complete(t, smallCleaning(), 2)
	var j, v, text bytes.Buffer
	if err := errors.Join(s.WriteJSON(&j), s.Picture(0).WriteSVG(&v), s.WriteText(&text)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(experimenttest.CSV(t, s))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Experiment string
		Runs       int
		Problem    map[string]float64
		Cells      []map[string]any
	}
	if err := json.Unmarshal(j.Bytes(), &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Experiment != "hyper-cleaning" || decoded.Runs != 2 || decoded.Problem["train"] != 20 || len(decoded.Cells) != len(lines)-1 {
		t.Fatalf("JSON %+v", decoded)
	}
	for i, cell := range decoded.Cells {
		paper := cell["paper"].(map[string]any)
		for col, name := range lines[0] {
			want, ok := cell[name]
			if short, isPaper := strings.CutPrefix(name, "paper_"); isPaper {
				want, ok = paper[short]
			}
			if !ok { // shared by all cells
				continue
			}
			got := lines[i+1][col]
			switch want := want.(type) {
			case nil:
				if got != "" {
					t.Errorf("cell %d: %s is %s in CSV and null in JSON", i, name, got)
				}
			case string:
				if got != want {
					t.Errorf("cell %d: %s is %s in CSV and %s in JSON", i, name, got, want)
				}
			case float64:
				if got != experiment.Number(want) && got != data.Real(want) {
					t.Errorf("cell %d: %s is %s in CSV and %v in JSON", i, name, got, want)
				}
			case []any:
				if got != data.AsReals(strings.Trim(fmt.Sprint(want...), "[]")) {
					t.Errorf("cell %d: %s is %s in CSV and %v in JSON", i, name, got, want)
				}
			}
		}
	}
	for _, want := range []string{"another problem", "Table 1", "Table 5", "FORUM", "86.58", "90.79",
		"validation only", "over none", "Longer loops", "Tuning: accuracy on validation 2", "*"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text has no %q:\n%s", want, text.String())
		}
	}
	if !strings.HasPrefix(v.String(), "<?xml") || !strings.Contains(v.String(), "Gain over validation only") {
		t.Errorf("SVG starts with %.80q", v.String())
	}
	for _, p := range s.Panels() {
		if p.Describe() == "" {
			t.Errorf("%s has no words", p.ID())
		}
	}
	// Empty tables can be drawn and written too.
	empty, err := New(smallCleaning())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(empty.Picture(0).WriteSVG(&v), empty.WriteText(&text), empty.WriteJSON(&j)); err != nil {
		t.Error(err)
	}
	var picture bytes.Buffer
	f := axes.Figure{Width: 400, Height: 300, Theme: brush.Dark, Placed: axes.Arrange(400, 300, s.Panels(), "gain-rho")}
	err = f.WriteSVG(&picture)
	if err != nil || !strings.Contains(picture.String(), "FORUM") {
		t.Errorf("a panel alone: error %v", err)
	}
}

// TestPaperTables checks that the paper's two tables agree, to the printed digits, on the numbers that both contain.
func TestPaperTables(t *testing.T) {
	for _, row := range paperTable1 {
		if row.method != forum {
			continue
		}
		c := Cell{Part: inTable, Method: forum, T: row.t, Rho: paperRho, Eta: paperEta}
		each, mean := c.paper()
		if each != row.values || math.Abs(mean-(each[0]+each[2])/2) > 0.011 {
			t.Errorf("T = %d: %v and a mean of %v", row.t, each, mean)
		}
	}
	c := Cell{Part: inTable, Method: forum, T: 16, Rho: 0, Eta: paperEta}
	if each, mean := c.paper(); !math.IsNaN(each[0]) || mean != 83.94 {
		t.Errorf("ρ = 0: %v and %v", each, mean)
	}
	c = Cell{Part: inBeside, Method: forum, T: 16, Rho: paperRho, Eta: 0.1}
	if each, mean := c.paper(); !math.IsNaN(each[0]) || mean != 86.57 {
		t.Errorf("η = 0.1: %v and %v", each, mean)
	}
	if c.Eta = 0.2; !math.IsNaN(c.reported()[4]) {
		t.Errorf("η = 0.2: %v", c.reported())
	}
	c = Cell{Part: inTable, Method: noCleaning, T: 16, Rho: math.NaN(), Eta: paperEta}
	if each, mean := c.paper(); !math.IsNaN(each[0]) || !math.IsNaN(mean) {
		t.Errorf("no cleaning: %v and %v", each, mean)
	}
}

func TestHyperCleaningRefuses(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"runs = 0":       func(c *Config) { c.Runs = 0 },
		"steps = -1":     func(c *Config) { c.Steps = -1 },
		"compared = 0.4": func(c *Config) { c.Compared = 0.4 },
		"corruption = 2": func(c *Config) { c.Problem.Corruption = 2 },
		"T = 0":          func(c *Config) { c.T[1] = 0 },
		"rho = -1":       func(c *Config) { c.Rho[0] = -1 },
		"mu = 0":         func(c *Config) { c.Tuned = map[string]StepSizes{forum: {Mu: 1}, moco: {Mu: 1}} },
		"mu = -2":        func(c *Config) { c.Tuning.Mu[1] = -2 },
		"tuning runs":    func(c *Config) { c.Tuning.Runs = -1 },
		"eta = NaN":      func(c *Config) { c.Eta = math.NaN() },
		"muomega = -1":   func(c *Config) { c.Tuning.MuOmega[0] = -1 },
	} {
		c := smallCleaning()
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	_, err := Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Data: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("a file that is not read: %v", err)
	}
	_, err = Experiment.Run(experiment.Options{Seeds: 1, Jobs: 1, Resume: strings.NewReader("x")})
	if err == nil || !strings.Contains(err.Error(), "-resume") {
		t.Errorf("a file of another table: %v", err)
	}
	// A run that diverges stops the experiment with an error that names the run.
	c := smallCleaning()
	c.Eta = 1e300
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Run(s.Grid, experiment.Options{Jobs: 1}); err == nil || !strings.Contains(err.Error(), "T = 2, seed 1") {
		t.Errorf("η = 1e300: %v", err)
	}
}
