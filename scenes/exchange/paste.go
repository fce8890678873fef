package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"

	"paretoplay/algo"
)

// Largest Jacobian that a visitor's file may hold.
const (
	MaxPastedRows    = 200
	MaxPastedColumns = 10_000
)

// layout is what a text may hold: a matrix of numbers, a list of numbers and a seed, each
// under its name in a JSON object.
type layout struct {
	noun, content      string // what the text is, and what is expected of it, for errors
	matrix, list, seed string // the names; "" for none
	what               string // what the matrix is, for errors
	rows, columns      int    // of the matrix, at most
	optional           bool   // the list may be absent, or null; one that is there has a number for each row
	empty              bool   // the matrix may be
	object             bool   // it is a JSON object; otherwise a bare list of rows or CSV will do
}

var pastedLayout = layout{
	noun: "file", content: "a Jacobian is expected, as JSON or CSV", what: "jacobian",
	matrix: "jacobian", list: "losses", seed: "seed", rows: MaxPastedRows, columns: MaxPastedColumns, optional: true,
}

// names are those of the members.
func (l *layout) names() string {
	return strings.TrimSpace(strings.Join([]string{l.matrix, l.list, l.seed}, " "))
}

// Pasted is a Jacobian from a visitor's file.
type Pasted struct {
	Jacobian *algo.Jacobian
	Losses   []float64 // one a row; nil where the file has none
	Seed     uint64
	SHA256   string // of the file, in hexadecimal
	Bytes    int
}

// PasteReader reads a Jacobian piece by piece, so that a large file can be read
// between frames: JSON as weigh takes it, a bare list of rows, or CSV. In CSV a
// line is a gradient; cells are parted by commas, semicolons or tabs, and a first
// line without any number is a heading. The zero value is ready to use.
type PasteReader struct {
	takes   *layout // nil before the first piece for pastedLayout
	sum     hash.Hash
	first   []byte // of the text
	size    int
	parse   func(c byte) error // nil before the first byte that is no space
	data    []float64
	losses  []float64
	seed    uint64
	rows    int
	columns int // of the first row
	inRow   int // numbers of the row under way

	line, column int // of the byte under way, from 1
	token        []byte
	from         int // the column that the token began in
	json         jsonState
	key          string
	bare         bool // the whole file is the list of rows
	seen         map[string]bool
	escaped      bool
	texts        int // cells of the heading
}

// Write reads the next piece. An error says where the file is wrong and is final.
func (r *PasteReader) Write(p []byte) (int, error) {
	if r.sum == nil {
		r.begin()
	}
	if r.size+len(p) > MaxBytes {
		return 0, fmt.Errorf("the %s is larger than %d MB", r.takes.noun, MaxBytes>>20)
	}
	r.sum.Write(p)
	for i, c := range p {
		if len(r.first) < firstBytes {
			if r.first = append(r.first, c); looksUTF16(r.first) {
				return i, ErrUTF16
			}
		}
		if r.size+i < len(byteOrderMark) && c == byteOrderMark[r.size+i] {
			continue
		}
		r.column++
		if r.parse == nil {
			switch {
			case c == '\n', c == '\r', c == '\t', c == ' ':
			case c == '{', c == '[', r.takes.object:
				r.parse = r.jsonByte
			default:
				r.parse = r.csvByte
			}
		}
		if r.parse != nil {
			if err := r.parse(c); err != nil {
				return i, err
			}
		}
		if c == '\n' {
			r.line++
			r.column = 0
		}
	}
	r.size += len(p)
	return len(p), nil
}

func (r *PasteReader) begin() {
	r.sum = sha256.New()
	r.line, r.seen = 1, map[string]bool{}
	if r.takes == nil {
		r.takes = &pastedLayout
	}
}

// Close ends the file and returns what it holds.
func (r *PasteReader) Close() (*Pasted, error) {
	if r.sum == nil {
		r.begin()
	}
	if r.parse == nil {
		return nil, fmt.Errorf("the %s is empty; %s", r.takes.noun, r.takes.content)
	}
	r.column++
	// A line break ends a last number, a last cell and a last line alike.
	if err := r.parse('\n'); err != nil {
		return nil, err
	}
	if r.json != jsonNone && r.json != jsonEnd {
		return nil, r.wrong(r.column, "the "+r.takes.noun+" ends in the middle; "+r.json.expects())
	}
	switch l := r.takes; {
	case r.rows == 0 && !l.empty:
		return nil, fmt.Errorf("%s: at least one row of one number is needed", l.what)
	case l.empty && !r.seen[l.matrix]:
		return nil, fmt.Errorf("%s: a list of rows is needed, %q: [[...], ...]", l.matrix, l.matrix)
	case !l.optional && r.losses == nil:
		return nil, fmt.Errorf("%s: a list of numbers is needed, %q: [...]", l.list, l.list)
	case l.optional && r.losses != nil && len(r.losses) != r.rows:
		return nil, fmt.Errorf("losses: there are %d for %d rows of the Jacobian", len(r.losses), r.rows)
	}
	return &Pasted{
		Jacobian: &algo.Jacobian{Rows: r.rows, Cols: r.columns, Data: r.data},
		Losses:   r.losses, Seed: r.seed, SHA256: hex.EncodeToString(r.sum.Sum(nil)), Bytes: r.size,
	}, nil
}

func (r *PasteReader) wrong(column int, text string) error {
	return fmt.Errorf("line %d, column %d: %s", r.line, column, text)
}

// number reads the token as a finite number in decimal notation, in JSON in JSON's.
func (r *PasteReader) number() (float64, error) {
	text := string(r.token)
	for _, c := range r.token {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, r.wrong(r.from, fmt.Sprintf("%s is no number", clipped(text)))
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && math.IsInf(f, 0):
		return 0, r.wrong(r.from, clipped(text)+" is too large for double precision")
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, r.wrong(r.from, clipped(text)+" is no number")
	case r.json != jsonNone && !jsonNumeral(text):
		return 0, r.wrong(r.from, clipped(text)+" is no number as JSON writes them")
	}
	return f, nil
}

// jsonNumeral reports whether JSON writes a decimal number so, with a digit on both sides
// of a point, and no zero or plus before it.
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
	const most = 30
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// longest token: a number in full precision has 24 characters.
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
	case r.inRow > r.takes.columns:
		return r.wrong(r.from, fmt.Sprintf("row %d has more than %d numbers", r.rows+1, r.takes.columns))
	case r.rows > 0 && r.inRow > r.columns: // a longer row is not read to its end
		return r.wrong(r.from, fmt.Sprintf("row %d has more numbers than the %d of row 1", r.rows+1, r.columns))
	case len(r.data) == MaxNumbers:
		return r.wrong(r.from, fmt.Sprintf("there are more than %d numbers", MaxNumbers))
	}
	r.data = append(r.data, f)
	return nil
}

func (r *PasteReader) endRow() error {
	r.rows++
	if r.rows > r.takes.rows {
		return r.wrong(r.column, fmt.Sprintf("there are more than %d rows", r.takes.rows))
	}
	if r.rows == 1 {
		r.columns = r.inRow
	}
	if r.inRow != r.columns {
		return r.wrong(r.column, fmt.Sprintf("row %d has %d numbers, row 1 has %d", r.rows, r.inRow, r.columns))
	}
	r.inRow = 0
	return nil
}

// ---- CSV

func (r *PasteReader) csvByte(c byte) error {
	switch c {
	case ',', ';', '\t':
		return r.csvCell()
	case '\n', '\r':
		return r.csvLine()
	case ' ':
		if len(r.token) == 0 {
			return nil
		}
	}
	return r.grow(c)
}

func (r *PasteReader) csvCell() error {
	r.token = bytes.Trim(r.token, ` "`)
	cell := r.inRow + r.texts + 1
	if len(r.token) == 0 {
		return r.wrong(r.column, fmt.Sprintf("cell %d is empty; a number is expected", cell))
	}
	f, err := r.number()
	switch {
	case err == nil && r.texts > 0 && r.rows == 0:
		return r.wrong(r.from, fmt.Sprintf("cell %d is a number, those before it are not", cell))
	case err == nil:
		err = r.entry(f)
	case r.rows == 0 && r.inRow == 0 && r.texts >= 0: // a heading, as far as one can tell
		r.texts++
		err = nil
	}
	r.token = r.token[:0]
	return err
}

func (r *PasteReader) csvLine() error {
	if len(bytes.TrimSpace(r.token)) == 0 && r.inRow == 0 && r.texts <= 0 {
		r.token = r.token[:0]
		return nil
	}
	if err := r.csvCell(); err != nil {
		return err
	}
	if r.texts > 0 { // one heading only
		r.texts = -1
		return nil
	}
	if r.inRow == 0 {
		return nil
	}
	return r.endRow()
}

// ---- JSON

// jsonState is what may come next.
type jsonState int

const (
	jsonNone jsonState = iota // the file is no JSON
	jsonStart
	jsonFirstKey
	jsonKey
	jsonColon
	jsonMatrix
	jsonRow
	jsonList
	jsonNumber
	jsonAfterNumber
	jsonAfterRow
	jsonSeed
	jsonMember
	jsonEnd
)

func (s jsonState) expects() string {
	return [...]string{
		jsonStart: `"{" is expected`, jsonFirstKey: "a name is expected", jsonKey: "a name is expected", jsonColon: `":" is expected`,
		jsonMatrix: `"[" before the first row is expected`, jsonRow: `"[" before a row is expected`,
		jsonList:   `"[" before a list of numbers is expected`,
		jsonNumber: "a number is expected", jsonAfterNumber: `"," or "]" is expected`, jsonAfterRow: `"," or "]" is expected`,
		jsonSeed: "a whole number is expected", jsonMember: `"," or "}" is expected`, jsonEnd: "nothing more is expected",
	}[s]
}

func (r *PasteReader) jsonByte(c byte) error {
	if r.json == jsonNone {
		r.json = jsonStart
	}
	inText := len(r.token) > 0 && r.token[0] == '"'
	switch {
	case inText && (r.escaped || c != '"'):
		if c == '\n' {
			return r.wrong(r.from, "a text goes on over the end of the line")
		}
		r.escaped = !r.escaped && c == '\\'
		return r.grow(c)
	case inText:
		key := string(r.token[1:])
		r.token = r.token[:0]
		return r.jsonText(key)
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
	return r.grow(c)
}

// jsonText takes a text, which can only be a name.
func (r *PasteReader) jsonText(key string) error {
	if r.json != jsonFirstKey && r.json != jsonKey {
		return r.wrong(r.from, clipped(key)+" is a text; "+r.json.expects())
	}
	if l := r.takes; key == "" || key != l.matrix && key != l.list && key != l.seed {
		return r.wrong(r.from, clipped(key)+" is unknown; there are: "+l.names())
	}
	if r.seen[key] {
		return r.wrong(r.from, clipped(key)+" stands twice")
	}
	r.seen[key] = true
	r.key, r.json = key, jsonColon
	return nil
}

// jsonValue takes the number under way, if there is one.
func (r *PasteReader) jsonValue() error {
	if len(r.token) == 0 {
		return nil
	}
	if r.takes.optional && (r.json == jsonList || r.json == jsonSeed) && string(r.token) == "null" {
		r.token, r.json = r.token[:0], jsonMember
		return nil
	}
	if r.json != jsonNumber && r.json != jsonSeed {
		return r.wrong(r.from, clipped(string(r.token))+" stands where "+r.json.expects())
	}
	f, err := r.number()
	if err != nil {
		return err
	}
	text := string(r.token)
	r.token = r.token[:0]
	if r.json == jsonSeed {
		if r.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return r.wrong(r.from, "seed: "+clipped(text)+" is no whole number from 0")
		}
		r.json = jsonMember
		return nil
	}
	r.json = jsonAfterNumber
	if r.key == r.takes.list {
		r.losses = append(r.losses, f)
		if len(r.losses) > r.takes.rows {
			return r.wrong(r.from, fmt.Sprintf("there are more than %d %s", r.takes.rows, r.key))
		}
		return nil
	}
	return r.entry(f)
}

// jsonSign takes one of {}[],: .
func (r *PasteReader) jsonSign(c byte) error {
	var err error
	next := jsonNone
	switch {
	case r.json == jsonStart && c == '{':
		next = jsonFirstKey
	case r.json == jsonStart && c == '[' && !r.takes.object:
		r.key, r.bare, next = r.takes.matrix, true, jsonRow
	case r.json == jsonFirstKey && c == '}', r.json == jsonMember && c == '}':
		next = jsonEnd
	case r.json == jsonColon && c == ':':
		next = map[string]jsonState{r.takes.matrix: jsonMatrix, r.takes.list: jsonList, r.takes.seed: jsonSeed}[r.key]
	case r.json == jsonMatrix && c == '[':
		next = jsonRow
	case r.json == jsonRow && c == '[', r.json == jsonList && c == '[', r.json == jsonAfterNumber && c == ',':
		next = jsonNumber
	case r.json == jsonAfterNumber && c == ']' && r.key == r.takes.list, r.json == jsonRow && c == ']' && r.rows == 0 && r.takes.empty:
		next = jsonMember
	case r.json == jsonAfterNumber && c == ']':
		next, err = jsonAfterRow, r.endRow()
	case r.json == jsonAfterRow && c == ',':
		next = jsonRow
	case r.json == jsonAfterRow && c == ']' && r.bare:
		next = jsonEnd
	case r.json == jsonAfterRow && c == ']', r.json == jsonMember && c == ',':
		next = jsonMember
		if c == ',' {
			next = jsonKey
		}
	default:
		return r.wrong(r.column, strconv.Quote(string(c))+" stands where "+r.json.expects())
	}
	r.json = next
	return err
}
