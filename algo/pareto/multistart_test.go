package pareto_test

import (
	"errors"
	"reflect"
	"testing"

	"paretoplay/algo/pareto"
)

// TestMultiStart checks that dominated end points are removed, equal ones stay, and each keeps the index of its start.
func TestMultiStart(t *testing.T) {
	ends := map[float64][]float64{0: {1, 4}, 1: {2, 5}, 2: {3, 1}, 3: {1, 4}}
	run := func(start []float64) (x, f []float64, err error) {
		return []float64{start[0] + 10}, ends[start[0]], nil
	}
	got, err := pareto.MultiStart([][]float64{{0}, {1}, {2}, {3}}, run)
	want := []pareto.Point{{X: []float64{10}, F: []float64{1, 4}, Start: 0}, {X: []float64{12}, F: []float64{3, 1}, Start: 2},
		{X: []float64{13}, F: []float64{1, 4}, Start: 3}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	fault := errors.New("no luck")
	failing := func([]float64) (x, f []float64, err error) { return nil, nil, fault }
	if _, err := pareto.MultiStart([][]float64{{0}}, failing); !errors.Is(err, fault) {
		t.Errorf("error %v", err)
	}
	if got, err := pareto.MultiStart(nil, run); err != nil || len(got) != 0 {
		t.Errorf("without starts: %v, %v", got, err)
	}
}
