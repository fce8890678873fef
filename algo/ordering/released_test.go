package ordering_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

// TestReleasedOrders compares the orders of every epoch with recorded ones: those of GraB's two released programs, for
// their sign rules, and those of the paper's rule. From the second epoch on, the orders of the three rules agree in few
// of the 64 places; docs/systems.md lists the numbers.
func TestReleasedOrders(t *testing.T) {
	data, err := os.ReadFile("testdata/released.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct { // written by testdata/released.py
		Alpha float64
		D, C  [][][]float64
		Runs  []struct {
			Name   string
			Orders [][]int     // of every epoch
			Ends   [][]float64 // w after it
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	p, err := problem.NewDiagonalSum(oracle.D, oracle.C)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]ordering.SignRule{
		"grab-sampler": ordering.InnerProduct, "authors": ordering.TwoNorm, "paper": ordering.Greedy,
	}
	orders := map[string][][]int{}
	for _, r := range oracle.Runs {
		orders[r.Name] = r.Orders
		for _, kind := range []ordering.Kind{ordering.GraBShared, ordering.GraBSeparate, ordering.JoGBa} { // for one objective, all give the same
			s := newRun(t, ordering.Config{
				Problem: p, Start: make([]float64, len(oracle.D[0][0])), Kind: kind, First: ordering.GivenFirst, Signs: rules[r.Name],
				StepSize: oracle.Alpha, FixedWeights: []float64{1},
			})
			for epoch, want := range r.Orders {
				steps(t, s, len(want))
				if got := s.Orders()[0]; !slices.Equal(got, want) {
					t.Fatalf("%s, %s, epoch %d: %v, want %v", r.Name, kind, epoch, got, want)
				}
				if got := s.View().X; !near(got, r.Ends[epoch], oracleTolerance) {
					t.Errorf("%s, %s, epoch %d: w = %v, want %v", r.Name, kind, epoch, got, r.Ends[epoch])
				}
			}
		}
	}
	for other, want := range map[string][]int{"grab-sampler": {64, 10, 4, 0, 1, 0}, "authors": {64, 4, 2, 4, 1, 2}} {
		var places []int
		for epoch, order := range orders["paper"] {
			same := 0
			for k, example := range order {
				if example == orders[other][epoch][k] {
					same++
				}
			}
			places = append(places, same)
		}
		if !slices.Equal(places, want) {
			t.Errorf("the paper's orders and those by %s agree in %v places, want %v", other, places, want)
		}
	}
	mirrored := slices.Clone(orders["authors"][1])
	slices.Reverse(mirrored)
	if !slices.Equal(mirrored, orders["grab-sampler"][1]) {
		t.Error("the second orders of the two codes are not each other's reverse")
	}
}
