package runs

import (
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
)

// Optimizing decides how methods turn directions into steps. Its fields are bound to a scene's parameters.
type Optimizing struct {
	Optimizer string  // an optimizer's name, a descent.OptimizerKind
	Beta      float64 // momentum of the heavy ball
}

// PlainSteps returns settings for steps that follow the directions unchanged.
func PlainSteps() Optimizing { return Optimizing{Optimizer: string(descent.Plain), Beta: 0.9} }

// BindOptimizer binds the optimizer and the momentum of the heavy ball. Its help texts use the scene's symbols for
// points and step sizes.
func (o *Optimizing) BindOptimizer(l *param.List, point, stepSize string) {
	l.Choice(&o.Optimizer, param.Descriptor{Name: "optimizer", Label: "Optimizer",
		Help: "How the direction is transformed before it is scaled by " + stepSize + " and subtracted. All methods use the same optimizer.",
		Options: []param.Option{
			{Value: string(descent.Plain), Label: "plain", Help: "The step follows the direction unchanged."},
			{Value: string(descent.HeavyBall), Label: "heavy ball", Help: "Each step keeps part of the previous velocity: v ← βv + direction, " +
				point + " ← " + point + " − " + stepSize + "v (Polyak 1964)."},
			{Value: string(descent.Adam), Label: "Adam",
				Help: "Steps have about equal length in every variable, regardless of the gradients’ lengths: Adam with β₁ = 0.9, β₂ = 0.999 and " +
					"ε = 1e-8 (Kingma & Ba 2015), as in the papers’ experiments."},
		}})
	l.Number(&o.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "Heavy ball’s momentum", Min: 0, Max: 0.99, Step: 0.01,
		Only: &param.Only{Name: "optimizer", Values: []string{string(descent.HeavyBall)}},
		Help: "The share of the previous velocity that each step keeps. 0 gives plain steps; values near 1 give strong momentum."})
}

// Chosen returns the optimizer that the settings select.
func (o *Optimizing) Chosen() descent.Optimizer {
	switch kind := descent.OptimizerKind(o.Optimizer); kind {
	case descent.Adam:
		return descent.DefaultAdam()
	case descent.HeavyBall:
		return descent.Optimizer{Kind: kind, Beta: o.Beta}
	default:
		return descent.Optimizer{Kind: kind}
	}
}
