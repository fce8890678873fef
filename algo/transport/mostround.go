package transport

import (
	"errors"
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Step runs one round. It returns Running or Diverged. After a step has returned Diverged, all later steps return
// Diverged too. An error comes from the solver or the weighting; after an error, the solutions stay where they were
// before the round.
func (s *MosT) Step() (algo.Status, error) {
	if s.ledger.Diverged() {
		return algo.Diverged, nil
	}
	if failed, err := s.match(); err != nil {
		return algo.Running, fmt.Errorf("round %d: %w", s.ledger.K, err)
	} else if failed != nothing {
		return s.ledger.Fail(failed), nil
	}
	copy(s.candidate, s.x)
	clear(s.bd2)
	evaluated := 0
	for j := range s.m {
		spent, failed, err := s.move(j)
		if err != nil {
			return algo.Running, fmt.Errorf("round %d, solution %d: %w", s.ledger.K, j, err)
		}
		if failed != nothing {
			return s.ledger.Fail(failed), nil
		}
		evaluated += spent
	}
	if !algo.Finite(s.bd2) {
		return s.ledger.Fail(badDirection), nil
	}
	s.values(s.candidateF, s.candidate)
	if !algo.Finite(s.candidateF) {
		return s.ledger.FailIn(badObjective, s.candidateF, s.n, 1), nil
	}
	s.x, s.candidate = s.candidate, s.x
	s.f, s.candidateF = s.candidateF, s.f
	s.lastStepSize = s.stepSize
	s.bd2Sum += s.bd2[0]
	s.planned = true
	s.ledger.Gradients(evaluated, s.d)
	s.ledger.Commit()
	return algo.Running, nil
}

// match computes the costs from the losses, then the marginals, τ and the plan of this round.
func (s *MosT) match() (quantity, error) {
	s.price()
	if !algo.Finite(s.task.Cost) {
		return badCost, nil
	}
	s.schedule()
	var mean, largest float64
	for _, v := range s.task.Cost {
		size := math.Abs(v)
		mean += size / float64(len(s.task.Cost))
		largest = max(largest, size)
	}
	s.roundTau = s.tau * mean
	if s.roundTau > math.MaxFloat64-largest { // costs minus τ could overflow
		return badCost, nil
	}
	if s.matching.planless() {
		copy(s.columnSums, s.b)
		for j := range s.active {
			if s.active[j] = s.rows; s.matching == Paired {
				s.active[j] = 1
			}
		}
		return nothing, nil
	}
	s.hasPrevious = s.planned
	copy(s.previous, s.plan.Mass)
	if s.matching == Transported {
		s.task.A, s.task.B = s.a, s.b
		if err := s.searcher.Solve(&s.plan, &s.task, s.roundTau); err != nil {
			return nothing, err
		}
	} else {
		s.assign()
	}
	columns(s.columnSums, s.columnMaxima, s.active, s.plan.Mass)
	return nothing, nil
}

// price computes the costs L_i(θ_j).
func (s *MosT) price() {
	for j := range s.m {
		losses := row(s.f, j, s.n)
		if s.mixtures == nil {
			for i, loss := range losses {
				s.task.Cost[i*s.m+j] = loss
			}
			continue
		}
		for r := range s.rows {
			s.task.Cost[r*s.m+j] = portable.Dot(row(s.mixtures, r, s.n), losses)
		}
	}
}

// assign computes the plan of a matching that needs no solver.
func (s *MosT) assign() {
	switch s.matching {
	case ObjectiveSelects:
		clear(s.plan.Mass)
		for i, mass := range s.a {
			s.plan.Mass[i*s.m+least(s.task.Cost[i*s.m:(i+1)*s.m], 1)] = mass
		}
	case ModelSelects:
		clear(s.plan.Mass)
		for j, mass := range s.b {
			s.plan.Mass[least(s.task.Cost[j:], s.m)*s.m+j] = mass
		}
	case RandomPlan:
		s.scaleDraws()
	}
	s.plan.Cost = portable.Dot(s.plan.Mass, s.task.Cost)
	s.plan.Converged = true
}

// least returns the index of the least of v_0, v_stride, v_{2·stride}, …. If several are equal, it returns the
// first.
func least(v []float64, stride int) int {
	at := 0
	for i := stride; i < len(v); i += stride {
		if v[i] < v[at*stride] {
			at = i / stride
		}
	}
	return at
}

// scaleDraws scales rows and columns of the draws until their sums are the marginals. The scaling converges linearly,
// because all draws are positive.
//
// References:
//   - Sinkhorn (1964), A relationship between arbitrary positive matrices and doubly
//     stochastic matrices, Annals of Mathematical Statistics 35.
func (s *MosT) scaleDraws() {
	const enough, rounds = 1e-15, 10000
	mass := s.plan.Mass
	copy(mass, s.draws)
	for range rounds {
		s.yielder.Yield(4 * len(mass))
		var off float64
		for j, want := range s.b {
			var sum float64
			for i := j; i < len(mass); i += s.m {
				sum += mass[i]
			}
			off = max(off, math.Abs(sum-want))
			for i := j; i < len(mass); i += s.m {
				mass[i] = ratio(mass[i], sum) * want
			}
		}
		for i, want := range s.a {
			var sum float64
			for _, v := range row(mass, i, s.m) {
				sum += v
			}
			for j, v := range row(mass, i, s.m) {
				mass[i*s.m+j] = ratio(v, sum) * want
			}
		}
		if off <= enough {
			break
		}
	}
}

// ratio returns v/sum, or 0 if sum is 0.
func ratio(v, sum float64) float64 {
	if sum == 0 {
		return 0
	}
	return v / sum
}

// move applies the K steps of solution j to row j of candidate. It returns the number of gradients evaluated.
func (s *MosT) move(j int) (evaluated int, failed quantity, err error) {
	clear(row(s.lambda, j, s.rows))
	clear(row(s.weights, j, s.n))
	clear(row(s.directions, j, s.d))
	s.serve(j)
	if len(s.served) == 0 {
		return 0, nothing, nil
	}
	x := row(s.candidate, j, s.d)
	for inner := range s.inner {
		s.sample.Noise = algo.Stream(s.seed, s.startIndex+j, s.ledger.K, further(inner))
		spent := s.differentiate(x)
		evaluated += spent
		if !algo.Finite(s.jacobian.Data) {
			return evaluated, badGradient, nil
		}
		d := s.laterDirection
		if inner == 0 {
			d = row(s.directions, j, s.d)
		}
		decided, failed, err := s.direct(d, j, inner, x)
		if failed != nothing || err != nil {
			return evaluated, failed, err
		}
		if inner == 0 && decided {
			s.explain(j)
		}
		if !algo.Finite(d) {
			return evaluated, badDirection, nil
		}
		s.bd2[inner] += float64(s.columnSums[j] * portable.Dot(d, d))
		if !decided {
			continue
		}
		if failed := s.advance(x, d, j); failed != nothing {
			return evaluated, failed, nil
		}
	}
	return evaluated, nothing, nil
}

// further returns the purpose under which an inner step draws its sample. It is Noise for the first step. For later
// steps it differs from all named purposes, which are small numbers.
func further(inner int) algo.Purpose { return algo.Noise + algo.Purpose(inner)<<32 }

// serve lists the rows that solution j serves.
func (s *MosT) serve(j int) {
	s.served = s.served[:0]
	switch s.matching {
	case Paired:
		s.served = append(s.served, j)
		return
	case Unmatched:
		for i := range s.rows {
			s.served = append(s.served, i)
		}
		return
	}
	floor := tiny * s.columnMaxima[j]
	for i := range s.rows {
		if s.plan.Mass[i*s.m+j] > floor {
			s.served = append(s.served, i)
		}
	}
}

// differentiate stores the gradients of the served rows at x in jacobian. It sets to 0 the entries along which a step
// would leave the problem's box, if there is one. For a SignStep, it then replaces all entries by their signs. It
// returns the number of gradients evaluated.
func (s *MosT) differentiate(x []float64) (evaluated int) {
	s.jacobian = algo.Jacobian{Rows: len(s.served), Cols: s.d, Data: s.gradients[:len(s.served)*s.d]}
	if s.mixtures == nil {
		evaluated = s.evaluate(&s.jacobian, s.served, x)
	} else {
		evaluated = s.mix(x)
	}
	if s.weightDecay > 0 {
		for k := range s.served {
			for c, v := range x {
				s.jacobian.Data[k*s.d+c] += float64(s.weightDecay * v)
			}
		}
	}
	s.box.Reduce(&s.jacobian, x)
	if s.step == SignStep {
		for i, v := range s.jacobian.Data {
			switch {
			case v > 0:
				s.jacobian.Data[i] = 1
			case v < 0:
				s.jacobian.Data[i] = -1
			}
		}
	}
	return evaluated
}

// longJacobian is the amount of work, in the units of a Yielder, at and above which gradients are evaluated one by one,
// with a yield before each.
const longJacobian = 1 << 20

// evaluate stores in jac the gradients of the problem's objectives whose indices are in list. It returns the number of
// gradients evaluated.
func (s *MosT) evaluate(jac *algo.Jacobian, list []int, x []float64) (evaluated int) {
	if len(list) == s.n && s.labour*s.n < longJacobian {
		s.yielder.Yield(s.labour * s.n)
		s.problem.JacobianAt(jac, x, &s.sample)
		return s.n
	}
	for k, i := range list {
		s.yielder.Yield(s.labour)
		s.problem.GradientAt(jac.Row(k), i, 0, s.d, x, &s.sample)
	}
	return len(list)
}

// mix stores the gradients of the served mixtures, and returns the number of gradients evaluated. A single mixture
// costs as much as the problem's weighted sum, usually one gradient. Several mixtures cost one gradient for each
// objective that is part of at least one of them.
func (s *MosT) mix(x []float64) (evaluated int) {
	if len(s.served) == 1 {
		s.yielder.Yield(s.labour * s.n)
		weights := row(s.mixtures, s.served[0], s.n)
		s.problem.WeightedGradientAt(s.jacobian.Row(0), weights, x, &s.sample)
		return algo.SumGradientsOf(s.problem, weights)
	}
	clear(s.parts)
	for _, r := range s.served {
		for i, w := range row(s.mixtures, r, s.n) {
			s.parts[i] = s.parts[i] || w > 0
		}
	}
	s.partList = s.partList[:0]
	for i, used := range s.parts {
		if used {
			s.partList = append(s.partList, i)
		}
	}
	count := len(s.partList)
	s.baseRows = algo.Jacobian{Rows: count, Cols: s.d, Data: s.base[:count*s.d]}
	evaluated = s.evaluate(&s.baseRows, s.partList, x)
	for k, r := range s.served {
		for p, i := range s.partList {
			s.partWeights[p] = s.mixtures[r*s.n+i]
		}
		s.baseRows.Combine(s.jacobian.Row(k), s.partWeights[:count])
	}
	return evaluated
}

// direct stores the direction of solution j at x in d, and the weights of the served rows in rowWeights. If there
// is no direction, it returns false and d is zero.
func (s *MosT) direct(d []float64, j, inner int, x []float64) (decided bool, failed quantity, err error) {
	count := len(s.served)
	s.yielder.Yield(count * count * s.d)
	weights := s.rowWeights[:count]
	sum := s.columnSums[j]
	if s.planAsWeights {
		for k, i := range s.served {
			weights[k] = s.plan.Mass[i*s.m+j] / sum
		}
		s.jacobian.Combine(d, weights)
		s.box.ReduceOne(d, x)
		return true, nothing, nil
	}
	if s.needLosses {
		if failed := s.weighLosses(j, inner, x); failed != nothing {
			return false, failed, nil
		}
	}
	if !s.matching.planless() {
		for k, i := range s.served {
			mass := s.plan.Mass[i*s.m+j]
			g := s.jacobian.Row(k)
			for c := range g {
				g[c] *= mass
			}
		}
	}
	s.input.Gram, s.input.Losses, s.input.K = s.gram[:count*count], s.rowLosses[:count], s.ledger.K
	s.input.SetGradients(&s.jacobian)
	s.result = algo.Result{Weights: weights, Direction: d}
	if err := s.rules[j].Weigh(&s.result, &s.input); err != nil {
		var meaningless *algo.RangeError
		if !errors.As(err, &meaningless) {
			return false, nothing, err
		}
		s.result.Status = algo.NoSolution
	}
	switch s.result.Status {
	case algo.NoSolution:
		clear(d)
		return false, nothing, nil
	case algo.Diverged:
		return false, badWeights, nil
	}
	if !s.matching.planless() && s.scale != Raw {
		by := 1 / sum
		if s.scale == ColumnCount {
			by *= float64(count)
		}
		for c := range d {
			d[c] *= by
		}
	}
	s.box.ReduceOne(d, x)
	return true, nothing, nil
}

// weighLosses stores Γ_ij L_i(x) in rowLosses for the rows that solution j serves.
func (s *MosT) weighLosses(j, inner int, x []float64) quantity {
	here := row(s.f, j, s.n)
	if inner > 0 {
		here = s.here
		s.problem.Values(here, x)
		if !algo.Finite(here) {
			return badLosses
		}
	}
	for k, i := range s.served {
		loss := 0.0
		if s.mixtures == nil {
			loss = here[i]
		} else {
			loss = portable.Dot(row(s.mixtures, i, s.n), here)
		}
		if !s.matching.planless() {
			loss *= s.plan.Mass[i*s.m+j]
		}
		s.rowLosses[k] = loss
	}
	return nothing
}

// explain stores the weights of solution j in row j of lambda and in row j of weights.
func (s *MosT) explain(j int) {
	lambda, weights := row(s.lambda, j, s.rows), row(s.weights, j, s.n)
	for k, i := range s.served {
		lambda[i] = s.rowWeights[k]
	}
	if s.mixtures == nil {
		copy(weights, lambda)
		return
	}
	for r, v := range lambda {
		for i, w := range row(s.mixtures, r, s.n) {
			weights[i] += float64(v * w)
		}
	}
}

// advance moves x, the point of solution j, against d.
func (s *MosT) advance(x, d []float64, j int) quantity {
	if s.step == AdamStep {
		s.adams[j].Update(s.moved, d)
		if d = s.moved; !algo.Finite(d) {
			return badUpdate
		}
	}
	for c, v := range d {
		x[c] -= float64(s.stepSize * v)
	}
	if !algo.Finite(x) {
		return badIterate
	}
	s.box.Project(x)
	return nothing
}
