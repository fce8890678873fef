package scenetest

import (
	"strings"
	"testing"
)

// TestAttempt tests a check that ends early on one seed. It must not end or fail the checks on other seeds, and its
// message must be kept.
func TestAttempt(t *testing.T) {
	told, ok := tryOut(t, func(t testing.TB) { t.Error("one"); t.Fatal("two"); t.Error("three") })
	if ok || told != "one; two" {
		t.Errorf("%q, passed: %v", told, ok)
	}
}

// TestSeedsAsked checks that a claim over seeds passes if and only if it holds on the required share of them.
func TestSeedsAsked(t *testing.T) {
	for _, c := range []struct {
		failing int
		fails   bool
	}{{0, false}, {2, false}, {3, true}, {20, true}} {
		_, ok := tryOut(t, func(t testing.TB) { Over(20, 0.9).judge(t, 20-c.failing, nil) })
		if ok == c.fails {
			t.Errorf("a claim that fails on %d of 20 seeds: got passed %v", c.failing, ok)
		}
	}
}

// TestSentencesAround checks that a part of a sentence is extended to the whole sentence.
func TestSentencesAround(t *testing.T) {
	text := "One thing. Here MGDA, with R = 4, stays. It costs .5 more."
	for _, c := range []struct{ part, want string }{
		{"One thing.", "One thing."},
		{"with R = 4,", "Here MGDA, with R = 4, stays."},
		{"It costs .5 more.", "It costs .5 more."},
		{text, text},
	} {
		from := strings.Index(text, c.part)
		if got := sentencesAround(text, from, from+len(c.part)); got != c.want {
			t.Errorf("around %q: got %q, want %q", c.part, got, c.want)
		}
	}
	for text, want := range map[string]bool{
		"Here it stays.": true, "It stays in this run.": true, "There it stays.": false, "Adherence": false,
	} {
		if got := OfOneRun(text); got != want {
			t.Errorf("%q: got OfOneRun %v", text, got)
		}
	}
}

// TestStates checks that a stated number must match in all its digits.
func TestStates(t *testing.T) {
	values := []float64{1, 2, 3, 4, 10}
	for _, c := range []struct {
		name  string
		check func(t testing.TB)
		holds bool
	}{
		{"mean", func(t testing.TB) { StatesMean(t, "v", values, "4.0") }, true},
		{"mean and error", func(t testing.TB) { StatesMean(t, "v", values, "4.0 ± 1.6") }, true},
		{"other mean", func(t testing.TB) { StatesMean(t, "v", values, "4.1") }, false},
		{"other error", func(t testing.TB) { StatesMean(t, "v", values, "4.0 ± 1.5") }, false},
		{"geometric mean", func(t testing.TB) { StatesGeometricMean(t, "v", []float64{1, 4}, "2.0") }, true},
		{"other geometric mean", func(t testing.TB) { StatesGeometricMean(t, "v", []float64{1, 4}, "2.5") }, false},
		{"median", func(t testing.TB) { StatesMedian(t, "v", values, "3") }, true},
		{"other median", func(t testing.TB) { StatesMedian(t, "v", values, "4") }, false},
		{"count", func(t testing.TB) { StatesCount(t, "v", values, func(v float64) bool { return v > 2 }, 3) }, true},
		{"other count", func(t testing.TB) { StatesCount(t, "v", values, func(v float64) bool { return v > 2 }, 2) }, false},
	} {
		if told, ok := tryOut(t, c.check); ok != c.holds {
			t.Errorf("%s: passes: %v: %s", c.name, ok, told)
		}
	}
}
