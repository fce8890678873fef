package browser

import (
	"fmt"
	"slices"
	"testing"
)

const cost = "#v=1&scene=bilevelcost"

// costResults holds what playground.state() reports about the cost of differentiating.
type costResults struct {
	Pending bool
	Done    float64
	Cells   []costCell
}

type costCell struct {
	Method                       string
	Mode                         *string
	T, P, HVP, Gradients, Floats int
	Time, Low, High              *float64
	Batches                      int
	TooLarge                     bool
}

func (p *page) costResults() (r costResults) {
	p.Helper()
	p.js(&r, `() => playground.state().results`)
	return r
}

const costMeasured = `() => playground.state().results?.pending === false`

// TestCostMeasured: the measurement runs to its end by itself while the page responds. Its counts agree with the
// formulas, and every measured time is positive.
func TestCostMeasured(t *testing.T) {
	long(t, "TestCostControls measures with one repetition")
	p := desk.shows(t, cost)
	var longest float64
	p.js(&longest, `async () => {
		let last = performance.now(), longest = 0, ended = false;
		const beat = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; if (!ended) setTimeout(beat); };
		await playground.set('measurement', 2);
		last = performance.now();
		beat();
		while (playground.state().results.pending) await new Promise((done) => setTimeout(done, 50));
		ended = true;
		return longest;
	}`)
	t.Logf("the longest the page was busy: %.0f ms", longest)
	if !(longest < 1000) {
		t.Errorf("the page was frozen for %.0f ms", longest)
	}
	r := p.costResults()
	if len(r.Cells) != 36 || r.Done != 1 {
		t.Fatalf("%d cells, %g done", len(r.Cells), r.Done)
	}
	for _, c := range r.Cells {
		p.part(fmt.Sprintf("%s T=%d p=%d", c.Method, c.T, c.P), func() {
			const n, m = 6, 2
			gradients, products, floats := c.T+m, m*c.T, (m+2)*(n+c.P)+c.P+m+c.P*c.T
			switch {
			case c.Method == "forum":
				gradients, products, floats = c.T+m+1, 0, (m+4)*(n+c.P)+2*c.P+3*m
			case *c.Mode == "forward":
				products, floats = n*c.T, floats-c.P*c.T+n*c.P
			case c.Method == "moco":
				floats += m * n
			}
			if c.Gradients != gradients || c.HVP != products || c.Floats != floats || c.TooLarge || c.Batches != 25 {
				p.Errorf("%+v: want %d gradients, %d products, %d floats", c, gradients, products, floats)
			}
			if c.Time == nil || !(*c.Time > 0) || !(*c.Low <= *c.Time) || !(*c.Time <= *c.High) {
				p.Errorf("%s at T = %d, p = %d takes %v", c.Method, c.T, c.P, c.Time)
			}
		})
	}
	p.until("the table", `() => document.querySelectorAll('#readout tbody tr').length === 36 &&
		document.querySelector('#readout tbody').textContent.includes('µs')`)
	p.until("the last numbers in words", `() =>
		document.getElementById('descriptions').textContent.includes('At the largest T FORUM needs least')`)
	p.drawn()
	if n := colours(p.picture("#stage")); n < 40 {
		t.Errorf("only %d colours", n)
	}
	var shown bool
	p.js(&shown, `() => document.getElementById('time-row').checkVisibility()`)
	if shown {
		t.Error("a scene without runs has playback controls")
	}
}

// TestCostControls: cards and parameters restart the measurement, except those that only change the picture. A link
// gives the same counts.
func TestCostControls(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, cost+"&repetitions=1")
	p.until("a measurement", costMeasured)
	before := p.costResults()
	p.js(nil, `() => playground.set('axis', 'linear')`)
	p.js(nil, `() => playground.set('count', 'gradients')`)
	if r := p.costResults(); r.Pending || *r.Cells[0].Time != *before.Cells[0].Time {
		t.Error("another picture restarts the measurement")
	}
	p.until("gradients described", `() => document.getElementById('descriptions').textContent.includes('T + m + 1 for FORUM')`)
	p.click("#experiments li:nth-child(2) button")
	p.until("the card", `() => playground.state().params.n === 32`)
	p.until("its measurement", costMeasured)
	after := p.costResults()
	if i := slices.IndexFunc(after.Cells, func(c costCell) bool { return c.TooLarge }); i < 0 || *after.Cells[i].Mode != "forward" {
		t.Errorf("no cell of forward mode is omitted: %+v", after)
	}
	var link string
	p.js(&link, `() => playground.state().hash`)
	p.follow(link)
	p.until("the same measurement", costMeasured)
	counts := func(r costResults) (out []string) {
		for _, c := range r.Cells {
			out = append(out, fmt.Sprint(c.Method, c.T, c.P, c.HVP, c.Gradients, c.Floats, c.TooLarge))
		}
		return out
	}
	if a, b := counts(after), counts(p.costResults()); !slices.Equal(a, b) {
		t.Errorf("the link counts %v, not %v", b, a)
	}
}

// TestCostPhone: a phone shows one picture at a time, and nothing is wider than the screen.
func TestCostPhone(t *testing.T) {
	long(t, "TestToyPhone shows one panel a time too")
	t.Parallel()
	p := handset.shows(t, cost+"&repetitions=1")
	p.until("a measurement", costMeasured)
	p.onePanelATime("time-over-t", "evaluations-over-t", "floats-over-t", "time-over-p", "evaluations-over-p", "floats-over-p")
}
