package session

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// fact is a named number of the session.
func fact(t *testing.T, s *Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}
