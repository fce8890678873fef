//go:build !amd64

package portable

func long(a, b []float64) float64 { return inFour(a, b) }

func addScaled(dst []float64, by float64, v []float64) { loopAddScaledTo(dst, dst, by, v) }

func addScaledTo(dst, base []float64, by float64, v []float64) { loopAddScaledTo(dst, base, by, v) }
