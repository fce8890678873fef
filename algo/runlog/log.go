package runlog

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"paretoplay/algo"
)

// These are the limits of a log. The limits in bytes apply separately to the file and to its numbers in memory.
const (
	MaxObjectives = 200
	MaxRecords    = 200_000
	NativeBytes   = 256 << 20 // limit on the command line
	PageBytes     = 64 << 20  // limit in the page
)

// These are the names of a log's arrays in files.
const (
	losses   = "losses"
	gramian  = "gramian"
	jacobian = "jacobian"
	cross    = "cross"
	weights  = "weights"
	after    = "after"
	step     = "step"
	names    = "names"
	forward  = "forward_seconds"
	backward = "backward_seconds"

	outcomeNames     = "outcome_names"
	outcomeRules     = "outcome_rules"
	outcomePeriods   = "outcome_periods"
	outcomeBackprops = "outcome_backprops"
	outcomeLosses    = "outcome_losses"
	outcomeAccuracy  = "outcome_accuracy"
	outcomeSteps     = "outcome_steps"

	seed    = "seed"     // in lines for the weigh command
	leftOut = "left_out" // in files of the recorder for PyTorch: steps without a record
)

// block is one array of a log, with T rows. The field width is the length of a row. Numbers in single precision stay
// in single precision, so that a log needs no more memory than its unpacked file.
type block struct {
	width  int
	single []float32
	double []float64
}

// row returns row t. It uses dst only if the row must be converted.
func (b *block) row(dst []float64, t int) []float64 {
	if b.single == nil {
		return b.double[t*b.width : (t+1)*b.width : (t+1)*b.width]
	}
	dst = dst[:b.width]
	for i, v := range b.single[t*b.width : (t+1)*b.width] {
		dst[i] = float64(v)
	}
	return dst
}

// at returns the number with index i.
func (b *block) at(i int) float64 {
	if b.single == nil {
		return b.double[i]
	}
	return float64(b.single[i])
}

func (b *block) set(i int, v float64) {
	if b.single == nil {
		b.double[i] = v
		return
	}
	b.single[i] = float32(v)
}

// part returns rows lo to hi−1.
func (b *block) part(lo, hi int) *block {
	if b == nil {
		return nil
	}
	out := &block{width: b.width}
	if b.single == nil {
		out.double = b.double[lo*b.width : hi*b.width]
	} else {
		out.single = b.single[lo*b.width : hi*b.width]
	}
	return out
}

// Log is a validated and complete log of T records of S objectives. It is immutable, so several goroutines may read it.
type Log struct {
	records, objectives, variables int

	losses, gramian, jacobian, cross, weights, after, forward, backward *block

	steps    []int64
	names    []string
	outcomes *outcomes // nil if there are none
	ignored  []string
	leftOut  []LeftOut
	notes    []string // sentences about information that the file's tracker lost

	unordered string // the tracker that lost the order of the losses; "" if the order is known
}

// Records returns T ≥ 2.
func (l *Log) Records() int { return l.records }

// Objectives returns S, from 1 to MaxObjectives.
func (l *Log) Objectives() int { return l.objectives }

// Variables returns d, the number of shared parameters. It returns 0 if the log has no Jacobians, so that d is unknown.
func (l *Log) Variables() int { return l.variables }

// Names returns the names of the objectives. If the log has no names, Names returns "1", "2", …. The slice must not
// be modified.
func (l *Log) Names() []string { return l.names }

// Ignored returns the names of the entries in the file that were not read.
func (l *Log) Ignored() []string { return l.ignored }

// Step returns t_k, the number of the step that follows record k. Records are counted from 0.
func (l *Log) Step(k int) int64 { return l.steps[k] }

// Find returns the index of the first record at or after the given step. If there is none, it returns the number of
// records.
func (l *Log) Find(step int64) int {
	return sort.Search(l.records, func(k int) bool { return l.steps[k] >= step })
}

// Stride returns the median number of steps between records. If every n-th step was recorded, the stride is n.
func (l *Log) Stride() int64 {
	gaps := make([]int64, l.records-1)
	for k := range gaps {
		gaps[k] = l.steps[k+1] - l.steps[k]
	}
	slices.Sort(gaps)
	return gaps[(len(gaps)-1)/2]
}

// HasLosses reports whether the log has losses. A file that contains only Gramians gives a log without losses.
func (l *Log) HasLosses() bool { return l.losses != nil }

// HasJacobian reports whether the log has the gradients themselves.
func (l *Log) HasJacobian() bool { return l.jacobian != nil }

// HasCross reports whether the log has the products with gradients on another, independent batch.
func (l *Log) HasCross() bool { return l.cross != nil }

// HasWeights reports whether the log has the weights that the run applied.
func (l *Log) HasWeights() bool { return l.weights != nil }

// HasAfter reports whether the log has the losses after each step.
func (l *Log) HasAfter() bool { return l.after != nil }

// HasSeconds reports whether the log has the times of both a forward and a backward pass.
func (l *Log) HasSeconds() bool { return l.forward != nil && l.backward != nil }

// Losses returns the S losses of record k, or nil if the log has none. The result is dst, of length S, or storage
// of the log, which must not be modified.
func (l *Log) Losses(dst []float64, k int) []float64 { return optional(l.losses, dst, k) }

// After returns the losses of record k after the step. See Losses for dst and the result.
func (l *Log) After(dst []float64, k int) []float64 { return optional(l.after, dst, k) }

// Weights returns the weights that the run applied in the step of record k. See Losses for dst and the result. By
// definition of the format, a log without weights comes from a run with equal weights.
func (l *Log) Weights(dst []float64, k int) []float64 { return optional(l.weights, dst, k) }

func optional(b *block, dst []float64, k int) []float64 {
	if b == nil {
		return nil
	}
	return b.row(dst, k)
}

// Seconds returns the durations in seconds of one forward pass and of one objective's backward pass, as means over
// the records. It returns zeros if the log has no times.
func (l *Log) Seconds() (forwards, backwards float64) {
	if !l.HasSeconds() {
		return 0, 0
	}
	n := float64(l.records)
	for k := range l.records {
		forwards += l.forward.at(k) / n
		backwards += l.backward.at(k) / n
	}
	return forwards, backwards
}

// Products stores in dst the Gramian of record k, S×S, divided by 4^exponent. The gradients are 2^exponent times
// vectors with these products. The exponent scales the largest product to a number from ¼ to 1, so that later
// computations do not overflow. It is 0 if all products are zero.
func (l *Log) Products(dst []float64, k int) (exponent int) {
	if l.gramian == nil {
		var rows []float64
		if l.jacobian.single != nil {
			rows = make([]float64, l.jacobian.width)
		}
		in := algo.Input{Gram: dst}
		in.SetGradients(&algo.Jacobian{Rows: l.objectives, Cols: l.variables, Data: l.jacobian.row(rows, k)})
		return in.Exponent + normalise(dst)
	}
	copy(dst, l.gramian.row(dst, k))
	return normalise(dst)
}

// normalise divides v by the power of four that scales its largest entry to a number from ¼ to 1, and returns the exponent.
func normalise(v []float64) int {
	largest := 0.0
	for _, a := range v {
		largest = max(largest, math.Abs(a))
	}
	if largest == 0 {
		return 0
	}
	_, e := math.Frexp(largest)
	half := e / 2
	if e > 0 && e%2 != 0 {
		half++
	}
	if half == 0 {
		return 0
	}
	for i, a := range v {
		v[i] = math.Ldexp(a, -2*half)
	}
	return half
}

// Cross stores in dst, S×S, the products of record k with gradients on the other batch, D_ij = g_i·g'_j, divided by
// 4^exponent. Pass the exponent that Products returned. Cross reports whether the log has these products.
func (l *Log) Cross(dst []float64, k, exponent int) bool {
	if l.cross == nil {
		return false
	}
	const limit = 1e300 // keeps sums finite even if the batches are very different
	copy(dst, l.cross.row(dst, k))
	if exponent != 0 {
		for i, v := range dst {
			dst[i] = max(-limit, min(math.Ldexp(v, -2*exponent), limit))
		}
	}
	return true
}

// Gradients stores in dst, S×d, the Jacobian of record k. It reports whether the log has Jacobians.
func (l *Log) Gradients(dst *algo.Jacobian, k int) bool {
	if l.jacobian == nil {
		return false
	}
	copy(dst.Data, l.jacobian.row(dst.Data, k))
	return true
}

// Between returns the part of the log from step first to step last, inclusive. The part shares the log's storage.
// Between returns an error if the part has fewer than two records.
func (l *Log) Between(first, last int64) (*Log, error) {
	lo, hi := l.Find(first), l.records
	if last < math.MaxInt64 {
		hi = l.Find(last + 1)
	}
	if hi-lo < 2 {
		part := fmt.Sprintf("from step %d to step %d", first, last)
		switch {
		case last == math.MaxInt64:
			part = fmt.Sprintf("from step %d on", first)
		case first == math.MinInt64:
			part = fmt.Sprintf("up to step %d", last)
		}
		return nil, fmt.Errorf("%d records are %s; at least two are needed, and the log is from step %d to step %d",
			max(hi-lo, 0), part, l.steps[0], l.steps[l.records-1])
	}
	out := *l
	out.records, out.steps = hi-lo, l.steps[lo:hi]
	for _, b := range []**block{&out.losses, &out.gramian, &out.jacobian, &out.cross, &out.weights, &out.after, &out.forward, &out.backward} {
		*b = (*b).part(lo, hi)
	}
	return &out, nil
}

// numbered returns the default names of n objectives: the numbers from 1 to n.
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i + 1)
	}
	return out
}
