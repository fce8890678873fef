// Package drawtest reads the drawing calls that a canvas has recorded, for tests of pictures.
package drawtest

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// Strokes returns the points of all stroked paths, with the pieces of a path as separate lines.
func Strokes(actions []recorder.Action) (lines [][]vg.Point) {
	for _, a := range actions {
		s, ok := a.(*recorder.Stroke)
		if !ok {
			continue
		}
		for _, comp := range s.Path {
			switch comp.Type {
			case vg.MoveComp:
				lines = append(lines, []vg.Point{comp.Pos})
			case vg.LineComp:
				lines[len(lines)-1] = append(lines[len(lines)-1], comp.Pos)
			}
		}
	}
	return lines
}

// Within reports whether a point is in a rectangle, up to rounding errors.
func Within(r vg.Rectangle, p vg.Point) bool {
	const slack = 1e-6
	return p.X >= r.Min.X-slack && p.X <= r.Max.X+slack && p.Y >= r.Min.Y-slack && p.Y <= r.Max.Y+slack
}

// Texts returns the drawn texts in order.
func Texts(actions []recorder.Action) (texts []string) {
	for _, a := range actions {
		if s, is := a.(*recorder.FillString); is {
			texts = append(texts, s.String)
		}
	}
	return texts
}

// Colours returns the colours set on the canvas, in order, as strings.
func Colours(actions []recorder.Action) (colours []string) {
	for _, a := range actions {
		if s, is := a.(*recorder.SetColor); is {
			colours = append(colours, fmt.Sprint(s.Color))
		}
	}
	return colours
}
