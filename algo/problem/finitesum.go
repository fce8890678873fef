package problem

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// maxNumbers limits how many numbers the examples of a finite sum contain. At this limit, they take 16 GiB.
	maxNumbers = 1 << 31
	// largestEntry is the maximum magnitude of numbers in the data of a finite sum. Sums of products of four such
	// entries are still finite.
	largestEntry = 1e75
	// vectorised is the minimum length of slices for which a call of gonum's sum is faster than a loop.
	vectorised = 32
)

// These iterations, passed to algo.Stream, select separate random streams for the parts of finite sums. More
// examples, another noise level or another heterogeneity therefore do not change the other parts.
const (
	inputStream = iota
	labelStream
	targetStream
)

// checkSum returns an error if there are no objectives, examples or variables, or if the data exceeds maxNumbers.
func checkSum(objectives, examples, variables int) error {
	for _, c := range []struct {
		name  string
		value int
	}{{"objectives", objectives}, {"examples", examples}, {"variables", variables}} {
		if c.value < 1 {
			return &algo.RangeError{Name: c.name, Value: c.value, Allowed: "at least 1"}
		}
	}
	if objectives > maxNumbers/examples/variables {
		return &algo.RangeError{
			Name: "objectives × examples × variables", Value: float64(objectives) * float64(examples) * float64(variables),
			Allowed: fmt.Sprintf("at most %d numbers", maxNumbers),
		}
	}
	return nil
}

// checkDrawn returns an error for invalid settings of random finite sums.
func checkDrawn(condition, heterogeneity, noise float64) error {
	switch {
	case !(condition >= 1) || math.IsInf(condition, 1):
		return &algo.RangeError{Name: "condition", Value: condition, Allowed: "finite and at least 1"}
	case !(heterogeneity >= 0 && heterogeneity <= 1):
		return &algo.RangeError{Name: "heterogeneity", Value: heterogeneity, Allowed: "from 0 to 1"}
	case !(noise >= 0 && noise <= largestEntry):
		return &algo.RangeError{Name: "noise", Value: noise, Allowed: fmt.Sprintf("not negative and at most %v", largestEntry)}
	}
	return nil
}

// deviations returns d equally spaced numbers from 1 to 1/√condition. Their squares are the curvatures, so condition is
// the ratio of the largest curvature to the smallest.
func deviations(d int, condition float64) []float64 {
	s := make([]float64, d)
	last := 1 / math.Sqrt(condition)
	for j := range s {
		share := float64(j) / float64(max(d-1, 1))
		s[j] = 1 - share + float64(share*last)
	}
	return s
}

// drawTarget returns √(1−h²)·z_0 + h·z_i for objective i, where h is the heterogeneity. It draws z_0, which all
// objectives share, and z_i from N(0, I) in d variables.
func drawTarget(seed uint64, i, d int, heterogeneity float64) []float64 {
	common := algo.Stream(seed, 0, targetStream, algo.Data)
	own := algo.Stream(seed, i+1, targetStream, algo.Data)
	share := math.Sqrt(1 - float64(heterogeneity*heterogeneity))
	target := make([]float64, d)
	for j := range target {
		target[j] = float64(share*portable.Normal(&common)) + float64(heterogeneity*portable.Normal(&own))
	}
	return target
}

// flatten copies M×K×d numbers into M slices of K rows. It returns the slices, K and d, or an error that names an
// invalid element, using name for the data.
func flatten(name string, data [][][]float64) (pieces [][]float64, k, d int, err error) {
	if len(data) == 0 || len(data[0]) == 0 || len(data[0][0]) == 0 {
		return nil, 0, 0, &algo.RangeError{
			Name: name, Value: data, Allowed: "at least one objective, of one example, of one variable",
			Text: name + " is empty: there must be at least one objective, of one example, of one variable",
		}
	}
	k, d = len(data[0]), len(data[0][0])
	if err := checkSum(len(data), k, d); err != nil {
		return nil, 0, 0, err
	}
	for m, examples := range data {
		if len(examples) != k {
			return nil, 0, 0, refusedLength(fmt.Sprintf("%s[%d]", name, m), "examples", len(examples), k)
		}
		piece := make([]float64, 0, k*d)
		for i, row := range examples {
			if len(row) != d {
				return nil, 0, 0, refusedLength(fmt.Sprintf("%s[%d][%d]", name, m, i), "numbers", len(row), d)
			}
			if err := checkEntries(fmt.Sprintf("%s[%d][%d]", name, m, i), row); err != nil {
				return nil, 0, 0, err
			}
			piece = append(piece, row...)
		}
		pieces = append(pieces, piece)
	}
	return pieces, k, d, nil
}

func refusedLength(name, of string, length, want int) error {
	return &algo.RangeError{
		Name: name, Value: length, Allowed: fmt.Sprintf("%d %s, as in the first", want, of),
		Text: fmt.Sprintf("%s has %d %s; there must be %d, as in the first", name, length, of, want),
	}
}

// checkEntries returns an error if a number is too large or not finite.
func checkEntries(name string, row []float64) error {
	for j, v := range row {
		if !(math.Abs(v) <= largestEntry) {
			return &algo.RangeError{
				Name: fmt.Sprintf("%s[%d]", name, j), Value: v, Allowed: fmt.Sprintf("finite and at most %v in size", largestEntry),
			}
		}
	}
	return nil
}

// largestWeight returns the largest weight. Callers divide by it, because only the ratios of weights matter. It
// returns an error for weights that are negative, not finite or all zero.
func largestWeight(lambda []float64) (float64, error) {
	var top float64
	for i, l := range lambda {
		if !(l >= 0) || math.IsInf(l, 1) {
			return 0, &algo.RangeError{Name: fmt.Sprintf("weight %d", i), Value: l, Allowed: "weights must be finite and not negative"}
		}
		top = max(top, l)
	}
	if top == 0 {
		return 0, &algo.RangeError{
			Name: "weights", Value: lambda, Allowed: "at least one must be positive",
			Text: fmt.Sprintf("weights %v: at least one must be positive", lambda),
		}
	}
	return top, nil
}

// relativeWeights returns the weights of m objectives divided by the largest weight. It panics unless there are m
// weights.
func relativeWeights(lambda []float64, m int) ([]float64, error) {
	if len(lambda) != m {
		panic("problem: wrong number of weights")
	}
	top, err := largestWeight(lambda)
	if err != nil {
		return nil, err
	}
	relative := make([]float64, m)
	for i, l := range lambda {
		relative[i] = l / top
	}
	return relative, nil
}

// batchSize returns the number of examples in a batch. A nil batch contains all examples.
func batchSize(batch []int, examples int) int {
	if batch == nil {
		return examples
	}
	if len(batch) == 0 {
		panic("problem: a batch needs at least one example")
	}
	return len(batch)
}

// example returns the index of the j-th example of a batch.
func example(batch []int, j int) int {
	if batch == nil {
		return j
	}
	return batch[j]
}

// addScaled adds s·a to dst, both of the same length.
func addScaled(dst []float64, s float64, a []float64) {
	if len(dst) >= vectorised {
		portable.AddScaled(dst, s, a)
		return
	}
	for j, v := range a {
		dst[j] += float64(s * v)
	}
}

// setScaled stores s·a in dst, both of the same length.
func setScaled(dst []float64, s float64, a []float64) {
	if len(dst) >= vectorised {
		floats.ScaleTo(dst, s, a)
		return
	}
	for j, v := range a {
		dst[j] = s * v
	}
}
