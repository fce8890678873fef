package experiment

// Rows are the numbers that are measured for a cell, the same ones in every row: a row for each
// run, in the order of the seeds, or for each setting that is tried.
type Rows [][]float64

// Add appends a row, which the caller no longer changes.
func (r *Rows) Add(row []float64) { *r = append(*r, row) }

// Round leaves so many digits of every number.
func (r Rows) Round(digits int) {
	for _, row := range r {
		for i, v := range row {
			row[i] = Rounded(v, digits)
		}
	}
}

// Each is what a function makes of each row.
func (r Rows) Each(of func(row []float64) float64) []float64 {
	out := make([]float64, len(r))
	for i, row := range r {
		out[i] = of(row)
	}
	return out
}

// Number is one number of each row.
func (r Rows) Number(i int) []float64 {
	return r.Each(func(row []float64) float64 { return row[i] })
}

// RowsForm says which rows a cell has in files, so that others are refused.
type RowsForm[C any] struct {
	Shape   func(c *C) (rows, numbers int) // how many rows, and numbers in each
	Digits  int                            // that Rounded has left of a number
	Kind    string                         // what errors call a number
	Allowed func(v float64) bool
	Check   func(c *C, rows Rows) error // refuses what Allowed cannot tell; nil for nothing
}

// RowsColumn holds all rows of a cell.
func RowsColumn[C any](name string, of func(c *C) *Rows, form RowsForm[C]) Column[C] {
	return Value(name, func(c *C) any { return [][]float64(*of(c)) }, func(c *C, text string) error {
		count, numbers := form.Shape(c)
		rows, err := SplitRows(text, count, numbers, form.Digits, form.Kind, form.Allowed)
		if err == nil && form.Check != nil {
			err = form.Check(c, rows)
		}
		if err == nil {
			*of(c) = rows
		}
		return err
	})
}
