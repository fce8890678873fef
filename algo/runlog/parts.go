package runlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Part is one file of a log, or a tracker's folder for a run.
type Part struct {
	Name   string    // used in errors
	Folder fs.FS     // nil for a file
	File   io.Reader // if this is an io.ReaderAt and Size is above 0, an npz is unpacked in place
	Size   int64
}

// Open opens the file or the tracker's folder at a path as a part. The caller must close it after reading.
func Open(path string) (part Part, closer io.Closer, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return Part{}, nil, err
	}
	if info.IsDir() {
		return Part{Name: path, Folder: os.DirFS(path)}, io.NopCloser(nil), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return Part{}, nil, err
	}
	return FilePart(path, f), f, nil
}

// FilePart returns a part for an open file.
func FilePart(name string, f *os.File) Part {
	part := Part{Name: name, File: f}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		part.Size = info.Size()
	}
	return part
}

// ReadParts reads a log from the parts of a resumed run, in order. If several parts contain the same step, the last of
// these parts counts. A single part is read unchanged. names contains the names of the losses in the order of the
// Gramian's rows, because some trackers do not preserve this order. names may be nil. The argument most limits the
// bytes of all parts together, and separately the bytes of memory for their numbers.
//
// Errors name the part. ReadParts returns an error if parts have different objectives or different arrays.
func ReadParts(parts []Part, names []string, most int64) (*Log, error) {
	if len(parts) == 0 || most < 0 {
		return nil, fmt.Errorf("got %d parts and a limit of %d bytes; want at least one part and a limit from 0", len(parts), most)
	}
	var whole *Log
	for i, p := range parts {
		l, err := p.read(most)
		if err == nil && len(parts) > 1 {
			if l.steps == nil {
				err = errors.New("it has no steps, which are needed to join the parts of a run")
			} else {
				err = l.complete()
			}
		}
		if err != nil {
			return nil, p.named(err)
		}
		if whole == nil {
			whole = l
		} else if err := whole.join(l, parts[0].Name, parts[i].Name, most); err != nil {
			return nil, err
		}
	}
	if names != nil {
		if whole.losses == nil {
			return nil, parts[0].named(errors.New("its losses are missing, so they cannot be reordered"))
		}
		if err := whole.reorder(names); err != nil {
			return nil, parts[0].named(err)
		}
	}
	l, err := whole.finish()
	if err != nil && len(parts) == 1 {
		err = parts[0].named(err)
	}
	return l, err
}

func (p *Part) named(err error) error {
	if p.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", p.Name, err)
}

// read reads a part. The caller must finish the log.
func (p *Part) read(most int64) (*Log, error) {
	if p.Folder != nil {
		return readFolder(p.Folder, most)
	}
	if at, is := p.File.(io.ReaderAt); is && p.Size > 0 {
		return readAnyAt(at, p.Size, most)
	}
	return readAny(p.File, most)
}

// join appends the records of another part of the same run. Both logs must be complete.
func (l *Log) join(next *Log, mine, other string, most int64) error {
	if !slices.Equal(l.names, next.names) {
		return fmt.Errorf("%s has the objectives %s, and %s has %s: the parts of a run have the same", mine, strings.Join(l.names, ", "), other,
			strings.Join(next.names, ", "))
	}
	if l.variables != next.variables && l.jacobian != nil && next.jacobian != nil {
		return fmt.Errorf("%s has gradients for %d parameters, and %s for %d: the parts of a run have the same", mine, l.variables, other,
			next.variables)
	}
	if n := l.records + next.records; n > MaxRecords {
		return fmt.Errorf("up to %s there are %d records; at most %d are allowed", other, n, MaxRecords)
	}
	left := budget{left: most, most: most}
	for _, name := range order {
		place := l.block(name)
		if place == nil {
			continue
		}
		b, more := *place, *next.block(name)
		if (b == nil) != (more == nil) {
			has, lacks := mine, other
			if b == nil {
				has, lacks = other, mine
			}
			return fmt.Errorf("%s has %s, and %s has none: the parts of a run have the same arrays", has, name, lacks)
		}
		if b == nil {
			continue
		}
		if err := left.spend(name, int64(8*b.width*(l.records+next.records))); err != nil {
			return fmt.Errorf("up to %s: %w", other, err)
		}
		*place = b.with(more, l.records, next.records)
	}
	l.steps = append(l.steps, next.steps...)
	l.records += next.records
	for _, o := range next.leftOut {
		if i := slices.IndexFunc(l.leftOut, func(mine LeftOut) bool { return mine.Cause == o.Cause }); i >= 0 {
			l.leftOut[i].Count += o.Count
			continue
		}
		l.leftOut = append(l.leftOut, o)
	}
	for _, list := range []struct {
		mine  *[]string
		other []string
	}{{&l.notes, next.notes}, {&l.ignored, next.ignored}} {
		for _, text := range list.other {
			if !slices.Contains(*list.mine, text) {
				*list.mine = append(*list.mine, text)
			}
		}
	}
	if next.outcomes != nil {
		l.outcomes = next.outcomes
	}
	if next.unordered != "" {
		l.unordered = next.unordered
	}
	return nil
}

// with returns the n rows of b followed by the rows of other. The argument more is the number of these rows. If both
// blocks have single precision, the result does too.
func (b *block) with(other *block, n, more int) *block {
	if b.single != nil && other.single != nil {
		return &block{width: b.width, single: append(b.single, other.single...)}
	}
	out := &block{width: b.width, double: make([]float64, (n+more)*b.width)}
	for k := range n + more {
		from, at := b, k
		if k >= n {
			from, at = other, k-n
		}
		row := out.double[k*b.width : (k+1)*b.width]
		copy(row, from.row(row, at))
	}
	return out
}
