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
	maxDefinition = 1 << 20 // bytes of the definition of a step
	maxKeys       = 20
	maxParts      = 12   // of a goal
	maxSlots      = 40   // numbers noted when a goal is reached
	maxAttempts   = 1000 // names and values in what a page gives back
)

// Definition holds the fields of a step that the session reads from a lesson's file.
type Definition struct {
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

// ReadDefinition reads the definition of the step at a place from JSON.
func ReadDefinition(place link.Place, text json.RawMessage) (d *Definition, err error) {
	if len(text) > maxDefinition {
		return nil, fmt.Errorf("the definition of a step has at most %d bytes", maxDefinition)
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

// goal reads the goal's parts.
func (d *Definition) goal(scope condition.Scope) (parts []*condition.Tree, err error) {
	if d.Goal == nil {
		return nil, nil
	}
	if len(d.Goal.Parts) > maxParts {
		return nil, fmt.Errorf("%d parts; the most is %d", len(d.Goal.Parts), maxParts)
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

// Step is a step of a lesson. A nil Step, for none, has no hero, no keys and covers nothing.
type Step struct {
	place   link.Place
	hero    string   // the panel that it brings to the front, "" for none
	keys    []string // the parameters that matter in it, nil for the scene's or experiment's
	hides   []string // the panels that answer its question
	covered bool     // they are hidden, since the question is open
	watch   *watch   // nil while its definition has not come yet
}

// Awaited is a step before its definition has come.
func Awaited(place link.Place) *Step { return &Step{place: place} }

// NewStep returns a step that plays in a scene.
func NewStep(place link.Place, d *Definition, about scene.About) (*Step, error) {
	s := &Step{place: place, hero: d.Hero, keys: d.Keys, hides: d.Hide}
	scope := ScopeOf(about)
	if len(s.keys) > maxKeys {
		return nil, fmt.Errorf("%d key parameters; the most is %d", len(s.keys), maxKeys)
	}
	for _, name := range s.keys {
		if scope.Param(name) == condition.None {
			return nil, fmt.Errorf("%s is no parameter of %s", scene.Quote(name), about.ID)
		}
	}
	parts, err := d.goal(scope)
	if err != nil {
		return nil, fmt.Errorf("the goal: %w", err)
	}
	s.watch = newWatch(parts...)
	if len(d.Slots) > maxSlots {
		return nil, fmt.Errorf("%d numbers to be noted; the most is %d", len(d.Slots), maxSlots)
	}
	for _, text := range d.Slots {
		slot, err := condition.ParseNumber(text, scope)
		if err != nil {
			return nil, fmt.Errorf("a number to be noted: %w", err)
		}
		s.watch.slots = append(s.watch.slots, slot)
	}
	return s, nil
}

// known reports whether there is a step whose definition has come.
func (s *Step) known() bool { return s != nil && s.watch != nil }

// Awaited reports whether the step's definition is still to come.
func (s *Step) Awaited() bool { return s != nil && s.watch == nil }

// Place is the step's lesson and number, empty for none.
func (s *Step) Place() link.Place {
	if s == nil {
		return link.Place{}
	}
	return s.place
}

// Hero is the ID of the panel that the step brings to the front, "" for none.
func (s *Step) Hero() string {
	if s == nil {
		return ""
	}
	return s.hero
}

// Keys are the parameters that matter in the step, nil for the scene's or the experiment's.
func (s *Step) Keys() []string {
	if s == nil {
		return nil
	}
	return s.keys
}

// Cover hides the panels that answer the step's question.
func (s *Step) Cover() { s.covered = true }

// Uncover shows them again, and reports whether any was hidden.
func (s *Step) Uncover() bool {
	was := s.Covers()
	if was {
		s.covered = false
	}
	return was
}

// Covers reports whether the step hides panels.
func (s *Step) Covers() bool { return s != nil && s.covered && len(s.hides) > 0 }

// Hides reports whether the step hides the panel with that ID.
func (s *Step) Hides(id string) bool { return s.Covers() && slices.Contains(s.hides, id) }

// ---- what the page is told

// StepState describes the open step of a lesson in a state.
type StepState struct {
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

// State describes the step, nil for none.
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

// Resume goes on from what was done before a page was loaded again; nil is nothing. What the step does not have is left out.
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
