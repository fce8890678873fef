package sweep

import (
	"math/bits"

	"paretoplay/algo/blocks"
)

// vectorsOf returns the vectors of p turns in the order of their runs. The order follows van der Corput's sequence, so
// that the first few vectors already cover the triangle. The binary digits of i, reversed, give the index of vector i
// in blocks.Grid.
func vectorsOf(p int) [][]int {
	list := blocks.Grid(p, objectives)
	digits := bits.Len(uint(len(list) - 1))
	out := make([][]int, 0, len(list))
	for i := range uint64(1) << digits {
		if j := bits.Reverse64(i) >> (64 - digits); j < uint64(len(list)) {
			out = append(out, list[j])
		}
	}
	return out
}

// grid holds the vectors of frequencies, in the order of their runs, and their neighbours.
type grid struct {
	vectors [][]int
	weights [][]float64 // m_k/p
	edges   [][2]int    // pairs of neighbours, which differ by one turn
	faces   [][3]int    // triples of vectors that are all neighbours of each other
}

// newGrid returns the grid of vectors. The list must contain all vectors that have the same number of turns, in any
// order.
func newGrid(vectors [][]int) grid {
	g := grid{vectors: vectors}
	p := 0
	for _, times := range vectors[0] {
		p += times
	}
	index := map[[2]int]int{}
	for i, m := range vectors {
		index[[2]int{m[0], m[1]}] = i
		w := make([]float64, len(m))
		for k, times := range m {
			w[k] = float64(times) / float64(p)
		}
		g.weights = append(g.weights, w)
	}
	for i, m := range vectors {
		right, rightThere := index[[2]int{m[0] + 1, m[1]}]
		up, upThere := index[[2]int{m[0], m[1] + 1}]
		beside, besideThere := index[[2]int{m[0] + 1, m[1] - 1}]
		if rightThere {
			g.edges = append(g.edges, [2]int{i, right})
		}
		if upThere {
			g.edges = append(g.edges, [2]int{i, up})
		}
		if besideThere {
			g.edges = append(g.edges, [2]int{i, beside})
		}
		if rightThere && upThere {
			g.faces = append(g.faces, [3]int{i, right, up})
		}
		if rightThere && besideThere {
			g.faces = append(g.faces, [3]int{i, beside, right})
		}
	}
	return g
}

// inner reports whether every objective has turns in vector i.
func (g *grid) inner(i int) bool {
	for _, times := range g.vectors[i] {
		if times == 0 {
			return false
		}
	}
	return true
}
