package descent_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/weighting"
)

// TestOptimizersByHand compares first steps with numbers computed by hand. From (0, 1), the direction of the bowls is d
// = (−0.4, 1.2): see TestFirstStepsByHand. Clipped to length 0.4, it is d/√10.
func TestOptimizersByHand(t *testing.T) {
	const eta = 0.25
	d := []float64{-0.4, 1.2}
	short := []float64{-0.4 / math.Sqrt(10), 1.2 / math.Sqrt(10)}
	adam := func(d []float64, epsilon float64) []float64 {
		return []float64{d[0] / (math.Abs(d[0]) + epsilon), d[1] / (math.Abs(d[1]) + epsilon)}
	}
	for _, c := range []struct {
		name      string
		optimizer descent.Optimizer
		update    []float64
	}{
		{"plain", descent.Optimizer{}, d},
		{"plain, clipped", descent.Optimizer{ClipNorm: 0.4}, short},
		{"plain, shorter than the clip", descent.Optimizer{ClipNorm: 1.3}, d},
		{"heavy ball", descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.9}, d},
		{"heavy ball, clipped", descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.9, ClipNorm: 0.4}, short},
		{"Adam", descent.Optimizer{Kind: descent.Adam, Beta1: 0.8, Beta2: 0.9, Epsilon: 0.1}, adam(d, 0.1)},
		{"Adam, clipped", descent.Optimizer{Kind: descent.Adam, Beta1: 0.8, Beta2: 0.9, Epsilon: 0.1, ClipNorm: 0.4}, adam(short, 0.1)},
		{"Adam by default", descent.DefaultAdam(), adam(d, 1e-8)},
		{"Adam left to its defaults", descent.Optimizer{Kind: descent.Adam}, adam(d, 1e-8)},
	} {
		s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: eta, Optimizer: c.optimizer})
		if s.Update() != nil {
			t.Errorf("%s: an update before the first step", c.name)
		}
		steps(t, s, 1)
		v := s.View()
		x := []float64{-eta * c.update[0], 1 - eta*c.update[1]}
		if !near(v.Direction, d, 1e-15) || !near(s.Update(), c.update, 1e-15) || !near(v.X, x, 1e-15) {
			t.Errorf("%s: direction %v, update %v, x = %v; want %v, %v, %v", c.name, v.Direction, s.Update(), v.X, d, c.update, x)
		}
	}
}

// TestOptimizersSecondStep compares second steps with updates recomputed from the directions that the runs report.
func TestOptimizersSecondStep(t *testing.T) {
	for _, o := range []descent.Optimizer{
		{Kind: descent.HeavyBall, Beta: 0.7},
		{Kind: descent.Adam, Beta1: 0.8, Beta2: 0.9, Epsilon: 0.01},
	} {
		s := newRun(t, descent.Config{
			Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 2, StepSize: 0.25, StepSizeSchedule: descent.Theorem35, Optimizer: o,
		})
		steps(t, s, 1)
		first, x := slices.Clone(s.View().Direction), slices.Clone(s.View().X)
		steps(t, s, 1)
		second := s.View().Direction
		for i, d := range second {
			var u float64
			switch o.Kind {
			case descent.HeavyBall:
				u = 0.7*first[i] + d
			case descent.Adam:
				m := (0.8*0.2*first[i] + 0.2*d) / (1 - 0.64)
				v := (0.9*0.1*first[i]*first[i] + 0.1*d*d) / (1 - 0.81)
				u = m / (math.Sqrt(v) + 0.01)
			}
			want := x[i] - 0.25/math.Sqrt2*u
			if math.Abs(s.View().X[i]-want) > 1e-14 || math.Abs(s.Update()[i]-u) > 1e-14 {
				t.Errorf("%v: x = %v after two steps, update %v; want %v, %v", o.Kind, s.View().X, s.Update(), want, u)
			}
		}
	}
}

func TestOptimizersConform(t *testing.T) {
	for _, o := range []descent.Optimizer{
		{ClipNorm: 0.1},
		{Kind: descent.HeavyBall, Beta: 0.9},
		{Kind: descent.HeavyBall, Beta: 0.5, ClipNorm: 0.1},
		descent.DefaultAdam(),
	} {
		c := descent.Config{Problem: newFonseca(t, 3, 0.1), Start: []float64{0.3, -0.8, 0.5}, Period: 3, StepSize: 0.05, Seed: 1, Optimizer: o}
		for method, c := range map[string]descent.Config{
			"PSMGD": c, "linear scalarization": descent.LinearScalarization(c, []float64{0.5, 0.5}),
		} {
			t.Run(fmt.Sprintf("%s, %v, clip norm %v", method, o.Kind, o.ClipNorm), func(t *testing.T) {
				algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) })
			})
		}
	}
	diverging := descent.Config{
		Problem: bowls(t, 0), Start: []float64{0.3, 1}, Period: 1, StepSize: 7, Optimizer: descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.9},
	}
	algotest.Stepper(t, func() algo.Stepper { return newRun(t, diverging) }, func() algo.Stepper { return newRun(t, diverging) })
}

// TestNoSolutionStopsMomentum checks that x does not move without a solution, even with momentum.
func TestNoSolutionStopsMomentum(t *testing.T) {
	s := newRun(t, descent.Config{
		Problem: bowls(t, 0), Start: []float64{3, 1}, Period: 2, StepSize: 0.05, Weighting: unsolved{},
		Optimizer: descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5},
	})
	status := algo.Running
	var x []float64
	for k := 0; k < 50 && status == algo.Running; k++ {
		x = slices.Clone(s.View().X)
		var err error
		if status, err = s.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if status != algo.NoSolution || !near(s.View().X, x, 0) || !near(s.Update(), []float64{0, 0}, 0) {
		t.Errorf("%v at %v, before %v, update %v", status, s.View().X, x, s.Update())
	}
}

func TestOptimizersRefuse(t *testing.T) {
	for want, o := range map[string]descent.Optimizer{
		"clip norm = -1":         {ClipNorm: -1},
		"clip norm = NaN":        {ClipNorm: math.NaN()},
		"beta = 0.9: it is only": {Beta: 0.9},
		"beta1 = 0.9, beta2":     {Kind: descent.HeavyBall, Beta1: 0.9},
		"beta = 1: it must":      {Kind: descent.HeavyBall, Beta: 1},
		"beta1 = 1":              {Kind: descent.Adam, Beta1: 1, Beta2: 0.9, Epsilon: 1},
		"epsilon = 0":            {Kind: descent.Adam, Beta1: 0.9, Beta2: 0.9},
		`optimizer "sgd"`:        {Kind: "sgd"},
	} {
		_, err := descent.NewPSMGD(descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: 0.1, Optimizer: o})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// means is a problem in which f_i is the mean of ½‖x − c‖² over the centres c in the i-th of two lists.
type means struct {
	centers [2][]float64 // one coordinate each
	seen    [][]int      // the batches, recorded unless nil
}

func (*means) Dims() (n, m int)        { return 1, 2 }
func (p *means) Examples() int         { return len(p.centers[0]) }
func (p *means) Values(f, x []float64) { p.ValuesAt(f, x, &algo.Sample{}) }
func (p *means) Jacobian(j *algo.Jacobian, x []float64) {
	p.gradients(j.Data, x, nil)
}

func (p *means) ValuesAt(f, x []float64, s *algo.Sample) {
	for i, centers := range p.centers {
		f[i] = 0
		count := p.count(s.Batch)
		for k := range count {
			d := x[0] - centers[p.index(s.Batch, k)]
			f[i] += d * d / 2 / float64(count)
		}
	}
}

func (p *means) count(batch []int) int {
	if batch == nil {
		return p.Examples()
	}
	return len(batch)
}

func (p *means) index(batch []int, k int) int {
	if batch == nil {
		return k
	}
	return batch[k]
}

func (p *means) gradients(g, x []float64, batch []int) {
	for i, centers := range p.centers {
		g[i] = 0
		count := p.count(batch)
		for k := range count {
			g[i] += (x[0] - centers[p.index(batch, k)]) / float64(count)
		}
	}
}

func (p *means) JacobianAt(j *algo.Jacobian, x []float64, s *algo.Sample) {
	if p.seen != nil {
		p.seen = append(p.seen, slices.Clone(s.Batch))
	}
	p.gradients(j.Data, x, s.Batch)
}

func (p *means) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	var g [2]float64
	p.gradients(g[:], x, s.Batch)
	dst[0] = w[0]*g[0] + w[1]*g[1]
}

func newMeans() *means {
	return &means{centers: [2][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {-1, -2, -3, 0, 0, 0, -4, -5, -2, -3}}}
}

// TestSMGBatches checks that batches have min(N, b_0(t+1)) different examples, and thus contain all examples once this
// number is N. Further samples must have separate batches.
func TestSMGBatches(t *testing.T) {
	for _, first := range []int{0, 3} { // 0 means 1
		p := newMeans()
		s := newRun(t, descent.SMG(descent.Config{Problem: p, Start: []float64{20}, StepSize: 0.01, Batch: first}))
		p.seen = [][]int{}
		steps(t, s, 12)
		for k, batch := range p.seen {
			size := min(10, max(first, 1)*(k+1))
			if size == 10 {
				if batch != nil {
					t.Errorf("step %d: batch %v, want all", k, batch)
				}
				continue
			}
			sorted := slices.Clone(batch)
			slices.Sort(sorted)
			if len(slices.Compact(sorted)) != size || sorted[0] < 0 || sorted[size-1] > 9 {
				t.Errorf("step %d: batch %v, want %d different examples", k, batch, size)
			}
		}
	}
	p := newMeans()
	modo, err := weighting.NewMoDo(0.1)
	if err != nil {
		t.Fatal(err)
	}
	s := newRun(t, descent.Config{Problem: p, Start: []float64{20}, StepSize: 0.01, Batch: 5, Period: 1, Weighting: modo})
	p.seen = [][]int{}
	steps(t, s, 1)
	if len(p.seen) != 3 || slices.Equal(p.seen[0], p.seen[1]) || slices.Equal(p.seen[1], p.seen[2]) || slices.Equal(p.seen[0], p.seen[2]) {
		t.Errorf("the samples of one step have batches %v", p.seen)
	}
	if got := s.Sample().Batch; !slices.Equal(got, p.seen[0]) {
		t.Errorf("the step's sample has the batch %v of %v", got, p.seen)
	}
	c := descent.SMG(descent.Config{Problem: newMeans(), Start: []float64{20}, StepSize: 0.1, Seed: 3})
	algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) })
	c.Problem = bowls(t, 0)
	c.Start = []float64{0, 1}
	if _, err := descent.NewPSMGD(c); err == nil || !strings.Contains(err.Error(), "batch b0 = 1: the problem has no examples") {
		t.Errorf("batches of a problem without examples: %v", err)
	}
	c.Problem, c.Start, c.Batch = newMeans(), []float64{20}, -1
	if _, err := descent.NewPSMGD(c); err == nil || !strings.Contains(err.Error(), "batch b0 = -1") {
		t.Errorf("a negative batch: %v", err)
	}
}

func BenchmarkAdam2(b *testing.B) {
	benchmark(b, descent.MGDA(descent.Config{
		Problem: newFonseca(b, 2, 0), Start: []float64{0.9, -0.8}, StepSize: 1e-6, Optimizer: descent.DefaultAdam(),
	}))
}
