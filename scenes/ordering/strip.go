package ordering

import (
	"fmt"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/timeline"
)

// stripPanel shows the orders of the selected run's epochs, and the next one as far as it
// is known.
func (s *Scene) stripPanel() *panel.Plane {
	m := &panel.Strips{Name: "strip", Heading: "Orders, epoch by epoch", Strips: s.strips, Key: s.read.StripsKey, Find: s.findPlace,
		Marks: s.placesOf, Text: s.describeOrders}
	m.Due = func(strip int) (panel.StripPlace, bool) {
		now := s.read.Step()
		if now == nil {
			return panel.StripPlace{}, false
		}
		first, last := s.read.Span(now.Run)
		at := panel.StripPlace{Strip: strip, Row: last - first, Column: now.Steps}
		if s.Partway() {
			at.Column--
			return at, true
		}
		if now.Steps == orders.Examples(now.Run) {
			at.Row, at.Column = at.Row+1, 0
			return at, now.Next != nil
		}
		return at, true
	}
	p := m.Panel()
	sheets := p.Sheets
	p.Sheets = func() []panel.Sheet {
		s.read.ReadRows()
		if s.problem == nil {
			return panel.WordSheets(s.waiting())
		}
		return sheets()
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		now := s.read.Step()
		if now == nil {
			return nil
		}
		out := []panel.Entry{{Label: "due now", Stroke: panel.Stroke{Color: t.Accent, Width: 2}}}
		if now.Next != nil {
			out = append(out, panel.Entry{Label: "not decided yet", Area: t.Paper})
		}
		return out
	}
	return p
}

// strips are the orders that are shown, of every objective or of all in one.
func (s *Scene) strips() []panel.Strip { return s.read.Strips(s.Hides(momentPlace)) }

// findPlace says what stands in a place.
func (s *Scene) findPlace(at panel.StripPlace) panel.Pick {
	r := s.Timeline().Selected()
	first, _ := s.read.Span(r.Run)
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
	r := s.read.Find(run)
	if r.Run == nil || r != s.Timeline().Selected() {
		return nil
	}
	if k < 0 {
		k = s.Timeline().Marker()
	}
	epoch, steps := orders.Place(r.Run, k)
	first, last := s.read.Span(r.Run)
	if steps == 0 || epoch < first || epoch > last {
		return nil
	}
	for i := range s.read.Step().Now {
		out = append(out, panel.StripPlace{Strip: i, Row: epoch - first, Column: steps - 1})
	}
	return out
}

func (s *Scene) describeOrders() string {
	now := s.read.Step()
	if now == nil {
		return s.waiting()
	}
	label, k := timeline.Track{Run: now.Run}.Label(), orders.Examples(now.Run)
	text := fmt.Sprintf("The orders in which %s visits the samples, a row an epoch up to epoch %d, of which %s are made. ",
		label, now.Epoch, ofSteps(now.Steps, k))
	if now.Own {
		text += "Every objective has an order of its own."
	} else {
		text += "All objectives share it."
	}
	if now.Next == nil {
		return text + " Signs decide nothing: the next order does not depend on gradients."
	}
	taken := now.Left[0] + now.Right[0]
	return text + fmt.Sprintf(" Of the next order %d of %d places are taken, %d from the front and %d from the back.", taken, k, now.Left[0],
		now.Right[0])
}
