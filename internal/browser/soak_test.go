package browser

import (
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
	"paretoplay/internal/engine/loop"
)

var (
	soak     = flag.Duration("soak", 0, "play at full speed for this `time`")
	soakFile = flag.String("soakfile", "soak.csv", "write what the soak measures every second to this `file`")
	soakSeed = flag.Uint64("soakseed", 1, "of what the soak does")
)

// These constants limit the page's memory while it plays, in bytes: the program's memory, which never shrinks, and the
// scripts' memory. Both depend on the scene, so the test measures the growth in one scene at rest, after garbage is
// collected: from the tenth minute on, the memory in use may grow by at most a tenth.
const (
	maxProgram = 400 << 20
	maxScripts = 200 << 20
	warmed     = 10 * time.Minute
	maxGrowth  = 1.1
)

// Of a thousand tasks of the main thread, 999 must take at most maxTask of processor time. The constant traced is how
// long the page is traced after the verb of each turn.
const (
	maxTask = 50 * time.Millisecond
	traced  = 3 * time.Second
)

// visit is how long the soak stays in a scene in half of its turns, which is enough for runs of 10,000 iterations.
const visit = 10 * time.Second

// turn is one turn of a soak: an action, and how long to watch afterwards.
type turn struct {
	what string // one line
	js   string // a function of the page
	args []any
	look time.Duration
}

// sample holds the memory of a page at some moment.
type sample struct {
	Scene             string
	Iteration, Latest int
	Program, Scripts  float64 // bytes
	Frame             float64 // ms, the median of late frames
	Notices           int
	Nodes             int // in the page's document and the stage's
}

// TestSoak plays all scenes at full speed in one page, with random settings, changes and malformed messages. It records
// the page's memory and the lengths of the main thread's tasks. It fails if the page reports an error, exceeds its
// limits or stops responding. make soak runs it.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("make soak runs it")
	}
	program, found := chromium()
	if !found {
		t.Fatal(missing)
	}
	fresh, stop, err := launch(program, chrome.Flag{Name: "js-flags", Value: "--expose-gc"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	tab, closeTab := newTab(t, fresh)
	p := openFor(t, *soak+endurance, tab, closeTab, resting, size(1280, 800))
	p.js(nil, `() => playground.ready`)

	file, err := os.Create(*soakFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	record := csv.NewWriter(file)
	defer record.Flush()
	write := func(fields ...string) {
		if err := record.Write(fields); err != nil {
			t.Fatal(err)
		}
		record.Flush()
	}
	write("second", "scene", "iteration", "latest", "program_bytes", "script_bytes", "frame_ms", "notices", "what")

	r := rand.New(rand.NewPCG(*soakSeed, 0))
	scenes := catalogue(t)
	start := time.Now()
	var most sample
	var held []sample // at rest: in the tenth minute, every ten minutes and at the end
	var tasks []time.Duration
	longest := map[time.Duration]string{}
	for turns, done := 0, false; !done; turns++ {
		next := nextTurn(r, scenes, turns)
		from := time.Now()
		times, err := p.tab.Tasks(func() {
			p.js(nil, next.js, next.args...)
			from = time.Now()
			time.Sleep(min(traced, next.look))
		})
		if err != nil {
			t.Fatalf("at %s: %v", next.what, err)
		}
		tasks = append(tasks, times...)
		if of := slices.Max(times); of > maxTask {
			longest[of] = next.what
		}
		for {
			s := p.sampled()
			second := time.Since(start).Seconds()
			write(fmt.Sprintf("%.0f", second), s.Scene, strconv.Itoa(s.Iteration), strconv.Itoa(s.Latest), fmt.Sprintf("%.0f", s.Program),
				fmt.Sprintf("%.0f", s.Scripts), fmt.Sprintf("%.1f", s.Frame), strconv.Itoa(s.Notices), next.what)
			most.Program, most.Scripts = max(most.Program, s.Program), max(most.Scripts, s.Scripts)
			if s.Program > maxProgram || s.Scripts > maxScripts {
				t.Fatalf("after %.0f s, at %s: the program holds %.0f MB, scripts %.0f MB", second, next.what, s.Program/1e6, s.Scripts/1e6)
			}
			p.check()
			if t.Failed() {
				t.Fatalf("after %.0f s, at %s", second, next.what)
			}
			if due := time.Duration(len(held)+1) * warmed; time.Since(start) > due {
				held = append(held, p.held())
			}
			if done = time.Since(start) > *soak; done || time.Since(from) > next.look {
				break
			}
			time.Sleep(time.Second)
		}
	}
	t.Logf("at most %.0f MB of the program and %.0f MB of scripts; %s", most.Program/1e6, most.Scripts/1e6, *soakFile)
	held = append(held, p.held())
	for i, s := range held {
		t.Logf("at rest %d: the program holds %.1f MB, scripts %.1f MB, documents %d nodes", i+1, s.Program/1e6, s.Scripts/1e6, s.Nodes)
		if first := held[0]; s.Program > maxGrowth*first.Program || s.Scripts > maxGrowth*first.Scripts ||
			float64(s.Nodes) > maxGrowth*float64(first.Nodes) {
			t.Error("the memory is more than a tenth above the first sample")
		}
	}
	slices.Sort(tasks)
	late := overlong(tasks)
	t.Logf("%d tasks of the main thread; %d took more than %v of a processor; 99.9 in 100 took at most %v", len(tasks), late, maxTask,
		tasks[len(tasks)*999/1000])
	for i, of := range slices.Backward(slices.Sorted(maps.Keys(longest))) {
		if i < len(longest)-10 {
			break
		}
		t.Logf("%v: %s", of, longest[of])
	}
	if late*1000 > len(tasks) {
		t.Errorf("%d of %d tasks took more than %v", late, len(tasks), maxTask)
	}
}

// held measures the page's memory in one scene at rest, without garbage.
func (p *page) held() (s sample) {
	p.Helper()
	// The program frees buffers at a random point of its cycle, so take the lowest of three measurements.
	s.Program = min(p.settled(), p.settled(), p.settled())
	p.js(&s, `() => {
		gc();
		return { Scripts: performance.memory.usedJSHeapSize, Nodes: document.querySelectorAll('*').length +
			document.getElementById('stage').contentDocument.querySelectorAll('*').length };
	}`)
	return s
}

// settled returns the number of bytes that the program holds in one scene at rest, without garbage. It first plays
// enough frames for the program to drop what earlier scenes have drawn.
func (p *page) settled() (bytes float64) {
	p.Helper()
	p.js(&bytes, `async (frames) => {
		const {stage} = document.getElementById('stage').contentWindow;
		await playground.load('#v=1&scene=toy&speed=20');
		await playground.play();
		for (const until = stage.probe().draws + frames; stage.probe().draws < until;) {
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		await playground.load('#v=1&scene=transport');
		await playground.pause();
		await new Promise((resolve) => setTimeout(resolve, 1000));
		return stage.held();
	}`, loop.IdleFrames+1)
	return bytes
}

// TestMemoryIsGivenUp: after a picture of hundreds of thousands of triangles, the program frees the tens of megabytes
// that the picture needed.
func TestMemoryIsGivenUp(t *testing.T) {
	p := open(t, resting, size(1280, 800))
	p.js(nil, `() => playground.ready`)
	before := p.settled()
	p.js(nil, `async () => {
		const {stage} = document.getElementById('stage').contentWindow;
		const every = playground.scenes().find((s) => s.id === 'yours').params.find((d) => d.name === 'method').options;
		await playground.load('#v=1&scene=yours&speed=max&method=' + every.filter((o) => !o.disabled).map((o) => o.value).join());
		await playground.play();
		let most = 0;
		for (let asked = 0; most < 200_000 && asked < 300; asked++) {
			await new Promise((resolve) => setTimeout(resolve, 100));
			most = Math.max(most, stage.probe().triangles);
		}
		if (most < 200_000) throw new Error('a frame has ' + most + ' triangles at most');
	}`)
	after := p.settled()
	t.Logf("%.1f MB before, %.1f MB after", before/1e6, after/1e6)
	if after-before > 16<<20 {
		t.Errorf("the program holds %.1f MB, but held %.1f MB before the large picture", after/1e6, before/1e6)
	}
}

// sampled returns a sample of the page's memory.
func (p *page) sampled() (s sample) {
	p.Helper()
	p.js(&s, `() => {
		const state = playground.state();
		const probe = document.getElementById('stage').contentWindow.stage.probe();
		const frames = probe.frameMillis.slice(-60).sort((a, b) => a - b);
		return {
			Scene: state.scene, Iteration: state.iteration, Latest: state.latest,
			Program: probe.memory, Scripts: performance.memory.usedJSHeapSize,
			Frame: frames[Math.floor(frames.length / 2)] ?? 0, Notices: state.notices.length,
		};
	}`)
	return s
}

// described is a parameter as the program lists it.
type described struct {
	Name, Type, Scale string
	Min, Max          *float64
	Live              bool
	Options           []struct{ Value, Disabled string }
}

// nextTurn decides what happens next, depending only on the seed.
func nextTurn(r *rand.Rand, scenes []catalogued, turns int) turn {
	scene := scenes[r.IntN(len(scenes))]
	load := `async (hash) => { await playground.load(hash); if (playground.scenes().find((s) => s.id === playground.state().scene).runs)
		await playground.play(); }`
	if turns == 0 {
		link := "#v=1&scene=fonseca&method=nashmtl&starts=50&budget=100000&speed=max"
		return turn{link, load, []any{link}, 12 * visit}
	}
	switch r.IntN(6) {
	case 0, 1:
		link := "#v=1&scene=" + scene.ID + "&speed=max"
		for _, d := range scene.Params {
			if r.IntN(3) == 0 {
				link += "&" + d.Name + "=" + d.random(r)
			}
		}
		return turn{link, load, []any{link}, visit}
	case 2:
		card := scene.Presets[r.IntN(len(scene.Presets))].ID
		return turn{scene.ID + " " + card, `async (id, card) => {
			await playground.open(id);
			await document.getElementById('stage').contentWindow.stage.call('card', {id: card});
		}`, []any{scene.ID, card}, visit}
	case 3:
		return turn{"changes", `async (seed) => {
			const {scene} = playground.state();
			const live = playground.params().filter((d) => d.live && d.type === 'number');
			for (let i = 0; i < 40 && live.length > 0; i++) {
				const d = live[(seed + i) % live.length];
				await playground.set(d.name, d.min + (d.max - d.min) * ((seed * (i + 1)) % 97) / 97);
				await playground.step(3);
				await playground.seek((seed * i) % 50);
			}
			await playground.newSeed();
			if (playground.scenes().find((s) => s.id === scene).runs) await playground.play();
		}`, []any{r.IntN(1000)}, visit / 2}
	case 4:
		return turn{"files", `async () => {
			for (const kind of ['png', 'svg', 'pdf', 'csv', 'json']) {
				const {blob} = await playground.export(kind);
				if (blob.size < 20) throw new Error(kind + ' of ' + blob.size + ' bytes');
			}
		}`, nil, 0}
	}
	return turn{"messages", `async (seed) => {
		const odd = [undefined, null, 0, -1, NaN, 1e308, '', 'x'.repeat(5000), [], [[]], {}, {id: {}}, '__proto__', 'constructor', true];
		const verbs = ['ready', 'scenes', 'params', 'state', 'open', 'set', 'step', 'seek', 'load', 'export', 'paste', 'toString', '__proto__'];
		let answers = 0;
		const hear = (e) => { if (e.data?.playground === 1 && ('result' in e.data || 'error' in e.data)) answers++; };
		addEventListener('message', hear);
		let sent = 0;
		for (let i = 0; i < 200; i++) {
			const verb = verbs[(seed + i) % verbs.length];
			const args = odd[(seed * 7 + i * 3) % odd.length];
			window.postMessage({playground: 1, id: i, verb, args}, '*');
			window.postMessage({playground: 1, verb: args, args: verb}, '*');
			sent++;
			if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
		}
		for (let i = 0; i < 300 && answers < sent; i++) await new Promise((resolve) => setTimeout(resolve, 100));
		removeEventListener('message', hear);
		if (answers < sent) throw new Error(answers + ' answers to ' + sent + ' messages');
		document.querySelectorAll('#notices button').forEach((b) => b.click());
	}`, []any{r.IntN(1000)}, 0}
}

// random returns the text of a random valid value of the parameter, often an end of its range.
func (d *described) random(r *rand.Rand) string {
	switch d.Type {
	case "number", "integer", "seed":
		v := *d.Min + r.Float64()*(*d.Max-*d.Min)
		if d.Scale == "log" && *d.Min > 0 {
			v = *d.Min * math.Pow(*d.Max / *d.Min, r.Float64())
		}
		switch r.IntN(4) {
		case 0:
			v = *d.Min
		case 1:
			v = *d.Max
		}
		if d.Type != "number" {
			v = math.Floor(v)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case "choice", "set":
		var values []string
		for _, o := range d.Options {
			if o.Disabled == "" {
				values = append(values, o.Value)
			}
		}
		switch {
		case d.Type == "choice":
			return values[r.IntN(len(values))]
		case len(values) == 0: // a set whose names come from the visitor
			return ""
		}
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		return strings.Join(values[:1+r.IntN(len(values))], ",")
	case "bool":
		return strconv.FormatBool(r.IntN(2) == 0)
	}
	return ""
}
