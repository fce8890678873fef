package condition

// The conditions that scenes write in Go.

// Dragged says that a handle whose name begins so was dragged.
func Dragged(handle string) *Tree { return &Tree{Op: "dragged", Text: handle} }

// Changed says that the parameter was changed.
func Changed(param string) *Tree { return &Tree{Op: "changed", Text: param} }

// Scrubbed says that the marker was moved back.
func Scrubbed() *Tree { return &Tree{Op: "scrubbed"} }

// AtLeast says that the number of a parameter is so large.
func AtLeast(param string, least float64) *Tree {
	return NotBelow(&Tree{Op: "param", Text: param}, Constant(least))
}

// AtMost says that the number of a parameter is so small.
func AtMost(param string, most float64) *Tree {
	return &Tree{Op: "<=", Args: []*Tree{{Op: "param", Text: param}, Constant(most)}}
}

// Is says that the text of a parameter is that one.
func Is(param, text string) *Tree {
	return &Tree{Op: "==", Args: []*Tree{{Op: "param", Text: param, typ: Text}, {Op: "text", Text: text, typ: Text}}}
}

// FactIs says that a fact has that value.
func FactIs(name string, value float64) *Tree {
	return &Tree{Op: "==", Args: []*Tree{Fact(name), Constant(value)}}
}

// FactAtLeast says that a fact is so large.
func FactAtLeast(name string, least float64) *Tree { return NotBelow(Fact(name), Constant(least)) }

// FactAtMost says that a fact is so small.
func FactAtMost(name string, most float64) *Tree { return NotBelow(Constant(most), Fact(name)) }

// Fact is the number of a fact.
func Fact(name string) *Tree { return &Tree{Op: "fact", Text: name} }

// Constant is a number.
func Constant(v float64) *Tree { return &Tree{Op: "number", Number: v} }

// Times is a multiple of a number.
func Times(v float64, of *Tree) *Tree { return &Tree{Op: "*", Args: []*Tree{Constant(v), of}} }

// Plus is a number and a constant.
func Plus(of *Tree, v float64) *Tree { return &Tree{Op: "+", Args: []*Tree{of, Constant(v)}} }

// Below says that a number is less than another; it does not hold where one is NaN.
func Below(a, b *Tree) *Tree { return &Tree{Op: "<", Args: []*Tree{a, b}} }

// NotBelow says that a number is at least another; it does not hold where one is NaN.
func NotBelow(a, b *Tree) *Tree { return &Tree{Op: ">=", Args: []*Tree{a, b}} }

// And says that all conditions hold; there are two or more.
func And(all ...*Tree) *Tree { return &Tree{Op: "&&", Args: all} }
