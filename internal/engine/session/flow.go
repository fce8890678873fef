package session

import (
	"paretoplay/internal/engine/link"
)

// Advance plays the runs and the scene's Flow for one tick of the display, dt seconds long, while more() is true.
func (s *Session) Advance(dt float64, more func() bool) error {
	if s.resting() {
		return nil
	}
	if s.player.looping {
		s.advanceLoop(dt)
		return nil
	}
	defer s.lookAtGoal()
	if err := s.playRuns(dt, more); err != nil {
		return err
	}
	return s.flow(dt, more)
}

// moving reports whether the runs play or the scene's Flow moves.
func (s *Session) moving() bool { return s.player.playing || s.player.flows }

// flowsAlone reports whether the runs have stopped and only the scene's Flow still moves.
func (s *Session) flowsAlone() bool { return s.player.flows && !s.player.playing }

// flow continues the scene's Flow, and reports its end to listeners.
func (s *Session) flow(dt float64, more func() bool) error {
	if !s.player.flows {
		return nil
	}
	of := s.scene.Extras().Flow
	if of == nil { // the motion is hidden
		s.player.flows = false
		s.statusChanged()
		return nil
	}
	flows, err := of.Flow(dt, more)
	s.events.version++
	if s.player.flows = flows && err == nil; !s.player.flows {
		said := s.found() != ""
		s.statusChanged()
		s.changed()
		if said { // the runs' finding still holds
			s.player.found.changes = s.events.changes
		}
	}
	return err
}

// pour restarts the scene's Flow, if motion is allowed.
func (s *Session) pour() {
	of := s.scene.Extras().Flow
	if of == nil || s.screen.still || s.player.playing {
		return
	}
	if !of.Flows() {
		of.Pour()
	}
	s.flowOn()
}

// flowOn continues the scene's Flow after a change, unless the visitor has paused.
func (s *Session) flowOn() {
	of := s.scene.Extras().Flow
	if of == nil || s.screen.still || s.player.halted {
		return
	}
	of.Animate(true)
	if flows := of.Flows(); flows != s.player.flows {
		s.player.flows = flows
		s.statusChanged()
	}
}

// unpour ends the motion of the scene's Flow. From then on, Work computes where the motion ends, without intermediate
// pictures.
func (s *Session) unpour() {
	s.player.flows, s.player.halted = false, false
	if of := s.scene.Extras().Flow; of != nil {
		of.Animate(false)
	}
}

// plain returns the link that only names the scene.
func (s *Session) plain() string { return (&link.Settings{Scene: s.about.ID}).Hash() }

// nameOpened adds the parameter values of About.Opens to a link that would otherwise only name the scene.
func (s *Session) nameOpened(settings *link.Settings) {
	if len(s.about.Opens) == 0 || settings.Hash() != s.plain() {
		return
	}
	for _, name := range sortedKeys(s.about.Opens) {
		settings.Values = append(settings.Values, link.Value{Name: name, Text: s.scene.Params().Text(name)})
	}
}

// untouched reports whether the scene is in its default state.
func (s *Session) untouched() bool {
	now := s.Settings()
	values := now.Values
	now.Values = nil
	if now.Hash() != s.plain() {
		return false
	}
	for _, v := range values {
		if !s.scene.Params().IsDefault(v.Name) {
			return false
		}
	}
	return true
}
