package axes

import (
	"fmt"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// TestFeature checks that the main panel fills most of the canvas, and that all other panels have separate places on
// it. A narrow canvas may show only the main panel.
func TestFeature(t *testing.T) {
	all := append(samplePanels(brush.Light, 1, 2), samplePanels(brush.Light, 1, 2)...)
	for n := 1; n <= len(all); n++ {
		panels := all[:n]
		for _, size := range [][2]vg.Length{{1152, 520}, {852, 560}, {1024, 430}, {760, 700}, {1900, 900}} {
			name := fmt.Sprintf("%d panels on %v", n, size)
			hero := panels[n-1].ID()
			placed := Feature(size[0], size[1], panels, hero, false)
			if len(placed) != n || placed[0].Panel.ID() != hero || placed[0].Detail != brush.Full {
				t.Fatalf("%s: %d places, the first of %s", name, len(placed), placed[0].Panel.ID())
			}
			first := placed[0].Rect.Size()
			if share := first.X * first.Y / (size[0] * size[1]); share < 0.55 {
				t.Errorf("%s: the hero has %.2f of the canvas", name, share)
			}
			for i, a := range placed {
				if r := a.Rect; r.Min.X < 0 || r.Min.Y < 0 || r.Max.X > size[0] || r.Max.Y > size[1] || r.Min.X >= r.Max.X || r.Min.Y >= r.Max.Y {
					t.Errorf("%s: place %d is %v", name, i, r)
				}
				if i > 0 && a.Detail != brush.Mini {
					t.Errorf("%s: place %d is drawn in detail %d", name, i, a.Detail)
				}
				for _, b := range placed[:i] {
					if overlap(a.Rect.Min.X, a.Rect.Max.X, b.Rect.Min.X, b.Rect.Max.X) && overlap(a.Rect.Min.Y, a.Rect.Max.Y, b.Rect.Min.Y, b.Rect.Max.Y) {
						t.Errorf("%s: %v and %v overlap", name, a.Rect, b.Rect)
					}
				}
			}
		}
		for _, alone := range []bool{false, true} {
			width := vg.Length(390)
			if alone {
				width = 1200
			}
			if placed := Feature(width, 400, all[:n], "nothing", alone); len(placed) != 1 ||
				placed[0].Panel != all[0] || placed[0].Detail != brush.Full {
				t.Errorf("%d panels, width %v: %d are shown", n, width, len(placed))
			}
		}
	}
	if Feature(800, 600, nil, "", false) != nil {
		t.Error("got places without panels")
	}
}

// TestSmallPanelsAreTallEnough checks that five panels beside the main panel are all tall enough for their axes on a
// tablet in either orientation.
func TestSmallPanelsAreTallEnough(t *testing.T) {
	all := append(samplePanels(brush.Light, 1, 2), samplePanels(brush.Light, 1, 2)...)[:6]
	for _, size := range [][2]vg.Length{{744, 500}, {777, 545}, {1110, 640}} {
		for _, p := range Feature(size[0], size[1], all, all[0].ID(), false)[1:] {
			if r := p.Rect.Size(); r.Y < 120 || r.X < 120 {
				t.Errorf("on %v a panel has %v", size, r)
			}
		}
	}
}

// renamed is a panel with another ID.
type renamed struct {
	Panel
	id string
}

func (r renamed) ID() string { return r.id }

// TestFolded checks that Folded places the main panel and the panels named beside it, and leaves space for the button.
// It must place all panels if All is set, and only one if Alone is set.
func TestFolded(t *testing.T) {
	all := append(samplePanels(brush.Light, 1, 2), samplePanels(brush.Light, 1, 2)...)[:6]
	for i, p := range all {
		all[i] = renamed{p, fmt.Sprint("panel", i)}
	}
	hero, beside := all[1].ID(), []string{all[0].ID(), all[4].ID()}
	for _, size := range [][2]vg.Length{{777, 545}, {777, 490}, {744, 500}, {1024, 560}, {1110, 640}, {1600, 800}} {
		for n, shown := range map[int]Shown{
			3: {Hero: hero, Beside: beside}, 2: {Hero: hero, Beside: beside[1:]}, 6: {Hero: hero, Beside: beside, All: true},
			1: {Hero: hero, Beside: beside, Alone: true},
		} {
			placed := Folded(size[0], size[1], all, shown)
			if len(placed) != n || placed[0].Panel.ID() != hero {
				t.Errorf("on %v are %d panels, not %d", size, len(placed), n)
				continue
			}
			width := vg.Length(foldCorner)
			if shown.All {
				width = unfoldCorner
			}
			corner := vg.Rectangle{Min: vg.Point{X: size[0] - width}, Max: vg.Point{X: size[0], Y: foldStrip}}
			for i, p := range placed[1:] {
				if r := p.Rect; p.Detail != brush.Mini || r.Size().X < 120 || r.Size().Y < 90 || r.Max.X > size[0] ||
					overlap(r.Min.X, r.Max.X, corner.Min.X, corner.Max.X) && overlap(r.Min.Y, r.Max.Y, corner.Min.Y, corner.Max.Y) {
					t.Errorf("on %v panel %d of %d is at %v", size, i+1, n, r)
				}
			}
		}
	}
	if placed := Folded(600, 500, all, Shown{Hero: hero, Beside: beside}); len(placed) != 1 {
		t.Errorf("where there is room for one panel are %d", len(placed))
	}
	if placed := Folded(777, 545, all[:3], Shown{Hero: all[0].ID()}); len(placed) != 3 {
		t.Errorf("of three panels %d are shown", len(placed))
	}
}
