package data

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"paretoplay/algo"
	"paretoplay/internal/pattern"
)

// Known returns a pointer to v for JSON. For NaN and infinities it returns nil, which is written as null.
func Known(v float64) *float64 {
	if !algo.Finite([]float64{v}) {
		return nil
	}
	return &v
}

// Number is a float64 that becomes null in JSON if it is unknown (NaN) or has overflowed (infinite).
type Number float64

// MarshalJSON writes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	return json.Marshal(Known(float64(n)))
}

// UnmarshalJSON reads a number. null becomes NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	number := new(float64)
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	*n = Number(math.NaN())
	if number != nil {
		*n = Number(*number)
	}
	return nil
}

// decimal parses a finite number in decimal notation, or returns what is wrong with the text.
func decimal(text string) (f float64, wrong string) {
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, clipped(text) + " is not a number" + instead(text)
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && math.IsInf(f, 0):
		return 0, clipped(text) + " is too large for double precision"
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, clipped(text) + " is not a number" + instead(text)
	}
	return f, ""
}

// Decimal parses a finite number in decimal notation. Its error says what is wrong with the text.
func Decimal(text string) (float64, error) {
	v, wrong := decimal(text)
	if wrong != "" {
		return 0, errors.New(wrong)
	}
	return v, nil
}

// repairs lists unsupported notations of numbers, with advice on what to write instead.
var repairs = []struct {
	damaged func() *regexp.Regexp
	advice  string
}{
	{pattern.Lazy(`^[−–][\d.,]`), `; write its minus sign as "-"`},
	{pattern.Lazy(`^[-+]?[\d.,]+[dD][-+]?\d+$`), `; write its exponent with "e"`},
	{pattern.Lazy(`^[-+]?[\d.,]+ ?%$`), "; write a share without the percent sign"},
	{pattern.Lazy(`^[-+]?\d{1,3}([ '_\x{a0}\x{2009}\x{202f}]\d{3})+([.,]\d*)?$`), "; write it without signs between groups of digits"},
	{pattern.Lazy(`^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$`), "; write it with a decimal point, and without signs between groups of digits"},
	{pattern.Lazy(`^[-+]?\d{1,3}(\.\d{3})*,\d*$`), "; write it with a decimal point, and without signs between groups of digits"},
	{pattern.Lazy(`^\.\.\.$`), "; NumPy left numbers out, which numpy.set_printoptions(threshold=numpy.inf) prevents"},
}

// instead returns the notation that replaces an unsupported number, or "" if there is none to suggest.
func instead(text string) string {
	for _, r := range repairs {
		if r.damaged().MatchString(text) {
			return r.advice
		}
	}
	return ""
}

// sheetError matches the text that spreadsheets write in a cell whose formula fails.
var sheetError = pattern.Lazy(`^#(DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!)`)

// notNames lists words, in lower case, for special numbers or missing values.
var notNames = map[string]bool{"nan": true, "inf": true, "infinity": true, "na": true, "n/a": true, "null": true, "none": true, "nil": true,
	"true": true, "false": true, "missing": true}

// isName reports whether a cell in a first row is a column's name rather than a valid or damaged number. A name has a
// letter before any digit and is not in notNames.
func isName(text string) bool {
	if !utf8.ValidString(text) || !strings.ContainsFunc(text, unicode.IsLetter) || sheetError().MatchString(text) {
		return false
	}
	bare := strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	first, _ := utf8.DecodeRuneInString(bare)
	return unicode.IsLetter(first) && !notNames[strings.ToLower(bare)]
}
