package ordering_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"paretoplay/algo/ordering"
)

// Every machine must reproduce this hash exactly: signs decide orders, and one different bit can change a sign.
const bits = 0x1da35851ee9e00a0

// TestSameBitsEverywhere hashes iterates, orders, sums and measures for every kind and rule, and compares the hash with
// the constant bits. It uses both short and long vectors, because different code sums them.
func TestSameBitsEverywhere(t *testing.T) {
	hash := fnv.New64a()
	number := func(values ...float64) {
		for _, v := range values {
			hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	for _, d := range []int{3, 41} {
		p := diagonal(t, 3, 12, d)
		for _, k := range kinds() {
			for _, rule := range signRules {
				s, meter := newRun(t, ordering.Config{
					Problem: p, Start: make([]float64, d), Batch: 2, Kind: k.Kind, Own: k.own, Signs: rule, StepSize: 0.1, Seed: 3,
				}), ordering.NewMeter(p, 2)
				meter.Hear(s)
				for range 20 {
					steps(t, s, 1)
					e := meter.Hear(s)
					number(s.View().X...)
					number(e.H, e.Drift)
					if k.Balances() {
						number(s.Sum(2)...)
						number(s.SignBound())
					}
					for _, order := range s.Orders() {
						for _, example := range order {
							number(float64(example))
						}
					}
				}
			}
		}
		for _, rule := range signRules {
			c, err := ordering.Estimate(p, make([]float64, d), 2, ordering.AsPublished, rule)
			if err != nil {
				t.Fatal(err)
			}
			number(c.Gap, c.Lipschitz, c.Smoothness, c.Deviation, c.Balance, c.RandomStepSize(6, 9), c.JoGBaStepSize(6, 9))
		}
	}
	if got := hash.Sum64(); got != bits {
		t.Errorf("the hash is %#x, want %#x", got, uint64(bits))
	}
}
