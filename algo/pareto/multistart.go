package pareto

import "fmt"

// Point is the point at which a run ended.
type Point struct {
	X, F  []float64 // the variables and their objective values
	Start int       // the start's index, from 0
}

// MultiStart calls run for each start in turn. It returns the end points that no other end point dominates, in the order of
// their starts. If several of them have equal values, all are included. run returns its end point, in new storage, and the
// objectives there. If run fails, MultiStart stops and returns the error, wrapped with the start's number.
func MultiStart(starts [][]float64, run func(start []float64) (x, f []float64, err error)) ([]Point, error) {
	points := make([]Point, len(starts))
	values := make([][]float64, len(starts))
	for i, start := range starts {
		x, f, err := run(start)
		if err != nil {
			return nil, fmt.Errorf("start %d: %w", i, err)
		}
		points[i], values[i] = Point{X: x, F: f, Start: i}, f
	}
	kept, err := NonDominated(values)
	if err != nil {
		return nil, err
	}
	out := make([]Point, len(kept))
	for i, k := range kept {
		out[i] = points[k]
	}
	return out, nil
}
