package session

import (
	"fmt"
	"slices"

	"paretoplay/internal/draw/axes"
)

// workFault is the reason why the scene's work beside its runs has stopped.
type workFault struct {
	err   error // nil if it has not
	panel string
	at    uint64 // the changes at the last attempt
}

// Background continues the scene's computation beside its runs while more() is true. Verbs do not wait for it. It reports whether
// there is more to do. After an error it does nothing until something changes: the panel that shows the computation gives the reason,
// and everything else continues.
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
	if before := fault.err; err != nil || before != nil { // otherwise the picture stays as it is
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
			pending, err = false, fmt.Errorf("this is a fault of the program: %v", fault)
		}
	}()
	return s.scene.Work(more)
}

// worked returns the ID of the panel that shows the computation, or "" if there are no panels.
func (s *Session) worked() string {
	panels, id := s.scene.Panels(), s.scene.Extras().Worked
	if len(panels) == 0 || slices.ContainsFunc(panels, func(p axes.Panel) bool { return p.ID() == id }) {
		return id
	}
	return panels[0].ID()
}

// explained returns the scene's panels. A text replaces the panel whose computation failed.
func (s *Session) explained() []axes.Panel {
	panels := s.scene.Panels()
	if s.made.fault.err == nil {
		return panels
	}
	out := slices.Clone(panels)
	for i, p := range panels {
		if p.ID() == s.made.fault.panel {
			out[i] = axes.Covered(p, p.Title(), fmt.Sprintf("This could not be computed: %v. Change the setting that this is about, "+
				"or look at another view. The runs and the other panels go on.", s.made.fault.err))
		}
	}
	return out
}
