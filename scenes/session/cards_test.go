package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/scenetest"
	"paretoplay/scenes/timeline"
)

// claim is one sentence that the page says, or two that belong together, and what
// makes it true.
type claim struct {
	says  string
	holds func(t *testing.T, c *card)
}

// claims are those of a text, in order: joined by spaces they are the text.
type claims []claim

// card is a text of a scene whose claims are checked: one of its presets, or what it
// says as it opens.
type card struct {
	scene, preset string // "" for the scene as it opens
	ended         map[string]*Session
}

// sceneTexts are what a scene says as it opens, beside its cards.
func sceneTexts(a scene.About) map[string]string {
	out := map[string]string{"summary": a.Summary, "try": a.Try}
	if a.DataTry != "" {
		out["dataSummary"], out["dataTry"] = a.DataSummary, a.DataTry
	}
	return out
}

// checkedBeside are the scenes whose claims are checked in their own packages.
var checkedBeside = map[string]bool{
	"blocks":   true,
	"cleaning": true, "clusters": true, "fairness": true, "federated": true, "fronts": true, "ordering": true,
	"regression": true, "sweep": true, "transport": true,
}

// claimed are the claims of the other scenes, by text: a card's ID, or a name of sceneTexts.
var claimed = map[string]map[string]claims{
	"toy": toyClaims, "fonseca": fonsecaClaims, "bilevel": bilevelClaims, "bilevelcost": bilevelCostClaims, "lab": labClaims,
}

// TestCards: every sentence of every card and invitation holds when the card is
// played.
func TestCards(t *testing.T) {
	t.Parallel()
	for _, id := range sortedKeys(claimed) {
		about, err := scenes.All.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range sortedKeys(claimed[id]) {
			t.Run(id+"/"+name, func(t *testing.T) {
				t.Parallel()
				c := &card{scene: id, ended: map[string]*Session{}}
				if _, opening := sceneTexts(about)[name]; !opening {
					c.preset = name
				}
				for i, claim := range claimed[id][name] {
					t.Run(fmt.Sprint(i+1), func(t *testing.T) {
						claim.holds(t, c)
						if t.Failed() {
							t.Logf("This is what %q says.", claim.says)
						}
					})
				}
			})
		}
	}
}

// TestEveryCardIsChecked: the claims are the texts, to the letter; there is no text
// without them and no claim without a check.
func TestEveryCardIsChecked(t *testing.T) {
	for _, about := range scenes.All {
		id, checked := about.ID, claimed[about.ID]
		if checkedBeside[id] {
			continue
		}
		texts := sceneTexts(about)
		for _, p := range about.Presets {
			texts[p.ID] = p.Text
		}
		for name, text := range texts {
			var said []string
			for _, claim := range checked[name] {
				said = append(said, claim.says)
				if claim.holds == nil {
					t.Errorf("%s, %s: nothing checks %q", id, name, claim.says)
				}
			}
			if got := strings.Join(said, " "); got != text {
				t.Errorf("%s, %s: the claims are\n%q, the page says\n%q", id, name, got, text)
			}
		}
		for name := range checked {
			if _, there := texts[name]; !there {
				t.Errorf("%s has no card %s", id, name)
			}
		}
	}
}

// open is the card as it opens, before any iteration.
func (c *card) open(t *testing.T) *Session {
	t.Helper()
	s, err := New(scenes.All, c.scene)
	if err != nil {
		t.Fatal(err)
	}
	if c.preset != "" {
		if err := s.Card(c.preset); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// end is the card at the end of its runs, with further settings, names and values in
// turn, from their begin.
func (c *card) end(t *testing.T, settings ...string) *Session {
	t.Helper()
	key := strings.Join(settings, "\n")
	if s, done := c.ended[key]; done {
		return s
	}
	s := c.open(t)
	for i := 0; i < len(settings); i += 2 {
		if err := s.set(settings[i], settings[i+1], false); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, s)
	c.ended[key] = s
	return s
}

func finish(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
}

// nearby checks the end of the card's runs and those of starts 1e-12 away: what is
// said of chaotic runs is true of them all.
func (c *card) nearby(t *testing.T, settings []string, check func(t *testing.T, s *Session)) {
	t.Helper()
	first := c.end(t, settings...)
	check(t, first)
	for _, by := range []float64{1e-12, -1e-12} {
		var points []string
		for _, r := range first.timeline().Tracks() {
			if r.StartIndex() != len(points) {
				break // of another method
			}
			var texts []string
			for _, v := range r.Start() {
				texts = append(texts, strconv.FormatFloat(v+by, 'g', -1, 64))
			}
			points = append(points, strings.Join(texts, ","))
		}
		moved := append(slices.Clone(settings), "start", strings.Join(points, ";"))
		if s := c.end(t, moved...); !t.Failed() {
			if x := s.timeline().Tracks()[0].Start(); x[0] == first.timeline().Tracks()[0].Start()[0] {
				t.Fatal("the starts were not moved")
			}
			check(t, s)
		}
	}
}

// seeded are the ends of the card's runs on seeds 1 to 5.
func (c *card) seeded(t *testing.T, settings ...string) []*Session {
	t.Helper()
	var out []*Session
	for seed := 1; seed <= 5; seed++ {
		out = append(out, c.end(t, append([]string{"seed", strconv.Itoa(seed)}, settings...)...))
	}
	return out
}

// fact is a named number of the session.
func fact(t *testing.T, s *Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// runOf is the track of that name.
func runOf(t *testing.T, s *Session, name string) timeline.Track {
	t.Helper()
	r := s.timeline().Find(name)
	if r.Run == nil {
		t.Fatalf("there is no run %s", name)
	}
	return r
}

// of are the tracks of a method.
func of(t *testing.T, s *Session, method string) []timeline.Track {
	t.Helper()
	var out []timeline.Track
	for _, r := range s.timeline().Tracks() {
		if r.Method == method {
			out = append(out, r)
		}
	}
	if out == nil {
		t.Fatalf("%s does not run", method)
	}
	return out
}

func last(r timeline.Track) timeline.Row { return race.Latest(nil, r) }

// settles is the first kept row from which on something holds for a track, and
// whether there is one.
func settles(r timeline.Track, holds func(timeline.Row) bool) (row timeline.Row, ok bool) {
	i := r.Len()
	for i > 0 && holds(r.Kept(i-1)) {
		i--
	}
	if i == r.Len() {
		return timeline.Row{}, false
	}
	return r.Kept(i), true
}

// results reads the scene's own outcomes as a page does.
func results[T any](t *testing.T, s *Session) T {
	t.Helper()
	data, err := json.Marshal(s.scene.Results())
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// about fails unless a number is one that is stated, to so many decimals.
func about(t *testing.T, what string, got, stated float64, decimals int) {
	t.Helper()
	if text := strconv.FormatFloat(got, 'f', decimals, 64); text != strconv.FormatFloat(stated, 'f', decimals, 64) {
		t.Errorf("%s is %v, stated is %v", what, got, stated)
	}
}

// between fails unless a number lies within bounds that are stated.
func between(t *testing.T, what string, got, least, most float64) {
	t.Helper()
	if !(got >= least && got <= most) {
		t.Errorf("%s is %v, stated is %v to %v", what, got, least, most)
	}
}

// set gives a parameter a value as the page does: a change that ended runs would not
// show makes them run again.
func set(t *testing.T, s *Session, name, value string) {
	t.Helper()
	if err := s.set(name, value, true); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
}
