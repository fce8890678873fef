// Package follow watches what a visitor does, and whether that reaches a goal: of the open step of a lesson, or what the scene
// invites to.
package follow

import (
	"maps"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// World is where goals look up what they ask for.
type World interface {
	Scene() scene.Scene
	// Hero is the ID of the panel in front.
	Hero() string
	Playing() bool
	// Ended reports whether the runs have ended, or play has stopped because nothing moves any more.
	Ended() bool
	// Live reports whether a parameter was changed while the runs went on.
	Live(param string) bool
	// Held reports whether the visitor has a handle or a control in hand, whose value goes on changing.
	Held() bool
}

// Follower follows a lesson, and what the scene invites to. Its zero value follows nothing; Invite comes first.
type Follower struct {
	Step       *Step // the open one, nil for none
	invitation *watch
}

// Invite begins to watch for what a scene invites to, nil for nothing.
func (f *Follower) Invite(tried *condition.Tree) {
	if tried == nil {
		f.invitation = newWatch()
		return
	}
	f.invitation = newWatch(tried)
}

// Tried reports whether the visitor has done what the scene invites to, and its effect can still be seen. A later change, or runs that
// begin anew, make it false again.
func (f *Follower) Tried() bool { return f.invitation.reached }

// reopen forgets that the visitor has done what the scene invites to.
func (f *Follower) reopen() { f.invitation.reached, f.invitation.due = false, true }

// watch looks whether a visitor reaches a goal.
type watch struct {
	parts   []*condition.Tree // of the goal, which is reached where all hold; nil for none
	slots   []*condition.Tree // numbers to be noted when it is reached
	reached bool              // the goal held once
	version uint64            // of the runs when it was reached
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

// watches yields those under way.
func (f *Follower) watches(yield func(*watch) bool) {
	if yield(f.invitation) && f.Step.known() {
		yield(f.Step.watch)
	}
}

const (
	maxHandles = 1000 // that are told apart
	lookEvery  = 0.25 // seconds of playing between two looks at the goal
)

// ---- what the visitor does

// SawChange notes that a parameter was changed.
func (f *Follower) SawChange(param string) {
	f.reopen()
	for w := range f.watches {
		if w.parts != nil {
			w.changed[param] = true
		}
	}
}

// SawDrag notes that a handle was dragged.
func (f *Follower) SawDrag(handle string) {
	if handle != kinds.MarkerHandle {
		f.reopen()
	}
	for w := range f.watches {
		switch {
		case w.parts == nil:
		case handle == kinds.MarkerHandle:
			w.scrubbed = true
		case len(w.dragged) < maxHandles:
			w.dragged[handle] = true
		}
	}
}

// SawScrub notes that the marker was moved back.
func (f *Follower) SawScrub() {
	for w := range f.watches {
		w.scrubbed = true
	}
}

// SawPin notes that a state was pinned.
func (f *Follower) SawPin() {
	for w := range f.watches {
		w.pinned, w.due = true, true
	}
}

// ---- the goal

// Due makes another look at the goals due.
func (f *Follower) Due() {
	for w := range f.watches {
		w.due = true
	}
}

// PlayedFor makes another look at the goals due now and then while the runs play.
func (f *Follower) PlayedFor(seconds float64) {
	for w := range f.watches {
		if w.played += seconds; w.played >= lookEvery {
			w.played, w.due = 0, true
		}
	}
}

// Look notes whether the goals hold, if something has changed since the last look. It calls reached for each that holds for the
// first time.
func (f *Follower) Look(at World, reached func()) {
	if f.invitation.reached && f.invitation.version != at.Scene().Timeline().Version() {
		f.reopen()
	}
	for w := range f.watches {
		if !w.due {
			continue
		}
		w.due = false
		if w.parts == nil || w.reached {
			continue
		}
		w.countTried(at)
		if w.look(at); w.reached {
			reached()
		}
	}
}

// look notes how far the parts of a goal are, and the step's numbers where all hold.
func (w *watch) look(at World) {
	now := &env{World: at, watch: w}
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
	if all && at.Held() {
		w.due = true // what is passed on the way is not reached yet
		return
	}
	if !all {
		return
	}
	w.reached, w.version = true, at.Scene().Timeline().Version()
	for _, slot := range w.slots {
		w.numbers = append(w.numbers, data.Number(slot.Value(now)))
	}
}

// countTried counts the values with which the runs have ended.
func (w *watch) countTried(at World) {
	of := at.Scene()
	t := of.Timeline()
	this := [2]uint64{t.Version(), uint64(t.Latest())}
	before := w.looked
	w.looked = true
	if !at.Ended() || t.Latest() == 0 || this == w.ended {
		return
	}
	w.ended = this
	if before {
		w.runs++
	}
	for name, texts := range w.tried {
		texts[of.Params().Text(name)] = true
	}
}

// env is the world as one goal sees it, with the scene's facts once the goal has asked for them.
type env struct {
	World
	watch *watch
	facts []scene.Fact
}

// Fact implements condition.Env.
func (e *env) Fact(name string) float64 {
	if name == "ended" && len(e.Scene().Timeline().Runs()) > 0 {
		if e.Ended() {
			return 1
		}
		return 0
	}
	if e.facts == nil {
		e.facts = scene.FactsOf(e.Scene())
	}
	for _, f := range e.facts {
		if f.Name == name {
			return f.Value()
		}
	}
	return math.NaN()
}

// Number implements condition.Env.
func (e *env) Number(name string) float64 { return condition.NumberOf(e.Scene().Params().Value(name)) }

// Text implements condition.Env.
func (e *env) Text(name string) string { return e.Scene().Params().Text(name) }

// Truth implements condition.Env.
func (e *env) Truth(name string) bool { return e.Scene().Params().Value(name) == true }

// Changed implements condition.Env.
func (e *env) Changed(name string) bool { return e.watch.changed[name] }

// Tried implements condition.Env.
func (e *env) Tried(name string) int { return len(e.watch.tried[name]) }

// Scrubbed implements condition.Env.
func (e *env) Scrubbed() bool { return e.watch.scrubbed }

// Pinned implements condition.Env.
func (e *env) Pinned() bool { return e.watch.pinned }

// Dragged implements condition.Env.
func (e *env) Dragged(handle string) bool {
	for dragged := range e.watch.dragged {
		if strings.HasPrefix(dragged, handle) {
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
