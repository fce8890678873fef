package portable

import "gonum.org/v1/gonum/floats"

func long(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }
