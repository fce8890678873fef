package minnorm

import "math"

// forward replaces v by L⁻¹v for the leading len(v) rows L of a lower triangular
// factor with row stride m.
func forward(factor []float64, m int, v []float64) {
	for a := range v {
		l := factor[a*m : a*m+a+1]
		x := v[a]
		for b, w := range l[:a] {
			x -= float64(w * v[b])
		}
		v[a] = x / l[a]
	}
}

// backward replaces v by Lᵀ⁻¹v for the L of forward.
func backward(factor []float64, m int, v []float64) {
	for a := len(v) - 1; a >= 0; a-- {
		l := factor[a*m : a*m+a+1]
		x := v[a] / l[a]
		v[a] = x
		for b, w := range l[:a] {
			v[b] -= float64(w * x)
		}
	}
}

// dropRow takes row a out of a lower triangular factor with row stride m and
// leaves k rows. It tells turned, unless that is nil, of each rotation of columns b
// and b+1.
func dropRow(factor []float64, m, a, k int, turned func(b int, cosine, sine float64)) {
	for b := a; b < k; b++ {
		copy(factor[b*m:b*m+b+2], factor[(b+1)*m:(b+1)*m+b+2])
	}
	for b := a; b < k; b++ {
		x, y := factor[b*m+b], factor[b*m+b+1]
		h := math.Sqrt(float64(x*x) + float64(y*y))
		cosine, sine := x/h, y/h
		factor[b*m+b] = h
		if turned != nil {
			turned(b, cosine, sine)
		}
		for i := b + 1; i < k; i++ {
			row := factor[i*m+b : i*m+b+2]
			row[0], row[1] = float64(cosine*row[0])+float64(sine*row[1]), float64(cosine*row[1])-float64(sine*row[0])
		}
	}
}
