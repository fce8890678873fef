package timeline

import (
	"math"
	"strconv"
	"strings"
)

// Readout is a table of the runs at the marker, for people.
type Readout struct {
	Columns []Column     `json:"columns"`
	Rows    []ReadoutRow `json:"rows"`
}

// Column is the head of one column.
type Column struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
}

// ReadoutRow is one run.
type ReadoutRow struct {
	Run    string   `json:"run"`
	Method string   `json:"method"`
	Label  string   `json:"label"`
	Cells  []string `json:"cells"`
}

// Number writes v in four significant digits.
func Number(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	text := strconv.FormatFloat(v, 'g', 4, 64)
	return strings.Replace(text, "-", "−", 1)
}

// Vector writes v as "(a, b, …)" with at most four entries; "–" when v is nil.
func Vector(v []float64) string {
	if v == nil {
		return "–"
	}
	const most = 4
	var b strings.Builder
	b.WriteByte('(')
	for i, x := range v {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == most && len(v) > most {
			b.WriteString("…")
			break
		}
		b.WriteString(Number(x))
	}
	b.WriteByte(')')
	return b.String()
}
