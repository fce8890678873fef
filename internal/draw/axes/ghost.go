package axes

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Ghost is a panel that shows pinned runs, with the letter of their pin.
type Ghost struct {
	Letter string // letter of the pin, A to Z
	// Name describes the runs in the legend of a full panel. It starts with the pin's letter. If Name is "", the legend
	// has no entry for the ghost.
	Name  string
	Panel Panel
}

// Ghosted is a Panel that can show ghosts. A ghost is the same panel for other runs, drawn in grey dashed lines below
// the panel's own runs. The axes grow to include the ghosts.
type Ghosted interface {
	Panel
	// SetGhosts sets the ghosts in order. The panel omits ghosts whose axes show other quantities.
	SetGhosts(ghosts []Ghost)
}

var _ Ghosted = (*Plane)(nil)

// planar is a Panel that draws on a Plane.
type planar interface{ plane() *Plane }

func (p *Plane) plane() *Plane { return p }

// SetGhosts implements Ghosted. The plane draws a ghost with the Ghost functions of the ghost's sheets.
func (p *Plane) SetGhosts(ghosts []Ghost) { p.ghosts = slices.Clone(ghosts) }

// shade is a ghost whose axes show the same quantities as the plane's, so that the plane shows the ghost.
type shade struct {
	letter string
	name   string
	plane  *Plane
	look   int // index in ghostDashes
}

// shades returns the ghosts to show, and both axes extended to include them.
func (p *Plane) shades() (shades []shade, x, y Axis) {
	x, y = p.Axes()
	for _, g := range p.ghosts {
		is, ok := g.Panel.(planar)
		if !ok || p.Alike != nil && !p.Alike(g.Panel) {
			continue
		}
		gx, gy := is.plane().Axes()
		if !x.joins(gx) || !y.joins(gy) {
			continue
		}
		x.Min, x.Max = min(x.Min, gx.Min), max(x.Max, gx.Max)
		y.Min, y.Max = min(y.Min, gy.Min), max(y.Max, gy.Max)
		shades = append(shades, shade{g.Letter, g.Name, is.plane(), int(g.Letter[0]-'A') % len(ghostDashes)})
	}
	return shades, x, y
}

// withGhosts returns the legend with the names of the ghosts appended.
func withGhosts(shades []shade, t *brush.Theme, legend []Entry) []Entry {
	for _, s := range shades {
		if s.name != "" {
			legend = append(slices.Clip(legend), Entry{Label: s.name, Stroke: s.stroke(t)})
		}
	}
	return legend
}

// joins reports whether another axis shows the same quantity.
func (a Axis) joins(other Axis) bool {
	return a.Label == other.Label && a.Log == other.Log && a.Categories == nil && other.Categories == nil
}

// layers returns the layers of a ghost's sheets. A layer with a key is cached until the ghost changes.
func (s shade) layers(p *Plane, l *layout) (layers []Layer) {
	if s.plane.Sheets == nil {
		return nil
	}
	for _, sheet := range s.plane.Sheets() {
		if sheet.Ghost == nil {
			continue
		}
		key, ok := sheet.Key, true
		if sheet.GhostKey != nil {
			key, ok = sheet.GhostKey()
		}
		if !ok {
			continue
		}
		layer := Layer{Draw: func(c draw.Canvas) {
			fromOrigin(c, func(c vg.Canvas) {
				b := p.brush(l, c)
				sheet.Ghost(b, s.stroke(b.Theme), s.letter)
			})
		}}
		if key != "" {
			layer.Key = strings.Join([]string{l.key, "ghost", s.letter, key}, " ")
		}
		layers = append(layers, layer)
	}
	return layers
}

func (s shade) stroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: brush.Faded(t.Muted, 0.8), Width: 1.25, Dash: ghostDashes[s.look]}
}

// ghostDashes holds the dash patterns that distinguish the ghosts.
var ghostDashes = [][]vg.Length{{6, 4}, {2, 3}, {10, 3, 2, 3}, {14, 4}}
