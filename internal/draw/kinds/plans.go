package kinds

import (
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Plans is a panel of several transport plans side by side, each below its title.
type Plans struct {
	Name, Heading string
	// Plans returns the current plans. The panel underlines the title of the plan that belongs to the selected run.
	Plans func() []TitledPlan
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// TitledPlan is one of several plans. It ignores the matrix's Name, Heading, Key, Run and Text.
type TitledPlan struct {
	Title    string
	Note     string // small text below the title; may be ""
	Method   string // method whose look the title uses
	Run      string // track that a press on the plan selects; may be ""
	Selected bool
	Matrix   *PlanMatrix
	// Flow also shows the mass as a flow above the matrix, if space allows. The flow consists of lines from the rows' bars
	// down to the columns' bars.
	Flow bool
}

const (
	planTitle  = 20 // height of a title
	planNote   = 16 // height of the row below the title
	plansApart = 14
	planHead   = planTitle + planNote

	narrowPlan  = 190 // width below which a plan omits its sums
	longestCell = 1.5 // maximum ratio of a cell's sides

	flowShare = 0.45 // share of a plan's height for the flow
	leastFlow = 84   // minimum height of the flow in pixels
	narrowest = 92   // minimum width of plans with flows in one row; a phone has room for them
	maxFlow   = 400  // maximum number of cells of a plan with a flow; more lines would be unreadable and slow
)

// Panel returns the panel with the plans.
func (s *Plans) Panel() *axes.Plane {
	return &axes.Plane{
		Name: s.Name, Heading: s.Heading, Text: s.Text, Bare: true,
		Axes:   func() (axes.Axis, axes.Axis) { return axes.Axis{Min: 0, Max: 1}, axes.Axis{Min: 0, Max: 1} },
		Sheets: func() []axes.Sheet { return []axes.Sheet{{Draw: s.draw}} },
		Find:   s.find,
		Marks:  s.mark,
		MarkThing: func(b *brush.Brush, thing any) {
			plans := s.Plans()
			for i, place := range places(b, plans) {
				matrix, part := plans[i].within(b, place)
				matrix.markThing(part, thing)
			}
		},
	}
}

// mark frames the plan that belongs to a run, and the run's columns in the other plans.
func (s *Plans) mark(b *brush.Brush, run string, _ int) {
	plans := s.Plans()
	for i, place := range places(b, plans) {
		matrix, part := plans[i].within(b, place)
		matrix.mark(part, run)
		if at, _, ok := matrix.places(part); ok && plans[i].Run == run {
			b.Outline(at.cells, brush.Stroke{Color: b.Theme.Look(plans[i].Method).Hue, Width: 2})
		}
	}
}

// places returns the rectangles of plans, in rows from the top. The number of plans per row makes the plans as large as
// possible. Plans with Flow are in one row if space allows.
func places(b *brush.Brush, plans []TitledPlan) []vg.Rectangle {
	n, size, head := len(plans), b.Canvas.Size(), headOf(b)
	best, across := vg.Length(0), 1
	if n > 0 && plans[0].Flow && size.X/vg.Length(n)-plansApart >= narrowest {
		best, across = max(size.X, size.Y), n
	}
	for c := 1; c <= n; c++ {
		down := (n + c - 1) / c
		w, h := size.X/vg.Length(c)-plansApart, size.Y/vg.Length(down)-head
		if side := min(w, h); side > best {
			best, across = side, c
		}
	}
	down := (n + across - 1) / across
	w, h := (size.X+plansApart)/vg.Length(across), size.Y/vg.Length(down)
	out := make([]vg.Rectangle, n)
	for i := range out {
		corner := vg.Point{X: b.Canvas.Min.X + vg.Length(vg.Length(i%across)*w), Y: b.Canvas.Max.Y - vg.Length(vg.Length(i/across+1)*h)}
		out[i] = vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: max(w-plansApart, 1), Y: h})}
	}
	return out
}

// headOf returns the height of a plan's title and note, or of the gap that replaces them in a thumbnail.
func headOf(b *brush.Brush) vg.Length {
	if b.Frame.Detail == brush.Thumbnail {
		return plansApart
	}
	return planHead
}

// within returns a plan's matrix and a brush for it. The matrix is in the upper left corner of the plan's place. It may
// be smaller than the place, because its cells must be nearly square.
func (p *TitledPlan) within(b *brush.Brush, place vg.Rectangle) (*PlanMatrix, *brush.Brush) {
	part, matrix := *b, *p.Matrix
	part.Canvas.Rectangle = place
	part.Canvas.Max.Y = max(place.Max.Y-headOf(b), place.Min.Y+1)
	matrix.Unsummed = matrix.Unsummed || place.Size().X < narrowPlan
	if flow := p.flow(b, place); flow > 0 {
		matrix.Unsummed = true
		part.Canvas.Max.Y -= flow
	}
	if at, _, ok := matrix.places(&part); ok {
		part.Canvas.Min.Y += vg.Length(max(0, at.h-vg.Length(longestCell*at.w)) * vg.Length(at.rows))
		part.Canvas.Max.X -= vg.Length(max(0, at.w-vg.Length(longestCell*at.h)) * vg.Length(at.columns))
	}
	return &matrix, &part
}

// flow returns the height of the flow above a plan, or 0 for no flow.
func (p *TitledPlan) flow(b *brush.Brush, place vg.Rectangle) vg.Length {
	mass, _ := p.Matrix.Plan()
	size := place.Size()
	height := flowShare * (size.Y - headOf(b))
	if !p.Flow || b.Frame.Detail != brush.Full || size.X < narrowest || height < leastFlow || len(mass) > maxFlow {
		return 0
	}
	return height
}

// drawFlow draws the rows' bars and, below them, the columns' bars, which are directly above the matrix's columns. For
// each entry, a line connects the bars of its row and its column. The line's width shows the entry's mass.
func (p *TitledPlan) drawFlow(b *brush.Brush, place vg.Rectangle) {
	matrix, part := p.within(b, place)
	at, mass, ok := matrix.places(part)
	height := p.flow(b, place)
	if !ok || height == 0 {
		return
	}
	rows, columns, largestRow, largestColumn := matrix.sums(mass, at.columns)
	most, heaviest := max(largestRow, largestColumn), slices.Max(mass)
	if matrix.Most != nil {
		heaviest = matrix.Most()
	}
	if most <= 0 || heaviest <= 0 {
		return
	}
	const barShare, gapShare, numbers = 0.24, 0.15, 11 // numbers is the height, in pixels, of the numbers above and below the bars
	bottom := at.cells.Max.Y + planEdge + numbers
	top := bottom + height - 3*planEdge - 2*numbers
	tallest := vg.Length(barShare * (top - bottom))
	from, to := top-tallest, bottom+tallest // bottom of the rows' bars, and top of the columns' bars
	slot := at.cells.Size().X / vg.Length(at.rows)
	middle := func(i int, slot vg.Length) vg.Length { return at.cells.Min.X + vg.Length((vg.Length(i)+0.5)*slot) }
	f := font.From(brush.Sans, brush.SmallText)
	bars := func(sums []float64, slot, y vg.Length) {
		every := numberedEvery(slot, len(sums), roomAcross)
		for i, v := range sums {
			half := vg.Length(slot * (0.5 - gapShare))
			b.Fill(vg.Rectangle{
				Min: vg.Point{X: middle(i, slot) - half, Y: y}, Max: vg.Point{X: middle(i, slot) + half, Y: y + vg.Length(tallest*vg.Length(v/most))}})
			if every > 1 && (i+1)%every != 0 {
				continue
			}
			words, beside := strconv.Itoa(i+1), vg.Length(3) // text above a row's bar
			if tallest < 0 {
				beside = -beside - brush.CapHeight*brush.SmallText
			}
			brush.Text.Line(b.Canvas, words, f, b.Theme.Muted, vg.Point{X: middle(i, slot) - vg.Length(brush.Text.Width(words, f)/2),
				Y: y + vg.Length(tallest*vg.Length(v/most)) + beside})
			b.Canvas.SetColor(b.Theme.Ramp(0.45))
		}
	}
	b.Canvas.SetColor(b.Theme.Ramp(0.45))
	bars(rows, slot, from)
	tallest = -tallest
	bars(columns, at.w, to)
	const thinnest = 0.2
	widest := 0.8 * min(slot, at.w)
	for k, v := range mass {
		width := widest * vg.Length(min(v/heaviest, 1))
		if width < thinnest {
			continue
		}
		i, j := k/at.columns, k%at.columns
		b.LineAt(vg.Point{X: middle(i, slot), Y: from}, vg.Point{X: middle(j, at.w), Y: to},
			brush.Stroke{Color: brush.Faded(b.Theme.Ramp(0.85), 0.6), Width: width})
	}
}

func (s *Plans) draw(b *brush.Brush) {
	plans := s.Plans()
	title, note := font.From(brush.Bold, brush.LabelText), font.From(brush.Sans, brush.SmallText)
	for i, place := range places(b, plans) {
		p := &plans[i]
		p.draw(b, place)
		if b.Frame.Detail == brush.Thumbnail {
			continue
		}
		look := b.Theme.Look(p.Method)
		at := vg.Point{X: place.Min.X, Y: place.Max.Y - planTitle + 6}
		b.MarkerAt(at.Add(vg.Point{X: 8, Y: 4}), look.Shape, 4.5, look.Hue)
		text := brush.Shorten(p.Title, title, place.Size().X-18)
		brush.Text.Line(b.Canvas, text, title, b.Theme.Ink, at.Add(vg.Point{X: 18}))
		if p.Selected && len(plans) > 1 {
			under := at.Add(vg.Point{X: 18, Y: -4})
			b.LineAt(under, under.Add(vg.Point{X: brush.Text.Width(text, title)}), look.Stroke(2))
		}
		if p.Note != "" {
			words := p.Note
			if _, last, parted := strings.Cut(words, ", "); parted && brush.Text.Width(words, note) > place.Size().X {
				words = last
			}
			brush.Text.Line(b.Canvas, brush.Shorten(words, note, place.Size().X), note, b.Theme.Muted,
				vg.Point{X: place.Min.X, Y: at.Y - planNote - 2})
		}
	}
}

func (p *TitledPlan) draw(b *brush.Brush, place vg.Rectangle) {
	matrix, part := p.within(b, place)
	matrix.draw(part)
	p.drawFlow(b, place)
}

func (s *Plans) find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	plans := s.Plans()
	for i, place := range places(b, plans) {
		if at.X < place.Min.X || at.X > place.Max.X || at.Y < place.Min.Y || at.Y > place.Max.Y {
			continue
		}
		matrix, part := plans[i].within(b, place)
		pick, ok := matrix.find(part, at)
		if !ok {
			pick = axes.Pick{K: -1, At: at}
		}
		pick.Run = plans[i].Run
		pick.Lines = append([]string{plans[i].Title}, pick.Lines...)
		return pick, true
	}
	return axes.Pick{}, false
}
