package brush

import (
	"fmt"
	"strings"
)

// Sign describes a method's marker and line in a form that a web page can draw.
type Sign struct {
	Light   string    `json:"light"`   // hue on light paper, as #rrggbb
	Dark    string    `json:"dark"`    // hue on dark paper
	Outline string    `json:"outline"` // the marker as an SVG path of unit radius, y downwards
	Filled  bool      `json:"filled"`  // true if the outline is filled; otherwise it is stroked
	Dash    []float64 `json:"dash"`    // dashes of the method's line in CSS pixels; empty for a solid line
}

// SignOf returns the sign of a method. For an unknown name, the sign has the ink's colour, as in Theme.Look.
func SignOf(method string) Sign {
	look := Light.Look(method)
	outline, filled := look.Shape, look.Shape != Cross && look.Shape != Plus
	if inner, open := outlineOf[look.Shape]; open {
		outline, filled = inner, false
	}
	sign := Sign{
		Light: hexOf(look), Dark: hexOf(Dark.Look(method)), Outline: svgPath(outline), Filled: filled, Dash: make([]float64, len(look.Dash)),
	}
	for i, d := range look.Dash {
		sign.Dash[i] = float64(d)
	}
	return sign
}

func hexOf(l Look) string {
	r, g, b, _ := l.Hue.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// svgPath returns the outline of a shape as an SVG path.
func svgPath(s Shape) string {
	switch s {
	case Circle:
		return "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z"
	case Cross:
		return "M-.71 -.71L.71 .71M-.71 .71L.71 -.71"
	case Plus:
		return "M-1 0L1 0M0 -1L0 1"
	}
	var b strings.Builder
	for i, p := range corners[s] {
		letter := 'L'
		if i == 0 {
			letter = 'M'
		}
		fmt.Fprintf(&b, "%c%g %g", letter, float64(p.X), 0-float64(p.Y)) // 0 − Y instead of −Y, which would print "-0"
	}
	b.WriteByte('Z')
	return b.String()
}
