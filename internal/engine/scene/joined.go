package scene

import (
	"strings"
	"unicode/utf8"

	"paretoplay/algo/formula"
)

// Joined joins the texts of several parameters into one text of formulas. It maps an error in the joined text to the parameter and
// to the place in the parameter's text.
type Joined struct {
	text   strings.Builder
	owners []owner
}

// owner describes where a line of a Joined comes from: the parameter, the number of its first line, from 1, and the
// number of characters before the parameter's text on that line.
type owner struct {
	param          string
	first, shifted int
}

// Add appends a parameter's text on new lines, after a prefix from the scene such as "f1 = ".
func (j *Joined) Add(param, before, text string) {
	if len(j.owners) > 0 {
		j.text.WriteByte('\n')
	}
	first := strings.Count(j.text.String(), "\n") + 1
	j.owners = append(j.owners, owner{param, first, utf8.RuneCountInString(before)})
	j.text.WriteString(before + text)
}

// Text returns the joined text.
func (j *Joined) Text() string { return j.text.String() }

// Fault converts an error in the joined text to a fault of a parameter.
func (j *Joined) Fault(err *formula.Error) Fault {
	of := j.owners[0]
	for _, o := range j.owners {
		if o.first <= err.Line {
			of = o
		}
	}
	out := Fault{Param: of.param, Line: err.Line - of.first + 1, Column: err.Column, Length: err.Length(j.Text()), Text: err.Expected}
	if out.Line == 1 {
		if out.Column -= of.shifted; out.Column < 1 { // the error is in the scene's prefix
			out.Column, out.Length = 1, 0
		}
	}
	return out
}
