package bilevel_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// mixture is the problem in testdata/released.py:
//
//	F_i = ½ Σ_j D_ij (ω_j − C_ij)²,   f = Σ_i softmax(α)_i ½ Σ_j A_ij (ω_j − B_ij)²
type mixture struct {
	D, C, A, B [][]float64

	shares, losses []float64
}

func (p *mixture) Dims() (n, lower, m int) { return len(p.A), len(p.A[0]), len(p.D) }

func bowl(scale, centre, omega []float64) (sum float64) {
	for j, s := range scale {
		sum += s / 2 * (omega[j] - centre[j]) * (omega[j] - centre[j])
	}
	return sum
}

func (p *mixture) Values(f, z []float64) {
	for i := range p.D {
		f[i] = bowl(p.D[i], p.C[i], z[len(p.A):])
	}
}

func (p *mixture) Jacobian(jac *algo.Jacobian, z []float64) {
	clear(jac.Data)
	for i, scale := range p.D {
		for j, s := range scale {
			jac.Row(i)[len(p.A)+j] = s * (z[len(p.A)+j] - p.C[i][j])
		}
	}
}

// weigh stores the weights and losses of the lower level, and returns the weighted sum.
func (p *mixture) weigh(z []float64) (sum float64) {
	n := len(p.A)
	if p.shares == nil {
		p.shares, p.losses = make([]float64, n), make([]float64, n)
	}
	for i, a := range z[:n] {
		p.shares[i], p.losses[i] = math.Exp(a), bowl(p.A[i], p.B[i], z[n:])
	}
	floats.Scale(1/floats.Sum(p.shares), p.shares)
	return floats.Dot(p.shares, p.losses)
}

func (p *mixture) Lower(z []float64) float64 { return p.weigh(z) }

func (p *mixture) LowerGradient(dst, z []float64) {
	n, f := len(p.A), p.weigh(z)
	for i := range n {
		dst[i] = p.shares[i] * (p.losses[i] - f)
	}
	p.LowerGradientOmega(dst[n:], z)
}

func (p *mixture) LowerGradientOmega(dst, z []float64) {
	n := len(p.A)
	p.weigh(z)
	clear(dst)
	for i, scale := range p.A {
		for j, s := range scale {
			dst[j] += p.shares[i] * s * (z[n+j] - p.B[i][j])
		}
	}
}

// releasedRuns is the content of released.json, which testdata/released.py writes.
type releasedRuns struct {
	Runs []struct {
		mixture
		Name         string
		Start        []float64
		Mu, Eta, Rho float64
		T            int `json:"T"`
		Epoch, Steps int
		Stopped      *int
		Z, Lambda    [][]float64
	}
}

func releasedOracle(t *testing.T) (oracle releasedRuns) {
	t.Helper()
	data, err := os.ReadFile("testdata/released.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	return oracle
}

// TestReleasedTrajectories checks that every point equals the corresponding point of the authors' code.
func TestReleasedTrajectories(t *testing.T) {
	const tolerance = 1e-9
	compared, epochs := 0, 0
	for _, o := range releasedOracle(t).Runs {
		c := bilevel.FORUMConfig{
			Problem: problem.NewQuadraticBilevel(), Start: o.Start, Loop: bilevel.Loop{Steps: o.T, StepSize: o.Eta},
			Upper: bilevel.Upper{StepSize: o.Mu}, Rho: o.Rho, Variant: bilevel.Released, Epoch: o.Epoch,
		}
		if o.Name != "quadratic" {
			c.Problem = &o.mixture
			algotest.Bilevel(t, &o.mixture)
		}
		s := newForum(t, c)
		for k, want := range o.Z {
			run(t, s, 1)
			if got := s.View().X; !near(got, want, tolerance) {
				t.Fatalf("%s from %v, step %d: z = %v, want %v", o.Name, o.Start, k+1, got, want)
			}
			if got := s.Trace().Lambda; !near(got, o.Lambda[k], 1e-6) {
				t.Errorf("%s from %v, step %d: λ = %v, want %v", o.Name, o.Start, k+1, got, o.Lambda[k])
			}
			compared++
		}
		epochs = max(epochs, o.Epoch)
		if o.Stopped == nil {
			continue
		}
		if status, err := s.Step(); status != algo.Diverged || err != nil || s.View().K != *o.Stopped {
			t.Errorf("from %v: %v, %v at step %d, the released program has no solution at step %d", o.Start, status, err, s.View().K, *o.Stopped)
		}
	}
	if compared != 3*60+3*200 || epochs < 2 {
		t.Errorf("%d steps compared, with epochs of up to %d steps", compared, epochs)
	}
}

// TestReleasedFirstStep compares the first step with numbers computed by hand. Both upper gradients have length 3. With
// a third of ρ, the step is a third of the step in TestFORUMFirstStep, up to 1e-8.
func TestReleasedFirstStep(t *testing.T) {
	s := newForum(t, bilevel.FORUMConfig{
		Problem: problem.NewQuadraticBilevel(), Start: firstStepStart(), Loop: firstStepLoop(),
		Upper: bilevel.Upper{StepSize: 0.3}, Rho: 2. / 3, Variant: bilevel.Released,
	})
	run(t, s, 1)
	v, trace := s.View(), s.Trace()
	for _, q := range []struct {
		name      string
		got, want []float64
	}{
		{"phi, nu", []float64{trace.Phi, trace.Nu}, []float64{7.25 / 3, 1.04 / 3}},
		{"pi", trace.Pi, []float64{26. / 87, 34. / 87}},
		{"lambda", trace.Lambda, []float64{0.48, 0.52}},
		{"Jacobian", v.Jacobian.Data, []float64{-2. / 3, 1. / 3, 2. / 3, -2. / 3, -1. / 3, 2. / 3}},
		{"direction", v.Direction, []float64{-3.56 / 3, 1. / 3, 4.08 / 3}},
		{"next", v.X, []float64{1.356, 1.4, 1.592}},
	} {
		if !near(q.got, q.want, 1e-8) {
			t.Errorf("%s is %v, want %v", q.name, q.got, q.want)
		}
	}
}

// TestReleasedFloor compares one step from a point with ‖∇q̃‖² = 1e-8 to numbers computed by hand. Then φ is twice
// (ρ/2)‖∇q̃‖², and the products in π count half. The shortest combination of (0, 1, 0) and (0, 0.6, 0.8) is halfway
// between them. It leads out of the valley more steeply than φ requires, so the constraint is inactive.
func TestReleasedFloor(t *testing.T) {
	const off = 1e-4 / (2 * math.Sqrt2)
	start := []float64{1, 1 + off, 1 - off} // ∇q̃ = (0, 1, −1)·2·off
	c := bilevel.FORUMConfig{
		Problem: slopes([]float64{0, 5, 0}, []float64{0, 1.2, 1.6}), Start: start, Loop: firstStepLoop(),
		Upper: bilevel.Upper{StepSize: 0.1}, Rho: 0.5, Variant: bilevel.Released,
	}
	s := newForum(t, c)
	run(t, s, 1)
	trace, along := s.Trace(), 1e-4*math.Sqrt2/2
	if want := []float64{0.5 - along/2e-8, 0.5 + 0.2*along/2e-8}; !near(trace.Pi, want, 1e-5) {
		t.Errorf("π = %v, want %v", trace.Pi, want)
	}
	if !near([]float64{trace.Phi * 1e8, trace.Nu}, []float64{0.5, 0}, 1e-9) || !near(trace.Lambda, []float64{0.5, 0.5}, 1e-6) {
		t.Errorf("φ = %v, ν = %v, λ = %v, want 5e-9, 0 and halves", trace.Phi, trace.Nu, trace.Lambda)
	}
}

// TestReleasedStopsShort checks how close to the solutions the released variant comes. After 1000 steps E is between
// 1e-5 and 1e-4. With the paper's variant, E is below 2e-9 after 200 steps. At the bottom of the valley, the program
// for λ has no minimum unless ρ is 0.
func TestReleasedStopsShort(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	for _, start := range problem.QuadraticBilevelStarts() {
		paper := paperForum(start)
		released := paper
		released.Variant = bilevel.Released
		a, b := newForum(t, paper), newForum(t, released)
		run(t, a, 200)
		run(t, b, 1000)
		if e := p.Distance(a.View().X); e > 2e-9 {
			t.Errorf("from %v the paper's E is %v after 200 steps", start, e)
		}
		if e := p.Distance(b.View().X); e < 1e-5 || e > 1e-4 {
			t.Errorf("from %v the released E is %v after 1000 steps", start, e)
		}
	}
	for _, m := range []int{1, 2, 3} {
		c := paperForum([]float64{3, 3, 3})
		c.Problem, c.Variant = bowls(m, 1, 1), bilevel.Released
		s := newForum(t, c)
		status, err := s.Step()
		want := algo.Divergence{K: 0, Quantity: "minimum of the program for the weights"}
		if v := s.View(); status != algo.Diverged || err != nil || v.Diverged != want || !near(v.X, c.Start, 0) {
			t.Errorf("%d objectives, ∇q̃ = 0: %v, %v, %+v at %v", m, status, err, v.Diverged, v.X)
		}
		c.Rho = 0
		run(t, newForum(t, c), 3)
	}
}

// TestEpochsHoldTheAveraging checks that β does not change within an epoch.
func TestEpochsHoldTheAveraging(t *testing.T) {
	c := paperForum([]float64{0, 0, 3})
	c.Averaging, c.Epoch = bilevel.MeanAveraging, 3
	s := newForum(t, c)
	before := make([]float64, 2)
	for k := range 9 {
		run(t, s, 1)
		share := 1 / float64(k/3+1)
		got, lambda := s.View().Weights, s.Trace().Lambda
		if want := before[0] + share*(lambda[0]-before[0]); math.Abs(got[0]-want) > 1e-15 {
			t.Errorf("step %d: λ̃ = %v, want %v first", k, got, want)
		}
		copy(before, got)
	}
}

func TestReleasedRefuses(t *testing.T) {
	for name, change := range map[string]func(*bilevel.FORUMConfig){
		"Variant":    func(c *bilevel.FORUMConfig) { c.Variant = "none" },
		"Multiplier": func(c *bilevel.FORUMConfig) { c.Variant, c.Multiplier = bilevel.Released, bilevel.ExactDual },
		"Epoch":      func(c *bilevel.FORUMConfig) { c.Epoch = -1 },
	} {
		c := paperForum([]float64{0, 0, 3})
		change(&c)
		_, err := bilevel.NewFORUM(c)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Field != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
