package session

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// View returns what a display shows: the panels with their places on the canvas of the last Layout, the theme, and whether
// the visitor points by touch. If still is true, only the runs may move, and axes change without animation.
func (s *Session) View() (placed []axes.Placed, theme *brush.Theme, touch, still bool) {
	s.settleToLook()
	s.pins.DrawGhosts(here{s})
	s.refer()
	return s.placed(), s.screen.theme, s.screen.touch, s.screen.still
}

// setLook sets the theme and whether only the runs may move.
func (s *Session) setLook(theme string, still bool) error {
	s.screen.still = still
	return s.SetTheme(theme)
}
