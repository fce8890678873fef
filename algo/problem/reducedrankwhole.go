package problem

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// root stores Rᵀ U, from which results over all examples are computed without the examples.
func (p *ReducedRank) root(u []float64) {
	clear(p.rootsU)
	r := p.rank
	for a, root := range p.data.roots {
		for b, ub := range u[a*r : (a+1)*r] {
			addScaled(p.rootsColumn(b)[:len(root)], ub, root)
		}
	}
}

func (p *ReducedRank) rootsColumn(b int) []float64 {
	n := p.data.rank
	return p.rootsU[b*n : (b+1)*n]
}

// rootedErrors stores Rᵀ(U V_k − c_k) in rooted.
func (p *ReducedRank) rootedErrors(k int, v []float64) {
	setScaled(p.rooted, -1, p.data.targets[k])
	for b := range p.rank {
		addScaled(p.rooted, v[b*p.data.responses+k], p.rootsColumn(b))
	}
}

// wholeValue returns f_k at U and V. Call root and set columns first. wholeValue returns at least 0, because rounding
// errors might make a value of 0 negative.
func (p *ReducedRank) wholeValue(k int, v []float64) float64 {
	p.rootedErrors(k, v)
	value := portable.Dot(p.rooted, p.rooted) + p.data.least[k] - p.data.offsets[k]
	for b := range p.rank {
		value += float64(v[b*p.data.responses+k] * portable.Dot(p.column(b), p.data.remainder[k]))
	}
	return max(0, value)
}

// wholeSlope stores g[from:to] of objective k in outer. The field inner must contain U V_k.
func (p *ReducedRank) wholeSlope(k, from, to int) {
	setScaled(p.rooted, -1, p.data.targets[k])
	for a, root := range p.data.roots {
		addScaled(p.rooted[:len(root)], p.inner[a], root)
	}
	for a := from; a < to; a++ {
		p.outer[a] = p.data.remainder[k][a] + float64(2*portable.Dot(p.data.roots[a], p.rooted))
	}
}

// wholeWeighted adds the gradient of Σ w_k f_k at U and V to the fields pulls and v. It uses the columns of U.
func (p *ReducedRank) wholeWeighted(part part, w, u, v []float64) {
	p.root(u)
	d, q := p.data.features, p.data.responses
	for k, wk := range w {
		p.rootedErrors(k, v)
		for a := part.from; a < part.to; a++ {
			g := wk * (p.data.remainder[k][a] + float64(2*portable.Dot(p.data.roots[a], p.rooted)))
			for b := range p.rank {
				p.pulls[b*d+a] += float64(g * v[b*q+k])
			}
		}
		for b := range p.rank {
			g := float64(2*portable.Dot(p.rootsColumn(b), p.rooted)) + portable.Dot(p.column(b), p.data.remainder[k])
			p.v[b*q+k] += float64(wk * g)
		}
	}
}

// LowerBounds returns the minimum of each f_k, regardless of the other responses. It returns nil for more than
// RegressionSolvable features. The caller must not modify the slice.
func (p *ReducedRank) LowerBounds() []float64 { return p.data.least }

// Minimum returns U and V that minimise Σ λ_k f_k. U V is the best approximation of rank r to the least-squares fit
// of all responses, in units of 1/√λ_k. Each column of U has the same length as the corresponding row of V. A
// response without weight is fitted as well as the directions of the other responses allow.
//
// The weights must be finite, not negative and not all zero; only their ratios matter. Minimum returns an
// *algo.RangeError for invalid weights and for more than RegressionSolvable features. It panics unless there are q
// weights.
//
// References:
//   - Eckart & Young (1936), The approximation of one matrix by another of lower rank, Psychometrika 1.
//   - Reinsel & Velu (1998), Multivariate reduced-rank regression, chapter 2.
func (p *ReducedRank) Minimum(lambda []float64) ([]float64, error) {
	relative, err := relativeWeights(lambda, p.data.responses)
	if err != nil {
		return nil, err
	}
	if p.data.roots == nil {
		return nil, &algo.RangeError{
			Name: "features", Value: p.data.features, Allowed: fmt.Sprintf("at most %d", RegressionSolvable),
			Text: fmt.Sprintf("the minimiser is not computed for %d features, only for at most %d", p.data.features, RegressionSolvable),
		}
	}
	d, q := p.data.features, p.data.responses
	// The fit is X·C for C = (c_1 … c_q), and Rᵀ·C has the same inner products.
	fit := matrix(q, p.data.rank)
	for k, l := range relative {
		addScaled(fit[k], math.Sqrt(l), p.data.targets[k])
	}
	exponent := normalize(fit)
	right := singular(fit)
	x := make([]float64, (d+q)*p.rank)
	u, v := p.factors(x)
	direction, loadings := make([]float64, d), make([]float64, q)
	longest := portable.Norm(fit[0])
	for b := range p.rank {
		length := portable.Norm(fit[b])
		if length <= leastPivot*float64(q)*longest {
			break
		}
		clear(direction)
		for k, l := range relative {
			addScaled(direction, math.Ldexp(math.Sqrt(l)*right[b][k]/length, -exponent), p.data.solutions[k])
			loadings[k] = portable.Dot(fit[b], p.data.targets[k]) / length
		}
		balance := math.Sqrt(portable.Norm(loadings)) / math.Sqrt(portable.Norm(direction))
		for a, w := range direction {
			u[a*p.rank+b] = balance * w
		}
		for k, w := range loadings {
			v[b*q+k] = w / balance
		}
	}
	return x, nil
}

// normalize divides a matrix by a power of two, so that its largest entry is between ½ and 1, and returns the
// exponent. Squares are then far from overflow and underflow.
func normalize(m [][]float64) (exponent int) {
	var largest float64
	for _, row := range m {
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
	}
	_, exponent = math.Frexp(largest)
	for _, row := range m {
		for j, v := range row {
			row[j] = math.Ldexp(v, -exponent)
		}
	}
	return exponent
}
