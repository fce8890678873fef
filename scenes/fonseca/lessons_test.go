package fonseca

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// These tests cover statements of the lessons that the checks within the lessons cannot test.

// ended returns the scene at the end of its runs, after live changes.
func ended(t testing.TB, values map[string]string, changes ...string) *Scene {
	t.Helper()
	s := with(t, values)
	for i := 0; i < len(changes); i += 3 {
		k, err := strconv.Atoi(changes[i])
		if err != nil {
			t.Fatal(err)
		}
		s.Timeline().Change(k, changes[i+1], changes[i+2])
	}
	scenetest.Step(t, s, -1)
	return s
}

// lessonSeeds is the number of seeds on which the lessons' statements are tested.
const lessonSeeds = 20

// onSeeds returns, for each seed, a number taken at the end of the runs.
func onSeeds(t testing.TB, number func(s *Scene) float64, values map[string]string, changes ...string) (out []float64) {
	t.Helper()
	for _, seed := range scenetest.SeedList(lessonSeeds) {
		v := maps.Clone(values)
		v["seed"] = fmt.Sprint(seed)
		out = append(out, number(ended(t, v, changes...)))
	}
	return out
}

// fact returns a function that reads a fact of a scene.
func fact(t testing.TB, name string) func(s *Scene) float64 {
	return func(s *Scene) float64 { return scenetest.Fact(t, s.Facts(), name) }
}

// mostly fails unless at least nine in ten of the numbers are within the bounds. On fresh seeds, a smaller share is enough.
func mostly(t testing.TB, what string, got []float64, least, most float64) {
	t.Helper()
	share, within := 0.9, 0
	if scenetest.Fresh() {
		share = scenetest.FreshShare
	}
	for _, v := range got {
		if v >= least && v <= most {
			within++
		}
	}
	if float64(within) < share*float64(len(got))-1e-9 {
		t.Errorf("%s: %v, the lesson says %g to %g", what, got, least, most)
	}
}

// TestLessonOfFixedWeights checks that no weight leads to the middle of a front that bulges away from the origin. On a front that
// bulges towards the origin, each weight leads to a different point.
func TestLessonOfFixedWeights(t *testing.T) {
	values := func(lambda, problem string) map[string]string {
		return map[string]string{"method": "ls", "ls.weights": "given", "ls.lambda": lambda, "problem": problem, "budget": "60"}
	}
	for i := range 21 {
		s := ended(t, values(fmt.Sprint(float64(i)/20), problemFonseca))
		if middle := scenetest.Fact(t, s.Facts(), "middle.ls"); middle != 0 {
			t.Errorf("λ = %g leads %g to the middle", float64(i)/20, middle)
		}
	}
	for _, lambda := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
		mostly(t, "runs at an end with λ = "+lambda, onSeeds(t, fact(t, "collapsed.ls"), values(lambda, problemFonseca)), 10, 10)
	}
	// Along the front, the sum is smallest near both ends and largest in the middle.
	sum, ok := with(t, values("0.5", problemFonseca)).weightedSum()
	if !ok || !sum.interior || len(sum.least) != 2 {
		t.Fatalf("%+v", sum)
	}
	if math.Abs(sum.most[0]-sum.most[1]) > 1e-9 {
		t.Errorf("the sum is most at %v, not halfway", sum.most)
	}
	// With quadratic objectives every λ has its own point, where a line of equal sum touches the front.
	for lambda, want := range map[string][2]float64{"0.1": {0.81, 0.01}, "0.3": {0.49, 0.09}, "0.5": {0.25, 0.25}, "0.7": {0.09, 0.49},
		"0.9": {0.01, 0.81}} {
		s := ended(t, values(lambda, problemQuadratic))
		sum, ok := s.weightedSum()
		if !ok || sum.interior || len(sum.least) != 1 || math.Hypot(sum.least[0][0]-want[0], sum.least[0][1]-want[1]) > 1e-9 {
			t.Errorf("λ = %s: %+v", lambda, sum)
		}
		for _, r := range s.Timeline().Tracks() {
			if f := scenetest.Last(r).F; math.Hypot(f[0]-want[0], f[1]-want[1]) > 5e-4 {
				t.Errorf("λ = %s: %s ends at %v", lambda, r.Name(), f)
			}
		}
	}
}
