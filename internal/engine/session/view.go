package session

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// View returns what a display shows now: the panels and their places on the
// canvas of the last Layout, the theme, and whether pointing is by touch.
func (s *Session) View() (placed []axes.Placed, theme *brush.Theme, touch bool) {
	s.settleToLook()
	s.pins.DrawGhosts(here{s})
	s.refer()
	return s.placed(), s.screen.theme, s.screen.touch
}

// setLook sets the theme, and whether nothing moves but the runs.
func (s *Session) setLook(theme string, still bool) error {
	s.screen.still = still
	return s.SetTheme(theme)
}

// Still implements loop.Model: who has asked for reduced motion sees axes change at once.
func (s *Session) Still() bool { return s.screen.still }
