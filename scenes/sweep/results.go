package sweep

import (
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// Result holds the results of one run's finished vectors.
type Result struct {
	Points []Point  `json:"points,omitempty"` // in files only
	Purity *float64 `json:"purity"`           // null before the first vector is done, as what follows
	Gamma  *float64 `json:"gamma"`
	Delta  *float64 `json:"delta"` // null where it is not defined
	// Diverged counts the vectors with which the method diverged.
	Diverged int `json:"diverged,omitempty"`
}

// Point is where the run of one vector ended, if it did not diverge.
type Point struct {
	M            []int     `json:"m"`
	F            []float64 `json:"f"` // of the examples to be tested on; null, as Train is, where the run diverged
	Train        []float64 `json:"train"`
	NonDominated bool      `json:"nondominated"` // among the points of its run
	Kept         bool      `json:"kept"`         // among the points of all runs
}

// Results says by run what the vectors that are done at the marker have come to.
func (s *Scene) Results() any { return s.results(false) }

// Extras implements scene.Scene: files hold the points, too.
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
				r.Points = append(r.Points, Point{M: s.grid.vectors[i], F: e.of(test, i), Train: e.of(train, i), NonDominated: rank >= overtaken,
					Kept: rank == kept})
			}
		}
		out[e.run.Name] = r
	}
	return out
}
