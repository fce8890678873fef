package module

import (
	"errors"
	"testing"
)

// TestSections: sections come in order with their bytes, segments are laid out, and what is cut off is refused.
func TestSections(t *testing.T) {
	const data = "\x0b\x0f" + "\x02" + "\x00\x41\x01\x0b\x02ab" + "\x00\x41\x04\x0b\x02cd"
	const program = Magic + "\x00\x02\x01n" + data
	var ids []byte
	var whole string
	var memory []byte
	if err := Sections([]byte(program), func(id byte, all []byte, contents *Reader) {
		ids, whole = append(ids, id), whole+string(all)
		if id == Data {
			var err error
			if memory, err = Memory(contents.Segments()); err != nil {
				t.Fatal(err)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if string(ids) != "\x00\x0b" || Magic+whole != program || string(memory) != "\x00ab\x00cd" {
		t.Errorf("sections %v of %q, memory %q", ids, whole, memory)
	}
	for n := range program {
		err := Sections([]byte(program[:n]), func(id byte, _ []byte, contents *Reader) {
			if id == Data {
				contents.Segments()
			}
		})
		if ends := n == len(Magic) || n == len(program)-len(data); (err == nil) != ends || err != nil && !errors.Is(err, ErrForm) {
			t.Errorf("%d of %d bytes: %v", n, len(program), err)
		}
	}
	if _, err := Memory([]Segment{{1 << 31, nil}}); !errors.Is(err, ErrForm) {
		t.Errorf("a segment at 2 GiB: %v", err)
	}
}
