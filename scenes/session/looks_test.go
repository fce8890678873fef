package session

import (
	"regexp"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/scenes"
	"paretoplay/scenes/panel"
)

// leftOut is what a legend ends in that had no room.
var leftOut = regexp.MustCompile(`^\+[0-9]+$`)

// TestLegendsAreWhole: in every scene and experiment the legend of each panel in front says all that
// it has to, on a desk and on a phone, and what is written on the small ones is large enough.
func TestLegendsAreWhole(t *testing.T) {
	for _, a := range scenes.All {
		cards := []string{""}
		for _, p := range a.Presets {
			cards = append(cards, p.ID)
		}
		for _, card := range cards {
			s, err := New(scenes.All, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			if card != "" {
				if err := s.Card(card); err != nil {
					t.Fatal(err)
				}
			}
			if s.timeline().Running() {
				do(t, s, "step", `{"n":2}`)
				settle(t, s)
			}
			for _, p := range s.scene.Panels() {
				s.bring(p.ID())
				for _, size := range [][2]float64{{1152, 520}, {852, 560}, {1024, 430}, {390, 380}} {
					for _, placed := range s.Layout(size[0], size[1], false, false) {
						for _, text := range written(placed) {
							if placed.Detail == panel.Full && leftOut.MatchString(text.String) {
								t.Errorf("%s %s: the legend of %s ends in %s on %v", a.ID, card, p.ID(), text.String, size)
							}
							if text.Size < panel.SmallText {
								t.Errorf("%s %s: %s is written in %v pixels", a.ID, card, text.String, text.Size)
							}
						}
					}
				}
			}
		}
	}
}

// written is what is written on a panel.
func written(p panel.Placed) (out []*recorder.FillString) {
	var c recorder.Canvas
	for _, l := range p.Panel.Layers(p.Frame(panel.Light, false)) {
		l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: p.Rect.Size()}})
	}
	for _, a := range c.Actions {
		if s, is := a.(*recorder.FillString); is {
			out = append(out, s)
		}
	}
	return out
}
