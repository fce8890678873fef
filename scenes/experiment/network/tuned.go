package network

import "paretoplay/algo/descent"

// usualStepSize is the step size of what is not tuned.
const usualStepSize = 0.01

// tuned are the step sizes that do best in Tuning, by set of tasks.
var tuned = map[int]map[Variant]float64{}

// StepSize is the step size with which a variant trains a network of so many tasks: the one that tuning has found.
func StepSize(tasks int, v Variant) float64 {
	if eta, known := tuned[tasks][v]; known {
		return eta
	}
	if v.Optimizer == descent.Plain {
		return 1
	}
	return usualStepSize
}
