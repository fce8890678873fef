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

// Ended are the facts of a scene at the end of its runs, by settings and seed. They are computed once
// for each setting and seed, however many claims ask for them at a time.
type Ended[S interface {
	Playable
	Facts() []scene.Fact
}] struct {
	New func() S
	// Alone says that the scene can run several seeds at once, and is to run one.
	Alone bool
	// Beside are parameters that change no fact, which settings need not agree on.
	Beside []string
	known  sync.Map
}

// Facts returns the fact of that name with some values, for as many of the seeds that claims are asserted
// on; all must be numbers.
func (e *Ended[S]) Facts(t testing.TB, set map[string]string, seeds int, name string) []float64 {
	t.Helper()
	return e.FactsOn(t, set, SeedList(seeds), name)
}

// FactsOn is Facts for a list of seeds.
func (e *Ended[S]) FactsOn(t testing.TB, set map[string]string, seeds []int, name string) (list []float64) {
	t.Helper()
	for _, seed := range seeds {
		list = append(list, e.Fact(t, set, seed, name))
	}
	return list
}

// Fact returns the fact of that name with some values and a seed. It must be a number.
func (e *Ended[S]) Fact(t testing.TB, set map[string]string, seed int, name string) float64 {
	t.Helper()
	v, there := e.on(t, set, seed)[name]
	if !there || math.IsNaN(v) {
		t.Fatalf("there is no %s", name)
	}
	return v
}

// Reached is Facts for what runs need until they come somewhere: +Inf on the seeds where they do not.
func (e *Ended[S]) Reached(t testing.TB, set map[string]string, seeds int, name string) []float64 {
	t.Helper()
	var list []float64
	for _, seed := range SeedList(seeds) {
		v, there := e.on(t, set, seed)[name]
		if !there {
			t.Fatalf("there is no %s", name)
		}
		if math.IsNaN(v) {
			v = math.Inf(1)
		}
		list = append(list, v)
	}
	return list
}

// on are all facts with some values and a seed.
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

// Values returns the values of a card, "" for none, with further ones, names and values in turn.
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
