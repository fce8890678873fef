package log

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/scenetest"
)

// gram returns the Gramian of rows.
func gram(rows [][]float64) []float64 {
	jac := algo.NewJacobian(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(jac.Row(i), row)
	}
	out := make([]float64, len(rows)*len(rows))
	jac.Gram(out)
	return out
}

// TestFlatten: principal has the Gramian that it was given, and the plane shows what lies in it.
func TestFlatten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	wide := make([][]float64, 15)
	for i := range wide {
		wide[i] = make([]float64, 20)
		for k := range wide[i] {
			wide[i][k] = random.NormFloat64()
		}
	}
	for name, c := range map[string]struct {
		rows  [][]float64
		share float64
	}{
		"two":      {[][]float64{{1, 2, 3}, {-2, 0, 1}}, 1},
		"one":      {[][]float64{{3, 4}}, 1},
		"same":     {[][]float64{{1, 1}, {1, 1}}, 1},
		"opposite": {[][]float64{{2, 0}, {-2, 0}}, 1},
		"zero":     {[][]float64{{0, 0}, {0, 0}}, 1},
		"one zero": {[][]float64{{0, 0, 0}, {1, 2, 2}, {2, -1, 0}}, 1},
		"cube":     {[][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 2. / 3},
		"tiny":     {[][]float64{{1e-8, 0, 0}, {0, 1e-8, 0}, {0, 0, 1e-8}}, 2. / 3},
		"huge":     {[][]float64{{1e8, 0, 0}, {0, 1e8, 0}, {0, 0, 1e8}}, 2. / 3},
		"many":     {wide, math.NaN()},
	} {
		n, want := len(c.rows), gram(c.rows)
		rows := principal(want, n)
		scale := floats.Max(want) + 1e-300
		for i, v := range gram(rows) {
			if math.Abs(v-want[i]) > 1e-12*scale {
				t.Errorf("%s: product %d is %v, want %v", name, i, v, want[i])
			}
		}
		at := flatten(want, n)
		if !math.IsNaN(c.share) && math.Abs(at.share-c.share) > 1e-12 || at.share < 0 || at.share > 1 {
			t.Errorf("%s: the plane shows %v, want %v", name, at.share, c.share)
		}
		if mean := floats.Sum(at.x); mean < 0 || math.IsNaN(mean) {
			t.Errorf("%s: the mean points to the left, %v", name, at.x)
		}
	}
}

// line is a record in JSON of that many objectives.
func line(objectives int) string {
	row := func(i int) string {
		cells := make([]string, objectives)
		for j := range cells {
			cells[j] = "0"
			if j == i {
				cells[j] = "1"
			}
		}
		return "[" + strings.Join(cells, ",") + "]"
	}
	rows := make([]string, objectives)
	for i := range rows {
		rows[i] = row(i)
	}
	return `{"losses": ` + row(0) + `, "gramian": [` + strings.Join(rows, ",") + "]}\n"
}

// brought is a scene that shows a visitor's log, to the end of its analysis.
func brought(t *testing.T, text string) *Scene {
	t.Helper()
	s := New()
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	if err := scenetest.Paste(s, text); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	return s
}

// TestOwnLogs shows logs with one objective, with two, and with more than have strips for their pairs;
// none has a second batch, nor enough records for a window.
func TestOwnLogs(t *testing.T) {
	for _, objectives := range []int{1, 2, mostPaired + 1} {
		s := brought(t, strings.Repeat(line(objectives), 3))
		if s.log.Objectives() != objectives || s.report == nil {
			t.Fatalf("%d objectives: the log is not shown", objectives)
		}
		for _, p := range s.Panels() {
			if p.Describe() == "" {
				t.Errorf("%d objectives: %s has no words", objectives, p.ID())
			}
			for _, f := range []panel.Frame{
				{Width: 800, Height: 500, Theme: panel.Light}, {Width: 200, Height: 120, Theme: panel.Dark, Detail: panel.Mini},
			} {
				for _, l := range p.Layers(f) {
					if l.Draw == nil {
						t.Errorf("%d objectives: %s has a layer without a picture", objectives, p.ID())
					}
				}
			}
		}
		if len(s.Conclusions()) != 8 {
			t.Errorf("%d objectives: %d sentences", objectives, len(s.Conclusions()))
		}
		if e := s.Elsewhere(); (e == nil) != (objectives == 1) {
			t.Errorf("%d objectives: elsewhere is %+v", objectives, e)
		}
	}
}

// TestRefusedLog: what is no log is refused, and what was shown stays.
func TestRefusedLog(t *testing.T) {
	s := brought(t, strings.Repeat(line(2), 3))
	before := s.log
	for text, want := range map[string]string{
		"": "empty", line(2): "number of records is 1", "{}": "", strings.Repeat(line(2), 2) + line(3): "",
	} {
		err := scenetest.Paste(s, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
	if s.log != before {
		t.Error("another log is shown")
	}
	if exchange.RunLog != s.Takes() {
		t.Error("the scene takes something else")
	}
}

// TestMarker: the marker goes to the record that is nearest to the pointer.
func TestMarker(t *testing.T) {
	s := New()
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]string{-50: "1", 0: "1", 1.9: "1", 2.1: "2", 400: "101", 1e9: "300"} { // steps 0, 4, ..., 1196
		if name, text := s.Drag(panel.MarkerHandle, x, 0); name != "record" || text != want {
			t.Errorf("at step %v the marker sets %s to %s, want %s", x, name, text, want)
		}
	}
	if name, _ := s.Drag("another", 0, 0); name != "" {
		t.Error("another handle moves the marker")
	}
	if needs := s.Needs(); needs != "" {
		t.Errorf("natively the scene waits for %s", needs)
	}
}

// TestAbsentMethod says why a log cannot be asked about a method.
func TestAbsentMethod(t *testing.T) {
	s := brought(t, strings.Repeat(line(2), 3))
	s.values.Method = "famo" // which needs the losses after each step
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	scenetest.Finish(t, s)
	if s.method() != nil || !strings.Contains(s.absent(), "absent") {
		t.Errorf("FAMO is %v, %q", s.method(), s.absent())
	}
}
