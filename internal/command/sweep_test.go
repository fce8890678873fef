package command

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"

	"paretoplay/algo/pareto"
)

// TestSweepFiles checks that every row names its run. The results must contain the end point of the run for each vector
// m of frequencies, and a comparison of the fronts.
func TestSweepFiles(t *testing.T) {
	args := []string{"run", "-scene", "sweep", "-set", "p=3", "-set", "passes=4", "-set", "N=64", "-set", "batch=16"}
	var got struct {
		Runs []struct {
			Name, Method, Status string
			Iterates             []struct {
				K, Vector, Pass, BP int
				M                   []int
				F, Test, Weights    []float64
				Stationarity        *float64
			}
		}
		Results map[string]struct {
			Points []struct {
				M                  []int
				F, Train           []float64
				NonDominated, Kept bool
			}
			Purity, Gamma, Delta *float64
		}
	}
	decodeJSON(t, succeeds(t, "", append(args, "-json", "-")...), &got)
	if len(got.Runs) != 2 || len(got.Results) != 2 {
		t.Fatalf("%d runs, %d results", len(got.Runs), len(got.Results))
	}
	var sets [][][]float64
	for _, run := range got.Runs {
		if run.Name != run.Method || run.Status != "budget" || len(run.Iterates) != 10*4+1 {
			t.Fatalf("%s of %s: %s after %d iterations", run.Name, run.Method, run.Status, len(run.Iterates))
		}
		var points [][]float64
		for i, p := range got.Results[run.Name].Points {
			end := run.Iterates[4*(i+1)]
			if end.Vector != i+1 || end.Pass != 4 || !reflect.DeepEqual(end.M, p.M) || !reflect.DeepEqual(end.Test, p.F) ||
				!reflect.DeepEqual(end.F, p.Train) || end.BP != 4*4*(i+1) || end.Stationarity != nil || p.Kept && !p.NonDominated {
				t.Errorf("%s, vector %d: %+v at the end of %+v", run.Name, i+1, p, end)
			}
			points = append(points, p.F)
		}
		if len(points) != 10 {
			t.Errorf("%s has %d points", run.Name, len(points))
		}
		sets = append(sets, points)
	}
	want, _, err := pareto.Compare(sets...)
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range got.Runs {
		r := got.Results[run.Name]
		if *r.Purity != want[i].Purity || *r.Gamma != want[i].Gamma || *r.Delta != want[i].Delta {
			t.Errorf("%s: purity %v, Γ %v, Δ %v, want %+v", run.Name, *r.Purity, *r.Gamma, *r.Delta, want[i])
		}
	}

	// The budget may be exhausted in the middle of the run for a vector.
	text := succeeds(t, "", append(args, "-set", "method=weightedsum", "-steps", "6", "-csv", "-")...)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Join(lines[0], ",")
	if len(lines) != 1+7 ||
		!strings.HasSuffix(head, ",f1,f2,f3,weight1,weight2,weight3,stationarity,bp,vector,m1,m2,m3,pass,test1,test2,test3") {
		t.Errorf("%d lines with %s", len(lines), head)
	}
	if last := lines[7]; strings.Join(last[len(last)-8:len(last)-3], ",") != "2,0,1,2,2" {
		t.Errorf("the last line is %v", last)
	}
}
