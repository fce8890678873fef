package module

import (
	"errors"
	"testing"
)

// TestSections checks that sections come in order with their bytes, that segments are joined, and that truncated
// programs are rejected.
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

// TestDivided checks that a memory is unchanged after it has been divided, written and read back, at any address.
func TestDivided(t *testing.T) {
	for _, at := range []int{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20} {
		memory := append(make([]byte, at), "a\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00d"...)
		segments := Divided(append(memory, 0, 0), 3)
		if len(segments) != 3 || segments[0].At != at || string(segments[0].Data) != "a\x00\x00b" || string(segments[2].Data) != "d" {
			t.Errorf("from %d: %v", at, segments)
		}
		var again []byte
		if err := Sections(AppendData([]byte(Magic), segments), func(_ byte, _ []byte, contents *Reader) {
			var err error
			if again, err = Memory(contents.Segments()); err != nil {
				t.Fatal(err)
			}
		}); err != nil || string(again) != string(memory) {
			t.Errorf("from %d: %q, %v", at, again[min(at, len(again)):], err)
		}
	}
	if segments := Divided(make([]byte, 9), 3); len(segments) != 0 {
		t.Errorf("zeros alone: %v", segments)
	}
}
