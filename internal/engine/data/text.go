package data

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
)

// byteOrderMark is the mark that some programs write before UTF-8 text.
const byteOrderMark = "\xef\xbb\xbf"

// text is the reader that Text and EndlessText return.
type text struct {
	from  io.Reader
	first []byte // bytes that were read but not passed on yet
	begun bool
	size  int
	most  int // maximum number of bytes; 0 means no limit
}

// Text returns a reader of UTF-8 text that drops a leading byte order mark. The reader returns an error for UTF-16, for
// a NumPy file, and for a text of more than MaxBytes.
func Text(r io.Reader) io.Reader { return &text{from: r, most: MaxBytes} }

// EndlessText is like Text but has no limit on the size, for callers that do not store the text.
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
