package runlog

import (
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Record is one record of a log, at the parameters before a step.
type Record struct {
	Step    int64     // number of the step; increases from record to record
	Losses  []float64 // S losses on the batch of the step
	Gramian []float64 // S×S products of the gradients for the shared parameters

	// Each of the following fields must be set in all records of a log, or nil in all of them.
	Cross   []float64 // S×S: D_ij = g_i·g'_j, with gradients g' on another, independent batch
	Weights []float64 // S weights that the step applied
	After   []float64 // S losses on the same batch, after the step

	// Forward and Backward are the durations in seconds of a forward pass and of one objective's backward pass. If
	// unknown, they are 0 in all records.
	Forward, Backward float64
}

// Recorder collects records in memory, and builds a log from them. Add rejects every record that Read would reject.
type Recorder struct {
	log  Log
	left budget

	one     Log // scratch space for the Gramian that Add checks
	c       []float64
	seconds [2]float64
}

// NewRecorder returns a recorder without records. objectives contains the names of the objectives, from 1 to
// MaxObjectives. The argument most limits the size of the log in bytes, both in memory and as a file, for example to
// PageBytes.
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

// RecordBytes returns the size in bytes of a record of s objectives with all optional fields.
func RecordBytes(s int) int64 { return 8 * int64(2*s*s+3*s+3) }

// Records returns how many records have been added.
func (r *Recorder) Records() int { return r.log.records }

// Add adds a copy of a record. If the record is invalid, Add returns an error and adds nothing.
func (r *Recorder) Add(rec *Record) error {
	l, s := &r.log, r.log.objectives
	if l.records == MaxRecords {
		return fmt.Errorf("the log already has the maximum of %d records", MaxRecords)
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
			return arrayError(p.name, l.records, "all records must have one, or none")
		case has && len(p.row) != p.width:
			return arrayError(p.name, l.records, "it has %d entries, but must have %d", len(p.row), p.width)
		case !algo.Finite(p.row):
			return arrayError(p.name, l.records, "a number is not finite")
		case has && p.row[0] < 0 && (p.name == forward || p.name == backward):
			return arrayError(p.name, l.records, "%g is not a duration", p.row[0])
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

// known returns v, a row of one number, or nil if the number is 0.
func known(v []float64) []float64 {
	if v[0] == 0 {
		return nil
	}
	return v
}

// checkGramian returns an error if a matrix cannot be a Gramian. It stores in r.one the symmetric matrix for the log.
func (r *Recorder) checkGramian(gramian []float64) error {
	if n := len(gramian); r.c == nil {
		r.c = make([]float64, n)
		r.one = Log{records: 1, objectives: r.log.objectives, gramian: &block{width: n, double: make([]float64, n)}}
	}
	copy(r.one.gramian.double, gramian)
	return r.one.checkGramian(0, r.c, nil)
}

// Log returns a log of the records so far, with the given outcomes of other training runs. It returns an error if there
// are fewer than two records. Records added later do not change the log.
func (r *Recorder) Log(beside []Outcome) (*Log, error) {
	if r.log.records < 2 {
		return nil, fmt.Errorf("%w; a log has at least 2", errRecords(gramian, r.log.records))
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
