package sweep

import (
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// Result holds the results of one run's finished vectors.
type Result struct {
	Points []Point  `json:"points,omitempty"` // only in files
	Purity *float64 `json:"purity"`           // null until the first vector is done, like the following fields
	Gamma  *float64 `json:"gamma"`
	Delta  *float64 `json:"delta"` // null if it is undefined
	// Diverged is the number of vectors for which the run diverged.
	Diverged int `json:"diverged,omitempty"`
}

// Point holds one vector and the losses at the end of its run.
type Point struct {
	M            []int     `json:"m"`
	F            []float64 `json:"f"` // losses on the test examples; null, like Train, if the run diverged
	Train        []float64 `json:"train"`
	NonDominated bool      `json:"nondominated"` // whether no point of its run dominates it
	Kept         bool      `json:"kept"`         // whether no point of any run dominates it
}

// Results returns, for each run, the results of the vectors that are done at the marker.
func (s *Scene) Results() any { return s.results(false) }

// Extras implements scene.Scene. Files also contain the points.
func (s *Scene) Extras() scene.Extras {
	return scene.Extras{Details: func() (any, error) { return s.results(true), nil }}
}

func (s *Scene) results(points bool) map[string]Result {
	out := map[string]Result{}
	m := s.summary(s.done())
	for run, e := range s.ends {
		r := Result{Purity: data.Known(m.quality(viewPurity, run)), Gamma: data.Known(m.quality(viewGamma, run)),
			Delta: data.Known(m.quality(viewDelta, run)), Diverged: s.diverged(run)}
		for i := range m.points[run] {
			if points {
				rank := m.standings[run][i]
				if rank == diverged {
					r.Points = append(r.Points, Point{M: s.grid.vectors[i]})
					continue
				}
				r.Points = append(r.Points, Point{M: s.grid.vectors[i], F: e.end(test, i), Train: e.end(train, i), NonDominated: rank >= overtaken,
					Kept: rank == kept})
			}
		}
		out[e.run.Name] = r
	}
	return out
}
