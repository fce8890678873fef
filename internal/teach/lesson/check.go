package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
)

// Check runs the lesson without a browser, step by step. A step must open without a notice, and its goal must not be
// reached as it opens. After Show has been followed and the runs have ended, the goal must be reached and the checks
// must hold. The returned error lists all faults, one per line.
func (l *Lesson) Check() error {
	s, err := session.New(l.scenes, l.Scene)
	if err != nil {
		return err
	}
	var faults []error
	for i := range l.Steps {
		step := &l.Steps[i]
		note := func(line int, format string, args ...any) {
			faults = append(faults, &Error{l.file, line, fmt.Errorf("step %d, %s: %w", i+1, step.Title, fmt.Errorf(format, args...))})
		}
		if err := l.follow(s, i, step.State, nil, note); err != nil {
			note(step.line, "%w", err)
			return errors.Join(faults...) // the next step may keep this state
		}
		for _, text := range step.unexplained() {
			note(step.line, "the wrong answer “%s” has no reason; write one below it, in lines that begin with >", text)
		}
		for _, c := range step.checks {
			if err := l.verify(s, i, c); err != nil {
				note(c.line, "check: %w", err)
			}
		}
	}
	return errors.Join(faults...)
}

// follow opens a step in a state and makes the calls of Show, except for those that set a fixed value.
func (l *Lesson) follow(s *session.Session, i int, state string, fixed []link.Value,
	note func(line int, format string, args ...any)) error {
	step := &l.Steps[i]
	s.TakeNotices()
	if err := l.open(s, i, state); err != nil {
		return err
	}
	if notices := s.TakeNotices(); len(notices) > 0 {
		note(step.line, "it opens with the notice %s", notices[0])
	}
	if step.Goal == nil {
		return nil
	}
	done, err := reached(s)
	if err != nil {
		return err
	}
	if done {
		note(step.line, "its goal is already reached when it opens: %s", step.Goal.source)
	}
	for _, c := range step.Show {
		if slices.ContainsFunc(fixed, func(v link.Value) bool { return c.Verb == "set" && c.Args["name"] == v.Name }) {
			continue
		}
		if err := call(s, c); err != nil {
			return fmt.Errorf("show: %s: %w", c.Verb, err)
		}
	}
	if err := settle(s); err != nil {
		return err
	}
	if done, err = reached(s); err == nil && !done {
		note(step.line, "its goal is not reached after Show: %s%s", step.Goal.source, numbers(s, step.Goal.Condition))
	}
	for _, c := range step.Reveal {
		if err == nil {
			err = call(s, c)
		}
	}
	return err
}

// unexplained returns the wrong answers for which the lesson gives no reason.
func (s *Step) unexplained() []string {
	var out []string
	if s.Predict == nil {
		return nil
	}
	for i, answer := range s.Predict.Answers {
		if s.Predict.Reasons[i] == "" && !slices.Contains(s.Predict.Right, i) {
			out = append(out, element.ReplaceAllString(answer, ""))
		}
	}
	return out
}

// verify returns an error if a check does not hold after the step. If the check names other values, verify follows the
// step again with those values.
func (l *Lesson) verify(s *session.Session, i int, c check) error {
	if c.with == nil {
		return holds(s, c)
	}
	for _, values := range c.with {
		var said []string
		for _, v := range values {
			said = append(said, v.Name+"="+shortened(v.Text))
		}
		settings, _ := link.Parse(l.Steps[i].State) // this state was parsed without a notice before
		for _, v := range values {
			settings.Values = assign(settings.Values, v)
		}
		other, err := session.New(l.scenes, l.Scene)
		if err == nil {
			err = l.follow(other, i, settings.Hash(), values, func(int, string, ...any) {}) // the goal must not be checked for these values
		}
		if err == nil {
			err = holds(other, c)
		}
		if err != nil {
			return fmt.Errorf("with %s: %w", strings.Join(said, " "), err)
		}
	}
	return nil
}

// shortened returns the beginning of a long text.
func shortened(text string) string {
	const limit = 24
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}

func holds(s *session.Session, c check) error {
	now, err := s.State()
	if err != nil {
		return err
	}
	if c.k >= 0 {
		if c.k > now.Latest {
			return fmt.Errorf("k=%d: the runs are at %d", c.k, now.Latest)
		}
		marker := now.Iteration
		defer s.Seek(marker)
		s.Seek(c.k)
		if now, err = s.State(); err != nil {
			return err
		}
	}
	if !c.holds.Eval(&moment{now}) {
		return fmt.Errorf("%s does not hold%s", c.source, numbers(s, c.holds))
	}
	return nil
}

// call executes a verb and finishes its work, as the page does.
func call(s *session.Session, c Call) error {
	args, err := json.Marshal(c.Args)
	if err != nil {
		return err
	}
	if _, err := s.Call(c.Verb, args); err != nil {
		return err
	}
	if c.Verb == playVerb {
		return settle(s)
	}
	return work(s)
}

func always() bool { return true }

// work finishes the background work that a verb has started.
func work(s *session.Session) error {
	for {
		if pending, err := s.Work(always); err != nil || !pending {
			return err
		}
	}
}

// settle plays until the runs end, and finishes their background work.
func settle(s *session.Session) error {
	const (
		tick  = 0.25  // seconds
		limit = 40000 // ticks
	)
	if err := work(s); err != nil {
		return err
	}
	for range limit {
		if !s.Playing() {
			break
		}
		if err := s.Advance(tick, always); err != nil {
			return err
		}
	}
	if s.Playing() {
		return fmt.Errorf("the runs have not ended after %d seconds", int(limit*tick))
	}
	for {
		if pending, err := s.Background(always); err != nil || !pending {
			return err
		}
	}
}

// moment is a state for evaluating conditions. It does not know the visitor's actions.
type moment struct{ *session.State }

func (m *moment) Fact(name string) float64 {
	if v, has := m.Facts[name]; has {
		return float64(v)
	}
	return math.NaN()
}

func (m *moment) Number(name string) float64 { return condition.NumberOf(m.Params[name]) }

func (m *moment) Text(name string) string { text, _ := m.Params[name].(string); return text }

func (m *moment) Truth(name string) bool { truth, _ := m.Params[name].(bool); return truth }

func (m *moment) Hero() string { return m.State.Hero }

func (m *moment) Live(name string) bool {
	return slices.ContainsFunc(m.Log, func(e link.LogEntry) bool { return e.Name == name })
}

// numbers returns a text with the values of a condition's facts and parameters.
func numbers(s *session.Session, t *condition.Tree) string {
	now, err := s.State()
	if err != nil {
		return ""
	}
	m, said := &moment{now}, []string{}
	t.Visit(func(t *condition.Tree) {
		text := ""
		switch t.Op {
		case "fact", "ended", "fresh":
			name := t.Text
			if name == "" {
				name = t.Op
			}
			text = fmt.Sprintf("%s = %.9g", name, m.Fact(name))
		case "param":
			text = fmt.Sprintf("%s = %v", t.Text, m.Params[t.Text])
		}
		if text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	})
	if len(said) == 0 {
		return ""
	}
	return "; " + strings.Join(said, ", ")
}

// Playing implements condition.Env.
func (m *moment) Playing() bool { return m.State.Playing }

// Changed implements condition.Env. No check uses it or any of the following methods.
func (m *moment) Changed(string) bool { return false }

// Tried implements condition.Env.
func (m *moment) Tried(string) int { return 0 }

// Dragged implements condition.Env.
func (m *moment) Dragged(string) bool { return false }

// Scrubbed implements condition.Env.
func (m *moment) Scrubbed() bool { return false }

// Pinned implements condition.Env.
func (m *moment) Pinned() bool { return false }

// open opens step i in a state, as for a visitor who arrives at it. If state is "", the current state stays.
func (l *Lesson) open(s *session.Session, i int, state string) error {
	step := l.Steps[i]
	step.State = state
	err := call(s, Call{"lesson", map[string]any{"name": l.Name, "step": i + 1, "definition": step, "arrive": true}})
	return errors.Join(err, settle(s))
}

// reached reports whether the goal was reached in the session since the step opened.
func reached(s *session.Session) (bool, error) {
	now, err := s.State()
	if err == nil && now.Lesson == nil {
		err = errors.New("the step is no longer open")
	}
	return err == nil && now.Lesson.Reached, err
}
