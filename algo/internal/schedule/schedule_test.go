package schedule

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
)

// TestConstants checks that a missing constant is taken from the problem, and that all constants are checked.
func TestConstants(t *testing.T) {
	lacking := &algo.RangeError{Name: "schedule"}
	l, own, none := 0.0, 3.0, 0.0
	if err := Lipschitz(&l, stated{}, lacking); err != nil || l != 2 {
		t.Errorf("L = %v, %v", l, err)
	}
	if err := Lipschitz(&own, stated{}, lacking); err != nil || own != 3 {
		t.Errorf("L = %v, %v", own, err)
	}
	if err := Lipschitz(&none, silent{}, lacking); !errors.Is(err, lacking) {
		t.Errorf("without a constant: %v", err)
	}
	if Convexity(stated{}) != 0.5 || Convexity(silent{}) != 0 {
		t.Errorf("μ = %v and %v", Convexity(stated{}), Convexity(silent{}))
	}
	for _, wrong := range []error{Positive("eta", "it", 0), Positive("eta", "it", math.NaN()),
		Positive("eta", "it", math.Inf(1)), Horizon(0, "")} {
		var refused *algo.RangeError
		if !errors.As(wrong, &refused) {
			t.Errorf("error %v", wrong)
		}
	}
	if err := errors.Join(Positive("eta", "it", 1), Horizon(1, "")); err != nil {
		t.Error(err)
	}
}

type silent struct{ algo.Problem }

type stated struct{ silent }

func (stated) Lipschitz() float64       { return 2 }
func (stated) StrongConvexity() float64 { return 0.5 }

// TestShuffle checks that all orders of three numbers are about equally frequent.
func TestShuffle(t *testing.T) {
	source := rand.NewPCG(1, 2)
	seen := map[[3]int]int{}
	for range 6000 {
		var list [3]int
		Count(list[:])
		Shuffle(list[:], source)
		seen[list]++
		if slices.Sort(list[:]); list != [3]int{0, 1, 2} {
			t.Fatalf("got %v, want an order of three", list)
		}
	}
	for order, times := range seen {
		if len(seen) != 6 || times < 850 || times > 1150 {
			t.Errorf("%v is drawn %d times of 6000; %d orders", order, times, len(seen))
		}
	}
}
