package data

import (
	"fmt"
	"math"

	"paretoplay/internal/numeral"
)

// Maximum size of a file in the Quadratics layout.
const (
	MaxBowls         = 6
	MaxBowlVariables = 32
	MaxTurns         = 40
)

// Names of the fields of the Quadratics layout.
const (
	ShapesName = "Q"
	LowestName = "c"
	BlocksName = "blocks"
	TurnsName  = "m"
	StartName  = "x0"
)

const maxBowl = 1e6 // above this limit, squares may be too inaccurate to distinguish places

// Quadratics is the layout of q quadratic objectives ½(x − c)ᵀQ(x − c) in n variables: {"Q": q symmetric matrices n×n,
// "c": q×n}. The fields "blocks", "m" and "x0" are optional. blocks contains lists of variables, which are numbered
// from 0; each variable appears in one list. m lists the frequencies: a whole number for each objective, not all 0. x0
// is the start. Whether the matrices are positive definite is checked when the problem is constructed.
var Quadratics = &Layout{
	noun: "file", content: `a JSON object with "Q" and "c" is expected`, object: true,
	fields: []field{
		{name: ShapesName, what: stack, matrices: MaxBowls, rows: MaxBowlVariables, columns: MaxBowlVariables},
		{name: LowestName, what: matrix, rows: MaxBowls, columns: MaxBowlVariables},
		{name: BlocksName, what: matrix, rows: MaxBowlVariables, columns: MaxBowlVariables, ragged: true, optional: true},
		{name: TurnsName, what: list, rows: MaxBowls, optional: true},
		{name: StartName, what: list, rows: MaxBowlVariables, optional: true},
	},
	check: func(p *Pasted) (string, error) {
		q, n, columns := p.shape(ShapesName)
		switch c := p.Matrix(LowestName); {
		case n != columns:
			return "", fmt.Errorf("%s: its matrices are %d×%d; they must be square", ShapesName, n, columns)
		case q < 2:
			return "", fmt.Errorf("%s: there is 1 matrix; at least 2 objectives are needed", ShapesName)
		case c.Rows != q || c.Cols != n:
			return "", fmt.Errorf("c: it is %d×%d, and Q is %d×%d×%d", c.Rows, c.Cols, q, n, n)
		}
		if err := p.bowlNumbers(); err != nil {
			return "", err
		}
		if err := blocksFit(p.Lists(BlocksName), n); err != nil {
			return "", err
		}
		if err := turnsFit(p.List(TurnsName), q); err != nil {
			return "", err
		}
		if x0 := p.List(StartName); x0 != nil && len(x0) != n {
			return "", fmt.Errorf("x0: got %d for %d variables", len(x0), n)
		}
		return numeral.Counted(q, "objective") + ", " + numeral.Counted(n, "variable"), nil
	},
}

// bowlNumbers returns an error if a number is so large that its square is inaccurate.
func (p *Pasted) bowlNumbers() error {
	check := func(name string, numbers []float64) error {
		for _, v := range numbers {
			if !(math.Abs(v) <= maxBowl) {
				return fmt.Errorf("%s: %g is outside %g to %g", name, v, -maxBowl, maxBowl)
			}
		}
		return nil
	}
	for _, name := range []string{ShapesName, LowestName} {
		if err := check(name, p.Matrix(name).Data); err != nil {
			return err
		}
	}
	return check(StartName, p.List(StartName))
}

// blocksFit returns an error if blocks is not a partition of n variables.
func blocksFit(blocks [][]float64, n int) error {
	if blocks == nil {
		return nil
	}
	in := make([]int, n) // number of each variable's block, from 1; 0 means none
	for b, block := range blocks {
		for i, v := range block {
			if v != math.Trunc(v) || v < 0 || v >= float64(n) {
				return fmt.Errorf("blocks[%d][%d] = %g: it is not a variable, a whole number from 0 to %d", b, i, v, n-1)
			}
			if other := in[int(v)]; other > 0 {
				return fmt.Errorf("blocks[%d][%d] = %g: the variable is already in blocks[%d]", b, i, v, other-1)
			}
			in[int(v)] = b + 1
		}
	}
	for v, b := range in {
		if b == 0 {
			return fmt.Errorf("blocks: variable %d is missing", v)
		}
	}
	return nil
}

// turnsFit returns an error if the frequencies of q objectives are invalid.
func turnsFit(m []float64, q int) error {
	if m == nil {
		return nil
	}
	if len(m) != q {
		return fmt.Errorf("m: got %d for %d objectives", len(m), q)
	}
	var sum float64
	for k, v := range m {
		if v != math.Trunc(v) || v < 0 || v > MaxTurns {
			return fmt.Errorf("m[%d] = %g: it must be a whole number from 0 to %d", k, v, MaxTurns)
		}
		sum += v
	}
	if sum == 0 {
		return fmt.Errorf("m: all are 0")
	}
	return nil
}
