package portable

import "gonum.org/v1/gonum/floats"

func long(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }

func addScaled(dst []float64, by float64, v []float64) { floats.AddScaled(dst, by, v) }

func addScaledTo(dst, base []float64, by float64, v []float64) { floats.AddScaledTo(dst, base, by, v) }
