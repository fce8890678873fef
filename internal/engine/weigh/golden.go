package weigh

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
)

// MaxGolden is the maximum number of cases that Golden returns.
const MaxGolden = 1000

// GoldenCase is a small input for a method, together with the method's answer, for tests of other implementations. Its
// numbers are exact: they are the shortest decimals that parse to the same float64.
type GoldenCase struct {
	Case       string            `json:"case"` // description of the case
	Method     string            `json:"method"`
	Parameters map[string]string `json:"parameters"` // explicitly set parameters
	Jacobian   [][]float64       `json:"jacobian"`
	Losses     []float64         `json:"losses"`
	Seed       uint64            `json:"seed"`
	Weights    []float64         `json:"weights"`   // null for a rule without weights
	Effective  []float64         `json:"effective"` // coefficients c with direction = Gᵀc; null if there are none
	Direction  []float64         `json:"direction"`
	Status     algo.Status       `json:"status"`
}

// goldenKinds lists the names and gradients of the first cases. All later cases are random.
var goldenKinds = []struct {
	name string
	make func(draw func(m, n int) [][]float64) [][]float64
}{
	{"two random gradients", func(draw func(m, n int) [][]float64) [][]float64 { return draw(2, 2) }},
	{"two gradients that conflict", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{1, 0.5}, {-0.5, 1.5}} }},
	{"two opposite gradients", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{2, 0}, {-1, 0}} }},
	{"the same gradient twice", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{1, 2, 3}, {1, 2, 3}} }},
	{"two gradients on a line", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{1, 2}, {3, 6}} }},
	{"a gradient that is zero", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{1, -1, 0.5}, {0, 0, 0}, {0.5, 1, 1}} }},
	{"a long and a short gradient", func(func(m, n int) [][]float64) [][]float64 { return [][]float64{{1e4, 2e3}, {-1e-4, 3e-4}} }},
	{"more gradients than variables", func(draw func(m, n int) [][]float64) [][]float64 { return draw(5, 2) }},
	{"all numbers times 1e8", func(draw func(m, n int) [][]float64) [][]float64 { return times(1e8, draw(3, 4)) }},
	{"all numbers times 1e-8", func(draw func(m, n int) [][]float64) [][]float64 { return times(1e-8, draw(3, 4)) }},
}

func times(by float64, rows [][]float64) [][]float64 {
	for _, row := range rows {
		for k := range row {
			row[k] *= by
		}
	}
	return rows
}

// Golden returns count cases, 1 to MaxGolden, for a method with settings. The inputs are the same for every method.
// Golden omits cases that the method rejects. It also omits cases without a unique answer, because other implementations
// may answer them differently.
func Golden(method string, settings map[string]string, count int) ([]GoldenCase, error) {
	if !slices.Contains(Methods(), method) {
		return nil, fmt.Errorf("unknown method %q", method)
	}
	if count < 1 || count > MaxGolden {
		return nil, fmt.Errorf("%d cases: allowed is 1 to %d", count, MaxGolden)
	}
	source := rand.NewPCG(20, 26)
	number := func(from, to int) float64 { return float64(from+int(source.Uint64()%uint64(to-from+1))) / 1000 } // short decimals
	draw := func(m, n int) [][]float64 {
		rows := make([][]float64, m)
		for i := range rows {
			rows[i] = make([]float64, n)
			for k := range rows[i] {
				rows[i][k] = number(-2000, 2000)
			}
		}
		return rows
	}
	out := []GoldenCase{}
	var refused error
	for i := range count {
		c := GoldenCase{Method: method, Parameters: settings, Seed: uint64(i + 1)}
		if i < len(goldenKinds) {
			c.Case, c.Jacobian = goldenKinds[i].name, goldenKinds[i].make(draw)
		} else {
			m, n := 2+int(source.Uint64()%5), 2+int(source.Uint64()%6)
			c.Case, c.Jacobian = fmt.Sprintf("%d random gradients in %d variables", m, n), draw(m, n)
		}
		for range c.Jacobian {
			c.Losses = append(c.Losses, number(100, 4000))
		}
		answer, err := Apply(method, settings, &Input{Jacobian: c.Jacobian, Losses: c.Losses, Seed: c.Seed})
		if err != nil {
			refused = err
			continue
		}
		if answer.Status == algo.Degenerate {
			refused = fmt.Errorf("the equations of %s have several solutions in every case", method)
			continue
		}
		c.Weights, c.Effective, c.Direction, c.Status = answer.Weights, answer.Effective, answer.Direction, answer.Status
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, refused
	}
	return out, nil
}
