package analysis

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// TestPieces checks that an analysis proceeds piece by piece. After a change of the methods, it must not repeat a decision with the
// same parameters and seed.
func TestPieces(t *testing.T) {
	asked := 0
	var methods []Chosen
	for _, name := range []string{"ls", "mgda", "cagrad"} {
		m, _ := weighting.Lookup(name)
		construct := m.Bind(&param.List{}, "")
		methods = append(methods, Chosen{Method: m, Ordinary: true, Construct: func(c weighting.Context) (algo.Weighting, error) {
			asked++
			return construct(c)
		}})
	}
	jac := algo.NewJacobian(2, 2)
	copy(jac.Data, []float64{3, 0.5, -1, 1})
	a := New(jac, []float64{1, 1}, 1, methods)
	for pieces := 0; !a.Done(); pieces++ {
		before, once := a.Progress(), true
		a.Finish(func() bool { more := once; once = false; return more })
		if a.Progress() < before || pieces > 10 {
			t.Fatalf("after %d pieces: got progress %v, %v before", pieces, a.Progress(), before)
		}
	}
	if n, pairs := a.Conflicts(); n != 1 || pairs != 1 || !a.Harms(a.Decisions[0]) || a.Harms(a.Decisions[1]) {
		t.Errorf("%d of %d pairs conflict, the mean harms: %v, MGDA: %v", n, pairs, a.Harms(a.Decisions[0]), a.Harms(a.Decisions[1]))
	}
	for _, c := range []struct {
		seed  uint64
		again bool
	}{{1, false}, {2, true}} {
		before := asked
		a.Choose(c.seed, methods[1:])
		a.Finish(func() bool { return true })
		if len(a.Decisions) != 2 || a.Decisions[0].Method.Name != "mgda" || (asked > before) != c.again {
			t.Errorf("seed %d: got %d decisions after %d new calls", c.seed, len(a.Decisions), asked-before)
		}
	}
}

// TestStatusText checks the text for a decision that is not unique, and for a decision without a solution.
func TestStatusText(t *testing.T) {
	decide := func(name string, rows ...float64) string {
		m, _ := weighting.Lookup(name)
		jac := algo.NewJacobian(len(rows)/2, 2)
		copy(jac.Data, rows)
		losses := make([]float64, jac.Rows)
		for i := range losses {
			losses[i] = 1
		}
		a := New(jac, losses, 1, []Chosen{{Method: m, Ordinary: true, Construct: m.Bind(&param.List{}, "")}})
		a.Finish(func() bool { return true })
		return a.Decisions[0].StatusText()
	}
	for _, c := range []struct{ got, want string }{
		{decide("imtlg", 3, 0.5, -1, 1), "decided"},
		{decide("imtlg", 1, 2, 3, 6), "not unique"},
		{decide("nashmtl", 1, 0, -1, 0), "no solution"},
		{decide("fairgrad", 1e300, 0, 0, 1e300), "weights underflow"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
