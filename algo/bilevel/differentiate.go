package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// Mode selects the order in which the chain rule is applied to the lower level's loop. All modes give the same
// hypergradients up to rounding, but at different costs.
type Mode string

const (
	// Reverse stores the T points of the loop, and goes backward through them once for each objective. It needs pT
	// + mp floats and mT products with the lower Hessian.
	Reverse Mode = "reverse"
	// Forward updates dω̃^t/dα along with the loop. It needs np floats, independent of T, and nT products with the
	// lower Hessian.
	Forward Mode = "forward"
)

// differentiator computes hypergradients of the upper objectives by iterative
// differentiation of the lower level's loop,
//
//	h_i = ∇_αF_i + (dω̃^T/dα)ᵀ∇_ωF_i   at (α, ω̃^T),
//
// where ω̃^T depends on α through the gradients of the T steps. The loop's start is treated as a constant. By the chain
// rule, with H = ∇²_ωω f and C = ∇²_ωα f at (α, ω̃^t),
//
//	Forward:  J_0 = 0, J_{t+1} = J_t − η(HJ_t + C)          dω̃^T/dα = J_T
//	Reverse:  v_T = ∇_ωF_i, v_t = v_{t+1} − ηHv_{t+1}        h_i = ∇_αF_i − η Σ_t Cᵀv_{t+1}
//
// (Cᵀv, Hv) is the lower Hessian's product with (0, v). Column j of HJ + C is the ω part of the product with (e_j,
// J_j). Each of the two counts as one product.
//
// References:
//   - Franceschi, Donini, Frasconi & Pontil (2017), Forward and reverse
//     gradient-based hyperparameter optimization, ICML, Algorithms 1 and 2.
type differentiator struct {
	problem algo.LowerHessian
	mode    Mode
	n, p, m int
	yielder *algo.Yielder
	labour  int // units of work per product

	points      []float64      // Reverse: rows ω̃^0 … ω̃^{T−1}
	sensitivity []float64      // Forward: row j is ∂ω̃^t/∂α_j, n rows of length p
	unit        []float64      // Forward: a unit vector with n entries
	omegaPart   []float64      // ω part of a product, length p
	alphaPart   []float64      // α part of a product, length n
	z           []float64      // (α, ω̃^t), while going backward
	f           []float64      // F at (α, ω̃^T)
	upper       *algo.Jacobian // rows ∇F_i at (α, ω̃^T), overwritten by (h_i, v_i)
	hyper       *algo.Jacobian // m×n, rows h_i
}

func newDifferentiator(problem algo.LowerHessian, mode Mode) (*differentiator, error) {
	if err := choice.Settle(&mode, "mode", Reverse, Forward); err != nil {
		return nil, err
	}
	n, p, m := problem.Dims()
	d := &differentiator{
		problem: problem, mode: mode, n: n, p: p, m: m, f: make([]float64, m),
		alphaPart: make([]float64, n), omegaPart: make([]float64, p),
		upper: algo.NewJacobian(m, n+p), hyper: algo.NewJacobian(m, n), labour: algo.LabourOf(problem, n+p),
	}
	if mode == Forward {
		d.sensitivity, d.unit = make([]float64, n*p), make([]float64, n)
	} else {
		d.z = make([]float64, n+p)
	}
	return d, nil
}

// run takes all steps of b's loop from z_k and leaves ω̃^T in the loop. It stores F at the loop's end, and the
// hypergradients. It returns the quantity that is not finite, if any.
func (d *differentiator) run(b *base) quantity {
	l := &b.loop
	steps, eta := l.config.Steps, l.config.StepSize
	if need := steps * d.p; d.mode == Reverse && len(d.points) < need {
		d.points = make([]float64, need)
	}
	clear(d.sensitivity)
	l.begin(b.z)
	for t := range steps {
		if d.mode == Forward {
			d.push(l.point, eta)
		} else {
			copy(d.points[t*d.p:(t+1)*d.p], l.omega)
		}
		if !l.advance(nil, &b.ledger) {
			return lowerLoop
		}
	}
	if d.problem.Values(d.f, l.point); !algo.Finite(d.f) {
		return objective
	}
	if !b.jacobianAt(d.upper, l.point) {
		return upperGradient
	}
	if d.mode == Forward {
		d.contract()
	} else {
		d.unroll(l.alpha, steps, eta)
	}
	b.ledger.Cost.HessianVectorProducts += d.products(steps)
	for i := range d.m {
		copy(d.hyper.Row(i), d.upper.Row(i)[:d.n])
	}
	if !algo.Finite(d.hyper.Data) {
		return hypergradient
	}
	return nothing
}

// push updates J_t to J_{t+1} at the point z.
func (d *differentiator) push(z []float64, eta float64) {
	for j := range d.n {
		d.yielder.Yield(2 * d.labour)
		column := d.sensitivity[j*d.p : (j+1)*d.p]
		d.problem.HessianOmegaOmega(d.omegaPart, z, column)
		subtract(column, eta, d.omegaPart)
		d.unit[j] = 1
		d.problem.HessianOmegaAlpha(d.omegaPart, z, d.unit)
		d.unit[j] = 0
		subtract(column, eta, d.omegaPart)
	}
}

// contract adds J_Tᵀ∇_ωF_i to ∇_αF_i.
func (d *differentiator) contract() {
	for i := range d.m {
		row := d.upper.Row(i)
		for j := range d.n {
			row[j] += portable.Dot(d.sensitivity[j*d.p:(j+1)*d.p], row[d.n:])
		}
	}
}

// unroll goes backward through the points of the loop, updating every v_i.
func (d *differentiator) unroll(alpha []float64, steps int, eta float64) {
	copy(d.z, alpha)
	for t := steps - 1; t >= 0; t-- {
		copy(d.z[d.n:], d.points[t*d.p:(t+1)*d.p])
		for i := range d.m {
			d.pull(d.upper.Row(i), d.z, eta)
		}
	}
}

// pull updates (h_i, v_{t+1}) to (h_i, v_t) at the point (α, ω̃^t).
func (d *differentiator) pull(row, z []float64, eta float64) {
	v := row[d.n:]
	d.yielder.Yield(2 * d.labour)
	d.problem.HessianAlphaOmega(d.alphaPart, z, v)
	subtract(row[:d.n], eta, d.alphaPart)
	d.problem.HessianOmegaOmega(d.omegaPart, z, v)
	subtract(v, eta, d.omegaPart)
}

// products returns the number of products with the lower Hessian that a run with the given number of steps needs.
func (d *differentiator) products(steps int) int {
	if d.mode == Forward {
		return d.n * steps
	}
	return d.m * steps
}

// floats returns the number of floats that a run with the given number of steps needs in addition to the loop's ω̃ and
// gradient. These are ∇F_i or (h_i, v_i) for every objective, and J or the points of the loop. A product with the
// Hessian can share the gradient's storage.
func (d *differentiator) floats(steps int) int {
	gradients := d.m * (d.n + d.p)
	if d.mode == Forward {
		return gradients + d.n*d.p
	}
	return gradients + steps*d.p
}

// subtract computes x ← x − scale·d.
func subtract(x []float64, scale float64, d []float64) { portable.AddScaled(x, -scale, d) }
