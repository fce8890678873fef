package lesson

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
)

// compiler converts the steps of a lesson to steps of the page.
type compiler struct {
	*source
	scenes scene.List
	own    scene.About  // the lesson's scene
	about  scene.About  // the step's scene
	values []link.Value // values that differ from the scene's defaults after the Show calls of all steps so far

	playing float64 // seconds that the runs of Show take in all steps so far
}

// step compiles a step from its written form; first is true for the lesson's first step.
func (c *compiler) step(w *written, first bool) (*Step, error) {
	s := &Step{Title: w.title.text, line: w.title.line, Keys: []string{}, Hide: []string{}, Show: []Call{}, Reveal: []Call{},
		Slots: []*condition.Tree{}}
	var err error
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
	c.marks = v.mark
	defer func() { c.marks = nil }()
	if s.Text, err = c.prose(w.text); err != nil {
		return nil, err
	}
	if kind, has := w.fields["kind"]; has {
		if s.Kind = kind.text; s.Kind != Transfer {
			return nil, c.errorAt(kind.line, "kind: unknown kind of step %s; available: %s, a step that is answered without help",
				scene.Quote(s.Kind), Transfer)
		}
		if hint, has := w.fields["hint"]; has {
			return nil, c.errorAt(hint.line, "hint: a step of the kind %s cannot have a hint", Transfer)
		}
	}
	if hero, has := w.fields["hero"]; has {
		if s.Hero = hero.text; !slices.Contains(v.panels, s.Hero) {
			return nil, c.errorAt(hero.line, "hero: unknown panel %s of the scene %s in this state%s",
				scene.Quote(s.Hero), c.about.ID, suggest(s.Hero, v.panels))
		}
	}
	if keys, has := w.fields["keys"]; has {
		for _, name := range namesIn(keys.text) {
			if _, known := v.params[name]; !known {
				return nil, c.errorAt(keys.line, "keys: %w", v.unknownParam(name))
			}
			s.Keys = append(s.Keys, name)
		}
	}
	if hide, has := w.fields["hide"]; has {
		if s.Hide, err = v.hidden(hide.text); err != nil {
			return nil, c.errorAt(hide.line, "hide: %w", err)
		}
		if _, asks := w.fields["predict"]; !asks {
			return nil, c.errorAt(hide.line, "hide: needs predict:, a question; the hidden parts appear once it is answered")
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
	if hint, has := w.fields["hint"]; has {
		if s.Hint, err = c.prose(hint); err != nil {
			return nil, err
		}
	}
	if then, has := w.fields["then"]; has {
		if s.Then, s.Slots, err = c.outcome(then, v, s.Goal != nil); err != nil {
			return nil, err
		}
	}
	show, has := w.fields["show"]
	if has != (s.Goal != nil) {
		return nil, c.errorAt(max(show.line, w.fields["goal"].line), "goal: and show: belong together: show: reaches the goal")
	}
	if has {
		if s.Show, err = c.show(show); err != nil {
			return nil, c.errorAt(show.line, "show: %w", err)
		}
	}
	if reveal, has := w.fields["reveal"]; has {
		if s.Goal == nil {
			return nil, c.errorAt(reveal.line, "reveal: needs goal:, because it happens when the goal is reached")
		}
		if s.Reveal, err = c.reveal(reveal, v); err != nil {
			return nil, c.errorAt(reveal.line, "reveal: %w", err)
		}
	}
	for _, p := range w.checks {
		if err := c.check(s, p, v); err != nil {
			return nil, c.errorAt(p.line, "check: %w", err)
		}
	}
	return s, nil
}

// vocabulary returns the names that conditions can use with the current values.
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
	if _, err := s.Call("panels", []byte(`{"all":true}`)); err != nil {
		return nil, err
	}
	for _, p := range s.Layout(1120, 720, false, false) {
		v.panels = append(v.panels, p.Panel.ID())
	}
	return v, nil
}

// opened returns a session of the scene with the given values. Unlike the page, it rejects invalid values.
func (c *compiler) opened(values []link.Value) (*session.Session, error) {
	s, err := session.NewConfigured(c.scenes, c.about.ID, session.Setup{Values: values})
	if unknown := (*param.UnknownError)(nil); errors.As(err, &unknown) {
		return nil, fmt.Errorf("unknown parameter %s of the scene %s%s", unknown.Name, c.about.ID, suggest(unknown.Name, unknown.Known))
	}
	return s, err
}

func (c *compiler) predict(p part) (*Predict, error) {
	question, answers, reasons, right, err := c.takeApart(p)
	if err != nil {
		return nil, err
	}
	out := &Predict{Right: right}
	if out.Question, err = c.line(question); err != nil {
		return nil, err
	}
	for i, a := range answers {
		html, err := c.line(a)
		if err != nil {
			return nil, err
		}
		reason := ""
		if reasons[i].text != "" {
			if reason, err = c.line(reasons[i]); err != nil {
				return nil, err
			}
		}
		out.Answers, out.Reasons = append(out.Answers, html), append(out.Reasons, reason)
	}
	return out, nil
}

// outcome compiles the text that is shown once a goal is reached, with the visitor's numbers.
func (c *compiler) outcome(then part, v *vocabulary, hasGoal bool) (html string, slots []*condition.Tree, err error) {
	slots = []*condition.Tree{}
	if hasGoal {
		c.slots = &slotList{}
		defer func() { c.slots = nil }()
	}
	if html, err = c.prose(then); err != nil || !hasGoal {
		return html, slots, err
	}
	for _, slot := range c.slots.all {
		t, err := v.parseNumber(slot.text)
		if err != nil {
			return "", nil, c.errorAt(slot.line, "then: %w", err)
		}
		slots = append(slots, t)
	}
	return html, slots, nil
}

// reveal reads the verbs hero and select.
func (c *compiler) reveal(p part, v *vocabulary) ([]Call, error) {
	calls, err := c.show(p)
	if err != nil {
		return nil, err
	}
	for _, call := range calls {
		switch call.Verb {
		case "hero":
			if id := call.Args["panel"].(string); !slices.Contains(v.panels, id) {
				return nil, fmt.Errorf("unknown panel %s of the scene %s in this state%s", scene.Quote(id), c.about.ID, suggest(id, v.panels))
			}
		case "select", "seek":
		default:
			return nil, fmt.Errorf("%s would change the result; reveal: takes hero PANEL, select RUN and seek K", call.Verb)
		}
	}
	return calls, nil
}

// code matches a condition between backticks, after the words that describe it.
var code = regexp.MustCompile("(?s)^(.*\\S)\\s*`([^`]+)`$")

func (c *compiler) goal(p part, v *vocabulary) (*Goal, error) {
	lines := strings.Split(p.text, "\n")
	first := slices.IndexFunc(lines, listed.MatchString)
	if first < 0 {
		words, t, source, err := c.asked(p, v)
		return &Goal{Text: words, Condition: t, Parts: []Part{}, source: source}, err
	}
	g := &Goal{}
	var err error
	if g.Text, err = c.line(part{strings.Join(lines[:first], "\n"), p.line}); err != nil {
		return nil, err
	}
	var sources []string
	for i := first; i < len(lines); {
		item := part{listed.ReplaceAllString(lines[i], ""), p.line + i}
		for i++; i < len(lines) && !listed.MatchString(lines[i]); i++ {
			item.text += "\n" + lines[i]
		}
		words, t, source, err := c.asked(item, v)
		if err != nil {
			return nil, err
		}
		g.Parts = append(g.Parts, Part{words, t})
		sources = append(sources, "("+source+")")
	}
	if g.source = strings.Join(sources, " && "); len(g.Parts) == 1 {
		g.Condition = g.Parts[0].Condition
		return g, nil
	}
	g.Condition = &condition.Tree{Op: "&&"}
	for _, part := range g.Parts {
		g.Condition.Args = append(g.Condition.Args, part.Condition)
	}
	if err := g.Condition.Check(v); err != nil {
		return nil, c.errorAt(p.line, "goal: %w", err)
	}
	return g, nil
}

// listed matches the beginning of a list item.
var listed = regexp.MustCompile(`^\s*[-*+] `)

// asked splits a part into words and the condition that follows them.
func (c *compiler) asked(p part, v *vocabulary) (words string, t *condition.Tree, source string, err error) {
	source = strings.Trim(strings.Join(strings.Fields(p.text), " "), "`")
	text := "`" + source + "`"
	if m := code.FindStringSubmatch(p.text); m != nil {
		text, source = m[1], strings.Join(strings.Fields(m[2]), " ")
	}
	if words, err = c.line(part{text, p.line}); err != nil {
		return "", nil, "", err
	}
	if t, err = v.parse(source); err != nil {
		return "", nil, "", c.errorAt(p.line, "goal: %w", err)
	}
	return words, t, source, nil
}
