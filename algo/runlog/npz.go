package runlog

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// deflateRatio is an upper bound on deflate's compression ratio, which is at most 1032 to 1.
const deflateRatio = 1040

// dimension identifies what a size in an array's shape counts.
type dimension int

const (
	perRecord dimension = iota
	perObjective
	perVariable
	perOutcome
)

// shapes lists the dimensions of every array of a log.
var shapes = map[string][]dimension{
	losses: {perRecord, perObjective}, gramian: {perRecord, perObjective, perObjective},
	jacobian: {perRecord, perObjective, perVariable}, cross: {perRecord, perObjective, perObjective},
	weights: {perRecord, perObjective}, after: {perRecord, perObjective}, step: {perRecord}, names: {perObjective},
	forward: {perRecord}, backward: {perRecord},
	outcomeNames: {perOutcome}, outcomeRules: {perOutcome}, outcomePeriods: {perOutcome}, outcomeBackprops: {perOutcome},
	outcomeLosses: {perOutcome, perObjective}, outcomeAccuracy: {perOutcome, perObjective},
	outcomeSteps: {perOutcome},
}

// order is the order in which arrays are read. The first arrays determine the sizes of all others.
var order = []string{gramian, jacobian, losses, cross, weights, after, step, names, forward, backward,
	outcomeNames, outcomeRules, outcomePeriods, outcomeBackprops, outcomeLosses, outcomeAccuracy, outcomeSteps}

// readZip reads a file written by numpy's savez or savez_compressed, or a zip of a tracker's folder.
func readZip(r io.ReaderAt, size, most int64) (*Log, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("it begins like an npz, but is damaged or cut off: %w", err)
	}
	if !slices.ContainsFunc(archive.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".npy") }) {
		if found, err := lookThrough(archive); err == nil {
			if kinds, _ := found.kinds(); kinds != nil {
				return readFolder(archive, most)
			}
		}
	}
	l := &Log{}
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if f.Name == leftOut+".npy" && f.UncompressedSize64 <= 8*MaxRecords+longestHeader {
			if err := l.takeLeftOut(f); err != nil {
				return nil, err
			}
			continue
		}
		if _, known := shapes[name]; !known || name == f.Name {
			l.ignored = append(l.ignored, f.Name)
			continue
		}
		if files[name] != nil {
			return nil, fmt.Errorf("%s: the file has two arrays with this name", name)
		}
		files[name] = f
	}
	slices.Sort(l.ignored)
	if files[gramian] == nil && files[jacobian] == nil {
		return nil, fmt.Errorf("%s and %s are missing; a log needs one of them; the file has: %s", gramian, jacobian, there(archive))
	}
	if files[losses] == nil {
		return nil, fmt.Errorf("%s: the array is missing; the file has: %s", losses, there(archive))
	}
	left := &budget{left: most, most: most}
	var unpacked uint64
	for _, name := range order {
		f := files[name]
		if f == nil {
			continue
		}
		// The size in the directory is later compared with the array's header, and the header is compared with the
		// data.
		if unpacked += f.UncompressedSize64; f.UncompressedSize64 > uint64(most) || unpacked > uint64(most) {
			return nil, fmt.Errorf("%s: unpacked, the file has more than the maximum of %d MB", name, most>>20)
		}
		if err := l.takeFile(name, f, left); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// there returns a text that lists the files in an archive, shortened if there are many.
func there(archive *zip.Reader) string {
	const maxNames = 12
	var names []string
	for i, f := range archive.File {
		if i == maxNames {
			names = append(names, "…")
			break
		}
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, " ")
}

// takeFile reads an array from its file in the archive.
func (l *Log) takeFile(name string, f *zip.File, left *budget) error {
	return unpack(name, f, func(a *array, r io.Reader) error { return l.take(a, r, left, true) })
}

// takeLeftOut counts the steps that the file lists as omitted by its recorder.
func (l *Log) takeLeftOut(f *zip.File) error {
	return unpack(leftOut, f, func(a *array, r io.Reader) error {
		if len(a.shape) != 1 {
			return fmt.Errorf("%s: its shape is %s, but it must be a list of steps", leftOut, shapeText(a.shape))
		}
		steps, err := a.integers(r, &budget{left: NativeBytes, most: NativeBytes})
		for _, step := range steps {
			l.leaveOut(causeRecorder, step)
		}
		return err
	})
}

// unpack reads an array from its file in an archive. It calls take to read the entries.
func unpack(name string, f *zip.File, take func(a *array, r io.Reader) error) (err error) {
	switch {
	case f.Flags&1 != 0:
		return fmt.Errorf("%s: it is encrypted", name)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Errorf("%s: it is compressed with method %d; supported are deflate and no compression", name, f.Method)
	case f.UncompressedSize64/deflateRatio > f.CompressedSize64:
		return fmt.Errorf("%s: %d bytes cannot be packed into %d: the archive is damaged", name, f.UncompressedSize64, f.CompressedSize64)
	}
	r, err := f.Open()
	if err != nil {
		return damaged(name, err)
	}
	defer func() {
		if closed := r.Close(); err == nil && closed != nil { // Close repeats an error of a previous Read
			err = damaged(name, closed)
		}
	}()
	a, err := readHeader(r, name)
	if err != nil {
		return damaged(name, err)
	}
	if n := a.count(); n < 0 || uint64(a.header)+uint64(n)*uint64(a.size) != f.UncompressedSize64 {
		return fmt.Errorf("%s: the shape %s does not match the %d bytes of the file", name, shapeText(a.shape), f.UncompressedSize64)
	}
	if err := take(a, r); err != nil {
		return damaged(name, err)
	}
	// At the end of the file, the reader verifies the checksum.
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("there is more data after it")
		}
		return damaged(name, fmt.Errorf("%s: %w", name, err))
	}
	return nil
}

// damaged returns the error for an array that could not be unpacked.
func damaged(name string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the archive is damaged: it ends in the middle of this array", name)
	}
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || errors.As(err, new(flate.CorruptInputError)) {
		return fmt.Errorf("%s: the archive is damaged at this array: %w", name, err)
	}
	return err
}

// fit validates the sizes of an array. The first arrays determine the numbers of records and objectives.
func (l *Log) fit(a *array) error {
	want := shapes[a.name]
	wrong := func(expected string) error {
		return fmt.Errorf("%s: its shape is %s, but must be %s", a.name, shapeText(a.shape), expected)
	}
	if len(a.shape) != len(want) {
		letters := make([]string, len(want))
		for i, d := range want {
			letters[i] = [...]string{"T", "S", "d", "M"}[d]
		}
		if want[0] == perOutcome {
			return wrong("(" + strings.Join(letters, ", ") + "), M outcomes of S objectives")
		}
		return wrong("(" + strings.Join(letters, ", ") + "), T records of S objectives")
	}
	known := []*int{perRecord: &l.records, perObjective: &l.objectives, perVariable: &l.variables}
	if want[0] == perOutcome {
		if l.outcomes == nil {
			l.outcomes = &outcomes{count: a.shape[0]}
		}
		if n := l.outcomes.count; n < 1 || n > MaxOutcomes {
			return fmt.Errorf("%s: the number of outcomes is %d; it must be from 1 to %d", a.name, n, MaxOutcomes)
		}
		known = append(known, &l.outcomes.count)
	}
	first := l.gramian == nil && l.jacobian == nil
	if first {
		l.records, l.objectives = a.shape[0], a.shape[1]
	}
	if want[len(want)-1] == perVariable {
		l.variables = a.shape[len(want)-1]
	}
	expected := make([]int, len(want))
	for i, d := range want {
		expected[i] = *known[d]
	}
	if !slices.Equal(expected, a.shape) {
		return wrong(shapeText(expected))
	}
	switch {
	case !first && want[len(want)-1] != perVariable:
		return nil
	case l.objectives < 1 || l.objectives > MaxObjectives:
		return fmt.Errorf("%s: the number of objectives is %d; it must be from 1 to %d", a.name, l.objectives, MaxObjectives)
	case l.records < 2 || l.records > MaxRecords:
		return errRecords(a.name, l.records)
	case want[len(want)-1] == perVariable && l.variables < 1:
		return fmt.Errorf("%s: its shape is %s, but there must be at least one variable", a.name, shapeText(a.shape))
	}
	return nil
}

// take reads the entries of an array into the log.
func (l *Log) take(a *array, r io.Reader, left *budget, certain bool) (err error) {
	if err := l.fit(a); err != nil {
		return err
	}
	switch a.name {
	case step:
		l.steps, err = a.integers(r, left)
	case names:
		l.names, err = a.texts(r, left)
	case outcomeNames:
		l.outcomes.names, err = a.texts(r, left)
	case outcomeRules:
		l.outcomes.rules, err = a.texts(r, left)
	case outcomePeriods:
		l.outcomes.periods, err = a.integers(r, left)
	case outcomeSteps:
		l.outcomes.steps, err = a.integers(r, left)
	case outcomeBackprops:
		l.outcomes.backprops, err = a.numbers(r, left, certain)
	case outcomeLosses:
		l.outcomes.losses, err = a.numbers(r, left, certain)
	case outcomeAccuracy:
		l.outcomes.accuracy, err = a.numbers(r, left, certain)
	default:
		a.any = true // records with numbers that are not finite are omitted later
		*l.block(a.name), err = a.numbers(r, left, certain)
	}
	return err
}

// block returns the field of the log that stores the array called name.
func (l *Log) block(name string) **block {
	return map[string]**block{
		losses: &l.losses, gramian: &l.gramian, jacobian: &l.jacobian, cross: &l.cross, weights: &l.weights, after: &l.after,
		forward: &l.forward, backward: &l.backward,
	}[name]
}
