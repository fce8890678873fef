package runlog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// These are the names under which trackers store a log's numbers and the step.
const (
	lossPrefix    = "loss/"
	gramianPrefix = gramian + "/"
)

var stepNames = []string{"_step", step, "global_step", "iter"}

const causeIncomplete = "not all of their numbers were kept"

// scalars collects the numbers that a tracker stored for a run, by name and step, in the order in which they were
// written.
type scalars struct {
	tracker   string // name of the tracker, for sentences
	sorted    bool   // whether the tracker loses the order of the losses
	zeroIsNaN bool   // whether the tracker writes 0 for a number that is not finite
	narrow    bool   // whether the tracker keeps only 32 bits of each number

	series  map[string]*series
	order   []*series // in order of first appearance
	ignored []string
	notes   []string
	left    budget
}

// series contains the numbers with one name, in the order of their steps.
type series struct {
	name     string
	row, col int // indices in the Gramian; −1 for a loss
	steps    []int64
	values   []float64

	replaced int   // number of values that do not count, because the run was resumed at or before their step
	first    int64 // smallest step of the replaced values
	again    int   // number of values that directly follow another value for the same step
	pos      int
}

func newScalars(tracker string, most int64) *scalars {
	return &scalars{tracker: tracker, series: map[string]*series{}, left: budget{left: most, most: most}}
}

// find returns the series called name, or nil if logs do not use this name.
func (s *scalars) find(name string) *series {
	if of := s.series[name]; of != nil {
		return of
	}
	of := &series{name: name, row: -1, col: -1}
	switch {
	case strings.HasPrefix(name, lossPrefix) && len(name) > len(lossPrefix):
	case strings.HasPrefix(name, gramianPrefix):
		i, j, both := strings.Cut(name[len(gramianPrefix):], "_")
		if of.row, of.col = index(i), index(j); !both || of.row < 0 || of.col < 0 {
			of = nil
		}
	default:
		of = nil
	}
	if of == nil {
		if len(s.ignored) < MaxObjectives && !slices.Contains(s.ignored, name) {
			s.ignored = append(s.ignored, name)
		}
		return nil
	}
	of.name = strings.Clone(name)
	s.series[of.name] = of
	s.order = append(s.order, of)
	return of
}

// index parses a part of a name as a number. It returns −1 if the part is not a number, or too large.
func index(text string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n >= maxRead {
		return -1
	}
	return int(n)
}

// add adds a number. It returns an error if there are too many numbers.
func (s *scalars) add(name string, step int64, v float64) error {
	of := s.find(name)
	if of == nil {
		return nil
	}
	if math.Abs(v) == math.MaxFloat64 { // how MLflow stores infinity in a database
		v = math.Inf(1)
	}
	if n := len(of.steps); n > 0 && of.steps[n-1] == step {
		of.again++
		of.values[n-1] = v
		return nil
	}
	of.rewind(step)
	const bytes = 16
	if err := s.left.spend(of.name, bytes); err != nil {
		return err
	}
	of.steps, of.values = append(of.steps, step), append(of.values, v)
	return nil
}

// rewind removes the numbers of the given step and of all later steps, because the run was resumed at the given step.
func (of *series) rewind(step int64) {
	n := len(of.steps)
	for n > 0 && of.steps[n-1] >= step {
		n--
		if of.replaced == 0 || of.steps[n] < of.first {
			of.first = of.steps[n]
		}
		of.replaced++
	}
	of.steps, of.values = of.steps[:n], of.values[:n]
}

// cutOff adds a note that the record at this byte is incomplete.
func (s *scalars) cutOff(at int64) {
	s.notes = append(s.notes, fmt.Sprintf("The file ends in the middle of its last record, at byte %d. This record is left out.", at))
}

// cutOffLine adds a note that the last line of a file is incomplete.
func (s *scalars) cutOffLine(file string) { s.notes = append(s.notes, lastLineCut(file)) }

func lastLineCut(file string) string {
	return fmt.Sprintf("The last line of %s is cut off and left out.", file)
}

// log returns an unfinished log of the numbers. The caller must finish it. Only steps that have all numbers become
// records.
func (s *scalars) log() (*Log, error) {
	of, rows, err := s.arrange()
	if err != nil {
		return nil, err
	}
	l := &Log{objectives: len(of), ignored: s.ignored}
	for _, loss := range of {
		l.names = append(l.names, loss.name[len(lossPrefix):])
	}
	if s.sorted && !numberedNames(l.names) {
		l.unordered = s.tracker
	}
	had := s.order
	count := map[int64]int{}
	for _, one := range had {
		for _, k := range one.steps {
			count[k]++
		}
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		if count[k] == len(had) {
			l.steps = append(l.steps, k)
			continue
		}
		l.leaveOut(causeIncomplete, k)
	}
	l.records = len(l.steps)
	if l.records < 2 || l.records > MaxRecords {
		return nil, fmt.Errorf("%d of %d steps have all numbers of a record; the number must be from 2 to %d: %s",
			l.records, len(count), MaxRecords, s.counts())
	}
	n := l.objectives
	if err := s.left.spend(gramian, int64(8*l.records*(n+n*n))); err != nil {
		return nil, err
	}
	l.losses = &block{width: n, double: make([]float64, l.records*n)}
	l.gramian = &block{width: n * n, double: make([]float64, l.records*n*n)}
	for k, step := range l.steps {
		for _, one := range had {
			for one.steps[one.pos] != step {
				one.pos++
			}
		}
		for i, loss := range of {
			l.losses.double[k*n+i] = loss.values[loss.pos]
			for j := range n {
				l.gramian.double[(k*n+i)*n+j] = rows[i*n+j].values[rows[i*n+j].pos]
			}
		}
	}
	s.say(l)
	return l, nil
}

// arrange returns the losses and the Gramian's entries. If the order of the Gramian's rows is known, the losses are
// in this order; otherwise they are sorted by name.
func (s *scalars) arrange() (of, rows []*series, err error) {
	size := 0
	for _, one := range s.order {
		if one.row < 0 {
			of = append(of, one)
		}
		size = max(size, one.row+1, one.col+1)
	}
	switch {
	case size == 0 || len(of) == 0:
		missing := "loss/NAME"
		if size == 0 {
			missing = "gramian/i_j"
		}
		return nil, nil, fmt.Errorf("there are no numbers called %s; a tracker's log has loss/NAME for each loss and gramian/i_j for "+
			"i ≤ j from 0 on; available: %s", missing, s.present())
	case size > MaxObjectives:
		return nil, nil, fmt.Errorf("%d objectives; the number must be from 1 to %d", size, MaxObjectives)
	case len(of) != size:
		return nil, nil, fmt.Errorf("there are %d losses, but the Gramian has %d rows%s; the losses are: %s", len(of), size, s.merged(),
			strings.Join(textsOf(of), ", "))
	}
	names := textsOf(of)
	for i := range names {
		names[i] = names[i][len(lossPrefix):]
	}
	if numberedNames(names) {
		slices.SortFunc(of, func(a, b *series) int { return leading(a.name[len(lossPrefix):]) - leading(b.name[len(lossPrefix):]) })
	} else if s.sorted {
		slices.SortFunc(of, func(a, b *series) int { return strings.Compare(a.name, b.name) })
	}
	rows = make([]*series, size*size)
	for _, one := range s.order {
		if one.row >= 0 {
			rows[one.row*size+one.col] = one
		}
	}
	for i := range size {
		for j := range size {
			if rows[i*size+j] == nil {
				rows[i*size+j] = rows[j*size+i]
			}
			if rows[i*size+j] == nil {
				return nil, nil, fmt.Errorf("gramian/%d_%d is missing, although the Gramian has %d rows", min(i, j), max(i, j), size)
			}
		}
	}
	return of, rows, nil
}

// leading returns the number at the beginning of a name. The name must end there, or continue with _ - . : or a
// space. Otherwise leading returns −1.
func leading(name string) int {
	if i := strings.IndexAny(name, "_-.: "); i >= 0 {
		name = name[:i]
	}
	return index(name)
}

// numberedNames reports whether the names begin with the numbers of their rows, counted from 0 or 1, in any order. A
// single name needs no number.
func numberedNames(names []string) bool {
	if len(names) == 1 {
		return true
	}
	all := make([]int, len(names))
	for i, name := range names {
		all[i] = leading(name)
	}
	slices.Sort(all)
	for i, n := range all {
		if n != i+all[0] || all[0] > 1 || all[0] < 0 {
			return false
		}
	}
	return true
}

func textsOf(list []*series) []string {
	const maxNames = 12
	var out []string
	for _, one := range list[:min(len(list), maxNames)] {
		out = append(out, one.name)
	}
	return out
}

// present lists the names of the tracker's numbers, shortened if there are many.
func (s *scalars) present() string {
	list := append(textsOf(s.order), s.ignored...)
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list[:min(len(list), 12)], ", ")
}

// counts returns a text about the names with the most and the fewest numbers.
func (s *scalars) counts() string {
	least, most := s.order[0], s.order[0]
	for _, one := range s.order {
		if len(one.steps) < len(least.steps) {
			least = one
		}
		if len(one.steps) > len(most.steps) {
			most = one
		}
	}
	return fmt.Sprintf("%s has %d, %s has %d", most.name, len(most.steps), least.name, len(least.steps))
}

// merged returns a text about a loss for which at least half of the steps had a second number. A tracker may then have
// merged two names. It returns "" if there is no such loss.
func (s *scalars) merged() string {
	for _, one := range s.order {
		if one.again > 1 && 2*one.again >= len(one.steps) {
			return fmt.Sprintf(" (%s had a second number at the same step, %d in total: a tracker may have merged two names)",
				one.name, one.again)
		}
	}
	return ""
}

// say states in the notes of the log which information the tracker lost.
func (s *scalars) say(l *Log) {
	l.notes = s.notes
	note := func(format string, args ...any) { l.notes = append(l.notes, fmt.Sprintf(format, args...)) }
	replaced, first := 0, int64(math.MaxInt64)
	for _, one := range s.order {
		replaced = max(replaced, one.replaced)
		if one.replaced > 0 {
			first = min(first, one.first)
		}
	}
	if replaced > 0 {
		l.leftOut = append(l.leftOut, LeftOut{causeRepeated, replaced, first})
	}
	for i, o := range l.leftOut {
		if o.Cause == causeIncomplete {
			l.leftOut[i].Cause += ": " + s.counts()
		}
	}
	for _, one := range s.order {
		if one.again > 0 {
			note("%s had a second number at the same step, %d in total, and the last number of a step counts: it was logged more than "+
				"once per step, or a tracker merged two names.", one.name, one.again)
			break
		}
	}
	if s.zeroIsNaN {
		if n := l.zerosToNaN(); n > 0 {
			note("%s writes 0 for NaN: %d records have a loss and a row of the Gramian that are exactly 0, and count as NaN.", s.tracker, n)
		}
	}
	if s.narrow || singlePrecision(l.losses.double, l.gramian.double) {
		text := fmt.Sprintf("The numbers have the precision of 32 bits, because %s keeps only 32 bits", s.tracker)
		if !s.narrow {
			text = "The numbers have the precision of 32 bits, as they were logged"
		}
		note("%s: products below 1e-45 are 0, and products above 3.4e38 are infinite.", text)
	}
	for _, one := range s.order {
		infinite := 0
		for _, v := range one.values {
			if math.IsInf(v, 0) {
				infinite++
			}
		}
		if infinite > 0 {
			note("%s is infinite at %d of %d steps; change the unit of the loss to bring it into range.", one.name, infinite, len(one.steps))
			break
		}
	}
}

// zerosToNaN replaces a loss by NaN if the loss and its row of the Gramian are 0. It returns the number of records
// with such a loss.
func (l *Log) zerosToNaN() int {
	s, n := l.objectives, 0
	for k := range l.records {
		found := false
		for i := range s {
			zero := l.losses.double[k*s+i] == 0
			for _, v := range l.gramian.double[(k*s+i)*s : (k*s+i+1)*s] {
				zero = zero && v == 0
			}
			if zero {
				l.losses.double[k*s+i], found = math.NaN(), true
			}
		}
		if found {
			n++
		}
	}
	return n
}

// singlePrecision reports whether all numbers are exact in single precision and some of them use all of its digits.
func singlePrecision(lists ...[]float64) bool {
	needed := false
	for _, list := range lists {
		for _, v := range list {
			single := float32(v)
			if v-v == 0 && float64(single) != v {
				return false
			}
			needed = needed || v-v == 0 && math.Float32bits(single)&0xff != 0
		}
	}
	return needed
}

// reorder assigns the losses to the rows of the Gramian in the given order.
func (l *Log) reorder(order []string) error {
	mine, given := slices.Sorted(slices.Values(l.names)), slices.Sorted(slices.Values(order))
	if !slices.Equal(mine, given) {
		return fmt.Errorf("the losses are %s, but the given order names %s", strings.Join(l.names, ","), strings.Join(order, ","))
	}
	from := make([]int, len(order))
	for i, name := range order {
		from[i] = slices.Index(l.names, name)
	}
	row := make([]float64, len(order))
	for k := range l.records {
		for i, j := range from {
			row[i] = l.losses.at(k*l.objectives + j)
		}
		for i, v := range row {
			l.losses.set(k*l.objectives+i, v)
		}
	}
	l.names, l.unordered = slices.Clone(order), ""
	return nil
}

// errUnordered returns the error for a log in which the rows of the Gramian cannot be assigned to losses.
func (l *Log) errUnordered() error {
	return fmt.Errorf("%s does not keep the order of the losses, so it is unknown which rows of the Gramian belong to them: give "+
		"them in the right order, on the command line with -names %s, or log the losses with their rows, such as loss/0_%s",
		l.unordered, strings.Join(l.names, ","), l.names[0])
}
