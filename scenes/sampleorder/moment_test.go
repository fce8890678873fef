package sampleorder

import (
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene/scenetest"
)

// slowed returns the scene in slow motion after one step, with the given method as the only one.
func slowed(t testing.TB, method string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), map[string]string{"method": method, "K": "8", "budget": "32", "speed": runs.Slow})
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	if !s.PassTime(0.1) {
		t.Fatal("before the first step nothing is due")
	}
	if _, err := s.Timeline().Step(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSlowMotion checks that slow motion shows all moments of a step in order before the next step. For orders without
// signs the moments of the sign must be skipped.
func TestSlowMotion(t *testing.T) {
	for method, want := range map[string][]string{
		orders.JoGBa: momentNames[:], orders.GraBShared: momentNames[:], orders.Random: {"sample", "gradients", "weights", "update"},
	} {
		s := slowed(t, method)
		if !s.InSlowMotion() {
			t.Fatal("it is not in slow motion")
		}
		seen := []string{s.Moment()}
		for range 1000 {
			if s.PassTime(0.1) {
				break
			}
			if now := s.Moment(); now != seen[len(seen)-1] {
				seen = append(seen, now)
			}
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: the moments are %v, want %v", method, seen, want)
		}
		s.values.Speed = "60"
		if err := s.Displayed(); err != nil || s.Partway() || s.Moment() != "" {
			t.Errorf("%s: after slow motion a step is at %q, %v", method, s.Moment(), err)
		}
	}
}

// TestMoments checks that places, sums and the point do not change before their moments, and that the text describes
// the moment.
func TestMoments(t *testing.T) {
	s := slowed(t, orders.JoGBa)
	for moment, want := range []struct {
		taken, trail, point int
		text                string
	}{
		momentSample: {0, 0, 0, "sample: "}, momentGradients: {0, 0, 0, "gradients: "}, momentCentring: {0, 0, 0, "centring: "},
		momentSign: {0, 1, 0, "sign: "}, momentPlace: {1, 1, 0, "place: to the "}, momentWeights: {1, 1, 0, "weights: λ = (0.5, 0.5)"},
		momentUpdate: {1, 1, 1, "update: w = ("},
		moments:      {1, 1, 1, ""},
	} {
		s.values.Moment = float64(moment)
		s.read.Read(always)
		strips := s.read.Strips(s.Hides(momentPlace))
		if taken := strips[0].Left + strips[0].Right; taken != want.taken || len(strips) != 2 {
			t.Errorf("moment %d: %d places of %d orders are taken, want %d", moment, taken, len(strips), want.taken)
		}
		if trail := s.trailSteps(s.read.Trail()); trail != want.trail || s.pointNow() != want.point {
			t.Errorf("moment %d: the sum has made %d steps and the point %d, want %d and %d", moment, trail, s.pointNow(),
				want.trail, want.point)
		}
		if text := s.momentText(); len(text) < len(want.text) || text[:len(want.text)] != want.text || (want.text == "") != (text == "") {
			t.Errorf("moment %d: %q, want %q", moment, text, want.text)
		}
	}
}

// TestSignWords checks that the text at the moment of the sign names the rule that decides it.
func TestSignWords(t *testing.T) {
	for rule, want := range map[string]string{
		"greedy": "sum stays smaller", "selfbalancing": "smaller is likelier", "innerproduct": "shorter, by ⟨s, g⟩",
		"twonorm": "shorter, by ⟨s, g⟩",
	} {
		s := slowed(t, orders.JoGBa)
		s.values.Sign, s.values.Moment = rule, momentSign
		if text := s.momentText(); !strings.HasSuffix(text, want) {
			t.Errorf("%s: %q does not end in %q", rule, text, want)
		}
	}
}
