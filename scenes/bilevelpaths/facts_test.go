package bilevelpaths

import (
	"math"
	"testing"

	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestFacts checks that facts describe a method's first run, its worst run or all its runs at the marker. Facts of
// methods that do not run must be NaN.
func TestFacts(t *testing.T) {
	known := func(s *Scene, want map[string]float64) {
		t.Helper()
		for name, w := range want {
			got := scenetest.Fact(t, s.Facts(), name)
			if !(math.Abs(got-w) <= 1e-12*math.Max(1, math.Abs(w))) && !(math.IsNaN(w) && math.IsNaN(got)) {
				t.Errorf("%s = %v, want %v", name, got, w)
			}
		}
	}
	none := math.NaN()
	s := with(t, map[string]string{"method": "forum,moml", "budget": "20"})
	// The starts are (0, 0, 3), (2, 0, 3) and (2, 3, 3).
	known(s, map[string]float64{
		"alpha.forum": 0, "omega.forum.1": 0, "omega.forum.2": 3, "q.forum": 9, "E.forum": math.Sqrt(6),
		"bp.forum": 0, "hvp.forum": 0, "hvp.moml": 0,
		"alpha.moco": none, "omega.bome.1": none, "q.moco": none, "E.bvfim": none, "bp.moco": none, "hvp.forumexact": none,
	})
	scenetest.Step(t, s, -1)
	known(s, map[string]float64{"bp.forum": 3 * 20 * 53, "hvp.forum": 0, "bp.moml": 3 * 20 * 52, "hvp.moml": 3 * 20 * 100})
	s.Timeline().SetMarker(7)
	worst := 0.0
	for _, r := range s.Timeline().Tracks() {
		if r.Method == twolevel.MOML {
			worst = math.Max(worst, r.Kept(7).Number(twolevel.Distance))
		}
	}
	first := s.Timeline().Find("moml-1").Kept(7)
	known(s, map[string]float64{
		"hvp.moml": 3 * 7 * 100, "bp.forum": 3 * 7 * 53, "E.moml": worst,
		"alpha.moml": first.X[0], "omega.moml.1": first.X[1], "omega.moml.2": first.X[2],
	})
	for _, c := range s.bills() {
		t.Run(c.method, func(t *testing.T) {
			gradients, products := scenetest.Fact(t, s.Facts(), "bp."+c.method), scenetest.Fact(t, s.Facts(), "hvp."+c.method)
			if c.gradients != gradients/3 || c.products != products/3 {
				t.Errorf("%s: the bill has %v and %v, all runs together %v and %v", c.method, c.gradients, c.products, gradients, products)
			}
		})
	}
	s.values.Moment = 1.25
	known(s, map[string]float64{"done.loop": 1, "done.slope": 0.25, "done.weights": 0, "done.step": 0})
	for _, f := range s.Facts() {
		if n := testing.AllocsPerRun(3, func() { f.Value() }); n > 0 {
			t.Errorf("%s takes %v allocations", f.Name, n)
		}
	}
}

// TestFactsOfLessons checks the lesson's statements about ρ, T and the costs on two levels.
func TestFactsOfLessons(t *testing.T) {
	if q := scenetest.Fact(t, played(t, "rho").Facts(), "q.forum"); math.Abs(q-2.25) > 0.005 {
		t.Errorf("without pull the worst q is %v", q)
	}
	for steps, want := range map[string]float64{"50": 2.403, "1": 2.940} {
		s := with(t, map[string]string{"method": "forum,moml", "starts": "1", "start": "3,3,3", "T": steps})
		scenetest.Step(t, s, 1)
		if alpha := scenetest.Fact(t, s.Facts(), "alpha.moml"); math.Abs(alpha-want) > 5e-4 {
			t.Errorf("T = %s: MOML moves α to %v, not to %v", steps, alpha, want)
		}
		if alpha := scenetest.Fact(t, s.Facts(), "alpha.forum"); math.Abs(alpha-3) > 1e-9 {
			t.Errorf("T = %s: FORUM moves α to %v", steps, alpha)
		}
	}
	s := with(t, map[string]string{"method": "forum,moml"})
	scenetest.Step(t, s, -1)
	for name, want := range map[string]float64{"bp.forum": 31_800, "bp.moml": 31_200, "hvp.moml": 60_000, "hvp.forum": 0} {
		if got := scenetest.Fact(t, s.Facts(), name); got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}
