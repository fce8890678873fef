package session

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// fact returns the value of the session's fact with the given name.
func fact(t *testing.T, s *Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}
