package scene

import (
	"strings"
	"unicode/utf8"

	"paretoplay/algo/formula"
)

// Joined is a text of formulas that several parameters make up, so that what is wrong with it can be said of the
// parameter and its place there.
type Joined struct {
	text   strings.Builder
	owners []owner
}

// owner is where lines of a Joined come from: the first of them, from 1, and how many characters stand before
// the parameter's own on it.
type owner struct {
	param          string
	first, shifted int
}

// Add adds the text of a parameter on lines of its own, after some words of the scene, such as "f1 = ".
func (j *Joined) Add(param, before, text string) {
	if len(j.owners) > 0 {
		j.text.WriteByte('\n')
	}
	first := strings.Count(j.text.String(), "\n") + 1
	j.owners = append(j.owners, owner{param, first, utf8.RuneCountInString(before)})
	j.text.WriteString(before + text)
}

// Text is the whole text.
func (j *Joined) Text() string { return j.text.String() }

// Fault is an error of the text as a fault of the parameter that it is in.
func (j *Joined) Fault(err *formula.Error) Fault {
	of := j.owners[0]
	for _, o := range j.owners {
		if o.first <= err.Line {
			of = o
		}
	}
	out := Fault{Param: of.param, Line: err.Line - of.first + 1, Column: err.Column, Length: err.Length(j.Text()), Text: err.Expected}
	if out.Line == 1 {
		if out.Column -= of.shifted; out.Column < 1 { // about the scene's own words
			out.Column, out.Length = 1, 0
		}
	}
	return out
}
