package scenetest

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"paretoplay/scenes/scene"
)

// Ended are the facts of a scene at the end of its runs, by settings and seed. They are computed once
// for each setting, however many claims ask for them at a time.
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

// Facts returns the fact of that name with some values, for as many seeds, from 1 on; all must be numbers.
func (e *Ended[S]) Facts(t testing.TB, set map[string]string, seeds int, name string) []float64 {
	t.Helper()
	set = maps.Clone(set)
	delete(set, "seed")
	if e.Alone {
		set["seeds"] = "1"
	}
	for _, beside := range e.Beside {
		delete(set, beside)
	}
	key := strconv.Itoa(seeds)
	for _, k := range slices.Sorted(maps.Keys(set)) {
		key += "&" + k + "=" + set[k]
	}
	compute, _ := e.known.LoadOrStore(key, sync.OnceValue(func() []map[string]float64 {
		out := make([]map[string]float64, seeds)
		for i := range out {
			set["seed"] = strconv.Itoa(i + 1)
			s := Open(t, e.New(), set)
			Step(t, s, -1)
			out[i] = map[string]float64{}
			for _, f := range s.Facts() {
				out[i][f.Name] = f.Value()
			}
		}
		return out
	}))
	var list []float64
	for _, all := range compute.(func() []map[string]float64)() {
		v, there := all[name]
		if !there || math.IsNaN(v) {
			t.Fatalf("there is no %s", name)
		}
		list = append(list, v)
	}
	return list
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
