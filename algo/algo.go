// Package algo defines the vocabulary that problems, weightings and steppers share.
// It holds interfaces and plain data only; the mathematics is in the packages below
// it.
//
// Throughout, n is the number of variables and m the number of objectives, and
// everything is minimised. A Jacobian has m rows of n columns; row i is the
// gradient of objective i. A direction is subtracted: x ← x − η·direction.
package algo

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/internal/portable"
)

// Problem consists of m smooth objectives on R^n.
//
// Methods do not modify x, do not keep their arguments and do not allocate. A
// problem may hold scratch space, so a value must not be used by two goroutines at
// once.
type Problem interface {
	// Dims returns the number of variables n and of objectives m.
	Dims() (n, m int)
	// Values stores the m objective values at x (length n) in f (length m).
	Values(f, x []float64)
	// Jacobian stores the m×n exact Jacobian at x in jac.
	Jacobian(jac *Jacobian, x []float64)
}

// Sample identifies one draw of noise or one batch. The same Sample always gives
// the same numbers. It is plain data and is copied by value.
type Sample struct {
	Noise rand.PCG // state from which a problem draws its noise
	Batch []int    // indices of the examples used, nil for all
}

// Sampled is a Problem that can be evaluated on samples. PSMGD uses one sample
// twice, MoDo and SDMGrad take independent ones, and FAMO evaluates the losses
// twice on one.
type Sampled interface {
	Problem
	// ValuesAt is like Values, on one sample.
	ValuesAt(f, x []float64, s *Sample)
	// JacobianAt is like Jacobian, on one sample; it costs m backpropagations.
	JacobianAt(jac *Jacobian, x []float64, s *Sample)
	// WeightedGradientAt stores Σ_i w_i ∇f_i(x) on one sample in dst (length n). The result equals the combination of
	// JacobianAt's rows. It costs one backpropagation, unless SumGradientsOf says more.
	WeightedGradientAt(dst, w, x []float64, s *Sample)
}

// Partial is a Sampled that can compute part of one gradient.
type Partial interface {
	Sampled
	// GradientAt stores ∂f_i/∂x_lo … ∂f_i/∂x_{hi−1} at x on one sample in dst (length
	// hi−lo), for 0 ≤ i < m and 0 ≤ lo < hi ≤ n. These are the same entries of row i
	// of JacobianAt, bit for bit. It costs one backpropagation of hi−lo coordinates.
	GradientAt(dst []float64, i, lo, hi int, x []float64, s *Sample)
}

// Shared is a Sampled whose leading variables are shared by all objectives (a trunk). Each of the other variables belongs to
// one objective alone (its head). Objectives cannot conflict over variables that belong to one of them, so a rule decides by
// the gradients for the shared variables. A step follows this decision there; each of the other variables follows the
// gradient of the objective that it belongs to, regardless of that objective's weight.
type Shared interface {
	Sampled
	// Shared returns the number of shared variables, 1 ≤ Shared() ≤ n.
	Shared() int
	// SharedJacobianAt stores the gradients for the shared variables at x on one sample in jac, m×Shared(). It
	// stores in own (length n−Shared()), for each of the other variables, the derivative of the objective it
	// belongs to. It costs m backpropagations.
	SharedJacobianAt(jac *Jacobian, own, x []float64, s *Sample)
	// SharedGradientAt stores Σ_i w_i ∇f_i(x) on one sample in the first Shared() entries of dst (length n),
	// and the derivatives that SharedJacobianAt stores in own after them. It costs one backpropagation.
	SharedGradientAt(dst, w, x []float64, s *Sample)
}

// FiniteSum is a problem whose objectives are means over examples. On a Sample with
// a Batch they are the means over that batch.
type FiniteSum interface {
	Sampled
	// Examples returns the number N ≥ 1 of examples; the indices in a batch are
	// below it.
	Examples() int
}

// Bounded is a Problem in a box. Steppers that support one evaluate it only inside
// the box, and follow reduced gradients: see Jacobian.Reduce.
type Bounded interface {
	// Bounds returns the lower and upper bounds of the variables, each of length n,
	// possibly infinite. The caller must not modify them.
	Bounds() (lo, hi []float64)
}

// Jacobian is an m×n matrix in row-major order.
type Jacobian struct {
	Rows, Cols int
	Data       []float64 // length Rows·Cols
}

// NewJacobian returns a zero matrix of the given shape.
func NewJacobian(rows, cols int) *Jacobian {
	return &Jacobian{Rows: rows, Cols: cols, Data: make([]float64, rows*cols)}
}

// Row returns row i, which shares the matrix's storage.
func (j *Jacobian) Row(i int) []float64 {
	return j.Data[i*j.Cols : (i+1)*j.Cols : (i+1)*j.Cols]
}

// Gram stores J·Jᵀ, Rows×Rows in row-major order, in dst. It panics if dst has
// another length.
func (j *Jacobian) Gram(dst []float64) {
	if len(dst) != j.Rows*j.Rows {
		panic("algo: wrong length of Gramian")
	}
	if j.Cols >= longRow {
		j.gramInBlocks(dst, nil)
		return
	}
	for i := range j.Rows {
		a := j.Row(i)
		for k := i; k < j.Rows; k++ {
			v := dot(a, j.Row(k))
			dst[i*j.Rows+k] = v
			dst[k*j.Rows+i] = v
		}
	}
}

const (
	longRow = 32   // from this length on, the vectorised product and sum are worth the call
	block   = 1024 // columns processed together, so that all their rows stay in the cache
)

// gramInBlocks is Gram for long rows. It yields before every block of columns.
func (j *Jacobian) gramInBlocks(dst []float64, yielder *Yielder) {
	clear(dst)
	for lo := 0; lo < j.Cols; lo += block {
		hi := min(lo+block, j.Cols)
		yielder.Yield(j.Rows * j.Rows / 2 * (hi - lo))
		for i := range j.Rows {
			a := j.Row(i)[lo:hi]
			for k := i; k < j.Rows; k++ {
				dst[i*j.Rows+k] += portable.Dot(a, j.Row(k)[lo:hi])
			}
		}
	}
	for i := range j.Rows {
		for k := range i {
			dst[i*j.Rows+k] = dst[k*j.Rows+i]
		}
	}
}

// Combine stores Jᵀw in dst. It panics unless dst has length Cols and w length
// Rows.
func (j *Jacobian) Combine(dst, w []float64) {
	if len(dst) != j.Cols || len(w) != j.Rows {
		panic("algo: wrong length of combination")
	}
	clear(dst)
	for i, wi := range w {
		if wi == 0 {
			continue
		}
		if j.Cols >= longRow {
			portable.AddScaled(dst, wi, j.Row(i))
			continue
		}
		for c, v := range j.Row(i) {
			dst[c] += float64(wi * v)
		}
	}
}

// Reduce sets to zero the entries of J that would lead out of the box: J_ij where
// x_j is at its lower bound and J_ij > 0, or at its upper bound and J_ij < 0.
func (j *Jacobian) Reduce(x, lo, hi []float64) {
	for i := range j.Rows {
		row := j.Row(i)
		for c, v := range row {
			if v > 0 && x[c] <= lo[c] || v < 0 && x[c] >= hi[c] {
				row[c] = 0
			}
		}
	}
}

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

// Needs lists the data that a Weighting requires.
type Needs struct {
	Jacobian bool // the rows themselves, not only the Gramian
	Losses   bool // objective values at the current iterate
	Extra    int  // number of further independent samples of the Jacobian
	After    bool // losses after the step, through Observer
	// Blind means that the rule ignores gradients: it decides by losses, at random, or once and for all. Where gradients
	// are expensive, the caller may compute only their weighted sum, and Gram may hold any finite numbers.
	Blind bool
}

// Input holds the data on which a Weighting decides. Gram and Jacobian are always present,
// except that Jacobian may be nil for a rule that does not need it. The other fields are present
// if Needs asks for them.
//
// Squares of gradients below 1e-160 underflow and squares of those above 1e154 overflow. Gram
// and Jacobian may therefore hold the gradients divided by a common power of two, 2^Exponent,
// which SetGradients chooses. A rule's decision applies to the gradients themselves.
type Input struct {
	Gram     []float64 // m×m, row-major, the Gramian of Jacobian
	Jacobian *Jacobian // m×n, the gradients divided by 2^Exponent
	// Exponent is the power of two that divides Gram and Jacobian: the gradients are 2^Exponent
	// times the rows of Jacobian. It is 0, and Jacobian holds the gradients themselves, unless the
	// longest gradient is shorter than 2^-200 or longer than 2^200, about 6e-61 and 2e60.
	Exponent int
	Losses   []float64   // length m
	Extra    []*Jacobian // further samples of the gradients, never divided
	K        int         // iteration, from 0
	Yielder  *Yielder    // SetGradients yields to it between parts of a long Gramian; may be nil

	scaled *Jacobian // storage for Jacobian where the gradients are divided
}

// Between these bounds, the square of the longest gradient needs no division. They
// leave room for products of two entries of a Gramian.
const (
	leastSquare = 0x1p-400
	maxSquare   = 0x1p400
)

// SetGradients sets Jacobian, Gram and Exponent from the rows of j. If the diagonal of the
// Gramian is far from underflow and overflow, Gram is computed from j, and Exponent is 0.
// Otherwise the rows are divided by the power of two that brings their largest entry to between ½
// and 1, which loses no digits. It does not modify j, but keeps it if no division is needed. Gram
// is reused if it has length m².
//
// A j that is zero or not finite is not divided; its Gramian shows that. SetGradients allocates
// when Gram has another length, and at the first division.
func (in *Input) SetGradients(j *Jacobian) {
	if len(in.Gram) != j.Rows*j.Rows {
		in.Gram = make([]float64, j.Rows*j.Rows)
	}
	if j.Cols >= longRow {
		j.gramInBlocks(in.Gram, in.Yielder)
	} else {
		j.Gram(in.Gram)
	}
	in.Jacobian, in.Exponent = j, 0
	in.Rescale()
}

// Rescale does the same if Jacobian already holds the gradients, Gram their Gramian
// (unless it overflows), and Exponent is 0.
func (in *Input) Rescale() {
	j := in.Jacobian
	var square float64
	for i := 0; i < len(in.Gram); i += j.Rows + 1 {
		square = max(square, in.Gram[i])
	}
	if square >= leastSquare && square <= maxSquare {
		return
	}
	var largest float64
	for _, v := range j.Data {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || largest-largest != 0 {
		return
	}
	_, in.Exponent = math.Frexp(largest)
	if s := in.scaled; s == nil || s.Rows != j.Rows || s.Cols != j.Cols {
		in.scaled = NewJacobian(j.Rows, j.Cols)
	}
	for i, v := range j.Data {
		in.scaled.Data[i] = math.Ldexp(v, -in.Exponent)
	}
	in.Jacobian = in.scaled
	in.scaled.Gram(in.Gram)
}

// Combine stores Gᵀw in dst for the gradients G themselves, 2^Exponent included. It
// panics unless dst has length n and w length m. Entries of dst are infinite where the
// sum overflows.
func (in *Input) Combine(dst, w []float64) {
	in.Jacobian.Combine(dst, w)
	if in.Exponent == 0 {
		return
	}
	for i, v := range dst {
		dst[i] = math.Ldexp(v, in.Exponent)
	}
}

// Result is a Weighting's decision. It applies to the gradients themselves, for every Exponent of
// the input. The caller provides the storage: Weights of length m, Direction of length n (nil if
// only weights are needed), Effective of length m (nil if it is not needed).
type Result struct {
	Direction []float64
	// Weights are the rule's own weights. A rule without weights sets them to nil. A rule with weights
	// allocates them if they are nil.
	Weights []float64
	// Effective are coefficients c with Direction = Gᵀc, where G holds the gradients of
	// the input, the first of its samples. They equal the weights if the direction is
	// the sum of the gradients with these weights. A rule sets them to nil if its
	// direction is not a combination of these gradients.
	Effective []float64
	// Gap is the duality gap of the inner problem relative to its scale, or NaN if
	// there is none. Because it is relative, it does not underflow with the
	// gradients.
	Gap    float64
	Status Status
}

// Weighting turns gradients into weights, or directly into a direction. The
// Weighting decides, the Stepper evaluates.
type Weighting interface {
	Needs() Needs
	// Weigh stores its decision in r. It reports mathematical outcomes in r.Status.
	// An error means a fault, such as an input that lacks what Needs asks for.
	Weigh(r *Result, in *Input) error
	// Save appends everything that decides future results.
	Save(*Snapshot)
	// Load reads what Save appended, in the same order.
	Load(*Snapshot)
}

// Observer receives the losses before and after a committed step, on one sample.
type Observer interface {
	Observe(before, after []float64)
}

// Cost counts what a run has spent.
type Cost struct {
	Backpropagations      int // gradients of one scalar function
	GradientCoordinates   int // coordinates of those gradients
	HessianVectorProducts int
}

// View describes a Stepper now (K, X, F, Cost) and its step K−1 → K (the other fields, which are
// absent at K = 0). Its slices belong to the stepper and are valid until the next Step or Load.
//
// A stepper that moves several solutions stores one row for each in X, F, Weights and Direction.
// The number of rows never changes.
type View struct {
	K         int
	Solutions int       // number of rows of X and F, 1 for an ordinary stepper
	X         []float64 // Solutions rows of length n
	F         []float64 // Solutions rows of length m; noise-free
	Evaluated int       // the iteration that F belongs to: K, except in steppers that compute F only in some iterations
	Jacobian  *Jacobian // the sampled Jacobian of the step, nil when only a weighted gradient was computed
	Weights   []float64 // Solutions rows of length m, nil if the method has none; a row of zeros for a solution without weights in this step
	Direction []float64 // Solutions rows of length n, or only as many leading variables as the stepper moves
	StepSize  float64
	Refreshed bool // the weights were recomputed in this step
	Cost      Cost
	Diverged  Divergence // zero unless the run diverged
}

// Divergence tells where a run stopped being finite.
type Divergence struct {
	K        int    // the iteration whose step failed: the last good state is x_K
	Quantity string // the first quantity that was not finite, such as "gradient"
	// Objective is the first objective, from 1 to m, for which the quantity was not finite. It is 0 if the
	// quantity belongs to all objectives together.
	Objective int
}

// String tells what was not finite, for which objective, and in which step. It returns "" for the zero value.
func (d Divergence) String() string {
	if d == (Divergence{}) {
		return ""
	}
	what := d.Quantity
	switch {
	case d.Objective > 0 && what == "objective":
		what = fmt.Sprintf("value of objective %d", d.Objective)
	case d.Objective > 0:
		what = fmt.Sprintf("%s of objective %d", what, d.Objective)
	}
	return fmt.Sprintf("the %s was not finite in the step from k = %d", what, d.K)
}

// Stepper is one algorithm on one problem.
//
// Step commits a candidate only if the direction, the candidate and its losses are
// finite. Otherwise it returns Diverged and keeps the last good state. After the
// first call, Step and View do not allocate; nor does Save into a snapshot that is
// large enough.
type Stepper interface {
	Step() (Status, error)
	View() View
	// Save appends everything that decides future steps.
	Save(*Snapshot)
	// Load restores what Save appended; the following steps are the same bit for
	// bit.
	Load(*Snapshot)
}

// Snapshot is an append-only list of numbers, read back in the order written.
// The zero value is empty and ready to use.
type Snapshot struct {
	Floats []float64
	Words  []uint64

	floatsRead, wordsRead int
}

// Reset empties the snapshot and keeps its storage.
func (s *Snapshot) Reset() {
	s.Floats, s.Words = s.Floats[:0], s.Words[:0]
	s.Rewind()
}

// Rewind makes the next read start at the beginning.
func (s *Snapshot) Rewind() { s.floatsRead, s.wordsRead = 0, 0 }

// PutFloats appends v.
func (s *Snapshot) PutFloats(v ...float64) { s.Floats = append(s.Floats, v...) }

// PutWord appends w.
func (s *Snapshot) PutWord(w uint64) { s.Words = append(s.Words, w) }

// PutInt appends i.
func (s *Snapshot) PutInt(i int) { s.PutWord(uint64(int64(i))) }

// PutBool appends b.
func (s *Snapshot) PutBool(b bool) {
	var w uint64
	if b {
		w = 1
	}
	s.PutWord(w)
}

// GetFloats fills dst with the next floats. It panics if there are too few, which
// means that the snapshot belongs to another stepper.
func (s *Snapshot) GetFloats(dst []float64) {
	if len(s.Floats)-s.floatsRead < len(dst) {
		panic("algo: snapshot has too few floats")
	}
	copy(dst, s.Floats[s.floatsRead:])
	s.floatsRead += len(dst)
}

// GetFloat returns the next float.
func (s *Snapshot) GetFloat() float64 {
	if s.floatsRead >= len(s.Floats) {
		panic("algo: snapshot has too few floats")
	}
	s.floatsRead++
	return s.Floats[s.floatsRead-1]
}

// GetWord returns the next word.
func (s *Snapshot) GetWord() uint64 {
	if s.wordsRead >= len(s.Words) {
		panic("algo: snapshot has too few words")
	}
	s.wordsRead++
	return s.Words[s.wordsRead-1]
}

// GetInt returns the next integer.
func (s *Snapshot) GetInt() int { return int(int64(s.GetWord())) }

// GetBool returns the next boolean.
func (s *Snapshot) GetBool() bool { return s.GetWord() != 0 }

// Finite reports whether no element of v is NaN or infinite.
func Finite(v []float64) bool {
	if len(v) >= longRow {
		// A sum of squares is finite only if all entries are; it may also overflow for finite ones.
		if s := portable.Dot(v, v); s-s == 0 {
			return true
		}
	}
	// a−a is 0 for finite numbers and NaN for all others. Eight are summed per
	// branch.
	for ; len(v) >= 8; v = v[8:] {
		a := v[:8]
		if ((a[0]-a[0])+(a[1]-a[1]))+((a[2]-a[2])+(a[3]-a[3]))+((a[4]-a[4])+(a[5]-a[5]))+((a[6]-a[6])+(a[7]-a[7])) != 0 {
			return false
		}
	}
	for _, a := range v {
		if a-a != 0 {
			return false
		}
	}
	return true
}
