//go:build !amd64

package portable

func long(a, b []float64) float64 { return inFour(a, b) }

// AddScaled adds by·v to dst. It panics if the lengths differ.
func AddScaled(dst []float64, by float64, v []float64) { loopAddScaledTo(dst, dst, by, v) }

// AddScaledTo stores base + by·v in dst, which may be base or v. It panics if the lengths differ.
func AddScaledTo(dst, base []float64, by float64, v []float64) { loopAddScaledTo(dst, base, by, v) }
