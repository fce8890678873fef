package axes

import "testing"

// TestTicksTravel checks that halfway between two ranges, the ticks of both are drawn. The old ticks must be at their
// values on the moving axis. Ticks that belong to only one range must be faded by half.
func TestTicksTravel(t *testing.T) {
	from, to := Axis{Label: "loss", Max: 10}, Axis{Label: "loss", Max: 40}
	half := between(from, to, 0.5)
	if half.Min != 0 || half.Max != 25 {
		t.Fatalf("halfway: got an axis from %g to %g", half.Min, half.Max)
	}
	faint := map[string]float64{}
	for _, k := range half.ticks(200, tickSpacingY) {
		faint[k.Label] = k.faint
	}
	for label, want := range map[string]float64{"0": 0, "2": 0.5, "10": 0, "40": 0.5} {
		if got, there := faint[label]; !there || got != want {
			t.Errorf("tick %s: there %t, faded by %g, want %g", label, there, got, want)
		}
	}
	log := between(Axis{Label: "ω", Min: 1e-4, Max: 1, Log: true}, Axis{Label: "ω", Min: 1e-8, Max: 1, Log: true}, 0.5)
	if log.Min < 0.99e-6 || log.Min > 1.01e-6 {
		t.Errorf("halfway by factors the axis begins at %g", log.Min)
	}
	if still := between(from, from, 0.5); still.way != nil {
		t.Error("got a transition of an axis that stays")
	}
}
