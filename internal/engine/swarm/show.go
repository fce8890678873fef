package swarm

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
)

const handle = "curtain"

// The radius of a point, and of the cross that marks a point away from the front, in pixels.
const (
	radius = 1.6
	cross  = 3.2
)

// InPlane adds the swarm to the plane of the variables. runs is the index of the runs' first sheet; the sheet before it is
// the Pareto set. Below the set are the colours of the starts and the moving points. Above it are the points at their ends,
// the curtain and the sheets in names.
func (s *Swarm) InPlane(p *axes.Plane, runs int, names ...axes.Sheet) {
	sheets, grips, text, legend := p.Sheets, p.Grips, p.Text, p.Legend
	p.Sheets = func() []axes.Sheet {
		all := slices.Insert(sheets(), runs, names...)
		if !s.On() {
			return all
		}
		all[runs-1] = cased(all[runs-1])
		all = slices.Insert(all, runs, axes.Sheet{Draw: s.drawPoints(true, true)}, axes.Sheet{Draw: s.drawCurtain})
		return slices.Insert(all, runs-1, axes.Sheet{Key: s.startsKey(), Draw: s.drawStarts}, axes.Sheet{Draw: s.drawPoints(true, false)})
	}
	p.Grips = func() []axes.Grip { return append(s.grips(), grips()...) }
	p.Text = func() string { return text() + s.words() }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		all := legend(t)
		if !s.On() {
			return all
		}
		// The colours of the starts hide those of the landscape, so the landscape needs no legend entry.
		all = slices.DeleteFunc(all, func(e axes.Entry) bool { return e.Field })
		all = append(all, underWay(t), axes.Entry{Label: "where points end, from goal 1 best to goal 2 best", Places: true}, lost(t))
		if s.Curtained() {
			all = append(all, axes.Entry{Label: "curtain between two methods", Stroke: curtainStroke(t)})
		}
		return all
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		if !s.On() {
			return nil
		}
		away := lost(t)
		away.Label = "end away from the front"
		return []axes.Entry{away}
	}
}

// cased returns a sheet whose lines of optima stand out from the points below them.
func cased(sheet axes.Sheet) axes.Sheet {
	draw := sheet.Draw
	sheet.Draw = func(b *brush.Brush) {
		above := *b
		above.Cased = true
		draw(&above)
	}
	if sheet.Key != "" {
		sheet.Key += " cased"
	}
	return sheet
}

// underWay returns the legend's entry for points whose end is unknown.
func underWay(t *brush.Theme) axes.Entry {
	return axes.Entry{Label: "points that still move", Shape: brush.Circle, Fill: unknown(t)}
}

// lost returns the legend's entry for points that end away from the front.
func lost(t *brush.Theme) axes.Entry {
	return axes.Entry{Label: "points that end away from the front", Shape: brush.Cross, Fill: t.Ink}
}

// unknown returns the colour of a point whose end is unknown.
func unknown(t *brush.Theme) color.NRGBA { return t.Tint(t.Muted, 0.6) }

func curtainStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Accent, Width: 2} }

// room is the space for the histogram on the objectives' axes, as a share of their ranges.
const room = 0.2

// InObjectives adds the swarm to the plane of the first two objectives. runs is the index of the runs' first sheet; the
// sheet before it is the front. Below the front are the moving points. Above it are the histogram, the points at their ends
// and the sheets in names.
func (s *Swarm) InObjectives(p *axes.Plane, runs int, names ...axes.Sheet) {
	sheets, text, legend := p.Sheets, p.Text, p.Legend
	p.Sheets = func() []axes.Sheet {
		all := slices.Insert(sheets(), runs, names...)
		if !s.On() {
			return all
		}
		all[runs-1] = cased(all[runs-1])
		all = slices.Insert(all, runs, axes.Sheet{Draw: s.drawHistogram}, axes.Sheet{Draw: s.drawPoints(false, true)})
		return slices.Insert(all, runs-1, axes.Sheet{Draw: s.drawPoints(false, false)})
	}
	given := p.Axes
	p.Axes = func() (x, y axes.Axis) {
		x, y = given()
		if s.On() {
			x.Min -= float64(room * (x.Max - x.Min))
			y.Min -= float64(room * (y.Max - y.Min))
		}
		return x, y
	}
	p.Text = func() string { return text() + s.words() }
	p.Legend = func(t *brush.Theme) (all []axes.Entry) {
		if legend != nil {
			all = legend(t)
		}
		if !s.On() {
			return all
		}
		label := "bars: number of points that end there"
		if s.Curtained() && s.At < 1 {
			label += ", hatched for " + s.Title(s.Curtain)
		}
		return append(all, underWay(t), axes.Entry{Label: label, Places: true})
	}
}

// startsKey returns a text that changes whenever the picture of the starts changes. It counts known ends in steps, so
// that the picture is redrawn only some dozens of times while points move.
func (s *Swarm) startsKey() string {
	const steps = 40
	s.sync()
	right, _ := s.Pair()
	key := fmt.Sprint("starts ", s.made, " ", s.At, s.Curtain, s.FrontKey(), right)
	for _, of := range s.sides() {
		known, members := of.flock.Known()
		if known < members {
			known = known * steps / members * members / steps
		}
		key += fmt.Sprint(" ", known, "/", members)
	}
	return key
}

func (s *Swarm) owner(i int) *side {
	if s.right.flock != nil && s.right.flock.Member(i) {
		return &s.right
	}
	return &s.left
}

// drawStarts colours the regions around starts with known ends. It marks starts whose runs end away from the front.
func (s *Swarm) drawStarts(b *brush.Brush) {
	s.placeEnds()
	lo, hi := s.Corners()
	right, up := s.Pair()
	from, to := b.At(lo[right], lo[up]), b.At(hi[right], hi[up])
	if s.left.flock == nil || !brush.Finite(from) || !brush.Finite(to) {
		return
	}
	c := s.cells.of(s.Count)
	img := image.NewNRGBA(image.Rect(0, 0, c.side, c.side))
	for row := range c.side {
		for col := range c.side {
			i := c.at(col, row, right)
			switch e := s.owner(i).ends[i]; {
			case !e.known:
			case e.away:
				img.SetNRGBA(col, c.side-1-row, b.Theme.Tint(b.Theme.Rule, 0.3))
			default:
				img.SetNRGBA(col, c.side-1-row, b.Theme.Tint(b.Theme.Place(e.share), 0.5))
			}
		}
	}
	b.Canvas.DrawImage(vg.Rectangle{Min: from, Max: to}, img)
	var marks []brush.Stamp
	for i := range s.Count {
		if e := s.owner(i).ends[i]; e.known && e.away {
			x := s.left.flock.course.Starts[i]
			marks = append(marks, brush.Stamp{At: b.At(x[right], x[up]), Fill: b.Theme.Muted})
		}
	}
	b.Stamps(brush.Cross, cross, marks)
}

// drawPoints returns a drawing of the points in the plane of the variables or of the objectives. It draws either the points
// at their ends or all others.
func (s *Swarm) drawPoints(variables, ended bool) func(b *brush.Brush) {
	return func(b *brush.Brush) {
		s.placeEnds()
		if b.Frame.Detail == brush.Thumbnail {
			return
		}
		right, up := s.Pair()
		const roomy, least = 640, 0.65 // minimum width in pixels for points of full size; smallest share of the radius
		size := vg.Length(radius * max(least, min(1, float64(b.Frame.Width)/roomy)))
		under, away := s.marks[0][:0], s.marks[1][:0]
		for _, of := range s.sides() {
			for i := range of.flock.Len() {
				if of.flock.Arrived(i) != ended || !of.flock.Member(i) {
					continue
				}
				x, f, ok := of.flock.Place(i)
				at := b.At(x[right], x[up])
				if !variables {
					if !ok {
						continue
					}
					at = b.At(f[0], f[1])
				}
				switch e := of.ends[i]; {
				case !e.known:
					under = append(under, brush.Stamp{At: at, Fill: unknown(b.Theme)})
				case e.away:
					away = append(away, brush.Stamp{At: at, Fill: b.Theme.Ink})
				default:
					under = append(under, brush.Stamp{At: at, Fill: b.Theme.Place(e.share)})
				}
			}
		}
		s.marks = [2][]brush.Stamp{under, away}
		b.Stamps(brush.Circle, size, under)
		b.Stamps(brush.Cross, size+cross-radius, away)
	}
}

func (s *Swarm) drawCurtain(b *brush.Brush) {
	const narrow = 0.12 // minimum share of the width for a side's name
	if !s.Curtained() || b.Frame.Detail != brush.Full && s.At > 1-narrow {
		return
	}
	x := s.curtainX()
	_, _, ymin, ymax := b.Bounds()
	b.Line(2, func(i int) (float64, float64) { return x, [2]float64{ymin, ymax}[i] }, brush.Stroke{Color: b.Theme.Paper, Width: 4})
	b.Line(2, func(i int) (float64, float64) { return x, [2]float64{ymin, ymax}[i] }, curtainStroke(b.Theme))
	if b.Frame.Detail != brush.Full {
		return
	}
	y := ymin + float64(s.NamesAt*(ymax-ymin))
	switch {
	case s.At == 1 && !b.Theme.Print:
		b.Label(x, y, "drag left to compare "+s.Title(s.Curtain), brush.SmallText, b.Theme.Muted, brush.Align{X: -1, Y: 1})
	case s.At > narrow && s.At < 1:
		b.Label(x, y, "left: "+s.Title(s.Method()), 12, b.Theme.Ink, brush.Align{X: -1, Y: 1})
	}
	if s.At < 1-narrow {
		b.Label(x, y, "right: "+s.Title(s.Curtain), 12, b.Theme.Ink, brush.Align{X: 1, Y: 1})
	}
}

func (s *Swarm) grips() []axes.Grip {
	if !s.Curtained() {
		return nil
	}
	lo, hi := s.Corners()
	right, up := s.Pair()
	const keys = 50 // number of key presses to cross the plane
	return []axes.Grip{{ID: handle, Label: fmt.Sprintf("curtain: %s left, %s right", s.Title(s.Method()), s.Title(s.Curtain)),
		Value: fmt.Sprintf("at %.0f %% of the width", 100*s.At), X: s.curtainX(), Y: lo[up] + float64(0.5*(hi[up]-lo[up])),
		StepX: (hi[right] - lo[right]) / keys, Look: brush.Look{Shape: brush.Diamond}}}
}

// Drag moves the curtain. is reports whether the handle is the curtain's.
func (s *Swarm) Drag(id string, x float64) (name, text string, is bool) {
	if id != handle || !s.Curtained() {
		return "", "", id == handle
	}
	lo, hi := s.Corners()
	right, _ := s.Pair()
	share := (x - lo[right]) / (hi[right] - lo[right])
	return atName, fmt.Sprint(math.Round(1000*max(0, min(share, 1))) / 1000), true
}

// drawHistogram draws how many points end in each part of the front, as bars that rise outward from a line beside the
// front. The bars keep their scale while points arrive, unless a bar becomes too long.
func (s *Swarm) drawHistogram(b *brush.Brush) {
	s.placeEnds()
	line := s.front
	if line == nil || len(line.points) < 2 || line.way[len(line.points)-1] == 0 || b.Frame.Detail == brush.Thumbnail {
		return
	}
	most := 1
	var sides []*side
	var now [][bins]int
	for _, of := range s.sides() {
		const expected = 2 // the scale leaves room for a bar of twice the mean length
		_, members := of.flock.Known()
		if members == 0 {
			continue
		}
		counts := s.counts(of)
		sides, now = append(sides, of), append(now, counts)
		most = max(most, expected*members/bins, slices.Max(counts[:]), slices.Max(of.former[:]))
	}
	// base and tallest are distances from the front's centre line. The bars begin at base, in pixels, and reach at most
	// tallest, a share of the panel's shorter side.
	const tallest, base = 0.9 * room / (1 + room), 7
	size := b.Canvas.Size()
	unit := (vg.Length(tallest*min(size.X, size.Y)) - base) / vg.Length(most)
	// at returns the point in the panel that lies height pixels outward from the given share of the front's length.
	at := func(share float64, height vg.Length) vg.Point {
		const about = 1.5 / bins
		before, after := line.at(b, share-about), line.at(b, share+about)
		d := after.Sub(before)
		length := vg.Length(brush.Distance(before, after))
		here := line.at(b, share)
		if length == 0 {
			return here
		}
		normal := vg.Point{X: d.Y / length, Y: -d.X / length} // points to the lower left if the front falls to the right
		if normal.X+normal.Y > 0 {
			normal = normal.Scale(-1)
		}
		return here.Add(normal.Scale(height))
	}
	ground := b.Tracer()
	for k := range bins + 1 {
		ground.Add(at(float64(float64(k)/bins), base))
	}
	b.Trace(ground, brush.Stroke{Color: b.Theme.Rule, Width: 1})
	bar := func(k, j, of, count int) []vg.Point {
		from := (float64(k) + float64(j)/float64(of) + 0.06) / bins
		to := (float64(k) + float64(j+1)/float64(of) - 0.06) / bins
		top := base + vg.Length(unit*vg.Length(count))
		return []vg.Point{at(from, base), at(from, top), at(to, top), at(to, base)}
	}
	for j, of := range sides {
		for k, count := range now[j] {
			if former := of.former[k]; former > 0 {
				b.Outlined(bar(k, j, len(sides), former), nil, brush.Stroke{Color: b.Theme.Rule, Width: 1, Dash: []vg.Length{2, 2}})
			}
			if count == 0 {
				continue
			}
			hue := b.Theme.Place((float64(k) + 0.5) / bins)
			corners := bar(k, j, len(sides), count)
			if j == 0 {
				b.Outlined(corners, hue, brush.Stroke{})
				continue
			}
			b.Outlined(corners, b.Theme.Tint(hue, 0.25), brush.Stroke{Color: hue, Width: 1.25})
			b.HatchBetween(corners, brush.Stroke{Color: hue, Width: 1})
		}
	}
}

// at returns the point in the panel at a share of the front's length.
func (l *frontLine) at(b *brush.Brush, share float64) vg.Point {
	way := float64(max(0, min(share, 1)) * l.way[len(l.way)-1])
	i, _ := slices.BinarySearch(l.way, way)
	i = max(1, min(i, len(l.way)-1))
	p, q := l.points[i-1], l.points[i]
	u := 0.0
	if d := l.way[i] - l.way[i-1]; d > 0 {
		u = (way - l.way[i-1]) / d
	}
	return b.At(p[0]+float64(u*(q[0]-p[0])), p[1]+float64(u*(q[1]-p[1])))
}

// words returns a sentence about where the points end.
func (s *Swarm) words() string {
	if s.Count == 0 {
		return ""
	}
	if !s.On() {
		if why := s.Lacks(); why != "" {
			return " There is no swarm: " + why + "."
		}
		return " There is no swarm, because no method here moves points one by one."
	}
	var out strings.Builder
	counts := slices.DeleteFunc(s.Counts(), func(c Count) bool { return c.Points == 0 })
	if len(counts) == 1 {
		fmt.Fprintf(&out, " Of %s points spread over the plane, ", numeral.Count(counts[0].Points))
	} else {
		fmt.Fprintf(&out, " Of %s points left of the curtain and %s points right of the curtain, ", numeral.Count(counts[0].Points),
			numeral.Count(counts[1].Points))
	}
	for i, c := range counts {
		if i > 0 {
			out.WriteString("; ")
		}
		title := s.Title(c.Method)
		if c.Ended < c.Points {
			fmt.Fprintf(&out, "%s has moved %s to their ends so far", title, numeral.Count(c.Ended))
			continue
		}
		first, second := c.ends()
		fmt.Fprintf(&out, "%s moves %s to the front, %s of them to its two ends", title,
			numeral.Count(c.Ended-c.Away), numeral.Count(first+second))
		if c.Away > 0 {
			fmt.Fprintf(&out, ", and %s end away from the front", numeral.Count(c.Away))
		}
	}
	return out.String() + "."
}
