package session

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

// fragile is a scene that fails in the way that its parameter selects. Its default state is valid.
type fragile struct {
	scene.Base
	fault string
	plane axes.Panel
}

var fragileAbout = scene.About{ID: "fragile", Title: "Fragile", New: func() scene.Scene {
	f := &fragile{Base: scene.NewBase(), fault: "none"}
	options := []param.Option{}
	for _, name := range []string{"none", "refusing", "building", "drawing", "place", "words", "results", "late", "step"} {
		options = append(options, param.Option{Value: name})
	}
	f.Params().Choice(&f.fault, param.Descriptor{Name: "fault", Options: options, Effect: param.Restart})
	speed := "max"
	f.Params().Choice(&speed, param.Descriptor{Name: "speed", Options: []param.Option{{Value: "max"}}, Effect: param.Display})
	p := &axes.Plane{Name: "plane", Heading: "Plane", Text: func() string {
		if f.fault == "words" {
			panic("no words")
		}
		return "A plane."
	}}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Max: 1}, axes.Axis{Max: 1}
	}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Draw: func(b *brush.Brush) {
			switch {
			case f.fault == "drawing", f.fault == "late" && f.Timeline().Latest() > 5:
				var none []float64
				b.Marker(none[0], 0, brush.Circle, 3, b.Theme.Ink, false)
			case f.fault == "place":
				b.Canvas.StrokeLine2(draw.LineStyle{Color: b.Theme.Ink, Width: 1}, 0, 0, vg.Length(math.NaN()), 1)
			}
		}}}
	}
	f.plane = p
	return f
}}

func (f *fragile) Panels() []axes.Panel { return []axes.Panel{f.plane} }

func (f *fragile) Results() any {
	if f.fault == "results" {
		return map[string]float64{"share": math.NaN()}
	}
	return nil
}

// breaking is a stepper that panics at one iteration.
type breaking struct{ algo.Stepper }

func (b breaking) Step() (algo.Status, error) {
	if b.View().K == 5 {
		panic("no step")
	}
	return b.Stepper.Step()
}

func (f *fragile) Restart(log []timeline.Change) error {
	switch f.fault {
	case "refusing":
		return errors.New("refused")
	case "building":
		panic("no runs")
	}
	fonseca, err := problem.NewFonseca(2, 0)
	if err != nil {
		return err
	}
	s, err := descent.NewPSMGD(descent.MGDA(descent.Config{Problem: fonseca, Start: []float64{0.5, 0.1}, StepSize: 0.1}))
	if err != nil {
		return err
	}
	var stepper algo.Stepper = s
	if f.fault == "step" {
		stepper = breaking{s}
	}
	f.Timeline().Reset([]*timeline.Run{{Name: "mgda-1", Method: "mgda", Starts: [][]float64{{0.5, 0.1}}, Stepper: stepper}}, log)
	f.Timeline().SetEnd(100, 0)
	return nil
}

// TestLinksThatCannotBeShown checks that the scene's default state opens with a notice if a state cannot be built or drawn, at its
// start or after its replay.
func TestLinksThatCannotBeShown(t *testing.T) {
	for fault, reason := range map[string]string{
		"building": "no runs", "drawing": "index out of range", "place": "is not finite", "words": "no words",
		"results": "NaN", "late": "index out of range", "step": "no step",
	} {
		s, err := New(append(scene.List{fragileAbout}, scenes.All...), "fonseca")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Call("load", []byte(`{"state":"v=1&scene=fragile&fault=`+fault+`&latest=20&k=10"}`)); err != nil {
			t.Errorf("%s: %v", fault, err)
			continue
		}
		for range 100 {
			pending, err := s.Work(always)
			if err != nil {
				t.Errorf("%s: %v", fault, err)
			}
			if !pending {
				break
			}
		}
		st := state(t, s)
		if st.Scene != "fragile" || st.Params["fault"] != "none" || st.Latest != 0 || st.Progress != nil {
			t.Errorf("%s: shown is %s with %v at %d", fault, st.Scene, st.Params, st.Latest)
		}
		if len(st.Notices) != 1 || !strings.Contains(st.Notices[0], "cannot be shown") || !strings.Contains(st.Notices[0], reason) ||
			!strings.Contains(st.Notices[0], "The scene’s default state is shown") {
			t.Errorf("%s: notices %q", fault, st.Notices)
		}
		if err := s.drawable(); err != nil {
			t.Errorf("%s: the start: %v", fault, err)
		}
		// The session still works.
		do(t, s, "load", `{"state":"v=1&scene=fragile&latest=20&k=10"}`)
		if st := state(t, s); st.Latest != 20 || st.Iteration != 10 || len(st.Notices) != 0 {
			t.Errorf("%s: afterwards at %d of %d, notices %q", fault, st.Iteration, st.Latest, st.Notices)
		}
	}
	// If the scene refuses the link's values, it shows its defaults.
	s, err := New(append(scene.List{fragileAbout}, scenes.All...), "fonseca")
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "load", `{"state":"v=1&scene=fragile&fault=refusing"}`)
	if st := state(t, s); st.Params["fault"] != "none" || !slices.Equal(st.Notices, []string{"refused. The defaults are shown."}) {
		t.Errorf("%v, notices %q", st.Params, st.Notices)
	}
}

// TestTinyGradientsAsALink checks that a link opens normally if the gradients of its runs are so small that their
// squares vanish.
func TestTinyGradientsAsALink(t *testing.T) {
	s := open(t)
	do(t, s, "load", `{"state":"v=1&scene=lab&gradients=1e-200,0;0,1e-200&method=epo,mgda"}`)
	st := state(t, s)
	if len(st.Notices) != 0 || len(st.Params["method"].([]string)) != 2 {
		t.Errorf("notices %q, %v", st.Notices, st.Params)
	}
	if err := s.drawable(); err != nil {
		t.Error(err)
	}
}
