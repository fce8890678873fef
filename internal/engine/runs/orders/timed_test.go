package orders

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
)

// TestTimed checks that a stepper and its counterpart use the same gradients in every step, one in its method's order
// and one in a fixed order. Both must stay at their start.
func TestTimed(t *testing.T) {
	c := course(t)
	for _, method := range Methods() {
		for _, rule := range []string{equal, "mgda"} {
			r, _ := bound(t, map[string]string{"weighting": rule, "schedule": string(ordering.JoGBaTheorem)})
			own, kept, err := r.Timed(method.ID, &c)
			if err != nil {
				t.Fatal(err)
			}
			k := own.(*ordering.Descent).Examples()
			for range 3 * k {
				for _, s := range []algo.Stepper{own, kept} {
					if status, err := s.Step(); err != nil || status != algo.Running {
						t.Fatalf("%s: %v, %v", method.ID, status, err)
					}
				}
				if a, b := own.View().Cost, kept.View().Cost; a != b {
					t.Fatalf("%s with %s spends %+v, its counterpart %+v", method.ID, rule, a, b)
				}
			}
			for _, s := range []algo.Stepper{own, kept} {
				for j, x := range s.View().X {
					if d := x - c.Start[j]; d > 1e-6 || d < -1e-6 {
						t.Errorf("%s moved from %v to %v", method.ID, c.Start, s.View().X)
					}
				}
			}
			if kept.(*ordering.Descent).Signs() != nil {
				t.Errorf("%s: the counterpart's order balances", method.ID)
			}
		}
	}
}
