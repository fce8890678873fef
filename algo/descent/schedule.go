package descent

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/schedule"
)

// Schedule selects how PSMGD computes the step size η_t or the momentum α_t of the weights, where t counts from 0. The
// theorems are from the PSMGD paper, with every index shifted by one so that t = 0 is defined. Step size and momentum
// have separate schedules. A momentum that depends on η_t uses the current step size, regardless of the step size's
// schedule.
type Schedule string

const (
	// Constant is η_t = η and α_t = α, as in the paper's experiments.
	Constant Schedule = "constant"
	// Theorem35, for non-convex objectives, is η_t = η/√(t+1) and 1−α_t = min{1/√(t+1), 1/((t+1)·max_s|λ̂_t^s − λ^s|)},
	// where λ̂_t are the new weights and λ the weights used last. The second term is infinite if old and new weights
	// are equal.
	Theorem35 Schedule = "theorem35"
	// Theorem36, for convex objectives, is η_t = 1/√(t+1) and 1−α_t = min{1, η_t}. It does not use StepSize.
	Theorem36 Schedule = "theorem36"
	// Theorem37, for strongly convex objectives, is η_t = min{c/(t+1), 1/L} with c > 1/(2μ), and 1−α_t = min{1,
	// η_t²}. The paper prints a constant c/T here, for which the contraction tends to exp(−2μc) as T grows. The bound
	// stated in the paper requires c/(t+1).
	Theorem37 Schedule = "theorem37"
	// AsPrinted is the paper's theorem for strongly convex objectives as printed: η_t = c/T with a fixed horizon T,
	// and 1−α_t = min{1, η_t}. It does not converge: see Theorem37.
	AsPrinted Schedule = "asprinted"
)

func (s *Schedule) settle(name string) error {
	return choice.Settle(s, name, Constant, Theorem35, Theorem36, Theorem37, AsPrinted)
}

// stepSize returns η_t for the constant eta (η or c), the horizon T and the Lipschitz constant L.
func (s Schedule) stepSize(t int, eta float64, horizon int, lipschitz float64) float64 {
	switch s {
	case Theorem35:
		return eta / math.Sqrt(float64(t+1))
	case Theorem36:
		return 1 / math.Sqrt(float64(t+1))
	case Theorem37:
		return min(eta/float64(t+1), 1/lipschitz)
	case AsPrinted:
		return eta / float64(horizon)
	default:
		return eta
	}
}

// momentum returns α_t for the constant α, the step size η_t and the largest
// change max_s|λ̂_t^s − λ^s| of a weight.
func (s Schedule) momentum(t int, alpha, eta, change float64) float64 {
	switch s {
	case Theorem35:
		// If the change is zero, the second term is infinite, as intended.
		return 1 - min(1/math.Sqrt(float64(t+1)), 1/(float64(t+1)*change))
	case Theorem36, AsPrinted:
		return 1 - min(1, eta)
	case Theorem37:
		return 1 - min(1, eta*eta)
	default:
		return alpha
	}
}

// stepSizes holds a step size schedule with its constants.
type stepSizes struct {
	schedule        Schedule
	constant        float64 // η, or c
	horizon         int
	lipschitz       float64
	strongConvexity float64
}

// check validates the schedule and takes missing constants from the problem.
func (s *stepSizes) check(p algo.Problem) error {
	if err := s.schedule.settle("step size schedule"); err != nil {
		return err
	}
	switch s.schedule {
	case AsPrinted:
		return schedule.Horizon(s.horizon, fmt.Sprintf("the step size schedule %v needs the planned number of steps", AsPrinted))
	case Theorem37:
		if err := schedule.Lipschitz(&s.lipschitz, p, &algo.RangeError{Name: "lipschitz", Value: s.lipschitz,
			Allowed: fmt.Sprintf("the step size schedule %v needs a Lipschitz constant, and the problem states none", Theorem37)}); err != nil {
			return err
		}
		if s.strongConvexity == 0 {
			s.strongConvexity = schedule.Convexity(p)
		}
		if !(s.strongConvexity >= 0) || math.IsInf(s.strongConvexity, 1) {
			return &algo.RangeError{Name: "strong convexity", Value: s.strongConvexity, Allowed: "it must be finite, and positive or 0 for unknown"}
		}
	}
	return nil
}

// set sets the constant to eta.
func (s *stepSizes) set(eta float64) error {
	if err := schedule.Positive("eta", "the step size", eta); err != nil {
		return err
	}
	if s.schedule == Theorem37 && s.strongConvexity > 0 && eta <= 1/(2*s.strongConvexity) {
		return &algo.RangeError{Name: "eta", Value: eta,
			Allowed: fmt.Sprintf("the schedule %v needs more than 1/(2μ) = %v", Theorem37, 1/(2*s.strongConvexity))}
	}
	s.constant = eta
	return nil
}

// at returns η_t.
func (s *stepSizes) at(t int) float64 {
	return s.schedule.stepSize(t, s.constant, s.horizon, s.lipschitz)
}
