package panel

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ghost is a panel of pinned runs, with the letter of their pin.
type Ghost struct {
	Letter string // A to Z
	// Name begins with the letter and says what the runs are, in the legend of a panel for reading;
	// "" has no place there.
	Name  string
	Panel Panel
}

// Haunted is a Panel that can show ghosts of itself: the same panel of other runs, grey and dashed
// beneath its own runs, on the same axes, which grow to hold them.
type Haunted interface {
	Panel
	// Haunt sets the ghosts, in order. Ghosts with other axes are not shown.
	Haunt(ghosts []Ghost)
}

var _ Haunted = (*Plane)(nil)

// planar is a Panel that draws on a Plane.
type planar interface{ plane() *Plane }

func (p *Plane) plane() *Plane { return p }

// Haunt implements Haunted: ghosts show tracks, and the Ghost of sheets.
func (p *Plane) Haunt(ghosts []Ghost) { p.ghosts = slices.Clone(ghosts) }

// shade is a ghost that fits the axes.
type shade struct {
	letter string
	name   string
	plane  *Plane
	look   int // of ghostDashes
}

// shades returns the ghosts on show, and both axes wide enough for them.
func (p *Plane) shades() (shades []shade, x, y Axis) {
	x, y = p.Axes()
	for _, g := range p.ghosts {
		is, ok := g.Panel.(planar)
		if !ok || p.alike != nil && !p.alike(g.Panel) {
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

// withGhosts returns a legend with the names of ghosts after its own entries.
func withGhosts(shades []shade, t *Theme, legend []Entry) []Entry {
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

// layers draws a ghost's tracks; each layer is kept until the ghost changes.
func (s shade) layers(p *Plane, l *layout) (layers []Layer) {
	for _, t := range s.plane.tracks() {
		if len(t.Timeline.Tracks()) == 0 {
			continue
		}
		line := t.Timeline
		key := []string{l.key, "ghost", s.letter, t.Name, fmt.Sprint(line.Version(), t.until(), line.Marker()), line.SelectedName()}
		if t.Key != nil {
			key = append(key, t.Key())
		}
		layers = append(layers, Layer{Key: strings.Join(key, " "), Draw: func(c draw.Canvas) {
			fromOrigin(c, func(c vg.Canvas) { t.haunt(p.brush(l, c), s) })
		}})
	}
	if s.plane.Sheets == nil {
		return layers
	}
	for _, sheet := range s.plane.Sheets() {
		if sheet.Ghost == nil {
			continue
		}
		layer := Layer{Draw: func(c draw.Canvas) {
			fromOrigin(c, func(c vg.Canvas) {
				b := p.brush(l, c)
				sheet.Ghost(b, s.stroke(b.Theme), s.letter)
			})
		}}
		if sheet.Key != "" {
			layer.Key = strings.Join([]string{l.key, "ghost", s.letter, sheet.Key}, " ")
		}
		layers = append(layers, layer)
	}
	return layers
}

// stroke draws a ghost's lines.
func (s shade) stroke(t *Theme) Stroke {
	return Stroke{Color: Faded(t.Muted, 0.8), Width: 1.25, Dash: ghostDashes[s.look]}
}

// ghostDashes tell ghosts apart.
var ghostDashes = [][]vg.Length{{6, 4}, {2, 3}, {10, 3, 2, 3}, {14, 4}}

// haunt draws the tracks of a ghost.
func (t *Tracks) haunt(b *Brush, s shade) {
	stroke := s.stroke(b.Theme)
	selected := t.Timeline.Selected()
	if !t.shows(selected) { // the letter is at the first track on show
		for _, r := range t.Timeline.Tracks() {
			if t.shows(r) {
				selected = r
				break
			}
		}
	}
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		t.line(b, r, 0, t.until(), stroke)
		row := t.Timeline.Shown(r)
		if t.OverTime {
			row = r.Kept(max(0, r.Len()-2)) // the last has no step
		}
		x, y := t.Point(row)
		side := RightOf
		if t.OverTime {
			side = Align{X: -1, Y: 1}
		} else {
			b.Marker(x, y, Ring, 3, b.Theme.Muted, true)
		}
		if r == selected {
			b.Label(x, y, s.letter, SmallText, b.Theme.Muted, side)
		}
	}
}
