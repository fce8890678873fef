package problem

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// RandomBilevelConfig configures a random bilevel problem.
type RandomBilevelConfig struct {
	N int // n ≥ 1, upper variables
	P int // p ≥ 1, lower variables
	M int // m ≥ 1, upper objectives
	// Condition is the condition number κ ≥ 1 of the lower objective in ω. With one lower variable, the condition
	// number is always 1.
	Condition float64
	Seed      uint64 // seed of algo.Stream(Seed, 0, 0, algo.Data)
}

// RandomBilevel is a random bilevel problem of any size. Its objectives are strongly convex quadratics. The lower
// objective is
//
//	f(α, ω) = ½(ω − ω*(α))ᵀA(ω − ω*(α)) + ½‖α − a‖²,   ω*(α) = Wα + w
//
// which equals ½ωᵀAω − ωᵀ(Bα + b) plus a term in α, with B = AW and b = Aw. A is symmetric and positive definite. Its
// eigenvalues run from 1/κ to 1 in equal ratios, and its eigenvectors have random directions. The upper objectives are
//
//	F_i(z) = ½(z − c_i)ᵀ(D_i + u_iu_iᵀ)(z − c_i)
//
// where the entries of the diagonal matrix D_i are between ½ and 2. The entries of a, w and the c_i are normal with
// standard deviation 1; the entries of W and the u_i are normal with standard deviation 1/√(n+p). For any size, ‖W‖
// and ‖u_i‖ are therefore of order 1. On the solutions of the lower level, F_i is a strongly convex quadratic
// function of α too, with curvatures between ½ and about 10.
//
// The Pareto-optimal points are therefore exactly the minimisers of weighted sums, which Solution returns.
//
// The value and the gradient of f cost O(p(n+p)); those of an F_i cost O(n+p).
type RandomBilevel struct {
	n, p, m   int
	condition float64

	a []float64 // A, p×p
	b []float64 // B, p×n
	w []float64 // W, p×n
	// offset is the vector w of ω*, and center is the vector a of f.
	offset, center []float64

	diagonals, normals, centers *algo.Jacobian // rows D_i, u_i and c_i
	// hessians holds ∇², and rights holds −∇, of α ↦ F_i(α, ω*(α)) at α = 0: n×n and n numbers for each i.
	hessians, rights []float64

	residual, slope []float64 // scratch space of length p
	factor          []float64 // scratch space of length n²
}

var (
	_ algo.LowerHessian = (*RandomBilevel)(nil)
	_ algo.LowerSolved  = (*RandomBilevel)(nil)
)

// NewRandomBilevel returns the problem that c describes. The error names the invalid field, the value and the allowed
// values.
func NewRandomBilevel(c RandomBilevelConfig) (*RandomBilevel, error) {
	for _, d := range []struct {
		name  string
		value int
	}{{"n", c.N}, {"p", c.P}, {"m", c.M}} {
		if d.value < 1 {
			return nil, &algo.RangeError{Name: d.name, Value: d.value, Allowed: "it must be at least 1"}
		}
	}
	if !(c.Condition >= 1) || math.IsInf(c.Condition, 1) {
		return nil, &algo.RangeError{Name: "condition", Value: c.Condition, Allowed: "the condition number must be finite and at least 1"}
	}
	if c.P == 1 {
		c.Condition = 1
	}
	n, p, m := c.N, c.P, c.M
	b := &RandomBilevel{
		n: n, p: p, m: m, condition: c.Condition,
		b: make([]float64, p*n), w: make([]float64, p*n), offset: make([]float64, p), center: make([]float64, n),
		diagonals: algo.NewJacobian(m, n+p), normals: algo.NewJacobian(m, n+p), centers: algo.NewJacobian(m, n+p),
		hessians: make([]float64, m*n*n), rights: make([]float64, m*n),
		residual: make([]float64, p), slope: make([]float64, p), factor: make([]float64, n*n),
	}
	source := algo.Stream(c.Seed, 0, 0, algo.Data)
	draw := rand.New(&source)
	deviation := 1 / math.Sqrt(float64(n+p))
	b.a = randomDefinite(p, c.Condition, draw)
	for _, normal := range []struct {
		dst       []float64
		deviation float64
	}{
		{b.w, deviation}, {b.offset, 1}, {b.center, 1}, {b.normals.Data, deviation}, {b.centers.Data, 1},
	} {
		for i := range normal.dst {
			normal.dst[i] = normal.deviation * portable.Normal(&source)
		}
	}
	for i := range b.diagonals.Data {
		b.diagonals.Data[i] = portable.Exp2(2*float64(draw.Float64()) - 1)
	}
	for r := range p {
		for k, v := range b.a[r*p : (r+1)*p] {
			for c, w := range b.w[k*n : (k+1)*n] {
				b.b[r*n+c] += float64(v * w)
			}
		}
	}
	for i := range m {
		b.reduce(i)
	}
	return b, nil
}

// randomDefinite returns a symmetric p×p matrix with eigenvalues from 1/condition to 1 in equal ratios. It rotates a
// diagonal matrix in the planes of pairs of axes. Every round pairs the axes at random.
func randomDefinite(p int, condition float64, draw *rand.Rand) []float64 {
	a := make([]float64, p*p)
	for i := range p {
		var share float64
		if p > 1 {
			share = float64(i) / float64(p-1)
		}
		a[i*p+i] = portable.Pow(condition, -share)
	}
	order := make([]int, p)
	for i := range order {
		order[i] = i
	}
	// ⌈log₂ p⌉ rounds could mix all axes. The loop runs twice as many rounds, because some axes are paired
	// repeatedly.
	for range 2 * bits.Len(uint(p)) {
		draw.Shuffle(p, func(i, j int) { order[i], order[j] = order[j], order[i] })
		for pair := 0; pair+1 < p; pair += 2 {
			i, j := order[pair], order[pair+1]
			// Angles near the middle of a quadrant change both axes considerably.
			sine, cosine := portable.Sincos(math.Pi / 8 * (1 + 2*float64(draw.Float64())))
			for k := range p {
				x, y := a[i*p+k], a[j*p+k]
				a[i*p+k], a[j*p+k] = float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
			}
			for k := range p {
				x, y := a[k*p+i], a[k*p+j]
				a[k*p+i], a[k*p+j] = float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
			}
		}
	}
	// Because of rounding errors, the two triangles of the matrix differ slightly. Copy the upper triangle to the lower
	// one.
	for i := range p {
		for j := range i {
			a[i*p+j] = a[j*p+i]
		}
	}
	return a
}

// reduce stores ∇² and −∇ of α ↦ F_i(α, ω*(α)) at α = 0. With z = Lα + (0, w) and L = (I; W), they are LᵀHL and
// LᵀH(c_i − (0, w)), where H = D_i + u_iu_iᵀ.
func (b *RandomBilevel) reduce(i int) {
	n := b.n
	d, u, c := b.diagonals.Row(i), b.normals.Row(i), b.centers.Row(i)
	hessian, right := b.hessians[i*n*n:(i+1)*n*n], b.rights[i*n:(i+1)*n]
	along := make([]float64, n) // Lᵀu
	var height float64          // uᵀ(c − (0, w))
	for r := range n {
		along[r] = u[r]
		hessian[r*n+r] = d[r]
		right[r] = d[r] * c[r]
		height += float64(u[r] * c[r])
	}
	for k := range b.p {
		dk, uk, ck := d[n+k], u[n+k], c[n+k]-b.offset[k]
		row := b.w[k*n : (k+1)*n]
		for r, w := range row {
			along[r] += float64(uk * w)
			right[r] += float64(dk * ck * w)
			for s, v := range row {
				hessian[r*n+s] += float64(dk * w * v)
			}
		}
		height += float64(uk * ck)
	}
	for r, x := range along {
		right[r] += float64(height * x)
		for s, y := range along {
			hessian[r*n+s] += float64(x * y)
		}
	}
}

// Dims returns n, p and m.
func (b *RandomBilevel) Dims() (n, p, m int) { return b.n, b.p, b.m }

// Curvature returns the smallest and the largest eigenvalue, 1/κ and 1, of the lower objective's Hessian in ω.
// Gradient steps on the lower objective are stable if the step size is below 2/most.
func (b *RandomBilevel) Curvature() (least, most float64) { return 1 / b.condition, 1 }

// above returns u_iᵀ(z − c_i).
func (b *RandomBilevel) above(i int, z []float64) float64 {
	var s float64
	c := b.centers.Row(i)
	for j, u := range b.normals.Row(i) {
		s += float64(u * (z[j] - c[j]))
	}
	return s
}

// Values stores the F_i(z) in f.
func (b *RandomBilevel) Values(f, z []float64) {
	for i := range f {
		s := b.above(i, z)
		s *= s
		c := b.centers.Row(i)
		for j, d := range b.diagonals.Row(i) {
			s += float64(d * (z[j] - c[j]) * (z[j] - c[j]))
		}
		f[i] = s / 2
	}
}

// Jacobian stores the rows (D_i + u_iu_iᵀ)(z − c_i) in jac.
func (b *RandomBilevel) Jacobian(jac *algo.Jacobian, z []float64) {
	for i := range b.m {
		s := b.above(i, z)
		row, c, u := jac.Row(i), b.centers.Row(i), b.normals.Row(i)
		for j, d := range b.diagonals.Row(i) {
			row[j] = float64(d*(z[j]-c[j])) + float64(s*u[j])
		}
	}
}

// depart stores ω − ω*(α) in b.residual.
func (b *RandomBilevel) depart(z []float64) {
	b.LowerSolution(b.residual, z[:b.n])
	for k, v := range z[b.n:] {
		b.residual[k] = v - b.residual[k]
	}
}

// Lower returns f(z).
func (b *RandomBilevel) Lower(z []float64) float64 {
	b.LowerGradientOmega(b.slope, z)
	var s float64
	for k, r := range b.residual {
		s += float64(r * b.slope[k])
	}
	return float64(s/2) + b.LowerMinimum(z[:b.n])
}

// LowerGradient stores in dst (α − a − Bᵀr, Ar), where r = ω − ω*(α).
func (b *RandomBilevel) LowerGradient(dst, z []float64) {
	b.LowerGradientOmega(dst[b.n:], z)
	b.HessianAlphaOmega(dst[:b.n], z, b.residual)
	for j, c := range b.center {
		dst[j] += z[j] - c
	}
}

// LowerGradientOmega stores A(ω − ω*(α)) in dst.
func (b *RandomBilevel) LowerGradientOmega(dst, z []float64) {
	b.depart(z)
	b.HessianOmegaOmega(dst, z, b.residual)
}

// HessianOmegaOmega stores Av in dst.
func (b *RandomBilevel) HessianOmegaOmega(dst, _, v []float64) {
	for r := range dst {
		dst[r] = portable.Dot(b.a[r*b.p:(r+1)*b.p], v)
	}
}

// HessianAlphaOmega stores −Bᵀv in dst.
func (b *RandomBilevel) HessianAlphaOmega(dst, _, v []float64) {
	clear(dst)
	for k, x := range v {
		for c, w := range b.b[k*b.n : (k+1)*b.n] {
			dst[c] -= float64(x * w)
		}
	}
}

// HessianOmegaAlpha stores −Bu in dst.
func (b *RandomBilevel) HessianOmegaAlpha(dst, _, u []float64) {
	for r := range dst {
		var s float64
		for c, w := range b.b[r*b.n : (r+1)*b.n] {
			s -= float64(w * u[c])
		}
		dst[r] = s
	}
}

// LowerSolution stores ω*(α) = Wα + w in omega.
func (b *RandomBilevel) LowerSolution(omega, alpha []float64) {
	for r := range omega {
		s := b.offset[r]
		for c, w := range b.w[r*b.n : (r+1)*b.n] {
			s += float64(w * alpha[c])
		}
		omega[r] = s
	}
}

// LowerMinimum returns f*(α) = ½‖α − a‖².
func (b *RandomBilevel) LowerMinimum(alpha []float64) float64 {
	var s float64
	for j, c := range b.center {
		s += float64((alpha[j] - c) * (alpha[j] - c))
	}
	return float64(s / 2)
}

// Solution stores in dst, of length n+p, the Pareto-optimal point (α, ω*(α)) whose α minimises Σ λ_i F_i(α, ω*(α)).
// The weights must be finite, not negative and not all zero; only their ratios matter. Solution panics if a length is
// wrong.
func (b *RandomBilevel) Solution(dst, lambda []float64) error {
	n := b.n
	if len(dst) != n+b.p || len(lambda) != b.m {
		panic("problem: wrong length of point or weights")
	}
	top, err := largestWeight(lambda)
	if err != nil {
		return err
	}
	alpha := dst[:n]
	clear(alpha)
	clear(b.factor)
	for i, l := range lambda {
		for j, v := range b.rights[i*n : (i+1)*n] {
			alpha[j] += float64(l / top * v)
		}
		for j, v := range b.hessians[i*n*n : (i+1)*n*n] {
			b.factor[j] += float64(l / top * v)
		}
	}
	b.solve(alpha)
	b.LowerSolution(dst[n:], alpha)
	return nil
}

// solve replaces v by H⁻¹v, where H is the positive definite n×n matrix in b.factor. It uses Cholesky's
// factorization, which cannot fail here: the eigenvalues of H are at least ½, and its condition number is of order
// 10.
func (b *RandomBilevel) solve(v []float64) {
	n, h := b.n, b.factor
	for r := range n {
		row := h[r*n : r*n+r+1]
		for c := range row {
			s := row[c]
			other := h[c*n : c*n+c+1]
			for k, x := range row[:c] {
				s -= float64(x * other[k])
			}
			if c == r {
				row[r] = math.Sqrt(s)
			} else {
				row[c] = s / other[c]
			}
		}
		for k, x := range row[:r] {
			v[r] -= float64(x * v[k])
		}
		v[r] /= row[r]
	}
	for r := n - 1; r >= 0; r-- {
		v[r] /= h[r*n+r]
		for k, x := range h[r*n : r*n+r] {
			v[k] -= float64(x * v[r])
		}
	}
}
