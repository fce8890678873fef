// Package raster draws panels into a picture in memory with vgimg, for displays without WebGL. It draws a frame panel by panel, so that
// the caller can do other work in between.
package raster

import (
	"image"
	"image/draw"
	"slices"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/loop"
)

// Game runs the loop around a model. It draws only if the model's version has changed.
type Game struct {
	*loop.Loop
	model  loop.Model
	screen *loop.Screen[*sheet]

	back, front *sheet // back holds the panels; front adds what follows the pointer
	parts       []part // each panel's part of either sheet
	made        layout // layout of back
	drawn       uint64 // version of the pictures that back shows once the frame in progress is complete
	queue       []int  // panels of the current frame that remain to be drawn
	under       bool   // whether a frame is in progress
}

// part holds a panel's parts of the two sheets.
type part struct{ back, front *sheet }

// layout is everything that determines positions and backgrounds.
type layout struct {
	size   image.Point
	ratio  float64
	theme  string
	touch  bool
	placed []place
}

type place struct {
	id     string
	box    image.Rectangle
	detail brush.Detail
}

func (l layout) equal(o layout) bool {
	return l.size == o.size && l.ratio == o.ratio && l.theme == o.theme && l.touch == o.touch && slices.Equal(l.placed, o.placed)
}

// NewGame returns a loop for the model m.
func NewGame(m loop.Model, l loop.Listener) *Game {
	return &Game{Loop: loop.New(m, l), model: m, screen: loop.NewScreen[*sheet](painter{})}
}

// Due reports whether Frame has anything to do.
func (g *Game) Due() bool { return g.under || g.model.Playing() || g.Stale() }

// Probe returns counts and measurements.
func (g *Game) Probe() loop.Probe {
	p := g.Loop.Probe()
	p.Due = g.Due()
	p.Images, p.ImageBytes = g.screen.Kept()
	return p
}

// Frame continues the frame in progress, or updates the model and starts a frame. The canvas has the given size in CSS
// pixels; display is the number of display pixels per CSS pixel. Frame draws at least one panel, and continues while
// more returns true. When the frame is complete, Frame returns the picture, which is valid until the next call. Until
// then, and if the model has not changed, it returns nil.
func (g *Game) Frame(width, height, display float64, more func() bool) *image.RGBA {
	w, h := g.Layout(width, height, display, 0)
	begins := !g.under
	if begins {
		if g.Update(); g.front != nil && !g.Stale() {
			return nil // an iteration takes longer than a frame
		}
		g.Begin()
		g.screen.Next()
	}
	g.under = false // in case drawing fails
	g.Draw(func() { g.under = g.draw(image.Pt(int(w), int(h)), begins, more) })
	if g.under {
		return nil
	}
	g.End()
	if g.front == nil {
		return nil // the model has failed
	}
	return g.front.RGBA
}

// draw draws a part of a frame and reports whether any part is left.
func (g *Game) draw(size image.Point, begins bool, more func() bool) (under bool) {
	v := g.View()
	now := layout{size: size, ratio: v.Ratio, theme: v.Theme.Name, touch: v.Touch}
	for _, p := range v.Placed {
		now.placed = append(now.placed, place{p.Panel.ID(), v.Box(p, size.Y), p.Detail})
	}
	moved := g.back == nil || !now.equal(g.made)
	if moved {
		g.place(now)
		g.screen.Backdrop(g.back, size, v)
	}
	if pictures := g.model.Pictures(); moved || begins && (pictures != g.drawn || g.Travelling()) {
		g.drawn, g.queue = pictures, g.queue[:0]
		for i, p := range now.placed {
			if !p.box.Empty() {
				g.queue = append(g.queue, i)
			}
		}
	}
	for len(g.queue) > 0 {
		i := g.queue[0]
		on := g.parts[i].back
		draw.Draw(on.RGBA, on.Rect, image.NewUniform(v.Theme.Paper), image.Point{}, draw.Src)
		g.screen.Layers(on, on.Rect.Size(), v, v.Placed[i])
		g.queue = g.queue[1:]
		if len(g.queue) > 0 && !more() {
			return true
		}
	}
	copy(g.front.Pix, g.back.Pix)
	for i, p := range v.Placed {
		if on := g.parts[i].front; !on.Rect.Empty() {
			g.screen.Mark(on, v, p)
		}
	}
	g.screen.Tooltip(g.front, size, v)
	return false
}

// place allocates the sheets and assigns each panel its part.
func (g *Game) place(now layout) {
	if g.back == nil || g.back.Rect.Size() != now.size {
		g.back, g.front = newSheet(now.size), newSheet(now.size)
	}
	g.made, g.parts = now, g.parts[:0]
	for _, p := range now.placed {
		g.parts = append(g.parts, part{g.back.part(p.box), g.front.part(p.box)})
	}
}
