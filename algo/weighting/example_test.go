package weighting_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// This example applies three rules to two conflicting gradients.
func Example() {
	var in algo.Input
	in.SetGradients(&algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}})
	for _, name := range []string{"mgda", "pcgrad", "upgrad"} {
		method, _ := weighting.Lookup(name)
		rule, err := method.Bind(new(param.List), "")(weighting.Context{Objectives: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		out := algo.Result{Weights: make([]float64, 2), Direction: make([]float64, 2)}
		if err := rule.Weigh(&out, &in); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-6s weights %.2f, direction %.2f\n", method.Title, out.Weights, out.Direction)
	}
	// Output:
	// MGDA   weights [0.70 0.30], direction [0.10 0.30]
	// PCGrad weights [3.00 1.40], direction [0.20 1.40]
	// UPGrad weights [1.50 0.70], direction [0.10 0.70]
}

// NewCAGrad returns an error that names the invalid value and the allowed values.
func ExampleNewCAGrad() {
	_, err := weighting.NewCAGrad(-1, weighting.RescaleNone)
	fmt.Println(err)
	// Output:
	// c = -1: use a finite number of at least 0
}

// conflict holds the gradients used in the examples of the rules.
var conflict = &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}}

// decide applies a rule to the gradients, once for each of the given loss vectors, and prints its decisions. Without
// losses it applies the rule once, with losses 1 and 4.
func decide(rule algo.Weighting, losses ...[]float64) {
	if losses == nil {
		losses = [][]float64{{1, 4}}
	}
	for k, f := range losses {
		out, err := weighting.Direction(rule, conflict, f)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("weights %.2f, direction %.2f\n", out.Weights, out.Direction)
		if o, observes := rule.(algo.Observer); observes && k+1 < len(losses) {
			o.Observe(f, losses[k+1])
		}
	}
}

// The direction is the mean of both gradients.
func ExampleLinearScalarization() {
	rule, err := weighting.New("ls", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.50 0.50], direction [-0.50 0.50]
}

// RLW draws new weights, determined by the seed, at every decision. The example shows the first decision.
func ExampleRLW() {
	rule, err := weighting.New("rlw", 2, "seed=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.34 0.66], direction [-0.98 0.66]
}

// A loss that is four times as large gets a quarter of the weight.
func ExampleSI() {
	rule, err := weighting.New("si", 2, "normalize=true")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.80 0.20], direction [0.40 0.20]
}

// The first loss has halved and the second is unchanged, so the second objective gets more weight.
func ExampleDWA() {
	rule, err := weighting.New("dwa", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{0.5, 4}, []float64{0.5, 4})
	// Output:
	// weights [1.00 1.00], direction [-1.00 1.00]
	// weights [1.00 1.00], direction [-1.00 1.00]
	// weights [0.88 1.12], direction [-1.37 1.12]
}

// Weights start at ½ and move towards 1/(2f).
func ExampleUW() {
	rule, err := weighting.New("uw", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{1, 4})
	// Output:
	// weights [0.50 0.50], direction [-0.50 0.50]
	// weights [0.50 0.48], direction [-0.46 0.48]
}

// The shortest vector in the hull of the gradients makes neither objective worse.
func ExampleMGDA() {
	rule, err := weighting.New("mgda", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.70 0.30], direction [0.10 0.30]
}

// SMG decides like MGDA, but its batches grow.
func ExampleSMG() {
	rule, err := weighting.New("smg", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	fmt.Println(weighting.BatchSize(0, 100, 8), weighting.BatchSize(20, 100, 8))
	// Output:
	// weights [0.70 0.30], direction [0.10 0.30]
	// 8 100
}

// Each gradient loses the component that conflicts with the other gradient.
func ExamplePCGrad() {
	rule, err := weighting.New("pcgrad", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [3.00 1.40], direction [0.20 1.40]
}

// The first decision is the same as PCGrad's, because the targets start at cosine 0.
func ExampleGradVac() {
	rule, err := weighting.New("gradvac", 2, "beta=0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [3.00 1.40], direction [0.20 1.40]
}

// GradDrop keeps the entries of one sign in each coordinate. It has no weights.
func ExampleGradDrop() {
	rule, err := weighting.New("graddrop", 2, "seed=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [], direction [-2.00 1.00]
}

// CAGrad may depart from the mean gradient by up to 0.4 times its length. It takes the direction that helps the
// first objective most.
func ExampleCAGrad() {
	rule, err := weighting.New("cagrad", 2, "c=0.4", "rescale=none")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.00 0.00], direction [-0.22 0.50]
}

// The direction has the same product with both unit gradients.
func ExampleIMTLG() {
	rule, err := weighting.New("imtlg", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.69 0.31], direction [0.07 0.31]
}

// The weights solve GGᵀα = 1/α.
func ExampleNashMTL() {
	rule, err := weighting.New("nashmtl", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [3.08 1.38], direction [0.32 1.38]
}

// The second loss has fallen faster, so the first objective gets more weight.
func ExampleFAMO() {
	rule, err := weighting.New("famo", 2, "lr=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{1, 2})
	// Output:
	// weights [0.80 0.20], direction [0.40 0.20]
	// weights [0.94 0.06], direction [0.81 0.06]
}

// With α = 1, FairGrad is the same as Nash-MTL.
func ExampleFairGrad() {
	rule, err := weighting.New("fairgrad", 2, "alpha=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [3.08 1.38], direction [0.32 1.38]
}

// The direction is between MGDA's direction and the mean gradient.
func ExampleSDMGrad() {
	rule, err := weighting.New("sdmgrad", 2, "kappa=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.90 0.10], direction [0.10 0.30]
}

// At first, MoCo tracks half of each gradient. The weights change gradually, starting from equal weights.
func ExampleMoCo() {
	rule, err := weighting.New("moco", 2, "beta=0.5", "gamma=0.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.52 0.47], direction [-0.21 0.24]
}

// The weights move gradually towards the weights of MGDA.
func ExampleMoDo() {
	rule, err := weighting.New("modo", 2, "gamma=0.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{1, 4})
	// Output:
	// weights [0.60 0.40], direction [-0.20 0.40]
	// weights [0.65 0.35], direction [-0.05 0.35]
}

// The direction is the mean of both gradients, each projected so that it makes no objective worse.
func ExampleUPGrad() {
	rule, err := weighting.New("upgrad", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.50 0.70], direction [0.10 0.70]
}

// Aligned-MTL scales the principal components of the gradients to equal length.
func ExampleAlignedMTL() {
	rule, err := weighting.New("alignedmtl", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.59 0.29], direction [0.00 0.29]
}

// EPO makes the losses equal: the second loss falls towards the first, which may rise.
func ExampleEPO() {
	rule, err := weighting.New("epo", 2, "preference=0.5,0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.39 0.61], direction [-0.83 0.61]
}

// ConFIG has the same direction as IMTL-G, but a different length.
func ExampleConFIG() {
	rule, err := weighting.New("config", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.62 0.72], direction [0.17 0.72]
}

// The direction is the mean gradient, changed just enough to make no objective worse.
func ExampleDualProj() {
	rule, err := weighting.New("dualproj", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.00 0.50], direction [0.00 0.50]
}

// GLS has the same direction as SI, but a different length.
func ExampleGLS() {
	rule, err := weighting.New("gls", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.00 0.25], direction [0.50 0.25]
}

// In the smooth maximum, the larger loss gets nearly all the weight.
func ExampleSTCH() {
	rule, err := weighting.New("stch", 2, "mu=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [0.05 0.95], direction [-1.86 0.95]
}

// Epsilon minimises the first loss while the second falls to its limit 3.
func ExampleEpsilon() {
	rule, err := weighting.New("epsilon", 2, "limits=0,3", "objective=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.00 0.60], direction [-0.20 0.60]
}

// DB-MTL adds the gradients of the logarithms of the losses, both scaled to the length of the longer gradient.
func ExampleDBMTL() {
	rule, err := weighting.New("dbmtl", 2, "beta=0")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule)
	// Output:
	// weights [1.00 0.45], direction [0.11 0.45]
}

// The second gradient is longer, so it gets less weight at the next decision.
func ExampleGradNorm() {
	rule, err := weighting.New("gradnorm", 2, "lr=0.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{1, 4})
	// Output:
	// weights [1.00 1.00], direction [-1.00 1.00]
	// weights [1.16 0.84], direction [-0.52 0.84]
}

// The gradients do not change, so the estimated excesses change by the same factor and the weights stay equal.
func ExampleExcessMTL() {
	rule, err := weighting.New("excessmtl", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	decide(rule, []float64{1, 4}, []float64{1, 4})
	// Output:
	// weights [1.00 1.00], direction [-1.00 1.00]
	// weights [1.00 1.00], direction [-1.00 1.00]
}
