package federated

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/internal/schedule"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

// RoundsConfig configures Rounds. All fields except Seed are required.
type RoundsConfig struct {
	Problem  algo.Partial // usually a *Clients, whose gradients are the clients' updates
	Starts   [][]float64  // start models of the m solutions, copied
	StepSize float64      // η > 0; if it equals the clients' local step size, averaging gives the mean of their θ'
	// Shares are the weights of the clients, ≥ 0 with sum 1. Averaging uses them directly, and FedMGDA+ uses them as
	// λ_0.
	Shares []float64
	// Seed determines the samples: solution j draws its sample of round t from algo.Stream(Seed,
	// j, t, algo.Noise).
	Seed uint64
}

// quantity identifies the quantity that was not finite. Snapshots store it as a number.
type quantity int

const (
	nothing quantity = iota
	gradient
	weights
	iterate
	objective
)

var quantityNames = [...]string{"", "gradient", "weights", "iterate", "objective"}

// String returns the quantity's name as used in algo.Divergence.
func (q quantity) String() string { return quantityNames[q] }

// Rounds moves each of m solutions independently by the updates of all clients:
//
//	θ_j ← θ_j − η Σ_i λ_i g_i(θ_j)
//
// Averaging uses fixed weights. FedAvg and FedProx use the clients' shares of the samples. With the update g_i = (θ_j −
// θ_j^i)/η of Clients, averaging gives θ_j ← Σ_i λ_i θ_j^i. FedMGDA+ divides every g_i by its length and chooses, near
// the shares, the λ that minimises the length of the sum. A round costs n backpropagations per solution.
//
// References:
//   - McMahan, Moore, Ramage, Hampson & Agüera y Arcas (2017), AISTATS, Algorithm 1.
//   - Li et al. (2020), FedProx, MLSys, Algorithm 2: averaging on a Clients with Prox.
//   - Hu, Shaloudegi, Zhang & Yu (2022), Federated learning meets multi-objective
//     optimization (FedMGDA+), IEEE Transactions on Network Science and Engineering 9(4),
//     Algorithm 1.
type Rounds struct {
	problem  algo.Partial
	n, m     int // numbers of variables and clients
	count    int // number of solutions
	stepSize float64
	seed     uint64
	shares   []float64
	bounded  *bounded // nil for averaging

	yielder            *algo.Yielder
	labour, lossLabour int // work of one gradient and of all losses

	ledger ledger.Ledger[quantity]
	x, f   []float64 // one row per solution

	// Scratch space. lambda and direction describe the last round and have one row per solution.
	lambda, direction     []float64
	candidate, candidateF []float64
	jacobian              *algo.Jacobian
	sample                algo.Sample
}

var _ algo.Stepper = (*Rounds)(nil)

// NewAveraging returns a run of federated averaging at its start. An error names the invalid field.
func NewAveraging(c RoundsConfig) (*Rounds, error) { return newRounds(c) }

// NewFedMGDA returns a run of FedMGDA+ at its start, with |λ_i − shares_i| ≤ epsilon for all i. If epsilon is 0, the
// weights are the shares. If it is at least 1, the weights are not bounded. An error names the invalid value.
func NewFedMGDA(c RoundsConfig, epsilon float64) (*Rounds, error) {
	if !(epsilon >= 0) || math.IsInf(epsilon, 1) {
		return nil, &algo.RangeError{Name: "epsilon", Value: epsilon, Allowed: "it must be finite and not negative"}
	}
	s, err := newRounds(c)
	if err != nil {
		return nil, err
	}
	s.bounded = newBounded(s.shares, epsilon)
	return s, nil
}

func newRounds(c RoundsConfig) (*Rounds, error) {
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	n, m := c.Problem.Dims()
	if len(c.Starts) == 0 {
		return nil, &algo.RangeError{Name: "starts", Value: 0, Allowed: "there must be at least one"}
	}
	if err := checkShares(c.Shares, m); err != nil {
		return nil, err
	}
	count := len(c.Starts)
	s := &Rounds{
		problem: c.Problem, n: n, m: m, count: count, seed: c.Seed, shares: append([]float64(nil), c.Shares...),
		x: make([]float64, 0, count*n), f: make([]float64, count*m),
		lambda: make([]float64, count*m), direction: make([]float64, count*n),
		candidate: make([]float64, count*n), candidateF: make([]float64, count*m), jacobian: algo.NewJacobian(m, n),
		labour: algo.LabourOf(c.Problem, n), lossLabour: algo.LossLabourOf(c.Problem, n, m),
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	for j, start := range c.Starts {
		if len(start) != n || !algo.Finite(start) {
			return nil, &algo.RangeError{Name: fmt.Sprintf("start %d", j), Value: len(start), Allowed: fmt.Sprintf("%d finite numbers", n)}
		}
		s.x = append(s.x, start...)
		s.problem.Values(s.f[j*m:(j+1)*m], start)
	}
	if !algo.Finite(s.f) {
		return nil, &algo.RangeError{Name: "starts", Value: count, Allowed: "the objectives there must be finite"}
	}
	return s, nil
}

// shareTolerance is the maximum difference between the shares' sum and 1.
const shareTolerance = 1e-9

func checkShares(shares []float64, m int) error {
	if len(shares) != m {
		return &algo.RangeError{Name: "shares", Value: len(shares), Allowed: fmt.Sprintf("there must be one for each of the %d clients", m)}
	}
	var sum float64
	for i, v := range shares {
		if !(v >= 0) {
			return &algo.RangeError{Name: fmt.Sprintf("share %d", i), Value: v, Allowed: "it must be in [0, 1]"}
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= shareTolerance) {
		return &algo.RangeError{Name: "shares", Value: sum, Allowed: "their sum must be 1"}
	}
	return nil
}

// SetStepSize sets η.
func (s *Rounds) SetStepSize(eta float64) error {
	if err := schedule.Positive("eta", "it", eta); err != nil {
		return err
	}
	s.stepSize = eta
	return nil
}

// SetYielder sets the Yielder that rounds call before every client's training and before computing the losses.
func (s *Rounds) SetYielder(b *algo.Yielder) { s.yielder = b }

// StepSize returns η.
func (s *Rounds) StepSize() float64 { return s.stepSize }

// Step runs one round for all solutions.
func (s *Rounds) Step() (algo.Status, error) {
	if s.ledger.Diverged() {
		return algo.Diverged, nil
	}
	for j := range s.count {
		if failed := s.move(j); failed != nothing {
			return s.ledger.Fail(failed), nil
		}
	}
	s.x, s.candidate = s.candidate, s.x
	s.f, s.candidateF = s.candidateF, s.f
	s.ledger.Commit()
	return algo.Running, nil
}

// move computes the next point of solution j. It returns the first quantity that is not finite, if any.
func (s *Rounds) move(j int) quantity {
	x, lambda := s.x[j*s.n:(j+1)*s.n], s.lambda[j*s.m:(j+1)*s.m]
	s.sample.Noise = algo.Stream(s.seed, j, s.ledger.K, algo.Noise)
	for i := range s.m {
		s.yielder.Yield(s.labour)
		s.problem.GradientAt(s.jacobian.Row(i), i, 0, s.n, x, &s.sample)
	}
	s.ledger.Gradients(s.m, s.n)
	if !algo.Finite(s.jacobian.Data) {
		return gradient
	}
	copy(lambda, s.shares)
	if s.bounded != nil && !s.bounded.weigh(lambda, s.jacobian) {
		return weights
	}
	direction, candidate := s.direction[j*s.n:(j+1)*s.n], s.candidate[j*s.n:(j+1)*s.n]
	s.jacobian.Combine(direction, lambda)
	for i, d := range direction {
		candidate[i] = x[i] - float64(s.stepSize*d)
	}
	if !algo.Finite(candidate) {
		return iterate
	}
	f := s.candidateF[j*s.m : (j+1)*s.m]
	s.yielder.Yield(s.lossLabour)
	s.problem.Values(f, candidate)
	if !algo.Finite(f) {
		return objective
	}
	return nothing
}

// View describes the current iterate. It contains no Jacobian.
func (s *Rounds) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F = s.count, s.x, s.f
	if s.ledger.Stepped {
		v.Weights, v.Direction, v.StepSize, v.Refreshed = s.lambda, s.direction, s.stepSize, s.bounded != nil
	}
	return v
}

// Save appends the counters, the solutions and their losses.
func (s *Rounds) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	to.PutFloats(s.x...)
	to.PutFloats(s.f...)
}

// Load restores the state that Save appended.
func (s *Rounds) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	from.GetFloats(s.x)
	from.GetFloats(s.f)
}

// bounded computes FedMGDA+'s weights:
//
//	min_λ ‖Σ_i λ_i g_i/‖g_i‖‖²  s.t.  Σ_i λ_i = 1, λ ≥ 0, |λ_i − shares_i| ≤ ε.
type bounded struct {
	qp     minnorm.QP
	gram   []float64 // m×m
	zero   []float64
	rows   []float64 // constraint matrix: the sum, then the lower and the upper bound of each weight
	bounds []float64
	shares []float64
	least  []float64
	most   []float64
}

func newBounded(shares []float64, epsilon float64) *bounded {
	m := len(shares)
	b := &bounded{gram: make([]float64, m*m), zero: make([]float64, m), shares: shares,
		rows: make([]float64, (1+2*m)*m), bounds: make([]float64, 1+2*m), least: make([]float64, m), most: make([]float64, m)}
	b.bounds[0] = 1
	for i, share := range shares {
		b.least[i], b.most[i] = max(0, share-epsilon), min(1, share+epsilon)
		b.rows[i] = 1
		b.rows[(1+i)*m+i], b.bounds[1+i] = 1, b.least[i]
		b.rows[(1+m+i)*m+i], b.bounds[1+m+i] = -1, -b.most[i]
	}
	return b
}

// weigh divides each row of j by its length, except zero rows, and stores the weights in lambda. It reports whether
// it found weights.
func (b *bounded) weigh(lambda []float64, j *algo.Jacobian) bool {
	for i := range j.Rows {
		row := j.Row(i)
		if length := portable.Norm(row); length > 0 {
			floats.Scale(1/length, row)
		}
	}
	j.Gram(b.gram)
	if _, status := b.qp.Solve(lambda, b.gram, b.zero, b.rows, b.bounds, 1); status != algo.Converged && status != algo.Budget {
		return false
	}
	// Rounding errors may push weights slightly out of the box, or the sum slightly away from 1.
	for i, v := range lambda {
		lambda[i] = min(max(v, b.least[i]), b.most[i])
	}
	return algo.Finite(lambda)
}
