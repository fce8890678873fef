package forumcost

import "paretoplay/algo/bilevel"

// Methods whose upper steps are measured.
const (
	forum = "forum"
	moml  = "moml"
	moco  = "moco"
)

// Line is a method, with a mode if the method differentiates through the lower level's loop.
type Line struct {
	Method string       // "forum", "moml" or "moco"
	Mode   bilevel.Mode // for MOML and MoCo; FORUM has no mode
}

// Title returns the method's title, or "" if it is unknown.
func (l Line) Title() string {
	return map[string]string{forum: "FORUM", moml: "MOML", moco: "MoCo"}[l.Method]
}

// Label returns the line's name. It omits the mode if this is reverse mode, the one in the paper's comparison.
func (l Line) Label() string {
	if l.differentiates() && l.Mode == bilevel.Forward {
		return l.Title() + " forward"
	}
	return l.Title()
}

func (l Line) differentiates() bool { return l.Method != forum }

// ModeName returns the mode's name, or "" for FORUM.
func (l Line) ModeName() string {
	if l.differentiates() {
		return string(l.Mode)
	}
	return ""
}

// size contains the numbers that determine the cost of an upper step. T and p are real numbers, because lines are drawn
// between whole numbers too.
type size struct{ n, m, t, p float64 }

// gradients returns the number of gradients in an upper step: one for each of the m upper objectives and each of the
// T lower steps. FORUM also needs ∇f at the loop's end; the loop's first gradient is a part of FORUM's ∇f(z).
func (l Line) gradients(s size) float64 {
	if l.differentiates() {
		return s.m + s.t
	}
	return s.m + s.t + 1
}

// products returns the number of products of the lower Hessian with a vector. Reverse mode needs one per lower step
// and objective, and forward mode needs one per lower step and upper variable.
func (l Line) products(s size) float64 {
	switch {
	case !l.differentiates():
		return 0
	case l.Mode == bilevel.Forward:
		return s.n * s.t
	}
	return s.m * s.t
}

// floats returns the number of floats that a step stores at the same time, counted as the steppers count them.
func (l Line) floats(s size) float64 {
	both := s.n + s.p
	if !l.differentiates() {
		return float64((s.m+4)*both) + float64(2*s.p) + float64(3*s.m)
	}
	held := float64((s.m+2)*both) + s.p + s.m
	if l.Mode == bilevel.Forward {
		held += float64(s.n * s.p)
	} else {
		held += float64(s.p * s.t)
	}
	if l.Method == moco {
		held += float64(s.m * s.n)
	}
	return held
}

// formulas returns texts with the formulas for gradients, products and floats.
func (l Line) formulas() (gradients, products, floats string) {
	if !l.differentiates() {
		return "T + m + 1", "none", "(m + 4)(n + p) + 2p + 3m, for any T"
	}
	products, floats = "mT", "(m + 2)(n + p) + p + m + pT"
	if l.Mode == bilevel.Forward {
		products, floats = "nT", "(m + 2)(n + p) + p + m + np"
	}
	if l.Method == moco {
		floats += " + mn"
	}
	return "T + m", products, floats
}

// work returns a step's number of multiplications and additions. With a dense Hessian, the gradients of f and the
// products take p(n+p) each, and the upper gradients n+p each. FORUM's q̃ adds the two values of f. Measured times
// are proportional to the work, with one factor per line.
func (l Line) work(s size) float64 {
	dense := l.gradients(s) - s.m + l.products(s)
	if !l.differentiates() {
		dense += 2
	}
	return float64(dense*s.p*(s.n+s.p)) + float64(s.m*(s.n+s.p))
}
