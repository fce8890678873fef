package toymap

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/timeline"
)

// front is the global front of the unscaled objectives, ordered by rising f1 − f2. Its points are dense enough that
// linear interpolation between neighbours errs by at most 1e-5.
type front struct {
	difference []float64 // f1 − f2
	f          [][]float64
}

const frontPoints = 1401

func newFront() (*front, error) {
	p, err := problem.NewToy(1, 0)
	if err != nil {
		return nil, err
	}
	f := &front{f: p.Front(frontPoints)}
	for _, point := range f.f {
		f.difference = append(f.difference, point[0]-point[1])
	}
	return f, nil
}

// gap returns the distance of unscaled objectives from the front: the amount by which both can fall, max_p min_i (f_i − p_i) over the
// front's points p. It is 0 on the front and at least 0 above it.
func (f *front) gap(f1, f2 float64) float64 {
	// If both objectives fall by the same amount, f1 − f2 stays the same. Compare with the front's point that has the same
	// f1 − f2 or, if there is no such point, with the nearest end of the front.
	d := f1 - f2
	i := sort.SearchFloat64s(f.difference, d)
	switch {
	case i == 0: // f2 can fall farther than f1, so f1 limits the gap
		return f1 - f.f[0][0]
	case i == len(f.f):
		return f2 - f.f[i-1][1]
	}
	u := (d - f.difference[i-1]) / (f.difference[i] - f.difference[i-1])
	return f1 - (float64((1-u)*f.f[i-1][0]) + float64(u*f.f[i][0]))
}

// gap returns the gap of objective values.
func (s *Scene) gap(f []float64) float64 { return s.front.gap(f[0]/s.problem.Scale(), f[1]) }

// gapOf returns the gap of a row, clipped at 0 because of rounding.
func (s *Scene) gapOf(r timeline.Row) float64 { return math.Max(0, s.gap(r.F)) }

// Arrival records when a run first came within a tolerance of the front, and the run's cost until then.
type Arrival struct {
	K  int `json:"k"`
	BP int `json:"bp"`
}

// tolerances lists, in falling order, the distances from the front within which a run can count as having arrived.
var tolerances = [...]float64{1, 0.3, 0.1, 0.03, 0.01, 0.001}

// progress records when a track first reached each tolerance. It reads every iteration, including those without a recorded row.
type progress struct {
	arrivals [len(tolerances)]Arrival
	reached  int // number of tolerances reached
}

// look records which tolerances a run's tracks have newly reached, with the iteration and the cost.
func (s *Scene) look(r *timeline.Run, v algo.View) {
	n := len(v.F) / v.Solutions
	for i := range v.Solutions {
		track := timeline.Track{Run: r, Solution: i}
		p := s.progress[track]
		if p == nil {
			p = new(progress)
			s.progress[track] = p
		}
		if p.reached == len(tolerances) {
			continue
		}
		for gap := s.gap(v.F[i*n : (i+1)*n]); p.reached < len(tolerances) && gap <= tolerances[p.reached]; p.reached++ {
			p.arrivals[p.reached] = Arrival{v.K, v.Cost.Backpropagations / v.Solutions}
		}
	}
}

// arrivalOf returns when a run first came within the chosen tolerance of the front. The second result is false if the
// run had not come so close by iteration k.
func (s *Scene) arrivalOf(r timeline.Track, k int) (Arrival, bool) {
	i := slices.Index(tolerances[:], s.tolerance())
	p := s.progress[r]
	return p.arrivals[i], i < p.reached && p.arrivals[i].K <= k
}

// tolerance returns the chosen tolerance.
func (s *Scene) tolerance() float64 {
	v, err := strconv.ParseFloat(s.values.Tolerance, 64)
	if err != nil {
		panic("toy: tolerance " + s.values.Tolerance)
	}
	return v
}

func toleranceOptions() []param.Option {
	var out []param.Option
	for _, t := range tolerances {
		text := strconv.FormatFloat(t, 'g', -1, 64)
		out = append(out, param.Option{Value: text, Label: text})
	}
	return out
}
