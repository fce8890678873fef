package runlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"paretoplay/internal/pattern"
)

// longestHeader is the maximum length of an array's header in bytes. numpy's limit is 10,000.
const longestHeader = 1 << 16

// array is the header of an array in numpy's format.
//
// References:
//   - numpy.lib.format, versions 1.0 to 3.0.
type array struct {
	name    string
	kind    byte // kind of the type: f, i or U
	size    int  // bytes per entry
	fortran bool
	any     bool // whether entries need not be finite
	shape   []int
	header  int64 // bytes before the first entry
}

var (
	descrPattern   = pattern.Lazy(`'descr'\s*:\s*'([^']*)'`)
	recordPattern  = pattern.Lazy(`'descr'\s*:\s*[\[(]`)
	fortranPattern = pattern.Lazy(`'fortran_order'\s*:\s*(True|False)\b`)
	shapePattern   = pattern.Lazy(`'shape'\s*:\s*\(([\d\s,L]*)\)`)
)

// readHeader reads the header of the array called name.
func readHeader(r io.Reader, name string) (*array, error) {
	fail := func(format string, args ...any) (*array, error) {
		return nil, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	var lead [12]byte
	if _, err := io.ReadFull(r, lead[:10]); err != nil {
		return nil, cut(name, err)
	}
	if string(lead[:6]) != string(npyMagic) {
		return fail("it is not an array in numpy's format")
	}
	a := &array{name: name, header: 10}
	length := int64(binary.LittleEndian.Uint16(lead[8:]))
	switch lead[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, lead[10:]); err != nil {
			return nil, cut(name, err)
		}
		a.header, length = 12, int64(binary.LittleEndian.Uint32(lead[8:]))
	default:
		return fail("unknown version %d of numpy's format; supported are 1, 2 and 3", lead[6])
	}
	if length > longestHeader {
		return fail("the header has %d bytes; at most %d are allowed", length, longestHeader)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, cut(name, err)
	}
	a.header += length
	text := string(header)
	if recordPattern().MatchString(text) {
		return fail("it is an array of records, but must be a plain array of numbers")
	}
	descr, fortran := descrPattern().FindStringSubmatch(text), fortranPattern().FindStringSubmatch(text)
	shape := shapePattern().FindStringSubmatch(text)
	if descr == nil || fortran == nil || shape == nil {
		return fail("the header is invalid: descr, fortran_order or shape is missing")
	}
	a.fortran = fortran[1] == "True"
	for field := range strings.SplitSeq(shape[1], ",") {
		if field = strings.TrimSuffix(strings.TrimSpace(field), "L"); field == "" {
			continue
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return fail("its shape has the invalid size %s", field)
		}
		a.shape = append(a.shape, int(n))
	}
	return a, a.setType(descr[1])
}

// setType parses the type of the entries.
func (a *array) setType(descr string) error {
	const known = "supported are little-endian f4, f8, i4 and i8, and U for names"
	switch {
	case descr == "<f2", descr == "|b1", descr == "|i1", descr == "|u1", descr == "<i2", descr == "<u2":
		return fmt.Errorf("%s: its entries are of type %q, %s; save it as a.astype('<f4')", a.name, descr, known)
	case descr == "<u4", descr == "<u8":
		return fmt.Errorf("%s: its entries are of type %q, %s; save it as a.astype('<i8')", a.name, descr, known)
	case len(descr) > 1 && descr[1] == 'V': // how NumPy writes bfloat16 of PyTorch and JAX
		return fmt.Errorf("%s: its entries are of type %q, such as bfloat16, %s; save a tensor as t.float().numpy()", a.name, descr, known)
	case strings.HasSuffix(descr, "O"):
		return fmt.Errorf("%s: it is an array of Python objects; make it an array of numbers or of str", a.name)
	case len(descr) > 2 && descr[0] == '>':
		return fmt.Errorf("%s: its entries are big-endian (%s), %s; save it as a.astype('<%s')", a.name, descr, known, descr[1:])
	case len(descr) < 3 || descr[0] != '<':
		return fmt.Errorf("%s: its entries are of type %q, %s", a.name, descr, known)
	}
	size, err := strconv.Atoi(descr[2:])
	if err != nil {
		return fmt.Errorf("%s: its entries are of type %q, %s", a.name, descr, known)
	}
	a.kind, a.size = descr[1], size
	switch {
	case (a.kind == 'f' || a.kind == 'i') && (size == 4 || size == 8):
		return nil
	case a.kind == 'U' && size >= 0 && size <= 1<<20:
		a.size = 4 * size
		return nil
	}
	return fmt.Errorf("%s: its entries are of type %q, %s", a.name, descr, known)
}

// count returns the number of entries, or −1 if it overflows.
func (a *array) count() int64 {
	n := int64(1)
	for _, d := range a.shape {
		if d == 0 {
			return 0
		}
		if n > math.MaxInt64/64/int64(d) {
			return -1
		}
		n *= int64(d)
	}
	return n
}

// shapeText formats a shape as numpy does.
func shapeText(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// place returns the row-major index of the n-th entry in the file.
func (a *array) place(n int) int {
	if !a.fortran {
		return n
	}
	at, stride := 0, 1
	for i := len(a.shape) - 1; i >= 0; i-- {
		stride *= a.shape[i]
	}
	for _, d := range a.shape {
		stride /= d
		at += n % d * stride
		n /= d
	}
	return at
}

// index returns the row of an entry, and a text with the entry's indices inside the row. The argument at is the
// entry's row-major index.
func (a *array) index(at int) (row int, rest string) {
	parts := make([]int, len(a.shape))
	for i := len(a.shape) - 1; i >= 0; i-- {
		parts[i] = at % a.shape[i]
		at /= a.shape[i]
	}
	if len(parts) == 1 {
		return parts[0], "it"
	}
	return parts[0], "entry " + strings.Replace(shapeText(parts[1:]), ",)", ")", 1)
}

// chunk is the number of bytes of an array that are read in one piece.
const chunk = 1 << 16

// numbers reads the entries of an array of numbers. If certain is true, the file is known to contain all entries, and
// their storage is allocated in one piece. Otherwise the storage grows while reading.
func (a *array) numbers(r io.Reader, left *budget, certain bool) (*block, error) {
	if a.kind == 'U' {
		return nil, fmt.Errorf("%s: its entries are text, but must be numbers", a.name)
	}
	n := a.count()
	width := int64(8)
	if a.kind == 'f' && a.size == 4 {
		width = 4
	}
	if n < 0 || n > left.most {
		return nil, left.spend(a.name, math.MaxInt64/2)
	}
	if err := left.spend(a.name, n*width); err != nil {
		return nil, err
	}
	out := &block{width: 1}
	for _, d := range a.shape[1:] {
		out.width *= d
	}
	if certain || a.fortran {
		out.grow(int(n), width == 4)
	}
	buffer := make([]byte, chunk)
	for at := 0; at < int(n); {
		part := buffer[:min(chunk, (int(n)-at)*a.size)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, cut(a.name, err)
		}
		count := len(part) / a.size
		if !certain && !a.fortran {
			out.grow(at+count, width == 4)
		}
		for i := range count {
			v := a.number(part[i*a.size:])
			to := a.place(at + i)
			if v-v != 0 && !a.any {
				row, entry := a.index(to)
				return nil, arrayError(a.name, row, "%s is %v, which is not finite", entry, v)
			}
			out.set(to, v)
		}
		at += count
	}
	return out, nil
}

// grow allocates storage for n more numbers.
func (b *block) grow(n int, single bool) {
	if single {
		b.single = append(b.single, make([]float32, n-len(b.single))...)
		return
	}
	b.double = append(b.double, make([]float64, n-len(b.double))...)
}

// number decodes the first entry of p.
func (a *array) number(p []byte) float64 {
	switch {
	case a.kind == 'f' && a.size == 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(p)))
	case a.kind == 'f':
		return math.Float64frombits(binary.LittleEndian.Uint64(p))
	case a.size == 4:
		return float64(int32(binary.LittleEndian.Uint32(p)))
	}
	return float64(int64(binary.LittleEndian.Uint64(p)))
}

// integers reads an array of whole numbers.
func (a *array) integers(r io.Reader, left *budget) ([]int64, error) {
	if a.kind == 'U' {
		return nil, fmt.Errorf("%s: its entries are text, but must be whole numbers", a.name)
	}
	n := a.shape[0]
	if err := left.spend(a.name, 8*int64(n)); err != nil {
		return nil, err
	}
	var out []int64
	entry := make([]byte, a.size)
	for k := range n {
		if _, err := io.ReadFull(r, entry); err != nil {
			return nil, cut(a.name, err)
		}
		if a.kind == 'i' && a.size == 8 {
			out = append(out, int64(binary.LittleEndian.Uint64(entry)))
			continue
		}
		v, err := whole(a.number(entry))
		if err != nil {
			return nil, arrayError(a.name, k, "%v", err)
		}
		out = append(out, v)
	}
	return out, nil
}

// whole converts v to an integer. It returns an error if v is not a whole number, or exceeds 2^53 in magnitude.
func whole(v float64) (int64, error) {
	if v != math.Trunc(v) || !(math.Abs(v) <= 1<<53) {
		return 0, fmt.Errorf("%v is not a whole number up to 2^53", v)
	}
	return int64(v), nil
}

// texts reads an array of strings.
func (a *array) texts(r io.Reader, left *budget) ([]string, error) {
	if a.kind != 'U' {
		return nil, fmt.Errorf("%s: its entries are numbers, but must be text", a.name)
	}
	n := a.shape[0]
	if err := left.spend(a.name, int64(n)*int64(a.size)); err != nil {
		return nil, err
	}
	var out []string
	entry := make([]byte, a.size)
	for k := range n {
		if _, err := io.ReadFull(r, entry); err != nil {
			return nil, cut(a.name, err)
		}
		var b strings.Builder
		for at := 0; at < len(entry); at += 4 {
			c := binary.LittleEndian.Uint32(entry[at:])
			if c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
				return nil, arrayError(a.name, k, "%#x is not a valid character", c)
			}
			b.WriteRune(rune(c))
		}
		// numpy pads the entry with zeros.
		out = append(out, strings.TrimRight(b.String(), "\x00"))
	}
	return out, nil
}

// cut returns the error for a failed read of an array.
func cut(name string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the file ends in the middle of it", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readGramians reads a file that contains only Gramians.
func readGramians(r *bufio.Reader, most int64) (*Log, error) {
	a, err := readHeader(r, gramian)
	if err != nil {
		return nil, err
	}
	l := &Log{}
	if err := l.take(a, r, &budget{left: most, most: most}, false); err != nil {
		return nil, err
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: there is more data after its %s entries", gramian, shapeText(a.shape))
	}
	return l, nil
}
