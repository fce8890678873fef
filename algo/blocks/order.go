package blocks

import (
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Order is the order of the objectives in the p steps of a block: the index mapping π of Algorithm 1. Objective k
// appears exactly m_k times.
type Order string

const (
	// RandomOrder draws a new order for every block in every outer iteration. All arrangements are equally likely.
	RandomOrder Order = "random"
	// Contiguous uses objective 0 m_0 times, then objective 1 m_1 times, and so on.
	Contiguous Order = "contiguous"
	// Cyclic cycles through the objectives 0 … q−1, and skips objectives whose turns are used up. For example, m =
	// (3, 1, 2) gives 0, 1, 2, 0, 2, 0.
	Cyclic Order = "cyclic"
)

// BlockOrder is the order of the blocks in an outer iteration: the permutation σ of
// Algorithm 1.
type BlockOrder string

const (
	// RandomBlocks draws a new order in every outer iteration.
	RandomBlocks BlockOrder = "random"
	// ListedBlocks keeps the order in which the blocks are listed.
	ListedBlocks BlockOrder = "listed"
)

// Update selects which values of the other blocks a step uses.
type Update string

const (
	// GaussSeidel uses the values after all earlier steps, as in Algorithm 1.
	GaussSeidel Update = "gaussseidel"
	// Jacobi uses the values after the block's own steps, but keeps the other blocks as they were at the start of
	// the outer iteration. All blocks could then move at the same time. The paper leaves this to later work.
	Jacobi Update = "jacobi"
)

// shuffleBlocks is the purpose for drawing the order of the blocks. This order and the orders of the objectives on each
// block use separate streams, which also differ from the stream algo.Shuffle of the batches. Therefore changing one
// setting does not change the draws of another.
const shuffleBlocks = algo.Shuffle + 1<<32

// shuffleObjectives returns the purpose for drawing the order of the objectives on a block.
func shuffleObjectives(block int) algo.Purpose { return algo.Shuffle + algo.Purpose(block+2)<<32 }

// arrange stores the order of the objectives in dst, of length p = Σ m_k. It draws a random order from source.
func arrange(dst []int, order Order, m []int, source rand.PCG) {
	place := 0
	if order == Cyclic {
		for round := 0; place < len(dst); round++ {
			for k, times := range m {
				if times > round {
					dst[place] = k
					place++
				}
			}
		}
		return
	}
	for k, times := range m {
		for range times {
			dst[place] = k
			place++
		}
	}
	if order == RandomOrder {
		schedule.Shuffle(dst, &source)
	}
}
