package bilevelcost

import (
	"math"

	"paretoplay/scenes/scene"
)

// Facts implements scene.Scene: of every line the fitted time of one multiplication, NaN
// until it is measured. A name ends in what varies, T or p.
func (s *Scene) Facts() []scene.Fact { return s.facts }

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
