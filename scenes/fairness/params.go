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
	Samples int     // number of points, half in each class
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

// problem returns the configuration of the random data.
func (p *Params) problem() problem.FairnessConfig {
	return problem.FairnessConfig{PerClass: p.Samples / 2, Phi: p.Phi * math.Pi / 180, Seed: p.Seed}
}

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "The number of lines that each method searches for. All methods use the same start points. The paper uses five."})
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Data")
	l.Number(&p.Phi, param.Descriptor{Name: "phi", Symbol: "φ", Label: "Rotation of the attribute", Min: -180, Max: 180, Step: 1, Unit: "°",
		Help: "The angle by which points are rotated before their sensitive attribute is drawn. At 0°, the attribute follows the class as " +
			"closely as the features allow; at larger angles, it follows the class less closely. The paper’s data use 45°."})
	l.Integer(&p.Samples, param.Descriptor{Name: "samples", Label: "Points", Min: 100, Max: 4000, Step: 2, Scale: param.Log,
		Help: "The number of points, half in each class. The paper uses 2000. Every step uses all points."})

	l.Section("Step")
	p.BindStepSettings(l)
	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of rounds after which every run ends.")
	p.BindSpeed(l)
	p.BindSeed(l, "Determines the points, start points, random weights and mixtures. The same seed gives the same runs.")
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.05, Max: 3, Step: 0.05,
		Help: "Both entries of a start point θ are drawn uniformly from [−region, region]."})
	p.BindMoved(l, maxStart, maxSolutions, "Start points that you entered; the others are random.")
}
