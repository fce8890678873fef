package experiment

// Rows contains the measurements of a cell. Every row contains the same quantities. There is one row per run, in the
// order of the seeds, or one row per tried setting.
type Rows [][]float64

// Add appends a row. The caller must not change the row afterwards.
func (r *Rows) Add(row []float64) { *r = append(*r, row) }

// Round rounds every number to the given number of significant digits.
func (r Rows) Round(digits int) {
	for _, row := range r {
		for i, v := range row {
			row[i] = Rounded(v, digits)
		}
	}
}

// Each calls the function `of` with each row, and returns the results.
func (r Rows) Each(of func(row []float64) float64) []float64 {
	out := make([]float64, len(r))
	for i, row := range r {
		out[i] = of(row)
	}
	return out
}

// Number returns the number with index i in each row.
func (r Rows) Number(i int) []float64 {
	return r.Each(func(row []float64) float64 { return row[i] })
}

// RowsForm describes the rows of a cell in files, so that rows of another form can be rejected.
type RowsForm[C any] struct {
	Shape   func(c *C) (rows, numbers int) // number of rows, and of numbers per row
	Digits  int                            // significant digits of each number
	Kind    string                         // word for a number in errors
	Allowed func(v float64) bool
	Check   func(c *C, rows Rows) error // performs the checks that Allowed cannot express; may be nil
}

// RowsColumn returns a column with all rows of a cell.
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
