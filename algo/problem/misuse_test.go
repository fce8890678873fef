package problem

import "testing"

// TestMisuse checks that NewReducedRank returns an error for nil data.
func TestMisuse(t *testing.T) {
	if _, err := NewReducedRank(nil, ReducedRankConfig{Rank: 1}); err == nil {
		t.Error("a problem about nothing is made")
	}
}
