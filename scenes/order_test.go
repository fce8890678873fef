package scenes

import (
	"slices"
	"testing"

	"paretoplay/internal/engine/scene"
)

// TestOrder checks that the list of scenes keeps each group together, in the order of the groups on the contents page.
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
