package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrUTF16 reports that a text has the encoding that some editors and spreadsheets call
// "Unicode".
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// firstBytes is how many bytes tell a text's encoding.
const firstBytes = 6

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
}

// Text reads a text in UTF-8 and drops a byte order mark at its beginning. UTF-16 and more
// than MaxBytes are errors.
func Text(r io.Reader) io.Reader { return &text{from: r} }

func (t *text) Read(p []byte) (int, error) {
	if !t.begun {
		t.begun = true
		t.first = make([]byte, firstBytes)
		n, err := io.ReadFull(t.from, t.first)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, err
		}
		t.first = t.first[:n]
		if looksUTF16(t.first) {
			return 0, ErrUTF16
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
	if t.size += n; t.size > MaxBytes {
		return 0, fmt.Errorf("the text is larger than %d MB", MaxBytes>>20)
	}
	return n, err
}
