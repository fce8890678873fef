package browser

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

var rules = flag.String("axe", "", "ask of the page what the rules in this `file` ask, axe-core's axe.min.js")

// rulesSum is the SHA-256 sum of axe.min.js in the version that the Makefile names.
const rulesSum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// schemes lists the colour schemes in which visitors see the page.
var schemes = []struct {
	name        string
	preferences []chrome.Feature
}{
	{"light", []chrome.Feature{{Name: "prefers-color-scheme", Value: "light"}}},
	{"dark", []chrome.Feature{{Name: "prefers-color-scheme", Value: "dark"}}},
	{"forced colours", []chrome.Feature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: "light"}}},
}

// inEachScheme opens the address once in each colour scheme and calls visit with that page. It gives visit a function
// that checks that the page breaks no rule in light colours, and no rule about colours in the other schemes, because
// nothing else can differ. Each page keeps its scheme and shares no process with other pages. The reason is that after
// a change of scheme, Chromium may draw the dark theme's text on the background of forced colours for minutes.
func inEachScheme(t *testing.T, address string, script string, visit func(p *page, lawful func(what string))) {
	t.Helper()
	for i, scheme := range schemes {
		t.Run(scheme.name, func(t *testing.T) {
			t.Parallel()
			tab, closeTab := apart(t)
			p := openIn(t, tab, closeTab, address, with(chrome.Prefer(scheme.preferences...)), injecting(script))
			visit(p, func(what string) {
				p.Helper()
				for _, rule := range p.brokenRules(i == 0) {
					p.Errorf("%s: %s", what, rule)
				}
			})
		})
	}
}

// sees emulates a media feature, such as a theme or forced colours.
func (p *page) sees(feature chrome.Feature) {
	p.Helper()
	p.run(chrome.Prefer(feature))
}

// looks is the number of times that a broken rule must be seen before it counts.
const looks = 3

// lawful checks that the page breaks no rule in light colours, and no rule about colours in the dark theme. Use lawful
// for pages that cannot be opened again in the same state.
func (p *page) lawful(what string) {
	p.Helper()
	for i, scheme := range schemes[:2] {
		theme := scheme.preferences[0]
		var broken []string
		for range looks {
			p.sees(theme)
			p.until("the "+scheme.name+" theme", `(query) => matchMedia(query).matches`, "("+theme.Name+": "+theme.Value+")")
			if broken = p.brokenRules(i == 0); len(broken) == 0 {
				break
			}
			time.Sleep(2 * time.Second) // on a busy machine, the first look may see the colours of two themes
		}
		for _, rule := range broken {
			p.Errorf("%s, %s: %s", what, scheme.name, rule)
		}
	}
	p.sees(schemes[0].preferences[0])
}

// brokenRules returns the rules that the page breaks now. If all is false, it checks only the rules about colours.
func (p *page) brokenRules(all bool) (broken []string) {
	p.Helper()
	p.js(&broken, `async (all) => {
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		const runOnly = all ? undefined : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
		const { violations, passes } = await axe.run(document, { resultTypes: ['violations'], runOnly });
		if (violations.length + passes.length === 0) throw new Error('no rule was asked');
		return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
			id + ' (' + help + ') at ' + target.flat().join(' > ') + ': ' + failureSummary));
	}`, all)
	return broken
}

// ruleScript returns the script of axe.
func ruleScript(t *testing.T) string {
	t.Helper()
	if *rules == "" {
		t.Skip("SKIPPED, the rules are not tested: -axe names no file")
	}
	script, err := os.ReadFile(*rules)
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(script)); sum != rulesSum {
		t.Fatalf("%s has the SHA-256 sum %s, not %s", *rules, sum, rulesSum)
	}
	return string(script)
}

// TestRules: the contents page, each scene with all of its controls, a lesson and the dialogs follow axe's rules. The
// short form uses every fourth scene.
func TestRules(t *testing.T) {
	t.Parallel()
	script := ruleScript(t)
	var scenes []catalogued
	for i, scene := range catalogue(t) {
		if !testing.Short() || i%4 == 0 {
			scenes = append(scenes, scene)
		}
	}
	inEachScheme(t, "", script, func(p *page, lawful func(what string)) { p.tour(scenes, lawful) })
}

// tour visits the contents page, the given scenes with all of their controls, the dialogs and a lesson. In each place it
// calls lawful with the name of the place.
func (p *page) tour(scenes []catalogued, lawful func(what string)) {
	p.js(nil, `() => playground.ready`)
	p.part("contents", func() { lawful("the contents page") })
	for _, scene := range scenes {
		p.part(scene.ID, func() {
			p.js(nil, `async (id) => {
				await playground.open(id);
				await playground.pause();
				document.getElementById('all').open = true;
			}`, scene.ID)
			p.until("the scene", `(id) => playground.state().scene === id && document.querySelector('#all .control')`, scene.ID)
			lawful("the scene " + scene.ID)
		})
	}
	p.part("pins", func() {
		p.js(nil, `async () => {
			await playground.open('fonseca');
			await playground.pause();
			await playground.pin();
			await playground.set('R', 9);
		}`)
		p.until("the table of pins", `() => document.querySelector('.pins td')`)
		lawful("a scene with pins")
	})
	p.part("presenting", func() {
		p.js(nil, `() => playground.present()`)
		lawful("presenting")
		p.js(nil, `() => playground.present(false)`)
	})
	p.part("embedded", func() {
		p.js(nil, `() => { document.documentElement.dataset.embed = ''; }`)
		lawful("embedded")
		p.js(nil, `() => { delete document.documentElement.dataset.embed; }`)
	})
	for _, dialog := range []string{"help", "export", "share", "paste"} {
		p.part(dialog, func() {
			p.js(nil, `async (dialog) => {
				if (dialog === 'paste') { await playground.open('lab'); await playground.pause(); }
				navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
				document.getElementById(dialog).click();
			}`, dialog)
			p.until("the dialog", `(dialog) => document.getElementById(dialog + '-dialog').open`, dialog)
			lawful("the dialog " + dialog)
			p.run(chrome.Keys(chrome.Escape))
		})
	}
	p.part("lesson", func() {
		p.js(nil, `() => playground.lesson('01-conflict')`)
		p.until("the lesson", `() => document.querySelector('#lesson .lesson-predict')`)
		lawful("a prediction")
		p.js(nil, `() => [...document.querySelectorAll('#lesson button')].find(({ textContent }) => textContent === 'Skip').click()`)
		p.until("the goal", `() => document.querySelector('#lesson .lesson-goal')`)
		lawful("a goal")
	})
}

// TestRulesOfPagesBeside: the other pages also follow the rules. They are the page where a teacher writes a lesson, the
// teacher's page, a worksheet, the picture for other sites, and the page that asks a class for names.
func TestRulesOfPagesBeside(t *testing.T) {
	t.Parallel()
	script := ruleScript(t)
	const loaded = `() => document.readyState === 'complete'`
	for _, beside := range []struct{ address, ready string }{
		{"workshop.html", `() => document.getElementById('said').textContent.startsWith('The lesson')`},
		{"teachers-sheet.html", loaded},
		{"worksheets/01-conflict.html", loaded},
		{"embed.html#v=1&scene=lab", `() => !document.getElementById('play').hidden`},
		{"?class=Bio#v=1&scene=lab", `() => document.getElementById('class-dialog').open`},
	} {
		t.Run(beside.address, func(t *testing.T) {
			inEachScheme(t, beside.address, script, func(p *page, lawful func(what string)) {
				p.run(chrome.Resize(chrome.Screen{Width: 1440, Height: 900}))
				p.until("the page", beside.ready)
				lawful("the page")
			})
		})
	}
}
