package session

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

// lesson is the open step of a lesson.
type lesson struct {
	link.Place
	hero    string   // the panel that it brings to the front, "" for none
	keys    []string // the parameters that matter in it, nil for the scene's or experiment's
	covered []string // the panels that are hidden until its question is answered
	*watch           // nil while its definition has not come yet
}

// watch looks whether a visitor reaches a goal: of a step, or what a scene invites to.
type watch struct {
	parts   []*condition.Tree // of the goal, which is reached where all hold; nil for none
	slots   []*condition.Tree // numbers to be noted when it is reached
	reached bool              // the goal held once
	states  []PartState       // of its parts when they were looked at last
	numbers []data.Number     // what slots were when it was reached, nil before

	due    bool    // something has changed since the goal was looked at
	played float64 // seconds of playing since then
	// The visitor's actions since the watch began.
	changed  map[string]bool
	dragged  map[string]bool // by handle
	scrubbed bool
	pinned   bool
	tried    map[string]map[string]bool // texts of the parameters that the goal asks for, with which runs have ended
	runs     int                        // how often runs have ended before the goal was reached
	looked   bool                       // the runs were looked at: those that the step opens with do not count as the visitor's
	ended    [2]uint64                  // the runs that were counted last: the timeline's version and their latest iteration
}

// newWatch begins a watch for a goal of some parts.
func newWatch(parts ...*condition.Tree) *watch {
	w := &watch{parts: parts, due: true, changed: map[string]bool{}, dragged: map[string]bool{}, tried: map[string]map[string]bool{}}
	for _, part := range parts {
		part.Visit(func(t *condition.Tree) {
			if t.Op == "tried" {
				w.tried[t.Text] = map[string]bool{}
			}
		})
	}
	return w
}

// invite begins to watch for what the scene invites to.
func (s *Session) invite() {
	if s.about.Tried == nil {
		s.invitation = newWatch()
		return
	}
	s.invitation = newWatch(s.about.Tried)
}

// watches yields those under way.
func (s *Session) watches(yield func(*watch) bool) {
	if yield(s.invitation) && s.lesson != nil && s.lesson.watch != nil {
		yield(s.lesson.watch)
	}
}

// LessonState describes the open step of a lesson in a state.
type LessonState struct {
	link.Place
	Reached bool `json:"reached"`
	// Parts says how far each part of the goal is, before it is reached.
	Parts []PartState `json:"parts,omitempty"`
	// Numbers are the step's slots as they were when its goal was reached; absent before.
	Numbers []data.Number `json:"numbers,omitempty"`
	// Attempts is what the visitor has done in the step, which a reloaded page gives back; null while the step is not known yet.
	Attempts *Attempts `json:"attempts"`
}

// PartState is a part of a goal: whether it holds and, where it compares two numbers, how far it is.
type PartState struct {
	Holds bool `json:"holds"`
	// Measure is what the part compares, null where it compares no numbers.
	Measure *Measure `json:"measure"`
}

// Measure is a number, and what is asked of it.
type Measure struct {
	Now   data.Number `json:"now"`
	Op    string      `json:"op"` // ==, <, <=, > or >=
	Asked data.Number `json:"asked"`
}

// Attempts is what a visitor has done in a step, as JSON that the page keeps.
type Attempts struct {
	Changed  []string            `json:"changed,omitempty"`
	Dragged  []string            `json:"dragged,omitempty"`
	Scrubbed bool                `json:"scrubbed,omitempty"`
	Pinned   bool                `json:"pinned,omitempty"`
	Tried    map[string][]string `json:"tried,omitempty"`
	Runs     int                 `json:"runs"` // how often runs have ended before the goal was reached
	Reached  bool                `json:"reached,omitempty"`
	Numbers  []data.Number       `json:"numbers,omitempty"`
}

const (
	mostDefinition = 1 << 20 // bytes of the definition of a step
	mostKeys       = 20
	mostHandles    = 1000 // that are told apart
	mostParts      = 12   // of a goal
	mostSlots      = 40   // numbers noted when a goal is reached
	mostAttempts   = 1000 // names and values in what a page gives back
	lookEvery      = 0.25 // seconds of playing between two looks at the goal
)

// definition holds the fields of a step that the session reads from a lesson's file.
type definition struct {
	State string   `json:"state"`
	Hero  string   `json:"hero"`
	Keys  []string `json:"keys"`
	Hide  []string `json:"hide"`
	Goal  *struct {
		Condition json.RawMessage `json:"condition"`
		// Parts are parts of the condition, which all hold where it does; it has one, itself, if there are none.
		Parts []struct {
			Condition json.RawMessage `json:"condition"`
		} `json:"parts"`
	} `json:"goal"`
	Slots []json.RawMessage `json:"slots"`
}

// callLesson opens a step: in its own state if the visitor arrives at it, otherwise in the current
// state. Without a name it leaves the lesson.
func callLesson(s *Session, a *arguments) (any, error) {
	if a.Name == "" {
		s.lesson = nil
		s.statusChanged()
		s.changed()
		return nil, nil
	}
	place := link.Place{Name: a.Name, Step: iterations(a.Step)}
	if err := place.Check(); err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	if float64(place.Step) != a.Step {
		return nil, fmt.Errorf("lesson: the step %g is no whole number", a.Step)
	}
	if len(a.Definition) > mostDefinition {
		return nil, fmt.Errorf("lesson: the definition of a step has at most %d bytes", mostDefinition)
	}
	var d *definition
	if len(a.Definition) > 0 {
		if err := json.Unmarshal(a.Definition, &d); err != nil {
			return nil, fmt.Errorf("lesson: the definition of step %d of %s: %w", place.Step, place.Name, err)
		}
	}
	if d == nil {
		return nil, fmt.Errorf("lesson: the definition of step %d of %s is missing", place.Step, place.Name)
	}
	if err := s.openStep(place, d, a.Arrive); err != nil {
		return nil, err
	}
	if s.lesson != nil && s.lesson.Place == place && s.lesson.watch != nil {
		s.lesson.resume(a.Attempts)
		if a.Covered {
			s.lesson.covered = d.Hide
		}
	}
	return nil, nil
}

// callUncover shows what a step's open question has hidden.
func callUncover(s *Session, _ *arguments) (any, error) {
	if s.lesson != nil && len(s.lesson.covered) > 0 {
		s.lesson.covered = nil
		s.changed()
	}
	return nil, nil
}

func (s *Session) openStep(place link.Place, d *definition, arrive bool) error {
	about, settings, notices := s.about, link.Settings{}, []string(nil)
	moves := arrive && d.State != ""
	if moves {
		settings, notices = link.Parse(d.State)
		var err error
		if about, err = s.scenes.Find(settings.Scene); err != nil {
			return fmt.Errorf("lesson: the state of step %d of %s: %w", place.Step, place.Name, err)
		}
	}
	l, err := newLesson(place, d, about)
	if err != nil {
		return fmt.Errorf("lesson: step %d of %s: %w", place.Step, place.Name, err)
	}
	if !moves {
		hero := s.hero
		if s.lesson = l; arrive {
			hero = ""
		}
		if s.hero = ""; s.front() != hero {
			s.hero = hero
		}
		s.checkHero()
		s.statusChanged()
		s.changed()
		return nil
	}
	if about.ID == s.about.ID {
		settings.Pins = s.Settings().Pins
	}
	return s.changing(true, func() error {
		s.notices = append(s.notices, notices...)
		if err := s.Load(settings); err != nil {
			return err
		}
		s.lesson = l
		s.checkHero()
		s.statusChanged()
		return nil
	})
}

// checkHero adds a notice if the step's panel does not exist.
func (s *Session) checkHero() {
	if id := s.lesson.hero; id != "" && scene.Front(s.scene, id) != id {
		s.notice("The step brings the panel %s to the front, which is not there.", scene.Quote(id))
	}
}

// awaitStep opens a step before its definition has come.
func (s *Session) awaitStep(p link.Place) {
	if err := p.Check(); err != nil {
		s.notice("%v. It is left out.", err)
		return
	}
	s.lesson = &lesson{Place: p}
}

func newLesson(place link.Place, d *definition, about scene.About) (*lesson, error) {
	l := &lesson{Place: place, hero: d.Hero, keys: d.Keys}
	scope := ScopeOf(about)
	if len(l.keys) > mostKeys {
		return nil, fmt.Errorf("%d key parameters; the most is %d", len(l.keys), mostKeys)
	}
	for _, name := range l.keys {
		if scope.Param(name) == condition.None {
			return nil, fmt.Errorf("%s is no parameter of %s", scene.Quote(name), about.ID)
		}
	}
	parts, err := d.goal(scope)
	if err != nil {
		return nil, fmt.Errorf("the goal: %w", err)
	}
	l.watch = newWatch(parts...)
	if len(d.Slots) > mostSlots {
		return nil, fmt.Errorf("%d numbers to be noted; the most is %d", len(d.Slots), mostSlots)
	}
	for _, text := range d.Slots {
		slot, err := condition.ParseNumber(text, scope)
		if err != nil {
			return nil, fmt.Errorf("a number to be noted: %w", err)
		}
		l.slots = append(l.slots, slot)
	}
	return l, nil
}

// goal reads the goal's parts.
func (d *definition) goal(scope condition.Scope) (parts []*condition.Tree, err error) {
	if d.Goal == nil {
		return nil, nil
	}
	if len(d.Goal.Parts) > mostParts {
		return nil, fmt.Errorf("%d parts; the most is %d", len(d.Goal.Parts), mostParts)
	}
	texts := []json.RawMessage{d.Goal.Condition}
	if len(d.Goal.Parts) > 0 {
		texts = nil
		for _, part := range d.Goal.Parts {
			texts = append(texts, part.Condition)
		}
	}
	for _, text := range texts {
		part, err := condition.Parse(text, scope)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (s *Session) lessonState() *LessonState {
	switch {
	case s.lesson == nil:
		return nil
	case s.lesson.watch == nil:
		return &LessonState{Place: s.lesson.Place}
	}
	w := s.lesson.watch
	return &LessonState{s.lesson.Place, w.reached, w.states, w.numbers, w.attempts()}
}

// attempts is what the visitor has done since the watch began.
func (w *watch) attempts() *Attempts {
	out := &Attempts{Changed: sortedKeys(w.changed), Dragged: sortedKeys(w.dragged), Scrubbed: w.scrubbed, Pinned: w.pinned,
		Runs: w.runs, Reached: w.reached, Numbers: w.numbers}
	for name, texts := range w.tried {
		if out.Tried == nil {
			out.Tried = map[string][]string{}
		}
		out.Tried[name] = sortedKeys(texts)
	}
	return out
}

// resume goes on from what was done before a page was loaded again; nil is nothing. What the step does not have is left out.
func (w *watch) resume(from *Attempts) {
	if from == nil {
		return
	}
	left := mostAttempts
	note := func(to map[string]bool, names []string) {
		for _, name := range names[:min(left, len(names))] {
			to[name] = true
			left--
		}
	}
	note(w.changed, from.Changed)
	note(w.dragged, from.Dragged)
	for _, name := range sortedKeys(w.tried) {
		note(w.tried[name], from.Tried[name])
	}
	w.scrubbed, w.pinned, w.runs = from.Scrubbed, from.Pinned, max(0, from.Runs)
	if from.Reached && len(w.parts) > 0 && len(from.Numbers) == len(w.slots) {
		w.reached, w.numbers = true, from.Numbers
	}
}

// ---- what the visitor does

func (s *Session) sawChange(name string) {
	for w := range s.watches {
		if w.parts != nil {
			w.changed[name] = true
		}
	}
}

func (s *Session) sawDrag(handle string) {
	for w := range s.watches {
		switch {
		case w.parts == nil:
		case handle == kinds.MarkerHandle:
			w.scrubbed = true
		case len(w.dragged) < mostHandles:
			w.dragged[handle] = true
		}
	}
}

func (s *Session) sawScrub() {
	for w := range s.watches {
		w.scrubbed = true
	}
}

func (s *Session) sawPin() {
	for w := range s.watches {
		w.pinned, w.due = true, true
	}
}

// ---- the goal

func (s *Session) goalDue() {
	for w := range s.watches {
		w.due = true
	}
}

// playedFor makes another look at the goal due now and then while the runs play.
func (s *Session) playedFor(seconds float64) {
	for w := range s.watches {
		if w.played += seconds; w.played >= lookEvery {
			w.played, w.due = 0, true
		}
	}
}

// lookAtGoal notes whether the step's goal, or what the scene invites to, holds. It is called after
// everything that may change that, and looks only if something has changed, no job is under way, and the scene has
// what it waits for: runs that are still to come have not ended.
func (s *Session) lookAtGoal() {
	if s.job != nil || s.awaits() {
		return
	}
	for w := range s.watches {
		if !w.due {
			continue
		}
		w.due = false
		if w.parts == nil || w.reached {
			continue
		}
		s.countTried(w)
		s.look(w)
	}
}

// look notes how far the parts of a goal are, and the step's numbers where all hold.
func (s *Session) look(w *watch) {
	now := &world{Session: s, watch: w}
	states := make([]PartState, len(w.parts))
	all := true
	for i, part := range w.parts {
		states[i].Holds = part.Eval(now)
		if value, op, asked, ok := part.Measure(now); ok {
			states[i].Measure = &Measure{data.Number(value), op, data.Number(asked)}
		}
		all = all && states[i].Holds
	}
	w.states = states
	if !all {
		return
	}
	w.reached = true
	for _, slot := range w.slots {
		w.numbers = append(w.numbers, data.Number(slot.Value(now)))
	}
	s.statusChanged()
}

// countTried counts the values with which the runs have ended.
func (s *Session) countTried(w *watch) {
	t := s.timeline()
	this := [2]uint64{t.Version(), uint64(t.Latest())}
	before := w.looked
	w.looked = true
	if t.Running() || t.Latest() == 0 || this == w.ended {
		return
	}
	w.ended = this
	if before {
		w.runs++
	}
	for name, texts := range w.tried {
		texts[s.scene.Params().Text(name)] = true
	}
}

// world is the session as goals see it, with its facts once a goal has asked for them.
type world struct {
	*Session
	watch *watch
	facts []scene.Fact
}

// Fact implements condition.Env.
func (w *world) Fact(name string) float64 {
	if w.facts == nil {
		w.facts = w.Facts()
	}
	for _, f := range w.facts {
		if f.Name == name {
			return f.Value()
		}
	}
	return math.NaN()
}

// Number implements condition.Env.
func (w *world) Number(name string) float64 { return condition.NumberOf(w.scene.Params().Value(name)) }

// Text implements condition.Env.
func (w *world) Text(name string) string { return w.scene.Params().Text(name) }

// Truth implements condition.Env.
func (w *world) Truth(name string) bool { return w.scene.Params().Value(name) == true }

// Hero implements condition.Env.
func (w *world) Hero() string { return w.front() }

// Changed implements condition.Env.
func (w *world) Changed(name string) bool { return w.watch.changed[name] }

// Tried implements condition.Env.
func (w *world) Tried(name string) int { return len(w.watch.tried[name]) }

// Scrubbed implements condition.Env.
func (w *world) Scrubbed() bool { return w.watch.scrubbed }

// Pinned implements condition.Env.
func (w *world) Pinned() bool { return w.watch.pinned }

// Live implements condition.Env.
func (w *world) Live(name string) bool {
	_, logged := w.base[name]
	return logged
}

// Dragged implements condition.Env.
func (w *world) Dragged(handle string) bool {
	for dragged := range w.watch.dragged {
		if strings.HasPrefix(dragged, handle) {
			return true
		}
	}
	return false
}

// ---- the names that a goal may use

// ScopeOf returns the names that goals of lessons in that scene may use.
func ScopeOf(about scene.About) condition.Scope {
	of := about.New()
	_, static := scene.AsStatic(of)
	return scope{about, of.Params(), static}
}

type scope struct {
	about  scene.About
	params *param.List
	static bool
}

// Param implements condition.Scope.
func (s scope) Param(name string) condition.Type {
	d, known := s.params.Lookup(name)
	if !known {
		return condition.None
	}
	return condition.TypeOf(d)
}

// Fact implements condition.Scope.
func (s scope) Fact(name string) error {
	if slices.Contains(ofAnyRuns, name) {
		if s.static {
			return fmt.Errorf("%s has no runs, so there is no %s", s.about.ID, name)
		}
		return nil
	}
	if _, known := s.about.FactKind(name); !known && s.about.Facts != nil {
		names := make([]string, len(s.about.Facts))
		for i, f := range s.about.Facts {
			names[i] = f.Name
		}
		return fmt.Errorf("%s is no fact of %s; there are: %s", scene.Quote(name), s.about.ID, strings.Join(names, " "))
	}
	return nil
}
