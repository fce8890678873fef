package runs

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/timeline"
)

// course holds the start points for the steppers in these tests.
type course struct {
	start  int
	starts [][]float64
}

// walker adds its pace to every coordinate at each step.
type walker struct {
	k    int
	pace float64
	x    []float64
	all  int // number of solutions
}

func (w *walker) Step() (algo.Status, error) {
	w.k++
	for i := range w.x {
		w.x[i] += w.pace
	}
	return algo.Running, nil
}

func (w *walker) View() algo.View {
	return algo.View{K: w.k, Solutions: w.all, X: w.x, F: make([]float64, 2*w.all)}
}

func (w *walker) Save(to *algo.Snapshot) {
	to.PutInt(w.k)
	to.PutFloats(w.pace)
	to.PutFloats(w.x...)
}

func (w *walker) Load(from *algo.Snapshot) {
	w.k, w.pace = from.GetInt(), from.GetFloat()
	from.GetFloats(w.x)
}

func (w *walker) SetPace(pace float64) error {
	if pace < 0 {
		return errors.New("pace: backwards")
	}
	w.pace = pace
	return nil
}

// runner is a walker that can also jump.
type runner struct{ *walker }

func (r runner) SetJump(height float64) error {
	r.x[0] += height
	return nil
}

type family struct{ pace, boost float64 }

func (f *family) methods() []Method[course] {
	walk := func(c course) *walker { return &walker{pace: f.pace, x: slices.Clone(c.starts[c.start]), all: 1} }
	return []Method[course]{
		{Method: param.Method{ID: "walk", Title: "Walking"}, Bind: func(*param.List) func(course) (algo.Stepper, error) {
			return func(c course) (algo.Stepper, error) { return walk(c), nil }
		}},
		{Method: param.Method{ID: "run", Title: "Running"}, Bind: func(l *param.List) func(course) (algo.Stepper, error) {
			l.Number(&f.boost, param.Descriptor{Name: "run.boost", Max: 9})
			return func(c course) (algo.Stepper, error) {
				w := walk(c)
				w.pace += f.boost
				return runner{w}, nil
			}
		}},
		{Method: param.Method{ID: "shadow", Title: "Shadow"}, Beside: true, Bind: func(*param.List) func(course) (algo.Stepper, error) {
			return func(c course) (algo.Stepper, error) { return walk(c), nil }
		}},
		{Method: param.Method{ID: "herd", Title: "Herd"}, Together: true, Bind: func(*param.List) func(course) (algo.Stepper, error) {
			return func(c course) (algo.Stepper, error) {
				return &walker{pace: f.pace, x: slices.Concat(c.starts...), all: len(c.starts)}, nil
			}
		}},
		{Method: param.Method{ID: "fly", Title: "Flying"}, Bind: func(l *param.List) func(course) (algo.Stepper, error) {
			l.Number(new(float64), param.Descriptor{Name: "fly.height", Max: 9})
			return func(course) (algo.Stepper, error) { return nil, errors.New("no wings") }
		}},
	}
}

func bound(absent map[string]string, on ...string) (*Roster[course], *param.List) {
	f := &family{pace: 1, boost: 2}
	r, l := New(f.methods(), absent, on...), new(param.List)
	r.BindMethods(l, 1, "Who goes.")
	l.Section("Own")
	r.BindOwn(l, "run")
	Live(r, "pace", (*walker).SetPace)
	Live(r, "pace", func(s runner, v float64) error { return s.SetPace(v) })
	Live(r, "jump", runner.SetJump)
	Live(r, "herdpace", (*walker).SetPace, "herd")
	return r, l
}

var threeStarts = [][]float64{{0, 1}, {2, 3}, {4, 5}}

func runs(t *testing.T, r *Roster[course], methods ...string) []*timeline.Run {
	t.Helper()
	list, err := r.Runs(methods, threeStarts, func(i int) course { return course{i, threeStarts} })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestChoice checks that methods are listed once, in order. Methods that run beside others must not be offered, and
// absent methods must give a reason. After the first few methods, those that do not run must be folded.
func TestChoice(t *testing.T) {
	r, l := bound(map[string]string{"fly": "There is no air."}, "herd")
	d, _ := l.Lookup("method")
	var got []string
	for _, o := range d.Options {
		entry := o.Value + " " + o.Label + " " + o.Disabled
		if o.Folded {
			entry += " folded"
		}
		got = append(got, entry)
	}
	if want := []string{"walk Walking ", "run Running  folded", "herd Herd ", "fly Flying There is no air. folded"}; !slices.Equal(got, want) {
		t.Errorf("got options %q, want %q", got, want)
	}
	if l.Text("method") != "herd" || d.Effect != param.Rerun || d.Help != "Who goes." {
		t.Errorf("got %+v", d)
	}
	if err := l.Assign("method", "fly"); err == nil {
		t.Error("an absent method is chosen")
	}
	if r.Absent("fly") == "" || r.Absent("run") != "" || r.Title("shadow") != "Shadow" {
		t.Error("got a wrong title or reason for a method")
	}
	if names := l.Names(); !slices.Equal(names, []string{"method", "run.boost"}) {
		t.Errorf("got parameters %v, want none of absent methods", names)
	}
	if _, err := r.Stepper("fly", course{}); err == nil || !strings.Contains(err.Error(), `unknown method "fly" in this scene`) {
		t.Errorf("got error %v", err)
	}
}

// TestRuns checks that each method runs from every start, or once over all of them. Runs must have unique names and
// labels, and must not depend on which other methods run.
func TestRuns(t *testing.T) {
	r, _ := bound(nil, "walk")
	var got []string
	list := runs(t, r, "run", "herd", "shadow")
	for _, run := range list {
		got = append(got, run.Name+" | "+run.Label)
	}
	want := []string{"run-1 | Running, start 1", "run-2 | Running, start 2", "run-3 | Running, start 3", "herd | Herd",
		"shadow-1 | Shadow, start 1", "shadow-2 | Shadow, start 2", "shadow-3 | Shadow, start 3"}
	if !slices.Equal(got, want) {
		t.Errorf("got runs %q, want %q", got, want)
	}
	if run := list[1]; run.Method != "run" || run.Title != "Running" || run.StartIndex != 1 || run.Several ||
		!slices.Equal(run.Starts[0], threeStarts[1]) || len(run.Starts) != 1 {
		t.Errorf("got %+v", run)
	}
	if run := list[3]; !run.Several || run.StartIndex != 0 || len(run.Starts) != 3 {
		t.Errorf("got %+v", run)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(2, 0)
	line.Reset(list, nil)
	if _, err := line.Step(); err != nil {
		t.Fatal(err)
	}
	if x := line.Find("herd-3").Kept(1).X; !slices.Equal(x, []float64{5, 6}) {
		t.Errorf("got the third of the herd at %v", x)
	}
	if x := line.Find("run-2").Kept(1).X; !slices.Equal(x, []float64{5, 6}) {
		t.Errorf("got the second runner at %v", x)
	}
	if _, err := r.Runs([]string{"fly"}, threeStarts, func(i int) course { return course{i, threeStarts} }); err == nil ||
		err.Error() != "fly: no wings" {
		t.Errorf("got error %v", err)
	}
}

// TestLive checks that a live change affects only the steppers of the methods for which it was registered, and only if
// their type supports it.
func TestLive(t *testing.T) {
	r, _ := bound(nil, "walk")
	after := func(name, text string) map[string]float64 {
		out := map[string]float64{}
		for _, run := range runs(t, r, "walk", "run", "herd") {
			if run.StartIndex > 0 {
				continue
			}
			if err := run.Apply(timeline.Change{Name: name, Text: text}); err != nil {
				t.Fatal(err)
			}
			if _, err := run.Stepper.Step(); err != nil {
				t.Fatal(err)
			}
			out[run.Method] = run.Stepper.View().X[0]
		}
		return out
	}
	for _, c := range []struct {
		name            string
		walk, run, herd float64
	}{{"pace", 7, 7, 7}, {"jump", 1, 10, 1}, {"herdpace", 1, 3, 7}, {"nothing", 1, 3, 1}} {
		got := after(c.name, "7")
		if got["walk"] != c.walk || got["run"] != c.run || got["herd"] != c.herd {
			t.Errorf("%s: got %v, want %v", c.name, got, c)
		}
	}
	run := runs(t, r, "walk")[0]
	if err := run.Apply(timeline.Change{Name: "pace", Text: "x"}); err == nil || !strings.Contains(err.Error(), `pace = "x" is not a number`) {
		t.Errorf("got error %v", err)
	}
	if err := run.Apply(timeline.Change{Name: "pace", Text: "-1"}); err == nil || err.Error() != "pace: backwards" {
		t.Errorf("got error %v", err)
	}
}

// TestPoints checks that the points of the set come first, followed by random points. A random point must depend only
// on the seed and on the point's number. Moved points must replace points of either kind.
func TestPoints(t *testing.T) {
	set := [][]float64{{1, 2, 3}, {4, 5, 6}}
	s := Starts{Region: 0.5}
	points := s.Points(7, set, 5, s.Uniform(3, 10))
	if len(points) != 5 || !slices.Equal(points[0], set[0]) || !slices.Equal(points[1], set[1]) {
		t.Fatalf("got points %v", points)
	}
	for _, p := range points[2:] {
		for _, v := range p {
			if v < 9.5 || v > 10.5 {
				t.Errorf("%v is outside the region", p)
			}
		}
	}
	more := s.Points(7, nil, 9, s.Uniform(3, 10))
	if !slices.Equal(more[3], points[3]) || slices.Equal(more[3], more[4]) || slices.Equal(s.Points(8, nil, 9, s.Uniform(3, 10))[3], more[3]) {
		t.Error("random points depend on more than seed and number")
	}
	s.Moved = [][]float64{nil, {0, 0, 0}, {-1}, {1, 2, 3, 4}}
	moved := s.Points(7, set, 4, s.Uniform(3, 10))
	if !slices.Equal(moved[0], set[0]) || !slices.Equal(moved[1], []float64{0, 0, 0}) || moved[2][0] != -1 ||
		moved[2][1] != points[2][1] || !slices.Equal(moved[3], []float64{1, 2, 3}) {
		t.Errorf("got moved points %v", moved)
	}
	if set[1][0] != 4 {
		t.Error("Points changed the set")
	}
	drawn := 0
	s.Points(7, set, 2, func(*rand.Rand) []float64 { drawn++; return make([]float64, 3) })
	if drawn != 0 {
		t.Errorf("got %d points drawn in vain", drawn)
	}
}

// TestDrag checks that a start point follows its handle within its range, in the shown coordinates. Other points must
// stay.
func TestDrag(t *testing.T) {
	s, l := Starts{}, new(param.List)
	s.BindMoved(l, 5, 4, "")
	points := [][]float64{{1, 2, 3}, {4, 4, 4}}
	for _, c := range []struct {
		handle     string
		h, v       int
		x, y       float64
		name, text string
	}{
		{"start-1", 0, 2, 0.123456, -9, "start", "0.1235,2,-5"},
		{"start-2", 1, 1, 2, 77, "start", ";4,2,4"},
		{"start-3", 0, 1, 0, 0, "", ""}, {"start-0", 0, 1, 0, 0, "", ""}, {"start-x", 0, 1, 0, 0, "", ""}, {"marker", 0, 1, 0, 0, "", ""},
	} {
		name, text := s.Drag(l, c.handle, points, InPlane(c.h, c.v, c.x, c.y))
		if name != c.name || text != c.text {
			t.Errorf("%s to (%v, %v): got %s = %q, want %q", c.handle, c.x, c.y, name, text, c.text)
		}
	}
	s.Moved = [][]float64{{0, 0, 0}}
	if _, text := s.Drag(l, "start-2", points, InPlane(0, 1, 1, 1)); text != "0,0,0;1,1,4" || len(s.Moved) != 1 {
		t.Errorf("beside another moved point: got %q", text)
	}
}

// TestGrips checks that start points have handles at their positions. A press must select the run of the selected
// method from that start, or the solution that began there.
func TestGrips(t *testing.T) {
	r, _ := bound(nil, "walk")
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(2, 0)
	line.Reset(runs(t, r, "walk", "herd"), nil)
	for chosen, prefix := range map[string]string{"walk-2": "walk-", "herd-3": "herd-"} {
		line.Select(chosen)
		for i, g := range PlaneGrips(line, threeStarts, 1, 0, 0.1) {
			if g.ID != StartHandle(i) || g.Run != prefix+string(rune('1'+i)) || g.X != threeStarts[i][1] || g.Y != threeStarts[i][0] ||
				g.StepX != 0.1 {
				t.Errorf("got %+v", g)
			}
		}
		for _, track := range line.Tracks() {
			if FromSelectedStart(line, track) != (track.StartIndex() == line.Selected().StartIndex()) {
				t.Errorf("got %s, want one of %s", track.Name(), chosen)
			}
		}
	}
	if g := PlaneGrips(line, threeStarts, 0, 0, 1)[2]; g.Value != "x1 = 4.00" || g.Y != 0 {
		t.Errorf("one variable: got %+v", g)
	}
	if g := PlaneGrips(line, threeStarts, 0, 1, 1)[2]; g.Value != "x1 = 4.00, x2 = 5.00" {
		t.Errorf("two variables: got %+v", g)
	}
	empty := timeline.New(timeline.DefaultLimit)
	if g := PlaneGrips(empty, threeStarts, 0, 1, 1)[0]; g.Run != "" || DescribeSelected(empty) != "" || DescribeDiverged(empty) != "" {
		t.Error("got a selection without runs")
	}
}
