package minnorm

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
)

// exactProduct returns ⟨a, b⟩ to about 100 bits, from error-free products and sums (Ogita, Rump & Oishi 2005,
// Accurate sum and dot product). The result is not rounded at the end.
func exactProduct(a, b []float64) *big.Float {
	var high, low float64
	for i, x := range a {
		p := x * b[i]
		rest := math.FMA(x, b[i], -p)
		sum := high + p
		t := sum - high
		low += (high - (sum - t)) + (p - t) + rest
		high = sum
	}
	return number(0).Add(number(high), number(low))
}

// reference contains the point of least norm of the rows with positive weights. The optimality conditions, checked in
// high precision, prove that it is also the point of least norm for all rows.
type reference struct {
	lambda, v []float64
	inverse   float64 // the largest sum of a row of |(C + eeᵀ)⁻¹| on the rows in use
	margin    float64 // the smallest μ in use, and the smallest amount by which an unused row violates its condition
}

// certify returns the reference for the given weights. It returns false if the optimality conditions do not hold
// strictly.
func certify(j *algo.Jacobian, weights []float64) (ref reference, ok bool) {
	m := j.Rows
	gram := make([][]*big.Float, m)
	for a := range m {
		gram[a] = make([]*big.Float, m)
		for b := range a + 1 {
			gram[a][b] = exactProduct(j.Row(a), j.Row(b))
			gram[b][a] = gram[a][b]
		}
	}
	var rows []int
	for i, w := range weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	lambda, ok := affine(gram, rows)
	if !ok {
		return ref, false
	}
	norms, smallest := make([]float64, m), math.Inf(1)
	for i := range m {
		square, _ := gram[i][i].Float64()
		norms[i] = math.Sqrt(square)
		smallest = min(smallest, norms[i])
	}
	products, square := make([]*big.Float, m), number(0)
	for i := range m {
		products[i] = number(0)
		for p, a := range rows {
			products[i].Add(products[i], number(0).Mul(lambda[p], gram[i][a]))
		}
	}
	ref.lambda, ref.v = make([]float64, m), make([]float64, j.Cols)
	for p, a := range rows {
		square.Add(square, number(0).Mul(lambda[p], products[a]))
		ref.lambda[a], _ = lambda[p].Float64()
	}
	// In the solver's units, μ_i = λ_i n_i/min_j n_j up to a factor between 1 and 2.
	ref.margin = math.Inf(1)
	for i := range m {
		if ref.lambda[i] > 0 {
			ref.margin = min(ref.margin, ref.lambda[i]*norms[i]/smallest)
			continue
		}
		slack, _ := number(0).Sub(products[i], square).Float64()
		ref.margin = min(ref.margin, slack/norms[i]/smallest)
	}
	for c := range ref.v {
		column := number(0)
		for p, a := range rows {
			column.Add(column, number(0).Mul(lambda[p], number(j.Row(a)[c])))
		}
		ref.v[c], _ = column.Float64()
	}
	ref.inverse = inverse(gram, rows, norms, smallest)
	return ref, ref.margin > 0
}

// inverse returns the largest row sum of |(C + eeᵀ)⁻¹|, accurate to a few digits.
func inverse(gram [][]*big.Float, rows []int, norms []float64, smallest float64) float64 {
	k := len(rows)
	system := make([][]float64, k)
	for p, a := range rows {
		system[p] = make([]float64, 2*k)
		system[p][k+p] = 1
		for q, b := range rows {
			g, _ := gram[a][b].Float64()
			system[p][q] = g/norms[a]/norms[b] + smallest/norms[a]*(smallest/norms[b])
		}
	}
	for p := range k {
		pivot := system[p][p] // positive definite: no exchange is needed
		for c := range system[p] {
			system[p][c] /= pivot
		}
		for i := range k {
			if f := system[i][p]; i != p {
				for c := range system[i] {
					system[i][c] -= f * system[p][c]
				}
			}
		}
	}
	var largest float64
	for p := range k {
		var sum float64
		for _, x := range system[p][k:] {
			sum += math.Abs(x)
		}
		largest = max(largest, sum)
	}
	return largest
}

// nearStationary returns Gaussian rows whose hull passes the origin at a distance of about delta. The last row is
// minus the mean of the others, up to delta.
func nearStationary(r *rand.Rand, m, n int, delta float64) *algo.Jacobian {
	j := gaussian(r, m, n)
	last := j.Row(m - 1)
	scaleRow(last, delta)
	for i := range m - 1 {
		for c, v := range j.Row(i) {
			last[c] -= v / float64(m-1)
		}
	}
	return j
}

// nearDuplicates returns Gaussian rows. About half of them differ from another row only by delta.
func nearDuplicates(r *rand.Rand, m, n int, delta float64) *algo.Jacobian {
	j := gaussian(r, m, n)
	for i := 1; i < m; i++ {
		if r.IntN(2) == 0 {
			from := j.Row(r.IntN(i))
			for c := range from {
				j.Row(i)[c] = from[c] + delta*j.Row(i)[c]
			}
		}
	}
	return j
}

// longFamilies returns families of long rows. The Gramian determines the solution for all matrices of some families,
// for some matrices of others, and for no matrix of the rest.
func longFamilies() (list []family) {
	list = append(list, families...)
	list = append(list,
		family{name: "correlated", make: func(r *rand.Rand, m, n int) *algo.Jacobian {
			j := gaussian(r, m, n)
			common := 2 * r.Float64()
			for i := range m {
				for c := range n {
					j.Row(i)[c] += common
				}
			}
			return j
		}},
		family{name: "positive", make: func(r *rand.Rand, m, n int) *algo.Jacobian {
			j := algo.NewJacobian(m, n)
			for i := range j.Data {
				j.Data[i] = r.Float64()
			}
			return j
		}},
		// For nearly parallel rows with entries of one sign, products lose the most digits. A long v would hide
		// this, so the last row cancels v.
		family{name: "positive and stationary", make: func(r *rand.Rand, m, n int) *algo.Jacobian {
			j := algo.NewJacobian(m, n)
			last := j.Row(m - 1)
			for i := range m - 1 {
				row := j.Row(i)
				for c := range row {
					row[c] = 1 + 0.3*r.Float64()
					last[c] -= row[c] / float64(m-1)
				}
			}
			return j
		}},
		// The last row almost touches the plane that supports the others. A tiny random distance to either side of the
		// plane decides whether the row is in use.
		family{name: "touching", make: func(r *rand.Rand, m, n int) *algo.Jacobian {
			j := gaussian(r, m, n)
			others := &algo.Jacobian{Rows: m - 1, Cols: n, Data: j.Data[:(m-1)*n]}
			var s Solver
			weights, v := make([]float64, m-1), make([]float64, n)
			s.SolveJacobian(weights, others)
			others.Combine(v, weights)
			last := j.Row(m - 1)
			along := 1 - dot(last, v)/dot(v, v) + (2*r.Float64()-1)*math.Pow(10, -8-10*r.Float64())
			for c := range last {
				last[c] += along * v[c]
			}
			return j
		}},
		family{name: "scaled near stationary", make: func(r *rand.Rand, m, n int) *algo.Jacobian {
			j := nearStationary(r, m, n, math.Pow(10, -16*r.Float64()))
			for i := range m {
				scaleRow(j.Row(i), math.Pow(10, 16*r.Float64()-8))
			}
			return j
		}})
	for _, delta := range []float64{1e-1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 0} {
		list = append(list,
			family{name: fmt.Sprintf("stationary but for %g", delta), make: func(r *rand.Rand, m, n int) *algo.Jacobian {
				return nearStationary(r, m, n, delta)
			}},
			family{name: fmt.Sprintf("duplicates but for %g", delta), make: func(r *rand.Rand, m, n int) *algo.Jacobian {
				return nearDuplicates(r, m, n, delta)
			}},
			family{name: fmt.Sprintf("a point but for %g", delta), make: func(r *rand.Rand, m, n int) *algo.Jacobian {
				return around(r, m, n, delta)
			}})
	}
	return list
}

// TestSettled compares solutions with the certified ones, for each outcome of the solver's decision on whether it needs
// the rows. If the solution is well conditioned, weights must agree to 1e-12, and Gᵀλ up to the rounding of the rows. In
// all cases, the optimality conditions must hold on the rows up to rounding errors. Therefore ‖Gᵀλ − v*‖² ≤
// violation·max‖g_i‖·Σλ_i‖g_i‖.
func TestSettled(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 25))
	var s Solver
	all, allCertified, allTaken := 0, 0, [3]int{}
	for _, f := range longFamilies() {
		count, certified, conditioned, taken := 0, 0, 0, [3]int{}
		worst, worstSettled, worstVector, worstNear := 0.0, 0.0, 0.0, 0.0
		for trial := range 70 {
			m, n := 3+r.IntN(8), longRow+r.IntN(60)
			if trial%20 == 0 {
				m, n = 3+r.IntN(28), 200+r.IntN(801)
			}
			j := f.make(r, m, n)
			weights := make([]float64, m)
			gap, status := s.SolveJacobian(weights, j)
			onSimplex(t, weights)
			count++
			if v := violation(j, weights); status != algo.Converged || !(gap <= 1e-13 && v <= 1e-13) {
				t.Errorf("%s, %d×%d: status %v, gap %g, violation %g", f.name, m, n, status, gap, v)
			}
			taken[s.digits]++
			ref, ok := certify(j, weights)
			if !ok {
				if s.digits != unsettled && f.name != "zero row" {
					t.Errorf("%s, %d×%d: determined, but the optimality conditions do not hold", f.name, m, n)
				}
				continue
			}
			certified++
			var change, size float64
			for i, w := range weights {
				change = max(change, math.Abs(w-ref.lambda[i]))
				size += ref.lambda[i] * norm(j.Row(i))
			}
			off := distance(j, weights, ref.v)
			vector := off * norm(ref.v) / size
			// Solutions that the solver reports as settled are well conditioned.
			if s.digits == settled || ref.inverse <= 100 && ref.margin >= 1e-10 {
				conditioned++
				worst, worstVector = max(worst, change), max(worstVector, vector)
				if !(change <= 1e-12) {
					t.Errorf("%s, %d×%d, digits %d: a weight is off by %.2e", f.name, m, n, s.digits, change)
				}
				if !(vector <= 1e-13) {
					t.Errorf("%s, %d×%d, digits %d: Gᵀλ is off by %.2e of the rows", f.name, m, n, s.digits, vector)
				}
			}
			if s.digits == settled {
				worstSettled = max(worstSettled, change)
				if !(off <= 1e-10) {
					t.Errorf("%s, %d×%d: settled, but Gᵀλ is off by %.2e of itself", f.name, m, n, off)
				}
			}
			// Near stationary points, the residuals from the rows determine Gᵀλ to the last digit.
			if s.digits == half && norm(ref.v) <= 1e-3*size {
				worstNear = max(worstNear, vector)
				if !(vector <= 4*eps) {
					t.Errorf("%s, %d×%d: corrected, but Gᵀλ is off by %.2e of the rows", f.name, m, n, vector)
				}
			}
		}
		t.Logf("%-26s %d, digits %2d, certified %2d, well conditioned %2d: weights %.1e, settled %.1e, vector %.1e, near stationary %.1e",
			f.name, count, taken, certified, conditioned, worst, worstSettled, worstVector, worstNear)
		all, allCertified = all+count, allCertified+certified
		for i, n := range taken {
			allTaken[i] += n
		}
	}
	if all < 2000 || slices.Min(allTaken[:]) < all/10 || allCertified < all/2 {
		t.Errorf("of %d matrices %v were unsettled, half settled and settled, and %d certified", all, allTaken, allCertified)
	}
}
