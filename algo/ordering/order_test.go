package ordering_test

import (
	"slices"
	"testing"

	"paretoplay/algo/ordering"
)

// epochOrders returns the orders of the first epochs of a run.
func epochOrders(t *testing.T, k kind, first ordering.First, seed uint64, epochs int) [][][]int {
	t.Helper()
	s := newRun(t, ordering.Config{
		Problem: diagonal(t, 3, 7, 2), Start: []float64{0, 0}, Kind: k.Kind, Own: k.own, First: first, StepSize: 0.1, Seed: seed,
	})
	all := make([][][]int, epochs)
	for e := range all {
		steps(t, s, 1)
		for _, order := range s.Orders() {
			all[e] = append(all[e], slices.Clone(order))
		}
		steps(t, s, 6)
	}
	return all
}

func reversed(order []int) []int {
	order = slices.Clone(order)
	slices.Reverse(order)
	return order
}

// TestOrders checks the orders of the kinds that do not balance.
func TestOrders(t *testing.T) {
	given := []int{0, 1, 2, 3, 4, 5, 6}
	for _, k := range kinds() {
		for _, first := range []ordering.First{ordering.RandomFirst, ordering.GivenFirst} {
			orders := epochOrders(t, k, first, 5, 6)
			other := epochOrders(t, k, first, 6, 6)
			shared := epochOrders(t, kind{k.Kind, false}, first, 5, 6)
			for e, all := range orders {
				if len(all) != k.orders(3) {
					t.Fatalf("%v: %d orders", k, len(all))
				}
				for m, order := range all {
					sorted := slices.Sorted(slices.Values(order))
					if !slices.Equal(sorted, given) {
						t.Fatalf("%v, epoch %d: %v is not an order", k, e, order)
					}
					if e == 0 && first == ordering.GivenFirst && !slices.Equal(order, given) {
						t.Errorf("%v: the first order is %v, want the data's order", k, order)
					}
					if e == 0 && first == ordering.RandomFirst && (slices.Equal(order, other[0][m]) || m > 0 && slices.Equal(order, all[0])) {
						t.Errorf("%v: order %d is %v, as with another seed or for another objective", k, m, order)
					}
					if e == 0 {
						continue
					}
					before, same := orders[e-1][m], slices.Equal(order, orders[e-1][m])
					mirrored := slices.Equal(order, reversed(before))
					switch k.Kind {
					case ordering.Random:
						if same || mirrored {
							t.Errorf("%v, epoch %d: %v after %v", k, e, order, before)
						}
					case ordering.ShuffleOnce:
						if !same {
							t.Errorf("%v, epoch %d: %v after %v", k, e, order, before)
						}
					case ordering.FlipFlop:
						if !mirrored {
							t.Errorf("%v, epoch %d: %v after %v", k, e, order, before)
						}
					case ordering.RandomFlipFlop:
						if mirrored != (e%2 == 1) || same {
							t.Errorf("%v, epoch %d: %v after %v", k, e, order, before)
						}
					}
				}
				if !k.Balances() && !slices.Equal(all[0], shared[e][0]) {
					t.Errorf("%v, epoch %d: the first objective's order is %v, a shared one is %v", k, e, all[0], shared[e][0])
				}
			}
		}
	}
}

// TestRandomOrdersAreUniform checks that over many epochs every example takes every place equally often.
func TestRandomOrdersAreUniform(t *testing.T) {
	const epochs, k = 6000, 3
	s := newRun(t, ordering.Config{Problem: diagonal(t, 1, k, 1), Start: []float64{0}, StepSize: 0.1, Seed: 1})
	counts := map[[k]int]int{}
	for range epochs {
		steps(t, s, 1)
		counts[[k]int(s.Orders()[0])]++
		steps(t, s, k-1)
	}
	// The expected count is 1000, with a standard deviation of 29.
	for order, count := range counts {
		if count < 880 || count > 1120 {
			t.Errorf("%v came %d times in %d epochs", order, count, epochs)
		}
	}
	if len(counts) != 6 {
		t.Errorf("%d orders came, want 6", len(counts))
	}
}
