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
// there is a Gramian or a Jacobian to which all else fits.
type Lines struct {
	r    *bufio.Reader
	most int
	line Line
	text []byte

	numbers [6][]float64 // storage of the fields
	shape   []int
}

// NewLines returns a reader of lines of at most most bytes each.
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
		if err := s.read(); err != nil {
			return nil, err
		}
		if len(s.text) > 0 {
			break
		}
	}
	number := s.line.Number
	s.line = Line{Number: number}
	if err := s.parse(); err != nil {
		return nil, &LineError{number, err}
	}
	return &s.line, nil
}

// read stores the next line in text, without white space around it.
func (s *Lines) read() error {
	s.text = s.text[:0]
	for {
		part, err := s.r.ReadSlice('\n')
		if len(s.text)+len(part) > s.most {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = s.r.ReadSlice('\n')
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			s.line.Number++
			return &LineError{s.line.Number, fmt.Errorf("it has more than %d MB, which is the most that is read", s.most>>20)}
		}
		s.text = append(s.text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && len(s.text) > 0 {
			err = nil // the last line may lack its end
		}
		if err != nil {
			return err
		}
		break
	}
	if s.line.Number++; s.line.Number == 1 {
		s.text = bytes.TrimPrefix(s.text, []byte("\ufeff"))
	}
	s.text = bytes.TrimSpace(s.text)
	return nil
}

// parse reads the object in text.
func (s *Lines) parse() error {
	d := json.NewDecoder(bytes.NewReader(s.text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("a JSON object is expected, such as {\"losses\": [1, 2], \"gramian\": [[1, 0], [0, 1]]}")
	}
	var seen []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return syntax("", err)
		}
		name := key.(string)
		if slices.Contains(seen, name) {
			return fmt.Errorf("%.40q is there twice", name)
		}
		seen = append(seen, name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return syntax(name, err)
		}
		if string(value) == "null" {
			continue
		}
		if err := s.field(name, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return syntax("", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after the object; a line has one")
	}
	return s.fit()
}

// syntax explains an error of JSON in the field called name.
func syntax(name string, err error) error {
	if name != "" {
		name = fmt.Sprintf("%.40s: ", name)
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%sthe line ends in the middle of the object", name)
	case strings.Contains(err.Error(), "'N'") || strings.Contains(err.Error(), "'I'"):
		return fmt.Errorf("%sNaN and Infinity are not finite, and no numbers in JSON", name)
	}
	return fmt.Errorf("%s%w", name, err)
}

// field reads the value of one field.
func (s *Lines) field(name string, value []byte) (err error) {
	l := &s.line
	switch name {
	case losses:
		l.Losses, err = s.list(0, name, value)
	case weights:
		l.Weights, err = s.list(1, name, value)
	case after:
		l.After, err = s.list(2, name, value)
	case gramian:
		l.Gramian, err = s.matrix(3, name, value)
	case cross:
		l.Cross, err = s.matrix(4, name, value)
	case jacobian:
		l.Jacobian, err = s.matrix(5, name, value)
	case step:
		l.Step, err = s.integer(name, scalar(value))
	case seed:
		if l.Seed, err = s.integer(name, scalar(value)); err == nil && *l.Seed < 0 {
			err = fmt.Errorf("%s: it is %d, at least 0 is expected", name, *l.Seed)
		}
	case forward, backward:
		var v float64
		v, err = s.number(name, scalar(value))
		if name == forward {
			l.Forward = &v
		} else {
			l.Backward = &v
		}
	case names:
		if err := json.Unmarshal(value, &l.Names); err != nil || bytes.Contains(value, []byte("null")) && slices.Contains(l.Names, "") {
			return fmt.Errorf("%s: a list of texts is expected", name)
		}
		return checkTexts(names, l.Names)
	default:
		l.Ignored = append(l.Ignored, name)
	}
	return err
}

// scalar returns the number in a list of one, as R's jsonlite writes single numbers, and any other value as it is.
func scalar(value []byte) []byte {
	inner, is := bytes.CutPrefix(value, []byte("["))
	if inner = bytes.TrimSpace(bytes.TrimSuffix(inner, []byte("]"))); !is || len(inner) == 0 || bytes.ContainsAny(inner, "[,") {
		return value
	}
	return inner
}

// nested reads numbers in lists of lists, depth deep, and stores them in storage and the sizes of the lists in
// s.shape. The value is known to be JSON.
func (s *Lines) nested(storage []float64, depth int, name string, value []byte) ([]float64, error) {
	storage, s.shape = storage[:0], s.shape[:0]
	var open [3]int // entries of the lists that are open
	level := 0
	for i := 0; i < len(value); {
		c := value[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == ',':
			i++
		case c == '[':
			if level == depth {
				return nil, fmt.Errorf("%s: lists are nested deeper than %d", name, depth)
			}
			if level > 0 {
				open[level-1]++
			}
			open[level] = 0
			level++
			i++
		case c == ']':
			level--
			at := depth - 1 - level
			if at == len(s.shape) {
				s.shape = append(s.shape, open[level])
			}
			if level == depth-1 && s.shape[0] != open[level] {
				return nil, fmt.Errorf("%s, row %d: it has %d numbers, the first has %d", name, open[max(level-1, 0)]-1, open[level], s.shape[0])
			}
			i++
		default:
			if level != depth || c != '-' && (c < '0' || c > '9') {
				return nil, fmt.Errorf("%s: %s is expected", name, [...]string{"a number", "a list of numbers", "a list of lists of numbers"}[depth])
			}
			end := i
			for end < len(value) && strings.IndexByte("+-.eE0123456789", value[end]) >= 0 {
				end++
			}
			v, err := strconv.ParseFloat(string(value[i:end]), 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %.40s is beyond all numbers of double precision", name, value[i:end])
			}
			storage = append(storage, v)
			if level > 0 {
				open[level-1]++
			}
			i = end
		}
	}
	return storage, nil
}

func (s *Lines) number(name string, value []byte) (float64, error) {
	v, err := s.nested(nil, 0, name, value)
	if err != nil {
		return 0, err
	}
	return v[0], nil
}

func (s *Lines) integer(name string, value []byte) (*int64, error) {
	v, err := s.number(name, value)
	if err != nil {
		return nil, err
	}
	n, err := whole(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &n, nil
}

func (s *Lines) list(slot int, name string, value []byte) ([]float64, error) {
	v, err := s.nested(s.numbers[slot], 1, name, value)
	s.numbers[slot] = v
	if err == nil && len(v) == 0 {
		err = fmt.Errorf("%s: the list is empty", name)
	}
	return v, err
}

func (s *Lines) matrix(slot int, name string, value []byte) (Matrix, error) {
	v, err := s.nested(s.numbers[slot], 2, name, value)
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

// readLines reads a log in JSON lines.
func readLines(r io.Reader, most int64) (*Log, error) {
	lines := NewLines(r, most)
	l := &Log{}
	left := &budget{left: most, most: most}
	var firstLine int
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
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
	}
	if l.records == 0 {
		return nil, errors.New("there are no records")
	}
	return l.finish()
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
			*b = &block{width: len(field.values)}
		case !first && (*b == nil) != (field.values == nil):
			return presence(field.name, field.values != nil, firstLine)
		}
		if field.values == nil {
			continue
		}
		if err := left.spend(field.name, int64(8*len(field.values))); err != nil {
			return err
		}
		(*b).double = append((*b).double, field.values...)
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
func (m *Matrix) Check() error {
	if m.Rows != m.Columns {
		return fmt.Errorf("%s: it is %d×%d, a square is expected", gramian, m.Rows, m.Columns)
	}
	l := Log{objectives: m.Rows, gramian: &block{width: len(m.Data), double: m.Data}}
	if err := l.checkGramian(0, make([]float64, len(m.Data)), nil); err != nil {
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
