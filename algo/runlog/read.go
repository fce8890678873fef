package runlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The first bytes of a file, which tell its layout.
var (
	zipMagic = []byte("PK\x03\x04")
	npyMagic = []byte("\x93NUMPY")
)

// Read reads a log, in any of its layouts, which its first bytes tell: numpy's npz, npy of Gramians alone, JSON lines, or
// one of those in which trackers keep numbers by name and step, also a zip of a tracker's folder.
// File and numbers may have at most the given number of bytes each, such as NativeBytes or PageBytes.
// An npz is kept packed while it is read, and unpacked array by array; ReadAt does without that.
//
// An error says what is wrong and where: array and row, counted from 0 as numpy does, or the line, counted from 1. A
// nil reader and a negative number of bytes are errors, too.
func Read(r io.Reader, most int64) (*Log, error) {
	if r == nil || most < 0 {
		return nil, fmt.Errorf("a reader and a number of bytes from 0 are expected, not %v and %d", r, most)
	}
	return finished(readAny(r, most))
}

// finished finishes what was read.
func finished(l *Log, err error) (*Log, error) {
	if err != nil {
		return nil, err
	}
	return l.finish()
}

// readAny is Read of a log that still has to be finished.
func readAny(r io.Reader, most int64) (*Log, error) {
	in := bufio.NewReaderSize(&bounded{r: r, left: most, most: most}, 1<<16)
	start, err := in.Peek(lengthBytes + checksumBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case len(start) == 0:
		return nil, errors.New("it is empty")
	case bytes.HasPrefix(start, zipMagic):
		var packed bytes.Buffer
		if _, err := io.Copy(&packed, in); err != nil {
			return nil, err
		}
		return readZip(bytes.NewReader(packed.Bytes()), int64(packed.Len()), most)
	case bytes.HasPrefix(start, npyMagic):
		return readGramians(in, most)
	case bytes.HasPrefix(start, wandbMagic[:4]):
		return readWandbFile(in, most)
	case isEvents(start):
		return readEventFile(in, most)
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")),
		len(start) > 1 && (start[0] == 0) != (start[1] == 0): // half of an ordinary character
		return nil, errors.New("the text is UTF-16; save it as UTF-8")
	}
	if start, err = in.Peek(in.Size()); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if flatKey.Match(start) {
		return readFlat(in, most)
	}
	if isTable(start) {
		return readTable(in, most)
	}
	return readLines(in, most)
}

// ReadAt is Read on a file of a known size, of which an npz is unpacked where it lies.
func ReadAt(r io.ReaderAt, size, most int64) (*Log, error) {
	if r == nil || size < 0 || most < 0 {
		return nil, fmt.Errorf("a reader, a size and a number of bytes from 0 are expected, not %v, %d and %d", r, size, most)
	}
	return finished(readAnyAt(r, size, most))
}

// readAnyAt is ReadAt of a log that still has to be finished.
func readAnyAt(r io.ReaderAt, size, most int64) (*Log, error) {
	start := make([]byte, len(zipMagic))
	if _, err := r.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(start, zipMagic) {
		return readAny(io.NewSectionReader(r, 0, size), most)
	}
	if size > most {
		return nil, errTooLong(most)
	}
	return readZip(r, size, most)
}

// bounded is a reader that refuses to read more than a file may have.
type bounded struct {
	r          io.Reader
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLong(b.most)
	}
	return n, err
}

func errTooLong(most int64) error {
	return fmt.Errorf("it has more than %d MB, which is the most that is read", most>>20)
}

// budget counts the bytes of a log's numbers in memory.
type budget struct{ left, most int64 }

// spend takes bytes for an array.
func (b *budget) spend(array string, bytes int64) error {
	if b.left -= bytes; b.left < 0 {
		return fmt.Errorf("%s: the numbers of the log take more than %d MB, which is the most that is kept", array, b.most>>20)
	}
	return nil
}
