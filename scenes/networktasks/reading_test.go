package networktasks

import (
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestTasksAreNamed: on a desk, a tablet and a phone every task has its name in the large panel, and the picture covers no answers.
func TestTasksAreNamed(t *testing.T) {
	s := scenetest.Open(t, New(), few)
	p := s.Panels()[0].(*axes.Plane)
	for _, size := range [][2]vg.Length{{1060, 430}, {744, 380}, {390, 380}, {390, 330}} {
		b := p.Brush(brush.Frame{Width: size[0], Height: size[1], Theme: brush.Light}, nil)
		at := s.places(b)
		if at.name == 0 {
			t.Errorf("%v by %v: tasks have no names", size[0], size[1])
		}
		for task := range at.tasks {
			if q := at.answer(0, task); q.X > at.picture.Min.X && q.X < at.picture.Max.X && q.Y > at.picture.Min.Y && q.Y < at.picture.Max.Y {
				t.Errorf("%v by %v: the picture covers task %d", size[0], size[1], task+1)
			}
		}
	}
}
