package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/numeral"
	"paretoplay/internal/pattern"
)

// Maximum size of a Jacobian in a visitor's file.
const (
	MaxPastedRows    = 200
	MaxPastedColumns = 10_000
)

// Layout describes a visitor's file or a command's input, which contains matrices, lists of matrices of equal size,
// lists of numbers, and single numbers. In a JSON object, each of these is a named member.
type Layout struct {
	noun, content string // kind of text, and expected content, for errors
	fields        []field
	object        bool // whether the file must be a JSON object; if not, a bare list of rows or CSV is read as the first field
	table         bool // whether the file is CSV with a heading; the layout then has no fields
	log           bool // whether the file is the log of a training run; the layout then has no fields
	raw           bool // whether the file may contain any bytes; the layout then has no fields
	// check validates the fields together; each is already valid on its own. It returns about, a description of the
	// content in a few words, or an error.
	check func(p *Pasted) (about string, err error)
}

// field is one member of a Layout.
type field struct {
	name     string
	what     kind
	matrices int  // maximum number of matrices in a list
	rows     int  // maximum number of rows of a matrix, or of numbers in a list
	columns  int  // maximum number of columns of a matrix
	numbers  int  // maximum number of numbers in total; 0 means no limit
	exactly  bool // whether columns is the exact number of columns, not the maximum
	optional bool // whether the member may be missing or null
	empty    bool // whether the matrix may be empty
	ragged   bool // whether the matrix's rows may differ in length
}

type kind int

const (
	matrix kind = iota
	stack       // a list of matrices
	list
	integer
	number
	skipped // an ignored member
)

// arrays reports whether the layout accepts NumPy files. A layout accepts them if its first field is a matrix and the
// file need not be a JSON object.
func (l *Layout) arrays() bool {
	return !l.object && len(l.fields) > 0 && l.fields[0].what == matrix
}

// field returns the named field, or nil if there is none.
func (l *Layout) field(name string) *field {
	for i := range l.fields {
		if l.fields[i].name == name {
			return &l.fields[i]
		}
	}
	return nil
}

// names returns a list of the members' names.
func (l *Layout) names() string {
	names := make([]string, len(l.fields))
	for i, f := range l.fields {
		names[i] = f.name
	}
	return strings.Join(names, " ")
}

// Gradients is the layout of a Jacobian: one gradient per row, optionally with a loss for each row and with a seed.
var Gradients = &Layout{
	noun: "file", content: "a Jacobian is expected, as JSON or CSV",
	fields: jacobianFields(MaxPastedRows, MaxPastedColumns),
	check: func(p *Pasted) (string, error) {
		if err := lossesFit(p); err != nil {
			return "", err
		}
		j := p.Matrix(JacobianName)
		return fmt.Sprintf("%d gradients in %d variables", j.Rows, j.Cols), nil
	},
}

// JacobianName and GramianName are the names of the fields of GradientsObject for gradients and for their inner
// products.
const (
	JacobianName = "jacobian"
	GramianName  = "gramian"
	lossesName   = "losses"
	seedName     = "seed"
)

func jacobianFields(rows, columns int) []field {
	return []field{
		{name: JacobianName, what: matrix, rows: rows, columns: columns},
		{name: lossesName, what: list, rows: rows, optional: true},
		{name: seedName, what: integer, optional: true},
	}
}

func lossesFit(p *Pasted) error {
	if losses, rows := p.List(lossesName), p.Matrix(JacobianName).Rows; losses != nil && len(losses) != rows {
		return fmt.Errorf("losses: got %d for %d rows of the Jacobian", len(losses), rows)
	}
	return nil
}

// Pasted holds the content of a visitor's file, by field name.
type Pasted struct {
	Layout *Layout
	About  string // description of the content in a few words
	// Notes say how an ambiguous file was read: which line is the heading, whether commas are decimal commas, and what
	// was left out.
	Notes  []string
	SHA256 string // hash of the file and of the chosen part's name, in hexadecimal
	Bytes  int

	matrices map[string]*algo.Jacobian
	heights  map[string]int // number of rows of each matrix in a list; matrices holds the whole list, stacked into one matrix
	lists    map[string][]float64
	integers map[string]uint64
	numbers  map[string]float64
	ragged   map[string][][]float64
	table    *Table
	log      *runlog.Log
	raw      []byte
}

// Log returns the content of a file in the RunLog layout.
func (p *Pasted) Log() *runlog.Log { return p.log }

// RunLog is the layout of a training run's log, as package runlog reads it.
var RunLog = &Layout{noun: "log", content: "npz, npy or JSON lines are expected", log: true}

// Raw is the layout of a file that a scene parses itself. It accepts any bytes.
var Raw = &Layout{noun: "file", content: "some bytes are expected", raw: true}

// Raw returns the content of a file in the Raw layout. Callers must not modify it.
func (p *Pasted) Raw() []byte { return p.raw }

// Table returns the content of a file in the Rows layout.
func (p *Pasted) Table() *Table { return p.table }

// Shape returns the numbers of rows and columns of the file's first matrix, of its table, or of its log. For a raw
// file, both numbers are 0.
func (p *Pasted) Shape() (rows, columns int) {
	if p.table != nil {
		return p.table.rows, len(p.table.columns)
	}
	if p.log != nil {
		return p.log.Records(), p.log.Objectives()
	}
	if p.raw != nil {
		return 0, 0
	}
	first := p.First()
	return first.Rows, first.Cols
}

// Matrix returns the named matrix, or the stacked rows of the named list of matrices. It returns nil if the file has
// neither. Callers must not modify the matrix.
func (p *Pasted) Matrix(name string) *algo.Jacobian { return p.matrices[name] }

// Rows returns the rows of the named matrix. The rows share the matrix's storage. Rows returns nil if the file has no
// such matrix.
func (p *Pasted) Rows(name string) [][]float64 {
	m := p.matrices[name]
	if m == nil {
		return nil
	}
	rows := make([][]float64, m.Rows)
	for i := range rows {
		rows[i] = m.Row(i)
	}
	return rows
}

// Stack returns the rows of each matrix in the named list. The rows share the list's storage. Stack returns nil if the
// file has no such list.
func (p *Pasted) Stack(name string) [][][]float64 {
	rows, height := p.Rows(name), p.heights[name]
	if height == 0 {
		return nil
	}
	out := make([][][]float64, 0, len(rows)/height)
	for ; len(rows) > 0; rows = rows[height:] {
		out = append(out, rows[:height])
	}
	return out
}

// Lists returns the rows of the named matrix, which may differ in length. It returns nil if the file has no such
// matrix. Callers must not modify the rows.
func (p *Pasted) Lists(name string) [][]float64 { return p.ragged[name] }

// First returns the first matrix of the file, in the order of the layout.
func (p *Pasted) First() *algo.Jacobian {
	for _, f := range p.Layout.fields {
		if m := p.Matrix(f.name); m != nil {
			return m
		}
	}
	return nil
}

// List returns the named list, or nil if the file has none. Callers must not modify it.
func (p *Pasted) List(name string) []float64 { return p.lists[name] }

// SetList adds a list to a file. It returns an error if the file already has a list with that name.
func (p *Pasted) SetList(name string, numbers []float64) error {
	if p.lists[name] != nil {
		return fmt.Errorf("%s: the file also contains it; leave one of them out", name)
	}
	p.lists[name] = numbers
	return nil
}

// Integer returns the named whole number, or 0 if the file has none.
func (p *Pasted) Integer(name string) uint64 { return p.integers[name] }

// Number returns the named number, or 0 if the file has none.
func (p *Pasted) Number(name string) float64 { return p.numbers[name] }

// Jacobian returns the matrix of a file in the Gradients layout.
func (p *Pasted) Jacobian() *algo.Jacobian { return p.Matrix(JacobianName) }

// Losses returns one loss per row, or nil if the file has none.
func (p *Pasted) Losses() []float64 { return p.List(lossesName) }

// Seed returns the seed, or 0 if the file has none.
func (p *Pasted) Seed() uint64 { return p.Integer(seedName) }

// PasteReader reads a file piece by piece, so that a large file can be read between frames. It accepts a JSON object
// or, unless the layout requires one, only the first matrix. The matrix may be a table, a bare list of rows or of
// objects, an array as printed by Python, or a NumPy file. The zero value reads Gradients.
type PasteReader struct {
	takes   *Layout // nil before the first piece means Gradients
	choice  Choice
	sum     hash.Hash
	first   []byte // the first bytes of the text
	kept    int    // number of bytes in first that are not parsed yet
	size    int
	parse   func(c byte) error // nil until the first byte that is not a blank
	out     *Pasted
	at      *field // the current field
	numbers int    // number of numbers in all matrices together

	// data holds the current matrix or, in a list of matrices, all matrices so far.
	data    []float64
	before  int // number of matrices before the current one
	height  int // number of rows of the first matrix
	rows    int
	columns int // number of columns in the first row of the first matrix
	inRow   int // numbers so far in the current row
	list    []float64

	line, column int    // place of the current byte, from 1
	lead         []byte // blanks at the start of the line in which the content begins
	token        []byte
	from         int // column in which token begins
	json         jsonState
	bare         bool // whether the whole file is a list of rows
	seen         map[string]bool
	escaped      bool
	text         *textTable
	runs         []int // number of the first row of each run of a table
	lastRun      int
	call         bool // whether the bare list is an argument of a call, such as array(
	spaced       spacing
	tail         []byte // the rest of the call, after its first argument
	depth        int    // depth of brackets inside an ignored member
	table        tableReader
	whole        []byte // content so far of a file that must be complete before it is read
	feed         *feed  // reads a log; nil before the log's first piece
	held         held
	base         int // line in which the list of objects begins
}

// spacing is the kind of separator in a bare list of numbers.
type spacing int

const (
	unknownSpacing spacing = iota
	blanks
	commas
)

// held says whether a file must be complete before it is read and, if so, what the file contains.
type held int

const (
	inPieces held = iota
	arrays        // NumPy arrays
	entries       // a JSON list of objects
)

// NewReader returns a reader for files in a layout.
func NewReader(l *Layout) *PasteReader { return &PasteReader{takes: l} }

// NewChoiceReader returns a reader for one part of a file in a layout.
func NewChoiceReader(l *Layout, c Choice) *PasteReader { return &PasteReader{takes: l, choice: c} }

// Write reads the next piece. An error says where the file is wrong. After an error, nothing more can be read.
func (r *PasteReader) Write(p []byte) (int, error) {
	if r.sum == nil {
		r.begin()
	}
	most := MaxBytes
	if r.takes.log {
		most = runlog.PageBytes
	}
	if r.size+len(p) > most {
		return 0, fmt.Errorf("the %s is larger than %d MB", r.takes.noun, most>>20)
	}
	r.sum.Write(p)
	switch {
	case r.takes.log:
		if r.feed == nil {
			r.feed = newFeed(r.choice.Columns)
		}
		r.size += len(p)
		return len(p), r.feed.write(p)
	case r.takes.raw:
		r.whole, r.size = append(r.whole, p...), r.size+len(p)
		return len(p), nil
	}
	for i, c := range p {
		switch {
		case r.held != inPieces:
			r.whole = append(r.whole, p[i:]...)
			r.size += len(p)
			return len(p), nil
		case len(r.first) < firstBytes:
			r.first = append(r.first, c)
			if err := r.open(); err != nil {
				return i, err
			}
			if r.kept++; mayBeMarked(r.first) || r.held == arrays {
				continue
			}
			if err := r.release(); err != nil {
				return i, err
			}
		default:
			if err := r.take(c); err != nil {
				return i, err
			}
		}
	}
	r.size += len(p)
	return len(p), nil
}

// open determines a file's kind from its first bytes.
func (r *PasteReader) open() error {
	if err := unreadable(r.first); err != nil {
		return err
	}
	if !begins(r.first, numPyMark, zipMark) {
		return nil
	}
	if !r.takes.arrays() {
		return refuseArrays(r.first)
	}
	r.held, r.whole = arrays, append(r.whole, r.first...)
	return nil
}

// release parses the first bytes, which were held back.
func (r *PasteReader) release() error {
	for r.kept > 0 && r.held != arrays {
		at := len(r.first) - r.kept
		r.kept--
		if at < len(byteOrderMark) && begins(r.first, byteOrderMark) {
			continue
		}
		if err := r.take(r.first[at]); err != nil {
			return err
		}
	}
	return nil
}

// take parses one byte and updates line and column.
func (r *PasteReader) take(c byte) error {
	if r.held == entries {
		r.whole = append(r.whole, c)
		return nil
	}
	r.column++
	if r.parse == nil {
		switch {
		case c == '\n', c == '\r':
			r.lead = r.lead[:0]
		case c == '\t', c == ' ':
			r.lead = append(r.lead, c)
		case !r.takes.table && (c == '{' || c == '['), r.takes.object:
			r.parse = r.jsonByte
		default:
			if err := r.beginText(); err != nil {
				return err
			}
		}
	}
	if r.parse != nil {
		if err := r.parse(c); err != nil {
			return err
		}
	}
	if c == '\n' {
		r.line++
		r.column = 0
	}
	return nil
}

// beginText starts a table written as text, after the blanks before its first byte.
func (r *PasteReader) beginText() error {
	if !r.takes.table && len(r.takes.fields) > 0 && r.takes.fields[0].what != matrix {
		r.parse = r.jsonByte // jsonByte returns the error
		return nil
	}
	r.parse = r.textByte
	r.newText()
	if r.choice.Part != "" {
		n, err := strconv.Atoi(r.choice.Part)
		if err != nil || n < 1 {
			return fmt.Errorf("unknown part %s: the file is a table, whose runs are counted from 1", clipped(r.choice.Part))
		}
		r.text.part = n - 1
	}
	for _, c := range r.lead {
		if err := r.text.byte(c, r.line); err != nil {
			return err
		}
	}
	return nil
}

// newText creates the reader of a table. The layout determines where the table's rows are stored.
func (r *PasteReader) newText() {
	to := sink((*numberRows)(r))
	if r.takes.table {
		to = &r.table
	}
	r.text = newTextTable(r.takes.table, r.choice, to)
	r.table.from = r.text
}

func (r *PasteReader) begin() {
	r.sum = sha256.New()
	r.line, r.seen = 1, map[string]bool{}
	if c := r.choice; c.Part != "" || len(c.Columns) > 0 {
		fmt.Fprintf(r.sum, "%q\n", append([]string{c.Part}, c.Columns...))
	}
	if r.takes == nil {
		r.takes = Gradients
	}
	r.out = &Pasted{
		Layout: r.takes, matrices: map[string]*algo.Jacobian{}, heights: map[string]int{}, lists: map[string][]float64{},
		integers: map[string]uint64{}, numbers: map[string]float64{}, ragged: map[string][][]float64{},
	}
	if len(r.takes.fields) > 0 {
		r.at = &r.takes.fields[0]
	}
}

// Close ends the file and returns its content.
func (r *PasteReader) Close() (*Pasted, error) {
	if r.sum == nil {
		r.begin()
	}
	if r.takes.log || r.takes.raw {
		return r.closeWhole()
	}
	if err := r.closeForm(); err != nil {
		return nil, err
	}
	if r.takes.table {
		table, err := r.table.close()
		if err != nil {
			return nil, err
		}
		r.out.table, r.out.About = table, table.about()
	}
	for _, f := range r.takes.fields {
		switch {
		case f.what == matrix && r.out.matrices[f.name] == nil && !f.optional:
			if f.empty {
				return nil, fmt.Errorf("%s: a list of rows is needed, %q: [[...], ...]", f.name, f.name)
			}
			return nil, fmt.Errorf("%s: at least one row with one number is needed", f.name)
		case f.what == stack && r.out.matrices[f.name] == nil && !f.optional:
			return nil, fmt.Errorf("%s: at least one matrix with one number is needed, %q: [[[...], ...], ...]", f.name, f.name)
		case f.what == list && r.out.lists[f.name] == nil && !f.optional:
			return nil, fmt.Errorf("%s: a list of numbers is needed, %q: [...]", f.name, f.name)
		}
	}
	r.out.SHA256, r.out.Bytes = hex.EncodeToString(r.sum.Sum(nil)), r.size
	if r.text != nil {
		r.out.Notes = append(r.out.Notes, r.text.notes...)
	}
	if r.takes.check != nil {
		about, err := r.takes.check(r.out)
		if err != nil {
			return nil, err
		}
		r.out.About = about
	}
	return r.out, nil
}

// closeForm ends the file according to its form: NumPy arrays, a list of objects, a table written as text, or JSON.
func (r *PasteReader) closeForm() error {
	if err := r.release(); err != nil {
		return err
	}
	switch r.held {
	case arrays:
		return r.closeArrays()
	case entries:
		return r.closeEntries()
	}
	if r.parse == nil {
		return fmt.Errorf("the %s is empty; %s", r.takes.noun, r.takes.content)
	}
	r.column++
	if r.json == jsonNone {
		if r.takes.table { // the table's reader completes the table
			return nil
		}
		return r.endText()
	}
	// A line break ends the last number.
	if err := r.parse('\n'); err != nil {
		return err
	}
	if r.json != jsonEnd {
		return r.wrong(r.column, "the "+r.takes.noun+" ends in the middle; "+r.json.expects())
	}
	return r.endCall()
}

// closeWhole ends a log or a file of raw bytes.
func (r *PasteReader) closeWhole() (*Pasted, error) {
	if r.size == 0 {
		return nil, fmt.Errorf("the %s is empty; %s", r.takes.noun, r.takes.content)
	}
	r.out.SHA256, r.out.Bytes = hex.EncodeToString(r.sum.Sum(nil)), r.size
	if r.takes.raw {
		r.out.raw, r.out.About = r.whole, fmt.Sprintf("%d bytes", r.size)
		r.whole = nil
		return r.out, nil
	}
	l, err := r.feed.close()
	if err != nil {
		return nil, err
	}
	r.out.log, r.out.About = l, numeral.Counted(l.Records(), "record")+" of "+numeral.Counted(l.Objectives(), "objective")
	return r.out, nil
}

// Abandon stops reading a file before its end.
func (r *PasteReader) Abandon() {
	if r.feed != nil {
		r.feed.stop()
	}
}

// endMatrix stores the current matrix.
func (r *PasteReader) endMatrix() {
	if !r.at.ragged {
		r.out.matrices[r.at.name] = &algo.Jacobian{Rows: r.rows, Cols: r.columns, Data: r.data}
	}
	r.data, r.rows, r.columns = nil, 0, 0
}

// endLayer ends one matrix of a list of matrices.
func (r *PasteReader) endLayer() error {
	if r.before++; r.before > r.at.matrices {
		return r.wrong(r.column, fmt.Sprintf("there are more than %d matrices", r.at.matrices))
	}
	if r.before == 1 {
		r.height = r.rows
	}
	if r.rows != r.height {
		return r.wrong(r.column, fmt.Sprintf("matrix %d of %s has %d rows, matrix 1 has %d", r.before, r.at.name, r.rows, r.height))
	}
	r.rows = 0
	return nil
}

// endStack stores the current list of matrices.
func (r *PasteReader) endStack() {
	r.out.heights[r.at.name] = r.height
	r.rows = r.before * r.height
	r.endMatrix()
	r.before, r.height = 0, 0
}

// row returns a row's name for errors.
func (r *PasteReader) row(number int) string {
	if r.at.what == stack {
		return fmt.Sprintf("row %d of matrix %d", number, r.before+1)
	}
	return fmt.Sprintf("row %d", number)
}

// firstRow returns, for errors, the name of the row that determines how many numbers a row must have.
func (r *PasteReader) firstRow() string {
	if r.at.what == stack {
		return "row 1 of matrix 1"
	}
	return "row 1"
}

func (r *PasteReader) wrong(column int, text string) error {
	return fmt.Errorf("line %d, column %d: %s", r.line, column, text)
}

// number parses the token as a finite decimal number. In a JSON object, the number must have JSON's notation.
func (r *PasteReader) number() (float64, error) {
	text := string(r.token)
	f, wrong := decimal(text)
	if wrong == "" && !r.bare && !jsonNumeral(text) {
		wrong = clipped(text) + " is not a JSON number"
	}
	if wrong != "" {
		return 0, r.wrong(r.from, wrong)
	}
	return f, nil
}

// jsonNumeral reports whether a decimal number has JSON's notation: digits on both sides of a point, no leading zero,
// and no plus sign.
func jsonNumeral(text string) bool {
	digit := func(i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
	first := 0
	if text[0] == '-' {
		first = 1
	}
	point := strings.IndexByte(text, '.')
	return digit(first) && !(text[first] == '0' && digit(first+1)) && (point < 0 || digit(point+1))
}

func clipped(text string) string {
	const limit = 30
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strconv.Quote(text)
}

// longest is the maximum length of a token in bytes. A number in full precision has 24 characters.
const longest = 400

func (r *PasteReader) grow(c byte) error {
	if len(r.token) == 0 {
		r.from = r.column
	}
	if len(r.token) == longest {
		return r.wrong(r.from, clipped(string(r.token))+" is too long for a number")
	}
	r.token = append(r.token, c)
	return nil
}

func (r *PasteReader) entry(f float64) error {
	switch r.inRow++; {
	case r.inRow > r.at.columns:
		return r.wrong(r.from, fmt.Sprintf("%s has more than %d numbers", r.row(r.rows+1), r.at.columns))
	case !r.at.ragged && r.rows+r.before > 0 && r.inRow > r.columns: // the row is already too long
		return r.wrong(r.from, fmt.Sprintf("%s has more numbers than the %d of %s", r.row(r.rows+1), r.columns, r.firstRow()))
	case r.numbers == MaxNumbers:
		return r.wrong(r.from, fmt.Sprintf("there are more than %d numbers", MaxNumbers))
	case r.at.numbers > 0 && len(r.data) == r.at.numbers:
		return r.wrong(r.from, fmt.Sprintf("%s has more than %d numbers", r.at.name, r.at.numbers))
	}
	r.numbers++
	r.data = append(r.data, f)
	return nil
}

func (r *PasteReader) endRow() error {
	r.rows++
	if r.rows > r.at.rows {
		return r.wrong(r.column, fmt.Sprintf("there are more than %d rows", r.at.rows))
	}
	if r.rows == 1 && r.before == 0 {
		r.columns = r.inRow
	}
	if r.at.exactly && r.inRow != r.at.columns {
		return r.wrong(r.column, fmt.Sprintf("row %d of %s has %d numbers; %d are expected", r.rows, r.at.name, r.inRow, r.at.columns))
	}
	if r.at.ragged {
		rows, name := r.out.ragged, r.at.name
		rows[name] = append(rows[name], r.data[len(r.data)-r.inRow:])
	} else if r.inRow != r.columns {
		return r.wrong(r.column, fmt.Sprintf("%s has %d numbers, %s has %d", r.row(r.rows), r.inRow, r.firstRow(), r.columns))
	}
	r.inRow = 0
	return nil
}

// Tables written as text

// textByte reads one byte of a table, or of an array as printed by Python.
func (r *PasteReader) textByte(c byte) error {
	begins := r.text.rows == 0 && r.text.separator == 0
	if c == '{' && r.takes.table && begins && string(bytes.TrimSpace(append(bytes.Clone(r.text.head), r.text.raw...))) == "[" {
		r.held, r.whole, r.base = entries, []byte("[{"), r.line
		return nil
	}
	if c == '[' && !r.takes.table && begins && r.text.head == nil {
		if call := arrayCall().FindSubmatch(r.text.raw); call != nil {
			r.call, r.parse = call[1] != nil, r.jsonByte
			return r.jsonByte(c)
		}
	}
	return r.text.byte(c, r.line)
}

// arrayCall matches the text before the first bracket of an array that Python prints or assigns.
var arrayCall = pattern.Lazy(`^[ \t]*(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?((?:\w+\.)*(?:array|asarray|tensor|Tensor|Array)\([ \t]*)?$`)

// numberRows is a sink that stores the rows of a textTable in the current matrix.
type numberRows PasteReader

func (n *numberRows) names([]string, int) error { return nil }

func (n *numberRows) row(of *record, run int) error {
	r := (*PasteReader)(n)
	if r.text.part >= 0 && run != r.text.part {
		return nil
	}
	line := r.line
	r.line = of.line
	for i := range of.cells {
		c := &of.cells[i]
		if r.from = c.column; len(c.text) == 0 {
			return r.wrong(r.from, fmt.Sprintf("cell %d is empty; a number is expected", i+1))
		}
		f, wrong := r.text.number(c, of.line)
		if wrong != "" {
			return r.wrong(r.from, wrong)
		}
		if err := r.entry(f); err != nil {
			return err
		}
	}
	if last := len(of.cells) - 1; last >= 0 {
		r.column = of.cells[last].column + len(of.cells[last].text)
	}
	if len(r.runs) == 0 || run != r.lastRun {
		r.runs, r.lastRun = append(r.runs, r.rows), run
	}
	if err := r.endRow(); err != nil {
		return err
	}
	r.line = line
	return nil
}

// endText ends a table written as text. The table's rows become the first matrix.
func (r *PasteReader) endText() error {
	t := r.text
	if err := t.close(); err != nil {
		return err
	}
	switch runs := t.run + 1; {
	case t.rows == 0:
		return nil
	case t.part >= runs:
		return fmt.Errorf("unknown part %d; the file has %s", t.part+1, numeral.Counted(runs, "run"))
	case t.part >= 0 || runs == 1:
	case t.single:
		t.note("blank lines between single rows are ignored")
	default:
		var parts []string
		for i, first := range r.runs {
			next := r.rows
			if i+1 < len(r.runs) {
				next = r.runs[i+1]
			}
			parts = append(parts, fmt.Sprintf("%d (%s)", i+1, numeral.Counted(next-first, "row")))
		}
		return &ChoiceError{What: "runs, separated by blank lines", Parts: parts}
	}
	if r.rows > 0 {
		r.endMatrix()
	}
	return nil
}

// JSON

// jsonState says which tokens may come next.
type jsonState int

const (
	jsonNone jsonState = iota // the file is not JSON
	jsonStart
	jsonFirstKey
	jsonKey
	jsonColon
	jsonStack
	jsonLayer
	jsonMatrix
	jsonRow
	jsonList
	jsonNumber
	jsonAfterNumber
	jsonAfterRow
	jsonAfterLayer
	jsonInteger
	jsonNumberMember
	jsonMember
	jsonLoose // the language R wraps a single number in a list
	jsonLooseEnd
	jsonSkipped
	jsonEnd
)

func (s jsonState) expects() string {
	return [...]string{
		jsonStart: `"{" is expected`, jsonFirstKey: "a name is expected", jsonKey: "a name is expected", jsonColon: `":" is expected`,
		jsonStack: `"[" before the first matrix is expected`, jsonLayer: `"[" before a matrix is expected`,
		jsonMatrix: `"[" before the first row is expected`, jsonRow: `"[" before a row is expected`,
		jsonList:   `"[" before a list of numbers is expected`,
		jsonNumber: "a number is expected", jsonAfterNumber: `"," or "]" is expected`, jsonAfterRow: `"," or "]" is expected`,
		jsonAfterLayer: `"," or "]" is expected`,
		jsonInteger:    "a whole number is expected", jsonNumberMember: "a number is expected", jsonMember: `"," or "}" is expected`,
		jsonLoose: "a number is expected", jsonLooseEnd: `"]" is expected`, jsonSkipped: "the end of the member is expected",
		jsonEnd: "nothing more is expected",
	}[s]
}

func (r *PasteReader) jsonByte(c byte) error {
	if r.json == jsonNone {
		r.json = jsonStart
	}
	if r.json == jsonEnd && r.call {
		return r.callTail(c)
	}
	inText := len(r.token) > 0 && r.token[0] == '"'
	switch {
	case inText && (r.escaped || c != '"'):
		if c == '\n' {
			return r.wrong(r.from, "a text continues past the end of the line")
		}
		r.escaped = !r.escaped && c == '\\'
		return r.grow(c)
	case inText:
		key := string(r.token[1:])
		r.token = r.token[:0]
		return r.jsonText(key)
	case r.json == jsonSkipped && !(r.depth == 0 && (c == ',' || c == '}')):
		return r.skipByte(c)
	case c == '"' && len(r.token) == 0:
		return r.grow(c)
	case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		return r.jsonValue()
	case bytes.IndexByte([]byte("{}[],:"), c) >= 0:
		if err := r.jsonValue(); err != nil {
			return err
		}
		return r.jsonSign(c)
	}
	if r.json == jsonAfterNumber && r.bare && r.spaced != commas && len(r.token) == 0 { // NumPy prints blanks between numbers
		r.json, r.spaced = jsonNumber, blanks
	}
	return r.grow(c)
}

// skipByte reads a byte of an ignored member.
func (r *PasteReader) skipByte(c byte) error {
	switch c {
	case '"':
		return r.grow(c)
	case '[', '{':
		r.depth++
	case ']', '}':
		if r.depth--; r.depth < 0 {
			return r.wrong(r.column, "unexpected "+strconv.Quote(string(c))+"; "+r.json.expects())
		}
	}
	return nil
}

// callTail reads the rest of a call after its array, such as a type, up to the closing parenthesis.
func (r *PasteReader) callTail(c byte) error {
	if len(r.tail) == longest {
		return r.wrong(r.column, clipped(string(r.tail))+" is too long for the end of an array")
	}
	r.tail = append(r.tail, c)
	return nil
}

// arrayEnd matches the text after the brackets of an array printed by Python.
var arrayEnd = pattern.Lazy(`^\s*(,\s*(dtype|device|grad_fn|requires_grad|shape|size)\s*=\s*[\w.'":<>() ,]+?)*\s*,?\s*\)\s*;?\s*$`)

// endCall ends an array that is an argument of a call.
func (r *PasteReader) endCall() error {
	if r.call && !arrayEnd().Match(r.tail) {
		return r.wrong(r.column, "unexpected "+clipped(string(bytes.TrimSpace(r.tail)))+`; ")" is expected after the array`)
	}
	return nil
}

// jsonText handles a string. A string is only valid as the name of a member.
func (r *PasteReader) jsonText(key string) error {
	if r.json == jsonSkipped {
		return nil
	}
	if r.json != jsonFirstKey && r.json != jsonKey {
		return r.wrong(r.from, "unexpected text "+clipped(key)+"; "+r.json.expects())
	}
	f := r.takes.field(key)
	switch {
	case r.choice.Part != "" && key == r.choice.Part:
		f = &r.takes.fields[0]
	case r.choice.Part != "" && (f == nil || f == &r.takes.fields[0]):
		f = &field{name: key, what: skipped}
		r.out.Notes = append(r.out.Notes, clipped(key)+" is left out")
	case f == nil && r.takes.arrays():
		return r.wrong(r.from, "unknown name "+clipped(key)+"; available: "+r.takes.names()+
			"; name it as the part to read if it is the "+r.takes.fields[0].name)
	case f == nil:
		return r.wrong(r.from, "unknown name "+clipped(key)+"; available: "+r.takes.names())
	}
	if r.seen[key] {
		return r.wrong(r.from, clipped(key)+" appears twice")
	}
	r.seen[key] = true
	r.at, r.json = f, jsonColon
	return nil
}

// jsonValue checks and stores the current number, if there is one.
func (r *PasteReader) jsonValue() error {
	if len(r.token) == 0 {
		return nil
	}
	value := r.json == jsonStack || r.json == jsonMatrix || r.json == jsonList || r.json == jsonInteger || r.json == jsonNumberMember
	if r.at.optional && value && string(r.token) == "null" {
		r.token, r.json = r.token[:0], jsonMember
		return nil
	}
	if r.json != jsonNumber && r.json != jsonInteger && r.json != jsonNumberMember && r.json != jsonLoose {
		text := "unexpected " + clipped(string(r.token)) + "; " + r.json.expects() + instead(string(r.token))
		if r.json == jsonRow && r.rows == 0 { // Octave's jsonencode writes a matrix with one row as a list
			text += "; write a matrix of one row as [[1, 2]]"
		}
		return r.wrong(r.from, text)
	}
	f, err := r.number()
	if err != nil {
		return err
	}
	text := string(r.token)
	r.token = r.token[:0]
	loose := r.json == jsonLoose
	if r.json == jsonInteger || loose && r.at.what == integer {
		if r.out.integers[r.at.name], err = strconv.ParseUint(text, 10, 64); err != nil {
			return r.wrong(r.from, r.at.name+": "+clipped(text)+" is not a whole number of at least 0")
		}
		r.json = scalarEnd(loose)
		return nil
	}
	if r.json == jsonNumberMember || loose {
		r.out.numbers[r.at.name], r.json = f, scalarEnd(loose)
		return nil
	}
	r.json = jsonAfterNumber
	if r.at.what == list {
		r.list = append(r.list, f)
		if len(r.list) > r.at.rows {
			return r.wrong(r.from, fmt.Sprintf("there are more than %d %s", r.at.rows, r.at.name))
		}
		return nil
	}
	return r.entry(f)
}

// scalarEnd returns the state after a single number. R wraps the number in a list.
func scalarEnd(loose bool) jsonState {
	if loose {
		return jsonLooseEnd
	}
	return jsonMember
}

// jsonSign handles one of the characters {}[],: .
func (r *PasteReader) jsonSign(c byte) error {
	var err error
	next := jsonNone
	switch {
	case r.json == jsonStart && c == '{':
		next = jsonFirstKey
	case r.json == jsonStart && c == '[' && !r.takes.object:
		r.at, r.bare, next = &r.takes.fields[0], true, jsonRow
	case r.json == jsonFirstKey && c == '}', r.json == jsonMember && c == '}':
		next = jsonEnd
	case (r.json == jsonInteger || r.json == jsonNumberMember) && c == '[':
		next = jsonLoose
	case r.json == jsonLooseEnd && c == ']':
		next = jsonMember
	case r.json == jsonSkipped && c == '}':
		next = jsonEnd
	case r.json == jsonSkipped && c == ',':
		next = jsonKey
	case r.json == jsonRow && c == '{' && r.bare && r.rows == 0:
		r.held, r.whole, r.base = entries, []byte("[{"), r.line
		return nil
	case r.json == jsonRow && c == ',' && r.bare && r.rows == 0, r.json == jsonNumber && c == ',' && r.bare && r.rows == 0 && r.inRow == 0:
		return r.wrong(r.column, `this looks like a matrix printed by R; write it with write.csv(x, "table.csv", row.names=FALSE)`)
	case r.json == jsonAfterRow && c == '[' && r.bare: // NumPy prints blanks between rows
		next = jsonNumber
	case r.json == jsonAfterNumber && c == ',' && r.spaced == blanks:
		return r.wrong(r.column, "unexpected comma; blanks separate the numbers")
	case r.json == jsonColon && c == ':':
		next = [...]jsonState{matrix: jsonMatrix, stack: jsonStack, list: jsonList, integer: jsonInteger, number: jsonNumberMember,
			skipped: jsonSkipped}[r.at.what]
	case r.json == jsonStack && c == '[':
		next = jsonLayer
	case r.json == jsonMatrix && c == '[', r.json == jsonLayer && c == '[':
		next = jsonRow
	case r.json == jsonRow && c == '[', r.json == jsonList && c == '[', r.json == jsonAfterNumber && c == ',':
		next = jsonNumber
	case r.json == jsonAfterNumber && c == ']' && r.at.what == list:
		r.out.lists[r.at.name], r.list, next = r.list, nil, jsonMember
	case r.json == jsonRow && c == ']' && r.rows == 0 && r.at.empty:
		r.endMatrix()
		next = jsonMember
	case r.json == jsonAfterNumber && c == ']':
		next, err = jsonAfterRow, r.endRow()
	case r.json == jsonAfterRow && c == ',':
		next = jsonRow
	case r.json == jsonAfterRow && c == ']' && r.at.what == stack:
		next, err = jsonAfterLayer, r.endLayer()
	case r.json == jsonAfterLayer && c == ',':
		next = jsonLayer
	case r.json == jsonAfterLayer && c == ']':
		r.endStack()
		next = jsonMember
	case r.json == jsonAfterRow && c == ']':
		r.endMatrix()
		if next = jsonMember; r.bare {
			next = jsonEnd
		}
	case r.json == jsonMember && c == ',':
		next = jsonKey
	default:
		return r.wrong(r.column, "unexpected "+strconv.Quote(string(c))+"; "+r.json.expects())
	}
	if r.bare && r.json == jsonAfterNumber && c == ',' {
		r.spaced = commas
	}
	r.json = next
	return err
}
