package toymap

import (
	"math"
	"slices"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/engine/timeline"
)

// arrived returns how many of a method's runs came within the chosen tolerance of the front by iteration k. It returns NaN if the
// method does not run.
func (s *Scene) arrived(method string, k int) float64 {
	n, runs := 0.0, 0
	for _, r := range s.Timeline().Tracks() {
		if r.Method != method {
			continue
		}
		runs++
		if _, there := s.arrivalOf(r, k); there {
			n++
		}
	}
	if runs == 0 {
		return math.NaN()
	}
	return n
}

// factKinds are the facts of every method at the marker. They are NaN if the method does not run.
var factKinds = append(scene.FactKinds[*Scene]{
	{Name: "runs", Of: []string{"method"}, Text: "The number of the method’s runs, one from each start.",
		Label:    "runs",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Runs(s.Timeline(), method) }},
	{Name: "arrived", Of: []string{"method"}, Text: "The number of the method’s runs that have reached the front, within the chosen " +
		"tolerance.",
		Label:    "runs that have reached the front",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.arrived(method, s.Timeline().Marker()) }},
	runs.ValueFact[*Scene](2),
	{Name: "bp", Of: []string{"method"}, Text: "The total cost of the runs, in single-function gradients.",
		Label: "backpropagations of all runs", Unit: "backpropagations",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Sum(s.Timeline(), method, (*timeline.Timeline).AtMarker, runs.Spent)
		}},
	{Name: "gap", Of: []string{"method"}, Text: "How much both objectives, the first divided by its scale, " +
		"can still fall at once; maximum over the runs. It is 0 on the front.",
		Label: "largest distance of a run from the front",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Most(s.Timeline(), method, (*timeline.Timeline).AtMarker, s.gapOf)
		}},
}, append(runs.WalkFacts(2, func(s *Scene) *runs.Walk { return &s.values.Walk }),
	swarm.Facts(func(s *Scene) *swarm.Swarm { return &s.values.Swarm })...)...)

// Ending is a run's state at its latest iteration.
type Ending struct {
	Run     string    `json:"run"`
	Method  string    `json:"method"`
	Start   []float64 `json:"start"`
	K       int       `json:"k"`
	X       []float64 `json:"x"`
	F       []float64 `json:"f"`
	BP      int       `json:"bp"`
	Gap     float64   `json:"gap"`     // the amount by which both f1/scale and f2 can fall
	Arrived *Arrival  `json:"arrived"` // null if the run has never been within the tolerance
	Status  string    `json:"status"`
}

// Results returns each run's latest state, including when the run reached the front.
func (s *Scene) Results() any {
	endings := []Ending{}
	for _, r := range s.Timeline().Tracks() {
		row := runs.Latest(s.Timeline(), r)
		e := Ending{Run: r.Name(), Method: r.Method, Start: r.Start(), K: row.K, X: slices.Clone(row.X), F: slices.Clone(row.F), BP: row.BP,
			Gap: s.gapOf(row), Status: r.Status().String()}
		if a, there := s.arrivalOf(r, row.K); there {
			e.Arrived = &a
		}
		endings = append(endings, e)
	}
	results := map[string]any{"endings": endings, "tolerance": s.tolerance()}
	if counts := s.values.Swarm.Counts(); counts != nil {
		results["swarm"] = counts
	}
	return results
}

// present lists the methods available in this scene.
func (s *Scene) present() []param.Method {
	return slices.DeleteFunc(slices.Clone(Methods), func(m param.Method) bool { return s.values.Absent(m.ID) != "" })
}
