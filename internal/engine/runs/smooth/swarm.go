package smooth

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/swarm"
)

// SwarmMethods are the methods that carry points one by one: all that can be chosen but those that move them together.
func (r *Roster) SwarmMethods() []param.Method {
	return slices.DeleteFunc(Methods(), func(m param.Method) bool { return m.ID == moosvgd || r.Absent(m.ID) != "" })
}

// SwarmMethod is the first of the methods that run which carries points one by one, "" if none does.
func (r *Roster) SwarmMethod() string {
	for _, m := range r.On {
		if m != moosvgd {
			return m
		}
	}
	return ""
}

// SwarmCourse returns how a swarm's points move by a method: point i as the run from start i of a course would, with the budget and
// the settings as they are.
func (r *Roster) SwarmCourse(method string, c Course) swarm.Course {
	return swarm.Course{
		Starts: c.Starts, Budget: r.Budget, Stop: r.Stop, Omega: pareto.StationarityOf(c.Problem),
		New: func(i int) (algo.Stepper, error) {
			one := c
			one.Start = i
			return r.Stepper(method, &one)
		},
	}
}
