package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

const (
	// dependent is the squared sine between a row and others, computed from the Gramian,
	// below which a rule uses the rows instead, because the Gramian has lost too many digits.
	dependent = 1e-6
	// against is the share of max‖g_i‖·‖d‖ that −g_i·d may reach before d counts as harming
	// objective i.
	against = 1e-9
	// rounded is the length of a sum of vectors, relative to its terms, up to which it is only
	// a rounding error.
	rounded = 4 * eps
)

// cancels computes two numbers from the Gramian. terms is Σ |c_i|‖g_i‖. share is
// ‖Σ c_i g_i‖² relative to terms²: 0 if only rounding errors are left, 1 if nothing cancels.
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

// unitRows computes with the rows instead of the Gramian. Rules use it if gradients nearly
// cancel or agree: the Gramian has then lost the digits on which the decision depends.
type unitRows struct {
	minnorm.UnitRows
	cone  minnorm.Polyhedron
	norms []float64 // m
	g, z  []float64 // r, coordinates
	u     []float64 // m, multipliers of z
	d     []float64 // r, coordinates of the direction
	least []float64 // m, the bounds of leastNorm
}

// set takes the rows of in, which must have some.
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

// hand stores the direction with coordinates d, times factor, and its coefficients c, each
// if the caller wants it.
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

// leastNorm stores the point of least norm in the hull of the rows in d, and its weights. No
// row may be zero. It returns false and keeps the weights if 0 is in the hull, up to rounding.
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

// gap returns the relative duality gap of d as the point of least norm in the hull.
func (s *unitRows) gap() float64 {
	longest, least := slices.Max(s.norms), math.Inf(1)
	for i, n := range s.norms {
		least = min(least, n/longest*(dot(s.Unit.Row(i), s.d)/longest))
	}
	return max(dot(s.d, s.d)/longest/longest-least, 0)
}

// guard checks that directions harm no objective.
type guard struct {
	products []float64 // m
	vector   []float64 // n
}

// keeps reports whether no product of a row and the direction is below
// −against·max‖g_i‖·‖d‖. c are the direction's coefficients. It uses the Gramian if this is
// precise enough, and otherwise the rows; a direction that is only the rounding error of
// its sum then becomes 0. Without rows, an undecided product counts as kept.
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
	// The rounding error of products of n numbers, as in minnorm.
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

// promise completes the status of a rule whose direction must harm no objective. If it
// harms one, the status is not Converged.
func (g *guard) promise(r *algo.Result, in *algo.Input, c []float64) {
	if !g.keeps(r, in, c) && r.Status == algo.Converged {
		r.Status = algo.Budget
	}
}

// limit returns gap and status of a decision that depends on a squared sine of size pivot,
// if only the Gramian is given. The relative error of the pivot is ε/pivot, so the gap is
// at least this large. A status of Converged becomes Budget.
func limit(gap float64, status algo.Status, pivot float64) (float64, algo.Status) {
	gap = max(gap, min(1, eps/max(pivot, eps)))
	if status == algo.Converged {
		status = algo.Budget
	}
	return gap, status
}
