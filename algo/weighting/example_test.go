package weighting_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Two gradients that conflict, and what three rules make of them.
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

// A rule made by its constructor, whose error says what was refused.
func ExampleNewCAGrad() {
	_, err := weighting.NewCAGrad(-1, weighting.RescaleNone)
	fmt.Println(err)
	// Output:
	// c = -1, allowed is a finite number of at least 0
}

// conflict are the gradients on which the examples of rules decide.
var conflict = &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}}

// decide asks a rule about the gradients, once with each losses, or once with losses 1 and 4.
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

// The mean of both gradients.
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

// Weights that a seed draws, new ones at every decision: those of the first.
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

// The loss that is four times as large counts a quarter.
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

// The first loss has halved, the second has stayed: the second gets more weight.
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

// Weights move towards 1/(2f) from ½ on.
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

// It decides as MGDA does; its batch is what grows.
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

// Each gradient loses what points against the other one.
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

// Its first decision is that of PCGrad: targets begin at right angles.
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

// It keeps one sign in each coordinate, and has no weights.
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

// Within 0.4 of the length of the mean gradient, the direction that serves the first objective best.
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

// Both unit gradients have the same product with the direction.
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

// The second loss has fallen faster, so the first one gets more weight.
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

// With α = 1 it is Nash-MTL.
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

// Between MGDA and the mean gradient.
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

// Half of the gradients is tracked at first, and the weights leave equal ones a step at a time.
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

// Weights move a step at a time towards those of MGDA.
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

// The mean of both gradients, each projected to make no objective worse.
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

// Principal components of equal length.
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

// The losses are to be equal: the second falls to the first, which may rise.
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

// The direction of IMTL-G with another length.
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

// The mean gradient, moved until it makes no objective worse.
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

// The direction of SI with another length.
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

// Of a smooth maximum the larger loss gets nearly all weight.
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

// The second loss is to fall to 3 while the first is minimised.
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

// The gradients of the logarithms, both as long as the longer one.
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

// The second gradient is the longer one: it gets less weight at the next decision.
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

// As the gradients stay, both objectives can still fall as far as before, and the weights stay equal.
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
