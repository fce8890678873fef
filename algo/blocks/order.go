package blocks

import (
	"math/bits"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
)

// Order is the order of the objectives in the p steps of a block: the index mapping π of
// Algorithm 1, in which objective k appears exactly m_k times.
type Order int

const (
	// RandomOrder is drawn for every block in every outer iteration; all arrangements are
	// equally likely.
	RandomOrder Order = iota
	// Contiguous is objective 0 m_0 times, then objective 1 m_1 times, and so on.
	Contiguous
	// Cyclic goes round the objectives 0 … q−1 and skips those whose turns are used up: m =
	// (3, 1, 2) gives 0, 1, 2, 0, 2, 0.
	Cyclic
)

var orderNames = [...]string{"random", "contiguous", "cyclic"}

// Orders returns all orders.
func Orders() []Order { return choice.All[Order](orderNames[:]) }

// String returns the name that ParseOrder accepts.
func (o Order) String() string { return choice.Name(int(o), orderNames[:], "order") }

// ParseOrder returns the order with the given name: random, contiguous or cyclic.
func ParseOrder(name string) (Order, error) { return choice.Parse[Order](name, orderNames[:], "order") }

// BlockOrder is the order of the blocks in an outer iteration: the permutation σ of
// Algorithm 1.
type BlockOrder int

const (
	// RandomBlocks draws a new order in every outer iteration.
	RandomBlocks BlockOrder = iota
	// ListedBlocks always keeps the order in which the blocks are given.
	ListedBlocks
)

var blockOrderNames = [...]string{"random", "listed"}

// BlockOrders returns all orders of blocks.
func BlockOrders() []BlockOrder { return choice.All[BlockOrder](blockOrderNames[:]) }

// String returns the name that ParseBlockOrder accepts.
func (o BlockOrder) String() string { return choice.Name(int(o), blockOrderNames[:], "blockorder") }

// ParseBlockOrder returns the order of blocks with the given name: random or listed.
func ParseBlockOrder(name string) (BlockOrder, error) {
	return choice.Parse[BlockOrder](name, blockOrderNames[:], "blockorder")
}

// Update says which values of the other blocks a block sees.
type Update int

const (
	// GaussSeidel lets every step see all earlier ones: Algorithm 1.
	GaussSeidel Update = iota
	// Jacobi lets a block see its own steps, and the other blocks as they were when the
	// outer iteration began: all blocks could move at the same time. The paper leaves this
	// to later work.
	Jacobi
)

var updateNames = [...]string{"gaussseidel", "jacobi"}

// Updates returns all updates.
func Updates() []Update { return choice.All[Update](updateNames[:]) }

// String returns the name that ParseUpdate accepts.
func (u Update) String() string { return choice.Name(int(u), updateNames[:], "update") }

// ParseUpdate returns the update with the given name: gaussseidel or jacobi.
func ParseUpdate(name string) (Update, error) {
	return choice.Parse[Update](name, updateNames[:], "update")
}

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
		shuffle(dst, source)
	}
}

// count stores 0, 1, 2, … in dst.
func count(dst []int) {
	for i := range dst {
		dst[i] = i
	}
}

// shuffle puts v into a random order; all orders are equally likely.
func shuffle(v []int, source rand.PCG) {
	for i := len(v) - 1; i > 0; i-- {
		j := below(&source, i+1)
		v[i], v[j] = v[j], v[i]
	}
}

// below draws a number from 0 to n−1, for n ≥ 1.
func below(source *rand.PCG, n int) int {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(high)
}
