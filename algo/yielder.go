package algo

// Yielder splits long computations into parts. The computation calls Yield in its loops, with little
// work between two calls. Whoever started it gives the Yielder a function that decides what happens
// there: it may return at once, let something else run first, or abandon the computation by a panic.
// A nil Yielder never rests.
type Yielder struct {
	every int
	left  int
	rest  func(work int)
}

// NewYielder returns a Yielder that calls rest after at least every ≥ 1 units of work, and passes the
// work done since the last call. A unit is about one multiplication and one addition.
func NewYielder(every int, rest func(work int)) *Yielder {
	return &Yielder{every: every, left: every, rest: rest}
}

// Yield reports that work units have been done since the last call. The computation may be in an
// inconsistent state at that point: code that recovers from a panic of rest must restore it by Load.
// Nobody else may recover.
//
// A stepper calls Yield outside the methods of its problem, because others may use the problem
// meanwhile.
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

// Yielding is a Stepper, or a part of one, whose single step may take long.
type Yielding interface {
	// SetYielder makes further steps yield; nil, the initial state, means they never do.
	// Results are the same.
	SetYielder(*Yielder)
}

// PassYielder calls SetYielder of a value that is Yielding, and does nothing for
// others.
func PassYielder(of any, b *Yielder) {
	if yielding, can := of.(Yielding); can {
		yielding.SetYielder(b)
	}
}

// Laborious is a Problem that knows how much work one evaluation takes.
type Laborious interface {
	// Labour returns about how many multiplications the gradient of one objective
	// takes.
	Labour() int
}

// lossLaborious is a Problem whose losses take much less work than its gradients.
type lossLaborious interface {
	// LossLabour returns about how many multiplications all losses take together.
	LossLabour() int
}

// LossLabourOf returns how many units of work all losses take in a problem of m objectives in n
// variables. It asks the problem's method LossLabour() int, and assumes the work of the gradients if
// there is none.
func LossLabourOf(p Problem, n, m int) int {
	if less, is := Stated[lossLaborious](p); is {
		return less.LossLabour()
	}
	return m * LabourOf(p, n)
}

// apart is a Problem whose gradients share no work, so that their weighted sum costs more than one gradient.
type apart interface {
	// SumGradients returns how many gradients it takes to compute their sum with weights w.
	SumGradients(w []float64) int
}

// SumGradientsOf returns how many gradients the sum of a problem's gradients with weights w costs. It asks the problem's
// method SumGradients(w []float64) int. If there is none it returns 1, for the gradient of the weighted sum of losses.
func SumGradientsOf(p Problem, w []float64) int {
	if each, is := Stated[apart](p); is {
		return each.SumGradients(w)
	}
	return 1
}

// LabourOf returns how many units of work the gradient of one objective in n variables takes. It asks
// a Laborious problem, also one that Exact wraps, and assumes a few for each variable otherwise.
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
