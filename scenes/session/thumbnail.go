package session

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/scene"
)

// Thumbnail draws what a scene, or the experiment of that ID in it, is about as a small picture
// without words: its hero where its runs have ended. The sizes are in CSS pixels, scale dots to
// each; the picture is a PNG file.
func Thumbnail(scenes scene.List, id, card string, theme *panel.Theme, width, height, scale float64) ([]byte, error) {
	s, err := New(scenes, id)
	if err != nil {
		return nil, err
	}
	s.theme = theme
	hero := s.about.Hero
	if card != "" {
		if err := s.Card(card); err != nil {
			return nil, err
		}
		for _, p := range s.about.Presets {
			if p.ID == card && p.Hero != "" {
				hero = p.Hero
			}
		}
	}
	if err := s.Finish(); err != nil {
		return nil, fmt.Errorf("thumbnail of %s: %w", id, err)
	}
	panels := s.scene.Panels()
	shown := panels[0]
	for _, p := range panels {
		if p.ID() == hero {
			shown = p
		}
	}
	var out bytes.Buffer
	size := vg.Point{X: vg.Length(width), Y: vg.Length(height)}
	placed := []panel.Placed{{Panel: shown, Rect: vg.Rectangle{Max: size}, Detail: panel.Thumbnail}}
	err = panel.WritePNG(&out, size.X, size.Y, scale, theme, placed)
	return out.Bytes(), err
}
