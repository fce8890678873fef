package orderinggrid

import (
	"math"

	"paretoplay/internal/engine/runs/orders"
)

// paperTables contains Δm% from the paper's Tables 1 (NYUv2) and 2 (QM9), as means over three seeds, by weighting and
// order.
var paperTables = map[int]map[string]map[string]float64{
	1: {
		"mgda":    {orders.Random: 1.31, orders.FlipFlop: 1.58, orders.RandomFlipFlop: 1.28, orders.GraBShared: 1.25, orders.JoGBa: 1.19},
		"pcgrad":  {orders.Random: 3.97, orders.FlipFlop: 3.89, orders.RandomFlipFlop: 3.86, orders.GraBShared: 3.78, orders.JoGBa: 3.56},
		"cagrad":  {orders.Random: 0.20, orders.FlipFlop: 0.27, orders.RandomFlipFlop: 0.17, orders.GraBShared: 0.18, orders.JoGBa: 0.03},
		"nashmtl": {orders.Random: -4.04, orders.FlipFlop: -3.88, orders.RandomFlipFlop: -4.16, orders.GraBShared: -4.19, orders.JoGBa: -4.27},
	},
	2: {
		"mgda":    {orders.Random: 120.5, orders.FlipFlop: 121.4, orders.RandomFlipFlop: 118.9, orders.GraBShared: 118.4, orders.JoGBa: 116.7},
		"pcgrad":  {orders.Random: 125.7, orders.FlipFlop: 126.3, orders.RandomFlipFlop: 125.2, orders.GraBShared: 124.2, orders.JoGBa: 123.5},
		"cagrad":  {orders.Random: 112.8, orders.FlipFlop: 113.1, orders.RandomFlipFlop: 112.8, orders.GraBShared: 112.1, orders.JoGBa: 111.9},
		"nashmtl": {orders.Random: 62.0, orders.FlipFlop: 62.2, orders.RandomFlipFlop: 61.6, orders.GraBShared: 61.7, orders.JoGBa: 59.2},
	},
}

// Published returns Δm% (lower is better) of an order with a weighting, from the paper's Table 1 (NYUv2) or 2 (QM9).
// It returns NaN for values that the tables lack.
func Published(table int, weighting, order string) float64 {
	if v, has := paperTables[table][weighting][order]; has {
		return v
	}
	return math.NaN()
}
