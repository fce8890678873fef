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
	return &Tree{Op: ">=", Args: []*Tree{{Op: "param", Text: param}, {Op: "number", Number: least}}}
}

// AtMost says that the number of a parameter is so small.
func AtMost(param string, most float64) *Tree {
	return &Tree{Op: "<=", Args: []*Tree{{Op: "param", Text: param}, {Op: "number", Number: most}}}
}

// Is says that the text of a parameter is that one.
func Is(param, text string) *Tree {
	return &Tree{Op: "==", Args: []*Tree{{Op: "param", Text: param, typ: Text}, {Op: "text", Text: text, typ: Text}}}
}

// FactIs says that a fact has that value.
func FactIs(name string, value float64) *Tree {
	return &Tree{Op: "==", Args: []*Tree{{Op: "fact", Text: name}, {Op: "number", Number: value}}}
}

// And says that all conditions hold; there are two or more.
func And(all ...*Tree) *Tree { return &Tree{Op: "&&", Args: all} }
