package runlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The first bytes of a file determine its layout.
var (
	zipMagic = []byte("PK\x03\x04")
	npyMagic = []byte("\x93NUMPY")
)

// Read reads a log. The first bytes determine the layout, which is one of the following: numpy's npz, an npy that
// contains only Gramians, JSON lines, a tracker's file with numbers by name and step, or a zip of a tracker's folder.
// The argument most, such as NativeBytes or PageBytes, limits the bytes of the file, and separately the bytes of its
// numbers in memory. Read stores a whole packed npz in memory, and unpacks one array after the other. ReadAt does not
// store the packed npz.
//
// Errors say what is wrong and where. The location is an array and a row, counted from 0 as in numpy, or a line,
// counted from 1. Read also returns an error for a nil reader or a negative number of bytes.
func Read(r io.Reader, most int64) (*Log, error) {
	if r == nil || most < 0 {
		return nil, fmt.Errorf("got the reader %v and a limit of %d bytes; want a reader and a limit from 0", r, most)
	}
	return finished(readAny(r, most))
}

// finished finishes l. If err, the error of reading l, is not nil, it returns err instead.
func finished(l *Log, err error) (*Log, error) {
	if err != nil {
		return nil, err
	}
	return l.finish()
}

// readAny does the same as Read, but does not finish the log.
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
		len(start) > 1 && (start[0] == 0) != (start[1] == 0): // one of the first two bytes is 0, as in UTF-16
		return nil, errors.New("the text is UTF-16; save it as UTF-8")
	}
	if start, err = in.Peek(in.Size()); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if flatKey().Match(start) {
		return readFlat(in, most)
	}
	if isTable(start) {
		return readTable(in, most)
	}
	return readLines(in, most)
}

// ReadAt does the same as Read for a file of known size. It unpacks an npz in place.
func ReadAt(r io.ReaderAt, size, most int64) (*Log, error) {
	if r == nil || size < 0 || most < 0 {
		return nil, fmt.Errorf("got the reader %v, size %d and a limit of %d bytes; want a reader, and a size and a limit from 0", r, size, most)
	}
	return finished(readAnyAt(r, size, most))
}

// readAnyAt does the same as ReadAt, but does not finish the log.
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

// bounded is a reader that returns an error if a file exceeds its size limit.
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
	return fmt.Errorf("it has more than the maximum of %d MB", most>>20)
}

// budget limits the memory for a log's numbers, in bytes.
type budget struct{ left, most int64 }

// spend subtracts the bytes of an array. It returns an error if this exceeds the budget.
func (b *budget) spend(array string, bytes int64) error {
	if b.left -= bytes; b.left < 0 {
		return fmt.Errorf("%s: the numbers of the log need more than the maximum of %d MB", array, b.most>>20)
	}
	return nil
}
