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

// Matrix is a matrix in row-major order. If Rows is 0, the matrix is missing.
type Matrix struct {
	Rows, Columns int
	Data          []float64
}

// Line is one record of a log in JSON lines, with S objectives. Missing fields are nil, or a Matrix with 0 rows. A
// Line belongs to its Lines, and is valid until the next call of Next.
type Line struct {
	Number                   int      // number of the line in the file, from 1
	Step                     *int64   // number of the step
	Names                    []string // names of the objectives
	Losses, Weights, After   []float64
	Gramian, Cross, Jacobian Matrix // S×S, S×S and S×d
	Forward, Backward        *float64
	Seed                     *int64   // seed of rules with random draws; missing in a log
	Ignored                  []string // names of other fields
}

// Objectives returns S.
func (l *Line) Objectives() int { return max(l.Gramian.Rows, l.Jacobian.Rows) }

// Lines reads JSON lines, one record per line. It validates each line separately: numbers must be finite, and all
// sizes must match the Gramian or Jacobian. It reads a line in pieces, and stores only its numbers.
type Lines struct {
	r    *bufio.Reader
	most int
	line Line

	final  bool               // whether this is a log: the first error ends the reading, and numbers need not be finite
	object func(c byte) error // reads the object that begins with c; nil if lines are records
	taken  int                // bytes read of the current line
	ended  bool               // whether the end of the line has been read
	cut    bool               // whether the file ended inside the line's object
	fault  error              // error of the reader, which ends the file
	token  []byte

	numbers [6][]float64 // storage of the fields
	shape   []int
}

// NewLines returns a reader of lines. The argument most limits the bytes of a line, and separately the bytes of
// memory for its numbers.
func NewLines(r io.Reader, most int64) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, 1<<16), most: int(most)}
}

// LineError is an error in one line. Next has read this line to its end, so the next call continues with the following line.
type LineError struct {
	Number int // number of the line, from 1
	Err    error
}

// Error returns the number of the line and the error in it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }

// Next returns the next record, and skips blank lines. At the end it returns io.EOF. Any other error is a
// *LineError, or an error of the reader, which ends the file.
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
				_, _ = s.r.Discard(len(mark)) // cannot fail after Peek
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
			err = errors.New("there is more text after the object; a line has one object")
		}
		if err == nil && s.object == nil {
			err = s.fit()
		}
		for !s.ended && !s.final { // skip the rest of an invalid line
			s.next()
		}
		if s.taken > s.most {
			err = fmt.Errorf("it has more than the maximum of %d MB", s.most>>20)
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

// atEnd reports whether the file has ended without a newline. A program may then still be writing the last line.
func (s *Lines) atEnd() bool {
	if s.ended {
		return errors.Is(s.fault, io.EOF)
	}
	_, err := s.r.Peek(1)
	return errors.Is(err, io.EOF)
}

// next returns the next byte of the line. At the end of the line, it returns 0, as does every further call.
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
		return 1 // invalid in JSON
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
			return fmt.Errorf("%.40q occurs twice", name)
		}
		seen = append(seen, name)
		return s.field(name, c)
	})
}

// members reads an object up to its end. It calls read with each member's name and the first byte c of its value.
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

// unexpected returns an error about the byte c. The byte is in the field called name, or outside any field if name is "".
func (s *Lines) unexpected(name string, c byte, want string) error {
	if name != "" {
		name = fmt.Sprintf("%.40s: ", name)
	}
	switch {
	case c == 0:
		return fmt.Errorf("%sthe line ends in the middle of the object", name)
	case c == 'N' || c == 'I':
		return fmt.Errorf("%sNaN and Infinity are not finite, and not numbers in JSON", name)
	}
	return fmt.Errorf("%s%s is expected, not %q", name, want, c)
}

// text appends a string to the token, including its quotation marks. c is the first quotation mark.
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

// maxToken is the maximum length of the token in bytes. The rest of a longer value is not stored.
const maxToken = 1 << 20

// keep appends a byte to the token, up to the token's maximum length.
func (s *Lines) keep(c byte) {
	if len(s.token) < maxToken {
		s.token = append(s.token, c)
	}
}

// value reads the value that begins with c into the token. The value is a string, or anything else up to its closing bracket.
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

// pass does the same as value, but the inside of the value need not be valid JSON. For example, it may be a list with NaN.
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
			err = fmt.Errorf("%s: %d is negative", name, *l.Seed)
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
			return fmt.Errorf("%s: a list of strings is expected", name)
		}
		return checkTexts(names, l.Names)
	default:
		l.Ignored = append(l.Ignored, name)
		return s.value(name, c)
	}
	return err
}

// maxRead is the maximum number of rows and objectives that are read. It exceeds the limit of a log, so that errors
// can state the actual number.
const maxRead = 4 * MaxObjectives

// nested reads numbers in nested lists of the given depth. c is the first byte. It appends the numbers to storage,
// and stores the sizes of the lists in s.shape. The arguments rows and columns limit the number of lists and the
// numbers per list.
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
				return nil, fmt.Errorf("%s, row %d: it has %d numbers, but the first row has %d", name, row, width, s.shape[0])
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
			return nil, fmt.Errorf("%s: the numbers of the line need more than the maximum of %d MB", name, s.most>>20)
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

// kind returns an error about a value of the wrong kind.
func (s *Lines) kind(name string, depth int, c byte) error {
	if c == 0 || c == 'N' || c == 'I' {
		return s.unexpected(name, c, "")
	}
	return fmt.Errorf("%s: %s is expected", name, [...]string{"a number", "a list of numbers", "a list of lists of numbers"}[depth])
}

// numeric lists the bytes that a number may contain.
const numeric = "+-.eE0123456789"

// one reads a number that begins with c.
func (s *Lines) one(name string, depth int, c byte) (float64, error) {
	if c != '-' && (c < '0' || c > '9') {
		return s.mark(name, depth, c)
	}
	s.token = append(s.token[:0], c)
	window, _ := s.r.Peek(s.r.Buffered()) // the buffered bytes
	n := 0
	for n < min(len(window), maxToken) && strings.IndexByte(numeric, window[n]) >= 0 {
		n++
	}
	s.token = append(s.token, window[:n]...)
	s.taken += n
	_, _ = s.r.Discard(n)
	for { // read the rest
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
		return 0, fmt.Errorf("%s: %.40s is not a JSON number", name, s.token)
	}
	v, err := strconv.ParseFloat(string(s.token), 64)
	if err != nil && !s.final {
		return 0, fmt.Errorf("%s: %.40s is out of the range of double precision", name, s.token)
	}
	return v, nil
}

// marks lists texts that programs write in place of a number that is not finite.
var marks = []string{"nan", "infinity", "inf", "null", "na"}

// mark reads a text that stands for a number that is not finite, possibly in quotation marks. c is its first byte. In a
// log, whose records may have such numbers, the result is NaN. Elsewhere mark returns an error.
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

// isNumber reports whether a text is a number in JSON syntax.
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

// number reads a number, or a list of one number. R's jsonlite writes single numbers as such lists.
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

// fit returns an error if the sizes of a line's fields do not match.
func (s *Lines) fit() error {
	l := &s.line
	n := l.Objectives()
	if n == 0 {
		return fmt.Errorf("%s and %s are missing; a record needs one of them", gramian, jacobian)
	}
	if n > MaxObjectives {
		return fmt.Errorf("%d objectives; the number must be from 1 to %d", n, MaxObjectives)
	}
	for _, m := range []struct {
		name string
		Matrix
	}{{gramian, l.Gramian}, {cross, l.Cross}} {
		if m.Rows > 0 && (m.Rows != n || m.Columns != n) {
			return fmt.Errorf("%s: it is %d×%d, but must be %d×%d", m.name, m.Rows, m.Columns, n, n)
		}
	}
	if l.Jacobian.Rows > 0 && l.Jacobian.Rows != n {
		return fmt.Errorf("%s: it has %d rows, but must have %d", jacobian, l.Jacobian.Rows, n)
	}
	for _, v := range []struct {
		name   string
		values []float64
	}{{losses, l.Losses}, {weights, l.Weights}, {after, l.After}} {
		if v.values != nil && len(v.values) != n {
			return fmt.Errorf("%s: there are %d, but must be one for each of %d objectives", v.name, len(v.values), n)
		}
	}
	if l.Names != nil && len(l.Names) != n {
		return fmt.Errorf("%s: there are %d, but must be one for each of %d objectives", names, len(l.Names), n)
	}
	return nil
}

// readLines reads a log in JSON lines. It omits an incomplete last line, unless the file has no other line.
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
			return nil, fmt.Errorf("line %d: the log has more than the maximum of %d records", line.Number, MaxRecords)
		}
		if err := l.add(line, left, firstLine); err != nil {
			return nil, fmt.Errorf("line %d: %w", line.Number, err)
		}
		if l.records == 1 {
			lines.numbers = [len(lines.numbers)][]float64{} // the old storage now belongs to the log
		}
	}
	if l.records == 0 {
		return nil, errors.New("there are no records")
	}
	return l, nil
}

// add appends a record. All records must have the same fields as the first record.
func (l *Log) add(line *Line, left *budget, firstLine int) error {
	first := l.records == 1
	if n := line.Objectives(); n != l.objectives {
		return fmt.Errorf("%d objectives, but line %d has %d", n, firstLine, l.objectives)
	}
	if n := line.Jacobian.Columns; n != 0 && l.variables != 0 && n != l.variables {
		return fmt.Errorf("%s: it has %d columns, but in line %d it has %d", jacobian, n, firstLine, l.variables)
	}
	if line.Losses == nil {
		return fmt.Errorf("the %s are missing", losses)
	}
	if !first && line.Names != nil {
		return fmt.Errorf("%s: only the first line may have them", names)
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
			*b = &block{width: len(field.values)} // without a copy, because the first record may be most of the log
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

// presence returns an error about a field that only some lines have.
func presence(name string, here bool, firstLine int) error {
	if here {
		return fmt.Errorf("%s: line %d does not have it; all lines must have the same fields", name, firstLine)
	}
	return fmt.Errorf("%s: it is missing, but line %d has it; all lines must have the same fields", name, firstLine)
}

// Check makes the matrix exactly symmetric. It returns an error if the matrix cannot be a Gramian: if it is not
// square, is not symmetric up to 1e-5, or has an eigenvalue below −1e-4 of its trace.
func (m *Matrix) Check() error { return m.CheckIn(make([]float64, len(m.Data))) }

// CheckIn does the same as Check, with scratch space of the matrix's size.
func (m *Matrix) CheckIn(storage []float64) error {
	if m.Rows != m.Columns {
		return fmt.Errorf("%s: it is %d×%d, but must be square", gramian, m.Rows, m.Columns)
	}
	l := Log{objectives: m.Rows, gramian: &block{width: len(m.Data), double: m.Data}}
	if err := l.checkGramian(0, storage, nil); err != nil {
		return fmt.Errorf("%s: %w", gramian, err)
	}
	return nil
}

// Along describes the direction d = Gᵀw for gradients G with the Gramian m. It returns the products and the cosines
// of the gradients with d, and the length of d. A cosine is 0 if the gradient or d is zero. The products and the
// length may be infinite.
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

// meter returns a meter for the matrix.
func (m *Matrix) meter() *meter {
	t := newMeter(&Log{objectives: m.Rows})
	t.look(&Log{objectives: m.Rows, gramian: &block{width: len(m.Data), double: m.Data}}, 0)
	return t
}
