package federated_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/federated"
	"paretoplay/algo/minnorm"
)

func rounds(t testing.TB, epsilon float64, c federated.RoundsConfig) *federated.Rounds {
	t.Helper()
	var s *federated.Rounds
	var err error
	if epsilon < 0 {
		s, err = federated.NewAveraging(c)
	} else {
		s, err = federated.NewFedMGDA(c, epsilon)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRoundsConformance(t *testing.T) {
	data := syn(t, federated.SynConfig{Rho1: 1, Rho2: 1, Clients: 4, Most: 60, Seed: 1})
	for _, epsilon := range []float64{-1, 0, 0.1, 1} {
		construct := func(eta float64) func() algo.Stepper {
			return func() algo.Stepper {
				p := clients(t, federated.Config{Data: data, Epochs: 1, Batch: 10, Rate: 0.05})
				return rounds(t, epsilon, federated.RoundsConfig{Problem: p, Starts: p.Starts(2, 1), StepSize: eta, Shares: data.Shares(), Seed: 1})
			}
		}
		algotest.Stepper(t, construct(0.05), construct(1e308))
	}
}

// TestFirstAverage compares the first round with numbers computed by hand. From θ = 0 the clients of tiny send (−1, −½,
// 1, ½) and (½, 0, −½, 0). Their shares of the samples are a third and two thirds.
func TestFirstAverage(t *testing.T) {
	const eta = 0.5
	p := clients(t, federated.Config{Data: tiny(), Epochs: 1, Batch: 10, Rate: eta})
	s := rounds(t, -1, federated.RoundsConfig{Problem: p, Starts: [][]float64{make([]float64, 4)}, StepSize: eta, Shares: tiny().Shares()})
	if status, err := s.Step(); status != algo.Running || err != nil {
		t.Fatal(status, err)
	}
	v := s.View()
	if want := []float64{0, eta / 6, 0, -eta / 6}; !close(v.X, want, 1e-15) {
		t.Errorf("the average is %v, want %v", v.X, want)
	}
	if want := (algo.Cost{Backpropagations: 2, GradientCoordinates: 8}); v.Cost != want {
		t.Errorf("cost %+v, want %+v", v.Cost, want)
	}
	// By symmetry, the shortest combination of the unit vectors u = (−2, −1, 2, 1)/√10 and v =
	// (1, 0, −1, 0)/√2 has weights ½ each.
	s = rounds(t, 1, federated.RoundsConfig{Problem: p, Starts: [][]float64{make([]float64, 4)}, StepSize: eta, Shares: tiny().Shares()})
	if status, err := s.Step(); status != algo.Running || err != nil {
		t.Fatal(status, err)
	}
	v = s.View()
	if !close(v.Weights, []float64{0.5, 0.5}, 1e-12) {
		t.Errorf("FedMGDA+ has the weights %v, want ½ each", v.Weights)
	}
	u1, u2, w := 2/math.Sqrt(10), 1/math.Sqrt(10), 1/math.Sqrt2
	want := []float64{-eta / 2 * (w - u1), eta / 2 * u2, eta / 2 * (w - u1), -eta / 2 * u2}
	if !close(v.X, want, 1e-12) {
		t.Errorf("FedMGDA+ goes to %v, want %v", v.X, want)
	}
	// With ε = 0.1 the second weight is the allowed value nearest to ½, which is 2/3 − 0.1.
	s = rounds(t, 0.1, federated.RoundsConfig{Problem: p, Starts: [][]float64{make([]float64, 4)}, StepSize: eta, Shares: tiny().Shares()})
	if status, err := s.Step(); status != algo.Running || err != nil {
		t.Fatal(status, err)
	}
	if want := []float64{1./3 + 0.1, 2./3 - 0.1}; !close(s.View().Weights, want, 1e-12) {
		t.Errorf("FedMGDA+ with ε = 0.1 has the weights %v, want %v", s.View().Weights, want)
	}
}

// scaled multiplies one client's gradients by a factor.
type scaled struct {
	*federated.Clients
	client int
	by     float64
}

func (p *scaled) JacobianAt(j *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Clients.JacobianAt(j, x, s)
	floats.Scale(p.by, j.Row(p.client))
}

// TestFedMGDA checks that weights stay within ε of the shares and in the simplex. With ε = 1 they must give the
// min-norm point of the unit vectors, and with ε = 0 they must equal the shares. Scaling a client's update by 1000 or
// 1e±8 must not change its influence.
func TestFedMGDA(t *testing.T) {
	data := syn(t, federated.SynConfig{Rho1: 1, Rho2: 1, Clients: 8, Most: 80, Seed: 6})
	p := clients(t, federated.Config{Data: data, Epochs: 1, Batch: 10, Rate: 0.05})
	n, m := p.Dims()
	starts := p.Starts(2, 3)
	for _, epsilon := range []float64{0, 0.02, 0.1, 1} {
		c := federated.RoundsConfig{Problem: p, Starts: starts, StepSize: 0.1, Shares: data.Shares(), Seed: 4}
		s := rounds(t, epsilon, c)
		for range 5 {
			before := slices.Clone(s.View().X)
			k := s.View().K
			if status, err := s.Step(); status != algo.Running || err != nil {
				t.Fatal(status, err)
			}
			v := s.View()
			for j := range 2 {
				lambda := v.Weights[j*m : (j+1)*m]
				if sum := floats.Sum(lambda); math.Abs(sum-1) > 1e-9 || slices.Min(lambda) < 0 {
					t.Errorf("ε = %g: weights %v with sum %g", epsilon, lambda, sum)
				}
				if d := floats.Distance(lambda, c.Shares, math.Inf(1)); d > epsilon+1e-12 {
					t.Errorf("ε = %g: weights are %g from the shares", epsilon, d)
				}
				if epsilon != 1 {
					continue
				}
				jac := algo.NewJacobian(m, n)
				p.JacobianAt(jac, before[j*n:(j+1)*n], &algo.Sample{Noise: algo.Stream(4, j, k, algo.Noise)})
				for i := range m {
					floats.Scale(1/floats.Norm(jac.Row(i), 2), jac.Row(i))
				}
				var solver minnorm.Solver
				want := make([]float64, m)
				solver.SolveJacobian(want, jac)
				if !close(lambda, want, 1e-7) {
					t.Errorf("weights %v, want the min-norm point's %v", lambda, want)
				}
			}
		}
		for _, by := range []float64{1e-8, 1000, 1e8} {
			loud := c
			loud.Problem = &scaled{p, 2, by}
			s, same := rounds(t, epsilon, loud), rounds(t, epsilon, c)
			for range 3 {
				_, err := s.Step()
				_, err2 := same.Step()
				if err != nil || err2 != nil || !close(s.View().X, same.View().X, 1e-6) {
					t.Fatalf("ε = %g: a client that sends %g times as much changes the round; errors %v, %v", epsilon, by, err, err2)
				}
			}
		}
	}
	// In one test, all clients are identical. In the other, one client sends zeros.
	for _, by := range []float64{0, 1} {
		alike := *data
		alike.Clients = slices.Clone(data.Clients)
		for i := range alike.Clients {
			alike.Clients[i] = data.Clients[0]
		}
		p := clients(t, federated.Config{Data: &alike, Epochs: 1, Batch: 1000, Rate: 0.05})
		s := rounds(t, 0.1, federated.RoundsConfig{Problem: &scaled{p, 1, by}, Starts: starts, StepSize: 0.1, Shares: alike.Shares()})
		for range 5 {
			if status, err := s.Step(); status != algo.Running || err != nil {
				t.Errorf("alike, one times %g: %v, %v", by, status, err)
			}
		}
	}
}

func TestRoundsRefused(t *testing.T) {
	p := clients(t, federated.Config{Data: tiny()})
	start := [][]float64{make([]float64, 4)}
	half := []float64{0.5, 0.5}
	for name, c := range map[string]federated.RoundsConfig{
		"eta":     {Problem: p, Starts: start, Shares: half},
		"starts":  {Problem: p, StepSize: 1, Shares: half},
		"start 0": {Problem: p, Starts: [][]float64{{1}}, StepSize: 1, Shares: half},
		"shares":  {Problem: p, Starts: start, StepSize: 1, Shares: []float64{0.5, 0.4}},
		"share 1": {Problem: p, Starts: start, StepSize: 1, Shares: []float64{1.5, -0.5}},
		"epsilon": {Problem: p, Starts: start, StepSize: 1, Shares: half},
	} {
		_, err := federated.NewFedMGDA(c, map[bool]float64{true: -1}[name == "epsilon"])
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v, want one that names it", name, err)
		}
	}
	if _, err := federated.NewAveraging(federated.RoundsConfig{}); !errors.Is(err, algo.ErrNoProblem) {
		t.Errorf("without a problem: error %v", err)
	}
}
