// Package pointer tracks a mouse, pen or finger over the panels of a canvas: hovering, pressing and dragging.
package pointer

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Event is one action of a mouse, pen or finger on the canvas.
type Event struct {
	Kind  string // down, move, up, cancel or leave
	X, Y  float64
	Touch bool
}

// Canvas provides the panels under the pointer and responds to the pointer's actions.
type Canvas interface {
	// Height returns the canvas's height in CSS pixels.
	Height() float64
	// Placed returns the panels and their places.
	Placed() []axes.Placed
	// Frame returns the frame in which a panel is drawn.
	Frame(axes.Placed) brush.Frame
	// Drag moves a handle to a point in its panel's coordinates. Released is called at the end of a drag.
	Drag(handle string, x, y float64) error
	Released()
	// Click performs a click on an object in a panel. Bring brings a panel to the front.
	Click(axes.Pick) error
	Bring(id string)
	// Redraw requests a new frame. Hover requests a frame after the pointer has moved to a different object.
	Redraw()
	Hover()
}

// Pointer keeps track of the pointer over a canvas. Positions are in CSS pixels from the canvas's bottom left corner.
type Pointer struct {
	over    axes.Pick // the object under the pointer
	overAt  vg.Point
	hovers  bool
	brings  bool       // whether the pointer is over a small panel, which a click brings to the front
	drags   string     // ID of the dragged handle, or ""
	panel   axes.Panel // the pressed panel
	mini    bool       // whether the pressed panel is one of the small panels
	pressed axes.Pick
	moved   bool
	noted   bool // whether the undo history contains this drag
	from    vg.Point
	offset  vg.Point // from the pointer to the handle's centre
	// For a drag that turns the panel: the panel's position and the point of the press, in the panel's coordinates.
	turns          bool
	startX, startY float64
	zeroX, zeroY   float64
}

// Maximum distances, in CSS pixels, that a press with a mouse or a finger may move to count as a click.
const (
	clickSlack = 4
	tapSlack   = 10
)

// Handle processes an event and reports whether the canvas claims it. The canvas leaves touches outside all objects to the page,
// which scrolls.
func (p *Pointer) Handle(e Event, c Canvas) (claimed bool, err error) {
	at := vg.Point{X: vg.Length(e.X), Y: vg.Length(c.Height() - e.Y)}
	switch e.Kind {
	case "down":
		return p.press(c, at, e.Touch), nil
	case "move":
		if p.panel != nil {
			return true, p.move(c, at, e.Touch)
		}
		p.hover(c, at, e.Touch)
		return false, nil
	case "up":
		if p.panel == nil {
			return false, nil
		}
		err := p.move(c, at, e.Touch)
		pressed, id, click, mini := p.pressed, p.panel.ID(), !p.moved, p.mini
		p.release(c)
		switch {
		case err != nil || !click:
		case mini:
			c.Bring(id)
		default:
			err = c.Click(pressed)
		}
		return true, err
	case "cancel":
		p.release(c)
		return false, nil
	case "leave":
		if p.panel == nil && (p.hovers || p.brings) {
			p.hovers, p.brings = false, false
			c.Hover()
		}
		return false, nil
	}
	return false, fmt.Errorf("unknown pointer event %q; available: down move up cancel leave", e.Kind)
}

func under(c Canvas, at vg.Point) (axes.Placed, brush.Frame, bool) {
	for _, pl := range c.Placed() {
		if at.X >= pl.Rect.Min.X && at.X < pl.Rect.Max.X && at.Y >= pl.Rect.Min.Y && at.Y < pl.Rect.Max.Y {
			return pl, c.Frame(pl), true
		}
	}
	return axes.Placed{}, brush.Frame{}, false
}

// Pick returns the panel and the object at a point of the canvas.
func Pick(c Canvas, at vg.Point, touch bool) (axes.Placed, axes.Pick, bool) {
	pl, f, ok := under(c, at)
	if !ok {
		return pl, axes.Pick{}, false
	}
	f.Touch = touch
	found, ok := pl.Panel.Pick(f, at.Sub(pl.Rect.Min))
	if pl.Detail != brush.Full { // a press on a small panel only brings it to the front
		found.Handle, found.Turns, found.Values = "", false, nil
	}
	return pl, found, ok
}

func (p *Pointer) press(c Canvas, at vg.Point, touch bool) bool {
	pl, pick, ok := Pick(c, at, touch)
	mini := pl.Panel != nil && pl.Detail != brush.Full
	if !ok && !mini {
		p.release(c) // in case the end of an earlier press was lost
		return false
	}
	*p = Pointer{panel: pl.Panel, mini: mini, pressed: pick, drags: pick.Handle, from: at}
	if pick.Turns {
		p.turns, p.startX, p.startY = true, pick.TurnX, pick.TurnY
		p.zeroX, p.zeroY = pl.Panel.World(c.Frame(pl), pick.Handle, at.Sub(pl.Rect.Min))
	} else if pick.Handle != "" {
		for _, h := range pl.Panel.Handles(c.Frame(pl)) {
			if h.ID != pick.Handle {
				continue
			}
			if p.turns = h.Relative; h.Relative {
				p.startX, p.startY = h.X, h.Y
				p.zeroX, p.zeroY = pl.Panel.World(c.Frame(pl), h.ID, at.Sub(pl.Rect.Min))
			} else {
				p.offset = h.At.Add(pl.Rect.Min).Sub(at)
			}
		}
	}
	c.Redraw()
	// A touch on a curve may still scroll the page. A touch on a handle may not.
	return pick.Handle != "" || !touch
}

func (p *Pointer) move(c Canvas, at vg.Point, touch bool) error {
	slack := float64(clickSlack)
	if touch {
		slack = tapSlack
	}
	if !p.moved && portable.Hypot(float64(at.X-p.from.X), float64(at.Y-p.from.Y)) < slack {
		return nil
	}
	p.moved = true
	if p.drags == "" {
		return nil
	}
	for _, pl := range c.Placed() {
		if pl.Panel.ID() == p.panel.ID() {
			x, y := pl.Panel.World(c.Frame(pl), p.drags, at.Add(p.offset).Sub(pl.Rect.Min))
			if p.turns {
				x, y = p.startX+x-p.zeroX, p.startY+y-p.zeroY
			}
			return c.Drag(p.drags, x, y)
		}
	}
	return nil
}

func (p *Pointer) release(c Canvas) {
	if p.drags != "" && p.moved {
		c.Released()
	}
	*p = Pointer{}
	c.Redraw()
}

func (p *Pointer) hover(c Canvas, at vg.Point, touch bool) {
	pl, pick, ok := Pick(c, at, touch)
	brings := pl.Panel != nil && pl.Detail != brush.Full
	if !ok && !p.hovers && brings == p.brings {
		return
	}
	p.brings = brings
	p.hovers, p.over, p.overAt = ok, pick, pick.At.Add(pl.Rect.Min)
	c.Hover()
}

// Mark highlights a run as if the pointer were over it. If run is "", Mark removes the highlight.
func (p *Pointer) Mark(run string) {
	p.over, p.hovers = axes.Pick{K: -1, Run: run}, run != ""
}

// Dragging reports whether a handle is being dragged. noted says whether the undo history contains the drag, which counts as one
// change.
func (p *Pointer) Dragging() (noted *bool, is bool) { return &p.noted, p.drags != "" }

// Cursor returns the CSS cursor at the pointer's position.
func (p *Pointer) Cursor() string {
	switch {
	case p.drags != "":
		return "grabbing"
	case p.brings:
		return "pointer"
	case !p.hovers:
		return "default"
	case p.over.Handle != "":
		return "grab"
	case p.over.Run != "" || p.over.Values != nil:
		return "pointer"
	}
	return "default"
}

// Tooltip returns the object under the pointer and its position, in CSS pixels from the canvas's bottom left corner.
func (p *Pointer) Tooltip() (over axes.Pick, at vg.Point, ok bool) {
	return p.over, p.overAt, p.hovers && len(p.over.Lines) > 0
}
