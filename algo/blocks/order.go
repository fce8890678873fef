package blocks

import (
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Order is the order of the objectives in the p steps of a block: the index mapping π of
// Algorithm 1, in which objective k appears exactly m_k times.
type Order string

const (
	// RandomOrder is drawn for every block in every outer iteration; all arrangements are
	// equally likely.
	RandomOrder Order = "random"
	// Contiguous is objective 0 m_0 times, then objective 1 m_1 times, and so on.
	Contiguous Order = "contiguous"
	// Cyclic goes round the objectives 0 … q−1 and skips those whose turns are used up: m =
	// (3, 1, 2) gives 0, 1, 2, 0, 2, 0.
	Cyclic Order = "cyclic"
)

// BlockOrder is the order of the blocks in an outer iteration: the permutation σ of
// Algorithm 1.
type BlockOrder string

const (
	// RandomBlocks draws a new order in every outer iteration.
	RandomBlocks BlockOrder = "random"
	// ListedBlocks always keeps the order in which the blocks are given.
	ListedBlocks BlockOrder = "listed"
)

// Update says which values of the other blocks a block sees.
type Update string

const (
	// GaussSeidel lets every step see all earlier ones: Algorithm 1.
	GaussSeidel Update = "gaussseidel"
	// Jacobi lets a block see its own steps, and the other blocks as they were when the
	// outer iteration began: all blocks could move at the same time. The paper leaves this
	// to later work.
	Jacobi Update = "jacobi"
)

// Orders of blocks and of the objectives on each block are drawn from separate streams,
// beside algo.Shuffle for batches, so that no setting's draws depend on another setting.
const shuffleBlocks = algo.Shuffle + 1<<32

// shuffleObjectives is the purpose of the order of objectives on a block.
func shuffleObjectives(block int) algo.Purpose { return algo.Shuffle + algo.Purpose(block+2)<<32 }

// arrange stores the order of the objectives in dst, of length p = Σ m_k; source draws a
// random one.
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
