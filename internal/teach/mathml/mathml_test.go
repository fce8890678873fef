package mathml_test

import (
	"strings"
	"testing"

	"paretoplay/internal/teach/mathml"
)

// TestMathML checks that a formula becomes the same MathML every time, without styles, with slots for numbers, and with
// two bars for norms.
func TestMathML(t *testing.T) {
	for _, c := range []struct{ tex, want string }{
		{`x_5`, `<math display="inline"><mrow><msub><mi>x</mi><mn>5</mn></msub></mrow></math>`},
		{`\|g\|`, `<math display="inline"><mrow><mi>‖</mi><mi>g</mi><mi>‖</mi></mrow></math>`},
		{`\lVert g\rVert`, `<math display="inline"><mrow><mo>‖</mo><mi>g</mi><mo>‖</mo></mrow></math>`},
		{`\eta=\text{@eta.1}`, `<math display="inline"><mrow><mi>η</mi><mo>=</mo><mn data-fact="eta.1">–</mn></mrow></math>`},
		{`a<b`, `<math display="inline"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>`},
		{`\text{a b}`, `<math display="inline"><mrow><mtext>a b</mtext></mrow></math>`},
		{`\frac{1}{2}`, `<math display="inline"><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></math>`},
	} {
		for range 5 {
			if got, err := mathml.MathML(c.tex, false); err != nil || got != c.want {
				t.Errorf("%s: %v\n got %s\nwant %s", c.tex, err, got, c.want)
				break
			}
		}
	}
	got, err := mathml.MathML(`\hat x`, true)
	if err != nil || strings.Contains(got, "style=") || strings.Contains(got, "xmlns") || !strings.Contains(got, `display="block"`) {
		t.Error(got, err)
	}
}

// TestRefused checks that a formula that cannot be shown correctly gives an error that says why.
func TestRefused(t *testing.T) {
	for tex, want := range map[string]string{
		`\foo{x}`:                  `unknown command \foo`,
		`\href{javascript:x()}{y}`: `unknown command \href`,
		`{x`:                       "mismatched",
		`\frac12`:                  "braces",
		` `:                        "empty",
		`\text{<b>}`:               "must not contain",
		strings.Repeat("x", 3000):  "the maximum is 2000",
	} {
		if got, err := mathml.MathML(tex, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %q, error %v, want %q", tex, got, err, want)
		}
	}
}
