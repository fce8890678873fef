package twolevel

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/teach/mathml"
)

// spelled parses a number or the coordinates of a point.
func spelled(t *testing.T, text string) []float64 {
	t.Helper()
	var out []float64
	for _, part := range strings.Split(strings.Trim(text, "()"), ", ") {
		v, err := strconv.ParseFloat(strings.ReplaceAll(part, "−", "-"), 64)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		out = append(out, v)
	}
	return out
}

// TestStepNumbers checks for every method, with either optimizer and with a separate step size for ω, that the numbers
// of the formula add up within rounding to four digits. The formula must have a placeholder for each number and render
// as MathML.
func TestStepNumbers(t *testing.T) {
	q := problem.NewQuadraticBilevel()
	all := append([]string{FORUMExact, FORUMReleased}, offered...)
	equations := Equations(all...)
	for _, values := range []map[string]string{
		nil, {"upperoptimizer": "adam"}, {"upperoptimizer": "heavyball", "mu": "0.05"}, {"muomega": "0.1"},
		{"T": "3", "moml.weighting": "pcgrad"}, {"variant": "both"},
	} {
		settings := map[string]string{"method": strings.Join(offered, ","), "multiplier": "both"}
		for name, text := range values {
			settings[name] = text
		}
		second := []float64{3, 3, 3}
		if values["variant"] != "" {
			second = []float64{2, 0, 3} // because released FORUM makes no step from the bottom of the valley
		}
		line := played(t, timeline.DefaultLimit, 12, nil, begun(t, settings, []float64{0, 0, 3}, second))
		for _, track := range line.Tracks() {
			for _, k := range []int{1, 2, 7, 12} {
				got, err := StepNumbers(line, q, track, k)
				if err != nil {
					t.Errorf("%v, %s, k = %d: %v", values, track.Name(), k, err)
					continue
				}
				places := 0
				for _, e := range equations {
					for _, method := range e.Methods {
						if method != track.Method {
							continue
						}
						for name := range got {
							if strings.Contains(e.Numbers, `\text{@`+name+"}") {
								places++
							}
						}
						if want := strings.Count(e.Numbers, `\text{@`); places != want || places != len(got) {
							t.Errorf("%s: of %d places %d have a number: %v", e.ID, want, places, got)
						}
					}
				}
				if places == 0 {
					t.Errorf("%s has no formula", track.Method)
				}
				addsUp(t, track, got)
			}
		}
	}
	line := played(t, timeline.DefaultLimit, 3, nil, begun(t, nil, []float64{0, 0, 3}))
	for _, k := range []int{-1, 0, 4} {
		if _, err := StepNumbers(line, q, line.Tracks()[0], k); !errors.As(err, new(*algo.RangeError)) {
			t.Errorf("k = %d: error %v", k, err)
		}
	}
	if got := Equations(MoCo); len(got) != 1 || len(got[0].Methods) != 1 {
		t.Errorf("MoCo alone has %+v", got)
	}
	for _, e := range equations {
		for _, tex := range []string{e.Symbols, e.Numbers} {
			if _, err := mathml.MathML(tex, true); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		}
	}
}

// addsUp compares the formula's next point with the step's next point.
func addsUp(t *testing.T, track timeline.Track, got map[string]string) {
	t.Helper()
	to, from := spelled(t, got["x"]), spelled(t, got["from"])
	sum, size := make([]float64, len(to)), make([]float64, len(to))
	add := func(weight float64, name string, sign float64) {
		for i, v := range spelled(t, got[name]) {
			sum[i] += sign * weight * v
			size[i] += math.Abs(weight * v)
		}
	}
	add(spelled(t, got["w1"])[0], "g1", 1)
	add(spelled(t, got["w2"])[0], "g2", 1)
	if got["slope"] != "" {
		add(spelled(t, got["nu"])[0], "slope", 1)
	}
	if got["here"] != "" {
		add(spelled(t, got["nu"])[0], "here", 1)
		add(spelled(t, got["nu"])[0], "there", -1)
	}
	if taken, by, other := strings.Cut(got["made"], " ⟵"); other {
		if sum = spelled(t, taken); strings.TrimSpace(by) != "" {
			t.Errorf("%q: got maker %q", taken, by)
		}
	}
	mu, ofOmega, own := strings.Cut(got["mu"], " (of ω ")
	for i := range to {
		each := spelled(t, mu)[0]
		if own && i > 0 {
			each = spelled(t, ofOmega)[0]
		}
		rounding := 1e-3 * (math.Abs(from[i]) + math.Abs(to[i]) + each*size[i])
		if want := from[i] - each*sum[i]; math.Abs(want-to[i]) > rounding+1e-8 {
			t.Errorf("%s: got coordinate %d = %v, the formula gives %v: %v", track.Name(), i+1, to[i], want, got)
		}
	}
	if got["bottom"] != "" && len(spelled(t, got["bottom"])) != 2 {
		t.Errorf("%s: got ω = %s", track.Name(), got["bottom"])
	}
}
