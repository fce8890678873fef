package twolevel

import (
	"testing"

	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/timeline"
)

// TestForeseen checks for every method that, already at the start, an axis of evaluations ends where the most expensive
// run will end.
func TestForeseen(t *testing.T) {
	for method, values := range map[string]map[string]string{
		FORUM: {"warm": "false"}, MOML: {}, MoCo: {"mode": "forward"}, BOME: {}, BVFIM: {}, FORUM + "," + MOML: {"T": "3"},
	} {
		t.Run(method, func(t *testing.T) {
			values["method"] = method
			r := bound(t, values)
			r.Budget, r.Axis = 5, Evaluations
			list, err := r.Runs(problem.NewQuadraticBilevel(), [][]float64{{0, 0, 3}}, Beside{})
			if err != nil {
				t.Fatal(err)
			}
			line := timeline.New(timeline.DefaultLimit)
			line.SetEnd(r.Budget, 0)
			line.Reset(list, nil)
			foreseen := r.History(line, new(param.List), "curve", "Curve").Clock().End()
			for line.Running() {
				if _, err := line.Step(); err != nil {
					t.Fatal(err)
				}
			}
			most := 0.0
			for _, run := range line.Tracks() {
				most = max(most, Spent(run.Kept(run.Len()-1)))
			}
			if most != foreseen {
				t.Errorf("the axis ends at %g, want at least %g, which is spent", foreseen, most)
			}
		})
	}
}
