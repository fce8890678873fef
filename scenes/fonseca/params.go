package fonseca

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
)

// Params are the scene's parameters; the zero value is of no use, see
// defaults.
type Params struct {
	Methods          []string
	R                int
	Eta              float64
	EtaSchedule      string
	Momentum         float64
	MomentumSchedule string
	CRMOGMMomentum   float64
	D                int
	Sigma            float64
	Starts           int
	Region           float64
	Seed             uint64
	Start            [][]float64 // dragged or given start points; an empty one is random
	Budget           int
	Stop             float64
	Speed            string

	View       string
	Field      string
	Axis       string
	Horizontal int
	Vertical   int
}

func defaults() Params {
	return Params{
		Methods: []string{"psmgd"}, R: 4, Eta: 0.3, EtaSchedule: "constant", MomentumSchedule: "constant", CRMOGMMomentum: 0.9,
		D: 2, Starts: 10, Region: 1.2, Seed: 1, Budget: 200, Speed: "30",
		View: viewRuns, Field: "omega", Axis: axisIterations, Horizontal: 1, Vertical: 2,
	}
}

// Views of the scene.
const (
	viewRuns      = "runs"
	viewStaleness = "staleness"
)

const fieldNone = "none"

// fieldOptions are the functions that the decision space can show.
var fieldOptions = []param.Option{
	{Value: "omega", Label: "ω, distance from stationarity"}, {Value: "f1", Label: "f₁"}, {Value: "f2", Label: "f₂"}, {Value: fieldNone, Label: "none"},
}

// Horizontal axes of panels over time.
const (
	axisIterations = "iterations"
	axisBP         = "backpropagations"
)

const (
	maxStarts = 50
	maxBudget = 100_000
)

const (
	groupMethods = "Methods"
	groupStep    = "Step"
	groupProblem = "Problem"
	groupRun     = "Run"
	groupShow    = "Show"
	groupMore    = "More"
)

// bind lists the parameters in the order of the page.
func (p *Params) bind(l *param.List) {
	methods := make([]param.Option, len(Methods))
	for i, m := range Methods {
		methods[i] = param.Option{Value: m.ID, Label: m.Title, Help: m.Help}
	}
	l.Set(&p.Methods, param.Descriptor{Name: "method", Label: "Methods", Options: methods, AtLeast: 1, Effect: param.Rerun, Group: groupMethods,
		Help: "Which methods run, all from the same start points and with the same noise."})
	l.Integer(&p.R, param.Descriptor{Name: "R", Symbol: "R", Label: "Period", Min: 1, Max: 64, Step: 1, Scale: param.Log, Effect: param.Live, Method: "psmgd", Group: groupStep,
		Unit: "iterations", Help: "PSMGD computes new weights every R iterations and keeps them in between, where one backpropagation is enough. R = 1 is MGDA. (PSMGD, Algorithm 1.)"})
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.001, Max: 5, Scale: param.Log, Effect: param.Live, Group: groupStep,
		Help: "How far one step goes: x ← x − η·direction. A schedule starts from this value where its theorem has one."})
	l.Number(&p.Momentum, param.Descriptor{Name: "momentum", Symbol: "α", Label: "Weight momentum", Min: 0, Max: 0.99, Step: 0.01, Effect: param.Live, Method: "psmgd", Group: groupStep,
		Help: "The share of the former weights at a refresh: λ ← α λ + (1 − α) λ̂. The experiments of the paper state 0.9; on this front that brings the collapse to the ends back, so the default is 0. (PSMGD, Algorithm 1, line 5.)"})
	l.Number(&p.CRMOGMMomentum, param.Descriptor{Name: "crmogm.momentum", Symbol: "α", Label: "CR-MOGM's weight momentum", Min: 0, Max: 0.99, Step: 0.01, Effect: param.Live, Method: "crmogm", Group: groupStep,
		Help: "CR-MOGM is PSMGD with R = 1 and this momentum of the weights (Zhou et al. 2022)."})
	l.Integer(&p.Budget, param.Descriptor{Name: "budget", Symbol: "T", Label: "Iterations", Min: 1, Max: maxBudget, Step: 1, Scale: param.Log, Effect: param.Rerun, Group: groupRun,
		Unit: "iterations", Help: "Every run ends after this many iterations."})
	l.Choice(&p.Speed, param.Descriptor{Name: "speed", Label: "Speed", Effect: param.Display, Group: groupRun, Unit: "iterations per second",
		Help: "How often a step is made. It never changes what a step computes.",
		Options: []param.Option{{Value: "1", Label: "1 a second"}, {Value: "3", Label: "3 a second"}, {Value: "10", Label: "10 a second"},
			{Value: "30", Label: "30 a second"}, {Value: "60", Label: "60 a second"}, {Value: "200", Label: "200 a second"}, {Value: "1000", Label: "1000 a second"}, {Value: "max", Label: "as fast as the frame allows"}}})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed", Group: groupRun,
		Help: "Decides the random start points, the fixed weights of linear scalarization and the noise. The same seed gives the same runs."})

	l.Integer(&p.Starts, param.Descriptor{Name: "starts", Label: "Start points", Min: 1, Max: maxStarts, Step: 1, Group: groupProblem,
		Help: "How many start points there are; every method runs once from each."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.1, Max: 4, Step: 0.1, Group: groupProblem,
		Help: "Random start points are uniform in [−region, region] in every coordinate. Beyond about 2 both gradients vanish: a plateau."})
	l.Points(&p.Start, param.Descriptor{Name: "start", Label: "Moved start points", Min: -10, Max: 10, AtMost: maxStarts, Effect: param.Rerun, Group: groupProblem,
		Help: "Start points that were dragged or given; the others are random."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Variables", Min: 1, Max: 30, Step: 1, Group: groupProblem,
		Help: "The number of variables of Fonseca's problem. With more than two, the decision space shows the chosen pair of coordinates."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Gradient noise", Min: 0, Max: 1, Step: 0.01, Group: groupProblem,
		Help: "Standard deviation of the normal noise added to every entry of every gradient. All methods see the same noise."})

	l.Choice(&p.EtaSchedule, param.Descriptor{Name: "etaschedule", Label: "Step size schedule", Group: groupMore, Options: schedules("η"),
		Help: "How η changes with the iteration t."})
	l.Choice(&p.MomentumSchedule, param.Descriptor{Name: "momentumschedule", Label: "Weight momentum schedule", Method: "psmgd", Group: groupMore, Options: schedules("α"),
		Help: "How α changes with the iteration t."})
	l.Number(&p.Stop, param.Descriptor{Name: "stop", Symbol: "ω", Label: "Stop at stationarity", Min: 0, Max: 1, Step: 0.0001, Effect: param.Rerun, Group: groupMore,
		Help: "A run ends as soon as ω(x), the length of the shortest convex combination of the exact gradients, is at most this; 0 never stops one."})

	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display, Group: groupShow,
		Options: []param.Option{{Value: viewRuns, Label: "the runs"}, {Value: viewStaleness, Label: "map of stale weights"}},
		Help:    "The runs, or the map of how many runs collapse to the ends of the front for each R, α and η. The map is computed while you watch; click a cell to run it."})
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Field in the decision space", Effect: param.Display, Group: groupShow,
		Options: fieldOptions,
		Help:    "The function drawn behind the trajectories, with its contours. With more than two variables the others are 0 in it."})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display, Group: groupShow,
		Options: []param.Option{{Value: axisIterations, Label: "iterations"}, {Value: axisBP, Label: "backpropagations"}},
		Help:    "A backpropagation is one gradient of one scalar function. Counting them shows what a run has paid."})
	l.Integer(&p.Horizontal, param.Descriptor{Name: "horizontal", Label: "Coordinate to the right", Min: 1, Max: 30, Step: 1, Effect: param.Display, Group: groupShow,
		Help: "The coordinate drawn to the right in the decision space."})
	l.Integer(&p.Vertical, param.Descriptor{Name: "vertical", Label: "Coordinate upwards", Min: 1, Max: 30, Step: 1, Effect: param.Display, Group: groupShow,
		Help: "The coordinate drawn upwards in the decision space."})
}

func schedules(symbol string) []param.Option {
	if symbol == "η" {
		return []param.Option{
			{Value: "constant", Label: "constant", Help: "η at every iteration."},
			{Value: "theorem35", Label: "Theorem 3.5, non-convex", Help: "η/√(t+1)."},
			{Value: "theorem36", Label: "Theorem 3.6, convex", Help: "1/√(t+1); η is not used."},
			{Value: "theorem37", Label: "Theorem 3.7, strongly convex", Help: "η/(t+1), at most 1/L with L the gradients' Lipschitz constant."},
			{Value: "asprinted", Label: "Theorem 3.7 as printed", Help: "η/T at every iteration. Under it the error shrinks by a factor that does not depend on T, so it is not the default."},
		}
	}
	return []param.Option{
		{Value: "constant", Label: "constant", Help: "α at every refresh."},
		{Value: "theorem35", Label: "Theorem 3.5, non-convex", Help: "1 − α = min(1/√(t+1), 1/((t+1)·max|λ̂ − λ|))."},
		{Value: "theorem36", Label: "Theorem 3.6, convex", Help: "1 − α = the step size."},
		{Value: "theorem37", Label: "Theorem 3.7, strongly convex", Help: "1 − α = min(1, step size²)."},
		{Value: "asprinted", Label: "Theorem 3.7 as printed", Help: "1 − α = the step size."},
	}
}

// pair is the two coordinates drawn, from 0; equal when there is one variable.
func (p *Params) pair() (i, j int) {
	i, j = min(p.Horizontal, p.D)-1, min(p.Vertical, p.D)-1
	if i == j && p.D > 1 {
		j = (i + 1) % p.D
	}
	return i, j
}

// lsWeights are the fixed weights of linear scalarization from one start,
// uniform on the simplex.
func (p *Params) lsWeights(start int) []float64 {
	source := algo.Stream(p.Seed, start, 0, algo.StaticWeight)
	u := rand.New(&source).Float64()
	return []float64{u, 1 - u}
}

// stepper builds a method's stepper from one start point.
func (p *Params) stepper(method string, f *problem.Fonseca, start int, x []float64) (*descent.PSMGD, error) {
	etaSchedule, err := descent.ParseSchedule(p.EtaSchedule)
	if err != nil {
		return nil, err
	}
	momentumSchedule, err := descent.ParseSchedule(p.MomentumSchedule)
	if err != nil {
		return nil, err
	}
	c := descent.Config{
		Problem: f, Start: x, Period: 1, StepSize: p.Eta, StepSizeSchedule: etaSchedule, Horizon: p.Budget,
		Seed: p.Seed, StartIndex: start,
	}
	switch method {
	case "psmgd":
		c.Period, c.Momentum, c.MomentumSchedule = p.R, p.Momentum, momentumSchedule
	case "mgda":
		c = descent.MGDA(c)
	case "crmogm":
		c.Momentum = p.CRMOGMMomentum
	case "ls":
		c = descent.LinearScalarization(c, p.lsWeights(start))
	default:
		return nil, fmt.Errorf("%q is no method of this scene", method)
	}
	return descent.NewPSMGD(c)
}

// apply carries a live change to a method's stepper; parameters of other
// methods do not concern it.
func apply(method string, s *descent.PSMGD, name, text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return err
	}
	switch {
	case name == "eta":
		return s.SetStepSize(value)
	case name == "R" && method == "psmgd":
		return s.SetPeriod(int(value))
	case name == "momentum" && method == "psmgd", name == "crmogm.momentum" && method == "crmogm":
		return s.SetMomentum(value)
	}
	return nil
}
