package blocks

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// block is one part of the variables.
type block struct {
	coordinates []int
	lo, hi      int  // range from the first variable of the block to just after the last
	stretch     bool // whether the block is exactly this range, in order
}

// partition returns copies of the given blocks of n variables. If none are given, it returns one block of all
// variables. It returns an error unless every variable is in exactly one block and no block is empty.
func partition(given [][]int, n int) ([]block, error) {
	if given == nil {
		everything := make([]int, n)
		schedule.Count(everything)
		given = [][]int{everything}
	}
	owner := make([]int, n) // 1 + the block of each variable, 0 if it has none yet
	blocks := make([]block, len(given))
	for i, coordinates := range given {
		if len(coordinates) == 0 {
			return nil, &algo.RangeError{
				Name: fmt.Sprintf("blocks[%d]", i), Value: coordinates, Allowed: "a block needs at least one variable",
				Text: fmt.Sprintf("blocks[%d] is empty: a block needs at least one variable", i),
			}
		}
		b := block{coordinates: append([]int(nil), coordinates...), lo: coordinates[0], hi: coordinates[0] + 1, stretch: true}
		for j, c := range coordinates {
			name := fmt.Sprintf("blocks[%d][%d]", i, j)
			if c < 0 || c >= n {
				return nil, &algo.RangeError{Name: name, Value: c, Allowed: fmt.Sprintf("variables are numbered 0 to %d", n-1)}
			}
			if owner[c] != 0 {
				return nil, &algo.RangeError{Name: name, Value: c, Allowed: fmt.Sprintf("it is already in block %d", owner[c]-1)}
			}
			owner[c] = i + 1
			b.lo, b.hi = min(b.lo, c), max(b.hi, c+1)
			b.stretch = b.stretch && c == coordinates[0]+j
		}
		blocks[i] = b
	}
	for c, i := range owner {
		if i == 0 {
			return nil, &algo.RangeError{
				Name: "blocks", Value: given, Allowed: "every variable must be in a block",
				Text: fmt.Sprintf("blocks: variable %d is not in any of them", c),
			}
		}
	}
	return blocks, nil
}

// frequencies returns a copy of m, its sum p, and the weights m_k/p.
func frequencies(m []int, q int) (own []int, p int, weights []float64, err error) {
	if len(m) != q {
		return nil, 0, nil, &algo.RangeError{
			Name: "m", Value: m, Allowed: fmt.Sprintf("there must be one for each of the %d objectives", q),
			Text: fmt.Sprintf("m = %v: there must be one for each of the %d objectives", m, q),
		}
	}
	for k, times := range m {
		if times < 0 || times > maxSteps-p {
			return nil, 0, nil, &algo.RangeError{Name: fmt.Sprintf("m[%d]", k), Value: times,
				Allowed: fmt.Sprintf("not negative, and all together at most %d", maxSteps)}
		}
		p += times
	}
	if p == 0 {
		return nil, 0, nil, &algo.RangeError{Name: "m", Value: m, Allowed: "at least one must be positive"}
	}
	weights = make([]float64, q)
	for k, times := range m {
		weights[k] = float64(times) / float64(p)
	}
	return append([]int(nil), m...), p, weights, nil
}
