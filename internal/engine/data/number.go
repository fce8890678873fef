package data

import (
	"encoding/json"
	"math"

	"paretoplay/algo"
)

// Known returns a number for JSON: nil, which is written as null, for NaN and infinities.
func Known(v float64) *float64 {
	if !algo.Finite([]float64{v}) {
		return nil
	}
	return &v
}

// Number is a number that JSON holds as null if it is NaN, because it is unknown, or infinite,
// because it has overflowed.
type Number float64

// MarshalJSON writes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	return json.Marshal(Known(float64(n)))
}

// UnmarshalJSON reads a number, or null for one that is not known.
func (n *Number) UnmarshalJSON(text []byte) error {
	number := new(float64)
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	*n = Number(math.NaN())
	if number != nil {
		*n = Number(*number)
	}
	return nil
}
