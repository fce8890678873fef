package fonseca

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// TestFactsMatchRows checks that facts agree with the displayed rows wherever the marker is, and with the results at the latest iteration.
func TestFactsMatchRows(t *testing.T) {
	s := with(t, map[string]string{"method": "psmgd,ls,moosvgd", "starts": "7", "budget": "80", "R": "5", "momentum": "0.5"})
	scenetest.Step(t, s, -1)
	tracks := func(method string) (rows []timeline.Row) {
		for _, r := range scenetest.Tracks(t, s, method) {
			rows = append(rows, s.Timeline().Shown(r))
		}
		return rows
	}
	for _, marker := range []int{0, 3, 40, 80} {
		s.Timeline().SetMarker(marker)
		for _, method := range []string{"psmgd", "ls", "moosvgd"} {
			t.Run(fmt.Sprintf("%s at %d", method, marker), func(t *testing.T) {
				var collapsed, first, second, bp, omega, distance, flat, value float64
				rows := tracks(method)
				for _, r := range rows {
					if min(r.F[0], r.F[1]) < 0.05 {
						collapsed++
					}
					if r.F[0] < 0.05 {
						first++
					}
					if r.F[1] < 0.05 {
						second++
					}
					if r.F[0] > 0.9 && r.F[1] > 0.9 {
						flat++
					}
					value += r.F[1] / 7
					bp += float64(r.BP)
					omega += r.Stationarity / 7
					distance += s.problem.DistanceToParetoSet(r.X) / 7
				}
				for name, want := range map[string]float64{"runs." + method: 7, "collapsed." + method: collapsed, "atEnd." + method + ".1": first,
					"atEnd." + method + ".2": second, "bp." + method: bp, "stationarity." + method: omega, "distance." + method: distance,
					"flat." + method: flat, "value." + method + ".2": value} {
					if got := scenetest.Fact(t, s.Facts(), name); !(math.Abs(got-want) <= 1e-14*(1+want)) {
						t.Errorf("%s at %d is %g, want %g", name, marker, got, want)
					}
				}
			})
		}
	}
	for _, m := range s.Results().(map[string]any)["methods"].([]MethodResult) {
		t.Run(m.Method, func(t *testing.T) {
			for name, got := range map[string]float64{
				"runs.": float64(m.Runs), "collapsed.": float64(m.Collapsed), "bp.": float64(m.Backpropagation),
				"stationarity.": m.Stationarity, "distance.": m.DistanceToSet,
			} {
				if want := scenetest.Fact(t, s.Facts(), name+m.Method); got != want {
					t.Errorf("the results say %s%s is %g, the fact %g", name, m.Method, got, want)
				}
			}
		})
	}
	if got, want := scenetest.Fact(t, s.Facts(), "age"), 0.3*(5*0.5/0.5+2); math.Abs(got-want) > 1e-15 {
		t.Errorf("age %g, want %g", got, want)
	}
}

// TestFactsOfDroppedRows checks that facts describe the marker's iteration even if its rows were dropped.
func TestFactsOfDroppedRows(t *testing.T) {
	values := map[string]string{"method": "psmgd,moosvgd", "starts": "3", "budget": "200"}
	full, thin := with(t, values), New()
	thin.Timeline().SetLimit(20_000)
	thin = scenetest.Open(t, thin, values)
	scenetest.Step(t, full, -1)
	scenetest.Step(t, thin, -1)
	if r := thin.Timeline().Runs()[0]; r.Len() > 150 {
		t.Fatalf("%d rows are kept: the test checks nothing", r.Len())
	}
	for _, marker := range []int{1, 77, 133, 199} {
		full.Timeline().SetMarker(marker)
		thin.Timeline().SetMarker(marker)
		for i, f := range full.Facts() {
			got, want := thin.Facts()[i].Value(), f.Value()
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s at %d is %v, want %v", f.Name, marker, got, want)
			}
		}
	}
}

// TestFactsWithoutRuns checks that facts of a method that does not run are NaN. It also checks that every fact has a
// unique name and a label, and that reading a fact allocates little memory.
func TestFactsWithoutRuns(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range New().Facts() { // before the first runs
		if seen[f.Name] || f.Label == "" || f.Name != "age" && !math.IsNaN(f.Value()) {
			t.Errorf("%+v: %g", f, f.Value())
		}
		seen[f.Name] = true
	}
	s := with(t, map[string]string{"method": "mgda,ls", "starts": "50"})
	for _, name := range []string{"runs.psmgd", "collapsed.moosvgd", "atEnd.crmogm.2", "middle.epo", "bp.famo", "stationarity.si",
		"distance.psmgd", "age"} {
		if v := scenetest.Fact(t, s.Facts(), name); !math.IsNaN(v) {
			t.Errorf("%s is %g of a method that does not run", name, v)
		}
	}
	for _, values := range []map[string]string{{"etaschedule": "theorem36"}, {"momentumschedule": "theorem36"}} {
		if v := scenetest.Fact(t, with(t, values).Facts(), "age"); !math.IsNaN(v) {
			t.Errorf("%v: the age is %g", values, v)
		}
	}
	for _, f := range s.Facts() {
		if n := testing.AllocsPerRun(10, func() { f.Value() }); n > 3 {
			t.Errorf("%s allocates %g times", f.Name, n)
		}
	}
}

// TestMiddleOfTheFront checks that, for any number of variables, the middle is the central half of the Pareto set and
// excludes plateaus.
func TestMiddleOfTheFront(t *testing.T) {
	for _, d := range []int{1, 2, 30} {
		s := with(t, map[string]string{"d": fmt.Sprint(d)})
		_, end := s.problem.ParetoInterval()
		f := make([]float64, 2)
		for _, u := range []float64{-1, -0.51, -0.49, 0, 0.3, 0.49, 0.51, 1} {
			s.problem.FrontPoint(f, u*end)
			if got, want := s.middle(timeline.Row{F: f}), math.Abs(u) < 0.5; got != want {
				t.Errorf("d = %d: %g of the way to the end counts as the middle: %v", d, u, got)
			}
		}
		if s.middle(timeline.Row{F: []float64{0.96, 0.97}}) {
			t.Error("the plateau counts as the middle")
		}
	}
}

// TestAgeOfWeights checks that with R = 16 and without momentum, the weights have the age that a lesson states.
func TestAgeOfWeights(t *testing.T) {
	if age := scenetest.Fact(t, with(t, map[string]string{"R": "16"}).Facts(), "age"); math.Abs(age-2.25) > 1e-15 {
		t.Errorf("the age of R = 16 is %g", age)
	}
}
