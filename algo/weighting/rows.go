package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

const (
	// dependent is a limit for the squared sine of the angle between a row and the others, computed from the Gramian.
	// Below this limit, the Gramian has lost too many digits, and rules use the rows instead.
	dependent = 1e-6
	// against is the largest −g_i·d, relative to max‖g_i‖·‖d‖, at which d does not count as harming objective i.
	against = 1e-9
	// rounded is the largest length, relative to its terms, at which a sum of vectors counts as a rounding error.
	rounded = 4 * eps
)

// cancels computes two numbers from the Gramian: terms is Σ |c_i|‖g_i‖, and share is ‖Σ c_i g_i‖² relative to terms². A
// share of 0 means that only rounding errors are left; a share of 1 means that nothing cancels.
func cancels(gram, c []float64) (share, terms float64) {
	m := len(c)
	var square float64
	for i, v := range c {
		terms += float64(math.Abs(v) * math.Sqrt(max(gram[i*m+i], 0)))
		square += float64(v * dot(gram[i*m:(i+1)*m], c))
	}
	if terms == 0 {
		return 1, 0
	}
	return max(square, 0) / terms / terms, terms
}

// unitRows computes with the rows instead of the Gramian. Rules use it if gradients nearly cancel or nearly agree,
// because the Gramian has then lost the decisive digits.
type unitRows struct {
	minnorm.UnitRows
	cone  minnorm.Polyhedron
	norms []float64 // m
	g, z  []float64 // r, coordinates
	u     []float64 // m, multipliers of z
	d     []float64 // r, coordinates of the direction
	least []float64 // m, bounds for leastNorm
}

// set reads the rows of in, whose Jacobian must not be nil.
func (s *unitRows) set(in *algo.Input) {
	m := in.Jacobian.Rows
	s.norms = resize(s.norms, m)
	for i := range s.norms {
		s.norms[i] = math.Sqrt(max(in.Gram[i*m+i], 0))
	}
	s.Set(in.Jacobian, s.norms)
	s.cone.Reset(s.Unit)
	r := s.Unit.Cols
	s.g, s.z, s.d, s.u = resize(s.g, r), resize(s.z, r), resize(s.d, r), resize(s.u, m)
}

// hand stores in r the direction with coordinates d, multiplied by factor, and the effective coefficients c, which are
// not multiplied. It stores each only if r has storage for it.
func (s *unitRows) hand(r *algo.Result, in *algo.Input, c []float64, factor float64) {
	copy(r.Effective, c)
	if r.Direction == nil {
		return
	}
	for i := range s.d {
		s.d[i] *= factor
	}
	s.Expand(r.Direction, s.d)
	multiply(r.Direction, in.Exponent)
}

// leastNorm stores in d the point of least norm in the hull of the rows, and in weights the weights of this point. No
// row may be zero. If 0 is in the hull, except for rounding errors, it returns false and does not change the weights.
func (s *unitRows) leastNorm(weights []float64) bool {
	shortest := slices.Min(s.norms)
	s.least = resize(s.least, len(s.norms))
	for i, n := range s.norms {
		s.least[i] = shortest / n
	}
	clear(s.g)
	if s.cone.Project(s.d, s.u, s.g, s.least) == algo.NoSolution {
		return false
	}
	// The sum of λ_i g_i is shortest·d/‖d‖², and the sum of λ is 1, because ‖d‖² = Σ u_i·least_i.
	var sum float64
	for i, u := range s.u {
		weights[i] = float64(u * s.least[i])
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	square := dot(s.d, s.d)
	for c := range s.d {
		s.d[c] *= shortest / square
	}
	return true
}

// gap returns the relative duality gap of d as an approximation of the point of least norm in the hull.
func (s *unitRows) gap() float64 {
	longest, least := slices.Max(s.norms), math.Inf(1)
	for i, n := range s.norms {
		least = min(least, n/longest*(dot(s.Unit.Row(i), s.d)/longest))
	}
	return max(dot(s.d, s.d)/longest/longest-least, 0)
}

// guard checks whether directions harm objectives.
type guard struct {
	products []float64 // m
	vector   []float64 // n
}

// keeps reports whether the products of all rows with the direction are at least −against·max‖g_i‖·‖d‖. c holds the
// direction's coefficients. keeps uses the Gramian if it is precise enough, and the rows otherwise. With the rows, it
// sets the direction to 0 if the direction is only a rounding error. Without rows, an undecided product counts as
// sufficient.
func (g *guard) keeps(r *algo.Result, in *algo.Input, c []float64) bool {
	m := len(c)
	g.products = resize(g.products, m)
	var longest, terms, square float64
	for i, v := range c {
		norm := math.Sqrt(max(in.Gram[i*m+i], 0))
		longest = max(longest, norm)
		terms += float64(math.Abs(v) * norm)
		g.products[i] = dot(in.Gram[i*m:(i+1)*m], c)
		square += float64(v * g.products[i])
	}
	if in.Jacobian == nil || terms == 0 {
		return true
	}
	// This bounds the rounding error of the products of vectors of length n, as in minnorm.
	rounding := (float64(4*math.Sqrt(float64(in.Jacobian.Cols))) + float64(m) + 4) * eps * terms
	if square -= float64(rounding * terms); square > 0 {
		sure := true
		for i, v := range g.products {
			sure = sure && v-float64(rounding*math.Sqrt(max(in.Gram[i*m+i], 0))) >= -against*longest*math.Sqrt(square)
		}
		if sure {
			return true
		}
	}
	d := r.Direction
	if d == nil || in.Exponent != 0 {
		g.vector = resize(g.vector, in.Jacobian.Cols)
		if d == nil {
			in.Jacobian.Combine(g.vector, c)
		} else {
			copy(g.vector, d)
			multiply(g.vector, -in.Exponent)
		}
		d = g.vector
	}
	size := portable.Norm(d)
	if size <= rounded*terms {
		clear(r.Direction)
		return true
	}
	for i := range c {
		if !(portable.Dot(in.Jacobian.Row(i), d) >= -against*longest*size) {
			return false
		}
	}
	return true
}

// promise completes the status for a rule that promises to harm no objective. If the direction harms an objective,
// the status is not Converged.
func (g *guard) promise(r *algo.Result, in *algo.Input, c []float64) {
	if !g.keeps(r, in, c) && r.Status == algo.Converged {
		r.Status = algo.Budget
	}
}

// limit returns the gap and status of a decision that is computed from the Gramian alone and depends on pivot, a
// squared sine. The relative error of pivot is ε/pivot, so the gap is at least ε/pivot. limit changes the status
// Converged to Budget.
func limit(gap float64, status algo.Status, pivot float64) (float64, algo.Status) {
	gap = max(gap, min(1, eps/max(pivot, eps)))
	if status == algo.Converged {
		status = algo.Budget
	}
	return gap, status
}
