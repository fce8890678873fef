package lab

import (
	"testing"

	"paretoplay/scenes/lesson/formula"
)

// TestFormulas: there is MathML for the formulas.
func TestFormulas(t *testing.T) {
	for _, e := range equations {
		for _, tex := range []string{e.Symbols, e.Numbers} {
			if _, err := formula.MathML(tex, true); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		}
	}
}
