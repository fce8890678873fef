package smooth

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/engine/timeline"
)

// BindSwarm binds a swarm's settings. Its curtain waits at the right edge: it hides nothing before it is dragged.
func (r *Roster) BindSwarm(w *swarm.Swarm, l *param.List) {
	w.Curtain, w.At = ls, 1
	w.Bind(l, r.swarmMethods())
}

// CarrySwarm says which of the methods carry a swarm, and with what settings: all but those that are displayed, those that say which
// runs there are beside it and from where, and others that the scene names.
func (r *Roster) CarrySwarm(w *swarm.Swarm, l *param.List, t *timeline.Timeline, others ...string) {
	w.Version = func() uint64 { return l.Version() + t.Version() }
	w.Method, w.Title = r.swarmMethod, r.Title
	apart := append([]string{"method", "starts", "start"}, others...)
	w.Key = func() string { return swarm.KeyOf(l, apart...) }
}

// swarmMethods are the methods that carry points one by one: all that can be chosen but those that move them together.
func (r *Roster) swarmMethods() []param.Method {
	return slices.DeleteFunc(Methods(), func(m param.Method) bool { return m.ID == moosvgd || r.Absent(m.ID) != "" })
}

// swarmMethod is the first of the methods that run which carries points one by one, "" if none does.
func (r *Roster) swarmMethod() string {
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
