package choice

import (
	"errors"
	"slices"
	"testing"

	"paretoplay/algo"
)

type side int

func TestChoice(t *testing.T) {
	names := []string{"left", "right"}
	if got := All[side](names); !slices.Equal(got, []side{0, 1}) {
		t.Errorf("there are %v, want 0 and 1", got)
	}
	for value, want := range map[int]string{0: "left", 1: "right", 2: "side(2)", -1: "side(-1)"} {
		if got := Name(value, names, "side"); got != want {
			t.Errorf("%d is %q, want %q", value, got, want)
		}
	}
	if got, err := Parse[side]("right", names, "side"); got != 1 || err != nil {
		t.Errorf("right is %d, %v", got, err)
	}
	var refused *algo.RangeError
	if _, err := Parse[side]("up", names, "side"); !errors.As(err, &refused) || err.Error() != "side = up: must be one of [left right]" {
		t.Errorf("up gives %v", err)
	}
}
