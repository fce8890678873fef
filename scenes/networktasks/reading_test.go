package networktasks

import (
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestTasksAreNamed checks that on desktop, tablet and phone the large panel shows every task's name, and that the
// picture covers no answers.
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

// TestLearningIsSeen checks that on a desktop the large panel has a row for every task, inside the panel and clear of
// the names. In these rows the networks must move from guessing to the right answer. A phone has room only for the
// answers.
func TestLearningIsSeen(t *testing.T) {
	s := scenetest.Open(t, New(), few)
	p := s.Panels()[0].(*axes.Plane)
	if at := s.places(p.Brush(brush.Frame{Width: 374, Height: 420, Theme: brush.Light}, nil)); at.chart.Max.X > at.chart.Min.X {
		t.Error("a phone has a chart")
	}
	b := p.Brush(brush.Frame{Width: 780, Height: 540, Theme: brush.Light}, nil)
	at := s.places(b)
	if at.chart.Max.X-at.chart.Min.X < leastChart || at.chart.Max.X > b.Canvas.Max.X || at.chart.Min.Y < b.Canvas.Min.Y {
		t.Fatalf("the chart is at %v, in %v", at.chart, b.Canvas.Rectangle)
	}
	if end := at.answer(at.methods-1, 0).X + at.column/2 + at.name; end > at.chart.Min.X {
		t.Errorf("names end at %v, the chart begins at %v", end, at.chart.Min.X)
	}
	mean := func() (sum float64) {
		for _, r := range s.Timeline().Runs() {
			for task := range at.tasks {
				_, share := s.right(s.answers(r), s.picture(), task)
				sum += share
			}
		}
		return sum
	}
	before := mean()
	scenetest.Step(t, s, 12)
	if now := mean(); now <= before {
		t.Errorf("after 12 steps the networks are as sure as %v, at first %v", now, before)
	}
}

// TestSignsOfCurves checks that, while the runs go on, every curve has its marker at its end, even if one method's step
// costs as much as forty steps of another.
func TestSignsOfCurves(t *testing.T) {
	s := scenetest.Open(t, New(), few)
	scenetest.Step(t, s, 2*every)
	for _, c := range s.gather() {
		if at := c.Now(s.Timeline().Marker()); at != len(c.X)-1 || at < 0 {
			t.Errorf("%s: the sign is at point %d of %d", c.Method, at, len(c.X))
		}
		if at := c.Now(every - 1); at != -1 {
			t.Errorf("%s: before the first test the sign is at point %d", c.Method, at)
		}
	}
	if x := s.timeAxis(); x.Min >= s.gather()[0].X[0] {
		t.Errorf("the axis of the price is %+v", x)
	}
}
