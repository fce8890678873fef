package panel

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// solutions are how the solutions of one run are told apart, by shape, hue and lightness:
// no two have the same shape, and neighbours differ in lightness on light paper and on
// dark.
var solutions = []struct {
	hue   okabeIto
	shape Shape
	ink   [2]float64 // how far the hue is moved towards the ink, on light paper and on dark
}{
	{blue, Circle, [2]float64{0.15, 0}},
	{orange, Square, [2]float64{0, 0.3}},
	{green, Triangle, [2]float64{0.3, 0}},
	{purple, Diamond, [2]float64{0, 0.3}},
	{vermillion, DownTriangle, [2]float64{0.25, 0}},
	{skyBlue, Ring, [2]float64{0, 0.3}},
	{grey, RingSquare, [2]float64{0.75, 0}},
	{yellow, RingTriangle, [2]float64{0, 0}},
	{blue, RingDiamond, [2]float64{0.6, 0}},
	{vermillion, Plus, [2]float64{0, 0.4}},
}

// Solution is how solution j, from 0, of a run of several is drawn where they are told
// apart. After the tenth they repeat, dashed.
func (t *Theme) Solution(j int) Look { return t.solutions[j%len(t.solutions)] }

// solutionLooks are the looks of solutions in a theme, each with a contrast of at least 3:1.
func (t *Theme) solutionLooks() []Look {
	behind, on := []float64{luminance(t.Paper)}, 0
	if luminance(t.Paper) < luminance(t.Ink) {
		on = 1
	}
	var out []Look
	for _, dash := range [][]vg.Length{solid, dashed} {
		for _, s := range solutions {
			hue := mix(legible(rgb(uint32(s.hue)), t.Ink, behind), t.Ink, s.ink[on])
			out = append(out, Look{Hue: hue, Shape: s.shape, Dash: dash})
		}
	}
	return out
}

// Tint returns a colour for the background of lines and signs: u of a hue, the rest paper.
func (t *Theme) Tint(hue color.Color, u float64) color.NRGBA {
	return mix(t.Paper, color.NRGBAModel.Convert(hue).(color.NRGBA), u)
}
