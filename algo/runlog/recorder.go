package runlog

import (
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Record is one record of a log, at the parameters before a step.
type Record struct {
	Step    int64     // the number of the step, which increases from record to record
	Losses  []float64 // S, on the batch of the step
	Gramian []float64 // S×S, of the gradients for the shared parameters

	// Of the following all records of a log have one, or none has: nil for none.
	Cross   []float64 // S×S: D_ij = g_i·g'_j, with gradients g' on another, independent batch
	Weights []float64 // S, which the step applied
	After   []float64 // S losses on the same batch after the step

	// The seconds of a forward pass, and of one objective's backward pass; 0 where unknown, in all records or in none.
	Forward, Backward float64
}

// Recorder gathers records in memory and makes a log of them. It refuses what Read would, when it is added.
type Recorder struct {
	log  Log
	left budget

	one     Log // of the Gramian that is added
	c       []float64
	seconds [2]float64
}

// NewRecorder returns a recorder without records for objectives with these names, from 1 to MaxObjectives. The log may
// take as many bytes as given, such as PageBytes: in memory, and as a file.
func NewRecorder(objectives []string, most int64) (*Recorder, error) {
	s := len(objectives)
	if s < 1 || s > MaxObjectives {
		return nil, &algo.RangeError{Name: "number of objectives", Value: s, Allowed: fmt.Sprintf("1 to %d are allowed", MaxObjectives)}
	}
	if err := checkTexts(names, objectives); err != nil {
		return nil, err
	}
	r := &Recorder{log: Log{objectives: s, names: slices.Clone(objectives)}, left: budget{most: most}}
	r.left.left = most - int64(s*textWidth(objectives)) - arrayBytes*int64(len(order))
	return r, nil
}

// RecordBytes returns how many bytes a record of s objectives takes that has everything a record may have.
func RecordBytes(s int) int64 { return 8 * int64(2*s*s+3*s+3) }

// Records returns how many records there are.
func (r *Recorder) Records() int { return r.log.records }

// Add adds a record, which stays the caller's. An error says what is wrong with it, and has added nothing.
func (r *Recorder) Add(rec *Record) error {
	l, s := &r.log, r.log.objectives
	if l.records == MaxRecords {
		return fmt.Errorf("there are %d records, which is the most that a log has", MaxRecords)
	}
	if l.records > 0 {
		if err := checkStep(l.records, l.steps[l.records-1], rec.Step); err != nil {
			return err
		}
	}
	r.seconds = [...]float64{rec.Forward, rec.Backward}
	parts, bytes := [...]struct {
		name  string
		of    **block
		row   []float64
		width int
		must  bool
	}{
		{losses, &l.losses, rec.Losses, s, true}, {gramian, &l.gramian, rec.Gramian, s * s, true},
		{cross, &l.cross, rec.Cross, s * s, false}, {weights, &l.weights, rec.Weights, s, false}, {after, &l.after, rec.After, s, false},
		{forward, &l.forward, known(r.seconds[:1]), 1, false}, {backward, &l.backward, known(r.seconds[1:]), 1, false},
	}, int64(8)
	for _, p := range parts {
		has, had := p.row != nil, *p.of != nil
		switch {
		case p.must && !has:
			return arrayError(p.name, l.records, "it is missing")
		case l.records > 0 && has != had:
			return arrayError(p.name, l.records, "all records have one, or none has")
		case has && len(p.row) != p.width:
			return arrayError(p.name, l.records, "it has %d entries, expected are %d", len(p.row), p.width)
		case !algo.Finite(p.row):
			return arrayError(p.name, l.records, "a number is not finite")
		case has && p.row[0] < 0 && (p.name == forward || p.name == backward):
			return arrayError(p.name, l.records, "%g is no duration", p.row[0])
		}
		bytes += 8 * int64(len(p.row))
	}
	if err := r.checkGramian(rec.Gramian); err != nil {
		return arrayError(gramian, l.records, "%w", err)
	}
	rest := r.left
	if err := rest.spend(gramian, bytes); err != nil {
		return err
	}
	r.left = rest
	for _, p := range parts {
		if p.row == nil {
			continue
		}
		if p.name == gramian {
			p.row = r.one.gramian.double
		}
		if *p.of == nil {
			*p.of = &block{width: p.width}
		}
		(*p.of).double = append((*p.of).double, p.row...)
	}
	l.steps = append(l.steps, rec.Step)
	l.records++
	return nil
}

// known is a row of one number, nil for 0.
func known(v []float64) []float64 {
	if v[0] == 0 {
		return nil
	}
	return v
}

// checkGramian refuses a matrix that is no Gramian, and leaves in one what a log holds of it, which is symmetric.
func (r *Recorder) checkGramian(gramian []float64) error {
	if n := len(gramian); r.c == nil {
		r.c = make([]float64, n)
		r.one = Log{records: 1, objectives: r.log.objectives, gramian: &block{width: n, double: make([]float64, n)}}
	}
	copy(r.one.gramian.double, gramian)
	return r.one.checkGramian(0, r.c, nil)
}

// Log returns the log of the records so far, which are at least two, and of where trainings beside it ended. Records
// that are added later do not change it.
func (r *Recorder) Log(beside []Outcome) (*Log, error) {
	if r.log.records < 2 {
		return nil, fmt.Errorf("%w, a log has at least 2", errRecords(gramian, r.log.records))
	}
	out := r.log
	for _, b := range []**block{&out.losses, &out.gramian, &out.cross, &out.weights, &out.after, &out.forward, &out.backward} {
		*b = (*b).part(0, out.records)
		if *b != nil {
			(*b).double = slices.Clip((*b).double)
		}
	}
	out.steps = slices.Clip(out.steps)
	var err error
	if out.outcomes, err = newOutcomes(beside, out.objectives); err != nil {
		return nil, err
	}
	rest := r.left
	if o := out.outcomes; o != nil {
		bytes := 8*o.count*(3+2*out.objectives) + o.count*(textWidth(o.names)+textWidth(o.rules))
		if err := rest.spend(outcomeLosses, int64(bytes)); err != nil {
			return nil, err
		}
	}
	return &out, nil
}
