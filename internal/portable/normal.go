package portable

import (
	"math"
	"math/rand/v2"
)

// The ziggurat has 128 strips of area stripArea each. The lowest strip includes the
// tail beyond tailStart.
const (
	tailStart = 3.442619855899
	stripArea = 9.91256303526217e-3
)

// strip is one strip of the ziggurat. It ends at width·2³¹, where the density is height. The product of width and a
// whole number below sure always lies under the curve.
type strip struct {
	sure   uint32
	width  float32
	height float32
}

var strips = func() (s [128]strip) {
	density := func(x float64) float64 { return Exp(-0.5 * float64(x*x)) }
	last := len(s) - 1
	x := tailStart
	base := stripArea / density(x)
	s[0] = strip{uint32(x / base * (1 << 31)), float32(base / (1 << 31)), 1}
	s[last].width, s[last].height = float32(x/(1<<31)), float32(density(x))
	for i := last - 1; i > 0; i-- {
		before := x
		x = math.Sqrt(-2 * Log(stripArea/before+density(before)))
		s[i+1].sure = uint32(x / before * (1 << 31))
		s[i].width, s[i].height = float32(x/(1<<31)), float32(density(x))
	}
	return s
}()

// Normal draws a number from the standard normal distribution. It returns the same numbers as rand.Rand.NormFloat64,
// except that numbers beyond 3.44 may differ in the last bit.
//
// Marsaglia & Tsang (2000), The ziggurat method for generating random variables,
// Journal of Statistical Software 5(8).
func Normal(source *rand.PCG) float64 {
	for {
		bits := source.Uint64()
		signed := int32(bits)
		size := uint32(max(int64(signed), -int64(signed)))
		i := bits >> 32 & uint64(len(strips)-1)
		s := &strips[i]
		x := float64(float64(signed) * float64(s.width))
		if size < s.sure {
			return x
		}
		if i == 0 {
			return beyond(source, signed > 0)
		}
		below := strips[i-1].height
		if s.height+float32(float32(uniform(source))*(below-s.height)) < float32(Exp(-0.5*float64(x*x))) {
			return x
		}
	}
}

// beyond draws a number from one tail by rejection from an exponential distribution.
func beyond(source *rand.PCG, positive bool) float64 {
	for {
		x := float64(-Log(uniform(source)) * (1.0 / tailStart))
		if y := -Log(uniform(source)); y+y >= float64(x*x) {
			if positive {
				return tailStart + x
			}
			return -tailStart - x
		}
	}
}

// uniform draws a number from [0, 1) in the same way as rand.Rand.Float64.
func uniform(source *rand.PCG) float64 { return float64(source.Uint64()<<11>>11) / (1 << 53) }
