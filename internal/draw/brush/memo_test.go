package brush

import "testing"

// TestMemo checks that repeated calls with the same key, even the zero key, compute the result once and allocate
// nothing. When a key returns after another key, the result must be computed again.
func TestMemo(t *testing.T) {
	type key struct {
		name string
		k    int
	}
	var memo Memo[key, *int]
	computed := 0
	of := func(name string, k int) *int {
		return memo.Of(key{name, k}, func() *int {
			computed++
			result := 10 * k
			return &result
		})
	}
	for i, c := range []struct {
		key
		computed int
	}{{key{}, 1}, {key{}, 1}, {key{"a", 1}, 2}, {key{"a", 1}, 2}, {key{"a", 2}, 3}, {key{"b", 2}, 4}, {key{"a", 1}, 5}} {
		if got := of(c.name, c.k); *got != 10*c.k || computed != c.computed {
			t.Errorf("call %d: %d, computed %d times instead of %d", i, *got, computed, c.computed)
		}
	}
	if n := testing.AllocsPerRun(100, func() { of("a", 1) }); n != 0 {
		t.Errorf("got %v allocations in a repeated call", n)
	}
}
