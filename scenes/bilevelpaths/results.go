package bilevelpaths

import (
	"slices"

	levels "paretoplay/algo/bilevel"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/twolevel"
)

// Ending holds a run's state at its latest iteration.
type Ending struct {
	Run        string    `json:"run"`
	Method     string    `json:"method"`
	Start      []float64 `json:"start"`
	K          int       `json:"k"`
	Status     string    `json:"status"`
	X          []float64 `json:"x"`
	F          []float64 `json:"f"`
	Distance   *float64  `json:"E"` // null if it is not finite
	Q          *float64  `json:"q"` // relative to the exact lower minimum
	KKT        *float64  `json:"kkt"`
	MeasuredAt []float64 `json:"measured_at"` // the point at which E, q and kkt are measured
	BP         int       `json:"bp"`
	Products   int       `json:"hvp"`
	PeakFloats int       `json:"floats"` // the most floats that a step holds in memory at once
}

// Results returns, for each run, its latest point, that point's quality and the run's cost.
func (s *Scene) Results() any {
	endings := []Ending{}
	for _, r := range s.Timeline().Tracks() {
		row := r.Kept(r.Len() - 1)
		number := func(name string) *float64 { return data.Known(row.Number(name)) }
		endings = append(endings, Ending{
			Run: r.Name(), Method: r.Method, Start: r.Start(), K: row.K, Status: r.Status().String(), X: slices.Clone(row.X), F: slices.Clone(row.F),
			Distance: number(twolevel.Distance), Q: number(twolevel.QExact), KKT: number(twolevel.KKT),
			MeasuredAt: slices.Clone(row.List(twolevel.MeasuredAt)),
			BP:         row.BP, Products: int(twolevel.ProductsOf(row)), PeakFloats: r.Stepper.(levels.Stepper).PeakFloats(),
		})
	}
	return map[string]any{"endings": endings}
}
