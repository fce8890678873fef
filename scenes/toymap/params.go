package toymap

import (
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*smooth.Roster // if its Count is 0, runs start from every point of the set
	Walk           runs.Walk
	Swarm          swarm.Swarm
	Scale          float64
	StartSet       string

	Tolerance string // one of tolerances
	Field     string
}

const negative = "The losses of this problem become negative, which "

// absent maps each method that makes no sense in this scene to the reason for leaving it out. Some methods need
// positive losses, and one needs data.
var absent = func() map[string]string {
	out := map[string]string{"smg": "SMG uses growing batches of data. This problem has no data, so the method would equal MGDA."}
	for _, m := range weighting.Methods {
		if m.Positive != "" {
			out[m.Name] = negative + m.Positive + "."
		}
	}
	return out
}()

// own holds the parameter values that the methods' papers use on this problem.
var own = map[string]string{"cagrad.c": "0.5", "famo.gamma": "0"}

func defaults() Params {
	p := Params{
		Roster: smooth.New(2, absent, own, "psmgd", "mgda", "ls", "pcgrad", "cagrad"),
		Scale:  1, StartSet: setCAGrad,
		Tolerance: "0.1", Field: fieldMean,
	}
	p.Limit = &smooth.Limit{Min: -20, Max: 0, Value: -15, Limited: "1"}
	p.Unused = map[string]bool{"stch.log": true} // losses become negative
	p.Eta, p.Optimizer, p.LSWeights = 0.001, string(descent.Adam), smooth.EqualWeights
	p.Region, p.Seed, p.Budget, p.Speed = problem.ToyView, 1, 30_000, "20000"
	return p
}

// Sets of start points.
const (
	setCAGrad = "cagrad"
	setFAMO   = "famo"
	setAll    = "all"
	setRandom = "random"
)

const randomStarts = 6 // for setRandom, unless a number is given

// Values of Field, which selects the function drawn behind the runs in the decision space.
const (
	fieldF1    = "f1"
	fieldF2    = "f2"
	fieldMean  = "mean"
	fieldOmega = "omega"
	fieldNone  = "none"
)

const (
	maxStarts = 50
	maxBudget = 200_000
)

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Section("Step")
	p.BindStepSettings(l)
	p.BindOptimizer(l)
	l.Section("Of one method")
	p.BindOwn(l)
	for _, o := range []string{"loss", "loss+"} {
		l.Disable("mgda.normalize", o, "The losses of this problem become negative, so the rule cannot divide by them.")
	}

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of iterations after which every run ends. The papers use 50,000 or 100,000.")
	p.BindSpeed(l)
	p.BindSeed(l, "Determines random start points, random weights and orders, and the noise. The same seed gives the same runs.")

	l.Section("Problem")
	l.Number(&p.Scale, param.Descriptor{Name: "scale", Label: "Scale of f₁", Min: 0.01, Max: 10, Scale: param.Log,
		Help: "The factor that multiplies the first objective: 1 in CAGrad, 0.1 in Nash-MTL, FAMO and FairGrad. A small factor makes the " +
			"first loss much smaller than the second."})
	l.Choice(&p.StartSet, param.Descriptor{Name: "startset", Label: "Start points",
		Help: "The set of start points. Every method runs once from each point.",
		Options: []param.Option{
			{Value: setCAGrad, Label: "CAGrad’s three points", Help: "(−8.5, 7.5), (−8.5, −5) and (9, 9)."},
			{Value: setFAMO, Label: "five points of Nash-MTL and FAMO", Help: "(−8.5, 7.5), (−7.5, −0.5), (0, 0), (9, −1) and (9, 9)."},
			{Value: setAll, Label: "all six points of the papers", Help: "The three points of CAGrad, and three more points of Nash-MTL and FAMO."},
			{Value: setRandom, Label: "random", Help: "Random points, uniform in the start region."},
		}})
	l.Integer(&p.Count, param.Descriptor{Name: "starts", Label: "How many", Min: 0, Max: maxStarts, Step: 1,
		Help: "The number of start points. The set’s points come first; any further points are random. With 0, the runs start from the " +
			"whole set, or from six points if the set is random."})
	p.BindMoved(l, problem.ToyView, maxStarts, "Start points that you dragged or entered; the others come from the set.")
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 1, Max: problem.ToyView, Step: 0.5,
		Only: &param.Only{Name: "startset", Values: []string{setRandom}},
		Help: "Random start points are uniform in [−region, region] in both coordinates."})
	p.BindNoise(l)

	l.Section("More")
	p.BindSchedules(l)
	l.Disable("etaschedule", string(descent.Theorem37),
		"This schedule needs a common Lipschitz constant of the gradients. This problem has no useful constant because of its logarithms.")
	p.BindStop(l)

	l.Section("Show")
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Landscape", Effect: param.Display, Options: fieldOptions,
		Help: "The function drawn behind the trajectories, with its contours."})
	p.BindAxis(l)
	l.Choice(&p.Tolerance, param.Descriptor{Name: "tolerance", Label: "At the front within", Effect: param.Display,
		Options: toleranceOptions(),
		Help: "The tolerance for reaching the front. A run is at the front if both objectives, the first divided by its scale, can fall " +
			"together by at most this amount."})
	p.Walk.Bind(l, 2)
	p.BindSwarm(&p.Swarm, l)
}

// fieldOptions are the functions available as the field of the decision space.
var fieldOptions = []param.Option{
	{Value: fieldMean, Label: "the mean of f₁ and f₂", Help: "The function that linear scalarization with equal weights descends."},
	{Value: fieldF1, Label: "f₁", Help: "The first objective."}, {Value: fieldF2, Label: "f₂", Help: "The second objective."},
	{Value: fieldOmega, Label: "ω, distance from stationarity", Help: "The length of the shortest mixture of the two gradients. Where it " +
		"is 0, no step helps both objectives."},
	{Value: fieldNone, Label: "none", Help: "Shows only the runs and the Pareto set."},
}

// startPoints returns the points of the set, then random points. Points that the visitor has moved replace the original ones.
func (p *Params) startPoints() [][]float64 {
	all := problem.ToyStarts()
	pick := func(indices ...int) (out [][]float64) {
		for _, i := range indices {
			out = append(out, all[i])
		}
		return out
	}
	var set [][]float64
	switch p.StartSet {
	case setCAGrad:
		set = pick(0, 1, 5)
	case setFAMO:
		set = pick(0, 2, 3, 4, 5)
	case setAll:
		set = all
	}
	count := p.Count
	if count == 0 {
		if count = len(set); count == 0 {
			count = randomStarts
		}
	}
	return p.Points(p.Seed, set, count, p.Uniform(2, 0))
}
