package ordering

import (
	"fmt"
	"math"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment"
)

// Size is one for which the time of a step is taken.
type Size struct {
	D     int // variables
	Batch int // samples of an example
	Steps int // of a measurement, the examples of an epoch
}

func (s Size) check() error {
	if s.D < 1 || s.Batch < 1 || s.Steps < 1 {
		return fmt.Errorf("variables = %d, batch = %d and steps = %d must be positive", s.D, s.Batch, s.Steps)
	}
	return nil
}

// measurements of each size, and the turns of each of them.
const measurements, turns = 9, 10

// costTasks is M where times are taken.
const costTasks = 2

// lossless is a problem whose losses are not evaluated: steppers show the losses of the
// whole after every step, which a training loop would not pay for.
type lossless struct{ ordering.Problem }

func (lossless) Values(f, _ []float64) { clear(f) }

// measure takes the seconds of a step of MGDA on least squares with shared inputs: with
// random orders, one for each objective, and with JoGBa's. It is the least of some epochs
// of each, which take turns, after one in which everything is allocated.
func (s Size) measure(seed uint64) ([]float64, error) {
	p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: costTasks, Examples: s.Steps * s.Batch, Variables: s.D,
		Condition: condition, Heterogeneity: heterogeneity, Noise: noise, SharedInputs: true, Seed: seed})
	if err != nil {
		return nil, err
	}
	var steppers []*ordering.Descent
	for _, kind := range []ordering.Kind{ordering.Random, ordering.JoGBa} {
		stepper, err := ordering.New(ordering.Config{Problem: lossless{p}, Batch: s.Batch, Kind: kind, Own: kind == ordering.Random,
			Start: make([]float64, s.D), StepSize: 1e-3 / float64(s.D), Seed: seed})
		if err != nil {
			return nil, err
		}
		if _, err := epoch(stepper); err != nil {
			return nil, err
		}
		steppers = append(steppers, stepper)
	}
	seconds := []float64{math.Inf(1), math.Inf(1)}
	for range turns {
		for i, stepper := range steppers {
			took, err := epoch(stepper)
			if err != nil {
				return nil, err
			}
			seconds[i] = min(seconds[i], experiment.Rounded(took, digits))
		}
	}
	return seconds, nil
}

// epoch returns the seconds of a step of the next epoch.
func epoch(s *ordering.Descent) (float64, error) {
	begun := time.Now()
	for range s.Examples() {
		if status, err := s.Step(); err != nil || status == algo.Diverged {
			return 0, fmt.Errorf("a step whose time is taken ends as %v: %w", status, err)
		}
	}
	return time.Since(begun).Seconds() / float64(s.Examples()), nil
}
