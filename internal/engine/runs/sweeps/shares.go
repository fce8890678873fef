package sweeps

import "math"

// height is the height of the triangle of shares, whose sides have length 1.
var height = math.Sqrt(3) / 2

// Corner returns the point at which objective k of q has all turns. With two objectives, these points are the ends of a
// line. With three, they are the corners of a triangle.
func Corner(k, q int) (x, y float64) {
	if q == 2 {
		return float64(k), 0
	}
	return [3]float64{0, 1, 0.5}[k], [3]float64{0, 0, height}[k]
}

// Place returns the point that stands for two or three shares of the turns. The shares have sum 1.
func Place(shares []float64) (x, y float64) {
	for k, w := range shares {
		h, v := Corner(k, len(shares))
		x += float64(w * h)
		y += float64(w * v)
	}
	return x, y
}

// SharesAt returns the three shares that a point in the triangle represents. Outside the triangle some shares are
// negative.
func SharesAt(x, y float64) []float64 {
	third := y / height
	return []float64{1 - x - float64(third/2), x - float64(third/2), third}
}

// Divide divides a whole number in proportion to shares. Negative shares count as 0. Each part is rounded down, and the rest goes
// to the largest remainders.
func Divide(shares []float64, whole int) []int {
	var sum float64
	for _, w := range shares {
		sum += max(w, 0)
	}
	out, rest := make([]int, len(shares)), make([]float64, len(shares))
	left := whole
	for k, w := range shares {
		share := float64(max(w, 0) / sum * float64(whole))
		const slack = 1e-9 // tolerance for a part that is whole up to rounding
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
