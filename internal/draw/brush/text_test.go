package brush

import (
	"slices"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// TestGlyphs checks that the fonts have every character that Notation produces.
func TestGlyphs(t *testing.T) {
	for _, f := range []font.Font{Sans, Bold} {
		face := Text.Fonts.Lookup(f, 12)
		var buf sfnt.Buffer
		for _, p := range split("ηαλωσΓμ∇‖−₁₂ₛ≤·×²½→⁻⁰⁹ⁿ τβγρθφνπΣq̃…–±≈≥\u00a0x_s^{12}") {
			if sign(p.text) {
				continue
			}
			for _, r := range p.text {
				if g, err := face.Face.GlyphIndex(&buf, r); err != nil || g == 0 {
					t.Errorf("%s has no %q (%v)", face.Name(), r, err)
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []part
	}{
		{"", nil},
		{"plain", []part{{"plain", 0}}},
		{"λ_1", []part{{"λ", 0}, {"1", -1}}},
		{"λ₁₂", []part{{"λ", 0}, {"12", -1}}},
		{"10^{−3} s", []part{{"10", 0}, {"−3", 1}, {" s", 0}}},
		{"x_{12}y", []part{{"x", 0}, {"12", -1}, {"y", 0}}},
		{"a_", []part{{"a_", 0}}},
		{"a_{b", []part{{"a", 0}, {"{", -1}, {"b", 0}}},
		{"a∇∇f", []part{{"a", 0}, {"∇", 0}, {"∇", 0}, {"f", 0}}},
		{"q̃ λ̃_1", []part{{"q", 0}, {"\u0303", 0}, {" λ", 0}, {"\u0303", 0}, {"1", -1}}},
		{"10⁻³", []part{{"10", 0}, {"−3", 1}}},
	} {
		if got := split(test.in); !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, want %v", test.in, got, test.want)
		}
	}
}

// TestHeadingInTwo checks that a heading that is too wide continues in a second line, broken between words.
func TestHeadingInTwo(t *testing.T) {
	f := font.From(Bold, HeadingText)
	const text = "Weights of the training samples"
	width := Text.Width("Weights of the training", f)
	for _, c := range []struct {
		width         vg.Length
		first, second string
	}{
		{width + 100, text, ""},
		{width, "Weights of the training", "samples"},
		{Text.Width("Weights of the", f), "Weights of the", Shorten("training samples", f, Text.Width("Weights of the", f))},
	} {
		if first, second := InTwo(text, f, c.width); first != c.first || second != c.second {
			t.Errorf("at %v: %q and %q, want %q and %q", c.width, first, second, c.first, c.second)
		}
	}
}
