package race

import (
	"math"

	"paretoplay/algo/param"
)

// Slow is the speed that shows every step moment by moment.
const Slow = "slow"

// SlowMotion is the option of that speed; help says what the moments are.
func SlowMotion(help string) param.Option {
	return param.Option{Value: Slow, Label: "slow motion", Help: help}
}

// Linger moves the moment of a step on by some seconds through stages, each of which lasts so
// many, from 0; the i-th stage is over at i+1. With the last one the next step is due, and the
// moment is 0 again.
func Linger(moment float64, lasting []float64, seconds float64) (now float64, due bool) {
	end := float64(len(lasting))
	if moment >= end {
		moment = 0
	}
	for moment < end {
		stage := int(moment)
		left := (float64(stage+1) - moment) * lasting[stage]
		if seconds < left {
			moment += seconds / lasting[stage]
			break
		}
		seconds -= left
		moment = float64(stage + 1)
	}
	if due = moment >= end; due {
		moment = 0
	}
	return math.Round(1e4*moment) / 1e4, due // links stay short
}
