package condition

// These functions build conditions for scenes written in Go.

// Dragged returns a condition that holds if a handle whose name begins with the given text was dragged.
func Dragged(handle string) *Tree { return &Tree{Op: "dragged", Text: handle} }

// Changed returns a condition that holds if the given parameter was changed.
func Changed(param string) *Tree { return &Tree{Op: "changed", Text: param} }

// Scrubbed returns a condition that holds if the marker was moved back.
func Scrubbed() *Tree { return &Tree{Op: "scrubbed"} }

// AtLeast returns a condition that holds if a parameter's number is at least the given bound.
func AtLeast(param string, least float64) *Tree {
	return NotBelow(&Tree{Op: "param", Text: param}, Constant(least))
}

// AtMost returns a condition that holds if a parameter's number is at most the given bound.
func AtMost(param string, most float64) *Tree {
	return &Tree{Op: "<=", Args: []*Tree{{Op: "param", Text: param}, Constant(most)}}
}

// Is returns a condition that holds if a parameter has the given text.
func Is(param, text string) *Tree {
	return &Tree{Op: "==", Args: []*Tree{{Op: "param", Text: param, typ: Text}, {Op: "text", Text: text, typ: Text}}}
}

// FactIs returns a condition that holds if a fact has the given value.
func FactIs(name string, value float64) *Tree {
	return &Tree{Op: "==", Args: []*Tree{Fact(name), Constant(value)}}
}

// FactAtLeast returns a condition that holds if a fact is at least the given bound.
func FactAtLeast(name string, least float64) *Tree { return NotBelow(Fact(name), Constant(least)) }

// FactAtMost returns a condition that holds if a fact is at most the given bound.
func FactAtMost(name string, most float64) *Tree { return NotBelow(Constant(most), Fact(name)) }

// Fact returns a tree that yields the value of a fact.
func Fact(name string) *Tree { return &Tree{Op: "fact", Text: name} }

// Constant returns a tree that yields v.
func Constant(v float64) *Tree { return &Tree{Op: "number", Number: v} }

// Times returns a tree that yields v times another tree's number.
func Times(v float64, of *Tree) *Tree { return &Tree{Op: "*", Args: []*Tree{Constant(v), of}} }

// Plus returns a tree that yields the sum of another tree's number and v.
func Plus(of *Tree, v float64) *Tree { return &Tree{Op: "+", Args: []*Tree{of, Constant(v)}} }

// Below returns a condition that holds if a is less than b. It does not hold if either is NaN.
func Below(a, b *Tree) *Tree { return &Tree{Op: "<", Args: []*Tree{a, b}} }

// NotBelow returns a condition that holds if a is at least b. It does not hold if either is NaN.
func NotBelow(a, b *Tree) *Tree { return &Tree{Op: ">=", Args: []*Tree{a, b}} }

// And returns a condition that holds if all given conditions hold. It needs at least two.
func And(all ...*Tree) *Tree { return &Tree{Op: "&&", Args: all} }
