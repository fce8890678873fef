package blocksmoo

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/sweeps"
)

// million is the unit of multiplications (each with an addition), and thousand is the unit of gradient coordinates.
const million, thousand = 1e6, 1e3

// run is a run in progress.
type run struct {
	stepper  *blocks.Alternation
	steps    int  // steps per visit to a block
	inBlocks bool // whether there are several blocks
	// Multiplications per block: in the first step of a visit, and in each following step.
	first, further []int
	outer          int // multiplications in an outer iteration
	work           int // multiplications in all steps taken by forward

	test   *problem.ReducedRank
	losses []float64
}

// begin starts a trial's run on the given examples.
func (s *Tables) begin(e examples, rank int, t trial, seed uint64) (*run, error) {
	frequencies := slices.Repeat([]int{t.M}, e.train.Responses())
	return newRun(e, rank, t, frequencies, nil, s.config.Batch, seed)
}

// newRun starts a run with the given frequencies. The argument shared becomes Shared in blocks.Config. If it is nil,
// the run uses the method's choice.
func newRun(e examples, rank int, t trial, frequencies []int, shared []bool, batch int, seed uint64) (*run, error) {
	sharing := t.Shared || shared != nil
	p, err := problem.NewReducedRank(e.train, problem.ReducedRankConfig{Rank: rank, KeepProduct: sharing})
	if err != nil {
		return nil, err
	}
	test, err := problem.NewReducedRank(e.test, problem.ReducedRankConfig{Rank: rank})
	if err != nil {
		return nil, err
	}
	n, q := p.Dims()
	config := blocks.Config{Problem: p, Start: p.Start(seed, 0), Frequencies: frequencies, StepSize: t.Alpha, Batch: batch, Seed: seed,
		Blocks: partition(e.train.Features()*rank, q, n, t.ByRows), Shared: shared}
	if t.Shared {
		config.Shared = make([]bool, len(config.Blocks))
		for b := 1; b < len(config.Shared); b++ { // the blocks of V
			config.Shared[b] = true
		}
	}
	switch t.ID {
	case sweeps.WeightedSum:
		config = blocks.WeightedSum(config)
	case sweeps.FunctionAlternate:
		config = blocks.FunctionAlternate(config)
	case sweeps.BlockAlternate:
		config = blocks.BlockAlternate(config)
	}
	stepper, err := blocks.New(config)
	if err != nil {
		return nil, err
	}
	r := &run{stepper: stepper, test: test, losses: make([]float64, q), inBlocks: config.Blocks != nil}
	if config.Blocks == nil {
		config.Blocks = [][]int{{0, n - 1}}
	}
	r.steps = stepper.OuterSteps() / len(config.Blocks)
	for _, block := range config.Blocks {
		cost := func(kept bool) int {
			lo, hi := block[0], block[len(block)-1]+1
			if config.Together {
				return p.WeightedWork(batch, lo, hi, kept)
			}
			return p.Work(batch, 0, lo, hi, kept) // equal for all objectives
		}
		r.first, r.further = append(r.first, cost(false)), append(r.further, cost(sharing))
		r.outer += cost(false) + (r.steps-1)*cost(sharing)
	}
	return r, nil
}

// partition returns the blocks: U, which contains the first u variables, and V or each row of V.
func partition(u, q, n int, rows bool) [][]int {
	stretch := func(lo, hi int) []int {
		out := make([]int, hi-lo)
		for i := range out {
			out[i] = lo + i
		}
		return out
	}
	out := [][]int{stretch(0, u)}
	if !rows {
		return append(out, stretch(u, n))
	}
	for lo := u; lo < n; lo += q {
		out = append(out, stretch(lo, lo+q))
	}
	return out
}

// loss returns the mean of the objectives on the test examples, or infinity after the run has diverged.
func (r *run) loss() float64 {
	r.test.Values(r.losses, r.stepper.View().X)
	var sum float64
	for _, v := range r.losses {
		sum += v / float64(len(r.losses))
	}
	if sum-sum != 0 {
		return math.Inf(1)
	}
	return sum
}

// forward takes steps that together cost about the given number of multiplications, and counts their cost. It takes at
// least one step, and stays within one visit to a block.
func (r *run) forward(work int) (algo.Status, error) {
	before := r.stepper.View().K
	done := before % r.steps
	steps := max(1, work/r.dearest())
	if r.inBlocks {
		steps = min(steps, r.steps-done)
	}
	status, err := r.stepper.Advance(steps)
	if err != nil || status == algo.Diverged {
		return status, err
	}
	block := 0
	if r.inBlocks {
		move, _ := r.stepper.Move()
		block = move.Block
	}
	made := r.stepper.View().K - before
	r.work += made * r.further[block]
	if done == 0 { // with one block, all steps cost the same
		r.work += r.first[block] - r.further[block]
	}
	return status, nil
}

// dearest returns the maximum cost of a step after the first one of a visit.
func (r *run) dearest() int { return slices.Max(r.further) }
