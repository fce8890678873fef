package weighting

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// structured returns random rows of one of several kinds: plain rows, rows of very different sizes, rows of small
// integers, rows with a common component, and rows that are zero or are copies, opposites or multiples of each other.
func structured(r *rand.Rand) [][]float64 {
	m, n := 1+r.IntN(10), 1+r.IntN(12)
	rows := randomRows(r, m, n)
	kind := r.IntN(6)
	for i, row := range rows {
		scale := 1.0
		switch kind {
		case 1:
			scale = math.Pow(10, 8*(2*r.Float64()-1))
		case 2:
			scale = math.Pow(10, 2*(2*r.Float64()-1))
		}
		for c := range row {
			if kind >= 4 {
				row[c] += 0.7
			}
			row[c] *= scale
			if kind == 3 {
				row[c] = float64(r.IntN(3) - 1)
			}
		}
		if kind == 5 && i > 0 && r.IntN(3) == 0 {
			factor := []float64{1, -1, 2, 0, 1e-8, 1e8}[r.IntN(6)]
			other := rows[r.IntN(i)]
			for c := range row {
				row[c] = factor * other[c]
			}
		}
	}
	return rows
}

// TestStructuredRows checks, for many kinds of rows, that results are finite and that the gap of each inner problem is
// small. Nash-MTL and FairGrad may have status Budget only if the least norm in the hull of the unit gradients is too
// small for a Gramian. A rule that makes no objective worse in any trial must promise this.
func TestStructuredRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const trials = 1500
	var allRows [trials][][]float64
	var allLosses [trials][]float64
	for trial := range trials {
		allRows[trial] = structured(r)
		allLosses[trial] = make([]float64, len(allRows[trial]))
		for i := range allLosses[trial] {
			allLosses[trial][i] = 0.1 + r.Float64()
		}
	}
	type rule struct {
		name           string
		make           func(seed uint64) algo.Weighting
		nonConflicting bool
	}
	rules := []rule{{"cagrad 0.9", func(uint64) algo.Weighting { return must(NewCAGrad(0.9, RescaleNone)) }, false}}
	for _, m := range Methods {
		bound := m.Bind(new(param.List), "")
		seeded := func(seed uint64) algo.Weighting { return must(bound(Context{Seed: seed})) }
		rules = append(rules, rule{m.Name, seeded, m.Promises.NonConflicting})
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			conflicts := 0
			for trial, rows := range allRows {
				in, result := input(rows, allLosses[trial])
				if err := rule.make(uint64(trial)).Weigh(result, in); err != nil {
					t.Fatalf("trial %d: %v", trial, err)
				}
				if !algo.Finite(result.Weights) || !algo.Finite(result.Direction) || math.IsInf(result.Gap, 0) {
					t.Errorf("trial %d: %+v", trial, *result)
				}
				switch rule.name {
				case "cagrad", "cagrad 0.9", "upgrad", "dualproj":
					if result.Status != algo.Converged {
						t.Errorf("trial %d: %v, gap %g on %v", trial, result.Status, result.Gap, rows)
					}
				case "nashmtl", "fairgrad":
					if result.Status == algo.Budget && !barelySolvable(t, in) {
						t.Errorf("trial %d: gap %g on %v", trial, result.Gap, rows)
					}
				}
				for i, row := range rows {
					// If the terms of a direction nearly cancel, it is only as precise as the Gramian, to √ε.
					allowed := 1e-8*length(result.Direction)*length(row) + 1e-8*length(row)*longest(rows)
					p := dot(row, result.Direction)
					if p >= -allowed {
						continue
					}
					conflicts++
					if rule.nonConflicting {
						t.Errorf("trial %d: conflict %g with row %d of %v", trial, p, i, rows)
					}
				}
			}
			if conflicts == 0 && !rule.nonConflicting {
				t.Error("the rule made no objective worse, but does not promise this")
			}
		})
	}
}

func longest(rows [][]float64) float64 {
	var n float64
	for _, row := range rows {
		n = max(n, length(row))
	}
	return n
}

// barelySolvable reports whether the point of least norm in the hull of the unit gradients is
// below 1e-7.
func barelySolvable(t *testing.T, in *algo.Input) bool {
	t.Helper()
	unit := make([][]float64, in.Jacobian.Rows)
	for i := range unit {
		row := in.Jacobian.Row(i)
		for _, v := range row {
			unit[i] = append(unit[i], v/length(row))
		}
	}
	other, r := input(unit, nil)
	if err := NewMGDA(NormalizeNone).Weigh(r, other); err != nil {
		t.Fatal(err)
	}
	return length(r.Direction) < 1e-7
}
