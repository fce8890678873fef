package brush

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"paretoplay/internal/draw/drawtest"
)

func TestContrast(t *testing.T) {
	if got := Contrast(color.Black, color.White); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white: %v, want 21", got)
	}
	// This is the example in WCAG 2.2's understanding document: #767676 on white.
	if got := Contrast(rgb(0x767676), color.White); math.Abs(got-4.54) > 0.005 {
		t.Errorf("#767676 on white: %.3f, want 4.54", got)
	}
	for _, theme := range []*Theme{Light, Dark} {
		check := func(what string, a, b color.Color, least float64) {
			t.Helper()
			if c := Contrast(a, b); c < least {
				t.Errorf("%s: %s has contrast %.2f, want %v", theme.Name, what, c, least)
			}
		}
		for _, on := range []color.NRGBA{theme.Paper, theme.Surface} {
			check("ink", theme.Ink, on, 4.5)
			check("muted", theme.Muted, on, 4.5)
		}
		check("rule", theme.Rule, theme.Surface, 3)
		check("accent", theme.Accent, theme.Paper, 3)
		for _, f := range append(theme.field[:], theme.Paper) {
			check("ink on the field", theme.Ink, f, 4.5)
			check("rule on the field", theme.Rule, f, 3)
			check("accent on the field", theme.Accent, f, 3)
			for name, l := range theme.looks {
				check(name, l.Hue, f, 3)
			}
			for k := range goals {
				check(fmt.Sprintf("goal %d", k), theme.Goal(k).Hue, f, 3)
			}
			for m := 1; m <= 10; m++ {
				for i := range m {
					check(fmt.Sprintf("objective %d of %d", i, m), theme.Objective(i, m), f, 3)
				}
			}
		}
		for i := range 256 {
			fill := theme.Ramp(float64(i) / 255)
			check("value in a cell", OnColor(fill), fill, 4.5)
		}
	}
}

func TestRampIsMonotone(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		up := theme == Dark
		for i := 1; i < 256; i++ {
			a, b := luminance(theme.ramp[i-1]), luminance(theme.ramp[i])
			if a != b && (b > a) != up {
				t.Fatalf("%s: step %d goes the wrong way", theme.Name, i)
			}
		}
		if theme.Ramp(-1) != theme.ramp[0] || theme.Ramp(2) != theme.ramp[255] || theme.Ramp(math.NaN()) != theme.ramp[0] {
			t.Errorf("%s: values outside the range", theme.Name)
		}
	}
}

func TestLooksAreUnique(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		if len(theme.looks) != len(methods) {
			t.Errorf("%s: %d looks of %d methods", theme.Name, len(theme.looks), len(methods))
		}
		seen := make(map[string]string)
		for name, l := range theme.looks {
			if l.Shape == Cross {
				t.Errorf("%s: %s has the marker of a diverged run", theme.Name, name)
			}
			key := fmt.Sprint(l.Hue, l.Shape, l.Dash)
			if other, dup := seen[key]; dup {
				t.Errorf("%s: %s looks like %s. %s", theme.Name, name, other, drawtest.FreeLooks(t, name))
			}
			seen[key] = name
		}
	}
	if c := Light.Look("psmgd"); c.Hue != rgb(0x0072b2) || c.Shape != Circle {
		t.Errorf("psmgd is %v", c)
	}
	if c := Light.Look("mgda"); c.Hue != rgb(0xd55e00) || c.Shape != Diamond {
		t.Errorf("mgda is %v", c)
	}
	if c := Dark.Look("ls"); c.Hue != rgb(0x999999) || c.Shape != Ring {
		t.Errorf("ls is %v", c)
	}
}

func TestThemeNamed(t *testing.T) {
	for _, want := range []*Theme{Light, Dark} {
		if got, err := ThemeNamed(want.Name); err != nil || got != want {
			t.Errorf("%s: %v, %v", want.Name, got, err)
		}
	}
	if _, err := ThemeNamed("sepia"); err == nil || !strings.Contains(err.Error(), "sepia") {
		t.Errorf("sepia: %v", err)
	}
}

// TestSolutionsAreToldApart checks that solutions differ in shape, and that successive solutions also differ in lightness.
func TestSolutionsAreToldApart(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		seen := map[Shape]bool{}
		for j := range len(solutions) {
			look := theme.Solution(j)
			if seen[look.Shape] || look.Shape == Cross {
				t.Errorf("%s: solution %d has the shape of another, or of a diverged run", theme.Name, j)
			}
			seen[look.Shape] = true
			if c := Contrast(look.Hue, theme.Paper); c < 3 {
				t.Errorf("%s: solution %d has contrast %.2f", theme.Name, j, c)
			}
			if c := Contrast(look.Hue, theme.Solution((j+1)%len(solutions)).Hue); c < 1.2 {
				t.Errorf("%s: solutions %d and %d differ in lightness by %.2f only", theme.Name, j, (j+1)%len(solutions), c)
			}
			if again := theme.Solution(j + len(solutions)); again.Shape != look.Shape || again.Dash == nil {
				t.Errorf("%s: solution %d is %v", theme.Name, j+len(solutions), again)
			}
		}
	}
}

// TestDiverging checks that positive numbers, negative numbers and zero have distinct colours.
func TestDiverging(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		if theme.Diverging(0) != theme.Paper {
			t.Errorf("%s: zero is %v", theme.Name, theme.Diverging(0))
		}
		for _, u := range []float64{1, -1} {
			if c := Contrast(theme.Diverging(u), theme.Paper); c < 2.5 {
				t.Errorf("%s: %v has the contrast %v", theme.Name, u, c)
			}
		}
		above, below := theme.Diverging(1), theme.Diverging(-1)
		if blue := func(c color.NRGBA) int { return int(c.B) - int(c.R) }; blue(above) <= 0 || blue(below) >= 0 {
			t.Errorf("%s: %v and %v look alike", theme.Name, above, below)
		}
	}
}
