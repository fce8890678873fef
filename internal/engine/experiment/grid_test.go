package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/engine/data"
)

// toyCell is a cell for one rate of the logistic map. The runs of all cells start at the same points. Each run measures
// the last value and the sum of all values.
type toyCell struct {
	Rate float64
	Summary
	x, sum float64
	steps  int // steps of the current run
}

const (
	toySteps = 7
	toyRuns  = 3
)

// toy is an experiment that runs in almost no time.
type toy struct {
	*Grid[toyCell]
	broken float64 // the rate whose second run fails; 0 means none
}

var errBroken = errors.New("the run diverges")

// Runs implements Computable.
func (t *toy) Runs() int { return 2 }

func newToy() *toy {
	t := &toy{}
	t.Grid = NewGrid(t.plan())
	return t
}

func (t *toy) plan() Plan[toyCell] {
	var cells []toyCell
	for rate := 1.0; rate < 4; rate += 0.25 {
		cells = append(cells, toyCell{Rate: rate, Summary: Summary{Wanted: toyRuns}})
	}
	return Plan[toyCell]{
		Name: "toy", Kind: "list", Cells: cells,
		Parts:  (*toyCell).Parts,
		Work:   t.work,
		Effort: func(c *toyCell) float64 { return c.Rate },
		Columns: append([]Column[toyCell]{
			Key("rate", func(c *toyCell) any { return c.Rate }),
			Key("steps", func(*toyCell) any { return toySteps }),
		}, SummaryColumns([]string{"end", "sum"}, func(c *toyCell) *Summary { return &c.Summary }, nil)...),
		Record: func() map[string]any { return map[string]any{"steps": toySteps} },
		Width:  200, Height: 100,
	}
}

func (t *toy) work(c *toyCell, more func() bool) (complete bool, err error) {
	if c.steps == 0 {
		c.x, c.sum = 1/float64(2+c.Runs), 0
	}
	for {
		if c.Rate == t.broken && c.Runs == 1 {
			return false, errBroken
		}
		c.x *= c.Rate * (1 - c.x)
		c.sum += c.x
		if c.steps++; c.steps == toySteps {
			c.Add([]float64{c.x, c.sum})
			c.steps = 0
			return true, nil
		}
		if !more() {
			return false, nil
		}
	}
}

func written(t *testing.T, o Outcome) string {
	t.Helper()
	var b bytes.Buffer
	if err := o.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func finished(t *testing.T, jobs int) string {
	t.Helper()
	g := newToy()
	if err := Run(g.Grid, Options{Jobs: jobs}); err != nil || !g.Finished() {
		t.Fatal(err)
	}
	return written(t, g)
}

// TestGridValues compares a line of the file with values computed by hand. At rate 2 the map converges to 1/2 from
// every start; a run that starts at 1/2 stays there.
func TestGridValues(t *testing.T) {
	lines := strings.Split(finished(t, 1), "\n")
	if len(lines) != 1+12+1 || lines[0] != "rate,steps,end,end_sd,sum,sum_sd" {
		t.Fatalf("%d lines, the first %s", len(lines), lines[0])
	}
	// x' = 2x(1 − x) means 1 − 2x' = (1 − 2x)². After k steps, 1 − 2x is therefore 3^−2^k for the run that starts at
	// 1/3, and 2^−2^k for the run that starts at 1/4.
	var ends, sums []float64
	for _, distance := range []float64{0, 1.0 / 3, 1.0 / 2} {
		end, sum := 0.0, 0.0
		for range toySteps {
			distance *= distance
			end = (1 - distance) / 2
			sum += end
		}
		ends, sums = append(ends, end), append(sums, sum)
	}
	for i, values := range [][]float64{ends, sums} {
		mean := (values[0] + values[1] + values[2]) / 3
		variance := 0.0
		for _, v := range values {
			variance += (v - mean) * (v - mean) / 2
		}
		fields := strings.Split(lines[5], ",")
		if fields[0] != "2.0" || fields[1] != "7" {
			t.Fatalf("line 6 is %s", lines[5])
		}
		for j, want := range []float64{mean, math.Sqrt(variance)} {
			if got, err := strconv.ParseFloat(fields[2+2*i+j], 64); err != nil || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s, number %d is %g, want %g", lines[5], 2*i+j, got, want)
			}
		}
	}
}

// TestGridAnyhow checks that the outcome depends neither on the size of the pieces nor on the number of jobs. A call of
// Work must compute at least one piece, even if it is given no time.
func TestGridAnyhow(t *testing.T) {
	want := finished(t, 1)
	for _, jobs := range []int{0, 2, 4, 50} {
		if got := finished(t, jobs); got != want {
			t.Errorf("%d jobs: %s", jobs, got)
		}
	}
	for _, piece := range []int{1, 5, 1000} {
		g := newToy()
		calls := 0
		for pending := true; pending; calls++ {
			var err error
			left := piece
			if pending, err = g.Work(func() bool { left--; return left >= 0 }); err != nil {
				t.Fatal(err)
			}
		}
		if pieces := len(g.Cells()) * toyRuns * toySteps; calls < pieces/piece || calls > pieces/piece+1 {
			t.Errorf("%d pieces in %d calls with time for %d", pieces, calls, piece)
		}
		if got := written(t, g); got != want {
			t.Errorf("with time for %d pieces: %s", piece, got)
		}
	}
	// Compute one part in pieces, then the rest at once.
	g := newToy()
	left := 40
	if pending, err := g.Work(func() bool { left--; return left >= 0 }); !pending || err != nil {
		t.Fatal(pending, err)
	}
	if err := Run(g.Grid, Options{Jobs: 3}); err != nil || written(t, g) != want {
		t.Errorf("after 40 pieces: %s, error %v", written(t, g), err)
	}
}

// TestGridProgress checks that progress rises with the effort up to 1, is reported after every cell, and includes the
// work of earlier calls.
func TestGridProgress(t *testing.T) {
	var file string
	total := 0.0
	for _, c := range newToy().Cells() {
		total += c.Rate
	}
	for _, from := range []int{0, 5} {
		g := newToy()
		o := Options{Jobs: 3, Partial: func(part Outcome) error {
			if from == 0 && strings.Count(written(t, part), "\n") == 1+5 {
				file = written(t, part)
			}
			return nil
		}}
		resumed := 0.0
		if from > 0 {
			o.Resume = strings.NewReader(file)
			for _, line := range strings.Split(strings.TrimSpace(file), "\n")[1:] {
				rate, err := strconv.ParseFloat(line[:strings.Index(line, ",")], 64)
				if err != nil {
					t.Fatal(err)
				}
				resumed += rate / total
			}
		}
		last, calls := -1.0, 0
		o.Progress = func(p Progress) {
			if p.Done <= last || p.Done > 1 || math.Abs(p.Resumed-resumed) > 1e-15 || calls == 0 && from > 0 && p.Done != p.Resumed ||
				p.Cells != max(1, from)+calls || p.AllCells != len(g.Cells()) {
				t.Errorf("got progress from %g to %+v, %g resumed", last, p, resumed)
			}
			last = p.Done
			calls++
		}
		if err := Run(g.Grid, o); err != nil {
			t.Fatal(err)
		}
		if want := len(g.Cells()) - from + min(1, from); last != 1 || calls != want {
			t.Errorf("from %d cells: got %d calls up to %g, want %d", from, calls, last, want)
		}
	}
}

// TestLeft checks that the remaining time is estimated from this call's share of the work.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		p    Progress
		want time.Duration
		ok   bool
	}{
		{Progress{}, 0, false}, {Progress{Done: 0.5, Resumed: 0.5}, 0, false}, {Progress{Done: 0.25}, 30 * time.Second, true},
		{Progress{Done: 0.75, Resumed: 0.25}, 5 * time.Second, true}, {Progress{Done: 1}, 0, true}, {Progress{Done: 1, Resumed: 1}, 0, false},
	} {
		if left, ok := c.p.Left(10 * time.Second); left != c.want || ok != c.ok {
			t.Errorf("%+v after 10 s: got %v, %v", c.p, left, ok)
		}
	}
}

// TestGridResume interrupts a computation after each cell and resumes it. The file must equal the file of an
// uninterrupted computation, and complete cells must not be computed again.
func TestGridResume(t *testing.T) {
	want := finished(t, 1)
	interrupted := errors.New("interrupted")
	for _, jobs := range []int{1, 4} {
		for after := 1; after <= 12; after += 3 {
			g, left, file := newToy(), after, ""
			err := Run(g.Grid, Options{Jobs: jobs, Partial: func(part Outcome) error {
				if left--; left < 0 {
					return interrupted
				}
				file = written(t, part)
				return nil
			}})
			if err != interrupted || strings.Count(file, "\n") != 1+after {
				t.Fatalf("%d jobs, %d cells: error %v, file %s", jobs, after, err, file)
			}
			g = newToy()
			if err := Resume(g.Grid, strings.NewReader(file)); err != nil || written(t, g) != file {
				t.Fatalf("%d cells: read as %s, error %v", after, written(t, g), err)
			}
			g = newToy()
			if err := Run(g.Grid, Options{Jobs: jobs, Resume: strings.NewReader(file)}); err != nil || written(t, g) != want {
				t.Errorf("%d jobs, resumed after %d cells: %s, error %v", jobs, after, written(t, g), err)
			}
			// If the cell were computed again, this number, which no run produces, would be lost.
			line := strings.Split(file, "\n")[1]
			fields := strings.Split(line, ",")
			fields[2] = "12.5"
			marked := strings.Join(fields, ",")
			g = newToy()
			err = Run(g.Grid, Options{Jobs: jobs, Resume: strings.NewReader(strings.Replace(file, line, marked, 1))})
			if got := written(t, g); err != nil || got != strings.Replace(want, line, marked, 1) {
				t.Errorf("%d jobs, resumed from %s: %s, error %v", jobs, marked, got, err)
			}
		}
	}
	lines := strings.SplitAfter(want, "\n")
	for _, c := range []struct{ text, want string }{
		{"", "-resume: line 1: the columns are not [rate steps end end_sd sum sum_sd]"},
		{"rate,steps\n", "-resume: line 1: the columns are not [rate steps end end_sd sum sum_sd]"},
		{lines[0] + lines[1] + strings.Replace(lines[2], ",7,", ",8,", 1), "-resume: line 3: not a cell of this list"},
		{lines[0] + "9" + lines[1], "-resume: line 2: not a cell of this list"},
		{lines[0] + strings.Replace(lines[1], ",7,", ",7,x", 1), `-resume: line 2: end "x`},
		{lines[0] + "1,7,,0,0,0\n", `-resume: line 2: end "" is not a number`},
		{lines[0] + "1,7,0,0,0,Inf\n", `-resume: line 2: sum "Inf" is not a number`},
		{lines[0] + "1\n", "-resume: record on line 2: wrong number of fields"},
	} {
		if err := Run(newToy().Grid, Options{Resume: strings.NewReader(c.text)}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestGridError checks that an error in a cell ends the computation, and that further calls return the same error. The
// file must contain the cells that were complete.
func TestGridError(t *testing.T) {
	full := finished(t, 1)
	for _, jobs := range []int{1, 4} {
		g := newToy()
		g.broken = 2
		told := 0
		last := ""
		err := Run(g.Grid, Options{Jobs: jobs, Progress: func(Progress) { told++ }, Partial: func(part Outcome) error {
			last = written(t, part)
			return nil
		}})
		if err != errBroken || told < 4-jobs || told > 4+2*jobs || strings.Count(last, "\n") != 1+told {
			t.Errorf("%d jobs: error %v after %d cells, file %s", jobs, err, told, last)
		}
		if jobs == 1 && !strings.HasPrefix(full, last) {
			t.Errorf("before the error: %s", last)
		}
	}
	g := newToy()
	g.broken = 2
	pending, err := g.Work(always)
	if pending || err != errBroken {
		t.Errorf("the first call: %v, error %v", pending, err)
	}
	pending, err = g.Work(func() bool { t.Error("Work continues after an error"); return true })
	if pending || err != errBroken || g.Finished() || strings.Count(written(t, g), "\n") != 1+4 {
		t.Errorf("the second call: %v, error %v, file %s", pending, err, written(t, g))
	}
}

// TestGridStops checks that an error while writing the outcome ends the computation, and that Run returns the error
// once, whatever the number of jobs.
func TestGridStops(t *testing.T) {
	full := errors.New("the disk is full")
	for _, jobs := range []int{1, 3} {
		g := newToy()
		err := Run(g.Grid, Options{Jobs: jobs, Partial: func(Outcome) error { return full }})
		if computed, _ := g.Parts(); err != full || computed > toyRuns*(2*jobs+1) {
			t.Errorf("%d jobs: %d runs computed, error %v", jobs, computed, err)
		}
	}
}

// TestGridTurns checks that parts take turns back and forth, one at a time. Cells that are left out must have no parts,
// and files must contain unfinished cells.
func TestGridTurns(t *testing.T) {
	type cell struct {
		name   string
		wanted int
		parts  []int
	}
	begun := 0
	make := func() *Grid[cell] {
		return NewGrid(Plan[cell]{
			Name: "turns", Kind: "figure", Turns: true,
			Cells: []cell{{name: "a", wanted: 3}, {name: "b"}, {name: "c", wanted: 2}, {name: "d", wanted: 3}},
			Parts: func(c *cell) (done, wanted int) { return len(c.parts), c.wanted },
			Work: func(c *cell, _ func() bool) (complete bool, err error) {
				begun++
				c.parts = append(c.parts, begun)
				return true, nil
			},
			Columns: []Column[cell]{
				Key("name", func(c *cell) any { return c.name }),
				Value("parts", func(c *cell) any { return strings.Trim(fmt.Sprint(c.parts), "[]") }, func(c *cell, text string) error {
					for _, part := range strings.Fields(text) {
						n, err := strconv.Atoi(part)
						if err != nil {
							return fmt.Errorf("part %q is not a number", part)
						}
						c.parts = append(c.parts, n)
					}
					return nil
				}),
			},
		})
	}
	const want = "name,parts\na,1 6 7\nc,2 5\nd,3 4 8\n"
	for _, interrupted := range []int{1, 2, 4, 7, 8} {
		begun = 0
		file, end := "", errors.New("interrupted")
		err := Run(make(), Options{Jobs: 4, Partial: func(part Outcome) error {
			file = written(t, part)
			if begun == interrupted {
				return end
			}
			return nil
		}})
		if err != end || begun != interrupted {
			t.Fatalf("%d parts, error %v", begun, err)
		}
		g := make()
		if err := Run(g, Options{Jobs: 4, Resume: strings.NewReader(file)}); err != nil || written(t, g) != want || g.Progress() != 1 {
			t.Errorf("interrupted after %d parts and resumed: %s, error %v", interrupted, written(t, g), err)
		}
	}
	begun = 0
	g := make()
	if pending, err := g.Work(func() bool { return begun < 5 }); !pending || err != nil || written(t, g) != "name,parts\na,1\nc,2 5\nd,3 4\n" {
		t.Errorf("after five parts: %v, error %v, %s", pending, err, written(t, g))
	}
	if err := Resume(make(), strings.NewReader("name,parts\nb,1\n")); err == nil || err.Error() != "line 2: not a cell of this figure" {
		t.Errorf("a cell that is left out: got error %v", err)
	}
	left := NewGrid(Plan[cell]{Cells: []cell{{name: "b"}}, Parts: func(*cell) (done, wanted int) { return 0, 0 }})
	if left.Progress() != 1 || !left.Finished() {
		t.Errorf("nothing to compute: got progress %g", left.Progress())
	}
}

// TestResumeForms checks that Resume accepts files of earlier versions, whose real numbers lack a point, and files with
// decimal commas. Composed grids must accept these files too.
func TestResumeForms(t *testing.T) {
	whole := finished(t, 1)
	old := regexp.MustCompile(`\.0\b`).ReplaceAllString(whole, "")
	commas, err := data.WithCommas([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if old == whole || !strings.Contains(old, "\n2,7,0.5,0,") || !strings.Contains(string(commas), "\n2,0;7;0,5;0,0;") {
		t.Fatalf("%s\n%s", old, commas)
	}
	for _, file := range []string{whole, old, string(commas)} {
		g := newToy()
		if err := Resume(g.Grid, strings.NewReader(file)); err != nil || !g.Finished() || written(t, g) != whole {
			t.Errorf("%.200s: error %v, then\n%s", file, err, written(t, g))
		}
		lines := Compose(Plan[Line]{Name: "mixed", Kind: "list"}, g.head, Lines((&toy{}).plan()))
		if err := Resume(lines, strings.NewReader(file)); err != nil || !lines.Finished() || written(t, lines) != whole {
			t.Errorf("%.200s: composed, error %v, then\n%s", file, err, written(t, lines))
		}
	}
}

// TestCompose checks that a grid of two kinds of cells has the lines of both and can be resumed. Partial must not see
// incomplete cells.
func TestCompose(t *testing.T) {
	type word struct{ Text, Found string }
	begin := func() *Grid[Line] {
		words := Lines(Plan[word]{Cells: []word{{Text: "a"}, {Text: "b"}},
			Parts: func(c *word) (done, wanted int) { return len(c.Found), 1 },
			Work:  func(c *word, _ func() bool) (bool, error) { c.Found = "x"; return true, nil },
			Alone: func(*word) bool { return true },
			Columns: []Column[word]{Key("name", func(c *word) any { return c.Text }),
				Value("found", func(c *word) any { return c.Found }, func(c *word, text string) error { c.Found = text; return nil })}})
		return Compose(Plan[Line]{Name: "mixed", Kind: "list"}, []string{"name", "rate", "found", "end", "end_sd", "sum", "sum_sd"},
			words, Lines((&toy{}).plan()))
	}
	var stored []string
	whole := begin()
	if err := Run(whole, Options{Jobs: 3, Partial: func(o Outcome) error {
		var b bytes.Buffer
		err := o.WriteCSV(&b)
		stored = append(stored, b.String())
		return err
	}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(stored[len(stored)-1], "\n")
	if len(stored) != 14 || len(lines) != 16 || lines[1] != "a,,x,,,," || !strings.HasPrefix(lines[3], ",1.0,,") {
		t.Errorf("got %d writes, the last\n%s", len(stored), stored[len(stored)-1])
	}
	for _, at := range []int{0, 1, 6, 13} {
		again := begin()
		if err := Run(again, Options{Jobs: 2, Resume: strings.NewReader(stored[at])}); err != nil {
			t.Fatal(err)
		}
		var b, record bytes.Buffer
		if err := errors.Join(again.WriteCSV(&b), again.WriteJSON(&record)); err != nil || b.String() != stored[13] ||
			!json.Valid(record.Bytes()) {
			t.Errorf("on from %d lines, %v:\n%s", at+1, err, b.String())
		}
	}
	found := 0
	for c := range Of[word](whole) {
		if found++; c.Found != "x" {
			t.Errorf("%+v", c)
		}
	}
	err := Resume(begin(), strings.NewReader(lines[0]+"\nc,,x,,,,\n"))
	if found != 2 || err == nil || err.Error() != "line 2: not a cell of this list" {
		t.Errorf("got %d words; a line of no cell: error %v", found, err)
	}
}

// TestSummaryUnknown checks that a single run has no deviation, neither in memory nor in files. Numbers that a cell may
// lack may be missing from a file; all others must be required.
func TestSummaryUnknown(t *testing.T) {
	type cell struct{ Summary }
	names := []string{"u", "v"}
	columns := SummaryColumns(names, func(c *cell) *Summary { return &c.Summary }, func(_ *cell, i int) bool { return i == 1 })
	c := cell{Summary{Wanted: 1}}
	plan := Plan[cell]{Columns: columns}
	record := func() string {
		data, err := json.Marshal(plan.recorded(&c))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := record(); got != `{"u":null,"u_sd":null,"v":null,"v_sd":null}` {
		t.Errorf("before a run: got %s", got)
	}
	c.Add([]float64{3, math.NaN()})
	if got := record(); got != `{"u":3,"u_sd":null,"v":null,"v_sd":null}` || !c.Done || c.Runs != 1 {
		t.Errorf("after the run: got %s", got)
	}
	two := Summary{Wanted: 2}
	measured := []float64{3} // the caller reuses this slice
	two.Add(measured)
	measured[0] = 5
	if two.Add(measured); !two.Done || two.Mean[0] != 4 || two.Deviation[0] != math.Sqrt2 {
		t.Errorf("3 and 5: got %+v", two)
	}
	var texts []string
	for _, column := range columns {
		texts = append(texts, field(column.value(&c)))
	}
	if !slices.Equal(texts, []string{"3.0", "", "", ""}) {
		t.Errorf("got columns %q", texts)
	}
	for _, x := range []struct {
		runs  int
		texts []string
		wrong int // column of the error, −1 for no error
	}{{1, texts, -1}, {2, texts, 1}, {2, []string{"3", "1", "", ""}, -1}, {1, []string{"", "", "", ""}, 0}} {
		again := cell{Summary{Wanted: x.runs}}
		wrong := -1
		for i, column := range columns {
			if err := column.read(&again, x.texts[i]); err != nil && wrong < 0 {
				wrong = i
			}
		}
		if wrong != x.wrong {
			t.Errorf("%d runs, %q: got an error in column %d, want %d", x.runs, x.texts, wrong, x.wrong)
		}
		if wrong < 0 && (!again.Done || again.Runs != x.runs || again.Mean[0] != 3 || !math.IsNaN(again.Mean[1])) {
			t.Errorf("%q: read as %+v", x.texts, again)
		}
	}
}

// TestGridFiles checks that JSON contains the cells and the additional members of the plan's Record, and that the
// picture is written as SVG.
func TestGridFiles(t *testing.T) {
	g := newToy()
	var j, v bytes.Buffer
	if err := errors.Join(g.WriteJSON(&j), g.Picture(0).WriteSVG(&v)); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Experiment string
		Steps      int
		Cells      []struct{ Rate float64 }
	}
	if err := json.Unmarshal(j.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Experiment != "toy" || d.Steps != toySteps || len(d.Cells) != 12 || d.Cells[4].Rate != 2 {
		t.Error(j.String())
	}
	if !strings.HasPrefix(v.String(), "<?xml") {
		t.Errorf("got SVG that starts with %.80q", v.String())
	}
}

// TestExperimentRun checks that experiments that read a file receive it, and that other experiments reject it.
func TestExperimentRun(t *testing.T) {
	asked := Options{}
	e := Experiment{Name: "toy", New: func(o Options) (Computable, error) {
		asked = o
		return newToy(), nil
	}}
	if o, err := e.Run(Options{Seeds: 2}); err != nil || asked.Seeds != 2 || !o.(*toy).Finished() {
		t.Errorf("got outcome %v, error %v", o, err)
	}
	data := strings.NewReader("")
	if _, err := e.Run(Options{Data: data}); err == nil || err.Error() != "-data: toy does not read a file" {
		t.Errorf("a file for an experiment that reads none: got error %v", err)
	}
	e.Data = true
	if _, err := e.Run(Options{Data: data}); err != nil || asked.Data != data {
		t.Errorf("a file: got error %v", err)
	}
	settings := map[string]string{"order": "hour", "train": "0.7"}
	if _, err := e.Run(Options{Data: data, Settings: settings}); err == nil || err.Error() != "-set order: toy has no settings" {
		t.Errorf("settings for an experiment that has none: got error %v", err)
	}
	e.Settings = []string{"order", "without"}
	if _, err := e.Run(Options{Data: data, Settings: settings}); err == nil ||
		err.Error() != "-set train: toy has no such setting; available: order without" {
		t.Errorf("an unknown setting: got error %v", err)
	}
	delete(settings, "train")
	if _, err := e.Run(Options{Data: data, Settings: settings}); err != nil || asked.Settings["order"] != "hour" {
		t.Errorf("known settings: got %v, error %v", asked.Settings, err)
	}
	price := &Quantity{Name: "price", Lacking: "buys nothing"}
	numbers := map[*Quantity]float64{price: 2}
	if _, err := e.Run(Options{Quantities: numbers}); err == nil || err.Error() != "-price: toy buys nothing" {
		t.Errorf("an unknown quantity: got error %v", err)
	}
	e.Quantities = []*Quantity{price}
	if _, err := e.Run(Options{Quantities: numbers}); err != nil || asked.Quantities[price] != 2 {
		t.Errorf("a known quantity: got %v, error %v", asked.Quantities, err)
	}
	e.New = func(Options) (Computable, error) { return nil, errBroken }
	if o, err := e.Run(Options{}); o != nil || !errors.Is(err, errBroken) {
		t.Errorf("an invalid experiment: got %v, error %v", o, err)
	}
}

// TestGridAlone checks that cells that must be computed alone come first and in order, and that no other cell is
// computed at the same time, regardless of the number of jobs.
func TestGridAlone(t *testing.T) {
	type cell struct {
		number int
		done   bool
	}
	var lock sync.Mutex
	var order []int
	var going, failing int
	make := func() *Grid[cell] {
		order = nil
		return NewGrid(Plan[cell]{
			Cells: []cell{{number: 0}, {number: 1}, {number: 2}, {number: 3}, {number: 4}, {number: 5}},
			Parts: func(c *cell) (done, wanted int) {
				if c.done {
					done = 1
				}
				return done, 1
			},
			Alone: func(c *cell) bool { return c.number%2 == 1 },
			Work: func(c *cell, _ func() bool) (bool, error) {
				lock.Lock()
				if going++; going > 1 && (c.number%2 == 1 || len(order) < 3) {
					t.Errorf("cell %d is computed beside another", c.number)
				}
				lock.Unlock()
				time.Sleep(time.Millisecond)
				lock.Lock()
				defer lock.Unlock()
				going--
				if c.number == failing {
					return false, errBroken
				}
				order = append(order, c.number)
				c.done = true
				return true, nil
			},
		})
	}
	failing = -1
	g := make()
	if err := Run(g, Options{Jobs: 4}); err != nil || !g.Finished() || !slices.Equal(order[:3], []int{1, 3, 5}) {
		t.Errorf("got order %v, error %v", order, err)
	}
	failing = 3
	if err := Run(make(), Options{Jobs: 4}); !errors.Is(err, errBroken) || !slices.Equal(order, []int{1}) {
		t.Errorf("after an error: got order %v, error %v", order, err)
	}
}
