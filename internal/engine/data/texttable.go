package data

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/numeral"
	"paretoplay/internal/pattern"
)

// Choice selects one part of a file with several parts. The zero value is for a file with one part.
type Choice struct {
	// Part is the name of an array in an npz, the name of a member of a JSON object, or the number of a run, counted from 1.
	// The runs of a table are separated by blank lines.
	Part string `json:"part"`
	// Columns lists the columns' names, or their numbers from 1 if no column has such a name. nil selects all. For a
	// log from a tracker that does not keep the order of the Gramian's rows, Columns lists the losses in the order of
	// those rows.
	Columns []string `json:"columns"`
}

// ChoiceError reports that a file has several parts and that one must be chosen.
type ChoiceError struct {
	Parts []string // names of the parts, each with its size
	What  string   // kind of the parts, such as "arrays"
}

// Error returns a message that lists the parts.
func (e *ChoiceError) Error() string {
	return fmt.Sprintf("there are %d %s: %s; name the part to read", len(e.Parts), e.What, listed(e.Parts))
}

// textCell is a cell of a record. column is the position of its first byte in the record, counted from 1.
type textCell struct {
	text   []byte
	column int
	quoted bool
}

// record is a line of a table, or several lines if a quoted cell contains line breaks.
type record struct {
	line  int // line in which the record begins
	cells []textCell
}

// sink receives the contents of a textTable.
type sink interface {
	// names receives the columns' names before the first row, or nil if there is no heading.
	names(names []string, line int) error
	// row receives a row and the number of its run, counted from 0.
	row(r *record, run int) error
}

// textTable reads a table written as text, byte by byte, in CSV and similar formats. One character separates the cells
// in the whole table: semicolons, tabs, commas or blanks. If the separator is not a comma, commas are decimal commas.
// If the first line consists of names, it is the heading, even after a #. Other lines that begin with # or % are
// comments. A blank line between rows separates runs.
type textTable struct {
	words  bool // whether cells may be words; if so, the first line is the heading, and only lines before it are comments
	choice Choice
	part   int // number of the run to read, from 0; −1 means that there must be only one
	to     sink

	raw    []byte // bytes of the current record
	began  int    // line in which the record begins; 0 before its first byte
	length int    // approximate length of the current cell
	open   bool   // whether the current byte is inside quotes
	ready  bool   // whether a quote would start a quoted cell
	skip   bool   // whether to ignore a line feed if it comes next

	separator byte // 0 before the first row; the constant none if there is only one column
	head      []byte
	headLine  int
	doubt     error // what is wrong with the heading, unless the heading is a single name of several words
	comment   []byte
	commented int // number of the comment's line
	comments  int // number of comment lines
	rows      int
	run       int  // number of the last row's run
	gap       bool // whether blank lines follow the last row
	single    bool // whether all runs so far have only one row
	runRows   int
	width     int   // number of cells in a record
	use       []int // numbers of the columns to read
	state     int   // number of the column that says whether an Optuna trial is complete; −1 if there is none
	dropped   int   // number of incomplete trials
	index     int   // number of the column that counts rows; −1 if there is none
	last      float64

	point, comma       string // the first numbers with a decimal point and with a comma; commaLine and commaAt locate the latter
	commaLine, commaAt int
	grouping           bool // whether all commas may separate thousands
	cells, chosen      []textCell
	unquoted           []byte // texts of quoted cells
	notes              []string
}

// none is the separator of a table with one column.
const none = '\n'

func newTextTable(words bool, c Choice, to sink) *textTable {
	return &textTable{words: words, choice: c, to: to, ready: true, single: true, grouping: true, part: -1, state: -1, index: -1}
}

// byte reads the next byte, which belongs to the given line.
func (t *textTable) byte(c byte, line int) error {
	if t.skip {
		if t.skip = false; c == '\n' {
			return nil
		}
	}
	if t.began == 0 {
		t.began = line
	}
	switch {
	case t.open && c == '"':
		t.open, t.ready = false, true // another quote would be part of the text
	case c == '"' && t.ready:
		t.open = true
	case !t.open && (c == '\n' || c == '\r'):
		t.skip = c == '\r'
		return t.endRecord()
	case !t.open && (c != ' ' || !t.words):
		t.ready = c == ' ' || c == ',' || c == ';' || c == '\t'
	}
	switch {
	case !t.open && (c == ',' || c == ';' || c == '\t' || c == ' ' && !t.words):
		t.length = 0
	case c == ' ' && t.length == 0: // blank before a cell
	default:
		t.length++
	}
	t.raw = append(t.raw, c)
	if t.length > longest+2 && t.raw[0] != '#' && t.raw[0] != '%' { // the length includes two quotes; comments may be longer
		return t.endless()
	}
	return nil
}

// endless returns an error for a cell that is too long to be read to its end.
func (t *textTable) endless() error {
	by := t.separator
	if by == 0 && t.head != nil {
		by = ownSeparator(t.head)
	} else if by == 0 {
		by = ownSeparator(t.raw)
	}
	cells, err := t.split(t.raw, t.began, by)
	if err != nil {
		return err
	}
	return t.tooLong(&cells[len(cells)-1], t.began, len(cells)-1)
}

// endRecord ends the current record, which may be a blank line, a comment, the heading or a row.
func (t *textTable) endRecord() error {
	raw, line := t.raw, t.began
	t.raw, t.began, t.length, t.ready = t.raw[:0], 0, 0, true
	if len(bytes.TrimSpace(raw)) == 0 {
		t.gap = t.rows > 0
		return nil
	}
	if text, is := commentOf(raw); is && (!t.words || t.head == nil) {
		t.comment, t.commented = bytes.Clone(text), line
		t.comments++
		return nil
	}
	if t.rows == 0 && t.head == nil {
		switch is, err := t.heading(raw, line); {
		case err != nil:
			return err
		case is:
			t.head, t.headLine = bytes.Clone(raw), line
			return nil
		}
	}
	if t.separator == 0 {
		if err := t.begin(raw, line); err != nil {
			return err
		}
	}
	return t.take(raw, line)
}

// counter matches a number that may be part of a name, as in "loss 1".
var counter = pattern.Lazy(`^\d{1,3}$`)

// commentOf reports whether raw is a comment and, if so, returns its text without the comment sign.
func commentOf(raw []byte) (text []byte, is bool) {
	raw = bytes.TrimLeft(raw, " \t")
	if (raw[0] != '#' && raw[0] != '%') || sheetError().Match(raw) {
		return nil, false
	}
	text = bytes.TrimSpace(bytes.TrimLeft(raw, "#%"))
	if len(text) > 0 && bytes.IndexByte([]byte(",;\t"), text[0]) >= 0 { // a column's name may be #
		return nil, false
	}
	return text, true
}

// heading reports whether the first line that is not a comment is a heading. In a table of numbers, a heading consists
// of names. Damaged numbers are not names.
func (t *textTable) heading(raw []byte, line int) (bool, error) {
	if t.words {
		if t.comment != nil && !t.fits(t.comment, raw) {
			t.comment = nil
		}
		if t.comment != nil { // the comment before the first row contains the heading
			return false, nil
		}
		_, err := t.split(raw, line, ownSeparator(raw))
		return err == nil, err
	}
	by := ownSeparator(raw)
	cells, err := t.split(raw, line, by)
	if err != nil {
		return false, err
	}
	if len(cells) > 1 && len(cells[0].text) == 0 && by != ' ' { // the first column contains row names
		cells = cells[1:]
	}
	if !isName(string(cells[0].text)) {
		return false, nil
	}
	for i, c := range cells {
		if isName(string(c.text)) {
			continue
		}
		_, wrong := t.number(&c, line)
		if wrong == "" {
			wrong = fmt.Sprintf("cell %d is a number, but the cells before it are not", i+1)
		} else {
			wrong += ", nor a column name"
		}
		t.doubt = placed(line, c.column, wrong)
		if by != ' ' || !counter().Match(c.text) {
			return false, t.doubt
		}
	}
	return true, nil
}

// fits reports whether a comment is the heading of a table of words. All cells of the comment must be names. The first
// line must have the same number of cells, at least one of which is not a name.
func (t *textTable) fits(comment, raw []byte) bool {
	unnamed := func(name string) bool { return !isName(name) }
	names, cells := t.copied(comment, ownSeparator(comment)), t.copied(raw, ownSeparator(raw))
	return len(names) == len(cells) && !slices.ContainsFunc(names, unnamed) && slices.ContainsFunc(cells, unnamed)
}

// headNames returns the names in the heading. The heading's separator may differ from the rows' separator.
func (t *textTable) headNames() ([]string, error) {
	by := ownSeparator(t.head)
	_, err := t.split(t.head, t.headLine, by)
	return t.copied(t.head, by), err
}

// copied returns the cells of a line as strings, or nil if a cell is too long or there are too many cells.
func (t *textTable) copied(raw []byte, by byte) []string {
	cells, err := t.split(raw, 0, by)
	if err != nil {
		return nil
	}
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = string(c.text)
	}
	return out
}

// ownSeparator returns the character that separates the cells of a line of names or words, or none.
func ownSeparator(raw []byte) byte {
	found := none
	open := false
	for _, c := range bytes.TrimSpace(raw) {
		switch {
		case c == '"':
			open = !open
		case open:
		case c == ';', c == '\t' && found != ';', c == ',' && found != ';' && found != '\t', c == ' ' && found == none:
			found = rune(c)
		}
	}
	return byte(found)
}

// begin determines the separator from the first row and processes the heading.
func (t *textTable) begin(raw []byte, line int) error {
	if t.head == nil && t.comment != nil && t.words {
		t.head, t.headLine = t.comment, t.commented
		t.comments--
	}
	by, err := t.rowSeparator(raw, line)
	if err != nil {
		return err
	}
	t.separator = by
	cells, err := t.split(raw, line, by)
	if err != nil {
		return err
	}
	t.width = len(cells)
	quoted := cells[0].quoted
	if t.head == nil {
		if t.comment != nil {
			names := t.copied(t.comment, ownSeparator(t.comment))
			if len(names) == t.width && !slices.ContainsFunc(names, func(name string) bool { return !isName(name) }) {
				t.comments--
				return t.columns(names, t.commented, true)
			}
		}
		return t.columns(nil, 0, true)
	}
	names, err := t.headNames()
	if err != nil {
		return err
	}
	switch {
	case len(names) == t.width && t.doubt == nil:
	case t.width == 1 && ownSeparator(t.head) == ' ':
		names = []string{string(bytes.TrimSpace(t.head))}
	case t.doubt != nil:
		return t.doubt
	case len(t.copied(t.head, by)) == t.width:
		names = t.copied(t.head, by)
	case len(names) == t.width-1 && (quoted || by == ' ' || by == '\t' || by == ';'): // R writes row names without a heading
		names = slices.Insert(names, 0, "")
	case t.words: // a row that does not fit is reported later
		t.width = len(names)
	default:
		return fmt.Errorf("line %d: %s, but the heading in line %d has %d", line, numeral.Counted(t.width, "cell"), t.headLine, len(names))
	}
	return t.columns(names, t.headLine, true)
}

// rowSeparator returns the character that separates the cells of the first row.
func (t *textTable) rowSeparator(raw []byte, line int) (byte, error) {
	own := ownSeparator(raw)
	if t.head != nil {
		of := ownSeparator(t.head)
		if of != ' ' && of != none && (t.words || bytes.IndexByte(raw, of) >= 0) {
			return of, nil
		}
		if t.words {
			heads := len(t.copied(t.head, of))
			atEdge := func(cell string) bool { return strings.HasPrefix(cell, ",") || strings.HasSuffix(cell, ",") }
			for _, by := range []byte{of, own} { // a comma inside a cell is a decimal comma; one beside a blank separates cells
				if cells := t.copied(raw, by); by != none && heads == len(cells) && !(by == ' ' && slices.ContainsFunc(cells, atEdge)) {
					return by, nil
				}
			}
			return none, nil
		}
	}
	if own != '\t' && own != ',' {
		return own, nil
	}
	// A comma in a line with blanks or tabs is a decimal comma, or it separates numbers that may contain blanks.
	blank := byte(' ')
	if own == '\t' {
		blank = '\t'
	}
	text := bytes.TrimSpace(raw)
	if bytes.IndexByte(text, ',') < 0 || bytes.IndexByte(text, blank) < 0 {
		return own, nil
	}
	byBlank, byComma := t.reads(raw, blank, decimalComma()), t.reads(raw, ',', grouped())
	switch {
	case byBlank && byComma:
		return 0, placed(line, 1, fmt.Sprintf("%s has %d numbers with decimal commas, or %d separated by commas with blanks "+
			"between groups of digits; write decimal points, or no blanks inside numbers",
			clipped(string(text)), len(t.copied(raw, blank)), len(t.copied(raw, ','))))
	case byBlank:
		return blank, nil
	case own == ',' || t.reads(raw, ',', grouped()):
		return ',', nil
	}
	return own, nil
}

var (
	// decimalComma matches numbers that may have a decimal comma.
	decimalComma = pattern.Lazy(`^[-+]?(\d+(,\d+)?|,\d+)([eE][-+]?\d+)?$`)
	// grouped matches numbers with a decimal point that may have blanks between groups of three digits.
	grouped = pattern.Lazy(`^[-+]?(\d{1,3}( \d{3})+|\d+)?(\.\d*)?([eE][-+]?\d+)?$`)
	// thousands matches numbers whose commas may separate groups of three digits.
	thousands = pattern.Lazy(`^[-+]?[1-9]\d{0,2}(,\d{3})+$`)
)

// reads reports whether all cells of a line match a pattern.
func (t *textTable) reads(raw []byte, by byte, like *regexp.Regexp) bool {
	cells, err := t.split(raw, 0, by)
	return err == nil && !slices.ContainsFunc(cells, func(c textCell) bool { return !like.Match(c.text) })
}

// columns sets the columns' names and selects the columns to read. names is nil if the columns have no names. below is
// true if rows follow. If no rows follow, a column without a name cannot count the rows.
func (t *textTable) columns(names []string, line int, below bool) error {
	width := t.width
	if names != nil {
		width = len(names)
	}
	if len(names) > 1 && names[0] == "" && below {
		t.index = 0
	}
	if !t.words {
		for i, name := range names {
			if name == "" && i != t.index {
				return fmt.Errorf("line %d, column %d: the column has no name", line, i+1)
			}
		}
	}
	switch {
	case len(t.choice.Columns) > 0:
		t.index = -1
		for _, chosen := range t.choice.Columns {
			i := slices.Index(names, chosen)
			if n, err := strconv.Atoi(chosen); i < 0 && err == nil {
				i = n - 1
			}
			if i < 0 || i >= width {
				return fmt.Errorf("unknown column %s; available: %s", clipped(chosen), columnList(names, width))
			}
			if slices.Contains(t.use, i) {
				return fmt.Errorf("column %s is chosen twice", clipped(chosen))
			}
			t.use = append(t.use, i)
		}
		t.state = stateOf(names)
	case !t.words && stateOf(names) >= 0: // a table of Optuna's trials
		t.index, t.state = -1, stateOf(names)
		t.note("only the values of Optuna's trials are read")
		for i, name := range names {
			if optunaValue().MatchString(name) {
				t.use = append(t.use, i)
			}
		}
	default:
		for i := range width {
			if i != t.index {
				t.use = append(t.use, i)
			}
		}
	}
	if t.index >= 0 {
		t.note("the first column, which has no name, counts or names the rows and is left out")
	}
	var chosen []string
	for _, i := range t.use {
		if names != nil {
			chosen = append(chosen, names[i])
		}
	}
	if names != nil && !t.words {
		t.note("line %d is the heading: %s", line, listed(chosen))
	}
	return t.to.names(chosen, line)
}

// columnList lists the names of the available columns, or the range of their numbers, for errors.
func columnList(names []string, width int) string {
	if names != nil {
		return listed(names)
	}
	return fmt.Sprintf("1 to %d", width)
}

// optunaValue matches the names of value columns in a table of Optuna's trials.
var optunaValue = pattern.Lazy(`^values?(_\d+)?$`)

// stateOf returns the number of the column that says whether each Optuna trial is complete, or −1 in any other table.
func stateOf(names []string) int {
	if !slices.ContainsFunc(names, optunaValue().MatchString) || !slices.Contains(names, "number") {
		return -1
	}
	return slices.Index(names, "state")
}

// take splits a row into cells and passes the row to the sink.
func (t *textTable) take(raw []byte, line int) error {
	cells, err := t.split(raw, line, t.separator)
	if err != nil {
		return err
	}
	return t.takeCells(cells, line)
}

// takeCells checks the cells of a row and passes the chosen cells to the sink.
func (t *textTable) takeCells(cells []textCell, line int) error {
	if len(cells) != t.width && len(t.use) < t.width { // if all columns are read, the sink checks the number of cells
		return fmt.Errorf("line %d: %s, but the table has %d", line, numeral.Counted(len(cells), "cell"), t.width)
	}
	if t.index >= 0 && len(cells) > t.index {
		if err := t.counts(&cells[t.index], line); err != nil {
			return err
		}
	}
	if t.rows++; t.gap {
		t.gap = false
		t.run++
		t.single, t.runRows = t.single && t.runRows == 1, 0
	}
	t.runRows++
	if t.state >= 0 && t.state < len(cells) && string(cells[t.state].text) != "COMPLETE" {
		t.dropped++
		return nil
	}
	r := record{line: line, cells: cells}
	if len(t.use) < t.width || len(t.choice.Columns) > 0 {
		t.chosen = t.chosen[:0]
		for _, j := range t.use {
			t.chosen = append(t.chosen, cells[j])
		}
		r.cells = t.chosen
	}
	return t.to.row(&r, t.run)
}

// counts checks a cell of the first column, which has no name. It returns an error unless the column counts the rows or
// contains names of rows.
func (t *textTable) counts(c *textCell, line int) error {
	v, wrong := t.number(c, line)
	if wrong != "" {
		return nil
	}
	if v != float64(int(v)) || t.rows > 0 && v <= t.last {
		return placed(line, c.column, "the first column has no name and does not count the rows; give it a name")
	}
	t.last = v
	return nil
}

// object passes one object in a list of objects to the sink, as a row. names are the names of its members, in the order
// of the first object.
func (t *textTable) object(names []string, cells []textCell, line int) error {
	if t.separator == 0 {
		t.separator, t.width, t.headLine = none, len(names), line
		if err := t.columns(names, line, true); err != nil {
			return err
		}
	}
	t.cells = append(t.cells[:0], cells...)
	return t.takeCells(t.cells, line)
}

// split splits a record into cells, which are valid until the next call.
func (t *textTable) split(raw []byte, line int, by byte) ([]textCell, error) {
	t.cells, t.unquoted = t.cells[:0], t.unquoted[:0]
	end := len(raw)
	if by == ' ' || !t.words {
		end = len(bytes.TrimRight(raw, " \t"))
	}
	for at := 0; ; {
		if t.words && len(t.cells) == MaxTableColumns {
			return nil, fmt.Errorf("line %d: there are more than %d columns", line, MaxTableColumns)
		}
		for at < end && (raw[at] == ' ' || raw[at] == '\t' && by != '\t') {
			at++
		}
		c := textCell{column: at + 1}
		if at < end && raw[at] == '"' {
			c.quoted = true
			from, open := len(t.unquoted), true
			for at++; at < end && (open || raw[at] != by); at++ {
				if raw[at] == '"' && open {
					if at+1 == end || raw[at+1] != '"' {
						open = false
						continue
					}
					at++
				}
				t.unquoted = append(t.unquoted, raw[at])
			}
			c.text = bytes.TrimSpace(t.unquoted[from:])
		} else {
			from := at
			for at < end && raw[at] != by && !(by == ' ' && raw[at] == '\t') {
				at++
			}
			c.text = bytes.TrimSpace(raw[from:at])
		}
		if len(c.text) > longest {
			return nil, t.tooLong(&c, line, len(t.cells))
		}
		t.cells = append(t.cells, c)
		if by == ' ' {
			for at < end && (raw[at] == ' ' || raw[at] == '\t') {
				at++
			}
			if at == end {
				return t.cells, nil
			}
			continue
		}
		if at >= end {
			return t.cells, nil
		}
		at++
	}
}

func (t *textTable) tooLong(c *textCell, line, cell int) error {
	if !t.words {
		return placed(line, c.column, clipped(string(c.text))+" is too long for a number")
	}
	name, text := "", clipped(string(c.text))
	if t.head != nil && line > t.headLine { // only cells below the heading have column names
		if names := t.copied(t.head, ownSeparator(t.head)); cell < len(names) {
			name = names[cell]
		}
	}
	return inColumn(line, cell, name, text+" is too long for a cell")
}

// inColumn returns an error about a cell in the column with the given name and the given number, counted from 0.
func inColumn(line, column int, name, text string) error {
	if name != "" {
		name = ", " + clipped(name)
	}
	return fmt.Errorf("line %d, column %d%s: %s", line, column+1, name, text)
}

// number parses a cell as a finite number, or returns what is wrong with it. All numbers in a table must have the same
// decimal sign.
func (t *textTable) number(c *textCell, line int) (f float64, wrong string) {
	text := string(c.text)
	comma := strings.IndexByte(text, ',')
	plain := text
	if comma >= 0 && (t.separator != ',' || c.quoted) && decimalComma().MatchString(text) {
		plain = text[:comma] + "." + text[comma+1:]
	}
	if f, wrong = decimal(plain); wrong != "" {
		return 0, wrong
	}
	switch {
	case plain != text:
		if t.comma == "" {
			t.comma, t.commaLine, t.commaAt = text, line, c.column
		}
		t.grouping = t.grouping && thousands().MatchString(text)
	case strings.IndexByte(text, '.') >= 0 && t.point == "":
		t.point = text
	}
	if t.point != "" && t.comma != "" {
		return 0, fmt.Sprintf("%s has a decimal comma and %s a decimal point; write all numbers with decimal points",
			clipped(t.comma), clipped(t.point))
	}
	return f, ""
}

func (t *textTable) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// close ends the table. The sink has then received all rows.
func (t *textTable) close() error {
	if len(t.raw) > 0 {
		if t.open {
			return fmt.Errorf("line %d: the %s ends inside quotes", t.began, Rows.noun)
		}
		if err := t.endRecord(); err != nil {
			return err
		}
	}
	if t.words && t.separator == 0 && (t.head != nil || t.comment != nil) { // the table has only a heading
		if t.head == nil {
			t.head, t.headLine = t.comment, t.commented
		}
		names, err := t.headNames()
		if err != nil {
			return err
		}
		if err := t.columns(names, t.headLine, false); err != nil {
			return err
		}
	}
	if t.comma != "" {
		if t.grouping {
			return placed(t.commaLine, t.commaAt, fmt.Sprintf("%s is %s with a decimal comma, or %s with a comma between groups of digits; "+
				"write it without a comma",
				clipped(t.comma), strings.Replace(t.comma, ",", ".", 1), strings.ReplaceAll(t.comma, ",", "")))
		}
		t.note("commas are decimal commas")
	}
	if t.comments > 0 {
		t.note("%s left out", numeral.Counted(t.comments, "comment line"))
	}
	if t.dropped > 0 {
		t.note("%s left out", numeral.Counted(t.dropped, "incomplete trial"))
	}
	t.single = t.single && t.runRows <= 1
	return nil
}

func placed(line, column int, text string) error {
	return fmt.Errorf("line %d, column %d: %s", line, column, text)
}
