package runs

import "paretoplay/algo/param"

// Settings holds the settings that all runs share. Its fields are bound to a scene's parameters.
type Settings struct {
	Starts
	Seed   uint64
	Budget int     // number of iterations after which runs end
	Stop   float64 // stationarity at which a run ends; 0 turns this off
	Speed  string  // maximum number of iterations per second
	Axis   string  // the quantity on the time axis of panels
}

// BindBudget binds the number of iterations after which runs end.
func (s *Settings) BindBudget(l *param.List, symbol string, most int, help string) {
	l.Integer(&s.Budget, param.Descriptor{Name: "budget", Symbol: symbol, Label: "Iterations", Min: 1, Max: float64(most), Step: 1,
		Scale:  param.Log,
		Effect: param.Rerun, Unit: "iterations", Help: help})
}

// BindSpeed binds the maximum speed at which runs are shown, in iterations per second. Playback is slower while much
// moves in the picture. The argument slower lists additional options for scenes that support them.
func (s *Settings) BindSpeed(l *param.List, slower ...param.Option) {
	l.Choice(&s.Speed, param.Descriptor{Name: "speed", Label: "Speed", Effect: param.Display, Unit: "iterations per second",
		Help: "The maximum number of steps per second. Playback is slower if a lot moves in the large picture. The speed never changes what " +
			"a step computes.",
		Options: append(slower, []param.Option{{Value: "1", Label: "up to 1/s"}, {Value: "3", Label: "up to 3/s"},
			{Value: "10", Label: "up to 10/s"},
			{Value: "30", Label: "up to 30/s"}, {Value: "60", Label: "up to 60/s"}, {Value: "200", Label: "up to 200/s"},
			{Value: "500", Label: "up to 500/s"}, {Value: "1000", Label: "up to 1000/s"}, {Value: "5000", Label: "up to 5000/s"},
			{Value: "20000", Label: "up to 20,000/s"}, {Value: "max", Label: "full speed"}}...)})
}

// BindSeed binds the seed. help says what the seed determines.
func (s *Settings) BindSeed(l *param.List, help string) {
	l.Seed(&s.Seed, param.Descriptor{Name: "seed", Label: "Seed", Help: help})
}

// BindStop binds the stationarity at which a run ends before its budget is spent. symbol is the scene's symbol for it.
func (s *Settings) BindStop(l *param.List, symbol, help string) {
	l.Number(&s.Stop, param.Descriptor{Name: "stop", Symbol: symbol, Label: "Stop at stationarity", Min: 0, Max: 1, Step: 0.0001,
		Effect: param.Rerun, Help: help})
}
