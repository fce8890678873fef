package choice

import (
	"errors"
	"fmt"
	"testing"

	"paretoplay/algo"
)

type side string

// TestSettle checks that an empty setting becomes the first of its names, and that the error for an unknown value
// lists the names.
func TestSettle(t *testing.T) {
	for value, want := range map[side]side{"": "left", "left": "left", "right": "right"} {
		if err := Settle(&value, "side", "left", "right"); err != nil || value != want {
			t.Errorf("%q, %v; want %q", value, err, want)
		}
	}
	up := side("up")
	var refused *algo.RangeError
	if err := Settle(&up, "side", "left", "right"); !errors.As(err, &refused) || err.Error() != `side "up": must be one of [left right]` {
		t.Errorf("up gives %v", err)
	}
}

// TestField checks that an error of a constructor names the field of the Config once, and that other errors do not
// change.
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
