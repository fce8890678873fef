package session

import (
	"fmt"
	"slices"

	"paretoplay/internal/draw/axes"
)

// workFault records why the scene's Work has stopped.
type workFault struct {
	err   error // nil if the computation has not failed
	panel string
	at    uint64 // events.changes at the last attempt
}

// Background continues the computation in the scene's Work while more() is true. It reports whether work remains. Verbs
// do not wait for this computation. After an error, Background does nothing until something changes. The panel that
// shows the computation then explains the error, and everything else continues.
func (s *Session) Background(more func() bool) (pending bool, err error) {
	fault := &s.made.fault
	if fault.err != nil && fault.at == s.events.changes {
		return false, fault.err
	}
	defer s.lookAtGoal()
	worked := false
	pending, err = s.workBeside(func() bool {
		again := more()
		worked = worked || again
		return again
	})
	if err != nil {
		pending = false
	}
	if before := fault.err; err != nil || before != nil { // otherwise the picture is unchanged
		worked = err == nil || before == nil || err.Error() != before.Error()
	}
	fault.err, fault.panel = err, s.worked()
	if worked {
		s.events.version++
		if !pending {
			s.changed()
		}
	}
	fault.at = s.events.changes
	return pending, err
}

// workBeside calls the scene's Work and converts a panic to an error.
func (s *Session) workBeside(more func() bool) (pending bool, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			pending, err = false, fmt.Errorf("the program has a bug: %v", fault)
		}
	}()
	return s.scene.Work(more)
}

// worked returns the ID of the panel that shows the computation: Extras.Worked, or the first panel if no panel has that ID.
func (s *Session) worked() string {
	panels, id := s.scene.Panels(), s.scene.Extras().Worked
	if len(panels) == 0 || slices.ContainsFunc(panels, func(p axes.Panel) bool { return p.ID() == id }) {
		return id
	}
	return panels[0].ID()
}

// explained returns the scene's panels, with an explanation in place of a panel whose computation failed.
func (s *Session) explained() []axes.Panel {
	panels := s.scene.Panels()
	if s.made.fault.err == nil {
		return panels
	}
	out := slices.Clone(panels)
	for i, p := range panels {
		if p.ID() == s.made.fault.panel {
			out[i] = axes.Covered(p, p.Title(), fmt.Sprintf("This could not be computed: %v. Change the setting that caused this, "+
				"or open another view. The runs and the other panels continue.", s.made.fault.err))
		}
	}
	return out
}
