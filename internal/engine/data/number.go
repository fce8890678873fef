package data

import "paretoplay/algo"

// Known returns a number for JSON: nil, which is written as null, for NaN and infinities.
func Known(v float64) *float64 {
	if !algo.Finite([]float64{v}) {
		return nil
	}
	return &v
}
