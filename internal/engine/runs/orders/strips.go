package orders

import (
	"fmt"
	"strconv"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// mostRows is the maximum number of epochs whose orders are shown.
const mostRows = 20

// rows returns the selected run's orders that have been read, by epoch. It returns nil without a run.
func (rd *EpochReader) rows() map[int][][]int {
	r := rd.line.Selected().Run
	if r == nil {
		return nil
	}
	return rd.read().rows.Of(r, func() map[int][][]int { return map[int][][]int{} })
}

// Strips returns the selected run's orders in the epochs of span: one strip for each objective, or one for all
// objectives. It also returns the known part of the next order. If unplaced is true, this part lacks the places that
// the last step assigned.
func (rd *EpochReader) Strips(unplaced bool) []kinds.Strip {
	now := rd.Step()
	if now == nil {
		return nil
	}
	rows := rd.rows()
	first, last := rd.span(now.Run)
	out := make([]kinds.Strip, len(now.Now))
	for i := range out {
		strip := &out[i]
		if strip.Title = "all objectives"; now.Own {
			strip.Title = fmt.Sprintf("objective %d", i+1)
		}
		for epoch := first; epoch <= last; epoch++ {
			var order []int
			switch known := rows[epoch]; {
			case epoch == now.Epoch:
				order = now.Now[i]
			case known != nil:
				order = known[i]
			}
			strip.Rows, strip.Names = append(strip.Rows, order), append(strip.Names, strconv.Itoa(epoch))
		}
		if now.Next == nil {
			continue
		}
		strip.Next, strip.Left, strip.Right, strip.NextName = now.Next[i], now.Left[i], now.Right[i], strconv.Itoa(last+1)
		if unplaced && i < len(now.Offers) {
			if now.Offers[i].Sign > 0 {
				strip.Left--
			} else {
				strip.Right--
			}
		}
	}
	return out
}

// stripsKey identifies everything on which the finished rows of Strips depend.
func (rd *EpochReader) stripsKey() string {
	r := rd.line.Selected()
	if r.Run == nil {
		return "none"
	}
	rows, known := rd.rows(), 0
	first, last := rd.span(r.Run)
	for epoch := first; epoch <= last; epoch++ {
		if rows[epoch] != nil {
			known++
		}
	}
	return fmt.Sprint(rd.line.Version(), " ", r.Name(), first, last, known)
}

// span returns the first and last epoch of a run in the picture of its orders.
func (rd *EpochReader) span(r *timeline.Run) (first, last int) {
	last, _ = rd.Now(r)
	return max(0, last+1-mostRows), last
}

// readRows reads the orders of the shown epochs while more() is true, starting with the latest. It reports whether work
// remains.
func (rd *EpochReader) readRows(more func() bool) (pending bool) {
	rows := rd.rows()
	if rows == nil || rd.line.UnderWay() {
		return false
	}
	r := rd.line.Selected().Run
	first, last := rd.span(r)
	for epoch := last; epoch >= first; epoch-- {
		if rows[epoch] != nil {
			continue
		}
		if !more() {
			return true
		}
		rd.WithOrders(r, epoch, func(list [][]int) { rows[epoch] = copied(nil, list) })
	}
	const kept = 4 * mostRows
	if len(rows) > kept {
		for epoch := range rows {
			if epoch < first-mostRows || epoch > last+mostRows {
				delete(rows, epoch)
			}
		}
	}
	return false
}

// StripPanel shows the orders of the selected run's epochs, and the known part of the next order. The argument place is
// the number of the moment of slow motion at which a sample gets its place in the next order. lacks returns why there
// are no runs.
func (rd *EpochReader) StripPanel(slow *runs.SlowMotion, place int, lacks func() string) *axes.Plane {
	m := &kinds.Strips{Name: "strip", Heading: "Orders, epoch by epoch", Key: rd.stripsKey, Marks: rd.placesOf}
	m.Strips = func() []kinds.Strip { return rd.Strips(slow.Hides(place)) }
	m.Find = func(at kinds.StripPlace) axes.Pick { return rd.findPlace(&m.Strips()[at.Strip], at) }
	m.Text = func() string {
		if now := rd.Step(); now != nil {
			return now.describe()
		}
		return lacks()
	}
	m.Due = func(strip int) (kinds.StripPlace, bool) {
		now := rd.Step()
		if now == nil {
			return kinds.StripPlace{}, false
		}
		first, last := rd.span(now.Run)
		at := kinds.StripPlace{Strip: strip, Row: last - first, Column: now.Steps}
		if slow.Partway() {
			at.Column--
			return at, true
		}
		if now.Steps == Examples(now.Run) {
			at.Row, at.Column = at.Row+1, 0
			return at, now.Next != nil
		}
		return at, true
	}
	p := m.Panel()
	p.Key = func(*brush.Theme) []axes.Entry { return []axes.Entry{{Label: "a colour a sample", Spectrum: true}} }
	sheets := p.Sheets
	p.Sheets = func() []axes.Sheet {
		const way = 40 // maximum number of steps from a snapshot to an epoch
		rd.readRows(rd.frameful(func(d, m, n int) int { return way * stepCost(d, m, n) }))
		if rd.problem == nil {
			return axes.WordSheets(lacks())
		}
		return sheets()
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		now := rd.Step()
		if now == nil {
			return nil
		}
		out := []axes.Entry{{Label: fmt.Sprintf("sample %d to 1", Examples(now.Run)), Spectrum: true},
			{Label: "due now", Stroke: brush.Stroke{Color: t.Accent, Width: 2}}}
		if now.Next != nil {
			out = append(out, axes.Entry{Label: "not decided yet", Area: t.Paper})
		}
		return out
	}
	return p
}

// findPlace describes the sample at a place in a strip.
func (rd *EpochReader) findPlace(strip *kinds.Strip, at kinds.StripPlace) axes.Pick {
	r := rd.line.Selected()
	first, _ := rd.span(r.Run)
	epoch, k := first+at.Row, Examples(r.Run)
	pick := axes.Pick{Run: r.Name(), K: epoch*k + at.Column + 1}
	if pick.K > r.Last() { // no step has reached that place yet
		pick.K = -1
	}
	text := "no sample yet"
	if sample, ok := strip.Thing(at.Row, at.Column); ok {
		text = fmt.Sprintf("sample %d of %d", sample+1, k)
	}
	pick.Lines = []string{text, fmt.Sprintf("%s, epoch %d, place %d of %d", strip.Title, epoch, at.Column+1, k), r.Label()}
	return pick
}

// placesOf returns the places of the samples that a run visited in the step that led to iteration k.
func (rd *EpochReader) placesOf(run string, k int) (out []kinds.StripPlace) {
	r := rd.Find(run)
	if r.Run == nil || r != rd.line.Selected() {
		return nil
	}
	if k < 0 {
		k = rd.line.Marker()
	}
	epoch, steps := Place(r.Run, k)
	first, last := rd.span(r.Run)
	if steps == 0 || epoch < first || epoch > last {
		return nil
	}
	for i := range rd.Step().Now {
		out = append(out, kinds.StripPlace{Strip: i, Row: epoch - first, Column: steps - 1})
	}
	return out
}

// describe describes the picture of the orders at a step, in a few sentences.
func (now *Step) describe() string {
	label, k := timeline.Track{Run: now.Run}.Label(), Examples(now.Run)
	text := fmt.Sprintf("The orders in which %s visits the samples, with one row per epoch. Epoch %d is the latest, with %s done. ",
		label, now.Epoch, OfSteps(now.Steps, k))
	if now.Own {
		text += "Every objective has its own order."
	} else {
		text += "All objectives share one order."
	}
	if now.Next == nil {
		return text + " The next order does not depend on gradients."
	}
	taken := now.Left[0] + now.Right[0]
	return text + fmt.Sprintf(" In the next order, %d of %d places are taken, %d from the front and %d from the back.", taken, k, now.Left[0],
		now.Right[0])
}

// OfSteps returns in words how many of k steps have been taken.
func OfSteps(n, k int) string {
	if k == 1 {
		return fmt.Sprintf("%d of 1 step", n)
	}
	return fmt.Sprintf("%d of %d steps", n, k)
}
