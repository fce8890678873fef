package runlog

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Array is an array of numbers. Data contains the entries in row-major order. Their number is the product of Shape.
// An array without dimensions has one entry.
type Array struct {
	Shape []int
	Data  []float64
}

// Arrays is an open NumPy file. It is an npz with named arrays, or an npy, which contains one array without a name.
type Arrays struct {
	file   io.ReaderAt
	size   int64
	most   int64
	npy    bool
	names  []string
	others []string
	files  map[string]*zip.File
}

// OpenArrays opens an npz or npy file with the given size in bytes. The argument most limits the bytes of each array,
// both in the file and in memory. OpenArrays returns an error if the file is damaged or has neither format.
func OpenArrays(r io.ReaderAt, size, most int64) (*Arrays, error) {
	a := &Arrays{file: r, size: size, most: most, files: map[string]*zip.File{}}
	start := make([]byte, len(npyMagic))
	if _, err := r.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if a.npy = bytes.Equal(start, npyMagic); a.npy {
		return a, nil
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("it is neither an npy nor a complete npz: %w", err)
	}
	for _, f := range archive.File {
		name, is := strings.CutSuffix(f.Name, ".npy")
		if !is {
			a.others = append(a.others, f.Name)
			continue
		}
		if a.files[name] != nil {
			return nil, fmt.Errorf("%s: the file has two arrays with this name", name)
		}
		a.files[name], a.names = f, append(a.names, name)
	}
	return a, nil
}

// Npy reports whether the file is a single array, which has no name.
func (a *Arrays) Npy() bool { return a.npy }

// Names returns the names of the arrays of an npz, in the order of the file.
func (a *Arrays) Names() []string { return a.names }

// Others returns the names of the files in the archive that are not arrays.
func (a *Arrays) Others() []string { return a.others }

// Read returns the array with the given name; the array of an npy has the name "". It returns an error if the array
// is missing or damaged, or if its numbers are not finite or have a type that logs do not use.
func (a *Arrays) Read(name string) (*Array, error) {
	left := &budget{left: a.most, most: a.most}
	if a.npy {
		if name != "" {
			return nil, fmt.Errorf("unknown array %s: the file is a single array without a name", name)
		}
		const called = "the array"
		r := io.NewSectionReader(a.file, 0, a.size)
		header, err := readHeader(r, called)
		if err != nil {
			return nil, err
		}
		if n := header.count(); n < 0 || header.header+n*int64(header.size) != a.size {
			return nil, fmt.Errorf("%s: an array of shape %s does not have the %d bytes of the file", called, shapeText(header.shape), a.size)
		}
		return header.plain(r, left)
	}
	f := a.files[name]
	if f == nil {
		return nil, fmt.Errorf("unknown array %s; available: %s", name, strings.Join(a.names, " "))
	}
	if f.UncompressedSize64 > uint64(a.most) {
		return nil, fmt.Errorf("%s: unpacked, it has more than the maximum of %d MB", name, a.most>>20)
	}
	var out *Array
	err := unpack(name, f, func(header *array, r io.Reader) (err error) {
		out, err = header.plain(r, left)
		return err
	})
	return out, err
}

// plain reads the entries of an array that is known to be complete.
func (a *array) plain(r io.Reader, left *budget) (*Array, error) {
	shape := a.shape
	if len(shape) == 0 {
		a.shape = []int{1}
	}
	b, err := a.numbers(r, left, true)
	if err != nil {
		return nil, err
	}
	out := &Array{Shape: shape, Data: b.double}
	if b.single != nil {
		out.Data = make([]float64, len(b.single))
		for i, v := range b.single {
			out.Data[i] = float64(v)
		}
	}
	return out, nil
}
