// Package ledger holds the common state of all steppers: the number of steps, their cost, and where the run diverged.
//
// A stepper has a Ledger in an unexported field, next to its other state:
//
//	type quantity int // quantities that may become infinite or NaN; 0 means none
//
//	func (q quantity) String() string { return quantityNames[q] }
//
//	type Method struct {
//		ledger ledger.Ledger[quantity]
//		x, f   []float64
//		…
//	}
//
//	func (s *Method) Step() (algo.Status, error) {
//		if s.ledger.Diverged() {
//			return algo.Diverged, nil
//		}
//		// evaluate, with s.ledger.Gradients(m, n) for a Jacobian
//		if !algo.Finite(s.direction) {
//			return s.ledger.Fail(direction), nil
//		}
//		// compute the next x and f
//		s.ledger.Commit()
//		return algo.Running, nil
//	}
//
//	func (s *Method) View() algo.View {
//		v := s.ledger.View()
//		v.Solutions, v.X, v.F = 1, s.x, s.f
//		if s.ledger.Stepped {
//			// set the fields of the last step
//		}
//		return v
//	}
//
// The stepper's Save and Load start by calling the ledger's Save and Load.
package ledger

import "paretoplay/algo"

// Quantity is implemented by a package's enumeration of quantities that may become infinite or NaN. The zero value
// means none. String returns the name used in algo.Divergence. Snapshots store the values as numbers.
type Quantity interface {
	~int
	String() string
}

// Ledger keeps the counts of one run. The zero value is the Ledger of a run at its start. Methods do not allocate.
type Ledger[Q Quantity] struct {
	K      int       // number of steps taken
	Cost   algo.Cost // cost of all steps, including the cost that a failed step had counted
	Failed Q         // quantity that was not finite in the step from K; 0 if the run has not diverged
	// Objective is the first objective, counted from 1, for which Failed was not finite. It is 0 if Failed does not
	// belong to a single objective.
	Objective int

	// Stepped is true if the stepper has valid data of the step from K−1 to K. It is false at the start, after Load and
	// once the run has diverged.
	Stepped bool
}

// Gradients adds the cost of the given number of gradients: one backpropagation each, with the given number of
// coordinates.
func (l *Ledger[Q]) Gradients(number, coordinates int) {
	l.Cost.Backpropagations += number
	l.Cost.GradientCoordinates += number * coordinates
}

// Commit counts a successful step.
func (l *Ledger[Q]) Commit() {
	l.K++
	l.Stepped = true
}

// Fail records the quantity that was not finite in the step from K. It returns algo.Diverged, which Step must return
// from then on. It clears Stepped, because the data of the failed step do not belong to the step that led to K.
func (l *Ledger[Q]) Fail(q Q) algo.Status {
	l.Failed = q
	l.Stepped = false
	return algo.Diverged
}

// FailIn is like Fail, for a quantity that consists of numbers for each objective. values contains rows of m objectives
// with width numbers each. The first number that is not finite determines the objective.
func (l *Ledger[Q]) FailIn(q Q, values []float64, m, width int) algo.Status {
	for i, v := range values {
		if v-v != 0 {
			l.Objective = i/width%m + 1
			break
		}
	}
	return l.Fail(q)
}

// Diverged reports whether Fail has been called.
func (l *Ledger[Q]) Diverged() bool { return l.Failed != 0 }

// View returns a View with K, Cost and Diverged set. The stepper sets the other fields.
func (l *Ledger[Q]) View() algo.View {
	v := algo.View{K: l.K, Evaluated: l.K, Cost: l.Cost}
	if l.Diverged() {
		v.Diverged = algo.Divergence{K: l.K, Quantity: l.Failed.String(), Objective: l.Objective}
	}
	return v
}

// Save appends the number of steps, the cost and the divergence: six words.
func (l *Ledger[Q]) Save(to *algo.Snapshot) {
	to.PutInt(l.K)
	to.PutInt(l.Cost.Backpropagations)
	to.PutInt(l.Cost.GradientCoordinates)
	to.PutInt(l.Cost.HessianVectorProducts)
	to.PutInt(int(l.Failed))
	to.PutInt(l.Objective)
}

// Load restores what Save appended. Stepped is false afterwards.
func (l *Ledger[Q]) Load(from *algo.Snapshot) {
	l.K = from.GetInt()
	l.Cost.Backpropagations = from.GetInt()
	l.Cost.GradientCoordinates = from.GetInt()
	l.Cost.HessianVectorProducts = from.GetInt()
	l.Failed = Q(from.GetInt())
	l.Objective = from.GetInt()
	l.Stepped = false
}
