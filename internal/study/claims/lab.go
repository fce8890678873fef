package claims

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/study/hypercleaning"
	"paretoplay/internal/study/zdt"
	"paretoplay/scenes"
)

// The claims read these files, written by long experiments with the option -csv, and these texts about experiments.
// Tests check the numbers in the texts.
const (
	keptCleaning      = "hyper-cleaning.csv"
	keptSyn           = "syn.csv"
	keptSynSmall      = "syn-small.csv"
	keptZDT           = "zdt.csv"
	keptFairness      = "fairness.csv"
	keptOrders        = "ordering.csv"
	toldOfFairness    = "fairness.md"
	toldOfOrders      = "ordering.md"
	keptAlternation   = "block-smoo.csv"
	toldOfAlternation = "block-smoo.md"
)

// minutes maps files to the experiments that are computed unless Options.Quick is set. The other experiments take ten
// minutes to an hour.
var minutes = map[string]*experiment.Experiment{keptCleaning: &hypercleaning.Experiment, keptZDT: &zdt.Experiment}

// lab measures claims. A failed measurement panics; see failed.
type lab struct {
	options Options
	tables  map[string][]line      // by file name
	drawn   map[string][][]float64 // by scene, card, values and facts; see cardDraws
	// federated caches runs with clients (see clients), and digits caches training runs on two digits (see trained). Both
	// are nil until computed.
	federated map[string][]recorded
	digits    map[string][]training
}

func newLab(o Options) *lab {
	return &lab{options: o, tables: map[string][]line{}, drawn: map[string][][]float64{}}
}

// failed is the value of the panic that ends a measurement. Claim.test returns it as an error.
type failed struct{ error }

func fail(err error) { panic(failed{err}) }

// check panics with failed if there is an error.
func check(err error) {
	if err != nil {
		fail(err)
	}
}

// must returns v, or panics with failed if there is an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// recomputes reports whether an experiment is computed even though its file is kept.
func (l *lab) recomputes(file string) bool { return !l.options.Quick && minutes[file] != nil }

// cardLink returns the part of an address that opens a card.
func cardLink(scene, card string) string { return "#v=1&scene=" + scene + "&card=" + card }

// show is a session of a scene whose runs have ended.
type show struct{ *session.Session }

// card opens a card of a scene with further settings of the form name=value, and plays its runs to the end.
func (l *lab) card(id, card string, further ...string) *show {
	about := must(scenes.All.Find(id))
	values := map[string]string{}
	if card != "" {
		found := false
		for _, p := range about.Presets {
			if p.ID == card {
				values, found = p.Values, true
			}
		}
		if !found {
			fail(fmt.Errorf("scene %s has no card %s", id, card))
		}
	}
	var setup session.Setup
	for _, text := range further {
		name, value, _ := strings.Cut(text, "=")
		setup.Values = append(setup.Values, link.Value{Name: name, Text: value})
	}
	for name, value := range values {
		given := false
		for _, v := range setup.Values {
			given = given || v.Name == name
		}
		if !given {
			setup.Values = append(setup.Values, link.Value{Name: name, Text: value})
		}
	}
	s, err := session.NewConfigured(scenes.All, id, setup)
	if err == nil {
		err = s.Finish()
	}
	if err != nil {
		fail(fmt.Errorf("scene %s: %w", id, err))
	}
	return &show{s}
}

// run opens a scene without a card and plays its runs to the end.
func (l *lab) run(id string, values ...string) *show { return l.card(id, "", values...) }

// fact returns a fact's value at the end of the runs.
func (s *show) fact(name string) float64 {
	for _, f := range s.Facts() {
		if f.Name == name {
			return f.Value()
		}
	}
	panic(failed{fmt.Errorf("unknown fact %s", name)})
}

// facts returns the values of several facts at the end of the runs.
func (s *show) facts(names ...string) []float64 {
	var out []float64
	for _, name := range names {
		out = append(out, s.fact(name))
	}
	return out
}

// recorded contains those fields of a recorded run that the claims read.
type recorded struct {
	Method   string
	Iterates []iterate
}

// iterate contains what claims need to know about an iterate. A pointer is nil if the scene does not record the number.
type iterate struct {
	BP                   float64
	F                    json.RawMessage // losses; each solution's losses if there are several solutions
	OracleLoss, MeanLoss float64
	Zeros, KL            *float64
	Divergence, Accuracy *float64
}

// runs returns the runs of a method.
func (s *show) runs(method string) (out []recorded) {
	var file bytes.Buffer
	var all struct{ Runs []recorded }
	check(s.Files().WriteJSON(&file, 1))
	check(json.Unmarshal(file.Bytes(), &all))
	for _, r := range all.Runs {
		if r.Method == method {
			out = append(out, r)
		}
	}
	if out == nil {
		fail(fmt.Errorf("method %s has no run", method))
	}
	return out
}

// line maps the columns of a table's line to their values.
type line map[string]string

// table returns an experiment's table. It computes the table or reads it from its file.
func (l *lab) table(file string) []line {
	if rows, has := l.tables[file]; has {
		return rows
	}
	if l.recomputes(file) {
		o := experiment.Options{Seeds: 1, Jobs: l.options.Jobs}
		if l.options.SeedBase != UsualSeedBase { // the experiment's default seeds would reproduce the kept table
			o.Seed0 = uint64(l.options.SeedBase + 1)
		}
		l.tables[file] = lines(compute(minutes[file], o))
	} else {
		l.tables[file] = lines(must(fs.ReadFile(l.options.Kept, file)))
	}
	return l.tables[file]
}

// compute runs an experiment and returns its CSV file.
func compute(e *experiment.Experiment, o experiment.Options) []byte {
	var file bytes.Buffer
	outcome, err := e.Run(o)
	if err == nil {
		err = outcome.WriteCSV(&file)
	}
	if err != nil {
		fail(fmt.Errorf("experiment %s: %w", e.Name, err))
	}
	return file.Bytes()
}

// lines parses a CSV table.
func lines(data []byte) (out []line) {
	rows := must(csv.NewReader(bytes.NewReader(data)).ReadAll())
	for _, row := range rows[1:] {
		l := line{}
		for i, name := range rows[0] {
			l[name] = row[i]
		}
		out = append(out, l)
	}
	return out
}

// absent is the error that lab.the panics with if no line matches.
type absent struct{ error }

// the returns the only line with the given values, each of the form column=value.
func (l *lab) the(rows []line, values ...string) line {
	found := where(rows, values...)
	if len(found) == 1 {
		return found[0]
	}
	err := fmt.Errorf("%d lines have %v, want exactly one", len(found), values)
	if len(found) == 0 {
		err = absent{err}
	}
	fail(err)
	return nil
}

// where returns the lines with the given values. A whole number also matches its form with a decimal
// point.
func where(rows []line, values ...string) (out []line) {
	for _, r := range rows {
		is := true
		for _, text := range values {
			name, value, _ := strings.Cut(text, "=")
			is = is && (r[name] == value || r[name] == data.AsReals(value))
		}
		if is {
			out = append(out, r)
		}
	}
	return out
}

// number returns a number in a line.
func (l *lab) number(row line, column string) float64 {
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		fail(fmt.Errorf("column %s: %w", column, err))
	}
	return v
}

// summary returns the number in a column that contains a mean over runs. Its interval follows from the columns with the
// deviation and the number of runs.
func (l *lab) summary(row line, column string) Number {
	return around(experiment.Estimate{Mean: l.number(row, column),
		Spread: experiment.HalfInterval(l.number(row, column+"_sd"), int(l.number(row, "runs")))})
}

// list returns the numbers in a column that contains several numbers, such as one per run.
func (l *lab) list(row line, column string) (out []float64) {
	for text := range strings.FieldsSeq(row[column]) {
		out = append(out, l.number(line{column: text}, column))
	}
	return out
}

// rows returns the rows of numbers in a column that contains several rows.
func (l *lab) rows(row line, column string) (out [][]float64) {
	for text := range strings.SplitSeq(row[column], ";") {
		numbers := l.list(line{column: text}, column)
		if len(numbers) == 0 {
			fail(fmt.Errorf("column %s contains a row without numbers", column))
		}
		out = append(out, numbers)
	}
	return out
}

// cell returns number k of row i in the column "each".
func (l *lab) cell(row line, i, k int) float64 {
	rows := l.rows(row, "each")
	if i >= len(rows) || k >= len(rows[i]) {
		fail(fmt.Errorf("no number %d, %d", i+1, k+1))
	}
	return rows[i][k]
}

// told searches the text about an experiment for a pattern and returns the numbers in its groups. A space in the
// pattern matches any white space.
func (l *lab) told(file, pattern string) []float64 {
	data := must(fs.ReadFile(l.options.Kept, file))
	groups := regexp.MustCompile(pattern).FindStringSubmatch(strings.Join(strings.Fields(string(data)), " "))
	if groups == nil {
		fail(fmt.Errorf("%s does not contain %q", file, pattern))
	}
	var out []float64
	for _, text := range groups[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			fail(fmt.Errorf("%s: %w", file, err))
		}
		out = append(out, v)
	}
	return out
}
