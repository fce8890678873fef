package ownproblem

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/survey"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

const (
	gridNodes = 96 // nodes of the grid of critical sets, in each direction
	// manyNodes replaces gridNodes if there are more than two objectives, because comparing points then takes longer.
	manyNodes = 48
	frontSeed = 1
)

// survey starts a survey of the problem unless one exists. When survey returns, the grid has all its values. Work
// searches for the front later.
func (s *Scene) survey(of texts) {
	if s.front != nil && s.surveyed == of && s.reach == s.values.Region {
		return
	}
	s.surveyed, s.reach, s.grid = of, s.values.Region, nil
	if s.n <= 2 {
		nodes := gridNodes
		if s.m > 2 {
			nodes = manyNodes
		}
		s.grid = survey.NewGrid(s.problem, s.lo, s.hi, nodes)
		for range s.grid.Rows { // the nodes are compared later, by Work
			s.grid.Advance()
		}
	}
	s.front, s.points = survey.NewFront(s.problem, s.lo, s.hi, frontSeed), nil
	s.fronts++
	s.measure()
}

// Work implements scene.Scene. It compares the grid's nodes, searches for the front and the basins, and advances the swarm's points to
// the ends of their runs.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.front == nil {
		return false, nil
	}
	for more() {
		switch {
		case s.grid != nil && !s.grid.Done():
			s.grid.Advance()
			s.fronts++
		case !s.front.Done():
			sketched := s.front.Sketched()
			if s.front.Advance(); s.front.Done() || s.front.Sketched() != sketched {
				s.take()
			}
		case s.values.Field == fieldBasins && s.n == 2:
			done, err := s.findBasins()
			if err != nil {
				return false, err
			}
			if done {
				return s.values.Swarm.Work(more)
			}
		default:
			return s.values.Swarm.Work(more)
		}
	}
	return true, nil
}

// take copies the points that the search for the front has found so far.
func (s *Scene) take() {
	s.points = s.points[:0]
	for _, p := range s.front.Points() {
		s.points = append(s.points, frontPoint{p.X, p.F})
	}
	s.fronts++
	s.measure()
}

// measure sets the objectives' ranges to those of the front. While the front has fewer than two points, the ranges
// include the starts.
func (s *Scene) measure() {
	s.ranges = make([]axisRange, s.m)
	f := make([]float64, s.m)
	for i := range s.ranges {
		s.ranges[i] = axisRange{math.Inf(1), math.Inf(-1)}
	}
	add := func(f []float64) {
		for i, v := range f {
			if v-v == 0 {
				s.ranges[i].lo, s.ranges[i].hi = min(s.ranges[i].lo, v), max(s.ranges[i].hi, v)
			}
		}
	}
	for _, p := range s.points {
		add(p.f)
	}
	if len(s.points) < 2 {
		for _, x := range s.starts {
			s.problem.Values(f, x)
			add(f)
		}
	}
	for i := range s.ranges {
		r := &s.ranges[i]
		if !(r.lo <= r.hi) {
			r.lo, r.hi = 0, 1
		}
		if size := r.hi - r.lo; !(size > 1e-9*max(math.Abs(r.lo), math.Abs(r.hi))) {
			size = max(math.Abs(r.lo), 1e-9)
			r.lo, r.hi = r.lo-float64(size/2), r.hi+float64(size/2)
		}
	}
}

// gap returns the widest gap between neighbours on a front of two objectives, relative to the objectives' ranges. It
// returns NaN if the front has fewer than two points or if there are more than two objectives.
func (s *Scene) gap() float64 {
	if s.m != 2 || len(s.points) < 2 {
		return math.NaN()
	}
	var most float64
	for i := 1; i < len(s.points); i++ {
		a, b := s.points[i-1].f, s.points[i].f
		most = max(most, portable.Hypot((b[0]-a[0])/(s.ranges[0].hi-s.ranges[0].lo), (b[1]-a[1])/(s.ranges[1].hi-s.ranges[1].lo)))
	}
	return most
}

// remarks returns remarks about unusual properties of the problem.
func (s *Scene) remarks() (out []scene.Conclusion) {
	if s.problem == nil || s.front == nil {
		return nil
	}
	say := func(id, text string) { out = append(out, scene.Conclusion{ID: id, Text: text, Panel: "objective"}) }
	f, g := make([]float64, s.m), make([]float64, s.m)
	constant, large := make([]bool, s.m), false
	same := make([]bool, s.m*s.m) // for each pair of objectives
	for i := range constant {
		constant[i] = true
	}
	for k := range same {
		same[k] = true
	}
	corners := s.corners()
	for k, x := range corners {
		s.problem.Values(f, x)
		if k == 0 {
			copy(g, f)
		}
		for i, v := range f {
			constant[i] = constant[i] && v == g[i]
			for j := range i {
				same[i*s.m+j] = same[i*s.m+j] && v == f[j]
			}
			large = large || math.Abs(v) > 1e12
		}
	}
	for i, is := range constant {
		if is {
			say("constant", fmt.Sprintf("f%s is the same everywhere: there is nothing to minimise.", runs.Subscript(i)))
		}
	}
	for i := range s.m {
		for j := range i {
			if same[i*s.m+j] && !constant[i] {
				say("equal", fmt.Sprintf("f%s and f%s are equal: they do not conflict, and one of them is enough.",
					runs.Subscript(j), runs.Subscript(i)))
			}
		}
	}
	if large {
		say("large", "Somewhere in the picture, an objective is beyond 1e12: rounding will hide the other objectives.")
	}
	if i := s.falling(); i >= 0 {
		say("unbounded", fmt.Sprintf("f%s can fall without limit: every method that follows it diverges. Add bounds to prevent this.",
			runs.Subscript(i)))
	}
	if part := s.formula.Kink(); part != "" {
		say("kink", "Not smooth at "+part+": the gradient from the right is used there.")
	}
	for _, r := range s.Timeline().Tracks() {
		if r.Status() == algo.Diverged {
			text := r.Label() + " diverged: its next step is too long."
			if at, part := s.asked.blame(r); part != "" {
				text = fmt.Sprintf("%s diverged: its next step leads to %s, where %s has no finite value or slope.", r.Label(),
					timeline.Vector(at), part)
			}
			say("diverged", text)
			break
		}
	}
	return out
}

// corners returns the corners of the window, of which there are at most 2^10, and some points between them.
func (s *Scene) corners() (out [][]float64) {
	for k := range 1 << s.n {
		x := make([]float64, s.n)
		for i := range x {
			if x[i] = s.lo[i]; k>>i&1 == 1 {
				x[i] = s.hi[i]
			}
		}
		out = append(out, x)
	}
	for _, part := range []float64{0.31, 0.5, 0.77} { // a periodic function may be 0 in all corners
		x := make([]float64, s.n)
		for i := range x {
			x[i] = s.lo[i] + float64(math.Mod(part*float64(i+1), 1)*(s.hi[i]-s.lo[i]))
		}
		out = append(out, x)
	}
	return out
}

// falling returns the index of an objective whose values far outside the window are far below those in the window. It
// returns −1 if there is no such objective or if a box bounds the variables.
func (s *Scene) falling() int {
	if _, boxed := s.problem.(algo.Bounded); boxed {
		return -1
	}
	const far = 1e3
	low, f := make([]float64, s.m), make([]float64, s.m)
	spread := make([]float64, s.m)
	for i := range low {
		low[i] = math.Inf(1)
	}
	for _, x := range s.corners() {
		s.problem.Values(f, x)
		for i, v := range f {
			low[i], spread[i] = min(low[i], v), max(spread[i], math.Abs(v))
		}
	}
	for _, x := range s.corners() {
		for i := range x {
			x[i] *= far
		}
		s.problem.Values(f, x)
		for i, v := range f {
			if v < low[i]-float64(10*spread[i]) {
				return i
			}
		}
	}
	return -1
}

// basins holds the ends of a method's runs from a grid of points.
type basins struct {
	key    string
	method string
	at     int
	ends   []float64 // first objective at each end, NaN if the run diverged
}

const (
	basinCells = 40
	basinSteps = 400
)

// findBasins computes the next run. done is true after the last run.
func (s *Scene) findBasins() (done bool, err error) {
	method := s.values.On[0]
	if s.basins == nil {
		s.basins = &basins{key: fmt.Sprint(s.fronts, method, s.Timeline().Version()), method: method}
	}
	b := s.basins
	if b.at == basinCells*basinCells {
		return true, nil
	}
	x := s.cell(b.at)
	stepper, err := s.values.Stepper(method, &smooth.Course{
		Problem: algo.Exact(s.problem), Starts: [][]float64{x}, Horizon: s.values.Budget, Seed: s.values.Seed,
	})
	if err != nil {
		return false, err
	}
	end := math.NaN()
	for range basinSteps {
		status, err := stepper.Step()
		var losses *algo.RangeError
		if err != nil && !errors.As(err, &losses) { // if the rule cannot weigh the losses, only this run ends
			return false, err
		}
		if err != nil || status != algo.Running {
			break
		}
	}
	v := stepper.View()
	if at := slices.Clone(v.X); algo.Finite(at) {
		f := make([]float64, s.m)
		if s.problem.Values(f, at[:s.n]); algo.Finite(f) {
			end = f[0]
		}
	}
	b.ends = append(b.ends, end)
	b.at++
	return false, nil
}

// cell returns the centre of a cell of the basins' grid.
func (s *Scene) cell(i int) []float64 {
	part := func(k int) float64 { return (float64(k) + 0.5) / basinCells }
	return []float64{s.lo[0] + float64(part(i%basinCells)*(s.hi[0]-s.lo[0])), s.lo[1] + float64(part(i/basinCells)*(s.hi[1]-s.lo[1]))}
}

// frontWords describes how far the search for the front has come, and what it has found.
func (s *Scene) frontWords() string {
	switch {
	case !s.front.Done() && len(s.points) > 0:
		return "The thick curve is a first sketch of the front. The search continues."
	case !s.front.Done():
		return "Searching for the front."
	case len(s.points) == 0:
		return "No front was found here."
	case s.m == 2:
		return fmt.Sprintf("The thick curve approximates the front with %d points; no other point found dominates any of them. The "+
			"widest gap is %s of the front’s range.", len(s.points), timeline.Number(math.Round(1000*s.gap())/1000))
	}
	return fmt.Sprintf("The grey points approximate the front: %d points; no other point found dominates any of them.", len(s.points))
}

// Surpassed returns the share of the grid's critical points for which another point is better in all objectives. It
// returns NaN if there is no complete grid.
func (s *Scene) Surpassed() float64 {
	if s.grid == nil || !s.grid.Done() {
		return math.NaN()
	}
	there, worse := 0, 0
	for node, length := range s.grid.Length {
		if length >= critical {
			continue
		}
		there++
		if s.grid.Surpassed[node] {
			worse++
		}
	}
	return float64(worse) / float64(there)
}

// critical is the length of the unit gradients' shortest mixture below which a point counts as critical.
const critical = 0.12
