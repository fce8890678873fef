// Package reader answers a teacher who writes a lesson: what the page shows of it, and what is wrong with it, by lines.
package reader

import (
	"encoding/json"
	"errors"
	"fmt"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/teach/lesson"
)

// Fault is what is wrong in a line of the text; line 0 is none in particular.
type Fault struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// answer is what a call returns, as JSON.
type answer struct {
	Lesson *lesson.Lesson `json:"lesson"` // nil where it cannot be compiled
	Faults []Fault        `json:"faults"`
}

// Desk holds the lesson that was compiled last.
type Desk struct {
	Scenes scene.List

	last *lesson.Lesson
}

// Compile reads a lesson and returns it in the form of the page, or its first fault. The name becomes the lesson's: small letters,
// digits and hyphens.
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

// Check follows every step of the last lesson, and returns all faults.
func (d *Desk) Check() string {
	return d.guarded(func() (*lesson.Lesson, error) {
		if d.last == nil {
			return nil, errors.New("there is no lesson to follow")
		}
		return nil, d.last.Check()
	})
}

// guarded answers with what f returns. A panic is a bug and becomes a fault, since the program must go on.
func (d *Desk) guarded(f func() (*lesson.Lesson, error)) (text string) {
	var a answer
	func() {
		defer func() {
			if r := recover(); r != nil {
				a = answer{Faults: []Fault{{Text: fmt.Sprintf("this is a fault of the program: %v", r)}}}
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

// faults takes a joined error apart.
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
