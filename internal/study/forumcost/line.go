package forumcost

import "paretoplay/algo/bilevel"

// Methods whose upper steps are measured.
const (
	forum = "forum"
	moml  = "moml"
	moco  = "moco"
)

// Line is a method whose upper steps are measured and, for one that
// differentiates through the lower level's loop, how.
type Line struct {
	Method string       // "forum", "moml" or "moco"
	Mode   bilevel.Mode // of moml and moco; FORUM has none
}

// Title names the method, "" where it is none.
func (l Line) Title() string {
	return map[string]string{forum: "FORUM", moml: "MOML", moco: "MoCo"}[l.Method]
}

// Label names the line. Reverse mode, which the paper compares with, goes without
// saying.
func (l Line) Label() string {
	if l.differentiates() && l.Mode == bilevel.Forward {
		return l.Title() + " forward"
	}
	return l.Title()
}

func (l Line) differentiates() bool { return l.Method != forum }

// ModeName is the name of the mode, "" for FORUM.
func (l Line) ModeName() string {
	if l.differentiates() {
		return string(l.Mode)
	}
	return ""
}

// size holds the numbers on which the cost of an upper step depends. T and p are real
// numbers here, since lines are drawn between whole ones.
type size struct{ n, m, t, p float64 }

// gradients returns the number of gradients that an upper step evaluates: one for
// each of the m upper objectives and the T lower steps, and with FORUM ∇f at the
// loop's end. The loop's first gradient is a part of FORUM's ∇f(z).
func (l Line) gradients(s size) float64 {
	if l.differentiates() {
		return s.m + s.t
	}
	return s.m + s.t + 1
}

// products is the number of products of the lower Hessian with a vector: one for
// each lower step and each objective in reverse mode, each upper variable in
// forward mode.
func (l Line) products(s size) float64 {
	switch {
	case !l.differentiates():
		return 0
	case l.Mode == bilevel.Forward:
		return s.n * s.t
	}
	return s.m * s.t
}

// floats is the number of floats that a step holds at once, as the steppers count
// them.
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

// formulas say what gradients, products and floats count.
func (l Line) formulas() (gradients, products, floats string) {
	if !l.differentiates() {
		return "T + m + 1", "none", "(m + 4)(n + p) + 2p + 3m, whatever T is"
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

// work returns the multiplications and additions of a step: the gradients of f and
// the products, p(n+p) each with a dense Hessian, the upper gradients, n+p each, and
// the two values of f in FORUM's q̃. Measured times follow it up to one factor a
// line.
func (l Line) work(s size) float64 {
	dense := l.gradients(s) - s.m + l.products(s)
	if !l.differentiates() {
		dense += 2
	}
	return float64(dense*s.p*(s.n+s.p)) + float64(s.m*(s.n+s.p))
}
