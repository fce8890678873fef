package bilevelpaths

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

func TestScene(t *testing.T) { scenetest.Scene(t, About) }
