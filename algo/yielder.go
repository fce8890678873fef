package algo

// Yielder parts long computations. Whoever computes calls Yield in its loops, so that little is done
// between two calls; whoever waits for it gives the Yielder a function that decides there what is to
// happen: to go on at once, to let something else go on first, or to give the computation up by a
// panic. A nil Yielder never rests.
type Yielder struct {
	every int
	left  int
	rest  func(work int)
}

// NewYielder returns a Yielder that calls rest once at least every ≥ 1 units of work have been taken,
// with how many those are. A unit is about one multiplication and one addition.
func NewYielder(every int, rest func(work int)) *Yielder {
	return &Yielder{every: every, left: every, rest: rest}
}

// Yield says that work units have been done since the last call. The state of what computes may be
// half-done then: if rest panics, the one who recovers restores it by Load. Nobody else recovers.
//
// A stepper calls it outside the methods of its problem, which others may ask meanwhile.
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

// Yielding is a Stepper, or what a Stepper asks, whose single step may take long.
type Yielding interface {
	// SetYielder makes further steps yield: nil, as at first, for none. Results are the same.
	SetYielder(*Yielder)
}

// PassYielder gives a yielder to what is Yielding; others it leaves alone.
func PassYielder(of any, b *Yielder) {
	if yielding, can := of.(Yielding); can {
		yielding.SetYielder(b)
	}
}

// Laborious is a Problem that says how much work it is to ask it once.
type Laborious interface {
	// Labour is about how many multiplications the gradient of one objective takes.
	Labour() int
}

// lossLaborious is a Problem whose losses take much less work than its gradients.
type lossLaborious interface {
	// LossLabour is about how many multiplications all losses take together.
	LossLabour() int
}

// LossLabourOf returns how many units of work it is to take all losses of a problem of m objectives in n
// variables: what its method LossLabour() int says, if it has one, otherwise as much as their gradients.
func LossLabourOf(p Problem, n, m int) int {
	if less, is := Stated[lossLaborious](p); is {
		return less.LossLabour()
	}
	return m * LabourOf(p, n)
}

// apart is a Problem whose gradients share no work, so that a weighted sum of them costs more than one gradient does.
type apart interface {
	// SumGradients returns how many gradients it takes to compute their sum with weights w.
	SumGradients(w []float64) int
}

// SumGradientsOf returns how many gradients it takes to compute a problem's gradients' sum with weights w: what its method
// SumGradients(w []float64) int says, if it has one, otherwise 1: the gradient of the weighted sum of losses.
func SumGradientsOf(p Problem, w []float64) int {
	if each, is := Stated[apart](p); is {
		return each.SumGradients(w)
	}
	return 1
}

// LabourOf returns how many units of work it is to take the gradient of one of a problem's
// objectives in n variables: what a Laborious problem says, also one that Exact wraps, otherwise a few
// for each variable.
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
