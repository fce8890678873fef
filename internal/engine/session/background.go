package session

import (
	"fmt"
	"slices"

	"paretoplay/internal/draw/axes"
)

// workFault is why the scene's work beside its runs cannot go on.
type workFault struct {
	err   error // nil where it can
	panel string
	at    uint64 // the changes when it was tried last
}

// Background continues the scene's computations beside its runs, while more() holds. No verb waits for it. It reports whether
// there is more to do. After an error there is not, until something is changed: the panel that waits for them says why, and
// everything else goes on.
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
	if before := fault.err; err != nil || before != nil { // else what is shown stays as it is
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

// workBeside is the scene's Work; a panic of it becomes an error.
func (s *Session) workBeside(more func() bool) (pending bool, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			pending, err = false, fmt.Errorf("this is a fault of the program: %v", fault)
		}
	}()
	return s.scene.Work(more)
}

// worked is the ID of the panel that shows what the scene's Work computes, "" without panels.
func (s *Session) worked() string {
	panels, id := s.scene.Panels(), s.scene.Extras().Worked
	if len(panels) == 0 || slices.ContainsFunc(panels, func(p axes.Panel) bool { return p.ID() == id }) {
		return id
	}
	return panels[0].ID()
}

// explained are the scene's panels, with words in place of the one whose work failed.
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
