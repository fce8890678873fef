// Package lesson reads lessons, checks them against the scenes that they are about, and runs them
// without a browser. README says how to write one.
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

	"paretoplay/algo/param"
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/session"
)

// Head is what a list of lessons says of one.
type Head struct {
	Name     string `json:"name"` // of its file, without .md
	Title    string `json:"title"`
	Question string `json:"question"`
	Minutes  int    `json:"minutes"`
	Scene    string `json:"scene"`
	Steps    int    `json:"steps"`
}

// Lesson is a lesson as the page reads it.
type Lesson struct {
	Head
	Steps []Step `json:"steps"` // in place of their number

	file   string // as errors name it
	scenes scene.List
}

// Step is a step of a lesson. Its words are HTML that is safe in the page, but the title, which is
// plain.
type Step struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	State   string   `json:"state"` // the part of a link behind #; "" keeps what there is
	Hero    string   `json:"hero"`  // the panel in front, "" for the scene's own
	Keys    []string `json:"keys"`  // the parameters that matter, empty for the scene's own
	Predict *Predict `json:"predict"`
	Goal    *Goal    `json:"goal"`
	Hint    string   `json:"hint"`
	Show    []Call   `json:"show"` // what reaches the goal
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

// Goal is what a visitor is to reach.
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

// playVerb is the Call that takes its time.
const playVerb = "play"

// check is what must hold after Show, where some values take the place of the step's and of those
// that Show sets; one after the other where there are several.
type check struct {
	line   int
	with   [][]session.Value
	k      int // where the marker is put, −1 for where Show leaves it
	source string
	holds  *condition.Tree
}

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
	c := &compiler{source: f, scenes: scenes, about: about}
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
// error has all that is wrong, a line for each lesson.
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

// JSON is the lesson as lessons/NAME.json holds it.
func (l *Lesson) JSON() ([]byte, error) { return json.Marshal(l) }

// compiler turns the steps of a lesson into those of the page.
type compiler struct {
	*source
	scenes scene.List
	about  scene.About
	values []session.Value // that differ from the scene's own, after the steps so far as they are shown
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

// vocabulary is what conditions can be about with the values of now.
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

// assign puts a value in the place of a former one of that name.
func assign(values []session.Value, v session.Value) []session.Value {
	out := slices.DeleteFunc(slices.Clone(values), func(o session.Value) bool { return o.Name == v.Name })
	return append(out, v)
}

// ofParameter is the name of a parameter that a state calls otherwise, as links do: param.k is the
// parameter k, where k is the marker.
func ofParameter(name string) string {
	if own, found := strings.CutPrefix(name, "param."); found {
		return own
	}
	return name
}

// card is the values of an experiment.
func (c *compiler) card(id string) ([]session.Value, error) {
	var known []string
	for _, p := range c.about.Presets {
		known = append(known, p.ID)
		if p.ID != id {
			continue
		}
		var out []session.Value
		for name, text := range p.Values {
			out = append(out, session.Value{Name: name, Text: text})
		}
		slices.SortFunc(out, func(a, b session.Value) int { return strings.Compare(a.Name, b.Name) })
		return out, nil
	}
	return nil, fmt.Errorf("card=%s is no experiment of the scene %s%s", id, c.about.ID, suggest(id, known))
}

// state reads name=value …, as in a link, and the words ended, for runs that have, and card=ID, for
// the values of an experiment, which others may follow. It returns the state as a link's part.
func (c *compiler) state(p part) (string, error) {
	settings := session.Settings{Scene: c.about.ID}
	ended, marked, seen := false, false, map[string]bool{}
	c.values = nil
	for _, token := range strings.Fields(p.text) {
		name, text, pair := strings.Cut(token, "=")
		if seen[name] {
			return "", fmt.Errorf("%s stands twice", name)
		}
		seen[name] = true
		var err error
		switch {
		case token == "ended":
			ended = true
		case !pair:
			return "", fmt.Errorf("%s is not of the form name=value", scene.Quote(token))
		case name == "card":
			if len(c.values) > 0 {
				return "", errors.New("card= stands before the values that differ from it")
			}
			c.values, err = c.card(text)
		case name == "latest":
			settings.Latest, err = count(name, text)
		case name == "k":
			settings.Marker, err = count(name, text)
			marked = true
		case name == "run":
			settings.Selected = text
		default:
			name = ofParameter(name)
			if text, err = c.shares(c.values, name, text); err == nil {
				c.values = assign(c.values, session.Value{Name: name, Text: text})
			}
		}
		if err != nil {
			return "", err
		}
	}
	s, err := c.opened(c.values)
	if err != nil {
		return "", err
	}
	if ended {
		now, err := s.State()
		if err != nil {
			return "", err
		}
		if settings.Latest = now.Budget; settings.Latest == 0 {
			return "", fmt.Errorf("the scene %s has no runs that could have ended", c.about.ID)
		}
	}
	if !marked {
		settings.Marker = settings.Latest
	}
	settings.Values = s.Settings().Values
	hash := settings.Hash()
	// The page reads it leniently: whatever it would have a notice for is an error here.
	read, notices := session.ParseHash(hash)
	if err := s.Load(read); err != nil {
		return "", err
	}
	if notices = append(notices, s.TakeNotices()...); len(notices) > 0 {
		return "", errors.New(strings.TrimSuffix(notices[0], "."))
	}
	return hash, nil
}

// shares writes out "0.2,…" for shares of which the first is 0.2 and the others are alike, as many
// as these values say.
func (c *compiler) shares(values []session.Value, name, text string) (string, error) {
	first, rest, _ := strings.Cut(text, ",")
	if rest != "…" && rest != "..." {
		return text, nil
	}
	params := c.about.New().Params()
	for _, v := range values {
		if err := params.Assign(v.Name, v.Text); err != nil {
			return "", err
		}
	}
	d, _ := params.Lookup(name)
	n := d.Columns
	if d.Count != "" {
		n = params.Value(d.Count).(int)
	}
	share, err := strconv.ParseFloat(first, 64)
	if d.Kind != param.Simplex || d.Whole() || err != nil || share < d.Min || share > d.Max {
		return "", fmt.Errorf("%s=%s: only of shares of a whole the others follow from the first, a number from 0 to 1", name, text)
	}
	return param.FormatShares(param.WithShare(param.Shares(nil, n), 0, share, d.Min)), nil
}

func count(name, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%s is no number of iterations", name, text)
	}
	return n, nil
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

// code is a condition between backticks, at the end of the words that say it.
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

// argument of a verb, and whether it is a number; without a name the verb takes none.
type takes struct {
	name     string
	number   bool
	optional bool
}

// verbs are those that show: can have, beside name=value, with what they take in order.
var verbs = map[string][]takes{
	playVerb: nil, "reset": nil, "defaults": nil, "undo": nil, "newSeed": nil, "pin": nil,
	"step": {{name: "n", number: true, optional: true}}, "seek": {{name: "k", number: true}}, "move": {{name: "by", number: true}},
	"select": {{name: "run"}}, "hero": {{name: "panel"}}, "card": {{name: "id"}}, "unpin": {{name: "letter"}}, "swapPin": {{name: "letter"}},
	"nudge": {{name: "id"}, {name: "dx", number: true}, {name: "dy", number: true}},
}

// show reads name=value and verbs with what they take, one after the other.
func (c *compiler) show(p part) ([]Call, error) {
	calls := []Call{}
	tokens := strings.Fields(p.text)
	for len(tokens) > 0 {
		token := tokens[0]
		tokens = tokens[1:]
		if name, text, pair := strings.Cut(token, "="); pair {
			text, err := c.shares(c.values, name, text)
			if err != nil {
				return nil, err
			}
			c.values = assign(c.values, session.Value{Name: name, Text: text})
			if _, err := c.opened(c.values); err != nil {
				return nil, err
			}
			calls = append(calls, Call{"set", map[string]any{"name": name, "value": text}})
			continue
		}
		of, known := verbs[token]
		if !known {
			names := make([]string, 0, len(verbs))
			for name := range verbs {
				names = append(names, name)
			}
			return nil, fmt.Errorf("%s is neither name=value nor a verb%s", scene.Quote(token), suggest(token, names))
		}
		args := map[string]any{}
		for _, t := range of {
			if len(tokens) == 0 || strings.Contains(tokens[0], "=") {
				if t.optional {
					break
				}
				return nil, fmt.Errorf("%s takes a %s after it", token, t.name)
			}
			if !t.number {
				args[t.name] = tokens[0]
			} else if f, err := strconv.ParseFloat(tokens[0], 64); err == nil {
				args[t.name] = f
			} else if t.optional {
				break
			} else {
				return nil, fmt.Errorf("%s takes a number after it, not %s", token, scene.Quote(tokens[0]))
			}
			tokens = tokens[1:]
		}
		switch token {
		case "card":
			values, err := c.card(args["id"].(string))
			if err != nil {
				return nil, err
			}
			c.values = values
		case "defaults":
			c.values = nil
		}
		calls = append(calls, Call{token, args})
	}
	return calls, nil
}

// visited are the parts of conditions that ask what the visitor has done.
var visited = []string{"changed", "tried", "dragged", "scrubbed", "pinned", "playing"}

// check reads a condition that holds after Show, or “with name=value …: condition”, which holds
// with these values in place of the step's and of those that Show sets; name=1..5 stands for
// 1, 2, … 5, and k=1 puts the marker at iteration 1.
func (c *compiler) check(s *Step, p part, v *vocabulary) error {
	out := check{line: p.line, k: -1, source: strings.Join(strings.Fields(p.text), " ")}
	if rest, ok := strings.CutPrefix(out.source, "with "); ok {
		names, holds, ok := strings.Cut(rest, ": ")
		if !ok {
			return errors.New("with name=value is followed by a colon and a condition")
		}
		out.source, out.with = holds, [][]session.Value{nil}
		for _, token := range strings.Fields(names) {
			name, text, pair := strings.Cut(token, "=")
			if !pair {
				return fmt.Errorf("%s is not of the form name=value", scene.Quote(token))
			}
			if name == "k" {
				var err error
				if out.k, err = count(name, text); err != nil {
					return err
				}
				continue
			}
			name = ofParameter(name)
			texts, err := several(text)
			if err != nil {
				return err
			}
			var all [][]session.Value
			for _, values := range out.with {
				for _, text := range texts {
					if text, err = c.shares(c.values, name, text); err != nil {
						return err
					}
					all = append(all, assign(values, session.Value{Name: name, Text: text}))
				}
			}
			out.with = all
		}
		if out.with[0] == nil {
			out.with = nil // the marker alone
		}
		if out.with != nil && s.State == "" {
			return errors.New("with name=value needs a step that says its state")
		}
		for _, values := range out.with {
			if _, err := c.opened(values); err != nil {
				return err
			}
		}
	}
	var err error
	if out.holds, err = v.parse(out.source); err != nil {
		return err
	}
	out.holds.Visit(func(t *condition.Tree) {
		if slices.Contains(visited, t.Op) {
			err = fmt.Errorf("%s is about what a visitor does; a check is about facts and parameters", t.Op)
		}
	})
	s.checks = append(s.checks, out)
	return err
}

// several is the texts that 1..5 stands for.
func several(text string) ([]string, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		return []string{text}, nil
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	const most = 100
	if err != nil || err2 != nil || last < first || last-first >= most {
		return nil, fmt.Errorf("%s is no range of whole numbers, of at most %d", text, most)
	}
	var out []string
	for n := first; n <= last; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out, nil
}
