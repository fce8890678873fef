package browser

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var measureTasks = flag.Bool("tasks", false, "measure the longest tasks of the main thread, scene by scene, and print a table")

// TestTasks prints, scene by scene, how long the tasks of the main thread keep a processor: while the scene opens, plays for two
// seconds and is reset, with its own settings and with the greatest value of every number of things. -tasks asks for it.
func TestTasks(t *testing.T) {
	if !*measureTasks {
		t.Skip("-tasks measures; it takes minutes")
	}
	p := ready(t, "#v=1&scene=transport", size(1280, 800))
	var table strings.Builder
	for _, scene := range catalogue(t) {
		own := "#v=1&scene=" + scene.ID
		large := own
		for _, d := range scene.Params {
			if d.Type == "integer" && d.Name != "budget" {
				large += fmt.Sprintf("&%s=%.0f", d.Name, *d.Max)
			}
		}
		for i, link := range []string{own, large} {
			for _, act := range []struct{ what, js string }{
				{"open", `(hash) => playground.load(hash)`},
				{"play", `async (hash) => { if (playground.state().runs.length > 0) await playground.play(); }`},
				{"reset", `(hash) => playground.reset()`},
			} {
				times, err := p.tab.Tasks(func() {
					p.js(nil, act.js, link)
					time.Sleep(2 * time.Second)
				})
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&table, "%-12s %-8s %-5s %5d tasks, %3d above %v, longest %v\n", scene.ID, [2]string{"its own", "greatest"}[i], act.what,
					len(times), overlong(times), maxTask, slices.Max(times).Round(time.Millisecond))
			}
		}
	}
	fmt.Print(table.String())
}

// overlong is how many tasks take more than maxTask.
func overlong(times []time.Duration) (n int) {
	for _, of := range times {
		if of > maxTask {
			n++
		}
	}
	return n
}
