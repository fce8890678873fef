package smooth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/timeline"
)

const epo = "epo"

// absent lists the methods that are useless on problems without data.
var absent = map[string]string{"smg": "There are no data."}

// bound returns a roster with every method on, and its parameters.
func bound(t testing.TB) (*Roster, *param.List) {
	t.Helper()
	return boundFor(t, 2)
}

// boundFor is like bound, for a given number of objectives.
func boundFor(t testing.TB, objectives int) (*Roster, *param.List) {
	t.Helper()
	r, l := New(objectives, absent, map[string]string{"cagrad.c": "0.6"}), new(param.List)
	r.BindMethods(l)
	r.BindStepSettings(l)
	r.BindOptimizer(l)
	r.BindOwn(l)
	r.BindSchedules(l)
	for _, m := range Methods() {
		if _, no := absent[m.ID]; !no {
			r.On = append(r.On, m.ID)
		}
	}
	return r, l
}

func course(t testing.TB) Course {
	t.Helper()
	p, err := problem.NewFonseca(2, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	return Course{Problem: p, Starts: [][]float64{{0.5, -0.5}, {-1, 0.2}, {0.1, 0.9}}, Horizon: 60, Seed: 3}
}

func played(t testing.TB, r *Roster) *timeline.Timeline {
	t.Helper()
	all, err := r.Runs(course(t))
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(60, 0)
	line.Reset(all, nil)
	return line
}

// TestMethods checks that every weighting is offered once and has a description and a distinct look. A weighting may be
// refused only if absent lists it.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		t.Run(m.ID, func(t *testing.T) {
			if seen[m.ID] || m.Title == "" || m.Paper == "" || !strings.Contains(m.Help, ". Guaranteed: ") {
				t.Errorf("%+v", m)
			}
			seen[m.ID] = true
			if brush.Light.Look(m.ID).Hue == brush.Light.Ink {
				t.Errorf("%s has no colour, marker and dash. %s", m.ID, drawtest.FreeLooks(t, m.ID))
			}
		})
	}
	for _, w := range weighting.Methods {
		t.Run(w.Name+" is offered", func(t *testing.T) {
			if !seen[w.Name] {
				t.Errorf("%s is not offered", w.Name)
			}
		})
	}
	_, l := bound(t)
	d, _ := l.Lookup("method")
	for _, o := range d.Options {
		if o.Disabled != absent[o.Value] {
			t.Errorf("%s: %q", o.Value, o.Disabled)
		}
	}
	if d, _ := l.Lookup("cagrad.c"); d.Default != 0.6 || d.Method != "cagrad" {
		t.Errorf("%+v", d)
	}
}

// TestContracts checks that a wrapped method meets a stepper's contract: views, resets, exact replays, no allocations.
func TestContracts(t *testing.T) {
	algotest.Stepper(t, func() algo.Stepper {
		r, _ := bound(t)
		r.On = []string{moosvgd}
		return played(t, r).Runs()[0].Stepper
	})
}

// TestSwarm checks that MOO-SVGD has one run over all starts. Its tracks must have the names and starts of single runs.
// The run must record the total cost, and each track its share of that cost.
func TestSwarm(t *testing.T) {
	r, l := bound(t)
	if err := l.Assign("method", moosvgd); err != nil {
		t.Fatal(err)
	}
	line := played(t, r)
	for range 20 {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	starts := course(t).Starts
	if len(line.Runs()) != 1 || len(line.Tracks()) != len(starts) {
		t.Fatalf("%d runs with %d tracks", len(line.Runs()), len(line.Tracks()))
	}
	run := line.Runs()[0]
	swarm, whole := run.Stepper.(*descent.MOOSVGD).View(), run.Kept(20)
	if run.Name != moosvgd || !run.Several || !slices.Equal(whole.X, swarm.X) || whole.BP != 120 {
		t.Errorf("the run %s is at %v of %v for %d", run.Name, whole.X, swarm.X, whole.BP)
	}
	for i, track := range line.Tracks() {
		row := track.Kept(20)
		if !slices.Equal(row.X, swarm.X[2*i:2*i+2]) || row.BP != 40 {
			t.Errorf("%s is at %v of %v for %d", track.Name(), row.X, swarm.X, row.BP)
		}
		name, label := fmt.Sprintf("moosvgd-%d", i+1), fmt.Sprintf("MOO-SVGD, start %d", i+1)
		if track.Name() != name || track.Label() != label || track.StartIndex() != i || !slices.Equal(track.Start(), starts[i]) {
			t.Errorf("track %d is %q, %q from start %d, %v", i, track.Name(), track.Label(), track.StartIndex(), track.Start())
		}
	}
}

// TestUpdates checks that with an optimizer every run records the update that a step subtracts, even where rows were
// dropped and computed again. Plain steps must record no update.
func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		optimizer string
		clip      float64
		recorded  bool
	}{{"plain", 0, false}, {"plain", 0.1, true}, {"heavyball", 0, true}, {"adam", 0, true}} {
		r, _ := bound(t)
		r.Optimizer, r.Clip, r.Eta = c.optimizer, c.clip, 0.01
		all, err := r.Runs(course(t))
		if err != nil {
			t.Fatal(err)
		}
		line := timeline.New(1) // room for few rows, so that most are dropped
		line.SetEnd(30, 0)
		line.Reset(all, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for _, run := range line.Runs() {
			t.Run(fmt.Sprintf("%s, %s, clip %v", run.Name, c.optimizer, c.clip), func(t *testing.T) {
				if got := run.OfStep != nil; got != c.recorded {
					t.Errorf("%v: %s records the update: %v", c, run.Name, got)
				}
				if row := run.Kept(run.Len() - 1); UpdateOf(row) != nil {
					t.Errorf("%v: %s has an update at its end: %v", c, run.Name, UpdateOf(row))
				}
				for k := range run.Last() {
					row, err := line.At(run, k)
					if err != nil {
						t.Fatal(err)
					}
					x, eta, update := slices.Clone(row.X), row.StepSize, slices.Clone(UpdateOf(row))
					if (update != nil) != c.recorded {
						t.Fatalf("%v: %s at %d has the update %v", c, run.Name, k, update)
					}
					next, err := line.At(run, k+1)
					if err != nil {
						t.Fatal(err)
					}
					for i, u := range update {
						if want := x[i] - eta*u; math.Abs(next.X[i]-want) > 1e-12 {
							t.Fatalf("%v: %s goes from %v to %v, with the update %v", c, run.Name, x, next.X, update)
						}
					}
				}
			})
		}
	}
}

// TestStepGradients checks that the gradients of a step belong to the sample given by start, seed and iteration,
// whether or not the step computed all of them. Reading them must change neither the stepper's state nor its cost.
func TestStepGradients(t *testing.T) {
	c := course(t)
	r, _ := bound(t)
	r.R = 3
	line := played(t, r)
	got, want := algo.NewJacobian(2, 2), algo.NewJacobian(2, 2)
	for _, track := range line.Tracks() {
		t.Run(track.Name()+" before its first step", func(t *testing.T) {
			if StepGradients(got, c.Problem, c.Starts[0], track.Stepper, track.Solution) {
				t.Errorf("%s has gradients before its first step", track.Name())
			}
		})
	}
	for range 7 {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, track := range line.Tracks() {
		t.Run(track.Name(), func(t *testing.T) {
			before := track.Stepper.View()
			for k := range 7 {
				row := track.Kept(k)
				err := line.Visit(track.Run, k+1, func(s algo.Stepper) {
					if !StepGradients(got, c.Problem, row.X, s, track.Solution) {
						t.Errorf("%s has none in step %d", track.Name(), k)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				sample := algo.Sample{Noise: algo.Stream(c.Seed, track.StartIndex(), k, algo.Noise)}
				c.Problem.JacobianAt(want, row.X, &sample)
				if !slices.Equal(got.Data, want.Data) {
					t.Errorf("%s: step %d has the gradients %v, want %v", track.Name(), k, got.Data, want.Data)
				}
			}
			if after := track.Stepper.View(); after.K != before.K || after.Cost != before.Cost {
				t.Errorf("%s: looking changes %+v to %+v", track.Name(), before, after)
			}
		})
	}
}

// TestRunsApart checks that no run depends on which other methods run.
func TestRunsApart(t *testing.T) {
	r, _ := bound(t)
	together := played(t, r)
	names := slices.Clone(r.On)
	for range 30 {
		if _, err := together.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			r.On = []string{name}
			alone := played(t, r)
			for range 30 {
				if _, err := alone.Step(); err != nil {
					t.Fatal(err)
				}
			}
			for _, track := range alone.Tracks() {
				a, b := track.Kept(track.Len()-1), together.Find(track.Name())
				if row := b.Kept(b.Len() - 1); !slices.Equal(a.X, row.X) || a.BP != row.BP {
					t.Errorf("%s: %v alone, %v together", track.Name(), a.X, row.X)
				}
			}
			if most, spent := r.MostBackpropagations(alone), alone.Tracks()[0].Kept(30).BP; spent > most/2 && name != psmgd || most < 60 {
				t.Errorf("%s spends %d in half of the iterations, at most %d in all", name, spent, most)
			}
		})
	}
}

// TestPSMGDWeighting checks that PSMGD keeps a rule's weights for R iterations, whichever rule is chosen. It must refuse
// linear scalarization, whose weights never change.
func TestPSMGDWeighting(t *testing.T) {
	r, l := bound(t)
	d, _ := l.Lookup("psmgd.weighting")
	for _, o := range d.Options {
		t.Run(o.Value, func(t *testing.T) {
			if o.Disabled != "" {
				if err := l.Assign("psmgd.weighting", o.Value); err == nil {
					t.Errorf("%s is accepted", o.Value)
				}
				return
			}
			if err := l.Assign("psmgd.weighting", o.Value); err != nil {
				t.Fatal(err)
			}
			if err := l.Assign("method", psmgd); err != nil {
				t.Fatal(err)
			}
			line := played(t, r)
			for range 12 {
				if _, err := line.Step(); err != nil {
					t.Fatal(err)
				}
			}
			run := line.Runs()[0]
			for k := range 12 {
				if row := run.Kept(k); row.Refreshed != (k%4 == 0) || row.Weights == nil || k%4 > 0 &&
					!slices.Equal(row.Weights, run.Kept(k-1).Weights) {
					t.Errorf("%s at %d: %+v", o.Value, k, row)
				}
			}
		})
	}
}

// TestLive checks that a live change affects only the methods that use its parameter.
func TestLive(t *testing.T) {
	concerned := map[string]func(method string) bool{
		"eta=0.05": func(string) bool { return true },
		"R=1":      func(m string) bool { return m == psmgd }, "momentum=0.8": func(m string) bool { return m == psmgd },
		"crmogm.momentum=0.1": func(m string) bool { return m == crmogm },
	}
	r, _ := bound(t)
	plain := played(t, r)
	for change, of := range concerned {
		line := played(t, r)
		name, text, _ := strings.Cut(change, "=")
		line.Change(0, name, text)
		for i, run := range line.Runs() {
			t.Run(run.Name+" after "+change, func(t *testing.T) {
				if err := run.Apply(timeline.Change{Name: name, Text: text}); err != nil {
					t.Fatal(err)
				}
				for range 9 {
					for _, s := range []algo.Stepper{run.Stepper, plain.Runs()[i].Stepper} {
						if _, err := s.Step(); err != nil {
							t.Fatal(err)
						}
					}
				}
				if same := slices.Equal(run.Stepper.View().X, plain.Runs()[i].Stepper.View().X); same == of(run.Method) {
					t.Errorf("%s after %s: the same is %v", run.Name, change, same)
				}
			})
		}
		plain = played(t, r)
	}
	if err := plain.Runs()[0].Apply(timeline.Change{Name: "eta", Text: "x"}); err == nil {
		t.Error("a word is accepted as a number")
	}
}

// TestPreference checks that EPO's share of the first objective determines where EPO's runs end.
func TestPreference(t *testing.T) {
	r, l := bound(t)
	var ends []float64
	for _, share := range []float64{0.2, 0.5, 0.8} {
		for name, text := range map[string]string{"epo.preference": fmt.Sprint(share), "method": epo, "eta": "0.1"} {
			if err := l.Assign(name, text); err != nil {
				t.Fatal(err)
			}
		}
		c := course(t)
		p, err := problem.NewFonseca(2, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.Problem, c.Starts = p, [][]float64{{0.2, -0.3}}
		all, err := r.Runs(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			if _, err := all[0].Stepper.Step(); err != nil {
				t.Fatal(err)
			}
		}
		f := all[0].Stepper.View().F
		ends = append(ends, f[0])
		if ratio := share * f[0] / ((1 - share) * f[1]); ratio < 0.8 || ratio > 1.25 {
			t.Errorf("r₁ = %g: r₁f₁/r₂f₂ = %g", share, ratio)
		}
	}
	if !(ends[0] > ends[1] && ends[1] > ends[2]) {
		t.Errorf("f₁ = %v for growing r₁", ends)
	}
}

// TestSmoothMaximum checks that STCH's share of the first objective determines where STCH's runs end. At that point
// both weighted losses must be equal.
func TestSmoothMaximum(t *testing.T) {
	r, l := bound(t)
	last := math.Inf(1)
	for _, share := range []float64{0.2, 0.5, 0.8} {
		for name, text := range map[string]string{"stch.preference": fmt.Sprint(share), "stch.mu": "0.01", "method": "stch", "eta": "0.1"} {
			if err := l.Assign(name, text); err != nil {
				t.Fatal(err)
			}
		}
		c := course(t)
		p, err := problem.NewFonseca(2, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.Problem, c.Starts = p, [][]float64{{0.2, -0.3}}
		all, err := r.Runs(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			if _, err := all[0].Stepper.Step(); err != nil {
				t.Fatal(err)
			}
		}
		f := all[0].Stepper.View().F
		if ratio := share * f[0] / ((1 - share) * f[1]); ratio < 0.9 || ratio > 1.1 || !(f[0] < last) {
			t.Errorf("p₁ = %g: p₁f₁/p₂f₂ = %g at f = %v", share, ratio, f)
		}
		last = f[0]
	}
}

// TestLimit checks that with the ε-constraint every run ends with the limited objective at its limit, for either
// objective. A scene without a range for a single limit must offer a list of limits.
func TestLimit(t *testing.T) {
	_, l := boundFor(t, 2)
	if _, has := l.Lookup("epsilon.limit"); has {
		t.Error("got a single limit without a range")
	}
	if _, has := l.Lookup("epsilon.limits"); !has {
		t.Error("got no list of limits")
	}
	r := New(2, absent, nil)
	l = new(param.List)
	r.Limit = &Limit{Min: 0, Max: 1, Value: 0.5, Limited: "1"}
	r.BindMethods(l)
	r.BindStepSettings(l)
	r.BindOwn(l)
	for name := range limiting {
		if _, has := l.Lookup(name); has {
			t.Errorf("%s beside the limit", name)
		}
	}
	for _, limited := range []int{0, 1} {
		for _, limit := range []float64{0.1, 0.3, 0.7, 0.95} {
			for name, text := range map[string]string{"method": "epsilon", "epsilon.limit": fmt.Sprint(limit),
				"epsilon.limited": fmt.Sprint(limited + 1)} {
				if err := l.Assign(name, text); err != nil {
					t.Fatal(err)
				}
			}
			p, err := problem.NewFonseca(2, 0)
			if err != nil {
				t.Fatal(err)
			}
			c := course(t)
			c.Problem, c.Starts = p, append(c.Starts, []float64{0.6, 0.7}, []float64{-0.7, -0.7})
			all, err := r.Runs(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, run := range all {
				for range 300 {
					if _, err := run.Stepper.Step(); err != nil {
						t.Fatal(err)
					}
				}
				v := run.Stepper.View()
				if !(math.Abs(v.F[limited]-limit) < 1e-9) || !(math.Abs(v.X[0]-v.X[1]) < 1e-9) {
					t.Errorf("%s, f%d ≤ %g: ends at %v, f = %v", run.Name, limited+1, limit, v.X, v.F)
				}
			}
		}
	}
}

// three returns a course on three bowls ½‖x−cᵢ‖², with the cᵢ at the corners of a triangle.
func three(t testing.TB, starts ...[]float64) Course {
	t.Helper()
	unit := []float64{1, 0, 0, 1}
	p, err := problem.NewQuadratics(0, problem.QuadraticObjective{A: unit, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, 1}}, problem.QuadraticObjective{A: unit, Center: []float64{-1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	return Course{Problem: p, Starts: starts, Horizon: 60, Seed: 3}
}

// TestThreeObjectives checks that every method runs on three objectives. EPO's preference must then be a point of the
// simplex, by default the middle. The preference must determine the ratios of the final losses.
func TestThreeObjectives(t *testing.T) {
	r, l := boundFor(t, 3)
	if all, err := r.Runs(three(t, []float64{0.5, 0.3}, []float64{-0.2, 0.1})); err != nil {
		t.Fatal(err)
	} else {
		for _, run := range all {
			t.Run(run.Name, func(t *testing.T) {
				for range 20 {
					if _, err := run.Stepper.Step(); err != nil {
						t.Fatalf("%s: %v", run.Name, err)
					}
				}
				if v := run.Stepper.View(); !algo.Finite(v.X) || !algo.Finite(v.F) || len(v.F) != 3*v.Solutions {
					t.Errorf("%s: %+v", run.Name, v)
				}
			})
		}
	}
	d, ok := l.Lookup("epo.preference")
	if !ok || d.Kind != param.Simplex || d.Method != "epo" || !slices.Equal(d.Default.([]float64), []float64{1. / 3, 1. / 3, 1. / 3}) {
		t.Fatalf("%+v", d)
	}
	if d, ok := l.Lookup("stch.preference"); !ok || d.Kind != param.Simplex || d.Method != "stch" {
		t.Fatalf("%+v", d)
	}
	for _, text := range []string{"0.5,0.5", "0.5", "0.2,0.2,0.2", "1,0,0"} {
		if err := l.Assign("epo.preference", text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	for _, text := range []string{"0.3333333333333333,0.3333333333333333,0.3333333333333333", "0.2,0.3,0.5", "0.5,0.25,0.25"} {
		if err := l.Assign("epo.preference", text); err != nil {
			t.Fatal(err)
		}
		r.On, r.Eta = []string{epo}, 0.02
		all, err := r.Runs(three(t, []float64{0.1, 0.2}))
		if err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			if _, err := all[0].Stepper.Step(); err != nil {
				t.Fatal(err)
			}
		}
		var products []float64
		for i, f := range all[0].Stepper.View().F {
			products = append(products, r.preferences[epo].all[i]*f)
		}
		if ratio := slices.Max(products) / slices.Min(products); !(ratio < 1.15) {
			t.Errorf("r = %s: r⊙f = %v", text, products)
		}
	}
}

// TestFixedWeights checks linear scalarization's weights. With two objectives the random weights must be u and 1−u,
// where u comes from the seed's stream. With more objectives they must be uniform on the simplex: positive, with sum 1
// and mean 1/m. Equal weights must be 1/m.
func TestFixedWeights(t *testing.T) {
	two, _ := boundFor(t, 2)
	for seed := range uint64(5) {
		source := algo.Stream(seed, 7, 0, algo.StaticWeight)
		u := rand.New(&source).Float64()
		if got := two.FixedWeights(seed, 7); !slices.Equal(got, []float64{u, 1 - u}) {
			t.Errorf("seed %d: weights %v, want %g and the rest", seed, got, u)
		}
	}
	r, l := boundFor(t, 3)
	const draws = 20_000
	var mean, square [3]float64
	for seed := range uint64(draws) {
		w := r.FixedWeights(seed, 0)
		if sum := w[0] + w[1] + w[2]; slices.Min(w) <= 0 || math.Abs(sum-1) > 1e-15*4 {
			t.Fatalf("seed %d: weights %v", seed, w)
		}
		for i, v := range w {
			mean[i] += v / draws
			square[i] += v * v / draws
		}
	}
	// Each weight is Beta(1, 2): mean 1/3, variance 1/18, E w² = 1/6 with variance 7/180.
	for i := range mean {
		if math.Abs(mean[i]-1./3) > 5*math.Sqrt(1./18/draws) || math.Abs(square[i]-1./6) > 5*math.Sqrt(7./180/draws) {
			t.Errorf("weight %d has mean %g and mean square %g", i, mean[i], square[i])
		}
	}
	if slices.Equal(r.FixedWeights(1, 0), r.FixedWeights(1, 1)) {
		t.Error("two starts have the same weights")
	}
	if err := l.Assign("ls.weights", EqualWeights); err != nil {
		t.Fatal(err)
	}
	if got := r.FixedWeights(1, 0); !slices.Equal(got, []float64{1. / 3, 1. / 3, 1. / 3}) {
		t.Errorf("equal weights %v", got)
	}
}
