package ordering

import (
	"fmt"
	"strconv"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/timeline"
)

// stripPanel shows the orders of the selected run's epochs, and the next one as far as it
// is known.
func (s *Scene) stripPanel() *panel.Plane {
	m := &panel.Strips{Name: "strip", Heading: "Orders, epoch by epoch", Strips: s.strips, Find: s.findPlace,
		Marks: s.placesOf, Text: s.describeOrders}
	m.Key = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "none"
		}
		rows, known := s.rowsNow(), 0
		first, last := s.span(r.Run)
		for epoch := first; epoch <= last; epoch++ {
			if rows.of[epoch] != nil {
				known++
			}
		}
		return fmt.Sprint(s.Timeline().Version(), " ", r.Name(), first, last, known)
	}
	m.Due = func(strip int) (panel.StripPlace, bool) {
		now := s.stepNow()
		if now == nil {
			return panel.StripPlace{}, false
		}
		first, last := s.span(now.run)
		at := panel.StripPlace{Strip: strip, Row: last - first, Column: now.steps}
		if s.Partway() {
			at.Column--
			return at, true
		}
		if now.steps == orders.Examples(now.run) {
			at.Row, at.Column = at.Row+1, 0
			return at, now.next != nil
		}
		return at, true
	}
	p := m.Panel()
	sheets := p.Sheets
	p.Sheets = func() []panel.Sheet {
		s.readRows(frameful(s.rowCost()))
		if s.problem == nil {
			return panel.WordSheets(s.waiting())
		}
		return sheets()
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		now := s.stepNow()
		if now == nil {
			return nil
		}
		out := []panel.Entry{{Label: "due now", Stroke: panel.Stroke{Color: t.Accent, Width: 2}}}
		if now.next != nil {
			out = append(out, panel.Entry{Label: "not decided yet", Area: t.Paper})
		}
		return out
	}
	return p
}

// rowCost is about how many multiplications it takes to read the order of an epoch: on the
// way there from a snapshot are some steps.
func (s *Scene) rowCost() int {
	const way = 40
	return way * s.stepCost()
}

// strips are the orders that are shown, of every objective or of all in one.
func (s *Scene) strips() []panel.Strip {
	now := s.stepNow()
	if now == nil {
		return nil
	}
	rows := s.rowsNow()
	first, last := s.span(now.run)
	out := make([]panel.Strip, len(now.now))
	for i := range out {
		strip := &out[i]
		if strip.Title = "all objectives"; now.own {
			strip.Title = fmt.Sprintf("objective %d", i+1)
		}
		for epoch := first; epoch <= last; epoch++ {
			var order []int
			switch known := rows.of[epoch]; {
			case epoch == now.epoch:
				order = now.now[i]
			case known != nil:
				order = known[i]
			}
			strip.Rows, strip.Names = append(strip.Rows, order), append(strip.Names, strconv.Itoa(epoch))
		}
		if now.next != nil {
			strip.Next, strip.Left, strip.Right = now.next[i], now.left[i], now.right[i]
			if s.Hides(momentPlace) && i < len(now.offers) {
				if now.offers[i].sign > 0 {
					strip.Left--
				} else {
					strip.Right--
				}
			}
			strip.NextName = strconv.Itoa(last + 1)
		}
	}
	return out
}

// findPlace says what stands in a place.
func (s *Scene) findPlace(at panel.StripPlace) panel.Pick {
	r := s.Timeline().Selected()
	first, _ := s.span(r.Run)
	epoch, k := first+at.Row, orders.Examples(r.Run)
	strip := s.strips()[at.Strip]
	pick := panel.Pick{Run: r.Name(), K: epoch*k + at.Column + 1}
	if pick.K > r.Last() { // no step has come there yet
		pick.K = -1
	}
	text := "no sample yet"
	if sample, ok := strip.Thing(at.Row, at.Column); ok {
		text = fmt.Sprintf("sample %d of %d", sample+1, k)
	}
	pick.Lines = []string{text, fmt.Sprintf("%s, epoch %d, place %d of %d", strip.Title, epoch, at.Column+1, k), r.Label()}
	return pick
}

// placesOf are the places of the samples that a run was at when it came to an iteration.
func (s *Scene) placesOf(run string, k int) (out []panel.StripPlace) {
	r := s.shows(run)
	if r.Run == nil || r != s.Timeline().Selected() {
		return nil
	}
	if k < 0 {
		k = s.Timeline().Marker()
	}
	epoch, steps := place(r.Run, k)
	first, last := s.span(r.Run)
	if steps == 0 || epoch < first || epoch > last {
		return nil
	}
	for i := range s.stepNow().now {
		out = append(out, panel.StripPlace{Strip: i, Row: epoch - first, Column: steps - 1})
	}
	return out
}

func (s *Scene) describeOrders() string {
	now := s.stepNow()
	if now == nil {
		return s.waiting()
	}
	label, k := timeline.Track{Run: now.run}.Label(), orders.Examples(now.run)
	text := fmt.Sprintf("The orders in which %s visits the samples, a row an epoch up to epoch %d, of which %s are made. ",
		label, now.epoch, ofSteps(now.steps, k))
	if now.own {
		text += "Every objective has an order of its own."
	} else {
		text += "All objectives share it."
	}
	if now.next == nil {
		return text + " Signs decide nothing: the next order does not depend on gradients."
	}
	taken := now.left[0] + now.right[0]
	return text + fmt.Sprintf(" Of the next order %d of %d places are taken, %d from the front and %d from the back.", taken, k, now.left[0],
		now.right[0])
}
