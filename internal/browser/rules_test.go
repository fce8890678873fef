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

// eyes lists ways in which visitors view the page. Forced colours come before the dark theme, because after the dark
// theme Chromium may for minutes draw the dark theme's text on the background of forced colours.
var eyes = []struct {
	name    string
	feature chrome.Feature
}{
	{"light", chrome.Feature{Name: "prefers-color-scheme", Value: "light"}},
	{"forced colours", chrome.Feature{Name: "forced-colors", Value: "active"}},
	{"dark", chrome.Feature{Name: "prefers-color-scheme", Value: "dark"}},
}

// sees emulates a media feature, such as a theme or forced colours.
func (p *page) sees(feature chrome.Feature) {
	p.Helper()
	p.run(chrome.Prefer(feature))
}

// looks is the number of times that a broken rule must be seen before it counts.
const looks = 3

// lawful checks that the page breaks no rule in any view of eyes. It checks all rules in one view and only the rules
// about colours in the others, because nothing else can differ.
func (p *page) lawful(what string) {
	p.Helper()
	for i, eye := range eyes {
		var broken []string
		for look := range looks {
			if look > 0 {
				// On a busy machine, a check may see the colours of two themes, and Chromium may keep some colours of the previous
				// theme. Setting the theme and all styles again removes these false alarms; real faults remain.
				p.sees(eyes[0].feature)
				time.Sleep(time.Second)
			}
			p.sees(eye.feature)
			if look > 0 {
				p.js(nil, `() => {
					const { style } = document.documentElement;
					style.display = 'none';
					void document.documentElement.offsetHeight;
					style.display = '';
				}`)
			}
			p.until("the page for "+eye.name, `(query) => matchMedia(query).matches`, "("+eye.feature.Name+": "+eye.feature.Value+")")
			if broken = p.brokenRules(i == 0); len(broken) == 0 {
				break
			}
			time.Sleep(2 * time.Second)
		}
		for _, rule := range broken {
			p.Errorf("%s, %s: %s", what, eye.name, rule)
		}
	}
	p.sees(eyes[0].feature)
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
	p := open(t, "", injecting(script))
	p.js(nil, `() => playground.ready`)
	p.part("contents", func() { p.lawful("the contents page") })
	for i, scene := range catalogue(t) {
		if testing.Short() && i%4 > 0 {
			continue
		}
		p.part(scene.ID, func() {
			p.js(nil, `async (id) => {
				await playground.open(id);
				await playground.pause();
				document.getElementById('all').open = true;
			}`, scene.ID)
			p.until("the scene", `(id) => playground.state().scene === id && document.querySelector('#all .control')`, scene.ID)
			p.lawful("the scene " + scene.ID)
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
		p.lawful("a scene with pins")
	})
	p.part("presenting", func() {
		p.js(nil, `() => playground.present()`)
		p.lawful("presenting")
		p.js(nil, `() => playground.present(false)`)
	})
	p.part("embedded", func() {
		p.js(nil, `() => { document.documentElement.dataset.embed = ''; }`)
		p.lawful("embedded")
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
			p.lawful("the dialog " + dialog)
			p.run(chrome.Keys(chrome.Escape))
		})
	}
	p.part("lesson", func() {
		p.js(nil, `() => playground.lesson('01-conflict')`)
		p.until("the lesson", `() => document.querySelector('#lesson .lesson-predict')`)
		p.lawful("a prediction")
		p.js(nil, `() => [...document.querySelectorAll('#lesson button')].find(({ textContent }) => textContent === 'Skip').click()`)
		p.until("the goal", `() => document.querySelector('#lesson .lesson-goal')`)
		p.lawful("a goal")
	})
}

// TestRulesOfPagesBeside: the other pages also follow the rules. They are the page where a teacher writes a lesson, and
// the picture for other sites.
func TestRulesOfPagesBeside(t *testing.T) {
	t.Parallel()
	script := ruleScript(t)
	for _, name := range []string{"workshop.html", "embed.html#v=1&scene=lab"} {
		p := open(t, name, injecting(script), size(1440, 900))
		p.until("the page", `() => !document.querySelector('#play')?.hidden &&
			(document.querySelector('#said')?.textContent ?? 'The lesson').startsWith('The lesson')`)
		p.part(name, func() { p.lawful(name) })
	}
}
