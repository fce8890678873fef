package panel

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Plans is a panel of several transport plans side by side, each under its title.
type Plans struct {
	Name, Heading string
	// Plans returns the current plans; one whose Run is the selected one has its title underlined.
	Plans func() []TitledPlan
	// Text says what the panel shows, for those who do not see it.
	Text func() string
}

// TitledPlan is one of several plans. The matrix's Name, Heading, Key, Run and Text are ignored.
type TitledPlan struct {
	Title    string
	Note     string // in small letters beneath; "" for none
	Method   string // gives the title its look
	Run      string // the track that a press on it selects, "" for none
	Selected bool
	Matrix   *PlanMatrix
}

const (
	planTitle  = 20 // height of a title
	planNote   = 16 // and of the row beneath it
	plansApart = 14
	planHead   = planTitle + planNote

	narrowPlan  = 190 // below this width a plan leaves its sums out
	longestCell = 1.5 // largest ratio of a cell's sides
)

// Panel returns the panel.
func (s *Plans) Panel() *Plane {
	return &Plane{
		Name: s.Name, Heading: s.Heading, Text: s.Text, Bare: true,
		Axes:   func() (Axis, Axis) { return Axis{Min: 0, Max: 1}, Axis{Min: 0, Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: s.draw}} },
		Find:   s.find,
		Marks:  s.mark,
		MarkThing: func(b *Brush, thing any) {
			plans := s.Plans()
			for i, place := range s.places(b, len(plans)) {
				matrix, part := plans[i].within(b, place)
				matrix.markThing(part, thing)
			}
		},
	}
}

// mark frames the plan of a run, and its columns in the others.
func (s *Plans) mark(b *Brush, run string, _ int) {
	plans := s.Plans()
	for i, place := range s.places(b, len(plans)) {
		matrix, part := plans[i].within(b, place)
		matrix.mark(part, run)
		if at, _, ok := matrix.places(part); ok && plans[i].Run == run {
			b.scratch.path = appendBox(b.scratch.path[:0], at.cells)
			b.stroke(b.scratch.path, Stroke{Color: b.Theme.Look(plans[i].Method).Hue, Width: 2})
		}
	}
}

// places are the rectangles of n plans, in rows from the top: as many beside each other as
// makes them largest.
func (s *Plans) places(b *Brush, n int) []vg.Rectangle {
	size, head := b.Canvas.Size(), headOf(b)
	best, across := vg.Length(0), 1
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
		corner := vg.Point{X: b.Canvas.Min.X + vg.Length(i%across)*w, Y: b.Canvas.Max.Y - vg.Length(i/across+1)*h}
		out[i] = vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: max(w-plansApart, 1), Y: h})}
	}
	return out
}

// headOf returns the height of the part above a plan.
func headOf(b *Brush) vg.Length {
	if b.Frame.Detail == Thumbnail {
		return plansApart
	}
	return planHead
}

// within returns a plan's matrix and its brush. The matrix stands in the upper left corner of its
// place, because cells are nearly square.
func (p *TitledPlan) within(b *Brush, place vg.Rectangle) (*PlanMatrix, *Brush) {
	part, matrix := *b, *p.Matrix
	part.Canvas.Rectangle = place
	part.Canvas.Max.Y = max(place.Max.Y-headOf(b), place.Min.Y+1)
	matrix.Unsummed = matrix.Unsummed || place.Size().X < narrowPlan
	if at, _, ok := matrix.places(&part); ok {
		part.Canvas.Min.Y += max(0, at.h-longestCell*at.w) * vg.Length(at.rows)
		part.Canvas.Max.X -= max(0, at.w-longestCell*at.h) * vg.Length(at.columns)
	}
	return &matrix, &part
}

func (s *Plans) draw(b *Brush) {
	plans := s.Plans()
	title, note := font.From(bold, LabelText), font.From(sans, SmallText)
	for i, place := range s.places(b, len(plans)) {
		p := &plans[i]
		p.draw(b, place)
		if b.Frame.Detail == Thumbnail {
			continue
		}
		look := b.Theme.Look(p.Method)
		at := vg.Point{X: place.Min.X, Y: place.Max.Y - planTitle + 6}
		b.scratch.path = drawMarker(b.Canvas, b.scratch.path, look.Shape, at.Add(vg.Point{X: 8, Y: 4}), 4.5, look.Hue, b.Theme.Paper)
		text := shorten(p.Title, title, place.Size().X-18)
		handler.line(b.Canvas, text, title, b.Theme.Ink, at.Add(vg.Point{X: 18}))
		if p.Selected && len(plans) > 1 {
			line := vg.Path{}
			line.Move(at.Add(vg.Point{X: 18, Y: -4}))
			line.Line(at.Add(vg.Point{X: 18 + handler.width(text, title), Y: -4}))
			b.stroke(line, look.Stroke(2))
		}
		if p.Note != "" {
			handler.line(b.Canvas, shorten(p.Note, note, place.Size().X), note, b.Theme.Muted, vg.Point{X: place.Min.X, Y: at.Y - planNote - 2})
		}
	}
}

func (p *TitledPlan) draw(b *Brush, place vg.Rectangle) {
	matrix, part := p.within(b, place)
	matrix.draw(part)
}

func (s *Plans) find(b *Brush, at vg.Point) (Pick, bool) {
	plans := s.Plans()
	for i, place := range s.places(b, len(plans)) {
		if at.X < place.Min.X || at.X > place.Max.X || at.Y < place.Min.Y || at.Y > place.Max.Y {
			continue
		}
		matrix, part := plans[i].within(b, place)
		pick, ok := matrix.find(part, at)
		if !ok {
			pick = Pick{K: -1, At: at}
		}
		pick.Run = plans[i].Run
		pick.Lines = append([]string{plans[i].Title}, pick.Lines...)
		return pick, true
	}
	return Pick{}, false
}
