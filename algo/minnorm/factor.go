package minnorm

import "math"

// forward replaces v by L⁻¹v, where L consists of the leading len(v) rows of a lower triangular factor with row
// stride m.
func forward(factor []float64, m int, v []float64) { forwardFrom(factor, m, v, 0) }

// forwardFrom does the same as forward if the first a entries of v have already been replaced. It processes four rows
// at a time, with independent sums. Each sum adds the columns in the same order as with one row at a time.
func forwardFrom(factor []float64, m int, v []float64, a int) {
	for ; a+4 <= len(v); a += 4 {
		before := v[:a]
		at := factor[a*m:]
		l0, l1, l2, l3 := at[:a], at[m:][:a+1], at[2*m:][:a+2], at[3*m:][:a+3]
		d0, d1, d2, d3 := at[a], at[m+a+1], at[2*m+a+2], at[3*m+a+3]
		x0, x1, x2, x3 := v[a], v[a+1], v[a+2], v[a+3]
		p0, p1, p2, p3 := l0[:len(before)], l1[:len(before)], l2[:len(before)], l3[:len(before)]
		for b, y := range before {
			x0 -= float64(p0[b] * y)
			x1 -= float64(p1[b] * y)
			x2 -= float64(p2[b] * y)
			x3 -= float64(p3[b] * y)
		}
		x0 /= d0
		x1 = (x1 - float64(l1[a]*x0)) / d1
		x2 = (x2 - float64(l2[a]*x0) - float64(l2[a+1]*x1)) / d2
		x3 = (x3 - float64(l3[a]*x0) - float64(l3[a+1]*x1) - float64(l3[a+2]*x2)) / d3
		v[a], v[a+1], v[a+2], v[a+3] = x0, x1, x2, x3
	}
	for ; a < len(v); a++ {
		l := factor[a*m : a*m+a+1]
		x := v[a]
		for b, w := range l[:a] {
			x -= float64(w * v[b])
		}
		v[a] = x / l[a]
	}
}

// backward replaces v by Lᵀ⁻¹v, with the L of forward, four rows at a time.
func backward(factor []float64, m int, v []float64) {
	a := len(v) - 4
	for ; a >= 0; a -= 4 {
		before := v[:a]
		at := factor[a*m:]
		l0, l1, l2, l3 := at[:a+1], at[m:][:a+2], at[2*m:][:a+3], at[3*m:][:a+4]
		x3 := v[a+3] / l3[a+3]
		x2 := (v[a+2] - float64(l3[a+2]*x3)) / l2[a+2]
		x1 := (v[a+1] - float64(l3[a+1]*x3) - float64(l2[a+1]*x2)) / l1[a+1]
		x0 := (v[a] - float64(l3[a]*x3) - float64(l2[a]*x2) - float64(l1[a]*x1)) / l0[a]
		v[a], v[a+1], v[a+2], v[a+3] = x0, x1, x2, x3
		p0, p1, p2, p3 := l0[:len(before)], l1[:len(before)], l2[:len(before)], l3[:len(before)]
		for b, y := range before {
			before[b] = y - float64(p3[b]*x3) - float64(p2[b]*x2) - float64(p1[b]*x1) - float64(p0[b]*x0)
		}
	}
	for a += 3; a >= 0; a-- {
		l := factor[a*m : a*m+a+1]
		x := v[a] / l[a]
		v[a] = x
		for b, w := range l[:a] {
			v[b] -= float64(w * x)
		}
	}
}

// dropRow removes row a from a lower triangular factor with row stride m, and leaves k rows. If turned is not nil,
// dropRow calls it for each rotation of columns b and b+1.
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
