// Package numeral writes numbers for people: on the page, in pictures and in words. assets/shell/words.js writes them alike;
// testdata/cases.json holds both to the same texts. Files for programs have all digits, and do not use it.
package numeral

import (
	"math"
	"strconv"
	"strings"
)

const (
	none     = "–" // there is no number
	infinite = "∞"

	// vanishing is the size below which a number is what rounding has left of 0.
	vanishing = 1e-15
	// Numbers of these sizes have no exponent.
	least, most = 1e-4, 1e7
)

// Format writes v in at most so many significant digits: 0.335, 50,000, 1.5e−6. Whole numbers below ten million have all of their
// digits. It writes 0 for what is smaller than 1e-15, and – for NaN.
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
		return unusual(rounded) // it is too large once it is rounded
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

// Fixed writes v with so many decimals, without a sign where all its digits are 0, and – for NaN.
func Fixed(v float64, decimals int) string {
	if v-v != 0 {
		return unusual(v)
	}
	return group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// unusual writes what is not finite.
func unusual(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return infinite
	case math.IsInf(v, -1):
		return "−" + infinite
	}
	return none
}

// Count writes a whole number.
func Count(n int) string { return group(strconv.Itoa(n)) }

// Minus writes the sign of a number as a minus, which is as wide as a digit.
func Minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// group writes a decimal number with commas between groups of three digits, from ten thousand on, and with a minus unless it is 0.
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
