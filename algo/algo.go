// Package algo defines the vocabulary that problems, weightings and steppers share. It contains only interfaces and
// plain data; its subpackages contain the mathematics.
//
// Throughout, n is the number of variables and m the number of objectives. All objectives are minimised. A Jacobian
// is an m×n matrix whose row i is the gradient of objective i. Steppers subtract directions: x ← x − η·direction.
package algo

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/internal/portable"
)

// Problem consists of m smooth objectives on R^n.
//
// Methods must not modify x, keep their arguments or allocate. A problem may contain scratch space, so it is not safe
// for concurrent use.
type Problem interface {
	// Dims returns the number of variables n and of objectives m.
	Dims() (n, m int)
	// Values stores the m objective values at x (length n) in f (length m).
	Values(f, x []float64)
	// Jacobian stores the exact m×n Jacobian at x in jac.
	Jacobian(jac *Jacobian, x []float64)
}

// Sample identifies one draw of noise or one batch. Evaluating a problem on the same Sample again gives the same
// results. A Sample is plain data and may be copied.
type Sample struct {
	Noise rand.PCG // generator from which a problem draws its noise
	Batch []int    // indices of the examples used; nil means all examples
}

// Sampled is a Problem that can be evaluated on samples. PSMGD uses one sample twice, MoDo and SDMGrad draw
// independent samples, and FAMO evaluates the losses twice on the same sample.
type Sampled interface {
	Problem
	// ValuesAt is like Values, but evaluates the objectives on one sample.
	ValuesAt(f, x []float64, s *Sample)
	// JacobianAt is like Jacobian, but evaluates the gradients on one sample. It costs m backpropagations.
	JacobianAt(jac *Jacobian, x []float64, s *Sample)
	// WeightedGradientAt stores Σ_i w_i ∇f_i(x) on one sample in dst (length n). The result equals the same combination
	// of JacobianAt's rows. The call costs as many backpropagations as SumGradientsOf returns, usually one.
	WeightedGradientAt(dst, w, x []float64, s *Sample)
}

// Partial is a Sampled problem that can compute parts of a single gradient.
type Partial interface {
	Sampled
	// GradientAt stores ∂f_i/∂x_lo … ∂f_i/∂x_{hi−1} at x on one sample in dst (length hi−lo), for 0 ≤ i < m and
	// 0 ≤ lo < hi ≤ n. The stored numbers equal the entries in row i of JacobianAt, bit for bit. The call costs one
	// backpropagation of hi−lo coordinates.
	GradientAt(dst []float64, i, lo, hi int, x []float64, s *Sample)
}

// Shared is a Sampled problem whose objectives share the leading variables (the trunk). Each of the other variables
// belongs to the head of one objective only. Objectives cannot conflict over the variables of a head, so a rule bases
// its decision only on the gradients for the shared variables. A step moves the shared variables along the direction
// that the rule chooses. It moves every other variable along the gradient of that variable's objective, whose weight
// does not matter.
type Shared interface {
	Sampled
	// Shared returns the number of shared variables, 1 ≤ Shared() ≤ n.
	Shared() int
	// SharedJacobianAt stores the gradients for the shared variables at x on one sample in jac, a matrix of shape
	// m×Shared(). In own (length n−Shared()) it stores, for each of the other variables, the derivative of that
	// variable's objective. It costs m backpropagations.
	SharedJacobianAt(jac *Jacobian, own, x []float64, s *Sample)
	// SharedGradientAt stores Σ_i w_i ∇f_i(x) on one sample in the first Shared() entries of dst (length n), and after
	// them the derivatives that SharedJacobianAt stores in own. It costs one backpropagation.
	SharedGradientAt(dst, w, x []float64, s *Sample)
}

// FiniteSum is a problem whose objectives are means over examples. If a Sample has a Batch, they are means over that
// batch.
type FiniteSum interface {
	Sampled
	// Examples returns the number N ≥ 1 of examples. The indices in a batch are from 0 to N−1.
	Examples() int
}

// Bounded is a Problem whose variables have bounds. Steppers that support bounds evaluate the problem only within the
// bounds and follow reduced gradients: see Jacobian.Reduce.
type Bounded interface {
	// Bounds returns the lower and upper bounds of the variables, each of length n. Bounds may be infinite. The
	// caller must not modify them.
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

// Row returns row i as a slice that shares the matrix's storage.
func (j *Jacobian) Row(i int) []float64 {
	return j.Data[i*j.Cols : (i+1)*j.Cols : (i+1)*j.Cols]
}

// Gram stores the Rows×Rows matrix J·Jᵀ in dst, in row-major order. It panics unless dst has length Rows².
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
	longRow = 32   // minimum length at which the vectorised product and sum are faster
	block   = 1024 // number of columns processed together, so that this part of every row stays in the cache
)

// gramInBlocks does the same as Gram for long rows. It yields before every block of columns.
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

// Combine stores Jᵀw in dst. It panics unless dst has length Cols and w has length Rows.
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

// Reduce sets to zero the entries of J along which a step would leave the box. It clears J_ij if x_j is at its lower
// bound and J_ij > 0, or at its upper bound and J_ij < 0.
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
	Jacobian bool // the gradients, not only their Gramian
	Losses   bool // objective values at the current iterate
	Extra    int  // number of further independent samples of the Jacobian
	After    bool // losses after the step, passed to Observer
	// Blind is true if the rule ignores gradients: its weights depend on losses, are random, or are fixed. The caller
	// may then compute only the weighted sum of the gradients, to save time, and Gram may contain any finite numbers.
	Blind bool
}

// Input holds the data on which a Weighting bases its decision. Gram is always set. Jacobian may be nil only if the
// rule does not need it. The other fields are set if the rule's Needs request them.
//
// The squared length of a gradient underflows if the gradient is shorter than 1e-160, and overflows if it is longer
// than 1e154. Gram and Jacobian may therefore refer to the gradients divided by a common power of two, 2^Exponent,
// which SetGradients chooses. A rule's decision always applies to the undivided gradients.
type Input struct {
	Gram     []float64 // m×m, row-major, the Gramian of Jacobian
	Jacobian *Jacobian // m×n, the gradients divided by 2^Exponent
	// Exponent is the power of two that divides Gram and Jacobian: the gradients are 2^Exponent times the rows of
	// Jacobian. It is 0 unless the longest gradient is shorter than 2^-200 (about 6e-61) or longer than 2^200 (about
	// 2e60).
	Exponent int
	Losses   []float64   // length m
	Extra    []*Jacobian // further samples of the gradients, which are never divided
	K        int         // iteration, counted from 0
	Yielder  *Yielder    // lets SetGradients yield while it computes a long Gramian; may be nil

	scaled *Jacobian // storage for Jacobian if the gradients are divided
}

// If the squared length of the longest gradient is within these bounds, gradients need no division. Products of two
// entries of the Gramian are then also within the range of float64.
const (
	leastSquare = 0x1p-400
	maxSquare   = 0x1p400
)

// SetGradients sets Jacobian, Gram and Exponent from the rows of j. If the diagonal of the Gramian is far from
// underflow and overflow, it computes Gram from j and sets Exponent to 0. Otherwise it divides the rows by a power of
// two, which loses no digits. The largest entry of the divided rows is between ½ and 1. SetGradients does not modify j,
// but keeps it if no division is needed. It reuses Gram if its length is m².
//
// It does not divide a matrix that is zero or not finite; the Gramian is then zero or not finite too. SetGradients
// allocates if the length of Gram is not m², and at the first division.
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

// Rescale does the same as SetGradients for an input that is already set: Jacobian holds the gradients, Gram holds
// their Gramian (unless it overflows), and Exponent is 0.
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

// Combine stores Gᵀw in dst, where G holds the undivided gradients: it multiplies by 2^Exponent. It panics unless dst
// has length n and w has length m. An entry of dst is infinite if its sum overflows.
func (in *Input) Combine(dst, w []float64) {
	in.Jacobian.Combine(dst, w)
	if in.Exponent == 0 {
		return
	}
	for i, v := range dst {
		dst[i] = math.Ldexp(v, in.Exponent)
	}
}

// Result is a Weighting's decision. It applies to the undivided gradients, whatever the input's Exponent. The caller
// provides the storage: Weights of length m, Direction of length n and Effective of length m. Direction and Effective
// may be nil if the caller does not need them.
type Result struct {
	Direction []float64
	// Weights are the weights that the rule determines. A rule without weights sets Weights to nil. A rule with
	// weights allocates the slice if it is nil.
	Weights []float64
	// Effective holds coefficients c with Direction = Gᵀc, where G holds the gradients on the input's first sample.
	// They equal the weights if the direction is the weighted sum of the gradients. A rule sets Effective to nil if
	// its direction is not a combination of these gradients.
	Effective []float64
	// Gap is the duality gap of the inner problem relative to its scale, or NaN if the rule solves no inner problem.
	// It is relative so that it does not underflow if the gradients are small.
	Gap    float64
	Status Status
}

// Weighting computes weights from gradients, or computes a direction without weights. It does not evaluate the problem;
// the Stepper does.
type Weighting interface {
	Needs() Needs
	// Weigh stores its decision in r. It reports mathematical outcomes in r.Status. It returns an error for faults,
	// such as an input without the data that Needs requests.
	Weigh(r *Result, in *Input) error
	// Save appends the state that determines future results.
	Save(*Snapshot)
	// Load restores the state that Save appended, reading it in the same order.
	Load(*Snapshot)
}

// Observer receives the losses before and after a committed step, both on the same sample.
type Observer interface {
	Observe(before, after []float64)
}

// Cost counts the gradients that a run has computed.
type Cost struct {
	Backpropagations      int // gradients of one scalar function
	GradientCoordinates   int // coordinates of those gradients
	HessianVectorProducts int
}

// View describes the current state of a Stepper and its last step. Jacobian, Weights, Direction, StepSize and Refreshed
// describe the step from K−1 to K, and are unset at K = 0. The other fields describe the current state. The slices
// belong to the stepper and are valid until its next Step or Load.
//
// A stepper that moves several solutions stores one row per solution in X, F, Weights and Direction. The number of
// rows never changes.
type View struct {
	K         int
	Solutions int       // number of rows of X and F; 1 for a stepper with a single solution
	X         []float64 // Solutions rows of length n
	F         []float64 // Solutions rows of length m; noise-free
	Evaluated int       // iteration at which F was computed: K, or less if the stepper does not compute F in every iteration
	Jacobian  *Jacobian // sampled Jacobian of the step; nil if the step computed only a weighted gradient
	Weights   []float64 // Solutions rows of length m; nil if the method has no weights; zeros for a solution without weights in this step
	Direction []float64 // Solutions rows of length n, or shorter if the stepper moves only the leading variables
	StepSize  float64
	Refreshed bool // whether the step recomputed the weights
	Cost      Cost
	Diverged  Divergence // zero value unless the run diverged
}

// Divergence describes where a quantity of a run became infinite or NaN.
type Divergence struct {
	K        int    // iteration whose step failed; the last good state is x_K
	Quantity string // first quantity that was not finite, such as "gradient"
	// Objective is the first objective, from 1 to m, whose quantity was not finite. It is 0 if the quantity does not
	// belong to a single objective.
	Objective int
}

// String returns a sentence that names the quantity, the objective and the step. It returns "" for the zero value.
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

// Stepper runs one algorithm on one problem.
//
// Step accepts the next iterate only if the direction, the iterate and its losses are finite. Otherwise it returns
// Diverged and keeps the last good state. After the first call, Step and View do not allocate. Save does not allocate
// if the snapshot is large enough.
type Stepper interface {
	Step() (Status, error)
	View() View
	// Save appends the state that determines future steps.
	Save(*Snapshot)
	// Load restores the state that Save appended. The following steps then repeat bit for bit.
	Load(*Snapshot)
}

// Snapshot is an append-only list of numbers that are read back in the order of writing. The zero value is an empty
// snapshot, ready to use.
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

// Rewind sets the read position back to the beginning.
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

// GetFloats fills dst with the next floats. It panics if too few are left, which means that the snapshot belongs to
// another stepper.
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

// Finite reports whether all elements of v are finite.
func Finite(v []float64) bool {
	if len(v) >= longRow {
		// A sum of squares is finite only if all entries are finite, but it may overflow for finite entries too.
		if s := portable.Dot(v, v); s-s == 0 {
			return true
		}
	}
	// a−a is 0 for finite numbers and NaN otherwise. Summing eight differences saves branches.
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
