package lesson

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/session"
)

// compiler turns the steps of a lesson into steps of the page.
type compiler struct {
	*source
	scenes scene.List
	own    scene.About     // the lesson's
	about  scene.About     // the step's
	values []session.Value // that differ from the scene's own, after Show of the steps so far
}

// step compiles one.
func (c *compiler) step(w *written, first bool) (*Step, error) {
	s := &Step{Title: w.title.text, line: w.title.line, Keys: []string{}, Show: []Call{}}
	var err error
	if s.Text, err = c.prose(w.text); err != nil {
		return nil, err
	}
	state, has := w.fields["state"]
	if !has {
		state = part{line: w.title.line}
	}
	if has || first {
		if s.State, err = c.state(state); err != nil {
			return nil, c.errorAt(state.line, "state: %w", err)
		}
	}
	v, err := c.vocabulary()
	if err != nil {
		return nil, c.errorAt(state.line, "%w", err)
	}
	if hero, has := w.fields["hero"]; has {
		if s.Hero = hero.text; !slices.Contains(v.panels, s.Hero) {
			return nil, c.errorAt(hero.line, "hero: %s is no panel that the scene %s has in this state%s",
				scene.Quote(s.Hero), c.about.ID, suggest(s.Hero, v.panels))
		}
	}
	if keys, has := w.fields["keys"]; has {
		for _, name := range strings.FieldsFunc(keys.text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
			if _, known := v.params[name]; !known {
				return nil, c.errorAt(keys.line, "keys: %w", v.unknownParam(name))
			}
			s.Keys = append(s.Keys, name)
		}
	}
	if predict, has := w.fields["predict"]; has {
		if s.Predict, err = c.predict(predict); err != nil {
			return nil, err
		}
	}
	if goal, has := w.fields["goal"]; has {
		if s.Goal, err = c.goal(goal, v); err != nil {
			return nil, err
		}
	}
	for name, to := range map[string]*string{"hint": &s.Hint, "then": &s.Then} {
		if words, has := w.fields[name]; has {
			if *to, err = c.prose(words); err != nil {
				return nil, err
			}
		}
	}
	show, has := w.fields["show"]
	if has != (s.Goal != nil) {
		return nil, c.errorAt(max(show.line, w.fields["goal"].line), "goal: and show: belong together: show: is what reaches the goal")
	}
	if has {
		if s.Show, err = c.show(show); err != nil {
			return nil, c.errorAt(show.line, "show: %w", err)
		}
	}
	for _, p := range w.checks {
		if err := c.check(s, p, v); err != nil {
			return nil, c.errorAt(p.line, "check: %w", err)
		}
	}
	return s, nil
}

// vocabulary returns the names that conditions can use with the current
// values.
func (c *compiler) vocabulary() (*vocabulary, error) {
	s, err := c.opened(c.values)
	if err != nil {
		return nil, err
	}
	v := &vocabulary{about: c.about, facts: map[string]bool{}, params: map[string]param.Descriptor{}}
	for _, d := range c.about.New().Params().Descriptors() {
		v.params[d.Name] = d
	}
	for _, f := range s.Facts() {
		v.facts[f.Name] = true
		v.names = append(v.names, f.Name)
	}
	for _, p := range s.Layout(1120, 720, false, false) {
		v.panels = append(v.panels, p.Panel.ID())
	}
	return v, nil
}

// opened is a session of the scene with some values, which are read strictly.
func (c *compiler) opened(values []session.Value) (*session.Session, error) {
	s, err := session.NewConfigured(c.scenes, c.about.ID, session.Setup{Values: values})
	if unknown := (*param.UnknownError)(nil); errors.As(err, &unknown) {
		return nil, fmt.Errorf("%s is no parameter of the scene %s%s", unknown.Name, c.about.ID, suggest(unknown.Name, unknown.Known))
	}
	return s, err
}

func (c *compiler) predict(p part) (*Predict, error) {
	question, answers, right, err := c.takeApart(p)
	if err != nil {
		return nil, err
	}
	out := &Predict{Right: right}
	if out.Question, err = c.line(question); err != nil {
		return nil, err
	}
	for _, a := range answers {
		html, err := c.line(a)
		if err != nil {
			return nil, err
		}
		out.Answers = append(out.Answers, html)
	}
	return out, nil
}

// code matches a condition between backticks, at the end of the words that
// say it.
var code = regexp.MustCompile("(?s)^(.*\\S)\\s*`([^`]+)`$")

func (c *compiler) goal(p part, v *vocabulary) (*Goal, error) {
	g := &Goal{source: strings.Trim(strings.Join(strings.Fields(p.text), " "), "`")}
	words := "`" + g.source + "`"
	if m := code.FindStringSubmatch(p.text); m != nil {
		words, g.source = m[1], strings.Join(strings.Fields(m[2]), " ")
	}
	var err error
	if g.Text, err = c.line(part{words, p.line}); err != nil {
		return nil, err
	}
	if g.Condition, err = v.parse(g.source); err != nil {
		return nil, c.errorAt(p.line, "goal: %w", err)
	}
	return g, nil
}
