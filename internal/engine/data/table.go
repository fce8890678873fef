package data

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Limits of a table, besides MaxBytes and MaxNumbers.
const (
	MaxTableColumns = 1000
	MaxWords        = 200 // different ones of a column
)

// maxOfTable bounds its numbers, so that products of four of them are finite.
const maxOfTable = 1e75

// missing lists the cells that stand for no value, in any case.
var missing = [][]byte{nil, []byte("NA"), []byte("N/A"), []byte("NaN"), []byte("null"), []byte("?")}

// Rows is the layout of a table of any columns, as CSV, for regression: see Table.
var Rows = &Layout{noun: "file", content: "a table is expected, as CSV with a heading", table: true}

// Table is the content of a CSV file with a heading: rows of equally many cells, separated by commas,
// semicolons or tabs, whichever the heading has first; a cell in double quotes may hold any of them, and
// line breaks. A column whose first value is a number holds numbers, any other one words.
//
// A row with a cell without a value, one that is empty or says NA, N/A, NaN, null or ?, is left out.
type Table struct {
	LeftOut int // rows with a cell without a value

	rows    int // the others
	columns []column
}

// column is one of a Table.
type column struct {
	name    string
	holds   content
	numbers []float64
	codes   []int32 // of its words
	words   []string
	code    map[string]int32
	gaps    int // cells without a value
}

// content is the kind of a column's values.
type content int

const (
	nothing content = iota // so far
	numbers
	words
)

// ReadTable reads a table.
func ReadTable(r io.Reader) (*Table, error) {
	p, err := Read(r, Rows)
	if err != nil {
		return nil, err
	}
	return p.Table(), nil
}

// Len returns the number of rows that are not left out.
func (t *Table) Len() int { return t.rows }

// Names has the columns' names, in the file's order.
func (t *Table) Names() []string { return t.names(func(*column) bool { return true }) }

// Numeric returns the names of the columns of numbers, from which responses are chosen.
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
	about := fmt.Sprintf("%s of %s", count(t.rows, "row"), count(len(t.columns), "column"))
	if t.LeftOut > 0 {
		about += fmt.Sprintf(", and %d left out for cells without a value", t.LeftOut)
	}
	return about
}

// tableReader reads a Table byte by byte.
type tableReader struct {
	table     Table
	separator byte   // 0 before the first one
	row       []byte // the cells under way, one after the other
	ends      []int  // of those that are complete
	line      int    // that the byte under way is in
	began     int    // the line that the row under way began in, 0 before it
	quoted    bool   // inside quotes
	closing   bool   // after a quote inside quotes, which ends them unless another follows
	values    []cell
}

// cell is a value of a row under way.
type cell struct {
	number float64
	word   []byte
}

// byte reads the next byte, which is in that line.
func (r *tableReader) byte(c byte, line int) error {
	r.line = line
	if r.began == 0 {
		r.began = line
	}
	switch {
	case r.quoted && !r.closing && c == '"':
		r.closing = true
		return nil
	case r.closing:
		if r.closing = false; c == '"' {
			return r.grow(c)
		}
		r.quoted = false
	}
	switch {
	case r.quoted:
		return r.grow(c)
	case c == '\n':
		return r.endRow()
	case r.separator == 0 && (c == ',' || c == ';' || c == '\t'), r.separator != 0 && c == r.separator:
		r.separator = c
		r.ends = append(r.ends, len(r.row))
		if len(r.ends) >= MaxTableColumns {
			return fmt.Errorf("line %d: there are more than %d columns", line, MaxTableColumns)
		}
		return nil
	case len(r.row) == r.start(len(r.ends)) && (c == ' ' || c == '"'):
		r.quoted = c == '"'
		return nil
	}
	return r.grow(c)
}

// start is where a cell begins in row.
func (r *tableReader) start(cell int) int {
	if cell == 0 {
		return 0
	}
	return r.ends[cell-1]
}

func (r *tableReader) grow(c byte) error {
	if len(r.row)-r.start(len(r.ends)) == longest {
		return r.wrong(len(r.ends), clipped(string(r.row[r.start(len(r.ends)):]))+" is too long for a cell")
	}
	r.row = append(r.row, c)
	return nil
}

// wrong is an error in a cell of the row under way, counted from 0.
func (r *tableReader) wrong(cell int, text string) error {
	name := ""
	if cell < len(r.table.columns) {
		name = ", " + clipped(r.table.columns[cell].name)
	}
	return fmt.Errorf("line %d, column %d%s: %s", r.began, cell+1, name, text)
}

// text is a complete cell, without the spaces about it.
func (r *tableReader) text(cell int) []byte {
	return bytes.TrimSpace(r.row[r.start(cell):r.ends[cell]])
}

// endRow takes the row under way. A line without anything is none.
func (r *tableReader) endRow() error {
	r.ends = append(r.ends, len(r.row))
	var err error
	if len(r.ends) > 1 || len(r.text(0)) > 0 {
		if r.table.columns == nil {
			err = r.heading()
		} else {
			err = r.take()
		}
	}
	r.row, r.ends, r.began = r.row[:0], r.ends[:0], 0
	return err
}

// heading takes the names of the columns.
func (r *tableReader) heading() error {
	seen := map[string]bool{}
	figures := 0
	var columns []column
	for i := range r.ends {
		name := string(r.text(i))
		if name == "" {
			return r.wrong(i, "the column has no name")
		}
		if seen[name] {
			return r.wrong(i, "there is another column "+clipped(name))
		}
		seen[name] = true
		if _, wrong := decimal(name); wrong == "" {
			figures++
		}
		columns = append(columns, column{name: name, code: map[string]int32{}})
	}
	if figures == len(columns) {
		return fmt.Errorf("line %d: a heading with the names of the columns is expected, there are numbers", r.began)
	}
	r.table.columns, r.values = columns, make([]cell, len(columns))
	return nil
}

// take takes a row of values.
func (r *tableReader) take() error {
	t := &r.table
	if len(r.ends) != len(t.columns) {
		return fmt.Errorf("line %d: %s, the heading has %d", r.began, count(len(r.ends), "cell"), len(t.columns))
	}
	whole := true
	for i := range t.columns {
		c, text := &t.columns[i], r.text(i)
		if isMissing(text) {
			c.gaps++
			whole = false
			continue
		}
		number, wrong := 0., ""
		if c.holds != words {
			number, wrong = decimal(string(text))
		}
		switch {
		case c.holds == nothing && wrong == "":
			c.holds = numbers
		case c.holds == nothing:
			c.holds = words
		case wrong != "":
			return r.wrong(i, wrong+"; the column began with one")
		}
		if !(math.Abs(number) <= maxOfTable) {
			return r.wrong(i, fmt.Sprintf("%s is larger than %g", clipped(string(text)), maxOfTable))
		}
		r.values[i] = cell{number, text}
	}
	if !whole {
		t.LeftOut++
		return nil
	}
	if t.rows++; t.rows > MaxNumbers/len(t.columns) {
		return fmt.Errorf("line %d: there are more than %d cells", r.began, MaxNumbers)
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
				return r.wrong(i, fmt.Sprintf("%s is one more than %d different words", clipped(string(v.word)), MaxWords))
			}
			code = int32(len(c.words))
			c.words = append(c.words, string(v.word))
			c.code[string(v.word)] = code
		}
		c.codes = append(c.codes, code)
	}
	return nil
}

// isMissing reports whether a cell stands for no value.
func isMissing(text []byte) bool {
	const longest = 4
	if len(text) > longest {
		return false
	}
	return slices.ContainsFunc(missing, func(sign []byte) bool { return bytes.EqualFold(sign, text) })
}

// close ends the table.
func (r *tableReader) close() (*Table, error) {
	t := &r.table
	switch {
	case r.quoted:
		return nil, fmt.Errorf("line %d: the %s ends inside quotes", r.began, Rows.noun)
	case t.rows == 0 && t.LeftOut == 0:
		return nil, errors.New("below the heading there are no rows")
	case t.rows == 0:
		worst := slices.MaxFunc(t.columns, func(a, b column) int { return cmp.Compare(a.gaps, b.gaps) })
		return nil, fmt.Errorf("no row has a value in every column; %s has none in %d of %d", clipped(worst.name), worst.gaps, t.LeftOut)
	}
	return t, nil
}
