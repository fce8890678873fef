package blocks

// Result is what a run would return at the marker.
type Result struct {
	Last    []float64 `json:"last"`
	Average []float64 `json:"average"` // null before an outer iteration is complete
	Uniform []float64 `json:"uniform"` // likewise
	T       *int      `json:"t"`       // of uniform, likewise
}

// Results says by run what it would return at the marker.
func (s *Scene) Results() any {
	if len(s.Timeline().Runs()) == 0 {
		return nil
	}
	out := map[string]Result{}
	for _, r := range s.Timeline().Runs() {
		o := s.readOutputs(r, min(s.Timeline().Marker(), r.Last()))
		result := Result{Last: o.last, Average: o.average, Uniform: o.uniform}
		if o.average != nil {
			result.T = &o.t
		}
		out[r.Name] = result
	}
	return out
}
