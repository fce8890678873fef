// Package data reads visitors' files and the inputs of commands: tables, matrices and JSON objects. A scene or a
// command defines the layout of its input.
package data

import (
	"fmt"
	"io"

	"paretoplay/algo/runlog"
)

// Limits of inputs. A Jacobian with 200 rows and 10,000 columns in full precision is about 50 MB of text. The inner
// products of 1000 rows take 8 MB, and the slowest rules need a minute to compute a decision from them.
const (
	MaxBytes   = 256 << 20
	MaxNumbers = 10_000_000 // maximum in a matrix
	MaxRows    = 1000       // maximum for weigh
	MaxColumns = 1_000_000  // maximum for weigh
	MaxPoints  = 1_000_000  // maximum for hypervolume
)

// Read reads a text in the given layout. It stops with an error at the first place that departs from the layout, so
// that it never stores more than the limits allow.
func Read(r io.Reader, l *Layout) (*Pasted, error) { return ReadChoice(r, l, Choice{}) }

// ReadChoice is like Read, but reads one part of a file.
func ReadChoice(r io.Reader, l *Layout, c Choice) (*Pasted, error) {
	reader := PasteReader{takes: l, choice: c}
	if _, err := io.Copy(&reader, r); err != nil {
		return nil, err
	}
	return reader.Close()
}

// GradientsObject is the layout of the weigh command's input: a Jacobian or the inner products of its rows, with losses
// and a seed.
var GradientsObject = &Layout{
	noun: "input", content: "a JSON object is expected", object: true,
	fields: []field{
		{name: JacobianName, what: matrix, rows: MaxRows, columns: MaxColumns, optional: true},
		{name: GramianName, what: matrix, rows: MaxRows, columns: MaxRows, optional: true},
		{name: lossesName, what: list, rows: MaxRows, optional: true},
		{name: seedName, what: integer, optional: true},
	},
	check: func(p *Pasted) (string, error) {
		jacobian, gramian := p.Matrix(JacobianName), p.Matrix(GramianName)
		switch {
		case jacobian == nil && gramian == nil:
			return "", fmt.Errorf("%s: at least one row with one number is needed, or a %s", JacobianName, GramianName)
		case jacobian != nil && gramian != nil:
			return "", fmt.Errorf("%s: the file also has a %s; give only one of them", GramianName, JacobianName)
		case jacobian != nil:
			return "", lossesFit(p)
		}
		if losses := p.Losses(); losses != nil && len(losses) != gramian.Rows {
			return "", fmt.Errorf("losses: got %d for %d rows of the Gramian", len(losses), gramian.Rows)
		}
		// Check makes an accepted Gramian exactly symmetric.
		m := runlog.Matrix{Rows: gramian.Rows, Columns: gramian.Cols, Data: gramian.Data}
		return "", m.Check()
	},
}

// Points is the layout of a file of points, one per row, optionally with a reference point.
var Points = &Layout{
	noun: "file", content: "points are expected, as a table, as JSON or as a NumPy array",
	fields: []field{
		{name: PointsName, what: matrix, rows: MaxPoints, columns: MaxPoints, empty: true},
		{name: ReferenceName, what: list, rows: MaxPoints, optional: true},
	},
}

// PointsName and ReferenceName are the names of the fields of Points.
const (
	PointsName    = "points"
	ReferenceName = "reference"
)

// PointsObject is the layout of the hypervolume command's input.
var PointsObject = &Layout{
	noun: "input", content: "a JSON object is expected", object: true,
	fields: []field{
		{name: PointsName, what: matrix, rows: MaxPoints, columns: MaxPoints, empty: true},
		{name: ReferenceName, what: list, rows: MaxPoints},
	},
}

// CostsFile is the layout of a file of costs for the transport command, with the command's maximum size.
var CostsFile = &Layout{
	noun: "file", content: "costs are expected, as a table, as JSON or as a NumPy array",
	fields: costFields(MaxMasses, false), check: checkCosts,
}

// CostsObject is the layout of the transport command's input.
var CostsObject = &Layout{
	noun: "input", content: "a JSON object is expected", object: true, fields: costFields(MaxMasses, true), check: checkCosts,
}
