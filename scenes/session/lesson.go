package session

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/scene"
)

// lesson is the open step of a lesson.
type lesson struct {
	Place
	hero   string   // the panel that it brings to the front, "" for none
	keys   []string // the parameters that matter in it, nil for the scene's or experiment's
	*watch          // nil while its definition has not come yet
}

// watch looks whether a visitor reaches a goal: of a step, or what a scene invites to.
type watch struct {
	goal    *condition.Tree // nil for none
	reached bool            // the goal held once

	due    bool    // something has changed since the goal was looked at
	played float64 // seconds of playing since then
	// The visitor's actions since the watch began.
	changed  map[string]bool
	dragged  map[string]bool // by handle
	scrubbed bool
	pinned   bool
	tried    map[string]map[string]bool // texts of the parameters that the goal asks for, with which runs have ended
	ended    [2]uint64                  // the runs that were counted last: the timeline's version and their latest iteration
}

// newWatch begins a watch for a goal, which may be nil.
func newWatch(goal *condition.Tree) *watch {
	w := &watch{goal: goal, due: true, changed: map[string]bool{}, dragged: map[string]bool{}, tried: map[string]map[string]bool{}}
	if goal != nil {
		goal.Visit(func(t *condition.Tree) {
			if t.Op == "tried" {
				w.tried[t.Text] = map[string]bool{}
			}
		})
	}
	return w
}

// invite begins to watch for what the scene invites to.
func (s *Session) invite() { s.invitation = newWatch(s.about.Tried) }

// watches yields those under way.
func (s *Session) watches(yield func(*watch) bool) {
	if yield(s.invitation) && s.lesson != nil && s.lesson.watch != nil {
		yield(s.lesson.watch)
	}
}

// LessonState describes the open step of a lesson in a state.
type LessonState struct {
	Place
	Reached bool `json:"reached"`
}

const (
	mostDefinition = 1 << 20 // bytes of the definition of a step
	mostKeys       = 20
	mostHandles    = 1000 // that are told apart
	lookEvery      = 0.25 // seconds of playing between two looks at the goal
)

// definition holds the fields of a step that the session reads from a lesson's file.
type definition struct {
	State string   `json:"state"`
	Hero  string   `json:"hero"`
	Keys  []string `json:"keys"`
	Goal  *struct {
		Condition json.RawMessage `json:"condition"`
	} `json:"goal"`
}

// callLesson opens a step: in its own state if the visitor arrives at it, otherwise in the current
// state. Without a name it leaves the lesson.
func (s *Session) callLesson(a *arguments) (any, error) {
	if a.Name == "" {
		s.lesson = nil
		s.statusChanged()
		s.changed()
		return nil, nil
	}
	place := Place{a.Name, iterations(a.Step)}
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
	return nil, s.openStep(place, d, a.Arrive)
}

func (s *Session) openStep(place Place, d *definition, arrive bool) error {
	about, settings, notices := s.about, Settings{}, []string(nil)
	moves := arrive && d.State != ""
	if moves {
		settings, notices = ParseHash(d.State)
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
	if id := s.lesson.hero; id != "" && s.firstShown(id) != id {
		s.notice("The step brings the panel %s to the front, which is not there.", scene.Quote(id))
	}
}

// awaitStep opens a step before its definition has come.
func (s *Session) awaitStep(p Place) {
	if err := p.Check(); err != nil {
		s.notice("%v. It is left out.", err)
		return
	}
	s.lesson = &lesson{Place: p}
}

func newLesson(place Place, d *definition, about scene.About) (*lesson, error) {
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
	var goal *condition.Tree
	if d.Goal != nil {
		var err error
		if goal, err = condition.Parse(d.Goal.Condition, scope); err != nil {
			return nil, fmt.Errorf("the goal: %w", err)
		}
	}
	l.watch = newWatch(goal)
	return l, nil
}

func (s *Session) lessonState() *LessonState {
	if s.lesson == nil {
		return nil
	}
	return &LessonState{s.lesson.Place, s.lesson.watch != nil && s.lesson.reached}
}

// ---- what the visitor does

func (s *Session) sawChange(name string) {
	for w := range s.watches {
		if w.goal != nil {
			w.changed[name] = true
		}
	}
}

func (s *Session) sawDrag(handle string) {
	for w := range s.watches {
		switch {
		case w.goal == nil:
		case handle == panel.MarkerHandle:
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
		if w.goal == nil || w.reached {
			continue
		}
		s.countTried(w)
		if w.goal.Eval(&world{Session: s, watch: w}) {
			w.reached = true
			s.statusChanged()
		}
	}
}

// countTried counts the values with which the runs have ended.
func (s *Session) countTried(w *watch) {
	t := s.timeline()
	this := [2]uint64{t.Version(), uint64(t.Latest())}
	if t.Running() || t.Latest() == 0 || this == w.ended {
		return
	}
	w.ended = this
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
	_, static := of.(scene.Static)
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
	switch {
	case !known:
		return condition.None
	case d.Kind == param.Number, d.Kind == param.Integer, d.Kind == param.Seed:
		return condition.Number
	case d.Kind == param.Bool:
		return condition.Truth
	}
	return condition.Text
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
