// Package module reads WebAssembly programs from Go's linker. The WebAssembly specification defines the numbers of their
// parts (core 2.0, sections 5.5 and 7.4).
package module

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Magic is the first bytes of every program.
const Magic = "\x00asm\x01\x00\x00\x00"

// Numbers of the sections that this package's users read.
const (
	Custom  = 0
	Imports = 2
	Code    = 10
	Data    = 11
)

// ErrForm is the error for a file that is not a complete WebAssembly program from Go's linker.
var ErrForm = errors.New("not a complete WebAssembly program linked by Go")

// Sections calls visit for each section of a program in order, with the section's number, all its bytes, and its
// contents. visit may panic with ErrForm, as a Reader does; Sections then returns ErrForm.
func Sections(program []byte, visit func(id byte, whole []byte, contents *Reader)) (err error) {
	defer func() {
		if r := recover(); r == ErrForm {
			err = ErrForm
		} else if r != nil {
			panic(r)
		}
	}()
	r := Reader{program}
	r.Expect(Magic)
	for r.More() {
		whole := r.rest
		id := r.Take(1)[0]
		contents := Reader{r.Take(r.Number())}
		visit(id, whole[:len(whole)-len(r.rest)], &contents)
	}
	return nil
}

// Reader reads bytes of a program. It panics with ErrForm if they are malformed; Sections turns the panic into an error.
type Reader struct{ rest []byte }

// More reports whether any bytes are left.
func (r *Reader) More() bool { return len(r.rest) > 0 }

// Len returns the number of bytes left.
func (r *Reader) Len() int { return len(r.rest) }

// Take returns the next n bytes. They share the program's memory.
func (r *Reader) Take(n int) []byte {
	if n > len(r.rest) {
		panic(ErrForm)
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// Part reads a length and returns a reader of that many bytes.
func (r *Reader) Part() *Reader { return &Reader{r.Take(r.Number())} }

// Expect reads as many bytes as s has, and panics with ErrForm if they differ from s.
func (r *Reader) Expect(s string) {
	if string(r.Take(len(s))) != s {
		panic(ErrForm)
	}
}

// Number reads an unsigned 32-bit number in LEB128.
func (r *Reader) Number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v >= 1<<32 {
		panic(ErrForm)
	}
	r.Take(n)
	return int(v)
}

// Segment is a piece of a program's initial memory.
type Segment struct {
	At   int    // address of its first byte
	Data []byte // shares the program's memory
}

// Segments reads the contents of a data section.
func (r *Reader) Segments() (segments []Segment) {
	for range r.Number() {
		r.Expect("\x00\x41") // the address is a 32-bit constant
		at := r.Number()     // the number is signed, but Go's addresses are positive and small
		r.Expect("\x0b")
		segments = append(segments, Segment{at, r.Take(r.Number())})
	}
	return segments
}

// Memory joins segments into one memory. It returns ErrForm if the memory would exceed 1 GiB.
func Memory(segments []Segment) ([]byte, error) {
	size := 0
	for _, s := range segments {
		size = max(size, s.At+len(s.Data))
	}
	if size > 1<<30 {
		return nil, ErrForm
	}
	memory := make([]byte, size)
	for _, s := range segments {
		copy(memory[s.At:], s.Data)
	}
	return memory, nil
}

// Divided splits a memory into segments at every run of at least gap zeros. The zeros are left out, since memory is
// zero by default.
func Divided(memory []byte, gap int) (segments []Segment) {
	zeros := make([]byte, gap)
	for at := 0; ; {
		for at < len(memory) && memory[at] == 0 {
			at++
		}
		if at == len(memory) {
			return segments
		}
		data := memory[at:]
		if end := bytes.Index(data, zeros); end >= 0 {
			data = data[:end]
		}
		segments = append(segments, Segment{at, bytes.TrimRight(data, "\x00")})
		at += len(data)
	}
}

// AppendData appends a data section with the given segments to a program. The segments must end below 1 GiB.
func AppendData(program []byte, segments []Segment) []byte {
	contents := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		contents = binary.AppendUvarint(append(contents, 0, 0x41), uint64(s.At))
		if last := &contents[len(contents)-1]; *last&0x40 != 0 { // addresses are signed, and this bit would make them negative
			*last |= 0x80
			contents = append(contents, 0)
		}
		contents = append(binary.AppendUvarint(append(contents, 0x0b), uint64(len(s.Data))), s.Data...)
	}
	return append(binary.AppendUvarint(append(program, Data), uint64(len(contents))), contents...)
}
