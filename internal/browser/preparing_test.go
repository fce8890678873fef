package browser

import "testing"

// large is a link to settings that take at least a second to prepare.
const large = "#v=1&scene=federated&n=40&samples=400&m=10&method=most,moste,fedavg,fedprox,fedmgda&latest=2&k=1"

// TestPreparing: while large settings are prepared, the page keeps responding, says what it is waiting for, and keeps
// the previous picture. Verbs wait for each other. The page refuses verbs for the same reasons as when nothing is being
// prepared.
func TestPreparing(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca", size(1280, 800))
	var seen struct {
		Turns     int
		Told      bool
		K, Latest int
		View      string
	}
	p.js(&seen, `async (large) => {
		const { stage, performance: clock, document: inside } = document.getElementById('stage').contentWindow;
		const now = clock.now.bind(clock);
		clock.now = () => 100 * now(); // so that it takes long on any machine
		const seen = { Turns: 0, Told: false };
		const each = setInterval(() => { seen.Turns++; }, 20);
		// It may appear and disappear within one turn.
		const words = new MutationObserver((changes) => { seen.Told ||= changes.some(({ oldValue }) => oldValue === null); });
		words.observe(inside.getElementById('preparing'), { attributeFilter: ['hidden'], attributeOldValue: true });
		const loaded = playground.load(large);
		await new Promise((resolve) => setTimeout(resolve, 20));
		await Promise.all([loaded, stage.call('set', { name: 'view', value: 'worst' })]);
		clearInterval(each);
		words.disconnect();
		const { iteration, latest, params } = playground.state();
		return { ...seen, K: iteration, Latest: latest, View: params.view };
	}`, large)
	if seen.Turns < 5 || !seen.Told {
		t.Errorf("meanwhile the page had %d turns; it said what it was waiting for: %v", seen.Turns, seen.Told)
	}
	if seen.K != 1 || seen.Latest != 2 || seen.View != "worst" {
		t.Errorf("%+v", seen)
	}
	p.until("the words to go", `() => document.getElementById('stage').contentDocument.getElementById('preparing').hidden`)

	var refused string
	p.js(&refused, `async () => {
		await playground.open('blocks');
		await playground.step(5);
		try {
			await playground.set('partition', 'given');
			return 'taken';
		} catch (error) {
			return error.message + ' / ' + playground.state().params.partition;
		}
	}`)
	if want := "partition = given: it must be coordinates or one: no file with blocks has been opened / coordinates"; refused != want {
		t.Errorf("%q is not %q", refused, want)
	}
}

// TestLooksWait: while a verb is paused, pictures that the page shows by itself wait until the verb is finished, and no
// frame is drawn. A request for such a picture would make the program prepare the rest in one piece.
func TestLooksWait(t *testing.T) {
	t.Parallel()
	p := ready(t, large, size(1280, 800))
	var seen struct {
		Rested  bool
		Early   int
		Drawn   int
		K       int
		Playing bool
	}
	p.js(&seen, `async () => {
		const inside = document.getElementById('stage').contentWindow;
		const { stage } = inside;
		const seen = { Early: 0 };
		const callNow = stage.callNow;
		stage.callNow = (...args) => {
			if (stage.resting()) seen.Early++;
			return callNow(...args);
		};
		await playground.play();
		await new Promise((resolve) => setTimeout(resolve, 300));
		const reset = playground.reset();
		await new Promise((resolve) => setTimeout(resolve));
		seen.Rested = stage.resting() !== undefined;
		for (const kind of ['frame', 'status', 'change', 'layout']) inside.paretoplayEvent(kind, '{}');
		const { draws } = stage.probe();
		while (stage.resting()) {
			await new Promise(inside.requestAnimationFrame);
			if (stage.resting()) seen.Drawn = stage.probe().draws - draws;
		}
		await reset;
		stage.callNow = callNow;
		const { iteration, playing } = playground.state();
		return { ...seen, K: iteration, Playing: playing };
	}`)
	if !seen.Rested || seen.Early > 0 || seen.Drawn > 0 {
		t.Errorf("reset paused: %v; meanwhile there were %d requests and %d frames", seen.Rested, seen.Early, seen.Drawn)
	}
	if seen.K != 0 || seen.Playing {
		t.Errorf("after reset: %+v", seen)
	}
	p.until("the page to show it", `() => document.querySelector('#readout tbody td').textContent === '0'`)
}
