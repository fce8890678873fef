package descent_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo/descent"
)

// oracleRelative is the allowed relative difference from independently computed trajectories. It covers the rounding
// errors of two orders of summation, over at most 200 contracting steps.
const oracleRelative = 1e-10

func TestFonsecaTrajectories(t *testing.T) {
	data, err := os.ReadFile("testdata/fonseca.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Trajectories []struct {
			Method   string    `json:"method"`
			Variant  string    `json:"variant"`
			R        int       `json:"R"`
			Momentum float64   `json:"momentum"`
			D        int       `json:"d"`
			Step     float64   `json:"step"`
			Start    []float64 `json:"start"`
			Traj     []struct {
				K             int       `json:"k"`
				X, F, W       []float64 // by name, in any case
				DirectionNorm *float64  `json:"dir_norm"`
			} `json:"traj"`
		} `json:"trajectories"`
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{"MGDA": 15 * 16, "PSMGD": 15 * 17}
	for _, o := range oracle.Trajectories {
		if rows[o.Method] == 0 || o.Method == "PSMGD" && o.Variant != "smooth_before_use" {
			t.Fatalf("unknown method %s, variant %s", o.Method, o.Variant)
		}
	}
	for method, want := range rows {
		t.Run(method, func(t *testing.T) {
			compared := 0
			for _, o := range oracle.Trajectories {
				if o.Method != method {
					continue
				}
				c := descent.Config{Problem: newFonseca(t, o.D, 0), Start: o.Start, StepSize: o.Step, Period: o.R, Momentum: o.Momentum}
				if method == "MGDA" {
					c = descent.MGDA(c)
				}
				s := newRun(t, c)
				for _, row := range o.Traj {
					steps(t, s, row.K-s.View().K)
					v := s.View()
					compareRow(t, o.Start, row.K, "x", v.X, row.X)
					compareRow(t, o.Start, row.K, "F", v.F, row.F)
					// Weights and direction belong to the step from row.K to row.K+1.
					steps(t, s, 1)
					v = s.View()
					compareRow(t, o.Start, row.K, "w", v.Weights, row.W)
					if row.DirectionNorm != nil {
						var squares float64
						for _, d := range v.Direction {
							squares += d * d
						}
						// Near the Pareto set, a direction is a small difference of gradients of size 1, and has
						// their absolute rounding errors.
						if got := math.Sqrt(squares); !(math.Abs(got-*row.DirectionNorm) <= oracleRelative*max(1e-2, *row.DirectionNorm)) {
							t.Errorf("from %v, k = %d: ‖direction‖ = %v, want %v", o.Start, row.K, got, *row.DirectionNorm)
						}
					}
					compared++
				}
			}
			if compared != want {
				t.Errorf("compared %d rows, want %d", compared, want)
			}
		})
	}
}

func compareRow(t *testing.T, start []float64, k int, what string, got, want []float64) {
	t.Helper()
	// Iterates start at size 1 and keep the absolute rounding errors of numbers of that size. Some iterate is within
	// 1e-7 of the origin, so the tolerance is at least 1e-13.
	scale := 1e-3
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	if !near(got, want, oracleRelative*scale) {
		t.Errorf("from %v, k = %d: %s = %v, want %v", start, k, what, got, want)
	}
}
