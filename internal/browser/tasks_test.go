package browser

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	measureTasks = flag.Bool("tasks", false, "measure the longest tasks of the main thread, scene by scene, and print a table")
	taskScenes   = flag.String("taskscenes", "", "measure only these `scenes`, with commas between them")
)

// TestTasks prints for every scene how much processor time the main thread's tasks take while the scene opens, plays
// for two seconds and is reset. It opens each scene twice: with the scene's own settings, and with every count at its
// maximum. No task may take more than maxTask. It runs only with -tasks, because it measures this machine.
func TestTasks(t *testing.T) {
	if !*measureTasks {
		t.Skip("-tasks measures; it takes minutes")
	}
	p := ready(t, "#v=1&scene=transport", size(1280, 800))
	for _, scene := range catalogue(t) {
		if *taskScenes != "" && !slices.Contains(strings.Split(*taskScenes, ","), scene.ID) {
			continue
		}
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
				p.tasks(fmt.Sprintf("%-12s %-8s %-5s", scene.ID, [2]string{"its own", "greatest"}[i], act.what), func() {
					p.js(nil, act.js, link)
					time.Sleep(2 * time.Second)
				})
			}
		}
	}
}

// tasks prints how much processor time the main thread's tasks take while f runs.
func (p *page) tasks(what string, f func()) {
	p.Helper()
	times, err := p.tab.Tasks(f)
	if err != nil {
		p.Fatal(err)
	}
	longest := slices.Max(times).Round(time.Millisecond)
	fmt.Printf("%-30s %5d tasks, %3d above %v, longest %v\n", what, len(times), overlong(times), maxTask, longest)
	if longest > maxTask {
		p.Errorf("%s: a task takes %v", what, longest)
	}
}

// TestTasksOfLine prints how much processor time the main thread's tasks take while the page reads a log that has a
// line of 58 MB.
func TestTasksOfLine(t *testing.T) {
	if !*measureTasks {
		t.Skip("-tasks measures; it takes minutes")
	}
	p := ready(t, "#v=1&scene=log", size(1280, 800))
	const megabytes = 58
	for _, number := range []string{"0.123456789,", "0.12345678901234567890123456789,"} {
		p.js(nil, `(number, megabytes) => {
			const row = '[' + number.repeat(megabytes * 5e5 / number.length) + '1]';
			window.line = new Blob(['{"losses": [1, 2], "jacobian": [' + row + ',' + row + ']}\n']);
		}`, number, megabytes)
		p.tasks(fmt.Sprintf("a line of %d MB", megabytes), func() {
			var said string
			p.js(&said, `() => playground.paste(window.line).then(() => 'shown', (error) => error.message)`)
			t.Log(said)
		})
	}
}

// overlong returns the number of tasks that take more than maxTask.
func overlong(times []time.Duration) (n int) {
	for _, of := range times {
		if of > maxTask {
			n++
		}
	}
	return n
}
