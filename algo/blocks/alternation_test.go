package blocks_test

import (
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/blocks"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
)

// simple returns the objectives ½(x−(1,0))ᵀ(1 1; 1 2)(x−(1,0)) and ½‖x−(0,2)‖².
func simple(t testing.TB) *problem.Quadratics {
	t.Helper()
	return newQuadratics(t, 0, [][][]float64{{{1, 1}, {1, 2}}, {{1, 0}, {0, 1}}}, [][]float64{{1, 0}, {0, 2}})
}

// TestByHand compares steps from the origin with numbers computed by hand, for α = ½. The gradients are (x₁−1+x₂,
// x₁−1+2x₂) and (x₁, x₂−2). With Gauss–Seidel:
//
//	x₁: the derivative −1 of f₁ leads to ½, and then ½ of f₂ leads to ¼
//	x₂: the derivative ¼−1 of f₁ leads to ⅜, and then ⅜−2 of f₂ leads to 1³⁄₁₆
//
// With Jacobi, the steps of x₂ use x₁ = 0 instead of ¼: the derivative −1 leads to ½, and then ½−2 leads to 1¼.
// F_m = ½f₁ + ½f₂ has the gradient (x₁−½+½x₂, ½x₁−1½+1½x₂). In steps along F_m, the derivatives −½ and −¼ lead
// x₁ to ¼ and ⅜. Then −1⁵⁄₁₆ and −²¹⁄₆₄ lead x₂ to ²¹⁄₃₂ and ¹⁰⁵⁄₁₂₈. A step of all variables leads to (¼, ¾).
func TestByHand(t *testing.T) {
	base := blocks.Config{
		Problem: simple(t), Start: []float64{0, 0}, Blocks: [][]int{{0}, {1}}, Frequencies: []int{1, 1},
		Order: blocks.Contiguous, BlockOrder: blocks.ListedBlocks, StepSize: 0.5,
	}
	jacobi := base
	jacobi.Update = blocks.Jacobi
	for _, c := range []struct {
		name        string
		config      blocks.Config
		points      [][]float64
		objectives  []int
		coordinates int // in all steps
	}{
		{"Gauss–Seidel", base, [][]float64{{0.5, 0}, {0.25, 0}, {0.25, 0.375}, {0.25, 1.1875}}, []int{0, 1, 0, 1}, 4},
		{"Jacobi", jacobi, [][]float64{{0.5, 0}, {0.25, 0}, {0.25, 0.5}, {0.25, 1.25}}, []int{0, 1, 0, 1}, 4},
		{"functions", blocks.FunctionAlternate(base), [][]float64{{0.5, 0.5}, {0.25, 1.25}}, []int{0, 1}, 4},
		{"blocks", blocks.BlockAlternate(base), [][]float64{{0.25, 0}, {0.375, 0}, {0.375, 0.65625}, {0.375, 0.8203125}},
			[]int{blocks.Together, blocks.Together, blocks.Together, blocks.Together}, 8},
		{"weighted sum", blocks.WeightedSum(base), [][]float64{{0.25, 0.75}}, []int{blocks.Together}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRun(t, c.config)
			if _, ok := s.Move(); ok || s.Average() != nil || s.Samples() != 0 || s.OuterSteps() != len(c.points) ||
				!slices.Equal(s.Last(), c.config.Start) || !slices.Equal(s.Weights(), []float64{0.5, 0.5}) {
				t.Errorf("at the start: average %v, last %v, %d samples, %d steps, weights %v",
					s.Average(), s.Last(), s.Samples(), s.OuterSteps(), s.Weights())
			}
			if x, _ := s.Uniform(); x != nil {
				t.Errorf("at the start there is a random output %v", x)
			}
			perBlock := len(c.points) / max(1, len(c.config.Blocks))
			for k, want := range c.points {
				before := slices.Clone(s.View().X)
				steps(t, s, 1)
				v, m := s.View(), lastMove(t, s)
				weights := []float64{0.5, 0.5}
				if c.objectives[k] != blocks.Together {
					weights = []float64{0, 0}
					weights[c.objectives[k]] = 1
				}
				if !slices.Equal(v.X, want) || m.T != 0 || m.Visit != k/perBlock || m.Turn != k%perBlock || m.Block != k/perBlock ||
					m.Objective != c.objectives[k] || !slices.Equal(v.Weights, weights) || v.StepSize != 0.5 || v.Jacobian != nil {
					t.Errorf("step %d leads to %v, weights %v, as %+v, want %v, %v", k, v.X, v.Weights, m, want, weights)
				}
				for i, d := range v.Direction {
					if before[i]-0.5*d != v.X[i] {
						t.Errorf("step %d goes %v from %v to %v", k, v.Direction, before, v.X)
					}
				}
				f := make([]float64, 2)
				if c.config.Problem.Values(f, want); !slices.Equal(v.F, f) {
					t.Errorf("step %d: F = %v, want %v", k, v.F, f)
				}
			}
			last := c.points[len(c.points)-1]
			if x, at := s.Uniform(); !slices.Equal(s.Last(), last) || !slices.Equal(s.Average(), c.config.Start) ||
				!slices.Equal(x, c.config.Start) || at != 0 || s.OuterIterations() != 1 {
				t.Errorf("outputs %v, %v and %v of t = %d, want %v and the start", s.Last(), s.Average(), x, at, last)
			}
			if got := s.View().Cost; got.Backpropagations != len(c.points) || got.GradientCoordinates != c.coordinates {
				t.Errorf("cost %+v, want %d and %d", got, len(c.points), c.coordinates)
			}
			steps(t, s, s.OuterSteps())
			if want := []float64{last[0] / 2, last[1] / 2}; !near(s.Average(), want, 1e-15) || s.OuterIterations() != 2 {
				t.Errorf("average of two outer iterations %v, want %v", s.Average(), want)
			}
		})
	}
}

// reference takes the steps of an outer iteration in the simplest way. It computes whole gradients, and uses the
// block's elements.
type reference struct {
	p      algo.Sampled
	x      []float64
	alpha  float64
	sample int
	seed   uint64
	start  int
}

// step moves the variables in block along the gradient of Σ w_k f_k.
func (r *reference) step(block []int, w []float64) {
	n, m := r.p.Dims()
	s := algo.Sample{Noise: algo.Stream(r.seed, r.start, r.sample, algo.Noise)}
	r.sample++
	jac, g := algo.NewJacobian(m, n), make([]float64, n)
	r.p.JacobianAt(jac, r.x, &s)
	jac.Combine(g, w)
	for _, c := range block {
		r.x[c] -= r.alpha * g[c]
	}
}

// TestAgainstPlainLoops compares runs with explicit loops that draw the same noise. It covers alternation of functions,
// block coordinate descent, stochastic gradient descent, and full alternation, on consecutive and on scattered blocks.
func TestAgainstPlainLoops(t *testing.T) {
	const sigma, turns = 0.2, 6
	p := trio(t, sigma)
	everything := []int{0, 1, 2, 3}
	m := []int{3, 1, 2}
	cyclic := []int{0, 1, 2, 0, 2, 0}
	sum := []float64{0.5, 1. / 6, 2. / 6}
	alone := func(k int) []float64 {
		w := make([]float64, 3)
		w[k] = 1
		return w
	}
	for _, parts := range [][][]int{{{0, 1}, {2, 3}}, {{3, 1}, {0}, {2}}, {{2, 1, 0, 3}}} {
		base := blocks.Config{
			Problem: p, Start: []float64{2, -1, 1, 0.5}, Blocks: parts, Frequencies: m, Order: blocks.Cyclic, BlockOrder: blocks.ListedBlocks,
			StepSize: 0.07, Seed: 8, StartIndex: 1,
		}
		for name, c := range map[string]struct {
			config blocks.Config
			outer  func(r *reference)
		}{
			"all alternation": {base, func(r *reference) {
				for _, block := range parts {
					for _, k := range cyclic {
						r.step(block, alone(k))
					}
				}
			}},
			"function alternation": {blocks.FunctionAlternate(base), func(r *reference) {
				for _, k := range cyclic {
					r.step(everything, alone(k))
				}
			}},
			"block coordinate descent": {blocks.BlockAlternate(base), func(r *reference) {
				for _, block := range parts {
					for range cyclic {
						r.step(block, sum)
					}
				}
			}},
			"gradient descent": {blocks.WeightedSum(base), func(r *reference) { r.step(everything, sum) }},
		} {
			s := newRun(t, c.config)
			r := &reference{p: p, x: slices.Clone(base.Start), alpha: base.StepSize, seed: 8, start: 1}
			for range turns {
				steps(t, s, s.OuterSteps())
				c.outer(r)
			}
			if !near(s.View().X, r.x, 1e-14) {
				t.Errorf("%s on %v: x = %v, want %v", name, parts, s.View().X, r.x)
			}
		}
	}
}

// TestOneIsACaseOfAnother checks that special cases give the same bits as the general stepper, with noise. In each
// case, another stepper takes the same steps, or another configuration describes them.
func TestOneIsACaseOfAnother(t *testing.T) {
	const count = 40
	base := blocks.Config{
		Problem: trio(t, 0.3), Start: []float64{2, -1, 1, 0.5}, Frequencies: []int{1, 2, 1}, StepSize: 0.05, Seed: 3, StartIndex: 2,
	}
	with := func(change func(c *blocks.Config)) blocks.Config {
		c := base
		change(&c)
		return c
	}
	sgd := func(weights []float64) *descent.PSMGD {
		s, err := descent.NewPSMGD(descent.LinearScalarization(descent.Config{
			Problem: base.Problem, Start: base.Start, StepSize: base.StepSize, Seed: base.Seed, StartIndex: base.StartIndex,
		}, weights))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := newQuadratics(t, 0.3, [][][]float64{{{2, 0.6}, {0.6, 0.8}}}, [][]float64{{-1, 0.5}})
	single := blocks.Config{Problem: one, Start: []float64{1, 2}, Frequencies: []int{3}, StepSize: 0.1, Seed: 4}
	singleSGD, err := descent.NewPSMGD(descent.LinearScalarization(descent.Config{
		Problem: one, Start: single.Start, StepSize: 0.1, Seed: 4,
	}, []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	singleInBlocks := single
	singleInBlocks.Blocks = [][]int{{0}, {1}}
	pieces := [][]int{{0, 1}, {2}, {3}}
	for name, pair := range map[string][2]algo.Stepper{
		"the weighted sum is gradient descent": {newRun(t, blocks.WeightedSum(base)), sgd([]float64{0.25, 0.5, 0.25})},
		"one block and one objective that has turns are gradient descent on it": {
			newRun(t, with(func(c *blocks.Config) { c.Frequencies = []int{0, 3, 0} })), sgd([]float64{0, 1, 0})},
		"one block and one objective are gradient descent": {newRun(t, single), singleSGD},
		"one block is alternation of functions": {newRun(t, base),
			newRun(t, blocks.FunctionAlternate(with(func(c *blocks.Config) { c.Blocks = pieces })))},
		"one objective is block coordinate descent": {newRun(t, singleInBlocks), newRun(t, blocks.BlockAlternate(singleInBlocks))},
		"one block, one step together is the weighted sum": {newRun(t, blocks.WeightedSum(base)),
			newRun(t, with(func(c *blocks.Config) { c.Together, c.Steps = true, 1 }))},
		"one block is all that Jacobi sees": {newRun(t, base), newRun(t, with(func(c *blocks.Config) { c.Update = blocks.Jacobi }))},
		"a block is the same in any order": {
			newRun(t, with(func(c *blocks.Config) { c.Blocks = [][]int{{0, 1, 2}, {3}} })),
			newRun(t, with(func(c *blocks.Config) { c.Blocks = [][]int{{2, 0, 1}, {3}} }))},
		"one turn each needs no order of turns": {
			newRun(t, with(func(c *blocks.Config) { c.Frequencies, c.Order = []int{1, 1, 1}, blocks.Cyclic })),
			newRun(t, with(func(c *blocks.Config) { c.Frequencies, c.Order = []int{1, 1, 1}, blocks.Contiguous }))},
		"blocks share samples only where there are several steps": {
			newRun(t, with(func(c *blocks.Config) { c.Blocks, c.Frequencies = pieces, []int{0, 0, 1} })),
			newRun(t, with(func(c *blocks.Config) {
				c.Blocks, c.Frequencies, c.Shared = pieces, []int{0, 0, 1}, []bool{true, true, true}
			}))},
	} {
		for range count {
			steps(t, pair[0], 1)
			steps(t, pair[1], 1)
			a, b := pair[0].View(), pair[1].View()
			if !slices.Equal(a.X, b.X) || !slices.Equal(a.F, b.F) || !slices.Equal(a.Direction, b.Direction) {
				t.Errorf("%s: at K = %d x = %v and %v", name, a.K, a.X, b.X)
				break
			}
		}
	}
}

// TestScatteredBlocksAreStretchesOfOtherVariables permutes the variables, and the blocks with them, and checks that
// the run is the same. Blocks that are scattered in one run are consecutive in the other.
func TestScatteredBlocksAreStretchesOfOtherVariables(t *testing.T) {
	place := []int{2, 0, 3, 1} // position of a variable in the other order
	q := [][][]float64{
		{{2, 0.5, 0, 0}, {0.5, 1, 0, 0.1}, {0, 0, 1.5, 0.2}, {0, 0.1, 0.2, 1}},
		{{1, 0, 0.3, 0}, {0, 0.7, 0, 0}, {0.3, 0, 1, -0.4}, {0, 0, -0.4, 1.8}},
	}
	c := [][]float64{{1, 0, -1, 0.5}, {-1, 1, 0, 0}}
	start := []float64{2, -1, 1, 0.5}
	moved := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, e := range v {
			out[place[i]] = e
		}
		return out
	}
	var otherQ [][][]float64
	var otherC [][]float64
	for k := range q {
		rows := make([][]float64, 4)
		for i, row := range q[k] {
			rows[place[i]] = moved(row)
		}
		otherQ, otherC = append(otherQ, rows), append(otherC, moved(c[k]))
	}
	scattered := [][]int{{1, 3}, {0, 2}}
	stretches := [][]int{{0, 1}, {2, 3}}
	for _, update := range allUpdates {
		config := blocks.Config{
			Problem: newQuadratics(t, 0, q, c), Start: start, Blocks: scattered, Frequencies: []int{2, 1}, Update: update, StepSize: 0.1,
		}
		for _, change := range []func(blocks.Config) blocks.Config{
			func(c blocks.Config) blocks.Config { return c }, blocks.BlockAlternate,
		} {
			a := newRun(t, change(config))
			other := config
			other.Problem, other.Start, other.Blocks = newQuadratics(t, 0, otherQ, otherC), moved(start), stretches
			b := newRun(t, change(other))
			for range 60 {
				steps(t, a, 1)
				steps(t, b, 1)
				if !near(moved(a.View().X), b.View().X, 1e-14) || a.View().Cost != b.View().Cost {
					t.Fatalf("%v: K = %d: x = %v and %v, cost %+v and %+v", update, a.View().K, a.View().X, b.View().X, a.View().Cost, b.View().Cost)
				}
			}
		}
	}
}

// TestOnlyTheBlockMoves checks that a step moves only its block, and that its direction is 0 elsewhere.
func TestOnlyTheBlockMoves(t *testing.T) {
	all := kinds(t, 0.2)
	between := all["blocksmoo"]
	between.Blocks = [][]int{{0, 2}, {1, 3}}
	all["others between"], all["others between, together"] = between, blocks.BlockAlternate(between)
	for name, c := range all {
		s := newRun(t, c)
		for range 40 {
			before := slices.Clone(s.View().X)
			steps(t, s, 1)
			v, m := s.View(), lastMove(t, s)
			for i, d := range v.Direction {
				inside := slices.Contains(m.Coordinates, i)
				if inside != (d != 0) || inside != (v.X[i] != before[i]) {
					t.Fatalf("%s: the step %+v goes along %v from %v to %v", name, m, v.Direction, before, v.X)
				}
			}
		}
	}
}

func TestConformance(t *testing.T) {
	for _, sigma := range []float64{0, 0.2} {
		for name, c := range kinds(t, sigma) {
			t.Run(name, func(t *testing.T) {
				algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) }, func() algo.Stepper {
					c := c
					c.Schedule, c.StepSize = blocks.Constant, 1e9
					return newRun(t, c)
				})
			})
		}
	}
}

// TestSnapshots checks that a run restored from a snapshot of any step has the same outputs and number of samples as
// the original run, and makes the same moves.
func TestSnapshots(t *testing.T) {
	for name, c := range kinds(t, 0.2) {
		for k := range 30 {
			s, fresh := newRun(t, c), newRun(t, c)
			if k%2 == 1 {
				if err := s.SetStepSize(0.07); err != nil {
					t.Fatal(err)
				}
			}
			steps(t, s, k)
			var snapshot algo.Snapshot
			s.Save(&snapshot)
			steps(t, fresh, 17)
			fresh.Load(&snapshot)
			if _, ok := fresh.Move(); ok {
				t.Errorf("%s: there is a move after Load", name)
			}
			for range 20 {
				same := fresh.Samples() == s.Samples() && slices.Equal(fresh.Last(), s.Last()) && slices.Equal(fresh.Average(), s.Average())
				a, at := s.Uniform()
				if b, t2 := fresh.Uniform(); !same || !slices.Equal(a, b) || at != t2 {
					t.Fatalf("%s: saved at K = %d, at K = %d outputs or samples differ", name, k, s.View().K)
				}
				steps(t, s, 1)
				steps(t, fresh, 1)
				if a, b := lastMove(t, s), lastMove(t, fresh); a.T != b.T || a.Visit != b.Visit || a.Turn != b.Turn || a.Block != b.Block ||
					a.Objective != b.Objective || !slices.Equal(s.View().X, fresh.View().X) {
					t.Fatalf("%s: saved at K = %d, moves %+v and %+v to %v and %v", name, k, a, b, s.View().X, fresh.View().X)
				}
			}
		}
	}
}

// TestCost checks that the cost counts only the block that moves. A step on F_m counts one backpropagation, and the
// coordinates for all objectives, even for objectives without turns.
func TestCost(t *testing.T) {
	stretches := blocks.Config{
		Start: []float64{2, -1, 1, 0.5}, Blocks: [][]int{{0}, {1, 2}, {3}}, Frequencies: []int{1, 0, 2}, StepSize: 0.05, Seed: 1,
	}
	for _, c := range []blocks.Config{stretches, blocks.FunctionAlternate(stretches)} {
		algotest.Evaluations(t, trio(t, 0.1), func(p algo.Sampled) algo.Stepper {
			c.Problem = p.(algo.Partial)
			return newRun(t, c)
		})
	}
	stretches.Problem = trio(t, 0.1)
	scattered := stretches
	scattered.Blocks = [][]int{{3, 0}, {1, 2}}
	for _, c := range []struct {
		name         string
		config       blocks.Config
		bp, elements int // in an outer iteration
	}{
		{"blocksmoo", stretches, 9, 3 * 4}, {"scattered", scattered, 6, 3 * 4},
		{"functionalternate", blocks.FunctionAlternate(stretches), 3, 3 * 4},
		{"blockalternate", blocks.BlockAlternate(stretches), 9, 3 * 3 * 4},
		{"scattered blockalternate", blocks.BlockAlternate(scattered), 6, 3 * 3 * 4},
		{"weightedsum", blocks.WeightedSum(stretches), 1, 3 * 4},
	} {
		s := newRun(t, c.config)
		steps(t, s, 5*s.OuterSteps())
		if got := s.View().Cost; got != (algo.Cost{Backpropagations: 5 * c.bp, GradientCoordinates: 5 * c.elements}) {
			t.Errorf("%s: %+v, want %d and %d", c.name, got, 5*c.bp, 5*c.elements)
		}
	}
}

// noting is a problem that records the parts of gradients that a run requests.
type noting struct {
	algo.Partial
	asked [][3]int // objective, lo and hi
	whole int
}

func (p *noting) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	p.asked = append(p.asked, [3]int{i, lo, hi})
	p.Partial.GradientAt(dst, i, lo, hi, x, s)
}

func (p *noting) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	p.whole++
	p.Partial.WeightedGradientAt(dst, w, x, s)
}

func (p *noting) JacobianAt(*algo.Jacobian, []float64, *algo.Sample) {
	panic("no step needs a Jacobian")
}

// able is a problem that can compute parts of weighted gradients.
type able struct {
	*noting
	parts int
}

func (p *able) WeightedGradientPartAt(dst, w []float64, lo, hi int, x []float64, s *algo.Sample) {
	p.parts++
	whole := make([]float64, len(x))
	p.Partial.WeightedGradientAt(whole, w, x, s)
	copy(dst, whole[lo:hi])
}

// TestWhatIsAskedFor checks that a run requests only the block's part of a gradient. It may request the whole
// weighted sum only if all variables move or the problem can compute parts of it.
func TestWhatIsAskedFor(t *testing.T) {
	p := &noting{Partial: trio(t, 0)}
	c := blocks.Config{
		Problem: p, Start: []float64{2, -1, 1, 0.5}, Blocks: [][]int{{0}, {3, 1}, {2}}, Frequencies: []int{1, 0, 1},
		Order: blocks.Contiguous, BlockOrder: blocks.ListedBlocks, StepSize: 0.05,
	}
	steps(t, newRun(t, c), 6)
	if want := [][3]int{{0, 0, 1}, {2, 0, 1}, {0, 1, 4}, {2, 1, 4}, {0, 2, 3}, {2, 2, 3}}; !slices.Equal(p.asked, want) || p.whole != 0 {
		t.Errorf("asked for %v, want %v", p.asked, want)
	}
	p.asked = nil
	together := newRun(t, blocks.BlockAlternate(c))
	steps(t, together, 6)
	want := [][3]int{
		{0, 0, 1}, {2, 0, 1}, {0, 0, 1}, {2, 0, 1}, {0, 1, 4}, {2, 1, 4}, {0, 1, 4}, {2, 1, 4}, {0, 2, 3}, {2, 2, 3}, {0, 2, 3}, {2, 2, 3},
	}
	if !slices.Equal(p.asked, want) || p.whole != 0 {
		t.Errorf("together asked for %v, want %v", p.asked, want)
	}
	p.asked = nil
	steps(t, newRun(t, blocks.WeightedSum(c)), 6)
	if p.asked != nil || p.whole != 6 {
		t.Errorf("the weighted sum asked for %v and %d times for all", p.asked, p.whole)
	}
	parts := &able{noting: &noting{Partial: trio(t, 0)}}
	c.Problem = parts
	s := newRun(t, blocks.BlockAlternate(c))
	steps(t, s, 6)
	if parts.parts != 6 || parts.asked != nil || parts.whole != 0 || !near(s.View().X, together.View().X, 1e-15) {
		t.Errorf("%d parts, %v asked for, x = %v, want %v", parts.parts, parts.asked, s.View().X, together.View().X)
	}
}

// TestAdvance checks that Advance takes the same steps as Step, bit for bit, and evaluates the losses only once.
func TestAdvance(t *testing.T) {
	for name, c := range kinds(t, 0.2) {
		a, b := newRun(t, c), newRun(t, c)
		for _, count := range []int{1, 0, 3, 17} {
			steps(t, a, count)
			if status, err := b.Advance(count); status != algo.Running || err != nil {
				t.Fatalf("%s: %v, %v", name, status, err)
			}
			v, w := a.View(), b.View()
			if v.K != w.K || v.Cost != w.Cost || !slices.Equal(v.X, w.X) || !slices.Equal(v.F, w.F) || !slices.Equal(v.Direction, w.Direction) {
				t.Errorf("%s: %+v, want %+v", name, w, v)
			}
		}
		// The run must end where single steps end, for every quantity that may fail first.
		c.Schedule, c.StepSize = blocks.Constant, 1e9
		a, b = newRun(t, c), newRun(t, c)
		for range 1000 {
			if status, _ := a.Step(); status == algo.Diverged {
				break
			}
		}
		for _, count := range []int{1000, 5} {
			if status, err := b.Advance(count); status != algo.Diverged || err != nil {
				t.Errorf("%s: %v, %v from steps that diverge", name, status, err)
			}
		}
		v, w := a.View(), b.View()
		if v.K != w.K || v.Cost != w.Cost || v.Diverged != w.Diverged || !slices.Equal(v.X, w.X) || !slices.Equal(v.F, w.F) {
			t.Errorf("%s: %+v, want %+v", name, w, v)
		}
	}
	s := newRun(t, kinds(t, 0)["blocksmoo"])
	_, err := s.Advance(-1)
	refused(t, err, "count")
	values := &valued{Problem: trio(t, 0)}
	c := kinds(t, 0)["blocksmoo"]
	c.Problem = algo.Exact(values)
	s = newRun(t, c)
	values.looks = 0
	if _, err := s.Advance(100); err != nil || values.looks != 1 {
		t.Errorf("100 steps look at the losses %d times, %v", values.looks, err)
	}
	if allocations := testing.AllocsPerRun(10, func() {
		if _, err := s.Advance(50); err != nil {
			t.Error(err)
		}
	}); allocations != 0 {
		t.Errorf("Advance allocates %v times", allocations)
	}
}

// valued is a problem that counts evaluations of the losses.
type valued struct {
	algo.Problem
	looks int
}

func (p *valued) Values(f, x []float64) {
	p.looks++
	p.Problem.Values(f, x)
}

// TestUniformOutput checks that the random output is each x^{t,0,0} with the same probability, and does not depend
// on other random choices.
func TestUniformOutput(t *testing.T) {
	const turns, runs = 8, 4000
	seen := make([]float64, turns)
	c := kinds(t, 0)["blocksmoo"]
	for run := range runs {
		c.StartIndex = run
		s := newRun(t, c)
		var before [][]float64
		for range turns {
			before = append(before, slices.Clone(s.Last()))
			steps(t, s, s.OuterSteps())
		}
		x, at := s.Uniform()
		if !slices.Equal(x, before[at]) {
			t.Fatalf("x of t = %d is %v, want %v", at, x, before[at])
		}
		seen[at]++
	}
	var square float64
	for _, count := range seen {
		const want = float64(runs) / turns
		square += (count - want) * (count - want) / want
	}
	// χ² with 7 degrees of freedom exceeds 24.3 with a probability of one in a thousand.
	if square > 24.3 {
		t.Errorf("each t was chosen %v times", seen)
	}
}

// TestScale checks that, with losses in other units, runs with inversely scaled step sizes are the same. The same must
// hold for variables in other units.
func TestScale(t *testing.T) {
	for name, c := range kinds(t, 0) {
		want := newRun(t, c)
		steps(t, want, 60)
		for _, by := range []float64{1e-8, 1e8, 0x1p-300, 0x1p300} {
			other := c
			other.Problem, other.StepSize = algo.Exact(scaled{c.Problem, by}), c.StepSize/by
			if c.Schedule == blocks.Safe {
				sum := make([]float64, 3)
				for k, m := range c.Frequencies {
					sum[k] = float64(m) / 4
				}
				mu, err := trio(t, 0).WeightedConvexity(sum)
				if err != nil {
					t.Fatal(err)
				}
				other.StrongConvexity, other.Lipschitz = mu*by, trio(t, 0).Lipschitz()*by
			}
			s := newRun(t, other)
			steps(t, s, 60)
			if !near(s.View().X, want.View().X, 1e-13) {
				t.Errorf("%s, losses times %g: x = %v, want %v", name, by, s.View().X, want.View().X)
			}
		}
	}
}

// TestAlike checks where runs end on linear objectives that are equal, opposite, zero, tiny or of very different sizes.
func TestAlike(t *testing.T) {
	for name, p := range map[string]linear{
		"equal": {{1, -2}, {1, -2}}, "opposite": {{1, -2}, {-1, 2}}, "zero": {{0, 0}, {0, 0}}, "one zero": {{3, 1}, {0, 0}},
		"tiny": {{1e-300, 1e-310}, {0, 1e-320}}, "far apart": {{1e8, 0}, {0, 1e-8}},
	} {
		for _, update := range allUpdates {
			s := newRun(t, blocks.Config{
				Problem: algo.Exact(p), Start: []float64{1, 1}, Blocks: [][]int{{1}, {0}}, Frequencies: []int{2, 1}, Update: update, StepSize: 0.25,
			})
			const turns = 10
			steps(t, s, turns*s.OuterSteps())
			want := make([]float64, 2)
			for i := range want {
				want[i] = 1 - turns*0.25*(2*p[0][i]+p[1][i])
			}
			if !near(s.View().X, want, 1e-13) {
				t.Errorf("%s, %v: x = %v, want %v", name, update, s.View().X, want)
			}
		}
	}
}

// spoilt is a problem whose results are not finite from the third call on.
type spoilt struct {
	algo.Problem
	values, gradients bool
	times             int
}

func (p *spoilt) Values(f, x []float64) {
	p.Problem.Values(f, x)
	if p.times++; p.values && p.times > 3 {
		f[len(f)-1] = math.NaN()
	}
}

func (p *spoilt) Gradient(dst []float64, i, lo, hi int, _ []float64) {
	clear(dst)
	if p.times++; p.gradients && p.times > 3 {
		dst[0] = math.Inf(1)
	}
}

// TestDivergence checks that a run that diverges names the first quantity that was not finite, and stays at its
// last good point.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		want              string
		values, gradients bool
	}{{"objective", true, false}, {"gradient", false, true}} {
		p := &spoilt{Problem: linear{{1, 2}, {3, 4}}}
		s := newRun(t, blocks.Config{
			Problem: algo.Exact(p), Start: []float64{1, 2}, Blocks: [][]int{{1}, {0}}, Frequencies: []int{1, 1}, StepSize: 1,
		})
		steps(t, s, 1)
		before := slices.Clone(s.View().X)
		p.values, p.gradients, p.times = c.values, c.gradients, 3
		status, err := s.Step()
		v := s.View()
		want := algo.Divergence{K: 1, Quantity: c.want, Objective: 2}
		if status != algo.Diverged || err != nil || v.Diverged != want || !slices.Equal(v.X, before) ||
			v.K != 1 || v.Direction != nil {
			t.Errorf("%v, %v with %+v, want the %s", status, err, v, c.want)
		}
	}
	far := newRun(t, blocks.Config{
		Problem: algo.Exact(linear{{1e300, -1e300}}), Start: []float64{0, 0}, Frequencies: []int{1}, StepSize: 1e10,
	})
	if status, _ := far.Step(); status != algo.Diverged || far.View().Diverged.Quantity != "iterate" || far.View().X[0] != 0 {
		t.Errorf("%v: %+v, want an iterate that is not finite", status, far.View())
	}
}

// TestBox checks that, in a box, every point is inside and the run ends at the best point, with any order and
// update.
func TestBox(t *testing.T) {
	p := boxed{trio(t, 0.1), []float64{0.2, -1, -1, -1}, []float64{2, 0.1, 1, 0.5}}
	for name, c := range kinds(t, 0) {
		c.Problem, c.Schedule, c.Start = p, blocks.Constant, []float64{2, -1, 1, 0.5}
		s := newRun(t, c)
		for range 100 {
			steps(t, s, 1)
			for i, v := range s.View().X {
				if v < p.lo[i] || v > p.hi[i] {
					t.Fatalf("%s: x = %v at K = %d", name, s.View().X, s.View().K)
				}
			}
		}
	}
	c := kinds(t, 0)["blocksmoo"]
	algotest.Evaluations(t, p, func(p algo.Sampled) algo.Stepper {
		c.Problem = p.(algo.Partial)
		return newRun(t, c)
	})
	// Compare one step with numbers computed by hand: f = x + y on [0, 2] × [0, 2], from (1, 0). y is at its bound and
	// does not move. x moves to its bound.
	s := newRun(t, blocks.Config{
		Problem: boxed{algo.Exact(linear{{1, 1}}), []float64{0, 0}, []float64{2, 2}}, Start: []float64{1, 0}, Frequencies: []int{1}, StepSize: 3,
	})
	steps(t, s, 1)
	if v := s.View(); !slices.Equal(v.X, []float64{0, 0}) || !slices.Equal(v.Direction, []float64{1, 0}) {
		t.Errorf("x = %v along %v, want the corner along (1, 0)", v.X, v.Direction)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*blocks.Config)
	}{
		{"start", func(c *blocks.Config) { c.Start = []float64{1} }},
		{"start", func(c *blocks.Config) { c.Start = []float64{1, math.NaN(), 0, 0} }},
		{"start", func(c *blocks.Config) { c.Start = []float64{1e200, 0, 0, 0} }},
		{"start[0]", func(c *blocks.Config) {
			c.Problem = boxed{c.Problem, []float64{3, -9, -9, -9}, []float64{9, 9, 9, 9}}
		}},
		{"problem: lengths of the bounds", func(c *blocks.Config) { c.Problem = boxed{c.Problem, nil, nil} }},
		{"blocks[1]", func(c *blocks.Config) { c.Blocks = [][]int{{0, 1, 2, 3}, {}} }},
		{"blocks[0][2]", func(c *blocks.Config) { c.Blocks = [][]int{{0, 1, 4}, {2, 3}} }},
		{"blocks[0][0]", func(c *blocks.Config) { c.Blocks = [][]int{{-1, 1}, {2, 3}} }},
		{"blocks[1][1]", func(c *blocks.Config) { c.Blocks = [][]int{{0, 1, 3}, {2, 1}} }},
		{"blocks[0][1]", func(c *blocks.Config) { c.Blocks = [][]int{{0, 0, 1, 2, 3}} }},
		{"blocks", func(c *blocks.Config) { c.Blocks = [][]int{{0, 1}, {3}} }},
		{"blocks", func(c *blocks.Config) { c.Blocks = [][]int{} }},
		{"m", func(c *blocks.Config) { c.Frequencies = nil }},
		{"m", func(c *blocks.Config) { c.Frequencies = []int{1, 1} }},
		{"m", func(c *blocks.Config) { c.Frequencies = []int{0, 0, 0} }},
		{"m[1]", func(c *blocks.Config) { c.Frequencies = []int{3, -1, 1} }},
		{"m[2]", func(c *blocks.Config) { c.Frequencies = []int{1, 1, 1 << 20} }},
		{"m[0]", func(c *blocks.Config) { c.Frequencies = []int{math.MaxInt, math.MaxInt, 1} }},
		{"steps", func(c *blocks.Config) { c.Steps = 4 }},
		{"steps", func(c *blocks.Config) { c.Together, c.Steps = true, -1 }},
		{"steps", func(c *blocks.Config) { c.Together, c.Steps = true, 1<<20+1 }},
		{"order", func(c *blocks.Config) { c.Order = "none" }},
		{"blockorder", func(c *blocks.Config) { c.BlockOrder = "none" }},
		{"update", func(c *blocks.Config) { c.Update = "none" }},
		{"schedule", func(c *blocks.Config) { c.Schedule = "none" }},
		{"alpha", func(c *blocks.Config) { c.StepSize = 0 }},
		{"alpha", func(c *blocks.Config) { c.StepSize, c.Schedule = math.Inf(1), blocks.Safe }},
		{"horizon", func(c *blocks.Config) { c.Schedule = blocks.InverseSqrt }},
		{"schedule", func(c *blocks.Config) { c.Problem, c.Schedule = algo.Exact(still{4, 3}), blocks.Safe }},
		{"schedule", func(c *blocks.Config) { c.Problem, c.Schedule = algo.Exact(still{4, 3}), blocks.Printed }},
		{"schedule", func(c *blocks.Config) {
			c.Problem, c.Schedule, c.StrongConvexity = algo.Exact(still{4, 3}), blocks.Safe, 1
		}},
		{"strong convexity", func(c *blocks.Config) { c.Schedule, c.StrongConvexity = blocks.Printed, -1 }},
		{"strong convexity", func(c *blocks.Config) { c.Schedule, c.StrongConvexity = blocks.Printed, math.Inf(1) }},
		{"lipschitz", func(c *blocks.Config) { c.Schedule, c.Lipschitz = blocks.Safe, math.NaN() }},
		{"shared", func(c *blocks.Config) { c.Shared = []bool{true} }},
		{"batch", func(c *blocks.Config) { c.Batch = 1 }},
		{"batch", func(c *blocks.Config) { c.Problem, c.Batch = examples(t), -1 }},
		{"batch", func(c *blocks.Config) { c.Problem, c.Batch = examples(t), 11 }},
	} {
		config := blocks.Config{
			Problem: trio(t, 0), Start: []float64{1, 0, 0, 0}, Blocks: [][]int{{0, 1}, {2, 3}}, Frequencies: []int{1, 1, 1}, StepSize: 0.1,
		}
		c.change(&config)
		_, err := blocks.New(config)
		refused(t, err, c.name)
	}
	if _, err := blocks.New(blocks.Config{}); err != algo.ErrNoProblem {
		t.Errorf("without a problem: %v", err)
	}
}

// still is a problem with objectives that are 0 everywhere.
type still struct{ n, m int }

func (p still) Dims() (n, m int)                       { return p.n, p.m }
func (still) Values(f, _ []float64)                    { clear(f) }
func (still) Jacobian(jac *algo.Jacobian, _ []float64) { clear(jac.Data) }

// examples returns a finite sum of ten examples in four variables, with three objectives.
func examples(t testing.TB) *problem.DiagonalSum {
	t.Helper()
	p, err := problem.RandomDiagonalSum(problem.DiagonalSumConfig{
		Objectives: 3, Examples: 10, Variables: 4, Condition: 3, Heterogeneity: 1, Noise: 0.5, Seed: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLiveStepSize(t *testing.T) {
	c := kinds(t, 0)["blocksmoo"]
	s := newRun(t, c)
	steps(t, s, 5) // in the middle of an outer iteration
	if err := s.SetStepSize(0.2); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	if got := s.View().StepSize; got != 0.2 {
		t.Errorf("α = %v after it was set, want 0.2", got)
	}
	for _, alpha := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		refused(t, s.SetStepSize(alpha), "alpha")
	}
	c.Schedule = blocks.Safe
	s = newRun(t, c)
	steps(t, s, 1)
	before := s.View().StepSize
	if err := s.SetStepSize(7); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	if got := s.View().StepSize; got != before {
		t.Errorf("α = %v of a schedule without a constant after one was set, want %v", got, before)
	}
}
