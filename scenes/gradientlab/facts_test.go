package gradientlab

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestFacts compares facts of gradients with numbers computed by hand or independently, at step size η = 0.1.
func TestFacts(t *testing.T) {
	known := func(s *Scene, within float64, want map[string]float64) {
		t.Helper()
		for name, w := range want {
			if got := scenetest.Fact(t, s.Facts(), name); !(math.Abs(got-w) <= within) && !(math.IsNaN(w) && math.IsNaN(got)) {
				t.Errorf("%s = %v, want %v", name, got, w)
			}
		}
	}
	none := math.NaN()
	// The gradients of f₁ and f₂ are (2, 0) and (0, 1). Their mean is (1, ½). The nearest point of the segment between them is (0.4,
	// 0.8), with weights ⅕ and ⅘.
	known(with(t, map[string]string{"gradients": "2,0;0,1", "method": "ls,mgda", "eta": "0.1"}), 1e-12, map[string]float64{
		"angle.1.2": 90, "length.1": 2, "length.2": 1, "length.3": none, "angle.1.3": none, "shortest": 2 / math.Sqrt(5), "conflicts": 0,
		"worse.ls": 0, "change.ls.1": -0.2, "change.ls.2": -0.05, "worst.ls": -0.05, "weight.ls.1": 0.5,
		"weight.mgda.1": 0.2, "weight.mgda.2": 0.8, "weight.mgda.3": none, "change.mgda.3": none, "change.mgda.1": -0.08, "worst.mgda": -0.08,
		"apart.ls.1": 26.56505117707799, "apart.ls.2": 63.43494882292201, "apart.ls.3": none, "apart.pcgrad.1": none,
		"worse.pcgrad": none, "worst.pcgrad": none, "change.pcgrad.1": none,
	})
	known(with(t, map[string]string{"gradients": "1,0;-1.4,1", "method": "ls,mgda,pcgrad,cagrad", "eta": "0.1"}), 5e-4, map[string]float64{
		"angle.1.2": 144.462, "conflicts": 1, "worse.ls": 1, "change.ls.1": 0.02, "worst.ls": 0.02, "worse.mgda": 0, "change.mgda.1": -0.0148,
		"change.mgda.2": -0.0148, "worse.pcgrad": 0, "worse.cagrad": 0,
	})
	known(with(t, map[string]string{"view": viewSpace, "gradients3": pcgradConflict, "method": "pcgrad,upgrad"}), 0, map[string]float64{
		"worse.pcgrad": 1, "worse.upgrad": 0, "angle.1.4": none,
	})
	// Without data, facts are NaN. With data, they have values even if gradients are zero.
	s := with(t, map[string]string{"view": viewData})
	known(s, 0, map[string]float64{"shortest": none, "conflicts": none, "length.1": none, "worse.mgda": none})
	known(with(t, map[string]string{"gradients": "0,0;0,1", "method": "mgda"}), 0, map[string]float64{
		"angle.1.2": none, "length.1": 0, "shortest": 0,
	})
	// Results agree with facts.
	s = with(t, map[string]string{"gradients": "1,0.3;2,1.6;2.4,-0.9", "method": every()})
	results := s.Results().(*Results)
	for _, m := range results.Methods {
		if m.Status == "refused" {
			continue
		}
		known(s, 0, map[string]float64{"worse." + m.Method: float64(len(m.Worse))})
		for i, change := range m.Change {
			known(s, 0, map[string]float64{fmt.Sprintf("change.%s.%d", m.Method, i+1): change})
		}
	}
	for _, f := range s.Facts() {
		if n := testing.AllocsPerRun(3, func() { f.Value() }); n > 1 {
			t.Errorf("%s takes %v allocations", f.Name, n)
		}
	}
}
