package scenetest

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Rounded is a number as it is written, and how far it may be from what was written.
type Rounded struct{ Value, Off float64 }

var written = regexp.MustCompile(`−?[0-9][0-9.]*(e[−+]?[0-9]+)?`)

// Read returns the numbers of a text, in so many decimals or in three digits.
func Read(t testing.TB, text string, decimals bool) (out []Rounded) {
	t.Helper()
	for _, s := range written.FindAllString(text, -1) {
		s = strings.ReplaceAll(s, "−", "-")
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		off := 0.005 * math.Abs(v) // three digits, or less where zeros at the end are left out
		if _, places, _ := strings.Cut(s, "."); decimals {
			off = 0.5 * math.Pow10(-len(places))
		}
		out = append(out, Rounded{v, off})
	}
	return out
}
