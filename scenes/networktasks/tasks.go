package networktasks

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// tasksPanel returns the panel that shows how well each method's network answers each task.
func (s *Scene) tasksPanel() axes.Panel {
	p := &axes.Plane{Name: "tasks", Heading: "Each task on test pictures", Text: s.describeTasks}
	p.Axes = func() (axes.Axis, axes.Axis) {
		x := axes.NumberedAxis(max(1, s.tasks()), "", false)
		x.Label = "task"
		y := axes.Axis{Label: "balanced accuracy", Min: 0.4, Max: 1.02}
		if s.values.Tasks == "2" {
			y.Min = 0
		}
		return x, y
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawTasks}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.net == nil {
			return nil
		}
		return kinds.MethodEntries(t, Methods, s.Timeline())
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "guessing", Stroke: brush.Stroke{Color: t.Rule, Width: 1, Dash: []vg.Length{4, 3}}}}
	}
	p.Find = s.findTask
	return p
}

// perTask returns the balanced accuracies from the last test of a run's network up to the marker.
func (s *Scene) perTask(r *timeline.Run) []float64 {
	row, ok := tested(r, s.Timeline().Marker())
	if !ok {
		return nil
	}
	return row.List(balancedName)
}

func (s *Scene) drawTasks(b *brush.Brush) {
	if s.net == nil {
		b.Words(waiting)
		return
	}
	guess := 0.5
	if s.net.Classes(0) > 2 {
		guess = 0.1
	}
	b.HLine(guess, brush.Stroke{Color: b.Theme.Rule, Width: 1, Dash: []vg.Length{4, 3}})
	if b.Frame.Detail == brush.Full {
		b.Label(-0.5, guess, "guessing", brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: -1})
	}
	selected := s.Timeline().Selected().Run
	for _, last := range []bool{false, true} {
		for _, r := range s.Timeline().Runs() {
			if (r == selected) != last {
				continue
			}
			look := b.Theme.Look(r.Method)
			if kinds.Greyed(s.Timeline(), timeline.Track{Run: r}) {
				look.Hue = kinds.Grey(b.Theme)
			}
			for task, v := range s.perTask(r) {
				b.Marker(float64(task), v, look.Shape, 3.5, look.Hue, true)
			}
		}
	}
}

func (s *Scene) findTask(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	if s.net == nil {
		return axes.Pick{}, false
	}
	x, _ := b.World(at)
	task := int(math.Round(x))
	if task < 0 || task >= s.tasks() || at.Y < b.Canvas.Min.Y || at.Y > b.Canvas.Max.Y {
		return axes.Pick{}, false
	}
	lines := []string{fmt.Sprintf("task %d: %s", task+1, s.net.Names()[task])}
	for _, r := range s.Timeline().Runs() {
		if v := s.perTask(r); v != nil {
			lines = append(lines, fmt.Sprintf("%s %s", r.Title, timeline.Significant(v[task])))
		}
	}
	return axes.Pick{K: -1, At: at, Lines: lines}, true
}

func (s *Scene) describeTasks() string {
	if s.net == nil {
		return waiting
	}
	var parts []string
	for _, r := range s.Timeline().Runs() {
		v := s.perTask(r)
		if v == nil {
			continue
		}
		least := 0
		for task := range v {
			if v[task] < v[least] {
				least = task
			}
		}
		parts = append(parts, fmt.Sprintf("the worst task of %s is “%s”, %s", r.Title, s.net.Names()[least], timeline.Significant(v[least])))
	}
	return "The share of right answers in each task, averaged over the possible answers. " + strings.Join(parts, "; ") + "."
}
