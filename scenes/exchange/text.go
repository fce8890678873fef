package exchange

import (
	"errors"
	"fmt"
	"io"
)

// ErrUTF16 says that a text is encoded as some editors and spreadsheets do by "Unicode".
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// looksUTF16 reports whether a text whose first bytes these are, two or more, is UTF-16:
// it begins with its byte order mark, or every other byte is zero, which no text in
// UTF-8 has.
func looksUTF16(first []byte) bool {
	a, b := first[0], first[1]
	return a == 0xff && b == 0xfe || a == 0xfe && b == 0xff || (a == 0) != (b == 0)
}

// byteOrderMark is what some programs write before UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// text is the reader that Text returns.
type text struct {
	from  io.Reader
	first []byte // read and not handed on yet
	begun bool
	size  int
}

// Text reads a text in UTF-8, without the byte order mark that it may begin with. UTF-16
// and more than MaxBytes are errors.
func Text(r io.Reader) io.Reader { return &text{from: r} }

func (t *text) Read(p []byte) (int, error) {
	if !t.begun {
		t.begun = true
		t.first = make([]byte, len(byteOrderMark))
		n, err := io.ReadFull(t.from, t.first)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, err
		}
		t.first = t.first[:n]
		if n >= 2 && looksUTF16(t.first) {
			return 0, ErrUTF16
		}
		if string(t.first) == byteOrderMark {
			t.first = nil
		}
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
