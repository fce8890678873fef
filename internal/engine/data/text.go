package data

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
)

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
		if err := cmp.Or(unreadable(t.first), refuseArrays(t.first)); err != nil {
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
