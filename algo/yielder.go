package algo

// Yielder lets a long computation pause. The computation calls Yield in its loops, with little work between two
// calls. The caller provides the function that Yield calls: the function may return at once, let other code run
// first, or abandon the computation by a panic. A nil Yielder never pauses.
type Yielder struct {
	every int
	left  int
	rest  func(work int)
}

// NewYielder returns a Yielder that calls rest each time the work since the last call of rest has reached a limit. The
// limit is the argument every, which must be at least 1 unit of work. The Yielder passes the amount of that work to
// rest. A unit is about one multiplication and one addition.
func NewYielder(every int, rest func(work int)) *Yielder {
	return &Yielder{every: every, left: every, rest: rest}
}

// Yield reports how many units of work have been done since the last call of Yield. The computation may be in an
// inconsistent state at that point. Code may recover from a panic of rest only if it then restores the state by Load.
//
// A stepper calls Yield outside the methods of its problem, because other steppers may use the problem meanwhile.
func (b *Yielder) Yield(work int) {
	if b == nil {
		return
	}
	if b.left -= work; b.left <= 0 {
		work = b.every - b.left
		b.left = b.every
		b.rest(work)
	}
}

// Yielding is implemented by steppers, or parts of steppers, whose steps may take a long time.
type Yielding interface {
	// SetYielder sets the Yielder of all further steps. If it is nil, as it is initially, steps never yield. The
	// Yielder does not affect results.
	SetYielder(*Yielder)
}

// PassYielder calls SetYielder(b) on a value that is Yielding. It does nothing for other values.
func PassYielder(of any, b *Yielder) {
	if yielding, can := of.(Yielding); can {
		yielding.SetYielder(b)
	}
}

// Laborious is a Problem that can estimate the work of one evaluation.
type Laborious interface {
	// Labour returns the approximate number of multiplications for the gradient of one objective.
	Labour() int
}

// lossLaborious is implemented by problems whose losses take much less work than their gradients.
type lossLaborious interface {
	// LossLabour returns the approximate number of multiplications for all losses together.
	LossLabour() int
}

// LossLabourOf returns how many units of work all losses take in a problem with m objectives in n variables. It calls
// the problem's method LossLabour() int. If the problem has no such method, it returns the work of the gradients.
func LossLabourOf(p Problem, n, m int) int {
	if less, is := Stated[lossLaborious](p); is {
		return less.LossLabour()
	}
	return m * LabourOf(p, n)
}

// apart is implemented by problems whose gradients share no work, so that their weighted sum costs more than one
// gradient.
type apart interface {
	// SumGradients returns the cost of the weighted sum with weights w, as a multiple of one gradient's cost.
	SumGradients(w []float64) int
}

// SumGradientsOf returns the cost of the sum of a problem's gradients with weights w, as a multiple of one gradient's
// cost. It calls the problem's method SumGradients(w []float64) int. If the problem has no such method, it returns 1,
// for one gradient of the weighted sum of losses.
func SumGradientsOf(p Problem, w []float64) int {
	if each, is := Stated[apart](p); is {
		return each.SumGradients(w)
	}
	return 1
}

// LabourOf returns how many units of work the gradient of one objective in n variables takes. It calls Labour if the
// problem, or the problem that Exact wraps, is Laborious. Otherwise it assumes a few units per variable.
func LabourOf(problem any, n int) int {
	const each, least = 8, 32
	laborious, does := problem.(Laborious)
	if p, is := problem.(Problem); is && !does {
		laborious, does = Stated[Laborious](p)
	}
	if does {
		return laborious.Labour()
	}
	return least + each*n
}
