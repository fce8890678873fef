package runs

import (
	"testing"

	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// TestOwnTexts: every own parameter of every weighting, and each of its options, has
// a label and a help here, and nothing is described that there is not.
func TestOwnTexts(t *testing.T) {
	described := map[string]bool{}
	for _, m := range weighting.Methods {
		t.Run(m.Name, func(t *testing.T) {
			var l param.List
			BindRule(&l, m)
			for _, d := range l.Descriptors() {
				described[d.Name] = true
				if d.Label == "" || d.Help == "" {
					t.Errorf("%s has the label %q and the help %q", d.Name, d.Label, d.Help)
				}
				for _, o := range d.Options {
					if o.Label == "" || o.Help == "" {
						t.Errorf("%s: the option %s has the label %q and the help %q", d.Name, o.Value, o.Label, o.Help)
					}
				}
			}
			if plain := m.Parameters(); len(plain) != len(l.Descriptors()) {
				t.Errorf("%s has %d parameters, %d are bound", m.Name, len(plain), len(l.Descriptors()))
			}
		})
	}
	for name := range ownTexts {
		if !described[name] {
			t.Errorf("%s is described and is no parameter", name)
		}
	}
}
