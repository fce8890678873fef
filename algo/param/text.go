package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// format converts a value to the text form that parse accepts. The value must have the Go type of one of the Kinds.
func format(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int:
		return strconv.Itoa(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	case []string:
		return formatNames(v)
	case []int:
		cells := make([]string, len(v))
		for i, c := range v {
			cells[i] = strconv.Itoa(c)
		}
		return strings.Join(cells, ",")
	case []float64:
		return formatRow(v)
	case [3]float64:
		return formatRow(v[:])
	case [][]float64:
		return FormatRows(v)
	}
	panic(fmt.Sprintf("param: value of type %T", v))
}

// formatNames returns names as a line of CSV. It encloses names in double quotes if necessary, and doubles double
// quotes inside them.
func formatNames(names []string) string {
	cells := slices.Clone(names)
	for i, name := range names {
		if strings.ContainsAny(name, `,"`) || name != strings.TrimSpace(name) {
			cells[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return strings.Join(cells, ",")
}

// FormatRows returns points, or the rows of a matrix, in the text form of Points and Matrix.
func FormatRows(rows [][]float64) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = formatRow(row)
	}
	return strings.Join(lines, ";")
}

func formatRow(row []float64) string {
	cells := make([]string, len(row))
	for j, c := range row {
		cells[j] = strconv.FormatFloat(c, 'g', -1, 64)
	}
	return strings.Join(cells, ",")
}

// Encode returns a decoded JSON value (float64, bool, string or nested lists of these) in the text form that Assign
// and Clamp parse.
func Encode(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case float64, bool:
		return format(v), nil
	case []any:
		parts := make([]string, len(v))
		separator := ","
		for i, item := range v {
			if _, nested := item.([]any); nested || item == nil {
				separator = ";"
			}
			if item == nil {
				continue
			}
			if name, isName := item.(string); isName {
				parts[i] = formatNames([]string{name})
				continue
			}
			text, err := Encode(item)
			if err != nil {
				return "", err
			}
			parts[i] = text
		}
		return strings.Join(parts, separator), nil
	}
	return "", fmt.Errorf("a value must be a number, a boolean, a text or a list of these, not %T", v)
}

// Allowed returns a description of the values that the parameter accepts.
func (d *Descriptor) Allowed() string {
	switch d.Kind {
	case Number:
		return fmt.Sprintf("a number from %g to %g", d.Min, d.Max)
	case Integer, Seed:
		return fmt.Sprintf("a whole number from %.0f to %.0f", d.Min, d.Max)
	case Bool:
		return "true or false"
	case Choice:
		return "one of " + d.optionNames()
	case Set:
		if d.Open {
			return fmt.Sprintf("%d to %d names separated by commas, each of at most %d characters, in double quotes if it contains a comma",
				d.AtLeast, d.AtMost, maxName)
		}
		if d.AtLeast > 0 {
			return fmt.Sprintf("a list with at least %d of %s", d.AtLeast, d.optionNames())
		}
		return "a list from " + d.optionNames()
	case Points:
		return fmt.Sprintf("at most %d points, coordinates from %g to %g, such as 0.5,-0.5;1,0", d.AtMost, d.Min, d.Max)
	case Simplex:
		switch {
		case d.Whole() && d.Count != "":
			return fmt.Sprintf("as many whole numbers as the value of %s, from 0 to %g and not all 0, or an empty list to set all to 1",
				d.Count, d.Max)
		case d.Whole():
			return fmt.Sprintf("%d whole numbers from 0 to %g, not all 0", d.Columns, d.Max)
		case d.Count != "":
			return fmt.Sprintf("as many numbers as the value of %s, from %g to 1 with sum 1, or an empty list for equal numbers", d.Count, d.Min)
		}
		return fmt.Sprintf("%d numbers from %g to 1 with sum 1", d.Columns, d.Min)
	case Matrix:
		columns := "the same number of numbers in each"
		if d.Columns > 0 {
			columns = fmt.Sprintf("%d numbers in each", d.Columns)
		}
		return fmt.Sprintf("%d to %d rows, %s from %g to %g, such as 1,0;0,1", d.AtLeast, d.AtMost, columns, d.Min, d.Max)
	case Text:
		if d.Lines {
			return fmt.Sprintf("lines of at most %d characters in total", d.AtMost)
		}
		return fmt.Sprintf("one line of at most %d characters", d.AtMost)
	case Camera:
		return fmt.Sprintf("azimuth from %g to %g, elevation from %g to %g and distance from %g to %g, such as 30,20,1",
			CameraMin[0], CameraMax[0], CameraMin[1], CameraMax[1], CameraMin[2], CameraMax[2])
	}
	return string(d.Kind)
}

func (d *Descriptor) optionNames() string {
	var names []string
	for _, o := range d.Options {
		if o.Disabled == "" {
			names = append(names, o.Value)
		}
	}
	return strings.Join(names, " ")
}

// maxText is the maximum length of a text that parse accepts, so that parsing a hostile link is cheap.
const maxText = 1 << 14

// parse parses text as a value of d's kind. If the value is outside the range, it returns the nearest value in the
// range and a notice.
func (d *Descriptor) parse(text string) (value any, notice string, err error) {
	if len(text) > maxText {
		return nil, "", fmt.Errorf("%s: a value of %d characters is too long", d.Name, len(text))
	}
	bad := func() error { return fmt.Errorf("%s = %q: use %s", d.Name, clip(text), d.Allowed()) }
	moved := func(v any) string {
		return fmt.Sprintf("%s = %s is outside its range (%s); %s is used", d.Name, clip(text), d.Allowed(), format(v))
	}
	if d.Kind == Text {
		return d.parseText(text)
	}
	given := text
	text = strings.TrimSpace(text)
	switch d.Kind {
	case Number:
		f, ok := number(text)
		if !ok {
			return nil, "", bad()
		}
		if v := min(max(f, d.Min), d.Max); v != f {
			return v, moved(v), nil
		}
		return f, "", nil
	case Integer:
		f, ok := number(text)
		if !ok {
			return nil, "", bad()
		}
		v := int(min(max(math.Round(f), d.Min), d.Max))
		if float64(v) != f {
			return v, moved(v), nil
		}
		return v, "", nil
	case Seed:
		u, e := strconv.ParseUint(text, 10, 64)
		if e != nil {
			f, ok := number(text)
			if !ok {
				return nil, "", bad()
			}
			// JSON has only one kind of number, so a large seed may be written with an exponent.
			v := uint64(min(max(math.Round(f), d.Min), d.Max))
			if float64(v) != f {
				return v, moved(v), nil
			}
			return v, "", nil
		}
		if v := min(u, uint64(d.Max)); v != u {
			return v, moved(v), nil
		}
		return u, "", nil
	case Bool:
		v, e := strconv.ParseBool(text)
		if e != nil {
			return nil, "", bad()
		}
		return v, "", nil
	case Choice:
		if _, known := d.option(text); !known {
			return nil, "", bad()
		}
		if refused := d.refused(text); refused != "" {
			return nil, "", errors.New(refused)
		}
		return text, "", nil
	case Set, Points, Simplex, Matrix:
		if given != "" && text == "" {
			return nil, "", bad() // spaces and line ends alone do not mean an empty list
		}
		return d.parseList(text, bad)
	case Camera:
		return d.parseCamera(text, bad)
	}
	panic("param: kind " + string(d.Kind) + " has no text form")
}

// MaxText and MaxBytes are the maximum numbers of characters and bytes in a Text. With these limits, a link can hold
// several texts, even if each byte takes three characters in the link.
const (
	MaxText  = 2000
	MaxBytes = 3000
)

// parseText returns a text unchanged, except that line ends become "\n" and tabs become spaces. It rejects an invalid
// text instead of truncating it, because half a formula is a different formula.
func (d *Descriptor) parseText(text string) (any, string, error) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(text)
	refuse := func(format string, args ...any) (any, string, error) {
		return nil, "", fmt.Errorf("%s: %s; use %s", d.Name, fmt.Sprintf(format, args...), d.Allowed())
	}
	if !utf8.ValidString(text) {
		return refuse("the text is not UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > d.AtMost {
		return refuse("the text has %d characters", n)
	}
	if len(text) > MaxBytes {
		return refuse("the text has %d bytes, more than %d", len(text), MaxBytes)
	}
	line, column := 1, 0
	for _, r := range text {
		column++
		switch {
		case r == '\n' && d.Lines:
			line, column = line+1, 0
		case r == '\n':
			return refuse("the text has more than one line")
		case !unicode.IsGraphic(r):
			return refuse("%d:%d: the character %U cannot be shown", line, column, r)
		}
	}
	return text, "", nil
}

// parseList parses a value of a kind that holds several items.
func (d *Descriptor) parseList(text string, bad func() error) (any, string, error) {
	switch d.Kind {
	case Set:
		if d.Open {
			return d.parseNames(text, bad)
		}
		return d.parseSet(text, bad)
	case Points:
		return d.parsePoints(text, bad)
	case Simplex:
		return d.parseSimplex(text, bad)
	}
	return d.parseMatrix(text, bad)
}

func (d *Descriptor) parseSet(text string, bad func() error) (any, string, error) {
	wanted := map[string]bool{}
	var unknown []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		o, known := d.option(name)
		switch {
		case name == "":
		case !known:
			unknown = append(unknown, clip(name))
		case o.Disabled == "":
			wanted[name] = true
		}
	}
	refused := d.refused(text)
	chosen := []string{}
	for _, o := range d.Options {
		if wanted[o.Value] {
			chosen = append(chosen, o.Value)
		}
	}
	if len(chosen) < d.AtLeast {
		if refused != "" {
			return nil, "", errors.New(refused)
		}
		return nil, "", bad()
	}
	if refused != "" {
		return chosen, refused, nil
	}
	if len(unknown) > 0 {
		return chosen, fmt.Sprintf("%s: ignored %s; use %s", d.Name, strings.Join(unknown, " "), d.Allowed()), nil
	}
	return chosen, "", nil
}

// maxName is the maximum number of characters of a name in an Open Set.
const maxName = 80

// parseNames parses names of an Open Set. It drops names that are too long or contain characters that cannot be
// displayed, and all names beyond the maximum number, each with a notice. It also drops empty names and duplicates,
// without a notice.
func (d *Descriptor) parseNames(text string, bad func() error) (any, string, error) {
	cells, ok := splitNames(text)
	if !ok {
		return nil, "", bad()
	}
	names, notice := []string{}, ""
	for _, name := range cells {
		switch {
		case name == "" || slices.Contains(names, name):
		case !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl):
			notice = fmt.Sprintf("%s: ignored %q; use %s", d.Name, clip(name), d.Allowed())
		case len(names) == d.AtMost:
			notice = fmt.Sprintf("%s: only the first %d names are used", d.Name, d.AtMost)
		default:
			names = append(names, name)
		}
	}
	if len(names) < d.AtLeast {
		return nil, "", bad()
	}
	return names, notice, nil
}

// splitNames is the inverse of formatNames. The result ok is false if a quoted name has no closing quote, or if text
// follows the closing quote.
func splitNames(text string) (names []string, ok bool) {
	for {
		name := strings.TrimSpace(text)
		if !strings.HasPrefix(name, `"`) {
			before, after, more := strings.Cut(text, ",")
			names = append(names, strings.TrimSpace(before))
			if !more {
				return names, true
			}
			text = after
			continue
		}
		var quoted strings.Builder
		rest, again := name[1:], true
		for again {
			before, after, closed := strings.Cut(rest, `"`)
			if !closed {
				return nil, false
			}
			quoted.WriteString(before)
			if rest, again = strings.CutPrefix(after, `"`); again {
				quoted.WriteByte('"')
			}
		}
		names = append(names, quoted.String())
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return names, true
		}
		if text, ok = strings.CutPrefix(rest, ","); !ok {
			return nil, false
		}
	}
}

// refused finds the first disabled option in text, which is a list of options, and returns the reason why this option
// is unavailable. It returns "" if no option is disabled.
func (d *Descriptor) refused(text string) string {
	for name := range strings.SplitSeq(text, ",") {
		if o, known := d.option(strings.TrimSpace(name)); known && o.Disabled != "" {
			return fmt.Sprintf("%s: %s cannot be chosen here. %s", d.Name, o.Value, strings.TrimSuffix(o.Disabled, "."))
		}
	}
	return ""
}

func (d *Descriptor) parsePoints(text string, bad func() error) (any, string, error) {
	points := [][]float64{}
	if text == "" {
		return points, "", nil
	}
	notice := ""
	for row := range strings.SplitSeq(text, ";") {
		if len(points) == d.AtMost {
			notice = fmt.Sprintf("%s: only the first %d points are used", d.Name, d.AtMost)
			break
		}
		point := []float64{}
		if strings.TrimSpace(row) != "" {
			for cell := range strings.SplitSeq(row, ",") {
				f, ok := number(strings.TrimSpace(cell))
				if !ok {
					return nil, "", bad()
				}
				v := min(max(f, d.Min), d.Max)
				if v != f {
					notice = fmt.Sprintf("%s: the coordinate %g is outside %g to %g; %g is used", d.Name, f, d.Min, d.Max, v)
				}
				point = append(point, v)
			}
		}
		points = append(points, point)
	}
	return points, notice, nil
}

// simplexTolerance is the allowed deviation of the sum of shares from 1. It allows for the rounding of shares that
// are written with nine decimals.
const simplexTolerance = 1e-8

// parseSimplex parses shares. If their sum is not 1, it divides them by the sum. It raises shares below Min to Min
// and reduces the others, in proportion to their amounts above Min.
func (d *Descriptor) parseSimplex(text string, bad func() error) (any, string, error) {
	cells := strings.Split(text, ",")
	switch {
	case d.Count != "" && text == "" && d.Whole():
		return []int{}, "", nil
	case d.Count != "" && text == "":
		return []float64{}, "", nil
	case d.Count == "" && len(cells) != d.Columns, d.Count != "" && len(cells) > d.AtMost:
		return nil, "", bad()
	case d.Whole():
		return d.parseWhole(text, cells, bad)
	}
	shares, largest := make([]float64, len(cells)), 0.0
	for i, cell := range cells {
		f, ok := number(strings.TrimSpace(cell))
		if !ok {
			return nil, "", bad()
		}
		shares[i] = f
		largest = max(largest, f)
	}
	if d.onSimplex(shares) {
		return shares, "", nil
	}
	if largest <= 0 { // all shares are equal
		for i := range shares {
			shares[i], largest = 1, 1
		}
	}
	var sum float64
	for i, f := range shares {
		shares[i] = max(f, 0) / largest
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	d.raised(shares)
	notice := fmt.Sprintf("%s = %s is outside its range (%s); %s is used", d.Name, clip(text), d.Allowed(), format(shares))
	return shares, notice, nil
}

// parseWhole parses a list of numbers and rounds each to the nearest whole number in its range. If none is above 0,
// all become 1.
func (d *Descriptor) parseWhole(text string, cells []string, bad func() error) (any, string, error) {
	numbers, moved := make([]int, len(cells)), false
	for i, cell := range cells {
		f, ok := number(strings.TrimSpace(cell))
		if !ok {
			return nil, "", bad()
		}
		v := min(max(math.Round(f), 0), d.Max)
		numbers[i], moved = int(v), moved || v != f
	}
	if slices.Max(numbers) == 0 {
		numbers, moved = Frequencies(nil, len(cells)), true
	}
	if moved {
		return numbers, fmt.Sprintf("%s = %s is outside its range (%s); %s is used", d.Name, clip(text), d.Allowed(), format(numbers)), nil
	}
	return numbers, "", nil
}

// raised raises shares below Min to Min and takes the difference from the amounts that the others have above Min. The
// shares must have sum 1. raised modifies and returns its argument.
func (d *Descriptor) raised(shares []float64) []float64 {
	var above float64 // sum of the amounts above Min
	for i := range shares {
		shares[i] = max(shares[i], d.Min)
		above += shares[i] - d.Min
	}
	if free := 1 - float64(float64(len(shares))*d.Min); math.Abs(above-free) > simplexTolerance {
		for i, f := range shares {
			shares[i] = d.Min + (f-d.Min)*free/above
		}
	}
	return shares
}

func (d *Descriptor) onSimplex(shares []float64) bool {
	var sum float64
	for _, f := range shares {
		if f < d.Min {
			return false
		}
		sum += f
	}
	return math.Abs(sum-1) <= simplexTolerance
}

func (d *Descriptor) parseMatrix(text string, bad func() error) (any, string, error) {
	var rows [][]float64
	notice := ""
	for line := range strings.SplitSeq(text, ";") {
		if len(rows) == d.AtMost {
			notice = fmt.Sprintf("%s: only the first %d rows are used", d.Name, d.AtMost)
			break
		}
		var row []float64
		for cell := range strings.SplitSeq(line, ",") {
			f, ok := number(strings.TrimSpace(cell))
			if !ok {
				return nil, "", bad()
			}
			v := min(max(f, d.Min), d.Max)
			if v != f {
				notice = fmt.Sprintf("%s: the entry %g is outside %g to %g; %g is used", d.Name, f, d.Min, d.Max, v)
			}
			row = append(row, v)
		}
		if d.Columns > 0 && len(row) != d.Columns || len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, "", bad()
		}
		rows = append(rows, row)
	}
	if len(rows) < d.AtLeast {
		return nil, "", bad()
	}
	return rows, notice, nil
}

func (d *Descriptor) parseCamera(text string, bad func() error) (any, string, error) {
	var v [3]float64
	cells := strings.Split(text, ",")
	if len(cells) != len(v) {
		return nil, "", bad()
	}
	for i, cell := range cells {
		f, ok := number(strings.TrimSpace(cell))
		if !ok {
			return nil, "", bad()
		}
		v[i] = f
	}
	if v[0] < CameraMin[0] || v[0] > CameraMax[0] { // an angle is periodic
		v[0] -= float64(360 * math.Round(v[0]/360))
	}
	notice := ""
	for i, f := range v {
		if c := min(max(f, CameraMin[i]), CameraMax[i]); c != f {
			v[i] = c
			notice = fmt.Sprintf("%s = %s is outside its range (%s); %s is used", d.Name, clip(text), d.Allowed(), format(v))
		}
	}
	return v, notice, nil
}

// number parses a finite decimal number, with or without an exponent. It rejects infinities, which are not positions
// on a slider, and hexadecimal digits and underscores, which occur only in programs.
func number(text string) (float64, bool) {
	if strings.ContainsAny(text, "_xX") {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// clip shortens a value for quotation in a message.
func clip(text string) string {
	const limit = 60
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}
