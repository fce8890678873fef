package orders

import (
	"fmt"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// Roster is the family on one problem: the orders that run, their settings, and the settings that all runs share. Its
// fields are bound to a scene's parameters.
type Roster struct {
	*runs.Roster[*Course]
	runs.Settings
	runs.Optimizing

	Weighting string // name in the list of weightings
	R         int    // number of steps from one computation of the weights to the next
	Alpha     float64
	Schedule  string // an ordering.Schedule

	Batch    int    // number of samples in an example
	First    string // an ordering.First
	Centring string // an ordering.Centring
	Sign     string // an ordering.SignRule
	Seeds    int    // number of runs of every method

	rules   map[string]weighting.Constructor
	further int // number of samples that the weighting uses in addition to the step's
	records map[*timeline.Run]*record
}

// equal is the name of the constant weights 1/M.
const equal = "ls"

// absent gives the reason for each weighting that does not apply here.
var absent = map[string]string{
	"smg":      "The rule’s batches grow, but here the order determines which samples a step sees.",
	"graddrop": runs.NothingToHold,
}

// New returns settings with equal weights and a constant step size. The arguments are the names of the orders that run.
func New(on ...string) *Roster {
	r := &Roster{
		Optimizing: runs.PlainSteps(), Weighting: equal, R: 1, Alpha: 0.05, Schedule: string(ordering.Constant),
		Batch: 1, First: string(ordering.RandomFirst), Centring: string(ordering.AsPublished), Sign: string(ordering.Greedy), Seeds: 1,
		rules: map[string]weighting.Constructor{},
	}
	r.Axis = Epochs
	r.Roster = runs.New(r.methods(), nil, on...)
	runs.Live(r.Roster, "alpha", (*ordering.Descent).SetStepSize)
	runs.Live(r.Roster, "R", func(s *ordering.Descent, value float64) error {
		if r.Weighting == equal {
			return nil // equal weights never change
		}
		return s.SetPeriod(int(value))
	})
	return r
}

// shown is the number of orders that are never folded. Other orders are folded unless they run by default.
const shown = 2

// BindMethods binds the choice of orders, "method".
func (r *Roster) BindMethods(l *param.List) {
	r.Roster.BindMethods(l, shown, "The orders in which samples are visited. Each order has its own run from the same start.")
	r.Roster.BindOwn(l)
}

// BindStepSettings binds the settings of a step: weighting, alpha, its schedule, R and optimizer.
func (r *Roster) BindStepSettings(l *param.List) {
	options := make([]param.Option, len(weighting.Methods))
	for i, m := range weighting.Methods {
		options[i] = param.Option{Value: m.Name, Label: m.Title, Help: m.Help, Disabled: absent[m.Name]}
		if m.Name == equal {
			options[i].Label, options[i].Help = "equal weights", "Every objective has the same weight, 1/M, in every step."
		}
	}
	l.Choice(&r.Weighting, param.Descriptor{Name: "weighting", Symbol: "λ", Label: "Weighting", Options: options, Effect: param.Rerun,
		Help: "The rule that computes the weights of the objectives’ gradients in a step, from the gradients on the step’s samples."})
	l.Number(&r.Alpha, param.Descriptor{Name: "alpha", Symbol: "α", Label: "Step size", Min: 0.0001, Max: 5, Scale: param.Log,
		Effect: param.Live, Help: "How far one step goes: w ← w − α·direction, after the optimizer has transformed the direction. The " +
			"theorems’ schedules set their own step sizes."})
	l.Choice(&r.Schedule, param.Descriptor{Name: "schedule", Label: "Step size schedule", Effect: param.Rerun,
		Help: "How the step size changes from epoch to epoch; t counts epochs from 0. Within an epoch the size stays the same.",
		Options: []param.Option{
			{Value: string(ordering.Constant), Label: "constant", Help: "The step size is α in every epoch."},
			{Value: string(ordering.InverseSqrt), Label: "1/√", Help: "Falls slowly: α/√(t+1)."},
			{Value: string(ordering.RandomTheorem), Label: "Theorem 3.6, random orders", Help: "Uses the step size that the theorem assumes for " +
				"random orders, with constants measured at the start. α is not used."},
			{Value: string(ordering.JoGBaTheorem), Label: "Theorem 3.9, JoGBa", Help: "Uses the step size that the theorem assumes for JoGBa, " +
				"with constants measured at the start. α is not used."},
		}})
	l.Integer(&r.R, param.Descriptor{Name: "R", Symbol: "R", Label: "Period of the weights", Min: 1, Max: 64, Step: 1, Scale: param.Log,
		Effect: param.Live, Unit: "steps", Only: &param.Only{Name: "weighting", Values: changing()},
		Help: "How often the weights are computed: every R steps. In between they are kept (PSMGD), and a step costs one backpropagation if " +
			"all objectives share an order without balancing. Otherwise every objective’s gradient is still needed."})
	l.Require(r.holds)
	r.BindOptimizer(l, "w", "α")
}

// holds returns an error if R > 1 and the weighting gives no coefficients that later steps can reuse.
func (r *Roster) holds() error {
	m, _ := weighting.Lookup(r.Weighting)
	if r.R == 1 || m.Promises.Effective {
		return nil
	}
	return &algo.RangeError{Name: "R", Value: r.R,
		Allowed: fmt.Sprintf("with %s it must be 1. %s", m.Title, strings.TrimSuffix(runs.NothingToHold, "."))}
}

// changing returns the weightings with changing weights whose coefficients later steps can reuse.
func changing() (names []string) {
	for _, m := range weighting.Methods {
		if m.Name != equal && absent[m.Name] == "" && m.Promises.Effective {
			names = append(names, m.Name)
		}
	}
	return names
}

// BindOrder binds the settings that determine orders: first, centring, sign and seeds.
func (r *Roster) BindOrder(l *param.List) {
	l.Choice(&r.First, param.Descriptor{Name: "first", Label: "First epoch", Effect: param.Rerun,
		Help: "The order in which the first epoch visits the samples.",
		Options: []param.Option{
			{Value: string(ordering.RandomFirst), Label: "random"},
			{Value: string(ordering.GivenFirst), Label: "as given", Help: "Uses the order of the data for all objectives."},
		}})
	l.Choice(&r.Centring, param.Descriptor{Name: "centring", Label: "JoGBa’s centring", Effect: param.Rerun, Method: JoGBa,
		Help: "What JoGBa subtracts from each objective’s gradient before balancing. v is the sum of all objectives’ mean gradients in the " +
			"previous epoch.",
		Options: []param.Option{
			{Value: string(ordering.AsPublished), Label: "as published", Help: "Subtracts all of v from every objective’s gradient."},
			{Value: string(ordering.PerObjective), Label: "v/M", Help: "Subtracts v/M, so that a step’s M gradients together lose v " +
				"exactly once."},
		}})
	l.Choice(&r.Sign, param.Descriptor{Name: "sign", Symbol: "ε", Label: "Rule for the signs", Effect: param.Rerun,
		Help: "How balancing orders choose a sample’s side. The papers’ rule uses the maximum norm. The programs that GraB’s authors " +
			"released use the inner product ⟨s, g⟩; after the first epoch their orders have little in common with the papers’ orders.",
		Options: []param.Option{
			{Value: string(ordering.Greedy), Label: "greedy", Help: "Chooses the side on which the sum stays smaller in max norm (Algorithm 2)."},
			{Value: string(ordering.InnerProduct), Label: "inner product", Help: "Chooses the front if ⟨s, g⟩ < 0, otherwise the back: the side " +
				"on which the sum stays shorter. The first sample of an epoch goes to the back. (grab-sampler 0.1.3.)"},
			{Value: string(ordering.TwoNorm), Label: "Euclidean norm", Help: "Chooses the front if ‖s + g‖₂ ≤ ‖s − g‖₂, that is ⟨s, g⟩ ≤ 0. The " +
				"first sample of an epoch goes to the front. (EugeneLYC/GraB, commit 5eafc13.)"},
			{Value: string(ordering.SelfBalancing), Label: "self-balancing walk", Help: "Draws the side at random. The side on which the sum " +
				"stays smaller is more likely (Alweiss, Liu & Sawhney 2021)."},
		}})
	l.Integer(&r.Seeds, param.Descriptor{Name: "seeds", Label: "Seeds", Min: 1, Max: 20, Step: 1, Effect: param.Rerun, Unit: "runs",
		Help: "How many runs each order has on the same samples. Runs with the same number share their random draws, so orders can be " +
			"compared run by run. More runs give steadier means."})
}

// BindOwn binds the weightings' parameters as "weighting.name". It omits lists with a number for each objective,
// because the number of objectives can change.
func (r *Roster) BindOwn(l *param.List) {
	for _, m := range weighting.Methods {
		own := new(param.List)
		r.rules[m.Name] = m.Bind(own, m.Name+".")
		own.Under("weighting")
		l.Include(own, func(d param.Descriptor) bool { return absent[m.Name] == "" && d.Kind != param.Points })
	}
}

// Epochs is the name of the clock that counts epochs.
const Epochs = "epochs"

// BindAxis binds the unit of the time axis of panels.
func (r *Roster) BindAxis(l *param.List) {
	l.Choice(&r.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display,
		Options: []param.Option{{Value: Epochs, Label: "epochs"}, {Value: kinds.Iterations, Label: "steps"},
			{Value: kinds.Backpropagations, Label: "backpropagations"}},
		Help: "The unit of the time axis. A backpropagation is one gradient of one scalar function; counting them shows a run’s cost."})
}

// stepper creates a stepper for one kind of order.
func (r *Roster) stepper(kind ordering.Kind, own bool, c *Course) (algo.Stepper, error) {
	config, err := r.config(c)
	if err != nil {
		return nil, err
	}
	config.Kind, config.Own = kind, own && !kind.Balances()
	return ordering.New(config)
}

// config returns the configuration that all steppers share.
func (r *Roster) config(c *Course) (ordering.Config, error) {
	_, m := c.Problem.Dims()
	out := ordering.Config{Problem: c.Problem, Start: c.Start, Batch: r.Batch, StepSize: r.Alpha, Horizon: c.Epochs,
		Constants: c.constants, Seed: c.Seed, StartIndex: c.draw}
	if r.Weighting == equal {
		out.FixedWeights = param.Shares(nil, m)
	} else {
		build, ok := r.rules[r.Weighting]
		if !ok || absent[r.Weighting] != "" {
			return out, fmt.Errorf("unknown weighting %q in this scene", r.Weighting)
		}
		var err error
		if out.Weighting, err = build(weighting.Context{Objectives: m, Seed: c.Seed, Start: c.draw}); err != nil {
			return out, err
		}
		out.Period, r.further = r.R, out.Weighting.Needs().Extra
	}
	out.Schedule, out.First = ordering.Schedule(r.Schedule), ordering.First(r.First)
	out.Centring, out.Signs = r.balancing()
	out.Optimizer = r.Chosen()
	return out, nil
}

// balancing returns the centring and the sign rule of orders that balance.
func (r *Roster) balancing() (ordering.Centring, ordering.SignRule) {
	return ordering.Centring(r.Centring), ordering.SignRule(r.Sign)
}
