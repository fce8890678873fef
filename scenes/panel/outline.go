package panel

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/timeline"
)

// outline is the kept rows of a run that can be told apart on the screen, in
// order. It grows with the run, so that a row is looked at once and not in every
// frame.
type outline struct {
	x, y scale
	key  string

	rows []int // indices of kept rows
	seen int   // rows before this index have been looked at

	// In the plane: where the last row of the outline stands.
	last vg.Point
	gap  bool // it stands nowhere

	// Over time: the column of pixels under way, −1 for rows without a place; where
	// it begins, and its lowest and highest row and their places.
	overTime               bool
	column                 int
	first, lowest, topmost int
	low, high              vg.Length
}

// outline returns the outline of a run for the scales of b, brought up to date.
func (t *Tracks) outline(b *Brush, r timeline.Track) *outline {
	if t.outlines == nil || t.version != t.Timeline.Version() {
		t.outlines, t.version = map[timeline.Track]*outline{}, t.Timeline.Version()
	}
	key := ""
	if t.Key != nil {
		key = t.Key()
	}
	o := t.outlines[r]
	if o == nil || o.x != b.x || o.y != b.y || o.key != key {
		o = &outline{x: b.x, y: b.y, key: key, overTime: t.OverTime}
		t.outlines[r] = o
	}
	// The last row may still be completed, or give way to the next.
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

// add takes a row that stands apart from the one before it.
func (o *outline) add(i int, p vg.Point) {
	gap := !finite(p)
	if len(o.rows) > 0 && gap == o.gap {
		if gap || math.Hypot(float64(p.X-o.last.X), float64(p.Y-o.last.Y)) < resolution {
			return
		}
	}
	o.rows = append(o.rows, i)
	o.last, o.gap = p, gap
}

// addOverTime takes the first and the last row of each column of pixels, and the
// lowest and the highest between them. Rows without a place stand apart.
func (o *outline) addOverTime(i int, p vg.Point) {
	column := -1
	if finite(p) {
		column = int(math.Floor(float64(p.X)))
	}
	if i == 0 || column < 0 || column != o.column {
		if i > 0 {
			o.close(i - 1)
		}
		o.column, o.first, o.lowest, o.topmost = column, i, i, i
		o.low, o.high = p.Y, p.Y
		return
	}
	if p.Y < o.low {
		o.low, o.lowest = p.Y, i
	}
	if p.Y > o.high {
		o.high, o.topmost = p.Y, i
	}
}

// close ends the column of pixels whose last row is given.
func (o *outline) close(last int) {
	four := [4]int{o.first, o.lowest, o.topmost, last}
	slices.Sort(four[:])
	o.rows = append(o.rows, slices.Compact(four[:])...)
}

// between returns the rows to draw from row i to row j, both among them.
func (o *outline) between(i, j int) []int {
	from, _ := slices.BinarySearch(o.rows, i+1)
	to, _ := slices.BinarySearch(o.rows, j)
	rows := append(make([]int, 0, max(to-from, 0)+2), i)
	if from < to {
		rows = append(rows, o.rows[from:to]...)
	}
	// Rows that no outline has yet.
	next := o.seen
	if o.overTime && o.seen > 0 {
		next = o.first
	}
	for n := max(next, i+1); n < j; n++ {
		rows = append(rows, n)
	}
	if j > i {
		rows = append(rows, j)
	}
	return rows
}
