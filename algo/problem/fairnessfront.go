package problem

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// ParetoPoint stores in theta the minimiser of f1 + μ·f2 on the training points, for μ ≥ 0. With increasing μ these
// points run along the Pareto set, from the θ with the smallest loss to the fairest useful θ. For μ = ∞ the result is
// the minimiser of f1 where f2 is 0. The result is as accurate as float64 allows, unless a line separates the
// classes. In that case there is no minimiser, and theta is a point of small loss.
//
// ParetoPoint uses Newton's method and halves steps if necessary. It yields before every evaluation unless yielder is
// nil.
func (p *Fairness) ParetoPoint(theta []float64, mu float64, yielder *algo.Yielder) {
	s := &p.parts[0]
	c := s.covariance
	theta[0], theta[1] = 0, 0
	along := math.IsInf(mu, 1)
	var direction [dimensions]float64 // direction of the line f2 = 0
	if length := portable.Hypot(c[0], c[1]); along && length > 0 {
		direction = [dimensions]float64{-c[1] / length, c[0] / length}
	} else if along {
		along, mu = false, 0 // f2 is 0 everywhere
	}
	objective := func(x []float64) float64 {
		yielder.Yield(p.Labour())
		var f [2]float64
		s.Values(f[:], x)
		if along {
			return f[0]
		}
		return f[0] + float64(mu*f[1])
	}
	const rounds, halvings = 100, 40
	value := objective(theta)
	for range rounds {
		yielder.Yield(p.Labour())
		gradient, hessian := s.curvature(theta)
		var step [dimensions]float64
		if along {
			slope := float64(gradient[0]*direction[0]) + float64(gradient[1]*direction[1])
			bend := float64(hessian[0]*direction[0]*direction[0]) + float64(2*hessian[1]*direction[0]*direction[1]) +
				float64(hessian[2]*direction[1]*direction[1])
			step = [dimensions]float64{slope / bend * direction[0], slope / bend * direction[1]}
		} else {
			product := s.product(theta)
			gradient[0] += float64(2 * mu * product * c[0])
			gradient[1] += float64(2 * mu * product * c[1])
			xx, xy, yy := hessian[0]+float64(2*mu*c[0]*c[0]), hessian[1]+float64(2*mu*c[0]*c[1]), hessian[2]+float64(2*mu*c[1]*c[1])
			determinant := float64(xx*yy) - float64(xy*xy)
			step = [dimensions]float64{(float64(yy*gradient[0]) - float64(xy*gradient[1])) / determinant,
				(float64(xx*gradient[1]) - float64(xy*gradient[0])) / determinant}
		}
		if step[0]-step[0] != 0 || step[1]-step[1] != 0 {
			return // flat except for rounding errors
		}
		// The last steps are so short that their squares are negligible compared with θ.
		const short = 1e-9
		if portable.Hypot(step[0], step[1]) <= short*portable.Hypot(theta[0], theta[1]) {
			theta[0], theta[1] = theta[0]-step[0], theta[1]-step[1]
			return
		}
		better := false
		for range halvings {
			next := [dimensions]float64{theta[0] - step[0], theta[1] - step[1]}
			if v := objective(next[:]); v < value {
				copy(theta, next[:])
				value, better = v, true
				break
			}
			step[0], step[1] = step[0]/2, step[1]/2
		}
		if !better {
			return
		}
	}
}

// curvature returns the gradient of f1 and the entries xx, xy and yy of its Hessian.
func (s *FairnessSample) curvature(theta []float64) (gradient [dimensions]float64, hessian [3]float64) {
	scale := 1 / float64(s.Len())
	for j, y := range s.Y {
		a, b := s.X[dimensions*j], s.X[dimensions*j+1]
		wrong := portable.Sigmoid(-y * (float64(a*theta[0]) + float64(b*theta[1])))
		gradient[0] -= float64(scale * y * wrong * a)
		gradient[1] -= float64(scale * y * wrong * b)
		w := scale * wrong * (1 - wrong)
		hessian[0] += float64(w * a * a)
		hessian[1] += float64(w * a * b)
		hessian[2] += float64(w * b * b)
	}
	return gradient, hessian
}
