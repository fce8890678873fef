//go:build !js || picture

package brush

import "sync"

// Printed returns the version of the theme for print.
func (t *Theme) Printed() *Theme {
	switch t.Name {
	case Light.Name:
		return whiteTheme()
	case Dark.Name:
		return darkInPrint()
	}
	return t
}

// whiteTheme and darkInPrint are the printed versions of the themes. In print, the light theme has white paper.
var (
	whiteTheme = sync.OnceValue(func() *Theme {
		t := *Light
		t.Name, t.Print, t.Paper = Light.Name+inPrint, true, rgb(0xffffff)
		t.goals = nil
		return newTheme(t, lightLow, lightHigh, lightStrong)
	})
	darkInPrint = sync.OnceValue(func() *Theme {
		t := *Dark
		t.Name, t.Print = Dark.Name+inPrint, true
		return &t
	})
)
