package fairness

import (
	"math"

	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/plans"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*plans.Roster
	M       int     // number of solutions
	Phi     float64 // in degrees
	Samples int     // number of points, half of either class
}

// offered are the methods of the paper's table.
var offered = []string{plans.Extended, plans.MosT, plans.MGDA, plans.Linearization, plans.EPO}

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

func defaults() Params {
	p := Params{Roster: plans.New(offered, plans.MosT, plans.Extended), M: 5, Phi: 45, Samples: 1000}
	p.Eta, p.Tau, p.Region, p.Seed, p.Budget, p.Speed = 0.3, 0, 0.7, 1, 150, "200"
	return p
}

const (
	maxSolutions = 10
	maxBudget    = 5000
	maxStart     = 5
)

// problem returns the configuration of the drawn data.
func (p *Params) problem() problem.FairnessConfig {
	return problem.FairnessConfig{PerClass: p.Samples / 2, Phi: p.Phi * math.Pi / 180, Seed: p.Seed}
}

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "How many lines each method looks for, all from the same starts. The paper has five."})
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Data")
	l.Number(&p.Phi, param.Descriptor{Name: "phi", Symbol: "φ", Label: "Turn of the attribute", Min: -180, Max: 180, Step: 1, Unit: "°",
		Help: "By which angle points are turned before their sensitive attribute is drawn: at 0° it goes with the class as far as one can tell " +
			"that from the point, at larger ones less and less. The paper’s data have 45°."})
	l.Integer(&p.Samples, param.Descriptor{Name: "samples", Label: "Points", Min: 100, Max: 4000, Step: 2, Scale: param.Log,
		Help: "How many points there are, half of either class. The paper has 2000. All of them make each step."})

	l.Section("Step")
	p.BindStepSettings(l)
	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "Every run ends after this many rounds.")
	p.BindSpeed(l)
	p.BindSeed(l, "Decides points, start points, random weights and mixtures. The same seed gives the same runs.")
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.05, Max: 3, Step: 0.05,
		Help: "Start points θ are uniform in [−region, region] in both entries."})
	p.BindMoved(l, maxStart, maxSolutions, "Start points that you entered; the others are random.")
}
