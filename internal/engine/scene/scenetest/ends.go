package scenetest

import (
	"strings"
	"sync"
	"testing"

	"paretoplay/internal/engine/scene"
)

// end is a scene at the end of its runs, as it was then.
type end struct {
	once     sync.Once
	scene    scene.Scene
	selected string
}

// ends are the ends that the tests of a package have asked for, by scene and values: texts and tests that
// speak of the same runs share them.
var ends = struct {
	sync.Mutex
	known map[string]*end
}{known: map[string]*end{}}

// End is a scene with some values, by name, at the end of its runs, computed once for a package. It is not
// safe for concurrent use.
func End(t testing.TB, a scene.About, values map[string]string) scene.Scene {
	t.Helper()
	c := &Card{about: a, values: values}
	return ended(t, a, c.unbegun(t))
}

// settled describes a scene's values.
func settled(a scene.About, s scene.Scene) string {
	var b strings.Builder
	b.WriteString(a.ID)
	for _, d := range s.Params().Descriptors() {
		b.WriteString("\n" + d.Name + "=" + s.Params().Text(d.Name))
	}
	return b.String()
}

// ended returns the end of the runs that a scene has from its values, computed once. Its marker is at the
// end, and its first selection holds. Where a test changed values of the kept scene, the runs are computed
// again. What it returns is not safe for concurrent use.
func ended(t testing.TB, a scene.About, s scene.Scene) scene.Scene {
	t.Helper()
	s.Params().Fit()
	key := settled(a, s)
	for {
		e := endOf(key)
		e.once.Do(func() {
			begin(t, s)
			Finish(t, s)
			e.scene, e.selected = s, s.Timeline().SelectedName()
		})
		if e.scene == nil {
			t.Fatal("these runs did not come to their end")
		}
		if settled(a, e.scene) == key {
			line := e.scene.Timeline()
			line.SetMarker(line.Latest())
			line.Select(e.selected)
			return e.scene
		}
		ends.Lock()
		if ends.known[key] == e {
			delete(ends.known, key)
		}
		ends.Unlock()
	}
}

// endOf is the end that is kept for values, or is to be computed.
func endOf(key string) *end {
	ends.Lock()
	defer ends.Unlock()
	e := ends.known[key]
	if e == nil {
		e = &end{}
		ends.known[key] = e
	}
	return e
}
