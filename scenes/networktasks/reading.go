package networktasks

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	model "paretoplay/algo/problem/network"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// These are sizes in pixels.
const (
	readingGap   = 20 // between the picture and the answers
	answerRow    = 18 // height of a task
	answerColumn = 22 // width of a method
	signSize     = 5  // half the width of an answer's marker
	namedRow     = 13 // minimum height of a task with its name
	leastCell    = 7  // minimum height and width without names
	headRow      = 34 // height of the methods' markers and accuracies

	leastChart, maxChart = 150, 460 // minimum and maximum width of the chart of the networks' confidence
	chartRow             = 0.94 * brush.SmallText
	chartEdge            = 8 // margin right of the chart
)

// headWords explains the numbers above the answers.
const headWords = "% right on all test pictures"

// readingPanel returns the panel that shows a picture of two digits and what each method's network answers about it.
func (s *Scene) readingPanel() axes.Panel {
	p := &axes.Plane{Name: "reading", Heading: "What each network reads", Bare: true, Text: s.describeReading}
	p.Axes = func() (axes.Axis, axes.Axis) { return axes.Axis{Max: 1}, axes.Axis{Max: 1} }
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Key: fmt.Sprint("network picture ", s.runsKey(), s.picture()), Draw: s.drawPicture}, {Draw: s.drawAnswers}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.net == nil {
			return nil
		}
		return append(kinds.MethodEntries(t, Methods, s.Timeline()),
			axes.Entry{Label: "right, stronger: surer", Shape: brush.Square, Fill: t.Ink},
			axes.Entry{Label: "wrong", Shape: brush.RingSquare, Fill: t.Rule})
	}
	p.Find = s.findReading
	return p
}

// readingPlaces holds the layout of the panel.
type readingPlaces struct {
	picture       vg.Rectangle
	small         bool      // the picture is in the head row
	left, top     vg.Length // position of the answers
	row, column   vg.Length // height of a task and width of a method
	name, block   vg.Length // width of a name (0 without names), and offset between blocks of tasks
	head          vg.Length
	down, methods int // number of tasks in a block, and number of methods
	tasks         int
	chart         vg.Rectangle // chart of the networks' confidence, in the tasks' rows; may be empty
}

// charted reports whether there is a chart.
func (at *readingPlaces) charted() bool { return at.chart.Max.X > at.chart.Min.X }

// sure returns the position of a probability in a task's row of the chart.
func (at *readingPlaces) sure(share float64, task int) vg.Point {
	return vg.Point{X: at.chart.Min.X + vg.Length(vg.Length(share)*(at.chart.Max.X-at.chart.Min.X)), Y: at.answer(0, task).Y}
}

// answer returns the centre of the marker for a method's answer to a task.
func (at *readingPlaces) answer(method, task int) vg.Point {
	return vg.Point{X: at.left + vg.Length(vg.Length(task/at.down)*at.block) + vg.Length((vg.Length(method)+0.5)*at.column),
		Y: at.top - at.head - vg.Length((vg.Length(task%at.down)+0.5)*at.row)}
}

// These are the possible places of the picture.
const (
	besideAnswers = iota
	aboveAnswers
	inHead      // small, in the row of the methods' markers
	besideChart // beside the answers, which are beside a chart
)

// places lays out the panel. If there is room, the picture is beside the answers and a chart. Otherwise the picture is
// beside the answers or, if the tasks' names have no room there, above the answers. On a phone the picture is in the
// corner.
func (s *Scene) places(b *brush.Brush) readingPlaces {
	if at := s.placesFor(b, besideChart); at.charted() {
		return at
	}
	beside, above := s.placesFor(b, besideAnswers), s.placesFor(b, aboveAnswers)
	size := b.Canvas.Size()
	if beside.name == 0 && above.name == 0 && b.Frame.Detail == brush.Full {
		if small := s.placesFor(b, inHead); small.name > 0 {
			return small
		}
	}
	if beside.name > 0 && above.name == 0 || (beside.name > 0) == (above.name > 0) && size.X > size.Y {
		return beside
	}
	return above
}

// placesFor lays out the panel with the picture in the given place.
func (s *Scene) placesFor(b *brush.Brush, where int) readingPlaces {
	area := b.Canvas.Rectangle
	size := area.Size()
	at := readingPlaces{tasks: s.tasks(), methods: len(s.Timeline().Runs()), head: headRow}
	if b.Frame.Detail != brush.Full {
		at.head = 0
	}
	const widest, charted, wideAbove, highAbove = 0.38, 0.25, 0.6, 0.3 // maximum shares of the panel for the picture
	share := vg.Length(widest)
	if where == besideChart {
		share = charted
	}
	dot := min(share*size.X/model.Cols, (size.Y-answerRow)/model.Rows)
	if b.Frame.Detail == brush.Thumbnail {
		dot = min(0.66*size.X/model.Cols, size.Y/model.Rows)
	}
	corner := vg.Point{X: area.Min.X, Y: area.Max.Y}
	switch where {
	case aboveAnswers:
		dot = min(wideAbove*size.X/model.Cols, highAbove*size.Y/model.Rows)
	case inHead:
		dot = (headRow - 2) / model.Rows
		corner.X, at.small = area.Max.X-vg.Length(dot*model.Cols), true
	}
	at.picture = vg.Rectangle{Min: corner.Sub(vg.Point{Y: dot * model.Rows}), Max: corner.Add(vg.Point{X: dot * model.Cols})}
	at.left, at.top = at.picture.Max.X+readingGap, area.Max.Y
	switch where {
	case aboveAnswers:
		at.left, at.top = area.Min.X, at.picture.Min.Y-answerRow
	case inHead:
		at.left = area.Min.X
	}
	wide, high := area.Max.X-at.left, at.top-area.Min.Y-at.head
	names := vg.Length(0)
	for _, name := range s.net.Names() {
		names = max(names, b.Width(name)+8)
	}
	least := vg.Length(namedRow)
	if where == inHead || where == besideChart {
		least = chartRow // capitals in neighbouring rows do not touch
	}
	// fits reports whether the tasks fit if they are divided into the given number of blocks, with or without names.
	fits := func(blocks int, named bool) bool {
		at.down = (at.tasks + blocks - 1) / blocks
		at.row = min(answerRow, high/vg.Length(at.down))
		at.name = 0
		if named {
			at.name = names
		}
		at.block = wide / vg.Length(blocks)
		at.column = min(answerColumn, (at.block-at.name-8)/vg.Length(max(1, at.methods)))
		if named {
			return at.row >= least && at.column >= 2*signSize+1
		}
		return at.row >= leastCell && at.column >= leastCell
	}
	if where == besideChart {
		if b.Frame.Detail != brush.Full || !fits(1, true) {
			return at
		}
		named := at.left + vg.Length(vg.Length(at.methods)*at.column)
		from := named + max(at.name, b.Width(headWords)) + readingGap
		if to := min(area.Max.X-chartEdge, from+maxChart); to >= from+leastChart {
			foot := at.answer(0, at.tasks-1).Y - vg.Length(at.row/2)
			at.chart = vg.Rectangle{Min: vg.Point{X: from, Y: foot}, Max: vg.Point{X: to, Y: at.top - at.head}}
		}
		return at
	}
	const maxBlocks = 4
	for blocks := 1; blocks <= maxBlocks && b.Frame.Detail == brush.Full; blocks++ {
		if fits(blocks, true) {
			return at
		}
	}
	for _, least := range []vg.Length{2*signSize + 1, leastCell} {
		for blocks := 1; blocks <= at.tasks; blocks++ {
			if fits(blocks, false) && at.row >= least {
				return at
			}
		}
	}
	fits(int(math.Ceil(math.Sqrt(float64(at.tasks)))), false)
	return at
}

// grey returns the colour of a picture's dot.
func grey(t *brush.Theme, v float64) color.NRGBA { return t.Tint(t.Ink, 0.04+float64(0.96*v)) }

// drawPicture draws the parts that do not change while the networks learn: the picture and the questions about it.
func (s *Scene) drawPicture(b *brush.Brush) {
	if s.net == nil {
		b.Words(waiting)
		return
	}
	at := s.places(b)
	picture := s.net.Picture(model.Test, s.picture())
	b.Dots(at.picture, model.Rows, model.Cols, func(r, c int) color.NRGBA { return grey(b.Theme, picture[r*model.Cols+c]) })
	left, right := s.net.Labels(model.Test, s.picture())
	if b.Frame.Detail == brush.Full && !at.small {
		lines := []string{fmt.Sprintf("a test picture: %d and %d", left, right)}
		if at.charted() {
			const words = "Each row is a question about the picture. Signs to the right of the dashed line mark right answers."
			lines = append(lines, brush.Wrapped(words, font.From(brush.Sans, brush.SmallText), at.picture.Size().X)...)
		}
		for i, line := range lines {
			write(b, vg.Point{X: at.picture.Min.X, Y: at.picture.Min.Y - 9 - vg.Length(15*i)}, line, b.Theme.Muted, brush.RightOf)
		}
	}
	if at.name > 0 {
		for task, name := range s.net.Names() {
			p := at.answer(at.methods-1, task)
			write(b, vg.Point{X: p.X + vg.Length(at.column/2), Y: p.Y}, name, b.Theme.Ink, brush.RightOf)
		}
	}
}

// write draws text beside a point in the panel.
func write(b *brush.Brush, p vg.Point, text string, ink color.Color, side brush.Align) {
	b.TextAt(p, text, brush.SmallText, ink, side)
}

// drawChart draws the chart's background: a line for each task, and the level of guessing.
func (s *Scene) drawChart(b *brush.Brush, at *readingPlaces) {
	line := func(p, q vg.Point, stroke brush.Stroke) {
		b.Line(2, func(i int) (float64, float64) { return b.World([2]vg.Point{p, q}[i]) }, stroke)
	}
	for task := range at.tasks {
		line(at.sure(0, task), at.sure(1, task), brush.Stroke{Color: b.Theme.Hairline, Width: 0.75})
	}
	top := at.chart.Max.Y
	heading := "how sure of the right answer; lines: means"
	if b.Width(heading) > at.chart.Size().X {
		heading, _, _ = strings.Cut(heading, ";")
	}
	write(b, vg.Point{X: at.chart.Min.X - 4, Y: at.top - 10}, heading, b.Theme.Ink, brush.RightOf)
	for _, tick := range []struct {
		share float64
		words string
	}{{0, "0"}, {s.guess(), "guessing"}, {1, "100 %"}} {
		stroke := brush.Stroke{Color: b.Theme.Rule, Width: 1}
		if tick.share > 0 && tick.share < 1 {
			stroke.Dash = []vg.Length{4, 3}
		}
		x := at.sure(tick.share, 0).X
		line(vg.Point{X: x, Y: at.chart.Min.Y}, vg.Point{X: x, Y: top}, stroke)
		middle := min(x, at.chart.Max.X+chartEdge-vg.Length(b.Width(tick.words)/2))
		write(b, vg.Point{X: middle, Y: at.top - 24}, tick.words, b.Theme.Muted, brush.Centred)
	}
}

// guess returns the probability that a guess is the right answer.
func (s *Scene) guess() float64 { return 1 / max(2, float64(s.net.Classes(0))) }

// drawSure draws the networks' confidence in the right answers, and the means as lines across the rows. If there are
// only a few networks, their markers have different heights within a row and the lines of their means have different
// widths, so that equal values stay visible.
func (s *Scene) drawSure(b *brush.Brush, at *readingPlaces) {
	const few, apart, line, edges = 4, 2.5, 1.5, 2 // maximum number of networks drawn at different heights; then sizes in pixels
	runs := slices.Clone(s.Timeline().Runs())
	lane, radius, wider := vg.Length(0), min(3.5, vg.Length(at.row/2)-1), vg.Length(0)
	if n := len(runs); n > 1 && n <= few {
		lane, radius, wider = apart, 3, edges
	} else if i := slices.Index(runs, s.Timeline().Selected().Run); i >= 0 { // the selected run is drawn last
		runs = append(slices.Delete(runs, i, i+1), s.Timeline().Selected().Run)
	}
	for i, r := range runs {
		chances, mean := s.answers(r), 0.0
		for task := range at.tasks {
			_, share := s.right(chances, s.picture(), task)
			mean += share / float64(at.tasks)
		}
		x := at.sure(mean, 0).X
		b.Line(2, func(i int) (float64, float64) {
			return b.World(vg.Point{X: x, Y: [2]vg.Length{at.chart.Min.Y, at.chart.Max.Y}[i]})
		}, brush.Stroke{Color: s.readingLook(b.Theme, r).Hue, Width: line + vg.Length(wider*vg.Length(len(runs)-1-i))})
	}
	for i, r := range runs {
		look, chances := s.readingLook(b.Theme, r), s.answers(r)
		shift := vg.Point{Y: lane * vg.Length(len(runs)-1-2*i) / 2}
		for task := range at.tasks {
			_, share := s.right(chances, s.picture(), task)
			x, y := b.World(at.sure(share, task).Add(shift))
			b.Marker(x, y, look.Shape, radius, look.Hue, true)
		}
	}
}

// readingLook returns the look of a run. The look is grey if there are many runs and another run is selected.
func (s *Scene) readingLook(t *brush.Theme, r *timeline.Run) brush.Look {
	look := t.Look(r.Method)
	if kinds.Greyed(s.Timeline(), timeline.Track{Run: r}) {
		look.Hue = kinds.Grey(t)
	}
	return look
}

// drawAnswers draws each method's answers and its share of right answers.
func (s *Scene) drawAnswers(b *brush.Brush) {
	if s.net == nil {
		return
	}
	at := s.places(b)
	if at.charted() {
		s.drawChart(b, &at)
		s.drawSure(b, &at)
	}
	half := min(signSize, vg.Length(at.row/2)-1, vg.Length(at.column/2)-1)
	for m, r := range s.Timeline().Runs() {
		look := s.readingLook(b.Theme, r)
		if at.head > 0 {
			for block := 0; block*at.down < at.tasks; block++ {
				top := at.answer(m, block*at.down)
				x, y := b.World(vg.Point{X: top.X, Y: at.top - 10})
				b.Marker(x, y, look.Shape, 4.5, look.Hue, true)
				if block > 0 {
					continue
				}
				if at.column < leastNumber && r != s.Timeline().Selected().Run {
					continue
				}
				number := percent(s.atMarker(r, measureMean))
				write(b, vg.Point{X: top.X, Y: at.top - 24}, number, b.Theme.Ink, brush.Centred)
				if m == at.methods-1 {
					from := top.X + max(vg.Length(at.column/2), vg.Length(b.Width(number)/2)+2)
					const away = 8
					words := brush.Shorten(headWords, font.From(brush.Sans, brush.SmallText), b.Canvas.Max.X-from-away)
					write(b, vg.Point{X: from, Y: at.top - 24}, words, b.Theme.Muted, brush.RightOf)
				}
			}
		}
		chances := s.answers(r)
		for task := range at.tasks {
			p := at.answer(m, task)
			is, share := s.right(chances, s.picture(), task)
			if b.Frame.Detail == brush.Thumbnail { // markers would be too large for a thumbnail
				shade := 0.15
				if is {
					shade = 1
				}
				half := vg.Point{X: 0.4 * at.column, Y: 0.4 * at.row}
				x0, y0 := b.World(p.Sub(half))
				x1, y1 := b.World(p.Add(half))
				b.Box(x0, y0, x1, y1, b.Theme.Tint(look.Hue, shade))
				continue
			}
			shape, hue := brush.RingSquare, color.Color(b.Theme.Rule)
			if is {
				const pale = 0.3
				shape, hue = brush.Square, b.Theme.Tint(look.Hue, pale+float64((1-pale)*max(0, share-s.guess())/(1-s.guess())))
			}
			x, y := b.World(p)
			b.Marker(x, y, shape, half, hue, false)
		}
	}
}

// leastNumber is the width of a column, in pixels, below which neighbouring numbers would touch. Narrower columns show
// only the selected run's number.
const leastNumber = 18

// percent formats a share as a short percentage, or as a dash if it is unknown.
func percent(share float64) string {
	if math.IsNaN(share) {
		return "–"
	}
	return fmt.Sprintf("%.0f", 100*share)
}

// answerText returns the text of an answer to a task.
func (s *Scene) answerText(task, class int) string {
	if s.net.Classes(task) > 2 {
		return fmt.Sprint(class)
	}
	return [...]string{"no", "yes"}[class]
}

func (s *Scene) findReading(b *brush.Brush, p vg.Point) (axes.Pick, bool) {
	if s.net == nil {
		return axes.Pick{}, false
	}
	at := s.places(b)
	for m, r := range s.Timeline().Runs() {
		for task := range at.tasks {
			middle := at.answer(m, task)
			if math.Abs(float64(p.Y-middle.Y)) > float64(at.row/2) {
				continue
			}
			_, share := s.right(s.answers(r), s.picture(), task)
			onChart := at.charted() && math.Abs(float64(p.X-at.sure(share, task).X)) < signSize
			if !onChart && math.Abs(float64(p.X-middle.X)) > float64(at.column/2) {
				continue
			}
			lines := []string{fmt.Sprintf("%s: %s", r.Title, s.net.Names()[task]),
				fmt.Sprintf("the right answer, %s, has the probability %s", s.answerText(task, s.net.Answer(model.Test, s.picture(), task)),
					timeline.Significant(share))}
			if row, ok := tested(r, s.Timeline().Marker()); ok {
				lines = append(lines, fmt.Sprintf("right on %s %% of %d test pictures", percent(row.List(accuracyName)[task]), tests))
			}
			return axes.Pick{Run: timeline.Track{Run: r}.Name(), K: -1, At: middle, Lines: lines}, true
		}
	}
	return axes.Pick{}, false
}

func (s *Scene) describeReading() string {
	if s.net == nil {
		return waiting
	}
	left, right := s.net.Labels(model.Test, s.picture())
	var parts []string
	for _, r := range s.Timeline().Runs() {
		n, chances := 0, s.answers(r)
		for task := range s.tasks() {
			if is, _ := s.right(chances, s.picture(), task); is {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %d", r.Title, n))
	}
	return fmt.Sprintf("A test picture of %d and %d. Each network’s right answers in %d tasks at step %d: %s.", left, right, s.tasks(),
		s.Timeline().Marker(), strings.Join(parts, ", "))
}
