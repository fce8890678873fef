package kinds

import (
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

var frame = brush.Frame{Width: 400, Height: 300, Theme: brush.Light}

// drawn draws a panel in a frame and returns the drawing calls.
func drawn(p axes.Panel, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	return r.Actions
}

// layerActions returns the drawing calls of a layer.
func layerActions(l axes.Layer, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	return r.Actions
}

// sheetActions returns the drawing calls of a plane's sheets, without its axes.
func sheetActions(p *axes.Plane, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	for _, l := range p.Layers(f)[1:] {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	return r.Actions
}
