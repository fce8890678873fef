package site

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"html/template"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/teach/lesson"
)

// worksheetsFolder contains a printable page for every lesson: questions for students, answers, and a lesson plan.
const worksheetsFolder = "worksheets/"

//go:embed worksheet.html
var worksheetText string

var worksheetTemplate = template.Must(template.New("worksheet").Parse(worksheetText))

// These are content policies: one for a worksheet that is a page of the site, and one for a single file that contains
// its style.
const (
	worksheetPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
	alonePolicy     = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)

// These are the sizes of pictures on the screen, in CSS pixels: 85 mm wide, like a printed figure.
const figureWidth, figureHeight = 321, 250

// sheetStep is a step on a worksheet. Pictures are data URLs; "" means no picture.
type sheetStep struct {
	Number              int // from 1
	Title               string
	Alone               bool // whether the step offers no help
	Text, Question, Do  template.HTML
	Then                template.HTML // text after the step, with the numbers that result from the calls in Show
	Answers             []sheetAnswer // in random order
	Before, Axes, After template.URL
}

type sheetAnswer struct {
	Words, Reason template.HTML
	Right         bool
}

// Planned is a part of a 45-minute lesson plan.
type Planned struct {
	From, To  int // minutes
	What, How string
}

// Worksheet returns a lesson's worksheet as a single file. It looks for the lesson in the source tree and in the folders
// own. It returns an InputError if the lesson is unknown or invalid.
func Worksheet(name string, own ...string) ([]byte, error) {
	source, err := Find("", own...)
	if err != nil {
		return nil, err
	}
	style, err := os.ReadFile(filepath.Join(source.dir, "assets", "lesson", "worksheet.css"))
	if err != nil {
		return nil, err
	}
	return source.worksheet(name, string(style))
}

// worksheet returns a lesson's worksheet as a single file that contains the given style, or as a page of the site if
// style is "".
func (s *Source) worksheet(name, style string) ([]byte, error) {
	_, heads, err := s.lessons()
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, head := range heads {
		titles[head.Name] = head.Title
	}
	if _, err := find(heads, name); err != nil {
		return nil, err
	}
	l, err := s.readLesson(name)
	if err != nil {
		return nil, InputError{firstFault(err)}
	}
	steps, err := sheetSteps(l)
	if err != nil {
		return nil, InputError{firstFault(err)}
	}
	var after []string
	for _, before := range l.After {
		if title, has := titles[before]; has {
			after = append(after, title)
		}
	}
	var know []template.HTML
	for _, sentence := range l.Know {
		know = append(know, template.HTML(sentence)) // safe: lessons contain no HTML
	}
	policy := alonePolicy
	if style == "" {
		policy = worksheetPolicy
	}
	var b bytes.Buffer
	err = worksheetTemplate.Execute(&b, map[string]any{
		"Lesson": l.Head, "Steps": steps, "After": after, "Know": know, "Plan": Plan(l.Minutes), "Policy": policy,
		"Style": template.CSS(style), "Width": figureWidth, "Height": figureHeight,
	})
	return b.Bytes(), err
}

// sheetSteps returns the steps of a worksheet. Each step shows its opening picture, unless the same picture is already
// above. If the picture would answer the step's question, the step shows empty axes to draw in instead. The first
// question whose step also has a goal always gets the axes, together with a picture of the step's end.
func sheetSteps(l *lesson.Lesson) ([]sheetStep, error) {
	steps := make([]sheetStep, len(l.Steps))
	pictured := slices.IndexFunc(l.Steps, func(s lesson.Step) bool { return s.Predict != nil && s.Goal != nil })
	random := rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(l.Name))), 0))
	for i, of := range l.Steps {
		s := &steps[i]
		*s = sheetStep{Number: i + 1, Title: of.Title, Alone: of.Kind == lesson.Transfer, Text: template.HTML(of.Text)} // safe, as above
		if of.Goal != nil {
			s.Do = template.HTML(of.Goal.Text)
		}
		if of.Predict == nil {
			continue
		}
		s.Question = template.HTML(of.Predict.Question)
		for j, words := range of.Predict.Answers {
			s.Answers = append(s.Answers, sheetAnswer{template.HTML(words), template.HTML(of.Predict.Reasons[j]),
				slices.Contains(of.Predict.Right, j)})
		}
		random.Shuffle(len(s.Answers), func(a, b int) { s.Answers[a], s.Answers[b] = s.Answers[b], s.Answers[a] })
	}
	above := template.URL("") // the last picture on the sheet
	err := l.Walk(func(i int, shown bool, now *session.Session) (err error) {
		s, of, front := &steps[i], &l.Steps[i], now.Files().Front
		if shown {
			state, err := now.State()
			if err != nil {
				return err
			}
			if of.Goal == nil || state.Lesson == nil {
				s.Then = template.HTML(of.Told(nil))
			} else {
				s.Then = template.HTML(of.Told(state.Lesson.Numbers))
			}
		}
		if shown {
			if i == pictured {
				s.After, err = figure(now, front)
			}
			return err
		}
		covered := of.Predict != nil && of.Hides(front)
		if !covered {
			if s.Before, err = figure(now, front); err != nil {
				return err
			}
			if s.Before == above {
				s.Before = ""
			} else {
				above = s.Before
			}
		}
		if !covered && i != pictured {
			return nil
		}
		data, ok, err := now.Files().Blank(front, axes.OneColumn)
		if !ok || err != nil {
			return err
		}
		s.Axes, err = inside(data)
		return err
	})
	return steps, err
}

// figure draws a panel in the theme for paper.
func figure(s *session.Session, id string) (template.URL, error) {
	file, err := s.Take("png", files.Taking{Panel: id, Width: axes.OneColumn})
	if err != nil {
		return "", err
	}
	return inside(file.Data)
}

// inside returns a PNG as a data URL, with at most allColours colours.
func inside(data []byte) (template.URL, error) {
	data, err := shrunk(data, allColours)
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data)), err
}

// Plan divides a 45-minute class into parts. The lesson takes a single visitor the given number of minutes. Students
// work in pairs and talk, so a pair takes half as long again, plus a few minutes.
func Plan(minutes int) []Planned {
	const all, limit = 45, 20
	pairs := min(minutes+minutes/2+4, limit)
	parts := []Planned{
		{To: 5, What: "The question", How: "Read the lesson’s question aloud. Ask for guesses, but confirm none."},
		{To: 6, What: "Predict", How: "Students work alone on paper: they tick an answer to each question and write down why. No devices yet."},
		{To: pairs, What: "The lesson, in pairs", How: "Each pair answers, acts and looks at its own pace, and argues before each answer. " +
			"At the end, it writes down the code."},
		{What: "What surprised us", How: "For each question, ask who was wrong at first and what convinced them. The reasons " +
			"are on the answers’ sheet."},
		{To: 6, What: "On your own", How: "Students repeat the last step alone with another number: what would change, and why?"},
		{To: 3, What: "To keep", How: "Agree on three sentences, in the students’ words first. Collect the codes if you use them: " +
			"to plan your next lesson, not for grading."},
	}
	left := all
	for _, p := range parts {
		left -= p.To
	}
	from := 0
	for i := range parts {
		length := parts[i].To
		if length == 0 {
			length = left
		}
		parts[i].From, parts[i].To = from, from+length
		from += length
	}
	return parts
}

// worksheets adds the worksheets to the files that this program creates. If lessons cannot be read, they have no
// worksheets; requests for the lessons report the error.
func (s *Source) worksheets(drawings map[string]func() ([]byte, error)) {
	_, list, err := s.lessons()
	if err != nil || len(s.folders) == 0 {
		return
	}
	for _, head := range list {
		drawings[worksheetName(head.Name)] = func() ([]byte, error) {
			page := func() ([]byte, error) { return s.worksheet(head.Name, "") }
			if s.pictures == nil {
				return page()
			}
			program, err := ownStamp()
			if err != nil {
				return nil, err
			}
			text, err := s.lesson(lessonsFolder + head.Name + ".json") // the worksheet changes with its lesson
			if err != nil {
				return nil, err
			}
			return s.pictures.get(fmt.Sprintf("%s-%s-worksheet-%s.html", program, stamp(text), head.Name), page)
		}
	}
}

func worksheetName(lesson string) string { return worksheetsFolder + lesson + ".html" }
