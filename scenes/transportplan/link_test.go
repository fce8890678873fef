package transportplan

import (
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestCellsAreLinked checks that a cell under the pointer is marked in every plan, in the costs, at both bars of masses
// and at its potentials. A row or a column must be marked in the same way. The curves over time must mark nothing.
func TestCellsAreLinked(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 5)
	n, m, plans := s.values.N, s.values.M, len(s.Timeline().Tracks())
	whole := kinds.Cell{Row: 2, Column: 1}
	// A frame takes two strokes, and a line takes one.
	for id, want := range map[string]map[kinds.Cell]int{
		"plans":   {whole: 2 * plans, {Row: 2}: 2 * plans, {Column: 1}: 2 * plans, {Row: n + 1, Column: 1}: 0},
		"cost":    {whole: 2, {Row: 2}: 2, {Column: 1}: 2, {Row: 1, Column: m + 1}: 0},
		"rows":    {whole: 2, {Row: 2}: 2, {Column: 1}: 0, {Row: n + 1}: 0},
		"columns": {whole: 2, {Row: 2}: 0, {Column: 1}: 2, {Column: m + 1}: 0},
		"duals":   {whole: 2, {Row: 2}: 1, {Column: 1}: 1, {Row: n + 1}: 0},
		"error":   {whole: 0},
		"gap":     {whole: 0},
	} {
		for cell, strokes := range want {
			if got := scenetest.Marks(panelOf(t, s, id), cell); got != strokes {
				t.Errorf("%s marks %+v in %d strokes, not %d", id, cell, got, strokes)
			}
		}
	}
	for id, least := range map[string]int{"plans": n * m, "cost": n * m, "rows": n, "columns": m, "duals": n + m, "error": 0} {
		things := scenetest.Things(panelOf(t, s, id))
		if len(things) < least || least == 0 && len(things) > 0 {
			t.Errorf("%s has %d things under the pointer, not %d", id, len(things), least)
		}
		for _, thing := range things {
			cell, is := thing.(kinds.Cell)
			if !is || cell == (kinds.Cell{}) || id == "rows" && cell.Column != 0 || id == "columns" && cell.Row != 0 {
				t.Errorf("%s has %+v under the pointer", id, thing)
			}
		}
	}
}

func panelOf(t *testing.T, s *Scene, id string) axes.Panel {
	t.Helper()
	for _, p := range s.Panels() {
		if p.ID() == id {
			return p
		}
	}
	t.Fatalf("there is no panel %s", id)
	return nil
}
