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

// worksheetsFolder has a page for every lesson, to be printed: questions for students; answers; a plan for teachers.
const worksheetsFolder = "worksheets/"

//go:embed worksheet.html
var worksheetText string

var worksheetTemplate = template.Must(template.New("worksheet").Parse(worksheetText))

// Policies of a worksheet: as a page of the site, and as a file of its own, which has its style inside.
const (
	worksheetPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
	alonePolicy     = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)

// Sizes of pictures on the screen, in CSS pixels: 85 mm by what a printed figure has for that width.
const figureWidth, figureHeight = 321, 250

// sheetStep is a step on a worksheet. Pictures are addresses with all data in them, "" for none.
type sheetStep struct {
	Number              int // from 1
	Title               string
	Alone               bool // without help
	Text, Question, Do  template.HTML
	Then                template.HTML // with the numbers that Show gives
	Answers             []sheetAnswer // in a drawn order
	Before, Axes, After template.URL
}

type sheetAnswer struct {
	Words, Reason template.HTML
	Right         bool
}

// Planned is a part of a plan of 45 minutes.
type Planned struct {
	From, To  int // minutes
	What, How string
}

// Worksheet returns the worksheet of a lesson as a file of its own, from the source tree's lessons and own folders. The
// error is an InputError if there is no such lesson, or if a lesson is at fault.
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

// worksheet makes the worksheet of a lesson: with its style inside, or for style "" as a page of the site.
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

// sheetSteps are the steps of a worksheet. Each has a picture as it opens, unless that answers its question or stands already above it;
// then it has empty axes to draw into. The first question that runs or moves something has both, and a picture once its goal is reached.
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

// figure draws a panel as on paper.
func figure(s *session.Session, id string) (template.URL, error) {
	file, err := s.Take("png", files.Taking{Panel: id, Width: axes.OneColumn})
	if err != nil {
		return "", err
	}
	return inside(file.Data)
}

// inside is an address that holds a PNG, with fewer colours.
func inside(data []byte) (template.URL, error) {
	data, err := shrunk(data, allColours)
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data)), err
}

// Plan parts 45 minutes for a lesson of so many minutes. Pairs take half as long again as a single visitor and some minutes more, since
// they talk.
func Plan(minutes int) []Planned {
	const all, limit = 45, 20
	pairs := min(minutes+minutes/2+4, limit)
	parts := []Planned{
		{To: 5, What: "The question", How: "Read the lesson’s question aloud. Ask for guesses; take none as right."},
		{To: 6, What: "Predict", How: "Everybody alone, on paper: tick an answer to each question and write down why. No device yet."},
		{To: pairs, What: "The lesson, in pairs", How: "Answer, act, look, at one’s own pace. The two argue before each answer. " +
			"Who is done writes down the code."},
		{What: "What surprised us", How: "For each question ask who was wrong at first, and let them say what convinced them: the reasons " +
			"are on the answers’ sheet."},
		{To: 6, What: "On your own", How: "The last step again, alone, with another number: what would change, and why?"},
		{To: 3, What: "To keep", How: "Three sentences, in the students’ words first. Collect the codes if you use them: for your next lesson, " +
			"not for marks."},
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

// worksheets adds the worksheets to the files that this program makes. Lessons that cannot be read have none; whoever
// asks for the lessons hears why.
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
			text, err := s.lesson(lessonsFolder + head.Name + ".json") // a changed lesson has another worksheet
			if err != nil {
				return nil, err
			}
			return s.pictures.get(fmt.Sprintf("%s-%s-worksheet-%s.html", program, stamp(text), head.Name), page)
		}
	}
}

func worksheetName(lesson string) string { return worksheetsFolder + lesson + ".html" }
