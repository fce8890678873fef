package networktasks

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	model "paretoplay/algo/problem/network"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
)

// These are the names of methods that are not simply a rule in the list of weightings.
const (
	psmgd = "psmgd"
	mgda  = "mgda"
	ls    = "ls"
)

// offered lists the methods in the order of lists and legends.
var offered = []string{psmgd, mgda, ls, "cagrad", "upgrad", "nashmtl", "famo", "uw", "rlw"}

// Methods lists the scene's methods in the order of lists and legends.
var Methods = func() (out []param.Method) {
	for _, name := range offered {
		switch name {
		case psmgd:
			out = append(out, param.Method{ID: psmgd, Title: "PSMGD", Paper: "Periodic Stochastic Multi-Gradient Descent, Algorithm 1",
				Help: "Computes MGDA’s weights every R iterations. In between it keeps them, and one backpropagation per step is enough."})
		case ls:
			out = append(out, param.Method{ID: ls, Title: "Equal weights", Paper: "a fixed weighted sum",
				Help: "Descends the mean of all losses, with one backpropagation per step."})
		default:
			m, ok := weighting.Lookup(name)
			if !ok {
				panic("network: unknown rule " + name)
			}
			out = append(out, param.Method{ID: m.Name, Title: m.Title, Paper: m.Paper, Help: m.Help})
		}
	}
	return out
}()

// These constants select how step sizes are chosen.
const (
	tunedSteps = "own"
	equalSteps = "equal"
)

// Roster holds the methods that train, and the settings that their runs share. The scene's parameters are bound to its
// fields.
type Roster struct {
	*runs.Roster[*course]
	runs.Settings

	Tasks     string // number of tasks, the parameter S
	R         int
	Momentum  float64 // momentum of PSMGD's weights
	Optimizer string  // a descent.OptimizerKind
	StepSizes string
	Eta       float64 // step size of all methods, for equalSteps

	rules map[string]weighting.Constructor
}

// course is the network that a run trains, with scratch space for that run.
type course struct {
	net   *model.Network
	start []float64
	tasks string
	seed  uint64
	// silent skips the computation of losses, which only pictures need.
	silent bool
}

// These are the sizes of a training run.
const (
	batch   = 64 // pairs per step
	watched = 64 // number of training pairs on which a row's losses are computed
)

// newRoster returns a roster in which the given methods run.
func newRoster(on ...string) *Roster {
	r := &Roster{Tasks: "40", R: 8, Optimizer: string(descent.Plain), StepSizes: tunedSteps, Eta: 0.1,
		rules: map[string]weighting.Constructor{}}
	var family []runs.Method[*course]
	for _, m := range Methods {
		family = append(family, runs.Method[*course]{Method: m, Bind: func(l *param.List) func(*course) (algo.Stepper, error) {
			return r.bind(l, m.ID)
		}})
	}
	r.Roster = runs.New(family, nil, on...)
	runs.Live(r.Roster, "R", func(s descent.Resting, period float64) error { return s.SetPeriod(int(period)) }, psmgd)
	runs.Live(r.Roster, "momentum", func(s descent.Resting, alpha float64) error { return s.SetMomentum(alpha) }, psmgd)
	runs.Live(r.Roster, "eta", func(s descent.Resting, eta float64) error {
		if r.StepSizes != equalSteps {
			return nil
		}
		return s.SetStepSize(eta)
	})
	return r
}

// bind binds a method's own parameters and returns a function that builds its stepper. PSMGD uses MGDA's parameters.
func (r *Roster) bind(l *param.List, method string) func(*course) (algo.Stepper, error) {
	rule := method
	switch method {
	case psmgd:
		rule = mgda
	case ls:
		rule = ""
	}
	if rule != "" && r.rules[rule] == nil {
		m, _ := weighting.Lookup(rule)
		own := new(param.List)
		r.rules[rule] = m.Bind(own, m.Name+".")
		l.Include(own, func(d param.Descriptor) bool { return !slices.Contains(unused, d.Name) })
	}
	return func(c *course) (algo.Stepper, error) {
		config := r.config(c, method)
		_, objectives := c.net.Dims()
		if rule == "" {
			config = descent.LinearScalarization(config, param.Shares(nil, objectives))
		} else {
			var err error
			if config.Weighting, err = r.rules[rule](weighting.Context{Objectives: objectives, Seed: c.seed}); err != nil {
				return nil, err
			}
		}
		if method == psmgd {
			config.Period, config.Momentum = r.R, r.Momentum
		}
		stepper, err := descent.NewPSMGD(config)
		if err != nil {
			return nil, err
		}
		return descent.Resting{PSMGD: stepper}, nil
	}
}

// unused lists the rules' parameters that have no effect here, because all losses are positive.
var unused = []string{"famo.b"}

// config returns the common configuration of the steppers.
func (r *Roster) config(c *course, method string) descent.Config {
	eta := r.Eta
	if r.StepSizes == tunedSteps {
		eta = tuned(r.Optimizer, method, c.tasks)
	}
	config := descent.Config{Problem: c.net, Start: c.start, Period: 1, StepSize: eta, Seed: c.seed, Batch: batch, ConstantBatch: true,
		Watched: firstOnes(watched), Frugal: true}
	if r.Optimizer == string(descent.Adam) {
		config.Optimizer = descent.DefaultAdam()
	}
	if c.silent {
		config.ValuesEvery = math.MaxInt32
	}
	return config
}

// firstOnes returns a list of the numbers 0 to n−1.
func firstOnes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// perStep returns the cost of a method's step in backpropagations, averaged over a period.
func (r *Roster) perStep(method string, tasks int) float64 {
	if method == psmgd {
		return float64(tasks+r.R-1) / float64(r.R)
	}
	if method == ls || isBlind(method) {
		return 1
	}
	return float64(tasks)
}

// isBlind reports whether a method's weights need no gradient.
func isBlind(method string) bool {
	m, is := weighting.Lookup(method)
	return is && m.Needs.Blind
}
