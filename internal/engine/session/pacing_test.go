package session

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/pointer"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// played describes play as a visitor sees it.
type played struct {
	time, share float64 // seconds, and the share of them in which 95 % of the motion takes place
	first       float64 // largest distance of a thing from its start after one second
	fourth      float64 // share of the motion in the first four seconds
	way         float64 // mean distance travelled by a thing, in lengths of the frame
	k           int     // the last iteration
	left        float64 // largest distance that a thing moves after play has stopped, if the whole budget is spent
}

// everything is a limit above the number of things in any picture.
const everything = 1 << 30

// playedBy plays to the end frame by frame, and sums the distances that things move between frames.
func playedBy(t *testing.T, s *Session, dt float64) (out played) {
	t.Helper()
	const limit = 60 // seconds
	if err := s.Play(); err != nil {
		t.Fatal(err)
	}
	var ways, seen []float64
	begin := inSight(s.places(s.inFront(), nil, s.timeline().Latest(), everything))
	before := begin
	for s.Playing() && out.time < limit {
		if err := s.Advance(dt, always); err != nil {
			t.Fatal(err)
		}
		out.time += dt
		now := inSight(s.places(s.inFront(), nil, s.timeline().Latest(), everything))
		mean, _ := distances(before, now)
		out.way += mean
		seen = append(seen, motion(before, now))
		if ways = append(ways, out.way); out.time <= 1 {
			_, out.first = distances(begin, now)
		}
		before = now
	}
	out.fourth = floats.Sum(seen[:min(int(4/dt), len(seen))]) / floats.Sum(seen)
	for i, way := range ways {
		if way >= 0.95*out.way {
			out.share = float64(i+1) / float64(len(ways))
			break
		}
	}
	if out.k = s.timeline().Latest(); s.timeline().Running() {
		if err := s.Step(s.timeline().Budget()); err != nil {
			t.Fatal(err)
		}
		work(t, s)
		_, out.left = distances(before, inSight(s.places(s.inFront(), nil, s.timeline().Latest(), everything)))
	}
	return out
}

// plays reports whether a scene has runs that play whole iterations.
func plays(s *Session) bool {
	_, static := scene.AsStatic(s.scene)
	_, slow := scene.InSlowMotion(s.scene)
	return !static && !slow && len(s.timeline().Runs()) > 0 && !s.scene.Extras().HidesRuns
}

// TestPace checks each scene as it opens. Something must move within one second, and a quarter of the motion must be
// complete after four seconds. Play must show motion most of the time, and end within ten seconds with no visible motion
// left. -v prints a table.
func TestPace(t *testing.T) {
	for _, about := range scenes.All {
		s, err := New(scenes.All, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !plays(s) {
			continue
		}
		p := playedBy(t, s, 1./60)
		t.Logf("%-10s %-10s %4.1f s, 95 %% of the motion after %3.0f %%; "+
			"%.2f after 1 s, %3.0f %% after 4 s; way %.2f; %d of %d iterations, then %.3f", about.ID, s.front(), p.time, 100*p.share,
			p.first, 100*p.fourth, p.way, p.k, s.timeline().Budget(), p.left)
		if p.time < 3 || p.time > 10 || !(p.share > 0.6) || p.left > 0.01 || p.first < 0.02 || !(p.fourth >= 0.25) {
			t.Errorf("%s: %+v", about.ID, p)
		}
	}
}

// TestPaceOfCards checks that each card plays long enough to be seen, but not too long. Cards that need only one iteration
// may play for less time. Play must not stop before a visible motion. With -short, the test plays every fourth card.
func TestPaceOfCards(t *testing.T) {
	// The solvers of these cards find the answer in one iteration, or fail within a few iterations.
	once := map[string]bool{"transport ties": true}
	n := 0
	for _, about := range scenes.All {
		for _, card := range about.Presets {
			if n++; testing.Short() && n%4 != 0 {
				continue
			}
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Card(card.ID); err != nil {
				t.Fatal(err)
			}
			work(t, s)
			if !plays(s) {
				continue
			}
			p, name := playedBy(t, s, 1./60), about.ID+" "+card.ID
			t.Logf("%-22s %-10s %4.1f s, 95 %% after %3.0f %%; %d of %d iterations, then %.3f", name, s.front(), p.time, 100*p.share,
				p.k, s.timeline().Budget(), p.left)
			left := 0.02
			if name == "fronts signs" { // with signs a solution may stop and slip on later
				left = 0.1
			}
			if p.time < 1.9 && !once[name] || p.time > 20 || p.left > left {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// TestPaceKeepsIterates checks that the iterations do not depend on when frames are drawn.
func TestPaceKeepsIterates(t *testing.T) {
	var want map[string]any
	for _, dt := range []float64{1. / 144, 1. / 60, 0.2} {
		s := open(t)
		do(t, s, "set", `{"name":"budget","value":60}`)
		playedBy(t, s, dt)
		now := stateJSON(t, s)
		if want == nil {
			want = now
		}
		sameState(t, fmt.Sprintf("frames of %.3f s", dt), now, want)
	}
}

// TestSettledGoesOn checks that play pauses before the end of the budget once everything has settled, and states the finding.
// Play must then continue from there as fast as the speed allows. Moving a control must restart the runs.
func TestSettledGoesOn(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"speed","value":"60"}`)
	do(t, s, "play", "")
	playOut(t, s)
	k := s.timeline().Latest()
	st := state(t, s)
	if k >= 200 || st.Budget != 200 || st.Status != "running" || !strings.HasPrefix(st.Finding, "All 10 runs reached the front") {
		t.Fatalf("stopped at %d of %d, %s: %q", k, st.Budget, st.Status, st.Finding)
	}
	do(t, s, "play", "")
	if found := state(t, s).Finding; found != "" {
		t.Errorf("while it plays on: %q", found)
	}
	for range 60 {
		if err := s.Advance(1./60, always); err != nil {
			t.Fatal(err)
		}
	}
	if made := s.timeline().Latest() - k; made < 58 || made > 61 {
		t.Errorf("a second at 60 a second made %d iterations where nothing moves", made)
	}
	playOut(t, s)
	if k := s.timeline().Latest(); k != 200 {
		t.Errorf("it ended at %d", k)
	}
}

// TestToCome checks the estimate on a plateau: growing motion becomes visible, shrinking motion does not.
func TestToCome(t *testing.T) {
	for _, c := range []struct {
		before, last float64
		quarters     int
		sees         bool
	}{
		{0, 0, 1000, false},
		{1e-9, 1e-8, 1000, false}, // rounding
		{1e-3, 1e-4, 1000, false},
		{1e-5, 1e-4, 10, true},  // leaving a plateau
		{1e-4, 1e-4, 100, true}, // slow motion with a large budget
		{1e-4, 1e-4, 10, false}, // slow motion with a small budget
	} {
		if got := toCome(c.before, c.last, c.quarters, 0.005) > 0.005; got != c.sees {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestPaceCosts counts allocations. After the first look at the picture, further looks must allocate nothing, except in
// the panel's axes.
func TestPaceCosts(t *testing.T) {
	s := open(t)
	if err := s.Step(50); err != nil {
		t.Fatal(err)
	}
	work(t, s)
	var v []float64
	panel := s.inFront()
	look := func() { v = s.places(panel, v[:0], 30, mostPlaces) }
	look()
	ofAxes := testing.AllocsPerRun(100, func() { panel.(*axes.Plane).Axes() })
	if n := testing.AllocsPerRun(100, look); n > ofAxes {
		t.Errorf("%g allocations a look, %g of them for axes", n, ofAxes)
	}
	if len(v) != 2*len(s.timeline().Tracks()) || math.IsNaN(v[0]) {
		t.Errorf("places %v", v)
	}
}

// TestLoop checks that play is repeated at most three times, and that only the marker moves. Any action must end the repetition
// at the latest iteration.
func TestLoop(t *testing.T) {
	s := open(t)
	loops := func() bool {
		out, err := s.Call("loop", nil)
		if err != nil {
			t.Fatal(err)
		}
		return out.(map[string]bool)["loops"]
	}
	if loops() {
		t.Error("loop starts before play")
	}
	do(t, s, "play", "")
	playOut(t, s)
	ended, changes := stateJSON(t, s), 0
	s.OnEvent(func(kind string) {
		if kind == "change" {
			changes++
		}
	})
	same := func(what string) {
		t.Helper()
		sameState(t, what, stateJSON(t, s), ended)
		if changes > 0 {
			t.Errorf("%s: %d changes were told", what, changes)
		}
	}
	round := func() (seconds float64) {
		t.Helper()
		at(t, s, 0, s.timeline().Latest())
		for before := 0; s.Playing(); seconds += 1. / 60 {
			if err := s.Advance(1./60, always); err != nil {
				t.Fatal(err)
			}
			st := state(t, s)
			if st.Hash != ended["hash"] || st.Undo || st.Playing || len(st.Notices) > 0 || st.Iteration < before {
				t.Fatalf("at %d: %s, undo %t, playing %t, notices %v", st.Iteration, st.Hash, st.Undo, st.Playing, st.Notices)
			}
			before = st.Iteration
		}
		return seconds
	}
	for n := range maxLoops {
		if !loops() || loops() {
			t.Fatal("loop does not start, or starts twice")
		}
		if took := round(); took < 3 || took > 15 {
			t.Errorf("a loop took %.1f s", took)
		}
		same(fmt.Sprintf("after loop %d", n+1))
	}
	if loops() {
		t.Error("loop starts a fourth time")
	}
	again := func() {
		t.Helper()
		do(t, s, "reset", "")
		do(t, s, "play", "")
		playOut(t, s)
		if !loops() {
			t.Fatal("loop does not start after another play")
		}
		for range 30 {
			if err := s.Advance(1./60, always); err != nil {
				t.Fatal(err)
			}
		}
	}
	latest := s.timeline().Latest()
	for _, verb := range []string{"pause", "release", "hero"} {
		again()
		do(t, s, verb, `{"panel":"decision"}`)
		do(t, s, "hero", `{"panel":"objective"}`)
		at(t, s, latest, latest)
	}
	again()
	do(t, s, "step", `{"n":1}`)
	at(t, s, latest+1, latest+1)
	again()
	if _, err := s.Pointer(pointer.Event{Kind: "move", X: 5, Y: 5}, always); err != nil {
		t.Fatal(err)
	}
	at(t, s, latest, latest)
	do(t, s, "pin", "")
	if loops() {
		t.Error("loop starts beside a pin")
	}
}

// TestPaceInPictures compares the pictures themselves: the first 95 % of the changes in the front panel must take most of the
// playing time. No other test covers panels that play evenly.
func TestPaceInPictures(t *testing.T) {
	const dt, every, width, height = 1. / 60, 24, 320, 200
	for _, id := range []string{"fonseca", "bilevel", "cleaning", "network", "ordering", "sweep"} {
		s, err := New(scenes.All, id)
		if err != nil {
			t.Fatal(err)
		}
		look := func() *vgimg.Canvas {
			c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(72), vgimg.UseBackgroundColor(brush.Light.Paper))
			axes.Draw(draw.New(c), s.Layout(width, height, false, true), brush.Light, false)
			return c
		}
		do(t, s, "play", "")
		before, changes, all := look(), []float64{}, 0.0
		for frame := 1; s.Playing(); frame++ {
			if err := s.Advance(dt, always); err != nil {
				t.Fatal(err)
			}
			if frame%every != 0 && s.Playing() {
				continue
			}
			now := look()
			a, b := before.Image(), now.Image()
			for y := range height {
				for x := range width {
					r0, g0, b0, _ := a.At(x, y).RGBA()
					r1, g1, b1, _ := b.At(x, y).RGBA()
					all += math.Abs(float64(r0)-float64(r1)) + math.Abs(float64(g0)-float64(g1)) + math.Abs(float64(b0)-float64(b1))
				}
			}
			changes = append(changes, all)
			before = now
		}
		late := sort.Search(len(changes), func(i int) bool { return changes[i] >= 0.95*all })
		share := float64(late+1) / float64(len(changes))
		t.Logf("%-10s %d looks, 95 %% of the changes after %3.0f %%", id, len(changes), 100*share)
		if !(share > 0.6) {
			t.Errorf("%s: 95 %% of what is seen has happened after %.0f %% of play", id, 100*share)
		}
	}
}
