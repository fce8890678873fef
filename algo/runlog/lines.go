package runlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Matrix is a matrix in row-major order. One of Rows = 0 is absent.
type Matrix struct {
	Rows, Columns int
	Data          []float64
}

// Line is one record of a log in JSON lines, of S objectives. What the line does not have is nil, or a Matrix of
// no rows. It belongs to its Lines and holds until the next one.
type Line struct {
	Number                   int      // of the line in the file, from 1
	Step                     *int64   // number of the step
	Names                    []string // of the objectives
	Losses, Weights, After   []float64
	Gramian, Cross, Jacobian Matrix // S×S, S×S and S×d
	Forward, Backward        *float64
	Seed                     *int64   // of rules that draw; a log has none
	Ignored                  []string // names of fields that a log does not have
}

// Objectives returns S.
func (l *Line) Objectives() int { return max(l.Gramian.Rows, l.Jacobian.Rows) }

// Lines reads JSON lines, one record each. It checks what concerns one line: that numbers are finite, and that
// there is a Gramian or a Jacobian to which all else fits. A line is read as it comes: only its numbers are kept.
type Lines struct {
	r    *bufio.Reader
	most int
	line Line

	final  bool               // of a log: the first error ends the reading, and numbers may be other than finite
	object func(c byte) error // reads the object that begins with c, where lines are no records; nil where they are
	taken  int                // bytes of the line under way
	ended  bool               // its end has been read
	cut    bool               // the file ended within its object
	fault  error              // of the reader, which ends the file
	token  []byte

	numbers [6][]float64 // storage of the fields
	shape   []int
}

// NewLines returns a reader of lines of at most most bytes each, whose numbers take as many at most.
func NewLines(r io.Reader, most int64) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, 1<<16), most: int(most)}
}

// LineError is a fault of one line, which Next has read to its end: the next call goes on with the line after it.
type LineError struct {
	Number int // of the line, from 1
	Err    error
}

// Error says the number of the line and what is wrong there.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }

// Next returns the next record; lines of white space are passed over. At the end it returns io.EOF. Any other error is
// a *LineError, or one of the reader, which ends the file.
func (s *Lines) Next() (*Line, error) {
	for {
		if s.fault != nil {
			return nil, s.fault
		}
		s.line = Line{Number: s.line.Number + 1}
		s.taken, s.ended, s.cut = 0, false, false
		if s.line.Number == 1 {
			const mark = "\ufeff"
			if start, err := s.r.Peek(len(mark)); err == nil && string(start) == mark {
				_, _ = s.r.Discard(len(mark)) // which are there
			}
		}
		c := s.skip()
		if c == 0 {
			continue // a line without a record, or the end
		}
		parse := s.parse
		if s.object != nil {
			parse = s.object
		}
		err := parse(c)
		s.cut = err != nil && s.atEnd()
		if err == nil && s.skip() != 0 {
			err = errors.New("something follows after the object; a line has one")
		}
		if err == nil && s.object == nil {
			err = s.fit()
		}
		for !s.ended && !s.final { // the rest of a line that is wrong
			s.next()
		}
		if s.taken > s.most {
			err = fmt.Errorf("it has more than %d MB, which is the most that is read", s.most>>20)
		}
		switch {
		case s.fault != nil && !errors.Is(s.fault, io.EOF):
			return nil, s.fault
		case err != nil:
			return nil, &LineError{s.line.Number, err}
		}
		return &s.line, nil
	}
}

// atEnd reports whether the file has ended without a line's end: a program that writes lines may still be in the middle of one.
func (s *Lines) atEnd() bool {
	if s.ended {
		return errors.Is(s.fault, io.EOF)
	}
	_, err := s.r.Peek(1)
	return errors.Is(err, io.EOF)
}

// next returns the next byte of the line, 0 at its end, which every further call returns again.
func (s *Lines) next() byte {
	if s.ended {
		return 0
	}
	c, err := s.r.ReadByte()
	switch {
	case err != nil:
		s.ended, s.fault = true, err
		return 0
	case c == '\n':
		s.ended = true
		return 0
	}
	if s.taken++; c == 0 || s.taken > s.most {
		return 1 // which is nothing in JSON
	}
	return c
}

// skip returns the next byte of the line that is not white space.
func (s *Lines) skip() byte {
	for {
		if c := s.next(); c != ' ' && c != '\t' && c != '\r' {
			return c
		}
	}
}

// parse reads the object that begins with c.
func (s *Lines) parse(c byte) error {
	if c != '{' {
		return errors.New("a JSON object is expected, such as {\"losses\": [1, 2], \"gramian\": [[1, 0], [0, 1]]}")
	}
	var seen []string
	return s.members(func(name string, c byte) error {
		if slices.Contains(seen, name) {
			return fmt.Errorf("%.40q is there twice", name)
		}
		seen = append(seen, name)
		return s.field(name, c)
	})
}

// members reads an object up to its end: each value, which begins with c, by read.
func (s *Lines) members(read func(name string, c byte) error) error {
	for c := s.skip(); c != '}'; {
		var name string
		if c != '"' {
			return s.unexpected("", c, "a name between quotation marks")
		}
		s.token = s.token[:0]
		if err := s.text(c); err != nil {
			return err
		}
		if err := json.Unmarshal(s.token, &name); err != nil {
			return err
		}
		if c = s.skip(); c != ':' {
			return s.unexpected("", c, "a colon after the name")
		}
		if err := read(name, s.skip()); err != nil {
			return err
		}
		switch c = s.skip(); c {
		case '}':
		case ',':
			if c = s.skip(); c == '}' {
				return s.unexpected("", c, "a name between quotation marks")
			}
		default:
			return s.unexpected("", c, "a comma or the end of the object")
		}
	}
	return nil
}

// unexpected explains a byte in the field called name, "" outside fields.
func (s *Lines) unexpected(name string, c byte, want string) error {
	if name != "" {
		name = fmt.Sprintf("%.40s: ", name)
	}
	switch {
	case c == 0:
		return fmt.Errorf("%sthe line ends in the middle of the object", name)
	case c == 'N' || c == 'I':
		return fmt.Errorf("%sNaN and Infinity are not finite, and no numbers in JSON", name)
	}
	return fmt.Errorf("%s%s is expected, not %q", name, want, c)
}

// text appends a text to the token, with its quotation marks, of which c is the first.
func (s *Lines) text(c byte) error {
	s.token = append(s.token, c)
	for escaped := false; ; {
		if c = s.next(); c == 0 {
			return s.unexpected("", c, "")
		}
		s.keep(c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return nil
		}
	}
}

// maxToken is how many bytes of a value that holds no numbers are kept.
const maxToken = 1 << 20

// keep appends a byte to the token, up to its greatest length.
func (s *Lines) keep(c byte) {
	if len(s.token) < maxToken {
		s.token = append(s.token, c)
	}
}

// value makes the token the value that begins with c: a text, or anything else up to the brackets' end.
func (s *Lines) value(name string, c byte) error {
	if err := s.pass(name, c); err != nil {
		return err
	}
	if len(s.token) < maxToken {
		if err := json.Unmarshal(s.token, new(json.RawMessage)); err != nil {
			return s.unexpected(name, s.token[0], "a value")
		}
	}
	return nil
}

// pass is value for a value that need not be JSON inside, such as a list with NaN.
func (s *Lines) pass(name string, c byte) error {
	s.token = s.token[:0]
	for depth := 0; ; {
		switch c {
		case 0:
			return s.unexpected(name, c, "")
		case '"':
			if err := s.text(c); err != nil {
				return s.unexpected(name, 0, "")
			}
		case '[', '{':
			depth++
			s.keep(c)
		case ']', '}':
			depth--
			s.keep(c)
		default:
			s.keep(c)
		}
		if depth <= 0 {
			end, err := s.r.Peek(1)
			if s.ended || err != nil || strings.IndexByte(" \t\r\n,]}", end[0]) >= 0 {
				return nil
			}
		}
		c = s.next()
	}
}

// field reads the value of one field, which begins with c.
func (s *Lines) field(name string, c byte) (err error) {
	if c == 'n' { // null
		return s.value(name, c)
	}
	l := &s.line
	switch name {
	case losses:
		l.Losses, err = s.list(0, name, c)
	case weights:
		l.Weights, err = s.list(1, name, c)
	case after:
		l.After, err = s.list(2, name, c)
	case gramian:
		l.Gramian, err = s.matrix(3, name, c, maxRead)
	case cross:
		l.Cross, err = s.matrix(4, name, c, maxRead)
	case jacobian:
		l.Jacobian, err = s.matrix(5, name, c, math.MaxInt)
	case step:
		l.Step, err = s.integer(name, c)
	case seed:
		if l.Seed, err = s.integer(name, c); err == nil && *l.Seed < 0 {
			err = fmt.Errorf("%s: it is %d, at least 0 is expected", name, *l.Seed)
		}
	case forward, backward:
		var v float64
		v, err = s.number(name, c)
		if name == forward {
			l.Forward = &v
		} else {
			l.Backward = &v
		}
	case names:
		if err := s.value(name, c); err != nil {
			return err
		}
		if err := json.Unmarshal(s.token, &l.Names); err != nil || bytes.Contains(s.token, []byte("null")) && slices.Contains(l.Names, "") {
			return fmt.Errorf("%s: a list of texts is expected", name)
		}
		return checkTexts(names, l.Names)
	default:
		l.Ignored = append(l.Ignored, name)
		return s.value(name, c)
	}
	return err
}

// maxRead is how many rows, and numbers of objectives, are read: more than a log may have, so that it is said how many there are.
const maxRead = 4 * MaxObjectives

// nested reads numbers in lists of lists, depth deep, the first byte of which is c: it appends them to storage and stores the sizes
// of the lists in s.shape. Lists of lists have at most rows of them, and lists of numbers at most columns.
func (s *Lines) nested(storage []float64, depth int, name string, c byte, rows, columns int) ([]float64, error) {
	storage, s.shape = storage[:0], s.shape[:0]
	row, err := 0, error(nil)
	if depth == 2 {
		if c != '[' {
			return nil, s.kind(name, depth, c)
		}
		if c = s.skip(); c == ']' {
			s.shape = append(s.shape, 0, 0)
			return storage, nil
		}
		for ; ; row++ {
			if row == rows {
				return nil, fmt.Errorf("%s: there are more than %d rows; a log has at most %d objectives", name, rows, MaxObjectives)
			}
			before := len(storage)
			if storage, err = s.row(storage, depth, name, c, columns); err != nil {
				return nil, err
			}
			width := len(storage) - before
			if row == 0 {
				s.shape = append(s.shape, width)
			} else if width != s.shape[0] {
				return nil, fmt.Errorf("%s, row %d: it has %d numbers, the first has %d", name, row, width, s.shape[0])
			}
			if c = s.skip(); c == ']' {
				s.shape = append(s.shape, row+1)
				return storage, nil
			}
			if c != ',' {
				return nil, s.unexpected(name, c, "a comma or ]")
			}
			c = s.skip()
		}
	}
	storage, err = s.row(storage, depth, name, c, columns)
	return storage, err
}

// row appends the numbers of a list that begins with c.
func (s *Lines) row(storage []float64, depth int, name string, c byte, most int) ([]float64, error) {
	if c != '[' {
		return nil, s.kind(name, depth, c)
	}
	before := len(storage)
	if c = s.skip(); c == ']' {
		return storage, nil
	}
	for {
		if c == '[' {
			return nil, fmt.Errorf("%s: lists are nested deeper than %d", name, depth)
		}
		switch n := len(storage); {
		case n-before == most:
			return nil, fmt.Errorf("%s: there are more than %d numbers in a list; a log has at most %d objectives", name, most, MaxObjectives)
		case 8*n >= s.most:
			return nil, fmt.Errorf("%s: the numbers of the line take more than %d MB, which is the most that is kept", name, s.most>>20)
		}
		v, err := s.one(name, depth, c)
		if err != nil {
			return nil, err
		}
		storage = append(storage, v)
		switch c = s.skip(); c {
		case ']':
			return storage, nil
		case ',':
			c = s.skip()
		default:
			return nil, s.unexpected(name, c, "a comma or ]")
		}
	}
}

// kind explains a value that is none of the field's kind.
func (s *Lines) kind(name string, depth int, c byte) error {
	if c == 0 || c == 'N' || c == 'I' {
		return s.unexpected(name, c, "")
	}
	return fmt.Errorf("%s: %s is expected", name, [...]string{"a number", "a list of numbers", "a list of lists of numbers"}[depth])
}

// numeric are the bytes of numbers.
const numeric = "+-.eE0123456789"

// one reads a number that begins with c.
func (s *Lines) one(name string, depth int, c byte) (float64, error) {
	if c != '-' && (c < '0' || c > '9') {
		return s.mark(name, depth, c)
	}
	s.token = append(s.token[:0], c)
	window, _ := s.r.Peek(s.r.Buffered()) // as much as is there
	n := 0
	for n < min(len(window), maxToken) && strings.IndexByte(numeric, window[n]) >= 0 {
		n++
	}
	s.token = append(s.token, window[:n]...)
	s.taken += n
	_, _ = s.r.Discard(n)
	for { // what is still to be read
		end, err := s.r.Peek(1)
		if err != nil || strings.IndexByte(numeric, end[0]) < 0 {
			break
		}
		s.keep(s.next())
	}
	if end, err := s.r.Peek(1); err == nil && string(s.token) == "-" && end[0] == 'I' {
		return s.mark(name, depth, s.next())
	}
	if !isNumber(s.token) {
		return 0, fmt.Errorf("%s: %.40s is no number in JSON", name, s.token)
	}
	v, err := strconv.ParseFloat(string(s.token), 64)
	if err != nil && !s.final {
		return 0, fmt.Errorf("%s: %.40s is beyond all numbers of double precision", name, s.token)
	}
	return v, nil
}

// marks are what programs write for a number that is not finite.
var marks = []string{"nan", "infinity", "inf", "null", "na"}

// mark reads what begins with c and stands for a number that is not finite, also between quotation marks: NaN in a log, whose records
// may have such numbers, and an error elsewhere.
func (s *Lines) mark(name string, depth int, c byte) (float64, error) {
	if !s.final {
		return 0, s.kind(name, depth, c)
	}
	s.token = append(s.token[:0], c)
	for len(s.token) < 16 {
		end, err := s.r.Peek(1)
		if err != nil || strings.IndexByte(" \t\r\n,]}", end[0]) >= 0 {
			break
		}
		s.token = append(s.token, s.next())
	}
	word := strings.ToLower(strings.TrimLeft(strings.Trim(string(s.token), `"`), "-+"))
	if !slices.Contains(marks, word) {
		return 0, s.kind(name, depth, c)
	}
	return math.NaN(), nil
}

// isNumber reports whether a text is a number as JSON writes it.
func isNumber(text []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	text = bytes.TrimPrefix(text, []byte("-"))
	leading := len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
	if leading || !digits() {
		return false
	}
	if len(text) > 0 && text[0] == '.' {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		if text = text[1:]; len(text) > 0 && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(text) == 0
}

// number reads a number, or a list of one, as R's jsonlite writes single numbers.
func (s *Lines) number(name string, c byte) (float64, error) {
	if c != '[' {
		return s.one(name, 0, c)
	}
	if c = s.skip(); c == '[' || c == ']' {
		return 0, fmt.Errorf("%s: lists are nested deeper than 0", name)
	}
	v, err := s.one(name, 0, c)
	if err != nil {
		return 0, err
	}
	if c = s.skip(); c == ',' {
		return 0, fmt.Errorf("%s: lists are nested deeper than 0", name)
	} else if c != ']' {
		return 0, s.unexpected(name, c, "]")
	}
	return v, nil
}

func (s *Lines) integer(name string, c byte) (*int64, error) {
	v, err := s.number(name, c)
	if err != nil {
		return nil, err
	}
	n, err := whole(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &n, nil
}

func (s *Lines) list(slot int, name string, c byte) ([]float64, error) {
	v, err := s.nested(s.numbers[slot], 1, name, c, 0, maxRead)
	s.numbers[slot] = v
	if err == nil && len(v) == 0 {
		err = fmt.Errorf("%s: the list is empty", name)
	}
	return v, err
}

func (s *Lines) matrix(slot int, name string, c byte, columns int) (Matrix, error) {
	v, err := s.nested(s.numbers[slot], 2, name, c, maxRead, columns)
	s.numbers[slot] = v
	if err == nil && len(v) == 0 {
		err = fmt.Errorf("%s: it has no numbers", name)
	}
	if err != nil {
		return Matrix{}, err
	}
	return Matrix{Rows: s.shape[1], Columns: s.shape[0], Data: v}, nil
}

// fit checks that the fields of a line belong together.
func (s *Lines) fit() error {
	l := &s.line
	n := l.Objectives()
	if n == 0 {
		return fmt.Errorf("there is neither %s nor %s; a record has one of them", gramian, jacobian)
	}
	if n > MaxObjectives {
		return fmt.Errorf("%d objectives, allowed are 1 to %d", n, MaxObjectives)
	}
	for _, m := range []struct {
		name string
		Matrix
	}{{gramian, l.Gramian}, {cross, l.Cross}} {
		if m.Rows > 0 && (m.Rows != n || m.Columns != n) {
			return fmt.Errorf("%s: it is %d×%d, expected is %d×%d", m.name, m.Rows, m.Columns, n, n)
		}
	}
	if l.Jacobian.Rows > 0 && l.Jacobian.Rows != n {
		return fmt.Errorf("%s: it has %d rows, expected are %d", jacobian, l.Jacobian.Rows, n)
	}
	for _, v := range []struct {
		name   string
		values []float64
	}{{losses, l.Losses}, {weights, l.Weights}, {after, l.After}} {
		if v.values != nil && len(v.values) != n {
			return fmt.Errorf("%s: there are %d, one for each of %d objectives is expected", v.name, len(v.values), n)
		}
	}
	if l.Names != nil && len(l.Names) != n {
		return fmt.Errorf("%s: there are %d, one for each of %d objectives is expected", names, len(l.Names), n)
	}
	return nil
}

// readLines reads a log in JSON lines. A last line that was not written to its end is left out, unless it is the only one.
func readLines(r io.Reader, most int64) (*Log, error) {
	lines := NewLines(r, most)
	lines.final = true
	l := &Log{}
	left := &budget{left: most, most: most}
	var firstLine int
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && lines.cut && l.records > 0 {
			l.notes = append(l.notes, lastLineCut("the file"))
			break
		}
		if err != nil {
			return nil, err
		}
		if l.records == 0 {
			firstLine = line.Number
			l.objectives, l.variables, l.names = line.Objectives(), line.Jacobian.Columns, line.Names
		}
		if l.records++; l.records > MaxRecords {
			return nil, fmt.Errorf("line %d: there are more than %d records", line.Number, MaxRecords)
		}
		if err := l.add(line, left, firstLine); err != nil {
			return nil, fmt.Errorf("line %d: %w", line.Number, err)
		}
		if l.records == 1 {
			lines.numbers = [len(lines.numbers)][]float64{} // which are the log's now
		}
	}
	if l.records == 0 {
		return nil, errors.New("there are no records")
	}
	return l, nil
}

// add appends a record. All have what the first one has.
func (l *Log) add(line *Line, left *budget, firstLine int) error {
	first := l.records == 1
	if n := line.Objectives(); n != l.objectives {
		return fmt.Errorf("%d objectives, in line %d there are %d", n, firstLine, l.objectives)
	}
	if n := line.Jacobian.Columns; n != 0 && l.variables != 0 && n != l.variables {
		return fmt.Errorf("%s: it has %d columns, in line %d there are %d", jacobian, n, firstLine, l.variables)
	}
	if line.Losses == nil {
		return fmt.Errorf("%s: they are missing", losses)
	}
	if !first && line.Names != nil {
		return fmt.Errorf("%s: they belong into the first line alone", names)
	}
	if line.Seed != nil {
		line.Ignored = append(line.Ignored, seed)
	}
	for _, name := range line.Ignored {
		if !slices.Contains(l.ignored, name) && len(l.ignored) < MaxObjectives {
			l.ignored = append(l.ignored, name)
		}
	}
	one := func(v *float64) []float64 {
		if v == nil {
			return nil
		}
		return []float64{*v}
	}
	for _, field := range []struct {
		name   string
		values []float64
	}{{losses, line.Losses}, {gramian, line.Gramian.Data}, {jacobian, line.Jacobian.Data}, {cross, line.Cross.Data},
		{weights, line.Weights}, {after, line.After}, {forward, one(line.Forward)}, {backward, one(line.Backward)}} {
		b := l.block(field.name)
		switch {
		case first && field.values != nil:
			*b = &block{width: len(field.values)} // a first record may be most of the log: its numbers are not copied
		case !first && (*b == nil) != (field.values == nil):
			return presence(field.name, field.values != nil, firstLine)
		}
		if field.values == nil {
			continue
		}
		if err := left.spend(field.name, int64(8*len(field.values))); err != nil {
			return err
		}
		if first {
			(*b).double = field.values
		} else {
			(*b).double = append((*b).double, field.values...)
		}
	}
	if !first && (l.steps == nil) != (line.Step == nil) {
		return presence(step, line.Step != nil, firstLine)
	}
	if line.Step != nil {
		l.steps = append(l.steps, *line.Step)
	}
	return nil
}

// presence explains a field that some lines have and others lack.
func presence(name string, here bool, firstLine int) error {
	if here {
		return fmt.Errorf("%s: it is here and not in line %d; all lines have the same fields", name, firstLine)
	}
	return fmt.Errorf("%s: it is missing, and line %d has it; all lines have the same fields", name, firstLine)
}

// Check refuses a matrix that no gradients have as Gramian: one that is not square, not symmetric, to 1e-5, or whose least eigenvalue is
// below −1e-4 of its trace. It makes the matrix exactly symmetric.
func (m *Matrix) Check() error { return m.CheckIn(make([]float64, len(m.Data))) }

// CheckIn is Check with storage for as many numbers as the matrix has.
func (m *Matrix) CheckIn(storage []float64) error {
	if m.Rows != m.Columns {
		return fmt.Errorf("%s: it is %d×%d, a square is expected", gramian, m.Rows, m.Columns)
	}
	l := Log{objectives: m.Rows, gramian: &block{width: len(m.Data), double: m.Data}}
	if err := l.checkGramian(0, storage, nil); err != nil {
		return fmt.Errorf("%s: %w", gramian, err)
	}
	return nil
}

// Along returns what the direction d = Gᵀw means for gradients G with the Gramian m: their products with d, the cosines
// between them and d, 0 where one of them is zero, and the length of d. Products and length may be infinite.
func (m *Matrix) Along(w []float64) (products, cosines []float64, length float64) {
	t := m.meter()
	c := slices.Clone(w)
	largest := unit(c)
	length = t.along(c)
	products, cosines = make([]float64, m.Rows), make([]float64, m.Rows)
	for i, v := range t.image {
		products[i] = math.Ldexp(v, 2*t.exponent) * largest
		cosines[i] = t.rate(i, v, length)
	}
	return products, cosines, math.Ldexp(length, t.exponent) * largest
}

// Stationarity returns the length of the shortest vector in the convex hull of gradients with the Gramian m.
func (m *Matrix) Stationarity() float64 { return m.meter().omega() }

// meter returns a meter at the matrix.
func (m *Matrix) meter() *meter {
	t := newMeter(&Log{objectives: m.Rows})
	t.look(&Log{objectives: m.Rows, gramian: &block{width: len(m.Data), double: m.Data}}, 0)
	return t
}
