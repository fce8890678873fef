package network

import (
	"testing"

	"paretoplay/scenes/scenetest"
)

func TestScene(t *testing.T) { scenetest.Scene(t, About) }
