package condition

// The conditions that scenes write in Go.

// Dragged holds if a handle whose name begins with the text was dragged.
func Dragged(handle string) *Tree { return &Tree{Op: "dragged", Text: handle} }

// Changed holds if the parameter was changed.
func Changed(param string) *Tree { return &Tree{Op: "changed", Text: param} }

// Scrubbed holds if the marker was moved back.
func Scrubbed() *Tree { return &Tree{Op: "scrubbed"} }

// AtLeast holds if a parameter's number is at least the given bound.
func AtLeast(param string, least float64) *Tree {
	return NotBelow(&Tree{Op: "param", Text: param}, Constant(least))
}

// AtMost holds if a parameter's number is at most the given bound.
func AtMost(param string, most float64) *Tree {
	return &Tree{Op: "<=", Args: []*Tree{{Op: "param", Text: param}, Constant(most)}}
}

// Is holds if a parameter has that text.
func Is(param, text string) *Tree {
	return &Tree{Op: "==", Args: []*Tree{{Op: "param", Text: param, typ: Text}, {Op: "text", Text: text, typ: Text}}}
}

// FactIs holds if a fact has that value.
func FactIs(name string, value float64) *Tree {
	return &Tree{Op: "==", Args: []*Tree{Fact(name), Constant(value)}}
}

// FactAtLeast holds if a fact is at least the given bound.
func FactAtLeast(name string, least float64) *Tree { return NotBelow(Fact(name), Constant(least)) }

// FactAtMost holds if a fact is at most the given bound.
func FactAtMost(name string, most float64) *Tree { return NotBelow(Constant(most), Fact(name)) }

// Fact is the value of a fact.
func Fact(name string) *Tree { return &Tree{Op: "fact", Text: name} }

// Constant is a number.
func Constant(v float64) *Tree { return &Tree{Op: "number", Number: v} }

// Times is a multiple of a number.
func Times(v float64, of *Tree) *Tree { return &Tree{Op: "*", Args: []*Tree{Constant(v), of}} }

// Plus is the sum of a number and a constant.
func Plus(of *Tree, v float64) *Tree { return &Tree{Op: "+", Args: []*Tree{of, Constant(v)}} }

// Below holds if a is less than b. It does not hold if either is NaN.
func Below(a, b *Tree) *Tree { return &Tree{Op: "<", Args: []*Tree{a, b}} }

// NotBelow holds if a is at least b. It does not hold if either is NaN.
func NotBelow(a, b *Tree) *Tree { return &Tree{Op: ">=", Args: []*Tree{a, b}} }

// And holds if all its conditions hold; it takes at least two.
func And(all ...*Tree) *Tree { return &Tree{Op: "&&", Args: all} }
