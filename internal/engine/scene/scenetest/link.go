package scenetest

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// linkFrame is a frame that is large enough to tell a panel's parts apart.
var linkFrame = brush.Frame{Width: 600, Height: 400, Theme: brush.Light}

// Things returns, without repetitions, the objects in a panel that the pointer can be over, except runs.
func Things(p axes.Panel) (found []any) {
	const step = 5
	seen := map[any]bool{}
	for y := vg.Length(0); y < linkFrame.Height; y += step {
		for x := vg.Length(0); x < linkFrame.Width; x += step {
			pick, ok := p.Pick(linkFrame, vg.Point{X: x, Y: y})
			if ok && pick.Thing != nil && !seen[pick.Thing] {
				seen[pick.Thing] = true
				found = append(found, pick.Thing)
			}
		}
	}
	return found
}

// Marks returns the number of strokes with which a panel highlights an object.
func Marks(p axes.Panel, thing any) int {
	linking, is := p.(axes.Linking)
	if !is {
		return 0
	}
	l, ok := linking.Mark(linkFrame, axes.Pick{K: -1, Thing: thing})
	if !ok {
		return 0
	}
	var r recorder.Canvas
	l.Draw(draw.NewCanvas(&r, linkFrame.Width, linkFrame.Height))
	calls := 0
	for _, a := range r.Actions {
		if _, is := a.(*recorder.Stroke); is {
			calls++
		}
	}
	return calls
}
