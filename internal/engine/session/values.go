package session

import (
	"fmt"
	"maps"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
)

// setParam sets a parameter as a change that undo can take back. Changes during one drag, or while one control is held, count as
// one. If again is true, ended runs restart if they would not show the change.
func (s *Session) setParam(name, text string, again bool) error {
	change := func() error { return s.assign(name, text, again) }
	noted, drags := s.pointer.Dragging()
	switch {
	case drags:
	case s.history.held != nil && s.history.held.name == name:
		noted = &s.history.held.noted
	default:
		return s.changing(false, change)
	}
	if *noted {
		return change()
	}
	more, err := s.noted(false, change)
	*noted = more
	return err
}

// heldControl is a control that the visitor holds, such as a slider under the pointer.
type heldControl struct {
	name  string
	noted bool // whether the undo history contains the control's change
	play  bool // whether the runs play after the release
}

// setHeld is like setParam, for a control that is held. Runs that setHeld restarts wait at k = 0 for more values. release
// then plays them if setParam would have played them.
func (s *Session) setHeld(name, text string, again bool) error {
	if s.history.held == nil || s.history.held.name != name {
		s.release()
		s.history.held = &heldControl{name: name}
	}
	h := s.history.held
	if err := s.setParam(name, text, again); err != nil {
		return err
	}
	if s.player.playing && s.player.job == nil && s.timeline().Latest() == 0 {
		s.play(false)
		h.play = true
	}
	return nil
}

// release releases the held control, if there is one.
func (s *Session) release() {
	h := s.history.held
	if s.history.held = nil; h != nil && h.play {
		s.play(true)
	}
}

// assign is like setParam, but adds no undo entry.
func (s *Session) assign(name, text string, again bool) error {
	params := s.scene.Params()
	d, known := params.Lookup(name)
	if !known {
		return &param.UnknownError{Name: name, Known: params.Names()}
	}
	if t := s.timeline(); s.logs(d, again) && len(t.Log()) >= link.MaxLog {
		return fmt.Errorf("runs can have at most %d live changes; Reset starts again without them", link.MaxLog)
	}
	before, others := params.Text(name), maps.Clone(s.file.brought)
	for _, o := range params.Descriptors() {
		if _, has := others[o.Name]; has || o.Count == name { // values that the change may adapt
			others[o.Name] = params.Text(o.Name)
		}
	}
	notice, err := params.Clamp(name, text)
	if err != nil {
		return err
	}
	if notice != "" {
		s.notice("%s.", notice)
	}
	if params.Text(name) == before {
		s.changed()
		return nil
	}
	if err := s.leave(); err != nil {
		return err
	}
	s.screen.called = d.Panel
	if d.Kind == param.Integer {
		s.fit()
	}
	if err := s.takeEffect(d, before, again); err != nil {
		// The scene refuses the value in combination with the others: restore the former values.
		others[name] = before
		for other, text := range others {
			if e := params.Assign(other, text); e != nil {
				return e
			}
		}
		if e := s.rerun(false); e != nil {
			return e
		}
		return err
	}
	s.follow.SawChange(name)
	s.flowOn()
	s.changed()
	return nil
}

// fit adapts lists of shares to the parameters that set their lengths, with a notice for each change.
func (s *Session) fit() {
	for _, notice := range s.scene.Params().Fit() {
		s.notice("%s.", notice)
	}
}

// logs reports whether a change of the parameter becomes a live change.
func (s *Session) logs(d param.Descriptor, again bool) bool {
	t := s.timeline()
	return d.Effect == param.Live && (t.Latest() > 0 || s.player.job != nil) && !(again && s.ended())
}

// takeEffect applies a changed parameter's Effect. before is the parameter's former text.
func (s *Session) takeEffect(d param.Descriptor, before string, again bool) error {
	if d.Kind == param.Text && d.Effect != param.Display && s.keepsRuns() {
		return nil
	}
	t := s.timeline()
	ended := s.ended()
	switch d.Effect {
	case param.Display:
		return s.scene.Displayed()
	case param.Rerun:
		return s.rerun(again && ended)
	case param.Live:
		if s.logs(d, again) {
			if err := s.scene.Params().Check(); err != nil {
				return err
			}
			if _, logged := s.base[d.Name]; !logged {
				s.base[d.Name] = before
			}
			s.toLatest()
			// A change acts at the iteration to which the runs are replayed.
			k := t.Latest()
			if s.player.job != nil {
				k = s.player.job.target
			}
			t.Change(k, d.Name, s.scene.Params().Text(d.Name))
			return nil
		}
	}
	base := s.base
	s.base = map[string]string{}
	playing := s.player.playing || again && ended
	if err := s.restart(nil); err != nil {
		s.base = base
		return err
	}
	s.player.playing = playing && s.timeline().Running()
	s.statusChanged()
	return nil
}
