package roster

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// Horizontal axes of panels over time.
const (
	Iterations       = "iterations"
	Backpropagations = "backpropagations"
)

// Pace is how fast runs are shown, and over what.
type Pace struct {
	Speed string // iterations per second
	Axis  string // Iterations or Backpropagations
}

// BindSpeed binds how fast the runs are shown, in iterations per second. Slower are
// further options, for scenes that know what they mean.
func (r *Pace) BindSpeed(l *param.List, slower ...param.Option) {
	l.Choice(&r.Speed, param.Descriptor{Name: "speed", Label: "Speed", Effect: param.Display, Unit: "iterations per second",
		Help: "How often a step is made. It never changes what a step computes.",
		Options: append(slower, []param.Option{{Value: "1", Label: "1 a second"}, {Value: "3", Label: "3 a second"}, {Value: "10", Label: "10 a second"},
			{Value: "30", Label: "30 a second"}, {Value: "60", Label: "60 a second"}, {Value: "200", Label: "200 a second"},
			{Value: "1000", Label: "1000 a second"}, {Value: "max", Label: "full speed"}}...)})
}

// BindNoise binds the noise of the gradients.
func (r *Roster) BindNoise(l *param.List) {
	l.Number(&r.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Gradient noise", Min: 0, Max: 1, Step: 0.01,
		Help: "Standard deviation of the normal noise added to every entry of every gradient. All methods see the same noise."})
}

// BindStop binds the stationarity at which a run ends before its budget is spent.
func (r *Roster) BindStop(l *param.List) {
	l.Number(&r.Stop, param.Descriptor{Name: "stop", Symbol: "ω", Label: "Stop at stationarity", Min: 0, Max: 1, Step: 0.0001, Effect: param.Rerun,
		Help: "A run ends as soon as ω(x), the length of the shortest convex combination of the exact gradients, is at most this; 0 never stops one."})
}

// BindAxis binds what panels over time have for time.
func (r *Pace) BindAxis(l *param.List) {
	l.Choice(&r.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display,
		Options: []param.Option{{Value: Iterations, Label: "iterations"}, {Value: Backpropagations, Label: "backpropagations"}},
		Help:    "A backpropagation is one gradient of one scalar function. Counting them shows what a run has paid."})
}

// OverBackpropagations reports whether panels over time count backpropagations.
func (r *Pace) OverBackpropagations() bool { return r.Axis == Backpropagations }

// History returns a panel over time of the timeline's runs, with the axis that is
// chosen and the symbols of l's parameters; what it shows is left to set.
func (r *Roster) History(t *timeline.Timeline, l *param.List, name, heading string) *panel.History {
	return &panel.History{
		Name: name, Heading: heading, Timeline: t,
		Backpropagations: r.OverBackpropagations,
		MostBP:           func() int { return r.MostBackpropagations(t) },
		Symbol:           l.Symbol,
	}
}

// WeightsHistory is the History of the share of the first objective in the
// weights.
func (r *Roster) WeightsHistory(t *timeline.Timeline, l *param.List, heading string) *panel.History {
	h := r.History(t, l, "weights", heading)
	h.Value = firstShare
	h.Y = func() panel.Axis { return panel.Axis{Label: "λ_1 / (λ_1 + λ_2)", Min: -0.04, Max: 1.14} }
	return h
}
