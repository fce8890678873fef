package files

import (
	"encoding/json"
	"fmt"
	"math"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/comparison"
)

// Compare prepares a comparison of methods over the given number of seeds, with the scene's current parameters.
func (s Source) Compare(methods []string, seeds int) (*comparison.Comparison, error) {
	plan := comparison.Plan{Scene: s.About, Values: map[string]string{}, Methods: methods, Seeds: seeds, Target: math.NaN()}
	params := s.Scene.Params()
	for _, d := range params.Descriptors() {
		by := s.About.Comparison
		switch {
		case by == nil, d.Name == "method", d.Name == "seed", d.Name == by.Step:
		case d.Effect == param.Display, params.IsDefault(d.Name):
		default:
			plan.Values[d.Name] = params.Text(d.Name)
		}
	}
	return comparison.New(plan)
}

// Comparison returns a file with a comparison's result for the page: a table, notes, verdicts in words, and the numbers.
func (s Source) Comparison(c *comparison.Comparison) (File, error) {
	if c == nil {
		return File{}, fmt.Errorf("there is no comparison yet")
	}
	data, err := json.Marshal(map[string]any{
		"columns": c.Columns(), "rows": c.Table(), "notes": c.Notes(), "verdicts": c.Verdicts(),
		"numbers": c,
	})
	return File{s.About.ID + "-comparison.json", "application/json", data}, err
}
