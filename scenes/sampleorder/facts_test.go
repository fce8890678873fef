package sampleorder

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene/scenetest"
)

// TestFactsOfTheMarker checks that facts at an iteration of longer runs equal the facts of runs that end there. At the
// end of an epoch all facts must agree. Within an epoch, facts that need whole epochs may differ.
func TestFactsOfTheMarker(t *testing.T) {
	set := map[string]string{"method": every(), "K": "8", "seeds": "2", "budget": "100", "weighting": "mgda"}
	long := opened(t, set)
	for _, k := range []int{1, 8, 9, 20, 24, 56, 100} {
		set["budget"] = strconv.Itoa(k)
		short := opened(t, set)
		long.Timeline().SetMarker(k)
		for i, f := range short.Facts() {
			kind, _, _ := strings.Cut(f.Name, ".")
			whole := kind == "A" || kind == "drift" || kind == "wobble"
			if whole && k%8 > 0 && k != 100 {
				continue
			}
			if got, want := long.Facts()[i].Value(), f.Value(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("at %d: %s is %v, of a run that ends there %v", k, f.Name, got, want)
			}
		}
	}
}

// TestFactsByHand compares facts with numbers that it computes from the epochs of the runs.
func TestFactsByHand(t *testing.T) {
	s := opened(t, map[string]string{"method": "random,jogba", "K": "4", "seeds": "3", "budget": "36"})
	product, strays, far, times := map[string]float64{}, map[string]float64{}, 0.0, 1.0
	for _, r := range s.Timeline().Runs() {
		epochs := s.values.Epochs(r)
		if len(epochs) != 10 {
			t.Fatalf("%d epochs", len(epochs))
		}
		for _, e := range epochs[7:] {
			product[r.Name] += math.Log(e.Omega) / 3
		}
		for _, e := range epochs[6:9] { // epochs in which the run has made a step
			strays[r.Name] += e.H
		}
		if r.Method == orders.JoGBa {
			far += epochs[8].H / 3
		}
	}
	ahead, calmer := 0.0, 0.0
	for seed := 1; seed <= 3; seed++ {
		n := strconv.Itoa(seed)
		if product["jogba-"+n] < product["random-"+n] {
			ahead++
		}
		if strays["jogba-"+n] < strays["random-"+n] {
			calmer++
		}
		times *= math.Exp((product["random-"+n] - product["jogba-"+n]) / 3)
	}
	for name, want := range map[string]float64{"nearer.jogba": times, "nearer.random": 1, "error.random": 0, "H.jogba": far,
		"late.random": math.Exp((product["random-1"] + product["random-2"] + product["random-3"]) / 3), "stepsize.jogba": 0.1,
		"epoch": 8, "ahead.jogba": ahead, "calmer.jogba": calmer, "ahead.random": 0} {
		if got := scenetest.Number(t, s, name); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if v := scenetest.Number(t, s, "error.jogba"); !(v > 0) {
		t.Errorf("the error over three seeds is %v", v)
	}
	if v := scenetest.Number(t, s, "nearer.once"); !math.IsNaN(v) {
		t.Errorf("a method that does not run is %v times nearer", v)
	}
}

// TestFactsOfTheSelected checks that facts count the samples that the selected run's steps have put on each side in the
// epoch.
func TestFactsOfTheSelected(t *testing.T) {
	s := opened(t, map[string]string{"method": "random,grab-shared,jogba", "K": "8", "budget": "21"})
	for name, want := range map[string][3]float64{"random-1": {2, 0, 0}, "grab-shared-1": {2, 5, 8}, "jogba-1": {2, 10, 16}} {
		s.Timeline().Select(name)
		for i, k := range []int{21, 8} {
			s.Timeline().SetMarker(k)
			if got := scenetest.Number(t, s, "front") + scenetest.Number(t, s, "back"); got != want[1+i] {
				t.Errorf("%s has put %v samples at %d", name, got, k)
			}
			if got := scenetest.Number(t, s, "epoch"); got != want[0]*float64(1-i) {
				t.Errorf("%s at %d: epoch %v", name, k, got)
			}
		}
	}
}

// TestFactsWithoutRuns checks that all facts are NaN while a visitor's file is missing, and that at the start only the
// facts about the point are known.
func TestFactsWithoutRuns(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"problem": "yours"})
	for _, f := range s.Facts() {
		if v := f.Value(); !math.IsNaN(v) {
			t.Errorf("%s is %v", f.Name, v)
		}
	}
	s = scenetest.Open(t, New(), nil)
	for name, known := range map[string]bool{"omega.random": true, "late.random": true, "nearer.jogba": true, "loss.jogba": true,
		"bp.random": true, "H.random": false, "A.jogba": false, "wobble.jogba": false, "slope.random": false, "clipped.jogba": false} {
		if v := scenetest.Number(t, s, name); math.IsNaN(v) == known {
			t.Errorf("at the start %s is %v", name, v)
		}
	}
}

// TestSlope checks that the exponent of the running mean is fitted to the last half of the steps.
func TestSlope(t *testing.T) {
	s := opened(t, map[string]string{"method": "random", "K": "4", "budget": "120"})
	e := s.values.Epochs(run(t, s, orders.Random))
	want := math.Log(e[30].MeanSquare/e[15].MeanSquare) / math.Log(31./16)
	if got := scenetest.Number(t, s, "slope.random"); math.Abs(got-want) > 1e-12 || want > -0.1 {
		t.Errorf("the slope is %v, want %v", got, want)
	}
}

// TestClipped checks that the share of clipped signs agrees with the stepper's count, and is NaN if no signs are drawn.
func TestClipped(t *testing.T) {
	s := opened(t, map[string]string{"method": "jogba", "sign": string(ordering.SelfBalancing), "K": "8", "budget": "16"})
	if v := scenetest.Number(t, s, "clipped.jogba"); v != 0 {
		t.Errorf("%v of the signs were certain", v)
	}
	if v := scenetest.Number(t, opened(t, map[string]string{"method": "jogba", "K": "8", "budget": "16"}), "clipped.jogba"); !math.IsNaN(v) {
		t.Errorf("%v of the signs were certain where none was drawn", v)
	}
}
