package experiment

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/internal/portable"
)

// Dash stands for unknown values in tables.
const Dash = "–"

// Text is an experiment's report for readers: sentences and tables.
type Text struct {
	strings.Builder
	Trimmed bool // whether to remove trailing blanks from the lines of tables
}

// Printf writes formatted sentences.
func (t *Text) Printf(format string, values ...any) { fmt.Fprintf(&t.Builder, format, values...) }

// Table writes lines with tab-separated entries, aligned in columns.
func (t *Text) Table(fill func(out io.Writer)) {
	var lines strings.Builder
	out := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	fill(out)
	if err := out.Flush(); err != nil {
		panic("experiment: " + err.Error()) // cannot fail, because it writes to a strings.Builder
	}
	for line := range strings.Lines(lines.String()) {
		if t.Trimmed {
			line = strings.TrimRight(line, " \n") + "\n"
		}
		t.WriteString(line)
	}
}

// Show writes the text to w.
func (t *Text) Show(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

// TextColumn is a column of a text table. Head and entries may consist of several columns, separated by tabs.
type TextColumn[R any] struct {
	Head  string
	Entry func(row R) string
}

// WriteRows writes a table: one line of heads, then one line per row.
func WriteRows[R any](t *Text, rows []R, columns ...TextColumn[R]) {
	t.Table(func(out io.Writer) {
		line := func(entry func(c *TextColumn[R]) string) {
			for i := range columns {
				if i > 0 {
					fmt.Fprint(out, "\t")
				}
				fmt.Fprint(out, entry(&columns[i]))
			}
			fmt.Fprintln(out)
		}
		line(func(c *TextColumn[R]) string { return c.Head })
		for _, row := range rows {
			line(func(c *TextColumn[R]) string { return c.Entry(row) })
		}
	})
}

// Significant formats a number with the given number of significant digits, with an exponent only below 0.0001 and from
// 10,000 on. It returns a Dash for 0 and for numbers that are not finite.
func Significant(v float64, digits int) string {
	if v == 0 || v-v != 0 {
		return Dash
	}
	if size := math.Floor(portable.Log10(math.Abs(v))); size >= -4 && size < 4 {
		return strconv.FormatFloat(v, 'f', max(0, digits-1-int(size)), 64)
	}
	return strconv.FormatFloat(v, 'e', digits-1, 64)
}

// Fixed formats a number with the given number of decimals. It returns a Dash if the number is unknown.
func Fixed(v float64, decimals int) string { return Estimate{v, math.NaN()}.Text(decimals) }

// List formats numbers separated by commas.
func List(numbers []float64) string { return strings.ReplaceAll(JoinNumbers(numbers), " ", ", ") }
