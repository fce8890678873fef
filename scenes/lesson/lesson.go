// Package lesson reads lessons, checks them against their scenes, and runs them without a browser.
// docs/lessons.md says how to write one.
package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/session"
)

// Head is the entry of a lesson in a list of lessons.
type Head struct {
	Name     string `json:"name"` // of its file, without .md
	Title    string `json:"title"`
	Question string `json:"question"`
	Minutes  int    `json:"minutes"`
	Scene    string `json:"scene"`
	Steps    int    `json:"steps"`
}

// Lesson is a lesson in the form that the page reads.
type Lesson struct {
	Head
	Steps []Step `json:"steps"` // in place of their number

	file   string // as errors name it
	scenes scene.List
}

// Step is a step of a lesson. Its words are HTML that is safe in the page; only the title is plain
// text.
type Step struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	State   string   `json:"state"` // the part of a link behind #; "" keeps what there is
	Hero    string   `json:"hero"`  // the panel in front, "" for the scene's own
	Keys    []string `json:"keys"`  // the parameters that matter, empty for the scene's own
	Predict *Predict `json:"predict"`
	Goal    *Goal    `json:"goal"`
	Hint    string   `json:"hint"`
	Show    []Call   `json:"show"` // the calls that reach the goal
	Then    string   `json:"then"`

	line   int
	checks []check
}

// Predict is a question to answer before the goal opens.
type Predict struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
	Right    []int    `json:"right"` // from 0
}

// Goal is the goal that a visitor is to reach.
type Goal struct {
	Text      string          `json:"text"`
	Condition *condition.Tree `json:"condition"`

	source string
}

// Call is a verb of the page. After play the next one waits until the runs have ended.
type Call struct {
	Verb string         `json:"verb"`
	Args map[string]any `json:"args"`
}

// playVerb is the verb that takes time.
const playVerb = "play"

// Parse reads a lesson and checks everything about it that needs no run.
func Parse(scenes scene.List, file string, data []byte) (*Lesson, error) {
	f, err := readSource(file, data)
	if err != nil {
		return nil, err
	}
	l := &Lesson{file: file, scenes: scenes, Head: Head{Title: f.front["title"].text, Question: f.front["question"].text, Steps: len(f.steps)}}
	name := fileName.FindStringSubmatch(filepath.Base(file))
	if name == nil {
		return nil, f.errorAt(1, "the file’s name is not like 21-my-lesson.md, of small letters, digits and hyphens")
	}
	l.Name = name[1]
	if err := (session.Place{Name: l.Name, Step: l.Head.Steps}).Check(); err != nil {
		return nil, f.errorAt(1, "%w", err)
	}
	minutes := f.front["minutes"]
	if l.Minutes, err = strconv.Atoi(minutes.text); err != nil || l.Minutes < 1 || l.Minutes > 60 {
		return nil, f.errorAt(minutes.line, "minutes is %s; a whole number from 1 to 60 is expected", scene.Quote(minutes.text))
	}
	asked := f.front["scene"]
	about, err := scenes.Find(asked.text)
	if err != nil {
		return nil, f.errorAt(asked.line, "%w", err)
	}
	l.Scene = about.ID
	c := &compiler{source: f, scenes: scenes, own: about, about: about}
	for i := range f.steps {
		step, err := c.step(&f.steps[i], i == 0)
		if err != nil {
			return nil, err
		}
		l.Steps = append(l.Steps, *step)
	}
	return l, nil
}

// fileName is the pattern of a lesson's file name, which identifies and orders lessons.
var fileName = regexp.MustCompile(`^([a-z0-9]+(?:-[a-z0-9]+)*)\.md$`)

// Read reads the lessons of folders, in the order of the folders, then of the files’ names. Its
// error lists the faults, one line for each lesson.
func Read(scenes scene.List, folders ...string) ([]*Lesson, error) {
	var out []*Lesson
	var faults []error
	for _, folder := range folders {
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
			l, err := readFile(scenes, file)
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
	return out, errors.Join(faults...)
}

func readFile(scenes scene.List, file string) (*Lesson, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err == nil && info.Size() > maxFile {
		err = fmt.Errorf("it has %d bytes; the most is %d", info.Size(), maxFile)
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
