package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSeekAndReplay: seeking back and forth gives the same numbers as before. Reloading a state with live changes gives
// the same numbers too.
func TestSeekAndReplay(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `async () => {
		await playground.set('sigma', 0.1);
		await playground.set('method', ['psmgd', 'mgda', 'crmogm', 'ls']);
		await playground.step(20);
		await playground.set('R', 9);
		await playground.step(13);
		await playground.set('eta', 0.12);
		await playground.step(28);
	}`)
	at := func(k int) state {
		t.Helper()
		p.js(nil, `(k) => playground.seek(k)`, k)
		s := p.state()
		if s.Iteration != k {
			t.Fatalf("seek(%d) shows %d", k, s.Iteration)
		}
		return s
	}
	// The weights of the latest iteration are known only once the next one is computed, so 61 is left out.
	marks := []int{0, 19, 20, 33, 34, 60}
	numbers := func(k int) []run {
		t.Helper()
		runs := at(k).Runs
		for i := range runs {
			runs[i].Status = "" // status of the latest iteration
		}
		return runs
	}
	before := map[int][]run{}
	for _, k := range marks {
		before[k] = numbers(k)
	}
	if n := len(p.state().Log); n != 2 {
		t.Errorf("the log has %d live changes, not 2", n)
	}
	same := func(what string, k int) {
		t.Helper()
		got := numbers(k)
		for i, r := range got {
			if !reflect.DeepEqual(r, before[k][i]) {
				t.Errorf("%s: iteration %d differs from before:\n%v\n%v", what, k, r, before[k][i])
				return
			}
		}
	}
	at(20)
	p.js(nil, `() => playground.step(15)`)
	if s := p.state(); s.Latest != 76 || s.Iteration != 76 {
		t.Errorf("step(15) from the marker at 20 of 61 leads to %d of %d, not to 76", s.Iteration, s.Latest)
	}
	for _, k := range marks {
		same("after going on", k)
	}
	at(60)
	saved := p.state()
	if saved.Latest != 76 {
		t.Fatalf("the latest iteration is %d", saved.Latest)
	}
	p.js(nil, `async (saved) => {
		await playground.reset();
		await playground.set('R', 2);
		await playground.step(4);
		await playground.load(saved);
	}`, json.RawMessage(p.raw(`() => playground.state()`)))
	if now := p.state(); !reflect.DeepEqual(now.Runs, saved.Runs) || !reflect.DeepEqual(now.Log, saved.Log) || now.Latest != 76 {
		t.Errorf("load(state()) gives iteration %d of %d with log %v, not %d of %d with %v, or other runs", now.Iteration, now.Latest,
			now.Log, saved.Iteration, saved.Latest, saved.Log)
	}
	for _, k := range marks {
		same("after load", k)
	}

	// Replay by playing: reset, and make the changes at the same iterations.
	p.js(nil, `async () => {
		await playground.set('R', 4);
		await playground.set('eta', 0.3);
		await playground.reset();
		await playground.step(20);
		await playground.set('R', 9);
		await playground.set('speed', 'max');
		await playground.step(13);
		await playground.set('eta', 0.12);
		await playground.play();
	}`)
	p.until("the end", `() => playground.state().status === 'budget'`)
	for _, k := range marks {
		same("after playing", k)
	}
}

// raw returns the JSON of a JavaScript function's value.
func (p *page) raw(function string) (text string) {
	p.Helper()
	p.js(&text, `async () => JSON.stringify(await (`+function+`)())`)
	return text
}

// TestShareLink: a link opened in another tab shows the same iteration of the same runs.
func TestShareLink(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `async () => {
		await playground.set('method', ['psmgd', 'ls']);
		await playground.set('start', [[0.25, -0.75], [], [1, 1]]);
		await playground.step(30);
		await playground.set('R', 7);
		await playground.step(20);
		await playground.seek(42);
	}`)
	there := p.state()
	p.until("the address written", `(hash) => location.hash.slice(1) === hash.replace(/^#/, '')`, there.Hash)
	var hash string
	p.js(&hash, `() => location.hash`)

	q := ready(t, hash)
	here := q.state()
	here.Playing, there.Playing = false, false
	if !reflect.DeepEqual(here, there) {
		t.Errorf("the link %s opens\n%+v\nnot\n%+v", hash, here, there)
	}
	// Pasting a link into an open page works too.
	q.js(nil, `() => { location.hash = 'v=1&scene=fonseca&R=2&k=5'; }`)
	q.until("the pasted link", `() => playground.state().params.R === 2 && playground.state().iteration === 5`)
}

// malformed returns links that could result from mistakes or malice.
func malformed() []string {
	long := strings.Repeat("x", 40_000)
	links := []string{
		"", "#", "#&", "#=", "#&&&===", "#v=", "#v=2&scene=fonseca", "#v=-1", "#v=1&scene=", "#v=1&scene=nowhere", "#v=1&scene=../../etc",
		"#%", "#%zz=1", "#R=%", "#R=%e0%a4", "#%00=%00", "#R=%ff%fe", "#R=4&R=5", "#R=4&R=5&R=6", "#scene=fonseca&scene=lab",
		"#" + long, "#R=" + long, "#" + long + "=1", "#log=" + long, "#scene=" + long, "#start=" + strings.Repeat("1,2;", 5000), "#start=" +
			strings.Repeat("9", 5000),
		"#log=" + strings.Repeat("1:R:4,",
			3000), "#log=1:R", "#log=1:R:NaN", "#log=-5:R:4", "#log=99999999999999999999:R:4", "#log=1:nothing:4", "#log=1:seed:4",
		"#log=1:eta:1e999",
		"#start=1", "#start=1,2,3,4", "#start=a,b", "#start=;;;;", "#start=1,NaN", "#start=Infinity,1", "#start=1e308,-1e308",
		"#start=,", "#method=", "#method=psmgd,psmgd", "#method=psmgd,nothing",
		"#method=" + strings.Repeat("psmgd,", 500), "#run=nothing", "#show=nothing", "#run=" +
			long, "#<script>alert(1)</script>", "#scene=<img src=x onerror=alert(1)>", "#speed=warp", "#view=nothing",
		"#__proto__=1", "#constructor=1", "#toString=1", "#R=__proto__",
	}
	for i := range 250 { // more names than are read
		links[6] += fmt.Sprintf("&n%d=1", i)
	}
	numbers := []string{"NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "0x10", "1_000", "١٢", "", " ", "4,5", "4 ", "null",
		"true", "[]", "{}", "-0", "99999999999999999999999", "0.0000000000001"}
	for _, name := range []string{"R", "eta", "momentum", "crmogm.momentum", "d", "sigma", "starts", "region", "seed", "stop", "k", "latest"} {
		for _, text := range numbers {
			links = append(links, "#v=1&scene=fonseca&"+name+"="+strings.ReplaceAll(text, " ", "%20"))
		}
	}
	return links
}

func TestMalformedLinks(t *testing.T) {
	t.Parallel()
	links := malformed()
	if len(links) < 200 {
		t.Fatalf("%d links only", len(links))
	}
	p := desk.shows(t, resting)
	// Runs with an excessive budget are not computed to their end, since one iteration is enough. Collect all notices,
	// because later notices replace earlier ones.
	var broken []string
	p.js(&broken, `async (links) => {
		const broken = [];
		window.noticed = [];
		new MutationObserver((changes) => {
			for (const {addedNodes} of changes) for (const node of addedNodes) noticed.push(node.textContent);
		}).observe(document.getElementById('notices'), {childList: true, subtree: true});
		for (const link of links) {
			try {
				await playground.load(link);
				const state = playground.state();
				const numbers = state.runs.every((r) => r.x.every(Number.isFinite) && r.f.every(Number.isFinite));
				if (state.scene !== 'fonseca' || state.runs.length === 0 || !numbers ||
					state.latest > state.budget) broken.push(link.slice(0, 80) + ': ' + JSON.stringify(state).slice(0, 200));
			} catch (error) {
				broken.push(link.slice(0, 80) + ': ' + error);
			}
		}
		return broken;
	}`, links)
	for _, text := range broken {
		t.Error(text)
	}
	// The page informs the visitor, and shows the link's text as plain text.
	for _, text := range []string{"nowhere", "R", "twice", "<img"} {
		p.until("a notice with "+text, `(text) => noticed.some((n) => n.includes(text))`, text)
	}
	var inserted int
	p.js(&inserted, `() => document.querySelectorAll('#notices img, #notices script').length`)
	if inserted != 0 {
		t.Error("a link put elements into the page")
	}
	// States of the wrong shape must not break the page either.
	p.js(&broken, `async () => {
		const broken = [];
		const wrong = [{}, {scene: 5}, {params: 3}, {params: {R: 'many', eta: null, start: 'x', method: 7, nothing: {}}}, {scene: 'fonseca',
			iteration: -3, latest: 'x'}, {log: [{}]}, {log: 'x'},
			{scene: 'fonseca', params: {R: [1], sigma: {}, seed: -1}}, {scene: 'fonseca', log: [{k: 1e99, name: 'R', value: 3}]}, [], [1],
				{scene: 'fonseca', iteration: 5, latest: 2}, {runs: 'x', scene: 'fonseca'}];
		for (const state of wrong) {
			// They are refused with a message, or read as far as possible.
			await playground.load(state).catch((error) => { if (!error.message) broken.push(JSON.stringify(state)); });
			if (playground.state().scene !== 'fonseca' || playground.state().runs.length === 0) broken.push(JSON.stringify(state));
		}
		return broken;
	}`)
	for _, text := range broken {
		t.Error(text)
	}
}

// TestMalformedLinksByNavigation: a link that cannot be read opens the default page with a notice. The short form
// follows three links.
func TestMalformedLinksByNavigation(t *testing.T) {
	t.Parallel()
	links := []string{
		"#%", "#%zz=%", "#v=2&scene=fonseca", "#v=1&scene=fonseca&card=nothing", "#R=NaN", "#eta=1e999&R=1e999&k=-1e999", "#R=4&R=5", "#" +
			strings.Repeat("x", 40_000), "#start=a,b;1e308,1", "#log=1:R,x:y:z,1:eta:1e999", "#<script>alert(1)</script>",
	}
	if testing.Short() {
		links = []string{links[0], links[1], links[len(links)-1]}
	}
	for _, link := range links {
		t.Run(link[:min(len(link), 30)], func(t *testing.T) {
			t.Parallel()
			p := ready(t, link)
			if s := p.state(); s.Scene != "fonseca" || len(s.Runs) != 10 {
				t.Errorf("scene %q with %d runs", s.Scene, len(s.Runs))
			}
			p.until("a notice about it", `() => document.querySelector('#notices .notice')?.checkVisibility()`)
		})
	}
}

// TestLinkToNoScene: a link to an unknown scene opens the contents page, with a notice that lists the scenes.
func TestLinkToNoScene(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=nowhere")
	said := `() => {
		const text = document.querySelector('#notices .notice')?.textContent ?? '';
		const names = [...document.querySelectorAll('.scenes .name')].map((name) => name.textContent);
		return document.querySelector('#gallery').checkVisibility() && text.includes('nowhere') && names.every((name) => text.includes(name));
	}`
	p.until("the contents page and the titles", said)
	p.js(nil, `() => document.querySelector('.scenes a[href$="scene=lab"]').click()`)
	p.until("the scene", `async () => { await playground.ready; return playground.state().scene === 'lab'; }`)
	p.js(nil, `() => { location.hash = 'v=1&scene=elsewhere'; }`)
	p.until("the contents page and the titles again", strings.ReplaceAll(said, "nowhere", "elsewhere"))
}

// TestPlayground checks the complete contract of window.playground.
func TestPlayground(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=fonseca", injecting(`
		window.early = [];
		document.addEventListener('DOMContentLoaded', () => {
			if (window !== top) return;
			try { early.push(playground instanceof EventTarget, Array.isArray(playground.scenes()), Array.isArray(playground.params()),
				playground.state()); } catch (error) { early.push(String(error)); }
		});`))
	var early []any
	p.js(&early, `() => early`)
	if len(early) != 4 || early[0] != true || early[1] != true || early[2] != true {
		t.Errorf("before the program has loaded: %v", early)
	} else if s, ok := early[3].(map[string]any); !ok || s["runs"] == nil || s["iteration"] != 0.0 {
		t.Errorf("state() before the program has loaded: %v", early[3])
	}
	p.js(nil, `() => playground.ready`)
	p.js(nil, `() => playground.pause()`)

	// Verbs settle even if the browser draws no frames.
	p.js(nil, `async () => {
		const inner = document.getElementById('stage').contentWindow;
		window.frames_ = [window, inner].map((w) => [w, w.requestAnimationFrame]);
		for (const [w] of frames_) w.requestAnimationFrame = () => 0;
		await playground.reset();
		await playground.step(7);
		await playground.set('eta', 0.2);
		await playground.seek(3);
		await playground.newSeed();
		await playground.step();
		await playground.open('fonseca');
		await playground.load('#v=1&scene=fonseca&k=12');
		for (const [w, f] of frames_) w.requestAnimationFrame = f;
	}`)
	if s := p.state(); s.Iteration != 12 || s.Latest != 12 || s.Playing {
		t.Errorf("without frames: iteration %d of %d, playing %t", s.Iteration, s.Latest, s.Playing)
	}
	p.js(nil, `() => playground.seek(1e9)`)
	p.noticed("Iteration 1000000000 is not recorded; the nearest is 12")
	p.dismiss()
	p.js(nil, `() => playground.seek(-4)`)
	p.noticed("the nearest is 0")

	for _, wrong := range []string{
		`() => playground.open('nowhere')`, `() => playground.open()`, `() => playground.set('nothing', 1)`, `() => playground.set('R')`, `() =>
			playground.set('R', 'many')`, `() => playground.set('method', ['nothing'])`,
		`() => playground.step(0)`, `() => playground.step(1.5)`, `() => playground.step('3')`, `() => playground.seek(NaN)`, `() =>
			playground.seek()`, `() => playground.load(5)`, `() => playground.load(null)`, `() => playground.export('bmp')`, `() =>
				playground.export()`,
	} {
		p.refusal(wrong)
	}
	p.js(nil, `() => playground.set('R', 1000)`) // out of range is not an error: the value is clamped, with a notice
	if r := p.state().Params["R"]; r != 64.0 {
		t.Errorf("R = 1000 becomes %v", r)
	}
	p.noticed("64")

	var heard map[string]int
	p.js(&heard, `async () => {
		const heard = {};
		for (const kind of ['change', 'frame', 'status']) playground.addEventListener(kind, () => { heard[kind] = (heard[kind] ?? 0) + 1; });
		await playground.reset();
		await playground.play();
		await new Promise((resolve) => setTimeout(resolve, 500));
		await playground.pause();
		await new Promise((resolve) => setTimeout(resolve, 100));
		return heard;
	}`)
	for _, kind := range []string{"change", "frame", "status"} {
		if heard[kind] == 0 {
			t.Errorf("no %s event while playing; heard %v", kind, heard)
		}
	}
}

// TestEmbedding: a page of another origin embeds the site's page and communicates with it by messages.
func TestEmbedding(t *testing.T) {
	t.Parallel()
	p := embedding(t, site+resting, "")
	p.js(nil, `() => ask('ready')`)
	p.js(nil, `() => ask('step', {n: 5})`)
	p.js(nil, `() => ask('set', ['R', 3])`)
	p.js(nil, `() => ask('seek', 4)`)
	var s state
	p.js(&s, `() => ask('state')`)
	if s.Iteration != 4 || s.Latest != 5 || s.Params["R"] != 3.0 {
		t.Errorf("after messages: iteration %d of %d, R = %v", s.Iteration, s.Latest, s.Params["R"])
	}
	var kind string
	p.js(&kind, `async () => (await ask('export', {kind: 'csv'})).blob.type`)
	if kind != "text/csv" {
		t.Errorf("an export by message has type %q", kind)
	}
	for _, verb := range []string{"destroy", "constructor", "__proto__", "addEventListener"} {
		if text := p.refusal(`(verb) => ask(verb)`, verb); !strings.Contains(text, "unknown verb") {
			t.Errorf("%s is refused with %q", verb, text)
		}
	}
	p.refusal(`() => ask('set', {name: 'nothing', value: 1})`)
}

// TestIdle: a paused page uses no processor time.
func TestIdle(t *testing.T) {
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(10)`)
	p.drawn()
	time.Sleep(400 * time.Millisecond) // labels follow a change a quarter of a second later
	count := func() (n struct{ Updates, Draws int }) {
		p.js(&n, `() => document.getElementById('stage').contentWindow.stage.probe()`)
		return n
	}
	before := count()
	time.Sleep(time.Second)
	if after := count(); after != before {
		t.Errorf("a second at rest had %d updates and %d frames", after.Updates-before.Updates, after.Draws-before.Draws)
	}
}

// TestParity: for every method of every scene with runs, WebAssembly and the command line give the same results, to the
// last bit. The short form uses one scene.
func TestParity(t *testing.T) {
	t.Parallel()
	const steps = 200
	// These two scenes have every method of the other scenes except cleaning's two baselines. Other tests compare the
	// bits of the baselines, and of every other scene, without a browser.
	for _, settings := range [][]string{{"fonseca", "starts=2"}, {"bilevel", "multiplier=both"}} {
		scene := settings[0]
		if testing.Short() && scene != "fonseca" {
			continue
		}
		t.Run(scene, func(t *testing.T) {
			p := desk.shows(t, "#v=1&k=0&scene="+scene)
			var methods []string
			p.js(&methods, `() => playground.params().find((d) => d.name === 'method').options.filter((o) => !o.disabled).map((o) => o.value)`)
			arguments := []string{"run", "-scene", scene, "-steps", strconv.Itoa(steps), "-json", "-"}
			for _, set := range append(settings[1:], "method="+strings.Join(methods, ",")) {
				arguments = append(arguments, "-set", set)
			}
			output, err := exec.Command(binary, arguments...).Output()
			if err != nil {
				p.Fatal(err)
			}
			var text string
			p.js(&text, `async (link, steps) => {
				await playground.load(link);
				await playground.step(steps);
				return (await playground.export('json')).blob.text();
			}`, fmt.Sprintf("#v=1&k=0&scene=%s&budget=%d&", scene, steps)+strings.Join(settings[1:], "&")+
				"&method="+strings.Join(methods, ","), steps)
			sameRuns(p, methods, []byte(text), output)
		})
	}
}

// sameRuns compares the runs in two JSON files, and the records of every iteration. It compares numbers as text, which
// preserves every bit. All the given methods must have runs.
func sameRuns(p *page, methods []string, here, native []byte) {
	p.Helper()
	type record struct {
		Runs []struct {
			Name, Method, Status string
			Iterates             []json.RawMessage
		}
	}
	var got, want record
	if err := errors.Join(json.Unmarshal(here, &got), json.Unmarshal(native, &want)); err != nil {
		p.Fatal(err)
	}
	if len(got.Runs) != len(want.Runs) {
		p.Fatalf("%d runs in the page and %d natively", len(got.Runs), len(want.Runs))
	}
	seen := map[string]bool{}
	for i, a := range got.Runs {
		b := want.Runs[i]
		seen[a.Method] = true
		if a.Name != b.Name || a.Status != b.Status || len(a.Iterates) != len(b.Iterates) || len(a.Iterates) < 2 {
			p.Errorf("%s is %s after %d iterates, natively %s is %s after %d",
				a.Name, a.Status, len(a.Iterates), b.Name, b.Status, len(b.Iterates))
			continue
		}
		for k, v := range a.Iterates {
			if !bytes.Equal(v, b.Iterates[k]) {
				p.Errorf("%s differs from iteration %d on:\n%.300s\n%.300s", a.Name, k, v, b.Iterates[k])
				break
			}
		}
	}
	for _, m := range methods {
		if !seen[m] {
			p.Errorf("%s has no run", m)
		}
	}
}
