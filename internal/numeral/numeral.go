// Package numeral formats numbers for readers: on the page, in pictures and in sentences. assets/shell/words.js formats
// them in the same way, and testdata/cases.json tests both. Files meant for programs keep all digits, so they are
// written without this package.
package numeral

import (
	"math"
	"strconv"
	"strings"
)

const (
	none     = "–" // stands for a missing number
	infinite = "∞"

	// vanishing is the size below which a number counts as 0. Rounding errors leave remainders of this size.
	vanishing = 1e-15
	// Numbers within these bounds are written without an exponent.
	least, most = 1e-4, 1e7
)

// Format formats v with at most the given number of significant digits: 0.335, 50,000, 1.5e−6. However, whole numbers
// below ten million keep all their digits. Numbers below 1e-15 become 0, and NaN becomes –.
func Format(v float64, digits int) string {
	size := math.Abs(v)
	switch {
	case v-v != 0:
		return unusual(v)
	case size < vanishing:
		return "0"
	case size == math.Trunc(size) && size < most:
		return Fixed(v, 0)
	}
	scientific := strconv.FormatFloat(v, 'e', digits-1, 64)
	rounded, err := strconv.ParseFloat(scientific, 64)
	if err != nil {
		return unusual(rounded) // rounding made the number too large
	}
	if size = math.Abs(rounded); size >= least && size < most {
		return group(strconv.FormatFloat(rounded, 'f', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(scientific, "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	sign := ""
	if exponent[0] == '-' {
		sign = "−"
	}
	return Minus(mantissa) + "e" + sign + strings.TrimLeft(exponent, "+-0")
}

// Fixed formats v with the given number of decimals. It drops the sign if all digits are 0. It returns – for NaN.
func Fixed(v float64, decimals int) string {
	if v-v != 0 {
		return unusual(v)
	}
	return group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// unusual formats NaN and the infinities.
func unusual(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return infinite
	case math.IsInf(v, -1):
		return "−" + infinite
	}
	return none
}

// Count formats a whole number.
func Count(n int) string { return group(strconv.Itoa(n)) }

// Counted formats a whole number and its noun, such as "3 runs". It adds an s to the noun unless the number is 1.
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// Minus replaces the hyphen of a negative number by a minus sign, which is as wide as a digit.
func Minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// group separates groups of three digits by commas in numbers from 10,000 on. It writes a minus sign before negative
// numbers.
func group(text string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		if text = rest; strings.Trim(text, "0.") != "" {
			sign = "−"
		}
	}
	whole, decimals, _ := strings.Cut(text, ".")
	const smallest = len("10000") // 4000 has no comma
	if len(whole) >= smallest {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + "," + whole[at:]
		}
	}
	if decimals != "" {
		whole += "." + decimals
	}
	return sign + whole
}
