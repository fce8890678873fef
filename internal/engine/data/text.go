package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ErrUTF16 reports that a text has the encoding that some editors and spreadsheets call
// "Unicode".
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// ErrNumPy reports that a file is an array as NumPy saves it.
var ErrNumPy = errors.New("this is a NumPy file (.npy), which cannot be read here; write the array as CSV with " +
	`numpy.savetxt("gradients.csv", a, delimiter=",")`)

// numPyMarks are how such a file begins: as it is, and as a browser makes it UTF-8.
var numPyMarks = []string{"\x93NUMPY", "\ufffdNUMPY"}

// firstBytes is how many bytes tell what a file is: the longest of all marks.
const firstBytes = len("\ufffdNUMPY")

// unreadable returns an error if a file that begins with these bytes is no text in UTF-8.
func unreadable(first []byte) error {
	for _, mark := range numPyMarks {
		if strings.HasPrefix(string(first), mark) {
			return ErrNumPy
		}
	}
	if looksUTF16(first) {
		return ErrUTF16
	}
	return nil
}

// mayBeNumPy reports whether further bytes can make these the mark of a NumPy file.
func mayBeNumPy(first []byte) bool {
	return slices.ContainsFunc(numPyMarks, func(mark string) bool { return len(first) < len(mark) && strings.HasPrefix(mark, string(first)) })
}

// looksUTF16 reports whether a text that begins with these bytes is UTF-16: with its byte
// order mark, also as a browser makes it UTF-8, or with one zero byte of two, which is half
// of an ordinary character there.
func looksUTF16(first []byte) bool {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\ufffd\ufffd"} {
		if strings.HasPrefix(string(first), mark) {
			return true
		}
	}
	return len(first) >= 2 && (first[0] == 0) != (first[1] == 0)
}

// byteOrderMark is the mark that some programs write before UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// text is the reader that Text returns.
type text struct {
	from  io.Reader
	first []byte // read and not handed on yet
	begun bool
	size  int
	most  int // bytes; 0 for as many as there may be
}

// Text reads a text in UTF-8 and drops a byte order mark at its beginning. UTF-16, a NumPy file and
// more than MaxBytes are errors.
func Text(r io.Reader) io.Reader { return &text{from: r, most: MaxBytes} }

// EndlessText is Text without an end to the number of bytes, for a reader that keeps none of them.
func EndlessText(r io.Reader) io.Reader { return &text{from: r} }

func (t *text) Read(p []byte) (int, error) {
	if !t.begun {
		t.begun = true
		t.first = make([]byte, firstBytes)
		n, err := io.ReadFull(t.from, t.first)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, err
		}
		t.first = t.first[:n]
		if err := unreadable(t.first); err != nil {
			return 0, err
		}
		t.first = bytes.TrimPrefix(t.first, []byte(byteOrderMark))
	}
	if len(t.first) > 0 {
		n := copy(p, t.first)
		t.first = t.first[n:]
		t.size += n
		return n, nil
	}
	n, err := t.from.Read(p)
	if t.size += n; t.most > 0 && t.size > t.most {
		return 0, fmt.Errorf("the text is larger than %d MB", t.most>>20)
	}
	return n, err
}
