package problem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// cleaningConfig returns the configuration of a small problem, modified by change.
func cleaningConfig(change ...func(*problem.HyperCleaningConfig)) problem.HyperCleaningConfig {
	c := problem.HyperCleaningConfig{Classes: 3, Train: 8, Validation: 7, Selection: 5, Test: 6, Corruption: 0.5, Spread: 0.4, Ridge: 0.02,
		Seed: 3}
	for _, f := range change {
		f(&c)
	}
	return c
}

func cleaning(t testing.TB, c problem.HyperCleaningConfig) *problem.HyperCleaning {
	t.Helper()
	p, err := problem.NewHyperCleaning(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHyperCleaningConformance(t *testing.T) {
	for name, change := range map[string]func(*problem.HyperCleaningConfig){
		"linear":      func(*problem.HyperCleaningConfig) {},
		"hidden":      func(c *problem.HyperCleaningConfig) { c.Hidden = 4 },
		"one unit":    func(c *problem.HyperCleaningConfig) { c.Hidden = 1 },
		"two units":   func(c *problem.HyperCleaningConfig) { c.Hidden = 2 }, // as many as coordinates
		"two classes": func(c *problem.HyperCleaningConfig) { c.Classes, c.Ridge = 2, 0 },
		"one sample":  func(c *problem.HyperCleaningConfig) { c.Train, c.Validation, c.Selection, c.Test = 1, 1, 1, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			p := cleaning(t, cleaningConfig(change))
			n, lower, _ := p.Dims()
			// At this point, probabilities and weights are 0 or 1 to machine precision.
			extreme := make([]float64, n+lower)
			for i := range extreme {
				extreme[i] = 800 * math.Cos(float64(i))
			}
			algotest.Bilevel(t, p, p.Start(), extreme)
		})
	}
}

// TestHyperCleaningByHand compares results for two samples per data set at ω = 0, where every class has the same
// probability, with numbers computed by hand.
func TestHyperCleaningByHand(t *testing.T) {
	p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) {
		c.Classes, c.Train, c.Validation, c.Corruption, c.Ridge = 2, 2, 2, 0.5, 0.1
	}))
	n, lower, m := p.Dims()
	if n != 4 || lower != 12 || m != 2 {
		t.Fatalf("dims are %d, %d, %d, want 4, 12, 2", n, lower, m)
	}
	z := p.Start()
	// The weights are σ(ln 3) = ¾ and σ(−ln 3) = ¼ for the first data set, and ½ for the second.
	z[0], z[1] = math.Log(3), -math.Log(3)
	f := make([]float64, 2)
	p.Values(f, z)
	if math.Abs(f[0]-math.Ln2)+math.Abs(f[1]-math.Ln2) > 1e-15 {
		t.Errorf("upper losses are %v, want ln 2 each", f)
	}
	// f is ½(¾ + ¼) ln 2 + ½(½ + ½) ln 2.
	if got := p.Lower(z); math.Abs(got-math.Ln2) > 1e-15 {
		t.Errorf("the lower loss is %v, want ln 2", got)
	}
	gradient := make([]float64, n+lower)
	p.LowerGradient(gradient, z)
	// The derivatives are σ'(α)/2·ln 2 with σ' = ¾·¼ and ½·½.
	for j, slope := range []float64{3. / 16, 3. / 16, 1. / 4, 1. / 4} {
		if want := slope / 2 * math.Ln2; math.Abs(gradient[j]-want) > 1e-16 {
			t.Errorf("∂f/∂α_%d = %v, want %v", j, gradient[j], want)
		}
	}
	// The gradient for row c of a head is Σ_j ½σ_j(½ − [y_j = c])(x_j, 1).
	for set, weights := range [][]float64{{0.75, 0.25}, {0.5, 0.5}} {
		s := p.Samples(set, problem.Training)
		for class := range 2 {
			var want [3]float64
			for j, w := range weights {
				pull := 0.5
				if s.Given[j] == class {
					pull = -0.5
				}
				for i, x := range append(s.Point(j), 1) {
					want[i] += w / 2 * pull * x
				}
			}
			for i, v := range want {
				if got := gradient[n+set*6+class*3+i]; math.Abs(got-v) > 1e-15 {
					t.Errorf("data set %d, class %d: gradient %d is %v, want %v", set+1, class, i, got, v)
				}
			}
		}
	}
	// With a single weight v on x_1 for the first class of the first head, the loss of a sample with label y is ln(1
	// + e^(∓v·x_1)), and the ridge adds r/2 v².
	const v = 0.7
	z[n] = v
	want := 0.1/2*v*v + math.Ln2/2
	s := p.Samples(0, problem.Training)
	for j, w := range []float64{0.75, 0.25} {
		margin := v * s.Point(j)[0]
		if s.Given[j] == 1 {
			margin = -margin
		}
		want += w / 2 * math.Log1p(math.Exp(-margin))
	}
	if got := p.Lower(z); math.Abs(got-want) > 1e-15 {
		t.Errorf("the lower loss is %v, want %v", got, want)
	}
}

// TestHyperCleaningKeepsNothingStale calls random methods at points that share α or ω. Each result must equal that of a
// new problem, which has nothing cached.
func TestHyperCleaningKeepsNothingStale(t *testing.T) {
	c := cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Hidden = 3 })
	p := cleaning(t, c)
	n, lower, _ := p.Dims()
	random := rand.New(rand.NewPCG(1, 2))
	points := make([][]float64, 4)
	for i := range points {
		points[i] = p.Start()
		for k := range points[i] {
			points[i][k] += random.NormFloat64()
		}
	}
	copy(points[1][:n], points[0][:n]) // the same α with another ω
	copy(points[2][n:], points[0][n:]) // the same ω with another α
	ask := func(p *problem.HyperCleaning, what int, z, along []float64) []float64 {
		dst := make([]float64, n+lower)
		switch what {
		case 0:
			return []float64{p.Lower(z)}
		case 1:
			p.LowerGradient(dst, z)
		case 2:
			p.LowerGradientOmega(dst[n:], z)
		case 3:
			p.HessianOmegaOmega(dst[n:], z, along[n:])
		case 4:
			p.HessianAlphaOmega(dst[:n], z, along[n:])
		case 5:
			p.HessianOmegaAlpha(dst[n:], z, along[:n])
		}
		return dst
	}
	for range 300 {
		what, z, along := random.IntN(6), points[random.IntN(len(points))], points[random.IntN(len(points))]
		got, want := ask(p, what, z, along), ask(cleaning(t, c), what, z, along)
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("question %d: entry %d is %v, a fresh problem says %v", what, i, got[i], want[i])
			}
		}
	}
}

// TestHyperCleaningCorruption checks that the share of wrong labels is exact and that every label is a class. Wrong
// labels must be uniform over the other classes, and only training labels may be wrong.
func TestHyperCleaningCorruption(t *testing.T) {
	for _, share := range []float64{0, 0.1, 0.5, 0.8, 1} {
		p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Train, c.Corruption = 40, share }))
		for set := range problem.HyperCleaningSets {
			for split := range problem.Splits {
				s, wrong := p.Samples(set, split), 0
				for j := range s.Len() {
					if s.Given[j] < 0 || s.Given[j] > 2 || s.True[j] != j%3 {
						t.Fatalf("sample %d has the labels %d and %d", j, s.Given[j], s.True[j])
					}
					if s.Corrupted(j) {
						wrong++
					}
				}
				want := 0
				if split == problem.Training {
					want = int(math.Round(share * 40))
				}
				if wrong != want {
					t.Errorf("share %v: data set %d, split %d has %d wrong labels, want %d", share, set+1, split, wrong, want)
				}
			}
		}
	}
	// If all labels are wrong, half of the samples of a class must move to each of the two other classes, within six
	// standard deviations of a fair coin.
	p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Train, c.Corruption = 6000, 1 }))
	for set := range problem.HyperCleaningSets {
		var moved [3][3]float64
		s := p.Samples(set, problem.Training)
		for j := range s.Len() {
			moved[s.True[j]][s.Given[j]]++
		}
		for from := range 3 {
			if got := moved[from][(from+1)%3]; math.Abs(got-1000) > 6*math.Sqrt(2000)/2 {
				t.Errorf("data set %d: %v of 2000 labels move from class %d to %d", set+1, got, from, (from+1)%3)
			}
		}
	}
}

// TestHyperCleaningDraws checks that the same seed gives the same data, and that another seed gives different data.
// The size of one part must not change the other parts.
func TestHyperCleaningDraws(t *testing.T) {
	first := cleaning(t, cleaningConfig())
	more := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Validation, c.Test, c.Corruption = 30, 50, 1 }))
	other := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Seed = 4 }))
	for set := range problem.HyperCleaningSets {
		for split := range problem.Splits {
			for i, x := range first.Samples(set, split).X {
				if more.Samples(set, split).X[i] != x {
					t.Fatalf("data set %d, split %d: coordinate %d depends on the sizes", set+1, split, i)
				}
				if other.Samples(set, split).X[i] == x {
					t.Errorf("data set %d, split %d: coordinate %d does not depend on the seed", set+1, split, i)
				}
			}
		}
	}
	if a, b := first.Samples(0, problem.Training).X[0], first.Samples(0, problem.Validation).X[0]; a == b {
		t.Error("training and validation samples are the same")
	}
}

func TestHyperCleaningPredicts(t *testing.T) {
	p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Hidden = 2 }))
	n, _, _ := p.Dims()
	z := p.Start()
	z[n] = 2 // so that the two sets' heads get different inputs
	dst := make([]float64, 3)
	for set := range problem.HyperCleaningSets {
		p.Probabilities(dst, z, set, 0.3, -0.8)
		sum, best := 0.0, 0
		for c, v := range dst {
			sum += v
			if v > dst[best] {
				best = c
			}
		}
		if math.Abs(sum-1) > 1e-15 || best != p.Predict(z, set, 0.3, -0.8) {
			t.Errorf("data set %d: probabilities %v and prediction %d", set+1, dst, p.Predict(z, set, 0.3, -0.8))
		}
		// Differences of scores must equal differences of the logarithms of probabilities.
		scores := make([]float64, 3)
		p.Scores(scores, z, set, 0.3, -0.8)
		for c, v := range dst {
			if got, want := scores[c]-scores[0], math.Log(v/dst[0]); math.Abs(got-want) > 1e-14 {
				t.Errorf("data set %d: the score of class %d is %v above the first class's, want %v", set+1, c+1, got, want)
			}
		}
	}
	// A large bias makes the last class the prediction for every point.
	for set := range problem.HyperCleaningSets {
		z := p.Start()
		z[n+6+set*9+8] = 1e6
		s := p.Samples(set, problem.Test)
		right := 0.0
		for _, y := range s.True {
			if y == 2 {
				right++
			}
		}
		accuracy, f1 := p.Score(z, set, problem.Test)
		if want := right / float64(s.Len()); accuracy != want {
			t.Errorf("data set %d: accuracy %v, want %v", set+1, accuracy, want)
		}
		// F1 is 2·2/(2·2 + 4 + 0) for the last class and 0 for the others.
		if math.Abs(f1-0.5/3) > 1e-16 {
			t.Errorf("data set %d: F1 %v, want 1/6", set+1, f1)
		}
	}
}

func TestHyperCleaningWeights(t *testing.T) {
	p := cleaning(t, cleaningConfig())
	z := p.Start()
	if clean, corrupted := p.MeanWeights(z); clean != 0.5 || corrupted != 0.5 {
		t.Errorf("mean weights at the start are %v and %v, want ½", clean, corrupted)
	}
	if got := p.Detection(z); got != 0.5 {
		t.Errorf("detection with equal weights is %v, want ½", got)
	}
	for set := range problem.HyperCleaningSets {
		s := p.Samples(set, problem.Training)
		for j := range s.Len() {
			if s.Corrupted(j) {
				z[set*8+j] = -math.Log(3)
			}
		}
	}
	clean, corrupted := p.MeanWeights(z)
	if clean != 0.5 || math.Abs(corrupted-0.25) > 1e-15 || math.Abs(p.Weight(z, 1, 0)-p.Weight(z, 0, 0)) > 0.25+1e-15 {
		t.Errorf("mean weights are %v and %v, want ½ and ¼", clean, corrupted)
	}
	if got := p.Detection(z); got != 1 {
		t.Errorf("detection where all corrupted samples weigh less is %v, want 1", got)
	}
	for i := range z {
		z[i] = -z[i]
	}
	if got := p.Detection(z); got != 0 {
		t.Errorf("detection where all corrupted samples weigh more is %v, want 0", got)
	}
	for _, share := range []float64{0, 1} {
		p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) { c.Corruption = share }))
		if got := p.Detection(p.Start()); !math.IsNaN(got) {
			t.Errorf("detection with a share %v of wrong labels is %v, want NaN", share, got)
		}
	}
}

func TestHyperCleaningRefuses(t *testing.T) {
	for word, change := range map[string]func(*problem.HyperCleaningConfig){
		"classes = 1":      func(c *problem.HyperCleaningConfig) { c.Classes = 1 },
		"train = 0":        func(c *problem.HyperCleaningConfig) { c.Train = 0 },
		"validation = -1":  func(c *problem.HyperCleaningConfig) { c.Validation = -1 },
		"selection = 0":    func(c *problem.HyperCleaningConfig) { c.Selection = 0 },
		"test = 0":         func(c *problem.HyperCleaningConfig) { c.Test = 0 },
		"hidden = -1":      func(c *problem.HyperCleaningConfig) { c.Hidden = -1 },
		"corruption = 1.1": func(c *problem.HyperCleaningConfig) { c.Corruption = 1.1 },
		"corruption = NaN": func(c *problem.HyperCleaningConfig) { c.Corruption = math.NaN() },
		"spread = 0":       func(c *problem.HyperCleaningConfig) { c.Spread = 0 },
		"spread = +Inf":    func(c *problem.HyperCleaningConfig) { c.Spread = math.Inf(1) },
		"ridge = -1":       func(c *problem.HyperCleaningConfig) { c.Ridge = -1 },
	} {
		if _, err := problem.NewHyperCleaning(cleaningConfig(change)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: error %v", word, err)
		}
	}
}

// TestHyperCleaningHiddenLayerSeparatesMore checks that on the clean second data set, gradient steps classify more
// samples correctly with a hidden layer than without one.
func TestHyperCleaningHiddenLayerSeparatesMore(t *testing.T) {
	accuracy := func(hidden int) float64 {
		p := cleaning(t, cleaningConfig(func(c *problem.HyperCleaningConfig) {
			c.Train, c.Test, c.Corruption, c.Hidden, c.Ridge, c.Spread = 120, 400, 0, hidden, 0.001, 0.3
		}))
		n, lower, _ := p.Dims()
		z, g := p.Start(), make([]float64, lower)
		for range 2000 {
			p.LowerGradientOmega(g, z)
			for i, v := range g {
				z[n+i] -= 0.5 * v
			}
		}
		a, _ := p.Score(z, 1, problem.Test)
		return a
	}
	linear, hidden := accuracy(0), accuracy(8)
	if !(linear > 0.7 && hidden > linear+0.05) {
		t.Errorf("accuracy on the spiral is %v without and %v with a hidden layer", linear, hidden)
	}
}

func BenchmarkHyperCleaning(b *testing.B) {
	for _, hidden := range []int{0, 6} {
		p := cleaning(b, cleaningConfig(func(c *problem.HyperCleaningConfig) {
			c.Train, c.Validation, c.Test, c.Hidden = 40, 60, 400, hidden
		}))
		n, lower, m := p.Dims()
		z, dst, v, jac := p.Start(), make([]float64, n+lower), make([]float64, lower), algo.NewJacobian(m, n+lower)
		for i := range z {
			z[i] += 0.1 * math.Cos(float64(i))
		}
		move := func() { z[n] += 1e-9 } // so that no result is stored for the point
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"gradient", func() { move(); p.LowerGradientOmega(dst[n:], z) }},
			{"products", func() { // both products are along the same new vector, as in differentiation
				v[0] += 1e-9
				p.HessianAlphaOmega(dst[:n], z, v)
				p.HessianOmegaOmega(dst[n:], z, v)
			}},
			{"jacobian", func() { p.Jacobian(jac, z) }},
			{"score", func() { p.Score(z, 0, problem.Test) }},
			{"detection", func() { p.Detection(z) }},
		} {
			name := "linear/"
			if hidden > 0 {
				name = "hidden/"
			}
			b.Run(name+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.f()
				}
			})
		}
	}
}

// BenchmarkHyperCleaningStep measures one upper step with T = 64 lower steps.
func BenchmarkHyperCleaningStep(b *testing.B) {
	for _, hidden := range []int{0, 6} {
		p := cleaning(b, cleaningConfig(func(c *problem.HyperCleaningConfig) {
			c.Train, c.Validation, c.Selection, c.Test, c.Hidden = 40, 30, 100, 400, hidden
		}))
		loop := bilevel.Loop{Steps: 64, StepSize: 0.3}
		steppers := map[string]func() (bilevel.Stepper, error){
			"forum": func() (bilevel.Stepper, error) {
				return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: p.Start(), Loop: loop,
					Upper: bilevel.Upper{StepSize: 10, OmegaStepSize: 0.3}, Rho: 0.5})
			},
			"moml": func() (bilevel.Stepper, error) {
				return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: p.Start(), Loop: loop, Upper: bilevel.Upper{StepSize: 10}})
			},
			"nocleaning": func() (bilevel.Stepper, error) {
				return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: p.Start(), Loop: loop})
			},
		}
		for _, method := range []string{"forum", "moml", "nocleaning"} {
			s, err := steppers[method]()
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/hidden=%d", method, hidden), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Step(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
