package scenetest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// CardClaim is a Claim whose check plays the card that contains it. With Over, the check plays the card once with each seed.
type CardClaim struct {
	Says  string
	Holds func(t testing.TB, c *Card)
	Seeds Seeds
}

// CardClaims holds claims by card ID. All claims of one text share their runs.
type CardClaims map[string][]CardClaim

// Check is like Claims.Check, but checks one text after another, because texts share runs.
func (c CardClaims) Check(t *testing.T, a scene.About) {
	t.Helper()
	claims := Claims{}
	for name, list := range c {
		card := NewCard(a, name)
		for _, claim := range list {
			claims[name] = append(claims[name], claim.of(card))
		}
	}
	claims.check(t, a, false)
}

// of returns a Claim that plays the card once, or once with each of the seeds.
func (c *CardClaim) of(card *Card) Claim {
	out := Claim{Says: c.Says, Seeds: c.Seeds}
	switch c.Seeds.Kind {
	case Each:
		out.Each = func(t testing.TB, seed int) { c.Holds(t, card.seeded(seed)) }
	case NoSeed:
		out.Holds = func(t testing.TB) {
			c.Holds(t, card)
			if _, drawn := card.about.New().Params().Lookup("seed"); drawn {
				c.Holds(t, card.seeded(SeedList(1)[0]))
			}
		}
	default:
		out.Holds = func(t testing.TB) { c.Holds(t, card) }
	}
	return out
}

// CheckHelp checks claims in the parameters' help texts. The keys are the parameters' names. Each claim must be part of
// the help text of the parameter or of one of its options.
func (c CardClaims) CheckHelp(t *testing.T, a scene.About) {
	for name, list := range c {
		t.Run(name, func(t *testing.T) {
			d, known := a.New().Params().Lookup(name)
			if !known {
				t.Fatal("unknown parameter")
			}
			text := d.Help
			for _, o := range d.Options {
				text += "\n" + o.Help
			}
			card := NewCard(a, "")
			for _, claim := range list {
				if !strings.Contains(text, claim.Says) {
					t.Errorf("got help %q, want %q in it", text, claim.Says)
				}
				claim.Holds(t, card)
			}
		})
	}
}

// Card is a scene with the values of one of its cards. It computes the ends of its runs once for each setting. It is not safe for
// concurrent use.
type Card struct {
	about  scene.About
	values map[string]string
	ended  map[string]scene.Scene
	seeds  map[int]*Card // the same card with other seeds
}

// NewCard returns the card with the given ID, or the scene as it opens if no card has the ID.
func NewCard(a scene.About, id string) *Card {
	c := &Card{about: a, ended: map[string]scene.Scene{}, seeds: map[int]*Card{}}
	if i := slices.IndexFunc(a.Presets, func(p scene.Preset) bool { return p.ID == id }); i >= 0 {
		c.values = a.Presets[i].Values
	}
	return c
}

// seeded returns the same card with another seed.
func (c *Card) seeded(seed int) *Card {
	if c.seeds[seed] == nil {
		values := maps.Clone(c.values)
		if values == nil {
			values = map[string]string{}
		}
		values["seed"] = strconv.Itoa(seed)
		c.seeds[seed] = &Card{about: c.about, values: values, ended: map[string]scene.Scene{}, seeds: c.seeds}
	}
	return c.seeds[seed]
}

// Open returns the card's scene at k = 0. settings lists additional settings as alternating names and values.
func (c *Card) Open(t testing.TB, settings ...string) scene.Scene {
	t.Helper()
	s := c.unbegun(t, settings...)
	begin(t, s)
	return s
}

// unbegun returns the card's scene before its runs are built.
func (c *Card) unbegun(t testing.TB, settings ...string) scene.Scene {
	t.Helper()
	s := c.about.New()
	for name, text := range c.values {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(settings); i += 2 {
		if err := s.Params().Assign(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// begin builds a scene's runs from its parameters.
func begin(t testing.TB, s scene.Scene) {
	t.Helper()
	s.Params().Fit()
	if err := s.Params().Check(); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
}

// End returns the card's scene at the end of its runs.
func (c *Card) End(t testing.TB, settings ...string) scene.Scene {
	t.Helper()
	key := strings.Join(settings, "\n")
	if s, done := c.ended[key]; done {
		return s
	}
	s := ended(t, c.about, c.unbegun(t, settings...))
	c.ended[key] = s
	return s
}

// Seeded returns the card's scene at the end of its runs, for each of the first count seeds of SeedList.
func (c *Card) Seeded(t testing.TB, count int, settings ...string) []scene.Scene {
	t.Helper()
	return c.SeededOn(t, SeedList(count), settings...)
}

// SeededOn returns the card's scene at the end of its runs, for each of the given seeds.
func (c *Card) SeededOn(t testing.TB, seeds []int, settings ...string) (out []scene.Scene) {
	t.Helper()
	for _, seed := range seeds {
		out = append(out, c.seeded(seed).End(t, settings...))
	}
	return out
}

// Nearby checks the end of the card's runs. Without -short it also checks runs whose starts are 1e-12 away: a statement
// about chaotic runs must hold for all of them.
func (c *Card) Nearby(t testing.TB, settings []string, check func(t testing.TB, s scene.Scene)) {
	t.Helper()
	first := c.End(t, settings...)
	check(t, first)
	if testing.Short() {
		return
	}
	for _, by := range []float64{1e-12, -1e-12} {
		var points []string
		for _, r := range first.Timeline().Tracks() {
			if r.StartIndex() != len(points) {
				break // the track belongs to another method
			}
			var texts []string
			for _, v := range r.Start() {
				texts = append(texts, strconv.FormatFloat(v+by, 'g', -1, 64))
			}
			points = append(points, strings.Join(texts, ","))
		}
		moved := append(slices.Clone(settings), "start", strings.Join(points, ";"))
		if s := c.End(t, moved...); !t.Failed() {
			if x := s.Timeline().Tracks()[0].Start(); x[0] == first.Timeline().Tracks()[0].Start()[0] {
				t.Fatal("the starts have not changed")
			}
			check(t, s)
		}
	}
}

// Finish advances a scene until its runs have ended and its other work is done.
func Finish(t testing.TB, s scene.Scene) {
	t.Helper()
	Step(t, s, -1)
	for pending := true; pending; {
		var err error
		if pending, err = s.Work(func() bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
}

// Handles returns the handles of all panels.
func Handles(s scene.Scene) (out []axes.Handle) {
	for _, p := range s.Panels() {
		out = append(out, p.Handles(brush.Frame{Width: 400, Height: 300, Theme: brush.Light})...)
	}
	return out
}

// Nudge moves a handle as arrow keys do. dx and dy count presses; right and up are positive. Nudge restarts the runs if it changes
// a parameter that needs a restart.
func Nudge(t testing.TB, s scene.Scene, id string, dx, dy float64) {
	t.Helper()
	all := Handles(s)
	i := slices.IndexFunc(all, func(h axes.Handle) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("unknown handle %s", id)
	}
	h := all[i]
	name, text := s.Drag(id, h.X+float64(dx*h.StepX), h.Y+float64(dy*h.StepY))
	if name == "" {
		return
	}
	if _, err := s.Params().Clamp(name, text); err != nil {
		t.Fatal(err)
	}
	if d, _ := s.Params().Lookup(name); d.Effect != param.Display {
		begin(t, s)
	} else if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
}

// Paste passes a visitor's data in the given layout to a scene. It returns an error if the scene refuses them.
func Paste(s scene.Scene, layout *data.Layout, text string) error {
	g, takes := scene.AsDataTaker(s)
	if !takes {
		return fmt.Errorf("the scene takes no data")
	}
	reader := data.NewReader(layout)
	if _, err := io.WriteString(reader, text); err != nil {
		return err
	}
	p, err := reader.Close()
	if err != nil {
		return err
	}
	if err := g.Paste(p); err != nil {
		return err
	}
	if _, static := scene.AsStatic(s); static {
		return s.Displayed()
	}
	return s.Restart(nil)
}

// Number returns the value of the named fact.
func Number(t testing.TB, s scene.Scene, name string) float64 {
	t.Helper()
	return Fact(t, s.Facts(), name)
}

// Track returns the named track.
func Track(t testing.TB, s scene.Scene, name string) timeline.Track {
	t.Helper()
	r := s.Timeline().Find(name)
	if r.Run == nil {
		t.Fatalf("unknown run %s", name)
	}
	return r
}

// Tracks returns a method's tracks.
func Tracks(t testing.TB, s scene.Scene, method string) (out []timeline.Track) {
	t.Helper()
	for _, r := range s.Timeline().Tracks() {
		if r.Method == method {
			out = append(out, r)
		}
	}
	if out == nil {
		t.Fatalf("method %s does not run", method)
	}
	return out
}

// Last returns a track's last row.
func Last(r timeline.Track) timeline.Row { return r.Kept(r.Len() - 1) }

// Settles returns the first kept row of a track from which a condition holds until the end. ok is false if there is none.
func Settles(r timeline.Track, holds func(timeline.Row) bool) (row timeline.Row, ok bool) {
	i := r.Len()
	for i > 0 && holds(r.Kept(i-1)) {
		i--
	}
	if i == r.Len() {
		return timeline.Row{}, false
	}
	return r.Kept(i), true
}

// Results returns a scene's results as a page reads them, encoded as JSON and decoded.
func Results[T any](t testing.TB, s scene.Scene) (out T) {
	t.Helper()
	data, err := json.Marshal(s.Results())
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// About fails the test unless got and stated are equal when rounded to the given number of decimals.
func About(t testing.TB, what string, got, stated float64, decimals int) {
	t.Helper()
	if text := strconv.FormatFloat(got, 'f', decimals, 64); text != strconv.FormatFloat(stated, 'f', decimals, 64) {
		t.Errorf("%s: got %v, stated %v", what, got, stated)
	}
}

// Between fails the test unless a number is within the stated bounds.
func Between(t testing.TB, what string, got, least, most float64) {
	t.Helper()
	if !(got >= least && got <= most) {
		t.Errorf("%s: got %v, stated %v to %v", what, got, least, most)
	}
}

// Swarmed checks that a card's scene has a swarm and that each of the swarm's points reaches a known end.
func Swarmed(t testing.TB, c *Card) {
	t.Helper()
	const points = 60
	s := c.Open(t, "swarm", strconv.Itoa(points))
	for pending := true; pending; {
		var err error
		if pending, err = s.Work(func() bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	if all, ended := Number(t, s, "swarm.points"), Number(t, s, "swarm.ended"); all != points || ended != points {
		t.Errorf("got ends of %v points, want %v", all, ended)
	}
}
