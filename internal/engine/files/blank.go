package files

import (
	"bytes"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
)

// Blank returns a PNG file that shows only the axes of the panel with the given ID, for the given width on paper. ok is
// false for a panel without axes.
func (s Source) Blank(id string, width axes.PrintWidth) (data []byte, ok bool, err error) {
	for _, p := range s.Scene.Panels() {
		if p.ID() != id {
			continue
		}
		blank, ok := axes.Blank(p)
		if !ok {
			return nil, false, nil
		}
		var b bytes.Buffer
		err := axes.Printed(width, brush.Light, []axes.Panel{blank}).WritePNG(&b)
		return b.Bytes(), true, err
	}
	return nil, false, scene.NoPanel(s.Scene, s.About.ID, id)
}
