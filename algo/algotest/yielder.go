package algotest

import "paretoplay/algo"

const (
	yieldSteps    = 5
	yieldsGivenUp = 12 // number of evenly spread yields at which each step is abandoned, besides its first; fewer in short steps
)

// checkYields checks a stepper that yields. It ignores other steppers.
func checkYields(t T, construct func() algo.Stepper) {
	t.Helper()
	plain, resting, parted := construct(), construct(), construct()
	if _, can := plain.(algo.Yielding); !can {
		return
	}
	rests, giveUp := 0, -1
	yielder := algo.NewYielder(1, func(int) {
		if rests++; rests == giveUp {
			panic(givenUp{})
		}
	})
	algo.PassYielder(resting, yielder)
	algo.PassYielder(parted, yielder)
	for range yieldSteps {
		rests = 0
		want, got := advance(t, plain, 1), advance(t, resting, 1)
		compareRuns(t, "a step that yields", got, want)
		if rests == 0 {
			t.Errorf("a Yielding stepper does not yield in the step to K = %d", plain.View().K)
			return
		}
		var before algo.Snapshot
		parted.Save(&before)
		for _, giveUp = range yieldsIn(rests) {
			rests = 0
			fault := recovered(func() { _, _ = parted.Step() })
			if fault != any(givenUp{}) {
				t.Errorf("a step abandoned at yield %d ends with %v", giveUp, fault)
			}
			before.Rewind()
			parted.Load(&before)
		}
		giveUp = -1
		compareRuns(t, "a step after an abandoned one", advance(t, parted, 1), want)
		if len(want) == 0 || want[0].status != algo.Running {
			return
		}
	}
	noAllocations(t, "Step with a yielder", func() {
		if _, err := resting.Step(); err != nil {
			t.Errorf("Step: %v", err)
		}
	})
}

// givenUp is the panic value with which a step is abandoned.
type givenUp struct{}

// yieldsIn returns the numbers, counted from 1, of some evenly spread yields of a step that yields rests times. The
// first and the last yield are among them.
func yieldsIn(rests int) []int {
	out := []int{1}
	for i := range yieldsGivenUp {
		if at := 1 + (rests-1)*(i+1)/yieldsGivenUp; at != out[len(out)-1] {
			out = append(out, at)
		}
	}
	return out
}
