package scenetest

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"paretoplay/internal/engine/scene"
)

// Ended computes facts of a scene at the end of its runs, once for each setting and seed. Several claims may request them
// concurrently.
type Ended[S interface {
	Playable
	Facts() []scene.Fact
}] struct {
	New func() S
	// Alone is true if the scene can run several seeds at once but must run only one here.
	Alone bool
	// Beside names parameters that do not change any fact. Settings that differ only in these parameters share their
	// runs.
	Beside []string
	known  sync.Map
}

// Facts returns the named fact for each of the first seeds of SeedList, with the given values. All facts must be
// numbers, not NaN.
func (e *Ended[S]) Facts(t testing.TB, set map[string]string, seeds int, name string) []float64 {
	t.Helper()
	return e.FactsOn(t, set, SeedList(seeds), name)
}

// FactsOn is like Facts, but for a list of seeds.
func (e *Ended[S]) FactsOn(t testing.TB, set map[string]string, seeds []int, name string) (list []float64) {
	t.Helper()
	for _, seed := range seeds {
		list = append(list, e.Fact(t, set, seed, name))
	}
	return list
}

// Fact returns the named fact with the given values and seed. The fact must be a number, not NaN.
func (e *Ended[S]) Fact(t testing.TB, set map[string]string, seed int, name string) float64 {
	t.Helper()
	v, there := e.on(t, set, seed)[name]
	if !there || math.IsNaN(v) {
		t.Fatalf("unknown fact %s", name)
	}
	return v
}

// Reached is like Facts, for a fact that is the cost of reaching a goal. The cost is +Inf for seeds with which the goal
// is not reached.
func (e *Ended[S]) Reached(t testing.TB, set map[string]string, seeds int, name string) []float64 {
	t.Helper()
	var list []float64
	for _, seed := range SeedList(seeds) {
		v, there := e.on(t, set, seed)[name]
		if !there {
			t.Fatalf("unknown fact %s", name)
		}
		if math.IsNaN(v) {
			v = math.Inf(1)
		}
		list = append(list, v)
	}
	return list
}

// on returns all facts with the given values and seed.
func (e *Ended[S]) on(t testing.TB, set map[string]string, seed int) map[string]float64 {
	t.Helper()
	set = maps.Clone(set)
	for _, beside := range e.Beside {
		delete(set, beside)
	}
	if e.Alone {
		set["seeds"] = "1"
	}
	set["seed"] = strconv.Itoa(seed)
	key := ""
	for _, k := range slices.Sorted(maps.Keys(set)) {
		key += "&" + k + "=" + set[k]
	}
	compute, _ := e.known.LoadOrStore(key, sync.OnceValue(func() map[string]float64 {
		s := Open(t, e.New(), set)
		Step(t, s, -1)
		facts := map[string]float64{}
		for _, f := range s.Facts() {
			facts[f.Name] = f.Value()
		}
		return facts
	}))
	return compute.(func() map[string]float64)()
}

// Values returns the values of a card, or none if card is "". further lists alternating names and values to add.
func Values(t testing.TB, presets []scene.Preset, card string, further ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if card != "" {
		out = maps.Clone(Preset(t, presets, card).Values)
	}
	for i := 0; i < len(further); i += 2 {
		out[further[i]] = further[i+1]
	}
	return out
}
