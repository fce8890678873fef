package session

import (
	"slices"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
)

// maxUndos is the maximum number of changes that can be undone.
const maxUndos = 50

// history holds the states and controls that undo needs.
type history struct {
	moments []moment     // the states to which undo returns
	noting  bool         // whether a change is in progress; undo takes it back as a whole
	held    *heldControl // the control that the visitor holds, or nil
	taken   bool         // whether Enter has taken a handle; arrow keys move it until it is released
}

// moment is a state to which undo can return.
type moment struct {
	settings link.Settings
	playing  bool
	ended    bool // whether no run could continue
	// pasted holds the state's data, and sender the origin of the page that sent them ("" for the visitor).
	pasted *data.Pasted
	sender string
	// withLesson is true if undo also restores the lesson and all pins, because the change opened another scene or
	// step.
	withLesson bool
	step       *follow.Step
}

func (s *Session) now() moment {
	playing := s.player.playing || s.player.job != nil && s.player.job.play
	return moment{settings: s.Settings(), playing: playing, ended: s.player.job == nil && !s.timeline().Running(),
		pasted: s.file.pasted, sender: s.file.sender,
		step: s.follow.Step}
}

// changing applies a visitor's change. It adds an undo entry if the change has an effect. withLesson is as in moment.
func (s *Session) changing(withLesson bool, change func() error) error {
	_, err := s.noted(withLesson, change)
	return err
}

// noted is like changing, and reports whether it has added an undo entry.
func (s *Session) noted(withLesson bool, change func() error) (more bool, err error) {
	if s.history.noting { // part of a larger change
		return false, change()
	}
	s.history.noting = true
	defer func() { s.history.noting = false }()
	before := s.now()
	before.withLesson = withLesson
	if err := change(); err != nil {
		return false, err
	}
	if after := s.Settings(); after.Hash() == before.settings.Hash() {
		return false, nil
	}
	if len(s.history.moments) == maxUndos {
		s.history.moments = append(s.history.moments[:0:0], s.history.moments[1:]...)
	}
	s.history.moments = append(s.history.moments, before)
	return true, nil
}

// undo takes back the visitor's last change. It restores all settings, the iterations of the runs and the marker. Runs that played
// before the change continue.
func (s *Session) undo() error {
	last := len(s.history.moments) - 1
	if last < 0 {
		s.notice("There is nothing to undo.")
		s.changed()
		return nil
	}
	m := s.history.moments[last]
	s.history.moments = s.history.moments[:last:last]
	if m.settings.Data != "" && m.pasted != nil && m.pasted.SHA256 == m.settings.Data {
		s.file.pasted, s.file.sender = m.pasted, m.sender
	}
	switch {
	case !m.withLesson:
		m.step, m.settings.Pins = s.follow.Step, s.pins.List()
	case m.settings.Scene == s.about.ID:
		m.settings.Pins = joined(m.settings.Pins, s.pins.List())
	}
	if m.settings.Scene == s.about.ID {
		m.settings.AllPanels = s.screen.all
	}
	return s.attempt(func() error {
		anew, wanted := m.settings.Scene != s.about.ID, s.file.wanted
		if err := s.load(m.settings, anew); err != nil {
			return err
		}
		if !anew && s.file.wanted == "" {
			s.file.wanted = wanted // the scene still has the data, although it does not show them
		}
		s.follow.Step = m.step
		switch t := s.timeline(); {
		case s.player.job != nil:
			s.player.job.play, s.player.job.ended = m.playing, m.ended
		case m.ended && t.Running():
			s.schedule(job{target: t.Latest(), marker: t.Marker(), ended: true})
		default:
			s.play(m.playing)
		}
		s.player.loading = s.player.job != nil
		s.statusChanged()
		return s.drawable()
	})
}

// joined returns all of pins, and those of others whose letters do not occur in pins, sorted by letter.
func joined(pins, others []link.Pin) []link.Pin {
	out := slices.Clone(pins)
	for _, o := range others {
		if !slices.ContainsFunc(pins, func(p link.Pin) bool { return p.Letter == o.Letter }) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b link.Pin) int { return strings.Compare(a.Letter, b.Letter) })
	return out
}
