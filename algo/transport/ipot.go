package transport

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// DefaultBeta is the default β of IPOT, relative to the range of the costs.
	DefaultBeta = 0.1

	// forgetting is δ, the fraction of abᵀ in the plan from which a warm start begins. Without it, an entry that
	// had almost vanished would need many iterations to return.
	forgetting = 0.1

	gapTolerance      = 1e-6 // relative to Σ Γ_ij |C_ij|
	leastGapTolerance = 1e-9 // relative to the range of the costs times the mass
)

// IPOTConfig contains the parameters of NewIPOT. The zero value selects the defaults.
type IPOTConfig struct {
	// Beta is β relative to the range of the costs, largest − least. It must be between 1e-9 and 1e9; 0 means
	// DefaultBeta. Because β is relative, shifting or scaling all costs does not change the plan.
	Beta float64
	// Limit is the maximum number of iterations per call, ≥ 1; 0 means DefaultLimit.
	Limit int
}

// IPOT approaches an exact plan by proximal steps, Γ ← argmin Σ Γ_ij C_ij + β KL(Γ‖Γ_before). Each step is Sinkhorn's
// problem with exp(−C/β)∘Γ_before in place of exp(−C/ε). One scaling of rows and columns solves this problem
// approximately:
//
//	Q ← exp(−C/β)∘Γ,  u ← a/(Qv),  v ← b/(Qᵀu),  Γ ← diag(u) Q diag(v)
//
// in the log domain. IPOT stops when both the marginal error and the gap are small, because a wrong plan can meet
// the marginals. The marginal error must be below 1e-9 of the mass. The gap between the plan's cost and the bound
// from its feasible potentials must be below 1e-6 of Σ Γ_ij |C_ij|, or 1e-9 of the range of the costs times the
// mass.
//
// A cold start begins at abᵀ. A warm start begins at 0.9 Γ_before + 0.1 abᵀ with the previous v.
//
// Xie, Wang, Wang & Zha (2020), A fast proximal point method for computing exact
// Wasserstein distance, Algorithm 1 with L = 1.
type IPOT struct {
	scaling
	beta  float64
	limit int

	logPlan []float64
	u, v    []float64
	done    bool
}

var _ Iterative = (*IPOT)(nil)

// NewIPOT returns a solver whose first call starts cold. Any error is an *algo.RangeError.
func NewIPOT(c IPOTConfig) (*IPOT, error) {
	beta, err := regularization("beta", c.Beta, DefaultBeta)
	if err != nil {
		return nil, err
	}
	limit, err := iterationLimit(c.Limit)
	if err != nil {
		return nil, err
	}
	return &IPOT{beta: beta, limit: limit}, nil
}

// Begin starts a task from the result of the last call, or cold if there is no usable result.
func (s *IPOT) Begin(t *Task) error {
	before := s.scaling.n*s.scaling.m != 0
	n, m := s.n, s.m
	if err := s.begin(t, s.beta); err != nil {
		return err
	}
	if !before || n != s.n || m != s.m {
		s.allocate()
	}
	for i, logA := range s.logA {
		for j, logB := range s.logB {
			l := &s.logPlan[i*s.m+j]
			switch independent := logA + logB; {
			case !s.started || math.IsInf(independent, -1):
				*l = independent
			default:
				*l = portable.Log(float64((1-forgetting)*portable.Exp(*l)) + float64(forgetting*portable.Exp(independent)))
			}
		}
	}
	s.done = false
	return nil
}

func (s *IPOT) allocate() {
	s.logPlan = make([]float64, s.n*s.m)
	s.logits = make([]float64, s.n*s.m)
	s.u, s.v = make([]float64, s.n), make([]float64, s.m)
}

// Iterate takes one proximal step.
func (s *IPOT) Iterate() {
	for i, k := range s.kernel {
		s.logits[i] = s.logPlan[i] + k
	}
	s.sweep()
	for i, f := range s.f {
		for j, g := range s.g {
			s.logPlan[i*s.m+j] = s.logits[i*s.m+j] + f + g
		}
	}
	s.done = s.met() && s.proved()
}

// Done reports whether the marginal error and the gap are small.
func (s *IPOT) Done() bool { return s.done }

// proved reports whether the gap is small.
func (s *IPOT) proved() bool {
	s.potentials(s.u, s.v)
	var dual, cost, size float64
	for i, u := range s.u {
		dual += float64(s.task.A[i] / s.total * u)
		for j, by := range s.column {
			mass, c := s.mass[i*s.m+j]*by, s.divided(i, j)
			cost += float64(mass * c)
			size += float64(mass * math.Abs(c))
		}
	}
	for j, v := range s.v {
		dual += float64(s.balanced[j] / s.total * v)
	}
	return cost-dual <= max(gapTolerance*size, leastGapTolerance*s.unit/s.beta)
}

// Read stores the current plan in p. Before the first iteration, this is the starting plan.
func (s *IPOT) Read(p *Plan) {
	p.resize(s.n, s.m)
	p.Iterations, p.Converged = s.iterations, s.done
	for i, l := range s.logPlan {
		p.Mass[i] = s.total * portable.Exp(l)
	}
	s.potentials(p.U, p.V)
	s.finish(p, s.task)
}

// Solve iterates until Done returns true or the limit is reached.
func (s *IPOT) Solve(p *Plan, t *Task) error { return solve(s, p, t, s.limit, s.yielder) }

// Save appends the plan and the scalings of the last iteration.
func (s *IPOT) Save(to *algo.Snapshot) {
	s.save(to)
	if s.started {
		to.PutFloats(s.logPlan...)
		to.PutBool(s.done)
	}
}

// Load restores what Save appended. After a Begin with the same task, iterations continue as they would have
// continued after Save.
func (s *IPOT) Load(from *algo.Snapshot) {
	n, m := s.n, s.m
	s.load(from)
	if !s.started {
		return
	}
	if n != s.n || m != s.m {
		s.allocate()
	}
	from.GetFloats(s.logPlan)
	s.done = from.GetBool()
}
