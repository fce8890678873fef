package sampleorder

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene/scenetest"
)

// every returns the value of the methods' parameter that selects all methods.
func every() string {
	var names []string
	for _, m := range Methods {
		names = append(names, m.ID)
	}
	return strings.Join(names, ",")
}

// TestEveryProblem checks that every order runs on problems of every kind and size, and that the scene's files and
// states can be encoded as JSON.
func TestEveryProblem(t *testing.T) {
	for _, c := range []map[string]string{
		{"problem": orders.LeastSquares, "K": "8"},
		{"problem": orders.LeastSquares, "K": "1", "d": "1", "M": "1"},
		{"problem": orders.LeastSquares, "K": "7", "d": "5", "M": "4", "weighting": "mgda", "batch": "3"},
		{"problem": orders.Diagonal, "K": "8", "weighting": "pcgrad", "R": "3", "sign": "selfbalancing"},
		{"problem": orders.Diagonal, "K": "5", "noise": "0", "heterogeneity": "0"},
		{"problem": orders.Regression, "K": "6", "d": "30", "M": "3", "weighting": "nashmtl", "alpha": "0.01"},
		{"problem": orders.Logistic, "K": "8", "weighting": "cagrad", "schedule": "theorem36", "centring": "perobjective"},
		{"problem": orders.Logistic, "K": "8", "batch": "2", "schedule": "invsqrt", "optimizer": "adam", "first": "given"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			c["method"], c["seeds"], c["budget"] = every(), "2", "20"
			s := scenetest.Open(t, New(), c)
			scenetest.Step(t, s, -1)
			if len(s.Timeline().Runs()) != 2*len(Methods) {
				t.Fatalf("%d runs", len(s.Timeline().Runs()))
			}
			for _, r := range s.Timeline().Runs() {
				last := r.Kept(r.Len() - 1)
				if r.Status() != algo.Budget || last.K != 20 || !algo.Finite(last.X) || !algo.Finite(last.F) || math.IsNaN(last.Stationarity) {
					t.Errorf("%s ends with status %v at %+v", r.Name, r.Status(), last)
				}
			}
			details, err := s.details()
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []any{details, s.Results()} {
				if _, err := json.Marshal(v); err != nil {
					t.Error(err)
				}
			}
			epochs := details.(map[string]orders.Result)["jogba-2"].Epochs
			if k := s.values.K; len(epochs) != (20+k-1)/k || len(epochs[0].Order) != s.values.objectives() || len(epochs[0].Order[0]) != k {
				t.Errorf("%d epochs, the first of them %+v", len(epochs), epochs[0])
			}
		})
	}
}

// objectives returns the problem's number of objectives.
func (p *Params) objectives() int {
	if p.Problem == orders.Logistic {
		return 2
	}
	return p.M
}

// TestSeeds checks that the seed determines samples and orders, and that the same seed gives the same runs.
func TestSeeds(t *testing.T) {
	end := func(values map[string]string) []float64 {
		s := scenetest.Open(t, New(), values)
		scenetest.Step(t, s, 100)
		return slices.Clone(s.Timeline().FindFrom(orders.JoGBa, 0).Kept(100).X)
	}
	one, again, other := end(nil), end(nil), end(map[string]string{"seed": "5"})
	if !slices.Equal(one, again) || slices.Equal(one, other) {
		t.Errorf("twice %v and %v, with another seed %v", one, again, other)
	}
	if more := end(map[string]string{"seeds": "3", "method": "jogba,random"}); !slices.Equal(one, more) {
		t.Errorf("beside other runs %v, alone %v", more, one)
	}
}

// TestStart checks that all runs start at the origin, or at the given start. Missing coordinates are 0, and the start
// can be dragged.
func TestStart(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"d": "3"})
	if !slices.Equal(s.Start, []float64{0, 0, 0}) {
		t.Errorf("the start is %v", s.Start)
	}
	name, text := s.Drag(runs.StartHandle(0), 0.5, -1)
	if name != "start" || text != "0.5,-1,0" {
		t.Errorf("dragged is %s = %s", name, text)
	}
	scenetest.Open(t, s, map[string]string{"start": "2"})
	for _, r := range s.Timeline().Runs() {
		if x := r.Kept(0).X; !slices.Equal(x, []float64{2, 0, 0}) || !slices.Equal(r.Starts[0], x) {
			t.Errorf("%s starts at %v", r.Name, x)
		}
	}
	scenetest.Open(t, s, map[string]string{"start": "0"})
	if x := s.Timeline().Runs()[0].Kept(0).X; !slices.Equal(x, []float64{0, 0, 0}) {
		t.Errorf("start=0 is %v", x)
	}
	line := scenetest.Open(t, New(), map[string]string{"d": "1"})
	if name, text := line.Drag(runs.StartHandle(0), 0.5, -1); name != "start" || text != "0.5" {
		t.Errorf("dragged on a line is %s = %s", name, text)
	}
	if name, _ := s.Drag(runs.StartHandle(1), 1, 1); name != "" {
		t.Errorf("a second start point moves %s", name)
	}
}

// TestRebuiltRunsRepeatChanges checks that runs rebuilt from their log repeat the changes made while they ran.
func TestRebuiltRunsRepeatChanges(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"weighting": "mgda", "seeds": "2"})
	scenetest.Step(t, s, 70)
	s.Timeline().Change(70, "alpha", "0.02")
	s.Timeline().Change(70, "R", "8")
	scenetest.Step(t, s, 200)
	log := slices.Clone(s.Timeline().Log())
	rows := map[string][]float64{}
	for _, r := range s.Timeline().Runs() {
		rows[r.Name] = slices.Clone(r.Kept(270).X)
		if r.Kept(69).StepSize != s.values.Alpha || r.Kept(70).StepSize != 0.02 || r.Kept(71).Refreshed || !r.Kept(72).Refreshed {
			t.Errorf("%s steps by %g, then by %g", r.Name, r.Kept(69).StepSize, r.Kept(70).StepSize)
		}
	}
	if err := s.Restart(log); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, 270)
	for _, r := range s.Timeline().Runs() {
		if x := r.Kept(270).X; !slices.Equal(x, rows[r.Name]) {
			t.Errorf("%s comes to %v, before to %v", r.Name, x, rows[r.Name])
		}
	}
}

// TestBadValues checks that invalid values give an error that names them, and that the old runs are kept.
func TestBadValues(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"condition":     func(p *Params) { p.Condition = 0.5 },
		"heterogeneity": func(p *Params) { p.Heterogeneity = math.NaN() },
		"noise":         func(p *Params) { p.Noise = -1 },
		"objectives":    func(p *Params) { p.M = 0 },
		"alpha":         func(p *Params) { p.Alpha = math.Inf(1) },
		"problem":       func(p *Params) { p.Problem = "none" },
		"start":         func(p *Params) { p.Moved = [][]float64{{math.NaN()}} },
		"K = 2048":      func(p *Params) { p.K, p.D = 2048, 400 },
		"seeds = 20":    func(p *Params) { p.K, p.D, p.Seeds = 1024, 400, 20 },
	} {
		t.Run(name, func(t *testing.T) {
			s := scenetest.Open(t, New(), nil)
			before := s.Timeline().Runs()
			change(&s.values)
			var refused *algo.RangeError
			err := s.Restart(nil)
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), name) {
				t.Errorf("error %v", err)
			}
			if !slices.Equal(s.Timeline().Runs(), before) || s.values.Epochs(before[0]) == nil {
				t.Error("the old runs are gone")
			}
		})
	}
}

// pasted parses the content of a file.
func pasted(t testing.TB, text string) *data.Pasted {
	t.Helper()
	r := data.NewReader(data.Samples)
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
	bowls  = `{"D": [[[1,2],[1,1],[3,1],[1,1]],[[1,1],[1,1],[2,1],[1,5]]], "C": [[[1,0],[0,1],[1,1],[2,0]],[[0,0],[1,0],[0,1],[1,1]]]}`
	fitted = `{"A": [[[1,2,3],[0,1,0],[1,1,1]]], "y": [[1,0,2]]}`
)

// TestPaste checks that a file sets the number of samples, and that another batch size gives a different number of
// examples.
func TestPaste(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"problem": orders.Yours})
	if len(s.Timeline().Runs()) != 0 || s.problem != nil || s.Results() != nil || !s.ShowsPasted() {
		t.Errorf("without a file there are %d runs", len(s.Timeline().Runs()))
	}
	if details, err := s.details(); err != nil || len(details.(map[string]orders.Result)) != 0 {
		t.Errorf("without a file: %v, %v", details, err)
	}
	s.values.Problem = orders.LeastSquares
	restart := func(k int) {
		t.Helper()
		if err := s.Restart(nil); err != nil {
			t.Fatal(err)
		}
		if s.values.K != k || orders.Examples(s.Timeline().Runs()[0]) != k {
			t.Errorf("K = %d, and runs have %d examples, want %d", s.values.K, orders.Examples(s.Timeline().Runs()[0]), k)
		}
	}
	if err := s.Paste(pasted(t, bowls)); err != nil || !s.ShowsPasted() {
		t.Fatal(err)
	}
	restart(4)
	if v := s.values; v.M != 2 || v.D != 2 || s.problem.Examples() != 4 {
		t.Errorf("M = %d, d = %d", v.M, v.D)
	}
	var f [2]float64
	s.problem.ValuesAt(f[:], []float64{0, 0}, &algo.Sample{Batch: []int{2}})
	if f != [2]float64{2, 0.5} { // ½(3 + 1) and ½(0 + 1)
		t.Errorf("the losses of sample 2 are %v", f)
	}
	s.values.Batch = 2
	restart(2)
	for name, change := range map[string]func(*Params){
		"M": func(p *Params) { p.M = 1 }, "K": func(p *Params) { p.K = 4 }, "d": func(p *Params) { p.D = 3 },
		"batch": func(p *Params) { p.Batch = 3 },
	} {
		before := s.values
		change(&s.values)
		var refused *algo.RangeError
		if err := s.Restart(nil); !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v", name, err)
		}
		s.values, s.values.Batch = before, 2
	}
	restart(2)
	if err := s.Paste(pasted(t, fitted)); err == nil || s.values.K != 2 || s.values.M != 2 {
		t.Errorf("three samples in batches of two: error %v, K = %d", err, s.values.K)
	}
	s.values.Batch = 1
	restart(4)
	if err := s.Paste(pasted(t, fitted)); err != nil {
		t.Fatal(err)
	}
	restart(3)
	if v := s.values; v.M != 1 || v.D != 3 {
		t.Errorf("M = %d, d = %d", v.M, v.D)
	}
	if err := s.Paste(pasted(t, strings.Replace(bowls, "[3,1]", "[-3,1]", 1))); err == nil || s.values.K != 3 {
		t.Errorf("a negative curvature: error %v", err)
	}
	if About.Brought != nil || About.Takes != data.Samples {
		t.Errorf("brought are %v", About.Brought)
	}
}

// TestStateHoldsTheMarkersEpoch checks that a state contains the marker's epoch, and that files contain all epochs.
func TestStateHoldsTheMarkersEpoch(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"K": "8", "budget": "40"})
	scenetest.Step(t, s, -1)
	details, err := s.details()
	if err != nil {
		t.Fatal(err)
	}
	for k, epoch := range map[int]int{0: 0, 5: 0, 8: 0, 9: 1, 40: 4} {
		s.Timeline().SetMarker(k)
		for name, now := range s.Results().(map[string]orders.Result) {
			if want := details.(map[string]orders.Result)[name].Epochs; len(want) != 5 || len(now.Epochs) != 1 || now.Epochs[0].Epoch != epoch ||
				!slices.Equal(now.Epochs[0].W, want[epoch].W) {
				t.Errorf("%s at %d: epoch %+v", name, k, now.Epochs)
			}
		}
	}
}

// TestBalancedBeatsRandom checks the default scene's result: with equal weights, balancing orders have a smaller ω at
// the first points of the last ten epochs. It compares the mean logarithm of ω over 20 seeds, on the samples of the
// default seed and of other seeds.
func TestBalancedBeatsRandom(t *testing.T) {
	for _, seed := range []string{"2", "4", "5"} {
		s := scenetest.Open(t, New(), map[string]string{"seed": seed, "seeds": "20"})
		scenetest.Step(t, s, -1)
		late := map[string]float64{}
		for _, r := range s.Timeline().Runs() {
			epochs := s.values.Epochs(r)
			for _, e := range epochs[len(epochs)-10:] {
				late[r.Method] += math.Log(e.Omega) / 200
			}
		}
		for _, method := range []string{orders.GraBShared, orders.JoGBa} {
			if ratio := math.Exp(late[method] - late[orders.Random]); !(ratio < 0.7) {
				t.Errorf("seed %s: ω of %s is %.2f of the ω of random orders", seed, method, ratio)
			}
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
