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

	"paretoplay/algo"
)

// Largest Jacobian that a visitor's file may hold.
const (
	MaxPastedRows    = 200
	MaxPastedColumns = 10_000
)

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
	sum     hash.Hash
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
		r.sum = sha256.New()
		r.line, r.seen = 1, map[string]bool{}
	}
	if r.size+len(p) > MaxBytes {
		return 0, fmt.Errorf("the file is larger than %d MB", MaxBytes>>20)
	}
	r.sum.Write(p)
	for i, c := range p {
		if r.size+i < len(byteOrderMark) && c == byteOrderMark[r.size+i] {
			continue
		}
		r.column++
		if r.parse == nil {
			switch c {
			case '{', '[':
				r.parse = r.jsonByte
			case '\n', '\r', '\t', ' ':
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

// Close ends the file and returns what it holds.
func (r *PasteReader) Close() (*Pasted, error) {
	if r.parse == nil {
		return nil, errors.New("the file is empty; a Jacobian is expected, as JSON or CSV")
	}
	r.column++
	// A line break ends a last number, a last cell and a last line alike.
	if err := r.parse('\n'); err != nil {
		return nil, err
	}
	if r.json != jsonNone && r.json != jsonEnd {
		return nil, r.wrong(r.column, "the file ends in the middle; "+r.json.expects())
	}
	if r.rows == 0 {
		return nil, errors.New("jacobian: at least one row of one number is needed")
	}
	if r.losses != nil && len(r.losses) != r.rows {
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

// number reads the token as a finite number in decimal notation.
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
	}
	return f, nil
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
	if r.inRow++; r.inRow > MaxPastedColumns {
		return r.wrong(r.from, fmt.Sprintf("row %d has more than %d numbers", r.rows+1, MaxPastedColumns))
	}
	r.data = append(r.data, f)
	return nil
}

func (r *PasteReader) endRow() error {
	r.rows++
	if r.rows > MaxPastedRows {
		return r.wrong(r.column, fmt.Sprintf("there are more than %d rows", MaxPastedRows))
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
		jsonList:   `"[" before the losses is expected`,
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
	switch key {
	case "jacobian", "losses", "seed":
	default:
		return r.wrong(r.from, clipped(key)+" is unknown; there are: jacobian losses seed")
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
	if r.key == "losses" {
		r.losses = append(r.losses, f)
		if len(r.losses) > MaxPastedRows {
			return r.wrong(r.from, fmt.Sprintf("there are more than %d losses", MaxPastedRows))
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
	case r.json == jsonStart && c == '[':
		r.key, r.bare, next = "jacobian", true, jsonRow
	case r.json == jsonFirstKey && c == '}', r.json == jsonMember && c == '}':
		next = jsonEnd
	case r.json == jsonColon && c == ':':
		next = map[string]jsonState{"jacobian": jsonMatrix, "losses": jsonList, "seed": jsonSeed}[r.key]
	case r.json == jsonMatrix && c == '[':
		next = jsonRow
	case r.json == jsonRow && c == '[', r.json == jsonList && c == '[', r.json == jsonAfterNumber && c == ',':
		next = jsonNumber
	case r.json == jsonAfterNumber && c == ']' && r.key == "losses":
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
