package runs_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/timeline"
)

var frame = brush.Frame{Width: 480, Height: 360, Theme: brush.Light}

// drawn returns a panel's drawing and its texts.
func drawn(p axes.Panel) (r *recorder.Canvas, texts []string) {
	r = new(recorder.Canvas)
	for _, l := range p.Layers(frame) {
		l.Draw(draw.NewCanvas(r, frame.Width, frame.Height))
	}
	for _, a := range r.Actions {
		if f, ok := a.(*recorder.FillString); ok {
			texts = append(texts, f.String)
		}
	}
	return r, texts
}

// TestPlanesOfAnyProblem checks that a landscape, the Pareto set and the front suffice to show any problem. The
// problem, two bowls in the plane, belongs to no scene.
func TestPlanesOfAnyProblem(t *testing.T) {
	unit := []float64{1, 0, 0, 1}
	p, err := problem.NewQuadratics(0, problem.QuadraticObjective{A: unit, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	r := smooth.New(2, nil, nil, "mgda", "moosvgd")
	starts := [][]float64{{0.5, 1.5}, {-1.5, -1}, {1.2, 0.3}}
	course := smooth.Course{Problem: p, Starts: starts, Horizon: 30, Seed: 1}
	if _, err := r.Runs(course); err == nil || !strings.Contains(err.Error(), "BindOwn") {
		t.Fatalf("methods run whose parameters are not bound, error %v", err)
	}
	var l param.List
	r.BindOwn(&l)
	made, err := r.Runs(course)
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(30, 0)
	line.Reset(made, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}

	f := make([]float64, 2)
	decision := &runs.DecisionPlane{Timeline: line, Methods: smooth.Methods(), Equal: true, Step: 0.05,
		Range:  func() (lo, hi float64) { return -2, 2 },
		Starts: func() [][]float64 { return starts },
		Landscape: func() kinds.Landscape {
			return kinds.Landscape{Key: "mean", Label: "mean", Nodes: 16, High: 4, Levels: []float64{1, 2},
				Value: func(x, y float64) float64 {
					p.Values(f, []float64{x, y})
					return (f[0] + f[1]) / 2
				}}
		},
		Set: func() axes.Sheet {
			return axes.Sheet{Key: "set", Draw: func(b *brush.Brush) {
				b.Optima(2, func(i int) (float64, float64) { return float64(2*i - 1), 0 })
			}}
		},
		Text: func() string { return "Two bowls." },
	}
	plane := decision.Panel()
	_, texts := drawn(plane)
	for _, want := range []string{"Decision space", "MGDA", "MOO-SVGD", "mean from 0 to 4"} {
		if !slices.Contains(texts, want) {
			t.Errorf("the decision plane lacks %q: got %q", want, texts)
		}
	}
	if text := plane.Describe(); text != "Two bowls." {
		t.Errorf("got description %q", text)
	}
	handles := plane.Handles(frame)
	if len(handles) != 3 || handles[1].ID != runs.StartHandle(1) || handles[1].X != -1.5 || handles[1].Y != -1 || handles[1].StepX != 0.05 {
		t.Errorf("got handles %+v", handles)
	}
	// The pointer finds the end of a run in either plane.
	front := (&runs.FrontPlane{Timeline: line,
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Axis{Label: "f_1", Max: 4}, axes.Axis{Label: "f_2", Max: 4}
		},
		Front: func() axes.Sheet {
			return axes.Sheet{Key: "front", Draw: func(b *brush.Brush) {
				b.Optima(20, func(i int) (float64, float64) { u := float64(i) / 19; return 2 * u * u, 2 * (1 - u) * (1 - u) })
			}}
		},
		Text: func() string { return "Their losses." },
	}).Panel()
	if _, texts := drawn(front); !slices.Contains(texts, "Objective space") {
		t.Errorf("got texts %q in the front plane", texts)
	}
	if text := front.Describe(); text != "Their losses." {
		t.Errorf("got description %q", text)
	}
	for _, name := range []string{"mgda-2", "moosvgd-3"} {
		t.Run(name, func(t *testing.T) {
			track := line.Find(name)
			end := track.Kept(track.Len() - 1)
			for _, c := range []struct {
				panel *axes.Plane
				x, y  float64
			}{{plane, end.X[0], end.X[1]}, {front, end.F[0], end.F[1]}} {
				if pick, ok := c.panel.Pick(frame, at(c.panel, c.x, c.y)); !ok || line.Find(pick.Run).Run == nil || pick.K < 1 {
					t.Errorf("%s: at the end of %s: got %+v", c.panel.Name, name, pick)
				}
			}
		})
	}

	// With one variable, the points are on a line. With another pair of variables, the axes have those variables'
	// names.
	decision.Pair = func() (int, int) { return 1, 1 }
	x, y := plane.Axes()
	if x.Label != "variable 2 (x_{2})" || y.Label != "" || y.Short != "" || plane.Handles(frame)[0].Y != 0 {
		t.Errorf("got axes %+v and %+v", x, y)
	}
	decision.Pair = func() (int, int) { return 1, 0 }
	if x, y := plane.Axes(); x.Short != "x_{2}" || y.Short != "x_{1}" || plane.Handles(frame)[0].X != 1.5 {
		t.Errorf("got axes %+v and %+v", x, y)
	}
}

// at returns where a plane draws a point. It maps both coordinates linearly.
func at(p *axes.Plane, x, y float64) vg.Point {
	x0, y0 := p.World(frame, "", vg.Point{})
	x1, y1 := p.World(frame, "", vg.Point{X: 1, Y: 1})
	return vg.Point{X: vg.Length((x - x0) / (x1 - x0)), Y: vg.Length((y - y0) / (y1 - y0))}
}
