package exchange

import "paretoplay/algo"

// Known returns a number as JSON has it: nil, which is written as null, for NaN and for what is infinite.
func Known(v float64) *float64 {
	if !algo.Finite([]float64{v}) {
		return nil
	}
	return &v
}
