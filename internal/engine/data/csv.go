package data

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"paretoplay/internal/pattern"
)

// Real formats a number for a CSV column of reals, without loss of precision. The text always has a decimal point or an
// exponent, because programs that infer a column's type from its first cells would take 0 for an integer and then
// refuse 0.5. NaN, an unknown number, becomes "".
func Real(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return asReal(strconv.FormatFloat(v, 'g', -1, 64))
}

// asReal appends ".0" to a whole number.
func asReal(number string) string {
	if strings.ContainsAny(number, ".eEI") {
		return number
	}
	return number + ".0"
}

// AsReals rewrites a cell in a CSV column of reals, or of lists of reals, in the format of Real: "0 1e-05;2.5" becomes
// "0.0 1e-05;2.5". It returns any other cell unchanged.
func AsReals(cell string) string {
	return eachNumber(cell, withPoint(), asReal)
}

// Patterns for numbers in a CSV cell, one for each decimal sign.
var (
	withPoint = pattern.Lazy(`^[-+]?(\d+(\.\d*)?([eE][-+]?\d+)?|Inf)$`)
	withComma = pattern.Lazy(`^[-+]?(\d+(,\d*)?([eE][-+]?\d+)?|Inf)$`)
)

// eachNumber replaces the numbers in a cell that contains one number, or a list separated by spaces and semicolons. It
// returns any other cell unchanged.
func eachNumber(cell string, form *regexp.Regexp, replace func(number string) string) string {
	var b strings.Builder
	for rest := cell; ; {
		end := strings.IndexAny(rest, " ;")
		text := rest
		if end >= 0 {
			text = rest[:end]
		}
		switch {
		case text == "":
		case !form.MatchString(text):
			return cell
		default:
			b.WriteString(replace(text))
		}
		if end < 0 {
			return b.String()
		}
		b.WriteByte(rest[end])
		rest = rest[end+1:]
	}
}

// WithCommas rewrites CSV for spreadsheets that expect decimal commas. Semicolons then separate cells, and numbers
// below the heading have decimal commas. Lines before the heading that begin with "#" stay unchanged.
func WithCommas(table []byte) ([]byte, error) {
	var out bytes.Buffer
	for bytes.HasPrefix(table, []byte("#")) {
		line, rest, _ := bytes.Cut(table, []byte("\n"))
		out.Write(append(line, '\n'))
		table = rest
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("CSV with decimal commas: %w", err)
	}
	mark(rows, withPoint(), ".", ",")
	w := csv.NewWriter(&out)
	w.Comma = ';'
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("CSV with decimal commas: %w", err)
	}
	return out.Bytes(), nil
}

// ReadCSV reads CSV, with decimal points or as written by WithCommas. If the first line has semicolons and no commas,
// the numbers have decimal commas. The returned rows have decimal points.
func ReadCSV(r io.Reader) (rows [][]string, err error) {
	table, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(bytes.NewReader(table))
	heading, _, _ := bytes.Cut(table, []byte("\n"))
	commas := bytes.IndexByte(heading, ';') >= 0 && bytes.IndexByte(heading, ',') < 0
	if commas {
		in.Comma = ';'
	}
	rows, err = in.ReadAll()
	if err != nil {
		return nil, err
	}
	if commas {
		mark(rows, withComma(), ",", ".")
	}
	return rows, nil
}

// mark replaces one decimal sign (from) with another (to) in the numbers below the heading.
func mark(rows [][]string, form *regexp.Regexp, from, to string) {
	for _, row := range rows[min(1, len(rows)):] {
		for i, cell := range row {
			row[i] = eachNumber(cell, form, func(number string) string { return strings.Replace(number, from, to, 1) })
		}
	}
}
