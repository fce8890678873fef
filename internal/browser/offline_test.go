package browser

import (
	"bufio"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// keeping allows the site's service worker to answer for the host.
func keeping() option { return with(chrome.BypassServiceWorker(false)) }

// kept waits until the site has stored itself for visits without a network.
func (p *page) kept() {
	p.Helper()
	p.until("the site kept", `() => navigator.serviceWorker.controller !== null`)
}

// TestOffline: after one visit to the contents page, every scene works without a network, whether or not the host
// negotiates compression. The short form tests only a host that does not.
func TestOffline(t *testing.T) {
	t.Parallel()
	for name, negotiate := range map[string]bool{"a host that negotiates": true, "a host that does not": false} {
		if testing.Short() && negotiate {
			continue
		}
		t.Run(name, func(t *testing.T) {
			h := hostSite(t, negotiate)
			p := open(t, h.address, keeping(), expecting(`ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION`))
			p.kept()
			writes := func() {
				p.run(chrome.Navigate(h.address + "workshop.html"))
				p.until("the workshop", `() => document.querySelector('#said').textContent.startsWith('The lesson is correct')`)
			}
			writes() // stored once it has been used
			h.away.Store(true)
			p.run(chrome.Navigate(h.address))
			p.until("the contents page", `() => document.querySelectorAll('#gallery .scenes a').length > 10`)
			p.until("its large picture", `() => [...document.querySelectorAll('.tradeoff img')].some((i) => i.complete && i.naturalWidth > 0)`)
			for _, scene := range []string{"fonseca", "lab"} {
				p.run(chrome.Navigate("about:blank"), chrome.Navigate(h.address+"#v=1&scene="+scene))
				p.js(nil, `() => playground.ready`)
				if s := p.state(); s.Scene != scene {
					t.Errorf("the scene is %s", s.Scene)
				}
				if n := colours(p.picture("#stage")); n < 50 {
					t.Errorf("%s: the picture has only %d colours", scene, n)
				}
				var kind string
				p.js(&kind, `async () => (await playground.export('svg')).type`)
				if kind != "image/svg+xml" {
					t.Errorf("%s: an exported picture is %q", scene, kind)
				}
			}
			// Open the embedded form of the page, at an address with a file name and a query.
			p.run(chrome.Navigate("about:blank"), chrome.Navigate(h.address+"index.html?embed#v=1&scene=lab"))
			p.js(nil, `() => playground.ready`)
			writes()
		})
	}
}

// TestNewVersion: a new version announces itself and waits. The current version stays until the visitor asks for the new
// one.
func TestNewVersion(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	p := open(t, h.address, keeping())
	p.kept()
	h.newer(t, "sw.js", `"version":"`, `"version":"newer`)
	h.newer(t, "", "<title>", "<title>Newer: ")
	title := func() (text string) {
		p.js(&text, `() => document.title`)
		return text
	}
	p.run(chrome.Reload())
	if strings.HasPrefix(title(), "Newer") {
		t.Error("the new version appeared without a request")
	}
	p.until("the notice of it", `() => document.querySelector('.new-version')?.textContent.includes('A new version is available.')`)
	if strings.HasPrefix(title(), "Newer") {
		t.Error("the new version took over by itself")
	}
	p.click(".new-version button")
	p.until("the new version", `() => document.title.startsWith('Newer') && !document.querySelector('.new-version')`)
	// The old version no longer uses storage.
	p.until("one cache", `async () => (await caches.keys()).length === 1`)
}

// TestServedOffline: under the serve command, the page prefers answers from the network to stored ones. When the server
// is gone, the page uses the last stored answers.
func TestServedOffline(t *testing.T) {
	if missing != "" {
		t.Skip("SKIPPED, the served site is not tested: " + missing)
	}
	t.Parallel()
	command := exec.Command(binary, "serve", "-addr", "127.0.0.1:0")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() { _, _ = command.Process.Kill(), command.Wait() }) // its status says that it was killed
	t.Cleanup(stop)
	var address string
	for lines := bufio.NewScanner(output); !strings.HasPrefix(lines.Text(), "ready") && lines.Scan(); {
		if found := announced.FindStringSubmatch(lines.Text()); found != nil {
			address = found[1]
		}
	}
	// The page may request small pictures that were never shown, and not get them. For any other missing picture, the
	// console names the file, and the test fails.
	p := open(t, address+resting, keeping(), expecting(`ERR_CONNECTION_REFUSED`, `^request failed: net::ERR_FAILED$`,
		`ERR_FAILED \S+/thumbs/`))
	p.js(nil, `() => playground.ready`)
	p.kept()
	p.run(chrome.Reload()) // from here on, the service worker stores what it serves
	p.js(nil, `() => playground.ready`)
	var from string
	p.js(&from, `async () => {
		const [name] = (await caches.keys()).filter((name) => name.startsWith('paretoplay '));
		const cache = await caches.open(name);
		const kept = await cache.match('scenes.json');
		await cache.put('scenes.json', new Response('old'));
		const answer = await (await fetch('scenes.json')).text();
		await cache.put('scenes.json', kept);
		return answer.slice(0, 2);
	}`)
	if from != "[{" {
		t.Errorf("the answer is %q, not the server's", from)
	}
	stop()
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
}

// TestNothingIsKeptElsewhere: a page embedded in another site's page stores nothing.
func TestNothingIsKeptElsewhere(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	guest := strings.Replace(h.address, "127.0.0.1", "localhost", 1) // the same host as another site
	p := open(t, h.address+"LICENCES.txt", keeping(), expecting(`favicon`))
	p.js(nil, `(guest) => {
		const frame = document.createElement('iframe');
		frame.src = guest + '#v=1&scene=lab';
		document.body.append(frame);
	}`, guest)
	for end := time.Now().Add(patience); h.times("scenes.json") == 0; time.Sleep(25 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the page within the page does not load")
		}
	}
	time.Sleep(6 * time.Second) // longer than an ordinary page waits before it stores itself
	if n := h.times("sw.js"); n != 0 {
		t.Errorf("the worker was requested %d times", n)
	}
}
