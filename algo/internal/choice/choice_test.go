package choice

import (
	"errors"
	"fmt"
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

// TestField: an error of a constructor names the field of the Config, once, and other errors stay.
func TestField(t *testing.T) {
	fields := map[string]string{"eta": "StepSize"}
	err := Field(fmt.Errorf("run: %w", &algo.RangeError{Name: "eta", Value: 0, Allowed: "it must be positive"}), fields)
	var refused *algo.RangeError
	if !errors.As(err, &refused) || refused.Field != "StepSize" || refused.Error() != "eta = 0: it must be positive" {
		t.Errorf("error %v of %+v", err, refused)
	}
	if err := Field(Field(err, fields), map[string]string{"eta": "Another"}); !errors.As(err, &refused) || refused.Field != "StepSize" {
		t.Errorf("error %v", err)
	}
	if Field(nil, fields) != nil {
		t.Error("no error becomes one")
	}
}
