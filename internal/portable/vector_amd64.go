package portable

import "gonum.org/v1/gonum/floats"

func long(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }

// AddScaled adds by·v to dst. It panics if the lengths differ. Gonum's vectorised code rounds every product.
func AddScaled(dst []float64, by float64, v []float64) { floats.AddScaled(dst, by, v) }

// AddScaledTo stores base + by·v in dst, which may be base or v. It panics if the lengths differ.
func AddScaledTo(dst, base []float64, by float64, v []float64) { floats.AddScaledTo(dst, base, by, v) }
