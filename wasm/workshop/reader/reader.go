// Package reader gives feedback to a teacher who writes a lesson: the compiled lesson, and its errors by line.
package reader

import (
	"encoding/json"
	"errors"
	"fmt"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/teach/lesson"
)

// Fault is an error in a line of the text. Line 0 means no particular line.
type Fault struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// answer is the result of a call, which callers get as JSON.
type answer struct {
	Lesson *lesson.Lesson `json:"lesson"` // nil if the lesson does not compile
	Faults []Fault        `json:"faults"`
}

// Desk holds the last compiled lesson.
type Desk struct {
	Scenes scene.List

	last *lesson.Lesson
}

// Compile compiles a lesson and returns either the lesson, in the form that the page reads, or the lesson's first
// error. The lesson's name is the given one in lower case, with only letters, digits and hyphens.
func (d *Desk) Compile(name, text string) string {
	return d.guarded(func() (*lesson.Lesson, error) {
		var err error
		d.last, err = lesson.Parse(d.Scenes, name+".md", []byte(text))
		if err != nil {
			d.last = nil
		}
		return d.last, err
	})
}

// Check follows every step of the last compiled lesson and returns all errors.
func (d *Desk) Check() string {
	return d.guarded(func() (*lesson.Lesson, error) {
		if d.last == nil {
			return nil, errors.New("no lesson to check; compile one first")
		}
		return nil, d.last.Check()
	})
}

// guarded returns f's result as JSON. A panic in f is a bug, but the program must continue, so guarded returns an error
// for a panic too.
func (d *Desk) guarded(f func() (*lesson.Lesson, error)) (text string) {
	var a answer
	func() {
		defer func() {
			if r := recover(); r != nil {
				a = answer{Faults: []Fault{{Text: fmt.Sprintf("the program has a bug: %v", r)}}}
			}
		}()
		found, err := f()
		a = answer{found, faults(err)}
	}()
	data, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// faults splits a joined error into its parts and returns each with its line.
func faults(err error) []Fault {
	list := []Fault{}
	if err == nil {
		return list
	}
	if joined, is := err.(interface{ Unwrap() []error }); is {
		for _, e := range joined.Unwrap() {
			list = append(list, faults(e)...)
		}
		return list
	}
	if at := (*lesson.Error)(nil); errors.As(err, &at) {
		return append(list, Fault{at.Line, at.Err.Error()})
	}
	return append(list, Fault{0, err.Error()})
}
