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

// front is the global front in units of the unscaled objectives, by rising
// f1 − f2, finely enough that a straight line between neighbours is 1e-5 off at
// most.
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

// gap is how far f, unscaled, is from the front: by how much both objectives can
// fall at once, max_p min_i (f_i − p_i) over the points p of the front. It is 0
// on the front and not negative above it.
func (f *front) gap(f1, f2 float64) float64 {
	// Falling by the same amount keeps the difference of the two: the point to
	// compare with is the one of the same difference, or the nearest end.
	d := f1 - f2
	i := sort.SearchFloat64s(f.difference, d)
	switch {
	case i == 0: // f2 is in excess, and f1 decides
		return f1 - f.f[0][0]
	case i == len(f.f):
		return f2 - f.f[i-1][1]
	}
	u := (d - f.difference[i-1]) / (f.difference[i] - f.difference[i-1])
	return f1 - (float64((1-u)*f.f[i-1][0]) + float64(u*f.f[i][0]))
}

// gap returns the gap of objective values.
func (s *Scene) gap(f []float64) float64 { return s.front.gap(f[0]/s.problem.Scale(), f[1]) }

// gapOf returns the gap of a row; rounding does not take it below 0.
func (s *Scene) gapOf(r timeline.Row) float64 { return math.Max(0, s.gap(r.F)) }

// Arrival is when a run came within a tolerance of the front for the first time,
// and what it had spent.
type Arrival struct {
	K  int `json:"k"`
	BP int `json:"bp"`
}

// tolerances are how near the front a run counts as there, in falling order.
var tolerances = [...]float64{1, 0.3, 0.1, 0.03, 0.01, 0.001}

// progress is when a track has reached each tolerance: of every iteration, whichever of
// them are recorded.
type progress struct {
	arrivals [len(tolerances)]Arrival
	reached  int // how many of the tolerances
}

// look notes what the tracks of a run have reached.
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

// arrivalOf is when a run came within the chosen tolerance, if it has by iteration k.
func (s *Scene) arrivalOf(r timeline.Track, k int) (Arrival, bool) {
	i := slices.Index(tolerances[:], s.tolerance())
	p := s.progress[r]
	return p.arrivals[i], i < p.reached && p.arrivals[i].K <= k
}

// tolerance is the chosen one.
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
