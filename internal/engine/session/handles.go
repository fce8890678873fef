package session

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/pointer"
	"paretoplay/internal/engine/scene"
)

// Pointer handles a pointer event as pointer.Handle does. A drag may pause when more() is false; if more is nil, a drag
// never pauses. Work continues a paused drag, and then handles the last move that arrived during the pause. An error in a
// paused drag becomes a notice.
func (s *Session) Pointer(e pointer.Event, more func() bool) (claimed bool, err error) {
	s.endLoop()
	_, dragging := s.pointer.Dragging()
	if s.resting() && e.Kind == "move" {
		s.player.moved = &e
		return dragging, nil
	}
	s.settle()
	s.player.moved = nil
	if !dragging || more == nil {
		return s.point(e)
	}
	b := s.run(&Begun{}, func(b *Begun) (err error) {
		claimed, err = s.point(e)
		return err
	}, more)
	if !b.ended {
		b.late = true
		return true, nil
	}
	return claimed, b.err
}

func (s *Session) point(e pointer.Event) (claimed bool, err error) {
	defer s.lookAtGoal()
	return s.pointer.Handle(e, canvas{s})
}

// canvas adapts a session to pointer.Canvas.
type canvas struct{ s *Session }

// Height implements pointer.Canvas.
func (c canvas) Height() float64 { return c.s.screen.height }

// Placed implements pointer.Canvas.
func (c canvas) Placed() []axes.Placed { return c.s.placed() }

// Frame implements pointer.Canvas.
func (c canvas) Frame(of axes.Placed) brush.Frame {
	return of.Frame(c.s.screen.theme, c.s.screen.touch)
}

// Drag implements pointer.Canvas.
func (c canvas) Drag(handle string, x, y float64) error { return c.s.drag(handle, x, y) }

// Released implements pointer.Canvas.
func (c canvas) Released() { c.s.scene.Released() }

// Bring implements pointer.Canvas.
func (c canvas) Bring(id string) {
	c.s.bring(id)
	c.s.changed()
}

// Redraw implements pointer.Canvas.
func (c canvas) Redraw() { c.s.events.version++ }

// Hover implements pointer.Canvas.
func (c canvas) Hover() { c.s.events.hovers++ }

// Click implements pointer.Canvas.
func (c canvas) Click(pick axes.Pick) error {
	s := c.s
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

// drag moves a handle. For a time marker, the scene converts the position on the axis to an iteration.
func (s *Session) drag(handle string, x, y float64) error {
	s.follow.SawDrag(handle)
	name, text := s.scene.Drag(handle, x, y)
	if handle == kinds.MarkerHandle {
		s.play(false)
		if s.player.job != nil {
			s.player.job.marker, s.player.job.play = s.timeline().Marker(), false
		}
		s.changed()
	}
	if name == "" {
		s.events.version++ // redraws even if only a handle has moved
		return nil
	}
	return s.setParam(name, text, false)
}

// callPoint highlights a run of a method in the pictures, as if the pointer were over it. It picks the selected run if that run
// uses the method, and otherwise the method's first run. Without a method, it removes the highlight.
func callPoint(s *Session, a *arguments) (any, error) {
	over := ""
	for _, r := range s.timeline().Runs() {
		if r.Method == a.Name && (over == "" || r.Name == s.timeline().SelectedName()) {
			over = r.Name
		}
	}
	s.pointer.Mark(over)
	s.events.hovers++
	return nil, nil
}

// ScreenHandle is a handle with its position, in CSS pixels from the canvas's top left corner.
type ScreenHandle struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Value string  `json:"value"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// Handles returns the handles of the panel in front. Handles of other panels have no effect.
func (s *Session) Handles() []ScreenHandle {
	out := []ScreenHandle{}
	for _, pl := range s.placed() {
		if pl.Detail != brush.Full {
			continue
		}
		for _, h := range pl.Panel.Handles(pl.Frame(s.screen.theme, s.screen.touch)) {
			at := h.At.Add(pl.Rect.Min)
			out = append(out, ScreenHandle{h.ID, h.Label, h.Value, float64(at.X), s.screen.height - float64(at.Y)})
		}
	}
	return out
}

// nudge moves a handle as arrow keys do. dx and dy count presses; right and up are positive.
func (s *Session) nudge(id string, dx, dy float64) error {
	for _, p := range s.panels() {
		for _, h := range p.Handles(brush.Frame{Width: 400, Height: 300, Theme: s.screen.theme}) {
			if h.ID == id {
				err := s.drag(id, h.X+float64(dx*h.StepX), h.Y+float64(dy*h.StepY))
				s.scene.Released()
				return err
			}
		}
	}
	return fmt.Errorf("unknown handle %s", scene.Quote(id))
}

// Cursor returns the CSS cursor at the pointer's position.
func (s *Session) Cursor() string { return s.pointer.Cursor() }

// Tooltip returns the object under the pointer and its position, measured from the canvas's bottom left corner.
func (s *Session) Tooltip() (p axes.Pick, at vg.Point, ok bool) { return s.pointer.Tooltip() }
