package blocks_test

import (
	"fmt"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

// outerMoves returns the sequences of blocks and of objectives in the first count outer iterations.
func outerMoves(t testing.TB, c blocks.Config, count int) (sequences, turns [][]int) {
	t.Helper()
	s := newRun(t, c)
	for range count {
		var sequence, turn []int
		for range s.OuterSteps() {
			steps(t, s, 1)
			m := lastMove(t, s)
			if m.Turn == 0 {
				sequence = append(sequence, m.Block)
			}
			turn = append(turn, m.Objective)
		}
		sequences, turns = append(sequences, sequence), append(turns, turn)
	}
	return sequences, turns
}

func ordered(m []int, order blocks.Order, blockOrder blocks.BlockOrder) blocks.Config {
	return blocks.Config{
		Problem: algo.Exact(still{3, len(m)}), Start: []float64{0, 0, 0}, Blocks: [][]int{{0}, {1}, {2}}, Frequencies: m, Order: order,
		BlockOrder: blockOrder, StepSize: 1, Seed: 11,
	}
}

func TestOrdersByHand(t *testing.T) {
	for _, c := range []struct {
		m                  []int
		contiguous, cyclic []int
	}{
		{[]int{3, 1, 2}, []int{0, 0, 0, 1, 2, 2}, []int{0, 1, 2, 0, 2, 0}},
		{[]int{2, 0, 3}, []int{0, 0, 2, 2, 2}, []int{0, 2, 0, 2, 2}},
		{[]int{0, 0, 1}, []int{2}, []int{2}},
		{[]int{1, 1, 1}, []int{0, 1, 2}, []int{0, 1, 2}},
	} {
		for order, want := range map[blocks.Order][]int{blocks.Contiguous: c.contiguous, blocks.Cyclic: c.cyclic} {
			sequences, turns := outerMoves(t, ordered(c.m, order, blocks.ListedBlocks), 3)
			for i := range turns {
				if !slices.Equal(turns[i], slices.Concat(want, want, want)) || !slices.Equal(sequences[i], []int{0, 1, 2}) {
					t.Errorf("m = %v, %v: objectives %v on blocks %v, want %v on each", c.m, order, turns[i], sequences[i], want)
				}
			}
		}
	}
}

// TestRandomOrders checks that every arrangement of the objectives, and every order of the blocks, is equally
// likely in every position. The draws of one setting must not depend on other settings.
func TestRandomOrders(t *testing.T) {
	const count = 4000
	m := []int{2, 1, 1}
	sequences, turns := outerMoves(t, ordered(m, blocks.RandomOrder, blocks.RandomBlocks), count)
	blockOrders := map[string]int{}
	arrangements := [3]map[string]int{{}, {}, {}}
	byBlock := map[string][]int{}
	for i := range turns {
		blockOrders[fmt.Sprint(sequences[i])]++
		for visit := range 3 {
			turn := turns[i][4*visit : 4*visit+4]
			arrangements[visit][fmt.Sprint(turn)]++
			if !slices.Equal(slices.Sorted(slices.Values(turn)), []int{0, 0, 1, 2}) {
				t.Fatalf("turns %v", turn)
			}
			byBlock[fmt.Sprint(i, sequences[i][visit])] = turn
		}
	}
	even := func(what string, seen map[string]int, kinds int) {
		t.Helper()
		var square float64
		want := count / float64(kinds)
		for _, n := range seen {
			square += (float64(n) - want) * (float64(n) - want) / want
		}
		// χ² with kinds−1 degrees of freedom exceeds this limit about once in ten thousand times.
		if len(seen) != kinds || square > 2*float64(kinds)+20 {
			t.Errorf("%s: %d kinds of %d, χ² = %v: %v", what, len(seen), kinds, square, seen)
		}
	}
	even("blocks", blockOrders, 6)
	for visit := range arrangements {
		even(fmt.Sprintf("objectives of visit %d", visit), arrangements[visit], 12)
	}

	listed, sameTurns := outerMoves(t, ordered(m, blocks.RandomOrder, blocks.ListedBlocks), 20)
	for i := range sameTurns {
		for block := range listed[i] {
			if got, want := sameTurns[i][4*block:4*block+4], byBlock[fmt.Sprint(i, block)]; !slices.Equal(got, want) {
				t.Errorf("t = %d: turns on block %d are %v in the listed order, %v in a random one", i, block, got, want)
			}
		}
	}
	sameBlocks, _ := outerMoves(t, ordered(m, blocks.Cyclic, blocks.RandomBlocks), 20)
	for i, sequence := range sameBlocks {
		if !slices.Equal(sequence, sequences[i]) {
			t.Errorf("t = %d: blocks %v with cyclic objectives, %v with random ones", i, sequence, sequences[i])
		}
	}
	c := ordered(m, blocks.RandomOrder, blocks.RandomBlocks)
	c.Seed++
	otherSequences, otherTurns := outerMoves(t, c, 20)
	if slices.EqualFunc(otherSequences, sequences[:20], slices.Equal) || slices.EqualFunc(otherTurns, turns[:20], slices.Equal) {
		t.Error("another seed draws the same orders")
	}
}
