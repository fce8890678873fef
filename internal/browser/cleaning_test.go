package browser

import (
	"fmt"
	"slices"
	"testing"
)

// restingCleaning is a link to the scene of hyper-cleaning, paused at k = 0.
const restingCleaning = "#v=1&scene=cleaning&k=0"

type cleaningRun struct {
	Method string
	HVP    int
	Last   struct {
		K                     int
		Accuracy, F1          [2]float64
		AUC, Clean, Corrupted *float64
	}
}

type cleaningResults struct {
	Runs      []cleaningRun
	Reference *[2]float64
}

func (p *page) cleaning() (r cleaningResults) {
	p.Helper()
	p.js(&r, `() => playground.state().results`)
	return r
}

// TestCleaningRuns: the runs play to their end in the page. At the end, wrong labels have small weights, and the models
// are near a reference model, which is trained on clean labels in the meantime.
func TestCleaningRuns(t *testing.T) {
	long(t, "TestToyRace plays to the end too")
	p := desk.shows(t, restingCleaning)
	if s := p.state(); s.Scene != "cleaning" || len(s.Runs) != 4 || s.Latest != 0 {
		t.Fatalf("%s with %d runs at %d", s.Scene, len(s.Runs), s.Latest)
	}
	p.until("the reference", `() => playground.state().results.reference !== null`)
	p.drawn()
	before := fingerprint(p.picture("#stage"))
	p.js(nil, `async () => { await playground.set('speed', 'max'); await playground.set('budget', 60); await playground.play(); }`)
	p.until("the end of the runs", `() => playground.state().latest === 60 && !playground.state().playing`)
	var frames []float64
	p.js(&frames, `() => document.getElementById('stage').contentWindow.stage.probe().frameMillis`)
	slices.Sort(frames)
	// WebGL runs in software here, and other tests run at the same time, so this is only a rough check.
	if n := len(frames); n == 0 || frames[n/2] > 200 {
		t.Errorf("the main thread takes %v ms for a frame", frames)
	}
	r := p.cleaning()
	if len(r.Runs) != 4 || r.Reference == nil {
		t.Fatalf("results %+v", r)
	}
	none := r.Runs[3]
	for _, run := range r.Runs {
		p.part(run.Method, func() {
			switch {
			case run.Last.K != 60 || run.Last.AUC == nil:
				p.Errorf("%+v", run)
			case run.Method == "nocleaning":
				if *run.Last.AUC != 0.5 {
					p.Errorf("without cleaning, the AUC is %v", *run.Last.AUC)
				}
			case *run.Last.AUC < 0.85 || *run.Last.Corrupted > 0.4 || run.Last.Accuracy[0] < none.Last.Accuracy[0]+0.2:
				p.Errorf("%s: %+v", run.Method, run.Last)
			case (run.HVP == 0) != (run.Method == "forum"):
				p.Errorf("%s computes %d products", run.Method, run.HVP)
			}
		})
	}
	p.drawn()
	if fingerprint(p.picture("#stage")) == before {
		t.Error("the pictures have not changed")
	}
}

// TestCleaningPage: a visitor chooses the additional curve, presses a card and follows a link.
func TestCleaningPage(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingCleaning)
	p.js(nil, `() => playground.step(30)`)
	p.js(nil, `() => playground.hero('curve')`)
	p.drawn()
	seen := map[string]bool{fingerprint(p.picture("#stage")): true}
	for _, curve := range []string{"weights", "q", "cost"} {
		p.js(nil, `(curve) => playground.set('curve', curve)`, curve)
		p.drawn()
		seen[fingerprint(p.picture("#stage"))] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d different pictures of 4", len(seen))
	}
	if s := p.state(); s.Latest != 30 {
		t.Errorf("a display parameter moves the runs to %d", s.Latest)
	}
	p.click("#experiments li:nth-child(1) button")
	p.until("the card's runs", `() => playground.state().runs.length === 2 && playground.state().latest > 20`)
	p.js(nil, `async () => { await playground.pause(); await playground.set('rho', 0.9); await playground.step(5); }`)
	var link string
	p.js(&link, `() => playground.state().hash`)
	a := p.state()
	p.follow(link)
	b := p.state()
	if fmt.Sprint(a.Runs) != fmt.Sprint(b.Runs) || a.Latest != b.Latest || len(b.Runs) != 2 {
		t.Errorf("the link leads to another state: %d and %d", a.Latest, b.Latest)
	}
}

// TestCleaningPhone: a phone shows one panel at a time, and nothing is wider than the screen.
func TestCleaningPhone(t *testing.T) {
	long(t, "TestToyPhone shows one panel a time too")
	t.Parallel()
	p := handset.shows(t, restingCleaning)
	p.js(nil, `() => playground.step(40)`)
	p.onePanelATime("circle", "spiral", "weights", "accuracy", "detection", "curve")
}
