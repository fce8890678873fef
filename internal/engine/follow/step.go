package follow

import (
	"encoding/json"
	"fmt"
	"slices"

	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
)

const (
	maxDefinition = 1 << 20 // maximum size of a step's definition, in bytes
	maxKeys       = 20
	maxParts      = 12   // maximum number of a goal's parts
	maxSlots      = 40   // maximum number of values recorded when a goal is reached
	maxAttempts   = 1000 // maximum number of names and values in the attempts that a page restores
)

// Definition contains the fields that the session reads from a step in a lesson's file.
type Definition struct {
	State string   `json:"state"`
	Hero  string   `json:"hero"`
	Keys  []string `json:"keys"`
	Hide  []string `json:"hide"`
	Goal  *struct {
		Condition json.RawMessage `json:"condition"`
		// Parts lists the condition's parts, which must all hold. If Parts is empty, the condition itself is the only part.
		Parts []struct {
			Condition json.RawMessage `json:"condition"`
		} `json:"parts"`
	} `json:"goal"`
	Slots []json.RawMessage `json:"slots"`
}

// ReadDefinition reads a step's definition from JSON.
func ReadDefinition(place link.Place, text json.RawMessage) (d *Definition, err error) {
	if len(text) > maxDefinition {
		return nil, fmt.Errorf("a step’s definition may have at most %d bytes", maxDefinition)
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &d); err != nil {
			return nil, fmt.Errorf("the definition of step %d of %s: %w", place.Step, place.Name, err)
		}
	}
	if d == nil {
		return nil, fmt.Errorf("the definition of step %d of %s is missing", place.Step, place.Name)
	}
	return d, nil
}

// goal parses the parts of the goal. It returns an error if they use names outside scope.
func (d *Definition) goal(scope condition.Scope) (parts []*condition.Tree, err error) {
	if d.Goal == nil {
		return nil, nil
	}
	if len(d.Goal.Parts) > maxParts {
		return nil, fmt.Errorf("%d parts; the maximum is %d", len(d.Goal.Parts), maxParts)
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

// Step is the open step of a lesson. A nil Step means that no lesson is open. A nil Step has no hero and no keys, and
// hides nothing.
type Step struct {
	place   link.Place
	hero    string   // ID of the panel that the step brings to the front, or ""
	keys    []string // names of the step's key parameters; nil means those of the scene or the experiment
	hides   []string // IDs of the panels that would give the answer away
	covered bool     // whether the panels in hides are hidden, because the question is open
	watch   *watch   // nil until the step's definition arrives
}

// Awaited returns a step whose definition has not arrived yet.
func Awaited(place link.Place) *Step { return &Step{place: place} }

// NewStep returns a step of a lesson in a scene.
func NewStep(place link.Place, d *Definition, about scene.About) (*Step, error) {
	s := &Step{place: place, hero: d.Hero, keys: d.Keys, hides: d.Hide}
	scope := ScopeOf(about)
	if len(s.keys) > maxKeys {
		return nil, fmt.Errorf("%d key parameters; the maximum is %d", len(s.keys), maxKeys)
	}
	for _, name := range s.keys {
		if scope.Param(name) == condition.None {
			return nil, fmt.Errorf("unknown parameter %s of %s", scene.Quote(name), about.ID)
		}
	}
	parts, err := d.goal(scope)
	if err != nil {
		return nil, fmt.Errorf("the goal: %w", err)
	}
	s.watch = newWatch(parts...)
	if len(d.Slots) > maxSlots {
		return nil, fmt.Errorf("%d numbers to record; the maximum is %d", len(d.Slots), maxSlots)
	}
	for _, text := range d.Slots {
		slot, err := condition.ParseNumber(text, scope)
		if err != nil {
			return nil, fmt.Errorf("a number to record: %w", err)
		}
		s.watch.slots = append(s.watch.slots, slot)
	}
	return s, nil
}

// known reports whether a step is open and its definition has arrived.
func (s *Step) known() bool { return s != nil && s.watch != nil }

// Awaited reports whether the step's definition has not arrived yet.
func (s *Step) Awaited() bool { return s != nil && s.watch == nil }

// Place returns the step's lesson and number, or the zero Place if no lesson is open.
func (s *Step) Place() link.Place {
	if s == nil {
		return link.Place{}
	}
	return s.place
}

// Hero returns the ID of the panel that the step brings to the front, or "".
func (s *Step) Hero() string {
	if s == nil {
		return ""
	}
	return s.hero
}

// Keys returns the names of the step's key parameters, or nil if those of the scene or the experiment apply.
func (s *Step) Keys() []string {
	if s == nil {
		return nil
	}
	return s.keys
}

// Cover hides the panels that would give the step's answer away.
func (s *Step) Cover() { s.covered = true }

// Uncover shows the panels that Cover has hidden. It reports whether any panel was hidden.
func (s *Step) Uncover() bool {
	was := s.Covers()
	if was {
		s.covered = false
	}
	return was
}

// Covers reports whether the step hides panels.
func (s *Step) Covers() bool { return s != nil && s.covered && len(s.hides) > 0 }

// Hides reports whether the step hides the panel with the given ID.
func (s *Step) Hides(id string) bool { return s.Covers() && slices.Contains(s.hides, id) }

// ---- the state for the page

// StepState describes the open step of a lesson, as part of a state.
type StepState struct {
	link.Place
	Reached bool `json:"reached"`
	// Parts contains the progress of each part of the goal at the last check. There are no further checks once the goal is reached.
	Parts []PartState `json:"parts,omitempty"`
	// Numbers are the values of the step's slots when its goal was reached. They are absent until then.
	Numbers []data.Number `json:"numbers,omitempty"`
	// Attempts records what the visitor has done in the step. The page passes it back after a reload. Attempts is null
	// until the step's definition arrives.
	Attempts *Attempts `json:"attempts"`
}

// PartState is the state of one part of a goal: whether it holds and, if it compares two numbers, its progress.
type PartState struct {
	Holds bool `json:"holds"`
	// Measure is the part's comparison, or null if the part compares no numbers.
	Measure *Measure `json:"measure"`
}

// Measure is a number and the bound with which it is compared.
type Measure struct {
	Now   data.Number `json:"now"`
	Op    string      `json:"op"` // one of ==, <, <=, > and >=
	Asked data.Number `json:"asked"`
}

// Attempts records what a visitor has done in a step. The page keeps it as JSON.
type Attempts struct {
	Changed  []string            `json:"changed,omitempty"`
	Dragged  []string            `json:"dragged,omitempty"`
	Scrubbed bool                `json:"scrubbed,omitempty"`
	Pinned   bool                `json:"pinned,omitempty"`
	Tried    map[string][]string `json:"tried,omitempty"`
	Runs     int                 `json:"runs"` // how often runs ended before the goal was reached
	Reached  bool                `json:"reached,omitempty"`
	Numbers  []data.Number       `json:"numbers,omitempty"`
}

// State returns the step's state for the page, or nil if no lesson is open.
func (s *Step) State() *StepState {
	switch {
	case s == nil:
		return nil
	case s.watch == nil:
		return &StepState{Place: s.place}
	}
	w := s.watch
	return &StepState{s.place, w.reached, w.states, w.numbers, w.attempts()}
}

// attempts returns what the visitor has done since the watch started.
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

// Resume restores what the visitor did before the page was reloaded. It ignores names that the step does not use. If from is nil,
// it does nothing.
func (s *Step) Resume(from *Attempts) {
	if from == nil {
		return
	}
	w, left := s.watch, maxAttempts
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
