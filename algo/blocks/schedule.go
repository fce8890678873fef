package blocks

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Schedule determines the step size α_t in outer iteration t. It is constant within an outer iteration.
type Schedule string

const (
	// Constant uses α_t = α.
	Constant Schedule = "constant"
	// InverseSqrt uses α_t = 1/√T for the planned number T of outer iterations (Theorems 3.1 and 3.2). It ignores
	// StepSize.
	InverseSqrt Schedule = "invsqrt"
	// Printed uses α_t = 2/(μ(t+1)) (Theorem 3.3). This step size begins far above 1/L, and each block takes p such
	// steps. On ordinary quadratics, whose gradients are not bounded as the theorem requires, the iterates first move
	// away.
	Printed Schedule = "printed"
	// Safe uses α_t = 2/(pμ(t+1+t_0)) with t_0 = 2L/μ, where p is the number of steps per block in an outer iteration.
	// This step size is at most 1/(pL) and, like the step size of Printed, of order 1/t. Safe is not in the paper.
	Safe Schedule = "safe"
)

// stepSizes contains a schedule with its constants.
type stepSizes struct {
	schedule  Schedule
	constant  float64 // α
	horizon   int     // T
	steps     int     // p
	convexity float64 // μ
	lipschitz float64 // L
}

// stepSizes returns the configured step sizes without validating them. steps is the number of steps per block in an
// outer iteration.
func (c *Config) stepSizes(steps int) stepSizes {
	return stepSizes{
		schedule: c.Schedule, constant: c.StepSize, horizon: c.Horizon, steps: steps, convexity: c.StrongConvexity, lipschitz: c.Lipschitz,
	}
}

// check validates the schedule. It obtains missing constants from the problem, for the sum of the objectives with
// the given weights.
func (s *stepSizes) check(p algo.Problem, weights []float64) error {
	switch s.schedule {
	case InverseSqrt:
		return schedule.Horizon(s.horizon, fmt.Sprintf("the schedule %v needs the planned number of outer iterations", InverseSqrt))
	case Printed, Safe:
		if err := s.completeConvexity(p, weights); err != nil {
			return err
		}
		if s.schedule == Safe {
			return schedule.Lipschitz(&s.lipschitz, p, &algo.RangeError{Name: "schedule", Value: s.schedule,
				Allowed: "it needs a Lipschitz constant L of the gradients, but the problem provides none"})
		}
	}
	return nil
}

// completeConvexity determines μ. It uses the constant of the weighted sum if the problem provides one, otherwise a
// constant that holds for all weighted sums.
func (s *stepSizes) completeConvexity(p algo.Problem, weights []float64) error {
	if s.convexity == 0 {
		if own, ok := algo.Stated[interface {
			WeightedConvexity(w []float64) (float64, error)
		}](p); ok {
			var err error
			if s.convexity, err = own.WeightedConvexity(weights); err != nil {
				return err
			}
		} else {
			s.convexity = schedule.Convexity(p)
		}
	}
	if s.convexity == 0 {
		return &algo.RangeError{Name: "schedule", Value: s.schedule,
			Allowed: "it needs a constant μ > 0 of strong convexity, but the problem provides none"}
	}
	return schedule.Positive("strong convexity", "the constant μ", s.convexity)
}

// at returns α_t.
func (s *stepSizes) at(t int) float64 {
	switch s.schedule {
	case InverseSqrt:
		return 1 / math.Sqrt(float64(s.horizon))
	case Printed:
		return 2 / (s.convexity * float64(t+1))
	case Safe:
		// μ(t+1+2L/μ), written without a division by μ, which may be tiny.
		return 2 / (float64(s.steps) * (float64(s.convexity*float64(t+1)) + float64(2*s.lipschitz)))
	default:
		return s.constant
	}
}
