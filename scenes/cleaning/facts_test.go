package cleaning

import (
	"math"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestFacts checks that facts describe the row at the marker, that facts about the reported iterate describe the run so
// far, and that all agree with the results. The facts of a method that does not run are NaN.
func TestFacts(t *testing.T) {
	s := with(t, map[string]string{"method": "forum,moml,nocleaning", "budget": "40", "T": "4"})
	same := func(name string, want float64) {
		t.Helper()
		if got := scenetest.Fact(t, s.Facts(), name); math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	// All weights are ½ at the start and detect nothing.
	for _, method := range []string{"forum", "moml", "nocleaning"} {
		for name, want := range map[string]float64{"auc": 0.5, "clean": 0.5, "corrupted": 0.5, "chosen": 0, "bp": 0, "hvp": 0} {
			same(name+"."+method, want)
		}
	}
	for _, name := range []string{"accuracy", "auc", "chosen", "selection", "clean", "corrupted", "bp", "hvp"} {
		same(name+".moco", math.NaN())
	}
	scenetest.Step(t, s, -1)
	runs, _ := results(t, s)
	for method, r := range runs {
		for name, want := range map[string]float64{
			"accuracy": mean(r.Last.Accuracy), "auc": *r.Last.AUC, "selection": r.Last.Selection,
			"clean": *r.Last.Clean, "corrupted": *r.Last.Corrupted,
			"chosen": float64(r.Chosen.K), "bp": float64(r.BP), "hvp": float64(r.HVP),
		} {
			same(name+"."+method, want)
		}
	}
	// MOML computes T·m Hessian-vector products per step. FORUM, a first-order method, computes none.
	same("hvp.moml", 40*4*2)
	same("hvp.forum", 0)
	s.Timeline().SetMarker(9)
	then := marksAt(t, s, "forum-1", 9)
	same("hvp.moml", 9*4*2)
	same("accuracy.forum", mean(then.accuracy))
	same("selection.forum", then.selection)
	same("auc.forum", then.auc)
	forum := s.Timeline().Find("forum-1")
	best, changes := marksOf(forum.Kept(0)), 0
	for k := range forum.Last() + 1 {
		if m := marksAt(t, s, "forum-1", k); m.selection > best.selection {
			best = m
			changes++
		}
		s.Timeline().SetMarker(k)
		same("chosen.forum", float64(best.k))
	}
	if changes < 2 {
		t.Errorf("another iterate is chosen %d times only", changes)
	}
	names := map[string]bool{}
	for _, f := range s.Facts() {
		if names[f.Name] {
			t.Errorf("there are two facts %s", f.Name)
		}
		names[f.Name] = true
		if n := testing.AllocsPerRun(3, func() { f.Value() }); n > 0 {
			t.Errorf("%s takes %v allocations", f.Name, n)
		}
	}
	// Without wrong labels there is nothing to detect.
	s = with(t, map[string]string{"corruption": "0", "method": "forum", "budget": "2", "T": "2"})
	same("auc.forum", math.NaN())
	same("corrupted.forum", math.NaN())
	same("clean.forum", 0.5)
}
