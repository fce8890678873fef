package weighting

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
)

// oracleResult holds the oracle's results for one method, exact to 60 digits.
type oracleResult struct {
	W, Dir                       []float64
	None                         []float64 `json:"dir_rescale0"`
	Square                       []float64 `json:"dir_rescale1"`
	Linear                       []float64 `json:"dir_rescale2"`
	Sum                          []float64 `json:"dir_sum"`
	Mean                         []float64 `json:"dir_mean"`
	Order                        [][]int
	C, Norm                      float64
	DualObjective                float64 `json:"dual_objective"`
	NormEps                      float64 `json:"norm_eps"`
	GwNorm, G0Norm, KKT, Lambda_ float64
}

type oracleCase struct {
	Name string
	G    [][]float64
	Agg  map[string]oracleResult
}

func oracleCases(t *testing.T) []oracleCase {
	t.Helper()
	data, err := os.ReadFile("testdata/aggregators.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []oracleCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 20 {
		t.Fatalf("%d cases, want 20", len(file.Cases))
	}
	return file.Cases
}

// relative returns ‖a − b‖/‖b‖.
func relative(a, b []float64) float64 {
	var difference, size float64
	for i, v := range b {
		difference = math.Hypot(difference, a[i]-v)
		size = math.Hypot(size, v)
	}
	return difference / size
}

func must[W algo.Weighting](w W, err error) algo.Weighting {
	if err != nil {
		panic(err)
	}
	return w
}

const oracleTolerance = 1e-10

// TestOracle compares directions and weights with exact results, for gradients of sizes from 1e-4 to 1e4, including
// rows of very different sizes. The Gramian alone must give the same weights as the rows.
func TestOracle(t *testing.T) {
	type variant struct {
		name, entry string
		make        func(oracleResult) algo.Weighting
		direction   func(oracleResult) []float64
		weights     func(oracleResult) []float64
	}
	dir := func(o oracleResult) []float64 { return o.Dir }
	w := func(o oracleResult) []float64 { return o.W }
	none := func(oracleResult) []float64 { return nil }
	var variants []variant
	for _, entry := range []string{"cagrad_c0.4", "cagrad_c0.5"} {
		for rescale, direction := range map[Rescale]func(oracleResult) []float64{
			RescaleNone:   func(o oracleResult) []float64 { return o.None },
			RescaleSquare: func(o oracleResult) []float64 { return o.Square },
			RescaleLinear: func(o oracleResult) []float64 { return o.Linear },
		} {
			variants = append(variants, variant{entry + " " + rescale.String(), entry,
				func(o oracleResult) algo.Weighting { return must(NewCAGrad(o.C, rescale)) }, direction, w})
		}
	}
	variants = append(variants,
		variant{"imtlg", "imtl_g", func(oracleResult) algo.Weighting { return NewIMTLG() }, dir, w},
		variant{"nashmtl", "nash_exact", func(oracleResult) algo.Weighting { return must(NewNashMTL(0)) }, dir, w},
		variant{"nashmtl maxnorm", "nash_clipped_maxnorm1", func(oracleResult) algo.Weighting { return must(NewNashMTL(1)) }, dir, none},
		variant{"fairgrad 1", "fairgrad_alpha1", func(oracleResult) algo.Weighting { return must(NewFairGrad(1)) }, dir, w},
		variant{"fairgrad 2", "fairgrad_alpha2", func(oracleResult) algo.Weighting { return must(NewFairGrad(2)) }, dir, w},
		variant{"alignedmtl mean", "aligned_mtl_mean", func(oracleResult) algo.Weighting { return NewAlignedMTL(Mean) }, dir, w},
		variant{"alignedmtl sum", "aligned_mtl_sum", func(oracleResult) algo.Weighting { return NewAlignedMTL(Sum) }, dir, w},
		variant{"upgrad", "upgrad_reg0", func(oracleResult) algo.Weighting { return must(NewUPGrad(0)) }, dir, w},
		variant{"upgrad 1e-4", "upgrad_reg1e-4", func(oracleResult) algo.Weighting { return must(NewUPGrad(1e-4)) }, dir, w},
		variant{"pcgrad sum", "pcgrad", func(o oracleResult) algo.Weighting { return NewPCGrad(Sum, Order{Lists: o.Order}) },
			func(o oracleResult) []float64 { return o.Sum }, w},
		variant{"pcgrad mean", "pcgrad", func(o oracleResult) algo.Weighting { return NewPCGrad(Mean, Order{Lists: o.Order}) },
			func(o oracleResult) []float64 { return o.Mean }, none},
		// All targets start at 0, so GradVac's first decision is the same as PCGrad's.
		variant{"gradvac", "pcgrad", func(o oracleResult) algo.Weighting { return must(NewGradVac(0.5, Order{Lists: o.Order})) },
			func(o oracleResult) []float64 { return o.Sum }, w},
	)
	cases := oracleCases(t)
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			var worst, worstWeights float64
			for _, c := range cases {
				want, ok := c.Agg[v.entry]
				if !ok || v.direction(want) == nil {
					t.Fatalf("%s: no %s", c.Name, v.entry)
				}
				in, r := input(c.G, nil)
				if err := v.make(want).Weigh(r, in); err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				e := relative(r.Direction, v.direction(want))
				worst = max(worst, e)
				if !(e <= oracleTolerance) || r.Status != algo.Converged || r.Gap > 1e-13 {
					t.Errorf("%s: off by %.3g (status %v, gap %.3g): direction %v, want %v", c.Name, e, r.Status, r.Gap, r.Direction,
						v.direction(want))
				}
				weights := v.weights(want)
				if weights == nil {
					continue
				}
				e = relative(r.Weights, weights)
				worstWeights = max(worstWeights, e)
				if !(e <= oracleTolerance) {
					t.Errorf("%s: weights off by %.3g: %v, want %v", c.Name, e, r.Weights, weights)
				}
				in.Jacobian = nil
				fromGramian := &algo.Result{Weights: make([]float64, len(c.G))}
				if err := v.make(want).Weigh(fromGramian, in); err != nil {
					t.Fatalf("%s, Gramian alone: %v", c.Name, err)
				}
				if e := relative(fromGramian.Weights, weights); !(e <= oracleTolerance) {
					t.Errorf("%s: weights from the Gramian alone off by %.3g", c.Name, e)
				}
			}
			t.Logf("directions off by at most %.2g, weights %.2g", worst, worstWeights)
		})
	}
}
