package sweeps

import "math"

// height of the triangle of shares, whose sides are 1.
var height = math.Sqrt(3) / 2

// Corner returns the place where all turns belong to objective k of q: on a line for two, in a
// triangle for three.
func Corner(k, q int) (x, y float64) {
	if q == 2 {
		return float64(k), 0
	}
	return [3]float64{0, 1, 0.5}[k], [3]float64{0, 0, height}[k]
}

// Place returns the place among the corners of two or three shares of the turns, with sum 1.
func Place(shares []float64) (x, y float64) {
	for k, w := range shares {
		h, v := Corner(k, len(shares))
		x += float64(w * h)
		y += float64(w * v)
	}
	return x, y
}

// SharesAt returns the three shares at a place among the corners of the triangle; outside of it
// some are below 0.
func SharesAt(x, y float64) []float64 {
	third := y / height
	return []float64{1 - x - float64(third/2), x - float64(third/2), third}
}

// Divide divides a whole number in the proportion of shares; shares below 0 count as 0. Each gets
// its part rounded down, and the rest goes to the largest remainders.
func Divide(shares []float64, whole int) []int {
	var sum float64
	for _, w := range shares {
		sum += max(w, 0)
	}
	out, rest := make([]int, len(shares)), make([]float64, len(shares))
	left := whole
	for k, w := range shares {
		share := float64(max(w, 0) / sum * float64(whole))
		const slack = 1e-9 // of a share that is whole but for rounding
		out[k] = int(share + slack)
		rest[k] = share - float64(out[k])
		left -= out[k]
	}
	for ; left > 0; left-- {
		most := 0
		for k, r := range rest {
			if r > rest[most] {
				most = k
			}
		}
		out[most]++
		rest[most]--
	}
	return out
}
