package gradientlab

import (
	"testing"

	"paretoplay/internal/teach/mathml"
)

// TestFormulas checks that every formula has MathML.
func TestFormulas(t *testing.T) {
	for _, e := range equations {
		for _, tex := range []string{e.Symbols, e.Numbers} {
			if _, err := mathml.MathML(tex, true); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		}
	}
}
