package orders

import (
	"paretoplay/algo"
	"paretoplay/algo/ordering"
)

// Timed makes the stepper of a method, and one that asks for the same gradients and decides
// weights likewise in an order that stays: what it takes longer to step is the ordering. Their
// steps are so small that runs stay where they start.
func (r *Roster) Timed(method string, c *Course) (own, kept algo.Stepper, err error) {
	config, err := r.config(c)
	if err != nil {
		return nil, nil, err
	}
	const tiny = 1e-9
	config.Schedule, config.StepSize = ordering.Constant, tiny
	kind, each := Kind(method)
	config.Kind, config.Own = kind, each && !kind.Balances()
	if own, err = ordering.New(config); err != nil {
		return nil, nil, err
	}
	if config, err = r.config(c); err != nil { // a weighting of its own
		return nil, nil, err
	}
	config.Schedule, config.StepSize = ordering.Constant, tiny
	config.Kind, config.Own, config.EveryGradient = ordering.ShuffleOnce, each, each || kind.Balances()
	kept, err = ordering.New(config)
	return own, kept, err
}
