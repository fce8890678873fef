package bilevelpaths

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	levels "paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// with returns the scene at k = 0 with the given values instead of the defaults.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

// played returns a preset's scene after its runs have ended.
func played(t testing.TB, id string) *Scene {
	t.Helper()
	s := with(t, scenetest.Preset(t, presets, id).Values)
	scenetest.Step(t, s, -1)
	return s
}

func last(r timeline.Track) timeline.Row { return r.Kept(r.Len() - 1) }

func distance(r timeline.Track) float64 {
	return last(r).Number(twolevel.Distance)
}

// TestPresetsRun checks that every card reaches its end, at its own speed, and has results.
func TestPresetsRun(t *testing.T) {
	for _, p := range presets {
		s := played(t, p.ID)
		if _, has := p.Values["speed"]; !has {
			t.Errorf("%s keeps the speed, which may be slow motion", p.ID)
		}
		if _, err := json.Marshal(s.Results()); err != nil {
			t.Errorf("%s: results: %v", p.ID, err)
		}
	}
}

// oracle is an independently computed trajectory. Each row has only the fields of its method.
type oracle struct {
	Method   string
	Settings map[string]string
	Start    []float64
	Rows     []map[string]json.RawMessage
}

// TestOracle checks that the runs follow the independently computed trajectories to 1e-9. Multipliers, which divide by
// ‖∇q̃‖², are compared by their relative error, and only while ‖∇q̃‖² is larger than rounding errors.
func TestOracle(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "forum.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []oracle
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		t.Run(fmt.Sprintf("%s from %v, %v", o.Method, o.Start, o.Settings), func(t *testing.T) {
			values := map[string]string{"method": o.Method, "starts": "1", "start": fmt.Sprintf("%g,%g,%g", o.Start[0], o.Start[1], o.Start[2])}
			for name, text := range o.Settings {
				values[name] = text
			}
			s := with(t, values)
			scenetest.Step(t, s, -1)
			r := s.Timeline().Tracks()[0]
			for _, want := range o.Rows {
				read := func(name string) (v []float64) {
					raw, has := want[name]
					if !has {
						return nil
					}
					if json.Unmarshal(raw, &v) != nil {
						v = make([]float64, 1)
						if err := json.Unmarshal(raw, &v[0]); err != nil {
							t.Fatal(err)
						}
					}
					return v
				}
				k := int(read("k")[0])
				row, _, _ := s.Timeline().Ahead(r.Run, k)
				got := map[string][]float64{"alpha": row.X[:1], "z": row.X, "F": row.F, "weights": row.Weights}
				for _, name := range []string{"E", "kkt"} {
					got[name] = []float64{row.Number(name)}
				}
				for _, name := range []string{"q", "nu", "gq_norm"} {
					got[name] = []float64{row.Number(name)}
				}
				for _, name := range []string{"lambda", "pi"} {
					got[name] = row.List(name)
				}
				norm := read("gq_norm")
				for name, g := range got {
					relative := name == "nu" || name == "pi"
					if relative && norm != nil && norm[0] < 1e-4 {
						continue
					}
					for i, w := range read(name) {
						scale := 1.0
						if relative {
							scale = math.Max(1, math.Abs(w))
						}
						if !(math.Abs(g[i]-w) <= 1e-9*scale) {
							t.Errorf("%s from %v, k = %d: %s = %v, want %v", o.Method, o.Start, k, name, g, read(name))
							break
						}
					}
				}
			}
		})
	}
}

// redone holds the numbers of a step, recomputed from the record. Tests compare them with what the scene reads from its
// stepper.
type redone struct {
	loop  []vector
	upper [2][3]float64
	slope [3]float64
	q     float64
	hyper [2]float64
	sums  [2]float64 // the weighted vectors
	back  [2][]vector
	bound float64 // f_reg
	lands [3]float64
}

// redo recomputes the step from a row to the next one, with that step's T and η.
func redo(s *Scene, r timeline.Track, row, next timeline.Row, steps int, eta float64) redone {
	var out redone
	alpha := row.X[0]
	at := func(omega vector) []float64 { return []float64{alpha, omega[0], omega[1]} }
	omega := vector(row.X[1:])
	if !s.values.Warm {
		omega = vector(r.Start()[1:])
	}
	shrunk := math.Max(math.Pow(s.values.BVFIM.Shrink, float64(row.K)), 1e-6)
	regularization := 0.0
	if r.Method == twolevel.BVFIM {
		regularization = shrunk * s.values.BVFIM.Regularization
	}
	out.loop = append(out.loop, omega)
	for range steps {
		for i := range omega {
			omega[i] -= eta * (2*(omega[i]-alpha) + regularization*omega[i])
		}
		out.loop = append(out.loop, omega)
	}
	where := at(vector(row.X[1:]))
	if familyOf(r.Method) == differentiated {
		where = at(omega)
	}
	jac := algo.NewJacobian(2, 3)
	if r.Method != twolevel.BVFIM {
		s.problem.Jacobian(jac, where)
	} else {
		s.problem.Jacobian(jac, at(vector(next.X[1:])))
	}
	for i := range out.upper {
		out.upper[i] = [3]float64(jac.Row(i))
	}
	mu := [2]float64{row.StepSize, row.StepSize}
	if s.values.MuOmega > 0 {
		mu[1] = s.values.MuOmega
	}
	switch familyOf(r.Method) {
	case valueFunction:
		solved := make([]float64, 3)
		s.problem.LowerGradient(out.slope[:], where)
		s.problem.LowerGradient(solved, at(omega))
		out.slope[0] -= solved[0]
		out.q = s.problem.Lower(where) - s.problem.Lower(at(omega))
		nu := row.Number(twolevel.Nu)
		if math.IsNaN(nu) {
			nu = 0
		}
		for i, x := range row.X {
			d := row.Weights[0]*out.upper[0][i] + row.Weights[1]*out.upper[1][i]
			out.lands[i] = x - mu[min(i, 1)]*(d+nu*out.slope[i])
		}
	case differentiated:
		a, o := make([]float64, 1), make([]float64, 2)
		for i, g := range out.upper {
			h, v := g[0], vector{g[1], g[2]}
			out.back[i] = []vector{v}
			for k := steps - 1; k >= 0; k-- {
				s.problem.HessianAlphaOmega(a, at(out.loop[k]), v[:])
				s.problem.HessianOmegaOmega(o, at(out.loop[k]), v[:])
				h -= eta * a[0]
				v = v.plus(vector{o[0], o[1]}.times(-eta))
				out.back[i] = append(out.back[i], v)
			}
			out.hyper[i] = h
		}
		out.sums = out.hyper
		if r.Method == twolevel.MoCo {
			out.sums = [2]float64(next.Value(trackedName))
		}
		if s.values.Weighting != "mgda" && r.Method == twolevel.MOML {
			out.lands = [3]float64(next.X) // as the rule changes h
		} else {
			out.lands = space(alpha-mu[0]*(row.Weights[0]*out.sums[0]+row.Weights[1]*out.sums[1]), omega)
		}
	case interiorPoint:
		inside := at(vector(next.X[1:]))
		out.bound = s.problem.Lower(inside) + shrunk*s.values.BVFIM.Tau/row.Number(twolevel.Nu)
		out.q = s.problem.Lower(where) - s.problem.Lower(at(omega))
		out.lands = [3]float64(next.X) // the next point's ω comes from another loop
	}
	return out
}

// TestStep checks that every displayed step equals the recomputed one and leads to the run's next point, for every
// method and with live changes. The step's loop must end at the lower level's closed-form solution.
func TestStep(t *testing.T) {
	for _, values := range []map[string]string{
		{"multiplier": "both"}, {"warm": "false"}, {"mode": "forward", "decay": "0.5"}, {"muomega": "0.1"}, {"T": "1", "eta": "0.4"},
		{"betaschedule": "none"}, {"moml.weighting": "moco"},
	} {
		t.Run(fmt.Sprint(values), func(t *testing.T) {
			values["method"], values["budget"] = "forum,moml,moco,bome,bvfim", "40"
			if values["muomega"] != "" {
				values["method"] = "forum,bome"
			}
			s := with(t, values)
			s.Timeline().Change(3, "T", "7")
			s.Timeline().Change(5, "eta", "0.2")
			s.Timeline().Change(6, "mu", "0.2")
			s.Timeline().Change(9, "rho", "0.7")
			faults := map[string]error{} // the first fault of each run
			for s.Timeline().Running() {
				for _, r := range s.Timeline().Tracks() {
					for _, k := range []int{r.Last(), r.Last() / 2} {
						if err := stepFault(s, r, k); err != nil && faults[r.Name()] == nil {
							faults[r.Name()] = fmt.Errorf("step from %d: %w", k, err)
						}
					}
				}
				scenetest.Step(t, s, 1)
			}
			for _, r := range s.Timeline().Tracks() {
				t.Run(r.Name(), func(t *testing.T) {
					if err := faults[r.Name()]; err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
	// BVFIM's step must end inside the barrier, where f is below the bound.
	s := with(t, map[string]string{"method": "bvfim", "budget": "3"})
	scenetest.Step(t, s, 2)
	step := s.stepAt(s.Timeline().Tracks()[0], 1)
	if f := s.problem.Lower([]float64{step.alpha, step.to[1], step.to[2]}); !(f < step.bound) || step.bound > 0.2 {
		t.Errorf("f = %g, the barrier is at %g", f, step.bound)
	}
}

// stepFault returns the first error in the displayed step from row k, or nil if there is none. The run's T changes to 7
// at iteration 3, and η to 0.2 at iteration 5.
func stepFault(s *Scene, r timeline.Track, k int) error {
	step := s.stepAt(r, k)
	if !step.made || len(step.loop) != step.steps+1 || k >= 3 && step.steps != 7 {
		return fmt.Errorf("%d of %d steps of the loop", len(step.loop)-1, step.steps)
	}
	eta := s.values.Eta
	if k >= 5 {
		eta = 0.2
	}
	if step.family != interiorPoint {
		a, start := step.alpha, step.loop[0]
		shrink := math.Pow(1-2*eta, float64(step.steps))
		for i, v := range step.end() {
			if want := a + shrink*(start[i]-a); math.Abs(v-want) > 1e-12 {
				return fmt.Errorf("the loop ends at %v, want %g", step.end(), want)
			}
		}
	}
	row, next, _ := s.Timeline().Ahead(r.Run, k)
	if err := sameStep(step, redo(s, r, row, next, step.steps, eta)); err != nil {
		return err
	}
	if space(step.alpha, step.omega) != [3]float64(row.X) || step.to != [3]float64(next.X) || !slices.Equal(step.weights, row.Weights) {
		return fmt.Errorf("the step is from %v to %v by %v, the run's from %v to %v by %v",
			space(step.alpha, step.omega), step.to, step.weights, row.X, next.X, row.Weights)
	}
	lambda, pi := row.List(twolevel.Lambda), row.List(twolevel.Pi)
	if step.family == valueFunction && (!slices.Equal(step.lambda, lambda) || !slices.Equal(step.pi, pi)) {
		return fmt.Errorf("λ = %v, π = %v", step.lambda, step.pi)
	}
	if prior := []float64{0.5, 0.5}; r.Method == twolevel.MoCo {
		if k > 0 {
			former, _, _ := s.Timeline().Ahead(r.Run, k-1)
			prior = former.Weights
		}
		if !slices.Equal(step.prior, prior) {
			return fmt.Errorf("the weights before are %v, not %v", prior, step.prior)
		}
	} else if step.prior != nil { // also where MOML’s rule is MoCo’s
		return fmt.Errorf("there are weights before, %v", step.prior)
	}
	if step.lambda != nil {
		// λ must solve the drawn small problem.
		best := step.dual(step.lambda[0])
		for i := range 101 {
			if v := step.dual(float64(i) / 100); v < best-1e-9*math.Max(1, math.Abs(best)) {
				return fmt.Errorf("%g at λ_1 = %g, %g at the solution %g", v, float64(i)/100, best, step.lambda[0])
			}
		}
	}
	return nil
}

// sameStep compares a displayed step with the recomputed one. It returns the first difference, or nil if there is none.
func sameStep(step *step, want redone) (fault error) {
	near := func(what string, got, want float64) {
		if fault == nil && !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
			fault = fmt.Errorf("%s is %v, by the step's arithmetic %v", what, got, want)
		}
	}
	for i, v := range want.lands {
		near("the point it leads to", step.to[i], v)
	}
	points := func(what string, got, want []vector) {
		if len(got) != len(want) {
			if fault == nil {
				fault = fmt.Errorf("%s has %d points, by the step's arithmetic %d", what, len(got), len(want))
			}
			return
		}
		for i, p := range want {
			near(what, got[i][0], p[0])
			near(what, got[i][1], p[1])
		}
	}
	points("the loop", step.loop, want.loop)
	for i := range want.upper {
		points("the way back", step.back[i], want.back[i])
		near("h", step.hyper[i], want.hyper[i])
		near("what is weighed", step.sums[i], want.sums[i])
		for j, v := range want.upper[i] {
			near("∇F", step.upper[i][j], v)
		}
	}
	for i, v := range want.slope {
		near("∇q̃", step.slope[i], v)
	}
	near("the barrier", step.bound, want.bound)
	if step.family != differentiated {
		near("q̃", step.q, want.q)
	}
	return fault
}

// TestFailingStep checks that the page shows a failing step's loop up to the point of failure. It must do so at the
// end of a run and, if a change is pending, before the step is tried.
func TestFailingStep(t *testing.T) {
	for _, method := range offered {
		t.Run(method, func(t *testing.T) {
			s := with(t, map[string]string{"method": method, "starts": "1", "budget": "400"})
			scenetest.Step(t, s, 2)
			s.Timeline().Change(2, "eta", "10")
			s.Timeline().Change(2, "T", "256")
			r := s.Timeline().Tracks()[0]
			step := func() *step {
				t.Helper()
				t.Log(method, r.Last(), r.Status())
				out := s.stepAt(r, r.Last())
				row := last(r)
				if out.made || out.steps != 256 || out.k != r.Last() || space(out.alpha, out.omega) != [3]float64(row.X) {
					t.Fatalf("%s: made %v, T = %d, k = %d from %v", method, out.made, out.steps, out.k, space(out.alpha, out.omega))
				}
				omega := out.omega
				for i, p := range out.loop { // a step with η = 10 multiplies ω − (α, α) by −19, and BVFIM's by slightly more
					if math.Abs(p[0]-omega[0]) > 1e-6*math.Abs(omega[0]) && method != twolevel.BVFIM {
						t.Fatalf("%s: ω̃ at t = %d is %v, want %v", method, i, p, omega)
					}
					omega = vector{out.alpha, out.alpha}.times(20).plus(omega.times(-19))
				}
				if n := len(out.loop) - 1; n < 100 || !algo.Finite(out.loop[n][:]) {
					t.Errorf("%s: the loop has %d steps", method, n)
				}
				return out
			}
			before := step()
			for s.Timeline().Running() {
				scenetest.Step(t, s, 1)
			}
			if r.Status() != algo.Diverged || r.Last() != 2 {
				t.Fatalf("%s: %v at %d", method, r.Status(), r.Last())
			}
			if after := step(); !slices.Equal(before.loop, after.loop) {
				t.Errorf("%s: the failed step changed its loop", method)
			}
			s.Timeline().SetMarker(2)
			if text := s.stageText(s.step()); !strings.Contains(text, "of 256 steps; the step cannot be taken") {
				t.Errorf("%s: %q", method, text)
			}
		})
	}
}

// TestVisits checks that a step's loop is visited only once for all panels of a frame and for all moments of the step.
// Dragging the marker forwards costs one step of the stepper for each iteration, and showing steps does not change the
// runs.
func TestVisits(t *testing.T) {
	values := map[string]string{"method": "moml", "starts": "1", "budget": "60"}
	s, plain := with(t, values), with(t, values)
	scenetest.Step(t, s, 40)
	scenetest.Step(t, plain, -1)
	r := s.Timeline().Runs()[0]
	counted := &counter{Differentiating: r.Stepper.(levels.Differentiating)}
	r.Stepper = counted
	frame := func() {
		for _, p := range s.Panels() {
			p.Describe()
			for _, l := range p.Layers(brush.Frame{Width: 300, Height: 300, Theme: brush.Light}) {
				l.Draw(draw.NewCanvas(new(recorder.Canvas), 300, 300))
			}
		}
	}
	s.Timeline().SetMarker(10)
	frame()
	counted.steps, counted.walks = 0, 0
	for k := 11; k < 40; k++ {
		s.Timeline().SetMarker(k)
		frame()
	}
	if counted.steps != 29 || counted.walks != 29 {
		t.Errorf("29 frames of a drag take %d steps and %d visits", counted.steps, counted.walks)
	}
	s.Timeline().SetMarker(40)
	counted.steps, counted.walks = 0, 0
	for moment := 0.0; moment <= moments; moment += 0.25 {
		s.values.Moment = moment
		frame()
	}
	if counted.walks != 1 || counted.steps > 2 { // the words need the second step
		t.Errorf("slow motion takes %d steps and %d visits", counted.steps, counted.walks)
	}
	scenetest.Step(t, s, -1)
	for k := range r.Len() {
		if a, b := r.Kept(k), plain.Timeline().Runs()[0].Kept(k); !slices.Equal(a.X, b.X) || a.BP != b.BP {
			t.Fatalf("k = %d: %v after %d gradients, unseen %v after %d", k, a.X, a.BP, b.X, b.BP)
		}
	}
}

// counter counts the calls of a stepper.
type counter struct {
	levels.Differentiating
	steps, walks int
}

func (c *counter) Step() (algo.Status, error) {
	c.steps++
	return c.Differentiating.Step()
}

func (c *counter) WalkLoop(visit func(t int, omega []float64)) {
	c.walks++
	c.Differentiating.WalkLoop(visit)
}

// TestSlowMotion checks that slow motion passes through all stages in order before an iteration is due, and starts
// again after it. At other speeds whole steps must be shown.
func TestSlowMotion(t *testing.T) {
	s := with(t, map[string]string{"speed": runs.Slow})
	if !s.InSlowMotion() || s.Moment() != "4" {
		t.Fatalf("slow motion %v at %s", s.InSlowMotion(), s.Moment())
	}
	total := 0.0
	for _, seconds := range durations {
		total += seconds
	}
	seen, passed := []string{}, 0.0
	for due := false; !due; passed += 1. / 64 {
		due = s.PassTime(1. / 64)
		if m := s.Moment(); !slices.Contains(seen, m) {
			seen = append(seen, m)
		}
	}
	if !slices.Equal(seen, []string{"0", "1", "2", "3"}) || math.Abs(passed-total) > 0.05 || s.values.Moment != 0 {
		t.Errorf("stages %v in %g seconds, then %g", seen, passed, s.values.Moment)
	}
	if s.PassTime(100) != true {
		t.Error("a long tick does not end the step")
	}
	s.PassTime(1)
	if m := s.values.Moment; m <= 0 || m >= 1 {
		t.Errorf("after a second the moment is %g", m)
	}
	set := func(text string) {
		t.Helper()
		if err := s.Params().Assign("speed", text); err != nil {
			t.Fatal(err)
		}
		if err := s.Displayed(); err != nil {
			t.Fatal(err)
		}
	}
	set("10")
	if s.values.Moment != moments || s.InSlowMotion() {
		t.Errorf("after slow motion the moment is %g", s.values.Moment)
	}
	// At other speeds an explicitly chosen moment stays.
	s.values.Moment = 1.5
	set("3")
	if s.values.Moment != 1.5 {
		t.Errorf("the moment is %g", s.values.Moment)
	}
}

// TestDraws checks that everything can be drawn in both themes, at sizes from phone to desktop. That includes every
// moment of every method's step, every curve, and runs at the start, halfway, at the end and diverging. No text may
// contain an invalid number.
func TestDraws(t *testing.T) {
	draw := func(t testing.TB, s *Scene, width, height vg.Length, theme *brush.Theme) {
		t.Helper()
		texts, calls := scenetest.Draw(t, s, width, height, theme)
		if calls < 150 || len(texts) < 20 {
			t.Errorf("%v × %v: %d calls, %d texts", width, height, calls, len(texts))
		}
		for _, p := range s.Panels() {
			texts = append(texts, p.Describe())
		}
		for _, text := range texts {
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%q", text)
			}
		}
	}
	for _, method := range append(slices.Clone(offered), "forum,moml,moco,bome,bvfim") {
		t.Run(method, func(t *testing.T) {
			for _, moment := range []string{"0", "0.5", "1", "1.5", "2.5", "3.5", "4"} {
				s := with(t, map[string]string{"method": method, "multiplier": "both", "moment": moment, "budget": "30"})
				for _, n := range []int{0, 2, -1} {
					scenetest.Step(t, s, n)
					draw(t, s, 1120, 720, brush.Light)
					draw(t, s, 320, 260, brush.Dark)
				}
			}
		})
	}
	for _, values := range []map[string]string{
		{"curve": "K"}, {"curve": "q"}, {"curve": "nu", "axis": twolevel.Evaluations}, {"curve": "all",
			"axis": twolevel.Evaluations}, {"zoom": "close"}, {"zoom": "close", "moment": "2.5"},
		{"eta": "1.2"}, {"eta": "10", "zoom": "close"}, {"camera": "90,-90,4"}, {"camera": "0,90,0.25"}, {"camera": "-90,0,1"},
		{"mode": "forward", "warm": "false"}, {"startset": "random", "starts": "20"}, {"T": "256", "eta": "0.0001"},
		{"upperoptimizer": "adam", "loweroptimizer": "heavyball"},
		// Start in the solution set, at the bottom of the valley, and far away.
		{"start": "1.5,1.5,1.5;0,0,0;3,3,3"}, {"start": "10,-10,10;-10,-10,-10;1,1,2"},
	} {
		s := with(t, values)
		for _, n := range []int{0, 3, -1} {
			scenetest.Step(t, s, n)
			draw(t, s, 1120, 720, brush.Dark)
			draw(t, s, 390, 300, brush.Light)
			s.Timeline().SetMarker(1)
			draw(t, s, 720, 900, brush.Light)
			s.Timeline().SetMarker(s.Timeline().Latest())
		}
	}
}

// TestZeros checks that a measure that is exactly 0 is drawn on the line for zeros, which is within the axis and below
// every positive value.
func TestZeros(t *testing.T) {
	s := with(t, map[string]string{"method": "moml", "eta": "0.5"})
	scenetest.Step(t, s, -1)
	if d := distance(s.Timeline().Tracks()[0]); d != 0 {
		t.Fatalf("E = %g, the test wants 0", d)
	}
	for _, m := range measures {
		zero, tiny := onScale(0, m.least), onScale(math.SmallestNonzeroFloat64, m.least)
		if !(zero < tiny && tiny == m.least && zero > m.least/zeroFactor/endFactor && onScale(1, m.least) == 1) {
			t.Errorf("%s: 0 is drawn at %g, the least value at %g", m.key, zero, tiny)
		}
		if !math.IsNaN(onScale(math.NaN(), m.least)) {
			t.Errorf("%s: a missing value has a position", m.key)
		}
	}
	texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
	if !slices.Contains(texts, "0") {
		t.Error("the line for zeros has no name")
	}
}

// TestDrag checks that a dragged start moves in the plane of the view and keeps its depth. Dragging the camera or the
// moment must set its parameter, and other handles must move nothing.
func TestDrag(t *testing.T) {
	s := with(t, nil)
	before := [3]float64(s.starts[1])
	x, y, near := s.space.Project(before)
	name, text := s.Drag("start-2", x+0.3, y-0.2)
	if name != "start" {
		t.Fatalf("it moves %q", name)
	}
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	x2, y2, near2 := s.space.Project([3]float64(s.starts[1]))
	if math.Abs(x2-x-0.3)+math.Abs(y2-y+0.2)+math.Abs(near2-near) > 1e-3 {
		t.Errorf("from %v, %v, %v to %v, %v, %v", x, y, near, x2, y2, near2)
	}
	if !slices.Equal(s.starts[0], []float64{0, 0, 3}) || !slices.Equal(s.starts[2], []float64{2, 3, 3}) {
		t.Error("moving one start moves others")
	}
	for handle, want := range map[string][2]string{
		kinds.CameraHandle: {"camera", "170,90,1"}, momentHandle: {"moment", "2"}, "start-9": {}, "start": {}, "": {}, "zzz": {},
	} {
		x, y := 530.0, 95.0
		if handle == momentHandle {
			x = (s.lo + s.hi) / 2
		}
		if name, text := s.Drag(handle, x, y); name != want[0] || text != want[1] {
			t.Errorf("%q moves %s to %s, want %v", handle, name, text, want)
		}
	}
	scenetest.Step(t, s, 20)
	if name, _ := s.Drag(kinds.MarkerHandle, 7, 0); name != "" || s.Timeline().Marker() != 7 {
		t.Errorf("the marker is at %d", s.Timeline().Marker())
	}
	// The visible range grows if starts are dragged out of it.
	if lo, hi := extent([][]float64{{5, 0, -2.2}}); hi != 5.5 || lo != -2.5 {
		t.Errorf("shown from %g to %g", lo, hi)
	}
}

// TestPick checks that dragging the background turns the camera, that a run's point can be picked, and that picking a
// start selects its run.
func TestPick(t *testing.T) {
	s := with(t, nil)
	scenetest.Step(t, s, 30)
	f := brush.Frame{Width: 400, Height: 340, Theme: brush.Light}
	for _, h := range s.space.Handles(f) {
		p, ok := s.space.Pick(f, h.At)
		if !ok || h.ID != kinds.CameraHandle && p.Handle != h.ID {
			t.Errorf("at %s: %+v", h.ID, p)
		}
		if h.ID == "start-3" && p.Run != "forum-3" {
			t.Errorf("a press on start 3 selects %q", p.Run)
		}
	}
	found := false
	for x := vg.Length(20); x < 380; x += 4 {
		for y := vg.Length(20); y < 300; y += 4 {
			p, ok := s.space.Pick(f, vg.Point{X: x, Y: y})
			if ok && p.Run != "" && p.K >= 0 {
				found = true
				if p.Handle != kinds.CameraHandle || len(p.Lines) != 7 {
					t.Fatalf("on a run: %+v", p)
				}
			}
		}
	}
	if !found {
		t.Error("no point of a run is found")
	}
}

// TestStarts checks that the start points are the paper's, followed by random ones that depend on the seed, or only
// random ones. A point with another dimension must give an error.
func TestStarts(t *testing.T) {
	s := with(t, map[string]string{"starts": "5"})
	if len(s.starts) != 5 || !slices.Equal(s.starts[1], []float64{2, 0, 3}) {
		t.Errorf("starts %v", s.starts)
	}
	other := with(t, map[string]string{"starts": "5", "seed": "2"})
	if slices.Equal(s.starts[3], other.starts[3]) || !slices.Equal(s.starts[2], other.starts[2]) {
		t.Error("the seed changes more than random starts")
	}
	random := with(t, map[string]string{"startset": "random", "region": "0.5"})
	if len(random.starts) != randomStarts {
		t.Errorf("%d random starts", len(random.starts))
	}
	for _, z := range random.starts {
		for _, v := range z {
			if math.Abs(v-middle) > 0.5 {
				t.Errorf("random start %v", z)
			}
		}
	}
	bad := New()
	if err := bad.Params().Assign("start", "1,2"); err != nil {
		t.Fatal(err)
	}
	if err := bad.Restart(nil); err == nil || !strings.Contains(err.Error(), "2 coordinates") {
		t.Errorf("two coordinates: %v", err)
	}
}

// TestResults checks that the results equal the runs' records, and that a diverged run has no invalid numbers.
func TestResults(t *testing.T) {
	s := with(t, map[string]string{"method": "forum,moml", "budget": "10"})
	scenetest.Step(t, s, -1)
	var got struct{ Endings []Ending }
	data, err := json.Marshal(s.Results())
	if err == nil {
		err = json.Unmarshal(data, &got)
	}
	if err != nil || len(got.Endings) != 6 {
		t.Fatalf("%v: %s", err, data)
	}
	for i, r := range s.Timeline().Tracks() {
		t.Run(r.Name(), func(t *testing.T) {
			e := got.Endings[i]
			if e.Run != r.Name() || e.K != 10 || e.Status != "budget" || e.PeakFloats <= 0 ||
				*e.Distance != distance(r) || !slices.Equal(e.X, last(r).X) {
				t.Errorf("%+v", e)
			}
			if want := map[string][2]int{"forum": {530, 0}, "moml": {520, 1000}}[r.Method]; e.BP != want[0] || e.Products != want[1] {
				t.Errorf("%s has paid %d and %d, want %v", r.Name(), e.BP, e.Products, want)
			}
		})
	}
	s.values.Axis = twolevel.Evaluations
	if most := s.weights.Clock().End(); most != 1520 {
		t.Errorf("the axis ends at %g", most)
	}
	s = played(t, "large")
	if _, err := json.Marshal(s.Results()); err != nil {
		t.Error(err)
	}
}

// TestStop checks that a run ends once it is close enough to a stationary point.
func TestStop(t *testing.T) {
	s := with(t, map[string]string{"stop": "0.01"})
	scenetest.Step(t, s, -1)
	for _, r := range s.Timeline().Tracks() {
		t.Run(r.Name(), func(t *testing.T) {
			if r.Status() != algo.Stationary || last(r).Stationarity > 0.01 || r.Kept(r.Len()-2).Stationarity <= 0.01 {
				t.Errorf("%s ends as %v with √KKT = %g", r.Name(), r.Status(), last(r).Stationarity)
			}
		})
	}
}

// TestWords checks that the page mentions the paper's misprint where it explains the multiplier.
func TestWords(t *testing.T) {
	s := New()
	d, _ := s.Params().Lookup("multiplier")
	if !strings.Contains(d.Help, "2φ") {
		t.Errorf("the multiplier's help is %q", d.Help)
	}
	told := false
	for _, symbol := range symbols {
		told = told || symbol.Sign == "π" && strings.Contains(symbol.Text, twolevel.Differs)
	}
	if !told {
		t.Error("no symbol mentions the slip")
	}
	if strconv.Itoa(moments) != New().Moment() {
		t.Error("the scene does not open with whole steps")
	}
}

// TestStepOfAnotherMethod checks that for a method of an unknown family the scene shows the loop and the end of the
// step, at every moment.
func TestStepOfAnotherMethod(t *testing.T) {
	loop := levels.Loop{Steps: 5, StepSize: 0.1}
	stepper, err := levels.NewLowerOnly(levels.LowerOnlyConfig{Problem: problem.NewQuadraticBilevel(), Start: []float64{0, 0, 3}, Loop: loop})
	if err != nil {
		t.Fatal(err)
	}
	s := with(t, map[string]string{"method": "forum", "starts": "1"})
	r := &timeline.Run{Name: "other-1", Method: "other", Title: "Other", Label: "Other, start 1",
		Starts: [][]float64{{0, 0, 3}}, Stepper: stepper}
	s.Timeline().Reset([]*timeline.Run{r}, nil)
	for range 3 {
		if _, err := s.Timeline().Step(); err != nil {
			t.Fatal(err)
		}
	}
	for moment := 0.0; moment <= moments; moment += 0.5 {
		s.values.Moment = moment
		scenetest.Draw(t, s, 1120, 720, brush.Light)
	}
	step := s.stepAt(s.Timeline().Find("other-1"), 1)
	if to := r.Kept(2).X; !step.made || len(step.loop) != 6 || step.to != [3]float64(to) || s.stageText(step) != "α from 0 to 0" {
		t.Errorf("%+v: %s", step, s.stageText(step))
	}
}

// TestValley checks that mouse and keys move the selected start's valley along the line of bottoms until the run takes a
// step. The displayed effect of moving the valley must equal the derivative.
func TestValley(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "start": "0,0,3;1,2,2"})
	s.Timeline().Select("forum-2")
	grip := func() *axes.Handle {
		for _, h := range s.panels[1].Handles(brush.Frame{Width: 400, Height: 300, Theme: brush.Light}) {
			if h.ID == alphaHandle {
				return &h
			}
		}
		return nil
	}
	g := grip()
	if g == nil || g.X != 1 || g.Y != 1 || !strings.Contains(g.Value, "α = 1.00") || g.StepX <= 0 {
		t.Fatalf("the grip is %+v", g)
	}
	name, text := s.Drag(alphaHandle, 1.9, 1.1)
	if name != "start" || text != "0,0,3;1.5,2,2" {
		t.Errorf("dragged: %s = %s", name, text)
	}
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	s.Timeline().Select("forum-2")
	if g = grip(); g == nil || g.X != 1.5 {
		t.Errorf("the grip is then %+v", g)
	}
	scenetest.Step(t, s, 1)
	s.Timeline().SetMarker(1)
	if g = grip(); g != nil {
		t.Errorf("after a step the grip is %+v", g)
	}
	// Compute ∂F/∂α and dF/dα by central differences: with ω held, and with ω following the bottom.
	z, f, g2 := []float64{0.3, -0.7, 1.9}, make([]float64, 2), make([]float64, 2)
	got := s.slopesOf(z)
	const h = 1e-5
	for along, want := range map[float64][2]float64{0: got.held, 1: got.following} {
		s.problem.Values(f, []float64{z[0] + h, z[1] + along*h, z[2] + along*h})
		s.problem.Values(g2, []float64{z[0] - h, z[1] - along*h, z[2] - along*h})
		for i := range f {
			if d := (f[i] - g2[i]) / (2 * h); math.Abs(d-want[i]) > 1e-8 {
				t.Errorf("F%d changes by %v, want %v", i+1, d, want[i])
			}
		}
	}
	s = with(t, map[string]string{"method": "forum", "start": "3,3,3"})
	for name, want := range map[string]float64{"partial.forum.1": 0, "partial.forum.2": 0, "total.forum.1": 4, "total.forum.2": 2} {
		if got := scenetest.Fact(t, s.Facts(), name); got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}

// TestSharedNames checks that coinciding points share one name, and that other points have separate names.
func TestSharedNames(t *testing.T) {
	drawn := func(values map[string]string, steps int) string {
		s := with(t, values)
		scenetest.Step(t, s, steps)
		s.Timeline().SetMarker(s.Timeline().Latest())
		var r recorder.Canvas
		for _, l := range s.panels[1].Layers(brush.Frame{Width: 900, Height: 600, Theme: brush.Light}) {
			l.Draw(draw.NewCanvas(&r, 900, 600))
		}
		out := ""
		for _, a := range r.Actions {
			if f, ok := a.(*recorder.FillString); ok {
				out += f.String
			}
		}
		return strings.ReplaceAll(out, "\u00a0", " ") // after a subscript or superscript
	}
	end, begin := drawn(nil, -1), drawn(map[string]string{"start": "0,0,3"}, 0)
	if !strings.Contains(end, ", ω*, ") {
		t.Errorf("at the end: %s", end)
	}
	if strings.Contains(begin, ", ω*") || !strings.Contains(begin, "ω*, ") {
		t.Errorf("at the start: %s", begin)
	}
}

// TestFindings checks that the panels' descriptions start with the outcome.
func TestFindings(t *testing.T) {
	s := with(t, nil)
	said := func(i int) string { return s.panels[i].Describe() }
	for _, i := range []int{0, 2} {
		if !strings.HasPrefix(said(i), "No step has been taken yet.") {
			t.Errorf("at the start %s says %q", s.panels[i].ID(), said(i))
		}
	}
	scenetest.Step(t, s, 20)
	s.Timeline().SetMarker(20)
	if want := "Some runs have reached the solutions: FORUM 0 of 3, MOML 3 of 3, MoCo 3 of 3."; !strings.HasPrefix(said(0), want) {
		t.Errorf("after 20 steps: %q", said(0))
	}
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(s.Timeline().Latest())
	for i, want := range map[int]string{
		0: "All runs have reached the solutions.", 2: "All runs have reached the solutions.",
		5: "Gradients alone: FORUM holds 28 numbers at once. With second derivatives",
	} {
		if !strings.HasPrefix(said(i), want) {
			t.Errorf("at the end %s says %q", s.panels[i].ID(), said(i))
		}
	}
	if !strings.Contains(said(1), "The lower level is at the bottom of its valley.") ||
		!strings.Contains(said(3), "FORUM, start 3 is highest") {
		t.Errorf("at the end: %q and %q", said(1), said(3))
	}
}

// TestStagesAtNarrowWidths checks that the names of a step's stages do not overlap. If the panel is too narrow, only
// the current stage's name is drawn.
func TestStagesAtNarrowWidths(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "view": viewStep, "budget": "5"})
	scenetest.Step(t, s, -1)
	for width, want := range map[vg.Length]int{320: 4, 200: 1} {
		f := brush.Frame{Width: width, Height: 1.5 * width, Theme: brush.Light}
		var r recorder.Canvas
		for _, l := range s.Panels()[1].Layers(f) {
			l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
		}
		var names []string
		for _, a := range r.Actions {
			text, is := a.(*recorder.FillString)
			if is && text.Point.Y < 60 && slices.Contains([]string{"loop", "slope", "weights", "step"}, text.String) {
				names = append(names, text.String)
			}
		}
		if len(names) != want || want == 1 && names[0] != "step" {
			t.Errorf("at %v pixels the names are %q", width, names)
		}
	}
}

// TestRoundingIsNotAPull checks that a pull that is only rounding error counts as 0 where the goals' gradients cancel.
func TestRoundingIsNotAPull(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "rho": "0"})
	scenetest.Step(t, s, -1)
	for _, r := range s.Timeline().Tracks() {
		s.Timeline().Select(r.Name())
		if text := s.Panels()[1].Describe(); strings.Contains(text, "e−1") || strings.Contains(text, "e-") {
			t.Errorf("%s: %s", r.Name(), text)
		}
	}
}

// TestReleasedProgram checks that the weights of the released code minimise the drawn small problem, even if the
// constraint does not bind, and that the pulls agree.
func TestReleasedProgram(t *testing.T) {
	s := with(t, map[string]string{"method": "forum", "variant": "both", "budget": "1000"})
	scenetest.Step(t, s, -1)
	free := 0
	for _, r := range scenetest.Tracks(t, s, "forumreleased") {
		for k := 0; k < 1000; k += 37 {
			step := s.stepAt(r, k)
			if step.family != valueFunction || step.pi == nil {
				t.Fatalf("step %d: family %v, π = %v", k, step.family, step.pi)
			}
			l := step.lambda[0]
			best := step.dual(l)
			for i := range 101 {
				if v := step.dual(float64(i) / 100); v < best-1e-9*math.Max(1, math.Abs(best)) {
					t.Fatalf("step %d: %g at λ_1 = %g, %g at the solution %g", k, v, float64(i)/100, best, l)
				}
			}
			// The drawn γ must be the best γ above the bound. In some cases, it must be better than the bound itself.
			for _, l := range []float64{0, 0.25, 0.75, 1} {
				bound, drawn := max(l*step.pi[0]+(1-l)*step.pi[1], 0), step.dual(l)
				value := func(gamma float64) float64 {
					out := -gamma * step.phi
					for i, v := range step.weighted([]float64{l, 1 - l}) {
						out += (v + gamma*step.slope[i]) * (v + gamma*step.slope[i]) / 2
					}
					return out
				}
				for more := 1.0; more < 1e6; more *= 1.1 {
					if v := value(bound + more - 1); v < drawn-1e-12 {
						t.Fatalf("step %d, λ_1 = %g: %g at γ = %g, the picture has %g", k, l, v, bound+more-1, drawn)
					}
				}
				if value(bound) > drawn+1e-6 {
					free++
				}
			}
		}
	}
	if free < 3 {
		t.Errorf("the constraint is idle at %d weights", free)
	}
}

// TestPlainSpace checks that the picture in space names the valley floor, the sheet and the solutions in words. Only
// the view of one step and slow motion show a step's loop and arrows.
func TestPlainSpace(t *testing.T) {
	said := func(values map[string]string, width vg.Length) string {
		s := with(t, values)
		scenetest.Step(t, s, 1)
		var c recorder.Canvas
		for _, l := range s.Panels()[0].Layers(brush.Frame{Width: width, Height: 540, Theme: brush.Light}) {
			l.Draw(draw.NewCanvas(&c, width, 540))
		}
		return strings.Join(drawtest.Texts(c.Actions), "\n")
	}
	const pull = "−μΣλ"
	plain := said(nil, 780)
	for _, words := range []string{"valley floor: the lower", "paths seen from above", "best for the goals alone",
		"solutions: settled, and best for the goals"} {
		if !strings.Contains(plain, words) {
			t.Errorf("%q is not in the picture: %q", words, plain)
		}
	}
	if narrow := said(nil, 374); !strings.Contains(narrow, "solutions") || strings.Contains(narrow, "has settled") {
		t.Errorf("a narrow picture says %q", narrow)
	}
	detail := said(map[string]string{"view": viewStep, "method": "forum"}, 780)
	if strings.Contains(plain, pull) || !strings.Contains(detail, pull) {
		t.Errorf("the parts of a step: %q in the plain picture, %q in detail", plain, detail)
	}
}
