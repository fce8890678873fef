package syn

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/federated"
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
)

const (
	// proximal is FedProx's μ, as chosen by Li et al. for these data.
	proximal = 1
	// near is ε of FedMGDA+.
	near = 0.1
	// equally is the suffix in the names of federated methods that weight all clients equally.
	equally = "-equal"
)

// method describes a compared method and how to create its stepper.
type method struct {
	name, title string
	prox        float64 // μ for the clients' training
	make        func(r *run) (algo.Stepper, error)
	// change turns the configuration of MosT into another method's. It may be nil. It is not used if make is set.
	change func(r *run, c *transport.Config)
}

// methods lists the methods of the paper's Tables 1 and E in the tables' order, followed by the methods that the
// paper lacks.
var methods = []method{
	{name: "mgda", title: "MGDA", change: func(_ *run, c *transport.Config) { c.Matching = transport.Unmatched }},
	{name: "linearization", title: "Linearization", change: func(r *run, c *transport.Config) {
		c.Matching = transport.Unmatched
		_, n := r.clients.Dims()
		weights := fixedWeights(n, len(c.Starts), r.seed)
		c.Weighting = func(j int) (algo.Weighting, error) { return weighting.NewLinearScalarization(weights[j]) }
	}},
	{name: "fedavg", title: "FedAvg", make: averaging},
	{name: "fedprox", title: "FedProx", prox: proximal, make: averaging},
	{name: "fedmgda", title: "FedMGDA+", make: fedMGDA},
	{name: "most-noreg", title: "MosT w/o R(Γ)", change: func(_ *run, c *transport.Config) { c.Tau, c.Restarts = 0, 0 }},
	{name: "most", title: "MosT", change: func(*run, *transport.Config) {}},
	{name: "most-o", title: "MosT (O)", change: withoutCurriculum(transport.ObjectiveSelects)},
	{name: "most-m", title: "MosT (M)", change: withoutCurriculum(transport.ModelSelects)},
	{name: "most-nocl", title: "MosT w/o CL", change: withoutCurriculum(transport.Transported)},
	{name: "wmgda", title: "w-MGDA", change: withoutCurriculum(transport.RandomPlan)},
	{name: "most-l", title: "MosT (L)", change: func(_ *run, c *transport.Config) { c.PlanAsWeights = true }},
	{name: "most-published", title: "MosT, published CL", change: func(_ *run, c *transport.Config) {
		c.Curriculum = transport.PublishedCurriculum
	}},
	{name: "fedavg" + equally, title: "FedAvg, clients alike", make: averaging},
	{name: "fedprox" + equally, title: "FedProx, clients alike", prox: proximal, make: averaging},
	{name: "fedmgda" + equally, title: "FedMGDA+, clients alike", make: fedMGDA},
}

// find returns the method with the given name, or nil if there is none.
func find(name string) *method {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &methods[i]
}

func withoutCurriculum(m transport.Matching) func(r *run, c *transport.Config) {
	return func(_ *run, c *transport.Config) { c.Matching, c.Curriculum = m, transport.ConstantMarginals }
}

// fixedWeights returns the weights of m linearizations of n objectives, drawn uniformly from the simplex.
func fixedWeights(n, m int, seed uint64) [][]float64 {
	out := make([][]float64, m)
	for j := range out {
		source := algo.Stream(seed, j, 0, algo.StaticWeight)
		draw := rand.New(&source)
		w := make([]float64, n)
		for i := range w[1:] { // the gaps between sorted uniform numbers in [0, 1] are uniform on the simplex
			w[i] = draw.Float64()
		}
		w[n-1] = 1
		slices.Sort(w)
		for i := n - 1; i > 0; i-- {
			w[i] -= w[i-1]
		}
		out[j] = w
	}
	return out
}

// rounds returns the configuration of the federated methods.
func (r *run) rounds() federated.RoundsConfig {
	c := federated.RoundsConfig{Problem: r.clients, Starts: r.clients.Starts(r.config.Solutions, r.seed), StepSize: r.rate,
		Shares: r.clients.Data().Shares(), Seed: r.seed}
	if strings.HasSuffix(r.method.name, equally) {
		c.Shares = param.Shares(nil, len(c.Shares))
	}
	return c
}

func averaging(r *run) (algo.Stepper, error) { return federated.NewAveraging(r.rounds()) }

func fedMGDA(r *run) (algo.Stepper, error) { return federated.NewFedMGDA(r.rounds(), near) }

// newStepper creates the stepper of a run's method. Methods without make modify the configuration of MosT in the
// paper's Table 1, which uses R(Γ), the curriculum, and a whole local update as a step.
func (r *run) newStepper() (algo.Stepper, error) {
	if r.method.make != nil {
		return r.method.make(r)
	}
	c := transport.Config{
		Problem: r.clients, Starts: r.clients.Starts(r.config.Solutions, r.seed), StepSize: r.rate, Seed: r.seed,
		Tau: transport.DefaultTau, Restarts: transport.DefaultRestarts, Curriculum: transport.PaperCurriculum, Horizon: r.config.Epochs,
		Scale: transport.ColumnCount, Solver: timedSolver{transport.NewExact(), &r.transporting},
	}
	r.method.change(r, &c)
	if !c.PlanAsWeights {
		rule := c.Weighting
		c.Weighting = func(j int) (algo.Weighting, error) {
			if rule == nil {
				return timedWeighting{weighting.NewMGDA(weighting.NormalizeNone), &r.weighing}, nil
			}
			w, err := rule(j)
			return timedWeighting{w, &r.weighing}, err
		}
	}
	return transport.NewMosT(c)
}

// stopwatch sums the time of a part of the work. Steppers read no clock, so the measured parts are wrapped.
type stopwatch time.Duration

// start starts the stopwatch and returns a function that stops it.
func (s *stopwatch) start() (stop func()) {
	begun := time.Now()
	return func() { *s += stopwatch(time.Since(begun)) }
}

func (s *stopwatch) seconds() float64 { return time.Duration(*s).Seconds() }

// timedStepper measures the time of whole steps.
type timedStepper struct {
	algo.Stepper
	watch *stopwatch
}

func (s timedStepper) Step() (algo.Status, error) {
	defer s.watch.start()()
	return s.Stepper.Step()
}

// timedSolver measures the time of the transport.
type timedSolver struct {
	transport.Solver
	watch *stopwatch
}

func (s timedSolver) Solve(p *transport.Plan, t *transport.Task) error {
	defer s.watch.start()()
	return s.Solver.Solve(p, t)
}

// timedWeighting measures the time that MGDA takes once the Gramian is known.
type timedWeighting struct {
	algo.Weighting
	watch *stopwatch
}

func (w timedWeighting) Weigh(r *algo.Result, in *algo.Input) error {
	defer w.watch.start()()
	return w.Weighting.Weigh(r, in)
}
