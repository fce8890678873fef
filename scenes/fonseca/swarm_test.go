package fonseca

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
)

// swarmed returns a scene with a swarm and the given values.
func swarmed(t *testing.T, values map[string]string) *Scene {
	t.Helper()
	s := New()
	for name, text := range values {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSwarmIsRuns checks that, at every iteration, each point of the swarm equals, bit for bit, the run from its start.
// The check includes noise, momentum, random weights and a rule's random draws.
func TestSwarmIsRuns(t *testing.T) {
	for _, c := range []map[string]string{
		{"method": "mgda"}, {"method": "psmgd", "R": "7", "momentum": "0.5"}, {"method": "ls"}, {"method": "cagrad"},
		{"method": "rlw", "sigma": "0.1"}, {"method": "modo", "sigma": "0.05", "optimizer": "adam", "eta": "0.02"},
		{"method": "psmgd", "psmgd.weighting": "cagrad", "stop": "0.01"},
	} {
		const points = 20
		starts := swarm.Pour(points, corner(-1), corner(1))
		texts := make([]string, points)
		for i, x := range starts {
			texts[i] = fmt.Sprintf("%v,%v", x[0], x[1])
		}
		values := map[string]string{"starts": fmt.Sprint(points), "start": strings.Join(texts, ";")}
		for name, text := range c {
			values[name] = text
		}
		s := swarmed(t, values)
		if err := scene.Finish(s); err != nil {
			t.Fatal(err)
		}
		course := s.values.SwarmCourse(c["method"], s.course(starts))
		course.Sides = [2]float64{2, 2}
		f := swarm.NewFlock(course, func(int) bool { return true })
		compared := 0
		for rounds := 0; !f.Rests(); rounds++ {
			if _, err := f.Round(false, func() bool { return true }); err != nil {
				t.Fatal(err)
			}
			for i, r := range s.Timeline().Runs() {
				p := f.Point(i)
				row := s.Timeline().Near(r, p.K)
				if row.K != p.K || bits(row.X) != bits(p.X[:]) || bits(row.F) != bits(p.F[:]) {
					t.Fatalf("%v, point %d, iteration %d: at %v, %v, the run at %v, %v", c, i, p.K, p.X, p.F, row.X, row.F)
				}
				compared++
			}
			if rounds > 10_000 {
				t.Fatalf("%v: the swarm does not come to rest", c)
			}
		}
		if compared == 0 {
			t.Fatalf("%v: nothing was compared", c)
		}
		for i, r := range s.Timeline().Runs() {
			end, known := f.End(i)
			if !known || end.K > r.Last() {
				t.Errorf("%v: point %d ends at %d of %d, known %v", c, i, end.K, r.Last(), known)
			}
			if last := s.Timeline().Near(r, r.Last()).X; math.Hypot(last[0]-end.X[0], last[1]-end.X[1]) > 0.01 {
				t.Errorf("%v: point %d ends at %v, the run at %v", c, i, end.X, last)
			}
		}
	}
}

func corner(v float64) [2]float64 { return [2]float64{v, v} }

func bits(v []float64) string {
	var out strings.Builder
	for _, a := range v {
		fmt.Fprintf(&out, "%x ", math.Float64bits(a))
	}
	return out.String()
}

// TestSwarmParts checks that the swarm's points end in the same places whether a round is computed at once or in parts.
func TestSwarmParts(t *testing.T) {
	values := map[string]string{"method": "psmgd", "R": "5", "sigma": "0.1", "budget": "60"}
	whole, parted := swarmed(t, values), swarmed(t, values)
	flock := func(s *Scene) *swarm.Flock {
		course := s.values.SwarmCourse("psmgd", s.course(swarm.Pour(200, corner(-1), corner(1))))
		course.Sides = [2]float64{2, 2}
		return swarm.NewFlock(course, func(int) bool { return true })
	}
	a, b := flock(whole), flock(parted)
	asked := 0
	for round := range 300 {
		if _, err := a.Round(true, func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		for complete := false; !complete; {
			var err error
			if complete, err = b.Round(true, func() bool { asked++; return asked%3 == 0 }); err != nil {
				t.Fatal(err)
			}
		}
		for i := range a.Len() {
			x, f, _ := a.Place(i)
			if y, g, _ := b.Place(i); x != y || f != g || a.Point(i) != b.Point(i) {
				t.Fatalf("round %d, point %d: %v in whole rounds, %v in parted ones", round, i, a.Point(i), b.Point(i))
			}
		}
	}
}

// TestSwarmCounts checks that a swarm at its end counts each start once on each side of the curtain, and that its
// texts and facts agree with these counts.
func TestSwarmCounts(t *testing.T) {
	s := swarmed(t, map[string]string{"method": "mgda", "swarm": "300", "curtain": "ls", "curtainat": "0.5"})
	if err := scene.Finish(s); err != nil {
		t.Fatal(err)
	}
	counts := s.values.Swarm.Counts()
	if len(counts) != 2 || counts[0].Points+counts[1].Points != 300 {
		t.Fatalf("counts %+v", counts)
	}
	if s.values.Swarm.Flows() {
		t.Error("some points are not at their ends")
	}
	for _, c := range counts {
		sum := c.Away
		for _, n := range c.Bins {
			sum += n
		}
		if c.Ended != c.Points || sum != c.Points {
			t.Errorf("%s: %d of %d ended, %d in bins and away", c.Method, c.Ended, c.Points, sum)
		}
	}
	facts := map[string]float64{}
	for _, f := range s.Facts() {
		facts[f.Name] = f.Value()
	}
	if facts["swarm.points"] != float64(counts[0].Points) || facts["curtain.away"] != float64(counts[1].Away) {
		t.Errorf("facts %v, counts %+v", facts["swarm.points"], counts)
	}
	// With fixed weights the points gather in two heaps at the ends of the front; with MGDA, at most half of them end
	// there.
	if share := facts["curtain.end1"] + facts["curtain.end2"]; share < 0.9*float64(counts[1].Points-counts[1].Away) {
		t.Errorf("%v of %d points with fixed weights are at the ends", share, counts[1].Points)
	}
	if share := facts["swarm.end1"] + facts["swarm.end2"]; share > 0.5*float64(counts[0].Points) {
		t.Errorf("%v of %d points of MGDA are at the ends", share, counts[0].Points)
	}
	if text := s.Panels()[0].Describe(); !strings.Contains(text, "left of the curtain") || !strings.Contains(text, "two ends") {
		t.Errorf("the text says %q", text)
	}
}

// TestSwarmRests checks that an animated swarm reaches the same end as one computed at once, and then rests.
func TestSwarmRests(t *testing.T) {
	values := map[string]string{"method": "psmgd", "swarm": "150"}
	flowing, still := swarmed(t, values), swarmed(t, values)
	flow := flowing.Extras().Flow
	flow.Animate(true)
	if pending, err := flowing.Work(func() bool { return true }); err != nil || pending || !flow.Flows() {
		t.Fatalf("a swarm that flows is left to Flow: pending %v, %v", pending, err)
	}
	frames := 0
	for flows := true; flows; frames++ {
		var err error
		if flows, err = flow.Flow(1./60, func() bool { return true }); err != nil || frames > 60*60 {
			t.Fatal(frames, err)
		}
	}
	if err := scene.Finish(still); err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(flowing.values.Swarm.Counts()), fmt.Sprint(still.values.Swarm.Counts()); a != b {
		t.Errorf("flowing: %s\nat once: %s", a, b)
	}
	t.Logf("%d frames", frames)
	// Changing a setting restarts the swarm, even while runs play. Changing only the view does not.
	if err := flowing.Params().Assign("field", "none"); err != nil || flow.Flows() {
		t.Errorf("another field: %v", err)
	}
	if err := flowing.Params().Assign("R", "32"); err != nil || !flow.Flows() {
		t.Errorf("another period does not begin anew: %v", err)
	}
}

// TestSwarmAllocations checks that rounds allocate no memory once every point has taken a step.
func TestSwarmAllocations(t *testing.T) {
	s := swarmed(t, map[string]string{"method": "mgda"})
	course := s.values.SwarmCourse("mgda", s.course(swarm.Pour(100, corner(-1), corner(1))))
	course.Sides = [2]float64{2, 2}
	f := swarm.NewFlock(course, func(int) bool { return true })
	round := func() {
		if _, err := f.Round(true, func() bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 {
		round()
	}
	if n := testing.AllocsPerRun(200, round); n != 0 {
		t.Errorf("%v allocations in a round", n)
	}
}

// BenchmarkSwarmRound measures a round of 3,000 moving points.
func BenchmarkSwarmRound(b *testing.B) {
	for _, method := range []string{"mgda", "psmgd", "ls", "cagrad"} {
		b.Run(method, func(b *testing.B) {
			s := New()
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			course := s.values.SwarmCourse(method, s.course(swarm.Pour(3000, corner(-1.3), corner(1.3))))
			course.Sides = [2]float64{2.6, 2.6}
			f := swarm.NewFlock(course, func(int) bool { return true })
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Round(true, func() bool { return true }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// stamped is a canvas that accepts marks in whole batches and ignores them.
type stamped struct{ vg.Canvas }

// Stamps implements brush.Stamper.
func (stamped) Stamps(vg.Path, []brush.Stamp) {}

// BenchmarkSwarmFrame measures the drawing of a frame without iterations: the points and the histogram in both planes.
// It does not measure the display.
func BenchmarkSwarmFrame(b *testing.B) {
	s := New()
	for name, text := range map[string]string{"swarm": "3000", "curtain": "ls", "curtainat": "0.5"} {
		if err := s.Params().Assign(name, text); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Restart(nil); err != nil {
		b.Fatal(err)
	}
	if err := scene.Finish(s); err != nil {
		b.Fatal(err)
	}
	frame := brush.Frame{Width: 700, Height: 600, Theme: brush.Light}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range s.Panels()[:2] {
			for _, l := range p.Layers(frame) {
				if l.Key == "" {
					l.Draw(draw.NewCanvas(stamped{&recorder.Canvas{}}, 700, 600))
				}
			}
		}
	}
}

// TestSwarmWords checks that the legends explain the points, their colours, the crosses and the curtain, and that
// labels are drawn over the points.
func TestSwarmWords(t *testing.T) {
	s := swarmed(t, map[string]string{"method": "mgda", "swarm": "300", "curtain": "ls", "curtainat": "0.5"})
	s.Extras().Flow.Animate(true)
	for i, want := range [][]string{{"points that still move", "where points end", "end away from the front", "curtain"},
		{"points that still move", "bars: number of points that end there"}} {
		p := s.Panels()[i].(*axes.Plane)
		var labels []string
		for _, e := range p.Legend(brush.Light) {
			labels = append(labels, e.Label)
		}
		for _, words := range want {
			if !strings.Contains(strings.Join(labels, "; "), words) {
				t.Errorf("the key of %s is %q, without %q", p.Name, labels, words)
			}
		}
		var drawn recorder.Canvas
		for _, l := range p.Layers(brush.Frame{Width: 700, Height: 500, Theme: brush.Light}) {
			l.Draw(draw.NewCanvas(&drawn, 700, 500))
		}
		dot, name := -1, -1
		for at, a := range drawn.Actions {
			switch a := a.(type) {
			case *recorder.Fill:
				if len(a.Path) > 0 && a.Path[0].Type == vg.MoveComp && at > 0 && isColor(drawn.Actions[:at], brush.Light.Tint(brush.Light.Muted, 0.6)) {
					dot = at
				}
			case *recorder.FillString:
				if strings.HasPrefix(a.String, "Pareto") {
					name = at
				}
			}
		}
		if i == 0 && (dot < 0 || name < dot) { // in the plane of objectives points are drawn from the first step on
			t.Errorf("%s: a point is drawn at %d, the name at %d", p.Name, dot, name)
		}
	}
}

// isColor reports whether the colour that was set last equals want.
func isColor(actions []recorder.Action, want color.NRGBA) bool {
	for i := len(actions) - 1; i >= 0; i-- {
		if set, is := actions[i].(*recorder.SetColor); is {
			return color.NRGBAModel.Convert(set.Color) == want
		}
	}
	return false
}

// TestSwarmIdle checks that those of the swarm's parameters that have no effect say why.
func TestSwarmIdle(t *testing.T) {
	idle := func(values map[string]string) map[string]string { return swarmed(t, values).Extras().Flow.Idle() }
	if why := idle(map[string]string{"d": "3", "swarm": "100"})["swarm"]; !strings.Contains(why, "the problem has 3") {
		t.Errorf("with three variables: %q", why)
	}
	if why := idle(nil); why["swarm"] != "" || why["curtain"] == "" || why["curtainat"] == "" {
		t.Errorf("without a swarm: %q", why)
	}
	if why := idle(map[string]string{"swarm": "100", "curtain": "ls"}); len(why) != 0 {
		t.Errorf("with a curtain: %q", why)
	}
}
