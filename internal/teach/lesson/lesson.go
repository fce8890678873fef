// Package lesson reads lessons, checks them against their scenes, and runs them without a browser.
// docs/lessons.md says how to write one.
package lesson

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/link"
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

	file    string // name of the file in errors
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

// Part is a named part of a goal, with a condition of its own.
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

// Parse parses a lesson and checks everything about it that does not need a run.
func Parse(scenes scene.List, file string, data []byte) (*Lesson, error) {
	f, err := readSource(file, data)
	if err != nil {
		return nil, err
	}
	l := &Lesson{file: file, scenes: scenes, Head: Head{Title: f.front["title"].text, Question: f.front["question"].text, Steps: len(f.steps)}}
	name := fileName.FindStringSubmatch(filepath.Base(file))
	if name == nil {
		return nil, f.errorAt(1, "invalid file name; use lower-case letters, digits and hyphens, as in 21-my-lesson.md")
	}
	l.Name = name[1]
	if err := (link.Place{Name: l.Name, Step: l.Head.Steps}).Check(); err != nil {
		return nil, f.errorAt(1, "%w", err)
	}
	asked := f.front["scene"]
	about, err := scenes.Find(asked.text)
	if err != nil {
		return nil, f.errorAt(asked.line, "%w", err)
	}
	l.Scene = about.ID
	if err := l.readPlace(f); err != nil {
		return nil, err
	}
	for _, sentence := range f.know {
		html, err := f.line(sentence)
		if err != nil {
			return nil, err
		}
		l.Know = append(l.Know, html)
	}
	c := &compiler{source: f, scenes: scenes, own: about, about: about}
	for i := range f.steps {
		step, err := c.step(&f.steps[i], i == 0)
		if err != nil {
			return nil, err
		}
		l.Steps = append(l.Steps, *step)
	}
	if f.review != nil {
		if l.review, err = c.review(f.review); err != nil {
			return nil, err
		}
	}
	if l.Seeds, err = seedsOf(l.Name, data); err != nil {
		return nil, err
	}
	l.Words, l.playing = l.words(), c.playing
	return l, l.readMinutes(f)
}

// readPlace reads the lesson's place among others, and its purpose.
func (l *Lesson) readPlace(f *source) error {
	l.After, l.Know = []string{}, []string{}
	l.Aim = f.front["aim"].text
	if after, has := f.front["after"]; has {
		for _, name := range strings.Fields(after.text) {
			if !fileName.MatchString(name + ".md") {
				return f.errorAt(after.line, "after: invalid name %s of a lesson; write it as in 01-conflict", scene.Quote(name))
			}
			l.After = append(l.After, name)
		}
	}
	number, has := f.front["number"]
	if !has || number.text == "elective" {
		return nil
	}
	n, err := strconv.Atoi(number.text)
	if err != nil || n < 0 || n > maxNumber {
		return f.errorAt(number.line, "number is %s; expected the lesson’s place on the path, from 0 to %d, or the word elective",
			scene.Quote(number.text), maxNumber)
	}
	l.Number = &n
	return nil
}

// maxNumber is the largest number of a lesson on the path.
const maxNumber = 999

// readMinutes reads the author's estimate of the duration, which must not be less than the lesson needs.
func (l *Lesson) readMinutes(f *source) error {
	l.Minutes = max(1, int(math.Round(l.Time())))
	said, has := f.front["minutes"]
	if !has {
		return nil
	}
	minutes, err := strconv.Atoi(said.text)
	if err != nil || minutes < 1 || minutes > 60 {
		return f.errorAt(said.line, "minutes is %s; expected a whole number from 1 to 60. Without this line the minutes are counted",
			scene.Quote(said.text))
	}
	l.Minutes = max(l.Minutes, minutes)
	return nil
}

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
