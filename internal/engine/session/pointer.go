package session

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/scene"
)

// PointerEvent is one event of a mouse, pen or finger on the canvas.
type PointerEvent struct {
	Kind  string // down, move, up, cancel or leave
	X, Y  float64
	Touch bool
}

// pointer is the state of the pointer. Positions are in CSS pixels from the canvas's bottom
// left corner.
type pointer struct {
	over    panel.Pick // what it hovers over
	overAt  vg.Point
	hovers  bool
	brings  bool        // it is over a panel beside the one in front, which a click brings there
	drags   string      // the handle under drag, "" for none
	panel   panel.Panel // the panel that was pressed
	mini    bool        // which stands beside the one in front
	pressed panel.Pick
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

// Pointer handles an event and reports whether it belongs to the canvas: a
// press on nothing leaves a touch to the page, which scrolls.
func (s *Session) Pointer(e PointerEvent) (claimed bool, err error) {
	defer s.lookAtGoal()
	at := vg.Point{X: vg.Length(e.X), Y: vg.Length(s.height - e.Y)}
	p := &s.pointer
	switch e.Kind {
	case "down":
		return s.press(at, e.Touch), nil
	case "move":
		if p.panel != nil {
			return true, s.move(at, e.Touch)
		}
		s.hover(at, e.Touch)
		return false, nil
	case "up":
		if p.panel == nil {
			return false, nil
		}
		err := s.move(at, e.Touch)
		pressed, id, click, mini := p.pressed, p.panel.ID(), !p.moved, p.mini
		s.release()
		switch {
		case err != nil || !click:
		case mini:
			s.bring(id)
			s.changed()
		default:
			err = s.click(pressed)
		}
		return true, err
	case "cancel":
		s.release()
		return false, nil
	case "leave":
		if p.panel == nil && (p.hovers || p.brings) {
			p.hovers, p.brings = false, false
			s.hovers++
		}
		return false, nil
	}
	return false, fmt.Errorf("%q is no pointer event", e.Kind)
}

func (s *Session) under(at vg.Point) (panel.Placed, panel.Frame, bool) {
	for _, pl := range s.placed() {
		if at.X >= pl.Rect.Min.X && at.X < pl.Rect.Max.X && at.Y >= pl.Rect.Min.Y && at.Y < pl.Rect.Max.Y {
			return pl, s.frame(pl), true
		}
	}
	return panel.Placed{}, panel.Frame{}, false
}

func (s *Session) frame(pl panel.Placed) panel.Frame {
	return pl.Frame(s.theme, s.touch)
}

// pick finds what lies at a point of the canvas.
func (s *Session) pick(at vg.Point, touch bool) (panel.Placed, panel.Pick, bool) {
	pl, f, ok := s.under(at)
	if !ok {
		return pl, panel.Pick{}, false
	}
	f.Touch = touch
	pick, ok := pl.Panel.Pick(f, at.Sub(pl.Rect.Min))
	if pl.Detail != panel.Full { // a press brings the panel to the front, and does no more
		pick.Handle, pick.Turns, pick.Values = "", false, nil
	}
	return pl, pick, ok
}

func (s *Session) press(at vg.Point, touch bool) bool {
	pl, pick, ok := s.pick(at, touch)
	mini := pl.Panel != nil && pl.Detail != panel.Full
	if !ok && !mini {
		s.release() // should the end of an earlier press have been lost
		return false
	}
	s.pointer = pointer{panel: pl.Panel, mini: mini, pressed: pick, drags: pick.Handle, from: at}
	if pick.Turns {
		s.pointer.turns, s.pointer.startX, s.pointer.startY = true, pick.TurnX, pick.TurnY
		s.pointer.zeroX, s.pointer.zeroY = pl.Panel.World(s.frame(pl), pick.Handle, at.Sub(pl.Rect.Min))
	} else if pick.Handle != "" {
		for _, h := range pl.Panel.Handles(s.frame(pl)) {
			if h.ID != pick.Handle {
				continue
			}
			if s.pointer.turns = h.Relative; h.Relative {
				s.pointer.startX, s.pointer.startY = h.X, h.Y
				s.pointer.zeroX, s.pointer.zeroY = pl.Panel.World(s.frame(pl), h.ID, at.Sub(pl.Rect.Min))
			} else {
				s.pointer.offset = h.At.Add(pl.Rect.Min).Sub(at)
			}
		}
	}
	s.version++
	// A finger on a curve may still scroll the page; one on a handle may not.
	return pick.Handle != "" || !touch
}

func (s *Session) move(at vg.Point, touch bool) error {
	p := &s.pointer
	slack := float64(clickSlack)
	if touch {
		slack = tapSlack
	}
	if !p.moved && math.Hypot(float64(at.X-p.from.X), float64(at.Y-p.from.Y)) < slack {
		return nil
	}
	p.moved = true
	if p.drags == "" {
		return nil
	}
	for _, pl := range s.placed() {
		if pl.Panel.ID() == p.panel.ID() {
			x, y := pl.Panel.World(s.frame(pl), p.drags, at.Add(p.offset).Sub(pl.Rect.Min))
			if p.turns {
				x, y = p.startX+x-p.zeroX, p.startY+y-p.zeroY
			}
			return s.dragTo(p.drags, x, y)
		}
	}
	return nil
}

func (s *Session) release() {
	if s.pointer.drags != "" && s.pointer.moved {
		s.scene.Released()
	}
	s.pointer = pointer{}
	s.version++
}

// dragTo moves a handle. The scene of a time marker knows which iteration a
// place on the axis means.
func (s *Session) dragTo(handle string, x, y float64) error {
	s.sawDrag(handle)
	name, text := s.scene.Drag(handle, x, y)
	if handle == panel.MarkerHandle {
		s.play(false)
		if s.job != nil {
			s.job.marker, s.job.play = s.timeline().Marker(), false
		}
		s.changed()
	}
	if name == "" {
		s.version++ // a handle may have moved alone
		return nil
	}
	return s.setParam(name, text, false)
}

func (s *Session) click(pick panel.Pick) error {
	if pick.Run != "" {
		s.timeline().Select(pick.Run)
	}
	if pick.Values != nil {
		if err := s.begin(pick.Values); err != nil {
			return err
		}
	}
	s.changed()
	return nil
}

func (s *Session) hover(at vg.Point, touch bool) {
	pl, pick, ok := s.pick(at, touch)
	p := &s.pointer
	brings := pl.Panel != nil && pl.Detail != panel.Full
	if !ok && !p.hovers && brings == p.brings {
		return
	}
	p.brings = brings
	p.hovers, p.over, p.overAt = ok, pick, pick.At.Add(pl.Rect.Min)
	s.hovers++
}

// callPoint marks a run of a method in the pictures, as if the pointer were over it: the selected one, or else the first; without a
// method none.
func (s *Session) callPoint(a *arguments) (any, error) {
	over := panel.Pick{K: -1}
	for _, r := range s.timeline().Runs() {
		if r.Method == a.Name && (over.Run == "" || r.Name == s.timeline().SelectedName()) {
			over.Run = r.Name
		}
	}
	s.pointer.over, s.pointer.hovers = over, over.Run != ""
	s.hovers++
	return nil, nil
}

// Cursor returns the CSS cursor for the pointer's place.
func (s *Session) Cursor() string {
	p := &s.pointer
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
func (s *Session) Tooltip() (p panel.Pick, at vg.Point, ok bool) {
	return s.pointer.over, s.pointer.overAt, s.pointer.hovers && len(s.pointer.over.Lines) > 0
}

// ScreenHandle is a handle in CSS pixels from the canvas's top left corner.
type ScreenHandle struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Value string  `json:"value"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// Handles returns the handles of the panel in front; handles of other panels do not work.
func (s *Session) Handles() []ScreenHandle {
	out := []ScreenHandle{}
	for _, pl := range s.placed() {
		if pl.Detail != panel.Full {
			continue
		}
		for _, h := range pl.Panel.Handles(s.frame(pl)) {
			at := h.At.Add(pl.Rect.Min)
			out = append(out, ScreenHandle{h.ID, h.Label, h.Value, float64(at.X), s.height - float64(at.Y)})
		}
	}
	return out
}

// Nudge moves a handle by presses of an arrow key; right and up are positive.
func (s *Session) Nudge(id string, dx, dy float64) error {
	for _, p := range s.panels() {
		for _, h := range p.Handles(panel.Frame{Width: 400, Height: 300, Theme: s.theme}) {
			if h.ID == id {
				err := s.dragTo(id, h.X+dx*h.StepX, h.Y+dy*h.StepY)
				s.scene.Released()
				return err
			}
		}
	}
	return fmt.Errorf("%s is no handle", scene.Quote(id))
}
