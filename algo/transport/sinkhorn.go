package transport

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Iterative is a Solver that can be watched. Call Begin, then Iterate any number of times. Read stores the current plan
// at any time after Begin.
type Iterative interface {
	Solver
	// Begin starts a task from the result of the last call, or cold if there is no usable result. The solver keeps a
	// pointer to t until the next Begin. The error comes from Task.Check.
	Begin(t *Task) error
	// Iterate performs one iteration, such as a pivot or a scaling of all rows and columns.
	Iterate()
	// Read stores the current plan, which may not meet the marginals yet. Its potentials are feasible, so Σ a_i
	// u_i + Σ b_j v_j is a lower bound on the least cost. Read does not affect later iterations.
	Read(p *Plan)
	// Done reports whether the solver's stopping criterion is met.
	Done() bool
}

const (
	// DefaultEpsilon is the default ε of Sinkhorn, relative to the range of the costs.
	DefaultEpsilon = 0.05
	// DefaultLimit is the default maximum number of iterations per call.
	DefaultLimit = 10000

	// leastRegularization and maxRegularization bound ε and β.
	leastRegularization, maxRegularization = 1e-9, 1e9

	marginalTolerance = 1e-9 // relative to the sum of masses
)

// SinkhornConfig contains the parameters of NewSinkhorn. The zero value selects the defaults.
type SinkhornConfig struct {
	// Epsilon is ε relative to the range of the costs, largest − least. A larger ε blurs the plan more. Epsilon must be
	// between 1e-9 and 1e9; 0 means DefaultEpsilon. Because ε is relative, shifting or scaling all costs does not
	// change the plan.
	Epsilon float64
	// Limit is the maximum number of iterations per call, ≥ 1; 0 means DefaultLimit.
	Limit int
}

// Sinkhorn finds the plan that minimises Σ Γ_ij C_ij + ε Σ Γ_ij (log Γ_ij − 1). An entry is positive if the masses
// of its row and column are positive. A larger ε blurs the plan more. Sinkhorn scales rows and columns in turn, in
// the log domain:
//
//	f_i ← log a_i − log Σ_j exp(g_j − C_ij/ε),  g_j ← log b_j − log Σ_i exp(f_i − C_ij/ε)
//
// and Γ_ij = exp(f_i + g_j − C_ij/ε). It stops when the marginal error is below 1e-9 of the mass. The next call
// with the same shape starts from the final g.
//
// Cuturi (2013), Sinkhorn distances: lightspeed computation of optimal transport;
// Peyré & Cuturi (2019), Computational optimal transport, section 4.4.
type Sinkhorn struct {
	scaling
	epsilon float64
	limit   int
}

var _ Iterative = (*Sinkhorn)(nil)

// NewSinkhorn returns a solver whose first call starts cold. Any error is an *algo.RangeError.
func NewSinkhorn(c SinkhornConfig) (*Sinkhorn, error) {
	epsilon, err := regularization("eps", c.Epsilon, DefaultEpsilon)
	if err != nil {
		return nil, err
	}
	limit, err := iterationLimit(c.Limit)
	if err != nil {
		return nil, err
	}
	return &Sinkhorn{epsilon: epsilon, limit: limit}, nil
}

func regularization(name string, value, byDefault float64) (float64, error) {
	switch {
	case value == 0:
		return byDefault, nil
	case !(value >= leastRegularization && value <= maxRegularization):
		return 0, &algo.RangeError{Name: name, Value: value,
			Allowed: fmt.Sprintf("from %g to %g, relative to the range of the costs", leastRegularization, maxRegularization)}
	}
	return value, nil
}

func iterationLimit(limit int) (int, error) {
	switch {
	case limit == 0:
		return DefaultLimit, nil
	case limit < 0:
		return 0, &algo.RangeError{Name: "limit", Value: limit, Allowed: "at least 1"}
	}
	return limit, nil
}

// Begin starts a task from the result of the last call, or cold if there is no usable result.
func (s *Sinkhorn) Begin(t *Task) error { return s.begin(t, s.epsilon) }

// Iterate scales the rows and then the columns.
func (s *Sinkhorn) Iterate() { s.sweep() }

// Done reports whether the marginal error is below 1e-9 of the mass.
func (s *Sinkhorn) Done() bool { return s.met() }

// Read stores the current plan in p. Before the first iteration, the plan is exp(g_j − C_ij/ε) with scaled rows.
func (s *Sinkhorn) Read(p *Plan) {
	if s.iterations == 0 {
		s.scaleRows()
	}
	s.read(p, s.Done())
}

// Solve iterates until Done returns true or the limit is reached.
func (s *Sinkhorn) Solve(p *Plan, t *Task) error { return solve(s, p, t, s.limit, s.yielder) }

// Save appends the scalings of the last iteration.
func (s *Sinkhorn) Save(to *algo.Snapshot) { s.save(to) }

// Load restores what Save appended. After a Begin with the same task, iterations continue as they would have
// continued after Save.
func (s *Sinkhorn) Load(from *algo.Snapshot) { s.load(from) }

func solve(s Iterative, p *Plan, t *Task, limit int, yielder *algo.Yielder) error {
	if err := s.Begin(t); err != nil {
		return err
	}
	const each = 16 // units of work per cell: computing and using an exponential
	for range limit {
		yielder.Yield(each * len(t.Cost))
		s.Iterate()
		if s.Done() {
			break
		}
	}
	s.Read(p)
	return nil
}

// scaling is the common part of Sinkhorn and IPOT. It is an n×m matrix exp(logits), whose rows and columns are
// scaled in turn by exp(f) and exp(g). Rows and columns without mass are scaled by 0.
type scaling struct {
	shape
	task       *Task
	started    bool
	yielder    *algo.Yielder
	iterations int
	rowError   float64 // Σ_i |Σ_j Γ_ij − a_i| after the last sweep, which meets the columns' masses exactly

	kernel     []float64 // −(C − least C)/(regularization·range)
	logits     []float64 // the kernel; for IPOT, the kernel plus the logarithm of the previous plan
	logA, logB []float64
	f, g       []float64
	mass       []float64
	column     []float64 // the columns' sums, later their factors
	unit       float64   // unit of the potentials: regularization·range of the divided costs
}

// SetYielder sets a yielder that Solve calls before every iteration.
func (s *scaling) SetYielder(b *algo.Yielder) { s.yielder = b }

// Forget makes the next call start cold.
func (s *scaling) Forget() { s.started = false }

// begin starts a task. It starts cold if the shape differs from the last task's.
func (s *scaling) begin(t *Task, regularization float64) error {
	if err := t.Check(); err != nil {
		return err
	}
	if n, m := len(t.A), len(t.B); n != s.n || m != s.m {
		s.started = false
		s.resize(n, m)
	}
	s.task = t
	s.measure(t)
	least, most := math.Inf(1), math.Inf(-1)
	for i, c := range t.Cost {
		c = c * s.down * s.downAgain // in this order, because the product of both factors may overflow
		s.kernel[i] = c
		least, most = min(least, c), max(most, c)
	}
	s.unit = regularization * (most - least)
	for i, c := range s.kernel {
		s.kernel[i] = 0
		if most > least {
			s.kernel[i] = (least - c) / (most - least) / regularization
		}
	}
	for i, a := range t.A {
		s.logA[i] = portable.Log(a / s.total)
	}
	for j, b := range s.balanced {
		s.logB[j] = portable.Log(b / s.total)
		switch {
		case b == 0:
			s.g[j] = math.Inf(-1)
		case !s.started || math.IsInf(s.g[j], -1):
			s.g[j] = 0
		}
	}
	s.iterations, s.rowError = 0, math.Inf(1)
	return nil
}

func (s *scaling) resize(n, m int) {
	s.shape.resize(n, m)
	s.kernel, s.mass = make([]float64, n*m), make([]float64, n*m)
	s.logits = s.kernel
	s.logA, s.logB = make([]float64, n), make([]float64, m)
	s.f, s.g, s.column = make([]float64, n), make([]float64, m), make([]float64, m)
}

// underflow is the fraction of the mass below which the sum of a column loses digits.
const underflow = 1e-150

// sweep scales the rows and then the columns. It computes the columns' sums from the rows' exponentials, except for
// columns whose sums have underflowed.
func (s *scaling) sweep() {
	s.started = true
	s.iterations++
	s.scaleRows()
	s.scaleColumns()
}

// scaleRows computes f from g, and sums the columns.
func (s *scaling) scaleRows() {
	clear(s.column)
	for i, logA := range s.logA {
		row := s.mass[i*s.m : (i+1)*s.m]
		if math.IsInf(logA, -1) {
			s.f[i] = logA
			clear(row)
			continue
		}
		largest := math.Inf(-1)
		for j, l := range s.logits[i*s.m : (i+1)*s.m] {
			l += s.g[j]
			row[j] = l
			if l > largest {
				largest = l
			}
		}
		var sum float64
		for j, l := range row {
			row[j] = portable.Exp(l - largest)
			sum += row[j]
		}
		s.f[i] = logA - largest - portable.Log(sum)
		by := s.task.A[i] / s.total / sum
		for j, e := range row {
			row[j] = float64(e * by)
			s.column[j] += row[j]
		}
	}
}

// scaleColumns computes g from the columns' sums, and then the rows' error.
func (s *scaling) scaleColumns() {
	for j, have := range s.column {
		switch {
		case math.IsInf(s.logB[j], -1):
			s.column[j] = 0
		case have > underflow:
			by := s.balanced[j] / s.total / have
			s.g[j] += portable.Log(by)
			s.column[j] = by
		default:
			s.sweepColumn(j)
			s.column[j] = 1
		}
	}
	s.rowError = 0
	for i, a := range s.task.A {
		var sum float64
		for j, by := range s.column {
			sum += float64(s.mass[i*s.m+j] * by)
		}
		s.rowError += math.Abs(sum - a/s.total)
	}
}

// sweepColumn scales column j using only logarithms.
func (s *scaling) sweepColumn(j int) {
	largest := math.Inf(-1)
	for i, f := range s.f {
		largest = max(largest, s.logits[i*s.m+j]+f)
	}
	var sum float64
	for i, f := range s.f {
		sum += portable.Exp(s.logits[i*s.m+j] + f - largest)
	}
	s.g[j] = s.logB[j] - largest - portable.Log(sum)
	for i, f := range s.f {
		s.mass[i*s.m+j] = portable.Exp(s.logits[i*s.m+j] + f + s.g[j])
	}
}

// met reports whether the marginals are met.
func (s *scaling) met() bool { return s.rowError < marginalTolerance }

// read stores the plan exp(logits + f + g) and feasible potentials.
func (s *scaling) read(p *Plan, converged bool) {
	p.resize(s.n, s.m)
	p.Iterations, p.Converged = s.iterations, converged
	for i, f := range s.f {
		for j, g := range s.g {
			p.Mass[i*s.m+j] = s.total * portable.Exp(s.logits[i*s.m+j]+f+g)
		}
	}
	s.potentials(p.U, p.V)
	s.finish(p, s.task)
}

// potentials computes feasible potentials of the divided costs. It starts from v = unit·g and computes u_i = min_j
// C_ij − v_j, over the columns with mass. Then it computes v_j = min_i C_ij − u_i.
func (s *scaling) potentials(u, v []float64) {
	for i := range u {
		u[i] = math.Inf(1)
		for j, g := range s.g {
			if s.balanced[j] > 0 {
				u[i] = min(u[i], s.divided(i, j)-float64(s.unit*g))
			}
		}
	}
	for j := range v {
		v[j] = math.Inf(1)
		for i := range u {
			v[j] = min(v[j], s.divided(i, j)-u[i])
		}
	}
}

func (s *scaling) divided(i, j int) float64 {
	return float64(s.task.Cost[i*s.m+j] * s.down * s.downAgain)
}

// save appends the state that later iterations depend on, except the task.
func (s *scaling) save(to *algo.Snapshot) {
	to.PutBool(s.started)
	if s.started {
		to.PutInt(s.n)
		to.PutInt(s.m)
		to.PutInt(s.iterations)
		to.PutFloats(s.rowError)
		to.PutFloats(s.f...)
		to.PutFloats(s.g...)
	}
}

// load restores what save appended.
func (s *scaling) load(from *algo.Snapshot) {
	s.started = from.GetBool()
	if !s.started {
		return
	}
	n, m := from.GetInt(), from.GetInt()
	if n != s.n || m != s.m {
		s.resize(n, m)
	}
	s.iterations = from.GetInt()
	s.rowError = from.GetFloat()
	from.GetFloats(s.f)
	from.GetFloats(s.g)
}
