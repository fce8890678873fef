package scenetest

import (
	"strings"
	"sync"
	"testing"

	"paretoplay/internal/engine/scene"
)

// end holds a scene at the end of its runs, with its state at that time.
type end struct {
	once     sync.Once
	scene    scene.Scene
	selected string
}

// ends caches, by scene and values, the finished scenes that a package's tests have requested. Tests and text checks of
// the same runs share a scene.
var ends = struct {
	sync.Mutex
	known map[string]*end
}{known: map[string]*end{}}

// End returns a scene with the given values at the end of its runs. It computes the runs once per package. The scene is not safe
// for concurrent use.
func End(t testing.TB, a scene.About, values map[string]string) scene.Scene {
	t.Helper()
	c := &Card{about: a, values: values}
	return ended(t, a, c.unbegun(t))
}

// settled returns a key that identifies a scene with its values.
func settled(a scene.About, s scene.Scene) string {
	var b strings.Builder
	b.WriteString(a.ID)
	for _, d := range s.Params().Descriptors() {
		b.WriteString("\n" + d.Name + "=" + s.Params().Text(d.Name))
	}
	return b.String()
}

// ended plays a scene from its current values to the end of its runs. It returns the scene with the marker at the end and the
// initial selection restored. It computes the runs once, and again if a test has changed the values of the kept scene. The
// result is not safe for concurrent use.
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
			t.Fatal("the runs did not end")
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

// endOf returns the entry for a key. Its runs may not be computed yet.
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
