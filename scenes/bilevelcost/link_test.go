package bilevelcost

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestPointsAreLinked checks that every panel marks the line of the point under the pointer, and that the panels that
// show the point mark it too.
func TestPointsAreLinked(t *testing.T) {
	s := finished(t, nil)
	panels := s.Panels()
	for i, from := range panels {
		things := scenetest.Things(from)
		if len(things) < len(labels(s)) {
			t.Errorf("%s has %d points under the pointer", from.ID(), len(things))
		}
		for _, thing := range things {
			for j, p := range panels {
				// A marked line takes one stroke, and a ring takes two. The three panels of an axis show the same points.
				least := 1
				if i/3 == j/3 {
					least = 3
				}
				if got := scenetest.Marks(p, thing); got < least {
					t.Errorf("%s marks %+v of %s in %d strokes", p.ID(), thing, from.ID(), got)
				}
			}
		}
	}
}
