package kinds

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// These limits apply to all tracks of a picture together, regardless of the number of rows. If there are many tracks,
// the total may exceed a limit, because each track may always use leastKnots.
const (
	maxKnots      = 12_000 // maximum number of knots, which doubles if lines are reduced
	leastKnots    = 96     // part of a limit that each track may always use
	maxKnotsOfOne = 4096   // maximum number of knots of one track, which also doubles
	maxBars       = 24_000 // maximum number of pixel columns of tracks over time
	maxDashes     = 24_000 // maximum number of dashes
)

// share returns a track's part of a limit for all tracks.
func share(total, tracks int) int { return max(total/max(tracks, 1), leastKnots) }

// knot is a row where a line bends, starts or ends.
type knot struct {
	row int // index of the row among the kept rows
	at  vg.Point
	// lifted is true if the knot starts a stretch, so that no line leads to it.
	lifted bool
}

// outline holds, in order, the rows of a run that are distinguishable on the screen. It grows with the run, so that
// each row is examined once and not in every frame. Short runs keep every row that is distinct from the previous one.
// Longer runs, such as runs that oscillate forever, keep only rows that cover new pixels. In the plane, these are the
// rows whose steps enter a new cell of the screen. Over time, they are the rows that span a column of pixels. Cells and
// columns are at least a pixel wide, and so wide that an outline never exceeds its share of knots. The line up to a row
// is the outline up to that row.
type outline struct {
	x, y  brush.Scale
	key   string
	limit int // maximum number of knots

	knots []knot
	seen  int // number of examined rows

	overTime bool
	columns  columns
	widest   float64 // width of a column for a long run

	// These fields are for the plane. last is the row from which the next step starts, with the row's place.
	last  knot
	gap   bool  // the last row has no place
	cells cells // visited cells; width 0 while the run is short
	fine  cells // visited cells of one pixel each
}

// outline returns the updated outline of a run, for the scales of b.
func (t *Tracks) outline(b *brush.Brush, r timeline.Track) *outline {
	if t.outlines == nil || t.version != t.Timeline.Version() {
		t.outlines, t.version = map[timeline.Track]*outline{}, t.Timeline.Version()
	}
	key := ""
	if t.Key != nil {
		key = t.Key()
	}
	o := t.outlines[r]
	if o == nil || o.x != b.X || o.y != b.Y || o.key != key {
		tracks := len(t.Timeline.Tracks())
		o = &outline{x: b.X, y: b.Y, key: key, overTime: t.OverTime, limit: min(share(maxKnots, tracks), maxKnotsOfOne), gap: true}
		o.cells.area, o.columns.width = b.Canvas.Rectangle, 1
		o.widest = max(1, float64(b.Canvas.Size().X)/float64(share(maxBars, tracks)))
		t.outlines[r] = o
	}
	// Omit the last row, which may still change or be replaced by the next row.
	for ; o.seen < r.Len()-1; o.seen++ {
		p := b.At(t.Point(r.Kept(o.seen)))
		if t.OverTime {
			o.addOverTime(o.seen, p)
		} else {
			o.add(o.seen, p)
		}
	}
	return o
}

// reduced reports whether the run has more distinct rows than drawn ones.
func (o *outline) reduced() bool { return o.cells.width > 0 || o.columns.bars }

// The following functions are for the plane.

// apart is the distance between knots of a reduced line, in cell widths. It exceeds a cell's diagonal, so that every step
// of a straight line enters another cell.
const apart = 1.5

// add adds a row to the outline, unless it is too close to the previous row or covers no new cell.
func (o *outline) add(i int, p vg.Point) {
	if o.cells.width > 0 {
		o.cover(knot{row: i, at: p})
	} else {
		gap := !brush.Finite(p)
		if len(o.knots) > 0 && gap == o.gap && (gap || brush.Distance(p, o.last.at) < brush.Resolution) {
			return
		}
		o.last, o.gap = knot{row: i, at: p}, gap
		o.knots = append(o.knots, o.last)
	}
	for len(o.knots) > o.limit {
		o.coarsen()
	}
}

// cover adds a row to the outline if the step to that row enters a cell that the run has not visited.
func (o *outline) cover(to knot) {
	from := o.last
	switch {
	case !brush.Finite(to.at):
		o.gap = true
		return
	case o.gap || to.lifted:
		o.last, o.gap = to, false
		return
	case brush.Distance(to.at, from.at) < apart*o.cells.width:
		return
	}
	to.lifted = false
	o.last = to
	if o.cells.width > 1 {
		o.fine.enter(from.at, to.at)
	}
	if !o.cells.enter(from.at, to.at) {
		return
	}
	if n := len(o.knots); n == 0 || o.knots[n-1].row != from.row || o.turns(to.at) {
		from.lifted = true
		o.knots = append(o.knots, from)
	}
	o.knots = append(o.knots, to)
}

// turns reports whether a step from the last knot turns sharply. If so, a new stretch starts, because the join of a
// sharp turn would dominate the picture.
func (o *outline) turns(to vg.Point) bool {
	n := len(o.knots)
	if o.knots[n-1].lifted || n < 2 {
		return false
	}
	d, e := o.knots[n-1].at.Sub(o.knots[n-2].at), to.Sub(o.knots[n-1].at)
	const sharp = 0.5 // cos 60°
	along := float64(vg.Length(d.X*e.X) + vg.Length(d.Y*e.Y))
	return along < sharp*portable.Hypot(float64(d.X), float64(d.Y))*portable.Hypot(float64(e.X), float64(e.Y))
}

// coarsen doubles the width of the cells, and keeps the knots of steps that still enter a new cell.
func (o *outline) coarsen() {
	former, last, gap := o.knots, o.last, o.gap
	switch o.cells.width {
	case 0:
		o.limit *= 2 // a reduced line's knots cost less, because corners are not rounded
		o.cells.reset(1)
	case 1:
		o.fine, o.cells.been = o.cells, nil
		o.cells.reset(2)
	default:
		o.cells.reset(2 * o.cells.width)
	}
	o.knots, o.gap = make([]knot, 0, o.limit+2), true
	for _, k := range former {
		o.cover(k)
	}
	o.last, o.gap = last, gap
}

// width returns the line's width. It exceeds the usual width if the cells are large and the run fills them.
func (o *outline) width(stroke vg.Length) vg.Length {
	if o.cells.width <= 1 {
		return stroke
	}
	filled := float64(o.fine.count) / float64(o.cells.count) / o.cells.width
	return max(stroke, vg.Length(min(filled, o.cells.width)))
}

// cells divides the screen into squares and records the squares that a run has visited.
type cells struct {
	area    vg.Rectangle
	width   float64 // width of a cell in pixels; 0 means no cells
	columns int
	been    []uint64 // one bit per cell, set if visited
	count   int      // number of bits set
}

func (c *cells) reset(width float64) {
	c.width, c.count = width, 0
	size := c.area.Size()
	c.columns = int(float64(size.X)/width) + 1
	rows := int(float64(size.Y)/width) + 1
	n := (c.columns*rows + 63) / 64
	c.been = slices.Grow(c.been[:0], n)[:n]
	clear(c.been)
}

// enter marks the cells along a step, and reports whether any of them is new. It uses the algorithm of Amanatides & Woo
// (1987, A fast voxel traversal algorithm for ray tracing).
func (c *cells) enter(a, b vg.Point) (fresh bool) {
	a, b, ok := brush.Clip(c.area, a, b)
	if !ok {
		return false
	}
	place := func(p vg.Point) (x, y float64) {
		return float64(p.X-c.area.Min.X) / c.width, float64(p.Y-c.area.Min.Y) / c.width
	}
	x0, y0 := place(a)
	x1, y1 := place(b)
	i, j := int(x0), int(y0)
	stepX, nextX, everyX := borders(x0, x1)
	stepY, nextY, everyY := borders(y0, y1)
	for across, up := abs(int(x1)-i), abs(int(y1)-j); ; {
		at := j*c.columns + i
		if bit := uint64(1) << (at & 63); c.been[at>>6]&bit == 0 {
			c.been[at>>6] |= bit
			c.count++
			fresh = true
		}
		switch {
		case across > 0 && (up == 0 || nextX < nextY):
			i, nextX, across = i+stepX, nextX+everyX, across-1
		case up > 0:
			j, nextY, up = j+stepY, nextY+everyY, up-1
		default:
			return fresh
		}
	}
}

// borders returns the direction in which a coordinate crosses cells. It also returns the fractions of the way to the
// first border and from one border to the next.
func borders(from, to float64) (step int, next, every float64) {
	d := to - from
	if int(from) == int(to) {
		return 0, math.Inf(1), 0
	}
	border, step := math.Floor(from)+1, 1
	if d < 0 {
		border, step = math.Floor(from), -1
	}
	return step, (border - from) / d, 1 / math.Abs(d)
}

func abs(i int) int { return max(i, -i) }

// The following functions are for panels over time.

// columns holds a run's rows in the current column of pixels.
type columns struct {
	width float64
	bars  bool // draw each column as its span, not row by row

	begun                      bool
	number                     int  // number of the column; −1 for rows without a place
	gap                        bool // with bars: rows without a place have followed the last row with a place
	first, lowest, topmost, to knot
}

// addOverTime keeps the first and the last row of each column of pixels, and the lowest and the highest row between
// them. It does not mix rows without a place with other rows.
func (o *outline) addOverTime(i int, p vg.Point) {
	o.span(knot{row: i, at: p})
	if c := &o.columns; len(o.knots) > o.limit && !c.bars {
		former := o.underWay(slices.Clone(o.knots))
		*c = columns{width: o.widest, bars: true}
		o.knots = o.knots[:0]
		for _, k := range former {
			o.span(k)
		}
	}
}

// span adds a row to the current column, or closes that column and starts another.
func (o *outline) span(k knot) {
	c := &o.columns
	number := -1
	if brush.Finite(k.at) {
		number = int(math.Floor(float64(k.at.X) / c.width))
	}
	if c.bars {
		if number < 0 {
			c.gap = true
			return
		}
		k.lifted, c.gap = c.gap, false
	}
	if !c.begun || number != c.number {
		o.knots = o.underWay(o.knots)
		c.begun, c.number, c.first, c.lowest, c.topmost = true, number, k, k, k
	}
	if k.at.Y < c.lowest.at.Y {
		c.lowest = k
	}
	if k.at.Y > c.topmost.at.Y {
		c.topmost = k
	}
	c.to = k
}

// underWay appends the knots of the current column, which is still open, to knots.
func (o *outline) underWay(knots []knot) []knot {
	c := &o.columns
	if !c.begun {
		return knots
	}
	four := [4]knot{c.first, c.lowest, c.topmost, c.to}
	slices.SortFunc(four[:], func(a, b knot) int { return a.row - b.row })
	return append(knots, slices.CompactFunc(four[:], func(a, b knot) bool { return a.row == b.row })...)
}

// The following functions are for both kinds of panels.

// between appends to dst a run's line from row i to row j. The line consists of both rows and the knots between them.
func (t *Tracks) between(dst []knot, b *brush.Brush, r timeline.Track, i, j int) []knot {
	o := t.outline(b, r)
	place := func(n int) knot { return knot{row: n, at: b.At(t.Point(r.Kept(n)))} }
	search := func(row int) int {
		at, _ := slices.BinarySearchFunc(o.knots, row, func(k knot, row int) int { return k.row - row })
		return at
	}
	from, to := search(i+1), search(j)
	dst = append(dst, place(i))
	if from < to {
		dst = append(dst, o.knots[from:to]...)
	}
	switch {
	case !o.reduced():
		// Append the rows that are not in the outline yet.
		next := o.seen
		if o.overTime && o.columns.begun {
			next = o.columns.first.row
		}
		for n := max(next, i+1); n < j; n++ {
			dst = append(dst, place(n))
		}
	case o.overTime:
		dst = t.rest(dst, o, i, j, to, place)
	case j > i:
		// If the line has moved elsewhere since its last knot, draw only the last step.
		end := place(j)
		if last := dst[len(dst)-1]; brush.Distance(last.at, end.at) > 2*apart*o.cells.width && last.row < j-1 {
			before := place(j - 1)
			before.lifted = true
			dst = append(dst, before)
		}
		return append(dst, end)
	}
	if j > i {
		dst = append(dst, place(j))
	}
	return dst
}

// rest appends to dst the part of the line in row j's column of pixels, except row j. The column may extend beyond j, or
// may still be open.
func (t *Tracks) rest(dst []knot, o *outline, i, j, to int, place func(int) knot) []knot {
	next := i + 1
	if to > 0 {
		next = max(next, o.knots[to-1].row+1)
	}
	if next >= j {
		return dst
	}
	span := outline{columns: columns{width: o.columns.width, bars: true}}
	for n := next; n < j; n++ {
		span.span(place(n))
	}
	return append(dst, span.underWay(span.knots)...)
}
