package claims

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/study/hypercleaning"
	"paretoplay/internal/study/zdt"
	"paretoplay/scenes"
)

// The files of experiments that take long, as their -csv writes them, and the words about one of
// them, whose numbers its own test asserts.
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

// minutes are the experiments that are computed if there is time, by their files. The others take
// from ten minutes to an hour.
var minutes = map[string]*experiment.Experiment{keptCleaning: &hypercleaning.Experiment, keptZDT: &zdt.Experiment}

// lab measures claims. It keeps the first error, and from then on measures nothing.
type lab struct {
	options Options
	tables  map[string][]line      // by their files
	drawn   map[string][][]float64 // by scene, card, values and facts, see cardDraws
	shown   map[string][]*show     // by method and solver, see solved
	err     error
}

// newLab returns a lab without any measurements.
func newLab(o Options) *lab {
	return &lab{options: o, tables: map[string][]line{}, drawn: map[string][][]float64{}, shown: map[string][]*show{}}
}

// fail notes an error.
func (l *lab) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// recomputes reports whether an experiment is computed although its file is kept.
func (l *lab) recomputes(file string) bool { return !l.options.Quick && minutes[file] != nil }

// link is the part of an address that opens a card.
func link(scene, card string) string { return "#v=1&scene=" + scene + "&card=" + card }

// show is a scene whose runs have ended.
type show struct {
	l       *lab
	session *session.Session
}

// card opens a card of a scene, with further values of the form name=value, and lets its runs end.
func (l *lab) card(id, card string, further ...string) *show {
	about, err := scenes.All.Find(id)
	if err != nil {
		l.fail(err)
		return &show{l: l}
	}
	values := map[string]string{}
	if card != "" {
		found := false
		for _, p := range about.Presets {
			if p.ID == card {
				values, found = p.Values, true
			}
		}
		if !found {
			l.fail(fmt.Errorf("scene %s has no card %s", id, card))
			return &show{l: l}
		}
	}
	var setup session.Setup
	for _, text := range further {
		name, value, _ := strings.Cut(text, "=")
		setup.Values = append(setup.Values, session.Value{Name: name, Text: value})
	}
	for name, value := range values {
		given := false
		for _, v := range setup.Values {
			given = given || v.Name == name
		}
		if !given {
			setup.Values = append(setup.Values, session.Value{Name: name, Text: value})
		}
	}
	s, err := session.NewConfigured(scenes.All, id, setup)
	if err == nil {
		err = s.Finish()
	}
	if err != nil {
		l.fail(fmt.Errorf("scene %s: %w", id, err))
		return &show{l: l}
	}
	return &show{l: l, session: s}
}

// run is card for a scene as it opens.
func (l *lab) run(id string, values ...string) *show { return l.card(id, "", values...) }

// fact is the value of a fact at the end.
func (s *show) fact(name string) float64 {
	if s.session == nil {
		return math.NaN()
	}
	for _, f := range s.session.Facts() {
		if f.Name == name {
			return f.Value()
		}
	}
	s.l.fail(fmt.Errorf("there is no fact %s", name))
	return math.NaN()
}

// facts are the values of some facts.
func (s *show) facts(names ...string) []float64 {
	var out []float64
	for _, name := range names {
		out = append(out, s.fact(name))
	}
	return out
}

// recorded holds the fields of a run in files that claims need.
type recorded struct {
	Method   string
	Iterates []struct {
		OracleLoss float64
		MeanLoss   float64
		Zeros, KL  *float64
	}
}

// runs returns the runs of a method.
func (s *show) runs(method string) (out []recorded) {
	if s.session == nil {
		return nil
	}
	var file bytes.Buffer
	var all struct{ Runs []recorded }
	err := s.session.WriteJSON(&file, 1)
	if err == nil {
		err = json.Unmarshal(file.Bytes(), &all)
	}
	if err != nil {
		s.l.fail(err)
		return nil
	}
	for _, r := range all.Runs {
		if r.Method == method {
			out = append(out, r)
		}
	}
	if out == nil {
		s.l.fail(fmt.Errorf("there is no run of %s", method))
	}
	return out
}

// line is one line of a table, by column.
type line map[string]string

// table returns the table of an experiment, computed or read.
func (l *lab) table(file string) []line {
	if rows, has := l.tables[file]; has || l.err != nil {
		return rows
	}
	var data []byte
	var err error
	if l.recomputes(file) {
		data, err = compute(minutes[file], experiment.Options{Seeds: 1, Jobs: l.options.Jobs})
	} else {
		data, err = fs.ReadFile(l.options.Kept, file)
	}
	if err == nil {
		l.tables[file], err = lines(data)
	}
	if err != nil {
		l.fail(err)
	}
	return l.tables[file]
}

// compute runs an experiment and returns the file that it writes.
func compute(e *experiment.Experiment, o experiment.Options) ([]byte, error) {
	outcome, err := e.Run(o)
	if err != nil {
		return nil, fmt.Errorf("experiment %s: %w", e.Name, err)
	}
	var file bytes.Buffer
	if err := outcome.WriteCSV(&file); err != nil {
		return nil, fmt.Errorf("experiment %s: %w", e.Name, err)
	}
	return file.Bytes(), nil
}

// lines reads a table.
func lines(data []byte) ([]line, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []line
	for _, row := range rows[1:] {
		l := line{}
		for i, name := range rows[0] {
			l[name] = row[i]
		}
		out = append(out, l)
	}
	return out, nil
}

// the returns the only line with some values, of the form column=value.
func (l *lab) the(rows []line, values ...string) line {
	if l.err != nil {
		return nil
	}
	found := where(rows, values...)
	if len(found) != 1 {
		l.fail(fmt.Errorf("%d lines have %v, want one", len(found), values))
		return nil
	}
	return found[0]
}

// where returns the lines with some values.
func where(rows []line, values ...string) (out []line) {
	for _, r := range rows {
		is := true
		for _, text := range values {
			name, value, _ := strings.Cut(text, "=")
			is = is && r[name] == value
		}
		if is {
			out = append(out, r)
		}
	}
	return out
}

// number is one of a line.
func (l *lab) number(row line, column string) float64 {
	if l.err != nil {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		l.fail(fmt.Errorf("column %s: %w", column, err))
	}
	return v
}

// summary is the mean over runs that a line has in a column, from their deviation and how many there are.
func (l *lab) summary(row line, column string) Number {
	return around(experiment.Estimate{Mean: l.number(row, column),
		Spread: experiment.HalfInterval(l.number(row, column+"_sd"), int(l.number(row, "runs")))})
}

// list are the numbers of a column that holds several, such as one of every run.
func (l *lab) list(row line, column string) (out []float64) {
	for text := range strings.FieldsSeq(row[column]) {
		out = append(out, l.number(line{column: text}, column))
	}
	return out
}

// rows are the numbers of a column that holds rows of them.
func (l *lab) rows(row line, column string) (out [][]float64) {
	for text := range strings.SplitSeq(row[column], ";") {
		numbers := l.list(line{column: text}, column)
		if len(numbers) == 0 {
			l.fail(fmt.Errorf("column %s has a row without numbers", column))
		}
		if l.err != nil {
			return nil
		}
		out = append(out, numbers)
	}
	return out
}

// cell is number k in row i of the column each.
func (l *lab) cell(row line, i, k int) float64 {
	rows := l.rows(row, "each")
	if l.err == nil && (i >= len(rows) || k >= len(rows[i])) {
		l.fail(fmt.Errorf("there is no number %d, %d", i+1, k+1))
	}
	if l.err != nil {
		return math.NaN()
	}
	return rows[i][k]
}

// told returns the numbers in the groups of a pattern that matches the words about an experiment.
// A space in the pattern matches any white space.
func (l *lab) told(file, pattern string) []float64 {
	if l.err != nil {
		return nil
	}
	data, err := fs.ReadFile(l.options.Kept, file)
	if err != nil {
		l.fail(err)
		return nil
	}
	groups := regexp.MustCompile(pattern).FindStringSubmatch(strings.Join(strings.Fields(string(data)), " "))
	if groups == nil {
		l.fail(fmt.Errorf("%s does not say %q", file, pattern))
		return nil
	}
	var out []float64
	for _, text := range groups[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			l.fail(fmt.Errorf("%s: %w", file, err))
		}
		out = append(out, v)
	}
	return out
}
