package brush

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// solutions holds the looks of a run's solutions. All looks are different. A look has a shape and a place on the
// solutions' colour ramp, from 0 to 1. The first five places are spread along the ramp, and the next five are between
// them. Successive looks differ in lightness.
var solutions = []struct {
	shape Shape
	at    float64
}{
	{Circle, 0}, {Square, 0.25}, {Triangle, 0.5}, {Diamond, 0.75}, {DownTriangle, 1},
	{Ring, 0.125}, {RingSquare, 0.375}, {RingTriangle, 0.625}, {RingDiamond, 0.875}, {Plus, 0.43},
}

// solutionRamp is a colour ramp from indigo through magenta to rose, in one version for light paper and one for dark
// paper. Methods with several solutions have other hues.
var solutionRamp = [2][]uint32{
	{0x2f0f5d, 0x651a80, 0x9c2e7f, 0xcb3f78, 0xe0648a},
	{0x96599f, 0xbd61ac, 0xde74ad, 0xf49bb2, 0xffcbd0},
}

// Solution returns the look of solution j, counted from 0, for pictures that distinguish solutions. After the tenth
// solution, the looks repeat with dashed lines.
func (t *Theme) Solution(j int) Look { return t.solutions[j%len(t.solutions)] }

// NumberedSolution returns the look of solution j with its number as the symbol, for pictures in which shapes stand for
// methods.
func (t *Theme) NumberedSolution(j int) Look {
	l := t.Solution(j)
	l.Shape = Numbered(j + 1)
	return l
}

// solutionLooks returns the looks of solutions in the theme, each with a contrast of at least 3:1.
func (t *Theme) solutionLooks() []Look {
	behind, ramp := []float64{luminance(t.Paper)}, t.solutionColors()
	var out []Look
	for _, dash := range [][]vg.Length{solid, dashed} {
		for _, s := range solutions {
			out = append(out, Look{Hue: legible(along(ramp, s.at), t.Ink, behind), Shape: s.shape, Dash: dash})
		}
	}
	return out
}

// Tint returns a background colour for lines and markers: a mixture of paper and a hue, in which the hue has the share
// u.
func (t *Theme) Tint(hue color.Color, u float64) color.NRGBA {
	return mix(t.Paper, color.NRGBAModel.Convert(hue).(color.NRGBA), u)
}

// Place returns the colour of a place along a front, at u in [0, 1]. The colours change continuously along the
// solutions' ramp.
func (t *Theme) Place(u float64) color.NRGBA { return lookUp(&t.places, u) }

// solutionColors returns the solutions' colour ramp in the theme.
func (t *Theme) solutionColors() []uint32 {
	if luminance(t.Paper) < luminance(t.Ink) {
		return solutionRamp[1]
	}
	return solutionRamp[0]
}

// along returns the colour of a ramp at u in [0, 1].
func along(ramp []uint32, u float64) color.NRGBA {
	steps := float64(u * float64(len(ramp)-1))
	i := min(int(steps), len(ramp)-2)
	return mix(rgb(ramp[i]), rgb(ramp[i+1]), steps-float64(i))
}
