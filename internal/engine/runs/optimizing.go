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

// PlainSteps returns settings with which steps follow the directions unchanged.
func PlainSteps() Optimizing { return Optimizing{Optimizer: string(descent.Plain), Beta: 0.9} }

// BindOptimizer binds the optimizer and the momentum of the heavy ball. Its help texts use the scene's symbols for
// points and step sizes.
func (o *Optimizing) BindOptimizer(l *param.List, point, stepSize string) {
	l.Choice(&o.Optimizer, param.Descriptor{Name: "optimizer", Label: "Optimizer",
		Help: "What is made of a direction before it is multiplied with " + stepSize + " and subtracted. It is the same for all methods.",
		Options: []param.Option{
			{Value: string(descent.Plain), Label: "plain", Help: "The direction itself."},
			{Value: string(descent.HeavyBall), Label: "heavy ball", Help: "Steps keep some of the former ones’ speed: v ← βv + direction, " +
				point + " ← " + point + " − " + stepSize + "v (Polyak 1964)."},
			{Value: string(descent.Adam), Label: "Adam",
				Help: "Steps of about equal length in every variable, whatever the gradients’: Adam with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma & " +
					"Ba 2015), as in the papers’ experiments."},
		}})
	l.Number(&o.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "Heavy ball’s momentum", Min: 0, Max: 0.99, Step: 0.01,
		Only: &param.Only{Name: "optimizer", Values: []string{string(descent.HeavyBall)}},
		Help: "The share of the former velocity that the heavy ball keeps."})
}

// Chosen returns the chosen optimizer.
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
