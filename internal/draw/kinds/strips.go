package kinds

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Strips is a panel that shows several orders of the same items. Each order is a row of cells in the items' colours. The
// oldest row is at the top.
type Strips struct {
	Name, Heading string
	// Strips returns the current strips, which must all have the same numbers of columns and rows.
	Strips func() []Strip
	// Key returns a text that identifies everything that the finished rows depend on, for caching. If Key is nil, these
	// rows are redrawn in every frame.
	Key func() string
	// Due returns the place to frame in a strip. ok is false if no place is to be framed. Due may be nil.
	Due func(strip int) (at StripPlace, ok bool)
	// Find returns the description of a place.
	Find func(at StripPlace) axes.Pick
	// Marks returns the places to mark for a run at an iteration. It may be nil.
	Marks func(run string, k int) []StripPlace
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// Strip holds the orders of one kind.
type Strip struct {
	Title string  // title above the strip; may be ""
	Rows  [][]int // items of each row, counted from 0; rows have equal lengths, and a nil row is unknown
	Names []string
	// Next is the next row, which is still incomplete. Its first Left and last Right places are filled. It may be nil.
	Next        []int
	Left, Right int
	NextName    string
}

// StripPlace is a place in a strip, with all numbers counted from 0. The incomplete row has the number len(Rows).
type StripPlace struct{ Strip, Row, Column int }

// Panel returns the panel with the strips.
func (s *Strips) Panel() *axes.Plane {
	p := &axes.Plane{Name: s.Name, Heading: s.Heading, Text: s.Text, Bare: true}
	p.Axes = func() (axes.Axis, axes.Axis) { return axes.Axis{Min: 0, Max: 1}, axes.Axis{Min: 0, Max: 1} }
	p.Sheets = func() []axes.Sheet {
		finished := axes.Sheet{Draw: s.drawRows}
		if s.Key != nil {
			finished.Key = "strips " + s.Key()
		}
		return []axes.Sheet{finished, {Draw: s.drawNext}}
	}
	p.Find = s.find
	p.Marks = func(b *brush.Brush, run string, k int) {
		if s.Marks == nil {
			return
		}
		strips := s.Strips()
		places := s.places(b, strips)
		for _, at := range s.Marks(run, k) {
			if at.Strip < len(places) && at.Row <= len(strips[at.Strip].Rows) {
				drawFrame(b, places[at.Strip].cell(at.Row, at.Column), b.Theme.Ink)
			}
		}
	}
	return p
}

const (
	stripTitle = 18 // height of a title
	stripApart = 14 // distance between two strips in pixels
	stripNext  = 5  // distance above the incomplete row in pixels
	stripNames = 5  // distance between row names and cells in pixels
	stripGap   = 5  // minimum height of rows with gaps between them
	stripCell  = 24 // minimum width of cells with numbers
	finestCell = 2  // pixels of a cached picture per screen pixel, in each direction
)

type stripPlaces struct {
	rows, columns int
	area          vg.Rectangle // area of the finished rows
	next          vg.Rectangle // area of the incomplete row; empty if there is none
	w, h          vg.Length    // size of a cell
	title         vg.Point     // start of the title's baseline
}

// cell returns the place of a cell. The row after the last finished row is the incomplete row.
func (at *stripPlaces) cell(row, column int) vg.Rectangle {
	corner := vg.Point{X: at.area.Min.X + vg.Length(vg.Length(column)*at.w), Y: at.area.Max.Y - vg.Length(vg.Length(row+1)*at.h)}
	if row == at.rows {
		corner.Y = at.next.Min.Y
	}
	return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: at.w, Y: at.h - at.gap()})}
}

func (at *stripPlaces) gap() vg.Length {
	if at.h >= stripGap {
		return 1
	}
	return 0
}

// places returns the places of the strips, which are side by side or one below another, whichever makes their cells
// larger. It returns nil if there are no strips or no cells.
func (s *Strips) places(b *brush.Brush, strips []Strip) []stripPlaces {
	if len(strips) == 0 || columnsOf(strips[0]) == 0 {
		return nil
	}
	n, size := len(strips), b.Canvas.Size()
	head, name := vg.Length(0), vg.Length(0)
	f := font.From(brush.Sans, brush.SmallText)
	if b.Frame.Detail != brush.Thumbnail {
		for _, strip := range strips {
			if strip.Title != "" {
				head = stripTitle
			}
			for _, text := range append(strip.Names[:len(strip.Names):len(strip.Names)], strip.NextName) {
				name = max(name, brush.Text.Width(text, f)+stripNames)
			}
		}
	}
	best, across := vg.Length(-1), 1
	for c := 1; c <= n; c++ {
		down := (n + c - 1) / c
		w := (size.X/vg.Length(c) - name) / vg.Length(columnsOf(strips[0]))
		h := (size.Y/vg.Length(down) - head - stripApart) / vg.Length(linesOf(strips[0]))
		if side := min(w, h); side > best {
			best, across = side, c
		}
	}
	down := (n + across - 1) / across
	width, height := (size.X+stripApart)/vg.Length(across), (size.Y+stripApart)/vg.Length(down)
	out := make([]stripPlaces, n)
	for i := range out {
		at := &out[i]
		at.rows, at.columns = len(strips[i].Rows), columnsOf(strips[i])
		left := b.Canvas.Min.X + vg.Length(vg.Length(i%across)*width) + name
		right := left - name + width - stripApart
		top := b.Canvas.Max.Y - vg.Length(vg.Length(i/across)*height)
		at.title = vg.Point{X: left, Y: top - 12}
		apart := vg.Length(0)
		if strips[i].Next != nil {
			apart = stripNext
		}
		const highest = 40 // maximum height of a row; taller rows would look like bands
		inside := height - stripApart - head - apart
		at.w = max(right-left, 1) / vg.Length(at.columns)
		at.h = min(max(inside, 1)/vg.Length(linesOf(strips[i])), highest)
		at.area.Max = vg.Point{X: left + vg.Length(at.w*vg.Length(at.columns)), Y: top - head}
		at.area.Min = vg.Point{X: left, Y: at.area.Max.Y - vg.Length(at.h*vg.Length(at.rows))}
		if strips[i].Next != nil {
			at.next = vg.Rectangle{
				Min: vg.Point{X: left, Y: at.area.Min.Y - apart - at.h}, Max: vg.Point{X: at.area.Max.X, Y: at.area.Min.Y - apart},
			}
		}
	}
	return out
}

// columnsOf returns the number of places in a row, or 0 if there are no rows.
func columnsOf(s Strip) int {
	for _, row := range s.Rows {
		if row != nil {
			return len(row)
		}
	}
	return len(s.Next)
}

// linesOf returns the number of rows, including the incomplete row.
func linesOf(s Strip) int {
	if s.Next != nil {
		return len(s.Rows) + 1
	}
	return max(len(s.Rows), 1)
}

func (s *Strips) drawRows(b *brush.Brush) {
	strips := s.Strips()
	for i, at := range s.places(b, strips) {
		strip := &strips[i]
		paintCells(b, &at, at.area, strip.Rows)
		if b.Frame.Detail == brush.Thumbnail {
			continue
		}
		title, f := font.From(brush.Bold, brush.SmallText), font.From(brush.Sans, brush.SmallText)
		brush.Text.Line(b.Canvas, brush.Shorten(strip.Title, title, at.area.Size().X), title, b.Theme.Ink, at.title)
		every := 1 // names must be at least their height apart
		for vg.Length(every)*at.h < f.Size+1 {
			every++
		}
		for row, name := range strip.Names {
			crowded := strip.Next != nil && at.cell(row, 0).Min.Y-at.cell(at.rows, 0).Min.Y < f.Size
			if (at.rows-1-row)%every == 0 && !crowded {
				nameRow(b, &at, row, name)
			}
		}
		if strip.Next != nil {
			nameRow(b, &at, at.rows, strip.NextName)
		}
	}
}

// nameRow writes the name of a row to the left of the row.
func nameRow(b *brush.Brush, at *stripPlaces, row int, name string) {
	f := font.From(brush.Sans, brush.SmallText)
	box := at.cell(row, 0)
	brush.Text.Line(b.Canvas, name, f, b.Theme.Muted, vg.Point{
		X: box.Min.X - stripNames - brush.Text.Width(name, f), Y: vg.Length((box.Min.Y+box.Max.Y)/2) - font.Length(brush.CapHeight*f.Size/2),
	})
}

// paintCells paints rows as one picture, and numbers the cells if space allows.
func paintCells(b *brush.Brush, at *stripPlaces, area vg.Rectangle, rows [][]int) {
	if len(rows) == 0 {
		return
	}
	dots := func(length vg.Length) int { return max(1, int(math.Round(finestCell*float64(length)))) }
	fx, fy := dots(at.w), dots(at.h)
	img := image.NewRGBA(image.Rect(0, 0, at.columns*fx, len(rows)*fy))
	high := fy - int(finestCell*at.gap())
	for i, row := range rows {
		from := img.PixOffset(0, i*fy)
		line := img.Pix[from : from+img.Stride]
		for j, thing := range row {
			if thing < 0 {
				continue
			}
			c := color.RGBA(b.Theme.Spectrum(float64(thing) / float64(max(at.columns-1, 1)))) // the colour is opaque
			for x := j * fx; x < (j+1)*fx; x++ {
				copy(line[4*x:], []uint8{c.R, c.G, c.B, c.A})
			}
		}
		for y := 1; y < high; y++ {
			copy(img.Pix[from+y*img.Stride:], line)
		}
	}
	b.Canvas.DrawImage(area, img)
	f := font.From(brush.Sans, brush.SmallText)
	if at.w < stripCell || at.h < 1.3*f.Size || b.Frame.Detail == brush.Thumbnail {
		return
	}
	for i, row := range rows {
		for j, thing := range row {
			if thing < 0 {
				continue
			}
			corner := vg.Point{X: area.Min.X + vg.Length(vg.Length(j)*at.w), Y: area.Max.Y - vg.Length(vg.Length(i+1)*at.h)}
			s, on := strconv.Itoa(thing+1), b.Theme.Spectrum(float64(thing)/float64(max(at.columns-1, 1)))
			brush.Text.Line(b.Canvas, s, f, brush.OnColor(on), vg.Point{
				X: corner.X + vg.Length((at.w-brush.Text.Width(s, f))/2),
				Y: corner.Y + vg.Length((at.h+at.gap()-font.Length(brush.CapHeight*f.Size))/2),
			})
		}
	}
}

// free marks a place without an item.
const free = -1

// drawNext draws the incomplete rows, with hatching in free places, and frames the places that are due.
func (s *Strips) drawNext(b *brush.Brush) {
	strips := s.Strips()
	for i, at := range s.places(b, strips) {
		if strip := &strips[i]; strip.Next != nil {
			row := make([]int, len(strip.Next))
			for j, thing := range strip.Next {
				if row[j] = thing; j >= strip.Left && j < len(row)-strip.Right {
					row[j] = free
				}
			}
			paintCells(b, &at, at.next, [][]int{row})
			b.Hatch(vg.Rectangle{
				Min: vg.Point{X: at.next.Min.X + vg.Length(vg.Length(strip.Left)*at.w), Y: at.next.Min.Y + at.gap()},
				Max: vg.Point{X: at.next.Max.X - vg.Length(vg.Length(strip.Right)*at.w), Y: at.next.Max.Y},
			})
		}
		if s.Due == nil {
			continue
		}
		if due, ok := s.Due(i); ok {
			drawFrame(b, at.cell(due.Row, due.Column), b.Theme.Accent)
		}
	}
}

// leastFrame is the minimum size of the frame around a place.
const leastFrame = 5

// drawFrame draws a frame around a place. The frame has an edge that is visible on any colour.
func drawFrame(b *brush.Brush, box vg.Rectangle, hue color.Color) {
	if more := vg.Length((leastFrame - box.Size().X) / 2); more > 0 {
		box.Min.X -= more
		box.Max.X += more
	}
	box.Min, box.Max = box.Min.Sub(vg.Point{X: 1, Y: 1}), box.Max.Add(vg.Point{X: 1, Y: 1})
	b.Outline(box, brush.Stroke{Color: b.Theme.Paper, Width: 4})
	b.Outline(box, brush.Stroke{Color: hue, Width: 2})
}

func (s *Strips) find(b *brush.Brush, p vg.Point) (axes.Pick, bool) {
	strips := s.Strips()
	for i, at := range s.places(b, strips) {
		column := int(math.Floor(float64((p.X - at.area.Min.X) / at.w)))
		if column < 0 || column >= at.columns {
			continue
		}
		row := int(math.Floor(float64((at.area.Max.Y - p.Y) / at.h)))
		switch strip := &strips[i]; {
		case strip.Next != nil && p.Y >= at.next.Min.Y && p.Y <= at.next.Max.Y:
			row = at.rows
		case row < 0 || row >= at.rows || strip.Rows[row] == nil:
			continue
		}
		pick := s.Find(StripPlace{Strip: i, Row: row, Column: column})
		pick.At = p
		return pick, true
	}
	return axes.Pick{}, false
}

// Thing returns the item in a place of a strip. ok is false if the item is unknown or the place is empty.
func (s Strip) Thing(row, column int) (thing int, ok bool) {
	switch {
	case row == len(s.Rows) && s.Next != nil:
		if column >= s.Left && column < len(s.Next)-s.Right {
			return 0, false
		}
		return s.Next[column], true
	case row < 0 || row >= len(s.Rows) || s.Rows[row] == nil:
		return 0, false
	}
	return s.Rows[row][column], true
}
