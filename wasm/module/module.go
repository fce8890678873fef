// Package module reads WebAssembly programs as Go's linker writes them.
// Their parts are numbered by the specification of WebAssembly (core 2.0, sections 5.5 and 7.4).
package module

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Magic is how a program begins.
const Magic = "\x00asm\x01\x00\x00\x00"

// The sections of a program that its readers look at.
const (
	Custom  = 0
	Imports = 2
	Code    = 10
	Data    = 11
)

// ErrForm is the error of what is no WebAssembly program of Go's linker, or not all of it.
var ErrForm = errors.New("this is no WebAssembly program that Go has linked, or not all of it")

// Sections visits the sections of a program in order: the number of their kind, all their bytes, and their contents. visit may
// panic with ErrForm, as the Reader does.
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

// Reader reads bytes of a program. It panics with ErrForm if the form is wrong, which Sections makes an error.
type Reader struct{ rest []byte }

// More reports whether anything is left.
func (r *Reader) More() bool { return len(r.rest) > 0 }

// Len is how many bytes are left.
func (r *Reader) Len() int { return len(r.rest) }

// Take returns the next n bytes, which are the program's own.
func (r *Reader) Take(n int) []byte {
	if n > len(r.rest) {
		panic(ErrForm)
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// Part returns a reader of the bytes that follow a number which says how many they are.
func (r *Reader) Part() *Reader { return &Reader{r.Take(r.Number())} }

// Expect reads s.
func (r *Reader) Expect(s string) {
	if string(r.Take(len(s))) != s {
		panic(ErrForm)
	}
}

// Number reads an unsigned number of 32 bits in LEB128.
func (r *Reader) Number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v >= 1<<32 {
		panic(ErrForm)
	}
	r.Take(n)
	return int(v)
}

// Segment is a piece of the memory that a program starts with.
type Segment struct {
	At   int    // its address
	Data []byte // the program's own bytes
}

// Segments reads the contents of a data section.
func (r *Reader) Segments() (segments []Segment) {
	for range r.Number() {
		r.Expect("\x00\x41") // at a place that is a constant of 32 bits,
		at := r.Number()     // signed, but Go's are positive and small
		r.Expect("\x0b")
		segments = append(segments, Segment{at, r.Take(r.Number())})
	}
	return segments
}

// Memory lays segments out. It takes no more than 1 GiB, else ErrForm.
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

// Divided divides a memory into segments, with at least gap zeros between them, which a program's memory has by itself.
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

// AppendData appends a data section with these segments, below 1 GiB, to a program.
func AppendData(program []byte, segments []Segment) []byte {
	contents := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		contents = binary.AppendUvarint(append(contents, 0, 0x41), uint64(s.At))
		if last := &contents[len(contents)-1]; *last&0x40 != 0 { // it is a signed number, which this bit makes negative
			*last |= 0x80
			contents = append(contents, 0)
		}
		contents = append(binary.AppendUvarint(append(contents, 0x0b), uint64(len(s.Data))), s.Data...)
	}
	return append(binary.AppendUvarint(append(program, Data), uint64(len(contents))), contents...)
}
