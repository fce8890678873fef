package slim

import (
	"bytes"
	"encoding/binary"
	"errors"

	"paretoplay/wasm/module"
)

// The tables of a Go program contain two things: the file and line of every instruction, and the points at which
// threads can be interrupted. WebAssembly never interrupts a thread, so only panic traces use these tables, which are a
// tenth of a visitor's download.

// These constants describe the layout of pcHeader and _func in runtime/symtab.go and runtime/runtime2.go of Go 1.26.
const (
	releaseMark = "go1.26"
	headerMark  = "\xf1\xff\xff\xff\x00\x00\x01\x08" // in programs with 1-byte instructions and 8-byte pointers
	headerSize  = 72
	entrySize   = 8  // size of an entry in the table of functions
	funcSize    = 44 // size of a record before the offsets of its tables
	funcSP      = 16
	funcFile    = 20
	funcLine    = 24
	funcTables  = 28 // position of the number of offsets
	funcUnit    = 32
	funcStart   = 36
)

// gap is the minimum number of zeros at which a program's initial memory is divided. Go's linker divides the memory
// wherever there are eight zeros. This division gives 100,000 pieces, whose addresses take more bytes when compressed
// than the zeros between them would.
const gap = 32

// readTables marks the function tables that the program reads: locations of pointers, inlined calls, and bounds errors
// (PCDATA_StackMapIndex, PCDATA_InlTreeIndex and PCDATA_PanicBounds in internal/abi/symtab.go).
var readTables = [...]bool{1: true, 2: true, 4: true}

// ErrLayout is the error for a program linked by another release of Go.
var ErrLayout = errors.New("the program's layout differs from programs of " + releaseMark)

// StripLines returns a WebAssembly program from Go's linker without its tables of files and lines. Panic traces of the
// result show only function names. StripLines returns ErrLayout if the tables have the layout of another Go release.
func StripLines(wasm []byte) ([]byte, error) {
	var segments []module.Segment
	if err := module.Sections(wasm, func(id byte, _ []byte, contents *module.Reader) {
		if id == module.Data {
			segments = contents.Segments()
		}
	}); err != nil {
		return nil, err
	}
	memory, err := module.Memory(segments)
	if err != nil {
		return nil, err
	}
	t, err := findTables(memory)
	if err != nil {
		return nil, err
	}
	if err := t.strip(); err != nil {
		return nil, err
	}
	stripped := []byte(module.Magic)
	err = module.Sections(wasm, func(id byte, whole []byte, _ *module.Reader) {
		if id == module.Data {
			stripped = module.AppendData(stripped, module.Divided(memory, gap))
			return
		}
		stripped = append(stripped, whole...)
	})
	return stripped, err
}

// tables holds the tables of a program's functions, as parts of its memory.
type tables struct {
	units []byte // files by compilation unit
	files []byte // names of files
	steps []byte // values by instruction
	funcs []byte // the function table, and each function's record
	count int    // number of functions
}

// findTables finds the header that leads to the tables.
func findTables(memory []byte) (*tables, error) {
	if !bytes.Contains(memory, []byte(releaseMark)) {
		return nil, ErrLayout
	}
	for from := 0; ; {
		at := bytes.Index(memory[from:], []byte(headerMark))
		if at < 0 {
			return nil, ErrLayout
		}
		from += at
		if t := tablesAt(memory[from:]); t != nil {
			return t, nil
		}
		from++
	}
}

// tablesAt reads a header. It returns nil if the bytes are not a header; the header's mark may also occur elsewhere.
func tablesAt(memory []byte) *tables {
	if len(memory) < headerSize {
		return nil
	}
	field := func(i int) int { return int(min(binary.LittleEndian.Uint64(memory[8*i:]), uint64(len(memory)))) }
	count, units, files, steps, funcs := field(1), field(5), field(6), field(7), field(8)
	if field(4) != headerSize || units < headerSize || files < units || steps < files || funcs < steps ||
		count == 0 || count > (len(memory)-funcs)/entrySize {
		return nil
	}
	return &tables{memory[units:files], memory[files:steps], memory[steps:funcs], memory[funcs:], count}
}

// strip overwrites unread tables with zeros.
func (t *tables) strip() error {
	read := make([]bool, len(t.steps))
	keep := func(f []byte, at int) error {
		from := int(binary.LittleEndian.Uint32(f[at:]))
		if from == 0 {
			return nil // the function lacks this table
		}
		size := stepsSize(t.steps[min(from, len(t.steps)):])
		if size == 0 {
			return ErrLayout
		}
		for i := range size {
			read[from+i] = true
		}
		return nil
	}
	for i := range t.count {
		offset := int(binary.LittleEndian.Uint32(t.funcs[entrySize*i+4:]))
		if offset > len(t.funcs)-funcSize {
			return ErrLayout
		}
		f := t.funcs[offset:]
		own := int(binary.LittleEndian.Uint32(f[funcTables:]))
		if own > (len(f)-funcSize)/4 {
			return ErrLayout
		}
		if err := keep(f, funcSP); err != nil {
			return err
		}
		for j := range own {
			at := funcSize + 4*j
			if j < len(readTables) && readTables[j] {
				if err := keep(f, at); err != nil {
					return err
				}
				continue
			}
			clear(f[at : at+4])
		}
		for _, at := range []int{funcFile, funcLine, funcUnit, funcStart} {
			clear(f[at : at+4])
		}
	}
	for i, kept := range read {
		if !kept {
			t.steps[i] = 0
		}
	}
	clear(t.units)
	clear(t.files)
	return nil
}

// stepsSize returns the number of bytes in a table of values by instruction. The table is a list of pairs. A pair that
// starts with 0 ends the list, unless it is the first pair. stepsSize returns 0 if the list has no end.
func stepsSize(table []byte) int {
	size := 0
	for first := true; ; first = false {
		value, n := binary.Uvarint(table[size:])
		if n <= 0 {
			return 0
		}
		size += n
		if value == 0 && !first {
			return size
		}
		_, n = binary.Uvarint(table[size:])
		if n <= 0 {
			return 0
		}
		size += n
	}
}
