package data

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Choice says which part of a file is read, where it has more than one. The zero value reads a file that has one.
type Choice struct {
	// Part is the name of an array of an npz or of a member of a JSON object, or the number of a run, from 1, in
	// a table whose runs are separated by blank lines.
	Part string `json:"part"`
	// Columns are names of columns or, where no column has the name, their numbers from 1; none for all. Of a log they are the
	// losses in the order of the Gramian's rows, where a tracker lost it.
	Columns []string `json:"columns"`
}

// ChoiceError reports that a file has several parts, one of which is to be named.
type ChoiceError struct {
	Parts []string // each with its size
	What  string   // what they are, such as "arrays"
}

// Error lists the parts.
func (e *ChoiceError) Error() string {
	return fmt.Sprintf("there are %d %s: %s; name the part to read", len(e.Parts), e.What, listed(e.Parts))
}

// textCell is a cell of a record. The column is where it begins in the line, from 1.
type textCell struct {
	text   []byte
	column int
	quoted bool
}

// record is a line of a table, or several where quotes go on over the end of a line.
type record struct {
	line  int // that it begins in
	cells []textCell
}

// sink takes what a textTable reads.
type sink interface {
	// names takes the columns, nil where there is no heading, before the first row.
	names(names []string, line int) error
	// row takes a row. run is the number of its run, from 0.
	row(r *record, run int) error
}

// textTable reads a table written as text, byte by byte: CSV and its kin. One sign separates the cells of a whole
// table, semicolons, tabs, commas or blanks; where it is no comma, a comma is a decimal comma. A first line of names
// is the heading, also behind a #. Other lines that begin with # or % are comments. A blank line between rows
// separates runs.
type textTable struct {
	words  bool // cells may be words: the first line is the heading, and only lines before it are comments
	choice Choice
	part   int // the run that is read, from 0, -1 for the only one
	to     sink

	raw    []byte // the record under way
	began  int    // the line that it began in, 0 before it
	length int    // of the cell under way, as far as one can tell
	open   bool   // inside quotes
	ready  bool   // a quote would open a cell
	skip   bool   // a line feed that follows ends no line

	separator byte // 0 before the first row; none where there is one column
	head      []byte
	headLine  int
	doubt     error // what is wrong with the heading unless it is one name of several words
	comment   []byte
	commented int // its line
	comments  int // lines
	rows      int
	run       int  // of the last row
	gap       bool // blank lines follow it
	single    bool // no run so far has more than one row
	runRows   int
	width     int   // cells of a record
	use       []int // the columns that are read
	state     int   // the column that says whether a trial of Optuna is complete, -1 without
	dropped   int   // trials that are not
	index     int   // the column that counts rows, -1 without
	last      float64

	point, comma       string // the first number with either, and its place
	commaLine, commaAt int
	grouping           bool // every comma may separate groups of three digits
	cells, chosen      []textCell
	unquoted           []byte // the text of cells in quotes
	notes              []string
}

// none separates the cells of a table with one column.
const none = '\n'

func newTextTable(words bool, c Choice, to sink) *textTable {
	return &textTable{words: words, choice: c, to: to, ready: true, single: true, grouping: true, part: -1, state: -1, index: -1}
}

// byte reads the next byte, which is in that line.
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
	case c == ' ' && t.length == 0: // before the cell
	default:
		t.length++
	}
	t.raw = append(t.raw, c)
	if t.length > longest+2 && t.raw[0] != '#' && t.raw[0] != '%' { // and two quotes; a comment may be longer
		return t.endless()
	}
	return nil
}

// endless refuses a cell that is too long to be read to its end.
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

// endRecord takes the record under way.
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

// counter matches a number that may be a word of a name, as in "loss 1".
var counter = regexp.MustCompile(`^\d{1,3}$`)

// commentOf returns the text of a comment.
func commentOf(raw []byte) (text []byte, is bool) {
	raw = bytes.TrimLeft(raw, " \t")
	if (raw[0] != '#' && raw[0] != '%') || sheetError.Match(raw) {
		return nil, false
	}
	text = bytes.TrimSpace(bytes.TrimLeft(raw, "#%"))
	if len(text) > 0 && bytes.IndexByte([]byte(",;\t"), text[0]) >= 0 { // a column is called #
		return nil, false
	}
	return text, true
}

// heading reports whether the first line that is no comment is a heading. In a table of numbers it is one of names;
// damaged numbers are none.
func (t *textTable) heading(raw []byte, line int) (bool, error) {
	if t.words {
		if t.comment != nil && !t.fits(t.comment, raw) {
			t.comment = nil
		}
		if t.comment != nil { // a heading behind # stands before the first row
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
	if len(cells) > 1 && len(cells[0].text) == 0 && by != ' ' { // of row names
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
			wrong = fmt.Sprintf("cell %d is a number, those before it are not", i+1)
		} else {
			wrong += ", and no name of a column"
		}
		t.doubt = placed(line, c.column, wrong)
		if by != ' ' || !counter.Match(c.text) {
			return false, t.doubt
		}
	}
	return true, nil
}

// fits reports whether a comment is the heading of a table of words: it has as many names as the first line has
// cells, which are not all names.
func (t *textTable) fits(comment, raw []byte) bool {
	unnamed := func(name string) bool { return !isName(name) }
	names, cells := t.copied(comment, ownSeparator(comment)), t.copied(raw, ownSeparator(raw))
	return len(names) == len(cells) && !slices.ContainsFunc(names, unnamed) && slices.ContainsFunc(cells, unnamed)
}

// headNames returns the names of the heading, which has a separator of its own.
func (t *textTable) headNames() ([]string, error) {
	by := ownSeparator(t.head)
	_, err := t.split(t.head, t.headLine, by)
	return t.copied(t.head, by), err
}

// copied returns the cells of a line as texts, nil if one of them is too long.
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

// ownSeparator returns the sign that separates a line of names, or of words.
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

// begin decides on the separator by the first row, and takes the heading.
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
	case len(names) == t.width-1 && (quoted || by == ' ' || by == '\t' || by == ';'): // R's row names
		names = slices.Insert(names, 0, "")
	case t.words: // a row that does not fit is refused
		t.width = len(names)
	default:
		return fmt.Errorf("line %d: %s, the heading in line %d has %d", line, count(t.width, "cell"), t.headLine, len(names))
	}
	return t.columns(names, t.headLine, true)
}

// rowSeparator returns the sign that separates the cells of the first row.
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
			for _, by := range []byte{of, own} { // a comma between blanks is a decimal comma, one beside a blank separates
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
	// A comma beside blanks or tabs is a decimal comma, or a separator with blanks about it.
	blank := byte(' ')
	if own == '\t' {
		blank = '\t'
	}
	text := bytes.TrimSpace(raw)
	if bytes.IndexByte(text, ',') < 0 || bytes.IndexByte(text, blank) < 0 {
		return own, nil
	}
	byBlank, byComma := t.reads(raw, blank, decimalComma), t.reads(raw, ',', grouped)
	switch {
	case byBlank && byComma:
		return 0, placed(line, 1, fmt.Sprintf("%s has %d numbers with decimal commas, or %d separated by commas with blanks "+
			"between groups of digits; write decimal points, or no blanks inside numbers",
			clipped(string(text)), len(t.copied(raw, blank)), len(t.copied(raw, ','))))
	case byBlank:
		return blank, nil
	case own == ',' || t.reads(raw, ',', grouped):
		return ',', nil
	}
	return own, nil
}

var (
	// decimalComma matches numbers that may have a decimal comma.
	decimalComma = regexp.MustCompile(`^[-+]?(\d+(,\d+)?|,\d+)([eE][-+]?\d+)?$`)
	// grouped matches numbers with a decimal point that may have blanks between groups of three digits.
	grouped = regexp.MustCompile(`^[-+]?(\d{1,3}( \d{3})+|\d+)?(\.\d*)?([eE][-+]?\d+)?$`)
	// thousands matches numbers whose commas may separate groups of three digits.
	thousands = regexp.MustCompile(`^[-+]?[1-9]\d{0,2}(,\d{3})+$`)
)

// reads reports whether all cells of a line match.
func (t *textTable) reads(raw []byte, by byte, like *regexp.Regexp) bool {
	cells, err := t.split(raw, 0, by)
	return err == nil && !slices.ContainsFunc(cells, func(c textCell) bool { return !like.Match(c.text) })
}

// columns takes the names of the columns, nil for a table without, and chooses which are read. below says that rows
// follow: where none do, a column without a name cannot count them.
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
				return fmt.Errorf("there is no column %s; there are: %s", clipped(chosen), columnList(names, width))
			}
			if slices.Contains(t.use, i) {
				return fmt.Errorf("column %s is chosen twice", clipped(chosen))
			}
			t.use = append(t.use, i)
		}
		t.state = stateOf(names)
	case !t.words && stateOf(names) >= 0: // Optuna's trials
		t.index, t.state = -1, stateOf(names)
		t.note("of trials of Optuna the values are read")
		for i, name := range names {
			if optunaValue.MatchString(name) {
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

// columnList lists the columns from which some may be chosen.
func columnList(names []string, width int) string {
	if names != nil {
		return listed(names)
	}
	return fmt.Sprintf("1 to %d", width)
}

// optunaValue matches the names of the columns of values in a table of trials by Optuna.
var optunaValue = regexp.MustCompile(`^values?(_\d+)?$`)

// stateOf returns the column that says in a table of trials by Optuna whether each is complete, -1 in any other table.
func stateOf(names []string) int {
	if !slices.ContainsFunc(names, optunaValue.MatchString) || !slices.Contains(names, "number") {
		return -1
	}
	return slices.Index(names, "state")
}

// take takes a row.
func (t *textTable) take(raw []byte, line int) error {
	cells, err := t.split(raw, line, t.separator)
	if err != nil {
		return err
	}
	return t.takeCells(cells, line)
}

// takeCells takes the cells of a row.
func (t *textTable) takeCells(cells []textCell, line int) error {
	if len(cells) != t.width && len(t.use) < t.width { // the sink counts where all columns are read
		return fmt.Errorf("line %d: %s, the table has %d", line, count(len(cells), "cell"), t.width)
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

// counts refuses a column without a name that neither counts rows nor names them.
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

// object takes an entry of a list of objects, whose members have names. Cells are in the order of the first entry.
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

// split cuts a record into cells. They are valid until the next one is cut.
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
	if t.head != nil && line > t.headLine { // not in the heading, whose cells are no names then
		if names := t.copied(t.head, ownSeparator(t.head)); cell < len(names) {
			name = names[cell]
		}
	}
	return inColumn(line, cell, name, text+" is too long for a cell")
}

// inColumn is an error in a cell of a named column, counted from 0.
func inColumn(line, column int, name, text string) error {
	if name != "" {
		name = ", " + clipped(name)
	}
	return fmt.Errorf("line %d, column %d%s: %s", line, column+1, name, text)
}

// number reads a cell as a finite number, or says what is wrong with it. All numbers of a table have one decimal sign.
func (t *textTable) number(c *textCell, line int) (f float64, wrong string) {
	text := string(c.text)
	comma := strings.IndexByte(text, ',')
	plain := text
	if comma >= 0 && (t.separator != ',' || c.quoted) && decimalComma.MatchString(text) {
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
		t.grouping = t.grouping && thousands.MatchString(text)
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

// close ends the table. The sink has all rows afterwards.
func (t *textTable) close() error {
	if len(t.raw) > 0 {
		if t.open {
			return fmt.Errorf("line %d: the %s ends inside quotes", t.began, Rows.noun)
		}
		if err := t.endRecord(); err != nil {
			return err
		}
	}
	if t.words && t.separator == 0 && (t.head != nil || t.comment != nil) { // the heading alone
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
		t.note("%s left out", count(t.comments, "comment line"))
	}
	if t.dropped > 0 {
		t.note("%s not complete left out", count(t.dropped, "trial"))
	}
	t.single = t.single && t.runRows <= 1
	return nil
}

func placed(line, column int, text string) error {
	return fmt.Errorf("line %d, column %d: %s", line, column, text)
}
