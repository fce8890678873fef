package blocksteps

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// every returns the value of the methods' parameter that selects all methods.
func every() string {
	var names []string
	for _, m := range Methods {
		names = append(names, m.ID)
	}
	return strings.Join(names, ",")
}

// TestEveryOption checks that every method runs with every option, and that its results can be encoded as JSON.
func TestEveryOption(t *testing.T) {
	options := map[string][]string{}
	for _, d := range New().Params().Descriptors() {
		for _, o := range d.Options {
			if d.Name != "method" && d.Name != "problem" && o.Value != given {
				options[d.Name] = append(options[d.Name], o.Value)
			}
		}
	}
	for q := 2; q <= maxObjectives; q++ {
		options["q"] = append(options["q"], fmt.Sprint(q))
	}
	options["sigma"] = []string{"0.3"}
	for name, values := range options {
		for _, value := range values {
			set := map[string]string{"method": every(), "m": "", "seeds": "2", "budget": "60", name: value}
			s := scenetest.Open(t, New(), set)
			scenetest.Step(t, s, -1)
			if len(s.Timeline().Runs()) != 2*len(Methods) {
				t.Fatalf("%s = %s: %d runs", name, value, len(s.Timeline().Runs()))
			}
			for _, r := range s.Timeline().Runs() {
				last := r.Kept(r.Len() - 1)
				if r.Status() != algo.Budget || last.K != 60 || !algo.Finite(last.X) || math.IsNaN(last.Stationarity) {
					t.Errorf("%s = %s: %s ends with status %v at %+v", name, value, r.Name, r.Status(), last)
				}
			}
			if _, err := json.Marshal(s.Results()); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestOneBlock checks that Block-SMOO equals Function-Alternate if a single block contains all variables.
func TestOneBlock(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"method": every(), "partition": one})
	scenetest.Step(t, s, -1)
	a, b := s.Timeline().FindFrom(sweeps.BlockSMOO, 0), s.Timeline().FindFrom(sweeps.FunctionAlternate, 0)
	for i := range a.Len() {
		if !slices.Equal(a.Kept(i).X, b.Kept(i).X) {
			t.Fatalf("at %d they are at %v and %v", i, a.Kept(i).X, b.Kept(i).X)
		}
	}
}

// TestSeeds checks that the same seed gives the same runs, whichever other seeds are run.
func TestSeeds(t *testing.T) {
	end := func(values map[string]string) []float64 {
		s := scenetest.Open(t, New(), values)
		scenetest.Step(t, s, 100)
		return slices.Clone(s.Timeline().FindFrom(sweeps.BlockSMOO, 0).Kept(100).X)
	}
	once, again, other := end(nil), end(nil), end(map[string]string{"seed": "5"})
	if !slices.Equal(once, again) || slices.Equal(once, other) {
		t.Errorf("twice %v and %v, with another seed %v", once, again, other)
	}
	if more := end(map[string]string{"seeds": "3", "method": every()}); !slices.Equal(once, more) {
		t.Errorf("beside other runs %v, alone %v", more, once)
	}
}

// TestRebuiltRunsRepeatChanges checks that runs rebuilt from their log repeat a change that was made during the run.
func TestRebuiltRunsRepeatChanges(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"method": every()})
	scenetest.Step(t, s, 50)
	s.Timeline().Change(50, "alpha", "0.02")
	scenetest.Step(t, s, 50)
	log, rows := slices.Clone(s.Timeline().Log()), map[string][]float64{}
	for _, r := range s.Timeline().Runs() {
		rows[r.Name] = slices.Clone(r.Kept(100).X)
		if r.Kept(49).StepSize != 0.1 || r.Kept(50).StepSize != 0.02 {
			t.Errorf("%s steps by %g, then by %g", r.Name, r.Kept(49).StepSize, r.Kept(50).StepSize)
		}
	}
	if err := s.Restart(log); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, 100)
	for _, r := range s.Timeline().Runs() {
		if x := r.Kept(100).X; !slices.Equal(x, rows[r.Name]) {
			t.Errorf("%s comes to %v, before to %v", r.Name, x, rows[r.Name])
		}
	}
}

// TestBadValues checks that invalid values give an error that names them, and that the old runs stay.
func TestBadValues(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"alpha":     func(p *Params) { p.Alpha = math.Inf(1) },
		"sigma":     func(p *Params) { p.Sigma = -1 },
		"schedule":  func(p *Params) { p.Schedule = "none" },
		"partition": func(p *Params) { p.Partition = given },
		"start":     func(p *Params) { p.Moved = [][]float64{{math.NaN()}} },
	} {
		t.Run(name, func(t *testing.T) {
			s := scenetest.Open(t, New(), nil)
			scenetest.Step(t, s, 20)
			before := s.Timeline().Runs()
			change(&s.values)
			var refused *algo.RangeError
			if err := s.Restart(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), name) {
				t.Errorf("error %v", err)
			}
			if !slices.Equal(s.Timeline().Runs(), before) || len(s.ways.Done(before[0])) != 3 {
				t.Error("the old runs are gone")
			}
		})
	}
}

// TestDrag checks that a dragged start follows the pointer, and that dragged frequencies move to the nearest whole
// numbers with the same sum.
func TestDrag(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"m": "5,15"})
	before := s.Window()
	if name, text := s.Drag(runs.StartHandle(0), 4, -5); name != "start" || text != "4,-5" || s.Window() != before {
		t.Errorf("the start becomes %s = %s, in the window %v", name, text, s.Window())
	}
	s.Released()
	scenetest.Open(t, s, map[string]string{"start": "4,-5"})
	if w := s.Window(); w == before || math.Abs(4-w.X) > w.Half || math.Abs(-5-w.Y) > w.Half {
		t.Errorf("the window is %v", w)
	}
	for _, c := range []struct {
		m    string
		x, y float64
		want string
	}{
		{"5,15", 0.51, 0, "10,10"}, {"5,15", -3, 9, "20,0"}, {"5,15", 7, 0, "0,20"}, {"1,0", 0.6, 0, "0,1"},
		{"1,1,1", 0.5, 0.28, "1,1,1"}, {"4,3,3", 0, 0, "10,0,0"}, {"4,3,3", 0.5, 3, "0,0,10"}, {"2,2,6", 1.4, -0.2, "0,10,0"},
		{"4,3,3", 0.5, 0, "5,5,0"},
	} {
		q := strings.Count(c.m, ",") + 1
		s := scenetest.Open(t, New(), map[string]string{"q": fmt.Sprint(q), "m": c.m})
		if name, text := s.Drag(turnsHandle, c.x, c.y); name != "m" || text != c.want {
			t.Errorf("m = %s dragged to %g, %g is %s = %s, want %s", c.m, c.x, c.y, name, text, c.want)
		}
	}
	if name, _ := scenetest.Open(t, New(), map[string]string{"q": "4", "m": ""}).Drag(turnsHandle, 1, 1); name != "" {
		t.Errorf("frequencies of four objectives have a handle: %s", name)
	}
}

// TestKeysMoveTurns checks that arrow keys move a turn from one objective to another and back.
func TestKeysMoveTurns(t *testing.T) {
	for m, steps := range map[string][]string{"1,3": {"0,4", "2,2"}, "2,2,2": {"1,3,2", "3,1,2", "2,1,3"}} {
		s := scenetest.Open(t, New(), map[string]string{"q": fmt.Sprint(strings.Count(m, ",") + 1), "m": m})
		g := s.turnsGrips()[0]
		for i, by := range [][2]float64{{g.StepX, 0}, {-g.StepX, 0}, {0, g.StepY}}[:len(steps)] {
			if _, text := s.Drag(turnsHandle, g.X+by[0], g.Y+by[1]); text != steps[i] {
				t.Errorf("from %s a key leads to %s, want %s", m, text, steps[i])
			}
		}
	}
}

// pasted parses the content of a file.
func pasted(t testing.TB, text string) *data.Pasted {
	t.Helper()
	r := data.NewReader(data.Quadratics)
	if _, err := r.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	p, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	three = `{"Q": [[[2,0,0],[0,1,0],[0,0,1]],[[1,0,0],[0,1,0.5],[0,0.5,1]],[[1,0,0],[0,3,0],[0,0,1]]],
		"c": [[0,0,0],[1,0,0],[0,1,1]], "blocks": [[0,2],[1]], "m": [2,0,3], "x0": [1,2,3]}`
	plain = `{"Q": [[[1]],[[2]]], "c": [[0],[1]]}`
)

// TestPaste checks that a file sets the number of objectives, the blocks, the frequencies and the start.
func TestPaste(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"problem": yours})
	if len(s.Timeline().Runs()) != 0 || s.problem != nil || s.Results() != nil || !s.ShowsPasted() {
		t.Errorf("without a file there are %d runs", len(s.Timeline().Runs()))
	}
	restart := func() {
		t.Helper()
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Paste(pasted(t, three)); err != nil {
		t.Fatal(err)
	}
	restart()
	if v := s.values; v.Q != 3 || !slices.Equal(v.M, []int{2, 0, 3}) || v.Partition != given ||
		!reflect.DeepEqual(s.parts, [][]int{{0, 2}, {1}}) || !slices.Equal(s.Start, []float64{1, 2, 3}) {
		t.Errorf("q = %d, m = %v, blocks %s %v from %v", v.Q, v.M, v.Partition, s.parts, s.Start)
	}
	scenetest.Step(t, s, -1)
	s.values.Q = 2
	var refused *algo.RangeError
	if err := s.Restart(nil); !errors.As(err, &refused) || refused.Name != "q" {
		t.Errorf("two of three objectives: error %v", err)
	}
	s.values.Q = 3
	if err := s.Paste(pasted(t, strings.Replace(three, "[2,0,0]", "[-2,0,0]", 1))); err == nil || !strings.Contains(err.Error(), "Q[0]: ") {
		t.Errorf("a bowl upside down: error %v", err)
	}
	restart()
	if err := s.Paste(pasted(t, plain)); err != nil {
		t.Fatal(err)
	}
	restart()
	if v := s.values; v.Q != 2 || len(v.M) != 0 || v.Partition != coordinates || !slices.Equal(s.Start, []float64{0}) {
		t.Errorf("q = %d, m = %v, blocks %s from %v", v.Q, v.M, v.Partition, s.Start)
	}
	for _, name := range About.Brought {
		if _, known := s.Params().Lookup(name); !known {
			t.Errorf("there is no parameter %s", name)
		}
	}
}

// TestResults checks that the results contain the outputs at the marker.
func TestResults(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"order": "contiguous", "blockorder": "listed"})
	scenetest.Step(t, s, 24)
	r := s.Timeline().FindFrom(sweeps.BlockSMOO, 0)
	at := func(k int) *sweeps.Outputs {
		s.Timeline().SetMarker(k)
		return s.Results().(map[string]*sweeps.Outputs)[r.Name()]
	}
	if o := at(7); o.Average != nil || o.Uniform != nil || o.T != nil || !slices.Equal(o.Last, r.Kept(0).X) {
		t.Errorf("before an outer iteration is complete: %+v", o)
	}
	o := at(20)
	mean := []float64{(r.Kept(0).X[0] + r.Kept(8).X[0]) / 2, (r.Kept(0).X[1] + r.Kept(8).X[1]) / 2}
	if !slices.Equal(o.Last, r.Kept(16).X) || floats.Distance(o.Average, mean, 2) > 1e-15 ||
		*o.T > 1 || !slices.Equal(o.Uniform, r.Kept(8**o.T).X) {
		t.Errorf("after two: %+v", o)
	}
	if now := s.outputsNow(); !slices.Equal(now.Last, o.Last) || !slices.Equal(now.Average, o.Average) || *now.T != *o.T {
		t.Errorf("the picture has %+v", now)
	}
}

// TestSlowMotion checks that slow motion shows all moments of a step in order before the next step, and that the point
// moves only in the last moment.
func TestSlowMotion(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"speed": runs.Slow})
	if err := s.Displayed(); err != nil || !s.InSlowMotion() || !s.PassTime(0.1) {
		t.Fatal("before the first step nothing is due")
	}
	scenetest.Step(t, s, 1)
	r := s.Timeline().Selected()
	var seen []string
	for !s.PassTime(0.1) {
		if now := s.Moment(); len(seen) == 0 || now != seen[len(seen)-1] {
			seen = append(seen, now)
		}
		x, y := s.pointOf(r.Kept(1))
		from, to := r.Kept(0).X, r.Kept(1).X
		if still := x == from[0] && y == from[1]; still != (s.values.Moment <= momentMove) ||
			math.Hypot(x-from[0], y-from[1]) > math.Hypot(to[0]-from[0], to[1]-from[1]) {
			t.Errorf("at moment %g the point is at %g, %g", s.values.Moment, x, y)
		}
		if text := s.momentText(); !strings.HasPrefix(text, s.Moment()) || s.Moment() == "" {
			t.Errorf("at moment %g it says %q", s.values.Moment, text)
		}
		scenetest.Draw(t, s, 900, 600, brush.Light)
	}
	if !slices.Equal(seen, momentNames[:]) {
		t.Errorf("the moments are %v", seen)
	}
	s.values.Speed = "30"
	if err := s.Displayed(); err != nil || s.Partway() || s.Moment() != "" {
		t.Errorf("after slow motion a step is at %q, %v", s.Moment(), err)
	}
	if x, y := s.pointOf(r.Kept(1)); x != r.Kept(1).X[0] || y != r.Kept(1).X[1] {
		t.Errorf("the point is at %g, %g", x, y)
	}
}

// TestCycle compares the final cycles of three multiples of m with the stated biases and widths, and with the cycles
// that runs reach. Methods that do not alternate between objectives must have no cycle, and Function-Alternate must have
// almost the same bias as Block-SMOO.
func TestCycle(t *testing.T) {
	type values = map[string]string
	at := func(more values) (s *Scene, r *timeline.Run) {
		all := values{"order": "contiguous", "blockorder": "listed", "budget": "4000", "alpha": "0.02", "method": every()}
		for name, text := range more {
			all[name] = text
		}
		s = scenetest.Open(t, New(), all)
		scenetest.Step(t, s, -1)
		return s, s.Timeline().FindFrom(sweeps.BlockSMOO, 0).Run
	}
	// The checked claims state biases of .57α, 1.39α and 3.87α and widths of 1.67α, 3.34α and 8.34α.
	for m, want := range map[string]sweeps.Round{
		"1,3": {Bias: 0.57, Width: 1.67}, "2,6": {Bias: 1.39, Width: 3.34}, "5,15": {Bias: 3.87, Width: 8.34},
	} {
		s, r := at(values{"m": m, "alpha": "0.001", "budget": "20000"})
		end := s.endOf(r.Method)
		if math.Abs(end.Bias/0.001-want.Bias) > 0.006 || math.Abs(end.Width/0.001-want.Width) > 0.006 {
			t.Errorf("m = %s: the cycle is off by %gα and %gα wide, want %v", m, end.Bias/0.001, end.Width/0.001, want)
		}
		s, r = at(values{"m": m})
		end = s.endOf(r.Method)
		if now := s.ways.Round(r); math.Abs(now.Bias/end.Bias-1) > 1e-3 || math.Abs(now.Width/end.Width-1) > 1e-3 {
			t.Errorf("m = %s: the run stays off by %g and goes %g wide, the cycle %g and %g", m, now.Bias, now.Width, end.Bias, end.Width)
		}
		for _, method := range []string{sweeps.WeightedSum, sweeps.BlockAlternate} {
			if end := s.endOf(method); !math.IsNaN(end.Bias) || !math.IsNaN(end.Width) {
				t.Errorf("%s ends off by %g", method, end.Bias)
			}
		}
		if function := s.endOf(sweeps.FunctionAlternate); math.Abs(function.Bias/end.Bias-1) > 0.12 {
			t.Errorf("m = %s: Function-Alternate is off by %g, Block-SMOO by %g", m, function.Bias, end.Bias)
		}
	}
}

// BenchmarkStep measures a step of the default methods, including recording.
func BenchmarkStep(b *testing.B) {
	s := scenetest.Open(b, New(), map[string]string{"budget": fmt.Sprint(maxBudget)})
	for b.Loop() {
		if s.Timeline().Latest() >= 10_000 {
			b.StopTimer()
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		scenetest.Step(b, s, 1)
	}
}
