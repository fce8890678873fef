package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/session"
)

// reviewTitle is the line that starts a lesson's question for the last page.
const reviewTitle = "# Review"

// writtenReview is the review question in its written form.
type writtenReview struct {
	line    int
	fields  map[string]part
	answers []part
}

// review is a question with drawn numbers. The facts of a run determine which answer is right.
type review struct {
	line    int
	ask     part
	draws   []draw
	state   part
	show    part
	answers []part
	source  *compiler
}

// draw is a number in a question, with the texts from which it is drawn.
type draw struct {
	name  string
	texts []string
}

// Question is a question for the last page with its numbers, as HTML.
type Question struct {
	Lesson  string   `json:"lesson"`
	Ask     string   `json:"ask"`
	Answers []string `json:"answers"`
	Right   int      `json:"right"` // from 0
	State   string   `json:"state"` // part of a link after #, which shows the question's run
}

// These are the limits for the drawn numbers and the answers of a question.
const (
	maxDraws    = 12 // combinations of drawn numbers
	leastChoice = 2
	maxChoice   = 4
)

var reviewNames = []string{"ask", "draw", "state", "show"}

// readReview reads the lines of the question from an index on, and returns the index of the line after it.
func (f *source) readReview(at int) (after int, err error) {
	if f.review != nil {
		return 0, f.errorAt(at, "the lesson has a second %s", reviewTitle)
	}
	r := &writtenReview{line: at, fields: map[string]part{}}
	for ; at < len(f.lines) && !strings.HasPrefix(f.lines[at], "#"); at++ {
		line := f.lines[at]
		m := named.FindStringSubmatch(line)
		switch {
		case m != nil && slices.Contains(reviewNames, m[1]):
			if r.fields[m[1]].line > 0 {
				return 0, f.errorAt(at+1, "%s: appears twice", m[1])
			}
			r.fields[m[1]] = part{m[2], at + 1}
		case m != nil:
			return 0, f.errorAt(at+1, "unknown part %q of the question%s", m[1], suggest(m[1], reviewNames))
		case listed.MatchString(line):
			r.answers = append(r.answers, part{listed.ReplaceAllString(line, ""), at + 1})
		case strings.TrimSpace(line) == "":
		case len(r.answers) > 0:
			r.answers[len(r.answers)-1].text += "\n" + line
		case r.fields["ask"].line > 0 && len(r.fields) == 1:
			ask := r.fields["ask"]
			r.fields["ask"] = part{ask.text + "\n" + line, ask.line}
		default:
			return 0, f.errorAt(at+1, "%s: or an answer such as “- Nobody. `worse(ls) == 0`” is expected here", strings.Join(reviewNames, ": "))
		}
	}
	if r.fields["ask"].text == "" {
		return 0, f.errorAt(r.line, "the question is missing; write it after ask:")
	}
	if n := len(r.answers); n < leastChoice || n > maxChoice {
		return 0, f.errorAt(r.line, "the question has %d answers; %d to %d are expected, each with a condition between backticks",
			n, leastChoice, maxChoice)
	}
	f.review = r
	return at, nil
}

// review compiles the written question. Questions later inserts the numbers and makes the runs.
func (c *compiler) review(w *writtenReview) (*review, error) {
	out := &review{line: w.line, ask: w.fields["ask"], state: w.fields["state"], show: w.fields["show"], answers: w.answers, source: c}
	if out.state.line == 0 {
		out.state.line = w.line
	}
	combinations := 1
	drawn := w.fields["draw"]
	for _, token := range strings.Fields(drawn.text) {
		name, texts, pair := strings.Cut(token, "=")
		d := draw{name, strings.Split(texts, ",")}
		if !pair || !drawnName.MatchString(name) || slices.Contains(d.texts, "") {
			return nil, c.errorAt(drawn.line, "draw: %s is not of the form a=1,2,3, a name of small letters and the numbers to draw from", token)
		}
		combinations *= len(d.texts)
		out.draws = append(out.draws, d)
	}
	if combinations > maxDraws {
		return nil, c.errorAt(drawn.line, "draw: %d combinations; the maximum is %d", combinations, maxDraws)
	}
	if _, err := out.question(0); err != nil { // report faults that do not need a run
		return nil, err
	}
	return out, nil
}

var drawnName = regexp.MustCompile(`^[a-z]+$`)

// count returns the number of combinations of drawn numbers.
func (r *review) count() int {
	n := 1
	for _, d := range r.draws {
		n *= len(d.texts)
	}
	return n
}

// filled inserts the numbers of a combination into a text.
func (r *review) filled(p part, i int) part {
	for _, d := range r.draws {
		p.text = strings.ReplaceAll(p.text, "{"+d.name+"}", d.texts[i%len(d.texts)])
		i /= len(d.texts)
	}
	return p
}

// askedQuestion is a question before it is run.
type askedQuestion struct {
	Question
	show       []Call
	conditions []*condition.Tree
	sources    []string
}

// question compiles the question with the numbers of a combination.
func (r *review) question(i int) (*askedQuestion, error) {
	c := *r.source
	c.marks, c.slots = nil, nil
	q := &askedQuestion{}
	var err error
	if q.State, err = c.state(r.filled(r.state, i)); err != nil {
		return nil, c.errorAt(r.state.line, "state: %w", err)
	}
	v, err := c.vocabulary()
	if err != nil {
		return nil, c.errorAt(r.state.line, "%w", err)
	}
	if q.Ask, err = c.prose(r.filled(r.ask, i)); err != nil {
		return nil, err
	}
	if q.show, err = c.show(r.filled(r.show, i)); err != nil {
		return nil, c.errorAt(r.show.line, "show: %w", err)
	}
	for _, a := range r.answers {
		words, t, source, err := c.asked(r.filled(a, i), v)
		if err != nil {
			return nil, err
		}
		q.Answers, q.conditions, q.sources = append(q.Answers, words), append(q.conditions, t), append(q.sources, source)
	}
	return q, nil
}

// Questions runs the lesson's question for the last page with each combination of its numbers. Each time exactly one
// answer must be right, but not the same one every time. It returns none if the lesson has no such question.
func (l *Lesson) Questions() ([]Question, error) {
	if l.review == nil {
		return nil, nil
	}
	var out []Question
	for i := range l.review.count() {
		q, err := l.review.question(i)
		if err != nil {
			return nil, err
		}
		if err := l.settleQuestion(q); err != nil {
			return nil, &Error{l.file, l.review.line, fmt.Errorf("question %d: %w", i+1, err)}
		}
		out = append(out, q.Question)
	}
	if len(out) > 1 && !slices.ContainsFunc(out, func(q Question) bool { return q.Right != out[0].Right }) {
		return nil, &Error{l.file, l.review.line, errors.New("the same answer is right for all drawn numbers")}
	}
	return out, nil
}

func (l *Lesson) settleQuestion(q *askedQuestion) error {
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		return err
	}
	state, err := json.Marshal(map[string]any{"state": q.State})
	if err != nil {
		return err
	}
	if _, err := s.Call("load", state); err != nil {
		return err
	}
	if err := settle(s); err != nil {
		return err
	}
	for _, c := range q.show {
		if err := call(s, c); err != nil {
			return fmt.Errorf("show: %s: %w", c.Verb, err)
		}
	}
	if err := settle(s); err != nil {
		return err
	}
	now, err := s.State()
	if err != nil {
		return err
	}
	q.Lesson, q.Right = l.Name, -1
	for i, t := range q.conditions {
		if !t.Eval(&moment{now}) {
			continue
		}
		if q.Right >= 0 {
			return fmt.Errorf("two answers are right: %s, and %s", q.sources[q.Right], q.sources[i])
		}
		q.Right = i
	}
	if q.Right < 0 {
		said := ""
		for _, t := range q.conditions {
			said += numbers(s, t)
		}
		return fmt.Errorf("no answer is right%s", said)
	}
	settings := s.Settings()
	q.State = settings.Hash()
	return nil
}
