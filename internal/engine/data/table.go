package data

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"paretoplay/internal/numeral"
)

// Limits of a table, in addition to MaxBytes and MaxNumbers.
const (
	MaxTableColumns = 1000
	MaxWords        = 200 // different words in a column
)

// maxOfTable is the maximum absolute value of a table's numbers. Products of four such numbers are finite.
const maxOfTable = 1e75

// missing lists the texts that mark a cell without a value. Their case is ignored.
var missing = [][]byte{nil, []byte("NA"), []byte("N/A"), []byte("NaN"), []byte("null"), []byte("?")}

// Rows is the layout of a table with any columns, as CSV, for regression. See Table.
var Rows = &Layout{noun: "file", content: "a table is expected, as CSV with a heading", table: true}

// Table is the content of a table with a heading. All rows have the same number of cells. The separator is the first of
// semicolon, tab, comma and blank that the heading contains. If the separator is not a comma, commas are decimal
// commas. A cell in double quotes may contain separators and line breaks. A column contains numbers if its first value
// is a number, and words otherwise.
//
// Rows with a missing value are left out. A value is missing if its cell is empty or contains NA, N/A, NaN, null or ?.
type Table struct {
	LeftOut int // number of rows with a missing value

	gap     int // line of the first omitted row
	rows    int // number of kept rows
	columns []column
}

// column is one column of a Table.
type column struct {
	name    string
	holds   content
	numbers []float64
	codes   []int32 // code of the word in each row
	words   []string
	code    map[string]int32
	gaps    int // number of cells without a value
}

// content is the kind of values in a column.
type content int

const (
	nothing content = iota // no value so far
	numbers
	words
)

// Len returns the number of kept rows.
func (t *Table) Len() int { return t.rows }

// Names returns the columns' names, in the order of the file.
func (t *Table) Names() []string { return t.names(func(*column) bool { return true }) }

// Numeric returns the names of the columns of numbers. These columns can be responses.
func (t *Table) Numeric() []string {
	return t.names(func(c *column) bool { return c.holds == numbers })
}

func (t *Table) names(which func(*column) bool) []string {
	var names []string
	for i := range t.columns {
		if c := &t.columns[i]; which(c) {
			names = append(names, c.name)
		}
	}
	return names
}

func (t *Table) about() string {
	about := fmt.Sprintf("%s of %s", numeral.Counted(t.rows, "row"), numeral.Counted(len(t.columns), "column"))
	if t.LeftOut > 0 {
		about += fmt.Sprintf(", and %d left out for cells without a value", t.LeftOut)
	}
	return about
}

// tableReader builds a Table from the rows of a textTable.
type tableReader struct {
	table  Table
	from   *textTable
	values []cell
}

// cell is a value of the current row.
type cell struct {
	number float64
	word   []byte
}

// wrong returns an error about the cell with the given number in its row, counted from 0.
func (r *tableReader) wrong(line, cell int, text string) error {
	name, column := "", cell
	if cell < len(r.table.columns) {
		name = r.table.columns[cell].name
	}
	if cell < len(r.from.use) {
		column = r.from.use[cell]
	}
	return inColumn(line, column, name, text)
}

// names sets the names of the columns.
func (r *tableReader) names(names []string, line int) error {
	if !slices.ContainsFunc(names, isName) {
		return fmt.Errorf("line %d: a heading with the names of the columns is expected, but there are numbers", line)
	}
	seen := map[string]bool{}
	var columns []column
	for i, name := range names {
		if name == "" {
			return r.wrong(line, i, "the column has no name")
		}
		if seen[name] {
			return r.wrong(line, i, "there are two columns "+clipped(name))
		}
		seen[name] = true
		columns = append(columns, column{name: name, code: map[string]int32{}})
	}
	r.table.columns, r.values = columns, make([]cell, len(columns))
	return nil
}

// row adds a row of values.
func (r *tableReader) row(of *record, run int) error {
	t := &r.table
	if len(of.cells) != len(t.columns) {
		return fmt.Errorf("line %d: %s, but the heading has %d", of.line, numeral.Counted(len(of.cells), "cell"), len(t.columns))
	}
	whole := true
	for i := range t.columns {
		c, text := &t.columns[i], of.cells[i].text
		if isMissing(text) {
			c.gaps++
			whole = false
			continue
		}
		number, wrong := 0., ""
		if c.holds != words {
			number, wrong = r.from.number(&of.cells[i], of.line)
		}
		switch {
		case c.holds == nothing && wrong == "":
			c.holds = numbers
		case c.holds == nothing && (instead(string(text)) != "" || sheetError().Match(text)):
			return r.wrong(of.line, i, wrong)
		case c.holds == nothing:
			c.holds = words
		case wrong != "" && r.from.comma != "" && r.from.point != "":
			return r.wrong(of.line, i, wrong)
		case wrong != "":
			return r.wrong(of.line, i, wrong+"; the column began with one")
		}
		if !(math.Abs(number) <= maxOfTable) {
			return r.wrong(of.line, i, fmt.Sprintf("%s is larger than %g", clipped(string(text)), maxOfTable))
		}
		r.values[i] = cell{number, text}
	}
	if !whole {
		if t.LeftOut++; t.LeftOut == 1 {
			t.gap = of.line
		}
		return nil
	}
	if t.rows++; t.rows > MaxNumbers/len(t.columns) {
		return fmt.Errorf("line %d: there are more than %d cells", of.line, MaxNumbers)
	}
	for i, v := range r.values {
		c := &t.columns[i]
		if c.holds == numbers {
			c.numbers = append(c.numbers, v.number)
			continue
		}
		code, known := c.code[string(v.word)]
		if !known {
			if len(c.words) == MaxWords {
				return r.wrong(of.line, i, fmt.Sprintf("%s exceeds the limit of %d different words", clipped(string(v.word)), MaxWords))
			}
			code = int32(len(c.words))
			c.words = append(c.words, string(v.word))
			c.code[string(v.word)] = code
		}
		c.codes = append(c.codes, code)
	}
	return nil
}

// isMissing reports whether a cell has no value.
func isMissing(text []byte) bool {
	const longest = 4
	if len(text) > longest {
		return false
	}
	return slices.ContainsFunc(missing, func(sign []byte) bool { return bytes.EqualFold(sign, text) })
}

// close completes the table.
func (r *tableReader) close() (*Table, error) {
	if err := r.from.close(); err != nil {
		return nil, err
	}
	t := &r.table
	switch {
	case t.rows == 0 && t.LeftOut == 0:
		return nil, errors.New("there are no rows below the heading")
	case t.rows == 0:
		worst := slices.MaxFunc(t.columns, func(a, b column) int { return cmp.Compare(a.gaps, b.gaps) })
		return nil, fmt.Errorf("no row has a value in every column; %s has none in %d of %d", clipped(worst.name), worst.gaps, t.LeftOut)
	}
	if r.from.run > 0 {
		r.from.note("blank lines separate %d groups of rows, which are read as one table", r.from.run+1)
	}
	if t.LeftOut > 0 {
		r.from.note("%s left out for a cell without a value, the first in line %d", numeral.Counted(t.LeftOut, "row"), t.gap)
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.holds == words {
			r.from.note("column %s has %s, which become %s of 0 and 1", clipped(c.name), numeral.Counted(len(c.words), "different word"),
				numeral.Counted(len(c.words)-1, "column"))
		}
	}
	return t, nil
}
