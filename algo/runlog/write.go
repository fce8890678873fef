package runlog

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// arrayBytes is an upper bound on the bytes that an array takes in an npz apart from its entries: for its header, and
// for its records in the archive's directory.
const arrayBytes = 512

// Write writes the log as an npz, like numpy's savez. numpy and Read read back the same bits. Equal logs give equal
// bytes, at any time and on any machine. The file always contains the names of the objectives and the step numbers.
func (l *Log) Write(w io.Writer) error {
	if l.losses == nil {
		return fmt.Errorf("%s: the array is missing; an npz needs it", losses)
	}
	archive := zip.NewWriter(w)
	for _, name := range order {
		a, write := l.stored(name)
		if a == nil {
			continue
		}
		// numpy also writes this date, the earliest that a zip can store.
		date := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
		part, err := archive.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store, Modified: date})
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(part, chunk)
		out.WriteString(a.head())
		write(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return archive.Close()
}

// stored returns the array with the given name and a function that writes its entries. It returns nil if the log
// does not have the array. The bufio.Writer keeps any write errors.
func (l *Log) stored(name string) (*array, func(*bufio.Writer)) {
	shape := make([]int, len(shapes[name]))
	count := 0
	if l.outcomes != nil {
		count = l.outcomes.count
	}
	for i, d := range shapes[name] {
		shape[i] = []int{perRecord: l.records, perObjective: l.objectives, perVariable: l.variables, perOutcome: count}[d]
	}
	a := &array{name: name, kind: 'f', size: 8, shape: shape}
	var numbers *block
	switch name {
	case step:
		return a.whole(l.steps)
	case names:
		return a.written(l.names)
	case outcomeNames, outcomeRules, outcomePeriods, outcomeBackprops, outcomeLosses, outcomeAccuracy, outcomeSteps:
		o := l.outcomes
		if o == nil {
			return nil, nil
		}
		switch name {
		case outcomeNames:
			return a.written(o.names)
		case outcomeRules:
			return a.written(o.rules)
		case outcomePeriods:
			return a.whole(o.periods)
		case outcomeSteps:
			if o.steps == nil {
				return nil, nil
			}
			return a.whole(o.steps)
		}
		numbers = map[string]*block{outcomeBackprops: o.backprops, outcomeLosses: o.losses, outcomeAccuracy: o.accuracy}[name]
	default:
		numbers = *l.block(name)
	}
	if numbers == nil {
		return nil, nil
	}
	if numbers.single != nil {
		a.size = 4
	}
	return a, func(w *bufio.Writer) {
		for _, v := range numbers.single {
			writeEntry(w, uint64(math.Float32bits(v)), 4)
		}
		for _, v := range numbers.double {
			writeEntry(w, math.Float64bits(v), 8)
		}
	}
}

// whole sets the type of the array to whole numbers. It returns the array's header, and a function that writes the
// entries.
func (a *array) whole(list []int64) (*array, func(*bufio.Writer)) {
	a.kind = 'i'
	return a, func(w *bufio.Writer) {
		for _, v := range list {
			writeEntry(w, uint64(v), 8)
		}
	}
}

// written sets the type of the array to strings, padded with zeros as in numpy. It returns the array's header, and a
// function that writes the entries.
func (a *array) written(list []string) (*array, func(*bufio.Writer)) {
	a.kind, a.size = 'U', textWidth(list)
	return a, func(w *bufio.Writer) {
		for _, text := range list {
			runes := []rune(text)
			for i := range a.size / 4 {
				var c rune
				if i < len(runes) {
					c = runes[i]
				}
				writeEntry(w, uint64(c), 4)
			}
		}
	}
}

// textWidth returns the number of bytes per string in a numpy array, with four bytes per character.
func textWidth(list []string) int {
	longest := 1
	for _, text := range list {
		longest = max(longest, utf8.RuneCountInString(text))
	}
	return 4 * longest
}

// writeEntry writes v in size bytes, the lowest byte first.
func writeEntry(w *bufio.Writer, v uint64, size int) {
	var entry [8]byte
	binary.LittleEndian.PutUint64(entry[:], v)
	w.Write(entry[:size])
}

// head returns the header of the array in version 1.0 of numpy's format. Padding makes the entries begin at a multiple of 64.
func (a *array) head() string {
	size := a.size
	if a.kind == 'U' {
		size /= 4
	}
	text := fmt.Sprintf("{'descr': '<%c%d', 'fortran_order': False, 'shape': %s, }", a.kind, size, shapeText(a.shape))
	const before = 10 // magic bytes, version and length
	text += strings.Repeat(" ", 63-(before+len(text))%64) + "\n"
	return string(slices.Concat(npyMagic, []byte{1, 0, byte(len(text)), byte(len(text) >> 8)})) + text
}
