package session

import (
	"encoding/json"
	"fmt"
	"math"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/comparison"
)

// Compare begins to compare methods over seeds, with the parameters of the scene as they are. Work goes on
// with it, and Take writes the result as the kind "compare".
func (s *Session) Compare(methods []string, seeds int) error {
	plan := comparison.Plan{Scene: s.about, Values: map[string]string{}, Methods: methods, Seeds: seeds, Target: math.NaN()}
	params := s.scene.Params()
	for _, d := range params.Descriptors() {
		by := s.about.Comparison
		switch {
		case by == nil, d.Name == "method", d.Name == "seed", d.Name == by.Step:
		case d.Effect == param.Display, params.IsDefault(d.Name):
		default:
			plan.Values[d.Name] = params.Text(d.Name)
		}
	}
	made, err := comparison.New(plan)
	if err != nil {
		return err
	}
	s.compare = made
	return nil
}

// comparisonFile is the result for the page: a table, notes and verdicts in words, and the numbers.
func (s *Session) comparisonFile() (File, error) {
	if s.compare == nil {
		return File{}, fmt.Errorf("no methods are compared")
	}
	data, err := json.Marshal(map[string]any{
		"columns": s.compare.Columns(), "rows": s.compare.Table(), "notes": s.compare.Notes(), "verdicts": s.compare.Verdicts(),
		"numbers": s.compare,
	})
	return File{s.about.ID + "-comparison.json", "application/json", data}, err
}
