package blocks

import (
	"errors"
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Cycle describes where runs on quadratic objectives end, with a constant step size and without noise. Every outer
// iteration is then the same affine map x ↦ Mx + v. Its fixed point differs from the minimiser of F_m by about the
// step size. The steps of an outer iteration form a cycle through the fixed point.
type Cycle struct {
	// Points contains the x^{t,i,j} of an outer iteration that begins at the fixed point, Points[0]. The last step
	// leads back to it.
	Points [][]float64
	// Radius is the spectral radius of M. Every outer iteration eventually multiplies a run's distance from the cycle
	// by about this factor. Runs approach the cycle if it is below 1, and move away if it is above 1.
	Radius float64
}

const (
	// affineTolerance is the maximum deviation of an outer iteration from an affine map, relative to arguments and
	// images.
	affineTolerance = 1e-7
	// refinements is the number of times that the fixed point is refined, to remove the effect of rounding errors in M.
	refinements = 3
	// squarings is the number of times that M is squared. The result, M to the power 2^48, gives the spectral radius.
	squarings = 48
)

// NewCycle returns the cycle of the runs that c describes, without noise and batches. The schedule must be
// Constant. Orders of objectives and blocks must not be random, unless only one order is possible.
func NewCycle(c Config) (*Cycle, error) {
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	c.Problem, c.Batch = algo.Exact(c.Problem), 0
	s, err := New(c)
	if err != nil {
		return nil, err
	}
	playing := 0
	for _, times := range s.frequencies {
		if times > 0 {
			playing++
		}
	}
	switch {
	case s.stepSizes.schedule != Constant:
		return nil, &algo.RangeError{Name: "schedule", Value: s.stepSizes.schedule, Allowed: fmt.Sprintf("a cycle needs %v", Constant)}
	case s.order == RandomOrder && !c.Together && playing > 1:
		return nil, &algo.RangeError{Name: "order", Value: s.order, Allowed: "a cycle needs a fixed order"}
	case s.blockOrder == RandomBlocks && len(s.blocks) > 1:
		return nil, &algo.RangeError{Name: "blockorder", Value: s.blockOrder, Allowed: "a cycle needs a fixed order"}
	}
	o := outerMap{run: s, n: len(c.Start)}
	if err := o.measure(c.Start); err != nil {
		return nil, err
	}
	fixed, err := o.fixedPoint(c.Start)
	if err != nil {
		return nil, err
	}
	cycle := &Cycle{Radius: spectralRadius(o.matrix, o.n)}
	s.restart(fixed)
	for range s.OuterSteps() {
		cycle.Points = append(cycle.Points, append([]float64(nil), s.x...))
		if s.step(false) != algo.Running {
			return nil, errDiverged
		}
	}
	return cycle, nil
}

var errDiverged = errors.New("cycle: an outer iteration is not finite")

// Diameter returns the largest distance between two of the points.
func (c *Cycle) Diameter() float64 {
	var most float64
	for i, a := range c.Points {
		for _, b := range c.Points[:i] {
			var square float64
			for j, v := range a {
				square += float64((v - b[j]) * (v - b[j]))
			}
			most = max(most, square)
		}
	}
	return math.Sqrt(most)
}

// restart makes x the start of the run.
func (s *Alternation) restart(x []float64) {
	s.ledger.K, s.ledger.Failed, s.ledger.Stepped = 0, nothing, false
	s.visited = -1
	copy(s.x, x)
	copy(s.outer, x)
}

// outerMap represents one outer iteration as a map of its starting point.
type outerMap struct {
	run    *Alternation
	n      int
	matrix []float64 // M, n×n in row-major order
}

// apply stores the image of x in dst.
func (o *outerMap) apply(dst, x []float64) error {
	o.run.restart(x)
	if o.run.several(o.run.OuterSteps(), false) != algo.Running {
		return errDiverged
	}
	copy(dst, o.run.x)
	return nil
}

// measure computes M from images of points near start, and checks that the map is affine.
func (o *outerMap) measure(start []float64) error {
	n := o.n
	base, image, x := make([]float64, n), make([]float64, n), append([]float64(nil), start...)
	if err := o.apply(base, start); err != nil {
		return err
	}
	var size float64
	for i, v := range base {
		size = max(size, math.Abs(v), math.Abs(start[i]))
	}
	// The steps are about as large as the coordinates. They are powers of two, which lose no digits.
	_, exponent := math.Frexp(size)
	h := math.Ldexp(1, exponent)
	o.matrix = make([]float64, n*n)
	for c := range n {
		x[c] += h
		if err := o.apply(image, x); err != nil {
			return err
		}
		for r := range n {
			o.matrix[r*n+c] = (image[r] - base[r]) / h
		}
		x[c] = start[c]
	}
	along := make([]float64, n)
	for c := range along {
		along[c] = float64(h * (0.5 + float64(c%3)))
		x[c] += along[c]
	}
	if err := o.apply(image, x); err != nil {
		return err
	}
	for r, v := range image {
		want, allowed := base[r], size+math.Abs(v)
		for c, a := range along {
			want += float64(o.matrix[r*n+c] * a)
			allowed += math.Abs(o.matrix[r*n+c] * a)
		}
		if !(math.Abs(v-want) <= affineTolerance*allowed) {
			return errors.New("cycle: the objectives must be quadratic")
		}
	}
	return nil
}

// fixedPoint returns the x with x = Mx + v, refined from start.
func (o *outerMap) fixedPoint(start []float64) ([]float64, error) {
	n := o.n
	x, off := append([]float64(nil), start...), make([]float64, n)
	for range refinements {
		if err := o.apply(off, x); err != nil {
			return nil, err
		}
		for i := range off {
			off[i] -= x[i]
		}
		system := make([]float64, n*n)
		for i, v := range o.matrix {
			system[i] = -v
		}
		for i := range n {
			system[i*n+i]++
		}
		if !solve(system, off) {
			return nil, errors.New("cycle: an outer iteration has no unique fixed point")
		}
		for i, v := range off {
			x[i] += v
		}
	}
	return x, nil
}

// solve replaces v by the solution x of ax = v. It uses elimination with the largest pivots, and overwrites the n×n
// matrix a. It reports whether there is a solution.
func solve(a, v []float64) bool {
	n := len(v)
	var size float64
	for _, e := range a {
		size = max(size, math.Abs(e))
	}
	for k := range n {
		best := k
		for r := k + 1; r < n; r++ {
			if math.Abs(a[r*n+k]) > math.Abs(a[best*n+k]) {
				best = r
			}
		}
		if !(math.Abs(a[best*n+k]) > 0x1p-50*float64(n)*size) {
			return false
		}
		for c := range n {
			a[k*n+c], a[best*n+c] = a[best*n+c], a[k*n+c]
		}
		v[k], v[best] = v[best], v[k]
		for r := k + 1; r < n; r++ {
			ratio := a[r*n+k] / a[k*n+k]
			for c := k; c < n; c++ {
				a[r*n+c] -= float64(ratio * a[k*n+c])
			}
			v[r] -= float64(ratio * v[k])
		}
	}
	for k := n - 1; k >= 0; k-- {
		for c := k + 1; c < n; c++ {
			v[k] -= float64(a[k*n+c] * v[c])
		}
		v[k] /= a[k*n+k]
	}
	return true
}

// spectralRadius returns lim ‖M^j‖^{1/j} (Gelfand's formula), approximated at a power of two j. It squares M
// repeatedly, and divides each square by its norm.
func spectralRadius(m []float64, n int) float64 {
	power, square := append([]float64(nil), m...), make([]float64, n*n)
	var logarithm float64
	weight := 1.0
	for range squarings {
		norm := portable.Norm(power)
		if norm == 0 {
			return 0
		}
		logarithm += float64(weight * portable.Log(norm))
		weight /= 2
		for i := range power {
			power[i] /= norm
		}
		for r := range n {
			for c := range n {
				var sum float64
				for k := range n {
					sum += float64(power[r*n+k] * power[k*n+c])
				}
				square[r*n+c] = sum
			}
		}
		power, square = square, power
	}
	return portable.Exp(logarithm)
}
