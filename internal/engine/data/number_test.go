package data

import (
	"encoding/json"
	"math"
	"testing"
)

// TestKnown checks that every number can be written as JSON.
func TestKnown(t *testing.T) {
	list := []*float64{Known(1.5), Known(0), Known(-math.MaxFloat64), Known(math.NaN()), Known(math.Inf(1)), Known(math.Inf(-1))}
	got, err := json.Marshal(list)
	if want := "[1.5,0,-1.7976931348623157e+308,null,null,null]"; err != nil || string(got) != want {
		t.Errorf("got %s, error %v, want %s", got, err, want)
	}
}
