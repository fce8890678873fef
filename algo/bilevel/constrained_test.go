package bilevel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
)

// optimality measures how far λ is from minimising the convex function in the documentation of constrained, relative to
// the size of its terms. For a subgradient at λ, the violation is how far the linear approximation falls from λ to the
// best vertex of the simplex. optimality returns the smallest violation over all subgradients.
func optimality(c *constrained, weights []float64, pulled pull) float64 {
	m := len(weights)
	slope, kink, part := pulled.slope, pulled.kink, pulled.part
	p := make([]float64, len(c.normal))
	c.rows.Combine(p, weights)
	a := floats.Dot(p, c.normal)
	floats.AddScaled(p, -a, c.normal)
	across := make([]float64, m)
	for i := range across {
		across[i] = floats.Dot(c.rows.Row(i), p)
	}
	// The subgradients with respect to a form the interval [lo, hi].
	const near = 1e-12
	lo := slope + part*max(part*a+slope*(1-2*part), 0)
	hi := lo
	switch size := math.Abs(kink) + floats.Norm(c.inner, math.Inf(1)); {
	case math.Abs(a-kink) <= near*size:
		hi = max(kink, slope*(1+part))
	case a > kink:
		lo, hi = a, a
	}
	// The violation is a maximum of lines, so it is a convex function of the subgradient.
	violation := func(theta float64) float64 {
		var mean float64
		least := math.Inf(1)
		for i, w := range weights {
			g := across[i] + theta*c.inner[i]
			mean += w * g
			least = min(least, g)
		}
		return mean - least
	}
	for range 200 {
		third := (hi - lo) / 3
		if violation(lo+third) < violation(hi-third) {
			hi -= third
		} else {
			lo += third
		}
	}
	return violation((lo+hi)/2) / (1 + kink)
}

// gradients contains upper gradients and a normal.
type gradients struct {
	name   string
	jac    *algo.Jacobian
	normal []float64
}

func structured(rng *rand.Rand) []gradients {
	var all []gradients
	add := func(name string, normal []float64, rows ...[]float64) {
		jac := algo.NewJacobian(len(rows), len(normal))
		for i, r := range rows {
			copy(jac.Row(i), r)
		}
		all = append(all, gradients{name, jac, normal})
	}
	for _, m := range []int{1, 2, 3, 5, 8} {
		for _, n := range []int{2, 3, 6, 20} {
			for range 20 {
				rows := make([][]float64, m)
				for i := range rows {
					rows[i] = make([]float64, n)
					for j := range rows[i] {
						rows[i][j] = rng.NormFloat64()
					}
				}
				normal := make([]float64, n)
				for j := range normal {
					normal[j] = rng.NormFloat64()
				}
				add(fmt.Sprintf("random %d×%d", m, n), normal, rows...)
				floats.Scale(math.Pow(10, 16*rng.Float64()-8), normal)
				add(fmt.Sprintf("random %d×%d, scaled normal", m, n), normal, rows...)
			}
		}
	}
	// Rows that differ mostly along the normal lead to the kink.
	for _, m := range []int{2, 3, 5} {
		for range 40 {
			rows, normal := make([][]float64, m), []float64{rng.NormFloat64(), 0, 0, 0}
			for i := range rows {
				rows[i] = []float64{rng.NormFloat64(), 1 + 0.1*rng.NormFloat64(), 0.1 * rng.NormFloat64(), 0}
			}
			add(fmt.Sprintf("along the normal %d×4", m), normal, rows...)
		}
	}
	// Add rows that are nearly linearly dependent, and rows of different sizes.
	for _, m := range []int{3, 5, 8} {
		for k := range 40 {
			near, sizes := make([][]float64, m), make([][]float64, m)
			normal := []float64{rng.NormFloat64(), rng.NormFloat64(), 1, 0}
			base := []float64{0.3, -1, 0.2, 2}
			for i := range m {
				near[i], sizes[i] = make([]float64, 4), make([]float64, 4)
				size := math.Pow(10, 12*rng.Float64()-6)
				for j := range base {
					near[i][j] = base[j] + math.Pow(10, -float64(k%12))*rng.NormFloat64()
					sizes[i][j] = size * rng.NormFloat64()
				}
			}
			add(fmt.Sprintf("nearly dependent %d×4", m), normal, near...)
			add(fmt.Sprintf("of many sizes %d×4", m), normal, sizes...)
		}
	}
	g, u := []float64{3, -1, 2}, []float64{1, 1, -1}
	opposite := []float64{-3, 1, -2}
	zero := make([]float64, 3)
	small := []float64{1e-8, 2e-8, 0}
	large := []float64{1e8, -2e8, 3e8}
	add("identical", u, g, g)
	add("three identical", u, g, g, g)
	add("opposite", u, g, opposite)
	add("opposite and others", u, g, opposite, []float64{0, 1, 0}, []float64{0, -1, 5})
	add("opposite along the normal", g, g, opposite)
	add("three along the normal", g, g, opposite, zero)
	add("one zero", u, g, zero)
	add("one of three zero", u, g, zero, opposite)
	add("all zero", u, zero, zero)
	add("all of three zero", u, zero, zero, zero)
	add("of two scales", u, small, large)
	add("of three scales", u, small, g, large)
	add("normal zero", zero, g, opposite)
	add("all zero with normal zero", zero, zero, zero, zero)
	add("normal negligible", []float64{1e-15, 0, 0}, g, []float64{1, 2, 0})
	add("orthogonal to the normal", []float64{0, 0, 1}, []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{-1, 0.5, 0})
	return all
}

func TestConstrainedWeightsAreOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 24))
	kinks := map[bool]int{} // keyed by whether there are more than two gradients
	middles := map[bool]int{}
	for _, g := range structured(rng) {
		m := g.jac.Rows
		for _, scale := range []float64{1, 1e-8, 1e8} {
			jac := algo.NewJacobian(m, g.jac.Cols)
			for i, v := range g.jac.Data {
				jac.Data[i] = scale * v
			}
			c := newConstrained(m, jac.Cols)
			counts := c.take(jac, g.normal)
			for _, rho := range []float64{0, 0.1, 0.3, 0.9, 5} {
				pulls := []pull{c.exactly(rho/2, rho/2), c.exactly(rho/2, rho)}
				for _, floor := range []float64{1e-8, 0.3, 50} {
					pulls = append(pulls, c.above(rho, floor))
				}
				for i, p := range pulls {
					weights := make([]float64, m)
					if !c.solve(weights, p) {
						t.Errorf("%s, scale %g, ρ = %g: no solution", g.name, scale, rho)
						continue
					}
					var sum float64
					for _, w := range weights {
						sum += w
						if !(w >= 0) {
							t.Errorf("%s: weights %v", g.name, weights)
						}
					}
					if math.Abs(sum-1) > 1e-14 {
						t.Errorf("%s: weights %v have the sum %v", g.name, weights, sum)
					}
					if !counts || c.unit == 0 {
						continue
					}
					switch a := floats.Dot(c.inner, weights); {
					case i > 0 && math.Abs(a-p.kink) < 1e-12*(1+p.kink):
						kinks[m > 2]++
					case p.low() < a && a < p.kink && p.part > 0:
						middles[m > 2]++
					}
					if e := optimality(c, weights, p); !(e <= 1e-14) {
						t.Errorf("%s, scale %g, ρ = %g, %+v: weights %v are off by %.3g", g.name, scale, rho, p, weights, e)
					}
				}
			}
		}
	}
	if middles[false] < 5 || middles[true] < 5 {
		t.Errorf("%v solutions are in the middle piece of a pull", middles)
	}
	if kinks[false] < 5 || kinks[true] < 5 {
		t.Errorf("%v solutions are at the kink of the published multiplier", kinks)
	}
}
