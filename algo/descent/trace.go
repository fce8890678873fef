package descent

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"paretoplay/algo"
)

// Trace records a run of Minimize. Its zero value records every iteration.
type Trace struct {
	Every int // n: record the start, every n-th iteration and the last one; 0 means 1
	Rows  []TraceRow
}

// TraceRow is one iteration of a run.
type TraceRow struct {
	K                int
	X                []float64 // of length n
	F                []float64 // of length m; nil if the losses were not computed: see Config.ValuesEvery
	Weights          []float64 // weights of the step that led to X; nil at the start, and if the step has no weights
	Backpropagations int       // total up to this iteration
}

// add records a view if its iteration is due. A nil Trace records nothing.
func (t *Trace) add(v *algo.View) {
	if t == nil || v.K%max(t.Every, 1) != 0 {
		return
	}
	row := TraceRow{K: v.K, X: append([]float64(nil), v.X...), Backpropagations: v.Cost.Backpropagations}
	if v.Evaluated == v.K {
		row.F = append([]float64(nil), v.F...)
	}
	row.Weights = append(row.Weights, v.Weights...)
	t.Rows = append(t.Rows, row)
}

// end records the last iteration with its losses.
func (t *Trace) end(v *algo.View) {
	if t == nil {
		return
	}
	if n := len(t.Rows); n > 0 && t.Rows[n-1].K == v.K {
		t.Rows[n-1].F = append([]float64(nil), v.F...)
		return
	}
	last := Trace{}
	last.add(v)
	t.Rows = append(t.Rows, last.Rows...)
}

// WriteCSV writes one line per iteration with the columns k, backpropagations, f1 … fm, weight1 … weightm and x1 …
// xn. The first two columns contain integers; all other numbers have a decimal point or an exponent. Missing values
// are empty.
func (t *Trace) WriteCSV(w io.Writer) error {
	if len(t.Rows) == 0 {
		return nil
	}
	n, m := len(t.Rows[0].X), 0
	for _, r := range t.Rows {
		m = max(m, len(r.F), len(r.Weights))
	}
	header := []string{"k", "backpropagations"}
	for _, c := range []struct {
		name  string
		count int
	}{{"f", m}, {"weight", m}, {"x", n}} {
		for i := range c.count {
			header = append(header, fmt.Sprintf("%s%d", c.name, i+1))
		}
	}
	out := csv.NewWriter(w)
	out.Write(header) // out.Error below reports failures
	for _, r := range t.Rows {
		record := []string{strconv.Itoa(r.K), strconv.Itoa(r.Backpropagations)}
		for _, c := range []struct {
			values []float64
			count  int
		}{{r.F, m}, {r.Weights, m}, {r.X, n}} {
			for i := range c.count {
				text := ""
				if i < len(c.values) {
					// Some CSV readers infer an integer column if the first numbers have no decimal point.
					if text = strconv.FormatFloat(c.values[i], 'g', -1, 64); !strings.ContainsAny(text, ".eNI") {
						text += ".0"
					}
				}
				record = append(record, text)
			}
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}
