package bilevelcost

import (
	"math"

	"paretoplay/internal/engine/scene"
)

// factKinds lists the fitted times of one multiplication, which are NaN until measured. A name ends in the swept size,
// T or p.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "factor", Of: []string{"method", "mode", "axis"}, Text: "The fitted time of one multiplication in seconds, for a method and a " +
		"mode of differentiation, in pictures where T or p varies.",
		List: (*Scene).listFacts},
	{Name: "factor", Of: []string{"method", "axis"}, Text: "The fitted time of one multiplication for FORUM, which does not " +
		"differentiate through the loop."},
}

// listFacts returns the facts of every line.
func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	listed := map[string]bool{}
	for _, mode := range []string{modeReverse, modeForward} {
		all := Params{Methods: measured, Mode: mode}
		for _, line := range all.lines() {
			name := "factor." + line.Method
			if differentiates := line.ModeName(); differentiates != "" {
				name += "." + differentiates
			}
			if listed[name] { // FORUM has no mode
				continue
			}
			listed[name] = true
			for _, over := range []string{"T", "p"} {
				fact := scene.Fact{Name: name + "." + over, Label: line.Label() + ": time of one multiplication where " + over + " varies", Unit: "s"}
				fact.Value = func() float64 {
					if s.cost == nil {
						return math.NaN()
					}
					if seconds, ok := s.cost.Factor(line, over == "T"); ok {
						return seconds
					}
					return math.NaN()
				}
				out = append(out, fact)
			}
		}
	}
	return out
}
