package data

import (
	"errors"
	"fmt"

	"paretoplay/internal/numeral"
)

// Maximum size of a file in the Samples layout.
const (
	MaxObjectives    = 8
	MaxSamples       = 2048
	MaxVariables     = 400
	MaxSampleNumbers = 1_000_000 // maximum number of numbers in a list of matrices
)

// Names of the fields of the Samples layout.
const (
	CurvaturesName = "D"
	BottomsName    = "C"
	InputsName     = "A"
	TargetsName    = "y"
)

// Samples is the layout of the samples of a finite sum: M objectives on K samples each, in d variables. It is {"D":
// M×K×d, "C": M×K×d} for bowls ½ Σ_j D_j (w_j − C_j)², or {"A": M×K×d, "y": M×K} for least squares ½(A·w − y)².
var Samples = &Layout{
	noun: "file", content: `a JSON object with "D" and "C", or "A" and "y", is expected`, object: true,
	fields: []field{
		{name: CurvaturesName, what: stack, matrices: MaxObjectives, rows: MaxSamples, columns: MaxVariables, numbers: MaxSampleNumbers,
			optional: true},
		{name: BottomsName, what: stack, matrices: MaxObjectives, rows: MaxSamples, columns: MaxVariables, numbers: MaxSampleNumbers,
			optional: true},
		{name: InputsName, what: stack, matrices: MaxObjectives, rows: MaxSamples, columns: MaxVariables, numbers: MaxSampleNumbers,
			optional: true},
		{name: TargetsName, what: matrix, rows: MaxObjectives, columns: MaxSamples, optional: true},
	},
	check: func(p *Pasted) (string, error) {
		d, c, a, y := p.Matrix(CurvaturesName), p.Matrix(BottomsName), p.Matrix(InputsName), p.Matrix(TargetsName)
		switch {
		case d != nil && c != nil && a == nil && y == nil:
			return aboutSamples(p, CurvaturesName), sameShape(p, BottomsName, CurvaturesName)
		case a != nil && y != nil && d == nil && c == nil:
			return aboutSamples(p, InputsName), targetsFit(p)
		}
		return "", errors.New(`the file must have "D" and "C", or "A" and "y", and nothing else`)
	},
}

// aboutSamples returns a short description of the samples in a list of matrices.
func aboutSamples(p *Pasted, name string) string {
	m, k, d := p.shape(name)
	return numeral.Counted(m, "objective") + ", " + numeral.Counted(k, "sample") + ", " + numeral.Counted(d, "variable")
}

// shape returns the number of matrices in a list and their numbers of rows and columns.
func (p *Pasted) shape(name string) (matrices, rows, columns int) {
	all := p.Matrix(name)
	return all.Rows / p.heights[name], p.heights[name], all.Cols
}

func sameShape(p *Pasted, name, as string) error {
	m, k, d := p.shape(name)
	if x, y, z := p.shape(as); m != x || k != y || d != z {
		return fmt.Errorf("%s: it is %d×%d×%d, and %s is %d×%d×%d", name, m, k, d, as, x, y, z)
	}
	return nil
}

func targetsFit(p *Pasted) error {
	m, k, _ := p.shape(InputsName)
	if y := p.Matrix(TargetsName); y.Rows != m || y.Cols != k {
		return fmt.Errorf("y: it is %d×%d; it must have one number for each of the %s of %s", y.Rows, y.Cols,
			numeral.Counted(m*k, "row"), InputsName)
	}
	return nil
}
