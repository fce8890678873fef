package algo_test

import (
	"fmt"
	"testing"

	"paretoplay/algo"
)

// TestDivergenceString checks that String returns an empty string for a run that did not diverge.
func TestDivergenceString(t *testing.T) {
	if got := fmt.Sprintf("%+v", algo.View{K: 3}.Diverged); got != "" {
		t.Errorf("a run that goes on says %q", got)
	}
	for want, d := range map[string]algo.Divergence{
		"the gradient was not finite in the step from k = 2":             {K: 2, Quantity: "gradient"},
		"the value of objective 1 was not finite in the step from k = 0": {Quantity: "objective", Objective: 1},
	} {
		if got := d.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
