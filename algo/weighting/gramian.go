package weighting

import (
	"math"

	"paretoplay/algo"
)

// GramianInput applies rules to gradients of which only the Gramian is known. Call Set with the Gramian, then Decide
// for each rule. The zero value is ready for Set. After the first calls with a given size, neither method allocates
// memory, unless the rule itself does.
type GramianInput struct {
	gramian algo.Input // input for rules that need only the Gramian
	vectors algo.Input // input for all other rules
	plain   bool       // whether products of two entries of the Gramian are in the range of float64
	mended  bool

	rows    *algo.Jacobian // m vectors in R^m that have the Gramian
	left    *algo.Jacobian // cosines, minus the contribution of the factor
	lengths []float64
	column  []float64
}

const (
	gramianTolerance = 1e-9 // allowed error of cosines

	// If the square of the longest gradient is outside these bounds, products of two entries of the Gramian may
	// overflow or underflow.
	leastSquare, maxSquare = 0x1p-400, 0x1p400
)

// checkGramian returns an error unless the matrix is square, finite and symmetric, with cosines of at most 1.
func checkGramian(gramian []float64) error {
	m := int(math.Round(math.Sqrt(float64(len(gramian)))))
	if m < 1 || m*m != len(gramian) || !algo.Finite(gramian) {
		return inputErrorf("weighting: the Gramian has %d entries; it must be a square matrix of finite numbers", len(gramian))
	}
	for i := range m {
		if gramian[i*m+i] < 0 {
			return inputErrorf("weighting: entry (%d, %d) of the Gramian is %v, but a diagonal entry is a squared length", i+1, i+1, gramian[i*m+i])
		}
	}
	for i := range m {
		for j := range m {
			v, w := gramian[i*m+j], gramian[j*m+i]
			a, b := math.Sqrt(gramian[i*m+i]), math.Sqrt(gramian[j*m+j])
			if a == 0 || b == 0 {
				if v != 0 {
					return inputErrorf("weighting: entry (%d, %d) of the Gramian is %v, although one of its gradients is zero", i+1, j+1, v)
				}
				continue
			}
			cosine := v / a / b
			if !(math.Abs(cosine-w/a/b) <= gramianTolerance) || !(math.Abs(cosine) <= 1+gramianTolerance) {
				return inputErrorf("weighting: entries (%d, %d) and (%d, %d) of the Gramian are %v and %v: no gradients have such products",
					i+1, j+1, j+1, i+1, v, w)
			}
		}
	}
	return nil
}

// Set sets the Gramian, an m×m matrix in row-major order that is finite and symmetric. It keeps the slice but does
// not modify it.
//
// A rounded Gramian, for example in single precision, may not be positive semidefinite. No gradients then have these
// products, and decisions use vectors whose Gramian is close to the given one. The vectors come from a pivoted Cholesky
// factorization that stops when only rounding errors are left.
func (g *GramianInput) Set(gramian []float64) {
	m := int(math.Round(math.Sqrt(float64(len(gramian)))))
	if m < 1 || m*m != len(gramian) {
		panic("weighting: the Gramian is not a square matrix")
	}
	if g.rows == nil || g.rows.Rows != m {
		*g = GramianInput{rows: algo.NewJacobian(m, m), left: algo.NewJacobian(m, m), lengths: make([]float64, m), column: make([]float64, m)}
	}
	square := 0.0
	for i := range m {
		square = max(square, gramian[i*m+i])
		g.lengths[i] = math.Sqrt(max(gramian[i*m+i], 0))
	}
	g.plain = square >= leastSquare && square <= maxSquare
	g.mended = !g.cosines(gramian)
	if least := g.factor(gramianTolerance*gramianTolerance, false); least < -float64(m)*gramianTolerance {
		g.mended = true
	}
	if g.mended {
		g.cosines(gramian)
		g.factor(gramianTolerance*gramianTolerance, true)
	}
	for i := range m {
		for j := range g.rows.Row(i) {
			g.rows.Row(i)[j] *= g.lengths[i]
		}
	}
	g.vectors.SetGradients(g.rows)
	g.gramian.Gram = gramian
	if g.mended {
		g.gramian.Gram = g.vectors.Gram
	}
}

// cosines stores the cosines in left and reports whether any gradients can have these cosines.
func (g *GramianInput) cosines(gramian []float64) bool {
	m, possible := g.rows.Rows, true
	for i := range m {
		for j := range m {
			v, cosine := gramian[i*m+j], 0.0
			if g.lengths[i] > 0 && g.lengths[j] > 0 {
				cosine = v / g.lengths[i] / g.lengths[j]
			} else if v != 0 {
				possible = false
			}
			if math.Abs(cosine) > 1+gramianTolerance {
				possible = false
				cosine = math.Copysign(1, cosine)
			}
			g.left.Row(i)[j] = cosine
		}
	}
	return possible
}

// factor stores in rows unit vectors with the cosines in left, and zero vectors for zero gradients. It stops when no
// remaining squared length is above floor, and returns the smallest of them, or 0 if all are positive. If rounding is
// true, it also stops when no vectors can have the remaining products, because these are then rounding errors.
func (g *GramianInput) factor(floor float64, rounding bool) (least float64) {
	m := g.rows.Rows
	clear(g.rows.Data)
	for c := range m {
		pivot := 0
		least = 0
		for i := range m {
			if g.left.Row(i)[i] > g.left.Row(pivot)[pivot] {
				pivot = i
			}
			least = min(least, g.left.Row(i)[i])
		}
		most := g.left.Row(pivot)[pivot]
		if most <= floor || rounding && (most <= -least || g.beyond(pivot, most)) {
			break
		}
		root := math.Sqrt(most)
		for i := range m {
			g.column[i] = g.left.Row(i)[pivot] / root
			g.rows.Row(i)[c] = g.column[i]
		}
		for i, v := range g.column {
			row := g.left.Row(i)
			for j, w := range g.column {
				row[j] -= float64(v * w)
			}
		}
	}
	for i := range m {
		least = min(least, g.left.Row(i)[i])
	}
	return least
}

// beyond reports whether a remaining product with the longest remaining vector exceeds the squared length of that
// vector.
func (g *GramianInput) beyond(pivot int, square float64) bool {
	for i := range g.left.Rows {
		if math.Abs(g.left.Row(i)[pivot]) > square*(1+gramianTolerance) {
			return true
		}
	}
	return false
}

// Decide applies a rule to the Gramian at iteration k and stores its decision in r, whose Direction must be nil.
// losses, of length m, may be nil if the rule does not need them. If the rule needs further samples, Decide takes
// them from extra, in the coordinates of Vectors; it replaces missing samples by the gradients. The caller must not
// pass rules whose Method has Coordinates set, because a Gramian does not determine coordinates.
func (g *GramianInput) Decide(r *algo.Result, rule algo.Weighting, losses []float64, extra []*algo.Jacobian, k int) error {
	if r.Direction != nil {
		return inputErrorf("weighting: Direction must be nil, because a Gramian does not determine it")
	}
	needs := rule.Needs()
	in := &g.gramian
	if needs.Jacobian || needs.Extra > 0 || !g.plain {
		in = &g.vectors
		in.Extra = append(in.Extra[:0], extra[:min(len(extra), needs.Extra)]...)
		for len(in.Extra) < needs.Extra {
			in.Extra = append(in.Extra, g.rows)
		}
	}
	in.Losses, in.K = losses, k
	return rule.Weigh(r, in)
}

// Mended reports whether decisions use vectors with a similar Gramian, because no gradients have exactly the given one.
func (g *GramianInput) Mended() bool { return g.mended }

// Vectors returns m rows in R^m with the Gramian, or with a similar one if Mended returns true. The rows belong to g
// and are valid until the next Set.
func (g *GramianInput) Vectors() *algo.Jacobian { return g.rows }
