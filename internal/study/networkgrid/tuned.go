package networkgrid

import (
	"slices"

	"paretoplay/algo/descent"
	"paretoplay/algo/weighting"
)

// usualStepSize is the step size of variants that are not tuned.
const usualStepSize = 0.01

// tuned lists, by task set and step size, the variants for which Tuning chose that step size.
var tuned = map[int]map[float64][]Variant{
	2: {
		0.002: {
			of(equal), of("rlw"), of("uw"), of("famo"), of("upgrad"), of("nashmtl"),
		},
		0.005: {
			every(8), of(mgda), of("cagrad"),
		},
	},
	8: {
		0.005: {
			every(8),
		},
		0.01: {
			of(equal), of("rlw"), of("uw"), of("famo"), of(mgda), of("upgrad"), of("nashmtl"), every(16),
			every(32), every(8).moving(0.5), every(8).moving(0.9), of(mgda).normalized(weighting.NormalizeL2),
			of(mgda).normalized(weighting.NormalizeLoss), of(mgda).normalized(weighting.NormalizeLossPlus),
			every(8).normalized(weighting.NormalizeL2), every(8).normalized(weighting.NormalizeLossPlus),
		},
		0.02: {
			of("cagrad"), every(2), every(4),
		},
	},
	40: {
		0.002: {
			every(8), every(2), every(4), every(16),
		},
		0.005: {
			of("rlw"), of(mgda), of("cagrad"), every(8).moving(0.5), every(8).moving(0.9),
		},
		0.01: {
			of(equal), of("uw"), of("famo"), of("upgrad"), of("nashmtl"), every(32),
			of(mgda).normalized(weighting.NormalizeL2), of(mgda).normalized(weighting.NormalizeLossPlus),
			every(8).normalized(weighting.NormalizeLossPlus),
		},
		0.02: {
			of(mgda).normalized(weighting.NormalizeLoss), every(8).normalized(weighting.NormalizeL2), of("uw").plain(),
		},
		0.1: {
			of("nashmtl").plain(),
		},
		0.2: {
			of(mgda).plain(),
		},
		0.5: {
			every(8).plain(),
		},
		1: {
			of(equal).plain(), of("rlw").plain(), of("cagrad").plain(), of("upgrad").plain(),
		},
		2: {
			of("famo").plain(),
		},
	},
}

// StepSize returns the tuned step size for training a variant on the given number of tasks.
func StepSize(tasks int, v Variant) float64 {
	for eta, variants := range tuned[tasks] {
		if slices.Contains(variants, v) {
			return eta
		}
	}
	if v.Optimizer == descent.Plain {
		return 1
	}
	return usualStepSize
}
