package blocks_test

import (
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
)

// reading is a problem that records the batches on which it is evaluated.
type reading struct {
	*problem.DiagonalSum
	batches [][]int
}

func (p *reading) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	p.batches = append(p.batches, slices.Clone(s.Batch))
	p.DiagonalSum.GradientAt(dst, i, lo, hi, x, s)
}

// TestBatches checks that a pass uses every example once, except for the examples left over. Passes must have
// different orders. A block that shares its samples must use one batch for all its steps.
func TestBatches(t *testing.T) {
	c := blocks.Config{
		Start: make([]float64, 4), Blocks: [][]int{{0, 1}, {2}, {3}}, Frequencies: []int{2, 1, 1}, Batch: 3, StepSize: 0.1, Seed: 6,
	}
	for _, shared := range [][]bool{nil, {false, true, false}, {true, true, true}} {
		p := &reading{DiagonalSum: examples(t)}
		c.Problem, c.Shared = p, shared
		s := newRun(t, c)
		var used [][]int // consecutive, without repeats
		for k := range 60 {
			steps(t, s, 1)
			m := lastMove(t, s)
			batch := p.batches[k]
			if shared != nil && shared[m.Block] && m.Turn > 0 {
				if !slices.Equal(batch, p.batches[k-1]) {
					t.Errorf("shared %v: step %d of block %d sees %v, before %v", shared, m.Turn, m.Block, batch, p.batches[k-1])
				}
			} else {
				used = append(used, batch)
			}
			if s.Samples() != len(used) {
				t.Errorf("shared %v: %d samples after K = %d, want %d", shared, s.Samples(), k+1, len(used))
			}
		}
		var passes [][]int
		for len(used) >= 3 {
			pass := slices.Concat(used[:3]...)
			sorted := slices.Compact(slices.Sorted(slices.Values(pass)))
			if len(sorted) != 9 || sorted[0] < 0 || sorted[8] > 9 {
				t.Errorf("shared %v: a pass uses %v", shared, pass)
			}
			passes, used = append(passes, pass), used[3:]
		}
		if slices.Equal(passes[0], passes[1]) || len(passes) < 5 {
			t.Errorf("shared %v: passes %v", shared, passes)
		}
	}
}

// TestWholeBatch checks that a batch of all examples is stored as no batch, and gives the same run as no batch.
func TestWholeBatch(t *testing.T) {
	c := blocks.Config{Problem: examples(t), Start: make([]float64, 4), Frequencies: []int{2, 1, 1}, StepSize: 0.1, Seed: 6}
	a := newRun(t, c)
	c.Batch = 10
	b := newRun(t, c)
	steps(t, a, 30)
	steps(t, b, 30)
	if !slices.Equal(a.View().X, b.View().X) {
		t.Errorf("x = %v without batches, %v with batches of all", a.View().X, b.View().X)
	}
}

func TestConformanceOnBatches(t *testing.T) {
	for _, shared := range [][]bool{nil, {true, false}} {
		c := blocks.Config{
			Problem: examples(t), Start: make([]float64, 4), Blocks: [][]int{{0, 2}, {1, 3}}, Frequencies: []int{2, 1, 1}, Batch: 3,
			Shared: shared, StepSize: 0.1, Seed: 6,
		}
		for _, kind := range []func(blocks.Config) blocks.Config{
			func(c blocks.Config) blocks.Config { return c }, blocks.WeightedSum, blocks.FunctionAlternate, blocks.BlockAlternate,
		} {
			algotest.Stepper(t, func() algo.Stepper { return newRun(t, kind(c)) })
		}
	}
}
