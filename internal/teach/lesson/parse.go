package lesson

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

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
