package algotest

import "paretoplay/algo"

const (
	breathSteps    = 5
	breathsGivenUp = 12 // in a step, evenly
)

// checkBreath checks a stepper that takes breath; others pass.
func checkBreath(t T, construct func() algo.Stepper) {
	t.Helper()
	plain, resting, parted := construct(), construct(), construct()
	if _, can := plain.(algo.Breathing); !can {
		return
	}
	rests, giveUp := 0, -1
	breath := algo.NewBreath(1, func(int) {
		if rests++; rests == giveUp {
			panic(givenUp{})
		}
	})
	algo.BreatheThrough(resting, breath)
	algo.BreatheThrough(parted, breath)
	for range breathSteps {
		rests = 0
		want, got := advance(t, plain, 1), advance(t, resting, 1)
		compareRuns(t, "a step that takes breath", got, want)
		if rests == 0 {
			t.Errorf("a Breathing stepper takes no breath in the step to K = %d", plain.View().K)
			return
		}
		var before algo.Snapshot
		parted.Save(&before)
		for _, giveUp = range breathsIn(rests) {
			rests = 0
			fault := recovered(func() { _, _ = parted.Step() })
			if fault != any(givenUp{}) {
				t.Errorf("a step that is given up at breath %d ends with %v", giveUp, fault)
			}
			before.Rewind()
			parted.Load(&before)
		}
		giveUp = -1
		compareRuns(t, "a step after one that was given up", advance(t, parted, 1), want)
		if len(want) == 0 || want[0].status != algo.Running {
			return
		}
	}
	noAllocations(t, "Step with breath", func() {
		if _, err := resting.Step(); err != nil {
			t.Errorf("Step: %v", err)
		}
	})
}

// givenUp is what a step is given up with.
type givenUp struct{}

// breathsIn returns some of a step's breaths, counted from 1, the first and the last among them.
func breathsIn(rests int) []int {
	out := []int{1}
	for i := range breathsGivenUp {
		if at := 1 + (rests-1)*(i+1)/breathsGivenUp; at != out[len(out)-1] {
			out = append(out, at)
		}
	}
	return out
}
