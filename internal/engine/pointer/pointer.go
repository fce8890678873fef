// Package pointer follows a mouse, pen or finger over the panels of a canvas: what it hovers over, presses and drags.
package pointer

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Event is one event of a mouse, pen or finger on the canvas.
type Event struct {
	Kind  string // down, move, up, cancel or leave
	X, Y  float64
	Touch bool
}

// Canvas is what the pointer moves over, and acts on.
type Canvas interface {
	// Height is the canvas's, in CSS pixels.
	Height() float64
	// Placed are the panels at their places.
	Placed() []axes.Placed
	// Frame is the frame in which a panel is drawn.
	Frame(axes.Placed) brush.Frame
	// Drag moves a handle to a point of its panel's world, and Released ends a drag.
	Drag(handle string, x, y float64) error
	Released()
	// Click does what a click at a place of a panel does; Bring brings a panel to the front.
	Click(axes.Pick) error
	Bring(id string)
	// Redraw asks for a new frame, and Hover for one that shows another place under the pointer.
	Redraw()
	Hover()
}

// Pointer is the state of the pointer. Positions are in CSS pixels from the canvas's bottom
// left corner.
type Pointer struct {
	over    axes.Pick // what it hovers over
	overAt  vg.Point
	hovers  bool
	brings  bool       // it is over a panel beside the one in front, which a click brings there
	drags   string     // the handle under drag, "" for none
	panel   axes.Panel // the panel that was pressed
	mini    bool       // which stands beside the one in front
	pressed axes.Pick
	moved   bool
	noted   bool // undo knows this drag
	from    vg.Point
	offset  vg.Point // from the pointer to the handle's centre
	// For a handle that is turned: its position and the press, in its panel's world.
	turns          bool
	startX, startY float64
	zeroX, zeroY   float64
}

// clickSlack and tapSlack are how far a press, of a mouse and of a finger, may wander and still be a
// click, in CSS pixels.
const (
	clickSlack = 4
	tapSlack   = 10
)

// Handle handles an event and reports whether it belongs to the canvas: a
// press on nothing leaves a touch to the page, which scrolls.
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
	return false, fmt.Errorf("%q is no pointer event", e.Kind)
}

func under(c Canvas, at vg.Point) (axes.Placed, brush.Frame, bool) {
	for _, pl := range c.Placed() {
		if at.X >= pl.Rect.Min.X && at.X < pl.Rect.Max.X && at.Y >= pl.Rect.Min.Y && at.Y < pl.Rect.Max.Y {
			return pl, c.Frame(pl), true
		}
	}
	return axes.Placed{}, brush.Frame{}, false
}

// Pick finds what lies at a point of the canvas.
func Pick(c Canvas, at vg.Point, touch bool) (axes.Placed, axes.Pick, bool) {
	pl, f, ok := under(c, at)
	if !ok {
		return pl, axes.Pick{}, false
	}
	f.Touch = touch
	found, ok := pl.Panel.Pick(f, at.Sub(pl.Rect.Min))
	if pl.Detail != brush.Full { // a press brings the panel to the front, and does no more
		found.Handle, found.Turns, found.Values = "", false, nil
	}
	return pl, found, ok
}

func (p *Pointer) press(c Canvas, at vg.Point, touch bool) bool {
	pl, pick, ok := Pick(c, at, touch)
	mini := pl.Panel != nil && pl.Detail != brush.Full
	if !ok && !mini {
		p.release(c) // should the end of an earlier press have been lost
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
	// A finger on a curve may still scroll the page; one on a handle may not.
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

// Mark shows a run as if the pointer were over it, "" for none.
func (p *Pointer) Mark(run string) {
	p.over, p.hovers = axes.Pick{K: -1, Run: run}, run != ""
}

// Dragging reports whether a handle is under drag. One drag is one change to undo: noted says whether undo knows it.
func (p *Pointer) Dragging() (noted *bool, is bool) { return &p.noted, p.drags != "" }

// Cursor returns the CSS cursor for the pointer's place.
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

// Tooltip returns what the pointer hovers over and where, from the canvas's bottom left
// corner.
func (p *Pointer) Tooltip() (over axes.Pick, at vg.Point, ok bool) {
	return p.over, p.overAt, p.hovers && len(p.over.Lines) > 0
}
