package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
)

// Column is an entry of a cell in files. Key, Setting, Value, Shown and Member create columns. A column's values are
// strings, bools, ints, uint64s, float64s, lists of ints and float64s, and rows of float64s. An unknown number is NaN,
// which is written as "" in CSV and null in JSON. Infinite numbers are also null. Real numbers in CSV have a point or
// an exponent, as data.Real writes them.
type Column[C any] struct {
	name           string
	value          func(c *C) any
	key, csv, json bool
	read           func(c *C, text string) error // nil except for Value
}

// Key returns a column that, together with the other keys and the settings, identifies the cell of a line.
func Key[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, key: true, csv: true, json: true}
}

// Setting returns a Key column that identifies the configuration. JSON does not repeat the setting in each cell.
func Setting[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, key: true, csv: true}
}

// Value returns a computed column. The function read reads the value from the file of an earlier call, and marks the
// corresponding part of the cell as done. The errors of read do not name the line.
func Value[C any](name string, value func(c *C) any, read func(c *C, text string) error) Column[C] {
	return Column[C]{name: name, value: value, read: read, csv: true, json: true}
}

// Shown returns a column that only CSV contains. It is computed from other columns and is not read.
func Shown[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, csv: true}
}

// Member returns a column that only JSON contains. Its values may have any type.
func Member[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, json: true}
}

// InJSON returns a copy of the column. JSON contains the copy if the argument is true.
func (c Column[C]) InJSON(is bool) Column[C] {
	c.json = is
	return c
}

// field formats a column's value for CSV.
func field(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case []int:
		texts := make([]string, len(v))
		for i, n := range v {
			texts[i] = strconv.Itoa(n)
		}
		return strings.Join(texts, " ")
	case float64:
		return data.Real(v)
	case []float64:
		if !slices.ContainsFunc(v, func(v float64) bool { return !math.IsNaN(v) }) {
			return ""
		}
		return data.AsReals(JoinNumbers(v))
	case [][]float64:
		return data.AsReals(JoinRows(v))
	}
	panic(fmt.Sprintf("experiment: a column contains a %T", value))
}

// member converts a column's value for JSON.
func member(value any) any {
	switch v := value.(type) {
	case float64:
		return data.Known(v)
	case []float64:
		return members(v, data.Known)
	case [][]float64:
		return members(v, func(row []float64) []*float64 { return members(row, data.Known) })
	}
	return value
}

// members converts each value of a list. A nil list stays nil.
func members[V, M any](list []V, of func(v V) M) []M {
	if list == nil {
		return nil
	}
	out := make([]M, len(list))
	for i, v := range list {
		out[i] = of(v)
	}
	return out
}

// recorded returns a cell for JSON: its columns by name, or the cell itself if the plan is Encoded.
func (p *Plan[C]) recorded(c *C) any {
	if p.Encoded {
		return c
	}
	out := map[string]any{}
	for _, column := range p.Columns {
		if column.json {
			out[column.name] = member(column.value(c))
		}
	}
	return out
}

// isField reports whether an entry of a file equals what field writes. It also accepts what earlier versions wrote:
// real numbers without a point, and seeds with an exponent.
func isField(value any, cell string) bool {
	text := field(value)
	if text == cell || isReal(value) && text == data.AsReals(cell) {
		return true
	}
	seed, is := value.(uint64)
	v, err := strconv.ParseFloat(cell, 64)
	return is && err == nil && v == float64(seed)
}

// isReal reports whether field formats a value with data.Real.
func isReal(value any) bool {
	switch value.(type) {
	case float64, []float64, [][]float64:
		return true
	}
	return false
}

// Number formats a number without loss of precision.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// WriteCSV writes one line for each complete cell. If parts take turns, it also writes cells with any finished part.
// A cell that needs more runs than an earlier call computed keeps its earlier line until it is complete.
func (g *grid) WriteCSV(w io.Writer) error {
	lines := [][]string{g.head}
	var before []int // indices of lines of earlier calls
	reals := make([]bool, len(g.head))
	for i := range g.count {
		done, wanted := g.parts(i)
		switch line := g.kept[i]; {
		case line != nil && done < wanted:
			before, lines = append(before, len(lines)), append(lines, slices.Clone(line))
		case done > 0 && (done == wanted || g.turns):
			line = make([]string, len(g.head))
			for j := range line {
				value := g.value(i, j)
				line[j], reals[j] = field(value), reals[j] || isReal(value)
			}
			lines = append(lines, line)
		}
	}
	for _, n := range before { // earlier versions wrote real numbers without a point
		for j, real := range reals {
			if real {
				lines[n][j] = data.AsReals(lines[n][j])
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Resume reads the cells of a CSV file from an earlier call, with decimal points or commas. It returns an error for
// lines of another configuration, and for two lines of the same cell. It accepts lines with fewer runs.
func Resume[C any](g *Grid[C], r io.Reader) error {
	lines, err := data.ReadCSV(r)
	if err != nil {
		return err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], g.head) {
		return fmt.Errorf("line 1: the columns are not %v", g.head)
	}
	seen := map[int]int{}
	for n, line := range lines[1:] {
		i, runs := find(g, line)
		if i < 0 {
			return fmt.Errorf("line %d: not a cell of this %s", n+2, g.plan.Kind)
		}
		if before, twice := seen[i]; twice {
			return fmt.Errorf("line %d: the same cell as line %d", n+2, before)
		}
		seen[i] = n + 2
		if err := g.take(i, line, runs); err != nil {
			return fmt.Errorf("line %d: %w", n+2, err)
		}
	}
	return nil
}

// take reads a line of a cell. The argument runs is the line's number of runs if the cell needs more runs, and
// otherwise 0.
func (g *Grid[C]) take(i int, line []string, runs int) error {
	c := &g.plan.Cells[i]
	if runs > 0 {
		if g.kept == nil {
			g.kept = map[int][]string{}
		}
		g.kept[i] = line
		if g.plan.Wants == nil {
			g.grown[1]++
			return nil
		}
		g.grown[0]++
		wanted := g.plan.Wants(c)
		defer func(all int) { *wanted = all }(*wanted)
		*wanted = runs
	}
	for j, column := range g.plan.Columns {
		if column.read == nil {
			continue
		}
		if err := column.read(c, line[j]); err != nil {
			return err
		}
	}
	return nil
}

// runsColumn is the name of the key with the number of runs that a cell needs.
const runsColumn = "runs"

// find returns the index of a line's cell, or −1 if there is none. The result runs is the line's number of runs if the
// cell needs more runs, and otherwise 0.
func find[C any](g *Grid[C], line []string) (i, runs int) {
	for i := range g.plan.Cells {
		_, wanted := g.parts(i)
		same, fewer := wanted > 0, 0
		for j, column := range g.plan.Columns {
			if !same || !column.key {
				continue
			}
			value := g.value(i, j)
			if same = isField(value, line[j]); same || column.name != runsColumn || g.turns {
				continue
			}
			now, errNow := strconv.Atoi(field(value))
			before, err := strconv.Atoi(line[j])
			if same = errNow == nil && err == nil && before > 0 && before < now; same {
				fewer = before
			}
		}
		if same {
			return i, fewer
		}
	}
	return -1, 0
}

// Records returns all cells for JSON.
func (g *grid) Records() any {
	out := make([]any, g.count)
	for i := range out {
		out[i] = g.recorded(i)
	}
	return out
}

// WriteJSON writes {"experiment", "cells"} and the members that the plan's Record adds.
func (g *grid) WriteJSON(w io.Writer) error {
	record := map[string]any{}
	if g.record != nil {
		record = g.record()
	}
	record["experiment"], record["cells"] = g.name, g.Records()
	if g.first > 0 {
		record["seed0"] = g.first
	}
	return json.NewEncoder(w).Encode(record)
}

// Picture returns all panels in one picture, without a note of its origin. The argument width is a width on paper, or
// 0 for the screen.
func (g *grid) Picture(width axes.PrintWidth) *axes.Figure {
	if width != 0 {
		return axes.Printed(width, brush.Light, g.panels)
	}
	return &axes.Figure{Width: g.width, Height: g.height, Theme: brush.Light, Placed: axes.Arrange(g.width, g.height, g.panels, "")}
}

// JoinNumbers formats several numbers as one entry of a table, separated by spaces.
func JoinNumbers(each []float64) string {
	texts := make([]string, len(each))
	for i, v := range each {
		texts[i] = Number(v)
	}
	return strings.Join(texts, " ")
}

// JoinRows formats rows of numbers as one entry of a table, separated by semicolons.
func JoinRows(rows [][]float64) string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = JoinNumbers(row)
	}
	return strings.Join(texts, ";")
}

// Rounded rounds a number to the given number of significant digits. Rounding keeps files short.
func Rounded(v float64, digits int) float64 {
	if v-v != 0 {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic("experiment: " + err.Error()) // cannot fail, because the text was just written
	}
	return r
}

// SplitNumbers parses the text of JoinNumbers. It returns an error unless the text has exactly count finite numbers.
func SplitNumbers(text string, count int) ([]float64, error) {
	var out []float64
	for _, field := range strings.Fields(text) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("run %q is not a number", field)
		}
		out = append(out, v)
	}
	if len(out) != count {
		return nil, fmt.Errorf("%d numbers, want %d", len(out), count)
	}
	return out, nil
}

// SplitRows parses the text of JoinRows. It returns an error unless the text has the given numbers of rows and columns,
// and every number is allowed and was rounded by Rounded to the given number of digits. In errors, kind is the word for
// such a number.
func SplitRows(text string, rows, columns, digits int, kind string, allowed func(v float64) bool) ([][]float64, error) {
	if text == "" && rows == 0 {
		return [][]float64{}, nil
	}
	texts := strings.Split(text, ";")
	if len(texts) != rows {
		return nil, fmt.Errorf("%d rows of numbers, want %d", len(texts), rows)
	}
	out := make([][]float64, rows)
	for i, row := range texts {
		fields := strings.Split(row, " ")
		if len(fields) != columns {
			return nil, fmt.Errorf("row %d has %d numbers, want %d", i+1, len(fields), columns)
		}
		for _, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || !allowed(v) || data.Real(Rounded(v, digits)) != data.AsReals(field) {
				return nil, fmt.Errorf("%.40q is not a %s of %d digits", field, kind, digits)
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}
