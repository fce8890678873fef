package transportplan

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/weigh"
)

var (
	_ scene.Scene     = (*Scene)(nil)
	_ scene.DataTaker = (*Scene)(nil)
)

// paste loads a file into a scene.
func paste(s *Scene, text string) error {
	r := data.NewReader(About.Takes)
	if _, err := r.Write([]byte(text)); err != nil {
		return err
	}
	p, err := r.Close()
	if err != nil {
		return err
	}
	if err := s.Paste(p); err != nil {
		return err
	}
	return s.Restart(nil)
}

// pasted returns the scene with a file.
func pasted(t testing.TB, text string) *Scene {
	t.Helper()
	s := New()
	if err := paste(s, text); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCommand checks that the scene's costs and plans agree with those of package weigh, which the transport command
// uses.
func TestCommand(t *testing.T) {
	const text = `{"cost":[[3,1,4],[1,5,9],[2,6,5],[3,5,8]],"a":[2,2,3,1],"b":[4,1,3]}`
	in, err := weigh.ReadTransport(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s := pasted(t, text)
	scenetest.Step(t, s, -1)
	for solver, settings := range map[string]map[string]string{
		exact: nil, ipot: {"beta": "0.3"}, sinkhorn: {"eps": "0.02"},
	} {
		want, err := weigh.Transport(solver, settings, in)
		if err != nil {
			t.Fatal(err)
		}
		is(t, solver+"’s cost", 8*fact(t, s, "cost."+solver), want.Cost, 1e-9)
		for i, row := range want.Plan {
			for j, v := range row {
				is(t, solver+"’s entry", 8*s.Timeline().AtMarker(s.Timeline().Find(solver)).X[i*3+j], v, 1e-9)
			}
		}
	}
	is(t, "the optimum", fact(t, s, "optimum"), fact(t, s, "cost.exact"), 1e-15)
}

// TestCosts compares the costs of each kind with values computed by hand, and checks that random costs depend only on
// the seed.
func TestCosts(t *testing.T) {
	for kind, want := range map[string][]float64{
		costsSquared:  {0, 0.25, 1, 1, 0.25, 0},
		costsDistance: {0, 0.5, 1, 1, 0.5, 0},
		costsGiven:    {7, 8, 1, 1, 0.25, 0},
	} {
		s := scenetest.Open(t, New(), map[string]string{"costs": kind, "n": "2", "m": "3", "a": "", "b": "", "cost": "7,8"})
		if !slices.Equal(s.task.Cost, want) {
			t.Errorf("%s: %v, want %v", kind, s.task.Cost, want)
		}
	}
	var first []float64
	for _, seed := range []string{"1", "1", "2"} {
		s := scenetest.Open(t, New(), map[string]string{"costs": costsRandom, "seed": seed})
		for _, c := range s.task.Cost {
			if !(c >= 0 && c < 1) {
				t.Fatalf("a cost of %v", c)
			}
		}
		if same := slices.Equal(first, s.task.Cost); first != nil && same != (seed == "1") {
			t.Errorf("seed %s: the same costs: %v", seed, same)
		}
		first = s.task.Cost
	}
}

// TestPictures checks that every panel draws in every state of the scene, in both themes, on wide and narrow canvases.
func TestPictures(t *testing.T) {
	missing := scenetest.Open(t, New(), map[string]string{"costs": costsData})
	if len(missing.Timeline().Runs()) != 0 || missing.ShowsPasted() != true {
		t.Error("there are runs without a file")
	}
	for _, f := range missing.Facts() {
		if v := f.Value(); !math.IsNaN(v) {
			t.Errorf("%s is %v without a file", f.Name, v)
		}
	}
	states := map[string]*Scene{"missing": missing, "file": pasted(t, `{"cost": [[-1,1e6],[0,3]], "tau": 5}`)}
	for name, values := range map[string]map[string]string{
		"ordinary": nil,
		"one":      {"n": "1", "m": "1", "a": "", "b": ""},
		"column":   {"n": "9", "m": "1", "a": "", "b": ""},
		"largest":  {"n": "40", "m": "40", "a": "", "b": "", "budget": "3"},
		"same":     {"costs": costsGiven, "cost": "5,5;5,5", "n": "2", "m": "2", "a": "", "b": ""},
		"nothing":  {"costs": costsGiven, "cost": "0,0;0,0", "n": "2", "m": "2", "a": "", "b": "", "tau": "1"},
		"corner":   {"n": "3", "m": "3", "a": "1,0,0", "b": "0,0,1"},
		"negative": {"costs": costsGiven, "cost": "-1,-2;-3,-1", "n": "2", "m": "2", "a": "", "b": "", "tau": "0.5"},
		"alone":    {"solver": "sinkhorn"},
	} {
		states[name] = scenetest.Open(t, New(), values)
	}
	for name, s := range states {
		for range 2 { // at the start and at the end
			for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
				for _, width := range []float64{360, 1200} {
					text, calls := scenetest.Draw(t, s, vg.Length(width), 700, theme)
					if calls < 20 || slices.ContainsFunc(text, func(s string) bool { return strings.Contains(s, "NaN") || strings.Contains(s, "Inf") }) {
						t.Errorf("%s: %d drawing calls with %q", name, calls, text)
					}
				}
			}
			scenetest.Step(t, s, -1)
		}
		for _, r := range s.Timeline().Runs() {
			if row := r.Kept(r.Len() - 1); r.Method == exact && (row.F[0] > 1e-12 || row.F[1] > 1e-9*s.scale && s.tau == 0) {
				t.Errorf("%s: Exact ends with %v", name, row.F)
			}
		}
		if _, err := json.Marshal(s.Results()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPaint checks that a dragged cell gets the cost to which it was dragged, that the other cells keep their costs,
// and that the kind of costs becomes painted.
func TestPaint(t *testing.T) {
	s := card(t, "")
	before := slices.Clone(s.task.Cost)
	for _, want := range []float64{0.62, 0.9, 0} { // the scale is fixed during a drag
		name, text := s.Drag("cost-3-7", 0.2, s.heightOf(want))
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		is(t, "the cost", s.task.Cost[2*12+6], want, 1e-9)
	}
	if s.values.Kind != costsGiven {
		t.Errorf("the costs are %s", s.values.Kind)
	}
	for i, c := range s.task.Cost {
		if i != 2*12+6 {
			is(t, "another cost", c, before[i], 1e-4)
		}
	}
	if name, text := s.Drag("cost-3-7", 0, -5); name != "cost" || strings.Contains(text, "-") {
		t.Errorf("below the picture it is %s", text)
	}
	for _, handle := range []string{"cost-0-1", "cost-13-1", "cost-1", "cost-x-1", "zzz"} {
		if name, _ := s.Drag(handle, 0, 0.1); name != "" {
			t.Errorf("%s changes %s", handle, name)
		}
	}
	missing := scenetest.Open(t, New(), map[string]string{"costs": costsData})
	if name, _ := missing.Drag("cost-1-1", 0, 0.1); name != "" {
		t.Errorf("without costs it changes %s", name)
	}
}

// TestKeys checks that keys move the frame from cell to cell in reading order and change the framed cell's cost. A drag
// moves the frame too.
func TestKeys(t *testing.T) {
	s := card(t, "")
	costs := s.panels[3]
	frame := brush.Frame{Width: 800, Height: 500, Theme: brush.Light}
	press := func(dx, dy float64) (name, text string) {
		h := costs.Handles(frame)[0]
		return s.Drag(h.ID, h.X+dx*h.StepX, h.Y+dy*h.StepY)
	}
	framed := func(row, column int) {
		t.Helper()
		want := "cost of " + rowName(row-1) + ", " + columnName(column-1)
		if label := costs.Handles(frame)[0].Label; label != want {
			t.Errorf("it is the %s, not the %s", label, want)
		}
	}
	framed(1, 1)
	for range 2 {
		if name, _ := press(10, 0); name != "" {
			t.Errorf("moving the frame sets %s", name)
		}
	}
	framed(2, 9)
	press(-1, 0)
	framed(2, 8)
	press(-100, 0)
	framed(1, 1)
	press(1000, 0)
	framed(12, 12)
	before := s.task.Cost[143]
	name, text := press(0, 10)
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	is(t, "the cost", s.task.Cost[143]-before, 10*keyShare*s.scale, 1e-4)
	s.Drag("cost-3-7", 0, s.heightOf(0.5))
	framed(3, 7)
	s.values.Kind, s.values.N, s.values.A = costsSquared, 2, nil
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	framed(2, 12)
	if missing := scenetest.Open(t, New(), map[string]string{"costs": costsData}); missing.panels[3].Handles(frame) != nil {
		t.Error("costs that are not there have a handle")
	}
}

// TestPaste checks that a file sets the size, masses, costs and τ. In a file, τ is absolute.
func TestPaste(t *testing.T) {
	s := pasted(t, `{"cost": [[1,2],[3,1],[2,3]], "a": [3,1,0], "b": [1,3], "tau": 1}`)
	if s.values.N != 3 || s.values.M != 2 || !slices.Equal(s.task.A, []float64{0.75, 0.25, 0}) ||
		!slices.Equal(s.task.B, []float64{0.25, 0.75}) ||
		math.Abs(s.tau-1) > 1e-15 || math.Abs(s.values.Tau-0.5) > 1e-15 {
		t.Errorf("%+v with τ = %v", s.task, s.tau)
	}
	for _, name := range About.Brought {
		if _, ok := s.Params().Lookup(name); !ok {
			t.Errorf("there is no parameter %s", name)
		}
	}
	for text, want := range map[string]string{
		`{"cost": [[1,2e6]]}`:        "2e+06 is outside",
		`{"cost": [[1]], "tau": 11}`: "more than 10 times the mean",
		`{"cost": [[0]], "tau": 1}`:  "more than 10 times the mean",
		`{"cost": [[1]], "a": [-1]}`: "a[0]",
		"1,2\n3":                     "row 2",
	} {
		values := s.Params().Text("cost") + s.Params().Text("a")
		if err := paste(s, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
		if values != s.Params().Text("cost")+s.Params().Text("a") {
			t.Errorf("%s changes what is shown", text)
		}
	}
	// With τ, a solver’s objective agrees with the results.
	scenetest.Step(t, s, -1)
	results := s.Results().(map[string]any)["runs"].([]Result)
	for _, r := range results {
		is(t, r.Solver+"’s objective", r.Objective, r.Cost-r.RowMaxima, 1e-12)
	}
}

// TestFacts checks that facts describe the iteration at the marker, and that they are NaN for a solver that does not
// run.
func TestFacts(t *testing.T) {
	s := end(t, "", "solver", "exact,sinkhorn", "budget", "20")
	s.Timeline().SetMarker(3)
	row := s.Timeline().Find(sinkhorn).Kept(3)
	for name, want := range map[string]float64{
		"iteration.sinkhorn": 3, "error.sinkhorn": row.F[0], "gap.sinkhorn": row.F[1], "cost.sinkhorn": row.Number(recordedCost),
		"bound.sinkhorn": row.Number(recordedBound), "whole.sinkhorn": row.Number(recordedRowMaxima),
	} {
		is(t, name, fact(t, s, name), want, 0)
	}
	if !math.IsNaN(fact(t, s, "gap.ipot")) {
		t.Error("IPOT has a gap and does not work")
	}
	if b := fact(t, s, "bound.sinkhorn"); !(b <= fact(t, s, "optimum")+1e-15) {
		t.Errorf("the bound %v is above the optimum", b)
	}
}

// TestLinks checks that masses survive the rounding of a link.
func TestLinks(t *testing.T) {
	p, s := defaults(), New()
	for name, shares := range map[string][]float64{"a": p.A, "b": p.B} {
		err := s.Params().Assign(name, param.FormatShares(shares))
		if back := s.Params().Value(name).([]float64); err != nil || !slices.Equal(back, shares) || math.Abs(sum(shares)-1) > 1e-15 {
			t.Errorf("%v becomes %v, %v", shares, back, err)
		}
	}
}

// TestUndelivered checks that, while a plan's sums differ from the masses, its cost is not compared with the lowest
// cost, and that bars show the same numbers as squares.
func TestUndelivered(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 1)
	scenetest.Says(t, s, "plans", scenetest.Full, "k = 1, not all mass delivered yet", "|12|")
	scenetest.Finish(t, s)
	scenetest.Says(t, s, "plans", scenetest.Full, "k = 11, the lowest cost", "k = 300, lowest + 0.003 %", "1.4 × the lowest cost")
}
