package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestWorkshop: a teacher writes a lesson beside its scene and sees its errors. Names are completed from a list that
// shows their current values. The lesson is saved as a link and as a single-file page.
func TestWorkshop(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, the workshop is not tested: " + missing)
	}
	tab, closeTab := apart(t)
	p := openFor(t, maxOfLessons, tab, closeTab, "workshop.html", size(1440, 900), injecting(`
		window.copied = [];
		window.saved = [];
		Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { copied.push(text); }}});
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { saved.push(blob); return make(blob); };
		HTMLAnchorElement.prototype.click = () => {};`))
	right := func() {
		t.Helper()
		p.until("a lesson that is right", `() => document.querySelector('#said').textContent.startsWith('The lesson is correct')`)
	}
	right()
	inFrame := `document.querySelector('#preview').contentWindow`
	p.until("the lesson beside it", `() => `+inFrame+`.playground?.state().lesson?.step === 1 &&
		`+inFrame+`.document.querySelector('#lesson h2')?.textContent === 'A lesson of mine'`)

	p.part("names", func() {
		p.js(nil, `() => {
			const text = document.querySelector('#text');
			const at = text.value.indexOf('angle(1,2) >');
			text.focus();
			text.setSelectionRange(at, at + 'angle(1,2)'.length);
		}`)
		p.key("ang")
		p.until("names", `() => !document.querySelector('#names').hidden`)
		var offered []string
		p.js(&offered, `() => [...document.querySelector('#names').children].map((option) => option.innerText.replace(/\s+/, ' '))`)
		if len(offered) == 0 || !strings.HasPrefix(offered[0], "angle(1,2) 51.3") {
			p.Errorf("the offered names are %q", offered)
		}
		p.key(chrome.TabKey)
		var text string
		if p.js(&text, `() => document.querySelector('#text').value`); !strings.Contains(text, "`angle(1,2) > 95`") {
			p.Errorf("after choosing a name: %s", text)
		}
		right()
	})
	write := func(old, new string) {
		t.Helper()
		p.js(nil, `(old, next) => {
			const text = document.querySelector('#text');
			if (!text.value.includes(old)) throw new Error('nothing says ' + old);
			text.value = text.value.replace(old, () => next);
			text.dispatchEvent(new InputEvent('input'));
		}`, old, new)
	}
	p.part("faults", func() {
		for _, c := range []struct{ old, new, says string }{
			{"angle(1,2) > 95", "angel(1,2) > 95", "Line 18: goal: unknown fact or function angel"},
			{"Two arrows", "<b>Two</b> arrows", "Line 9: HTML is not allowed"},
			{"> 95`", "> 190`", "its goal is not reached after Show"},
		} {
			write(c.old, c.new)
			p.until(c.says, `(says) => document.querySelector('#faults').textContent.includes(says)`, c.says)
			write(c.new, c.old)
			right()
		}
	})
	p.part("kept", func() {
		write("A lesson of mine", "Meine Übung – α")
		p.run(chrome.Reload())
		p.until("the text", `() => document.querySelector('#text')?.value.includes('Meine Übung')`)
		right()
	})

	var link string
	p.click("#copy-link")
	p.until("the link", `() => copied.length === 1`)
	if p.js(&link, `() => copied[0]`); len(link) > 8192 || !strings.Contains(link, "&lesson64=") {
		t.Errorf("the link is %s", link)
	}
	q := readyApart(t, maxOfLessons, link)
	opens := func() {
		t.Helper()
		q.until("the lesson of the link", `() => document.querySelector('#lesson h2')?.textContent === 'Meine Übung – α'`)
	}
	opens()
	q.js(nil, `() => document.querySelector('#lesson .lesson-predict input').click()`)
	q.js(nil, `() => document.querySelector('#lesson .lesson-predict [type=submit]').click()`)
	q.js(nil, `() => document.querySelector('#lesson [data-part=show]').click()`)
	q.until("the goal", `() => document.querySelector('#lesson .lesson-sign')?.classList.contains('reached')`)
	q.until("the address of the lesson", `() => window.location.hash.includes('&lesson64=')`)
	q.run(chrome.Reload())
	q.js(nil, `() => playground.ready`)
	opens()

	p.click("#save-page")
	p.until("the page", `() => saved.length === 1`)
	var page string
	p.js(&page, `() => saved[0].text()`)
	if len(page) > 17_300_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	file := filepath.Join(t.TempDir(), "own.html")
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	tab, closeTab = apart(t)
	r := openFor(t, maxOfLessons, tab, closeTab, "file://"+filepath.ToSlash(file))
	r.js(nil, `() => playground.ready`)
	r.until("the lesson of the file", `() => document.querySelector('#lesson h2')?.textContent === 'Meine Übung – α'`)
}

// TestWorkshopRefuses: for a link with an invalid lesson, the page reports the error and its place.
func TestWorkshopRefuses(t *testing.T) {
	t.Parallel()
	p := open(t, "workshop.html")
	var link string
	p.js(&link, `async () => {
		const { linkOf, packed } = await import('./assets/lesson/own-lesson.js');
		const text = '---\ntitle: A\nquestion: Why?\nscene: lab\n---\n\n## One\n\nLook <img src=x onerror=alert(1)>.\n';
		return linkOf('lab', await packed(text));
	}`)
	q := ready(t, link)
	q.noticed("HTML is not allowed")
	q = ready(t, "#v=1&scene=lab&lesson=own-1:1&lesson64=AAAA")
	q.noticed("The link’s lesson cannot be read")
}
