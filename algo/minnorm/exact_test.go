package minnorm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

// precision is the precision of the reference arithmetic, in bits.
const precision = 2000

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// exact returns the point of least norm in the convex hull of the rows. It tries every face, and keeps the shortest
// affine minimiser that is inside its face. By Carathéodory's theorem, affinely independent faces are sufficient.
func exact(j *algo.Jacobian) (v, lambda []float64) {
	m := j.Rows
	gram := make([][]*big.Float, m)
	for a := range m {
		gram[a] = make([]*big.Float, m)
		for b := range m {
			sum := number(0)
			for c, x := range j.Row(a) {
				sum.Add(sum, number(0).Mul(number(x), number(j.Row(b)[c])))
			}
			gram[a][b] = sum
		}
	}
	var bestNorm *big.Float
	var bestRows []int
	var bestLambda []*big.Float
	for set := uint(1); set < 1<<m; set++ {
		var rows []int
		for a := range m {
			if set>>a&1 == 1 {
				rows = append(rows, a)
			}
		}
		l, ok := affine(gram, rows)
		if !ok {
			continue
		}
		square := number(0)
		for p, a := range rows {
			for q, b := range rows {
				t := number(0).Mul(l[p], l[q])
				square.Add(square, t.Mul(t, gram[a][b]))
			}
		}
		if bestNorm == nil || square.Cmp(bestNorm) < 0 {
			bestNorm, bestRows, bestLambda = square, rows, l
		}
	}
	v, lambda = make([]float64, j.Cols), make([]float64, m)
	for c := range v {
		sum := number(0)
		for p, a := range bestRows {
			sum.Add(sum, number(0).Mul(bestLambda[p], number(j.Row(a)[c])))
		}
		v[c], _ = sum.Float64()
	}
	for p, a := range bestRows {
		lambda[a], _ = bestLambda[p].Float64()
	}
	// The point is exactly 0, up to rounding errors at the given precision.
	if norm(v) < 1e-200*largestRow(j) {
		clear(v)
	}
	return v, lambda
}

// affine solves gram·λ = τ·1, Σλ = 1 for the given rows. It uses elimination on the differences from the first row. It
// returns false if the rows are affinely dependent or some λ is negative.
func affine(gram [][]*big.Float, rows []int) ([]*big.Float, bool) {
	k := len(rows)
	scale := number(0)
	for _, a := range rows {
		if gram[a][a].Cmp(scale) > 0 {
			scale = gram[a][a]
		}
	}
	if scale.Sign() == 0 {
		scale = number(1)
	}
	// Differences from the first row keep the matrix positive definite: solve D t = −b with D_ij = ⟨g_i − g_0, g_j −
	// g_0⟩, b_i = ⟨g_i − g_0, g_0⟩.
	n := k - 1
	d := make([][]*big.Float, n)
	z := rows[0]
	for i := range n {
		d[i] = make([]*big.Float, n+1)
		for j := range n {
			x := number(0).Sub(gram[rows[i+1]][rows[j+1]], gram[rows[i+1]][z])
			x.Sub(x, gram[z][rows[j+1]])
			d[i][j] = x.Add(x, gram[z][z])
		}
		d[i][n] = number(0).Sub(gram[z][z], gram[rows[i+1]][z])
	}
	tiny := number(0).Mul(scale, number(1e-250))
	for p := range n {
		q := p
		for i := p; i < n; i++ {
			if number(0).Abs(d[i][p]).Cmp(number(0).Abs(d[q][p])) > 0 {
				q = i
			}
		}
		d[p], d[q] = d[q], d[p]
		if number(0).Abs(d[p][p]).Cmp(tiny) <= 0 {
			return nil, false
		}
		for i := range n {
			if i == p {
				continue
			}
			f := number(0).Quo(d[i][p], d[p][p])
			for j := p; j <= n; j++ {
				d[i][j].Sub(d[i][j], number(0).Mul(f, d[p][j]))
			}
		}
	}
	l := make([]*big.Float, k)
	l[0] = number(1)
	for p := range n {
		l[p+1] = number(0).Quo(d[p][n], d[p][p])
		l[0].Sub(l[0], l[p+1])
	}
	for _, x := range l {
		if x.Sign() < 0 {
			return nil, false
		}
	}
	return l, true
}

// family creates matrices of one structure.
type family struct {
	name      string
	make      func(r *rand.Rand, m, n int) *algo.Jacobian
	tolerance float64
}

func gaussian(r *rand.Rand, m, n int) *algo.Jacobian {
	j := algo.NewJacobian(m, n)
	for i := range j.Data {
		j.Data[i] = r.NormFloat64()
	}
	return j
}

func scaleRow(row []float64, by float64) {
	for i := range row {
		row[i] *= by
	}
}

// around returns rows at a distance δ from one point. They are in a plane orthogonal to the point's direction, so
// the minimum is inside their hull and not at the shortest row.
func around(r *rand.Rand, m, n int, delta float64) *algo.Jacobian {
	j := gaussian(r, m, n)
	turn := make([]float64, n)
	for c := range turn {
		turn[c] = r.NormFloat64()
	}
	length := norm(turn)
	for i := range m {
		row := j.Row(i)
		along := dot(row, turn) / length / length
		for c := range row {
			row[c] = delta*(row[c]-along*turn[c]) + turn[c]/length
		}
	}
	return j
}

var families = []family{
	{"gaussian", gaussian, 1e-12},
	{"shifted", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		for i := range m {
			j.Row(i)[0] += 2
		}
		return j
	}, 1e-12},
	{"duplicate", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		copy(j.Row(m-1), j.Row(0))
		copy(j.Row(1), j.Row(0))
		return j
	}, 1e-12},
	{"opposite", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		copy(j.Row(m-1), j.Row(0))
		scaleRow(j.Row(m-1), -math.Exp(4*r.NormFloat64()))
		return j
	}, 1e-12},
	{"collinear", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		for i := 1; i < m; i++ {
			copy(j.Row(i), j.Row(0))
			scaleRow(j.Row(i), math.Exp(4*r.NormFloat64()))
		}
		return j
	}, 1e-12},
	{"zero row", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		clear(j.Row(r.IntN(m)))
		return j
	}, 1e-12},
	{"scales 1e-8 to 1e8", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		for i := range m {
			scaleRow(j.Row(i), math.Pow(10, 16*r.Float64()-8))
		}
		return j
	}, 1e-10},
	{"everything at once", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		for i := 1; i < m; i++ {
			switch r.IntN(3) {
			case 0:
				copy(j.Row(i), j.Row(r.IntN(i)))
				scaleRow(j.Row(i), math.Ldexp(1, r.IntN(50)-25))
			case 1:
				copy(j.Row(i), j.Row(r.IntN(i)))
				scaleRow(j.Row(i), -math.Ldexp(1, r.IntN(50)-25))
			}
		}
		return j
	}, 1e-10},
	{"small integers", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := algo.NewJacobian(m, n)
		for i := range j.Data {
			j.Data[i] = float64(r.IntN(5) - 2)
		}
		return j
	}, 1e-12},
	// If rows agree to δ, they determine the closest point only to eps/δ.
	{"nearly equal", func(r *rand.Rand, m, n int) *algo.Jacobian { return around(r, m, n, 1e-4) }, 1e-11},
	{"nearly opposite", func(r *rand.Rand, m, n int) *algo.Jacobian {
		j := gaussian(r, m, n)
		for c := range j.Cols {
			j.Row(1)[c] = -j.Row(0)[c] + 1e-4*j.Row(1)[c]
		}
		return j
	}, 1e-10},
}

// TestAgainstExactArithmetic compares the solver with exact arithmetic. The rounding of one row moves the minimum by
// eps times the weighted size of the rows. Errors are measured relative to this number if it exceeds ‖v*‖·tolerance.
func TestAgainstExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Solver
	for _, f := range families {
		worst, worstGram := 0.0, 0.0
		for range 60 {
			m, n := 2+r.IntN(4), 1+r.IntN(6)
			if n == 1 && r.IntN(2) == 0 {
				n = 3
			}
			j := f.make(r, m, n)
			v, lambda := exact(j)
			var size float64
			for i, l := range lambda {
				size += l * norm(j.Row(i))
			}
			weights := make([]float64, m)
			gap, status := s.SolveJacobian(weights, j)
			onSimplex(t, weights)
			if status != algo.Converged || !(gap <= 1e-13) {
				t.Errorf("%s: status %v, gap %g for %v", f.name, status, gap, j)
			}
			d := distance(j, weights, v)
			allowed := f.tolerance
			if nv := norm(v); nv > 0 {
				allowed = max(allowed, 1e3*eps*size/nv)
			}
			worst = max(worst, d)
			if !(d <= allowed) {
				t.Errorf("%s: off by %.2e (allowed %.1e), weights %v want %v for %v", f.name, d, allowed, weights, lambda, j)
			}
			s.SolveJacobian(weights, lengthened(j))
			onSimplex(t, weights)
			if d := distance(j, weights, v); !(d <= allowed) {
				t.Errorf("%s with long rows: off by %.2e (allowed %.1e), weights %v want %v for %v", f.name, d, allowed, weights, lambda, j)
			}
			gram := make([]float64, m*m)
			j.Gram(gram)
			s.Solve(weights, gram)
			onSimplex(t, weights)
			// If the minimum is below √eps times the rows' size, the Gramian cannot distinguish it from zero.
			if norm(v) < 1e-7*size {
				clear(v)
			}
			worstGram = max(worstGram, distance(j, weights, v))
		}
		t.Logf("%-20s rows %.1e gramian %.1e", f.name, worst, worstGram)
		// Squaring the rows loses at most half of the digits.
		if !(worstGram <= 1e-7) {
			t.Errorf("%s: from the Gramian off by %.1e", f.name, worstGram)
		}
	}
}

// TestAlmostEqualRows checks rows that differ by less than √eps. The choice among the rows may move v by at most the
// distance between them.
func TestAlmostEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Solver
	for _, delta := range []float64{1e-6, 1e-7, 1e-8, 1e-9, 1e-12, 1e-15} {
		worst := 0.0
		for range 60 {
			j := around(r, 4, 6, delta)
			v, _ := exact(j)
			weights := make([]float64, 4)
			for _, rows := range []*algo.Jacobian{j, lengthened(j)} {
				s.SolveJacobian(weights, rows)
				worst = max(worst, distance(j, weights, v))
			}
		}
		t.Logf("rows that agree to %g: off by %.1e", delta, worst)
		if !(worst <= 1e-7 && worst <= 10*delta) {
			t.Errorf("rows that agree to %g: off by %.2e", delta, worst)
		}
	}
}

func TestExactReference(t *testing.T) {
	v, lambda := exact(jacobian([][]float64{{1, 0}, {0, 2}}, 1))
	// λ = (4/5, 1/5), v = (4/5, 2/5).
	if !nearly(lambda, []float64{0.8, 0.2}, 1e-15) || !nearly(v, []float64{0.8, 0.4}, 1e-15) {
		t.Errorf("λ = %v, v = %v", lambda, v)
	}
}
