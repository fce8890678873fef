// Package lesson reads lessons, checks them against their scenes, and runs them without a browser.
// docs/lessons.md says how to write one.
package lesson

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/scene"
)

// Head is a lesson's entry in a list of lessons.
type Head struct {
	Name     string `json:"name"` // name of its file, without .md
	Title    string `json:"title"`
	Question string `json:"question"`
	Minutes  int    `json:"minutes"` // duration, see Lesson.Time
	Scene    string `json:"scene"`
	Steps    int    `json:"steps"`
	// Number is the lesson's place on the path. It is nil for an elective and for a lesson without a number.
	Number *int `json:"number"`
	// Aim completes "After it one can …", or is "".
	Aim string `json:"aim"`
	// After lists the lessons that a visitor should take before this one.
	After []string `json:"after"`
}

// Lesson is a lesson in the form that the page reads.
type Lesson struct {
	Head
	Steps []Step `json:"steps"` // replaces the number of steps in Head
	Words int    `json:"words"` // number of words to read
	// Know lists the sentences to remember after the lesson, as HTML.
	Know []string `json:"know"`
	// Seeds lists seeds with which the whole lesson works. In a class each student can get a different one.
	Seeds []int `json:"seeds"`

	file    string // the file's name, for errors
	scenes  scene.List
	review  *review // nil if there is none
	playing float64 // duration of its runs in seconds
}

// Step is a step of a lesson. Its texts are HTML that is safe in the page, except for the title, which is plain text.
type Step struct {
	Title   string   `json:"title"`
	Kind    string   `json:"kind"` // "transfer" for a step to be answered without help, otherwise ""
	Text    string   `json:"text"`
	State   string   `json:"state"` // the part of a link behind #; "" keeps the current state
	Hero    string   `json:"hero"`  // the panel in front, "" for the scene's default
	Keys    []string `json:"keys"`  // the parameters that matter, empty for the scene's default
	Hide    []string `json:"hide"`  // panels, and Numbers, hidden until the question is answered
	Predict *Predict `json:"predict"`
	Goal    *Goal    `json:"goal"`
	Hint    string   `json:"hint"`
	Show    []Call   `json:"show"`   // calls that reach the goal
	Reveal  []Call   `json:"reveal"` // brings the subject of Then to the front
	Then    string   `json:"then"`
	// Slots lists the visitor's numbers in Then. An element's attribute data-slot is the index of its number.
	Slots []*condition.Tree `json:"slots"`

	line   int
	checks []check
}

// Transfer is the kind of a step that is answered without help. Numbers, in a step's Hide, stands for the page's texts
// and tables about the runs.
const (
	Transfer = "transfer"
	Numbers  = "numbers"
)

// Predict is a question to answer before the goal opens.
type Predict struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
	Reasons  []string `json:"reasons"` // for each answer, why a visitor might choose it or why it is right; may be ""
	Right    []int    `json:"right"`   // from 0
}

// Goal is the goal that a visitor must reach.
type Goal struct {
	Text      string          `json:"text"`
	Condition *condition.Tree `json:"condition"`
	Parts     []Part          `json:"parts"` // named parts, which all hold if and only if Condition does; empty if the goal is not divided

	source string
}

// Part is a named part of a goal, with its own condition.
type Part struct {
	Text      string          `json:"text"`
	Condition *condition.Tree `json:"condition"`
}

// Call is a verb of the page with its arguments. The call after play waits until the runs have ended.
type Call struct {
	Verb string         `json:"verb"`
	Args map[string]any `json:"args"`
}

// playVerb is the only verb that takes time, because it plays the runs.
const playVerb = "play"

// fileName is the pattern of a lesson's file name, which identifies and orders lessons.
var fileName = regexp.MustCompile(`^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$`)

// Read reads the lessons of folders, in the order of their numbers. Lessons without a number follow, ordered first by
// folder and then by file name. The returned error lists the faults, one line per lesson.
func Read(scenes scene.List, folders ...string) ([]*Lesson, error) {
	var out []*Lesson
	var faults []error
	for _, folder := range folders {
		if folder == "" {
			return nil, errors.New("-lessons has no name; a folder is expected")
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
				err = inner.Err
			}
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		found := false
		for _, entry := range entries {
			if filepath.Ext(entry.Name()) != ".md" || strings.HasPrefix(entry.Name(), ".") {
				continue
			}
			found = true
			file := filepath.Join(folder, entry.Name())
			l, err := ReadFile(scenes, file)
			if err == nil {
				if i := slices.IndexFunc(out, func(o *Lesson) bool { return o.Name == l.Name }); i >= 0 {
					err = &Error{file, 1, fmt.Errorf("the name is taken by %s; give the file another", out[i].file)}
				}
			}
			if err != nil {
				faults = append(faults, err)
				continue
			}
			out = append(out, l)
		}
		if !found {
			faults = append(faults, fmt.Errorf("%s: there is no lesson in this folder, a file such as 21-my-lesson.md", folder))
		}
	}
	slices.SortStableFunc(out, func(a, b *Lesson) int { return cmp.Compare(a.place(), b.place()) })
	return out, errors.Join(faults...)
}

// place returns a lesson's position in the order of lessons, in which those with a number come first.
func (l *Lesson) place() int {
	if l.Number == nil {
		return maxNumber + 1
	}
	return *l.Number
}

// ReadFile reads one lesson.
func ReadFile(scenes scene.List, file string) (*Lesson, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err == nil && info.Size() > maxFile {
		err = fmt.Errorf("it has %d bytes; the maximum is %d", info.Size(), maxFile)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, &Error{file, 1, err}
	}
	return Parse(scenes, file, data)
}

// JSON returns the content of lessons/NAME.json.
func (l *Lesson) JSON() ([]byte, error) { return json.Marshal(l) }
