package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error reports a fault in a line of a lesson.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// source is a lesson split into its fields, before they are compiled.
type source struct {
	file   string
	lines  []string
	front  map[string]part
	know   []part
	steps  []written
	review *writtenReview // nil if there is none

	slots *slotList                    // slots of the words being parsed; nil if slots are not allowed
	marks func(id string) (why string) // returns why a name is not a mark; nil if marks are not allowed
}

// slotList collects the slots for the visitor's numbers in a text, as they are written in the file.
type slotList struct{ all []part }

// part is a piece of the file with the number of its first line, counted from 1.
type part struct {
	text string
	line int
}

// written is a step split into its fields, before they are compiled.
type written struct {
	title, text part
	fields      map[string]part
	checks      []part
}

func (f *source) errorAt(line int, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if errors.As(err, new(*Error)) { // the error already has a position
		return err
	}
	return &Error{f.file, line, err}
}

// These are the names of fields. A lesson begins with frontNames, of which the needed ones are required. A step has fields
// that contain prose (wordy), and fields that contain a single paragraph of names (terse).
var (
	frontNames = []string{"title", "question", "number", "minutes", "scene", "aim", "after", "know"}
	needed     = []string{"title", "question", "scene"}
	wordy      = []string{"predict", "hint", "then"}
	terse      = []string{"state", "hero", "keys", "hide", "kind", "goal", "show", "reveal", "check"}
)

// named matches a line that starts a field.
var named = regexp.MustCompile(`^([a-z]+):(?:[ \t]+(.*))?$`)

const (
	maxFile  = 64 << 10 // bytes of a lesson; the page's lessons have 6,000
	maxLine  = 2000     // characters per line: the time to parse Markdown grows with the square of a line's length
	maxSteps = 40       // every step may open a scene
	maxFront = 200      // characters of each field at the lesson's beginning, and of a step's title
	maxKnow  = 3        // sentences to remember after a lesson
)

// readSource splits a file into its parts.
func readSource(file string, data []byte) (*source, error) {
	f := &source{file: file, front: map[string]part{}}
	switch {
	case len(data) > maxFile:
		return nil, f.errorAt(1, "the file has %d bytes; the maximum is %d", len(data), maxFile)
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return nil, f.errorAt(1, "the file is not text in UTF-8")
	}
	if err := f.lineLengths(data); err != nil {
		return nil, err
	}
	text := strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\uFEFF")
	f.lines = strings.Split(text, "\n")
	at, err := f.readFront()
	if err != nil {
		return nil, err
	}
	for ; at < len(f.lines); at++ {
		line := f.lines[at]
		switch title, isStep := strings.CutPrefix(line, "## "); {
		case isStep && len(f.steps) == maxSteps:
			return nil, f.errorAt(at+1, "the lesson has more than %d steps; divide it into two lessons", maxSteps)
		case isStep:
			f.steps = append(f.steps, written{title: part{strings.TrimSpace(title), at + 1}, fields: map[string]part{}})
			if at, err = f.readStep(&f.steps[len(f.steps)-1], at+1); err != nil {
				return nil, err
			}
			at--
		case strings.TrimSpace(line) == reviewTitle && len(f.steps) > 0:
			if at, err = f.readReview(at + 1); err != nil {
				return nil, err
			}
			at--
		case strings.TrimSpace(line) != "":
			return nil, f.errorAt(at+1, "expected a step, which begins with ## and its title")
		}
	}
	if len(f.steps) == 0 {
		return nil, f.errorAt(len(f.lines), "the lesson has no step; one begins with ## and its title")
	}
	return f, nil
}

// lineLengths returns an error if a line is too long.
func (f *source) lineLengths(data []byte) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(line) <= maxLine { // bytes
			continue
		}
		if n := utf8.RuneCount(line); n > maxLine {
			return f.errorAt(number, "the line has %d characters; the maximum is %d. Break it: a paragraph may have many lines", n, maxLine)
		}
	}
	return nil
}

// readFront reads the lines between two lines of three hyphens, and returns the index of the line after them.
func (f *source) readFront() (after int, err error) {
	if strings.TrimSpace(f.lines[0]) != "---" {
		return 0, f.errorAt(1, "a lesson begins with a line of three hyphens, ---, and the fields %s", strings.Join(needed, ", "))
	}
	for i, line := range f.lines[1:] {
		number := i + 2
		name, text, ok := strings.Cut(line, ":")
		text = strings.TrimSpace(text)
		switch {
		case strings.TrimSpace(line) == "---":
			for _, name := range needed {
				if _, has := f.front[name]; !has {
					return 0, f.errorAt(number, "%s is missing above this line", name)
				}
			}
			return number, nil
		case strings.TrimSpace(line) == "":
		case !ok:
			return 0, f.errorAt(number, "expected name: value, or --- after the last field")
		case !slices.Contains(frontNames, name):
			return 0, f.errorAt(number, "unknown field %s at the beginning of a lesson%s", strconv.Quote(name), suggest(name, frontNames))
		case name == "know" && text != "" && utf8.RuneCountInString(text) <= maxFront && len(f.know) < maxKnow:
			f.know = append(f.know, part{text, number})
		case name == "know" && len(f.know) == maxKnow:
			return 0, f.errorAt(number, "know appears more than %d times", maxKnow)
		case f.front[name].line > 0:
			return 0, f.errorAt(number, "%s appears twice", name)
		case text == "":
			return 0, f.errorAt(number, "%s is empty", name)
		case utf8.RuneCountInString(text) > maxFront:
			return 0, f.errorAt(number, "%s has %d characters; the maximum is %d", name, utf8.RuneCountInString(text), maxFront)
		default:
			f.front[name] = part{text, number}
		}
	}
	return 0, f.errorAt(len(f.lines), "the line --- after the lesson’s first fields is missing")
}

// readStep reads a step's lines, starting at the given index, and returns the index of the line after the step.
func (f *source) readStep(s *written, at int) (after int, err error) {
	if s.title.text == "" {
		return 0, f.errorAt(s.title.line, "the step has no title")
	}
	if n := utf8.RuneCountInString(s.title.text); n > maxFront {
		return 0, f.errorAt(s.title.line, "the step’s title has %d characters; the maximum is %d", n, maxFront)
	}
	current, start, fenced := "", at, false // the step's text has no name
	finish := func(end int) error {
		for end > start && strings.TrimSpace(f.lines[end-1]) == "" {
			end--
		}
		return f.put(s, current, start, end)
	}
	for ; at < len(f.lines); at++ {
		line := f.lines[at]
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		if strings.HasPrefix(line, "## ") || strings.TrimSpace(line) == reviewTitle {
			break
		}
		m := named.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		known := slices.Concat(wordy, terse)
		if !slices.Contains(known, m[1]) {
			if near := suggest(m[1], known); slices.Contains(terse, current) || strings.Contains(near, "did you mean") {
				return 0, f.errorAt(at+1, "unknown part %q of a step%s", m[1], near)
			}
			continue
		}
		if err := finish(at); err != nil {
			return 0, err
		}
		current, start = m[1], at
	}
	return at, finish(at)
}

// put stores the lines from start to end as a field, or as the step's text.
func (f *source) put(s *written, name string, start, end int) error {
	words := strings.Join(f.lines[start:end], "\n")
	if name == "" {
		for start < end && strings.TrimSpace(f.lines[start]) == "" {
			start++
		}
		if start == end {
			return f.errorAt(s.title.line, "the step has no words; write them before its other parts")
		}
		s.text = part{strings.Join(f.lines[start:end], "\n"), start + 1}
		return nil
	}
	p := part{strings.TrimSpace(strings.TrimPrefix(words, name+":")), start + 1}
	if p.text == "" {
		return f.errorAt(p.line, "%s: is empty", name)
	}
	if slices.Contains(terse, name) {
		for i := start; i < end; i++ {
			if strings.TrimSpace(f.lines[i]) == "" {
				return f.errorAt(i+2, "%s: can only have one paragraph; write words before the other parts of a step, or in then:", name)
			}
		}
	}
	if name == "check" {
		s.checks = append(s.checks, p)
		return nil
	}
	if before, twice := s.fields[name]; twice {
		return f.errorAt(p.line, "%s: appears twice in this step, also in line %d", name, before.line)
	}
	s.fields[name] = p
	return nil
}

// answer matches an item of a list of answers.
var answer = regexp.MustCompile(`^\s*[-*+] \[([ xX])\]\s+(.*)$`)

// takeApart separates a question, its answers, and their reasons, which are in lines that begin with >.
func (f *source) takeApart(predict part) (question part, answers, reasons []part, right []int, err error) {
	lines := strings.Split(predict.text, "\n")
	question = part{line: predict.line}
	for i, line := range lines {
		m := answer.FindStringSubmatch(line)
		switch {
		case m != nil:
			if m[1] != " " {
				right = append(right, len(answers))
			}
			answers = append(answers, part{m[2], predict.line + i})
			reasons = append(reasons, part{line: predict.line + i})
		case len(answers) > 0 && strings.HasPrefix(strings.TrimSpace(line), ">"):
			reason := &reasons[len(reasons)-1]
			if reason.text == "" {
				reason.line = predict.line + i
			}
			reason.text = strings.TrimSpace(reason.text + "\n" + strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), ">")))
		case strings.TrimSpace(line) == "":
		case len(answers) > 0 && !strings.HasPrefix(line, " "):
			err = f.errorAt(predict.line+i, "expected an answer, such as “- [ ] wrong” or “- [x] right”")
			return question, nil, nil, nil, err
		case len(answers) > 0 && reasons[len(answers)-1].text != "":
			err = f.errorAt(predict.line+i, "each line of a reason must begin with >")
			return question, nil, nil, nil, err
		case len(answers) > 0:
			answers[len(answers)-1].text += "\n" + line
		default:
			question.text += line + "\n"
		}
	}
	const least, limit = 2, 4
	switch n := len(answers); {
	case strings.TrimSpace(question.text) == "":
		err = f.errorAt(predict.line, "predict: has no question")
	case n < least || n > limit:
		err = f.errorAt(predict.line, "predict: has %d answers; expected %d to %d, each “- [ ] wrong” or “- [x] right”", n, least, limit)
	case len(right) == 0:
		err = f.errorAt(predict.line, "predict: has no right answer; mark it with “- [x]”")
	case len(right) == n:
		err = f.errorAt(predict.line, "predict: has no wrong answer; mark it with “- [ ]”")
	}
	return question, answers, reasons, right, err
}
