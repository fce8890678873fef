package scenetest

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Rounded is a number read from a text. The number before rounding differs from Value by at most Off.
type Rounded struct{ Value, Off float64 }

var written = regexp.MustCompile(`−?[0-9][0-9.]*(e[−+]?[0-9]+)?`)

// Read returns the numbers in a text. It assumes that they were rounded to the decimals shown if decimals is true, and
// otherwise to three digits.
func Read(t testing.TB, text string, decimals bool) (out []Rounded) {
	t.Helper()
	for _, s := range written.FindAllString(text, -1) {
		s = strings.ReplaceAll(s, "−", "-")
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		off := 0.005 * math.Abs(v) // three digits, or fewer if trailing zeros are omitted
		if _, places, _ := strings.Cut(s, "."); decimals {
			off = 0.5 * math.Pow10(-len(places))
		}
		out = append(out, Rounded{v, off})
	}
	return out
}
