package session

import (
	"bytes"

	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/scene"
)

// Front is the ID of the panel in front.
func (s *Session) Front() string { return s.front() }

// Blank draws the axes of the panel of that ID, as wide on paper, with nothing in them. A panel without axes has
// no such picture: ok is false then. The file is a PNG.
func (s *Session) Blank(id string, width panel.PrintWidth) (data []byte, ok bool, err error) {
	for _, p := range s.scene.Panels() {
		if p.ID() != id {
			continue
		}
		blank, ok := panel.Blank(p)
		if !ok {
			return nil, false, nil
		}
		var b bytes.Buffer
		err := panel.Printed(width, panel.Light, []panel.Panel{blank}).WritePNG(&b)
		return b.Bytes(), true, err
	}
	return nil, false, scene.NoPanel(s.scene, s.about.ID, id)
}
