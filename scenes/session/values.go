package session

import (
	"fmt"
	"maps"

	"paretoplay/algo/param"
)

// set gives a parameter a value, as a change that can be taken back; those of one drag, or of one
// control that is held, as one. With again, a change that the ended runs would not show makes them
// run again.
func (s *Session) set(name, text string, again bool) error {
	change := func() error { return s.put(name, text, again) }
	var noted *bool
	switch {
	case s.pointer.drags != "":
		noted = &s.pointer.noted
	case s.held != nil && s.held.name == name:
		noted = &s.held.noted
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

// hold is a control under way: a slider that is being dragged.
type hold struct {
	name  string
	noted bool // in what can be taken back
	play  bool // when it is released
}

// hold is set for a control that is held. Runs that begin anew, because they had ended or have to,
// stay at k = 0 for the values to come; Release lets them play if they would by a single set.
func (s *Session) hold(name, text string, again bool) error {
	if s.held == nil || s.held.name != name {
		s.Release()
		s.held = &hold{name: name}
	}
	h := s.held
	if err := s.set(name, text, again); err != nil {
		return err
	}
	if s.playing && s.job == nil && s.timeline().Latest() == 0 {
		s.play(false)
		h.play = true
	}
	return nil
}

// Release lets go of the control that is held, if one is.
func (s *Session) Release() {
	h := s.held
	if s.held = nil; h != nil && h.play {
		s.play(true)
	}
}

// put is set without a way back.
func (s *Session) put(name, text string, again bool) error {
	params := s.scene.Params()
	d, known := params.Lookup(name)
	if !known {
		return &param.UnknownError{Name: name, Known: params.Names()}
	}
	if t := s.timeline(); s.logs(d, again) && len(t.Log()) >= maxLog {
		return fmt.Errorf("%d live changes are the most that runs can have; Reset begins anew without them", maxLog)
	}
	before, others := params.Text(name), maps.Clone(s.brought)
	for _, o := range params.Descriptors() {
		if _, has := others[o.Name]; has || o.Count == name { // what the change may adapt
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
	if d.Kind == param.Integer {
		s.fit()
	}
	if err := s.act(d, before, again); err != nil {
		// The scene refuses the value beside the others: the former one stands.
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
	s.sawChange(name)
	s.changed()
	return nil
}

// fit adapts shares to the numbers that say how many there are, with notices.
func (s *Session) fit() {
	for _, notice := range s.scene.Params().Fit() {
		s.notice("%s.", notice)
	}
}

// logs reports whether a change of the parameter becomes a live change.
func (s *Session) logs(d param.Descriptor, again bool) bool {
	t := s.timeline()
	return d.Effect == param.Live && (t.Latest() > 0 || s.job != nil) && (t.Running() || !again)
}

// act lets a parameter's new value take effect; before is the former text.
func (s *Session) act(d param.Descriptor, before string, again bool) error {
	t := s.timeline()
	ended := !t.Running()
	switch d.Effect {
	case param.Display:
		return s.scene.Displayed()
	case param.Rerun:
		return s.rerun(again && ended)
	case param.Live:
		if s.logs(d, again) {
			if _, logged := s.base[d.Name]; !logged {
				s.base[d.Name] = before
			}
			s.toLatest()
			// A change acts at the iteration that the runs are on their way to.
			k := t.Latest()
			if s.job != nil {
				k = s.job.target
			}
			t.Change(k, d.Name, s.scene.Params().Text(d.Name))
			return nil
		}
	}
	base := s.base
	s.base = map[string]string{}
	playing := s.playing || again && ended
	if err := s.restart(nil); err != nil {
		s.base = base
		return err
	}
	s.playing = playing && t.Running()
	s.statusChanged()
	return nil
}
