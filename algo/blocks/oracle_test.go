package blocks_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

// oracle has the structure of blocksmoo.json, which other programs computed. The file's "meta" explains every
// field. Names that differ only in case are different fields.
type oracle struct {
	Trajectories []trajectory
	RRR          struct {
		D, R, Q int
		X, Y    [][]float64
	} `json:"rrr_data"`
	Frequencies struct {
		Matrices [][][]float64 `json:"Q"`
		Centres  [][]float64   `json:"c"`
		Blocks   [][]int
		X0       []float64
		Results  []struct {
			M             []int
			Order         string
			Mu, L, Alpha0 float64
			Minimiser     []float64
			At            []struct {
				T     int
				X     []float64
				Error float64
			}
		}
	}
	Moments []struct {
		Name         string
		Matrices     [][][]float64 `json:"Q"`
		Centres      [][]float64   `json:"c"`
		Blocks       [][]int
		M            []int
		Alpha, Noise float64
		X0           []float64
		At           []struct {
			T          int
			Mean       []float64
			Covariance [][]float64
		}
	}
	Bounds []struct {
		Gap            float64 `json:"F0_minus_Fstar"`
		Distance       float64 `json:"distance0"`
		L, Sigma, Mu   float64
		Delta          float64
		S, P, T        int
		Theorem31      float64
		Theorem32      float64
		Theorem33      float64
		Theorem31WithP float64 `json:"theorem31_with_p"`
		Theorem33WithP float64 `json:"theorem33_with_p"`
	}
}

type trajectory struct {
	Problem, Name, Method string
	Objectives            int           `json:"q"`
	Matrices              [][][]float64 `json:"Q"`
	Centres               [][]float64   `json:"c"`
	Blocks                [][]int
	M                     []int
	Order, Update         string
	Schedule              struct {
		Kind         string
		Alpha, Mu, L float64
		P, T         int
	}
	T             int
	X0            []float64
	StepsPerOuter int `json:"steps_per_outer"`
	Alphas        map[int]float64
	Partial       []struct {
		K, T, Block, Objective int
		X                      []float64
		Coordinates, BP        int
	}
	Outer []struct {
		T    int
		X, F []float64
		Sum  float64 `json:"Fm"`
	}
	Outputs struct {
		Last, Average []float64
		AverageSum    float64 `json:"average_Fm"`
		Uniform       struct {
			Mean    float64 `json:"mean_Fm"`
			Squared float64 `json:"mean_squared_gradient"`
		}
	}
	Cost       struct{ Coordinates, BP int }
	Minimiser  []float64
	FixedPoint []float64 `json:"fixed_point"`
	Radius     float64   `json:"spectral_radius"`
	Bias       float64
}

func readOracle(t testing.TB) *oracle {
	t.Helper()
	data, err := os.ReadFile("testdata/blocksmoo.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return &o
}

// config returns the configuration of a trajectory.
func (o *oracle) config(t testing.TB, r *trajectory) blocks.Config {
	t.Helper()
	c := blocks.Config{
		Start: r.X0, Blocks: r.Blocks, Frequencies: r.M, BlockOrder: blocks.ListedBlocks, StepSize: r.Schedule.Alpha,
		Horizon: r.Schedule.T, StrongConvexity: r.Schedule.Mu, Lipschitz: r.Schedule.L,
	}
	if r.Problem == "rrr" {
		c.Problem = algo.Exact(&reducedRank{d: o.RRR.D, r: o.RRR.R, q: o.RRR.Q, x: o.RRR.X, y: o.RRR.Y})
	} else {
		c.Problem = newQuadratics(t, 0, r.Matrices, r.Centres)
	}
	c.Order, c.Schedule = blocks.Order(r.Order), blocks.Schedule(r.Schedule.Kind)
	c.Update = map[string]blocks.Update{"gauss-seidel": blocks.GaussSeidel, "jacobi": blocks.Jacobi}[r.Update]
	if c.Schedule != blocks.Constant {
		c.StepSize = 1
	}
	switch r.Method {
	case "blocksmoo":
	case "weightedsum":
		c = blocks.WeightedSum(c)
	case "functionalternate":
		c = blocks.FunctionAlternate(c)
	case "blockalternate":
		c = blocks.BlockAlternate(c)
	default:
		t.Fatalf("method %q", r.Method)
	}
	return c
}

const oracleTolerance = 1e-10

// TestTrajectories checks that every step, the points between outer iterations, losses, step sizes, costs, outputs
// and their averages equal the independently computed values.
func TestTrajectories(t *testing.T) {
	o := readOracle(t)
	for i := range o.Trajectories {
		r := &o.Trajectories[i]
		t.Run(r.Problem+", "+r.Name, func(t *testing.T) {
			c := o.config(t, r)
			s := newRun(t, c)
			size := 1.0 // largest |x| of the run, which may grow at first
			if r.Schedule.Kind == "printed" {
				for _, row := range r.Partial {
					for _, v := range row.X {
						size = max(size, math.Abs(v))
					}
				}
			}
			same := func(what string, got, want []float64) {
				t.Helper()
				if !near(got, want, oracleTolerance*size) {
					t.Errorf("K = %d: %s = %v, want %v", s.View().K, what, got, want)
				}
			}
			if s.OuterSteps() != r.StepsPerOuter {
				t.Fatalf("%d steps an outer iteration, want %d", s.OuterSteps(), r.StepsPerOuter)
			}
			_, q := c.Problem.Dims()
			f := make([]float64, q)
			sum := func(x []float64) float64 {
				c.Problem.Values(f, x)
				var total float64
				for k, w := range s.Weights() {
					total += w * f[k]
				}
				return total
			}
			meter := blocks.NewMeter(c.Problem, s.Weights(), nil)
			measured := meter.Hear(s)
			outer, alphas := 0, 0
			for {
				if t1 := s.OuterIterations(); s.View().K%s.OuterSteps() == 0 && outer < len(r.Outer) && r.Outer[outer].T == t1 {
					row := &r.Outer[outer]
					same("x", s.View().X, row.X)
					same("f", s.View().F, row.F)
					same("F_m", []float64{sum(s.View().X)}, []float64{row.Sum})
					outer++
				}
				if s.OuterIterations() == r.T {
					break
				}
				steps(t, s, 1)
				measured = meter.Hear(s)
				v, m := s.View(), lastMove(t, s)
				if want, ok := r.Alphas[m.T]; ok && m.Visit == 0 && m.Turn == 0 {
					same("step size", []float64{v.StepSize}, []float64{want})
					alphas++
				}
				if v.K > len(r.Partial) {
					continue
				}
				row := &r.Partial[v.K-1]
				same("x of the partial step", v.X, row.X)
				if v.K != row.K || m.T != row.T || m.Block != row.Block || m.Objective != row.Objective ||
					!slices.Equal(m.Coordinates, r.Blocks[row.Block]) {
					t.Errorf("the step to K = %d is %+v, want %+v", v.K, m, row)
				}
				if v.Cost.Backpropagations != row.BP || v.Cost.GradientCoordinates != row.Coordinates {
					t.Errorf("K = %d: cost %+v, want %d gradients of %d coordinates", v.K, v.Cost, row.BP, row.Coordinates)
				}
			}
			if outer != len(r.Outer) || alphas != len(r.Alphas) {
				t.Errorf("%d of %d points and %d of %d step sizes compared", outer, len(r.Outer), alphas, len(r.Alphas))
			}
			if got := s.View().Cost; got.Backpropagations != r.Cost.BP || got.GradientCoordinates != r.Cost.Coordinates {
				t.Errorf("cost %+v, want %+v", got, r.Cost)
			}
			same("last", s.Last(), r.Outputs.Last)
			same("average", s.Average(), r.Outputs.Average)
			same("F_m of the average", []float64{sum(s.Average())}, []float64{r.Outputs.AverageSum})
			same("mean of F_m and of its squared gradient", []float64{measured.Loss, measured.SquaredGradient},
				[]float64{r.Outputs.Uniform.Mean, r.Outputs.Uniform.Squared})
		})
	}
}

// TestCycleOfTrajectories checks where a constant step size leads on quadratics, how far this point is from the
// minimiser, and how fast runs approach it.
func TestCycleOfTrajectories(t *testing.T) {
	o := readOracle(t)
	compared := 0
	for i := range o.Trajectories {
		r := &o.Trajectories[i]
		if r.FixedPoint == nil {
			continue
		}
		compared++
		cycle, err := blocks.NewCycle(o.config(t, r))
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		if !near(cycle.Points[0], r.FixedPoint, 1e-13) || math.Abs(cycle.Radius-r.Radius) > 1e-12 {
			t.Errorf("%s: fixed point %v, radius %v, want %v, %v", r.Name, cycle.Points[0], cycle.Radius, r.FixedPoint, r.Radius)
		}
		if bias := distance(cycle.Points[0], r.Minimiser); math.Abs(bias-r.Bias) > 1e-13 {
			t.Errorf("%s: bias %v, want %v", r.Name, bias, r.Bias)
		}
		if len(cycle.Points) != r.StepsPerOuter {
			t.Errorf("%s: %d points, want %d", r.Name, len(cycle.Points), r.StepsPerOuter)
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// TestFrequencies checks that, with the safe schedule, the end point approaches the minimiser of F_m as 1/T, for
// all frequencies and orders.
func TestFrequencies(t *testing.T) {
	o := readOracle(t)
	fr := &o.Frequencies
	p := newQuadratics(t, 0, fr.Matrices, fr.Centres)
	for _, r := range fr.Results {
		t.Run(fmt.Sprint(r.M, r.Order), func(t *testing.T) {
			s := newRun(t, blocks.Config{
				Problem: p, Start: fr.X0, Blocks: fr.Blocks, Frequencies: r.M, Order: blocks.Order(r.Order), BlockOrder: blocks.ListedBlocks,
				StepSize: 1, Schedule: blocks.Safe,
			})
			minimiser := make([]float64, 2)
			if err := p.ParetoPoint(minimiser, s.Weights()); err != nil || !near(minimiser, r.Minimiser, 1e-14) {
				t.Fatalf("minimiser %v, %v, want %v", minimiser, err, r.Minimiser)
			}
			for _, at := range r.At {
				if at.T > 10_000 && runtime.GOARCH == "wasm" {
					break // the rest would take long, and the cases before are enough
				}
				if _, err := s.Advance(at.T*s.OuterSteps() - s.View().K); err != nil {
					t.Fatal(err)
				}
				if s.OuterIterations() != at.T || !near(s.Last(), at.X, oracleTolerance) {
					t.Errorf("T = %d: x = %v, want %v at T = %d", s.OuterIterations(), s.Last(), at.X, at.T)
				}
				if e := distance(s.Last(), minimiser); math.Abs(e-at.Error) > oracleTolerance {
					t.Errorf("T = %d: %v from the minimiser, want %v", at.T, e, at.Error)
				}
			}
			fresh := newRun(t, blocks.Config{
				Problem: p, Start: fr.X0, Frequencies: r.M, StepSize: 1, Schedule: blocks.Safe,
			})
			steps(t, fresh, 1)
			if got := fresh.View().StepSize; math.Abs(got-r.Alpha0) > 1e-15 {
				t.Errorf("α_0 = %v, want %v", got, r.Alpha0)
			}
			mu, err := p.WeightedConvexity(s.Weights())
			if err != nil || math.Abs(mu-r.Mu) > 1e-14 || math.Abs(p.Lipschitz()-r.L) > 1e-14 {
				t.Errorf("μ = %v, %v and L = %v, want %v and %v", mu, err, p.Lipschitz(), r.Mu, r.L)
			}
		})
	}
}

// momentRuns is the number of runs per mean. The standard error of the mean is the standard deviation of one run
// divided by √momentRuns.
const momentRuns = 4000

// TestMoments checks that, in random orders with and without noise, the mean and covariance of points after t outer
// iterations equal the values computed from all orders.
func TestMoments(t *testing.T) {
	for _, o := range readOracle(t).Moments {
		t.Run(o.Name, func(t *testing.T) {
			p := newQuadratics(t, o.Noise, o.Matrices, o.Centres)
			n := len(o.X0)
			for _, at := range o.At {
				mean := make([]float64, n)
				covariance := make([]float64, n*n)
				for run := range momentRuns {
					s := newRun(t, blocks.Config{
						Problem: p, Start: o.X0, Blocks: o.Blocks, Frequencies: o.M, StepSize: o.Alpha, Seed: 5, StartIndex: run,
					})
					if _, err := s.Advance(at.T * s.OuterSteps()); err != nil {
						t.Fatal(err)
					}
					for i, v := range s.Last() {
						mean[i] += v / momentRuns
						for j, w := range s.Last() {
							covariance[i*n+j] += (v - at.Mean[i]) * (w - at.Mean[j]) / momentRuns
						}
					}
				}
				for i, want := range at.Mean {
					if allowed := 5 * math.Sqrt(at.Covariance[i][i]/momentRuns); math.Abs(mean[i]-want) > allowed {
						t.Errorf("t = %d: mean of x[%d] is %v, want %v ± %v", at.T, i, mean[i], want, allowed)
					}
					for j, want := range at.Covariance[i] {
						// For normally distributed numbers, the covariance of R samples has the standard error
						// √((σ_ii σ_jj + σ_ij²)/R).
						variance := at.Covariance[i][i]*at.Covariance[j][j] + want*want
						if allowed := 6 * math.Sqrt(variance/momentRuns); math.Abs(covariance[i*n+j]-want) > allowed {
							t.Errorf("t = %d: covariance of x[%d] and x[%d] is %v, want %v ± %v", at.T, i, j, covariance[i*n+j], want, allowed)
						}
					}
				}
			}
		})
	}
}

func TestBounds(t *testing.T) {
	for _, o := range readOracle(t).Bounds {
		c := blocks.Constants{
			Gap: o.Gap, Distance: o.Distance, Lipschitz: o.L, Sigma: o.Sigma, Reach: o.Delta, Convexity: o.Mu, Blocks: o.S, Steps: o.P,
		}
		got := []float64{c.Theorem31(o.T), c.Theorem32(o.T), c.Theorem33(o.T), c.Theorem31WithP(o.T), c.Theorem33WithP(o.T)}
		want := []float64{o.Theorem31, o.Theorem32, o.Theorem33, o.Theorem31WithP, o.Theorem33WithP}
		if !near(got, want, 1e-14) {
			t.Errorf("bounds %v, want %v", got, want)
		}
	}
}
