package browser

import (
	"strings"
	"sync"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// screen is a kind of window. Tests use its windows one after another, because loading and compiling the program takes
// most of a short test's time.
type screen struct {
	option option // nil for a default window

	mu   sync.Mutex
	left []lent // windows that tests have left
}

// lent is a window that one test uses at a time.
type lent struct {
	tab   *chrome.Tab
	close func()
}

var (
	desk       = &screen{}
	laptop     = &screen{option: size(1280, 800)}
	handset    = &screen{option: phone()}
	smallPhone = &screen{option: touchScreen(320, 640)}
)

// shows follows a link in a window of this screen, which an earlier test may have used. A test that calls shows must
// leave only state that the next link replaces. It must not leave an open dialog, a remembered choice or another site.
// A failed test's window is closed.
func (s *screen) shows(t testing.TB, hash string) *page {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	w, used := s.take(t)
	leave := func() { s.leave(w, t.Failed()) }
	if !used {
		var options []option
		if s.option != nil {
			options = append(options, s.option)
		}
		p := openIn(t, w.tab, leave, hash, options...)
		p.js(nil, `() => playground.ready`)
		return p
	}
	p := use(t, endurance, w.tab, leave)
	p.js(nil, `() => { document.activeElement.blur(); scrollTo(0, 0); }`)
	p.follow(strings.TrimPrefix(hash, "#"))
	return p
}

// take returns a window that another test has left, or a new one.
func (s *screen) take(t testing.TB) (w lent, used bool) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.left) - 1; last >= 0 {
		w, s.left = s.left[last], s.left[:last]
		return w, true
	}
	tab, closeTab := window(t, browser)
	return lent{tab, closeTab}, false
}

// leave pauses the page and returns its window for other tests. It closes the window of a failed test.
func (s *screen) leave(w lent, failed bool) {
	if failed || w.tab.Do(chrome.Start(`playground.pause()`)) != nil {
		w.close()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = append(s.left, w)
}
