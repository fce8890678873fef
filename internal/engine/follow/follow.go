// Package follow records what a visitor does and checks whether these actions reach a goal: the goal of the lesson's
// open step, or what the scene invites visitors to do.
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

// World provides the current state for checks of goals.
type World interface {
	Scene() scene.Scene
	// Hero returns the ID of the panel in front.
	Hero() string
	Playing() bool
	// Ended reports whether the runs have ended, or whether play has stopped because nothing moves.
	Ended() bool
	// Live reports whether a parameter was changed during the runs.
	Live(param string) bool
	// Held reports whether the visitor still holds a handle or a control, so that its value may change further.
	Held() bool
}

// Follower checks a lesson's goal and the scene's invitation. Call Invite before any other method.
type Follower struct {
	Step       *Step // the open step, or nil
	invitation *watch
}

// Invite sets what the scene invites the visitor to do; nil means that there is no invitation.
func (f *Follower) Invite(tried *condition.Tree) {
	if tried == nil {
		f.invitation = newWatch()
		return
	}
	f.invitation = newWatch(tried)
}

// Tried reports whether the visitor has done what the scene invites visitors to do and the effect is still visible.
// After a later change or a restart of the runs, Tried returns false again.
func (f *Follower) Tried() bool { return f.invitation.reached }

// reopen resets Tried to false.
func (f *Follower) reopen() { f.invitation.reached, f.invitation.due = false, true }

// watch checks whether a visitor reaches one goal.
type watch struct {
	parts   []*condition.Tree // parts of the goal, which is reached once all parts hold; nil if there is no goal
	slots   []*condition.Tree // numbers to record when the goal is reached
	reached bool              // whether the goal has been reached
	version uint64            // version of the timeline when the goal was reached
	states  []PartState       // states of the parts at the last check
	numbers []data.Number     // the values of slots when the goal was reached; nil before

	due    bool    // whether something has changed since the last check
	played float64 // seconds played since the last check
	// The visitor's actions since the watch started.
	changed  map[string]bool
	dragged  map[string]bool // handles that were dragged
	scrubbed bool
	pinned   bool
	tried    map[string]map[string]bool // for each parameter in the goal, the values that it had when runs ended, as texts
	runs     int                        // how often runs ended before the goal was reached
	looked   bool                       // whether the runs have been checked; runs from before the step opened do not count as tried
	ended    [2]uint64                  // the last counted runs: the timeline's version and their latest iteration
}

// newWatch starts a watch for a goal with the given parts.
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

// watches yields the active watches.
func (f *Follower) watches(yield func(*watch) bool) {
	if yield(f.invitation) && f.Step.known() {
		yield(f.Step.watch)
	}
}

const (
	maxHandles = 1000 // maximum number of recorded handles
	lookEvery  = 0.25 // seconds of play between two checks
)

// ---- the visitor's actions

// SawChange records that a parameter was changed.
func (f *Follower) SawChange(param string) {
	f.reopen()
	for w := range f.watches {
		if w.parts != nil {
			w.changed[param] = true
		}
	}
}

// SawDrag records that a handle was dragged.
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

// SawScrub records that the marker was moved back.
func (f *Follower) SawScrub() {
	for w := range f.watches {
		w.scrubbed = true
	}
}

// SawPin records that a state was pinned.
func (f *Follower) SawPin() {
	for w := range f.watches {
		w.pinned, w.due = true, true
	}
}

// ---- the goal

// Due requests another check of the goals.
func (f *Follower) Due() {
	for w := range f.watches {
		w.due = true
	}
}

// PlayedFor records that the runs have played for some seconds. It requests another check of the goals every lookEvery
// seconds.
func (f *Follower) PlayedFor(seconds float64) {
	for w := range f.watches {
		if w.played += seconds; w.played >= lookEvery {
			w.played, w.due = 0, true
		}
	}
}

// Look checks the goals if something has changed since the last check. It calls reached for each goal that holds for the first
// time.
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

// look records the progress of the goal's parts and, once all parts hold, the step's numbers.
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
		w.due = true // a value that occurs only during a drag does not count
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

// countTried records the values that the goal's parameters had whenever runs ended.
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

// env is the condition.Env for one goal. It computes the scene's facts only when the goal needs them.
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
