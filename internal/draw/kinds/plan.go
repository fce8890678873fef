package kinds

import (
	"fmt"
	"image"
	imagedraw "image/draw"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// PlanMatrix is a panel that shows a transport plan as a matrix of masses, which are transported from rows to columns.
// Bars at the edges show the sums of rows and columns.
type PlanMatrix struct {
	Name, Heading string
	// Plan returns the matrix, row by row, and its number of columns. The panel is empty if the matrix has no rows or no
	// columns.
	Plan func() (mass []float64, columns int)
	// Wanted returns the prescribed sums of rows and columns, which the panel marks on the bars. If Wanted is nil, the
	// panel has no such marks.
	Wanted func() (rows, columns []float64)
	// Unsummed omits the bars of the sums.
	Unsummed bool
	// Most returns the mass with the strongest shade. If it is nil, the largest mass has the strongest shade.
	Most func() float64
	// Column returns the marker of a column. If it is nil, the columns are numbered.
	Column func(t *brush.Theme, j int) brush.Look
	// Run returns the name of the track that a press on a column selects, or "". It may be nil.
	Run func(j int) string
	// RowName and ColumnName return the names of a row and a column, such as "goal 3".
	RowName, ColumnName func(i int) string
	// Lines returns further lines for the tooltip of an entry. It may be nil.
	Lines func(i, j int) []string
	// Key returns a text that identifies everything that the picture depends on, for caching. If Key is nil, the picture
	// is redrawn in every frame.
	Key func() string
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// Cell is an entry of a matrix as the Thing of a Pick, with its row and column counted from 1. If Row is 0, Cell is a
// whole column; if Column is 0, it is a whole row.
type Cell struct{ Row, Column int }

// Panel returns the panel with the matrix.
func (m *PlanMatrix) Panel() *axes.Plane {
	p := &axes.Plane{Name: m.Name, Heading: m.Heading, Text: m.Text, Bare: true}
	p.Axes = func() (axes.Axis, axes.Axis) { return axes.Axis{Min: 0, Max: 1}, axes.Axis{Min: 0, Max: 1} }
	p.Sheets = func() []axes.Sheet {
		s := axes.Sheet{Draw: m.draw}
		if m.Key != nil {
			s.Key = "plan " + m.Key()
		}
		return []axes.Sheet{s}
	}
	p.Find = m.find
	p.Marks = func(b *brush.Brush, run string, _ int) { m.mark(b, run) }
	p.MarkThing = m.markThing
	return p
}

type planPlaces struct {
	rows, columns int
	cells         vg.Rectangle
	w, h          vg.Length // size of a cell
	across, up    vg.Length // maximum lengths of the bars for row sums, on the right, and for column sums, above
}

const (
	planEdge   = 6  // distance between cells and bars
	planLabel  = 26 // width of the row numbers
	planSigns  = 22 // height of the column markers
	planGap    = 8  // minimum size of cells with gaps between them
	planNumber = 40 // minimum width of cells that show their mass
	// negligible is the share of the largest mass below which an entry stays empty.
	negligible = 1e-9
)

// places returns the places of the panel's parts, and the plan. ok is false if there is no plan.
func (m *PlanMatrix) places(b *brush.Brush) (at planPlaces, mass []float64, ok bool) {
	mass, at.columns = m.Plan()
	if at.columns <= 0 || len(mass) < at.columns {
		return at, nil, false
	}
	at.rows = len(mass) / at.columns
	size := b.Canvas.Size()
	var edge vg.Length
	if !m.Unsummed {
		at.across = max(28, min(0.2*size.X, 90))
		at.up = max(24, min(0.18*size.Y, 64))
		edge = planEdge
	}
	label, signs := vg.Length(planLabel), vg.Length(planSigns)
	if b.Frame.Detail == brush.Thumbnail {
		label = 0
		if m.Column == nil {
			signs = 0
		}
	}
	at.cells = vg.Rectangle{
		Min: vg.Point{X: b.Canvas.Min.X + label, Y: b.Canvas.Min.Y + signs},
		Max: vg.Point{X: b.Canvas.Max.X - at.across - edge, Y: b.Canvas.Max.Y - at.up - edge},
	}
	at.cells.Max.X = max(at.cells.Max.X, at.cells.Min.X+1)
	at.cells.Max.Y = max(at.cells.Max.Y, at.cells.Min.Y+1)
	// Limit the width of cells, so that a few columns do not become wide bands.
	const widest = 110
	at.cells.Max.X = min(at.cells.Max.X, at.cells.Min.X+vg.Length(vg.Length(at.columns)*widest))
	inside := at.cells.Size()
	at.w, at.h = inside.X/vg.Length(at.columns), inside.Y/vg.Length(at.rows)
	return at, mass, true
}

// cell returns the place of entry (i, j), with the first row at the top.
func (at *planPlaces) cell(i, j int) vg.Rectangle {
	corner := vg.Point{X: at.cells.Min.X + vg.Length(vg.Length(j)*at.w), Y: at.cells.Max.Y - vg.Length(vg.Length(i+1)*at.h)}
	gapX, gapY := vg.Length(0), vg.Length(0)
	if at.w >= planGap {
		gapX = 1
	}
	if at.h >= planGap {
		gapY = 1
	}
	return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: at.w - gapX, Y: at.h - gapY})}
}

// sums returns the sums of rows and columns, and the largest row sum and column sum. The largest sums take the
// prescribed sums into account.
func (m *PlanMatrix) sums(mass []float64, columns int) (rows, cols []float64, largestRow, largestColumn float64) {
	rows, cols = make([]float64, len(mass)/columns), make([]float64, columns)
	for k, v := range mass {
		rows[k/columns] += v
		cols[k%columns] += v
	}
	wantedRows, wantedColumns := m.wanted()
	most := func(lists ...[]float64) (largest float64) {
		for _, list := range lists {
			for _, v := range list {
				largest = max(largest, v)
			}
		}
		return largest
	}
	return rows, cols, most(rows, wantedRows), most(cols, wantedColumns)
}

func (m *PlanMatrix) wanted() (rows, columns []float64) {
	if m.Wanted == nil {
		return nil, nil
	}
	return m.Wanted()
}

func (m *PlanMatrix) draw(b *brush.Brush) {
	at, mass, ok := m.places(b)
	if !ok {
		return
	}
	m.drawCells(b, &at, mass)
	if !m.Unsummed {
		m.drawSums(b, &at, mass)
	}
	m.drawNames(b, &at)
	brush.Stroke{Color: b.Theme.Hairline, Width: 1}.Set(b.Canvas)
	b.Canvas.Stroke(at.cells.Path())
}

func (m *PlanMatrix) drawCells(b *brush.Brush, at *planPlaces, mass []float64) {
	var most float64
	for _, v := range mass {
		most = max(most, v)
	}
	if m.Most != nil {
		most = m.Most()
	}
	shade := func(v float64) (u float64, there bool) {
		const least = 0.1 // minimum shade on the ramp, to distinguish mass from no mass
		return min(least+(1-least)*v/most, 1), v > negligible*most
	}
	if at.h < 3 || at.w < 3 {
		// Use two image pixels per screen pixel. A display smooths an image that it enlarges, and this would blur the cells'
		// edges.
		dots := vg.Point{X: at.w, Y: at.h}.Scale(2)
		fx, fy := max(1, int(math.Round(float64(dots.X)))), max(1, int(math.Round(float64(dots.Y))))
		img := image.NewRGBA(image.Rect(0, 0, at.columns*fx, at.rows*fy))
		for k, v := range mass {
			if u, there := shade(v); there {
				i, j := k/at.columns, k%at.columns
				imagedraw.Draw(img, image.Rect(j*fx, i*fy, (j+1)*fx, (i+1)*fy), image.NewUniform(b.Theme.Ramp(u)), image.Point{}, imagedraw.Src)
			}
		}
		b.Canvas.DrawImage(at.cells, img)
		return
	}
	f := font.From(brush.Sans, brush.SmallText)
	for k, v := range mass {
		u, there := shade(v)
		if !there {
			continue
		}
		cell, fill := at.cell(k/at.columns, k%at.columns), b.Theme.Ramp(u)
		b.Canvas.SetColor(fill)
		b.Canvas.Fill(cell.Path())
		if at.w < planNumber || at.h < 1.5*f.Size {
			continue
		}
		s := numeral.Fixed(v, 3)
		size := cell.Size()
		brush.Text.Line(b.Canvas, s, f, brush.OnColor(fill), vg.Point{
			X: cell.Min.X + vg.Length((size.X-brush.Text.Width(s, f))/2),
			Y: cell.Min.Y + vg.Length((size.Y-font.Length(brush.CapHeight*f.Size))/2),
		})
	}
}

// under returns the row and the column at a point. If the point is outside the matrix, the row or the column is out of
// range.
func (at *planPlaces) under(p vg.Point) (i, j int) {
	return int(math.Floor(float64((at.cells.Max.Y - p.Y) / at.h))), int(math.Floor(float64((p.X - at.cells.Min.X) / at.w)))
}

// drawSums draws the bars, with marks for the prescribed sums.
func (m *PlanMatrix) drawSums(b *brush.Brush, at *planPlaces, mass []float64) {
	rows, cols, largestRow, largestColumn := m.sums(mass, at.columns)
	wantedRows, wantedColumns := m.wanted()
	var marks vg.Path
	bar := func(from, to vg.Point) { b.Fill(vg.Rectangle{Min: from, Max: to}) }
	mark := func(from, to vg.Point) {
		marks.Move(from)
		marks.Line(to)
	}
	b.Canvas.SetColor(b.Theme.Ramp(0.45))
	from := at.cells.Max.X + planEdge
	wanted := func(i int) float64 {
		if i < len(wantedRows) && largestRow > 0 {
			return wantedRows[i]
		}
		return math.NaN()
	}
	end := func(v float64) vg.Length { return from + vg.Length(at.across*vg.Length(v/largestRow)) }
	for i := 0; i < len(rows); {
		last := i + 1 // draw equal bars without gaps as one bar
		for at.h < planGap && last < len(rows) && rows[last] == rows[i] && wanted(last) == wanted(i) {
			last++
		}
		low, high := at.cell(last-1, 0).Min.Y, at.cell(i, 0).Max.Y
		if rows[i] > 0 {
			bar(vg.Point{X: from, Y: low}, vg.Point{X: end(rows[i]), Y: high})
		}
		if v := wanted(i); v == v {
			mark(vg.Point{X: end(v), Y: low}, vg.Point{X: end(v), Y: high})
		}
		i = last
	}
	bottom := at.cells.Max.Y + planEdge
	for j, v := range cols {
		c := at.cell(0, j)
		end := func(v float64) vg.Length { return bottom + vg.Length(at.up*vg.Length(v/largestColumn)) }
		if v > 0 {
			bar(vg.Point{X: c.Min.X, Y: bottom}, vg.Point{X: c.Max.X, Y: end(v)})
		}
		if j < len(wantedColumns) && largestColumn > 0 {
			y := end(wantedColumns[j])
			mark(vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
		}
	}
	b.StrokePath(marks, brush.Stroke{Color: b.Theme.Ink, Width: 1.5})
}

// drawNames numbers the rows, and draws the markers of the columns.
func (m *PlanMatrix) drawNames(b *brush.Brush, at *planPlaces) {
	f := font.From(brush.Sans, brush.SmallText)
	every := numberedEvery(at.h, at.rows, roomDown)
	for i := range at.rows {
		if (i+1)%every != 0 && every > 1 {
			continue
		}
		c, s := at.cell(i, 0), strconv.Itoa(i+1)
		brush.Text.Line(b.Canvas, s, f, b.Theme.Muted, vg.Point{
			X: at.cells.Min.X - 4 - brush.Text.Width(s, f), Y: vg.Length((c.Min.Y+c.Max.Y)/2) - font.Length(brush.CapHeight*f.Size/2),
		})
	}
	radius := min(5, vg.Length(at.w/2)-1)
	for j := range at.columns {
		c := at.cell(0, j)
		middle := vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: at.cells.Min.Y - planSigns/2}
		if m.Column != nil && radius >= 2 {
			look := m.Column(b.Theme, j)
			b.MarkerAt(middle, look.Shape, radius, look.Hue)
			continue
		}
		if n := numberedEvery(at.w, at.columns, roomAcross); n == 1 || (j+1)%n == 0 {
			s := strconv.Itoa(j + 1)
			corner := middle.Sub(vg.Point{X: brush.Text.Width(s, f) / 2, Y: brush.CapHeight * f.Size / 2})
			brush.Text.Line(b.Canvas, s, f, b.Theme.Muted, corner)
		}
	}
}

// These are the minimum distances, in pixels, between the numbers of two items that are side by side, or one above the
// other.
const (
	roomAcross = 24
	roomDown   = 14
)

// numberedEvery returns the step between two items with numbers: 1, 2, 5, 10, …. It is the smallest of these steps that
// leaves each number the required space.
func numberedEvery(size vg.Length, n int, room vg.Length) int {
	every := 1
	for i := 0; vg.Length(every)*size < room && every < n; i++ {
		every *= 2
		if i%3 == 1 {
			every += every / 4
		}
	}
	return every
}

func (m *PlanMatrix) mark(b *brush.Brush, run string) {
	at, _, ok := m.places(b)
	if !ok || m.Run == nil {
		return
	}
	for j := range at.columns {
		if m.Run(j) != run {
			continue
		}
		b.Framed(vg.Rectangle{Min: at.cell(at.rows-1, j).Min, Max: at.cell(0, j).Max})
	}
}

func (m *PlanMatrix) markThing(b *brush.Brush, thing any) {
	c, is := thing.(Cell)
	at, _, ok := m.places(b)
	if !is || !ok || c.Row > at.rows || c.Column > at.columns {
		return
	}
	top, bottom, left, right := c.Row-1, c.Row-1, c.Column-1, c.Column-1
	if c.Row == 0 {
		top, bottom = 0, at.rows-1
	}
	if c.Column == 0 {
		left, right = 0, at.columns-1
	}
	b.Framed(vg.Rectangle{Min: at.cell(bottom, left).Min, Max: at.cell(top, right).Max})
}

func (m *PlanMatrix) find(b *brush.Brush, p vg.Point) (axes.Pick, bool) {
	at, mass, ok := m.places(b)
	if !ok {
		return axes.Pick{}, false
	}
	i, j := at.under(p)
	inX, inY := j >= 0 && j < at.columns, i >= 0 && i < at.rows
	rows, cols, _, _ := m.sums(mass, at.columns)
	wantedRows, wantedColumns := m.wanted()
	pick := axes.Pick{K: -1, At: p}
	sum := func(v float64, wanted []float64, k int) string {
		if k < len(wanted) {
			return fmt.Sprintf("sum %s of %s", timeline.Number(v), timeline.Number(wanted[k]))
		}
		return "sum " + timeline.Number(v)
	}
	switch {
	case inX && inY:
		pick.Lines = []string{m.RowName(i) + ", " + m.ColumnName(j), "mass " + timeline.Number(mass[i*at.columns+j])}
		if m.Lines != nil {
			pick.Lines = append(pick.Lines, m.Lines(i, j)...)
		}
	case inY && p.X > at.cells.Max.X:
		pick.Lines = []string{m.RowName(i), sum(rows[i], wantedRows, i)}
	case inX && (p.Y > at.cells.Max.Y || p.Y < at.cells.Min.Y):
		pick.Lines = []string{m.ColumnName(j), sum(cols[j], wantedColumns, j)}
	default:
		return axes.Pick{}, false
	}
	var cell Cell
	if inY {
		cell.Row = i + 1
	}
	if inX {
		cell.Column = j + 1
	}
	pick.Thing = cell
	if inX && m.Run != nil {
		pick.Run = m.Run(j)
	}
	return pick, true
}
