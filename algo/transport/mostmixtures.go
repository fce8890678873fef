package transport

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// DirichletMixtures returns mixtures for MosT-E, for use as Config.Mixtures. The number of rows is total; each row has
// n weights with sum 1. The rows are independent draws from the Dirichlet distribution whose n parameters all equal
// shape; the paper uses 0.1, 0.5 or 1. If withOriginals is true, the first n rows are the objectives themselves; they
// count towards total. A larger total adds rows without changing the earlier draws. Any error is an *algo.RangeError.
//
// References:
//   - Many-Objective Multi-Solution Transport, section 3.2.
func DirichletMixtures(n, total int, shape float64, withOriginals bool, seed uint64) ([][]float64, error) {
	least := 1
	if withOriginals {
		least = n
	}
	switch {
	case n < 1:
		return nil, &algo.RangeError{Name: "objectives", Value: n, Allowed: "there must be at least one"}
	case total < least:
		return nil, &algo.RangeError{
			Name: "extended", Value: total, Allowed: "there must be at least one, and at least one per objective if these are included",
		}
	case !(shape > 0) || math.IsInf(shape, 1):
		return nil, &algo.RangeError{Name: "shape", Value: shape, Allowed: "it must be finite and positive"}
	}
	mixtures := make([][]float64, 0, total)
	if withOriginals {
		for i := range n {
			one := make([]float64, n)
			one[i] = 1
			mixtures = append(mixtures, one)
		}
	}
	for draw := 0; len(mixtures) < total; draw++ {
		source := algo.Stream(seed, 0, draw, algo.Dirichlet)
		weights := make([]float64, n)
		dirichlet(weights, shape, &source)
		mixtures = append(mixtures, weights)
	}
	return mixtures, nil
}

// dirichlet stores a draw from the Dirichlet distribution with equal parameters. It uses the logarithms of gamma
// variables, because the variables underflow for small parameters.
func dirichlet(dst []float64, shape float64, source *rand.PCG) {
	top := math.Inf(-1)
	for i := range dst {
		dst[i] = logGamma(shape, source)
		top = max(top, dst[i])
	}
	var sum float64
	for i, v := range dst {
		dst[i] = portable.Exp(v - top)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// logGamma draws the logarithm of a gamma variable with the given shape and scale 1. For a
// shape below 1, it draws with shape + 1 and multiplies by U^(1/shape).
//
// References:
//   - Marsaglia & Tsang (2000), A simple method for generating gamma variables, ACM
//     Transactions on Mathematical Software 26.
func logGamma(shape float64, source *rand.PCG) float64 {
	random := rand.New(source)
	positive := func() float64 {
		for {
			if u := random.Float64(); u > 0 {
				return u
			}
		}
	}
	var boost float64
	if shape < 1 {
		boost = portable.Log(positive()) / shape
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := portable.Normal(source)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if portable.Log(positive()) < float64(0.5*x*x)+d-float64(d*v)+float64(d*portable.Log(v)) {
			return portable.Log(d*v) + boost
		}
	}
}
