package scenes

import (
	"slices"
	"testing"

	"paretoplay/internal/engine/scene"
)

// TestOrder checks that scenes are ordered by their groups on the contents page, so that every list has the same order.
func TestOrder(t *testing.T) {
	last := 0
	for _, about := range All {
		at := slices.Index(scene.Groups, about.Group)
		if at < last {
			t.Errorf("%s, of the group %q, follows a scene of %q", about.ID, about.Group, scene.Groups[max(last, 0)])
		}
		last = at
	}
}
