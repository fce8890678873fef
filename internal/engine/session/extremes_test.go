package session

import (
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/scenes"
)

// pageStretch is the stretch that package wasm sets for the page.
const pageStretch = 4 << 20

// maxWork limits the work between two moments when the page can do something else. A quarter of a stretch is reserved
// for an iteration without a pause, and the rest of maxWork for the longest piece. In a browser this amount of work
// takes some twenty milliseconds.
const maxWork = 2 * pageStretch

// A state is played for at least fewSlices slices, and then for up to maxSlices until an iteration is complete.
const (
	fewSlices = 3
	maxSlices = 24
)

// tally records the largest amount of work between two moments when the page can do something else, and what caused it.
type tally struct {
	s    *Session
	last int // the work at the last moment
	most int
	what string
}

// moment marks a moment at which the page could do something else.
func (c *tally) moment(what string) {
	now := c.s.timeline().Worked()
	if work := now - c.last; work > c.most {
		c.most, c.what = work, what
	}
	c.last = now
}

// slice returns a more() that is false from the second call on.
func (c *tally) slice(what string) func() bool {
	asked := 0
	return func() bool {
		c.moment(what)
		asked++
		return asked == 1
	}
}

// Settings with long iterations.
const (
	longClients = "v=1&scene=federated&n=40&samples=400&m=10&localepochs=20"
	longPlans   = "&method=most,most-o,most-m,most-l,wmgda,linearization,mgda"
)

// report fails the test if the limit is exceeded.
func (c *tally) report(t *testing.T, link string) {
	t.Helper()
	if c.most > maxWork {
		t.Errorf("%s: %s takes %d units of work in one piece, the bound is %d", link, c.what, c.most, maxWork)
	}
}

// loadCounted loads settings with the page's stretch. The timeline is new, so that all its work counts as opening.
func loadCounted(t *testing.T, in link.Settings) *tally {
	t.Helper()
	s, err := New(scenes.All, in.Scene)
	if err != nil {
		t.Fatal(err)
	}
	s.SetStretch(pageStretch)
	c := &tally{s: s}
	if err := s.Load(in); err != nil {
		t.Fatalf("%s: %v", in.Hash(), err)
	}
	c.last = 0
	c.moment("opening")
	shown(t, s, in.Hash())
	return c
}

// replayCounted does the work left by loading, in slices, until none is left or the number of slices reaches its limit.
func (c *tally) replayCounted(t *testing.T, link string) {
	t.Helper()
	for range maxSlices {
		pending, err := c.s.Work(c.slice("replaying"))
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		c.moment("replaying")
		if !pending {
			break
		}
	}
	shown(t, c.s, link)
}

// playCounted plays some slices, with a frame after some of them. It reports whether an iteration was interrupted.
func (c *tally) playCounted(t *testing.T, link string) (parted bool) {
	t.Helper()
	if err := c.s.Play(); err != nil {
		t.Fatalf("%s: %v", link, err)
	}
	c.moment("the start")
	for i := 0; i < fewSlices || i < maxSlices && c.s.timeline().UnderWay(); i++ {
		if err := c.s.Advance(1, c.slice("playing")); err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		c.moment("playing")
		parted = parted || c.s.timeline().UnderWay()
		if i > 1 && c.s.timeline().UnderWay() {
			continue
		}
		if err := c.s.drawable(); err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		c.moment("a frame")
	}
	return parted
}

// useOf returns the settings under which a parameter has an effect.
func useOf(params *param.List, d param.Descriptor) (out []link.Value) {
	if d.Only != nil && !params.Useful(d.Name) {
		if needs, ok := params.Lookup(d.Only.Name); ok {
			out = append(useOf(params, needs), link.Value{Name: needs.Name, Text: d.Only.Values[0]})
		}
	}
	if _, ok := params.Lookup("method"); ok && d.Method != "" {
		out = append(out, link.Value{Name: "method", Text: d.Method})
	}
	return out
}

// endsOf returns the texts of a parameter's minimum and maximum. For a choice it returns all options; for lists, the
// largest set or the most points. With -short, a whole number has only its maximum, which decides how much is computed,
// and other numbers have no texts.
func endsOf(d param.Descriptor) (out []string) {
	for _, o := range d.Options {
		if o.Disabled == "" {
			out = append(out, o.Value)
		}
	}
	switch {
	case !testing.Short():
	case d.Kind == param.Integer:
		return []string{textOf(d.Max)}
	case d.Kind == param.Number, d.Kind == param.Seed, d.Kind == param.Bool:
		return nil
	}
	switch d.Kind {
	case param.Number, param.Integer, param.Seed:
		return []string{textOf(d.Min), textOf(d.Max)}
	case param.Bool:
		return []string{"true", "false"}
	case param.Set:
		return []string{strings.Join(out, ",")}
	case param.Points:
		row := textOf(d.Max) + "," + textOf(d.Min)
		return []string{"", strings.Join(slices.Repeat([]string{row}, d.AtMost), ";")}
	}
	return out
}

// TestExtremes checks the work in one piece of an iteration, and in one frame, against the limit. It tries the minimum
// and the maximum of every parameter, with the defaults of all others. Work is counted as steppers report it, not
// timed. The computation in the scene's Work and the building of runs do not count. Of Display parameters, the test
// tries only choices, because their pictures may visit iterations. The comment on endsOf explains what -short omits.
func TestExtremes(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			played := 0
			for _, d := range s.scene.Params().Descriptors() {
				if d.Effect == param.Display && d.Kind != param.Choice {
					continue
				}
				for _, text := range endsOf(d) {
					in := link.Settings{Scene: about.ID, Values: append(useOf(s.scene.Params(), d), link.Value{Name: d.Name, Text: text})}
					c := loadCounted(t, in)
					c.playCounted(t, in.Hash())
					c.report(t, in.Hash())
					if c.s.timeline().Worked() > 0 {
						played++
					}
				}
			}
			if played == 0 && len(s.timeline().Runs()) > 0 {
				t.Error("no work was counted")
			}
		})
	}
}

// looks returns each value of the choices that decide what a scene shows, such as a view, an axis or a field. Some of
// these values start a computation in the scene's Work.
func looks(params *param.List) (out []link.Value) {
	for _, d := range params.Descriptors() {
		if d.Kind != param.Choice || d.Effect != param.Display {
			continue
		}
		for _, text := range endsOf(d) {
			out = append(out, link.Value{Name: d.Name, Text: text})
		}
	}
	return out
}

// decisions returns a scene's weightings, or its methods one by one. It returns a zero Value if the scene has neither.
func decisions(params *param.List) (out []link.Value) {
	d, is := params.Lookup("weighting")
	if !is {
		d, is = params.Lookup("method")
	}
	if !is {
		return []link.Value{{}}
	}
	for _, o := range d.Options {
		if o.Disabled == "" {
			out = append(out, link.Value{Name: d.Name, Text: o.Value})
		}
	}
	return out
}

// TestExtremesBeside checks that each look can be shown with each weighting or method, and that the first slices of the
// scene's Work succeed. With -short, the test tries all combinations if a look starts such work, and otherwise each
// look and each weighting once.
func TestExtremesBeside(t *testing.T) {
	const slices = 4
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			all, always := decisions(s.scene.Params()), false // always is true if there is work without a look
			for i, look := range append([]link.Value{{}}, looks(s.scene.Params())...) {
				every := !testing.Short()
				for j, of := range all {
					if !every && j > 0 && j != i%len(all) {
						continue
					}
					in := link.Settings{Scene: about.ID}
					for _, v := range []link.Value{of, look} {
						if v.Name != "" {
							d, _ := s.scene.Params().Lookup(v.Name)
							in.Values = append(append(in.Values, useOf(s.scene.Params(), d)...), v)
						}
					}
					c := loadCounted(t, in)
					for range slices {
						pending, err := c.s.Background(c.slice("the work beside the runs"))
						if err != nil {
							t.Fatalf("%s: %v", in.Hash(), err)
						}
						every = every || pending && !always && i > 0
						always = always || pending && i == 0
						if !pending {
							break
						}
					}
					if err := c.s.drawable(); err != nil {
						t.Fatalf("%s: %v", in.Hash(), err)
					}
				}
			}
		})
	}
}

// manyOrders is a link with long iterations. Its scene is not that of longClients.
const manyOrders = "v=1&scene=ordering&problem=logistic&K=128&batch=64&M=8&d=400"

// together lists extreme values that in combination cause very long iterations.
var together = []struct {
	link string
	long bool // an iteration takes more than a quarter of a stretch
	few  bool // the setting represents its family in the short form
}{
	{"v=1&scene=clusters&m=10&n=200&K=20&solver=ipot&beta=10", true, false},
	{"v=1&scene=clusters&m=10&n=200&K=20&solver=ipot&beta=10&tau=0.3" + longPlans, true, false},
	{"v=1&scene=fronts&m=20&d=60&K=20&extended=100&solver=ipot", true, true},
	{"v=1&scene=cleaning&train=200&classes=5&hidden=16&T=256&mode=forward", true, true},
	{"v=1&scene=cleaning&train=200&classes=5&hidden=16&T=256&mode=forward&view=table", true, false},
	{manyOrders, true, true},
	{manyOrders + "&seeds=20", true, false},
	{longClients, true, true},
	{longClients + longPlans + ",fedavg,fedprox,fedmgda", true, false},
	{longClients + "&curriculum=paper", true, false},
	{"v=1&scene=federated&samples=208&solver=sinkhorn", true, false},
	{"v=1&scene=fairness&m=10&extended=100&samples=4000&K=20", true, false},
	{"v=1&scene=regression&d=400&q=12&m=1,1,1,1,1,1,1,1,1,1,1,1&r=8&N=2500&batch=1024&seeds=10", true, true},
	{"v=1&scene=regression&N=16384&batch=1024&seeds=10", true, false},
	{"v=1&scene=sweep&p=20&passes=100&batch=256&r=3&d=100&N=4096", true, true},
	{"v=1&scene=transport&n=40&a=&m=40&b=&solver=ipot", false, true},
}

// TestExtremesTogether checks the limit for combinations of extreme values that cause very long iterations, in play and
// in the replay of a link. With -short, the test has one setting for each family of steppers.
func TestExtremesTogether(t *testing.T) {
	for _, c := range together {
		if testing.Short() && !c.few {
			continue
		}
		played, notices := link.Parse(c.link)
		replayed, _ := link.Parse(c.link + "&latest=2&k=1")
		counted := loadCounted(t, played)
		if notices = append(notices, counted.s.TakeNotices()...); len(notices) > 0 {
			t.Errorf("%s: %q", c.link, notices)
		}
		if parted := counted.playCounted(t, c.link); parted != c.long {
			t.Errorf("%s: an iteration is parted: %v", c.link, parted)
		}
		counted.report(t, c.link)
		counted = loadCounted(t, replayed)
		counted.replayCounted(t, replayed.Hash())
		counted.report(t, replayed.Hash())
	}
}
