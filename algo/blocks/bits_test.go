package blocks_test

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"testing"

	"paretoplay/algo/blocks"
)

// TestSameBitsEverywhere hashes cycles, and the points, outputs and measures of all kinds of runs, including noisy runs
// and runs on batches. The hashes must be the same on every machine, to the last bit.
func TestSameBitsEverywhere(t *testing.T) {
	const want = 0x7ee3cf22416707b9
	hash := fnv.New64a()
	number := func(values ...float64) {
		for _, v := range values {
			hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	all := kinds(t, 0.2)
	batches := all["blocksmoo"]
	batches.Problem, batches.Batch = examples(t), 3
	all["batches"] = batches
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := newRun(t, all[name])
		meter := blocks.NewMeter(trio(t, 0), s.Weights(), make([]float64, 4))
		meter.Hear(s)
		for range 50 {
			steps(t, s, 1)
			m := meter.Hear(s)
			number(s.View().X...)
			number(s.View().F...)
			number(m.Loss, m.SquaredGradient, m.Sigma, m.Reach)
		}
		number(s.Average()...)
		x, _ := s.Uniform()
		number(x...)
	}
	for _, update := range allUpdates {
		c := all["contiguous, gaussseidel"]
		c.Update = update
		cycle, err := blocks.NewCycle(c)
		if err != nil {
			t.Fatal(err)
		}
		number(cycle.Radius, cycle.Diameter())
		number(cycle.Points[0]...)
		x := make([]float64, 4)
		w := newRun(t, c).Weights()
		if err := trio(t, 0).ParetoPoint(x, w); err != nil {
			t.Fatal(err)
		}
		mu, err := trio(t, 0).WeightedConvexity(w)
		if err != nil {
			t.Fatal(err)
		}
		number(append(x, mu)...)
	}
	if got := hash.Sum64(); got != want {
		t.Errorf("the hash is %#x, want %#x", got, uint64(want))
	}
}
